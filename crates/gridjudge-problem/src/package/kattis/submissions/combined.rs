//! Combines all rules of 2025-09 that apply to a submission: the verdicts it may get altogether and
//! on each case, and those that must occur on some case. All rules must hold together. Reads no
//! files.

use crate::sorted::SortedSet;

use crate::model::{
    AllowedVerdicts, Case, CaseExpectations, CaseNames, CaseRequirement, CaseSet, Expected,
    ExpectedScore, Requirement, Verdict,
};
use crate::package::kattis::submissions::CaseRule;
use crate::package::kattis::submissions::case_rule::all_verdicts;

/// Returns what is expected of a submission altogether, and on its cases.
///
/// # Errors
/// Returns the reason why no program can satisfy all rules, to be printed after the submission's
/// name.
pub(super) fn combined(
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
        Vec::new()
    };
    each.iter().flatten().for_each(|verdict| {
        if !any.contains(verdict) {
            any.push(*verdict);
        }
    });
    let required = requirements(rules, names, &each)?;
    if required
        .iter()
        .any(|wanted| !wanted.requirement.expected.allows(Verdict::Accepted))
    {
        any.retain(|verdict| *verdict != Verdict::Accepted);
    }
    let score = score_of_all(rules)?;
    let expected = Expected::one_of(any.iter().copied());
    let expected = score.into_iter().fold(expected, Expected::with_score);
    // The overall verdict already says that it is rejected.
    let required = required
        .into_iter()
        .filter(|wanted| !is_any_rejection(wanted, &any, cases));
    let required = required
        .chain(group_scores(rules, names)?)
        .chain(messages(rules, names))
        .collect();
    let untimed = CaseSet::new(names, |_, case| {
        rules
            .iter()
            .any(|rule| rule.is_untimed && rule.is_for(&case.name))
    });
    let allowed = allowed_verdicts(names, each);
    Ok((
        expected,
        CaseExpectations {
            allowed,
            required,
            untimed,
            stops_when_settled: true,
        },
    ))
}

/// Returns the score that all rules for all cases expect together.
fn score_of_all(rules: &[CaseRule]) -> Result<Option<ExpectedScore>, String> {
    let mut scores = rules
        .iter()
        .filter(|rule| rule.cases.is_empty())
        .filter_map(|rule| rule.score);
    let Some(first) = scores.next() else {
        return Ok(None);
    };
    let both = scores.try_fold(first, |one, other| match (one, other) {
        (ExpectedScore::Between(least, most), ExpectedScore::Between(lower, upper)) => {
            let least = least.max(lower);
            let most = most.min(upper);
            (least <= most).then_some(ExpectedScore::Between(least, most))
        }
        (_, other) => Some(other),
    });
    both.map(Some)
        .ok_or_else(|| "no score satisfies all of its rules".to_owned())
}

/// Returns the verdicts that all rules permit on a case.
fn permitted(rules: &[CaseRule], case: &str) -> Vec<Verdict> {
    let lists = rules
        .iter()
        .filter(|rule| rule.is_for(case))
        .filter_map(|rule| rule.permitted.as_ref());
    let mut common = lists.fold(all_verdicts(), |so_far, list| {
        list.iter()
            .copied()
            .filter(|verdict| so_far.contains(verdict))
            .collect()
    });
    // A program that prints too much may stand for a wrong one as well as for a slow one, of which
    // neither is common.
    if !common.contains(&Verdict::WrongAnswer) && !common.contains(&Verdict::TimeLimit) {
        common.retain(|verdict| *verdict != Verdict::OutputLimit);
    }
    common
}

/// Returns the verdicts allowed on cases that may not get just any. Empty if the submission must be
/// accepted on all, which its overall verdict says.
fn allowed_verdicts(names: &CaseNames, each: Vec<Vec<Verdict>>) -> AllowedVerdicts {
    if each
        .iter()
        .all(|permitted| *permitted == [Verdict::Accepted])
    {
        return AllowedVerdicts::default();
    }
    let all = all_verdicts().len();
    AllowedVerdicts::new(
        names,
        each.into_iter().map(|permitted| {
            Some(permitted)
                .filter(|permitted| permitted.len() < all)
                .map(Expected::one_of)
        }),
    )
}

/// Returns, for each rule that requires some verdict, the verdicts of which one must occur. Leaves
/// out those that occur in any case.
fn requirements(
    rules: &[CaseRule],
    names: &CaseNames,
    each: &[Vec<Verdict>],
) -> Result<Vec<CaseRequirement>, String> {
    let mut found = Vec::new();
    for rule in rules {
        let Some(required) = &rule.required else {
            continue;
        };
        let mut is_any_possible = false;
        let mut are_all_sure = true;
        let cases = CaseSet::new(names, |place, case| {
            let is_meant = rule.is_for(&case.name);
            if is_meant {
                is_any_possible |= each[place]
                    .iter()
                    .any(|verdict| *verdict != Verdict::OutputLimit && required.contains(verdict));
                are_all_sure &= each[place].iter().all(|verdict| required.contains(verdict));
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

/// Returns, for each rule that names a text, the requirement that a judge message contains it.
fn messages(rules: &[CaseRule], names: &CaseNames) -> Vec<CaseRequirement> {
    let with_text = rules
        .iter()
        .filter_map(|rule| Some((rule, rule.message.clone()?)));
    let wanted = with_text.map(|(rule, message)| {
        let requirement = Requirement {
            cases: rule.cases.clone(),
            expected: Expected::nothing(),
            message: Some(message),
        };
        CaseRequirement {
            requirement,
            cases: CaseSet::new(names, |_, case| rule.is_for(&case.name)),
        }
    });
    wanted.collect()
}

/// Whether a requirement is met by any rejection that the submission may get, on any case.
fn is_any_rejection(wanted: &CaseRequirement, any: &[Verdict], cases: &[Case]) -> bool {
    let expected = &wanted.requirement.expected;
    wanted.cases.len() == cases.len()
        && !expected.allows(Verdict::Accepted)
        && any.iter().all(|verdict| expected.allows(*verdict))
}

/// Returns the groups of the format: `secret` and the folders in it.
fn groups(cases: &[Case]) -> SortedSet<String> {
    let in_secret = cases.iter().filter(|case| case.name.starts_with("secret/"));
    in_secret
        .flat_map(|case| {
            let ends = case.name.match_indices('/').take(2);
            ends.map(|(end, _)| case.name[..end].to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the expected scores of groups.
///
/// # Errors
/// Returns a reason if a rule expects points on something that is not a group.
fn group_scores(rules: &[CaseRule], names: &CaseNames) -> Result<Vec<CaseRequirement>, String> {
    let groups = groups(names.cases());
    let scored: Vec<_> = rules
        .iter()
        .filter_map(|rule| Some((rule, rule.score?)))
        .collect();
    if let Some((rule, _)) = scored.iter().find(|(rule, _)| {
        !rule.cases.is_empty() && (!groups.iter().any(|group| rule.is_for_group(group)))
    }) {
        return Err(format!(
            "`{}` has a `score` and is not a group; groups are `secret` and the folders in it",
            rule.cases
        ));
    }
    let of_groups = scored.into_iter().flat_map(|(rule, score)| {
        let meant = groups.iter().filter(|group| rule.is_for_group(group));
        meant.map(move |group| (group, score))
    });
    let wanted = of_groups.map(|(group, score)| {
        let requirement = Requirement {
            cases: group.clone(),
            expected: Expected::of_score(score),
            message: None,
        };
        CaseRequirement {
            requirement,
            cases: CaseSet::new(names, |_, case| {
                case.name
                    .strip_prefix(group.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            }),
        }
    });
    Ok(wanted.collect())
}
