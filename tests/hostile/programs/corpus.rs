//! Reads and compiles the hostile programs. The first comment of each one describes it
//! and lists its settings. Knows nothing of sandboxes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use gridjudge_sandbox::Limits;

const MIB: u64 = 1 << 20;

/// CPU time limit of programs that are not expected to break a time limit: enough on
/// slow machines, too.
const GENEROUS_CPU: Duration = Duration::from_secs(3);

/// Outcomes that a program may expect, as [`outcome`](super::sandboxes::outcome) writes
/// them; `RE` may have a code or a signal after a colon.
const OUTCOMES: [&str; 6] = ["AC", "TLE", "ILE", "MLE", "OLE", "RE"];

/// Levels that may have an expectation of their own. `shared` is level basic where the
/// judge is not root, so that runs have the judge's user.
const LEVEL_NAMES: [&str; 4] = ["full", "user", "basic", "shared"];

/// A hostile program and the settings in its first comment.
pub(crate) struct Program {
    pub(crate) name: String,
    needs_libc: bool,
    pub(crate) limits: Limits,
    /// Outcomes that are allowed, by level; the empty name is the general one.
    expected: BTreeMap<String, Vec<String>>,
    /// A program that runs after it in the same slot, to find what it left.
    pub(crate) then: Option<String>,
    /// A program that runs at the same time in another slot, to exchange data with it.
    pub(crate) beside: Option<String>,
    /// Whether nothing else may run meanwhile.
    pub(crate) exclusive: bool,
    /// Bounds on the usage that the sandbox reports.
    pub(crate) max_cpu: Duration,
    pub(crate) min_memory_bytes: u64,
    pub(crate) max_memory_bytes: u64,
    /// A text that its output must contain, if any.
    pub(crate) prints: Option<String>,
    /// The arguments that it is run with, one run for each.
    pub(crate) sweep: Sweep,
    /// The version of Landlock that level basic needs to refuse what the program tries.
    pub(crate) landlock: u32,
    /// Whether it succeeds without a sandbox, and does no harm there.
    pub(crate) succeeds_unconfined: bool,
}

/// The arguments that a program is run with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sweep {
    /// One run without arguments.
    None,
    /// One run for each exit code.
    Codes,
    /// One run for each signal that ends a program.
    Signals,
}

impl Program {
    /// Reads the comment that the source begins with: prose, an empty line, and lines
    /// `key: value`.
    fn parse(name: &str, source: &str) -> Result<Self, String> {
        let comment = source
            .strip_prefix("/* ")
            .and_then(|text| text.split_once("*/"));
        let (comment, _) = comment.ok_or("it does not begin with a comment")?;
        let lines = comment
            .lines()
            .map(|line| line.strip_prefix(" *").unwrap_or(line).trim());
        let (prose, settings): (Vec<_>, Vec<_>) = {
            let mut is_setting = false;
            lines.partition(|line| {
                is_setting |= line.is_empty();
                !is_setting
            })
        };
        if !prose.concat().contains("Success:") {
            return Err("its comment does not say what success is".to_owned());
        }
        let mut program = Self::with_defaults(name);
        for line in settings.iter().filter(|line| !line.is_empty()) {
            let (key, value) = line
                .split_once(": ")
                .ok_or_else(|| format!("`{line}` is not a setting"))?;
            program.set(key, value)?;
        }
        if !settings.iter().any(|line| line.starts_with("limits: "))
            && !program.may_break_a_time_limit()
        {
            program.limits = Limits {
                cpu: GENEROUS_CPU,
                wall: Limits::wall_for(GENEROUS_CPU),
                ..program.limits
            };
        }
        if program.expected.is_empty() {
            Err("it has no `expect`".to_owned())
        } else {
            Ok(program)
        }
    }

    fn with_defaults(name: &str) -> Self {
        let cpu = Duration::from_millis(200);
        Self {
            name: name.to_owned(),
            needs_libc: false,
            limits: Limits {
                cpu,
                wall: Limits::wall_for(cpu),
                memory_bytes: 64 * MIB,
                output_bytes: MIB,
                processes: 16,
                frequent_samples: false,
                address_space: None,
            },
            expected: BTreeMap::new(),
            then: None,
            beside: None,
            exclusive: false,
            max_cpu: Duration::MAX,
            min_memory_bytes: 0,
            max_memory_bytes: u64::MAX,
            prints: None,
            sweep: Sweep::None,
            landlock: 0,
            succeeds_unconfined: false,
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("libc", "yes") => self.needs_libc = true,
            ("alone", "yes") => self.exclusive = true,
            ("unconfined", "succeeds") => self.succeeds_unconfined = true,
            ("limits" | "at most" | "at least", list) => {
                list.split(", ")
                    .try_for_each(|bound| self.bound(key, bound))?;
            }
            ("then", other) => self.then = Some(other.to_owned()),
            ("beside", other) => self.beside = Some(other.to_owned()),
            ("prints", text) => self.prints = Some(text.to_owned()),
            ("sweep", "codes") => self.sweep = Sweep::Codes,
            ("sweep", "signals") => self.sweep = Sweep::Signals,
            ("basic needs", version) => {
                let version = version
                    .strip_prefix("landlock ")
                    .ok_or("only landlock can be needed")?;
                self.landlock = version
                    .parse()
                    .map_err(|_| format!("`{version}` is not a version"))?;
            }
            _ => {
                let level_name = key.strip_prefix("expect").map(str::trim_start);
                self.expect(
                    level_name
                        .ok_or_else(|| format!("unknown setting `{key}: {value}`"))?,
                    value,
                )?;
            }
        }
        Ok(())
    }

    /// Sets one bound, as `cpu 300 ms`.
    fn bound(&mut self, key: &str, bound: &str) -> Result<(), String> {
        let unknown = || format!("`{bound}` is not a bound");
        let mut words = bound.split(' ');
        let what = words.next().unwrap_or_default();
        let number = words.next().unwrap_or_default();
        let number: u64 = number.parse().map_err(|_| unknown())?;
        let duration = Duration::from_millis(number);
        match (key, what, words.next().unwrap_or_default()) {
            ("limits", "cpu", "ms") => self.limits.cpu = duration,
            ("limits", "wall", "ms") => self.limits.wall = duration,
            ("limits", "memory", "MiB") => self.limits.memory_bytes = number * MIB,
            ("limits", "output", "MiB") => self.limits.output_bytes = number * MIB,
            ("limits", "processes", "") => self.limits.processes = number as u32,
            ("at most", "cpu", "ms") => self.max_cpu = duration,
            ("at most", "memory", "MiB") => self.max_memory_bytes = number * MIB,
            ("at least", "memory", "MiB") => self.min_memory_bytes = number * MIB,
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// Sets the expected outcomes of a level: outcomes with `|` between them and,
    /// unless they are the general ones, a reason in parentheses.
    fn expect(&mut self, level_name: &str, value: &str) -> Result<(), String> {
        let (outcomes, reason) = value.split_once(' ').unwrap_or((value, ""));
        if !level_name.is_empty()
            && (!LEVEL_NAMES.contains(&level_name)
                || !reason.starts_with('(')
                || !reason.ends_with(')'))
        {
            return Err(format!(
                "`expect {level_name}: {value}` has no known level, or no reason in parentheses"
            ));
        }
        let outcomes: Vec<_> = outcomes.split('|').map(str::to_owned).collect();
        if let Some(unknown) = outcomes.iter().find(|outcome| {
            !OUTCOMES.contains(&outcome.split(':').next().unwrap_or_default())
        }) {
            return Err(format!("`{unknown}` is not an outcome"));
        }
        self.expected.insert(level_name.to_owned(), outcomes);
        Ok(())
    }

    /// Whether it may break a time limit.
    fn may_break_a_time_limit(&self) -> bool {
        self.expected
            .values()
            .flatten()
            .any(|outcome| matches!(outcome.as_str(), "TLE" | "ILE"))
    }

    /// The outcomes that it may have at a level.
    pub(crate) fn expected_at_level(&self, level_name: &str) -> &[String] {
        let nearest: &[&str] = if level_name == "shared" {
            &["shared", "basic", ""]
        } else {
            &[level_name, ""]
        };
        nearest
            .iter()
            .find_map(|level_name| self.expected.get(*level_name))
            .map_or(&[], Vec::as_slice)
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// All programs, by name.
pub(crate) fn programs() -> BTreeMap<String, Program> {
    let mut found = BTreeMap::new();
    for path in sources_ending_in("c") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let program = Program::parse(&name, &fs::read_to_string(&path).unwrap());
        found.insert(
            name,
            program.unwrap_or_else(|mistake| panic!("{}: {mistake}", path.display())),
        );
    }
    for program in found.values() {
        for other in program.then.iter().chain(&program.beside) {
            assert!(
                found.contains_key(other),
                "{}: there is no {other}.c",
                program.name
            );
        }
    }
    found
}

fn sources_ending_in(extension: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(sources())
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

/// The folder of the compiled programs: the one that `GRIDJUDGE_HOSTILE` names, else
/// one of our own, where programs whose sources have changed are compiled again.
pub(crate) fn compiled(programs: &BTreeMap<String, Program>) -> PathBuf {
    if let Some(folder) = std::env::var_os("GRIDJUDGE_HOSTILE") {
        return folder.into();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    fs::create_dir_all(&folder).unwrap();
    let headers = sources_ending_in("h")
        .iter()
        .filter_map(|path| changed(path))
        .max();
    let stale: Vec<_> = programs
        .values()
        .filter(|program| {
            let source =
                changed(&sources().join(format!("{}.c", program.name))).max(headers);
            changed(&folder.join(&program.name)) < source
        })
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = stale.get(next.fetch_add(1, Relaxed)) {
                    compile(program, &folder);
                }
            });
        }
    });
    folder
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

fn compile(program: &Program, folder: &Path) {
    const ALL: [&str; 5] = ["-O1", "-static", "-Wall", "-Wextra", "-Wno-return-type"];
    const BARE: [&str; 6] = [
        "-nostdlib",
        "-nostartfiles",
        "-ffreestanding",
        "-fno-stack-protector",
        "-fno-pie",
        "-fno-tree-loop-distribute-patterns",
    ];
    let flags: &[&str] = if program.needs_libc {
        &["-pthread"]
    } else {
        &BARE
    };
    let target = folder.join(&program.name);
    // Renamed at the end, so that no other test binary finds an incomplete program.
    let temporary = target.with_extension(std::process::id().to_string());
    let source = sources().join(format!("{}.c", program.name));
    let status = Command::new("cc")
        .args(ALL)
        .args(flags)
        .arg("-o")
        .arg(&temporary)
        .arg(&source)
        .status();
    let status = status
        .expect("these tests need a C compiler named `cc`: install gcc (Debian: apt install gcc)");
    assert!(status.success(), "`cc` failed on {}", source.display());
    fs::rename(temporary, target).unwrap();
}
