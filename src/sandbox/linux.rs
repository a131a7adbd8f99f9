//! The sandbox of level *basic*: the judge's side. Knows how many launchers there are and which is idle;
//! leaves everything about a run to them. Start at [`Linux::start`].

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use tempfile::TempDir;

use crate::model::Fault;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Run;
use crate::sandbox::Choice;
use crate::sandbox::Guarantees;
use crate::sandbox::Level;
use crate::sandbox::Sandbox;
use crate::sandbox::message::Hello;
use crate::sandbox::scratch;
use crate::sandbox::slot;
use crate::sandbox::slot::Answer;
use crate::sandbox::slot::Slot;
use crate::sandbox::streams::Streams;

/// How often a run is offered to a fresh launcher because one had died idle.
const OFFERS: usize = 3;

/// Runs programs with what every Linux gives: no namespaces, no cgroups, no privileges needed.
pub struct Linux {
    launcher: PathBuf,
    folder: TempDir,
    level: Level,
    guarantees: Guarantees,
    /// Better levels, and why they are not in force.
    declined: Vec<(Level, Fault)>,
    slots: usize,
    landlock: u32,
    pool: Mutex<Pool>,
    returned: Condvar,
}

/// The launchers.
struct Pool {
    /// Numbers of slots that are free, with their launchers where these live.
    idle: Vec<(usize, Option<Slot>)>,
    /// The socket of every slot's launcher, by which it can be interrupted.
    sockets: Vec<Option<Arc<OwnedFd>>>,
    closed: bool,
}

impl Linux {
    /// Starts one launcher a slot, by `launcher`, a binary whose `main` calls
    /// [`serve_launcher`](super::serve_launcher). It must be of this very version: `/proc/self/exe` is, even if
    /// a new one is installed while the judge runs.
    ///
    /// # Errors
    /// A [`Fault`] if the private folder cannot be made where every user can pass, or a launcher cannot
    /// be set up.
    pub fn start(launcher: &Path, slots: usize, choice: Choice) -> Result<Self, Fault> {
        Self::start_with(launcher, slots, choice, u32::MAX)
    }

    /// The same, as if the kernel had no newer Landlock than this: for tests of what remains then.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    #[doc(hidden)]
    pub fn start_with(launcher: &Path, slots: usize, choice: Choice, landlock: u32) -> Result<Self, Fault> {
        let slots = slots.max(1);
        let mut declined = Vec::new();
        for level in choice.candidates() {
            match Self::start_at(level, launcher, slots, landlock) {
                Ok(mut sandbox) => {
                    sandbox.declined = declined;
                    return Ok(sandbox);
                }
                Err(fault) => declined.push((level, fault)),
            }
        }
        let (_, fault) = declined.pop().expect("some level is tried");
        Err(fault)
    }

    fn start_at(level: Level, launcher: &Path, slots: usize, landlock: u32) -> Result<Self, Fault> {
        if level != Level::Basic {
            return Err(Fault::because("starting", "TODO"));
        }
        let folder = private_folder()?;
        let mut started = (0..slots)
            .map(|number| start_slot(launcher, hello(folder.path(), number, slots, landlock)))
            .collect::<Result<Vec<_>, _>>()?;
        let mut guarantees = Guarantees::BEST;
        for slot in &mut started {
            guarantees = guarantees.and(slot.welcome()?);
        }
        let sockets = started.iter().map(|slot| Some(Arc::clone(slot.socket()))).collect();
        let idle = started.into_iter().map(Some).enumerate().rev().collect();
        let pool = Mutex::new(Pool { idle, sockets, closed: false });
        let launcher = launcher.to_owned();
        let declined = Vec::new();
        Ok(Self {
            launcher,
            folder,
            level,
            guarantees,
            declined,
            slots,
            landlock,
            pool,
            returned: Condvar::new(),
        })
    }

    /// Ends all runs at once, and all to come, as faults: for Ctrl-C, from any thread. Does not wait.
    pub fn close(&self) {
        let mut pool = self.lock();
        pool.closed = true;
        for socket in pool.sockets.iter().flatten() {
            slot::hang_up(socket);
        }
        self.returned.notify_all();
    }

    /// A folder for the judge's compiled programs: every user may pass and read it, none but the judge
    /// write or list the one around it. It goes with the sandbox.
    pub fn programs(&self) -> PathBuf {
        self.folder.path().join(super::PROGRAMS)
    }

    /// The private folder, which every user may pass but not list.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The level in force.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The levels that were tried before the one in force, and why they cannot be had.
    pub fn declined(&self) -> &[(Level, Fault)] {
        &self.declined
    }

    /// What this machine gives.
    pub fn guarantees(&self) -> Guarantees {
        self.guarantees
    }

    /// Process ids of the idle launchers, for tests.
    #[doc(hidden)]
    pub fn launcher_ids(&self) -> Vec<u32> {
        self.lock().idle.iter().filter_map(|(_, slot)| slot.as_ref().map(Slot::process_id)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Pool> {
        // Nothing panics while it holds the lock and leaves the pool half changed.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a free slot.
    fn take(&self) -> Result<(usize, Option<Slot>), Fault> {
        let mut pool = self.lock();
        loop {
            if pool.closed {
                return Err(interrupted());
            }
            if let Some(idle) = pool.idle.pop() {
                return Ok(idle);
            }
            pool = self.returned.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_back(&self, number: usize, slot: Option<Slot>) {
        self.lock().idle.push((number, slot));
        self.returned.notify_one();
    }

    /// A launcher for a slot whose own has died.
    fn replace(&self, number: usize) -> Result<Slot, Fault> {
        scratch::remove_tree(&scratch_of(self.folder.path(), number))
            .map_err(|error| Fault::new("clearing up after a launcher", error))?;
        let mut slot =
            start_slot(&self.launcher, hello(self.folder.path(), number, self.slots, self.landlock))?;
        slot.welcome()?;
        let mut pool = self.lock();
        pool.sockets[number] = Some(Arc::clone(slot.socket()));
        // Closing may have passed this slot by while it had no launcher.
        if pool.closed { Err(interrupted()) } else { Ok(slot) }
    }

    /// One offer of a run to a slot. `None` if its launcher had died before.
    fn offer(&self, number: usize, slot: Option<Slot>, launch: &Launch, limits: &Limits) -> Offer {
        let slot = match slot {
            Some(slot) => Ok(slot),
            None => self.replace(number),
        };
        let prepared = slot.and_then(|slot| Ok((slot, Streams::new(launch)?)));
        let (mut slot, streams) = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => return (None, Some(Err(fault))),
        };
        match slot.run(launch, limits, streams) {
            Answer::Fit(result) => (Some(slot), Some(result)),
            Answer::Unfit(fault) => (None, Some(Err(fault))),
            Answer::NotTaken => (None, None),
        }
    }
}

/// The launcher, if it is fit for another run, and the result, if there was a run.
type Offer = (Option<Slot>, Option<Result<Run, Fault>>);

impl Sandbox for Linux {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        let (number, mut slot) = self.take()?;
        let mut result = None;
        for _ in 0..OFFERS {
            (slot, result) = self.offer(number, slot, launch, limits);
            if result.is_some() || self.lock().closed {
                break;
            }
        }
        self.give_back(number, slot);
        match result {
            Some(Ok(run)) => Ok(run),
            _ if self.lock().closed => Err(interrupted()),
            Some(Err(fault)) => Err(fault),
            None => Err(Fault::because("starting a run", "launchers die as soon as they have started")),
        }
    }
}

impl Drop for Linux {
    /// All launchers are told to leave before the first is waited for; the folder goes after the last.
    fn drop(&mut self) {
        self.close();
        self.lock().idle.clear();
        let _ = scratch::remove_tree(self.folder.path());
    }
}

fn interrupted() -> Fault {
    Fault::because("running a program", "interrupted")
}

fn scratch_of(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{}{number}", super::SCRATCH))
}

fn hello(folder: &Path, number: usize, slots: usize, landlock: u32) -> Hello {
    Hello { scratch: scratch_of(folder, number), slots: u32::try_from(slots).unwrap_or(u32::MAX), landlock }
}

fn start_slot(launcher: &Path, hello: Hello) -> Result<Slot, Fault> {
    let doing = || format!("starting a launcher by {}", launcher.display());
    Slot::start(launcher, &hello).map_err(|error| Fault::new(doing(), error))
}

fn private_folder() -> Result<TempDir, Fault> {
    let parent = std::env::temp_dir();
    let failed = |error| {
        Fault::new(format!("making a folder in {}", parent.display()), error)
            .with_remedy("set TMPDIR to a folder that this user may write to and every user may pass")
    };
    if rustix::process::geteuid().is_root() {
        let passable = every_user_may_pass(&parent).map_err(failed)?;
        if !passable {
            return Err(failed(io::Error::other("not every user may pass it or a folder above it")));
        }
    }
    let prefix = format!("gridjudge-{}-", std::process::id());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(&parent).map_err(failed)?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o711)).map_err(failed)?;
    let programs = folder.path().join(super::PROGRAMS);
    fs::create_dir(&programs).map_err(failed)?;
    fs::set_permissions(&programs, fs::Permissions::from_mode(0o755)).map_err(failed)?;
    Ok(folder)
}

fn every_user_may_pass(folder: &Path) -> io::Result<bool> {
    let folder = folder.canonicalize()?;
    for folder in folder.ancestors() {
        if folder.metadata()?.permissions().mode() & 0o001 == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
