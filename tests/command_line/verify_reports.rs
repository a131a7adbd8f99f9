//! Runs `verify` on problems with mistakes, and reads these in every kind of report.

use crate::judge::{self, Judge};
use serde_json::Value;

/// A `problem.yaml` of the newest format.
const SPEC: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f7c1e-0a52-4f0e-9d3a-5b1f2c4d6e7a\nlimits: {time_limit: 10}\n";

/// Accepts numbers up to 9.
const VALIDATOR: &str = "import sys\nn = int(input())\nif n > 9:\n    sys.exit(f'{n} is large')\nsys.exit(42)\n";

/// The options of all reports that go to a file, and the names of the files.
const FORMATS: [(&str, &str); 6] = [
    ("--junit", "r.xml"),
    ("--tap", "r.tap"),
    ("--csv", "r.csv"),
    ("--markdown", "r.md"),
    ("--sarif", "r.json"),
    ("--html", "r.html"),
];

/// What is wrong with the package of [`broken`], in the form of the log.
const MISTAKES: [&str; 5] = [
    "files problems/pkg/problem.yaml:5: unknown key `nmae`",
    "files problems/pkg/data/secret/5.ans: the answer has no case (`.in`) next to it",
    "files problems/pkg/data/secret/4.in: the case has no answer next to it",
    "input_validators problems/pkg/data/secret/4.in: the input validator check.py refuses it: exit code 1: 70 is large",
    "input_validators problems/pkg/data/invalid_input/a.in: must be invalid, and every input validator accepts it",
];

/// What is hardly intended in it.
const WARNING: &str =
    "cases problems/pkg/data/secret/3.in: the same input as data/secret/2.in";

/// A sound package that asks for twice a number, with these additional files.
fn package(files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    let default = [
        ("problem.yaml", SPEC),
        ("statement/problem.en.tex", "Twice\n"),
        ("input_validators/check.py", VALIDATOR),
        ("submissions/accepted/right.py", "print(2 * int(input()))\n"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "2\n"),
        ("data/secret/2.in", "5\n"),
        ("data/secret/2.ans", "10\n"),
    ];
    for (name, text) in default.iter().chain(files) {
        judge.put(format!("problems/pkg/{name}"), text);
    }
    judge
}

/// A package with [`MISTAKES`] and a [`WARNING`].
fn broken() -> Judge {
    package(&[
        ("problem.yaml", &format!("{SPEC}nmae: x\n")),
        ("data/secret/3.in", "5\n"),
        ("data/secret/3.ans", "10\n"),
        ("data/secret/4.in", "70\n"),
        ("data/secret/5.ans", "10\n"),
        ("data/invalid_input/a.in", "3\n"),
    ])
}

/// Runs `verify` with a log and all reports in files. Returns the exit code, standard
/// output and standard error.
fn verified(judge: &Judge, problem: &str) -> (Option<i32>, String, String) {
    let reports = FORMATS.iter().flat_map(|(option, file)| [*option, file]);
    let arguments: Vec<_> =
        ["verify", problem, "--all", "--github", "--log", "l.jsonl"]
            .into_iter()
            .chain(reports)
            .collect();
    let ran = judge
        .command(&arguments)
        .env("GITHUB_STEP_SUMMARY", "")
        .output()
        .unwrap();
    let [stdout, stderr] =
        [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    (ran.status.code(), stdout, stderr)
}

/// The events of the log.
fn events(judge: &Judge) -> Vec<Value> {
    judge
        .read("l.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The mistakes in the log of this severity, in the form of [`MISTAKES`].
fn logged(judge: &Judge, severity: &str) -> Vec<String> {
    let events = events(judge);
    let found = events.iter().filter(|event| event["severity"] == severity);
    let told = found.map(|event| {
        let text = |key: &str| event[key].as_str().unwrap().to_owned();
        let line = event["line"]
            .as_u64()
            .map_or_else(String::new, |line| format!(":{line}"));
        format!(
            "{} {}{line}: {}",
            text("check"),
            text("file"),
            text("message")
        )
    });
    told.collect()
}

/// Mistakes in the form of [`MISTAKES`], without the name of the check.
fn told(mistakes: &[&str]) -> Vec<String> {
    mistakes
        .iter()
        .map(|mistake| mistake.split_once(' ').unwrap().1.to_owned())
        .collect()
}

#[test]
fn the_mistakes_of_a_package_are_in_the_log_before_its_submissions() {
    let judge = broken();
    let (code, stdout, _) = verified(&judge, "pkg");
    assert_eq!(code, Some(2));
    assert_eq!(logged(&judge, "error"), MISTAKES);
    assert_eq!(logged(&judge, "warning"), [WARNING]);
    let events = events(&judge);
    let names: Vec<_> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["suite_started", "mistake_found"]);
    assert_eq!(names[6..8], ["mistake_found", "submission_started"]);
    assert_eq!(events[1]["remedy"], "did you mean `name`?");
    // They are not counted as submissions.
    assert_eq!(
        (
            &events.last().unwrap()["as_expected"],
            &events.last().unwrap()["surprising"]
        ),
        (&1.into(), &0.into())
    );
    assert!(
        stdout.contains("\n1 submission, 3 trials: 1 as expected\n"),
        "{stdout}"
    );
}

#[test]
fn the_mistakes_of_a_package_fail_in_junit_and_tap() {
    let judge = broken();
    verified(&judge, "pkg");
    let xml = judge.read("r.xml");
    let page = roxmltree::Document::parse(&xml).unwrap();
    let suite = page
        .descendants()
        .find(|node| node.attribute("name") == Some("pkg.problem"))
        .unwrap();
    let counts = ["tests", "failures", "errors", "skipped"]
        .map(|key| suite.attribute(key).unwrap());
    assert_eq!(counts, ["6", "5", "0", "0"]);
    let failures: Vec<_> = page
        .descendants()
        .filter(|node| node.has_tag_name("failure"))
        .collect();
    let names: Vec<_> = failures
        .iter()
        .map(|node| node.parent().unwrap().attribute("name").unwrap())
        .collect();
    assert_eq!(names, told(&MISTAKES));
    assert_eq!(failures[0].attribute("type"), Some("FILES"));
    assert_eq!(failures[0].attribute("message"), Some("unknown key `nmae`"));
    assert_eq!(
        failures[0].text(),
        Some("unknown key `nmae`\nremedy: did you mean `name`?")
    );
    assert_eq!(page.root_element().attribute("failures"), Some("5"));

    let tap = judge.read("r.tap");
    let failed: Vec<_> = tap
        .lines()
        .filter_map(|line| line.strip_prefix("not ok "))
        .collect();
    let expected: Vec<_> = (1..)
        .zip(told(&MISTAKES))
        .map(|(number, text)| format!("{number} - pkg {text}"))
        .collect();
    assert_eq!(failed, expected);
    let warning = format!("\nok 6 - pkg {}\n  ---\n", told(&[WARNING])[0]);
    assert!(
        tap.contains(&warning)
            && tap.contains("\n  line: 5\n")
            && tap.ends_with("\n1..9\n"),
        "{tap}"
    );
}

#[test]
fn the_mistakes_of_a_package_have_their_places_in_sarif_and_annotations() {
    let judge = broken();
    let (_, stdout, _) = verified(&judge, "pkg");
    let report: Value = serde_json::from_str(&judge.read("r.json")).unwrap();
    let results = report["runs"][0]["results"].as_array().unwrap();
    let first = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(
        first["artifactLocation"]["uri"],
        "problems/pkg/problem.yaml"
    );
    assert_eq!(first["region"]["startLine"], 5);
    assert_eq!(
        results[0]["message"]["text"],
        "pkg: unknown key `nmae`\nremedy: did you mean `name`?"
    );
    let rules: Vec<_> = results
        .iter()
        .map(|result| result["ruleId"].as_str().unwrap())
        .collect();
    let [files, validators] = ["problem/files", "problem/input_validators"];
    assert_eq!(
        rules,
        [files, files, files, validators, validators, "problem/cases"]
    );
    let levels: Vec<_> = results
        .iter()
        .map(|result| result["level"].as_str().unwrap())
        .collect();
    assert_eq!(
        levels,
        ["error", "error", "error", "error", "error", "warning"]
    );

    let of_level = |level: &str| {
        stdout
            .lines()
            .filter(|line| line.starts_with(level))
            .collect::<Vec<_>>()
    };
    let errors = of_level("::error ");
    let warnings = of_level("::warning ");
    assert_eq!((errors.len(), warnings.len()), (5, 1), "{stdout}");
    let first = "::error file=problems/pkg/problem.yaml,line=5,title=pkg%3A files::unknown key `nmae`%0Aremedy: did you mean `name`?";
    assert_eq!(errors[0], first);
    assert!(warnings[0].starts_with(
        "::warning file=problems/pkg/data/secret/3.in,title=pkg%3A cases::the same"
    ));
}

#[test]
fn the_mistakes_of_a_package_come_first_in_reports_for_people() {
    let judge = broken();
    verified(&judge, "pkg");
    let page = judge.read("r.md");
    assert!(
        page.starts_with(
            "## gridjudge: 5 mistakes in problems, 1 submission as expected\n"
        ),
        "{page}"
    );
    let row = "| `pkg` | files | `problems/pkg/problem.yaml:5` | `` unknown key `nmae` `` | ``did you mean `name`?`` |";
    let places = [
        "### Mistakes in problems",
        row,
        "Warnings about problems",
        "accepted/right.py",
    ];
    let places = places
        .map(|text| page.find(text).unwrap_or_else(|| panic!("{text}: {page}")));
    assert!(places.is_sorted(), "{page}");
    let page = judge.read("r.html");
    assert!(page.contains(
        "5 mistakes in problems. All as expected</strong>: 1 submission, 3 trials."
    ));
    let rows = judge.read("r.csv");
    let of = |kind: &str| {
        rows.lines()
            .filter(|row| row.starts_with(&format!("pkg,,,,{kind},")))
            .count()
    };
    assert_eq!((of("mistake"), of("warning")), (5, 1), "{rows}");
}

#[test]
fn the_samples_of_the_documentation_are_in_the_reports() {
    let judge = broken();
    let (_, stdout, _) = verified(&judge, "pkg");
    let page =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reports.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, samples) = page
        .split_once("An unknown key as an annotation, and in JUnit:\n\n")
        .unwrap();
    let samples: Vec<_> = samples
        .lines()
        .map_while(|line| line.strip_prefix("    "))
        .collect();
    assert!(
        samples.len() == 3 && stdout.contains(samples[0]),
        "{samples:#?}"
    );
    assert!(judge.read("r.xml").contains(&samples[1..].join("\n")));
}

#[test]
fn every_report_of_mistakes_is_the_same_from_a_log() {
    let judge = broken();
    verified(&judge, "pkg");
    for (option, file) in FORMATS {
        let later = judge.run(&["report", "l.jsonl", option, "-"]);
        assert_eq!(
            (later.code, later.stderr.as_str()),
            (Some(0), ""),
            "{option}"
        );
        assert_eq!(later.stdout, judge.read(file), "{option}");
    }
    let screen = judge.run(&["report", "l.jsonl"]).stdout;
    let start = "The problem pkg\n  error    problems/pkg/problem.yaml:5: unknown key `nmae`\n           remedy: did you mean `name`?\n";
    assert!(screen.starts_with(start), "{screen}");
    assert!(
        screen.contains("  warning  ")
            && !judge
                .run(&["report", "l.jsonl", "-q"])
                .stdout
                .contains("  warning  ")
    );
}

#[test]
fn a_sound_package_has_no_more_in_its_reports_than_its_submissions() {
    let judge = package(&[]);
    let (code, stdout, _) = verified(&judge, "pkg");
    assert_eq!(code, Some(0), "{stdout}");
    assert!(!judge.read("l.jsonl").contains("mistake_found"));
    assert_eq!(judge.read("r.xml").matches("<testsuite ").count(), 1);
    assert!(judge.read("r.tap").ends_with("\n1..2\n"));
    assert!(
        judge
            .read("r.md")
            .starts_with("## gridjudge: 1 submission as expected\n")
    );
    assert!(!stdout.contains("::"), "{stdout}");
}

#[test]
fn warnings_alone_fail_in_no_report() {
    let judge =
        package(&[("data/secret/3.in", "5\n"), ("data/secret/3.ans", "10\n")]);
    let (code, stdout, _) = verified(&judge, "pkg");
    assert_eq!(code, Some(0), "{stdout}");
    assert_eq!(
        (logged(&judge, "error").len(), logged(&judge, "warning")),
        (0, vec![WARNING.to_owned()])
    );
    assert!(
        !judge.read("r.xml").contains("<failure")
            && !judge.read("r.tap").contains("not ok")
    );
    assert!(
        !judge.read("r.json").contains("\"error\"") && !stdout.contains("::error")
    );
    assert!(
        judge
            .read("r.md")
            .starts_with("## gridjudge: 1 submission as expected\n")
    );
    assert!(
        stdout.contains("::warning ")
            && judge
                .read("r.xml")
                .contains("<system-out>warning: the same input")
    );
}

#[test]
fn the_reports_on_a_problem_that_is_not_judged_have_its_mistakes() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", judge::RIGHT);
    // Two rows of the first grid can be swapped now.
    judge.edit("cases/mini/secret/002-two.in", "3412\n", "....\n");
    let unreported = judge.run(&["verify", "mini"]);
    let (code, stdout, stderr) = verified(&judge, "mini");
    assert_eq!((code, unreported.code), (Some(2), Some(2)), "{stderr}");
    assert_eq!(
        stderr, unreported.stderr,
        "what is on the screen does not depend on reports"
    );
    let found = logged(&judge, "error");
    assert!(
        !found.is_empty()
            && found
                .iter()
                .all(|text| text.starts_with("proof cases/mini/secret/002-two.in")),
        "{found:?}"
    );
    let count = found.len();
    assert_eq!(judge.read("r.xml").matches("<failure ").count(), count);
    assert!(
        judge
            .read("r.xml")
            .contains("<testsuite name=\"mini.problem\"")
    );
    assert!(judge.read("r.tap").ends_with(&format!("\n1..{count}\n")));
    assert!(
        judge
            .read("r.md")
            .contains("in a problem, nothing was judged\n")
    );
    assert_eq!(
        stdout
            .matches("::error file=cases/mini/secret/002-two.in,")
            .count(),
        count,
        "{stdout}"
    );
    assert!(
        stdout.lines().all(|line| line.starts_with("::error ")),
        "{stdout}"
    );
    let events = events(&judge);
    assert_eq!(
        (&events[0]["sandbox"], &events[0]["submissions"]),
        (&"".into(), &0.into())
    );
    assert_eq!(events.last().unwrap()["event"], "suite_finished");
}

#[test]
fn a_mistake_in_a_spec_is_in_reports() {
    let judge = Judge::new();
    judge.edit(
        "problems/mini/problem.toml",
        "name = \"Mini\"\n",
        "name = \"Mini\"\nnmae = 3\n",
    );
    let (code, stdout, stderr) = verified(&judge, "mini");
    assert_eq!(code, Some(2), "{stderr}");
    assert_eq!(
        logged(&judge, "error"),
        ["files problems/mini/problem.toml:2: unknown key `nmae`"]
    );
    let expected = "::error file=problems/mini/problem.toml,line=2,title=mini%3A files::unknown key `nmae`%0Aremedy: did you mean `name`?\n";
    assert_eq!(stdout, expected);
}

#[test]
fn mistakes_that_only_the_times_show_are_in_reports_too() {
    judge::needs_cc();
    let spec = SPEC.replace("10}", "0.1}");
    let of_seconds = |seconds: &str| {
        format!(
            "#include <stdio.h>\n#include <time.h>\nint main(void) {{ int n; scanf(\"%d\", &n); \
             while (clock() < {seconds} * CLOCKS_PER_SEC); printf(\"%d\\n\", 2 * n); }}\n"
        )
    };
    let judge = package(&[
        ("problem.yaml", &spec),
        ("submissions/accepted/right.c", &of_seconds("0.0")),
        (
            "submissions/time_limit_exceeded/slow.c",
            &of_seconds("0.12"),
        ),
    ]);
    judge.remove("problems/pkg/submissions/accepted/right.py");
    let (code, stdout, _) = verified(&judge, "pkg");
    let found = [logged(&judge, "error"), logged(&judge, "warning")].concat();
    let is_expected = |text: &String| {
        text.starts_with("time_limit problems/pkg/submissions/time_limit_exceeded/slow.c: time_limit_exceeded/slow.c must be clearly too slow and takes ")
    };
    assert!(
        found.len() == 1 && is_expected(&found[0]),
        "{found:?} {stdout}"
    );
    let events = events(&judge);
    let names: Vec<_> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(
        names[names.len() - 2..],
        ["mistake_found", "suite_finished"]
    );
    let has_failed = judge.read("r.xml").contains("<failure");
    assert_eq!(
        (code == Some(1), !logged(&judge, "error").is_empty()),
        (has_failed, has_failed),
        "{stdout}"
    );
    assert!(
        stdout.find("\nThe time limit of pkg\n") > stdout.find("2 submissions, "),
        "{stdout}"
    );
}
