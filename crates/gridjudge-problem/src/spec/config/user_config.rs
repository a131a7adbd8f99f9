//! The configuration of the judge's user: what no `judge.toml` may decide, because that
//! may be somebody else's. Reads `gridjudge/config.toml` in the user's folder of
//! configurations. Start at [`UserConfig::load`].

use std::env;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::{self, DEFAULT_MOST_FILES, here, home_folder, without_links};
use crate::keys::KeyTable;
use crate::mistake::{Mistake, Mistakes, quoted, read_text};
use crate::spec::config::{UserConfig, language};

const FOLDER: &str = "write an absolute path, or one that begins with `~/`";

/// The most that `most_files` may be.
const MOST_FILES: u64 = 100_000_000;

impl UserConfig {
    /// Reads the configuration of the user who runs this process. No file is as good as
    /// an empty one.
    ///
    /// # Errors
    /// Reports every mistake in the file, and a file that somebody else may have
    /// written.
    pub(crate) fn load() -> Result<Self, Mistakes> {
        let home = home_folder();
        let named = env::var_os("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute());
        let folder = named.or_else(|| home.as_ref().map(|home| home.join(".config")));
        let path = folder.map(|folder| folder.join("gridjudge/config.toml"));
        let file = path.as_ref();
        let Some(file) = file.filter(|file| file.symlink_metadata().is_ok()) else {
            return Ok(Self::built_in(path, home));
        };
        if let Some(foreign) = other_writer(file, "it", true) {
            return Mistake::refuse(
                file,
                format!("is not used: {foreign}"),
                "delete it, or make it yours: `chown` and `chmod go-w`",
            );
        }
        Self::parse(file, home, &read_text(file)?)
    }

    /// The configuration of a user who has configured nothing.
    pub(crate) fn built_in(path: Option<PathBuf>, home: Option<PathBuf>) -> Self {
        Self {
            path,
            home,
            languages: language::BUILT_IN.clone(),
            most_files: DEFAULT_MOST_FILES,
            ..Self::default()
        }
    }

    fn parse(
        path: &Path,
        home: Option<PathBuf>,
        text: &str,
    ) -> Result<Self, Mistakes> {
        let table = KeyTable::of_text(path, text);
        let mut config = Self::built_in(Some(path.to_owned()), home);
        config.folders = config.named_folders(&table, "folders");
        config.trusted = config.named_folders(&table, "trusted");
        if let Some(found) = table.whole("most_files", 1, MOST_FILES) {
            config.most_files = usize::try_from(found).unwrap_or(usize::MAX);
        }
        if let Some(table) = table.table("languages") {
            language::merge(&mut config.languages, &table, None);
        }
        table.finish(config)
    }

    /// The real paths of a list of folders. One that does not exist stands for nothing.
    fn named_folders(&self, table: &KeyTable, key: &'static str) -> Vec<PathBuf> {
        let mut folders = vec![];
        for name in table.list(key).unwrap_or_default() {
            match self.expanded(&name) {
                None => table.refuse_value(
                    key,
                    format!("{} is not a full path", quoted(&name)),
                    FOLDER,
                ),
                Some(folder) => folders.extend(folder.canonicalize()),
            }
        }
        folders
    }

    /// Explains why a `judge.toml` that was found, and not named, is not used. `None`
    /// if it is.
    pub(crate) fn distrust(
        &self,
        folder: &Path,
        name: &str,
        is_above: bool,
    ) -> Option<Mistake> {
        let folder = here(folder);
        let real = without_links(folder);
        if self.trusted.iter().any(|trusted| real.starts_with(trusted)) {
            return None;
        }
        // CI services clone with permissions for everybody, and commands are run there
        // on purpose.
        let foreign = other_writer(&folder.join(name), "it", is_above)
            .or_else(|| other_writer(&real, "its folder", is_above))?;
        let message = format!("is not used, because nobody named it and {foreign}");
        let remedy = format!(
            "if you trust it, name its folder with `-C {}`, or for good in {}: \
             `trusted = [\"{}\"]`",
            folder.display(),
            self,
            real.display()
        );
        let file = folder.strip_prefix(".").unwrap_or(folder).join(name);
        Some(Mistake::new(file, message, remedy))
    }
}

// Who may have written a file or what is in a folder.

/// Whom a file belongs to, in words, unless it is the judge's user or root.
pub(crate) fn foreign_owner(path: &Path) -> Option<String> {
    other_writer(path, "it", false)
}

/// Says who may have written what is at a path, and is called `what`, unless only the
/// judge's user and root may have: its owner, or, if `minds_open`, every user.
fn other_writer(path: &Path, what: &str, minds_open: bool) -> Option<String> {
    let found: Vec<Metadata> = [path.symlink_metadata(), path.metadata()]
        .into_iter()
        .flatten()
        .collect();
    // Of a link, the one who is not trusted counts, if either is not.
    let mut owners = found.iter().map(MetadataExt::uid);
    if let Some(user) = owners.find(|user| !is_trusted(*user)) {
        return Some(format!(
            "{what} belongs to {}, not to you or root",
            name_of(user)
        ));
    }
    // Every link has the mode 777.
    let is_open = found
        .iter()
        .any(|found| !found.is_symlink() && found.mode() & 0o002 != 0);
    (minds_open && is_open).then(|| format!("every user may write to {what}"))
}

/// Whether this user is root, the judge's own, or the one who called `sudo`, as for
/// git.
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

/// The number of a user, with its name if it is known.
fn name_of(user: u32) -> String {
    match files::user_field(user, 0) {
        Some(name) => format!("user {user} (`{}`)", name.display()),
        None => format!("user {user}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_files_are_read_is_for_the_user_to_say() {
        let parse =
            |text: &str| UserConfig::parse(Path::new("config.toml"), None, text);
        assert_eq!(parse("").unwrap().most_files, DEFAULT_MOST_FILES);
        assert_eq!(
            parse("most_files = 3000000\n").unwrap().most_files,
            3_000_000
        );
        let refused = parse("most_files = 0\n").unwrap_err();
        assert_eq!(
            refused.0[0].message,
            "`most_files` must be a whole number from 1 to 100000000, found `0`"
        );
    }
}
