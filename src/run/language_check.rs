//! Checks whether a language works on this machine before its first submission is compiled. A
//! success is cached with the trials, because the check costs as much as a small submission; a
//! failure is not cached.

use crate::cache::{Cache, CacheKey, KeyHasher, ProgramCache};
use crate::compile::{BuildResult, Compiler, ProgramSource, UnusableLanguage};
use crate::model::{Language, Trial, Verdict};
use gridjudge_sandbox::{Exit, Fault, Sandbox, Usage};

/// Explains why a language does not work here; `None` if it works. Uses a cached result as long as
/// everything that it depends on is unchanged: the tools, the level of the sandbox, the judge
/// itself.
///
/// # Errors
/// Returns a [`Fault`] if the judge itself failed.
pub fn unusable_language(
    language: &Language,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<UnusableLanguage>, Fault> {
    let program_cache = cache
        .filter(|_| !compiler.has_checked(language))
        .and_then(|cache| {
            let fingerprint = compiler.fingerprint_of_known_good(language, cache)?;
            Some(program_cache(cache, &fingerprint))
        });
    if program_cache.as_ref().is_some_and(|program_cache| {
        program_cache
            .find(&only_case())
            .is_some_and(|trial| trial == works())
    }) {
        compiler.assume_works(language);
        return Ok(None);
    }
    let unusable = compiler.check_language(language, sandbox)?;
    if let (None, Some(program_cache)) = (&unusable, program_cache) {
        program_cache.store(&only_case(), &works());
    }
    Ok(unusable)
}

/// Compiles a program, unless its language does not work here.
///
/// # Errors
/// As [`unusable_language`] and [`Compiler::compile`].
pub fn compile_program(
    program: ProgramSource<'_>,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<BuildResult, Fault> {
    let checked = program
        .language
        .map(|language| unusable_language(language, compiler, cache, sandbox));
    match checked.transpose()?.flatten() {
        Some(UnusableLanguage { cause, remedy }) => Ok(BuildResult::Unavailable { cause, remedy }),
        None => compiler.compile(program, cache, sandbox),
    }
}

/// The cached trials of a language's known-good source, of which there is at most one.
fn program_cache<'a>(cache: &'a Cache, fingerprint: &str) -> ProgramCache<'a> {
    let mut hasher = cache.program();
    hasher.add("known good");
    hasher.add(fingerprint);
    cache.program_cache(hasher.finish())
}

fn only_case() -> CacheKey {
    KeyHasher::of("known good").finish()
}

/// The trial that is cached for a language that works.
fn works() -> Trial {
    Trial {
        cached: true,
        ..Trial::new(Verdict::Accepted, Exit::Code(0), Usage::default())
    }
}
