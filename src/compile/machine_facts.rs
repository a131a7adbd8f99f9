//! What is known about the tools of this machine: digests of their files, folders and
//! packages. The contents count, and neither inodes nor times, so the same tools have
//! the same digests on another machine. Knows no languages and no programs.

mod packages;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;
use parking_lot::Mutex;

use crate::cache::{Cache, FileVersion, KeyHasher, KeyWithFiles};

use packages::PackageRecords;

/// The folder with the records of dpkg.
const DPKG: &str = "/var/lib/dpkg";

/// Records of other package managers, which change whenever something is installed.
const OTHER_RECORDS: [&str; 4] = [
    "/var/lib/rpm",
    "/usr/lib/sysimage/rpm",
    "/var/lib/pacman/local",
    "/lib/apk/db/installed",
];

/// Folders in which headers and libraries are installed by hand, and libraries that
/// every program loads.
const BY_HAND: [&str; 3] =
    ["/usr/local/include", "/usr/local/lib", "/etc/ld.so.preload"];

/// The locales that static programs see. Which package has them is no matter of what a
/// compiler depends on.
const LOCALES: [&str; 2] = ["/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8"];

/// Where the loader finds libraries.
const LIBRARIES: &str = "/etc/ld.so.cache";
const LARGEST_LIST: u64 = 64 << 20;

/// How deep a folder is read, and the most entries of it. Folders are read because, in
/// `~/.rustup` for example, a file selects which of several compilers a command starts.
/// Of folders at the end, only the names in them count. A program that depends on a
/// folder with more entries has no fingerprint.
const DEPTH: usize = 2;
/// The same for the installation of a tool that has no package, or less if that has too
/// many entries: `lib/python3.11/random.py` is at depth 3.
const INSTALLATION_DEPTH: usize = 3;
pub(super) const MOST_ENTRIES: usize = 5000;

/// Folders that differ between two copies of the same installation. Python writes
/// compiled modules by itself, and checks that they belong to their sources.
const DERIVED: [&str; 2] = ["__pycache__", ".git"];

/// What is known about the tools of this machine. Each fact is read once.
#[derive(Default)]
pub(super) struct MachineFacts {
    /// Digests of tools and folders, by what they are and their paths; `None` if they
    /// cannot be read, or a folder is too large to read.
    known: Mutex<BTreeMap<(&'static str, PathBuf), Option<KeyWithFiles>>>,
    /// The fingerprints of languages by their keys, each found out by the first caller;
    /// others wait for it. `None` if a tool is missing, or a folder is too large to
    /// read.
    pub(super) languages: Mutex<BTreeMap<String, Option<Arc<KeyWithFiles>>>>,
}

impl MachineFacts {
    /// The facts that all programs depend on.
    pub(super) fn of_all(&self, cache: &Cache) -> Option<KeyWithFiles> {
        self.digest("machine", Path::new("/"), || facts_of_machine(cache))
    }

    /// The digest of a tool, whose path has no links: of its contents, and of the
    /// packages that it consists of.
    pub(super) fn tool(&self, real: &Path, cache: &Cache) -> Option<KeyWithFiles> {
        self.digest("tool", real, || {
            let folder = Path::new(DPKG);
            let files = vec![real.to_owned(), PackageRecords::status_file(folder)];
            cache.digest("tool", files, |_| {
                let mut hasher = KeyHasher::for_purpose("tool");
                add_contents(&mut hasher, real);
                if let Some(records) = PackageRecords::read(folder, cache) {
                    let libraries = libraries_named_in(real);
                    for fact in records.facts_of_tool(real, &libraries) {
                        hasher.add(fact);
                    }
                }
                Some(hasher.finish())
            })
        })
    }

    /// The digest of an installation that no package has made.
    pub(super) fn installation(
        &self,
        folder: &Path,
        cache: &Cache,
    ) -> Option<KeyWithFiles> {
        self.digest("installation", folder, || {
            (1..=INSTALLATION_DEPTH)
                .rev()
                .find_map(|depth| digest_of_tree(folder, depth, cache))
        })
    }

    /// The digest of a file, or of a folder and its contents. `None` if there are too
    /// many entries.
    pub(super) fn tree(&self, root: &Path, cache: &Cache) -> Option<KeyWithFiles> {
        self.digest("files", root, || digest_of_tree(root, DEPTH, cache))
    }

    /// The digest of the names and versions of all packages.
    pub(super) fn all_packages(&self, cache: &Cache) -> Option<KeyWithFiles> {
        let folder = Path::new(DPKG);
        self.digest("packages", folder, || {
            cache.digest(
                "all packages",
                vec![PackageRecords::status_file(folder)],
                |_| {
                    let records = PackageRecords::read(folder, cache);
                    let mut hasher = KeyHasher::for_purpose("all packages");
                    for fact in records.iter().flat_map(PackageRecords::facts_of_all)
                    {
                        hasher.add(fact);
                    }
                    Some(hasher.finish())
                },
            )
        })
    }

    /// The digest of what is at a path, computed by the first caller.
    fn digest(
        &self,
        what: &'static str,
        path: &Path,
        compute: impl FnOnce() -> Option<KeyWithFiles>,
    ) -> Option<KeyWithFiles> {
        let mut known = self.known.lock();
        known
            .entry((what, path.to_owned()))
            .or_insert_with(compute)
            .clone()
    }
}

/// The facts about this machine that all programs depend on: what was installed by
/// hand, and with an unknown package manager everything.
fn facts_of_machine(cache: &Cache) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose("machine");
    for path in BY_HAND
        .iter()
        .chain(&LOCALES)
        .chain(&OTHER_RECORDS)
        .map(PathBuf::from)
        .chain(libraries_by_hand())
    {
        hasher.add_key("files", &digest_of_tree(&path, DEPTH, cache)?);
    }
    Some(hasher.finish_with_files())
}

/// Libraries that the loader finds in other folders than those of the distribution.
fn libraries_by_hand() -> Vec<PathBuf> {
    let list = crate::files::read_bounded(Path::new(LIBRARIES), LARGEST_LIST)
        .unwrap_or_default();
    let of_packages = ["/lib", "/usr/lib", "/usr/local/lib/"];
    let texts = list
        .split(|byte| *byte == 0)
        .filter_map(|text| str::from_utf8(text).ok());
    texts
        .filter(|text| {
            text.starts_with('/')
                && !of_packages.iter().any(|folder| text.starts_with(folder))
        })
        .map(PathBuf::from)
        .collect()
}

/// The files of libraries whose names are in a program, where the loader finds them.
/// More names than it loads do no harm.
fn libraries_named_in(program: &Path) -> Vec<PathBuf> {
    let bytes = fs::read(program).unwrap_or_default();
    let machine = format!("{}-linux-gnu", std::env::consts::ARCH);
    let folders = ["/lib", "/usr/lib"].map(|folder| {
        [
            format!("{folder}/{machine}"),
            format!("{folder}64"),
            folder.into(),
        ]
    });
    let is_letter = |byte: &u8| byte.is_ascii_graphic() && *byte != b'/';
    let mut libraries = vec![];
    for at in memmem::find_iter(&bytes, b".so") {
        let start = bytes[..at]
            .iter()
            .rposition(|byte| !is_letter(byte))
            .map_or(0, |before| before + 1);
        let end = bytes[at..]
            .iter()
            .position(|byte| !is_letter(byte))
            .map_or(bytes.len(), |length| at + length);
        let name = String::from_utf8_lossy(&bytes[start..end]).into_owned();
        let found = folders
            .iter()
            .flatten()
            .map(|folder| Path::new(folder).join(&name))
            .find(|path| path.is_file());
        libraries.extend(
            found
                .into_iter()
                .flat_map(|path| [path.canonicalize().unwrap_or_default(), path]),
        );
    }
    libraries.sort();
    libraries.dedup();
    libraries
}

/// The digest of a file, or of a folder and its contents up to a depth. Of what cannot
/// be read, the state counts. `None` if there are too many entries, or if they change
/// meanwhile.
fn digest_of_tree(root: &Path, depth: usize, cache: &Cache) -> Option<KeyWithFiles> {
    let entries = walkdir::WalkDir::new(root)
        .max_depth(depth)
        .sort_by_file_name()
        .into_iter();
    let paths: Vec<_> = entries
        .filter_entry(|entry| !is_derived(entry.file_name()))
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .take(MOST_ENTRIES + 1)
        .collect();
    if paths.len() > MOST_ENTRIES {
        return None;
    }
    cache.digest(&format!("files {depth}"), paths, |paths| {
        let mut hasher = KeyHasher::for_purpose("files");
        for path in paths.iter().take_while(|_| !cache.is_stopped()) {
            hasher.add(path.as_os_str().as_encoded_bytes());
            hasher.add(
                path.canonicalize()
                    .unwrap_or_default()
                    .as_os_str()
                    .as_encoded_bytes(),
            );
            add_contents(&mut hasher, path);
        }
        Some(hasher.finish())
    })
}

/// Adds the bytes of a file, or the names in a folder. Nothing is read that is neither.
fn add_contents(hasher: &mut KeyHasher, path: &Path) {
    let Ok(found) = path.metadata() else {
        return hasher.add("nothing");
    };
    if found.is_dir() {
        hasher.add("folder");
        let mut names: Vec<_> = fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name())
            .filter(|name| !is_derived(name))
            .collect();
        names.sort();
        for name in &names {
            hasher.add(name.as_encoded_bytes());
        }
    } else if found.is_file() && hasher.add_file(path).is_err() {
        // Only root may read it, for example. The program may not either, but a tool
        // may.
        hasher.add(format!("{:?}", FileVersion::now(path)));
    }
}

fn is_derived(name: &OsStr) -> bool {
    DERIVED.iter().any(|derived| name == *derived)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_by_their_names_in_a_program() {
        let found = libraries_named_in(Path::new("/proc/self/exe"));
        let names: Vec<_> = found
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy())
            .collect();
        assert!(names.contains(&"libc.so.6".into()), "{names:?}");
        assert!(libraries_named_in(Path::new("/no/such/file")).is_empty());
    }
}
