//! One submission while it is being judged: compiled by the first worker that needs it,
//! shared by all, and removed when its last case has been reported. A submission whose
//! results are all cached is never compiled.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gridjudge_sandbox::{
    Fault, Interaction, InteractionRequest, Launch, Limits, Run, Sandbox, StopSwitch,
};
use parking_lot::Mutex;

use crate::compile::{BuildFolder, BuiltProgram, CachedCompiler, PrepareFailure};
use crate::model::{self, CheckerProgram, JudgingPhase, Language, UnusableLanguage};
use crate::run::{JudgingProgram, PlanEntry, PlannedAnswers, ReadyAnswers, Suite};

/// What a submission was made into, or why it could not be.
type Shared<T> = Result<Arc<T>, PrepareFailure>;

/// One submission while it is being judged.
#[derive(Default)]
pub(super) struct PreparedSubmission {
    build: Mutex<Option<Shared<BuiltProgram>>>,
    /// Its answers, if it consists of answers instead of a program.
    answers: Mutex<Option<Shared<ReadyAnswers>>>,
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
    /// The result of compiling the submission, which is this one of the plan. The first
    /// call does that, in a sandbox that measures its compiler; a second worker waits for
    /// the first.
    pub(super) fn compiled(
        &self,
        suite: &Suite<'_>,
        entry: usize,
    ) -> Shared<BuiltProgram> {
        let mut build = self.build.lock();
        let build = build.get_or_insert_with(|| {
            let _busy = suite.activity.begin(entry, JudgingPhase::Compiling);
            let planned = &suite.plan.entries[entry];
            if let Some(refusal) = planned.language_refusal.clone() {
                return Err(PrepareFailure::Unavailable(refusal));
            }
            let sandbox = &MeasuredSandbox {
                sandbox: suite.compiler.sandbox,
                spent_us: &self.compile_us,
            };
            let compiler = CachedCompiler {
                sandbox,
                ..suite.compiler
            };
            let built = compiler.compile_program(planned.program_source())?;
            Ok(Arc::new(built))
        });
        build.clone()
    }

    /// The wall time of its compiler, in microseconds; `None` if none ran.
    pub(super) fn compile_us(&self) -> Option<u64> {
        Some(self.compile_us.load(Ordering::Relaxed)).filter(|spent| *spent > 0)
    }

    /// Prepares the answers on the first call. A second worker waits for the first.
    pub(super) fn answers(&self, planned: &PlannedAnswers) -> Shared<ReadyAnswers> {
        self.answers
            .lock()
            .get_or_insert_with(|| planned().map(Arc::new))
            .clone()
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

    fn interact(
        &self,
        request: InteractionRequest<'_>,
    ) -> Result<Interaction, Fault> {
        self.sandbox.interact(request)
    }
}

// The judging programs of a problem while a plan is judged: each is compiled by the
// first worker that needs it, and shared by all submissions of the problem. One that
// cannot be compiled never counts against a submission.

/// A value for each judging program of a plan. Entries with the same program share it.
pub(super) struct ByProgram<T>(HashMap<usize, T>);

impl<T: Default> ByProgram<T> {
    pub(super) fn for_entries(entries: &[PlanEntry]) -> Self {
        let programs = entries.iter().flat_map(|entry| entry.programs.iter());
        Self(
            programs
                .map(|program| (identity(program), T::default()))
                .collect(),
        )
    }

    pub(super) fn of_program(&self, program: &Arc<JudgingProgram>) -> &T {
        &self.0[&identity(program)]
    }
}

/// What distinguishes a judging program from others of the same plan.
pub(super) fn identity(program: &Arc<JudgingProgram>) -> usize {
    Arc::as_ptr(program).addr()
}

/// A judging program of a problem, compiled once.
pub(super) type PreparedProgram = Mutex<Option<Result<MadeProgram, PrepareFailure>>>;

/// A compiled judging program, and the folders that contain it, which are removed when
/// this is dropped.
type MadeProgram = (Arc<CheckerProgram>, Vec<BuildFolder>);

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

impl ByProgram<PreparedProgram> {
    /// Returns a program, compiled on the first call, or why it cannot be compiled. A
    /// second worker waits for the first.
    pub(super) fn compiled(
        &self,
        planned: &Arc<JudgingProgram>,
        compiler: CachedCompiler<'_>,
    ) -> Result<Arc<CheckerProgram>, PrepareFailure> {
        let mut made = self.of_program(planned).lock();
        let made = made.get_or_insert_with(|| {
            let made = compiler.compile_judging_program(planned);
            made.map(|(program, folders)| (Arc::new(program), folders))
        });
        match made {
            Ok((program, _)) => Ok(Arc::clone(program)),
            Err(failure) => Err(failure.clone()),
        }
    }

    /// Why it could not be compiled; `None` if it could be, or has not been yet.
    pub(super) fn failure(
        &self,
        planned: &Arc<JudgingProgram>,
    ) -> Option<PrepareFailure> {
        self.of_program(planned)
            .lock()
            .as_ref()?
            .as_ref()
            .err()
            .cloned()
    }
}

impl CachedCompiler<'_> {
    /// Compiles a checker and its final checker, if it has one. The programs exist as
    /// long as the returned folders.
    ///
    /// # Errors
    /// Returns why one of them could not be compiled. One that is refused is a fault.
    pub fn compile_judging_program(
        &self,
        checker: &JudgingProgram,
    ) -> Result<(CheckerProgram, Vec<BuildFolder>), PrepareFailure> {
        let kind = checker.kind.name();
        let name = checker.tool.source.path.display();
        let built = self.compile_program(checker.program_source());
        let BuiltProgram { program, folder } =
            built.map_err(|failure| match failure {
                PrepareFailure::Refused(refusal) => {
                    let language = checker.tool.language.as_deref();
                    let more = remedy_of_refused(language, &refusal.output);
                    let doing = format!("compiling the {kind} {name}");
                    Fault::because(doing, refusal.in_words())
                        .with_remedy(format!("fix the {kind} of the problem{more}"))
                        .into()
                }
                PrepareFailure::Unavailable(unusable) => {
                    let cause = format!(
                        "the {kind} {name} cannot run here: {}",
                        unusable.cause
                    );
                    PrepareFailure::Unavailable(UnusableLanguage {
                        cause,
                        ..unusable
                    })
                }
                faulted @ PrepareFailure::Faulted(_) => faulted,
            })?;
        let scratch = folder.path().parent().unwrap_or(folder.path()).to_owned();
        let mut folders = vec![folder];
        let mut final_checker = None;
        if let Some(checker) = &checker.final_checker {
            let (program, more) = self.compile_judging_program(checker)?;
            folders.extend(more);
            final_checker = Some(Box::new(program));
        }
        let made = CheckerProgram {
            program,
            scratch,
            final_checker,
        };
        Ok((made, folders))
    }
}
