//! The roots that a launcher has ready: one is built when a program wants another than the last few, or when a run has touched
//! its own. Knows what programs may reach; knows nothing of runs. Start at [`RootFsCache::root_for`].

use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::Fault;
use crate::confine::landlock::AccessGrant;
use crate::confine::landlock::PathIdentity;
use crate::confine::namespaces::OriginalMounts;
use crate::confine::submission_user::USERS;
use crate::rootfs::build::RootFs;
use crate::rootfs::build::RootFsPlan;
use crate::rootfs::contents::RootFsContents;

/// The largest scratch folder, whatever a run may use of memory.
const LARGEST_SCRATCH_BYTES: u64 = 1 << 30;

/// Roots that are kept: those of a submission and of the checker of its problem, and of the submission and the checker before.
const MOST_ROOTS: usize = 4;

const BEYOND_MEMORY_BYTES: u64 = 1 << 20;

/// Builds roots and keeps the latest few.
pub(crate) struct RootFsCache {
    original_mounts: OriginalMounts,
    /// A folder to build on.
    anchor: PathBuf,
    /// Whose scratch folders are.
    user: u32,
    landlock: u32,
    /// The one that was used last stands last.
    ready: Vec<CachedRootFs>,
    /// The root of [`probe`](Self::probe), until there is time to take it down.
    probed: Option<RootFs>,
}

/// What a root is good for: files change behind their names.
#[derive(PartialEq, Eq)]
struct RootFsKey {
    program: PathBuf,
    grant: AccessGrant,
    identities: Vec<PathIdentity>,
    scratch_bytes: u64,
}

/// A root, what it is good for, and what is in it.
struct CachedRootFs {
    key: RootFsKey,
    contents: RootFsContents,
    root: RootFs,
}

impl RootFsCache {
    /// For a process that is in its namespaces. `user` is that of submissions, if it is not the process's own.
    pub(crate) fn new(anchor: &Path, user: Option<u32>, landlock: u32) -> io::Result<Self> {
        let user = user.unwrap_or(USERS.start);
        Ok(Self {
            original_mounts: OriginalMounts::here()?,
            anchor: anchor.to_owned(),
            user,
            landlock,
            ready: Vec::new(),
            probed: None,
        })
    }

    /// Builds a root, to find out now whether that can be done here. To take it down again makes the kernel wait for all
    /// processors, and the judge waits for the answer: so that is left to [`clear`](Self::clear).
    pub(crate) fn probe(&mut self) -> io::Result<()> {
        self.probed = Some(self.build(&RootFsContents::whole_system(), 1 << 20)?);
        Ok(())
    }

    /// The root for a program, and what is in it. Its scratch folder has room for what a run is given, beside what it may write.
    ///
    /// # Errors
    /// A [`Fault`] with the path that could not be shown.
    pub(crate) fn root_for(
        &mut self,
        program: &Path,
        grant: AccessGrant,
        memory_bytes: u64,
        given_bytes: u64,
    ) -> Result<(&RootFs, &RootFsContents), Fault> {
        // With a little more than is allowed, so that filling it breaks the limit of memory and does not merely fail.
        let scratch_bytes = memory_bytes.min(LARGEST_SCRATCH_BYTES) + given_bytes + BEYOND_MEMORY_BYTES;
        let (program, identities) = (program.to_owned(), grant.identities());
        let key = RootFsKey { program, grant, identities, scratch_bytes };
        let known = self.ready.iter().position(|known| known.key == key);
        let ready = match known {
            Some(place) => self.ready.remove(place),
            None => {
                // What a program needs is found anew only here, for that costs more than a run.
                let contents = RootFsContents::of(&key.program, &key.grant);
                let root = self.build(&contents, scratch_bytes).map_err(|error| {
                    Fault::new(format!("building a root for {}", key.program.display()), error)
                })?;
                CachedRootFs { key, contents, root }
            }
        };
        self.ready.push(ready);
        let CachedRootFs { root, contents, .. } = &self.ready[self.ready.len() - 1];
        Ok((root, contents))
    }

    /// A touched root is not used again: the next run gets a fresh one.
    pub(crate) fn clear(&mut self) {
        self.probed = None;
        if self.ready.last().is_some_and(|latest| !latest.root.is_untouched()) {
            self.ready.pop();
        }
        if self.ready.len() > MOST_ROOTS {
            self.ready.remove(0);
        }
    }

    fn build(&self, contents: &RootFsContents, scratch_bytes: u64) -> io::Result<RootFs> {
        let plan = RootFsPlan { contents, user: self.user, scratch_bytes, landlock: self.landlock };
        RootFs::build(&self.original_mounts, &self.anchor, &plan)
    }
}
