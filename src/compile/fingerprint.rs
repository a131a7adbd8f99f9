//! Describes everything that a program depends on besides the bytes of its source: how it is compiled and started, and
//! by which tools of this machine. While it is unchanged, cached results of the program stay valid, on any machine: tools
//! are described by their contents and by the packages that they consist of, not by inodes and times. Looks at files;
//! starts nothing except tools that report where they are installed.

mod packages;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use memchr::memmem;

use crate::cache::{Cache, CacheKey, FileVersion, KeyHasher};
use crate::compile::compiler::Compiler;
use crate::compile::fingerprint::packages::PackageRecords;
use crate::compile::source_file::{file_name, name_of_only};
use crate::compile::toolchain::Toolchain;
use crate::model::{Language, Submission};

/// The folder with the records of dpkg.
const DPKG: &str = "/var/lib/dpkg";

/// Records of other package managers, which change whenever something is installed.
const OTHER_RECORDS: [&str; 4] =
    ["/var/lib/rpm", "/usr/lib/sysimage/rpm", "/var/lib/pacman/local", "/lib/apk/db/installed"];

/// Folders in which headers and libraries are installed by hand, and libraries that every program loads.
const BY_HAND: [&str; 3] = ["/usr/local/include", "/usr/local/lib", "/etc/ld.so.preload"];

/// Where the loader finds libraries.
const LIBRARIES: &str = "/etc/ld.so.cache";
const LARGEST_LIST: u64 = 64 << 20;

/// How deep a folder is read, and the most entries of it. Folders are read because, in `~/.rustup` for example, a file
/// selects which of several compilers a command starts. Of folders at the end, only the names in them count. A program
/// that depends on a folder with more entries has no fingerprint.
const DEPTH: usize = 2;
/// The same for the installation of a tool that has no package, or less if that has too many entries:
/// `lib/python3.11/random.py` is at depth 3.
const INSTALLATION_DEPTH: usize = 3;
const MOST_ENTRIES: usize = 5000;

/// Folders that differ between two copies of the same installation. Python writes compiled modules by itself, and checks
/// that they belong to their sources.
const DERIVED: [&str; 2] = ["__pycache__", ".git"];

/// The most bytes of the first line of a script that are read.
const FIRST_LINE: u64 = 256;

impl Compiler {
    /// The fingerprint of a program, as a text to be compared or hashed. `None` if a tool or file is missing, so that
    /// there can be no program, or if a folder is too large to read.
    ///
    /// `cache` remembers digests of tools and folders, so that they are read only once.
    pub fn fingerprint(
        &self,
        submission: &Submission,
        language: Option<&Language>,
        memory_bytes: u64,
        cache: &Cache,
    ) -> Option<String> {
        let mut builder = FingerprintBuilder {
            toolchain: &self.toolchain,
            machine: &self.machine,
            cache,
            facts: vec![format!("memory {memory_bytes}"), self.machine.facts(cache)?],
        };
        match language {
            Some(language) => builder.add_language(submission, language)?,
            None => builder.add_executable(&submission.path)?,
        }
        Some(builder.facts.join("\n"))
    }
}

/// What is known about the tools of this machine. Each fact is read once.
#[derive(Default)]
pub(super) struct MachineFacts {
    /// What all programs depend on; `None` if a folder is too large to read.
    all: OnceLock<Option<String>>,
    /// Digests of tools and folders, by what they are and their paths; `None` if they cannot be read.
    known: Mutex<BTreeMap<(&'static str, PathBuf), Option<CacheKey>>>,
}

impl MachineFacts {
    fn facts(&self, cache: &Cache) -> Option<String> {
        self.all.get_or_init(|| facts_of_machine(cache)).clone()
    }

    /// The digest of what is at a path, computed by the first caller.
    fn digest(
        &self,
        what: &'static str,
        path: &Path,
        compute: impl FnOnce() -> Option<CacheKey>,
    ) -> Option<CacheKey> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry((what, path.to_owned())).or_insert_with(compute)
    }
}

/// The facts about this machine that all programs depend on: what was installed by hand, and with an unknown package
/// manager everything.
fn facts_of_machine(cache: &Cache) -> Option<String> {
    let by_hand = BY_HAND.iter().chain(&OTHER_RECORDS).map(PathBuf::from).chain(libraries_by_hand());
    let digests: Option<Vec<_>> = by_hand.map(|path| digest_of_tree(&path, DEPTH, cache)).collect();
    Some(format!("machine {digests:?}"))
}

/// Libraries that the loader finds in other folders than those of the distribution.
fn libraries_by_hand() -> Vec<PathBuf> {
    let list = crate::files::read(Path::new(LIBRARIES), LARGEST_LIST).unwrap_or_default();
    let of_packages = ["/lib", "/usr/lib", "/usr/local/lib/"];
    let texts = list.split(|byte| *byte == 0).filter_map(|text| std::str::from_utf8(text).ok());
    let paths = texts
        .filter(|text| text.starts_with('/') && !of_packages.iter().any(|folder| text.starts_with(folder)));
    paths.map(PathBuf::from).collect()
}

struct FingerprintBuilder<'a> {
    toolchain: &'a Toolchain,
    machine: &'a MachineFacts,
    cache: &'a Cache,
    facts: Vec<String>,
}

impl FingerprintBuilder<'_> {
    fn add_language(&mut self, submission: &Submission, language: &Language) -> Option<()> {
        // Compilers and programs see the name, in messages and as `argv[0]`.
        let name = name_of_only(&submission.path, Some(language));
        self.facts.push(format!("source {name}"));
        self.facts.push(serde_json::to_string(language).ok()?);
        if !language.compile.is_empty() {
            self.facts.push(format!("{:?}", self.toolchain.environment(language)));
        }
        for command in language.link.iter().chain([&language.compile]) {
            let Some(name) = command.first() else { continue };
            let found = self.toolchain.find_compiler(language, name)?;
            self.add_tool(language, found, command)?;
        }
        let runtime = language.run.first()?;
        if runtime.starts_with("{folder}/") {
            // The submission itself is a script, or a script that creates the program.
            self.add_executable(&submission.path)?;
        } else if runtime.starts_with('/') {
            self.add_file_of_tool(Path::new(runtime))?;
        } else if !runtime.starts_with('{') {
            let found = self.toolchain.find_for_submissions(runtime)?;
            self.add_tool(language, found, &language.run)?;
        }
        let commands = language.link.iter().chain([&language.compile, &language.run]);
        commands
            .flatten()
            .filter_map(|word| path_in(word))
            .try_for_each(|path| self.add_tree(path, DEPTH))?;
        let folders = self.toolchain.expanded(&language.toolchain);
        folders.iter().try_for_each(|folder| self.add_tree(folder, DEPTH))
    }

    /// Adds a tool and, if it is a shim, the tool that it starts, which a shim may select by files that are not known
    /// here.
    fn add_tool(&mut self, language: &Language, found: PathBuf, command: &[String]) -> Option<()> {
        self.add_file_of_tool(&found)?;
        let tool = self.toolchain.resolve(language, found.clone(), command);
        if tool != found {
            self.add_file_of_tool(&tool)?;
        }
        Some(())
    }

    /// Adds a file that is run directly and, if it is a script, its interpreter.
    fn add_executable(&mut self, path: &Path) -> Option<()> {
        let mode = path.metadata().ok()?.permissions().mode() & 0o111;
        self.facts.push(format!("executable {} {mode:o}", file_name(path)));
        let mut start = Vec::new();
        File::open(path).ok()?.take(FIRST_LINE).read_to_end(&mut start).ok()?;
        let Some(line) = start.split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!") else {
            // A program that loads libraries finds the system's folders, too, and may use anything in them.
            let loads = fs::read(path).is_ok_and(|bytes| memmem::find(&bytes, b".so").is_some());
            if loads {
                self.add_all_packages()?;
            }
            return Some(());
        };
        // Handles `#!/usr/bin/env python3` too. A word that is no program needs no entry: it is part of the script's
        // bytes.
        let line = String::from_utf8_lossy(line).into_owned();
        for word in line.split_ascii_whitespace() {
            let found = if word.starts_with('/') {
                Some(PathBuf::from(word))
            } else {
                self.toolchain.find_for_submissions(word)
            };
            if let Some(found) = found.filter(|found| !found.ends_with("env")) {
                self.add_file_of_tool(&found)?;
            }
        }
        Some(())
    }

    /// Adds a tool's real path and a digest of its contents, and of everything that is known to belong to it.
    fn add_file_of_tool(&mut self, path: &Path) -> Option<()> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let digest = self.machine.digest("tool", &real, || digest_of_tool(&real, self.cache));
        self.facts.push(format!("tool {} {} {:?}", path.display(), real.display(), digest?));
        if let Some(folder) = self.installation_of(&real) {
            let digest = self.machine.digest("installation", &folder, || {
                let depths = (1..=INSTALLATION_DEPTH).rev();
                depths.into_iter().find_map(|depth| digest_of_tree(&folder, depth, self.cache))
            });
            self.facts.push(format!("installation {} {:?}", folder.display(), digest?));
        }
        Some(())
    }

    /// The folder in which a tool is installed, if no package has put it there: the parent of its `bin`, but never a
    /// whole home or system.
    fn installation_of(&self, tool: &Path) -> Option<PathBuf> {
        let by_hand = || {
            let above = tool.parent().filter(|bin| bin.ends_with("bin"))?.parent()?;
            let below = above.strip_prefix("/usr/local").ok()?;
            (below != Path::new("")).then(|| above.to_owned())
        };
        self.toolchain.prefix(tool).or_else(by_hand)
    }

    /// Adds the names and versions of all packages.
    fn add_all_packages(&mut self) -> Option<()> {
        let folder = Path::new(DPKG);
        let digest = self.machine.digest("packages", folder, || {
            self.cache.digest("all packages", &[PackageRecords::status_file(folder)], || {
                let records = PackageRecords::read(folder);
                Some(digest_of_facts(&records.map(|records| records.facts_of_all()).unwrap_or_default()))
            })
        });
        self.facts.push(format!("packages {}", digest?));
        Some(())
    }

    /// Adds a file, or a folder and its contents. Returns `None` if there are too many entries.
    fn add_tree(&mut self, root: &Path, depth: usize) -> Option<()> {
        let digest = self.machine.digest("files", root, || digest_of_tree(root, depth, self.cache));
        self.facts.push(format!("files {} {}", root.display(), digest?));
        Some(())
    }
}

/// The digest of a tool: its contents, and the packages that it consists of.
fn digest_of_tool(real: &Path, cache: &Cache) -> Option<CacheKey> {
    let folder = Path::new(DPKG);
    cache.digest("tool", &[real.to_owned(), PackageRecords::status_file(folder)], || {
        let mut hasher = KeyHasher::of("tool");
        add_contents(&mut hasher, real);
        if let Some(records) = PackageRecords::read(folder) {
            records.facts_of_tool(real, &libraries_named_in(real)).iter().for_each(|fact| hasher.add(fact));
        }
        Some(hasher.finish())
    })
}

/// The files of libraries whose names are in a program, where the loader finds them. More names than it loads do no harm.
fn libraries_named_in(program: &Path) -> Vec<PathBuf> {
    let bytes = fs::read(program).unwrap_or_default();
    let machine = format!("{}-linux-gnu", std::env::consts::ARCH);
    let folders = ["/lib", "/usr/lib"]
        .map(|folder| [format!("{folder}/{machine}"), format!("{folder}64"), folder.into()]);
    let is_letter = |byte: &u8| byte.is_ascii_graphic() && *byte != b'/';
    let mut libraries = Vec::new();
    for at in memmem::find_iter(&bytes, b".so") {
        let start = bytes[..at].iter().rposition(|byte| !is_letter(byte)).map_or(0, |before| before + 1);
        let end =
            bytes[at..].iter().position(|byte| !is_letter(byte)).map_or(bytes.len(), |length| at + length);
        let name = String::from_utf8_lossy(&bytes[start..end]).into_owned();
        let found =
            folders.iter().flatten().map(|folder| Path::new(folder).join(&name)).find(|path| path.is_file());
        libraries.extend(found.into_iter().flat_map(|path| [path.canonicalize().unwrap_or_default(), path]));
    }
    libraries.sort();
    libraries.dedup();
    libraries
}

/// The digest of a file, or of a folder and its contents up to a depth. Of what cannot be read, the state counts. `None`
/// if there are too many entries, or if they change meanwhile.
fn digest_of_tree(root: &Path, depth: usize, cache: &Cache) -> Option<CacheKey> {
    let entries = walkdir::WalkDir::new(root).max_depth(depth).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| !is_derived(entry.file_name()));
    let paths: Vec<_> = entries.flatten().map(walkdir::DirEntry::into_path).take(MOST_ENTRIES + 1).collect();
    if paths.len() > MOST_ENTRIES {
        return None;
    }
    cache.digest(&format!("files {depth}"), &paths, || {
        let mut hasher = KeyHasher::of("files");
        for path in &paths {
            hasher.add(path.as_os_str().as_encoded_bytes());
            hasher.add(path.canonicalize().unwrap_or_default().as_os_str().as_encoded_bytes());
            add_contents(&mut hasher, path);
        }
        Some(hasher.finish())
    })
}

/// Adds the bytes of a file, or the names in a folder. Nothing is read that is neither.
fn add_contents(hasher: &mut KeyHasher, path: &Path) {
    let Ok(found) = path.metadata() else { return hasher.add("nothing") };
    if found.is_dir() {
        hasher.add("folder");
        let names = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let mut names: Vec<_> = names.filter(|name| !is_derived(name)).collect();
        names.sort();
        names.iter().for_each(|name| hasher.add(name.as_encoded_bytes()));
    } else if found.is_file() && hasher.add_file(path).is_err() {
        // Only root may read it, for example. The program may not either, but a tool may.
        hasher.add(format!("{:?}", FileVersion::now(path)));
    }
}

fn is_derived(name: &OsStr) -> bool {
    DERIVED.iter().any(|derived| name == *derived)
}

fn digest_of_facts(facts: &[String]) -> CacheKey {
    let mut hasher = KeyHasher::of("facts");
    facts.iter().for_each(|fact| hasher.add(fact));
    hasher.finish()
}

/// The absolute path in a word of a command, as in `/opt/run.py`, `-I/opt/include` and
/// `--module-path=/opt/lib`. `None` for a path that begins with a placeholder.
fn path_in(word: &str) -> Option<&Path> {
    let start = word.find('/').filter(|start| !word[..*start].ends_with('}'))?;
    Some(Path::new(&word[start..])).filter(|path| path.parent().is_some())
}

#[cfg(test)]
mod tests;
