//! Refuses memory limits that are too low to be measured where memory is measured by processes:
//! each process starts at the peak of its launcher, so every run would break a limit below that.
//! Knows one figure of the kernel.

use std::fs;

use crate::Fault;
use crate::launcher::assignment::Assignment;

/// The kernel counts the memory of a process in batches, some of which may not have been added yet.
const UNSURE_BYTES: u64 = 256 << 10;

/// How much a launcher may grow in its life: a limit that was named as sufficient must stay
/// sufficient.
const GROWTH_BYTES: u64 = 4 << 20;

/// Refuses a run whose limit is below the least memory that can be measured.
///
/// # Errors
/// Returns a [`Fault`] that names a sufficient limit.
pub(super) fn check_measurable(assignment: &Assignment) -> Result<(), Fault> {
    let limit_bytes = assignment.request.limits.memory_bytes;
    match own_peak_bytes().and_then(|peak_bytes| objection(limit_bytes, peak_bytes)) {
        None => Ok(()),
        Some(cause) => {
            let remedy = "raise the limit, or judge where a control group counts: `gridjudge doctor` shows how";
            Err(assignment.refused(cause).with_remedy(remedy))
        }
    }
}

fn objection(limit_bytes: u64, peak_bytes: u64) -> Option<String> {
    if limit_bytes >= peak_bytes.saturating_add(UNSURE_BYTES) {
        return None;
    }
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    let limit = mib(limit_bytes);
    let least = mib(peak_bytes.saturating_add(GROWTH_BYTES));
    Some(format!(
        "its limit is {limit} MiB of memory, and {least} MiB is the least that can be measured here"
    ))
}

/// The peak memory of this process. Source: proc(5).
pub(super) fn own_peak_bytes() -> Option<u64> {
    peak_in(&fs::read_to_string("/proc/self/status").ok()?)
}

fn peak_in(status: &str) -> Option<u64> {
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = peak.strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_limit_below_the_launchers_own_peak_is_refused_and_the_named_one_is_accepted() {
        let said =
            "its limit is 8 MiB of memory, and 14 MiB is the least that can be measured here";
        assert_eq!(objection(8 * MIB, 10 * MIB).as_deref(), Some(said));
        assert!(objection(10 * MIB, 10 * MIB).is_some());
        assert_eq!(objection(11 * MIB, 10 * MIB), None);
        assert_eq!(objection(14 * MIB, 13 * MIB), None);
    }

    #[test]
    fn the_peak_of_a_process_is_read_in_kibibytes() {
        assert_eq!(
            peak_in("Name:\tx\nVmPeak:\t    9000 kB\nVmHWM:\t    4711 kB\n"),
            Some(4711 << 10)
        );
        assert_eq!(peak_in("Name:\tx\n"), None);
        assert!(own_peak_bytes().is_some_and(|peak| peak > 0));
    }
}
