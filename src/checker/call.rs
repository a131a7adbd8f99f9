//! One call of a checker: the folder that it may write to, its arguments, and the files that it leaves there. Knows where
//! each protocol wants the output, and nothing of what an answer means.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::OFlags;
use tempfile::TempDir;

use crate::model::Case;
use crate::model::CheckerProgram;
use crate::model::CheckerProtocol;
use crate::model::CheckerTask;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Role;

/// Bytes of a file of feedback that are read.
const MOST_FEEDBACK: u64 = 64 * 1024;

/// The output, and the report, in the folder of a call.
const OUTPUT: &str = "output";
const REPORT: &str = "report";

/// One call, made ready.
pub(super) struct CheckerCall {
    pub(super) launch: Launch,
    folder: CheckerFolder,
    /// Where the program was made, if it was.
    program_folder: Option<PathBuf>,
}

/// The folder of a call. It goes with its value, whatever a checker has made in it.
pub(super) struct CheckerFolder(TempDir);

impl CheckerFolder {
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for CheckerFolder {
    fn drop(&mut self) {
        let _ = gridjudge_sandbox::remove_tree(self.0.path());
    }
}

impl CheckerCall {
    /// Makes the folder, and puts the output where the checker reads it.
    pub(super) fn prepare(
        task: &CheckerTask,
        checker: &CheckerProgram,
        case: &Case,
        output: &mut dyn Read,
    ) -> Result<Self, Fault> {
        let failed = |error| Fault::new(format!("preparing the checker {}", task.source.display()), error);
        let folder = make_folder(&checker.scratch).map_err(failed)?;
        let absolute = |path: &Path| std::path::absolute(path).map_err(failed);
        let place = folder.0.path();
        let shown = |path: &Path, name| readable(absolute(path)?, &place.join(name)).map_err(failed);
        let (input, answer) = (shown(&case.input, "input")?, shown(&case.answer, "answer")?);
        let (standard_input, arguments) = match task.protocol {
            CheckerProtocol::Kattis => {
                let mut bytes = Vec::new();
                output.read_to_end(&mut bytes).map_err(failed)?;
                // The format asks for a slash at the end.
                let feedback = format!("{}/", text(place));
                (Input::Bytes(bytes), vec![text(&input), text(&answer), feedback])
            }
            protocol => {
                let found = place.join(OUTPUT);
                io::copy(output, &mut File::create_new(&found).map_err(failed)?).map_err(failed)?;
                // Whatever the umask of the judge.
                fs::set_permissions(&found, Permissions::from_mode(0o644)).map_err(failed)?;
                let mut arguments = vec![text(&input), text(&found), text(&answer)];
                if protocol == CheckerProtocol::Testlib {
                    arguments.extend([text(&place.join(REPORT)), "-appes".to_owned()]);
                }
                (Input::Empty, arguments)
            }
        };
        let launch = Launch {
            command: [&checker.program.command, &arguments, &task.arguments].map(Vec::as_slice).concat(),
            environment: checker.program.environment.clone(),
            input: standard_input,
            readable: checker.program.readable.iter().cloned().chain([input, answer]).collect(),
            role: Role::Tool { folder: place.to_owned() },
        };
        let made = |folder: &&PathBuf| folder.starts_with(&checker.scratch);
        let program_folder = checker.program.readable.iter().find(made).cloned();
        Ok(Self { launch, folder, program_folder })
    }

    /// What the checker has left in a file, without the names of folders; nothing if it is not there, or no regular file.
    pub(super) fn read(&self, name: &str) -> Option<String> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let path = self.folder.0.path().join(name);
        let opened = File::options().read(true).custom_flags(flags.bits().cast_signed()).open(path);
        let file = opened.ok().filter(|file| file.metadata().is_ok_and(|found| found.is_file()))?;
        let mut bytes = Vec::new();
        file.take(MOST_FEEDBACK).read_to_end(&mut bytes).ok()?;
        Some(self.without_folders(&String::from_utf8_lossy(&bytes)))
    }

    /// The report of testlib.
    pub(super) fn report(&self) -> Option<String> {
        self.read(REPORT)
    }

    /// What a checker said, without the names of the folders of this call and of the program: they mean nothing to anybody, and
    /// are others each time.
    pub(super) fn without_folders(&self, said: &str) -> String {
        let own = [self.folder.0.path()].into_iter().chain(self.program_folder.as_deref());
        own.fold(said.to_owned(), |said, folder| said.replace(&format!("{}/", text(folder)), ""))
    }
}

/// The command that repeats a call, with the source in place of what was made of it, and with names for what is gone.
pub(super) fn shown(task: &CheckerTask, case: &Case) -> String {
    let (input, answer) = (text(&case.input), text(&case.answer));
    let usual = match task.protocol {
        CheckerProtocol::Kattis => [input, answer, "FEEDBACK/".to_owned()].to_vec(),
        CheckerProtocol::Testlib => {
            [input, "OUTPUT".to_owned(), answer, "REPORT".to_owned(), "-appes".to_owned()].to_vec()
        }
        CheckerProtocol::Oj => [input, "OUTPUT".to_owned(), answer].to_vec(),
    };
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+=,:".contains(letter);
    let quote = |word: &String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let words: Vec<_> = [text(&task.source)].iter().chain(&usual).chain(&task.arguments).map(quote).collect();
    let from = if task.protocol == CheckerProtocol::Kattis { " < OUTPUT" } else { "" };
    format!("{}{from}", words.join(" "))
}

/// A file of a case as the checker may read it: where it stands, or a copy if not every user may read it there, for the checker
/// may run as another.
fn readable(path: PathBuf, copy: &Path) -> io::Result<PathBuf> {
    if path.metadata()?.permissions().mode() & 0o004 != 0 {
        return Ok(path);
    }
    fs::copy(&path, copy)?;
    fs::set_permissions(copy, Permissions::from_mode(0o644))?;
    Ok(copy.to_owned())
}

/// A folder for one call of a program, which it may write to.
pub(super) fn make_folder(scratch: &Path) -> io::Result<CheckerFolder> {
    let folder = tempfile::Builder::new().prefix("checked-").tempdir_in(scratch)?;
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
    Ok(CheckerFolder(folder))
}

fn text(path: &Path) -> String {
    PathBuf::from(path).to_string_lossy().into_owned()
}
