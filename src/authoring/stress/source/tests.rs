//! Tests that random inputs are legal, depend only on seed and number, and are of many
//! kinds.

use std::path::Path;
use std::{fs, io};

use gridjudge_grid::make::GridKind;
use gridjudge_grid::naive::NaiveSearch;

use super::*;
use crate::check;
use crate::model::{Problem, RecipeKind};
use crate::spec::{AnswerRequirement, JudgeFolder};

/// The task of a problem of grids.
fn task(problem: &Problem) -> &GridTask {
    problem.task.as_grid().unwrap()
}

fn own(id: &str) -> (Problem, Vec<Recipe>) {
    let folder = JudgeFolder::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let spec = folder.find(id).unwrap().spec().unwrap();
    (spec.problem, spec.recipes)
}

#[test]
fn every_input_of_every_own_problem_is_legal_and_its_answer_is_right() {
    let folder = JudgeFolder::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    for id in folder.ids() {
        let problem = folder.find(id).unwrap().problem().unwrap();
        // Inputs of other tasks, and grids with their own maps, are not made.
        let Some(task) = problem.task.as_grid().filter(|task| !task.brings_maps())
        else {
            continue;
        };
        // Recipes are left out: some take long, and they are checked when the spec is
        // read.
        let source = InputSource::new(task, &[], &[], 5);
        let inputs = if task.format.shape().order() > 9 {
            2
        } else {
            20
        };
        for number in 0..inputs {
            let draft = source
                .input(number)
                .unwrap_or_else(|| panic!("{id}: no input {number}"));
            let Draft {
                input,
                answer,
                grids,
            } = &draft;
            let mistakes =
                check::mistakes_of_input(&problem.task, input.as_slice()).unwrap();
            assert_eq!(mistakes, [], "{id}, input {number}");
            assert_eq!(
                Draft::grids_of(task, input).unwrap(),
                *grids,
                "{id}, input {number}"
            );
            let stored = Some(answer.as_slice());
            let findings = check::output(
                &problem.task,
                input.as_slice(),
                answer.as_slice(),
                stored,
            )
            .unwrap();
            assert_eq!(findings.listed, [], "{id}, input {number}");
        }
    }
}

#[test]
fn an_input_depends_on_seed_and_number_alone() {
    let problem = own("poj-2676").0;
    let recipes = [];
    let numbers = [0, 7, INPUTS_PER_SEED_SET];
    let forwards = InputSource::new(task(&problem), &recipes, &[], 1);
    let forwards: Vec<_> = numbers
        .iter()
        .map(|&number| forwards.input(number).unwrap())
        .collect();
    let backwards = InputSource::new(task(&problem), &recipes, &[], 1);
    let mut backwards: Vec<_> = numbers
        .iter()
        .rev()
        .map(|&number| backwards.input(number).unwrap())
        .collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
    assert_ne!(
        forwards[0],
        InputSource::new(task(&problem), &recipes, &[], 2)
            .input(0)
            .unwrap()
    );
}

#[test]
fn grids_that_are_slow_to_make_are_read_from_the_stored_cases() {
    let folder = JudgeFolder::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (problem, mut recipes) = own("poj-2676");
    recipes.retain(|recipe| {
        matches!(recipe.kind, RecipeKind::Made(GridKind::Slow { .. }))
    });
    recipes.truncate(1);
    let cases = folder
        .find("poj-2676")
        .unwrap()
        .cases(AnswerRequirement::Required)
        .unwrap();
    let case = cases
        .iter()
        .find(|case| case.name == recipes[0].case(1))
        .unwrap();
    let stored =
        Draft::grids_of(task(&problem), &fs::read(&case.input).unwrap()).unwrap();
    let source = InputSource::new(task(&problem), &recipes, &cases, 1);
    let has_it = |number| source.input(number).unwrap().grids.contains(&stored[0]);
    assert!(!(0..20).any(has_it));
    assert!((INPUTS_PER_SEED_SET..INPUTS_PER_SEED_SET + 20).any(has_it));
}

#[test]
fn a_recipe_of_days_of_work_does_not_hold_up_a_search() {
    let (problem, mut recipes) = own("poj-2676");
    recipes.truncate(1);
    for search in NaiveSearch::ALL {
        recipes[0].kind = RecipeKind::Made(GridKind::Slow {
            search,
            nodes: 10_000_000_000_000,
        });
        let source = InputSource::new(task(&problem), &recipes, &[], 1);
        let rng = &mut SeededRng::new(1, &[]);
        assert!(source.grid_of_recipe(1, rng).is_some(), "{}", search.name());
    }
}

#[test]
fn grids_are_of_many_kinds() {
    let (problem, _) = own("poj-2676");
    let source = InputSource::new(task(&problem), &[], &[], 1);
    let drafts: Vec<_> = (0..600)
        .map(|number| source.input(number).unwrap())
        .collect();
    let sizes: std::collections::BTreeSet<_> =
        drafts.iter().map(|draft| draft.grids.len()).collect();
    assert!(
        sizes.contains(&1) && sizes.len() > 20 && *sizes.last().unwrap() == 100,
        "{sizes:?}"
    );
    let grids: Vec<_> = drafts.iter().flat_map(|draft| &draft.grids).collect();
    let share = |is: &dyn Fn(&DraftGrid) -> bool| {
        grids.iter().filter(|grid| is(grid)).count() * 1000 / grids.len()
    };
    let shape = task(&problem).format.shape();
    let has_empty_house = |kind| {
        let houses: Vec<_> = shape
            .houses()
            .into_iter()
            .filter(|house| house.kind == kind)
            .collect();
        move |grid: &DraftGrid| {
            houses
                .iter()
                .any(|house| house.cells.iter().all(|&cell| grid.cells[cell] == 0))
        }
    };
    // In thousandths.
    assert!(share(&|grid| grid.blanks() == 0) > 10);
    assert!(share(&|grid| grid.clues() == 17) > 5);
    assert!(share(&|grid| (1..20).contains(&grid.blanks())) > 30);
    assert!(share(&has_empty_house(gridjudge_grid::HouseKind::Box)) > 30);
    assert!(share(&has_empty_house(gridjudge_grid::HouseKind::Row)) > 30);
    assert!(share(&|grid| (1..=9).any(|value| !grid.cells.contains(&value))) > 30);
}

#[test]
fn grids_have_no_or_several_solutions_if_the_problem_has_answers_for_them() {
    let (problem, _) = own("kattis-sudokunique");
    let source = InputSource::new(task(&problem), &[], &[], 1);
    let answers: Vec<_> = (0..60)
        .map(|number| source.input(number).unwrap().answer)
        .collect();
    let answers = String::from_utf8(answers.concat()).unwrap();
    for text in [
        &task(&problem).format.replies.none,
        &task(&problem).format.replies.several,
    ] {
        let text = text.as_ref().unwrap().line(1);
        assert!(
            answers.lines().filter(|line| *line == text).count() > 5,
            "{text}"
        );
    }
}

#[test]
fn grids_of_recipes_are_among_the_inputs() {
    let (problem, _) = own("poj-2676");
    let recipe = |kind| Recipe {
        group: "g".into(),
        name: "n".into(),
        count: 1,
        grids: 1,
        order: 9,
        kind: RecipeKind::Made(kind),
        seed: 1,
        line: 1,
    };
    // Grids of other kinds rarely have 45 clues.
    let recipes = [recipe(GridKind::Clues(45))];
    let source = InputSource::new(task(&problem), &recipes, &[], 1);
    let grids: Vec<_> = (0..100)
        .flat_map(|number| source.input(number).unwrap().grids)
        .collect();
    assert!(grids.iter().filter(|grid| grid.clues() == 45).count() * 3 > grids.len());
    assert!(check::mistakes_of_input(&problem.task, io::empty()).is_ok());
}
