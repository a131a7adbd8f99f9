//! The state that the workers of a suite share, how they compile the programs that judge
//! before anything is judged, and how these grade groups of cases.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use gridjudge_sandbox::Fault;

use crate::compile::PrepareFailure;
use crate::model::{JudgingPhase, JudgingProgramKind, PlannedCase};
use crate::run::{
    ByProgram, CacheIndex, CaseOutcome, GroupGrader, JudgingProgram, PlanEntry,
    PreparedProgram, PreparedSubmission, Suite, catch_panic, identity,
};
use crate::trial::GraderCall;

/// The state that workers share while they judge a plan.
pub(super) struct RunContext<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: Vec<PreparedSubmission>,
    pub(super) programs: ByProgram<PreparedProgram>,
    pub(super) cache_index: CacheIndex<'a>,
    /// For each entry of the plan, why it is not judged, if that is because of its
    /// judging programs. Empty until they have been compiled.
    pub(super) unjudgeable: Vec<Option<PrepareFailure>>,
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
            programs: ByProgram::for_entries(&suite.plan.entries),
            cache_index: CacheIndex::new(suite),
            unjudgeable: vec![],
        }
    }

    /// Compiles the judging programs that submissions will need, so that none is run in
    /// vain. Of one that does not compile, only the first submission tells everything.
    pub(super) fn prepare_programs(&mut self) {
        let needed = self.needed_programs();
        let next = AtomicUsize::new(0);
        let suite = self.suite;
        thread::scope(|scope| {
            for _ in 0..suite.jobs.min(needed.len()) {
                scope.spawn(|| {
                    while let Some((entry, program)) =
                        needed.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        if suite.is_interrupted() || (suite.is_expired)() {
                            return;
                        }
                        let _busy =
                            suite.activity.begin(*entry, JudgingPhase::Compiling);
                        // A failure is kept in the program.
                        catch_panic(|| {
                            let _ = self.programs.compiled(program, suite.compiler);
                            CaseOutcome::NotRun
                        });
                    }
                });
            }
        });
        if suite.is_interrupted() {
            return;
        }
        let mut told = HashMap::new();
        let unjudgeable = suite.plan.entries.iter().map(|entry| {
            needed_by(entry).find_map(|program| {
                let failure = self.programs.failure(program)?;
                let program = identity(program);
                let told_by = told.get(&program).copied();
                told.entry(program).or_insert(&entry.submission.name);
                Some(match (failure, told_by) {
                    (PrepareFailure::Faulted(fault), Some(other)) => {
                        let cause = format!("failed, see {other}");
                        Fault::because(fault.doing, cause).into()
                    }
                    (failure, _) => failure,
                })
            })
        });
        self.unjudgeable = unjudgeable.collect();
    }

    /// The grader for a submission, by its place in the plan; `None` if no program
    /// grades.
    pub(super) fn group_grader(&self, entry: usize) -> Option<Box<GroupGrader<'_>>> {
        let planned = &self.suite.plan.entries[entry];
        let grader = planned.problem.scoring.grader.as_ref()?;
        let prepared = planned.programs.grader.as_ref()?;
        let compiler = self.suite.compiler;
        Some(Box::new(move |group, results| {
            let program = self
                .programs
                .compiled(prepared, compiler)
                .map_err(|failure| failure.into_fault("preparing the grader"))?;
            GraderCall {
                grader,
                program: &program,
                group,
            }
            .ask(results, compiler.sandbox)
        }))
    }

    /// The judging programs to compile before anything is judged, each once, with the
    /// first entry that needs it. A result in the cache shows that the checker and the
    /// static validator compile; a grader has no part in it.
    fn needed_programs(&self) -> Vec<(usize, &'a Arc<JudgingProgram>)> {
        let mut known = HashSet::new();
        let mut needed = vec![];
        for (number, entry) in self.suite.plan.entries.iter().enumerate() {
            let new: Vec<_> = needed_by(entry)
                .filter(|program| known.insert(identity(program)))
                .collect();
            let first = PlannedCase {
                entry: number,
                case: 0,
            };
            let is_cached =
                !new.is_empty() && self.cache_index.trial(first).is_some();
            let unproven = new.into_iter().filter(|program| {
                !is_cached || program.kind == JudgingProgramKind::Grader
            });
            needed.extend(unproven.map(|program| (number, program)));
        }
        needed
    }
}

/// The judging programs that a submission needs to be judged.
fn needed_by(entry: &PlanEntry) -> impl Iterator<Item = &Arc<JudgingProgram>> {
    let is_judged = !entry.cases.is_empty()
        && entry.language_refusal.is_none()
        && entry.refusal.is_none();
    entry.programs.iter().filter(move |program| {
        let is_used = program.kind != JudgingProgramKind::StaticValidator
            || entry.judges_source();
        is_judged && is_used
    })
}
