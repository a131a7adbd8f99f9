//! The configuration of the judge's user: what no `judge.toml` may decide, because that may be somebody else's. Reads
//! `gridjudge/config.toml` in the user's folder of configurations. Start at [`UserConfig::load`].

mod owner;

use std::env;
use std::fmt;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::mistake::quoted;
use crate::mistake::read;
use crate::spec::document::TomlDocument;
use crate::spec::language;
use crate::spec::language::Languages;
use crate::spec::table::TomlTable;
use owner::FolderOwner;

/// The folders that every program in the sandbox may read anyway.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/gnu/store", "/snap"];

const FOLDER: &str = "write an absolute path, or one that begins with `~/`";

/// What the judge's user has configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserConfig {
    /// The file, whether it exists or not; `None` if the user has no home.
    path: Option<PathBuf>,
    home: Option<PathBuf>,
    /// The built-in languages, with the user's additions and changes.
    languages: Languages,
    /// The real paths of the folders that a `judge.toml` may name although they are not in its own folder.
    folders: Vec<PathBuf>,
    /// The real paths of the folders whose `judge.toml` is used whoever owns it.
    trusted: Vec<PathBuf>,
}

impl UserConfig {
    /// Reads the configuration of the user who runs this process. No file is as good as an empty one.
    ///
    /// # Errors
    /// Reports every mistake in the file, and a file that somebody else may have written.
    pub(crate) fn load() -> Result<Self, Mistakes> {
        let home = env::home_dir().filter(|home| home.is_absolute());
        let named = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
        let folder = named.or_else(|| home.as_ref().map(|home| home.join(".config")));
        let Some(path) = folder.map(|folder| folder.join("gridjudge/config.toml")) else {
            return Ok(Self::built_in(None, home));
        };
        if path.symlink_metadata().is_err() {
            return Ok(Self::built_in(Some(path), home));
        }
        if let Some(foreign) = FolderOwner::of_file(&path).foreign() {
            let remedy = "delete it, or make it yours: `chown` and `chmod go-w`";
            return Err(Mistake::of(path, format!("is not used: {foreign}")).with_remedy(remedy).into());
        }
        let text = read(&path)?;
        Self::parse(path, home, &text)
    }

    /// The configuration of a user who has configured nothing.
    pub(crate) fn built_in(path: Option<PathBuf>, home: Option<PathBuf>) -> Self {
        Self { path, home, languages: language::built_in(), folders: Vec::new(), trusted: Vec::new() }
    }

    pub(crate) fn parse(path: PathBuf, home: Option<PathBuf>, text: &str) -> Result<Self, Mistakes> {
        let document = TomlDocument::parse(&path, text);
        let table = TomlTable::root(&document);
        let mut config = Self::built_in(Some(path.clone()), home);
        config.folders = config.named_folders(&table, "folders");
        config.trusted = config.named_folders(&table, "trusted");
        if let Some(table) = table.table("languages") {
            language::merge(&mut config.languages, &table, None);
        }
        table.refuse_the_rest();
        Mistakes::or(document.into_mistakes(), config)
    }

    /// The real paths of a list of folders. One that does not exist stands for nothing.
    fn named_folders(&self, table: &TomlTable<'_>, key: &'static str) -> Vec<PathBuf> {
        let Some(found) = table.placed_list(key) else { return Vec::new() };
        let mut folders = Vec::new();
        for name in &found.value {
            match self.expanded(name) {
                None => table.note(&found.span, format!("{} is not a full path", quoted(name)), FOLDER),
                Some(folder) => folders.extend(folder.canonicalize()),
            }
        }
        folders
    }

    /// The built-in languages, with the user's additions and changes.
    pub(crate) fn languages(&self) -> &Languages {
        &self.languages
    }

    /// Whether a `judge.toml` may have compilers and programs read what it names as `toolchain`: what a language of
    /// the user or of the built-in table names too, or a folder that every program may read or that the user allows.
    pub(crate) fn allows_toolchain(&self, named: &str) -> bool {
        self.languages.values().any(|language| language.toolchain.iter().any(|known| known == named))
            || self.expanded(named).is_some_and(|folder| self.allows_reading(&folder))
    }

    /// Whether a `judge.toml` may have programs read or started below this path, by its real path.
    pub(crate) fn allows_reading(&self, path: &Path) -> bool {
        let Some(real) = real_path(path) else { return false };
        let is_at_home = self.real_home().is_some_and(|home| real.starts_with(home));
        let is_system = || SYSTEM.iter().any(|folder| real.starts_with(folder));
        self.allows_folder(&real) || !is_at_home && is_system()
    }

    /// Whether a `judge.toml` may name a folder outside its own, by its real path.
    pub(crate) fn allows_folder(&self, real: &Path) -> bool {
        self.folders.iter().any(|folder| real.starts_with(folder))
    }

    /// Whether a folder is the home or holds it. Its real path counts, so every spelling and every link does.
    pub(crate) fn holds_home(&self, folder: &str) -> bool {
        let real = self.expanded(folder).and_then(|folder| folder.canonicalize().ok());
        let home = self.home.as_ref().map(|home| home.canonicalize().unwrap_or_else(|_| home.clone()));
        real.is_some_and(|real| home.unwrap_or_else(|| "/".into()).starts_with(real))
    }

    /// Explains why a `judge.toml` that was found, and not named, is not used. `None` if it is.
    pub(crate) fn distrust(&self, folder: &Path, name: &str, is_above: bool) -> Option<Mistake> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if self.trusted.iter().any(|trusted| real.starts_with(trusted)) {
            return None;
        }
        let owners = [FolderOwner::of_file(&folder.join(name)), FolderOwner::of_folder(&real)];
        let foreign = owners.into_iter().find_map(|owner| match is_above {
            true => owner.foreign(),
            // CI services clone with permissions for everybody, and commands are run there on purpose.
            false => owner.even_if_open().foreign(),
        })?;
        let message = format!("is not used, because nobody named it and {foreign}");
        let remedy = format!(
            "if you trust it, name its folder with `-C {}`, or for good in {self}: `trusted = [\"{}\"]`",
            folder.display(),
            real.display()
        );
        let file = folder.strip_prefix(".").unwrap_or(folder).join(name);
        Some(Mistake::of(file, message).with_remedy(remedy))
    }

    /// A folder as the user would name it: absolute, or in the home.
    fn expanded(&self, named: &str) -> Option<PathBuf> {
        let path = match (named.strip_prefix("~/"), named) {
            (Some(rest), _) => self.home.as_ref()?.join(rest),
            (None, "~") => self.home.clone()?,
            (None, named) => PathBuf::from(named),
        };
        path.is_absolute().then_some(path)
    }

    /// The real path of the home, unless it is `/`, as for users who have none.
    fn real_home(&self) -> Option<PathBuf> {
        let home = self.home.as_ref()?.canonicalize().ok()?;
        home.parent().is_some().then_some(home)
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

/// The real path of a file, or that of the nearest folder that exists, with the rest. `None` if the rest climbs.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    let (known, real) = path.ancestors().find_map(|around| Some((around, around.canonicalize().ok()?)))?;
    let rest = path.strip_prefix(known).ok()?;
    // A link that leads nowhere yet may lead anywhere later.
    let is_new =
        known.join(rest.components().next().unwrap_or(Component::CurDir)).symlink_metadata().is_err();
    let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && (is_new || rest.as_os_str().is_empty())).then(|| real.join(rest))
}
