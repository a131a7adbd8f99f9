//! How strong the cases of a problem are: solvers with one thing wrong each, and which of them the cases catch. Nothing
//! is compiled or run. A mutant prints what a program of its kind would print, and the checker judges that, so whoever
//! survives is right on every case. Knows nothing of submissions and processes. Start at [`Strength::examine`].

mod board;
mod claim;
mod cover;
mod exam;
mod filling;
mod leftover;
mod mutant;
mod reading;
mod roster;
mod rules;
mod search;
mod slow;
mod stumble;
mod telling;
mod writing;

use rayon::ThreadPool;
use rayon::ThreadPoolBuildError;
use rayon::ThreadPoolBuilder;
use rayon::iter::IntoParallelRefIterator;
use rayon::iter::ParallelIterator;

use crate::model::Problem;
use crate::strength::board::Board;
pub use crate::strength::cover::Cover;
pub use crate::strength::cover::cover;
use crate::strength::exam::Exam;
pub use crate::strength::exam::Unfit;
pub use crate::strength::mutant::Mutant;
use crate::strength::mutant::NoOutput;
use crate::strength::mutant::Student;
pub use crate::strength::roster::mutants;
pub use crate::strength::slow::CHOSEN_STEPS_A_SECOND;
pub use crate::strength::slow::STEPS_A_SECOND;

/// Holds the mutants that fit a problem against its cases, one case after the other.
pub struct Strength<'a> {
    problem: &'a Problem,
    boards: Vec<Board>,
    students: Vec<Student<'a>>,
}

/// Threads that examine mutants side by side. No process is started here, so none is disturbed.
pub struct Pool(ThreadPool);

impl Pool {
    /// As many threads; 0 for one on each core.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn of(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        ThreadPoolBuilder::new().num_threads(threads).build().map(Self)
    }

    /// [`Strength::examine`] on the threads of this pool; `tell` is called for each mutant that is through.
    ///
    /// # Errors
    /// [`Unfit`] if the case is not sound.
    pub fn examine(
        &self,
        strength: &Strength<'_>,
        input: &[u8],
        answer: &[u8],
        tell: &(dyn Fn() + Sync),
    ) -> Result<Vec<Fate>, Unfit> {
        self.0.install(|| strength.examine_and_tell(input, answer, tell))
    }
}

/// What a case has to say to one mutant: why it is refused, or nothing.
pub type Fate = Option<String>;

impl<'a> Strength<'a> {
    /// The mutants that fit a problem.
    pub fn of(problem: &'a Problem) -> Self {
        let fitting = mutants().filter(|mutant| mutant.fits(problem));
        Self {
            problem,
            boards: problem.format.shapes.iter().map(Board::new).collect(),
            students: fitting.map(|mutant| Student::new(mutant, problem)).collect(),
        }
    }

    /// The mutants, in the order of all fates.
    pub fn mutants(&self) -> impl Iterator<Item = &'static Mutant> {
        self.students.iter().map(|student| student.mutant)
    }

    /// The fate of each mutant on one case, side by side on all threads of the pool.
    ///
    /// # Errors
    /// [`Unfit`] if the case is not sound.
    pub fn examine(&self, input: &[u8], answer: &[u8]) -> Result<Vec<Fate>, Unfit> {
        self.examine_and_tell(input, answer, &|| {})
    }

    fn examine_and_tell(
        &self,
        input: &[u8],
        answer: &[u8],
        tell: &(dyn Fn() + Sync),
    ) -> Result<Vec<Fate>, Unfit> {
        let exam = Exam::open(self.problem, &self.boards, input, answer)?;
        let fate = |student: &Student<'_>| {
            let fate = match student.output(&self.boards, &exam) {
                Ok(output) => exam.refuses(&output),
                Err(NoOutput::TooSlow(why)) => Ok(Some(why)),
                Err(NoOutput::Unfit(unfit)) => Err(unfit),
            };
            tell();
            fate
        };
        self.students.par_iter().map(fate).collect()
    }
}

#[cfg(test)]
mod tests;
