//! Filters the cases of a plan by name and group.

use crate::sorted::{SortedMap, SortedSet};
use std::sync::Arc;

use clap::Args;

use crate::model::{Case, Expected, Verdict};
use crate::run::{Plan, PlanEntry};
use crate::spec::{JudgeFolder, Mistake, Mistakes, NamePattern, nearest};
use crate::text::JoinedTexts;

/// Which cases to judge; by default all.
#[derive(Args)]
pub(crate) struct CaseFilter {
    /// Only cases of this name; `*` and `?` stand for anything but `/`. May be given several times
    #[arg(long = "case", value_name = "GLOB")]
    names: Vec<String>,
    /// Only cases of this group, as `sample`. May be given several times
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
}

impl CaseFilter {
    /// Removes all cases from a plan except the chosen ones, and all submissions that are left
    /// without cases.
    ///
    /// # Errors
    /// A mistake for each name and each group that no case has, or if no case has both.
    pub(crate) fn keep(&self, plan: &mut Plan, folder: &JudgeFolder) -> Result<(), Mistakes> {
        if self.names.is_empty() && self.groups.is_empty() {
            return Ok(());
        }
        plan.is_part = true;
        let patterns = self.patterns(folder)?;
        self.mistakes(plan, folder, &patterns)?;
        // Submissions to one problem share its list of cases, and share the filtered one.
        let mut kept: SortedMap<String, Arc<[Case]>> = SortedMap::new();
        for entry in &mut plan.entries {
            let all = entry.cases.len();
            let cases = kept.entry(entry.problem.id.clone()).or_insert_with(|| {
                entry
                    .cases
                    .iter()
                    .filter(|case| self.wants(&case.name, &patterns))
                    .cloned()
                    .collect()
            });
            entry.cases = Arc::clone(cases);
            // An executable may be refused only because a case needs the source; that case may be
            // gone now.
            let is_refused = entry.language.is_some() || entry.judges_source();
            entry.language_refusal = entry.language_refusal.take().filter(|_| is_refused);
            if entry.cases.len() < all {
                entry.submission.expected = entry.submission.expected.take().map(on_a_part);
            }
        }
        plan.entries.retain(|entry| !entry.cases.is_empty());
        if plan.entries.is_empty() {
            let message = "no case is of a group and of a name that were chosen";
            return Err(Mistake::of(&folder.config.cases, message).into());
        }
        Ok(())
    }

    fn patterns(&self, folder: &JudgeFolder) -> Result<Vec<NamePattern>, Mistakes> {
        Mistakes::of_all(self.names.iter().map(|text| {
            NamePattern::new(text)
                .map_err(|why| Mistake::of(&folder.config.cases, format!("`{text}` {why}")).into())
        }))
    }

    fn wants(&self, name: &str, patterns: &[NamePattern]) -> bool {
        let of_group =
            self.groups.is_empty() || self.groups.iter().any(|wanted| group(name) == wanted);
        of_group && (patterns.is_empty() || patterns.iter().any(|pattern| is_named(name, pattern)))
    }

    fn mistakes(
        &self,
        plan: &Plan,
        folder: &JudgeFolder,
        patterns: &[NamePattern],
    ) -> Result<(), Mistakes> {
        let cases = plan
            .entries
            .iter()
            .flat_map(|entry: &PlanEntry| entry.cases.iter());
        let names: SortedSet<_> = cases.map(|case| case.name.as_str()).collect();
        let groups: SortedSet<_> = names.iter().map(|name| group(name)).collect();
        let of = |message, meant: Option<String>| {
            let mistake = Mistake::of(&folder.config.cases, message);
            meant.into_iter().fold(mistake, Mistake::with_remedy)
        };
        let unnamed = patterns
            .iter()
            .filter(|pattern| !names.iter().any(|name| is_named(name, pattern)));
        let unnamed = unnamed.map(NamePattern::text);
        let ungrouped = self
            .groups
            .iter()
            .filter(|group| !groups.contains(group.as_str()));
        let of_names = unnamed.map(|pattern| {
            let meant =
                near(pattern, names.iter().copied()).or_else(|| such_as(names.iter().copied()));
            of(format!("no case is named `{pattern}`"), meant)
        });
        let known = groups.iter().copied().joined(", ");
        let of_groups = ungrouped.map(|group| {
            let meant = near(group, groups.iter().copied()).unwrap_or(format!("known: {known}"));
            of(format!("there is no group `{group}`"), Some(meant))
        });
        let mistakes: Vec<_> = of_names.chain(of_groups).collect();
        Mistakes::or(mistakes, ())
    }
}

/// The verdicts expected on a part of the cases: those expected on all cases, and accepted, since
/// the case that fails may be left out.
fn on_a_part(expected: Expected) -> Expected {
    Expected::one_of(
        expected
            .verdicts()
            .iter()
            .copied()
            .chain([Verdict::Accepted]),
    )
}

/// The group of a case, which is its folder; empty if it is in none.
fn group(name: &str) -> &str {
    name.split_once('/').map_or("", |(group, _)| group)
}

fn near<'a>(found: &str, names: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let short = names
        .clone()
        .map(|name| name.rsplit('/').next().unwrap_or(name));
    // The group is often left out, so the part after it counts, too.
    let meant = nearest(found, names).or_else(|| nearest(found, short))?;
    Some(format!("did you mean `{meant}`?"))
}

/// A hint that shows an existing name, for when no name is similar.
fn such_as<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    Some(format!(
        "name it as `{}`, or by a part of that with `*` and `?`",
        names.next()?
    ))
}

/// Whether a pattern matches the whole name or its last part.
fn is_named(name: &str, pattern: &NamePattern) -> bool {
    pattern.matches(name)
        || name
            .rsplit_once('/')
            .is_some_and(|(_, last)| pattern.matches(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_the_whole_name_or_its_last_part() {
        for (name, pattern, fits) in [
            ("secret/017-slow", "secret/017-slow", true),
            ("secret/017-slow", "017-slow", true),
            ("secret/017-slow", "017*", true),
            ("secret/017-slow", "*slow", true),
            ("secret/017-slow", "secret/*", true),
            ("secret/017-slow", "s*/0?7*", true),
            ("secret/017-slow", "*17*ow*", true),
            ("secret/017-slow", "017", false),
            ("secret/017-slow", "017-slow?", false),
            ("secret/017-slow", "", false),
            ("secret/017-slow", "*", true),
            ("one", "o?e", true),
            ("one", "o?", false),
        ] {
            let pattern = NamePattern::new(pattern).unwrap();
            assert_eq!(is_named(name, &pattern), fits, "{name} {}", pattern.text());
        }
    }
}
