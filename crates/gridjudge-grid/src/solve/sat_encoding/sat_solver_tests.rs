//! Tests the SAT solver against all assignments, and on clauses that need learning.

use proptest::prelude::*;

use super::*;

const PLENTY: u64 = 1_000_000;

fn literal(code: i32) -> Lit {
    let literal = positive(code.unsigned_abs() as usize - 1);
    if code > 0 { literal } else { !literal }
}

fn learner(variables: usize, clauses: &[Vec<i32>]) -> SatSolver {
    let mut learner = SatSolver::new(variables);
    for clause in clauses {
        learner.demand(clause.iter().map(|&code| literal(code)));
    }
    learner
}

/// Whether an assignment, a bit for each variable, makes every clause true.
fn is_model(assignment: u32, clauses: &[Vec<i32>]) -> bool {
    clauses.iter().all(|clause| {
        clause.iter().any(|code| {
            (assignment >> (code.unsigned_abs() - 1) & 1 == 1) == (*code > 0)
        })
    })
}

/// The pigeonhole principle, with one pigeon more than holes: no model, and no short
/// proof.
fn pigeons(count: usize) -> SatSolver {
    let at = |pigeon: usize, hole: usize| (pigeon * (count - 1) + hole) as i32 + 1;
    let mut clauses: Vec<Vec<i32>> = (0..count)
        .map(|pigeon| (0..count - 1).map(|hole| at(pigeon, hole)).collect())
        .collect();
    for hole in 0..count - 1 {
        for one in 0..count {
            clauses
                .extend((0..one).map(|other| vec![-at(one, hole), -at(other, hole)]));
        }
    }
    learner(count * (count - 1), &clauses)
}

#[test]
fn more_pigeons_than_holes_are_refuted_even_after_learned_clauses_are_dropped() {
    let mut allowance = PLENTY;
    assert_eq!(pigeons(8).solve(&[], &mut allowance), Some(false));
    assert!(PLENTY - allowance > 2000, "{}", PLENTY - allowance);
}

#[test]
fn a_search_stops_when_its_allowance_is_used_up() {
    let mut allowance = 10;
    assert_eq!(pigeons(9).solve(&[], &mut allowance), None);
    assert_eq!(allowance, 0);
}

#[test]
fn clauses_that_contradict_each_other_have_no_model_in_any_search() {
    let mut learner = learner(1, &[vec![1], vec![-1]]);
    assert_eq!(learner.solve(&[], &mut PLENTY.clone()), Some(false));
    assert_eq!(
        learner.solve(&[literal(1)], &mut PLENTY.clone()),
        Some(false)
    );
}

#[test]
fn an_assumption_binds_one_search_only() {
    let mut learner = learner(2, &[vec![1, 2], vec![-1, 2]]);
    assert_eq!(
        learner.solve(&[literal(-2)], &mut PLENTY.clone()),
        Some(false)
    );
    assert_eq!(
        learner.solve(&[literal(-1), literal(2)], &mut PLENTY.clone()),
        Some(true)
    );
    assert!(learner.is_true(literal(2)) && learner.is_true(literal(-1)));
}

proptest! {
    #[test]
    fn excluding_each_model_found_enumerates_every_model_once(
        clauses in proptest::collection::vec(
            proptest::collection::vec((1i32..=9, any::<bool>()), 1..5), 1..40),
        assumed in 1i32..=9,
    ) {
        let signed = |&(code, truth): &(i32, bool)| if truth { code } else { -code };
        let clauses: Vec<Vec<i32>> = clauses.iter().map(|clause| clause.iter().map(signed).collect()).collect();
        let expected: Vec<u32> = (0..512).filter(|&assignment| is_model(assignment, &clauses)).collect();
        let mut learner = learner(9, &clauses);
        let exists = expected.iter().any(|assignment| assignment >> (assumed - 1) & 1 == 1);
        let outcome = learner.solve(&[literal(assumed)], &mut PLENTY.clone());
        prop_assert_eq!(outcome, Some(exists));
        let mut found = vec![];
        while learner.solve(&[], &mut PLENTY.clone()) == Some(true) {
            let is_true = |variable: &usize| learner.is_true(positive(*variable));
            found.push((0..9).filter(is_true).map(|variable| 1u32 << variable).sum::<u32>());
            let model: Vec<_> = (0..9).map(|variable| (positive(variable), is_true(&variable))).collect();
            learner.demand(model.into_iter().map(|(literal, is_true)| if is_true { !literal } else { literal }));
        }
        found.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
