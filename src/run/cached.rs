//! Looks up a submission's trials in the cache before anything of it runs, and stores
//! new ones. The keys say which facts a verdict depends on, and the cache where trials
//! are stored.

use std::collections::HashMap;
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
    equal_entries: Mutex<EqualEntries>,
    /// One for each entry of the plan; `None` until its key has been computed.
    results: Vec<Mutex<Option<SharedResults<'a>>>>,
}

/// `None` if results of the submission are not cached.
type SharedResults<'a> = Option<Arc<CachedResults<'a>>>;

/// A key, once it has been computed; then `None` if one of its files cannot be read.
type LazyKey = OnceLock<Option<KeyWithFiles>>;

/// The cached results of one submission.
struct CachedResults<'a> {
    /// That of the submission, its checker and its static validator, as far as it has
    /// them.
    key: KeyWithFiles,
    cache: &'a Cache,
    opened: OnceLock<ProgramCache<'a>>,
}

impl<'a> CachedResults<'a> {
    /// The stored trials, read by the first call: after all that the submission waits
    /// for.
    fn stored(&self) -> &ProgramCache<'a> {
        self.opened
            .get_or_init(|| self.cache.program_cache(self.key.key))
    }
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
            equal_entries: Mutex::default(),
            results: entries.iter().map(|_| Mutex::default()).collect(),
        }
    }

    /// The last entry before this one that has the same program, problem and limits,
    /// and so the same results.
    pub(super) fn equal_before(&self, entry: usize) -> Option<usize> {
        // Before the others are looked at, so that workers compute keys side by side.
        self.results(entry)?;
        self.equal_entries
            .lock()
            .before(entry, |entry| Some(self.results(entry)?.key.key))
    }

    /// The cached trial of a case.
    pub(super) fn trial(&self, case: PlannedCase) -> Option<Trial> {
        let results = self.results(case.entry)?;
        results.stored().find(&self.key_of_case(case)?.key)
    }

    /// Stores the trial of a case, unless a file has changed since its key was
    /// computed. If none has, whatever was compiled and read in the meantime belongs to
    /// the key too.
    pub(super) fn store(&self, case: PlannedCase, trial: &Trial) {
        if let Some(results) = self.results(case.entry)
            && let Some(known) = self.key_of_case(case)
            && results.key.is_current()
            && known.is_current()
        {
            results.stored().store(&known.key, trial);
        }
    }

    /// Drops the results of a submission that has been reported from memory.
    pub(super) fn clear(&self, entry: usize) {
        self.results[entry].lock().take();
    }

    /// The cached results of a submission. Its key is computed by the first call; a
    /// second worker waits for the first.
    fn results(&self, entry: usize) -> SharedResults<'a> {
        let mut results = self.results[entry].lock();
        results
            .get_or_insert_with(|| {
                let results = CachedResults {
                    key: self.key_of(entry)?,
                    cache: self.cache?,
                    opened: OnceLock::new(),
                };
                Some(Arc::new(results))
            })
            .clone()
    }

    fn key_of_case(
        &self,
        PlannedCase { entry, case }: PlannedCase,
    ) -> Option<&KeyWithFiles> {
        let PlanEntry { cases, problem, .. } = &self.suite.plan.entries[entry];
        self.cases[entry][case]
            .get_or_init(|| of_case(&cases[case], problem).ok())
            .as_ref()
    }

    /// The key of the results of a submission. Returns `None` if they are never cached,
    /// or if it cannot be computed.
    fn key_of(&self, number: usize) -> Option<KeyWithFiles> {
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
                key.get_or_init(|| of_checker(checker, compiler, cache))
                    .as_ref()
            })
            .collect();
        // If no program runs, a lookup would take as long as judging.
        if entry.cases.is_empty()
            || entry.answers.is_some()
            || entry.language_refusal.is_some()
            || entry.refusal.is_some()
        {
            return None;
        }
        let mut hasher = cache.program();
        hasher.add_key("submission", &of_submission(entry, compiler, cache)?);
        for checker in checkers {
            hasher.add_key("checker", checker?);
        }
        Some(hasher.finish_with_files())
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
    hasher.add_key("program", &program);
    Some(hasher.finish_with_files())
}

/// The key of a checker and of the checkers that run after it. `None` as for
/// [`of_submission`].
fn of_checker(
    checker: &JudgingProgram,
    compiler: &Compiler,
    cache: &Cache,
) -> Option<KeyWithFiles> {
    let mut hasher = KeyHasher::for_purpose("checker");
    for checker in checker.in_order() {
        let program = compiler.program_key(checker.program_source(), cache)?;
        hasher.add_key(checker.kind.name(), &program);
    }
    Some(hasher.finish_with_files())
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
    hasher.add_files([&case.input, &case.answer])?;
    if let Some(CaseSupply {
        arguments,
        files: given,
    }) = problem.supplies.get(&case.name)
    {
        let names: Vec<_> = given.iter().map(|file| &file.name).collect();
        hasher.add(format!("{arguments:?} {names:?}"));
        hasher.add_files(given.iter().map(|file| &file.path))?;
    }
    Ok(hasher.finish_with_files())
}

// Finds the entries of a plan that have the same results, because they have the same
// key. Each key is asked for once, in the order of the plan. Knows nothing of what is in
// a key.

/// Entries with the same key, as far as they have been asked for.
#[derive(Default)]
struct EqualEntries {
    /// The number of entries whose keys are known.
    known: usize,
    /// The last of them with each key.
    last: HashMap<CacheKey, usize>,
    /// For each of them the one before it with the same key, if there is one.
    before: HashMap<usize, usize>,
}

impl EqualEntries {
    /// The last entry before this one that has the same key.
    fn before(
        &mut self,
        entry: usize,
        mut key_of: impl FnMut(usize) -> Option<CacheKey>,
    ) -> Option<usize> {
        for next in self.known..=entry {
            let equal = key_of(next).and_then(|key| self.last.insert(key, next));
            self.before.extend(equal.map(|equal| (next, equal)));
            self.known = next + 1;
        }
        self.before.get(&entry).copied()
    }
}

#[cfg(test)]
mod equal_entries_tests {
    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn each_entry_has_the_last_one_before_it_with_the_same_key() {
        let names = [
            Some("a"),
            Some("b"),
            Some("c"),
            Some("a"),
            None,
            Some("a"),
            None,
        ];
        let mut asked = vec![];
        let mut equal = EqualEntries::default();
        let mut before = |entry: usize| {
            equal.before(entry, |entry| {
                asked.push(entry);
                names[entry].map(|name| KeyHasher::for_purpose(name).finish())
            })
        };
        // Workers may ask in any order.
        assert_eq!(before(5), Some(3));
        assert_eq!(
            [0, 1, 2, 3, 4, 5].map(&mut before),
            [None, None, None, Some(0), None, Some(3)]
        );
        assert_eq!(before(6), None);
        assert_eq!(asked, [0, 1, 2, 3, 4, 5, 6]);
    }
}
