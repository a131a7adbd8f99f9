//! One call of a checker or interactor: the folder that it may write to, its arguments,
//! and the files that it leaves there. Does not know what an answer means.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::iter;
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use gridjudge_sandbox::{Fault, Input, Launch, Role, make_folders_above, set_mode};

use crate::checker::call_folder;
use crate::checker::{CallFolder, CaseFiles};
use crate::model::{
    CallArgument, Case, CaseWorth, CheckerImage, CheckerProgram, CheckerTask,
    Problem, SubmittedSources,
};
use crate::text::{JoinedTexts, path_text};

/// The most bytes of a feedback file, or of a picture, that are read.
const MOST_FEEDBACK: u64 = 64 * 1024;

/// The file by which a checker requests another pass, the name that it is moved to, and
/// its maximum size in bytes.
const NEXT_PASS: &str = "nextpass.in";
const PASS_INPUT: &str = "pass-input";
const MOST_PASS_INPUT: u64 = 256 << 20;

/// Outputs that are smaller than this many bytes stay in memory.
const MOST_IN_MEMORY: u64 = 1 << 20;

/// The file of the Kattis format in which a checker leaves its message for judges.
pub(super) const JUDGE_MESSAGE: &str = "judgemessage.txt";

/// The files of the Kattis format, and of DOMjudge, in which a checker leaves messages,
/// in the order in which they are shown.
const MESSAGE_FILES: [&str; 3] = [JUDGE_MESSAGE, "teammessage.txt", "judgeerror.txt"];

/// The empty folder that all checkers work in that see the files of a submission if
/// there are none; none of them may write there.
const NO_FILES: &str = "no-files";

/// The names of output and report in the folder of a call.
const OUTPUT: &str = "output";
const REPORT: &str = "report";

/// A checker or interactor, and what it is asked about.
#[derive(Clone, Copy)]
pub struct CheckerSetup<'a> {
    /// How it is called, and its limits.
    pub task: &'a CheckerTask,
    /// The program.
    pub program: &'a CheckerProgram,
    /// The case.
    pub case: &'a Case,
    /// The points of the case, if the problem has points.
    pub worth: Option<CaseWorth>,
    /// The folder with the files of the submission, if there are any.
    pub submitted: Option<&'a Path>,
    /// The number of the pass, from 1.
    pub pass: u32,
}

impl<'a> CheckerSetup<'a> {
    /// A program that is asked about a case, without files of the submission.
    pub fn new(
        task: &'a CheckerTask,
        program: &'a CheckerProgram,
        case: &'a Case,
        worth: Option<CaseWorth>,
    ) -> Self {
        Self {
            task,
            program,
            case,
            worth,
            submitted: None,
            pass: 1,
        }
    }

    /// The program that judges outputs, or interactions, on a case, if one does.
    pub fn on_case(
        problem: &'a Problem,
        case: &'a Case,
        program: Option<&'a CheckerProgram>,
        submitted: Option<&'a Path>,
    ) -> Option<Self> {
        let task = problem.task_on(&case.name).program()?;
        let worth = problem.scoring.worth_of(&case.name);
        Some(Self {
            submitted,
            ..Self::new(task, program?, case, worth)
        })
    }

    fn unprepared(&self, error: io::Error) -> Fault {
        let kind = self.task.kind.name();
        let source = self.task.source.display();
        Fault::new(format!("preparing the {kind} {source}"), error)
    }

    /// The folder in which the checker was compiled, if it was.
    fn build_folder(&self) -> Option<&'a Path> {
        let CheckerProgram {
            program, scratch, ..
        } = self.program;
        let mut readable = program.readable.iter().map(PathBuf::as_path);
        readable.find(|folder| folder.starts_with(scratch))
    }

    /// Makes the files that the checker finds in its working folder appear there, as
    /// links to its build folder.
    fn link_files(&self, place: &Path) -> io::Result<()> {
        let Some(folder) = self.build_folder() else {
            return Ok(());
        };
        for file in &self.task.files {
            let link = place.join(&file.name);
            // An earlier pass has left them there.
            if link.symlink_metadata().is_err() {
                make_folders_above(&link, place)?;
                symlink(folder.join(&file.name), link)?;
            }
        }
        Ok(())
    }

    /// The role of the checker, whose own folder is `folder`. It works there or, if it
    /// sees the files of a submission, where these are, in which it may only read. The
    /// submission decides what is in its folder, so that must not be where the checker's
    /// feedback is read, nor its `HOME`, where some runtimes look for modules.
    ///
    /// Source: the Kattis problem package format 2025-09, "Working directory".
    fn role(&self, folder: &Path) -> io::Result<Role> {
        let folder = folder.to_owned();
        if !self.task.sees_submission {
            return Ok(Role::Checker { folder });
        }
        let works_in = match self.submitted {
            Some(submitted) => submitted.to_owned(),
            None => {
                let no_files = self.program.scratch.join(NO_FILES);
                match fs::create_dir(&no_files) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                        return Err(error);
                    }
                    _ => set_mode(&no_files, 0o755)?,
                }
                no_files
            }
        };
        Ok(Role::SourceChecker { folder, works_in })
    }
}

/// One prepared call.
pub(super) struct CheckerCall<'a> {
    pub(super) setup: CheckerSetup<'a>,
    pub(super) launch: Launch,
    /// The folder in which the checker leaves its files. It may be used for another
    /// call.
    pub(super) folder: CallFolder,
    files: CaseFiles,
    /// The messages that earlier passes have left, in the order of their files.
    earlier_messages: [String; 3],
    /// The file that standard input is copied from, if it is too large for memory; it
    /// has no name.
    _standard_input: Option<File>,
    /// The folder in which the checker was compiled, if it was, and that of the
    /// submission if it works there.
    build_folders: Vec<PathBuf>,
}

impl<'a> CheckerCall<'a> {
    /// Prepares a call in a folder of its own, or in that of the last pass, on the input
    /// that was left there. Puts the output where the checker reads it; for an
    /// interactor there is none.
    pub(super) fn prepare(
        setup: CheckerSetup<'a>,
        last: Option<CallFolder>,
        output: Option<&mut dyn Read>,
    ) -> Result<Self, Fault> {
        let failed = |error| setup.unprepared(error);
        let task = setup.task;
        let mut input = setup.case.input.clone();
        let folder = match last {
            Some(folder) => {
                input = folder.path.join(PASS_INPUT);
                folder
            }
            None => CallFolder::claim(&setup.program.scratch).map_err(failed)?,
        };
        let place = &folder.path;
        let files = CaseFiles::make_readable(&input, &setup.case.answer, place)
            .map_err(failed)?;
        setup.link_files(place).map_err(failed)?;
        let found = place.join(OUTPUT);
        let mut standard_input = (Input::Empty, None);
        if let Some(output) = output {
            if task.protocol.rules().reads_standard_input() {
                standard_input = on_standard_input(output).map_err(failed)?;
            } else {
                File::create_new(&found)
                    .and_then(|mut file| io::copy(output, &mut file))
                    .and_then(|_| set_mode(&found, 0o644))
                    .map_err(failed)?;
            }
        }
        let arguments =
            call_folder::call_arguments(task, |argument| match argument {
                CallArgument::Input => path_text(&files.input),
                CallArgument::Answer => path_text(&files.answer),
                CallArgument::Output => path_text(&found),
                CallArgument::FeedbackFolder => format!("{}/", path_text(place)),
                CallArgument::ReportFile => path_text(place.join(REPORT)),
                CallArgument::Word(word) => word.to_owned(),
            });
        Self::with_arguments(setup, folder, files, arguments, standard_input)
    }

    /// Prepares the call of a program that reads the sources of a submission.
    pub(super) fn on_sources(
        setup: CheckerSetup<'a>,
        sources: &SubmittedSources,
    ) -> Result<Self, Fault> {
        let folder = CallFolder::claim(&setup.program.scratch)
            .map_err(|error| setup.unprepared(error))?;
        let arguments = vec![
            sources.language.clone(),
            sources.entry_point.clone(),
            format!("{}/", path_text(&folder.path)),
        ];
        let files = CaseFiles::default();
        Self::with_arguments(setup, folder, files, arguments, (Input::Empty, None))
    }

    fn with_arguments(
        setup: CheckerSetup<'a>,
        folder: CallFolder,
        files: CaseFiles,
        arguments: Vec<String>,
        (input, unnamed): (Input, Option<File>),
    ) -> Result<Self, Fault> {
        let arguments = [arguments, setup.task.arguments.clone()].concat();
        let mut launch = folder.launch(&setup.program.program, &arguments, input);
        launch.readable.extend_from_slice(&files.linked);
        launch.role = setup
            .role(&folder.path)
            .map_err(|error| setup.unprepared(error))?;
        let build_folders = setup
            .build_folder()
            .into_iter()
            .chain(launch.role.works_in())
            .map(Path::to_owned)
            .collect();
        let mut call = Self {
            setup,
            launch,
            folder,
            files,
            earlier_messages: Default::default(),
            _standard_input: unnamed,
            build_folders,
        };
        if setup.pass > 1 {
            call.earlier_messages = call.messages();
        }
        Ok(call)
    }

    /// Whether a file, by its path, is the called program or in the folder that it was
    /// compiled in.
    pub(super) fn is_of_program(&self, file: &str) -> bool {
        // The submission knows the folder that the program may work in.
        let mut own = self
            .build_folders
            .iter()
            .filter(|folder| Some(folder.as_path()) != self.launch.role.works_in());
        self.launch.command.iter().any(|word| word == file)
            || own.any(|folder| Path::new(file).starts_with(folder))
    }

    /// The text that the checker has left in a file, without the names of folders;
    /// `None` if there is no such file.
    ///
    /// # Errors
    /// Explains in words why the file cannot be read. Such a file must not count as
    /// absent if it decides anything.
    pub(super) fn read(&self, name: &str) -> Result<Option<String>, String> {
        let bytes = self.start_of(name)?;
        Ok(bytes.map(|bytes| self.without_folders(&String::from_utf8_lossy(&bytes))))
    }

    /// The first bytes of a file that the checker has left. As [`read`](Self::read).
    fn start_of(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some((file, _)) = self.folder.left(name)? else {
            return Ok(None);
        };
        let mut bytes = vec![];
        file.take(MOST_FEEDBACK)
            .read_to_end(&mut bytes)
            .map_err(|error| {
                format!("the file `{name}` that it wrote cannot be read: {error}")
            })?;
        Ok(Some(bytes))
    }

    /// Like [`read`](Self::read), for a file that decides nothing: one that cannot be
    /// read counts as absent.
    pub(super) fn message(&self, name: &str) -> Option<String> {
        self.read(name).ok().flatten()
    }

    /// The texts of all files for messages that there are.
    fn messages(&self) -> [String; 3] {
        MESSAGE_FILES.map(|name| self.message(name).unwrap_or_default())
    }

    /// The messages of this pass: without what earlier ones have left in their files,
    /// which may have been appended to, or be as they were.
    pub(super) fn messages_of_pass(&self) -> String {
        self.messages()
            .iter()
            .zip(&self.earlier_messages)
            .map(|(text, earlier)| text.strip_prefix(&**earlier).unwrap_or(text))
            .joined("\n")
    }

    /// Opens the output file that an interactor has written, of at most `most` bytes.
    /// Returns `None` if it has not created the file, which one with testlib always
    /// does.
    ///
    /// # Errors
    /// Explains in words why the file cannot be given to a checker.
    pub(super) fn written_output(&self, most: u64) -> Result<Option<File>, String> {
        let left = self.folder.left_as(
            OUTPUT,
            "the output file that it has written",
            "what it has left for its output file",
        )?;
        match left {
            Some((_, bytes)) if bytes > most => Err(format!(
                "its output file has {bytes} bytes, and {most} are allowed"
            )),
            left => Ok(left.map(|(file, _)| file)),
        }
    }

    /// Whether the checker asks for another pass.
    ///
    /// # Errors
    /// Explains in words why this cannot be known.
    pub(super) fn asks_for_pass(&self) -> Result<bool, String> {
        match self.folder.path.join(NEXT_PASS).symlink_metadata() {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(format!(
                "whether it wrote `{NEXT_PASS}` cannot be known: {error}"
            )),
        }
    }

    /// Reads the input of the next pass, and renames its file so that it does not
    /// request another one. Returns `None` if the checker requests no pass.
    ///
    /// # Errors
    /// Explains in words why the file cannot be given to a submission.
    pub(super) fn take_next_pass(&self) -> Result<Option<Vec<u8>>, String> {
        if !self.asks_for_pass()? {
            return Ok(None);
        }
        let asked = self.folder.path.join(NEXT_PASS);
        let moved = self.folder.path.join(PASS_INPUT);
        let is_fit = asked
            .symlink_metadata()
            .is_ok_and(|found| found.is_file() && found.len() <= MOST_PASS_INPUT);
        if !is_fit {
            return Err(format!(
                "its `{NEXT_PASS}` is not a file of at most 256 MiB"
            ));
        }
        fs::rename(&asked, &moved)
            .and_then(|()| set_mode(&moved, 0o644))
            .and_then(|()| fs::read(&moved))
            .map(Some)
            .map_err(|error| format!("its `{NEXT_PASS}` cannot be read: {error}"))
    }

    /// The report that a testlib checker has written; empty if there is none.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn report(&self) -> Result<String, String> {
        self.read(REPORT).map(Option::unwrap_or_default)
    }

    /// Removes the paths of the folders of this call and of the program from a text:
    /// they mean nothing to a reader, and differ each time.
    pub(super) fn without_folders(&self, said: &str) -> String {
        iter::once(&self.folder.path)
            .chain(&self.build_folders)
            .fold(self.files.named_in(said), |said, folder| {
                let folder = path_text(folder);
                said.replace(&format!("{folder}/"), "")
                    .replace(&*folder, ".")
            })
    }
}

/// Puts an output on standard input. A large one goes to a file without a name, which
/// must stay open until the call is over.
fn on_standard_input(output: &mut dyn Read) -> io::Result<(Input, Option<File>)> {
    let mut bytes = vec![];
    output.take(MOST_IN_MEMORY).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < MOST_IN_MEMORY {
        return Ok((Input::Bytes(bytes), None));
    }
    let mut unnamed = tempfile::tempfile()?;
    unnamed.write_all(&bytes)?;
    io::copy(output, &mut unnamed)?;
    let path = format!("/proc/self/fd/{}", unnamed.as_raw_fd());
    Ok((Input::CopyOf(path.into()), Some(unnamed)))
}

// The files that a checker leaves besides its messages: pictures, and the place of the
// first difference. Knows their names and forms; what follows from them is decided
// elsewhere.
//
// Sources: the Kattis problem package format, "Feedback files"; DOMjudge's manual,
// "Output validators".

/// The names of pictures, without their endings.
const PICTURES: [&str; 2] = ["judgeimage", "teamimage"];

/// The most pictures of one call.
const MOST_PICTURES: usize = 4;

/// The file with the byte offsets of a difference, in the answer and in the output.
const POSITION: &str = "diffposition.txt";

impl CheckerCall<'_> {
    /// The names and sizes of the pictures that the checker has drawn, in the order of
    /// their names.
    pub(super) fn pictures(&self) -> Vec<(String, u64)> {
        let mut pictures: Vec<_> = fs::read_dir(&self.folder.path)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let stem = Path::new(&name).file_stem()?.to_str()?;
                let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                PICTURES.contains(&stem).then_some((name, found.len()))
            })
            .collect();
        pictures.sort();
        pictures.truncate(MOST_PICTURES);
        pictures
    }

    /// The pictures that the checker has drawn, with the contents of those that are not
    /// too large.
    pub(super) fn images(&self) -> Vec<CheckerImage> {
        self.pictures()
            .into_iter()
            .map(|(name, bytes)| {
                let contents = self.start_of(&name).ok().flatten();
                let data = contents
                    .filter(|_| bytes <= MOST_FEEDBACK)
                    .map(|contents| BASE64.encode(&contents));
                CheckerImage { name, bytes, data }
            })
            .collect()
    }

    /// The byte of the output at which the checker found a difference, if it says so.
    pub(super) fn output_position(&self) -> Option<u64> {
        let text = self.message(POSITION)?;
        let (answer, output) = text.trim().split_once(' ')?;
        answer.parse::<u64>().ok().and(output.trim().parse().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_output_for_standard_input_is_in_a_file_without_a_name_and_a_small_one_in_memory()
     {
        for bytes in [
            0,
            7,
            MOST_IN_MEMORY - 1,
            MOST_IN_MEMORY,
            3 * MOST_IN_MEMORY + 1,
        ] {
            let output: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
            let (input, unnamed) = on_standard_input(&mut &output[..]).unwrap();
            let found = match (&input, &unnamed) {
                (Input::Bytes(found), None) if bytes < MOST_IN_MEMORY => {
                    found.clone()
                }
                (Input::CopyOf(path), Some(_)) if bytes >= MOST_IN_MEMORY => {
                    fs::read(path).unwrap()
                }
                _ => panic!("{bytes} bytes are in the wrong place"),
            };
            assert!(found == output, "{bytes}");
        }
    }
}
