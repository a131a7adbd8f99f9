//! The clauses of three literals and more, one behind the other in one allocation, and which literals watch them.

use std::cmp::Reverse;

use super::literal::Literal;

/// A clause, by the place where it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clause(pub(super) u32);

/// A clause that is looked at when a literal becomes false.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClauseWatch {
    pub(super) clause: Clause,
    /// Another literal of the clause. While it is true, the clause need not be read.
    pub(super) other: Literal,
}

/// Glue up to which a learned clause is kept for ever.
pub(super) const KEPT_GLUE: u32 = 2;

/// Words before the literals of a clause: its length, and its glue (0 for a clause that was given).
const HEADER: usize = 2;

/// Clauses, and for each literal the watches to look at when it becomes false.
#[derive(Clone, Debug)]
pub(super) struct ClauseStore {
    words: Vec<u32>,
    learned: Vec<Clause>,
    pub(super) watches: Vec<Vec<ClauseWatch>>,
}

impl ClauseStore {
    pub(super) fn new(variables: usize) -> Self {
        Self { words: Vec::new(), learned: Vec::new(), watches: vec![Vec::new(); 2 * variables] }
    }

    /// Stores a clause and watches its first two literals. A `glue` of 0 keeps it for ever.
    pub(super) fn add(&mut self, literals: &[Literal], glue: u32) -> Clause {
        let clause =
            Clause(u32::try_from(self.words.len()).expect("clauses are forgotten before they fill 16 GB"));
        self.words.extend([literals.len() as u32, glue]);
        self.words.extend(literals.iter().map(|literal| literal.index() as u32));
        if glue > 0 {
            self.learned.push(clause);
        }
        self.watch(clause);
        clause
    }

    fn watch(&mut self, clause: Clause) {
        let (first, second) = (self.literal(clause, 0), self.literal(clause, 1));
        self.watches[first.index()].push(ClauseWatch { clause, other: second });
        self.watches[second.index()].push(ClauseWatch { clause, other: first });
    }

    pub(super) fn length(&self, clause: Clause) -> usize {
        self.words[clause.0 as usize] as usize
    }

    pub(super) fn literal(&self, clause: Clause, place: usize) -> Literal {
        Literal::with_index(self.words[clause.0 as usize + HEADER + place])
    }

    /// The literals of a clause, by their numbers.
    pub(super) fn literals(&self, clause: Clause) -> &[u32] {
        let start = clause.0 as usize + HEADER;
        &self.words[start..start + self.length(clause)]
    }

    pub(super) fn literals_mut(&mut self, clause: Clause) -> &mut [u32] {
        let (start, length) = (clause.0 as usize + HEADER, self.length(clause));
        &mut self.words[start..start + length]
    }

    pub(super) fn glue(&self, clause: Clause) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    /// A clause that proved more useful than it looked keeps its better glue.
    pub(super) fn improve_glue(&mut self, clause: Clause, glue: u32) {
        let held = &mut self.words[clause.0 as usize + 1];
        *held = (*held).min(glue.max(1));
    }

    pub(super) fn learned(&self) -> usize {
        self.learned.len()
    }

    /// Forgets the worse half of what was learned: clauses with much glue, long ones first; those with no more than [`KEPT_GLUE`] stay.
    /// Nothing may be assigned but what is so for good, since reasons name clauses by their places.
    pub(super) fn forget_half(&mut self) {
        let mut worst: Vec<_> =
            self.learned.iter().copied().filter(|&clause| self.glue(clause) > KEPT_GLUE).collect();
        // The sort is stable, so older clauses go first among equals.
        worst.sort_by_key(|&clause| Reverse((self.glue(clause), self.length(clause))));
        worst.truncate(worst.len() / 2);
        worst.sort_unstable_by_key(|clause| clause.0);
        self.remove(&worst);
    }

    /// Moves the clauses that stay together. `gone` is in order of place.
    fn remove(&mut self, gone: &[Clause]) {
        let words = std::mem::take(&mut self.words);
        self.words.reserve(words.len());
        self.learned.clear();
        self.watches.iter_mut().for_each(Vec::clear);
        let (mut gone, mut at) = (gone.iter().peekable(), 0);
        while at < words.len() {
            let size = words[at] as usize + HEADER;
            if gone.next_if(|clause| clause.0 as usize == at).is_none() {
                let clause = Clause(self.words.len() as u32);
                self.words.extend_from_slice(&words[at..at + size]);
                if words[at + 1] > 0 {
                    self.learned.push(clause);
                }
                self.watch(clause);
            }
            at += size;
        }
    }
}
