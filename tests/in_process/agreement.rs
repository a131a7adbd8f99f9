//! Every way to judge an output finds the same: `check` and `answers --check`, which
//! compare an output with an answer; `grade`, which runs a program or is given an
//! output as a file; and `stress`, which has the case in memory.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gridjudge::model::{
    Case, ErrorMeasure, Findings, Job, NumberLineRules, Problem, Program, Task,
    TextTask, TokenRules, Tolerance, Verdict,
};
use gridjudge::spec::JudgeFolder;
use gridjudge::{check, spec, trial};
use gridjudge_grid::make::SeededRng;
use gridjudge_sandbox::{Input, Launch, Limits, Sandbox, ScriptedSandbox};
use tempfile::TempDir;

/// Outputs for each task.
const OUTPUTS: usize = 1_000;

/// Problems of grids and small cases of them: any solution, the first, all of them,
/// their number.
const GRIDS: [(&str, &str); 4] = [
    ("latin-5", "001-statement"),
    ("first-one-6", "002-no-clue"),
    ("all-of-them-4", "002-one"),
    ("how-many-6", "001-statement"),
];

/// The most changes of an output.
const MOST_CHANGES: usize = 4;

/// What outputs are changed by: bytes and words that mean something in a format or a
/// comparison, and others.
const PIECES: [&str; 22] = [
    "\n",
    "\n\n",
    " ",
    "  ",
    "\t",
    "\r",
    "\r\n",
    "\0",
    "\u{1a}",
    "\u{feff}",
    "\u{455}",
    "1",
    "7",
    ".",
    "0",
    "-",
    "e1",
    "Y",
    "yes",
    "1.5000001",
    "nan",
    "10.",
];

/// The answer to a case of texts.
const ANSWER: &str = "Yes 1.5\nNo 10\n\nYes 2 3\n";

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 1 << 20,
    output_bytes: 1 << 20,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

/// What judges outputs: one comparison for each kind of task, and the flags of the
/// judges of packages.
fn text_tasks() -> Vec<TextTask> {
    let flags = [
        "case_sensitive",
        "space_change_sensitive",
        "float_tolerance",
        "1e-6",
    ];
    let tolerance = Tolerance::new(1e-6).unwrap();
    vec![
        TextTask::Tokens(TokenRules::default()),
        TextTask::Tokens(spec::token_flags(&flags[2..]).unwrap()),
        TextTask::Tokens(spec::token_flags(&flags).unwrap()),
        TextTask::Lines,
        TextTask::Exact,
        TextTask::TokenLines,
        TextTask::NumberLines(NumberLineRules {
            tolerance,
            measure: ErrorMeasure::Either,
        }),
    ]
}

/// The answer with some changes, which are the same each time for this number.
fn output(answer: &str, number: usize) -> Vec<u8> {
    let mut rng = SeededRng::new(29, &[number as u64]);
    let mut text = answer.as_bytes().to_vec();
    for _ in 0..rng.below(MOST_CHANGES + 1) {
        let start = rng.below(text.len() + 1);
        let end = (start + rng.below(3)).min(text.len());
        let piece = if rng.below(3) == 0 {
            ""
        } else {
            PIECES[rng.below(PIECES.len())]
        };
        text.splice(start..end, piece.bytes());
    }
    text
}

/// A problem and a case of it, with its files.
struct JudgedCase<'a> {
    problem: Arc<Problem>,
    case: Case,
    input: &'a str,
    answer: &'a str,
    folder: &'a Path,
}

impl<'a> JudgedCase<'a> {
    fn new(
        problem: Problem,
        folder: &'a Path,
        input: &'a str,
        answer: &'a str,
    ) -> Self {
        let [input_file, answer_file] =
            ["1.in", "1.ans"].map(|name| folder.join(name));
        fs::write(&input_file, input).unwrap();
        fs::write(&answer_file, answer).unwrap();
        let case = Case {
            name: "1".into(),
            input: input_file,
            answer: answer_file,
        };
        Self {
            problem: Arc::new(problem),
            case,
            input,
            answer,
            folder,
        }
    }

    /// What `check` finds, with the answer or without it; with it, `answers --check` as
    /// well.
    fn compared(&self, output: &[u8], answer: Option<File>) -> Findings {
        let input = File::open(&self.case.input).unwrap();
        check::output(self.problem.task_on(&self.case.name), input, output, answer)
            .unwrap()
    }

    /// What `grade` finds of a program that prints this, and `stress` if a program
    /// makes its inputs.
    fn of_program(&self, output: &[u8]) -> Findings {
        let job = Job {
            problem: Arc::clone(&self.problem),
            submission: "a".into(),
            case: self.case.clone(),
            launch: program().on(Input::Empty),
            limits: LIMITS,
            checker: None,
            keeps_transcript: false,
        };
        trial::judge_job(&job, &printing(output)).unwrap().findings
    }

    /// What `grade` finds of this as a submitted answer.
    fn of_file(&self, output: &[u8]) -> Findings {
        let path = self.folder.join("1.out");
        fs::write(&path, output).unwrap();
        let sandbox = printing(b"");
        trial::judge_answer(
            &self.problem,
            &self.case,
            Some(&path),
            &LIMITS,
            None,
            &sandbox,
        )
        .unwrap()
        .findings
    }

    /// What `stress` finds of a program that prints this.
    fn in_memory(&self, output: &[u8]) -> Findings {
        let input = self.input.as_bytes();
        let answer = self.answer.as_bytes();
        let judged = trial::judge_in_memory(
            &self.problem,
            &program(),
            &LIMITS,
            input,
            answer,
            &printing(output),
        );
        judged.unwrap().findings
    }

    /// Judges many outputs in every way. Returns how many are accepted.
    fn judge_in_every_way(&self, name: &str) -> usize {
        let mut accepted = 0;
        for number in 0..OUTPUTS {
            let output = output(self.answer, number);
            let stored = File::open(&self.case.answer).unwrap();
            let expected = self.compared(&output, Some(stored));
            let about = || format!("{name}: {:?}", String::from_utf8_lossy(&output));
            assert_eq!(self.of_program(&output), expected, "{}", about());
            assert_eq!(self.of_file(&output), expected, "{}", about());
            assert_eq!(self.in_memory(&output), expected, "{}", about());
            if self.problem.task.as_grid().is_some() {
                // The solver finds the answer, and places the findings differently if
                // several things are wrong.
                assert_eq!(
                    self.compared(&output, None).verdict(),
                    expected.verdict(),
                    "{}",
                    about()
                );
            }
            accepted += usize::from(expected.verdict() == Verdict::Accepted);
        }
        accepted
    }
}

fn program() -> Program {
    Program {
        command: vec!["a".into()],
        environment: vec![],
        readable: vec![],
        entry_point: "a".into(),
    }
}

/// A sandbox in which every program prints this.
fn printing(output: &[u8]) -> impl Sandbox {
    let output = output.to_vec();
    ScriptedSandbox::new(move |_: &Launch, _: &Limits| {
        Ok(ScriptedSandbox::clean(output.clone()))
    })
}

/// Some outputs of a kind are right and some are wrong, or else it shows nothing that
/// ways agree.
#[track_caller]
fn assert_mixed(name: &str, accepted: usize) {
    assert!(
        (OUTPUTS / 10..OUTPUTS * 9 / 10).contains(&accepted),
        "{name}: {accepted} accepted"
    );
}

/// A problem of this repository.
fn own(id: &str) -> Problem {
    JudgeFolder::open_for(root(), &[id])
        .unwrap()
        .find(id)
        .unwrap()
        .problem()
        .unwrap()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn outputs_of_grids_are_judged_alike_in_every_way() {
    for (id, case) in GRIDS {
        let [input, answer] = ["in", "ans"].map(|ending| {
            fs::read_to_string(
                root().join(format!("cases/{id}/sample/{case}.{ending}")),
            )
            .unwrap()
        });
        let folder = TempDir::new().unwrap();
        let judged = JudgedCase::new(own(id), folder.path(), &input, &answer);
        assert_mixed(id, judged.judge_in_every_way(id));
    }
}

#[test]
fn outputs_of_texts_are_judged_alike_in_every_way() {
    let any = own(GRIDS[0].0);
    for task in text_tasks() {
        let name = format!("{task:?}");
        let folder = TempDir::new().unwrap();
        let problem = Problem {
            task: Task::Text(task),
            ..any.clone()
        };
        let judged = JudgedCase::new(problem, folder.path(), "1\n", ANSWER);
        assert_mixed(&name, judged.judge_in_every_way(&name));
    }
}
