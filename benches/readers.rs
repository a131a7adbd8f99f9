//! Reads very many mutated files with every reader of files that strangers write, and
//! fails where one panics, or holds more memory or takes longer than its input allows.
//! Prints the number of inputs of each reader, and the worst ones.
//!
//! `cargo bench --bench readers -- 1000` gives each reader 1000 inputs; `-- 1000 log`
//! only those with `log` in their names; `-- 1 log 77` makes input 77 again, reads it,
//! and leaves it in `input` in the working folder.

#[expect(
    dead_code,
    reason = "the names of the formats are for the test of each"
)]
#[path = "../tests/format_examples/mod.rs"]
mod format_examples;
#[path = "../tests/fuzzed/mod.rs"]
mod fuzzed;

use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use fuzzed::{all_readers, input_of, try_input};

/// The inputs of each reader if no number is given.
const DEFAULT_INPUTS: u64 = 1000;

/// The time that a reader may take for an empty input, which covers every fixed bound
/// on work, as that on the steps of rules for inputs.
const MOST_FIXED_TIME: Duration = Duration::from_secs(4);

/// The time that a reader may take for each byte of its input.
const MOST_TIME_PER_BYTE: Duration = Duration::from_micros(20);

/// The time after which a reader is taken to hang.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// What is read now, and since when.
static CURRENT: Mutex<Option<(&str, u64, Instant)>> = Mutex::new(None);

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let count = words.first().map_or(DEFAULT_INPUTS, |word| {
        word.parse().expect("a number of inputs")
    });
    let wanted = words.get(1).map_or("", String::as_str);
    let first = words
        .get(2)
        .map_or(0, |word| word.parse().expect("the number of an input"));
    thread::spawn(end_what_hangs);
    // A panic is told with the number of its input.
    std::panic::set_hook(Box::new(|panic| println!("{panic}")));
    let mut all = 0;
    let mut wrong = 0;
    for reader in all_readers()
        .iter()
        .filter(|reader| reader.name.contains(wanted))
    {
        let mut slowest = (Duration::ZERO, 0);
        let mut largest = (0, 0);
        let start = Instant::now();
        for number in first..first + count {
            if words.len() > 2 {
                std::fs::write("input", input_of(reader, number)).expect("a file");
            }
            *CURRENT.lock().expect("no panic") =
                Some((reader.name, number, Instant::now()));
            match try_input(reader, number) {
                Ok(cost) => {
                    slowest = slowest.max((cost.time, number));
                    largest = largest.max((cost.peak_bytes, number));
                    let bytes =
                        u32::try_from(cost.input_bytes).expect("a small input");
                    if cost.time > MOST_FIXED_TIME + MOST_TIME_PER_BYTE * bytes {
                        println!(
                            "input {number} of {}, {bytes} bytes, takes {:?}",
                            reader.name, cost.time
                        );
                        wrong += 1;
                    }
                }
                Err(what) => {
                    println!("{what}");
                    wrong += 1;
                }
            }
            all += 1;
        }
        println!(
            "{:32} {count:8} inputs in {:6.1} s; slowest {:8.1} ms (input {}), largest {:6.2} MiB (input {})",
            reader.name,
            start.elapsed().as_secs_f64(),
            slowest.0.as_secs_f64() * 1e3,
            slowest.1,
            f64::from(u32::try_from(largest.0).unwrap_or(u32::MAX))
                / f64::from(1 << 20),
            largest.1,
        );
    }
    println!("{all} inputs, {wrong} wrong");
    if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Ends the process, with the input that is read, when a reader hangs.
fn end_what_hangs() {
    loop {
        thread::sleep(Duration::from_secs(1));
        if let Some((name, number, since)) = *CURRENT.lock().expect("no panic")
            && since.elapsed() > HANGS_AFTER
        {
            println!("input {number} of {name}: the reader hangs");
            std::process::exit(1);
        }
    }
}
