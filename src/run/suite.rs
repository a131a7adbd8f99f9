//! Everything that the caller provides to judge a plan. Plain data; the judging is in the files
//! that use it.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use gridjudge_sandbox::Sandbox;

use crate::cache::Cache;
use crate::compile::Compiler;
use crate::model::{Activity, Event, InteractionDisplay, LOG_VERSION};
use crate::run::Plan;

/// How thoroughly a plan is judged.
#[derive(Clone, Copy)]
pub struct JudgingOptions<'a> {
    /// How often each case is judged.
    pub repeat: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub stop_at_first: bool,
    /// Whether cached trials are used and new ones stored.
    pub recalls: bool,
    /// Whether transcripts of interactions are recorded.
    pub keeps_transcripts: bool,
    /// A live display of interactions, if there is one.
    pub interaction_display: Option<&'a dyn InteractionDisplay>,
}

impl Default for JudgingOptions<'_> {
    /// Every case once, unless its trial is cached.
    fn default() -> Self {
        Self {
            repeat: 1,
            stop_at_first: false,
            recalls: true,
            keeps_transcripts: false,
            interaction_display: None,
        }
    }
}

/// A plan with everything that is needed to judge it.
pub struct Suite<'a> {
    /// The submissions and cases to judge.
    pub plan: &'a Plan,
    /// The sandbox for all runs.
    pub sandbox: &'a dyn Sandbox,
    /// The compiler of submissions and checkers.
    pub compiler: &'a Compiler,
    /// The cache, if there is one: of trials, and of the languages that work on this machine.
    pub cache: Option<&'a Cache>,
    /// The number of runs at the same time.
    pub jobs: usize,
    /// How thoroughly the plan is judged.
    pub options: JudgingOptions<'a>,
    /// The sandbox's level, for the log.
    pub level: &'a str,
    /// The sandbox features that this machine lacks, for the log.
    pub notes: &'a [String],
    /// The folder to which paths of submissions in the log are relative.
    pub root: &'a Path,
    /// Processor, cores and kernel, for the log.
    pub machine: &'a str,
    /// The start time, for the log.
    pub started: &'a str,
    /// Set by the caller to stop the suite.
    pub interrupted: &'a AtomicBool,
    /// Set by the caller when nothing new is to be run: what is left is reported as not judged.
    pub expired: &'a AtomicBool,
    /// What each worker is doing, for displays of progress.
    pub activity: &'a Activity,
}

// Builds the first event of a suite.

/// The event that describes what is judged, where, and when.
pub(super) fn suite_started(suite: &Suite<'_>) -> Event {
    Event::SuiteStarted {
        log_version: LOG_VERSION,
        gridjudge: env!("CARGO_PKG_VERSION").to_owned(),
        sandbox: suite.level.to_owned(),
        notes: suite.notes.to_vec(),
        machine: suite.machine.to_owned(),
        started: suite.started.to_owned(),
        jobs: suite.jobs,
        submissions: suite.plan.entries.len(),
        trials: suite.plan.trials(),
        part: suite.plan.is_part,
        contest: suite.plan.contest.clone(),
        shard: suite.plan.shard.clone(),
    }
}
