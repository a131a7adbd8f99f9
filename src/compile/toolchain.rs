//! Finds compilers and runtimes on this machine, and the folders that they need to
//! read, and fills in the placeholders of commands. Reads the judge's own `PATH` once;
//! submissions never see it. Knows no particular command.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, iter};

use gridjudge_sandbox::executable;
use parking_lot::Mutex;

use crate::files::{home_folder, is_executable, without_links};
use crate::model::Language;
use crate::text::path_text;

/// The `PATH` of submissions; its folders are always searched too.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Folders that are visible to every program in the sandbox.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/nix/store", "/snap"];

/// Wrappers that are installed under the names of compilers, and need folders or hosts
/// of their own. The real compiler is in the `PATH` too. It may find a wrapper there
/// when it calls its linker, so `ccache` is disabled by a variable.
const WRAPPERS: [&str; 4] = ["ccache", "distcc", "icecc", "sccache"];
const NO_WRAPPER: (&str, &str) = ("CCACHE_DISABLE", "1");

/// The part of the judge's own environment that compilers need.
pub struct Toolchain {
    path: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// The judge's environment variables whose value is an absolute path.
    variables: BTreeMap<String, PathBuf>,
    /// Those that select one of several versions of a tool, as `PYENV_VERSION` and
    /// `RUSTUP_TOOLCHAIN` do, for the tools that are asked where they are.
    versions: Vec<(String, OsString)>,
    /// What tools have answered about their installations: its folder, by the command
    /// that asked for it; `None` if there was no useful answer.
    answers: Mutex<BTreeMap<Vec<String>, Option<PathBuf>>>,
    /// Whether submissions run as another user than the judge, who cannot start a
    /// program in a private folder.
    drops_privileges: bool,
}

/// The environment of every submission. The locale sorts and formats as `C` does, and
/// says that text is UTF-8, which many runtimes ask it. Where a system lacks it, they
/// see `C`; languages that can be told otherwise are.
pub(crate) fn default_environment() -> Vec<(String, String)> {
    [("PATH", DEFAULT_PATH), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

impl Toolchain {
    /// Searches the judge's own `PATH`.
    pub fn of_this_process() -> Self {
        let named = env::var_os("PATH").unwrap_or_default();
        let path = env::split_paths(&named).chain(env::split_paths(DEFAULT_PATH));
        let mut variables = BTreeMap::new();
        let mut versions = vec![];
        for (name, value) in env::vars_os() {
            let Ok(name) = name.into_string() else {
                continue;
            };
            if name.ends_with("_VERSION") || name.ends_with("_TOOLCHAIN") {
                versions.push((name.clone(), value.clone()));
            }
            if let Ok(folder) = value.into_string()
                && folder.starts_with('/')
            {
                variables.insert(name, folder.into());
            }
        }
        Self {
            // Every result depends on it, so it holds nothing that does not matter.
            path: path
                .filter(|folder| folder.is_absolute() && folder.is_dir())
                .collect(),
            home: home_folder(),
            variables,
            versions,
            answers: Mutex::default(),
            drops_privileges: rustix::process::geteuid().is_root(),
        }
    }

    /// The environment of a language's compiler: the judge's own `PATH` and home, by
    /// which toolchains are found, and those of the judge's variables that the language
    /// names.
    pub(crate) fn environment(&self, language: &Language) -> Vec<(String, String)> {
        let mut environment = default_environment();
        environment[0].1 = path_text(self.path_variable());
        environment.push((NO_WRAPPER.0.to_owned(), NO_WRAPPER.1.to_owned()));
        environment.extend(
            self.home
                .iter()
                .map(|home| ("HOME".to_owned(), path_text(home))),
        );
        let named = language
            .toolchain
            .iter()
            .filter_map(|folder| self.folder_variable(folder));
        environment.extend(
            named.map(|(name, folder, _)| (name.to_owned(), path_text(folder))),
        );
        environment
    }

    /// Finds a language's compiler or linker. If submissions cannot start the first
    /// runtime in the `PATH`, returns the compiler next to the runtime that they can
    /// start: an older runtime does not run the programs of a newer compiler.
    pub(crate) fn find_compiler(
        &self,
        language: &Language,
        name: &str,
    ) -> Option<PathBuf> {
        self.find_beside_runtime(language, name)
            .or_else(|| self.find(name))
    }

    fn find_beside_runtime(
        &self,
        language: &Language,
        name: &str,
    ) -> Option<PathBuf> {
        let runtime = language
            .run
            .first()
            .filter(|runtime| !runtime.starts_with(['{', '/']))?;
        let startable = self.find_for_submissions(runtime)?;
        if self.find(runtime).as_ref() == Some(&startable) {
            return None;
        }
        let real = startable.canonicalize().ok()?;
        [startable, real]
            .map(|path| path.with_file_name(name))
            .into_iter()
            .find(|path| is_program(path))
    }

    /// The tool that a found program stands for: the program itself, unless it is a
    /// shim for another. A shim is kept if the command has an argument for it, as in
    /// `rustc +nightly`.
    ///
    /// A shim is asked outside the sandbox, so it is only one that the `PATH` leads to,
    /// which is the user's.
    pub(crate) fn resolve(
        &self,
        language: &Language,
        found: PathBuf,
        command: &[String],
    ) -> PathBuf {
        let needs_shim = command.iter().any(|word| word.starts_with('+'));
        let is_in_path = found
            .parent()
            .is_some_and(|folder| self.path.iter().any(|known| known == folder));
        if needs_shim || !is_in_path {
            return found;
        }
        self.real_tool(&found, &language.home).unwrap_or(found)
    }

    fn path_variable(&self) -> OsString {
        env::join_paths(&self.path).unwrap_or_else(|_| DEFAULT_PATH.into())
    }

    /// Finds a program by its name, for the judge's own use.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        self.candidates(name).next()
    }

    /// Finds a program by its name that submissions can start.
    pub(crate) fn find_for_submissions(&self, name: &str) -> Option<PathBuf> {
        self.candidates(name).find(|path| {
            !self.drops_privileges
                || executable::every_user_may_pass(path).unwrap_or(false)
        })
    }

    /// The folders that a program needs to read besides the system's: the one above its
    /// `bin`, and the language's own `toolchain` folders that exist.
    pub(crate) fn readable_for(
        &self,
        program: &Path,
        language: &Language,
    ) -> Vec<PathBuf> {
        let installed = [program.to_owned(), without_links(program)];
        let prefixes = installed.iter().filter_map(|path| {
            if language.opens_home || !self.is_at_home(path) {
                self.prefix(path)
            } else {
                Some(path.clone())
            }
        });
        let mut folders: Vec<_> = self
            .expanded(&language.toolchain)
            .into_iter()
            .chain(prefixes)
            .filter(|folder| folder.exists())
            .collect();
        folders.sort();
        folders.dedup();
        folders
    }

    /// Whether a path is in the judge's home, by its real path too. A home that is `/`
    /// is none.
    fn is_at_home(&self, path: &Path) -> bool {
        let Some(home) = self.home.as_deref().filter(|home| home.parent().is_some())
        else {
            return false;
        };
        let real = without_links(home);
        path.starts_with(home)
            || path.canonicalize().is_ok_and(|path| path.starts_with(real))
    }

    /// Whether a folder is the home or holds it, in whatever spelling.
    fn holds_home(&self, folder: &Path) -> bool {
        let home = self.home.as_deref().unwrap_or(Path::new("/"));
        home.starts_with(folder)
            || without_links(home).starts_with(without_links(folder))
    }

    /// A language's `toolchain` folders as paths, whether they exist or not. No program
    /// may see the whole home, so a folder that holds it is left out.
    pub(crate) fn expanded(&self, toolchain: &[String]) -> Vec<PathBuf> {
        toolchain
            .iter()
            .filter_map(|folder| match folder.strip_prefix("~/") {
                Some(rest) => self.home.as_ref().map(|home| home.join(rest)),
                None if folder.starts_with('$') => self
                    .folder_variable(folder)
                    .map(|(_, named, rest)| named.join(rest)),
                None => Some(PathBuf::from(folder)),
            })
            .filter(|folder| !self.holds_home(folder))
            .collect()
    }

    /// Splits a folder that begins with `$NAME` into the name, the variable's folder,
    /// and the rest. Returns `None` if the judge has no such variable, or if it
    /// contains the whole home, which no program may see.
    fn folder_variable<'a>(
        &'a self,
        folder: &'a str,
    ) -> Option<(&'a str, &'a Path, &'a str)> {
        let named = folder.strip_prefix('$')?;
        let (name, rest) = named.split_once('/').unwrap_or((named, ""));
        let folder = self.variables.get(name)?;
        (!self.holds_home(folder)).then_some((name, folder.as_path(), rest))
    }

    /// The folder of a program's installation: the parent of its `bin`. `None` if that
    /// is the system's. If it contains the whole home, returns the program alone. In a
    /// hidden folder of the home, as `~/.cargo` or `~/.local`, returns the `bin` only:
    /// such folders contain keys and passwords besides programs.
    pub(super) fn prefix(&self, program: &Path) -> Option<PathBuf> {
        if SYSTEM.iter().any(|folder| program.starts_with(folder)) {
            return None;
        }
        let bin = program
            .parent()
            .filter(|bin| bin.ends_with("bin") || bin.ends_with("shims"))?;
        let above = bin.parent()?;
        let is_hidden = above
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        let folder = if self.holds_home(above) {
            program
        } else if is_hidden && above.parent() == self.home.as_deref() {
            bin
        } else {
            above
        };
        Some(folder.to_owned())
    }

    fn candidates(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let named = self.path.iter().map(move |folder| folder.join(name));
        named.filter(|path| is_program(path) && !is_wrapped(path))
    }
}

/// Whether a program is really a wrapper under a compiler's name.
fn is_wrapped(path: &Path) -> bool {
    let real = without_links(path);
    let is =
        |path: &Path, name: &str| path.file_name().is_some_and(|found| found == name);
    WRAPPERS
        .iter()
        .any(|wrapper| is(&real, wrapper) && !is(path, wrapper))
}

fn is_program(path: &Path) -> bool {
    path.is_file() && is_executable(path)
}

// Finds where a tool is really installed. A program in the `PATH` is often a shim,
// which finds the tool and starts it by variables and files that do not exist inside
// the sandbox. The tool itself knows where it is installed, so it is run once to ask.
// Start at [`Toolchain::real_tool`].

/// Folders in which distributions install programs. These programs need no search.
const OF_PACKAGES: [&str; 11] = [
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/bin",
    "/lib",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

impl Toolchain {
    /// The tool that the shim `found` stands for: the one of the same name in the `bin`
    /// of the folder that the command `question` prints. The first word of `question`
    /// is the name of a tool in the same folder as `found`. Returns `None` if there is
    /// no such tool.
    ///
    /// The question is asked outside the sandbox: neither it nor the folder of `found`
    /// may come from anybody but the judge's user.
    fn real_tool(&self, found: &Path, question: &[String]) -> Option<PathBuf> {
        let (first, arguments) = question.split_first()?;
        if is_of_a_package(found) {
            return None;
        }
        let asked = found.parent()?.join(first);
        let key = [&[path_text(&asked)], arguments].concat();
        let mut answers = self.answers.lock();
        let home = answers.entry(key).or_insert_with(|| {
            let environment = self.environment_of_questions();
            let answer = gridjudge_sandbox::ask(&asked, arguments, &environment)?;
            folders(&answer)
                .find(|folder| folder.join("bin").join(first).is_file())
                .map(Path::to_owned)
        });
        let tool = home.as_ref()?.join("bin").join(found.file_name()?);
        tool.is_file().then_some(tool)
    }

    /// What a tool needs to know to find its installation. The rest of the judge's
    /// environment may hold secrets: only values that are folders are passed on, and
    /// those of variables that select a version.
    fn environment_of_questions(&self) -> Vec<(String, OsString)> {
        let mut environment: Vec<_> = self
            .variables
            .iter()
            .filter(|(name, folder)| !name.ends_with("PWD") && folder.is_dir())
            .map(|(name, folder)| (name.clone(), folder.clone().into_os_string()))
            .collect();
        environment.extend_from_slice(&self.versions);
        environment.push(("PATH".to_owned(), self.path_variable()));
        environment.push(("LANG".to_owned(), "C".into()));
        environment
    }
}

/// The folders in an answer: in each line the text from its first `/` on, as in
/// `java.home = /opt/jdk`.
fn folders(answer: &str) -> impl Iterator<Item = &Path> {
    let from_slash = answer.lines().filter_map(|line| {
        let start = line.find('/')?;
        Some(Path::new(line[start..].trim_end()))
    });
    from_slash.filter(|path| path.parent().is_some())
}

/// Whether a program is where distributions install it, and no script, which may be a
/// shim.
fn is_of_a_package(program: &Path) -> bool {
    let real = without_links(program);
    let mut start = [0; 2];
    let is_script = File::open(&real)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok()
        && start == *b"#!";
    !is_script && OF_PACKAGES.iter().any(|folder| real.starts_with(folder))
}

/// The placeholder for the class to start, or else the name of a source without its
/// ending.
pub(crate) const NAME: &str = "{name}";

/// The placeholder for a source as it is called in the build folder, where compilers
/// work. Many compilers write the name of a source into the program, which then does
/// not depend on where it was compiled.
const FILE: &str = "{file}";

/// The placeholder for the version of the language.
pub(super) const STANDARD: &str = "{standard}";

/// The placeholder for the language's options, a word of its own.
const OPTIONS: &str = "{options}";

/// The name of the executable that a compiler must write.
const PROGRAM: &str = "program";

/// The values of the placeholders for one submission.
pub(crate) struct PlaceholderValues<'a> {
    pub(crate) source: &'a Path,
    /// The class to start, if that is not named like the source.
    pub(crate) start_class: Option<&'a str>,
    /// The other sources for the compiler.
    pub(crate) others: &'a [PathBuf],
    /// The number of this source among the pieces to be linked; 0 without linking.
    pub(crate) piece: usize,
    pub(crate) folder: &'a Path,
    pub(crate) memory_bytes: u64,
    /// The version of the language; `None` if it has none.
    pub(crate) standard: Option<&'a str>,
    pub(crate) language: &'a Language,
}

impl PlaceholderValues<'_> {
    /// Fills in a command. A word that is just `{source}` or `{file}` is replaced by
    /// every source, and one that is just `{options}` by every option. Words with the
    /// version of a language that has none are left out.
    pub(crate) fn fill(&self, command: &[String]) -> Vec<String> {
        command
            .iter()
            .filter(|word| self.standard.is_some() || !word.contains(STANDARD))
            .flat_map(|word| -> Vec<_> {
                let options = self.language.options.iter();
                match word.as_str() {
                    OPTIONS => options.map(|option| self.fill_one(option)).collect(),
                    "{source}" => self.sources().map(path_text).collect(),
                    FILE => self.sources().map(|source| self.file(source)).collect(),
                    word => vec![self.fill_one(word)],
                }
            })
            .collect()
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = &Path> {
        iter::once(self.source).chain(self.others.iter().map(PathBuf::as_path))
    }

    /// The path of a source from the folder in which compilers work.
    fn file(&self, source: &Path) -> String {
        let file = path_text(source.strip_prefix(self.folder).unwrap_or(source));
        // Not taken for an option.
        if file.starts_with('-') {
            format!("./{file}")
        } else {
            file
        }
    }

    /// The values for each source on its own, to compile it into a piece of the
    /// program.
    pub(crate) fn pieces(&self) -> Vec<PlaceholderValues<'_>> {
        self.sources()
            .enumerate()
            .map(|(piece, source)| PlaceholderValues {
                source,
                others: &[],
                piece,
                ..*self
            })
            .collect()
    }

    /// Fills in a command that links pieces. A word for the result of a source, such as
    /// `{program}.o`, is replaced by all pieces.
    pub(crate) fn fill_link(&self, command: &[String]) -> Vec<String> {
        let pieces = self.pieces();
        command
            .iter()
            .flat_map(|word| {
                let is_of_piece = word.starts_with("{program}.");
                pieces
                    .iter()
                    .take(if is_of_piece { pieces.len() } else { 1 })
                    .map(|piece| piece.fill_one(word))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Fills in each placeholder once. Values are not filled in again: a source may be
    /// called `{program}.c`.
    pub(crate) fn fill_one(&self, word: &str) -> String {
        // Each piece is compiled into an executable of its own.
        let program = if self.piece == 0 {
            PROGRAM.to_owned()
        } else {
            format!("{PROGRAM}-{}", self.piece)
        };
        let name = match self.start_class {
            Some(class) => class.to_owned(),
            None => path_text(self.source.file_stem().unwrap_or_default()),
        };
        let values = [
            ("{source}", path_text(self.source)),
            (FILE, self.file(self.source)),
            (NAME, name),
            ("{program}", path_text(self.folder.join(program))),
            ("{folder}", path_text(self.folder)),
            ("{memory_mib}", (self.memory_bytes >> 20).max(1).to_string()),
            (STANDARD, self.standard.unwrap_or_default().to_owned()),
        ];
        let mut filled = String::new();
        let mut rest = word;
        while let Some(start) = rest.find('{') {
            let (before, from_brace) = rest.split_at(start);
            let named = values.iter().find_map(|(name, value)| {
                Some((from_brace.strip_prefix(name)?, value.as_str()))
            });
            let (after, value) = named.unwrap_or((&from_brace[1..], "{"));
            filled.extend([before, value]);
            rest = after;
        }
        filled + rest
    }
}

#[cfg(test)]
mod installation_tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn script(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_shim_is_asked_once_where_its_tool_is() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for tool in ["run", "make"] {
            script(&at("real/bin").join(tool), "#!/bin/sh\n");
        }
        let answer = format!(
            "#!/bin/sh\necho >>{}\necho x = /tmp\necho home = $1{}\n",
            at("asked").display(),
            at("real").display()
        );
        script(&at("shims/run"), &answer);
        script(&at("shims/make"), "#!/bin/sh\nexit 1\n");
        script(&at("shims/other"), "#!/bin/sh\nexit 1\n");
        let toolchain = Toolchain::fake(vec!["/usr/bin".into(), "/bin".into()]);
        let resolved = |name: &str, question: &str| {
            toolchain.real_tool(&at(name), &words(question))
        };
        assert_eq!(resolved("shims/run", "run "), Some(at("real/bin/run")));
        assert_eq!(resolved("shims/make", "run "), Some(at("real/bin/make")));
        // The installation has no such tool.
        assert_eq!(resolved("shims/other", "run "), None);
        assert_eq!(fs::read_to_string(at("asked")).unwrap().lines().count(), 1);
        // A question whose answer names no existing folder, a tool that does not
        // answer, and no question.
        assert_eq!(resolved("shims/run", "run /no/such/folder"), None);
        assert_eq!(resolved("shims/make", "make"), None);
        assert_eq!(toolchain.real_tool(&at("shims/run"), &[]), None);
    }

    #[test]
    fn a_program_of_a_distribution_is_no_shim_unless_it_is_a_script() {
        assert!(is_of_a_package(Path::new("/bin/ls")));
        let place = tempfile::tempdir().unwrap();
        script(&place.path().join("tool"), "#!/bin/sh\n");
        assert!(!is_of_a_package(&place.path().join("tool")));
        assert!(!is_of_a_package(Path::new("/opt/tool/bin/tool")));
    }
}

#[cfg(test)]
mod placeholders_tests {
    use super::*;
    use crate::compile::tests::language;

    #[test]
    fn a_name_that_looks_like_a_placeholder_is_only_a_name() {
        let folder = Path::new("/made/{memory_mib}");
        let source = folder.join("{program}{folder}.x");
        let words = PlaceholderValues {
            source: &source,
            start_class: None,
            others: &[],
            piece: 0,
            folder,
            memory_bytes: 64 << 20,
            standard: None,
            language: &language("sh"),
        };
        for (word, filled) in [
            ("{source}", "/made/{memory_mib}/{program}{folder}.x"),
            (
                "-d{folder}:{program}",
                "-d/made/{memory_mib}:/made/{memory_mib}/program",
            ),
            ("-m{memory_mib}{other}{memory_mib", "-m64{other}{memory_mib"),
            ("{{program}.o", "{/made/{memory_mib}/program.o"),
        ] {
            assert_eq!(words.fill_one(word), filled);
        }
    }

    #[test]
    fn several_sources_are_compiled_at_once_or_one_by_one_and_linked() {
        let source = Path::new("/m/a.c");
        let others = [PathBuf::from("/m/lib/b.c")];
        let folder = Path::new("/m");
        let words = PlaceholderValues {
            source,
            start_class: None,
            others: &others,
            piece: 0,
            folder,
            memory_bytes: 1,
            standard: None,
            language: &language("sh"),
        };
        let command = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        let all = words.fill(&command(&[
            "cc",
            "{source}",
            "-o",
            "{program}",
            "{name}",
            "-x{source}",
        ]));
        assert_eq!(
            all.join(" "),
            "cc /m/a.c /m/lib/b.c -o /m/program a -x/m/a.c"
        );
        let compile = command(&["cc", "-c", "-o", "{program}.o", "{source}"]);
        let each: Vec<_> = words
            .pieces()
            .iter()
            .map(|piece| piece.fill(&compile).join(" "))
            .collect();
        assert_eq!(
            each,
            [
                "cc -c -o /m/program.o /m/a.c",
                "cc -c -o /m/program-1.o /m/lib/b.c"
            ]
        );
        let link = words.fill_link(&command(&[
            "cc",
            "-o",
            "{program}",
            "{program}.o",
            "-lm",
        ]));
        assert_eq!(
            link.join(" "),
            "cc -o /m/program /m/program.o /m/program-1.o -lm"
        );
    }
}

#[cfg(test)]
mod tests;
