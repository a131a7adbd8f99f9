//! Checks packages for `verify`, beside judging their submissions: requirements of the format on files,
//! languages of the submissions, validity of inputs, and the verdicts of outputs in the package. Makes one
//! list for each package, surprises first. Start at [`PackageChecks::of`].

mod case_files;
mod check_list;
mod inputs;
mod languages;
mod outputs;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::exit::CommandError;
use crate::cli::screen;
use crate::cli::session::judge_session::JudgeSession;
use crate::cli::session::package_tools::ToolMaker;
use crate::cli::session::plan_entry::ProblemCases;
use crate::cli::status_line::StatusLine;
use crate::package::Package;
use crate::package::TimeRule;
use crate::spec::JudgeFolder;
pub(crate) use check_list::CheckList;

/// The packages to check.
#[derive(Default)]
pub(crate) struct PackageChecks<'a> {
    packages: Vec<CheckedPackage<'a>>,
}

/// A package, and what its checks need.
struct CheckedPackage<'a> {
    folder: &'a JudgeFolder,
    subject: &'a ProblemCases,
    package: Arc<Package>,
}

impl<'a> PackageChecks<'a> {
    /// The packages among these problems.
    pub(crate) fn of(folder: &'a JudgeFolder, subjects: &'a [ProblemCases]) -> Self {
        let packages = subjects.iter().filter_map(|subject| {
            let package = folder.package(&subject.problem.id)?.ok()?;
            Some(CheckedPackage { folder, subject, package })
        });
        Self { packages: packages.collect() }
    }

    /// Whether there is nothing to check.
    pub(crate) fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// The rules by which time limits follow from times, of the packages whose format has one, by problem.
    pub(crate) fn time_rules(&self) -> BTreeMap<String, TimeRule> {
        let rules = self.packages.iter().filter(|checked| !checked.package.submissions_are_answers);
        let of_one = |checked: &CheckedPackage<'_>| {
            Some((checked.subject.problem.id.clone(), checked.package.time_rule()?))
        };
        rules.filter_map(of_one).collect()
    }

    /// Checks each package, and shows what was found. Returns whether there are errors.
    ///
    /// # Errors
    /// If the judge itself failed.
    pub(crate) fn run(
        &self,
        session: &JudgeSession,
        common: &GlobalOptions,
        cancel: &CancelToken,
        stdout_is_taken: bool,
    ) -> Result<bool, CommandError> {
        let _running = session.close_on_cancel(cancel);
        let mut is_wrong = false;
        for checked in &self.packages {
            let status = StatusLine::start(common, "checking the package");
            let found = checked.run(session, cancel, &status);
            drop(status);
            // After a cancellation, an error is caused by it and not reported.
            if cancel.is_cancelled() {
                return Ok(false);
            }
            let list = found?;
            is_wrong |= list.is_wrong();
            if let Some(page) = list.page(&checked.heading(), common.quiet) {
                let written = writeln!(screen::results(stdout_is_taken), "{}\n", page.trim_start());
                screen::unless_closed(written, "writing what was checked")?;
            }
        }
        Ok(is_wrong)
    }
}

impl CheckedPackage<'_> {
    fn heading(&self) -> String {
        format!("The package {}", self.subject.problem.id)
    }

    fn run(
        &self,
        session: &JudgeSession,
        cancel: &CancelToken,
        status: &StatusLine,
    ) -> Result<CheckList, CommandError> {
        let mut list = CheckList::default();
        self.package.violations.iter().for_each(|found| list.error(found.clone()));
        // These remarks do not affect judging.
        let remarks = self.package.remarks.iter().chain(&self.package.disagreements);
        remarks.for_each(|remark| list.warning(remark.clone()));
        languages::check(self.folder, &self.subject.problem.id, &self.package, &mut list);
        let cases: Vec<_> = self.package.run_cases().cloned().collect();
        case_files::check(&cases, &self.package.supplies, &mut list);
        let maker = ToolMaker { folder: self.folder, package: &self.package, session };
        inputs::check(self.subject, &maker, cancel, status, &mut list)?;
        outputs::check(self.subject, &maker, &mut list)?;
        Ok(list)
    }
}
