//! One submission on one case: the job to do, the trial that results, and what an
//! interactor and the submission sent to each other.

pub(crate) mod breach;
pub(super) mod compiler_diagnostic;
pub(crate) mod finding;
pub(super) mod verdict;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::{
    Exit, GivenFile, Input, Launch, Limits, Role, Run, ScratchFiles, Usage,
};
use serde::{Deserialize, Serialize};

use crate::model::{
    Case, CaseSupply, FileStreams, Findings, Problem, SourceFile, Verdict,
};

use Verdict::{MemoryLimit, TimeLimit};

/// One submission on one case, self-contained: everything needed to run and judge it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The submission's name in reports.
    pub submission: Arc<str>,
    /// The case.
    pub case: Case,
    /// What to start.
    pub launch: Launch,
    /// The limits of the run.
    pub limits: Limits,
    /// The problem's checker, if a program judges outputs.
    pub checker: Option<Arc<CheckerProgram>>,
    /// Whether its interaction with an interactor is recorded.
    pub keeps_transcript: bool,
}

impl Job {
    /// The folder with the files of the submission: its own are the first that a
    /// program may read.
    pub fn submitted(&self) -> Option<&Path> {
        self.launch.readable.first().map(PathBuf::as_path)
    }
}

/// A judged job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// The verdict of the job.
    pub verdict: Verdict,
    /// How its first process ended.
    pub exit: Exit,
    /// The resources it used.
    pub usage: Usage,
    /// The number of the last pass, if there were several.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pass: Option<u32>,
    /// The checker's findings; if the run itself decided the verdict, at most points.
    #[serde(skip_serializing_if = "is_default", default)]
    pub findings: Findings,
    /// The beginning and the end of its standard error, as text.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub stderr: String,
    /// The recorded interaction with the interactor of its problem, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
    /// Whether the job was run again, alone. All other fields are those of the run that
    /// counts.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub rerun: bool,
    /// Whether the result came from the cache. All other fields are those of the
    /// original run.
    #[serde(skip)]
    pub cached: bool,
}

/// The end of the slack of a first run, in hundredths of the time limit: what it takes
/// beyond that is too much for certain. Beside others, or on a machine that others
/// share, a run was seen to take up to 1.45 of the CPU time that it usually takes alone
/// (`cargo bench --bench scale`).
const FIRST_RUN_PERCENT: u128 = 150;

/// Likewise for a run alone, which several others may follow.
const RUN_ALONE_PERCENT: u128 = 125;

/// How much memory, in hundredths of the limit, a run may use and leave it open whether
/// all of it is its own.
const MEMORY_PERCENT: u128 = 125;

/// How much possible but unseen memory is ignored in a run that is still doubtful after
/// all close looks. It is far more than programs write between two looks, which are
/// half a millisecond apart.
const MOST_HIDDEN_BYTES: u64 = 8 << 20;

/// The most runs of one job. Where other processes fill the caches, one run in five is
/// hardly disturbed.
const MOST_RUNS: usize = 5;

impl Trial {
    /// A first run of which nothing else is known.
    pub fn new(verdict: Verdict, exit: Exit, usage: Usage) -> Self {
        Self {
            verdict,
            exit,
            usage,
            pass: None,
            findings: Findings::default(),
            stderr: String::new(),
            transcript: None,
            rerun: false,
            cached: false,
        }
    }

    /// The trial that this run is, with the findings about it.
    pub fn of_run(run: Run, verdict: Verdict, findings: Findings) -> Self {
        Self {
            findings,
            stderr: String::from_utf8_lossy(&run.stderr_tail).into_owned(),
            ..Self::new(verdict, run.exit, run.usage)
        }
    }

    /// Whether the machine may have influenced the result of a first run, so that the
    /// job must be run again with the machine to itself. [`settled`](Self::settled)
    /// decides how often, and which run counts.
    pub fn is_doubtful(&self, limits: &Limits) -> bool {
        use Verdict::*;

        // A cached result is one that counted, after reruns if it needed them.
        if self.cached {
            return false;
        }
        match self.verdict {
            // Independent of the machine's speed.
            OutputLimit => false,
            // Files that it was the first to read, and memory that earlier runs left
            // behind, may be counted for it.
            MemoryLimit => {
                u128::from(self.usage.peak_memory_bytes) * 100
                    <= MEMORY_PERCENT * u128::from(limits.memory_bytes)
            }
            // Time spent waiting for a processor has been deducted, but not for a disk,
            // for swapped memory or for another program.
            IdleLimit => !self.usage.idled_by_itself,
            TimeLimit => self.takes_at_most(FIRST_RUN_PERCENT, limits),
            // What was fast enough beside others is fast enough alone.
            Accepted | WrongAnswer | PresentationError | RuntimeError
            | CompileError | Skipped => self.may_hide_too_much(limits),
        }
    }

    /// The trial of a run that was stopped only at the end of the slack, as if it had
    /// been stopped at its time limit: any other breach may have happened in the
    /// additional time.
    #[must_use]
    pub fn within_time_limit(self, limits: &Limits) -> Self {
        if self.usage.cpu <= limits.cpu || self.verdict == TimeLimit {
            return self;
        }
        Self {
            verdict: TimeLimit,
            findings: Findings::default(),
            ..self
        }
    }

    /// Whether its memory may have exceeded the limit, hidden by its output or by files
    /// it was the first to read. Does not matter after its time limit.
    pub fn may_hide_too_much(&self, limits: &Limits) -> bool {
        self.verdict != MemoryLimit
            && self.usage.cpu <= limits.cpu
            && self.possible_memory_bytes() > limits.memory_bytes
    }

    fn possible_memory_bytes(&self) -> u64 {
        self.usage
            .peak_memory_bytes
            .saturating_add(self.usage.hidden_memory_bytes)
    }

    fn takes_at_most(&self, percent: u128, limits: &Limits) -> bool {
        self.usage.cpu.as_nanos() * 100 <= percent * limits.cpu.as_nanos()
    }

    /// Resolves a doubtful trial by running it `again`, alone, within
    /// [`Limits::for_run_alone`]. Also returns whether the result is certain, or might
    /// differ another day.
    ///
    /// One rerun is enough, unless it exceeds the time limit only slightly or may have
    /// hidden too much memory again: then the job gets up to three more. Memory that
    /// none of them could explain counts against it.
    ///
    /// # Errors
    /// Returns the first error of `again`.
    pub fn settled<E>(
        self,
        limits: &Limits,
        mut again: impl FnMut() -> Result<Self, E>,
    ) -> Result<(Self, bool), E> {
        let mut counts = self;
        for _ in 1..MOST_RUNS {
            let last = again()?;
            let needs_little_more = last.takes_at_most(RUN_ALONE_PERCENT, limits);
            counts = counts.resolved_by_rerun(last, limits);
            let is_slow_by_little = counts.verdict == TimeLimit && needs_little_more;
            if !is_slow_by_little && !counts.may_hide_too_much(limits) {
                return Ok((counts, true));
            }
        }
        Ok((counts.with_hidden_memory(limits), false))
    }

    /// Counts memory that may have been hidden, less [`MOST_HIDDEN_BYTES`], as used if
    /// that exceeds the limit.
    fn with_hidden_memory(self, limits: &Limits) -> Self {
        let peak_memory_bytes = self
            .possible_memory_bytes()
            .saturating_sub(MOST_HIDDEN_BYTES);
        if self.verdict == MemoryLimit || peak_memory_bytes <= limits.memory_bytes {
            return self;
        }
        let usage = Usage {
            peak_memory_bytes,
            hidden_memory_bytes: MOST_HIDDEN_BYTES,
            ..self.usage
        };
        Self {
            verdict: MemoryLimit,
            usage,
            findings: Findings::default(),
            ..self
        }
    }

    /// Returns the one of two runs that counts, as a whole.
    ///
    /// A verdict that depends on the machine is given only if both runs get one. Any
    /// other verdict of the first run stands whatever the second does: a wrong answer
    /// within the limits does not become right by another try. Otherwise the run with
    /// less CPU time counts, or the one with less memory if both used too much. If
    /// memory may have been hidden, the memory figures are taken from the run with the
    /// smaller upper bound, and a memory breach of the second run counts if the first
    /// may have hidden one.
    #[must_use]
    pub fn resolved_by_rerun(self, again: Self, limits: &Limits) -> Self {
        let was_faster = again.usage.cpu < self.usage.cpu;
        let again_counts = match (self.verdict, again.verdict) {
            (MemoryLimit, MemoryLimit) => {
                again.usage.peak_memory_bytes < self.usage.peak_memory_bytes
            }
            (MemoryLimit, _) => true,
            (_, MemoryLimit) if self.may_hide_too_much(limits) => true,
            (first, second) if first.is_about_time() => {
                was_faster || !second.is_about_time()
            }
            (first, second) => was_faster && first == second,
        };
        let (counts, other) = if again_counts {
            (again, self)
        } else {
            (self, again)
        };
        Self {
            rerun: true,
            usage: counts.usage_with_memory_of(&other),
            ..counts
        }
    }

    /// Its usage, but with the memory figures of another run of the same program if
    /// their upper bound is smaller. A run that broke the memory limit hides nothing.
    fn usage_with_memory_of(&self, other: &Self) -> Usage {
        let is_any_too_much = [self, other]
            .iter()
            .any(|trial| trial.verdict == MemoryLimit);
        let hides_less = self.usage.hidden_memory_bytes > 0
            && other.possible_memory_bytes() < self.possible_memory_bytes();
        if is_any_too_much || !hides_less {
            return self.usage;
        }
        Usage {
            peak_memory_bytes: other.usage.peak_memory_bytes,
            hidden_memory_bytes: other.usage.hidden_memory_bytes,
            ..self.usage
        }
    }
}

/// A submission that is ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its command.
    pub command: Vec<String>,
    /// Its environment.
    pub environment: Vec<(String, String)>,
    /// The files and folders that it must be able to read; the first is the folder with
    /// its own files.
    pub readable: Vec<PathBuf>,
    /// The file in which it starts, relative to the folder where it was built, or the
    /// class if its language starts one.
    pub entry_point: String,
}

impl Program {
    /// Launches this program as a submission on an input.
    pub fn on(&self, input: Input) -> Launch {
        Launch {
            command: self.command.clone(),
            environment: self.environment.clone(),
            input,
            readable: self.readable.clone(),
            role: Role::Submission,
            scratch: ScratchFiles::default(),
        }
    }

    /// Launches it on the case of this name, with the arguments and files that the
    /// problem supplies there.
    pub fn on_case(&self, problem: &Problem, case: &str, input: Input) -> Launch {
        let mut launch = self.on(input);
        if let Some(CaseSupply { arguments, files }) = problem.supplies.get(case) {
            launch.command.extend_from_slice(arguments);
            let given = |file: &SourceFile| GivenFile {
                name: file.name.clone(),
                content: Input::CopyOf(file.path.clone()),
            };
            launch.scratch.given.extend(files.iter().map(given));
        }
        let FileStreams { input, output } = &problem.file_streams;
        if let Some(name) = input.clone() {
            let content = std::mem::replace(&mut launch.input, Input::Empty);
            launch.scratch.given.push(GivenFile { name, content });
        }
        launch.scratch.output.clone_from(output);
        launch
    }
}

/// A checker that is ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerProgram {
    /// The program to start.
    pub program: Program,
    /// A folder of the judge in which each run of the checker gets one of its own.
    pub scratch: PathBuf,
    /// The checker that follows, if this one does not have the last word.
    pub final_checker: Option<Box<Self>>,
}

// The source of a submission as a static validator sees it.

/// The files of a submission, prepared as for compiling.
#[derive(Debug)]
pub struct SubmittedSources {
    /// The code of its language in package formats.
    pub language: String,
    /// The file in which the program starts, or the class.
    pub entry_point: String,
    /// The folder that contains its files and the build output.
    pub folder: PathBuf,
}

/// The answer files of a submission, by case name. A case without a file is not
/// answered.
pub type SubmittedAnswers = BTreeMap<String, PathBuf>;

// The lines that a submission and the interactor of its problem sent to each other.
// Plain data; recording and showing it are done elsewhere.

/// The transcript of an interaction: its beginning and its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The first lines.
    pub lines: Vec<TranscriptLine>,
    /// Number of lines between `lines` and `last_lines` that were not recorded.
    #[serde(skip_serializing_if = "is_default", default)]
    pub left_out: u64,
    /// The last lines; empty if all lines are in `lines`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub last_lines: Vec<TranscriptLine>,
}

impl Transcript {
    /// The last lines in order, at most `most` of them.
    pub fn last(&self, most: usize) -> Vec<&TranscriptLine> {
        let all = self.lines.iter().chain(&self.last_lines);
        let skipped = (self.lines.len() + self.last_lines.len()).saturating_sub(most);
        all.skip(skipped).collect()
    }
}

/// A piece that one side sent, up to the end of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TranscriptLine {
    /// Time since the start of the interaction, in microseconds.
    pub at_us: u64,
    /// The side that sent it.
    pub by: Speaker,
    /// The line, without its end. Bytes that are not valid text are replaced.
    pub text: String,
    /// Number of its bytes that were not recorded.
    #[serde(skip_serializing_if = "is_default", default)]
    pub left_out_bytes: u64,
    /// Whether it lacks an end of line, because the other side sent something or the
    /// interaction was over.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unfinished: bool,
}

/// A side of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The submission.
    Submission,
    /// The interactor of its problem.
    Interactor,
}

/// Whether a field has its default, with which the log leaves it out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

// Where interactions are shown while they take place. Events report an interaction when
// it is over, in the order of the plan; this is only for people who watch, and no
// report relies on it.

/// A case of a submission, by its places in the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlannedCase {
    /// The submission's place in the plan.
    pub entry: usize,
    /// The case's place among the submission's cases.
    pub case: usize,
}

/// Shows the lines of submissions and interactors as they are sent. It is called from
/// many threads and must not block them.
pub trait InteractionDisplay: Sync {
    /// Everything before this case in the plan has been reported. Lines of later cases
    /// may already have been passed to [`say`](Self::say).
    fn turn(&self, case: PlannedCase);

    /// An interaction begins; there may be several on a case.
    fn begin(&self, case: PlannedCase);

    /// A line was sent. Called only for the first lines of an interaction; their number
    /// is bounded.
    fn say(&self, case: PlannedCase, line: &TranscriptLine);

    /// An interaction is over; this is its transcript.
    fn end(&self, case: PlannedCase, talk: &Transcript);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    pub(super) const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(2),
        memory_bytes: 1000,
        output_bytes: 100,
        processes: 1,
        frequent_samples: false,
        address_space: None,
    };

    fn trial(verdict: Verdict, cpu_ns: u64) -> Trial {
        let usage = Usage {
            cpu: Duration::from_nanos(cpu_ns),
            ..Usage::default()
        };
        Trial::new(verdict, Exit::Code(0), usage)
    }

    #[test]
    fn a_run_over_its_time_limit_is_doubtful_up_to_one_and_a_half_times_it() {
        for (cpu_ns, doubtful) in [
            (1_000_000_000, false),
            (1_000_000_001, true),
            (1_500_000_000, true),
            (1_500_000_001, false),
        ] {
            let verdict = if cpu_ns > 1_000_000_000 {
                Verdict::TimeLimit
            } else {
                Verdict::Accepted
            };
            assert_eq!(
                trial(verdict, cpu_ns).is_doubtful(&LIMITS),
                doubtful,
                "{cpu_ns} ns"
            );
        }
    }

    #[test]
    fn the_doubtful_range_is_exact_for_any_limit() {
        let limits = Limits {
            cpu: Duration::from_nanos(7),
            ..LIMITS
        };
        let doubtful = (8..12)
            .filter(|cpu_ns| trial(Verdict::TimeLimit, *cpu_ns).is_doubtful(&limits));
        assert_eq!(doubtful.collect::<Vec<_>>(), [8, 9, 10]);
    }

    #[test]
    fn too_much_memory_is_doubtful_up_to_five_quarters_of_the_limit() {
        let of = |peak_memory_bytes| {
            let trial = trial(Verdict::MemoryLimit, 2_000_000_000);
            Trial {
                usage: Usage {
                    peak_memory_bytes,
                    ..trial.usage
                },
                ..trial
            }
        };
        assert!(of(1001).is_doubtful(&LIMITS) && of(1250).is_doubtful(&LIMITS));
        assert!(!of(1251).is_doubtful(&LIMITS) && !of(u64::MAX).is_doubtful(&LIMITS));
        let less = Trial {
            rerun: true,
            ..of(1100)
        };
        assert_eq!(of(1200).resolved_by_rerun(of(1100), &LIMITS), less);
        assert_eq!(of(1100).resolved_by_rerun(of(1200), &LIMITS), less);
    }

    /// Runs of these CPU times, in percent of the limit, follow a first one of 101.
    /// Returns the verdict and CPU time that count, whether they are certain, and the
    /// number of reruns.
    fn settled(again: &[u64]) -> (Verdict, u64, bool, usize) {
        let of = |percent: u64| {
            let verdict = if percent > 100 {
                Verdict::TimeLimit
            } else {
                Verdict::Accepted
            };
            trial(verdict, percent * 10_000_000)
        };
        let mut runs = 0;
        let (counts, is_certain) = of(101)
            .settled(&LIMITS, || {
                runs += 1;
                Ok::<_, ()>(of(again[runs - 1]))
            })
            .unwrap();
        assert!(counts.rerun);
        (
            counts.verdict,
            counts.usage.cpu.as_millis() as u64 / 10,
            is_certain,
            runs,
        )
    }

    #[test]
    fn a_run_slightly_over_the_limit_gets_five_attempts_and_one_far_over_gets_two() {
        assert_eq!(settled(&[99]), (Verdict::Accepted, 99, true, 1));
        assert_eq!(settled(&[126]), (Verdict::TimeLimit, 101, true, 1));
        assert_eq!(settled(&[110, 104, 99]), (Verdict::Accepted, 99, true, 3));
        assert_eq!(settled(&[110, 126]), (Verdict::TimeLimit, 101, true, 2));
        assert_eq!(
            settled(&[110, 104, 102, 105]),
            (Verdict::TimeLimit, 101, false, 4)
        );
    }

    #[test]
    fn a_breach_within_the_added_time_counts_as_time_limit() {
        for verdict in [
            Verdict::MemoryLimit,
            Verdict::OutputLimit,
            Verdict::RuntimeError,
        ] {
            assert_eq!(
                trial(verdict, 1_000_000_000)
                    .within_time_limit(&LIMITS)
                    .verdict,
                verdict
            );
            assert_eq!(
                trial(verdict, 1_000_000_001)
                    .within_time_limit(&LIMITS)
                    .verdict,
                Verdict::TimeLimit
            );
        }
    }

    #[test]
    fn the_limits_of_a_run_end_where_it_is_no_longer_doubtful() {
        let expected = Limits {
            cpu: Duration::from_millis(1500),
            ..LIMITS
        };
        assert_eq!(LIMITS.for_first_run(), expected);
        let expected = Limits {
            cpu: Duration::from_millis(1250),
            frequent_samples: true,
            ..LIMITS
        };
        assert_eq!(LIMITS.for_run_alone(), expected);
        let waits_little = Limits {
            wall: Duration::from_secs(1),
            ..LIMITS
        };
        assert_eq!(
            waits_little.for_first_run().wall,
            Duration::from_millis(1500)
        );
    }

    #[test]
    fn of_trials_that_hide_nothing_only_verdicts_that_the_machine_may_cause_are_doubtful()
     {
        let verdicts = Verdict::all()
            .filter(|verdict| trial(*verdict, 900_000_000).is_doubtful(&LIMITS));
        assert_eq!(
            verdicts.map(Verdict::code).collect::<Vec<_>>(),
            ["TLE", "ILE", "MLE"]
        );
    }

    #[test]
    fn a_run_that_has_idled_by_itself_is_not_doubtful() {
        let mut idle = trial(Verdict::IdleLimit, 0);
        idle.usage.idled_by_itself = true;
        assert!(!idle.is_doubtful(&LIMITS));
    }

    /// A limit of 1000 bytes plus the tolerance for hidden memory.
    const LARGE: Limits = Limits {
        memory_bytes: 1000 + MOST_HIDDEN_BYTES,
        ..LIMITS
    };

    /// A trial with this much memory seen and this much possibly hidden.
    fn hiding(
        verdict: Verdict,
        peak_memory_bytes: u64,
        hidden_memory_bytes: u64,
    ) -> Trial {
        let trial = trial(verdict, 1_000_000);
        Trial {
            usage: Usage {
                peak_memory_bytes,
                hidden_memory_bytes,
                ..trial.usage
            },
            ..trial
        }
    }

    #[test]
    fn possibly_hidden_memory_makes_every_verdict_doubtful_but_output_limit() {
        for verdict in Verdict::all() {
            let is_doubtful = hiding(verdict, 900, 101).is_doubtful(&LIMITS);
            assert_eq!(is_doubtful, verdict != Verdict::OutputLimit, "{verdict:?}");
        }
        assert!(!hiding(Verdict::Accepted, 900, 100).is_doubtful(&LIMITS));
    }

    /// The result of a first run that may have hidden more than the limit, followed by
    /// these; the number of reruns, and whether the result is certain.
    fn settled_after_hiding(again: &[Trial]) -> (Trial, usize, bool) {
        let first = hiding(Verdict::Accepted, 500, 4 * MOST_HIDDEN_BYTES);
        let mut runs = 0;
        let (counts, is_certain) = first
            .settled(&LARGE, || {
                runs += 1;
                Ok::<_, ()>(again[(runs - 1).min(again.len() - 1)].clone())
            })
            .unwrap();
        (counts, runs, is_certain)
    }

    #[test]
    fn the_job_is_rerun_until_its_memory_is_known_to_be_within_the_limit_or_not() {
        let accepted = hiding(Verdict::Accepted, 900, 100);
        let found = settled_after_hiding(std::slice::from_ref(&accepted));
        assert_eq!(
            found,
            (
                Trial {
                    rerun: true,
                    ..accepted.clone()
                },
                1,
                true
            )
        );
        let hides_again = hiding(Verdict::Accepted, 900, LARGE.memory_bytes - 1);
        let found = settled_after_hiding(&[hides_again.clone(), accepted.clone()]);
        assert_eq!(
            found,
            (
                Trial {
                    rerun: true,
                    ..accepted
                },
                2,
                true
            )
        );
        let too_much = hiding(Verdict::MemoryLimit, LARGE.memory_bytes + 1, 0);
        let found = settled_after_hiding(&[hides_again, too_much.clone()]);
        assert_eq!(
            found,
            (
                Trial {
                    rerun: true,
                    ..too_much
                },
                2,
                true
            )
        );
    }

    #[test]
    fn a_rerun_within_the_limit_is_the_last_even_if_it_hides_more_than_the_first() {
        let first = hiding(Verdict::Accepted, LARGE.memory_bytes - 6, 30);
        let again = hiding(Verdict::Accepted, LARGE.memory_bytes - 56, 31);
        let mut runs = 0;
        let (counts, is_certain) = first
            .settled(&LARGE, || {
                runs += 1;
                Ok::<_, ()>(again.clone())
            })
            .unwrap();
        assert_eq!(
            (counts.verdict, counts.usage, runs, is_certain),
            (Verdict::Accepted, again.usage, 1, true)
        );
    }

    #[test]
    fn unexplained_memory_counts_beyond_the_tolerance() {
        let of =
            |hidden| settled_after_hiding(&[hiding(Verdict::Accepted, 1000, hidden)]);
        let (counts, runs, is_certain) = of(MOST_HIDDEN_BYTES + 1);
        assert_eq!(
            (counts.verdict, runs, is_certain),
            (Verdict::Accepted, 4, false)
        );
        let (counts, runs, is_certain) = of(2 * MOST_HIDDEN_BYTES + 1);
        assert_eq!(
            (counts.verdict, runs, is_certain),
            (Verdict::MemoryLimit, 4, false)
        );
        assert_eq!(counts.usage.peak_memory_bytes, LARGE.memory_bytes + 1);
    }

    #[test]
    fn of_two_runs_one_counts_as_a_whole() {
        for (first, again, counts) in [
            // The smaller time of the same verdict.
            (("AC", 9), ("AC", 8), ("AC", 8)),
            (("AC", 8), ("AC", 9), ("AC", 8)),
            (("WA", 9), ("WA", 8), ("WA", 8)),
            (("TLE", 12), ("TLE", 11), ("TLE", 11)),
            (("TLE", 11), ("TLE", 12), ("TLE", 11)),
            // Too much time needs two runs to confirm it...
            (("TLE", 11), ("AC", 9), ("AC", 9)),
            (("TLE", 11), ("WA", 9), ("WA", 9)),
            (("TLE", 11), ("MLE", 12), ("MLE", 12)),
            (("TLE", 11), ("ILE", 1), ("ILE", 1)),
            (("ILE", 1), ("AC", 2), ("AC", 2)),
            (("ILE", 1), ("ILE", 2), ("ILE", 1)),
            // So does too much memory.
            (("MLE", 11), ("AC", 12), ("AC", 12)),
            (("MLE", 11), ("RE", 12), ("RE", 12)),
            (("MLE", 11), ("TLE", 12), ("TLE", 12)),
            (("MLE", 11), ("MLE", 9), ("MLE", 11)),
            // ...and any other verdict of the first run stands.
            (("WA", 9), ("AC", 8), ("WA", 9)),
            (("AC", 9), ("WA", 8), ("AC", 9)),
            (("RE", 9), ("AC", 8), ("RE", 9)),
            (("PE", 9), ("AC", 8), ("PE", 9)),
            (("AC", 9), ("TLE", 11), ("AC", 9)),
            (("AC", 9), ("ILE", 1), ("AC", 9)),
        ] {
            let of =
                |(code, cpu_ns): (&str, u64)| trial(code.parse().unwrap(), cpu_ns);
            let expected = Trial {
                rerun: true,
                ..of(counts)
            };
            assert_eq!(
                of(first).resolved_by_rerun(of(again), &LIMITS),
                expected,
                "{first:?} {again:?}"
            );
        }
    }
}
