//! Resolves the arguments of `stress` to programs, cases and the folder to write to. Runs nothing.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use gridjudge_sandbox::Fault;

use crate::cli::commands::stress::{ProgramInputs, StressArgs};
use crate::cli::{GlobalOptions, input_file, output, planning};
use crate::files;
use crate::files::UnfinishedFolder;
use crate::model::{Case, Recipe};
use crate::run::PlanEntry;
use crate::spec::{AnswerRequirement, JudgeFolder, MOST_CASE, Mistake, Mistakes};

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
            planning::submission_alone(&folder, &stress.submission, stress.problem.as_deref())?;
        let id = &entry.problem.id;
        let against = stress
            .against
            .as_deref()
            .map(|path| planning::submission_alone(&folder, path, Some(id)));
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
        let given_input = stress.input.as_deref().map(input_file::read);
        // All this is checked before a sandbox is started.
        let inputs = match entry.problem.task.as_grid() {
            Some(_) => {
                refuse_programs(stress, id)?;
                // Inputs can also be made without stored cases, only more slowly.
                let stored = folder
                    .find(id)?
                    .cases(AnswerRequirement::Optional)
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

// Creates and fills the folder of a failing input. Never overwrites anything.

/// The most folders of one name, with a number appended.
const MOST_FOLDERS: u32 = 1000;

/// The folder that a failing case is written to.
pub(super) struct FailureFolder {
    folder: PathBuf,
    name: String,
    /// Whether the user named the folder. Otherwise a number may be appended to its name.
    is_given: bool,
}

impl FailureFolder {
    /// A folder that the user named, for a case of this name.
    ///
    /// # Errors
    /// If there is something in it.
    fn given(folder: &Path, name: String) -> Result<Self, Mistake> {
        output::refuse_stdout(folder)?;
        output::refuse_leading_out(folder)?;
        let is_free = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !is_free {
            let mistake = Mistake::of(folder, "is there, and nothing is overwritten");
            return Err(mistake.with_remedy("name a folder that is empty or does not exist yet"));
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
    fn usual(parent: &Path, name: String) -> Result<Self, Mistake> {
        let folder = parent.join(&name);
        output::refuse_leading_out(&folder)?;
        if let Some(above) = parent
            .ancestors()
            .find(|above| above.is_symlink() && !above.exists())
        {
            let mistake = Mistake::of(above, "is a link that leads nowhere");
            return Err(mistake.with_remedy("delete it, or name another folder with `-o`"));
        }
        Ok(Self {
            folder,
            name,
            is_given: false,
        })
    }

    /// Writes a case and the page about it, which `page` makes from the path of the input. Returns
    /// the folder. If a folder of the same name has the same input, from another run with the same
    /// seed, it is left alone and returned.
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
            let folder = self.numbered(number);
            let name = |ending| format!("{}.{ending}", self.name);
            let input_file = folder.join(name("in"));
            if files::read(&input_file, MOST_CASE).is_ok_and(|found| found == input) {
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
            match write(&folder, &files) {
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

    fn numbered(&self, number: u32) -> PathBuf {
        match number {
            1 => self.folder.clone(),
            _ => self
                .folder
                .with_file_name(format!("{}-{number}", self.name)),
        }
    }
}

/// Whether something has the name that a new folder was to get.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory
    )
}

/// Writes files into a folder that does not exist yet, or is empty. It gets its name when all are
/// in it.
fn write(folder: &Path, files: &[(String, &[u8])]) -> io::Result<()> {
    let unfinished = UnfinishedFolder::beside(folder)?;
    for (name, bytes) in files {
        unfinished.create(Path::new(name))?.write_all(bytes)?;
    }
    unfinished.rename(folder, None)
}

#[cfg(test)]
mod place_tests {
    use super::*;

    #[test]
    fn a_different_case_of_the_same_name_gets_a_number_and_an_equal_one_is_reused() {
        let folder = tempfile::tempdir().unwrap();
        let place = FailureFolder::usual(folder.path(), "a-7".into()).unwrap();
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
        assert!(FailureFolder::given(&folder.path().join("mine"), "a".into()).is_err());
    }
    #[test]
    fn where_no_folder_can_be_made_the_search_for_a_name_ends() {
        let folder = tempfile::tempdir().unwrap();
        let fails = |parent: &Path| {
            let place = FailureFolder::usual(parent, "a-7".into()).unwrap();
            place
                .fill(b"input", b"answer", |_| "page".into())
                .unwrap_err()
                .to_string()
        };
        let path = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("nowhere", path("dangling")).unwrap();
        fs::write(path("file"), "").unwrap();
        let dangling = FailureFolder::usual(&path("dangling/p"), "a-7".into())
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
        assert!(fails(&path("taken")).contains("there are 1000 folders of this name"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
