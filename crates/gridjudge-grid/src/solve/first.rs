//! Finds the lexicographically first completion of a grid: with the smallest possible value in the
//! first cell, then the smallest in the second, and so on in reading order.

use batsat::Lit;

use super::bounds::{SearchBounds, TooHard};
use super::completions::encoding_of;
use super::depth_first::DepthFirstSearch;
use super::house_graph::HouseGraph;
use super::sat_encoding::SatEncoding;
use super::search_step::{GuessOrder, SearchStep};

/// The first completion; `None` if there is none. Adds the dead ends of the search to `spent`.
pub(super) fn first(
    graph: &HouseGraph,
    clues: &[u8],
    bounds: SearchBounds,
    spent: &mut u64,
) -> Result<Option<Vec<u8>>, TooHard> {
    let mut search = DepthFirstSearch::new(graph, clues, GuessOrder::InOrder);
    let mut allowance = bounds.patience;
    let step = search.next(&mut allowance);
    *spent += bounds.patience - allowance;
    match step {
        SearchStep::Found => Ok(Some(search.solution())),
        SearchStep::Exhausted => Ok(None),
        SearchStep::GaveUp if graph.arithmetic.is_some() => Err(TooHard {
            dead_ends: bounds.patience,
        }),
        // The part that the search explored has no completion, so it can be excluded.
        SearchStep::GaveUp => {
            let encoding = encoding_of(graph, clues, &search);
            let mut search = FirstSolutionSearch {
                encoding,
                allowance: bounds.dead_ends,
                dead_ends: bounds.dead_ends,
            };
            let found = search.run();
            *spent += bounds.dead_ends - search.allowance;
            found
        }
    }
}

/// A search that starts from any completion and lowers it to the first, cell by cell.
struct FirstSolutionSearch {
    encoding: SatEncoding,
    allowance: u64,
    dead_ends: u64,
}

impl FirstSolutionSearch {
    fn run(&mut self) -> Result<Option<Vec<u8>>, TooHard> {
        if !self.exists(&[])? {
            return Ok(None);
        }
        let mut best = self.encoding.solution();
        let mut fixed = Vec::new();
        for cell in 0..best.len() {
            for value in 1..best[cell] {
                let Some(literal) = self.encoding.literal((cell, 1 << (value - 1))) else {
                    continue;
                };
                fixed.push(literal);
                if self.exists(&fixed)? {
                    best = self.encoding.solution();
                    break;
                }
                fixed.pop();
            }
            // From here on, the cell keeps the smallest value that was found to be possible.
            let literal = self.encoding.literal((cell, 1 << (best[cell] - 1)));
            fixed.extend(literal.filter(|literal| fixed.last() != Some(literal)));
        }
        Ok(Some(best))
    }

    fn exists(&mut self, assumptions: &[Lit]) -> Result<bool, TooHard> {
        let found = self.encoding.solve(assumptions, &mut self.allowance);
        found.ok_or(TooHard {
            dead_ends: self.dead_ends,
        })
    }
}
