//! Caches in a folder: what comes back, what does not, and what is told about it.

use std::fs;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::model::Trial;
use crate::model::Verdict;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Usage;

const PLENTY: u64 = 1 << 30;

struct CacheFixture {
    folder: tempfile::TempDir,
}

impl CacheFixture {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn open(&self) -> Cache {
        self.open_of(PLENTY)
    }

    fn open_of(&self, most_bytes: u64) -> Cache {
        Cache::open(self.folder.path(), most_bytes, &[]).unwrap()
    }

    /// The one file that there is.
    fn file(&self) -> PathBuf {
        let mut entries = fs::read_dir(self.folder.path()).unwrap();
        let file = entries.next().unwrap().unwrap().path();
        assert!(entries.next().is_none());
        file
    }

    fn append(&self, bytes: &[u8]) {
        fs::File::options().append(true).open(self.file()).unwrap().write_all(bytes).unwrap();
    }

    fn stats(&self) -> CacheStats {
        stats(self.folder.path()).unwrap().unwrap()
    }
}

fn key(number: usize) -> CacheKey {
    let mut hasher = KeyHasher::of("test");
    hasher.add(number.to_string());
    hasher.finish()
}

/// One that can be told from others.
fn trial(number: usize) -> Trial {
    let usage = Usage { cpu: Duration::from_micros(number as u64), ..Usage::default() };
    Trial {
        verdict: Verdict::RuntimeError,
        exit: Exit::Code(3),
        usage,
        findings: None,
        stderr_tail: b"oops\n".to_vec(),
        transcript: None,
        rerun: false,
        cached: false,
    }
}

fn known(number: usize) -> Option<Trial> {
    Some(Trial { cached: true, ..trial(number) })
}

/// Keeps these trials of program 0.
fn keep(cache: &Cache, numbers: impl IntoIterator<Item = usize>) {
    let program_cache = cache.program_cache(key(0));
    numbers.into_iter().for_each(|number| program_cache.keep(&key(number), &trial(number)));
}

/// Which of the first ten trials of program 0 are known.
fn known_of_ten(cache: &Cache) -> Vec<usize> {
    let program_cache = cache.program_cache(key(0));
    let found = (0..10).filter(|number| {
        let found = program_cache.find(&key(*number));
        assert!(found.is_none() || found == known(*number));
        found.is_some()
    });
    found.collect()
}

#[test]
fn what_is_kept_is_found_by_the_next_judge_under_its_own_key_only() {
    let bench = CacheFixture::new();
    let cache = bench.open();
    assert_eq!(known_of_ten(&cache), [0; 0]);
    keep(&cache, 0..3);
    assert_eq!(cache.close(), [""; 0]);
    let cache = bench.open();
    assert_eq!(known_of_ten(&cache), [0, 1, 2]);
    assert_eq!(cache.program_cache(key(1)).find(&key(0)), None);
    let stats = bench.stats();
    assert_eq!((stats.programs, stats.trials, stats.damaged), (1, 3, 0));
    assert_eq!(stats.bytes, bench.file().metadata().unwrap().len());
}

#[test]
fn what_is_judged_elsewhere_is_another_program() {
    let bench = CacheFixture::new();
    let key_in = |facts: &[&str]| {
        let facts: Vec<_> = facts.iter().map(|fact| (*fact).to_owned()).collect();
        Cache::open(bench.folder.path(), PLENTY, &facts).unwrap().program().finish()
    };
    assert_eq!(key_in(&["level full"]), key_in(&["level full"]));
    assert_ne!(key_in(&["level full"]), key_in(&["level basic"]));
}

#[test]
fn a_cache_that_is_only_looked_at_makes_no_file() {
    let bench = CacheFixture::new();
    assert_eq!(known_of_ten(&bench.open()), [0; 0]);
    assert_eq!(fs::read_dir(bench.folder.path()).unwrap().count(), 0);
}

#[test]
fn two_judges_share_a_file_and_lose_nothing() {
    let bench = CacheFixture::new();
    let caches = [bench.open(), bench.open()];
    std::thread::scope(|scope| {
        for (number, cache) in caches.iter().enumerate() {
            // Threads of one judge, and two judges.
            for part in 0..2 {
                let first = 1000 * number + 500 * part;
                scope.spawn(move || keep(cache, first..first + 500));
            }
        }
    });
    let stats = bench.stats();
    assert_eq!((stats.trials, stats.damaged), (2000, 0));
}

/// Whatever byte is changed, the trial is lost and no other, and no verdict is another one.
#[test]
fn of_a_damaged_file_every_whole_line_counts_and_the_rest_is_told_once() {
    let bench = CacheFixture::new();
    keep(&bench.open(), 0..3);
    let whole = fs::read(bench.file()).unwrap();
    for at in (0..whole.len()).step_by(11) {
        let mut bytes = whole.clone();
        bytes[at] = b'#';
        fs::write(bench.file(), &bytes).unwrap();
        let cache = bench.open();
        assert!(known_of_ten(&cache).len() >= 2, "byte {at}");
        let told = cache.close();
        assert!(
            told.len() <= 1 && told.iter().all(|note| note.contains(" had 1 damaged line, ")),
            "{told:?}"
        );
        let again = bench.open();
        keep(&again, 0..3);
        assert_eq!(again.close(), [""; 0], "byte {at}");
        assert_eq!(known_of_ten(&bench.open()), [0, 1, 2], "byte {at}");
    }
}

#[test]
fn what_is_no_cache_at_all_counts_for_nothing() {
    let garbage = [vec![0; 5000], vec![b'\n'; 5000], vec![0xff; (1 << 20) * 2 + 3], b"{}\n{}\n".to_vec()];
    for bytes in garbage {
        let bench = CacheFixture::new();
        keep(&bench.open(), 0..1);
        let whole = fs::read(bench.file()).unwrap();
        fs::write(bench.file(), [bytes, b"\n".to_vec(), whole].concat()).unwrap();
        let cache = bench.open();
        keep(&cache, 1..2);
        drop(cache);
        assert_eq!(known_of_ten(&bench.open()), [0, 1]);
        assert_eq!(bench.stats().damaged, 0);
    }
}

/// As a judge leaves it whose disk was full, or one that is still writing.
#[test]
fn half_a_line_at_the_end_is_let_alone_and_spoils_nothing() {
    let bench = CacheFixture::new();
    keep(&bench.open(), 0..2);
    let length = bench.file().metadata().unwrap().len();
    fs::File::options().write(true).open(bench.file()).unwrap().set_len(length - 9).unwrap();
    let cache = bench.open();
    assert_eq!(known_of_ten(&cache), [0]);
    keep(&cache, 2..3);
    assert_eq!(cache.close(), [""; 0]);
    let next = bench.open();
    assert_eq!(known_of_ten(&next), [0, 2]);
    assert_eq!(next.close().len(), 1);
    assert_eq!(bench.stats().damaged, 0);
}

#[test]
fn a_line_of_another_program_counts_for_nothing() {
    let bench = CacheFixture::new();
    let cache = bench.open();
    keep(&cache, 0..1);
    let line = fs::read(bench.file()).unwrap();
    fs::remove_file(bench.file()).unwrap();
    cache.program_cache(key(7)).keep(&key(1), &trial(1));
    bench.append(&line);
    assert_eq!(cache.program_cache(key(7)).find(&key(0)), None);
    assert_eq!(cache.program_cache(key(7)).find(&key(1)), known(1));
}

#[test]
fn of_two_lines_about_a_case_the_last_counts() {
    let bench = CacheFixture::new();
    let cache = bench.open();
    cache.program_cache(key(0)).keep(&key(1), &trial(2));
    cache.program_cache(key(0)).keep(&key(1), &trial(3));
    assert_eq!(bench.open().program_cache(key(0)).find(&key(1)), known(3));
}

#[test]
fn a_cache_keeps_its_size() {
    let bench = CacheFixture::new();
    let bytes_of_one = {
        keep(&bench.open(), 1..2);
        bench.stats().bytes
    };
    // A judge adds no more than the whole cache may have, and leaves no more behind.
    let cache = bench.open_of(4 * bytes_of_one);
    keep(&cache, 2..10);
    assert_eq!(known_of_ten(&bench.open()), [1, 2, 3, 4, 5]);
    assert_eq!(cache.close(), [""; 0]);
    assert_eq!(bench.stats(), CacheStats::default());
}

#[test]
fn what_cannot_be_written_is_told_once_and_what_is_known_stays_known() {
    let bench = CacheFixture::new();
    keep(&bench.open(), 0..1);
    // No user, not even root, opens a folder as a file.
    let cache = bench.open();
    let path = bench.file().with_file_name(format!("trials-{}", key(5)));
    fs::create_dir(path).unwrap();
    let program_cache = cache.program_cache(key(5));
    (0..3).for_each(|number| program_cache.keep(&key(number), &trial(number)));
    assert_eq!(known_of_ten(&cache), [0]);
    drop(program_cache);
    let told = cache.close();
    assert!(told.len() == 1 && told[0].contains(" could not take all in: "), "{told:?}");
}

#[test]
fn a_file_that_may_only_be_read_is_read() {
    let bench = CacheFixture::new();
    keep(&bench.open(), 0..1);
    fs::set_permissions(bench.file(), Permissions::from_mode(0o400)).unwrap();
    let cache = bench.open();
    assert_eq!(known_of_ten(&cache), [0]);
    keep(&cache, 1..2);
    let told = cache.close();
    match rustix::process::geteuid().is_root() {
        true => assert_eq!(told, [""; 0]),
        false => assert!(told.len() == 1 && told[0].contains("Permission denied"), "{told:?}"),
    }
}

#[test]
fn clearing_removes_trials_and_nothing_else() {
    let bench = CacheFixture::new();
    keep(&bench.open(), 0..3);
    let other = bench.folder.path().join("trials-of-mine");
    fs::write(&other, "").unwrap();
    let bytes = bench.stats().bytes;
    assert_eq!(clear(bench.folder.path()), Ok((1, bytes)));
    assert!(other.exists());
    assert_eq!(known_of_ten(&bench.open()), [0; 0]);
    assert_eq!(clear(&bench.folder.path().join("none")), Ok((0, 0)));
    assert_eq!(stats(&bench.folder.path().join("none")), Ok(None));
}
