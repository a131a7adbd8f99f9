//! What counts as the memory of a run, and what does not.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use gridjudge::model::{Trial, Verdict, verdict_of_breach};
use gridjudge_sandbox::{Exit, Launch, Limits, Role, Sandbox};
use rustix::fs::Advice;

use crate::fixture;
use crate::fixture::{Fixture, LaunchExt, MIB, at_every_level, limits};

/// The kernel charges a control group in batches for each processor. A run may use a
/// rest of a batch that the previous run was charged for.
const BATCHES: u64 = MIB;

/// The most by which the figure of a run that is not followed to its end may be too
/// small without a control group: its pages of files are those of the last sample.
const NOT_FOLLOWED: u64 = MIB / 2;

/// The usual limits, with this much memory.
fn within_mib(memory: u64) -> Limits {
    Limits {
        memory_bytes: memory * MIB,
        ..limits()
    }
}

/// An upper bound on the measured memory of a program that does nothing. A control
/// group counts only the program; otherwise the peak is at least the launcher's own
/// size, which is large without optimisation.
fn idle_peak(fixture: &Fixture) -> u64 {
    if fixture.has_control_group() {
        2 * MIB
    } else {
        32 * MIB
    }
}

fn peak(fixture: &Fixture, action: &[&str]) -> u64 {
    let run = fixture.run(action);
    assert_eq!(
        verdict_of_breach(&run, &limits()),
        None,
        "{action:?}: {run:?}"
    );
    run.usage.peak_memory_bytes
}

#[test]
fn memory_over_the_limit_breaks_the_memory_limit_however_it_is_filled() {
    at_every_level(1, |fixture| {
        // The limit of the stack is higher than that of memory, so endless recursion
        // breaks the memory limit.
        for action in [
            "fill_malloc",
            "fill_mapping",
            "fill_in_last_thread",
            "recurse",
        ] {
            let run = fixture.expect_verdict(
                &[action],
                &within_mib(32),
                Verdict::MemoryLimit,
            );
            assert!(run.usage.peak_memory_bytes < 200 * MIB, "{action}: {run:?}");
        }
    });
}

/// A process that is followed to its end stops there once more when it is killed.
#[test]
fn a_run_with_frequent_samples_that_breaks_its_memory_limit_ends_at_once() {
    at_every_level(1, |fixture| {
        for action in ["fill_malloc", "fill_in_last_thread", "recurse"] {
            let limits = Limits {
                frequent_samples: true,
                ..within_mib(32)
            };
            let run =
                fixture.expect_verdict(&[action], &limits, Verdict::MemoryLimit);
            assert!(run.usage.wall < Duration::from_secs(4), "{action}: {run:?}");
        }
    });
}

/// Otherwise every program would break such a limit.
#[test]
fn a_memory_limit_below_what_can_be_measured_is_a_fault_that_names_the_minimum() {
    at_every_level(1, |fixture| {
        let run = fixture.sandbox.run(&fixture.action(&[]), &within_mib(1));
        if fixture.sandbox.guarantees().exact_peaks {
            run.unwrap();
            return;
        }
        let fault = run.unwrap_err();
        let message = fault.to_string();
        let least = message
            .split_once("its limit is 1 MiB of memory, and ")
            .expect(&message)
            .1;
        let (least, rest) = least.split_once(' ').unwrap();
        assert_eq!(rest, "MiB is the least that can be measured here");
        assert!(
            fault
                .remedy
                .is_some_and(|remedy| remedy.contains("gridjudge doctor"))
        );
        let enough = within_mib(least.parse().unwrap());
        assert_ne!(
            verdict_of_breach(
                &fixture.run_within(&fixture.action(&[]), &enough),
                &enough
            ),
            Some(Verdict::MemoryLimit)
        );
    });
}

#[test]
fn the_kernel_kills_a_run_before_its_launcher_when_memory_runs_out() {
    at_every_level(1, |fixture| {
        // Otherwise the launcher is in no control group whose memory may run out.
        if !fixture.has_control_group() {
            return;
        }
        let launcher = fixture.sandbox.launcher_ids()[0];
        let place = |process: u32| {
            std::fs::read_to_string(format!("/proc/{process}/oom_score_adj"))
        };
        let launch = fixture.action(&["sleep_forever"]);
        let limits = Limits {
            wall: Duration::from_secs(2),
            ..limits()
        };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| fixture.run_within(&launch, &limits));
            fixture::wait_until(|| {
                fixture::runs_below(launcher).iter().any(|process| {
                    place(*process).is_ok_and(|place| place == "1000\n")
                })
            });
            assert_ne!(place(launcher).unwrap(), "1000\n");
            assert_eq!(
                verdict_of_breach(&run.join().unwrap(), &limits),
                Some(Verdict::IdleLimit)
            );
        });
    });
}

#[test]
fn files_in_memory_count_as_memory() {
    at_every_level(1, |fixture| {
        if !fixture.has_namespaces() {
            // The scratch folder is on a disk, and `/dev/shm` is not accessible.
            return;
        }
        for action in ["fill_scratch", "fill_named_memory"] {
            fixture.expect_verdict(&[action], &within_mib(32), Verdict::MemoryLimit);
        }
    });
}

#[test]
fn memory_that_only_a_control_group_can_count_is_refused_or_counted() {
    at_every_level(1, |fixture| {
        if fixture.has_control_group() {
            fixture.expect_verdict(
                &["fill_memfd"],
                &within_mib(32),
                Verdict::MemoryLimit,
            );
            fixture.expect_verdict(
                &["fill_shared"],
                &within_mib(32),
                Verdict::MemoryLimit,
            );
        } else {
            assert_eq!(fixture.run(&["fill_memfd"]).exit, Exit::Code(libc::ENOSYS));
        }
    });
}

#[test]
fn the_memory_of_all_processes_is_added_up() {
    at_every_level(1, |fixture| {
        fixture.expect_verdict(
            &["hold_in_children", "16"],
            &within_mib(48),
            Verdict::MemoryLimit,
        );
        // Memory that no sample has seen is known only with a control group.
        if fixture.sandbox.guarantees().exact_peaks && fixture.has_control_group() {
            let together = peak(&fixture, &["hold_in_children_and_exit", "10"]);
            assert!(
                (40 * MIB - BATCHES..48 * MIB).contains(&together),
                "{together}"
            );
        }
    });
}

#[test]
fn only_touched_memory_counts_not_reserved_memory() {
    at_every_level(1, |fixture| {
        let reserved = peak(&fixture, &["reserve", "4096"]);
        assert!(reserved < idle_peak(&fixture), "{reserved}");
        let held = peak(&fixture, &["hold", "40"]);
        let unsure = if fixture.has_control_group() {
            BATCHES
        } else {
            NOT_FOLLOWED
        };
        assert!((40 * MIB - unsure..48 * MIB).contains(&held), "{held}");
    });
}

/// The most by which the figure of a run that is followed to its end may be wrong.
const MOST_ERROR: u64 = 128 << 10;

fn has_libraries_in_memory() -> bool {
    const TMPFS_MAGIC: i64 = 0x0102_1994;
    rustix::fs::statfs("/usr/lib").is_ok_and(|found| found.f_type == TMPFS_MAGIC)
}

/// The peak of a run that touches this many MiB and is followed to its end.
fn followed_peak(fixture: &Fixture, mib: u64) -> u64 {
    let limits = Limits {
        frequent_samples: true,
        ..within_mib(64)
    };
    let run =
        fixture.run_within(&fixture.action(&["hold", &mib.to_string()]), &limits);
    let found = (run.exit, run.usage.hidden_memory_bytes);
    assert_eq!(found, (Exit::Code(0), 0), "{run:?}");
    // Its stack, its data, tables of its libraries; and these themselves where they are
    // files in memory.
    let besides = 3 * MOST_ERROR
        + if has_libraries_in_memory() {
            2 * MIB
        } else {
            0
        };
    let range = mib * MIB + 1..mib * MIB + besides;
    assert!(range.contains(&run.usage.peak_memory_bytes), "{run:?}");
    run.usage.peak_memory_bytes
}

/// The kernel gives the memory of such a process to none of the files that describe its
/// first thread.
#[test]
fn a_process_that_goes_on_after_the_end_of_its_first_thread_is_measured_as_before() {
    at_every_level(1, |fixture| {
        for frequent_samples in [false, true] {
            let limits = Limits {
                frequent_samples,
                ..within_mib(64)
            };
            for (mib, verdict) in [("40", None), ("100", Some(Verdict::MemoryLimit))]
            {
                let action = fixture.action(&["hold_in_last_thread", mib]);
                let run = fixture.run_within(&action, &limits);
                assert_eq!(verdict_of_breach(&run, &limits), verdict, "{run:?}");
                let least = 40 * MIB - NOT_FOLLOWED;
                assert!(run.usage.peak_memory_bytes >= least, "{run:?}");
            }
        }
    });
}

#[test]
fn memory_of_one_process_is_known_to_128_kib_at_every_level_if_it_is_followed_to_its_end()
 {
    at_every_level(1, |fixture| {
        // What it touches besides is the same each time.
        let least = followed_peak(&fixture, 32) + 16 * MIB - MOST_ERROR;
        let peaks: Vec<u64> = (0..8).map(|_| followed_peak(&fixture, 48)).collect();
        let range = least..=least + 2 * MOST_ERROR;
        assert!(peaks.iter().all(|peak| range.contains(peak)), "{peaks:?}");
        let spread = peaks.iter().max().unwrap() - peaks.iter().min().unwrap();
        assert!(spread <= MOST_ERROR, "{peaks:?}");
    });
}

/// By how much a run near its limit is over it, and another one below it. One that is
/// over it may be stopped there, which makes its figure that much smaller.
const OVER: u64 = 96 << 10;
const BELOW: u64 = 160 << 10;

/// How often a run near its limit is judged, and beside how many busy threads: beside
/// the other tests, or with `GRIDJUDGE_EXHAUSTIVE=1` 1,000 times beside more threads
/// than processors. An emulated machine, which has one processor, takes a second for
/// each run.
fn runs_and_threads() -> (usize, usize) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    match std::env::var_os("GRIDJUDGE_EXHAUSTIVE") {
        Some(_) if processors > 1 => (1000, 2 * processors),
        Some(_) => (40, 2),
        None => (40, 0),
    }
}

/// How long the machine is kept busy at most.
const MOST_TIME: Duration = Duration::from_secs(600);

/// The kernel counts each page that the programs touch, so they are over their limits,
/// or below them, by a few pages each time.
#[test]
fn memory_near_a_limit_is_known_to_128_kib_each_time() {
    let (runs, threads) = runs_and_threads();
    at_every_level(1, |fixture| {
        let touched = followed_peak(&fixture, 16);
        let is_over = AtomicBool::new(false);
        let start = Instant::now();
        let is_busy = || !is_over.load(Relaxed) && start.elapsed() < MOST_TIME;
        let trials = |memory_bytes: u64| {
            let limits = Limits {
                memory_bytes,
                ..within_mib(16)
            };
            let action = fixture.action(&["hold", "16"]);
            let trials =
                (0..runs / 2).map(|_| fixture.run_as_judged(&action, &limits));
            trials.collect::<Vec<Trial>>()
        };
        let [over, below] = std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| while is_busy() {});
            }
            let found = [touched - OVER, touched + BELOW].map(trials);
            is_over.store(true, Relaxed);
            found
        });
        let wrong = |trials: &[Trial], expected| {
            let wrong = trials.iter().filter(|trial| trial.verdict != expected);
            wrong.map(|trial| format!("{trial:?}")).collect::<Vec<_>>()
        };
        assert_eq!(wrong(&over, Verdict::MemoryLimit), [""; 0]);
        assert_eq!(wrong(&below, Verdict::Accepted), [""; 0]);
        let all = over.iter().chain(&below);
        let peaks = all.map(|trial| trial.usage.peak_memory_bytes);
        let least = peaks.clone().min().unwrap();
        let most = peaks.max().unwrap();
        assert!(most - least <= MOST_ERROR, "{least} {most}");
    });
}

#[test]
fn only_submissions_have_fixed_addresses() {
    at_every_level(1, |fixture| {
        let folder = fixture.folder("tool");
        let own = fixture.action(&["show_personality"]);
        let tool = Launch {
            role: Role::Tool {
                folder: folder.clone().into(),
            },
            ..own.clone()
        };
        let checker = Launch {
            role: Role::Checker {
                folder: folder.into(),
            },
            ..own.clone()
        };
        let shown = |launch: &Launch| fixture.output_within(launch, &limits());
        assert_eq!([&own, &tool, &checker].map(shown), ["40000", "0", "0"]);
    });
}

/// A process whose files in `/proc` are being read keeps its memory until that is done,
/// even if it is dead by then.
#[test]
fn memory_of_a_dead_process_that_another_one_inspects_is_not_subtracted_from_the_next_run()
 {
    at_every_level(1, |fixture| {
        let is_over = AtomicBool::new(false);
        let launcher = fixture.sandbox.launcher_ids()[0];
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_over.load(Relaxed) {
                        for process in fixture::runs_below(launcher) {
                            let _ = std::fs::read(format!(
                                "/proc/{process}/smaps_rollup"
                            ));
                        }
                    }
                });
            }
            let peaks: Vec<_> = (0..12)
                .map(|_| fixture.run(&["hold", "60"]).usage.peak_memory_bytes)
                .collect();
            is_over.store(true, Relaxed);
            // On a busy machine, more pages of the previous run are released during
            // this one.
            assert!(
                peaks.iter().all(|peak| *peak >= 60 * MIB - 2 * BATCHES),
                "{peaks:?}"
            );
        });
    });
}

#[test]
fn output_does_not_count_as_memory() {
    at_every_level(1, |fixture| {
        let limits = Limits {
            output_bytes: 64 * MIB,
            ..within_mib(24)
        };
        let run = fixture.run_within(
            &fixture.action(&["write_bytes", &(32 * MIB).to_string()]),
            &limits,
        );
        assert_eq!(
            (run.stdout_bytes, verdict_of_breach(&run, &limits)),
            (32 * MIB, None),
            "{run:?}"
        );
    });
}

#[test]
fn a_file_that_a_run_is_the_first_to_read_does_not_count_as_its_memory() {
    at_every_level(1, |fixture| {
        let file = fixture.put_plain("large", &vec![b'x'; 100 * MIB as usize]);
        let folder = fixture.folder("tool");
        let own = |action| fixture.action(&[action, &file]).with_readable(&file);
        let tool = |action| Launch {
            role: Role::Tool {
                folder: folder.clone().into(),
            },
            ..own(action)
        };
        let mut launches = vec![own("read_file"), tool("read_file")];
        if fixture.sandbox.guarantees().exact_peaks {
            // Otherwise a program that maps a file and ends within a few milliseconds
            // may not be looked at in time.
            launches.extend([own("map_file"), tool("map_file")]);
        }
        for launch in launches {
            drop_from_page_cache(Path::new(&file));
            let run = fixture.run_until_certain(&launch, &within_mib(48));
            let found = (run.exit, verdict_of_breach(&run, &within_mib(48)));
            assert_eq!(found, (Exit::Code(0), None), "{launch:?}: {run:?}");
            assert!(
                run.usage.peak_memory_bytes < 32 * MIB,
                "{launch:?}: {run:?}"
            );
        }
    });
}

/// Memory that was used and released must be measured in a run with frequent samples.
/// In other runs it may instead be reported as memory that may be hidden.
#[test]
fn released_memory_is_not_hidden_by_output_or_by_file_pages() {
    at_every_level(1, |fixture| {
        let file = fixture.put_plain("large", &vec![b'x'; 90 * MIB as usize]);
        let limits = Limits {
            output_bytes: 64 * MIB,
            ..limits()
        };
        for action in [
            fixture.action(&["hide_peak_behind_output"]),
            fixture
                .action(&["hide_peak_behind_file", &file])
                .with_readable(&file),
        ] {
            drop_from_page_cache(Path::new(&file));
            let run = fixture.run_within(&action, &limits);
            assert_eq!(
                verdict_of_breach(&run, &limits),
                None,
                "{action:?}: {run:?}"
            );
            assert!(
                run.usage.peak_memory_bytes < 110 * MIB,
                "{action:?}: {run:?}"
            );
            drop_from_page_cache(Path::new(&file));
            let low = Limits {
                memory_bytes: 99 * MIB,
                ..limits.clone()
            };
            let run = fixture.run_within(&action, &low);
            let possible =
                run.usage.peak_memory_bytes + run.usage.hidden_memory_bytes;
            assert!(
                possible > 99 * MIB && run.usage.peak_memory_bytes < 110 * MIB,
                "{action:?}: {run:?}"
            );
            // A sample may be late because the processor is busy, but not in all of ten
            // runs.
            let mut hidden = vec![];
            let is_shown = (0..10).any(|_| {
                drop_from_page_cache(Path::new(&file));
                let run = fixture.run_within(&action, &limits.for_run_alone());
                hidden.push(run.usage);
                run.usage.hidden_memory_bytes < 8 * MIB
                    && (92 * MIB..110 * MIB).contains(&run.usage.peak_memory_bytes)
            });
            assert!(is_shown, "{action:?}: {hidden:?}");
        }
    });
}

/// Asks the kernel to drop a file from its page cache, if the file is on a disk.
fn drop_from_page_cache(file: &Path) {
    let file = File::open(file).unwrap();
    file.sync_all().unwrap();
    rustix::fs::fadvise(&file, 0, None, Advice::DontNeed).unwrap();
}

#[test]
fn the_peak_of_a_small_program_does_not_depend_on_the_size_of_the_judge() {
    at_every_level(1, |fixture| {
        let before = peak(&fixture, &["do_nothing"]);
        let large = std::hint::black_box(vec![1u8; 300 * MIB as usize]);
        let after = peak(&fixture, &["do_nothing"]);
        drop(large);
        let max = idle_peak(&fixture);
        assert!(
            before < max && after < max && after.abs_diff(before) < 2 * MIB,
            "{before} {after}"
        );
    });
}
