//! Measures the cost of an interaction at every isolation level that this machine
//! supports: 100,000 round trips of eight bytes, compared with two bare processes that
//! are joined by the same two pipes; and an interaction without any data, compared with
//! a plain run of the same program: `cargo bench --bench interacting` (needs `cc`), or
//! one level: `cargo bench --bench interacting -- user`.
//!
//! Prints medians over rounds, each of which measures everything once. Ratios can be
//! compared between machines, microseconds cannot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gridjudge_sandbox::{
    Exit, Input, InteractionListener, InteractionRequest, IsolationLevel, Launch,
    LevelChoice, Limits, LinuxSandbox, Party, Role, Sandbox, ScratchFiles, Side,
};

const ROUNDS: usize = 3;

/// The number of interactions without data in a round.
const SILENT: u32 = 100;

const ROUND_TRIPS: &str = "100000";

/// As `a`, asks as many times as its second argument says, or never. As `b`, answers
/// that many times.
const SOURCE: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    char piece[8] = "1234567";
    long times = count > 2 ? atol(words[2]) : 0;
    if (words[1][0] == 'a') {
        for (long n = 0; n < times; n++)
            if (write(1, piece, 8) != 8 || read(0, piece, 8) != 8) return 3;
        return 42;
    }
    for (long n = 0; n < times; n++)
        if (read(0, piece, 8) != 8 || write(1, piece, 8) != 8) return 3;
    return 0;
}
"#;

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory_bytes: 64 << 20,
    output_bytes: 16 << 20,
    processes: 16,
    frequent_samples: false,
    address_space: None,
};

fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let source = place.path().join("program.c");
    fs::write(&source, SOURCE).expect("a source");
    let program = place.path().join("program");
    let compiled = Command::new("cc")
        .args(["-O1", "-static", "-o"])
        .arg(&program)
        .arg(&source)
        .status();
    assert!(compiled.expect("`cc`").success());
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    for level in IsolationLevel::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == level.name()) {
            continue;
        }
        match LinuxSandbox::start(
            Path::new(env!("CARGO_BIN_EXE_gridjudge")),
            1,
            LevelChoice::Only(level),
        ) {
            Ok(sandbox) => measure(level, &sandbox, &program),
            Err(fault) => println!("no level {level}: {fault}"),
        }
    }
}

fn measure(level: IsolationLevel, sandbox: &LinuxSandbox, program: &Path) {
    let own = sandbox.programs().join("program");
    // By another process, since a file that is open for writing cannot be executed.
    assert!(
        Command::new("cp")
            .arg(program)
            .arg(&own)
            .status()
            .expect("cp")
            .success()
    );
    let bench = InteractionBench {
        sandbox,
        program: own,
        folder: tempfile::tempdir().expect("a folder"),
    };
    bench.interact("0", None);
    let mut times = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        let found = [
            timed(|| bare_interaction(program)),
            timed(|| bench.interact(ROUND_TRIPS, None)),
            timed(|| bench.interact(ROUND_TRIPS, Some(&IgnoringListener))),
            timed(|| (0..SILENT).for_each(|_| bench.run())) / SILENT,
            timed(|| (0..SILENT).for_each(|_| bench.interact("0", None))) / SILENT,
        ];
        for (times, found) in times.iter_mut().zip(found) {
            times.push(found);
        }
    }
    let [bare, interaction, transcribed, run, silent] = &times;
    let trips: f64 = ROUND_TRIPS.parse().expect("a number");
    let each =
        |times: &Vec<Duration>| median(times.clone()).as_secs_f64() / trips * 1e6;
    println!(
        "{level}: a round trip {:.1} us, bare {:.1} us: {:.2} times; with a transcript {:.1} us: {:.2} times",
        each(interaction),
        each(bare),
        ratio(interaction, bare),
        each(transcribed),
        ratio(transcribed, bare),
    );
    println!(
        "{level}: an interaction without data {:.0?}, a plain run {:.0?}: {:.2} times",
        median(silent.clone()),
        median(run.clone()),
        ratio(silent, run),
    );
}

/// Two programs in a sandbox.
struct InteractionBench<'a> {
    sandbox: &'a LinuxSandbox,
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl InteractionBench<'_> {
    fn launch(&self, words: &[&str], role: Role) -> Launch {
        let program = self.program.to_str().expect("text");
        let command = [program]
            .iter()
            .chain(words)
            .map(|word| (*word).to_owned())
            .collect();
        Launch {
            command,
            environment: vec![],
            input: Input::Empty,
            readable: vec![self.sandbox.programs()],
            role,
            scratch: ScratchFiles::default(),
        }
    }

    fn run(&self) {
        let run = self
            .sandbox
            .run(&self.launch(&["b"], Role::Submission), &LIMITS)
            .expect("a run");
        assert_eq!(run.exit, Exit::Code(0));
    }

    fn interact(&self, trips: &str, listener: Option<&dyn InteractionListener>) {
        let answers = self.launch(&["b", trips], Role::Submission);
        let asks = self.launch(
            &["a", trips],
            Role::Checker {
                folder: self.folder.path().to_owned(),
            },
        );
        let party = |launch| Party {
            launch,
            limits: &LIMITS,
        };
        let submission = party(&answers);
        let interactor = party(&asks);
        let request = InteractionRequest {
            submission,
            interactor,
            lets_finish: &|_, _| true,
            listener,
            stop: None,
        };
        let found = self.sandbox.interact(request).expect("an interaction");
        assert_eq!(
            [found.submission.exit, found.interactor.exit],
            [Exit::Code(0), Exit::Code(42)]
        );
    }
}

/// A listener that ignores everything.
struct IgnoringListener;

impl InteractionListener for IgnoringListener {
    fn begin(&self) {}

    fn receive(&self, _: Side, _: Duration, _: &[u8]) {}
}

/// The same two programs without a sandbox, joined by pipes.
fn bare_interaction(program: &Path) {
    let (from_answers, answers) = std::io::pipe().expect("a pipe");
    let (from_asks, asks) = std::io::pipe().expect("a pipe");
    let start = |letter: &str, input: Stdio, output: Stdio| {
        let mut command = Command::new(program);
        command
            .args([letter, ROUND_TRIPS])
            .stdin(input)
            .stdout(output)
            .spawn()
            .expect("a process")
    };
    let mut first = start("a", from_answers.into(), asks.into());
    let mut second = start("b", from_asks.into(), answers.into());
    assert_eq!(first.wait().expect("an end").code(), Some(42));
    assert!(second.wait().expect("an end").success());
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The median of the ratios of two times in the same round.
fn ratio(times: &[Duration], of: &[Duration]) -> f64 {
    let mut ratios: Vec<_> = times
        .iter()
        .zip(of)
        .map(|(one, of)| one.as_secs_f64() / of.as_secs_f64())
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
