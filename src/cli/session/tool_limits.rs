//! The limits of programs that write inputs, and of programs that check inputs if their package
//! gives no limits.

use std::time::Duration;

use gridjudge_sandbox::Limits;

const CPU: Duration = Duration::from_secs(60);
pub(crate) const MEMORY_BYTES: u64 = 2 << 30;
const OUTPUT_BYTES: u64 = 256 << 20;
const PROCESSES: u32 = 64;

/// The limits of one run.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu: CPU,
        wall: Limits::wall_for(CPU),
        memory_bytes: MEMORY_BYTES,
        output_bytes: OUTPUT_BYTES,
        processes: PROCESSES,
        frequent_samples: false,
        address_space: None,
    }
}
