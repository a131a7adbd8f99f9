//! Measures the merging of shards: the release build merges the logs of eight shards of
//! a million trials, and of a quarter of that, into one log. Prints wall time and peak
//! memory of each, and how the time grows.
//!
//! `cargo bench --bench merging`

mod bench;

use std::fs::File;
use std::io;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bench::mebibytes;

const SHARDS: usize = 8;

/// The number of trials of each submission.
const CASES: usize = 50;

/// The interval at which the peak memory is sampled; it never falls.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(2);

fn main() {
    let mut times = Vec::new();
    for trials in [250_000, 1_000_000] {
        let place = tempfile::tempdir().expect("a folder for the bench");
        for index in 1..=SHARDS {
            write(place.path(), index, trials / CASES).expect("the log of a shard");
        }
        let target = place.path().join("merged");
        let mut command = Command::new(env!("CARGO_BIN_EXE_gridjudge"));
        command
            .arg("merge")
            .arg(place.path())
            .arg("--log")
            .arg(&target)
            .arg("-q")
            .stdout(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().expect("gridjudge");
        let peak = bench::peak_of(&mut child, SAMPLE_INTERVAL);
        let time = start.elapsed().as_secs_f64();
        assert!(child.wait().expect("an end").success());
        let size = target.metadata().expect("the merged log").len();
        println!(
            "{trials:>9} trials, {:>6.1} MiB: {time:>5.2} s  peak {:>6.1} MiB",
            mebibytes(size),
            mebibytes(peak)
        );
        times.push(time);
    }
    println!(
        "four times the trials take {:.2} times the time",
        times[1] / times[0]
    );
}

/// Writes the log of a shard, which has every eighth submission.
fn write(folder: &Path, index: usize, submissions: usize) -> io::Result<()> {
    let path = folder.join(format!("bench-{index}-of-{SHARDS}.jsonl"));
    let mut log = BufWriter::new(File::create(path)?);
    let ordinals: Vec<_> = (index..=submissions).step_by(SHARDS).collect();
    let shard = format!(
        r#"{{"index":{index},"of":{SHARDS},"run":"{index:032}","host":"host{index}","beat_ns":100000,"command":["gridjudge"],"tools":[],"ordinals":{ordinals:?},"plan":{{"digest":"{:064}","parts":[],"submissions":{submissions},"entries":"{}"}}}}"#,
        0,
        "0".repeat(8 * submissions)
    );
    writeln!(
        log,
        r#"{{"event":"suite_started","number":1,"log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"machine":"bench","started":"2026-11-21T20:30:00Z","jobs":2,"submissions":{},"trials":{},"shard":{shard}}}"#,
        ordinals.len(),
        ordinals.len() * CASES
    )?;
    let mut number = 1;
    for submission in &ordinals {
        let whose = format!(
            r#""problem":"bench","submission":"accepted/{submission:06}.cpp""#
        );
        number += 1;
        writeln!(
            log,
            r#"{{"event":"submission_started","number":{number},{whose},"path":"accepted/{submission:06}.cpp","language":"C++","limits":{{"cpu_us":1000000,"wall_us":2000000,"memory_bytes":67108864,"output_bytes":67108864,"processes":64}}}}"#
        )?;
        for case in 0..CASES {
            number += 1;
            writeln!(
                log,
                r#"{{"event":"trial_finished","number":{number},{whose},"case":"secret/{case:05}","verdict":"AC","cpu_us":{},"wall_us":{},"peak_memory_bytes":7000000}}"#,
                900 + case,
                1100 + case
            )?;
        }
        number += 1;
        writeln!(
            log,
            r#"{{"event":"submission_finished","number":{number},{whose},"language":"C++","verdict":"AC","worst_case":"secret/00049","passed":{CASES},"cases":{CASES},"faults":0,"slowest_cpu_us":949,"peak_memory_bytes":7000000}}"#
        )?;
    }
    writeln!(
        log,
        r#"{{"event":"suite_finished","number":{},"as_expected":{},"surprising":0,"skipped":0,"faults":0,"trials":{}}}"#,
        number + 1,
        ordinals.len(),
        ordinals.len() * CASES
    )?;
    log.flush()
}
