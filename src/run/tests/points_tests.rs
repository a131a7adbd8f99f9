//! Suites of a problem with points: a case that is not accepted settles its own group
//! only.

use super::*;
use crate::model::{Score, Scoring};

/// Cases `sample/0`, `a/1`, `a/2`, `b/3` and `b/4`; 10 points for `a`, 30 for `b`.
fn fixture() -> SuiteFixture {
    let mut fixture = SuiteFixture::with_cases(5);
    let groups = ["sample", "a", "a", "b", "b"];
    let named = fixture.cases.iter().zip(groups).map(|(case, group)| Case {
        name: case.name.replace("secret", group),
        ..case.clone()
    });
    fixture.cases = named.collect();
    let scoring =
        Scoring::of_whole_groups([("a".to_owned(), 10), ("b".to_owned(), 30)]);
    fixture.problem = Arc::new(Problem {
        scoring,
        ..problem()
    });
    fixture
}

/// The report of a submission that is wrong on one case, and its score as `earned/of`.
fn wrong_on(wrong: usize, stop_at_first: bool, jobs: usize) -> (Vec<String>, String) {
    let fixture = fixture();
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        Ok(ScriptedSandbox::clean(if case_of(launch) == wrong {
            WRONG
        } else {
            RIGHT
        }))
    });
    let events = fixture.judge(&fixture.plan(&["s"]), jobs, stop_at_first, &sandbox);
    (report_lines(&events), score(&events))
}

fn score(events: &[Event]) -> String {
    let score = events.iter().find_map(|event| match event {
        Event::SubmissionFinished(summary) => summary.score.clone(),
        _ => None,
    });
    let Some(Score {
        earned,
        of: Some(of),
        groups,
        ..
    }) = score
    else {
        return String::new();
    };
    let groups = groups.iter().map(|group| {
        format!(" {} {}/{}", group.name, group.earned, group.of.unwrap())
    });
    format!("{earned}/{of}:{}", groups.collect::<String>())
}

#[test]
fn a_case_that_fails_settles_its_group_only() {
    for jobs in [1, 4] {
        let (lines, score) = wrong_on(1, true, jobs);
        let expected = [
            "s sample/0 AC",
            "s a/1 WA",
            "s a/2 SK",
            "s b/3 AC",
            "s b/4 AC",
            "s: WA 3/5",
        ];
        assert_eq!(lines, expected);
        assert_eq!(score, "30/40: sample 0/0 a 0/10 b 30/30");
    }
    let (lines, score) = wrong_on(0, true, 2);
    assert_eq!(lines[1], "s a/1 AC");
    assert_eq!(
        (lines.last().unwrap().as_str(), score.split(':').next()),
        ("s: WA 4/5", Some("40/40"))
    );
}

#[test]
fn every_case_is_judged_on_request_and_the_points_are_the_same() {
    let (lines, score) = wrong_on(1, false, 2);
    assert_eq!(lines[2], "s a/2 AC");
    assert_eq!(score, wrong_on(1, true, 2).1);
}

#[test]
fn all_points_are_earned_if_no_case_fails() {
    assert_eq!(wrong_on(9, true, 2).1, "40/40: sample 0/0 a 10/10 b 30/30");
}

#[test]
fn a_fault_costs_the_points_of_its_group_and_is_no_verdict() {
    let fixture = fixture();
    let sandbox =
        ScriptedSandbox::new(|launch: &Launch, _: &Limits| match case_of(launch) {
            3 => Err(Fault::because("starting", "no processes left")),
            _ => Ok(ScriptedSandbox::clean(RIGHT)),
        });
    let events = fixture.judge(&fixture.plan(&["s"]), 2, true, &sandbox);
    assert_eq!(report_lines(&events)[4..], ["s b/4 SK", "s: fault 3/5"]);
    assert_eq!(score(&events), "10/40: sample 0/0 a 10/10 b 0/30");
}

#[test]
fn a_problem_without_points_has_no_score() {
    let fixture = SuiteFixture::with_cases(1);
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        Ok(ScriptedSandbox::clean(RIGHT))
    });
    assert_eq!(
        score(&fixture.judge(&fixture.plan(&["s"]), 1, true, &sandbox)),
        ""
    );
}
