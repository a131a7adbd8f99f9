//! The key of a compiled program: everything that it depends on. Knows sources and fingerprints;
//! knows nothing of what is kept under the key.

use std::iter;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::cache::{Cache, CacheKey, KeyHasher, KeyWithFiles};
use crate::compile::compiler::Compiler;
use crate::compile::known_languages::Fingerprint;
use crate::compile::machine_facts::MachineFacts;
use crate::compile::program_source::ProgramSource;
use crate::compile::source_file::LARGEST_SUBMISSION;
use crate::model::AdditionalSources;

impl Compiler {
    /// The key of everything that a compiled program depends on: how it is compiled and started,
    /// its sources with their permission to be executed, and the names of those that others
    /// include. `None` if a file cannot be read or is too large, or if the tools cannot be
    /// identified.
    pub fn program_key(&self, program: ProgramSource<'_>, cache: &Cache) -> Option<KeyWithFiles> {
        self.program_key_on(&self.machine, program, cache)
    }

    /// Whether a program still has this key, found out with nothing that is remembered of the
    /// machine.
    pub(super) fn still_has_key(
        &self,
        program: ProgramSource<'_>,
        key: &CacheKey,
        cache: &Cache,
    ) -> bool {
        self.program_key_on(&MachineFacts::default(), program, cache)
            .is_some_and(|now| now.key == *key)
    }

    fn program_key_on(
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
        let paths = || {
            iter::once(&source.path).chain(additional_sources.files.iter().map(|file| &file.path))
        };
        if paths().any(|path| {
            path.metadata()
                .is_ok_and(|found| found.len() > LARGEST_SUBMISSION)
        }) {
            return None;
        }
        let mut hasher = KeyHasher::of("program");
        let Fingerprint {
            text,
            tools,
            looked_at,
        } = self.fingerprint_on(machine, source, language, memory_bytes, cache)?;
        hasher.add(text);
        hasher.add(format!("submission {is_submission}"));
        // Compilers see it in messages, and programs in languages that are interpreted as
        // `argv[0]`.
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
        let mut files = hasher.add_files(paths()).ok()?;
        // Asked after their versions, by which a later change of this permission is noticed.
        let executable: Vec<_> = files.iter().map(|(path, _)| is_executable(path)).collect();
        hasher.add(format!("executable {executable:?}"));
        files.extend(tools);
        Some(KeyWithFiles {
            key: hasher.finish(),
            files,
            looked_at,
        })
    }
}

/// Whether a file has the permission to be executed, which a copy of it keeps.
fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}
