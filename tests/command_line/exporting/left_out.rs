//! What the target of an export cannot express is expressed otherwise, or listed with
//! its reason.

use super::{Judge, RIGHT, WRONG, export};

const YAML: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 8ee7605a-7d66-4a4f-9a5a-0a0e2d3f3b7f\n\
    limits: {time_limit: 1.5, time_resolution: 0.1}\n";
const LEGACY: &str = "name: Twice\nlimits: {time_limit: 10}\n";

/// An input validator that wants the words `a b` and a number that is not less than the
/// input.
const MOST: &str = "import sys\nsys.exit(42 if sys.argv[1] == 'a b' and int(input()) <= int(sys.argv[2]) else 43)\n";

/// A package of 2025-09, or of the older format, with a sample, two groups and these
/// files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("one/problem.yaml", yaml);
    for (name, input, answer) in [
        ("sample/1", "1\n", "2\n"),
        ("secret/a/1", "5\n", "10\n"),
        ("secret/b/1", "6\n", "12\n"),
        ("secret/b/2", "7\n", "14\n"),
    ] {
        judge
            .put(format!("one/data/{name}.in"), input)
            .put(format!("one/data/{name}.ans"), answer);
    }
    judge.put("one/submissions/accepted/right.py", RIGHT);
    for (name, text) in files {
        judge.put(format!("one/{name}"), text);
    }
    judge
}

#[track_caller]
fn says(notes: &[String], expected: &str) {
    assert!(
        notes.iter().any(|note| note == expected),
        "{expected}: {notes:#?}"
    );
}

/// Verifies an exported package. Returns what is said of it, if anything is wrong.
#[track_caller]
fn is_sound(judge: &Judge, place: &str) {
    let ran = judge.run(&["verify", &format!("./{place}"), "-q"]);
    assert_eq!(ran.code, Some(0), "{place}: {}{}", ran.stdout, ran.stderr);
}

#[test]
fn arguments_of_input_validators_go_to_the_folders_and_cases_that_have_them() {
    let files = [
        ("input_validators/most.py", MOST),
        (
            "data/sample/test_group.yaml",
            "input_validator_args: [a b, \"1\"]\n",
        ),
        (
            "data/secret/a/test_group.yaml",
            "input_validator_args: [a b, \"5\"]\n",
        ),
        (
            "data/secret/b/1.yaml",
            "input_validator_args: [a b, \"6\"]\n",
        ),
        (
            "data/secret/b/2.yaml",
            "input_validator_args: {most.py: [a b, \"7\"]}\n",
        ),
    ];
    let judge = package(YAML, &files);
    is_sound(&judge, "one");
    let because = "arguments of input validators are left out: ";
    let files = files.map(|(name, text)| (name, text.replace("a b", "a_b")));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let judge = package(YAML, &files);
    is_sound(&judge, "one");
    for (target, place) in [("kattis-legacy", "old"), ("domjudge", "dj")] {
        let by_folder = format!(
            "{target} sets them by folder, and in `secret/b` they are `a_b 6` on secret/b/1; `a_b 7` on secret/b/2"
        );
        says(
            &export(&judge, "./one", target, place),
            &format!("{because}{by_folder}"),
        );
    }
    judge
        .put(
            "one/data/secret/b/2.yaml",
            "input_validator_args: [a_b, \"6\"]\n",
        )
        .put("one/data/secret/b/2.in", "6\n");
    judge.put("one/data/secret/b/2.ans", "12\n");
    let told = export(&judge, "./one", "kattis-legacy", "by-folder");
    assert!(
        !told.iter().any(|note| note.contains("arguments")),
        "{told:#?}"
    );
    assert_eq!(
        judge.read("by-folder/data/secret/b/testdata.yaml"),
        "input_validator_flags: \"a_b 6\"\n"
    );
    is_sound(&judge, "by-folder");
    export(&judge, "./by-folder", "kattis-2025-09", "back");
    assert_eq!(
        judge.read("back/data/secret/b/test_group.yaml"),
        "input_validator_args: [\"a_b\", \"6\"]\n"
    );
    is_sound(&judge, "back");
    judge.put(
        "one/data/secret/b/test_group.yaml",
        "input_validator_args: [a b, \"\"]\n",
    );
    judge
        .remove("one/data/secret/b/1.yaml")
        .remove("one/data/secret/b/2.yaml");
    let blank = "`a b` holds a blank, at which kattis-legacy splits them";
    says(
        &export(&judge, "./one", "kattis-legacy", "blank"),
        &format!("{because}{blank}"),
    );
}

#[test]
fn arguments_of_single_cases_and_programs_stay_in_2025_09() {
    let legacy = [
        ("input_validators/most.py", MOST.replace("a b", "a_b")),
        (
            "data/testdata.yaml",
            "input_validator_flags: a_b 7\n".to_owned(),
        ),
    ];
    let files = legacy.each_ref().map(|(name, text)| (*name, text.as_str()));
    let judge = package(LEGACY, &files);
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    assert!(
        !told.iter().any(|note| note.contains("arguments")),
        "{told:#?}"
    );
    is_sound(&judge, "new");
    export(&judge, "./new", "kattis-legacy", "back");
    is_sound(&judge, "back");
}

#[test]
fn flags_of_groups_are_exported_or_refused_with_the_cases_that_have_them() {
    let near = "n = int(input())\nprint(2 * n + (0.5 if n > 1 else 0))\n";
    let files = [
        (
            "data/secret/b/testdata.yaml",
            "output_validator_flags: float_tolerance 1\n",
        ),
        (
            "data/secret/a/testdata.yaml",
            "output_validator_flags: float_tolerance 1\n",
        ),
        ("submissions/accepted/near.py", near),
        (
            "submissions/wrong_answer/far.py",
            "print(2 * int(input()) + 0.5)\n",
        ),
    ];
    let judge = package(LEGACY, &files);
    is_sound(&judge, "one");
    export(&judge, "./one", "kattis-2025-09", "new");
    is_sound(&judge, "new");
    export(&judge, "./new", "kattis-legacy", "back");
    is_sound(&judge, "back");
    let expected = "output_validator_flags: \"float_tolerance 1\"\n";
    assert_eq!(judge.read("back/data/secret/a/testdata.yaml"), expected);
    let differently = "not all cases are judged alike: no flags on sample/1; flags `float_tolerance 1` on secret/a/1, secret/b/1, secret/b/2";
    judge.refuses(
        &["export", "./new", "--to", "domjudge", "dj"],
        &format!(
            "error: ./new/problem.yaml: {differently}; domjudge takes one set of flags for all of them\n\
             hint: export it to kattis-2025-09, or give all cases the same flags"
        ),
    );
    judge.put(
        "new/data/secret/b/2.yaml",
        "output_validator_args: [float_tolerance, \"1\", case_sensitive]\n",
    );
    judge.refuses(
        &["export", "./new", "--to", "kattis-legacy", "old"],
        "error: ./new/problem.yaml: not all cases are judged alike: no flags on sample/1; flags `case_sensitive float_tolerance 1` on secret/b/2; \
         flags `float_tolerance 1` on secret/a/1, secret/b/1; kattis-legacy sets them by folder, and in `secret/b` they are \
         `case_sensitive float_tolerance 1` on secret/b/2; `float_tolerance 1` on secret/b/1\n\
         hint: export it to kattis-2025-09, or give all cases of a folder the same flags",
    );
}

#[test]
fn cases_that_are_judged_by_different_rules_are_named_with_their_rules() {
    let judge = Judge::new();
    judge.put("one/init.yml", "test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n- {in: 1.in, out: 1.out, points: 5, checker: rstripped}\n");
    judge.put("one/1.in", "1\n").put("one/1.out", "2\n");
    judge.refuses(
        &["export", "./one", "--to", "kattis-2025-09", "new"],
        "error: ./one/init.yml: not all cases are judged alike: DMOJ's `rstripped` on 1~2; DMOJ's `standard` on 1; \
         kattis-2025-09 judges all of them by one rule\n\
         hint: give all cases the same rule, or judge it as it is",
    );
}

#[test]
fn a_time_limit_that_is_measured_is_left_out_for_domjudge_which_has_a_default() {
    let judge = package("name: Twice\n", &[]);
    let notes = export(&judge, "./one", "domjudge", "new");
    says(
        &notes,
        "the package gives no time limit: DOMjudge uses 10 s",
    );
    judge.put("one/domjudge-problem.ini", "timelimit = 2\n");
    let notes = export(&judge, "./one", "domjudge", "limited");
    assert!(
        notes.iter().all(|note| !note.contains("10 s")),
        "{notes:#?}"
    );
}

#[test]
fn what_is_expected_on_single_cases_and_in_points_is_listed_as_left_out() {
    let half = "n = int(input())\nprint(2 * n if n < 6 else 0)\n";
    let yaml = YAML.replace("limits:", "type: scoring\nlimits:");
    let files = [
        ("data/secret/a/test_group.yaml", "max_score: 40\n"),
        ("data/secret/b/test_group.yaml", "max_score: 60\n"),
        ("submissions/mixed/half.py", half),
        ("submissions/wrong_answer/half.py", half),
        (
            "submissions/submissions.yaml",
            "mixed/half.py:\n  permitted: [AC, WA]\n  score: 40\nwrong_answer/half.py:\n  secret/b: {required: [WA]}\n",
        ),
    ];
    let judge = package(&yaml, &files);
    is_sound(&judge, "one");
    for target in ["kattis-legacy", "domjudge"] {
        let notes = export(&judge, "./one", target, target);
        says(
            &notes,
            "the points that these expect are left out: mixed/half.py",
        );
        says(
            &notes,
            "the verdicts that these expect for single cases are left out: wrong_answer/half.py",
        );
    }
}

#[test]
fn hints_and_descriptions_of_cases_are_carried_in_the_form_of_each_format() {
    let hint = "think \"twice\":\n  \u{e4}\\n\n";
    let files = [
        ("data/secret/a/1.hint", hint),
        ("data/secret/b/1.desc", "seven"),
        ("data/sample/1.hint", ""),
    ];
    let judge = package(LEGACY, &files);
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    assert!(
        !told
            .iter()
            .any(|note| note.contains("data/") && note.contains("left out")),
        "{told:#?}"
    );
    is_sound(&judge, "new");
    let quoted = "hint: \"think \\\"twice\\\":\\n  \u{e4}\\\\n\\n\"\n";
    assert_eq!(judge.read("new/data/secret/a/1.yaml"), quoted);
    assert_eq!(
        judge.read("new/data/secret/b/1.yaml"),
        "description: \"seven\"\n"
    );
    for target in ["kattis-legacy", "domjudge"] {
        let told = export(&judge, "./new", target, target);
        assert!(
            !told.iter().any(|note| note.contains("`data/`")),
            "{told:#?}"
        );
        for (name, text) in files {
            assert_eq!(
                judge.read(&format!("{target}/{name}")),
                text,
                "{target}: {name}"
            );
        }
        is_sound(&judge, target);
    }
}

#[test]
fn files_and_settings_of_cases_without_a_place_are_listed() {
    let files = [
        ("data/sample/1.in.statement", "one\n"),
        (
            "data/secret/a/1.yaml",
            "hint: think\nfull_feedback: true\noutput_visualizer_args: [x]\n",
        ),
    ];
    let told = export(&package(YAML, &files), "./one", "kattis-legacy", "old");
    says(
        &told,
        "files `.statement` in `data/` are left out: kattis-legacy has no such files",
    );
    says(
        &told,
        "settings in `data/` are left out, which kattis-legacy has no words for: `full_feedback`, `output_visualizer_args`",
    );
}

/// A Polygon package with a solution of which any rejection is expected.
fn polygon() -> Judge {
    let judge = Judge::new();
    judge.put(
        "one/problem.xml",
        "<problem short-name=\"twice\"><names><name language=\"english\" value=\"Twice\"/></names><judging><testset name=\"tests\">\
         <time-limit>1500</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>\
         <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
         <tests><test method=\"manual\"/></tests></testset></judging><assets>\
         <checker type=\"testlib\"><source path=\"files/check.py\" type=\"python.3\"/></checker><solutions>\
         <solution tag=\"main\"><source path=\"solutions/right.py\" type=\"python.3\"/></solution>\
         <solution tag=\"rejected\"><source path=\"solutions/wrong.py\" type=\"python.3\"/></solution>\
         </solutions></assets></problem>\n",
    );
    judge
        .put("one/tests/01", "5\n")
        .put("one/tests/01.a", "10\n");
    judge
        .put("one/solutions/right.py", RIGHT)
        .put("one/solutions/wrong.py", WRONG);
    let check = "import sys\nsame = open(sys.argv[2]).read().split() == open(sys.argv[3]).read().split()\nsys.exit(0 if same else 1)\n";
    judge.put("one/files/check.py", check);
    judge
}

#[test]
fn a_solution_of_which_any_rejection_is_expected_goes_where_the_format_says_so() {
    let judge = polygon();
    is_sound(&judge, "one");
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    says(
        &told,
        "here these may also fail to compile, which kattis-2025-09 cannot express: wrong.py",
    );
    assert_eq!(judge.read("new/submissions/rejected/wrong.py"), WRONG);
    export(&judge, "./one", "domjudge", "dj");
    let tagged = format!(
        "{WRONG}\n# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT, RUN-ERROR, COMPILER-ERROR, MEMORY-LIMIT, OUTPUT-LIMIT, NO-OUTPUT\n"
    );
    assert_eq!(
        sorted_words(&judge.read("dj/submissions/mixed/wrong.py")),
        sorted_words(&tagged)
    );
    let told = export(&judge, "./one", "kattis-legacy", "old");
    says(
        &told,
        "submission wrong.py is left out: the format has no folder for `WA or TLE or RTE`",
    );
    for place in ["new", "dj", "old"] {
        is_sound(&judge, place);
    }
}

fn sorted_words(text: &str) -> Vec<&str> {
    let mut words: Vec<_> = text.split([' ', ',', '\n']).collect();
    words.sort_unstable();
    words
}

#[test]
fn languages_that_domjudge_judges_only_on_demand_are_listed() {
    let files = [
        ("submissions/accepted/right.sh", "read n; echo $((2 * n))\n"),
        ("submissions/wrong_answer/both/main.rs", ""),
        ("output_validators/check/check.sh", "exit 42\n"),
        ("domjudge-problem.ini", "name = x\n"),
    ];
    let judge = package(
        "name: Twice\nvalidation: custom\nlimits: {time_limit: 10}\n",
        &files,
    );
    let told = export(&judge, "./one", "domjudge", "dj");
    says(
        &told,
        "DOMjudge judges C, C++, Java and Python, and other languages only if they are turned on or added there; until then it skips: \
         accepted/right.sh, wrong_answer/both",
    );
    says(
        &told,
        "DOMjudge cannot build output_validators/check/check.sh: it takes C, C++, Java, Python, or a script `build` or `run`",
    );
    let told = export(&judge, "./one", "kattis-2025-09", "new");
    assert!(
        !told.iter().any(|note| note.contains("DOMjudge")),
        "{told:#?}"
    );
}

#[test]
fn an_archive_with_names_that_differ_only_in_case_is_not_written() {
    let judge = package(
        LEGACY,
        &[("attachments/Help.txt", ""), ("attachments/help.txt", "")],
    );
    judge.refuses(
        &["export", "./one", "--to", "kattis-legacy", "old.zip"],
        "error: old.zip: cannot hold `attachments/Help.txt` and `attachments/help.txt`, which differ in upper and lower case only\n\
         hint: rename one of them, or export a folder",
    );
    export(&judge, "./one", "kattis-legacy", "old");
    is_sound(&judge, "old");
}
