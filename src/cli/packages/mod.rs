//! Checks packages for `verify`, beside judging their submissions: requirements of the
//! format on files, languages of the submissions, validity of inputs, and the verdicts
//! of outputs in the package. Makes one list for each package, surprises first. Of
//! other problems it only tries to compile programs that no submission needs. Start at
//! [`PackageChecks::for_proven`].

mod case_files;
pub(super) mod check_list;
mod inputs;
pub(super) mod package_notes;
pub(super) mod package_page;
pub(super) mod package_tools;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use gridjudge_sandbox::{Fault, again_if_lost};

use crate::checker::CheckerSetup;
use crate::cli::{
    CheckFinding, CheckList, CommandError, CommandOutcome, JudgeSession, MadeTool,
    ProblemCases, ProvenProblems, StatusLine, ToolMaker, screen,
};
use crate::compile::PrepareFailure;
use crate::model::{Findings, MistakeRecord, ProblemCheck, Task, Verdict};
use crate::package::{ExampleOutput, Package, RemarkKind, TimeRule};
use crate::spec::{ExampleSubmission, JudgeFolder, ProblemFolder};
use crate::text::counted;
use crate::{check, checker};

/// The packages to check, and other problems with programs that no submission tries.
#[derive(Default)]
pub(crate) struct PackageChecks<'a> {
    problems: Vec<CheckedProblem<'a>>,
}

/// A problem, and what its checks need.
struct CheckedProblem<'a> {
    subject: &'a ProblemCases,
    /// The package that it is, if it is one.
    package: Option<Arc<Package>>,
    /// The mistakes in it.
    mistakes: &'a [CheckFinding],
    /// Whether submissions are judged, which need all programs that judge.
    is_judged: bool,
    /// Whether files of cases are odd in a problem that is no package. Files of grids
    /// are checked as grids.
    has_odd_files: bool,
}

impl<'a> PackageChecks<'a> {
    /// The checks of these problems.
    pub(crate) fn for_proven(proven: &'a ProvenProblems) -> Self {
        let checked = proven.subjects.iter().map(|(subject, mistakes)| {
            let problem = &subject.problem;
            let package = subject.found.readable_package();
            let mut entries = proven.plan.entries.iter();
            CheckedProblem {
                subject,
                has_odd_files: package.is_none()
                    && problem.task.as_grid().is_none()
                    && case_files::are_odd(problem, &subject.cases),
                package,
                mistakes,
                is_judged: entries.any(|entry| entry.problem.id == problem.id),
            }
        });
        Self {
            problems: checked
                .filter(|checked| {
                    checked.package.is_some()
                        || !checked.is_judged
                            && checked.subject.programs.iter().next().is_some()
                        || checked.has_odd_files
                })
                .collect(),
        }
    }

    /// Whether there is nothing to check.
    pub(crate) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether there are packages.
    pub(crate) fn have_packages(&self) -> bool {
        self.problems
            .iter()
            .any(|checked| checked.package.is_some())
    }

    /// The rules by which time limits follow from times, of the packages whose format
    /// has one, by problem.
    pub(crate) fn time_rules(&self) -> BTreeMap<String, TimeRule> {
        self.problems
            .iter()
            .filter_map(|checked| {
                let package = checked
                    .package
                    .as_ref()
                    .filter(|package| !package.submissions_are_answers)?;
                Some((checked.subject.problem.id.clone(), package.time_rule()?))
            })
            .collect()
    }

    /// Checks each problem, and shows what was found. Returns whether there are
    /// mistakes or errors, and these and the warnings for the log.
    ///
    /// # Errors
    /// If the judge itself failed.
    pub(crate) fn run(
        &self,
        session: &JudgeSession,
        folder: &JudgeFolder,
    ) -> Result<(CommandOutcome, Vec<MistakeRecord>), CommandError> {
        let mut records = vec![];
        let _running = session.close_on_cancel();
        let mut outcome = CommandOutcome::AsExpected;
        for checked in &self.problems {
            let status = StatusLine::start("checking the package");
            let found = checked.run(session, &status);
            drop(status);
            // After a cancellation, an error is caused by it and not reported.
            if session.cancel.is_cancelled() {
                return Ok((CommandOutcome::Interrupted, records));
            }
            let list = found?;
            outcome = outcome.max(list.outcome());
            records.extend(list.records(&checked.subject.found.id, folder));
            let kind = if checked.package.is_some() {
                "package"
            } else {
                "problem"
            };
            let heading = format!("The {kind} {}", checked.subject.problem.id);
            let written = list.show(&heading, "", "\n");
            screen::unless_closed(written, "writing what was checked")?;
        }
        Ok((outcome, records))
    }
}

impl CheckedProblem<'_> {
    fn run(
        &self,
        session: &JudgeSession,
        status: &StatusLine,
    ) -> Result<CheckList, CommandError> {
        let mut list = CheckList::default();
        let place = &self.subject.found;
        let spec = place.shown_path(place.file());
        let root = spec.parent().unwrap_or(&spec);
        for mistake in self.mistakes {
            list.mistake(mistake, root);
        }
        if !self.is_judged {
            check_programs(self.subject, session, &mut list)?;
        }
        let Some(package) = &self.package else {
            if self.has_odd_files {
                case_files::check_case_files(self.subject, None, &mut list);
            }
            return Ok(list);
        };
        let of_format = |text: &str| {
            CheckFinding::about(ProblemCheck::Format, &package.file, text.to_owned())
        };
        for violation in package.remarks.messages(RemarkKind::Violation) {
            list.error(of_format(violation));
        }
        // These do not affect judging.
        for remark in [package.deviations(), package.disagreements()].concat() {
            list.warning(of_format(remark));
        }
        if let Some(odd) = package.odd_name(&place.id) {
            list.warning(of_format(&odd));
        }
        for what in package.ignored() {
            if !package.remarks.says(RemarkKind::Deviation, what) {
                list.ignored(what.to_owned());
            }
        }
        check_languages(place, package, &mut list);
        case_files::check_case_files(self.subject, Some(package), &mut list);
        let maker = ToolMaker {
            found: place,
            package,
            session,
        };
        inputs::check_inputs(self.subject, &maker, status, &mut list)?;
        if package.mistakes().is_empty() && !self.subject.lacks_program() {
            check_outputs(self.subject, &maker, &mut list)?;
        }
        Ok(list)
    }
}

// Checks that some of a package's submissions are in a language that the package
// accepts. Otherwise no submission is judged, so no verdict could differ from the
// expected one.

/// Adds an error if no submission, or no accepted submission, is in an accepted
/// language.
fn check_languages(found: &ProblemFolder, package: &Package, list: &mut CheckList) {
    let Some(permitted) = &package.languages else {
        return;
    };
    let all = found.examples().unwrap_or_default();
    // Submissions in languages that this judge does not know may be in an accepted one.
    if package.submissions_are_answers
        || all.is_empty()
        || !found.left_out().is_empty()
    {
        return;
    }
    let right: Vec<_> = all
        .iter()
        .filter(|one| one.submission.must_be_accepted())
        .collect();
    let is_refused = |one: &ExampleSubmission| {
        let language = found.language_of(&one.submission.path);
        language.is_some_and(|language| found.language_refusal(&language).is_some())
    };
    let which = if all.iter().all(is_refused) {
        "submission"
    } else if !right.is_empty() && right.iter().all(|one| is_refused(one)) {
        "accepted submission"
    } else {
        return;
    };
    let permitted = permitted.join(", ");
    let text = format!(
        "no {which} is in a language of `languages` ({permitted}), so none is judged: add a \
         submission in one of them, or the language of yours to `languages`"
    );
    list.error(CheckFinding::about(
        ProblemCheck::Languages,
        &package.file,
        text,
    ));
}

// Compiles the programs of a problem that judge, if no submission is judged that would
// need them.

/// Compiles every program that judges.
fn check_programs(
    subject: &ProblemCases,
    session: &JudgeSession,
    list: &mut CheckList,
) -> Result<(), Fault> {
    let mut made = 0_u64;
    for program in subject.programs.all_in_order() {
        let path = &program.tool.source.path;
        let name = path
            .strip_prefix(subject.found.folder())
            .unwrap_or(path)
            .display();
        let kind = program.kind.name();
        let found = |text| CheckFinding::about(ProblemCheck::Programs, path, text);
        match session.compile_tool(&program.tool) {
            Ok(_) => made += 1,
            Err(PrepareFailure::Refused(refusal)) => {
                let why = refusal.in_words();
                list.error(found(format!("the {kind} {name} cannot be made: {why}")));
            }
            Err(PrepareFailure::Unavailable(unusable)) => {
                let why = unusable.cause;
                list.warning(found(format!("the {kind} {name} is not made: {why}")));
            }
            Err(PrepareFailure::Faulted(fault)) => return Err(fault),
        }
    }
    if made > 0 {
        list.good(format!(
            "{} made that no submission tries",
            counted(made, "judging program")
        ));
    }
    Ok(())
}

// Checks that example outputs that a package calls right or wrong are judged
// accordingly, in the same way as outputs of submissions.

/// Judges the outputs of `data/invalid_output` and `data/valid_output`, those that
/// statements show, and the tests of a checker.
fn check_outputs(
    subject: &ProblemCases,
    maker: &ToolMaker<'_>,
    list: &mut CheckList,
) -> Result<(), Fault> {
    let package = maker.package;
    let validation = &package.validation;
    let outputs: Vec<_> = validation
        .outputs
        .iter()
        .chain(&validation.other_outputs)
        .collect();
    if outputs.is_empty() {
        return Ok(());
    }
    let mut checker = None;
    if let Some(program) = &subject.programs.checker {
        match maker.session.compile_tool(&program.tool) {
            Ok(tool) => checker = Some(tool),
            Err(failure) => {
                let why = failure.why()?;
                let text = format!(
                    "outputs are not judged, for the output validator cannot run: {why}"
                );
                let check = ProblemCheck::Outputs;
                list.warning(CheckFinding::about(check, &package.file, text));
                return Ok(());
            }
        }
    }
    let mut surprises = 0;
    for output in &outputs {
        let what = match judged(subject, checker.as_ref(), output, maker) {
            Ok(findings) => surprise(output, &findings),
            // A failing checker or an unreadable file is an error of the package, not
            // of the judge.
            Err(fault) => Some(format!("cannot be judged: {fault}")),
        };
        let Some(what) = what else { continue };
        surprises += 1;
        let path = &output.output;
        let name = package.name_of(path).unwrap_or(&output.case.name);
        let told = CheckFinding::in_file(ProblemCheck::Outputs, path, name, what);
        // Many packages keep something else in the answers of samples, and no verdict
        // depends on that.
        if *path == output.case.answer {
            list.warning(told);
        } else {
            list.error(told);
        }
    }
    if surprises == 0 {
        list.good(format!(
            "{} judged as the package says",
            counted(outputs.len(), "output")
        ));
    }
    Ok(())
}

fn judged(
    subject: &ProblemCases,
    checker: Option<&MadeTool>,
    output: &ExampleOutput,
    maker: &ToolMaker<'_>,
) -> Result<Findings, Fault> {
    let open = |path: &Path| File::open(path).map_err(Fault::at("reading", path));
    let name = &output.case.name;
    let package = &maker.package;
    let task = package
        .validation
        .tasks
        .get(name)
        .or_else(|| package.case_tasks.get(name))
        .unwrap_or(&subject.problem.task);
    if let (Task::Checker(task), Some(tool)) = (task, checker) {
        // With points: the example is in no group, so it may get those of any; the last
        // group is used.
        let worth = subject
            .problem
            .scoring
            .groups
            .last()
            .map(|group| group.case);
        let setup = CheckerSetup::new(task, &tool.program, &output.case, worth);
        return again_if_lost(|| {
            let mut found = open(&output.output)?;
            checker::check_output(&setup, &mut found, maker.session.sandbox())
        });
    }
    let found = open(&output.output)?;
    let input = open(&output.case.input)?;
    let answer = open(&output.case.answer)?;
    check::output(task, input, found, Some(answer))
        .map_err(Fault::at("checking", &output.output))
}

/// The verdict of an output in words, if it is not what the package says.
fn surprise(output: &ExampleOutput, findings: &Findings) -> Option<String> {
    let is_right = findings.verdict() == Verdict::Accepted;
    match (output.is_right, is_right) {
        (true, false) => {
            let why = findings
                .listed
                .first()
                .map_or("", |finding| &finding.message);
            Some(format!("must be accepted, and is wrong: {why}"))
        }
        (false, true) => Some("must be wrong, and is accepted".to_owned()),
        _ => None,
    }
}
