//! Chooses the runs of shards that together are a plan, and says what is missing,
//! doubled or contradictory. Decides nothing that it cannot prove. Start at
//! [`ShardSelection::from_runs`].

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ENTRY_DIGITS, PlanRecord, ShardRecord};
use crate::shard::RunSummary;
use crate::shard::scheduler::MOST_SHARDS;
use crate::text::{JoinedTexts, counted};

const OTHER_DIVISION: &str = "divides the plan otherwise than the other shards do";

/// The runs that count, by their places in the list of all runs, and everything to say
/// about it.
#[derive(Debug, Default, PartialEq)]
pub struct ShardSelection {
    /// For each shard, in order, the run that counts; `None` if there is none.
    pub chosen: Vec<Option<usize>>,
    /// The shards without a complete run.
    pub missing: Vec<MissingShard>,
    /// The shards with complete runs that differ.
    pub conflicts: Vec<RunConflict>,
    /// What was decided, in sentences.
    pub notes: Vec<String>,
}

/// A shard without a run that counts.
#[derive(Debug, PartialEq)]
pub struct MissingShard {
    /// Its number, from 1.
    pub index: usize,
    /// What there is instead, in words.
    pub reason: String,
}

/// Two complete runs of a shard with different results.
#[derive(Debug, PartialEq)]
pub struct RunConflict {
    /// The number of the shard, from 1.
    pub index: usize,
    /// The runs.
    pub runs: [usize; 2],
    /// The submissions that differ, by their places in the runs.
    pub entries: Vec<usize>,
}

/// Why runs are not shards of one plan.
#[derive(Debug, PartialEq)]
pub enum ShardRefusal {
    /// The log of this run contradicts itself.
    Damaged(usize, &'static str),
    /// These two runs are of plans that differ.
    OtherPlan([usize; 2], PlanDifference),
    /// No run begins with these digits.
    UnknownRun(String),
}

/// The first difference between two plans.
#[derive(Debug, PartialEq)]
pub enum PlanDifference {
    /// A part, by its name.
    Part(String),
    /// The submission at this place, from 1.
    Submission(usize),
}

impl ShardSelection {
    /// Chooses runs. Of several complete runs of a shard, the one counts whose
    /// identification begins with one of `take`, else one with everything judged, else
    /// the one that began first.
    ///
    /// # Errors
    /// If the runs are not of one plan, or their shards do not divide it.
    pub fn from_runs(
        runs: &[RunSummary],
        take: &[String],
    ) -> Result<Self, ShardRefusal> {
        let Some(first) = runs.first() else {
            return Ok(Self::default());
        };
        for (place, run) in runs.iter().enumerate() {
            if let Some(defect) = defect(run) {
                return Err(ShardRefusal::Damaged(place, defect));
            }
            if let Some(difference) = difference(&first.shard.plan, &run.shard.plan) {
                return Err(ShardRefusal::OtherPlan([0, place], difference));
            }
        }
        let other = runs.iter().position(|run| {
            run.shard.of != first.shard.of || run.shard.plan != first.shard.plan
        });
        if let Some(place) =
            other.or_else(|| undivided(runs, first.shard.plan.submissions))
        {
            return Err(ShardRefusal::Damaged(place, OTHER_DIVISION));
        }
        for wanted in take {
            if !runs.iter().any(|run| run.shard.run.starts_with(wanted)) {
                return Err(ShardRefusal::UnknownRun(wanted.clone()));
            }
        }
        let shards = first.shard.of;
        let mut selection = Self {
            chosen: vec![None; shards],
            ..Self::default()
        };
        let mut by_shard = vec![Vec::new(); shards];
        for (place, run) in runs.iter().enumerate() {
            by_shard[run.shard.index - 1].push(place);
        }
        for (index, places) in (1..).zip(by_shard) {
            selection.choose(runs, index, &places, take);
        }
        selection.check_languages(runs);
        Ok(selection)
    }

    /// Chooses the run of one shard.
    fn choose(
        &mut self,
        runs: &[RunSummary],
        index: usize,
        places: &[usize],
        take: &[String],
    ) {
        let (mut complete, begun): (Vec<_>, Vec<_>) = places
            .iter()
            .copied()
            .partition(|place| runs[*place].is_complete);
        self.drop_copies(runs, index, &mut complete);
        complete.sort_by_key(|place| {
            let run = &runs[*place];
            (run.unjudged(), &run.started.started, &run.shard.run)
        });
        let Some(&first) = complete.first() else {
            let reason = match begun.first() {
                None => "there is no log of it".to_owned(),
                Some(place) => {
                    format!("its run on {} is incomplete", runs[*place].shard.host)
                }
            };
            self.missing.push(MissingShard { index, reason });
            return;
        };
        if !begun.is_empty() {
            self.notes.push(format!(
                "shard {index}: left out besides the complete run: {}",
                counted(begun.len(), "incomplete one")
            ));
        }
        let taken = complete.iter().find(|place| is_taken(&runs[**place], take));
        if let Some(taken) = taken {
            self.chosen[index - 1] = Some(*taken);
            let run = &runs[*taken].shard;
            self.notes.push(format!(
                "shard {index}: run {} on {} counts, by --take",
                run.short_run(),
                run.host
            ));
            return;
        }
        let conflicts: Vec<_> = complete[1..]
            .iter()
            .filter_map(|other| {
                let entries = differing(&runs[first], &runs[*other]);
                (!entries.is_empty()).then_some(RunConflict {
                    index,
                    runs: [first, *other],
                    entries,
                })
            })
            .collect();
        if conflicts.is_empty() {
            self.chosen[index - 1] = Some(first);
            self.notes.extend(note_of_several(runs, index, &complete));
        }
        self.conflicts.extend(conflicts);
    }

    /// Drops copies of the same run, such as an artifact that was downloaded twice.
    fn drop_copies(
        &mut self,
        runs: &[RunSummary],
        index: usize,
        places: &mut Vec<usize>,
    ) {
        let all = places.len();
        let mut seen = BTreeSet::new();
        places.retain(|place| seen.insert(&runs[*place].shard.run));
        if places.len() < all {
            self.notes
                .push(format!("shard {index}: copies of the same run count once"));
        }
    }

    /// Takes out the runs of machines that lack a language which other machines have:
    /// one half of the submissions would be judged by other rules than the other half.
    fn check_languages(&mut self, runs: &[RunSummary]) {
        let mut judged = BTreeSet::new();
        for place in self.chosen.iter().flatten() {
            for (language, missing) in &runs[*place].languages {
                if missing.is_none() {
                    judged.insert(language);
                }
            }
        }
        for (place, chosen) in self.chosen.iter_mut().enumerate() {
            let Some(run) = chosen.map(|chosen| &runs[chosen]) else {
                continue;
            };
            let lacking = run.languages.iter().find_map(|(language, missing)| {
                let cause = missing.as_ref().filter(|_| judged.contains(language))?;
                Some((language, cause))
            });
            if let Some((language, cause)) = lacking {
                let host = &run.shard.host;
                self.missing.push(MissingShard {
                    index: place + 1,
                    reason: format!(
                        "{host} could not judge {language}, and others could: {cause}"
                    ),
                });
                *chosen = None;
            }
        }
        self.missing.sort_by_key(|missing| missing.index);
    }
}

fn is_taken(run: &RunSummary, take: &[String]) -> bool {
    take.iter().any(|wanted| run.shard.run.starts_with(wanted))
}

/// The note that several runs of a shard had equal results; the first of them counts.
fn note_of_several(
    runs: &[RunSummary],
    index: usize,
    complete: &[usize],
) -> Option<String> {
    let complete: Vec<_> = complete.iter().map(|place| &runs[*place]).collect();
    let (first, others) = complete.split_first()?;
    let least = others.iter().map(|run| run.unjudged()).max()?;
    let reason = if least > first.unjudged() {
        "which judged the most"
    } else {
        "which began first"
    };
    let hosts = complete.iter().map(|run| &*run.shard.host);
    Some(format!(
        "shard {index} was judged {} times, with equal results, on {}: run {} counts, {reason}",
        complete.len(),
        hosts.joined(" and "),
        first.shard.short_run()
    ))
}

/// What is impossible in a log, if anything. The rest of this file relies on it.
fn defect(run: &RunSummary) -> Option<&'static str> {
    let shard = &run.shard;
    let plan = &shard.plan;
    let are_in_order = shard.ordinals.is_sorted_by(|one, next| one < next);
    let are_in_plan = shard
        .ordinals
        .first()
        .zip(shard.ordinals.last())
        .is_none_or(|(first, last)| *first >= 1 && *last <= plan.submissions);
    let is_whole = Some(plan.entries.len())
        == plan.submissions.checked_mul(ENTRY_DIGITS)
        && plan.entries.is_ascii();
    if !(1..=shard.of).contains(&shard.index) || shard.of > MOST_SHARDS {
        return Some("names a shard that cannot be");
    }
    if !is_whole
        || !are_in_order
        || !are_in_plan
        || run.entries.len() > shard.ordinals.len()
    {
        return Some("does not fit the plan that it describes");
    }
    None
}

/// The first difference between two plans.
fn difference(one: &PlanRecord, other: &PlanRecord) -> Option<PlanDifference> {
    if one.digest == other.digest {
        return None;
    }
    let ours = BTreeSet::from_iter(&one.parts);
    let theirs = BTreeSet::from_iter(&other.parts);
    let mut all = one.parts.iter().chain(&other.parts);
    if let Some(part) =
        all.find(|part| !ours.contains(part) || !theirs.contains(part))
    {
        return Some(PlanDifference::Part(part.name.clone()));
    }
    let ours = one.entries.as_bytes().chunks(ENTRY_DIGITS);
    let theirs = other.entries.as_bytes().chunks(ENTRY_DIGITS);
    let shorter = ours.len().min(theirs.len());
    let place = ours.zip(theirs).position(|(one, other)| one != other);
    Some(PlanDifference::Submission(place.unwrap_or(shorter) + 1))
}

/// The first run whose submissions do not fit those of the others: two runs of a shard
/// have the same, two shards have none in common, and all shards together have all. If
/// cases are divided, the first shard has all submissions, and each further one those
/// that have so many cases.
fn undivided(runs: &[RunSummary], submissions: usize) -> Option<usize> {
    if runs.iter().any(|run| run.shard.case_split.is_some()) {
        let mut places: Vec<_> = (0..runs.len()).collect();
        places.sort_by_key(|place| runs[*place].shard.index);
        return places.windows(2).find_map(|pair| {
            let one = &runs[pair[0]].shard;
            let next = &runs[pair[1]].shard;
            let is_part = next
                .ordinals
                .iter()
                .all(|ordinal| one.ordinals.binary_search(ordinal).is_ok());
            let is_same = one.index != next.index || one.ordinals == next.ordinals;
            let is_split = one.case_split == next.case_split;
            (!is_part || !is_same || !is_split).then_some(pair[1])
        });
    }
    let mut of_shards = BTreeMap::new();
    let mut owners = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        let ShardRecord {
            index, ordinals, ..
        } = &run.shard;
        let fits = *of_shards.entry(index).or_insert(ordinals) == ordinals
            && ordinals
                .iter()
                .all(|ordinal| *owners.entry(ordinal).or_insert(index) == index);
        if !fits {
            return Some(place);
        }
    }
    let are_all = of_shards.len() == runs.first()?.shard.of;
    (are_all && owners.len() < submissions).then_some(0)
}

/// The submissions on which two runs of a shard differ. Where one has no verdict
/// because of the judge or the machine, they do not.
fn differing(one: &RunSummary, other: &RunSummary) -> Vec<usize> {
    one.entries
        .iter()
        .zip(&other.entries)
        .enumerate()
        .filter(|(_, (one, other))| {
            one.digest != other.digest && !one.is_unjudged && !other.is_unjudged
        })
        .map(|(place, _)| place)
        .collect()
}
