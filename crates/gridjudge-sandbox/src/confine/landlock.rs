//! Restricts what a run may reach by Landlock: files, network and processes. Knows what
//! this kernel can enforce; knows nothing of how processes are started, nor of limits.
//! Start at [`RulesetCache::ruleset_for`] and [`SignalScope::enforce`].

use std::fs;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::io::Errno;
use rustix::process::Pid;

use crate::{Fault, sys};

/// The folders that the runtimes of Java, Go and Node read to learn about the machine.
/// The files about other processes there (`environ`, `fd`, `maps`, `cwd`) are closed by
/// Landlock's own rule for ptrace(2).
///
/// A tool may read only its own folder in `/proc`, as in a root of its own: running as
/// root it could read there what only root may, and put it into a program. Its own
/// folder does not exist before the process does, so that rule is added after it has
/// started.
const ABOUT_THE_MACHINE: [&str; 2] = ["/proc", "/sys"];

/// The files that one run may reach.
#[derive(PartialEq, Eq)]
pub(crate) struct AccessGrant {
    /// Files and folders to read and execute.
    pub(crate) readable: Vec<PathBuf>,
    /// The one folder to write to.
    pub(crate) writable: PathBuf,
    /// Whether it runs as the judge.
    pub(crate) is_tool: bool,
    /// Whether it may also see the system's configuration.
    pub(crate) is_compiler: bool,
    /// The files that these names refer to. A ruleset or a root made for a grant is
    /// valid only for these: it follows the files, not their names.
    identities: Vec<PathIdentity>,
}

/// The file that a name referred to: device, inode, and the inode's last change,
/// because inode numbers are reused.
type PathIdentity = Option<(u64, u64, i64, i64)>;

/// Builds rulesets, and caches the latest, because the next run usually needs the same:
/// building one costs about 30 us, using one 3 us.
pub(crate) struct RulesetCache {
    /// The version of Landlock to use.
    version: u32,
    latest: Option<CachedRuleset>,
}

struct CachedRuleset {
    grant: AccessGrant,
    ruleset: Option<OwnedFd>,
}

impl AccessGrant {
    /// Grants the files that these names refer to now. The times of the writable folder
    /// do not identify it, because writing in it changes them; its inode number is not
    /// reused as long as a ruleset or a root holds it.
    pub(crate) fn new(
        readable: Vec<PathBuf>,
        writable: PathBuf,
        is_tool: bool,
        is_compiler: bool,
    ) -> Self {
        let written =
            identity(&writable).map(|(device, inode, ..)| (device, inode, 0, 0));
        let identities = readable
            .iter()
            .map(|path| identity(path))
            .chain([written])
            .collect();
        Self {
            readable,
            writable,
            is_tool,
            is_compiler,
            identities,
        }
    }
}

fn identity(path: &Path) -> PathIdentity {
    let file = path.metadata().ok()?;
    Some((file.dev(), file.ino(), file.ctime(), file.ctime_nsec()))
}

impl RulesetCache {
    /// Creates a cache for this version of Landlock, at most the kernel's; 0 confines
    /// nothing.
    pub(crate) fn new(version: u32) -> Self {
        Self {
            version,
            latest: None,
        }
    }

    /// Returns the ruleset for a run with this grant beside the machine's other
    /// processes; `None` if there is no Landlock.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the kernel has Landlock but refuses the ruleset.
    pub(crate) fn ruleset_for(
        &mut self,
        grant: AccessGrant,
    ) -> Result<Option<BorrowedFd<'_>>, Fault> {
        if self
            .latest
            .as_ref()
            .is_none_or(|latest| latest.grant != grant)
        {
            let mut configuration = vec![CONFIGURATION.into()];
            let mut about_the_machine = &ABOUT_THE_MACHINE[..];
            if grant.is_tool {
                configuration = world_readable(Path::new(CONFIGURATION));
                about_the_machine = &[];
            }
            let executable = configuration
                .iter()
                .chain(&grant.readable)
                .map(PathBuf::as_path)
                .chain(SYSTEM_FOLDERS.map(Path::new));
            let writable = [grant.writable.as_path()];
            let ruleset =
                build_ruleset(self.version, executable, about_the_machine, writable)
                    .map_err(Fault::during("building a Landlock ruleset"))?;
            self.latest = Some(CachedRuleset { grant, ruleset });
        }
        Ok(self
            .latest
            .as_ref()
            .and_then(|latest| latest.ruleset.as_ref().map(OwnedFd::as_fd)))
    }
}

/// The newest version of Landlock whose rights are used.
const NEWEST_VERSION: u32 = 6;

/// Builds a ruleset that allows to read and execute, only to read, and to write what is
/// in these paths, and to use the devices. Paths that do not exist are left out: a rule
/// follows the file, not the name. No signals to processes outside are allowed.
///
/// # Errors
/// Returns an error if the kernel has Landlock but refuses the ruleset.
pub(crate) fn build_ruleset<'a>(
    version: u32,
    executable: impl IntoIterator<Item = &'a Path>,
    readable: &[&str],
    writable: impl IntoIterator<Item = &'a Path>,
) -> Result<Option<OwnedFd>, RulesetError> {
    let abi = ABI::from(version.min(NEWEST_VERSION).cast_signed());
    if abi == ABI::Unsupported {
        return Ok(None);
    }
    // The crate refuses an empty set of rights.
    let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(abi))?;
    if !AccessNet::from_all(abi).is_empty() {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
    }
    if !Scope::from_all(abi).is_empty() {
        ruleset = ruleset.scope(Scope::from_all(abi))?;
    }
    let looking = AccessFs::ReadFile | AccessFs::ReadDir;
    let device = AccessFs::ReadFile | AccessFs::WriteFile;
    let writing =
        AccessFs::from_all(abi) & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let ruleset = ruleset
        .create()?
        .add_rules(path_beneath_rules(executable, looking | AccessFs::Execute))?
        .add_rules(path_beneath_rules(readable, looking))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rules(path_beneath_rules(writable, writing))?;
    Ok(ruleset.into())
}

/// Proof that the kernel lets this launcher signal only its own descendants. Then
/// `kill(-1)`, which spares only the caller, kills exactly this process tree in one
/// system call, and no process can escape it by forking, because fork(2) fails in a
/// process with a signal pending.
pub(crate) struct SignalScope(());

impl SignalScope {
    /// Restricts this process permanently, and verifies that a process which it could
    /// signal before is now out of reach. Returns `None` if the kernel cannot do this,
    /// which takes Landlock 6 (Linux 6.12).
    ///
    /// `neighbour` is a live process of the same user that is not a descendant of this
    /// one: the judge.
    pub(crate) fn enforce(version: u32, neighbour: Pid) -> Option<Self> {
        if version < 6 {
            return None;
        }
        rustix::process::test_kill_process(neighbour).ok()?;
        let status = Ruleset::default()
            .scope(Scope::Signal)
            .ok()?
            .create()
            .ok()?
            .restrict_self()
            .ok()?;
        let enforced = status.ruleset == RulesetStatus::FullyEnforced;
        // Verified, because kill(-1) without the restriction would kill every process
        // that this user may signal.
        let out_of_reach =
            rustix::process::test_kill_process(neighbour) == Err(Errno::PERM);
        (enforced && out_of_reach).then_some(Self(()))
    }

    /// Kills every descendant of this process.
    pub(crate) fn kill_descendants(&self) {
        sys::kill_all_in_signal_scope();
    }
}

// Names the folders and devices of a Linux system that programs need. Knows names;
// whether they exist, and what a run may see of them, is decided where they are used.

/// Folders that every program may read and execute, as far as they exist.
pub(crate) const SYSTEM_FOLDERS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// The folder of the system's configuration. A tool may run as root, and is shown only
/// what every user may read there: a source could make the compiler include a file of
/// passwords like a header.
pub(crate) const CONFIGURATION: &str = "/etc";

/// Devices that reveal nothing about the machine and other processes.
pub(crate) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

// Finds the parts of a folder that every user of the machine may read. Knows
// permissions; knows nothing of Landlock or runs.

/// Returns the parts of a folder that every user may read, in as few paths as possible:
/// the folder itself if that is all of it, else the readable paths inside. Links count
/// as readable: their targets are checked where they are.
pub(crate) fn world_readable(folder: &Path) -> Vec<PathBuf> {
    let mut open = vec![];
    if collect(folder, &mut open) {
        vec![folder.to_owned()]
    } else {
        open
    }
}

/// Whether every user may read everything at a path; if not, the readable parts are
/// added to `open`.
fn collect(path: &Path, open: &mut Vec<PathBuf>) -> bool {
    let Ok(found) = path.symlink_metadata() else {
        return false;
    };
    if found.is_symlink() {
        return true;
    }
    if !found.is_dir() {
        return found.mode() & 0o004 != 0;
    }
    if found.mode() & 0o005 != 0o005 {
        return false;
    }
    let Ok(entries) = fs::read_dir(path) else {
        return false;
    };
    let mut inside = vec![];
    let mut all = true;
    for entry in entries.flatten() {
        let path = entry.path();
        // More than half of what is in `/etc` are links. The folder says so of an
        // entry, which saves looking at it.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_link || collect(&path, &mut inside) {
            inside.push(path)
        } else {
            all = false
        }
    }
    if !all {
        open.append(&mut inside);
    }
    all
}

#[cfg(test)]
mod world_readable_tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn only_paths_that_other_users_may_not_read_are_left_out() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        let close = |name: &str, mode| {
            fs::set_permissions(root.join(name), Permissions::from_mode(mode))
                .unwrap()
        };
        for folder in ["", "open", "mixed", "closed"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            close(folder, 0o755);
        }
        for (file, mode) in [
            ("a", 0o644),
            ("open/b", 0o644),
            ("mixed/c", 0o644),
            ("mixed/key", 0o600),
            ("closed/d", 0o644),
        ] {
            fs::write(root.join(file), "").unwrap();
            close(file, mode);
        }
        close("closed", 0o700);
        std::os::unix::fs::symlink("../closed/d", root.join("mixed/link")).unwrap();
        let mut open = world_readable(root);
        open.sort();
        let expected = ["a", "mixed/c", "mixed/link", "open"];
        assert_eq!(open, expected.map(|name| root.join(name)));
        assert_eq!(world_readable(&root.join("open")), [root.join("open")]);
    }
}
