//! The keys of cached trials: which facts a verdict depends on. Knows neither the cache nor when a
//! key is computed.

use std::io;

use crate::cache::{Cache, KeyHasher, KeyWithFiles};
use crate::compile::Compiler;
use crate::model::{Case, CaseSupply, FileStreams, Problem};
use crate::run::plan::{PlanEntry, PlannedChecker};

/// The key of everything that a submission's verdicts depend on, except for its cases and the
/// programs of its problem. `None` if a file cannot be read or is too long, or if the tools cannot
/// be identified.
pub(super) fn of_submission(
    entry: &PlanEntry,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::of("submission");
    let problem = &entry.problem;
    let limits = entry.limits();
    hasher.add(problem.task.cache_key(&limits).ok()?);
    for (case, task) in &problem.case_tasks {
        hasher.add(case);
        hasher.add(task.cache_key(&limits).ok()?);
    }
    let program = compiler.program_key(entry.program_source(), cache)?;
    hasher.add(program.key.to_string());
    Some(KeyWithFiles {
        key: hasher.finish(),
        ..program
    })
}

/// The key of a checker and of the checkers that run after it. `None` as for [`of_submission`].
pub(super) fn of_checker(
    checker: &PlannedChecker,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::of("checker");
    let mut files = Vec::new();
    let mut looked_at = Vec::new();
    let checkers = std::iter::successors(Some(checker), |checker| checker.final_checker.as_deref());
    for checker in checkers {
        hasher.add(checker.kind.name());
        let program = compiler.program_key(checker.program_source(), cache)?;
        hasher.add(program.key.to_string());
        files.extend(program.files);
        looked_at.extend(program.looked_at);
    }
    Some(KeyWithFiles {
        key: hasher.finish(),
        files,
        looked_at,
    })
}

/// Adds to a key everything that the times of these submissions of one problem depend on besides
/// the machine: their sources and compilers, the cases, and the programs of the problem. What
/// cannot be read or found is left out: such a submission is not timed.
pub fn add_timed(
    hasher: &mut KeyHasher,
    entries: &[PlanEntry],
    compiler: &Compiler,
    cache: &Cache,
) {
    let mut add = |key: Option<KeyWithFiles>| {
        hasher.add(key.map_or_else(String::new, |found| found.key.to_string()));
    };
    for entry in entries {
        add(of_submission(entry, compiler, cache));
    }
    let Some(first) = entries.first() else { return };
    add(first
        .checker
        .as_ref()
        .and_then(|checker| of_checker(checker, compiler, cache)));
    for case in first.cases.iter() {
        add(of_case(case, &first.problem).ok());
    }
}

/// Computes the key of a case from everything that its verdict depends on: the bytes of input and
/// answer, the arguments and files for the submission, the points (which a checker is given), and
/// its own task if it is judged differently. Name and path do not count, because a program never
/// sees them.
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
    if let Some(CaseSupply {
        arguments,
        files: given,
    }) = problem.supplies.get(&case.name)
    {
        let names: Vec<_> = given.iter().map(|file| &file.name).collect();
        hasher.add(format!("{arguments:?} {names:?}"));
        files.extend(given.iter().map(|file| &file.path));
    }
    let files = hasher.add_files(files)?;
    Ok(KeyWithFiles {
        key: hasher.finish(),
        files,
        looked_at: Vec::new(),
    })
}
