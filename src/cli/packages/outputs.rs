//! Checks that example outputs that a package calls right or wrong are judged
//! accordingly, in the same way as outputs of submissions.

use std::fs::File;
use std::path::Path;

use gridjudge_sandbox::{Fault, again_if_lost};

use crate::cli::{CheckFinding, CheckList, MadeTool, ProblemCases, ToolMaker, usable};
use crate::model::{Findings, ProblemCheck, Task, Verdict};
use crate::package::{ExampleOutput, Package};
use crate::text::counted;
use crate::{check, checker};

/// Judges the outputs of `data/invalid_output` and `data/valid_output`, those that
/// statements show, and the tests of a checker.
pub(super) fn check_outputs(
    subject: &ProblemCases,
    maker: &ToolMaker<'_>,
    list: &mut CheckList,
) -> Result<(), Fault> {
    let validation = &maker.package.validation;
    let outputs: Vec<_> = validation
        .outputs
        .iter()
        .chain(&validation.other_outputs)
        .collect();
    if outputs.is_empty() {
        return Ok(());
    }
    let checker = match subject
        .programs
        .checker
        .as_deref()
        .map(|checker| maker.session.compile(checker.program_source()))
        .transpose()?
        .map(usable)
    {
        Some(Err(problem)) => {
            let why = problem.why();
            let text = format!(
                "outputs are not judged, for the output validator cannot run: {why}"
            );
            list.warning(CheckFinding::about(
                ProblemCheck::Outputs,
                &maker.package.file,
                text,
            ));
            return Ok(());
        }
        made => made.and_then(Result::ok),
    };
    let mut surprises = 0;
    for output in &outputs {
        let what = match judged(subject, checker.as_ref(), output, maker) {
            Ok(findings) => surprise(output, &findings),
            // A failing checker or an unreadable file is an error of the package, not
            // of the judge.
            Err(fault) => Some(format!("cannot be judged: {fault}")),
        };
        if let Some(what) = what {
            surprises += 1;
            list_surprise(output, what, maker.package, list);
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

fn list_surprise(
    output: &ExampleOutput,
    what: String,
    package: &Package,
    list: &mut CheckList,
) {
    let name = package.name_of(&output.output).unwrap_or(&output.case.name);
    let told = CheckFinding::in_file(ProblemCheck::Outputs, &output.output, name, what);
    // Many packages keep something else in the answers of samples, and no verdict
    // depends on that.
    if output.output == output.case.answer {
        list.warning(told);
    } else {
        list.error(told);
    }
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
    let own = package
        .validation
        .tasks
        .get(name)
        .or_else(|| package.case_tasks.get(name));
    let task = own.unwrap_or(&subject.problem.task);
    if let (Task::Checker(task), Some(tool)) = (task, checker) {
        let sandbox = maker.session.sandbox();
        // With points: the example is in no group, so it may get those of any; the last
        // group is used.
        let worth = subject
            .problem
            .scoring
            .groups
            .last()
            .map(|group| group.case);
        return again_if_lost(|| {
            let mut found = open(&output.output)?;
            checker::check_output(
                task,
                &tool.program,
                &output.case,
                worth,
                None,
                &mut found,
                sandbox,
            )
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
