//! Proves the cases of problems for `verify` and `answers`: checks that their grids
//! have as many solutions as the spec says, and that their answers are right.

use std::fs::File;
use std::sync::OnceLock;

use crate::cache::{Cache, KeyHasher, KeyWithFiles, ProgramCache};
use crate::cli::{SandboxStartup, StatusLine, input_file, startup};
use crate::model::{Case, Problem};
use crate::proof;
use crate::spec::{Mistake, Mistakes};

/// Proves each case of a problem with `prove`, which returns the number of its grids.
/// Returns the number of all grids.
///
/// # Errors
/// Every mistake in any of the cases.
pub(crate) fn prove_cases(
    problem: &Problem,
    cases: &[Case],
    status: &StatusLine,
    prove: impl Fn(&Case) -> Result<u64, Mistakes>,
) -> Result<u64, Mistakes> {
    let id = &problem.id;
    let all = cases.len();
    let grids = cases.iter().zip(1..).map(|(case, number)| {
        status.say(format_args!(
            "proving {id}: case {number} of {all}, {}",
            case.name
        ));
        prove(case)
    });
    Ok(Mistakes::of_all(grids)?.into_iter().sum())
}

/// Proves that the grids of a case have as many solutions as the problem says, and that
/// the stored answer, if any, is right. Returns the number of grids.
pub(crate) fn solutions_of(problem: &Problem, case: &Case) -> Result<u64, Mistakes> {
    if problem.is_static(&case.name) {
        return Ok(0);
    }
    let input = File::open(&case.input).map_err(input_file::unread(&case.input))?;
    let solved = proof::prove(problem, input)
        .map_err(|error| proof::mistake_of_solve_error(case, &error))?;
    let wrong = if case.answer.exists() {
        proof::wrong_answers(problem, case)
    } else {
        vec![]
    };
    Mistakes::or(wrong, solved)
}

// Remembers which cases of grids were found in order, and which were solved, so that
// large files are proven once and not before each run. A case is known by the contents
// of its files, by what the spec says of grids, and by this build of the judge. Only
// successes are remembered.

/// Files that are smaller together are checked faster than they are looked up.
const LEAST_BYTES: u64 = 64 << 10;

/// What was proven by earlier judges. By default nothing is known, and nothing
/// remembered.
#[derive(Default)]
pub(crate) struct KnownProofs<'a> {
    /// The sandbox, and the size of the cache for proofs, which is used if no
    /// submission in that sandbox can write to it.
    place: Option<(&'a SandboxStartup, u64)>,
    /// Opened for the first case that is worth it; `None` if there is no cache that can
    /// be used.
    cache: OnceLock<Option<Cache>>,
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
        Self {
            place: (cache_bytes > 0).then_some((startup, cache_bytes)),
            ..Self::default()
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
            .get_or_init(|| {
                let (startup, bytes) = self.place?;
                startup::open_cache(startup.sandbox().ok()?, bytes).ok()
            })
            .as_ref()
    }
}

impl ProvenProblem<'_> {
    /// The number that was found when a case was proven for this purpose, as its grids,
    /// or else what `prove` finds.
    pub(crate) fn found_or<E>(
        &self,
        purpose: &str,
        case: &Case,
        prove: impl FnOnce() -> Result<u64, E>,
    ) -> Result<u64, E> {
        let Some((proofs, contents)) = self.proofs_of(purpose, case) else {
            return prove();
        };
        if let Some(number) = proofs.find_value(&contents.key) {
            return Ok(number);
        }
        let number = prove()?;
        if contents.is_current() {
            proofs.store_value(&contents.key, &number);
        }
        Ok(number)
    }

    /// Where the proofs of a case for this purpose are found; `None` if it is always
    /// proven.
    fn proofs_of(
        &self,
        purpose: &str,
        case: &Case,
    ) -> Option<(&ProgramCache<'_>, KeyWithFiles)> {
        // Cases that are not of grids, or have a task of their own, are hardly checked.
        let task = self.problem.task.as_grid()?;
        if self.problem.case_tasks.contains_key(&case.name) {
            return None;
        }
        let proofs = self.proofs.get_or_init(|| {
            let cache = self.known.cache()?;
            // Everything that a proof depends on besides the case.
            let mut hasher = cache.program();
            hasher.add("proofs");
            hasher.add(serde_json::to_vec(&(&task.format, &task.accept)).ok()?);
            Some(cache.proofs(hasher.finish()))
        });
        let mut contents = KeyHasher::for_purpose(purpose);
        contents.add_files([&case.input, &case.answer]).ok()?;
        Some((proofs.as_ref()?, contents.finish_with_files()))
    }

    /// What `check` finds wrong with the input and the answer of a case, if they are not
    /// known to be in order; that it finds nothing is remembered.
    pub(crate) fn mistakes_or(
        &self,
        case: &Case,
        check: impl Fn() -> Vec<Mistake>,
    ) -> Vec<Mistake> {
        let mut bytes = 0;
        for path in [&case.input, &case.answer] {
            bytes += path.metadata().map_or(0, |found| found.len());
        }
        if bytes < LEAST_BYTES {
            return check();
        }
        self.found_or("in order", case, || Mistakes::or(check(), 0))
            .map_or_else(|Mistakes(found)| found, |_| vec![])
    }
}

#[cfg(test)]
mod known_proofs_tests;
