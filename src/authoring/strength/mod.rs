//! Measures how strong the cases of a problem are: which mutants, solvers with one
//! fault each, the cases catch. Nothing is compiled or run. A mutant computes what a
//! program with its fault would print, and the checker judges that, so a mutant that
//! survives is right on every case. Knows nothing of submissions and processes. Start
//! at [`MutationTest::examine`].

mod answering;
mod mutant;
mod mutant_table;
mod reading;
mod rules;
mod search;
mod state_leak;
mod writing;

use std::time::Duration;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::model::GridTask;

use answering::GaveUp;
use mutant::{CaseUnderTest, MutantFault, MutantRunner, OutputError};
use reading::{FillingFault, ReadingFault};
use rules::RulesFault;
use search::{
    MOST_GUESSES, MutantContext, MutantSearch, Singles, houses_and_lines, mask,
};
use state_leak::{LeakedState, SlowFault, SpecialCaseFault, StateLeak};
use writing::{ClaimFault, GridAnswer, WritingFault};

pub use mutant::{ExamineError, Mutant};
pub use mutant_table::{CaseCover, cover, mutants};

/// Tests the mutants that fit a problem on its cases, one case after the other.
pub struct MutationTest<'a> {
    task: &'a GridTask,
    /// The CPU time that a program may use on a case.
    limit: Duration,
    boards: Vec<MutantContext>,
    runners: Vec<MutantRunner>,
}

/// Why a case kills a mutant; `None` if the mutant survives it.
pub type KillReason = Option<String>;

impl<'a> MutationTest<'a> {
    /// Prepares the mutants that fit `task`. `limit` is the CPU time that a program may
    /// use on a case.
    pub fn for_task(task: &'a GridTask, limit: Duration) -> Self {
        let fitting = mutants().filter(|mutant| mutant.applies_to(task));
        Self {
            task,
            limit,
            boards: task.format.shapes.iter().map(MutantContext::new).collect(),
            runners: fitting
                .map(|mutant| MutantRunner::new(mutant, task))
                .collect(),
        }
    }

    /// The mutants that fit, in the order of the kill reasons.
    pub fn mutants(&self) -> impl Iterator<Item = &'static Mutant> {
        self.runners.iter().map(|runner| runner.mutant)
    }

    /// Tests each mutant on one case, in parallel on all threads.
    /// `progress` is called once for each mutant when it is done.
    ///
    /// # Errors
    /// Returns [`ExamineError`] if the case is not sound.
    pub fn examine(
        &self,
        input: &[u8],
        answer: &[u8],
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<KillReason>, ExamineError> {
        let case = CaseUnderTest::open(self.task, &self.boards, input, answer)?;
        self.runners
            .par_iter()
            .map(|runner| {
                let reason = match runner.output(&case, self.limit) {
                    Ok(output) => case.refuses(&output),
                    Err(OutputError::TooSlow(why)) => Ok(Some(why)),
                    Err(OutputError::Unfit(unfit)) => Err(unfit),
                };
                progress();
                reason
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
