//! Control groups of both versions: one for each slot, with its limits and counters. Knows nothing
//! of runs. Start at [`slots::Cgroups`] on the judge's side, at [`joined::Cgroup`] on the
//! launcher's.

mod control_files;
pub(super) mod joined;
pub(super) mod memory_peak;
pub(super) mod path;
pub(super) mod slots;
