//! Resolves the arguments of `stress` to programs, cases and the folder to write to. Runs nothing.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use crate::cli::args::GlobalOptions;
use crate::cli::bounded;
use crate::cli::commands::stress::args::StressArgs;
use crate::cli::commands::stress::place::FailureFolder;
use crate::cli::commands::stress::program_inputs::ProgramInputs;
use crate::cli::session::selection;
use crate::model::{Case, Recipe};
use crate::run::PlanEntry;
use crate::spec::{AnswerRequirement, JudgeFolder, Mistake, Mistakes};

/// What `stress` will run, and where it will write a failing input.
pub(super) struct StressRequest {
    pub(super) folder: JudgeFolder,
    pub(super) entry: PlanEntry,
    pub(super) against: Option<PlanEntry>,
    pub(super) inputs: InputMakers,
    pub(super) seed: u64,
    pub(super) place: FailureFolder,
    /// The input of `--input`.
    pub(super) given_input: Option<Vec<u8>>,
}

/// The source of random inputs.
pub(super) enum InputMakers {
    /// The judge itself, for grids.
    Grids {
        recipes: Vec<Recipe>,
        /// The problem's cases.
        stored: Vec<Case>,
    },
    /// Programs that the problem or the user names.
    Programs(Box<ProgramInputs>),
}

impl StressRequest {
    pub(super) fn of(stress: &StressArgs, common: &GlobalOptions) -> Result<Self, Mistakes> {
        let folder = common.folder_with(&stress.problem, &stress.format)?;
        let (entry, recipes) =
            selection::submission_alone(&folder, &stress.submission, stress.problem.as_deref())?;
        let id = &entry.problem.id;
        let against = stress
            .against
            .as_deref()
            .map(|path| selection::submission_alone(&folder, path, Some(id)));
        let against = against.transpose()?.map(|(entry, _)| entry);
        let seed = stress.seed.unwrap_or_else(any_seed);
        let name = match &stress.input {
            Some(case) => format!("{}-{}", stem(&stress.submission), stem(case)),
            None => format!("{}-{seed}", stem(&stress.submission)),
        };
        let place = match &stress.output {
            Some(folder) => FailureFolder::given(folder, name)?,
            None => FailureFolder::usual(&folder.config.root.join("stress").join(id), name)?,
        };
        let given_input = stress.input.as_deref().map(bounded::read);
        // All this is checked before a sandbox is started.
        let inputs = match entry.problem.task.as_grid() {
            Some(_) => {
                refuse_programs(stress, id)?;
                // Inputs can also be made without stored cases, only more slowly.
                let stored = folder
                    .cases(id, AnswerRequirement::Optional)
                    .unwrap_or_default();
                InputMakers::Grids { recipes, stored }
            }
            None => {
                InputMakers::Programs(Box::new(ProgramInputs::of(stress, &folder, &entry, seed)?))
            }
        };
        let given_input = given_input.transpose()?;
        Ok(Self {
            against,
            inputs,
            seed,
            place,
            given_input,
            entry,
            folder,
        })
    }
}

/// Refuses options that are of no use for grids.
fn refuse_programs(stress: &StressArgs, id: &str) -> Result<(), Mistake> {
    let given = [
        ("--generator", &stress.generator),
        ("--solution", &stress.solution),
    ];
    match given.into_iter().find(|(_, given)| given.is_some()) {
        None => Ok(()),
        Some((option, _)) => {
            let message = format!(
                "`{option}` is for other problems: inputs and answers of grids are made here"
            );
            Err(Mistake::of(id, message).with_remedy(format!("leave `{option}` out")))
        }
    }
}

/// A random seed of at most nine digits, which is easily typed.
fn any_seed() -> u64 {
    // Each `RandomState` gets random keys from the standard library.
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// The name of a file without its extension, for use in another file name.
fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect()
}
