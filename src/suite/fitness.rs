//! Whether the language of a submission works here, found out before the first of them is made. That it does is kept where
//! trials are, for that costs as much as a small submission; that it does not is found out anew each time.

use crate::cache::Cache;
use crate::cache::Hasher;
use crate::cache::Key;
use crate::cache::Shelf;
use crate::compile::Made;
use crate::compile::Unfit;
use crate::compile::Workshop;
use crate::model::Language;
use crate::model::Trial;
use crate::model::Verdict;
use crate::suite::plan::Entry;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::Usage;

/// Why a language does not work here; none if it does. What is known from an earlier time counts, as long as everything is
/// the same that it depends on: the tools, the level of the sandbox, the judge itself.
///
/// # Errors
/// A [`Fault`] if the judge itself failed.
pub fn why_unfit(
    language: &Language,
    workshop: &Workshop,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<Unfit>, Fault> {
    let trace = cache.filter(|_| !workshop.has_tried(language)).zip(workshop.trace_of_known_good(language));
    let shelf = trace.map(|(cache, trace)| shelf(cache, &trace));
    let is_known = |shelf: &Shelf<'_>| shelf.find(&only_case()).is_some_and(|trial| trial == works());
    if shelf.as_ref().is_some_and(is_known) {
        workshop.trust(language);
        return Ok(None);
    }
    let unfit = workshop.try_out(language, sandbox)?;
    if let (None, Some(shelf)) = (&unfit, shelf) {
        shelf.keep(&only_case(), &works());
    }
    Ok(unfit)
}

/// Makes a submission ready, unless its language does not work here.
///
/// # Errors
/// As [`why_unfit`] and [`Workshop::make`].
pub(crate) fn make(
    entry: &Entry,
    workshop: &Workshop,
    proofs: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Made, Fault> {
    let language = entry.language.as_deref();
    let unfit = language.map(|language| why_unfit(language, workshop, proofs, sandbox));
    if let Some(Unfit { cause, remedy }) = unfit.transpose()?.flatten() {
        return Ok(Made::Unavailable { cause, remedy });
    }
    workshop.make(&entry.submission, language, entry.problem.limits.memory_bytes, sandbox)
}

/// The trials of a known source: one.
fn shelf<'a>(cache: &'a Cache, trace: &str) -> Shelf<'a> {
    let mut hasher = cache.program();
    hasher.add("known good");
    hasher.add(trace);
    cache.shelf(hasher.finish())
}

fn only_case() -> Key {
    Hasher::of("known good").finish()
}

/// That a language works, as a trial.
fn works() -> Trial {
    Trial {
        verdict: Verdict::Accepted,
        exit: Exit::Code(0),
        usage: Usage::default(),
        findings: None,
        stderr_tail: Vec::new(),
        rerun: false,
        cached: true,
    }
}
