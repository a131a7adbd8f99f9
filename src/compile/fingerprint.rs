//! Describes everything that a program depends on besides the bytes of its source: how
//! it is compiled and started, and by which tools of this machine. While it is
//! unchanged, cached results of the program stay valid, on any machine: tools are
//! described by their contents and by the packages that they consist of, not by inodes
//! and times. Looks at files; starts nothing except tools that report where they are
//! installed.

use std::io::{Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use crate::cache::{Cache, FileVersion, KeyHasher, KeyWithFiles};
use crate::compile::source_file::{open_source, read_start, source_file_name};
use crate::compile::{Compiler, MachineFacts, ProgramSource, Toolchain};
use crate::files::{is_executable, without_links};
use crate::model::{AdditionalSources, Language, Submission};

/// The most bytes of the first line of a script that are read.
const FIRST_LINE: u64 = 256;

impl Compiler {
    /// The fingerprint of a program, with what is known of the machine. `None` if a tool
    /// or file is missing, so that there can be no program, or if a folder is too large
    /// to read.
    ///
    /// What the programs of a language have in common is found out once. `cache`
    /// remembers digests of tools and folders from run to run.
    pub(super) fn fingerprint(
        &self,
        machine: &MachineFacts,
        submission: &Submission,
        language: Option<&Language>,
        memory_bytes: u64,
        cache: &Cache,
    ) -> Option<KeyWithFiles> {
        let builder = || FingerprintBuilder {
            toolchain: &self.toolchain,
            machine,
            cache,
            facts: KeyHasher::for_purpose("fingerprint"),
        };
        let mut all = builder();
        all.facts.add(format!("memory {memory_bytes}"));
        all.facts.add_key("machine", &machine.of_all(cache)?);
        if let Some(language) = language {
            // What all its programs depend on.
            let keys = serde_json::to_string(language).ok()?;
            let mut languages = machine.languages.lock();
            let known = languages.entry(keys.clone()).or_insert_with(|| {
                let mut common = builder();
                common.facts.add(keys);
                common.add_language(language)?;
                Some(Arc::new(common.facts.finish_with_files()))
            });
            all.facts.add_key("language", known.as_ref()?);
        }
        let starts_own = match language {
            // The submission itself is a script, or a script that creates the program.
            Some(language) => language.run.first()?.starts_with("{folder}/"),
            None => true,
        };
        if starts_own {
            all.add_executable(submission)?;
        }
        Some(all.facts.finish_with_files())
    }
}

struct FingerprintBuilder<'a> {
    toolchain: &'a Toolchain,
    machine: &'a MachineFacts,
    cache: &'a Cache,
    /// Those that were added so far.
    facts: KeyHasher,
}

impl FingerprintBuilder<'_> {
    fn add_language(&mut self, language: &Language) -> Option<()> {
        if !language.compile.is_empty() || !language.check.is_empty() {
            let environment = self.toolchain.environment(language);
            self.facts.add(format!("{environment:?}"));
        }
        for command in language
            .link
            .iter()
            .chain([&language.compile, &language.check])
        {
            let Some(name) = command.first() else {
                continue;
            };
            let found = self.toolchain.find_compiler(language, name)?;
            self.add_tool(language, found, command)?;
        }
        let runtime = language.run.first()?;
        if runtime.starts_with('/') {
            self.add_file_of_tool(Path::new(runtime))?;
        } else if !runtime.starts_with('{') {
            let found = self.toolchain.find_for_submissions(runtime)?;
            self.add_tool(language, found, &language.run)?;
        }
        let commands = language.link.iter().chain([
            &language.compile,
            &language.check,
            &language.run,
        ]);
        commands
            .flatten()
            .filter_map(|word| path_in(word))
            .try_for_each(|path| self.add_tree(path))?;
        let folders = self.toolchain.expanded(&language.toolchain);
        folders.iter().try_for_each(|folder| self.add_tree(folder))
    }

    /// Adds a tool and, if it is a shim, the tool that it starts, which a shim may
    /// select by files that are not known here.
    fn add_tool(
        &mut self,
        language: &Language,
        found: PathBuf,
        command: &[String],
    ) -> Option<()> {
        self.add_file_of_tool(&found)?;
        let tool = self.toolchain.resolve(language, found.clone(), command);
        if tool != found {
            self.add_file_of_tool(&tool)?;
        }
        Some(())
    }

    /// Adds a file that is run directly and, if it is a script, its interpreter.
    fn add_executable(&mut self, source: &Submission) -> Option<()> {
        let mut file = open_source(source).ok()?;
        let mode = file.metadata().ok()?.permissions().mode() & 0o111;
        let name = source_file_name(&source.path);
        self.facts.add(format!("executable {name} {mode:o}"));
        let start = read_start(&mut file, FIRST_LINE).ok()?;
        let Some(line) = start
            .split(|byte| *byte == b'\n')
            .next()?
            .strip_prefix(b"#!")
        else {
            // A program that loads libraries finds the system's folders, too, and may
            // use anything in them.
            let mut bytes = vec![];
            file.rewind().ok()?;
            let read = file.read_to_end(&mut bytes);
            let loads = read.is_ok_and(|_| memmem::find(&bytes, b".so").is_some());
            if loads {
                let packages = self.machine.all_packages(self.cache)?;
                self.facts.add_key("packages", &packages);
            }
            return Some(());
        };
        // Handles `#!/usr/bin/env python3` too. A word that is no program needs no
        // entry: it is part of the script's bytes.
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

    /// Adds a tool's real path and a digest of its contents, and of everything that is
    /// known to belong to it.
    fn add_file_of_tool(&mut self, path: &Path) -> Option<()> {
        // Before anything is read: a link may soon lead elsewhere.
        if let Some(version) = FileVersion::now(path) {
            self.facts.remember(path, version);
        }
        let real = without_links(path);
        let tool = format!("tool {} {}", path.display(), real.display());
        self.facts
            .add_key(&tool, &self.machine.tool(&real, self.cache)?);
        // The folder in which the tool is installed, if no package has put it there:
        // the parent of its `bin`, but never a whole home or system.
        let installation = self.toolchain.prefix(&real).or_else(|| {
            let above = real.parent().filter(|bin| bin.ends_with("bin"))?.parent()?;
            let below = above.strip_prefix("/usr/local").ok()?;
            (below != Path::new("")).then(|| above.to_owned())
        });
        if let Some(folder) = installation {
            let what = format!("installation {}", folder.display());
            self.facts
                .add_key(&what, &self.machine.installation(&folder, self.cache)?);
        }
        Some(())
    }

    /// Adds a file, or a folder and its contents. Returns `None` if there are too many
    /// entries.
    fn add_tree(&mut self, root: &Path) -> Option<()> {
        let what = format!("files {}", root.display());
        self.facts
            .add_key(&what, &self.machine.tree(root, self.cache)?);
        Some(())
    }
}

/// The absolute path in a word of a command, as in `/opt/run.py`, `-I/opt/include` and
/// `--module-path=/opt/lib`. `None` for a path that begins with a placeholder.
fn path_in(word: &str) -> Option<&Path> {
    let start = word
        .find('/')
        .filter(|start| !word[..*start].ends_with('}'))?;
    Some(Path::new(&word[start..])).filter(|path| path.parent().is_some())
}

// The key of a compiled program: everything that it depends on. Knows sources and
// fingerprints; knows nothing of what is kept under the key.

impl Compiler {
    /// The key of everything that a compiled program depends on: how it is compiled and
    /// started, its sources with their permission to be executed, and the names of
    /// those that others include. `None` if a file cannot be read or is too large, or
    /// if the tools cannot be identified.
    pub fn program_key(
        &self,
        program: ProgramSource<'_>,
        cache: &Cache,
    ) -> Option<KeyWithFiles> {
        self.program_key_on(&self.machine, program, cache)
    }

    /// Like [`program_key`](Self::program_key), with what is known of the machine from
    /// elsewhere.
    pub(super) fn program_key_on(
        &self,
        machine: &MachineFacts,
        program: ProgramSource<'_>,
        cache: &Cache,
    ) -> Option<KeyWithFiles> {
        let ProgramSource {
            source,
            additional_sources,
            language,
            memory_bytes,
            is_submission,
            ..
        } = program;
        if program.is_too_large() {
            return None;
        }
        let mut hasher = KeyHasher::for_purpose("program");
        let found =
            self.fingerprint(machine, source, language, memory_bytes, cache)?;
        hasher.add_key("fingerprint", &found);
        hasher.add(format!("submission {is_submission}"));
        // Compilers see it in messages, and programs in languages that are interpreted
        // as `argv[0]`.
        hasher.add(format!("source {}", program.name_in_folder()));
        if !additional_sources.is_empty() {
            let AdditionalSources {
                files: additional,
                start,
                constants,
            } = additional_sources;
            let names: Vec<_> = additional.iter().map(|file| &file.name).collect();
            hasher.add(format!(
                "{:?} {names:?} {start:?} {constants:?}",
                source.path.file_name()
            ));
        }
        let version = hasher.add_opened(open_source(source).ok()?).ok()?;
        hasher.remember(source.place(), version);
        hasher.add_files(program.files().skip(1)).ok()?;
        // Asked after their versions, by which a later change of this permission is
        // noticed.
        let executable: Vec<_> =
            program.files().map(|path| is_executable(path)).collect();
        hasher.add(format!("executable {executable:?}"));
        Some(hasher.finish_with_files())
    }
}

#[cfg(test)]
mod tests;
