//! The judge's side of the sandbox on this machine: finds the level, starts the
//! launchers, and lends one to each run. Everything else about a run is left to the
//! launchers. Start at [`LinuxSandbox::start`].

use std::fs::File;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, Builder};
use std::time::Duration;

use crate::cgroup::slots;
use crate::confine::{inherited, namespaces};
use crate::host::launcher_config::LauncherConfig;
use crate::host::launcher_handle::{Attempt, LauncherHandle};
use crate::host::launcher_pool::{LauncherPool, PoolSlot, interrupted};
use crate::host::std_streams::{GivenFiles, StdStreams};
use crate::host::{pair_attempt, std_streams};
use crate::{
    Fault, Guarantees, Interaction, InteractionRequest, IsolationLevel, Launch,
    LevelChoice, Limits, Role, Run, Sandbox, StopSwitch,
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
        let mut declined = vec![];
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
            let start = || LauncherHandle::start(launcher);
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
            declined: vec![],
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
            ..Launch::default()
        };
        let long = Duration::from_secs(60);
        let limits = Limits {
            cpu: long,
            wall: long,
            memory_bytes: 1 << 30,
            output_bytes: 1 << 20,
            processes: 64,
            ..Limits::default()
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
        self.pools().for_each(LauncherPool::await_idle);
    }

    /// Tries a run once, on this slot's launcher or on a fresh one if that has died,
    /// with `found` or newly made files.
    fn try_run(
        &self,
        slot: &mut PoolSlot,
        launch: &Launch,
        limits: &Limits,
        found: Option<RunFiles>,
        stop: &StopSwitch,
    ) -> Result<Attempt<Run>, Fault> {
        let launcher = slot.launcher(&self.setup)?;
        let (input, given) = found.map_or_else(|| files_for(launch), Ok)?;
        let streams =
            StdStreams::new(launch, input.into(), None, given, launcher.outputs())?;
        Ok(match launcher.run(launch, limits, &streams, stop)? {
            Attempt::Finished(report) | Attempt::Doubtful(report) => {
                let run = launcher.finish(report, limits, streams)?;
                if report.disturbed {
                    Attempt::Doubtful(run)
                } else {
                    Attempt::Finished(run)
                }
            }
            Attempt::Lost(fault) => Attempt::Lost(fault),
            Attempt::NotRun => Attempt::NotRun,
        })
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
        let kills = slots::kills_in_own_group();
        let mut slot = self.pool.take_slot()?;
        let outcome = Attempt::repeat(
            // Nothing that a submission does is left, unlike the files of a tool.
            launch.role == Role::Submission,
            || stop.is_thrown() || self.pool.is_closed(),
            || self.try_run(&mut slot, launch, limits, found.take(), stop),
        );
        if self.pool.is_closed() && outcome.is_err() {
            return Err(interrupted());
        }
        let run = outcome?;
        inherited::fault_if_cut_short(&run, limits)?;
        slots::fault_if_killed(&run, kills)?;
        Ok(run)
    }

    fn interact(
        &self,
        request: InteractionRequest<'_>,
    ) -> Result<Interaction, Fault> {
        // Both pools have the same number of slots: since the submission's is always
        // taken first, an interactor's slot is then free.
        let kills = slots::kills_in_own_group();
        let mut submission = self.pool.take_slot()?;
        let mut interactor = self.interactors.take_slot()?;
        // Not repeated once the interactor has started, because it may have changed its
        // folder.
        let outcome = Attempt::repeat(
            false,
            || self.pool.is_closed(),
            || {
                let slots = [&mut submission, &mut interactor];
                pair_attempt::attempt(slots, &self.setup, &request)
            },
        );
        if self.pool.is_closed() {
            return Err(interrupted());
        }
        let found = outcome?;
        for (run, party) in [
            (&found.submission, &request.submission),
            (&found.interactor, &request.interactor),
        ] {
            inherited::fault_if_cut_short(run, party.limits)?;
            slots::fault_if_killed(run, kills)?;
        }
        Ok(found)
    }
}

impl Drop for LinuxSandbox {
    /// Tells all launchers to exit before it waits for the first; folder and groups are
    /// removed after the last has gone.
    fn drop(&mut self) {
        self.shut_down();
    }
}
