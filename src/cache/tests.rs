//! Caches in a folder: what is found again, what is not, and what is reported.

use std::fs;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::time::Duration;

use gridjudge_sandbox::{Exit, Usage};

use super::*;
use crate::model::{Trial, Verdict};

const PLENTY: u64 = 1 << 30;

struct CacheFixture {
    folder: tempfile::TempDir,
}

impl CacheFixture {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn open(&self) -> Cache {
        self.open_of(PLENTY)
    }

    fn open_of(&self, most_bytes: u64) -> Cache {
        Cache::open(self.folder.path(), most_bytes, &[]).unwrap()
    }

    /// The one file with trials.
    fn file(&self) -> PathBuf {
        let entries = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut files =
            entries.filter(|path| path.to_string_lossy().contains("/trials-"));
        let file = files.next().unwrap();
        assert!(files.next().is_none());
        file
    }

    fn append(&self, bytes: &[u8]) {
        fs::File::options()
            .append(true)
            .open(self.file())
            .unwrap()
            .write_all(bytes)
            .unwrap();
    }

    fn stats(&self) -> CacheStats {
        stats(self.folder.path()).unwrap().unwrap()
    }
}

fn key(number: usize) -> CacheKey {
    let mut hasher = KeyHasher::for_purpose("test");
    hasher.add(number.to_string());
    hasher.finish()
}

/// A trial that differs from those of other numbers.
fn trial(number: usize) -> Trial {
    let usage = Usage {
        cpu: Duration::from_micros(number as u64),
        ..Usage::default()
    };
    Trial {
        stderr: "oops\n".to_owned(),
        ..Trial::new(Verdict::RuntimeError, Exit::Code(3), usage)
    }
}

/// That trial as it is found in the cache.
fn cached(number: usize) -> Option<Trial> {
    Some(Trial {
        cached: true,
        ..trial(number)
    })
}

/// Stores these trials of program 0.
fn store(cache: &Cache, numbers: impl IntoIterator<Item = usize>) {
    let program_cache = cache.program_cache(key(0));
    for number in numbers {
        program_cache.store(&key(number), &trial(number));
    }
}

/// Which of the first ten trials of program 0 are cached.
fn cached_of_ten(cache: &Cache) -> Vec<usize> {
    let program_cache = cache.program_cache(key(0));
    (0..10)
        .filter(|number| {
            let found = program_cache.find(&key(*number));
            assert!(found.is_none() || found == cached(*number));
            found.is_some()
        })
        .collect()
}

#[test]
fn a_stored_trial_is_found_by_the_next_judge_under_its_own_key_only() {
    let fixture = CacheFixture::new();
    let cache = fixture.open();
    assert_eq!(cached_of_ten(&cache), [0; 0]);
    store(&cache, 0..3);
    assert_eq!(cache.close(), [""; 0]);
    let cache = fixture.open();
    assert_eq!(cached_of_ten(&cache), [0, 1, 2]);
    assert_eq!(cache.program_cache(key(1)).find(&key(0)), None);
    let stats = fixture.stats();
    assert_eq!((stats.programs, stats.trials, stats.damaged), (1, 3, 0));
    let file = fixture.file().metadata().unwrap();
    assert_eq!(stats.bytes, file.len().max(512 * file.blocks()));
}

#[test]
fn other_surroundings_give_another_program_key() {
    let fixture = CacheFixture::new();
    let key_in = |facts: &[&str]| {
        let facts: Vec<_> = facts.iter().map(|fact| (*fact).to_owned()).collect();
        Cache::open(fixture.folder.path(), PLENTY, &facts)
            .unwrap()
            .program()
            .finish()
    };
    assert_eq!(key_in(&["level full"]), key_in(&["level full"]));
    assert_ne!(key_in(&["level full"]), key_in(&["level basic"]));
}

#[test]
fn a_cache_that_is_only_read_creates_no_file() {
    let fixture = CacheFixture::new();
    assert_eq!(cached_of_ten(&fixture.open()), [0; 0]);
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 0);
}

#[test]
fn two_judges_share_a_file_and_lose_nothing() {
    let fixture = CacheFixture::new();
    let caches = [fixture.open(), fixture.open()];
    std::thread::scope(|scope| {
        for (number, cache) in caches.iter().enumerate() {
            // Threads of one judge, and two judges.
            for part in 0..2 {
                let first = 1000 * number + 500 * part;
                scope.spawn(move || store(cache, first..first + 500));
            }
        }
    });
    let stats = fixture.stats();
    assert_eq!((stats.trials, stats.damaged), (2000, 0));
}

/// Whichever byte is changed, only its own trial is lost, and no verdict changes.
#[test]
fn in_a_damaged_file_every_intact_line_counts_and_damage_is_reported_once() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 0..3);
    let whole = fs::read(fixture.file()).unwrap();
    for at in (0..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] = b'#';
        fs::write(fixture.file(), &bytes).unwrap();
        let cache = fixture.open();
        assert!(cached_of_ten(&cache).len() >= 2, "byte {at}");
        let notes = cache.close();
        assert!(
            notes.len() <= 1
                && notes
                    .iter()
                    .all(|note| note.contains(" had 1 damaged line, ")),
            "{notes:?}"
        );
        let again = fixture.open();
        store(&again, 0..3);
        assert_eq!(again.close(), [""; 0], "byte {at}");
        assert_eq!(cached_of_ten(&fixture.open()), [0, 1, 2], "byte {at}");
    }
}

#[test]
fn garbage_in_a_file_is_ignored() {
    let garbage = [
        vec![0; 5000],
        vec![b'\n'; 5000],
        vec![0xff; (1 << 20) * 2 + 3],
        b"{}\n{}\n".to_vec(),
    ];
    for bytes in garbage {
        let fixture = CacheFixture::new();
        store(&fixture.open(), 0..1);
        let whole = fs::read(fixture.file()).unwrap();
        fs::write(fixture.file(), [bytes, b"\n".to_vec(), whole].concat()).unwrap();
        let cache = fixture.open();
        store(&cache, 1..2);
        drop(cache);
        assert_eq!(cached_of_ten(&fixture.open()), [0, 1]);
        assert_eq!(fixture.stats().damaged, 0);
    }
}

/// A judge whose disk was full, or one that is still writing, leaves such a line.
#[test]
fn an_incomplete_line_at_the_end_is_left_alone_and_spoils_no_other() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 0..2);
    let length = fixture.file().metadata().unwrap().len();
    fs::File::options()
        .write(true)
        .open(fixture.file())
        .unwrap()
        .set_len(length - 9)
        .unwrap();
    let cache = fixture.open();
    assert_eq!(cached_of_ten(&cache), [0]);
    store(&cache, 2..3);
    assert_eq!(cache.close(), [""; 0]);
    let next = fixture.open();
    assert_eq!(cached_of_ten(&next), [0, 2]);
    assert_eq!(next.close().len(), 1);
    assert_eq!(fixture.stats().damaged, 0);
}

#[test]
fn a_line_of_another_program_is_ignored() {
    let fixture = CacheFixture::new();
    let cache = fixture.open();
    store(&cache, 0..1);
    let line = fs::read(fixture.file()).unwrap();
    fs::remove_file(fixture.file()).unwrap();
    cache.program_cache(key(7)).store(&key(1), &trial(1));
    fixture.append(&line);
    assert_eq!(cache.program_cache(key(7)).find(&key(0)), None);
    assert_eq!(cache.program_cache(key(7)).find(&key(1)), cached(1));
}

#[test]
fn of_two_lines_about_a_case_the_last_counts() {
    let fixture = CacheFixture::new();
    let cache = fixture.open();
    cache.program_cache(key(0)).store(&key(1), &trial(2));
    cache.program_cache(key(0)).store(&key(1), &trial(3));
    assert_eq!(
        fixture.open().program_cache(key(0)).find(&key(1)),
        cached(3)
    );
}

#[test]
fn a_cache_keeps_its_size() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 1..2);
    let line = fixture.file().metadata().unwrap().len();
    // A judge adds no more than the cache may have, and counts a block for the first
    // line.
    store(&fixture.open_of(4096 + 4 * line), 2..10);
    assert_eq!(cached_of_ten(&fixture.open()), [1, 2, 3, 4, 5]);
    // When it closes the cache, it trims it to that size.
    let cache = fixture.open_of(line);
    store(&cache, 2..10);
    assert_eq!(cache.close(), [""; 0]);
    assert_eq!(fixture.stats(), CacheStats::default());
}

#[test]
fn a_failed_write_is_reported_once_and_stored_trials_remain() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 0..1);
    // Not even root can open a folder as a file.
    let cache = fixture.open();
    let path = fixture.file().with_file_name(format!("trials-{}", key(5)));
    fs::create_dir(path).unwrap();
    let program_cache = cache.program_cache(key(5));
    for number in 0..3 {
        program_cache.store(&key(number), &trial(number));
    }
    assert_eq!(cached_of_ten(&cache), [0]);
    drop(program_cache);
    let notes = cache.close();
    assert!(
        notes.len() == 1 && notes[0].contains(" could not store all results: "),
        "{notes:?}"
    );
}

#[test]
fn a_read_only_file_is_read() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 0..1);
    fs::set_permissions(fixture.file(), Permissions::from_mode(0o400)).unwrap();
    let cache = fixture.open();
    assert_eq!(cached_of_ten(&cache), [0]);
    store(&cache, 1..2);
    let notes = cache.close();
    if rustix::process::geteuid().is_root() {
        assert_eq!(notes, [""; 0])
    } else {
        assert!(
            notes.len() == 1 && notes[0].contains("Permission denied"),
            "{notes:?}"
        )
    }
}

#[test]
fn clearing_removes_trials_and_nothing_else() {
    let fixture = CacheFixture::new();
    store(&fixture.open(), 0..3);
    let other = fixture.folder.path().join("trials-of-mine");
    fs::write(&other, "").unwrap();
    let bytes = fixture.stats().bytes;
    assert_eq!(clear_cache(fixture.folder.path()), Ok((1, bytes)));
    assert!(other.exists());
    assert_eq!(cached_of_ten(&fixture.open()), [0; 0]);
    assert_eq!(clear_cache(&fixture.folder.path().join("none")), Ok((0, 0)));
    assert_eq!(stats(&fixture.folder.path().join("none")), Ok(None));
}

#[test]
fn a_text_is_new_once_until_it_changes_or_the_cache_is_cleared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    assert!(is_new_notice(&path, "no Landlock"));
    assert!(!is_new_notice(&path, "no Landlock"));
    assert!(is_new_notice(&path, "Landlock 7"));
    assert!(!is_new_notice(&path, "no Landlock"));
    assert_eq!(clear_cache(&path).unwrap(), (0, 0));
    assert!(is_new_notice(&path, "no Landlock"));
}

#[test]
fn without_a_usable_folder_every_notice_is_new() {
    let file = tempfile::NamedTempFile::new().unwrap();
    assert!(is_new_notice(file.path(), "no Landlock"));
    assert!(is_new_notice(file.path(), "no Landlock"));
}
