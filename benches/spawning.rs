//! Measures the cost of a run compared with a bare process, at every isolation level
//! that this machine supports, and with bubblewrap if that is installed:
//! `cargo bench --bench spawning`, or some of them:
//! `cargo bench --bench spawning -- full bubblewrap`.
//!
//! A bare process is posix_spawn, files for streams, wait4. Prints medians over rounds
//! that alternate between all runners, so that a busy moment of the machine affects all
//! of them. Ratios can be compared between machines, microseconds cannot.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use gridjudge::model::verdict_of_breach;
use gridjudge_sandbox::{
    Input, IsolationLevel, Launch, LevelChoice, Limits, LinuxSandbox, Role, Sandbox,
    ScratchFiles,
};

const ROUNDS: usize = 600;

/// Fewer rounds, because each one begins with a pause.
const COLD_ROUNDS: usize = 60;

/// The time without any run before a cold run.
const PAUSE: Duration = Duration::from_millis(50);

/// Name, compiler and its arguments, source.
const PROGRAMS: [(&str, &str, &[&str], &str); 4] = [
    (
        "nothing, without libc",
        "cc",
        &["-O1", "-nostdlib", "-static", "-xc"],
        "void _start(void) { for (;;) __asm__ volatile(\"syscall\" :: \"a\"(231), \"D\"(0)); }",
    ),
    (
        "nothing, static C",
        "cc",
        &["-O1", "-static", "-xc"],
        "int main(void) { return 0; }",
    ),
    (
        "a sum, static C++",
        "c++",
        &["-O1", "-static", "-xc++"],
        SUM,
    ),
    ("a sum, dynamic C++", "c++", &["-O1", "-xc++"], SUM),
];

const SUM: &str = "#include <iostream>\nint main() { int a = 0, b = 0; std::cin >> a >> b; std::cout << a + b << std::endl; }";

fn main() {
    let place = tempfile::tempdir().expect("a folder");
    let runners = runners();
    let input = place.path().join("input");
    fs::write(&input, "1 2\n").expect("the input can be written");
    let names: Vec<_> = runners
        .iter()
        .map(|runner| format!("{:>14}", runner.name))
        .collect();
    println!("{:34} {}", "median us (times bare)", names.join(" "));
    for (name, compiler, arguments, source) in PROGRAMS {
        let Some(program) = compile(place.path(), compiler, arguments, source) else {
            println!("{name:34} `{compiler}` cannot compile it");
            continue;
        };
        let runners: Vec<_> =
            runners.iter().map(|runner| runner.with(&program)).collect();
        let line = |what: &str, times: &[Duration]| {
            println!("{:34} {}", format!("{name}, {what}"), cells(times))
        };
        line("one slot", &hot(&runners, &input));
        line("two slots", &two_at_once(&runners, &input));
        line("cold", &cold(&runners, &input));
    }
}

/// A way to run a program.
struct Runner {
    name: String,
    how: How,
}

enum How {
    Bare,
    Bubblewrap,
    Sandbox(Box<LinuxSandbox>),
}

/// A runner with the path at which it finds the program.
struct Ready<'a> {
    runner: &'a Runner,
    program: PathBuf,
}

fn runners() -> Vec<Runner> {
    let mut runners = vec![Runner {
        name: "bare".into(),
        how: How::Bare,
    }];
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    for level in IsolationLevel::ALL
        .into_iter()
        .filter(|level| is_wanted(level.name()))
    {
        match LinuxSandbox::start(
            Path::new(env!("CARGO_BIN_EXE_gridjudge")),
            2,
            LevelChoice::Only(level),
        ) {
            Ok(sandbox) => runners.push(Runner {
                name: level.to_string(),
                how: How::Sandbox(Box::new(sandbox)),
            }),
            Err(fault) => println!("no level {level}: {fault}"),
        }
    }
    let version = Command::new("bwrap")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if version.is_ok_and(|status| status.success()) && is_wanted("bubblewrap") {
        runners.push(Runner {
            name: "bubblewrap".into(),
            how: How::Bubblewrap,
        });
    }
    runners
}

impl Runner {
    fn with(&self, program: &Path) -> Ready<'_> {
        let program = match &self.how {
            How::Sandbox(sandbox) => {
                let own = sandbox.programs().join("program");
                // By another process, since a file that is open for writing cannot be
                // executed.
                assert!(
                    Command::new("cp")
                        .arg(program)
                        .arg(&own)
                        .status()
                        .expect("cp")
                        .success()
                );
                own
            }
            _ => program.to_owned(),
        };
        Ready {
            runner: self,
            program,
        }
    }
}

impl Ready<'_> {
    fn run(&self, input: &Path) -> Duration {
        let start = Instant::now();
        match &self.runner.how {
            How::Bare => run_command(Command::new(&self.program), input),
            How::Bubblewrap => run_command(self.wrapped(), input),
            How::Sandbox(sandbox) => self.run_boxed(sandbox, input),
        }
        start.elapsed()
    }

    /// The smallest bubblewrap sandbox in which the program runs.
    fn wrapped(&self) -> Command {
        let mut command = Command::new("bwrap");
        command.args([
            "--unshare-all",
            "--die-with-parent",
            "--ro-bind",
            "/usr",
            "/usr",
        ]);
        for (at, to) in [("/lib", "usr/lib"), ("/lib64", "usr/lib64")] {
            command.args(["--symlink", to, at]);
        }
        command
            .args(["--tmpfs", "/tmp", "--ro-bind"])
            .arg(&self.program)
            .args(["/program", "/program"]);
        command
    }

    fn run_boxed(&self, sandbox: &LinuxSandbox, input: &Path) {
        let second = Duration::from_secs(1);
        let limits = Limits {
            cpu: second,
            wall: 2 * second,
            memory_bytes: 64 << 20,
            output_bytes: 1 << 20,
            processes: 1,
            frequent_samples: false,
            address_space: None,
        };
        let launch = Launch {
            command: vec![self.program.to_str().expect("a path in Unicode").into()],
            environment: Vec::new(),
            input: Input::CopyOf(input.into()),
            readable: vec![sandbox.programs()],
            role: Role::Submission,
            scratch: ScratchFiles::default(),
        };
        let mut run = sandbox.run(&launch, &limits).expect("the run is no fault");
        assert_eq!(verdict_of_breach(&run, &limits), None, "{run:?}");
        std::io::copy(&mut run.stdout, &mut std::io::sink())
            .expect("the output can be read");
    }
}

fn run_command(mut command: Command, input: &Path) {
    let input = File::open(input).expect("the input can be opened");
    let output = command.stdin(input).stderr(Stdio::null()).output();
    assert!(output.expect("the program starts").status.success());
}

fn hot(runners: &[Ready], input: &Path) -> Vec<Duration> {
    medians(runners, ROUNDS, |runner| runner.run(input))
}

/// The time per run when two threads run programs at the same time.
fn two_at_once(runners: &[Ready], input: &Path) -> Vec<Duration> {
    const EACH: u32 = 20;
    medians(runners, ROUNDS / EACH as usize, |runner| {
        let start = Instant::now();
        let work = || {
            for _ in 0..EACH {
                runner.run(input);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        start.elapsed() / (2 * EACH)
    })
}

fn cold(runners: &[Ready], input: &Path) -> Vec<Duration> {
    medians(runners, COLD_ROUNDS, |runner| {
        std::thread::sleep(PAUSE);
        runner.run(input)
    })
}

/// The median time of each runner over rounds in which all runners alternate.
fn medians(
    runners: &[Ready],
    rounds: usize,
    time: impl Fn(&Ready) -> Duration,
) -> Vec<Duration> {
    let mut times = vec![Vec::new(); runners.len()];
    for runner in runners {
        time(runner);
    }
    for _ in 0..rounds {
        for (runner, times) in runners.iter().zip(&mut times) {
            times.push(time(runner));
        }
    }
    for times in &mut times {
        times.sort_unstable();
    }
    times.iter().map(|times| times[times.len() / 2]).collect()
}

fn cells(times: &[Duration]) -> String {
    let ratio = |time: &Duration| time.as_secs_f64() / times[0].as_secs_f64();
    let cells = times
        .iter()
        .map(|time| format!("{:>7} ({:.2})", time.as_micros(), ratio(time)));
    cells
        .map(|cell| format!("{cell:>14}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn compile(
    folder: &Path,
    compiler: &str,
    arguments: &[&str],
    source: &str,
) -> Option<PathBuf> {
    let source_file = folder.join("source");
    fs::write(&source_file, source).ok()?;
    let program = folder.join("program");
    let mut command = Command::new(compiler);
    command
        .args(arguments)
        .arg(&source_file)
        .arg("-o")
        .arg(&program)
        .stderr(Stdio::null());
    command
        .status()
        .is_ok_and(|status| status.success())
        .then_some(program)
}
