//! Input validators of exported grid problems: they accept and refuse the same as
//! `gridjudge check`, for valid inputs with a few changes. A validator also refuses
//! white space that no input of its problem has, as the documentation says; that is
//! turned off here.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use gridjudge::check;
use gridjudge::model::Problem;
use gridjudge::spec::{AnswerRequirement, JudgeFolder};

use super::{Judge, has_python, python};
use crate::format_examples::{FormatExample, format_examples};

/// Runs a validator on each line `VALIDATOR INPUT` of standard input in one process,
/// and prints how each run ends. The input itself is there, as hexadecimal digits.
const DRIVER: &str = r#"
import contextlib, io, sys
codes = {}
class Given: pass
for line in sys.stdin.read().splitlines():
    validator, digits = line.split("\t")
    if validator not in codes:
        text = open(validator).read()
        codes[validator] = compile("\n".join("NOT_IN_INPUTS = []" if line.startswith("NOT_IN_INPUTS") else line for line in text.split("\n")), validator, "exec")
    sys.stdin = Given()
    sys.stdin.buffer = io.BytesIO(bytes.fromhex(digits))
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(codes[validator], {"__name__": "__main__"})
        print("nothing")
    except SystemExit as end:
        print(end.code, said.getvalue().strip())
    except Exception as error:
        print("crash", repr(error))
"#;

/// The greatest size in bytes of an input and of its answer, and the greatest number of
/// inputs of a problem, that are tried.
const MOST_BYTES: u64 = 700;
const MOST_INPUTS: usize = 2;

/// Changed inputs for each valid one.
const CHANGED: usize = 40;

/// A pseudo-random number generator (xorshift) with a fixed seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 31).unwrap() % bound.max(1)
    }

    fn of<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The text with one change.
fn changed(text: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let line = draw.below(lines.len());
    let other = draw.below(lines.len());
    let pieces: [&[u8]; 9] =
        [b" ", b"\n", b"0", b"1", b"2", b"x", b"\t", b"\x0c", b"-"];
    match draw.below(14) {
        _ if lines.is_empty() => lines.push(draw.of(&pieces).to_vec()),
        0 => drop(lines.remove(line)),
        1 => lines.insert(line, lines[other].clone()),
        2 => lines.swap(line, other),
        3 => lines.insert(line, b"\n".to_vec()),
        4 => lines.retain(|line| line != b"\n"),
        5 => {
            let at = lines[line].len().saturating_sub(1);
            lines[line].insert(at, b' ');
        }
        6 => lines[line].insert(0, *draw.of(b"0 +")),
        7 => lines.push(lines[line].clone()),
        _ => {
            let mut text = text.to_vec();
            let place = draw.below(text.len());
            let piece = draw.of(&pieces).to_vec();
            let copied = [*draw.of(&text)];
            match draw.below(6) {
                0 => drop(text.remove(place)),
                1 => drop(text.splice(place..place, piece)),
                2 => drop(text.splice(place..=place, piece)),
                3 => drop(text.pop()),
                _ => drop(text.splice(place..=place, copied)),
            }
            return text;
        }
    }
    lines.concat()
}

/// Valid inputs, and each of them with one to three changes.
fn inputs(valid: Vec<Vec<u8>>, draw: &mut Draw) -> Vec<Vec<u8>> {
    let mut inputs = vec![];
    for input in valid {
        for number in 0..CHANGED {
            let mut input = input.clone();
            for _ in 0..=number % 3 {
                input = changed(&input, draw);
            }
            inputs.push(input);
        }
        inputs.push(input);
    }
    inputs
}

/// The exit code and the message of the validator for each of these.
fn said(judge: &Judge, validations: &[Validation]) -> Vec<String> {
    judge.put("driver.py", DRIVER);
    let mut command = python();
    command.arg(judge.path("driver.py"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = |validation: &Validation| {
        let digits: String = validation
            .input
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("{}\t{digits}\n", validation.validator.display())
    };
    let lines: String = validations.iter().map(line).collect();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

/// A problem with some valid inputs, each with its answer.
struct Subject {
    name: String,
    spec: PathBuf,
    problem: Problem,
    cases: Vec<(Vec<u8>, Vec<u8>)>,
}

/// An input of a problem, its validator, and the first mistake that our check finds.
struct Validation {
    name: String,
    validator: PathBuf,
    input: Vec<u8>,
    mistake: Option<String>,
}

impl Subject {
    /// Exports the problem with these cases. Returns inputs for its validator: none if
    /// no validator can be made for the format.
    fn validations(self, judge: &Judge) -> Vec<Validation> {
        let Self { name, problem, .. } = &self;
        let spec = fs::read(&self.spec).unwrap();
        judge.put(format!("problems/{name}/problem.toml"), spec);
        for (number, (input, answer)) in self.cases.iter().enumerate() {
            judge.put(format!("cases/{name}/sample/{number}.in"), input);
            judge.put(format!("cases/{name}/sample/{number}.ans"), answer);
        }
        let place = format!("out-{name}");
        judge.run(&["export", name, "--to", "kattis-legacy", &place]);
        let validator = judge.path(place).join("input_validators/validate.py");
        if !validator.exists() {
            return vec![];
        }
        let start = 0x9e37_79b9_7f4a_7c15;
        let seed = name.bytes().fold(start, |seed: u64, byte| {
            seed.rotate_left(9) ^ u64::from(byte)
        });
        let valid = self.cases.iter().map(|(input, _)| input.clone()).collect();
        inputs(valid, &mut Draw(seed))
            .into_iter()
            .map(|input| {
                let mistakes =
                    check::mistakes_of_input(&problem.task, &input[..]).unwrap();
                Validation {
                    name: name.clone(),
                    validator: validator.clone(),
                    mistake: mistakes.first().map(|mistake| mistake.message.clone()),
                    input,
                }
            })
            .collect()
    }
}

/// Asserts that each validator and our check agree, and that there were many valid and
/// many invalid inputs.
#[track_caller]
fn all_alike(subjects: impl Iterator<Item = Subject>) {
    let judge = Judge::new();
    let validations: Vec<_> = subjects
        .flat_map(|subject| subject.validations(&judge))
        .collect();
    let said = said(&judge, &validations);
    let all = validations.len();
    assert_eq!(said.len(), all);
    let mut different = vec![];
    for (validation, said) in validations.iter().zip(said) {
        let mistake = validation.mistake.as_deref();
        if said.starts_with("42") != mistake.is_none() || !said.starts_with('4') {
            let ours = mistake.unwrap_or("nothing");
            let input = validation.input.escape_ascii();
            different.push(format!(
                "{}: {input}\n  it says: {said}\n  we say: {ours}",
                validation.name
            ));
        }
    }
    let valid = validations.iter().filter(|it| it.mistake.is_none()).count();
    assert!(
        different.is_empty(),
        "{} of {all}:\n{}",
        different.len(),
        different.join("\n")
    );
    assert!(
        valid > 100 && all - valid > 100,
        "{valid} of {all} are valid"
    );
}

#[test]
fn input_validators_of_shipped_problems_accept_what_our_check_accepts() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = JudgeFolder::open(root).unwrap();
    let ids: Vec<_> = folder.ids().map(str::to_owned).collect();
    let problems = ids
        .into_iter()
        .map(|name| (folder.find(&name).unwrap().problem().unwrap(), name));
    all_alike(
        problems
            .filter(|(problem, _)| problem.task.as_grid().is_some())
            .map(|(problem, name)| {
                let cases = folder
                    .find(&name)
                    .unwrap()
                    .cases(AnswerRequirement::Required)
                    .unwrap();
                let is_small =
                    |path: &Path| path.metadata().unwrap().len() <= MOST_BYTES;
                let small = cases
                    .iter()
                    .filter(|case| is_small(&case.input) && is_small(&case.answer));
                let texts = small.map(|case| {
                    (
                        fs::read(&case.input).unwrap(),
                        fs::read(&case.answer).unwrap(),
                    )
                });
                let spec = root.join("problems").join(&name).join("problem.toml");
                Subject {
                    spec,
                    cases: texts.take(MOST_INPUTS).collect(),
                    name,
                    problem,
                }
            }),
    );
}

#[test]
fn input_validators_of_every_format_accept_what_our_check_accepts() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    all_alike(format_examples().into_iter().map(
        |FormatExample {
             name,
             problem,
             input,
             answer,
         }| {
            let spec = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("tests/formats")
                .join(&name);
            let cases = vec![(input.into_bytes(), answer.into_bytes())];
            Subject {
                spec: spec.join("problem.toml"),
                problem,
                cases,
                name,
            }
        },
    ));
}

#[test]
fn input_validators_require_the_last_line_break() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, white_space) in [("poj-3074", "strict"), ("luogu-p1784", "lenient")] {
        let judge = Judge::new();
        let from = |path: &str| fs::read(root.join(path)).unwrap();
        let sample = format!("cases/{name}/sample/001-statement");
        let input = from(&format!("{sample}.in"));
        judge.put(
            format!("problems/{name}/problem.toml"),
            from(&format!("problems/{name}/problem.toml")),
        );
        judge
            .put(format!("{sample}.in"), &input)
            .put(format!("{sample}.ans"), from(&format!("{sample}.ans")));
        judge.run(&["export", name, "--to", "kattis-legacy", "out"]);
        let cut = &input[..input.len() - 1];
        let mut command = python();
        command
            .arg(judge.path("out/input_validators/validate.py"))
            .stdin(Stdio::piped());
        let mut ended_with = |text: &[u8]| {
            let mut child = command.spawn().unwrap();
            child.stdin.take().unwrap().write_all(text).unwrap();
            child.wait().unwrap().code().unwrap()
        };
        assert_eq!(
            (ended_with(&input), ended_with(cut)),
            (42, 43),
            "{white_space}"
        );
    }
}
