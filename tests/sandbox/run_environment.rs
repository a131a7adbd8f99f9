//! The environment of a run and its result: input, process numbers, folder, output,
//! exit.

use std::io::Read;

use gridjudge_sandbox::{Exit, Launch};

use crate::fixture;
use crate::fixture::{
    LaunchExt, at_all_levels_at_once, at_every_level,
    at_every_level_with_both_linkings, empty_launch, limits,
};

#[test]
fn output_is_input_echoed_byte_for_byte() {
    at_every_level(1, |fixture| {
        let input: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
        let launch = fixture.action(&["echo"]).with_input(&fixture, &input);
        let mut run = fixture.run_within(&launch, &limits());
        let mut output = vec![];
        run.stdout.read_to_end(&mut output).unwrap();
        assert!(output == input);
        assert_eq!(run.stdout_bytes, input.len() as u64);
        assert_eq!(run.exit, Exit::Code(0));
    });
}

#[test]
fn exit_codes_and_signals_are_reported_exactly() {
    at_every_level_with_both_linkings(|fixture| {
        for code in [0, 1, 3, 127, 255] {
            assert_eq!(
                fixture.run(&["exit_with", &code.to_string()]).exit,
                Exit::Code(code)
            );
        }
        for signal in [1, 2, 4, 6, 8, 9, 11, 13, 15, 24] {
            assert_eq!(
                fixture.run(&["raise_signal", &signal.to_string()]).exit,
                Exit::Signal(signal)
            );
        }
        // Process 1 of a namespace would end with another signal, or with none.
        assert_eq!(
            fixture.run(&["abort_itself"]).exit,
            Exit::Signal(libc::SIGABRT)
        );
    });
}

#[test]
fn a_run_in_namespaces_is_always_process_2_with_an_invisible_parent() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() {
            return;
        }
        // From a number that grew, a program could learn the number of its case.
        for _ in 0..3 {
            assert_eq!(
                fixture.output_within(&fixture.action(&["show_ids"]), &limits()),
                "2 0\n"
            );
            fixture.run(&["leave_orphan"]);
        }
    });
}

#[test]
fn the_process_numbers_of_a_run_do_not_depend_on_earlier_runs() {
    at_every_level_with_both_linkings(|fixture| {
        if !fixture.has_namespaces() {
            return;
        }
        let neighbour = fixture.put_plain("neighbour", b"");
        let ids = fixture.action(&["show_child_ids"]);
        // Runs with child processes, without, and with `/proc` visible, alternating and
        // in sequence.
        for before in [
            &["show_ids"][..],
            &["show_child_ids"],
            &["show_ids"],
            &["show_ids"],
            &["leave_orphan"],
        ] {
            fixture.run(before);
            assert_eq!(
                fixture.output_within(&ids, &limits()),
                "2 3 4\n",
                "{before:?}"
            );
            fixture.run_within(
                &fixture.action(before).with_readable(&neighbour),
                &limits(),
            );
            assert_eq!(
                fixture.output_within(&fixture.action(&["show_ids"]), &limits()),
                "2 0\n",
                "{before:?}"
            );
            fixture.run(before);
            assert_eq!(
                fixture
                    .output_within(&ids.clone().with_readable(&neighbour), &limits()),
                "2 3 4\n",
                "{before:?}"
            );
        }
    });
}

#[test]
fn a_namespace_is_reused_until_a_run_has_started_a_process() {
    at_every_level_with_both_linkings(|fixture| {
        // An init that has the user of the runs is used for one run only.
        if !fixture.has_namespaces() || !rustix::process::geteuid().is_root() {
            return;
        }
        let inits = || fixture::inits_below(fixture.sandbox.launcher_ids()[0]);
        fixture.run(&["show_ids"]);
        let first = inits();
        fixture.run(&["show_ids"]);
        fixture.run(&["show_child_ids"]);
        assert_eq!((inits(), first.len()), (first.clone(), 1));
        fixture.run(&["show_ids"]);
        assert_ne!(inits(), first);
    });
}

#[test]
fn both_ends_of_standard_error_are_kept_and_what_is_left_out_is_marked() {
    at_every_level(1, |fixture| {
        let run = fixture.run(&["write_errors"]);
        assert_eq!(run.stderr_tail.len(), 4056);
        assert!(run.stderr_tail.starts_with(b"line 0\nline 1\n"));
        assert!(run.stderr_tail.ends_with(b"\nline 1998\nline 1999\n"));
        let said = String::from_utf8_lossy(&run.stderr_tail);
        assert!(said.contains(" ... (14866 bytes left out) ... "), "{said}");
        let bytes = (0..2000)
            .map(|line| format!("line {line}\n").len() as u64)
            .sum::<u64>();
        assert_eq!(run.stderr_bytes, bytes);
        assert_eq!(run.exit, Exit::Code(3));
    });
}

#[test]
fn input_cannot_be_written_and_output_cannot_be_read() {
    at_every_level(1, |fixture| {
        // In namespaces, only a program that a runtime of the system runs can see
        // `/proc`, and its streams in it.
        let neighbour = fixture.put_plain("neighbour", b"");
        let runtime = |action| fixture.action(&[action]).with_readable(&neighbour);
        for launch in [
            fixture.action(&["read_own_output"]),
            runtime("read_own_output"),
        ] {
            assert_eq!(fixture.run_within(&launch, &limits()).exit, Exit::Code(0));
        }
        for launch in [
            fixture.action(&["write_own_input"]),
            runtime("write_own_input"),
        ] {
            let launch = launch.with_input(&fixture, b"sealed");
            assert_eq!(fixture.run_within(&launch, &limits()).exit, Exit::Code(0));
        }
    });
}

#[test]
fn descriptors_reveal_no_named_path() {
    at_every_level(1, |fixture| {
        let neighbour = fixture.put_plain("neighbour", b"");
        let expected = "0 /memfd:stdin (deleted)\n1 /memfd:stdout (deleted)\n2 /memfd:stderr (deleted)\n";
        let launch = fixture
            .action(&["show_streams"])
            .with_input(&fixture, b"input");
        // In namespaces, a submission's own program sees no `/proc`.
        let own = if fixture.has_namespaces() {
            ""
        } else {
            expected
        };
        assert_eq!(fixture.output_within(&launch, &limits()), own);
        assert_eq!(
            fixture.output_within(&launch.with_readable(&neighbour), &limits()),
            expected
        );
    });
}

#[test]
fn a_runtime_finds_its_streams_among_the_devices() {
    at_every_level(1, |fixture| {
        // No path is in the test itself, which is the program of most other tests.
        let dev = "/dev";
        let script = format!(
            "read line < {dev}/stdin\nread line < {dev}/fd/0\necho $line > {dev}/stdout\n"
        );
        let script = fixture.put("script", script.as_bytes());
        let launch = Launch {
            command: vec!["/bin/sh".into(), script.clone()],
            ..empty_launch()
        };
        let launch = launch
            .with_readable(&script)
            .with_input(&fixture, b"found\n");
        assert_eq!(fixture.output_within(&launch, &limits()), "found\n");
    });
}

#[test]
fn the_environment_is_exactly_the_requested_one() {
    at_every_level(1, |fixture| {
        let mut launch = fixture.action(&["show_environment"]);
        launch.environment = vec![
            ("A".into(), "1 2".into()),
            ("HOME".into(), "/nowhere".into()),
        ];
        let shown = fixture.output_within(&launch, &limits());
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(lines[..2], ["A=1 2", "HOME=/nowhere"]);
        assert!(
            lines[2].starts_with("TMPDIR=/") && lines.len() == 3,
            "{shown}"
        );
    });
}

#[test]
fn a_run_starts_in_its_scratch_folder_with_default_signals() {
    at_every_level_with_both_linkings(|fixture| {
        let shown = fixture
            .output_within(&fixture.action(&["show_folder_and_signals"]), &limits());
        // In a root of its own, the folder has the same name in every slot of every
        // judge.
        let scratch = if fixture.has_namespaces() {
            "/scratch".into()
        } else {
            fixture.sandbox.folder().join("scratch-0")
        };
        assert_eq!(shown, format!("{}\nsession own\n", scratch.display()));
    });
}

#[test]
fn files_are_gone_before_the_next_run() {
    at_all_levels_at_once(|fixture| {
        let actions: [&[&str]; 4] = [
            &["leave_files"],
            &["make_deep_folders", "3000"],
            &["leave_many_files", "3000"],
            &["create_file", "/dev/shm/file"],
        ];
        for action in actions {
            // Named shared memory is a part of the scratch folder if the run has a root
            // of its own.
            if action[0] != "create_file" || fixture.has_namespaces() {
                assert_eq!(fixture.run(action).exit, Exit::Code(0), "{action:?}");
            }
            assert_eq!(
                fixture.run(&["count_files"]).exit,
                Exit::Code(0),
                "{action:?}"
            );
        }
    });
}

#[test]
fn parallel_runs_do_not_mix() {
    at_every_level(2, |fixture| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let fixture = &fixture;
                scope.spawn(move || {
                    for round in 0..25 {
                        let text = format!("thread {thread} round {round}");
                        let launch = fixture
                            .action(&["echo"])
                            .with_input(fixture, text.as_bytes());
                        assert_eq!(fixture.output_within(&launch, &limits()), text);
                    }
                });
            }
        });
    });
}

#[test]
fn a_program_that_cannot_be_started_is_a_fault_with_the_reason() {
    at_every_level(1, |fixture| {
        let script = fixture.put("script", b"#!/no/such/shell\n");
        let text = fixture.put("text", b"just text\n");
        let plain = fixture.put_plain("plain", b"");
        for (program, cause) in [
            ("/no/such/program", "there is no such file"),
            ("relative", "the program has no absolute path"),
            (
                script.as_str(),
                "its interpreter `/no/such/shell` does not exist",
            ),
            (text.as_str(), "it is not an executable of this machine"),
            (plain.as_str(), "permission denied"),
        ] {
            let mut launch = fixture.action(&[]);
            launch.command = vec![program.into()];
            let fault = fixture.fault(&launch);
            assert_eq!(fault.cause, cause);
            assert!(fault.doing.contains(program), "{fault}");
        }
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_launch_that_is_too_long_is_a_fault() {
    at_every_level(1, |fixture| {
        let fault =
            fixture.fault(&fixture.action(&["do_nothing", &"x".repeat(200_000)]));
        assert!(
            fault
                .cause
                .starts_with("arguments, environment and names of files take 2"),
            "{fault}"
        );
        assert_eq!(fixture.run(&["do_nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_program_that_replaces_another_of_the_same_name_is_run() {
    at_every_level(1, |fixture| {
        for code in [1, 2] {
            let script =
                fixture.put("script", format!("#!/bin/sh\nexit {code}\n").as_bytes());
            let launch = Launch {
                command: vec![script.clone()],
                ..empty_launch()
            };
            assert_eq!(
                fixture.run_within(&launch, &limits()).exit,
                Exit::Code(code)
            );
            std::fs::remove_file(script).unwrap();
        }
    });
}

/// A submission with an unusable interpreter gets a runtime error, not a fault.
#[test]
fn a_submission_that_the_kernel_refuses_to_execute_ends_with_127_and_the_reason() {
    at_every_level(1, |fixture| {
        let long = format!("#!/{}\n", "x".repeat(240));
        let deep = format!("#!/{}\n", "x/".repeat(120));
        let scripts: [(&str, &[u8], &str); 10] = [
            (
                "missing",
                b"#!/no/such/shell\n",
                "its interpreter `/no/such/shell` does not exist",
            ),
            (
                "returned",
                b"#!/bin/sh\r\n",
                "its first line ends in a carriage return (`\\r`)",
            ),
            (
                "below-a-file",
                b"#!/bin/sh/x\n",
                "its interpreter `/bin/sh/x` cannot be used: ",
            ),
            (
                "folder",
                b"#!/usr\n",
                "its interpreter `/usr` cannot be used: ",
            ),
            (
                "device",
                b"#!/dev/zero\n",
                "its interpreter `/dev/zero` cannot be used: ",
            ),
            ("no-program", b"#!/etc/ld.so.cache\n", "it"),
            ("empty", b"#!", "it"),
            ("cut", b"#!/bin\0/sh\n", "its interpreter `/bin"),
            ("long", long.as_bytes(), "it"),
            ("deep", deep.as_bytes(), "it"),
        ];
        for (name, bytes, reason) in scripts {
            let program = fixture.put(name, bytes);
            let launch = Launch {
                command: vec![program.clone()],
                ..empty_launch()
            }
            .with_readable(&program);
            let run = fixture.run_within(&launch, &limits());
            assert_eq!(run.exit, Exit::Code(127), "{name}: {run:?}");
            let message = String::from_utf8_lossy(&run.stderr_tail).into_owned();
            assert!(
                message.starts_with(&format!("it cannot be started: {reason}")),
                "{name}: {message}"
            );
        }
        // `env` is started, and does not find the interpreter.
        let program = fixture.put("found-by-env", b"#!/usr/bin/env sh\r\n");
        let launch = Launch {
            command: vec![program.clone()],
            ..empty_launch()
        }
        .with_readable(&program);
        let run = fixture.run_within(&launch, &limits());
        let message = String::from_utf8_lossy(&run.stderr_tail).into_owned();
        assert!(
            message.contains("its first line ends in a carriage return (`\\r`)"),
            "{message}"
        );
    });
}
