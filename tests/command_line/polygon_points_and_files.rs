//! Packages of Polygon on the command line: their resources, and points of groups, of
//! tests and of checkers. The checkers follow the protocol of testlib without using it.

use crate::judge::{Judge, needs_cc};

/// A `problem.xml` with these attributes of `<judging>`, tests and groups, resources,
/// and types of solutions.
fn problem(judging: &str, tests: &str, resources: &str, solutions: &str) -> String {
    let count = tests.matches("<test ").count();
    format!(
        "<problem short-name=\"twice\"><judging {judging} input-file=\"\" output-file=\"\"><testset name=\"tests\">\
         <time-limit>2000</time-limit><memory-limit>268435456</memory-limit><test-count>{count}</test-count>\
         <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
         {tests}</testset></judging><files><resources>{resources}</resources></files><assets>\
         <checker type=\"testlib\"><source path=\"files/check.cpp\" type=\"cpp.g++17\"/></checker>\
         <solutions>{solutions}</solutions></assets></problem>\n"
    )
}

fn solution(tag: &str, file: &str, kind: &str) -> String {
    format!(
        "<solution tag=\"{tag}\"><source path=\"solutions/{file}\" type=\"{kind}\"/></solution>"
    )
}

fn resource(path: &str, stage: &str, asset: &str) -> String {
    format!(
        "<file path=\"files/{path}\"><stages><stage name=\"{stage}\"/></stages><assets><asset name=\"{asset}\"/></assets></file>"
    )
}

/// A checker that calls this code for a right output.
fn checker(right: &str) -> String {
    format!(
        "#include <cstdio>\n#include <cstdlib>\nint main(int, char **words) {{\n\
         FILE *output = fopen(words[2], \"r\"), *answer = fopen(words[3], \"r\");\n\
         long found, wanted;\nif (fscanf(answer, \"%ld\", &wanted) != 1) return 3;\n\
         if (fscanf(output, \"%ld\", &found) != 1) return 2;\nif (found != wanted) return 1;\n{right}\nreturn 0; }}\n"
    )
}

/// A package with four tests that asks for twice a number.
fn package(problem: &str, checker: &str, files: &[(&str, &str)]) -> Judge {
    needs_cc();
    let judge = Judge::new();
    judge
        .put("pkg/problem.xml", problem)
        .put("pkg/files/check.cpp", checker);
    for (number, input) in [(1, 1), (2, 7), (3, 8), (4, 9)] {
        judge.put(format!("pkg/tests/{number:02}"), format!("{input}\n"));
        judge.put(
            format!("pkg/tests/{number:02}.a"),
            format!("{}\n", 2 * input),
        );
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

const TWO_TESTS: &str =
    "<tests><test method=\"manual\"/><test method=\"manual\"/></tests>";
const RIGHT: (&str, &str) = ("solutions/right.py", "print(2 * int(input()))\n");

#[test]
fn graders_are_compiled_with_solutions_and_files_of_the_checker_are_where_it_works() {
    let resources = ["grader.cpp", "twice.h"]
        .map(|path| resource(path, "compile", "solution"))
        .concat();
    let solutions = [
        solution("main", "main.cpp", "cpp.g++17"),
        solution("wrong-answer", "wrong.cpp", "cpp.g++17"),
        solution("accepted", "right.py", "python.3"),
    ];
    let files = [
        (
            "files/grader.cpp",
            "#include <cstdio>\n#include \"twice.h\"\nint main() { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); }\n",
        ),
        ("files/twice.h", "int twice(int n);\n"),
        ("files/dict.txt", "word\n"),
        (
            "solutions/main.cpp",
            "#include \"twice.h\"\nint twice(int n) { return 2 * n; }\n",
        ),
        (
            "solutions/wrong.cpp",
            "#include \"twice.h\"\nint twice(int n) { return 2 * n + (n > 1); }\n",
        ),
        RIGHT,
    ];
    let resources = resources + &resource("dict.txt", "run", "checker");
    let reads = checker("if (!fopen(\"dict.txt\", \"r\")) return 3;");
    let judge = package(
        &problem("", TWO_TESTS, &resources, &solutions.concat()),
        &reads,
        &files,
    );
    let verified = judge.run(&["verify", "./pkg"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    // A program of a contestant gets them as well.
    judge.put("mine.cpp", files[3].1);
    let graded = judge.run(&["grade", "-p", "./pkg", "mine.cpp"]);
    assert_eq!(graded.code, Some(0), "{}", graded.stdout);
    judge
        .put("pkg/files/dict.txt", "")
        .remove("pkg/files/dict.txt");
    let refused = judge.command(&["verify", "./pkg"]).output().unwrap();
    let told = String::from_utf8(refused.stdout).unwrap();
    assert!(
        told.contains("`files/dict.txt` of `<file>` is not in the package"),
        "{told}"
    );
}

#[test]
fn checkers_give_percentages_of_the_points_of_a_test_and_groups_have_points_of_their_own()
 {
    let tests = "<tests><test method=\"manual\" points=\"60.0\"/><test method=\"manual\" points=\"40.0\"/></tests>";
    let gives = checker(
        "FILE *report = fopen(words[4], \"w\"); fprintf(report, \"<result outcome = \\\"points\\\" points = \\\"30\\\">half</result>\"); fclose(report); return 7;",
    );
    let percent = "treat-points-from-checker-as-percent=\"true\"";
    let solutions = solution("main", "right.py", "python.3");
    let judge = package(&problem(percent, tests, "", &solutions), &gives, &[RIGHT]);
    let verified = judge.run(&["verify", "./pkg"]);
    assert!(verified.stdout.contains(" 30/100 "), "{}", verified.stdout);
    let groups = |points: &str| {
        format!(
            "<tests><test method=\"manual\" group=\"1\"{points}/><test method=\"manual\" group=\"1\"{points}/>\
             <test method=\"manual\" group=\"2\"{points}/></tests><groups>\
             <group name=\"1\" points=\"30.0\" points-policy=\"complete-group\"/>\
             <group name=\"2\" points=\"70.0\" points-policy=\"complete-group\"/></groups>"
        )
    };
    let half = (
        "solutions/half.py",
        "n = int(input())\nprint(2 * n + (n == 7))\n",
    );
    for points in ["", " points=\"0.0\""] {
        let judge = package(
            &problem("", &groups(points), "", &solutions),
            &checker(""),
            &[RIGHT, half],
        );
        let verified = judge.run(&["verify", "./pkg"]);
        assert!(verified.stdout.contains(" 100/100 "), "{}", verified.stdout);
        let graded = judge.run(&["grade", "-p", "./pkg", "pkg/solutions/half.py"]);
        assert!(graded.stdout.contains(" 70/100 "), "{}", graded.stdout);
    }
}
