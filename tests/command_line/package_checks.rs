//! Runs `verify` on packages: what it checks besides the submissions.

mod shown_outputs;

use crate::judge::{Judge, needs_cc};

/// A `problem.yaml` of the newest format.
const NEW: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f7c1e-0a52-4f0e-9d3a-5b1f2c4d6e7a\nlimits: {time_limit: 10}\n";

const LEGACY: &str = "name: Twice\nlimits: {time_limit: 10}\n";

/// Accepts numbers up to its argument, or up to 9 without one.
const VALIDATOR: &str =
    "read n\n[ $n -le ${1:-9} ] && exit 42\necho \"$n is large\" >&2\nexit 1\n";

/// A sound package that asks for twice a number, with these additional files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    let statement = if yaml == NEW {
        "statement"
    } else {
        "problem_statement"
    };
    judge
        .put("pkg/problem.yaml", yaml)
        .put(format!("pkg/{statement}/problem.en.tex"), "Twice\n");
    judge.put(
        "pkg/submissions/accepted/right.sh",
        "read n\necho $((2 * n))\n",
    );
    for (name, input, answer) in
        [("sample/1", "1\n", "2\n"), ("secret/2", "5\n", "10\n")]
    {
        judge
            .put(format!("pkg/data/{name}.in"), input)
            .put(format!("pkg/data/{name}.ans"), answer);
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// Runs `verify` on the package. Returns the exit code and the lines of the report's
/// section on the package.
fn checked(judge: &Judge, flags: &[&str]) -> (Option<i32>, Vec<String>) {
    let ran = judge.run(&[&["verify", "./pkg"], flags].concat());
    assert_eq!(ran.stderr, "", "{}", ran.stdout);
    let lines = ran
        .stdout
        .lines()
        .skip_while(|line| *line != "The package pkg")
        .skip(1);
    (
        ran.code,
        lines
            .take_while(|line| !line.is_empty())
            .map(|line| line.trim().to_owned())
            .collect(),
    )
}

/// Runs `verify` on the package. Returns the exit code, the lines of the report's
/// section on the package, and the notes.
fn checked_past_mistakes(judge: &Judge) -> (Option<i32>, Vec<String>, String) {
    let ran = judge
        .command(&["verify", "--all", "./pkg"])
        .output()
        .unwrap();
    let [stdout, stderr] =
        [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    let lines = stdout
        .lines()
        .skip_while(|line| *line != "The package pkg")
        .skip(1);
    let lines = lines.map(|line| line.trim().to_owned()).collect();
    (
        ran.status.code(),
        lines,
        stderr
            .lines()
            .filter(|line| line.starts_with("note: pkg: "))
            .collect(),
    )
}

#[test]
fn one_mistake_in_a_package_hides_no_other_finding() {
    let files = [
        ("problem.yaml", &*format!("{NEW}nmae: x\n")),
        ("input_validators/check.sh", VALIDATOR),
        ("data/secret/3.in", "5\n"),
        ("data/secret/3.ans", "10\n"),
        ("data/secret/4.in", "70\n"),
        ("data/secret/5.ans", "10\n"),
        ("data/invalid_input/a.in", "3\n"),
        ("data/invalid_output/b.in", "3\n"),
        ("submissions/accepted/wrong.sh", "echo 2\n"),
        (
            "submissions/wrong_answer/right.sh",
            "read n\necho $((2 * n))\n",
        ),
        (
            "submissions/submissions.yaml",
            "accepted/other.sh: {model_solution: true}\n",
        ),
    ];
    let judge = package(NEW, &files);
    let (code, lines, notes) = checked_past_mistakes(&judge);
    assert_eq!(code, Some(2));
    let expected = [
        "error    problem.yaml:5: unknown key `nmae`",
        "remedy: did you mean `name`?",
        "error    data/secret/5.ans: the answer has no case (`.in`) next to it",
        "remedy: write the case, or delete the answer",
        "error    data/invalid_output/b.in: the case has no answer (`.ans`) next to it",
        "remedy: write it, or delete the case",
        "error    submissions/submissions.yaml:1: no submission is named like `accepted/other.sh`",
        "remedy: name one as seen from `submissions`, or delete it",
        "error    data/secret/4.in: the case has no answer next to it",
        "remedy: write it into a file of the same name with `.ans`, or have `gridjudge answers` write it",
        "error    data/secret/4.in: the input validator check.sh refuses it: exit code 1: 70 is large",
        "error    data/invalid_input/a.in: must be invalid, and every input validator accepts it",
        "warning  data/secret/3.in: the same input as data/secret/2.in",
    ];
    assert_eq!(lines[..expected.len()], expected, "{lines:#?}");
    // A submission that must be rejected may fail only on the case without an answer.
    assert!(
        lines.contains(&"2 submissions, 6 trials: 1 as expected, 1 not".to_owned()),
        "{lines:#?}"
    );
    let partly = "note: pkg: 1 case has no answer, so only submissions that must be accepted are judged, on the other cases";
    assert_eq!(notes, partly);
    judge.remove("pkg/data/secret/4.in");
    let (code, lines, notes) = checked_past_mistakes(&judge);
    let are_all = lines
        .last()
        .is_some_and(|line| line.starts_with("3 submissions, 9 trials"));
    assert!(
        code == Some(2) && are_all && notes.is_empty(),
        "{lines:#?}{notes}"
    );
}

#[test]
fn submissions_are_not_judged_while_a_mistake_may_change_verdicts() {
    let wrong_limit = NEW.replace("10}", "x}");
    for (file, text, mistake) in [
        (
            "problem.yaml",
            &*wrong_limit,
            "problem.yaml:4: `time_limit` in `limits` must be a number more than 0",
        ),
        (
            "data/secret/test_group.yaml",
            "{",
            "data/secret/test_group.yaml:1: is not YAML",
        ),
        (
            "data/secret/test_group.yaml",
            "output_validator_args: [casesensitive]\n",
            "data/secret/test_group.yaml: the default validator has no flag `casesensitive`",
        ),
        (
            "submissions/submissions.yaml",
            "accepted: {required: [WRONG]}\n",
            "submissions/submissions.yaml:1: ",
        ),
        ("output_validator/v.txt", "", "output_validator"),
    ] {
        let files = [
            (file, text),
            ("input_validators/check.sh", VALIDATOR),
            ("data/secret/3.in", "70\n"),
        ];
        let (code, lines, notes) = checked_past_mistakes(&package(NEW, &files));
        assert!(
            code == Some(2) && lines[0].starts_with(&format!("error    {mistake}")),
            "{lines:#?}"
        );
        for finding in [
            "3.in: the case has no answer",
            "3.in: the input validator check.sh refuses it",
        ] {
            assert!(
                lines.iter().any(|line| line.contains(finding)),
                "{file}: {lines:#?}"
            );
        }
        assert!(
            notes.contains("note: pkg: submissions are not judged: "),
            "{file}: {notes}"
        );
        assert!(
            lines
                .last()
                .is_some_and(|line| line.starts_with("0 submissions")),
            "{file}: {lines:#?}"
        );
    }
}

#[test]
fn a_package_that_leads_out_or_needs_what_is_not_judged_is_refused_whole() {
    let judge = package(NEW, &[("problem.yaml", &format!("{NEW}nmae: x\n"))]);
    judge.link("pkg/data/secret/9.in", "/etc/hostname");
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("leads out of the package"),
        "{}",
        ran.stderr
    );
    let grading = "grading: custom\non_rejct: x\n";
    let judge = package(
        LEGACY,
        &[
            ("data/secret/testdata.yaml", grading),
            ("data/secret/3.in", "1\n"),
        ],
    );
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), ""),
        "{}",
        ran.stderr
    );
    for refusal in [
        "does not judge yet",
        "unknown key `on_rejct`",
        "3.in: the case has no answer",
    ] {
        assert!(ran.stderr.contains(refusal), "{refusal}: {}", ran.stderr);
    }
}

#[test]
fn no_program_is_said_to_write_what_an_interactor_reads() {
    let yaml = format!("{NEW}type: interactive\n");
    let judge = package(
        NEW,
        &[
            ("problem.yaml", &yaml),
            ("output_validator/v.sh", ""),
            ("data/secret/3.in", "1\n"),
        ],
    );
    let (_, lines, _) = checked_past_mistakes(&judge);
    let expected = [
        "error    data/secret/3.in: the case has no answer next to it",
        "remedy: write what the interactor wants to read into a file of the same name with `.ans`; it may be empty",
    ];
    assert_eq!(lines[..2], expected);
}

#[test]
fn programs_that_no_submission_tries_are_compiled() {
    needs_cc();
    let bad = "int main(void) { return 42 }\n";
    let judge = package(NEW, &[("output_validator/v.c", bad)]);
    judge.remove("pkg/submissions/accepted/right.sh");
    let (code, lines) = checked(&judge, &[]);
    let start = "error    the checker output_validator/v.c cannot be made: ";
    assert!(code == Some(1) && lines[0].starts_with(start), "{lines:#?}");
    judge.put(
        "pkg/output_validator/v.c",
        "int main(void) { return 42; }\n",
    );
    let (code, lines) = checked(&judge, &[]);
    let made = "ok       1 judging program made that no submission tries".to_owned();
    assert!(code == Some(0) && lines.contains(&made), "{lines:#?}");
    let spec = "name = \"One\"\n[limits]\ntime = \"1 s\"\n[task]\nkind = \"program\"\nchecker = \"check.c\"\n";
    let judge = Judge::new();
    judge
        .put("problems/one/problem.toml", spec)
        .put("problems/one/check.c", bad);
    judge
        .put("cases/one/sample/1.in", "1\n")
        .put("cases/one/sample/1.ans", "1\n");
    let ran = judge.run(&["verify", "one"]);
    let start = "The problem one\n  error    the checker check.c cannot be made: ";
    assert!(
        ran.code == Some(1) && ran.stdout.contains(start),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn every_input_is_validated_by_every_validator() {
    needs_cc();
    let in_c = "#include <stdio.h>\nint main(void) { int n; return scanf(\"%d\", &n) == 1 && n >= LEAST ? 42 : 43; }\n";
    let files = [
        ("input_validators/check.sh", VALIDATOR),
        (
            "input_validators/two/two.c",
            &format!("#include \"two.h\"\n{in_c}"),
        ),
        ("input_validators/two/two.h", "#define LEAST 0\n"),
    ];
    for yaml in [LEGACY, NEW] {
        let judge = package(yaml, &files);
        assert_eq!(
            checked(&judge, &[]),
            (
                Some(0),
                vec!["ok       2 inputs valid, by 2 input validators".to_owned()]
            )
        );
        assert_eq!(checked(&judge, &["-q"]), (Some(0), vec![]));
        judge
            .put("pkg/data/secret/3.in", "70\n")
            .put("pkg/data/secret/3.ans", "140\n");
        let refused = "error    data/secret/3.in: the input validator check.sh refuses it: exit code 1: 70 is large";
        for flags in [&[][..], &["-q"]] {
            assert_eq!(checked(&judge, flags), (Some(1), vec![refused.to_owned()]));
        }
        // Groups and cases may set the arguments of validators.
        match yaml {
            LEGACY => judge.put(
                "pkg/data/secret/testdata.yaml",
                "input_validator_flags: 70 x\n",
            ),
            _ => judge.put(
                "pkg/data/secret/3.yaml",
                "input_validator_args: {check.sh: ['70']}\n",
            ),
        };
        assert_eq!(checked(&judge, &[]).0, Some(0));
    }
}

#[test]
fn languages_that_leave_no_submission_or_no_accepted_one_to_judge_are_an_error() {
    needs_cc();
    let yaml = |languages: &str| format!("{NEW}languages: [{languages}]\n");
    let message = |which: &str, languages: &str| {
        format!(
            "error    no {which} is in a language of `languages` ({languages}), so none is judged: add a submission in one of them, or the language of yours to `languages`"
        )
    };
    let judge = package(NEW, &[("problem.yaml", &yaml("c, cobol"))]);
    for flags in [&[][..], &["-q"]] {
        let (code, lines) = checked(&judge, flags);
        assert!(
            code == Some(1)
                && lines.join(" ").contains(&message("submission", "c, cobol")),
            "{lines:?}"
        );
    }
    judge.put(
        "pkg/submissions/wrong_answer/one.c",
        "int main(void) { return 0; }\n",
    );
    let (code, lines) = checked(&judge, &[]);
    let is_reported = lines
        .join(" ")
        .contains(&message("accepted submission", "c, cobol"));
    assert!(code == Some(1) && is_reported, "{lines:?}");
    // `.cob` is not known to this judge, so the submission may be in COBOL.
    judge.put("pkg/submissions/accepted/right.cob", "");
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    judge
        .remove("pkg/submissions/wrong_answer/one.c")
        .remove("pkg/submissions/accepted/right.cob")
        .remove("pkg/submissions/accepted/right.sh");
    judge.put(
        "pkg/submissions/accepted/right.py",
        "print(2 * int(input()))\n",
    );
    judge.put("pkg/problem.yaml", yaml("python3"));
    assert_eq!(checked(&judge, &["-q"]), (Some(0), vec![]));
}

#[test]
fn a_validator_that_fails_or_cannot_be_built_is_reported() {
    let files = [
        ("input_validators/crash.sh", "kill -9 $$\n"),
        ("input_validators/check.viva", ""),
        ("input_validators/wrong.ctd", "INT(1, 9 NEWLINE\n"),
        ("input_validators/bad.c", "int main(void) { return 42 }\n"),
        ("input_validators/own/build", ""),
    ];
    needs_cc();
    let (code, lines) = checked(&package(LEGACY, &files), &[]);
    assert_eq!(code, Some(1));
    let starts = [
        "error    the input validator bad.c cannot be made:",
        "error    data/sample/1.in: the input validator crash.sh failed: it ended with SIGKILL",
        "error    data/secret/2.in: the input validator crash.sh failed: it ended with SIGKILL",
        "warning  the input validator check.viva is not run: its rules are not read here; write a `.ctd` or a program",
        "error    the input validator wrong.ctd cannot be read: line 1: expected `)`, found `NEWLINE`",
        "error    the input validator own cannot be made: the compiler made no program",
    ];
    for start in starts {
        assert!(
            lines.iter().any(|line| line.starts_with(start)),
            "{start}: {lines:#?}"
        );
    }
}

#[test]
fn every_input_is_checked_by_checktestdata_rules() {
    let files = [
        (
            "input_validators/check.ctd",
            "# one number\nINT(0, 9) NEWLINE\n",
        ),
        (
            "input_validators/more/small.ctd",
            "INT(0, 100, n) NEWLINE\nASSERT(n < 10)\n",
        ),
        ("data/invalid_input/large.in", "10\n"),
    ];
    let judge = package(NEW, &files);
    let good = [
        "ok       2 inputs valid, by 2 input validators",
        "ok       1 input refused that must be",
    ];
    assert_eq!(
        checked(&judge, &[]),
        (Some(0), good.map(str::to_owned).to_vec())
    );
    judge.put("pkg/data/secret/2.in", "5 \n");
    let (code, lines) = checked(&judge, &[]);
    let place = "error    data/secret/2.in: the input validator check.ctd refuses it: line 1, character 2: expected a line";
    assert!(code == Some(1) && lines[0].starts_with(place), "{lines:?}");
    // Rules that fail with an error of their own do not count as a refusal.
    judge
        .put("pkg/data/secret/2.in", "5\n")
        .remove("pkg/input_validators/check.ctd");
    judge.put("pkg/input_validators/more/small.ctd", "ASSERT(1 / 0 == 1)");
    let (code, lines) = checked(&judge, &[]);
    let failed = "the input validator more/small.ctd failed: line 1 of";
    assert!(
        code == Some(1) && lines.iter().any(|line| line.contains(failed)),
        "{lines:?}"
    );
}

#[test]
fn inputs_that_must_be_invalid_must_be_refused_by_a_validator() {
    let files = [
        ("input_validators/check.sh", VALIDATOR),
        ("data/invalid_input/large.in", "10\n"),
    ];
    let judge = package(NEW, &files);
    let good = [
        "ok       2 inputs valid, by 1 input validator",
        "ok       1 input refused that must be",
    ];
    assert_eq!(
        checked(&judge, &[]),
        (Some(0), good.map(str::to_owned).to_vec())
    );
    judge.put("pkg/data/invalid_input/small.in", "3\n");
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        lines[0],
        "error    data/invalid_input/small.in: must be invalid, and every input validator accepts it"
    );
}

#[test]
fn sample_outputs_must_get_the_verdict_that_the_package_expects() {
    let output = |name: &str, out: &str| {
        [("in", "4\n"), ("ans", "8\n"), ("out", out)]
            .map(|(end, text)| (format!("data/{name}.{end}"), text.to_owned()))
    };
    let validator =
        "read found\nread right <$2\n[ $found = $right ] && exit 42\nexit 43\n";
    for own in [None, Some(("output_validator/v.sh", validator))] {
        let files = [
            output("invalid_output/w", "9\n"),
            output("valid_output/r", " 8"),
        ]
        .concat();
        let files = files
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()))
            .chain(own);
        let files: Vec<_> = files
            .chain([("input_validators/check.sh", VALIDATOR)])
            .collect();
        let judge = package(NEW, &files);
        let (code, lines) = checked(&judge, &[]);
        assert_eq!(code, Some(0), "{lines:#?}");
        // A program also judges the answer of the sample.
        let outputs = if own.is_some() { 3 } else { 2 };
        assert_eq!(
            lines[1],
            format!("ok       {outputs} outputs judged as the package says")
        );
        judge
            .put("pkg/data/invalid_output/w.out", "8\n")
            .put("pkg/data/valid_output/r.out", "7\n");
        let (code, lines) = checked(&judge, &[]);
        assert_eq!(code, Some(1));
        assert_eq!(
            lines[0],
            "error    data/invalid_output/w.out: must be wrong, and is accepted"
        );
        assert!(
            lines[1].starts_with(
                "error    data/valid_output/r.out: must be accepted, and is wrong: "
            ),
            "{lines:#?}"
        );
    }
    // Settings in the folder of these outputs apply to them, those of other groups do
    // not.
    let near = "output_validator_args: [float_tolerance, '1e-1']\n";
    let files = [
        output("invalid_output/w", "8.01\n"),
        output("valid_output/r", "8.01\n"),
    ]
    .concat();
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let groups = [
        ("data/valid_output/test_group.yaml", near),
        ("data/secret/test_group.yaml", near),
    ];
    let judge = package(
        NEW,
        &[
            &files,
            &groups[..],
            &[("input_validators/check.sh", VALIDATOR)],
        ]
        .concat(),
    );
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(
        (code, lines[1].as_str()),
        (Some(0), "ok       2 outputs judged as the package says")
    );
    judge.put(
        "pkg/data/valid_output/test_group.yaml",
        "output_validator_arg: []\n",
    );
    let (code, lines) = checked(&judge, &[]);
    let unknown = "error    data/valid_output/test_group.yaml:1: unknown key `output_validator_arg`";
    assert_eq!((code, lines[0].as_str()), (Some(2), unknown));
    let judge = package(
        NEW,
        &[
            ("data/valid_output/r.in", ""),
            ("data/valid_output/r.ans", ""),
        ],
    );
    let (code, lines) = checked(&judge, &[]);
    let missing =
        "error    data/valid_output/r.in: the case has no output (`.out`) next to it";
    assert_eq!((code, lines[0].as_str()), (Some(2), missing));
}

#[test]
fn missing_parts_and_oddities_of_a_package_are_warnings() {
    let judge = package(NEW, &[("input_validators/check.sh", VALIDATOR)]);
    judge.edit("pkg/problem.yaml", "name: Twice", "name: {de: Doppelt}");
    judge
        .put("pkg/data/secret/3.in", "5\n")
        .put("pkg/data/secret/3.ans", "10\r\n");
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(code, Some(0), "{lines:#?}");
    let warnings = [
        "warning  `name` has a title for `de`, and there is no `statement/problem.de.*`",
        "warning  there is a statement for `en`, and no title for it in `name`",
        "warning  data/secret/3.in: the same input as data/secret/2.in",
        "warning  1 file of cases has carriage returns (`\\r`): ./pkg/data/secret/3.ans",
        "ok       3 inputs valid, by 1 input validator",
    ];
    assert_eq!(lines, warnings);
    let bare = Judge::new();
    bare.put("pkg/problem.yaml", "")
        .put("pkg/data/secret/1.in", "1\n")
        .put("pkg/data/secret/1.ans", "2\n");
    let (code, lines) = checked(&bare, &[]);
    let lacks = [
        "warning  there is no statement such as `problem_statement/problem.en.tex`",
        "warning  there are no samples in `data/sample`",
        "warning  there is no accepted submission",
        "warning  there is no program in `input_validators` that checks the inputs",
    ];
    assert_eq!((code, lines), (Some(0), lacks.map(str::to_owned).to_vec()));
}

#[test]
fn a_package_without_secret_cases_is_wrong() {
    let judge = package(NEW, &[("input_validators/check.sh", VALIDATOR)]);
    judge
        .remove("pkg/data/secret/2.in")
        .remove("pkg/data/secret/2.ans");
    let expected =
        "error    there are no cases in `data/secret`, which every format wants";
    assert_eq!(
        checked(&judge, &["-q"]),
        (Some(1), vec![expected.to_owned()])
    );
}

#[test]
fn misspelt_folders_are_reported_with_a_suggestion() {
    let files = [
        ("input_validator/check.sh", VALIDATOR),
        ("submissions/acepted/a.py", ""),
        ("data/secrets/x.in", ""),
        ("data/invalid_output/x.in", ""),
    ];
    let judge = package(LEGACY, &files);
    let (_, lines) = checked(&judge, &[]);
    let folder = "warning  the format knows no folder `input_validator`; did you mean `input_validators`?";
    assert!(lines.contains(&folder.to_owned()), "{lines:#?}");
    let page = judge.run(&["doctor", "./pkg"]).stdout;
    for message in [
        "acepted/a.py: nothing says what is expected of it; did you mean the folder `accepted`?",
        "`data/secrets/`: only `sample` and `secret` judge; did you mean `data/secret/`?",
        "`data/invalid_output/`: only `sample` and `secret` judge; 2025-09 tests validators with it",
    ] {
        assert!(page.contains(message), "{page}");
    }
}

#[test]
fn descriptive_keys_that_the_format_does_not_know_are_warnings() {
    let yaml = NEW.replace(
        "limits:",
        "license: gpl\nembargo_until: 2030-13\ncredits: {authors: A}\nlimits:",
    );
    let validator = [("input_validators/check.sh", VALIDATOR)];
    let judge = package(&yaml.replace("uuid: 3b5f7c1e-", "uuid: 3b5g-"), &validator);
    judge.put("pkg/statement/problem.en.tex", "Twice\n");
    let (code, lines) = checked(&judge, &[]);
    let text = lines.join(" ");
    for expected in [
        "warning  `uuid` is `3b5g-0a52-4f0e-9d3a-5b1f2c4d6e7a`, and no UUID",
        "warning  `license` is `gpl`, and the format knows unknown, public domain, cc0",
        "warning  `embargo_until` is `2030-13`, and no date",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(code, Some(0));
    let sound = "license: cc by-sa\nembargo_until: 2030-12-31T00:00:00Z\nlimits:";
    let judge = package(&NEW.replace("limits:", sound), &validator);
    judge.put("pkg/statement/problem.en.tex", "Twice\n");
    let (code, lines) = checked(&judge, &[]);
    assert!(
        code == Some(0) && !lines.iter().any(|line| line.starts_with("warning")),
        "{lines:#?}"
    );
}

#[test]
fn validators_that_nothing_runs_are_warned_of() {
    let validator = ("input_validators/check.sh", VALIDATOR);
    let yaml = format!("validation: default\n{LEGACY}");
    let judge = package(
        &yaml,
        &[validator, ("output_validators/check.sh", VALIDATOR)],
    );
    let (_, lines) = checked(&judge, &[]);
    let expected = "warning  nothing runs `output_validators/`, since `validation` is not `custom`";
    assert!(lines.contains(&expected.to_owned()), "{lines:#?}");
}

#[test]
fn a_message_of_submissions_yaml_must_be_in_a_judge_message() {
    let validator = "printf 'Too Small' >$3/judgemessage.txt\nprintf hint >$3/teammessage.txt\n\
        read found\nread right <$2\n[ $found = $right ] && exit 42\nexit 43\n";
    let files = [
        ("input_validators/check.sh", VALIDATOR),
        ("output_validator/v.sh", validator),
        ("submissions/wrong_answer/one.sh", "echo 1\n"),
    ];
    let judge = package(NEW, &files);
    for (rules, unmet) in [
        ("wrong_answer/*: {message: oo Sm}", None),
        ("wrong_answer: {message: Too Small}", None),
        ("'*/*': {secret: {message: Too Small}}", None),
        ("wrong_answer/*: {message: ''}", None),
        (
            "wrong_answer/*: {message: too small}",
            Some("no judge message contains `too small`"),
        ),
        (
            "wrong_answer/*: {secret/2: {message: hint}}",
            Some("no judge message of secret/2 contains `hint`"),
        ),
    ] {
        judge.put("pkg/submissions/submissions.yaml", format!("{rules}\n"));
        let ran = judge.run(&["verify", "./pkg", "--log", "log.jsonl"]);
        assert_eq!(
            ran.code,
            Some(i32::from(unmet.is_some())),
            "{rules}: {}{}",
            ran.stdout,
            ran.stderr
        );
        assert!(
            unmet.is_none_or(|unmet| ran.stdout.contains(unmet)),
            "{rules}: {}",
            ran.stdout
        );
    }
    let unmet = "\"unmet\":[{\"cases\":\"secret/2\",\"message\":\"hint\"}]";
    assert!(
        judge.read("log.jsonl").contains(unmet),
        "{}",
        judge.read("log.jsonl")
    );
}

#[test]
fn names_and_links_that_older_formats_do_not_allow_are_errors_and_judging_goes_on() {
    let files = [
        ("data/secret/a b.in", "3\n"),
        ("data/secret/a b.ans", "6\n"),
        ("-odd/x", ""),
    ];
    let judge = package(LEGACY, &files);
    judge.put("pkg/data/secret/9.ans", "2\n");
    let target = judge.path("pkg/data/sample/1.in");
    judge.link("pkg/data/secret/9.in", target.to_str().unwrap());
    let (code, lines) = checked(&judge, &["--all"]);
    assert_eq!(code, Some(1));
    let told = lines.join(" ");
    for expected in [
        "error `-odd`, `data/secret/a b.ans`, `data/secret/a b.in` have names which the format does not allow: letters,",
        "error `data/secret/9.in` is an absolute link, and the format wants relative ones",
    ] {
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(expected), "{told}");
    }
    let ran = judge.run(&["grade", "-p", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // DOMjudge takes any names, and in the newest format such a file counts as absent.
    let many: Vec<_> = (0..5)
        .map(|number| (format!("data/secret/+{number}.in"), "3\n".to_owned()))
        .collect();
    let many: Vec<_> = many
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let judge = package(LEGACY, &many);
    for (name, _) in &many {
        _ = judge.put(format!("pkg/{}", name.replace(".in", ".ans")), "6\n")
    }
    let (_, lines) = checked(&judge, &["--all"]);
    let told = "`data/secret/+0.ans`, `data/secret/+0.in`, `data/secret/+1.ans` and 7 more have names which";
    assert!(lines.join(" ").contains(told), "{lines:?}");
    judge
        .put("pkg/domjudge-problem.ini", "timelimit = 1\n")
        .remove("pkg/problem.yaml");
    let (_, lines) = checked(&judge, &["--all"]);
    assert!(!lines.join(" ").contains("have names"), "{lines:?}");
}

#[test]
fn a_name_of_a_package_that_is_no_identifier_is_a_warning() {
    let judge = package(LEGACY, &[]);
    std::fs::rename(judge.path("pkg"), judge.path("My-Pkg")).unwrap();
    let ran = judge.run(&["verify", "./My-Pkg"]);
    let told = "  warning  the package is called `My-Pkg`; the format takes lower-case letters and digits only\n";
    assert!(
        ran.code == Some(0) && ran.stdout.contains(told),
        "{}",
        ran.stdout
    );
    std::fs::rename(judge.path("My-Pkg"), judge.path("a\u{1b}[31mb")).unwrap();
    let ran = judge.run(&["verify", "./a\u{1b}[31mb"]);
    assert!(
        ran.stdout.contains(r"a\u{1b}[31mb: 2 cases")
            && !ran.stdout.contains('\u{1b}'),
        "{}",
        ran.stdout
    );
}

#[test]
fn ignored_parts_are_listed_once_after_the_warnings() {
    let judge = package(
        NEW,
        &[("data/secret/note.txt", ""), ("data/secret/a b.in", "3\n")],
    );
    let (code, lines) = checked(&judge, &["--all"]);
    assert_eq!(code, Some(0), "{lines:?}");
    let odd = "`data/secret/a b.in`: the format takes no such names";
    assert!(lines.contains(&format!("warning  {odd}")), "{lines:?}");
    let ignored: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("ignored"))
        .collect();
    assert_eq!(
        ignored,
        ["ignored  files `.txt` in `data/`: they belong to no case"]
    );
}

#[test]
fn a_package_with_keys_that_its_own_judge_passes_over_is_judged() {
    let yaml = format!(
        "{NEW}nmae: x\ntopics: [sums]\nlimits: {{time_limit: 1}}\nlimits: {{time_limit: 2, time: 1}}\n"
    );
    let judge = package(NEW, &[("problem.yaml", &yaml)]);
    let ran =
        judge.run(&["grade", "-p", "./pkg", "pkg/submissions/accepted/right.sh"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(code, Some(2), "{lines:?}");
    for line in [
        "error    problem.yaml:5: unknown key `nmae`",
        "error    problem.yaml:8: unknown key `time` in `limits`",
        "warning  problem.yaml:6: unknown key `topics`, which nothing reads",
        "warning  problem.yaml:8: the key `limits` is on line 7 already, and the one here counts",
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {lines:#?}"
        );
    }
}

#[test]
fn doctor_and_verify_name_the_same_input_validators_that_cannot_be_used() {
    let validators = [
        ("input_validators/header.cpp", "#include \"testlib.h\"\n"),
        ("input_validators/tool.odd", "\n"),
        ("input_validators/wrong.ctd", "INT(1, 9 NEWLINE\n"),
        ("input_validators/wrong.py", "if\n"),
        ("input_validators/Makefile", "all:\n"),
        ("input_validators/good.sh", "exit 42\n"),
    ];
    let judge = package(NEW, &validators);
    judge.put(
        "judge.toml",
        "[languages.odd]\nname = \"Odd\"\nextensions = [\"odd\"]\ncompile = [\"no-such-compiler\", \"{source}\"]\n\
         run = [\"{program}\"]\n",
    );
    let ran = judge.run(&["doctor", "./pkg"]);
    let expected = "\
pkg is a Kattis package, format 2025-09, and its inputs cannot all be validated.

Input validators that cannot be made
  ./pkg/input_validators/wrong.ctd: cannot be read: line 1: expected `)`, found `NEWLINE`
  ./pkg/input_validators/header.cpp: cannot be made: includes `testlib.h`, which is not there
  remedy: put `testlib.h` next to it
  ./pkg/input_validators/tool.odd: cannot be made: needs Odd: `no-such-compiler` is not installed
  remedy: install it, or name where it is in judge.toml
  ./pkg/input_validators/wrong.py: cannot be made: it cannot be parsed: ";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    assert_eq!(ran.code, Some(1));
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(code, Some(1));
    for (name, why) in [
        ("wrong.py", "made: it cannot be parsed: "),
        (
            "header.cpp",
            "made: includes `testlib.h`, which is not there",
        ),
        (
            "tool.odd",
            "made: needs Odd: `no-such-compiler` is not installed",
        ),
        ("wrong.ctd", "read: line 1: expected `)`, found `NEWLINE`"),
    ] {
        let text = format!("error    the input validator {name} cannot be {why}");
        assert!(
            lines.iter().any(|line| line.starts_with(&text)),
            "{text}: {lines:#?}"
        );
    }
    // What is in no language is no validator to any judge.
    for name in ["header.cpp", "tool.odd", "wrong.ctd", "wrong.py"] {
        judge.remove(&format!("pkg/input_validators/{name}"));
    }
    let ran = judge.run(&["doctor", "./pkg"]);
    let said = "./pkg/input_validators/Makefile: is not run: its ending belongs to no language";
    assert!(ran.code == Some(0) && ran.stdout.contains(said), "{ran:?}");
    let (code, lines) = checked(&judge, &[]);
    let text = "warning  the input validator Makefile is not run: its ending belongs to no language";
    assert_eq!(code, Some(0), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.starts_with(text)),
        "{lines:#?}"
    );
}

#[test]
fn a_script_without_ending_validates_inputs_and_outputs_and_is_named() {
    let judge = package(&format!("{LEGACY}validation: custom\n"), &[]);
    let script = |name: &str, text: &str| {
        judge.script(format!("pkg/{name}"), &format!("#!/bin/sh\n{text}"));
    };
    script(
        "input_validators/limits",
        &VALIDATOR.replace("${1:-9}", "4"),
    );
    script(
        "output_validators/check",
        "read n\n[ $n -le 2 ] && exit 42\nexit 43\n",
    );
    let (code, lines) = checked(&judge, &[]);
    assert_eq!(code, Some(1), "{lines:#?}");
    let said =
        "has no ending, by which other judges know what is a program: only here it";
    for line in [
        "error    data/secret/2.in: the input validator limits refuses it: exit code 1: 5 is large",
        &format!("warning  `input_validators/limits` {said}"),
        &format!("warning  `output_validators/check` {said}"),
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {lines:#?}"
        );
    }
}

#[test]
fn doctor_tells_what_is_understood_of_a_package_despite_its_mistakes() {
    let judge = package(NEW, &[("problem.yaml", &*format!("{NEW}nmae: x\n"))]);
    let ran = judge.run(&["doctor", "./pkg"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with(
            "pkg is a Kattis package, format 2025-09, and can be judged in spite of its mistakes.\n"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("  cases         2 cases: sample 1, secret 1\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .starts_with("error: ./pkg/problem.yaml:5: unknown key `nmae`\n"),
        "{}",
        ran.stderr
    );
}
