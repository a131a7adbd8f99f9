//! Encodes a grid as clauses for the SAT solver: a variable for each open cell and candidate, and
//! one for each symbol and segment in which it has several places, so that a learned clause can
//! express "in this row of this box".

use batsat::Lit;

use super::exactly_one::ExactlyOneGroups;
use super::house_graph::{HouseGraph, HousePart};
use super::sat_solver::{SatSolver, variable};
use super::search_step::CellChoice;

/// A grid encoded for the SAT solver, which finds its completions one by one.
pub(super) struct SatEncoding {
    /// The number of symbols.
    values: usize,
    /// The candidates of each cell at the start.
    cells: Vec<u32>,
    /// For each cell and symbol, the literal that places the symbol in the cell; `None` if that is
    /// already decided.
    places: Vec<Option<Lit>>,
    learner: SatSolver,
}

impl SatEncoding {
    /// Encodes the open cells of a grid. The value of a cell with one candidate must already be
    /// removed from its peers.
    pub(super) fn new(graph: &HouseGraph, cells: &[u32]) -> Self {
        let mut groups = ExactlyOneGroups::new();
        let mut places = places(graph, cells, &mut groups);
        let segments = segments(graph, &places, &mut groups);
        for division in graph.divisions.iter().flatten() {
            for symbol in 0..graph.values {
                groups.demand(
                    division
                        .iter()
                        .filter_map(|part| match *part {
                            HousePart::Cell(cell) => places[cell * graph.values + symbol],
                            HousePart::Segment(number) => segments[number * graph.values + symbol],
                        })
                        .collect(),
                );
            }
        }
        let (learner, names) = groups.learner();
        for place in places.iter_mut().flatten() {
            *place = names[variable(*place)];
        }
        Self {
            values: graph.values,
            cells: cells.to_vec(),
            places,
            learner,
        }
    }

    /// The literal of a choice; `None` if it is already decided.
    pub(super) fn literal(&self, (cell, bit): CellChoice) -> Option<Lit> {
        self.places[cell * self.values + bit.trailing_zeros() as usize]
    }

    /// Excludes every completion that includes all these choices.
    pub(super) fn exclude(&mut self, choices: impl IntoIterator<Item = CellChoice>) {
        let literals: Vec<_> = choices
            .into_iter()
            .filter_map(|choice| self.literal(choice))
            .collect();
        self.learner
            .demand(literals.into_iter().map(|literal| !literal));
    }

    /// Excludes the completion found last.
    pub(super) fn exclude_latest(&mut self) {
        let solution = self.solution();
        self.exclude(
            solution
                .into_iter()
                .enumerate()
                .map(|(cell, value)| (cell, 1 << (value - 1))),
        );
    }

    /// Whether there is a completion in which these literals are true; `None` if the allowance was
    /// used up.
    pub(super) fn solve(&mut self, assumptions: &[Lit], allowance: &mut u64) -> Option<bool> {
        self.learner.solve(assumptions, allowance)
    }

    /// The completion found last.
    pub(super) fn solution(&self) -> Vec<u8> {
        self.cells
            .iter()
            .enumerate()
            .map(|(cell, &mask)| {
                symbols(mask)
                    .find(|symbol| {
                        self.places[cell * self.values + symbol]
                            .is_none_or(|literal| self.learner.is_true(literal))
                    })
                    .expect("a model gives each cell a symbol") as u8
                    + 1
            })
            .collect()
    }
}

/// The symbols of a mask, from 0, smallest first.
fn symbols(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |symbol| mask >> symbol & 1 == 1)
}

/// Adds a variable for each open cell and candidate, and a group for each open cell. Returns the
/// literals by cell and symbol.
fn places(graph: &HouseGraph, cells: &[u32], groups: &mut ExactlyOneGroups) -> Vec<Option<Lit>> {
    let mut places = vec![None; cells.len() * graph.values];
    for (cell, &mask) in cells
        .iter()
        .enumerate()
        .filter(|(_, mask)| !mask.is_power_of_two())
    {
        for symbol in symbols(mask) {
            places[cell * graph.values + symbol] = Some(groups.add_variable());
        }
        groups.demand(
            places[cell * graph.values..][..graph.values]
                .iter()
                .flatten()
                .copied()
                .collect(),
        );
    }
    places
}

/// For each segment and symbol, the literal that says that the symbol is in the segment.
fn segments(
    graph: &HouseGraph,
    places: &[Option<Lit>],
    groups: &mut ExactlyOneGroups,
) -> Vec<Option<Lit>> {
    let mut segments = Vec::with_capacity(graph.segments.len() * graph.values);
    for segment in &graph.segments {
        for symbol in 0..graph.values {
            let open: Vec<_> = segment
                .iter()
                .filter_map(|&cell| places[cell * graph.values + symbol])
                .collect();
            segments.push(match open[..] {
                [] => None,
                [only] => Some(only),
                _ => {
                    let whole = groups.add_variable();
                    groups.demand([!whole].into_iter().chain(open).collect());
                    Some(whole)
                }
            });
        }
    }
    segments
}
