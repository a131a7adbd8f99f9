//! What a run is denied: system calls, files, rights, and whatever the judge was started with.

pub(crate) mod denied_calls;
pub(crate) mod inherited;
pub(crate) mod landlock;
pub(crate) mod namespaces;
pub(crate) mod oom_score;
pub(crate) mod scheduling;
pub(crate) mod seccomp_filter;
pub(crate) mod submission_user;
pub(crate) mod world_readable;
