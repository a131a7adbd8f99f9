//! `gridjudge generate` on the command line.

use crate::judge::{self, Judge, SPEC};

const RECIPE: &str = "\n[[generate]]\ngroup = \"secret\"\nname = \"made\"\ncount = 2\ngrids = \"most\"\nkind = \"minimal\"\nseed = 3\n";

const INPUT: &str = "cases/mini/secret/made-1.in";
const ANSWER: &str = "cases/mini/secret/made-1.ans";
const NOTE: &str = "cases/mini/generated.md";

fn judge() -> Judge {
    let judge = Judge::new();
    judge.put("problems/mini/problem.toml", format!("{SPEC}{RECIPE}"));
    judge
}

/// A judge's folder whose recipes have been run.
fn filled() -> Judge {
    let judge = judge();
    let ran = judge.run(&["generate"]);
    let expected = "wrote cases/mini/secret/made-1.in\nwrote cases/mini/secret/made-2.in\n2 cases of recipes: 2 written\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), expected, "")
    );
    judge
}

#[track_caller]
fn assert_output(
    judge: &Judge,
    arguments: &[&str],
    code: i32,
    stdout: &str,
    stderr: &str,
) {
    let ran = judge.run(arguments);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str(), ran.code),
        (stdout, stderr, Some(code))
    );
}

#[test]
fn cases_are_generated_once_and_are_sound() {
    let judge = filled();
    assert!(judge.read(INPUT).starts_with("5\n"));
    assert_output(
        &judge,
        &["answers", "--check"],
        0,
        "4 cases: 4 answers proven, 0 written\n",
        "",
    );
    assert_output(
        &judge,
        &["generate"],
        0,
        "2 cases of recipes: all were there already, nothing written\n",
        "",
    );
    assert_output(
        &judge,
        &["generate", "--check", "-j1"],
        0,
        "2 cases of recipes: 0 differing\n",
        "",
    );
    assert!(judge.read(NOTE).contains("| secret/made-1 | 5 | "));
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_folder() {
    let judge = judge();
    let outside = tempfile::tempdir().unwrap();
    std::fs::remove_dir_all(judge.path("cases/mini/secret")).unwrap();
    judge.link("cases/mini/secret", outside.path().to_str().unwrap());
    let message = "error: cases/mini/secret: is a link that leads out of the judge's folder\n\
        hint: put the files themselves in its place, or name the other folder in judge.toml (`problems`, `cases` or [case_folders])";
    judge.refuses(&["generate"], message);
    assert_eq!(outside.path().read_dir().unwrap().count(), 0);
}

#[test]
fn check_names_differing_and_missing_files_and_writes_nothing() {
    let judge = filled();
    let before = judge.read(INPUT);
    judge
        .edit(INPUT, "5\n", "4\n")
        .remove("cases/mini/secret/made-2.ans");
    assert_output(
        &judge,
        &["generate", "--check", "-q"],
        1,
        "cases/mini/secret/made-1.in differs from line 1 on\ncases/mini/secret/made-2.ans is missing\n",
        "",
    );
    assert_ne!(judge.read(INPUT), before);
    assert!(!judge.path("cases/mini/secret/made-2.ans").exists());
}

#[test]
fn a_changed_recipe_replaces_its_cases() {
    let judge = filled();
    let before = judge.read(INPUT);
    judge.edit("problems/mini/problem.toml", "seed = 3", "seed = 4");
    assert_eq!(judge.run(&["generate", "-q"]).code, Some(0));
    assert_ne!(judge.read(INPUT), before);
    assert_output(
        &judge,
        &["answers", "--check"],
        0,
        "4 cases: 4 answers proven, 0 written\n",
        "",
    );
}

#[test]
fn cases_made_or_changed_by_hand_are_never_overwritten() {
    let foreign = format!(
        "error: {INPUT}: a recipe makes a case of this name, and this one was made or changed by hand\n\
         hint: give the recipe another name, or delete the case to have it made again\n"
    );
    let judge = filled();
    judge
        .edit(ANSWER, "1", "2")
        .remove("cases/mini/secret/made-2.in");
    assert_output(&judge, &["generate"], 2, "", &foreign);
    assert!(!judge.path("cases/mini/secret/made-2.in").exists());
    let by_hand = self::judge();
    by_hand.put(INPUT, judge::ONE).put(ANSWER, judge::SOLVED);
    assert_output(&by_hand, &["generate"], 2, "", &foreign);
    assert_eq!(by_hand.read(INPUT), judge::ONE);
}

#[test]
fn an_interrupted_run_is_completed_by_the_next() {
    let judge = filled();
    judge
        .remove(NOTE)
        .remove("cases/mini/secret/made-1.in")
        .remove("cases/mini/secret/made-2.ans");
    let expected = "wrote cases/mini/secret/made-1.in\nwrote cases/mini/secret/made-2.in\n2 cases of recipes: 2 written\n";
    assert_output(&judge, &["generate"], 0, expected, "");
}

#[test]
fn cases_without_a_recipe_are_reported_and_deleted_only_on_request() {
    let judge = judge();
    judge.edit("problems/mini/problem.toml", "count = 2", "count = 3");
    assert_eq!(judge.run(&["generate", "-q"]).code, Some(0));
    judge.edit("problems/mini/problem.toml", "count = 3", "count = 2");
    let left = "cases/mini/secret/made-3.in is made by no recipe any more; `--prune` deletes it\n";
    for _ in 0..2 {
        assert_output(&judge, &["generate", "-q"], 0, left, "");
    }
    assert_eq!(judge.run(&["generate", "--check"]).code, Some(1));
    assert!(judge.path("cases/mini/secret/made-3.in").exists());
    let expected = "deleted cases/mini/secret/made-3.in\n2 cases of recipes: all were there already, nothing written\n";
    assert_output(&judge, &["generate", "--prune"], 0, expected, "");
    assert!(!judge.path("cases/mini/secret/made-3.in").exists());
    assert_eq!(judge.run(&["generate", "--check"]).code, Some(0));
}

#[test]
fn a_problem_without_recipes_is_reported() {
    let expected = "mini has no `[[generate]]` recipes to make cases from: write one into problems/mini/problem.toml, for example \
                `group = \"secret\"`, `name = \"easy\"`, `kind = \"minimal\"`, `seed = 1`\n";
    let judge = Judge::new();
    assert_output(&judge, &["generate", "mini"], 0, expected, "");
    judge.put(
        "problems/mini/problem.toml",
        SPEC.to_owned()
            + "\n[[generate]]\ngroup = \"secret\"\nname = \"easy\"\nkind = \"minimal\"\nseed = 1\n",
    );
    assert_eq!(judge.run(&["generate", "mini"]).code, Some(0));
    let judge = Judge::new();
    judge.put("problems/maxi/problem.toml", SPEC);
    assert_output(
        &judge,
        &["generate"],
        0,
        "2 problems: none has `[[generate]]` recipes to make cases from\n",
        "",
    );
    assert_output(&judge, &["generate", "-q"], 0, "", "");
}

#[test]
fn a_recipe_that_cannot_be_carried_out_is_a_mistake_on_its_line() {
    let judge = judge();
    judge.edit(
        "problems/mini/problem.toml",
        "kind = \"minimal\"",
        "kind = \"clues\"\nclues = 3",
    );
    assert_output(
        &judge,
        &["generate"],
        2,
        "",
        "error: problems/mini/problem.toml:24: the recipe `made` fails: no grid with 3 clues and one solution was found; \
         the one with the fewest had 4\nhint: ask for more clues\n",
    );
    assert!(!judge.path(NOTE).exists());
}
