//! Measures the cost of judging: 200 cases at `-j2` with everything on, at each
//! isolation level that this machine supports, compared with a bare loop of two threads
//! that spawns the same program, writes its input, reads its output, compares and
//! waits; the time to the first verdict; then 10,000 cases compared with 200. Each
//! round measures the bare loop and all levels, so that changes of the machine's speed
//! affect all of them, and ratios are computed within a round. Prints their median,
//! minimum and maximum.
//!
//! `cargo bench --bench judging` (needs `c++`). Paths of other builds add these to the
//! comparison, and `--few` leaves out the 10,000 cases:
//! `cargo bench --bench judging -- --few old/gridjudge`

mod bench;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gridjudge::model::Problem;
use gridjudge::spec::JudgeFolder;
use gridjudge_grid::Format;
use gridjudge_grid::format::write;
use gridjudge_grid::solve::Solver;

use bench::{mebibytes, median};

const ROUNDS: usize = 11;

const FEW: usize = 200;

const MANY: usize = 10_000;

/// The interval at which the judge's memory is sampled.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(25);

const PROBLEM: &str = "poj-2676";

const LEVELS: [&str; 3] = ["full", "user", "basic"];

/// A quick program, so that the judge's overhead shows.
const PROGRAM: &str = "accepted/hidden_singles.cpp";

fn main() {
    let place = tempfile::tempdir().expect("a folder for the bench");
    let program = bench::compile_own(PROBLEM, PROGRAM, &[], place.path());
    let few = Bench::new(place.path(), "few", FEW);
    let judges = judges(&few, &program);

    let mut bare = Vec::new();
    let mut judged = vec![(Vec::new(), Vec::new()); judges.len()];
    for _ in 0..ROUNDS {
        bare.push(few.bare_loop(&program));
        for (judge, (times, firsts)) in judges.iter().zip(&mut judged) {
            times.push(few.judge(judge, &program));
            firsts.push(few.first_verdict(judge, &program));
        }
    }
    println!("{FEW} cases, -j2; the bare loop: {:.1?}", median(&bare));
    for (judge, (times, firsts)) in judges.iter().zip(&judged) {
        let ratios = times
            .iter()
            .zip(&bare)
            .map(|(time, bare)| time.as_secs_f64() / bare.as_secs_f64());
        let [least, middle, most] = spread(ratios.collect());
        let time = median(times);
        let first = median(firsts);
        println!(
            "{}: {middle:.2} times the bare loop ({least:.2} to {most:.2}), {time:.1?}; first verdict after {first:.1?}",
            judge.name
        );
    }
    if !std::env::args().any(|argument| argument == "--few") {
        many(&few, &judges[0], place.path(), &program);
    }
}

/// How time and memory grow with the number of cases.
fn many(few: &Bench, judge: &Judge, place: &Path, program: &Path) {
    let many = Bench::new(place, "many", MANY);
    let small = median(&[(); 3].map(|()| few.judge(judge, program)));
    // Sampling would disturb a short run, so the peak is measured in a separate run.
    let small_peak = few.peak(judge, program);
    let start = Instant::now();
    let large_peak = many.peak(judge, program);
    println!(
        "{MANY} cases at {}: {:.1} times the time of {FEW}, peak {:.1} MiB against {:.1} MiB",
        judge.name,
        start.elapsed().as_secs_f64() / small.as_secs_f64(),
        mebibytes(large_peak),
        mebibytes(small_peak),
    );
}

/// The minimum, the median and the maximum.
fn spread(mut ratios: Vec<f64>) -> [f64; 3] {
    ratios.sort_by(f64::total_cmp);
    [
        ratios[0],
        ratios[ratios.len() / 2],
        ratios[ratios.len() - 1],
    ]
}

/// A build of the judge, and an isolation level.
struct Judge {
    name: String,
    binary: PathBuf,
    level: &'static str,
}

/// Every build at every level that works on this machine; the first is this build at
/// the strongest level.
fn judges(few: &Bench, program: &Path) -> Vec<Judge> {
    let others = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'));
    let mut judges = Vec::new();
    for binary in
        std::iter::once(env!("CARGO_BIN_EXE_gridjudge").to_owned()).chain(others)
    {
        for level in LEVELS {
            let is_other =
                !judges.is_empty() && binary != env!("CARGO_BIN_EXE_gridjudge");
            let name = if is_other {
                format!("{level} by {binary}")
            } else {
                level.to_owned()
            };
            let judge = Judge {
                name,
                binary: binary.as_str().into(),
                level,
            };
            if few
                .start(&judge, program, "log.jsonl")
                .wait()
                .expect("an end")
                .success()
            {
                judges.push(judge);
            } else {
                println!("no level {}", judge.name);
            }
        }
    }
    judges
}

/// A judge's folder with one problem and a number of cases.
struct Bench {
    root: PathBuf,
    cases: Vec<(PathBuf, Vec<u8>)>,
}

impl Bench {
    fn new(place: &Path, name: &str, count: usize) -> Self {
        let root = place.join(name);
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let problem = JudgeFolder::open(own)
            .and_then(|folder| folder.find(PROBLEM)?.problem())
            .expect("our own problem");
        let spec = Path::new("problems").join(PROBLEM);
        fs::create_dir_all(root.join(&spec)).expect("a folder");
        fs::copy(
            own.join(&spec).join("problem.toml"),
            root.join(&spec).join("problem.toml"),
        )
        .expect("a spec");
        fs::write(root.join("judge.toml"), "").expect("a configuration");
        let folder = root.join("cases").join(PROBLEM).join("secret");
        fs::create_dir_all(&folder).expect("a folder");
        let solutions = Solver::new(grids(&problem).shape())
            .solutions(&[0; 81], FEW)
            .expect("an empty grid is easy");
        let cases = solutions.iter().cycle().take(count).enumerate();
        let cases = cases
            .map(|(number, solution)| case(&problem, &folder, number, solution))
            .collect();
        Self { root, cases }
    }

    fn start(&self, judge: &Judge, program: &Path, log: &str) -> Child {
        Command::new(&judge.binary)
            .current_dir(&self.root)
            .args([
                "grade",
                "--no-cache",
                "--all",
                "-j2",
                "-p",
                PROBLEM,
                "--sandbox",
                judge.level,
                "--log",
                log,
            ])
            .arg(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the judge")
    }

    /// The wall time to judge the program on all cases.
    fn judge(&self, judge: &Judge, program: &Path) -> Duration {
        let start = Instant::now();
        let mut judge = self.start(judge, program, "log.jsonl");
        let mut printed = String::new();
        judge
            .stdout
            .take()
            .expect("piped")
            .read_to_string(&mut printed)
            .expect("text");
        assert!(judge.wait().expect("an end").success(), "{printed}");
        start.elapsed()
    }

    /// The judge's peak memory while it judges the program, in bytes.
    fn peak(&self, judge: &Judge, program: &Path) -> u64 {
        bench::peak_of(
            &mut self.start(judge, program, "log.jsonl"),
            SAMPLE_INTERVAL,
        )
    }

    fn first_verdict(&self, judge: &Judge, program: &Path) -> Duration {
        let start = Instant::now();
        let mut judge = self.start(judge, program, "-");
        let mut lines = BufReader::new(judge.stdout.take().expect("piped")).lines();
        lines
            .find(|line| {
                line.as_ref()
                    .is_ok_and(|line| line.contains("trial_finished"))
            })
            .expect("a trial")
            .expect("text");
        let time = start.elapsed();
        lines.for_each(drop);
        judge.wait().expect("an end");
        time
    }

    /// The wall time of two threads that only spawn, write, read, compare and wait: no
    /// limits, sandbox or log.
    fn bare_loop(&self, program: &Path) -> Duration {
        bench::two_at_once(self.cases.len(), |number| {
            let (input, answer) = &self.cases[number];
            assert_eq!(
                bench::run_bare(program, &fs::read(input).expect("a case")),
                *answer
            );
        })
    }
}

/// The format of a problem of grids.
fn grids(problem: &Problem) -> &Format {
    &problem.task.as_grid().expect("a problem of grids").format
}

fn case(
    problem: &Problem,
    folder: &Path,
    number: usize,
    solution: &[u8],
) -> (PathBuf, Vec<u8>) {
    let format = grids(problem);
    let clues: Vec<_> = (0..81)
        .map(|cell| {
            if cell % 2 == 0 || cell > 20 {
                solution[cell]
            } else {
                0
            }
        })
        .collect();
    let input = folder.join(format!("{number:05}.in"));
    let answer = folder.join(format!("{number:05}.ans"));
    // This many clues leave one solution; otherwise the bare loop's comparison with the
    // answer would fail.
    let solved = Solver::new(format.shape())
        .solutions(&clues, 1)
        .expect("nearly full")
        .remove(0);
    let text = write::grid(format.shape(), &format.symbols, &format.input, 1, &clues);
    fs::write(&input, format!("1\n{text}")).expect("a case");
    let text =
        write::grid(format.shape(), &format.symbols, &format.output, 1, &solved);
    fs::write(&answer, &text).expect("an answer");
    (input, text.into_bytes())
}
