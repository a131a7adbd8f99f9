//! Recipes that are accepted, and the messages for those that are refused.

use std::path::Path;

use super::*;
use crate::spec::config::Config;
use crate::spec::problem;

const SPEC: &str = r#"name = "Sudoku"
source = "a test"

[grid]
order = 9
boxes = "3x3"
symbols = "123456789"
blanks = "0"

[input]
cases = "count"
most = 100
cells = "joined"

[output]
cells = "joined"

[answer]
accept = "any"

"#;

/// The number of lines of `SPEC`. A recipe appended to it begins on the next line.
const LINES: u64 = 20;

fn read(text: &str) -> Result<Vec<Recipe>, Vec<String>> {
    let config = Config::default_in(Path::new(""));
    let parsed = problem::parse_problem(Path::new("p"), text, "p", &config);
    parsed.map(|spec| spec.recipes).map_err(|mistakes| {
        mistakes
            .0
            .iter()
            .map(|mistake| match &mistake.remedy {
                Some(remedy) => format!("{mistake} ({remedy})"),
                None => mistake.to_string(),
            })
            .collect()
    })
}

#[track_caller]
fn refuses(recipe: &str, expected: &[&str]) {
    let said = read(&format!("{SPEC}{recipe}")).unwrap_err();
    assert_eq!(said, expected, "{recipe}");
}

#[track_caller]
fn makes(recipe: &str, kind: GridKind) -> Recipe {
    let head = "[[generate]]\nname = \"a\"\nseed = 1\n";
    let recipes = read(&format!("{SPEC}{head}{recipe}")).unwrap();
    assert_eq!(recipes[0].kind, RecipeKind::Made(kind));
    recipes.into_iter().next().unwrap()
}

#[test]
fn every_kind_is_read_with_its_keys() {
    for (recipe, kind) in [
        ("kind = \"complete\"", GridKind::Complete),
        ("kind = \"clues\"\nclues = 30", GridKind::Clues(30)),
        ("kind = \"minimal\"", GridKind::Minimal),
        (
            "kind = \"symmetric\"\nsymmetry = \"left-right\"",
            GridKind::Symmetric(Symmetry::LeftRight),
        ),
        ("kind = \"seventeen\"", GridKind::Seventeen),
        (
            "kind = \"rated\"\nrating = \"hard\"",
            GridKind::Rated(Rating::Hard),
        ),
        (
            "kind = \"slow\"\nsearch = \"bottom-up\"\nnodes = 300_000_000",
            GridKind::Slow {
                search: NaiveSearch::BottomUp,
                nodes: 300_000_000,
            },
        ),
        (
            "kind = \"several\"",
            GridKind::Several {
                least: 2,
                most: 1000,
            },
        ),
        (
            "kind = \"several\"\nsolutions = 5\nmost_solutions = 6",
            GridKind::Several { least: 5, most: 6 },
        ),
    ] {
        let recipe = makes(recipe, kind);
        assert_eq!(
            (
                recipe.group.as_str(),
                recipe.count,
                recipe.grids,
                recipe.order
            ),
            ("generated", 1, 1, 9)
        );
        assert_eq!(recipe.line, LINES + 1);
    }
}

#[test]
fn a_case_has_the_given_number_of_grids_or_the_most_the_problem_allows() {
    for (grids, expected) in [("12", 12), ("\"most\"", 100)] {
        let recipe = makes(
            &format!(
                "kind = \"minimal\"\ngroup = \"secret/deep\"\ncount = 3\ngrids = {grids}"
            ),
            GridKind::Minimal,
        );
        assert_eq!(
            (recipe.grids, recipe.case(2).as_str()),
            (expected, "secret/deep/a-2")
        );
    }
}

#[test]
fn missing_and_unknown_keys_are_all_reported_at_once() {
    refuses(
        "[[generate]]\nkind = \"minimul\"\nsede = 1\nclues = 30\n",
        &[
            "p:21: [[generate]] has no `name` (add it, for example `name = \"001-minimal\"`)",
            "p:21: [[generate]] has no `seed` (add it, for example `seed = 1`)",
            "p:22: unknown kind `minimul` (did you mean `minimal`?)",
            "p:23: unknown key `sede` in [[generate]] (did you mean `seed`?)",
        ],
    );
}

#[test]
fn keys_of_another_kind_and_values_out_of_bounds_are_refused() {
    let head = "[[generate]]\nname = \"a\"\nseed = 1\n";
    for (recipe, expected) in [
        (
            "kind = \"minimal\"\nclues = 3\n",
            "p:25: `clues` has no meaning with `kind = \"minimal\"` (delete `clues`)",
        ),
        (
            "kind = \"clues\"\n",
            "p:21: [[generate]] has no `clues` (add it, for example `clues = 30`)",
        ),
        (
            "kind = \"clues\"\nclues = 82\n",
            "p:25: `clues` in [[generate]] must be a whole number from 0 to 81, found `82` (write such a number, for example `clues = 81`)",
        ),
        (
            "kind = \"minimal\"\ngrids = 101\n",
            "p:25: `grids = 101` are more than an input may hold, 100 (write a smaller number, or \"most\")",
        ),
        (
            "kind = \"minimal\"\ngrids = \"all\"\n",
            "p:25: unknown grids `all` (use `most`)",
        ),
        (
            "kind = \"minimal\"\ncount = 0\n",
            "p:25: `count` in [[generate]] must be a whole number from 1 to 10000, found `0` (write such a number, for example `count = 1`)",
        ),
        (
            "kind = \"minimal\"\norder = 4\n",
            "p:25: the problem has no grids of order 4 (its orders: 9)",
        ),
        (
            "kind = \"minimal\"\ngroup = \"../secret\"\n",
            "p:25: `group = \"../secret\"` is not a valid file name (use letters, digits, `-`, `_` and `.`, and no `.` at the \
             start)",
        ),
        (
            "kind = \"several\"\nsolutions = 9\nmost_solutions = 8\n",
            "p:26: `most_solutions` is 8, less than 9 `solutions` (raise it, or lower `solutions`)",
        ),
        (
            "kind = \"unsolvable\"\n",
            "p:24: `kind = \"unsolvable\"` makes grids without a solution, and the problem promises one (say in [answer] how to answer them, or delete the recipe)",
        ),
    ] {
        refuses(&format!("{head}{recipe}"), &[expected]);
    }
}

#[test]
fn kinds_for_plain_9x9_grids_and_for_several_solutions_are_refused_where_they_do_not_fit()
 {
    let small = SPEC
        .replace("order = 9", "order = 4")
        .replace("3x3", "2x2")
        .replace("123456789", "1234");
    let recipes = "[[generate]]\nname = \"a\"\nseed = 1\nkind = \"seventeen\"\n\
                   [[generate]]\nname = \"b\"\nseed = 1\nkind = \"several\"\n";
    let said = read(&(small.replace("\"any\"", "\"unique\"") + recipes)).unwrap_err();
    assert_eq!(
        said,
        [
            "p:24: `kind = \"seventeen\"` is for grids of order 9 with boxes of 3x3 and no other regions (choose another \
             kind)",
            "p:28: `kind = \"several\"` makes grids with several solutions, and the problem promises one (say in [answer] how to answer them, or delete the recipe)",
        ]
    );
}

#[test]
fn two_recipes_may_not_make_the_same_case() {
    let recipe = |name: &str, count| {
        format!(
            "[[generate]]\nname = \"{name}\"\ncount = {count}\nseed = 1\nkind = \"minimal\"\n"
        )
    };
    refuses(
        &(recipe("a", 20) + &recipe("a-07", 1)),
        &[
            "p:26: the recipe on line 21 makes cases of the same name (give one of them another name or group)",
        ],
    );
    assert_eq!(
        read(&format!("{SPEC}{}{}", recipe("a", 9), recipe("a", 20)))
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn recipes_are_checked_even_if_the_problem_itself_has_mistakes() {
    let broken = SPEC.replace("order = 9", "order = 0");
    let said = read(&(broken + "[[generate]]\nname = \"a\"\nkind = \"minimal\"\n"))
        .unwrap_err();
    assert_eq!(
        said,
        [
            "p:5: `order` in [grid] must be a whole number from 1 to 25, found `0` (write such a number, for example `order = 1`)",
            "p:21: [[generate]] has no `seed` (add it, for example `seed = 1`)"
        ]
    );
}
