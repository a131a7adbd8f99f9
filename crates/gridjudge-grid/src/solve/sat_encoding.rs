//! Encodes a grid as clauses for the SAT solver `batsat`, and wraps that: a variable
//! for each open cell and candidate, and one for each symbol and segment in which it
//! has several places, so that a learned clause can express "in this row of this box".

use batsat::clause::Kind;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use crate::arithmetic::set_bits;
use crate::solve::depth_first::{CellChoice, HouseGraph};

/// A grid encoded for the SAT solver, which finds its completions one by one.
pub(super) struct SatEncoding {
    /// The number of symbols.
    values: usize,
    /// The candidates of each cell at the start.
    cells: Vec<u32>,
    /// For each cell and symbol, the literal that places the symbol in the cell; `None`
    /// if that is already decided.
    places: Vec<Option<Lit>>,
    learner: SatSolver,
}

impl SatEncoding {
    /// Encodes the open cells of a grid. The value of a cell with one candidate must
    /// already be removed from its peers.
    pub(super) fn new(graph: &HouseGraph, cells: &[u32]) -> Self {
        let mut groups = ExactlyOneGroups::new();
        let mut places = places(graph, cells, &mut groups);
        let parts = parts(graph, &places, &mut groups);
        for division in graph.divisions.iter().flatten() {
            for symbol in 0..graph.values {
                groups.demand(
                    division
                        .iter()
                        .filter_map(|part| parts[part * graph.values + symbol])
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

    /// Whether there is a completion in which these literals are true; `None` if the
    /// allowance was used up.
    pub(super) fn solve(
        &mut self,
        assumptions: &[Lit],
        allowance: &mut u64,
    ) -> Option<bool> {
        self.learner.solve(assumptions, allowance)
    }

    /// The completion found last.
    pub(super) fn solution(&self) -> Vec<u8> {
        self.cells
            .iter()
            .enumerate()
            .map(|(cell, &mask)| {
                set_bits(mask)
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

/// Adds a variable for each open cell and candidate, and a group for each open cell.
/// Returns the literals by cell and symbol.
fn places(
    graph: &HouseGraph,
    cells: &[u32],
    groups: &mut ExactlyOneGroups,
) -> Vec<Option<Lit>> {
    let mut places = vec![None; cells.len() * graph.values];
    for (cell, &mask) in cells
        .iter()
        .enumerate()
        .filter(|(_, mask)| !mask.is_power_of_two())
    {
        for symbol in set_bits(mask) {
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

/// For each part of a house and symbol, the literal that says that the symbol is in the
/// part: those of the cells, then those of the segments.
fn parts(
    graph: &HouseGraph,
    places: &[Option<Lit>],
    groups: &mut ExactlyOneGroups,
) -> Vec<Option<Lit>> {
    let mut parts = places.to_vec();
    for segment in &graph.segments {
        for symbol in 0..graph.values {
            let open: Vec<_> = segment
                .iter()
                .filter_map(|&cell| places[cell * graph.values + symbol])
                .collect();
            parts.push(match open[..] {
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
    parts
}

// Collects groups of literals of which exactly one is true, and simplifies them: in a
// group of two, each literal is the negation of the other, so one variable suffices for
// both. This removes a third of the variables of a hard grid.

/// Groups of literals, and the literals known to be equal.
struct ExactlyOneGroups {
    /// A literal that is always true.
    truth: Lit,
    groups: Vec<Vec<Lit>>,
    /// For each variable, a literal it equals: its own, or one of an earlier variable.
    same: Vec<Lit>,
    /// Whether an equality was found since the groups were last reduced.
    has_news: bool,
    is_broken: bool,
}

impl ExactlyOneGroups {
    fn new() -> Self {
        let truth = positive(0);
        Self {
            truth,
            groups: vec![],
            same: vec![truth],
            has_news: false,
            is_broken: false,
        }
    }

    /// Adds a variable and returns its literal.
    fn add_variable(&mut self) -> Lit {
        let literal = positive(self.same.len());
        self.same.push(literal);
        literal
    }

    /// Requires that exactly one of these literals is true. An empty group requires
    /// nothing: its symbol is already placed.
    fn demand(&mut self, group: Vec<Lit>) {
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// The representative of all literals that equal this one.
    fn representative(&self, literal: Lit) -> Lit {
        let same = self.same[variable(literal)];
        let root = if variable(same) == variable(literal) {
            same
        } else {
            self.representative(same)
        };
        if literal.sign() { root } else { !root }
    }

    fn equate(&mut self, one: Lit, other: Lit) {
        let one = self.representative(one);
        let other = self.representative(other);
        let (first, later) = if variable(one) <= variable(other) {
            (one, other)
        } else {
            (other, one)
        };
        if variable(first) == variable(later) {
            self.is_broken |= first != later;
        } else {
            self.has_news = true;
            self.same[variable(later)] = if later.sign() { first } else { !first };
        }
    }

    /// Reduces the groups to representatives until nothing changes; false if the groups
    /// contradict each other.
    fn settle(&mut self) -> bool {
        self.has_news = true;
        while self.has_news && !self.is_broken {
            self.has_news = false;
            self.groups = std::mem::take(&mut self.groups)
                .into_iter()
                .filter_map(|group| self.reduced(group))
                .collect();
        }
        // Rows and boxes often reduce to the same group.
        self.groups.sort_unstable();
        self.groups.dedup();
        !self.is_broken
    }

    /// The group reduced to at least three different variables, none with a known
    /// value; `None` if only equalities are left, which are recorded.
    fn reduced(&mut self, mut literals: Vec<Lit>) -> Option<Vec<Lit>> {
        for literal in &mut literals {
            *literal = self.representative(*literal);
        }
        literals.sort_unstable();
        // If the group has a literal and its negation, or the true literal, one of
        // these is the true one and all others are false.
        let twins = literals.windows(2).position(|pair| pair[0] == !pair[1]);
        let truth = literals.iter().position(|&literal| literal == self.truth);
        if let Some(place) = twins.or(truth) {
            literals.drain(place..=place + usize::from(twins.is_some()));
            for &literal in &literals {
                self.equate(literal, !self.truth);
            }
            return None;
        }
        // A literal that appears twice in a group cannot be the true one.
        let twice: Vec<_> = literals
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        for &literal in &twice {
            self.equate(literal, !self.truth);
        }
        literals
            .retain(|literal| *literal != !self.truth && !twice.contains(literal));
        match literals[..] {
            [] => self.is_broken = true,
            [only] => self.equate(only, self.truth),
            [one, other] => self.equate(one, !other),
            _ => return Some(literals),
        }
        None
    }

    /// A SAT solver for the reduced groups, and for each variable of the groups the
    /// literal that represents it in the solver. A variable that equals another has
    /// none of its own there: it would be free, and the same completion would be found
    /// repeatedly.
    fn learner(mut self) -> (SatSolver, Vec<Lit>) {
        let is_settled = self.settle();
        let mut names = Vec::with_capacity(self.same.len());
        let mut variables = 0;
        for variable in 0..self.same.len() {
            let own = positive(variable);
            let root = self.representative(own);
            if root == own {
                names.push(positive(variables));
                variables += 1;
            } else {
                // The root has a smaller number, so its name is already known.
                names.push(renamed(root, &names));
            }
        }
        let mut learner = SatSolver::new(variables);
        learner.demand([self.truth]);
        if !is_settled {
            learner.demand([]);
        }
        for group in self.groups.iter().filter(|_| is_settled) {
            let group: Vec<_> = group
                .iter()
                .map(|&literal| renamed(literal, &names))
                .collect();
            learner.demand(group.iter().copied());
            for (place, &one) in group.iter().enumerate() {
                for &other in &group[place + 1..] {
                    learner.demand([!one, !other]);
                }
            }
        }
        (learner, names)
    }
}

fn renamed(literal: Lit, names: &[Lit]) -> Lit {
    let name = names[variable(literal)];
    if literal.sign() { name } else { !name }
}

// Wraps the SAT solver `batsat`, which is MiniSat in Rust, and limits its dead ends
// (conflicts). Knows literals, not grids. The solver uses neither a clock nor, with
// these options, random numbers: the same clauses, added in the same order, give the
// same models.

/// The literal that says that a variable is true.
fn positive(variable: usize) -> Lit {
    // A grid of order 25 has some twenty thousand variables, so the number fits.
    Lit::new(Var::unsafe_from_idx(variable as u32), true)
}

/// The variable of a literal.
fn variable(literal: Lit) -> usize {
    literal.var().idx() as usize
}

/// A SAT solver with its clauses, given and learned.
struct SatSolver {
    solver: Solver<Allowance>,
    /// A buffer, kept to reuse its memory.
    clause: Vec<Lit>,
}

/// The conflicts that a search may still have; `None` once it has had more.
struct Allowance(Option<u64>);

impl Callbacks for Allowance {
    fn on_new_clause(&mut self, _: &[Lit], kind: Kind) {
        if kind == Kind::Learnt {
            self.0 = self.0.and_then(|left| left.checked_sub(1));
        }
    }

    fn stop(&self) -> bool {
        self.0.is_none()
    }
}

impl SatSolver {
    /// A solver over this many variables, without clauses.
    fn new(variables: usize) -> Self {
        let mut solver = Solver::new(SolverOpts::default(), Allowance(None));
        for _ in 0..variables {
            solver.new_var_default();
        }
        Self {
            solver,
            clause: vec![],
        }
    }

    /// Requires that at least one of these literals is true.
    fn demand(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        // The result is ignored: if the clauses now contradict each other, no later
        // search finds a model.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Whether there is a model in which the assumptions are true; `None` if the
    /// allowance was used up. Each conflict takes one from it.
    fn solve(&mut self, assumptions: &[Lit], allowance: &mut u64) -> Option<bool> {
        self.solver.cb_mut().0 = Some(*allowance);
        let found = self.solver.solve_limited(assumptions);
        *allowance = self.solver.cb().0.unwrap_or(0);
        (found != lbool::UNDEF).then_some(found == lbool::TRUE)
    }

    /// Whether the literal is true in the latest model.
    fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }
}

#[cfg(test)]
mod sat_solver_tests;
