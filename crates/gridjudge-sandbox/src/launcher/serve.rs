//! The main loop of a launcher: a small process that starts the runs of one slot,
//! watches them and cleans up after them. Knows one run at a time; knows nothing of the
//! judge except its socket. Start at [`become_launcher_if_asked`].

use std::fs::File;
use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use rustix::fs::FlockOperation;
use rustix::process::DumpableBehavior;

use crate::cgroup::joined::Cgroup;
use crate::confine::namespaces::SubmissionUser;
use crate::confine::{inherited, namespaces, seccomp_filter};
use crate::launcher::assignment::{Assignment, Isolation, LauncherSlot, RunFailure};
use crate::launcher::basic_isolation::BasicIsolation;
use crate::launcher::exec_error;
use crate::launcher::namespace_isolation::NamespaceIsolation;
use crate::machine::processors;
use crate::protocol::{
    JudgeMessage, RunReply, RunRequest, SetupReply, SetupRequest, SetupResult,
};
use crate::rootfs::remove_tree::remove_tree;
use crate::{Fault, Guarantees, IsolationLevel, protocol, sys};

/// Turns this process into a launcher if the sandbox has started it as one: serves runs
/// until the judge hangs up, and then returns the code to exit with. Returns `None` at
/// once in any other process.
///
/// Must be called first in `main`: a launcher must have one thread and little memory,
/// since each run's memory is measured from the launcher's own.
pub fn become_launcher_if_asked() -> Option<ExitCode> {
    let is_asked = std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == protocol::LAUNCHER_ARGUMENT);
    is_asked.then(|| {
        if serve().is_ok() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    })
}

/// Serves one slot until the judge hangs up.
fn serve() -> io::Result<()> {
    // Standard input is the socket. Its copy has a number above 2, so that children's
    // streams do not collide with it.
    let judge = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let mut buffer = vec![0; protocol::LONGEST];
    let Some((request, _)) = protocol::receive::<SetupRequest>(&judge, &mut buffer)?
    else {
        return Ok(());
    };
    match Launcher::set_up(judge.try_clone()?, &request) {
        Ok((mut launcher, reply)) => {
            let is_in_group = reply.guarantees.groups;
            protocol::send(&judge, &SetupResult::Ok(reply), &[])?;
            release_startup_memory(is_in_group);
            rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
            if launcher.work(&mut buffer)? {
                launcher.leave();
            } else {
                // Dropping would wait for ever for a process that cannot be killed.
                // This process is about to end anyway.
                std::mem::forget(launcher);
            }
            Ok(())
        }
        Err(fault) => protocol::send(&judge, &SetupResult::Err(fault), &[]),
    }
}

/// One slot's launcher, set up.
struct Launcher {
    slot: LauncherSlot,
    isolation: Box<dyn Isolation>,
    /// Holds the claim to the user.
    _user: Option<SubmissionUser>,
}

impl Launcher {
    /// Sets up everything that children inherit from this process, and detaches it from
    /// terminal and signals.
    fn set_up(
        judge: OwnedFd,
        request: &SetupRequest,
    ) -> Result<(Self, SetupReply), Fault> {
        let doing =
            |what: &str| format!("setting up level {}: {what}", request.level);
        inherited::reset_launcher_process()
            .map_err(Fault::during(&doing("the usual options")))?;
        rustix::process::setsid().map_err(Fault::during(&doing("a session")))?;
        rustix::thread::set_no_new_privs(true)
            .map_err(Fault::during(&doing("no new privileges")))?;
        let may_change_user = namespaces::may_change_user();
        let user = may_change_user
            .then(SubmissionUser::claim)
            .transpose()
            .map_err(Fault::during(&doing("a user")))?;
        let number = user.as_ref().map(|user| user.number);
        let landlock = sys::landlock_version().min(request.landlock);
        let group = request
            .group
            .as_ref()
            .map(Cgroup::join)
            .transpose()
            .map_err(Fault::during(&doing("a control group")))?;
        let is_basic = request.level == IsolationLevel::Basic;
        let mut guarantees = Guarantees {
            namespaces: !is_basic,
            groups: group.is_some(),
            exact_peaks: group.as_ref().is_some_and(|group| group.has_exact_peak),
            own_user: user.is_some(),
            landlock,
            atomic_kill: true,
        };
        let isolation: Box<dyn Isolation> = if is_basic {
            let basic = BasicIsolation::set_up(request, number, landlock)
                .map_err(Fault::during(&doing("a scratch folder")))?;
            guarantees.atomic_kill = basic.signal_scope.is_some();
            Box::new(basic)
        } else {
            namespaces::enter(!may_change_user).map_err(|error| {
                Fault::new(doing("namespaces"), error)
                    .with_remedy(namespaces::namespace_remedy())
            })?;
            fs::create_dir(&request.scratch)
                .map_err(Fault::during(&doing("a folder")))?;
            let namespaced =
                NamespaceIsolation::set_up(request, number, group, landlock)
                    .map_err(Fault::during(&doing("a root")))?;
            Box::new(namespaced)
        };
        let filter = seccomp_filter::program(&guarantees, sys::launcher_token());
        sys::install_filter(&filter)
            .map_err(Fault::during(&doing("a filter of system calls")))?;
        let slot = LauncherSlot {
            judge,
            scratch: request.scratch.clone(),
            processors: processors::processors() as u32,
        };
        let launcher = Self {
            slot,
            isolation,
            _user: user,
        };
        let reply = SetupReply {
            guarantees,
            user: number,
        };
        Ok((launcher, reply))
    }

    /// Serves requests until the judge is gone, or something went so wrong that a fresh
    /// launcher should take over. Returns whether the judge is gone: then this launcher
    /// must clean up in its place.
    fn work(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        while let Some((message, streams)) =
            protocol::receive::<JudgeMessage>(&self.slot.judge, buffer)?
        {
            // A `Stop` may arrive when its run has already ended by itself.
            let JudgeMessage::Run(request) = message else {
                continue;
            };
            let Some(reply) = self.handle(&request, streams) else {
                break;
            };
            if protocol::send(&self.slot.judge, &reply, &[]).is_err() {
                break;
            }
            // Done while the judge reads the reply. If it fails, the judge starts
            // another launcher for the next request.
            if !reply.fit || self.isolation.clear().is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes a run; `None` if the judge is gone.
    fn handle(
        &mut self,
        request: &RunRequest,
        streams: Vec<OwnedFd>,
    ) -> Option<RunReply> {
        let assignment = Assignment::new(&self.slot, request, streams);
        let end = catch_unwind(AssertUnwindSafe(|| self.isolation.run(&assignment)));
        let ending =
            || format!("ending `{}`", protocol::shown_command(&request.command));
        let (outcome, fit) = match end {
            Ok(Ok(report)) => {
                exec_error::explain_end(&assignment, &report);
                (Ok(report), true)
            }
            Ok(Err(RunFailure::NotMade(fault))) => (Err(fault), true),
            Ok(Err(RunFailure::Abandoned)) => return None,
            Ok(Err(RunFailure::Unkillable)) => {
                let cause = "a process it left could not be killed";
                (Err(Fault::because(ending(), cause)), false)
            }
            // The state after a panic is unknown. A fresh launcher takes over.
            Err(panic) => (Err(Fault::of_panic(ending(), panic.as_ref())), false),
        };
        Some(RunReply { outcome, fit })
    }

    /// Removes what the judge can no longer remove if it was killed: our scratch
    /// folder, and the private folder around it when this is the last launcher.
    fn leave(self) {
        let _ = remove_tree(&self.slot.scratch);
        if let Some(private) = self.slot.scratch.parent() {
            let _ = remove_if_last(private);
        }
    }
}

/// Removes the private folder unless other launchers still use it. Takes a lock,
/// because two launchers that exit at the same time would remove files from under each
/// other. The lock is released with its descriptor.
fn remove_if_last(private: &Path) -> io::Result<()> {
    let lock = File::open(private)?;
    rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
    let is_in_use = fs::read_dir(private)?.flatten().any(|entry| {
        entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(protocol::SCRATCH_PREFIX.as_bytes())
    });
    if is_in_use {
        return Ok(());
    }
    remove_tree(private)
}

/// Releases the memory that the start of this process took, because each run's peak
/// counts from the peak of this process. Also makes the kernel kill a run before the
/// judge when memory runs out; in a group, only the group's memory can run out, and
/// there the runs must be killed before the launcher. Neither is worth failing for.
///
/// Must be called while this process is still dumpable, because otherwise its `/proc`
/// files belong to root, and after the reply, when nothing waits for it.
fn release_startup_memory(is_in_group: bool) {
    sys::forget_code();
    let _ = fs::write("/proc/self/clear_refs", "5");
    if !is_in_group {
        let _ = fs::write("/proc/self/oom_score_adj", "1000");
    }
}
