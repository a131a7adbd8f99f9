//! A run's standard input, output and error: files in memory without a name. Knows
//! files; knows nothing of processes. Start at [`StdStreams::new`].

use std::ffi::CStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};
use rustix::io::Errno;

use crate::host::output_permissions::{self, OutputPermissions, WatchId};
use crate::machine::run_look::PipeNumbers;
use crate::protocol::{GivenEntry, RunReport};
use crate::{Fault, GivenFile, Input, Launch, Role, Run};

/// How many bytes of the end of standard error are kept.
const TAIL_BYTES: u64 = 3000;

/// How many bytes of its beginning are kept in addition: the error of a stack that is
/// too deep is named there, before its trace.
const BEGINNING_BYTES: u64 = 1024;

/// The same if the program is not a submission: a failure is usually explained there,
/// however much follows.
const LONG_BEGINNING_BYTES: u64 = 60 << 10;

/// How many bytes of an output are moved or freed at a time.
const PIECE_BYTES: u64 = 2 << 20;

/// The streams of one run, from both sides.
pub(super) struct StdStreams {
    /// The end that the program reads from.
    input: OwnedFd,
    /// Standard output; `None` if it goes to a pipe to another run.
    output: Option<CaptureFile>,
    /// The judge's copy of the end of that pipe that the program writes to, until it is
    /// closed.
    pipe: Option<OwnedFd>,
    /// Standard error; `None` if it goes to `output`.
    errors: Option<CaptureFile>,
    /// How many bytes of the beginning of standard error are kept.
    beginning: u64,
    /// The files for its scratch folder.
    given: Option<GivenFiles>,
    /// `/dev/null`, for the standard output of a program that writes its output to a
    /// file.
    nowhere: Option<File>,
}

/// A file in memory that the program can only write to and the judge reads afterwards.
struct CaptureFile {
    ours: File,
    theirs: File,
    /// `Some` where the run might change its permissions.
    watched: Option<WatchId>,
}

/// The files that output goes to. They can be made before there is a run.
pub(super) struct OutputFiles {
    output: CaptureFile,
    errors: CaptureFile,
}

impl OutputFiles {
    /// Makes fresh ones. Their permissions are watched if runs have the judge's own
    /// user.
    ///
    /// # Errors
    /// Returns an error if the machine is out of memory or descriptors.
    pub(super) fn new(
        mut permissions: Option<&mut OutputPermissions>,
    ) -> io::Result<Self> {
        let output = CaptureFile::new(c"stdout", permissions.as_deref_mut())?;
        Ok(Self {
            output,
            errors: CaptureFile::new(c"stderr", permissions)?,
        })
    }
}

impl StdStreams {
    /// Makes the streams of a launch that reads from `input`, which is a pipe or made by
    /// [`input_of`], and writes to `pipe` if it interacts with another. `given` are the
    /// files for its scratch folder.
    ///
    /// # Errors
    /// Returns a [`Fault`] if `outputs` is an error, or `/dev/null` cannot be opened,
    /// because the machine is out of memory or descriptors.
    pub(super) fn new(
        launch: &Launch,
        input: OwnedFd,
        pipe: Option<OwnedFd>,
        given: Option<GivenFiles>,
        outputs: io::Result<OutputFiles>,
    ) -> Result<Self, Fault> {
        let OutputFiles { output, errors } = outputs.map_err(failed)?;
        let is_alone = pipe.is_none();
        let nowhere = if is_alone && launch.scratch.output.is_some() {
            let nowhere = OpenOptions::new().write(true).open("/dev/null");
            Some(nowhere.map_err(failed)?)
        } else {
            None
        };
        let has_one_output = is_alone && matches!(launch.role, Role::Tool { .. });
        Ok(Self {
            input,
            output: is_alone.then_some(output),
            pipe,
            errors: (!has_one_output).then_some(errors),
            beginning: if launch.role == Role::Submission {
                BEGINNING_BYTES
            } else {
                LONG_BEGINNING_BYTES
            },
            given,
            nowhere,
        })
    }

    /// The files for the scratch folder.
    pub(super) fn given(&self) -> &[GivenEntry] {
        self.given.as_ref().map_or(&[], |given| &given.entries)
    }

    /// Whether the output is read from a file in the scratch folder.
    pub(super) fn leaves_output(&self) -> bool {
        self.nowhere.is_some()
    }

    /// The judge's copy of the end that the program reads from.
    pub(super) fn input(&self) -> BorrowedFd<'_> {
        self.input.as_fd()
    }

    /// Closes the judge's copy of the end that the program writes to: once the program
    /// has closed its own, the reader sees the end.
    pub(super) fn close_pipe(&mut self) {
        self.pipe = None;
    }

    /// The numbers of the pipes that the program reads from and writes to.
    pub(super) fn pipe_numbers(&self) -> PipeNumbers {
        let number = |pipe| rustix::fs::fstat(pipe).map_or(0, |found| found.st_ino);
        PipeNumbers {
            input: number(self.input()),
            output: self.pipe.as_ref().map_or(0, |pipe| number(pipe.as_fd())),
        }
    }

    /// The program's ends, in the order of their numbers; then the files that its
    /// launcher needs for the scratch folder.
    pub(super) fn theirs(&self) -> Vec<BorrowedFd<'_>> {
        let pipe = self.pipe.as_ref().unwrap_or(&self.input);
        let output = self
            .output
            .as_ref()
            .map_or(pipe.as_fd(), |output| output.theirs.as_fd());
        let errors = self
            .errors
            .as_ref()
            .map_or(output, |errors| errors.theirs.as_fd());
        let printed = self.nowhere.as_ref().map_or(output, AsFd::as_fd);
        let given = self.given.as_ref().map(|given| given.bundle.as_fd());
        let left = self.nowhere.as_ref().map(|_| output);
        [self.input.as_fd(), printed, errors]
            .into_iter()
            .chain(given)
            .chain(left)
            .collect()
    }

    /// How many of its outputs the run may have read back, because it has changed their
    /// permissions.
    pub(super) fn read_back(&self, permissions: &mut OutputPermissions) -> u64 {
        [&self.output, &self.errors]
            .into_iter()
            .flatten()
            .filter_map(|file| file.watched)
            .map(|watched| u64::from(permissions.were_changed(watched)))
            .sum()
    }

    /// Both ends of standard error, as in [`Run::stderr_tail`]; empty if it cannot be
    /// read. The run must be over.
    pub(super) fn stderr_tail(&self) -> Vec<u8> {
        let ends = self
            .errors
            .as_ref()
            .and_then(|errors| errors.size_and_ends(self.beginning).ok());
        ends.map_or_else(Vec::new, |(_, tail)| tail)
    }

    /// The finished run of a report, with what was written.
    pub(super) fn into_run(self, report: RunReport) -> io::Result<Run> {
        let (stderr_bytes, stderr_tail) = match &self.errors {
            Some(errors) => errors.size_and_ends(self.beginning)?,
            None => (0, vec![]),
        };
        let mut run = Run {
            exit: report.exit,
            usage: report.usage,
            out_of_memory: report.out_of_memory,
            stdout: Box::new(io::empty()),
            stdout_bytes: 0,
            missing_output: report.missing_output,
            stderr_bytes,
            stderr_tail,
        };
        if let Some(CaptureFile { ours, .. }) = self.output {
            run.stdout_bytes = ours.metadata()?.len();
            run.stdout = Box::new(reader_of(ours, run.stdout_bytes)?);
        }
        Ok(run)
    }
}

/// Makes the standard input of a launch, for one run.
///
/// # Errors
/// Returns a [`Fault`] if it cannot be read, or the machine is out of memory or
/// descriptors.
pub(super) fn input_of(launch: &Launch) -> Result<File, Fault> {
    match &launch.input {
        Input::Empty => File::open("/dev/null").map_err(failed),
        Input::CopyOf(path) => {
            let copied = sealed(c"stdin", |input| copy(path, input));
            copied.map_err(Fault::at("reading", path))
        }
        Input::Bytes(bytes) => {
            sealed(c"stdin", |input| input.write_all(bytes)).map_err(failed)
        }
    }
}

fn failed(error: io::Error) -> Fault {
    Fault::new("making the streams of a run", error)
}

impl CaptureFile {
    fn new(
        name: &CStr,
        permissions: Option<&mut OutputPermissions>,
    ) -> io::Result<Self> {
        let ours = memory_file(name)?;
        // If this user has no watch left, output that is read back is not counted.
        let watched =
            permissions.and_then(|permissions| permissions.withdraw(&ours).ok());
        if watched.is_none() {
            output_permissions::write_only(&ours)?;
        }
        // No run may add seals, which would keep the judge from emptying it.
        rustix::fs::fcntl_add_seals(&ours, SealFlags::SEAL)?;
        // Opened again rather than duplicated: a duplicate would share the position,
        // and be readable.
        let path = format!("/proc/self/fd/{}", ours.as_raw_fd());
        let theirs = OpenOptions::new().write(true).open(path)?;
        Ok(Self {
            ours: ours.into(),
            theirs,
            watched,
        })
    }

    /// Its size, and its end, preceded by up to `beginning` bytes of its beginning. A
    /// mark stands where anything is left out.
    fn size_and_ends(&self, beginning: u64) -> io::Result<(u64, Vec<u8>)> {
        let size = self.ours.metadata()?.len();
        let end_at = size.saturating_sub(TAIL_BYTES);
        let mut first = vec![0; end_at.min(beginning) as usize];
        self.ours.read_exact_at(&mut first, 0)?;
        let mut last = vec![0; (size - end_at) as usize];
        self.ours.read_exact_at(&mut last, end_at)?;
        if end_at > beginning {
            write!(first, " ... ({} bytes left out) ... ", end_at - beginning)?;
        }
        first.append(&mut last);
        Ok((size, first))
    }
}

/// Returns a reader of what was written. A large file is moved to another, because its
/// memory counts for the control group of the run that wrote it: if the reader freed it
/// during the next run in that group, that much of that run's peak would not be seen.
fn reader_of(written: File, bytes: u64) -> io::Result<io::Take<ReadOnce>> {
    let mut file = written;
    if bytes > SMALL_BYTES {
        let mut ours = File::from(memory_file(c"stdout")?);
        for at in (0..bytes).step_by(PIECE_BYTES as usize) {
            move_piece(&file, &mut ours, at, bytes)?;
        }
        file.set_len(0)?;
        ours.rewind()?;
        file = ours;
    }
    Ok(ReadOnce { file, read: 0 }.take(bytes))
}

/// Moves a piece of the first `bytes` bytes of a file to the end of another. Both are
/// positioned at it.
fn move_piece(from: &File, to: &mut File, at: u64, bytes: u64) -> io::Result<()> {
    let piece = PIECE_BYTES.min(bytes - at);
    io::copy(&mut Read::take(from, piece), to)?;
    free(from, at, piece);
    Ok(())
}

/// Frees the memory of a range of a file in memory, which is not read any more. That
/// the kernel refuses would only cost memory.
fn free(file: &File, at: u64, bytes: u64) {
    let _ = rustix::fs::fallocate(
        file,
        FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE,
        at,
        bytes,
    );
}

/// A file in memory that is read once: what was read is freed, so that the bytes are in
/// memory only once when they are copied.
struct ReadOnce {
    /// Positioned at its start when nothing was read.
    file: File,
    /// How many bytes were read. All whole pieces of them are freed.
    read: u64,
}

impl Read for ReadOnce {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.file.read(buffer)?;
        let freed = self.read - self.read % PIECE_BYTES;
        self.read += got as u64;
        // Only whole pages are freed.
        let done = self.read - self.read % PIECE_BYTES;
        if done > freed {
            free(&self.file, freed, done - freed);
        }
        Ok(got)
    }
}

// Packs the files of a run's scratch folder for its launcher: one file in memory with
// all of them, one after the other. Knows files; knows nothing of how a launcher
// divides them again.

/// The files that are given to a run, in one bundle, and the name and size of each.
pub(super) struct GivenFiles {
    bundle: File,
    entries: Vec<GivenEntry>,
}

impl GivenFiles {
    /// Copies files into a bundle; `None` if there are no files.
    ///
    /// # Errors
    /// Returns a [`Fault`] if one cannot be read, or the machine is out of memory or
    /// descriptors.
    pub(super) fn open(files: &[GivenFile]) -> Result<Option<Self>, Fault> {
        if files.is_empty() {
            return Ok(None);
        }
        let mut entries = Vec::with_capacity(files.len());
        // Names the file that was being copied when an error occurred.
        let mut doing = "making copies of the files of a run".to_owned();
        let bundle = sealed(c"files", |bundle| {
            let mut end = 0;
            for file in files {
                doing = format!("making a copy of `{}` for a run", file.name);
                append(&file.content, bundle)?;
                let start = std::mem::replace(&mut end, bundle.stream_position()?);
                entries.push(GivenEntry {
                    name: file.name.clone(),
                    bytes: end - start,
                });
            }
            Ok(())
        })
        .map_err(|error| Fault::new(doing, error))?;
        Ok(Some(Self { bundle, entries }))
    }
}

fn append(content: &Input, bundle: &mut File) -> io::Result<()> {
    match content {
        Input::Empty => Ok(()),
        Input::CopyOf(path) => copy(path, bundle),
        Input::Bytes(bytes) => bundle.write_all(bytes),
    }
}

// Makes files in memory that have no name. Knows files; knows nothing of runs. Start at
// [`sealed`].

/// Files up to this size are copied by hand: `io::copy` tries several system calls that
/// the kernel refuses, which takes longer.
const SMALL_BYTES: u64 = 64 << 10;

/// Makes an empty file in memory. It cannot be executed where the kernel can refuse
/// that (Linux 6.3).
fn memory_file(name: &CStr) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    match rustix::fs::memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL) {
        Err(Errno::INVAL) => Ok(rustix::fs::memfd_create(name, flags)?),
        result => Ok(result?),
    }
}

/// Makes a file in memory with the content that `fill` writes, sealed against any
/// change and positioned at its start. That it can be opened for writing is harmless:
/// the seals refuse every write.
fn sealed(
    name: &CStr,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = File::from(memory_file(name)?);
    fill(&mut file)?;
    let seals =
        SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    file.rewind()?;
    Ok(file)
}

/// Copies a file into another; a large one by `io::copy`, which copies within the
/// kernel, a piece at a time.
fn copy(path: &Path, to: &mut File) -> io::Result<()> {
    let mut source = File::open(path)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > SMALL_BYTES {
        return io::copy(&mut source, to).map(drop);
    }
    // The length is known, so the last call that returns nothing is saved.
    let mut bytes = vec![0; found.len() as usize];
    let mut got = 0;
    while got < bytes.len() {
        match source.read(&mut bytes[got..])? {
            0 => break,
            more => got += more,
        }
    }
    to.write_all(&bytes[..got])
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;
    use crate::{Exit, ScratchFiles, Usage};

    #[test]
    fn large_output_is_copied_whole_and_its_file_emptied() {
        for bytes in [SMALL_BYTES, SMALL_BYTES + 1, 3 << 20] {
            let streams = streams_of(Role::Submission);
            let text: Vec<u8> = (0..bytes).map(|at| (at % 251) as u8).collect();
            let output = streams.output.as_ref().unwrap();
            (&output.theirs).write_all(&text).unwrap();
            let written = output.ours.try_clone().unwrap();
            let Run {
                mut stdout,
                stdout_bytes,
                ..
            } = streams.into_run(report()).unwrap();
            let left = written.metadata().unwrap().len();
            assert_eq!(
                (stdout_bytes, left),
                (bytes, if bytes > SMALL_BYTES { 0 } else { bytes })
            );
            let mut found = vec![];
            stdout.read_to_end(&mut found).unwrap();
            assert!(found == text, "{bytes}");
        }
    }

    #[test]
    fn an_output_is_in_memory_only_once_while_it_is_moved_and_while_it_is_read() {
        let bytes = 4 * PIECE_BYTES + 5;
        let file = || File::from(memory_file(c"test").unwrap());
        let held = |file: &File| 512 * file.metadata().unwrap().blocks();
        let mut written = file();
        let mut ours = file();
        written.write_all(&vec![1; bytes as usize]).unwrap();
        written.rewind().unwrap();
        let whole = held(&written);
        for at in (0..bytes).step_by(PIECE_BYTES as usize) {
            move_piece(&written, &mut ours, at, bytes).unwrap();
            assert!(
                held(&written) + held(&ours) < whole + PIECE_BYTES,
                "after the piece at {at}"
            );
        }
        ours.rewind().unwrap();
        let mut reader = ReadOnce {
            file: ours,
            read: 0,
        };
        let mut freed = 0;
        let mut buffer = vec![0; PIECE_BYTES as usize / 3];
        for _ in 0..9 {
            reader.read_exact(&mut buffer).unwrap();
            assert!(buffer.iter().all(|byte| *byte == 1));
            freed = reader.read - reader.read % PIECE_BYTES;
            assert!(held(&reader.file) <= whole - freed);
        }
        assert!(freed >= 2 * PIECE_BYTES);
    }

    #[test]
    fn both_ends_of_standard_error_are_kept_and_more_of_a_checkers_beginning() {
        let checker = Role::Checker { folder: "/".into() };
        let mark = " ... (4976 bytes left out) ... ";
        for (role, said, beginning, mark) in [
            (Role::Submission, 4024, 1024, ""),
            (Role::Submission, 9000, 1024, mark),
            (checker.clone(), 9000, 6000, ""),
            (checker, 69_416, 61_440, mark),
        ] {
            let streams = streams_of(role);
            let text: Vec<u8> = (0..said).map(|at| (at % 251) as u8).collect();
            (&streams.errors.as_ref().unwrap().theirs)
                .write_all(&text)
                .unwrap();
            let found = streams.into_run(report()).unwrap().stderr_tail;
            let expected =
                [&text[..beginning], mark.as_bytes(), &text[said - 3000..]].concat();
            assert!(found == expected, "{said}");
        }
    }

    fn streams_of(role: Role) -> StdStreams {
        let launch = Launch {
            command: vec![],
            environment: vec![],
            input: Input::Empty,
            readable: vec![],
            role,
            scratch: ScratchFiles::default(),
        };
        let input = input_of(&launch).unwrap().into();
        StdStreams::new(&launch, input, None, None, OutputFiles::new(None)).unwrap()
    }

    fn report() -> RunReport {
        RunReport::of_usage(Exit::Code(0), Usage::default())
    }
}
