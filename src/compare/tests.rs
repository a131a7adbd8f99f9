//! Baselines from records, written to files, and compared.

use std::path::Path;

use gridjudge_sandbox::Fault;

use super::*;
use crate::model::{
    AttemptRecord, Event, SuiteStart, Tally, TrialFault, TrialRecord, Verdict,
};
use crate::report::{Sink, Verbosity};

/// A record whose attempts got these verdicts in these times; all used 1000 KiB. The
/// problem is `p`.
pub(crate) fn record(
    submission: &str,
    case: &str,
    attempts: &[(&str, u64)],
) -> TrialRecord {
    let peak_memory_bytes = 1000 * 1024;
    let attempts: Vec<_> = attempts
        .iter()
        .map(|(code, cpu_us)| {
            let verdict = code.parse().unwrap();
            AttemptRecord {
                verdict,
                cpu_us: *cpu_us,
                wall_us: *cpu_us,
                peak_memory_bytes,
                calibration_ns: None,
            }
        })
        .collect();
    let decides = attempts
        .iter()
        .find(|attempt| attempt.verdict != Verdict::Accepted)
        .unwrap_or(&attempts[0]);
    let verdict = decides.verdict;
    let cpu_us = decides.cpu_us;
    TrialRecord {
        problem: "p".into(),
        submission: submission.into(),
        case: case.to_owned(),
        verdict,
        cpu_us: Some(cpu_us),
        wall_us: Some(1),
        peak_memory_bytes: Some(peak_memory_bytes),
        attempts: if attempts.len() > 1 { attempts } else { vec![] },
        ..TrialRecord::default()
    }
}

/// The same record on a machine with this calibration time.
pub(crate) fn calibrated(
    mut record: TrialRecord,
    calibration_ns: u64,
) -> TrialRecord {
    for (attempt, step) in record.attempts.iter_mut().zip(0..) {
        attempt.calibration_ns = Some(calibration_ns + step)
    }
    record
}

/// Ten accepted attempts of about this time, varying by a hundredth.
fn steady(submission: &str, case: &str, cpu_us: u64) -> TrialRecord {
    let times: Vec<_> = (0..10)
        .map(|step| ("AC", cpu_us + cpu_us * (step * 7 % 10) / 1000))
        .collect();
    record(submission, case, &times)
}

fn of_another_problem(record: TrialRecord) -> TrialRecord {
    TrialRecord {
        problem: "q".into(),
        ..record
    }
}

pub(crate) fn of(records: impl IntoIterator<Item = TrialRecord>) -> Baseline {
    on("a machine, Linux 1", records)
}

fn on(machine: &str, records: impl IntoIterator<Item = TrialRecord>) -> Baseline {
    let mut collector = BaselineCollector::default();
    collector.take_event(&started(machine)).unwrap();
    for record in records {
        collector
            .take_event(&Event::TrialFinished(Box::new(record)))
            .unwrap()
    }
    collector
        .take_event(&Event::SuiteFinished(Tally::default()))
        .unwrap();
    collector.finish().0
}

fn started(machine: &str) -> Event {
    Event::SuiteStarted(Box::new(SuiteStart {
        machine: machine.to_owned(),
        ..SuiteStart::default()
    }))
}

/// The changes of a comparison, without figures of confidence: `slower p s c +10 %`.
fn shown(was: &Baseline, now: &Baseline) -> Vec<String> {
    let found = Comparison::between(was, now, false).unwrap();
    found
        .changes
        .iter()
        .map(|change| {
            let [word, problem, submission, case, was, now, _] = table::cells(change);
            match change.kind {
                ChangeKind::Verdict { .. } => {
                    format!("{word} {problem} {submission} {case} {was} -> {now}")
                }
                ChangeKind::Time { factor, .. } => {
                    format!(
                        "{word} {problem} {submission} {case} {:+.0} %",
                        100.0 * (factor - 1.0)
                    )
                }
                ChangeKind::Flaky { .. } => {
                    format!("{word} {problem} {submission} {case} {was} -> {now}")
                }
                _ => format!("{word} {problem} {submission} {case}"),
            }
        })
        .collect()
}

#[test]
fn changed_verdicts_come_before_changed_times_and_improvements_come_last() {
    let was = of([
        steady("a", "1", 10_000),
        record("b", "1", &[("AC", 5); 3]),
        record("b", "2", &[("WA", 5); 3]),
        record("c", "1", &[("WA", 5); 3]),
        record("d", "1", &[("AC", 5); 3]),
    ]);
    let now = of([
        steady("a", "1", 11_000),
        record("b", "1", &[("RE", 5); 3]),
        record("b", "2", &[("AC", 5); 3]),
        record("c", "1", &[("RE", 5); 3]),
        record("d", "1", &[("AC", 5), ("WA", 5), ("AC", 5)]),
    ]);
    let expected = [
        "verdict p b 1 AC -> RE",
        "verdict p c 1 WA -> RE",
        "verdict p d 1 AC -> WA:1,AC:2",
        "slower p a 1 +10 %",
        "accepted now p b 2 WA -> AC",
    ];
    assert_eq!(shown(&was, &now), expected);
    assert!(shown(&was, &was).is_empty());
}

#[test]
fn a_missing_case_is_gone_unless_it_was_not_judged() {
    let was = of(["1", "2", "3"]
        .map(|case| steady("a", case, 10_000))
        .into_iter()
        .chain([
            steady("b", "1", 10_000),
            steady("b", "2", 10_000),
            steady("c", "1", 10_000),
        ]));
    let skipped = TrialRecord {
        verdict: Verdict::Skipped,
        ..steady("a", "2", 1)
    };
    let now = [steady("a", "1", 10_000), skipped, steady("d", "1", 10_000)];
    let expected = [
        "gone p b 2 cases",
        "gone p c 1 case",
        "gone p a 3",
        "new p d 1 case",
    ];
    assert_eq!(shown(&was, &of(now.clone())), expected);
    assert_eq!(
        Comparison::between(&was, &of(now.clone()), false)
            .unwrap()
            .unjudged,
        1
    );
    // A log that breaks off shows nothing about the rest.
    let mut collector = BaselineCollector::default();
    for record in &now {
        collector
            .take_event(&Event::TrialFinished(Box::new(record.clone())))
            .unwrap()
    }
    let fault = Fault::because("starting", "no processes");
    let faulted = Event::TrialFaulted(Box::new(TrialFault {
        problem: "p".into(),
        submission: "a".into(),
        case: "3".into(),
        fault,
    }));
    collector.take_event(&faulted).unwrap();
    let (broken, problems) = collector.finish();
    assert_eq!(
        problems,
        LogGaps {
            faults: 1,
            incomplete: true,
            ..LogGaps::default()
        }
    );
    assert_eq!(shown(&was, &broken), ["new p d 1 case"]);
}

#[test]
fn a_submission_may_be_slower_in_total_without_any_slower_case() {
    // Each case varies by a third, in its own way; their sum does not.
    let case = |case: usize, factor: u64| {
        let times: Vec<_> = (0..10)
            .map(|round| 8500 + 3000 * ((round + case) % 10) as u64 / 9)
            .collect();
        let times: Vec<_> = times
            .iter()
            .map(|time| ("AC", time * factor / 100))
            .collect();
        record("a", &case.to_string(), &times)
    };
    let run = |factor| of((0..20).map(|number| case(number, factor)));
    assert_eq!(shown(&run(100), &run(112)), ["slower p a 20 cases +12 %"]);
    assert!(shown(&run(100), &run(102)).is_empty());
}

#[test]
fn one_case_of_sixty_that_takes_twice_the_time_is_found() {
    let run = |factor| {
        of((0..60).map(|case| {
            steady(
                "a",
                &case.to_string(),
                if case == 7 { factor } else { 1 } * 10_000,
            )
        }))
    };
    assert_eq!(shown(&run(1), &run(2)), ["slower p a 7 +100 %"]);
    assert_eq!(shown(&run(2), &run(1)), ["faster p a 7 -50 %"]);
}

#[test]
fn a_change_common_to_nearly_all_submissions_is_noted_and_each_is_listed() {
    let run = |factor: u64, third: u64| {
        let submissions = ["a", "b", "c", "d", "e", "f"].into_iter().enumerate();
        of(submissions.map(|(number, name)| {
            let extra = if number == 2 { third } else { 100 };
            steady(name, "1", 10_000 * factor * extra / 10_000)
        }))
    };
    let told = shown(&run(100, 100), &run(108, 120));
    assert_eq!(
        (told.len(), told[0].as_str(), told[1].as_str()),
        (6, "slower p c 1 +30 %", "slower p a 1 +8 %")
    );
    let found = Comparison::between(&run(100, 100), &run(108, 120), false).unwrap();
    assert!(
        (found.common_factor.unwrap() - 1.08).abs() < 0.002,
        "{found:?}"
    );
    assert_eq!(
        found.remarks()[0],
        "nearly all of 6 submissions have moved alike, by +8.0 % in the median: perhaps it is the machine"
    );
    assert_eq!(
        Comparison::between(&run(100, 100), &run(100, 150), false)
            .unwrap()
            .common_factor,
        None
    );
}

#[test]
fn times_of_another_machine_are_compared_on_request_and_a_new_kernel_is_the_same_machine()
 {
    let was = on("cpu A, 2 processors, Linux 1", [steady("a", "1", 10_000)]);
    let now = |machine| on(machine, [steady("a", "1", 12_000)]);
    let other =
        Comparison::between(&was, &now("cpu B, 2 processors, Linux 1"), false)
            .unwrap();
    assert!(
        other.changes.is_empty()
            && other.notes[0]
                .starts_with("times are not compared: then it was cpu A")
    );
    assert_eq!(
        Comparison::between(&was, &now("cpu B"), true)
            .unwrap()
            .changes
            .len(),
        1
    );
    assert_eq!(
        Comparison::between(&was, &now("cpu A, 2 processors, Linux 2"), false)
            .unwrap()
            .changes
            .len(),
        1
    );
}

#[test]
fn with_few_attempts_only_a_large_change_is_reported_and_marked_as_uncertain() {
    let run = |time| of([record("a", "1", &[("AC", time)])]);
    assert_eq!(
        shown(&run(100_000), &run(200_000)),
        ["slower? p a 1 +100 %"]
    );
    assert_eq!(shown(&run(200_000), &run(100_000)), ["faster? p a 1 -50 %"]);
    assert!(shown(&run(100_000), &run(140_000)).is_empty());
    assert!(shown(&run(1_000), &run(9_000)).is_empty());
    let found = Comparison::between(&run(1), &run(1), false).unwrap();
    assert!(found.notes[0].contains("too few attempts") && found.notes.len() == 1);
}

#[test]
fn memory_has_changed_if_it_is_beyond_all_earlier_attempts() {
    let with = |attempts: usize, kib: [u64; 2]| {
        let mut record = record("a", "1", &vec![("AC", 5); attempts]);
        for (attempt, kib) in record.attempts.iter_mut().zip(kib.iter().cycle()) {
            attempt.peak_memory_bytes = 1024 * kib;
        }
        of([record])
    };
    for (attempts, was, now, expected) in [
        (6, [1000, 1300], [2800, 2900], None),
        (6, [1000, 1300], [2900, 3000], Some("more memory p a 1")),
        (6, [2900, 3000], [1000, 1300], Some("less memory p a 1")),
        (2, [1000, 1300], [3400, 3500], None),
        (
            2,
            [1000, 1300],
            [40_000, 41_000],
            Some("more memory? p a 1"),
        ),
    ] {
        let told = shown(&with(attempts, was), &with(attempts, now));
        assert_eq!(
            told.first().map(String::as_str),
            expected,
            "{attempts} {was:?} {now:?}"
        );
    }
}

#[test]
fn the_verdict_of_a_cached_trial_counts_and_its_time_does_not() {
    let cached = TrialRecord {
        cached: true,
        ..record("a", "1", &[("AC", 5)])
    };
    let mut was = of([cached.clone()]);
    assert_eq!(
        shown(&was, &of([record("a", "1", &[("WA", 5); 3])])),
        ["verdict p a 1 AC -> WA"]
    );
    assert!(shown(&was, &of([record("a", "1", &[("AC", 900_000)])])).is_empty());
    assert_eq!(parse_baseline(Path::new("f"), &to_text(&was)).unwrap(), was);
    // Five copies of a cached result do not count as measurements.
    let measured = of([record("a", "1", &[("AC", 5)])]);
    for _ in 0..5 {
        was.join(of([cached.clone()]));
    }
    was.join(measured.clone());
    was.join(of([cached]));
    let figures = |baseline: &Baseline| {
        baseline.lines.iter().next().unwrap().figures().into_owned()
    };
    assert_eq!(figures(&was).times_us, figures(&measured).times_us);
    assert_eq!(figures(&was).memory_kib, figures(&measured).memory_kib);
}

#[test]
fn a_case_with_fewer_runs_does_not_make_the_others_look_steady() {
    let run =
        |time, cases: &[&str]| of(cases.iter().map(|case| steady("a", case, time)));
    let mut was = run(10_000, &["1"]);
    was.join(run(11_000, &["1"]));
    was.join(run(10_500, &["1", "2"]));
    assert_eq!(shown(&was, &run(11_000, &["1", "2"])), [""; 0]);
    assert_eq!(
        shown(&was, &run(13_000, &["1", "2"]))[0],
        "slower p a 2 cases +27 %"
    );
}

#[test]
fn a_case_that_was_not_judged_before_is_not_new_now() {
    let skipped = TrialRecord {
        verdict: Verdict::Skipped,
        ..steady("a", "2", 1)
    };
    let was = of([steady("a", "1", 10_000), skipped]);
    let now = of(["1", "2", "3"].map(|case| steady("a", case, 10_000)));
    assert_eq!(shown(&was, &now), ["new p a 3"]);
}

#[test]
fn the_error_for_nothing_in_common_names_both_contents() {
    let was = of([steady("a", "1", 1)]);
    let now = of([of_another_problem(steady("a", "1", 1))]);
    let error = Comparison::between(&was, &now, false).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is nothing to compare: one is of p a, the other of q a"
    );
}

#[test]
fn an_update_keeps_the_lines_of_unchanged_cases() {
    let was = of([
        steady("a", "1", 10_000),
        steady("a", "2", 10_000),
        steady("a", "3", 10_000),
        of_another_problem(steady("b", "1", 10_000)),
    ]);
    let now = of([
        steady("a", "1", 10_100),
        record("a", "2", &[("WA", 10_000); 10]),
        steady("a", "4", 10_000),
    ]);
    let comparison = Comparison::between(&was, &now, true).unwrap();
    let updated = was.clone().updated(now, &comparison);
    let text = to_text(&updated);
    let old: Vec<_> = to_text(&was).lines().map(str::to_owned).collect();
    let lines: Vec<_> = text.lines().collect();
    // Case 3 is gone, and of problem q nothing was judged.
    assert_eq!(lines.len(), 3 + 4);
    assert_eq!((lines[3], lines[6]), (old[3].as_str(), old[6].as_str()));
    assert!(
        lines[4].starts_with("p\ta\t2\tWA\t")
            && lines[5].starts_with("p\ta\t4\tAC\t")
    );
}

#[test]
fn a_table_lists_the_first_of_each_kind_and_a_quiet_one_failures_only() {
    let run = |code| {
        of((0..30).map(|case| record("a", &format!("{case:02}"), &[(code, 5)])))
    };
    let found = Comparison::between(&run("AC"), &run("WA"), false).unwrap();
    let plain = |listed, is_failure| {
        anstream::adapter::strip_str(&comparison_table(&found, listed, None, |_| {
            is_failure
        }))
        .to_string()
    };
    let first = plain(Verbosity::Normal, true);
    assert_eq!(first.lines().next().unwrap().split_whitespace().count(), 7);
    assert!(
        first.contains("verdict  p        a           00    AC   WA\n"),
        "{first}"
    );
    assert!(
        first.contains("\nand 10 more: verdict; `-v` lists them\n"),
        "{first}"
    );
    assert!(
        first.ends_with("1 submission, 30 cases compared: 30 verdict\n"),
        "{first}"
    );
    assert_eq!(plain(Verbosity::Verbose, false).lines().count(), 1 + 30 + 2);
    assert_eq!(
        plain(Verbosity::Quiet, false),
        "1 submission, 30 cases compared: 30 verdict\n"
    );
}

#[test]
fn a_table_fits_the_terminal_and_keeps_both_ends_of_names() {
    let run = |code| {
        of(["one.c", "two.c"].map(|end| {
            record(
                &format!("accepted/{}{end}", "a_long_name_of_a_program_".repeat(4)),
                "secret/017-made-by-removing",
                &[(code, 5)],
            )
        }))
    };
    let found = Comparison::between(&run("AC"), &run("WA"), false).unwrap();
    let shown = comparison_table(&found, Verbosity::Verbose, Some(80), |_| true);
    let shown = anstream::adapter::strip_str(&shown).to_string();
    assert!(
        shown.lines().all(|line| line.chars().count() <= 80),
        "{shown}"
    );
    assert!(
        shown.contains("accepted/a_lo...")
            && shown.contains("_two.c ")
            && shown.contains("AC"),
        "{shown}"
    );
}

#[test]
fn hostile_names_are_harmless_in_every_form() {
    let nasty = "a|b`<script>@all\u{1b}[2J\t=cmd()";
    let run = |code| of([record(nasty, "1", &[(code, 5)])]);
    let found = Comparison::between(&run("AC"), &run("WA"), false).unwrap();
    let shown = comparison_table(&found, Verbosity::Verbose, None, |_| true);
    assert!(
        !anstream::adapter::strip_str(&shown)
            .to_string()
            .contains('\u{1b}')
            && !shown.contains("\u{1b}[2J")
    );
    let row = markdown(&found, |_| true);
    let row = row.lines().nth(4).unwrap();
    assert!(
        !row.contains("<script") && !row.contains("@all") && row.contains(r"a\|b\`"),
        "{row}"
    );
    assert_eq!(row.matches(" | ").count(), 6);
    let json: serde_json::Value =
        serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(json["changes"][0]["change"], "verdict");
    let text = to_text(&run("AC"));
    assert_eq!(text.lines().count(), 4);
    assert_eq!(parse_baseline(Path::new("f"), &text).unwrap(), run("AC"));
}

#[test]
fn changes_explained_by_the_machine_are_not_listed_but_noted() {
    let at = |cpu_us, calibration_ns| {
        of(["1", "2"]
            .map(|case| calibrated(steady("s", case, cpu_us), calibration_ns)))
    };
    let was = at(100_000, 100_000);
    let found = Comparison::between(&was, &at(140_000, 145_000), false).unwrap();
    assert_eq!(
        (shown(&was, &at(140_000, 145_000)), found.notes.len()),
        (vec![], 1)
    );
    assert!(
        found.notes[0].starts_with(
            "the machine itself was slower, by 45 %, at 1 of 1 submission"
        ),
        "{:?}",
        found.notes
    );
    // What the machine does not explain is reported without the machine's part, for
    // each case and in total, so policies see it as well.
    let found = Comparison::between(&was, &at(180_000, 120_000), false).unwrap();
    assert_eq!((found.changes.len(), found.notes.len()), (3, 1));
    assert!(
        found
            .changes
            .iter()
            .all(|change| (change.kind.factor() - 1.5).abs() < 0.01),
        "{:?}",
        found.changes
    );
    let found = Comparison::between(&was, &at(100_000, 100_000), false).unwrap();
    assert_eq!((found.changes.len(), found.notes.len()), (0, 0));
}

#[test]
fn the_number_of_cases_explained_by_the_machine_is_noted() {
    let at = |cpu_us, calibration_ns| {
        let steady_cases = (1..30).map(|case| (case, 100_000, 100_000));
        of([(0, cpu_us, calibration_ns)]
            .into_iter()
            .chain(steady_cases)
            .map(|(case, cpu_us, calibration_ns)| {
                calibrated(steady("s", &case.to_string(), cpu_us), calibration_ns)
            }))
    };
    let found =
        Comparison::between(&at(100_000, 100_000), &at(135_000, 135_000), false)
            .unwrap();
    assert!(found.changes.is_empty(), "{:?}", found.changes);
    assert_eq!(
        found.notes,
        [
            "the times of 1 of 30 cases changed only as the machine itself did, and are not reported"
        ]
    );
}

#[test]
fn a_case_without_a_calm_attempt_is_not_listed_if_most_attempts_were_disturbed() {
    // Three of four attempts at the other cases were disturbed, and all at the first.
    let attempt = |round: u64| {
        if round.is_multiple_of(4) {
            100_000
        } else {
            140_000
        }
    };
    let at = |first: &dyn Fn(u64) -> u64| {
        of((0..30).map(|case| {
            let times: Vec<_> = (0..12)
                .map(|round| {
                    (
                        "AC",
                        (if case == 0 {
                            first(round)
                        } else {
                            attempt(round)
                        }) + 10 * round,
                    )
                })
                .collect();
            record("s", &case.to_string(), &times)
        }))
    };
    let was = at(&|_| 100_000);
    assert_eq!(shown(&was, &at(&|_| 140_000)), Vec::<String>::new());
    // If the others are not disturbed, it is reported.
    let calm = |first: u64| {
        of((0..30).map(|case| {
            steady(
                "s",
                &case.to_string(),
                if case == 0 { first } else { 100_000 },
            )
        }))
    };
    assert_eq!(
        shown(&calm(100_000), &calm(140_000)),
        ["slower p s 0 +40 %"]
    );
}

#[test]
fn if_attempts_vary_much_the_smallest_visible_change_is_noted() {
    let times: Vec<_> = (0..10)
        .map(|round| ("AC", 100_000 + 5_000 * round))
        .collect();
    let rough = of([record("s", "1", &times)]);
    let found =
        Comparison::between(&of([steady("s", "1", 100_000)]), &rough, false).unwrap();
    assert!(found.changes.is_empty());
    assert!(
        found.notes[0].starts_with(
            "attempts at 1 of 1 submission vary so much that a change of less than 23 %"
        ),
        "{:?}",
        found.notes
    );
    let calm = of([steady("s", "1", 100_000)]);
    assert!(
        Comparison::between(&calm, &calm, false)
            .unwrap()
            .notes
            .is_empty()
    );
}

fn skipped(submission: &str, case: &str) -> TrialRecord {
    TrialRecord {
        verdict: Verdict::Skipped,
        ..record(submission, case, &[("AC", 1)])
    }
}

#[test]
fn a_rejected_new_case_changes_the_verdict_of_a_submission_that_was_accepted_everywhere()
 {
    let was = of(["1", "2", "3"].map(|case| record("a", case, &[("AC", 5)])));
    let regressed = |verdict| {
        let first = record("a", "0", &[(verdict, 5)]);
        of([first]
            .into_iter()
            .chain(["1", "2", "3"].map(|case| skipped("a", case))))
    };
    let is_failure = |was: &Baseline, now: &Baseline| {
        let found = Comparison::between(was, now, false).unwrap();
        found
            .changes
            .iter()
            .any(|change| FailurePolicy::default().is_failure(change))
    };
    assert_eq!(
        shown(&was, &regressed("WA")),
        ["verdict p a altogether AC -> WA", "new p a 0"]
    );
    assert!(is_failure(&was, &regressed("WA")));
    assert_eq!(shown(&was, &regressed("AC")), ["new p a 0"]);
    // The new case was wrong itself, and is gone again.
    assert_eq!(
        shown(&regressed("WA"), &was),
        ["gone p a 0", "accepted now p a altogether WA -> AC"]
    );
    assert!(!is_failure(&regressed("WA"), &was));
    assert_eq!(shown(&regressed("AC"), &was), ["gone p a 0"]);
    // A submission that was rejected before is neither better nor worse with one more
    // case.
    let wrong = of([
        record("a", "1", &[("WA", 5)]),
        record("a", "2", &[("AC", 5)]),
    ]);
    let still = of([
        record("a", "0", &[("WA", 5)]),
        record("a", "1", &[("WA", 5)]),
    ]);
    assert!(!is_failure(&wrong, &still));
    // A submission that is entirely new was never better.
    let another = of([
        record("a", "1", &[("AC", 5)]),
        record("b", "1", &[("WA", 5)]),
    ]);
    assert!(!is_failure(&was, &another));
    // The case that failed is reported already.
    let both = of([
        record("a", "0", &[("WA", 5)]),
        record("a", "1", &[("WA", 5)]),
    ]);
    assert_eq!(shown(&was, &both)[0], "verdict p a 1 AC -> WA");
    assert!(
        !shown(&was, &both)
            .iter()
            .any(|row| row.contains("altogether"))
    );
}

#[test]
fn renamed_cases_are_distinguished_from_other_submissions() {
    let named =
        |cases: &[&str]| of(cases.iter().map(|case| record("a", case, &[("AC", 5)])));
    let error =
        Comparison::between(&named(&["1", "2", "3", "4"]), &named(&["x"]), false)
            .unwrap_err();
    let expected = "there is nothing to compare: both are of p a, but no case is in both: it was `1`, `2`, `3` and 1 more, and is `x`";
    assert_eq!(error.to_string(), expected);
    assert!(error.remedy.contains("--fresh"), "{}", error.remedy);
}

#[test]
fn a_flaky_case_that_fails_more_often_than_chance_explains_is_flakier() {
    let flaky = |wrong: usize| {
        let attempts: Vec<_> = (0..10)
            .map(|round| (if round < wrong { "WA" } else { "AC" }, 5))
            .collect();
        of([record("a", "1", &attempts)])
    };
    assert_eq!(
        shown(&flaky(1), &flaky(9)),
        ["flakier p a 1 WA:1,AC:9 -> WA:9,AC:1"]
    );
    assert_eq!(
        shown(&flaky(9), &flaky(1)),
        ["less flaky p a 1 WA:9,AC:1 -> WA:1,AC:9"]
    );
    assert!(shown(&flaky(3), &flaky(7)).is_empty(), "that is chance");
}

#[test]
fn the_last_line_says_that_nothing_has_changed_only_if_that_is_known() {
    let sum = |was: &Baseline, now: &Baseline| {
        Comparison::between(was, now, false).unwrap().sum()
    };
    let start = "1 submission, 1 case compared: ";
    let calm = of([steady("a", "1", 10_000)]);
    assert_eq!(sum(&calm, &calm), format!("{start}nothing has changed"));
    // If the fastest attempt is far from the others, a change of a third goes
    // unnoticed.
    let rough = |factor: u64| {
        let times: Vec<_> = (0..10)
            .map(|step| ("AC", factor * (10_000 + 200 * step.min(1) * (10 + step))))
            .collect();
        of([record("a", "1", &times)])
    };
    let told = sum(&rough(100), &rough(130));
    assert!(
        told.starts_with(&format!(
            "{start}no change found, a change of time of less than "
        )),
        "{told}"
    );
    let single = of([record("a", "1", &[("AC", 10_000)])]);
    let few = "no change found, too few attempts to tell changes of time";
    assert_eq!(sum(&single, &single), format!("{start}{few}"));
    let elsewhere = on("another, Linux 1", [steady("a", "1", 10_000)]);
    let other = "no change found, times of another machine are not compared";
    assert_eq!(sum(&calm, &elsewhere), format!("{start}{other}"));
    let cached = TrialRecord {
        cached: true,
        ..record("a", "1", &[("AC", 10_000)])
    };
    assert_eq!(
        sum(&calm, &of([cached])),
        format!("{start}no change found, the times of 1 case are not known")
    );
}

#[test]
fn a_machine_slower_by_a_twentieth_raises_no_alarm_and_is_noted() {
    let on_a_machine = |cpu_us, calibration| {
        of((0..15).map(|number| {
            calibrated(steady(&number.to_string(), "1", cpu_us), calibration)
        }))
    };
    let was = on_a_machine(20_000, 100_000);
    // The calibration itself differs by some hundredths from run to run.
    for calibration in [103_000, 105_000, 107_000] {
        let found =
            Comparison::between(&was, &on_a_machine(21_000, calibration), false)
                .unwrap();
        assert_eq!(found.changes, []);
        let note = "the times of 15 of 15 submissions changed only as the machine itself did, and are not reported";
        assert!(
            found.notes.iter().any(|told| told == note),
            "{:?}",
            found.notes
        );
        assert!(found.sum().ends_with(
            "no change found, what the machine itself explains is not reported"
        ));
    }
    // A tenth is still noticed.
    let slower =
        Comparison::between(&was, &on_a_machine(22_000, 103_000), false).unwrap();
    assert_eq!(slower.changes.len(), 15);
}
