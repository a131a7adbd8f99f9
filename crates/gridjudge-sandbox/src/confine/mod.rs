//! Restricts what a run may use: system calls, files, privileges, and settings
//! inherited from the judge's own start. Knows the kernel's means for that; knows
//! nothing of when a run begins or ends.

mod denied_calls;
pub(super) mod inherited;
pub(super) mod landlock;
pub(super) mod namespaces;
pub(super) mod seccomp_filter;
