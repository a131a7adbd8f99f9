//! Provides the pid namespace for a launcher's next run: a new one if an earlier run
//! may have left traces in the last one, else the same again. Knows what a run could
//! leave in a pid namespace; knows nothing else of runs. Start at
//! [`PidNamespaces::enter`].
//!
//! A namespace serves run after run as long as no run has made a process, which the
//! next run's process id shows: each run sets back the last process id of its namespace
//! on its way to exec, so the next run is process 2 again, unless the run made
//! processes. In that case there may have been orphans, which init counts, and later
//! process ids differ. The next run's process finds that out before it does anything
//! else, and the run then starts in a fresh pid namespace. The only other trace of
//! earlier runs is the age of init: so a pid namespace is not used again where a run
//! has init's user, and could send it signals, or sees it in `/proc`.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::thread::LinkNameSpaceType;

use crate::launcher::assignment::KILLING_TIMEOUT;
use crate::machine::process_tree;
use crate::sys::PidNamespace;

/// The file in which a process with rights over its pid namespace sets the last process
/// id given there. Source: pid_namespaces(7). Not every kernel has it.
const NUMBERS: &str = "/proc/sys/kernel/ns_last_pid";

/// The current pid namespace of a launcher, and what is known of the runs in it.
pub(super) struct PidNamespaces {
    /// The current pid namespace, in which the next run's process is born.
    pub(super) pid_namespace: PidNamespace,
    /// The pid namespace that the launcher itself is in.
    outside: OwnedFd,
    /// The file by which a run sets back the process ids of its namespace; `None` if
    /// each run needs a fresh namespace.
    numbers: Option<File>,
    /// The file in which the kernel lists init's children, the orphans, if it has one.
    orphans: Option<File>,
    is_counted: bool,
    /// The run that is or was in the pid namespace. If `Some`, this process's next
    /// children are already born there.
    latest_run: Option<LatestRun>,
    /// The latest program that is known to make processes: trying to use a pid
    /// namespace again after it would fail.
    forking_program: Option<PathBuf>,
}

/// A run that is or was in a pid namespace.
struct LatestRun {
    program: PathBuf,
    mounts_proc: bool,
    /// The program of the run before it in the same pid namespace.
    before: Option<PathBuf>,
}

impl PidNamespaces {
    /// Makes the first pid namespace, for a launcher that is already in its other
    /// namespaces. `apart` says whether its runs have another user than itself,
    /// `is_counted` whether a control group counts the processes.
    pub(super) fn new(apart: bool, is_counted: bool) -> io::Result<Self> {
        let outside = File::open("/proc/self/ns/pid")?.into();
        let numbers = if apart {
            File::options().write(true).open(NUMBERS).ok()
        } else {
            None
        };
        let pid_namespace = PidNamespace::new()?;
        Ok(Self {
            orphans: orphans_of(&pid_namespace, is_counted),
            pid_namespace,
            outside,
            numbers,
            is_counted,
            latest_run: None,
            forking_program: None,
        })
    }

    /// Whether the first process of the latest run, which has ended and been reaped,
    /// has left no process.
    pub(super) fn have_no_process(&self) -> bool {
        let Some(orphans) = &self.orphans else {
            return process_tree::has_no_grandchild();
        };
        orphans.read_at(&mut [0], 0).is_ok_and(|bytes| bytes == 0)
    }

    /// The file by which the process of a run sets back the process ids.
    pub(super) fn numbers(&self) -> Option<BorrowedFd<'_>> {
        self.numbers.as_ref().map(AsFd::as_fd)
    }

    /// Makes future children of this process be born in a pid namespace that this
    /// program can use.
    ///
    /// # Errors
    /// Returns an error if a new pid namespace is needed and cannot be made, or its
    /// init has died.
    pub(super) fn enter(
        &mut self,
        program: &Path,
        mounts_proc: bool,
    ) -> io::Result<()> {
        if mounts_proc && self.latest_run.is_some() {
            self.renew()?;
        }
        let before = self.latest_run.take().map(|latest_run| latest_run.program);
        if before.is_none() {
            self.pid_namespace.enter()?;
        }
        self.latest_run = Some(LatestRun {
            program: program.to_owned(),
            mounts_proc,
            before,
        });
        Ok(())
    }

    /// Whether the latest run is not the first in its pid namespace.
    pub(super) fn was_used_before(&self) -> bool {
        self.latest_run
            .as_ref()
            .is_some_and(|latest_run| latest_run.before.is_some())
    }

    /// Makes a fresh pid namespace, because the run before the latest one has made
    /// processes in this one.
    ///
    /// # Errors
    /// Returns an error if the last one does not end, or a new one cannot be made.
    pub(super) fn renew_after_fork(&mut self) -> io::Result<()> {
        self.forking_program = self
            .latest_run
            .take()
            .and_then(|latest_run| latest_run.before);
        self.renew()
    }

    /// Prepares for the next run: makes a fresh pid namespace unless this one can be
    /// used again.
    ///
    /// # Errors
    /// As for [`renew_after_fork`](Self::renew_after_fork).
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let can_stay = |latest_run: &LatestRun| {
            !latest_run.mounts_proc
                && self.forking_program.as_ref() != Some(&latest_run.program)
        };
        let can_stay =
            self.numbers.is_some() && self.latest_run.as_ref().is_none_or(can_stay);
        if can_stay && !self.pid_namespace.is_over() {
            Ok(())
        } else {
            self.renew()
        }
    }

    fn renew(&mut self) -> io::Result<()> {
        rustix::thread::move_into_link_name_space(
            self.outside.as_fd(),
            Some(LinkNameSpaceType::ProcessID),
        )?;
        self.pid_namespace.renew(KILLING_TIMEOUT)?;
        self.orphans = orphans_of(&self.pid_namespace, self.is_counted);
        self.latest_run = None;
        Ok(())
    }
}

/// Opens the list of init's children. `None` if the kernel has no such list (it has if
/// built with `CONFIG_PROC_CHILDREN`), or `/proc` shows other process ids than ours;
/// also if it is not needed, because a control group counts the processes.
fn orphans_of(pid_namespace: &PidNamespace, is_counted: bool) -> Option<File> {
    if is_counted || !process_tree::has_own_ids() {
        return None;
    }
    let init = pid_namespace.init.as_raw_pid();
    File::open(format!("/proc/{init}/task/{init}/children")).ok()
}
