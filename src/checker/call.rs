//! One call of a checker or interactor: the folder that it may write to, its arguments, and the files that it leaves there. Knows where
//! each protocol wants the output, and nothing of what an answer means.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::ErrorKind;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::checker::call_folder::CallFolder;
use crate::checker::call_names::CallNames;
use crate::checker::call_names::text;
use crate::checker::case_files::CaseFiles;
use crate::model::Case;
use crate::model::CaseWorth;
use crate::model::CheckerProgram;
use crate::model::CheckerProtocol;
use crate::model::CheckerTask;
use crate::model::SubmittedSources;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::ScratchFiles;

/// Bytes of a file of feedback that are read.
const MOST_FEEDBACK: u64 = 64 * 1024;

/// What a checker writes that asks for another pass, where it goes, and how large it may be.
const NEXT_PASS: &str = "nextpass.in";
const PASS_INPUT: &str = "pass-input";
const MOST_PASS_INPUT: u64 = 256 << 20;

/// The output, and the report, in the folder of a call.
const OUTPUT: &str = "output";
const REPORT: &str = "report";

/// One call, made ready.
pub(super) struct CheckerCall {
    pub(super) launch: Launch,
    /// What the case is worth, where there are points.
    pub(super) worth: Option<CaseWorth>,
    folder: CallFolder,
    files: CaseFiles,
    /// Where the program was made, if it was, and where the submission that it looks at.
    made_in: Vec<PathBuf>,
}

impl CheckerCall {
    /// Makes the folder, and puts the output where the checker reads it; an interactor has none to read.
    pub(super) fn prepare(
        task: &CheckerTask,
        checker: &CheckerProgram,
        case: &Case,
        output: Option<&mut dyn Read>,
    ) -> Result<Self, Fault> {
        let folder = CallFolder::claim(&checker.scratch).map_err(|error| unprepared(task, error))?;
        Self::in_folder(folder, task, checker, [&case.input, &case.answer], output)
    }

    /// The call for the next pass: in the folder of the last, on the input that was left there.
    pub(super) fn again(
        folder: CallFolder,
        task: &CheckerTask,
        checker: &CheckerProgram,
        case: &Case,
        output: Option<&mut dyn Read>,
    ) -> Result<Self, Fault> {
        let input = folder.path().join(PASS_INPUT);
        Self::in_folder(folder, task, checker, [&input, &case.answer], output)
    }

    fn in_folder(
        folder: CallFolder,
        task: &CheckerTask,
        checker: &CheckerProgram,
        [input, answer]: [&Path; 2],
        output: Option<&mut dyn Read>,
    ) -> Result<Self, Fault> {
        let failed = |error| unprepared(task, error);
        let place = folder.path();
        let files = CaseFiles::show(input, answer, place).map_err(failed)?;
        let found = place.join(OUTPUT);
        let standard_input = match output {
            Some(output) => supply(output, task.protocol, &found).map_err(failed)?,
            None => Input::Empty,
        };
        // The format asks for a slash at the end.
        let (output, feedback) = (text(&found), format!("{}/", text(place)));
        let names = CallNames {
            input: text(&files.input),
            answer: text(&files.answer),
            output,
            feedback,
            report: text(&place.join(REPORT)),
        };
        let arguments = names.arguments(task);
        let launch = Launch {
            command: [&checker.program.command, &arguments, &task.arguments].map(Vec::as_slice).concat(),
            environment: checker.program.environment.clone(),
            input: standard_input,
            readable: checker.program.readable.iter().cloned().chain(files.elsewhere(place)).collect(),
            role: Role::Checker { folder: place.to_owned() },
            scratch: ScratchFiles::default(),
        };
        Ok(Self { launch, worth: None, folder, files, made_in: made_in(checker).collect() })
    }

    /// The call of a program that looks at the source of a submission.
    pub(super) fn on_sources(
        task: &CheckerTask,
        checker: &CheckerProgram,
        sources: &SubmittedSources,
    ) -> Result<Self, Fault> {
        let folder = CallFolder::claim(&checker.scratch).map_err(|error| unprepared(task, error))?;
        let (place, works_in) = (folder.path().to_owned(), sources.folder.clone());
        let arguments =
            [&sources.language, &sources.entry_point, &format!("{}/", text(&place))].map(String::clone);
        let launch = Launch {
            command: [&checker.program.command, &arguments[..], &task.arguments].concat(),
            environment: checker.program.environment.clone(),
            input: Input::Empty,
            readable: checker.program.readable.clone(),
            role: Role::SourceChecker { folder: place, works_in },
            scratch: ScratchFiles::default(),
        };
        let made_in = made_in(checker).chain([sources.folder.clone()]).collect();
        Ok(Self { launch, worth: None, folder, files: CaseFiles::default(), made_in })
    }

    /// The same for a case that is worth this.
    pub(super) fn worth(self, worth: Option<CaseWorth>) -> Self {
        Self { worth, ..self }
    }

    /// What the checker has left in a file, without the names of folders; nothing if it is not there, or no regular file.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        let file =
            self.folder.open(name).ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
        let mut bytes = Vec::new();
        file.take(MOST_FEEDBACK).read_to_end(&mut bytes).ok()?;
        Some(self.without_folders(&String::from_utf8_lossy(&bytes)))
    }

    /// What an interactor has written of a talk, of this many bytes at most; nothing if it has not even opened the file, as
    /// testlib would.
    ///
    /// # Errors
    /// In words, if it is no file, or none that a checker is given.
    pub(super) fn written_output(&self, most: u64) -> Result<Option<File>, String> {
        let unreadable = |error| format!("the output file that it has written cannot be read: {error}");
        let file = match self.folder.open(OUTPUT) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(unreadable)?,
        };
        let found = file.metadata().map_err(unreadable)?;
        match found.is_file() {
            false => Err("what it has left for its output file is no regular file".to_owned()),
            true if found.len() > most => {
                Err(format!("its output file has {} bytes, and {most} are allowed", found.len()))
            }
            true => Ok(Some(file)),
        }
    }

    /// Whether the checker asks for another pass.
    pub(super) fn asks_for_pass(&self) -> bool {
        self.folder.path().join(NEXT_PASS).symlink_metadata().is_ok()
    }

    /// The input of the next pass, which is moved out of the way; nothing if the checker asks for none.
    ///
    /// # Errors
    /// In words, if it is no file, or one that no submission is given.
    pub(super) fn take_next_pass(&self) -> Result<Option<Vec<u8>>, String> {
        if !self.asks_for_pass() {
            return Ok(None);
        }
        let (asked, moved) = (self.folder.path().join(NEXT_PASS), self.folder.path().join(PASS_INPUT));
        let is_fit =
            asked.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() <= MOST_PASS_INPUT);
        if !is_fit {
            return Err(format!("its `{NEXT_PASS}` is no file of 256 MiB or less"));
        }
        fs::rename(&asked, &moved)
            .and_then(|()| fs::set_permissions(&moved, Permissions::from_mode(0o644)))
            .and_then(|()| fs::read(&moved))
            .map(Some)
            .map_err(|error| format!("its `{NEXT_PASS}` cannot be read: {error}"))
    }

    /// The folder, for another call.
    pub(super) fn into_folder(self) -> CallFolder {
        self.folder
    }

    /// The report of testlib.
    pub(super) fn report(&self) -> Option<String> {
        self.read(REPORT)
    }

    /// What a checker said, without the names of the folders of this call and of the program: they mean nothing to anybody, and
    /// are others each time.
    pub(super) fn without_folders(&self, said: &str) -> String {
        let own = [self.folder.path()].into_iter().chain(self.made_in.iter().map(PathBuf::as_path));
        own.fold(self.files.named_in(said), |said, folder| {
            let folder = text(folder);
            said.replace(&format!("{folder}/"), "").replace(&*folder, ".")
        })
    }
}

/// Where a checker was made, if it was.
fn made_in(checker: &CheckerProgram) -> impl Iterator<Item = PathBuf> {
    checker.program.readable.iter().find(|folder| folder.starts_with(&checker.scratch)).cloned().into_iter()
}

/// Puts an output where a protocol wants it: on standard input, or into this file.
fn supply(output: &mut dyn Read, protocol: CheckerProtocol, file: &Path) -> io::Result<Input> {
    if protocol == CheckerProtocol::Kattis {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes)?;
        return Ok(Input::Bytes(bytes));
    }
    io::copy(output, &mut File::create_new(file)?)?;
    // Whatever the umask of the judge.
    fs::set_permissions(file, Permissions::from_mode(0o644))?;
    Ok(Input::Empty)
}

fn unprepared(task: &CheckerTask, error: io::Error) -> Fault {
    Fault::new(format!("preparing the {} {}", task.kind.name(), task.source.display()), error)
}
