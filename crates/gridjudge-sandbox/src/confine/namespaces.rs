//! The namespaces that a launcher moves into once and its runs inherit: mounts, network, IPC, host name, control
//! groups, and users where the judge has no rights of its own. Knows namespaces; knows nothing of runs.

use std::fs;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::CWD;
use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::mount::MountPropagationFlags;
use rustix::thread::LinkNameSpaceType;
use rustix::thread::UnshareFlags;

use crate::Fault;
use crate::confine::submission_user::USERS;
use crate::sys;

/// All but users and processes. The namespace of processes is a new one for each run.
const NAMESPACES: UnshareFlags = UnshareFlags::NEWNS
    .union(UnshareFlags::NEWNET)
    .union(UnshareFlags::NEWIPC)
    .union(UnshareFlags::NEWUTS)
    .union(UnshareFlags::NEWCGROUP);

/// Where the machine says whether ordinary users may make namespaces, each with the value that forbids it.
const SWITCHES: [(&str, &str); 3] = [
    ("kernel/unprivileged_userns_clone", "0"),
    ("user/max_user_namespaces", "0"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1"),
];

/// Moves this process into namespaces of its own. With `with_user_namespace` it also gets a user namespace, in which
/// its user has the number of a submission's and all rights over the namespaces, and none outside. It goes on in a
/// child then.
///
/// # Errors
/// If this user may not, or the machine's bound on namespaces is reached.
pub(crate) fn enter(with_user_namespace: bool) -> io::Result<()> {
    if with_user_namespace {
        let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
        // A namespace of processes, too: only in one of its own user namespace may it move between those of its runs.
        sys::enter_new_namespaces(UnshareFlags::NEWUSER | UnshareFlags::NEWPID | NAMESPACES)?;
        // Without this, a process without privileges may not map its group.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{} {user} 1", USERS.start))?;
        fs::write("/proc/self/gid_map", format!("{} {group} 1", USERS.start))?;
        sys::continue_in_child()?;
    } else {
        sys::enter_new_namespaces(NAMESPACES)?;
    }
    // What is mounted from here on shows in no other namespace.
    let flags = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    Ok(rustix::mount::mount_change("/", flags)?)
}

/// What to change on a machine that refuses namespaces to users without rights.
pub(crate) fn remedy() -> String {
    let read = |name: &str| fs::read_to_string(format!("/proc/sys/{name}")).unwrap_or_default();
    let closed = SWITCHES.iter().find(|(name, closed)| read(name).trim() == *closed);
    match closed {
        Some((name, closed)) => {
            let open = match *closed {
                "1" => "0",
                _ if name.starts_with("user/") => "65536",
                _ => "1",
            };
            format!("as root, `sysctl {}={open}` allows it", name.replace('/', "."))
        }
        None => "in a container, start it with `--privileged`, or with `--cap-add SYS_ADMIN \
                 --security-opt seccomp=unconfined --security-opt apparmor=unconfined`"
            .to_owned(),
    }
}

/// Whether this process is root and may become another user: in a container's user namespace that user must be known.
pub(crate) fn may_change_user() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    rustix::process::geteuid().is_root() && maps(&map, USERS.start) && maps(&map, USERS.end - 1)
}

/// Whether this process is root in the initial user namespace.
pub(crate) fn is_root_of_machine() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    rustix::process::geteuid().is_root() && maps_everybody(&map)
}

/// Whether this process can have what level full takes.
///
/// # Errors
/// A [`Fault`] that says why not.
pub(crate) fn check_full_level() -> Result<(), Fault> {
    let doing = "setting up level full";
    if !rustix::process::geteuid().is_root() {
        let remedy = "run it as root, best in a virtual machine or container of its own";
        return Err(Fault::because(doing, "the judge is not root").with_remedy(remedy));
    }
    if !may_change_user() {
        let cause = "root of this namespace of users cannot become another user";
        return Err(Fault::because(doing, cause).with_remedy("run it as root of the machine"));
    }
    Ok(())
}

/// Whether a user of this namespace is mapped to one outside. Source: user_namespaces(7).
fn maps(map: &str, user: u32) -> bool {
    map.lines().any(|line| {
        let mut fields = line.split_ascii_whitespace().map(str::parse::<u32>);
        let (Some(Ok(first)), Some(Ok(_)), Some(Ok(count))) = (fields.next(), fields.next(), fields.next())
        else {
            return false;
        };
        user.checked_sub(first).is_some_and(|place| place < count)
    })
}

/// Whether all users of this namespace are those of the machine, by the same numbers.
fn maps_everybody(map: &str) -> bool {
    map.split_ascii_whitespace().eq(["0", "0", "4294967295"])
}

/// The mount namespace and root that this process lives in, to come back to.
pub(crate) struct OriginalMounts {
    mounts: OwnedFd,
    root: OwnedFd,
}

impl OriginalMounts {
    /// Where this process is now.
    pub(crate) fn here() -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::openat(CWD, "/", flags, Mode::empty())?;
        Ok(Self { mounts: mounts_of_this_process()?, root })
    }

    /// Carries out `work` in a fresh copy of the mount namespace, and comes back. The copy lives on if `work` keeps a
    /// descriptor of it.
    pub(crate) fn in_mount_namespace_copy<T>(&self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        sys::enter_new_namespaces(UnshareFlags::NEWNS)?;
        let result = work();
        self.come_back()?;
        result
    }

    fn come_back(&self) -> io::Result<()> {
        rustix::thread::move_into_link_name_space(
            std::os::fd::AsFd::as_fd(&self.mounts),
            Some(LinkNameSpaceType::Mount),
        )?;
        // The namespace's own root is not ours if the judge lives in a chroot.
        rustix::process::fchdir(&self.root)?;
        Ok(rustix::process::chroot(".")?)
    }
}

/// A descriptor of the mount namespace that this process is in.
pub(crate) fn mounts_of_this_process() -> io::Result<OwnedFd> {
    Ok(File::open("/proc/self/ns/mnt")?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_mapped_if_a_range_holds_it() {
        let whole = "         0          0 4294967295\n";
        assert!(maps(whole, 0) && maps(whole, 60_001));
        let container = "0 100000 65536\n";
        assert!(maps(container, 60_001) && !maps(container, 65_536));
        assert!(!maps("0 1000 1\n", 60_001) && maps("5 0 1\n0 9 1\n", 0));
        assert!(!maps("", 0) && !maps("x y z", 0));
        assert!(maps_everybody(whole) && !maps_everybody(container) && !maps_everybody(""));
    }
}
