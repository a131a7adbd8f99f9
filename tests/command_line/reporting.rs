//! `report`, and the reports of `grade`, on the command line: they are the same from a
//! log as from judging, overwrite no other file, and are complete or marked as
//! incomplete.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::judge::{HALF_RIGHT, Judge, RIGHT};

/// Every report that goes to a file: its option, and the name of its file in these
/// tests.
const FORMATS: [(&str, &str); 5] = [
    ("--junit", "report.xml"),
    ("--sarif", "report.sarif"),
    ("--tap", "report.tap"),
    ("--markdown", "report.md"),
    ("--csv", "report.csv"),
];

/// A judge's folder with three examples: an accepted and a wrong one as expected, and
/// one that is unexpectedly wrong.
fn judge_with_examples() -> Judge {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/accepted/right.sh", RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    judge.script("problems/mini/submissions/accepted/other.sh", HALF_RIGHT);
    judge
}

/// The same after grading, with the log in `run.jsonl`.
fn judge_with_log() -> Judge {
    let judge = judge_with_examples();
    assert_eq!(judge.run(&["grade", "--log", "run.jsonl"]).code, Some(1));
    judge
}

/// The options for every report, into files with this prefix.
fn options(start: &str) -> Vec<String> {
    FORMATS
        .iter()
        .flat_map(|(option, name)| [(*option).to_owned(), format!("{start}{name}")])
        .collect()
}

fn with<'a>(words: &[&'a str], more: &'a [String]) -> Vec<&'a str> {
    words
        .iter()
        .copied()
        .chain(more.iter().map(String::as_str))
        .collect()
}

/// Asserts that a command is refused with an error that starts with this text.
#[track_caller]
fn assert_refused(judge: &Judge, arguments: &[&str], start: &str) {
    let ran = judge.run(arguments);
    assert!(
        ran.stderr.starts_with(start),
        "{arguments:?}: {}",
        ran.stderr
    );
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{arguments:?}"
    );
}

#[test]
fn report_prints_exactly_what_grade_printed() {
    for verbosity in [None, Some("-q"), Some("-v")] {
        let judge = judge_with_examples();
        let flags: Vec<_> = verbosity.into_iter().collect();
        let printed =
            judge.run(&[&["grade", "--log", "run.jsonl"], &flags[..]].concat());
        let reported = judge.run(&[&["report", "run.jsonl"], &flags[..]].concat());
        assert_eq!(
            (reported.stdout, reported.stderr.as_str()),
            (printed.stdout, ""),
            "{flags:?}"
        );
        // Only `grade` fails for unexpected results, not `report`.
        assert_eq!((printed.code, reported.code), (Some(1), Some(0)));
    }
}

#[test]
fn every_report_is_the_same_from_a_log_as_from_judging() {
    let judge = judge_with_examples();
    let grade_options = options("live-");
    let report_options = options("later-");
    let ran = judge.run(&with(&["grade", "--log", "run.jsonl"], &grade_options));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let ran = judge.run(&with(&["report", "run.jsonl"], &report_options));
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", "")
    );
    for (option, name) in FORMATS {
        let text = judge.read(&format!("live-{name}"));
        assert!(text.contains("other.sh"), "{option}: {text}");
        assert_eq!(text, judge.read(&format!("later-{name}")), "{option}");
        let on_stdout = judge.run(&["report", "run.jsonl", option, "-"]);
        assert_eq!(on_stdout.stdout, text, "{option}");
    }
    // A report replaces an older report of the same kind.
    assert_eq!(
        judge
            .run(&with(&["report", "run.jsonl"], &report_options))
            .code,
        Some(0)
    );
}

#[test]
fn verify_writes_the_same_reports_as_grade() {
    let judge = judge_with_examples();
    let ran = judge.run(&["verify", "--junit", "a.xml"]);
    assert_eq!(ran.code, Some(1));
    judge.run(&["grade", "--junit", "b.xml"]);
    let failures = |name: &str| judge.read(name).matches("<failure").count();
    assert_eq!((failures("a.xml"), failures("b.xml")), (1, 1));
}

#[test]
fn a_report_on_standard_output_moves_the_results_to_standard_error() {
    let judge = judge_with_examples();
    let ran = judge.run(&["grade", "--tap", "-"]);
    assert!(
        ran.stdout
            .starts_with("TAP version 13\nok 1 - mini accepted/"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .ends_with("3 submissions, 6 trials: 2 as expected, 1 not\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_submission_that_is_wrong_as_expected_fails_in_no_report() {
    let judge = judge_with_log();
    let xml = judge.run(&["report", "run.jsonl", "--junit", "-"]).stdout;
    let page = roxmltree::Document::parse(&xml).unwrap();
    let classes_of = |tag: &str| -> Vec<String> {
        let found = page.descendants().filter(|node| node.has_tag_name(tag));
        found
            .map(|node| {
                node.parent()
                    .unwrap()
                    .attribute("classname")
                    .unwrap()
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(classes_of("failure"), ["mini.accepted/other.sh"]);
    assert!(classes_of("error").is_empty());
    let tap = judge.run(&["report", "run.jsonl", "--tap", "-"]).stdout;
    let failed: Vec<_> = tap
        .lines()
        .filter(|line| line.starts_with("not ok"))
        .collect();
    assert_eq!(failed, ["not ok 2 - mini accepted/other.sh secret/002-two"]);
    let sarif = judge.run(&["report", "run.jsonl", "--sarif", "-"]).stdout;
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let uri =
        &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(
        (results.len(), uri.as_str()),
        (1, Some("problems/mini/submissions/accepted/other.sh"))
    );
    let csv = judge.run(&["report", "run.jsonl", "--csv", "-"]).stdout;
    assert_eq!(
        csv.lines().filter(|line| line.contains(",yes,")).count(),
        1,
        "{csv}"
    );
}

#[test]
fn a_submission_that_is_unexpectedly_accepted_fails_in_every_report() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/wrong/right.sh", RIGHT);
    assert_eq!(judge.run(&["grade", "--log", "run.jsonl"]).code, Some(1));
    for (option, expected) in [
        (
            "--junit",
            "name=\"earns WA\" time=\"0.000000\"><failure message=\"expected WA, earned AC\" type=\"BROKEN_PROMISE\"/>",
        ),
        (
            "--tap",
            "not ok 3 - mini wrong/right.sh as expected\n  ---\n  message: \"expected WA, earned AC\"\n",
        ),
        ("--sarif", "\"ruleId\": \"promise\""),
        ("--markdown", "expected WA, earned AC\n```\n"),
        (
            "--csv",
            "mini,wrong/right.sh,,,surprise,,,,,,,,,,\"expected WA, earned AC\",\n",
        ),
    ] {
        let text = judge.run(&["report", "run.jsonl", option, "-"]).stdout;
        assert!(text.contains(expected), "{option}: {text}");
    }
}

#[test]
fn github_gets_annotations_and_a_summary_that_is_appended() {
    let judge = judge_with_log();
    judge.put("summary", "An earlier step.\n");
    for arguments in [
        vec!["report", "run.jsonl", "--github"],
        vec!["grade", "--github", "-q"],
    ] {
        let mut command = judge.command(&arguments);
        let ran = judge.ran(
            command
                .env("GITHUB_STEP_SUMMARY", judge.path("summary"))
                .output()
                .unwrap(),
        );
        let commands: Vec<_> = ran
            .stdout
            .lines()
            .filter(|line| line.starts_with("::"))
            .collect();
        let start = "::error file=problems/mini/submissions/accepted/other.sh,\
                     title=mini accepted/other.sh%3A WA on secret/002-two::\
                     WA (wrong answer), expected AC%0Athe output ends after 1 of 2 grids%0A";
        assert!(
            commands.len() == 1 && commands[0].starts_with(start),
            "{commands:?}"
        );
    }
    let summary = judge.read("summary");
    assert!(
        summary
            .starts_with("An earlier step.\n## gridjudge: 1 of 3 submissions not as"),
        "{summary}"
    );
    assert_eq!(
        summary
            .matches("\n### `mini` `accepted/other.sh`: WA (wrong answer) on ")
            .count(),
        2,
        "{summary}"
    );
    let elsewhere = judge
        .command(&["report", "run.jsonl", "--github"])
        .env_remove("GITHUB_STEP_SUMMARY")
        .output();
    assert_eq!(judge.ran(elsewhere.unwrap()).code, Some(0));
}

/// A repository whose judge's folder is `contest`, with one submission that is
/// unexpectedly wrong.
fn repository() -> Judge {
    let judge = Judge::new();
    judge
        .remove("judge.toml")
        .put(".git/HEAD", "")
        .put("contest/judge.toml", "");
    for (name, text) in judge.files() {
        let name = name.strip_prefix(judge.path("")).unwrap().to_owned();
        let is_of_judge = name.starts_with("problems") || name.starts_with("cases");
        if is_of_judge && judge.path(&name).is_file() {
            judge.put(Path::new("contest").join(name), text);
        }
    }
    judge.script(
        "contest/problems/mini/submissions/accepted/other.sh",
        HALF_RIGHT,
    );
    judge.script("elsewhere/mini.sh", HALF_RIGHT);
    judge
}

/// The files that `grade` names in an annotation, in SARIF and in JUnit if it is run in this
/// folder with additional arguments.
fn files_in_reports(
    judge: &Judge,
    from: &str,
    workspace: Option<&Path>,
    arguments: &[&str],
) -> [String; 3] {
    let sarif = judge.path("report.sarif");
    let junit = judge.path("report.xml");
    let outputs = [
        "--sarif",
        sarif.to_str().unwrap(),
        "--junit",
        junit.to_str().unwrap(),
    ];
    let arguments = [&["grade", "--github"], &outputs[..], arguments].concat();
    let mut command = judge.command(&arguments);
    command
        .current_dir(judge.path(from))
        .env_remove("GITHUB_WORKSPACE");
    command
        .env_remove("GITHUB_STEP_SUMMARY")
        .envs(workspace.map(|root| ("GITHUB_WORKSPACE", root)));
    let ran = judge.ran(command.output().unwrap());
    let annotation = ran
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("::error file="));
    let annotated =
        annotation.unwrap_or_else(|| panic!("{}{}", ran.stdout, ran.stderr));
    let report: serde_json::Value =
        serde_json::from_str(&judge.read("report.sarif")).unwrap();
    let junit = judge.read("report.xml");
    let failed = junit
        .split("<testsuite ")
        .find(|suite| suite.contains("failures=\"1\"") && suite.contains(" file="));
    let in_junit = failed
        .unwrap()
        .split_once(" file=\"")
        .unwrap()
        .1
        .split_once('"');
    let uri = &report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        ["uri"];
    [
        annotated.split(',').next().unwrap().to_owned(),
        uri.as_str().unwrap().to_owned(),
        in_junit.unwrap().0.to_owned(),
    ]
}

#[test]
fn annotations_sarif_and_junit_name_files_relative_to_the_root_of_the_repository() {
    let judge = repository();
    let example = "contest/problems/mini/submissions/accepted/other.sh";
    let workspace = judge.path("");
    for (from, workspace, arguments, file) in [
        ("", None, &["-C", "contest"][..], example),
        ("contest", None, &[], example),
        ("contest/problems/mini", None, &[], example),
        (
            "contest/problems/mini",
            None,
            &["submissions/accepted/other.sh"],
            example,
        ),
        (
            "contest",
            None,
            &["../elsewhere/mini.sh"],
            "elsewhere/mini.sh",
        ),
        (
            "",
            None,
            &["-C", "contest", "elsewhere/mini.sh"],
            "elsewhere/mini.sh",
        ),
        (
            "contest/problems",
            None,
            &["../../elsewhere/mini.sh"],
            "elsewhere/mini.sh",
        ),
        ("contest", Some(&*workspace), &[], example),
        (
            "contest",
            Some(&judge.path("contest")),
            &[],
            "problems/mini/submissions/accepted/other.sh",
        ),
        // A workspace that does not contain the judge's folder is ignored.
        ("contest", Some(&judge.path("elsewhere")), &[], example),
    ] {
        assert_eq!(
            files_in_reports(&judge, from, workspace, arguments),
            [file; 3],
            "{from} {arguments:?}"
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_does_not_stop_the_others() {
    let judge = judge_with_log();
    for (arguments, remedy) in [
        (
            vec!["report", "run.jsonl"],
            "the reports that no error names are written",
        ),
        (vec!["grade"], "judging goes on, without it"),
    ] {
        let arguments = [
            &arguments[..],
            &["--junit", "no/such/report.xml", "--tap", "report.tap"],
        ]
        .concat();
        let ran = judge.run(&arguments);
        let expected = "error: no/such/report.xml: cannot be written: No such file or directory (os error 2)\nhint: ";
        assert_eq!(
            (ran.stderr, ran.code),
            (format!("{expected}{remedy}\n"), Some(3))
        );
        assert!(judge.read("report.tap").ends_with("\n1..6\n"));
        judge.remove("report.tap");
    }
    let ran = judge.run(&[
        "report",
        "run.jsonl",
        "--csv",
        "/dev/full",
        "--tap",
        "report.tap",
    ]);
    assert!(
        ran.stderr
            .starts_with("error: /dev/full: cannot be written: "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(3));
    assert!(judge.read("report.tap").ends_with("\n1..6\n"));
}

#[test]
fn the_hint_about_a_report_that_cannot_be_finished_fits_the_command() {
    let judge = judge_with_log();
    let failed = "error: /dev/full: cannot be written: No space left on device (os error 28)\n";
    let remedy = "hint: the verdicts hold: judge again to have it, or use `gridjudge report` on a log\n";
    for (arguments, expected) in [
        (
            &["grade", "--junit", "/dev/full"][..],
            format!("{failed}{remedy}"),
        ),
        (
            &["report", "run.jsonl", "--junit", "/dev/full"],
            failed.to_owned(),
        ),
        (
            &[
                "report",
                "run.jsonl",
                "--junit",
                "/dev/full",
                "--tap",
                "report.tap",
            ],
            format!("{failed}hint: the reports that no error names are written\n"),
        ),
    ] {
        let ran = judge.run(arguments);
        assert_eq!((ran.stderr, ran.code), (expected, Some(3)), "{arguments:?}");
    }
}

#[test]
fn two_reports_in_one_file_are_refused_before_anything_runs() {
    let judge = judge_with_log();
    fs::create_dir(judge.path("sub")).unwrap();
    let expected =
        "appears twice\nhint: name each file once; `--github` writes to `-`\n";
    for (arguments, name) in [
        (vec!["grade", "--junit", "a", "--tap", "a"], "a"),
        (vec!["grade", "--junit", "-", "--github"], "-"),
        (vec!["report", "run.jsonl", "--tap", "-", "--github"], "-"),
        (
            vec!["grade", "--junit", "a", "--tap", "sub/../a"],
            "sub/../a",
        ),
        (vec!["grade", "--log", "-", "--csv", "-"], "-"),
        (
            vec!["grade", "--log", "b.jsonl", "--sarif", "./b.jsonl"],
            "./b.jsonl",
        ),
        (
            vec!["report", "run.jsonl", "--jsonl", "./run.jsonl"],
            "./run.jsonl",
        ),
    ] {
        judge.refuses(&arguments, &format!("error: {name}: {expected}"));
    }
    assert!(!judge.path("a").exists() && !judge.path("b.jsonl").exists());
    assert_eq!(
        judge
            .run(&[
                "report",
                "run.jsonl",
                "--junit",
                "/dev/null",
                "--tap",
                "/dev/null"
            ])
            .code,
        Some(0)
    );
}

#[test]
fn a_report_overwrites_only_a_report_of_its_kind() {
    let judge = judge_with_log();
    judge.put("main.cpp", "int main() {}\n").put("empty", "");
    for (option, name) in FORMATS {
        for command in [["grade", "-q"], ["report", "run.jsonl"]] {
            let message = format!("error: main.cpp: is not a {}", noun(option));
            assert_refused(
                &judge,
                &[&command[..], &[option, "main.cpp"]].concat(),
                &message,
            );
        }
        assert_eq!(judge.read("main.cpp"), "int main() {}\n");
        assert_eq!(
            judge.run(&["report", "run.jsonl", option, name]).code,
            Some(0)
        );
    }
    for (option, _) in FORMATS {
        for (other, name) in FORMATS.iter().filter(|row| row.0 != option) {
            let ran = judge.run(&["report", "run.jsonl", option, name]);
            assert_eq!(ran.code, Some(2), "{option} over the file of {other}");
        }
        assert_eq!(
            judge.run(&["report", "run.jsonl", option, "empty"]).code,
            Some(0)
        );
        judge.put("empty", "");
    }
}

fn noun(option: &str) -> &str {
    match option {
        "--junit" => "JUnit report, and",
        "--sarif" => "SARIF report, and",
        "--tap" => "TAP report, and",
        "--markdown" => "Markdown report of gridjudge, and",
        _ => "CSV report of gridjudge, and",
    }
}

#[test]
fn reports_of_an_incomplete_log_are_marked_as_incomplete() {
    let judge = judge_with_log();
    let log = judge.read("run.jsonl");
    let lines: Vec<_> = log.lines().collect();
    let torn = format!(
        "{}\n{}",
        lines[..lines.len() - 3].join("\n"),
        &lines[lines.len() - 3][..30]
    );
    judge.put("torn.jsonl", torn);
    let ran = judge.command(&["report", "torn.jsonl"]).output().unwrap();
    let stdout = String::from_utf8(ran.stdout).unwrap();
    let stderr = String::from_utf8(ran.stderr).unwrap();
    let cut = format!(
        "note: line {}, the last, was cut: left out\n",
        lines.len() - 2
    );
    let incomplete = "note: the log is incomplete: it ends before the judging does\n";
    assert_eq!(stderr, cut + incomplete);
    assert!(stdout.ends_with("; interrupted\n"), "{stdout}");
    assert_eq!(ran.status.code(), Some(0));
    for (option, _) in FORMATS {
        let ran = judge.run(&["report", "torn.jsonl", option, "-"]);
        assert!(
            ran.stdout.to_lowercase().contains("incomplete"),
            "{option}: {}",
            ran.stdout
        );
    }
    let github = judge.run(&["report", "torn.jsonl", "--github"]).stdout;
    assert!(
        github.contains("::error title=gridjudge%3A incomplete::"),
        "{github}"
    );
    // A rewritten log is complete: it is the log of an interrupted suite.
    assert_eq!(
        judge
            .run(&["report", "torn.jsonl", "--jsonl", "whole.jsonl"])
            .code,
        Some(0)
    );
    let whole = judge.read("whole.jsonl");
    assert!(
        whole
            .lines()
            .last()
            .unwrap()
            .starts_with("{\"event\":\"suite_interrupted\","),
        "{whole}"
    );
    assert_eq!(whole.lines().count(), lines.len() - 2);
}

#[test]
fn a_log_that_cannot_be_read_is_refused_with_all_its_bad_lines_and_nothing_is_written()
 {
    let judge = judge_with_log();
    let log = judge.read("run.jsonl");
    let second = log.lines().nth(1).unwrap();
    judge.put(
        "bad.jsonl",
        log.replacen(second, &format!("{second}\nnonsense\n{{\"event\":3}}"), 1),
    );
    judge.put(
        "new.jsonl",
        log.replacen("\"log_version\":2", "\"log_version\":9", 1),
    );
    judge
        .put("two.jsonl", log.repeat(2))
        .put("main.c", "int main;\n")
        .put("empty.jsonl", "");
    judge.put("torn-first.jsonl", &log[..40]);
    let hint = "hint: write a log with `gridjudge grade --log FILE`\n";
    for (name, message) in [
        (
            "main.c",
            format!("error: main.c: is not a log of gridjudge\n{hint}"),
        ),
        (
            "empty.jsonl",
            format!("error: empty.jsonl: is empty\n{hint}"),
        ),
        (
            "torn-first.jsonl",
            "error: torn-first.jsonl: ends in its first line: nothing was judged\n".into(),
        ),
        (
            "none.jsonl",
            "error: none.jsonl: cannot be read: No such file or directory (os error 2)\n".into(),
        ),
        (".", "error: .: is a folder\n".into()),
        (
            "new.jsonl",
            "error: new.jsonl: is a log of version 9, and this gridjudge reads versions 1 to 2\n\
             hint: use a newer gridjudge, at least the one that wrote it\n"
                .into(),
        ),
        (
            "bad.jsonl",
            "error: bad.jsonl:3: is not JSON: expected ident, at column 2\n\
             error: bad.jsonl:4: is not an event: "
                .into(),
        ),
        (
            "two.jsonl",
            format!(
                "error: two.jsonl:{}: a second log begins here\n",
                log.lines().count() + 1
            ),
        ),
    ] {
        assert_refused(&judge, &["report", name, "--junit", "report.xml"], &message);
        assert!(!judge.path("report.xml").exists(), "{name}");
    }
}

#[test]
fn a_log_is_read_from_standard_input_and_a_closed_pipe_is_no_error() {
    let judge = judge_with_log();
    let from_file = judge.run(&["report", "run.jsonl"]);
    let input = fs::File::open(judge.path("run.jsonl")).unwrap();
    let output = judge
        .command(&["report", "-"])
        .stdin(input)
        .output()
        .unwrap();
    assert_eq!(judge.ran(output), from_file);
    for option in [None, Some("--csv"), Some("--junit")] {
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        let arguments: Vec<_> = ["report", "run.jsonl"]
            .into_iter()
            .chain(option.into_iter().flat_map(|name| [name, "-"]))
            .collect();
        let output = judge
            .command(&arguments)
            .stdout(closed)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let ran = judge.ran(output);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{option:?}");
    }
}

/// Keys and units of figures that differ from run to run.
const KEYS: [&str; 5] = [
    "time=\"",
    "timestamp=\"",
    "value=\"",
    "cpu_us: ",
    "peak_memory_bytes: ",
];
const UNITS: [&str; 4] = [" us ", " ms ", " s ", " MiB "];

/// Text without the figures that differ from run to run, and with one space for each
/// gap.
fn masked(text: &str) -> String {
    let text: String = text.lines().map(|line| masked_row(line) + "\n").collect();
    let mut masked = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|letter: char| {
            !letter.is_ascii_digit() && !".:T-".contains(letter)
        });
        let (figure, after) = digits.split_at(end.unwrap_or(digits.len()));
        let unit = UNITS.iter().find(|unit| after.starts_with(**unit));
        let is_measured =
            unit.is_some() || KEYS.iter().any(|key| before.ends_with(key));
        masked.extend([before, if is_measured { "#" } else { figure }]);
        rest = unit.map_or(after, |unit| &after[unit.len() - 1..]);
    }
    masked += rest;
    masked
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n")
        .collect()
}

/// A row of the CSV report without its three columns of figures; any other line as it
/// is.
fn masked_row(line: &str) -> String {
    let mut cells: Vec<_> = line.split(',').collect();
    if cells.len() == 16
        && cells[7..10].iter().all(|cell| cell.parse::<u64>().is_ok())
    {
        cells[7..10].fill("#");
    }
    cells.join(",")
}

/// The fenced blocks of a page: the language and the text of each.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split("\n```").skip(1).step_by(2);
    inside
        .map(|block| block.split_once('\n').unwrap_or((block, "")))
        .collect()
}

#[test]
fn the_samples_in_the_documentation_are_what_its_session_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/reports.md")).unwrap();
    let (sessions, samples): (Vec<_>, Vec<_>) = blocks(&page)
        .into_iter()
        .filter(|block| block.0 != "sh")
        .partition(|block| block.0 == "console");
    let judge = Judge::new();
    for folder in ["problems/uestc-1222", "cases/uestc-1222"] {
        for file in walkdir::WalkDir::new(root.join(folder))
            .into_iter()
            .map(Result::unwrap)
        {
            if file.file_type().is_file() {
                let name = file.path().strip_prefix(root).unwrap();
                judge.put(name, fs::read(file.path()).unwrap());
            }
        }
    }

    let [(_, session)] = sessions[..] else {
        panic!("{} sessions", sessions.len())
    };
    let [copy, grade, shown] = session.splitn(3, '\n').collect::<Vec<_>>()[..] else {
        panic!("{session}")
    };
    for source in copy
        .strip_prefix("$ cp ")
        .unwrap()
        .strip_suffix(" .")
        .unwrap()
        .split(' ')
    {
        judge.put(source.rsplit('/').next().unwrap(), judge.read(source));
    }
    let grade: Vec<_> = grade
        .strip_prefix("$ gridjudge ")
        .unwrap()
        .split(' ')
        .collect();
    let printed = judge.run(&grade);
    assert_eq!(
        (masked(&printed.stdout), printed.code),
        (masked(shown), Some(1)),
        "{}",
        printed.stderr
    );

    let to_stdout = FORMATS
        .iter()
        .map(|(option, _)| vec!["report", "run.jsonl", option, "-"]);
    let commands = to_stdout.chain([vec!["report", "run.jsonl", "--github"]]);
    let reports: Vec<_> = commands
        .map(|command| masked(&judge.run(&command).stdout))
        .collect();
    assert_eq!(samples.len(), reports.len(), "a sample for each report");
    for (kind, sample) in samples {
        assert!(
            reports
                .iter()
                .any(|report| report.contains(&masked(sample))),
            "{kind}: {sample}"
        );
    }
}

#[test]
fn the_points_of_each_group_are_in_every_report() {
    let judge = Judge::new();
    let spec = judge.read("problems/mini/problem.toml")
        + "\n[points]\nsample = 10\nsecret = 90\n";
    judge.put("problems/mini/problem.toml", spec);
    judge.script("half.sh", HALF_RIGHT);
    let options = options("");
    let arguments = with(
        &[
            "grade",
            "half.sh",
            "-p",
            "mini",
            "--all",
            "--html",
            "report.html",
        ],
        &options,
    );
    let ran = judge.run(&arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let words = "sample 10 of 10, secret 0 of 90";
    assert!(
        ran.stdout.contains(&format!("    points: {words}\n")),
        "{}",
        ran.stdout
    );
    for (file, told) in [
        ("report.html", words),
        (
            "report.tap",
            "# points of mini half.sh: sample 10 of 10, secret 0 of 90\n",
        ),
        ("report.md", words),
        (
            "report.xml",
            "<property name=\"points.secret\" value=\"0 of 90\"/>",
        ),
        (
            "report.csv",
            "mini,half.sh,,sample,group,,,,,,,,,,of 10,10\nmini,half.sh,,secret,group,,,,,,,,,,of 90,0\n",
        ),
    ] {
        let report = judge.read(file);
        assert!(report.contains(told), "{file}: {report}");
    }
}
