//! Looks up a submission's trials in the cache before anything of it runs, and stores new ones. Defines which
//! facts a verdict depends on; the cache decides where trials are stored, and the wrapped judge how the
//! missing ones are judged.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;

use crate::cache::Cache;
use crate::cache::CacheKey;
use crate::cache::FileVersion;
use crate::cache::KeyHasher;
use crate::cache::ProgramCache;
use crate::compile;
use crate::model::AdditionalSources;
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::FileStreams;
use crate::model::PlannedCase;
use crate::model::Problem;
use crate::model::Trial;
use crate::model::Verdict;
use crate::run::case_outcome::CaseOutcome;
use crate::run::judge::Judge;
use crate::run::plan::PlanEntry;
use crate::run::suite::Suite;

/// Judges only cases whose trials are not cached.
pub(super) struct CachedJudge<'a, 'c, J> {
    pub(super) index: &'a CacheIndex<'c>,
    /// Judges the cases that are not cached.
    pub(super) judge: J,
}

impl<J: Judge> Judge for CachedJudge<'_, '_, J> {
    fn prepare(&self, entry: usize) {
        if !self.index.results(entry).is_some_and(|known| known.is_enough()) {
            self.judge.prepare(entry);
        }
    }

    fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let Some(known) = self.index.results(case.entry) else { return self.judge.judge(case) };
        if known.is_settled_before(case.case) {
            return CaseOutcome::NotRun;
        }
        if let Some(trial) = known.of(case.case) {
            return CaseOutcome::Judged(Box::new(trial));
        }
        let outcome = self.judge.judge(case);
        // Neither faults are stored, nor trials of cases that will be judged again.
        if let CaseOutcome::Judged(trial) = &outcome
            && !known.entry.is_doubtful(trial)
        {
            known.store(case.case, trial);
        }
        outcome
    }
}

/// The cached results of the plan's submissions, and the cache keys of all cases. Each is looked up or
/// computed once, by the first worker that needs it.
pub(super) struct CacheIndex<'a> {
    cache: &'a Cache,
    suite: &'a Suite<'a>,
    /// One for each entry of the plan; entries of the same problem share theirs.
    cases: Vec<Arc<[CaseKey]>>,
    /// One for each entry of the plan; `None` until it has been looked up.
    results: Vec<Mutex<Option<SharedResults<'a>>>>,
}

/// `None` if results of the submission are not cached.
type SharedResults<'a> = Option<Arc<CachedResults<'a>>>;

/// The key of a case, once it has been computed; then `None` if the files of the case cannot be read.
type CaseKey = OnceLock<Option<KnownCase>>;

/// The key of a case, and the version of each file that it was computed from.
type KnownCase = (CacheKey, Vec<(PathBuf, FileVersion)>);

/// The cached results of one submission.
pub(super) struct CachedResults<'a> {
    entry: &'a PlanEntry,
    keys: Arc<[CaseKey]>,
    program_cache: ProgramCache<'a>,
    /// The versions of the sources of submission and checker when the key was computed.
    sources: Vec<(PathBuf, FileVersion)>,
    /// Whether the sources were still unchanged after the programs had been compiled; empty until then.
    are_sources_unchanged: OnceLock<bool>,
    coverage: CacheCoverage,
}

/// How much of a submission's result is cached.
enum CacheCoverage {
    /// All cases.
    All,
    /// All cases up to this one, which settles the submission: later ones are not needed. Its trial is stored
    /// here, so that the decision stays valid even if the cache file changes.
    SettledBy(usize, Box<Trial>),
    /// Something has to be run.
    NotAll,
}

impl<'a> CacheIndex<'a> {
    pub(super) fn new(cache: &'a Cache, suite: &'a Suite<'a>) -> Self {
        let entries = &suite.plan.entries;
        let mut shared = HashMap::new();
        let cases = entries.iter().map(|entry| {
            let unknown = || entry.cases.iter().map(|_| CaseKey::new()).collect();
            Arc::clone(shared.entry(Arc::as_ptr(&entry.cases)).or_insert_with(unknown))
        });
        let cases = cases.collect();
        Self { cache, suite, cases, results: entries.iter().map(|_| Mutex::default()).collect() }
    }

    /// Stores the trial of a case that was judged again.
    pub(super) fn store(&self, case: PlannedCase, trial: &Trial) {
        if let Some(known) = self.results(case.entry) {
            known.store(case.case, trial);
        }
    }

    /// Drops the results of a submission that has been reported from memory.
    pub(super) fn clear(&self, entry: usize) {
        self.results[entry].lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The cached results of a submission, looked up on the first call. A second worker waits for the first.
    fn results(&self, entry: usize) -> SharedResults<'a> {
        let mut results = self.results[entry].lock().unwrap_or_else(PoisonError::into_inner);
        results.get_or_insert_with(|| self.look_up(entry).map(Arc::new)).clone()
    }

    /// Looks up the results of a submission. Returns `None` if they are never cached, or if its key cannot be
    /// computed.
    fn look_up(&self, number: usize) -> Option<CachedResults<'a>> {
        let entry = &self.suite.plan.entries[number];
        // If no program runs, a lookup would take as long as judging.
        if entry.answers.is_some() || entry.language_refusal.is_some() || entry.refusal.is_some() {
            return None;
        }
        let mut hasher = self.cache.program();
        let sources = describe(&mut hasher, entry, self.suite.compiler)?;
        let program_cache = self.cache.program_cache(hasher.finish());
        let keys = Arc::clone(&self.cases[number]);
        let (are_sources_unchanged, coverage) = (OnceLock::new(), CacheCoverage::NotAll);
        let known = CachedResults { entry, keys, program_cache, sources, are_sources_unchanged, coverage };
        // With expectations or points, a case that is not accepted does not settle all cases after it.
        let one_settles = self.suite.options.stop_at_first
            && entry.expectations.is_empty()
            && entry.problem.scoring.is_empty();
        let coverage = known.find_coverage(one_settles);
        Some(CachedResults { coverage, ..known })
    }
}

/// Adds everything to a key that a submission's verdicts depend on, except for the cases. Returns the version
/// of each file that was added, or `None` if one of them cannot be read, is too long, or the tools cannot be
/// identified.
fn describe(
    hasher: &mut KeyHasher,
    entry: &PlanEntry,
    compiler: &compile::Compiler,
) -> Option<Vec<(PathBuf, FileVersion)>> {
    let PlanEntry { problem, submission, language, .. } = entry;
    let memory_bytes = problem.limits.memory_bytes;
    if submission.path.metadata().ok()?.len() > compile::LARGEST_SUBMISSION {
        return None;
    }
    hasher.add(compiler.fingerprint(submission, language.as_deref(), memory_bytes)?);
    let limits = entry.limits();
    hasher.add(problem.task.cache_key(&limits).ok()?);
    for (case, task) in &problem.case_tasks {
        hasher.add(case);
        hasher.add(task.cache_key(&limits).ok()?);
    }
    let mut files = vec![submission.path.clone()];
    if !entry.additional_sources.is_empty() {
        let AdditionalSources { files: additional_sources, start, constants } = &entry.additional_sources;
        let names: Vec<_> = additional_sources.iter().map(|file| &file.name).collect();
        hasher.add(format!("{:?} {names:?} {start:?} {constants:?}", submission.path.file_name()));
        files.extend(additional_sources.iter().map(|file| file.path.clone()));
    }
    let first = entry.checker.as_deref();
    let checkers = std::iter::successors(first, |checker| checker.final_checker.as_deref());
    for checker in checkers.chain(entry.static_validator.as_deref()) {
        hasher.add(compiler.fingerprint(
            &checker.source,
            checker.language.as_deref(),
            checker.memory_bytes,
        )?);
        files.push(checker.source.path.clone());
        // Their names matter, because other files include them by name.
        hasher.add(format!("{:?}", checker.additional_sources));
        files.extend(checker.additional_sources.files.iter().map(|file| file.path.clone()));
    }
    let version = |file: PathBuf| Some((file.clone(), hasher.add_file(&file).ok()?));
    files.into_iter().map(version).collect()
}

impl CachedResults<'_> {
    /// The cached trial of a case.
    pub(super) fn of(&self, case: usize) -> Option<Trial> {
        match &self.coverage {
            CacheCoverage::SettledBy(settling, trial) if *settling == case => Some((**trial).clone()),
            _ => self.program_cache.find(&self.key(case)?.0),
        }
    }

    /// Whether a case will not be reported, because a cached trial of an earlier case settles the submission.
    pub(super) fn is_settled_before(&self, case: usize) -> bool {
        matches!(&self.coverage, CacheCoverage::SettledBy(settling, _) if *settling < case)
    }

    /// Whether nothing has to be run.
    pub(super) fn is_enough(&self) -> bool {
        !matches!(self.coverage, CacheCoverage::NotAll)
    }

    /// Stores the trial of a case, unless a file has changed since its key was computed. If none has,
    /// whatever was compiled and read in the meantime belongs to the key too.
    pub(super) fn store(&self, case: usize, trial: &Trial) {
        let is_unchanged = |path: &Path, version: FileVersion| FileVersion::now(path) == Some(version);
        let Some((key, files)) = self.key(case) else { return };
        // Checked once: the first trial was run from copies of the sources, so later changes of the sources
        // do not matter.
        let are_sources_unchanged = self
            .are_sources_unchanged
            .get_or_init(|| self.sources.iter().all(|(path, version)| is_unchanged(path, *version)));
        if *are_sources_unchanged && files.iter().all(|(path, version)| is_unchanged(path, *version)) {
            self.program_cache.store(key, trial);
        }
    }

    fn find_coverage(&self, stop_at_first: bool) -> CacheCoverage {
        for case in 0..self.keys.len() {
            match self.of(case) {
                None => return CacheCoverage::NotAll,
                Some(trial) if stop_at_first && trial.verdict != Verdict::Accepted => {
                    return CacheCoverage::SettledBy(case, Box::new(trial));
                }
                Some(_) => {}
            }
        }
        CacheCoverage::All
    }

    fn key(&self, case: usize) -> Option<&KnownCase> {
        self.keys[case].get_or_init(|| key_of(&self.entry.cases[case], &self.entry.problem).ok()).as_ref()
    }
}

/// Computes the key of a case from everything that its verdict depends on: the bytes of input and answer, the
/// arguments and files for the submission, the points (which a checker is given), and its own task if it is
/// judged differently. Name and path do not count, because a program never sees them.
fn key_of(case: &Case, problem: &Problem) -> io::Result<KnownCase> {
    let mut hasher = KeyHasher::of("case");
    if let Some(worth) = problem.scoring.worth_of(&case.name) {
        hasher.add(format!("{worth:?}"));
    }
    // Two cases may differ in nothing but how they are judged.
    if let Some(task) = problem.case_tasks.get(&case.name) {
        hasher.add(task.cache_key(&problem.limits).map_err(io::Error::other)?);
    }
    if problem.file_streams != FileStreams::default() {
        hasher.add(format!("{:?}", problem.file_streams));
    }
    let mut files = vec![&case.input, &case.answer];
    if let Some(CaseSupply { arguments, files: given }) = problem.supplies.get(&case.name) {
        let names: Vec<_> = given.iter().map(|file| &file.name).collect();
        hasher.add(format!("{arguments:?} {names:?}"));
        files.extend(given.iter().map(|file| &file.path));
    }
    let version = |path: &PathBuf| Ok((path.clone(), hasher.add_file(path)?));
    let versions = files.into_iter().map(version).collect::<io::Result<_>>()?;
    Ok((hasher.finish(), versions))
}
