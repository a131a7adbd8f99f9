//! Where plans are judged: the sandbox, the place to make programs, what is known from earlier times, and the signals that
//! end it. Knows nothing of who listens.

pub(crate) mod baseline_check;
pub(crate) mod caching;
pub(crate) mod case_filter;
pub(crate) mod contest;
pub(crate) mod languages;
pub(crate) mod levels;
pub(crate) mod request;
pub(crate) mod selection;
pub(crate) mod sinks;
pub(crate) mod startup;
pub(crate) mod suggest_limits;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crate::cache::Cache;
use crate::cli::CommandError;
use crate::cli::GlobalOptions;
use crate::cli::screen;
use crate::cli::session::startup::SandboxHandle;
use crate::cli::session::startup::SandboxStartup;
use crate::cli::signals;
use crate::cli::signals::ListenerGuard;
use crate::cli::watch::WatchIteration;
use crate::compile::Compiler;
use crate::model::Activity;
use crate::model::Event;
use crate::model::Tally;
use crate::run::Plan;
use crate::run::Suite;
use gridjudge_sandbox::LinuxSandbox;
use gridjudge_sandbox::machine;

/// A place to judge in, for one plan after another.
pub(crate) struct JudgeSession {
    sandbox: SandboxHandle,
    compiler: Compiler,
    cache: Option<Cache>,
    /// Whether trials of an earlier time count, and those of this one are kept.
    recalls: bool,
    jobs: usize,
    notes: Vec<String>,
    /// The folder from which files are named.
    root: PathBuf,
    /// What is being done now.
    pub(crate) activity: Arc<Activity>,
}

/// How much of a plan is judged.
#[derive(Clone, Copy)]
pub(crate) struct JudgeExtent {
    /// How often each case is judged.
    pub(crate) repeat: usize,
    /// Whether a submission's first case that is not accepted settles it.
    pub(crate) stop_at_first: bool,
}

impl JudgeSession {
    /// Opens it, and tells what this machine does not give. A cache of no bytes is none; where trials are not recalled, it
    /// holds nothing but which languages work.
    pub(crate) fn open(
        opening: SandboxStartup,
        common: &GlobalOptions,
        cache_bytes: u64,
        recalls: bool,
    ) -> Result<Self, CommandError> {
        let jobs = opening.jobs;
        let sandbox = opening.finish()?;
        let mut notes = notes_of(&sandbox);
        tell_once(&notes, cache_bytes > 0, common);
        complain_of_low_limits(&mut notes, common);
        let cache = (cache_bytes > 0)
            .then(|| {
                caching::open(&sandbox, cache_bytes).map_err(|why| complain(why, &mut notes, common)).ok()
            })
            .flatten();
        let compiler = Compiler::new(sandbox.programs());
        let (root, activity) = (common.root()?, Arc::default());
        Ok(Self { sandbox, compiler, cache, recalls, jobs, notes, root, activity })
    }

    /// Judges a plan and tells every event. Returns what it came to, and whether it was interrupted. A round of watching
    /// stops it when a file changes.
    pub(crate) fn judge(
        &self,
        plan: &Plan,
        pace: JudgeExtent,
        round: Option<&WatchIteration>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<(Tally, bool), CommandError> {
        let interrupted = Arc::new(AtomicBool::new(false));
        let suite = Suite {
            plan,
            sandbox: &*self.sandbox,
            compiler: &self.compiler,
            cache: self.cache.as_ref().filter(|_| self.recalls),
            language_cache: self.cache.as_ref(),
            jobs: self.jobs,
            repeat: pace.repeat,
            stop_at_first: pace.stop_at_first,
            level: self.sandbox.level().name(),
            notes: &self.notes,
            root: &self.root,
            machine: &machine::summary(),
            started: &jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            interrupted: &interrupted,
            activity: &self.activity,
        };
        let _listening = end_runs_when_told(&interrupted, &self.sandbox);
        let tally = std::thread::scope(|scope| {
            let _vigil = round.map(|round| {
                round.cancel_on_change(scope, || {
                    interrupted.store(true, Ordering::Relaxed);
                    self.sandbox.close();
                })
            });
            suite.judge(tell)
        })?;
        Ok((tally, interrupted.load(Ordering::Relaxed)))
    }

    /// Closes it, and tells what was wrong with the cache.
    pub(crate) fn close(self, common: &GlobalOptions) {
        let notes = self.cache.map(Cache::close).unwrap_or_default();
        notes.iter().filter(|_| !common.quiet).for_each(screen::notice);
    }
}

/// What this machine does not give. A level that nobody chose says why it is not a better one.
pub(crate) fn notes_of(sandbox: &LinuxSandbox) -> Vec<String> {
    let mut notes = sandbox.guarantees().notes();
    if let Some((better, why)) = sandbox.declined().first() {
        let level = sandbox.level();
        notes
            .insert(0, format!("the sandbox is at level {level}, for {better} cannot be had: {}", why.cause));
    }
    notes
}

/// ReportOptions what this machine does not give, where that was not told before: it is the same at every run, `doctor` tells it at
/// any time, and so does every log. Where nothing may be kept, nobody knows what was told.
pub(crate) fn tell_once(notes: &[String], has_cache: bool, common: &GlobalOptions) {
    let is_new_notice = || !has_cache || caching::is_new_notice(&notes.join("\n"));
    let is_told = !common.quiet && !notes.is_empty() && (common.verbose || is_new_notice());
    notes.iter().filter(|_| is_told).for_each(screen::notice);
}

/// ReportOptions the limits of this shell that are too low, each time: the next shell may have others.
pub(crate) fn complain_of_low_limits(notes: &mut Vec<String>, common: &GlobalOptions) {
    for limit in gridjudge_sandbox::low_limits() {
        complain(limit, notes, common);
    }
}

/// ReportOptions what is wrong and can be mended, each time.
fn complain(why: String, notes: &mut Vec<String>, common: &GlobalOptions) {
    if !common.quiet {
        screen::notice(&why);
    }
    notes.push(why);
}

/// Ends the runs when a signal comes, for as long as the returned value lives.
pub(crate) fn end_runs_when_told(interrupted: &Arc<AtomicBool>, sandbox: &SandboxHandle) -> ListenerGuard {
    let (interrupted, sandbox) = (Arc::clone(interrupted), sandbox.weak());
    signals::when_one_comes(move || {
        interrupted.store(true, Ordering::Relaxed);
        sandbox.upgrade().inspect(|sandbox| sandbox.close()).is_some()
    })
}
