//! What is known of one program: a file with one line for each trial, and its index in memory. Trials are read when they
//! are wanted.
//! Start at [`ProgramCache::open`].
//!
//! Judges only append, each line in one write(2), which the kernel makes whole or not at all unless the disk is full. So two
//! judges share a file without a lock. A line that is not whole is left out and overwritten with ends of lines, in its
//! place: a file that others append to is never written anew. Half a line at the very end may still be being written by
//! another judge, and is let alone until another line follows.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::ErrorKind;
use std::io::Read;
use std::io::Write;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::cache::dir;
use crate::cache::key::CacheKey;
use crate::cache::stored_trial;
use crate::cache::trial_cache::Cache;
use crate::model::Trial;

/// Bytes of a file that may well be, however small the cache is to be.
const LARGEST: u64 = 64 << 20;

/// The trials of one program.
pub struct ProgramCache<'a> {
    cache: &'a Cache,
    program: CacheKey,
    /// Made when there is something to write.
    file: OnceLock<Option<File>>,
    /// Why the file can only be read, if so.
    refusal: Option<Errno>,
    lines: HashMap<CacheKey, Range<u64>>,
}

/// What a file holds.
#[derive(Default)]
pub(super) struct FileIndex {
    /// Where the line of a case is; of several the last.
    pub(super) lines: HashMap<CacheKey, Range<u64>>,
    /// What is no line.
    pub(super) damaged: Vec<Range<u64>>,
}

impl<'a> ProgramCache<'a> {
    /// What is known of this program.
    pub fn open(cache: &'a Cache, program: CacheKey) -> Self {
        let opened = match cache.place.file(&program) {
            // It may be all hole, and to overwrite what is damaged in it would fill the disk.
            Ok(Some(opened)) if is_too_large(&opened.file, cache.most_bytes) => {
                let _ = cache.place.remove(&program);
                cache.note_damage(1);
                None
            }
            Ok(opened) => opened,
            Err(error) => {
                cache.give_up(&error);
                None
            }
        };
        let refusal = opened.as_ref().and_then(|opened| opened.refusal);
        let file = opened.map(|opened| opened.file);
        let contents = match file.as_ref().map(|file| FileIndex::read(&program, file)) {
            Some(Ok(contents)) => contents,
            Some(Err(error)) => {
                cache.give_up(&error);
                FileIndex::default()
            }
            None => FileIndex::default(),
        };
        if let Some(file) = &file {
            dir::touch(file);
            cache.note_damage(contents.damaged.len());
            // Else the next to read it tells of them again, and no harm is done.
            let _ = blank(file, &contents.damaged);
        }
        let known = OnceLock::new();
        if file.is_some() {
            let _ = known.set(file);
        }
        Self { cache, program, file: known, refusal, lines: contents.lines }
    }

    /// What came of a case at an earlier time.
    pub fn find(&self, case: &CacheKey) -> Option<Trial> {
        let place = self.lines.get(case)?;
        let mut line = vec![0; usize::try_from(place.end - place.start).ok()?];
        self.file.get()?.as_ref()?.read_exact_at(&mut line, place.start).ok()?;
        stored_trial::case_of(&self.program, &line).filter(|found| found == case)?;
        stored_trial::trial_of(&line)
    }

    /// Keeps what came of a case. Where that cannot be, the cache says so when it is closed.
    pub fn keep(&self, case: &CacheKey, trial: &Trial) {
        let Some(line) = stored_trial::write(&self.program, case, trial) else { return };
        if let Some(refusal) = self.refusal {
            return self.cache.give_up(&refusal.into());
        }
        if !self.cache.has_room_for(line.len() as u64) {
            return;
        }
        let file = self.file.get_or_init(|| match self.cache.place.new_file(&self.program) {
            Ok(file) => Some(file),
            Err(error) => {
                self.cache.give_up(&error);
                None
            }
        });
        if let Some(file) = file
            && let Err(error) = append(file, &line)
        {
            self.cache.give_up(&error);
        }
    }
}

impl Cache {
    /// The trials of a program.
    pub fn program_cache(&self, program: CacheKey) -> ProgramCache<'_> {
        ProgramCache::open(self, program)
    }
}

impl FileIndex {
    /// Reads a file from its start, a line at a time.
    pub(super) fn read(program: &CacheKey, file: &File) -> io::Result<Self> {
        let mut contents = Self::default();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let (mut line, mut start) = (Vec::new(), 0);
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

/// Whether no judge can have written all that.
fn is_too_large(file: &File, most_bytes: u64) -> bool {
    file.metadata().is_ok_and(|found| found.len() > most_bytes.max(LARGEST))
}

/// In one go.
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

/// Overwrites what is damaged with ends of lines.
fn blank(file: &File, damaged: &[Range<u64>]) -> io::Result<()> {
    if damaged.is_empty() {
        return Ok(());
    }
    // To a file that is open for appending, Linux appends wherever it is told to write: pwrite(2).
    let flags = rustix::fs::fcntl_getfl(file)?;
    rustix::fs::fcntl_setfl(file, flags - OFlags::APPEND)?;
    let blanked = damaged.iter().try_for_each(|place| {
        let length = usize::try_from(place.end - place.start).unwrap_or(0);
        file.write_all_at(&vec![b'\n'; length], place.start)
    });
    rustix::fs::fcntl_setfl(file, flags)?;
    blanked
}
