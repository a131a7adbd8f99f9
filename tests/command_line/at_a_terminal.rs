//! Output at a terminal: progress lines while judging goes on, none of them left at the
//! end, and no line wider than the terminal.

use crate::command_line::pty::{Screen, Terminal};
use crate::judge::{self, HALF_RIGHT, Judge, RIGHT, SOLVED, SPEC, while_waking};

/// A long file name, like those that describe what is wrong with a program.
const LONG_NAME: &str =
    "wrong/a_program_that_tells_with_many_words_what_it_does_not_do_right.sh";

/// A recipe whose cases are generated quickly.
const RECIPE: &str = "\n[[generate]]\ngroup = \"secret\"\nname = \"made\"\ncount = 2\ngrids = 1\nkind = \"minimal\"\nseed = 3\n";

fn judge_with_examples() -> Judge {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    judge.script(format!("problems/mini/submissions/{LONG_NAME}"), RIGHT);
    judge
}

/// A judge with a submission that sleeps for ten minutes, within its time limit.
fn judge_with_a_sleeper(name: &str) -> Judge {
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "time = \"10s\"",
        "time = \"600s\"",
    );
    judge.script(name, "#!/bin/sh\nexec sleep 600\n");
    judge
}

/// Presses Ctrl-C; returns what is left on the screen.
#[track_caller]
fn interrupted(mut terminal: Terminal) -> Vec<String> {
    terminal.press_interrupt();
    let (code, screen) = terminal.end();
    assert_eq!(
        (code, &screen.overflowing),
        (Some(130), &vec![]),
        "{:#?}",
        screen.seen
    );
    screen.results()
}

/// Waits for the judge to end while its sleeping programs are killed as often as they
/// start: a run may be repeated to measure it again.
fn end_of_woken(terminal: Terminal) -> (Option<i32>, Screen) {
    while_waking(terminal.process(), || terminal.end())
}

fn wide_rows(
    judge: &Judge,
    arguments: &[&str],
    expected: Option<i32>,
) -> Vec<String> {
    let (code, Screen { overflowing, .. }) = Terminal::start(judge, arguments).end();
    assert_eq!(code, expected, "{arguments:?}");
    overflowing
}

#[test]
fn no_command_prints_a_line_that_is_wider_than_the_terminal() {
    let judge = judge_with_examples();
    judge.put("problems/mini/problem.toml", SPEC.to_owned() + RECIPE);
    judge.put("log.jsonl", "");
    judge.put("wrong.txt", "1234\n3412\n2143\n432\n");
    let input = "cases/mini/secret/002-two.in";
    let half = "problems/mini/submissions/wrong/half.sh";
    for (arguments, code) in [
        (&["generate", "--check"][..], 1),
        (&["generate"], 0),
        (
            &["grade", "-v", "--sandbox", "basic", "--log", "log.jsonl"],
            1,
        ),
        (&["grade", half, "--time-factor"], 2),
        (&["verify"], 1),
        (&["strength"], 1),
        (&["strength", "-q"], 1),
        (&["list"], 0),
        (&["answers", "--check"], 0),
        (&["stress", "-p", "mini", half, "--seed", "1"], 1),
        (&["check", "-p", "mini", input, "wrong.txt"], 1),
        (&["compare", "log.jsonl", "log.jsonl"], 0),
        (&["standings", "log.jsonl"], 2),
    ] {
        assert_eq!(
            wide_rows(&judge, arguments, Some(code)),
            [""; 0],
            "{arguments:?}"
        );
    }
    judge.edit(
        "problems/mini/problem.toml",
        "order = 4",
        "order = [4]\norder_lines = \"grids of this order\"",
    );
    assert_eq!(wide_rows(&judge, &["list"], Some(2)), [""; 0]);
}

#[test]
fn standings_of_many_problems_are_shortened_to_fit_the_terminal_but_not_in_a_pipe() {
    let judge = Judge::new();
    let ids =
        ["one", "other"].map(|name| format!("{name}-problem-of-a-long-name-indeed"));
    for id in &ids {
        judge.put(format!("problems/{id}/problem.toml"), SPEC);
        judge
            .put(format!("cases/{id}/sample/1.in"), judge::ONE)
            .put(format!("cases/{id}/sample/1.ans"), SOLVED);
        judge.script(format!("finals/a-team/{id}@7.sh"), RIGHT);
    }
    assert_eq!(
        judge.run(&["grade", "finals", "--log", "log.jsonl"]).code,
        Some(0)
    );
    let (code, screen) = Terminal::start(&judge, &["standings", "log.jsonl"]).end();
    assert_eq!((code, &screen.overflowing), (Some(0), &vec![]));
    let lettered = "rank  team    solved  penalty     A     B";
    assert_eq!(
        screen.rows()[2..5],
        [
            lettered,
            "   1  a-team       2       14  + 7*  + 7*",
            &format!("A {}, B {}", ids[0], ids[1])
        ]
    );
    let piped = judge.run(&["standings", "log.jsonl"]).stdout;
    assert!(
        piped.contains(&format!("penalty  {}  {}\n", ids[0], ids[1])),
        "{piped}"
    );
}

#[test]
fn progress_counts_finished_submissions_and_names_the_current_case_and_is_erased_at_the_end()
 {
    let judge = judge_with_a_sleeper("sleeps.sh");
    judge.script("right.sh", RIGHT);
    let mut terminal = Terminal::start(
        &judge,
        &["grade", "-j1", "-p", "mini", "right.sh", "sleeps.sh"],
    );
    terminal.wait_for_text("] 1 of 2 submissions: 1 accepted, ");
    terminal.wait_for_text("  mini sleeps.sh: judging case 1 of 2, ");
    let (code, screen) = end_of_woken(terminal);
    assert_eq!(code, Some(1));
    let left = screen.results();
    assert!(
        !left
            .iter()
            .any(|row| row.contains("judging case")
                || row.contains("of 2 submissions")),
        "{left:#?}"
    );
    assert_eq!(
        left[0], "mini sleeps.sh: RE (runtime error) on sample/001-one",
        "{left:#?}"
    );
    assert_eq!(
        left.last().unwrap(),
        "2 submissions, 3 trials: 1 accepted, 1 not"
    );
}

#[test]
fn progress_shows_that_a_source_is_being_compiled() {
    let judge = Judge::new();
    judge.put(
        "judge.toml",
        "[languages.lazy]\nextensions = [\"lazy\"]\ncompile = [\"sleep\", \"600\"]\nrun = [\"{program}\"]\n\
         compile_time = \"600s\"\n",
    );
    judge.put("mini.lazy", "");
    let mut terminal = Terminal::start(&judge, &["grade", "mini.lazy"]);
    terminal.wait_for_text("] 0 of 1 submission, ");
    terminal.wait_for_text("  mini mini.lazy: compiling, ");
    assert_eq!(
        interrupted(terminal),
        ["0 submissions, 0 trials: 0 accepted; interrupted"]
    );
}

#[test]
fn ctrl_c_leaves_only_the_summary_of_finished_work_on_the_screen() {
    // The terminal echoes `^C` at the cursor, after a progress line of the greatest
    // length.
    for name in ["mini.sh", &format!("mini/{LONG_NAME}")] {
        let judge = judge_with_a_sleeper(name);
        let mut terminal = Terminal::start(&judge, &["grade", "-p", "mini", name]);
        terminal.wait_for_text(": judging case");
        assert_eq!(
            interrupted(terminal),
            ["0 submissions, 0 trials: 0 accepted; interrupted"]
        );
    }
    // There is no result yet while grids are being generated.
    let judge = Judge::new();
    let recipe =
        RECIPE.replace("count = 2\ngrids = 1", "count = 9999\ngrids = \"most\"");
    judge.put("problems/mini/problem.toml", SPEC.to_owned() + &recipe);
    let mut terminal = Terminal::start(&judge, &["generate", "--check"]);
    terminal.wait_for_text(" grids made");
    assert_eq!(interrupted(terminal), [""; 0]);
    let judge = judge_with_a_sleeper("mini.sh");
    let mut terminal =
        Terminal::start(&judge, &["stress", "-p", "mini", "mini.sh", "--seed", "1"]);
    terminal.wait_for_text("looking for an input that fails: ");
    assert_eq!(
        interrupted(terminal),
        ["no failure in 0 inputs of seed 1; interrupted"]
    );
}

#[test]
fn commands_that_wait_for_a_program_name_it() {
    let judge = judge_with_a_sleeper("problems/mini/submissions/accepted/sleeps.sh");
    judge
        .put("pack/problem.yaml", "name: Pack\n")
        .put("pack/data/secret/1.in", "");
    judge.put(
        "pack/submissions/accepted/sleeps.py",
        "import time\ntime.sleep(600)\n",
    );
    for (arguments, expected) in [
        (
            &["verify", "mini"][..],
            "  mini accepted/sleeps.sh: judging case",
        ),
        (
            &["answers", "./pack"],
            "running accepted/sleeps.py: secret/1",
        ),
    ] {
        let mut terminal = Terminal::start(&judge, arguments);
        terminal.wait_for_text(expected);
        terminal.press_interrupt();
        assert_eq!(terminal.end().0, Some(130), "{arguments:?}");
    }
}

#[test]
fn a_transcript_is_shown_above_the_progress_lines_during_its_run() {
    let judge = Judge::new();
    judge.put(
        "problems/talk/problem.toml",
        "name = \"Talk\"\n[task]\nkind = \"interactive\"\ninteractor = \"interact.sh\"\n[task.limits]\ntime = \"300s\"\n",
    );
    judge.script(
        "problems/talk/interact.sh",
        "#!/bin/sh\necho go\nread -r word\nsleep 600\nexit 42\n",
    );
    judge
        .put("cases/talk/sample/1.in", "")
        .put("cases/talk/sample/1.ans", "");
    judge.script("ok.sh", "#!/bin/sh\nread -r word\necho ok\n");
    let mut terminal =
        Terminal::start(&judge, &["grade", "-p", "talk", "ok.sh", "--transcript"]);
    terminal.wait_for_text(" s > ok");
    terminal.wait_for_text("] 0 of 1 submission");
    let (code, screen) = end_of_woken(terminal);
    let rows = screen.results();
    assert_eq!(
        (code, &*rows[0]),
        (Some(0), "talk ok.sh on sample/1"),
        "{rows:#?}"
    );
    assert!(
        rows[1].ends_with(" s < go") && rows[2].ends_with(" s > ok"),
        "{rows:#?}"
    );
    assert_eq!(rows[3], "    verdict: AC", "{rows:#?}");
    assert!(
        !rows.iter().any(|row| row.contains("of 1 submission")),
        "{rows:#?}"
    );
}

#[test]
fn a_report_on_the_screen_ends_with_a_hint_to_others() {
    let judge = Judge::new();
    judge.script("right.sh", RIGHT);
    judge.run(&["grade", "right.sh", "-p", "mini", "--log", "log.jsonl"]);
    let shown = |arguments: &[&str]| Terminal::start(&judge, arguments).end().1.seen;
    let hint = "note: `--html FILE` and other options write reports: `gridjudge help report`";
    let rows = shown(&["report", "log.jsonl"]);
    assert!(rows.iter().any(|row| row == hint), "{rows:#?}");
    for arguments in [
        ["report", "log.jsonl", "-q"],
        ["report", "log.jsonl", "--csv=c"],
    ] {
        let rows = shown(&arguments);
        assert!(!rows.iter().any(|row| row == hint), "{rows:#?}");
    }
}

#[test]
fn names_of_mutants_are_whole_at_80_columns() {
    let (_, screen) =
        Terminal::start(&Judge::new(), &["strength", "mini", "-v"]).end();
    let rows = screen.results();
    let is_whole = |row: &String| row.starts_with("columns-not-restored ");
    assert!(rows.iter().any(is_whole), "{rows:#?}");
}
