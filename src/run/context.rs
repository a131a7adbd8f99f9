//! The state that the workers of a suite share, and how they judge a case: first beside
//! others, and again alone if it is doubtful, because the machine may have influenced
//! the first verdict. The schedule decides when a case is judged again, and the model
//! which of its trials counts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gridjudge_sandbox::{Fault, Limits};

use crate::compile::PrepareFailure;
use crate::model::{JudgingPhase, PlannedCase, Trial};
use crate::run::{
    CacheIndex, CaseOutcome, JudgingPrograms, PlainJudge, PlanEntry, PreparedProgram,
    PreparedSubmission, Suite, catch_panic, prepared,
};

/// The state that workers share while they judge a plan.
pub(super) struct RunContext<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: Vec<PreparedSubmission>,
    /// Those of each entry.
    pub(super) programs: Vec<JudgingPrograms<PreparedProgram>>,
    pub(super) cache_index: Option<CacheIndex<'a>>,
    /// For each entry of the plan, why it is not judged, if that is because of its
    /// judging programs.
    unjudgeable: Vec<Option<PrepareFailure>>,
}

impl<'a> RunContext<'a> {
    pub(super) fn new(suite: &'a Suite<'a>) -> Self {
        Self {
            suite,
            prepared: suite
                .plan
                .entries
                .iter()
                .map(|_| PreparedSubmission::default())
                .collect(),
            programs: prepared::for_entries(&suite.plan.entries, PreparedProgram::new),
            cache_index: suite
                .compiler
                .cache
                .filter(|_| suite.options.recalls)
                .map(|cache| CacheIndex::new(cache, suite)),
            unjudgeable: Vec::new(),
        }
    }

    /// Compiles the judging programs that submissions will need, so that none is run in
    /// vain. Of one that does not compile, only the first submission tells everything.
    pub(super) fn prepare_programs(&mut self) {
        let needed = self.needed_programs();
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..self.suite.jobs.min(needed.len()) {
                scope.spawn(|| self.compile_each(&needed, &next));
            }
        });
        if self.suite.interrupted.load(Ordering::Relaxed) {
            return;
        }
        let mut told = HashMap::new();
        let entries = self.suite.plan.entries.iter().zip(&self.programs);
        let unjudgeable = entries.map(|(entry, programs)| {
            needed_by(entry, programs).find_map(|program| {
                let failure = program.failure()?;
                let program = Arc::as_ptr(program);
                let told_by = told.get(&program).copied();
                told.entry(program).or_insert(&entry.submission.name);
                Some(without_details(failure, told_by))
            })
        });
        self.unjudgeable = unjudgeable.collect();
    }

    /// Why a submission is not judged, if that is because of its judging programs.
    pub(super) fn unjudgeable(&self, entry: usize) -> Option<&PrepareFailure> {
        self.unjudgeable.get(entry)?.as_ref()
    }

    /// The judging programs to compile before anything is judged, each once, with the
    /// first entry that needs it. A result in the cache shows that the checker and the
    /// static validator compile; a grader has no part in it.
    fn needed_programs(&self) -> Vec<(usize, &PreparedProgram)> {
        let mut known = HashSet::new();
        let mut needed = Vec::new();
        let entries = self.suite.plan.entries.iter().zip(&self.programs);
        for (number, (entry, programs)) in entries.enumerate() {
            let new: Vec<_> = needed_by(entry, programs)
                .filter(|program| known.insert(Arc::as_ptr(program)))
                .collect();
            let is_cached = !new.is_empty()
                && self
                    .cache_index
                    .as_ref()
                    .and_then(|index| {
                        index.trial(PlannedCase {
                            entry: number,
                            case: 0,
                        })
                    })
                    .is_some();
            let unproven = new.into_iter().filter(|program| {
                let grader = programs.grader.as_ref();
                !is_cached || grader.is_some_and(|grader| Arc::ptr_eq(grader, program))
            });
            needed.extend(unproven.map(|program| (number, &**program)));
        }
        needed
    }

    /// Compiles programs as one of several workers, until there are none left.
    fn compile_each(&self, programs: &[(usize, &PreparedProgram)], next: &AtomicUsize) {
        let suite = self.suite;
        while let Some((entry, program)) =
            programs.get(next.fetch_add(1, Ordering::Relaxed))
        {
            if suite.interrupted.load(Ordering::Relaxed) || (suite.is_expired)() {
                return;
            }
            let _busy = suite.activity.begin(*entry, JudgingPhase::Compiling);
            // A failure is kept in the program.
            catch_panic(|| {
                let _ = program.compiled(suite.compiler);
                CaseOutcome::NotRun
            });
        }
    }

    /// Judges a case for the first time, beside others.
    pub(super) fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let plain = self.plain(Limits::for_first_run, JudgingPhase::Judging);
        let outcome = plain.judge(case);
        // Neither faults are stored, nor trials of cases that will be judged again.
        if let CaseOutcome::Judged(trial) = &outcome
            && let Some(index) = &self.cache_index
            && !self.suite.plan.entries[case.entry].is_doubtful(trial)
        {
            index.store(case, trial);
        }
        outcome
    }

    /// Returns the outcome of a case, after judging it again while nothing else begins,
    /// because its `first` trial is doubtful. An uncertain result, such as slightly too
    /// slow in all runs, is reported but not cached: the next time it may be fast
    /// enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: Trial) -> CaseOutcome {
        let alone = self.plain(Limits::for_run_alone, JudgingPhase::JudgingAgain);
        let limits = self.suite.plan.entries[case.entry].limits();
        let settled =
            first.settled(&limits, || match catch_panic(|| alone.judge(case)) {
                CaseOutcome::Judged(again) => Ok(*again),
                other => Err(other),
            });
        match settled {
            Ok((trial, is_certain)) => {
                if let Some(index) = self.cache_index.as_ref().filter(|_| is_certain) {
                    index.store(case, &trial);
                }
                CaseOutcome::Judged(Box::new(trial))
            }
            Err(other) => other,
        }
    }

    fn plain<'c>(
        &'c self,
        slack: fn(&Limits) -> Limits,
        phase: fn(usize) -> JudgingPhase,
    ) -> PlainJudge<'c> {
        let Self {
            suite,
            prepared,
            programs,
            ..
        } = self;
        PlainJudge {
            suite,
            prepared,
            programs,
            slack,
            phase,
        }
    }
}

/// Why a judging program cannot be used, without what another submission may have told
/// already.
fn without_details(
    failure: PrepareFailure,
    told_by: Option<&String>,
) -> PrepareFailure {
    match (failure, told_by) {
        (PrepareFailure::Faulted(fault), Some(other)) => {
            Fault::because(fault.doing, format!("failed, see {other}")).into()
        }
        (failure, _) => failure,
    }
}

/// The judging programs that a submission needs to be judged.
fn needed_by<'p>(
    entry: &PlanEntry,
    programs: &'p JudgingPrograms<PreparedProgram>,
) -> impl Iterator<Item = &'p Arc<PreparedProgram>> {
    let is_judged = !entry.cases.is_empty()
        && entry.language_refusal.is_none()
        && entry.refusal.is_none();
    let static_validator = programs
        .static_validator
        .as_ref()
        .filter(|_| entry.judges_source());
    [&programs.checker, &programs.grader]
        .into_iter()
        .flatten()
        .chain(static_validator)
        .filter(move |_| is_judged)
}
