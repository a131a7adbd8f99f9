//! Every format of packages with every kind of problem that it knows: small packages, each with submissions of every class, and what
//! each of these earns. `cargo test --test package_table -- --nocapture` shows the table.

#[path = "package_table/dmoj.rs"]
mod dmoj;
mod judge;
#[path = "package_table/kattis.rs"]
mod kattis;
#[path = "package_table/polygon.rs"]
mod polygon;
#[path = "package_table/tried.rs"]
mod tried;

use judge::Judge;
use judge::needs_cc;
use serde_json::Value;
use tried::Class;
use tried::Shipping;
use tried::Tried;

/// Judges a package, and tells what each of its submissions has earned that is not what its class earns.
fn surprises(tried: &Tried) -> Vec<String> {
    let judge = Judge::new();
    for (name, text) in &tried.files {
        judge.put(format!("twice/{name}"), text);
    }
    let mut names: Vec<&str> = Vec::new();
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
    let command = if names.is_empty() { vec!["verify", package] } else { vec!["grade", "-p", package] };
    let ran = judge.run(&[&command[..], &names, &["-q", "--no-cache", "--log", "log.jsonl"]].concat());
    let mut surprises = Vec::new();
    // Programs that nobody promises anything of are rejected, or not: then the judge says so.
    if names.is_empty() && ran.code != Some(0) {
        surprises.push(format!("exit code {:?}: {}{}", ran.code, ran.stdout, ran.stderr));
    }
    let earned = verdicts(&judge);
    for (place, _, class) in &tried.submissions {
        // A submission of several files is called as its folder, and one of Polygon as its file alone.
        let is_it = |(submission, _): &&(String, String)| {
            place.ends_with(submission.as_str()) || place.contains(&format!("/{submission}/"))
        };
        match earned.iter().find(is_it) {
            Some((_, verdict)) if class.verdict() == verdict => {}
            other => surprises.push(format!("{place}: expected {}, found {other:?}", class.verdict())),
        }
    }
    let told: Vec<_> = earned.iter().map(|(_, verdict)| verdict.as_str()).collect();
    println!("| {} | {} | {} | {} |", tried.format, tried.kind, earned.len(), told.join(" "));
    surprises
}

/// Each submission and its verdict, from the log.
fn verdicts(judge: &Judge) -> Vec<(String, String)> {
    if !judge.path("log.jsonl").exists() {
        return Vec::new();
    }
    let log = judge.read("log.jsonl");
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let finished = events.filter(|event| event["event"] == "submission_finished");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    finished.map(|event| (text(&event["submission"]), text(&event["verdict"]))).collect()
}

/// Judges all of them, at least so many.
#[track_caller]
fn all_as_expected(packages: &[Tried], at_least: usize) {
    needs_cc();
    assert!(packages.len() >= at_least, "{} packages", packages.len());
    let found = packages.iter().flat_map(|tried| {
        let told = move |surprise| format!("{}, {}: {surprise}", tried.format, tried.kind);
        surprises(tried).into_iter().map(told)
    });
    let found: Vec<_> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let is_right = |class: &Class| *class == Class::Accepted;
    for tried in packages {
        let classes = || tried.submissions.iter().map(|(_, _, class)| class);
        assert!(classes().any(is_right) && !classes().all(is_right), "{}, {}", tried.format, tried.kind);
    }
}

#[test]
fn packages_of_kattis_legacy_are_judged_as_they_promise() {
    all_as_expected(&kattis::packages("legacy"), 13);
}

#[test]
fn packages_of_kattis_legacy_icpc_are_judged_as_they_promise() {
    all_as_expected(&kattis::packages("legacy-icpc"), 5);
}

#[test]
fn packages_of_kattis_2025_09_are_judged_as_they_promise() {
    all_as_expected(&kattis::packages("2025-09"), 17);
}

#[test]
fn packages_of_domjudge_are_judged_as_they_promise() {
    all_as_expected(&kattis::packages("domjudge"), 8);
}

#[test]
fn packages_of_polygon_are_judged_as_they_promise() {
    all_as_expected(&polygon::packages(), 6);
}

#[test]
fn problems_of_dmoj_and_online_judge_tools_are_judged_as_there() {
    all_as_expected(&dmoj::packages(), 9);
}
