//! What is known of one run of a shard after its log was read: which shard of which
//! plan it is, and of each submission what is needed to compare it with another run, in
//! a few bytes; and where the machines of several runs differ, so that their verdicts
//! may not be comparable. Start at [`RunSummary::read`] and
//! [`MachineDifferences::between`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cache::KeyHasher;
use crate::model::{
    Event, LoggedLimits, ShardRecord, SubmissionSummary, SuiteStart, TrialRecord,
    Verdict,
};
use crate::text::JoinedTexts;

use Event::*;

/// Times from the first of these parts of a limit to the second, in percent, may be on
/// its other side on another machine. What would take longer is stopped at the second.
const NEAR: [u128; 2] = [80, 125];

/// One run of a shard.
#[derive(Debug)]
pub struct RunSummary {
    /// Its log.
    pub log: PathBuf,
    /// The first event of its log, without the shard.
    pub started: SuiteStart,
    /// The shard, from that event.
    pub shard: ShardRecord,
    /// Whether everything was judged to the end.
    pub is_complete: bool,
    /// One for each submission, in order.
    pub entries: Vec<EntrySummary>,
    /// The languages of its submissions, each with the reason why it could not be
    /// judged here, if so.
    pub languages: BTreeMap<String, Option<String>>,
}

/// The result of a submission in one run, as far as two runs are compared.
#[derive(Debug, Default)]
pub struct EntrySummary {
    /// A digest of its verdicts and points on all cases. Figures do not count.
    pub digest: u64,
    /// Its verdict; `None` if it has none.
    pub verdict: Option<Verdict>,
    /// The longest CPU time of a case, in microseconds.
    pub slowest_us: u64,
    /// Whether the judge failed on it, or could not judge it on this machine.
    pub is_unjudged: bool,
    /// Whether a time of it is so near to a limit that another machine may decide
    /// otherwise.
    pub is_near_limit: bool,
}

impl RunSummary {
    /// Reads a run from the events of its log; `None` if this is not the log of a shard.
    ///
    /// # Errors
    /// Returns the first error of the events.
    pub fn read<E>(
        log: &Path,
        events: impl Iterator<Item = Result<Event, E>>,
    ) -> Result<Option<Self>, E> {
        let mut found = None;
        let mut open: Option<OpenEntry> = None;
        for event in events {
            let event = event?;
            if let SuiteStarted(mut started) = event {
                found = started.shard.take().map(|shard| Self {
                    log: log.to_owned(),
                    started: *started,
                    shard: *shard,
                    is_complete: false,
                    entries: vec![],
                    languages: BTreeMap::new(),
                });
                continue;
            }
            let Some(run) = &mut found else { continue };
            match event {
                SubmissionStarted(start) => {
                    open = Some(OpenEntry {
                        hasher: KeyHasher::for_purpose("results of a submission")
                            .with(&*start.problem)
                            .with(&*start.submission),
                        limits: start.limits,
                        is_near_limit: false,
                    });
                    run.languages.entry(start.language).or_default();
                }
                TrialFinished(record) => {
                    if let Some(open) = &mut open {
                        open.take_trial(&record);
                    }
                }
                SubmissionFinished(summary) => {
                    run.entries
                        .extend(open.take().map(|open| open.finish(&summary)));
                }
                SubmissionSkipped(skip) => {
                    run.languages.insert(skip.language, Some(skip.cause));
                    run.entries.push(EntrySummary {
                        is_unjudged: true,
                        ..EntrySummary::default()
                    });
                }
                // A log that says it is complete and has another number of submissions
                // was put together from others.
                SuiteFinished(_) => {
                    run.is_complete = run.entries.len() == run.shard.ordinals.len();
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The number of submissions that it has no verdict on, because of the judge or the
    /// machine.
    pub fn unjudged(&self) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.is_unjudged)
            .count()
    }
}

/// A submission of which more events come.
struct OpenEntry {
    hasher: KeyHasher,
    limits: Option<LoggedLimits>,
    is_near_limit: bool,
}

impl OpenEntry {
    fn take_trial(&mut self, record: &TrialRecord) {
        self.hasher.add(&record.case);
        self.hasher.add(record.verdict.code());
        self.hasher.add(format!("{:?}", record.points));
        // Who idles is stopped at the limit, and would be on any machine.
        let wall_us = record
            .wall_us
            .filter(|_| record.verdict != Verdict::IdleLimit);
        self.is_near_limit |= self.limits.is_some_and(|limits| {
            is_near(record.cpu_us, limits.cpu_us) || is_near(wall_us, limits.wall_us)
        });
    }

    fn finish(mut self, summary: &SubmissionSummary) -> EntrySummary {
        let score = summary
            .score
            .as_ref()
            .map(|score| (&score.earned, &score.groups));
        self.hasher.add(format!("{:?} {score:?}", summary.verdict));
        EntrySummary {
            digest: self.hasher.finish().short(),
            verdict: summary.verdict,
            slowest_us: summary.slowest_cpu_us,
            is_unjudged: summary.faults > 0 || summary.is_unjudged(),
            is_near_limit: self.is_near_limit,
        }
    }
}

/// Whether a time is so near to a limit that it may be on the other side of it on
/// another machine.
fn is_near(time: Option<u64>, limit: u64) -> bool {
    let Some(time) = time else { return false };
    let limit = u128::from(limit);
    let [least, most] = NEAR.map(|percent| percent * limit);
    (least..most).contains(&(u128::from(time) * 100))
}

/// Machines whose speeds differ by less than this, in percent, count as equal: the
/// measure varies by as much.
const EQUAL_SPEED: u64 = 25;

/// Where the machines of some runs differ.
pub struct MachineDifferences {
    /// The machines if there are several, and tools and levels of the sandbox that
    /// differ, a sentence each.
    pub notes: Vec<String>,
    /// Why times on these machines differ, if they do.
    pub speeds: Option<String>,
    /// The places in the plan, from 1, of submissions with a time near to a limit.
    pub near_limits: BTreeSet<usize>,
}

impl MachineDifferences {
    /// Compares the machines of the runs that count.
    pub fn between(runs: &[&RunSummary]) -> Self {
        let mut hosts: BTreeSet<&str> = BTreeSet::new();
        let mut versions: BTreeMap<&str, Vec<(&str, &RunSummary)>> = BTreeMap::new();
        for run in runs {
            hosts.insert(&run.shard.host);
            for tool in &run.shard.tools {
                versions
                    .entry(&tool.language)
                    .or_default()
                    .push((&tool.version, run));
            }
        }
        let mut notes = vec![];
        if hosts.len() > 1 {
            notes.push(format!("judged on {}", hosts.into_iter().joined(", ")));
        }
        for (language, found) in versions {
            notes.extend(difference(&format!("the versions of {language}"), found));
        }
        let levels = runs.iter().map(|run| (&*run.started.sandbox, *run));
        notes.extend(difference("the levels of the sandbox", levels));
        Self {
            notes,
            speeds: different_speeds(runs),
            near_limits: runs
                .iter()
                .flat_map(|run| run.shard.ordinals.iter().zip(&run.entries))
                .filter(|(_, entry)| entry.is_near_limit)
                .map(|(ordinal, _)| *ordinal)
                .collect(),
        }
    }
}

/// The sentence about values that are not the same in all runs; `None` if they are.
fn difference<'a>(
    what: &str,
    found: impl IntoIterator<Item = (&'a str, &'a RunSummary)>,
) -> Option<String> {
    let mut hosts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (value, run) in found {
        hosts.entry(value).or_default().insert(&run.shard.host);
    }
    if hosts.len() < 2 {
        return None;
    }
    let each = hosts.iter().map(|(value, hosts)| {
        format!("`{value}` on {}", hosts.iter().copied().joined(", "))
    });
    Some(format!("{what} differ: {}", each.joined("; ")))
}

/// How the processors or their speeds differ, if they do.
fn different_speeds(runs: &[&RunSummary]) -> Option<String> {
    let processors = runs.iter().map(|run| {
        // The log names the kernel after it.
        let machine = run.started.machine.as_str();
        let processor = machine.rsplit_once(", Linux");
        (processor.map_or(machine, |(processor, _)| processor), *run)
    });
    if let Some(sentence) = difference("the processors", processors) {
        return Some(sentence);
    }
    // Of several shards on one machine, the fastest shows its speed.
    let mut speeds: BTreeMap<&str, u64> = BTreeMap::new();
    for run in runs {
        let speed = speeds.entry(&run.shard.host).or_insert(u64::MAX);
        *speed = run.shard.calibration_ns.min(*speed);
    }
    let (fast, least) = speeds.iter().min_by_key(|(_, time)| **time)?;
    let (slow, most) = speeds.iter().max_by_key(|(_, time)| **time)?;
    let percent = most.saturating_mul(100) / (*least).max(1);
    (percent > 100 + EQUAL_SPEED).then(|| {
        format!("the speeds differ: {slow} takes {percent} % of the time of {fast}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_near_to_a_limit_from_four_fifths_to_five_quarters_of_it() {
        let near = [799, 800, 1000, 1249, 1250].map(|time| is_near(Some(time), 1000));
        assert_eq!(near, [false, true, true, true, false]);
        assert!(!is_near(None, 1) && is_near(Some(u64::MAX), u64::MAX));
    }
}
