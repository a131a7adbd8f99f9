//! Judges a case by running it. Compiles the submission first if no worker has, and
//! passes an interaction to a display while it goes on. Knows neither the cache nor
//! whether the result is doubtful, nor how an interaction is shown.

use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Interaction, InteractionListener, InteractionRequest, Launch, Limits, Party,
    Role, Run, Sandbox, Side, StopSwitch,
};

use crate::compile::{self, BuiltProgram, CachedCompiler, PrepareFailure};
use crate::model::{
    CheckerProgram, InteractionDisplay, Job, JudgingPhase, PlannedCase, Trial,
};
use crate::run::prepared::ByProgram;
use crate::run::{
    CaseOutcome, JudgingProgram, PlannedAnswers, PreparedProgram, PreparedSubmission,
    Suite,
};
use crate::trial::{self, TranscriptRecorder};

/// Judges cases by running them.
pub(super) struct PlainJudge<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: &'a [PreparedSubmission],
    pub(super) programs: &'a ByProgram<PreparedProgram>,
    /// Extends the limits of submissions.
    pub(super) slack: fn(&Limits) -> Limits,
    /// The phase that progress displays show while a case is judged.
    pub(super) phase: fn(usize) -> JudgingPhase,
}

impl PlainJudge<'_> {
    fn compile(
        &self,
        entry: usize,
        sandbox: &dyn Sandbox,
    ) -> Result<BuiltProgram, PrepareFailure> {
        let suite = self.suite;
        let _busy = suite.activity.begin(entry, JudgingPhase::Compiling);
        let planned = &suite.plan.entries[entry];
        if let Some(refusal) = planned.language_refusal.clone() {
            return Err(PrepareFailure::Unavailable(refusal));
        }
        let compiler = CachedCompiler {
            sandbox,
            ..suite.compiler
        };
        compiler.compile_program(planned.program_source())
    }

    /// A judging program, compiled, if the problem has one.
    fn compiled(
        &self,
        program: &Option<Arc<JudgingProgram>>,
    ) -> Result<Option<Arc<CheckerProgram>>, PrepareFailure> {
        program
            .as_ref()
            .map(|program| self.programs.compiled(program, self.suite.compiler))
            .transpose()
    }

    /// Judges a submission that is a program: by a run, which the switch ends, or by
    /// its source.
    fn judge_program(
        &self,
        planned_case: PlannedCase,
        stop: &StopSwitch,
    ) -> Result<Trial, PrepareFailure> {
        let suite = self.suite;
        let PlannedCase { entry, case } = planned_case;
        let build = self.prepared[entry].compiled(suite.compiler.sandbox, |sandbox| {
            self.compile(entry, sandbox)
        });
        let BuiltProgram { program, folder } =
            build.as_ref().as_ref().map_err(Clone::clone)?;
        let sandbox = &SubmissionSandbox {
            sandbox: suite.compiler.sandbox,
            slack: self.slack,
            stop,
            case: planned_case,
            display: suite.options.interaction_display,
        };
        let planned = &suite.plan.entries[entry];
        let phase = (self.phase)(case);
        let case = &planned.cases[case];
        if let Some(task) = planned.problem.task_on(&case.name).static_validator()
            && let Some(validator) =
                self.compiled(&planned.programs.static_validator)?
        {
            let _busy = suite.activity.begin(entry, phase);
            let sources = planned.sources(program, folder.path());
            return Ok(trial::judge_sources(
                &planned.problem,
                case,
                task,
                &validator,
                &sources,
                sandbox,
            )?);
        }
        let checker = self.compiled(&planned.programs.checker)?;
        let _busy = suite.activity.begin(entry, phase);
        let job = Job {
            keeps_transcript: suite.options.keeps_transcripts,
            ..planned.job(case, program, checker)
        };
        let trial = trial::judge_job(&job, sandbox)?;
        let alone = suite.compiler.sandbox;
        let trial = trial::with_points_at_the_limit(trial, &job, alone)?;
        let stderr_tail =
            compile::without_folder(folder.path(), &trial.stderr_tail).into_bytes();
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
    ) -> Result<Trial, PrepareFailure> {
        let planned = &self.suite.plan.entries[entry];
        let checker = self.compiled(&planned.programs.checker)?;
        let _busy = self.suite.activity.begin(entry, (self.phase)(case));
        let answers = self.prepared[entry].answers(answers);
        let answers = answers.as_ref().as_ref().map_err(Clone::clone)?;
        let case = &planned.cases[case];
        Ok(trial::judge_answer(
            &planned.problem,
            case,
            answers.answers.to(&case.name),
            &planned.limits(),
            checker.as_deref(),
            self.suite.compiler.sandbox,
        )?)
    }

    /// Judges a case.
    pub(super) fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let planned = &self.suite.plan.entries[case.entry];
        if let Some(refusal) = &planned.refusal {
            return CaseOutcome::Failed(PrepareFailure::Refused(refusal.clone()));
        }
        // An earlier case may have settled it since this step was handed out.
        let Some(running) = self.prepared[case.entry].begin(case.case) else {
            return CaseOutcome::NotRun;
        };
        let judged = match &planned.answers {
            Some(answers) => self.judge_answer(answers, case),
            None => self.judge_program(case, &running.stop),
        };
        // An earlier case may have settled it meanwhile, and then this run was ended.
        if running.stop.is_thrown() {
            return CaseOutcome::NotRun;
        }
        judged.map_or_else(CaseOutcome::Failed, |trial| {
            CaseOutcome::Judged(Box::new(trial))
        })
    }
}

// A sandbox that stops submissions some time after their time limit, or when their case
// is settled. Knows neither what their verdict is nor whether others run beside them.

/// A sandbox that extends the limits of submissions, which shows whether one needs
/// slightly or much more time than its limit, ends them with a switch, and shows
/// interactions that have a listener. Tools and the problem's own programs run as usual.
struct SubmissionSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    /// Extends the limits.
    slack: fn(&Limits) -> Limits,
    stop: &'a StopSwitch,
    case: PlannedCase,
    display: Option<&'a dyn InteractionDisplay>,
}

impl Sandbox for SubmissionSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        if launch.role == Role::Submission {
            let limits = (self.slack)(limits);
            self.sandbox.run_until(launch, &limits, self.stop)
        } else {
            self.sandbox.run(launch, limits)
        }
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let limits = (self.slack)(request.submission.limits);
        let request = InteractionRequest {
            submission: Party {
                limits: &limits,
                ..request.submission
            },
            stop: Some(self.stop),
            ..request
        };
        let Some((display, listener)) = self.display.zip(request.listener) else {
            return self.sandbox.interact(request);
        };
        let talk = ShownTalk {
            case: self.case,
            display,
            listener,
            said: TranscriptRecorder::default(),
        };
        let found = self.sandbox.interact(InteractionRequest {
            listener: Some(&talk),
            ..request
        });
        display.end(self.case, &talk.said.into_transcript());
        found
    }
}

/// Passes an interaction to the display in addition to its own listener.
struct ShownTalk<'a> {
    case: PlannedCase,
    display: &'a dyn InteractionDisplay,
    listener: &'a dyn InteractionListener,
    said: TranscriptRecorder,
}

impl InteractionListener for ShownTalk<'_> {
    fn begin(&self) {
        self.listener.begin();
        self.said.begin();
        self.display.begin(self.case);
    }

    fn receive(&self, by: Side, at: Duration, bytes: &[u8]) {
        self.listener.receive(by, at, bytes);
        self.said.hear_and_show(by, at, bytes, &|line| {
            self.display.say(self.case, line);
        });
    }
}
