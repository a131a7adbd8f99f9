//! Files, names and logs that somebody made who means harm, through the real program: what is handed in at a contest, what a
//! report is read from, what a page quotes. Nothing of it may steer a terminal, a spreadsheet or whoever runs the build, and
//! nobody may earn with it what is another's.

mod judge;

use std::fs;
use std::fs::File;
use std::process::Output;
use std::time::Duration;
use std::time::Instant;

use judge::Judge;
use judge::RIGHT;

/// Names that mean something to somebody, each good for a folder.
const NAMES: [&str; 9] = [
    "e\x1b]0;title\x07\x1b[2J",
    "two\nlines",
    "\u{202e}desrever\u{ad}\u{200b}",
    "=cmd|' C'!A0",
    "\t=1+1",
    "\n=1+1",
    "\u{ff1d}1+1",
    "##[set-output name=a]b",
    "##vso[task.setvariable variable=PATH]x",
];

/// Whether a text holds anything that steers somebody who looks at it, line ends and our own colours aside.
fn steers(text: &str) -> bool {
    let ours = (0..=99).map(|number| format!("\x1b[{number}m"));
    let plain = ours.fold(text.to_owned(), |plain, colour| plain.replace(&colour, ""));
    let is_odd =
        |letter: char| letter.is_control() && letter != '\n' || "\u{202e}\u{ad}\u{200b}".contains(letter);
    plain.replace("\r\n", "\n").contains(is_odd) || plain.contains("##[") || plain.contains("##vso[")
}

/// What a command prints, on standard output and standard error, colours on as on a terminal.
fn seen(judge: &Judge, arguments: &[&str]) -> String {
    let Output { stdout, stderr, .. } =
        judge.command(&[arguments, &["--color", "always"]].concat()).output().unwrap();
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
fn no_name_of_a_team_steers_who_looks_at_the_standings() {
    let judge = contest();
    let files =
        ["--standings-csv", "s.csv", "--csv", "r.csv", "--standings-html", "s.html", "--markdown", "r.md"];
    let shown = seen(&judge, &[&["grade", "c"], &files[..]].concat());
    assert!(!steers(&shown), "{shown}");
    for file in ["s.csv", "r.csv", "s.html", "r.md"] {
        let text = judge.read(file);
        assert!(!steers(&text), "{file}: {text}");
    }
    for file in ["s.csv", "r.csv"] {
        let text = judge.read(file);
        let mut rows = csv::Reader::from_reader(text.as_bytes());
        for cell in rows.records().flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
        {
            assert!(!cell.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}']), "{file}: {cell}");
        }
        assert!(text.lines().count() <= NAMES.len() * 2 + 1, "{text}");
    }
}

#[test]
fn a_team_cannot_hand_in_what_another_has_written() {
    let judge = Judge::new();
    judge.script("c/beta/mini@75", RIGHT);
    fs::create_dir(judge.path("c/alpha")).unwrap();
    judge.link("c/alpha/mini@1", "../beta/mini@75");
    judge.refuses(
        &["grade", "c"],
        "error: c/alpha/mini@1: is a link that leads out of the team's folder\nhint: put the file itself in its place",
    );
    // Its own work it may hand in twice.
    judge.remove("c/alpha/mini@1").script("c/alpha/mini@3", RIGHT).link("c/alpha/mini@9", "mini@3");
    assert_eq!(judge.run(&["grade", "c"]).code, Some(0));
}

#[test]
fn a_submission_as_large_as_the_disk_is_refused_and_the_others_are_judged() {
    let judge = Judge::new();
    judge.script("c/alpha/mini@1", "").script("c/beta/mini@2", RIGHT).put("c/gamma/mini@3.c", "");
    for hole in ["c/alpha/mini@1", "c/gamma/mini@3.c"] {
        File::options().write(true).open(judge.path(hole)).unwrap().set_len(1 << 40).unwrap();
    }
    let start = Instant::now();
    let ran = judge.run(&["grade", "c"]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for line in ["mini alpha/mini@1: CE", "    the file has more than 256 MiB", "   1  beta        1"] {
        assert!(ran.stdout.contains(line), "{line}: {}", ran.stdout);
    }
}

#[test]
fn no_log_steers_who_reads_it() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log", "-q"]);
    let log = judge.read("log");
    let (first, rest) = log.split_once('\n').unwrap();
    let odd = r#"{"event":"a\u001b]0;title\u0007\u001b[2J##[error]"}"#;
    judge.put("odd", format!("{first}\n{odd}\n{rest}"));
    for command in [&["report", "odd"][..], &["standings", "odd"], &["compare", "odd", "odd"]] {
        let shown = seen(&judge, command);
        assert!(!steers(&shown), "{command:?}: {shown:?}");
    }
}

#[test]
fn figures_of_a_log_that_no_machine_can_add_up_are_added_up_all_the_same() {
    let judge = contest();
    judge.run(&["grade", "c", "--log", "log", "-q"]);
    let most = u64::MAX.to_string();
    let log = judge.read("log");
    let log = log.replace("\"minute\":5", &format!("\"minute\":{most}"));
    let log = log.replace(
        "\"team\":",
        &format!("\"score\":{{\"earned\":{most},\"of\":{most},\"groups\":[]}},\"team\":"),
    );
    let lines = log.lines().map(|line| {
        let figures =
            ["cpu_us", "wall_us", "peak_memory_bytes", "slowest_cpu_us", "passed", "cases", "grids"];
        figures.iter().fold(line.to_owned(), |line, figure| with_figure(&line, figure, &most)) + "\n"
    });
    judge.put("log", lines.collect::<String>());
    let reports =
        ["--junit", "x", "--csv", "y", "--tap", "t", "--sarif", "s", "--markdown", "m", "--html", "h"];
    for command in
        [&["report", "log"][..], &[&["report", "log"], &reports[..]].concat(), &["standings", "log"]]
    {
        let ran = judge.run(command);
        assert_eq!(ran.code, Some(0), "{command:?}: {}", ran.stderr);
    }
    assert_eq!(judge.run(&["standings", "log", "--by", "points"]).code, Some(0));
    assert_eq!(judge.run(&["baseline", "log", "-o", "b"]).code, Some(0));
    // What the last event counts is held against the events before it.
    judge.put("forged", with_figure(&judge.read("log"), "trials", &most));
    assert_eq!(judge.run(&["report", "forged"]).code, Some(2));
}

/// A line in which a figure is another one.
fn with_figure(line: &str, name: &str, figure: &str) -> String {
    let start = format!("\"{name}\":");
    let mut parts = line.split(&start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        line + &start + figure + part.trim_start_matches(|digit: char| digit.is_ascii_digit())
    })
}

#[test]
fn no_page_about_a_failing_input_and_nothing_shown_beside_it_steers_who_reads_it() {
    let judge = Judge::new();
    let name = "a\nb\x1b[2J'; c ##[x]";
    judge.script(
        name,
        "#!/bin/sh\nprintf '\\033[2J##[error]x\\n'\nprintf '::add-mask::x\\n  ::stop-commands::y\\n' >&2\n",
    );
    let shown = seen(&judge, &["stress", "-p", "mini", name, "--seed", "1", "--runs", "1"]);
    assert!(!steers(&shown), "{shown:?}");
    // GitHub takes a line for a command whatever blanks it begins with.
    assert!(shown.contains("| ::add-mask::x"), "{shown}");
    assert!(!shown.lines().any(|line| line.trim_start().starts_with("::")), "{shown}");
    let folder = fs::read_dir(judge.path("stress/mini")).unwrap().next().unwrap().unwrap().path();
    let page = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let page =
        fs::read_to_string(page.into_iter().find(|path| path.extension().unwrap() == "md").unwrap()).unwrap();
    assert!(!steers(&page), "{page}");
    assert!(
        page.contains(r"    gridjudge stress -p mini $'a\x0ab\x1b[2J\'; c \x23\x23[x]' --case "),
        "{page}"
    );
}

#[test]
fn no_output_that_is_checked_steers_who_reads_the_findings() {
    let judge = Judge::new();
    judge.put("out\x1b[2J", "\x1b]0;title\x07 ##[error]\n\u{202e}\u{ad}\n");
    let case = ["cases/mini/sample/001-one.in", "out\x1b[2J", "cases/mini/sample/001-one.ans"];
    let shown = seen(&judge, &[&["check", "-p", "mini"], &case[..]].concat());
    assert!(shown.contains("WA") && !steers(&shown), "{shown:?}");
}

#[test]
fn a_link_to_a_wrong_example_does_not_promise_to_be_wrong() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/wrong_answer/one", "#!/bin/sh\necho 1\n");
    judge.link("handed_in", "problems/mini/submissions/wrong_answer/one");
    assert_eq!(judge.run(&["grade", "-p", "mini", "handed_in"]).code, Some(1));
    assert_eq!(judge.run(&["grade", "problems/mini/submissions/wrong_answer/one"]).code, Some(0));
    let below = judge
        .command(&["grade", "one"])
        .current_dir(judge.path("problems/mini/submissions/wrong_answer"))
        .output();
    assert_eq!(below.unwrap().status.code(), Some(0));
}
