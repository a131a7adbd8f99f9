//! What programs that write inputs may use, and those that check them where their package does not say.

use std::time::Duration;

use gridjudge_sandbox::Limits;

const CPU: Duration = Duration::from_secs(60);
pub(crate) const MEMORY_BYTES: u64 = 2 << 30;
const OUTPUT_BYTES: u64 = 256 << 20;
const PROCESSES: u32 = 64;

/// What one run may use.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu: CPU,
        wall: Limits::wall_for(CPU),
        memory_bytes: MEMORY_BYTES,
        output_bytes: OUTPUT_BYTES,
        processes: PROCESSES,
        close_looks: false,
    }
}
