//! Builds a finished run from its launcher's report and its output. Knows figures and streams;
//! knows nothing of how they were obtained.

use crate::host::std_streams::StdStreams;
use crate::protocol::RunReport;
use crate::{Fault, Run, Usage};

/// Adds the bytes that a run may have kept in its output to the peak. They count as if the output
/// had been used to its limit.
pub(super) fn with_hidden(report: RunReport, bytes: u64) -> RunReport {
    let peak_memory_bytes = report.usage.peak_memory_bytes.saturating_add(bytes);
    RunReport {
        usage: Usage {
            peak_memory_bytes,
            ..report.usage
        },
        ..report
    }
}

/// Builds the run from a report.
///
/// # Errors
/// Returns a [`Fault`] if its output cannot be read.
pub(super) fn run_of(report: RunReport, streams: StdStreams) -> Result<Run, Fault> {
    let captured = streams
        .captured()
        .map_err(|error| Fault::new("reading what a run wrote", error))?;
    Ok(Run {
        exit: report.exit,
        usage: report.usage,
        missing_output: report.missing_output,
        out_of_memory: report.out_of_memory,
        stdout: captured.stdout,
        stdout_bytes: captured.stdout_bytes,
        stderr_bytes: captured.stderr_bytes,
        stderr_tail: captured.stderr_tail,
    })
}
