//! The schedule of many submissions on paper: simulated runs, on as many processors as there are slots.

use super::*;

/// The limits of all submissions: what takes longer than the first, and at most 1.5 times as long, is made again, alone,
/// four times; what waits for the second is made again.
const LIMIT: Duration = Duration::from_secs(1);
const WALL_LIMIT: Duration = Duration::from_secs(2);

/// What a submission does before it answers.
#[derive(Clone, Copy)]
enum Kind {
    Spins(Duration),
    Sleeps(Duration),
}

impl Kind {
    fn is_accepted(self) -> bool {
        match self {
            Self::Spins(time) => time <= LIMIT,
            Self::Sleeps(time) => time <= WALL_LIMIT,
        }
    }
}

/// What a simulated suite took.
#[derive(Default)]
struct Paper {
    wall: Duration,
    /// The time of first runs and of idle ones that are made again; of runs alone.
    parallel: Duration,
    alone: Duration,
    launched: usize,
    needed: usize,
}

impl Paper {
    /// How much longer it takes than it would if no slot were ever idle.
    fn ratio(&self, slots: usize) -> f64 {
        let bound = self.parallel / u32::try_from(slots).unwrap() + self.alone;
        self.wall.as_secs_f64() / bound.as_secs_f64()
    }
}

/// The result of a step, how long it takes, and how many runs that is.
fn run(kind: Kind, step: Step) -> (StepResult, Duration, usize) {
    let done = StepResult::default();
    let doubtful = |doubt| StepResult { doubt: Some(doubt), suspends: true, ..StepResult::default() };
    match (kind, step) {
        (Kind::Spins(time), Step::Judge(_)) => {
            let busy = time.min(LIMIT * 3 / 2);
            let is_doubtful = LIMIT < time && time <= LIMIT * 3 / 2;
            let result = if is_doubtful { doubtful(Doubt::NearLimit) } else { done };
            (StepResult { busy, ..result }, busy, 1)
        }
        (Kind::Spins(time), Step::JudgeAgain(_)) => (done, 4 * time, 4),
        (Kind::Sleeps(time), Step::Judge(_)) if time > WALL_LIMIT => (doubtful(Doubt::Idle), WALL_LIMIT, 1),
        (Kind::Sleeps(time), _) => (done, time.min(WALL_LIMIT), 1),
    }
}

/// Judges submissions on this many cases each, up to the first that fails.
fn simulate(kinds: &[Kind], cases: usize, slots: usize) -> Paper {
    let schedule = Schedule::new(vec![cases; kinds.len()], 1, slots);
    let mut accepted = vec![0; kinds.len()];
    let mut has_ended = vec![false; kinds.len()];
    let mut paper = Paper::default();
    // By the time of their ends.
    let mut running: BTreeMap<(Duration, usize), (Step, StepResult, Duration)> = BTreeMap::new();
    let mut free: Vec<_> = (0..slots).collect();
    loop {
        free.retain(|worker| {
            let Some(step) = schedule.choose(&mut schedule.lock(), None) else { return true };
            let entry = step.attempt().case.entry;
            schedule.share(entry);
            let (result, takes, runs) = run(kinds[entry], step);
            paper.launched += runs;
            running.insert((paper.wall + takes, *worker), (step, result, takes));
            false
        });
        let Some(((end, worker), (step, result, takes))) = running.pop_first() else { break };
        paper.wall = end;
        free.push(worker);
        let entry = step.attempt().case.entry;
        if has_ended[entry] {
            schedule.lock().finish(step, result);
            continue;
        }
        let is_again = matches!(step, Step::JudgeAgain(_));
        if is_again && !schedule.was_quiet(step.attempt(), takes) {
            let disturbed = StepResult { was_disturbed: true, ..StepResult::default() };
            schedule.lock().finish(step, disturbed);
            continue;
        }
        let of_kind = if is_again && matches!(kinds[entry], Kind::Spins(_)) {
            &mut paper.alone
        } else {
            &mut paper.parallel
        };
        *of_kind += takes;
        paper.needed += run(kinds[entry], step).2;
        let is_accepted = result.doubt.is_none() && kinds[entry].is_accepted();
        accepted[entry] += usize::from(is_accepted);
        let ends = result.doubt.is_none() && (!is_accepted || accepted[entry] == cases);
        has_ended[entry] = ends;
        schedule.lock().finish(step, StepResult { ends, ..result });
        let reported = has_ended.iter().position(|has_ended| !has_ended);
        schedule.reported_before(reported.unwrap_or(kinds.len()));
    }
    assert!(has_ended.iter().all(|has_ended| *has_ended), "every submission ends");
    paper
}

/// Of each twenty submissions, four are far too slow, one is idle, one is near the limit, and the others are fast.
fn mixed(count: u64, slow: fn(Duration) -> Kind) -> Vec<Kind> {
    let for_ever = Duration::from_secs(1000);
    let kind = |number: u64| match number % 20 {
        3 | 8 | 13 | 18 => slow(for_ever),
        5 => Kind::Sleeps(for_ever),
        10 => slow(Duration::from_millis(900 + number / 20 * 300 / (count / 20))),
        _ => slow(Duration::from_millis(10)),
    };
    (0..count).map(kind).collect()
}

#[test]
fn no_slot_is_idle_for_long_and_hardly_a_run_is_launched_in_vain() {
    for (count, slow, slots, most) in [
        (200, Kind::Spins as fn(Duration) -> Kind, 1, 1.001),
        (200, Kind::Spins, 2, 1.04),
        (1000, Kind::Spins, 16, 1.05),
        (200, Kind::Sleeps, 2, 1.05),
        (200, Kind::Sleeps, 16, 1.18),
        (1000, Kind::Sleeps, 64, 1.13),
    ] {
        let paper = simulate(&mixed(count, slow), 3, slots);
        let ratio = paper.ratio(slots);
        assert!(ratio <= most, "{count} submissions on {slots} slots: {ratio:.3}");
        assert!(100 * paper.launched <= 103 * paper.needed, "{count} {slots}: {}", paper.launched);
    }
}

#[test]
fn an_idle_run_beside_one_that_works_is_made_once_more_when_nothing_else_runs() {
    let seconds = Duration::from_secs_f64;
    let idle = Kind::Sleeps(seconds(9.0));
    // When the idle one has waited, only the last one is still running: for 0.04 s, or for longer.
    for (work, in_vain) in [(0.08, 0), (1.5, 1)] {
        let sleeping = [1.98, 1.99, 1.96].map(|time| Kind::Sleeps(seconds(time)));
        let kinds = [&[idle], &sleeping[..], &[Kind::Spins(seconds(work))]].concat();
        let paper = simulate(&kinds, 1, 4);
        assert_eq!(paper.launched - paper.needed, in_vain, "{work}");
    }
}
