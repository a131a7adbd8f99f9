//! The cached trials of one program: a file with one line for each trial, and its index in memory.
//! Trials are read when they are needed. Start at [`Cache::program_cache`].
//!
//! Judges only append, each line in one write(2), which the kernel performs completely or not at
//! all unless the disk is full. So two judges can share a file without a lock. A damaged line is
//! ignored and overwritten in place with line breaks: a file that others append to is never
//! rewritten. An incomplete line at the very end may still be in the process of being written by
//! another judge, and is left alone until another line follows.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::cache::dir::{PROOFS_PREFIX, TRIALS_PREFIX};
use crate::cache::key::CacheKey;
use crate::cache::trial_cache::{Cache, USUAL_BLOCK_BYTES};
use crate::cache::{dir, stored_trial};
use crate::model::Trial;

/// A file of at most this many bytes is plausible, however small the cache should be.
const LARGEST: u64 = 64 << 20;

/// The trials of one program, or the proofs of cases of one problem.
pub struct ProgramCache<'a> {
    cache: &'a Cache,
    /// The prefix of the name of its file.
    prefix: &'static str,
    program: CacheKey,
    /// Created when there is something to write; `None` if that failed.
    file: OnceLock<Option<File>>,
    /// Why the file can only be read, if so.
    refusal: Option<Errno>,
    has_written: AtomicBool,
    lines: HashMap<CacheKey, Range<u64>>,
}

/// The places of the lines in a file.
#[derive(Default)]
pub(super) struct FileIndex {
    /// The place of each case's line; of several the last one.
    pub(super) lines: HashMap<CacheKey, Range<u64>>,
    /// The places of damaged lines.
    pub(super) damaged: Vec<Range<u64>>,
}

impl<'a> ProgramCache<'a> {
    /// Opens what is stored in the file with this prefix.
    fn open(cache: &'a Cache, prefix: &'static str, program: CacheKey) -> Self {
        let opened = match cache.place.file(prefix, &program) {
            // It may be a sparse file, and overwriting the damaged lines in it would fill the disk.
            Ok(Some(opened)) if is_too_large(&opened.file, cache.most_bytes) => {
                let _ = cache.place.remove_file(prefix, &program);
                cache.note_damage(1);
                None
            }
            Ok(opened) => opened,
            Err(error) => {
                cache.stop_writing(&error);
                None
            }
        };
        let refusal = opened.as_ref().and_then(|opened| opened.refusal);
        let file = opened.map(|opened| opened.file);
        let contents = match file.as_ref().map(|file| FileIndex::read(&program, file)) {
            Some(Ok(contents)) => contents,
            Some(Err(error)) => {
                cache.stop_writing(&error);
                FileIndex::default()
            }
            None => FileIndex::default(),
        };
        if let Some(file) = &file {
            dir::touch(file);
            cache.note_damage(contents.damaged.len());
            // If that fails, the next judge reports them again, which does no harm.
            let _ = blank(file, &contents.damaged);
        }
        let known = OnceLock::new();
        if file.is_some() {
            let _ = known.set(file);
        }
        let has_written = AtomicBool::new(false);
        Self {
            cache,
            prefix,
            program,
            file: known,
            refusal,
            has_written,
            lines: contents.lines,
        }
    }

    /// Returns the cached trial of a case.
    pub fn find(&self, case: &CacheKey) -> Option<Trial> {
        stored_trial::trial_of(&self.line(case)?)
    }

    /// Stores the trial of a case. If that fails, the cache reports it when it is closed.
    pub fn store(&self, case: &CacheKey, trial: &Trial) {
        if let Some(line) = stored_trial::write(&self.program, case, trial) {
            self.write(&line);
        }
    }

    /// Returns the number that was proven of a case.
    pub fn find_number(&self, case: &CacheKey) -> Option<u64> {
        stored_trial::json_of(&self.line(case)?)?.parse().ok()
    }

    /// Stores a number that was proven of a case.
    pub fn store_number(&self, case: &CacheKey, number: u64) {
        if let Some(line) = stored_trial::write_json(&self.program, case, &number.to_string()) {
            self.write(&line);
        }
    }

    /// The line about a case.
    fn line(&self, case: &CacheKey) -> Option<Vec<u8>> {
        let place = self.lines.get(case)?;
        let mut line = vec![0; usize::try_from(place.end - place.start).ok()?];
        self.file
            .get()?
            .as_ref()?
            .read_exact_at(&mut line, place.start)
            .ok()?;
        stored_trial::case_of(&self.program, &line).filter(|found| found == case)?;
        Some(line)
    }

    fn write(&self, line: &[u8]) {
        if let Some(refusal) = self.refusal {
            return self.cache.stop_writing(&refusal.into());
        }
        // The first line may begin a block of its own.
        let blocks = if self.has_written.swap(true, Ordering::Relaxed) {
            0
        } else {
            USUAL_BLOCK_BYTES
        };
        if !self.cache.has_room_for(line.len() as u64 + blocks) {
            return;
        }
        let file =
            self.file.get_or_init(
                || match self.cache.place.new_file(self.prefix, &self.program) {
                    Ok(file) => Some(file),
                    Err(error) => {
                        self.cache.stop_writing(&error);
                        None
                    }
                },
            );
        if let Some(file) = file
            && let Err(error) = append(file, line)
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

    /// Opens what was proven of cases, by the key of what a proof depends on besides the case.
    pub fn proofs(&self, problem: CacheKey) -> ProgramCache<'_> {
        ProgramCache::open(self, PROOFS_PREFIX, problem)
    }
}

impl FileIndex {
    /// Reads a file from its start, a line at a time.
    pub(super) fn read(program: &CacheKey, file: &File) -> io::Result<Self> {
        let mut contents = Self::default();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        let mut start = 0;
        loop {
            line.clear();
            let most = stored_trial::MOST_BYTES as u64;
            let bytes = reader.by_ref().take(most).read_until(b'\n', &mut line)? as u64;
            let is_whole = line.pop_if(|last| *last == b'\n').is_some();
            if bytes == 0 || !is_whole && bytes < most {
                return Ok(contents);
            }
            let place = start..start + line.len() as u64;
            start += bytes;
            match stored_trial::case_of(program, &line) {
                Some(case) => drop(contents.lines.insert(case, place)),
                None if line.is_empty() => {}
                None => contents.damaged.push(place),
            }
        }
    }
}

/// Whether a file is too large to have been written by judges.
fn is_too_large(file: &File, most_bytes: u64) -> bool {
    file.metadata()
        .is_ok_and(|found| found.len() > most_bytes.max(LARGEST))
}

/// Appends a line in a single write.
fn append(mut file: &File, line: &[u8]) -> io::Result<()> {
    loop {
        return match file.write(line) {
            Ok(written) if written == line.len() => Ok(()),
            Ok(_) => Err(ErrorKind::StorageFull.into()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
    }
}

/// Overwrites damaged lines with line breaks.
fn blank(file: &File, damaged: &[Range<u64>]) -> io::Result<()> {
    if damaged.is_empty() {
        return Ok(());
    }
    // While a file is open for appending, Linux appends and ignores the offset of a write:
    // pwrite(2).
    let flags = rustix::fs::fcntl_getfl(file)?;
    rustix::fs::fcntl_setfl(file, flags - OFlags::APPEND)?;
    let blanked = damaged.iter().try_for_each(|place| {
        let length = usize::try_from(place.end - place.start).unwrap_or(0);
        file.write_all_at(&vec![b'\n'; length], place.start)
    });
    rustix::fs::fcntl_setfl(file, flags)?;
    blanked
}
