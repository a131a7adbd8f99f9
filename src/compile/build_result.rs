//! What compiling a submission leads to, and why it failed in a few words: the tool
//! that this machine lacks, the limit that the compiler broke, or how it ended and that
//! no limit was to blame. Knows runs and limits; decides nothing.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use gridjudge_sandbox::{DiskSpace, Exit, Fault, Limits, Run, Usage, set_mode};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::model::{
    AdditionalSources, Language, Program, Submission, ToolSource, UnusableLanguage,
    Verdict, micros,
};
use crate::text::{
    JoinedTexts, lines_with_text, mebibytes, round_size, round_time, time,
};

/// A program that can be run.
pub struct BuiltProgram {
    /// The program.
    pub program: Program,
    /// The folder with its files, which is removed when this is dropped.
    pub folder: BuildFolder,
}

/// Why a submission or another program cannot be run.
#[derive(Clone, Debug)]
pub enum PrepareFailure {
    /// It is refused.
    Refused(SubmissionRefusal),
    /// This machine lacks what its language needs.
    Unavailable(UnusableLanguage),
    /// The judge failed.
    Faulted(Fault),
}

/// Why a submission is refused: by its compiler, which may have broken a limit on it,
/// or before it is compiled or run, for example because its source is too long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SubmissionRefusal {
    /// The reason in a few words.
    pub reason: Arc<str>,
    /// Everything that is wrong with the submission, or the compiler's output, at most
    /// 64 KiB.
    pub output: Arc<str>,
}

impl PrepareFailure {
    /// Why it cannot be run, in words.
    ///
    /// # Errors
    /// Returns the fault if the judge failed.
    pub fn why(self) -> Result<String, Fault> {
        match self {
            Self::Refused(refusal) => Ok(refusal.in_words()),
            Self::Unavailable(unusable) => Ok(unusable.cause),
            Self::Faulted(fault) => Err(fault),
        }
    }

    /// Converts it into a fault, for callers that need the program: the judge failed
    /// at `doing` this.
    pub fn into_fault(self, doing: impl Into<String>) -> Fault {
        match self {
            Self::Refused(refusal) => Fault::because(doing, refusal.in_words()),
            Self::Unavailable(unusable) => unusable.into_fault(doing),
            Self::Faulted(fault) => fault,
        }
    }
}

impl From<Fault> for PrepareFailure {
    fn from(fault: Fault) -> Self {
        Self::Faulted(fault)
    }
}

/// The failure if a tool of the language is not installed.
pub(super) fn missing_command(language: &Language, command: &str) -> PrepareFailure {
    let package = language.package.as_ref();
    PrepareFailure::Unavailable(UnusableLanguage {
        cause: format!("`{command}` is not installed"),
        remedy: match package {
            Some(package) => {
                format!("install it, on Debian with `apt-get install {package}`")
            }
            None => format!("install what brings `{command}`"),
        },
        package: package.cloned(),
    })
}

/// The failure if the judge could start the runtime, but the user of submissions cannot.
pub(super) fn out_of_reach(runtime: &Path) -> PrepareFailure {
    PrepareFailure::Unavailable(UnusableLanguage {
        cause: format!(
            "the user that submissions run as cannot start {}",
            runtime.display()
        ),
        remedy: "install it where every user may start it, as in /usr/local, or judge as an \
                 ordinary user"
            .to_owned(),
        package: None,
    })
}

// The folder that a submission is compiled in. It is removed when its value is dropped,
// however deeply nested its contents are: a submission can influence what its compiler
// creates.

/// A folder that every user may read.
pub struct BuildFolder(TempDir);

impl BuildFolder {
    /// Creates a folder in `place`.
    ///
    /// # Errors
    /// Fails if a folder cannot be created there.
    pub(crate) fn make(place: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("made-").tempdir_in(place)?;
        // Submissions may run as another user, who must be able to read the program.
        set_mode(folder.path(), 0o755)?;
        Ok(Self(folder))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for BuildFolder {
    /// Anything that cannot be removed now is removed with the judge's private folder
    /// around it.
    fn drop(&mut self) {
        let _ = gridjudge_sandbox::remove_tree(self.path());
    }
}

// What a program is compiled from. Plain data, borrowed from whatever describes the
// program.

/// What a submission, a checker or another program of a problem is compiled from.
#[derive(Clone, Copy, Debug)]
pub struct ProgramSource<'a> {
    /// Its source, or an executable.
    pub source: &'a Submission,
    /// The other files that it is compiled from.
    pub additional_sources: &'a AdditionalSources,
    /// Its language; `None` for an executable.
    pub language: Option<&'a Language>,
    /// The most memory that a run of it may use, for languages whose runtime needs to
    /// know it.
    pub memory_bytes: u64,
    /// Whether it is a submission: then all its files belong to it. Those of other
    /// programs may only lie beside them.
    pub is_submission: bool,
    /// Whether its source keeps its name in any language, because a program of the
    /// problem sees it.
    pub keeps_name: bool,
}

impl<'a> ProgramSource<'a> {
    /// What a program that is no submission is compiled from.
    pub fn of_tool(tool: &'a ToolSource) -> Self {
        Self {
            source: &tool.source,
            additional_sources: &tool.additional_sources,
            language: tool.language.as_deref(),
            memory_bytes: tool.memory_bytes,
            is_submission: false,
            keeps_name: true,
        }
    }
}

/// Messages of compilers about failures of their own, not of the source.
const OWN_FAILURES: [&str; 5] = [
    "internal compiler error",
    "signal terminated program",
    "compiler unexpectedly panicked",
    "PLEASE submit a bug report",
    "An exception has occurred in the compiler",
];

/// Words in messages of compilers that lacked something on this machine or lost a part
/// of themselves, as a linker, in lower case. Other messages may contain them, too.
const SCARCITY: [&str; 15] = [
    "memory",
    "resource temporarily",
    "fork",
    "spawn",
    "thread",
    "cannot execute",
    "no space left",
    "quota",
    "input/output error",
    "too many open files",
    "killed",
    "signal",
    "bus error",
    "link",
    "exit code: -",
];

/// The most lines of a compiler's output that are shown with the reason, and the most
/// letters of them.
const MOST_LINES: usize = 8;
const MOST_LETTERS: usize = 1000;

/// The message of a compiler driver whose assembler or linker broke the limit on file
/// sizes.
const TOO_LARGE: &str = "File size limit exceeded";

impl SubmissionRefusal {
    /// The reason with a few lines of the compiler's output, from the first error on.
    pub fn in_words(&self) -> String {
        let Self { reason, output } = self;
        let first = lines_with_text(output)
            .position(|line| line.contains("error"))
            .unwrap_or(0);
        let said = lines_with_text(output)
            .skip(first)
            .take(MOST_LINES)
            .joined(" / ");
        match said.char_indices().nth(MOST_LETTERS) {
            _ if said.is_empty() => reason.to_string(),
            None => format!("{reason}: {said}"),
            Some((end, _)) => format!("{reason}: {} ...", &said[..end]),
        }
    }
}

/// Whether something else than the source may have made a compiler fail that said this.
pub(crate) fn may_be_of_machine(said: &str) -> bool {
    let lower = said.to_lowercase();
    SCARCITY.iter().any(|words| lower.contains(words))
        || OWN_FAILURES.iter().any(|words| said.contains(words))
        || said.contains(TOO_LARGE)
}

/// Explains in a few words why a compiler has failed that broke a limit or ended with
/// an error.
pub(crate) fn reason(
    breach: Verdict,
    run: &Run,
    limits: &Limits,
    said: &str,
) -> String {
    use Verdict::*;

    let limit = match breach {
        OutputLimit => round_size(limits.output_bytes),
        MemoryLimit => round_size(limits.memory_bytes),
        TimeLimit => {
            format!("{} of CPU time", round_time(micros(limits.cpu)))
        }
        IdleLimit => {
            format!("{} of wall time", round_time(micros(limits.wall)))
        }
        RuntimeError | Accepted | WrongAnswer | PresentationError | CompileError
        | Skipped => return bad_exit(run, limits, said),
    };
    format!("compiling: {} ({limit})", breach.meaning())
}

/// Explains how a compiler ended that broke no limit that is measured.
fn bad_exit(run: &Run, limits: &Limits, said: &str) -> String {
    let ended = format!("the compiler ended with {}", run.exit);
    if said.contains(TOO_LARGE) {
        let most = rustix::process::getrlimit(rustix::process::Resource::Fsize)
            .maximum
            .unwrap_or(u64::MAX)
            .min(limits.output_bytes);
        return format!(
            "{ended}, for it wrote a file of more than {}",
            round_size(most)
        );
    }
    let is_its_own = OWN_FAILURES.iter().any(|words| said.contains(words));
    match run.exit {
        Exit::Signal(_) => format!("{ended}, {}", within(&run.usage, limits)),
        Exit::Code(_) if is_its_own => {
            format!(
                "{ended}, an error of its own, {}",
                within(&run.usage, limits)
            )
        }
        Exit::Code(_) => ended,
    }
}

/// States that no limit is to blame, with the figures that show it.
fn within(usage: &Usage, limits: &Limits) -> String {
    let cpu = time(micros(usage.cpu));
    let of_cpu = round_time(micros(limits.cpu));
    let memory = mebibytes(usage.peak_memory_bytes);
    let of_memory = round_size(limits.memory_bytes);
    format!(
        "within its limits (it used {cpu} of {of_cpu} and {memory} of {of_memory})"
    )
}

// Decides whether a compiler may have failed because the disk is full: that is a fault
// of the machine, not of the source. Knows disks and the messages of compilers about
// them; decides nothing about submissions.

/// Messages of compilers about a failing disk, in lower case. A source can make them
/// print the same, so the disk itself is checked too.
const DISK_MESSAGES: [&str; 4] = [
    "no space left on device",
    "quota exceeded",
    "input/output error",
    "bus error",
];

/// The room that is little for a compiler whose files may have this many bytes each:
/// with less, one that complains may be right, for it has already removed its
/// unfinished files.
fn little(most_bytes: u64) -> DiskSpace {
    DiskSpace {
        bytes: most_bytes.saturating_mul(2),
        files: 4096,
    }
}

/// How many bytes are written to test the disk.
const TRIAL: usize = 1 << 20;

/// Why, and how certainly, a disk is to blame.
#[derive(Debug, PartialEq)]
pub(crate) enum Blame {
    /// It certainly is.
    Sure(String),
    /// The compiler says so, and little space is left; but the source may have made it
    /// say so.
    Doubtful(String),
}

/// Returns why the disk of `folder`, in which a compiler has just failed with the
/// output `said`, may be to blame. Each of its files may have `most_bytes`.
pub(crate) fn disk_problem(
    folder: &Path,
    said: &str,
    most_bytes: u64,
) -> Option<Blame> {
    let left = DiskSpace::measure(folder).ok()?;
    let complains = names_the_disk(said);
    if let Some(blame) = blame(left, little(most_bytes), complains) {
        return Some(blame);
    }
    complains
        .then(|| write_something(folder).err())
        .flatten()
        .and_then(blame_for)
}

/// Returns whether this error of writing to a disk is the disk's fault.
fn blame_for(error: io::Error) -> Option<Blame> {
    let is_its_fault = matches!(
        Errno::from_io_error(&error),
        Some(Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::ROFS)
    );
    is_its_fault
        .then(|| Blame::Sure(format!("the disk cannot be written to: {error}")))
}

fn names_the_disk(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    DISK_MESSAGES
        .iter()
        .any(|complaint| said.contains(complaint))
}

fn blame(left: DiskSpace, little: DiskSpace, complains: bool) -> Option<Blame> {
    let message = "the disk is full".to_owned();
    if left.is_full() {
        Some(Blame::Sure(message))
    } else if complains && left.is_less_than(little) {
        Some(Blame::Doubtful(message))
    } else {
        None
    }
}

fn write_something(folder: &Path) -> io::Result<()> {
    let path = folder.join("room-for-more");
    let written = File::create_new(&path).and_then(|mut file| {
        file.write_all(&vec![1; TRIAL])?;
        file.sync_data()
    });
    let _ = fs::remove_file(path);
    written
}

#[cfg(test)]
mod build_folder_tests {
    use super::*;

    /// A tree so deep that removing it recursively would need too many descriptors or
    /// too much stack.
    #[test]
    fn a_folder_is_removed_however_deep_it_is() {
        // A disk takes seconds for so many folders.
        let in_memory = tempfile::tempdir_in("/dev/shm");
        let place = in_memory.or_else(|_| tempfile::tempdir()).unwrap();
        let folder = BuildFolder::make(place.path()).unwrap();
        let mut inner =
            rustix::fs::open(folder.path(), rustix::fs::OFlags::PATH, 0.into())
                .unwrap();
        for _ in 0..5000 {
            rustix::fs::mkdirat(&inner, "in", 0o755.into()).unwrap();
            inner =
                rustix::fs::openat(&inner, "in", rustix::fs::OFlags::PATH, 0.into())
                    .unwrap();
        }
        drop(folder);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_output_is_quoted_from_its_first_error_on_and_shortened() {
        let with_words = |reason: &str, output: &str| {
            SubmissionRefusal {
                reason: reason.into(),
                output: output.into(),
            }
            .in_words()
        };
        assert_eq!(with_words("it failed", " \n"), "it failed");
        assert_eq!(
            with_words("it failed", "a: note\n\n  b: error: x\n   1 | y\n"),
            "it failed: b: error: x / 1 | y"
        );
        assert_eq!(
            with_words("it failed", "make: *** no rule\n"),
            "it failed: make: *** no rule"
        );
        let lines = with_words("", &"error\n".repeat(100));
        assert_eq!(lines.matches("error").count(), MOST_LINES);
        assert_eq!(
            with_words("", &"é".repeat(1 << 16)).chars().count(),
            ": ".len() + MOST_LETTERS + " ...".len()
        );
    }
}

#[cfg(test)]
mod disk_space_tests {
    use super::*;

    #[test]
    fn a_disk_that_fails_or_whose_quota_is_used_up_is_to_blame() {
        for (errno, is_to_blame) in [
            (Errno::NOSPC, true),
            (Errno::DQUOT, true),
            (Errno::IO, true),
            (Errno::ROFS, true),
            (Errno::ACCESS, false),
            (Errno::MFILE, false),
        ] {
            let blame = blame_for(errno.into());
            let says = |blame: &Blame| matches!(blame, Blame::Sure(why) if why.contains("cannot be written to"));
            assert_eq!(blame.as_ref().is_some_and(says), is_to_blame, "{errno}");
        }
    }

    #[test]
    fn a_disk_is_to_blame_if_it_is_full_or_nearly_full_and_the_compiler_says_so() {
        let mib = 1 << 20;
        let many = u64::MAX;
        for (bytes, files, silent, complaining) in [
            (0, many, true, true),
            (mib - 1, many, true, true),
            (mib, many, false, true),
            (512 * mib, many, false, false),
            (many, 15, true, true),
            (many, 16, false, true),
            (many, 4096, false, false),
        ] {
            let left = DiskSpace { bytes, files };
            let full = "the disk is full".to_owned();
            let sure = silent.then(|| Blame::Sure(full.clone()));
            assert_eq!(blame(left, little(256 * mib), false), sure, "{left:?}");
            let doubtful = complaining.then_some(Blame::Doubtful(full));
            assert_eq!(
                blame(left, little(256 * mib), true),
                sure.or(doubtful),
                "{left:?}"
            );
        }
    }

    #[test]
    fn compilers_complain_in_their_own_ways() {
        for said in [
            "/usr/bin/ld: final link failed: No space left on device",
            "go: writing action graph: write /x: no space left on device",
            "as: error: Disk quota exceeded",
            "cc1: fatal error: x.c: Input/output error",
            "collect2: fatal error: ld terminated with signal 7 [Bus error]",
        ] {
            assert!(names_the_disk(said), "{said}");
        }
        assert!(!names_the_disk("x.c:1:1: error: unknown type name 'space'"));
    }

    #[test]
    fn a_disk_with_room_is_not_to_blame_whatever_the_compiler_says() {
        let folder = tempfile::tempdir().unwrap();
        let left = DiskSpace::measure(folder.path()).unwrap();
        let has_room = !left.is_less_than(little(1 << 20));
        let blamed = disk_problem(
            folder.path(),
            "error: #error No space left on device",
            1 << 20,
        );
        assert_eq!(blamed.is_none(), has_room);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
