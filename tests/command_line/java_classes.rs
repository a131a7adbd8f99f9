//! Java sources whose classes are called as their authors like, judged by the real
//! javac. Skipped where it is missing.

use std::process::Command;

use crate::judge::Judge;

/// A package that asks for twice a number, or `None` without javac.
fn package(files: &[(&str, &str)]) -> Option<Judge> {
    if Command::new("javac")
        .args(["-J-XX:-UsePerfData", "-version"])
        .output()
        .is_err()
    {
        eprintln!("skipped: there is no `javac` here");
        return None;
    }
    let judge = Judge::new();
    judge.put(
        "problems/twice/problem.yaml",
        "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 10}\n",
    );
    for (name, input, answer) in
        [("sample/1", "1\n", "2\n"), ("secret/2", "5\n", "10\n")]
    {
        judge.put(format!("problems/twice/data/{name}.in"), input);
        judge.put(format!("problems/twice/data/{name}.ans"), answer);
    }
    for (name, text) in files {
        judge.put(name, text);
    }
    Some(judge)
}

/// A class with a `main` that prints the value of an expression of `n`.
fn class(head: &str, value: &str) -> String {
    format!(
        "{head} {{ public static void main(String... words) {{ \
         int n = new java.util.Scanner(System.in).nextInt(); System.out.println({value}); }} }}\n"
    )
}

#[test]
fn a_java_source_is_accepted_whatever_its_class_file_and_package_are_called() {
    let main = |head| class(head, "2 * n");
    let files = [
        (
            "finals/beta/twice@6.java",
            main("// class Main\nclass B { int x; }\nclass C"),
        ),
        (
            "finals/gamma/twice@7.java",
            main("package foo.bar;\npublic final class TwiceSlow"),
        ),
    ];
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let Some(judge) = package(&files) else { return };
    let graded = judge.run(&["grade", "finals"]);
    assert_eq!(graded.code, Some(0), "{}", graded.stdout);
    judge.put("Twice.java", class("public class Other", "3 * n"));
    let graded = judge.run(&["grade", "-p", "twice", "Twice.java"]);
    assert_eq!(
        (graded.code, graded.stdout.contains("WA")),
        (Some(1), true),
        "{}",
        graded.stdout
    );
}

#[test]
fn a_package_may_start_java_and_call_the_public_class_of_a_submission() {
    let files = [
        (
            "problems/twice/include/java/Main.java",
            class("public class Main", "Solver.twice(n)"),
        ),
        (
            "problems/twice/submissions/accepted/my solver.java",
            "public class Solver { static int twice(int n) { return 2 * n; } }\n"
                .to_owned(),
        ),
    ];
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let Some(judge) = package(&files) else { return };
    let verified = judge.run(&["verify", "twice"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn of_several_java_sources_the_one_with_main_starts_in_its_package() {
    let start = class(
        "package a.b; /* void main( */\npublic class Start",
        "Help.twice(n)",
    );
    let files = [
        (
            "problems/twice/submissions/accepted/two/Start.java",
            start.as_str(),
        ),
        (
            "problems/twice/submissions/accepted/two/Help.java",
            "package a.b; // not public static void main(\nclass Help { static int twice(int n) { return 2 * n; } }\n",
        ),
    ];
    let Some(judge) = package(&files) else { return };
    let verified = judge.run(&["verify", "twice"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}
