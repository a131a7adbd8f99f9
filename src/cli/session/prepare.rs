//! Compiles a single program, for `stress` and for a model solution. Knows nothing of inputs.

use crate::cache::Cache;
use crate::compile::{BuildResult, Compiler, UnusableLanguage};
use crate::model::Program;
use crate::run::PlanEntry;
use crate::{compile, run};
use gridjudge_sandbox::{Fault, LinuxSandbox};

/// A compiled program. Dropping it deletes the folder that it is in.
pub(crate) struct PreparedProgram {
    pub(crate) program: Program,
    pub(crate) folder: compile::BuildFolder,
}

/// The reason why a program cannot be run: it does not compile, or the judge failed.
pub(crate) enum PrepareError {
    Refused { reason: String, output: String },
    Failed(Fault),
}

/// Compiles a submission, unless that is kept in the cache, and makes sure that its language works
/// here.
pub(crate) fn prepare(
    entry: &PlanEntry,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &LinuxSandbox,
) -> Result<PreparedProgram, PrepareError> {
    let language = entry.language.as_deref();
    let made = compiler.compile(entry.program_source(), cache, sandbox);
    let made = made.map_err(PrepareError::Failed)?;
    // A successful compilation shows that the compiler works. A language without one must be tried,
    // since a broken runtime would only show in failing runs.
    let is_known_to_work = matches!(made, BuildResult::Ready { .. })
        && language.is_none_or(|language| !language.compile.is_empty());
    let unfit = language
        .filter(|_| !is_known_to_work)
        .map(|language| run::unusable_language(language, compiler, cache, sandbox));
    match (
        unfit.transpose().map_err(PrepareError::Failed)?.flatten(),
        made,
    ) {
        (Some(UnusableLanguage { cause, remedy }), _)
        | (None, BuildResult::Unavailable { cause, remedy }) => {
            let doing = format!("preparing {}", entry.submission.path.display());
            let fault = Fault::because(doing, cause).with_remedy(remedy);
            Err(PrepareError::Failed(fault))
        }
        (None, BuildResult::Ready { program, folder }) => Ok(PreparedProgram { program, folder }),
        (None, BuildResult::Refused { reason, output, .. }) => {
            Err(PrepareError::Refused { reason, output })
        }
    }
}
