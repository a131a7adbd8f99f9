//! What judging costs: 200 cases at `-j2`, everything on, beside a bare loop of two threads that spawns the same program,
//! writes its input, reads its output, compares and waits; then 10,000 cases beside 200; then the time to the first
//! verdict. Rounds alternate, so that a machine that changes its speed changes it for both; medians, as ratios.
//!
//! `cargo bench --bench judging` (needs `c++`)

mod bench;

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use gridjudge::grid::solve::Solver;
use gridjudge::grid::write;
use gridjudge::model::Problem;
use gridjudge::spec::Folder;

use bench::mebibytes;
use bench::median;

const ROUNDS: usize = 11;

const FEW: usize = 200;

const MANY: usize = 10_000;

/// How often the judge's memory is looked at.
const GLANCE: Duration = Duration::from_millis(25);

const PROBLEM: &str = "poj-2676";

/// A quick program, so that what the judge adds shows.
const PROGRAM: &str = "accepted/hidden_singles.cpp";

fn main() {
    let place = tempfile::tempdir().expect("a folder for the bench");
    let program = bench::compile_own(PROBLEM, PROGRAM, &[], place.path());
    let (few, many) = (Bench::new(place.path(), "few", FEW), Bench::new(place.path(), "many", MANY));

    let (mut bare, mut judged) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(few.bare_loop(&program));
        judged.push(few.judge(&program).0);
    }
    let ratio = median(&judged).as_secs_f64() / median(&bare).as_secs_f64();
    println!("{FEW} cases, -j2: {:?}, {ratio:.2} times the bare loop ({:?})", median(&judged), median(&bare));

    let (small, small_peak) = few.judge(&program);
    let (large, large_peak) = many.judge(&program);
    let small = small.min(median(&judged));
    println!(
        "{MANY} cases: {:.1} times the time of {FEW}, peak {:.1} MiB against {:.1} MiB",
        large.as_secs_f64() / small.as_secs_f64(),
        mebibytes(large_peak),
        mebibytes(small_peak),
    );

    let firsts: Vec<_> = (0..ROUNDS).map(|_| few.first_verdict(&program)).collect();
    println!("start-up to first verdict: {:?}", median(&firsts));
}

/// A judge's folder with one problem and so many cases.
struct Bench {
    root: PathBuf,
    cases: Vec<(PathBuf, Vec<u8>)>,
}

impl Bench {
    fn new(place: &Path, name: &str, count: usize) -> Self {
        let root = place.join(name);
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        let problem = Folder::open(own).and_then(|folder| folder.problem(PROBLEM)).expect("our own problem");
        let spec = Path::new("problems").join(PROBLEM);
        fs::create_dir_all(root.join(&spec)).expect("a folder");
        fs::copy(own.join(&spec).join("problem.toml"), root.join(&spec).join("problem.toml"))
            .expect("a spec");
        fs::write(root.join("judge.toml"), "").expect("a configuration");
        let folder = root.join("cases").join(PROBLEM).join("secret");
        fs::create_dir_all(&folder).expect("a folder");
        let solutions =
            Solver::new(problem.format.shape()).solutions(&[0; 81], FEW).expect("an empty grid is easy");
        let cases = solutions.iter().cycle().take(count).enumerate();
        let cases = cases.map(|(number, solution)| case(&problem, &folder, number, solution)).collect();
        Self { root, cases }
    }

    fn start(&self, program: &Path, log: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_gridjudge"))
            .current_dir(&self.root)
            .args(["grade", "--no-cache", "--all", "-j2", "-p", PROBLEM, "--log", log])
            .arg(program)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the judge")
    }

    /// Judges the program on all cases: the time, and the judge's peak of memory in bytes.
    fn judge(&self, program: &Path) -> (Duration, u64) {
        let start = Instant::now();
        let mut judge = self.start(program, "log.jsonl");
        let peak = if self.cases.len() > FEW { bench::peak_of(&mut judge, GLANCE) } else { 0 };
        let mut told = String::new();
        judge.stdout.take().expect("piped").read_to_string(&mut told).expect("text");
        assert!(judge.wait().expect("an end").success(), "{told}");
        let time = start.elapsed();
        if peak > 0 {
            return (time, peak);
        }
        // Sampling would disturb a short run, so its peak is that of a run apart.
        let mut judge = self.start(program, "log.jsonl");
        (time, bench::peak_of(&mut judge, GLANCE))
    }

    fn first_verdict(&self, program: &Path) -> Duration {
        let start = Instant::now();
        let mut judge = self.start(program, "-");
        let mut lines = BufReader::new(judge.stdout.take().expect("piped")).lines();
        lines
            .find(|line| line.as_ref().is_ok_and(|line| line.contains("trial_finished")))
            .expect("a trial")
            .expect("text");
        let time = start.elapsed();
        lines.for_each(drop);
        judge.wait().expect("an end");
        time
    }

    /// Two threads that do the least: spawn, write, read, compare, wait. No limits, no sandbox, no log.
    fn bare_loop(&self, program: &Path) -> Duration {
        bench::two_at_once(self.cases.len(), |number| {
            let (input, answer) = &self.cases[number];
            assert_eq!(bench::run_bare(program, &fs::read(input).expect("a case")), *answer);
        })
    }
}

fn case(problem: &Problem, folder: &Path, number: usize, solution: &[u8]) -> (PathBuf, Vec<u8>) {
    let format = &problem.format;
    let clues: Vec<_> =
        (0..81).map(|cell| if cell % 2 == 0 || cell > 20 { solution[cell] } else { 0 }).collect();
    let (input, answer) = (folder.join(format!("{number:05}.in")), folder.join(format!("{number:05}.ans")));
    // So many clues leave one solution, or the comparison with it would fail.
    let solved = Solver::new(format.shape()).solutions(&clues, 1).expect("nearly full").remove(0);
    let text = write::grid(format.shape(), &format.symbols, &format.input, 1, &clues);
    fs::write(&input, format!("1\n{text}")).expect("a case");
    let text = write::grid(format.shape(), &format.symbols, &format.output, 1, &solved);
    fs::write(&answer, &text).expect("an answer");
    (input, text.into_bytes())
}
