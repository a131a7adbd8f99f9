//! What a run finds and leaves: its input, its ids, its folder, its output, its end.

use std::io::Read;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Launch;

use crate::stage;
use crate::stage::Reading;
use crate::stage::at_every_level;
use crate::stage::at_every_level_linked_either_way;
use crate::stage::limits;
use crate::stage::nothing;

#[test]
fn output_is_input_echoed_byte_for_byte() {
    at_every_level(1, |stage| {
        let input: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
        let launch = stage.act(&["echo"]).reading(&stage, &input);
        let mut run = stage.run_within(&launch, &limits());
        let mut output = Vec::new();
        run.stdout.read_to_end(&mut output).unwrap();
        assert!(output == input);
        assert_eq!(run.stdout_bytes, input.len() as u64);
        assert_eq!(run.exit, Exit::Code(0));
    });
}

#[test]
fn exit_codes_and_signals_are_exact() {
    at_every_level_linked_either_way(|stage| {
        for code in [0, 1, 3, 127, 255] {
            assert_eq!(stage.run(&["leave", &code.to_string()]).exit, Exit::Code(code));
        }
        for signal in [1, 2, 4, 6, 8, 9, 11, 13, 15, 24] {
            assert_eq!(stage.run(&["raise_signal", &signal.to_string()]).exit, Exit::Signal(signal));
        }
        // For process 1 of a namespace it would be another signal, or none.
        assert_eq!(stage.run(&["abort_itself"]).exit, Exit::Signal(libc::SIGABRT));
    });
}

#[test]
fn a_run_in_namespaces_is_process_2_of_nobody_in_sight_each_time() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() {
            return;
        }
        // A number that grew would tell a program which of the cases it is on.
        for _ in 0..3 {
            assert_eq!(stage.output_within(&stage.act(&["show_ids"]), &limits()), "2 0\n");
            stage.run(&["leave_orphan"]);
        }
    });
}

#[test]
fn whoever_made_processes_before_a_run_has_left_it_the_same_numbers() {
    at_every_level_linked_either_way(|stage| {
        if !stage.is_contained() {
            return;
        }
        let neighbour = stage.put_plain("neighbour", b"");
        let ids = stage.act(&["show_child_ids"]);
        // With processes, without, and in sight of `/proc`, in turn and in a row.
        for before in
            [&["show_ids"][..], &["show_child_ids"], &["show_ids"], &["show_ids"], &["leave_orphan"]]
        {
            stage.run(before);
            assert_eq!(stage.output_within(&ids, &limits()), "2 3 4\n", "{before:?}");
            stage.run_within(&stage.act(before).allowed(&neighbour), &limits());
            assert_eq!(stage.output_within(&stage.act(&["show_ids"]), &limits()), "2 0\n", "{before:?}");
            stage.run(before);
            assert_eq!(
                stage.output_within(&ids.clone().allowed(&neighbour), &limits()),
                "2 3 4\n",
                "{before:?}"
            );
        }
    });
}

#[test]
fn a_namespace_serves_again_until_a_run_has_made_a_process() {
    at_every_level_linked_either_way(|stage| {
        // An init whose user is that of the runs serves one of them.
        if !stage.is_contained() || !rustix::process::geteuid().is_root() {
            return;
        }
        let inits = || stage::inits_below(stage.sandbox.launcher_ids()[0]);
        stage.run(&["show_ids"]);
        let first = inits();
        stage.run(&["show_ids"]);
        stage.run(&["show_child_ids"]);
        assert_eq!((inits(), first.len()), (first.clone(), 1));
        stage.run(&["show_ids"]);
        assert_ne!(inits(), first);
    });
}

#[test]
fn the_end_of_standard_error_is_kept() {
    at_every_level(1, |stage| {
        let run = stage.run(&["complain"]);
        assert_eq!(run.stderr_tail.len(), 4096);
        assert!(run.stderr_tail.ends_with(b"\nline 1998\nline 1999\n"));
        let bytes = (0..2000).map(|line| format!("line {line}\n").len() as u64).sum::<u64>();
        assert_eq!(run.stderr_bytes, bytes);
        assert_eq!(run.exit, Exit::Code(3));
    });
}

#[test]
fn streams_go_one_way() {
    at_every_level(1, |stage| {
        // In namespaces, only who is run by a program of the system finds its streams in `/proc`, too.
        let neighbour = stage.put_plain("neighbour", b"");
        let runtime = |act| stage.act(&[act]).allowed(&neighbour);
        for launch in [stage.act(&["read_own_output"]), runtime("read_own_output")] {
            assert_eq!(stage.run_within(&launch, &limits()).exit, Exit::Code(0));
        }
        for launch in [stage.act(&["write_own_input"]), runtime("write_own_input")] {
            let launch = launch.reading(&stage, b"sealed");
            assert_eq!(stage.run_within(&launch, &limits()).exit, Exit::Code(0));
        }
    });
}

#[test]
fn descriptors_reveal_no_named_path() {
    at_every_level(1, |stage| {
        let neighbour = stage.put_plain("neighbour", b"");
        let expected = "0 /memfd:stdin (deleted)\n1 /memfd:stdout (deleted)\n2 /memfd:stderr (deleted)\n";
        let launch = stage.act(&["show_streams"]).reading(&stage, b"input");
        // In namespaces, a program of its own finds no `/proc` to look them up in.
        let own = if stage.is_contained() { "" } else { expected };
        assert_eq!(stage.output_within(&launch, &limits()), own);
        assert_eq!(stage.output_within(&launch.allowed(&neighbour), &limits()), expected);
    });
}

#[test]
fn the_environment_is_exactly_what_was_asked_for() {
    at_every_level(1, |stage| {
        let mut launch = stage.act(&["show_environment"]);
        launch.environment = vec![("A".into(), "1 2".into()), ("HOME".into(), "/nowhere".into())];
        let shown = stage.output_within(&launch, &limits());
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(lines[..2], ["A=1 2", "HOME=/nowhere"]);
        assert!(lines[2].starts_with("TMPDIR=/") && lines.len() == 3, "{shown}");
    });
}

#[test]
fn a_run_starts_in_its_scratch_folder_with_default_signals() {
    at_every_level_linked_either_way(|stage| {
        let shown = stage.output_within(&stage.act(&["show_surroundings"]), &limits());
        // In a root of its own the folder has the same name for every slot of every judge.
        let scratch = match stage.is_contained() {
            true => "/scratch".into(),
            false => stage.sandbox.folder().join("scratch-0"),
        };
        assert_eq!(shown, format!("{}\nsession own\n", scratch.display()));
    });
}

#[test]
fn files_are_gone_before_the_next_run() {
    at_every_level_linked_either_way(|stage| {
        let acts: [&[&str]; 4] =
            [&["litter"], &["dig_deep", "3000"], &["litter_wide", "3000"], &["create_file", "/dev/shm/file"]];
        for act in acts {
            // Shared memory with a name is the scratch folder's, where that is the run's own.
            if act[0] != "create_file" || stage.is_contained() {
                assert_eq!(stage.run(act).exit, Exit::Code(0), "{act:?}");
            }
            assert_eq!(stage.run(&["count_files"]).exit, Exit::Code(0), "{act:?}");
        }
    });
}

#[test]
fn parallel_runs_do_not_mix() {
    at_every_level(2, |stage| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let stage = &stage;
                scope.spawn(move || {
                    for round in 0..25 {
                        let text = format!("thread {thread} round {round}");
                        let launch = stage.act(&["echo"]).reading(stage, text.as_bytes());
                        assert_eq!(stage.output_within(&launch, &limits()), text);
                    }
                });
            }
        });
    });
}

#[test]
fn what_cannot_be_started_is_a_fault_that_says_why() {
    at_every_level(1, |stage| {
        let script = stage.put("script", b"#!/no/such/shell\n");
        let text = stage.put("text", b"just text\n");
        let plain = stage.put_plain("plain", b"");
        for (program, cause) in [
            ("/no/such/program", "there is no such file"),
            ("relative", "the program has no absolute path"),
            (script.as_str(), "its interpreter `/no/such/shell` does not exist"),
            (text.as_str(), "it is no executable of this machine"),
            (plain.as_str(), "permission denied"),
        ] {
            let mut launch = stage.act(&[]);
            launch.command = vec![program.into()];
            let fault = stage.fault(&launch);
            assert_eq!(fault.cause, cause);
            assert!(fault.doing.contains(program), "{fault}");
        }
        assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_launch_that_is_too_long_is_a_fault() {
    at_every_level(1, |stage| {
        let fault = stage.fault(&stage.act(&["nothing", &"x".repeat(200_000)]));
        assert!(fault.cause.starts_with("arguments, environment and names of files take 2"), "{fault}");
        assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
    });
}

#[test]
fn a_program_that_is_replaced_by_another_of_its_name_still_runs() {
    at_every_level(1, |stage| {
        for code in [1, 2] {
            let script = stage.put("script", format!("#!/bin/sh\nexit {code}\n").as_bytes());
            let launch = Launch { command: vec![script.clone()], ..nothing() };
            assert_eq!(stage.run_within(&launch, &limits()).exit, Exit::Code(code));
            std::fs::remove_file(script).unwrap();
        }
    });
}

/// Whatever it names to be started by is its own doing, and nobody else's.
#[test]
fn a_program_of_its_own_that_the_kernel_refuses_ends_with_127_and_the_reason() {
    at_every_level(1, |stage| {
        let long = format!("#!/{}\n", "x".repeat(240));
        let deep = format!("#!/{}\n", "x/".repeat(120));
        let scripts: [(&str, &[u8], &str); 9] = [
            ("missing", b"#!/no/such/shell\n", "its interpreter `/no/such/shell` does not exist"),
            ("below-a-file", b"#!/bin/sh/x\n", "its interpreter `/bin/sh/x` cannot be used: "),
            ("folder", b"#!/usr\n", "its interpreter `/usr` cannot be used: "),
            ("device", b"#!/dev/zero\n", "its interpreter `/dev/zero` cannot be used: "),
            ("no-program", b"#!/etc/ld.so.cache\n", "it"),
            ("nothing", b"#!", "it"),
            ("cut", b"#!/bin\0/sh\n", "its interpreter `/bin"),
            ("long", long.as_bytes(), "it"),
            ("deep", deep.as_bytes(), "it"),
        ];
        for (name, bytes, reason) in scripts {
            let program = stage.put(name, bytes);
            let launch = Launch { command: vec![program.clone()], ..nothing() }.allowed(&program);
            let run = stage.run_within(&launch, &limits());
            assert_eq!(run.exit, Exit::Code(127), "{name}: {run:?}");
            let said = String::from_utf8_lossy(&run.stderr_tail).into_owned();
            assert!(said.starts_with(&format!("it cannot be started: {reason}")), "{name}: {said}");
        }
    });
}
