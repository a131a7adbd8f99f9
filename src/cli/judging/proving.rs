//! Proves the cases of problems for `verify` and `answers`: checks that their grids
//! have as many solutions as the spec says, and that their answers are right.

use std::fs::File;
#[cfg(test)]
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::cache::{Cache, CacheKey, KeyHasher, KeyWithFiles, ProgramCache};
use crate::cli::{ProblemCases, SandboxStartup, StatusLine, input_file, startup};
use crate::model::{Case, GridTask, Problem};
use crate::proof;
use crate::proof::ProvenCases;
use crate::spec::{Mistake, Mistakes};

/// Solves every grid of every case that is not known to be solved. Returns the number
/// of grids.
pub(crate) fn prove_problems(
    subject: &ProblemCases,
    proofs: &KnownProofs<'_>,
    status: &StatusLine,
) -> Result<u64, Mistakes> {
    let proven = proofs.of_problem(&subject.problem);
    let id = &subject.problem.id;
    let all = subject.cases.len();
    let solved = subject.cases.iter().zip(1..).map(|(case, number)| {
        status.say(|| format!("proving {id}: case {number} of {all}, {}", case.name));
        proven.grids_or(case, || solutions_of(&subject.problem, case))
    });
    Ok(Mistakes::of_all(solved)?.into_iter().sum())
}

/// Proves that the grids of a case have as many solutions as the problem says, and that
/// the stored answer, if any, is right. Returns the number of grids.
pub(crate) fn solutions_of(problem: &Problem, case: &Case) -> Result<u64, Mistakes> {
    if problem.is_static(&case.name) {
        return Ok(0);
    }
    let input = File::open(&case.input);
    let input = input.map_err(|error| input_file::unread(&case.input, &error))?;
    let solved = proof::prove(problem, input)
        .map_err(|error| proof::mistake_of_solve_error(case, &error))?;
    let wrong = if case.answer.exists() {
        proof::wrong_answers(problem, case)
    } else {
        Vec::new()
    };
    Mistakes::or(wrong, solved)
}

// Remembers which cases of grids were found in order, and which were solved, so that
// large files are proven once and not before each run. A case is known by the contents
// of its files, by what the spec says of grids, and by this build of the judge. Only
// successes are remembered.

/// Files that are smaller together are checked faster than they are looked up.
const LEAST_BYTES: u64 = 64 << 10;

/// What was proven by earlier judges.
pub(crate) struct KnownProofs<'a> {
    place: ProofPlace<'a>,
    /// Opened for the first case that is worth it; `None` if there is no cache that can
    /// be used.
    cache: OnceLock<Option<Cache>>,
}

/// Where proofs are remembered.
enum ProofPlace<'a> {
    /// Nowhere: all is proven again.
    None,
    /// In the cache of this size, if no submission in the sandbox can write to it.
    OfSandbox(&'a SandboxStartup, u64),
    #[cfg(test)]
    Folder(PathBuf),
}

/// What was proven of the cases of one problem.
pub(crate) struct ProvenProblem<'a> {
    known: &'a KnownProofs<'a>,
    problem: &'a Problem,
    proofs: OnceLock<Option<ProgramCache<'a>>>,
}

impl<'a> KnownProofs<'a> {
    /// Proofs are kept in the cache of this size, unless that is 0.
    pub(crate) fn in_cache(startup: &'a SandboxStartup, cache_bytes: u64) -> Self {
        let mut known = Self::none();
        if cache_bytes > 0 {
            known.place = ProofPlace::OfSandbox(startup, cache_bytes);
        }
        known
    }

    /// All is proven again, and nothing remembered.
    pub(crate) fn none() -> Self {
        Self {
            place: ProofPlace::None,
            cache: OnceLock::new(),
        }
    }

    /// What was proven of this problem.
    pub(crate) fn of_problem(&'a self, problem: &'a Problem) -> ProvenProblem<'a> {
        ProvenProblem {
            known: self,
            problem,
            proofs: OnceLock::new(),
        }
    }

    /// Trims the cache. Its problems are reported by those who store trials in it.
    pub(crate) fn close(self) {
        self.cache.into_inner().flatten().map(Cache::close);
    }

    fn cache(&self) -> Option<&Cache> {
        self.cache
            .get_or_init(|| match &self.place {
                ProofPlace::None => None,
                ProofPlace::OfSandbox(startup, bytes) => {
                    startup::open_cache(startup.sandbox()?, *bytes).ok()
                }
                #[cfg(test)]
                ProofPlace::Folder(path) => Cache::open(path, 1 << 30, &[]).ok(),
            })
            .as_ref()
    }
}

impl ProvenProblem<'_> {
    /// The number of grids in a case whose solutions were proven, or else what `prove`
    /// finds.
    fn grids_or(
        &self,
        case: &Case,
        prove: impl FnOnce() -> Result<u64, Mistakes>,
    ) -> Result<u64, Mistakes> {
        let Some((proofs, contents)) = self.proofs_of("solved", case) else {
            return prove();
        };
        if let Some(grids) = proofs.find_number(&contents.key) {
            return Ok(grids);
        }
        let grids = prove()?;
        if contents.is_current() {
            proofs.store_number(&contents.key, grids);
        }
        Ok(grids)
    }

    /// Where the proofs of a case for this purpose are found; `None` if it is always
    /// proven.
    fn proofs_of(
        &self,
        purpose: &str,
        case: &Case,
    ) -> Option<(&ProgramCache<'_>, KeyWithFiles)> {
        let task = grid_task(self.problem, case)?;
        let proofs = self.proofs.get_or_init(|| {
            let cache = self.known.cache()?;
            Some(cache.proofs(key_of_task(cache, task)?))
        });
        Some((proofs.as_ref()?, key_of_case(purpose, case)?))
    }
}

impl ProvenCases for ProvenProblem<'_> {
    fn mistakes_or(
        &self,
        case: &Case,
        check: &dyn Fn() -> Vec<Mistake>,
    ) -> Vec<Mistake> {
        let is_large = bytes_of(case) >= LEAST_BYTES;
        let Some((proofs, contents)) =
            is_large.then(|| self.proofs_of("in order", case)).flatten()
        else {
            return check();
        };
        if proofs.find_number(&contents.key).is_some() {
            return Vec::new();
        }
        let mistakes = check();
        if mistakes.is_empty() && contents.is_current() {
            proofs.store_number(&contents.key, 0);
        }
        mistakes
    }
}

/// The key of the contents of a case for this purpose; `None` if they cannot be read.
fn key_of_case(purpose: &str, case: &Case) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose(purpose);
    let files = hasher.add_files([&case.input, &case.answer]).ok()?;
    Some(KeyWithFiles {
        key: hasher.finish(),
        files,
        looked_at: Vec::new(),
    })
}

/// The task of a case, if it is one of grids and the same for all cases. Others are
/// hardly checked.
fn grid_task<'p>(problem: &'p Problem, case: &Case) -> Option<&'p GridTask> {
    problem
        .task
        .as_grid()
        .filter(|_| !problem.case_tasks.contains_key(&case.name))
}

/// Everything that a proof depends on besides the case.
fn key_of_task(cache: &Cache, task: &GridTask) -> Option<CacheKey> {
    let GridTask { format, accept } = task;
    let mut hasher = cache.program();
    hasher.add("proofs");
    hasher.add(serde_json::to_vec(&(format, accept)).ok()?);
    Some(hasher.finish())
}

/// The size of the files of a case.
fn bytes_of(case: &Case) -> u64 {
    [&case.input, &case.answer]
        .iter()
        .filter_map(|path| path.metadata().ok())
        .map(|found| found.len())
        .sum()
}

#[cfg(test)]
mod known_proofs_tests;
