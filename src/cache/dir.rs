//! The folder of the cache: which one it is, whether it can be trusted, and the files
//! in it, one for each program. Knows names, sizes and locks, but not the contents of
//! the files.
//!
//! A file in use has a shared lock, so it is not removed to make room while another
//! judge appends to it. All files are accessed through the descriptor of the folder,
//! which was checked, and not by its path, which may lead elsewhere by now.

use std::ffi::OsString;
use std::fs::{DirBuilder, File, Metadata};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::Fault;
use rustix::fs::{
    AtFlags, Dir, FlockOperation, Mode, OFlags, Stat, Timespec, Timestamps, UTIME_NOW,
};
use rustix::io::Errno;

use crate::cache::key::{CacheKey, KeyHasher};

/// The prefix of the names of files with trials; the key of their program follows.
/// Other files in the folder are never touched.
pub(super) const TRIALS_PREFIX: &str = "trials-";

/// The prefix of the names of files for what compilers have made; the key of the
/// program follows.
pub(super) const BUILD_PREFIX: &str = "build-";

/// The prefix of the names of files with proofs of cases; the key of their problem
/// follows.
pub(super) const PROOFS_PREFIX: &str = "proofs-";

/// The files that are removed to make room, the least recently used first. The key in a
/// name follows its prefix.
const REMOVABLE: [&str; 3] = [TRIALS_PREFIX, BUILD_PREFIX, PROOFS_PREFIX];

/// The bytes of a block, the unit of `st_blocks`. Source: stat(3type).
const BLOCK_BYTES: u64 = 512;

/// The prefix of the names of files for shown notices; a hash of the notice follows.
const NOTICE_PREFIX: &str = "told-";

/// The prefix of the names of files for digests; a hash of the files' state follows.
const DIGEST_PREFIX: &str = "digest-";

/// The most digests that are kept. Each compiler that is installed or replaced leaves
/// one or two.
const MOST_DIGESTS: usize = 1000;

/// How old, in seconds, the last change of a file must be for a digest of it to be
/// stored: two changes at once may have the same time.
const LEAST_AGE: i64 = 2;

/// The prefix of the names of files with measured limits; the key of the package
/// follows.
pub(super) const LIMIT_PREFIX: &str = "limit-";

/// The most bytes of a digest, or of a limit.
const MOST_TEXT_BYTES: u64 = 16 << 10;

/// How often opening a file is tried if another judge removes it at the same time.
const TRIES: usize = 3;

/// The flags with which all files are opened.
const DEFAULT: OFlags = OFlags::CLOEXEC
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK);

/// A folder that belongs to this user, and that no other user may write to.
pub(super) struct CacheDir {
    path: PathBuf,
    pub(super) folder: OwnedFd,
}

/// One file that may be removed to make room.
pub(super) struct StoredFile {
    pub(super) prefix: &'static str,
    pub(super) key: CacheKey,
    /// The bytes that it takes on the disk.
    pub(super) used_bytes: u64,
    /// Seconds and nanoseconds.
    pub(super) last_used: (i64, i64),
}

/// The default folder of the cache by these environment variables and the home folder,
/// if any of them is set. By the XDG Base Directory Specification a relative
/// `XDG_CACHE_HOME` is ignored; a relative `GRIDJUDGE_CACHE` is accepted.
pub fn default_dir(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let named = |name| {
        variable(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    named("GRIDJUDGE_CACHE").or_else(|| {
        let caches = named("XDG_CACHE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| Some(home.filter(|path| path.is_absolute())?.join(".cache")));
        Some(caches?.join("gridjudge"))
    })
}

/// Whether a text is shown for the first time, and marks it as shown: an empty file,
/// named after its hash. If the folder cannot store that, a text is new each time.
pub fn is_new_notice(path: &Path, text: &str) -> bool {
    let key = KeyHasher::for_purpose("told").with(text).finish();
    let Ok(place) = CacheDir::make(path) else {
        return true;
    };
    let marked = place.create(NOTICE_PREFIX, &key);
    !marked.is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

impl CacheDir {
    /// Opens the folder, and creates it if it is missing.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the folder cannot be created, opened or trusted.
    pub(super) fn make(path: &Path) -> Result<Self, Fault> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|error| Fault::new(doing(path), error))?;
        Self::open(path)?
            .ok_or_else(|| Fault::because(doing(path), "somebody removed it"))
    }

    /// Opens the folder. Returns `None` if there is none.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Fault> {
        let failed = |error: Errno| Fault::new(doing(path), io::Error::from(error));
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let folder = match rustix::fs::open(path, flags, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened.map_err(failed)?,
        };
        let found = rustix::fs::fstat(&folder).map_err(failed)?;
        if found.st_uid != rustix::process::geteuid().as_raw() {
            let cause = format!("it belongs to user {}", found.st_uid);
            return Err(Fault::because(doing(path), cause).with_remedy(ELSEWHERE));
        }
        if found.st_mode & 0o022 != 0 {
            let remedy = format!("empty it, then `chmod go-w {}`", path.display());
            return Err(Fault::because(doing(path), "other users may write to it")
                .with_remedy(remedy));
        }
        Ok(Some(Self {
            path: path.to_owned(),
            folder,
        }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file for reading. Returns `None` if there is none.
    ///
    /// # Errors
    /// As [`open_file`](Self::open_file).
    pub(super) fn file(
        &self,
        prefix: &str,
        key: &CacheKey,
    ) -> io::Result<Option<File>> {
        match self.open_file(prefix, key, OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => Ok(Some(opened?)),
        }
    }

    /// Opens a file for what the flags say.
    ///
    /// # Errors
    /// Fails if it cannot be opened, or is not a regular file of this user.
    pub(super) fn open_file(
        &self,
        prefix: &str,
        key: &CacheKey,
        flags: OFlags,
    ) -> io::Result<File> {
        for _ in 0..TRIES {
            let file = self.opened(&format!("{prefix}{key}"), flags)?;
            // A judge with an exclusive lock is about to remove the file; only lines
            // appended in the meantime are lost.
            let _ = rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared);
            let found = file.metadata()?;
            if !is_ours(&found) {
                return Err(Errno::PERM.into());
            }
            if found.nlink() > 0 {
                return Ok(file);
            }
        }
        Err(Errno::NOENT.into())
    }

    /// The digest that was stored for files in this state.
    pub(super) fn digest(&self, state: &CacheKey) -> Option<CacheKey> {
        let text = self.text(DIGEST_PREFIX, state)?;
        let digest = text.strip_suffix('\n').and_then(CacheKey::named);
        if digest.is_none() {
            // It is damaged, and may be stored again.
            let _ = self.remove_file(DIGEST_PREFIX, state);
        }
        digest
    }

    /// Stores the digest of files in this state, whose latest change was at
    /// `newest_change` in seconds since 1970. Returns whether it did: not if a file was
    /// changed a moment ago.
    ///
    /// # Errors
    /// Fails if there is one already, or if its file cannot be written.
    pub(super) fn store_digest(
        &self,
        state: &CacheKey,
        digest: &CacheKey,
        newest_change: i64,
    ) -> io::Result<bool> {
        let mut file = self.create(DIGEST_PREFIX, state)?;
        let now = file.metadata()?.mtime();
        let is_stored = newest_change <= now - LEAST_AGE
            && file.write_all(format!("{digest}\n").as_bytes()).is_ok();
        if !is_stored {
            self.remove_file(DIGEST_PREFIX, state)?;
        }
        Ok(is_stored)
    }

    /// Opens the file with what a compiler has made for a program, if there is one.
    /// Nobody writes to it.
    pub(super) fn build(&self, program: &CacheKey) -> Option<File> {
        let name = format!("{BUILD_PREFIX}{program}");
        let lock = FlockOperation::NonBlockingLockShared;
        let (file, _) = self.locked(&name, OFlags::RDONLY, lock).ok()??;
        Some(file)
    }

    /// Stores what a compiler has made for a program, unless another judge has done so
    /// or is doing so.
    ///
    /// # Errors
    /// Fails if its file cannot be created or written.
    pub(super) fn store_build(
        &self,
        program: &CacheKey,
        contents: &[u8],
    ) -> io::Result<()> {
        let name = format!("{BUILD_PREFIX}{program}");
        let flags = OFlags::RDWR | OFlags::CREATE;
        let lock = FlockOperation::NonBlockingLockExclusive;
        match self.locked(&name, flags, lock)? {
            Some((mut file, found)) if found.len() == 0 => file
                .write_all(contents)
                .inspect_err(|_| _ = self.remove_file(BUILD_PREFIX, program)),
            // Another judge has been faster, or it is not ours.
            _ => Ok(()),
        }
    }

    /// Opens a file and locks it; `None` if another judge has locked it, or it is not a
    /// regular file of this user. What is known of it is as it is since the lock.
    ///
    /// # Errors
    /// Fails if it cannot be opened.
    pub(super) fn locked(
        &self,
        name: &str,
        flags: OFlags,
        lock: FlockOperation,
    ) -> io::Result<Option<(File, Metadata)>> {
        let file = self.opened(name, flags)?;
        let is_locked = rustix::fs::flock(&file, lock).is_ok();
        let found = file.metadata()?;
        Ok((is_locked && is_ours(&found)).then_some((file, found)))
    }

    /// Forgets all digests if there are too many.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    pub(super) fn trim_digests(&self) -> io::Result<()> {
        if self.keys(DIGEST_PREFIX)?.len() > MOST_DIGESTS {
            self.forget(DIGEST_PREFIX)
        } else {
            Ok(())
        }
    }

    /// Forgets which notices were shown, the limits that were measured, and all
    /// digests.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    pub(super) fn forget_all(&self) -> io::Result<()> {
        [NOTICE_PREFIX, LIMIT_PREFIX, DIGEST_PREFIX]
            .iter()
            .try_for_each(|prefix| self.forget(prefix))
    }

    fn forget(&self, prefix: &str) -> io::Result<()> {
        for key in self.keys(prefix)? {
            // If that fails, it is found again, which does no harm.
            let _ = self.remove_file(prefix, &key);
        }
        Ok(())
    }

    /// The keys that have a file whose name begins with this prefix.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    pub(super) fn keys(&self, prefix: &str) -> io::Result<Vec<CacheKey>> {
        let mut keys = vec![];
        for entry in Dir::read_from(&self.folder)? {
            let entry = entry?;
            let name = entry
                .file_name()
                .to_str()
                .ok()
                .and_then(|name| name.strip_prefix(prefix));
            keys.extend(name.and_then(CacheKey::named));
        }
        Ok(keys)
    }

    /// The text of a small file, if there is one.
    pub(super) fn text(&self, prefix: &str, key: &CacheKey) -> Option<String> {
        let file = self.file(prefix, key).ok()??;
        let mut text = vec![];
        file.take(MOST_TEXT_BYTES).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Creates a small file.
    ///
    /// # Errors
    /// Fails if there is one already, or if it cannot be created.
    pub(super) fn create(&self, prefix: &str, key: &CacheKey) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        self.opened(&format!("{prefix}{key}"), flags)
    }

    /// Opens a file of the folder. One that is created is its user's alone.
    pub(super) fn opened(&self, name: &str, flags: OFlags) -> io::Result<File> {
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::openat(&self.folder, name, flags | DEFAULT, mode)?.into())
    }

    pub(super) fn remove_file(&self, prefix: &str, key: &CacheKey) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            &self.folder,
            format!("{prefix}{key}"),
            AtFlags::empty(),
        )?)
    }

    /// The files that may be removed to make room.
    ///
    /// # Errors
    /// Fails if the folder cannot be listed.
    pub(super) fn stored_files(&self) -> io::Result<Vec<StoredFile>> {
        let mut stored_files = vec![];
        for prefix in REMOVABLE {
            for key in self.keys(prefix)? {
                // It may have been removed since it was listed.
                let found = rustix::fs::statat(
                    &self.folder,
                    format!("{prefix}{key}"),
                    AtFlags::SYMLINK_NOFOLLOW,
                );
                let Ok(found) = found else { continue };
                #[allow(
                    clippy::useless_conversion,
                    clippy::unnecessary_cast,
                    reason = "its type differs between machines"
                )]
                let last_used = (found.st_mtime as i64, found.st_mtime_nsec as i64);
                stored_files.push(StoredFile {
                    prefix,
                    key,
                    used_bytes: used_bytes(&found),
                    last_used,
                });
            }
        }
        Ok(stored_files)
    }
}

/// The bytes that a file takes on the disk. Some file systems count its blocks only
/// after they have been written, so it takes no fewer than it has.
pub(super) fn used_bytes(found: &Stat) -> u64 {
    let blocks = u64::try_from(found.st_blocks).unwrap_or(0);
    let bytes = u64::try_from(found.st_size).unwrap_or(0);
    blocks.saturating_mul(BLOCK_BYTES).max(bytes)
}

/// Records that a file is used now. If that fails, it may be removed a little too
/// early.
pub(super) fn touch(file: &File) {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: UTIME_NOW,
    };
    let _ = rustix::fs::futimens(
        file,
        &Timestamps {
            last_access: now,
            last_modification: now,
        },
    );
}

/// The remedy for a folder of another user.
const ELSEWHERE: &str = "set GRIDJUDGE_CACHE to a folder of your own";

fn doing(path: &Path) -> String {
    format!("opening the cache at {}", path.display())
}

fn is_ours(found: &Metadata) -> bool {
    found.is_file()
        && found.uid() == rustix::process::geteuid().as_raw()
        && found.mode() & 0o022 == 0
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::cache::key::KeyHasher;
    use rustix::fs::FileType;

    fn key(name: &str) -> CacheKey {
        KeyHasher::for_purpose(name).finish()
    }

    fn name(key: &CacheKey) -> String {
        format!("{TRIALS_PREFIX}{key}")
    }

    #[test]
    fn the_first_usable_variable_decides_the_folder() {
        for (own, xdg, home, expected) in [
            ("/own", "/xdg", "/home/ann", "/own"),
            ("own", "/xdg", "/home/ann", "own"),
            ("", "/xdg", "/home/ann", "/xdg/gridjudge"),
            ("", "xdg", "/home/ann", "/home/ann/.cache/gridjudge"),
            ("", "", "/home/ann", "/home/ann/.cache/gridjudge"),
            ("", "", "", ""),
        ] {
            let found = default_dir(
                |name| match name {
                    "GRIDJUDGE_CACHE" => Some(own.into()),
                    "XDG_CACHE_HOME" => Some(xdg.into()),
                    _ => None,
                },
                Some(home.into()),
            )
            .unwrap_or_default();
            assert_eq!(found, Path::new(expected));
        }
    }

    #[test]
    fn a_new_folder_is_private_and_one_that_others_may_write_to_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        assert!(CacheDir::open(&path).unwrap().is_none());
        CacheDir::make(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        for mode in [0o770, 0o702, 0o777] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let fault = CacheDir::make(&path).err().unwrap();
            assert_eq!(fault.cause, "other users may write to it", "{mode:o}");
        }
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(CacheDir::make(&folder.path().join("file")).is_err());
        assert!(CacheDir::make(&folder.path().join("file/inside")).is_err());
    }

    /// As an ordinary user, `/` belongs to another user; as root, the test gives a
    /// folder to another user.
    #[test]
    fn a_folder_of_another_user_is_refused() {
        let is_root = rustix::process::geteuid().is_root();
        if !is_root {
            assert_eq!(
                CacheDir::make(Path::new("/")).err().unwrap().cause,
                "it belongs to user 0"
            );
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::chown(folder.path(), Some(65534), None).unwrap();
        assert_eq!(
            CacheDir::make(folder.path()).err().unwrap().cause,
            "it belongs to user 65534"
        );
    }

    #[test]
    fn foreign_files_are_neither_read_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = CacheDir::make(folder.path()).unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("other"), "").unwrap();
        fs::write(path("trials-1"), "").unwrap();
        assert!(place.file(TRIALS_PREFIX, &key("none")).unwrap().is_none());
        std::os::unix::fs::symlink("other", path(&name(&key("link")))).unwrap();
        fs::create_dir(path(&name(&key("folder")))).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path(&name(&key("pipe"))),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        fs::write(path(&name(&key("open"))), "").unwrap();
        fs::set_permissions(path(&name(&key("open"))), Permissions::from_mode(0o666))
            .unwrap();
        for kind in ["link", "folder", "pipe", "open"] {
            assert!(
                place.file(TRIALS_PREFIX, &key(kind)).is_err()
                    || place.file(TRIALS_PREFIX, &key(kind)).unwrap().is_none(),
                "{kind}"
            );
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
            let opened = place.open_file(TRIALS_PREFIX, &key(kind), flags);
            assert!(opened.is_err(), "{kind}");
        }
        let listed: Vec<_> = place
            .stored_files()
            .unwrap()
            .iter()
            .map(|file| file.key)
            .collect();
        assert!(
            ["link", "folder", "pipe", "open"]
                .iter()
                .all(|kind| listed.contains(&key(kind)))
        );
        assert_eq!(listed.len(), 4);
    }

    #[test]
    fn a_file_takes_the_blocks_that_it_occupies() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "a line").unwrap();
        let mut found = rustix::fs::stat(&path).unwrap();
        found.st_blocks = 8;
        assert_eq!(used_bytes(&found), 4096);
        found.st_blocks = 0;
        assert_eq!(used_bytes(&found), 6);
    }
}
