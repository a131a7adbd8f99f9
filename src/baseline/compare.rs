//! Two baselines held against each other.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::baseline::Baseline;
use crate::baseline::Key;
use crate::baseline::Owner;
use crate::baseline::change::Change;
use crate::baseline::change::Kind;
use crate::baseline::change::Subject;
use crate::baseline::memory;
use crate::baseline::totals;

/// What is not as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Submissions that are in both.
    pub submissions: usize,
    /// Cases of submissions that are in both.
    pub cases: usize,
    /// Cases that were not judged this time, and are in no change.
    pub unjudged: usize,
    /// By what factor submissions have become slower, in the middle, if nearly all did so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub common_factor: Option<f64>,
    /// What cannot be told, and why, in sentences.
    pub notes: Vec<String>,
    /// The worst first.
    pub changes: Vec<Change>,
}

/// Nothing that is in both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is nothing to compare: one is of {was}, the other of {now}")]
pub struct NothingInCommon {
    was: String,
    now: String,
}

impl Comparison {
    /// What has changed from `was` to `now`. Times of different machines are compared only if that is asked for.
    ///
    /// # Errors
    /// If there is no case in both.
    pub fn between(was: &Baseline, now: &Baseline, any_machine: bool) -> Result<Self, NothingInCommon> {
        let common: Vec<_> =
            was.lines.iter().filter_map(|(key, was)| Some((key, was, now.lines.get(key)?))).collect();
        if common.is_empty() && !(was.is_empty() && now.is_empty()) {
            return Err(NothingInCommon { was: contents(was), now: contents(now) });
        }
        let owners: BTreeSet<_> = common.iter().map(|(key, ..)| key.owner()).collect();
        let mut found = Self { submissions: owners.len(), cases: common.len(), ..Self::default() };
        found.changes.extend(common.iter().filter_map(|(key, was, now)| Change::of_verdict(key, was, now)));
        found.add_times(was, now, any_machine);
        found.changes.extend(memory::changes(&common));
        found.add_missing(was, now);
        let mut new = now.clone();
        new.lines.retain(|key, _| !was.unjudged.contains(key));
        found.changes.extend(only_in(&new, was, |cases| Kind::New { cases }));
        found.changes.sort_by(Change::by_weight);
        Ok(found)
    }

    /// Of whom it tells a change.
    pub(crate) fn subjects(&self) -> BTreeSet<Subject> {
        self.changes.iter().map(|change| change.subject.clone()).collect()
    }

    fn add_times(&mut self, was: &Baseline, now: &Baseline, any_machine: bool) {
        let common = totals::common(was, now);
        if common.is_empty() {
            return;
        }
        if !any_machine && !now.is_of_the_machine_of(was) {
            let (there, here) = (words(&was.machines), words(&now.machines));
            self.notes.push(format!("times are not compared: then it was {there}, now it is {here}"));
            return;
        }
        let times = totals::Times::of(&common);
        self.common_factor = times.common_factor;
        self.notes.extend(times.notes);
        self.changes.extend(times.changes);
    }

    fn add_missing(&mut self, was: &Baseline, now: &Baseline) {
        let is_unjudged =
            |key: &Key| now.incomplete || now.unjudged.contains(key) || now.skipped.contains(&key.owner());
        let missing = was.lines.keys().filter(|key| !now.lines.contains_key(key));
        self.unjudged = missing.filter(|key| is_unjudged(key)).count();
        let mut rest = was.clone();
        rest.lines.retain(|key, _| !is_unjudged(key));
        self.changes.extend(only_in(&rest, now, |cases| Kind::Gone { cases }));
    }
}

/// Cases that are in one only; of a submission that is in one only, all together.
fn only_in(one: &Baseline, other: &Baseline, kind: fn(usize) -> Kind) -> Vec<Change> {
    let known = other.owners();
    let mut whole: BTreeMap<Owner, usize> = BTreeMap::new();
    let mut changes = Vec::new();
    for key in one.lines.keys().filter(|key| !other.lines.contains_key(key)) {
        if known.contains(&key.owner()) {
            changes.push(Change { subject: Subject::of_case(key), kind: kind(1) });
        } else {
            *whole.entry(key.owner()).or_default() += 1;
        }
    }
    let whole = whole.iter();
    changes.extend(
        whole.map(|(owner, cases)| Change { subject: Subject::of_submission(owner), kind: kind(*cases) }),
    );
    changes
}

impl Baseline {
    /// Whether both were made on one machine. The kernel, named last, may differ: it is changed every week.
    pub fn is_of_the_machine_of(&self, other: &Self) -> bool {
        let machines = self.machines.iter().chain(&other.machines);
        let hardware: BTreeSet<_> = machines
            .map(|name| name.rsplit_once(", Linux").map_or(name.as_str(), |(name, _)| name))
            .collect();
        // Old logs do not say where they were made.
        self.machines.is_empty() || other.machines.is_empty() || hardware.len() == 1
    }

    /// The machines that it was made on, in words.
    pub fn machines(&self) -> String {
        words(&self.machines)
    }
}

fn words(machines: &BTreeSet<String>) -> String {
    machines.iter().map(String::as_str).collect::<Vec<_>>().join(" and ")
}

/// What a baseline is of, for the message that it is of something else.
fn contents(baseline: &Baseline) -> String {
    const MOST: usize = 3;
    let owners = baseline.owners();
    let names: Vec<_> =
        owners.iter().map(|(problem, submission)| format!("{problem} {submission}")).take(MOST).collect();
    match owners.len() {
        0 => "nothing that was judged".to_owned(),
        count if count > MOST => format!("{} and {} more", names.join(", "), count - MOST),
        _ => names.join(", "),
    }
}
