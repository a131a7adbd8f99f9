//! Groups of literals of which exactly one is true, and what follows from the small ones among them: of two literals one
//! is the other's negation, so one variable serves both. A third of the variables of a hard grid go that way.

use super::cdcl::CdclSolver;
use super::cdcl::Literal;

/// The variable that is true.
const TRUTH: Literal = Literal::of(0);

/// Groups, and which literals are known to be the same.
#[derive(Debug)]
pub(super) struct ExactlyOneGroups {
    groups: Vec<Vec<Literal>>,
    /// For each variable the literal it equals: its own, or that of a variable before it.
    same: Vec<Literal>,
    /// Whether an equality was found since the groups were last gone through.
    has_news: bool,
    is_broken: bool,
}

impl ExactlyOneGroups {
    pub(super) fn new() -> Self {
        Self { groups: Vec::new(), same: vec![TRUTH], has_news: false, is_broken: false }
    }

    /// A new variable.
    pub(super) fn variable(&mut self) -> Literal {
        let literal = Literal::of(self.same.len());
        self.same.push(literal);
        literal
    }

    /// Demands that exactly one of these literals be true. An empty group demands nothing: its symbol has its place.
    pub(super) fn demand(&mut self, group: Vec<Literal>) {
        if !group.is_empty() {
            self.groups.push(group);
        }
    }

    /// The literal that stands for all that equal this one.
    pub(super) fn representative(&self, literal: Literal) -> Literal {
        let same = self.same[literal.variable()];
        let root = if same.variable() == literal.variable() { same } else { self.representative(same) };
        if literal.says_true() { root } else { !root }
    }

    fn equate(&mut self, one: Literal, other: Literal) {
        let (one, other) = (self.representative(one), self.representative(other));
        let (first, later) = if one.variable() <= other.variable() { (one, other) } else { (other, one) };
        if first.variable() == later.variable() {
            self.is_broken |= first != later;
        } else {
            self.has_news = true;
            self.same[later.variable()] = if later.says_true() { first } else { !first };
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
    fn reduced(&mut self, mut literals: Vec<Literal>) -> Option<Vec<Literal>> {
        literals.iter_mut().for_each(|literal| *literal = self.representative(*literal));
        literals.sort_unstable();
        // A literal next to its negation makes one true, as the truth itself does. All others are false.
        let twins = literals.windows(2).position(|pair| pair[0] == !pair[1]);
        let truth = literals.iter().position(|&literal| literal == TRUTH);
        if let Some(place) = twins.or(truth) {
            literals.drain(place..=place + usize::from(twins.is_some()));
            literals.iter().for_each(|&literal| self.equate(literal, !TRUTH));
            return None;
        }
        // A literal that appears twice in a group cannot be the one.
        let twice: Vec<_> =
            literals.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.iter().for_each(|&literal| self.equate(literal, !TRUTH));
        literals.retain(|literal| *literal != !TRUTH && !twice.contains(literal));
        match literals[..] {
            [] => self.is_broken = true,
            [only] => self.equate(only, TRUTH),
            [one, other] => self.equate(one, !other),
            _ => return Some(literals),
        }
        None
    }

    /// A search for what is left, and for each variable of the groups the literal that it is there. What equals another has
    /// no variable of its own: it would be free, and one completion would be found again and again.
    pub(super) fn learner(mut self) -> (CdclSolver, Vec<Literal>) {
        let is_settled = self.settle();
        let mut names = Vec::with_capacity(self.same.len());
        let mut variables = 0;
        for variable in 0..self.same.len() {
            let own = Literal::of(variable);
            let root = self.representative(own);
            if root == own {
                names.push(Literal::of(variables));
                variables += 1;
            } else {
                // It precedes its equal.
                names.push(renamed(root, &names));
            }
        }
        let mut learner = CdclSolver::new(variables);
        learner.demand(&[TRUTH]);
        if !is_settled {
            learner.demand(&[]);
        }
        for group in self.groups.iter().filter(|_| is_settled) {
            let group: Vec<_> = group.iter().map(|&literal| renamed(literal, &names)).collect();
            learner.demand_exactly_one(&group);
        }
        (learner, names)
    }
}

fn renamed(literal: Literal, names: &[Literal]) -> Literal {
    let name = names[literal.variable()];
    if literal.says_true() { name } else { !name }
}
