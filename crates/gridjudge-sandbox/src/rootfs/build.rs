//! Builds a root for runs: a small file system in memory with the contents of a
//! [`RootFsContents`], read-only, and one scratch folder. Made once, and used by run
//! after run as long as no run has touched the scratch folder. Start at
//! [`RootFsBuilder::build`].

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{CWD, FileType};
use rustix::mount::{
    MountAttrFlags, MountFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags,
};

use crate::confine::landlock::{AccessGrant, CONFIGURATION, DEVICES, SYSTEM_FOLDERS};
use crate::confine::namespaces::OriginalMounts;
use crate::confine::{landlock, namespaces};
use crate::rootfs::executable::{ExecutableKind, follow_links};
use crate::rootfs::remove_tree::open_folder;
use crate::rootfs::scratch_folder::FolderState;
use crate::rootfs::{executable, scratch_folder};
use crate::run::error_at;
use crate::sys;

/// The working folder of a run, also its `$HOME` and `$TMPDIR`.
pub(crate) const SCRATCH_PATH: &str = "/scratch";

/// The path of a program that is mounted alone.
pub(crate) const PROGRAM: &CStr = c"/program";

/// How many files a run may make. Each takes about a KiB of the kernel's memory.
const SCRATCH_FILES: u32 = 16_384;

/// Other paths under which programs expect a writable folder; they are links to the
/// scratch folder. Named shared memory is then a file there, and is removed like other
/// files. If a mounted path is inside `/tmp`, that is a read-only folder instead of a
/// link.
const OTHER_NAMES: [&str; 2] = ["/dev/shm", "/tmp"];

/// Where a run's own processes are shown, by a mount that is made for each run.
const PROCESSES: &str = "/proc";

/// The names of a run's streams in [`DEVICE_FOLDER`], and the files in [`PROCESSES`] to
/// which they lead.
const STREAMS: [(&str, &str); 4] = [
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
];
const DEVICE_FOLDER: &str = "/dev/";

/// A root, in a mount namespace that lives as long as this value.
pub(crate) struct RootFs {
    pub(crate) contents: RootFsContents,
    /// The mount namespace.
    pub(crate) mounts: OwnedFd,
    /// The scratch folder.
    pub(crate) scratch: OwnedFd,
    untouched: ScratchState,
    /// Bytes in the scratch folder that were given to the run and do not count as its
    /// memory.
    given_bytes: Cell<u64>,
    /// The Landlock ruleset for this root; `None` if there is no Landlock.
    pub(crate) ruleset: Option<OwnedFd>,
}

/// The state that shows whether a scratch folder was touched: its metadata, and the
/// free space in it.
#[derive(PartialEq, Eq)]
struct ScratchState {
    folder: FolderState,
    /// Reading the folder does not change this, but a run may.
    accessed: (i64, u64),
    free_files: u64,
    free_blocks: u64,
}

/// What all roots of a launcher have in common.
pub(super) struct RootFsBuilder {
    pub(super) original_mounts: OriginalMounts,
    /// An existing folder. It is covered by a mount while a root is built, but only in
    /// a mount namespace that no other process is in.
    pub(super) anchor: PathBuf,
    /// The owner of scratch folders.
    pub(super) user: u32,
    /// The version of Landlock to use.
    pub(super) landlock: u32,
}

impl RootFsBuilder {
    /// Builds a root with these contents, and a scratch folder of this size.
    ///
    /// # Errors
    /// Returns an error with the path at which the kernel refused an operation.
    pub(super) fn build(
        &self,
        contents: RootFsContents,
        scratch_bytes: u64,
    ) -> io::Result<RootFs> {
        self.original_mounts.in_mount_namespace_copy(|| {
            let mounts = namespaces::mounts_of_this_process()?;
            self.populate(&contents, scratch_bytes)?;
            let scratch = open_folder(CWD, SCRATCH_PATH)?;
            scratch_folder::reset_times(&scratch)?;
            let writable = contents.writable.as_deref().into_iter();
            let writable = writable.chain([Path::new(SCRATCH_PATH)]);
            // The root contains only what the run may see.
            let executable = [Path::new("/")];
            let ruleset =
                landlock::build_ruleset(self.landlock, executable, &[], writable)
                    .map_err(io::Error::other)?;
            Ok(RootFs {
                contents,
                mounts,
                untouched: ScratchState::read_from(&scratch)?,
                scratch,
                given_bytes: Cell::new(0),
                ruleset,
            })
        })
    }

    /// Fills a fresh file system and makes it this process's root.
    fn populate(
        &self,
        contents: &RootFsContents,
        scratch_bytes: u64,
    ) -> io::Result<()> {
        let anchor = &self.anchor;
        let device =
            MountAttrFlags::MOUNT_ATTR_RDONLY | MountAttrFlags::MOUNT_ATTR_NOSUID;
        let read_only = device | MountAttrFlags::MOUNT_ATTR_NODEV;
        // Trees that contain the anchor are cloned before the new root covers a part of
        // them. The others are cloned one by one when they are placed: there may be more of
        // them than this process may have open files.
        let real = anchor.canonicalize()?;
        let (around, others): (Vec<_>, Vec<_>) = contents
            .trees
            .iter()
            .partition(|path| real.starts_with(path));
        let around: Vec<_> = around
            .into_iter()
            .map(|path| Ok((path, copy_of(path, read_only)?)))
            .collect::<io::Result<_>>()?;

        let safe = MountFlags::NOSUID | MountFlags::NODEV;
        mount_memory(anchor, safe, "mode=755,size=1m,nr_inodes=4096")?;
        std::env::set_current_dir(anchor)?;
        for (path, tree) in around {
            place(path, &tree)?;
        }
        for path in others {
            place(path, &copy_of(path, read_only)?)?;
        }
        if let Some(path) = &contents.alone {
            let program = Path::new(OsStr::from_bytes(PROGRAM.to_bytes()));
            place(program, &copy_of(path, read_only)?)?;
        }
        for path in DEVICES.map(Path::new) {
            if path.exists() {
                place(path, &copy_of(path, device)?)?;
            }
        }
        if let Some(path) = &contents.writable {
            let attributes =
                MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
            place(path, &copy_of(path, attributes)?)?;
        }
        for (link, target) in &contents.links {
            make_link(link, target)?;
        }
        mount_scratch(self.user, scratch_bytes)?;
        if contents.processes {
            make_folder(Path::new(PROCESSES))?;
            for (name, stream) in STREAMS {
                make_link(&Path::new(DEVICE_FOLDER).join(name), Path::new(stream))?;
            }
        }
        become_root()
    }
}

impl RootFs {
    /// Whether the scratch folder is as it was made. Then its times are, too: they say
    /// nothing of earlier runs.
    pub(super) fn is_untouched(&self) -> bool {
        ScratchState::read_from(&self.scratch)
            .is_ok_and(|state| state == self.untouched)
    }

    /// Records that the current content of the scratch folder was given to the next
    /// run.
    pub(crate) fn note_given(&self) {
        self.given_bytes.set(self.used_bytes());
    }

    /// Bytes in the scratch folder now, beyond what was given to the run.
    pub(crate) fn scratch_bytes(&self) -> u64 {
        self.used_bytes().saturating_sub(self.given_bytes.get())
    }

    fn used_bytes(&self) -> u64 {
        let Ok(found) = rustix::fs::fstatfs(&self.scratch) else {
            return 0;
        };
        self.untouched.free_blocks.saturating_sub(found.f_bfree)
            * found.f_bsize as u64
    }
}

impl ScratchState {
    fn read_from(scratch: &OwnedFd) -> io::Result<Self> {
        let system = rustix::fs::fstatfs(scratch)?;
        let (folder, accessed) = scratch_folder::state_and_access_time(scratch)?;
        Ok(Self {
            folder,
            accessed,
            free_files: system.f_ffree,
            free_blocks: system.f_bfree,
        })
    }
}

fn make_link(link: &Path, target: &Path) -> io::Result<()> {
    make_folder_above(link)?;
    symlink(target, inside(link)).map_err(error_at(link))
}

fn mount_scratch(user: u32, scratch_bytes: u64) -> io::Result<()> {
    make_folder(Path::new(SCRATCH_PATH))?;
    let options = format!(
        "mode=700,uid={user},gid={user},size={},nr_inodes={SCRATCH_FILES}",
        scratch_bytes.max(64 << 10)
    );
    // Without access times: they would reveal to the next run when this one listed its
    // folder.
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOATIME;
    mount_memory(&inside(Path::new(SCRATCH_PATH)), flags, &options)?;
    for name in OTHER_NAMES.map(Path::new) {
        if !inside(name).exists() {
            make_link(name, Path::new(SCRATCH_PATH))?;
        }
    }
    Ok(())
}

/// Makes the working folder the root, detaches the old root, and makes the new one
/// read-only.
fn become_root() -> io::Result<()> {
    rustix::process::pivot_root(".", ".")
        .map_err(error_at(Path::new("pivot_root")))?;
    rustix::mount::unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")?;
    let flags = MountFlags::BIND
        | MountFlags::RDONLY
        | MountFlags::NOSUID
        | MountFlags::NODEV;
    Ok(rustix::mount::mount_remount("/", flags, c"")?)
}

/// Clones the mount at a path, with all mounts below it.
fn copy_of(path: &Path, attributes: MountAttrFlags) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_SYMLINK_NOFOLLOW;
    let tree = rustix::mount::open_tree(CWD, path, flags).map_err(error_at(path))?;
    sys::set_mount(tree.as_fd(), attributes).map_err(error_at(path))?;
    Ok(tree)
}

/// Attaches a mount at its path below the working folder.
fn place(path: &Path, tree: &OwnedFd) -> io::Result<()> {
    let target = inside(path);
    if !target.exists() {
        let mode = rustix::fs::fstat(tree)?.st_mode;
        if FileType::from_raw_mode(mode).is_dir() {
            make_folder(path)?;
        } else {
            make_folder_above(path)?;
            fs::write(&target, "").map_err(error_at(path))?;
        }
    }
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(tree, "", CWD, &target, flags).map_err(error_at(path))
}

fn make_folder_above(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), make_folder)
}

fn make_folder(path: &Path) -> io::Result<()> {
    let folder = inside(path);
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(error_at(path))
}

/// A path of the new root, relative to the working folder.
fn inside(path: &Path) -> PathBuf {
    path.strip_prefix("/").unwrap_or(path).to_owned()
}

fn mount_memory(target: &Path, flags: MountFlags, options: &str) -> io::Result<()> {
    let options = CString::new(options).map_err(io::Error::other)?;
    let target_text =
        CString::new(target.as_os_str().as_bytes()).map_err(io::Error::other)?;
    rustix::mount::mount(c"gridjudge", &*target_text, c"tmpfs", flags, &*options)
        .map_err(error_at(target))
}

// Chooses what a program sees in its root: only itself and a locale if it needs no
// other file, else the system's folders, its own, and the targets of links. Knows files
// and how programs are loaded; mounts nothing. Start at
// [`RootFsContents::for_program`].

/// The loader's cache. Without it, the loader searches folder by folder.
const LOADERS_CACHE: &str = "/etc/ld.so.cache";

/// The locale of text in UTF-8, under the names that glibc tries. A static program
/// finds it there, too.
const LOCALES: [&str; 2] = ["/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8"];

/// How deep to search a runtime's own folder for links to its configuration, and how
/// many entries to visit.
const RUNTIME_DEPTH: usize = 4;
const RUNTIME_ENTRIES: usize = 8192;

/// The contents of a root. The paths are those on this machine, which are the same in
/// the root.
#[derive(Default)]
pub(crate) struct RootFsContents {
    /// Folders and files that can be read, none inside another.
    trees: Vec<PathBuf>,
    /// Links outside of these trees, and their targets.
    links: BTreeMap<PathBuf, PathBuf>,
    /// The writable folder beside the scratch folder, if any.
    writable: Option<PathBuf>,
    /// Whether `/proc` shows the run's own processes.
    pub(crate) processes: bool,
    /// The program, if it needs no other file and is mounted without the system.
    pub(crate) alone: Option<PathBuf>,
}

impl RootFsContents {
    /// Chooses the contents for `program` with this grant.
    pub(super) fn for_program(program: &Path, grant: &AccessGrant) -> Self {
        let writable = grant.is_tool.then(|| grant.writable.clone());
        let mut contents = Self {
            writable,
            ..Self::default()
        };
        if grant.is_compiler {
            contents.add_system();
            for path in &landlock::world_readable(Path::new(CONFIGURATION)) {
                contents.add(path);
            }
            contents.processes = true;
        } else {
            // A program that is not the submission's own is a runtime: it reads other
            // files, and looks itself up in `/proc`.
            let is_own = grant
                .readable
                .first()
                .is_some_and(|own| program.starts_with(own));
            // A checker may start other programs, and itself by its name in `/proc`. To
            // mount it takes time that most compiled programs need not spend.
            contents.processes = grant.is_tool
                || !is_own
                || executable::has_path_of(
                    program,
                    DEVICE_FOLDER,
                    &STREAMS.map(|(name, _)| name),
                );
            if is_own
                && !grant.is_tool
                && executable::kind_of(program) == ExecutableKind::Static
            {
                if contents.processes {
                    contents.add(program);
                } else {
                    contents.alone = follow_links(program, &mut contents.links);
                    contents.links.clear();
                }
                for locale in &LOCALES {
                    contents.add(Path::new(locale));
                }
                return contents;
            }
            contents.add_system();
            contents.add(Path::new(LOADERS_CACHE));
            contents.add_configuration_of(program);
            if !is_own {
                let configuration = Path::new(CONFIGURATION);
                if let Some(folder) = folder_of_name(program, configuration) {
                    contents.add(&folder);
                }
            }
        }
        for path in &grant.readable {
            contents.add(path);
        }
        contents.tidy();
        contents
    }

    /// The contents for a program that needs the whole system, which are the hardest to
    /// mount.
    pub(super) fn whole_system() -> Self {
        let mut contents = Self {
            processes: true,
            ..Self::default()
        };
        contents.add_system();
        contents.tidy();
        contents
    }

    fn add_system(&mut self) {
        for folder in &SYSTEM_FOLDERS {
            self.add(Path::new(folder));
        }
    }

    /// Adds a path with all links on the way to it; one that does not exist is left
    /// out.
    fn add(&mut self, path: &Path) {
        if let Some(real) = follow_links(path, &mut self.links) {
            self.trees.push(real);
        }
    }

    /// Adds a runtime's configuration. Distributions put it into `/etc`, and links to
    /// it into the runtime's folder.
    fn add_configuration_of(&mut self, program: &Path) {
        let Some(real) = follow_links(program, &mut self.links) else {
            return;
        };
        let above_bin = real
            .parent()
            .filter(|bin| bin.ends_with("bin"))
            .and_then(Path::parent);
        let Some(installed) =
            above_bin.filter(|folder| folder.components().count() > 3)
        else {
            return;
        };
        let links = walkdir::WalkDir::new(installed)
            .max_depth(RUNTIME_DEPTH)
            .into_iter()
            .take(RUNTIME_ENTRIES)
            .flatten()
            .filter(walkdir::DirEntry::path_is_symlink);
        let ends = links.filter_map(|link| link.path().canonicalize().ok());
        for end in ends.filter(|end| end.starts_with(CONFIGURATION)) {
            self.add(&end);
        }
    }

    /// Removes trees and links that are inside other trees.
    fn tidy(&mut self) {
        self.trees.sort();
        self.trees.dedup_by(|inner, outer| inner.starts_with(outer));
        let trees = &self.trees;
        self.links
            .retain(|link, _| !trees.iter().any(|tree| link.starts_with(tree)));
    }
}

/// The folder of a runtime's name in `/etc`, if it exists, where many look for their
/// configuration without any link to it: `/etc/mono` for `mono-sgen`, `/etc/php` for
/// `php8.2`.
fn folder_of_name(program: &Path, configuration: &Path) -> Option<PathBuf> {
    let name = program.file_name()?.to_str()?;
    let name = name
        .split(|letter: char| !letter.is_ascii_lowercase())
        .next()
        .filter(|name| !name.is_empty())?;
    let folder = configuration.join(name);
    folder.is_dir().then_some(folder)
}

#[cfg(test)]
mod contents_tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_runtime_is_configured_by_the_folder_of_its_name() {
        let etc = tempfile::tempdir().unwrap();
        fs::create_dir(etc.path().join("php")).unwrap();
        fs::write(etc.path().join("passwd"), "").unwrap();
        for (program, is_found) in [
            ("/usr/bin/php", true),
            ("/usr/bin/php8.2", true),
            ("/usr/bin/php-cgi", true),
            ("/usr/bin/phpize", false),
            ("/usr/bin/passwd", false),
            ("/usr/bin/7z", false),
        ] {
            let folder = folder_of_name(Path::new(program), etc.path());
            let expected = is_found.then(|| etc.path().join("php"));
            assert_eq!(folder, expected, "{program}");
        }
    }

    #[test]
    fn cycles_devices_and_missing_files_have_no_real_path() {
        let place = tempfile::tempdir().unwrap();
        symlink("b", place.path().join("a")).unwrap();
        symlink("a", place.path().join("b")).unwrap();
        let mut links = BTreeMap::new();
        for path in [
            &*place.path().join("a"),
            Path::new("/dev/null"),
            Path::new("/no/such/file"),
            Path::new("/"),
        ] {
            assert_eq!(follow_links(path, &mut links), None);
        }
        assert!(links.is_empty());
    }

    #[test]
    fn trees_and_links_inside_another_tree_are_removed() {
        let path = |text: &str| PathBuf::from(text);
        let mut contents = RootFsContents {
            trees: ["/usr/lib", "/usr", "/usr-x", "/usr"].map(path).to_vec(),
            links: [("/lib", "usr/lib"), ("/usr/lib64", "lib")]
                .map(|(at, to)| (path(at), path(to)))
                .into(),
            ..RootFsContents::default()
        };
        contents.tidy();
        assert_eq!(contents.trees, ["/usr", "/usr-x"].map(path));
        assert_eq!(
            contents.links.keys().cloned().collect::<Vec<_>>(),
            [path("/lib")]
        );
    }
}
