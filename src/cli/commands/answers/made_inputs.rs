//! Makes the inputs of tests that a package leaves out: runs the generator of each and
//! proves the result with the package's validators. Every program runs in the sandbox,
//! and all files get their final names together, or none does. Start at
//! [`InputMaker::make`].

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use gridjudge_sandbox::{Fault, Limits};
use indexmap::IndexMap;
use parking_lot::Mutex;
use tempfile::{NamedTempFile, TempPath};

use crate::checker::{self, GeneratorCall, InputOpinion, WantedInput};
use crate::cli::{
    CommandError, JudgeSession, MadeTool, StatusLine, in_parallel, planned_checker,
    tool_source,
};
use crate::compile::PrepareFailure;
use crate::files::{self, UnfinishedFolder};
use crate::model::Case;
use crate::package::{GeneratorCommand, MissingTest, Package, PackageValidation};
use crate::spec::{JudgeFolder, ProblemFolder};

/// The most bytes of all inputs of a package together; the same limit holds for the
/// files of an archive.
const MOST_BYTES: u64 = 4 << 30;

/// A new input or answer in a temporary file, which is closed, so that any number of
/// them can exist.
pub(super) struct NewCaseFile {
    /// The case, with the final paths of its files.
    pub(super) case: Case,
    pub(super) file: TempPath,
    /// Its final path.
    pub(super) place: PathBuf,
}

impl NewCaseFile {
    /// An answer, with the permissions of the input.
    pub(super) fn answer(case: &Case, file: NamedTempFile) -> Result<Self, Fault> {
        let found = case
            .input
            .metadata()
            .map_err(Fault::at("writing", &case.answer))?;
        Self::closed(case, &case.answer, file, found.permissions())
    }

    fn closed(
        case: &Case,
        path: &Path,
        file: NamedTempFile,
        permissions: Permissions,
    ) -> Result<Self, Fault> {
        file.as_file()
            .set_permissions(permissions)
            .map_err(Fault::at("writing", path))?;
        Ok(Self {
            case: case.clone(),
            file: file.into_temp_path(),
            place: path.to_owned(),
        })
    }
}

/// What is needed to make inputs and answers.
pub(super) struct InputMaker<'a> {
    pub(super) folder: &'a JudgeFolder,
    /// The program of `--solution`.
    pub(super) solution: Option<&'a Path>,
    pub(super) session: &'a JudgeSession,
    pub(super) status: &'a StatusLine,
    pub(super) new_files: &'a NewFiles,
}

impl InputMaker<'_> {
    /// Makes all inputs that the package of a problem leaves out, in the order of its
    /// tests.
    ///
    /// # Errors
    /// If a program cannot be compiled; or the [`Fault`] of the first call, in the
    /// order of the tests, that fails.
    pub(super) fn make(
        &self,
        found: &ProblemFolder,
        package: &Package,
    ) -> Result<Vec<NewCaseFile>, CommandError> {
        let calls = calls(&package.missing_tests);
        let programs = self.programs(found, package)?;
        let session = self.session;
        let made = in_parallel(&calls, session.jobs(), &session.cancel, &|call| {
            programs.inputs_of(call)
        })?;
        if session.cancel.is_cancelled() {
            return Err(Fault::because("making inputs", "it was interrupted").into());
        }
        let mut by_name: BTreeMap<_, _> = made
            .into_iter()
            .flatten()
            .map(|input| (input.case.name.clone(), input))
            .collect();
        Ok(package
            .missing_tests
            .iter()
            .filter_map(|test| by_name.remove(&test.case.name))
            .collect())
    }

    /// Compiles the generators and validators of a package.
    fn programs<'p>(
        &'p self,
        found: &ProblemFolder,
        package: &'p Package,
    ) -> Result<InputPrograms<'p>, CommandError> {
        let mut generators = BTreeMap::new();
        for MissingTest { command, .. } in &package.missing_tests {
            if !generators.contains_key(&command.source) {
                let tool = self.tool("generator", &command.source, found)?;
                generators.insert(command.source.clone(), tool);
            }
        }
        let mut validators = vec![];
        for program in &package.validation.input_validators {
            let Some(source) = program.files.first() else {
                continue;
            };
            let tool = self.tool("validator", &source.path, found)?;
            validators.push((&*program.name, &*source.path, tool));
        }
        let file = &package.file;
        let found = file.metadata().map_err(Fault::at("reading", file))?;
        Ok(InputPrograms {
            maker: self,
            generators,
            validators,
            validation: &package.validation,
            limits: planned_checker::limits(),
            permissions: Permissions::from_mode(
                found.permissions().mode() & 0o666 | 0o600,
            ),
            bytes: AtomicU64::new(0),
        })
    }

    fn tool(
        &self,
        kind: &str,
        path: &Path,
        found: &ProblemFolder,
    ) -> Result<MadeTool, CommandError> {
        self.status
            .say(format_args!("compiling {}", path.display()));
        let source = tool_source(found, path)?;
        let doing = format!("making the {kind} {}", path.display());
        let made = self.session.compile_tool(&source);
        Ok(made.map_err(|failure| match failure {
            PrepareFailure::Refused(refusal) => Fault::because(
                doing,
                refusal.in_words(),
            )
            .with_remedy(
                "fix it; headers that it includes belong next to it or in `files/`",
            ),
            failure => failure.into_fault(doing),
        })?)
    }
}

/// Groups tests by the generator call that makes them: a generator that writes several
/// files is called once for all of them.
fn calls(tests: &[MissingTest]) -> Vec<Vec<&MissingTest>> {
    let mut calls: IndexMap<_, Vec<&MissingTest>> = IndexMap::new();
    for (place, test) in tests.iter().enumerate() {
        let command = &test.command;
        let alone = command.output_file.is_none().then_some(place);
        let call = (&command.source, &command.arguments, alone);
        calls.entry(call).or_default().push(test);
    }
    calls.into_values().collect()
}

/// The programs of a package that make inputs, ready to run.
struct InputPrograms<'p> {
    maker: &'p InputMaker<'p>,
    /// By their sources.
    generators: BTreeMap<PathBuf, MadeTool>,
    /// Their names and sources.
    validators: Vec<(&'p str, &'p Path, MadeTool)>,
    validation: &'p PackageValidation,
    /// The limits of each run.
    limits: Limits,
    /// The permissions of new inputs: those of the package's file, without execution,
    /// and writable by the owner.
    permissions: Permissions,
    /// Bytes of all inputs so far.
    bytes: AtomicU64,
}

impl InputPrograms<'_> {
    /// Runs one generator call, which makes the inputs of these tests, and validates
    /// them.
    fn inputs_of(&self, call: &[&MissingTest]) -> Result<Vec<NewCaseFile>, Fault> {
        let maker = self.maker;
        let first = call[0];
        let others = match call.len() {
            1 => String::new(),
            tests => format!(" and {} more", tests - 1),
        };
        let GeneratorCommand { text, source, .. } = &first.command;
        let doing = format!(
            "making {}{others} by `{text}` ({})",
            first.case.name,
            source.display()
        );
        maker.status.say(format_args!("making {}", first.case.name));
        let mut files = vec![];
        for test in call {
            files.push(maker.new_files.create(&test.case.input)?);
        }
        let made = GeneratorCall {
            program: &self.generators[source].program,
            arguments: &first.command.arguments,
            stdin: None,
            stderr_as: None,
            limits: &self.limits,
            doing: doing.clone(),
        };
        let wanted = call.iter().zip(&mut files).map(|(test, file)| WantedInput {
            left_as: test.command.output_file.as_deref(),
            file: file.as_file_mut(),
        });
        made.write(&mut wanted.collect::<Vec<_>>(), maker.session.sandbox())?;
        let mut bytes = 0;
        for file in &files {
            let found = file.as_file().metadata();
            bytes += found.map_or(0, |found| found.len());
        }
        let before = self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > MOST_BYTES {
            let cause = "all inputs together have more than 4 GiB";
            return Err(Fault::because(doing, cause));
        }
        let mut inputs = vec![];
        for (test, file) in call.iter().zip(files) {
            let input = NewCaseFile::closed(
                &test.case,
                &test.case.input,
                file,
                self.permissions.clone(),
            )?;
            self.validate(test, &input.file)?;
            inputs.push(input);
        }
        Ok(inputs)
    }

    /// Runs all validators on an input, as Polygon's own scripts do.
    fn validate(&self, test: &MissingTest, input: &Path) -> Result<(), Fault> {
        for (name, source, tool) in &self.validators {
            let asked = checker::validate_input(
                &tool.program,
                self.validation.arguments(name, &test.case.name),
                self.validation.protocol,
                &self.limits,
                input,
                &[],
                self.maker.session.sandbox(),
            );
            let cause = match asked? {
                InputOpinion::Valid => continue,
                InputOpinion::Refused(said) => format!("it refuses it: {said}"),
                InputOpinion::Failed(cause) => cause,
            };
            let case = &test.case.name;
            let text = &test.command.text;
            let doing = format!(
                "asking the validator {} about {case}, made by `{text}`",
                source.display()
            );
            return Err(Fault::because(doing, cause).with_remedy(
                "correct the generator, its arguments, or the validator",
            ));
        }
        Ok(())
    }
}

// Writes files under temporary names and then gives them their final ones: all of them,
// or none.

/// Makes temporary files, in one folder for each file system, so that renaming them is
/// atomic. All that still have their temporary names are removed with this value.
#[derive(Default)]
pub(super) struct NewFiles {
    /// The folders, by the device of their file system.
    folders: Mutex<BTreeMap<u64, UnfinishedFolder>>,
}

impl NewFiles {
    /// Creates a temporary file that can be renamed to `path`.
    pub(super) fn create(&self, path: &Path) -> Result<NamedTempFile, Fault> {
        let failed = Fault::at("writing", path);
        let nearest = files::nearest_folder(path);
        let device = nearest.metadata().map_err(failed)?.dev();
        let mut folders = self.folders.lock();
        let folder = match folders.get(&device) {
            Some(known) => known,
            None => folders
                .entry(device)
                .or_insert(UnfinishedFolder::within(nearest).map_err(failed)?),
        };
        folder
            .with(|folder| NamedTempFile::new_in(folder))
            .map_err(failed)
    }
}

/// Gives files their final names, and returns these.
///
/// # Errors
/// The fault of the first file that cannot get its name; none of the files exists then.
pub(super) fn persist_all(
    files: impl IntoIterator<Item = NewCaseFile>,
) -> Result<Vec<PathBuf>, Fault> {
    let mut persisted = vec![];
    let mut folders = vec![];
    for NewCaseFile { file, place, .. } in files {
        let named = create_folders(&place, &mut folders)
            .and_then(|()| Ok(file.persist_noclobber(&place)?));
        if let Err(error) = named {
            // What is reported is why this file could not be written, and not what else
            // may fail now.
            for file in &persisted {
                let _ = fs::remove_file(file);
            }
            for folder in folders.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
            return Err(Fault::at("writing", &place)(error));
        }
        persisted.push(place);
    }
    Ok(persisted)
}

/// Creates the folders around a path that are missing, and adds them to `created`.
fn create_folders(path: &Path, created: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing: Vec<_> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
        .collect();
    for folder in missing.into_iter().rev() {
        fs::create_dir(&folder)?;
        created.push(folder);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Writes files with these final names under temporary ones.
    fn written(
        new_files: &NewFiles,
        root: &Path,
        names: &[&str],
    ) -> Vec<NewCaseFile> {
        names
            .iter()
            .map(|name| {
                let path = root.join(name);
                let mut file = new_files.create(&path).unwrap();
                file.write_all(name.as_bytes()).unwrap();
                let permissions = file.as_file().metadata().unwrap().permissions();
                let case = Case {
                    name: (*name).to_owned(),
                    input: path.clone(),
                    answer: PathBuf::new(),
                };
                NewCaseFile::closed(&case, &path, file, permissions).unwrap()
            })
            .collect()
    }

    fn found(root: &Path) -> Vec<String> {
        walkdir::WalkDir::new(root)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .flatten()
            .map(|entry| {
                entry
                    .path()
                    .strip_prefix(root)
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect()
    }

    #[test]
    fn missing_folders_are_created_for_the_files() {
        let root = tempfile::tempdir().unwrap();
        let new_files = NewFiles::default();
        persist_all(written(
            &new_files,
            root.path(),
            &["a/b/01", "a/b/02", "03"],
        ))
        .unwrap();
        drop(new_files);
        assert_eq!(found(root.path()), ["03", "a", "a/b", "a/b/01", "a/b/02"]);
        assert_eq!(
            fs::read_to_string(root.path().join("a/b/02")).unwrap(),
            "a/b/02"
        );
    }

    #[test]
    fn if_one_file_cannot_get_its_name_none_remains() {
        let root = tempfile::tempdir().unwrap();
        let new_files = NewFiles::default();
        fs::write(root.path().join("02"), "of another").unwrap();
        let fault =
            persist_all(written(&new_files, root.path(), &["a/01", "02", "a/03"]))
                .unwrap_err();
        drop(new_files);
        assert!(
            fault.to_string().contains("writing ")
                && fault.to_string().contains("/02"),
            "{fault}"
        );
        assert_eq!(found(root.path()), ["02"]);
        assert_eq!(
            fs::read_to_string(root.path().join("02")).unwrap(),
            "of another"
        );
    }
}
