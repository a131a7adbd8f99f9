//! The root that a launcher has ready: built when a program wants another one than the last, or when a run has touched
//! it. Knows what programs may reach; knows nothing of runs. Start at [`Roots::root_for`].

use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::Fault;
use crate::confine::Identity;
use crate::confine::Reach;
use crate::namespaces::Home;
use crate::root::Plan;
use crate::root::Root;
use crate::user::USERS;
use crate::view::View;

/// The largest scratch folder, whatever a run may use of memory.
const LARGEST_SCRATCH_BYTES: u64 = 1 << 30;

const BEYOND_MEMORY_BYTES: u64 = 1 << 20;

/// Builds roots and keeps the latest.
pub(super) struct Roots {
    home: Home,
    /// A folder to build on.
    anchor: PathBuf,
    /// Whose scratch folders are.
    user: u32,
    landlock: u32,
    latest: Option<Ready>,
}

/// What a root is good for: files change behind their names.
#[derive(PartialEq, Eq)]
struct Key {
    program: PathBuf,
    reach: Reach,
    identities: Vec<Identity>,
    scratch_bytes: u64,
}

/// A root, what it is good for, and what is in it.
struct Ready {
    key: Key,
    view: View,
    root: Root,
}

impl Roots {
    /// For a process that is in its namespaces. `user` is that of submissions, if it is not the process's own.
    pub(super) fn new(anchor: &Path, user: Option<u32>, landlock: u32) -> io::Result<Self> {
        let user = user.unwrap_or(USERS.start);
        Ok(Self { home: Home::here()?, anchor: anchor.to_owned(), user, landlock, latest: None })
    }

    /// Builds a root and drops it again, to find out now whether that can be done here.
    pub(super) fn rehearse(&self) -> io::Result<()> {
        self.build(&View::whole_system(), 1 << 20).map(drop)
    }

    /// The root for a program, and what is in it.
    ///
    /// # Errors
    /// A [`Fault`] with the path that could not be shown.
    pub(super) fn root_for(
        &mut self,
        program: &Path,
        reach: Reach,
        memory_bytes: u64,
    ) -> Result<(&Root, &View), Fault> {
        // With a little more than is allowed, so that filling it breaks the limit of memory and does not merely fail.
        let scratch_bytes = memory_bytes.min(LARGEST_SCRATCH_BYTES) + BEYOND_MEMORY_BYTES;
        let (program, identities) = (program.to_owned(), reach.identities());
        let key = Key { program, reach, identities, scratch_bytes };
        let ready = match self.latest.take() {
            Some(latest) if latest.key == key => latest,
            _ => {
                // What a program needs is found anew only here, for that costs more than a run.
                let view = View::of(&key.program, &key.reach);
                let root = self.build(&view, scratch_bytes).map_err(|error| {
                    Fault::new(format!("building a root for {}", key.program.display()), error)
                })?;
                Ready { key, view, root }
            }
        };
        let Ready { root, view, .. } = self.latest.insert(ready);
        Ok((root, view))
    }

    /// A touched root is not used again: the next run gets a fresh one.
    pub(super) fn clear(&mut self) {
        if self.latest.as_ref().is_some_and(|latest| !latest.root.is_untouched()) {
            self.latest = None;
        }
    }

    fn build(&self, view: &View, scratch_bytes: u64) -> io::Result<Root> {
        let plan = Plan { view, user: self.user, scratch_bytes, landlock: self.landlock };
        Root::build(&self.home, &self.anchor, &plan)
    }
}
