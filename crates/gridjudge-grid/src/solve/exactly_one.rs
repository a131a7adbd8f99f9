//! Collects groups of literals of which exactly one is true, and simplifies them: in a group of
//! two, each literal is the negation of the other, so one variable suffices for both. This removes
//! a third of the variables of a hard grid.

use batsat::Lit;

use super::sat_solver::{SatSolver, positive, variable};

/// Groups of literals, and the literals known to be equal.
pub(super) struct ExactlyOneGroups {
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
    pub(super) fn new() -> Self {
        let truth = positive(0);
        Self {
            truth,
            groups: Vec::new(),
            same: vec![truth],
            has_news: false,
            is_broken: false,
        }
    }

    /// Adds a variable and returns its literal.
    pub(super) fn add_variable(&mut self) -> Lit {
        let literal = positive(self.same.len());
        self.same.push(literal);
        literal
    }

    /// Requires that exactly one of these literals is true. An empty group requires nothing: its
    /// symbol is already placed.
    pub(super) fn demand(&mut self, group: Vec<Lit>) {
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// The representative of all literals that equal this one.
    pub(super) fn representative(&self, literal: Lit) -> Lit {
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

    /// Reduces the groups to representatives until nothing changes; false if the groups contradict
    /// each other.
    fn settle(&mut self) -> bool {
        self.has_news = true;
        while self.has_news && !self.is_broken {
            self.has_news = false;
            let before = std::mem::take(&mut self.groups);
            self.groups = before
                .into_iter()
                .filter_map(|group| self.reduced(group))
                .collect();
        }
        // Rows and boxes often reduce to the same group.
        self.groups.sort_unstable();
        self.groups.dedup();
        !self.is_broken
    }

    /// The group reduced to at least three different variables, none with a known value; `None` if
    /// only equalities are left, which are recorded.
    fn reduced(&mut self, mut literals: Vec<Lit>) -> Option<Vec<Lit>> {
        literals
            .iter_mut()
            .for_each(|literal| *literal = self.representative(*literal));
        literals.sort_unstable();
        // If the group has a literal and its negation, or the true literal, one of these is the
        // true one and all others are false.
        let twins = literals.windows(2).position(|pair| pair[0] == !pair[1]);
        let truth = literals.iter().position(|&literal| literal == self.truth);
        if let Some(place) = twins.or(truth) {
            literals.drain(place..=place + usize::from(twins.is_some()));
            literals
                .iter()
                .for_each(|&literal| self.equate(literal, !self.truth));
            return None;
        }
        // A literal that appears twice in a group cannot be the true one.
        let twice: Vec<_> = literals
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice
            .iter()
            .for_each(|&literal| self.equate(literal, !self.truth));
        literals.retain(|literal| *literal != !self.truth && !twice.contains(literal));
        match literals[..] {
            [] => self.is_broken = true,
            [only] => self.equate(only, self.truth),
            [one, other] => self.equate(one, !other),
            _ => return Some(literals),
        }
        None
    }

    /// A SAT solver for the reduced groups, and for each variable of the groups the literal that
    /// represents it in the solver. A variable that equals another has none of its own there: it
    /// would be free, and the same completion would be found repeatedly.
    pub(super) fn learner(mut self) -> (SatSolver, Vec<Lit>) {
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
            learner.demand_exactly_one(&group);
        }
        (learner, names)
    }
}

fn renamed(literal: Lit, names: &[Lit]) -> Lit {
    let name = names[variable(literal)];
    if literal.sign() { name } else { !name }
}
