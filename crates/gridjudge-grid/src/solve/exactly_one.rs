//! Groups of literals of which exactly one is true, and what follows from the small ones among them: of two literals one
//! is the other's negation, so one variable serves both. A third of the variables of a hard grid go that way.

use batsat::Lit;

use super::sat_solver::SatSolver;
use super::sat_solver::positive;
use super::sat_solver::variable;

/// Groups, and which literals are known to be the same.
pub(super) struct ExactlyOneGroups {
    /// The literal that is true.
    truth: Lit,
    groups: Vec<Vec<Lit>>,
    /// For each variable the literal it equals: its own, or that of a variable before it.
    same: Vec<Lit>,
    /// Whether an equality was found since the groups were last gone through.
    has_news: bool,
    is_broken: bool,
}

impl ExactlyOneGroups {
    pub(super) fn new() -> Self {
        let truth = positive(0);
        Self { truth, groups: Vec::new(), same: vec![truth], has_news: false, is_broken: false }
    }

    /// A new variable.
    pub(super) fn add_variable(&mut self) -> Lit {
        let literal = positive(self.same.len());
        self.same.push(literal);
        literal
    }

    /// Demands that exactly one of these literals be true. An empty group demands nothing: its symbol has its place.
    pub(super) fn demand(&mut self, group: Vec<Lit>) {
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// The literal that stands for all that equal this one.
    pub(super) fn representative(&self, literal: Lit) -> Lit {
        let same = self.same[variable(literal)];
        let root = if variable(same) == variable(literal) { same } else { self.representative(same) };
        if literal.sign() { root } else { !root }
    }

    fn equate(&mut self, one: Lit, other: Lit) {
        let (one, other) = (self.representative(one), self.representative(other));
        let (first, later) = if variable(one) <= variable(other) { (one, other) } else { (other, one) };
        if variable(first) == variable(later) {
            self.is_broken |= first != later;
        } else {
            self.has_news = true;
            self.same[variable(later)] = if later.sign() { first } else { !first };
        }
    }

    /// Reduces the groups to what their literals stand for, until nothing moves. False if they contradict each other.
    fn settle(&mut self) -> bool {
        self.has_news = true;
        while self.has_news && !self.is_broken {
            self.has_news = false;
            let before = std::mem::take(&mut self.groups);
            self.groups = before.into_iter().filter_map(|group| self.reduced(group)).collect();
        }
        // Rows and boxes often come down to the same group.
        self.groups.sort_unstable();
        self.groups.dedup();
        !self.is_broken
    }

    /// A group of at least three different variables, none of them known; `None` if it says no more than equalities.
    fn reduced(&mut self, mut literals: Vec<Lit>) -> Option<Vec<Lit>> {
        literals.iter_mut().for_each(|literal| *literal = self.representative(*literal));
        literals.sort_unstable();
        // A literal next to its negation makes one true, as the truth itself does. All others are false.
        let twins = literals.windows(2).position(|pair| pair[0] == !pair[1]);
        let truth = literals.iter().position(|&literal| literal == self.truth);
        if let Some(place) = twins.or(truth) {
            literals.drain(place..=place + usize::from(twins.is_some()));
            literals.iter().for_each(|&literal| self.equate(literal, !self.truth));
            return None;
        }
        // A literal that appears twice in a group cannot be the one.
        let twice: Vec<_> =
            literals.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.iter().for_each(|&literal| self.equate(literal, !self.truth));
        literals.retain(|literal| *literal != !self.truth && !twice.contains(literal));
        match literals[..] {
            [] => self.is_broken = true,
            [only] => self.equate(only, self.truth),
            [one, other] => self.equate(one, !other),
            _ => return Some(literals),
        }
        None
    }

    /// A search for what is left, and for each variable of the groups the literal that it is there. What equals another has
    /// no variable of its own: it would be free, and one completion would be found again and again.
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
                // It precedes its equal.
                names.push(renamed(root, &names));
            }
        }
        let mut learner = SatSolver::new(variables);
        learner.demand([self.truth]);
        if !is_settled {
            learner.demand([]);
        }
        for group in self.groups.iter().filter(|_| is_settled) {
            let group: Vec<_> = group.iter().map(|&literal| renamed(literal, &names)).collect();
            learner.demand_exactly_one(&group);
        }
        (learner, names)
    }
}

fn renamed(literal: Lit, names: &[Lit]) -> Lit {
    let name = names[variable(literal)];
    if literal.sign() { name } else { !name }
}
