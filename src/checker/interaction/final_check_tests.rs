//! Verdicts of interactions that a final checker decides, with a sandbox that simulates
//! all programs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gridjudge_sandbox::{
    Exit, Input, Interaction, InteractionRequest, Launch, Limits, Role, Run,
    ScriptedSandbox, Side,
};

use crate::checker::{CheckerSetup, judge_passes};
use crate::model::{
    Case, CaseWorth, CheckerPointsRule, CheckerProgram, CheckerProtocol, CheckerTask,
    Job, JudgingProgramKind, Problem, Program, ScoreGroup, Scoring, Task,
};

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 1000,
    output_bytes: 100,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

/// A simulated interaction: how the submission and the interactor end, which is first,
/// and what the interactor writes to the folder of its call. Then how the final checker
/// ends.
struct Talk {
    submission: Exit,
    interactor: Exit,
    first: Side,
    write: fn(&Path),
    checker: Exit,
    has_points: bool,
}

const TALK: Talk = Talk {
    submission: Exit::Code(0),
    interactor: Exit::Code(0),
    first: Side::Submission,
    write: |folder| fs::write(folder.join("output"), "3 guesses\n").unwrap(),
    checker: Exit::Code(0),
    has_points: false,
};

/// The result of an interaction.
struct TalkOutcome {
    /// The verdict, or the cause of a fault.
    verdict: Result<&'static str, String>,
    messages: Vec<String>,
    points: Option<String>,
    doing: String,
    remedy: String,
    /// The calls of the checker, with the contents of the output file.
    calls: Vec<(Launch, Vec<u8>)>,
}

pub(in crate::checker) fn task(
    kind: JudgingProgramKind,
    source: &str,
    final_checker: Option<Box<CheckerTask>>,
) -> CheckerTask {
    CheckerTask {
        final_checker,
        ..CheckerTask::new(kind, source.into(), CheckerProtocol::Testlib, LIMITS)
    }
}

pub(in crate::checker) fn program(
    path: &str,
    scratch: &Path,
    final_checker: Option<Box<CheckerProgram>>,
) -> CheckerProgram {
    let program = Program {
        command: vec![path.into()],
        environment: vec![],
        readable: vec![],
        entry_point: String::new(),
    };
    CheckerProgram {
        program,
        scratch: scratch.to_owned(),
        final_checker,
    }
}

/// A job whose case is worth 10 points, if there are any.
pub(in crate::checker) fn job(task: CheckerTask, has_points: bool) -> Job {
    let mut scoring = Scoring::default();
    if has_points {
        let case = CaseWorth {
            accepted: 10.into(),
            checker: CheckerPointsRule::AtMost,
            ..CaseWorth::default()
        };
        scoring.add(ScoreGroup {
            case,
            ..ScoreGroup::of_all_cases()
        });
    }
    let problem = Problem {
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
        id: "talk".into(),
        name: "Talk".into(),
        source: None,
        task: Task::Checker(task),
        limits: LIMITS,
        allowances: BTreeMap::new(),
        scoring,
    };
    let submission = Program {
        command: vec!["/mine".into()],
        environment: vec![],
        readable: vec![],
        entry_point: String::new(),
    };
    Job {
        problem: Arc::new(problem),
        submission: "mine".into(),
        case: Case {
            name: "secret/1".into(),
            input: "/etc/passwd".into(),
            answer: "/etc/group".into(),
        },
        launch: submission.on(Input::Empty),
        limits: LIMITS,
        checker: None,
        keeps_transcript: false,
    }
}

fn ended(exit: Exit, said: &str) -> Run {
    Run {
        exit,
        stderr_tail: said.into(),
        ..ScriptedSandbox::clean("")
    }
}

fn folder_of(launch: &Launch) -> PathBuf {
    let Role::Checker { folder } = &launch.role else {
        panic!("no checker")
    };
    folder.clone()
}

/// Judges a simulated interaction.
fn judged(talk: Talk) -> TalkOutcome {
    let Talk {
        submission,
        interactor,
        first,
        write,
        checker,
        has_points,
    } = talk;
    let scratch = tempfile::tempdir().unwrap();
    let last = task(JudgingProgramKind::FinalChecker, "check.cpp", None);
    let task = task(
        JudgingProgramKind::Interactor,
        "talk.cpp",
        Some(Box::new(last)),
    );
    let last = program("/check", scratch.path(), None);
    let made = program("/talk", scratch.path(), Some(Box::new(last)));
    let calls = Mutex::new(vec![]);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let folder = folder_of(launch);
        let found = fs::read(folder.join("output")).unwrap();
        calls.lock().unwrap().push((launch.clone(), found));
        let tag = if checker == Exit::Code(7) {
            "outcome = \"points\" points = \"4\""
        } else {
            ""
        };
        fs::write(
            folder.join("report"),
            format!("<result {tag}>many guesses</result>"),
        )
        .unwrap();
        Ok(ended(checker, ""))
    })
    .with_interactions(
        move |InteractionRequest {
                  interactor: other, ..
              }| {
            assert_eq!(other.launch.command[0], "/talk");
            write(&folder_of(other.launch));
            let submission = ended(submission, "");
            let interactor = ended(interactor, "points 6\n");
            Ok(Interaction {
                submission,
                interactor,
                first,
                stall: None,
                written: 0,
            })
        },
    );
    let job = job(task, has_points);
    let setup =
        CheckerSetup::on_case(&job.problem, &job.case, Some(&made), None).unwrap();
    let judged = judge_passes(setup, &job, &sandbox);
    let folders = fs::read_dir(scratch.path())
        .unwrap()
        .map(|folder| folder.unwrap().path());
    assert!(
        folders
            .into_iter()
            .all(|folder| fs::read_dir(folder).unwrap().count() == 0),
        "a file is left"
    );
    drop(sandbox);
    let calls = calls.into_inner().unwrap();
    match judged {
        Ok(judged) => TalkOutcome {
            verdict: Ok(judged.verdict.code()),
            messages: judged
                .findings
                .listed
                .iter()
                .map(|one| one.message.clone())
                .collect(),
            points: judged.findings.points.map(|points| format!("{points:?}")),
            doing: String::new(),
            remedy: String::new(),
            calls,
        },
        Err(fault) => TalkOutcome {
            verdict: Err(fault.cause),
            messages: vec![],
            points: None,
            doing: fault.doing,
            remedy: fault.remedy.unwrap_or_default(),
            calls,
        },
    }
}

#[test]
fn the_final_checker_reads_the_file_of_the_interactor_as_the_output() {
    let outcome = judged(TALK);
    assert_eq!(outcome.verdict, Ok("AC"));
    let [(launch, found)] = &outcome.calls[..] else {
        panic!("{}", outcome.calls.len())
    };
    let path = |name: &str| folder_of(launch).join(name).display().to_string();
    let expected = [
        "/check",
        &path(".input"),
        &path("output"),
        &path(".answer"),
        &path("report"),
        "-appes",
    ];
    assert_eq!(launch.command, expected);
    assert_eq!(found, b"3 guesses\n");
}

#[test]
fn after_an_interactor_that_accepts_the_final_checker_decides_the_verdict() {
    let verdict = |code| {
        judged(Talk {
            checker: Exit::Code(code),
            ..TALK
        })
        .verdict
        .unwrap()
    };
    assert_eq!([0, 1, 2, 4, 8].map(verdict), ["AC", "WA", "PE", "PE", "PE"]);
    let wrong = judged(Talk {
        checker: Exit::Code(1),
        ..TALK
    });
    assert_eq!(wrong.messages, ["checker: many guesses"]);
}

#[test]
fn the_final_checker_does_not_run_if_the_interaction_decides_the_verdict() {
    for (talk, verdict) in [
        (
            Talk {
                interactor: Exit::Code(1),
                ..TALK
            },
            "WA",
        ),
        (
            Talk {
                interactor: Exit::Code(2),
                ..TALK
            },
            "PE",
        ),
        (
            Talk {
                submission: Exit::Signal(11),
                ..TALK
            },
            "RE",
        ),
        (
            Talk {
                submission: Exit::Signal(11),
                first: Side::Interactor,
                ..TALK
            },
            "RE",
        ),
        (
            Talk {
                submission: Exit::Signal(11),
                interactor: Exit::Code(3),
                ..TALK
            },
            "RE",
        ),
    ] {
        let outcome = judged(Talk {
            checker: Exit::Code(3),
            ..talk
        });
        assert_eq!((outcome.verdict, outcome.calls.len()), (Ok(verdict), 0));
    }
    let fault = judged(Talk {
        interactor: Exit::Code(3),
        ..TALK
    });
    assert!(
        fault.doing.starts_with("running the interactor talk.cpp"),
        "{}",
        fault.doing
    );
    assert_eq!(fault.calls.len(), 0);
}

#[test]
fn points_are_given_by_the_final_checker_or_by_the_interactor() {
    let by_checker = judged(Talk {
        checker: Exit::Code(7),
        has_points: true,
        ..TALK
    });
    assert_eq!(
        by_checker.points.as_deref(),
        Some("Points(PointValue(4.0))")
    );
    let by_interactor = judged(Talk {
        interactor: Exit::Code(7),
        has_points: true,
        ..TALK
    });
    assert_eq!(
        by_interactor.points.as_deref(),
        Some("Points(PointValue(6.0))")
    );
    assert_eq!(by_interactor.calls.len(), 0);
}

#[test]
fn an_interactor_that_does_not_open_its_output_file_has_written_nothing() {
    let outcome = judged(Talk {
        write: |_| (),
        ..TALK
    });
    assert_eq!(
        (outcome.verdict, outcome.calls[0].1.as_slice()),
        (Ok("AC"), &b""[..])
    );
}

#[test]
fn an_output_file_that_cannot_be_given_to_a_checker_is_the_interactors_fault() {
    for (write, cause) in [
        (
            (|folder| symlink("/etc/passwd", folder.join("output")).unwrap())
                as fn(&Path),
            "the output file that it has written cannot be read: ",
        ),
        (
            |folder| fs::create_dir(folder.join("output")).unwrap(),
            "what it has left for its output file is not a regular file",
        ),
        (
            |folder| {
                let mut file = fs::File::create(folder.join("output")).unwrap();
                file.write_all(&[b'x'; 101]).unwrap();
            },
            "its output file has 101 bytes, and 100 are allowed",
        ),
    ] {
        let outcome = judged(Talk { write, ..TALK });
        let found = outcome.verdict.unwrap_err();
        assert!(found.starts_with(cause), "{found}");
        assert_eq!(
            (outcome.doing.as_str(), outcome.calls.len()),
            ("running the interactor talk.cpp on secret/1", 0)
        );
    }
}

#[test]
fn a_checker_that_fails_after_a_talk_is_named_with_case_and_command() {
    let fault = judged(Talk {
        checker: Exit::Code(3),
        ..TALK
    });
    assert!(
        fault
            .verdict
            .unwrap_err()
            .starts_with("it failed itself (`_fail`)")
    );
    assert_eq!(fault.doing, "running the checker check.cpp on secret/1");
    assert_eq!(
        fault.remedy,
        "fix the checker; to repeat it, compile it and run `check.cpp /etc/passwd OUTPUT /etc/group REPORT -appes`, \
         with what the interactor writes to its output file for OUTPUT"
    );
}
