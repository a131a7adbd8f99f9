//! Constructed times, times recorded on a real machine, and extreme times.

use super::*;

/// A run of the judge without calibration.
fn run(cases: Vec<Vec<f64>>) -> TimedRun {
    let unknown = vec![None; cases.len()];
    calibrated(cases, unknown)
}

/// A run of the judge with a calibration of each case.
fn calibrated(cases: Vec<Vec<f64>>, calibrations: Vec<Option<f64>>) -> TimedRun {
    TimedRun {
        cases,
        calibrations,
    }
}

fn is_reported(was: &[TimedRun], now: &[TimedRun]) -> bool {
    let found = TimeShift::between(was, now, 0.0).unwrap();
    found.is_wide && found.chance <= RISK
}

fn moved(was: &[Vec<f64>], now: &[Vec<f64>]) -> bool {
    let one_case = |runs: &[Vec<f64>]| {
        runs.iter()
            .map(|times| run(vec![times.clone()]))
            .collect::<Vec<_>>()
    };
    is_reported(&one_case(was), &one_case(now))
}

/// Ten times around this one, varying by this part.
fn around(time: f64, part: f64) -> Vec<f64> {
    (-5..5)
        .map(|step| time * (1.0 + part * f64::from(step) / 5.0))
        .collect()
}

#[test]
fn a_change_of_a_tenth_is_found_in_either_direction_if_times_vary_by_a_hundredth() {
    let calm = [around(1e6, 0.01)];
    let slower = [around(1.1e6, 0.01)];
    assert!(moved(&calm, &slower) && moved(&slower, &calm));
    assert!(!moved(&calm, &[around(1.02e6, 0.01)]), "not worth telling");
    assert!(
        !moved(&[around(1e6, 0.1)], &[around(1.1e6, 0.1)]),
        "times vary as much themselves"
    );
}

#[test]
fn a_slowdown_that_some_attempts_escape_is_noise() {
    let mut disturbed = around(1.3e6, 0.01);
    disturbed[..4].copy_from_slice(&around(1e6, 0.01)[..4]);
    assert!(!moved(&[around(1e6, 0.01)], &[disturbed]));
}

#[test]
fn runs_taken_for_equal_show_how_far_apart_equal_runs_may_be() {
    let runs = [around(1e6, 0.01), around(1.15e6, 0.01)];
    assert!(!moved(&runs, &[around(1.18e6, 0.01)]));
    assert!(moved(&runs, &[around(1.5e6, 0.01)]));
}

#[test]
fn a_change_along_with_the_machine_is_excused_and_one_against_it_is_not() {
    let at = |time: f64, calibration: Option<f64>| {
        [calibrated(vec![around(time, 0.01)], vec![calibration])]
    };
    let then = at(1e6, Some(1e5));
    for (now, expected, factor) in [
        (at(1.4e6, None), true, 1.4),
        (at(1.4e6, Some(1.01e5)), true, 1.4 / 1.01),
        (at(1.05e6, None), true, 1.05),
        (at(1.05e6, Some(1.05e5)), false, 1.0),
        (at(1.05e6, Some(1.03e5)), false, 1.05 / 1.03),
        (at(1.1e6, Some(1.03e5)), true, 1.1 / 1.03),
        (at(1.4e6, Some(1.38e5)), false, 1.4 / 1.38),
        (at(1.4e6, Some(1.2e5)), true, 1.4 / 1.2),
        (at(1.4e6, Some(0.8e5)), true, 1.4),
        (at(0.8e6, Some(1.4e5)), true, 0.8),
        (at(0.8e6, Some(0.8e5)), false, 1.0),
    ] {
        let found = TimeShift::between(&then, &now, 0.0).unwrap();
        assert_eq!(is_reported(&then, &now), expected, "{now:?}");
        assert!((found.factor() - factor).abs() < 1e-9, "{found:?}");
        assert!(found.is_excused != expected, "{found:?}");
    }
}

#[test]
fn the_calibration_of_the_fastest_run_counts_separately_for_each_case() {
    let of = |time: f64, calibration: f64| {
        calibrated(vec![around(time, 0.001)], vec![Some(calibration)])
    };
    // The slower of two runs was on a faster machine, which excuses nothing.
    assert!(is_reported(
        &[of(2e6, 1e5), of(2.01e6, 0.8e5)],
        &[of(2.4e6, 1e5)]
    ));
    // One case of five was slow along with the machine: if that explains the change of
    // the total, it is not reported.
    let five = |time: f64, calibration: f64| {
        let mut cases = vec![around(1e6, 0.001); 5];
        cases[0] = around(time, 0.001);
        let mut calibrations = vec![Some(1e5); 5];
        calibrations[0] = Some(calibration);
        [calibrated(cases, calibrations)]
    };
    assert!(is_reported(&five(1e6, 1e5), &five(1.8e6, 1e5)));
    assert!(!is_reported(&five(1e6, 1e5), &five(1.8e6, 1.8e5)));
    // Small cases that were slow with the machine do not excuse a large one that was
    // not.
    let small = |large: f64, calibration: f64| {
        let mut cases = vec![around(1e4, 0.001); 5];
        cases[0] = around(large, 0.001);
        let mut calibrations = vec![Some(calibration); 5];
        calibrations[0] = Some(1e5);
        [calibrated(cases, calibrations)]
    };
    assert!(is_reported(&small(1e6, 1e5), &small(1.2e6, 1.8e5)));
}

#[test]
fn the_time_to_start_a_process_is_not_a_change() {
    assert!(!moved(&[around(200.0, 0.01)], &[around(225.0, 0.01)]));
    assert!(moved(&[around(200.0, 0.01)], &[around(250.0, 0.01)]));
}

#[test]
fn a_few_attempts_show_nothing() {
    let one_case = |times: &[f64]| [run(vec![times.to_vec()])];
    let found =
        TimeShift::between(&one_case(&[1e6; 3]), &one_case(&[2e6; 3]), 0.0).unwrap();
    assert!(found.least_chance > RISK && found.chance > RISK && found.is_wide);
    assert_eq!(TimeShift::between(&[], &one_case(&[1.0]), 0.0), None);
    assert_eq!(
        TimeShift::between(&one_case(&[0.0]), &one_case(&[1.0]), 0.0),
        None
    );
}

/// Recorded: a search with many branches, of about 15 ms, on five cases, ten rounds, in
/// a virtual machine of two processors on which other processes built programs. `calm`
/// and `rough` are parts of one afternoon, complete and in order. A line is a run of
/// the judge: of the program, or of one that searches a tenth more; then the
/// microseconds of each attempt, case by case.
const RECORDED: &str = include_str!("recorded.txt");

fn recorded(disturbance: &str, program: &str) -> Vec<[TimedRun; 1]> {
    let start = format!("{disturbance} {program}:");
    RECORDED
        .lines()
        .filter_map(|line| line.strip_prefix(&start))
        .map(|line| {
            [run(line
                .split('|')
                .map(|case| {
                    case.split_whitespace()
                        .map(|time| time.parse().unwrap())
                        .collect()
                })
                .collect())]
        })
        .collect()
}

/// The pairs of runs of the unchanged program that are reported as different, each the
/// earlier with the later.
fn false_alarms(disturbance: &str) -> Vec<(usize, usize)> {
    let same = recorded(disturbance, "same");
    (0..same.len())
        .flat_map(|was| (was + 1..same.len()).map(move |now| (was, now)))
        .filter(|(was, now)| is_reported(&same[*was], &same[*now]))
        .collect()
}

/// The number of 64 comparisons in which the slower program is reported.
fn found(disturbance: &str) -> usize {
    let same = recorded(disturbance, "same");
    let slower = recorded(disturbance, "slower");
    same.iter()
        .map(|was| slower.iter().filter(|now| is_reported(was, *now)).count())
        .sum()
}

#[test]
fn in_recorded_times_a_tenth_is_found_and_there_are_no_false_alarms() {
    assert_eq!((false_alarms("calm"), found("calm")), (vec![], 64));
}

#[test]
fn a_hundredth_is_not_reported_in_recorded_times() {
    let same = recorded("calm", "same");
    let slower = |runs: &[TimedRun; 1]| {
        [run(runs[0]
            .cases
            .iter()
            .map(|times| times.iter().map(|time| time * 1.01).collect())
            .collect())]
    };
    for was in &same {
        assert!(same.iter().all(|now| !is_reported(was, &slower(now))));
    }
}

/// Two runs cannot show whether the program or the machine was slow from the first
/// attempt to the last.
#[test]
fn on_a_busy_machine_few_changes_are_found_and_a_run_without_a_fast_attempt_looks_slower()
 {
    assert_eq!(
        false_alarms("rough"),
        [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)]
    );
    assert_eq!(found("rough"), 21);
    // If a slow run is in the baseline together with a usual one, it counts as noise.
    let same = recorded("rough", "same").concat();
    let twofold = [same[0].clone(), same[5].clone()];
    assert!(
        same.iter()
            .all(|now| !is_reported(&twofold, std::slice::from_ref(now)))
    );
}

#[test]
fn many_rounds_and_large_numbers_are_fast() {
    let great = |time: f64| {
        [run(vec![
            (0..100_000)
                .map(|round| time + f64::from(round % 7))
                .collect(),
        ])]
    };
    assert!(is_reported(&great(1e15), &great(1.2e15)));
    let runs: Vec<TimedRun> = (1..=50)
        .map(|time| run(vec![vec![f64::from(time); 16]; 3]))
        .collect();
    assert!(
        TimeShift::between(&runs, &runs, 0.0).is_some_and(|found| !found.is_wide)
    );
}
