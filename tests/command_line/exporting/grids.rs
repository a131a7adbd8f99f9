//! Output validators of exported grid problems: they accept exactly the outputs that
//! `gridjudge check` accepts.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use gridjudge::check;
use gridjudge::model::Problem;
use gridjudge::spec::{AnswerRequirement, JudgeFolder};

use super::{Judge, export, has_python, python};
use crate::judge::SPEC;

/// Runs a validator on each line `VALIDATOR INPUT ANSWER OUTPUT` of standard input in
/// one process, and prints how each run ends. The output itself is there, as
/// hexadecimal digits.
const DRIVER: &str = r#"
import io, os, sys
feedback = sys.argv[1]
codes = {}
class Given: pass
for line in sys.stdin.buffer.read().decode().splitlines():
    validator, given, answer, output = line.split("\t")
    if validator not in codes:
        codes[validator] = compile(open(validator).read(), validator, "exec")
    sys.argv = ["validate.py", given, answer, feedback]
    sys.stdin = Given()
    sys.stdin.buffer = io.BytesIO(bytes.fromhex(output))
    try:
        exec(codes[validator], {"__name__": "__main__"})
        print("nothing")
    except SystemExit as end:
        print(end.code)
"#;

/// Variations of an answer, most of them wrong, and another answer.
fn outputs(answer: &[u8], other: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let joined = |lines: &[&str], end: &str| {
        lines
            .iter()
            .map(|line| format!("{line}{end}"))
            .collect::<String>()
    };
    let mut outputs = vec![
        text.clone(),
        text.trim_end_matches('\n').to_owned(),
        text.replace('\n', "\r\n"),
        joined(&lines, " \n"),
        joined(&lines, "\n\n"),
        lines.iter().map(|line| format!("\t{line}\n")).collect(),
        joined(
            &lines
                .iter()
                .filter(|line| !line.is_empty())
                .copied()
                .collect::<Vec<_>>(),
            "\n",
        ),
        text.replace(' ', "  "),
        text.replace(' ', "\t"),
        text.replace(' ', ""),
        text.replace(' ', "\x0b"),
        text.replace(' ', "\x0c"),
        text.to_lowercase(),
        text.to_uppercase(),
        format!("{text}\n"),
        format!("{text}x\n"),
        format!("{text}\0"),
        format!("{text}{text}"),
        format!("\n{text}"),
        format!("\u{a0}{text}"),
        String::new(),
        " \n".to_owned(),
        joined(&lines[..lines.len().saturating_sub(1)], "\n"),
        joined(lines.get(1..).unwrap_or_default(), "\n"),
        lines.iter().rev().map(|line| format!("{line}\n")).collect(),
        lines.join(" "),
    ];
    // One byte replaced, removed or inserted at some places.
    for place in [
        0,
        1,
        text.len() / 3,
        text.len() / 2,
        text.len().saturating_sub(2),
    ] {
        let Some(byte) = text.as_bytes().get(place).filter(|byte| byte.is_ascii())
        else {
            continue;
        };
        let next = if *byte == b'1' { "2" } else { "1" };
        let before = &text[..place];
        let behind = &text[place + 1..];
        for between in [next, "", " ", "0", "\n", "."] {
            outputs.push(format!("{before}{between}{behind}"));
        }
        outputs.push(format!("{before} {}", &text[place..]));
    }
    let mut outputs: Vec<_> = outputs.into_iter().map(String::into_bytes).collect();
    outputs.push(other.to_vec());
    outputs
}

/// Greatest size in bytes of an answer that is tried: larger ones hold more of the
/// same.
const MOST_BYTES: usize = 4000;

/// Greatest number of cases of a problem that are tried.
const MOST_CASES: usize = 5;

/// The validator of a problem, the files of a case, an output, and the exit code that
/// it must get.
struct Trial {
    validator: String,
    input: String,
    answer: String,
    output: Vec<u8>,
    expected: &'static str,
}

/// The exit code of the validator for each of these, as text.
fn said(judge: &Judge, trials: &[Trial]) -> Vec<String> {
    judge
        .put("driver.py", DRIVER)
        .put("feedback/judgemessage.txt", "");
    let mut command = python();
    command
        .arg(judge.path("driver.py"))
        .arg(judge.path("feedback"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = |trial: &Trial| {
        let digits: String = trial
            .output
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!(
            "{}\t{}\t{}\t{digits}\n",
            trial.validator, trial.input, trial.answer
        )
    };
    let lines: String = trials.iter().map(line).collect();
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

/// Exports a problem into a judge's folder. Returns what its validator must say of some
/// outputs.
fn trials(
    judge: &Judge,
    root: &Path,
    folder: &JudgeFolder,
    id: &str,
    problem: &Problem,
) -> Vec<Trial> {
    let root = root.to_str().unwrap();
    let place = judge.path(format!("out-{id}"));
    let validator = place.join("output_validator/validate.py");
    let validator = validator.to_str().unwrap();
    let arguments = [
        "-C",
        root,
        "export",
        id,
        "--to",
        "kattis-2025-09",
        place.to_str().unwrap(),
    ];
    let ran = judge.run(&arguments);
    assert_eq!(ran.code, Some(0), "{id}: {}", ran.stderr);
    let cases = folder
        .find(id)
        .unwrap()
        .cases(AnswerRequirement::Required)
        .unwrap();
    let mut answers: Vec<_> = cases
        .iter()
        .map(|case| (case, fs::read(&case.answer).unwrap()))
        .collect();
    answers.retain(|(_, answer)| answer.len() <= MOST_BYTES);
    answers.truncate(MOST_CASES);
    let mut trials = vec![];
    for (number, (case, answer)) in answers.iter().enumerate() {
        let other = &answers[(number + 1) % answers.len()].1;
        let input = fs::read(&case.input).unwrap();
        for output in outputs(answer, other) {
            let findings = check::output(
                &problem.task,
                &input[..],
                &output[..],
                Some(&answer[..]),
            )
            .unwrap();
            let path = |path: &Path| path.to_str().unwrap().to_owned();
            trials.push(Trial {
                validator: validator.to_owned(),
                input: path(&case.input),
                answer: path(&case.answer),
                output,
                expected: if findings.listed.is_empty() {
                    "42"
                } else {
                    "43"
                },
            });
        }
    }
    trials
}

/// Asserts that the validators say what they must. Returns the number of accepted
/// outputs and of all.
fn compare(judge: &Judge, trials: &[Trial]) -> (usize, usize) {
    let said = said(judge, trials);
    assert_eq!(said.len(), trials.len());
    for (trial, said) in trials.iter().zip(&said) {
        let output = trial.output.escape_ascii();
        assert_eq!(said, trial.expected, "{}: {output}", trial.input);
    }
    let right = trials.iter().filter(|trial| trial.expected == "42");
    (right.count(), trials.len())
}

#[test]
fn output_validators_of_grid_problems_agree_with_the_checker_on_every_output() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = JudgeFolder::open(root).unwrap();
    let ids: Vec<_> = folder.ids().map(str::to_owned).collect();
    let judge = Judge::new();
    let mut of_all = vec![];
    for id in ids {
        let problem = folder.find(&id).unwrap().problem().unwrap();
        if problem.task.as_grid().is_some() {
            of_all.extend(trials(&judge, root, &folder, &id, &problem));
        }
    }
    let (right, all) = compare(&judge, &of_all);
    // Without many right and many wrong outputs, the test would show nothing.
    assert!(right > 500 && all - right > 500, "{right} of {all}");
}

/// The rules of `[grid]` beside houses, and two grids: an empty one, and one whose
/// solution solves both.
const ARITHMETIC: [(&str, &str, [&str; 2]); 4] = [
    (
        "cages",
        "order = 4\nboxes = \"2x2\"\ncages = [\"aa..\", \"....\", \"..dd\", \"....\"]\nsums = { a = 3, d = 5 }\nsymbols = \"1-4\"",
        ["0000\n0000\n0000\n0000\n", "2000\n0000\n0000\n0000\n"],
    ),
    (
        "targets",
        "order = 4\nboxes = \"none\"\ncages = [\"aabb\", \"cd..\", \"cd..\", \"....\"]\ntargets = { a = \"2/\", b = \"12x\", c = \"1-\", d = \"7+\" }\nsymbols = \"1-4\"",
        ["0000\n0000\n0000\n0000\n", "2000\n0000\n0000\n0000\n"],
    ),
    (
        "less",
        "order = 4\nboxes = \"none\"\ninequalities = [\"r1c1 < r1c2\", \"r3c2 > r4c2\"]\nsymbols = \"1-4\"",
        ["0000\n0000\n0000\n0000\n", "0300\n0000\n0000\n0000\n"],
    ),
    (
        "magic",
        "order = 3\nmagic = true\nsymbols = \"1-9\"",
        ["000\n000\n000\n", "800\n000\n000\n"],
    ),
];

#[test]
fn output_validators_check_cages_inequalities_and_sums_where_any_solution_counts() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    let judge = Judge::new();
    for (id, grid, inputs) in ARITHMETIC {
        let layout = "[input]\ncases = \"one\"\ncells = \"joined\"\n[output]\ncells = \"joined\"\n[answer]\naccept = \"any\"\n";
        let spec =
            format!("name = \"Rules\"\n[grid]\n{grid}\nblanks = \"0\"\n{layout}");
        judge.put(format!("problems/{id}/problem.toml"), spec);
        for (number, input) in inputs.iter().enumerate() {
            judge.put(format!("cases/{id}/sample/{number}.in"), input);
        }
    }
    let written = judge.run(&["answers"]);
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let folder = JudgeFolder::open(&judge.path("")).unwrap();
    for (id, ..) in ARITHMETIC {
        let problem = folder.find(id).unwrap().problem().unwrap();
        let of_problem = trials(&judge, &judge.path(""), &folder, id, &problem);
        let (right, all) = compare(&judge, &of_problem);
        // The solution of the second grid is also one of the first.
        assert!(right > 2 && all - right > 20, "{id}: {right} of {all}");
        assert_ne!(
            judge.read(format!("cases/{id}/sample/0.ans").as_str()),
            judge.read(format!("cases/{id}/sample/1.ans").as_str()),
            "{id}"
        );
    }
}

#[test]
fn input_validators_of_grid_problems_refuse_invalid_inputs() {
    if !has_python() {
        return eprintln!(
            "skipped: there is no python3, which the programs are written for"
        );
    }
    let judge = Judge::new();
    export(&judge, "mini", "kattis-2025-09", "out");
    let validated = |input: &str| {
        judge.put("input", input);
        let input = fs::File::open(judge.path("input")).unwrap();
        let ran = python()
            .arg(judge.path("out/input_validators/validate.py"))
            .stdin(input)
            .output()
            .unwrap();
        ran.status.code()
    };
    assert_eq!(validated(crate::judge::ONE), Some(42));
    assert_eq!(validated(crate::judge::TWO), Some(42));
    for bad in [
        "1\n1.34\n3412\n2143\n4321",
        "1\n1.34 \n3412\n2143\n4321\n",
        "1\r\n1.34\r\n3412\r\n2143\r\n4321\r\n",
        "1\n\n1.34\n3412\n2143\n4321\n",
        "",
        "0\n",
        "1\n",
        "6\n",
        "x\n",
        "1\n1.34\n3412\n2143\n432\n",
        "1\n1.34\n3412\n2143\n4325\n",
        &format!("{}1\n", crate::judge::ONE),
    ] {
        assert_eq!(validated(bad), Some(43), "{bad:?}");
    }
}

#[test]
fn a_rule_of_grids_that_cannot_be_exported_is_named() {
    let judge = Judge::new();
    judge.put(
        "problems/mini/problem.toml",
        SPEC.replace("[output]\n", "[output]\nwhite_space = \"strict\"\n")
            .replace("\"unique\"", "\"any\""),
    );
    judge.refuses(
        &["export", "mini", "--to", "domjudge", "out"],
        "error: problems/mini/problem.toml: no program for other judges can be made of `white_space = \"strict\"` where several texts are right\n\
         hint: write a checker program (docs/checkers.md), or leave the key out",
    );
}
