//! What `stress` is asked for, found on disk: programs, cases and the folder to write to. Runs nothing.

use std::hash::BuildHasher;
use std::hash::Hasher;
use std::hash::RandomState;
use std::path::Path;

use crate::cli::args::GlobalOptions;
use crate::cli::bounded;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::place::FailureFolder;
use crate::cli::commands::stress::program_inputs::ProgramInputs;
use crate::cli::session::selection;
use crate::model::Case;
use crate::model::Recipe;
use crate::model::Task;
use crate::run::PlanEntry;
use crate::spec::AnswerRequirement;
use crate::spec::JudgeFolder;
use crate::spec::Mistake;
use crate::spec::Mistakes;

/// What is to be run, before anything is.
pub(super) struct StressRequest {
    pub(super) folder: JudgeFolder,
    pub(super) entry: PlanEntry,
    pub(super) against: Option<PlanEntry>,
    pub(super) inputs: InputMakers,
    pub(super) seed: u64,
    pub(super) place: FailureFolder,
    /// The input of `--case`.
    pub(super) brought: Option<Vec<u8>>,
}

/// What makes inputs.
pub(super) enum InputMakers {
    /// The judge itself, of grids.
    Grids {
        recipes: Vec<Recipe>,
        /// The problem's cases.
        stored: Vec<Case>,
    },
    /// Programs of the problem's, and of its author.
    Programs(Box<ProgramInputs>),
}

impl StressRequest {
    pub(super) fn of(stress: &StressArgs, common: &GlobalOptions) -> Result<Self, Mistakes> {
        let folder = common.folder_with(&stress.problem, stress.format)?;
        let (entry, recipes) =
            selection::submission_alone(&folder, &stress.submission, stress.problem.as_deref())?;
        let id = &entry.problem.id;
        let against =
            stress.against.as_deref().map(|path| selection::submission_alone(&folder, path, Some(id)));
        let against = against.transpose()?.map(|(entry, _)| entry);
        let seed = stress.seed.unwrap_or_else(any_seed);
        let name = match &stress.case {
            Some(case) => format!("{}-{}", stem(&stress.submission), stem(case)),
            None => format!("{}-{seed}", stem(&stress.submission)),
        };
        let place = match &stress.output {
            Some(folder) => FailureFolder::given(folder, name)?,
            None => FailureFolder::usual(&folder.config.root.join("stress").join(id), name),
        };
        let brought = stress.case.as_deref().map(bounded::read);
        // Before a sandbox is started: what cannot be done needs none.
        let inputs = match &entry.problem.task {
            Task::Grid(_) => {
                refuse_programs(stress, id)?;
                // Inputs are made without cases as well, only more slowly.
                let stored = folder.cases(id, AnswerRequirement::Optional).unwrap_or_default();
                InputMakers::Grids { recipes, stored }
            }
            _ => InputMakers::Programs(Box::new(ProgramInputs::of(stress, &folder, &entry, seed)?)),
        };
        let brought = brought.transpose()?;
        Ok(Self { against, inputs, seed, place, brought, entry, folder })
    }
}

/// Refuses options that are of no use for grids.
fn refuse_programs(stress: &StressArgs, id: &str) -> Result<(), Mistake> {
    let given = [("--generator", &stress.generator), ("--solution", &stress.solution)];
    match given.into_iter().find(|(_, given)| given.is_some()) {
        None => Ok(()),
        Some((option, _)) => {
            let message =
                format!("`{option}` is for other problems: inputs and answers of grids are made here");
            Err(Mistake::of(id, message).with_remedy(format!("leave `{option}` out")))
        }
    }
}

/// A seed that people can type.
fn any_seed() -> u64 {
    // The standard library draws the keys of its tables by chance, once for each of these.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// The name of a file without its ending, as part of another file's name.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "-_".contains(letter) { letter } else { '_' };
    stem.chars().map(plain).collect()
}
