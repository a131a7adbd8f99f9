//! Searches for a failing input of a problem whose inputs a generator program writes, and shows it.

use crate::authoring::stress::{
    FailingInput, FuzzTarget, FuzzTargets, GeneratedHarness, GeneratedInput, size_of_text,
};
use crate::cli::commands::stress::found::FoundFailure;
use crate::cli::commands::stress::made_programs::{MadePrograms, MadeSubmission, Uncompiled};
use crate::cli::commands::stress::program_inputs::ProgramInputs;
use crate::cli::commands::stress::request::StressRequest;
use crate::cli::commands::stress::search::InputSearch;
use crate::cli::commands::stress::search_sandbox::SearchSandbox;
use crate::cli::commands::stress::{found, search};
use crate::cli::exit::{CommandError, CommandOutcome};
use crate::cli::screen;
use crate::cli::session::judge_session::JudgeSession;
use crate::run::PlanEntry;
use gridjudge_sandbox::Fault;

/// One call of `stress` for a problem that is not of grids.
pub(super) struct ProgramSession<'a> {
    pub(super) search: InputSearch<'a>,
    pub(super) inputs: &'a ProgramInputs,
    pub(super) session: &'a JudgeSession,
}

impl ProgramSession<'_> {
    pub(super) fn run(&self) -> Result<CommandOutcome, CommandError> {
        let StressRequest {
            entry,
            against,
            folder,
            ..
        } = self.search.request;
        let entry = self.timed(entry)?;
        let status = self.search.compiling();
        let submission = match MadeSubmission::of(entry, self.session)? {
            Ok(submission) => submission,
            Err(Uncompiled { reason, output }) => {
                drop(status);
                return search::report_refusal(&reason, &output);
            }
        };
        let made = |entry: &PlanEntry| {
            let problem = submission.entry.problem.clone();
            MadeSubmission::of_necessity(
                PlanEntry {
                    problem,
                    ..entry.clone()
                },
                self.session,
            )
        };
        let against = against.as_ref().map(made).transpose()?;
        let solution = self.inputs.solution.as_ref().map(made).transpose()?;
        let made = MadePrograms::of(self.inputs, &submission.entry, folder, self.session)?;
        drop(status);
        made.notes.iter().for_each(screen::notice);
        let counted = SearchSandbox::new(self.session.sandbox(), self.search.jobs);
        let harness = GeneratedHarness {
            programs: &made.programs,
            solution: solution.as_ref().map(target),
            targets: FuzzTargets {
                submission: target(&submission),
                against: against.as_ref().map(target),
            },
            sandbox: &counted,
            scratch: &self.session.sandbox().programs(),
        };
        match self.search.find(&harness, &counted, |input| {
            Ok(harness.brought(&self.given_name(), input)?)
        })? {
            None => Ok(CommandOutcome::AsExpected),
            Some(failure) => self.report(&failure, &submission),
        }
    }

    /// The name of the input of `--input`.
    fn given_name(&self) -> String {
        self.search
            .stress
            .input
            .as_deref()
            .unwrap_or("".as_ref())
            .to_string_lossy()
            .into_owned()
    }

    /// The submission with the time limit of its problem, which is measured if the problem gives
    /// none.
    fn timed(&self, entry: &PlanEntry) -> Result<PlanEntry, CommandError> {
        let Some((measurement, plan)) = &self.inputs.untimed else {
            return Ok(entry.clone());
        };
        let InputSearch { common, cancel, .. } = self.search;
        let timed = measurement.settle(plan, self.session, common, cancel)?;
        timed
            .notes
            .iter()
            .filter(|_| !common.quiet)
            .for_each(screen::notice);
        let problem = timed
            .plan
            .entries
            .first()
            .map_or(&entry.problem, |entry| &entry.problem)
            .clone();
        Ok(PlanEntry {
            problem,
            ..entry.clone()
        })
    }

    fn report(
        &self,
        failure: &FailingInput<GeneratedInput>,
        submission: &MadeSubmission,
    ) -> Result<CommandOutcome, CommandError> {
        let InputSearch {
            stress,
            common,
            request,
            ..
        } = self.search;
        let FailingInput {
            number,
            draft,
            outcome,
        } = failure;
        let read = |path| {
            std::fs::read(path).map_err(|error| Fault::new("reading the input that fails", error))
        };
        let input = read(&draft.case.input)?;
        let answer = read(&draft.case.answer)?;
        let by = number.map(|_| format!("written by `{}`", draft.case.name));
        let found = FoundFailure {
            number: *number,
            input: &input,
            answer: &answer,
            outcome,
            size: &size_of_text(&input),
            remarks: &by.into_iter().collect::<Vec<_>>(),
            program_folder: submission.folder.path(),
            is_written: number.is_some(),
        };
        found::report(&found, request, stress, common)?;
        Ok(CommandOutcome::Surprising)
    }
}

fn target(made: &MadeSubmission) -> FuzzTarget<'_> {
    FuzzTarget {
        entry: &made.entry,
        program: &made.program,
    }
}
