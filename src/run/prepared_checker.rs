//! The checker program of a problem while a plan is judged: compiled by the first worker that needs
//! it, and shared by all submissions of the problem. A checker that cannot be compiled never counts
//! against a submission.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache::Cache;
use crate::compile;
use crate::compile::{BuildFolder, BuildResult, Compiler};
use crate::model::CheckerProgram;
use crate::run::case_outcome::CaseOutcome;
use crate::run::language_check::compile_program;
use crate::run::plan::{PlanEntry, PlannedChecker};
use crate::run::suite::Suite;
use gridjudge_sandbox::{Fault, Sandbox};

/// The checker of a problem, compiled once.
#[derive(Default)]
pub(super) struct PreparedChecker {
    made: Mutex<Option<Arc<MadeChecker>>>,
}

/// A compiled checker, or why there is none.
enum MadeChecker {
    /// The program, and the folders that contain it.
    Ready(
        Arc<CheckerProgram>,
        #[expect(dead_code, reason = "dropping them removes the folders")] Vec<BuildFolder>,
    ),
    Missing(CheckerFailure),
}

/// Why a checker could not be compiled.
#[derive(Clone, Debug)]
pub enum CheckerFailure {
    /// Its language does not work here.
    Unavailable {
        /// Why not.
        cause: Arc<str>,
        /// How to fix it.
        remedy: Arc<str>,
    },
    /// It does not compile, or the judge failed.
    Failed(Fault),
}

impl CheckerFailure {
    /// Converts it into a fault, for callers that need the checker.
    pub fn into_fault(self) -> Fault {
        match self {
            Self::Unavailable { cause, remedy } => {
                Fault::because("preparing the problem", &*cause).with_remedy(&*remedy)
            }
            Self::Failed(fault) => fault,
        }
    }
}

/// Creates a value for each entry of a plan for which `planned` returns a program. Entries with the
/// same program share it.
pub(super) fn for_entries<T: Default>(
    entries: &[PlanEntry],
    planned: impl Fn(&PlanEntry) -> Option<&Arc<PlannedChecker>>,
) -> Vec<Option<Arc<T>>> {
    let mut shared: HashMap<*const PlannedChecker, Arc<T>> = HashMap::new();
    entries
        .iter()
        .map(|entry| {
            let checker = planned(entry)?;
            Some(Arc::clone(shared.entry(Arc::as_ptr(checker)).or_default()))
        })
        .collect()
}

impl PreparedChecker {
    /// Returns the checker, compiled on the first call, or the outcome of cases that need it if it
    /// cannot be compiled. A second worker waits for the first.
    pub(super) fn compiled(
        &self,
        checker: &PlannedChecker,
        suite: &Suite<'_>,
        sandbox: &dyn Sandbox,
    ) -> Result<Arc<CheckerProgram>, CaseOutcome> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let made = made.get_or_insert_with(|| Arc::new(MadeChecker::of(checker, suite, sandbox)));
        match &**made {
            MadeChecker::Ready(program, _) => Ok(Arc::clone(program)),
            MadeChecker::Missing(CheckerFailure::Unavailable { cause, remedy }) => {
                Err(CaseOutcome::Unavailable {
                    cause: Arc::clone(cause),
                    remedy: Arc::clone(remedy),
                })
            }
            MadeChecker::Missing(CheckerFailure::Failed(fault)) => {
                Err(CaseOutcome::Faulted(fault.clone()))
            }
        }
    }
}

impl MadeChecker {
    /// Compiles a checker and its final checker, if it has one.
    fn of(checker: &PlannedChecker, suite: &Suite<'_>, sandbox: &dyn Sandbox) -> Self {
        match compile_checker_program(checker, suite.compiler, suite.cache, sandbox) {
            Ok((program, folders)) => Self::Ready(Arc::new(program), folders),
            Err(failure) => Self::Missing(failure),
        }
    }
}

/// Compiles a checker and its final checker, if it has one. The programs exist as long as the
/// returned folders.
///
/// # Errors
/// Returns why one of them could not be compiled.
pub fn compile_checker_program(
    checker: &PlannedChecker,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<(CheckerProgram, Vec<BuildFolder>), CheckerFailure> {
    let kind = checker.kind.name();
    let name = checker.source.path.display();
    match compile_program(checker.program_source(), compiler, cache, sandbox) {
        Ok(BuildResult::Ready { program, folder }) => {
            let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
            let mut folders = vec![folder];
            let mut final_checker = None;
            if let Some(checker) = &checker.final_checker {
                let (program, more) = compile_checker_program(checker, compiler, cache, sandbox)?;
                folders.extend(more);
                final_checker = Some(Box::new(program));
            }
            Ok((
                CheckerProgram {
                    program,
                    scratch,
                    final_checker,
                },
                folders,
            ))
        }
        Ok(BuildResult::Refused { reason, output, .. }) => {
            let cause = compile::with_words(&reason, &output);
            let remedy = format!(
                "fix the {kind} of the problem; headers that it includes, as `testlib.h`, belong beside it"
            );
            Err(CheckerFailure::Failed(
                Fault::because(format!("compiling the {kind} {name}"), cause).with_remedy(remedy),
            ))
        }
        Ok(BuildResult::Unavailable { cause, remedy }) => Err(CheckerFailure::Unavailable {
            cause: format!("the {kind} {name} cannot run here: {cause}").into(),
            remedy: remedy.into(),
        }),
        Err(fault) => Err(CheckerFailure::Failed(fault)),
    }
}
