//! Describes everything that a program depends on besides the bytes of its source: how it is compiled and
//! started, and by which tools of this machine. While it is unchanged, cached results of the program stay
//! valid. Looks at files; starts nothing except tools that report where they are installed.

use std::fs::File;
use std::fs::Metadata;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::compile::compiler::Compiler;
use crate::compile::source_file::file_name;
use crate::compile::source_file::name_of_only;
use crate::compile::toolchain::Toolchain;
use crate::model::Language;
use crate::model::Submission;

/// Files that change whenever something is installed that compilers, runtimes and programs load: the list of
/// shared libraries, and the records of package managers.
const RECORDS: [&str; 6] = [
    "/etc/ld.so.cache",
    "/var/lib/dpkg/status",
    "/var/lib/rpm",
    "/usr/lib/sysimage/rpm",
    "/var/lib/pacman/local",
    "/lib/apk/db/installed",
];

/// Folders in which headers and libraries are installed by hand.
const BY_HAND: [&str; 2] = ["/usr/local/include", "/usr/local/lib"];

/// How deep a folder is scanned, and the most entries of it. Folders are scanned because, in `~/.rustup` for
/// example, a file selects which of several compilers a command starts. A program that depends on a folder
/// with more entries has no fingerprint.
const DEPTH: usize = 2;
const MOST_ENTRIES: usize = 5000;

/// The most bytes of the first line of a script that are read.
const FIRST_LINE: u64 = 256;

impl Compiler {
    /// The fingerprint of a program, as a text to be compared or hashed. `None` if a tool or file is missing,
    /// so that there can be no program, or if a folder is too large to scan.
    pub fn fingerprint(
        &self,
        submission: &Submission,
        language: Option<&Language>,
        memory_bytes: u64,
    ) -> Option<String> {
        let facts = self.machine.get_or_init(|| facts_of_machine(&self.toolchain)).clone()?;
        let mut builder = FingerprintBuilder { toolchain: &self.toolchain, facts };
        builder.facts.push(format!("memory {memory_bytes}"));
        match language {
            Some(language) => builder.add_language(submission, language)?,
            None => builder.add_executable(&submission.path)?,
        }
        Some(builder.facts.join("\n"))
    }
}

/// The facts about this machine that all programs depend on; `None` if a folder is too large to scan.
fn facts_of_machine(toolchain: &Toolchain) -> Option<Vec<String>> {
    let mut builder = FingerprintBuilder { toolchain, facts: Vec::new() };
    RECORDS.iter().for_each(|path| builder.add_file(Path::new(path)));
    BY_HAND.iter().try_for_each(|path| builder.add_tree(Path::new(path)))?;
    Some(builder.facts)
}

struct FingerprintBuilder<'a> {
    toolchain: &'a Toolchain,
    facts: Vec<String>,
}

impl FingerprintBuilder<'_> {
    fn add_language(&mut self, submission: &Submission, language: &Language) -> Option<()> {
        // Compilers and programs see the name, in messages and as `argv[0]`.
        let name = name_of_only(&submission.path, Some(language));
        self.facts.push(format!("source {name}"));
        self.facts.push(serde_json::to_string(language).ok()?);
        if !language.compile.is_empty() || !language.check.is_empty() {
            self.facts.push(format!("{:?}", self.toolchain.environment(language)));
        }
        for command in language.link.iter().chain([&language.compile, &language.check]) {
            let Some(name) = command.first() else { continue };
            let found = self.toolchain.find_compiler(language, name)?;
            self.add_tool(language, found, command);
        }
        let runtime = language.run.first()?;
        if runtime.starts_with("{folder}/") {
            // The submission itself is a script, or a script that creates the program.
            self.add_executable(&submission.path)?;
        } else if runtime.starts_with('/') {
            self.add_file(Path::new(runtime));
        } else if !runtime.starts_with('{') {
            let found = self.toolchain.find_for_submissions(runtime)?;
            self.add_tool(language, found, &language.run);
        }
        let commands = language.link.iter().chain([&language.compile, &language.run]);
        commands.flatten().filter_map(|word| path_in(word)).try_for_each(|path| self.add_tree(path))?;
        self.toolchain.expanded(&language.toolchain).iter().try_for_each(|folder| self.add_tree(folder))
    }

    /// Adds a tool and, if it is a shim, the tool that it starts, which a shim may select by files that are
    /// not known here.
    fn add_tool(&mut self, language: &Language, found: PathBuf, command: &[String]) {
        self.add_file(&found);
        let tool = self.toolchain.resolve(language, found, command);
        self.add_file(&tool);
    }

    /// Adds a file that is run directly and, if it is a script, its interpreter.
    fn add_executable(&mut self, path: &Path) -> Option<()> {
        let mode = path.metadata().ok()?.permissions().mode() & 0o111;
        self.facts.push(format!("executable {} {mode:o}", file_name(path)));
        let mut start = Vec::new();
        File::open(path).ok()?.take(FIRST_LINE).read_to_end(&mut start).ok()?;
        let line = start.split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!");
        let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
        // Handles `#!/usr/bin/env python3` too. A word that is no program needs no entry: it is part of the
        // script's bytes.
        for word in line.split_ascii_whitespace() {
            let found = match word.starts_with('/') {
                true => Some(PathBuf::from(word)),
                false => self.toolchain.find_for_submissions(word),
            };
            found.iter().for_each(|found| self.add_file(found));
        }
        Some(())
    }

    /// Adds a file, or a folder and its contents. Returns `None` if there are too many entries.
    fn add_tree(&mut self, root: &Path) -> Option<()> {
        let entries = walkdir::WalkDir::new(root).max_depth(DEPTH).sort_by_file_name().into_iter();
        for (number, entry) in entries.flatten().enumerate() {
            if number >= MOST_ENTRIES {
                return None;
            }
            self.add_file(entry.path());
        }
        Some(())
    }

    /// Adds a file's real path, inode, size and change time. Unlike the modification time, neither `touch`
    /// nor an unpacked archive can set the change time back.
    fn add_file(&mut self, path: &Path) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let facts = |found: Metadata| (found.ino(), found.size(), found.ctime(), found.ctime_nsec());
        let found = real.metadata().map(facts).ok();
        self.facts.push(format!("{} {} {found:?}", path.display(), real.display()));
    }
}

/// The absolute path in a word of a command, as in `/opt/run.py`, `-I/opt/include` and
/// `--module-path=/opt/lib`. `None` for a path that begins with a placeholder.
fn path_in(word: &str) -> Option<&Path> {
    let start = word.find('/').filter(|start| !word[..*start].ends_with('}'))?;
    Some(Path::new(&word[start..])).filter(|path| path.parent().is_some())
}

#[cfg(test)]
mod tests;
