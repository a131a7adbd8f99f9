//! What counts as a run's memory, and what does not.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use gridjudge::model::Verdict;
use gridjudge::model::verdict_of_breach;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Sandbox;
use rustix::fs::Advice;

use crate::stage;
use crate::stage::MIB;
use crate::stage::Reading;
use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::limits;

/// The kernel charges a group in batches for each processor, of which a run may find some that the last has paid.
const BATCHES: u64 = MIB;

/// The usual limits, with this much memory.
fn within_mib(memory: u64) -> Limits {
    Limits { memory_bytes: memory * MIB, ..limits() }
}

/// More than a program shows that does nothing. A group counts the program alone; else it is at least the launcher's own
/// size, which is large without optimisation.
fn own_size(stage: &Stage) -> u64 {
    if stage.counts_trees() { 2 * MIB } else { 32 * MIB }
}

fn peak(stage: &Stage, act: &[&str]) -> u64 {
    let run = stage.run(act);
    assert_eq!(verdict_of_breach(&run, &limits()), None, "{act:?}: {run:?}");
    run.usage.peak_memory_bytes
}

#[test]
fn memory_over_the_limit_is_blamed_on_memory_however_it_is_filled() {
    at_every_level(1, |stage| {
        // Endless recursion runs into the end of the stack, which comes after that of the memory.
        for act in ["fill_malloc", "fill_mapping", "recurse"] {
            let run = stage.earns(&[act], &within_mib(32), Verdict::MemoryLimit);
            assert!(run.usage.peak_memory_bytes < 200 * MIB, "{act}: {run:?}");
        }
    });
}

/// Else such a limit would be broken by whatever runs.
#[test]
fn a_limit_that_is_less_than_can_be_measured_is_a_fault_that_names_the_least() {
    at_every_level(1, |stage| {
        let run = stage.sandbox.run(&stage.act(&[]), &within_mib(1));
        if stage.sandbox.guarantees().exact_peaks {
            run.unwrap();
            return;
        }
        let fault = run.unwrap_err();
        let said = fault.to_string();
        let least = said.split_once("its limit is 1 MiB of memory, and ").expect(&said).1;
        let (least, rest) = least.split_once(' ').unwrap();
        assert_eq!(rest, "MiB is the least that can be measured here");
        assert!(fault.remedy.is_some_and(|remedy| remedy.contains("gridjudge doctor")));
        let enough = within_mib(least.parse().unwrap());
        assert_ne!(
            verdict_of_breach(&stage.run_within(&stage.act(&[]), &enough), &enough),
            Some(Verdict::MemoryLimit)
        );
    });
}

#[test]
fn a_run_goes_before_its_launcher_when_memory_runs_out() {
    at_every_level(1, |stage| {
        // Only there is the launcher in a group whose memory may run out.
        if !stage.counts_trees() {
            return;
        }
        let launcher = stage.sandbox.launcher_ids()[0];
        let place = |process: u32| std::fs::read_to_string(format!("/proc/{process}/oom_score_adj"));
        let launch = stage.act(&["nap"]);
        let limits = Limits { wall: Duration::from_secs(2), ..limits() };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| stage.run_within(&launch, &limits));
            let has_the_highest_oom_score =
                |process: &u32| place(*process).is_ok_and(|place| place == "1000\n");
            stage::wait_until(|| stage::runs_below(launcher).iter().any(has_the_highest_oom_score));
            assert_ne!(place(launcher).unwrap(), "1000\n");
            assert_eq!(verdict_of_breach(&run.join().unwrap(), &limits), Some(Verdict::IdleLimit));
        });
    });
}

#[test]
fn files_in_memory_are_memory() {
    at_every_level(1, |stage| {
        if !stage.is_contained() {
            // There the scratch folder is one of the disk's, and `/dev/shm` out of reach.
            return;
        }
        for act in ["fill_scratch", "fill_named_memory"] {
            stage.earns(&[act], &within_mib(32), Verdict::MemoryLimit);
        }
    });
}

#[test]
fn what_only_a_group_can_count_is_refused_or_counted() {
    at_every_level(1, |stage| {
        if stage.counts_trees() {
            stage.earns(&["fill_memfd"], &within_mib(32), Verdict::MemoryLimit);
            stage.earns(&["fill_shared"], &within_mib(32), Verdict::MemoryLimit);
        } else {
            assert_eq!(stage.run(&["fill_memfd"]).exit, Exit::Code(libc::ENOSYS));
        }
    });
}

#[test]
fn memory_is_that_of_all_processes_together() {
    at_every_level(1, |stage| {
        stage.earns(&["hold_in_children", "16"], &within_mib(48), Verdict::MemoryLimit);
        // What no look has met only a group knows.
        if stage.sandbox.guarantees().exact_peaks && stage.counts_trees() {
            let together = peak(&stage, &["hold_together", "10"]);
            assert!((40 * MIB - BATCHES..48 * MIB).contains(&together), "{together}");
        }
    });
}

#[test]
fn memory_is_what_was_touched_not_what_was_reserved() {
    at_every_level(1, |stage| {
        let reserved = peak(&stage, &["reserve", "4096"]);
        assert!(reserved < own_size(&stage), "{reserved}");
        let held = peak(&stage, &["hold", "40"]);
        let least = 40 * MIB - if stage.counts_trees() { BATCHES } else { 0 };
        assert!((least..48 * MIB).contains(&held), "{held}");
    });
}

/// A process that somebody is reading about in `/proc` keeps its memory until that is done, even if it is dead by then.
#[test]
fn memory_of_a_dead_run_that_somebody_looks_at_is_not_taken_off_the_next() {
    at_every_level(1, |stage| {
        let is_over = AtomicBool::new(false);
        let launcher = stage.sandbox.launcher_ids()[0];
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_over.load(Relaxed) {
                        for process in stage::runs_below(launcher) {
                            let _ = std::fs::read(format!("/proc/{process}/smaps_rollup"));
                        }
                    }
                });
            }
            let peaks: Vec<_> = (0..25).map(|_| stage.run(&["hold", "60"]).usage.peak_memory_bytes).collect();
            is_over.store(true, Relaxed);
            // Pages of the last run that come back during this one are some more on a busy machine.
            assert!(peaks.iter().all(|peak| *peak >= 60 * MIB - 2 * BATCHES), "{peaks:?}");
        });
    });
}

#[test]
fn output_is_not_memory() {
    at_every_level(1, |stage| {
        let limits = Limits { output_bytes: 64 * MIB, ..within_mib(24) };
        let run = stage.run_within(&stage.act(&["write_bytes", &(32 * MIB).to_string()]), &limits);
        assert_eq!((run.stdout_bytes, verdict_of_breach(&run, &limits)), (32 * MIB, None), "{run:?}");
    });
}

#[test]
fn a_file_that_a_run_was_the_first_to_read_is_not_its_memory() {
    at_every_level(1, |stage| {
        let file = stage.put_plain("large", &vec![b'x'; 100 * MIB as usize]);
        let folder = stage.folder("tool");
        let own = |act| stage.act(&[act, &file]).allowed(&file);
        let tool = |act| Launch { role: Role::Tool { folder: folder.clone().into() }, ..own(act) };
        let mut launches = vec![own("read_file"), tool("read_file")];
        if stage.sandbox.guarantees().exact_peaks {
            // Elsewhere the peak of a process is all that is known, and in that what it maps counts.
            launches.extend([own("map_file"), tool("map_file")]);
        }
        for launch in launches {
            forget(Path::new(&file));
            let run = stage.run_within(&launch, &within_mib(48));
            let found = (run.exit, verdict_of_breach(&run, &within_mib(48)));
            assert_eq!(found, (Exit::Code(0), None), "{launch:?}: {run:?}");
            assert!(run.usage.peak_memory_bytes < 32 * MIB, "{launch:?}: {run:?}");
        }
    });
}

/// Whether all that was used and given back was seen, or may have been: by the run that is looked at closely, and where it is not,
/// as what may be hidden.
#[test]
fn what_was_used_and_given_back_hides_behind_no_output_and_no_file() {
    at_every_level(1, |stage| {
        let file = stage.put_plain("large", &vec![b'x'; 90 * MIB as usize]);
        let limits = Limits { output_bytes: 64 * MIB, ..limits() };
        for act in
            [stage.act(&["hide_behind_output"]), stage.act(&["hide_behind_file", &file]).allowed(&file)]
        {
            forget(Path::new(&file));
            let run = stage.run_within(&act, &limits);
            assert_eq!(verdict_of_breach(&run, &limits), None, "{act:?}: {run:?}");
            let possible = run.usage.peak_memory_bytes + run.usage.hidden_memory_bytes;
            assert!(possible > 99 * MIB && run.usage.peak_memory_bytes < 110 * MIB, "{act:?}: {run:?}");
            // Whoever is late for a look because others keep the processor busy, is so not each time.
            let mut hidden = Vec::new();
            let is_shown = (0..10).any(|_| {
                forget(Path::new(&file));
                let run = stage.run_within(&act, &limits.with_slack());
                hidden.push(run.usage);
                run.usage.hidden_memory_bytes < 8 * MIB
                    && (92 * MIB..110 * MIB).contains(&run.usage.peak_memory_bytes)
            });
            assert!(is_shown, "{act:?}: {hidden:?}");
        }
    });
}

/// Has the kernel drop what it keeps of a file in memory, as far as that is on a disk.
fn forget(file: &Path) {
    let file = File::open(file).unwrap();
    file.sync_all().unwrap();
    rustix::fs::fadvise(&file, 0, None, Advice::DontNeed).unwrap();
}

#[test]
fn the_peak_of_a_small_program_does_not_depend_on_the_size_of_the_judge() {
    at_every_level(1, |stage| {
        let before = peak(&stage, &["nothing"]);
        let large = std::hint::black_box(vec![1u8; 300 * MIB as usize]);
        let after = peak(&stage, &["nothing"]);
        drop(large);
        let most = own_size(&stage);
        assert!(before < most && after < most && after.abs_diff(before) < 2 * MIB, "{before} {after}");
    });
}
