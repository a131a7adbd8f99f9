//! One submission while it is being judged: compiled by the first worker that needs it,
//! shared by all, and removed when its last case has been reported. A submission whose
//! results are all cached is never compiled.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gridjudge_sandbox::{
    Exit, Fault, Interaction, InteractionRequest, Launch, Limits, Run, Sandbox,
    StopSwitch, Usage,
};
use parking_lot::Mutex;

use crate::cache::{Cache, CacheKey, KeyHasher, ProgramCache};
use crate::compile::{self, BuildFolder, BuildResult, Compiler, ProgramSource};
use crate::model::{self, CheckerProgram, Language, Trial, UnusableLanguage, Verdict};
use crate::run::{
    AnswersFailure, CaseOutcome, JudgingProgram, JudgingPrograms, PlanEntry,
    PlannedAnswers, ReadyAnswers, Suite,
};

/// The result of compiling a submission.
type SharedBuild = Arc<Result<BuildResult, Fault>>;

/// The answers of a submission, or why there are none.
type SharedAnswers = Arc<Result<ReadyAnswers, AnswersFailure>>;

/// One submission while it is being judged.
#[derive(Default)]
pub(super) struct PreparedSubmission {
    build: Mutex<Option<SharedBuild>>,
    /// Its answers, if it consists of answers instead of a program.
    answers: Mutex<Option<SharedAnswers>>,
    settled: Mutex<SettledCases>,
    /// The wall time of its compiler, in microseconds.
    compile_us: AtomicU64,
}

#[derive(Default)]
struct SettledCases {
    /// Cases that need not be run.
    ranges: Vec<Range<usize>>,
    /// Cases that are being judged, and what ends their runs.
    running: Vec<(usize, Arc<StopSwitch>)>,
}

/// A case that is being judged, as long as this exists.
pub(super) struct RunningCase<'a> {
    settled: &'a Mutex<SettledCases>,
    /// Thrown as soon as the case need not be run.
    pub(super) stop: Arc<StopSwitch>,
}

impl Drop for RunningCase<'_> {
    fn drop(&mut self) {
        let mut settled = self.settled.lock();
        settled
            .running
            .retain(|(_, stop)| !Arc::ptr_eq(stop, &self.stop));
    }
}

impl SettledCases {
    fn contain(&self, case: usize) -> bool {
        self.ranges.iter().any(|cases| cases.contains(&case))
    }
}

impl PreparedSubmission {
    /// The result of compiling the submission, which the first call does, in a sandbox
    /// that measures its compiler. A second worker waits for the first.
    pub(super) fn compiled(
        &self,
        sandbox: &dyn Sandbox,
        compile: impl FnOnce(&dyn Sandbox) -> Result<BuildResult, Fault>,
    ) -> SharedBuild {
        let mut build = self.build.lock();
        let measured = MeasuredSandbox {
            sandbox,
            spent_us: &self.compile_us,
        };
        Arc::clone(build.get_or_insert_with(|| Arc::new(compile(&measured))))
    }

    /// The wall time of its compiler, in microseconds; `None` if none ran.
    pub(super) fn compile_us(&self) -> Option<u64> {
        Some(self.compile_us.load(Ordering::Relaxed)).filter(|spent| *spent > 0)
    }

    /// Prepares the answers on the first call. A second worker waits for the first.
    pub(super) fn answers(&self, planned: &PlannedAnswers) -> SharedAnswers {
        let mut answers = self.answers.lock();
        Arc::clone(answers.get_or_insert_with(|| Arc::new(planned.make_ready())))
    }

    /// Records that some cases need not be run, and ends their runs.
    pub(super) fn settle(&self, cases: Range<usize>) {
        if !cases.is_empty() {
            let SettledCases { ranges, running } = &mut *self.settled.lock();
            for (_, stop) in running.iter().filter(|(case, _)| cases.contains(case)) {
                stop.throw();
            }
            // Drops ranges inside the new one: a submission is settled many times,
            // mostly from its first case on.
            ranges.retain(|known| known.start < cases.start || known.end > cases.end);
            ranges.push(cases);
        }
    }

    /// Whether a case need not be run.
    pub(super) fn is_settled(&self, case: usize) -> bool {
        self.settled.lock().contain(case)
    }

    /// Records that a case is judged from now on; `None` if that need not be.
    pub(super) fn begin(&self, case: usize) -> Option<RunningCase<'_>> {
        let mut settled = self.settled.lock();
        if settled.contain(case) {
            return None;
        }
        let stop = Arc::<StopSwitch>::default();
        settled.running.push((case, Arc::clone(&stop)));
        Some(RunningCase {
            settled: &self.settled,
            stop,
        })
    }

    /// Removes the program, its folder and the answers, as soon as no worker uses them.
    pub(super) fn clear(&self) {
        self.settle(0..usize::MAX);
        self.build.lock().take();
        self.answers.lock().take();
    }
}

/// A sandbox that adds up the wall time of its runs.
struct MeasuredSandbox<'a> {
    sandbox: &'a dyn Sandbox,
    spent_us: &'a AtomicU64,
}

impl Sandbox for MeasuredSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let run = self.sandbox.run(launch, limits)?;
        let spent = model::micros(run.usage.wall);
        self.spent_us.fetch_add(spent, Ordering::Relaxed);
        Ok(run)
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        self.sandbox.interact(request)
    }
}

// The judging programs of a problem while a plan is judged: each is compiled by the
// first worker that needs it, and shared by all submissions of the problem. One that
// cannot be compiled never counts against a submission.

/// A judging program of a problem, compiled once.
pub(super) struct PreparedProgram {
    planned: Arc<JudgingProgram>,
    made: Mutex<Option<Result<MadeProgram, JudgingProgramFailure>>>,
}

/// A compiled judging program, and the folders that contain it, which are removed when
/// this is dropped.
type MadeProgram = (Arc<CheckerProgram>, Vec<BuildFolder>);

/// Why a judging program could not be compiled.
#[derive(Clone, Debug)]
pub enum JudgingProgramFailure {
    /// Its language does not work here.
    Unavailable(UnusableLanguage),
    /// It does not compile, or the judge failed.
    Failed(Fault),
}

/// What else there is to say to the author of a program whose compiler said this.
fn remedy_of_refused(language: Option<&Language>, output: &str) -> &'static str {
    match language.map_or("", |language| &language.id) {
        "c" | "cpp" if output.contains("No such file") => {
            "; headers that it includes, for example `testlib.h`, belong next to it"
        }
        "python" if output.contains("Missing parentheses in call") => {
            ", which is in Python 2: this judge runs programs in Python with Python 3"
        }
        _ => "",
    }
}

impl JudgingProgramFailure {
    /// Converts it into a fault, for callers that need the program: the judge failed
    /// at `doing` this.
    pub fn into_fault(self, doing: &str) -> Fault {
        match self {
            Self::Unavailable(unusable) => unusable.into_fault(doing),
            Self::Failed(fault) => fault,
        }
    }
}

/// The outcome of the cases that need the program.
impl From<JudgingProgramFailure> for CaseOutcome {
    fn from(failure: JudgingProgramFailure) -> Self {
        match failure {
            JudgingProgramFailure::Unavailable(unusable) => Self::Unavailable(unusable),
            JudgingProgramFailure::Failed(fault) => Self::Faulted(fault),
        }
    }
}

/// Creates a value for each judging program of each entry of a plan. Entries with the
/// same program share it.
pub(super) fn for_entries<T>(
    entries: &[PlanEntry],
    value: impl Fn(&Arc<JudgingProgram>) -> T,
) -> Vec<JudgingPrograms<T>> {
    let mut shared = HashMap::new();
    entries
        .iter()
        .map(|entry| {
            entry.programs.map(|program| {
                let known = shared.entry(Arc::as_ptr(program));
                Arc::clone(known.or_insert_with(|| Arc::new(value(program))))
            })
        })
        .collect()
}

impl PreparedProgram {
    pub(super) fn new(planned: &Arc<JudgingProgram>) -> Self {
        Self {
            planned: Arc::clone(planned),
            made: Mutex::default(),
        }
    }

    /// Returns the program, compiled on the first call, or why it cannot be compiled. A
    /// second worker waits for the first.
    pub(super) fn compiled(
        &self,
        suite: &Suite<'_>,
    ) -> Result<Arc<CheckerProgram>, JudgingProgramFailure> {
        let mut made = self.made.lock();
        let made = made.get_or_insert_with(|| {
            let made = compile_judging_program(
                &self.planned,
                suite.compiler,
                suite.cache,
                suite.sandbox,
            );
            made.map(|(program, folders)| (Arc::new(program), folders))
        });
        match made {
            Ok((program, _)) => Ok(Arc::clone(program)),
            Err(failure) => Err(failure.clone()),
        }
    }

    /// Why it could not be compiled; `None` if it could be, or has not been yet.
    pub(super) fn failure(&self) -> Option<JudgingProgramFailure> {
        self.made.lock().as_ref()?.as_ref().err().cloned()
    }
}

/// Compiles a checker and its final checker, if it has one. The programs exist as long
/// as the returned folders.
///
/// # Errors
/// Returns why one of them could not be compiled.
pub fn compile_judging_program(
    checker: &JudgingProgram,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<(CheckerProgram, Vec<BuildFolder>), JudgingProgramFailure> {
    let kind = checker.kind.name();
    let name = checker.tool.source.path.display();
    match compile_program(checker.program_source(), compiler, cache, sandbox) {
        Ok(BuildResult::Ready { program, folder }) => {
            let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
            let mut folders = vec![folder];
            let mut final_checker = None;
            if let Some(checker) = &checker.final_checker {
                let (program, more) =
                    compile_judging_program(checker, compiler, cache, sandbox)?;
                folders.extend(more);
                final_checker = Some(Box::new(program));
            }
            Ok((
                CheckerProgram {
                    program,
                    scratch,
                    final_checker,
                },
                folders,
            ))
        }
        Ok(BuildResult::Refused { reason, output, .. }) => {
            let cause = compile::with_words(&reason, &output);
            let more = remedy_of_refused(checker.tool.language.as_deref(), &output);
            Err(JudgingProgramFailure::Failed(
                Fault::because(format!("compiling the {kind} {name}"), cause)
                    .with_remedy(format!("fix the {kind} of the problem{more}")),
            ))
        }
        Ok(BuildResult::Unavailable(unusable)) => {
            let cause =
                format!("the {kind} {name} cannot run here: {}", unusable.cause);
            Err(JudgingProgramFailure::Unavailable(UnusableLanguage {
                cause,
                ..unusable
            }))
        }
        Err(fault) => Err(JudgingProgramFailure::Failed(fault)),
    }
}

// Checks whether a language works on this machine before its first submission is
// compiled. A success is cached with the trials, because the check costs as much as a
// small submission; a failure is not cached.

/// Explains why a language does not work here; `None` if it works. Uses a cached result
/// as long as everything that it depends on is unchanged: the tools, the level of the
/// sandbox, the judge itself.
///
/// # Errors
/// Returns a [`Fault`] if the judge itself failed.
pub fn unusable_language(
    language: &Language,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<Option<UnusableLanguage>, Fault> {
    let program_cache =
        cache
            .filter(|_| !compiler.has_checked(language))
            .and_then(|cache| {
                let fingerprint =
                    compiler.fingerprint_of_known_good(language, cache)?;
                Some(program_cache(cache, &fingerprint))
            });
    if program_cache.as_ref().is_some_and(|program_cache| {
        program_cache
            .find(&only_case())
            .is_some_and(|trial| trial == works())
    }) {
        compiler.assume_works(language);
        return Ok(None);
    }
    let unusable = compiler.check_language(language, sandbox)?;
    if let (None, Some(program_cache)) = (&unusable, program_cache) {
        program_cache.store(&only_case(), &works());
    }
    Ok(unusable)
}

/// Compiles a program, unless its language does not work here.
///
/// # Errors
/// As [`unusable_language`] and [`Compiler::compile`].
pub fn compile_program(
    program: ProgramSource<'_>,
    compiler: &Compiler,
    cache: Option<&Cache>,
    sandbox: &dyn Sandbox,
) -> Result<BuildResult, Fault> {
    let checked = program
        .language
        .map(|language| unusable_language(language, compiler, cache, sandbox));
    match checked.transpose()?.flatten() {
        Some(unusable) => Ok(BuildResult::Unavailable(unusable)),
        None => compiler.compile(program, cache, sandbox),
    }
}

/// The cached trials of a language's known-good source, of which there is at most one.
fn program_cache<'a>(cache: &'a Cache, fingerprint: &str) -> ProgramCache<'a> {
    let mut hasher = cache.program();
    hasher.add("known good");
    hasher.add(fingerprint);
    cache.program_cache(hasher.finish())
}

fn only_case() -> CacheKey {
    KeyHasher::for_purpose("known good").finish()
}

/// The trial that is cached for a language that works.
fn works() -> Trial {
    Trial {
        cached: true,
        ..Trial::new(Verdict::Accepted, Exit::Code(0), Usage::default())
    }
}
