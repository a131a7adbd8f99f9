//! Looks up a submission's trials in the cache before anything of it runs, and stores
//! new ones. The keys say which facts a verdict depends on, and the cache where trials
//! are stored.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::io;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use crate::cache::{Cache, CacheKey, KeyHasher, KeyWithFiles, ProgramCache};
use crate::compile::Compiler;
use crate::model::{
    Case, CaseSupply, FileStreams, JudgingProgramKind, PlannedCase, Problem, Trial,
};
use crate::run::{ByProgram, JudgingProgram, PlanEntry, Suite};

/// The cached results of the plan's submissions, and the cache keys of all cases. Each
/// is looked up or computed once, by the first worker that needs it.
pub(super) struct CacheIndex<'a> {
    /// `None` if cached trials are not used.
    cache: Option<&'a Cache>,
    suite: &'a Suite<'a>,
    /// One for each entry of the plan; entries of the same problem share theirs.
    cases: Vec<Arc<[LazyKey]>>,
    /// Those of the judging programs with their sources. That of a grader is not used:
    /// it runs in every suite.
    program_keys: ByProgram<LazyKey>,
    equal_entries: EqualEntries,
    /// One for each entry of the plan; `None` until it has been looked up.
    results: Vec<Mutex<Option<SharedResults<'a>>>>,
}

/// `None` if results of the submission are not cached.
type SharedResults<'a> = Option<Arc<CachedResults<'a>>>;

/// A key, once it has been computed; then `None` if one of its files cannot be read.
type LazyKey = OnceLock<Option<Arc<KeyWithFiles>>>;

/// The key of a submission's results, and everything that it was computed from.
struct EntryKey {
    program: CacheKey,
    /// The keys of the submission, its checker and its static validator with their
    /// sources, as far as it has them.
    sources: Vec<Arc<KeyWithFiles>>,
}

/// The cached results of one submission.
struct CachedResults<'a> {
    program_cache: ProgramCache<'a>,
    key: EntryKey,
}

impl<'a> CacheIndex<'a> {
    pub(super) fn new(suite: &'a Suite<'a>) -> Self {
        let entries = &suite.plan.entries;
        let mut shared = HashMap::new();
        let cases = entries.iter().map(|entry| {
            Arc::clone(shared.entry(Arc::as_ptr(&entry.cases)).or_insert_with(|| {
                entry.cases.iter().map(|_| LazyKey::new()).collect()
            }))
        });
        Self {
            cache: suite.compiler.cache.filter(|_| suite.options.recalls),
            suite,
            cases: cases.collect(),
            program_keys: ByProgram::for_entries(entries),
            equal_entries: EqualEntries::new(entries.iter().map(|entry| {
                let length = entry.submission.path.metadata().ok()?.len();
                let language = entry.language.as_ref();
                Some((length, language.map(|language| &*language.id)))
            })),
            results: entries.iter().map(|_| Mutex::default()).collect(),
        }
    }

    /// The last entry before this one that has the same program, problem and limits,
    /// and so the same results.
    pub(super) fn equal_before(&self, entry: usize) -> Option<usize> {
        self.equal_entries
            .before(entry, |entry| Some(self.key_of(entry)?.program))
    }

    /// The cached trial of a case.
    pub(super) fn trial(&self, case: PlannedCase) -> Option<Trial> {
        let results = self.results(case.entry)?;
        results.program_cache.find(&self.key_of_case(case)?.key)
    }

    /// Stores the trial of a case, unless a file has changed since its key was
    /// computed. If none has, whatever was compiled and read in the meantime belongs to
    /// the key too.
    pub(super) fn store(&self, case: PlannedCase, trial: &Trial) {
        if let Some(results) = self.results(case.entry)
            && let Some(known) = self.key_of_case(case)
            && results
                .key
                .sources
                .iter()
                .chain([known])
                .all(|key| key.is_current())
        {
            results.program_cache.store(&known.key, trial);
        }
    }

    /// Drops the results of a submission that has been reported from memory.
    pub(super) fn clear(&self, entry: usize) {
        self.results[entry].lock().take();
    }

    /// The cached results of a submission, looked up on the first call. A second worker
    /// waits for the first.
    fn results(&self, entry: usize) -> SharedResults<'a> {
        let mut results = self.results[entry].lock();
        results
            .get_or_insert_with(|| {
                let key = self.key_of(entry)?;
                let program_cache = self.cache?.program_cache(key.program);
                Some(Arc::new(CachedResults { program_cache, key }))
            })
            .clone()
    }

    fn key_of_case(
        &self,
        PlannedCase { entry, case }: PlannedCase,
    ) -> Option<&Arc<KeyWithFiles>> {
        let PlanEntry { cases, problem, .. } = &self.suite.plan.entries[entry];
        self.cases[entry][case]
            .get_or_init(|| of_case(&cases[case], problem).ok().map(Arc::new))
            .as_ref()
    }

    /// The key of the results of a submission. Returns `None` if they are never cached,
    /// or if it cannot be computed.
    fn key_of(&self, number: usize) -> Option<EntryKey> {
        let cache = self.cache?;
        let entry = &self.suite.plan.entries[number];
        let compiler = self.suite.compiler.compiler;
        // The keys of its checker and static validator are computed by the first entry
        // that has them, before it is judged, and so before they are compiled: if their
        // sources change later, all entries are still judged by the programs that these
        // keys describe. First of all, even if the submission itself is never cached: it
        // may be the one for which they are compiled.
        let checkers: Vec<_> = entry
            .programs
            .iter()
            .filter(|program| program.kind != JudgingProgramKind::Grader)
            .map(|checker| {
                let key = self.program_keys.of_program(checker);
                key.get_or_init(|| of_checker(checker, compiler, cache).map(Arc::new))
                    .clone()
            })
            .collect();
        // If no program runs, a lookup would take as long as judging.
        if entry.answers.is_some()
            || entry.language_refusal.is_some()
            || entry.refusal.is_some()
        {
            return None;
        }
        let mut sources = vec![Arc::new(of_submission(entry, compiler, cache)?)];
        for checker in checkers {
            sources.push(checker?);
        }
        let mut hasher = cache.program();
        for source in &sources {
            hasher.add(source.key.to_string());
        }
        Some(EntryKey {
            program: hasher.finish(),
            sources,
        })
    }
}

// The keys of cached trials: which facts a verdict depends on. Knows neither the cache
// nor when a key is computed.

/// The key of everything that a submission's verdicts depend on, except for its cases
/// and the programs of its problem. `None` if a file cannot be read or is too long, or
/// if the tools cannot be identified.
fn of_submission(
    entry: &PlanEntry,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose("submission");
    let problem = &entry.problem;
    let limits = entry.limits();
    hasher.add(problem.task.cache_key(&limits).ok()?);
    for (case, task) in &problem.case_tasks {
        hasher.add(case);
        hasher.add(task.cache_key(&limits).ok()?);
    }
    let program = compiler.program_key(entry.program_source(), cache)?;
    hasher.add(program.key.to_string());
    Some(KeyWithFiles {
        key: hasher.finish(),
        ..program
    })
}

/// The key of a checker and of the checkers that run after it. `None` as for
/// [`of_submission`].
fn of_checker(
    checker: &JudgingProgram,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose("checker");
    let mut files = Vec::new();
    let mut looked_at = Vec::new();
    for checker in checker.in_order() {
        hasher.add(checker.kind.name());
        let program = compiler.program_key(checker.program_source(), cache)?;
        hasher.add(program.key.to_string());
        files.extend(program.files);
        looked_at.extend(program.looked_at);
    }
    Some(KeyWithFiles {
        key: hasher.finish(),
        files,
        looked_at,
    })
}

/// Adds to a key everything that the times of these submissions of one problem depend
/// on besides the machine: their sources and compilers, the cases, and the programs of
/// the problem. What cannot be read or found is left out: such a submission is not
/// timed.
pub fn add_timed(
    hasher: &mut KeyHasher,
    entries: &[PlanEntry],
    compiler: &Compiler,
    cache: &Cache,
) {
    let mut add = |key: Option<KeyWithFiles>| {
        hasher.add(key.map_or_else(String::new, |found| found.key.to_string()));
    };
    for entry in entries {
        add(of_submission(entry, compiler, cache));
    }
    let Some(first) = entries.first() else { return };
    add(first
        .programs
        .checker
        .as_ref()
        .and_then(|checker| of_checker(checker, compiler, cache)));
    for case in first.cases.iter() {
        add(of_case(case, &first.problem).ok());
    }
}

/// Computes the key of a case from everything that its verdict depends on: the bytes of
/// input and answer, the arguments and files for the submission, the points (which a
/// checker is given), and its own task if it is judged differently. Name and path do
/// not count, because a program never sees them.
pub(crate) fn of_case(case: &Case, problem: &Problem) -> io::Result<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose("case");
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
    if let Some(CaseSupply {
        arguments,
        files: given,
    }) = problem.supplies.get(&case.name)
    {
        let names: Vec<_> = given.iter().map(|file| &file.name).collect();
        hasher.add(format!("{arguments:?} {names:?}"));
        files.extend(given.iter().map(|file| &file.path));
    }
    KeyWithFiles::with(hasher, files)
}

// Finds the entries of a plan that have the same results, because they have the same
// key. Keys are computed only of entries that may have the same one, each once, in the
// order of the plan. Knows nothing of what is in a key.

/// For each entry of a plan, those that may have the same key, if it may have one.
struct EqualEntries(Vec<Option<Arc<Mutex<SimilarEntries>>>>);

/// Entries that may have the same key.
#[derive(Default)]
struct SimilarEntries {
    /// Those whose key is not known yet.
    unknown: BTreeSet<usize>,
    /// The last entry with each key, of the others.
    last: HashMap<CacheKey, usize>,
    /// For each of them the one before it with the same key, if there is one.
    before: HashMap<usize, usize>,
}

impl EqualEntries {
    /// Entries may have the same key if they have the same of these facts.
    fn new<T: Hash + Eq>(facts: impl Iterator<Item = Option<T>>) -> Self {
        let mut by_fact = HashMap::<T, Arc<Mutex<SimilarEntries>>>::new();
        let similar = facts.enumerate().map(|(entry, fact)| {
            let similar = by_fact.entry(fact?).or_default();
            similar.lock().unknown.insert(entry);
            Some(Arc::clone(similar))
        });
        Self(similar.collect())
    }

    /// The last entry before this one that has the same key.
    fn before(
        &self,
        entry: usize,
        key_of: impl Fn(usize) -> Option<CacheKey>,
    ) -> Option<usize> {
        let similar = self.0[entry].as_ref()?;
        // No other entry has this one.
        if Arc::strong_count(similar) == 1 {
            return None;
        }
        let mut similar = similar.lock();
        while let Some(next) = similar.unknown.pop_first() {
            if next > entry {
                similar.unknown.insert(next);
                break;
            }
            let equal = key_of(next).and_then(|key| similar.last.insert(key, next));
            similar.before.extend(equal.map(|equal| (next, equal)));
        }
        similar.before.get(&entry).copied()
    }
}

#[cfg(test)]
mod equal_entries_tests {
    use std::cell::RefCell;

    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn each_entry_has_the_last_one_before_it_with_the_same_key() {
        let facts = ["x", "x", "y", "x", "z", "x", "y"];
        let names = [
            Some("a"),
            Some("b"),
            Some("a"),
            Some("a"),
            Some("c"),
            Some("a"),
            None,
        ];
        let asked = RefCell::new(Vec::new());
        let equal = EqualEntries::new(facts.into_iter().map(Some));
        let before = |entry: usize| {
            equal.before(entry, |entry| {
                asked.borrow_mut().push(entry);
                names[entry].map(|name| KeyHasher::for_purpose(name).finish())
            })
        };
        // Workers may ask in any order.
        assert_eq!(before(4), None);
        assert_eq!(before(5), Some(3));
        assert_eq!(
            [before(0), before(1), before(3), before(5)],
            [None, None, Some(0), Some(3)]
        );
        assert_eq!([before(2), before(6)], [None, None]);
        assert_eq!(asked.into_inner(), [0, 1, 3, 5, 2, 6]);
    }

    #[test]
    fn an_entry_without_facts_is_equal_to_none() {
        let equal = EqualEntries::new([Some(1), None, None, Some(1)].into_iter());
        let key_of = |_: usize| Some(KeyHasher::for_purpose("a").finish());
        assert_eq!(
            [0, 1, 2, 3].map(|entry| equal.before(entry, key_of)),
            [None, None, None, Some(0)]
        );
    }
}
