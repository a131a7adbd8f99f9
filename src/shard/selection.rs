//! Chooses the runs of shards that together are a plan, and says what is missing,
//! doubled or contradictory. Decides nothing that it cannot prove. Start at
//! [`ShardSelection::from_runs`].

use std::collections::{BTreeMap, BTreeSet};

use crate::mistake::Mistake;
use crate::model::{ENTRY_DIGITS, PlanRecord, ShardRecord};
use crate::shard::RunSummary;
use crate::shard::scheduler::MOST_SHARDS;
use crate::text::{JoinedTexts, counted};

/// The runs that count, and everything to say about it.
#[derive(Debug, Default)]
pub struct ShardSelection<'r> {
    /// For each shard, in order, the run that counts; `None` if there is none.
    pub chosen: Vec<Option<&'r RunSummary>>,
    /// The shards without a complete run.
    pub missing: Vec<MissingShard>,
    /// The shards with complete runs that differ.
    pub conflicts: Vec<RunConflict<'r>>,
    /// What was decided, in sentences.
    pub notes: Vec<String>,
}

/// A shard without a run that counts.
#[derive(Debug)]
pub struct MissingShard {
    /// Its number, from 1.
    pub index: usize,
    /// What there is instead, in words.
    pub reason: String,
}

/// Two complete runs of a shard with different results.
#[derive(Debug)]
pub struct RunConflict<'r> {
    /// The number of the shard, from 1.
    pub index: usize,
    /// The runs.
    pub runs: [&'r RunSummary; 2],
    /// The submissions that differ, by their places in the runs.
    pub entries: Vec<usize>,
}

impl<'r> ShardSelection<'r> {
    /// Chooses runs. Of several complete runs of a shard, the one counts whose
    /// identification begins with one of `take`, else one with everything judged, else
    /// the one that began first. `name_of` names the submission at a place of the plan,
    /// from 1.
    ///
    /// # Errors
    /// A mistake if the runs are not of one plan, or their shards do not divide it; and
    /// what `name_of` returns.
    pub fn from_runs<E: From<Mistake>>(
        runs: &'r [RunSummary],
        take: &[String],
        name_of: &dyn Fn(usize) -> Result<String, E>,
    ) -> Result<Self, E> {
        let Some(first) = runs.first() else {
            return Ok(Self::default());
        };
        for run in runs {
            if let Some(defect) = defect(run) {
                return refuse_damaged(run, defect);
            }
            let plan = &run.shard.plan;
            if let Some(what) = difference(&first.shard.plan, plan, name_of)? {
                let message = format!(
                    "is a shard of another plan than {}: the first difference is in {what}",
                    first.log.display()
                );
                let remedy = "judge all shards with the same files and options, and merge only \
                              those";
                return Mistake::refuse(&run.log, message, remedy);
            }
        }
        let other = runs.iter().find(|run| {
            run.shard.of != first.shard.of || run.shard.plan != first.shard.plan
        });
        if let Some(run) = other.or_else(|| undivided(runs)) {
            let defect = "divides the plan otherwise than the other shards do";
            return refuse_damaged(run, defect);
        }
        for wanted in take {
            let begun: BTreeSet<_> = { runs.iter().map(|run| &run.shard.run) }
                .filter(|run| run.starts_with(wanted))
                .collect();
            if begun.len() != 1 {
                return Mistake::refuse(
                    "--take",
                    format!("{} begin with `{wanted}`", counted(begun.len(), "run")),
                    "the first digits of one run are the last ones in the name of its file",
                );
            }
        }
        let shards = first.shard.of;
        let mut selection = Self {
            chosen: vec![None; shards],
            ..Self::default()
        };
        let mut by_shard = vec![vec![]; shards];
        for run in runs {
            by_shard[run.shard.index - 1].push(run);
        }
        for (index, runs) in (1..).zip(by_shard) {
            selection.choose(index, runs, take);
        }
        selection.check_languages();
        Ok(selection)
    }

    /// The runs that count.
    pub fn runs(&self) -> Vec<&'r RunSummary> {
        self.chosen.iter().flatten().copied().collect()
    }

    /// Whether there is a run of each shard.
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty() && self.conflicts.is_empty()
    }

    /// Chooses the run of one shard.
    fn choose(&mut self, index: usize, runs: Vec<&'r RunSummary>, take: &[String]) {
        let (mut complete, begun): (Vec<_>, Vec<_>) =
            runs.into_iter().partition(|run| run.is_complete);
        self.drop_copies(index, &mut complete);
        complete.sort_by_key(|run| {
            (run.unjudged(), &run.started.started, &run.shard.run)
        });
        let Some(first) = complete.first().copied() else {
            let reason = match begun.first() {
                None => "there is no log of it".to_owned(),
                Some(run) => format!("its run on {} is incomplete", run.shard.host),
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
        let taken = complete
            .iter()
            .copied()
            .find(|run| take.iter().any(|wanted| run.shard.run.starts_with(wanted)));
        if let Some(taken) = taken {
            self.chosen[index - 1] = Some(taken);
            self.notes.push(format!(
                "shard {index}: run {} on {} counts, by --take",
                taken.shard.short_run(),
                taken.shard.host
            ));
            return;
        }
        let conflicts: Vec<_> = complete[1..]
            .iter()
            .map(|other| RunConflict {
                index,
                runs: [first, other],
                entries: differing(first, other),
            })
            .filter(|conflict| !conflict.entries.is_empty())
            .collect();
        if conflicts.is_empty() {
            self.chosen[index - 1] = Some(first);
            self.notes.extend(note_of_several(index, &complete));
        }
        self.conflicts.extend(conflicts);
    }

    /// Drops copies of the same run, such as an artifact that was downloaded twice.
    fn drop_copies(&mut self, index: usize, runs: &mut Vec<&RunSummary>) {
        let all = runs.len();
        let mut seen = BTreeSet::new();
        runs.retain(|run| seen.insert(&run.shard.run));
        if runs.len() < all {
            self.notes
                .push(format!("shard {index}: copies of the same run count once"));
        }
    }

    /// Takes out the runs of machines that lack a language which other machines have:
    /// one half of the submissions would be judged by other rules than the other half.
    fn check_languages(&mut self) {
        let mut judged = BTreeSet::new();
        for run in self.runs() {
            for (language, missing) in &run.languages {
                if missing.is_none() {
                    judged.insert(language);
                }
            }
        }
        for (index, chosen) in (1..).zip(&mut self.chosen) {
            let Some(run) = *chosen else { continue };
            let lacking = run.languages.iter().find_map(|(language, missing)| {
                let cause = missing.as_ref().filter(|_| judged.contains(language))?;
                Some((language, cause))
            });
            if let Some((language, cause)) = lacking {
                let host = &run.shard.host;
                self.missing.push(MissingShard {
                    index,
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

/// Refuses a run whose log contradicts itself or the others.
fn refuse_damaged<T, E: From<Mistake>>(
    run: &RunSummary,
    defect: &str,
) -> Result<T, E> {
    Mistake::refuse(
        &run.log,
        defect,
        "judge this shard again, and leave this file out",
    )
}

/// The note that several runs of a shard had equal results; the first of them counts.
fn note_of_several(index: usize, complete: &[&RunSummary]) -> Option<String> {
    let (first, others) = complete.split_first()?;
    let least = others.iter().map(|run| run.unjudged()).max()?;
    let (results, reason) = if least > first.unjudged() {
        ("no contradiction", "which judged the most")
    } else {
        ("equal results", "which began first")
    };
    let hosts = complete.iter().map(|run| &*run.shard.host);
    Some(format!(
        "shard {index} was judged {} times, with {results}, on {}: run {} counts, {reason}",
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

/// What the first difference between two plans is in: a part, by its name, or a
/// submission, which `name_of` names by its place.
fn difference<E>(
    one: &PlanRecord,
    other: &PlanRecord,
    name_of: &dyn Fn(usize) -> Result<String, E>,
) -> Result<Option<String>, E> {
    if one.digest == other.digest {
        return Ok(None);
    }
    let ours = BTreeSet::from_iter(&one.parts);
    let theirs = BTreeSet::from_iter(&other.parts);
    let mut all = one.parts.iter().chain(&other.parts);
    if let Some(part) =
        all.find(|part| !ours.contains(part) || !theirs.contains(part))
    {
        return Ok(Some(part.name.clone()));
    }
    let ours = one.entries.as_bytes().chunks(ENTRY_DIGITS);
    let theirs = other.entries.as_bytes().chunks(ENTRY_DIGITS);
    let shorter = ours.len().min(theirs.len());
    let place = ours.zip(theirs).position(|(one, other)| one != other);
    name_of(place.unwrap_or(shorter) + 1).map(Some)
}

/// The first run whose submissions do not fit those of the others: two runs of a shard
/// have the same, two shards have none in common, and all shards together have all. If
/// cases are divided, the first shard has all submissions, and each further one those
/// that have so many cases.
fn undivided(runs: &[RunSummary]) -> Option<&RunSummary> {
    if runs.iter().any(|run| run.shard.case_split.is_some()) {
        let mut ordered = Vec::from_iter(runs);
        ordered.sort_by_key(|run| run.shard.index);
        return ordered.windows(2).find_map(|pair| {
            let one = &pair[0].shard;
            let next = &pair[1].shard;
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
    for run in runs {
        let ShardRecord {
            index, ordinals, ..
        } = &run.shard;
        let fits = *of_shards.entry(index).or_insert(ordinals) == ordinals
            && ordinals
                .iter()
                .all(|ordinal| *owners.entry(ordinal).or_insert(index) == index);
        if !fits {
            return Some(run);
        }
    }
    let first = runs.first()?;
    let are_all = of_shards.len() == first.shard.of;
    (are_all && owners.len() < first.shard.plan.submissions).then_some(first)
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
