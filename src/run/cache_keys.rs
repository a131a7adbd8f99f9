//! The keys of cached trials: which facts a verdict depends on. Knows neither the cache nor when a key is
//! computed.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::cache::Cache;
use crate::cache::CacheKey;
use crate::cache::FileVersion;
use crate::cache::KeyHasher;
use crate::compile;
use crate::compile::Compiler;
use crate::compile::Fingerprint;
use crate::compile::ProgramSource;
use crate::model::AdditionalSources;
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::FileStreams;
use crate::model::Problem;
use crate::run::plan::PlanEntry;
use crate::run::plan::PlannedChecker;

/// A key, and the version of each file that it was computed from.
pub(super) struct KeyWithFiles {
    pub(super) key: CacheKey,
    files: Vec<(PathBuf, FileVersion)>,
}

impl KeyWithFiles {
    /// Whether no file has changed since the key was computed.
    pub(super) fn is_current(&self) -> bool {
        self.files.iter().all(|(path, version)| FileVersion::now(path) == Some(*version))
    }
}

/// The key of everything that a submission's verdicts depend on, except for its cases and the programs of its
/// problem. `None` if a file cannot be read or is too long, or if the tools cannot be identified.
pub(super) fn of_submission(entry: &PlanEntry, compiler: &Compiler, cache: &Cache) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::of("submission");
    let problem = &entry.problem;
    if entry.submission.path.metadata().ok()?.len() > compile::LARGEST_SUBMISSION {
        return None;
    }
    let limits = entry.limits();
    hasher.add(problem.task.cache_key(&limits).ok()?);
    for (case, task) in &problem.case_tasks {
        hasher.add(case);
        hasher.add(task.cache_key(&limits).ok()?);
    }
    let files = add_program(&mut hasher, entry.program_source(), compiler, cache)?;
    Some(KeyWithFiles { key: hasher.finish(), files })
}

/// The key of a checker and of the checkers that run after it. `None` as for [`of_submission`].
pub(super) fn of_checker(
    checker: &PlannedChecker,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::of("checker");
    let mut files = Vec::new();
    let checkers = std::iter::successors(Some(checker), |checker| checker.final_checker.as_deref());
    for checker in checkers {
        hasher.add(checker.kind.name());
        files.extend(add_program(&mut hasher, checker.program_source(), compiler, cache)?);
    }
    Some(KeyWithFiles { key: hasher.finish(), files })
}

/// Adds to a key everything that the times of these submissions of one problem depend on besides the machine: their
/// sources and compilers, the cases, and the programs of the problem. What cannot be read or found is left out: such
/// a submission is not timed.
pub fn add_timed(hasher: &mut KeyHasher, entries: &[PlanEntry], compiler: &Compiler, cache: &Cache) {
    let mut add = |key: Option<KeyWithFiles>| {
        hasher.add(key.map_or_else(String::new, |found| found.key.to_string()));
    };
    for entry in entries {
        add(of_submission(entry, compiler, cache));
    }
    let Some(first) = entries.first() else { return };
    add(first.checker.as_ref().and_then(|checker| of_checker(checker, compiler, cache)));
    for case in first.cases.iter() {
        add(of_case(case, &first.problem).ok());
    }
}

/// Adds a program: how it is compiled and started, its sources with their permission to be
/// executed, and the names of those that others include.
/// Returns the version of each file, and of its tools.
fn add_program(
    hasher: &mut KeyHasher,
    program: ProgramSource<'_>,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<Vec<(PathBuf, FileVersion)>> {
    let ProgramSource { source, additional_sources, language, memory_bytes, .. } = program;
    let Fingerprint { text, tools } = compiler.fingerprint(source, language, memory_bytes, cache)?;
    hasher.add(text);
    let mut files = vec![&source.path];
    if !additional_sources.is_empty() {
        let AdditionalSources { files: additional, start, constants } = additional_sources;
        let names: Vec<_> = additional.iter().map(|file| &file.name).collect();
        hasher.add(format!("{:?} {names:?} {start:?} {constants:?}", source.path.file_name()));
        files.extend(additional.iter().map(|file| &file.path));
    }
    let mut files = add_files(hasher, files).ok()?;
    // Asked after their versions, by which a later change of this permission is noticed.
    let executable: Vec<_> = files.iter().map(|(path, _)| is_executable(path)).collect();
    hasher.add(format!("executable {executable:?}"));
    files.extend(tools);
    Some(files)
}

/// Whether a file has the permission to be executed, which a copy of it keeps.
fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// Computes the key of a case from everything that its verdict depends on: the bytes of input and answer, the
/// arguments and files for the submission, the points (which a checker is given), and its own task if it is
/// judged differently. Name and path do not count, because a program never sees them.
pub(super) fn of_case(case: &Case, problem: &Problem) -> io::Result<KeyWithFiles> {
    let mut hasher = KeyHasher::of("case");
    if let Some(worth) = problem.scoring.worth_of(&case.name) {
        hasher.add(format!("{worth:?}"));
    }
    // Two cases may differ in nothing but how they are judged.
    if let Some(task) = problem.case_tasks.get(&case.name) {
        hasher.add(task.cache_key(&problem.limits).map_err(io::Error::other)?);
    }
    if problem.file_streams != FileStreams::default() {
        hasher.add(format!("{:?}", problem.file_streams));
    }
    let mut files = vec![&case.input, &case.answer];
    if let Some(CaseSupply { arguments, files: given }) = problem.supplies.get(&case.name) {
        let names: Vec<_> = given.iter().map(|file| &file.name).collect();
        hasher.add(format!("{arguments:?} {names:?}"));
        files.extend(given.iter().map(|file| &file.path));
    }
    let files = add_files(&mut hasher, files)?;
    Ok(KeyWithFiles { key: hasher.finish(), files })
}

/// Adds the bytes of files, and returns their versions.
fn add_files<'a>(
    hasher: &mut KeyHasher,
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> io::Result<Vec<(PathBuf, FileVersion)>> {
    files.into_iter().map(|path| Ok((path.clone(), hasher.add_file(path)?))).collect()
}
