//! The folder that one call of a checker works in, and the files of a case in it, as
//! copies, or as links if they are large. Folders are emptied and reused, so that the
//! sandbox can reuse what it has prepared for them. Each thread prefers the folder that
//! it used last. Knows no protocol. Start at [`CallFolder::claim`].

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::{Input, Launch, Role, set_mode};
use rustix::fs::{FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use crate::model::{
    CallArgument, Case, CheckerTask, JudgingProgramKind, Program, file_name,
};
use crate::text::{JoinedTexts, lines_with_text, path_text, shell_word};

/// The prefix of the names of these folders.
const PREFIX: &str = "call-";

/// The mode of a folder for its owner alone: the judge or, during a call, the user that
/// the program runs as.
const OWNERS: u32 = 0o700;

thread_local! {
    static LAST_NUMBER: Cell<u32> = const { Cell::new(0) };
}

/// A folder for one call, empty at first. It is emptied again when this is dropped.
pub(super) struct CallFolder {
    pub(super) path: PathBuf,
    /// The opened folder, locked while it is in use.
    lock: File,
    /// The size of the folder itself when it is empty, in bytes and in blocks.
    size: (u64, u64),
}

impl CallFolder {
    /// Claims a folder that is not in use, or creates one.
    ///
    /// # Errors
    /// Fails if a folder cannot be created or opened.
    pub(super) fn claim(scratch: &Path) -> io::Result<Self> {
        let preferred = LAST_NUMBER.get();
        for number in [preferred].into_iter().chain(0..) {
            let path = scratch.join(format!("{PREFIX}{number}"));
            if let Some(lock) = locked(&path)? {
                LAST_NUMBER.set(number);
                // Other users must not read the copies of inputs and answers: they may
                // not be allowed to read the originals.
                set_mode(&path, OWNERS)?;
                let size = size(&lock)?;
                return Ok(Self { path, lock, size });
            }
        }
        unreachable!("there are more numbers than folders")
    }
}

impl Drop for CallFolder {
    fn drop(&mut self) {
        // On most file systems a folder that had many files stays as large as it was.
        let is_like_new = gridjudge_sandbox::empty_folder(&self.path).is_ok()
            && size(&self.lock).is_ok_and(|size| size == self.size)
            && !has_attributes(&self.lock);
        if !is_like_new {
            let _ = gridjudge_sandbox::remove_tree(&self.path);
        }
    }
}

fn size(folder: &File) -> io::Result<(u64, u64)> {
    folder
        .metadata()
        .map(|found| (found.size(), found.blocks()))
}

/// Whether a call has set attributes or an access list on the folder. Those of the
/// system itself do not count.
fn has_attributes(folder: &File) -> bool {
    let mut names = [0_u8; 4096];
    match rustix::fs::flistxattr(folder, &mut names) {
        Ok(bytes) => names[..bytes].split(|byte| *byte == 0).any(|name| {
            name.starts_with(b"user.") || name.starts_with(b"system.posix_acl")
        }),
        // There are too many names for the buffer.
        Err(error) => error == Errno::RANGE,
    }
}

/// Opens what is at a path for reading, with these flags; `None` if there is nothing.
fn opened(path: &Path, flags: OFlags) -> Result<Option<File>, Errno> {
    match rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::empty()) {
        Err(Errno::NOENT) => Ok(None),
        opened => Ok(Some(opened?.into())),
    }
}

/// Opens and locks the folder at a path, and creates it if there is none. Returns
/// `None` if it is in use or not empty.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let is_new = match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        made => made.map(|()| true)?,
    };
    if is_new {
        set_mode(path, OWNERS)?;
    }
    let folder = match opened(path, OFlags::DIRECTORY | OFlags::NOFOLLOW) {
        Ok(Some(folder)) => folder,
        // Its last user could not empty it, and has just removed it.
        Ok(None) => return Ok(None),
        // A call in progress has removed the permission to read it.
        Err(Errno::ACCESS | Errno::PERM) if !is_new => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match rustix::fs::flock(&folder, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => {}
        Err(Errno::WOULDBLOCK) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    let is_there = path.symlink_metadata().is_ok_and(|found| {
        folder
            .metadata()
            .is_ok_and(|own| (own.dev(), own.ino()) == (found.dev(), found.ino()))
    });
    let is_free = is_there && fs::read_dir(path)?.next().is_none();
    Ok(is_free.then_some(folder))
}

impl CallFolder {
    /// The launch of a program of the problem that works in this folder, as checkers
    /// do.
    pub(super) fn launch(
        &self,
        program: &Program,
        arguments: &[String],
        input: Input,
    ) -> Launch {
        Launch {
            command: [&program.command, arguments].concat(),
            role: Role::Checker {
                folder: self.path.clone(),
            },
            ..program.on(input)
        }
    }

    /// Opens a file that the program has left; `None` if there is none. Returns its
    /// size, too.
    ///
    /// # Errors
    /// Explains in words why the file cannot be read.
    pub(super) fn left(&self, name: &str) -> Result<Option<(File, u64)>, String> {
        self.left_as(
            name,
            &format!("the file `{name}` that it wrote"),
            &format!("what it left as `{name}`"),
        )
    }

    /// Like [`left`](Self::left), with words for the file, and for anything else in its
    /// place.
    pub(super) fn left_as(
        &self,
        name: &str,
        the_file: &str,
        what_it_left: &str,
    ) -> Result<Option<(File, u64)>, String> {
        let unreadable =
            |error: io::Error| format!("{the_file} cannot be read: {error}");
        // Follows no link, and does not block, for example on a pipe.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let Some(file) = opened(&self.path.join(name), flags)
            .map_err(|error| unreadable(error.into()))?
        else {
            return Ok(None);
        };
        let found = file.metadata().map_err(unreadable)?;
        if !found.is_file() {
            return Err(format!("{what_it_left} is not a regular file"));
        }
        Ok(Some((file, found.len())))
    }
}

// The last line that a program wrote, for use after its exit code in a message.

/// The most letters of a line that are shown.
const LONGEST_LINE: usize = 200;

/// The last line of standard error, else of standard output, after a colon; empty if
/// there is none.
pub(super) fn last_words(printed: &[u8], errors: &[u8]) -> String {
    let last = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let line = lines_with_text(&text).next_back()?;
        Some(line.chars().take(LONGEST_LINE).collect::<String>())
    };
    last(errors)
        .or_else(|| last(printed))
        .map_or_else(String::new, |line| format!(": {line}"))
}

/// The names of the files in the folder of a call. They are the same for all cases: a
/// checker that is given the name of a case may answer by it, and a cached answer would
/// outlive that name.
const INPUT: &str = ".input";
const ANSWER: &str = ".answer";

/// The most bytes of a file that is copied: copying this much takes about as long as
/// making the file itself visible in the sandbox.
const LARGEST_COPY: u64 = 2 << 20;

/// Paths of a case's input and answer that a checker can read; both empty if it needs
/// neither.
#[derive(Default)]
pub(super) struct CaseFiles {
    pub(super) input: PathBuf,
    pub(super) answer: PathBuf,
    /// The files that links in the folder lead to, which the checker must be able to
    /// read too.
    pub(super) linked: Vec<PathBuf>,
    /// The path of each file in the folder, and that of its original.
    originals: Vec<(String, String)>,
}

impl CaseFiles {
    /// Makes the two readable for a program that works in a folder.
    ///
    /// # Errors
    /// Fails if one of them cannot be read, copied or linked.
    pub(super) fn make_readable(
        input: &Path,
        answer: &Path,
        folder: &Path,
    ) -> io::Result<Self> {
        let mut files = Self::default();
        files.input = files.put(input, folder.join(INPUT))?;
        files.answer = files.put(answer, folder.join(ANSWER))?;
        Ok(files)
    }

    /// Makes a file readable under a path, unless it is in the same folder already, as
    /// the input of a later pass is. Returns the path at which the checker can read it.
    ///
    /// Usually it is copied, because making a file elsewhere visible in the sandbox
    /// takes longer. It is linked if it is large and every user may read it: the
    /// checker may run as another user.
    fn put(&mut self, file: &Path, shown: PathBuf) -> io::Result<PathBuf> {
        let path = std::path::absolute(file)?;
        let found = path.metadata()?;
        let is_for_all = found.mode() & 0o004 != 0;
        if is_for_all && path.parent() == shown.parent() {
            return Ok(path);
        }
        // The checker may have left anything there in an earlier pass.
        if shown.symlink_metadata().is_ok() {
            fs::remove_file(&shown)?;
        }
        self.originals.push((path_text(&shown), path_text(file)));
        if is_for_all && found.len() > LARGEST_COPY {
            symlink(&path, &shown)?;
            self.linked.push(path);
            return Ok(shown);
        }
        io::copy(&mut File::open(&path)?, &mut File::create_new(&shown)?)?;
        set_mode(&shown, 0o644)?;
        Ok(shown)
    }

    /// Replaces the paths of files in the folder in a text by those of their originals.
    pub(super) fn named_in(&self, said: &str) -> String {
        self.originals
            .iter()
            .fold(said.to_owned(), |said, (shown, file)| {
                said.replace(shown, file)
            })
    }
}

// The arguments of a checker or interactor, and the command that repeats a call. Pure.

/// The arguments of a program: its own, or those of the protocol, in its order.
pub(super) fn call_arguments(
    task: &CheckerTask,
    word: impl Fn(CallArgument) -> String,
) -> Vec<String> {
    if let Some(words) = &task.call {
        let paths = [
            ("{input_file}", word(CallArgument::Input)),
            ("{output_file}", word(CallArgument::Output)),
            ("{answer_file}", word(CallArgument::Answer)),
        ];
        let words = words.iter();
        let filled = words.map(|word| {
            let mut word = word.clone();
            for (name, path) in &paths {
                word = word.replace(name, path);
            }
            word
        });
        return filled.collect();
    }
    let arguments = task.protocol.rules().arguments(task.kind);
    arguments
        .unwrap_or_default()
        .iter()
        .copied()
        .map(word)
        .collect()
}

/// The command that repeats a call, with the source instead of the compiled program,
/// and placeholders for temporary files.
pub(super) fn shown_call(task: &CheckerTask, case: &Case, pass: u32) -> String {
    let is_static = task.kind == JudgingProgramKind::StaticValidator;
    let default = if is_static {
        ["LANGUAGE", "ENTRY_POINT", "FEEDBACK/"]
            .map(str::to_owned)
            .to_vec()
    } else {
        call_arguments(task, |argument| match argument {
            CallArgument::Input if pass > 1 => "INPUT".to_owned(),
            CallArgument::Input => kept_path(&case.input, "INPUT"),
            CallArgument::Answer => kept_path(&case.answer, "ANSWER"),
            CallArgument::Output => "OUTPUT".to_owned(),
            CallArgument::FeedbackFolder => "FEEDBACK/".to_owned(),
            CallArgument::ReportFile => "REPORT".to_owned(),
            CallArgument::Word(word) => word.to_owned(),
        })
    };
    let source = [kept_path(&task.source, &file_name(&task.source))];
    let words = source
        .iter()
        .chain(&default)
        .chain(&task.arguments)
        .map(|word| shell_word(word))
        .joined(" ");
    let reads_output = task.protocol.rules().reads_standard_input()
        && task.kind != JudgingProgramKind::Interactor
        && !is_static;
    let from = if reads_output { " < OUTPUT" } else { "" };
    format!("{words}{from}")
}

/// A path, or a word for one that is gone when somebody reads of it, as of an unpacked
/// file or a copy with other line breaks.
fn kept_path(path: &Path, word: &str) -> String {
    let text = path_text(path);
    if text.contains("/.gridjudge-unfinished-") {
        word.to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use rustix::thread::{CapabilitySet, CapabilitySets};

    use super::*;

    #[test]
    fn a_folder_is_reused_and_empty() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let path = first.path.clone();
        fs::create_dir_all(path.join("a/b")).unwrap();
        fs::write(path.join("a/b/c"), "left").unwrap();
        set_mode(&path, 0o000).unwrap();
        drop(first);
        let again = CallFolder::claim(scratch.path()).unwrap();
        assert_eq!(again.path, path);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        assert_eq!(path.metadata().unwrap().mode() & 0o777, OWNERS);
    }

    #[test]
    fn a_folder_that_has_grown_is_not_reused() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let empty = size(&first.lock).unwrap();
        for number in 0..1000 {
            fs::write(first.path.join(format!("{number:0100}")), "").unwrap();
        }
        drop(first);
        assert_eq!(
            size(&CallFolder::claim(scratch.path()).unwrap().lock).unwrap(),
            empty
        );
    }

    #[test]
    fn a_folder_that_could_not_be_emptied_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let path = CallFolder::claim(scratch.path()).unwrap().path.clone();
        fs::write(path.join("left"), "").unwrap();
        assert_ne!(CallFolder::claim(scratch.path()).unwrap().path, path);
    }

    #[test]
    fn a_folder_that_its_call_has_made_unreadable_is_skipped() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        set_mode(&first.path, 0o000).unwrap();
        let claimed = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                // Behave like a judge that is not root.
                let none = CapabilitySet::empty();
                let sets = CapabilitySets {
                    effective: none,
                    permitted: none,
                    inheritable: none,
                };
                rustix::thread::set_capabilities(None, sets).unwrap();
                CallFolder::claim(scratch.path()).map(|folder| folder.path.clone())
            });
            other.join().unwrap()
        });
        assert_ne!(claimed.unwrap(), first.path);
    }

    #[test]
    fn a_folder_with_attributes_is_not_reused() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let lock = File::open(&first.path).unwrap();
        let set = rustix::fs::fsetxattr(
            &lock,
            c"user.left",
            b"word",
            rustix::fs::XattrFlags::empty(),
        );
        // Not every file system supports attributes.
        if set == Err(Errno::NOTSUP) {
            return;
        }
        set.unwrap();
        let path = first.path.clone();
        drop(first);
        assert!(!path.exists());
        assert!(!has_attributes(
            &CallFolder::claim(scratch.path()).unwrap().lock
        ));
    }

    #[test]
    fn two_calls_at_once_have_folders_of_their_own() {
        let scratch = tempfile::tempdir().unwrap();
        let first = CallFolder::claim(scratch.path()).unwrap();
        let other = CallFolder::claim(scratch.path()).unwrap();
        assert_ne!(first.path, other.path);
        let there = std::thread::scope(|scope| {
            scope
                .spawn(|| CallFolder::claim(scratch.path()).unwrap().path.clone())
                .join()
                .unwrap()
        });
        assert!(there != first.path && there != other.path);
    }
}
