//! The content of progress lines for given events and activity.

use super::*;
use crate::model::{Case, SubmissionSkip, SubmissionSummary, Verdict};

fn view(submissions: usize) -> ProgressView {
    ProgressView::for_entries(
        (0..submissions)
            .map(|number| {
                (
                    format!("p {number}.c"),
                    (0..63)
                        .map(|number| Case {
                            name: format!("secret/{number}"),
                            input: "".into(),
                            answer: "".into(),
                        })
                        .collect(),
                )
            })
            .collect(),
        JudgingPurpose::Verdicts,
    )
}

fn finished(verdict: Verdict) -> Event {
    Event::SubmissionFinished(Box::new(SubmissionSummary {
        problem: "p".into(),
        submission: "a".into(),
        verdict: Some(verdict),
        cases: 63,
        ..SubmissionSummary::default()
    }))
}

fn skipped() -> Event {
    Event::SubmissionSkipped(Box::new(SubmissionSkip {
        problem: "p".into(),
        submission: "b".into(),
        ..SubmissionSkip::default()
    }))
}

fn doing(entry: usize, phase: JudgingPhase) -> ActiveStep {
    ActiveStep { entry, phase }
}

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn finished_submissions_are_counted_and_trials_are_not() {
    let mut view = view(4);
    assert_eq!(
        view.lines(&[], seconds(0)),
        ["[              ] 0 of 4 submissions, 0:00"]
    );
    for event in &[
        finished(Verdict::Accepted),
        finished(Verdict::WrongAnswer),
        skipped(),
    ] {
        view.take_event(event);
    }
    assert_eq!(
        view.lines(&[], seconds(75)),
        ["[==========    ] 3 of 4 submissions: 1 accepted, 1 not, 1 skipped, 1:15"]
    );
}

#[test]
fn a_measurement_is_called_one_and_its_verdicts_are_not_counted() {
    for (purpose, label) in [
        (JudgingPurpose::TimeLimit, "measuring the time limit"),
        (JudgingPurpose::Margins, "measuring times"),
    ] {
        let mut view = ProgressView { purpose, ..view(4) };
        for event in &[
            finished(Verdict::Accepted),
            finished(Verdict::WrongAnswer),
            skipped(),
        ] {
            view.take_event(event);
        }
        let expected =
            format!("[==========    ] {label}: 3 of 4 submissions: 1 skipped, 1:15");
        assert_eq!(view.lines(&[], seconds(75)), [expected]);
    }
}

#[test]
fn each_active_submission_shows_its_phase_and_for_how_long_it_has_been_active() {
    let mut view = view(3);
    let now = [
        doing(0, JudgingPhase::Judging(4)),
        doing(1, JudgingPhase::Compiling),
    ];
    assert_eq!(
        view.lines(&now, seconds(2))[1..],
        [
            "  p 0.c: judging case 5 of 63, 0:00",
            "  p 1.c: compiling, 0:00"
        ]
    );
    let now = [
        doing(0, JudgingPhase::Judging(6)),
        doing(0, JudgingPhase::Judging(9)),
        doing(1, JudgingPhase::Compiling),
    ];
    assert_eq!(
        view.lines(&now, seconds(5))[1..],
        [
            "  p 0.c: judging cases 7 to 10 of 63, 0:03",
            "  p 1.c: compiling, 0:03"
        ]
    );
    let now = [
        doing(0, JudgingPhase::Judging(9)),
        doing(0, JudgingPhase::JudgingAgain(6)),
    ];
    assert_eq!(
        view.lines(&now, seconds(6))[1..],
        ["  p 0.c: judging case 7 of 63 again, 0:04"]
    );
    view.take_event(&finished(Verdict::Accepted));
    let now = [doing(1, JudgingPhase::Judging(0))];
    assert_eq!(
        view.lines(&now, seconds(9))[1..],
        ["  p 1.c: judging case 1 of 63, 0:07"]
    );
}

#[test]
fn the_first_submission_that_waits_to_be_judged_again_is_shown_because_it_holds_up_the_others()
 {
    let mut view = view(40);
    let mut now: Vec<_> = (0..30)
        .map(|entry| doing(entry, JudgingPhase::Waiting(6)))
        .collect();
    now.push(doing(1, JudgingPhase::Judging(8)));
    now.push(doing(33, JudgingPhase::Compiling));
    assert_eq!(
        view.lines(&now, seconds(2))[1..],
        [
            "  p 0.c: case 7 of 63 waits to be judged again, and later results for it, 0:00",
            "  p 1.c: judging case 9 of 63, 0:00",
            "  p 33.c: compiling, 0:00",
        ]
    );
    now.push(doing(0, JudgingPhase::JudgingAgain(6)));
    assert_eq!(
        view.lines(&now, seconds(3))[1],
        "  p 0.c: judging case 7 of 63 again, 0:01"
    );
}

#[test]
fn some_of_many_active_submissions_are_shown_and_the_rest_is_counted() {
    let mut view = view(20);
    let now: Vec<_> = (0..12)
        .map(|entry| doing(entry, JudgingPhase::Compiling))
        .collect();
    let lines = view.lines(&now, seconds(1));
    assert_eq!((lines.len(), lines[9].as_str()), (10, "  and 4 more"));
}

#[test]
fn a_clock_shows_hours_if_there_are_any() {
    assert_eq!(
        [0, 7, 754, 3723].map(|time| clock(seconds(time))),
        ["0:00", "0:07", "12:34", "1:02:03"]
    );
}
