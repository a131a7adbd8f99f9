//! What follows from the literals that are assigned. Most of a search's time passes here.

use super::clauses::Clause;
use super::clauses::ClauseStore;
use super::clauses::ClauseWatch;
use super::literal::Literal;
use super::reason::AssignmentReason;
use super::reason::Conflict;
use super::solver::CdclSolver;
use super::trail::Trail;

/// What a clause did when a literal it watches became false.
enum WatchVisit {
    /// It watches another literal now.
    Moved,
    /// It is true, or became so by its last literal; this literal makes it true.
    Stays(Literal),
    /// All its literals are false.
    Broken,
}

impl CdclSolver {
    /// Assigns what the assigned literals imply, until nothing moves or a clause breaks.
    pub(super) fn follow(&mut self) -> Option<Conflict> {
        let Self { store, implied, trail, open, .. } = self;
        while let Some(&literal) = trail.literals.get(trail.followed) {
            trail.followed += 1;
            if let Some(fallen) = follow_pairs(trail, literal, &implied[literal.index()], open) {
                return Some(Conflict::Pair(!literal, fallen));
            }
            if let Some(clause) = visit_watches(trail, store, !literal) {
                return Some(Conflict::Clause(clause));
            }
        }
        None
    }
}

/// Assigns what a literal implies by itself. Returns what it implies and is false.
fn follow_pairs(
    trail: &mut Trail,
    literal: Literal,
    implied: &[Literal],
    open: &mut Vec<Literal>,
) -> Option<Literal> {
    // Which of them are open cannot be predicted, so they are picked out without a branch.
    open.resize(implied.len().max(open.len()), literal);
    let (mut count, mut worst) = (0, 1);
    for &implied in implied {
        let truth = trail.truth(implied);
        open[count] = implied;
        count += usize::from(truth == 0);
        worst = worst.min(truth);
    }
    if worst < 0 {
        return implied.iter().copied().find(|&implied| trail.truth(implied) < 0);
    }
    for &implied in &open[..count] {
        // Two groups may imply the same.
        if trail.truth(implied) == 0 {
            trail.assign(implied, AssignmentReason::Implied(literal));
        }
    }
    None
}

/// Finds every clause that watches a literal that became false something else to watch, or assigns its last literal.
/// Returns a clause that has none left.
fn visit_watches(trail: &mut Trail, store: &mut ClauseStore, fallen: Literal) -> Option<Clause> {
    let mut watches = std::mem::take(&mut store.watches[fallen.index()]);
    let (mut kept, mut place, mut broken) = (0, 0, None);
    while let Some(&watch) = watches.get(place) {
        place += 1;
        watches[kept] = watch;
        kept += 1;
        if trail.truth(watch.other) == 1 {
            continue;
        }
        match visit(trail, store, watch.clause, fallen) {
            WatchVisit::Moved => kept -= 1,
            WatchVisit::Stays(other) => watches[kept - 1].other = other,
            WatchVisit::Broken => {
                broken = Some(watch.clause);
                break;
            }
        }
    }
    watches.copy_within(place.., kept);
    watches.truncate(kept + watches.len() - place);
    store.watches[fallen.index()] = watches;
    broken
}

#[inline(always)]
fn visit(trail: &mut Trail, store: &mut ClauseStore, clause: Clause, fallen: Literal) -> WatchVisit {
    let literals = store.literals_mut(clause);
    let [one, other, rest @ ..] = literals else { unreachable!("clauses of two literals are pairs") };
    let first = Literal::with_index(*one ^ *other ^ fallen.index() as u32);
    let truth = trail.truth(first);
    if truth == 1 {
        return WatchVisit::Stays(first);
    }
    let found = rest.iter_mut().find(|literal| trail.truth(Literal::with_index(**literal)) >= 0);
    if let Some(literal) = found {
        let next = Literal::with_index(*literal);
        if trail.truth(next) == 1 {
            return WatchVisit::Stays(next);
        }
        *one = first.index() as u32;
        *other = next.index() as u32;
        *literal = fallen.index() as u32;
        store.watches[next.index()].push(ClauseWatch { clause, other: first });
        return WatchVisit::Moved;
    }
    *one = first.index() as u32;
    *other = fallen.index() as u32;
    if truth == -1 {
        return WatchVisit::Broken;
    }
    trail.assign(first, AssignmentReason::Clause(clause));
    WatchVisit::Stays(first)
}
