//! Sets up the namespaces that a launcher enters once and its runs inherit: mounts,
//! network, IPC, host name, control groups, and users if the judge is not root. Knows
//! namespaces; knows nothing of runs.

use std::fs::File;
use std::ops::Range;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::{fs, io};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::MountPropagationFlags;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::Uid;
use rustix::thread::{LinkNameSpaceType, UnshareFlags};

use crate::machine::processors::KernelFiles;
use crate::machine::{facts, process_tree};
use crate::{Fault, sys};

/// All namespaces except those of users and processes. Runs get their pid namespaces
/// separately.
const NAMESPACES: UnshareFlags = UnshareFlags::NEWNS
    .union(UnshareFlags::NEWNET)
    .union(UnshareFlags::NEWIPC)
    .union(UnshareFlags::NEWUTS)
    .union(UnshareFlags::NEWCGROUP);

/// Moves this process into new namespaces. With `with_user_namespace` it also gets a
/// user namespace, in which its user has a submission's user id and all rights over the
/// new namespaces, but none outside. In that case it continues in a child.
///
/// # Errors
/// Returns an error if this user may not, or the machine's limit on namespaces is
/// reached.
pub(crate) fn enter(with_user_namespace: bool) -> io::Result<()> {
    if with_user_namespace {
        let user = rustix::process::getuid().as_raw();
        let group = rustix::process::getgid().as_raw();
        // Also a pid namespace: the launcher may move between those of its runs only
        // from one that belongs to its own user namespace.
        sys::enter_new_namespaces(
            UnshareFlags::NEWUSER | UnshareFlags::NEWPID | NAMESPACES,
        )?;
        // Without this, a process without privileges may not map its group.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{} {user} 1", USERS.start))?;
        fs::write("/proc/self/gid_map", format!("{} {group} 1", USERS.start))?;
        sys::continue_in_child()?;
    } else {
        sys::enter_new_namespaces(NAMESPACES)?;
    }
    // Mounts made from here on do not appear in other namespaces.
    let flags = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    Ok(rustix::mount::mount_change("/", flags)?)
}

/// Says what to change on a machine that refuses namespaces to ordinary users.
pub(crate) fn namespace_remedy() -> String {
    match facts::forbidding_setting(&KernelFiles::of_this_machine()) {
        Some((name, _, open, _)) => format!("as root, `sysctl {name}={open}` allows it"),
        None => "in a container, start it with `--privileged`, or with `--cap-add SYS_ADMIN \
                 --security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
            .to_owned(),
    }
}

/// Whether this process is root and may become a submission's user, which must be
/// mapped in a container's user namespace.
pub(crate) fn may_change_user() -> bool {
    let map = map_of_users();
    is_root() && maps(&map, USERS.start) && maps(&map, USERS.end - 1)
}

/// Whether this process is root in the initial user namespace.
pub(crate) fn is_root_of_machine() -> bool {
    is_root() && maps_all_users(&map_of_users())
}

/// Whether this process is root, perhaps of a user namespace only.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn map_of_users() -> String {
    fs::read_to_string("/proc/self/uid_map").unwrap_or_default()
}

/// Checks whether this process has the rights that level full needs.
///
/// # Errors
/// Returns a [`Fault`] that says which are missing.
pub(crate) fn check_full_level() -> Result<(), Fault> {
    let (cause, remedy) = if !is_root() {
        (
            "the judge is not root",
            "run it as root, best in a virtual machine or container of its own",
        )
    } else if !may_change_user() {
        (
            "root of this namespace of users cannot become another user",
            "run it as root of the machine",
        )
    } else {
        return Ok(());
    };
    Err(Fault::because("setting up level full", cause).with_remedy(remedy))
}

/// Whether a map contains this user of the namespace. Source: user_namespaces(7).
fn maps(map: &str, user: u32) -> bool {
    let mut ranges = map.lines().filter_map(facts::range);
    ranges.any(|(first, _, count)| (first..first + count).contains(&user.into()))
}

/// Whether a map maps all users of this namespace to those of the machine with the same
/// numbers.
fn maps_all_users(map: &str) -> bool {
    map.split_ascii_whitespace().eq(["0", "0", "4294967295"])
}

/// The mount namespace and root of this process, to return to.
pub(crate) struct OriginalMounts {
    mounts: OwnedFd,
    root: OwnedFd,
}

impl OriginalMounts {
    /// Records the current mount namespace and root of this process.
    pub(crate) fn here() -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::openat(CWD, "/", flags, Mode::empty())?;
        Ok(Self {
            mounts: mounts_of_this_process()?,
            root,
        })
    }

    /// Calls `work` in a fresh copy of the mount namespace, and returns to the
    /// original. The copy lives on if `work` keeps a descriptor of it.
    pub(crate) fn in_mount_namespace_copy<T>(
        &self,
        work: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        sys::enter_new_namespaces(UnshareFlags::NEWNS)?;
        let result = work();
        rustix::thread::move_into_link_name_space(
            self.mounts.as_fd(),
            Some(LinkNameSpaceType::Mount),
        )?;
        // If the judge runs in a chroot, the namespace's own root is not ours.
        rustix::process::fchdir(&self.root)?;
        rustix::process::chroot(".")?;
        result
    }
}

/// Opens the mount namespace that this process is in.
pub(crate) fn mounts_of_this_process() -> io::Result<OwnedFd> {
    Ok(File::open("/proc/self/ns/mnt")?.into())
}

// Claims the user that submissions run as when the judge is root. Knows user ids; knows
// nothing of runs.

/// Submissions of a judge that is root run as the first of these users, and the group
/// of the same number, that no other launcher on the machine has claimed. The range is
/// above the user ids that distributions give to people, and below those that they use
/// for containers.
pub(crate) const USERS: Range<u32> = 60_001..60_513;

/// Sends neighbouring numbers far apart; odd, so that no two of 512 in a row meet.
const SPREAD: u64 = 37;

/// A user that no other launcher runs submissions as, so that two runs can neither
/// signal each other nor count as each other's processes.
pub(crate) struct SubmissionUser {
    pub(crate) number: u32,
    /// A socket bound to a name that only one process on the machine can have, and that
    /// is free again when the socket is closed.
    _claim: OwnedFd,
}

impl SubmissionUser {
    /// Claims the first user that is neither claimed nor has a process, so that no run
    /// of ours shares its user with processes that a killed launcher left, or of an
    /// account that happens to have such a number.
    pub(crate) fn claim() -> io::Result<Self> {
        for number in users_from(first_user()).filter(|number| !has_process(*number))
        {
            if let Some(claimed) = Self::claim_number(number)? {
                return Ok(claimed);
            }
        }
        Err(io::Error::other(format!(
            "users {} to {} are all taken",
            USERS.start,
            USERS.end - 1
        )))
    }

    /// Claims this user; returns `None` if it is already claimed.
    pub(crate) fn claim_number(number: u32) -> io::Result<Option<Self>> {
        let socket = rustix::net::socket_with(
            AddressFamily::UNIX,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC,
            None,
        )?;
        let name = SocketAddrUnix::new_abstract_name(
            format!("gridjudge-user-{number}").as_bytes(),
        )?;
        match rustix::net::bind(&socket, &name) {
            Ok(()) => Ok(Some(Self {
                number,
                _claim: socket,
            })),
            Err(Errno::ADDRINUSE) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// All users, in a circle from this one.
fn users_from(first: u32) -> impl Iterator<Item = u32> {
    (first..USERS.end).chain(USERS.start..first)
}

/// The user that is tried first. A claim is seen only in the network namespace where it
/// was made, so judges in different containers begin at different places: the kernel
/// counts processes and pending signals by user, for all containers together. Source:
/// namespaces(7), user_namespaces(7).
fn first_user() -> u32 {
    let namespace = fs::metadata("/proc/self/ns/net").map_or(0, |found| found.ino());
    // Neighbouring numbers come from containers that were started one after the other.
    let place = namespace.wrapping_mul(SPREAD) % u64::from(USERS.end - USERS.start);
    USERS.start + place as u32
}

/// Whether a user has a process. The kernel answers at once for a user without any;
/// reading the owner of every process takes a millisecond on a machine with some
/// hundreds.
fn has_process(user: u32) -> bool {
    match rustix::process::getpriority_user(Uid::from_raw(user)) {
        Ok(_) => true,
        Err(Errno::SRCH) => false,
        Err(_) => process_tree::processes_of(user).next().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_mapped_if_a_range_contains_it() {
        let whole = "         0          0 4294967295\n";
        assert!(maps(whole, 0) && maps(whole, 60_001));
        let container = "0 100000 65536\n";
        assert!(maps(container, 60_001) && !maps(container, 65_536));
        assert!(!maps("0 1000 1\n", 60_001) && maps("5 0 1\n0 9 1\n", 0));
        assert!(!maps("", 0) && !maps("x y z", 0));
        assert!(
            maps_all_users(whole)
                && !maps_all_users(container)
                && !maps_all_users("")
        );
    }
}

#[cfg(test)]
mod submission_user_tests {
    use super::*;

    #[test]
    fn judges_in_neighbouring_network_namespaces_begin_at_different_users_and_each_may_have_all()
     {
        assert!(USERS.contains(&first_user()));
        let users: Vec<_> = users_from(60_500).collect();
        assert_eq!(
            (users.len(), users[0], users[12], users[13]),
            (512, 60_500, 60_512, 60_001)
        );
    }

    #[test]
    fn the_current_user_has_a_process_and_an_unused_user_id_has_none() {
        let mine = rustix::process::getuid().as_raw();
        // 0 means the caller's user, which is then root.
        assert!(has_process(mine));
        assert!(!has_process(u32::MAX - 7));
    }
}
