//! What a run costs beside the bare process: `cargo bench --bench spawning`.
//!
//! Medians over rounds that alternate, so that a busy moment of the machine hits both sides. Ratios
//! travel between machines, microseconds do not.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Input;
use gridjudge::model::Launch;
use gridjudge::model::Limits;
use gridjudge::model::Role;
use gridjudge::sandbox::Choice;
use gridjudge::sandbox::Linux;
use gridjudge::sandbox::Sandbox;

const ROUNDS: usize = 600;

/// Name, compiler and its arguments, source.
const PROGRAMS: [(&str, &str, &[&str], &str); 4] = [
    (
        "nothing, without libc",
        "cc",
        &["-O1", "-nostdlib", "-static", "-xc"],
        "void _start(void) { for (;;) __asm__ volatile(\"syscall\" :: \"a\"(231), \"D\"(0)); }",
    ),
    ("nothing, static C", "cc", &["-O1", "-static", "-xc"], "int main(void) { return 0; }"),
    ("nothing, dynamic C", "cc", &["-O1", "-xc"], "int main(void) { return 0; }"),
    (
        "a sum, dynamic C++",
        "c++",
        &["-O1", "-xc++"],
        "#include <iostream>\nint main() { int a = 0, b = 0; std::cin >> a >> b; std::cout << a + b << std::endl; }",
    ),
];

fn main() {
    let launcher = Path::new(env!("CARGO_BIN_EXE_gridjudge"));
    let sandbox = Linux::start(launcher, 1, Choice::Best).expect("the sandbox starts");
    let input = sandbox.folder().join("input");
    fs::write(&input, "1 2\n").expect("the input can be written");
    println!(
        "{:24} {:>10} {:>10} {:>8} {:>10} {:>10}",
        "", "bare us", "run us", "ratio", "cpu us", "peak KiB"
    );
    for (name, compiler, arguments, source) in PROGRAMS {
        match compile(&sandbox.programs(), compiler, arguments, source) {
            Some(program) => compare(&sandbox, name, &program, &input),
            None => println!("{name:24} `{compiler}` cannot compile it"),
        }
    }
}

fn compile(folder: &Path, compiler: &str, arguments: &[&str], source: &str) -> Option<PathBuf> {
    let source_file = folder.join("source");
    fs::write(&source_file, source).ok()?;
    let program = folder.join("program");
    let mut command = Command::new(compiler);
    command.args(arguments).arg(&source_file).arg("-o").arg(&program).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success()).then_some(program)
}

fn compare(sandbox: &Linux, name: &str, program: &Path, input: &Path) {
    let mut bare = Vec::new();
    let mut boxed = Vec::new();
    let mut cpu = Vec::new();
    let mut peak = Vec::new();
    run_boxed(sandbox, program, input);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run_bare(program, input);
        bare.push(start.elapsed());
        let start = Instant::now();
        let usage = run_boxed(sandbox, program, input);
        boxed.push(start.elapsed());
        cpu.push(usage.cpu);
        peak.push(usage.peak_memory_bytes / 1024);
    }
    let (bare, boxed) = (median(bare), median(boxed));
    let ratio = boxed.as_secs_f64() / bare.as_secs_f64();
    let us = |time: Duration| time.as_micros();
    println!(
        "{name:24} {:>10} {:>10} {ratio:>8.2} {:>10} {:>10}",
        us(bare),
        us(boxed),
        us(median(cpu)),
        median(peak)
    );
}

fn run_bare(program: &Path, input: &Path) {
    let input = fs::File::open(input).expect("the input can be opened");
    let output = Command::new(program).env_clear().stdin(input).stderr(Stdio::null()).output();
    assert!(output.expect("the program starts").status.success());
}

fn run_boxed(sandbox: &Linux, program: &Path, input: &Path) -> gridjudge::model::Usage {
    let second = Duration::from_secs(1);
    let limits =
        Limits { cpu: second, wall: 2 * second, memory_bytes: 64 << 20, output_bytes: 1 << 20, processes: 1 };
    let launch = Launch {
        command: vec![program.to_str().expect("a path in Unicode").into()],
        environment: Vec::new(),
        input: Input::CopyOf(input.into()),
        readable: Vec::new(),
        role: Role::Submission,
    };
    let mut run = sandbox.run(&launch, &limits).expect("the run is no fault");
    assert_eq!(run.breach(&limits), None);
    std::io::copy(&mut run.stdout, &mut std::io::sink()).expect("the output can be read");
    run.usage
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}
