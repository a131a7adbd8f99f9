//! The options of `stress`, and what they name: programs, cases and the folder to write
//! to. Runs nothing. Start at [`StressRequest::from_args`].

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, slice};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::authoring::stress::{GeneratorArguments, PLACEHOLDERS};
use crate::cli::{
    GlobalOptions, KnownProofs, LimitMeasurement, PackageChoice, RunCount,
    SandboxChoice, input_file, output, planning, tool_source,
};
use crate::files::{self, UnfinishedFolder};
use crate::model::{Case, Recipe, ToolSource};
use crate::run::{Plan, PlanEntry};
use crate::spec::{
    AnswerRequirement, JudgeFolder, MOST_CASE, Mistake, Mistakes, nearest,
    parse_duration,
};

#[derive(Args)]
pub(crate) struct StressArgs {
    /// The program: a source, or an executable
    pub(super) submission: PathBuf,
    /// The problem
    /// [default: the one in whose folder the submission is, or that it is named after]
    #[arg(short, long)]
    pub(super) problem: Option<String>,
    #[command(flatten)]
    format: PackageChoice,
    /// Look for inputs on which the two programs get different verdicts
    #[arg(long, value_name = "SUBMISSION")]
    pub(super) against: Option<PathBuf>,
    /// The program that writes inputs, for a problem that is not about grids: a source,
    /// or an executable
    #[arg(long, value_name = "PROGRAM", conflicts_with = "input")]
    pub(super) generator: Option<PathBuf>,
    /// Arguments of the generator, in one string that is split at blanks; `{seed}` and
    /// `{size}` differ for each input [default: {seed}]
    #[arg(long, value_name = "TEXT", requires = "generator")]
    pub(super) arguments: Option<String>,
    /// The program whose outputs are the answers, for a problem that is not about grids
    /// [default: its model solution]
    #[arg(long, value_name = "PROGRAM")]
    pub(super) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(super) jobs: RunCount,
    /// How long to look for a failure
    #[arg(long, default_value = "60s", value_parser = parse_duration)]
    pub(super) time: Duration,
    /// How many inputs to run at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) runs: Option<u64>,
    /// Seed: the same number gives the same inputs
    /// [default: a random one, which is shown]
    #[arg(long, value_name = "N", conflicts_with = "input")]
    seed: Option<u64>,
    /// Run this input in place of random ones, and shrink it if it fails
    #[arg(long, alias = "case", value_name = "FILE")]
    pub(super) input: Option<PathBuf>,
    /// Keep the input as it was found; with `--input`, only show how it fails
    #[arg(long)]
    pub(super) no_shrink: bool,
    /// How many runs to spend on shrinking at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5000,
        conflicts_with = "no_shrink"
    )]
    pub(super) shrink_runs: u64,
    /// How long to shrink at most
    #[arg(
        long,
        value_name = "TIME",
        default_value = "60s",
        value_parser = parse_duration,
        conflicts_with = "no_shrink"
    )]
    pub(super) shrink_time: Duration,
    /// Folder for the input that fails; by default
    /// `stress/<problem>/<submission>-<seed>`
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// How strictly programs are isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(super) sandbox: SandboxChoice,
}

/// What `stress` will run, and where it will write a failing input.
pub(super) struct StressRequest<'a> {
    pub(super) stress: &'a StressArgs,
    pub(super) common: &'a GlobalOptions,
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

impl<'a> StressRequest<'a> {
    pub(super) fn from_args(
        stress: &'a StressArgs,
        common: &'a GlobalOptions,
    ) -> Result<Self, Mistakes> {
        let folder = common.folder_with(&stress.problem, &stress.format)?;
        let entry = planning::submission_alone(
            &folder,
            &stress.submission,
            stress.problem.as_deref(),
        )?;
        let id = &entry.problem.id;
        let against = stress
            .against
            .as_deref()
            .map(|path| planning::submission_alone(&folder, path, Some(id)))
            .transpose()?;
        // Nine digits are easily typed. Each `RandomState` gets random keys.
        let seed = stress.seed.unwrap_or_else(|| {
            RandomState::new().build_hasher().finish() % 1_000_000_000
        });
        let name = match &stress.input {
            Some(case) => format!("{}-{}", stem(&stress.submission), stem(case)),
            None => format!("{}-{seed}", stem(&stress.submission)),
        };
        let place = match &stress.output {
            Some(folder) => FailureFolder::given(folder, name)?,
            None => FailureFolder::default_in(
                &folder.config.root.join("stress").join(id),
                name,
            )?,
        };
        // All this is checked before a sandbox is started.
        let inputs = match entry.problem.task.as_grid() {
            Some(_) => {
                refuse_programs(stress, id)?;
                // Inputs can also be made without stored cases, only more slowly.
                let found = folder.find(id)?;
                let stored = found.cases(AnswerRequirement::Optional);
                InputMakers::Grids {
                    recipes: found.spec()?.recipes,
                    stored: stored.unwrap_or_default(),
                }
            }
            None => InputMakers::Programs(Box::new(ProgramInputs::from_args(
                stress, &folder, &entry, seed,
            )?)),
        };
        let given_input = stress.input.as_deref().map(input_file::read_input);
        Ok(Self {
            stress,
            common,
            against,
            inputs,
            seed,
            place,
            given_input: given_input.transpose()?,
            entry,
            folder,
        })
    }

    /// The path of the input of `--input`.
    pub(super) fn given_path(&self) -> &Path {
        self.stress.input.as_deref().unwrap_or(Path::new(""))
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
            Mistake::refuse(id, message, format!("leave `{option}` out"))
        }
    }
}

/// The name of a file without its extension, for use in another file name.
fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect()
}

// Creates and fills the folder of a failing input. Never overwrites anything.

/// The most folders of one name, with a number appended.
const MOST_FOLDERS: u32 = 1000;

/// The folder that a failing case is written to.
pub(super) struct FailureFolder {
    folder: PathBuf,
    name: String,
    /// Whether the user named the folder. Otherwise a number may be appended to its
    /// name.
    is_given: bool,
}

impl FailureFolder {
    /// A folder that the user named, for a case of this name.
    ///
    /// # Errors
    /// If there is something in it.
    fn given(folder: &Path, name: String) -> Result<Self, Mistake> {
        output::refuse_as_folder(folder)?;
        let is_free = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !is_free {
            return Mistake::refuse(
                folder,
                "is there, and nothing is overwritten",
                "name a folder that is empty or does not exist yet",
            );
        }
        Ok(Self {
            folder: folder.to_owned(),
            name,
            is_given: true,
        })
    }

    /// A folder with the case's name, in `parent`.
    ///
    /// # Errors
    /// If links lead out of the judge's folder there, or nowhere.
    fn default_in(parent: &Path, name: String) -> Result<Self, Mistake> {
        let folder = parent.join(&name);
        output::refuse_leading_out(&folder)?;
        if let Some(above) = parent
            .ancestors()
            .find(|above| above.is_symlink() && !above.exists())
        {
            return Mistake::refuse(
                above,
                "is a link that leads nowhere",
                "delete it, or name another folder with `-o`",
            );
        }
        Ok(Self {
            folder,
            name,
            is_given: false,
        })
    }

    /// Writes a case and the page about it, which `page` makes from the path of the
    /// input. Returns the folder. If a folder of the same name has the same input, from
    /// another run with the same seed, it is left alone and returned.
    ///
    /// # Errors
    /// A [`Fault`] if the files cannot be written.
    pub(super) fn fill(
        &self,
        input: &[u8],
        answer: &[u8],
        page: impl Fn(&Path) -> String,
    ) -> Result<PathBuf, Fault> {
        let failed = Fault::at("writing to", &self.folder);
        self.folder
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .map_err(failed)?;
        let numbers = if self.is_given {
            1..=1
        } else {
            1..=MOST_FOLDERS
        };
        for number in numbers {
            let folder = if number == 1 {
                self.folder.clone()
            } else {
                let name = format!("{}-{number}", self.name);
                self.folder.with_file_name(name)
            };
            let name = |ending| format!("{}.{ending}", self.name);
            let input_file = folder.join(name("in"));
            if files::read_bounded(&input_file, MOST_CASE)
                .is_ok_and(|found| found == input)
            {
                return Ok(folder);
            }
            if !self.is_given && folder.symlink_metadata().is_ok() {
                continue;
            }
            let page = page(&input_file);
            let files = [
                (name("ans"), answer),
                (name("md"), page.as_bytes()),
                (name("in"), input),
            ];
            // The folder gets its name when all files are in it.
            let written = UnfinishedFolder::filled(&folder, &files)
                .and_then(|unfinished| unfinished.rename(&folder, None));
            match written {
                Err(error) if is_taken(&error) && !self.is_given => {}
                done => return done.map_err(failed).map(|()| folder),
            }
        }
        let message = format!("there are {MOST_FOLDERS} folders of this name");
        Err(
            Fault::because(format!("writing to {}", self.folder.display()), message)
                .with_remedy("delete them, or name another folder with `-o`"),
        )
    }
}

/// Whether something has the name that a new folder was to get.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::DirectoryNotEmpty
            | ErrorKind::NotADirectory
    )
}

// Finds, on disk, what `stress` needs for a problem that is not about grids: a
// generator, a correct solution, and the programs that measure the time limit if the
// problem has none. Runs nothing.

/// The programs that make and answer inputs.
pub(super) struct ProgramInputs {
    /// `None` with `--input`.
    pub(super) generator: Option<ToolSource>,
    pub(super) arguments: GeneratorArguments,
    /// `None` for interactive problems.
    pub(super) solution: Option<PlanEntry>,
    /// How to measure the time limit, and for which plan; `None` if the problem gives a
    /// limit.
    pub(super) untimed: Option<(LimitMeasurement, Plan)>,
}

impl ProgramInputs {
    /// Finds the programs that the options and the problem name.
    ///
    /// # Errors
    /// A mistake for each program that is missing or cannot be read, and for each wrong
    /// option.
    fn from_args(
        stress: &StressArgs,
        folder: &JudgeFolder,
        entry: &PlanEntry,
        seed: u64,
    ) -> Result<Self, Mistakes> {
        let mut mistakes = vec![];
        // A problem may give submissions arguments or files beside the input.
        if let Some(case) = entry.problem.supplies.keys().next() {
            let message = format!(
                "gives submissions arguments or files ({case}), and a generator writes inputs only"
            );
            let remedy = "judge it on its own cases, with `grade`";
            mistakes.push(Mistake::new(&entry.problem.id, message, remedy));
        }
        let generator = generator(stress, folder, entry);
        let generator = planning::checked(generator, &mut mistakes);
        let arguments = planning::checked(arguments(stress, seed), &mut mistakes);
        let solution = solution(stress, folder, entry);
        let solution = planning::checked(solution, &mut mistakes);
        let untimed = untimed(stress, folder, entry);
        let untimed = planning::checked(untimed, &mut mistakes);
        let found = Self {
            generator: generator.flatten(),
            arguments: arguments.unwrap_or_default(),
            solution: solution.flatten(),
            untimed: untimed.flatten(),
        };
        Mistakes::or(mistakes, found)
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
        (None, None) => Mistake::refuse(
            id,
            "is not a problem of grids, so gridjudge cannot write inputs for it",
            "name a program that writes one to its standard output, with `--generator`, or an \
             input with `--input`",
        ),
        (Some(path), None) => {
            let found = folder.find(id)?;
            Ok(Some(tool_source(found, path)?))
        }
    }
}

fn arguments(stress: &StressArgs, seed: u64) -> Result<GeneratorArguments, Mistake> {
    let words = stress.arguments.as_deref().unwrap_or("");
    GeneratorArguments::read(words, seed).map_err(|unknown| {
        let remedy = match nearest(&unknown, PLACEHOLDERS) {
            Some(meant) => format!("did you mean `{{{meant}}}`?"),
            None => {
                "there are `{seed}`, another for each input, and `{size}`, which grows"
                    .to_owned()
            }
        };
        let message = format!("`{{{unknown}}}` means nothing");
        Mistake::new("--arguments", message, remedy)
    })
}

/// The solution whose outputs are the answers: the one of `--solution`, or the
/// problem's model solution. `None` for an interactive problem.
fn solution(
    stress: &StressArgs,
    folder: &JudgeFolder,
    entry: &PlanEntry,
) -> Result<Option<PlanEntry>, Mistakes> {
    let id = &entry.problem.id;
    if entry.problem.task.is_interactive() {
        return match &stress.solution {
            None => Ok(None),
            Some(path) => Mistake::refuse(
                path,
                "is of no use: submissions to this problem talk to its interactor",
                "leave `--solution` out",
            ),
        };
    }
    let path = stress.solution.clone().or_else(|| {
        let model = folder.find(id).ok()?.model_solution().ok()?;
        Some(model?.path)
    });
    let Some(path) = path else {
        let message = "names no program that is right, so the answers to random inputs are unknown";
        return Mistake::refuse(id, message, "name one with `--solution`");
    };
    planning::submission_alone(folder, &path, Some(id)).map(Some)
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
        slice::from_ref(&stress.submission),
        slice::from_ref(id),
        &KnownProofs::default(),
    )?;
    Ok(Some((LimitMeasurement::for_plan(folder, &plan)?, plan)))
}

#[cfg(test)]
mod place_tests {
    use super::*;

    #[test]
    fn a_different_case_of_the_same_name_gets_a_number_and_an_equal_one_is_reused() {
        let folder = tempfile::tempdir().unwrap();
        let place = FailureFolder::default_in(folder.path(), "a-7".into()).unwrap();
        let fill = |input: &str| {
            place
                .fill(input.as_bytes(), b"answer", |_| "page".into())
                .unwrap()
        };
        assert_eq!(fill("one"), folder.path().join("a-7"));
        assert_eq!(fill("two"), folder.path().join("a-7-2"));
        assert_eq!(fill("one"), folder.path().join("a-7"));
        assert_eq!(fill("two"), folder.path().join("a-7-2"));
        assert_eq!(
            fs::read(folder.path().join("a-7-2/a-7.in")).unwrap(),
            b"two"
        );
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(FailureFolder::given(folder.path(), "a".into()).is_ok());
        assert!(FailureFolder::given(&folder.path().join("new"), "a".into()).is_ok());
        fs::write(folder.path().join("mine"), "").unwrap();
        assert!(FailureFolder::given(folder.path(), "a".into()).is_err());
        assert!(
            FailureFolder::given(&folder.path().join("mine"), "a".into()).is_err()
        );
    }
    #[test]
    fn where_no_folder_can_be_made_the_search_for_a_name_ends() {
        let folder = tempfile::tempdir().unwrap();
        let fails = |parent: &Path| {
            let place = FailureFolder::default_in(parent, "a-7".into()).unwrap();
            place
                .fill(b"input", b"answer", |_| "page".into())
                .unwrap_err()
                .to_string()
        };
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("nowhere", path("dangling")).unwrap();
        fs::write(path("file"), "").unwrap();
        let dangling = FailureFolder::default_in(&path("dangling/p"), "a-7".into())
            .err()
            .unwrap();
        assert_eq!(dangling.message, "is a link that leads nowhere");
        assert!(fails(&path("file/below")).starts_with("writing to "));
        // Links have the names: they are never followed, and the numbers end.
        fs::create_dir(path("taken")).unwrap();
        for number in 1..=MOST_FOLDERS {
            let name = if number == 1 {
                "a-7".to_owned()
            } else {
                format!("a-7-{number}")
            };
            std::os::unix::fs::symlink("nowhere", path("taken").join(name)).unwrap();
        }
        assert!(
            fails(&path("taken")).contains("there are 1000 folders of this name")
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
