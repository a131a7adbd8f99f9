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
use crate::baseline::figures::Figures;
use crate::baseline::totals;

/// Memory by which runs of one kind differ beyond what ten of them show, in KiB. Measured: a program of one page peaks at 256
/// KiB or at 0.9 to 1.4 MiB, as the kernel counts, and may do so ten times in a row.
const MEMORY_SLACK_KIB: u64 = 1536;

/// What is not as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// Submissions that are in both.
    pub submissions: usize,
    /// Cases of submissions that are in both.
    pub cases: usize,
    /// Cases that were not judged this time, and are in no change.
    pub unjudged: usize,
    /// By what factor all submissions have become slower, if they did so together; it is taken out of all times.
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
    /// What has changed from `was` to `now`. Times of different machines are compared only if that is asked for, or if
    /// there are enough submissions to tell by what factor the machines differ.
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
        found.changes.extend(memory(&common));
        found.add_missing(was, now);
        found.changes.extend(only_in(now, was, |cases| Kind::New { cases }));
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
        let is_known = any_machine || now.is_of_machines_of(was);
        if !is_known && common.len() < totals::MANY {
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

/// A case, and its memory then and now, in KiB.
type Moved<'a> = (&'a Key, u64, u64);

/// Where memory lies beyond all that was seen before: for each submission the case that shows it most, and how many do.
fn memory(common: &[(&Key, &Figures, &Figures)]) -> Vec<Change> {
    let mut moved: BTreeMap<(Owner, bool), Vec<Moved<'_>>> = BTreeMap::new();
    for (key, was, now) in common {
        let ([was_least, was_kib, was_most], [now_least, now_kib, now_most]) =
            (was.memory_kib, now.memory_kib);
        let is_more = now_least > was_most + MEMORY_SLACK_KIB;
        let is_less = now_most + MEMORY_SLACK_KIB < was_least;
        let is_alike = was.has_times() && now.has_times() && was.verdict() == now.verdict();
        if is_alike && (is_more || is_less) {
            moved.entry((key.owner(), is_more)).or_default().push((key, was_kib, now_kib));
        }
    }
    let changes = moved.into_iter().map(|((owner, _), cases)| {
        let kind = |was: u64, now: u64| Kind::Memory {
            was_bytes: 1024 * was,
            now_bytes: 1024 * now,
            cases: cases.len(),
        };
        let size = |(_, was, now): &&Moved<'_>| kind(*was, *now).factor().ln().abs();
        let most = cases.iter().max_by(|one, other| size(one).total_cmp(&size(other)));
        let (key, was, now) = most.expect("there is one at least");
        let subject = if cases.len() == 1 { Subject::of_case(key) } else { Subject::of_submission(&owner) };
        Change { subject, kind: kind(*was, *now) }
    });
    changes.collect()
}

impl Baseline {
    /// Whether it was made on machines that the other knows. The kernel, named last, may differ: it is changed every week.
    fn is_of_machines_of(&self, other: &Self) -> bool {
        let hardware = |machines: &BTreeSet<String>| -> BTreeSet<String> {
            let names = machines
                .iter()
                .map(|name| name.rsplit_once(", Linux").map_or(name.as_str(), |(name, _)| name));
            names.map(str::to_owned).collect()
        };
        let (mine, others) = (hardware(&self.machines), hardware(&other.machines));
        // Old logs do not say where they were made.
        mine.is_empty() || others.is_empty() || mine.is_subset(&others)
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
