//! Judges small packages in every package format, one for every kind of problem of the
//! format, each with submissions of every class, and compares the verdicts with the
//! classes. Of Kattis' formats and DOMjudge's, every third package has those that run
//! until a limit ends them, and with `GRIDJUDGE_EXHAUSTIVE=1` each.
//! `cargo test --test command_line package_table -- --nocapture` shows the table.

mod dmoj;
mod kattis;
mod polygon;
pub(crate) mod tried;

use crate::judge::share::Turn;
use crate::judge::{Judge, needs_cc};
use serde_json::Value;
use tried::{Class, Shipping, Tried};

const EVERY_THIRD: Turn = Turn {
    column: 0,
    columns: 3,
};

/// The packages, each with those of its submissions whose turn it is.
fn due(mut packages: Vec<Tried>) -> Vec<Tried> {
    for (row, package) in packages.iter_mut().enumerate() {
        package.submissions.retain(|(_, _, class)| match class {
            Class::Slow => EVERY_THIRD.has(row),
            Class::Flooding => EVERY_THIRD.has(row + 1),
            _ => true,
        });
    }
    packages
}

/// Judges a package and returns the submissions whose verdict is not that of their
/// class.
fn unexpected_results(tried: &Tried) -> Vec<String> {
    let judge = Judge::new();
    for (name, text) in &tried.files {
        judge.put(format!("twice/{name}"), text);
    }
    let mut names: Vec<&str> = vec![];
    for (place, source, _) in &tried.submissions {
        match tried.shipping {
            Shipping::Beside => names.push(place),
            Shipping::Folder | Shipping::Archive => {}
        }
        let folder = if names.is_empty() { "twice/" } else { "" };
        judge.put(format!("{folder}{place}"), source);
    }
    let package = match tried.shipping {
        Shipping::Archive => {
            judge.put("twice.zip", tried::packed(&judge.path("twice")));
            std::fs::remove_dir_all(judge.path("twice")).unwrap();
            "./twice.zip"
        }
        Shipping::Folder | Shipping::Beside => "./twice",
    };
    let command = if names.is_empty() {
        vec!["verify", package]
    } else {
        vec!["grade", "-p", package]
    };
    // With one job, no case is judged beside the one that decides.
    let ran = judge
        .run(&[&command[..], &names, &["-q", "-j1", "--log", "log.jsonl"]].concat());
    let mut unexpected_results = vec![];
    // `grade` exits with 1 for the wrong submissions, so only the exit code of `verify`
    // is checked.
    if names.is_empty() && ran.code != Some(0) {
        unexpected_results.push(format!(
            "exit code {:?}: {}{}",
            ran.code, ran.stdout, ran.stderr
        ));
    }
    let found = verdicts(&judge);
    for (place, _, class) in &tried.submissions {
        // A submission of several files has the name of its folder, and one of Polygon
        // that of its file.
        match found.iter().find(|(submission, _)| {
            place.ends_with(submission.as_str())
                || place.contains(&format!("/{submission}/"))
        }) {
            Some((_, verdict)) if class.verdict() == verdict => {}
            other => unexpected_results.push(format!(
                "{place}: expected {}, found {other:?}",
                class.verdict()
            )),
        }
    }
    let describe: Vec<_> =
        found.iter().map(|(_, verdict)| verdict.as_str()).collect();
    println!(
        "| {} | {} | {} | {} |",
        tried.format,
        tried.kind,
        found.len(),
        describe.join(" ")
    );
    unexpected_results
}

/// Each submission and its verdict, from the log.
fn verdicts(judge: &Judge) -> Vec<(String, String)> {
    if !judge.path("log.jsonl").exists() {
        return vec![];
    }
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = events.filter(|event| event["event"] == "submission_finished");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    finished
        .map(|event| (text(&event["submission"]), text(&event["verdict"])))
        .collect()
}

/// Checks that there are at least this many packages, and that all their submissions
/// get the verdicts of their classes.
#[track_caller]
fn all_as_expected(packages: &[Tried], at_least: usize) {
    needs_cc();
    assert!(packages.len() >= at_least, "{} packages", packages.len());
    let found = packages.iter().flat_map(|tried| {
        unexpected_results(tried)
            .into_iter()
            .map(move |unexpected| {
                format!("{}, {}: {unexpected}", tried.format, tried.kind)
            })
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let is_right = |class: &Class| *class == Class::Accepted;
    for tried in packages {
        let classes = || tried.submissions.iter().map(|(_, _, class)| class);
        assert!(
            classes().any(is_right) && !classes().all(is_right),
            "{}, {}",
            tried.format,
            tried.kind
        );
    }
}

#[test]
fn submissions_of_kattis_legacy_packages_get_the_expected_verdicts() {
    all_as_expected(&due(kattis::packages("legacy")), 13);
}

#[test]
fn submissions_of_kattis_legacy_icpc_packages_get_the_expected_verdicts() {
    all_as_expected(&due(kattis::packages("legacy-icpc")), 5);
}

#[test]
fn submissions_of_kattis_2025_09_packages_get_the_expected_verdicts() {
    all_as_expected(&due(kattis::packages("2025-09")), 17);
}

#[test]
fn submissions_of_domjudge_packages_get_the_expected_verdicts() {
    all_as_expected(&due(kattis::packages("domjudge")), 8);
}

#[test]
fn submissions_of_polygon_packages_get_the_expected_verdicts() {
    all_as_expected(&polygon::packages(), 6);
}

#[test]
fn submissions_to_dmoj_and_online_judge_tools_problems_get_the_expected_verdicts() {
    all_as_expected(&dmoj::packages(), 9);
}
