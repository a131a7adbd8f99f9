//! Opens what judging needs: the sandbox, in a separate thread while cases are read,
//! since its setup mostly waits for the kernel and hardly uses the processors; the
//! number of runs at once; and the cache. Start at [`SandboxStartup::begin`].

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Weak};
use std::time::Duration;
use std::{env, thread};

use clap::Args;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use gridjudge_sandbox::{
    Fault, Guarantees, Input, IsolationLevel, Launch, LevelChoice, Limits,
    LinuxSandbox, Role, Sandbox, ScratchFiles, Stopwatch, machine,
};
use parking_lot::Mutex;

use crate::cache::Cache;
use crate::cli::{CancelToken, planned_checker, screen, signals};
use crate::files::home_folder;
use crate::spec::MOST_JOBS;
use crate::{cache, model};

/// A sandbox that is being set up. It may be dropped unused.
pub(crate) struct SandboxStartup {
    /// The number of runs at the same time.
    pub(crate) jobs: usize,
    /// The time since it was begun.
    begun: Stopwatch,
    /// The time after which nothing new is to be run, if any.
    pub(crate) deadline: Option<Duration>,
    /// The sandbox. Whoever reads this waits for the thread that sets it up.
    started: LazyLock<Result<SandboxHandle, Fault>, SandboxJoin>,
}

type SandboxJoin = Box<dyn FnOnce() -> Result<SandboxHandle, Fault> + Send>;

impl SandboxStartup {
    /// Starts the setup, for as many runs at once as [`number_of_jobs`] derives from
    /// `asked`.
    pub(crate) fn begin(asked: Option<usize>, choice: LevelChoice) -> Self {
        let jobs = number_of_jobs(asked);
        let begun = Stopwatch::start();
        let thread = thread::spawn(move || SandboxHandle::start(jobs, choice));
        let join: SandboxJoin = Box::new(|| {
            thread.join().unwrap_or_else(|_| {
                let cause = "the thread that sets it up has panicked";
                Err(Fault::because("setting up the sandbox", cause))
            })
        });
        Self {
            jobs,
            begun,
            deadline: None,
            started: LazyLock::new(join),
        }
    }

    /// Whether nothing new is to be run any more.
    pub(crate) fn is_expired(&self) -> bool {
        self.begun.is_past(self.deadline)
    }

    /// Waits until the sandbox is set up.
    ///
    /// # Errors
    /// As [`LinuxSandbox::start`].
    pub(crate) fn sandbox(&self) -> Result<&SandboxHandle, &Fault> {
        self.started.as_ref()
    }
}

impl Drop for SandboxStartup {
    /// Waits for the setup, so that its launchers end before the judge does.
    fn drop(&mut self) {
        LazyLock::force(&self.started);
    }
}

/// A sandbox that is removed when it is dropped, and also when a signal ends the
/// process.
pub(crate) struct SandboxHandle(Arc<LinuxSandbox>);

impl SandboxHandle {
    /// Sets up a sandbox. A signal that comes meanwhile ends the process after the
    /// setup.
    ///
    /// # Errors
    /// As [`LinuxSandbox::start`].
    fn start(jobs: usize, choice: LevelChoice) -> Result<Self, Fault> {
        let _critical = signals::enter_critical_section();
        // The path of the program is not used: a judge that is rebuilt while it runs
        // must get launchers of its own version.
        let sandbox = Arc::new(LinuxSandbox::start(
            Path::new("/proc/self/exe"),
            jobs,
            choice,
        )?);
        signals::remove_at_end(&sandbox);
        Ok(Self(sandbox))
    }

    pub(crate) fn downgrade(&self) -> Weak<LinuxSandbox> {
        Arc::downgrade(&self.0)
    }
}

impl Deref for SandboxHandle {
    type Target = LinuxSandbox;

    fn deref(&self) -> &LinuxSandbox {
        &self.0
    }
}

impl Drop for SandboxHandle {
    /// Removes the sandbox. A signal waits meanwhile, so that no half-removed sandbox
    /// stays.
    fn drop(&mut self) {
        let _critical = signals::enter_critical_section();
        self.0.remove();
    }
}

/// The number of runs at the same time, for commands that run programs.
#[derive(Args)]
pub(crate) struct RunCount {
    /// Number of runs at once; 0 for one on each core [default: one on each physical
    /// core]
    #[arg(
        short,
        long,
        value_name = "N",
        value_parser = jobs()
    )]
    jobs: Option<usize>,
}

/// The number of threads, for commands that only compute.
#[derive(Default, Args)]
pub(crate) struct ThreadCount {
    /// Number of threads; 0 for one on each core [default: 0]
    #[arg(
        short,
        long,
        value_name = "N",
        default_value = "0",
        hide_default_value = true,
        value_parser = jobs()
    )]
    jobs: usize,
}

impl RunCount {
    /// The number that was asked for, by the option or else by `judge.toml`. That may
    /// be a stranger's, so it does not get more runs at once than there are cores.
    pub(crate) fn or(&self, configured: Option<usize>) -> Option<usize> {
        self.jobs
            .or(configured.map(|jobs| jobs.min(machine::processors())))
    }
}

impl ThreadCount {
    /// The number of threads, at least 1.
    pub(crate) fn number(&self) -> usize {
        number_of_jobs(Some(self.jobs))
    }
}

/// Parses the number of runs or threads at the same time.
fn jobs() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::new().range(0..=MOST_JOBS)
}

/// `asked` runs at once, where 0 means one on each core; by default one on each
/// physical core, since two that share a core slow each other down.
fn number_of_jobs(asked: Option<usize>) -> usize {
    let cores = machine::processors();
    match asked {
        Some(0) => cores,
        Some(jobs) => jobs,
        None => {
            machine::physical_cores().map_or(cores, |physical| physical.min(cores))
        }
    }
}

// Finds out which levels of the sandbox work on this machine, by trying each.

/// A level, and either its guarantees on this machine or the reason why it does not
/// work.
pub(crate) type LevelTrial = (IsolationLevel, Result<Guarantees, Fault>);

/// The level that judging would use: the best working one that `choice` allows.
pub(crate) fn in_force(
    choice: LevelChoice,
    tried: &[LevelTrial],
) -> Option<(IsolationLevel, Guarantees)> {
    tried
        .iter()
        .filter(|(level, _)| {
            choice == LevelChoice::Best || choice == LevelChoice::Only(*level)
        })
        .find_map(|(level, result)| Some((*level, *result.as_ref().ok()?)))
}

/// Starts the sandbox at one level and runs a program in it that does nothing: on some
/// machines, a sandbox starts but a run fails.
pub(crate) fn try_level(level: IsolationLevel) -> Result<Guarantees, Fault> {
    let limits = Limits {
        wall: Duration::from_secs(60),
        ..planned_checker::limits()
    };
    let sandbox = SandboxHandle::start(1, LevelChoice::Only(level))?;
    let launch = Launch {
        command: ["/bin/sh", "-c", ":"].map(str::to_owned).into(),
        environment: vec![],
        input: Input::Empty,
        readable: vec![],
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    };
    let run = sandbox.run(&launch, &limits)?;
    match model::verdict_of_breach(&run, &limits) {
        None => Ok(sandbox.guarantees()),
        Some(_) => Err(Fault::because(
            "running a program that does nothing",
            format!("it ended with {}", run.exit),
        )),
    }
}

// Opens the cache of a run: decides whether and where there is one, and what its trials
// depend on. A cache that cannot be used is only a note, since judging works without
// it.

/// The folder of this user's cache, if the environment determines one.
pub(crate) fn cache_place() -> Option<PathBuf> {
    cache::default_dir(|name| env::var_os(name), home_folder())
}

/// Whether this notice was not yet shown to this user on this machine. Records it in
/// the cache folder, if there is one.
pub(crate) fn is_new_to_user(text: &str) -> bool {
    // Many machines may share a home folder.
    let of_machine = format!("{text}\n{}", machine::processor_summary());
    cache_place().is_none_or(|path| cache::is_new_notice(&path, &of_machine))
}

/// Opens the cache for runs in this sandbox, with at most `most_bytes` bytes.
///
/// # Errors
/// The reason why there is no cache, in a sentence.
pub(crate) fn open_cache(
    sandbox: &LinuxSandbox,
    most_bytes: u64,
) -> Result<Cache, String> {
    let guarantees = sandbox.guarantees();
    if !keeps_submissions_out(&guarantees) {
        return Err(
            "the cache is not used: without Landlock a submission could write verdicts into it"
                .into(),
        );
    }
    let Some(path) = cache_place() else {
        return Err(
            "the cache is not used: neither GRIDJUDGE_CACHE nor a home folder tells where it is"
                .into(),
        );
    };
    let surroundings = [
        format!("level {} {guarantees:?}", sandbox.level()),
        // Many machines may share a home folder, and times differ between them.
        format!("processor {}", machine::processor_model()),
        gridjudge_sandbox::low_limits().join("; "),
    ];
    Cache::open(&path, most_bytes, &surroundings).map_err(|fault| {
        let why = screen::with_remedy(&fault, fault.remedy.as_ref());
        format!("the cache is not used: {why}")
    })
}

/// Whether no submission can write to folders of the judge's user: they are not in its
/// root, or Landlock forbids it.
pub(crate) fn keeps_submissions_out(guarantees: &Guarantees) -> bool {
    guarantees.namespaces || guarantees.landlock > 0
}

// Runs a function on many items in parallel, and returns the results in the order of
// the items.

/// Runs `work` on all items, on up to `jobs` threads, and returns the results in the
/// order of the items. Once cancelled, it begins no further items, and the results are
/// incomplete.
///
/// # Errors
/// The [`Fault`] of the first item, in their order, that fails; no further items are
/// begun. Items are begun in their order, so the fault is the same at any number of
/// jobs.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &CancelToken,
    work: &(impl Fn(&T) -> Result<R, Fault> + Sync),
) -> Result<Vec<R>, Fault> {
    let queue = Mutex::new(items.iter().enumerate());
    let has_failed = AtomicBool::new(false);
    let done = Mutex::new(vec![]);
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(|| {
                // A claimed item is always completed; otherwise, which failure is the
                // first would depend on timing.
                while !cancel.is_cancelled() && !has_failed.load(Ordering::Relaxed) {
                    let Some((number, item)) = queue.lock().next() else {
                        return;
                    };
                    let result = work(item);
                    has_failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    done.lock().push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner();
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_toml_starts_no_more_runs_than_there_are_cores() {
        let cores = machine::processors();
        let asked = |jobs, configured| RunCount { jobs }.or(configured);
        assert_eq!(asked(None, Some(256)), Some(cores));
        assert_eq!(asked(None, Some(1)), Some(1));
        assert_eq!(asked(Some(cores + 1), Some(1)), Some(cores + 1));
    }
}

#[cfg(test)]
mod caching_tests {
    use super::*;

    #[test]
    fn the_cache_is_used_only_if_no_submission_can_write_to_it() {
        let none = Guarantees {
            namespaces: false,
            groups: false,
            exact_peaks: false,
            own_user: false,
            landlock: 0,
            atomic_kill: false,
        };
        assert!(!keeps_submissions_out(&none));
        assert!(!keeps_submissions_out(&Guarantees {
            own_user: true,
            groups: true,
            ..none
        }));
        assert!(keeps_submissions_out(&Guarantees {
            landlock: 1,
            ..none
        }));
        assert!(keeps_submissions_out(&Guarantees {
            namespaces: true,
            ..none
        }));
    }
}

#[cfg(test)]
mod in_parallel_tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<_> = items.iter().map(|item| item * item).collect();
        for jobs in [1, 4, 1000] {
            let done = in_parallel(&items, jobs, &CancelToken::default(), &|item| {
                Ok(item * item)
            });
            assert_eq!(done.unwrap(), squares, "{jobs}");
        }
    }

    #[test]
    fn the_fault_is_that_of_the_first_failing_item_and_few_items_are_begun_after_it()
    {
        let items: Vec<u64> = (0..10_000).collect();
        for jobs in [1, 4] {
            let begun = AtomicUsize::new(0);
            let fault = in_parallel(&items, jobs, &CancelToken::default(), &|item| {
                begun.fetch_add(1, Ordering::Relaxed);
                if *item < 40 {
                    Ok(())
                } else {
                    Err(Fault::because("failing", item.to_string()))
                }
            })
            .unwrap_err();
            assert_eq!(fault.cause, "40", "{jobs}");
            assert!(begun.load(Ordering::Relaxed) <= 40 + jobs, "{begun:?}");
        }
    }

    #[test]
    fn after_a_cancellation_no_item_is_begun() {
        let cancel = CancelToken::default();
        cancel.cancel();
        assert_eq!(
            in_parallel(&[1, 2], 4, &cancel, &|item| Ok(*item)).unwrap(),
            [] as [i32; 0]
        );
    }
}
