//! What follows from all rules of 2025-09 that hold for a submission: what its verdict may be, what it may earn on each case, and what
//! must come up somewhere. All rules hold together. Knows no files.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::model::Case;
use crate::model::CasePromises;
use crate::model::CaseRequirement;
use crate::model::Expected;
use crate::model::ExpectedScore;
use crate::model::Requirement;
use crate::model::Verdict;
use crate::package::submissions::case_rule::CaseRule;
use crate::package::submissions::case_rule::all_verdicts;

/// What is expected of a submission altogether, and for its cases.
///
/// # Errors
/// Why no program can keep to all of it, to be read behind its name.
pub(super) fn promised(rules: &[CaseRule], cases: &[Case]) -> Result<(Expected, CasePromises), String> {
    let each: Vec<_> = cases.iter().map(|case| permitted(rules, &case.name)).collect();
    if let Some((case, _)) = cases.iter().zip(&each).find(|(_, permitted)| permitted.is_empty()) {
        return Err(format!("what its rules permit on `{}` has no verdict in common", case.name));
    }
    let mut any = if cases.is_empty() { permitted(rules, "") } else { Vec::new() };
    each.iter().flatten().for_each(|verdict| {
        if !any.contains(verdict) {
            any.push(*verdict);
        }
    });
    let required = requirements(rules, cases, &each)?;
    let wants_rejection = |wanted: &CaseRequirement| !wanted.requirement.expected.allows(Verdict::Accepted);
    if required.iter().any(wants_rejection) {
        any.retain(|verdict| *verdict != Verdict::Accepted);
    }
    let score = score_of_all(rules)?;
    let expected = Expected::one_of(any.iter().copied());
    let expected = score.into_iter().fold(expected, Expected::with_score);
    let promises = CasePromises {
        allowed: bound(cases, each),
        // To be rejected is what the verdict says already.
        required: required.into_iter().filter(|wanted| !is_any_rejection(wanted, &any, cases)).collect(),
        until_settled: true,
    };
    let groups = group_scores(rules, cases)?;
    Ok((expected, CasePromises { required: [promises.required, groups].concat(), ..promises }))
}

/// What all rules together want a submission to earn.
fn score_of_all(rules: &[CaseRule]) -> Result<Option<ExpectedScore>, String> {
    let mut scores = rules.iter().filter(|rule| rule.cases.is_empty()).filter_map(|rule| rule.score);
    let Some(first) = scores.next() else { return Ok(None) };
    let both = scores.try_fold(first, |one, other| match (one, other) {
        (ExpectedScore::Between(least, most), ExpectedScore::Between(lower, upper)) => {
            let (least, most) = (least.max(lower), most.min(upper));
            (least <= most).then_some(ExpectedScore::Between(least, most))
        }
        (_, other) => Some(other),
    });
    both.map(Some).ok_or_else(|| "the scores that its rules want have none in common".to_owned())
}

/// What all rules permit on a case.
fn permitted(rules: &[CaseRule], case: &str) -> Vec<Verdict> {
    let lists = rules.iter().filter(|rule| rule.is_for(case)).filter_map(|rule| rule.permitted.as_ref());
    lists.fold(all_verdicts(), |so_far, list| {
        list.iter().copied().filter(|verdict| so_far.contains(verdict)).collect()
    })
}

/// The verdicts of cases that may not earn just any; none where the submission must be accepted on all, which its verdict says.
fn bound(cases: &[Case], each: Vec<Vec<Verdict>>) -> BTreeMap<String, Expected> {
    if each.iter().all(|permitted| *permitted == [Verdict::Accepted]) {
        return BTreeMap::new();
    }
    let all = all_verdicts().len();
    let bound = cases.iter().zip(each).filter(|(_, permitted)| permitted.len() < all);
    bound.map(|(case, permitted)| (case.name.clone(), Expected::one_of(permitted))).collect()
}

/// The verdicts of which one is to come up, for each rule that says so; without those that come up in any case.
fn requirements(
    rules: &[CaseRule],
    cases: &[Case],
    each: &[Vec<Verdict>],
) -> Result<Vec<CaseRequirement>, String> {
    let mut found = Vec::new();
    for rule in rules {
        let Some(required) = &rule.required else { continue };
        let meant = || cases.iter().zip(each).filter(|(case, _)| rule.is_for(&case.name));
        let is_possible = |permitted: &[Verdict]| permitted.iter().any(|verdict| required.contains(verdict));
        let is_sure = |permitted: &[Verdict]| permitted.iter().all(|verdict| required.contains(verdict));
        let expected = Expected::one_of(required.iter().copied());
        if meant().next().is_some() && !meant().any(|(_, permitted)| is_possible(permitted)) {
            let of = if rule.cases.is_empty() { "all cases" } else { &rule.cases };
            return Err(format!("{expected} is required of {of}, and no rule permits it there"));
        }
        if meant().next().is_none() || !meant().all(|(_, permitted)| is_sure(permitted)) {
            let requirement = Requirement { cases: rule.cases.clone(), expected };
            let cases = meant().map(|(case, _)| case.name.clone()).collect();
            found.push(CaseRequirement { requirement, cases });
        }
    }
    Ok(found)
}

/// Whether any verdict but AC that the submission may earn will do, on any case.
fn is_any_rejection(wanted: &CaseRequirement, any: &[Verdict], cases: &[Case]) -> bool {
    let expected = &wanted.requirement.expected;
    wanted.cases.len() == cases.len()
        && !expected.allows(Verdict::Accepted)
        && any.iter().all(|verdict| expected.allows(*verdict))
}

/// The groups of the format: `secret` and the folders in it.
fn groups(cases: &[Case]) -> BTreeSet<String> {
    let in_secret = cases.iter().filter(|case| case.name.starts_with("secret/"));
    let of_case = |case: &Case| {
        let ends = case.name.match_indices('/').take(2);
        ends.map(|(end, _)| case.name[..end].to_owned()).collect::<Vec<_>>()
    };
    in_secret.flat_map(of_case).collect()
}

/// What groups are to be worth.
///
/// # Errors
/// That a rule wants points of what is no group.
fn group_scores(rules: &[CaseRule], cases: &[Case]) -> Result<Vec<CaseRequirement>, String> {
    let groups = groups(cases);
    let scored: Vec<_> = rules.iter().filter_map(|rule| Some((rule, rule.score?))).collect();
    let is_of_none = |rule: &CaseRule| !groups.iter().any(|group| rule.is_for_group(group));
    if let Some((rule, _)) = scored.iter().find(|(rule, _)| !rule.cases.is_empty() && is_of_none(rule)) {
        return Err(format!(
            "`{}` has a `score` and is no group; groups are `secret` and the folders in it",
            rule.cases
        ));
    }
    let of_groups = scored.into_iter().flat_map(|(rule, score)| {
        let meant = groups.iter().filter(|group| rule.is_for_group(group));
        meant.map(move |group| (group, score))
    });
    let wanted = of_groups.map(|(group, score)| {
        let inside = cases.iter().filter(|case| case.name.starts_with(&format!("{group}/")));
        let requirement = Requirement { cases: group.clone(), expected: Expected::of_score(score) };
        CaseRequirement { requirement, cases: inside.map(|case| case.name.clone()).collect() }
    });
    Ok(wanted.collect())
}
