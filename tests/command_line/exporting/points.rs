//! Exporting points of groups that are all or nothing: each format can express them,
//! and they are counted the same.

use super::{Judge, TARGETS, Turn, export};

/// Submissions for a problem that asks for the double of a number.
const RIGHT: &str = "read n\necho $((2 * n))\n";
const WRONG: &str = "read n\n[ $n -lt 3 ] && echo $((2 * n)) || echo 7\n";

/// A problem with these points, whose groups have two cases each. `wrong.sh` is wrong
/// for numbers from 3 on.
fn with_points(points: &str, groups: &[(&str, [u64; 2])]) -> Judge {
    let judge = Judge::new();
    let task = "[task]\nkind = \"tokens\"\n\n[limits]\ntime = \"1500ms\"\n";
    judge.put(
        "problems/twice/problem.toml",
        format!("name = \"Twice\"\n\n{task}\n[points]\n{points}"),
    );
    judge.put(
        "problems/twice/statement.md",
        "# Twice\n\nGive twice the number.\n",
    );
    for (group, numbers) in groups {
        for (case, number) in numbers.iter().enumerate() {
            let place = format!("cases/twice/{group}/{case}");
            judge.put(format!("{place}.in"), format!("{number}\n"));
            judge.put(format!("{place}.ans"), format!("{}\n", 2 * number));
        }
    }
    judge.put("problems/twice/submissions/accepted/right.sh", RIGHT);
    judge.put("problems/twice/submissions/wrong/wrong.sh", WRONG);
    judge
}

/// The verdict, the points and the greatest possible points of two programs.
fn earned_by_both(judge: &Judge, problem: &str) -> Vec<(String, String, u64, u64)> {
    earned(judge, problem, &["accepted/right.sh", "wrong/wrong.sh"])
}

/// The same of these.
fn earned(
    judge: &Judge,
    problem: &str,
    programs: &[&str],
) -> Vec<(String, String, u64, u64)> {
    let paths = programs.iter();
    let paths: Vec<_> = paths
        .map(|name| format!("problems/twice/submissions/{name}"))
        .collect();
    let mut arguments = vec!["grade", "-p", problem, "-q", "--log", "log.jsonl"];
    arguments.extend(paths.iter().map(String::as_str));
    judge.run(&arguments);
    let log = judge.read("log.jsonl");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let finished = events.filter(|event| event["event"] == "submission_finished");
    let told = finished.map(|event| {
        let name = event["submission"]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned();
        let points =
            |key: &str| event["score"][key].as_f64().unwrap_or_default() as u64;
        (
            name,
            event["verdict"].as_str().unwrap().to_owned(),
            points("earned"),
            points("of"),
        )
    });
    told.collect()
}

/// The same results by the rules of a format: in `legacy`, one whole group is enough
/// for acceptance.
fn in_format(
    target: &str,
    mut rows: Vec<(String, String, u64, u64)>,
) -> Vec<(String, String, u64, u64)> {
    let solve_a_group = rows
        .iter_mut()
        .filter(|row| row.2 > 0 && target == "kattis-legacy");
    for row in solve_a_group {
        row.1 = "AC".to_owned();
    }
    rows
}

const GROUPS: [(&str, [u64; 2]); 3] =
    [("sample", [1, 2]), ("easy", [1, 2]), ("hard", [2, 5])];

#[test]
fn points_are_counted_the_same_after_export_and_from_one_format_to_another() {
    let kinds = [
        ("easy = 30\nhard = 60\n", &GROUPS[..]),
        ("secret = 100\n", &[("sample", [1, 2]), ("secret", [4, 5])]),
        // Groups that are not in the order of their names, with names that no format
        // allows, and one without points.
        (
            "\"at the end\" = 5\neasy = 30\n",
            &[("Zero", [1, 2]), ("at the end", [1, 1]), ("easy", [2, 3])],
        ),
    ];
    for (row, (points, groups)) in kinds.into_iter().enumerate() {
        let judge = with_points(points, groups);
        let own = earned_by_both(&judge, "twice");
        assert!(own[0].2 == own[0].3 && own[1].2 < own[1].3, "{own:?}");
        for (column, target) in TARGETS.into_iter().enumerate() {
            let told = export(&judge, "twice", target, target);
            assert!(
                !told.iter().any(|line| line.contains("left out (")),
                "{told:?}"
            );
            assert_eq!(
                earned_by_both(&judge, &format!("./{target}")),
                in_format(target, own.clone()),
                "{points}: {target}"
            );
            let ran = judge.run(&["verify", &format!("./{target}")]);
            // Where one group is enough for acceptance, a submission that solves one is
            // not a `wrong_answer`, as a note of the export says.
            let is_in_part = target == "kattis-legacy" && own[1].2 > 0;
            let told = format!("{points}: {target}: {}{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, Some(i32::from(is_in_part)), "{told}");
            assert_eq!(
                ran.stdout.contains("expected WA, and no points"),
                is_in_part,
                "{told}"
            );
            let due =
                Turn::of_each(&TARGETS).filter(|(turn, _)| turn.has(row + column));
            for (_, back) in due {
                let place = format!("{back}-of-{target}");
                export(&judge, &format!("./{target}"), back, &place);
                assert_eq!(
                    earned_by_both(&judge, &format!("./{place}")),
                    in_format(back, own.clone()),
                    "{points}: {target}, {back}"
                );
            }
        }
    }
}

#[test]
fn points_are_written_in_the_words_of_each_format() {
    let judge = with_points("easy = 30\nhard = 60\n", &GROUPS);
    let told = export(&judge, "twice", "kattis-legacy", "old");
    let parts = "a submission that solves a whole group is accepted in part, and belongs into `partially_accepted`: check whether one of these does: wrong/wrong.sh";
    assert!(told.iter().any(|line| line == parts), "{told:#?}");
    export(&judge, "twice", "kattis-2025-09", "new");
    export(&judge, "twice", "domjudge", "dj");
    for (name, expected) in [
        // problemtools would fail at every group that inherited `ignore_sample`.
        (
            "old/data/testdata.yaml",
            "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted ignore_sample\nrange: 0 90\n",
        ),
        (
            "old/data/secret/testdata.yaml",
            "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\nrange: 0 90\n",
        ),
        (
            "old/data/sample/testdata.yaml",
            "on_reject: break\ngrader_flags: first_error min\naccept_score: 0\nrange: 0 0\n",
        ),
        (
            "old/data/secret/hard/testdata.yaml",
            "on_reject: break\ngrader_flags: first_error min\naccept_score: 60\nrange: 0 60\n",
        ),
        (
            "new/data/secret/test_group.yaml",
            "max_score: 90\nscore_aggregation: sum\n",
        ),
        (
            "new/data/secret/hard/test_group.yaml",
            "max_score: 60\nscore_aggregation: pass-fail\n",
        ),
        // DOMjudge inherits nothing, and knows no other flags.
        (
            "dj/data/testdata.yaml",
            "on_reject: continue\ngrader_flags: sum ignore_sample\nrange: 0 90\n",
        ),
        (
            "dj/data/secret/hard/testdata.yaml",
            "on_reject: break\naccept_score: 60\n",
        ),
    ] {
        assert_eq!(judge.read(name), expected, "{name}");
    }
    let yaml = judge.read("old/problem.yaml");
    assert!(
        yaml.contains(
            "validation: default\ntype: scoring\ngrading:\n  show_test_data_groups: true\n"
        ),
        "{yaml}"
    );
    assert!(judge.read("new/problem.yaml").contains("type: [scoring]\n"));
    let yaml = judge.read("dj/problem.yaml");
    assert!(
        yaml.starts_with("problem_format_version: legacy\n")
            && yaml.contains("type: scoring\n"),
        "{yaml}"
    );
}

#[test]
fn points_of_samples_are_exported_to_older_formats_and_reported_as_left_out_of_the_newer_one()
 {
    let judge = with_points("sample = 10\neasy = 30\n", &GROUPS);
    let own = earned_by_both(&judge, "twice");
    for target in ["kattis-legacy", "domjudge"] {
        export(&judge, "twice", target, target);
        assert_eq!(
            earned_by_both(&judge, &format!("./{target}")),
            in_format(target, own.clone()),
            "{target}"
        );
    }
    let told = export(&judge, "twice", "kattis-2025-09", "new");
    let lost = "samples have 10 points here, and earn none in the format";
    assert!(told.iter().any(|line| line == lost), "{told:#?}");
    assert_eq!(
        earned_by_both(&judge, "./new")
            .iter()
            .map(|row| row.3)
            .collect::<Vec<_>>(),
        [30, 30]
    );
}

#[test]
fn points_that_another_format_cannot_express_are_reported_as_left_out() {
    let judge = Judge::new();
    let yaml = "problem_format_version: 2025-09\nname: {en: Twice}\nuuid: 3b5f\ntype: scoring\nlimits: {time_limit: 2}\n";
    judge.put("one/problem.yaml", yaml);
    judge.put(
        "one/data/secret/a/test_group.yaml",
        "max_score: 40\nscore_aggregation: sum\n",
    );
    judge.put("one/data/secret/b/test_group.yaml", "max_score: 60\n");
    for name in ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1"] {
        judge
            .put(format!("one/data/{name}.in"), "1\n")
            .put(format!("one/data/{name}.ans"), "2\n");
    }
    judge.put("one/submissions/accepted/right.sh", RIGHT);
    let told = export(&judge, "./one", "kattis-legacy", "old");
    let lost = "points are left out (secret/a 20, secret/b 60), since `data/secret/a` gives points for single cases: the package is judged right or wrong, a submission with a part of the points is wrong, also in `accepted/`";
    assert!(told.iter().any(|line| line == lost), "{told:#?}");
    assert!(!judge.read("old/problem.yaml").contains("scoring"));
}

#[test]
fn points_that_are_left_out_are_so_for_a_reason() {
    let group = |folder: &'static str| {
        (
            folder,
            "on_reject: break\ngrader_flags: min\naccept_score: 40\n",
        )
    };
    let ignored = "on_reject: continue\ngrader_flags: ignore_sample\n";
    let any = "on_reject: continue\ngrader_flags: accept_if_any_accepted\n";
    for (root, secret, why) in [
        (
            "on_reject: break\n",
            "on_reject: break\n",
            "`data` ends at the first rejection (`on_reject: break`)",
        ),
        (
            "on_reject: continue\n",
            any,
            "`data` gives none if one of its groups fails (no `accept_if_any_accepted`)",
        ),
        (
            "on_reject: continue\ngrader_flags: max\n",
            any,
            "`data` does not add up the points of its groups",
        ),
        (
            ignored,
            ignored,
            "`data/secret` counts only the last of its results (`ignore_sample`)",
        ),
        (any, any, ""),
        (ignored, any, ""),
    ] {
        let judge = legacy(&[
            ("", root),
            ("secret/", secret),
            ("sample/", "grader_flags: sum\naccept_score: 0\n"),
            group("secret/a/"),
            group("secret/b/"),
        ]);
        let told = export(&judge, "./one", "kattis-2025-09", "new");
        let lost = format!("), since {why}: the package is judged right or wrong");
        let is_said = told.iter().any(|line| line.contains(&lost));
        assert_eq!(is_said, !why.is_empty(), "{root} {told:#?}");
    }
}

#[test]
fn points_of_dmoj_are_left_out_only_for_a_reason_that_holds() {
    for (cases, why) in [
        (
            "- {in: a.in, out: a.out, points: 0}\n- {in: a.in, out: a.out, points: 1}\n",
            "the group `cases of 1 point` requires others",
        ),
        (
            "- {in: a.in, out: a.out, points: 2}\n",
            "the group `cases of 2 points` gives points for single cases",
        ),
        (
            "- batched: [{in: a.in, out: a.out, points: 2}, {in: a.in, out: a.out, points: 3}]\n",
            "`data/batch1` gives points for single cases",
        ),
        (
            "- batched: [{in: a.in, out: a.out, points: 2}]\n- batched: [{in: a.in, out: a.out, points: 3}]\n",
            "",
        ),
    ] {
        let judge = Judge::new();
        judge
            .put("one/init.yml", format!("test_cases:\n{cases}"))
            .put("one/a.in", "1\n")
            .put("one/a.out", "2\n");
        let told = export(&judge, "./one", "kattis-legacy", "new");
        let lost = format!("), since {why}: the package is judged right or wrong");
        let is_said = told.iter().any(|line| line.contains(&lost));
        assert_eq!(is_said, !why.is_empty(), "{cases} {told:#?}");
    }
}

#[test]
fn a_submission_that_is_accepted_in_part_is_no_contradiction_elsewhere() {
    let judge = legacy(&[
        ("", "on_reject: continue\ngrader_flags: ignore_sample\n"),
        (
            "secret/",
            "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n",
        ),
        (
            "secret/a/",
            "on_reject: break\ngrader_flags: min\naccept_score: 40\n",
        ),
        (
            "secret/b/",
            "on_reject: break\ngrader_flags: min\naccept_score: 60\n",
        ),
    ]);
    judge.put("one/submissions/accepted/right.sh", RIGHT);
    judge.put("one/submissions/partially_accepted/wrong.sh", WRONG);
    for target in TARGETS {
        let told = export(&judge, "./one", target, target);
        let accepted = format!(
            "a submission that solves some groups is accepted here and rejected in {target}: check \
             whether one of these does: accepted/right.sh"
        );
        let is_same = target == "kattis-legacy";
        assert_eq!(told.contains(&accepted), !is_same, "{told:#?}");
        let ran = judge.run(&["verify", &format!("./{target}")]);
        assert_eq!(ran.code, Some(0), "{target}: {}", ran.stdout);
    }
    let tagged = judge.read("domjudge/submissions/mixed/wrong.sh");
    assert!(
        tagged.contains("# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER"),
        "{tagged}"
    );
}

/// A package in the older format whose cases have these settings in `data/secret`.
fn legacy(settings: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put(
        "one/problem.yaml",
        "name: Twice\ntype: scoring\nlimits: {time_limit: 2}\n",
    );
    for (number, case) in ["sample/1", "secret/a/1", "secret/a/2", "secret/b/5"]
        .iter()
        .zip([1, 1, 2, 5])
    {
        judge.put(format!("one/data/{number}.in"), format!("{case}\n"));
        judge.put(format!("one/data/{number}.ans"), format!("{}\n", 2 * case));
    }
    let sample = ("sample/", "grader_flags: first_error\n");
    for (folder, text) in [sample].iter().chain(settings) {
        judge.put(format!("one/data/{folder}testdata.yaml"), text);
    }
    judge.put("problems/twice/submissions/accepted/right.sh", RIGHT);
    judge.put("problems/twice/submissions/wrong/wrong.sh", WRONG);
    judge
}

#[test]
fn inherited_points_of_groups_are_written_into_each_group_for_domjudge() {
    let judge = legacy(&[
        ("", "on_reject: continue\ngrader_flags: ignore_sample\n"),
        ("secret/", "grader_flags: sum\n"),
        (
            "secret/a/",
            "grader_flags: min\naccept_score: 40\nrange: 0 40\noutput_validator_flags: case_sensitive\n",
        ),
        (
            "secret/b/",
            "grader_flags: min\non_reject: break\naccept_score: 60\n",
        ),
    ]);
    let own = earned_by_both(&judge, "./one");
    assert_eq!((own[0].2, own[0].3), (100, 100), "{own:?}");
    assert_eq!(export(&judge, "./one", "domjudge", "dj"), [] as [&str; 0]);
    let found = earned_by_both(&judge, "./dj");
    assert_eq!((found[0].2, found[0].3), (100, 100), "{found:?}");
    let expected = "on_reject: continue\ngrader_flags: min\nrange: 0 40\naccept_score: 40\noutput_validator_flags: case_sensitive\n";
    assert_eq!(judge.read("dj/data/secret/a/testdata.yaml"), expected);
}

#[test]
fn points_of_single_cases_become_those_of_their_group_for_domjudge_which_a_note_says()
{
    let judge = legacy(&[
        ("", "on_reject: continue\ngrader_flags: ignore_sample\n"),
        (
            "secret/",
            "grader_flags: always_accept sum\naccept_score: 10\nreject_score: 1\n",
        ),
        ("secret/b/", "range: 0 10\n"),
    ]);
    let notes = export(&judge, "./one", "domjudge", "dj");
    let shared = "`data/secret/a` is worth 20 points as a whole, where here each of its 2 cases has points of its own: domjudge gives a group all its points or none";
    let lost = |word: &str, folders: &str| {
        format!(
            "{word} is left out of {folders}: domjudge does not know it, so verdicts or points may differ"
        )
    };
    for expected in [
        shared.to_owned(),
        lost(
            "`always_accept`",
            "`data/secret`, `data/secret/a`, `data/secret/b`",
        ),
        lost("`reject_score`", "`data/secret/a`, `data/secret/b`"),
    ] {
        assert!(notes.contains(&expected), "{expected}: {notes:#?}");
    }
    let found = earned_by_both(&judge, "./dj");
    assert_eq!((found[0].2, found[0].3), (30, 30), "{found:?}");
    let expected = "on_reject: continue\ngrader_flags: sum\naccept_score: 20\n";
    assert_eq!(judge.read("dj/data/secret/a/testdata.yaml"), expected);
}

/// A checker in testlib's protocol, with the report that testlib writes: `none` and
/// `half` are parts of the points, `all` and `whole` all of them.
const PARTS_CPP: &str = "#include <cstdio>\n#include <cstring>\nint main(int, char **argv) {\n\
    char word[9] = \"\";\n    std::fscanf(std::fopen(argv[2], \"r\"), \"%8s\", word);\n\
    std::FILE *report = std::fopen(argv[4], \"w\");\n\
    if (std::strcmp(argv[5], \"-appes\")) return 3;\n\
    std::fputs(\"<?xml version=\\\"1.0\\\"?><result outcome = \", report);\n\
    auto says = [&](const char *text, int code) { std::fputs(text, report); std::fclose(report); return code; };\n\
    auto is = [&](const char *other) { return !std::strcmp(word, other); };\n\
    if (is(\"half\")) return says(\"\\\"partially-correct\\\" pctype = \\\"100\\\">so</result>\", 100);\n\
    if (is(\"whole\")) return says(\"\\\"partially-correct\\\" pctype = \\\"200\\\">so</result>\", 250);\n\
    if (is(\"none\")) return says(\"\\\"points\\\" points = \\\"7\\\">so</result>\", 7);\n\
    if (is(\"all\")) return says(\"\\\"points\\\" points = \\\"50.0\\\">fine</result>\", 7);\n    return 3;\n}\n";
const PARTS_PYTHON: &str = "import sys\nword, report = open(sys.argv[2]).read().strip(), open(sys.argv[4], 'w')\n\
    text, code = {'half': ('\"partially-correct\" pctype = \"100\"', 100), 'whole': ('\"partially-correct\" pctype = \"200\"', 250),\n    \
    'none': ('\"points\" points = \"7\"', 7), 'all': ('\"points\" points = \"50.0\"', 7)}.get(word, ('', 3))\n\
    report.write(f'<result outcome = {text}>so</result>')\nreport.close()\nsys.exit(code if sys.argv[5] == '-appes' else 3)\n";

#[test]
fn a_checker_that_gives_parts_of_the_points_accepts_only_all_of_them_after_export() {
    super::needs_cc();
    let checkers = [
        ("check.cpp", "CPP17", PARTS_CPP),
        ("check.py", "PY3", PARTS_PYTHON),
    ];
    for (row, (name, lang, text)) in checkers.into_iter().enumerate() {
        let judge = Judge::new();
        let checker = format!(
            "checker: {{name: bridged, args: {{files: {name}, lang: {lang}, type: testlib}}}}\n"
        );
        judge.put(
            "one/init.yml",
            format!("{checker}test_cases:\n- {{in: a.in, out: a.out, points: 50}}\n"),
        );
        judge
            .put("one/a.in", "1\n")
            .put("one/a.out", "2\n")
            .put(format!("one/{name}"), text);
        let words = ["half", "whole", "none", "all"].map(|word| {
            let name = format!("wrong/{word}.sh");
            judge.put(
                format!("problems/twice/submissions/{name}"),
                format!("echo {word}\n"),
            );
            name
        });
        let words = words.each_ref().map(String::as_str);
        let due = Turn::of_each(&TARGETS)
            .filter(|(turn, _)| turn.has(row) || turn.has(row + 2));
        for (_, target) in due {
            let place = format!("{target}-{lang}");
            let told = export(&judge, "./one", target, &place);
            assert!(
                told.iter()
                    .any(|note| note.contains("the package is judged right or wrong")),
                "{told:#?}"
            );
            let found = earned(&judge, &format!("./{place}"), &words);
            let verdicts: Vec<_> =
                found.iter().map(|(_, verdict, ..)| verdict).collect();
            assert_eq!(verdicts, ["WA", "AC", "WA", "AC"], "{place}: {found:?}");
        }
    }
}
