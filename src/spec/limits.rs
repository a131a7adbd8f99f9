//! Reads `[limits]`, both of a problem and of the judge's configuration.

use crate::keys::KeyTable;
use std::time::Duration;

use gridjudge_sandbox::Limits;

/// The limits if neither the problem nor the judge's configuration sets them.
pub(crate) const USUAL: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 256 << 20,
    output_bytes: 64 << 20,
    processes: 64,
    frequent_samples: false,
    address_space: None,
};

/// The limits that a spec sets. `None` stands for a limit that it leaves to the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartialLimits {
    cpu: Option<Duration>,
    wall: Option<Duration>,
    memory_bytes: Option<u64>,
    output_bytes: Option<u64>,
    processes: Option<u32>,
}

impl PartialLimits {
    /// Reads a table of limits. Refuses the keys that nothing has read by then.
    pub(crate) fn read(table: &KeyTable<'_>) -> Self {
        let processes = table.whole("processes", 1, 100_000);
        let limits = Self {
            cpu: table.duration("time"),
            wall: table.duration("wall"),
            memory_bytes: table.bytes("memory"),
            output_bytes: table.bytes("output"),
            processes: processes.and_then(|found| u32::try_from(found.value).ok()),
        };
        table.refuse_the_rest();
        limits
    }

    /// Fills the unset limits from `others`. An unset wall limit is derived from the time limit if
    /// that is set.
    pub(crate) fn or(&self, others: &Limits) -> Limits {
        let cpu = self.cpu.unwrap_or(others.cpu);
        let inherited = if self.cpu.is_none() {
            others.wall
        } else {
            Limits::wall_for(cpu)
        };
        Limits {
            cpu,
            wall: self.wall.unwrap_or(inherited),
            memory_bytes: self.memory_bytes.unwrap_or(others.memory_bytes),
            output_bytes: self.output_bytes.unwrap_or(others.output_bytes),
            processes: self.processes.unwrap_or(others.processes),
            frequent_samples: false,
            address_space: None,
        }
    }
}
