//! Finds, on disk, what `stress` needs for a problem that is not of grids: a generator, a correct
//! solution, and the programs that measure the time limit if the problem has none. Runs nothing.

use crate::authoring::stress::{GeneratorArguments, PLACEHOLDERS};
use crate::cli::commands::stress::StressArgs;
use crate::cli::{KnownProofs, LimitMeasurement, ToolSource, planning, tool_source};
use crate::run::{Plan, PlanEntry};
use crate::spec::{JudgeFolder, Mistake, Mistakes, nearest};

/// The programs that make and answer inputs.
pub(super) struct ProgramInputs {
    /// `None` with `--input`.
    pub(super) generator: Option<ToolSource>,
    pub(super) arguments: GeneratorArguments,
    /// `None` for interactive problems.
    pub(super) solution: Option<PlanEntry>,
    /// How to measure the time limit, and for which plan; `None` if the problem gives a limit.
    pub(super) untimed: Option<(LimitMeasurement, Plan)>,
}

impl ProgramInputs {
    /// Finds the programs that the options and the problem name.
    ///
    /// # Errors
    /// A mistake for each program that is missing or cannot be read, and for each wrong option.
    pub(super) fn of(
        stress: &StressArgs,
        folder: &JudgeFolder,
        entry: &PlanEntry,
        seed: u64,
    ) -> Result<Self, Mistakes> {
        let mut mistakes = Vec::new();
        checked(refuse_supplies(entry), &mut mistakes);
        let generator = checked(generator(stress, folder, entry), &mut mistakes).flatten();
        let arguments = checked(arguments(stress, seed), &mut mistakes).unwrap_or_default();
        let solution = checked(solution(stress, folder, entry), &mut mistakes).flatten();
        let untimed = checked(untimed(stress, folder, entry), &mut mistakes).flatten();
        Mistakes::or(
            mistakes,
            Self {
                generator,
                arguments,
                solution,
                untimed,
            },
        )
    }
}

/// The value, or `None` after adding its mistakes to `mistakes`.
fn checked<T>(found: Result<T, impl Into<Mistakes>>, mistakes: &mut Vec<Mistake>) -> Option<T> {
    found.map_err(|error| mistakes.extend(error.into().0)).ok()
}

/// Refuses a problem that gives submissions arguments or files beside the input.
fn refuse_supplies(entry: &PlanEntry) -> Result<(), Mistake> {
    match entry.problem.supplies.keys().next() {
        None => Ok(()),
        Some(case) => {
            let message = format!(
                "gives submissions arguments or files ({case}), and a generator writes inputs only"
            );
            Err(Mistake::of(&entry.problem.id, message)
                .with_remedy("judge it on its own cases, with `grade`"))
        }
    }
}

fn generator(
    stress: &StressArgs,
    folder: &JudgeFolder,
    entry: &PlanEntry,
) -> Result<Option<ToolSource>, Mistakes> {
    let id = &entry.problem.id;
    match (&stress.generator, &stress.input) {
        (_, Some(_)) => Ok(None),
        (None, None) => Err(Mistake::of(
            id,
            "is not a problem of grids, so gridjudge cannot write inputs for it",
        )
        .with_remedy(
            "name a program that writes one to its standard output, with `--generator`, or an \
             input with `--input`",
        )
        .into()),
        (Some(path), None) => {
            let found = folder.find(id)?;
            let headers = found
                .readable_package()
                .map(|package| package.shared_headers())
                .unwrap_or_default();
            Ok(Some(tool_source(found, path, &headers)?))
        }
    }
}

fn arguments(stress: &StressArgs, seed: u64) -> Result<GeneratorArguments, Mistake> {
    let words = stress.arguments.as_deref().unwrap_or("");
    GeneratorArguments::read(words, seed).map_err(|unknown| {
        let mistake = Mistake::of("--arguments", format!("`{{{unknown}}}` means nothing"));
        mistake.with_remedy(match nearest(&unknown, PLACEHOLDERS) {
            Some(meant) => format!("did you mean `{{{meant}}}`?"),
            None => {
                "there are `{seed}`, another for each input, and `{size}`, which grows".to_owned()
            }
        })
    })
}

/// The solution whose outputs are the answers: the one of `--solution`, or the problem's model
/// solution. `None` for an interactive problem.
fn solution(
    stress: &StressArgs,
    folder: &JudgeFolder,
    entry: &PlanEntry,
) -> Result<Option<PlanEntry>, Mistakes> {
    let id = &entry.problem.id;
    if entry.problem.task.is_interactive() {
        return match &stress.solution {
            None => Ok(None),
            Some(path) => Err(Mistake::of(
                path,
                "is of no use: submissions to this problem talk to its interactor",
            )
            .with_remedy("leave `--solution` out")
            .into()),
        };
    }
    let path = stress.solution.clone().or_else(|| {
        let model = folder.find(id).ok()?.model_solution().ok()?;
        Some(model?.path)
    });
    let Some(path) = path else {
        let message = "names no program that is right, so the answers to random inputs are unknown";
        return Err(Mistake::of(id, message)
            .with_remedy("name one with `--solution`")
            .into());
    };
    planning::submission_alone(folder, &path, Some(id)).map(|(entry, _)| Some(entry))
}

fn untimed(
    stress: &StressArgs,
    folder: &JudgeFolder,
    entry: &PlanEntry,
) -> Result<Option<(LimitMeasurement, Plan)>, Mistakes> {
    let id = &entry.problem.id;
    let package = folder.find(id)?.readable_package();
    if !package.is_some_and(|package| package.is_measured()) {
        return Ok(None);
    }
    let plan = planning::submissions(
        folder,
        std::slice::from_ref(&stress.submission),
        std::slice::from_ref(id),
        &KnownProofs::none(),
    )?;
    Ok(Some((LimitMeasurement::of(folder, &plan)?, plan)))
}
