//! A finished run, made of what its launcher reports and of what it wrote. Knows figures and streams; knows nothing of how they came
//! about.

use crate::Fault;
use crate::Run;
use crate::Usage;
use crate::host::std_streams::StdStreams;
use crate::protocol::RunReport;

/// What a run may have kept in its output counts as if it had been the most that there can be.
pub(super) fn with_hidden(report: RunReport, bytes: u64) -> RunReport {
    let peak_memory_bytes = report.usage.peak_memory_bytes.saturating_add(bytes);
    RunReport { usage: Usage { peak_memory_bytes, ..report.usage }, ..report }
}

/// The run of a report.
///
/// # Errors
/// A [`Fault`] if what it wrote cannot be read.
pub(super) fn run_of(report: RunReport, streams: StdStreams) -> Result<Run, Fault> {
    let captured = streams.captured().map_err(|error| Fault::new("reading what a run wrote", error))?;
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
