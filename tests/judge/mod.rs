//! A temporary judge's folder for one test, with one sound problem in it, and ways to
//! run the real program in it.

#![allow(
    dead_code,
    reason = "each test binary that includes this file uses a part of it"
)]

pub(crate) mod processes;
pub(crate) mod right_programs;
pub(crate) mod share;
mod warm_cache;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use std::{fs, thread};

use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
use rustix::process::{Pid, Signal};
use tempfile::TempDir;

/// The spec of the problem `mini`: 4x4 grids after their number, five at most.
pub(crate) const SPEC: &str = r#"name = "Mini"

[grid]
order = 4
boxes = "2x2"
symbols = "1234"
blanks = "."

[input]
cases = "count"
most = 5
cells = "joined"

[output]
cells = "joined"

[answer]
accept = "unique"

[limits]
time = "10s"
memory = "64MiB"
"#;

/// The solution of every grid of the cases of `mini`.
pub(crate) const SOLVED: &str = "1234\n3412\n2143\n4321\n";

/// The two cases of `mini`, of one grid and of two.
pub(crate) const ONE: &str = "1\n1.34\n3412\n2143\n4321\n";
pub(crate) const TWO: &str = "2\n....\n3412\n2143\n4321\n1234\n3412\n21.3\n4321\n";

/// A shell script that is right on every case of `mini`.
pub(crate) const RIGHT: &str = "#!/bin/sh\nread n\nwhile [ $n -gt 0 ]; do printf '1234\\n3412\\n2143\\n4321\\n'; n=$((n - 1)); done\n";

/// A shell script that is right on the first case only.
pub(crate) const HALF_RIGHT: &str =
    "#!/bin/sh\nprintf '1234\\n3412\\n2143\\n4321\\n'\n";

/// The languages that [`Judge::with_few_languages`] takes away.
const COMPILED_LANGUAGES: [&str; 11] = [
    "ada", "cpp", "csharp", "fortran", "go", "haskell", "java", "kotlin", "ocaml",
    "pascal", "rust",
];
const INTERPRETED_LANGUAGES: [&str; 6] =
    ["javascript", "lisp", "lua", "php", "python", "ruby"];

/// A judge's folder, deleted when the value is dropped.
pub(crate) struct Judge {
    folder: TempDir,
    /// The folder above it, which is deleted with the last judge's folder.
    _above: Arc<TempDir>,
}

/// The exit code and the output of a run of the program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Judge {
    /// Creates a folder with the problem `mini`, its two cases and their answers, and
    /// no submission. Nothing is known of submissions, but what languages can do on
    /// this machine is, and what other tests have compiled. One program runs at a time
    /// unless `-j` says otherwise: other tests run at the same time, and each slot
    /// takes a while to set up.
    pub(crate) fn new() -> Self {
        let judge = Self::with_empty_cache();
        warm_cache::fill(&judge.path("cache"));
        judge
    }

    /// Forgets the trials of submissions, so that they are judged again. In contrast to
    /// `--no-cache`, nothing is compiled again.
    pub(crate) fn forget(&self) {
        let cache = self.path("cache");
        warm_cache::learn_from(&cache);
        if cache.exists() {
            fs::remove_dir_all(&cache).unwrap();
        }
        warm_cache::fill(&cache);
    }

    /// As [`Self::new`], but there is no cache yet.
    pub(crate) fn with_empty_cache() -> Self {
        let above = folder_of_all();
        let folder = tempfile::tempdir_in(above.path()).unwrap();
        // Submissions may run as another user, which must be able to reach the files
        // that the judge creates in `tmp`.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .unwrap();
        let judge = Self {
            folder,
            _above: above,
        };
        judge
            .put("judge.toml", "jobs = 1\n")
            .put("problems/mini/problem.toml", SPEC);
        judge
            .put("cases/mini/sample/001-one.in", ONE)
            .put("cases/mini/sample/001-one.ans", SOLVED);
        judge.put("cases/mini/secret/002-two.in", TWO);
        judge.put("cases/mini/secret/002-two.ans", SOLVED.repeat(2));
        fs::create_dir(judge.path("tmp")).unwrap();
        judge
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn put(
        &self,
        name: impl AsRef<Path>,
        bytes: impl AsRef<[u8]>,
    ) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    /// Writes the configuration of the judge's user.
    pub(crate) fn configure(&self, text: impl AsRef<[u8]>) -> &Self {
        self.put("config/gridjudge/config.toml", text)
    }

    /// Takes away the tools of all built-in languages but Bash, C, Perl, the shell and
    /// these: the doctor tries each language that has its tools, which takes several
    /// seconds for some.
    pub(crate) fn with_few_languages(self, others: &[&str]) -> Self {
        let compiled = COMPILED_LANGUAGES.map(|id| (id, "compile"));
        let interpreted = INTERPRETED_LANGUAGES.map(|id| (id, "run"));
        let taken = [&compiled[..], &interpreted].concat().into_iter();
        let tables = taken
            .filter(|(id, _)| !others.contains(id))
            .map(|(id, key)| {
                format!(
                    "[languages.{id}]\n{key} = [\"no-such-tool\", \"{{source}}\"]\n"
                )
            });
        self.configure(tables.collect::<String>());
        self
    }

    /// Writes an executable file.
    pub(crate) fn script(&self, name: impl AsRef<Path>, text: &str) -> &Self {
        self.put(&name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755))
            .unwrap();
        self
    }

    /// Creates a symbolic link to `target`, which need not exist.
    pub(crate) fn link(&self, name: &str, target: &str) -> &Self {
        std::os::unix::fs::symlink(target, self.path(name)).unwrap();
        self
    }

    pub(crate) fn remove(&self, name: &str) -> &Self {
        fs::remove_file(self.path(name)).unwrap();
        self
    }

    /// Replaces a piece of text, which must be there, in a file.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) -> &Self {
        let text = self.read(name);
        assert!(text.contains(from), "{name} holds no `{from}`");
        self.put(name, text.replacen(from, to, 1))
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A command that runs `gridjudge` in the folder, with nothing on its standard
    /// input.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(env!("CARGO_BIN_EXE_gridjudge"), arguments)
    }

    /// A command that runs any program in the folder, in the same environment.
    pub(crate) fn command_of(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
            .env("TMPDIR", self.path("tmp"))
            .env("GRIDJUDGE_CACHE", self.path("cache"));
        command.env("XDG_CONFIG_HOME", self.path("config"));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.ran(self.command(arguments).output().unwrap())
    }

    /// Converts the output of a command, without notes and progress, and asserts that
    /// it left no temporary files.
    pub(crate) fn ran(&self, output: Output) -> Ran {
        let left: Vec<_> = fs::read_dir(self.path("tmp"))
            .unwrap()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        // Notes depend on what this machine offers, and progress lines on timing; every
        // other line is the command's.
        let is_note = |line: &&str| line.starts_with("note: ") || is_step(line);
        let stderr = text(output.stderr)
            .split_inclusive('\n')
            .filter(|line| !is_note(line))
            .collect();
        Ran {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr,
        }
    }

    /// Runs a command that must refuse its input: exit code 2, this message on standard
    /// error, no file of the judge touched. Excerpts of files are removed from the
    /// messages before they are compared: `tests/command_line/broken_specs.rs` tests
    /// those.
    #[track_caller]
    pub(crate) fn refuses(&self, arguments: &[&str], message: &str) {
        let before = self.files_but_cache();
        let ran = self.run(arguments);
        let is_excerpt = |line: &&str| {
            line.strip_prefix("  ").is_some_and(|rest| {
                rest.trim_start_matches(|letter: char| {
                    letter == ' ' || letter.is_ascii_digit()
                })
                .starts_with("| ")
            })
        };
        let stderr: String = ran
            .stderr
            .split_inclusive('\n')
            .filter(|line| !is_excerpt(line))
            .collect();
        assert_eq!(stderr, format!("{}\n", message.trim_end()), "{arguments:?}");
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}"
        );
        assert!(
            self.files_but_cache() == before,
            "{arguments:?} touched a file"
        );
    }

    /// Every entry below the folder with its bytes; no bytes unless it is a regular
    /// file.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        read(entries_below(self.folder.path(), Path::new("")))
    }

    /// As [`Self::files`], without what commands remember even if they refuse what they
    /// read.
    pub(crate) fn files_but_cache(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        read(entries_below(self.folder.path(), &self.path("cache")))
    }

    /// As [`Self::files`], only those below a folder in it.
    pub(crate) fn files_below(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        read(entries_below(&self.path(folder), Path::new("")))
    }

    /// The names of every entry below the folder, which are paths in it.
    pub(crate) fn names(&self) -> Vec<String> {
        entries_below(self.folder.path(), Path::new(""))
            .iter()
            .map(|path| path.strip_prefix(self.folder.path()).unwrap())
            .map(|name| name.display().to_string())
            .collect()
    }

    /// Runs a command at a level with a disk of this size as the folder for temporary
    /// files, mounted in a namespace of the judge's own. `None` if this machine does
    /// not allow that.
    pub(crate) fn on_a_disk_of(
        &self,
        size: &str,
        command: &str,
        level: &str,
    ) -> Option<Ran> {
        let program = env!("CARGO_BIN_EXE_gridjudge");
        let mount = format!(
            "mount -t tmpfs -o size={size},mode=755 none tmp && exec {program} {command} --sandbox $0"
        );
        let output = self
            .command_of("unshare", &["--mount", "sh", "-c", &mount, level])
            .output();
        let ran = self.ran(
            output
                .inspect_err(|_| println!("skipped: there is no `unshare`"))
                .ok()?,
        );
        if ran.stderr.contains("unshare") || ran.stderr.contains("level") {
            println!(
                "level {level} is not available in a mount namespace here: {}",
                ran.stderr
            );
            return None;
        }
        Some(ran)
    }
}

/// The folder of the folders of all judges.
///
/// ext4 gives no inode to a new file that belonged to another one some seconds ago, and
/// looks for one from the first of its region on: next to many deleted files that takes
/// half of the time of some tests. It puts the folders of a folder with this flag into
/// different regions.
fn folder_of_all() -> Arc<TempDir> {
    static FOLDER: Mutex<Weak<TempDir>> = Mutex::new(Weak::new());
    let mut known = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    known.upgrade().unwrap_or_else(|| {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .unwrap();
        let opened = fs::File::open(folder.path()).unwrap();
        // Other file systems have no such flag.
        let _ = ioctl_getflags(&opened)
            .and_then(|flags| ioctl_setflags(&opened, flags | IFlags::TOPDIR));
        *known = Arc::downgrade(&folder);
        folder
    })
}

/// Every entry below a folder, without one that is left out. Others may remove entries
/// meanwhile.
fn entries_below(top: &Path, left_out: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(top).min_depth(1).into_iter();
    entries
        .filter_entry(|entry| entry.path() != left_out)
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .collect()
}

fn read(entries: Vec<PathBuf>) -> BTreeMap<PathBuf, Vec<u8>> {
    let with_bytes = entries.into_iter().map(|path| {
        let is_file = path.symlink_metadata().unwrap().is_file();
        let bytes = if is_file {
            fs::read(&path).unwrap()
        } else {
            vec![]
        };
        (path, bytes)
    });
    with_bytes.collect()
}

impl Drop for Judge {
    fn drop(&mut self) {
        warm_cache::learn_from(&self.path("cache"));
    }
}

/// Asserts that there is a C compiler.
pub(crate) fn needs_cc() {
    let found = Command::new("cc").arg("--version").output();
    assert!(
        found.is_ok(),
        "this test needs a C compiler named `cc`: install gcc (Debian: apt install gcc)"
    );
}

/// Lets a moment pass before a test looks again whether something has happened. To look
/// again at once would take a processor from what it waits for.
pub(crate) fn pause() {
    thread::sleep(Duration::from_micros(50));
}

/// Runs a closure and returns its result. Meanwhile, every `sleep` below a process is
/// killed as soon as it starts.
pub(crate) fn while_waking<T>(process: u32, run: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                wake_below(process);
                pause();
            }
        });
        let end = run();
        is_over.store(true, Ordering::Relaxed);
        end
    })
}

fn wake_below(ancestor: u32) {
    for process in processes::descendants(ancestor) {
        if processes::command_line(process).starts_with("sleep\0") {
            // It may have ended meanwhile.
            let _ = rustix::process::kill_process(
                Pid::from_raw(process.cast_signed()).unwrap(),
                Signal::TERM,
            );
        }
    }
}

/// The command line of every process.
pub(crate) fn command_lines() -> impl Iterator<Item = String> {
    processes::all().map(processes::command_line)
}

/// Whether a line reports a finished submission, as `[3/7] AC ...`.
pub(crate) fn is_step(line: &str) -> bool {
    let number = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    number
        .and_then(|(number, _)| number.split_once('/'))
        .is_some_and(|(done, all)| {
            done.trim_start().parse::<usize>().is_ok() && all.parse::<usize>().is_ok()
        })
}
