//! The plan of a suite: the submissions to judge, in order, with their problems and
//! cases; and what else the caller provides to judge it. Creates the jobs of a plan,
//! but runs nothing.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gridjudge_sandbox::{Input, Limits};

use crate::compile::{
    CachedCompiler, PrepareFailure, ProgramSource, SubmissionRefusal,
};
use crate::model::{
    Activity, AdditionalSources, Case, CaseExpectations, CheckerProgram, Contest,
    Entrant, InteractionDisplay, Job, JudgingProgramKind, Language, Problem, Program,
    ShardRecord, Submission, SubmittedAnswers, SuiteStart, ToolSource, Trial,
    UnusableLanguage,
};

/// One submission and everything that it is judged on.
#[derive(Clone)]
pub struct PlanEntry {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The submission.
    pub submission: Submission,
    /// Its path as reports show it.
    pub shown_path: PathBuf,
    /// The other files that it is compiled from.
    pub additional_sources: AdditionalSources,
    /// Its language; `None` for an executable.
    pub language: Option<Arc<Language>>,
    /// Why the problem does not accept its language, if so.
    pub language_refusal: Option<UnusableLanguage>,
    /// Its answers, if it consists of answers instead of a program.
    pub answers: Option<PlannedAnswers>,
    /// Why it is refused before it is compiled, if so.
    pub refusal: Option<SubmissionRefusal>,
    /// The cases, in order.
    pub cases: Arc<[Case]>,
    /// The results that it is expected to get on some of them.
    pub expectations: CaseExpectations,
    /// The contestant who submitted it, in a contest.
    pub entrant: Option<Entrant>,
    /// The programs of the problem that judge; shared by all entries of the problem.
    pub programs: JudgingPrograms,
}

/// The programs of a problem that judge, as far as it has them.
#[derive(Clone, Default)]
pub struct JudgingPrograms {
    /// The one that judges outputs or interactions.
    pub checker: Option<Arc<JudgingProgram>>,
    /// The one that grades groups of cases.
    pub grader: Option<Arc<JudgingProgram>>,
    /// The one that judges sources.
    pub static_validator: Option<Arc<JudgingProgram>>,
}

impl JudgingPrograms {
    /// Those that there are.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<JudgingProgram>> {
        [&self.checker, &self.grader, &self.static_validator]
            .into_iter()
            .flatten()
    }

    /// Those that there are, each followed by the programs that run after it.
    pub fn all_in_order(&self) -> impl Iterator<Item = &JudgingProgram> {
        self.iter().flat_map(|program| program.in_order())
    }
}

/// A program of a problem that judges, before it is compiled.
pub struct JudgingProgram {
    /// When it runs.
    pub kind: JudgingProgramKind,
    /// What it is compiled from.
    pub tool: ToolSource,
    /// The checker that runs after it, if it is an interactor that does not decide
    /// alone.
    pub final_checker: Option<Box<Self>>,
}

/// All submissions, in order.
#[derive(Clone, Default)]
pub struct Plan {
    /// Submissions in the order of the report.
    pub entries: Vec<PlanEntry>,
    /// The contest that they belong to, if there is one.
    pub contest: Option<Contest>,
    /// The shard that they are, if the plan is only a part of a larger one.
    pub shard: Option<Box<ShardRecord>>,
    /// Whether cases were left out by choice, so that a report must not treat missing
    /// ones as removed.
    pub is_part: bool,
}

impl Plan {
    /// The number of trials if every case is judged.
    pub fn trials(&self) -> usize {
        self.entries.iter().map(|entry| entry.cases.len()).sum()
    }

    /// Moves the cases of each submission for which `is_first` holds to the front.
    /// Otherwise the order stays, as it does where there are groups, which count their
    /// cases in order.
    pub fn put_first(&mut self, is_first: impl Fn(&PlanEntry, &Case) -> bool) {
        for entry in self
            .entries
            .iter_mut()
            .filter(|entry| entry.problem.scoring.groups.is_empty())
        {
            let (first, rest): (Vec<_>, Vec<_>) =
                entry.cases.iter().partition(|case| is_first(entry, case));
            // Most entries have no such cases, and continue to share their list of
            // cases.
            if !first.is_empty() {
                entry.cases = first.into_iter().chain(rest).cloned().collect();
            }
        }
    }
}

impl JudgingProgram {
    /// It, and the programs that run after it.
    pub fn in_order(&self) -> impl Iterator<Item = &Self> {
        iter::successors(Some(self), |program| program.final_checker.as_deref())
    }

    /// What it is compiled from.
    pub fn program_source(&self) -> ProgramSource<'_> {
        ProgramSource::of_tool(&self.tool)
    }
}

impl PlanEntry {
    /// What the submission is compiled from. It keeps its name where a judging program
    /// sees it.
    pub fn program_source(&self) -> ProgramSource<'_> {
        let checker = self.problem.task.program();
        ProgramSource {
            source: &self.submission,
            additional_sources: &self.additional_sources,
            language: self.language.as_deref(),
            memory_bytes: self.problem.limits.memory_bytes,
            is_submission: true,
            keeps_name: self.programs.static_validator.is_some()
                || checker.is_some_and(|checker| checker.sees_submission),
        }
    }

    /// Whether its source is judged on any of its cases, instead of a run.
    pub fn judges_source(&self) -> bool {
        self.cases
            .iter()
            .any(|case| self.problem.is_static(&case.name))
    }

    /// The name of its language in reports.
    pub fn language_name(&self) -> &str {
        let without = if self.answers.is_some() {
            "answers"
        } else {
            "executable"
        };
        self.language
            .as_ref()
            .map_or(without, |language| &language.name)
    }

    /// The limits of each of its runs: those of the problem with the allowance for its
    /// language.
    pub fn limits(&self) -> Limits {
        let default = &self.problem.limits;
        let Some(language) = &self.language else {
            return default.clone();
        };
        let extra = default.wall.saturating_sub(default.cpu);
        let (factor, extra_memory) = self.problem.allowance_for(language);
        let cpu = default.cpu * factor;
        let memory_bytes = default.memory_bytes.saturating_add(extra_memory);
        Limits {
            cpu,
            wall: Limits::wall_for(cpu).max(cpu + extra),
            memory_bytes,
            address_space: language
                .address_space
                .map(|spare| spare.beyond(memory_bytes)),
            ..default.clone()
        }
    }

    /// Whether a trial must be judged again, alone. Never true of one that was already
    /// judged again.
    pub(super) fn is_doubtful(&self, trial: &Trial) -> bool {
        !trial.rerun && trial.is_doubtful(&self.limits())
    }

    /// Creates the job of a case from the compiled submission and checker.
    pub fn job(
        &self,
        case: &Case,
        program: &Program,
        checker: Option<Arc<CheckerProgram>>,
    ) -> Job {
        Job {
            problem: Arc::clone(&self.problem),
            submission: self.submission.name.as_str().into(),
            case: case.clone(),
            launch: program.on_case(
                &self.problem,
                &case.name,
                Input::CopyOf(case.input.clone()),
            ),
            limits: self.limits(),
            checker,
            keeps_transcript: false,
        }
    }
}

// Submitted answers, prepared only when they are judged: until then an archive of them
// need not be unpacked. Knows neither archives nor folders.

/// Prepares answers. It may be called several times.
pub type PlannedAnswers =
    Arc<dyn Fn() -> Result<ReadyAnswers, PrepareFailure> + Send + Sync>;

/// Answers that can be judged.
pub struct ReadyAnswers {
    pub(super) answers: SubmittedAnswers,
    /// The owner of their files, such as a temporary folder, dropped with them.
    _kept: Box<dyn Send + Sync>,
}

impl ReadyAnswers {
    /// Answers, and the owner of their files, which is dropped with them.
    pub fn new(answers: SubmittedAnswers, kept: impl Send + Sync + 'static) -> Self {
        Self {
            answers,
            _kept: Box::new(kept),
        }
    }
}

/// How thoroughly a plan is judged.
#[derive(Clone, Copy)]
pub struct JudgingOptions<'a> {
    /// How often each case is judged.
    pub repeat: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub stop_at_first: bool,
    /// Whether cached trials are used and new ones stored.
    pub recalls: bool,
    /// Whether transcripts of interactions are recorded.
    pub keeps_transcripts: bool,
    /// A live display of interactions, if there is one.
    pub interaction_display: Option<&'a dyn InteractionDisplay>,
}

impl Default for JudgingOptions<'_> {
    /// Every case once, unless its trial is cached.
    fn default() -> Self {
        Self {
            repeat: 1,
            stop_at_first: false,
            recalls: true,
            keeps_transcripts: false,
            interaction_display: None,
        }
    }
}

/// A plan with everything that is needed to judge it.
pub struct Suite<'a> {
    /// The submissions and cases to judge.
    pub plan: &'a Plan,
    /// The compiler of submissions and checkers, the cache, and the sandbox for all
    /// runs.
    pub compiler: CachedCompiler<'a>,
    /// The number of runs at the same time.
    pub jobs: usize,
    /// How thoroughly the plan is judged.
    pub options: JudgingOptions<'a>,
    /// The start of the log, as far as it is about the judge and the machine.
    pub opening: SuiteStart,
    /// The folder to which paths of submissions in the log are relative.
    pub root: &'a Path,
    /// Set by the caller to stop the suite.
    pub interrupted: &'a AtomicBool,
    /// Whether the deadline has passed and nothing new is to be run: what is left is
    /// reported as not judged.
    pub is_expired: &'a (dyn Fn() -> bool + Sync),
    /// What each worker is doing, for displays of progress.
    pub activity: &'a Activity,
}

impl Suite<'_> {
    /// Whether the caller has stopped it.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
