//! Why a trial came to its verdict, in a few words, for a summary. Knows trials and limits; nothing of other trials.

use crate::model::Trial;
use crate::model::Verdict;
use gridjudge_sandbox::Limits;

/// Why a trial came to its verdict, in a few words.
pub(crate) fn reason(trial: &Trial, limits: &Limits) -> String {
    match trial.verdict {
        Verdict::TimeLimit => format!(
            "stopped at {:.3} s of CPU time, {:.3} s allowed",
            seconds(trial),
            limits.cpu.as_secs_f64()
        ),
        Verdict::IdleLimit => format!(
            "{:.3} s of wall time with {:.3} s of CPU time, {:.3} s allowed",
            trial.usage.wall.as_secs_f64(),
            seconds(trial),
            limits.wall.as_secs_f64()
        ),
        Verdict::MemoryLimit => format!(
            "{:.1} MiB of memory, {:.1} MiB allowed",
            mebibytes(trial.usage.peak_memory_bytes),
            mebibytes(limits.memory_bytes)
        ),
        Verdict::OutputLimit => format!("more than {:.1} MiB of output", mebibytes(limits.output_bytes)),
        Verdict::RuntimeError => format!("ended with {}", trial.exit),
        _ => {
            let first = trial.findings.as_ref().and_then(|findings| findings.listed.first());
            first.map_or_else(String::new, |finding| finding.message.clone())
        }
    }
}

fn seconds(trial: &Trial) -> f64 {
    trial.usage.cpu.as_secs_f64()
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
