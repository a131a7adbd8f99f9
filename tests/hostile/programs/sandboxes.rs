//! Runs hostile programs in a sandbox of one level, next to everything that they could
//! try to read or change. The environment of the programs says where that is. Start at
//! [`SandboxSet::run`].

use std::fs;
use std::io::Read;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use gridjudge::model::{Trial, Verdict, verdict_of_breach};
use gridjudge_sandbox::{
    Exit, Fault, Input, IsolationLevel, Launch, LevelChoice, Limits, LinuxSandbox,
    Role, Run, Sandbox, ScratchFiles,
};
use tempfile::TempDir;

use super::corpus::Program;
use crate::judge::share::Turn;
use crate::judge::{self, processes};

/// An environment variable of every run, by which processes that are left of it can be
/// found.
const MARK: &str = "HOSTILE_MARK";

/// The input of the honest program, and the output that it must print.
const NUMBERS: &str = "17\n4\n21\n";
const SUM: &str = "42\n";

/// What hostile programs try to read or change, in a folder like a judge's.
pub(crate) struct AttackTarget {
    folder: TempDir,
    /// Servers on this machine that programs might reach.
    tcp: TcpListener,
    udp: UdpSocket,
}

impl AttackTarget {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Every user may read all of it, so that only the sandbox can keep a run from
        // it.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .unwrap();
        let target = Self {
            folder,
            tcp: TcpListener::bind("127.0.0.1:0").unwrap(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
        };
        fs::create_dir(target.path("cases")).unwrap();
        fs::create_dir(target.path("work")).unwrap();
        fs::create_dir(target.path("cache")).unwrap();
        fs::write(target.path("cache/trials-0"), "a verdict\n").unwrap();
        fs::write(target.path("cases/1.in"), NUMBERS).unwrap();
        fs::write(target.path("cases/1.ans"), SUM).unwrap();
        fs::write(target.path("judge.toml"), "").unwrap();
        target
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The environment of each run, with everything that an attacker could know.
    fn environment(
        &self,
        mark: &str,
        programs: &Path,
        launcher: u32,
    ) -> Vec<(String, String)> {
        let priority = rustix::process::getpriority_process(None).unwrap_or(0);
        let environment = [
            ("PATH", "/usr/bin:/bin".to_owned()),
            (MARK, mark.to_owned()),
            ("INPUT", self.path("cases/1.in").display().to_string()),
            ("ANSWER", self.path("cases/1.ans").display().to_string()),
            ("CACHE", self.path("cache").display().to_string()),
            ("CONFIG", self.path("judge.toml").display().to_string()),
            ("PROGRAMS", programs.display().to_string()),
            ("JUDGE", std::process::id().to_string()),
            ("LAUNCHER", launcher.to_string()),
            ("TCP", self.tcp.local_addr().unwrap().port().to_string()),
            ("UDP", self.udp.local_addr().unwrap().port().to_string()),
            ("PRIORITY", priority.to_string()),
            ("GROUPS", remaining_groups()),
        ];
        environment
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }

    /// Runs a program without any sandbox. Returns its exit code and the start of its
    /// output.
    pub(crate) fn unconfined(
        &self,
        programs: &Path,
        name: &str,
    ) -> (Option<i32>, String) {
        let output = fs::File::create_new(self.path(&format!("{name}.out"))).unwrap();
        // The program attacks this process in place of the judge, which is the test
        // itself.
        let mut victim = Command::new(programs.join("sleeps")).spawn().unwrap();
        let status = Command::new(programs.join(name))
            .env_clear()
            .envs(self.environment("none", programs, victim.id()))
            .env("JUDGE", victim.id().to_string())
            .current_dir(self.path("work"))
            .stdin(fs::File::open(self.path("cases/1.in")).unwrap())
            .stdout(output)
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        victim.kill().unwrap();
        victim.wait().unwrap();
        // Some programs write very large outputs.
        let mut start = vec![];
        let output = fs::File::open(self.path(&format!("{name}.out"))).unwrap();
        output.take(4096).read_to_end(&mut start).unwrap();
        (status.code(), String::from_utf8_lossy(&start).into_owned())
    }
}

/// The supplementary groups that a judge with this process's rights cannot take from
/// its runs, separated by commas. Empty if it may change them; otherwise its own
/// groups. One of those may have the number of root's group and be an ordinary one:
/// inside `unshare --map-root-user` that is the group of the caller.
fn remaining_groups() -> String {
    let may_drop = rustix::process::geteuid().is_root()
        && fs::read_to_string("/proc/self/setgroups")
            .is_ok_and(|word| word.trim() == "allow");
    if may_drop {
        return String::new();
    }
    let own = rustix::process::getgroups().unwrap();
    // In a user namespace the primary group has the number of the first submission's
    // group, and all others have the number of unmapped groups.
    let renamed = ["60001", "65534"].map(str::to_owned);
    own.iter()
        .map(|group| group.as_raw().to_string())
        .chain(renamed)
        .collect::<Vec<_>>()
        .join(",")
}

/// The longest time that killed processes may need to end on a busy machine.
const MAX_EXIT_TIME: Duration = Duration::from_secs(5);

/// The greatest number of bytes of an output that a message quotes.
const MAX_QUOTED_BYTES: usize = 300;

/// The result of a run.
pub(crate) struct HostileRun {
    /// As [`outcome`] writes it, or `fault`.
    pub(crate) outcome: String,
    /// The exit, the usage and the output of the run, for messages.
    pub(crate) details: String,
    /// The start of its output.
    pub(crate) output: String,
    /// Violations of the bounds of its program, or of all programs.
    pub(crate) failures: Vec<Failure>,
}

/// The wall time that runs get.
#[derive(Clone, Copy)]
pub(crate) enum WallTime {
    /// As much as their limits say.
    Default,
    /// Many times that, for a busy machine.
    Extended,
}

impl WallTime {
    fn scaled(self, wall: Duration) -> Duration {
        match self {
            Self::Default => wall,
            Self::Extended => wall * 10,
        }
    }
}

/// A failure of a test, with its description.
#[derive(Clone)]
pub(crate) enum Failure {
    /// A failure on any machine.
    Certain(String),
    /// A failure that a busy machine may have caused.
    Uncertain(String),
}

impl Failure {
    pub(crate) fn is_uncertain(&self) -> bool {
        matches!(self, Self::Uncertain(_))
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Certain(text) | Self::Uncertain(text) => text,
        }
    }
}

/// Gives a sandbox all programs: as links, like a judge whose slots share what it
/// compiled, or as copies if links cannot be made, because they would lead to another
/// disk or to files of others.
///
/// Another process copies them: a file that we wrote ourselves could still be open for
/// writing in a process that another thread is starting, and could then not be
/// executed.
fn give_programs(compiled: &Path, place: &Path) {
    let is_done = ["-rl", "-r"].iter().any(|how| {
        let mut command = Command::new("cp");
        command.arg(how).arg(compiled.join(".")).arg(place);
        command.output().unwrap().status.success()
    });
    assert!(is_done);
}

/// A sandbox with all hostile programs in it.
pub(crate) struct SandboxSet<'a> {
    sandbox: LinuxSandbox,
    /// The name of the level in expectations, as `corpus` lists them.
    pub(crate) level_name: &'static str,
    target: &'a AttackTarget,
    mark: String,
    /// Which runs of a sweep are this level's.
    pub(crate) turn: Turn,
}

impl<'a> SandboxSet<'a> {
    /// Starts a sandbox of a level.
    ///
    /// # Errors
    /// The reason if this level is not available here.
    pub(crate) fn open(
        level: IsolationLevel,
        slots: usize,
        compiled: &Path,
        target: &'a AttackTarget,
    ) -> Result<Self, Fault> {
        Self::open_with(level, slots, compiled, target, u32::MAX)
    }

    /// Starts a sandbox as if the kernel's Landlock were no newer than this version.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(crate) fn open_with(
        level: IsolationLevel,
        slots: usize,
        compiled: &Path,
        target: &'a AttackTarget,
        landlock: u32,
    ) -> Result<Self, Fault> {
        let sandbox = LinuxSandbox::start_with(
            &launcher(),
            slots,
            LevelChoice::Only(level),
            landlock,
        )?;
        give_programs(compiled, &sandbox.programs());
        let level_name = match level {
            IsolationLevel::Basic if !sandbox.guarantees().own_user => "shared",
            level => level.name(),
        };
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let mark = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        Ok(Self {
            sandbox,
            level_name,
            target,
            mark,
            turn: Turn {
                column: 0,
                columns: 1,
            },
        })
    }

    pub(crate) fn with_turn(self, turn: Turn) -> Self {
        Self { turn, ..self }
    }

    /// Whether only a newer kernel would refuse what the program tries at this level.
    pub(crate) fn lacks_landlock_for(&self, program: &Program) -> bool {
        matches!(self.level_name, "basic" | "shared")
            && self.sandbox.guarantees().landlock < program.landlock
    }

    fn launch(&self, name: &str, arguments: &[String]) -> Launch {
        let programs = self.sandbox.programs();
        let launcher = self.sandbox.launcher_ids().first().copied().unwrap_or(0);
        let program = programs.join(name).to_str().unwrap().to_owned();
        Launch {
            command: [&[program], arguments].concat(),
            environment: self.target.environment(&self.mark, &programs, launcher),
            input: Input::CopyOf(self.target.path("cases/1.in")),
            readable: vec![],
            role: Role::Submission,
            scratch: ScratchFiles::default(),
        }
    }

    /// Runs a program as the judge does: again if it may have hidden too much memory,
    /// until that is certain.
    pub(crate) fn run(
        &self,
        program: &Program,
        arguments: &[String],
        wall_time: WallTime,
    ) -> HostileRun {
        let limits = Limits {
            wall: wall_time.scaled(program.limits.wall),
            ..program.limits
        };
        match self.run_until_certain(&self.launch(&program.name, arguments), &limits)
        {
            Ok(run) => HostileRun::of(run, program, &limits),
            Err(fault) => {
                let details = format!("fault: {fault}");
                HostileRun {
                    outcome: "fault".to_owned(),
                    details,
                    output: String::new(),
                    failures: vec![],
                }
            }
        }
    }

    fn run_until_certain(
        &self,
        launch: &Launch,
        limits: &Limits,
    ) -> Result<Run, Fault> {
        let mut run = self.sandbox.run(launch, limits)?;
        if !may_hide_too_much(&run, limits) {
            return Ok(run);
        }
        let followed = Limits {
            frequent_samples: true,
            ..limits.clone()
        };
        let trial = |run: &Run| {
            let breach = verdict_of_breach(run, limits);
            Trial::new(breach.unwrap_or(Verdict::Accepted), run.exit, run.usage)
        };
        let (settled, _) = trial(&run).settled(limits, || {
            run = self.sandbox.run(launch, &followed)?;
            Ok::<_, Fault>(trial(&run))
        })?;
        run.usage = settled.usage;
        Ok(run)
    }

    /// Checks what runs left behind: there must be no processes, and the honest program
    /// must not be disturbed.
    pub(crate) fn check_leftovers(
        &self,
        honest: &Program,
        wall_time: WallTime,
    ) -> Vec<Failure> {
        let mut failures = vec![];
        for launcher in self.sandbox.launcher_ids() {
            if let left @ 1.. = count_after_exit(|| living_children(launcher)) {
                failures.push(Failure::Certain(format!(
                    "{left} processes are left to the launcher"
                )));
            }
        }
        if let left @ 1.. = count_after_exit(|| marked_processes(&self.mark)) {
            failures.push(Failure::Certain(format!(
                "{left} processes are left with its mark"
            )));
        }
        let run = self.run(honest, &[], wall_time);
        let prefix = "the honest run after it";
        if run.outcome == "AC" && run.output != SUM {
            failures.push(Failure::Certain(format!(
                "{prefix} is wrong: {}",
                run.details
            )));
        } else if run.outcome != "AC" {
            failures.push(
                run.failure(format!("{prefix} is {}: {}", run.outcome, run.details)),
            );
        }
        failures.extend(run.failures.into_iter().map(|failure| match failure {
            Failure::Certain(text) => Failure::Certain(format!("{prefix}: {text}")),
            Failure::Uncertain(text) => {
                Failure::Uncertain(format!("{prefix}: {text}"))
            }
        }));
        failures
    }

    /// CPU time and peak memory in bytes of one run, which must be accepted.
    pub(crate) fn measure(&self, program: &Program) -> (Duration, u64) {
        let run = self
            .sandbox
            .run(&self.launch(&program.name, &[]), &program.limits)
            .unwrap();
        assert_eq!(verdict_of_breach(&run, &program.limits), None, "{run:?}");
        (run.usage.cpu, run.usage.peak_memory_bytes)
    }
}

impl HostileRun {
    fn of(mut run: Run, program: &Program, limits: &Limits) -> Self {
        let mut bytes = vec![];
        let mut failures = vec![];
        let read = run.stdout.read_to_end(&mut bytes);
        let details = details(&run, &bytes);
        if read.is_err() || bytes.len() as u64 != run.stdout_bytes {
            failures.push(Failure::Certain(format!(
                "its output cannot be read in full: {details}"
            )));
        }
        if run.stdout_bytes.max(run.stderr_bytes) > program.limits.output_bytes + 1 {
            failures.push(Failure::Certain(format!(
                "more output than the limit: {details}"
            )));
        }
        let usage = run.usage;
        if usage.cpu > program.max_cpu
            || !(program.min_memory_bytes..=program.max_memory_bytes)
                .contains(&usage.peak_memory_bytes)
        {
            failures.push(Failure::Uncertain(format!(
                "its figures are out of bounds: {usage:?}"
            )));
        }
        let output =
            String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned();
        Self {
            outcome: outcome(&run, limits),
            details,
            output,
            failures,
        }
    }

    /// The failure if the outcome is not the expected one. A busy machine may make a
    /// program late or large, or a run fail; it does not cause a crash, an exit code or
    /// a hole.
    pub(crate) fn failure(&self, text: String) -> Failure {
        let is_crash =
            self.outcome.starts_with("RE") || self.output.contains("hole: ");
        if is_crash {
            Failure::Certain(text)
        } else {
            Failure::Uncertain(text)
        }
    }
}

/// How a run ended, in one line.
fn details(run: &Run, output: &[u8]) -> String {
    let start =
        String::from_utf8_lossy(&output[..output.len().min(MAX_QUOTED_BYTES)]);
    let end = String::from_utf8_lossy(
        &run.stderr_tail[run.stderr_tail.len().saturating_sub(MAX_QUOTED_BYTES)..],
    );
    format!(
        "{}, {:?}{}, output of {} bytes {start:?}, errors of {} bytes {end:?}",
        run.exit,
        run.usage,
        if run.out_of_memory {
            ", out of memory"
        } else {
            ""
        },
        run.stdout_bytes,
        run.stderr_bytes,
    )
}

/// The number that `count` returns after killed processes have had time to end.
fn count_after_exit(count: impl Fn() -> usize) -> usize {
    let start = Instant::now();
    loop {
        match count() {
            0 => return 0,
            left if start.elapsed() > MAX_EXIT_TIME => return left,
            _ => judge::pause(),
        }
    }
}

fn may_hide_too_much(run: &Run, limits: &Limits) -> bool {
    let possible_bytes = run
        .usage
        .peak_memory_bytes
        .saturating_add(run.usage.hidden_memory_bytes);
    possible_bytes > limits.memory_bytes
        && verdict_of_breach(run, limits) != Some(Verdict::MemoryLimit)
}

/// `AC` for a run that kept all limits and exited with 0, else the verdict's code; a
/// runtime error with its exit code or signal, as `RE:7` or `RE:SIGSEGV`.
pub(crate) fn outcome(run: &Run, limits: &Limits) -> String {
    match (verdict_of_breach(run, limits), run.exit) {
        (None, _) => "AC".to_owned(),
        (Some(Verdict::RuntimeError), Exit::Code(code)) => format!("RE:{code}"),
        (Some(Verdict::RuntimeError), signal @ Exit::Signal(_)) => {
            format!("RE:{signal}")
        }
        (Some(verdict), _) => verdict.code().to_owned(),
    }
}

/// The binary that contains the launcher.
pub(crate) fn launcher() -> PathBuf {
    std::env::var_os("GRIDJUDGE_LAUNCHER")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_gridjudge").into())
        .into()
}

/// The number of living children of a launcher, without the inits of its runs. It reaps
/// an init that has ended only later, so zombies do not count.
fn living_children(launcher: u32) -> usize {
    processes::children(launcher)
        .into_iter()
        .filter(|process| {
            !processes::is_dead(*process) && !processes::is_init(*process)
        })
        .count()
}

/// The number of processes that have this mark in their environment, as far as we may
/// read that.
fn marked_processes(mark: &str) -> usize {
    let mark = format!("{MARK}={mark}\0");
    processes::all()
        .filter_map(|process| fs::read(format!("/proc/{process}/environ")).ok())
        .filter(|environment| {
            environment
                .windows(mark.len())
                .any(|window| window == mark.as_bytes())
        })
        .count()
}
