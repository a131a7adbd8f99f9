//! Tests which files of a package are submissions, and what is expected of them.

use super::*;

#[test]
fn folders_of_submissions_set_their_expected_verdicts() {
    let package = read(&with(
        "",
        &[
            ("submissions/wrong_answer/w.py", ""),
            ("submissions/time_limit_exceeded/t.py", ""),
            ("submissions/run_time_error/r/r.py", ""),
            ("submissions/compiler_error/c.py", ""),
            (
                "submissions/mixed/m.py",
                "# @Expected_results@: WRONG-ANSWER, CORRECT\n",
            ),
            ("submissions/check_manually/x.py", ""),
            ("submissions/accepted/two/a.py", ""),
            ("submissions/accepted/two/b.py", ""),
            (
                "submissions/accepted/tagged.py",
                "# @EXPECTED_RESULTS@: WRONG-ANSWER\n",
            ),
            (
                "submissions/accepted/large.py",
                &"#".repeat((128 << 10) + 1),
            ),
            ("submissions/loose.py", ""),
        ],
    ));
    let judged: Vec<_> = package
        .submissions
        .iter()
        .map(|one| format!("{}: {}", one.name, one.expected))
        .collect();
    assert_eq!(
        judged,
        [
            "accepted/a.py: AC",
            "accepted/tagged.py: AC",
            "accepted/two: AC",
            "compiler_error/c.py: CE",
            "mixed/m.py: WA or AC",
            "run_time_error/r: RE or MLE",
            "time_limit_exceeded/t.py: TLE or ILE or OLE",
            "wrong_answer/w.py: WA",
        ]
    );
    let left_out: Vec<_> = package
        .left_out
        .iter()
        .map(|one| format!("{}: {}", one.name, one.reason))
        .collect();
    assert_eq!(
        left_out,
        [
            "accepted/large.py: it has 131073 bytes, and 131072 are allowed",
            "check_manually/x.py: nothing says what is expected of it",
        ]
    );
    assert!(
        package
            .ignored()
            .iter()
            .any(|what| what.contains("submissions/accepted/tagged.py"))
    );
    let disagrees = "`submissions/accepted/tagged.py` says WA after `@EXPECTED_RESULTS@:`, and its folder, which counts, AC";
    assert!(
        package.deviations().contains(&disagrees),
        "{:?}",
        package.deviations()
    );
    assert!(
        package
            .ignored()
            .iter()
            .any(|what| what.contains("submissions/loose.py"))
    );
}

#[test]
fn folders_of_submissions_that_other_judges_do_not_know_are_named() {
    let files = ["wrong-answer", "WA", "compiler_error", "no_output"]
        .map(|folder| format!("submissions/{folder}/x.py"));
    let files = files.each_ref().map(|name| (name.as_str(), ""));
    let said = |folder: &str| {
        format!("`submissions/{folder}/`: problemtools knows no such folder")
    };
    let wrong = "; there it is `wrong_answer`";
    assert_eq!(
        read(&with("", &files)).disagreements(),
        [
            said("WA") + wrong,
            said("compiler_error"),
            said("no_output") + wrong,
            said("wrong-answer") + wrong,
        ]
    );
    let ini = [("domjudge-problem.ini", "")];
    let package = read(&with("", &[&files[..], &ini].concat()));
    assert_eq!(package.disagreements(), [""; 0]);
}

#[test]
fn unknown_folders_of_submissions_are_answered_with_those_of_their_verdicts() {
    for (yaml, folder, meant) in [
        ("", "memory_limit_exceeded", "run_time_error"),
        ("", "time-limit-exceeded", "time_limit_exceeded"),
        (NEW, "memory_limit_exceeded", "run_time_error"),
        (NEW, "wrong-answer", "wrong_answer"),
    ] {
        let package =
            read(&with(yaml, &[(&format!("submissions/{folder}/x.py"), "")]));
        assert_eq!(
            package.left_out[0].reason,
            format!(
                "nothing says what is expected of it; did you mean the folder `{meant}`?"
            )
        );
    }
    let package = read(&with("", &[("submissions/output_limit_exceeded/x.py", "")]));
    assert_eq!(
        package.left_out[0].reason,
        "nothing says what is expected of it"
    );
}

#[test]
fn submissions_yaml_adds_to_the_expectations_of_folders() {
    let rules = "\"wrong_answer/*.py\":\n  permitted: [AC, WA, TLE]\nmixed/{a,b}.py:\n  required: [RTE, TLE]\naccepted:\n  model_solution: true\n";
    let files = [
        ("submissions/submissions.yaml", rules),
        ("submissions/wrong_answer/w.py", ""),
        ("submissions/mixed/a.py", ""),
        ("submissions/mixed/c.py", ""),
        ("submissions/rejected/r.py", ""),
        ("submissions/brute_force/b.py", ""),
    ];
    let package = read(&with(NEW, &files));
    let judged: Vec<_> = package
        .submissions
        .iter()
        .map(|one| format!("{}: {}", one.name, one.expected))
        .collect();
    assert_eq!(
        judged,
        [
            "accepted/a.py: AC",
            "brute_force/b.py: RE or MLE or TLE or ILE or OLE",
            "mixed/a.py: WA or OLE or TLE or ILE or RE or MLE",
            "rejected/r.py: WA or OLE or TLE or ILE or RE or MLE",
            "wrong_answer/w.py: WA or OLE",
        ]
    );
    assert_eq!(package.left_out[0].name, "mixed/c.py");
    let bad = "nobody/*.py:\n  permitted: [AC]\n";
    let folder = with(NEW, &[("submissions/submissions.yaml", bad)]);
    let found =
        "submissions/submissions.yaml:1: no submission is named like `nobody/*.py`";
    assert_eq!(refused(&folder), [found]);
    let bad = "accepted/**:\n  permitted: [OK]\n";
    let folder = with(NEW, &[("submissions/submissions.yaml", bad)]);
    assert_eq!(refused(&folder).len(), 2);
}

#[test]
fn the_files_of_submissions_and_of_include_keep_their_names() {
    let files = [
        ("include/cpp/lib/a.h", ""),
        ("include/loose.h", ""),
        ("submissions/accepted/two/x/a.h", ""),
        (
            "submissions/accepted/two/b.cpp",
            "// @EXPECTED_RESULTS@: AC\n",
        ),
        ("submissions/mixed/tags/a.py", "# @EXPECTED_RESULTS@: WA\n"),
        ("submissions/mixed/tags/b.py", ""),
    ];
    let package = read(&with("", &files));
    let names = |files: &[SourceFile]| {
        files
            .iter()
            .map(|file| file.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&package.includes["cpp"]), ["lib/a.h"]);
    assert!(
        package
            .ignored()
            .iter()
            .any(|what| what.starts_with("`include/loose.h`")),
        "{:?}",
        package.ignored()
    );
    let of = |name: &str| {
        package
            .submissions
            .iter()
            .find(|one| one.name == name)
            .unwrap()
    };
    assert_eq!(names(&of("accepted/two").files), ["b.cpp", "x/a.h"]);
    assert_eq!(of("mixed/tags").expected.to_string(), "WA");
}

#[test]
fn rules_that_would_take_too_long_are_refused_before_any_matching() {
    let mut files: Vec<_> = (0..200)
        .flat_map(|number| {
            [".in", ".ans"]
                .map(|ending| format!("data/secret/{number:0200}") + ending)
        })
        .chain((0..60).map(|number| format!("submissions/accepted/{number}.py")))
        .map(|name| (name, "1\n".to_owned()))
        .collect();
    let rules = (0..10).map(|number| {
        format!(
            "  ? \"{number}{}\"\n  : {{required: [AC]}}\n",
            "*a".repeat(220)
        )
    });
    let yaml = format!("accepted:\n{}", rules.collect::<String>());
    files.push(("submissions/submissions.yaml".to_owned(), yaml));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let expected = "submissions/submissions.yaml: there are too many patterns here, or too long ones, for so many cases and submissions";
    assert_eq!(refused(&with(NEW, &files)), [expected]);
}
