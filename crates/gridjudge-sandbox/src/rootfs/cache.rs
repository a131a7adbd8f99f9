//! Caches a launcher's latest roots: one is built when a program needs one that is not
//! among them, or when a run has touched the last. Knows what programs may reach; knows
//! nothing of runs. Start at [`RootFsCache::root_for`].

use std::io;
use std::path::{Path, PathBuf};

use crate::Fault;
use crate::confine::landlock::AccessGrant;
use crate::confine::namespaces::{OriginalMounts, USERS};
use crate::rootfs::build::{RootFs, RootFsBuilder, RootFsContents};

/// The largest scratch folder, however much memory a run may use.
const LARGEST_SCRATCH_BYTES: u64 = 1 << 30;

/// How many roots are cached: those of a submission and of its checker, and those of
/// the submission and the checker before.
const MOST_ROOTS: usize = 4;

const BEYOND_MEMORY_BYTES: u64 = 1 << 20;

/// Builds roots and caches the latest few.
pub(crate) struct RootFsCache {
    builder: RootFsBuilder,
    /// The cached roots; the one used last is at the end.
    ready: Vec<CachedRootFs>,
    /// The root of [`probe`](Self::probe), until there is time to remove it.
    probed: Option<RootFs>,
}

/// The key of a root.
#[derive(PartialEq, Eq)]
struct RootFsKey {
    program: PathBuf,
    grant: AccessGrant,
    scratch_bytes: u64,
}

/// A root and its key.
struct CachedRootFs {
    key: RootFsKey,
    root: RootFs,
}

impl RootFsCache {
    /// Creates a cache, in a process that is already in its namespaces. `user` is the
    /// user of submissions, if it is not the process's own.
    pub(crate) fn new(
        anchor: &Path,
        user: Option<u32>,
        landlock: u32,
    ) -> io::Result<Self> {
        Ok(Self {
            builder: RootFsBuilder {
                original_mounts: OriginalMounts::here()?,
                anchor: anchor.to_owned(),
                user: user.unwrap_or(USERS.start),
                landlock,
            },
            ready: vec![],
            probed: None,
        })
    }

    /// Builds a root, to find out now whether that works here. Removing it makes the
    /// kernel wait for all processors while the judge waits for the answer, so that is
    /// left to [`clear`](Self::clear).
    pub(crate) fn probe(&mut self) -> io::Result<()> {
        let contents = RootFsContents::whole_system();
        self.probed = Some(self.builder.build(contents, 1 << 20)?);
        Ok(())
    }

    /// Returns the root for a program. Its scratch folder has room for the given files
    /// in addition to what the run may write.
    ///
    /// # Errors
    /// Returns a [`Fault`] with the path that could not be mounted.
    pub(crate) fn root_for(
        &mut self,
        program: &Path,
        grant: AccessGrant,
        memory_bytes: u64,
        given_bytes: u64,
    ) -> Result<&RootFs, Fault> {
        // A little more than is allowed, so that filling it breaks the memory limit and
        // does not merely fail.
        let scratch_bytes = memory_bytes.min(LARGEST_SCRATCH_BYTES)
            + given_bytes
            + BEYOND_MEMORY_BYTES;
        let key = RootFsKey {
            program: program.to_owned(),
            grant,
            scratch_bytes,
        };
        let ready = match self.ready.iter().position(|known| known.key == key) {
            Some(place) => self.ready.remove(place),
            None => {
                // The contents are determined only when a root is built, because that
                // takes longer than a run.
                let contents = RootFsContents::for_program(&key.program, &key.grant);
                let root = self
                    .builder
                    .build(contents, scratch_bytes)
                    .map_err(Fault::at("building a root for", &key.program))?;
                CachedRootFs { key, root }
            }
        };
        self.ready.push(ready);
        Ok(&self.ready[self.ready.len() - 1].root)
    }

    /// Removes the last root if its run has touched it, and the oldest if there are too
    /// many.
    pub(crate) fn clear(&mut self) {
        self.probed = None;
        if self
            .ready
            .last()
            .is_some_and(|latest| !latest.root.is_untouched())
        {
            self.ready.pop();
        }
        if self.ready.len() > MOST_ROOTS {
            self.ready.remove(0);
        }
    }
}
