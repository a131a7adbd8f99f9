//! Whether runs have changed the permissions of the files that their output goes to. A run that has the judge's own user may,
//! and could then read its output back: that is memory which nothing would count. Knows files; knows nothing of runs. Start at
//! [`OutputPermissions::withdraw`].

use std::collections::HashSet;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::fd::AsRawFd;
use std::os::fd::OwnedFd;

use rustix::fs::Mode;
use rustix::fs::inotify;
use rustix::fs::inotify::CreateFlags;
use rustix::fs::inotify::ReadFlags;
use rustix::fs::inotify::WatchFlags;

/// Room for some events; there may be more to read.
const ROOM: usize = 4096;

/// The files of one launcher's runs, watched.
pub(super) struct OutputPermissions {
    inotify: OwnedFd,
    /// The watches of files whose permissions were changed.
    changed: HashSet<i32>,
}

/// The watch over one file. It goes with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WatchId(i32);

impl OutputPermissions {
    /// # Errors
    /// If the kernel has no such watch, or none left for this user.
    pub(super) fn new() -> io::Result<Self> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        Ok(Self { inotify, changed: HashSet::new() })
    }

    /// Lets a file be opened for writing only, and watches its permissions from now on.
    ///
    /// # Errors
    /// If there can be no watch.
    pub(super) fn withdraw(&mut self, file: &OwnedFd) -> io::Result<WatchId> {
        // Only what could be read can be watched, so the watch comes first, and meets what follows.
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let watched = inotify::add_watch(&self.inotify, path, WatchFlags::ATTRIB)?;
        write_only(file)?;
        self.read();
        self.changed.remove(&watched);
        Ok(WatchId(watched))
    }

    /// Whether the permissions of a file were changed. Watches it no longer.
    pub(super) fn were_changed(&mut self, WatchId(watched): WatchId) -> bool {
        self.read();
        let _ = inotify::remove_watch(&self.inotify, watched);
        self.changed.remove(&watched)
    }

    fn read(&mut self) {
        let mut room = [MaybeUninit::uninit(); ROOM];
        let mut events = inotify::Reader::new(self.inotify.as_fd(), &mut room);
        // There is nothing more when there is nothing to read; any other error will be there for the next as well.
        while let Ok(event) = events.next() {
            if event.events().contains(ReadFlags::ATTRIB) {
                self.changed.insert(event.wd());
            }
        }
    }
}

/// Leaves a file open to writing only: another user than its owner can then not even open it anew for reading.
///
/// # Errors
/// If it is not ours.
pub(super) fn write_only(file: &OwnedFd) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, Mode::WUSR | Mode::WGRP | Mode::WOTH)?)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::fs::OpenOptions;
    use std::io::Write;

    use rustix::fs::MemfdFlags;

    use super::*;

    #[test]
    fn only_who_changes_the_rights_of_an_output_is_noticed() {
        let mut permissions = OutputPermissions::new().unwrap();
        let files =
            ["written", "opened", "changed"].map(|name| rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC));
        let files = files.map(Result::unwrap);
        let watched = files.each_ref().map(|file| permissions.withdraw(file).unwrap());
        File::from(files[0].try_clone().unwrap()).write_all(b"output").unwrap();
        rustix::fs::ftruncate(&files[0], 3).unwrap();
        OpenOptions::new().write(true).open(format!("/proc/self/fd/{}", files[1].as_raw_fd())).unwrap();
        rustix::fs::fchmod(&files[2], Mode::RUSR).unwrap();
        write_only(&files[2]).unwrap();
        assert_eq!(watched.map(|watched| permissions.were_changed(watched)), [false, false, true]);
    }
}
