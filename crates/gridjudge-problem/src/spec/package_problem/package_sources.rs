//! Collects the files of a submission to a package and finds the one its program starts
//! in. The files are the submission's own and those that the package includes for its
//! language. Looks at names and first lines, and into sources only where those do not
//! decide. Start at [`of_example`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files;
use crate::model::{
    AdditionalSources, JavaSource, Language, SourceFile, Submission, ToolSource,
};
use crate::package::{Package, PackageProgram, PackageSubmission};
use crate::spec::Config;
use crate::spec::config;
use crate::spec::package_problem::format_settings::{
    names_interpreter, script_language,
};
use crate::text::JoinedTexts;

/// The languages of scripts that may lie beside the sources of a program.
const SHELLS: [&str; 2] = ["bash", "sh"];

/// The folder of `include/` for languages without a folder of their own.
const DEFAULT: &str = "default";

/// The files of a submission to a package.
pub(crate) struct PackageSources {
    /// The submission's own file that identifies it.
    pub(crate) path: PathBuf,
    pub(crate) additional_sources: AdditionalSources,
}

/// The files of a submission in a package.
///
/// # Errors
/// Returns why it cannot be built here, worded to follow its name.
pub(crate) fn of_example(
    package: &Package,
    submission: &PackageSubmission,
    config: &Config,
) -> Result<PackageSources, String> {
    let language = match submission.language.as_deref() {
        // Whatever the endings of its files.
        Some(named) => config.language_called(named).cloned().ok_or_else(|| {
            format!(
                "the package says that its language is `{named}`, which is not a \
                 language of this judge"
            )
        })?,

        None => only_language(&submission.files, config)?,
    };
    let start = start(package, submission, &language, config)?;
    // The program may start in a file that the package includes. One of the
    // submission's own files must identify it.
    let files = &submission.files[..];
    let only = match files {
        [only] => Some(only),
        _ => None,
    };
    let own = files
        .iter()
        .find(|file| file.name == start)
        .or_else(|| {
            let mut files = files.iter();
            files.find(|file| is_top_level_source(file, &language, config))
        })
        .or(only)
        .ok_or(NO_SOURCE)?;
    if let Some(sign) = config::sign_of_another_language(&own.path) {
        return Err(format!("{sign}, which is not a language of this judge"));
    }
    Ok(PackageSources {
        path: own.path.clone(),
        additional_sources: additional_sources(
            package, &language, files, own, &start,
        ),
    })
}

/// The files of a program of a package that is no submission.
///
/// # Errors
/// Returns why it cannot be built here, worded to follow its name.
pub(crate) fn of_tool(
    package: &Package,
    program: &PackageProgram,
    config: &Config,
) -> Result<ToolSource, String> {
    let mut files = program.files.iter();
    // A program that is built and run by its own scripts. `build` comes first: it may
    // have to create `run`.
    if let Some(first) = files.clone().find(|file| PackageProgram::is_script(file)) {
        let build = (first.name == "build").then_some(first.path.as_path());
        let language = Arc::new(script_language(build));
        return Ok(tool_from(package, program, first, Some(language)));
    }
    // A script or an executable in no language, as where outputs are judged.
    if let [only] = &program.files[..]
        && config.language_of(&only.path).is_none()
        && files::is_executable(&only.path)
        && names_interpreter(&only.path)
    {
        return Ok(tool_from(package, program, only, None));
    }
    let language = only_language(&program.files, config)?;
    let start = own_start(&program.files, &language, config)?;
    let own = files.find(|file| file.name == start).ok_or(NO_SOURCE)?;
    Ok(tool_from(package, program, own, Some(language)))
}

const NO_SOURCE: &str = "none of its sources lies at the top of its folder";

/// A program that starts in one of its files.
fn tool_from(
    package: &Package,
    program: &PackageProgram,
    own: &SourceFile,
    language: Option<Arc<Language>>,
) -> ToolSource {
    let files = program
        .files
        .iter()
        .filter(|file| file.name != own.name)
        .cloned()
        .collect();
    ToolSource {
        source: Submission::at(own.path.clone()),
        language,
        additional_sources: AdditionalSources {
            files,
            start: None,
            constants: package.constants.clone(),
        },
        memory_bytes: package.limits.checker.memory_bytes,
    }
}

/// The files that the package includes for a program from outside the package.
pub(crate) fn of_program(
    package: &Package,
    path: &Path,
    language: Option<&Language>,
) -> AdditionalSources {
    let Some(language) = language else {
        return AdditionalSources::default();
    };
    let own = SourceFile::at(path);
    let start = included_start(package, language).unwrap_or_else(|| own.name.clone());
    additional_sources(package, language, std::slice::from_ref(&own), &own, &start)
}

/// All files except `own`. Files of the package replace the submission's files of the
/// same name.
fn additional_sources(
    package: &Package,
    language: &Language,
    files: &[SourceFile],
    own: &SourceFile,
    start: &str,
) -> AdditionalSources {
    let all: BTreeMap<_, _> = files
        .iter()
        .filter(|file| file.name != own.name)
        .chain(included(package, language))
        .map(|file| (&file.name, file))
        .collect();
    AdditionalSources {
        files: all.into_values().cloned().collect(),
        start: (start != own.name).then(|| start.to_owned()),
        constants: package.constants.clone(),
    }
}

/// The only language of the sources among some files.
fn only_language(
    files: &[SourceFile],
    config: &Config,
) -> Result<Arc<Language>, String> {
    let mut languages: Vec<&Arc<Language>> = vec![];
    for language in files
        .iter()
        .filter_map(|file| config.language_of(&file.path))
    {
        if !languages.iter().any(|known| known.id == language.id) {
            languages.push(language);
        }
    }
    // A script among sources of a program is no part of it.
    let is_shell = |language: &&Arc<Language>| SHELLS.contains(&language.id.as_str());
    if !languages.iter().all(is_shell) {
        languages.retain(|language| !is_shell(language));
    }
    match languages[..] {
        [language] => Ok(Arc::clone(language)),
        [] => Err(
            match files.iter().find_map(|file| language_of(&file.name)) {
                Some(lacking) => {
                    format!(
                        "it is in {lacking}, which is not a language of this judge"
                    )
                }
                None if files.len() == 1 => {
                    "its ending belongs to no language of this judge".to_owned()
                }
                None => "none of its files is of a language of this judge".to_owned(),
            },
        ),
        _ => {
            let names = languages.iter().map(|language| language.name.as_str());
            Err(format!(
                "its files are of several languages: {}",
                names.joined(", ")
            ))
        }
    }
}

/// The file in which the program starts: the one the submission names, one the package
/// includes, or as [`own_start`] finds it.
fn start(
    package: &Package,
    submission: &PackageSubmission,
    language: &Language,
    config: &Config,
) -> Result<String, String> {
    let files = &submission.files;
    if files.len() > 1
        && let Some(named) = &submission.entrypoint
    {
        let endings = language
            .extensions
            .iter()
            .map(|ending| format!("{named}.{ending}"));
        let found = std::iter::once(named.to_owned())
            .chain(endings)
            .find(|name| files.iter().any(|file| file.name == *name));
        return found.ok_or_else(|| {
            format!("the file that it starts in, `{named}`, is not there")
        });
    }
    match (included_start(package, language), &files[..]) {
        (Some(included), _) => Ok(included),
        // Its ending may be of another language than the package names.
        (None, [only]) if !only.name.contains('/') => Ok(only.name.clone()),
        (None, _) => own_start(files, language, config),
    }
}

/// The file in which a program starts: one with a usual name of its language, or the
/// only source.
fn own_start(
    files: &[SourceFile],
    language: &Language,
    config: &Config,
) -> Result<String, String> {
    let named = language
        .main
        .iter()
        .find(|name| files.iter().any(|file| file.name == **name));
    let sources: Vec<_> = files
        .iter()
        .filter(|file| is_top_level_source(file, language, config))
        .map(|file| &file.name)
        .collect();
    // Whether the command that runs it names its source file or class.
    let is_started_by_name = language
        .run
        .iter()
        .any(|word| word.contains("{source}") || word.contains("{name}"));
    match (named, &sources[..]) {
        (Some(named), _) => Ok(named.clone()),
        (None, [only]) => Ok((*only).clone()),
        // If all sources are compiled into one program, the compiler finds its start.
        (None, [first, ..]) if language.together && !is_started_by_name => {
            Ok((*first).clone())
        }
        (None, []) => Err(NO_SOURCE.to_owned()),
        (None, _) => {
            if language.java_classes
                && let Some(started) = only_started(files, &sources)
            {
                return Ok(started);
            }
            let names = language.main.join(" or ");
            let called = if names.is_empty() {
                names
            } else {
                format!(": none is called {names}")
            };
            let count = files.len();
            Err(format!(
                "it is unclear which of its {count} files it starts in{called}"
            ))
        }
    }
}

/// The only source in Java with a class that has a `main`, if exactly one has. Judges
/// search for it when no file has the usual name.
fn only_started(files: &[SourceFile], sources: &[&String]) -> Option<String> {
    let mut started = files.iter().filter(|file| {
        sources.contains(&&file.name)
            && JavaSource::read(&config::read_source(&file.path)).has_main()
    });
    let only = started.next()?;
    started.next().is_none().then(|| only.name.clone())
}

/// The file of the package's includes in which programs start, if any.
fn included_start(package: &Package, language: &Language) -> Option<String> {
    let mut names = language.main.iter();
    names
        .find(|name| included(package, language).any(|file| file.name == **name))
        .cloned()
}

/// The files that the package includes in programs of a language.
fn included<'p>(
    package: &'p Package,
    language: &Language,
) -> impl Iterator<Item = &'p SourceFile> + use<'p> {
    let own = [language.id.as_str(), language.package_code()];
    let mut names = own
        .into_iter()
        .chain(language.extensions.iter().map(String::as_str));
    names
        .find_map(|name| package.includes.get(name))
        .or_else(|| package.includes.get(DEFAULT))
        .into_iter()
        .flatten()
}

/// Whether a file at the top of its folder is in a language: by its ending, or, if that
/// is in upper case or the file is a script of another shell, as [`Config::language_of`]
/// finds.
fn is_top_level_source(
    file: &SourceFile,
    language: &Language,
    config: &Config,
) -> bool {
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let found = config.language_of(&file.path);
    let is_known = language.extensions.iter().any(|known| known == ending);
    !file.name.contains('/')
        && (is_known || found.is_some_and(|found| found.id == language.id))
}

// Names the languages of package formats that no built-in language stands for, by the
// endings of their sources, so that a message can tell a reader what a submission is
// written in.
//
// Source: the Kattis problem package format, appendix "Languages".

/// The endings and the languages. One that `judge.toml` adds has precedence. Those from
/// `kts` on are not in that table, but common.
const LACKING: &str = "\
a68 Algol 68
apl APL
cob COBOL
cr Crystal
d D
dart Dart
ex Elixir
erl Erlang
fth Forth
4th Forth
forth Forth
frt Forth
fs F#
ss Gerbil
jl Julia
mod Modula-2
def Modula-2
nim Nim
m Objective-C
odin Odin
py2 Python 2
rkt Racket
scala Scala
sim Simula
st Smalltalk
sno Snobol
swift Swift
ts TypeScript
vb Visual Basic
zig Zig
kts Kotlin as a script
plg Prolog
bas Basic
hx Haxe";

/// The language of a source by its ending, if no built-in language stands for it.
fn language_of(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let mut rows = LACKING.lines().filter_map(|row| row.split_once(' '));
    rows.find(|row| row.0 == ending).map(|row| row.1)
}
