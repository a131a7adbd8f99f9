//! Tests of the score groups that follow from the files of groups, and of refused
//! settings.

use std::fs;

use crate::model::{
    CheckerPointsRule, GroupAcceptance, ScoreAggregation, ScoreGroup,
};
use crate::package::Package;

/// Reads a package with these files, a sample, and two cases in each of two groups.
fn package(yaml: &str, files: &[(&str, &str)]) -> Result<Package, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("problem.yaml", yaml);
    for case in [
        "sample/1",
        "secret/a/1",
        "secret/a/2",
        "secret/b/1",
        "secret/b/2",
    ] {
        put(&format!("data/{case}.in"), "1\n");
        put(&format!("data/{case}.ans"), "1\n");
    }
    for (name, text) in files {
        put(name, text);
    }
    let root = folder.path().display().to_string();
    Package::read(folder.path()).map_err(|found| {
        found
            .0
            .iter()
            .map(|mistake| mistake.to_string().replace(&format!("{root}/"), ""))
            .collect()
    })
}

/// Returns the groups as
/// `NAME AGGREGATION ACCEPTANCE accepted/rejected CHECKER of MOST`, with words for
/// their other settings.
fn groups(yaml: &str, files: &[(&str, &str)]) -> Vec<String> {
    let shown = |group: &ScoreGroup| {
        let most = group.most.map_or("-".to_owned(), |most| most.to_string());
        let marks: String = [
            (group.ignores_first, " ignores"),
            (group.stops_at_rejection, " stops"),
        ]
        .iter()
        .filter(|mark| mark.0)
        .map(|mark| mark.1)
        .collect();
        let case = group.case;
        let requires = &group.requires;
        let aggregation = match group.aggregation {
            ScoreAggregation::Sum => "sum",
            ScoreAggregation::Min => "min",
            ScoreAggregation::Max => "max",
            ScoreAggregation::Average => "avg",
        };
        let acceptance = match group.acceptance {
            GroupAcceptance::All => "all",
            GroupAcceptance::Any => "any",
            GroupAcceptance::Always => "always",
        };
        let checker = match case.checker {
            CheckerPointsRule::Nothing => "",
            CheckerPointsRule::Ignored => " ignored",
            CheckerPointsRule::AtMost => " at most",
            CheckerPointsRule::AtMostIfRejected => " at most, also if rejected",
            CheckerPointsRule::Percent => " per cent",
            CheckerPointsRule::Points => " points",
            CheckerPointsRule::Unbounded => " unbounded",
            CheckerPointsRule::Instead => " instead",
        };
        let requires = if requires.is_empty() {
            String::new()
        } else {
            format!(" requires {requires:?}")
        };
        let name = if group.name.is_empty() {
            "."
        } else {
            &group.name
        };
        format!(
            "{name} {aggregation} {acceptance} {}/{}{checker} of {most}{marks}{requires}",
            case.accepted, case.rejected
        )
    };
    package(yaml, files)
        .unwrap()
        .scoring
        .groups
        .iter()
        .map(shown)
        .collect()
}

const LEGACY: &str = "type: scoring\n";
const NEW: &str =
    "problem_format_version: 2025-09\nname: New\nuuid: 1\ntype: scoring\n";

#[test]
fn a_pass_fail_problem_gives_no_points() {
    assert!(groups("", &[("data/testdata.yaml", "range: 0 100\n")]).is_empty());
}

#[test]
fn groups_of_the_older_formats_inherit_each_missing_key() {
    let files = [
        (
            "data/testdata.yaml",
            "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
        ),
        (
            "data/sample/testdata.yaml",
            "accept_score: 0\ngrader_flags: first_error\n",
        ),
        (
            "data/secret/testdata.yaml",
            "grader_flags: first_error accept_if_any_accepted\n",
        ),
        (
            "data/secret/a/testdata.yaml",
            "on_reject: break\naccept_score: 40\nrange: 0 40\ngrader_flags: min\n",
        ),
        (
            "data/secret/b/testdata.yaml",
            "accept_score: 60\nreject_score: -1\ngrader_flags: avg\n",
        ),
    ];
    let expected = [
        ". sum all 1/0 of 100 ignores",
        "sample sum all 0/0 of -",
        "secret sum any 1/0 of -",
        "secret/a min all 40/0 of 40 stops",
        "secret/b avg all 60/-1 of -",
    ];
    assert_eq!(groups(LEGACY, &files), expected);
}

#[test]
fn by_default_each_case_gives_a_point_and_the_first_rejection_ends_the_group() {
    let expected: Vec<_> = [".", "sample", "secret", "secret/a", "secret/b"]
        .map(|name| format!("{name} sum all 1/0 of - stops"))
        .to_vec();
    assert_eq!(groups(LEGACY, &[]), expected);
}

#[test]
fn for_domjudge_a_score_is_for_the_whole_group_and_nothing_is_inherited() {
    let files = [
        ("domjudge-problem.ini", "timelimit = 1\n"),
        (
            "data/testdata.yaml",
            "on_reject: continue\naccept_score: 7\n",
        ),
        ("data/secret/testdata.yaml", "on_reject: break\n"),
        ("data/secret/a/testdata.yaml", "accept_score: 40\n"),
    ];
    let expected = [
        ". sum all 0/0 of -",
        "secret sum all 0/0 of - stops",
        "secret/a min all 40/0 of 40 stops",
        ". sum all 0/0 of -",
    ];
    assert_eq!(groups(LEGACY, &files), expected);
}

#[test]
fn for_domjudge_a_checker_may_give_points_that_do_not_count() {
    let files = [
        ("domjudge-problem.ini", "timelimit = 1\n"),
        ("output_validators/check.py", ""),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/testdata.yaml", "on_reject: continue\n"),
    ];
    let found = groups("type: scoring\nvalidation: custom\n", &files);
    assert_eq!(found.last().unwrap(), ". sum all 0/0 instead of -");
}

#[test]
fn for_domjudge_a_case_outside_of_the_groups_does_not_count() {
    let settings = |folder: &str| (format!("data/{folder}testdata.yaml"), "a: 1\n");
    for (folders, case, outside) in [
        (&[][..], "", 0),
        // DOMjudge cannot judge this one.
        (&["secret/a/"], "", 0),
        (&["", "secret/", "secret/a/", "secret/b/"], "", 1),
        (&["", "secret/", "secret/a/"], "", 3),
        (&["", "sample/", "secret/"], "", 4),
        (&["", "sample/", "secret/"], "data/secret/3", 4),
        (
            &["", "secret/", "secret/a/", "secret/b/"],
            "data/secret/3",
            2,
        ),
        (&["", "secret/a/", "secret/b/"], "", 5),
    ] {
        let mut files = vec![("domjudge-problem.ini".to_owned(), "")];
        files.extend(folders.iter().map(|folder| settings(folder)));
        if !case.is_empty() {
            files.extend(
                [".in", ".ans"].map(|ending| (format!("{case}{ending}"), "")),
            );
        }
        let files = files.iter().map(|(name, text)| (name.as_str(), *text));
        let package = package(LEGACY, &Vec::from_iter(files)).unwrap();
        let scoring = &package.scoring;
        let is_outside = |case: &&crate::model::Case| {
            let place = scoring.group_of(&case.name);
            place > 0 && scoring.groups[place].parent.is_none()
        };
        let found = package.cases.iter().filter(is_outside).count();
        assert_eq!(found, outside, "{folders:?} {case}");
        let said = package.deviations();
        let is_said = said.iter().any(|said| said.contains("counts neither"));
        assert_eq!(is_said, outside > 1, "{folders:?} {case}: {said:?}");
    }
}

#[test]
fn groups_of_2025_have_the_points_that_they_name() {
    let files = [
        ("data/secret/a/test_group.yaml", "max_score: 40\n"),
        (
            "data/secret/b/test_group.yaml",
            "max_score: 60\nscore_aggregation: sum\nrequire_pass: [sample, secret/a]\n",
        ),
    ];
    let expected = [
        ". sum all 0/0 of -",
        "sample sum all 0/0 ignored of -",
        "secret sum all 0/0 at most of 100",
        "secret/a min all 40/0 of 40",
        "secret/b sum all 30/0 at most of 60 requires [1, 3]",
    ];
    let mut found = groups(NEW, &files);
    // The points of a case outside the groups, if there were one.
    found[2] = found[2].replace(" 100/0", " 0/0");
    assert_eq!(found, expected);
    let whole = [(
        "data/secret/test_group.yaml",
        "score_aggregation: pass-fail\nmax_score: 50\n",
    )];
    assert_eq!(
        groups(NEW, &whole)[2..],
        [
            "secret min all 50/0 of 50",
            "secret/a min all 50/0 of 50",
            "secret/b min all 50/0 of 50"
        ]
    );
    let free = [
        ("data/secret/test_group.yaml", "max_score: unbounded\n"),
        ("data/secret/a/test_group.yaml", "score_aggregation: min\n"),
        ("data/secret/b/test_group.yaml", "score_aggregation: sum\n"),
    ];
    let free = groups(NEW, &free);
    assert_eq!(
        free[3..],
        [
            "secret/a min all 0/0 points of -",
            "secret/b sum all 0/0 points of -"
        ]
    );
}

/// In problemtools, the words `accept_if_any_accepted` and `ignore_sample` are apart
/// from the modes, and the last mode holds.
#[test]
fn a_verdict_mode_holds_beside_the_other_flags_in_any_order() {
    for (flags, expected) in [
        ("first_error accept_if_any_accepted", "sum any"),
        ("accept_if_any_accepted first_error", "sum any"),
        ("no_errors accept_if_any_accepted min", "min any"),
        ("always_accept accept_if_any_accepted", "sum always"),
        ("accept_if_any_accepted always_accept", "sum always"),
        ("always_accept no_errors max", "max all"),
        ("always_accept first_error min avg", "avg all"),
        ("worst_error always_accept", "sum always"),
    ] {
        let files = [(
            "data/secret/a/testdata.yaml",
            format!("grader_flags: {flags}\n"),
        )];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let found = groups(LEGACY, &files)[3].clone();
        assert!(
            found.starts_with(&format!("secret/a {expected} ")),
            "{flags}: {found}"
        );
    }
}

#[test]
fn what_the_default_grader_passes_over_is_a_remark() {
    let files = [(
        "data/secret/a/testdata.yaml",
        "accept_score: 40\nrange: 0 40\ngrader_flags: sum best ignore_sample\n",
    )];
    let expected = [
        "data/secret/a/testdata.yaml:3: `best` is not a flag of the default grader, which passes it over",
        "of the group `secret/a`, which is not the outermost, only the last result counts (`ignore_sample`)",
        "data/secret/a/testdata.yaml: 2 cases of 40 points each come to 80, and `range` ends at 40; a group that is all or nothing has `grader_flags: min`",
    ];
    let package = package(LEGACY, &files).unwrap();
    let found = package.deviations();
    assert!(
        expected.iter().all(|remark| found.contains(remark)),
        "{found:#?}"
    );
}

#[test]
fn a_checker_of_a_package_for_domjudge_may_give_points_in_place_of_those_of_the_group()
 {
    let files = [
        ("domjudge-problem.ini", "timelimit = 1\n"),
        ("output_validators/check.py", ""),
        (
            "data/secret/a/testdata.yaml",
            "accept_score: 40\ngrader_flags: max first_error\nrange: 0 90\n",
        ),
    ];
    let found = groups("type: scoring\nvalidation: custom\n", &files);
    assert_eq!(
        found[2..4],
        [
            "secret sum all 0/0 of - stops",
            "secret/a max all 40/0 instead of 90 stops"
        ]
    );
}

/// Where a checker may give points, DOMjudge judges a failed group to its end if the
/// result of all groups is not known then.
#[test]
fn a_rejection_ends_a_group_for_domjudge_if_it_ends_everything() {
    let continues = "on_reject: continue\n";
    let inner = |files: &[(&str, &str)]| -> Vec<_> {
        let found = groups(
            "type: scoring\nvalidation: custom\n",
            &[
                &[
                    ("domjudge-problem.ini", "timelimit = 1\n"),
                    ("output_validators/check.py", ""),
                    ("data/secret/a/2.in", ""),
                    ("data/secret/a/2.ans", ""),
                    ("data/secret/b/2.in", ""),
                    ("data/secret/b/2.ans", ""),
                ],
                files,
            ]
            .concat(),
        );
        ["secret/a ", "secret/b "]
            .map(|name| {
                let group = found.iter().find(|line| line.starts_with(name));
                group.unwrap().ends_with(" stops")
            })
            .into()
    };
    assert_eq!(inner(&[]), [true, true]);
    // The last group is the last that `secret` waits for.
    assert_eq!(
        inner(&[("data/secret/testdata.yaml", continues)]),
        [false, true]
    );
    let breaks = ["", "a/", "b/"]
        .map(|folder| format!("data/secret/{folder}testdata.yaml"))
        .map(|file| (file, "on_reject: break\n"));
    let mut files = vec![("data/testdata.yaml", continues)];
    files.extend(breaks.iter().map(|(file, text)| (file.as_str(), *text)));
    assert_eq!(inner(&files), [true, true]);
    let own = [("data/secret/a/testdata.yaml", continues)];
    assert_eq!(inner(&own), [false, true]);
    // Groups in a group get points in any case.
    let files = [
        ("domjudge-problem.ini", "timelimit = 1\n"),
        ("data/secret/testdata.yaml", continues),
        ("data/secret/a/x/1.in", ""),
        ("data/secret/a/x/1.ans", ""),
    ];
    let found = groups("type: scoring\n", &files);
    for (name, stops) in [("secret/a ", false), ("secret/a/x ", true)] {
        let group = found.iter().find(|line| line.starts_with(name));
        assert_eq!(group.unwrap().ends_with(" stops"), stops, "{found:?}");
    }
}

#[test]
fn every_mistake_about_points_is_listed_with_its_place() {
    let files = [
        (
            "data/testdata.yaml",
            "on_reject: stop\nrange: 100\ngrader_flags: ignore_sample best\n",
        ),
        (
            "data/secret/a/testdata.yaml",
            "accept_score: 40\nrange: 0 40\ngrader_flags: sum\n",
        ),
        ("data/secret/c/1.in", ""),
        ("data/secret/c/1.ans", ""),
    ];
    let expected = [
        "data/testdata.yaml:1: unknown on_reject `stop`",
        "data/testdata.yaml:2: `range` must be two numbers, found `100`",
        "data/testdata.yaml: the group `secret` has more than two results, and its grader (`ignore_sample`) takes two at most: the samples, and the rest",
    ];
    let mut found = package(LEGACY, &files).unwrap_err();
    found.sort_by_key(|line| expected.iter().position(|other| line == other));
    assert_eq!(found, expected);
    let files = [
        (
            "data/secret/a/test_group.yaml",
            "max_score: many\nscore_aggregation: max\n",
        ),
        (
            "data/secret/b/test_group.yaml",
            "score_aggregation: min\nrequire_pass: secret/c\n",
        ),
        ("data/secret/c/1.in", ""),
        ("data/secret/c/1.ans", ""),
    ];
    let expected = [
        "data/secret/a/test_group.yaml:2: unknown score_aggregation `max`",
        "data/secret/a/test_group.yaml:1: `max_score` must be a whole number, found `many`",
        "data/secret/a/test_group.yaml: the group `secret/a` does not say what it is worth",
        "data/secret/b/test_group.yaml: the group `secret/b` does not say what it is worth",
        "data/secret/b/test_group.yaml: the group `secret/b` requires `secret/c`, and no earlier group is called so",
        "data/secret/c/test_group.yaml: the group `secret/c` does not say what it is worth",
    ];
    let mut found = package(NEW, &files).unwrap_err();
    found.sort_by_key(|line| expected.iter().position(|other| line == other));
    assert_eq!(found, expected);
}

#[test]
fn groups_of_2025_that_are_worth_more_than_secret_are_a_mistake() {
    let files = [
        ("data/secret/a/test_group.yaml", "max_score: 40\n"),
        ("data/secret/b/test_group.yaml", "max_score: 70\n"),
    ];
    let expected =
        "the group `secret` is worth 100 points at most, and its groups give 110";
    assert_eq!(
        package(NEW, &files).unwrap_err(),
        [format!("data/secret/test_group.yaml: {expected}")]
    );
    let with = |secret: &'static str| {
        package(
            NEW,
            &[&[("data/secret/test_group.yaml", secret)], &files[..]].concat(),
        )
    };
    // Less than the maximum is no mistake, and of several the least counts with `min`.
    for secret in [
        "max_score: 110\n",
        "max_score: 120\n",
        "max_score: 40\nscore_aggregation: min\n",
    ] {
        with(secret).unwrap();
    }
    let expected =
        "the group `secret` is worth 30 points at most, and its groups give 40";
    let found = with("score_aggregation: min\nmax_score: 30\n").unwrap_err();
    assert_eq!(found, [format!("data/secret/test_group.yaml: {expected}")]);
}

#[test]
fn points_in_a_problem_without_points_are_a_mistake() {
    let icpc = "problem_format_version: legacy-icpc\ntype: scoring\n";
    assert_eq!(
        package(icpc, &[]).unwrap_err(),
        ["problem.yaml:2: `legacy-icpc` knows no points (`type: scoring`)"]
    );
    let validation = "validation: custom score\n";
    let files = [("output_validators/v.py", "")];
    assert_eq!(
        package(validation, &files).unwrap_err(),
        ["problem.yaml:1: `score` asks for points, and the problem gives none"]
    );
    let plain = NEW.replace("type: scoring\n", "");
    let files = [("data/secret/a/test_group.yaml", "max_score: 40\n")];
    assert_eq!(
        package(&plain, &files).unwrap_err(),
        [
            "data/secret/a/test_group.yaml: `secret/a` is worth points, and the problem gives none"
        ]
    );
}
