//! Describes which limit a trial broke and by how much, or how its program ended, for the summary
//! of a submission and for every report. Knows verdicts, figures and limits, but not findings.

use crate::model::{LoggedLimits, Trial, TrialRecord, Verdict};
use crate::text::{mebibytes, time};
use gridjudge_sandbox::Exit;

/// What a trial used and how its program ended, as far as that is known.
pub(crate) struct BreachFigures {
    verdict: Verdict,
    cpu_us: Option<u64>,
    wall_us: Option<u64>,
    peak_memory_bytes: Option<u64>,
    exit: Option<Exit>,
}

impl BreachFigures {
    /// The broken limit, with the figures that show it; `None` if no limit was broken or a figure
    /// is missing.
    pub(crate) fn reason(&self, limits: Option<&LoggedLimits>) -> Option<String> {
        if self.verdict == Verdict::RuntimeError {
            return self.exit.map(|exit| format!("ended with {exit}"));
        }
        let limits = limits?;
        match self.verdict {
            Verdict::TimeLimit => {
                let cpu = time(self.cpu_us?);
                Some(format!(
                    "stopped at {cpu} of CPU time, {} allowed",
                    time(limits.cpu_us)
                ))
            }
            Verdict::IdleLimit => {
                let wall = time(self.wall_us?);
                let cpu = time(self.cpu_us?);
                let allowed = time(limits.wall_us);
                Some(format!(
                    "{wall} of wall time with {cpu} of CPU time, {allowed} allowed"
                ))
            }
            Verdict::MemoryLimit => {
                let peak = mebibytes(self.peak_memory_bytes?);
                Some(format!(
                    "{peak} of memory, {} allowed",
                    mebibytes(limits.memory_bytes)
                ))
            }
            Verdict::OutputLimit => Some(format!(
                "more than {} of output",
                mebibytes(limits.output_bytes)
            )),
            Verdict::Accepted
            | Verdict::WrongAnswer
            | Verdict::PresentationError
            | Verdict::RuntimeError
            | Verdict::CompileError
            | Verdict::Skipped => None,
        }
    }
}

impl From<&TrialRecord> for BreachFigures {
    fn from(record: &TrialRecord) -> Self {
        let TrialRecord {
            verdict,
            cpu_us,
            wall_us,
            peak_memory_bytes,
            exit,
            ..
        } = *record;
        Self {
            verdict,
            cpu_us,
            wall_us,
            peak_memory_bytes,
            exit,
        }
    }
}

impl From<&Trial> for BreachFigures {
    fn from(trial: &Trial) -> Self {
        let micros = |time: std::time::Duration| u64::try_from(time.as_micros()).ok();
        Self {
            verdict: trial.verdict,
            cpu_us: micros(trial.usage.cpu),
            wall_us: micros(trial.usage.wall),
            peak_memory_bytes: Some(trial.usage.peak_memory_bytes),
            exit: Some(trial.exit),
        }
    }
}
