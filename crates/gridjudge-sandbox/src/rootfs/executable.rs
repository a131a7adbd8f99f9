//! Finds out how a file is executed: directly, by a loader, or by an interpreter. Reads
//! the start of files that may be hostile; starts nothing. Start at [`kind_of`] and
//! [`can_start`].

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use elf::abi::PT_INTERP;
use elf::endian::AnyEndian;
use elf::file::FileHeader;
use elf::segment::SegmentTable;
use memchr::memmem;

use crate::confine::landlock::SYSTEM_FOLDERS;

/// The longest table of segments, and the longest name of a loader, with which the
/// kernel starts a program, in bytes. Without these bounds a file could make this
/// reader use any amount of memory. Source: fs/binfmt_elf.c of Linux.
const LONGEST_TABLE: usize = 65_536;
const LONGEST_NAME: u64 = 4096;

/// The most links on the way to one file; more are considered a cycle.
const MOST_LINKS: usize = 40;

/// How much of a program is searched at a time, in bytes. What a launcher has once used
/// of its own memory stays in its control group, and more than a little would look like
/// a dead run's.
const PIECE: u64 = 1 << 16;

/// The way a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutableKind {
    /// It needs no other file.
    Static,
    /// It needs this loader, and usually libraries.
    LoadedBy(PathBuf),
    /// It is started by the interpreter of its `#!` line.
    Script,
    /// It cannot be started, or in a way that we do not know.
    Unknown,
}

/// Finds out how a file is started. A file that cannot be read is `Unknown`: the kernel
/// will refuse it.
pub(crate) fn kind_of(program: &Path) -> ExecutableKind {
    open_executable(program)
        .and_then(|file| kind_of_open(&file))
        .unwrap_or(ExecutableKind::Unknown)
}

/// Whether a file that a compiler has made can start at all. If it cannot, that is the
/// submission's own error: a source can name its own loader, or request a library
/// instead of a program.
pub fn can_start(program: &Path) -> bool {
    is_executable(program)
        && match kind_of(program) {
            ExecutableKind::Static | ExecutableKind::Script => true,
            ExecutableKind::LoadedBy(loader) => is_loader(&loader),
            ExecutableKind::Unknown => false,
        }
}

fn is_executable(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn is_loader(path: &Path) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
        && path.canonicalize().is_ok_and(|real| {
            is_executable(&real) && kind_of(&real) == ExecutableKind::Static
        })
}

/// Like [`can_start`], but first makes the file executable, which the linker may not
/// have been allowed to do.
pub fn can_be_made_to_start(program: &Path) -> bool {
    make_executable(program);
    can_start(program)
}

/// Whether every user may execute a file, or pass a folder, by its own permissions and
/// those of every folder above it, and above the links on the way to it.
///
/// # Errors
/// Fails if it does not exist, or is in a folder that this user may not pass.
pub fn every_user_may_pass(path: &Path) -> io::Result<bool> {
    let real = path.canonicalize()?;
    let mut links = BTreeMap::new();
    follow_links(path, &mut links);
    let above_links = links.keys().filter_map(|link| link.parent());
    for step in above_links.chain([&*real]).flat_map(Path::ancestors) {
        if step.metadata()?.permissions().mode() & 0o001 == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Follows all links of a path. Returns the real path, and adds the links on the way to
/// `links`.
pub(super) fn follow_links(
    path: &Path,
    links: &mut BTreeMap<PathBuf, PathBuf>,
) -> Option<PathBuf> {
    let parts = |path: &Path| -> Vec<OsString> {
        path.components()
            .filter(|part| {
                matches!(part, Component::Normal(_) | Component::ParentDir)
            })
            .map(|part| part.as_os_str().to_owned())
            .collect()
    };
    let mut met = BTreeMap::new();
    let mut followed = 0;
    let mut real = PathBuf::from("/");
    let mut to_come: Vec<_> = parts(path).into_iter().rev().collect();
    while let Some(part) = to_come.pop() {
        if part == ".." {
            real.pop();
            continue;
        }
        let next = real.join(part);
        match fs::read_link(&next) {
            Ok(target) => {
                if target.is_absolute() {
                    real = PathBuf::from("/");
                }
                to_come.extend(parts(&target).into_iter().rev());
                met.insert(next, target);
                followed += 1;
                if followed > MOST_LINKS || to_come.len() > 1024 {
                    return None;
                }
            }
            Err(_) => real = next,
        }
    }
    // Devices and pipes are left out: opening one could block for ever.
    let found = real.symlink_metadata().ok()?;
    if (found.is_dir() || found.is_file()) && real != Path::new("/") {
        links.append(&mut met);
        return Some(real);
    }
    None
}

/// Makes a file executable that begins as a program or a script. Other files stay as
/// they are.
pub fn let_start(program: &Path) {
    if kind_of(program) != ExecutableKind::Unknown {
        make_executable(program);
    }
}

/// If that fails, the program will not start either.
fn make_executable(file: &Path) {
    if let Ok(found) = file.symlink_metadata()
        && found.is_file()
        && found.permissions().mode() & 0o111 == 0
    {
        let _ = set_mode(file, 0o755);
    }
}

/// Sets the permissions of a file or folder, whatever the umask has made of them.
///
/// # Errors
/// Fails if there is none, or it belongs to another user.
pub fn set_mode(path: impl AsRef<Path>, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Makes the missing folders in `place` above a path, readable by every user.
///
/// # Errors
/// Fails if a folder cannot be created.
pub fn make_folders_above(path: &Path, place: &Path) -> io::Result<()> {
    let folders: Vec<_> = path
        .ancestors()
        .skip(1)
        .take_while(|folder| *folder != place)
        .collect();
    for folder in folders.into_iter().rev().filter(|folder| !folder.is_dir()) {
        fs::create_dir(folder)?;
        set_mode(folder, 0o755)?;
    }
    Ok(())
}

/// Opens a regular file. A plain open would wait for ever if a pipe is in its place.
pub(crate) fn open_executable(path: &Path) -> Option<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)
        .ok()?;
    file.metadata()
        .is_ok_and(|found| found.is_file())
        .then_some(file)
}

/// Whether the path of a folder, and one of these names after it, occurs in a program.
/// One that opens files by their paths mostly has the paths in it.
pub(crate) fn has_path_of(program: &Path, folder: &str, names: &[&str]) -> bool {
    let Some(mut file) = open_executable(program) else {
        return false;
    };
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let overlap = folder.len() + longest;
    let mut piece = Vec::with_capacity(PIECE as usize + overlap);
    loop {
        piece.drain(..piece.len().saturating_sub(overlap));
        let read = file.by_ref().take(PIECE).read_to_end(&mut piece);
        if !read.is_ok_and(|bytes| bytes > 0) {
            return false;
        }
        let mut ends =
            memmem::find_iter(&piece, folder).map(|at| &piece[at + folder.len()..]);
        if ends.any(|end| names.iter().any(|name| end.starts_with(name.as_bytes()))) {
            return true;
        }
    }
}

fn kind_of_open(file: &File) -> Option<ExecutableKind> {
    let mut start = [0; 64];
    let length = file.read_at(&mut start, 0).ok()?;
    if start.starts_with(b"#!") {
        return Some(ExecutableKind::Script);
    }
    let ident = elf::file::parse_ident::<AnyEndian>(
        start.get(..length)?.get(..elf::abi::EI_NIDENT)?,
    )
    .ok()?;
    let header = FileHeader::parse_tail(ident, &start[elf::abi::EI_NIDENT..]).ok()?;
    let size = usize::from(header.e_phnum) * usize::from(header.e_phentsize);
    if size > LONGEST_TABLE {
        return None;
    }
    let mut table = vec![0; size];
    file.read_exact_at(&mut table, header.e_phoff).ok()?;
    let segments = SegmentTable::new(header.endianness, header.class, &table);
    let Some(named) = segments.iter().find(|segment| segment.p_type == PT_INTERP)
    else {
        return Some(ExecutableKind::Static);
    };
    let mut name = vec![0; named.p_filesz.min(LONGEST_NAME) as usize];
    file.read_exact_at(&mut name, named.p_offset).ok()?;
    let name = name.split(|byte| *byte == 0).next()?;
    Some(ExecutableKind::LoadedBy(OsStr::from_bytes(name).into()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode};

    use super::*;

    /// A 64-bit ELF file with this number of segments, and `sections` in the field of
    /// its first section that counts segments when there are too many for the header.
    fn elf(segments: u16, sections: u32) -> Vec<u8> {
        let mut file = vec![0; 128];
        file[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        for (place, value) in [
            (16, 2),
            (18, 62),
            (20, 1),
            (32, 128),
            (40, 64),
            (52, 64),
            (54, 56),
            (58, 64),
            (60, 1),
        ] {
            file[place] = value;
        }
        file[56..58].copy_from_slice(&segments.to_le_bytes());
        file[108..112].copy_from_slice(&sections.to_le_bytes());
        file
    }

    #[test]
    fn a_link_in_a_private_folder_cannot_be_passed_though_its_end_can() {
        let place = tempfile::tempdir().unwrap();
        let [open, private] = ["open", "private"].map(|name| place.path().join(name));
        for folder in [&open, &private] {
            fs::create_dir(folder).unwrap();
        }
        for folder in [place.path(), &open] {
            set_mode(folder, 0o755).unwrap();
        }
        symlink("/bin/sh", private.join("first")).unwrap();
        symlink(private.join("first"), open.join("second")).unwrap();
        symlink(&open, private.join("folder")).unwrap();
        let may_pass = |mode| {
            set_mode(&private, mode).unwrap();
            ["private/first", "open/second", "private/folder/second"]
                .map(|name| every_user_may_pass(&place.path().join(name)).unwrap())
        };
        // The folder for temporary files may not be open to all users.
        let is_open = every_user_may_pass(&open).unwrap();
        assert_eq!(may_pass(0o755), [is_open; 3]);
        assert_eq!(may_pass(0o700), [false; 3]);
    }

    #[test]
    fn links_on_the_way_are_kept_and_the_end_is_real() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/bin")).unwrap();
        fs::write(root.join("real/bin/program"), "").unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink(root.join("link/bin/../bin/program"), root.join("start")).unwrap();
        let mut links = BTreeMap::new();
        let real = follow_links(&root.join("start"), &mut links).unwrap();
        assert_eq!(real, root.join("real/bin/program"));
        assert_eq!(
            links.keys().cloned().collect::<Vec<_>>(),
            [root.join("link"), root.join("start")]
        );
        assert_eq!(links[&root.join("link")], Path::new("real"));
    }

    #[test]
    fn a_table_that_the_kernel_would_not_read_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let kind = |bytes: &[u8]| {
            let path = place.path().join("program");
            fs::write(&path, bytes).unwrap();
            kind_of(&path)
        };
        assert_eq!(kind(&elf(0, 0)), ExecutableKind::Static);
        assert_eq!(
            kind(&[elf(1, 0), vec![1; 56]].concat()),
            ExecutableKind::Static
        );
        assert_eq!(kind(&elf(1, 0)), ExecutableKind::Unknown);
        assert_eq!(
            kind(&[elf(u16::MAX, 2000), vec![0; 4 << 20]].concat()),
            ExecutableKind::Unknown
        );
        assert_eq!(kind(b"#!/bin/sh\n"), ExecutableKind::Script);
        assert_eq!(kind(b"\x7fELF"), ExecutableKind::Unknown);
    }

    #[test]
    fn a_name_is_found_wherever_it_is_in_a_program() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("program");
        let names = ["stdin", "fd"];
        let edge = PIECE as usize;
        for (bytes_before, name, is_found) in [
            (0, "/dev/stdin", true),
            (edge - 1, "/dev/stdin", true),
            (edge - 9, "/dev/stdin", true),
            (2 * edge - 6, "/dev/fd/0", true),
            (3 * edge, "/dev/std", false),
        ] {
            fs::write(&path, [&vec![b'/'; bytes_before], name.as_bytes()].concat())
                .unwrap();
            assert_eq!(
                has_path_of(&path, "/dev/", &names),
                is_found,
                "{bytes_before} {name}"
            );
        }
        assert!(!has_path_of(place.path(), "/dev/", &names));
    }

    #[test]
    fn a_pipe_in_the_place_of_a_program_does_not_block() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("program");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        assert_eq!(kind_of(&pipe), ExecutableKind::Unknown);
        assert!(!can_start(&pipe));
    }

    #[test]
    fn a_program_can_start_if_it_is_a_regular_file_with_no_loader_or_the_systems() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let make = |name: &str, bytes: &[u8], mode| {
            fs::write(path(name), bytes).unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
            can_start(&path(name))
        };
        assert!(make("static", &elf(0, 0), 0o755));
        assert!(!make("library", &elf(0, 0), 0o644));
        assert!(!make("text", b"text", 0o755));
        let loaded_by = |loader: &str| {
            let mut segment = vec![0; 56];
            (segment[0], segment[8], segment[32]) = (3, 184, loader.len() as u8);
            [elf(1, 0), segment, loader.as_bytes().to_vec()].concat()
        };
        assert!(!make("none", &loaded_by("/usr/no/such/loader\0"), 0o755));
        assert!(!make(
            "own",
            &loaded_by(&format!("{}\0", path("static").display())),
            0o755
        ));
        assert!(!make("program", &loaded_by("/usr/bin/env\0"), 0o755));
        std::os::unix::fs::symlink(path("static"), path("link")).unwrap();
        assert!(!can_start(&path("link")));
        let this_test = std::env::current_exe().unwrap();
        assert!(can_start(&this_test), "{:?}", kind_of(&this_test));
    }
}
