//! Which submissions `grade` and `plan` are about, as their command lines say:
//! programs, the examples of problems, or a contest's folder; and on which cases. Start
//! at [`SubmissionChoice::plan`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indexmap::IndexSet;

use crate::cli::{
    CommandError, GlobalOptions, KnownProofs, LogFile, PackageChoice, PlanDraft,
    StatusLine, contest, package_notes, planning, screen,
};
use crate::files;
use crate::model::{Case, Event, Expected, Verdict, group_of_case};
use crate::package::{self, WantedPackage};
use crate::run::Plan;
use crate::spec::{
    ContestEntries, JudgeFolder, Mistake, Mistakes, NamePattern, nearest,
};
use crate::text::{JoinedTexts, counted, path_text, shell_word};

#[derive(Args)]
pub(crate) struct SubmissionChoice {
    /// Programs: sources, or executables; or the folder of a contest,
    /// `<team>/<problem>@<minute>.<ext>`, or of a course. Without any, every example
    /// submission
    #[arg(value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,
    /// The problem
    /// [default: the one in whose folder a submission is, or that it is named after]
    ///
    /// Given several times, all these problems, each with the submissions that are for
    /// it.
    #[arg(short, long = "problem", value_name = "PROBLEM")]
    pub(crate) problems: Vec<String>,
    #[command(flatten)]
    pub(crate) format: PackageChoice,
    #[command(flatten)]
    cases: CaseFilter,
    /// Judge only what was not as expected in an older log
    #[arg(long, value_name = "LOG")]
    failed: Option<PathBuf>,
    /// Judge only the submissions in an older log, such as `merge --again` writes
    #[arg(long, value_name = "LOG", conflicts_with = "failed")]
    again: Option<PathBuf>,
    /// Judge nothing of a contest if any file in it cannot be judged, such as one for
    /// an unknown problem
    #[arg(long, help_heading = contest::HEADING)]
    strict: bool,
}

impl SubmissionChoice {
    /// The judge's folder, as far as the submissions need it.
    pub(crate) fn folder(
        &self,
        common: &GlobalOptions,
    ) -> Result<JudgeFolder, Mistakes> {
        // A contest is of several problems, and a hint about a missing file may be of
        // any.
        let open = if self.submissions.iter().all(|path| path.is_file()) {
            JudgeFolder::open_for
        } else {
            |root: &Path, _: &[&str]| JudgeFolder::open(root)
        };
        common.folder_opened_by(open, &self.problems, &self.format)
    }

    /// Leaves out of a plan what the command line does not choose: cases, and
    /// submissions by what became of them in an older log.
    ///
    /// # Errors
    /// If a case is unknown, or a log cannot be read.
    pub(crate) fn keep(
        &self,
        plan: &mut Plan,
        folder: &JudgeFolder,
    ) -> Result<(), CommandError> {
        self.cases.keep(plan, folder)?;
        let Some(path) = self.failed.as_ref().or(self.again.as_ref()) else {
            return Ok(());
        };
        // Whether what the log tells of is to be judged.
        let mut known = BTreeMap::new();
        let mut is_whole = false;
        LogFile::open(path)?.read(|event| match event {
            Event::SubmissionFinished(summary) => {
                let is_wanted = self.again.is_some() || !summary.is_as_expected();
                known.insert((summary.problem, summary.submission), is_wanted);
            }
            Event::SubmissionSkipped(skip) => {
                known.insert((skip.problem, skip.submission), true);
            }
            Event::SuiteFinished(_) => is_whole = true,
            _ => {}
        })?;
        let mut here = 0;
        plan.entries.retain(|entry| {
            let name = (
                entry.problem.id.as_str().into(),
                entry.submission.name.as_str().into(),
            );
            let is_wanted = known.get(&name).copied();
            here += usize::from(is_wanted == Some(true));
            // What a judge did not reach was not as expected either.
            is_wanted.unwrap_or(!is_whole && self.failed.is_some())
        });
        plan.is_part = true;
        let wanted = known.values().filter(|is_wanted| **is_wanted).count();
        if here < wanted {
            let all = counted(wanted, "submission");
            let found = format!("{here} of its {all} to judge here");
            if plan.entries.is_empty() {
                let remedy =
                    "name the programs or the contest as when the log was written";
                return Mistake::refuse(path, found, remedy);
            }
            screen::notice(format_args!("{}: {found}", path.display()));
        }
        if !is_whole {
            let more = plan.entries.len() - here;
            let path = path.display();
            screen::notice(format_args!(
                "{path}: the log is incomplete: it ends before the judging does; submissions \
                 that it does not have: {more} to judge"
            ));
        }
        Ok(())
    }

    /// Notes on packages. Examples that are left out are noted only if no submission
    /// was named.
    pub(crate) fn notes(&self, folder: &JudgeFolder, plan: &Plan) -> Vec<String> {
        let problems = package_notes::problems_of(folder, plan);
        let each = || problems.iter().copied();
        let mut notes: Vec<_> = each()
            .filter_map(package_notes::note_on_default_limit)
            .chain(each().flat_map(package_notes::notes_on_paired_cases))
            .chain(each().filter_map(package_notes::note_on_slips))
            .collect();
        if self.submissions.is_empty() {
            notes.extend(each().filter_map(package_notes::note_on_left_out));
            if self.problems.is_empty() {
                notes.extend(package_notes::of_unrecognised(folder));
            }
        }
        notes
    }

    /// Whether an older log says which submissions to judge.
    pub(crate) fn has_older_log(&self) -> bool {
        self.failed.is_some() || self.again.is_some()
    }

    /// A plan of the named submissions, or of all examples if none was named.
    pub(crate) fn plan(
        &self,
        folder: &JudgeFolder,
        proofs: &KnownProofs<'_>,
    ) -> Result<Plan, Mistakes> {
        let status = StatusLine::start("reading the cases");
        let paths = &self.submissions[..];
        let only: Vec<_> = self
            .problems
            .iter()
            .map(|named| folder.id_of(named).to_owned())
            .collect();
        let of_contest = match paths {
            [] => {
                let ids = match &self.problems[..] {
                    [] => folder.ids().map(str::to_owned).collect(),
                    named => named.to_vec(),
                };
                let mut draft = PlanDraft::default();
                for subject in planning::subjects(folder, &ids, proofs, &status)? {
                    draft.add_examples(&subject);
                }
                let plan = draft.finish()?;
                if plan.entries.is_empty() {
                    return Mistake::refuse(
                        &folder.config.problems,
                        "there are no example submissions",
                        "name a program to grade, or put examples into `submissions/accepted/` of a problem",
                    );
                }
                return Ok(plan);
            }
            [path] if planning::is_answer(folder, path, self.only_problem()) => None,
            [path]
                if is_package(path)
                    && (self.problems.is_empty() || path.is_file()) =>
            {
                return refuse_package(path);
            }
            [path] if path.is_dir() => {
                Some(ContestEntries::read(folder, path, &only)?)
            }
            paths => ContestEntries::of_files(folder, paths, &only)?,
        };
        match of_contest {
            Some(entries) => contest::plan(folder, entries, self.strict, proofs),
            None => planning::submissions(folder, paths, &self.problems, proofs),
        }
    }

    /// The problem of all submissions, if only one is named.
    pub(crate) fn only_problem(&self) -> Option<&str> {
        match &self.problems[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Refuses a package in place of a submission. An archive may also be a program that
/// was packed, or a course as Moodle exports it.
fn refuse_package(path: &Path) -> Result<Plan, Mistakes> {
    let of_package = format!(
        "to judge its own submissions, write `-p {0}`; for one of yours, `-p {0} FILE`",
        path.display()
    );
    if path.is_dir() {
        let message = "is the package of a problem, and no submission";
        return Mistake::refuse(path, message, of_package);
    }
    let course = shell_word(&path_text(path.with_extension("")));
    Mistake::refuse(
        path,
        "is an archive, and no program",
        format!(
            "if it is the package of a problem, {of_package}; if it is homework, unpack it into a folder and judge that: \
             `gridjudge grade {course} -p PROBLEM`"
        ),
    )
}

/// Whether a path is that of a package. Users easily name one in place of a submission.
/// Cases in the folder itself make it none here: teams may hand in theirs.
fn is_package(path: &Path) -> bool {
    package::is_archive(path)
        || package::found_package_file(
            path,
            &WantedPackage::Any,
            files::DEFAULT_MOST_FILES,
        )
        .is_some_and(|file| {
            file.parent() == Some(path) && !package::is_of_cases(&file)
        })
}

// Filters the cases of a plan by name and group.

/// Which cases to judge; by default all.
#[derive(Args)]
struct CaseFilter {
    /// Only cases of this name; `*` and `?` stand for anything but `/`. May be given
    /// several times
    #[arg(long = "case", value_name = "GLOB")]
    names: Vec<String>,
    /// Only cases of this group, for example `sample`. May be given several times
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
}

impl CaseFilter {
    /// Removes all cases from a plan except the chosen ones, and all submissions that
    /// are left without cases.
    ///
    /// # Errors
    /// A mistake for each name and each group that no case has, or if no case has both.
    fn keep(&self, plan: &mut Plan, folder: &JudgeFolder) -> Result<(), Mistakes> {
        if self.names.is_empty() && self.groups.is_empty() {
            return Ok(());
        }
        plan.is_part = true;
        let patterns = self.patterns(folder)?;
        self.mistakes(plan, folder, &patterns)?;
        // Submissions to one problem share its list of cases, and share the filtered
        // one.
        let mut kept: BTreeMap<String, Arc<[Case]>> = BTreeMap::new();
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
            // An executable may be refused only because a case needs the source; that
            // case may be gone now.
            if entry.language.is_none() && !entry.judges_source() {
                entry.language_refusal = None;
            }
            if entry.cases.len() < all
                && let Some(expected) = &mut entry.submission.expected
            {
                // The case that fails may be left out.
                let verdicts = expected.verdicts().iter().copied();
                *expected = Expected::one_of(verdicts.chain([Verdict::Accepted]));
            }
        }
        plan.entries.retain(|entry| !entry.cases.is_empty());
        if plan.entries.is_empty() {
            let message = "no case is of a group and of a name that were chosen";
            return Err(Mistake::about_file(&folder.config.cases, message).into());
        }
        Ok(())
    }

    fn patterns(&self, folder: &JudgeFolder) -> Result<Vec<NamePattern>, Mistakes> {
        Mistakes::of_all(self.names.iter().map(|text| {
            NamePattern::new(text).map_err(|why| {
                Mistake::about_file(&folder.config.cases, format!("`{text}` {why}"))
                    .into()
            })
        }))
    }

    fn wants(&self, name: &str, patterns: &[NamePattern]) -> bool {
        let of_group = self.groups.is_empty()
            || self
                .groups
                .iter()
                .any(|wanted| group_of_case(name) == wanted);
        of_group
            && (patterns.is_empty()
                || patterns.iter().any(|pattern| is_named(name, pattern)))
    }

    fn mistakes(
        &self,
        plan: &Plan,
        folder: &JudgeFolder,
        patterns: &[NamePattern],
    ) -> Result<(), Mistakes> {
        let mut names = IndexSet::new();
        let mut groups = IndexSet::new();
        for entry in &plan.entries {
            for case in entry.cases.iter() {
                names.insert(case.name.as_str());
                groups.insert(group_of_case(&case.name));
            }
        }
        let of = |message: String, remedy| Mistake {
            remedy,
            ..Mistake::about_file(&folder.config.cases, message)
        };
        let mut mistakes = vec![];
        for pattern in patterns {
            if names.iter().any(|name| is_named(name, pattern)) {
                continue;
            }
            let text = pattern.text();
            // A name that exists shows how cases are named if no name is similar.
            let meant = near(text, names.iter().copied()).or_else(|| {
                let name = names.iter().next()?;
                Some(format!(
                    "name it as `{name}`, or by a part of that with `*` and `?`"
                ))
            });
            mistakes.push(of(format!("no case is named `{text}`"), meant));
        }
        for group in &self.groups {
            if groups.contains(group.as_str()) {
                continue;
            }
            let meant = near(group, groups.iter().copied()).unwrap_or_else(|| {
                format!("known: {}", groups.iter().copied().joined(", "))
            });
            mistakes.push(of(format!("there is no group `{group}`"), Some(meant)));
        }
        Mistakes::refuse(mistakes)
    }
}

fn near<'a>(
    found: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<String> {
    let short = names
        .clone()
        .map(|name| name.rsplit('/').next().unwrap_or(name));
    // The group is often left out, so the part after it counts, too.
    let meant = nearest(found, names).or_else(|| nearest(found, short))?;
    Some(format!("did you mean `{meant}`?"))
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
