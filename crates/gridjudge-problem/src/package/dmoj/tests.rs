//! Tests of reading whole problems, and of what is refused.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    CheckerTask, ErrorMeasure, NumberLineRules, PointValue, ScoredLineRules, Task,
    TextTask, Tolerance, UnorderedPiece,
};
use crate::package::{Package, PackageFormat, WantedPackage};

/// Writes a problem with this `init.yml` and files for three cases.
fn folder(init: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let problem = folder.path().join("pkg");
    fs::create_dir_all(&problem).unwrap();
    for number in 1..=3 {
        fs::write(problem.join(format!("{number}.in")), format!("{number}\n"))
            .unwrap();
        fs::write(problem.join(format!("{number}.out")), format!("{number}\n"))
            .unwrap();
    }
    for name in ["check.cpp", "more.cpp", "more.c", "testlib.h"] {
        fs::write(problem.join(name), "int main() {}\n").unwrap();
    }
    fs::write(problem.join("init.yml"), init).unwrap();
    folder
}

fn read_in(folder: &Path) -> Result<Package, Vec<Mistake>> {
    let read = Package::read_as(&WantedPackage::Any, &folder.join("pkg"), 100);
    read.and_then(|package| Mistakes::or(package.mistakes().to_vec(), package))
        .map_err(|mistakes| mistakes.0)
}

fn shown(mistakes: &[Mistake]) -> Vec<String> {
    let line = |one: &Mistake| {
        one.line
            .map_or_else(String::new, |line| format!("{line}: "))
    };
    mistakes
        .iter()
        .map(|one| format!("{}{}", line(one), one.message))
        .collect()
}

/// Returns the mistakes in an `init.yml` that is refused.
fn refused(init: &str) -> Vec<String> {
    shown(
        &read_in(folder(init).path())
            .map(|package| package.cases)
            .unwrap_err(),
    )
}

/// Returns the unsupported features that the problem needs.
fn needs(init: &str) -> Vec<String> {
    shown(read_in(folder(init).path()).unwrap().unsupported())
        .into_iter()
        .map(|need| {
            let (line, rest) = need.split_once("the package needs ").unwrap();
            format!(
                "{line}{}",
                rest.strip_suffix(", which gridjudge does not judge yet")
                    .unwrap()
            )
        })
        .collect()
}

const CASES: &str =
    "test_cases:\n- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out}\n";

fn task(checker: &str) -> Task {
    read_in(folder(&format!("{CASES}checker: {checker}\n")).path())
        .unwrap()
        .task
}

/// The names of groups, what each case is worth, and the groups that they require.
fn groups_of(package: &Package) -> Vec<(&str, f64, Vec<usize>)> {
    let groups = package.scoring.groups.iter();
    groups
        .map(|group| {
            (
                group.name.as_str(),
                group.case.accepted.get(),
                group.requires.clone(),
            )
        })
        .collect()
}

#[test]
fn cases_and_batches_are_read_in_order_with_their_points() {
    let init = "pretest_test_cases:\n- {in: 3.in, out: 3.out}\ntest_cases:\n- {in: 1.in, out: 1.out, points: 5}\n- points: 20\n  out: 2.out\n  batched:\n  - {in: 2.in}\n  - {in: 3.in}\n- {in: 2.in, out: 2.out, points: 5}\n- points: 30\n  dependencies: [1]\n  batched: [{in: 2.in, out: 2.out}]\n";
    let folder = folder(init);
    let package = read_in(folder.path()).unwrap();
    assert_eq!(
        (package.format, package.time_rule()),
        (PackageFormat::Dmoj, None)
    );
    let names: Vec<_> = package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["pretest/3", "1", "batch1/2", "batch1/3", "2", "batch2/2"]
    );
    assert!(package.cases[3].answer.ends_with("2.out"));
    assert_eq!(
        groups_of(&package),
        [
            ("", 0.0, vec![]),
            ("cases of 0 points", 0.0, vec![]),
            ("cases of 5 points", 5.0, vec![1]),
            ("batch1", 20.0, vec![1]),
            ("batch2", 30.0, vec![1, 3]),
        ]
    );
    assert!(
        (package.task, package.limits.output_bytes)
            == (Task::Text(TextTask::TokenLines), 24 << 20)
    );
}

#[test]
fn pretests_have_no_points_but_in_batches_which_keep_theirs() {
    let init = "points: 3\npretest_test_cases:\n- {in: 3.in, out: 3.out, points: 7}\n- points: 20\n  batched: [{in: 2.in, out: 2.out}]\n- batched: [{in: 2.in, out: 2.out}]\ntest_cases:\n- {in: 1.in, out: 1.out}\n";
    let package = read_in(folder(init).path()).unwrap();
    assert_eq!(
        groups_of(&package),
        [
            ("", 0.0, vec![]),
            ("cases of 0 points", 0.0, vec![]),
            ("pretest/batch1", 20.0, vec![1]),
            ("pretest/batch2", 3.0, vec![1]),
            ("cases of 3 points", 3.0, vec![1]),
        ]
    );
}

/// The site looks at no points of a batch.
#[test]
fn a_batch_is_worth_what_its_cases_are() {
    let init = "test_cases:\n- points: 3\n  batched: [{in: 1.in, out: 1.out, points: 2}]\n- batched: [{in: 2.in, out: 2.out, points: 7}, {in: 3.in, out: 3.out, points: 7}]\n- batched: [{in: 2.in, out: 2.out, points: 0}]\n- {in: 1.in, out: 1.out}\n";
    let package = read_in(folder(init).path()).unwrap();
    assert_eq!(package.scoring.worths, [].into());
    assert_eq!(
        groups_of(&package),
        [
            ("", 0.0, vec![]),
            ("batch1", 2.0, vec![]),
            ("batch2", 7.0, vec![]),
            ("batch3", 0.0, vec![]),
            ("cases of 1 point", 1.0, vec![3]),
        ]
    );
}

#[test]
fn the_output_limit_may_be_0_and_holds_for_no_interaction() {
    for (text, bytes) in [
        ("output_limit_length: 0", 0),
        ("output_limit_length: 7", 7),
        (
            "output_limit_length: 0\ninteractive: {files: check.cpp, type: testlib}",
            24 << 20,
        ),
    ] {
        let folder = folder(&format!("{CASES}{text}\n"));
        let package = read_in(folder.path()).unwrap();
        assert_eq!(package.limits.output_bytes, bytes, "{text}");
    }
}

#[test]
fn cases_of_one_point_are_named_in_the_singular() {
    let folder = folder(CASES);
    let package = read_in(folder.path()).unwrap();
    let names = package.scoring.groups.iter().map(|group| &*group.name);
    assert_eq!(names.collect::<Vec<_>>(), ["", "cases of 1 point"]);
}

#[test]
fn a_case_inherits_the_settings_around_it() {
    let init = "points: 7\nchecker: identical\ntest_cases:\n- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out, points: 1, checker: standard}\n";
    let package = read_in(folder(init).path()).unwrap();
    assert_eq!(package.task, Task::Text(TextTask::Exact));
    assert_eq!(package.case_tasks["2"], Task::Text(TextTask::TokenLines));
    let points = package
        .cases
        .iter()
        .map(|case| package.scoring.worth_of(&case.name).unwrap().accepted.get());
    assert_eq!(points.collect::<Vec<_>>(), [7.0, 1.0]);
}

#[test]
fn checkers_of_dmoj_with_the_same_results_become_ours() {
    let numbers = |tolerance, measure| {
        Task::Text(TextTask::NumberLines(NumberLineRules {
            tolerance: Tolerance::new(tolerance).unwrap(),
            measure,
        }))
    };
    let line_matches = |points: &[f64], needs_all_lines| {
        let points = points
            .iter()
            .map(|points| PointValue::new(*points).unwrap())
            .collect();
        Task::Text(TextTask::ScoredLines(ScoredLineRules::Weighted {
            points,
            needs_all_lines,
        }))
    };
    for (checker, expected) in [
        ("standard", Task::Text(TextTask::TokenLines)),
        (
            "{name: standard, args: {}}",
            Task::Text(TextTask::TokenLines),
        ),
        (
            "{name: identical, args: {pe_allowed: no}}",
            Task::Text(TextTask::Exact),
        ),
        ("rstripped", Task::Text(TextTask::StrippedLines)),
        (
            "{name: rstripped, args: {filter_new_line: no}}",
            Task::Text(TextTask::StrippedLines),
        ),
        (
            "{name: rstripped, args: {filter_new_line: yes}}",
            Task::Text(TextTask::StrippedFilledLines),
        ),
        ("floats", numbers(1e-6, ErrorMeasure::Either)),
        (
            "{name: floats, args: {precision: 3, error_mode: relative}}",
            numbers(1e-3, ErrorMeasure::Relative),
        ),
        (
            "{name: floats, args: {error_mode: absolute}}",
            numbers(1e-6, ErrorMeasure::Absolute),
        ),
        (
            "{name: floatsabs, args: {precision: 0}}",
            numbers(1.0, ErrorMeasure::Absolute),
        ),
        ("floatsrel", numbers(1e-6, ErrorMeasure::Relative)),
        (
            "sorted",
            Task::Text(TextTask::Unordered(UnorderedPiece::Lines)),
        ),
        (
            "{name: sorted, args: {split_on: whitespace}}",
            Task::Text(TextTask::Unordered(UnorderedPiece::Tokens)),
        ),
        (
            "unordered",
            Task::Text(TextTask::Unordered(UnorderedPiece::Tokens)),
        ),
        (
            "easy",
            Task::Text(TextTask::Unordered(UnorderedPiece::Bytes)),
        ),
        (
            "linecount",
            Task::Text(TextTask::ScoredLines(ScoredLineRules::Equal)),
        ),
        (
            "{name: linecount, args: {feedback: no}}",
            Task::Text(TextTask::ScoredLines(ScoredLineRules::Equal)),
        ),
        ("linematches", line_matches(&[1.0], true)),
        (
            "{name: linematches, args: {point_distribution: [2.5], filler_lines_required: no}}",
            line_matches(&[2.5], false),
        ),
    ] {
        assert_eq!(task(checker), expected, "{checker}");
    }
}

/// The program that judges in a problem with these keys.
fn judging_program(text: &str) -> CheckerTask {
    let folder = folder(&format!("{CASES}{text}"));
    let package = read_in(folder.path()).unwrap();
    package.task.program().unwrap().clone()
}

#[test]
fn checkers_and_interactors_may_have_either_type() {
    for (text, expected) in [
        (
            "checker: {name: bridged, args: {files: check.cpp, lang: CPP17}}",
            "checker dmoj 20000 512",
        ),
        (
            "checker: {name: bridged, args: {files: [check.cpp, testlib.h], type: testlib, \
             time_limit: 2.5, memory_limit: 65536}}",
            "checker testlib 2500 64",
        ),
        (
            "interactive: {files: check.cpp}",
            "interactor dmoj 12000 512",
        ),
        (
            "interactive: {files: check.cpp, type: testlib, preprocessing_time: 1}",
            "interactor testlib 11000 512",
        ),
    ] {
        let task = judging_program(text);
        let kind = task.kind.name();
        let protocol = task.protocol.rules().name;
        let time = task.limits.cpu.as_millis();
        let memory = task.limits.memory_bytes >> 20;
        let found = format!("{kind} {protocol} {time} {memory}");
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn programs_may_have_several_sources_flags_and_arguments_of_their_own() {
    let checker = judging_program(
        "checker: {name: bridged, args: {files: [check.cpp, more.cpp, testlib.h], \
         flags: [-DX, -O0], args_format_string: '--out={output_file} \"a b\"'}}",
    );
    let names = checker.build.files.iter().map(|file| &*file.name);
    assert!(checker.source.ends_with("check.cpp"));
    assert_eq!(names.collect::<Vec<_>>(), ["more.cpp", "testlib.h"]);
    assert_eq!(checker.build.flags, ["-DX", "-O0"]);
    for (text, call) in [
        (
            "checker: {name: bridged, args: {files: check.cpp, type: coci}}",
            &["{input_file}", "{output_file}", "{answer_file}"][..],
        ),
        (
            "interactive: {files: check.cpp, type: coci}",
            &["{input_file}", "{answer_file}"],
        ),
        (
            "interactive: {files: check.cpp, args_format_string: '{answer_file} {output_file}'}",
            &["{answer_file}", "/dev/null"],
        ),
    ] {
        assert_eq!(judging_program(text).call.unwrap(), call, "{text}");
    }
    assert_eq!(checker.call.unwrap(), ["--out={output_file}", "a b"]);
}

#[test]
fn a_checker_that_dmoj_does_not_have_is_a_mistake_with_a_suggestion() {
    assert_eq!(
        refused(&format!("checker: standrad\n{CASES}")),
        ["1: DMOJ has no checker `standrad`"]
    );
    for name in super::programs::CHECKERS {
        let args = "{precision: 6, files: check.cpp}";
        let found =
            needs(&format!("checker: {{name: {name}, args: {args}}}\n{CASES}"));
        assert_eq!(found, [""; 0], "{name}");
    }
}

#[test]
fn a_language_that_dmoj_does_not_have_is_a_mistake_with_a_suggestion() {
    let remedies = |program: &str| -> Vec<String> {
        let folder = folder(&format!("{CASES}{program}\n"));
        let Err(mistakes) = read_in(folder.path()) else {
            return vec![];
        };
        let remedies = mistakes.into_iter();
        remedies.filter_map(|one| one.remedy).collect()
    };
    let meant = "did you mean `CPP17`?";
    let other = "it has ADA, ALGL68, AWK, ";
    for (name, remedy) in [
        ("CPP17", None),
        ("PY3", None),
        ("C++17", Some(meant)),
        ("cpp17", Some(meant)),
        ("python 3", Some(other)),
    ] {
        for program in [
            format!(
                "checker: {{name: bridged, args: {{files: check.cpp, lang: {name}}}}}"
            ),
            format!("interactive: {{files: check.cpp, lang: {name}}}"),
            format!("generator: {{source: check.cpp, language: {name}}}"),
        ] {
            let found = remedies(&program);
            assert_eq!(found.len(), usize::from(remedy.is_some()), "{program}");
            let mut both = found.iter().zip(remedy);
            assert!(
                both.all(|(found, remedy)| found.starts_with(remedy)),
                "{program}"
            );
        }
    }
}

#[test]
fn a_checker_without_a_language_is_one_that_dmoj_fails_on() {
    let checker = "checker:\n  name: bridged\n  args: {files: check.cpp}\n";
    let package = read_in(folder(&format!("{CASES}{checker}")).path()).unwrap();
    let said = "init.yml:6: the checker has no `lang`, without which DMOJ fails";
    assert_eq!(package.deviations(), [said]);
}

#[test]
fn unsupported_keys_that_affect_verdicts_are_reported_with_their_line() {
    let checker = |name: &str| needs(&format!("checker: {name}\n{CASES}"));
    assert_eq!(checker("check.py"), ["1: a checker in Python (`check.py`)"]);
    assert_eq!(
        checker("{name: bridged, args: {files: check.cpp, type: peg}}"),
        ["1: checker of type `peg`"]
    );
    let of_two = "of several sources that are not all in C, or all in C++";
    assert_eq!(
        checker(
            "{name: bridged, args: {files: [check.cpp, more.c], args_format_string: '{case}'}}"
        ),
        [
            format!("1: a checker {of_two}"),
            "1: `args_format_string` with braces for other than its three files"
                .to_owned()
        ]
    );
    assert_eq!(
        needs(&format!(
            "custom_judge: grader.py\nunbuffered: true\n\
             generator: {{source: [check.cpp, more.c]}}\n{CASES}"
        )),
        [
            "1: a grader in Python (`custom_judge`)".to_owned(),
            format!("3: a generator {of_two}")
        ]
    );
    assert_eq!(
        needs(
            "checker: {name: bridged, args: {files: check.cpp}}\ntest_cases:\n- {in: 1.in, checker: {name: bridged, args: {files: more.cpp}}}\n"
        ),
        ["several programs that judge"]
    );
    assert_eq!(
        needs(&format!(
            "unbuffered: yes\ninteractive: {{files: check.cpp}}\n{CASES}"
        )),
        ["1: submissions that need not flush what they say (`unbuffered`)"]
    );
    assert_eq!(
        needs(
            "test_cases:\n- {in++: \"node = '1.in'\", out: 1.out}\n- batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out, points: 0}]\n"
        ),
        [
            "2: values that Python code makes (`in++`)",
            "3: a case without points in a batch with points"
        ]
    );
}

#[test]
fn all_mistakes_are_reported_at_once_with_their_line() {
    let init = "chekcer: standard\ntest_cases:\n- {in: 1.in, out: 1.out, points: many}\n- 7\n- batched: []\n- dependencies: [2]\n  batched:\n  - {in: 1.in, out: 1.out, interactive: x}\n  - {batched: [{in: 1.in}]}\nchecker: {name: floats, args: {precision: -1, error_mode: x, y: 1}}\n";
    assert_eq!(
        refused(init),
        [
            "3: `points` in `test_cases` must be a number of at least 0, found `many`",
            "4: `test_cases` must be a list of maps, found `7`",
            "5: the batch has no cases",
            "6: `dependencies` of batch 2 names `2`, which is not a batch before it",
            "9: a batch is in a batch",
            "10: `precision` in `args` must be a whole number from 0 to 300, found `-1`",
            "10: unknown error_mode `x`",
        ]
    );
    assert_eq!(refused("test_cases: []\n"), ["the problem has no cases"]);
    assert_eq!(
        refused(
            "archive: [a]\ntest_cases: {input_format: '(?=x)', case_points: [-1]}\n"
        ),
        [
            "1: `archive` must be a text, found a list",
            "2: `input_format` is not a supported pattern: look-around is not supported",
            "2: `case_points` holds `-1`, which is not a number of points",
        ]
    );
    assert_eq!(
        refused(
            "archive: x.zip\nchecker: {name: floats, args: {y: 1}}\ntest_cases: {case_points: 10}\n"
        ),
        [
            "1: the archive `x.zip` is not in the package",
            "3: `case_points` must be a list of numbers"
        ]
    );
    assert_eq!(
        refused(&format!(
            "checker: {{name: sorted, args: {{split_on: words}}}}\n{CASES}"
        )),
        ["1: unknown split_on `words`"]
    );
    let matches = |points: &str| {
        refused(&format!(
            "{CASES}checker: {{name: linematches, args: {{point_distribution: {points}}}}}\n"
        ))
    };
    let count = "`point_distribution` has 2 numbers, and the answer 1 line, not counting empty ones";
    assert_eq!(
        matches("[1, 1]"),
        [
            format!("2: the case 1: {count}"),
            format!("3: the case 2: {count}")
        ]
    );
    assert_eq!(
        matches("[-1]"),
        [
            "4: `point_distribution` holds `-1`, which is not a number of points",
            "4: `point_distribution` gives no points at all",
        ]
    );
    assert_eq!(
        matches("[0]"),
        ["4: `point_distribution` gives no points at all"]
    );
    assert_eq!(
        refused("test_cases: 7\n"),
        [
            "1: `test_cases` must be a map, found `7`",
            "1: there are neither `test_cases` nor an `archive` whose files are the cases"
        ]
    );
    assert_eq!(
        refused("archive: x.zip\ntest_cases:\n- {in: 9.in, out: 1.out}\n"),
        ["1: the archive `x.zip` is not in the package"]
    );
    assert_eq!(
        refused(
            "test_cases:\n- {in: ../pkg/1.in, out: 1.out}\n- {in: /etc/passwd, out: 1.out}\n"
        ),
        [
            "2: `../pkg/1.in` is neither next to it nor in its archive",
            "3: `/etc/passwd` is neither next to it nor in its archive"
        ]
    );
}

#[test]
fn keys_and_numbers_are_read_as_pyyaml_reads_them() {
    let init = "points: 010\npoints: 0x10\nx: &case {in: 1.in, out: 1.out}\ntest_cases:\n- {<<: *case, points: 010}\n- {in: 2.in, out: 2.out}\n- {batched:[{in: 1.in, out: 1.out}], points: 1_0}\n";
    let package = read_in(folder(init).path()).unwrap();
    assert_eq!(
        package.deviations(),
        [
            "init.yml:2: the key `points` is on line 1 already, and the one here counts",
            "init.yml:5: `points` in `test_cases` is 8, and 10 to readers of YAML 1.2",
            "init.yml:7: `points` in `test_cases` is 10, and a text to readers of YAML 1.2",
        ]
    );
}

#[test]
fn keys_that_dmoj_passes_over_are_no_reason_to_refuse_a_problem() {
    let init = format!("chekcer: standard\ntimelimit: 2\n{CASES}");
    let package =
        Package::read_as(&WantedPackage::Any, &folder(&init).path().join("pkg"), 100)
            .unwrap();
    assert_eq!(package.mistakes(), []);
    assert!(
        package.slips()[0]
            .to_string()
            .ends_with(":1: unknown key `chekcer`"),
        "{:?}",
        package.slips()
    );
    assert_eq!(package.ignored(), ["`timelimit`: DMOJ knows no such key"]);
}

#[test]
fn a_generator_makes_what_a_case_does_not_name() {
    let init = "generator: {source: check.cpp, args: [7]}\ntest_cases:\n- {generator_in: 1.in}\n\
                - {in: 2.in}\n- {out: 3.out, generator_args: [0x1F, 'b', yes, 1_0, 2.50]}\n- {in: 1.in, out: 1.out}\n";
    let place = folder(init);
    let package = read_in(place.path()).unwrap();
    let made: Vec<_> = package
        .generated
        .iter()
        .map(|made| {
            let is_input = |file: &std::path::PathBuf| {
                package.cases.iter().any(|case| case.input == *file)
            };
            let is_answer = |file: &std::path::PathBuf| {
                package.cases.iter().any(|case| case.answer == *file)
            };
            (
                made.name.as_str(),
                made.arguments.join(" "),
                made.stdin.is_some(),
                made.input.as_ref().map(is_input),
                made.answer.as_ref().map(is_answer),
            )
        })
        .collect();
    assert_eq!(
        made,
        [
            ("1", "7".to_owned(), true, Some(true), Some(true)),
            ("2", "7".to_owned(), false, None, Some(true)),
            ("3", "31 b True 10 2.5".to_owned(), false, Some(true), None),
        ]
    );
    for (init, wrong) in [
        (
            "generator: none.cpp\ntest_cases:\n- {points: 1}\n",
            "1: the generator `none.cpp` is not in the package",
        ),
        (
            "generator: check.cpp\ntest_cases:\n- {in: 1.in, generator_args: [1]}\n",
            "3: the case 1 names an input and calls a generator",
        ),
    ] {
        let place = folder(init);
        assert_eq!(shown(&read_in(place.path()).unwrap_err()), [wrong]);
    }
}

#[test]
fn harmless_keys_are_ignored_and_listed() {
    let init =
        format!("wall_time_factor: 5\nauthor: me\nshort_circuit: false\n{CASES}");
    assert_eq!(
        read_in(folder(&init).path()).unwrap().ignored(),
        [
            "`wall_time_factor`: no verdict here depends on it",
            "`short_circuit`: no verdict here depends on it",
            "`author`: DMOJ knows no such key"
        ]
    );
}

#[test]
fn programs_get_texts_in_which_a_line_feed_ends_every_line() {
    let folder = folder(&format!(
        "{CASES}- {{in: 3.in}}\n- {{in: 1.in, out: 3.out, binary_data: true}}\n"
    ));
    let put = |name: &str, text: &str| {
        fs::write(folder.path().join("pkg").join(name), text).unwrap()
    };
    put("1.in", "1\r\n2\r3");
    put("2.out", "\r\n\r");
    put("3.in", "");
    let package = read_in(folder.path()).unwrap();
    let texts: Vec<_> = package
        .cases
        .iter()
        .flat_map(|case| [&case.input, &case.answer])
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "1\n2\n3\n",
            "1\n",
            "2\n",
            "\n\n",
            "",
            "",
            "1\r\n2\r3",
            "3\n"
        ]
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("pkg/1.in")).unwrap(),
        "1\r\n2\r3"
    );
    assert!(package.cases[1].input.ends_with("pkg/2.in"));
    assert_eq!(
        package.deviations(),
        ["the case 3 names no `out`, so only an empty output is right"]
    );
}

#[test]
fn a_missing_answer_is_reported() {
    let package =
        read_in(folder("test_cases:\n- {in: 1.in, out: 9.out}\n").path()).unwrap();
    assert_eq!(
        shown(package.missing_answers()),
        ["2: `9.out` is neither next to it nor in its archive"]
    );
}
