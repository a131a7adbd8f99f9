//! Runs a program under limits and reports what it did. It does not judge: it knows
//! nothing of grids, problems or verdicts. Start at [`LinuxSandbox::start`] and
//! [`Sandbox::run`].
//!
#![doc = include_str!("../README.md")]
//!
//! # Theory of operation
//!
//! ```text
//!  judge                  launcher, one per slot             pid namespace                    run
//!  (any size, many        (small, one thread)                made before its run
//!  threads)
//!  ------------------     -------------------------------    -----------------------------    --------------------
//!  seal input, make                                          init (process 1) sleeps, on
//!  two output files                                          the launcher's memory
//!  request + files  --->  find or build the root, set
//!                         the group's limits, enter the
//!                         pid namespace for its children
//!                         vfork -------------------------------------------------------->     process 2: streams,
//!                                                                                             root, limits, user,
//!                         sleep until it ends, or a                                           Landlock, exec
//!                         limit may be reached; kill and
//!                         reap it
//!                         any process left? ---------->      kill, reap and count them
//!  read output     <---   figures
//!                         drop the root if it was touched; kill init and make another pid
//!                         namespace if this one cannot be used again
//! ```
//!
//! The judge's part is in `host/`, the launcher's in `launcher/`. They meet only
//! through the messages of `protocol.rs`; both use `cgroup`, `confine`, `machine`,
//! `rootfs` and `sys`.
//!
//! **Why a launcher.** A fork of the judge copies its page tables, which takes
//! milliseconds once the judge is large, and `ru_maxrss` of a fresh process starts at
//! the peak of the process that started it. Only a separate process can have one
//! thread, namespaces, a filter and a control group, and still be there to end the run
//! when the judge is killed. It is our own binary, started again, and it releases the
//! memory that its start took.
//!
//! **Why nothing is mounted, loaded or moved for a run.** Each of these costs more than
//! a small run. Moving a process between control groups can wait milliseconds for all
//! processors; a filter is checked and compiled when it is installed; making and
//! removing a network namespace takes longer than running a small program. So a
//! launcher does these things once: it joins its group, in which its runs are then
//! born, moves into its namespaces and installs the filter, which runs inherit. A root
//! is a separate mount namespace that a run enters by its descriptor; it serves
//! successive runs of the same program until one of them touches the scratch folder.
//! The one exception: compilers and runtimes need `/proc`, which belongs to the run's
//! own pid namespace and so has to be mounted for each of them.
//!
//! **Why a pid namespace with an init.** A pid namespace hides all other processes,
//! gives every run the same process ids, and is killed as a whole. It needs an init,
//! which must not be the run: as process 1, abort(3) would end by SIGSEGV and most
//! signals would be ignored. So the run is process 2. It is the launcher's own child,
//! and not init's: its end then wakes only the launcher. Init and namespace are made
//! between runs, when nothing waits for them (`sys/pid_namespace.rs`). They are used
//! again, run after run, for as long as no run makes a process: each run has then
//! shared the namespace with init only. `launcher/pid_namespaces.rs` explains how that
//! is known, and where each run needs a fresh one.
//!
//! **Why an ordinary user's launcher lives in a pid namespace of its own.** Entering
//! another pid namespace and coming back takes rights over both, and an ordinary user
//! has rights only over namespaces made in their own user namespace. A process cannot
//! move into a pid namespace itself: the launcher continues in a child there, and the
//! original process waits for that child.
//!
//! **Why memory files.** Standard input has no name, so it cannot lead a run to other
//! files, and it is sealed. Output cannot be read back, needs no reader thread while
//! the run lasts, and `RLIMIT_FSIZE` stops it one byte beyond the limit.
//!
//! **Why files go through descriptors.** A run may be given files, and leave its output
//! in a file. Neither the launcher nor the run can reach the files that the judge can:
//! so the copies come as one file in memory beside the request, and the output goes
//! back into another one, once no process of the run lives. The output file is opened
//! without following links, blocking or trusting its type (`rootfs/scratch_folder.rs`).
//! Given files are in place before measuring begins, so they do not count as the run's
//! memory.
//!
//! **CPU time** is that of all processes. The usage that wait4(2) reports of reaped
//! processes includes the children that they waited for; the group's counter, less what
//! the launcher itself has used, covers all processes. The larger of the two counts.
//! Without a group, the second is what was seen of each process while it lived
//! (`launcher/usage_meter.rs`). Between samples the launcher sleeps for as long as no
//! limit can be broken, so a short run is never sampled.
//!
//! **Memory** is the group's peak, which is reset before each run and at each sample,
//! less what was there before (the launcher), less the pages of the output, and less
//! the cached pages of disk files that this run happened to be the first to read, as
//! many as there were when the peak may have been reached (`cgroup/memory_peak.rs`).
//! Without a group, or before Linux 6.12 with version 2, it is the peak of the largest
//! process or the largest sum of a sample, whichever is more, and never below the
//! launcher's own peak, at which every process starts; a scratch folder in memory
//! counts too. Of a run of one process, the kernel knows the pages that no file holds,
//! and these count at every level (`launcher/process_memory.rs`). The group's own limit
//! is above that of the run, by its output and some slack: it protects the machine,
//! while the measured figure decides whether the run broke its limit.
//!
//! **Wall time** runs from just before the clone to the end of the first process. The
//! limit is extended by the time for which the run waited for a processor, so that a
//! busy machine does not make a program look idle. `launcher/run_watch.rs` explains how
//! that is known of processes that have ended, and which waits do not count.
//!
//! **The end.** A run is over when its first process has ended; that process is killed
//! when a limit breaks. If it left no process, the reply goes out at once. Otherwise
//! init kills its whole namespace in one step, which works because fork(2) fails with a
//! signal pending, then reaps the processes and writes what they used to shared memory.
//! Level basic has no init: orphans become the launcher's own children, and a Landlock
//! domain, in which it may signal its descendants only, makes its `kill(-1)` do the
//! same in one step; on older kernels the processes are killed one by one, in passes.
//!
//! **When the judge dies**, its launchers see their socket close, end their runs,
//! remove its private folder and exit. **When a launcher dies**, init dies with it and
//! takes the namespace along; at level basic the run's first process dies with the
//! launcher, and the processes that it leaves are found by their user id, if the slot
//! has its own. The judge starts another launcher and repeats the run, because no
//! verdict may depend on a launcher's death; a run on which every launcher dies is a
//! fault. Folders and groups that no process was left to remove, the next judge
//! removes: their names say which judge they belong to, so that it can check whether
//! that judge lives.
//!
//! # The levels
//!
//! | mechanism | full | user | basic |
//! |---|---|---|---|
//! | filter of system calls, no capability, `no_new_privs`, limits of the kernel | yes | yes | yes |
//! | pid namespace | one per run, or one for several that made no process | the same; one per run if the judge is not root | none |
//! | namespaces of mounts (a root), network, IPC, host name, control groups | one per slot | one per slot | none |
//! | user namespace | none | one per slot, if the judge is not root | none |
//! | Landlock, where the kernel has it | inside the root | inside the root | on the machine's files and on signals |
//! | control group | one per slot | one per slot, if an ordinary user has been delegated a subtree | none |
//! | user of its own | one per slot | one per slot, if the judge is root | one per slot, if the judge is root |
//! | scratch folder | in memory, bounded | in memory, bounded | on disk |
//! | compilers run as | the slot's user | the slot's user, or the judge's in its namespace | the judge's user |
//!
//! [`IsolationLevel`] and [`LevelChoice`] name them, [`Guarantees::notes`] says what
//! this machine lacks at a level. `docs/sandbox.md` lists what a level does not defend
//! against on any machine, and `tests/hostile/` tries it.

mod calibration;
mod cgroup;
mod confine;
mod fault;
mod host;
mod launch;
mod launcher;
mod limits;
pub mod machine;
mod protocol;
mod rootfs;
mod run;
mod sandbox;
mod scripted;
mod sys;

pub use calibration::{Stopwatch, calibrate};
pub use confine::inherited::{
    block_signals_at_start, low_limits, reset_judge_process,
};
pub use fault::{Fault, again_if_lost};
pub use host::linux_sandbox::LinuxSandbox;
pub use host::tool_query::ask;
pub use launch::{GivenFile, Input, Launch, Role, ScratchFiles};
pub use launcher::serve::become_launcher_if_asked;
pub use limits::{AddressSpace, Guarantees, IsolationLevel, LevelChoice, Limits};
pub use machine::DiskSpace;
pub use rootfs::executable::{self, make_folders_above, set_mode};
pub use rootfs::remove_tree::{empty_folder, remove_tree};
pub use run::{Exit, MissingOutput, Run, Usage};
pub use sandbox::{
    Interaction, InteractionListener, InteractionRequest, Party, Sandbox, Side,
    Stall, StopSwitch,
};
pub use scripted::ScriptedSandbox;
