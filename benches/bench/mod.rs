//! Helpers that several benches share: they make a judge's folder, compile a program,
//! run it without a sandbox, sample the memory of a process, and compute medians.

#![allow(
    dead_code,
    reason = "each bench that includes this file uses a part of it"
)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A problem of 4x4 grids, up to its limits.
const MINI: &str = r#"name = "Mini"

[grid]
order = 4
boxes = "2x2"
symbols = "1234"
blanks = "."

[input]
cases = "one"
cells = "joined"

[output]
cells = "joined"

[answer]
accept = "unique"

[limits]
"#;

/// A judge's folder with one problem, `mini`, whose cases are all the same, with this
/// time limit.
pub(crate) fn mini_judge(cases: usize, time: &str) -> TempDir {
    let root = tempfile::tempdir().expect("a folder for the bench");
    let path = |name: &str| root.path().join(name);
    for folder in ["problems/mini", "cases/mini/secret"] {
        fs::create_dir_all(path(folder)).expect("a folder");
    }
    fs::write(path("judge.toml"), "").expect("a configuration");
    fs::write(path("problems/mini/problem.toml"), mini_spec(time)).expect("a spec");
    for case in 0..cases {
        let case = format!("cases/mini/secret/{case:03}");
        fs::write(path(&format!("{case}.in")), "....\n3412\n2143\n4321\n")
            .expect("a case");
        fs::write(path(&format!("{case}.ans")), "1234\n3412\n2143\n4321\n")
            .expect("an answer");
    }
    root
}

/// The spec of a problem of 4x4 grids with this time limit.
pub(crate) fn mini_spec(time: &str) -> String {
    format!("{MINI}time = \"{time}\"\n")
}

/// Compiles a source to a program at this path.
pub(crate) fn compile(
    compiler: &str,
    options: &[&str],
    source: &Path,
    program: &Path,
) {
    let mut command = Command::new(compiler);
    let done = command
        .args(options)
        .arg("-o")
        .arg(program)
        .arg(source)
        .status();
    assert!(
        done.unwrap_or_else(|error| panic!(
            "`{compiler}`, from the package gcc or g++: {error}"
        ))
        .success()
    );
}

/// Compiles an example submission of one of our own problems, such as
/// `accepted/right.cpp`, with `-O2` and these options.
pub(crate) fn compile_own(
    problem: &str,
    submission: &str,
    options: &[&str],
    place: &Path,
) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("problems")
        .join(problem);
    let program = place.join("solver");
    compile(
        "c++",
        &[&["-O2"], options].concat(),
        &own.join("submissions").join(submission),
        &program,
    );
    program
}

/// Runs a program on an input with as little work as possible, without limits, sandbox
/// or log, and returns its output.
pub(crate) fn run_bare(program: &Path, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(input)
        .expect("room in a pipe");
    let mut output = Vec::new();
    child
        .stdout
        .take()
        .expect("piped")
        .read_to_end(&mut output)
        .expect("output");
    assert!(child.wait().expect("an end").success());
    output
}

/// The time that two threads take to do `work` for each number below `count`.
pub(crate) fn two_at_once(count: usize, work: impl Fn(usize) + Sync) -> Duration {
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let work_through = || {
        loop {
            match next.fetch_add(1, Ordering::Relaxed) {
                number if number < count => work(number),
                _ => return,
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work_through);
        scope.spawn(work_through);
    });
    start.elapsed()
}

/// The CPU time of this process and of all children that it has waited for, in kernel
/// ticks of a hundredth of a second. Unlike wall time, it does not grow much on a busy
/// machine.
pub(crate) fn cpu_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("proc(5)");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let times = fields.split_ascii_whitespace().skip(11).take(4);
    times.map(|time| time.parse::<u64>().expect("ticks")).sum()
}

/// Waits for a process to end, and samples its peak memory at this interval. Returns
/// the last sample, in bytes.
pub(crate) fn peak_of(process: &mut Child, every: Duration) -> u64 {
    let path = format!("/proc/{}/status", process.id());
    let mut peak = 0;
    while process.try_wait().expect("a child").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let field = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = field.and_then(|field| {
            field.trim().trim_end_matches(" kB").parse::<u64>().ok()
        });
        peak = kib.map_or(peak, |kib| kib * 1024);
        std::thread::sleep(every);
    }
    peak
}

pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times[times.len() / 2]
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub(crate) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
