//! Folders with a problem in two formats, which are read as the format that `--format`
//! names.

use crate::judge::share::at_any_number_of_jobs;
use crate::judge::{Judge, Ran};

const YAML: &str = "limits: {time_limit: 10}\n";
const INIT: &str = "test_cases:\n- {in: t/1.in, out: t/1.out, points: 5}\n";

/// Programs that print twice and three times the number that they read.
const TWICE: &str = "read n\necho $((2 * n))\n";
const THRICE: &str = "read n\necho $((3 * n))\n";

/// A folder with a package of Kattis that asks for twice a number, and a problem of
/// DMOJ that asks for three times one.
fn both(place: &str) -> Judge {
    let judge = Judge::new();
    for (name, text) in [
        ("problem.yaml", YAML),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "2\n"),
        ("data/secret/2.in", "5\n"),
        ("data/secret/2.ans", "10\n"),
        ("submissions/accepted/twice.sh", TWICE),
        ("init.yml", INIT),
        ("t/1.in", "5\n"),
        ("t/1.out", "15\n"),
    ] {
        judge.put(format!("{place}/{name}"), text);
    }
    judge.put("twice.sh", TWICE).put("thrice.sh", THRICE);
    judge
}

#[track_caller]
fn good(ran: &Ran) -> &str {
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (Some(0), ""),
        "{}",
        ran.stdout
    );
    &ran.stdout
}

/// The formats that `list` names, by its JSON.
fn listed(judge: &Judge, arguments: &[&str]) -> String {
    let ran = judge.run(&[&["list", "--json", "-q"], arguments].concat());
    let problems: serde_json::Value = serde_json::from_str(good(&ran)).unwrap();
    let problem = &problems[0];
    format!(
        "{} with {} cases",
        problem["format"].as_str().unwrap_or("ours"),
        problem["cases"]
    )
}

#[test]
fn every_command_reads_a_folder_of_two_formats_as_the_named_one() {
    for (place, name) in [
        ("problems/two", "two"),
        ("elsewhere/two", "./elsewhere/two"),
    ] {
        let judge = both(place);
        let dmoj = ["--format", "dmoj"];
        assert_eq!(listed(&judge, &[name]), "legacy with 2 cases");
        assert_eq!(
            listed(&judge, &[&[name], &dmoj[..]].concat()),
            "dmoj with 1 cases"
        );
        assert_eq!(
            listed(&judge, &[name, "--format", "legacy"]),
            "legacy with 2 cases"
        );
        let doctor = judge.run(&[&["doctor", name], &dmoj[..]].concat());
        assert!(
            good(&doctor).contains("two is a DMOJ problem, and can be judged."),
            "{}",
            doctor.stdout
        );
        let verdict = |program: &str, format: &[&str]| {
            at_any_number_of_jobs(|jobs| {
                judge
                    .run(
                        &[&["grade", "-q", program, "-p", name, jobs], format]
                            .concat(),
                    )
                    .code
            })
        };
        assert_eq!(
            (verdict("twice.sh", &[]), verdict("thrice.sh", &[])),
            (Some(0), Some(1))
        );
        assert_eq!(
            (verdict("twice.sh", &dmoj), verdict("thrice.sh", &dmoj)),
            (Some(1), Some(0))
        );
        let verified =
            |format: &[&str]| judge.run(&[&["verify", name], format].concat()).stdout;
        assert!(verified(&["--format", "legacy"]).contains("accepted/twice.sh"));
        assert!(!verified(&dmoj).contains("twice.sh"));
        let check = |format: &[&str]| {
            let input = format!("{place}/t/1.in");
            judge.put("output", "15\n");
            judge.run(
                &[
                    &[
                        "check",
                        "-p",
                        name,
                        &input,
                        "output",
                        &format!("{place}/t/1.out"),
                    ],
                    format,
                ]
                .concat(),
            )
        };
        assert_eq!(check(&dmoj).code, Some(0));
    }
}

#[test]
fn answers_and_export_use_the_named_format_too() {
    let judge = both("two");
    judge.remove("two/data/secret/2.ans").remove("two/t/1.out");
    let refused = judge.run(&["answers", "./two", "--format", "dmoj"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    assert!(
        refused.stderr.contains("two/init.yml"),
        "{}",
        refused.stderr
    );
    let written = judge.run(&["answers", "./two", "--format", "legacy"]);
    assert_eq!(
        good(&written),
        "wrote ./two/data/secret/2.ans\n2 cases: 0 answers proven, 1 written, 1 kept as they are\n"
    );
    judge.put("two/t/1.out", "15\n");
    for (format, cases) in [("legacy", 2), ("dmoj", 1)] {
        let target = format!("./from-{format}");
        let ran = judge.run(&[
            "export",
            "./two",
            "--format",
            format,
            "--to",
            "kattis-2025-09",
            &target,
        ]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(
            listed(&judge, &[&target]),
            format!("2025-09 with {cases} cases")
        );
    }
}

#[test]
fn own_problems_and_cases_of_online_judge_tools_are_read_as_the_named_format() {
    let judge = Judge::new();
    judge.put(
        "problems/mini/domjudge-problem.ini",
        "name = Twice\ntimelimit = 10\n",
    );
    judge
        .put("problems/mini/data/secret/1.in", "4\n")
        .put("problems/mini/data/secret/1.ans", "8\n");
    judge
        .put("problems/mini/test/a.in", "1\n")
        .put("problems/mini/test/a.out", "3\n");
    judge.put("twice.sh", TWICE).put("thrice.sh", THRICE);
    assert_eq!(listed(&judge, &["mini"]), "ours with 2 cases");
    for (format, right, wrong) in [
        ("domjudge", "twice.sh", "thrice.sh"),
        ("oj", "thrice.sh", "twice.sh"),
    ] {
        for named in ["mini", "./problems/mini"] {
            assert_eq!(
                listed(&judge, &[named, "--format", format]),
                format!("{format} with 1 cases")
            );
            for (program, code) in [(right, 0), (wrong, 1)] {
                let ran = judge
                    .run(&["grade", "-q", "-p", named, "--format", format, program]);
                assert_eq!(ran.code, Some(code), "{format}: {}", ran.stdout);
            }
        }
    }
}

#[test]
fn an_archive_is_read_as_the_named_format() {
    let judge = both("two");
    let packed = judge.run(&["export", "./two", "--to", "kattis-legacy", "two.zip"]);
    assert_eq!(packed.code, Some(0), "{}", packed.stderr);
    assert_eq!(
        listed(&judge, &["two.zip", "--format", "legacy-icpc"]),
        "legacy-icpc with 2 cases"
    );
    // The archive contains all files of the folder, including those of the other
    // format.
    assert_eq!(
        listed(&judge, &["two.zip", "--format", "dmoj"]),
        "dmoj with 1 cases"
    );
    let refused = judge.run(&["list", "two.zip", "--format", "polygon"]);
    assert_eq!(
        refused.stderr,
        "error: two.zip: holds no Polygon package: it has no `problem.xml`, at its root or in its only folder\n\
         hint: leave `--format` out, and the files in it tell the format\n"
    );
}

#[test]
fn a_folder_of_another_format_than_the_named_one_is_refused_with_the_missing_files() {
    let judge = both("problems/two");
    for (format, lacking) in [
        (
            "polygon",
            "is not a Polygon package: it has no `problem.xml`",
        ),
        (
            "oj",
            "is not a folder of cases, as of online-judge-tools: it has no cases (`NAME.in`) in it or in `test/`",
        ),
    ] {
        for (command, name) in [
            ("list", "two"),
            ("verify", "./problems/two"),
            ("doctor", "two"),
        ] {
            let refused = judge.run(&[command, name, "--format", format]);
            assert_eq!(refused.code, Some(2), "{}", refused.stdout);
            assert!(
                refused
                    .stderr
                    .contains(&format!("problems/two: {lacking}\n")),
                "{}",
                refused.stderr
            );
            assert!(
                refused.stderr.contains("hint: leave `--format` out"),
                "{}",
                refused.stderr
            );
        }
    }
    judge.remove("problems/two/problem.yaml");
    let refused = judge.run(&["list", "two", "--format", "domjudge"]);
    assert!(
        refused
            .stderr
            .contains("it has no `domjudge-problem.ini` and no `problem.yaml`"),
        "{}",
        refused.stderr
    );
    for command in [
        &["list"][..],
        &["grade", "twice.sh"],
        &["verify"],
        &["doctor"],
    ] {
        let refused = judge.run(&[command, &["--format", "dmoj"]].concat());
        let told = "error: --format: no problem is named that could be read as a package of it\n\
                    hint: name one, by its id or its path\n";
        assert_eq!((refused.code, refused.stderr.as_str()), (Some(2), told));
    }
    let unknown = judge.run(&["list", "two", "--format", "kattis"]);
    assert_eq!(unknown.code, Some(2));
    let known = "[possible values: legacy, legacy-icpc, 2025-09, domjudge, polygon, dmoj, oj]";
    assert!(unknown.stderr.contains(known), "{}", unknown.stderr);
}

/// A package with points and a submission that is wrong on one of two cases.
fn scoring(extra: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put(
        "sum/problem.yaml",
        "type: scoring\nlimits: {time_limit: 10}\n",
    );
    judge.put("sum/data/testdata.yaml", "on_reject: continue\n");
    judge.put("sum/data/sample/testdata.yaml", "accept_score: 0\n");
    judge.put(
        "sum/data/secret/testdata.yaml",
        "accept_score: 30\ngrader_flags: sum\n",
    );
    for name in ["sample/0", "secret/1", "secret/2"] {
        judge
            .put(format!("sum/data/{name}.in"), "1\n")
            .put(format!("sum/data/{name}.ans"), "2\n");
    }
    for (name, text) in extra {
        judge.put(format!("sum/{name}"), text);
    }
    judge.put("twice.sh", TWICE);
    judge
}

#[test]
fn the_points_of_the_same_file_can_be_read_as_by_kattis_or_as_by_domjudge() {
    let ini = ("domjudge-problem.ini", "name = Sum\n");
    let points = |judge: &Judge, format: &[&str]| {
        let ran =
            judge.run(&[&["grade", "-p", "./sum", "twice.sh"], format].concat());
        let line = good(&ran)
            .lines()
            .find(|line| line.contains("twice.sh"))
            .unwrap()
            .to_owned();
        line.split_whitespace()
            .find(|word| word.contains("30") || word.contains("60"))
            .unwrap()
            .to_owned()
    };
    let plain = scoring(&[]);
    let with_ini = scoring(&[ini]);
    let as_kattis = points(&plain, &[]);
    let as_domjudge = points(&with_ini, &[]);
    assert_ne!(as_kattis, as_domjudge);
    for judge in [&plain, &with_ini] {
        assert_eq!(points(judge, &["--format", "legacy"]), as_kattis);
        assert_eq!(points(judge, &["--format", "domjudge"]), as_domjudge);
    }
    let said = "sum is a Kattis package, format legacy, read as by DOMjudge, and can be judged.";
    let doctor = with_ini.run(&["doctor", "./sum"]);
    assert!(good(&doctor).contains(said), "{}", doctor.stdout);
    let doctor = with_ini.run(&["doctor", "./sum", "--format", "legacy"]);
    let ignored = "`domjudge-problem.ini`, since the package is read as `legacy`";
    assert!(good(&doctor).contains(ignored), "{}", doctor.stdout);
}

#[test]
fn a_draft_is_read_and_exported_as_the_version_that_it_became() {
    let judge = both("two");
    let draft = "problem_format_version: 2023-07-draft\nname: Two\nuuid: 3b5f\nlimits: {time_limit: 10}\n";
    judge.put("two/problem.yaml", draft);
    assert_eq!(listed(&judge, &["./two"]), "2025-09 with 2 cases");
    assert!(
        judge
            .run(&["doctor", "./two"])
            .stdout
            .contains("of a draft (`2023-07-draft`)")
    );
    assert_eq!(
        listed(&judge, &["./two", "--format", "2025-09"]),
        "2025-09 with 2 cases"
    );
    let ran = judge.run(&["export", "./two", "--to", "kattis-2025-09", "new"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(listed(&judge, &["./new"]), "2025-09 with 2 cases");
}
