//! Finds the descendants of a launcher and what they use, from `/proc`. Knows processes
//! by their ids; knows nothing of limits. Start at [`ProcessTree::sample`].

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;
use std::{iter, process};

use crate::sys;

/// The usage of a process tree at one moment.
#[derive(Default)]
pub(crate) struct UsageSample {
    /// CPU time so far of all processes that were ever sampled.
    pub(crate) cpu: Duration,
    /// Memory of the processes that live, except pages of files.
    pub(crate) memory_bytes: u64,
}

/// One run's processes, as far as samples have seen them.
#[derive(Default)]
pub(crate) struct ProcessTree {
    /// CPU time of each process when last seen. A process that died keeps its last
    /// figure: if its parent ignores SIGCHLD, the kernel adds its time to no other
    /// process.
    last: HashMap<i32, Duration>,
    /// CPU time of all processes ever seen, up to when they were last seen.
    cpu: Duration,
    /// The most CPU time that the processes alive at one sample had used, with the
    /// children that they had waited for.
    with_waited: Duration,
    /// Children of this process that do not belong to the run.
    others: Vec<i32>,
}

impl ProcessTree {
    /// The empty tree of a run that is about to begin: processes that already exist do
    /// not belong to it.
    pub(crate) fn to_come() -> Self {
        Self {
            others: children_of(me()).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Measures the descendants of this process that have started since: all of them,
    /// or as many as are needed to find more CPU time than `enough`. With hundreds of
    /// busy processes on one processor, measuring all would take seconds.
    ///
    /// `of_reaped` is the CPU time of the processes that an init has reaped. The result
    /// is the larger of two lower bounds: what was seen of each process while it lived,
    /// and what the living processes have used with all children that they have waited
    /// for. The memory is that of all except the first.
    pub(crate) fn sample(
        &mut self,
        enough: Duration,
        of_reaped: Duration,
    ) -> UsageSample {
        let mut memory_bytes = 0;
        let mut is_first = true;
        let mut of_living = of_reaped;
        for pid in descendants() {
            if self.others.contains(&pid) {
                continue;
            }
            memory_bytes += if is_first { 0 } else { unshared_bytes(pid) };
            is_first = false;
            if let Some(cpu) = own_id_of(pid).and_then(sys::cpu_time) {
                self.note_cpu_time(pid, cpu);
                of_living += cpu
                    + ProcStat::of_process(pid)
                        .map_or(Duration::ZERO, |stat| stat.cpu_of_children());
            }
            self.with_waited = self.with_waited.max(of_living);
            if self.cpu_so_far() > enough {
                break;
            }
        }
        UsageSample {
            cpu: self.cpu_so_far(),
            memory_bytes,
        }
    }

    fn cpu_so_far(&self) -> Duration {
        self.cpu.max(self.with_waited)
    }

    fn note_cpu_time(&mut self, pid: i32, cpu: Duration) {
        // Less time than before means another process with the same id.
        let before = self.last.insert(pid, cpu).filter(|before| *before <= cpu);
        self.cpu += cpu - before.unwrap_or_default();
    }
}

/// The living descendants of this process. See [`descendants_of`].
pub(crate) fn descendants() -> impl Iterator<Item = i32> {
    descendants_of(me())
}

/// The living descendants of a process, parents before children; none if it is gone.
/// Each comes as soon as it is found, because some do not live as long as a complete
/// search takes.
pub(crate) fn descendants_of(ancestor: i32) -> impl Iterator<Item = i32> {
    let listed = children_of(ancestor);
    // All of them are found in the slow way.
    let mut asked = if listed.is_some() { 0 } else { usize::MAX };
    let mut found = listed.unwrap_or_else(|| among_all_processes(ancestor));
    let mut known: HashSet<i32> = found.iter().copied().collect();
    let mut taken = 0;
    iter::from_fn(move || {
        while taken == found.len() {
            let children = children_of(*found.get(asked)?).unwrap_or_default();
            // They are read thread by thread: if a thread ends meanwhile, its children
            // move to another thread of its process and would be found twice.
            let new = children.into_iter().filter(|pid| known.insert(*pid));
            found.extend(new);
            asked += 1;
        }
        taken += 1;
        Some(found[taken - 1])
    })
}

/// Whether the process ids in `/proc` are those that system calls of this process give.
pub(crate) fn has_own_ids() -> bool {
    me() == process::id() as i32
}

/// The id of this process in `/proc`, which may belong to an outer pid namespace.
fn me() -> i32 {
    let number = fs::read_link("/proc/self")
        .ok()
        .and_then(|number| number.to_str()?.parse().ok());
    number.unwrap_or(process::id() as i32)
}

/// The number in `/proc` of a child of this process, whose id is that of system calls.
pub(crate) fn number_of(child: i32) -> Option<i32> {
    if has_own_ids() {
        return Some(child);
    }
    children_of(me())?
        .into_iter()
        .find(|number| own_id_of(*number) == Some(child))
}

/// Converts a process id of `/proc` to the id that system calls of this process need.
/// Source: proc(5).
fn own_id_of(pid: i32) -> Option<i32> {
    let mine = me();
    let me = process::id() as i32;
    if mine == me {
        return Some(pid);
    }
    let numbers = |pid| numbers_in(&read_proc(format!("/proc/{pid}/status")).ok()?);
    let depth = numbers(mine)?.len();
    numbers(pid)?.get(depth - 1).copied()
}

/// The ids of a process, from that in `/proc` inwards.
pub(super) fn numbers_in(status: &str) -> Option<Vec<i32>> {
    proc_field(status, "NSpid")?
        .split_ascii_whitespace()
        .map(|number| number.parse().ok())
        .collect()
}

/// Whether no child of this process has children. `false` if that cannot be determined.
pub(crate) fn has_no_grandchild() -> bool {
    children_of(me()).is_some_and(|children| {
        children
            .into_iter()
            .all(|child| children_of(child).is_some_and(|below| below.is_empty()))
    })
}

/// The children of all threads of a process; `None` if the kernel does not list them
/// (it does if built with `CONFIG_PROC_CHILDREN`) or the process is gone.
fn children_of(pid: i32) -> Option<Vec<i32>> {
    let mut found = vec![];
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let list = read_proc(thread.path().join("children")).ok()?;
        found.extend(
            list.split_ascii_whitespace()
                .filter_map(|pid| pid.parse::<i32>().ok()),
        );
    }
    Some(found)
}

/// Finds descendants the slow way, by the parent of every process on the machine, about
/// 5 us each.
fn among_all_processes(ancestor: i32) -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in numbered("/proc") {
        if let Some(parent) = ProcStat::of_process(pid).and_then(|stat| stat.parent())
        {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = children.remove(&ancestor).unwrap_or_default();
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        found.extend(children.remove(pid).unwrap_or_default());
        next += 1;
    }
    found
}

/// The entries of a folder whose names are numbers.
pub(crate) fn numbered(folder: &str) -> impl Iterator<Item = i32> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The folder in `/proc` of each thread of a process.
pub(crate) fn threads_of(pid: i32) -> impl Iterator<Item = String> {
    numbered(&format!("/proc/{pid}/task"))
        .map(move |thread| format!("/proc/{pid}/task/{thread}"))
}

/// What a file of `/proc` says of the memory of a process. If its first thread has
/// ended, only the files of other threads do.
pub(crate) fn memory_in<T>(
    file: &str,
    pid: i32,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    iter::once(format!("/proc/{pid}"))
        .chain(threads_of(pid))
        .find_map(|folder| read(&read_proc(format!("{folder}/{file}")).ok()?))
}

/// Whether a process whose first thread is about to exit goes on without it: another
/// thread lives, and is not being killed.
pub(crate) fn goes_on_without_first(pid: i32) -> bool {
    let first = format!("/proc/{pid}/task/{pid}");
    threads_of(pid)
        .filter(|thread| *thread != first)
        .any(|thread| {
            // In this order: a thread that is killed takes the signal, and then begins
            // to end.
            let status = read_proc(format!("{thread}/status")).unwrap_or_default();
            !is_being_killed(&status)
                && ProcStat::read_from(&thread).is_some_and(|stat| !stat.is_ending())
        })
}

/// Whether SIGKILL is pending for a thread. Source: proc_pid_status(5).
fn is_being_killed(status: &str) -> bool {
    proc_field(status, "SigPnd")
        .and_then(|signals| u64::from_str_radix(signals, 16).ok())
        .is_some_and(|signals| signals & 1 << (libc::SIGKILL - 1) != 0)
}

/// Resident memory without pages of files and of memory that may be shared with the
/// first process. Source: proc_pid_statm(5).
fn unshared_bytes(pid: i32) -> u64 {
    memory_in("statm", pid, |statm| {
        let mut fields = statm.split_ascii_whitespace().skip(1);
        let resident: u64 = fields.next()?.parse().ok()?;
        let shared: u64 = fields.next()?.parse().ok()?;
        // An ended thread has none.
        (resident > 0).then_some(resident.saturating_sub(shared))
    })
    .unwrap_or(0)
        * sys::page_bytes()
}

/// When a process started, in ticks of the machine's clock. With the process id this
/// identifies a process uniquely. Source: proc(5).
fn start_of(pid: u32) -> Option<u64> {
    ProcStat::of_process(pid.cast_signed())?.start()
}

/// All processes of a user.
pub(crate) fn processes_of(user: u32) -> impl Iterator<Item = i32> {
    numbered("/proc").filter(move |pid| {
        fs::metadata(format!("/proc/{pid}")).is_ok_and(|found| found.uid() == user)
    })
}

/// The number of threads that this user has on the whole machine.
pub(crate) fn threads_of_user(user: u32) -> u64 {
    processes_of(user)
        .map(|pid| threads_of(pid).count() as u64)
        .sum()
}

/// Reads a file of `/proc`. The kernel does not say how large it is, so the standard
/// library would ask in vain and begin with 32 bytes: up to ten system calls, where
/// this takes four.
pub(crate) fn read_proc(path: impl AsRef<Path>) -> io::Result<String> {
    let mut text = String::with_capacity(4096);
    // What is taken from a file has no size to ask for.
    File::open(path)?.take(u64::MAX).read_to_string(&mut text)?;
    Ok(text)
}

/// The value of a line such as `NAME: value`, of which many files of `/proc` consist.
pub(crate) fn proc_field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .map(str::trim)
}

/// A value of that kind in KiB, in bytes.
pub(crate) fn proc_bytes(text: &str, name: &str) -> Option<u64> {
    let kibibytes: u64 = proc_field(text, name)?
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()?;
    kibibytes.checked_mul(1024)
}

// Makes and parses names that say which judge something belongs to, so that what a dead
// judge left can be distinguished from what a living one uses. Knows processes; knows
// nothing of what is named. Start at [`JudgeProcess::read_from`].

/// The prefix of all our names.
const MARK: &str = "gridjudge-";

/// A judge, by its process id and the time when the process started, because process
/// ids are reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JudgeProcess {
    process: u32,
    start: u64,
}

impl JudgeProcess {
    /// This process.
    pub(crate) fn this() -> Self {
        let process = process::id();
        Self {
            process,
            start: start_of(process).unwrap_or(0),
        }
    }

    /// The judge that a name contains; `None` if the name is not ours.
    fn read_from(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(MARK)?.splitn(3, '-');
        let process = parts.next()?.parse().ok()?;
        let start = parts.next()?.parse().ok()?;
        Some(Self { process, start })
    }

    /// The entries of a folder whose names say that they belong to a dead judge.
    pub(crate) fn left_by_dead(folder: &Path) -> impl Iterator<Item = fs::DirEntry> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter(|entry| {
            let owner = entry.file_name().to_str().and_then(Self::read_from);
            owner.is_some_and(Self::is_dead)
        })
    }

    /// The prefix of the names of everything that belongs to it.
    pub(crate) fn prefix(self) -> String {
        format!("{MARK}{}-{}-", self.process, self.start)
    }

    /// Whether the process is gone, as far as this process can see others.
    fn is_dead(self) -> bool {
        start_of(self.process) != Some(self.start)
    }
}

// Parses a line of `/proc/PID/stat`, which describes a process or a thread.
//
// Source of all field numbers: proc_pid_stat(5).

/// The schedulers that share processors fairly: normal, and batch. Source: sched(7).
const FAIR: [&str; 2] = ["0", "3"];

/// The flag of a thread that has begun to end, `PF_EXITING` of linux/sched.h.
const ENDING: u64 = 4;

/// The part of the line after the name, which is in parentheses and may itself contain
/// some.
pub(crate) struct ProcStat(String);

impl ProcStat {
    /// Reads the line of a process or thread, by the path of its folder in `/proc`.
    /// `None` if it is gone.
    pub(crate) fn read_from(folder: &str) -> Option<Self> {
        Self::parse(&read_proc(format!("{folder}/stat")).ok()?)
    }

    /// Reads the line of a process.
    pub(crate) fn of_process(pid: i32) -> Option<Self> {
        Self::read_from(&format!("/proc/{pid}"))
    }

    fn parse(line: &str) -> Option<Self> {
        line.rsplit_once(')')
            .map(|(_, fields)| Self(fields.to_owned()))
    }

    /// A field by its number in the manual, where the first after the name is 3.
    fn field(&self, number: usize) -> Option<&str> {
        self.0.split_ascii_whitespace().nth(number - 3)
    }

    fn figure<T: FromStr>(&self, number: usize) -> Option<T> {
        self.field(number)?.parse().ok()
    }

    fn state(&self) -> &str {
        self.field(3).unwrap_or_default()
    }

    fn parent(&self) -> Option<i32> {
        self.figure(4)
    }

    /// When it started, in ticks of the machine's clock.
    fn start(&self) -> Option<u64> {
        self.figure(22)
    }

    /// Whether it wants a processor, or has one.
    pub(crate) fn is_running(&self) -> bool {
        self.state() == "R"
    }

    /// Whether it has ended, reaped or not.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.state(), "" | "Z" | "X")
    }

    /// Whether it has ended, or has begun to end; its files are closed only later.
    pub(crate) fn is_ending(&self) -> bool {
        self.has_ended() || self.figure::<u64>(9).unwrap_or(0) & ENDING != 0
    }

    /// Whether it exists and is asleep or stopped.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.state(), "S" | "T" | "t")
    }

    /// Whether it has put itself behind `other` in the competition for processors.
    pub(crate) fn has_lower_priority_than(&self, other: &Self) -> bool {
        let policy = self.field(41).unwrap_or(FAIR[0]);
        self.figure::<i32>(19) > other.figure(19)
            || !(FAIR.contains(&policy) || self.field(41) == other.field(41))
    }

    /// Whether it has waited for no child, and so no child's figures are added to its
    /// own.
    pub(crate) fn has_waited_for_none(&self) -> bool {
        let faults_of_children = self.field(11);
        faults_of_children == Some("0")
    }

    /// CPU time of the children that it has waited for, including those that they have
    /// waited for, rounded down.
    fn cpu_of_children(&self) -> Duration {
        let ticks = |number| self.figure::<u64>(number).unwrap_or(0);
        sys::tick()
            .saturating_mul(u32::try_from(ticks(16) + ticks(17)).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_an_id_in_each_namespace_from_the_outermost() {
        assert_eq!(
            numbers_in("Name:\tx\nNSpid:\t4711\t12\t1\nNSpgid:\t1\n"),
            Some(vec![4711, 12, 1])
        );
        assert_eq!(numbers_in("Name:\tx\n"), None);
    }

    #[test]
    fn a_thread_is_being_killed_if_that_signal_waits_for_it_alone_or_with_others() {
        let is_killed = |signals: &str| {
            is_being_killed(&format!("Name:\tx\nSigPnd:\t{signals}\nShdPnd:\t0\n"))
        };
        assert!(is_killed("0000000000000100") && is_killed("0000000000000302"));
        assert!(!is_killed("0000000000000000") && !is_killed("0000000000000080"));
        assert!(!is_being_killed(""));
    }

    #[test]
    fn the_time_of_a_dead_process_is_kept_if_its_id_is_reused() {
        let mut tree = ProcessTree::default();
        tree.note_cpu_time(7, Duration::from_millis(30));
        tree.note_cpu_time(8, Duration::from_millis(5));
        tree.note_cpu_time(7, Duration::from_millis(10));
        assert_eq!(tree.cpu, Duration::from_millis(45));
        tree.note_cpu_time(7, Duration::from_millis(12));
        assert_eq!(tree.cpu, Duration::from_millis(47));
    }
}

#[cfg(test)]
mod judge_process_tests {
    use super::*;

    #[test]
    fn a_name_contains_its_judge_and_other_names_contain_none() {
        let this = JudgeProcess::this();
        assert_eq!(
            JudgeProcess::read_from(&format!("{}x7", this.prefix())),
            Some(this)
        );
        assert!(!this.is_dead());
        assert!(
            JudgeProcess {
                start: this.start + 1,
                ..this
            }
            .is_dead()
        );
        for name in [
            "gridjudge-neighbours",
            "gridjudge-12",
            "gridjudge-a-b-c",
            "other-12-34-x",
        ] {
            assert_eq!(JudgeProcess::read_from(name), None, "{name}");
        }
    }
}

#[cfg(test)]
mod proc_stat_tests {
    use super::*;

    fn stat(line: &str) -> ProcStat {
        ProcStat::parse(line).unwrap()
    }

    /// The line of a thread with this state, nice value and scheduler.
    fn thread(state: &str, nice: i32, policy: u32) -> ProcStat {
        let zeros = |count| vec!["0"; count].join(" ");
        stat(&format!(
            "7 (a b) {state} 1 {} {nice} {} {policy} 0",
            zeros(14),
            zeros(21)
        ))
    }

    #[test]
    fn the_parent_is_found_after_a_name_with_spaces_and_parentheses() {
        assert_eq!(stat("12 (a) R 3 (b c) S 77 12 12 0").parent(), Some(77));
        assert_eq!(stat("12 (cat) R 5 12").parent(), Some(5));
        assert!(ProcStat::parse("12").is_none());
        assert!(!stat("12 (a) R 3 (b c) S 77 12 12 0").is_running());
    }

    #[test]
    fn the_page_faults_of_children_show_whether_it_has_waited_for_any() {
        assert!(stat("7 (a) Z 1 7 7 0 -1 4 90 0 0 0 0 0").has_waited_for_none());
        assert!(!stat("7 (a) Z 1 7 7 0 -1 4 90 12 0 0 0 0").has_waited_for_none());
        assert!(!stat("7 (a)").has_waited_for_none());
    }

    #[test]
    fn a_thread_that_waits_for_a_disk_or_has_just_ended_is_not_idle() {
        let is_idle = |state: &str| stat(&format!("7 (a) {state} 3 7 7")).is_idle();
        assert!(is_idle("S") && is_idle("T") && is_idle("t"));
        assert!(
            !is_idle("R")
                && !is_idle("D")
                && !is_idle("Z")
                && !is_idle("X")
                && !stat("7 (a)").is_idle()
        );
    }

    #[test]
    fn a_thread_is_ending_from_the_moment_that_its_flags_say_so() {
        assert!(stat("7 (a) S 1 7 7 0 -1 4194308 9").is_ending());
        assert!(!stat("7 (a) S 1 7 7 0 -1 4194304 9").is_ending());
        assert!(stat("7 (a) Z 1 7 7 0 -1 4194304 9").is_ending());
    }

    #[test]
    fn a_higher_nice_value_or_the_idle_scheduler_means_lower_priority() {
        let launcher = thread("S", 0, 0);
        for (nice, policy, behind) in [
            (0, 0, false),
            (0, 3, false),
            (1, 0, true),
            (19, 3, true),
            (0, 5, true),
        ] {
            assert_eq!(
                thread("R", nice, policy).has_lower_priority_than(&launcher),
                behind,
                "{nice} {policy}"
            );
        }
        // If the launcher has the same values, the run has not chosen them.
        assert!(!thread("R", 10, 5).has_lower_priority_than(&thread("S", 10, 5)));
    }

    #[test]
    fn cpu_time_of_children_is_the_sum_of_two_fields_in_ticks() {
        let fields = (3..=17).map(|number| {
            if number < 16 {
                "9".to_owned()
            } else {
                number.to_string()
            }
        });
        let line = format!("7 (a) {}", fields.collect::<Vec<_>>().join(" "));
        assert_eq!(stat(&line).cpu_of_children(), sys::tick() * 33);
        assert_eq!(stat("7 (a) R 1").cpu_of_children(), Duration::ZERO);
    }
}
