//! A sandbox with the acts compiled and ready.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Verdict;
use gridjudge::model::verdict_of_breach;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::IsolationLevel;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::LevelChoice;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::LinuxSandbox;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Run;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::ScratchFiles;
use rustix::process::Pid;
use rustix::process::Signal;

pub(crate) const MIB: u64 = 1 << 20;

/// Limits that no act meets by accident, on a busy machine either.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(5),
        wall: Duration::from_secs(20),
        memory_bytes: 256 * MIB,
        output_bytes: 16 * MIB,
        processes: 64,
        frequent_samples: false,
    }
}

/// How the acts are linked: a static program finds an emptier root than one that needs a loader and libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    Dynamically,
    Statically,
}

/// Where a test plays.
#[derive(Clone, Copy)]
struct Setting {
    level: IsolationLevel,
    linked: Linked,
    slots: usize,
}

/// Plays a test at every level that this machine gives, one after the other: a level that fails is named as the thread
/// of the panic, and again at the end.
pub(crate) fn at_every_level(slots: usize, test: impl Fn(Stage) + Sync) {
    let settings = levels().iter().map(|level| Setting { level: *level, linked: Linked::Dynamically, slots });
    play(settings.collect(), &test);
}

/// The same, with one slot, with the acts linked either way.
pub(crate) fn at_every_level_linked_either_way(test: impl Fn(Stage) + Sync) {
    let of_level = |level: &IsolationLevel| {
        [Linked::Dynamically, Linked::Statically].map(|linked| Setting { level: *level, linked, slots: 1 })
    };
    play(levels().iter().flat_map(of_level).collect(), &test);
}

fn play(settings: Vec<Setting>, test: &(impl Fn(Stage) + Sync)) {
    let fails = |setting: &Setting| {
        let play = || test(Stage::set(*setting));
        thread::scope(|scope| {
            thread::Builder::new().name(setting.name()).spawn_scoped(scope, play).unwrap().join().is_err()
        })
    };
    let failed: Vec<_> = settings.iter().filter(|setting| fails(setting)).map(Setting::name).collect();
    assert!(failed.is_empty(), "failed {}", failed.join(" and "));
}

impl Setting {
    fn name(&self) -> String {
        format!("at level {}, linked {}", self.level, format!("{:?}", self.linked).to_lowercase())
    }
}

/// The levels that this machine gives this user, the best first.
pub(crate) fn levels() -> &'static [IsolationLevel] {
    static LEVELS: OnceLock<Vec<IsolationLevel>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let is_given =
            |level: &IsolationLevel| LinuxSandbox::start(launcher(), 1, LevelChoice::Only(*level)).is_ok();
        let levels: Vec<_> = IsolationLevel::ALL.into_iter().filter(is_given).collect();
        assert!(levels.contains(&IsolationLevel::Basic), "every Linux gives level basic");
        levels
    })
}

pub(crate) struct Stage {
    pub(crate) sandbox: LinuxSandbox,
    pub(crate) linked: Linked,
    acts: PathBuf,
    launchers: Vec<u32>,
    /// Where files go that a run may not find.
    folder: tempfile::TempDir,
}

impl Stage {
    fn set(setting: Setting) -> Self {
        let sandbox =
            LinuxSandbox::start(launcher(), setting.slots, LevelChoice::Only(setting.level)).unwrap();
        Self::of(sandbox, setting.linked)
    }

    /// As on a kernel that has this version of Landlock; 0 for none.
    pub(crate) fn with_landlock(level: IsolationLevel, version: u32) -> Self {
        let sandbox = LinuxSandbox::start_with(launcher(), 1, LevelChoice::Only(level), version).unwrap();
        Self::of(sandbox, Linked::Dynamically)
    }

    fn of(sandbox: LinuxSandbox, linked: Linked) -> Self {
        let acts = sandbox.programs().join("acts");
        copy(&compiled_acts(linked), &acts);
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let launchers = sandbox.launcher_ids();
        Self { sandbox, linked, acts, launchers, folder }
    }

    /// Whether runs have a root, processes and a network of their own.
    pub(crate) fn is_contained(&self) -> bool {
        self.sandbox.level() != IsolationLevel::Basic
    }

    /// Whether a control group counts what runs use.
    pub(crate) fn counts_trees(&self) -> bool {
        self.sandbox.guarantees().groups
    }

    /// The launch of an act, with empty input.
    pub(crate) fn act(&self, arguments: &[&str]) -> Launch {
        let program = self.acts.to_str().unwrap();
        let command = [program].iter().chain(arguments).map(|text| (*text).to_owned()).collect();
        Launch { command, ..nothing() }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_within(&self.act(arguments), &limits())
    }

    pub(crate) fn run_within(&self, launch: &Launch, limits: &Limits) -> Run {
        self.sandbox.run(launch, limits).unwrap()
    }

    /// What a run that must end well prints.
    pub(crate) fn output_within(&self, launch: &Launch, limits: &Limits) -> String {
        let mut run = self.run_within(launch, limits);
        assert_eq!(verdict_of_breach(&run, limits), None, "{run:?}");
        let mut output = String::new();
        run.stdout.read_to_string(&mut output).unwrap();
        output
    }

    /// A run of an act, and the one verdict that it must earn by its conduct.
    #[track_caller]
    pub(crate) fn earns(&self, act: &[&str], limits: &Limits, verdict: Verdict) -> Run {
        let run = self.run_within(&self.act(act), limits);
        assert_eq!(verdict_of_breach(&run, limits), Some(verdict), "{act:?}: {run:?}");
        run
    }

    /// Why a launch is refused.
    #[track_caller]
    pub(crate) fn fault(&self, launch: &Launch) -> Fault {
        self.sandbox.run(launch, &limits()).unwrap_err()
    }

    /// Puts an executable file where a run may not find it.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> String {
        let source = self.put_plain(&format!("{name}.source"), bytes);
        let path = self.folder.path().join(name);
        fs::set_permissions(&source, fs::Permissions::from_mode(0o755)).unwrap();
        copy(Path::new(&source), &path);
        path.to_str().unwrap().to_owned()
    }

    /// Makes a folder where no run looks.
    pub(crate) fn folder(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Puts a file that is not executable there.
    pub(crate) fn put_plain(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Waits until some launcher has a run.
    pub(crate) fn wait_for_a_run(&self) {
        wait_until(|| self.launchers.iter().any(|launcher| !runs_below(*launcher).is_empty()));
    }

    /// Asserts that nothing of any run lives: orphans become the launcher's children, or, with processes of their own,
    /// their init's.
    #[track_caller]
    pub(crate) fn nothing_is_left(&self) {
        for launcher in &self.launchers {
            assert_eq!(runs_below(*launcher), [0; 0]);
        }
    }
}

/// The binary that has a launcher in it.
pub(crate) fn launcher() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gridjudge"))
}

/// A submission without a command.
pub(crate) fn nothing() -> Launch {
    Launch {
        command: Vec::new(),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        input: Input::Empty,
        readable: Vec::new(),
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    }
}

/// For what another process does in its own time, and soon.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "what was waited for does not happen");
        thread::sleep(Duration::from_millis(1));
    }
}

/// What an act is to read.
pub(crate) trait Reading: Sized {
    /// With these bytes on standard input.
    fn reading(self, stage: &Stage, bytes: &[u8]) -> Self;

    /// With leave to read this file or folder.
    fn allowed(self, path: &str) -> Self;
}

impl Reading for Launch {
    fn reading(mut self, stage: &Stage, bytes: &[u8]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}.in", NEXT.fetch_add(1, Relaxed));
        self.input = Input::CopyOf(stage.put_plain(&name, bytes).into());
        self
    }

    fn allowed(mut self, path: &str) -> Self {
        self.readable.push(path.into());
        self
    }
}

/// Kills a launcher and waits until it is dead, though perhaps not reaped, and its inits have let go of its socket. For
/// them to be gone, too, a stranger must have reaped the run, which can take seconds.
pub(crate) fn kill(launcher: u32) {
    let inits = inits_below(launcher);
    let pid = Pid::from_raw(launcher.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    let holds_files = |process: &u32| {
        fs::read_dir(format!("/proc/{process}/fd")).is_ok_and(|mut files| files.next().is_some())
    };
    wait_until(|| is_dead(launcher) && !inits.iter().any(holds_files));
}

/// Whether a process is gone, or dead and waits to be reaped.
pub(crate) fn is_dead(process: u32) -> bool {
    let dead = |stat: String| stat.rsplit_once(") ").is_none_or(|(_, fields)| fields.starts_with(['Z', 'X']));
    fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, dead)
}

/// All living processes below a launcher but the inits that it keeps for runs to come.
pub(crate) fn runs_below(launcher: u32) -> Vec<u32> {
    let is_of_a_run = |process: &u32| !is_dead(*process) && !is_init(*process);
    descendants(launcher).into_iter().filter(is_of_a_run).collect()
}

/// The inits that a launcher keeps for runs to come.
pub(crate) fn inits_below(launcher: u32) -> Vec<u32> {
    descendants(launcher).into_iter().filter(|process| is_init(*process)).collect()
}

/// Whether a process is the first of a namespace inside this one.
fn is_init(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let ids = status.lines().find_map(|line| line.strip_prefix("NSpid:")).unwrap_or_default();
    let ids: Vec<_> = ids.split_ascii_whitespace().collect();
    ids.len() > 1 && ids.last() == Some(&"1")
}

/// All processes below one.
fn descendants(ancestor: u32) -> Vec<u32> {
    let mut found = children(ancestor);
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children(process));
        next += 1;
    }
    found
}

/// The children of a process.
fn children(of: u32) -> Vec<u32> {
    processes().filter(|process| parent(*process) == Some(of)).collect()
}

/// The parent of a process; `None` once it is gone.
pub(crate) fn parent(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The command of a process, its words one after the other; nothing for one that is dead.
pub(crate) fn command_line(process: u32) -> String {
    let bytes = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// All processes of the machine.
pub(crate) fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The folders of all control groups that a process is in and that a judge has made for its launchers: not the one that it
/// has moved itself to, out of the way of these.
pub(crate) fn groups_of(process: u32) -> Vec<PathBuf> {
    let folders = walkdir::WalkDir::new("/sys/fs/cgroup").into_iter().flatten();
    let folders = folders.map(walkdir::DirEntry::into_path).filter(|path| path.ends_with("cgroup.procs"));
    let is_in = |file: &PathBuf| {
        let inside = fs::read_to_string(file).unwrap_or_default();
        inside.lines().any(|line| line == process.to_string())
    };
    let is_ours = |file: &PathBuf| {
        let path = file.to_str().unwrap();
        path.contains("/gridjudge-") && !path.contains("/gridjudge-neighbours/")
    };
    let files = folders.filter(is_ours).filter(is_in);
    files.map(|file| file.parent().unwrap().to_owned()).collect()
}

/// The acts, compiled unless an earlier run of the tests has done it since the source was changed.
fn compiled_acts(linked: Linked) -> PathBuf {
    static COMPILING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/acts.c");
    let (name, options): (_, &[_]) = match linked {
        Linked::Dynamically => ("acts", &[]),
        Linked::Statically => ("acts-static", &["-static"]),
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    if changed(&program) < changed(&source) {
        compile(&source, &program, options);
    }
    program
}

fn compile(source: &Path, program: &Path, options: &[&str]) {
    // Renamed at the end, so that no other test binary meets half a program.
    let half = program.with_extension(std::process::id().to_string());
    let mut command = Command::new("cc");
    let status = command.args(["-O0", "-pthread"]).args(options).arg("-o").arg(&half).arg(source).status();
    let status =
        status.expect("these tests need a C compiler named `cc`: install gcc (Debian: apt install gcc)");
    assert!(
        status.success(),
        "`cc` failed on {} with {options:?}: is there a static libc?",
        source.display()
    );
    fs::rename(half, program).unwrap();
}

/// By another process: one that we had written ourselves could be open for writing in a process that some
/// other test is just starting, and not be executed.
pub(crate) fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
}
