//! The chamber that a launcher has ready: made anew when a run can have left something in the last one, else used again.
//! Knows what a run could leave in a pid namespace; knows nothing of runs beside that. Start at [`Chambers::enter`].
//!
//! A chamber serves run after run as long as no run has made a process, which its own number tells: each run sets the
//! numbers of its namespace back on its way to exec, and whoever comes after it is process 2 again, unless there were more.
//! Then there may have been orphans, which init counts, and the numbers to come are others. That is found by the next
//! run's process before it is anything else, and this run then begins in a fresh chamber. What else could tell of the runs
//! before is init, which becomes older: so a chamber is not used again where runs have init's user, who could send it
//! signals, or see it in `/proc`.

use std::fs;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::BorrowedFd;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use rustix::thread::LinkNameSpaceType;

use crate::sys::Chamber;
use crate::tree;

/// Where a process with rights over its pid namespace sets the last number that was given there. Source:
/// pid_namespaces(7). Not every kernel has it.
const NUMBERS: &str = "/proc/sys/kernel/ns_last_pid";

/// What still lives after being killed for this long is more than a launcher can handle.
const KILLING_TAKES_AT_MOST: Duration = Duration::from_secs(5);

/// Chambers, one after the other.
pub(super) struct Chambers {
    chamber: Chamber,
    /// The namespace of processes that the launcher itself is in.
    outside: OwnedFd,
    /// Where a run sets back the numbers of its namespace; `None` where each run needs a namespace of its own.
    numbers: Option<File>,
    /// Where the kernel lists whoever has fallen to init, if it does.
    orphans: Option<File>,
    is_counted: bool,
    /// Who is or was in the chamber, in which children to come are born then.
    guest: Option<Guest>,
    /// The latest program that is known to make processes: to use a chamber again after it would be in vain.
    crowd: Option<PathBuf>,
}

/// A run that is or was in a chamber.
struct Guest {
    program: PathBuf,
    sees_processes: bool,
    /// The program of the one before it in the same chamber.
    before: Option<PathBuf>,
}

impl Chambers {
    /// For a launcher that is in its namespaces. `apart` says whether its runs have another user than itself,
    /// `is_counted` whether somebody else knows how many processes there are.
    pub(super) fn new(apart: bool, is_counted: bool) -> io::Result<Self> {
        let outside = File::open("/proc/self/ns/pid")?.into();
        let numbers = if apart { File::options().write(true).open(NUMBERS).ok() } else { None };
        let chamber = Chamber::new()?;
        let orphans = if is_counted { None } else { orphans_of(&chamber) };
        Ok(Self { chamber, outside, numbers, orphans, is_counted, guest: None, crowd: None })
    }

    /// Whether the first process of the latest run, which has ended and been reaped, has left nobody.
    pub(super) fn have_nobody(&self) -> bool {
        let Some(orphans) = &self.orphans else { return tree::has_no_grandchild() };
        orphans.read_at(&mut [0], 0).is_ok_and(|bytes| bytes == 0)
    }

    /// The chamber in which children to come are born.
    pub(super) fn latest(&self) -> &Chamber {
        &self.chamber
    }

    /// What the process of a run sets back its numbers by.
    pub(super) fn numbers(&self) -> Option<BorrowedFd<'_>> {
        self.numbers.as_ref().map(AsFd::as_fd)
    }

    /// Lets the children that this process is to have be born in a chamber that is fit for a program.
    ///
    /// # Errors
    /// If there can be no new chamber where one is needed, or its init has died.
    pub(super) fn enter(&mut self, program: &Path, sees_processes: bool) -> io::Result<()> {
        if sees_processes && self.guest.is_some() {
            self.renew()?;
        }
        let before = self.guest.take().map(|guest| guest.program);
        if before.is_none() {
            self.chamber.enter()?;
        }
        self.guest = Some(Guest { program: program.to_owned(), sees_processes, before });
        Ok(())
    }

    /// Whether the latest run is not the first in its chamber.
    pub(super) fn was_used_before(&self) -> bool {
        self.guest.as_ref().is_some_and(|guest| guest.before.is_some())
    }

    /// Makes a fresh chamber, because the one before the latest run has made processes in this one.
    ///
    /// # Errors
    /// If the last one does not end, or there can be no new one.
    pub(super) fn renew_after_crowd(&mut self) -> io::Result<()> {
        self.crowd = self.guest.take().and_then(|guest| guest.before);
        self.renew()
    }

    /// Gets ready for the next run.
    ///
    /// # Errors
    /// As [`renew_after_crowd`](Self::renew_after_crowd).
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let can_stay = |guest: &Guest| !guest.sees_processes && self.crowd.as_ref() != Some(&guest.program);
        let can_stay = self.numbers.is_some() && self.guest.as_ref().is_none_or(can_stay);
        if can_stay && !self.chamber.is_over() { Ok(()) } else { self.renew() }
    }

    fn renew(&mut self) -> io::Result<()> {
        rustix::thread::move_into_link_name_space(self.outside.as_fd(), Some(LinkNameSpaceType::ProcessID))?;
        self.chamber.renew(KILLING_TAKES_AT_MOST)?;
        self.orphans = if self.is_counted { None } else { orphans_of(&self.chamber) };
        self.guest = None;
        Ok(())
    }
}

/// None if the kernel lists no children (it does if built with `CONFIG_PROC_CHILDREN`), or `/proc` knows processes by other
/// numbers than we do.
fn orphans_of(chamber: &Chamber) -> Option<File> {
    let (me, init) = (rustix::process::getpid().as_raw_pid(), chamber.init().as_raw_pid());
    let is_known = fs::read_link("/proc/self").is_ok_and(|found| found == Path::new(&me.to_string()));
    is_known.then(|| File::open(format!("/proc/{init}/task/{init}/children")).ok()).flatten()
}
