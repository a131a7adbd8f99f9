//! Measures the cost of reports: the release build reads a log of 100,000 trials and
//! writes each kind of report. Prints wall time and peak memory of each process, and
//! the size of what it wrote.
//!
//! `cargo bench --bench reporting`

mod bench;

use std::fs::File;
use std::io;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench::mebibytes;

/// The number of trials in every arrangement.
const TRIALS: usize = 100_000;

/// The interval at which the peak memory is sampled; it never falls.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(2);

/// Every kind of report: its option, and whether it goes to a file.
const REPORTS: [(&str, bool); 9] = [
    ("", false),
    ("--junit", true),
    ("--sarif", true),
    ("--tap", true),
    ("--markdown", true),
    ("--csv", true),
    ("--github", false),
    ("--html", true),
    ("--jsonl", true),
];

/// Name, number of submissions, cases of each, and `n` if every `n`th case is wrong. No
/// case is wrong if `n` is larger than the number of cases.
const ARRANGEMENTS: [(&str, usize, usize, usize); 7] = [
    ("one in ten wrong", 100, TRIALS / 100, 10),
    ("all right", 100, TRIALS / 100, usize::MAX),
    ("all wrong", 100, TRIALS / 100, 1),
    ("one submission, all right", 1, TRIALS, usize::MAX),
    ("one submission, all wrong", 1, TRIALS, 1),
    ("as many submissions, all right", TRIALS, 1, usize::MAX),
    ("as many submissions, all wrong", TRIALS, 1, 1),
];

fn main() {
    let place = tempfile::tempdir().expect("a folder for the bench");
    for (name, submissions, cases, wrong) in ARRANGEMENTS {
        let log = place.path().join("run.jsonl");
        write(&log, submissions, cases, wrong).expect("the log");
        let size = log.metadata().expect("the log").len();
        println!(
            "{name}: {} trials, a log of {:.1} MiB",
            submissions * cases,
            mebibytes(size)
        );
        for (option, is_file) in REPORTS {
            let target = place.path().join(format!("report{option}"));
            let _ = std::fs::remove_file(&target);
            let mut command = Command::new(env!("CARGO_BIN_EXE_gridjudge"));
            command
                .arg("report")
                .arg(&log)
                .stdout(Stdio::null())
                .env_remove("GITHUB_STEP_SUMMARY");
            command
                .args((!option.is_empty()).then_some(option))
                .args(is_file.then_some(&target));
            let (time, peak) = measured(&mut command);
            let written = target.metadata().map_or(0, |found| found.len());
            let option = if option.is_empty() {
                "terminal"
            } else {
                option
            };
            let peak = mebibytes(peak);
            let written = mebibytes(written);
            println!(
                "  {option:<11} {:>6.2} s  peak {peak:>6.1} MiB  wrote {written:>6.1} MiB",
                time.as_secs_f64()
            );
        }
    }
}

/// Wall time, and peak memory in bytes.
fn measured(command: &mut Command) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = command.spawn().expect("gridjudge");
    let peak = bench::peak_of(&mut child, SAMPLE_INTERVAL);
    let time = start.elapsed();
    assert!(child.wait().expect("an end").success());
    (time, peak)
}

/// Writes a log in which every `wrong`th case is wrong.
fn write(
    path: &Path,
    submissions: usize,
    cases: usize,
    wrong: usize,
) -> io::Result<()> {
    let mut log = BufWriter::new(File::create(path)?);
    writeln!(
        log,
        r#"{{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"bench","started":"2026-11-21T20:30:00Z","jobs":2,"submissions":{submissions},"trials":{}}}"#,
        submissions * cases
    )?;
    for submission in 0..submissions {
        let whose = format!(
            r#""problem":"bench","submission":"accepted/{submission:05}.cpp""#
        );
        writeln!(
            log,
            r#"{{"event":"submission_started",{whose},"path":"problems/bench/submissions/accepted/{submission:05}.cpp","language":"C++","expected":"AC","limits":{{"cpu_us":1000000,"wall_us":2000000,"memory_bytes":67108864,"output_bytes":67108864,"processes":64}}}}"#
        )?;
        for case in 0..cases {
            let figures = format!(
                r#""cpu_us":{},"wall_us":{},"peak_memory_bytes":{}"#,
                900 + case % 97,
                1100 + case % 97,
                7_000_000 + case * 4096
            );
            let start = format!(
                r#"{{"event":"trial_finished",{whose},"case":"secret/{case:05}""#
            );
            if wrong <= cases && case % wrong == 0 {
                writeln!(
                    log,
                    r#"{start},"verdict":"WA",{figures},"finding":{{"kind":"wrong","grid":1,"row":4,"column":4,"rule":"row","line":5,"byte":27,"message":"row 4 has two 1s, at columns 3 and 4"}},"further_findings":[{{"kind":"wrong","grid":1,"row":4,"column":4,"rule":"column","line":5,"byte":27,"message":"column 4 has two 1s, at rows 2 and 4"}}],"grids_right":0,"grids":1,"stderr":"searching\nfound one after 1234 nodes\n"}}"#
                )?;
            } else {
                writeln!(
                    log,
                    r#"{start},"verdict":"AC",{figures},"grids_right":1,"grids":1}}"#
                )?;
            }
        }
        let failed = if wrong <= cases {
            cases.div_ceil(wrong)
        } else {
            0
        };
        let earned = match failed {
            0 => r#""AC","worst_case":"secret/00000""#,
            _ => {
                r#""WA","worst_case":"secret/00000","reason":"row 4 has two 1s, at columns 3 and 4""#
            }
        };
        writeln!(
            log,
            r#"{{"event":"submission_finished",{whose},"language":"C++","expected":"AC","verdict":{earned},"passed":{},"cases":{cases},"faults":0,"slowest_cpu_us":996,"peak_memory_bytes":11096000}}"#,
            cases - failed
        )?;
    }
    let surprising = if wrong <= cases { submissions } else { 0 };
    writeln!(
        log,
        r#"{{"event":"suite_finished","as_expected":{},"surprising":{surprising},"skipped":0,"faults":0,"trials":{}}}"#,
        submissions - surprising,
        submissions * cases
    )?;
    log.flush()
}
