//! `grade --watch` and `verify --watch` with real files and a real kernel. Nothing sleeps: each step waits for what the judge
//! says, however long that takes, and gives up after a time at which it would be broken.

mod judge;

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::os::unix::fs::PermissionsExt;
use std::process::Child;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use judge::HALF_RIGHT;
use judge::Judge;
use judge::RIGHT;
use judge::SOLVED;
use rustix::process::Pid;
use rustix::process::Signal;

/// What a round ends with.
const DONE: &str = "note: watching for changes; Ctrl-C ends this";

/// Far more than any step takes.
const BROKEN: Duration = Duration::from_secs(300);

/// A judge that watches, and what it says, line by line.
struct Watching {
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Watching {
    fn start(judge: &Judge, arguments: &[&str]) -> Self {
        let (reader, writer) = std::io::pipe().unwrap();
        let mut command = judge.command(arguments);
        let child = command.stdout(writer.try_clone().unwrap()).stderr(writer).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(reader).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self { child, lines, said: Vec::new() }
    }

    /// Waits for a line with this in it; what was said up to it, since the last call.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        let start = self.said.len();
        loop {
            match self.lines.recv_timeout(BROKEN) {
                Ok(line) => self.said.push(line),
                Err(error) => panic!("no `{text}` ({error}) in\n{}", self.said[start..].join("\n")),
            }
            if self.said.last().unwrap().contains(text) {
                return self.said[start..].join("\n");
            }
        }
    }

    /// Ends it as a terminal would; how many rounds it has judged to their end.
    #[track_caller]
    fn end(mut self) -> usize {
        rustix::process::kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        while let Ok(line) = self.lines.recv_timeout(BROKEN) {
            self.said.push(line);
        }
        assert_eq!(self.child.wait().unwrap().code(), Some(130), "{}", self.said.join("\n"));
        self.said.iter().filter(|line| *line == DONE).count()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces a script in one step, as most editors do: one that is written and then made executable has changed twice.
fn replace(judge: &Judge, name: &str, text: &str) {
    judge.script("new", text);
    fs::rename(judge.path("new"), judge.path(name)).unwrap();
}

/// The cases of a log with their verdicts, in order.
fn trials(log: &str) -> Vec<(String, String)> {
    let events = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let trials = events.filter(|event| event["event"] == "trial_finished");
    trials
        .map(|trial| ["case", "verdict"].map(|key| trial[key].as_str().unwrap().to_owned()).into())
        .collect()
}

fn pairs(trials: &[(String, String)]) -> Vec<(&str, &str)> {
    trials.iter().map(|(case, verdict)| (case.as_str(), verdict.as_str())).collect()
}

#[test]
fn a_submission_that_is_replaced_is_judged_again_with_the_case_first_that_failed_last() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    // Where the judge writes must not start it again, not even in the folder of the problem.
    let log = "problems/mini/log.jsonl";
    let mut watching = Watching::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh", "--log", log]);
    assert!(watching.until(DONE).contains("WA (wrong answer) on secret/002-two"));
    replace(&judge, "mini.sh", RIGHT);
    let said = watching.until(DONE);
    assert!(said.starts_with("note: mini.sh changed\n"), "{said}");
    assert!(said.contains("\n1 submission, 2 trials: 1 accepted"), "{said}");
    assert_eq!(pairs(&trials(&judge.read(log))), [("secret/002-two", "AC"), ("sample/001-one", "AC")]);
    // Nothing failed last, so the order is the usual one.
    replace(&judge, "mini.sh", HALF_RIGHT);
    watching.until(DONE);
    assert_eq!(pairs(&trials(&judge.read(log))), [("sample/001-one", "AC"), ("secret/002-two", "WA")]);
    judge.put("unrelated", "").put("problems/mini/statement.md", "");
    replace(&judge, "mini.sh", RIGHT);
    watching.until(DONE);
    assert_eq!(watching.end(), 4);
}

#[test]
fn mistakes_in_the_middle_of_an_edit_are_shown_and_watching_goes_on() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watching = Watching::start(&judge, &["grade", "--no-cache", "--watch", "-p", "mini", "mini.sh"]);
    let right = "1 submission, 2 trials: 1 accepted";
    assert!(watching.until(DONE).contains(right));
    judge.edit("problems/mini/problem.toml", "\"10s\"", "\"10");
    assert!(watching.until(DONE).contains("error: problems/mini/problem.toml:"));
    judge.edit("problems/mini/problem.toml", "\"10", "\"10s\"");
    assert!(watching.until(DONE).contains(right));
    judge.remove("mini.sh");
    assert!(watching.until(DONE).contains("error: mini.sh: cannot be read"));
    judge.script("mini.sh", RIGHT);
    assert!(watching.until(DONE).contains(right));
    judge.put("judge.toml", "job = 1\n");
    assert!(watching.until(DONE).contains("unknown key `job`"));
    judge.put("judge.toml", "");
    assert!(watching.until(DONE).contains(right));
    watching.end();
}

#[test]
fn cases_that_come_and_go_are_judged_even_when_their_folder_does() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watching = Watching::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh"]);
    watching.until(DONE);
    judge.put("spare/3.in", judge::ONE).put("spare/3.ans", SOLVED);
    fs::rename(judge.path("spare"), judge.path("cases/mini/third")).unwrap();
    assert!(watching.until(DONE).contains("1 submission, 3 trials"));
    fs::rename(judge.path("cases"), judge.path("away")).unwrap();
    assert!(watching.until(DONE).contains("has no cases"));
    fs::rename(judge.path("away"), judge.path("cases")).unwrap();
    assert!(watching.until(DONE).contains("1 submission, 3 trials"));
    watching.end();
}

#[test]
fn each_round_writes_reports_that_are_whole_and_of_that_round() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    let files = ["--junit", "report.xml", "--html", "report.html", "--log", "log.jsonl"];
    let arguments = [&["grade", "--no-cache", "--watch", "mini.sh"], &files[..]].concat();
    let mut watching = Watching::start(&judge, &arguments);
    for (next, verdicts, failures) in [
        (Some(RIGHT), vec!["AC", "WA"], 1),
        // What failed last comes first.
        (Some(HALF_RIGHT), vec!["AC", "AC"], 0),
        (None, vec!["AC", "WA"], 1),
    ] {
        watching.until(DONE);
        let log = judge.read("log.jsonl");
        assert_eq!(log.matches("suite_started").count(), 1, "{log}");
        assert!(log.lines().last().unwrap().starts_with("{\"event\":\"suite_finished\""), "{log}");
        let earned: Vec<_> = trials(&log).into_iter().map(|(_, verdict)| verdict).collect();
        assert_eq!(earned, verdicts);
        let xml = judge.read("report.xml");
        let suites = roxmltree::Document::parse(&xml).unwrap();
        let failed = suites.descendants().filter(|node| node.has_tag_name("failure")).count();
        assert_eq!((failed, xml.matches("<?xml").count()), (failures, 1), "{xml}");
        let page = judge.read("report.html");
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
        assert_eq!(page.matches("</html>").count(), 1);
        assert_eq!(page.contains("ends after 1 of 2 grids"), failures > 0, "{page}");
        next.into_iter().for_each(|script| replace(&judge, "mini.sh", script));
    }
    watching.end();
}

/// A script that is right on the first case and then waits longer than anybody has time for.
fn stuck() -> String {
    let solved = SOLVED.replace('\n', "\\n");
    format!("#!/bin/sh\nread n\n[ $n = 1 ] || exec sleep 600.25\nprintf '{solved}'\n")
}

#[test]
fn a_change_stops_the_judging_of_what_is_no_more_and_a_signal_all_of_it() {
    let judge = Judge::new();
    judge.edit("problems/mini/problem.toml", "time = \"10s\"", "time = \"600s\"").script("mini.sh", &stuck());
    let mut watching =
        Watching::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh", "-j1", "--log", "-"]);
    watching.until("trial_finished");
    replace(&judge, "mini.sh", RIGHT);
    watching.until("suite_interrupted");
    assert!(watching.until(DONE).contains("note: mini.sh changed"));
    replace(&judge, "mini.sh", &stuck());
    watching.until("trial_finished");
    assert_eq!(watching.end(), 1);
    // Nothing is left of it.
    assert_eq!(fs::read_dir(judge.path("tmp")).unwrap().count(), 0);
}

#[test]
fn verify_is_repeated_for_examples_and_problems_that_are_added() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    let mut watching = Watching::start(&judge, &["verify", "--no-cache", "--watch"]);
    assert!(watching.until(DONE).contains("1 submission, 2 trials: 1 as expected"));
    // Moved there whole: a script that is not executable yet would be a mistake, which is told.
    fs::create_dir_all(judge.path("spare/wrong")).unwrap();
    judge.script("spare/wrong/half.sh", HALF_RIGHT);
    fs::rename(judge.path("spare/wrong"), judge.path("problems/mini/submissions/wrong")).unwrap();
    assert!(watching.until(DONE).contains("2 submissions, 4 trials: 2 as expected"));
    fs::set_permissions(
        judge.path("problems/mini/submissions/wrong/half.sh"),
        PermissionsExt::from_mode(0o644),
    )
    .unwrap();
    assert!(watching.until(DONE).contains("half.sh: is of no known language and is not executable"));
    watching.end();
}

#[test]
fn nobody_is_sent_a_new_page_who_reads_a_pipe() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    let mut watching = Watching::start(&judge, &["grade", "--no-cache", "--watch", "mini.sh"]);
    watching.until(DONE);
    replace(&judge, "mini.sh", HALF_RIGHT);
    watching.until(DONE);
    assert!(watching.said.iter().all(|line| !line.contains('\x1b')));
    watching.end();
}
