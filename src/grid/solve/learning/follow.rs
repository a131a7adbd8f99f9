//! What follows from the literals that are assigned. Most of a search's time passes here.

use super::Conflict;
use super::Learner;
use super::Reason;
use super::literal::Literal;
use super::store::Clause;
use super::store::Watch;

/// What a clause did when a literal it watches became false.
enum Visit {
    /// It watches another literal now.
    Moved,
    /// It is true, or became so by its last literal; this literal makes it true.
    Stays(Literal),
    /// All its literals are false.
    Broken,
}

impl Learner {
    /// Assigns what the assigned literals imply, until nothing moves or a clause breaks.
    pub(super) fn follow(&mut self) -> Option<Conflict> {
        while let Some(&literal) = self.trail.get(self.followed) {
            self.followed += 1;
            if let Some(fallen) = self.follow_pairs(literal) {
                return Some(Conflict::Pair(!literal, fallen));
            }
            if let Some(clause) = self.visit_watches(!literal) {
                return Some(Conflict::Clause(clause));
            }
        }
        None
    }

    /// Assigns what a literal implies by itself. Returns what it implies and is false.
    fn follow_pairs(&mut self, literal: Literal) -> Option<Literal> {
        let implied = std::mem::take(&mut self.implied[literal.index()]);
        let mut fallen = None;
        for &implied in &implied {
            match self.truth[implied.index()] {
                0 => self.assign(implied, Reason::Implied(literal)),
                1 => {}
                _ => {
                    fallen = Some(implied);
                    break;
                }
            }
        }
        self.implied[literal.index()] = implied;
        fallen
    }

    /// Finds every clause that watches a literal that became false something else to watch, or assigns its last literal.
    /// Returns a clause that has none left.
    fn visit_watches(&mut self, fallen: Literal) -> Option<Clause> {
        let mut watches = std::mem::take(&mut self.store.watches[fallen.index()]);
        let (mut kept, mut broken) = (0, None);
        for place in 0..watches.len() {
            let watch = watches[place];
            if broken.is_none() && !self.is(watch.other, 1) {
                match self.visit(watch.clause, fallen) {
                    Visit::Moved => continue,
                    Visit::Stays(other) => watches[kept] = Watch { clause: watch.clause, other },
                    Visit::Broken => {
                        watches[kept] = watch;
                        broken = Some(watch.clause);
                    }
                }
            } else {
                watches[kept] = watch;
            }
            kept += 1;
        }
        watches.truncate(kept);
        self.store.watches[fallen.index()] = watches;
        broken
    }

    fn visit(&mut self, clause: Clause, fallen: Literal) -> Visit {
        let literals = self.store.literals_mut(clause);
        if literals[0] == fallen.index() as u32 {
            literals.swap(0, 1);
        }
        let first = Literal::with_index(literals[0]);
        if self.truth[first.index()] == 1 {
            return Visit::Stays(first);
        }
        if let Some(place) = (2..literals.len()).find(|&place| self.truth[literals[place] as usize] >= 0) {
            literals.swap(1, place);
            let next = Literal::with_index(literals[1]);
            self.store.watches[next.index()].push(Watch { clause, other: first });
            return Visit::Moved;
        }
        if self.is(first, -1) {
            return Visit::Broken;
        }
        self.assign(first, Reason::Clause(clause));
        Visit::Stays(first)
    }
}
