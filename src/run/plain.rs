//! Judges a case by running it: first beside others, and again alone if it is doubtful,
//! because the machine may have influenced the first verdict. The schedule decides when
//! a case is judged again, and the model which of its trials counts. Compiles the
//! submission first if no worker has, and passes an interaction to a display while it
//! goes on; does not know how that is shown.

use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Interaction, InteractionListener, InteractionRequest, Launch, Limits,
    Party, Role, Run, Sandbox, Side, StopSwitch,
};

use crate::compile::{self, BuiltProgram, PrepareFailure};
use crate::model::{
    CheckerProgram, InteractionDisplay, Job, JudgingPhase, PlannedCase,
    SubmittedSources, Trial,
};
use crate::run::{
    CaseOutcome, JudgingProgram, PlannedAnswers, RunContext, catch_panic,
};
use crate::trial::{self, TranscriptRecorder};

impl RunContext<'_> {
    /// Judges a case for the first time, beside others.
    pub(super) fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let beside_others = PlainJudge {
            context: self,
            slack: Limits::for_first_run,
            phase: JudgingPhase::Judging,
        };
        let outcome = beside_others.judge(case);
        // Neither faults are stored, nor trials of cases that will be judged again.
        if let CaseOutcome::Judged(trial) = &outcome
            && !self.suite.plan.entries[case.entry].is_doubtful(trial)
        {
            self.cache_index.store(case, trial);
        }
        outcome
    }

    /// Returns the outcome of a case, after judging it again while nothing else begins,
    /// because its `first` trial is doubtful. An uncertain result, such as slightly too
    /// slow in all runs, is reported but not cached: the next time it may be fast
    /// enough.
    pub(super) fn confirm(&self, case: PlannedCase, first: Trial) -> CaseOutcome {
        let alone = PlainJudge {
            context: self,
            slack: Limits::for_run_alone,
            phase: JudgingPhase::JudgingAgain,
        };
        let limits = self.suite.plan.entries[case.entry].limits();
        let settled =
            first.settled(&limits, || match catch_panic(|| alone.judge(case)) {
                CaseOutcome::Judged(again) => Ok(*again),
                other => Err(other),
            });
        match settled {
            Ok((trial, is_certain)) => {
                if is_certain {
                    self.cache_index.store(case, &trial);
                }
                CaseOutcome::Judged(Box::new(trial))
            }
            Err(other) => other,
        }
    }
}

/// Judges cases by running them.
struct PlainJudge<'c, 'a> {
    context: &'c RunContext<'a>,
    /// Extends the limits of submissions.
    slack: fn(&Limits) -> Limits,
    /// The phase that progress displays show while a case is judged.
    phase: fn(usize) -> JudgingPhase,
}

impl PlainJudge<'_, '_> {
    /// A judging program, compiled, if the problem has one.
    fn compiled(
        &self,
        program: &Option<Arc<JudgingProgram>>,
    ) -> Result<Option<Arc<CheckerProgram>>, PrepareFailure> {
        let compiler = self.context.suite.compiler;
        program
            .as_ref()
            .map(|program| self.context.programs.compiled(program, compiler))
            .transpose()
    }

    /// Judges a submission that is a program: by a run, which the switch ends, or by
    /// its source.
    fn judge_program(
        &self,
        planned_case: PlannedCase,
        stop: &StopSwitch,
    ) -> Result<Trial, PrepareFailure> {
        let suite = self.context.suite;
        let PlannedCase { entry, case } = planned_case;
        let built = self.context.prepared[entry].compiled(suite, entry)?;
        let BuiltProgram { program, folder } = &*built;
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
            let language = planned
                .language
                .as_ref()
                .map_or("", |language| language.package_code());
            let sources = SubmittedSources {
                language: language.to_owned(),
                entry_point: program.entry_point.clone(),
                folder: folder.path().to_owned(),
            };
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
        let mut trial = trial::with_points_at_the_limit(trial, &job, alone)?;
        trial.stderr = compile::without_folder(folder.path(), &trial.stderr);
        Ok(trial)
    }

    /// Judges a submission that consists of answers, on one case.
    fn judge_answer(
        &self,
        answers: &PlannedAnswers,
        PlannedCase { entry, case }: PlannedCase,
    ) -> Result<Trial, PrepareFailure> {
        let RunContext {
            suite, prepared, ..
        } = self.context;
        let planned = &suite.plan.entries[entry];
        let checker = self.compiled(&planned.programs.checker)?;
        let _busy = suite.activity.begin(entry, (self.phase)(case));
        let answers = prepared[entry].answers(answers)?;
        let case = &planned.cases[case];
        Ok(trial::judge_answer(
            &planned.problem,
            case,
            answers.answers.get(&case.name).map(|path| &**path),
            &planned.limits(),
            checker.as_deref(),
            suite.compiler.sandbox,
        )?)
    }

    /// Judges a case.
    fn judge(&self, case: PlannedCase) -> CaseOutcome {
        let planned = &self.context.suite.plan.entries[case.entry];
        if let Some(refusal) = &planned.refusal {
            return CaseOutcome::Failed(PrepareFailure::Refused(refusal.clone()));
        }
        // An earlier case may have settled it since this step was handed out.
        let Some(running) = self.context.prepared[case.entry].begin(case.case) else {
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

    fn interact(
        &self,
        request: InteractionRequest<'_>,
    ) -> Result<Interaction, Fault> {
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
