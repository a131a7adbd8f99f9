//! Everything that judging a plan needs, as its caller gives it. Plain data: the judging is in the files that use it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::cache::Cache;
use crate::compile::Compiler;
use crate::model::Activity;
use crate::model::TalkDisplay;
use crate::run::plan::Plan;
use gridjudge_sandbox::Sandbox;

/// Everything that judging needs.
pub struct Suite<'a> {
    /// What to judge.
    pub plan: &'a Plan,
    /// Where to run it.
    pub sandbox: &'a dyn Sandbox,
    /// Where to make it.
    pub compiler: &'a Compiler,
    /// Where trials of an earlier time are, and those of this one go; none to run everything and keep nothing.
    pub cache: Option<&'a Cache>,
    /// Where it is kept which languages work here, if anywhere.
    pub language_cache: Option<&'a Cache>,
    /// Runs at once.
    pub jobs: usize,
    /// How often each case is judged.
    pub repeat: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub stop_at_first: bool,
    /// Whether what submissions and interactors say to each other is kept.
    pub keeps_transcripts: bool,
    /// Where that is shown while it is said, if anywhere.
    pub talks: Option<&'a dyn TalkDisplay>,
    /// The sandbox's level, for the log.
    pub level: &'a str,
    /// What this machine does not give, for the log.
    pub notes: &'a [String],
    /// The folder from which the log sees submissions.
    pub root: &'a Path,
    /// Processor, cores and kernel, for the log.
    pub machine: &'a str,
    /// When it is, for the log.
    pub started: &'a str,
    /// Set from outside to stop.
    pub interrupted: &'a AtomicBool,
    /// Where it says what it is doing, for displays of progress.
    pub activity: &'a Activity,
}
