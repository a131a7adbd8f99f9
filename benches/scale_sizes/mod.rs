//! Prints what grows with sizes: for each row a size and four times that, with the time
//! and the peak memory of the judge. Time and memory should grow by four at most, and
//! where there is a bound, not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::bench;

/// The interval at which the peak memory is sampled; it never falls.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(2);

/// Prints all rows.
pub(crate) fn print() {
    print_row("`verify` of a package, by cases", 10_000, package);
    print_row("a page, by submissions", 5_000, page);
    print_row(
        "`compare` of two logs of a hundred submissions, by trials",
        100_000,
        compare_many,
    );
    print_row(
        "`compare` of two logs of one submission, by trials",
        250_000,
        compare_one,
    );
    print_row("`check -p ID`, by problems", 2_500, problem_among);
    print_row("an output for a Kattis checker, by MB", 25, output);
}

/// Prints a row: `prepare` makes what is needed for a size in a folder, and returns the
/// arguments of the judge.
fn print_row(
    name: &str,
    size: usize,
    prepare: fn(&Path, usize) -> io::Result<Vec<String>>,
) {
    println!("{name}:");
    for size in [size, 4 * size] {
        let place = tempfile::tempdir().expect("a folder for the bench");
        let arguments = prepare(place.path(), size).expect("the files for the bench");
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridjudge"));
        command
            .current_dir(place.path())
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().expect("gridjudge");
        let peak = bench::peak_of(&mut child, SAMPLE_INTERVAL);
        let time = start.elapsed().as_secs_f64();
        let written = place
            .path()
            .join("page.html")
            .metadata()
            .map_or(0, |found| found.len());
        let written = if written > 0 {
            format!(", {:.1} MiB written", bench::mebibytes(written))
        } else {
            String::new()
        };
        println!(
            "    {size:>7}: {time:>6.2} s, {:>6.1} MiB{written}",
            bench::mebibytes(peak)
        );
    }
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments
        .iter()
        .map(|argument| (*argument).to_owned())
        .collect()
}

fn put(path: &Path, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().expect("a file in a folder"))?;
    fs::write(path, text)
}

/// A package of Kattis with this many cases, all of one size.
fn package(place: &Path, cases: usize) -> io::Result<Vec<String>> {
    put(
        &place.join("pkg/problem.yaml"),
        b"name: Scale\nlimits:\n  time_limit: 1\n",
    )?;
    for case in 0..cases {
        let text = format!("{case:07}\n");
        put(
            &place.join(format!("pkg/data/secret/{case:07}.in")),
            text.as_bytes(),
        )?;
        put(
            &place.join(format!("pkg/data/secret/{case:07}.ans")),
            text.as_bytes(),
        )?;
    }
    Ok(words(&["verify", "./pkg"]))
}

/// The page of this many submissions, of which every tenth is not as expected.
fn page(place: &Path, submissions: usize) -> io::Result<Vec<String>> {
    write_log(&place.join("log.jsonl"), submissions, 1, 900)?;
    Ok(words(&["report", "log.jsonl", "--html", "page.html"]))
}

/// Two logs of this many trials, a hundred submissions each.
fn compare_many(place: &Path, trials: usize) -> io::Result<Vec<String>> {
    compare(place, 100, trials / 100)
}

/// Two logs of one submission on this many cases. A million should take 100 MiB at
/// most.
fn compare_one(place: &Path, trials: usize) -> io::Result<Vec<String>> {
    compare(place, 1, trials)
}

fn compare(
    place: &Path,
    submissions: usize,
    cases: usize,
) -> io::Result<Vec<String>> {
    for (name, least_us) in [("was.jsonl", 900), ("now.jsonl", 910)] {
        write_log(&place.join(name), submissions, cases, least_us)?;
    }
    Ok(words(&["compare", "was.jsonl", "now.jsonl"]))
}

fn write_log(
    path: &Path,
    submissions: usize,
    cases: usize,
    least_us: usize,
) -> io::Result<()> {
    let mut log = BufWriter::new(File::create(path)?);
    let trials = submissions * cases;
    writeln!(
        log,
        r#"{{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"bench","started":"2026-11-21T20:30:00Z","jobs":2,"submissions":{submissions},"trials":{trials}}}"#
    )?;
    for submission in 0..submissions {
        let whose = format!(
            r#""problem":"bench","submission":"team-{submission:06}/bench.cpp""#
        );
        let verdict = if submission % 10 == 9 { "WA" } else { "AC" };
        writeln!(
            log,
            r#"{{"event":"submission_started",{whose},"path":"contest/team-{submission:06}/bench.cpp","language":"C++","expected":"AC","limits":{{"cpu_us":1000000,"wall_us":2000000,"memory_bytes":67108864,"output_bytes":67108864,"processes":64}}}}"#
        )?;
        for case in 0..cases {
            writeln!(
                log,
                r#"{{"event":"trial_finished",{whose},"case":"secret/{case:06}","verdict":"{verdict}","cpu_us":{},"wall_us":1100,"peak_memory_bytes":7000000}}"#,
                least_us + case % 97
            )?;
        }
        let passed = if verdict == "AC" { cases } else { 0 };
        writeln!(
            log,
            r#"{{"event":"submission_finished",{whose},"language":"C++","expected":"AC","verdict":"{verdict}","passed":{passed},"cases":{cases},"faults":0,"slowest_cpu_us":996,"peak_memory_bytes":7000000}}"#
        )?;
    }
    let surprising = submissions / 10;
    writeln!(
        log,
        r#"{{"event":"suite_finished","as_expected":{},"surprising":{surprising},"skipped":0,"faults":0,"trials":{trials}}}"#,
        submissions - surprising
    )?;
    log.flush()
}

/// A problem among this many.
fn problem_among(place: &Path, problems: usize) -> io::Result<Vec<String>> {
    put(&place.join("judge.toml"), b"")?;
    for problem in 0..problems {
        let folder = place.join(format!("problems/p{problem:06}"));
        put(
            &folder.join("problem.toml"),
            bench::mini_spec("1s").as_bytes(),
        )?;
        put(&folder.join("submissions/accepted/a.py"), b"print()\n")?;
    }
    put(&place.join("in"), b"....\n3412\n2143\n4321\n")?;
    put(&place.join("out"), b"1234\n3412\n2143\n4321\n")?;
    Ok(words(&["check", "-p", "p000007", "in", "out"]))
}

/// An output of this many megabytes, and a checker that is in Python and reads all of
/// it.
fn output(place: &Path, megabytes: usize) -> io::Result<Vec<String>> {
    put(
        &place.join("pkg/problem.yaml"),
        b"name: Scale\nvalidation: custom\nlimits:\n  time_limit: 1\n",
    )?;
    let checker =
        b"import sys\nwhile sys.stdin.buffer.read(1 << 16):\n    pass\nsys.exit(42)\n";
    put(&place.join("pkg/output_validators/check.py"), checker)?;
    put(&place.join("pkg/data/secret/1.in"), b"1\n")?;
    put(&place.join("pkg/data/secret/1.ans"), b"1\n")?;
    put(
        &place.join("out"),
        &b"123456789\n".repeat(megabytes * 100_000),
    )?;
    Ok(words(&[
        "check",
        "-p",
        "./pkg",
        "pkg/data/secret/1.in",
        "out",
        "pkg/data/secret/1.ans",
    ]))
}
