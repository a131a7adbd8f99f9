//! Runs malicious programs in the sandbox: each of `hostile/*.c` as the user of the
//! test, as an ordinary user, and inside a user namespace. The programs take turns at
//! the levels that are available on this machine; with `GRIDJUDGE_EXHAUSTIVE=1` each
//! runs at each of them. The first comment of a program says which outcomes it may
//! have.
//!
//! A failure that a busy machine may have caused (a program that was late, or measured
//! too large, a run that could not be set up) is repeated with nothing else running,
//! and counts if it persists. A hole, a wrong exit code and a process that is left
//! behind count at once.
//!
//! `GRIDJUDGE_HOSTILE` names a folder of programs compiled elsewhere,
//! `GRIDJUDGE_LAUNCHER` another binary to test, `GRIDJUDGE_LEVELS` the levels that must
//! be available (`full,user,basic`), and `GRIDJUDGE_TABLE` a file that the table of all
//! outcomes is appended to.

mod corpus;
mod sandboxes;
mod suite;

use std::fs;
use std::os::unix;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gridjudge_sandbox::IsolationLevel;
use rustix::process::geteuid;

use sandboxes::{AttackTarget, SandboxSet, WallTime};
use suite::HostileSuite;

/// The test that other tests run again as another user.
const MAIN_TEST: &str = "programs::no_program_does_more_than_its_level_allows";

/// The test that runs itself again as an ordinary user.
const OLD_LANDLOCK_TEST: &str =
    "programs::no_program_does_more_with_the_landlock_of_linux_6_1";

/// The prefix that runs a command as a user who owns nothing. As after a login, the
/// primary group is also a supplementary one.
const NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--groups=65534",
];

/// The number of runs whose figures must stay the same, and how many of them are
/// compared with those of a fresh sandbox.
const ROUNDS: usize = 200;
const COMPARED: usize = 20;

/// Lets these tests run one at a time: they watch the whole machine and measure time.
fn exclusive() -> MutexGuard<'static, ()> {
    static EXCLUSIVE: Mutex<()> = Mutex::new(());
    EXCLUSIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Levels without which the test must fail.
fn required() -> Vec<String> {
    let levels = std::env::var("GRIDJUDGE_LEVELS").unwrap_or_default();
    levels
        .split(',')
        .filter(|level| !level.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_program_does_more_than_its_level_allows() {
    let _exclusive = exclusive();
    let programs = corpus::programs();
    let compiled = corpus::compiled(&programs);
    let target = AttackTarget::new();
    let mut levels = vec![];
    for level in IsolationLevel::ALL {
        match SandboxSet::open(level, 1, &compiled, &target) {
            Ok(_) => levels.push(level),
            Err(fault) => {
                println!("level {level} is not available here: {fault}");
                assert!(
                    !required().contains(&level.name().to_owned()),
                    "level {level}: {fault}"
                );
            }
        }
    }
    let suite = HostileSuite::new(&programs, levels);
    suite.run(&compiled, &target);
    let is_namespace = !fs::read_to_string("/proc/self/uid_map")
        .is_ok_and(|map| map.trim_end().ends_with("4294967295"));
    assert!(suite.has_levels() || is_namespace, "no level is available");
    suite.report();
}

#[test]
fn no_program_does_more_if_the_judge_is_an_ordinary_user() {
    let _exclusive = exclusive();
    if geteuid().is_root() {
        let levels: Vec<_> = required()
            .into_iter()
            .filter(|level| level != IsolationLevel::Full.name())
            .collect();
        run_again_as(&NOBODY, MAIN_TEST, &levels);
    } else {
        println!("skipped: the judge is an ordinary user already");
    }
}

#[test]
fn no_program_does_more_inside_a_user_namespace() {
    let _exclusive = exclusive();
    let namespace = ["unshare", "--map-root-user"];
    let prefix = if geteuid().is_root() {
        [&NOBODY[..], &namespace].concat()
    } else {
        namespace.to_vec()
    };
    let possible = Command::new(prefix[0])
        .args(&prefix[1..])
        .arg("true")
        .output();
    if possible.is_ok_and(|output| output.status.success()) {
        run_again_as(&prefix, MAIN_TEST, &[]);
    } else {
        println!(
            "skipped: there is no `unshare`, or no user namespace for ordinary users"
        );
    }
}

/// That Landlock has no rule about truncating files by their paths.
#[test]
fn no_program_does_more_with_the_landlock_of_linux_6_1() {
    let _exclusive = exclusive();
    if geteuid().is_root() {
        return run_again_as(&NOBODY, OLD_LANDLOCK_TEST, &[]);
    }
    let programs = corpus::programs();
    let compiled = corpus::compiled(&programs);
    let target = AttackTarget::new();
    let sandboxes =
        SandboxSet::open_with(IsolationLevel::Basic, 1, &compiled, &target, 2)
            .unwrap();
    for name in ["cuts_files", "writes_anywhere", "forges_verdicts"] {
        let run = sandboxes.run(&programs[name], &[], WallTime::Extended);
        assert_eq!(run.outcome, "AC", "{name}: {}", run.details);
    }
}

/// Runs a test of this binary again, with a command prefix, from a folder that every
/// user can read. Inside a user namespace, where the judge is root with few rights, it
/// may refuse to start at every level.
fn run_again_as(prefix: &[&str], test_name: &str, levels: &[String]) {
    if Command::new(prefix[0]).arg("--version").output().is_err() {
        println!(
            "skipped: there is no `{}` (Debian: apt install util-linux)",
            prefix[0]
        );
        return;
    }
    let programs = corpus::programs();
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("hostile");
    let temporary = folder.path().join("tmp");
    let test = folder.path().join("test");
    let launcher = folder.path().join("launcher");
    copy(&corpus::compiled(&programs), &hostile);
    if geteuid().is_root() {
        // Only the owner of a file may link to it.
        for program in fs::read_dir(&hostile).unwrap() {
            unix::fs::chown(program.unwrap().path(), Some(65534), None).unwrap();
        }
    }
    copy(&std::env::current_exe().unwrap(), &test);
    copy(&sandboxes::launcher(), &launcher);
    fs::create_dir(&temporary).unwrap();
    for (path, mode) in [(folder.path(), 0o755), (&temporary, 0o1777)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut retried = Command::new(prefix[0]);
    retried
        .args(&prefix[1..])
        .arg(&test)
        .args(["--exact", test_name, "--nocapture"]);
    retried
        .env("GRIDJUDGE_HOSTILE", hostile)
        .env("GRIDJUDGE_LAUNCHER", launcher);
    let table = temporary.join("table.md");
    retried
        .env("TMPDIR", &temporary)
        .env("GRIDJUDGE_TABLE", &table);
    retried
        .env("GRIDJUDGE_LEVELS", levels.join(","))
        .current_dir("/");
    let Output {
        status,
        stdout,
        stderr,
    } = retried.output().unwrap();
    suite::append_to_table(&fs::read_to_string(table).unwrap_or_default());
    let stdout = String::from_utf8_lossy(&stdout);
    let stderr = String::from_utf8_lossy(&stderr);
    // The mismatches are on standard error, which comes first.
    assert!(
        status.success(),
        "run with `{}`:\n{stderr}\n{stdout}",
        prefix.join(" ")
    );
    assert!(
        stdout.contains("\nrunning 1 test\n"),
        "there is no test {test_name}"
    );
    println!("{stdout}");
}

fn copy(from: &Path, to: &Path) {
    assert!(
        Command::new("cp")
            .arg("-r")
            .arg(from)
            .arg(to)
            .status()
            .unwrap()
            .success()
    );
}

/// Otherwise a refusal would prove nothing: the attack might not work anywhere.
#[test]
fn without_a_sandbox_the_attacks_succeed() {
    let _exclusive = exclusive();
    let programs = corpus::programs();
    let compiled = corpus::compiled(&programs);
    let able = programs
        .values()
        .filter(|program| program.succeeds_unconfined);
    let failed = able.filter_map(|program| {
        // A fresh folder for each, because a program may destroy what the next one
        // wants to read.
        let (code, output) = AttackTarget::new().unconfined(&compiled, &program.name);
        (code != Some(1) || !output.contains("hole: "))
            .then(|| format!("{}: {code:?} {output}", program.name))
    });
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n"));
}

#[test]
fn the_figures_of_two_hundred_identical_runs_do_not_drift() {
    let _exclusive = exclusive();
    let programs = corpus::programs();
    let compiled = corpus::compiled(&programs);
    let target = AttackTarget::new();
    let steady = &programs["steady"];
    for level in IsolationLevel::ALL {
        let Ok(used) = SandboxSet::open(level, 1, &compiled, &target) else {
            continue;
        };
        let mut peaks: Vec<_> =
            (COMPARED..ROUNDS).map(|_| used.measure(steady).1).collect();
        // Alternating, so that a machine that becomes busier slows both down.
        let fresh = SandboxSet::open(level, 1, &compiled, &target).unwrap();
        let pairs =
            (0..COMPARED).map(|_| (used.measure(steady), fresh.measure(steady)));
        let (last, others): (Vec<_>, Vec<_>) = pairs.unzip();
        peaks.extend(last.iter().map(|figures| figures.1));
        let least = peaks.iter().min().unwrap();
        let most = peaks.iter().max().unwrap();
        assert!(
            most - least <= 1 << 20,
            "level {level}: peaks from {least} to {most}"
        );
        let first = median(&peaks[..ROUNDS / 2]);
        let second = median(&peaks[ROUNDS / 2..]);
        // The kernel counts in batches of 64 pages for each processor, so figures
        // depend on the processor of a run.
        assert!(
            second <= first + (256 << 10),
            "level {level}: a peak of {first} became {second}"
        );
        let used = lower_quartile(&last);
        let fresh = lower_quartile(&others);
        assert!(
            used <= fresh * 3 / 2,
            "level {level}: {used:?}, and in a fresh sandbox {fresh:?}"
        );
    }
}

/// The median.
fn median(figures: &[u64]) -> u64 {
    let mut figures = figures.to_vec();
    figures.sort_unstable();
    figures[figures.len() / 2]
}

/// The lower quartile of CPU times, which other work on the machine changes least.
fn lower_quartile(figures: &[(Duration, u64)]) -> Duration {
    let mut times: Vec<_> = figures.iter().map(|figures| figures.0).collect();
    times.sort_unstable();
    times[times.len() / 4]
}
