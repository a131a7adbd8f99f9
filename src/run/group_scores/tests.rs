//! The scores of groups: of folders, by the default grader of the older Kattis formats,
//! and by the rules of 2025-09.

use super::*;
use crate::model::{CaseWorth, CheckerPointsRule, ScoreGroup};

fn case(name: &str) -> Case {
    Case {
        name: name.into(),
        input: "in".into(),
        answer: "ans".into(),
    }
}

fn case_named(number: usize) -> Case {
    case(&format!("a/{number}"))
}

fn value(points: f64) -> PointValue {
    PointValue::new(points).unwrap()
}

/// Two groups that are folders: `a` (10 points) and `b` (20).
fn folders() -> Scoring {
    Scoring::of_whole_groups([("a".to_owned(), 10), ("b".to_owned(), 20)])
}

fn of_groups(groups: Vec<ScoreGroup>) -> Scoring {
    let mut scoring = Scoring::default();
    for group in groups {
        scoring.add(group);
    }
    scoring
}

/// The score as `earned of most: group earned/most ...`. The outcome of a case is `x`
/// if it is not accepted, else the checker's points, `*` and a factor, or empty. Every
/// case is judged.
fn score_text(scoring: &Scoring, outcomes: &[(&str, &str)]) -> String {
    let cases: Vec<_> = outcomes.iter().map(|(name, _)| case(name)).collect();
    let mut groups = GroupScores::for_cases(scoring, &cases);
    for (number, (_, outcome)) in outcomes.iter().enumerate() {
        let said = match outcome.split_at_checked(1) {
            None => None,
            Some(("x", _)) => {
                groups.lose(number);
                continue;
            }
            Some(("*", part)) => {
                Some(CheckerPoints::Factor(value(part.parse().unwrap())))
            }
            _ => Some(CheckerPoints::Points(value(outcome.parse().unwrap()))),
        };
        groups.accept(number, said).unwrap();
    }
    let score = groups.score().unwrap();
    let of = |of: Option<PointValue>| of.map_or("?".to_owned(), |of| of.to_string());
    let each = score
        .groups
        .iter()
        .map(|group| format!(" {} {}/{}", group.name, group.earned, of(group.of)));
    let mark = if score.accepted { "AC " } else { "" };
    format!(
        "{mark}{} of {}:{}",
        score.earned,
        of(score.of),
        each.collect::<String>()
    )
}

/// The next case that counts after each of these cases is lost, in this order.
fn ends(scoring: &Scoring, names: &[&str], lost: &[usize]) -> Vec<usize> {
    let cases: Vec<_> = names.iter().map(|name| case(name)).collect();
    let mut groups = GroupScores::for_cases(scoring, &cases);
    lost.iter().map(|case| groups.lose(*case)).collect()
}

#[test]
fn a_folder_gives_all_its_points_or_none() {
    let of = |lost: &[usize]| {
        let names = ["sample/1", "a/1", "a/2/x", "a/3", "b/1"];
        let outcomes = names.iter().enumerate().map(|(number, name)| {
            (*name, if lost.contains(&number) { "x" } else { "" })
        });
        score_text(&folders(), &outcomes.collect::<Vec<_>>())
    };
    assert_eq!(of(&[]), "AC 30 of 30: sample 0/0 a 10/10 b 20/20");
    assert_eq!(of(&[0]), "30 of 30: sample 0/0 a 10/10 b 20/20");
    assert_eq!(of(&[2]), "20 of 30: sample 0/0 a 0/10 b 20/20");
    assert_eq!(of(&[1, 4]), "0 of 30: sample 0/0 a 0/10 b 0/20");
}

#[test]
fn a_lost_case_ends_its_folder_and_no_other() {
    let names = ["sample/1", "a/1", "a/2/x", "a/3", "b/1"];
    assert_eq!(ends(&folders(), &names, &[0, 1, 4]), [1, 4, 5]);
    // Cases that are in no group may have groups between them.
    assert_eq!(ends(&folders(), &["0", "a/1", "b", "b/1"], &[0, 2]), [1, 3]);
    assert_eq!(ends(&folders(), &["a/1", "0", "a/2", "b/1"], &[0]), [1]);
    let cases = ["a/1", "0", "a/2"].map(case);
    let scoring = folders();
    let mut groups = GroupScores::for_cases(&scoring, &cases);
    groups.lose(0);
    assert_eq!(
        [0, 1, 2].map(|case| groups.is_settled(case)),
        [true, false, true]
    );
}

#[test]
fn without_groups_no_case_counts_after_a_rejection_and_there_are_no_points() {
    let scoring = Scoring::default();
    assert_eq!(ends(&scoring, &["a/1", "b/1", "c"], &[0]), [3]);
    let cases = ["a/1", "b/1"].map(case);
    let mut groups = GroupScores::for_cases(&scoring, &cases);
    assert!(!groups.is_left_out(1) && !groups.is_ignored(0));
    groups.accept(0, None).unwrap();
    groups.lose(1);
    assert_eq!(groups.points_of(0), None);
    assert!(groups.verdict().is_none());
    assert_eq!(groups.score(), None);
}

/// The points of one group of an older Kattis package whose checker gives the points of
/// each case.
fn graded(change: impl Fn(&mut ScoreGroup), outcomes: &[&str]) -> String {
    let mut group = ScoreGroup::of_all_cases();
    group.case.checker = CheckerPointsRule::Points;
    change(&mut group);
    let scoring = of_groups(vec![group]);
    let cases: Vec<_> = outcomes
        .iter()
        .enumerate()
        .map(|(number, outcome)| (format!("{number}"), *outcome))
        .collect();
    let cases: Vec<_> = cases
        .iter()
        .map(|(name, outcome)| (name.as_str(), *outcome))
        .collect();
    score_text(&scoring, &cases)
        .split(" of")
        .next()
        .unwrap()
        .to_owned()
}

/// The worked examples in the documentation of the default grader.
#[test]
fn the_default_grader_of_older_kattis_packages_is_followed() {
    assert_eq!(graded(|_| {}, &["1", "1", "x"]), "2");
    assert_eq!(
        graded(
            |group| group.aggregation = ScoreAggregation::Min,
            &["10", "10", "10"]
        ),
        "AC 10"
    );
    assert_eq!(
        graded(
            |group| group.acceptance = GroupAcceptance::Always,
            &["10", "x", "10"]
        ),
        "AC 20"
    );
    assert_eq!(graded(|_| {}, &["x", "x", "x"]), "0");
    assert_eq!(
        graded(
            |group| group.acceptance = GroupAcceptance::Any,
            &["x", "40", "x"]
        ),
        "AC 40"
    );
    assert_eq!(
        graded(|group| group.ignores_first = true, &["x", "70"]),
        "AC 70"
    );
    assert_eq!(graded(|_| {}, &["x", "70"]), "70");
    assert_eq!(
        graded(
            |group| group.aggregation = ScoreAggregation::Average,
            &["33.333", "66.5"]
        ),
        "AC 49.9165"
    );
    assert_eq!(
        graded(
            |group| group.aggregation = ScoreAggregation::Max,
            &["3", "5"]
        ),
        "AC 5"
    );
    assert_eq!(graded(|_| {}, &[]), "AC 0");
    // Only cases before the first rejection are summed.
    assert_eq!(
        graded(
            |group| group.stops_at_rejection = true,
            &["1", "1", "x", "1"]
        ),
        "2"
    );
}

/// Two subtasks of 40 and 60 points in `secret`, as nearly all older scoring packages
/// have them.
fn subtasks() -> Scoring {
    let all = ScoreGroup {
        ignores_first: true,
        ..ScoreGroup::of_all_cases()
    };
    let sample = all.inner("sample".to_owned(), 0);
    let secret = ScoreGroup {
        acceptance: GroupAcceptance::Any,
        ignores_first: false,
        ..all.inner("secret".to_owned(), 0)
    };
    let subtask = |number: usize, points: u64| ScoreGroup {
        aggregation: ScoreAggregation::Min,
        acceptance: GroupAcceptance::All,
        stops_at_rejection: true,
        case: CaseWorth {
            accepted: points.into(),
            ..CaseWorth::default()
        },
        ..secret.inner(format!("secret/{number}"), 2)
    };
    let one = subtask(1, 40);
    let two = subtask(2, 60);
    let groups = vec![
        all,
        ScoreGroup {
            ignores_first: false,
            ..sample
        },
        secret,
        one,
        two,
    ];
    Scoring {
        decides_verdict: true,
        ..of_groups(groups)
    }
}

#[test]
fn a_case_in_a_group_without_a_parent_counts_for_nothing() {
    let mut scoring = folders();
    let place = scoring.groups.len();
    let mut outside = ScoreGroup::default();
    outside.case.checker = CheckerPointsRule::Instead;
    scoring.groups.push(outside);
    scoring.members.insert("sample/1".to_owned(), place);
    for sample in ["x", "", "7"] {
        let outcomes = [("sample/1", sample), ("a/1", ""), ("b/1", "")];
        assert_eq!(
            score_text(&scoring, &outcomes),
            "AC 30 of 30: sample 0/0 a 10/10 b 20/20"
        );
    }
    let cases = ["sample/1", "a/1", "b/1"].map(case);
    let groups = GroupScores::for_cases(&scoring, &cases);
    let ignored = [0, 1, 2].map(|case| groups.is_ignored(case));
    assert_eq!(ignored, [true, false, false]);
}

#[test]
fn a_submission_that_solves_some_subtasks_is_accepted_with_their_points() {
    let of = |outcomes: [&str; 5]| {
        let names = [
            "sample/1",
            "secret/1/a",
            "secret/1/b",
            "secret/2/a",
            "secret/2/b",
        ];
        score_text(
            &subtasks(),
            &std::iter::zip(names, outcomes).collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        of([""; 5]),
        "AC 100 of 100: sample 0/0 secret/1 40/40 secret/2 60/60"
    );
    assert_eq!(
        of(["", "", "", "", "x"]),
        "AC 40 of 100: sample 0/0 secret/1 40/40 secret/2 0/60"
    );
    assert_eq!(
        of(["x", "x", "", "", ""]),
        "AC 60 of 100: sample 0/0 secret/1 0/40 secret/2 60/60"
    );
    assert_eq!(
        of(["", "x", "", "x", ""]),
        "0 of 100: sample 0/0 secret/1 0/40 secret/2 0/60"
    );
    let names = [
        "sample/1",
        "secret/1/a",
        "secret/1/b",
        "secret/2/a",
        "secret/2/b",
    ];
    assert_eq!(ends(&subtasks(), &names, &[0, 1, 3]), [1, 3, 5]);
}

/// `secret` of 100 points: `g1` of 40, all or nothing, and three cases in `g2` of 60,
/// which is a sum or a minimum.
fn of_2025(aggregation: ScoreAggregation, requires: Vec<usize>) -> Scoring {
    let secret = ScoreGroup::of_all_cases().inner("secret".to_owned(), 0);
    let of = |points: u64, checker| CaseWorth {
        accepted: points.into(),
        checker,
        ..CaseWorth::default()
    };
    let first = ScoreGroup {
        aggregation: ScoreAggregation::Min,
        case: of(40, CheckerPointsRule::Nothing),
        ..secret.inner("secret/g1".to_owned(), 1)
    };
    let each = if aggregation == ScoreAggregation::Sum {
        20
    } else {
        60
    };
    let case = of(each, CheckerPointsRule::AtMost);
    let second = ScoreGroup {
        aggregation,
        requires,
        case,
        ..secret.inner("secret/g2".to_owned(), 1)
    };
    let secret = ScoreGroup {
        most: Some(100.into()),
        ..secret
    };
    of_groups(vec![ScoreGroup::of_all_cases(), secret, first, second])
}

#[test]
fn the_groups_of_2025_are_all_or_nothing_a_sum_or_a_minimum() {
    let of = |aggregation, outcomes: [&str; 4]| {
        let names = ["secret/g1/1", "secret/g2/1", "secret/g2/2", "secret/g2/3"];
        let cases: Vec<_> = std::iter::zip(names, outcomes).collect();
        score_text(&of_2025(aggregation, vec![]), &cases)
            .split(" of")
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(of(ScoreAggregation::Min, ["", "", "*0.5", ""]), "AC 70");
    assert_eq!(of(ScoreAggregation::Sum, ["", "", "*0.5", ""]), "AC 90");
    assert_eq!(of(ScoreAggregation::Min, ["", "", "*0.5", "x"]), "40");
    assert_eq!(of(ScoreAggregation::Sum, ["x", "", "7.5", "x"]), "27.5");
}

#[test]
fn a_group_that_requires_another_earns_nothing_without_it_and_need_not_be_judged() {
    let scoring = of_2025(ScoreAggregation::Sum, vec![2]);
    let outcomes = [
        ("secret/g1/1", "x"),
        ("secret/g2/1", ""),
        ("secret/g2/2", ""),
        ("secret/g2/3", ""),
    ];
    assert_eq!(
        score_text(&scoring, &outcomes),
        "0 of 100: secret/g1 0/40 secret/g2 0/60"
    );
    let cases = outcomes.map(|(name, _)| case(name));
    let mut groups = GroupScores::for_cases(&scoring, &cases);
    groups.lose(0);
    assert_eq!(
        [0, 1, 3].map(|case| groups.is_left_out(case)),
        [false, true, true]
    );
    assert_eq!(groups.left_out_after(0), 1..4);
}

#[test]
fn points_beyond_those_of_a_group_are_the_checkers_mistake_except_in_the_older_formats()
 {
    let mut scoring = subtasks();
    scoring.groups[3].case.checker = CheckerPointsRule::Points;
    scoring.groups[3].aggregation = ScoreAggregation::Sum;
    scoring.groups[3].most = Some(40.into());
    let cases = ["secret/1/a", "secret/1/b"].map(case);
    let both = |scoring: &Scoring| {
        let mut groups = GroupScores::for_cases(scoring, &cases);
        let mut accept = |case, points| {
            groups.accept(case, Some(CheckerPoints::Points(value(points))))
        };
        assert_eq!(accept(0, 30.0), Ok(()));
        accept(1, 10.5).map(|()| groups.score().unwrap())
    };
    let older = both(&scoring).unwrap();
    assert_eq!(older.earned, value(40.5));
    let said = "the points of the group `secret/1` come to 40.5, and its `range` is from no bound to 40";
    assert_eq!(older.out_of_range, [said]);
    let wrong = "the points of group `secret/1` come to 40.5, and it is worth 40";
    assert_eq!(
        both(&Scoring {
            decides_verdict: false,
            ..scoring
        }),
        Err(wrong.to_owned())
    );
}

/// `Instead`: as DOMjudge counts the points of a program that judges outputs.
#[test]
fn points_of_a_checker_replace_those_of_the_group_in_packages_for_domjudge() {
    let of = |aggregation, results: &[(&str, Option<f64>)]| {
        let case = CaseWorth {
            accepted: 40.into(),
            checker: CheckerPointsRule::Instead,
            ..CaseWorth::default()
        };
        let group = ScoreGroup {
            case,
            aggregation,
            ..ScoreGroup::of_all_cases().inner("a".to_owned(), 0)
        };
        let scoring = of_groups(vec![ScoreGroup::of_all_cases(), group]);
        let cases: Vec<_> = (0..results.len()).map(case_named).collect();
        let mut groups = GroupScores::for_cases(&scoring, &cases);
        for (number, (verdict, said)) in results.iter().enumerate() {
            let said = said.map(|points| CheckerPoints::Points(value(points)));
            match *verdict {
                "AC" => groups.accept(number, said).unwrap(),
                "WA" => groups.reject(number, Verdict::WrongAnswer, said),
                _ => groups.reject(number, Verdict::TimeLimit, said),
            }
        }
        groups.score().unwrap().earned.get()
    };
    use ScoreAggregation::{Min, Sum};
    let none = None::<f64>;
    assert_eq!(of(Sum, &[("AC", Some(30.0)), ("WA", Some(5.0))]), 35.0);
    // Without any, the group is all or nothing.
    assert_eq!(of(Sum, &[("AC", none), ("AC", none)]), 40.0);
    assert_eq!(of(Sum, &[("AC", none), ("WA", none)]), 0.0);
    // A case without points is left out, and those of one that was stopped are none.
    assert_eq!(of(Min, &[("AC", Some(30.0)), ("AC", none)]), 30.0);
    assert_eq!(of(Min, &[("AC", Some(30.0)), ("TLE", Some(9.0))]), 0.0);
    assert_eq!(of(Min, &[("AC", Some(30.0)), ("TLE", none)]), 30.0);
}

#[test]
fn a_case_may_be_worth_something_else_than_the_others_of_its_group() {
    let points = |accepted: u64| CaseWorth {
        accepted: accepted.into(),
        checker: CheckerPointsRule::AtMost,
        ..CaseWorth::default()
    };
    let group = ScoreGroup {
        case: points(20),
        ..ScoreGroup::of_all_cases().inner("a".to_owned(), 0)
    };
    let mut scoring = of_groups(vec![ScoreGroup::of_all_cases(), group]);
    scoring.worths.insert("a/source".to_owned(), points(10));
    assert_eq!(
        score_text(&scoring, &[("a/source", ""), ("a/1", ""), ("a/2", "x")]),
        "30 of 50: a 30/50"
    );
    assert_eq!(
        score_text(&scoring, &[("a/source", "x"), ("a/1", ""), ("a/2", "")]),
        "40 of 50: a 40/50"
    );
}
