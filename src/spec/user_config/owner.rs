//! Who may have written a file or what is in a folder.

use std::env;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The owner of a file or folder, and whether every user may write to it.
pub(super) struct FolderOwner {
    what: &'static str,
    user: u32,
    is_open: bool,
}

impl FolderOwner {
    /// The owner of a file; of a link, the one who is not trusted, if either is not.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::of("it", path)
    }

    /// The owner of a folder.
    pub(super) fn of_folder(path: &Path) -> Self {
        Self::of("its folder", path)
    }

    fn of(what: &'static str, path: &Path) -> Self {
        let found: Vec<Metadata> = [path.symlink_metadata(), path.metadata()]
            .into_iter()
            .flatten()
            .collect();
        let user = found
            .iter()
            .map(MetadataExt::uid)
            .find(|user| !is_trusted(*user));
        // Every link has the mode 777.
        let is_open = found
            .iter()
            .any(|found| !found.is_symlink() && found.mode() & 0o002 != 0);
        Self {
            what,
            user: user.unwrap_or(0),
            is_open,
        }
    }

    /// Does not mind that every user may write there.
    #[must_use]
    pub(super) fn even_if_open(self) -> Self {
        Self {
            is_open: false,
            ..self
        }
    }

    /// Says whom it belongs to, unless only the judge's user and root may have written it.
    pub(super) fn foreign(&self) -> Option<String> {
        let Self {
            what,
            user,
            is_open,
        } = *self;
        if !is_trusted(user) {
            return Some(format!(
                "{what} belongs to {}, not to you or root",
                name_of(user)
            ));
        }
        is_open.then(|| format!("every user may write to {what}"))
    }
}

/// Whether this user is root, the judge's own, or the one who called `sudo`, as for git.
fn is_trusted(user: u32) -> bool {
    let own = rustix::process::geteuid();
    user == 0
        || user == own.as_raw()
        || own.is_root()
            && env::var("SUDO_UID")
                .ok()
                .and_then(|caller| caller.parse().ok())
                == Some(user)
}

/// The number of a user, with its name if `/etc/passwd` has it.
fn name_of(user: u32) -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then_some(name)
    });
    name.map_or_else(
        || format!("user {user}"),
        |name| format!("user {user} (`{name}`)"),
    )
}
