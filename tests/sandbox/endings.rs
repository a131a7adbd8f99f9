//! What is left when a sandbox, a launcher or a judge is gone, and what is said when a level cannot be had.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::IsolationLevel;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::LevelChoice;
use gridjudge_sandbox::LinuxSandbox;
use gridjudge_sandbox::Sandbox;

use crate::stage;
use crate::stage::Reading;
use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::limits;

#[test]
fn closing_ends_a_sleeping_run_and_all_to_come() {
    at_every_level(1, |stage| {
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stage.sandbox.run(&stage.act(&["nap"]), &limits()));
            stage.wait_for_a_run();
            stage.sandbox.close();
            assert_eq!(run.join().unwrap().unwrap_err().cause, "interrupted");
        });
        assert_eq!(stage.fault(&stage.act(&["nothing"])).cause, "interrupted");
    });
}

#[test]
fn a_run_whose_launcher_is_killed_is_made_again() {
    at_every_level(1, |stage| {
        let launcher = stage.sandbox.launcher_ids()[0];
        let folder = stage.folder("changing");
        let script = format!("[ -e {folder}/changed ] || exec sleep 1000");
        let command = ["/bin/sh", "-c", &script].map(str::to_owned).to_vec();
        let launch = Launch { command, ..stage::nothing() }.allowed(&folder);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stage.run_within(&launch, &limits()));
            let sleeps = |process: &u32| stage::command_line(*process).starts_with("sleep");
            stage::wait_until(|| stage::runs_below(launcher).iter().any(sleeps));
            std::fs::write(format!("{folder}/changed"), "").unwrap();
            stage::kill(launcher);
            assert_eq!(run.join().unwrap().exit, Exit::Code(0));
        });
    });
}

#[test]
fn a_run_that_no_launcher_survives_is_a_fault_and_the_next_run_works() {
    at_every_level(1, |stage| {
        let nap = stage.act(&["nap"]);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stage.sandbox.run(&nap, &limits()));
            while !run.is_finished() {
                // The parent of what runs this program, which stands in a folder of this sandbox alone.
                let napping = stage::processes().filter(|process| {
                    !stage::is_dead(*process) && stage::command_line(*process).starts_with(&nap.command[0])
                });
                // Whose launcher is dead already may have a stranger for a parent.
                let is_launcher = |process: &u32| stage::command_line(*process).contains("__launcher");
                let launcher = napping.filter_map(stage::parent).find(is_launcher);
                launcher.into_iter().for_each(stage::kill);
                std::thread::yield_now();
            }
            let fault = run.join().unwrap().unwrap_err();
            assert!(fault.cause.contains("its launcher ended before it did"), "{fault}");
        });
        assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_launcher_that_died_idle_is_replaced_unnoticed() {
    at_every_level(1, |stage| {
        stage::kill(stage.sandbox.launcher_ids()[0]);
        assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn nothing_outlives_a_killed_launcher_that_has_a_namespace_or_a_user_of_its_own() {
    at_every_level(1, |stage| {
        if !stage.is_contained() && !stage.sandbox.guarantees().own_user {
            return;
        }
        let launcher = stage.sandbox.launcher_ids()[0];
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stage.sandbox.run(&stage.act(&["sleep_with_orphan"]), &limits()));
            stage::wait_until(|| stage::runs_below(launcher).len() == 2);
            let descendants = stage::runs_below(launcher);
            stage::kill(launcher);
            stage::wait_until(|| descendants.iter().all(|process| stage::is_dead(*process)));
            // It is being made again by another launcher.
            stage.sandbox.close();
            assert!(run.join().unwrap().is_err());
        });
    });
}

#[test]
fn no_group_outlives_a_sandbox_whose_launcher_was_killed_a_moment_before() {
    // Whoever dies with it takes a moment.
    for _ in 0..5 {
        at_every_level(1, |stage| {
            let launcher = stage.sandbox.launcher_ids()[0];
            let groups = stage::groups_of(launcher);
            stage.run(&["nothing"]);
            stage::kill(launcher);
            drop(stage);
            let left: Vec<_> = groups.iter().filter(|group| group.exists()).collect();
            assert!(left.is_empty(), "{left:?}");
        });
    }
}

#[test]
fn an_older_kernel_kills_one_by_one_and_still_leaves_nothing() {
    for version in [0, 1, 3, 5] {
        let stage = Stage::with_landlock(IsolationLevel::Basic, version);
        assert!(!stage.sandbox.guarantees().atomic_kill);
        assert!(!stage.sandbox.guarantees().notes().is_empty());
        for act in ["leave_orphan", "bomb", "run_away"] {
            let mut limits = limits();
            limits.processes = 20;
            limits.cpu = Duration::from_millis(200);
            stage.run_within(&stage.act(&[act]), &limits);
            stage.nothing_is_left();
        }
    }
}

#[test]
fn no_process_mount_group_or_folder_outlives_the_sandbox() {
    at_every_level(2, |stage| {
        for act in ["litter", "leave_orphan"] {
            stage.run(&[act]);
        }
        let launchers = stage.sandbox.launcher_ids();
        let groups: Vec<_> = launchers.iter().flat_map(|launcher| stage::groups_of(*launcher)).collect();
        assert_eq!(groups.is_empty(), !stage.counts_trees());
        let folder = stage.sandbox.folder().to_owned();
        assert!(folder.exists());
        drop(stage);
        assert!(!folder.exists());
        assert!(launchers.iter().all(|launcher| !Path::new("/proc").join(launcher.to_string()).exists()));
        // Each with the judge's, which is around it.
        let left: Vec<_> = groups
            .iter()
            .flat_map(|group| [group, group.parent().unwrap()])
            .filter(|group| group.exists())
            .collect();
        assert!(left.is_empty(), "{left:?}");
        // Roots are mounted where only launchers see them.
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
        let left = mounts.lines().find(|line| line.contains(folder.to_str().unwrap()));
        assert_eq!((left, mounts.contains(" - tmpfs gridjudge ")), (None, false));
    });
}

#[test]
fn a_level_that_cannot_be_had_says_why_and_what_to_do() {
    let best = LinuxSandbox::start(stage::launcher(), 1, LevelChoice::Best).unwrap();
    for (level, fault) in best.declined() {
        assert!(fault.remedy.is_some(), "{level}: {fault}");
    }
    let Err(fault) = LinuxSandbox::start(stage::launcher(), 1, LevelChoice::Only(IsolationLevel::Full))
    else {
        return;
    };
    if !rustix::process::geteuid().is_root() {
        assert_eq!(fault.to_string(), "setting up level full: the judge is not root");
    }
}

#[test]
fn level_full_is_refused_to_nobody_with_a_remedy() {
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(place.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let judge = place.path().join("judge");
    stage::copy(stage::launcher(), &judge);
    let mut command = Command::new(judge);
    command.args(["doctor", "--sandbox", "full"]).current_dir(place.path());
    if rustix::process::geteuid().is_root() && stage::levels().contains(&IsolationLevel::Full) {
        command.uid(65534).gid(65534);
    }
    if stage::levels().contains(&IsolationLevel::Full) || !rustix::process::geteuid().is_root() {
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("the judge is not root"), "{told}");
        assert!(told.contains("run it as root"), "{told}");
        assert_eq!(output.status.code(), Some(3));
    }
}
