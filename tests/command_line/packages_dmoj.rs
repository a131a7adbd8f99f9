//! Judges problems of DMOJ in place, with right and wrong submissions.

use crate::judge::share::at_any_number_of_jobs;
use crate::judge::{Judge, needs_cc};

/// A right submission, which prints twice the number that it reads.
const RIGHT: &str = "read n\necho $((2 * n))\n";

/// A wrong submission, which is right only for 1 and 2.
const WRONG: &str = "read n\n[ $n -lt 3 ] && echo $((2 * n)) || echo 7\n";

/// A problem that asks for twice a number, with the cases 1 to 4.
fn problem(init: &str) -> Judge {
    let judge = Judge::new();
    for number in 1..=4 {
        judge.put(format!("pkg/twice/{number}.in"), format!("{number}\n"));
        judge.put(
            format!("pkg/twice/{number}.out"),
            format!("{}\n", 2 * number),
        );
    }
    judge
        .put("pkg/twice/init.yml", init)
        .put("right.sh", RIGHT)
        .put("wrong.sh", WRONG);
    judge
}

/// The verdict on each case and the points of a submission, which must be the same at
/// any number of jobs.
fn judged(judge: &Judge, package: &str, submission: &str) -> Vec<String> {
    at_any_number_of_jobs(|jobs| {
        let arguments = [
            "grade",
            "-p",
            package,
            submission,
            "--all",
            "-q",
            "--log",
            "log.jsonl",
        ];
        judge.forget();
        let ran = judge.run(&[&arguments[..], &[jobs]].concat());
        assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
        let log = judge.read("log.jsonl");
        let events: Vec<serde_json::Value> = log
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let trials = events
            .iter()
            .filter(|event| event["event"] == "trial_finished");
        let points = events
            .iter()
            .filter(|event| event["event"] == "submission_finished");
        let points = points.map(|event| {
            format!("{} of {}", event["score"]["earned"], event["score"]["of"])
        });
        trials
            .map(|trial| {
                ["case", "verdict"]
                    .map(|key| trial[key].as_str().unwrap_or_default().to_owned())
                    .join(" ")
            })
            .chain(points)
            .collect::<Vec<_>>()
    })
}

/// An archive of these files, given by name and text.
fn packed<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = rawzip::ZipArchiveWriter::new(vec![]);
    for (name, text) in files {
        let (mut entry, config) = archive.new_file(name).start().unwrap();
        let mut data = config.wrap(&mut entry);
        data.write_all(text.as_ref()).unwrap();
        let (_, descriptor) = data.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// The same archive with `..` instead of `xx` in its names.
fn led_out(mut archive: Vec<u8>) -> Vec<u8> {
    let places: Vec<_> = (0..archive.len())
        .filter(|at| archive[*at..].starts_with(b"xx/"))
        .collect();
    for at in places {
        archive[at..at + 2].copy_from_slice(b"..");
    }
    archive
}

/// The number of temporary folders of packages that are left.
fn left(judge: &Judge) -> usize {
    judge.path("tmp").read_dir().unwrap().count()
}

#[test]
fn each_case_has_its_points() {
    let judge = problem(
        "test_cases:\n- {in: 1.in, out: 1.out, points: 10}\n- {in: 3.in, out: 3.out, points: 20}\n",
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "right.sh"),
        ["1 AC", "3 AC", "30 of 30"]
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "wrong.sh"),
        ["1 AC", "3 WA", "10 of 30"]
    );
}

#[test]
fn a_batch_is_all_or_nothing_and_counts_only_if_its_dependencies_passed() {
    let judge = problem(
        "test_cases:\n- points: 10\n  batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]\n- points: 20\n  batched: [{in: 1.in, out: 1.out}, {in: 3.in, out: 3.out}]\n- points: 30\n  dependencies: [1]\n  batched: [{in: 2.in, out: 2.out}]\n- points: 40\n  dependencies: [1, 2]\n  batched: [{in: 2.in, out: 2.out}]\n",
    );
    let cases = [
        "batch1/1", "batch1/2", "batch2/1", "batch2/3", "batch3/2", "batch4/2",
    ];
    let right: Vec<_> = cases
        .iter()
        .map(|case| format!("{case} AC"))
        .chain(["100 of 100".to_owned()])
        .collect();
    assert_eq!(judged(&judge, "pkg/twice", "right.sh"), right);
    let wrong = judged(&judge, "pkg/twice", "wrong.sh");
    assert_eq!(
        (wrong[3].as_str(), wrong.last().unwrap().as_str()),
        ("batch2/3 WA", "40 of 100")
    );
}

/// A batch gives the points of its worst case, of the most that one of them is worth.
#[test]
fn a_batch_gives_the_points_of_its_cases_and_not_its_own() {
    let judge = problem(
        "test_cases:\n- batched: [{in: 1.in, out: 1.out, points: 20}, {in: 2.in, out: 2.out, points: 20}]\n- points: 90\n  batched: [{in: 1.in, out: 1.out, points: 3}, {in: 3.in, out: 3.out, points: 5}]\n",
    );
    let right = judged(&judge, "pkg/twice", "right.sh");
    let wrong = judged(&judge, "pkg/twice", "wrong.sh");
    let points = [right, wrong].map(|lines| lines.last().cloned().unwrap());
    assert_eq!(points, ["23 of 25", "20 of 25"]);
}

#[test]
fn doctor_does_not_say_how_a_checker_compares_that_is_not_supported() {
    let cases = "test_cases:\n- {in: 1.in, out: 1.out}\n";
    for (checker, comparing) in [
        ("check.py", "unknown"),
        ("standard", "line by line, token by token"),
    ] {
        let judge = problem(&format!("checker: {checker}\n{cases}"));
        judge.put("pkg/twice/check.py", "def check(*args): return True\n");
        let page = judge.run(&["doctor", "./pkg/twice"]).stdout;
        let row = format!("  comparing     {comparing}\n");
        assert!(page.contains(&row), "{page}");
    }
}

#[test]
fn a_batch_without_points_closes_what_follows_only_if_it_is_judged() {
    let batch = |points: u8, dependencies: &str, case: u8| {
        format!(
            "- points: {points}\n  dependencies: {dependencies}\n  batched: [{{in: {case}.in, out: {case}.out}}]\n"
        )
    };
    let points = |second: &str, case: u8| {
        let batches = [
            batch(10, "[]", 3),
            batch(0, second, case),
            batch(20, "[]", 1),
            batch(40, "[2]", 1),
        ];
        let judge = problem(&format!("test_cases:\n{}", batches.concat()));
        judged(&judge, "pkg/twice", "wrong.sh").pop().unwrap()
    };
    assert_eq!(points("[]", 4), "0 of 70");
    assert_eq!(points("[]", 1), "60 of 70");
    // The first batch has failed, so the second is not judged, whatever it has.
    assert_eq!(points("[1]", 4), "20 of 70");
    assert_eq!(points("[1]", 1), "20 of 70");
}

#[test]
fn batches_that_depend_on_all_earlier_ones_are_counted_quickly() {
    let batch = |number: usize| {
        let before: Vec<_> = (1..number).map(|other| other.to_string()).collect();
        format!(
            "- {{points: 1, dependencies: [{}], batched: [{{in: 1.in, out: 1.out}}]}}\n",
            before.join(", ")
        )
    };
    let judge = problem(&format!(
        "test_cases:\n{}",
        (1..=40).map(batch).collect::<String>()
    ));
    let ran =
        judge.run(&["grade", "-p", "pkg/twice", "right.sh", "--case", "batch40"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn after_a_failed_pretest_nothing_counts() {
    let judge = problem(
        "pretest_test_cases:\n- {in: 3.in, out: 3.out}\ntest_cases:\n- {in: 1.in, out: 1.out, points: 5}\n",
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "right.sh"),
        ["pretest/3 AC", "1 AC", "5 of 5"]
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "wrong.sh").last().unwrap(),
        "0 of 5"
    );
}

#[test]
fn after_a_failed_case_without_points_no_other_case_is_judged_even_with_all() {
    let judge = problem(
        "pretest_test_cases:\n- {in: 3.in, out: 3.out}\n- {in: 1.in, out: 1.out}\n\
         test_cases:\n- {in: 1.in, out: 1.out, points: 0}\n- {in: 1.in, out: 1.out, points: 5}\n",
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "wrong.sh"),
        ["pretest/3 WA", "pretest/1 SK", "1 SK", "1~4 SK", "0 of 5"]
    );
}

/// A generator that prints its argument, or a number from its input, and as answer
/// twice that, with the line break of another system.
const GENERATOR: &str = "import sys\nn = int((sys.argv[1:] or [sys.stdin.read()])[0])\n\
                         print(n)\nprint(2 * n, end='\\r', file=sys.stderr)\n";

#[test]
fn a_generator_makes_inputs_and_answers_whenever_a_problem_is_judged() {
    let judge = problem(
        "generator: gen.py\ntest_cases:\n- {generator_args: [9], points: 2}\n\
         - {generator_in: 2.in, points: 3}\n- {in: 1.in, out: 1.out}\n",
    );
    judge.put("pkg/twice/gen.py", GENERATOR);
    let right = ["1 AC", "2 AC", "1~3 AC", "6 of 6"];
    assert_eq!(judged(&judge, "pkg/twice", "right.sh"), right);
    let wrong = ["1 WA", "2 AC", "1~3 AC", "4 of 6"];
    assert_eq!(judged(&judge, "pkg/twice", "wrong.sh"), wrong);
    // Nothing is kept of what it made.
    judge.put("pkg/twice/gen.py", GENERATOR.replace("2 * n", "3 * n"));
    let other = ["1 WA", "2 WA", "1~3 AC", "1 of 6"];
    assert_eq!(judged(&judge, "pkg/twice", "right.sh"), other);
    assert_eq!(left(&judge), 0);
    let listed = judge.run(&["list", "./pkg/twice"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
}

#[test]
fn a_generator_that_fails_is_named_with_its_case() {
    let judge = problem("generator: gen.py\ntest_cases:\n- {points: 1}\n");
    for (text, said) in [
        (
            "import sys\nsys.exit('no such size')\n",
            "gen.py: making the case 1: it ended with exit code 1: no such size",
        ),
        ("if\n", "gen.py: does not compile: it cannot be parsed"),
        (
            "open('/pkg', 'w')\n",
            "gen.py: making the case 1: it ended with exit code 1",
        ),
    ] {
        judge.put("pkg/twice/gen.py", text);
        let ran = judge.run(&["grade", "-p", "pkg/twice", "right.sh"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
}

#[test]
fn cases_may_be_in_an_archive_and_no_temporary_file_is_left() {
    let judge = problem(
        "archive: data.zip\ntest_cases:\n- {in: a/9.in, out: a/9.out}\n- {in: 1.in, out: 1.out}\n",
    );
    judge.put(
        "pkg/twice/data.zip",
        packed(&[("a/9.in", "9"), ("a/9.out", "18"), ("1.in", "no number")]),
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "right.sh"),
        ["a/9 AC", "1 AC", "2 of 2"]
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "wrong.sh"),
        ["a/9 WA", "1 AC", "1 of 2"]
    );
    assert_eq!(left(&judge), 0);
    // The same as an archive of the whole problem.
    let init = b"archive: data.zip\n".to_vec();
    let data =
        packed(&[("1.in", "1"), ("1.out", "2"), ("3.in", "3"), ("3.out", "6")]);
    judge.put(
        "whole.zip",
        packed(&[("twice/init.yml", init), ("twice/data.zip", data)]),
    );
    assert_eq!(
        judged(&judge, "whole.zip", "wrong.sh"),
        ["1 AC", "3 WA", "1 of 2"]
    );
    assert_eq!(left(&judge), 0);
}

#[test]
fn unlisted_cases_are_found_by_their_names_in_the_archive() {
    let judge = problem("archive: data.zip\n");
    let files = [
        ("x.1.in", "1"),
        ("x.1.out", "2"),
        ("x.3-1.in", "3"),
        ("x.3-1.out", "6"),
        ("x.3-2.in", "2"),
        ("x.3-2.out", "4"),
    ];
    judge.put("pkg/twice/data.zip", packed(&files));
    assert_eq!(
        judged(&judge, "pkg/twice", "right.sh"),
        ["x.1 AC", "batch1/x.3-1 AC", "batch1/x.3-2 AC", "2 of 2"]
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "wrong.sh").last().unwrap(),
        "1 of 2"
    );
    let formats = "archive: data.zip\ntest_cases:\n  input_format: 'x\\.(?P<case>1)\\.in'\n  output_format: 'x\\.(?P<case>1)\\.out'\n  case_points: [7]\n";
    judge.put("pkg/twice/init.yml", formats);
    assert_eq!(
        judged(&judge, "pkg/twice", "right.sh"),
        ["x.1 AC", "7 of 7"]
    );
}

#[test]
fn an_archive_with_paths_that_leave_its_folder_is_refused_and_nothing_is_left() {
    let judge = problem("archive: data.zip\ntest_cases:\n- {in: 1.in, out: 1.out}\n");
    judge.put(
        "pkg/twice/data.zip",
        led_out(packed(&[("xx/evil.in", "1")])),
    );
    let ran = judge.run(&["grade", "-p", "pkg/twice", "right.sh"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains(
            "pkg/twice/data.zip: the entry `../evil.in` leads out of the archive"
        ),
        "{}",
        ran.stderr
    );
    judge.put("pkg/twice/data.zip", "no archive");
    assert_eq!(
        judge.run(&["grade", "-p", "pkg/twice", "right.sh"]).code,
        Some(2)
    );
    assert_eq!(left(&judge), 0);
}

#[test]
fn lines_and_numbers_are_compared_as_the_checker_specifies() {
    for (checker, loose, strict) in [
        (
            "standard",
            "read n\necho\necho \"  $((2 * n))  \"\n",
            "read n\necho $((2 * n)) 0\n",
        ),
        (
            "rstripped",
            "read n\necho \"$((2 * n))  \"\n",
            "read n\necho $((2 * n))\necho\n",
        ),
        (
            "identical",
            "read n\necho $((2 * n))\n",
            "read n\necho \"$((2 * n)) \"\n",
        ),
        (
            "{name: floats, args: {precision: 2}}",
            "read n\necho $((2 * n)).009\n",
            "read n\necho $((2 * n)).1\n",
        ),
        (
            "{name: floatsabs, args: {precision: 1}}",
            "read n\necho $((2 * n)).09\n",
            "read n\necho $((2 * n)).2\n",
        ),
        (
            "{name: floatsrel, args: {precision: 1}}",
            "read n\necho $((21 * n / 10)).$((21 * n % 10))\n",
            "read n\necho $((23 * n / 10)).$((23 * n % 10))\n",
        ),
    ] {
        let judge = problem(&format!(
            "checker: {checker}\ntest_cases:\n- {{in: 1.in, out: 1.out}}\n- {{in: 4.in, out: 4.out}}\n"
        ));
        judge.put("loose.sh", loose).put("strict.sh", strict);
        assert_eq!(
            judged(&judge, "pkg/twice", "loose.sh").last().unwrap(),
            "2 of 2",
            "{checker}"
        );
        assert_eq!(
            judged(&judge, "pkg/twice", "strict.sh").last().unwrap(),
            "0 of 2",
            "{checker}"
        );
    }
}

/// A checker that accepts twice the input.
const CHECKER: &str = "#include <cstdio>\nint main(int, char **names) {\n  long n, m;\n  std::fscanf(std::fopen(names[1], \"r\"), \"%ld\", &n);\n  if (std::fscanf(std::fopen(names[2], \"r\"), \"%ld\", &m) != 1) return 1;\n  return m == 2 * n ? 0 : 1;\n}\n";

#[test]
fn a_bridged_checker_judges_by_its_exit_code() {
    needs_cc();
    for kind in ["default", "testlib"] {
        let judge = problem(&format!(
            "checker: {{name: bridged, args: {{files: check.cpp, lang: CPP17, type: {kind}}}}}\ntest_cases:\n- {{in: 1.in, points: 2}}\n- {{in: 3.in, points: 3}}\n"
        ));
        judge.put("pkg/twice/check.cpp", CHECKER);
        assert_eq!(
            judged(&judge, "pkg/twice", "right.sh"),
            ["1 AC", "3 AC", "5 of 5"],
            "{kind}"
        );
        assert_eq!(
            judged(&judge, "pkg/twice", "wrong.sh"),
            ["1 AC", "3 WA", "2 of 5"],
            "{kind}"
        );
    }
}

/// A checker of testlib's protocol that gives 50 points for every output.
const HALF: &str = "#include <cstdio>\nint main() {\n  std::fprintf(stderr, \"points 50 half\\n\");\n  return 7;\n}\n";

#[test]
fn a_checker_may_give_its_points_in_per_cent_in_all_cases_or_in_some() {
    needs_cc();
    let checker = "{name: bridged, args: {files: check.cpp, type: testlib, treat_checker_points_as_percentage: true}}";
    let cases = "test_cases:\n- {in: 1.in, points: 3}\n- {points: 8, batched: [{in: 3.in}, {in: 4.in}]}\n";
    for (everywhere, earned) in [(true, "5.5 of 11"), (false, "1.5 of 3")] {
        let judge = problem(&if everywhere {
            format!("checker: {checker}\n{cases}")
        } else {
            format!("test_cases:\n- {{in: 1.in, points: 3, checker: {checker}}}\n")
        });
        judge.put("pkg/twice/check.cpp", HALF);
        assert_eq!(
            judged(&judge, "pkg/twice", "right.sh").last().unwrap(),
            earned
        );
    }
}

/// An interactor that sends a number and accepts its double.
const INTERACTOR: &str = "#include <cstdio>\nint main(int, char **names) {\n  long n, m;\n  std::fscanf(std::fopen(names[1], \"r\"), \"%ld\", &n);\n  std::printf(\"%ld\\n\", n);\n  std::fflush(stdout);\n  return std::scanf(\"%ld\", &m) == 1 && m == 2 * n ? 0 : 1;\n}\n";

#[test]
fn an_interactor_communicates_with_the_submission() {
    needs_cc();
    for kind in ["default", "testlib"] {
        let judge = problem(&format!(
            "interactive: {{files: talk.cpp, type: {kind}}}\ntest_cases:\n- {{in: 1.in, points: 2}}\n- {{in: 3.in, points: 3}}\n"
        ));
        judge.put("pkg/twice/talk.cpp", INTERACTOR);
        assert_eq!(
            judged(&judge, "pkg/twice", "right.sh"),
            ["1 AC", "3 AC", "5 of 5"],
            "{kind}"
        );
        assert_eq!(
            judged(&judge, "pkg/twice", "wrong.sh"),
            ["1 AC", "3 WA", "2 of 5"],
            "{kind}"
        );
    }
}

#[test]
fn programs_get_normalised_line_breaks_and_files_are_not_changed() {
    let judge =
        problem("checker: identical\ntest_cases:\n- {in: 1.in, out: 1.out}\n");
    judge
        .put("pkg/twice/1.in", "1\r\n")
        .put("pkg/twice/1.out", "2");
    judge.put(
        "raw.py",
        "import sys\nprint(2 if sys.stdin.buffer.read() == b'1\\n' else 3)\n",
    );
    assert_eq!(judged(&judge, "pkg/twice", "raw.py"), ["1 AC", "1 of 1"]);
    assert_eq!(judge.read("pkg/twice/1.in"), "1\r\n");
    assert_eq!(left(&judge), 0);
}

/// DMOJ asks `linecount` after a crash, too, and its site counts the points of a case
/// whatever its verdict is. A batch ends with its first failed case, so that only its
/// last case keeps points; one of which every line is right has not failed.
#[test]
fn right_lines_count_with_linecount_whatever_becomes_of_the_run() {
    let judge = problem(
        "checker: linecount\ntest_cases:\n- {in: 1.in, out: 1.out, points: 9}\n- points: 30\n  batched:\n  - {in: 2.in, out: 2.out}\n  - {in: 3.in, out: 3.out}\n",
    );
    judge
        .put("pkg/twice/1.out", "2\nx\ny\n")
        .put("pkg/twice/2.out", "4\n")
        .put("pkg/twice/3.out", "6\n7\n8\n");
    let verdicts = |source: &str| {
        judge.put("lines.sh", format!("read n\necho $((2 * n))\n{source}\n"));
        judged(&judge, "pkg/twice", "lines.sh")
    };
    assert_eq!(
        verdicts(""),
        ["1 WA", "batch1/2 AC", "batch1/3 WA", "13 of 39"]
    );
    assert_eq!(
        verdicts("exit $((n - 2))"),
        ["1 RE", "batch1/2 AC", "batch1/3 RE", "13 of 39"]
    );
    assert_eq!(
        verdicts("exit 1"),
        ["1 RE", "batch1/2 RE", "batch1/3 RE", "13 of 39"]
    );
    assert_eq!(
        verdicts("[ $n != 2 ] || echo 0"),
        ["1 WA", "batch1/2 WA", "batch1/3 WA", "3 of 39"]
    );
    let ran = judge.run(&[
        "check",
        "-p",
        "pkg/twice",
        "pkg/twice/1.in",
        "pkg/twice/2.out",
    ]);
    assert!(
        ran.stdout
            .ends_with("WA (wrong answer), for 0/3 of the points\n"),
        "{ran:?}"
    );
}

#[test]
fn an_output_with_any_points_of_linematches_is_accepted_for_a_part() {
    let judge = problem(
        "checker: {name: linematches, args: {point_distribution: [1, 2]}}\ntest_cases:\n- {in: 1.in, out: 1.out, points: 9}\n- {in: 2.in, out: 2.out, points: 9}\n",
    );
    judge
        .put("pkg/twice/1.out", "2\n3\n")
        .put("pkg/twice/2.out", "4\nx\n");
    judge.put("lines.sh", "read n\necho $((2 * n))\necho $((n + 2))\n");
    assert_eq!(
        judged(&judge, "pkg/twice", "lines.sh"),
        ["1 AC", "2 AC", "12 of 18"]
    );
    judge.put(
        "crash.sh",
        "read n\necho $((2 * n))\necho $((n + 2))\nexit $((n - 1))\n",
    );
    assert_eq!(
        judged(&judge, "pkg/twice", "crash.sh"),
        ["1 AC", "2 RE", "9 of 18"]
    );
}

#[test]
fn an_unsupported_feature_is_refused_with_its_line() {
    let judge = problem("test_cases:\n- {in: 1.in, out: 1.out}\nchecker: check.py\n");
    let ran = judge.run(&["grade", "-p", "pkg/twice", "right.sh"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let expected = "error: pkg/twice/init.yml:3: the package needs a checker in Python (`check.py`), which gridjudge does not judge yet";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
    let page = judge.run(&["doctor", "pkg/twice"]).stdout;
    assert!(
        page.contains("twice is a DMOJ problem, and cannot be judged yet."),
        "{page}"
    );
}

#[test]
fn an_exported_problem_gives_the_same_verdicts() {
    needs_cc();
    let bridged = "{name: bridged, args: {files: check.cpp}}";
    for (checker, loose, strict) in [
        (
            "standard",
            "read n\necho\necho \"  $((2 * n))  \"\n",
            "read n\necho $((2 * n)) 0\n",
        ),
        (
            "rstripped",
            "read n\necho \"$((2 * n))  \"\n",
            "read n\necho $((2 * n))\necho\n",
        ),
        (
            "{name: floats, args: {precision: 2}}",
            "read n\necho $((2 * n)).009\n",
            "read n\necho $((2 * n)).1\n",
        ),
        (bridged, RIGHT, "echo 1\n"),
    ] {
        let judge = problem(&format!(
            "checker: {checker}\ntest_cases:\n- {{in: 1.in, out: 1.out}}\n"
        ));
        judge
            .put("pkg/twice/check.cpp", CHECKER)
            .put("loose.sh", loose)
            .put("strict.sh", strict);
        let ran =
            judge.run(&["export", "./pkg/twice", "--to", "kattis-legacy", "out"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for (submission, code) in [("loose.sh", 0), ("strict.sh", 1)] {
            let ran = judge.run(&["grade", "-p", "./out", submission]);
            assert_eq!(ran.code, Some(code), "{checker} {submission} {ran:?}");
        }
    }
}

#[test]
fn where_the_order_does_not_count_an_exported_problem_gives_the_same_verdicts() {
    for (checker, right, wrong) in [
        ("sorted", "a\n\nb  c\n", "c b\na\n"),
        (
            "{name: sorted, args: {split_on: whitespace}}",
            "c b\na\n",
            "c b\na a\n",
        ),
        ("unordered", "c a b\n", "c a\n"),
        ("easy", "CAB\n", "cabb\n"),
    ] {
        let judge = problem(&format!(
            "checker: {checker}\ntest_cases:\n- {{in: 1.in, out: 1.out}}\n"
        ));
        judge.put("pkg/twice/1.out", "b c\na\n");
        for (name, text) in [("right.sh", right), ("wrong.sh", wrong)] {
            judge.put(name, format!("printf {text:?}\n"));
        }
        let ran =
            judge.run(&["export", "./pkg/twice", "--to", "kattis-legacy", "out"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for (place, submission, code) in ["./pkg/twice", "./out"]
            .into_iter()
            .flat_map(|place| [(place, "right.sh", 0), (place, "wrong.sh", 1)])
        {
            let ran = judge.run(&["grade", "-p", place, submission]);
            assert_eq!(ran.code, Some(code), "{checker} {submission} {ran:?}");
        }
    }
}

#[test]
fn other_commands_work_with_problems_of_dmoj() {
    let judge = problem(
        "test_cases:\n- {in: 1.in, out: 1.out}\n- {in: 2.in, out: 2.out}\nhints: [unicode]\n",
    );
    let page = judge.run(&["doctor", "pkg/twice"]);
    assert_eq!(page.code, Some(0), "{page:?}");
    for line in [
        "twice is a DMOJ problem, and can be judged.",
        "DMOJ keeps the time limit on its site, so 10 s apply",
        "line by line, token by token",
        "`hints`: no verdict here depends on it",
    ] {
        assert!(page.stdout.contains(line), "{line}: {}", page.stdout);
    }
    assert_eq!(judge.run(&["verify", "pkg/twice"]).code, Some(0));
    assert!(judge.run(&["list", "pkg/twice"]).stdout.contains("twice"));
    assert_eq!(
        judge
            .run(&["export", "./pkg/twice", "--to", "kattis-2025-09", "out"])
            .code,
        Some(0)
    );
    judge.remove("pkg/twice/2.out");
    let ran = judge.run(&["answers", "pkg/twice"]);
    assert!(
        ran.stderr
            .contains("a problem of DMOJ holds no submissions"),
        "{ran:?}"
    );
}

/// The line breaks of a file of a case are those that the judge gives it, and not its
/// own.
#[test]
fn check_and_grade_agree_on_files_with_other_line_breaks() {
    for checker in ["identical", "rstripped", "standard"] {
        let judge = problem(&format!(
            "checker: {checker}\ntest_cases:\n- {{in: 1.in, out: 1.out, points: 1}}\n"
        ));
        judge
            .put("pkg/twice/1.in", "1\r\n")
            .put("pkg/twice/1.out", "a b\r\nc\rd");
        // The same answer, which is no file of the case.
        judge.put("answer", "a b\r\nc\rd");
        for output in [
            "a b\\nc\\nd\\n",
            "a b\\nc\\nd",
            "a b\\r\\nc\\rd",
            "a  b\\nc\\nd\\n",
            "a b\\nc\\n\\nd\\n",
        ] {
            judge.put("s.sh", format!("printf '{output}'\n"));
            judge.put("out", output.replace("\\n", "\n").replace("\\r", "\r"));
            let graded = judge.run(&["grade", "-p", "./pkg/twice", "s.sh"]).code;
            for answer in [None, Some("pkg/twice/1.out"), Some("answer")] {
                let files = ["check", "-p", "./pkg/twice", "pkg/twice/1.in", "out"];
                let checked = judge.run(&[&files[..], answer.as_slice()].concat());
                assert_eq!(
                    checked.code, graded,
                    "{checker} {output} {answer:?}: {}",
                    checked.stderr
                );
            }
        }
    }
}
