//! What the judge's user has configured, and which folders a `judge.toml` may therefore
//! name although it may be a stranger's. Reads no file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::files::without_links;
use crate::model::Language;

/// The folders that every program in the sandbox may read anyway.
const SYSTEM: [&str; 8] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// What the judge's user has configured.
#[derive(Debug, Default)]
pub(crate) struct UserConfig {
    /// The file in which the judge's user allows more, whether it exists or not; `None`
    /// if the user has no home.
    pub(crate) path: Option<PathBuf>,
    pub(crate) home: Option<PathBuf>,
    /// The real paths of the folders that the user allows.
    pub(crate) folders: Vec<PathBuf>,
    /// The built-in languages, with the user's additions and changes.
    pub(crate) languages: BTreeMap<String, Language>,
    /// The real paths of the folders whose `judge.toml` is used whoever owns it.
    pub(crate) trusted: Vec<PathBuf>,
    /// How many files and folders are read in one place at most.
    pub(crate) most_files: usize,
}

impl UserConfig {
    /// Whether a `judge.toml` may have programs read or started below this path, by its
    /// real path.
    pub(crate) fn allows_reading(&self, path: &Path) -> bool {
        let Some(real) = real_path(path) else {
            return false;
        };
        // A home of `/` is that of users who have none.
        let home = self.home.as_ref().and_then(|home| home.canonicalize().ok());
        let is_at_home = home
            .is_some_and(|home| home.parent().is_some() && real.starts_with(home));

        self.allows_folder(&real)
            || !is_at_home && SYSTEM.iter().any(|folder| real.starts_with(folder))
    }

    /// Whether a `judge.toml` may name a folder outside its own, by its real path.
    pub(crate) fn allows_folder(&self, real: &Path) -> bool {
        self.folders.iter().any(|folder| real.starts_with(folder))
    }

    /// Whether a folder is the home or holds it. Its real path counts, so every
    /// spelling and every link does.
    pub(crate) fn holds_home(&self, folder: &str) -> bool {
        let real = self
            .expanded(folder)
            .and_then(|folder| folder.canonicalize().ok());
        let home = self.home.as_deref().map(without_links);
        real.is_some_and(|real| home.unwrap_or_else(|| "/".into()).starts_with(real))
    }

    /// A folder as the user would name it: absolute, or in the home.
    pub(crate) fn expanded(&self, named: &str) -> Option<PathBuf> {
        let path = match (named.strip_prefix("~/"), named) {
            (Some(rest), _) => self.home.as_ref()?.join(rest),
            (None, "~") => self.home.clone()?,
            (None, named) => PathBuf::from(named),
        };
        path.is_absolute().then_some(path)
    }
}

/// The name of the file, for remedies.
impl fmt::Display for UserConfig {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(out, "{}", path.display()),
            None => write!(out, "`gridjudge/config.toml` in XDG_CONFIG_HOME"),
        }
    }
}

/// The real path of a file, or that of the nearest folder that exists, with the rest.
/// `None` if the rest climbs.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let (known, real) = path
        .ancestors()
        .find_map(|around| Some((around, around.canonicalize().ok()?)))?;
    let rest = path.strip_prefix(known).ok()?;
    // A link that leads nowhere yet may lead anywhere later.
    let is_new = known
        .join(rest.components().next().unwrap_or(Component::CurDir))
        .symlink_metadata()
        .is_err();
    let is_plain = rest
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    (is_plain && (is_new || rest.as_os_str().is_empty())).then(|| real.join(rest))
}
