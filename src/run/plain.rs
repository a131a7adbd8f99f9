//! Judges a case by running it. Compiles the submission first if no worker has, and
//! passes an interaction to a display while it goes on. Knows neither the cache nor
//! whether the result is doubtful, nor how an interaction is shown.

use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Interaction, InteractionListener, InteractionRequest, Launch, Limits, Party,
    Role, Run, Sandbox, Side, StopSwitch,
};

use crate::compile::{self, BuildResult};
use crate::model::{
    CheckerProgram, InteractionDisplay, Job, JudgingPhase, PlannedCase, Trial,
};
use crate::run::prepared::compile_program;
use crate::run::{
    AnswersFailure, CaseOutcome, Judge, JudgingProgramFailure, JudgingPrograms,
    PlannedAnswers, PreparedProgram, PreparedSubmission, Suite,
};
use crate::trial::{self, HandedInAnswer, TranscriptRecorder};

/// Judges cases by running them.
pub(super) struct PlainJudge<'a> {
    pub(super) suite: &'a Suite<'a>,
    /// One for each entry of the plan.
    pub(super) prepared: &'a [PreparedSubmission],
    /// Those of each entry.
    pub(super) programs: &'a [JudgingPrograms<PreparedProgram>],
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
    ) -> Result<BuildResult, Fault> {
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

    /// A judging program, compiled, if the problem has one.
    fn compiled(
        &self,
        program: &Option<Arc<PreparedProgram>>,
    ) -> Result<Option<Arc<CheckerProgram>>, JudgingProgramFailure> {
        program
            .as_ref()
            .map(|program| program.compiled(self.suite))
            .transpose()
    }

    /// Judges a submission that is a program: by a run, which the switch ends, or by
    /// its source.
    fn judge_program(
        &self,
        planned_case: PlannedCase,
        stop: &StopSwitch,
    ) -> Result<Trial, CaseOutcome> {
        let suite = self.suite;
        let PlannedCase { entry, case } = planned_case;
        let build = self.prepared[entry]
            .compiled(suite.sandbox, |sandbox| self.compile(entry, sandbox));
        let (program, folder) = CaseOutcome::or_program(&build)?;
        let sandbox = SubmissionSandbox {
            sandbox: suite.sandbox,
            slack: self.slack,
            stop,
        };
        let heard =
            suite
                .options
                .interaction_display
                .map(|display| TranscribingSandbox {
                    sandbox: &sandbox,
                    case: planned_case,
                    display,
                });
        let sandbox = heard
            .as_ref()
            .map_or(&sandbox as &dyn Sandbox, |heard| heard);
        let planned = &suite.plan.entries[entry];
        let phase = (self.phase)(case);
        let case = &planned.cases[case];
        if let Some(task) = planned.problem.task_on(&case.name).static_validator()
            && let Some(validator) =
                self.compiled(&self.programs[entry].static_validator)?
        {
            let _busy = suite.activity.begin(entry, phase);
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
        let _busy = suite.activity.begin(entry, phase);
        let job = planned.job(case, program, checker);
        let trial = self.judge_job(job, sandbox).map_err(CaseOutcome::Faulted)?;
        let stderr_tail =
            compile::without_folder(folder.path(), &trial.stderr_tail).into_bytes();
        Ok(Trial {
            stderr_tail,
            ..trial
        })
    }

    /// Judges a run, and asks for points at the limit if it needs them.
    fn judge_job(&self, job: Job, sandbox: &dyn Sandbox) -> Result<Trial, Fault> {
        let job = Job {
            keeps_transcript: self.suite.options.keeps_transcripts,
            ..job
        };
        let trial = trial::judge_job(&job, sandbox)?;
        trial::with_points_at_the_limit(trial, &job, self.suite.sandbox)
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
            Err(AnswersFailure::Refused(refusal)) => {
                return Err(CaseOutcome::Refused(refusal.clone()));
            }
            Err(AnswersFailure::Faulted(fault)) => {
                return Err(CaseOutcome::Faulted(fault.clone()));
            }
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
        trial::judge_answer(&answer, self.suite.sandbox).map_err(CaseOutcome::Faulted)
    }
}

impl Judge for PlainJudge<'_> {
    fn recall(&self, _: PlannedCase) -> Option<Trial> {
        None
    }

    fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let planned = &self.suite.plan.entries[case.entry];
        if let Some(refusal) = &planned.refusal {
            return CaseOutcome::Refused(refusal.clone());
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
        judged.map_or_else(
            |outcome| outcome,
            |trial| CaseOutcome::Judged(Box::new(trial)),
        )
    }
}

// A sandbox that stops submissions some time after their time limit, or when their case
// is settled. Knows neither what their verdict is nor whether others run beside them.

/// A sandbox that extends the limits of submissions, which shows whether one needs
/// slightly or much more time than its limit, and ends them with a switch. Tools and
/// the problem's own programs run as usual.
struct SubmissionSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    /// Extends the limits.
    slack: fn(&Limits) -> Limits,
    stop: &'a StopSwitch,
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
        let submission = Party {
            limits: &limits,
            ..request.submission
        };
        self.sandbox.interact(InteractionRequest {
            submission,
            stop: Some(self.stop),
            ..request
        })
    }
}

/// A sandbox for one case. Shows interactions that have a listener; the others run as
/// usual.
struct TranscribingSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    case: PlannedCase,
    display: &'a dyn InteractionDisplay,
}

impl Sandbox for TranscribingSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        self.sandbox.run(launch, limits)
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let Some(listener) = request.listener else {
            return self.sandbox.interact(request);
        };
        let talk = ShownTalk {
            sandbox: self,
            listener,
            said: TranscriptRecorder::default(),
        };
        let found = self.sandbox.interact(InteractionRequest {
            listener: Some(&talk),
            ..request
        });
        self.display.end(self.case, &talk.said.into_transcript());
        found
    }
}

/// Passes an interaction to the display in addition to its own listener.
struct ShownTalk<'a> {
    sandbox: &'a TranscribingSandbox<'a>,
    listener: &'a dyn InteractionListener,
    said: TranscriptRecorder,
}

impl InteractionListener for ShownTalk<'_> {
    fn begin(&self) {
        self.listener.begin();
        self.said.begin();
        self.sandbox.display.begin(self.sandbox.case);
    }

    fn receive(&self, by: Side, at: Duration, bytes: &[u8]) {
        self.listener.receive(by, at, bytes);
        let TranscribingSandbox { case, display, .. } = self.sandbox;
        self.said
            .hear_and_show(by, at, bytes, &|line| display.say(*case, line));
    }
}
