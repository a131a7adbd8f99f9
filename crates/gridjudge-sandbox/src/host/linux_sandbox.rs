//! The judge's side of the sandbox on this machine: finds the level, starts the
//! launchers, and lends one to each run. Everything else about a run is left to the
//! launchers. Start at [`LinuxSandbox::start`].

use std::fs::File;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::thread::Builder;
use std::time::Duration;

use crate::confine::{inherited, namespaces};
use crate::fault::MOST_ATTEMPTS;
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::{LauncherAnswer, LauncherHandle};
use crate::host::launcher_pool::{LauncherPool, interrupted};
use crate::host::pair_slots::PairSlots;
use crate::host::std_streams::{GivenFiles, StdStreams};
use crate::host::{launcher_config, std_streams};
use crate::{
    Fault, Guarantees, Input, Interaction, InteractionRequest, IsolationLevel, Launch,
    LevelChoice, Limits, Role, Run, Sandbox, ScratchFiles, StopSwitch,
};

/// A shell that almost every Linux system has, for the trial run.
const SHELL: &str = "/bin/sh";

/// Runs programs on this machine, isolated as well as the chosen level allows.
pub struct LinuxSandbox {
    pool: LauncherPool,
    /// Launchers for interactors, as many as those for submissions.
    interactors: LauncherPool,
    setup: LauncherConfig,
    guarantees: Guarantees,
    /// The better levels that were tried, and why each is not in force.
    declined: Vec<(IsolationLevel, Fault)>,
}

impl LinuxSandbox {
    /// Starts the first slot's launcher, and each other's when it is first needed, from
    /// `launcher`, a binary whose `main` begins with
    /// [`become_launcher_if_asked`](crate::become_launcher_if_asked). It must be of
    /// this very version: `/proc/self/exe` is, even if a new one is installed while the
    /// judge runs.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the chosen level does not work here, the private folder
    /// cannot be made where every user can pass, or a launcher cannot be set up.
    pub fn start(
        launcher: &Path,
        slots: usize,
        choice: LevelChoice,
    ) -> Result<Self, Fault> {
        Self::start_with(launcher, slots, choice, u32::MAX)
    }

    /// The same, as if the kernel had no newer Landlock than this version: for tests of
    /// what an older kernel protects.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    #[doc(hidden)]
    pub fn start_with(
        launcher: &Path,
        slots: usize,
        choice: LevelChoice,
        landlock: u32,
    ) -> Result<Self, Fault> {
        inherited::raise_limits();
        let mut declined = Vec::new();
        let mut levels = choice.candidates().into_iter();
        loop {
            let level = levels
                .next()
                .expect("the last level is in force or returned as an error");
            match Self::start_at(level, launcher, slots.max(1), landlock) {
                Ok(mut sandbox) => {
                    sandbox.declined = declined;
                    return Ok(sandbox);
                }
                Err(fault) if levels.len() == 0 => {
                    return Err(inherited::with_low_limit(fault));
                }
                Err(fault) => declined.push((level, fault)),
            }
        }
    }

    fn start_at(
        level: IsolationLevel,
        launcher: &Path,
        slots: usize,
        landlock: u32,
    ) -> Result<Self, Fault> {
        if level == IsolationLevel::Full {
            namespaces::check_full_level()?;
        }
        let (started, setup) = thread::scope(|scope| {
            let start = || launcher_config::start_launcher(launcher);
            // Starting a process returns only when it has exec'd; groups and folder are
            // made meanwhile.
            let under_way = Builder::new().spawn_scoped(scope, start);
            let setup = LauncherConfig::new(level, launcher, slots, landlock);
            let started = match under_way {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
                }
                // The system gave us no thread.
                Err(_) => start(),
            };
            (started, setup)
        });
        let setup = setup?;
        let mut first = started?;
        let guarantees = setup.settle(0, &mut first)?;
        let sandbox = Self {
            pool: LauncherPool::new(0..slots, Some(first)),
            interactors: LauncherPool::new(slots..2 * slots, None),
            setup,
            guarantees,
            declined: Vec::new(),
        };
        // Only a trial run shows whether an ordinary user gets everything that runtimes
        // need: containers may forbid parts of it.
        if level == IsolationLevel::User && !namespaces::is_root_of_machine() {
            sandbox.probe()?;
        }
        Ok(sandbox)
    }

    /// Runs `sh -c :` once, to find out whether submissions can be run at this level at
    /// all.
    fn probe(&self) -> Result<(), Fault> {
        if !Path::new(SHELL).exists() {
            return Ok(());
        }
        let launch = Launch {
            command: [SHELL, "-c", ":"].map(str::to_owned).to_vec(),
            environment: Vec::new(),
            input: Input::Empty,
            readable: Vec::new(),
            role: Role::Submission,
            scratch: ScratchFiles::default(),
        };
        let long = Duration::from_secs(60);
        let limits = Limits {
            cpu: long,
            wall: long,
            memory_bytes: 1 << 30,
            output_bytes: 1 << 20,
            processes: 64,
            frequent_samples: false,
            address_space: None,
        };
        let run = self.run(&launch, &limits)?;
        if run.exit.is_clean() {
            Ok(())
        } else {
            Err(Fault::because("trying a shell", run.exit.to_string()))
        }
    }

    /// Ends all runs at once, and turns them and all later ones into faults: for
    /// Ctrl-C, from any thread. Does not wait.
    pub fn close(&self) {
        self.pools().for_each(LauncherPool::close);
    }

    /// A folder for the judge's compiled programs: every user may enter and read it,
    /// but only the judge may write to it or list the folder around it. It is removed
    /// with the sandbox.
    pub fn programs(&self) -> PathBuf {
        self.setup.folder.programs()
    }

    /// The private folder, which every user may enter but not list, for tests.
    #[doc(hidden)]
    pub fn folder(&self) -> &Path {
        self.setup.folder.path()
    }

    /// The level in force.
    pub fn level(&self) -> IsolationLevel {
        self.setup.level
    }

    /// The levels that were tried before the one in force, and why they do not work
    /// here.
    pub fn declined(&self) -> &[(IsolationLevel, Fault)] {
        &self.declined
    }

    /// Ends all runs and removes groups and folders, for a process that is about to
    /// end: the same as dropping the sandbox, for a caller that does not own it.
    pub fn remove(&self) {
        self.shut_down();
        self.setup.remove();
    }

    /// The guarantees that this machine gives at the level in force.
    pub fn guarantees(&self) -> Guarantees {
        self.guarantees
    }

    /// Process ids of the idle launchers, for tests.
    #[doc(hidden)]
    pub fn launcher_ids(&self) -> Vec<u32> {
        self.pools().flat_map(LauncherPool::launcher_ids).collect()
    }

    fn pools(&self) -> impl Iterator<Item = &LauncherPool> {
        [&self.pool, &self.interactors].into_iter()
    }

    fn shut_down(&self) {
        self.close();
        self.pools().for_each(LauncherPool::shut_down);
    }

    /// Tries a run once, on this slot's launcher or on a fresh one if that has died,
    /// with `found` or newly made files.
    fn try_run(
        &self,
        number: usize,
        slot: Option<LauncherHandle>,
        launch: &Launch,
        limits: &Limits,
        found: Option<RunFiles>,
        stop: &StopSwitch,
    ) -> AttemptResult {
        let slot = match slot {
            Some(slot) => Ok(slot),
            None => self.pool.replace(&self.setup, number),
        };
        let prepared = slot.and_then(|mut slot| {
            let (input, given) = found.map_or_else(|| files_for(launch), Ok)?;
            let streams = StdStreams::new(&launch.role, input, slot.outputs())?;
            Ok((slot, streams.with_scratch(given, &launch.scratch)?))
        });
        let (mut slot, streams) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => return (None, RunAttempt::Finished(Err(fault))),
        };
        match slot.run(launch, limits, streams, stop) {
            LauncherAnswer::Fit(result) => (Some(slot), RunAttempt::Finished(result)),
            LauncherAnswer::Disturbed(run) => (Some(slot), RunAttempt::Doubtful(run)),
            LauncherAnswer::Unfit(fault) => (None, RunAttempt::Finished(Err(fault))),
            LauncherAnswer::NotTaken => (None, RunAttempt::NotRun),
            LauncherAnswer::Died(fault) => (None, RunAttempt::Lost(fault)),
        }
    }
}

/// The files of a run: its standard input, and the files for its scratch folder.
type RunFiles = (File, Option<GivenFiles>);

fn files_for(launch: &Launch) -> Result<RunFiles, Fault> {
    Ok((
        std_streams::input_of(launch)?,
        GivenFiles::open(&launch.scratch.given)?,
    ))
}

/// The launcher, if it can take another run, and the result of this one.
type AttemptResult = (Option<LauncherHandle>, RunAttempt);

/// The result of one attempt at a run.
enum RunAttempt {
    Finished(Result<Run, Fault>),
    /// The launcher died during the run. No verdict may depend on that: the run is
    /// repeated, here if it cannot have left anything, else by the caller.
    Lost(Fault),
    /// The run should be measured again, if it cannot have left anything; the last
    /// attempt is used.
    Doubtful(Run),
    /// There was no run.
    NotRun,
}

impl Sandbox for LinuxSandbox {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        self.run_until(launch, limits, &StopSwitch::default())
    }

    fn run_until(
        &self,
        launch: &Launch,
        limits: &Limits,
        stop: &StopSwitch,
    ) -> Result<Run, Fault> {
        // Before a launcher is taken for it: with more callers than launchers, no
        // launcher waits while an input is made.
        let mut found = Some(files_for(launch)?);
        let (number, mut slot) = self.pool.take_launcher().ok_or_else(interrupted)?;
        let mut outcome = Err(Fault::because(
            "starting a run",
            "launchers die as soon as they have started",
        ));
        let may_repeat = launch.role.leaves_nothing();
        for _ in 0..MOST_ATTEMPTS {
            let attempt;
            (slot, attempt) =
                self.try_run(number, slot, launch, limits, found.take(), stop);
            let is_last = match attempt {
                RunAttempt::Finished(result) => {
                    outcome = result;
                    true
                }
                RunAttempt::Lost(fault) => {
                    outcome = Err(if may_repeat {
                        fault
                    } else {
                        fault.of_lost_run()
                    });
                    !may_repeat
                }
                RunAttempt::Doubtful(run) => {
                    outcome = Ok(run);
                    !may_repeat
                }
                RunAttempt::NotRun => false,
            };
            if is_last || stop.is_thrown() || self.pool.is_closed() {
                break;
            }
        }
        self.pool.give_back(number, slot);
        if self.pool.is_closed() && outcome.is_err() {
            return Err(interrupted());
        }
        outcome.and_then(|run| inherited::fault_if_cut_short(run, limits))
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let mut slots =
            PairSlots::take_pair(&self.setup, &self.pool, &self.interactors)
                .ok_or_else(interrupted)?;
        let outcome = slots.interact(&request);
        if self.pool.is_closed() {
            Err(interrupted())
        } else {
            outcome
        }
    }
}

impl Drop for LinuxSandbox {
    /// Tells all launchers to exit before it waits for the first; folder and groups are
    /// removed after the last has gone.
    fn drop(&mut self) {
        self.shut_down();
    }
}
