//! `grade --watch` and `verify --watch` with real changes to files. No test sleeps:
//! each step waits for a line of output, and fails after a timeout that only a defect
//! can reach.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::judge::{self, HALF_RIGHT, Judge, RIGHT, SOLVED};
use rustix::process::{Pid, Signal};

/// The line at the end of a round.
const ROUND_END: &str = "note: watching for changes; Ctrl-C ends this";

/// Much longer than any step takes.
const TIMEOUT: Duration = Duration::from_secs(300);

/// A running judge that watches files, and the lines of its output.
struct WatchProcess {
    child: Child,
    lines: Receiver<String>,
    lines_seen: Vec<String>,
}

impl WatchProcess {
    fn start(judge: &Judge, arguments: &[&str]) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        let mut command = judge.command(arguments);
        let child = command
            .stdout(writer.try_clone().unwrap())
            .stderr(writer)
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            lines,
            lines_seen: vec![],
        }
    }

    /// Waits for a line that contains a text. Returns all lines since the last call,
    /// including it.
    #[track_caller]
    fn wait_for(&mut self, text: &str) -> String {
        let start = self.lines_seen.len();
        loop {
            match self.lines.recv_timeout(TIMEOUT) {
                Ok(line) => self.lines_seen.push(line),
                Err(error) => panic!(
                    "no `{text}` ({error}) in\n{}",
                    self.lines_seen[start..].join("\n")
                ),
            }
            if self.lines_seen.last().unwrap().contains(text) {
                return self.lines_seen[start..].join("\n");
            }
        }
    }

    /// Ends the judge as Ctrl-C does. Returns the number of completed rounds.
    #[track_caller]
    fn end(mut self) -> usize {
        rustix::process::kill_process(Pid::from_child(&self.child), Signal::INT)
            .unwrap();
        while let Ok(line) = self.lines.recv_timeout(TIMEOUT) {
            self.lines_seen.push(line);
        }
        assert_eq!(
            self.child.wait().unwrap().code(),
            Some(130),
            "{}",
            self.lines_seen.join("\n")
        );
        self.lines_seen
            .iter()
            .filter(|line| *line == ROUND_END)
            .count()
    }
}

impl Drop for WatchProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces a script in one step, as most editors do. A file that is written and then
/// made executable would change twice.
fn replace(judge: &Judge, name: &str, text: &str) {
    judge.script("new", text);
    fs::rename(judge.path("new"), judge.path(name)).unwrap();
}

/// The cases of a log with their verdicts, in order.
fn trials(log: &str) -> Vec<(String, String)> {
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let trials = events.filter(|event| event["event"] == "trial_finished");
    trials
        .map(|trial| {
            ["case", "verdict"]
                .map(|key| trial[key].as_str().unwrap().to_owned())
                .into()
        })
        .collect()
}

fn pairs(trials: &[(String, String)]) -> Vec<(&str, &str)> {
    trials
        .iter()
        .map(|(case, verdict)| (case.as_str(), verdict.as_str()))
        .collect()
}

#[test]
fn a_replaced_submission_is_judged_again_beginning_with_the_case_that_failed() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    // A file that the judge writes must not start a round, even if it is in the folder
    // of the problem.
    let log = "problems/mini/log.jsonl";
    let mut watch = WatchProcess::start(
        &judge,
        &["grade", "--no-cache", "--watch", "mini.sh", "--log", log],
    );
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("WA (wrong answer) on secret/002-two")
    );
    replace(&judge, "mini.sh", RIGHT);
    let text = watch.wait_for(ROUND_END);
    assert!(text.starts_with("note: mini.sh changed\n"), "{text}");
    assert!(
        text.contains("\n1 submission, 2 trials: 1 accepted"),
        "{text}"
    );
    assert_eq!(
        pairs(&trials(&judge.read(log))),
        [("secret/002-two", "AC"), ("sample/001-one", "AC")]
    );
    // Nothing failed in the last round, so the order is the usual one.
    replace(&judge, "mini.sh", HALF_RIGHT);
    watch.wait_for(ROUND_END);
    assert_eq!(
        pairs(&trials(&judge.read(log))),
        [("sample/001-one", "AC"), ("secret/002-two", "WA")]
    );
    judge
        .put("unrelated", "")
        .put("problems/mini/statement.md", "");
    replace(&judge, "mini.sh", RIGHT);
    watch.wait_for(ROUND_END);
    assert_eq!(watch.end(), 4);
}

#[test]
fn mistakes_during_an_edit_are_shown_and_watching_continues() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watch = WatchProcess::start(
        &judge,
        &["grade", "--no-cache", "--watch", "-p", "mini", "mini.sh"],
    );
    let right = "1 submission, 2 trials: 1 accepted";
    assert!(watch.wait_for(ROUND_END).contains(right));
    judge.edit("problems/mini/problem.toml", "\"10s\"", "\"10");
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("error: problems/mini/problem.toml:")
    );
    judge.edit("problems/mini/problem.toml", "\"10", "\"10s\"");
    assert!(watch.wait_for(ROUND_END).contains(right));
    judge.remove("mini.sh");
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("error: mini.sh: cannot be read")
    );
    judge.script("mini.sh", RIGHT);
    assert!(watch.wait_for(ROUND_END).contains(right));
    judge.put("judge.toml", "job = 1\n");
    assert!(watch.wait_for(ROUND_END).contains("unknown key `job`"));
    judge.put("judge.toml", "");
    assert!(watch.wait_for(ROUND_END).contains(right));
    watch.end();
}

#[test]
fn added_and_removed_cases_are_noticed_even_if_their_folder_is_moved() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watch =
        WatchProcess::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh"]);
    watch.wait_for(ROUND_END);
    judge
        .put("spare/3.in", judge::ONE)
        .put("spare/3.ans", SOLVED);
    fs::rename(judge.path("spare"), judge.path("cases/mini/third")).unwrap();
    assert!(watch.wait_for(ROUND_END).contains("1 submission, 3 trials"));
    fs::rename(judge.path("cases"), judge.path("away")).unwrap();
    assert!(watch.wait_for(ROUND_END).contains("has no cases"));
    fs::rename(judge.path("away"), judge.path("cases")).unwrap();
    assert!(watch.wait_for(ROUND_END).contains("1 submission, 3 trials"));
    watch.end();
}

#[test]
fn each_round_writes_complete_reports_of_that_round() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    let files = [
        "--junit",
        "report.xml",
        "--html",
        "report.html",
        "--log",
        "log.jsonl",
    ];
    let arguments =
        [&["grade", "--no-cache", "--watch", "mini.sh"], &files[..]].concat();
    let mut watch = WatchProcess::start(&judge, &arguments);
    for (next, verdicts, failures) in [
        (Some(RIGHT), vec!["AC", "WA"], 1),
        // The case that failed last comes first.
        (Some(HALF_RIGHT), vec!["AC", "AC"], 0),
        (None, vec!["AC", "WA"], 1),
    ] {
        watch.wait_for(ROUND_END);
        let log = judge.read("log.jsonl");
        assert_eq!(log.matches("suite_started").count(), 1, "{log}");
        assert!(
            log.lines()
                .last()
                .unwrap()
                .starts_with("{\"event\":\"suite_finished\""),
            "{log}"
        );
        let earned: Vec<_> = trials(&log)
            .into_iter()
            .map(|(_, verdict)| verdict)
            .collect();
        assert_eq!(earned, verdicts);
        let xml = judge.read("report.xml");
        let suites = roxmltree::Document::parse(&xml).unwrap();
        let failed = suites
            .descendants()
            .filter(|node| node.has_tag_name("failure"))
            .count();
        assert_eq!(
            (failed, xml.matches("<?xml").count()),
            (failures, 1),
            "{xml}"
        );
        let page = judge.read("report.html");
        assert!(
            page.starts_with("<!DOCTYPE html>")
                && page.trim_end().ends_with("</html>"),
            "{page}"
        );
        assert_eq!(page.matches("</html>").count(), 1);
        assert_eq!(
            page.contains("ends after 1 of 2 grids"),
            failures > 0,
            "{page}"
        );
        if let Some(script) = next {
            replace(&judge, "mini.sh", script);
        }
    }
    watch.end();
}

/// A script that is right on the first case and sleeps for ten minutes on the second.
fn stuck() -> String {
    let solved = SOLVED.replace('\n', "\\n");
    format!("#!/bin/sh\nread n\n[ $n = 1 ] || exec sleep 600.25\nprintf '{solved}'\n")
}

#[test]
fn a_change_stops_the_current_round_and_a_signal_ends_the_judge() {
    let judge = Judge::new();
    judge
        .edit(
            "problems/mini/problem.toml",
            "time = \"10s\"",
            "time = \"600s\"",
        )
        .script("mini.sh", &stuck());
    let mut watch = WatchProcess::start(
        &judge,
        &[
            "grade",
            "--no-cache",
            "--watch",
            "mini.sh",
            "-j1",
            "--log",
            "-",
        ],
    );
    watch.wait_for("trial_finished");
    replace(&judge, "mini.sh", RIGHT);
    watch.wait_for("suite_interrupted");
    assert!(watch.wait_for(ROUND_END).contains("note: mini.sh changed"));
    replace(&judge, "mini.sh", &stuck());
    watch.wait_for("trial_finished");
    assert_eq!(watch.end(), 1);
    // No temporary file is left.
    assert_eq!(fs::read_dir(judge.path("tmp")).unwrap().count(), 0);
}

#[test]
fn cases_with_points_keep_their_order_in_the_next_round() {
    let judge = Judge::new();
    let groups = "on_reject: continue\ngrader_flags: ignore_sample\n";
    let of_its_own = "grader_flags: first_error\n";
    for (name, text) in [
        (
            "problem.yaml",
            "name: Same\ntype: scoring\nlimits: {time_limit: 1}\n",
        ),
        ("data/testdata.yaml", groups),
        ("data/sample/testdata.yaml", of_its_own),
        ("data/secret/testdata.yaml", of_its_own),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/2.in", "2\n"),
        ("data/secret/2.ans", "2\n"),
    ] {
        judge.put(format!("same/{name}"), text);
    }
    judge.script("mine.sh", "echo 1\n");
    let mut watch = WatchProcess::start(
        &judge,
        &["grade", "--no-cache", "--watch", "-p", "./same", "mine.sh"],
    );
    assert!(watch.wait_for(ROUND_END).contains("0 accepted, 1 not"));
    // The failed case, judged first, would be the sample that does not count.
    replace(&judge, "mine.sh", "echo 1 \n");
    assert!(watch.wait_for(ROUND_END).contains("0 accepted, 1 not"));
    watch.end();
}

#[test]
fn verify_is_repeated_for_examples_and_problems_that_are_added() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    let mut watch = WatchProcess::start(&judge, &["verify", "--no-cache", "--watch"]);
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("1 submission, 2 trials: 1 as expected")
    );
    // Moved in one step: a script that is not executable yet would be reported as a
    // mistake.
    fs::create_dir_all(judge.path("spare/wrong")).unwrap();
    judge.script("spare/wrong/half", HALF_RIGHT);
    fs::rename(
        judge.path("spare/wrong"),
        judge.path("problems/mini/submissions/wrong"),
    )
    .unwrap();
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("2 submissions, 4 trials: 2 as expected")
    );
    fs::set_permissions(
        judge.path("problems/mini/submissions/wrong/half"),
        PermissionsExt::from_mode(0o644),
    )
    .unwrap();
    assert!(
        watch
            .wait_for(ROUND_END)
            .contains("half: is of no known language and is not executable")
    );
    watch.end();
}

#[test]
fn the_screen_is_not_cleared_if_output_goes_to_a_pipe() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watch =
        WatchProcess::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh"]);
    watch.wait_for(ROUND_END);
    replace(&judge, "mini.sh", HALF_RIGHT);
    watch.wait_for(ROUND_END);
    assert!(watch.lines_seen.iter().all(|line| !line.contains('\x1b')));
    watch.end();
}
