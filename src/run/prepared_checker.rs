//! The checker program of a problem while a plan is carried out: made by the worker that needs it first, shared by all
//! submissions of the problem. What keeps it from being made is never a submission's fault.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use crate::compile::BuildFolder;
use crate::compile::BuildResult;
use crate::model::CheckerProgram;
use crate::run::language_check;
use crate::run::plan::PlanEntry;
use crate::run::plan::PlannedChecker;
use crate::run::suite::Suite;
use crate::run::task_outcome::TaskOutcome;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// The checker of a problem, made once.
#[derive(Default)]
pub(super) struct PreparedChecker {
    made: Mutex<Option<Arc<MadeChecker>>>,
}

/// What became of a checker.
enum MadeChecker {
    /// The folders live as long as this does.
    Ready(
        Arc<CheckerProgram>,
        #[expect(dead_code, reason = "they go when they are dropped")] Vec<BuildFolder>,
    ),
    Unavailable {
        cause: Arc<str>,
        remedy: Arc<str>,
    },
    Failed(Fault),
}

/// One for each entry of a plan that has a checker; entries of the same problem share theirs.
pub(super) fn for_entries(entries: &[PlanEntry]) -> Vec<Option<Arc<PreparedChecker>>> {
    let mut shared: HashMap<*const PlannedChecker, Arc<PreparedChecker>> = HashMap::new();
    let mut of = |checker: &Arc<PlannedChecker>| Arc::clone(shared.entry(Arc::as_ptr(checker)).or_default());
    entries.iter().map(|entry| entry.checker.as_ref().map(&mut of)).collect()
}

impl PreparedChecker {
    /// The checker, or what its cases come to without it. A second worker waits for the first.
    pub(super) fn make_ready(
        &self,
        checker: &PlannedChecker,
        suite: &Suite<'_>,
        sandbox: &dyn Sandbox,
    ) -> Result<Arc<CheckerProgram>, TaskOutcome> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let made = made.get_or_insert_with(|| Arc::new(MadeChecker::of(checker, suite, sandbox)));
        match &**made {
            MadeChecker::Ready(program, _) => Ok(Arc::clone(program)),
            MadeChecker::Unavailable { cause, remedy } => {
                Err(TaskOutcome::Unavailable { cause: Arc::clone(cause), remedy: Arc::clone(remedy) })
            }
            MadeChecker::Failed(fault) => Err(TaskOutcome::Faulted(fault.clone())),
        }
    }
}

impl MadeChecker {
    /// Makes a checker, and the one that comes after it.
    fn of(checker: &PlannedChecker, suite: &Suite<'_>, sandbox: &dyn Sandbox) -> Self {
        let mut folders = Vec::new();
        match make(checker, suite, sandbox, &mut folders) {
            Ok(program) => Self::Ready(Arc::new(program), folders),
            Err(failed) => failed,
        }
    }
}

/// A checker and the one that comes after it, with the folders that they were made in; or why one of them was not made.
fn make(
    checker: &PlannedChecker,
    suite: &Suite<'_>,
    sandbox: &dyn Sandbox,
    folders: &mut Vec<BuildFolder>,
) -> Result<CheckerProgram, MadeChecker> {
    let (kind, name) = (checker.kind.name(), checker.source.path.display());
    match language_check::make_checker(checker, suite.compiler, suite.language_cache, sandbox) {
        Ok(BuildResult::Ready { program, folder }) => {
            let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
            folders.push(folder);
            let last = checker.final_checker.as_ref();
            let last = last.map(|last| make(last, suite, sandbox, folders).map(Box::new)).transpose()?;
            Ok(CheckerProgram { program, scratch, final_checker: last })
        }
        Ok(BuildResult::Refused { reason, output }) => {
            let first = output.lines().find(|line| line.contains("error")).or(output.lines().next());
            let cause = first.map_or_else(|| reason.clone(), |first| format!("{reason}: {first}"));
            let remedy = format!(
                "mend the {kind} of the problem; headers that it includes, as `testlib.h`, belong beside it"
            );
            Err(MadeChecker::Failed(
                Fault::because(format!("compiling the {kind} {name}"), cause).with_remedy(remedy),
            ))
        }
        Ok(BuildResult::Unavailable { cause, remedy }) => Err(MadeChecker::Unavailable {
            cause: format!("the {kind} {name} cannot run here: {cause}").into(),
            remedy: remedy.into(),
        }),
        Err(fault) => Err(MadeChecker::Failed(fault)),
    }
}
