//! The configuration of the judge's user: what no `judge.toml` may decide, because that
//! may be somebody else's. Reads `gridjudge/config.toml` in the user's folder of
//! configurations. Start at [`UserConfig::load`].

use std::env;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::files::{DEFAULT_MOST_FILES, here, home_folder, without_links};
use crate::keys::{KeyDocument, KeyTable};
use crate::mistake::{Mistake, Mistakes, quoted, read_text};
use crate::spec::Languages;
use crate::spec::config::{Permissions, language};

const FOLDER: &str = "write an absolute path, or one that begins with `~/`";

/// The most that `most_files` may be.
const MOST_FILES: u64 = 100_000_000;

/// What the judge's user has configured.
#[derive(Debug)]
pub(crate) struct UserConfig {
    permissions: Permissions,
    /// The built-in languages, with the user's additions and changes.
    languages: Languages,
    /// The real paths of the folders whose `judge.toml` is used whoever owns it.
    trusted: Vec<PathBuf>,
    /// How many files and folders are read in one place at most.
    most_files: usize,
}

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
        let Some(path) = folder.map(|folder| folder.join("gridjudge/config.toml"))
        else {
            return Ok(Self::built_in(None, home));
        };
        if path.symlink_metadata().is_err() {
            return Ok(Self::built_in(Some(path), home));
        }
        if let Some(foreign) = FolderOwner::of_file(&path).foreign() {
            let remedy = "delete it, or make it yours: `chown` and `chmod go-w`";
            return Err(
                Mistake::new(path, format!("is not used: {foreign}"), remedy).into(),
            );
        }
        let text = read_text(&path)?;
        Self::parse(path, home, &text)
    }

    /// The configuration of a user who has configured nothing.
    pub(crate) fn built_in(path: Option<PathBuf>, home: Option<PathBuf>) -> Self {
        let languages = language::built_in();
        let mut permissions = Permissions {
            path,
            home,
            ..Permissions::default()
        };
        permissions.allow_languages(languages.values());
        Self {
            permissions,
            languages,
            trusted: Vec::new(),
            most_files: DEFAULT_MOST_FILES,
        }
    }

    fn parse(
        path: PathBuf,
        home: Option<PathBuf>,
        text: &str,
    ) -> Result<Self, Mistakes> {
        let document = KeyDocument::of_toml(&path, text);
        let table = KeyTable::root(&document);
        let mut config = Self::built_in(Some(path.clone()), home);
        config.permissions.folders = config.named_folders(&table, "folders");
        config.trusted = config.named_folders(&table, "trusted");
        if let Some(found) = table.whole("most_files", 1, MOST_FILES) {
            config.most_files = usize::try_from(found).unwrap_or(usize::MAX);
        }
        if let Some(table) = table.table("languages") {
            language::merge(&mut config.languages, &table, None);
            config
                .permissions
                .allow_languages(config.languages.values());
        }
        table.refuse_the_rest();
        Mistakes::or(document.take_mistakes(), config)
    }

    /// The real paths of a list of folders. One that does not exist stands for nothing.
    fn named_folders(&self, table: &KeyTable, key: &'static str) -> Vec<PathBuf> {
        let Some(found) = table.list(key) else {
            return Vec::new();
        };
        let mut folders = Vec::new();
        for name in &found {
            match self.permissions.expanded(name) {
                None => table.refuse_value(
                    key,
                    format!("{} is not a full path", quoted(name)),
                    FOLDER,
                ),
                Some(folder) => folders.extend(folder.canonicalize()),
            }
        }
        folders
    }

    /// What a `judge.toml` may name.
    pub(crate) fn permissions(&self) -> &Permissions {
        &self.permissions
    }

    /// How many files and folders are read in one place at most.
    pub(crate) fn most_files(&self) -> usize {
        self.most_files
    }

    /// The built-in languages, with the user's additions and changes.
    pub(crate) fn languages(&self) -> &Languages {
        &self.languages
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
        let owners = [
            FolderOwner::of_file(&folder.join(name)),
            FolderOwner::of_folder(&real),
        ];
        let foreign = owners.into_iter().find_map(|owner| {
            if is_above {
                owner.foreign()
            } else {
                // CI services clone with permissions for everybody, and commands are
                // run there on purpose.
                owner.even_if_open().foreign()
            }
        })?;
        let message = format!("is not used, because nobody named it and {foreign}");
        let remedy = format!(
            "if you trust it, name its folder with `-C {}`, or for good in {}: `trusted = \
             [\"{}\"]`",
            folder.display(),
            self.permissions,
            real.display()
        );
        let file = folder.strip_prefix(".").unwrap_or(folder).join(name);
        Some(Mistake::new(file, message, remedy))
    }
}

// Who may have written a file or what is in a folder.

/// Whom a file belongs to, in words, unless it is the judge's user or root.
pub(crate) fn foreign_owner(path: &Path) -> Option<String> {
    FolderOwner::of_file(path).even_if_open().foreign()
}

/// The owner of a file or folder, and whether every user may write to it.
struct FolderOwner {
    what: &'static str,
    user: u32,
    is_open: bool,
}

impl FolderOwner {
    /// The owner of a file; of a link, the one who is not trusted, if either is not.
    fn of_file(path: &Path) -> Self {
        Self::look_up("it", path)
    }

    /// The owner of a folder.
    fn of_folder(path: &Path) -> Self {
        Self::look_up("its folder", path)
    }

    fn look_up(what: &'static str, path: &Path) -> Self {
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
    fn even_if_open(self) -> Self {
        Self {
            is_open: false,
            ..self
        }
    }

    /// Says whom it belongs to, unless only the judge's user and root may have written
    /// it.
    fn foreign(&self) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_files_are_read_is_for_the_user_to_say() {
        let parse =
            |text: &str| UserConfig::parse(PathBuf::from("config.toml"), None, text);
        assert_eq!(parse("").unwrap().most_files(), DEFAULT_MOST_FILES);
        assert_eq!(
            parse("most_files = 3000000\n").unwrap().most_files(),
            3_000_000
        );
        let refused = parse("most_files = 0\n").unwrap_err();
        assert_eq!(
            refused.0[0].message,
            "`most_files` must be a whole number from 1 to 100000000, found `0`"
        );
    }
}
