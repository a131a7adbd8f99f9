//! Which files make a submission to a package, and in which of them its program starts: the submission's own, and those that the
//! package has for all submissions in its language. Looks at names, at first lines, and at sources where nothing else tells. Start at [`of_example`].

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::files;
use crate::model::FurtherSources;
use crate::model::Language;
use crate::model::LanguageRefusal;
use crate::model::SourceFile;
use crate::package::Package;
use crate::package::PackageProgram;
use crate::package::PackageSubmission;
use crate::spec::config::Config;
use crate::spec::script_language::script_language;

/// Bytes of a source in which its first line is looked for.
const LONGEST_FIRST_LINE: u64 = 200;

/// What the method is called that programs in Java start in, and bytes of a source in which it is looked for.
const MAIN_OF_JAVA: &str = "void main";
const LONGEST_SOURCE: u64 = 1 << 20;

/// The folder of `include/` for languages that have none of their own.
const DEFAULT: &str = "default";

/// The files of a submission to a package.
pub(super) struct PackageSources {
    /// The submission's own file that it is known by.
    pub(super) path: PathBuf,
    pub(super) further: FurtherSources,
}

/// The files of a submission in a package.
///
/// # Errors
/// Why it cannot be made here, to be read behind its name.
pub(super) fn of_example(
    package: &Package,
    submission: &PackageSubmission,
    config: &Config,
) -> Result<PackageSources, String> {
    let language = only_language(&submission.files, config)?;
    let start = start(package, submission, &language)?;
    // What the package includes may be the start; the submission is known by a file of its own all the same.
    let is_known_by = |file: &&SourceFile| file.name == start;
    let own = submission
        .files
        .iter()
        .find(is_known_by)
        .or_else(|| submission.files.iter().find(|file| is_top_level_source(&file.name, &language)));
    let Some(own) = own else { return Err("none of its sources lies at the top of its folder".to_owned()) };
    if asks_for_python_2(&own.path) {
        return Err("its first line asks for Python 2, which is no language of this judge".to_owned());
    }
    let further = further(package, &language, &submission.files, own, &start);
    Ok(PackageSources { path: own.path.clone(), further })
}

/// A program of a package that is no submission.
pub struct PackageTool {
    /// Its file that it is known by.
    pub path: PathBuf,
    /// What it is made of beside that.
    pub further: FurtherSources,
    /// Its language.
    pub language: Arc<Language>,
}

/// The files of a program of a package that is no submission.
///
/// # Errors
/// Why it cannot be made here, to be read behind its name.
pub(super) fn of_tool(
    package: &Package,
    program: &PackageProgram,
    config: &Config,
) -> Result<PackageTool, String> {
    if program.files.iter().any(PackageProgram::is_script) {
        return of_scripts(package, program);
    }
    let language = only_language(&program.files, config)?;
    let start = own_start(&program.files, &language)?;
    let is_start = |file: &&SourceFile| file.name == start;
    let Some(own) = program.files.iter().find(is_start) else {
        return Err("none of its sources lies at the top of its folder".to_owned());
    };
    let files = program.files.iter().filter(|file| file.name != own.name).cloned().collect();
    let further = FurtherSources { files, start: None, constants: package.constants.clone() };
    Ok(PackageTool { path: own.path.clone(), further, language })
}

/// A program that scripts of its own make and start.
fn of_scripts(package: &Package, program: &PackageProgram) -> Result<PackageTool, String> {
    let scripts: Vec<_> = program.files.iter().filter(|file| PackageProgram::is_script(file)).collect();
    let is_executable =
        |file: &&&SourceFile| file.path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
    if let Some(script) = scripts.iter().find(|file| !is_executable(file)) {
        return Err(format!("its `{}` is not executable", script.name));
    }
    // `build` comes before `run`, which it may have to make.
    let Some(first) = scripts.first() else { return Err("it has neither `build` nor `run`".to_owned()) };
    let files = program.files.iter().filter(|file| file.name != first.name).cloned().collect();
    let further = FurtherSources { files, start: None, constants: package.constants.clone() };
    let language = Arc::new(script_language(first.name == "build"));
    Ok(PackageTool { path: first.path.clone(), further, language })
}

/// The files beside any program for a package: what the package includes.
pub(super) fn of_program(package: &Package, path: &Path, language: Option<&Language>) -> FurtherSources {
    let Some(language) = language else { return FurtherSources::default() };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let own = SourceFile { name: name.clone(), path: path.to_owned() };
    let start = included_start(package, language).unwrap_or(name);
    further(package, language, std::slice::from_ref(&own), &own, &start)
}

/// All files but the submission's own, with those of the package in place of others of the same name.
fn further(
    package: &Package,
    language: &Language,
    files: &[SourceFile],
    own: &SourceFile,
    start: &str,
) -> FurtherSources {
    let others = files.iter().filter(|file| file.name != own.name);
    let all: BTreeMap<_, _> =
        others.chain(included(package, language)).map(|file| (&file.name, file)).collect();
    FurtherSources {
        files: all.into_values().cloned().collect(),
        start: (start != own.name).then(|| start.to_owned()),
        constants: package.constants.clone(),
    }
}

/// That submissions to a package may not be written in a language, if so.
pub(super) fn refusal(package: &Package, language: &Language) -> Option<LanguageRefusal> {
    let permitted = package.languages.as_ref()?;
    let code = language.package_code();
    if permitted.iter().any(|known| known == code) {
        return None;
    }
    let (name, known) = (&language.name, permitted.join(", "));
    let cause = format!("the package takes no submissions in {name}: its `languages` are {known}");
    let remedy = format!("write it in another language, or add `{code}` to `languages` in `problem.yaml`");
    Some(LanguageRefusal { cause, remedy })
}

/// The text that a source begins with; nothing if it cannot be read, which whoever compiles it tells.
fn start_of(source: &Path, bytes: u64) -> String {
    let mut start = Vec::new();
    let read = files::open(source).map(|file| file.take(bytes).read_to_end(&mut start));
    read.map_or_else(|_| String::new(), |_| String::from_utf8_lossy(&start).into_owned())
}

/// Whether the first line of a source asks for the older Python, by which the formats tell it from the newer one.
fn asks_for_python_2(source: &Path) -> bool {
    let start = start_of(source, LONGEST_FIRST_LINE);
    let first = start.split('\n').next().unwrap_or_default();
    first.starts_with("#!") && first.contains("python2")
}

/// The only language of the sources among some files.
fn only_language(files: &[SourceFile], config: &Config) -> Result<Arc<Language>, String> {
    let mut languages: Vec<&Arc<Language>> = Vec::new();
    for language in files.iter().filter_map(|file| config.language_of(&file.path)) {
        if !languages.iter().any(|known| known.id == language.id) {
            languages.push(language);
        }
    }
    match languages[..] {
        [language] => Ok(Arc::clone(language)),
        [] if files.len() == 1 => Err("its ending belongs to no language of this judge".to_owned()),
        [] => Err("none of its files is of a language of this judge".to_owned()),
        _ => {
            let names: Vec<_> = languages.iter().map(|language| language.name.as_str()).collect();
            Err(format!("its files are of several languages: {}", names.join(", ")))
        }
    }
}

/// The file in which the program starts: what the package names, what the language has names for, or the only one.
fn start(package: &Package, submission: &PackageSubmission, language: &Language) -> Result<String, String> {
    let files = &submission.files;
    let has = |name: &str| files.iter().any(|file| file.name == name);
    if let Some(named) = submission.entrypoint.as_deref().filter(|_| files.len() > 1) {
        let endings = language.extensions.iter().map(|ending| format!("{named}.{ending}"));
        let found = std::iter::once(named.to_owned()).chain(endings).find(|name| has(name));
        return found.ok_or_else(|| format!("the file that it starts in, `{named}`, is not there"));
    }
    match included_start(package, language) {
        Some(included) => Ok(included),
        None => own_start(files, language),
    }
}

/// The file among some in which a program starts, by the names that its language has for it.
fn own_start(files: &[SourceFile], language: &Language) -> Result<String, String> {
    let has = |name: &str| files.iter().any(|file| file.name == name);
    let named = language.main.iter().find(|name| has(name));
    let sources: Vec<_> =
        files.iter().map(|file| &file.name).filter(|name| is_top_level_source(name, language)).collect();
    match (named, &sources[..]) {
        (Some(named), _) => Ok(named.clone()),
        (None, [only]) => Ok((*only).clone()),
        // Where all sources make one program, it says itself where it starts.
        (None, [first, ..]) if language.together && !is_started_by_name(language) => Ok((*first).clone()),
        (None, [_, ..])
            if language.together
                && let Some(started) = only_started(files, &sources) =>
        {
            Ok(started)
        }
        (None, []) => Err("none of its sources lies at the top of its folder".to_owned()),
        _ => Err(format!(
            "which of its {} files it starts in is not told: none is called {}",
            files.len(),
            language.main.join(" or ")
        )),
    }
}

/// The only one of some sources that has what is called first in Java, which judges look for when no file has the usual name.
fn only_started(files: &[SourceFile], sources: &[&String]) -> Option<String> {
    let is_started = |file: &&SourceFile| {
        sources.contains(&&file.name) && start_of(&file.path, LONGEST_SOURCE).contains(MAIN_OF_JAVA)
    };
    let mut started = files.iter().filter(is_started);
    let only = started.next()?;
    started.next().is_none().then(|| only.name.clone())
}

/// The file that the package includes for programs to start in.
fn included_start(package: &Package, language: &Language) -> Option<String> {
    let has = |name: &&String| included(package, language).any(|file| file.name == **name);
    language.main.iter().find(has).cloned()
}

/// What the package includes in programs of a language.
fn included<'p>(package: &'p Package, language: &Language) -> impl Iterator<Item = &'p SourceFile> + use<'p> {
    let own = [language.id.as_str(), language.package_code()];
    let files = own.into_iter().find_map(|name| package.includes.get(name));
    files.or_else(|| package.includes.get(DEFAULT)).into_iter().flatten()
}

/// Whether the command that runs a program names a source.
fn is_started_by_name(language: &Language) -> bool {
    language.run.iter().any(|word| word.contains("{source}") || word.contains("{name}"))
}

fn is_top_level_source(name: &str, language: &Language) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    !name.contains('/') && language.extensions.iter().any(|known| known == ending)
}
