//! Contests on the command line: a folder of teams, mistakes in it, the standings, and
//! the log that they are read from.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::judge::{HALF_RIGHT, Judge, RIGHT, Ran, needs_cc};
use serde_json::Value;

/// A script that is wrong on every case.
const WRONG: &str = "#!/bin/sh\necho 1\n";

/// A judge's folder with a second problem, `maxi`, with the same cases but 10 points
/// for the first and 90 for the second.
fn judge() -> Judge {
    let judge = Judge::new();
    let spec = judge.read("problems/mini/problem.toml")
        + "\n[points]\nsample = 10\nsecret = 90\n";
    judge.put("problems/maxi/problem.toml", spec);
    for case in ["sample/001-one", "secret/002-two"] {
        for ending in ["in", "ans"] {
            judge.put(
                format!("cases/maxi/{case}.{ending}"),
                judge.read(&format!("cases/mini/{case}.{ending}")),
            );
        }
    }
    judge
}

/// The same with a contest: `alpha` needs two attempts at `mini`, `beta` is first but
/// solves only `mini`, `idle` submits nothing.
fn contest() -> Judge {
    let judge = judge();
    judge
        .script("c/alpha/mini@10", WRONG)
        .script("c/alpha/mini@1:35", RIGHT)
        .script("c/alpha/maxi@120", RIGHT);
    judge
        .script("c/beta/mini@60", RIGHT)
        .script("c/beta/maxi@70", HALF_RIGHT);
    fs::create_dir(judge.path("c/idle")).unwrap();
    judge
}

/// The lines of the standings, without the legend.
fn standings(ran: &Ran) -> Vec<&str> {
    let lines = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("rank "));
    lines
        .take_while(|line| !line.starts_with(['+', '*', '?']))
        .collect()
}

#[test]
fn a_contest_is_judged_and_ranked() {
    let ran = contest().run(&["grade", "c"]);
    // Two attempts are rejected, but no verdict was expected of them.
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        standings(&ran),
        [
            "rank  team   solved  penalty    maxi   mini",
            "   1  alpha       2      235  + 120*  +1 95",
            "   2  beta        1       60      -1  + 60*",
            "   3  idle        0        0       .      .",
        ]
    );
    assert!(ran.stdout.contains("\n5 submissions, "), "{}", ran.stdout);
}

#[test]
fn standings_by_points_count_the_accepted_cases_of_an_unsolved_problem() {
    let ran = contest().run(&["grade", "c", "--by", "points"]);
    assert_eq!(
        standings(&ran),
        [
            "rank  team   points  maxi  mini",
            "   1  alpha     200   100   100",
            "   2  beta      110    10   100",
            "   3  idle        0     .     .",
        ]
    );
}

#[test]
fn a_rejected_attempt_costs_the_penalty_that_was_given() {
    let ran = contest().run(&["grade", "c", "--penalty", "7"]);
    assert!(
        standings(&ran)[1].starts_with("   1  alpha       2      222"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_contest_without_times_counts_attempts() {
    let judge = judge();
    judge
        .script("c/a/mini#1", WRONG)
        .script("c/a/mini#2", RIGHT)
        .script("c/b/mini", RIGHT);
    assert_eq!(
        standings(&judge.run(&["grade", "c"])),
        [
            "rank  team  solved  penalty  mini",
            "   1  b          1        0     +",
            "   2  a          1       20    +1"
        ]
    );
}

#[test]
fn standings_from_a_log_are_those_of_grading() {
    let judge = contest();
    let files = ["--standings-html", "s.html", "--standings-csv", "s.csv"];
    let graded =
        judge.run(&[&["grade", "c", "--log", "log", "-q"], &files[..]].concat());
    let read = judge.run(&["standings", "log", "--html", "r.html", "--csv", "r.csv"]);
    assert_eq!((read.code, read.stderr.as_str()), (Some(0), ""));
    let from = graded.stdout.find("\nstandings").unwrap();
    assert_eq!(graded.stdout[from..], read.stdout);
    assert_eq!(judge.read("s.html"), judge.read("r.html"));
    assert_eq!(judge.read("s.csv"), judge.read("r.csv"));
    assert!(judge.read("s.html").starts_with("<!DOCTYPE html>"));
    assert_eq!(judge.read("s.csv").lines().count(), 4);
    let by_points = judge.run(&["standings", "log", "--by", "points"]);
    assert_eq!(standings(&by_points)[2], "   2  beta      110    10   100");
}

#[test]
fn the_log_holds_teams_minutes_and_scores() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log"]);
    let log = judge.read("log");
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let contest = serde_json::json!({"name": "c", "teams": ["alpha", "beta", "idle"], "problems": ["maxi", "mini"]});
    assert_eq!(events[0]["contest"], contest);
    let of = |kind: &str, name: &str| {
        events
            .iter()
            .find(|event| event["event"] == kind && event["submission"] == name)
            .unwrap_or_else(|| panic!("{kind} {name}"))
            .clone()
    };
    let started = of("submission_started", "alpha/mini@1:35");
    assert_eq!(
        (&started["team"], &started["minute"]),
        (&"alpha".into(), &95.into())
    );
    let finished = of("submission_finished", "beta/maxi@70");
    assert_eq!(
        (&finished["team"], &finished["minute"]),
        (&"beta".into(), &70.into())
    );
    assert_eq!(
        (&finished["score"]["earned"], &finished["score"]["of"]),
        (&10.into(), &100.into())
    );
    assert_eq!(of("submission_finished", "beta/mini@60").get("score"), None);
}

#[test]
fn a_log_of_no_contest_is_refused() {
    let judge = judge();
    judge
        .script("mini", RIGHT)
        .run(&["grade", "mini", "--log", "log"]);
    let hint = "log one with `gridjudge grade --log FILE DIR`, DIR being `<team>/<problem>.<ext>`";
    judge.refuses(
        &["standings", "log", "--html", "s.html"],
        &format!("error: log: is the log of no contest\nhint: {hint}"),
    );
    let hint = "grade the folder of a contest: `<team>/<problem>.<ext>`";
    judge.refuses(
        &["grade", "mini", "--standings-csv", "s.csv"],
        &format!(
            "error: s.csv: there are no standings without a contest\nhint: {hint}"
        ),
    );
    judge.refuses(
        &["standings", "mini"],
        "error: mini: is not a log of gridjudge\nhint: write a log with `gridjudge grade --log FILE`",
    );
}

#[test]
fn an_output_of_a_contest_that_shares_its_file_is_refused_before_anything_runs() {
    let judge = contest();
    fs::create_dir(judge.path("sub")).unwrap();
    judge.run(&["grade", "c", "--log", "log"]);
    let twice = "appears twice\nhint: name each file once; `--github` writes to `-`";
    for (arguments, name) in [
        (
            vec![
                "grade",
                "c",
                "--standings-html",
                "s",
                "--standings-csv",
                "sub/../s",
            ],
            "sub/../s",
        ),
        (
            vec!["grade", "c", "--standings-csv", "s", "--csv", "./s"],
            "./s",
        ),
        (
            vec!["grade", "c", "--standings-html", "s", "--log", "s"],
            "s",
        ),
        (
            vec!["standings", "log", "--html", "s", "--csv", "./s"],
            "./s",
        ),
        (vec!["standings", "log", "--html", "./log"], "log"),
    ] {
        judge.refuses(&arguments, &format!("error: {name}: {twice}"));
    }
    assert!(!judge.path("s").exists());
}

#[test]
fn only_standings_go_to_standard_output_on_request() {
    let judge = contest();
    let graded = judge.run(&["grade", "c", "--log", "log", "--standings-csv", "-"]);
    let read = judge.run(&["standings", "log", "--csv", "-"]);
    assert!(
        read.stdout.starts_with("rank,team,solved,")
            && read.stderr.contains("standings of c")
    );
    assert_eq!(graded.stdout, read.stdout);
    assert!(!judge.path("-").exists());
}

#[test]
fn standings_do_not_overwrite_another_file() {
    let judge = contest();
    judge.refuses(
        &["grade", "c", "--wall"],
        "error: --wall: there is no page to make for a wall\n\
         hint: name its file: `standings --html FILE`, or `--standings-html FILE`",
    );
    for flag in ["--standings-html", "--standings-csv"] {
        judge.refuses(
            &["grade", flag, "c/beta/mini@60", "c"],
            "error: c/beta/mini@60: holds no standings, and new ones would overwrite it\n\
             hint: name another file, or delete this one",
        );
    }
}

#[test]
fn a_team_that_crashes_or_cannot_be_judged_does_not_stop_the_others() {
    let judge = judge();
    judge
        .script("c/crash/mini@1", "#!/bin/sh\nkill -SEGV $$\n")
        .script("c/right/mini@3", RIGHT);
    judge.put(
        "judge.toml",
        "[languages.x]\nname = \"X\"\nextensions = [\"x\"]\nrun = [\"no-such-runtime\"]\n",
    );
    judge
        .put("c/odd/mini@2.x", "")
        .script("c/odd/mini@5", WRONG);
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    // No attempt is marked as first, because the one that could not be judged may have
    // been.
    assert_eq!(
        standings(&ran),
        [
            "rank  team   solved  penalty  mini",
            "   1  right       1        3   + 3",
            "   2  crash       0        0    -1",
            "   2  odd         0        0   -1?",
        ]
    );
    // Merged shards end as one machine does.
    for shard in ["1/2", "2/2"] {
        judge.run(&["grade", "c", "--shard", shard, "--log-dir", "out"]);
    }
    assert_eq!(judge.run(&["merge", "out"]).code, Some(3));
}

#[test]
fn all_misplaced_and_misnamed_files_are_reported_at_once() {
    let judge = contest();
    judge
        .script("c/alpha/minni@5.sh", RIGHT)
        .script("c/alpha/zzzzzzzz", RIGHT)
        .script("c/beta/mini@1:75", RIGHT);
    judge
        .script("c/beta/mini@9#0", RIGHT)
        .script("c/beta/mini", RIGHT);
    judge
        .put("c/stray.c", "")
        .put("c/alpha/old/mini@3", "")
        .put("c/alpha/.git/x", "")
        .put("c/README.txt", "");
    judge
        .link("c/idle/mini@7", "/bin/true")
        .link("c/idle/maxi@8", "nowhere")
        .link("c/outside", "../problems");
    judge.link("c/idle/mini@6", "../beta/mini@60");
    judge.refuses(
        &["grade", "c", "--strict"],
        "error: c/alpha/minni@5.sh: unknown problem `minni`
hint: did you mean `mini`?
error: c/alpha/old: is a folder inside a team's folder
hint: put each submission, as one file, right into the team's folder; with a `course.toml`, which may be empty, folders are read as well
error: c/alpha/zzzzzzzz: unknown problem `zzzzzzzz`
hint: a submission is named after its problem; known: maxi, mini
error: c/beta/mini: has no minute, but `alpha/maxi@120` has one
hint: write `@MINUTE` after the problem, as in `sudoku@95.c`, for all submissions or for none
error: c/beta/mini@1:75: `@1:75` is not a valid contest time
hint: write the minutes since the start, for example `@95`, or hours and minutes, for example `@1:35`
error: c/beta/mini@9#0: `#0` is not a valid attempt number
hint: number the attempts at a problem as `#1`, `#2`
error: c/idle/maxi@8: cannot be read: No such file or directory (os error 2)
error: c/idle/mini@6: is a link that leads out of the team's folder
hint: put the file itself in its place
error: c/idle/mini@7: is a link that leads out of the team's folder
hint: put the file itself in its place
error: c/outside: is a link that leads out of the contest
hint: put the file itself in its place
error: c/stray.c: is in no team's folder
hint: put it into the folder of the team that handed it in, or delete it",
    );
    let right = contest().run(&["grade", "c"]);
    let ran = judge.run(&["grade", "c"]);
    assert_eq!((ran.code, standings(&ran)), (Some(0), standings(&right)));
    let note = "  c/alpha/minni@5.sh: unknown problem `minni` (did you mean `mini`?)\n  c/alpha/old: ";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

#[test]
fn endings_may_be_in_upper_case_and_what_systems_leave_is_no_submission() {
    let judge = judge();
    needs_cc();
    judge
        .put("c/alpha/mini@1.C", "int main() { return 0; }")
        .put("c/alpha/mini@2.XYZ", "");
    judge
        .put("c/beta/mini@3.PY", "print(1)\n")
        .put("c/beta/mini@4.py~", "")
        .put("c/beta/Thumbs.db", "");
    judge
        .put("c/beta/mini@5.py.txt", "")
        .put("c/beta/mini@6.zip", "")
        .put("c/__MACOSX/beta/x", "");
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("\n2 submissions, "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("__MACOSX"), "{}", ran.stdout);
    for line in [
        "  c/alpha/mini@2.XYZ: is of no known language and is not executable",
        "  c/beta/mini@5.py.txt: is of no known language (rename it to `mini@5.py`)\n",
        "  c/beta/mini@6.zip: is an archive (unpack it, ",
    ] {
        assert!(ran.stderr.contains(line), "{line}\n{}", ran.stderr);
    }
}

#[test]
fn a_problem_that_is_named_decides_whatever_a_file_is_called() {
    let judge = judge();
    judge
        .script("c/alpha/solution@3", RIGHT)
        .script("c/beta/mini@4", WRONG)
        .script("c/beta/maxi@5", WRONG);
    judge.script("c/beta/max@6", RIGHT);
    let ran = judge.run(&["grade", "c", "-p", "mini"]);
    assert_eq!(
        standings(&ran),
        [
            "rank  team   solved  penalty  mini",
            "   1  alpha       1        3  + 3*",
            "   2  beta        0        0    -1",
        ]
    );
    // It was meant for another problem.
    assert!(
        ran.stderr
            .contains("c/beta/max@6: unknown problem `max` (did you mean `maxi`?)"),
        "{}",
        ran.stderr
    );
}

#[test]
fn every_visible_folder_is_a_team_and_ignored_files_are_listed() {
    let judge = judge();
    for team in [".NET Ninjas", "Team.MD", "readme", "alpha"] {
        judge.script(format!("c/{team}/mini.sh"), RIGHT);
    }
    judge
        .put("c/.git/config", "")
        .put("c/README.md", "")
        .put("c/.hidden", "");
    judge
        .put("c/alpha/.mini.sh.swp", "")
        .put("c/alpha/notes.md", "")
        .put("c/alpha/.idea/x", "");
    let output = judge
        .command(&["grade", "c", "--standings-csv", "table.csv"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let note = "note: hidden files, notes and what systems and editors leave are not submissions: c/.git, c/.hidden, \
                c/README.md, c/alpha/.idea, c/alpha/.mini.sh.swp, c/alpha/notes.md\n";
    assert!(stderr.contains(note), "{stderr}");
    let table = judge.read("table.csv");
    for team in [".NET Ninjas", "Team.MD", "readme", "alpha"] {
        assert!(table.contains(team), "{team}: {table}");
    }
    let quiet = judge.command(&["grade", "c", "-q"]).output().unwrap();
    assert!(
        !String::from_utf8(quiet.stderr)
            .unwrap()
            .contains("not submissions")
    );
}

#[test]
fn two_attempts_without_a_known_order_are_not_judged() {
    let judge = contest();
    judge.script("c/beta/mini@60.sh", WRONG);
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(
        standings(&ran)[2],
        "   2  beta        0        0      -1       .",
        "{}",
        ran.stdout
    );
    judge.refuses(
        &["grade", "c", "--strict"],
        "error: c/beta/mini@60: may be before or after `beta/mini@60.sh`\n\
         hint: number the attempts of a minute in their order, as in `sudoku@95#1.c` and `sudoku@95#2.c`\n\
         error: c/beta/mini@60.sh: may be before or after `beta/mini@60`\n\
         hint: number the attempts of a minute in their order, as in `sudoku@95#1.c` and `sudoku@95#2.c`",
    );
    fs::rename(
        judge.path("c/beta/mini@60.sh"),
        judge.path("c/beta/mini@60#2.sh"),
    )
    .unwrap();
    assert_eq!(judge.run(&["grade", "c"]).code, Some(0));
}

#[test]
fn nothing_is_judged_where_nothing_can_be() {
    let judge = judge();
    judge.put("c/idle/mini@4.txt", "text");
    let ran = judge.run(&["grade", "c"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let start = "error: c/idle/mini@4.txt: is of no known language and is not executable\nhint: known endings: ";
    assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
}

#[test]
fn a_folder_that_is_not_a_contest_gets_a_message_that_describes_it() {
    let judge = contest();
    judge
        .script("problems/mini/submissions/accepted/a", RIGHT)
        .script("flat/mini", RIGHT);
    fs::create_dir(judge.path("empty")).unwrap();
    let of_problem = "belongs to problem `mini` and is not a contest\n\
                      hint: `gridjudge grade -p mini` judges its examples; others are graded by their names";
    let of_judge = |what: &str| {
        format!(
            "holds the judge's {what} and is not a contest\nhint: name a folder of `<team>/<problem>.<ext>`"
        )
    };
    let flat = |what: &str| {
        format!(
            "is not a contest: {what}, and no folder of a team\nhint: a contest is `<team>/<problem>.<ext>`; to grade \
             programs that belong to no team, name their files"
        )
    };
    for (path, message) in [
        ("problems/mini/submissions", of_problem.to_owned()),
        ("problems/mini/submissions/accepted", of_problem.to_owned()),
        ("problems", of_judge("problems")),
        (".", of_judge("problems")),
        ("cases/mini/sample", of_judge("cases")),
        ("flat", flat("there are only files in it")),
        ("empty", flat("it is empty")),
    ] {
        judge.refuses(&["grade", path], &format!("error: {path}: {message}"));
    }
    judge.refuses(
        &["grade", "c", "flat/mini"],
        "error: c: is a folder, not a submission\n\
         hint: name the files in it; a contest's folder is graded alone",
    );
    judge.refuses(
        &["grade", "c", "-p", "minni"],
        "error: problems: there is no problem `minni` in this folder\nhint: did you mean `mini`?",
    );
}

#[test]
fn unknown_problems_and_unknown_languages_are_reported_at_once() {
    let judge = contest();
    judge
        .put("c/gamma/mini@1.zzz", "x")
        .put("c/gamma/nope@4.c", "x");
    let ran = judge.run(&["grade", "c", "--strict"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(
        ran.stderr
            .contains("error: c/gamma/mini@1.zzz: is of no known language"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("error: c/gamma/nope@4.c: "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.matches("error: ").count(), 2, "{}", ran.stderr);
}

#[test]
fn one_problem_of_a_contest_can_be_judged_alone() {
    let ran = contest().run(&["grade", "c", "-p", "mini"]);
    assert_eq!(standings(&ran)[0], "rank  team   solved  penalty   mini");
    assert!(ran.stdout.contains("\n3 submissions, "), "{}", ran.stdout);
}

#[test]
fn the_html_page_has_the_name_of_the_contest_and_a_heading_for_each_problem() {
    let judge = contest();
    judge.run(&["grade", "c", "--html", "page.html"]);
    let page = judge.read("page.html");
    assert!(page.contains("<h1><bdi>c</bdi></h1>"), "{page}");
    for problem in ["maxi", "mini"] {
        assert_eq!(
            page.matches(&format!("<h3><bdi>{problem}</bdi></h3>"))
                .count(),
            1,
            "{page}"
        );
    }
}

#[test]
fn standings_from_some_of_the_cases_have_a_note() {
    let judge = contest();
    let ran = judge.run(&[
        "grade",
        "c",
        "--group",
        "sample",
        "--log",
        "log",
        "--standings-html",
        "page.html",
    ]);
    let note = "only some cases were judged: not the result of the contest";
    assert!(ran.stdout.contains(note), "{}", ran.stdout);
    assert!(
        judge
            .read("page.html")
            .contains("Only some cases were judged.")
    );
    assert!(judge.run(&["standings", "log"]).stdout.contains(note));
    assert!(!judge.run(&["grade", "c"]).stdout.contains(note));
}

#[test]
fn a_contest_may_have_a_name_and_an_order_of_problems() {
    let judge = contest();
    judge.put(
        "c/contest.toml",
        "name = \"Finals\"\nproblems = [\"mini\", \"maxi\"]\n",
    );
    let ran = judge.run(&["grade", "c"]);
    assert!(
        ran.stdout
            .contains("\nrank  team   solved  penalty   mini    maxi\n"),
        "{}",
        ran.stdout
    );
    judge.script("c/beta/mini@9#0", RIGHT);
    judge.put(
        "c/contest.toml",
        "nam = 1\nproblems = [\"minni\", \"maxi\", \"maxi\"]\n",
    );
    judge.refuses(
        &["grade", "c"],
        "error: c/contest.toml:1: unknown key `nam`
hint: did you mean `name`?
error: c/contest.toml:2: there is no problem `minni`
hint: did you mean `mini`?
error: c/contest.toml:2: problem `maxi` is listed twice
hint: delete one of the two",
    );
    judge.put("c/contest.toml", "problems = [\"mini\"]\n");
    let ran = judge.run(&["grade", "c"]);
    assert!(
        ran.stderr
            .contains("is for problem `maxi`, which is not in this contest "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_team_is_found_whatever_code_its_accents_have() {
    let judge = judge();
    judge
        .put("c/Jose\u{301}/mini@1.sh", RIGHT)
        .put("c/contest.toml", "[team.\"Jos\u{e9}\"]\nname = \"J\"\n");
    let graded = judge.run(&["grade", "c"]);
    assert_eq!(graded.code, Some(0), "{}", graded.stderr);
    assert_eq!(standings(&graded)[1], "   1  J          1        1  + 1*");
}

#[test]
fn rules_of_a_contest_are_in_its_log_so_that_its_standings_are_the_same_later() {
    let judge = contest();
    judge.put(
        "c/contest.toml",
        "length = \"2:00\"\nfreeze = 90\npenalty = 7\n[team.beta]\nname = \"B\"\ngroup = \"new\"\n\
         [team.idle]\nstatus = \"disqualified\"\n[problem.mini]\nlabel = \"M\"\ncolor = \"red\"\n",
    );
    let graded = judge.run(&["grade", "c", "--log", "log", "--freeze", "1:20"]);
    let shown = "standings of c\n\
                 ranked by problems solved, then by time, with 7 minutes for a rejected attempt\n\
                 frozen since minute 80\n120 minutes\n1 attempt after the end not counted\n\
                 1 team disqualified\n";
    let from = graded
        .stdout
        .find(shown)
        .unwrap_or_else(|| panic!("{}", graded.stdout));
    assert_eq!(
        standings(&graded)[..4],
        [
            "rank  team   solved  penalty  maxi      M",
            "   1  B           1       60    -1  + 60*",
            "   2  alpha       0        0     .  -1 ?1",
            "  dq  idle        0        0     .      .",
        ]
    );
    assert_eq!(
        judge.run(&["standings", "log"]).stdout,
        format!("\n{}", &graded.stdout[from..])
    );
    let all = judge.run(&["standings", "log", "--unfreeze", "--as-of", "96"]);
    assert!(
        standings(&all)[2].contains(" alpha       1      102 "),
        "{}",
        all.stdout
    );
}

#[test]
fn files_that_are_named_as_in_a_contest_are_ranked_as_in_its_folder() {
    let judge = contest();
    let folder = judge.run(&["grade", "c"]);
    judge.put("c/README.md", "");
    let files = [
        "c/README.md",
        "c/beta/mini@60",
        "c/alpha/maxi@120",
        "c/alpha/mini@10",
        "c/alpha/mini@1:35",
        "c/beta/maxi@70",
    ];
    let ran = judge.run(&[&["grade"], &files[..]].concat());
    assert_eq!(standings(&ran), standings(&folder)[..3], "{}", ran.stderr);
    let some = judge.run(&[&["grade", "-p", "mini"], &files[..]].concat());
    assert_eq!(
        standings(&some),
        [
            "rank  team   solved  penalty   mini",
            "   1  beta        1       60  + 60*",
            "   2  alpha       1      115  +1 95",
        ]
    );
    let both = judge.run(&["grade", "c", "-p", "mini", "-p", "maxi"]);
    assert_eq!(
        standings(&both)[0],
        "rank  team   solved  penalty   mini    maxi"
    );
}

#[test]
fn files_that_are_named_have_the_rules_of_the_folder_around_their_teams() {
    let judge = contest();
    judge.put(
        "c/contest.toml",
        "name = \"Finals\"\npenalty = 7\npage = \"page.html\"\n",
    );
    let files = ["c/beta/mini@60", "c/alpha/mini@10", "c/alpha/mini@1:35"];
    let ran = judge.run(&[&["grade"], &files[..]].concat());
    assert!(
        ran.stdout.contains("\nstandings of Finals\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("with 7 minutes"), "{}", ran.stdout);
    assert!(!judge.path("c/page.html").exists());
    judge.script("d/gamma/mini@5", RIGHT);
    let arguments = [&["grade", "d/gamma/mini@5"], &files[..]].concat();
    let output = judge.command(&arguments).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let note = "note: c/contest.toml is not read, since the teams are not all in its folder\n";
    assert!(stderr.contains(note), "{stderr}");
    assert!(!stdout.contains("Finals"), "{stdout}");
    judge.put("c/contest.toml", "nam = 1\n");
    judge.refuses(
        &[&["grade"], &files[..]].concat(),
        "error: c/contest.toml:1: unknown key `nam`\nhint: did you mean `name`?",
    );
}

#[test]
fn reports_of_several_logs_are_those_of_one_suite() {
    let judge = contest();
    let grade = |problem: &str| {
        judge.run(&["grade", "c", "-p", problem, "--log", problem]);
    };
    grade("mini");
    grade("maxi");
    let ran = judge.run(&["report", "mini", "maxi", "--csv", "-", "--slowest", "2"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let rows = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("m") && !line.contains(",group,"));
    assert_eq!(rows.count(), 10, "{}", ran.stdout);
    let list = ran.stderr.split_once("\nslowest:\n").unwrap().1;
    assert_eq!(list.lines().count(), 2, "{list}");
    judge.run(&["report", "mini", "maxi", "--jsonl", "both"]);
    let standings_of_both = judge.run(&["standings", "both"]);
    let whole = judge.run(&["grade", "c"]);
    assert_eq!(
        standings(&standings_of_both)[1..3].len(),
        standings(&whole)[1..3].len()
    );
    assert!(
        standings(&standings_of_both)[1].starts_with("   1  alpha       2      235 ")
    );
    judge.refuses(
        &["report", "mini", "mini"],
        "error: mini: appears twice\nhint: name each file once; `--github` writes to `-`",
    );
}

#[test]
fn what_a_killed_judge_did_not_reach_is_judged_with_what_failed() {
    let judge = judge();
    for (team, program) in [("a", RIGHT), ("b", WRONG), ("c", WRONG), ("d", RIGHT)] {
        judge.script(format!("c/{team}/mini@1"), program);
    }
    let grade = ["grade", "c", "-j1"];
    judge.run(&[&grade[..], &["--log", "log"]].concat());
    // Who has solved the problem is not judged again, so it is not said that all fail.
    let failed = judge.run(&[&grade[..], &["--failed", "log"]].concat());
    assert!(failed.stdout.contains("\n2 submissions, "), "{failed:?}");
    assert!(!failed.stdout.contains("failed by all"), "{failed:?}");
    let log = judge.read("log");
    let lines = log.split_inclusive('\n');
    let first: String = lines.take_while(|line| !line.contains("c/mini")).collect();
    judge.put("cut", first);
    for (option, judged) in [("--failed", 3), ("--again", 2)] {
        let ran = judge
            .command(&[&grade[..], &[option, "cut"]].concat())
            .output();
        let ran = ran.unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(
            said.contains("cut: the log is incomplete: it ends before"),
            "{said}"
        );
        let shown = String::from_utf8(ran.stdout).unwrap();
        assert!(
            shown.contains(&format!("\n{judged} submissions, ")),
            "{shown}"
        );
    }
}

#[test]
fn judging_stops_after_the_failures_that_are_allowed() {
    let judge = judge();
    judge
        .script("a/mini", WRONG)
        .script("b/mini", WRONG)
        .script("d/mini", RIGHT);
    let ran = judge.run(&[
        "grade",
        "-j1",
        "a/mini",
        "b/mini",
        "d/mini",
        "--stop-after",
        "1",
        "--log",
        "log",
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(judge.read("log").contains("suite_interrupted"));
    judge.run(&[
        "grade",
        "a/mini",
        "d/mini",
        "--stop-after",
        "2",
        "--log",
        "log",
    ]);
    assert!(judge.read("log").contains("suite_finished"));
}

#[test]
fn each_team_gets_a_page_and_no_other_file_is_overwritten() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log", "--team-pages", "pages"]);
    let written = ["alpha", "beta", "idle", "index"]
        .map(|name| judge.read(&format!("pages/{name}.html")));
    judge.run(&["report", "log", "--team-pages", "pages"]);
    assert_eq!(judge.read("pages/beta.html"), written[1]);
    assert!(written[1].contains("beta in c") && !written[1].contains("alpha"));
    judge.put("pages/beta.html", "mine");
    let ran = judge.run(&["report", "log", "--team-pages", "pages"]);
    assert_eq!(ran.code, Some(3));
    let message = "pages/beta.html is not a page of gridjudge, and the new one would overwrite it";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert_eq!(judge.read("pages/beta.html"), "mine");
    judge.refuses(
        &["report", "log", "--team-pages", "log"],
        "error: log: is not a folder\nhint: name the folder that the pages go to",
    );
}

#[test]
fn all_mistakes_in_the_rules_of_a_contest_are_reported_at_once() {
    let judge = contest();
    judge.put(
        "c/contest.toml",
        "length = \"five\"\nfreeze = 0\nby = \"marks\"\nstart = \"noon\"\n[team.\"../beta\"]\nsite = \"\"\n\
         [team.beta]\nstatus = \"guest\"\n[problem.minni]\nlabel = \"LETTER A\"\ncolor = \"url(x)\"\n",
    );
    judge.refuses(
        &["grade", "c"],
        "error: c/contest.toml:1: `length` is `five`, which is no time
hint: write minutes, for example `length = 300`, or hours and minutes, for example `length = \"5:00\"`
error: c/contest.toml:2: `freeze` must be a whole number from 1 to 600000, found `0`
hint: write such a number, for example `freeze = 1`
error: c/contest.toml:3: unknown by `marks`
hint: use `icpc` or `points`
error: c/contest.toml:4: `start` is `noon`, which is no time
hint: write the date and the time, for example `start = \"2026-11-28 10:00\"`; a time zone may follow
error: c/contest.toml:5: there is no team `../beta`
hint: did you mean `beta`?
error: c/contest.toml:6: `site` is empty, or more than one line
hint: write one line of 1 to 200 characters
error: c/contest.toml:8: unknown status `guest`
hint: use `ranked` or `out of competition` or `disqualified`
error: c/contest.toml:9: there is no problem `minni`
hint: did you mean `mini`?
error: c/contest.toml:10: `label` is 8 characters long
hint: write one line of 1 to 6 characters
error: c/contest.toml:11: unknown color `url(x)`
hint: write it as `color = \"#ff8800\"`, or use one of aqua, black, blue, brown, cyan, gold, gray, green, lime, magenta, \
maroon, navy, orange, pink, purple, red, silver, teal, white, yellow",
    );
}

#[test]
fn settings_of_a_contest_by_a_stranger_are_not_used() {
    // Only root can give files away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let judge = contest();
    judge.put("c/contest.toml", "penalty = 0\n");
    std::os::unix::fs::chown(judge.path("c/contest.toml"), Some(65_534), None)
        .unwrap();
    let ran = judge.run(&["grade", "c"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let message = "error: c/contest.toml: is not used: it belongs to user 65534";
    assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
}

#[test]
fn hostile_names_of_teams_are_shown_safely() {
    let judge = judge();
    judge
        .script("c/\u{1b}[2J<script>\u{202e}, \"x\"\n=1/mini@1", RIGHT)
        .script("c/-rf $(x)/mini@2", WRONG);
    let ran = judge.run(&[
        "grade",
        "c",
        "--standings-html",
        "s.html",
        "--standings-csv",
        "s.csv",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        !ran.stdout.contains(['\u{1b}', '\u{202e}']),
        "{}",
        ran.stdout
    );
    assert!(
        standings(&ran)[1]
            .starts_with("   1  \\u{1b}[2J<script>\\u{202e}, \"x\"\\n=1"),
        "{}",
        ran.stdout
    );
    let page = judge.read("s.html");
    assert!(
        !page.contains("<script>") && page.contains("&lt;script&gt;"),
        "{page}"
    );
    assert!(
        judge.read("s.csv").contains("\"\"x\"\"\\n'=1\""),
        "{}",
        judge.read("s.csv")
    );
    fs::create_dir(judge.path("c").join(OsStr::from_bytes(b"\xff"))).unwrap();
    let ran = judge.run(&["grade", "c"]);
    assert!(
        ran.stderr
            .contains("has a name that is not UTF-8 (rename it)\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_team_folder_that_the_judge_may_not_read_stops_no_other_team() {
    let judge = contest();
    let set_mode = |mode| {
        fs::set_permissions(judge.path("c/idle"), fs::Permissions::from_mode(mode))
            .unwrap()
    };
    set_mode(0o000);
    let ran = judge.run(&["grade", "c"]);
    // Without this, an ordinary user cannot remove the temporary folder.
    set_mode(0o755);
    let is_root = rustix::process::geteuid().is_root();
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.contains("c/idle: cannot be read: "), !is_root);
}

#[test]
fn the_page_that_a_contest_names_is_written_into_its_folder_and_nowhere_else() {
    let judge = contest();
    judge.put("c/contest.toml", "page = \"standings.html\"\n");
    for _ in 0..2 {
        let ran = judge.run(&["grade", "c"]);
        let ending = "\npage: c/standings.html\n";
        assert!(
            ran.code == Some(0) && ran.stdout.ends_with(ending),
            "{ran:?}"
        );
        assert!(
            judge
                .read("c/standings.html")
                .starts_with("<!DOCTYPE html>")
        );
    }
    // Standings of a part are no standings of the contest.
    let whole = judge.read("c/standings.html");
    judge.run(&["grade", "c", "--log", "all.jsonl"]);
    for (part, code) in [
        (&["--again", "all.jsonl"][..], 0),
        (&["--case", "sample/*"], 0),
        (&["--stop-after", "1"], 1),
        (&["--deadline", "1ms", "--no-cache"], 3),
    ] {
        let arguments = [&["grade", "c"], part].concat();
        let output = judge.command(&arguments).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let note = "note: c/standings.html: left as it is, because only a part of the \
                    contest is judged\n";
        assert!(stderr.contains(note), "{stderr}");
        let ran = judge.ran(output);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(!ran.stdout.contains("* solved before"), "{ran:?}");
        assert!(code == 3 || !ran.stdout.contains("page:"), "{ran:?}");
        assert_eq!(judge.read("c/standings.html"), whole);
    }
    // What is there already is kept, and the contest is judged all the same.
    judge.put("c/standings.html", "a diary");
    let ran = judge.run(&["grade", "c"]);
    assert_eq!((ran.code, ran.stdout.contains("page:")), (Some(0), false));
    assert!(
        ran.stderr
            .contains("  c/standings.html: holds no standings"),
        "{}",
        ran.stderr
    );
    assert_eq!(judge.read("c/standings.html"), "a diary");
    for name in ["../x.html", "/x.html", "deep/x.html", ".html", "x"] {
        judge.put("c/contest.toml", format!("page = \"{name}\"\n"));
        judge.refuses(
            &["grade", "c"],
            &format!(
                "error: c/contest.toml:1: `page` is `{name}`, which is no name of a page here\n\
                 hint: write the name of a file in the contest's folder, for example `page = \"standings.html\"`"
            ),
        );
    }
}
