//! Tools for problem setters, which generate cases, measure how strong cases are, and
//! search for inputs on which programs fail. Commands that support grids only ask
//! [`grids_of`] for them. Where the judge has no solver, [`write_answer`] writes
//! answers with a model solution: it runs in the sandbox under the problem's limits,
//! like every submission, and again if the machine may be to blame.

pub mod generate;
pub mod strength;
pub mod stress;

use std::io::{self, Write};

use gridjudge_sandbox::{Fault, Input, Limits, Sandbox, again_if_lost};

use crate::model::{self, Case, GridTask, Problem, Program, Task, Trial, Verdict};
use crate::run::PlanEntry;
use crate::spec::{Mistake, Mistakes};

/// Returns the grid task of a problem, for a command that supports no other task.
///
/// # Errors
/// A mistake if the problem has another task.
pub fn grids_of<'p>(
    problem: &'p Problem,
    command: &str,
) -> Result<&'p GridTask, Mistakes> {
    problem.task.as_grid().ok_or_else(|| {
        let other = match &problem.task {
            Task::Checker(_) if problem.task.is_interactive() => {
                "this problem is interactive"
            }
            Task::Checker(_) => "outputs of this one are judged by a program",
            Task::Text(_) | Task::Grid(_) => "this one asks for a text",
        };
        let message =
            format!("`gridjudge {command}` needs a problem of grids, and {other}");
        let remedy = "write its cases by hand, or by a program of your own";
        Mistake::new(&problem.id, message, remedy).into()
    })
}

/// Like [`grids_of`], for a command that does not support grids that each bring a map
/// of their own.
///
/// # Errors
/// A mistake if the problem has another task, or its grids bring maps.
pub fn grids_of_one_map<'p>(
    problem: &'p Problem,
    command: &str,
) -> Result<&'p GridTask, Mistakes> {
    let task = grids_of(problem, command)?;
    if task.brings_maps() {
        let message = format!(
            "`gridjudge {command}` does not support grids that bring a map of their own"
        );
        let remedy =
            "make cases with `gridjudge generate`, or by a program of your own";
        return Mistake::refuse(&problem.id, message, remedy);
    }
    Ok(task)
}

/// Runs a model solution on the input of a case, and writes its output to `answer`. If
/// it gives none, returns why, in words; `answer` may then hold part of an output and
/// must not be used.
///
/// # Errors
/// Returns a [`Fault`] if the judge failed.
pub fn write_answer(
    entry: &PlanEntry,
    program: &Program,
    case: &Case,
    sandbox: &dyn Sandbox,
    mut answer: impl Write,
) -> Result<Option<String>, Fault> {
    let limits = entry.limits();
    let launch = program.on_case(
        &entry.problem,
        &case.name,
        Input::CopyOf(case.input.clone()),
    );
    let mut printed = None;
    let mut judge_within = |slack: &Limits| {
        let run = again_if_lost(|| sandbox.run(&launch, slack))?;
        let breach = model::verdict_of_breach(&run, &limits);
        let verdict = breach.unwrap_or(Verdict::Accepted);
        let trial =
            Trial::new(verdict, run.exit, run.usage).within_time_limit(&limits);
        if trial.verdict == Verdict::Accepted {
            printed = Some(run);
        }
        Ok::<_, Fault>(trial)
    };
    let mut trial = judge_within(&limits.for_first_run())?;
    if trial.is_doubtful(&limits) {
        let alone = limits.for_run_alone();
        let settled = trial.settled(&limits, || judge_within(&alone))?;
        trial = settled.0;
    }
    let mut run = match printed {
        Some(run) if trial.verdict == Verdict::Accepted => run,
        _ => {
            let verdict = trial.verdict;
            return Ok(Some(format!("{verdict} ({})", verdict.meaning())));
        }
    };
    if let (Some(_), Some(name)) =
        (run.missing_output, &entry.problem.file_streams.output)
    {
        return Ok(Some(format!("it leaves no file `{name}` with its output")));
    }
    let written = io::copy(&mut run.stdout, &mut answer).and_then(|_| answer.flush());
    Ok(written
        .err()
        .map(|error| format!("cannot be written: {error}")))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use gridjudge_sandbox::{Run, ScriptedSandbox, Usage};

    use super::*;
    use crate::run::tests::SuiteFixture;

    /// Runs a solution that takes one of these shares of its time limit each time, in
    /// hundredths, and prints which.
    fn answer(percents: &[u32]) -> Result<String, String> {
        let fixture = SuiteFixture::with_cases(1);
        let entry = fixture.plan(&["s"]).entries.remove(0);
        let cpu = entry.limits().cpu;
        let runs = AtomicUsize::new(0);
        let sandbox = ScriptedSandbox::new(|_, _| {
            let percent = percents[runs.fetch_add(1, Ordering::Relaxed)];
            let usage = Usage {
                cpu: cpu * percent / 100,
                ..Usage::default()
            };
            Ok(Run {
                usage,
                ..ScriptedSandbox::clean(percent.to_string())
            })
        });
        let program = Program {
            command: vec!["s".into()],
            environment: vec![],
            readable: vec![],
            entry_point: String::new(),
        };
        let mut answer = vec![];
        let case = &entry.cases[0];
        let written = write_answer(&entry, &program, case, &sandbox, &mut answer);
        assert_eq!(runs.into_inner(), percents.len());
        if let Some(why) = written.unwrap() {
            return Err(why);
        }
        Ok(String::from_utf8(answer).unwrap())
    }

    #[test]
    fn a_solution_that_a_busy_machine_slows_is_run_again_and_answers() {
        assert_eq!(answer(&[100]).unwrap(), "100");
        assert_eq!(answer(&[149, 99]).unwrap(), "99");
        assert_eq!(answer(&[149, 124, 110, 99]).unwrap(), "99");
    }

    #[test]
    fn a_solution_that_is_too_slow_each_time_has_no_answer() {
        let too_slow = "TLE (time limit exceeded)";
        assert_eq!(answer(&[151]).unwrap_err(), too_slow);
        assert_eq!(answer(&[149, 126]).unwrap_err(), too_slow);
        assert_eq!(answer(&[101; 5]).unwrap_err(), too_slow);
    }
}
