//! Reads what a rule of `submissions.yaml` expects on all cases, or on those that a
//! pattern names, verdicts permitted on each case, verdicts of which one is required on
//! some case, and points, and combines all rules of a submission. Knows no file of one.

use std::collections::BTreeSet;

use crate::glob::{Backslash, Glob};
use crate::keys::KeyTable;
use crate::mistake::{Mistake, quoted};
use crate::model::{
    AllowedVerdicts, CaseExpectations, CaseNames, CaseRequirement, CaseSet, Expected,
    ExpectedScore, PointValue, Requirement, Verdict,
};
use crate::package::{TOO_SLOW, folders_around};

use Verdict::{
    Accepted, MemoryLimit, OutputLimit, RuntimeError, TimeLimit, WrongAnswer,
};

/// The verdicts of the format, with ours that each stands for.
const VERDICTS: [(&str, &[Verdict]); 4] = [
    ("AC", &[Accepted]),
    ("WA", &[WrongAnswer, OutputLimit]),
    ("TLE", &TOO_SLOW),
    ("RTE", &[RuntimeError, MemoryLimit]),
];

/// The key that says whether the times of submissions bound the time limit.
const KEY: &str = "use_for_time_limit";

/// Expectations for all cases or some.
#[derive(Clone, Default)]
pub(super) struct CaseRule {
    /// The pattern of cases as written; empty for all.
    pub(super) cases: String,
    /// The compiled pattern; `None` for all cases.
    pattern: Option<Glob>,
    pub(super) permitted: Option<Vec<Verdict>>,
    pub(super) required: Option<Vec<Verdict>>,
    /// The least and the most points.
    pub(super) score: Option<(PointValue, PointValue)>,
    /// The text that the judge message of a case must contain.
    pub(super) message: Option<String>,
    /// Whether times on these cases say nothing about the time limit.
    pub(super) is_untimed: bool,
    /// The mistake if the pattern matches no case.
    pub(super) unmatched: Option<Mistake>,
}

impl CaseRule {
    /// The rule of a folder, for all cases.
    pub(super) fn default_of(required: &[&str]) -> Self {
        Self {
            permitted: Some(ours(&[&["AC"], required].concat())),
            required: (!required.is_empty()).then(|| ours(required)),
            ..Self::default()
        }
    }

    /// Reads the expectations of a rule on all cases, or on those that `cases` names;
    /// also, into `further`, what it expects by letting their times bound the time
    /// limit. Notes a pattern that the format does not allow.
    pub(super) fn read(
        cases: Option<&str>,
        table: &KeyTable,
        further: &mut Vec<Self>,
    ) -> Option<Self> {
        let mut rule = Self {
            permitted: verdicts(table, "permitted"),
            required: verdicts(table, "required"),
            score: score(table),
            // An empty text is in every message, and stands for none.
            message: table.text("message").filter(|text| !text.is_empty()),
            ..Self::default()
        };
        if let Some(name) = cases {
            rule.unmatched = Some(table.document.mistake(
                table.header,
                format!("no case and no group is named like {}", quoted(name)),
                "name one as seen from `data`, without `.in`, or delete it",
            ));
            rule.cases = name.to_owned();
            rule.pattern = Some(pattern(table, name)?);
        }
        // To bound the time limit from below is to be permitted anything but to be too
        // slow; from above, to be required to be.
        let on_its_cases = Self {
            cases: rule.cases.clone(),
            pattern: rule.pattern.clone(),
            ..Self::default()
        };
        match table.flag_or_text(KEY).as_deref() {
            None | Some("true") => {}
            Some("false") => {
                rule.is_untimed = true;
            }
            Some("lower") => further.push(Self {
                permitted: Some(ours(&["AC", "WA", "RTE"])),
                ..on_its_cases
            }),
            Some("upper") => further.push(Self {
                required: Some(ours(&["TLE"])),
                ..on_its_cases
            }),
            Some(other) => {
                table.refuse_value(
                    KEY,
                    format!("`{KEY}` cannot be {}", quoted(other)),
                    "use `false`, `true`, `lower` or `upper`",
                );
            }
        }
        Some(rule)
    }

    /// Returns what it expects, and in place of what it says nothing of what another
    /// rule expects.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            permitted: self.permitted.or(other.permitted),
            required: self.required.or(other.required),
            score: self.score.or(other.score),
            message: self.message.or(other.message),
            is_untimed: self.is_untimed || other.is_untimed,
            ..self
        }
    }

    /// Whether it expects nothing.
    pub(super) fn is_empty(&self) -> bool {
        let has_verdicts = self.permitted.is_some() || self.required.is_some();
        !has_verdicts && self.score.is_none() && self.message.is_none()
    }

    /// Whether it applies to a case, by the name of the case or of a group around it.
    pub(super) fn is_for(&self, case: &str) -> bool {
        let pattern = self.pattern.as_ref();
        pattern.is_none_or(|pattern| pattern.matches_around(case))
    }
}

/// All verdicts of the format, as ours.
fn all_verdicts() -> Vec<Verdict> {
    VERDICTS.iter().flat_map(|row| row.1).copied().collect()
}

/// Compiles a pattern of the format; notes a mistake if it is not one.
pub(super) fn pattern(table: &KeyTable, name: &str) -> Option<Glob> {
    let glob = Glob::new(&without_blanks_in_braces(name), Backslash::Letter);
    let is_plain = !name.contains(['[', ']', '?']) && !name.contains("**");
    let glob = glob.ok().filter(|_| is_plain);
    if glob.is_none() {
        table.refuse_table(
            format!("{} is not a pattern of the format", quoted(name)),
            "use `*` for anything but `/`, and `{a,b}` for either",
        );
    }
    glob
}

/// A pattern in which blanks around alternatives, as in `{a, b}`, do not count. Names
/// of the format have none. Source: BAPCtools, `_compile_glob` in `expectations.py`,
/// which also takes a folder with a `/` at its end for the folder.
fn without_blanks_in_braces(pattern: &str) -> String {
    let mut open = 0_usize;
    let mut kept = pattern.strip_suffix('/').unwrap_or(pattern).to_owned();
    kept.retain(|letter| {
        match letter {
            '{' => {
                open += 1;
            }
            '}' => {
                open = open.saturating_sub(1);
            }
            _ => {}
        }
        open == 0 || !letter.is_whitespace()
    });
    kept
}

/// Reads the points of a rule: one number, or the least and the most.
fn score(table: &KeyTable) -> Option<(PointValue, PointValue)> {
    let found = table.words("score")?;
    let numbers = found
        .iter()
        .map(|text| text.parse().ok().and_then(PointValue::new));
    match numbers.collect::<Option<Vec<_>>>().as_deref() {
        Some([points]) => Some((*points, *points)),
        Some([least, most]) if least <= most => Some((*least, *most)),
        _ => {
            let message = "`score` must be a number, or a list of the least and the most points";
            table.refuse_value(
                "score",
                message,
                "write it as `score: 40`, or `score: [40, 60]`",
            );
            None
        }
    }
}

/// Reads the verdicts of a key; notes unknown words.
fn verdicts(table: &KeyTable, key: &'static str) -> Option<Vec<Verdict>> {
    let found = table.list(key)?;
    for word in found
        .iter()
        .filter(|word| !VERDICTS.iter().any(|row| row.0 == **word))
    {
        table.refuse_value(
            key,
            format!("{} in `{key}` is not a verdict of the format", quoted(word)),
            "use AC, WA, TLE, RTE",
        );
    }
    if found.is_empty() {
        table.refuse_value(
            key,
            format!("`{key}` is empty"),
            "name a verdict, or delete it",
        );
    }
    Some(ours(&found))
}

fn ours(words: &[impl AsRef<str>]) -> Vec<Verdict> {
    words
        .iter()
        .filter_map(|word| VERDICTS.iter().find(|row| row.0 == word.as_ref()))
        .flat_map(|row| row.1)
        .copied()
        .collect()
}

// Combines all rules of 2025-09 that apply to a submission: the verdicts it may get
// altogether and on each case, and those that must occur on some case. All rules must
// hold together. Reads no files.

/// Returns what is expected of a submission altogether, and on its cases.
///
/// # Errors
/// Returns the reason why no program can satisfy all rules, to be printed after the
/// submission's name.
pub(super) fn combined_rules(
    rules: &[CaseRule],
    names: &CaseNames,
) -> Result<(Expected, CaseExpectations), String> {
    let cases = names.cases();
    let each: Vec<_> = cases
        .iter()
        .map(|case| permitted(rules, &case.name))
        .collect();
    if let Some(place) = each.iter().position(Vec::is_empty) {
        let case = &cases[place].name;
        return Err(format!("its rules permit no common verdict on `{case}`"));
    }
    let mut any = if cases.is_empty() {
        permitted(rules, "")
    } else {
        each.concat()
    };
    let required = requirements(rules, names, &each)?;
    if required
        .iter()
        .any(|wanted| !wanted.requirement.expected.allows(Accepted))
    {
        any.retain(|verdict| *verdict != Accepted);
    }
    let score = score_of_all(rules)?;
    let expected = score
        .into_iter()
        .fold(Expected::one_of(any), Expected::with_score);
    // The overall verdict already says that it is rejected, where any rejection on any
    // case is enough.
    let required = required
        .into_iter()
        .filter(|wanted| {
            let met = &wanted.requirement.expected;
            wanted.cases.len() != cases.len()
                || met.allows(Accepted)
                || !expected
                    .verdicts()
                    .iter()
                    .all(|verdict| met.allows(*verdict))
        })
        .chain(group_scores(rules, names)?)
        .chain(messages(rules, names))
        .collect();
    let untimed = CaseSet::new(names, |_, case| {
        rules
            .iter()
            .any(|rule| rule.is_untimed && rule.is_for(&case.name))
    });
    let expectations = CaseExpectations {
        allowed: allowed_verdicts(names, each),
        required,
        untimed,
        stops_when_settled: true,
    };
    Ok((expected, expectations))
}

/// Returns the score that all rules for all cases expect together.
fn score_of_all(rules: &[CaseRule]) -> Result<Option<ExpectedScore>, String> {
    let of_all = rules.iter().filter(|rule| rule.cases.is_empty());
    let scores = of_all.filter_map(|rule| rule.score);
    let least = scores.clone().map(|(least, _)| least).max();
    let most = scores.map(|(_, most)| most).min();
    match least.zip(most) {
        Some((least, most)) if least > most => {
            Err("no score satisfies all of its rules".to_owned())
        }
        both => Ok(both.map(|(least, most)| ExpectedScore::Between(least, most))),
    }
}

/// Returns the verdicts that all rules permit on a case.
fn permitted(rules: &[CaseRule], case: &str) -> Vec<Verdict> {
    let mut common = rules
        .iter()
        .filter(|rule| rule.is_for(case))
        .filter_map(|rule| rule.permitted.as_ref())
        .fold(all_verdicts(), |so_far, list| {
            list.iter()
                .copied()
                .filter(|verdict| so_far.contains(verdict))
                .collect()
        });
    // A program that prints too much may stand for a wrong one as well as for a slow
    // one, of which neither is common.
    if !common.contains(&WrongAnswer) && !common.contains(&TimeLimit) {
        common.retain(|verdict| *verdict != OutputLimit);
    }
    common
}

/// Returns the verdicts allowed on cases that may not get just any. Empty if the
/// submission must be accepted on all, which its overall verdict says.
fn allowed_verdicts(names: &CaseNames, each: Vec<Vec<Verdict>>) -> AllowedVerdicts {
    if each.iter().all(|permitted| *permitted == [Accepted]) {
        return AllowedVerdicts::default();
    }
    let all = all_verdicts().len();
    AllowedVerdicts::new(
        names,
        each.into_iter().map(|permitted| {
            (permitted.len() < all).then(|| Expected::one_of(permitted))
        }),
    )
}

/// Returns, for each rule that requires some verdict, the verdicts of which one must
/// occur. Leaves out those that occur in any case.
fn requirements(
    rules: &[CaseRule],
    names: &CaseNames,
    each: &[Vec<Verdict>],
) -> Result<Vec<CaseRequirement>, String> {
    let mut found = vec![];
    for rule in rules {
        let Some(required) = &rule.required else {
            continue;
        };
        let mut is_any_possible = false;
        let mut are_all_sure = true;
        let cases = CaseSet::new(names, |place, case| {
            let is_meant = rule.is_for(&case.name);
            if is_meant {
                is_any_possible |= each[place].iter().any(|verdict| {
                    *verdict != OutputLimit && required.contains(verdict)
                });
                are_all_sure &=
                    each[place].iter().all(|verdict| required.contains(verdict));
            }
            is_meant
        });
        let expected = Expected::one_of(required.iter().copied());
        if !cases.is_empty() && !is_any_possible {
            let of = if rule.cases.is_empty() {
                "all cases"
            } else {
                &rule.cases
            };
            return Err(format!(
                "{expected} is required of {of}, and no rule permits it there"
            ));
        }
        if cases.is_empty() || !are_all_sure {
            let requirement = Requirement {
                cases: rule.cases.clone(),
                expected,
                message: None,
            };
            found.push(CaseRequirement { requirement, cases });
        }
    }
    Ok(found)
}

/// Returns, for each rule that names a text, the requirement that a judge message
/// contains it.
fn messages(rules: &[CaseRule], names: &CaseNames) -> Vec<CaseRequirement> {
    rules
        .iter()
        .filter_map(|rule| {
            let requirement = Requirement {
                cases: rule.cases.clone(),
                expected: Expected::nothing(),
                message: Some(rule.message.clone()?),
            };
            let cases = CaseSet::new(names, |_, case| rule.is_for(&case.name));
            Some(CaseRequirement { requirement, cases })
        })
        .collect()
}

/// Returns the expected scores of groups.
///
/// # Errors
/// Returns a reason if a rule expects points on something that is not a group.
fn group_scores(
    rules: &[CaseRule],
    names: &CaseNames,
) -> Result<Vec<CaseRequirement>, String> {
    // The groups of the format: `secret` and the folders in it.
    let secret = names.cases().iter().map(|case| &*case.name);
    let groups: BTreeSet<_> = secret
        .filter(|name| name.starts_with("secret/"))
        .flat_map(|name| folders_around(name).take(2))
        .collect();
    let mut wanted = vec![];
    for rule in rules {
        let Some((least, most)) = rule.score else {
            continue;
        };
        let before = wanted.len();
        for &group in &groups {
            let pattern = rule.pattern.as_ref();
            if !pattern.is_some_and(|pattern| pattern.matches(group)) {
                continue;
            }
            let requirement = Requirement {
                cases: group.to_owned(),
                expected: Expected::nothing()
                    .with_score(ExpectedScore::Between(least, most)),
                message: None,
            };
            let cases = CaseSet::new(names, |_, case| {
                folders_around(&case.name).any(|folder| folder == group)
            });
            wanted.push(CaseRequirement { requirement, cases });
        }
        if wanted.len() == before && !rule.cases.is_empty() {
            return Err(format!(
                "`{}` has a `score` and is not a group; groups are `secret` and the folders in it",
                rule.cases
            ));
        }
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_alternatives_and_a_slash_at_the_end_do_not_count() {
        for (pattern, name) in [
            ("secret/*{ 4 }{ 2, 3 }", "secret/x42"),
            ("{wrong_answer, mixed}/", "mixed"),
            ("a b", "a b"),
        ] {
            let glob =
                Glob::new(&without_blanks_in_braces(pattern), Backslash::Letter)
                    .unwrap();
            assert!(glob.matches(name), "{pattern}");
        }
    }
}
