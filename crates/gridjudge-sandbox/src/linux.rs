//! The sandbox of this machine: the judge's side. Finds the level, starts the launchers, and lends them to whoever has a
//! run; leaves everything about a run to them. Start at [`Linux::start`].

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::Choice;
use crate::Fault;
use crate::Guarantees;
use crate::Input;
use crate::Launch;
use crate::Level;
use crate::Limits;
use crate::Role;
use crate::Run;
use crate::Sandbox;
use crate::groups::Groups;
use crate::inherited;
use crate::message::Hello;
use crate::namespaces;
use crate::pool;
use crate::pool::Pool;
use crate::private::Private;
use crate::scratch;
use crate::slot::Answer;
use crate::slot::Slot;
use crate::streams::Streams;

/// What every machine has that has anything.
const SHELL: &str = "/bin/sh";

/// How often a run is offered to a fresh launcher because one had died.
const OFFERS: usize = 3;

/// Runs programs on this machine, as well kept apart as it can.
pub struct Linux {
    pool: Pool,
    setup: Setup,
    guarantees: Guarantees,
    /// Better levels, and why they are not in force.
    declined: Vec<(Level, Fault)>,
}

/// What every launcher is started with.
struct Setup {
    launcher: PathBuf,
    level: Level,
    slots: usize,
    landlock: u32,
    groups: Option<Groups>,
    folder: Private,
}

impl Linux {
    /// Starts one launcher a slot, by `launcher`, a binary whose `main` calls
    /// [`serve_launcher`](super::serve_launcher). It must be of this very version: `/proc/self/exe` is, even if
    /// a new one is installed while the judge runs.
    ///
    /// # Errors
    /// A [`Fault`] if the level that was chosen cannot be had, the private folder cannot be made where every user can
    /// pass, or a launcher cannot be set up.
    pub fn start(launcher: &Path, slots: usize, choice: Choice) -> Result<Self, Fault> {
        Self::start_with(launcher, slots, choice, u32::MAX)
    }

    /// The same, as if the kernel had no newer Landlock than this: for tests of what remains then.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    #[doc(hidden)]
    pub fn start_with(launcher: &Path, slots: usize, choice: Choice, landlock: u32) -> Result<Self, Fault> {
        inherited::raise_limits();
        let mut declined = Vec::new();
        let mut levels = choice.candidates().into_iter();
        loop {
            let level = levels.next().expect("what is tried last is an error, or in force");
            match Self::start_at(level, launcher, slots.max(1), landlock) {
                Ok(mut sandbox) => {
                    sandbox.declined = declined;
                    return Ok(sandbox);
                }
                Err(fault) if levels.len() == 0 => return Err(inherited::with_low_limit(fault)),
                Err(fault) => declined.push((level, fault)),
            }
        }
    }

    fn start_at(level: Level, launcher: &Path, slots: usize, landlock: u32) -> Result<Self, Fault> {
        if level == Level::Full {
            namespaces::may_be_full()?;
        }
        // Launchers become programs while groups and folder are made.
        let set_up = || Setup::new(level, launcher, slots, landlock);
        let (started, setup) = pool::start_all(slots, || start_launcher(launcher), set_up);
        let (setup, mut slots) = (setup?, started?);
        let guarantees = setup.settle(&mut slots)?;
        let sandbox = Self { pool: Pool::new(slots), setup, guarantees, declined: Vec::new() };
        // Only a run shows whether a user without rights gets all that runtimes need: containers may forbid parts of it.
        if level == Level::User && !namespaces::is_root_of_machine() {
            sandbox.rehearse()?;
        }
        Ok(sandbox)
    }

    /// Has a shell do nothing.
    fn rehearse(&self) -> Result<(), Fault> {
        if !Path::new(SHELL).exists() {
            return Ok(());
        }
        let launch = Launch {
            command: [SHELL, "-c", ":"].map(str::to_owned).to_vec(),
            environment: Vec::new(),
            input: Input::Empty,
            readable: Vec::new(),
            role: Role::Submission,
        };
        let long = Duration::from_secs(60);
        let limits =
            Limits { cpu: long, wall: long, memory_bytes: 1 << 30, output_bytes: 1 << 20, processes: 64 };
        let run = self.run(&launch, &limits)?;
        if run.exit.is_clean() { Ok(()) } else { Err(Fault::because("trying a shell", run.exit.to_string())) }
    }

    /// Ends all runs at once, and all to come, as faults: for Ctrl-C, from any thread. Does not wait.
    pub fn close(&self) {
        self.pool.close();
    }

    /// A folder for the judge's compiled programs: every user may pass and read it, none but the judge
    /// write or list the one around it. It goes with the sandbox.
    pub fn programs(&self) -> PathBuf {
        self.setup.folder.programs()
    }

    /// The private folder, which every user may pass but not list, for tests.
    #[doc(hidden)]
    pub fn folder(&self) -> &Path {
        self.setup.folder.path()
    }

    /// The level in force.
    pub fn level(&self) -> Level {
        self.setup.level
    }

    /// The levels that were tried before the one in force, and why they cannot be had.
    pub fn declined(&self) -> &[(Level, Fault)] {
        &self.declined
    }

    /// Ends all runs and removes all that there is, for a process that is about to end: what dropping does, for whoever
    /// does not own it.
    pub fn remove(&self) {
        self.pool.dismiss();
        self.setup.groups.iter().for_each(Groups::remove);
        self.setup.folder.remove();
    }

    /// What this machine gives.
    pub fn guarantees(&self) -> Guarantees {
        self.guarantees
    }

    /// Process ids of the idle launchers, for tests.
    #[doc(hidden)]
    pub fn launcher_ids(&self) -> Vec<u32> {
        self.pool.launcher_ids()
    }

    /// One offer of a run to a slot.
    fn offer(&self, number: usize, slot: Option<Slot>, launch: &Launch, limits: &Limits) -> Offer {
        let slot = match slot {
            Some(slot) => Ok(slot),
            None => self.replace(number),
        };
        let prepared = slot.and_then(|mut slot| {
            let streams = Streams::new(launch, slot.outputs())?;
            Ok((slot, streams))
        });
        let (mut slot, streams) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => return (None, Attempt::Settled(Err(fault))),
        };
        match slot.run(launch, limits, streams) {
            Answer::Fit(result) => (Some(slot), Attempt::Settled(result)),
            Answer::Disturbed(run) => (Some(slot), Attempt::Doubtful(run)),
            Answer::Unfit(fault) => (None, Attempt::Settled(Err(fault))),
            Answer::NotTaken => (None, Attempt::Nothing),
            Answer::Died(fault) => (None, Attempt::Lost(fault)),
        }
    }

    /// A launcher for a slot whose own has died.
    fn replace(&self, number: usize) -> Result<Slot, Fault> {
        scratch::remove_tree(&self.setup.scratch(number))
            .map_err(|error| Fault::new("clearing up after a launcher", error))?;
        let mut slot = start_launcher(&self.setup.launcher)?;
        self.setup.greet(number, &slot)?;
        slot.welcome()?;
        if self.pool.introduce(number, &slot) { Ok(slot) } else { Err(interrupted()) }
    }
}

/// The launcher, if it is fit for another run, and what came of this one.
type Offer = (Option<Slot>, Attempt);

/// What came of an offer.
enum Attempt {
    Settled(Result<Run, Fault>),
    /// The launcher died during the run. A run is no worse for being made again, and no verdict hangs on a launcher's
    /// death.
    Lost(Fault),
    /// It is to be measured again; if that goes on, this is what is known.
    Doubtful(Run),
    /// There was no run.
    Nothing,
}

impl Sandbox for Linux {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let (number, mut slot) = self.pool.take().ok_or_else(interrupted)?;
        let mut outcome = Err(Fault::because("starting a run", "launchers die as soon as they have started"));
        for _ in 0..OFFERS {
            let attempt;
            (slot, attempt) = self.offer(number, slot, launch, limits);
            match attempt {
                Attempt::Settled(result) => {
                    self.pool.give_back(number, slot);
                    let result = result.and_then(|run| inherited::not_cut_short(run, limits));
                    return result.map_err(|fault| if self.pool.is_closed() { interrupted() } else { fault });
                }
                Attempt::Lost(fault) => outcome = Err(fault),
                Attempt::Doubtful(run) => outcome = Ok(run),
                Attempt::Nothing => {}
            }
            if self.pool.is_closed() {
                break;
            }
        }
        self.pool.give_back(number, slot);
        if self.pool.is_closed() { Err(interrupted()) } else { outcome }
    }
}

impl Drop for Linux {
    /// All launchers are told to leave before the first is waited for; folder and groups go after the last.
    fn drop(&mut self) {
        self.pool.dismiss();
    }
}

impl Setup {
    fn new(level: Level, launcher: &Path, slots: usize, landlock: u32) -> Result<Self, Fault> {
        let groups = match level {
            Level::Full => Some(Groups::make(slots)?),
            // With a subtree of its own that the system manager has handed over.
            Level::User if !rustix::process::geteuid().is_root() => Groups::make(slots).ok(),
            Level::User | Level::Basic => None,
        };
        let (launcher, folder) = (launcher.to_owned(), Private::make()?);
        Ok(Self { launcher, level, slots, landlock, groups, folder })
    }

    /// Has launchers, in the order of their slots, set themselves up side by side.
    fn settle(&self, slots: &mut [Slot]) -> Result<Guarantees, Fault> {
        for (number, slot) in slots.iter().enumerate() {
            self.greet(number, slot)?;
        }
        slots.iter_mut().try_fold(Guarantees::BEST, |all, slot| Ok(all.and(slot.welcome()?)))
    }

    fn greet(&self, number: usize, slot: &Slot) -> Result<(), Fault> {
        let hello = Hello {
            level: self.level,
            group: self.groups.as_ref().map(|groups| groups.of_slot(number)),
            scratch: self.scratch(number),
            slots: u32::try_from(self.slots).unwrap_or(u32::MAX),
            landlock: self.landlock,
            rehearses: number == 0,
        };
        slot.greet(&hello).map_err(|error| Fault::new("greeting a launcher", error))
    }

    fn scratch(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{}{number}", super::SCRATCH))
    }
}

fn start_launcher(launcher: &Path) -> Result<Slot, Fault> {
    Slot::start(launcher)
        .map_err(|error| Fault::new(format!("starting a launcher by {}", launcher.display()), error))
}

fn interrupted() -> Fault {
    Fault::because("running a program", "interrupted")
}
