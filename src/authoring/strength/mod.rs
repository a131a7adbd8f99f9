//! How strong the cases of a problem are: solvers with one thing wrong each, and which of them the cases catch. Nothing
//! is compiled or run. A mutant prints what a program of its kind would print, and the checker judges that, so a mutant that
//! survives is right on every case. Knows nothing of submissions and processes. Start at [`MutationTest::examine`].

mod answering;
mod case_under_test;
mod claim;
mod context;
mod cover;
mod filling;
mod mutant;
mod reading;
mod roster;
mod rules;
mod search;
mod slow;
mod special_case;
mod state_leak;
mod writing;

use std::time::Duration;

use rayon::ThreadPool;
use rayon::ThreadPoolBuildError;
use rayon::ThreadPoolBuilder;
use rayon::iter::IntoParallelRefIterator;
use rayon::iter::ParallelIterator;

use crate::authoring::strength::case_under_test::CaseUnderTest;
pub use crate::authoring::strength::case_under_test::ExamineError;
use crate::authoring::strength::context::MutantContext;
pub use crate::authoring::strength::cover::CaseCover;
pub use crate::authoring::strength::cover::cover;
pub use crate::authoring::strength::mutant::Mutant;
use crate::authoring::strength::mutant::MutantRunner;
use crate::authoring::strength::mutant::OutputError;
pub use crate::authoring::strength::roster::mutants;
pub use crate::authoring::strength::slow::CHOSEN_STEPS_A_SECOND;
pub use crate::authoring::strength::slow::STEPS_A_SECOND;
use crate::model::GridTask;

/// Holds the mutants that fit a problem against its cases, one case after the other.
pub struct MutationTest<'a> {
    task: &'a GridTask,
    boards: Vec<MutantContext>,
    runners: Vec<MutantRunner<'a>>,
}

/// Threads that examine mutants side by side. No process is started here, so none is disturbed.
pub struct MutantPool(ThreadPool);

impl MutantPool {
    /// As many threads; 0 for one on each core.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn of(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(threads).build().map(Self)
    }

    /// [`MutationTest::examine`] on the threads of this pool.
    ///
    /// # Errors
    /// [`ExamineError`] if the case is not sound.
    pub fn examine(
        &self,
        strength: &MutationTest<'_>,
        input: &[u8],
        answer: &[u8],
        tell: &(dyn Fn() + Sync),
    ) -> Result<Vec<KillReason>, ExamineError> {
        self.0.install(|| strength.examine(input, answer, tell))
    }
}

/// What a case has to say to one mutant: why it is refused, or nothing.
pub type KillReason = Option<String>;

impl<'a> MutationTest<'a> {
    /// The mutants that fit a task whose programs may use so much CPU time.
    pub fn of(task: &'a GridTask, limit: Duration) -> Self {
        let fitting = mutants().filter(|mutant| mutant.fits(task));
        Self {
            task,
            boards: task.format.shapes.iter().map(MutantContext::new).collect(),
            runners: fitting.map(|mutant| MutantRunner::new(mutant, task, limit)).collect(),
        }
    }

    /// The mutants, in the order of all kill reasons.
    pub fn mutants(&self) -> impl Iterator<Item = &'static Mutant> {
        self.runners.iter().map(|student| student.mutant)
    }

    /// What one case has to say to each mutant, side by side on all threads of the pool; `tell` is called for each mutant
    /// that is through.
    ///
    /// # Errors
    /// [`ExamineError`] if the case is not sound.
    pub fn examine(
        &self,
        input: &[u8],
        answer: &[u8],
        tell: &(dyn Fn() + Sync),
    ) -> Result<Vec<KillReason>, ExamineError> {
        let case = CaseUnderTest::open(self.task, &self.boards, input, answer)?;
        let fate = |student: &MutantRunner<'_>| {
            let fate = match student.output(&self.boards, &case) {
                Ok(output) => case.refuses(&output),
                Err(OutputError::TooSlow(why)) => Ok(Some(why)),
                Err(OutputError::Unfit(unfit)) => Err(unfit),
            };
            tell();
            fate
        };
        self.runners.par_iter().map(fate).collect()
    }
}

#[cfg(test)]
mod tests;
