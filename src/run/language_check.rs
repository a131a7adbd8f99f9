//! Checks whether a language works on this machine before its first submission is compiled. A success is
//! cached with the trials, because the check costs as much as a small submission; a failure is not cached.

use crate::cache::Cache;
use crate::cache::CacheKey;
use crate::cache::KeyHasher;
use crate::cache::ProgramCache;
use crate::compile::BuildResult;
use crate::compile::Compiler;
use crate::compile::UnusableLanguage;
use crate::model::Language;
use crate::model::LanguageRefusal;
use crate::model::Trial;
use crate::model::Verdict;
use crate::run::plan::PlanEntry;
use crate::run::plan::PlannedChecker;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::Usage;

/// Explains why a language does not work here; `None` if it works. Uses a cached result as long as everything
/// that it depends on is unchanged: the tools, the level of the sandbox, the judge itself.
///
/// # Errors
/// Returns a [`Fault`] if the judge itself failed.
pub fn language_problem(
    language: &Language,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<UnusableLanguage>, Fault> {
    let fingerprint =
        cache.filter(|_| !compiler.has_checked(language)).zip(compiler.fingerprint_of_known_good(language));
    let program_cache = fingerprint.map(|(cache, fingerprint)| program_cache(cache, &fingerprint));
    let is_known = |program_cache: &ProgramCache<'_>| {
        program_cache.find(&only_case()).is_some_and(|trial| trial == works())
    };
    if program_cache.as_ref().is_some_and(is_known) {
        compiler.assume_works(language);
        return Ok(None);
    }
    let unusable = compiler.check_language(language, sandbox)?;
    if let (None, Some(program_cache)) = (&unusable, program_cache) {
        program_cache.store(&only_case(), &works());
    }
    Ok(unusable)
}

/// Compiles a submission, unless its language does not work here.
///
/// # Errors
/// As [`language_problem`] and [`Compiler::compile`].
pub(super) fn make(
    entry: &PlanEntry,
    compiler: &Compiler,
    language_cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<BuildResult, Fault> {
    if let Some(LanguageRefusal { cause, remedy }) = entry.language_refusal.clone() {
        return Ok(BuildResult::Unavailable { cause, remedy });
    }
    let language = entry.language.as_deref();
    if let Some(unavailable) = unavailable(language, compiler, language_cache, sandbox)? {
        return Ok(unavailable);
    }
    let memory_bytes = entry.problem.limits.memory_bytes;
    compiler.compile_with(&entry.submission, &entry.additional_sources, language, memory_bytes, sandbox)
}

/// Compiles a checker, unless its language does not work here.
///
/// # Errors
/// As [`make`].
pub fn compile_checker(
    checker: &PlannedChecker,
    compiler: &Compiler,
    language_cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<BuildResult, Fault> {
    let language = checker.language.as_deref();
    if let Some(unavailable) = unavailable(language, compiler, language_cache, sandbox)? {
        return Ok(unavailable);
    }
    compiler.compile_with(
        &checker.source,
        &checker.additional_sources,
        language,
        checker.memory_bytes,
        sandbox,
    )
}

/// The result for programs in a language that does not work here; `None` if it works.
fn unavailable(
    language: Option<&Language>,
    compiler: &Compiler,
    language_cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<BuildResult>, Fault> {
    let unusable = language.map(|language| language_problem(language, compiler, language_cache, sandbox));
    let unusable = unusable.transpose()?.flatten();
    Ok(unusable.map(|UnusableLanguage { cause, remedy }| BuildResult::Unavailable { cause, remedy }))
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
    Trial { cached: true, ..Trial::new(Verdict::Accepted, Exit::Code(0), Usage::default()) }
}
