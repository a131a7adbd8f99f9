//! Control groups of both versions: one for each slot, its limits, and what it has counted.

pub(crate) mod control_files;
pub(crate) mod joined;
pub(crate) mod memory_peak;
pub(crate) mod path;
pub(crate) mod slots;
