//! Measures how fast texts are compared, in MB of output per CPU second. The rate is
//! compared with the least that could be done (read both texts through buffers, and
//! `memcmp`), and with other programs on the same texts. `PEERS` names these programs;
//! they must accept the arguments of an output validator
//! (`INPUT ANSWER FEEDBACK_FOLDER FLAGS`, the output on standard input), like
//! `default_validator` of problemtools.
//!
//! `PEERS="/path/one /path/two" cargo bench --bench comparing_text [MEGABYTES]`

use std::fs;
use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gridjudge::model::{Task, TextTask};
use gridjudge::{check, spec};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

const ROUNDS: usize = 5;

/// The unit in which the kernel counts the CPU time of children.
const TICK: Duration = Duration::from_millis(10);

/// An answer, an output that is accepted, and the validator flags for it.
struct TextMix {
    name: &'static str,
    flags: &'static str,
    answer: Vec<u8>,
    output: Vec<u8>,
}

fn main() {
    let megabytes: usize = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(100);
    let peers = std::env::var("PEERS").unwrap_or_default();
    let peers: Vec<_> = peers.split_whitespace().map(Path::new).collect();
    for mix in mixes(megabytes * 1_000_000) {
        let folder = TempDir::new().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("answer"), &mix.answer).expect("room for the answer");
        fs::write(place("output"), &mix.output).expect("room for the output");
        let answer = place("answer");
        let output = place("output");
        let bare = cpu_time(|| read_both(&answer, &output));
        let ours = cpu_time(|| compare(&mix, &answer, &output));
        print!(
            "{}: {:.0} MB/s ({:.0} MB/s bare)",
            mix.name,
            rate(&mix, ours),
            rate(&mix, bare)
        );
        for peer in &peers {
            let name = peer.file_name().unwrap_or_default().to_string_lossy();
            match time_of_peer(peer, &mix, &folder) {
                Some(time) => print!(", {name} {:.1} MB/s", rate(&mix, time)),
                None => print!(", {name} refuses it"),
            }
        }
        println!();
    }
}

fn mixes(bytes: usize) -> Vec<TextMix> {
    let numbers = text(bytes, |number| {
        format!("{}\n", number.wrapping_mul(2_654_435_761) % 1_000_000_007)
    });
    let words = text(bytes, |number| format!("Case {number}: yes it is\n"));
    let long = text(bytes, |number| format!("{:.9}\n", float(number)));
    let short = text(bytes, |number| format!("{:.7}\n", float(number)));
    let lines = long.iter().filter(|byte| **byte == b'\n').count();
    let rounded: Vec<_> = short
        .split_inclusive(|byte| *byte == b'\n')
        .take(lines)
        .collect();
    let few = text(bytes, |number| match number % 10 {
        0 => format!("{:.9}\n", float(number)),
        _ => format!("word{} {number}\n", number % 77),
    });
    let few_otherwise = text(bytes, |number| match number % 10 {
        0 => format!("{:.10}\n", float(number)),
        _ => format!("word{} {number}\n", number % 77),
    });
    let lines_of_few = few_otherwise.iter().filter(|byte| **byte == b'\n').count();
    let few: Vec<_> = few
        .split_inclusive(|byte| *byte == b'\n')
        .take(lines_of_few)
        .collect();
    let replaced = |text: &[u8], from: &str, to: &str| {
        String::from_utf8_lossy(text).replace(from, to).into_bytes()
    };
    let mix = |name, flags, answer: &[u8], output: &[u8]| TextMix {
        name,
        flags,
        answer: answer.to_vec(),
        output: output.to_vec(),
    };
    const NEAR: &str = "float_tolerance 1e-6";
    vec![
        mix("whole numbers", "", &numbers, &numbers),
        mix("words", "case_sensitive", &words, &words),
        mix(
            "words, other line ends",
            "",
            &words,
            &replaced(&words, "\n", "\r\n"),
        ),
        mix(
            "words, one of five in other case",
            "",
            &words,
            &replaced(&words, "yes", "YES"),
        ),
        mix(
            "whole numbers, all on one line",
            "",
            &numbers,
            &replaced(&numbers, "\n", " "),
        ),
        mix(
            "whole numbers, exact space",
            "space_change_sensitive",
            &numbers,
            &numbers,
        ),
        mix("one token", "", &vec![b'x'; bytes], &vec![b'x'; bytes]),
        mix("floats, the same", NEAR, &long, &long),
        mix("floats, other digits", NEAR, &long, &rounded.concat()),
        mix(
            "one float of ten words, other digits",
            NEAR,
            &few.concat(),
            &few_otherwise,
        ),
    ]
}

fn text(bytes: usize, line: impl Fn(u64) -> String) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes + 100);
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.extend_from_slice(line(number).as_bytes());
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "any number will do")]
fn float(number: u64) -> f64 {
    (number.wrapping_mul(2_654_435_761) % 1_000_000_007) as f64 / 1e5
}

fn compare(mix: &TextMix, answer: &Path, output: &Path) {
    let words: Vec<_> = mix.flags.split_whitespace().collect();
    let task = Task::Text(TextTask::Tokens(
        spec::token_flags(&words).expect("known flags"),
    ));
    let open = |path: &Path| File::open(path).expect("written just now");
    let findings = check::output(&task, &b""[..], open(output), Some(open(answer)))
        .expect("readable");
    assert_eq!(findings.listed, []);
}

/// The least that a comparison must do.
fn read_both(answer: &Path, output: &Path) {
    let open = |path: &Path| File::open(path).expect("written just now");
    let mut answer = open(answer);
    let mut output = open(output);
    let mut one = vec![0; 1 << 18];
    let mut other = vec![0; 1 << 18];
    loop {
        let left = answer.read(&mut one).unwrap_or(0);
        let right = output.read(&mut other).unwrap_or(0);
        if left == 0 && right == 0 {
            break;
        }
        black_box(one[..left] == other[..right]);
    }
}

/// The CPU time of another program; `None` if it does not accept the output.
fn time_of_peer(peer: &Path, mix: &TextMix, folder: &TempDir) -> Option<Duration> {
    let place = |name: &str| folder.path().join(name);
    fs::create_dir_all(place("feedback")).expect("a folder");
    let before = time_of_children();
    let ended = Command::new(peer)
        .args([place("answer"), place("answer"), place("feedback")])
        .args(mix.flags.split_whitespace())
        .stdin(File::open(place("output")).expect("written just now"))
        .status();
    let time = time_of_children() - before;
    (ended.expect("a program").code() == Some(42)).then_some(time.max(TICK))
}

/// The CPU time of all children that have ended. Source: proc_pid_stat(5).
fn time_of_children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let ticks: u32 = fields
        .skip(13)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u32>().ok())
        .sum();
    TICK * ticks
}

/// The median CPU time that this thread takes for `work`.
fn cpu_time(work: impl Fn()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let mut times: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = now();
            work();
            now() - start
        })
        .collect();
    times.sort();
    times[ROUNDS / 2]
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn rate(mix: &TextMix, time: Duration) -> f64 {
    mix.output.len() as f64 / 1e6 / time.as_secs_f64()
}
