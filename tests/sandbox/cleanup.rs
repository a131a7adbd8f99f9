//! What is left after a sandbox, a launcher or a judge has ended, and the messages
//! about levels that are not available.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gridjudge_sandbox::{
    Exit, InteractionRequest, IsolationLevel, Launch, LevelChoice, LinuxSandbox,
    Party, Role, Sandbox, StopSwitch,
};

use crate::fixture::{Fixture, LaunchExt, at_every_level, limits};
use crate::{fixture, processes};

#[test]
fn closing_a_sandbox_ends_the_current_run_and_refuses_later_ones() {
    at_every_level(1, |fixture| {
        std::thread::scope(|scope| {
            let run = scope.spawn(|| {
                fixture
                    .sandbox
                    .run(&fixture.action(&["sleep_forever"]), &limits())
            });
            fixture.wait_for_a_run();
            fixture.sandbox.close();
            assert_eq!(run.join().unwrap().unwrap_err().cause, "interrupted");
        });
        assert_eq!(
            fixture.fault(&fixture.action(&["do_nothing"])).cause,
            "interrupted"
        );
    });
}

#[test]
fn a_switch_ends_the_run_that_it_is_connected_to_and_no_other() {
    at_every_level(1, |fixture| {
        let stop = StopSwitch::default();
        let run = |action: &str| {
            let launch = fixture.action(&[action]);
            fixture.sandbox.run_until(&launch, &limits(), &stop)
        };
        assert_eq!(run("do_nothing").unwrap().exit, Exit::Code(0));
        std::thread::scope(|scope| {
            let ended = scope.spawn(|| run("sleep_forever"));
            fixture.wait_for_a_run();
            stop.throw();
            assert_eq!(ended.join().unwrap().unwrap().exit, Exit::Signal(9));
        });
        // It stays thrown.
        assert_eq!(run("sleep_forever").unwrap().exit, Exit::Signal(9));
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_switch_ends_both_sides_of_an_interaction() {
    at_every_level(2, |fixture| {
        let stop = StopSwitch::default();
        let submission = fixture.action(&["sleep_forever"]);
        let command = ["/bin/sh", "-c", "cat >/dev/null"].map(str::to_owned);
        let interactor = Launch {
            command: command.to_vec(),
            ..fixture::empty_launch()
        };
        let limits = limits();
        std::thread::scope(|scope| {
            let ended = scope.spawn(|| {
                let party = |launch| Party {
                    launch,
                    limits: &limits,
                };
                fixture.sandbox.interact(InteractionRequest {
                    submission: party(&submission),
                    interactor: party(&interactor),
                    lets_finish: &|_, _| true,
                    listener: None,
                    stop: Some(&stop),
                })
            });
            fixture.wait_for_a_run();
            stop.throw();
            let ended = ended.join().unwrap().unwrap();
            assert_eq!(ended.submission.exit, Exit::Signal(9));
        });
    });
}

#[test]
fn a_run_whose_launcher_is_killed_is_repeated() {
    at_every_level(1, |fixture| {
        let launcher = fixture.sandbox.launcher_ids()[0];
        let folder = fixture.folder("changing");
        let script = format!("[ -e {folder}/changed ] || exec sleep 1000");
        let command = ["/bin/sh", "-c", &script].map(str::to_owned).to_vec();
        let launch = Launch {
            command,
            ..fixture::empty_launch()
        }
        .with_readable(&folder);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| fixture.run_within(&launch, &limits()));
            fixture::wait_until(|| {
                fixture::runs_below(launcher).iter().any(|process| {
                    processes::command_line(*process).starts_with("sleep")
                })
            });
            std::fs::write(format!("{folder}/changed"), "").unwrap();
            fixture::kill(launcher);
            assert_eq!(run.join().unwrap().exit, Exit::Code(0));
        });
    });
}

/// It may have changed its folder: the caller begins again with another one.
#[test]
fn a_judging_program_whose_launcher_is_killed_is_not_run_again_in_its_folder() {
    at_every_level(1, |fixture| {
        let launcher = fixture.sandbox.launcher_ids()[0];
        let folder = fixture.folder("feedback");
        let command = ["/bin/sh", "-c", "echo run >> count; exec sleep 1000"]
            .map(str::to_owned)
            .to_vec();
        let role = Role::Checker {
            folder: folder.clone().into(),
        };
        let launch = Launch {
            command,
            role,
            ..fixture::empty_launch()
        };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| fixture.sandbox.run(&launch, &limits()));
            fixture::wait_until(|| {
                fixture::runs_below(launcher).iter().any(|process| {
                    processes::command_line(*process).starts_with("sleep")
                })
            });
            fixture::kill(launcher);
            let fault = run.join().unwrap().unwrap_err();
            assert!(fault.lost_run, "{fault}");
        });
        assert_eq!(
            std::fs::read_to_string(format!("{folder}/count")).unwrap(),
            "run\n"
        );
    });
}

#[test]
fn a_run_whose_launchers_are_all_killed_is_a_fault_and_the_next_run_works() {
    at_every_level(1, |fixture| {
        let nap = fixture.action(&["sleep_forever"]);
        std::thread::scope(|scope| {
            let run = scope.spawn(|| fixture.sandbox.run(&nap, &limits()));
            while !run.is_finished() {
                // The parent of a process that runs this program, which is in a folder
                // that only this sandbox has.
                let napping = processes::all().filter(|process| {
                    !processes::is_dead(*process)
                        && processes::command_line(*process)
                            .starts_with(&nap.command[0])
                });
                // If the launcher is dead already, the parent may be an unrelated
                // process.
                let launcher =
                    napping.filter_map(processes::parent).find(|process| {
                        processes::command_line(*process).contains("__launcher")
                    });
                launcher.into_iter().for_each(fixture::kill);
                std::thread::yield_now();
            }
            let fault = run.join().unwrap().unwrap_err();
            assert!(
                fault.cause.contains("its launcher ended before it did"),
                "{fault}"
            );
        });
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn an_idle_launcher_that_died_is_replaced() {
    at_every_level(1, |fixture| {
        fixture::kill(fixture.sandbox.launcher_ids()[0]);
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn no_process_outlives_a_killed_launcher_that_has_a_namespace_or_a_user_of_its_own() {
    at_every_level(1, |fixture| {
        if !fixture.has_namespaces() && !fixture.sandbox.guarantees().own_user {
            return;
        }
        let launcher = fixture.sandbox.launcher_ids()[0];
        std::thread::scope(|scope| {
            let run = scope.spawn(|| {
                fixture
                    .sandbox
                    .run(&fixture.action(&["sleep_with_orphan"]), &limits())
            });
            fixture::wait_until(|| fixture::runs_below(launcher).len() == 2);
            let descendants = fixture::runs_below(launcher);
            fixture::kill(launcher);
            fixture::wait_until(|| {
                descendants
                    .iter()
                    .all(|process| processes::is_dead(*process))
            });
            // Another launcher is repeating the run.
            fixture.sandbox.close();
            assert!(run.join().unwrap().is_err());
        });
    });
}

#[test]
fn no_control_group_outlives_a_sandbox_whose_launcher_was_killed_just_before() {
    // Processes that die with the launcher take some time to end.
    for _ in 0..5 {
        at_every_level(1, |fixture| {
            let launcher = fixture.sandbox.launcher_ids()[0];
            let groups = fixture::groups_of(launcher);
            fixture.run(&["do_nothing"]);
            fixture::kill(launcher);
            drop(fixture);
            let left: Vec<_> = groups.iter().filter(|group| group.exists()).collect();
            assert!(left.is_empty(), "{left:?}");
        });
    }
}

#[test]
fn no_process_is_left_on_an_older_kernel_where_processes_are_killed_one_by_one() {
    for version in [0, 1, 3, 5] {
        let fixture = Fixture::with_landlock(IsolationLevel::Basic, version);
        assert!(!fixture.sandbox.guarantees().atomic_kill);
        assert!(!fixture.sandbox.guarantees().notes().is_empty());
        for action in ["leave_orphan", "fork_bomb", "fork_chains"] {
            let mut limits = limits();
            limits.processes = 20;
            limits.cpu = Duration::from_millis(200);
            fixture.run_within(&fixture.action(&[action]), &limits);
            fixture.assert_no_process_is_left();
        }
    }
}

#[test]
fn no_process_mount_group_or_folder_outlives_the_sandbox() {
    at_every_level(2, |fixture| {
        for action in ["leave_files", "leave_orphan"] {
            fixture.run(&[action]);
        }
        let launchers = fixture.sandbox.launcher_ids();
        let groups: Vec<_> = launchers
            .iter()
            .flat_map(|launcher| fixture::groups_of(*launcher))
            .collect();
        assert_eq!(groups.is_empty(), !fixture.has_control_group());
        let folder = fixture.sandbox.folder().to_owned();
        assert!(folder.exists());
        drop(fixture);
        assert!(!folder.exists());
        assert!(
            launchers.iter().all(|launcher| !Path::new("/proc")
                .join(launcher.to_string())
                .exists())
        );
        // The parent of each is the group of the judge.
        let left: Vec<_> = groups
            .iter()
            .flat_map(|group| [group, group.parent().unwrap()])
            .filter(|group| group.exists())
            .collect();
        assert!(left.is_empty(), "{left:?}");
        // Roots are mounted where only launchers can see them.
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap();
        let left = mounts
            .lines()
            .find(|line| line.contains(folder.to_str().unwrap()));
        assert_eq!(
            (left, mounts.contains(" - tmpfs gridjudge ")),
            (None, false)
        );
    });
}

#[test]
fn a_level_that_is_not_available_has_a_reason_and_a_remedy() {
    let best =
        LinuxSandbox::start(fixture::launcher(), 1, LevelChoice::Best).unwrap();
    for (level, fault) in best.declined() {
        assert!(fault.remedy.is_some(), "{level}: {fault}");
    }
    let Err(fault) = LinuxSandbox::start(
        fixture::launcher(),
        1,
        LevelChoice::Only(IsolationLevel::Full),
    ) else {
        return;
    };
    if !rustix::process::geteuid().is_root() {
        assert_eq!(
            fault.to_string(),
            "setting up level full: the judge is not root"
        );
    }
}

#[test]
fn level_full_is_refused_to_an_ordinary_user_with_a_remedy() {
    let place = tempfile::tempdir().unwrap();
    std::fs::set_permissions(
        place.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    let judge = place.path().join("judge");
    processes::copy_program(fixture::launcher(), &judge);
    let mut command = Command::new(judge);
    command
        .args(["doctor", "--sandbox", "full"])
        .current_dir(place.path());
    if rustix::process::geteuid().is_root()
        && fixture::levels().contains(&IsolationLevel::Full)
    {
        command.uid(65534).gid(65534);
    }
    if fixture::levels().contains(&IsolationLevel::Full)
        || !rustix::process::geteuid().is_root()
    {
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout)
            + String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("the judge is not root"), "{text}");
        assert!(text.contains("run it as root"), "{text}");
        assert_eq!(output.status.code(), Some(3));
    }
}
