//! `gridjudge list`: lists the problems of a folder, with their cases, limits and
//! examples. Looks at specs and file names only; opens no case and no source.

use std::collections::BTreeMap;

use clap::Args;
use indexmap::IndexMap;

use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, PackageChoice, ProblemNames,
    package_notes, planning, screen,
};
use crate::model::LoggedLimits;
use crate::report::{ListedGroup, ListedProblem, problem_table};
use crate::spec::{AnswerRequirement, JudgeFolder, Mistakes};
use crate::text::path_text;

#[derive(Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    format: PackageChoice,
    /// Print an array of objects, one for each problem, for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(list: &ListArgs, common: &GlobalOptions) -> CommandResult {
    let named = list.problems.named();
    let folder = common
        .folder_with(&named, &list.format)?
        .with_case_maker(None);
    let ids = list.problems.ids(&folder);
    let mut known = vec![];
    let mut mistakes = vec![];
    for id in &ids {
        known.extend(planning::checked(listed(&folder, id), &mut mistakes));
    }
    if list.json {
        let text = serde_json::to_string_pretty(&known).expect("plain data is JSON");
        screen::result(text)?;
    } else if !known.is_empty() {
        screen::result(problem_table(&known, screen::width()).trim_end())?;
    }
    if !screen::is_quiet() {
        let mut notes = package_notes::of_list(&folder.known(&ids));
        if named.is_empty() {
            notes.extend(package_notes::of_unrecognised(&folder));
        }
        notes.iter().for_each(screen::notice);
    }
    // The problems without mistakes are listed, whatever is wrong with the others.
    Ok(Mistakes::or(mistakes, CommandOutcome::AsExpected)?)
}

fn listed(folder: &JudgeFolder, id: &str) -> Result<ListedProblem, Mistakes> {
    let found = folder.find(id)?;
    let package = found.package().transpose()?;
    let problem = found.problem()?;
    // A problem that was just begun has no cases; `verify` reports that, `list` does
    // not.
    let cases = found.cases(AnswerRequirement::Optional).unwrap_or_default();
    let examples = found.examples().unwrap_or_default();
    let mut groups: IndexMap<&str, usize> = IndexMap::new();
    for case in &cases {
        *groups.entry(case.group()).or_default() += 1;
    }
    let groups = groups.into_iter().map(|(name, cases)| ListedGroup {
        name: name.to_owned(),
        cases,
    });
    let mut expectations = BTreeMap::new();
    for expected in examples
        .iter()
        .filter_map(|example| example.submission.expected.as_ref())
    {
        *expectations.entry(expected.to_string()).or_default() += 1;
    }
    Ok(ListedProblem {
        id: problem.id,
        name: problem.name,
        source: problem.source,
        format: package.as_ref().map(|package| package.format.name()),
        spec: path_text(found.shown_path(found.file())),
        limits: LoggedLimits::from(&problem.limits),
        time_is_measured: package
            .as_ref()
            .is_some_and(|package| package.is_measured()),
        submissions_are_answers: found.submissions_are_answers(),
        cases: cases.len(),
        groups: groups.collect(),
        submissions: examples.len(),
        not_judged: found.left_out().len(),
        expectations,
    })
}
