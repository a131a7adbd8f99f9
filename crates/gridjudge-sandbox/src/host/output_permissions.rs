//! Finds out whether runs have changed the permissions of the files that their output
//! goes to. A run that has the judge's own user may do so, and could then read its
//! output back and use it as memory that nothing counts. Knows files; knows nothing of
//! runs. Start at [`OutputPermissions::withdraw`].

use std::collections::HashSet;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::fs::inotify::{CreateFlags, ReadFlags, WatchFlags};
use rustix::fs::{Mode, inotify};

/// Buffer size for some events; there may be more to read.
const ROOM: usize = 4096;

/// Watches the output files of one launcher's runs.
pub(super) struct OutputPermissions {
    inotify: OwnedFd,
    /// The watches of files whose permissions were changed.
    changed: HashSet<i32>,
}

/// The watch on one file. It ends with the file.
#[derive(Clone, Copy)]
pub(super) struct WatchId(i32);

impl OutputPermissions {
    /// # Errors
    /// Returns an error if the kernel has no inotify, or no instance left for this
    /// user.
    pub(super) fn new() -> io::Result<Self> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        Ok(Self {
            inotify,
            changed: HashSet::new(),
        })
    }

    /// Makes a file write-only, and watches its permissions from now on.
    ///
    /// # Errors
    /// Returns an error if the file cannot be watched or its permissions cannot be
    /// changed.
    pub(super) fn withdraw(&mut self, file: &OwnedFd) -> io::Result<WatchId> {
        // Only a readable file can be watched, so the watch comes first; the event of
        // our own change is then discarded.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let watched = inotify::add_watch(&self.inotify, path, WatchFlags::ATTRIB)?;
        write_only(file)?;
        self.read();
        self.changed.remove(&watched);
        Ok(WatchId(watched))
    }

    /// Whether the permissions of a file were changed. Ends the watch.
    pub(super) fn were_changed(&mut self, WatchId(watched): WatchId) -> bool {
        self.read();
        let _ = inotify::remove_watch(&self.inotify, watched);
        self.changed.remove(&watched)
    }

    fn read(&mut self) {
        let mut room = [MaybeUninit::uninit(); ROOM];
        let mut events = inotify::Reader::new(self.inotify.as_fd(), &mut room);
        // The usual error is that nothing is left to read; any other one will come
        // again at the next call.
        while let Ok(event) = events.next() {
            if event.events().contains(ReadFlags::ATTRIB) {
                self.changed.insert(event.wd());
            }
        }
    }
}

/// Makes a file write-only: no user except its owner can then open it again for
/// reading.
///
/// # Errors
/// Returns an error if the file is not ours.
pub(super) fn write_only(file: &OwnedFd) -> io::Result<()> {
    Ok(rustix::fs::fchmod(
        file,
        Mode::WUSR | Mode::WGRP | Mode::WOTH,
    )?)
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;

    use rustix::fs::MemfdFlags;

    use super::*;

    #[test]
    fn only_a_change_of_permissions_is_noticed() {
        let mut permissions = OutputPermissions::new().unwrap();
        let files = ["written", "opened", "changed"]
            .map(|name| rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC))
            .map(Result::unwrap);
        let watched = files
            .each_ref()
            .map(|file| permissions.withdraw(file).unwrap());
        File::from(files[0].try_clone().unwrap())
            .write_all(b"output")
            .unwrap();
        rustix::fs::ftruncate(&files[0], 3).unwrap();
        OpenOptions::new()
            .write(true)
            .open(format!("/proc/self/fd/{}", files[1].as_raw_fd()))
            .unwrap();
        rustix::fs::fchmod(&files[2], Mode::RUSR).unwrap();
        write_only(&files[2]).unwrap();
        assert_eq!(
            watched.map(|watched| permissions.were_changed(watched)),
            [false, false, true]
        );
    }
}
