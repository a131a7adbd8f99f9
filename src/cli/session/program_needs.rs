//! Lists what a program of a package needs and this machine or its package lacks: compilers,
//! runtimes, and headers such as `testlib.h`. Starts nothing.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::cli::session::languages;
use crate::compile::{ProgramSource, ToolFinder, ToolLocation};
use crate::mistake::Mistake;
use crate::model::Submission;
use crate::run::PlannedChecker;
use crate::spec::PackageTool;

/// The most bytes of a source that are read.
const LONGEST_SOURCE: u64 = 1 << 20;

/// Folders in which compilers find the headers of the system.
const SYSTEM_HEADERS: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// The languages whose sources include headers.
const WITH_HEADERS: [&str; 2] = ["c", "cpp"];

/// What a judging program, and the one that runs after it, lack.
pub(super) fn lacking(program: &PlannedChecker, finder: &ToolFinder) -> Vec<Mistake> {
    let mut lacking = lacking_of_source(&program.program_source(), finder);
    lacking.extend(
        program
            .final_checker
            .iter()
            .flat_map(|last| self::lacking(last, finder)),
    );
    lacking
}

/// What an input validator lacks.
pub(super) fn lacking_of_tool(tool: &PackageTool, finder: &ToolFinder) -> Vec<Mistake> {
    let name = tool.path.to_string_lossy().into_owned();
    let source = Submission {
        name,
        path: tool.path.clone(),
        expected: None,
    };
    let source = ProgramSource {
        source: &source,
        additional_sources: &tool.additional_sources,
        language: Some(&tool.language),
        memory_bytes: 0,
        is_submission: false,
        keeps_name: true,
    };
    lacking_of_source(&source, finder)
}

fn lacking_of_source(program: &ProgramSource<'_>, finder: &ToolFinder) -> Vec<Mistake> {
    let mut lacking = tools(program, finder);
    lacking.extend(headers(program));
    lacking
}

/// The compiler or runtime, if it is missing.
fn tools(program: &ProgramSource<'_>, finder: &ToolFinder) -> Vec<Mistake> {
    let Some(language) = program.language else {
        return Vec::new();
    };
    let tools = finder.tools(language);
    let missing = tools
        .iter()
        .filter(|tool| !matches!(tool.found, ToolLocation::At(_)));
    let mistakes = missing.map(|tool| {
        let message = format!("needs {}: {}", language.name, languages::text(tool));
        let mistake = Mistake::of(&program.source.path, message);
        languages::remedy(language, &tools)
            .into_iter()
            .fold(mistake, Mistake::with_remedy)
    });
    mistakes.collect()
}

/// The headers that its sources include and that are nowhere.
fn headers(program: &ProgramSource<'_>) -> Vec<Mistake> {
    if !program
        .language
        .is_some_and(|language| WITH_HEADERS.contains(&language.id.as_str()))
    {
        return Vec::new();
    }
    let files = &program.additional_sources.files;
    let source = &program.source.path;
    let folder = source.parent().unwrap_or(Path::new(""));
    let text = start_of(source);
    let missing = included(&text).filter(|header| {
        let is_given = files
            .iter()
            .any(|file| file.name == *header || file.path.ends_with(header));
        !is_given && !folder.join(header).exists() && !is_system_header(header)
    });
    let mistakes = missing.map(|header| {
        Mistake::of(source, format!("includes `{header}`, which is not there"))
            .with_remedy(format!("put `{header}` beside it"))
    });
    mistakes.collect()
}

fn is_system_header(name: &str) -> bool {
    SYSTEM_HEADERS
        .iter()
        .any(|folder| Path::new(folder).join(name).exists())
}

/// The headers that a source includes and that do not belong to its compiler: those in quotes, and
/// `testlib.h`.
fn included(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let named = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?
            .trim_start();
        match named.strip_prefix('"') {
            Some(named) => named.split_once('"').map(|(name, _)| name),
            None => named.starts_with("<testlib.h>").then_some("testlib.h"),
        }
    })
}

/// A source as text. Empty if it cannot be read; that is reported elsewhere.
fn start_of(source: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(source).and_then(|file| file.take(LONGEST_SOURCE).read_to_end(&mut text));
    if read.is_ok() {
        String::from_utf8_lossy(&text).into_owned()
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_quotes_and_testlib_are_those_that_may_be_missing() {
        let source = "#include <cstdio>\n # include \"lib/queue.h\" // x\n#include <testlib.h>\n// #include \"no.h\"\n";
        assert_eq!(
            included(source).collect::<Vec<_>>(),
            ["lib/queue.h", "testlib.h"]
        );
    }
}
