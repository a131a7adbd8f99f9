//! Interactive problems on the command line: every kind of interactor with every kind
//! of submission, and the verdict that the rules give. No run may hang or leave
//! anything behind.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;

use crate::judge::{self, Judge, while_waking};

/// A submission has less than half a second of wall time; the time in which the
/// interactor owes an answer does not count.
const SPEC: &str = r#"name = "Talk"

[task]
kind = "interactive"
interactor = "interact.sh"

[task.limits]
time = "120ms"
wall = "1s"
memory = "256MiB"

[limits]
time = "60ms"
wall = "400ms"
memory = "64MiB"
output = "64KiB"
"#;

/// An interactor that sends `go` and expects `ok` and nothing after it.
const DEFAULT: &str = "echo go\nread -r word || exit 43\n[ \"$word\" = ok ] || exit 43\nread -r more && exit 43\nexit 42\n";

/// The submissions, named after what they do, and their scripts.
const SUBMISSIONS: [(&str, &str); 11] = [
    ("ok", "read -r word\necho ok\n"),
    ("listens_on", "read -r word\nread -r more\nexit 0\n"),
    ("floods", "exec yes no\n"),
    ("closes", "exec >&-\nread -r word\nexit 0\n"),
    ("crashes", "kill -SEGV $$\n"),
    ("crashes_late", "read -r word\necho ok\nkill -SEGV $$\n"),
    ("loops", "while :; do :; done\n"),
    ("ends", "exit 0\n"),
    ("never_listens", "echo ok\n"),
    ("talks_on", "read -r word\necho ok\necho more\n"),
    ("sleeps", "read -r word\nsleep 30\n"),
];

/// The outcome of each submission by its name: a verdict, or `fault`.
type Outcomes = BTreeMap<String, String>;

/// A judge's folder with a problem of one case and this interactor.
fn judge(interactor: &str) -> Judge {
    let judge = Judge::new();
    judge.put("problems/talk/problem.toml", SPEC);
    judge.script(
        "problems/talk/interact.sh",
        &format!("#!/bin/sh\n{interactor}"),
    );
    judge
        .put("cases/talk/sample/1.in", "")
        .put("cases/talk/sample/1.ans", "");
    for (name, text) in SUBMISSIONS {
        judge.script(format!("{name}.sh"), &format!("#!/bin/sh\n{text}"));
    }
    judge
}

/// Grades all submissions and returns their outcomes from the log.
fn outcomes(judge: &Judge, options: &[&str]) -> Outcomes {
    let names = SUBMISSIONS.map(|(name, _)| format!("{name}.sh"));
    let names = names.iter().map(String::as_str);
    let arguments = ["grade", "-p", "talk", "--log", "log.jsonl"];
    let arguments: Vec<_> = arguments
        .into_iter()
        .chain(options.iter().copied())
        .chain(names)
        .collect();
    judge.forget();
    let ran = judge.run(&arguments);
    assert!(
        matches!(ran.code, Some(0 | 1 | 3)),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let trials = events.filter_map(|event| {
        let name = event["submission"]
            .as_str()?
            .trim_end_matches(".sh")
            .to_owned();
        match event["event"].as_str()? {
            "trial_finished" => Some((name, event["verdict"].as_str()?.to_owned())),
            "trial_faulted" => Some((name, "fault".to_owned())),
            _ => None,
        }
    });
    trials.collect()
}

/// Asserts the outcomes of submissions with an interactor: one outcome each, in the
/// order of [`SUBMISSIONS`]. If both programs end at once, independently of each other,
/// either may be first: then two outcomes are allowed, as `WA|RE`.
#[track_caller]
fn assert_outcomes(interactor: &str, expected: &str) {
    assert_outcomes_with(&["-j2"], interactor, expected);
}

#[track_caller]
fn assert_outcomes_with(options: &[&str], interactor: &str, expected: &str) {
    let found = outcomes(&judge(interactor), options);
    let expected: Vec<_> = expected.split_whitespace().collect();
    assert_eq!(expected.len(), SUBMISSIONS.len());
    let expected = SUBMISSIONS.iter().zip(expected).map(|((name, _), one)| {
        let found = found.get(*name).map(String::as_str).unwrap_or_default();
        let one = one.split('|').find(|one| *one == found).unwrap_or(one);
        ((*name).to_owned(), one.to_owned())
    });
    assert_eq!(found, expected.collect::<Outcomes>());
}

// The columns:         ok listens_on floods closes crashes crashes_late loops ends
// never_listens talks_on sleeps
const OF_DEFAULT: &str = "AC ILE        WA     WA     RE      RE           TLE   WA   AC            WA       ILE";

#[test]
fn an_interactor_that_follows_the_rules_decides() {
    assert_outcomes(DEFAULT, OF_DEFAULT);
}

#[test]
fn verdicts_are_the_same_at_every_level() {
    assert_outcomes_with(&["--sandbox", "user"], DEFAULT, OF_DEFAULT);
    assert_outcomes_with(&["--sandbox", "basic"], DEFAULT, OF_DEFAULT);
}

#[test]
fn a_submission_that_idles_is_told_whether_the_interactor_had_ended() {
    for (interactor, why) in [
        (
            DEFAULT,
            "it was its turn to say something, and it let its wall time pass",
        ),
        (
            "echo go\nexit 42\n",
            "it let its wall time pass, although the interactor had ended",
        ),
    ] {
        let ran = judge(interactor).run(&["grade", "-p", "talk", "sleeps.sh"]);
        assert!(ran.stdout.contains(why), "{ran:?}");
    }
}

/// A recorded conversation goes through the judge. A flood takes longer on that way,
/// and may use up the interactor's time first.
#[test]
fn verdicts_are_the_same_if_the_conversation_is_recorded() {
    assert_outcomes_with(&["--transcript"], DEFAULT, OF_DEFAULT);
    assert_outcomes_with(
        &["--transcript"],
        "exit 42\n",
        "AC AC OLE AC RE RE TLE AC AC AC ILE",
    );
    let says_all = "echo go\nexec >&-\ncat > /dev/null\nexit 42\n";
    assert_outcomes_with(
        &["--transcript"],
        says_all,
        "AC AC OLE AC RE RE TLE AC AC AC ILE",
    );
}

#[test]
fn a_recorded_conversation_is_shown_with_its_case_and_is_in_the_log_and_the_reports()
{
    let judge = judge(DEFAULT);
    judge.script("no.sh", "#!/bin/sh\nread -r word\necho no\n");
    let grade = [
        "grade",
        "-p",
        "talk",
        "no.sh",
        "--transcript",
        "--log",
        "log.jsonl",
        "--html",
        "page.html",
    ];
    for _ in 0..2 {
        let ran = judge.run(&grade);
        let shown: Vec<_> = ran.stdout.lines().take(4).collect();
        assert_eq!(
            (shown[0], shown[3]),
            ("talk no.sh on sample/1", "    verdict: WA"),
            "{}",
            ran.stdout
        );
        assert!(
            shown[1].ends_with(" s < go") && shown[2].ends_with(" s > no"),
            "{}",
            ran.stdout
        );
        assert!(judge.read("page.html").contains(" s &lt; go\n"));
        let log = judge.read("log.jsonl");
        let trial = log
            .lines()
            .find(|line| line.contains("trial_finished"))
            .unwrap();
        let trial: serde_json::Value = serde_json::from_str(trial).unwrap();
        let lines = trial["transcript"]["lines"].as_array().unwrap().iter();
        let lines: Vec<_> = lines
            .map(|line| (line["by"].as_str(), line["text"].as_str()))
            .collect();
        assert_eq!(
            lines,
            [
                (Some("interactor"), Some("go")),
                (Some("submission"), Some("no"))
            ]
        );
    }
    let ran = judge.run(&["grade", "-p", "talk", "no.sh"]);
    assert!(
        !ran.stdout.contains("from the cache") && !ran.stdout.contains(" s < go"),
        "{}",
        ran.stdout
    );
}

/// The interactor sleeps until the test has read the line.
#[test]
fn a_transcript_is_shown_during_its_run_and_those_of_later_runs_in_order() {
    let judge = judge("echo go\nread -r word\nsleep 600\nexit 42\n");
    judge.edit(
        "problems/talk/problem.toml",
        "time = \"120ms\"\nwall = \"1s\"",
        "time = \"300s\"",
    );
    judge.script("also.sh", "#!/bin/sh\nread -r word\necho also\n");
    let mut command = judge.command(&[
        "grade",
        "-p",
        "talk",
        "ok.sh",
        "also.sh",
        "--transcript",
        "-j2",
    ]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let first: Vec<_> = lines.by_ref().take(3).collect();
    assert_eq!(first[0], "talk ok.sh on sample/1");
    assert!(
        first[1].ends_with(" s < go") && first[2].ends_with(" s > ok"),
        "{first:?}"
    );
    let process = child.id();
    let stdout = thread::spawn(move || lines.take(6).collect::<Vec<_>>());
    let ended = while_waking(process, || child.wait_with_output().unwrap());
    let rest = stdout.join().unwrap();
    assert_eq!(
        ended.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    assert_eq!(
        (&*rest[0], &*rest[1], &*rest[2]),
        ("    verdict: AC", "", "talk also.sh on sample/1")
    );
    assert!(
        rest[3].ends_with(" s < go") && rest[4].ends_with(" s > also"),
        "{rest:?}"
    );
    assert_eq!(rest[5], "    verdict: AC");
}

/// The transcript of a run that is repeated is a further one; that of a fault ends with
/// the fault.
#[test]
fn the_transcript_of_a_repeated_run_has_a_number_and_that_of_a_fault_ends_with_it() {
    let judge = judge(DEFAULT);
    let ran = judge.run(&[
        "grade",
        "-p",
        "talk",
        "listens_on.sh",
        "--transcript",
        "-j1",
    ]);
    let shown: Vec<_> = ran.stdout.lines().take(5).collect();
    let headings = (shown[0], shown[2], shown[4]);
    let expected = (
        "talk listens_on.sh on sample/1",
        "talk listens_on.sh on sample/1, interaction 2",
        "    verdict: ILE",
    );
    assert_eq!(headings, expected, "{}", ran.stdout);
    judge.script(
        "problems/talk/interact.sh",
        "#!/bin/sh\necho go\nread -r word\nexit 7\n",
    );
    let ran = judge.run(&["grade", "-p", "talk", "ok.sh", "--transcript"]);
    let ending = ran.stdout.lines().nth(3).unwrap_or_default();
    assert_eq!(
        ending, "    no verdict: the judge has failed",
        "{}",
        ran.stdout
    );
}

#[test]
fn requesting_transcripts_without_an_interactive_problem_gets_a_note() {
    let judge = judge(DEFAULT);
    judge.script("right.sh", judge::RIGHT);
    // `Judge::run` leaves out notes.
    let output = judge
        .command(&["grade", "-p", "mini", "right.sh", "--transcript"])
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(
        message.contains("note: --transcript: no problem here is interactive"),
        "{message}"
    );
}

#[test]
fn a_fault_shows_the_end_of_a_recorded_conversation() {
    // In one piece; otherwise the answer to the first line could come before the
    // others.
    let judge = judge("printf 'one\\ntwo\\ngo\\n'\nread -r word\nexit 7\n");
    let ran = judge.run(&["grade", "-p", "talk", "ok.sh", "--transcript"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let expected = "and an interactor ends with 42 or 43; the talk ended with `< two`, `< go`, `> ok`";
    assert!(
        (ran.stdout.clone() + &ran.stderr).contains(expected),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn with_an_interactor_that_accepts_at_once_a_submission_is_judged_by_its_own_exit() {
    assert_outcomes("exit 42\n", "AC AC OLE AC RE RE TLE AC AC AC ILE");
}

#[test]
fn an_interactor_that_rejects_first_has_decided() {
    assert_outcomes("exit 43\n", "WA WA WA WA WA|RE WA WA WA WA WA WA");
}

#[test]
fn an_interactor_that_neither_speaks_nor_listens_is_at_fault_unless_the_submission_failed_before()
 {
    assert_outcomes(
        "sleep 30\n",
        "fault fault fault fault RE fault TLE fault fault fault fault",
    );
}

#[test]
fn an_interactor_may_close_its_output_early() {
    assert_outcomes(
        "echo go\nexec >&-\ncat > /dev/null\nexit 42\n",
        "AC AC OLE AC RE RE TLE AC AC AC ILE",
    );
}

/// It reads the flood until its time is used up.
#[test]
fn an_interactor_whose_time_a_flood_uses_up_is_not_at_fault() {
    let judge = judge("cat > /dev/null\n");
    let patient = SPEC.replace("60ms", "5s").replace("400ms", "10s");
    judge.put("problems/talk/problem.toml", &patient);
    let ran = judge.run(&["grade", "-p", "talk", "floods.sh"]);
    assert!(
        ran.stdout
            .contains("floods.sh: OLE (output limit exceeded) on sample/1"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn an_interactor_that_crashes_is_at_fault() {
    assert_outcomes(
        "kill -SEGV $$\n",
        "fault fault fault fault fault|RE fault fault fault fault fault fault",
    );
}

/// If both programs loop, either may reach its time limit first, so both outcomes are
/// allowed.
#[test]
fn an_interactor_that_loops_is_at_fault_unless_the_submission_failed_before() {
    assert_outcomes(
        "while :; do :; done\n",
        "fault fault fault fault RE fault TLE|fault fault fault fault fault",
    );
}

#[test]
fn an_interactor_may_send_more_than_the_submission_reads() {
    let floods = format!(
        "head -c 3000000 /dev/zero | tr '\\0' '\\n'\n{}",
        DEFAULT.replacen("echo go\n", "", 1)
    );
    assert_outcomes(
        &format!("echo go\n{floods}"),
        "AC WA ILE WA RE RE TLE WA AC WA ILE",
    );
}

#[test]
fn the_time_in_which_an_interactor_sleeps_does_not_count_for_the_submission() {
    assert_outcomes(
        &format!("sleep 0.6\n{DEFAULT}"),
        "AC ILE WA WA RE RE TLE WA AC WA ILE",
    );
}

#[test]
fn an_interactor_that_ends_with_exit_code_0_is_at_fault() {
    assert_outcomes(
        "exit 0\n",
        "fault fault fault fault fault|RE fault fault fault fault fault fault",
    );
}

#[test]
fn a_wrong_last_word_is_a_wrong_answer_even_if_a_crash_follows() {
    let judge = judge(DEFAULT);
    judge.script(
        "wrong.sh",
        "#!/bin/sh\nread -r word\necho no\nkill -SEGV $$\n",
    );
    let ran = judge.run(&[
        "grade",
        "-p",
        "talk",
        "--repeat",
        "20",
        "--log",
        "log.jsonl",
        "wrong.sh",
    ]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    let log = judge.read("log.jsonl");
    assert_eq!(
        log.matches("\"verdict\":\"WA\"").count(),
        log.matches("\"verdict\":").count(),
        "{log}"
    );
}

#[test]
fn a_missing_flush_is_found_at_once_and_reported() {
    let judge = judge(DEFAULT);
    judge.edit(
        "problems/talk/problem.toml",
        "wall = \"400ms\"",
        "wall = \"300s\"",
    );
    let ran = judge.run(&["grade", "-p", "talk", "listens_on.sh"]);
    assert!(ran.stdout.contains("ILE"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains(
            "it waits for input while the interactor waits for what it says"
        ),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_submission_that_a_timer_wakes_from_its_waiting_is_not_stopped_before_its_wall_limit()
 {
    let judge = judge(DEFAULT);
    judge.edit(
        "problems/talk/problem.toml",
        "wall = \"400ms\"",
        "wall = \"5s\"",
    );
    for timer in [
        "signal.setitimer(signal.ITIMER_REAL, 0.3)",
        "signal.alarm(1)",
    ] {
        let program = format!(
            "import os, signal\ndef answer(*_):\n  os.write(1, b'ok\\n')\n  os._exit(0)\n\
             signal.signal(signal.SIGALRM, answer)\n{timer}\ninput()\ninput()\n"
        );
        judge.put("timer.py", program);
        let ran = judge.run(&["grade", "-p", "talk", "timer.py"]);
        assert_eq!(ran.code, Some(0), "{timer}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn the_message_of_the_interactor_is_shown_with_a_wrong_answer() {
    let judge = judge("echo too many words > \"$3/judgemessage.txt\"\nexit 43\n");
    let ran = judge.run(&["grade", "-p", "talk", "ok.sh"]);
    assert!(
        ran.stdout.contains("interactor: too many words"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

#[test]
fn a_fault_names_interactor_case_and_the_command_to_repeat_it() {
    let judge = judge("echo out of luck >&2\nexit 7\n");
    let ran = judge.run(&["grade", "-p", "talk", "ok.sh"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let text = ran.stdout + &ran.stderr;
    let cause = "running the interactor problems/talk/interact.sh on sample/1: it ended with exit code 7, and an interactor \
                 ends with 42 or 43; it said: out of luck";
    assert!(text.contains(cause), "{text}");
    let command = "`problems/talk/interact.sh cases/talk/sample/1.in cases/talk/sample/1.ans FEEDBACK/`, with its standard \
                   input and output joined to those of the submission";
    assert!(text.contains(command), "{text}");
}

#[test]
fn an_interactor_of_testlib_accepts_with_0_and_gives_its_reasons_on_standard_error() {
    let judge = judge(
        "echo go\nread -r word\n[ \"$word\" = ok ] && exit 0\necho \"wrong answer found $word\" >&2\nexit 1\n",
    );
    judge.edit(
        "problems/talk/problem.toml",
        "[task.limits]",
        "protocol = \"testlib\"\n\n[task.limits]",
    );
    judge.script("no.sh", "#!/bin/sh\nread -r word\necho no\n");
    let ran = judge.run(&["grade", "-p", "talk", "ok.sh"]);
    assert!(
        ran.stdout
            .ends_with("\n1 submission, 1 trial: 1 accepted\n"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let ran = judge.run(&["grade", "-p", "talk", "no.sh"]);
    assert!(
        ran.stdout.contains("interactor: wrong answer found no"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_checker_after_an_interactor_of_testlib_decides() {
    let judge = judge(
        "echo go\nread -r word\necho \"$word $#\" > \"$2\"\n[ \"$word\" != no ]\n",
    );
    judge.edit(
        "problems/talk/problem.toml",
        "[task.limits]",
        "protocol = \"testlib\"\nchecker = \"check.sh\"\narguments = [\"easy\"]\n\n[task.limits]",
    );
    let check = "read -r found < \"$2\"\necho \"found $found of $#\" > \"$4\"\n[ \"$found\" = 'ok 4' ]\n";
    judge.script("problems/talk/check.sh", &format!("#!/bin/sh\n{check}"));
    for word in ["no", "odd"] {
        judge.script(
            format!("{word}.sh"),
            &format!("#!/bin/sh\nread -r word\necho {word}\n"),
        );
    }
    let message = |name: &str| {
        let ran = judge.run(&["grade", "-p", "talk", name]);
        ran.stdout + &ran.stderr
    };
    assert!(
        message("ok.sh").ends_with("\n1 submission, 1 trial: 1 accepted\n"),
        "{}",
        message("ok.sh")
    );
    assert!(
        message("no.sh")
            .contains("the interactor says that it is wrong, and not why"),
        "{}",
        message("no.sh")
    );
    assert!(
        message("odd.sh").contains("checker: found odd 4 of 5"),
        "{}",
        message("odd.sh")
    );
    assert!(
        message("crashes_late.sh").contains("RE"),
        "{}",
        message("crashes_late.sh")
    );
}

#[test]
fn a_changed_interactor_judges_again() {
    let judge = judge(DEFAULT);
    let trials = |judge: &Judge| judge.run(&["grade", "-p", "talk", "ok.sh"]).stdout;
    assert!(!trials(&judge).contains("cache"));
    assert!(
        trials(&judge).contains("from the cache"),
        "{}",
        trials(&judge)
    );
    judge.script("problems/talk/interact.sh", "#!/bin/sh\nexit 43\n");
    let anew = trials(&judge);
    assert!(
        anew.contains("WA") && !anew.contains("from the cache"),
        "{anew}"
    );
}

#[test]
fn commands_that_need_an_output_or_grids_refuse_interactive_problems() {
    let judge = judge(DEFAULT);
    judge.put("out", "ok\n");
    for (arguments, message) in [
        (
            &["check", "-p", "talk", "cases/talk/sample/1.in", "out"][..],
            "submissions to this problem talk to its interactor",
        ),
        (
            &[
                "stress",
                "-p",
                "talk",
                "ok.sh",
                "--generator",
                "ok.sh",
                "--solution",
                "ok.sh",
            ],
            "ok.sh: is of no use: submissions to this problem talk to its interactor",
        ),
        (&["strength", "talk"], "this problem is interactive"),
    ] {
        let ran = judge.run(arguments);
        assert_eq!(
            ran.code,
            Some(2),
            "{arguments:?}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert!(
            ran.stderr.contains(message),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}
