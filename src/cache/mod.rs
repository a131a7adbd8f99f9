//! Caches trials for jobs for which everything that a verdict depends on is unchanged,
//! and what compilers have made. Knows where they are stored, and a key for a program
//! and for a case; knows nothing of order, reports, or which facts matter. Start at
//! [`Cache::program_cache`].
//!
//! ```text
//! folder, private to its user
//! +-- trials-9f86d0..    one file for each program, on its problem, at its level, with its limits
//! |       checksum  key of a case  trial
//! |       checksum  key of a case  trial
//! +-- trials-60303a..
//! +-- build-77ab12..     one file for each program that was compiled
//! +-- proofs-77ac03..    one file for each problem, with a line for each case that was proven
//! +-- limit-5c1b7e..     one file for each package whose time limit was measured here
//! +-- estimated-size     how much room the trials and programs take
//! ```
//!
//! A cache is never needed: any problem with it is only a note, and the work is done
//! again. Described for users in `docs/cache.md`.

mod dir;
mod key;
mod room;
mod trial_cache;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use gridjudge_sandbox::Fault;
use rustix::fs::OFlags;
use rustix::io::retry_on_intr;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::{Trial, Verdict};

use dir::{BUILD_PREFIX, CacheDir, PROOFS_PREFIX, StoredFile, TRIALS_PREFIX};
use room::Reservation;
use trial_cache::DEFAULT_BLOCK_BYTES;

pub use dir::{default_dir, is_new_notice};
pub use key::{CacheKey, FileVersion, KeyHasher, KeyWithFiles};
pub use trial_cache::{
    Cache, KeptLimit, MOST_BUILD_BYTES, keep_limit, kept_limit, kept_limits,
};

/// A file of at most this many bytes is plausible, however small the cache should be.
const LARGEST: u64 = 64 << 20;

/// The trials of one program, or the proofs of cases of one problem.
pub struct ProgramCache<'a> {
    cache: &'a Cache,
    /// The prefix of the name of its file.
    prefix: &'static str,
    program: CacheKey,
    /// The file to read; `None` if there is none.
    stored: Option<File>,
    /// The file to append to, opened when there is something to write; `None` if that
    /// failed.
    appended: OnceLock<Option<File>>,
    has_written: AtomicBool,
    lines: HashMap<CacheKey, Range<u64>>,
}

/// The places of the lines in a file.
#[derive(Default)]
struct FileIndex {
    /// The place of each case's line; of several the last one.
    lines: HashMap<CacheKey, Range<u64>>,
    /// The places of damaged lines.
    damaged: Vec<Range<u64>>,
}

impl<'a> ProgramCache<'a> {
    /// Opens what is stored in the file with this prefix.
    fn open(cache: &'a Cache, prefix: &'static str, program: CacheKey) -> Self {
        let mut opened = Self {
            cache,
            prefix,
            program,
            stored: None,
            appended: OnceLock::new(),
            has_written: AtomicBool::new(false),
            lines: HashMap::new(),
        };
        if let Err(error) = opened.read_stored() {
            cache.stop_writing(&error);
        }
        opened
    }

    /// Finds the lines in the file, if there is one.
    fn read_stored(&mut self) -> io::Result<()> {
        let place = &self.cache.place;
        let Some(file) = place.file(self.prefix, &self.program)? else {
            return Ok(());
        };
        // It may be a sparse file, and overwriting the damaged lines in it would fill
        // the disk.
        if file.metadata()?.len() > self.cache.most_bytes.max(LARGEST) {
            let _ = place.remove_file(self.prefix, &self.program);
            self.cache.note_damage(1);
            return Ok(());
        }
        let file = self.stored.insert(file);
        dir::touch(file);
        let FileIndex { lines, damaged } = FileIndex::read(&self.program, file)?;
        self.lines = lines;
        self.cache.note_damage(damaged.len());
        // If that fails, the next judge reports them again, which does no harm.
        let _ = self.blank(&damaged);
        Ok(())
    }

    /// Overwrites damaged lines with line breaks.
    fn blank(&self, damaged: &[Range<u64>]) -> io::Result<()> {
        if damaged.is_empty() {
            return Ok(());
        }
        let place = &self.cache.place;
        let file = place.open_file(self.prefix, &self.program, OFlags::WRONLY)?;
        damaged.iter().try_for_each(|place| {
            let length = usize::try_from(place.end - place.start).unwrap_or(0);
            file.write_all_at(&vec![b'\n'; length], place.start)
        })
    }

    /// Returns the cached trial of a case.
    pub fn find(&self, case: &CacheKey) -> Option<Trial> {
        Some(Trial {
            cached: true,
            ..self.find_value(case)?
        })
    }

    /// Stores the trial of a case. If that fails, the cache reports it when it is
    /// closed.
    pub fn store(&self, case: &CacheKey, trial: &Trial) {
        let mut kept = trial.clone();
        if kept.verdict == Verdict::Accepted {
            // No report shows what an accepted program wrote to standard error.
            kept.stderr.clear();
        }
        self.store_value(case, &kept);
    }

    /// Returns what is known of a case.
    pub fn find_value<T: DeserializeOwned>(&self, case: &CacheKey) -> Option<T> {
        let place = self.lines.get(case)?;
        let length = usize::try_from(place.end - place.start).ok()?;
        let mut line = vec![0; length];
        let stored = self.stored.as_ref()?;
        stored.read_exact_at(&mut line, place.start).ok()?;
        case_of(&self.program, &line).filter(|found| found == case)?;
        value_of(&line)
    }

    /// Stores what is known of a case, unless it is too long.
    pub fn store_value(&self, case: &CacheKey, value: &impl Serialize) {
        let Some(line) = line_of(&self.program, case, value) else {
            return;
        };
        // The first line may begin a block of its own.
        let blocks = if self.has_written.swap(true, Ordering::Relaxed) {
            0
        } else {
            DEFAULT_BLOCK_BYTES
        };
        if !self.cache.has_room_for(line.len() as u64 + blocks) {
            return;
        }
        let file = self.appended.get_or_init(|| {
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
            let place = &self.cache.place;
            place
                .open_file(self.prefix, &self.program, flags)
                .map_err(|error| self.cache.stop_writing(&error))
                .ok()
        });
        if let Some(file) = file
            && let Err(error) = append(file, &line)
        {
            self.cache.stop_writing(&error);
        }
    }
}

impl Cache {
    /// Opens the cached trials of a program.
    pub fn program_cache(&self, program: CacheKey) -> ProgramCache<'_> {
        ProgramCache::open(self, TRIALS_PREFIX, program)
    }

    /// Opens what was proven of cases, by the key of what a proof depends on besides
    /// the case.
    pub fn proofs(&self, problem: CacheKey) -> ProgramCache<'_> {
        ProgramCache::open(self, PROOFS_PREFIX, problem)
    }
}

impl FileIndex {
    /// Reads a file from its start, a line at a time.
    fn read(program: &CacheKey, file: &File) -> io::Result<Self> {
        let mut contents = Self::default();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = vec![];
        let mut start = 0;
        loop {
            line.clear();
            let most = MOST_BYTES as u64;
            let bytes =
                reader.by_ref().take(most).read_until(b'\n', &mut line)? as u64;
            let is_whole = line.pop_if(|last| *last == b'\n').is_some();
            if bytes == 0 || !is_whole && bytes < most {
                return Ok(contents);
            }
            let place = start..start + line.len() as u64;
            start += bytes;
            match case_of(program, &line) {
                Some(case) => drop(contents.lines.insert(case, place)),
                None if line.is_empty() => {}
                None => contents.damaged.push(place),
            }
        }
    }
}

/// Appends a line in a single write.
fn append(file: &File, line: &[u8]) -> io::Result<()> {
    let written = retry_on_intr(|| rustix::io::write(file, line))?;
    if written < line.len() {
        return Err(ErrorKind::StorageFull.into());
    }
    Ok(())
}

// The format of a stored trial: one line that begins with a checksum, so that an
// incomplete, damaged or misplaced line is detected. Knows bytes; touches no file.
//
// ```text
// 16 letters: checksum of the program's key, the case's key and the trial
// |                64 letters: key of the case
// |                |                     the trial, as JSON
// 5d1c8be92a60f3e7 0b8c..               {"verdict":"AC","exit":{"code":0},..}
// ```

/// The length of a checksum in letters.
const CHECKSUM: usize = 16;

/// The place of the case's key in a line, and where the trial begins.
const CASE: Range<usize> = CHECKSUM + 1..CHECKSUM + 1 + CacheKey::LETTERS;
const TRIAL: usize = CASE.end + 1;

/// The most bytes of a line. Only a trial with twenty very long findings comes close to
/// it.
const MOST_BYTES: usize = 1 << 20;

/// The bytes to append for what is known of a case; `None` if they are too many. They
/// begin with a line break, so that an incomplete line, left by a judge whose disk was
/// full, does not make this one unreadable too.
fn line_of(
    program: &CacheKey,
    case: &CacheKey,
    value: &impl Serialize,
) -> Option<Vec<u8>> {
    let json = serde_json::to_string(value).ok()?;
    let sum = checksum(program, case, json.as_bytes());
    let line = format!("\n{sum} {case} {json}\n");
    (line.len() <= MOST_BYTES).then(|| line.into_bytes())
}

/// The case that a line is about; `None` if it is not an intact line of this program.
fn case_of(program: &CacheKey, line: &[u8]) -> Option<CacheKey> {
    let name = str::from_utf8(line.get(CASE)?).ok()?;
    let case = CacheKey::named(name)?;
    let start = line.get(..=CHECKSUM)?;
    let json = line.get(TRIAL..)?;
    let expected = format!("{} ", checksum(program, &case, json));
    (start == expected.as_bytes() && line[CASE.end] == b' ').then_some(case)
}

/// What a line that [`case_of`] has found intact says of its case.
fn value_of<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(line.get(TRIAL..)?).ok()
}

fn checksum(program: &CacheKey, case: &CacheKey, json: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    let hash = hasher
        .update(program.bytes())
        .update(case.bytes())
        .update(json)
        .finalize();
    hash.to_hex()[..CHECKSUM].to_owned()
}

/// The contents of a cache in numbers.
#[derive(Debug, Default, PartialEq)]
pub struct CacheStats {
    /// The number of programs, each on one problem, at one sandbox level, and with one
    /// set of limits.
    pub programs: usize,
    /// The number of their trials.
    pub trials: usize,
    /// The number of damaged lines.
    pub damaged: usize,
    /// The number of programs whose compilation or check is kept.
    pub builds: usize,
    /// The bytes that their files take on the disk.
    pub build_bytes: u64,
    /// The bytes that all files take on the disk.
    pub bytes: u64,
}

/// Counts the contents of the cache in this folder. Returns `None` if there is no such
/// folder.
///
/// # Errors
/// Returns a [`Fault`] if it cannot be read, or if other users may write to it.
pub fn stats(path: &Path) -> Result<Option<CacheStats>, Fault> {
    let Some(place) = CacheDir::open(path)? else {
        return Ok(None);
    };
    let mut stats = CacheStats::default();
    let stored_files = place
        .stored_files()
        .map_err(Fault::at("listing the cache at", path))?;
    for stored in stored_files {
        stats.bytes += stored.used_bytes;
        if stored.prefix == BUILD_PREFIX {
            stats.builds += 1;
            stats.build_bytes += stored.used_bytes;
        }
        if stored.prefix != TRIALS_PREFIX {
            continue;
        }
        let Ok(Some(file)) = place.file(stored.prefix, &stored.key) else {
            continue;
        };
        let Ok(contents) = FileIndex::read(&stored.key, &file) else {
            continue;
        };
        stats.programs += 1;
        stats.trials += contents.lines.len();
        stats.damaged += contents.damaged.len();
    }
    Ok(Some(stats))
}

/// Removes all trials, compiled programs, notices and digests of the cache in this
/// folder, and nothing else. Returns the number of programs whose trials were removed,
/// and the bytes that are free again.
///
/// # Errors
/// As [`stats`], and if something cannot be removed.
pub fn clear_cache(path: &Path) -> Result<(usize, u64), Fault> {
    let Some(place) = CacheDir::open(path)? else {
        return Ok((0, 0));
    };
    let stored_files = place
        .stored_files()
        .map_err(Fault::at("listing the cache at", path))?;
    let failed = Fault::at("clearing the cache at", path);
    place.forget_all().map_err(failed)?;
    place.forget_size();
    let mut programs = 0;
    let mut bytes = 0;
    for stored in stored_files {
        match place.remove_file(stored.prefix, &stored.key) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(failed(error));
            }
            _ => {}
        }
        programs += usize::from(stored.prefix == TRIALS_PREFIX);
        bytes += stored.used_bytes;
    }
    Ok((programs, bytes))
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod stored_trial_tests {
    use std::time::Duration;

    use super::*;
    use crate::cache::key::KeyHasher;
    use crate::model::{Finding, FindingKind, FindingRule, Findings};
    use gridjudge_sandbox::{Exit, Usage};

    fn key(name: &str) -> CacheKey {
        KeyHasher::for_purpose(name).finish()
    }

    fn wrong() -> Trial {
        let finding = Finding {
            kind: FindingKind::Wrong,
            grid: Some(3),
            row: Some(9),
            column: None,
            other: None,
            rule: Some(FindingRule::Row),
            line: Some(27),
            byte: Some(0),
            message: "row 9 has two 6s\n".into(),
        };
        Trial {
            verdict: Verdict::WrongAnswer,
            exit: Exit::Signal(9),
            usage: Usage {
                cpu: Duration::from_nanos(1_234_567_891),
                peak_memory_bytes: 1,
                hidden_memory_bytes: 0,
                ..Usage::default()
            },
            pass: Some(2),
            findings: Findings {
                listed: vec![finding],
                unlisted: 7,
                ..Findings::default()
            },
            stderr: "a\n\0é".into(),
            transcript: None,
            rerun: true,
            cached: false,
        }
    }

    fn line(trial: &Trial) -> Vec<u8> {
        let bytes = line_of(&key("program"), &key("case"), trial).unwrap();
        let line = bytes
            .strip_prefix(b"\n")
            .unwrap()
            .strip_suffix(b"\n")
            .unwrap();
        assert!(!line.contains(&b'\n'));
        line.to_vec()
    }

    #[test]
    fn a_trial_is_read_back_unchanged() {
        for trial in [
            wrong(),
            Trial {
                findings: Findings::default(),
                rerun: false,
                stderr: String::new(),
                ..wrong()
            },
        ] {
            let line = line(&trial);
            assert_eq!(case_of(&key("program"), &line), Some(key("case")));
            assert_eq!(value_of(&line), Some(trial));
        }
    }

    #[test]
    fn output_that_no_report_shows_and_too_long_trials_are_not_written() {
        let accepted = Trial {
            verdict: Verdict::Accepted,
            ..wrong()
        };
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(folder.path(), 1 << 20, &[]).unwrap();
        let program = || cache.program_cache(key("program"));
        program().store(&key("case"), &accepted);
        let found = program().find(&key("case")).unwrap();
        assert_eq!(found.stderr, "");
        assert!(found.cached);
        let endless = Trial {
            stderr: "x".repeat(MOST_BYTES),
            ..wrong()
        };
        assert_eq!(line_of(&key("program"), &key("case"), &endless), None);
    }

    #[test]
    fn a_line_that_is_changed_cut_off_or_of_another_program_is_rejected() {
        let line = line(&wrong());
        assert_eq!(case_of(&key("another"), &line), None);
        for at in 0..line.len() {
            assert_eq!(case_of(&key("program"), &line[..at]), None, "{at} bytes");
            for bit in 0..8 {
                let mut line = line.clone();
                line[at] ^= 1 << bit;
                assert_eq!(
                    case_of(&key("program"), &line),
                    None,
                    "bit {bit} of byte {at}"
                );
            }
        }
    }
}
