//! What a run is denied: system calls, files, privileges, and whatever the judge was started with. Knows the kernel's means for
//! that; knows nothing of when a run begins or ends.

mod denied_calls;
pub(super) mod inherited;
pub(super) mod landlock;
pub(super) mod namespaces;
pub(super) mod oom_score;
mod scheduling;
pub(super) mod seccomp_filter;
pub(super) mod submission_user;
pub(super) mod system_folders;
pub(super) mod world_readable;
