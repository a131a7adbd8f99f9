//! Whether the language of a submission works here, found out before the first of them is made. That it does is kept where
//! trials are, for that costs as much as a small submission; that it does not is found out anew each time.

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

/// Why a language does not work here; none if it does. What is known from an earlier time counts, as long as everything is
/// the same that it depends on: the tools, the level of the sandbox, the judge itself.
///
/// # Errors
/// A [`Fault`] if the judge itself failed.
pub fn language_problem(
    language: &Language,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<UnusableLanguage>, Fault> {
    let trace =
        cache.filter(|_| !compiler.has_checked(language)).zip(compiler.fingerprint_of_known_good(language));
    let program_cache = trace.map(|(cache, trace)| program_cache(cache, &trace));
    let is_known = |program_cache: &ProgramCache<'_>| {
        program_cache.find(&only_case()).is_some_and(|trial| trial == works())
    };
    if program_cache.as_ref().is_some_and(is_known) {
        compiler.assume_works(language);
        return Ok(None);
    }
    let unfit = compiler.check_language(language, sandbox)?;
    if let (None, Some(program_cache)) = (&unfit, program_cache) {
        program_cache.keep(&only_case(), &works());
    }
    Ok(unfit)
}

/// Makes a submission ready, unless its language does not work here.
///
/// # Errors
/// As [`language_problem`] and [`Compiler::make`].
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
    compiler.make_with(&entry.submission, &entry.further, language, memory_bytes, sandbox)
}

/// Makes a checker ready, unless its language does not work here.
///
/// # Errors
/// As [`make`].
pub fn make_checker(
    checker: &PlannedChecker,
    compiler: &Compiler,
    language_cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<BuildResult, Fault> {
    let language = checker.language.as_deref();
    if let Some(unavailable) = unavailable(language, compiler, language_cache, sandbox)? {
        return Ok(unavailable);
    }
    compiler.make_with(&checker.source, &checker.further, language, checker.memory_bytes, sandbox)
}

/// That a language does not work here, if so.
fn unavailable(
    language: Option<&Language>,
    compiler: &Compiler,
    language_cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<BuildResult>, Fault> {
    let unfit = language.map(|language| language_problem(language, compiler, language_cache, sandbox));
    let unfit = unfit.transpose()?.flatten();
    Ok(unfit.map(|UnusableLanguage { cause, remedy }| BuildResult::Unavailable { cause, remedy }))
}

/// The trials of a known source: one.
fn program_cache<'a>(cache: &'a Cache, trace: &str) -> ProgramCache<'a> {
    let mut hasher = cache.program();
    hasher.add("known good");
    hasher.add(trace);
    cache.program_cache(hasher.finish())
}

fn only_case() -> CacheKey {
    KeyHasher::of("known good").finish()
}

/// That a language works, as a trial.
fn works() -> Trial {
    Trial {
        verdict: Verdict::Accepted,
        exit: Exit::Code(0),
        usage: Usage::default(),
        findings: None,
        stderr_tail: Vec::new(),
        transcript: None,
        rerun: false,
        cached: true,
    }
}
