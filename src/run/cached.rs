//! Looks up a submission's trials in the cache before anything of it runs, and stores new ones. The
//! keys say which facts a verdict depends on, the cache where trials are stored, and the wrapped
//! judge how the missing ones are judged.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::cache::{Cache, CacheKey, KeyWithFiles, ProgramCache};
use crate::model::{PlannedCase, Trial};
use crate::run::case_outcome::CaseOutcome;
use crate::run::equal_entries::EqualEntries;
use crate::run::judge::Judge;
use crate::run::plan::PlanEntry;
use crate::run::suite::Suite;
use crate::run::{cache_keys, prepared_checker};

/// Judges only cases whose trials are not cached.
pub(super) struct CachedJudge<'a, 'c, J> {
    pub(super) index: &'a CacheIndex<'c>,
    /// Judges the cases that are not cached.
    pub(super) judge: J,
}

impl<J: Judge> Judge for CachedJudge<'_, '_, J> {
    fn recall(&self, case: PlannedCase) -> Option<Trial> {
        self.index.results(case.entry)?.of(case.case)
    }

    fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let outcome = self.judge.judge(case);
        // Neither faults are stored, nor trials of cases that will be judged again.
        if let CaseOutcome::Judged(trial) = &outcome
            && let Some(known) = self.index.results(case.entry)
            && !known.entry.is_doubtful(trial)
        {
            known.store(case.case, trial);
        }
        outcome
    }
}

/// The cached results of the plan's submissions, and the cache keys of all cases. Each is looked up
/// or computed once, by the first worker that needs it.
pub(super) struct CacheIndex<'a> {
    cache: &'a Cache,
    suite: &'a Suite<'a>,
    /// One for each entry of the plan; entries of the same problem share theirs.
    cases: Vec<Arc<[LazyKey]>>,
    /// For each entry of the plan, those of its checker and of its static validator; `None` if it
    /// has none.
    checkers: [Vec<Option<Arc<LazyKey>>>; 2],
    equal_entries: EqualEntries,
    /// One for each entry of the plan; `None` until it has been looked up.
    results: Vec<Mutex<Option<SharedResults<'a>>>>,
}

/// `None` if results of the submission are not cached.
type SharedResults<'a> = Option<Arc<CachedResults<'a>>>;

/// A key, once it has been computed; then `None` if one of its files cannot be read.
type LazyKey = OnceLock<Option<KeyWithFiles>>;

/// The key of a submission's results, and everything that it was computed from.
struct EntryKey {
    program: CacheKey,
    /// The submission with its sources.
    submission: KeyWithFiles,
    /// Its checker and static validator with their sources, as far as it has them.
    checkers: Vec<Arc<LazyKey>>,
}

/// The cached results of one submission.
pub(super) struct CachedResults<'a> {
    entry: &'a PlanEntry,
    keys: Arc<[LazyKey]>,
    program_cache: ProgramCache<'a>,
    /// The submission with its sources.
    submission: KeyWithFiles,
    /// Its checker and static validator with their sources, as far as it has them.
    checkers: Vec<Arc<LazyKey>>,
}

impl<'a> CacheIndex<'a> {
    pub(super) fn new(cache: &'a Cache, suite: &'a Suite<'a>) -> Self {
        let entries = &suite.plan.entries;
        let mut shared = HashMap::new();
        let cases = entries.iter().map(|entry| {
            Arc::clone(
                shared
                    .entry(Arc::as_ptr(&entry.cases))
                    .or_insert_with(|| entry.cases.iter().map(|_| LazyKey::new()).collect()),
            )
        });
        let cases = cases.collect();
        let checkers = [
            prepared_checker::for_entries(entries, |entry| entry.checker.as_ref()),
            prepared_checker::for_entries(entries, |entry| entry.static_validator.as_ref()),
        ];
        Self {
            cache,
            suite,
            cases,
            checkers,
            equal_entries: EqualEntries::new(entries.iter().map(|entry| {
                let length = entry.submission.path.metadata().ok()?.len();
                Some((length, entry.language.as_ref().map(|language| &language.id)))
            })),
            results: entries.iter().map(|_| Mutex::default()).collect(),
        }
    }

    /// The last entry before this one that has the same program, problem and limits, and so the
    /// same results.
    pub(super) fn equal_before(&self, entry: usize) -> Option<usize> {
        self.equal_entries
            .before(entry, |entry| Some(self.key_of(entry)?.program))
    }

    /// Stores the trial of a case that was judged again.
    pub(super) fn store(&self, case: PlannedCase, trial: &Trial) {
        if let Some(known) = self.results(case.entry) {
            known.store(case.case, trial);
        }
    }

    /// Drops the results of a submission that has been reported from memory.
    pub(super) fn clear(&self, entry: usize) {
        self.results[entry]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
    }

    /// The cached results of a submission, looked up on the first call. A second worker waits for
    /// the first.
    fn results(&self, entry: usize) -> SharedResults<'a> {
        let mut results = self.results[entry]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        results
            .get_or_insert_with(|| self.look_up(entry).map(Arc::new))
            .clone()
    }

    fn look_up(&self, number: usize) -> Option<CachedResults<'a>> {
        let EntryKey {
            program,
            submission,
            checkers,
        } = self.key_of(number)?;
        let program_cache = self.cache.program_cache(program);
        let keys = Arc::clone(&self.cases[number]);
        let entry = &self.suite.plan.entries[number];
        Some(CachedResults {
            entry,
            keys,
            program_cache,
            submission,
            checkers,
        })
    }

    /// The key of the results of a submission. Returns `None` if they are never cached, or if it
    /// cannot be computed.
    fn key_of(&self, number: usize) -> Option<EntryKey> {
        let entry = &self.suite.plan.entries[number];
        // First of all, even if the submission itself is never cached: it may be the one for which
        // they are compiled.
        let checkers = self.checkers_of(number);
        // If no program runs, a lookup would take as long as judging.
        if entry.answers.is_some() || entry.language_refusal.is_some() || entry.refusal.is_some() {
            return None;
        }
        let submission = cache_keys::of_submission(entry, self.suite.compiler, self.cache)?;
        let mut hasher = self.cache.program();
        hasher.add(submission.key.to_string());
        for checker in &checkers {
            hasher.add(checker.get()?.as_ref()?.key.to_string());
        }
        Some(EntryKey {
            program: hasher.finish(),
            submission,
            checkers,
        })
    }

    /// The keys of an entry's checker and static validator. They are computed by the first entry
    /// that has them, before it is judged, and so before they are compiled: if their sources change
    /// later, all entries are still judged by the programs that these keys describe.
    fn checkers_of(&self, number: usize) -> Vec<Arc<LazyKey>> {
        let entry = &self.suite.plan.entries[number];
        let planned = [&entry.checker, &entry.static_validator];
        let with_key = planned.into_iter().zip(&self.checkers);
        let with_key =
            with_key.filter_map(|(planned, keys)| planned.as_ref().zip(keys[number].as_ref()));
        let computed = with_key.map(|(planned, key)| {
            key.get_or_init(|| cache_keys::of_checker(planned, self.suite.compiler, self.cache));
            Arc::clone(key)
        });
        computed.collect()
    }
}

impl CachedResults<'_> {
    /// The cached trial of a case.
    fn of(&self, case: usize) -> Option<Trial> {
        self.program_cache.find(&self.key(case)?.key)
    }

    /// Stores the trial of a case, unless a file has changed since its key was computed. If none
    /// has, whatever was compiled and read in the meantime belongs to the key too.
    fn store(&self, case: usize, trial: &Trial) {
        let Some(key) = self.key(case) else { return };
        let checkers = self
            .checkers
            .iter()
            .filter_map(|checker| checker.get()?.as_ref());
        if checkers
            .chain([&self.submission, key])
            .all(KeyWithFiles::is_current)
        {
            self.program_cache.store(&key.key, trial);
        }
    }

    fn key(&self, case: usize) -> Option<&KeyWithFiles> {
        let PlanEntry { cases, problem, .. } = self.entry;
        self.keys[case]
            .get_or_init(|| cache_keys::of_case(&cases[case], problem).ok())
            .as_ref()
    }
}
