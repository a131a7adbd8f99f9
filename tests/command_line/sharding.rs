//! Shards on the command line: their result files and exit codes, what `merge` makes of
//! them, and what it refuses.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::judge::{self, HALF_RIGHT, Judge, RIGHT, Ran};

/// A judge's folder with a contest of five submissions to `mini`: right, wrong in two
/// ways, failing, in a language that is compiled by no machine.
fn contest() -> Judge {
    let judge = Judge::new();
    judge
        .script("c/alpha/mini@10", RIGHT)
        .script("c/alpha/mini@5", "#!/bin/sh\necho 1\n")
        .script("c/beta/mini@60", HALF_RIGHT)
        .script("c/gamma/mini@70", "#!/bin/sh\nexit 3\n")
        .script("c/gamma/mini@90", RIGHT);
    judge
}

/// Judges a shard of the contest into `out`.
fn shard(judge: &Judge, number: &str) -> Ran {
    judge.run(&["grade", "c", "--shard", number, "--log-dir", "out", "-q"])
}

/// The files in `out`, by name.
fn results(judge: &Judge) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(judge.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort_by_key(|path| index_of(path));
    files
}

/// The number of the shard in the name of its result file.
fn index_of(path: &std::path::Path) -> usize {
    let name = path.file_name().unwrap().to_str().unwrap();
    name.split('-').nth(1).unwrap().parse().unwrap()
}

/// The events of a log without figures, machines and folders.
fn events(text: &str) -> Vec<Value> {
    let figures = [
        "cpu_us",
        "wall_us",
        "peak_memory_bytes",
        "slowest_cpu_us",
        "compile_us",
        "cached",
        "rerun",
        "started",
        "jobs",
        "machine",
    ];
    let lines = text.lines().map(|line| {
        let mut event: Value = serde_json::from_str(line).unwrap();
        let fields = event.as_object_mut().unwrap();
        for figure in &figures {
            drop(fields.remove(*figure));
        }
        // Which of several accepted cases was the slowest is a figure, too.
        if fields.get("verdict").is_some_and(|verdict| verdict == "AC") {
            fields.remove("worst_case");
        }
        event
    });
    lines.collect()
}

#[test]
fn merged_shards_give_the_log_the_reports_and_the_standings_of_one_machine() {
    let judge = contest();
    let whole =
        judge.run(&["grade", "c", "--log", "whole.jsonl", "--csv", "whole.csv"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    for number in ["3/3", "1/3", "2/3"] {
        let ran = shard(&judge, number);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{}", ran.stdout);
        assert!(!ran.stdout.contains("standings"), "{}", ran.stdout);
    }
    let files = results(&judge);
    let name = files[0].file_name().unwrap().to_str().unwrap();
    let [plan, index, "of", of, run] = name.split('-').collect::<Vec<_>>()[..] else {
        panic!("{name}")
    };
    assert_eq!(
        (plan.len(), index, of, run.len()),
        (8, "1", "3", "12345678.jsonl".len())
    );
    let merged = judge.run(&[
        "merge",
        "out",
        "--log",
        "merged.jsonl",
        "--csv",
        "merged.csv",
    ]);
    assert_eq!((merged.code, &*merged.stderr), (Some(0), ""));
    assert_eq!(
        events(&judge.read("merged.jsonl")),
        events(&judge.read("whole.jsonl"))
    );
    let verdicts = |csv: &str| -> Vec<String> {
        let rows = csv
            .lines()
            .map(|row| row.split(',').take(5).collect::<Vec<_>>().join(","));
        rows.collect()
    };
    assert_eq!(
        verdicts(&judge.read("merged.csv")),
        verdicts(&judge.read("whole.csv"))
    );
    let standings =
        |ran: &Ran| ran.stdout.split_once("\nstandings").unwrap().1.to_owned();
    assert_eq!(standings(&merged), standings(&whole));
    // A merged log is like any other.
    let ran = judge.run(&["compare", "whole.jsonl", "merged.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // A copy of an artifact changes nothing; what is no shard's is left out of a
    // folder.
    fs::copy(&files[0], judge.path("out/copy.jsonl")).unwrap();
    fs::copy(judge.path("merged.jsonl"), judge.path("out/old.jsonl")).unwrap();
    judge.put("out/notes.jsonl.part", "{\"event\":\"suite_st");
    let again = judge.run(&["merge", "out", "--log", "again.jsonl", "-q"]);
    assert_eq!((again.code, &*again.stderr), (Some(0), ""));
    let mut twice = events(&judge.read("again.jsonl"));
    assert_eq!(
        twice[0]["notes"].as_array_mut().unwrap().pop().unwrap(),
        "shard 1: copies of the same run count once"
    );
    assert_eq!(twice, events(&judge.read("whole.jsonl")));
}

#[test]
fn a_missing_shard_is_named_with_the_command_that_judges_it() {
    let judge = contest();
    shard(&judge, "1/3");
    shard(&judge, "3/3");
    let ran = judge.run(&["merge", "out"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(3), ""));
    assert_eq!(
        ran.stderr,
        "error: shard 2 of 3 is missing: there is no log of it\n\
         hint: judge it: gridjudge grade c --shard 2/3 --log-dir out -q\n"
    );
    let ran = judge.run(&["merge", "out", "--partial", "--junit", "partial.xml"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stdout.contains("interrupted"), "{}", ran.stdout);
    assert!(
        judge
            .read("partial.xml")
            .contains("this report is incomplete")
    );
    let command = ran.stderr.split_once("judge it: gridjudge ").unwrap().1;
    let words: Vec<_> = command.split_whitespace().collect();
    assert_eq!(judge.run(&words).code, Some(0));
    assert_eq!(judge.run(&["merge", "out"]).code, Some(0));
}

#[test]
fn a_run_that_was_killed_stays_a_part_and_the_next_one_counts() {
    let judge = contest();
    judge.script("c/beta/mini@60", "#!/bin/sh\nsleep 60\n");
    let mut child = judge
        .command(&[
            "grade",
            "c",
            "--shard",
            "1/1",
            "--log-dir",
            "out",
            "-q",
            "-j1",
        ])
        .spawn()
        .unwrap();
    let is_judging = || {
        let found = fs::read_dir(judge.path("out")).ok()?.next()?.ok()?;
        Some(
            fs::read_to_string(found.path())
                .ok()?
                .contains("trial_finished"),
        )
    };
    while is_judging() != Some(true) {
        judge::pause();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Launchers clean up when they notice that their judge is gone.
    while fs::read_dir(judge.path("tmp")).unwrap().next().is_some() {
        judge::pause();
    }
    let part = &results(&judge)[0];
    assert!(part.to_str().unwrap().ends_with(".jsonl.part"));
    let ran = judge.run(&["merge", "out"]);
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stderr.contains("shard 1 of 1 is missing: its run on "),
        "{}",
        ran.stderr
    );
    // The source differs from the one that was killed, so this is another plan.
    judge.script("c/beta/mini@60", HALF_RIGHT);
    shard(&judge, "1/1");
    let ran = judge.run(&["merge", "out"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr
            .contains("the first difference is in mini beta/mini@60"),
        "{}",
        ran.stderr
    );
    fs::remove_file(part).unwrap();
    assert_eq!(judge.run(&["merge", "out"]).code, Some(0));
}

#[test]
fn two_runs_with_different_results_are_shown_and_one_is_taken() {
    let judge = contest();
    // Right on one day, and wrong on the next, after a time near to the limit.
    judge.put("judge.toml", "");
    shard(&judge, "1/2");
    shard(&judge, "2/2");
    let first = results(&judge)[0].clone();
    let text = fs::read_to_string(&first).unwrap();
    let other = text
        .replace("\"run\":\"", "\"run\":\"ffff")
        .replace(
            "\"verdict\":\"WA\",\"cpu_us\":",
            "\"verdict\":\"WA\",\"cpu_us\":9500000,\"\":",
        )
        .replace("\"verdict\":\"WA\"", "\"verdict\":\"RE\"");
    assert_ne!(text, other);
    fs::write(judge.path("out/x-1-of-2-ffff.jsonl"), other).unwrap();
    let ran = judge.run(&["merge", "out"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(3), ""));
    let run = first
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .rsplit('-')
        .next()
        .unwrap();
    let decide = [
        format!("hint: decide by `--take {run}` or `--take ffff"),
        format!("--take ffff{}` or `--take {run}`", &run[..4]),
    ];
    assert!(
        ran.stderr
            .contains("error: shard 1 was judged twice, with different results\n")
            && ran.stderr.contains(", near a limit")
            && decide.iter().any(|hint| ran.stderr.contains(hint)),
        "{}",
        ran.stderr
    );
    let ran = judge.run(&["merge", "out", "--take", run, "--log", "taken.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(judge.read("taken.jsonl").contains("counts, by --take"));
}

#[test]
fn a_submission_that_is_too_large_to_be_compiled_is_not_read_to_divide_a_plan() {
    let judge = contest();
    let large = fs::File::create(judge.path("c/alpha/mini@99.c")).unwrap();
    large.set_len(1 << 40).unwrap();
    let ran = judge.run(&["plan", "c", "--shards", "2"]);
    assert!(
        ran.stdout.ends_with("\n2/2              3      6\n"),
        "{ran:?}"
    );
}

#[test]
fn what_is_no_log_of_a_shard_is_refused() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "whole.jsonl", "-q"]);
    let remedy =
        "hint: write logs of shards with `gridjudge grade --shard K/N --log-dir DIR`";
    judge.refuses(
        &["merge", "whole.jsonl"],
        &format!("error: whole.jsonl: is the log of no shard\n{remedy}"),
    );
    fs::create_dir(judge.path("empty")).unwrap();
    judge.refuses(
        &["merge", "empty"],
        "error: empty: there is no log of a shard\n\
         hint: write some with `gridjudge grade --shard K/N --log-dir DIR`",
    );
    shard(&judge, "1/1");
    let log = results(&judge)[0].clone();
    let name = log.strip_prefix(judge.path("")).unwrap().to_str().unwrap();
    judge.refuses(
        &["standings", name],
        &format!(
            "error: {name}: is the log of shard 1 of 1, and standings need all of them\n\
             hint: put the logs of all shards together with `gridjudge merge`"
        ),
    );
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let damaged = [&lines[..3], &lines[4..]].concat().join("\n");
    fs::write(&log, damaged + "\n").unwrap();
    let ran = judge.run(&["merge", "out"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(":4: event 4 is missing before it"),
        "{}",
        ran.stderr
    );
}

#[test]
fn shards_are_refused_where_they_would_prove_nothing() {
    let judge = contest();
    judge.refuses(
        &["grade", "c", "--shard", "auto", "--log-dir", "out"],
        "error: --shard: `auto`: no scheduler says which shard this is\n\
         hint: write `--shard K/N`, for example `3/8` for the third of eight",
    );
    judge.refuses(
        &[
            "grade",
            "c",
            "--shard",
            "1/2",
            "--log-dir",
            "out",
            "--standings-csv",
            "s.csv",
        ],
        "error: s.csv: there are no standings of a shard\nhint: write them with `gridjudge merge`",
    );
    judge.refuses(
        &["grade", "c", "--times", "nothing.jsonl"],
        "error: --times: nothing is divided\nhint: add `--shard K/N`",
    );
    judge.refuses(
        &[
            "grade",
            "c",
            "--shard",
            "1/2",
            "--log-dir",
            "out",
            "--times",
            "nothing.jsonl",
        ],
        "error: nothing.jsonl: cannot be read: No such file or directory (os error 2)",
    );
    let ran = judge.run(&["grade", "c", "--shard", "1/2"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("<--log <FILE>|--log-dir <DIR>>"),
        "{}",
        ran.stderr
    );
    judge.put(
        "problems/maxi/problem.toml",
        judge.read("problems/mini/problem.toml")
            + "\n[points]\nsample = 1\nsecret = 1\n",
    );
    for case in ["sample/001-one", "secret/002-two"] {
        for ending in ["in", "ans"] {
            let text = judge.read(&format!("cases/mini/{case}.{ending}"));
            judge.put(format!("cases/maxi/{case}.{ending}"), text);
        }
    }
    judge.script("c/beta/maxi@1", RIGHT);
    judge.refuses(
        &[
            "grade",
            "c",
            "--shard",
            "1/2",
            "--log-dir",
            "out",
            "--split-cases",
        ],
        "error: --split-cases: the cases of maxi have points, or a result of their own is expected \
         of beta/maxi@1, so one machine must judge them all\n\
         hint: leave it out: then submissions are divided",
    );
}

#[test]
fn cases_that_are_divided_give_the_log_of_one_machine() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "whole.jsonl", "-q"]);
    for number in ["1/2", "2/2"] {
        let ran = judge.run(&[
            "grade",
            "c",
            "--shard",
            number,
            "--split-cases",
            "--log-dir",
            "out",
            "-q",
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = judge.run(&["merge", "out", "--log", "merged.jsonl"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert_eq!(
        events(&judge.read("merged.jsonl")),
        events(&judge.read("whole.jsonl"))
    );
    // Half of the cases say of some submissions that they are rejected, and of none that
    // it is accepted.
    let first = results(&judge).swap_remove(0);
    let ran = judge.run(&[
        "merge",
        first.to_str().unwrap(),
        "--partial",
        "--log",
        "half",
    ]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let verdicts: Vec<_> = events(&judge.read("half"))
        .into_iter()
        .filter(|event| event["event"] == "submission_finished")
        .map(|event| event["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["WA", "RE"]);
}

#[test]
fn no_output_of_merge_goes_into_a_log_that_it_reads() {
    let judge = contest();
    for number in ["1/2", "2/2"] {
        shard(&judge, number);
    }
    let log = results(&judge)[0].to_str().unwrap().to_owned();
    let before = judge.read(&log);
    judge.link("link", &log);
    for option in ["--log", "--again", "--csv"] {
        for path in [&*log, "link"] {
            let message =
                "appears twice\nhint: name each file once; `--github` writes to `-`";
            let ran = judge.run(&["merge", "out", option, path]);
            assert_eq!(ran.code, Some(2), "{ran:?}");
            assert!(ran.stderr.ends_with(&format!("{message}\n")), "{ran:?}");
        }
    }
    assert!(judge.read(&log) == before);
    // A log may be named twice.
    let ran = judge.run(&["merge", "out", "link", "--log", "was"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A baseline is read before it is replaced.
    let ran = judge.run(&["merge", "out", "--baseline", "was", "--log", "was"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
}

#[test]
fn a_shard_gives_nobody_a_result_and_its_exit_code_is_never_1() {
    let judge = contest();
    let shard = ["grade", "c", "--shard", "1/2", "--log-dir", "out"];
    for option in ["--gradescope", "--vpl", "--team-pages"] {
        let path = &option[2..];
        let ran = judge.run(&[&shard[..], &[option, path]].concat());
        let expected = format!(
            "error: {path}: there is no whole result of a shard\n\
             hint: `gridjudge merge` writes it of all shards\n"
        );
        assert_eq!((ran.code, ran.stderr), (Some(2), expected));
    }
    let ran = judge.run(&[&shard[..], &["--stop-after", "1"]].concat());
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("cannot be used with"), "{ran:?}");
    judge.put("out", "");
    judge.refuses(&shard, "error: out: is not a folder\nhint: name another");
}

#[test]
fn merge_tells_the_mistakes_for_which_its_exit_code_is_2() {
    let judge = Judge::new();
    let place = "problems/twice";
    judge
        .put(
            format!("{place}/problem.yaml"),
            "name: Twice\nnmae: Twice\nlimits: {time_limit: 5}\n",
        )
        .put(format!("{place}/data/secret/1.in"), "1\n")
        .put(format!("{place}/data/secret/1.ans"), "2\n")
        .script(format!("{place}/submissions/accepted/right.sh"), "echo 2\n");
    for number in ["1/2", "2/2"] {
        judge.run(&["verify", "--shard", number, "--log-dir", "out", "-q"]);
    }
    let ran = judge.run(&["merge", "out", "-q"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stdout.contains("unknown key `nmae`"), "{ran:?}");
}

#[test]
fn a_time_limit_that_each_machine_would_measure_is_refused() {
    let judge = Judge::new();
    let place = "problems/twice";
    judge
        .put(format!("{place}/problem.yaml"), "name: Twice\n")
        .put(format!("{place}/data/secret/1.in"), "1\n")
        .put(format!("{place}/data/secret/1.ans"), "2\n")
        .put(
            format!("{place}/submissions/accepted/right.py"),
            "print(2 * int(input()))\n",
        );
    let shard = [
        "grade",
        "-p",
        "twice",
        "--shard",
        "1/1",
        "--log",
        "log.jsonl",
        "-q",
    ];
    judge.refuses(
        &shard,
        "error: twice: gives no time limit, and each machine would measure another one\n\
         hint: give one to all shards, for example `--time-limit 2s`",
    );
    let ran = judge.run(&[&shard[..], &["--time-limit", "5s"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// The recipe of the page, without other machines.
#[test]
fn gnu_parallel_starts_the_shards_and_merge_puts_them_together() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/many-machines.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, recipe) = page.split_once("```sh\nparallel ").unwrap();
    let (recipe, _) = recipe.split_once("```").unwrap();
    let script =
        format!("parallel {recipe}").replace("-S node1,node2,node3,node4 ", "");
    let judge = contest();
    fs::rename(judge.path("c"), judge.path("finals")).unwrap();
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_gridjudge"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [own.parent().unwrap().to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let output = judge
        .command_of(
            "sh",
            &["-ec", &format!("command -v parallel || exit 77\n{script}")],
        )
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("HOME", judge.path(""))
        .output()
        .unwrap();
    if output.status.code() == Some(77) {
        println!("skipped: there is no `parallel`");
        return;
    }
    let ran = judge.ran(output);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(results(&judge).len(), 8);
    assert!(ran.stdout.contains("\n5 submissions, "), "{}", ran.stdout);
}

/// As Bazel and GitLab start it.
#[test]
fn a_scheduler_says_which_shard_it_is_and_is_told_that_it_was_heard() {
    let judge = contest();
    let status = judge.path("status");
    let output = judge
        .command(&["grade", "c", "--shard", "auto", "--log-dir", "out", "-q"])
        .env("TEST_SHARD_INDEX", "1")
        .env("TEST_TOTAL_SHARDS", "5")
        .env("TEST_SHARD_STATUS_FILE", &status)
        .env("TEST_RUN_NUMBER", "2")
        .output()
        .unwrap();
    assert_eq!(judge.ran(output).code, Some(0));
    assert!(status.exists());
    let text = fs::read_to_string(&results(&judge)[0]).unwrap();
    let started: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(
        (
            &started["shard"]["index"],
            &started["shard"]["of"],
            &started["shard"]["attempt"]
        ),
        (&2.into(), &5.into(), &2.into())
    );
}

#[test]
fn what_failed_in_a_log_is_judged_again_and_nothing_else() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "whole.jsonl", "-q"]);
    let ran = judge.run(&[
        "grade",
        "c",
        "--failed",
        "whole.jsonl",
        "--log",
        "again.jsonl",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let judged: Vec<_> = events(&judge.read("again.jsonl"))
        .iter()
        .filter(|event| event["event"] == "submission_finished")
        .map(|event| event["submission"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(judged, ["alpha/mini@5", "beta/mini@60", "gamma/mini@70"]);
    judge.refuses(
        &[
            "grade",
            "c/alpha/mini@10",
            "-p",
            "mini",
            "--failed",
            "whole.jsonl",
        ],
        "error: whole.jsonl: 0 of its 3 submissions to judge here\n\
         hint: name the programs or the contest as when the log was written",
    );
    // The log of these is a list for `--again`.
    let ran = judge.run(&[
        "plan",
        "c",
        "--again",
        "again.jsonl",
        "--shards",
        "2",
        "-q",
        "-v",
    ]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let ran =
        judge.run(&["plan", "c", "--again", "again.jsonl", "--shards", "2", "-v"]);
    assert_eq!(
        ran.stdout,
        "shard  submissions  cases\n\
         1/2              2      4\n\
         2/2              1      2\n\
         1/2  mini alpha/mini@5\n\
         2/2  mini beta/mini@60\n\
         1/2  mini gamma/mini@70\n"
    );
    let ran = judge.run(&["plan", "c", "--shards", "2", "--times", "whole.jsonl"]);
    assert!(
        ran.stdout.contains("5 submissions in 2 shards: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_deadline_ends_the_judging_with_reports_and_exit_code_3() {
    let judge = Judge::new();
    judge
        .script("c/alpha/mini@1", RIGHT)
        .script("c/beta/mini@2", RIGHT);
    let ran = judge.run(&[
        "grade",
        "c",
        "--deadline",
        "1ms",
        "--no-cache",
        "--log",
        "log.jsonl",
        "--junit",
        "j.xml",
        "--github",
    ]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let skipped =
        "submissions without a verdict: 2; not judged: the deadline came first";
    assert!(
        ran.stdout.contains(skipped) && !ran.stdout.contains("::error"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("not accepted"), "{}", ran.stderr);
    let found = events(&judge.read("log.jsonl"));
    let verdicts: Vec<_> = found
        .iter()
        .filter(|event| event["event"] == "submission_finished")
        .map(|event| event["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["SK", "SK"]);
    assert_eq!(found.last().unwrap()["skipped"], 2);
    let report = judge.read("j.xml");
    assert_eq!(
        report
            .matches("<skipped message=\"the deadline came first\"/>")
            .count(),
        4
    );
    assert!(!report.contains("<failure"), "{report}");
}

#[test]
fn what_can_be_read_only_once_is_refused_as_the_log_of_a_shard() {
    let judge = contest();
    shard(&judge, "1/2");
    let pipe = format!(
        "cat out/*.jsonl | {} merge out - /dev/stdin",
        env!("CARGO_BIN_EXE_gridjudge")
    );
    let ran = judge.ran(judge.command_of("sh", &["-c", &pipe]).output().unwrap());
    let refused = |path: &str| {
        format!(
            "error: {path}: is not a file\n\
             hint: write it to a file: the log of a shard is read again and again\n"
        )
    };
    assert_eq!(
        (ran.code, ran.stderr),
        (Some(2), refused("-") + &refused("/dev/stdin"))
    );
}
