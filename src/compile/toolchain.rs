//! Where compilers and runtimes are on this machine, and what they need to read. Looks at the judge's own `PATH`
//! once; submissions never see it.

use std::env;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;

/// The `PATH` of submissions, and the folders that are always searched.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Folders that the sandbox shows to everybody.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/nix/store", "/snap"];

/// The judge's own surroundings, as far as compilers need them.
pub(crate) struct Toolchain {
    path: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// Whether submissions run as another user than the judge: then a program in somebody's home is out of reach.
    drops_privileges: bool,
}

/// What every submission finds in its environment. The plainest locale is the one that needs no files, which a program
/// that is linked statically does not find.
pub(crate) fn usual_environment() -> Vec<(String, String)> {
    [("PATH", USUAL_PATH), ("LANG", "C")].map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()
}

impl Toolchain {
    pub(crate) fn of_this_process() -> Self {
        let named = env::var_os("PATH").unwrap_or_default();
        let path = env::split_paths(&named).chain(env::split_paths(USUAL_PATH));
        Self {
            path: path.filter(|folder| folder.is_absolute()).collect(),
            home: env::home_dir().filter(|home| home.is_absolute()),
            drops_privileges: rustix::process::geteuid().is_root(),
        }
    }

    /// The environment of a compiler: the judge's own `PATH` and home, since that is how its toolchains are found.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let path = env::join_paths(&self.path).unwrap_or_else(|_| USUAL_PATH.into());
        let mut environment = usual_environment();
        environment[0].1 = path.to_string_lossy().into_owned();
        environment
            .extend(self.home.iter().map(|home| ("HOME".to_owned(), home.to_string_lossy().into_owned())));
        environment
    }

    /// A program by its name, for the judge's own use.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        self.candidates(name).next()
    }

    /// A program by its name that submissions can run as well.
    pub(crate) fn find_for_submissions(&self, name: &str) -> Option<PathBuf> {
        self.candidates(name).find(|path| !self.drops_privileges || is_open_to_all(path))
    }

    /// What a program needs to read beyond the system's folders: the folder above its `bin`, and the language's
    /// own `toolchain` folders as far as they exist.
    pub(crate) fn readable_for(&self, program: &Path, toolchain: &[String]) -> Vec<PathBuf> {
        let installed = [program.to_owned(), program.canonicalize().unwrap_or_else(|_| program.to_owned())];
        let prefixes = installed.iter().filter_map(|path| self.prefix(path));
        let expanded = self.expanded(toolchain).into_iter();
        let mut folders: Vec<_> = expanded.chain(prefixes).filter(|folder| folder.exists()).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// A language's own folders, whether they exist or not.
    pub(crate) fn expanded(&self, toolchain: &[String]) -> Vec<PathBuf> {
        let folders = toolchain.iter().filter_map(|folder| match folder.strip_prefix("~/") {
            Some(rest) => self.home.as_ref().map(|home| home.join(rest)),
            None => Some(PathBuf::from(folder)),
        });
        folders.collect()
    }

    /// The folder that a program's installation fills: the parent of its `bin`, if that is neither the system's nor
    /// a whole home, where it is the program alone. Of a hidden folder in the home, as `~/.cargo` or `~/.local`, it is
    /// the `bin` only: such folders hold keys and passwords beside programs.
    fn prefix(&self, program: &Path) -> Option<PathBuf> {
        if SYSTEM.iter().any(|folder| program.starts_with(folder)) {
            return None;
        }
        let bin = program.parent().filter(|bin| bin.ends_with("bin") || bin.ends_with("shims"))?;
        let above = bin.parent()?;
        let home = self.home.as_deref().unwrap_or(Path::new("/"));
        let is_hidden = above.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        Some(match (home.starts_with(above), is_hidden && above.parent() == Some(home)) {
            (true, _) => program.to_owned(),
            (_, true) => bin.to_owned(),
            _ => above.to_owned(),
        })
    }

    /// That of a judge that is root and whose `PATH` is this, for tests.
    #[cfg(test)]
    pub(super) fn made_up(path: Vec<PathBuf>) -> Self {
        Self { path, home: None, drops_privileges: true }
    }

    fn candidates<'a>(&'a self, name: &'a str) -> impl Iterator<Item = PathBuf> + 'a {
        let named = self.path.iter().map(move |folder| folder.join(name));
        named.filter(|path| path.metadata().is_ok_and(|found| found.is_file() && found.mode() & 0o111 != 0))
    }
}

/// Whether anybody may run a file: its own bits, and those of every folder on the way.
fn is_open_to_all(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    path.ancestors().all(|step| step.metadata().is_ok_and(|found| found.mode() & 0o001 != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolchain(home: &str) -> Toolchain {
        Toolchain { path: vec!["/bin".into()], home: Some(home.into()), drops_privileges: true }
    }

    #[test]
    fn an_installation_outside_the_system_is_readable_but_never_a_whole_home() {
        let chain = toolchain("/users/ann");
        assert_eq!(chain.prefix(Path::new("/usr/bin/gcc")), None);
        assert_eq!(chain.prefix(Path::new("/users/ann/go/bin/go")), Some("/users/ann/go".into()));
        assert_eq!(chain.prefix(Path::new("/users/ann/bin/go")), Some("/users/ann/bin/go".into()));
        assert_eq!(
            chain.prefix(Path::new("/users/ann/.cargo/bin/rustc")),
            Some("/users/ann/.cargo/bin".into())
        );
        assert_eq!(
            chain.prefix(Path::new("/users/ann/.sdk/java/21/bin/javac")),
            Some("/users/ann/.sdk/java/21".into())
        );
        assert_eq!(chain.prefix(Path::new("/bin/go")), None);
    }

    #[test]
    fn the_shell_is_found_and_open_to_all() {
        let chain = toolchain("/nowhere");
        assert_eq!(chain.find_for_submissions("sh"), Some("/bin/sh".into()));
        assert_eq!(chain.find("no-such-program"), None);
    }
}
