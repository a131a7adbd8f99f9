//! A sandbox with the acts compiled and ready.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Input;
use gridjudge::model::Launch;
use gridjudge::model::Limits;
use gridjudge::model::Role;
use gridjudge::model::Run;
use gridjudge::sandbox::Choice;
use gridjudge::sandbox::Level;
use gridjudge::sandbox::Linux;
use gridjudge::sandbox::Sandbox;
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
    }
}

pub(crate) struct Stage {
    pub(crate) sandbox: Linux,
    acts: PathBuf,
    launchers: Vec<u32>,
    /// Where files go that a run may not find.
    folder: tempfile::TempDir,
}

impl Stage {
    pub(crate) fn new(slots: usize) -> Self {
        Self::of(Linux::start(launcher(), slots, Choice::Best).unwrap())
    }

    /// As on a kernel that has this version of Landlock; 0 for none.
    pub(crate) fn with_landlock(version: u32) -> Self {
        Self::of(Linux::start_with(launcher(), 1, Choice::Only(Level::Basic), version).unwrap())
    }

    fn of(sandbox: Linux) -> Self {
        let acts = sandbox.programs().join("acts");
        copy(&compiled_acts(), &acts);
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let launchers = sandbox.launcher_ids();
        Self { sandbox, acts, launchers, folder }
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
        assert_eq!(run.breach(limits), None, "{run:?}");
        let mut output = String::new();
        run.stdout.read_to_string(&mut output).unwrap();
        output
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

    /// Waits until some launcher has a child.
    pub(crate) fn wait_for_a_run(&self) {
        wait_until(|| self.launchers.iter().any(|launcher| children(*launcher) > 0));
    }

    /// Asserts that no launcher has a child, and so, because orphans become its children, that nothing of
    /// any run lives.
    pub(crate) fn nothing_is_left(&self) {
        for launcher in &self.launchers {
            assert_eq!(children(*launcher), 0);
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
    }
}

/// For what another process does in its own time, and soon.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "what was waited for does not happen");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How many processes work in or below a folder.
pub(crate) fn working_in(folder: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let cwds = processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
    cwds.filter(|cwd| cwd.starts_with(folder)).count()
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

/// Kills a process and waits until it is dead, though perhaps not reaped.
pub(crate) fn kill(process: u32) {
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    let dead = |stat: String| stat.rsplit_once(") ").is_none_or(|(_, fields)| fields.starts_with(['Z', 'X']));
    wait_until(|| fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, dead));
}

/// How many children a process has.
fn children(parent: u32) -> usize {
    let parent_is = |stat: &String| {
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_ascii_whitespace().nth(1) == Some(parent.to_string().as_str())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|process| fs::read_to_string(process.path().join("stat")).ok());
    stats.filter(parent_is).count()
}

/// The acts, compiled unless an earlier run of the tests has done it since the source was changed.
fn compiled_acts() -> PathBuf {
    static ONCE: OnceLock<PathBuf> = OnceLock::new();
    ONCE.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/acts.c");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("acts");
        let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
        if changed(&program) < changed(&source) {
            compile(&source, &program);
        }
        program
    })
    .clone()
}

fn compile(source: &Path, program: &Path) {
    // Renamed at the end, so that no other test binary meets half a program.
    let half = program.with_extension(std::process::id().to_string());
    let status = Command::new("cc").args(["-O0", "-pthread", "-o"]).arg(&half).arg(source).status();
    let status =
        status.expect("these tests need a C compiler named `cc`: install gcc (Debian: apt install gcc)");
    assert!(status.success(), "`cc` failed on {}", source.display());
    fs::rename(half, program).unwrap();
}

/// By another process: one that we had written ourselves could be open for writing in a process that some
/// other test is just starting, and not be executed.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg(from).arg(to).status().unwrap().success());
}
