//! What reports cost: a log of 100,000 trials, read by the release build into each report; wall time and peak memory of
//! each process, beside the size of what it wrote.
//!
//! `cargo bench --bench reporting`

use std::fs::File;
use std::io;
use std::io::BufWriter;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

const SUBMISSIONS: usize = 100;
const CASES: usize = 1_000;

/// Every report: its option, and whether it goes to a file.
const REPORTS: [(&str, bool); 7] = [
    ("", false),
    ("--junit", true),
    ("--sarif", true),
    ("--tap", true),
    ("--markdown", true),
    ("--csv", true),
    ("--jsonl", true),
];

fn main() {
    let place = tempfile::tempdir().expect("a folder for the bench");
    for (name, submissions, cases, wrong) in [
        ("one in ten wrong", SUBMISSIONS, CASES, 10),
        ("all wrong", SUBMISSIONS, CASES, 1),
        ("one submission, all wrong", 1, SUBMISSIONS * CASES, 1),
        ("a hundred thousand submissions", SUBMISSIONS * CASES, 1, 2),
    ] {
        let log = place.path().join("run.jsonl");
        write(&log, submissions, cases, wrong).expect("the log");
        let size = log.metadata().expect("the log").len();
        println!("{name}: {} trials, a log of {:.1} MB", submissions * cases, megabytes(size));
        for (option, is_file) in REPORTS {
            let target = place.path().join(format!("report{option}"));
            let _ = std::fs::remove_file(&target);
            let mut command = Command::new(env!("CARGO_BIN_EXE_gridjudge"));
            command.arg("report").arg(&log).stdout(Stdio::null());
            if is_file {
                command.arg(option).arg(&target);
            }
            let (time, peak) = measured(&mut command);
            let written = target.metadata().map_or(0, |found| found.len());
            let option = if option.is_empty() { "terminal" } else { option };
            let (peak, written) = (megabytes(peak), megabytes(written));
            println!("  {option:<11} {time:>9.0?}  peak {peak:>6.1} MB  wrote {written:>6.1} MB");
        }
    }
}

/// Time on the clock, and peak memory in bytes: the kernel's own figure, read when the process is reaped.
fn measured(command: &mut Command) -> (Duration, u64) {
    let start = Instant::now();
    let child = command.spawn().expect("gridjudge");
    let pid = rustix::process::Pid::from_child(&child);
    // It stays to be read until it is reaped.
    let exited = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
    let mut peak = 0;
    loop {
        peak = peak.max(high_water(pid).unwrap_or(0));
        let state = rustix::process::waitid(
            rustix::process::WaitId::Pid(pid),
            exited | rustix::process::WaitIdOptions::NOHANG,
        );
        if state.expect("a child").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let time = start.elapsed();
    let mut child = child;
    assert!(child.wait().expect("a child").success());
    (time, peak)
}

/// The peak of a process that runs, in bytes.
fn high_water(pid: rustix::process::Pid) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

/// Writes a log in which one case of every `wrong` is wrong.
fn write(path: &Path, submissions: usize, cases: usize, wrong: usize) -> io::Result<()> {
    let mut log = BufWriter::new(File::create(path)?);
    writeln!(
        log,
        r#"{{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"bench","started":"2026-11-21T20:30:00Z","jobs":2,"submissions":{submissions},"trials":{}}}"#,
        submissions * cases
    )?;
    for submission in 0..submissions {
        let whose = format!(r#""problem":"bench","submission":"accepted/{submission:05}.cpp""#);
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
            let start = format!(r#"{{"event":"trial_finished",{whose},"case":"secret/{case:05}""#);
            if case % wrong == 0 {
                writeln!(
                    log,
                    r#"{start},"verdict":"WA",{figures},"finding":{{"kind":"wrong","grid":1,"row":4,"column":4,"rule":"row","line":5,"byte":27,"message":"row 4 has two 1s, at columns 3 and 4"}},"further_findings":[{{"kind":"wrong","grid":1,"row":4,"column":4,"rule":"column","line":5,"byte":27,"message":"column 4 has two 1s, at rows 2 and 4"}}],"grids_right":0,"grids":1,"stderr":"searching\nfound one after 1234 nodes\n"}}"#
                )?;
            } else {
                writeln!(log, r#"{start},"verdict":"AC",{figures},"grids_right":1,"grids":1}}"#)?;
            }
        }
        let passed = cases - cases.div_ceil(wrong);
        writeln!(
            log,
            r#"{{"event":"submission_finished",{whose},"language":"C++","expected":"AC","verdict":"WA","worst_case":"secret/00000","reason":"row 4 has two 1s, at columns 3 and 4","passed":{passed},"cases":{cases},"faults":0,"slowest_cpu_us":996,"peak_memory_bytes":11096000}}"#
        )?;
    }
    writeln!(
        log,
        r#"{{"event":"suite_finished","as_expected":0,"surprising":{submissions},"skipped":0,"faults":0,"trials":{}}}"#,
        submissions * cases
    )?;
    log.flush()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
