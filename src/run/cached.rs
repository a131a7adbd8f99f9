//! Tells what is known of a submission before anything of it runs, and keeps what it comes to. Says which facts a verdict
//! depends on; leaves to the cache where trials lie, and to the judge inside how the others are found.

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
use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::FileStreams;
use crate::model::FurtherSources;
use crate::model::PlannedCase;
use crate::model::Problem;
use crate::model::Trial;
use crate::model::Verdict;
use crate::run::judge::Judge;
use crate::run::plan::PlanEntry;
use crate::run::suite::Suite;
use crate::run::task_outcome::TaskOutcome;

/// Runs only what is not known.
pub(super) struct CachedJudge<'a, 'c, J> {
    pub(super) index: &'a CacheIndex<'c>,
    /// Judges what is not known.
    pub(super) judge: J,
}

impl<J: Judge> Judge for CachedJudge<'_, '_, J> {
    fn prepare(&self, entry: usize) {
        if !self.index.results(entry).is_some_and(|known| known.is_enough()) {
            self.judge.prepare(entry);
        }
    }

    fn judge(&self, case: PlannedCase) -> TaskOutcome {
        let Some(known) = self.index.results(case.entry) else { return self.judge.judge(case) };
        if known.is_settled_before(case.case) {
            return TaskOutcome::NotRun;
        }
        if let Some(trial) = known.of(case.case) {
            return TaskOutcome::Judged(Box::new(trial));
        }
        let outcome = self.judge.judge(case);
        // Neither a fault is kept, nor what will be judged again.
        if let TaskOutcome::Judged(trial) = &outcome
            && !known.entry.is_doubtful(trial)
        {
            known.keep(case.case, trial);
        }
        outcome
    }
}

/// What is known of the submissions of a plan, and the keys of all cases, each found once, by the worker that needs it first.
pub(super) struct CacheIndex<'a> {
    cache: &'a Cache,
    suite: &'a Suite<'a>,
    /// One for each entry of the plan; entries of the same problem share theirs.
    cases: Vec<Arc<[CaseKey]>>,
    /// One for each entry of the plan. Looked for once; then there are some or none.
    results: Vec<Mutex<Option<SharedResults<'a>>>>,
}

type SharedResults<'a> = Option<Arc<CachedResults<'a>>>;

/// The key of a case, and what its files were when it was found; none if they cannot be read.
type CaseKey = OnceLock<Option<KnownCase>>;

/// The key of a case, and what each file was that it was made of.
type KnownCase = (CacheKey, Vec<(PathBuf, FileVersion)>);

/// What is known of one submission.
pub(super) struct CachedResults<'a> {
    entry: &'a PlanEntry,
    keys: Arc<[CaseKey]>,
    program_cache: ProgramCache<'a>,
    /// What source and checker were when the key was found, and whether they were still that when the programs had been made.
    sources: Vec<(PathBuf, FileVersion)>,
    is_of_sources: OnceLock<bool>,
    coverage_known: CacheCoverage,
}

/// How much of a submission's verdict is known.
enum CacheCoverage {
    /// All cases that will be told.
    All,
    /// This case settles it, and all before are known: the others need not be looked at. The trial is at hand, so that
    /// what was foreseen comes true.
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

    /// Keeps what a case came to after it was judged again.
    pub(super) fn keep(&self, case: PlannedCase, trial: &Trial) {
        if let Some(known) = self.results(case.entry) {
            known.keep(case.case, trial);
        }
    }

    /// Forgets what is known of a submission that is told.
    pub(super) fn clear(&self, entry: usize) {
        self.results[entry].lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// What is known of a submission. A second worker waits for the first.
    fn results(&self, entry: usize) -> SharedResults<'a> {
        let mut results = self.results[entry].lock().unwrap_or_else(PoisonError::into_inner);
        results.get_or_insert_with(|| self.look_up(entry).map(Arc::new)).clone()
    }

    /// None if it cannot be known what a program it is.
    fn look_up(&self, number: usize) -> Option<CachedResults<'a>> {
        let entry = &self.suite.plan.entries[number];
        // Where no program runs, looking it up would take as long as judging it.
        if entry.answers.is_some() || entry.language_refusal.is_some() || entry.refusal.is_some() {
            return None;
        }
        let mut hasher = self.cache.program();
        let sources = describe(&mut hasher, entry, self.suite.compiler)?;
        let program_cache = self.cache.program_cache(hasher.finish());
        let keys = Arc::clone(&self.cases[number]);
        let (is_of_sources, coverage_known) = (OnceLock::new(), CacheCoverage::NotAll);
        let known = CachedResults { entry, keys, program_cache, sources, is_of_sources, coverage_known };
        // Elsewhere a case that is not accepted does not settle all behind it.
        let one_settles =
            self.suite.stop_at_first && entry.promises.is_empty() && entry.problem.scoring.is_empty();
        let coverage_known = known.coverage(one_settles);
        Some(CachedResults { coverage_known, ..known })
    }
}

/// Everything that a submission's verdicts depend on, beside the cases.
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
    if !entry.further.is_empty() {
        let FurtherSources { files: further, start, constants } = &entry.further;
        let names: Vec<_> = further.iter().map(|file| &file.name).collect();
        hasher.add(format!("{:?} {names:?} {start:?} {constants:?}", submission.path.file_name()));
        files.extend(further.iter().map(|file| file.path.clone()));
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
        // A file that is included is known by its name.
        hasher.add(format!("{:?}", checker.further));
        files.extend(checker.further.files.iter().map(|file| file.path.clone()));
    }
    let version = |file: PathBuf| Some((file.clone(), hasher.add_file(&file).ok()?));
    files.into_iter().map(version).collect()
}

impl CachedResults<'_> {
    /// What came of a case at an earlier time.
    pub(super) fn of(&self, case: usize) -> Option<Trial> {
        match &self.coverage_known {
            CacheCoverage::SettledBy(settling, trial) if *settling == case => Some((**trial).clone()),
            _ => self.program_cache.find(&self.key(case)?.0),
        }
    }

    /// Whether a case will not be reported, because an earlier one is known to settle the submission.
    pub(super) fn is_settled_before(&self, case: usize) -> bool {
        matches!(&self.coverage_known, CacheCoverage::SettledBy(settling, _) if *settling < case)
    }

    /// Whether nothing has to be run.
    pub(super) fn is_enough(&self) -> bool {
        !matches!(self.coverage_known, CacheCoverage::NotAll)
    }

    /// Keeps what came of a case, unless the files are no longer those that it was looked up by. If they are, what was
    /// made and read of them meanwhile is the same as well.
    pub(super) fn keep(&self, case: usize, trial: &Trial) {
        let is_still = |path: &Path, stamp: FileVersion| FileVersion::now(path) == Some(stamp);
        let Some((key, files)) = self.key(case) else { return };
        // Of the sources there are copies by now, so they may change from the first time on.
        let is_of_sources = self
            .is_of_sources
            .get_or_init(|| self.sources.iter().all(|(path, version)| is_still(path, *version)));
        if *is_of_sources && files.iter().all(|(path, version)| is_still(path, *version)) {
            self.program_cache.keep(key, trial);
        }
    }

    fn coverage(&self, stop_at_first: bool) -> CacheCoverage {
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

/// A case by the bytes of its input and answer, by what it gives a submission besides, by what it is worth, of which a checker may
/// have its say, and by how it is judged where others are judged otherwise: what it is called and where it lies is nothing to a program.
fn key_of(case: &Case, problem: &Problem) -> io::Result<KnownCase> {
    let mut hasher = KeyHasher::of("case");
    if let Some(worth) = problem.scoring.worth_of(&case.name) {
        hasher.add(format!("{worth:?}"));
    }
    // Two cases may be alike but for how they are judged.
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
