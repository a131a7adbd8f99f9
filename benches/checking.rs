//! Measures how fast outputs are checked: a file of a million grids, in MB of output
//! per CPU second, compared with the least that any checker could do (read output and
//! input once and compare bytes) in the same run.
//!
//! `cargo bench --bench checking [GRIDS]`

use std::hint::black_box;
use std::io::Read;
use std::time::Duration;

use gridjudge::check;
use gridjudge::model::{Accept, GridTask, Task};
use gridjudge_grid::format::write;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols,
};
use rustix::time::{ClockId, clock_gettime};

/// How many different grids a file has. They repeat, which does not help a checker that
/// reads each one.
const DIFFERENT: usize = 1000;

const ROUNDS: usize = 5;

fn main() {
    let grids = std::env::args()
        .filter_map(|word| word.parse().ok())
        .next()
        .unwrap_or(1_000_000);
    for (name, cells, end) in [
        ("joined", CellSpacing::Joined, "\n"),
        ("spaced", CellSpacing::Spaced, "\n"),
        ("joined, space at line ends", CellSpacing::Joined, " \n"),
    ] {
        let format = format(cells, grids);
        let task = |accept| {
            Task::Grid(GridTask {
                format: format.clone(),
                accept,
            })
        };
        let (input, output) = texts(&format, grids, end);
        let before = memory_mib("VmRSS:");
        forget_peak();
        let bare = cpu_time(|| count_equal(&input, &output));
        let any = cpu_time(|| checked(&task(Accept::Any), &input, &output, None));
        let unique = cpu_time(|| {
            checked(&task(Accept::Unique), &input, &output, Some(&output))
        });
        println!(
            "{name}: {grids} grids, {:.0} MB of output: {:.0} MB/s ({:.1} times the bare reading), {:.0} MB/s against an \
             answer; {:.1} MiB of memory beside the texts",
            output.len() as f64 / 1e6,
            rate(&output, any),
            any.as_secs_f64() / bare.as_secs_f64(),
            rate(&output, unique),
            memory_mib("VmHWM:") - before,
        );
    }
}

fn format(cells: CellSpacing, grids: usize) -> Format {
    let layout = |count| Layout::bare(count, cells);
    Format {
        shapes: vec![Shape::new(9, 3, 3).expect("3x3 boxes make order 9")],
        symbols: Symbols::characters("123456789", "0"),
        input: layout(GridCount::First { most: grids as u64 }),
        output: layout(GridCount::AsInput),
        replies: Replies::default(),
    }
}

/// An input of `grids` puzzles with 30 clues each, and the output that answers it, with
/// lines that end in `end`.
fn texts(format: &Format, grids: usize, end: &str) -> (Vec<u8>, Vec<u8>) {
    let solutions = Solver::new(format.shape())
        .solutions(&[0; 81], DIFFERENT)
        .expect("an empty grid is easy");
    let grid = |layout: &Layout, cells: &[u8]| {
        write::grid(format.shape(), &format.symbols, layout, 1, cells)
    };
    let mut input = format!("{grids}\n");
    let mut output = String::new();
    for solution in solutions.iter().cycle().take(grids) {
        let clues: Vec<_> = (0..81)
            .map(|cell| {
                if cell * 7 % 81 < 30 {
                    solution[cell]
                } else {
                    0
                }
            })
            .collect();
        input.push_str(&grid(&format.input, &clues));
        output.push_str(&grid(&format.output, solution).replace('\n', end));
    }
    (input.into_bytes(), output.into_bytes())
}

fn checked(task: &Task, input: &[u8], output: &[u8], answer: Option<&[u8]>) {
    let findings =
        check::output(task, input, output, answer).expect("the texts are sound");
    assert_eq!(findings.listed, []);
    assert_eq!(findings.parts_right, findings.grids);
}

/// The least that a checker must do: read every byte of both texts, through buffers.
fn count_equal(mut input: &[u8], mut output: &[u8]) {
    let mut one = vec![0; 1 << 16];
    let mut other = vec![0; 1 << 16];
    let mut equal = 0;
    loop {
        let left = input.read(&mut one).unwrap_or(0);
        let right = output.read(&mut other).unwrap_or(0);
        if left == 0 && right == 0 {
            break;
        }
        equal += one[..left]
            .iter()
            .zip(&other[..right])
            .filter(|(one, other)| one == other)
            .count();
    }
    black_box(equal);
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

fn rate(output: &[u8], time: Duration) -> f64 {
    output.len() as f64 / 1e6 / time.as_secs_f64()
}

/// Resets this process's peak memory to its current memory. Source:
/// proc_pid_clear_refs(5).
fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5")
        .expect("a process may reset its own peak");
}

fn memory_mib(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kib: f64 = line
        .and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0.0);
    kib / 1024.0
}
