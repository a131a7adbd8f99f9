//! Looking at many cases side by side, before anything runs. Knows threads; what is wrong with one case is found in
//! `case.rs`.

use rayon::ThreadPoolBuilder;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefIterator;
use rayon::iter::ParallelIterator;

use crate::model::Case;
use crate::model::Problem;
use crate::proof::case::mistakes_of;
use crate::spec::Mistake;

/// Fewer cases are looked at sooner than threads are started.
const MANY_CASES: usize = 64;

const CASES_PER_PIECE: usize = 16;

/// What is wrong with the cases of a problem and their answers, in their order. Many are looked at on all cores, since the
/// first run waits for it.
#[must_use]
pub fn mistakes_of_all(problem: &Problem, cases: &[Case]) -> Vec<Mistake> {
    let look = |case| mistakes_of(problem, case, true);
    let pool = (cases.len() >= MANY_CASES).then(|| ThreadPoolBuilder::new().build().ok()).flatten();
    match pool {
        Some(pool) => {
            pool.install(|| cases.par_iter().with_min_len(CASES_PER_PIECE).flat_map_iter(look).collect())
        }
        // Few, or no thread available.
        None => cases.iter().flat_map(look).collect(),
    }
}
