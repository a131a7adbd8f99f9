//! Checks whether a language works on this machine: compiles and runs a known-good
//! source as submissions are. If that fails, the machine is at fault, and no submission
//! may be blamed. Start at [`CachedCompiler::check_language`].

use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{Fault, Input, Limits, Sandbox};

use crate::cache::{Cache, CacheKey, KeyHasher};
use crate::compile::build::{known_good_submission, write_readable};
use crate::compile::{
    BuildFolder, BuiltProgram, CachedCompiler, PrepareFailure, ProgramSource,
    without_folder,
};
use crate::model::{
    AdditionalSources, Language, Program, Submission, UnusableLanguage, Verdict,
    verdict_of_breach,
};
use crate::text::lines_with_text;

/// The limits of the known-good program, besides the allowance for its language. Far
/// more than its three lines need.
const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(20),
    wall: Duration::from_secs(60),
    memory_bytes: 256 << 20,
    output_bytes: 1 << 20,
    processes: 64,
    frequent_samples: false,
    address_space: None,
};

/// The output of the known-good program.
const EXPECTED: &[u8] = b"ok";

/// The most letters of a tool's message that are shown.
const LONGEST_MESSAGE: usize = 300;

impl CachedCompiler<'_> {
    /// Checks a language. Returns `None` if it works, or if it has no known-good
    /// source. Each language is checked once: other callers wait for the result.
    ///
    /// A success is cached, because the check costs as much as a small submission, and
    /// holds as long as everything that it depends on is unchanged: the tools, the level
    /// of the sandbox, the judge itself. A failure is not cached.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the judge itself failed; then the next caller checks
    /// again.
    pub fn check_language(
        &self,
        language: &Language,
    ) -> Result<Option<UnusableLanguage>, Fault> {
        let Some(source) = &language.known_good else {
            return Ok(None);
        };
        let variant = format!(
            "{} {:?} {:?}",
            language.id, language.standards, language.options
        );
        let tried =
            Arc::clone(self.compiler.tried.lock().entry(variant).or_default());
        // The first caller that locks it performs the check.
        let mut tried = tried.lock();
        if let Some(known) = &*tried {
            return Ok(known.clone());
        }
        // The successful checks of the language, of which there is at most one.
        let earlier = self
            .key_of_fact("known good", language)
            .map(|(cache, key)| cache.program_cache(key));
        let key = KeyHasher::for_purpose("known good").finish();
        if let Some(earlier) = &earlier
            && earlier.find_value::<u64>(&key).is_some()
        {
            return Ok(tried.insert(None).clone());
        }
        let found = self.try_source(source, language)?;
        if let (None, Some(earlier)) = (&found, &earlier) {
            // That there is a number says that it works; no proof of a case has this one.
            earlier.store_value(&key, &0);
        }
        Ok(tried.insert(found).clone())
    }

    /// The cache, and the key in it of a fact about a language that holds as long as
    /// everything that its known-good program depends on is unchanged. `None` if there
    /// is no cache or no such program, or if that cannot be known.
    pub(super) fn key_of_fact(
        &self,
        fact: &str,
        language: &Language,
    ) -> Option<(&Cache, CacheKey)> {
        let cache = self.cache?;
        language.known_good.as_ref()?;
        let found = self.compiler.fingerprint(
            &self.compiler.machine,
            &known_good_submission(language),
            Some(language),
            LIMITS.memory_bytes,
            cache,
        )?;
        let hasher = cache.program().with(fact).with(found.key.to_string());
        Some((cache, hasher.finish()))
    }

    fn try_source(
        &self,
        source: &str,
        language: &Language,
    ) -> Result<Option<UnusableLanguage>, Fault> {
        let failed =
            |error| Fault::new(format!("trying out {}", language.name), error);
        let place = BuildFolder::make(&self.compiler.folder).map_err(failed)?;
        let submission = known_good_submission(language);
        let submission = Submission {
            path: place.path().join(&submission.path),
            ..submission
        };
        write_readable(&submission.path, source).map_err(failed)?;
        let unusable = |cause| {
            Some(UnusableLanguage {
                cause,
                remedy: format!(
                    "see that its tools work for the judge's user, and name the folders that they \
                     read as `toolchain` of [languages.{id}] in judge.toml; if it is `compile` or \
                     `run` there that needs more than one source, change `known_good`, too",
                    id = language.id
                ),
                package: None,
            })
        };
        let program = ProgramSource {
            source: &submission,
            additional_sources: &AdditionalSources::default(),
            language: Some(language),
            memory_bytes: LIMITS.memory_bytes,
            is_submission: true,
            keeps_name: true,
        };
        let compiler = Self {
            cache: None,
            ..*self
        };
        Ok(match compiler.compile(program) {
            Err(PrepareFailure::Unavailable(unusable)) => Some(unusable),
            Err(PrepareFailure::Refused(refusal)) => unusable(format!(
                "a right program does not compile here: {}",
                said(&refusal.reason, &refusal.output)
            )),
            Err(PrepareFailure::Faulted(fault)) => return Err(fault),
            Ok(BuiltProgram { program, folder }) => {
                let wrong = run(&program, language, self.sandbox)?;
                wrong.and_then(|wrong| {
                    let wrong = without_folder(folder.path(), &wrong);
                    unusable(format!("a right program does not run here: {wrong}"))
                })
            }
        })
    }
}

/// Runs the known-good program. Returns what went wrong, if anything did.
fn run(
    program: &Program,
    language: &Language,
    sandbox: &dyn Sandbox,
) -> Result<Option<String>, Fault> {
    let limits = Limits {
        memory_bytes: LIMITS
            .memory_bytes
            .saturating_add(language.extra_memory_bytes),
        ..LIMITS
    };
    let mut run = sandbox.run(&program.on(Input::Empty), &limits)?;
    let complaint = String::from_utf8_lossy(&run.stderr_tail).into_owned();
    if let Some(breach) = verdict_of_breach(&run, &limits) {
        let ending = match breach {
            Verdict::RuntimeError => format!("it ended with {}", run.exit),
            breach => breach.meaning().to_owned(),
        };
        return Ok(Some(said(&ending, &complaint)));
    }
    let output = run.printed(LONGEST_MESSAGE as u64).map_err(|error| {
        Fault::new(format!("trying out {}", language.name), error)
    })?;
    let is_right = output.trim_ascii() == EXPECTED;
    let found = format!(
        "it does not print `ok` but `{}`",
        String::from_utf8_lossy(&output).trim()
    );
    Ok((!is_right).then(|| said(&found, &complaint)))
}

/// `what` with the most useful line of the tool's message: the first that mentions an
/// error, else the first.
fn said(what: &str, message: &str) -> String {
    let line = lines_with_text(message)
        .find(|line| line.to_ascii_lowercase().contains("error"))
        .or_else(|| lines_with_text(message).next());
    match line {
        Some(line) => format!(
            "{what}: {}",
            line.chars().take(LONGEST_MESSAGE).collect::<String>()
        ),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests;
