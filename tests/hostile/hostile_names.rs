//! Malicious files, names and logs, given to the real program: submissions to a
//! contest, logs that reports are made from, texts that a page quotes. None of them may
//! control a terminal, a spreadsheet or a CI service, and no team may get credit for
//! the work of another.

use std::fs;
use std::fs::File;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::judge::{Judge, RIGHT};

/// Names with a meaning to a terminal, a spreadsheet or a CI service; each is a valid
/// name of a folder.
const NAMES: [&str; 10] = [
    "e\x1b]0;title\x07\x1b[2J",
    "two\nlines",
    "\u{202e}desrever\u{ad}\u{200b}",
    "=cmd|' C'!A0",
    "\t=1+1",
    "\n=1+1",
    "\u{ff1d}1+1",
    "##[set-output name=a]b",
    "##vso[task.setvariable variable=PATH]x",
    "::error::x",
];

/// Whether a text contains control characters, except line ends and our own colours, or
/// commands of a CI service. GitHub reads a line as one even if blanks precede it.
fn is_harmful(text: &str) -> bool {
    let ours = (0..=99).map(|number| format!("\x1b[{number}m"));
    let plain =
        ours.fold(text.to_owned(), |plain, colour| plain.replace(&colour, ""));
    plain.replace("\r\n", "\n").contains(|letter: char| {
        letter.is_control() && letter != '\n'
            || "\u{202e}\u{ad}\u{200b}".contains(letter)
    }) || plain.contains("##[")
        || plain.contains("##vso[")
        || plain
            .lines()
            .any(|line| line.trim_start().starts_with("::"))
}

/// Standard output and standard error of a command, with colours as at a terminal.
fn seen(judge: &Judge, arguments: &[&str]) -> String {
    let Output { stdout, stderr, .. } = judge
        .command(&[arguments, &["--color", "always"]].concat())
        .output()
        .unwrap();
    String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned()
}

/// A judge's folder with a contest in which a team of each name is right.
fn contest() -> Judge {
    let judge = Judge::new();
    for name in NAMES {
        judge.script(format!("c/{name}/mini@5"), RIGHT);
    }
    judge
}

#[test]
fn team_names_in_standings_are_harmless() {
    let judge = contest();
    let files = [
        "--standings-csv",
        "s.csv",
        "--csv",
        "r.csv",
        "--standings-html",
        "s.html",
        "--markdown",
        "r.md",
    ];
    let shown = seen(&judge, &[&["grade", "c"], &files[..]].concat());
    assert!(!is_harmful(&shown), "{shown}");
    for file in ["s.csv", "r.csv", "s.html", "r.md"] {
        let text = judge.read(file);
        assert!(!is_harmful(&text), "{file}: {text}");
    }
    for file in ["s.csv", "r.csv"] {
        let text = judge.read(file);
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        for cell in rows.records().flat_map(|row| {
            row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>()
        }) {
            assert!(
                !cell
                    .trim_start()
                    .starts_with(['=', '+', '-', '@', '\u{ff1d}']),
                "{file}: {cell}"
            );
        }
        assert!(text.lines().count() <= NAMES.len() * 2 + 1, "{text}");
    }
}

#[test]
fn a_team_cannot_submit_the_program_of_another() {
    let judge = Judge::new();
    judge.script("c/beta/mini@75", RIGHT);
    fs::create_dir(judge.path("c/alpha")).unwrap();
    judge.link("c/alpha/mini@1", "../beta/mini@75");
    judge.refuses(
        &["grade", "c", "--strict"],
        "error: c/alpha/mini@1: is a link that leads out of the team's folder\nhint: put the file itself in its place",
    );
    // It may submit its own program twice.
    judge
        .remove("c/alpha/mini@1")
        .script("c/alpha/mini@3", RIGHT)
        .link("c/alpha/mini@9", "mini@3");
    assert_eq!(judge.run(&["grade", "c"]).code, Some(0));
}

#[test]
fn a_submission_as_large_as_the_disk_is_refused_and_the_others_are_judged() {
    let judge = Judge::new();
    judge
        .script("c/alpha/mini@1", "")
        .script("c/beta/mini@2", RIGHT)
        .put("c/gamma/mini@3.c", "");
    for hole in ["c/alpha/mini@1", "c/gamma/mini@3.c"] {
        File::options()
            .write(true)
            .open(judge.path(hole))
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
    }
    let start = Instant::now();
    let ran = judge.run(&["grade", "c"]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for line in [
        "alpha/mini@1: CE",
        "    the file has more than 256 MiB",
        "   1  beta        1",
    ] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
}

#[test]
fn texts_of_a_log_are_shown_safely() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log", "-q"]);
    let log = judge.read("log");
    let (first, rest) = log.split_once('\n').unwrap();
    let odd = r#"{"event":"a\u001b]0;title\u0007\u001b[2J##[error]"}"#;
    judge.put("odd", format!("{first}\n{odd}\n{rest}"));
    for command in [
        &["report", "odd"][..],
        &["standings", "odd"],
        &["compare", "odd", "odd"],
    ] {
        let shown = seen(&judge, command);
        assert!(!is_harmful(&shown), "{command:?}: {shown:?}");
    }
}

#[test]
fn figures_of_a_log_whose_sums_overflow_are_handled() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log", "-q"]);
    let most = u64::MAX.to_string();
    let log = judge.read("log");
    let log = log.replace("\"minute\":5", &format!("\"minute\":{most}"));
    let log = log.replace(
        "\"team\":",
        &format!(
            "\"score\":{{\"earned\":{most},\"of\":{most},\"groups\":[]}},\"team\":"
        ),
    );
    let lines = log.lines().map(|line| {
        let figures = [
            "cpu_us",
            "wall_us",
            "peak_memory_bytes",
            "slowest_cpu_us",
            "passed",
            "cases",
            "grids",
        ];
        figures.iter().fold(line.to_owned(), |line, figure| {
            with_figure(&line, figure, &most)
        }) + "\n"
    });
    judge.put("log", lines.collect::<String>());
    let reports = [
        "--junit",
        "x",
        "--csv",
        "y",
        "--tap",
        "t",
        "--sarif",
        "s",
        "--markdown",
        "m",
        "--html",
        "h",
    ];
    for command in [
        &["report", "log"][..],
        &[&["report", "log"], &reports[..]].concat(),
        &["standings", "log"],
    ] {
        let ran = judge.run(command);
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.stderr);
    }
    assert_eq!(
        judge.run(&["standings", "log", "--by", "points"]).code,
        Some(0)
    );
    assert_eq!(judge.run(&["baseline", "log", "-o", "b"]).code, Some(0));
    // The counts of the last event are compared with the events before it.
    judge.put("forged", with_figure(&judge.read("log"), "trials", &most));
    assert_eq!(judge.run(&["report", "forged"]).code, Some(2));
}

/// The line with every figure of this name replaced.
fn with_figure(line: &str, name: &str, figure: &str) -> String {
    let start = format!("\"{name}\":");
    let mut parts = line.split(&start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        line + &start
            + figure
            + part.trim_start_matches(|digit: char| digit.is_ascii_digit())
    })
}

#[test]
fn the_report_about_a_failing_input_is_harmless_in_its_page_and_on_the_screen() {
    let judge = Judge::new();
    let name = "a\nb\x1b[2J'; c ##[x]";
    judge.script(
        name,
        "#!/bin/sh\nprintf '\\033[2J##[error]x\\n'\nprintf '::add-mask::x\\n  ::stop-commands::y\\n' >&2\n",
    );
    let shown = seen(
        &judge,
        &["stress", "-p", "mini", name, "--seed", "1", "--runs", "1"],
    );
    assert!(!is_harmful(&shown), "{shown:?}");
    assert!(shown.contains(r"| \u{3a}:add-mask::x"), "{shown}");
    let folder = fs::read_dir(judge.path("stress/mini"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let page = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let page = fs::read_to_string(
        page.into_iter()
            .find(|path| path.extension().unwrap() == "md")
            .unwrap(),
    )
    .unwrap();
    assert!(!is_harmful(&page), "{page}");
    assert!(
        page.contains(
            r"    gridjudge stress -p mini $'a\x0ab\x1b[2J\'; c \x23\x23[x]' --input "
        ),
        "{page}"
    );
}

#[test]
fn findings_about_a_checked_output_are_shown_safely() {
    let judge = Judge::new();
    judge.put("out\x1b[2J", "\x1b]0;title\x07 ##[error]\n\u{202e}\u{ad}\n");
    let case = [
        "cases/mini/sample/001-one.in",
        "out\x1b[2J",
        "cases/mini/sample/001-one.ans",
    ];
    let shown = seen(&judge, &[&["check", "-p", "mini"], &case[..]].concat());
    assert!(shown.contains("WA") && !is_harmful(&shown), "{shown:?}");
}

#[test]
fn a_link_to_a_wrong_example_is_not_expected_to_be_wrong() {
    let judge = Judge::new();
    judge.script(
        "problems/mini/submissions/wrong_answer/one",
        "#!/bin/sh\necho 1\n",
    );
    judge.link("handed_in", "problems/mini/submissions/wrong_answer/one");
    assert_eq!(
        judge.run(&["grade", "-p", "mini", "handed_in"]).code,
        Some(1)
    );
    assert_eq!(
        judge
            .run(&["grade", "problems/mini/submissions/wrong_answer/one"])
            .code,
        Some(0)
    );
    let below = judge
        .command(&["grade", "one"])
        .current_dir(judge.path("problems/mini/submissions/wrong_answer"))
        .output();
    assert_eq!(below.unwrap().status.code(), Some(0));
}
