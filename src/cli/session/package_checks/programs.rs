//! Compiles the programs of a problem that judge, if no submission is judged that would need them.

use std::iter;
use std::path::Path;

use crate::cli::session::check_finding::CheckFinding;
use crate::cli::session::judge_session::JudgeSession;
use crate::cli::session::package_checks::check_list::CheckList;
use crate::cli::session::package_tools::{ToolProblem, usable};
use crate::cli::session::plan_entry::ProblemCases;
use crate::model::ProblemCheck;
use crate::run::PlannedChecker;
use crate::text::counted;
use gridjudge_sandbox::Fault;

/// Whether a problem has a program that judges.
pub(super) fn are_there(subject: &ProblemCases) -> bool {
    programs(subject).next().is_some()
}

/// Compiles every program that judges. `root` is the folder of the problem.
pub(super) fn check(
    subject: &ProblemCases,
    root: &Path,
    session: &JudgeSession,
    list: &mut CheckList,
) -> Result<(), Fault> {
    let mut made = 0_u64;
    for program in programs(subject) {
        let path = &program.source.path;
        let name = path.strip_prefix(root).unwrap_or(path).display();
        let kind = program.kind.name();
        let found = |text| CheckFinding::about(ProblemCheck::Programs, path, text);
        match usable(session.compile(program.program_source())?) {
            Ok(_) => made += 1,
            Err(ToolProblem::Wrong(why)) => {
                list.error(found(format!("the {kind} {name} cannot be made: {why}")));
            }
            Err(ToolProblem::Missing(why)) => {
                list.warning(found(format!("the {kind} {name} is not made: {why}")));
            }
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

/// The programs of a problem that judge, with those that run after them.
fn programs(subject: &ProblemCases) -> impl Iterator<Item = &PlannedChecker> {
    let first = [&subject.checker, &subject.grader, &subject.static_validator];
    first
        .into_iter()
        .filter_map(Option::as_deref)
        .flat_map(|program| {
            iter::successors(Some(program), |program| program.final_checker.as_deref())
        })
}
