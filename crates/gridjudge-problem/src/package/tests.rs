//! Tests of reading whole packages, and of what is refused.

mod byte_order_marks;
mod constants;
mod disagreements;
mod domjudge_files;
mod links_out;
mod memory;
mod paired_cases;
mod submissions;

use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::mistake::Mistake;
use crate::model::{
    CaseWorth, JudgingProgramKind, SourceFile, Task, TextTask, TokenRules,
};

/// Writes a package of these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        put(folder.path(), name, text);
    }
    folder
}

fn put(root: &Path, name: &str, text: &str) {
    let path = root.join("pkg").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Writes a package of this `problem.yaml`, two cases, a submission, and these files.
fn with(yaml: &str, files: &[(&str, &str)]) -> TempDir {
    let default = [
        ("problem.yaml", yaml),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/2.in", "2\n"),
        ("data/secret/2.ans", "2\n"),
        ("submissions/accepted/a.py", "print(input())\n"),
    ];
    folder(&[&default, files].concat())
}

const NEW: &str = "problem_format_version: 2025-09\nname: New\nuuid: 1\n";

#[test]
fn a_folder_of_online_judge_tools_has_cases_and_nothing_else() {
    let files = [
        ("test/sample-2.in", ""),
        ("test/sample-1.in", ""),
        ("test/sample-1.out", ""),
        ("a.cpp", ""),
    ];
    let package = read(&folder(&files));
    assert_eq!(
        (package.format, package.time_rule()),
        (PackageFormat::Oj, None)
    );
    let names: Vec<_> = package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(
        (names, package.missing_answers().len()),
        (vec!["sample-1", "sample-2"], 1)
    );
    assert_eq!(
        refused(&folder(&[("test/1.in", ""), ("test/2.ans", "")])),
        ["test/2.ans: the answer has no case (`.in`) next to it"]
    );
    assert_eq!(refused(&folder(&[("test/test.cpp", "")])).len(), 1);
}

#[test]
fn the_cases_of_a_folder_of_cases_may_lie_in_it() {
    let files = [
        ("2.in", ""),
        ("2-b.in", ""),
        ("1.in", ""),
        ("1.ans", ""),
        ("2.out", ""),
        ("a.out", ""),
        ("deep/3.in", ""),
        ("a.cpp", ""),
        ("chk.cpp", ""),
        ("check.in", ""),
        ("check.out", ""),
    ];
    let files = folder(&files);
    let package = read(&files);
    assert_eq!(package.format, PackageFormat::Oj);
    let names: Vec<_> = package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(names, ["1", "2", "2-b", "check"]);
    let missing: Vec<_> = package
        .missing_answers()
        .iter()
        .map(|mistake| shown(&files, mistake))
        .collect();
    assert_eq!(missing, ["2-b.in: the case has no answer next to it"]);
    assert_eq!(
        package.ignored(),
        [
            "a.cpp: a case is `NAME.in` with `NAME.out` or `NAME.ans`",
            "a.out: no case (a.in) is next to it",
            "chk.cpp: a case is `NAME.in` with `NAME.out` or `NAME.ans`",
        ]
    );
    assert_eq!(
        package.deviations(),
        [
            "chk.cpp: outputs are compared with the answers, and a checker is not used; a \
             `problem.toml` can name it",
            "a.out: no case (a.in) is next to it",
        ]
    );
}

fn read(folder: &TempDir) -> Package {
    Package::read(&folder.path().join("pkg")).unwrap()
}

/// Shows a mistake as its file, line and message.
fn shown(folder: &TempDir, mistake: &Mistake) -> String {
    mistake
        .to_string()
        .replace(&format!("{}/pkg/", folder.path().display()), "")
}

fn refused(folder: &TempDir) -> Vec<String> {
    let mistakes = Package::read(&folder.path().join("pkg")).unwrap_err();
    mistakes
        .0
        .iter()
        .map(|mistake| shown(folder, mistake))
        .collect()
}

fn needs(folder: &TempDir) -> Vec<String> {
    read(folder)
        .unsupported()
        .iter()
        .map(|need| {
            shown(folder, need).replace(", which gridjudge does not judge yet", "")
        })
        .collect()
}

fn names(package: &Package) -> Vec<&str> {
    package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect()
}

#[test]
fn an_empty_problem_yaml_is_a_legacy_package_with_the_usual_limits() {
    let package = read(&with("", &[]));
    assert_eq!(
        (package.format, package.name.as_deref()),
        (PackageFormat::Legacy, None)
    );
    assert_eq!(package.limits.memory_bytes, 2048 << 20);
    assert_eq!(package.limits.output_bytes, 8 << 20);
    assert_eq!(
        (package.limits.time, package.time_limit()),
        (None, Duration::from_secs(10))
    );
    assert_eq!(
        package.task,
        Task::Text(TextTask::Tokens(TokenRules::default()))
    );
    assert_eq!(names(&package), ["sample/1", "secret/2"]);
    assert_eq!(package.submissions[0].expected.to_string(), "AC");
}

#[test]
fn each_format_is_recognised_by_its_files_and_its_version() {
    let format = |yaml: &str| read(&with(yaml, &[])).format;
    assert_eq!(format("name: A\n"), PackageFormat::Legacy);
    assert_eq!(
        format("problem_format_version: legacy-icpc\n"),
        PackageFormat::LegacyIcpc
    );
    assert_eq!(format(NEW), PackageFormat::Kattis2025);
    let alone = folder(&[
        (
            "domjudge-problem.ini",
            "name = \"Alone\"\ntimelimit='1.5'\ncolor=#ff0000\n",
        ),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", ""),
    ]);
    let package = read(&alone);
    assert_eq!(
        (package.format, package.name.as_deref()),
        (PackageFormat::DomJudge, Some("Alone"))
    );
    assert_eq!(package.limits.time, Some(Duration::from_millis(1500)));
    let unknown = with("problem_format_version: 2022\n", &[]);
    assert_eq!(
        refused(&unknown),
        ["problem.yaml:1: the format `2022` is not read"]
    );
}

#[test]
fn a_draft_is_read_as_the_final_format_except_for_settings_of_groups() {
    let yaml = NEW.replace("2025-09", "2023-07-draft");
    let package = read(&with(&yaml, &[]));
    assert_eq!(
        (package.format, package.has_overridden_format),
        (PackageFormat::Kattis2025, true)
    );
    let note =
        "that the package is of a draft (`2023-07-draft`): it is read as `2025-09`";
    assert_eq!(package.ignored(), [note]);
    let older = (
        "data/secret/testdata.yaml",
        "accept_score: 50\ninput_validator_flags: n=1\n",
    );
    let package = read(&with(&format!("{yaml}type: scoring\n"), &[older]));
    let secret = package
        .scoring
        .groups
        .iter()
        .find(|group| group.name == "secret")
        .unwrap();
    assert_eq!(secret.parent, Some(0), "{secret:?}");
    assert_eq!(
        package.validation.arguments("check.py", "secret/2"),
        ["n=1"]
    );
    assert_eq!(
        package.ignored(),
        [
            note,
            "that `testdata.yaml` is not a file of `2025-09`: groups are read as `legacy`"
        ]
    );
    let both = [older, ("data/sample/test_group.yaml", "")];
    for files in [(&yaml, &both[..]), (&NEW.to_owned(), &[older])] {
        let expected = "data/secret/testdata.yaml: `testdata.yaml` is of older formats, and of drafts";
        assert_eq!(refused(&with(files.0, files.1)), [expected]);
    }
}

#[test]
fn an_output_validator_may_be_in_a_subfolder_as_in_drafts() {
    let yaml = format!("{NEW}type: interactive\n");
    let files = [
        ("output_validator/talk/talk.cpp", ""),
        ("output_validator/talk/help.h", ""),
    ];
    let folder = with(&yaml, &files);
    let package = read(&folder);
    let Task::Checker(task) = package.task.clone() else {
        panic!("no checker")
    };
    assert!(
        task.source.ends_with("output_validator/talk/talk.cpp"),
        "{:?}",
        task.source
    );
    let program = package.program_around(&task.source).unwrap();
    assert_eq!(
        (program.name.as_str(), program.files.len()),
        ("output_validator/talk", 2)
    );
    let beside = [files[0], ("output_validator/README.md", "")];
    let expected = "output_validator: the program that belongs here is not there";
    assert_eq!(refused(&with(&yaml, &beside)), [expected]);
}

#[test]
fn the_output_validator_of_a_draft_may_be_in_the_folder_of_older_formats() {
    let files = [
        ("output_validators/compare/compare.cpp", ""),
        ("output_validators/compare/help.h", ""),
    ];
    let draft = NEW.replace("2025-09", "2023-07-draft");
    let package = read(&with(&draft, &files));
    let Task::Checker(task) = package.task.clone() else {
        panic!("no checker")
    };
    assert!(task.source.ends_with(files[0].0), "{:?}", task.source);
    let program = package.program_around(&task.source).unwrap();
    assert_eq!(program.files.len(), 2);
    assert_eq!(
        *package.ignored().last().unwrap(),
        "that `output_validators` is not a folder of `2025-09`: what is in it judges outputs"
    );
    let newer = ("output_validator/compare.cpp", "");
    let expected = "output_validators: the folder is of an older format: in 2025-09 nothing in it is run";
    for (yaml, files) in [(NEW, &files[..]), (&draft, &[newer, files[0]])] {
        assert_eq!(refused(&with(yaml, files)), [expected]);
    }
}

#[test]
fn a_domjudge_package_may_have_the_folder_of_the_newer_format_and_an_unused_key() {
    let yaml = "validation: custom multi-pass\nvalidator_flags: --a b\nvalidator_args: --c\n";
    let package = read(&with(yaml, &[("output_validator/validator.py", "")]));
    assert_eq!(
        package.ignored(),
        ["`validator_args`: the key is `validator_flags`"]
    );
    let Task::Checker(task) = package.task else {
        panic!("no checker")
    };
    assert!(
        task.source.ends_with("output_validator/validator.py"),
        "{:?}",
        task.source
    );
    assert_eq!(task.arguments, ["--a", "b"]);
}

#[test]
fn limits_are_those_of_the_package() {
    let yaml = "limits:\n  time_multiplier: 2\n  memory: 512\n  output: 1\n  code: 64\n  compilation_time: 5\n";
    let limits = read(&with(yaml, &[])).limits;
    assert_eq!(
        (limits.memory_bytes, limits.output_bytes, limits.code_bytes),
        (512 << 20, 1 << 20, 64 << 10)
    );
    assert_eq!(limits.compile_time, Duration::from_secs(5));
    let TimeRule { factor, margin, .. } = limits.rule;
    assert_eq!((factor, margin, limits.rule.is_strict), (2.0, 2.0, false));
    assert_eq!(limits.rule.resolution, Duration::from_secs(1));
    let yaml = format!(
        "{NEW}limits:\n  time_limit: 0.25\n  time_multipliers: {{ac_to_time_limit: 3}}\n"
    );
    let limits = read(&with(&yaml, &[])).limits;
    assert_eq!(limits.time, Some(Duration::from_millis(250)));
    assert_eq!(
        limits.rule.slow_from(Duration::from_secs(2)),
        Duration::from_secs(3)
    );
}

#[test]
fn a_time_limit_of_2025_is_a_multiple_of_the_resolution_beside_it() {
    let yaml = |time, step| {
        format!("{NEW}limits:\n  time_limit: {time}\n  time_resolution: {step}\n")
    };
    for (time, step) in [
        ("0.3", "0.1"),
        ("1.5", "0.5"),
        ("2", "1"),
        ("0.7", "0.1"),
        ("1.1", "0.1"),
    ] {
        assert!(
            read(&with(&yaml(time, step), &[])).limits.time.is_some(),
            "{time} {step}"
        );
    }
    let folder = with(&yaml("1.3", "0.5"), &[]);
    assert_eq!(
        refused(&folder),
        [
            "problem.yaml:5: `time_limit: 1.3` is not a multiple of `time_resolution`, which is 0.5"
        ]
    );
    let mistakes = Package::read(&folder.path().join("pkg")).unwrap_err();
    assert_eq!(
        mistakes.0[0].remedy.as_deref(),
        Some("write 1.5, or delete `time_resolution`")
    );
    // Without a resolution, it is that of the format, which is for limits that are
    // measured.
    let alone = format!("{NEW}limits: {{time_limit: 0.4}}\n");
    assert_eq!(
        read(&with(&alone, &[])).limits.time,
        Some(Duration::from_millis(400))
    );
}

#[test]
fn what_the_format_forbids_of_types_and_samples_is_refused() {
    for head in [
        format!("{NEW}type: [scoring, pass-fail]\n"),
        "type: pass-fail scoring\n".to_owned(),
    ] {
        let said = refused(&with(&head, &[]));
        assert!(
            said.iter()
                .any(|said| said
                    .contains("a problem is either `pass-fail` or `scoring`")),
            "{said:?}"
        );
    }
    let group = [("data/sample/a/1.in", ""), ("data/sample/a/1.ans", "")];
    assert_eq!(
        refused(&with(NEW, &group)),
        ["data/sample/a: is a group in `data/sample`, which takes none in 2025-09"]
    );
    assert_eq!(read(&with("", &group)).cases.len(), 3);
}

#[test]
fn a_language_that_a_submission_is_not_in_by_its_ending_is_kept() {
    let rules = (
        "submissions/submissions.yaml",
        "accepted/*: {language: python2}\n",
    );
    let package = read(&with(NEW, &[rules]));
    assert_eq!(package.submissions[0].language.as_deref(), Some("python2"));
}

#[test]
fn domjudge_has_no_rule_for_time_limits_and_programs_of_its_own_are_named_by_line() {
    let folder = with(
        "",
        &[(
            "domjudge-problem.ini",
            "timelimit = 1\nspecial_compare = cmp\n",
        )],
    );
    assert_eq!(
        needs(&folder),
        [
            "domjudge-problem.ini:2: the package needs a program that checks outputs (`special_compare`)"
        ]
    );
    let alone = folder_of_ini("name = A\n");
    assert_eq!(
        (alone.format, alone.time_rule(), alone.has_default_time()),
        (PackageFormat::DomJudge, None, true)
    );
}

fn folder_of_ini(text: &str) -> Package {
    read(&folder(&[
        ("domjudge-problem.ini", text),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", ""),
    ]))
}

#[test]
fn time_limits_of_several_files_must_agree() {
    let ini = ("domjudge-problem.ini", "timelimit = 3\n");
    let time = |files: &[(&str, &str)]| {
        read(&with("limits: {time_limit: 2}\n", files)).limits.time
    };
    assert_eq!(
        time(&[ini, (".timelimit", "2.0\n")]),
        Some(Duration::from_secs(2))
    );
    let folder = with("limits: {time_limit: 2}\n", &[(".timelimit", "4")]);
    assert_eq!(
        refused(&folder),
        [".timelimit:1: says 4 s, but the package 2 s"]
    );
    let folder = with("", &[(".timelimit", "soon")]);
    assert_eq!(
        refused(&folder),
        [".timelimit:1: must hold seconds and nothing else, found `soon`"]
    );
    assert_eq!(
        read(&with("", &[(".timelimit", "3")])).limits.time,
        Some(Duration::from_secs(3))
    );
}

#[test]
fn numbers_of_the_older_formats_may_be_in_quotes() {
    let yaml = "limits: {memory: \"1024\", time_limit: '1.5', time_multiplier: ' 3 ', code: \"0_100\"}\ntype: scoring\ngrading: {show_test_data_groups: 'Yes'}\n";
    let points = ("data/secret/testdata.yaml", "accept_score: \"4.5\"\n");
    let package = read(&with(yaml, &[points]));
    let limits = &package.limits;
    assert_eq!(
        (limits.memory_bytes, limits.code_bytes, limits.rule.factor),
        (1 << 30, 100 << 10, 3.0)
    );
    assert_eq!(limits.time, Some(Duration::from_millis(1500)));
    let worth = package.scoring.worth_of("secret/2").unwrap();
    assert_eq!(worth.accepted.get(), 4.5);
    let texts = "limits: {memory: \"\"}\n";
    let memory = "`memory` in `limits` must be a whole number from 1 to 16777216, found a text";
    assert_eq!(
        refused(&with(texts, &[])),
        [format!("problem.yaml:1: {memory}")]
    );
    let new = "problem_format_version: 2025-09\nname: A\nuuid: 8ee7605a-7d66-4a4f-9a5a-0a0e2d3f3b7f\nlimits: {memory: \"1024\"}\n";
    assert_eq!(
        refused(&with(new, &[])),
        [format!("problem.yaml:4: {memory}")]
    );
}

#[test]
fn a_key_for_authors_is_answered_with_that_of_its_format() {
    let new = NEW.to_owned() + "author: A\nwriters: B\n";
    for (yaml, line, meant) in [
        ("authors: A\n", 1, "author"),
        ("authors: A\ncredits: B\n", 1, "author"),
        (&new, 5, "credits"),
    ] {
        let folder = with(yaml, &[]);
        let Err(found) = Package::read(&folder.path().join("pkg")) else {
            panic!("{yaml}")
        };
        let remedy = format!("did you mean `{meant}`?");
        let slip = found.0.iter().find(|one| one.line == Some(line)).unwrap();
        assert_eq!(slip.remedy, Some(remedy), "{yaml}");
    }
}

#[test]
fn a_script_with_windows_line_breaks_is_refused() {
    let scripts = [
        ("input_validators/v/build", "#!/bin/sh\r\ntrue\r\n"),
        ("input_validators/w/build", "#!/bin/sh\ntrue\r\n"),
        ("output_validators/v/run", "#!/bin/sh\r\n"),
    ];
    let said = "has Windows line breaks (CRLF), so it cannot be started";
    assert_eq!(
        refused(&with("validation: custom\n", &scripts)),
        ["output_validators/v/run", "input_validators/v/build"]
            .map(|name| format!("{name}: {said}"))
    );
}

#[test]
fn all_mistakes_of_a_package_are_reported_at_once() {
    let yaml = "nmae: A\nlimits:\n  memory: much\nvalidation: custm\nvalidator_flags: float_tolerance\n";
    let folder = with(
        yaml,
        &[
            ("data/secret/3.ans", ""),
            ("data/secret/testdata.yaml", "on_rejct: break\n"),
        ],
    );
    assert_eq!(
        refused(&folder),
        [
            "problem.yaml:1: unknown key `nmae`",
            "problem.yaml:3: `memory` in `limits` must be a whole number from 1 to 16777216, found `much`",
            "problem.yaml:4: unknown word `custm` in `validation`",
            "problem.yaml: the flag `float_tolerance` has no number after it",
            "data/secret/3.ans: the answer has no case (`.in`) next to it",
            "data/secret/testdata.yaml:1: unknown key `on_rejct`",
        ]
    );
}

#[test]
fn unsupported_features_are_reported_with_their_place() {
    assert_eq!(
        needs(&with(
            "",
            &[("data/secret/testdata.yaml", "grading: custom\n")]
        )),
        [
            "data/secret/testdata.yaml:1: the package needs a grader of its own (`grading: custom`) that gives no points",
        ]
    );
    let ini = ("domjudge-problem.ini", "special_compare = mine\n");
    let compare = "domjudge-problem.ini:1: the package needs a program that checks outputs (`special_compare`)";
    assert_eq!(needs(&with("", &[ini])), [compare]);
}

#[test]
fn the_program_of_an_interactive_package_interacts_with_submissions() {
    let kind = |package: Package| match package.task {
        Task::Checker(task) => task.kind,
        other => panic!("{other:?}"),
    };
    let program = ("output_validators/v.py", "");
    for yaml in [
        "validation: custom interactive\n",
        "type: interactive\nvalidation: custom\n",
        "type: interactive\n",
    ] {
        assert_eq!(
            kind(read(&with(yaml, &[program]))),
            JudgingProgramKind::Interactor,
            "{yaml}"
        );
    }
    assert_eq!(
        kind(read(&with("validation: custom\n", &[program]))),
        JudgingProgramKind::Checker
    );
    let yaml = format!("{NEW}type: [pass-fail, interactive]\n");
    assert_eq!(
        kind(read(&with(&yaml, &[("output_validator/v.py", "")]))),
        JudgingProgramKind::Interactor
    );
    let missing = "output_validator: the program that talks to submissions (`type: interactive`) is not there";
    assert_eq!(refused(&with(&yaml, &[])), [missing]);
}

#[test]
fn an_output_validator_gets_the_flags_of_package_and_group() {
    let checker = |package: Package| match package.task {
        Task::Checker(task) => (
            task.source.file_name().unwrap().to_owned(),
            task.arguments,
            task.limits.cpu.as_secs(),
        ),
        other => panic!("{other:?}"),
    };
    let yaml =
        "validation: custom\nvalidator_flags: foo 3\nlimits: {validation_time: 7}\n";
    let flags = ("data/secret/testdata.yaml", "output_validator_flags: bar\n");
    let all = ("data/testdata.yaml", "output_validator_flags: bar\n");
    let in_folder = [
        ("output_validators/v/v.cpp", ""),
        ("output_validators/v/validate.h", ""),
        all,
    ];
    let arguments = ["foo", "3", "bar"].map(str::to_owned).to_vec();
    assert_eq!(
        checker(read(&with(yaml, &in_folder))),
        ("v.cpp".into(), arguments, 7)
    );
    let package = read(&with(yaml, &[("output_validators/v.py", ""), flags]));
    let own = |case: &str| match package.case_tasks.get(case) {
        Some(Task::Checker(task)) => task.arguments.join(" "),
        _ => String::new(),
    };
    assert_eq!(package.case_tasks.keys().collect::<Vec<_>>(), ["secret/2"]);
    assert_eq!(own("secret/2"), "foo 3 bar");
    assert_eq!(checker(package).1, ["foo", "3"]);
    let new = [
        ("output_validator/__main__.py", ""),
        ("output_validator/lib.py", ""),
    ];
    assert_eq!(
        checker(read(&with(NEW, &new))),
        ("__main__.py".into(), vec![], 60)
    );
}

#[test]
fn files_in_places_that_are_never_read_are_a_mistake() {
    assert_eq!(
        refused(&with("", &[("data/01.in", "1"), ("data/01.ans", "1")])),
        [
            "data/01.ans: lies in `data` itself, where no case is judged",
            "data/01.in: lies in `data` itself, where no case is judged"
        ]
    );
    assert_eq!(
        refused(&with(NEW, &[("output_validators/v/v.py", "")])),
        [
            "output_validators: the folder is of an older format: in 2025-09 nothing in it is run"
        ]
    );
    assert_eq!(
        refused(&with("validation: custom\n", &[])),
        [
            "output_validators: the program that checks outputs (`validation: custom`) is not there"
        ]
    );
}

#[test]
fn all_output_validators_of_a_package_run_in_the_order_of_their_names() {
    let files = [
        ("c/c.cpp", ""),
        ("a.py", ""),
        ("b.py", ""),
        ("testlib.h", ""),
        // Judges pass over what is of no language.
        ("Makefile", ""),
        ("b.ctd.template", ""),
    ];
    let files = files.map(|(name, text)| (format!("output_validators/{name}"), text));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (name.as_str(), *text))
        .collect();
    let package = read(&with("validation: custom\nvalidator_flags: x\n", &files));
    assert_eq!(package.unsupported(), []);
    for other in ["Makefile", "b.ctd.template"] {
        let said = format!(
            "`output_validators/{other}`, which is no program of any language"
        );
        assert!(package.ignored().contains(&&*said), "{said}");
    }
    let Task::Checker(first) = package.task else {
        panic!()
    };
    let tasks: Vec<_> =
        std::iter::successors(Some(&first), |task| task.final_checker.as_deref())
            .collect();
    let names = tasks
        .iter()
        .map(|task| task.source.file_name().unwrap().to_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["a.py", "b.py", "c.cpp"]);
    assert!(
        tasks.iter().all(|task| task.arguments == ["x"]
            && task.kind == JudgingProgramKind::Checker)
    );
}

#[test]
fn an_output_validator_that_cannot_be_run_is_reported_with_its_place() {
    let custom = "validation: custom\n";
    for more in [
        "validation: custom interactive\n",
        "validation: custom multi-pass\n",
        "type: scoring\nvalidation: custom score\n",
    ] {
        assert_eq!(
            needs(&with(
                more,
                &[
                    ("output_validators/a.py", ""),
                    ("output_validators/b.py", "")
                ]
            )),
            [
                "output_validators: the package needs several programs that talk to submissions, ask for passes or give points"
            ]
        );
    }
    let only_text = with(custom, &[("output_validators/README.md", "")]);
    let missing = "output_validators: the program that checks outputs (`validation: custom`) is not there";
    assert_eq!(refused(&only_text), [missing]);
    let only_headers = with(custom, &[("output_validators/v/a.h", "")]);
    assert_eq!(
        refused(&only_headers),
        ["output_validators/v: the program that belongs here is not there"]
    );
}

#[test]
fn several_types_must_be_a_list_in_the_new_format() {
    let folder = with(&format!("{NEW}type: pass-fail interactive\n"), &[]);
    let mistake = "problem.yaml:4: the type `pass-fail interactive` is several words in one text";
    assert_eq!(refused(&folder), [mistake]);
    let folder = with("problem_format_version: 2025-09\n", &[]);
    assert_eq!(
        refused(&folder),
        [
            "problem.yaml:1: the file has no `name`",
            "problem.yaml:1: the file has no `uuid`"
        ]
    );
    // No verdict depends on the latter.
    let package =
        Package::read_as(&WantedPackage::Any, &folder.path().join("pkg"), 100);
    assert_eq!(package.unwrap().slips().len(), 1);
}

#[test]
fn flags_of_a_group_apply_to_all_cases_in_it() {
    let tolerance = |package: Package| match package.task {
        Task::Text(TextTask::Tokens(rules)) => {
            rules.absolute_tolerance.map(|tolerance| tolerance.value())
        }
        _ => None,
    };
    let flags = (
        "data/testdata.yaml",
        "output_validator_flags: float_tolerance 1e-3\n",
    );
    assert_eq!(
        tolerance(read(&with("validator_flags: case_sensitive\n", &[flags]))),
        Some(1e-3)
    );
    let deep = (
        "data/testdata.yaml",
        "output_validator_flags: float_tolerance 1\ninput_validator_flags: x\n",
    );
    let nearer = (
        "data/secret/testdata.yaml",
        "output_validator_flags: float_tolerance 1.0\n",
    );
    assert_eq!(tolerance(read(&with("", &[deep, nearer]))), Some(1.0));
    let args = "output_validator_args: [float_tolerance, '0.5']\n";
    let groups = [
        ("data/sample/test_group.yaml", args),
        ("data/secret/2.yaml", args),
    ];
    assert_eq!(tolerance(read(&with(NEW, &groups))), Some(0.5));
    let package = read(&with(NEW, &groups[1..]));
    assert_eq!(package.case_tasks.keys().collect::<Vec<_>>(), ["secret/2"]);
    assert_eq!(tolerance(package), None);
    let wrong = (
        "data/secret/2.yaml",
        "output_validator_args: [float_tolerance, x]\n",
    );
    assert_eq!(refused(&with(NEW, &[wrong])).len(), 1);
}

#[test]
fn cases_are_sorted_by_base_name_with_groups_among_them() {
    let files = ["b", "1", "1-a", "a/2", "a/10", "a.b", "1b/x"];
    let names_of: Vec<_> = files
        .iter()
        .flat_map(|name| {
            ["in", "ans"].map(|ending| format!("data/secret/{name}.{ending}"))
        })
        .collect();
    let files: Vec<_> = names_of.iter().map(|name| (name.as_str(), "")).collect();
    let package = read(&with("", &files));
    let order = [
        "sample/1",
        "secret/1",
        "secret/1-a",
        "secret/1b/x",
        "secret/2",
        "secret/a/10",
        "secret/a/2",
    ];
    assert_eq!(names(&package)[..7], order);
    assert_eq!(names(&package)[7..], ["secret/a.b", "secret/b"]);
}

#[test]
fn the_new_format_has_either_cases_or_groups_and_ignores_odd_names() {
    let files = [("data/secret/g/3.in", ""), ("data/secret/g/3.ans", "")];
    let mistake =
        "data/secret: holds cases, for example `2`, and groups, for example `g/3`";
    assert_eq!(refused(&with(NEW, &files)), [mistake]);
    let package = read(&with(
        NEW,
        &[
            ("data/secret/a b.in", ""),
            ("submissions/accepted/-x.py", ""),
        ],
    ));
    assert_eq!((names(&package).len(), package.submissions.len()), (2, 1));
    assert!(
        package.ignored().iter().any(|what| what.contains("a b.in")),
        "{:?}",
        package.ignored()
    );
}

#[test]
fn a_case_without_an_answer_is_listed_and_a_package_without_cases_is_refused() {
    let package = read(&with("", &[("data/secret/3.in", "")]));
    assert_eq!(package.missing_answers().len(), 1);
    let empty = folder(&[("problem.yaml", "")]);
    assert_eq!(refused(&empty), ["data: the package has no cases"]);
    put(empty.path(), "generators/generators.yaml", "");
    let found = Package::read(&empty.path().join("pkg")).unwrap_err();
    assert_eq!(
        found.0[0].remedy.as_deref(),
        Some(
            "`bt generate` of BAPCtools makes them from `generators/generators.yaml`"
        )
    );
    let beside = folder(&[("domjudge-problem.ini", "name = A\n"), ("a.in", "")]);
    let mistakes = Package::read(&beside.path().join("pkg")).unwrap_err().0;
    let remedy = mistakes[0].remedy.as_deref().unwrap_or_default();
    assert!(
        remedy.ends_with("in the folder itself, by `--format oj`"),
        "{remedy}"
    );
}

#[test]
fn links_must_not_lead_out_of_the_package() {
    let folder = with("", &[]);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join("pkg").join(name)).unwrap();
    };
    link("2.in", "data/secret/3.in");
    link("2.ans", "data/secret/3.ans");
    link("sample", "data/more");
    assert_eq!(names(&read(&folder)), ["sample/1", "secret/2", "secret/3"]);
    link("/etc/passwd", "data/secret/4.in");
    link("/etc/passwd", "data/secret/.hidden.in");
    link("nowhere", "data/secret/5.in");
    link("..", "data/secret/6");
    let expected = [
        "data/secret/4.in: is a link that leads out of the package",
        "data/secret/5.in: is a link that leads nowhere",
    ];
    let found = refused(&folder);
    assert_eq!(found[..2], expected);
    assert!(
        found[2].starts_with("data/secret/6: the link leads in a circle, back to "),
        "{found:?}"
    );
}

#[test]
fn bad_links_that_nothing_follows_are_ignored() {
    let folder = with(NEW, &[("solution/a.tex", "")]);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join("pkg").join(name)).unwrap();
    };
    link("/tmp/nowhere/problem.pdf", "problem.en.pdf");
    link("/etc/passwd", "solution/solution.en.pdf");
    let expected = [
        "`problem.en.pdf`: is a link that leads nowhere",
        "`solution/solution.en.pdf`: is a link that leads out of the package",
    ];
    let package = read(&folder);
    assert_eq!(package.ignored(), expected);
    assert!(!package.files.contains_key("solution/solution.en.pdf"));
    link("/etc/passwd", "domjudge-problem.ini");
    assert_eq!(
        refused(&folder),
        ["domjudge-problem.ini: is a link that leads out of the package"]
    );
}

#[test]
fn files_shown_in_place_of_samples_belong_to_them() {
    let shown = [
        ("data/sample/1.in.download", ""),
        ("data/sample/1.ans.statement", ""),
        ("data/sample/1.download", ""),
    ];
    assert_eq!(
        read(&with(NEW, &shown)).ignored(),
        ["files `.download` in `data/`: they belong to no case"]
    );
    assert!(read(&with(NEW, &shown[..2])).ignored().is_empty());
}

#[test]
fn a_folder_is_not_reported_as_misspelt_if_the_similar_one_exists_or_another_tool_knows_it()
 {
    let folders = [
        ("input_validators/a.py", ""),
        ("input_validators_old/a.py", ""),
        ("answer_validators/a.py", ""),
        ("output_validater/a.py", ""),
    ];
    let package = read(&with(NEW, &folders));
    let hints: Vec<_> = package
        .deviations()
        .into_iter()
        .filter(|text| text.contains("did you mean"))
        .collect();
    assert_eq!(
        hints,
        [
            "the format knows no folder `output_validater`; did you mean `output_validator`?"
        ]
    );
}

#[test]
fn pipes_and_names_with_line_breaks_are_refused() {
    let folder = with("", &[("data/secret/x\ny.in", "")]);
    let pipe = folder.path().join("pkg/data/secret/pipe.in");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .unwrap();
    let found = refused(&folder);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "data/secret/pipe.in: is neither a file nor a folder"
    );
    assert!(
        found[1].contains("has a name that is not text, or has line breaks"),
        "{found:?}"
    );
}

#[test]
fn a_package_of_more_files_than_the_user_allows_is_refused_and_the_remedy_names_the_setting()
 {
    let files = with(
        "name: Old\n",
        &[("data/secret/3.files/a", ""), ("data/secret/3.files/b", "")],
    );
    let read = |most_files| {
        let path = files.path().join("pkg");
        Package::read_as(&WantedPackage::Any, &path, most_files)
    };
    // Eight files in six folders.
    assert!(read(14).is_ok());
    let refused = read(13).unwrap_err().0;
    assert_eq!(
        refused[0].message,
        "more than 13 files and folders are in the package"
    );
    assert!(
        refused[0]
            .remedy
            .as_ref()
            .unwrap()
            .ends_with("`most_files` in your own gridjudge/config.toml")
    );
}

#[test]
fn files_without_a_case_are_one_mistake_however_many_they_are() {
    let names: Vec<_> = [
        "3.files/a",
        "3.files/b/c",
        "3.files/d",
        "4.files/a",
        "4.files/b",
    ]
    .map(|name| (format!("data/secret/{name}"), String::new()))
    .into();
    let files: Vec<_> = names
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let package = Package::read(&with(NEW, &files).path().join("pkg")).unwrap_err();
    let places: Vec<_> = package
        .0
        .iter()
        .map(|slip| slip.path.file_name().unwrap().to_owned())
        .collect();
    assert_eq!(places, ["3.files", "4.files"]);
}

#[test]
fn a_file_of_a_package_has_a_name_and_a_file_elsewhere_has_none() {
    let files = with("name: Old\n", &[]);
    let package = read(&files);
    let root = files.path().join("pkg");
    assert_eq!(
        package.name_of(&root.join("data/secret/2.in")),
        Some("data/secret/2.in")
    );
    for elsewhere in [
        root.join("data/secret/3.in"),
        files.path().join("data/secret/2.in"),
        "problem.yaml".into(),
    ] {
        assert_eq!(package.name_of(&elsewhere), None);
    }
}

/// A pointer of Git LFS, which lies in place of a file that was not fetched.
const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 46\n";

#[test]
fn pointers_of_git_lfs_are_no_cases_in_any_format() {
    let said = "is a pointer of Git LFS, not the file itself";
    let kattis = with(
        "",
        &[
            ("data/secret/7.in", POINTER),
            ("data/secret/7.ans", POINTER),
        ],
    );
    assert_eq!(
        refused(&kattis),
        [format!(
            "data/secret/7.in: {said}; the same holds for 1 other file of cases"
        )]
    );
    let plain = folder(&[("1.in", "1"), ("1.out", POINTER)]);
    assert_eq!(refused(&plain), [format!("1.out: {said}")]);
    let dmoj = "test_cases: [{in: a.in, out: a.out, points: 1}]\n";
    let dmoj = folder(&[("init.yml", dmoj), ("a.in", POINTER), ("a.out", "1\n")]);
    assert_eq!(refused(&dmoj), [format!("a.in: {said}")]);
    // A text that only mentions such a pointer is a case like any other.
    for text in [
        "version https://git-lfs\n".to_owned(),
        format!(" {POINTER}"),
    ] {
        read(&folder(&[("1.in", "1"), ("1.out", &text)]));
    }
    for size in ["1", "18446744073709551615"] {
        let pointer = POINTER.replace("size 46", &format!("size {size}"));
        let plain = folder(&[("1.in", "1"), ("1.out", &pointer)]);
        assert_eq!(refused(&plain), [format!("1.out: {said}")], "{size}");
    }
}
