//! Searches for a failing input of grids, shrinks it, and shows it.

use std::path::{Path, PathBuf};

use crate::authoring::stress::{
    Draft, DraftGrid, FailingInput, FuzzTargets, GridHarness, InputRunner, InputSource,
    ShrinkBudget, ShrinkResult, Shrinker, size_of_shrunk,
};
use crate::check::InputError;
use crate::cli::commands::stress::found::{remarks, shrink_status};
use crate::cli::commands::stress::{
    FoundFailure, InputSearch, SearchSandbox, StressArgs, StressRequest, found, search,
};
use crate::cli::{CommandError, CommandOutcome, CommandResult, PrepareError, PreparedProgram};
use crate::model::{Case, Recipe};
use crate::proof::SolveError;
use crate::spec::{Mistake, Mistakes};
use crate::{authoring, proof};

/// One call of `stress` for a problem of grids.
pub(super) struct GridSession<'a> {
    pub(super) search: InputSearch<'a>,
    pub(super) recipes: &'a [Recipe],
    pub(super) stored: &'a [Case],
}

impl GridSession<'_> {
    pub(super) fn run(&self) -> CommandResult {
        let StressRequest {
            entry,
            against,
            seed,
            ..
        } = self.search.request;
        let status = self.search.compiling();
        let session = self.search.session;
        let program = match session.prepare(entry.clone()) {
            Ok(program) => program,
            Err(PrepareError::Refused { reason, output }) => {
                drop(status);
                return search::report_refusal(&reason, &output);
            }
            Err(PrepareError::Failed(fault)) => return Err(fault.into()),
        };
        let other = against.as_ref().zip(self.search.stress.against.as_deref());
        let other = other
            .map(|(entry, path)| {
                let prepared = session.prepare(entry.clone());
                prepared.map_err(|error| error.of_necessity(path))
            })
            .transpose()?;
        drop(status);
        let counted = SearchSandbox::new(session.sandbox(), session.jobs());
        let runner = InputRunner {
            targets: FuzzTargets {
                submission: search::target(&program),
                against: other.as_ref().map(search::target),
            },
            sandbox: &counted,
        };
        let task = authoring::grids_of_one_map(&entry.problem, "stress")?;
        let source = InputSource::new(task, self.recipes, *seed).with_stored(self.stored);
        self.find_and_report(&source, &runner, &program, &counted)
    }

    fn find_and_report(
        &self,
        source: &InputSource<'_>,
        runner: &InputRunner<'_>,
        program: &PreparedProgram,
        counted: &SearchSandbox<'_>,
    ) -> CommandResult {
        let search = &self.search;
        let failure = search.find(&GridHarness { source, runner }, counted, |input| {
            self.given_input(source, input)
        })?;
        let Some(failure) = failure else {
            return Ok(CommandOutcome::AsExpected);
        };
        let grids = failure.draft.grids.clone();
        let shrunk = if search.stress.no_shrink {
            ShrinkResult {
                failure,
                runs: 0,
                is_done: true,
                is_reproducible: true,
            }
        } else {
            let _status = search.status(counted, shrink_status);
            let StressArgs {
                shrink_runs,
                shrink_time,
                ..
            } = *search.stress;
            counted.begin(shrink_time);
            let budget = ShrinkBudget {
                runs: shrink_runs,
                time: Some(shrink_time),
            };
            Shrinker::new(
                source,
                runner,
                search.session.cancel.flag(),
                budget,
                failure,
            )
            .shrink()?
        };
        self.report(&shrunk, &grids, program)?;
        Ok(CommandOutcome::Surprising)
    }

    fn report(
        &self,
        shrunk: &ShrinkResult,
        grids: &[DraftGrid],
        program: &PreparedProgram,
    ) -> Result<(), CommandError> {
        let InputSearch {
            stress,
            common,
            request,
            session,
            ..
        } = self.search;
        let ShrinkResult {
            failure:
                FailingInput {
                    number,
                    draft,
                    outcome,
                },
            runs,
            ..
        } = shrunk;
        let failure = FoundFailure {
            number: *number,
            input: &draft.input,
            answer: &draft.answer,
            outcome,
            size: &size_of_shrunk(grids, &draft.grids, *runs),
            remarks: &remarks(shrunk, session.cancel.is_cancelled()),
            program_folder: program.folder.path(),
            is_written: request.given_input.is_none() || !stress.no_shrink,
        };
        found::report(&failure, request, stress, common)
    }

    /// The input of `--input`, with its answer.
    fn given_input(&self, source: &InputSource<'_>, input: &[u8]) -> Result<Draft, CommandError> {
        let task = source.task();
        let path = self.search.stress.input.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve_grids(task, input, &mut answer).map_err(|error| mistake(path, &error))?;
        let grids = Draft::grids_of(task, input).map_err(|error| mistake(path, &error.into()))?;
        Ok(Draft {
            grids,
            input: input.to_vec(),
            answer,
        })
    }
}

/// The mistake for an input of `--input` that cannot be solved.
fn mistake(path: &Path, error: &SolveError) -> Mistakes {
    match error {
        SolveError::Input(InputError::Text(mistake)) => {
            proof::mistake_in_input(path, mistake).into()
        }
        _ => Mistake::of(PathBuf::from(path), error.to_string()).into(),
    }
}
