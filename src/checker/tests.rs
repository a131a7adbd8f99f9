//! How checkers are called and their answers interpreted, with a sandbox that simulates
//! the checker.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gridjudge_sandbox::{
    Exit, Fault, Input, Launch, Limits, Role, Run, ScriptedSandbox, Usage,
};

use super::*;
use crate::model::{
    Case, CaseWorth, CheckerPointsRule, CheckerProgram, CheckerProtocol, CheckerTask,
    FindingKind, Findings, JudgingProgramKind, Program, Verdict,
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

/// A case whose files exist and are readable by every user.
fn case() -> Case {
    Case {
        name: "secret/1".into(),
        input: "/etc/passwd".into(),
        answer: "/etc/group".into(),
    }
}

/// The result of a checker that calls `act` with its folder and launch, and then ends
/// with `exit`.
fn checked(
    protocol: CheckerProtocol,
    exit: Exit,
    act: impl Fn(&Path, &Launch) + Send + Sync,
) -> Result<Findings, Fault> {
    checked_for(protocol, None, exit, act)
}

/// Like [`checked`], for a case that may have points.
fn checked_for(
    protocol: CheckerProtocol,
    worth: Option<CaseWorth>,
    exit: Exit,
    act: impl Fn(&Path, &Launch) + Send + Sync,
) -> Result<Findings, Fault> {
    checked_by(protocol, worth, |folder, launch| {
        act(folder, launch);
        Run {
            exit,
            ..ScriptedSandbox::clean("")
        }
    })
}

/// A case of 40 points.
fn of_40_points(checker: CheckerPointsRule) -> Option<CaseWorth> {
    Some(CaseWorth {
        accepted: 40.into(),
        checker,
        ..CaseWorth::default()
    })
}

fn checked_by(
    protocol: CheckerProtocol,
    worth: Option<CaseWorth>,
    act: impl Fn(&Path, &Launch) -> Run + Send + Sync,
) -> Result<Findings, Fault> {
    checked_on(&case(), protocol, worth, act)
}

fn checked_on(
    case: &Case,
    protocol: CheckerProtocol,
    worth: Option<CaseWorth>,
    act: impl Fn(&Path, &Launch) -> Run + Send + Sync,
) -> Result<Findings, Fault> {
    let scratch = tempfile::tempdir().unwrap();
    let program = Program {
        command: vec!["/check".into()],
        environment: vec![],
        readable: vec![],
        entry_point: String::new(),
    };
    let checker = CheckerProgram {
        program,
        scratch: scratch.path().to_owned(),
        final_checker: None,
    };
    let task = CheckerTask {
        arguments: vec!["extra".into()],
        ..CheckerTask::new(
            JudgingProgramKind::Checker,
            "check.cpp".into(),
            protocol,
            LIMITS.clone(),
        )
    };
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let Role::Checker { folder } = &launch.role else {
            panic!("no checker")
        };
        Ok(act(folder, launch))
    });
    let setup = CheckerSetup::new(&task, &checker, case, worth);
    let found = check_output(&setup, &mut "7 8\n".as_bytes(), &sandbox);
    let folders = fs::read_dir(scratch.path())
        .unwrap()
        .map(|folder| folder.unwrap().path());
    assert!(
        folders
            .into_iter()
            .all(|folder| fs::read_dir(folder).unwrap().count() == 0),
        "a file is left"
    );
    found
}

fn messages(findings: &Findings) -> Vec<&str> {
    findings
        .listed
        .iter()
        .map(|finding| finding.message.as_str())
        .collect()
}

#[test]
fn an_output_validator_reads_the_output_and_is_given_input_answer_and_feedback_folder()
 {
    let right = checked(CheckerProtocol::Kattis, Exit::Code(42), |folder, launch| {
        let feedback = format!("{}/", folder.display());
        let copies = [".input", ".answer"].map(|name| format!("{feedback}{name}"));
        assert_eq!(
            launch.command,
            ["/check", &copies[0], &copies[1], &feedback, "extra"]
        );
        for (copy, file) in copies.iter().zip(["/etc/passwd", "/etc/group"]) {
            assert_eq!(fs::read(copy).unwrap(), fs::read(file).unwrap());
        }
        assert_eq!(launch.input, Input::Bytes(b"7 8\n".to_vec()));
        assert_eq!(launch.readable, [] as [PathBuf; 0]);
    });
    assert_eq!(right.unwrap().verdict(), Verdict::Accepted);
}

#[test]
fn the_message_of_an_output_validator_for_judges_is_the_reason_for_a_wrong_answer() {
    let wrong = checked(CheckerProtocol::Kattis, Exit::Code(43), |folder, _| {
        fs::write(
            folder.join("judgemessage.txt"),
            "\nnode 3 has no edge\nsee line 2\n",
        )
        .unwrap();
        fs::write(folder.join("teammessage.txt"), "no tree").unwrap();
    });
    let wrong = wrong.unwrap();
    assert_eq!(wrong.verdict(), Verdict::WrongAnswer);
    assert_eq!(
        messages(&wrong),
        [
            "checker: node 3 has no edge",
            "checker: see line 2",
            "checker: no tree"
        ]
    );
    let silent = checked(CheckerProtocol::Kattis, Exit::Code(43), |_, _| ()).unwrap();
    assert_eq!(
        messages(&silent),
        ["the checker says that it is wrong, and not why"]
    );
}

#[test]
fn an_output_validator_that_does_not_answer_is_a_fault_that_says_how_to_repeat_it() {
    for exit in [Exit::Code(2), Exit::Code(44), Exit::Signal(11)] {
        let fault = checked(CheckerProtocol::Kattis, exit, |_, _| ()).unwrap_err();
        assert_eq!(fault.doing, "running the checker check.cpp on secret/1");
        assert_eq!(
            fault.cause,
            format!(
                "it ended with {exit}, and an output validator ends with 42 or 43"
            )
        );
        assert!(
            fault.remedy.unwrap().contains(
                "`check.cpp /etc/passwd /etc/group FEEDBACK/ extra < OUTPUT`"
            )
        );
    }
}

#[test]
fn a_validator_with_the_exit_codes_of_other_checkers_gets_a_hint_at_the_protocols() {
    for code in [0, 1] {
        let fault = checked(CheckerProtocol::Kattis, Exit::Code(code), |_, _| ())
            .unwrap_err();
        assert!(
            fault
                .cause
                .ends_with("(`protocol` names the other kinds of checkers)"),
            "{}",
            fault.cause
        );
    }
}

#[test]
fn a_checker_that_breaks_its_own_limit_is_a_fault_whatever_it_says() {
    let usage = Usage {
        cpu: Duration::from_millis(1001),
        ..Usage::default()
    };
    let slow = checked_by(CheckerProtocol::Kattis, None, |_, _| Run {
        usage,
        exit: Exit::Code(43),
        ..ScriptedSandbox::clean("thinking\n")
    });
    assert_eq!(
        slow.unwrap_err().cause,
        "it broke its own time limit ([task.limits], or `validation_*` of a package); it said: thinking"
    );
}

#[test]
fn a_checker_may_give_points_to_what_it_accepts_if_the_case_has_points() {
    let says = |checker, exit, files: &[(&str, &str)]| {
        let found = checked_for(
            CheckerProtocol::Kattis,
            of_40_points(checker),
            Exit::Code(exit),
            |folder, _| {
                for (name, text) in files {
                    fs::write(folder.join(name), text).unwrap()
                }
            },
        );
        found
            .map(|findings| findings.points.map(|points| format!("{points:?}")))
            .map_err(|fault| fault.cause)
    };
    let points = |found: Result<Option<String>, String>| found.unwrap().unwrap();
    assert_eq!(
        points(says(
            CheckerPointsRule::AtMost,
            42,
            &[("score.txt", "12.5\n")]
        )),
        "Points(PointValue(12.5))"
    );
    let part = [("score_multiplier.txt", " 0.5")];
    assert_eq!(
        points(says(CheckerPointsRule::AtMost, 42, &part)),
        "Factor(PointValue(0.5))"
    );
    assert_eq!(says(CheckerPointsRule::AtMost, 42, &[]), Ok(None));
    for (checker, exit, files, cause) in [
        (
            CheckerPointsRule::AtMost,
            42,
            &[("score.txt", "41")][..],
            "it gives 41 points, and this case is worth 40",
        ),
        (
            CheckerPointsRule::AtMost,
            42,
            &[("score.txt", "many")],
            "`many` in score.txt is not a number of points",
        ),
        (
            CheckerPointsRule::AtMost,
            42,
            &[("score.txt", "nan")],
            "`nan` in score.txt is not a number of points",
        ),
        (
            CheckerPointsRule::AtMost,
            43,
            &[("score.txt", "1")],
            "it rejects the output, and gives points for it",
        ),
        (
            CheckerPointsRule::AtMost,
            42,
            &[("score.txt", "1"), ("score_multiplier.txt", "1")],
            "it wrote both `score.txt` and `score_multiplier.txt`",
        ),
        (
            CheckerPointsRule::Points,
            42,
            &[],
            "it gives no points, and what this case is worth only it can say",
        ),
        (
            CheckerPointsRule::Nothing,
            42,
            &[("score.txt", "1")],
            "it gives points, and cases of this group have none to give",
        ),
    ] {
        assert_eq!(says(checker, exit, files), Err(cause.to_owned()));
    }
    assert_eq!(says(CheckerPointsRule::Points, 43, &[]), Ok(None));
}

#[test]
fn points_of_a_testlib_checker_are_read_from_its_report() {
    let worth = of_40_points(CheckerPointsRule::AtMost);
    let says = |report: &'static str| {
        let found = checked_for(
            CheckerProtocol::Testlib,
            worth,
            Exit::Code(7),
            |folder, _| fs::write(folder.join("report"), report).unwrap(),
        );
        found
            .map(|findings| format!("{:?}", findings.points.unwrap()))
            .map_err(|fault| fault.cause)
    };
    let report = "<?xml version=\"1.0\"?><result outcome = \"points\" points = \"7.5\">close</result>";
    assert_eq!(says(report), Ok("Points(PointValue(7.5))".to_owned()));
    assert_eq!(
        says(""),
        Err("it gives points, and does not say how many".to_owned())
    );
}

#[test]
fn a_part_of_the_points_is_read_from_what_a_checker_of_coci_prints() {
    let worth = of_40_points(CheckerPointsRule::AtMost);
    let says = |line: &'static str| {
        let found = checked_by(CheckerProtocol::Testlib, worth, |_, _| Run {
            exit: Exit::Code(7),
            stderr_tail: line.into(),
            ..ScriptedSandbox::clean("")
        });
        found
            .map(|findings| format!("{:?}", findings.points.unwrap()))
            .map_err(|fault| fault.cause)
    };
    assert_eq!(
        says("partial 3/5"),
        Ok("Factor(PointValue(0.6))".to_owned())
    );
    for wrong in ["6/5", "1/0", "-1/2", "x"] {
        let said = says(format!("partial {wrong}").leak()).unwrap_err();
        let expected = format!("`{wrong}` is no part of the points");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn an_output_that_testlib_finds_partly_right_gets_a_part_of_the_points_whatever_the_exit_code()
 {
    let worth = of_40_points;
    let says = |worth, exit, parts: &str| {
        let report = format!(
            "<?xml version=\"1.0\"?><result outcome = \"partially-correct\" pctype = \"{parts}\">half</result>"
        );
        let found = checked_for(
            CheckerProtocol::Testlib,
            worth,
            Exit::Code(exit),
            |folder, _| fs::write(folder.join("report"), &report).unwrap(),
        );
        found
            .map(|findings| {
                let points = findings
                    .points
                    .map(|points| format!("{points:?}"))
                    .unwrap_or_default();
                format!(
                    "{} {points}{}",
                    findings.verdict().code(),
                    messages(&findings).join("")
                )
            })
            .map_err(|fault| fault.cause)
    };
    // The exit codes of `_pc(n)` are also those of right, wrong, failures and points.
    for (exit, parts, part) in [
        (1, "1", 0.005),
        (3, "3", 0.015),
        (7, "7", 0.035),
        (150, "100", 0.5),
        (200, "200", 1.0),
    ] {
        let expected = Ok(format!("AC Factor(PointValue({part:?}))"));
        assert_eq!(
            says(worth(CheckerPointsRule::AtMost), exit, parts),
            expected
        );
    }
    let none = Ok("WA checker: 0 of 200 parts are right: half".to_owned());
    assert_eq!(says(worth(CheckerPointsRule::AtMost), 0, "0"), none);
    let whole = |exit, parts| says(worth(CheckerPointsRule::Nothing), exit, parts);
    assert_eq!(
        whole(100, "100"),
        Ok("WA checker: 100 of 200 parts are right: half".to_owned())
    );
    assert_eq!(whole(200, "200"), Ok("AC ".to_owned()));
    for (worth, parts, cause) in [
        (
            worth(CheckerPointsRule::AtMost),
            "201",
            "it says that 201 of 200 parts are right (`_pc(201)`)",
        ),
        (
            None,
            "9",
            "it gives a part of the points (`_pc(9)`), and this problem has none to give",
        ),
        (
            worth(CheckerPointsRule::AtMost),
            "many",
            "it ended with exit code 9, which testlib does not know",
        ),
        (
            worth(CheckerPointsRule::AtMost),
            "-1",
            "it ended with exit code 9, which testlib does not know",
        ),
    ] {
        assert_eq!(
            says(worth, 9, parts),
            Err(format!("{cause}; it said: half"))
        );
    }
}

#[test]
fn without_a_report_points_and_right_parts_are_read_from_the_last_line_that_is_one() {
    let says = |exit, said: &str| {
        let worth = of_40_points(CheckerPointsRule::AtMost);
        let found = checked_by(CheckerProtocol::Testlib, worth, |_, _| Run {
            exit: Exit::Code(exit),
            ..ScriptedSandbox::clean(said.as_bytes())
        });
        found
            .map(|findings| format!("{:?}", findings.points))
            .map_err(|fault| fault.cause)
    };
    let half = Ok("Some(Factor(PointValue(0.5)))".to_owned());
    assert_eq!(says(100, "partially correct (100) near\n"), half);
    assert_eq!(says(150, "partially correct (100) near\n"), half);
    assert!(says(77, "partially correct (100) near\n").is_err());
    assert_eq!(
        says(
            100,
            "it printed: x\npartially correct (100) near\nExit code: 100\n"
        ),
        half
    );
    assert_eq!(
        says(
            1,
            "partially correct (1)\nwrong answer that was its output\n"
        ),
        Ok("None".to_owned())
    );
    let five = Ok("Some(Points(PointValue(5.0)))".to_owned());
    for log in [
        "got: points 40",
        "points 40",
        "partially correct (7)",
        "ok points 40",
        "points: many",
    ] {
        assert_eq!(
            says(7, &format!("{log}\npoints 5 few of points 30\n")),
            five,
            "{log}"
        );
        assert_eq!(
            says(0, &format!("{log}\nok\n")),
            Ok("None".to_owned()),
            "{log}"
        );
    }
    assert!(says(7, "got: points 40\n").is_err());
    assert!(says(7, "points 40\nwrong answer\n").is_err());
    assert_eq!(
        says(1, "wrong answer it printed: partially correct (1)\n"),
        Ok("None".to_owned())
    );
}

#[test]
fn a_report_of_testlib_that_contradicts_the_exit_code_is_a_fault_that_names_both() {
    let says = |report: String, exit| {
        let found = checked(CheckerProtocol::Testlib, exit, |folder, _| {
            fs::write(folder.join("report"), &report).unwrap()
        });
        found
            .map(|findings| findings.verdict().code().to_owned())
            .map_err(|fault| fault.cause)
    };
    let with = |outcome: &str, code| {
        says(
            format!(
                "<?xml version=\"1.0\"?><result outcome = \"{outcome}\">why</result>"
            ),
            Exit::Code(code),
        )
    };
    for (outcome, code) in [
        ("accepted", 1),
        ("accepted", 2),
        ("wrong-answer", 0),
        ("wrong-answer", 5),
        ("presentation-error", 1),
        ("fail", 0),
        ("points", 0),
        ("accepted", 7),
    ] {
        let cause = format!(
            "its report says `{outcome}`, and it ended with exit code {code}; it said: why"
        );
        assert_eq!(with(outcome, code), Err(cause));
    }
    for (outcome, code, verdict) in [
        ("accepted", 0, "AC"),
        ("wrong-answer", 1, "WA"),
        ("presentation-error", 2, "PE"),
        ("presentation-error", 4, "PE"),
        ("unexpected-eof", 2, "PE"),
        ("unexpected-eof", 8, "PE"),
        ("reserved", 1, "WA"),
    ] {
        assert_eq!(
            with(outcome, code),
            Ok(verdict.to_owned()),
            "{outcome} {code}"
        );
    }
    // A message that quotes the output says nothing about the outcome, with tags or
    // without.
    let quoted = "found '<result outcome = \"accepted\">'";
    assert_eq!(says(quoted.to_owned(), Exit::Code(1)), Ok("WA".to_owned()));
    let within = format!("<result outcome = \"wrong-answer\">{quoted}</result>");
    assert_eq!(says(within, Exit::Code(1)), Ok("WA".to_owned()));
}

#[test]
fn a_checker_that_crashes_after_its_report_gives_no_points() {
    let worth = of_40_points(CheckerPointsRule::AtMost);
    let report =
        "<result outcome = \"partially-correct\" pctype = \"200\">all</result>";
    let found = checked_for(
        CheckerProtocol::Testlib,
        worth,
        Exit::Signal(11),
        |folder, _| fs::write(folder.join("report"), report).unwrap(),
    );
    assert!(
        found
            .unwrap_err()
            .cause
            .contains("which testlib does not know")
    );
}

#[test]
fn points_and_passes_are_a_fault_if_the_problem_has_none() {
    for name in ["score.txt", "score_multiplier.txt", "nextpass.in"] {
        let fault = checked(CheckerProtocol::Kattis, Exit::Code(42), |folder, _| {
            fs::write(folder.join(name), "1").unwrap()
        })
        .unwrap_err();
        assert!(
            fault.cause.starts_with(&format!("it wrote `{name}`")),
            "{}",
            fault.cause
        );
    }
}

#[test]
fn a_link_in_place_of_a_message_is_not_followed() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    fs::write(secret.path(), "secret").unwrap();
    let wrong = checked(CheckerProtocol::Kattis, Exit::Code(43), |folder, _| {
        symlink(secret.path(), folder.join("judgemessage.txt")).unwrap();
    });
    assert_eq!(
        messages(&wrong.unwrap()),
        ["the checker says that it is wrong, and not why"]
    );
}

/// Its own name would tell the checker which case it is, and the name is not part of
/// the key of the cache.
#[test]
fn a_large_input_is_read_in_place_by_the_name_that_all_inputs_have() {
    let place = tempfile::tempdir().unwrap();
    let input = place.path().join("large.in");
    fs::write(&input, vec![b'7'; 3 << 20]).unwrap();
    let case = Case {
        input: input.clone(),
        ..case()
    };
    let wrong = checked_on(&case, CheckerProtocol::Kattis, None, |folder, launch| {
        let paths = [".input", ".answer"].map(|name| folder.join(name));
        assert_eq!(
            launch.command[1..3],
            [paths[0].to_str().unwrap(), paths[1].to_str().unwrap()]
        );
        assert_eq!(fs::read_link(&paths[0]).unwrap(), input);
        assert_eq!(launch.readable, std::slice::from_ref(&input));
        let message = format!("see {}", launch.command[1]);
        Run {
            exit: Exit::Code(43),
            ..ScriptedSandbox::clean(message)
        }
    });
    assert_eq!(
        messages(&wrong.unwrap()),
        [format!("checker: see {}", input.display())]
    );
}

#[test]
fn testlib_gets_the_output_as_a_file_and_its_report_says_why() {
    let wrong = checked(CheckerProtocol::Testlib, Exit::Code(1), |folder, launch| {
        let path = |name: &str| folder.join(name).display().to_string();
        let expected = [
            "/check",
            &path(".input"),
            &path("output"),
            &path(".answer"),
            &path("report"),
            "-appes",
            "extra",
        ];
        assert_eq!(launch.command, expected);
        assert_eq!(fs::read(folder.join("output")).unwrap(), b"7 8\n");
        let report = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><result outcome = \"wrong-answer\">1st words \
                      differ - expected: &apos;1&apos;, found: '7'</result>";
        fs::write(folder.join("report"), report).unwrap();
    });
    assert_eq!(
        messages(&wrong.unwrap()),
        ["checker: 1st words differ - expected: '1', found: '7'"]
    );
}

#[test]
fn a_fault_quotes_the_report_instead_of_the_note_that_there_is_one() {
    let failed = checked_by(CheckerProtocol::Testlib, None, |folder, _| {
        fs::write(
            folder.join("report"),
            "<result outcome = \"fail\">the answer has no line 2</result>",
        )
        .unwrap();
        let stderr_tail = b"See file to check exit message\n".to_vec();
        Run {
            exit: Exit::Code(3),
            stderr_tail,
            ..ScriptedSandbox::clean("")
        }
    });
    let cause = failed.unwrap_err().cause;
    assert!(
        cause.ends_with("; it said: the answer has no line 2"),
        "{cause}"
    );
}

#[test]
fn each_code_of_testlib_means_what_testlib_says() {
    let verdict = |code| {
        let found = checked(CheckerProtocol::Testlib, Exit::Code(code), |_, _| ());
        found.map_or_else(
            |fault| fault.cause,
            |findings| findings.verdict().code().to_owned(),
        )
    };
    assert_eq!([0, 1, 2, 4, 8].map(verdict), ["AC", "WA", "PE", "PE", "PE"]);
    assert!(
        verdict(3).starts_with("it failed itself (`_fail`)"),
        "{}",
        verdict(3)
    );
    assert!(verdict(7).starts_with("it gives points"), "{}", verdict(7));
    assert_eq!(
        verdict(9),
        "it ended with exit code 9, which testlib does not know"
    );
}

#[test]
fn a_checker_of_online_judge_tools_rejects_by_any_code_and_gives_its_reason_on_standard_output()
 {
    let wrong = checked_by(CheckerProtocol::Oj, None, |_, _| Run {
        exit: Exit::Code(3),
        ..ScriptedSandbox::clean("too large\n")
    });
    let wrong = wrong.unwrap();
    assert_eq!(
        (wrong.verdict(), messages(&wrong)),
        (Verdict::WrongAnswer, vec!["checker: too large"])
    );
    assert_eq!(wrong.listed[0].kind, FindingKind::Wrong);
    assert!(checked(CheckerProtocol::Oj, Exit::Signal(11), |_, _| ()).is_err());
}

#[test]
fn a_checker_of_dmoj_accepts_and_rejects_by_one_code_each() {
    let verdict = |code| {
        let found = checked(CheckerProtocol::Dmoj, Exit::Code(code), |_, _| ());
        found.map_or_else(
            |fault| fault.cause,
            |findings| findings.verdict().code().to_owned(),
        )
    };
    assert_eq!([0, 1].map(verdict), ["AC", "WA"]);
    assert_eq!(
        verdict(2),
        "it ended with exit code 2, and a checker of DMOJ ends with 0 or 1"
    );
}

#[test]
fn a_python_exception_is_no_answer_in_protocols_in_which_it_looks_like_one() {
    for protocol in [
        CheckerProtocol::Oj,
        CheckerProtocol::Testlib,
        CheckerProtocol::Dmoj,
    ] {
        for head in [
            "Traceback",
            "reading\nTraceback",
            "  + Exception Group Traceback",
        ] {
            let said = format!(
                "{head} (most recent call last):\n  File \"/check\", line 3\n    f()\nValueError: x\n"
            );
            let fault = checked_by(protocol, None, |_, _| ended_with(1, &said));
            let cause = "it ended with exit code 1, by an exception that it did not expect; it said: ValueError: x";
            assert_eq!(fault.unwrap_err().cause, cause);
        }
    }
}

#[test]
fn a_quoted_or_caught_python_exception_leaves_the_answer_as_it_is() {
    let traceback = "Traceback (most recent call last):\n  File \"FILE\", line 3\n    f()\nValueError: x\n";
    for protocol in [
        CheckerProtocol::Oj,
        CheckerProtocol::Testlib,
        CheckerProtocol::Dmoj,
    ] {
        for said in [
            format!("wrong answer found {traceback}"),
            format!("found {}", traceback.replace("FILE", "/check")),
            traceback.replace("FILE", "/submission.py"),
            "Traceback (most recent call last)\n".to_owned(),
            "Traceback (most recent call last):\nwrong answer\n".to_owned(),
        ] {
            let found = checked_by(protocol, None, |_, _| ended_with(1, &said));
            assert_eq!(found.unwrap().verdict(), Verdict::WrongAnswer, "{said}");
        }
    }
    let own = traceback.replace("FILE", "/check");
    let found = checked_by(CheckerProtocol::Testlib, None, |folder, _| {
        fs::write(
            folder.join("report"),
            "<result outcome = \"wrong-answer\">x</result>",
        )
        .unwrap();
        ended_with(1, &own)
    });
    assert_eq!(found.unwrap().verdict(), Verdict::WrongAnswer);
    let caught = format!("{own}wrong answer no number\n");
    let found = checked_by(CheckerProtocol::Testlib, None, |_, _| {
        ended_with(1, &caught)
    });
    assert_eq!(found.unwrap().verdict(), Verdict::WrongAnswer);
}

/// A run that wrote this to standard error and exited with this code.
fn ended_with(code: i32, said: &str) -> Run {
    Run {
        exit: Exit::Code(code),
        stderr_tail: said.into(),
        ..ScriptedSandbox::clean("")
    }
}

#[test]
fn the_message_of_a_checker_is_short_and_does_not_name_its_folders() {
    let wrong = checked(CheckerProtocol::Kattis, Exit::Code(43), |folder, _| {
        let said = format!("see {}/x\n{}", folder.display(), "A".repeat(60_000));
        fs::write(folder.join("judgemessage.txt"), said).unwrap();
    });
    let wrong = wrong.unwrap();
    assert_eq!(messages(&wrong)[0], "checker: see x");
    assert_eq!(messages(&wrong)[1].len(), "checker: ".len() + 500);
}
