//! What is removed to make room, and when the folder is listed for that.

use std::fs;
use std::io::Write;

use rustix::fs::{Timespec, Timestamps};

use super::*;
use crate::cache::CacheKey;
use crate::cache::dir::{BUILD_PREFIX, TRIALS_PREFIX, touch, used_bytes};
use crate::cache::key::KeyHasher;

struct Room {
    folder: tempfile::TempDir,
    place: CacheDir,
}

fn key(name: &str) -> CacheKey {
    KeyHasher::for_purpose(name).finish()
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = CacheDir::make(folder.path()).unwrap();
        Self { folder, place }
    }

    fn path(&self, prefix: &str, name: &str) -> std::path::PathBuf {
        self.folder.path().join(format!("{prefix}{}", key(name)))
    }

    /// Adds a file that was last used at this second.
    fn add(&self, prefix: &str, name: &str, seconds: i64) {
        let mut file = File::create(self.path(prefix, name)).unwrap();
        file.write_all(b"0123456789").unwrap();
        let time = Timespec {
            tv_sec: seconds,
            tv_nsec: 0,
        };
        rustix::fs::futimens(
            &file,
            &Timestamps {
                last_access: time,
                last_modification: time,
            },
        )
        .unwrap();
        // Only a file with these permissions belongs to the cache.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(self.path(prefix, name), mode).unwrap();
    }

    /// The bytes that one of these files takes.
    fn one(&self, prefix: &str, name: &str) -> u64 {
        used_bytes(&rustix::fs::stat(self.path(prefix, name)).unwrap())
    }

    fn size(&self) -> Option<EstimatedSize> {
        EstimatedSize::read(&File::open(self.folder.path().join(NAME)).ok()?)
    }

    fn bytes(&self) -> Option<u64> {
        Some(self.size()?.bytes)
    }

    fn reserve(&self, bytes: u64) -> Reservation {
        let mut reservation = Reservation::default();
        self.place.reserve(&mut reservation, bytes);
        reservation
    }

    /// Ends a reservation with more room than is ever needed. Returns whether the
    /// folder was listed.
    fn end(&self, mut reservation: Reservation, written: u64) -> bool {
        let before = self.size().map(|size| size.listing);
        reservation.written = written;
        self.place.end_reservation(reservation, u64::MAX).unwrap();
        self.size().map(|size| size.listing) != before
    }

    /// A judge that writes this much. Returns whether it listed the folder.
    fn judge(&self, written: u64) -> bool {
        self.end(self.reserve(written), written)
    }
}

#[test]
fn the_least_recently_used_file_is_removed_first_and_one_in_use_stays() {
    let room = Room::new();
    let names = ["a", "b", "c", "d"];
    for (seconds, name) in (1000..).zip(names) {
        room.add(TRIALS_PREFIX, name, seconds);
    }
    let one = room.one(TRIALS_PREFIX, "a");
    let left = || -> Vec<_> {
        names
            .into_iter()
            .filter(|name| room.path(TRIALS_PREFIX, name).exists())
            .collect()
    };
    assert_eq!(room.place.trim(4 * one).unwrap(), 4 * one);
    assert_eq!(left(), names);
    touch(&room.place.file(TRIALS_PREFIX, &key("a")).unwrap().unwrap());
    assert_eq!(room.place.trim(4 * one - 1).unwrap(), 3 * one);
    assert_eq!(left(), ["a", "c", "d"]);
    let used = room.place.file(TRIALS_PREFIX, &key("c")).unwrap().unwrap();
    assert_eq!(room.place.trim(0).unwrap(), one);
    assert_eq!(left(), ["c"]);
    drop(used);
    room.place.trim(0).unwrap();
    assert_eq!(left(), [""; 0]);
}

#[test]
fn compiled_programs_are_removed_like_trials_and_other_files_stay() {
    let room = Room::new();
    let used = [
        (TRIALS_PREFIX, "a", 3),
        (BUILD_PREFIX, "a", 1),
        (TRIALS_PREFIX, "b", 2),
        (BUILD_PREFIX, "b", 4),
    ];
    for (prefix, name, seconds) in &used {
        room.add(prefix, name, *seconds);
    }
    let others = [
        room.path("digest-", "a"),
        room.folder.path().join("program-1"),
    ];
    for path in &others {
        fs::write(path, "").unwrap();
    }
    let one = room.one(TRIALS_PREFIX, "a");
    room.place.trim(5 * one / 2).unwrap();
    let left = used.map(|(prefix, name, _)| room.path(prefix, name).exists());
    assert_eq!(left, [true, false, false, true]);
    room.place.trim(0).unwrap();
    assert!(!room.path(BUILD_PREFIX, "b").exists());
    assert!(others.iter().all(|path| path.exists()));
}

#[test]
fn builds_that_take_more_than_half_of_the_room_are_removed_before_older_trials() {
    let room = Room::new();
    for name in &["a", "b", "c", "d"] {
        room.add(TRIALS_PREFIX, name, 1);
    }
    for (name, seconds) in ["e", "f", "g", "h"].iter().zip(2..) {
        room.add(BUILD_PREFIX, name, seconds);
    }
    let one = room.one(TRIALS_PREFIX, "a");
    assert_eq!(room.place.trim(7 * one).unwrap(), 6 * one);
    let left = |prefix, names: [&'static str; 4]| {
        names.map(|name| room.path(prefix, name).exists())
    };
    assert_eq!(
        left(TRIALS_PREFIX, ["a", "b", "c", "d"])
            .iter()
            .filter(|there| **there)
            .count(),
        3
    );
    assert_eq!(
        left(BUILD_PREFIX, ["e", "f", "g", "h"]),
        [false, true, true, true]
    );
}

/// So that the next judge need not list it again.
#[test]
fn once_it_is_full_the_cache_is_trimmed_to_nine_tenths() {
    let room = Room::new();
    let names: Vec<_> = (0..20).map(|number| number.to_string()).collect();
    for name in &names {
        room.add(TRIALS_PREFIX, name, 1000);
    }
    let one = room.one(TRIALS_PREFIX, "0");
    assert_eq!(room.place.trim(20 * one).unwrap(), 20 * one);
    assert_eq!(room.place.trim(20 * one - 1).unwrap(), 17 * one);
}

#[test]
fn the_folder_is_listed_once_and_then_only_when_the_estimate_exceeds_the_limit() {
    let room = Room::new();
    for name in &["a", "b"] {
        room.add(TRIALS_PREFIX, name, 1000);
    }
    let one = room.one(TRIALS_PREFIX, "a");
    assert!(room.judge(100));
    assert_eq!(room.bytes(), Some(2 * one));
    // What it has not written, it takes back.
    assert!(!room.judge(100));
    assert_eq!(room.bytes(), Some(2 * one + 100));
    assert!(!room.judge(3 * STEP));
    let full = 2 * one + 100 + 3 * STEP;
    assert_eq!(room.bytes(), Some(full));
    room.place
        .end_reservation(room.reserve(1), full + 1)
        .unwrap();
    assert_eq!(room.bytes(), Some(full + 1));
    room.place
        .end_reservation(room.reserve(1), full + 1)
        .unwrap();
    assert_eq!(room.bytes(), Some(2 * one));
}

#[test]
fn a_judge_that_is_killed_leaves_the_estimate_too_high_and_never_too_low() {
    let room = Room::new();
    room.judge(0);
    room.reserve(10);
    assert_eq!(room.bytes(), Some(STEP));
    room.reserve(2 * STEP);
    assert_eq!(room.bytes(), Some(3 * STEP));
}

#[test]
fn two_judges_at_once_both_count() {
    let room = Room::new();
    room.judge(0);
    let mut one = room.reserve(10);
    let other = room.reserve(20);
    room.place.reserve(&mut one, STEP + 5);
    assert_eq!(room.bytes(), Some(3 * STEP));
    assert!(!room.end(other, 20));
    assert!(!room.end(one, STEP + 5));
    assert_eq!(room.bytes(), Some(STEP + 25));
}

/// What it had reserved is not in the estimate any more, so nothing is taken back.
#[test]
fn a_judge_that_ends_after_another_has_listed_the_folder_counts_in_full() {
    let room = Room::new();
    room.judge(0);
    let early = room.reserve(10);
    room.place.forget_size();
    assert!(room.judge(0));
    assert!(!room.end(early, 10));
    assert_eq!(room.bytes(), Some(10));
}

/// Neither waits, and the next judge lists the folder.
#[test]
fn an_estimate_that_another_judge_holds_is_removed() {
    let room = Room::new();
    room.judge(0);
    let held = room.place.locked_size(OFlags::empty()).unwrap();
    room.reserve(10);
    assert_eq!(room.size(), None);
    drop(held);
    assert!(room.judge(0));
    let held = room.place.locked_size(OFlags::empty()).unwrap();
    room.place
        .end_reservation(
            Reservation {
                written: 10,
                ..Reservation::default()
            },
            u64::MAX,
        )
        .unwrap();
    assert_eq!(room.size(), None);
    drop(held);
    assert!(room.judge(0));
    assert_eq!(room.bytes(), Some(0));
}

#[test]
fn a_damaged_estimate_is_replaced() {
    let room = Room::new();
    room.judge(0);
    let path = room.folder.path().join(NAME);
    let whole = fs::read_to_string(&path).unwrap();
    for damage in [
        "",
        "12 34\n",
        &whole[1..],
        &whole[..LENGTH - 1],
        &format!("{whole}\n"),
        &whole.replace('0', "x"),
    ] {
        fs::write(&path, damage).unwrap();
        assert!(room.judge(10), "{damage:?}");
        assert_eq!(room.bytes(), Some(0), "{damage:?}");
    }
}

#[test]
fn a_foreign_file_with_the_name_of_the_estimate_is_not_written_to() {
    let room = Room::new();
    let other = room.folder.path().join("other");
    fs::write(&other, "text").unwrap();
    std::os::unix::fs::symlink(&other, room.folder.path().join(NAME)).unwrap();
    room.place
        .end_reservation(room.reserve(10), u64::MAX)
        .unwrap();
    assert_eq!(fs::read_to_string(other).unwrap(), "text");
}
