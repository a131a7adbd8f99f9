//! Judges a case by running it. Compiles the submission first if no worker has. Knows neither the
//! cache nor whether the result is doubtful.

use std::sync::Arc;

use gridjudge_sandbox::{Fault, Sandbox};

use crate::compile::BuildResult;
use crate::model::{CheckerProgram, Job, JudgingPhase, PlannedCase, Trial};
use crate::run::prepared::compile_program;
use crate::run::{
    AnswersFailure, CaseOutcome, Judge, JudgingPrograms, PlannedAnswers, PlannedRefusal,
    PreparedProgram, PreparedSubmission, Suite, TranscribingSandbox,
};
use crate::trial::HandedInAnswer;
use crate::{compile, trial};

/// Judges cases by running them.
pub(super) struct PlainJudge<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: &'a [PreparedSubmission],
    /// Those of each entry.
    pub(super) programs: &'a [JudgingPrograms<PreparedProgram>],
    /// The sandbox for all runs, including those of compilers.
    pub(super) sandbox: &'a dyn Sandbox,
    /// The phase that progress displays show while a case is judged.
    pub(super) phase: fn(usize) -> JudgingPhase,
}

impl PlainJudge<'_> {
    fn compile(&self, entry: usize, sandbox: &dyn Sandbox) -> Result<BuildResult, Fault> {
        let Suite {
            plan,
            compiler,
            cache,
            activity,
            ..
        } = self.suite;
        let _busy = activity.begin(entry, JudgingPhase::Compiling);
        let planned = &plan.entries[entry];
        if let Some(refusal) = planned.language_refusal.clone() {
            return Ok(BuildResult::Unavailable(refusal));
        }
        compile_program(planned.program_source(), compiler, *cache, sandbox)
    }

    /// A judging program, compiled, if the problem has one. The error is the outcome of the cases
    /// that need it if it cannot be compiled.
    fn compiled(
        &self,
        program: &Option<Arc<PreparedProgram>>,
    ) -> Result<Option<Arc<CheckerProgram>>, CaseOutcome> {
        program
            .as_ref()
            .map(|program| program.compiled(self.suite, self.sandbox))
            .transpose()
    }

    /// Judges a submission that is a program: by a run, or by its source.
    fn judge_program(&self, planned_case: PlannedCase) -> Result<Trial, CaseOutcome> {
        let suite = self.suite;
        let PlannedCase { entry, case } = planned_case;
        let build =
            self.prepared[entry].compiled(self.sandbox, |sandbox| self.compile(entry, sandbox));
        let (program, folder) = CaseOutcome::or_program(&build)?;
        let heard = suite
            .options
            .interaction_display
            .map(|display| TranscribingSandbox {
                sandbox: self.sandbox,
                case: planned_case,
                display,
            });
        let sandbox = heard
            .as_ref()
            .map_or(self.sandbox, |heard| heard as &dyn Sandbox);
        let planned = &suite.plan.entries[entry];
        let begun = || suite.activity.begin(entry, (self.phase)(case));
        let case = &planned.cases[case];
        if let Some(task) = planned.problem.task_on(&case.name).static_validator()
            && let Some(validator) = self.compiled(&self.programs[entry].static_validator)?
        {
            let _busy = begun();
            let sources = planned.sources(program, folder.path());
            return trial::judge_sources(
                &planned.problem,
                case,
                task,
                &validator,
                &sources,
                sandbox,
            )
            .map_err(CaseOutcome::Faulted);
        }
        let checker = self.compiled(&self.programs[entry].checker)?;
        let _busy = begun();
        let job = Job {
            keeps_transcript: suite.options.keeps_transcripts,
            ..planned.job(case, program, checker)
        };
        let trial = trial::judge_job(&job, sandbox)
            .and_then(|trial| trial::with_points_at_the_limit(trial, &job, suite.sandbox))
            .map_err(CaseOutcome::Faulted)?;
        let stderr_tail = compile::without_folder(folder.path(), &trial.stderr_tail).into_bytes();
        Ok(Trial {
            stderr_tail,
            ..trial
        })
    }

    /// Judges a submission that consists of answers, on one case.
    fn judge_answer(
        &self,
        answers: &PlannedAnswers,
        PlannedCase { entry, case }: PlannedCase,
    ) -> Result<Trial, CaseOutcome> {
        let checker = self.compiled(&self.programs[entry].checker)?;
        let planned = &self.suite.plan.entries[entry];
        let _busy = self.suite.activity.begin(entry, (self.phase)(case));
        let answers = self.prepared[entry].answers(answers);
        let answers = match &*answers {
            Ok(answers) => answers,
            Err(AnswersFailure::Refused(refusal)) => return Err(refused(refusal)),
            Err(AnswersFailure::Faulted(fault)) => return Err(CaseOutcome::Faulted(fault.clone())),
        };
        let case = &planned.cases[case];
        let problem = &*planned.problem;
        let limits = &planned.limits();
        let checker = checker.as_deref();
        let answer = HandedInAnswer {
            problem,
            case,
            file: answers.to(&case.name),
            limits,
            checker,
        };
        trial::judge_answer(&answer, self.sandbox).map_err(CaseOutcome::Faulted)
    }
}

impl Judge for PlainJudge<'_> {
    fn recall(&self, _: PlannedCase) -> Option<Trial> {
        None
    }

    fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let planned = &self.suite.plan.entries[case.entry];
        if let Some(refusal) = &planned.refusal {
            return refused(refusal);
        }
        // An earlier case may have settled it since this step was handed out.
        if self.prepared[case.entry].is_settled(case.case) {
            return CaseOutcome::NotRun;
        }
        let judged = match &planned.answers {
            Some(answers) => self.judge_answer(answers, case),
            None => self.judge_program(case),
        };
        judged.map_or_else(
            |outcome| outcome,
            |trial| CaseOutcome::Judged(Box::new(trial)),
        )
    }
}

fn refused(refusal: &PlannedRefusal) -> CaseOutcome {
    let PlannedRefusal { reason, output } = refusal.clone();
    CaseOutcome::Refused { reason, output }
}
