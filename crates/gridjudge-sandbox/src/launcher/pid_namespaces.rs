//! The pid namespace that a launcher has ready: made anew when a run can have left something in the last one, else used again.
//! Knows what a run could leave in a pid namespace; knows nothing of runs beside that. Start at [`PidNamespaces::enter`].
//!
//! A namespace serves run after run as long as no run has made a process, which its own number tells: each run sets the
//! numbers of its namespace back on its way to exec, and the next run is process 2 again, unless there were more.
//! Then there may have been orphans, which init counts, and the numbers to come are others. That is found by the next
//! run's process before it is anything else, and this run then begins in a fresh pid namespace. What else could tell of the runs
//! before is init, which becomes older: so a pid namespace is not used again where runs have init's user, who could send it
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

use crate::machine::process_tree;
use crate::sys::PidNamespace;

/// Where a process with rights over its pid namespace sets the last number that was given there. Source:
/// pid_namespaces(7). Not every kernel has it.
const NUMBERS: &str = "/proc/sys/kernel/ns_last_pid";

/// What still lives after being killed for this long is more than a launcher can handle.
const KILLING_TIMEOUT: Duration = Duration::from_secs(5);

/// Pid namespaces, one after the other.
pub(super) struct PidNamespaces {
    pid_namespace: PidNamespace,
    /// The pid namespace that the launcher itself is in.
    outside: OwnedFd,
    /// Where a run sets back the numbers of its namespace; `None` where each run needs a namespace of its own.
    numbers: Option<File>,
    /// Where the kernel lists the orphans that init is the parent of, if it does.
    orphans: Option<File>,
    is_counted: bool,
    /// The run that is or was in the pid namespace; if there is one, the next children are born there, too.
    latest_run: Option<LatestRun>,
    /// The latest program that is known to make processes: to use a pid namespace again after it would be in vain.
    forking_program: Option<PathBuf>,
}

/// A run that is or was in a pid namespace.
struct LatestRun {
    program: PathBuf,
    mounts_proc: bool,
    /// The program of the one before it in the same pid namespace.
    before: Option<PathBuf>,
}

impl PidNamespaces {
    /// For a launcher that is in its namespaces. `apart` says whether its runs have another user than itself,
    /// `is_counted` whether a control group counts the processes.
    pub(super) fn new(apart: bool, is_counted: bool) -> io::Result<Self> {
        let outside = File::open("/proc/self/ns/pid")?.into();
        let numbers = if apart { File::options().write(true).open(NUMBERS).ok() } else { None };
        let pid_namespace = PidNamespace::new()?;
        let orphans = if is_counted { None } else { orphans_of(&pid_namespace) };
        Ok(Self {
            pid_namespace,
            outside,
            numbers,
            orphans,
            is_counted,
            latest_run: None,
            forking_program: None,
        })
    }

    /// Whether the first process of the latest run, which has ended and been reaped, has left nobody.
    pub(super) fn have_nobody(&self) -> bool {
        let Some(orphans) = &self.orphans else { return process_tree::has_no_grandchild() };
        orphans.read_at(&mut [0], 0).is_ok_and(|bytes| bytes == 0)
    }

    /// The pid namespace in which children to come are born.
    pub(super) fn latest(&self) -> &PidNamespace {
        &self.pid_namespace
    }

    /// What the process of a run sets back its numbers by.
    pub(super) fn numbers(&self) -> Option<BorrowedFd<'_>> {
        self.numbers.as_ref().map(AsFd::as_fd)
    }

    /// Lets the children that this process is to have be born in a pid namespace that is fit for a program.
    ///
    /// # Errors
    /// If there can be no new pid namespace where one is needed, or its init has died.
    pub(super) fn enter(&mut self, program: &Path, mounts_proc: bool) -> io::Result<()> {
        if mounts_proc && self.latest_run.is_some() {
            self.renew()?;
        }
        let before = self.latest_run.take().map(|latest_run| latest_run.program);
        if before.is_none() {
            self.pid_namespace.enter()?;
        }
        self.latest_run = Some(LatestRun { program: program.to_owned(), mounts_proc, before });
        Ok(())
    }

    /// Whether the latest run is not the first in its pid namespace.
    pub(super) fn was_used_before(&self) -> bool {
        self.latest_run.as_ref().is_some_and(|latest_run| latest_run.before.is_some())
    }

    /// Makes a fresh pid namespace, because the one before the latest run has made processes in this one.
    ///
    /// # Errors
    /// If the last one does not end, or there can be no new one.
    pub(super) fn renew_after_fork(&mut self) -> io::Result<()> {
        self.forking_program = self.latest_run.take().and_then(|latest_run| latest_run.before);
        self.renew()
    }

    /// Gets ready for the next run.
    ///
    /// # Errors
    /// As [`renew_after_fork`](Self::renew_after_fork).
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let can_stay = |latest_run: &LatestRun| {
            !latest_run.mounts_proc && self.forking_program.as_ref() != Some(&latest_run.program)
        };
        let can_stay = self.numbers.is_some() && self.latest_run.as_ref().is_none_or(can_stay);
        if can_stay && !self.pid_namespace.is_over() { Ok(()) } else { self.renew() }
    }

    fn renew(&mut self) -> io::Result<()> {
        rustix::thread::move_into_link_name_space(self.outside.as_fd(), Some(LinkNameSpaceType::ProcessID))?;
        self.pid_namespace.renew(KILLING_TIMEOUT)?;
        self.orphans = if self.is_counted { None } else { orphans_of(&self.pid_namespace) };
        self.latest_run = None;
        Ok(())
    }
}

/// None if the kernel lists no children (it does if built with `CONFIG_PROC_CHILDREN`), or `/proc` knows processes by other
/// numbers than we do.
fn orphans_of(pid_namespace: &PidNamespace) -> Option<File> {
    let (me, init) = (rustix::process::getpid().as_raw_pid(), pid_namespace.init().as_raw_pid());
    let is_known = fs::read_link("/proc/self").is_ok_and(|found| found == Path::new(&me.to_string()));
    is_known.then(|| File::open(format!("/proc/{init}/task/{init}/children")).ok()).flatten()
}
