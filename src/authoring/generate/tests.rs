//! Tests of [`generated_cases`]: cases do not depend on the number of threads, and failing
//! recipes are reported with reasons.

use std::path::Path;
use std::time::Duration;

use gridjudge_grid::{
    BlankLines, CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols,
};
use gridjudge_sandbox::Limits;

use super::*;
use crate::model::{Accept, Task};

fn problem() -> Problem {
    let input = Layout {
        blank_lines: BlankLines::Before,
        ..Layout::bare(GridCount::First { most: 10 }, CellSpacing::Spaced)
    };
    Problem {
        id: "p".into(),
        name: "P".into(),
        source: None,
        task: Task::Grid(GridTask {
            format: Format {
                shapes: vec![Shape::new(4, 2, 2).unwrap()],
                symbols: Symbols::characters("ABCD", "."),
                input,
                output: Layout::bare(GridCount::AsInput, CellSpacing::Joined),
                replies: Replies::default(),
            },
            accept: Accept::Unique,
        }),
        allowances: Default::default(),
        scoring: Default::default(),
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
        limits: Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(2),
            memory_bytes: 1,
            output_bytes: 1,
            processes: 1,
            frequent_samples: false,
            address_space: None,
        },
    }
}

fn recipe(kind: GridKind) -> Recipe {
    Recipe {
        group: "secret".into(),
        name: "case".into(),
        count: 3,
        grids: 2,
        order: 4,
        kind: RecipeKind::Made(kind),
        seed: 7,
        line: 21,
    }
}

fn made(jobs: usize, kind: GridKind) -> Result<Vec<GeneratedCase>, Mistakes> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs);
    threads.build().unwrap().install(|| {
        let spec = Path::new("problem.toml");
        generated_cases(&problem(), &[recipe(kind)], spec, &|_, _, _| {})
    })
}

#[test]
fn cases_are_written_in_the_problems_format_with_their_answers() {
    let cases = made(1, GridKind::Complete).unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(
        cases
            .iter()
            .map(|made| made.name.as_str())
            .collect::<Vec<_>>(),
        ["secret/case-1", "secret/case-2", "secret/case-3"]
    );
    let input = text(&cases[0].files[0]);
    let answer = text(&cases[0].files[1]);
    assert!(input.starts_with("2\n\n"), "{input}");
    let without = |text: &str| {
        text.lines()
            .skip(1)
            .filter(|line| !line.is_empty())
            .collect::<String>()
    };
    assert_eq!(without(&input).replace(' ', ""), answer.replace('\n', ""));
}

#[test]
fn any_number_of_threads_makes_the_same_cases() {
    assert_eq!(
        made(1, GridKind::Minimal).unwrap(),
        made(5, GridKind::Minimal).unwrap()
    );
}

#[test]
fn a_failing_recipe_is_reported_on_its_line_with_the_reason() {
    let said = |kind| made(1, kind).unwrap_err().0.remove(0);
    let few = said(GridKind::Clues(3));
    assert_eq!(
        few.to_string(),
        "problem.toml:21: the recipe `case` fails: no grid with 3 clues and one solution was found; the one with the \
         fewest had 4"
    );
    assert_eq!(few.remedy.as_deref(), Some("ask for more clues"));
    let unsolvable = said(GridKind::Unsolvable);
    assert_eq!(
        unsolvable.remedy.as_deref(),
        Some("choose another kind, or ask for order 5 or more")
    );
    let several = said(GridKind::Several { least: 2, most: 9 });
    assert!(several.message.contains(
        "case 1: grid 1: more than one solution, the problem promises one"
    ));
}

#[test]
fn a_recipe_draws_the_puzzles_of_a_collection_in_an_order_of_its_seed_and_none_twice()
{
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("problem.toml");
    let file = folder.path().join("puzzles.sdm");
    let maker = &mut GridMaker::new(&Shape::new(9, 3, 3).unwrap());
    let puzzle = |number| {
        maker
            .make(GridKind::Minimal, &mut SeededRng::new(number, &[]))
            .unwrap()
    };
    let puzzles: Vec<_> = (0..7)
        .map(puzzle)
        .map(|puzzle| puzzle.iter().map(u8::to_string).collect::<String>())
        .collect();
    // The file has each of them twice.
    std::fs::write(&file, format!("{0}\n{0}\n", puzzles.join("\n"))).unwrap();
    let Task::Grid(mut task) = problem().task else {
        unreachable!()
    };
    task.format.shapes = vec![Shape::new(9, 3, 3).unwrap()];
    task.format.symbols = Symbols::characters("123456789", "0");
    task.format.input =
        Layout::bare(GridCount::First { most: 10 }, CellSpacing::Joined);
    let problem = Problem {
        task: Task::Grid(task),
        ..problem()
    };
    let drawn = |seed, count| {
        let kind = RecipeKind::Collection(file.clone());
        let recipe = Recipe {
            kind,
            seed,
            count,
            order: 9,
            ..recipe(GridKind::Complete)
        };
        generated_cases(&problem, &[recipe], &spec, &|_, _, _| {})
    };
    let grids = |cases: Vec<GeneratedCase>| {
        cases
            .iter()
            .flat_map(|case| {
                let rows = String::from_utf8(case.files[0].clone())
                    .unwrap()
                    .lines()
                    .skip(1)
                    .collect::<String>();
                [rows[..81].to_owned(), rows[81..].to_owned()]
            })
            .collect::<Vec<_>>()
    };
    let one = grids(drawn(1, 3).unwrap());
    let other = grids(drawn(2, 3).unwrap());
    assert!(
        one.iter().all(|grid| puzzles.contains(grid)) && one != other,
        "{one:?}"
    );
    assert_eq!(
        one.iter().collect::<std::collections::BTreeSet<_>>().len(),
        6
    );
    assert_eq!(one, grids(drawn(1, 3).unwrap()));
    let few = drawn(1, 4).unwrap_err().to_string();
    assert!(
        few.contains("puzzles.sdm holds 7 different puzzles, expected 8 or more"),
        "{few}"
    );
}
