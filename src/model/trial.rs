//! One submission on one case: the job before it, the trial after it.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Case;
use crate::model::CaseSupply;
use crate::model::FileStreams;
use crate::model::Findings;
use crate::model::Problem;
use crate::model::SourceFile;
use crate::model::Transcript;
use crate::model::Verdict;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::GivenFile;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::ScratchFiles;
use gridjudge_sandbox::Usage;

/// One submission on one case, self-contained: all that is needed to run and judge it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The problem.
    pub problem: Arc<Problem>,
    /// What reports call the submission.
    pub submission: Arc<str>,
    /// The case.
    pub case: Case,
    /// What to start.
    pub launch: Launch,
    /// What it may use.
    pub limits: Limits,
    /// The problem's checker, where a program judges outputs.
    pub checker: Option<Arc<CheckerProgram>>,
    /// Whether what it says to an interactor, and is told by it, is to be kept.
    pub keeps_transcript: bool,
}

/// A judged job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// What it earned.
    pub verdict: Verdict,
    /// How its first process ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// What the checker found; `None` where the run itself had settled the verdict.
    pub findings: Option<Findings>,
    /// The end of what it wrote to standard error.
    #[serde(rename = "stderr", with = "as_text", skip_serializing_if = "Vec::is_empty", default)]
    pub stderr_tail: Vec<u8>,
    /// What it and the interactor of its problem said to each other, where that is to be kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub transcript: Option<Transcript>,
    /// Whether the job was run again, alone. All else is of the run that counts.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub rerun: bool,
    /// Whether it was known from an earlier time. All else is of the run of that time.
    #[serde(skip)]
    pub cached: bool,
}

/// CPU time so close to its limit that one run beside others does not settle on which side of it a program is, in
/// hundredths of the limit. Measured beside others, a program that works on much memory takes a fifth more than alone.
const NEAR_LIMIT_PERCENT: RangeInclusive<u128> = 80..=125;

/// How much memory a run may have had and given back unseen, when it was looked at closely each time and still may have had too
/// much. It is far more than programs write between two looks that are half a millisecond apart.
const MOST_HIDDEN_BYTES: u64 = 8 << 20;

/// How often a job is run at most. Where others fill the caches, one run in five is disturbed little.
const MOST_RUNS: usize = 5;

impl Trial {
    /// Whether the machine may have had its share in what a first run earned, so that the job is to be run again, with
    /// the machine to itself; [`settled`](Self::settled) says how often, and which run counts then.
    pub fn is_doubtful(&self, limits: &Limits) -> bool {
        match self.verdict {
            // What is remembered is what counted, after other runs if it took them.
            _ if self.cached => false,
            // Blamed before all others, and true at any speed.
            Verdict::OutputLimit => false,
            // What a run is the first to read of the disk, and what others left, may be counted for it.
            Verdict::MemoryLimit => {
                u128::from(self.usage.peak_memory_bytes) * 100
                    <= NEAR_LIMIT_PERCENT.end() * u128::from(limits.memory_bytes)
            }
            // The wait for a processor has been deducted, but not that for a disk, or for memory to come back from one.
            Verdict::IdleLimit => true,
            _ => self.is_near_limit(limits) || self.may_hide_too_much(limits),
        }
    }

    /// Whether it may have had too much memory behind its output, or behind files that it was the first to read.
    fn may_hide_too_much(&self, limits: &Limits) -> bool {
        self.verdict != Verdict::MemoryLimit && self.possible_memory_bytes() > limits.memory_bytes
    }

    fn possible_memory_bytes(&self) -> u64 {
        self.usage.peak_memory_bytes.saturating_add(self.usage.hidden_memory_bytes)
    }

    fn is_near_limit(&self, limits: &Limits) -> bool {
        let (used, limit) = (self.usage.cpu.as_nanos(), limits.cpu.as_nanos());
        (NEAR_LIMIT_PERCENT.start() * limit..=NEAR_LIMIT_PERCENT.end() * limit).contains(&(used * 100))
    }

    /// What a doubtful trial comes to when it is held `again`, alone, within [`Limits::with_slack`]; and whether that is
    /// certain, or another day it may come to something else.
    ///
    /// Once is enough, unless it is too slow and would not need much more time, or may have hidden too much memory again: then
    /// it has some tries more. What could not be explained in any of them counts against it.
    ///
    /// # Errors
    /// Whatever prevents a run.
    pub fn settled<E>(
        self,
        limits: &Limits,
        mut again: impl FnMut() -> Result<Self, E>,
    ) -> Result<(Self, bool), E> {
        let mut counts = self;
        for _ in 1..MOST_RUNS {
            let mut last = again()?;
            if counts.verdict.is_about_time() && last.usage.cpu > limits.cpu {
                // Whatever it broke besides, it may have broken in the time that was added.
                last.verdict = Verdict::TimeLimit;
            }
            let needs_little_more = last.is_near_limit(limits);
            counts = counts.resolved_by_rerun(last, limits);
            let is_slow_by_little = counts.verdict == Verdict::TimeLimit && needs_little_more;
            if !is_slow_by_little && !counts.may_hide_too_much(limits) {
                return Ok((counts, true));
            }
        }
        Ok((counts.with_hidden_memory(limits), false))
    }

    /// The same, with what it may have hidden of memory, less what any program may have between two looks, if that is too much.
    fn with_hidden_memory(self, limits: &Limits) -> Self {
        let peak_memory_bytes = self.possible_memory_bytes().saturating_sub(MOST_HIDDEN_BYTES);
        if self.verdict == Verdict::MemoryLimit || peak_memory_bytes <= limits.memory_bytes {
            return self;
        }
        let usage = Usage { peak_memory_bytes, hidden_memory_bytes: MOST_HIDDEN_BYTES, ..self.usage };
        Self { verdict: Verdict::MemoryLimit, usage, findings: None, ..self }
    }

    /// Of a first run and a second, the one that counts, whole.
    ///
    /// A verdict in which the machine has its share is given only if both earn one. Any other verdict of the first run
    /// stands, whatever the second does: a wrong answer that came in time does not become right by another try. Beyond
    /// that, the smaller CPU time counts, or what needed less memory if both needed too much. Where memory may have been hidden,
    /// the figures of the run count that had less for certain, and too much is too much if the first may have hidden it.
    #[must_use]
    pub fn resolved_by_rerun(self, again: Self, limits: &Limits) -> Self {
        let was_faster = again.usage.cpu < self.usage.cpu;
        let again_counts = match (self.verdict, again.verdict) {
            (Verdict::MemoryLimit, Verdict::MemoryLimit) => {
                again.usage.peak_memory_bytes < self.usage.peak_memory_bytes
            }
            (Verdict::MemoryLimit, _) => true,
            (_, Verdict::MemoryLimit) if self.may_hide_too_much(limits) => true,
            (first, second) if first.is_about_time() => was_faster || !second.is_about_time(),
            (first, second) => was_faster && first == second,
        };
        let (counts, other) = if again_counts { (again, self) } else { (self, again) };
        let usage = counts.usage_with_memory_of(&other);
        Self { rerun: true, usage, ..counts }
    }

    /// What it used, with the memory of another run of the same program if that had less for certain. What broke its limit hides
    /// nothing.
    fn usage_with_memory_of(&self, other: &Self) -> Usage {
        let is_any_too_much = [self, other].iter().any(|trial| trial.verdict == Verdict::MemoryLimit);
        let Usage { peak_memory_bytes, hidden_memory_bytes, .. } = other.usage;
        let may_hide = self.usage.hidden_memory_bytes > 0;
        match !is_any_too_much && may_hide && other.possible_memory_bytes() < self.possible_memory_bytes() {
            true => Usage { peak_memory_bytes, hidden_memory_bytes, ..self.usage },
            false => self.usage,
        }
    }
}

/// A submission made ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its command.
    pub command: Vec<String>,
    /// Its environment.
    pub environment: Vec<(String, String)>,
    /// What it needs to read.
    pub readable: Vec<PathBuf>,
    /// The file in which it starts, as seen from where it was made, or the class if its language starts one.
    pub entry_point: String,
}

impl Program {
    /// The launch of this program, as a submission, on an input.
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

    /// The same as a submission to a problem, with what that gives it on the case of this name, if there is one.
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

/// A checker made ready to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckerProgram {
    /// What to start.
    pub program: Program,
    /// A folder of the judge's own in which each run of it has one.
    pub scratch: PathBuf,
    /// The one that comes after it, where it is an interactor that has not the last word.
    pub final_checker: Option<Box<Self>>,
}

/// Bytes that are written as text: what compilers and programs say mostly is, and reports show it as such.
mod as_text {
    use serde::Deserialize;
    use serde::Deserializer;
    use serde::Serializer;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&String::from_utf8_lossy(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(deserializer).map(String::into_bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(2),
        memory_bytes: 1000,
        output_bytes: 100,
        processes: 1,
        close_looks: false,
    };

    fn trial(verdict: Verdict, cpu_ns: u64) -> Trial {
        let usage = Usage { cpu: Duration::from_nanos(cpu_ns), ..Usage::default() };
        Trial {
            verdict,
            exit: Exit::Code(0),
            usage,
            findings: None,
            stderr_tail: Vec::new(),
            transcript: None,
            rerun: false,
            cached: false,
        }
    }

    #[test]
    fn from_four_fifths_of_the_limit_to_five_quarters_a_run_is_doubtful() {
        for (cpu_ns, doubtful) in [
            (0, false),
            (799_999_999, false),
            (800_000_000, true),
            (1_000_000_000, true),
            (1_250_000_000, true),
            (1_250_000_001, false),
        ] {
            let verdict = if cpu_ns > 1_000_000_000 { Verdict::TimeLimit } else { Verdict::Accepted };
            assert_eq!(trial(verdict, cpu_ns).is_doubtful(&LIMITS), doubtful, "{cpu_ns} ns");
        }
    }

    #[test]
    fn a_limit_of_any_length_has_exact_edges() {
        let limits = Limits { cpu: Duration::from_nanos(7), ..LIMITS };
        let doubtful = (0..12).filter(|cpu_ns| trial(Verdict::Accepted, *cpu_ns).is_doubtful(&limits));
        assert_eq!(doubtful.collect::<Vec<_>>(), [6, 7, 8]);
        let limits = Limits { cpu: Duration::MAX, ..LIMITS };
        assert!(!trial(Verdict::Accepted, u64::MAX).is_doubtful(&limits));
    }

    #[test]
    fn too_much_memory_is_doubtful_up_to_five_quarters_of_the_limit() {
        let of = |peak_memory_bytes| {
            let trial = trial(Verdict::MemoryLimit, 2_000_000_000);
            Trial { usage: Usage { peak_memory_bytes, ..trial.usage }, ..trial }
        };
        assert!(of(1001).is_doubtful(&LIMITS) && of(1250).is_doubtful(&LIMITS));
        assert!(!of(1251).is_doubtful(&LIMITS) && !of(u64::MAX).is_doubtful(&LIMITS));
        let less = Trial { rerun: true, ..of(1100) };
        assert_eq!(of(1200).resolved_by_rerun(of(1100), &LIMITS), less);
        assert_eq!(of(1100).resolved_by_rerun(of(1200), &LIMITS), less);
    }

    /// Percents of the limit that the runs after a first of 101 take; what counts, whether it is certain, and how many
    /// runs there were after the first.
    fn settled(again: &[u64]) -> (Verdict, u64, bool, usize) {
        let of = |percent: u64| {
            let verdict = if percent > 100 { Verdict::TimeLimit } else { Verdict::Accepted };
            trial(verdict, percent * 10_000_000)
        };
        let mut runs = 0;
        let next = || {
            runs += 1;
            Ok::<_, ()>(of(again[runs - 1]))
        };
        let (counts, is_certain) = of(101).settled(&LIMITS, next).unwrap();
        assert!(counts.rerun);
        (counts.verdict, counts.usage.cpu.as_millis() as u64 / 10, is_certain, runs)
    }

    #[test]
    fn who_needs_little_more_than_the_limit_has_five_runs_and_who_needs_much_more_has_two() {
        assert_eq!(settled(&[99]), (Verdict::Accepted, 99, true, 1));
        assert_eq!(settled(&[126]), (Verdict::TimeLimit, 101, true, 1));
        assert_eq!(settled(&[110, 104, 99]), (Verdict::Accepted, 99, true, 3));
        assert_eq!(settled(&[110, 126]), (Verdict::TimeLimit, 101, true, 2));
        assert_eq!(settled(&[110, 104, 102, 105]), (Verdict::TimeLimit, 101, false, 4));
    }

    #[test]
    fn what_is_broken_in_the_time_that_was_added_is_not_charged() {
        for verdict in [Verdict::MemoryLimit, Verdict::OutputLimit, Verdict::RuntimeError] {
            let again = |cpu_ms: u64| {
                let mut runs = std::iter::repeat_with(|| Ok::<_, ()>(trial(verdict, cpu_ms * 1_000_000)));
                trial(Verdict::TimeLimit, 1_010_000_000)
                    .settled(&LIMITS, || runs.next().unwrap())
                    .unwrap()
                    .0
                    .verdict
            };
            assert_eq!(again(1300), Verdict::TimeLimit);
            assert_eq!(again(900), verdict);
        }
    }

    #[test]
    fn a_run_with_room_breaks_its_limit_where_a_program_is_far_beyond_its_own() {
        let expected = Limits { cpu: Duration::from_millis(1250), close_looks: true, ..LIMITS };
        assert_eq!(LIMITS.with_slack(), expected);
        assert!(!trial(Verdict::TimeLimit, 1_250_000_001).is_doubtful(&LIMITS));
    }

    #[test]
    fn near_the_limit_all_are_doubtful_but_a_flood_and_far_from_it_the_idle_and_those_just_above_their_memory()
     {
        let doubtful = |cpu_ns| {
            let verdicts = Verdict::all().filter(move |verdict| trial(*verdict, cpu_ns).is_doubtful(&LIMITS));
            verdicts.map(Verdict::code).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(doubtful(900_000_000), "AC WA PE TLE ILE MLE RE CE SK");
        assert_eq!(doubtful(1_000_000), "ILE MLE");
    }

    /// A limit of 1000 and the room between two looks.
    const LARGE: Limits = Limits { memory_bytes: 1000 + MOST_HIDDEN_BYTES, ..LIMITS };

    /// That earned this, with so much memory seen, and so much that may have been hidden.
    fn hiding(verdict: Verdict, peak_memory_bytes: u64, hidden_memory_bytes: u64) -> Trial {
        let trial = trial(verdict, 1_000_000);
        Trial { usage: Usage { peak_memory_bytes, hidden_memory_bytes, ..trial.usage }, ..trial }
    }

    #[test]
    fn who_may_have_hidden_too_much_is_doubtful_whatever_else_came_of_it() {
        for verdict in Verdict::all() {
            let is_doubtful = hiding(verdict, 900, 101).is_doubtful(&LIMITS);
            assert_eq!(is_doubtful, verdict != Verdict::OutputLimit, "{verdict:?}");
        }
        assert!(!hiding(Verdict::Accepted, 900, 100).is_doubtful(&LIMITS));
    }

    /// What a first run comes to that may have hidden more than the limit, when later ones may have hidden this; how many there
    /// were; and whether it is certain.
    fn settled_after_hiding(again: &[Trial]) -> (Trial, usize, bool) {
        let (first, mut runs) = (hiding(Verdict::Accepted, 500, 4 * MOST_HIDDEN_BYTES), 0);
        let next = || {
            runs += 1;
            Ok::<_, ()>(again[(runs - 1).min(again.len() - 1)].clone())
        };
        let (counts, is_certain) = first.settled(&LARGE, next).unwrap();
        (counts, runs, is_certain)
    }

    #[test]
    fn hidden_memory_is_looked_for_until_a_run_shows_it_or_shows_that_there_is_none() {
        let accepted = hiding(Verdict::Accepted, 900, 100);
        let found = settled_after_hiding(std::slice::from_ref(&accepted));
        assert_eq!(found, (Trial { rerun: true, ..accepted.clone() }, 1, true));
        let hides_again = hiding(Verdict::Accepted, 900, LARGE.memory_bytes - 1);
        let found = settled_after_hiding(&[hides_again.clone(), accepted.clone()]);
        assert_eq!(found, (Trial { rerun: true, ..accepted }, 2, true));
        let too_much = hiding(Verdict::MemoryLimit, LARGE.memory_bytes + 1, 0);
        let found = settled_after_hiding(&[hides_again, too_much.clone()]);
        assert_eq!(found, (Trial { rerun: true, ..too_much }, 2, true));
    }

    #[test]
    fn a_run_that_explains_all_is_the_last_though_it_may_hide_as_much_of_less() {
        let first = hiding(Verdict::Accepted, LARGE.memory_bytes - 6, 30);
        let again = hiding(Verdict::Accepted, LARGE.memory_bytes - 56, 31);
        let mut runs = 0;
        let next = || {
            runs += 1;
            Ok::<_, ()>(again.clone())
        };
        let (counts, is_certain) = first.settled(&LARGE, next).unwrap();
        assert_eq!(
            (counts.verdict, counts.usage, runs, is_certain),
            (Verdict::Accepted, again.usage, 1, true)
        );
    }

    #[test]
    fn what_no_run_has_explained_counts_but_for_what_any_program_may_have_between_two_looks() {
        let of = |hidden| settled_after_hiding(&[hiding(Verdict::Accepted, 1000, hidden)]);
        let (counts, runs, is_certain) = of(MOST_HIDDEN_BYTES + 1);
        assert_eq!((counts.verdict, runs, is_certain), (Verdict::Accepted, 4, false));
        let (counts, runs, is_certain) = of(2 * MOST_HIDDEN_BYTES + 1);
        assert_eq!((counts.verdict, runs, is_certain), (Verdict::MemoryLimit, 4, false));
        assert_eq!(counts.usage.peak_memory_bytes, LARGE.memory_bytes + 1);
    }

    #[test]
    fn of_two_runs_the_one_that_counts_is_taken_whole() {
        for (first, again, counts) in [
            // The smaller time of the same verdict.
            (("AC", 9), ("AC", 8), ("AC", 8)),
            (("AC", 8), ("AC", 9), ("AC", 8)),
            (("WA", 9), ("WA", 8), ("WA", 8)),
            (("TLE", 12), ("TLE", 11), ("TLE", 11)),
            (("TLE", 11), ("TLE", 12), ("TLE", 11)),
            // Too much time needs two witnesses...
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
            // ...and what came in time is not tried twice.
            (("WA", 9), ("AC", 8), ("WA", 9)),
            (("AC", 9), ("WA", 8), ("AC", 9)),
            (("RE", 9), ("AC", 8), ("RE", 9)),
            (("PE", 9), ("AC", 8), ("PE", 9)),
            (("AC", 9), ("TLE", 11), ("AC", 9)),
            (("AC", 9), ("ILE", 1), ("AC", 9)),
        ] {
            let of = |(code, cpu_ns): (&str, u64)| trial(code.parse().unwrap(), cpu_ns);
            let expected = Trial { rerun: true, ..of(counts) };
            assert_eq!(of(first).resolved_by_rerun(of(again), &LIMITS), expected, "{first:?} {again:?}");
        }
    }
}
