//! `gridjudge verify --suggest-limits`: which time limits leave room. Judges the examples with raised limits: first those
//! that must be accepted, then those that must be too slow, as far beyond the proposal as matters.

use std::sync::Arc;
use std::time::Duration;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::audience::progress;
use crate::cli::court::Court;
use crate::cli::court::Pace;
use crate::cli::opening::Opening;
use crate::cli::screen;
use crate::model::Expected;
use crate::model::Problem;
use crate::model::Verdict;
use crate::report::Room;
use crate::report::Rooms;
use crate::report::Sink;
use crate::report::Timing;
use crate::report::printable;
use crate::report::time;
use crate::suite::Entry;
use crate::suite::Plan;
use gridjudge_sandbox::Limits;

/// How far beyond its limit an example that must be accepted is timed, and how far at most.
const FACTOR: u32 = 10;
const LONGEST: Duration = Duration::from_secs(60);

/// Times the examples of a plan and says which limits leave room.
pub(crate) fn run(plan: &Plan, opening: Opening, common: &Common) -> Result<Ending, Stop> {
    let court = Court::open(opening, common, 0, false)?;
    let mut rooms = Rooms::default();
    let longer = |problem: &Problem| (problem.limits.cpu * FACTOR).min(LONGEST).max(problem.limits.cpu);
    if court.time(
        &with_promise(plan, |expected| *expected == Verdict::Accepted.into(), longer),
        true,
        &mut rooms,
        common,
    )? {
        return Ok(Ending::Interrupted);
    }
    let far = |problem: &Problem| {
        let proposal = rooms.of(&problem.id).least().map_or(Duration::ZERO, Duration::from_micros);
        (problem.limits.cpu.max(proposal) * 3).min(LONGEST).max(problem.limits.cpu)
    };
    let slow = with_promise(plan, Expected::is_too_slow, far);
    if court.time(&slow, false, &mut rooms, common)? {
        return Ok(Ending::Interrupted);
    }
    let mut problems: Vec<_> = plan.entries.iter().map(|entry| &entry.problem).collect();
    problems.dedup_by(|one, other| one.id == other.id);
    for problem in problems {
        tell(problem, &rooms.of(&problem.id))?;
    }
    Ok(Ending::AsExpected)
}

impl Court {
    /// Judges a plan for its times only. Returns whether it was interrupted.
    fn time(&self, plan: &Plan, all: bool, rooms: &mut Rooms, common: &Common) -> Result<bool, Stop> {
        rooms.raise(
            plan.entries
                .iter()
                .map(|entry| (entry.problem.id.as_str().into(), micros(entry.problem.limits.cpu))),
        );
        let mut progress = progress(plan, self, common);
        let (_, interrupted) =
            self.judge(plan, Pace { repeat: 1, stop_at_first: !all }, None, &mut |event| {
                // Neither writes what could fail.
                let _ = rooms.take(&event);
                progress.iter_mut().for_each(|progress| drop(progress.take(&event)));
            })?;
        Ok(interrupted)
    }
}

/// The submissions that promise this, with other time limits.
fn with_promise(plan: &Plan, is: impl Fn(&Expected) -> bool, cpu: impl Fn(&Problem) -> Duration) -> Plan {
    let entries = plan.entries.iter().filter(|entry| entry.submission.expected.as_ref().is_some_and(&is));
    let raised = entries.map(|entry| {
        let cpu = cpu(&entry.problem);
        let limits = Limits { cpu, wall: Limits::wall_for(cpu), ..entry.problem.limits.clone() };
        Entry { problem: Arc::new(Problem { limits, ..(*entry.problem).clone() }), ..entry.clone() }
    });
    Plan { entries: raised.collect(), ..Plan::default() }
}

fn tell(problem: &Problem, room: &Room) -> Result<(), Stop> {
    let limit = micros(problem.limits.cpu);
    screen::result(format!("{}: {} now", problem.id, time(limit)))?;
    screen::result(format!("  slowest accepted     {}", told(room.slowest.as_ref())))?;
    screen::result(format!("  fastest too slow     {}", told(room.fastest.as_ref())))?;
    let advice = match (room.proposal(), room.least(), room.most()) {
        (_, None, _) => "no proposal: no example must be accepted".to_owned(),
        (None, Some(least), Some(most)) => format!(
            "no limit leaves room: it would have to be {} at least and {} at most; make the slow examples slower, the \
             accepted ones faster, or the cases harder",
            time(least),
            time(most)
        ),
        (Some(proposal), ..) if room.holds(limit) => {
            format!("holds; the shortest with room is {}", time(proposal))
        }
        (Some(proposal), ..) => format!("does not leave room; {} would", time(proposal)),
        (None, Some(_), None) => unreachable!("nothing bounds the proposal"),
    };
    screen::result(format!("  time limit           {advice}"))?;
    Ok(())
}

fn told(timing: Option<&Timing>) -> String {
    let Some(Timing { submission, case, cpu_us, stopped }) = timing else { return "no example".to_owned() };
    let more = if *stopped { "more than " } else { "" };
    printable(&format!("{more}{}, {submission} on {case}", time(*cpu_us)))
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
