//! The sandbox against real processes: what programs of `sandbox/acts.c` do, and what the sandbox makes of it.

#[path = "sandbox/stage.rs"]
mod stage;

use std::io::Read;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use gridjudge::model::Exit;
use gridjudge::model::Launch;
use gridjudge::model::Role;
use gridjudge::model::Verdict;
use gridjudge::sandbox::Sandbox;

use stage::MIB;
use stage::Reading;
use stage::Stage;
use stage::limits;

#[test]
fn output_is_input_echoed_byte_for_byte() {
    let stage = Stage::new(1);
    let input: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    let launch = stage.act(&["echo"]).reading(&stage, &input);
    let mut run = stage.run_within(&launch, &limits());
    let mut output = Vec::new();
    run.stdout.read_to_end(&mut output).unwrap();
    assert!(output == input);
    assert_eq!(run.stdout_bytes, input.len() as u64);
    assert_eq!(run.exit, Exit::Code(0));
}

#[test]
fn exit_codes_and_signals_are_exact() {
    let stage = Stage::new(1);
    for code in [0, 1, 3, 127, 255] {
        assert_eq!(stage.run(&["leave", &code.to_string()]).exit, Exit::Code(code));
    }
    for signal in [1, 2, 4, 6, 8, 9, 11, 13, 15, 24] {
        assert_eq!(stage.run(&["raise_signal", &signal.to_string()]).exit, Exit::Signal(signal));
    }
}

#[test]
fn cpu_time_over_the_limit_ends_the_run_soon_whoever_burns_it() {
    let stage = Stage::new(1);
    for act in ["burn", "burn_in_child", "burn_in_disowned_child", "burn_in_threads", "burn_in_children"] {
        let mut limits = limits();
        limits.cpu = Duration::from_millis(100);
        let run = stage.run_within(&stage.act(&[act, "10000"]), &limits);
        assert_eq!(run.breach(&limits), Some(Verdict::TimeLimit), "{act}: {run:?}");
        assert!(run.usage.cpu < Duration::from_millis(150), "{act}: {run:?}");
    }
}

#[test]
fn cpu_time_counts_for_all_threads_and_children() {
    let stage = Stage::new(1);
    for (act, times) in [("burn", 1), ("burn_in_child", 1), ("burn_in_threads", 4), ("burn_in_children", 4)] {
        let run = stage.run(&[act, "40"]);
        let least = Duration::from_millis(40) * times;
        assert!(run.usage.cpu >= least, "{act}: {run:?}");
        assert!(run.usage.cpu < least + Duration::from_millis(40), "{act}: {run:?}");
        assert_eq!(run.breach(&limits()), None);
    }
}

#[test]
fn a_program_that_waits_is_idle() {
    let stage = Stage::new(2);
    for act in ["nap", "stop_itself", "ignore_signals", "close_streams_and_hang"] {
        let mut limits = limits();
        limits.wall = Duration::from_millis(100);
        let run = stage.run_within(&stage.act(&[act]), &limits);
        assert_eq!(run.breach(&limits), Some(Verdict::IdleLimit), "{act}: {run:?}");
        assert!(run.usage.wall >= limits.wall);
    }
}

#[test]
fn memory_over_the_limit_is_blamed_on_memory_however_it_is_filled() {
    let stage = Stage::new(1);
    for act in ["fill_malloc", "fill_mapping", "recurse"] {
        let mut limits = limits();
        limits.memory_bytes = 32 * MIB;
        let run = stage.run_within(&stage.act(&[act]), &limits);
        assert_eq!(run.breach(&limits), Some(Verdict::MemoryLimit), "{act}: {run:?}");
        assert!(run.usage.peak_memory_bytes < 200 * MIB, "{act}: {run:?}");
    }
}

#[test]
fn memory_is_that_of_all_processes_together() {
    let stage = Stage::new(1);
    let mut limits = limits();
    limits.memory_bytes = 48 * MIB;
    let run = stage.run_within(&stage.act(&["hold_in_children", "16"]), &limits);
    assert_eq!(run.breach(&limits), Some(Verdict::MemoryLimit), "{run:?}");
}

#[test]
fn memory_is_what_was_touched_not_what_was_reserved() {
    let stage = Stage::new(1);
    let reserved = stage.run(&["reserve", "4096"]).usage.peak_memory_bytes;
    assert!(reserved < 8 * MIB, "{reserved}");
    let held = stage.run(&["hold", "20"]).usage.peak_memory_bytes;
    assert!((20 * MIB..28 * MIB).contains(&held), "{held}");
}

#[test]
fn output_exactly_at_the_limit_passes_and_one_byte_more_is_a_breach() {
    let stage = Stage::new(1);
    let mut limits = limits();
    limits.output_bytes = 100_000;
    let exact = stage.run_within(&stage.act(&["write_bytes", "100000"]), &limits);
    assert_eq!((exact.stdout_bytes, exact.breach(&limits)), (100_000, None));
    let over = stage.run_within(&stage.act(&["write_bytes", "100001"]), &limits);
    assert_eq!((over.stdout_bytes, over.breach(&limits)), (100_001, Some(Verdict::OutputLimit)));
}

#[test]
fn endless_output_stops_at_the_limit() {
    let stage = Stage::new(1);
    let acts: [&[&str]; 4] =
        [&["flood", "1"], &["flood", "2"], &["flood_ignoring_the_signal"], &["stretch_output"]];
    for act in acts {
        let mut limits = limits();
        limits.output_bytes = 100_000;
        let run = stage.run_within(&stage.act(act), &limits);
        assert!(run.stdout_bytes.max(run.stderr_bytes) <= 100_001, "{act:?}: {run:?}");
        let expected = if act == ["stretch_output"] { Verdict::RuntimeError } else { Verdict::OutputLimit };
        assert_eq!(run.breach(&limits), Some(expected), "{act:?}: {run:?}");
    }
}

#[test]
fn the_end_of_standard_error_is_kept() {
    let run = Stage::new(1).run(&["complain"]);
    assert_eq!(run.stderr_tail.len(), 4096);
    assert!(run.stderr_tail.ends_with(b"\nline 1998\nline 1999\n"));
    assert_eq!(run.stderr_bytes, (0..2000).map(|line| format!("line {line}\n").len() as u64).sum::<u64>());
    assert_eq!(run.exit, Exit::Code(3));
}

#[test]
fn streams_go_one_way() {
    let stage = Stage::new(1);
    assert_eq!(stage.run(&["read_own_output"]).exit, Exit::Code(0));
    let launch = stage.act(&["write_own_input"]).reading(&stage, b"sealed");
    assert_eq!(stage.run_within(&launch, &limits()).exit, Exit::Code(0));
}

#[test]
fn orphans_end_with_the_run_at_once() {
    let stage = Stage::new(1);
    for act in ["leave_orphan", "leave_burning_orphan"] {
        let run = stage.run(&[act]);
        assert_eq!(run.breach(&limits()), None, "{act}: {run:?}");
        assert!(run.usage.wall < limits().wall / 4, "{act}: {run:?}");
        stage.nothing_is_left();
    }
}

#[test]
fn a_fork_bomb_and_a_runaway_chain_of_forks_lose() {
    let stage = Stage::new(1);
    for act in ["bomb", "run_away"] {
        let mut limits = limits();
        limits.processes = 20;
        limits.cpu = Duration::from_millis(300);
        let start = Instant::now();
        stage.run_within(&stage.act(&[act]), &limits);
        assert!(start.elapsed() < Duration::from_secs(5), "{act}");
        stage.nothing_is_left();
    }
}

#[test]
fn processes_are_limited() {
    let stage = Stage::new(1);
    let mut limits = limits();
    limits.processes = 8;
    let born: u32 = stage.output_within(&stage.act(&["count_forks"]), &limits).trim().parse().unwrap();
    if stage.sandbox.guarantees().own_user {
        assert_eq!(born, 7, "with the first there are 8");
    }
}

#[test]
fn a_run_cannot_signal_beyond_itself() {
    let stage = Stage::new(1);
    if stage.sandbox.guarantees().landlock >= 6 {
        stage.run(&["kill_all"]);
        assert_eq!(stage.run(&["kill_parent"]).exit, Exit::Code(0));
    }
    assert_eq!(stage.run(&["become_root"]).exit, Exit::Code(0));
}

#[test]
fn the_answer_beside_the_input_is_out_of_reach() {
    let stage = Stage::new(1);
    if stage.sandbox.guarantees().landlock == 0 {
        return;
    }
    let answer = stage.put("case.ans", b"42");
    let denied = Exit::Code(13);
    assert_eq!(stage.run(&["open_file", &answer]).exit, denied);
    assert_eq!(stage.run(&["create_file", &format!("{answer}.new")]).exit, denied);
    for folder in ["/", "/tmp", "/home", "/root", "/var", stage.sandbox.folder().to_str().unwrap()] {
        assert_eq!(stage.run(&["open_file", folder]).exit, denied, "{folder}");
    }
    let readable = stage.act(&["open_file", &answer]).allowed(&answer);
    assert_eq!(stage.run_within(&readable, &limits()).exit, Exit::Code(0));
}

#[test]
fn descriptors_reveal_no_named_path() {
    let stage = Stage::new(1);
    let launch = stage.act(&["show_streams"]).reading(&stage, b"input");
    let shown = stage.output_within(&launch, &limits());
    let expected = "0 /memfd:stdin (deleted)\n1 /memfd:stdout (deleted)\n2 /memfd:stderr (deleted)\n";
    assert_eq!(shown, expected);
}

#[test]
fn the_network_is_closed() {
    let stage = Stage::new(1);
    if stage.sandbox.guarantees().landlock >= 4 {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        assert_eq!(stage.run(&["connect_tcp", &port]).exit, Exit::Code(13));
    }
}

#[test]
fn the_environment_is_exactly_what_was_asked_for() {
    let stage = Stage::new(1);
    let mut launch = stage.act(&["show_environment"]);
    launch.environment = vec![("A".into(), "1 2".into()), ("HOME".into(), "/nowhere".into())];
    let shown = stage.output_within(&launch, &limits());
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(lines[..2], ["A=1 2", "HOME=/nowhere"]);
    assert!(lines[2].starts_with("TMPDIR=/") && lines.len() == 3, "{shown}");
}

#[test]
fn a_run_starts_in_its_scratch_folder_with_default_signals() {
    let stage = Stage::new(1);
    let shown = stage.output_within(&stage.act(&["show_surroundings"]), &limits());
    let scratch = stage.sandbox.folder().join("scratch-0");
    assert_eq!(shown, format!("{}\nsession own\n", scratch.display()));
}

#[test]
fn files_are_gone_before_the_next_run() {
    let stage = Stage::new(1);
    let acts: [&[&str]; 3] = [&["litter"], &["dig_deep", "3000"], &["litter_wide", "3000"]];
    for act in acts {
        assert_eq!(stage.run(act).exit, Exit::Code(0), "{act:?}");
        assert_eq!(stage.run(&["count_files"]).exit, Exit::Code(0), "{act:?}");
    }
}

#[test]
fn parallel_runs_do_not_mix() {
    let stage = Stage::new(2);
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
}

#[test]
fn what_cannot_be_started_is_a_fault_that_says_why() {
    let stage = Stage::new(1);
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
        let fault = stage.sandbox.run(&launch, &limits()).unwrap_err();
        assert_eq!(fault.cause, cause);
        assert!(fault.doing.contains(program), "{fault}");
    }
    assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
}

#[test]
fn a_launch_that_is_too_long_is_a_fault() {
    let stage = Stage::new(1);
    let launch = stage.act(&["nothing", &"x".repeat(200_000)]);
    let fault = stage.sandbox.run(&launch, &limits()).unwrap_err();
    assert!(fault.cause.starts_with("arguments and environment take 2"), "{fault}");
    assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
}

#[test]
fn closing_ends_a_sleeping_run_and_all_to_come() {
    let stage = Stage::new(1);
    std::thread::scope(|scope| {
        let run = scope.spawn(|| stage.sandbox.run(&stage.act(&["nap"]), &limits()));
        stage.wait_for_a_run();
        stage.sandbox.close();
        assert_eq!(run.join().unwrap().unwrap_err().cause, "interrupted");
    });
    let fault = stage.sandbox.run(&stage.act(&["nothing"]), &limits()).unwrap_err();
    assert_eq!(fault.cause, "interrupted");
}

#[test]
fn a_killed_launcher_is_a_fault_and_the_next_run_works() {
    let stage = Stage::new(1);
    let launcher = stage.sandbox.launcher_ids()[0];
    std::thread::scope(|scope| {
        let run = scope.spawn(|| stage.sandbox.run(&stage.act(&["nap"]), &limits()));
        stage.wait_for_a_run();
        stage::kill(launcher);
        let fault = run.join().unwrap().unwrap_err();
        assert!(fault.cause.contains("its launcher ended before it did"), "{fault}");
    });
    assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
}

#[test]
fn a_launcher_that_died_idle_is_replaced_unnoticed() {
    let stage = Stage::new(1);
    stage::kill(stage.sandbox.launcher_ids()[0]);
    assert_eq!(stage.run(&["nothing"]).exit, Exit::Code(0));
}

#[test]
fn the_peak_of_a_small_program_does_not_depend_on_the_size_of_the_judge() {
    let stage = Stage::new(1);
    let before = stage.run(&["nothing"]).usage.peak_memory_bytes;
    let large = std::hint::black_box(vec![1u8; 300 * MIB as usize]);
    let after = stage.run(&["nothing"]).usage.peak_memory_bytes;
    let elsewhere = Stage::new(1).run(&["nothing"]).usage.peak_memory_bytes;
    drop(large);
    for peak in [before, after, elsewhere] {
        // The launcher's own size, larger without optimisation, and nothing of the judge's 300 MiB.
        assert!(peak < 10 * MIB && peak.abs_diff(before) < 2 * MIB, "{before} {after} {elsewhere}");
    }
}

#[test]
fn the_folder_goes_with_the_sandbox() {
    let stage = Stage::new(2);
    stage.run(&["litter"]);
    let folder = stage.sandbox.folder().to_owned();
    assert!(folder.exists());
    drop(stage);
    assert!(!folder.exists());
}

#[test]
fn what_outlives_a_killed_launcher_is_killed_where_it_has_a_user_of_its_own() {
    let stage = Stage::new(1);
    if !stage.sandbox.guarantees().own_user {
        return;
    }
    let launcher = stage.sandbox.launcher_ids()[0];
    let folder = stage.sandbox.folder().to_str().unwrap();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| stage.sandbox.run(&stage.act(&["sleep_with_orphan"]), &limits()));
        stage::wait_until(|| stage::working_in(folder) == 2);
        stage::kill(launcher);
        assert!(run.join().unwrap().is_err());
    });
    assert_eq!(stage::working_in(folder), 0);
}

#[test]
fn a_tool_works_in_its_folder_as_the_judge_and_writes_nowhere_else() {
    let stage = Stage::new(1);
    let folder = stage.folder("tool");
    let role = || Role::Tool { folder: folder.clone().into() };
    let made = Launch { role: role(), ..stage.act(&["create_file", "made"]) };
    assert_eq!(stage.run_within(&made, &limits()).exit, Exit::Code(0));
    assert!(Path::new(&folder).join("made").exists());
    let elsewhere = stage.put("elsewhere", b"");
    let refused = Launch { role: role(), ..stage.act(&["create_file", &elsewhere]) };
    let code = if stage.sandbox.guarantees().landlock > 0 { 13 } else { 0 };
    assert_eq!(stage.run_within(&refused, &limits()).exit, Exit::Code(code));
    // Root may read it; a tool of root's may not, or a source could have it compiled in.
    let secret =
        Launch { command: vec!["/bin/cat".into(), "/etc/shadow".into()], role: role(), ..stage::nothing() };
    let is_confined = stage.sandbox.guarantees().landlock > 0 || !rustix::process::geteuid().is_root();
    assert_eq!(stage.run_within(&secret, &limits()).exit, Exit::Code(is_confined.into()));
    let orphans = Launch { role: role(), ..stage.act(&["leave_orphan"]) };
    assert_eq!(stage.run_within(&orphans, &limits()).exit, Exit::Code(0));
    stage.nothing_is_left();
}

#[test]
fn a_program_that_is_replaced_by_another_of_its_name_still_runs() {
    let stage = Stage::new(1);
    for code in [1, 2] {
        let script = stage.put("script", format!("#!/bin/sh\nexit {code}\n").as_bytes());
        let launch = Launch { command: vec![script.clone()], ..stage::nothing() };
        assert_eq!(stage.run_within(&launch, &limits()).exit, Exit::Code(code));
        std::fs::remove_file(script).unwrap();
    }
}

#[test]
fn an_older_kernel_kills_one_by_one_and_still_leaves_nothing() {
    for version in [0, 1, 3, 5] {
        let stage = Stage::with_landlock(version);
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
fn a_run_that_finds_no_processor_is_not_idle() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let stage = Stage::new(4 * processors);
    let mut limits = limits();
    limits.wall = Duration::from_millis(400);
    std::thread::scope(|scope| {
        for _ in 0..4 * processors {
            scope.spawn(|| {
                let run = stage.run_within(&stage.act(&["burn", "300"]), &limits);
                assert_eq!(run.breach(&limits), None, "{run:?}");
            });
        }
    });
}
