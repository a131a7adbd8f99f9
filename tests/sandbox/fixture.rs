//! The fixture of the sandbox tests: a sandbox with the compiled program `actions.c` in
//! it.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, thread};

use gridjudge::model::{Trial, Verdict, verdict_of_breach};
use gridjudge_sandbox::{
    Fault, Input, IsolationLevel, Launch, LevelChoice, Limits, LinuxSandbox, Role,
    Run, Sandbox, ScratchFiles,
};
use rustix::process::{Pid, Signal};

use crate::processes::{copy_program, descendants, is_dead, is_init};

pub(crate) const MIB: u64 = 1 << 20;

/// Limits that no action breaks by accident, even on a busy machine.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(5),
        wall: Duration::from_secs(20),
        memory_bytes: 256 * MIB,
        output_bytes: 16 * MIB,
        processes: 64,
        frequent_samples: false,
        address_space: None,
    }
}

/// How `actions.c` is linked: the root of a static program holds less than that of one
/// that needs a loader and libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linking {
    Dynamic,
    Static,
}

/// The sandbox and the linking that a test runs with.
#[derive(Clone, Copy)]
struct TestSetting {
    level: IsolationLevel,
    linking: Linking,
    slots: usize,
}

/// Runs a test at every available level, one after the other. A level that fails is
/// named as the thread of the panic, and again at the end.
pub(crate) fn at_every_level(slots: usize, test: impl Fn(Fixture) + Sync) {
    run_in_each(&at_levels(slots), 1, &test);
}

/// As [`at_every_level`], with one slot and at all levels at the same time: for tests
/// that wait more than they compute, and measure nothing.
pub(crate) fn at_all_levels_at_once(test: impl Fn(Fixture) + Sync) {
    let settings = at_levels(1);
    run_in_each(&settings, settings.len(), &test);
}

fn at_levels(slots: usize) -> Vec<TestSetting> {
    let setting = |level: &IsolationLevel| TestSetting {
        level: *level,
        linking: Linking::Dynamic,
        slots,
    };
    levels().iter().map(setting).collect()
}

/// Runs a test at every available level, with one slot, with both kinds of linking.
pub(crate) fn at_every_level_with_both_linkings(test: impl Fn(Fixture) + Sync) {
    let with = |setting: TestSetting| {
        [Linking::Dynamic, Linking::Static]
            .map(|linking| TestSetting { linking, ..setting })
    };
    let settings: Vec<_> = at_levels(1).into_iter().flat_map(with).collect();
    run_in_each(&settings, 1, &test);
}

/// Runs a test with these settings, so many of them at the same time.
fn run_in_each(
    settings: &[TestSetting],
    at_once: usize,
    test: &(impl Fn(Fixture) + Sync),
) {
    let mut failed = vec![];
    for some in settings.chunks(at_once) {
        thread::scope(|scope| {
            let start = |setting: &TestSetting| {
                let setting = *setting;
                let named = thread::Builder::new().name(setting.name());
                let run = move || test(Fixture::start(setting));
                (setting.name(), named.spawn_scoped(scope, run).unwrap())
            };
            let started: Vec<_> = some.iter().map(start).collect();
            for (name, test) in started {
                if test.join().is_err() {
                    failed.push(name);
                }
            }
        });
    }
    assert!(failed.is_empty(), "failed {}", failed.join(" and "));
}

impl TestSetting {
    fn name(&self) -> String {
        format!(
            "at level {}, linked {}",
            self.level,
            format!("{:?}", self.linking).to_lowercase()
        )
    }
}

/// The levels that are available to this user on this machine, the strongest first.
pub(crate) fn levels() -> &'static [IsolationLevel] {
    static LEVELS: OnceLock<Vec<IsolationLevel>> = OnceLock::new();
    LEVELS.get_or_init(|| {
        let levels: Vec<_> = IsolationLevel::ALL
            .into_iter()
            .filter(|level| {
                LinuxSandbox::start(launcher(), 1, LevelChoice::Only(*level)).is_ok()
            })
            .collect();
        assert!(
            levels.contains(&IsolationLevel::Basic),
            "every Linux has level basic"
        );
        levels
    })
}

/// A sandbox with one action program, and files outside of it.
pub(crate) struct Fixture {
    pub(crate) sandbox: LinuxSandbox,
    pub(crate) linking: Linking,
    actions: PathBuf,
    launchers: Vec<u32>,
    /// A folder for files that a run must not find.
    folder: tempfile::TempDir,
}

impl Fixture {
    fn start(setting: TestSetting) -> Self {
        let sandbox = LinuxSandbox::start(
            launcher(),
            setting.slots,
            LevelChoice::Only(setting.level),
        )
        .unwrap();
        Self::of(sandbox, setting.linking)
    }

    /// Starts a sandbox as on a kernel that has this version of Landlock; 0 for none.
    pub(crate) fn with_landlock(level: IsolationLevel, version: u32) -> Self {
        let sandbox = LinuxSandbox::start_with(
            launcher(),
            1,
            LevelChoice::Only(level),
            version,
        )
        .unwrap();
        Self::of(sandbox, Linking::Dynamic)
    }

    fn of(sandbox: LinuxSandbox, linking: Linking) -> Self {
        let actions = sandbox.programs().join("actions");
        copy_program(&compiled_actions(linking), &actions);
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .unwrap();
        let launchers = sandbox.launcher_ids();
        Self {
            sandbox,
            linking,
            actions,
            launchers,
            folder,
        }
    }

    /// Whether runs have namespaces of their own: a root, processes and a network.
    pub(crate) fn has_namespaces(&self) -> bool {
        self.sandbox.level() != IsolationLevel::Basic
    }

    /// Whether a control group counts what runs use.
    pub(crate) fn has_control_group(&self) -> bool {
        self.sandbox.guarantees().groups
    }

    /// The launch of an action, with empty input.
    pub(crate) fn action(&self, arguments: &[&str]) -> Launch {
        let program = self.actions.to_str().unwrap();
        let command = [program]
            .iter()
            .chain(arguments)
            .map(|text| (*text).to_owned())
            .collect();
        Launch {
            command,
            ..empty_launch()
        }
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_within(&self.action(arguments), &limits())
    }

    pub(crate) fn run_within(&self, launch: &Launch, limits: &Limits) -> Run {
        self.sandbox.run(launch, limits).unwrap()
    }

    /// The output of a run that must succeed.
    pub(crate) fn output_within(&self, launch: &Launch, limits: &Limits) -> String {
        let mut run = self.run_within(launch, limits);
        assert_eq!(verdict_of_breach(&run, limits), None, "{run:?}");
        let mut output = String::new();
        run.stdout.read_to_string(&mut output).unwrap();
        output
    }

    /// Runs a launch as the judge does: again, with frequent samples, if it may have
    /// used more memory than its limit.
    pub(crate) fn run_until_certain(&self, launch: &Launch, limits: &Limits) -> Run {
        let run = self.run_within(launch, limits);
        let is_certain = verdict_of_breach(&run, limits)
            == Some(Verdict::MemoryLimit)
            || run.usage.peak_memory_bytes + run.usage.hidden_memory_bytes
                <= limits.memory_bytes;
        if is_certain {
            run
        } else {
            self.run_within(launch, &limits.for_run_alone())
        }
    }

    /// The trial that counts of a launch whose output is right: as the judge does, it
    /// is run again until that is certain.
    pub(crate) fn run_as_judged(&self, launch: &Launch, limits: &Limits) -> Trial {
        let trial = |slack: &Limits| {
            let run = self.run_within(launch, slack);
            let breach = verdict_of_breach(&run, limits);
            let verdict = breach.unwrap_or(Verdict::Accepted);
            Ok::<_, Fault>(Trial::new(verdict, run.exit, run.usage))
        };
        let first = trial(limits).unwrap();
        if !first.is_doubtful(limits) {
            return first;
        }
        let (settled, _) = first
            .settled(limits, || trial(&limits.for_run_alone()))
            .unwrap();
        settled
    }

    /// Runs an action and asserts the verdict that its use of resources gets.
    #[track_caller]
    pub(crate) fn expect_verdict(
        &self,
        action: &[&str],
        limits: &Limits,
        verdict: Verdict,
    ) -> Run {
        let run = self.run_until_certain(&self.action(action), limits);
        assert_eq!(
            verdict_of_breach(&run, limits),
            Some(verdict),
            "{action:?}: {run:?}"
        );
        run
    }

    /// The fault of a launch that must be refused.
    #[track_caller]
    pub(crate) fn fault(&self, launch: &Launch) -> Fault {
        self.sandbox.run(launch, &limits()).unwrap_err()
    }

    /// Writes an executable file where a run must not find it.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> String {
        let source = self.put_plain(&format!("{name}.source"), bytes);
        let path = self.folder.path().join(name);
        fs::set_permissions(&source, fs::Permissions::from_mode(0o755)).unwrap();
        copy_program(Path::new(&source), &path);
        path.to_str().unwrap().to_owned()
    }

    /// Makes a folder that runs must not find.
    pub(crate) fn folder(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        fs::create_dir(&path).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Writes a file that is not executable where a run must not find it.
    pub(crate) fn put_plain(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Waits until a launcher has started a run.
    pub(crate) fn wait_for_a_run(&self) {
        wait_until(|| {
            self.launchers
                .iter()
                .any(|launcher| !runs_below(*launcher).is_empty())
        });
    }

    /// Asserts that no process of any run is left. Orphans become children of the
    /// launcher or, in a process namespace, of its init.
    #[track_caller]
    pub(crate) fn assert_no_process_is_left(&self) {
        // Those that were started later, too.
        for launcher in self.sandbox.launcher_ids().iter().chain(&self.launchers) {
            assert_eq!(runs_below(*launcher), [0; 0]);
        }
    }
}

/// The binary that contains the launcher.
pub(crate) fn launcher() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_gridjudge"))
}

/// A submission without a command.
pub(crate) fn empty_launch() -> Launch {
    Launch {
        command: vec![],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        input: Input::Empty,
        readable: vec![],
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    }
}

/// Waits until a condition holds, and fails after 20 seconds.
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the awaited condition does not hold after 20 seconds"
        );
        thread::sleep(Duration::from_millis(1));
    }
}

/// Adds input and readable files to a launch.
pub(crate) trait LaunchExt: Sized {
    /// Sets the bytes on standard input.
    fn with_input(self, fixture: &Fixture, bytes: &[u8]) -> Self;

    /// Allows the run to read this file or folder.
    fn with_readable(self, path: &str) -> Self;
}

impl LaunchExt for Launch {
    fn with_input(mut self, fixture: &Fixture, bytes: &[u8]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{}.in", NEXT.fetch_add(1, Relaxed));
        self.input = Input::CopyOf(fixture.put_plain(&name, bytes).into());
        self
    }

    fn with_readable(mut self, path: &str) -> Self {
        self.readable.push(path.into());
        self
    }
}

/// Kills a launcher and waits until it is dead, though perhaps not reaped, and its
/// inits have closed its socket. They end only when another process has reaped the run,
/// which can take seconds.
pub(crate) fn kill(launcher: u32) {
    let inits = inits_below(launcher);
    let pid = Pid::from_raw(launcher.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::KILL).unwrap();
    wait_until(|| {
        is_dead(launcher)
            && !inits.iter().any(|process| {
                fs::read_dir(format!("/proc/{process}/fd"))
                    .is_ok_and(|mut files| files.next().is_some())
            })
    });
}

/// All living processes below a launcher except the inits that it keeps for later runs.
pub(crate) fn runs_below(launcher: u32) -> Vec<u32> {
    descendants(launcher)
        .into_iter()
        .filter(|process| !is_dead(*process) && !is_init(*process))
        .collect()
}

/// The inits that a launcher keeps for later runs.
pub(crate) fn inits_below(launcher: u32) -> Vec<u32> {
    descendants(launcher)
        .into_iter()
        .filter(|process| is_init(*process))
        .collect()
}

/// The folders of all control groups that a process is in and that a judge has made for
/// its launchers. The group that the judge moved itself to is not among them.
pub(crate) fn groups_of(process: u32) -> Vec<PathBuf> {
    let folders = walkdir::WalkDir::new("/sys/fs/cgroup")
        .into_iter()
        .flatten();
    let folders = folders
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.ends_with("cgroup.procs"));
    let files = folders
        .filter(|file| {
            let path = file.to_str().unwrap();
            path.contains("/gridjudge-") && !path.contains("/gridjudge-neighbours/")
        })
        .filter(|file| {
            let inside = fs::read_to_string(file).unwrap_or_default();
            inside.lines().any(|line| line == process.to_string())
        });
    files
        .map(|file| file.parent().unwrap().to_owned())
        .collect()
}

/// The path of the compiled action program. It is compiled again only if its source has
/// changed.
fn compiled_actions(linking: Linking) -> PathBuf {
    static COMPILING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sandbox/actions.c");
    let (name, options): (_, &[_]) = match linking {
        Linking::Dynamic => ("actions", &[]),
        Linking::Static => ("actions-static", &["-static"]),
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    if changed(&program) < changed(&source) {
        compile(&source, &program, options);
    }
    program
}

fn compile(source: &Path, program: &Path, options: &[&str]) {
    // Renamed at the end, so that no other test binary finds an incomplete program.
    let temporary = program.with_extension(std::process::id().to_string());
    let mut command = Command::new("cc");
    let status = command
        .args(["-O0", "-pthread"])
        .args(options)
        .arg("-o")
        .arg(&temporary)
        .arg(source)
        .status();
    let status = status
        .expect("these tests need a C compiler named `cc`: install gcc (Debian: apt install gcc)");
    assert!(
        status.success(),
        "`cc` failed on {} with {options:?}: is there a static libc?",
        source.display()
    );
    fs::rename(temporary, program).unwrap();
}
