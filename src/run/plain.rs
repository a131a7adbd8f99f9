//! Judges a case by running it. Compiles the submission first if no worker has. Knows neither the cache nor
//! whether the result is doubtful.

use std::sync::Arc;

use crate::compile;
use crate::compile::BuildFolder;
use crate::compile::BuildResult;
use crate::model::CheckerProgram;
use crate::model::Job;
use crate::model::JudgingPhase;
use crate::model::PlannedCase;
use crate::model::Program;
use crate::model::Trial;
use crate::run::judge::Judge;
use crate::run::language_check;
use crate::run::plan::PlannedChecker;
use crate::run::planned_answers::AnswersFailure;
use crate::run::planned_answers::PlannedAnswers;
use crate::run::planned_refusal::PlannedRefusal;
use crate::run::prepared::PreparedSubmission;
use crate::run::prepared_checker::PreparedChecker;
use crate::run::suite::Suite;
use crate::run::task_outcome::TaskOutcome;
use crate::run::transcribing_sandbox::TranscribingSandbox;
use crate::trial;
use crate::trial::HandedInAnswer;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Sandbox;

/// Judges cases by running them.
pub(super) struct PlainJudge<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: &'a [PreparedSubmission],
    /// One for each entry; `None` if no program judges outputs.
    pub(super) checkers: &'a [Option<Arc<PreparedChecker>>],
    /// One for each entry; `None` if no program judges sources.
    pub(super) static_validators: &'a [Option<Arc<PreparedChecker>>],
    /// The sandbox for all runs, including those of compilers.
    pub(super) sandbox: &'a dyn Sandbox,
    /// The phase that progress displays show while a case is judged.
    pub(super) phase: fn(usize) -> JudgingPhase,
}

impl PlainJudge<'_> {
    fn make(&self, entry: usize) -> Result<BuildResult, Fault> {
        let Suite { plan, compiler, language_cache, activity, .. } = self.suite;
        let _busy = activity.begin(entry, JudgingPhase::Compiling);
        language_check::make(&plan.entries[entry], compiler, *language_cache, self.sandbox)
    }

    /// The compiled checker of an entry, if it has one. The error is the outcome of its cases if it cannot be
    /// compiled.
    fn checker(&self, entry: usize) -> Result<Option<Arc<CheckerProgram>>, TaskOutcome> {
        self.compiled(&self.suite.plan.entries[entry].checker, &self.checkers[entry])
    }

    /// Like [`checker`](Self::checker), for the program that judges sources.
    fn static_validator(&self, entry: usize) -> Result<Option<Arc<CheckerProgram>>, TaskOutcome> {
        self.compiled(&self.suite.plan.entries[entry].static_validator, &self.static_validators[entry])
    }

    fn compiled(
        &self,
        planned: &Option<Arc<PlannedChecker>>,
        prepared: &Option<Arc<PreparedChecker>>,
    ) -> Result<Option<Arc<CheckerProgram>>, TaskOutcome> {
        let both = planned.as_ref().zip(prepared.as_ref());
        both.map(|(planned, prepared)| prepared.make_ready(planned, self.suite, self.sandbox)).transpose()
    }

    /// Judges a submission that was compiled in a folder: by a run, or by its source.
    fn judge_program(
        &self,
        PlannedCase { entry, case }: PlannedCase,
        program: &Program,
        folder: &BuildFolder,
        sandbox: &dyn Sandbox,
    ) -> Result<Trial, TaskOutcome> {
        let (suite, planned) = (self.suite, &self.suite.plan.entries[entry]);
        let begun = || suite.activity.begin(entry, (self.phase)(case));
        let case = &planned.cases[case];
        if let Some(task) = planned.problem.task_on(&case.name).static_validator()
            && let Some(validator) = self.static_validator(entry)?
        {
            let _busy = begun();
            let sources = planned.sources(program, folder.path());
            return trial::judge_sources(&planned.problem, case, task, &validator, &sources, sandbox)
                .map_err(TaskOutcome::Faulted);
        }
        let checker = self.checker(entry)?;
        let _busy = begun();
        let job = Job { keeps_transcript: suite.keeps_transcripts, ..planned.job(case, program, checker) };
        let trial = trial::judge_job(&job, sandbox).map_err(TaskOutcome::Faulted)?;
        let stderr_tail = compile::without_folder(folder.path(), &trial.stderr_tail).into_bytes();
        Ok(Trial { stderr_tail, ..trial })
    }

    /// Judges a submission that consists of answers, on one case.
    fn judge_answer(
        &self,
        answers: &PlannedAnswers,
        PlannedCase { entry, case }: PlannedCase,
    ) -> TaskOutcome {
        if self.prepared[entry].is_settled(case) {
            return TaskOutcome::NotRun;
        }
        let checker = match self.checker(entry) {
            Ok(checker) => checker,
            Err(outcome) => return outcome,
        };
        let planned = &self.suite.plan.entries[entry];
        let _busy = self.suite.activity.begin(entry, (self.phase)(case));
        let answers = self.prepared[entry].answers(answers);
        let answers = match &*answers {
            Ok(answers) => answers,
            Err(AnswersFailure::Refused(refusal)) => return refused(refusal),
            Err(AnswersFailure::Faulted(fault)) => return TaskOutcome::Faulted(fault.clone()),
        };
        let case = &planned.cases[case];
        let (problem, limits, checker) = (&*planned.problem, &planned.limits(), checker.as_deref());
        let answer = HandedInAnswer { problem, case, file: answers.to(&case.name), limits, checker };
        match trial::judge_answer(&answer, self.sandbox) {
            Ok(trial) => TaskOutcome::Judged(Box::new(trial)),
            Err(fault) => TaskOutcome::Faulted(fault),
        }
    }
}

impl Judge for PlainJudge<'_> {
    fn prepare(&self, entry: usize) {
        let planned = &self.suite.plan.entries[entry];
        if planned.refusal.is_some() {
            return;
        }
        if planned.answers.is_none() {
            self.prepared[entry].make_ready(|| self.make(entry));
        }
        // An error is reported with the first case that needs the program.
        let _ = self.checker(entry);
        let _ = self.static_validator(entry);
    }

    fn judge(&self, PlannedCase { entry, case }: PlannedCase) -> TaskOutcome {
        let planned = &self.suite.plan.entries[entry];
        if let Some(refusal) = &planned.refusal {
            return refused(refusal);
        }
        if let Some(answers) = &planned.answers {
            return self.judge_answer(answers, PlannedCase { entry, case });
        }
        let heard = self.suite.interaction_display.map(|display| TranscribingSandbox {
            sandbox: self.sandbox,
            case: PlannedCase { entry, case },
            display,
        });
        let sandbox = heard.as_ref().map_or(self.sandbox, |heard| heard as &dyn Sandbox);
        let case = PlannedCase { entry, case };
        self.prepared[entry].judge(
            case.case,
            || self.make(entry),
            |program, folder| match self.judge_program(case, program, folder, sandbox) {
                Ok(trial) => TaskOutcome::Judged(Box::new(trial)),
                Err(outcome) => outcome,
            },
        )
    }
}

fn refused(refusal: &PlannedRefusal) -> TaskOutcome {
    let PlannedRefusal { reason, output } = refusal.clone();
    TaskOutcome::Refused { reason, output }
}
