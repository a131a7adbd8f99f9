//! The descendants of a launcher and what they use, from `/proc`. Knows processes as
//! numbers; knows nothing of limits. Start at [`ProcessTree::sample`].

use std::collections::HashMap;
use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use crate::machine::proc_stat::ProcStat;
use crate::sys;

/// What a tree uses at one moment.
#[derive(Clone, Copy, Default)]
pub(crate) struct UsageSample {
    /// CPU time so far of all processes that were ever sampled.
    pub(crate) cpu: Duration,
    /// Memory of those that live.
    pub(crate) memory_bytes: u64,
}

/// One run's processes, as far as samples have met them.
#[derive(Default)]
pub(crate) struct ProcessTree {
    /// CPU time of each process when last met. One that died keeps its last figure: if its parent ignores
    /// SIGCHLD, the kernel adds its time to no other process.
    last: HashMap<i32, Duration>,
    /// CPU time of all processes ever met, up to when they were last met.
    cpu: Duration,
    /// The most that those alive at some look had used, with the children that they had waited for.
    with_waited: Duration,
    /// Children of this process that are not the run's.
    others: Vec<i32>,
}

impl ProcessTree {
    /// For a run that is about to begin: processes that exist already do not belong to it.
    pub(crate) fn to_come() -> Self {
        Self { others: children_of(me()).unwrap_or_default(), ..Self::default() }
    }

    /// Measures the descendants of this process that have come since: all of them, or as many as it takes to have found
    /// more CPU time than that is enough. Where hundreds burn on one processor, a look at all would take seconds.
    ///
    /// `of_reaped` is what those have used that an init has reaped. CPU time is a lower bound either way: what was seen of
    /// each process while it lived, or what the living have, with all children that they have waited for.
    pub(crate) fn sample(&mut self, enough: Duration, of_reaped: Duration) -> UsageSample {
        let (mut memory_bytes, mut is_first, mut of_living) = (0, true, of_reaped);
        for_each_descendant(|pid| {
            if self.others.contains(&pid) {
                return ControlFlow::Continue(());
            }
            memory_bytes += resident_bytes(pid, is_first);
            is_first = false;
            if let Some(cpu) = seen_from_here(pid).and_then(sys::cpu_time) {
                self.meet(pid, cpu);
                of_living += cpu + stat_of(pid).map_or(Duration::ZERO, |stat| stat.cpu_of_children());
            }
            self.with_waited = self.with_waited.max(of_living);
            if self.cpu_so_far() > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        UsageSample { cpu: self.cpu_so_far(), memory_bytes }
    }

    fn cpu_so_far(&self) -> Duration {
        self.cpu.max(self.with_waited)
    }

    fn meet(&mut self, pid: i32, cpu: Duration) {
        // Less than before is the time of another process, which was given the same number.
        let before = self.last.insert(pid, cpu).filter(|before| *before <= cpu);
        self.cpu += cpu - before.unwrap_or_default();
    }
}

/// Meets the living descendants of this process, parents before children, each as soon as it is found: some live no longer
/// than it takes to look for all. Goes on for as long as it is told to.
pub(crate) fn for_each_descendant(mut meet: impl FnMut(i32) -> ControlFlow<()>) {
    let me = me();
    let Some(mut found) = children_of(me) else {
        let _ = among_all_processes(me).into_iter().try_for_each(meet);
        return;
    };
    let mut known: HashSet<i32> = found.iter().copied().collect();
    let (mut met, mut asked) = (0, 0);
    loop {
        while let Some(&pid) = found.get(met) {
            if meet(pid).is_break() {
                return;
            }
            met += 1;
        }
        let Some(&pid) = found.get(asked) else { return };
        // Read thread by thread: what one that ends meanwhile leaves to another of its process would be found twice.
        found.extend(children_of(pid).unwrap_or_default().into_iter().filter(|pid| known.insert(*pid)));
        asked += 1;
    }
}

/// The living descendants of a process at this moment, or none if it is gone.
pub(crate) fn descendants_of(ancestor: i32) -> Vec<i32> {
    let Some(mut found) = children_of(ancestor) else { return among_all_processes(ancestor) };
    let mut asked = 0;
    while let Some(&pid) = found.get(asked) {
        let more: Vec<_> = children_of(pid).unwrap_or_default();
        found.extend(more.into_iter().filter(|pid| !found.contains(pid)).collect::<Vec<_>>());
        asked += 1;
    }
    found
}

/// This process, as `/proc` numbers it, which may be of a namespace further out.
fn me() -> i32 {
    let number = || fs::read_link("/proc/self").ok()?.to_str()?.parse().ok();
    number().unwrap_or(std::process::id() as i32)
}

/// A process that `/proc` numbers so, by the number that the kernel wants from us. Source: proc(5).
fn seen_from_here(pid: i32) -> Option<i32> {
    let (mine, me) = (me(), std::process::id() as i32);
    if mine == me {
        return Some(pid);
    }
    let numbers = |pid| numbers_in(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?);
    let depth = numbers(mine)?.len();
    numbers(pid)?.get(depth - 1).copied()
}

/// A process's numbers, from that of `/proc` inwards.
fn numbers_in(status: &str) -> Option<Vec<i32>> {
    let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    numbers.split_ascii_whitespace().map(|number| number.parse().ok()).collect()
}

/// Whether no child of this process has children. `false` where that cannot be told.
pub(crate) fn has_no_grandchild() -> bool {
    let is_childless = |pid: &i32| children_of(*pid).is_some_and(|children| children.is_empty());
    children_of(me()).is_some_and(|children| children.iter().all(is_childless))
}

/// The children of all threads of a process; `None` if the kernel does not list them (it does if built
/// with `CONFIG_PROC_CHILDREN`) or the process is gone.
fn children_of(pid: i32) -> Option<Vec<i32>> {
    let mut found = Vec::new();
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).ok()?;
        found.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
    }
    Some(found)
}

/// The slow way: the parent of every process on the machine, about 5 us each.
fn among_all_processes(ancestor: i32) -> Vec<i32> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in numbered("/proc") {
        if let Some(parent) = stat_of(pid).and_then(|stat| stat.parent()) {
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

fn stat_of(pid: i32) -> Option<ProcStat> {
    ProcStat::of(&format!("/proc/{pid}"))
}

/// Resident memory; without the part shared with others unless this is the first process, so that a page
/// in several processes counts once, or nearly.
fn resident_bytes(pid: i32, first: bool) -> u64 {
    let Ok(statm) = fs::read_to_string(format!("/proc/{pid}/statm")) else { return 0 };
    let mut fields = statm.split_ascii_whitespace().skip(1).map(|field| field.parse().unwrap_or(0));
    let (resident, shared): (u64, u64) = (fields.next().unwrap_or(0), fields.next().unwrap_or(0));
    let pages = if first { resident } else { resident.saturating_sub(shared) };
    pages * sys::page_bytes()
}

/// When a process started, in ticks of the machine's clock: with its number, its name for good. Source: proc(5).
pub(super) fn start_of(pid: u32) -> Option<u64> {
    ProcStat::of(&format!("/proc/{pid}"))?.start()
}

/// All processes of a user.
pub(crate) fn processes_of(user: u32) -> impl Iterator<Item = i32> {
    numbered("/proc").filter(move |pid| user_of(*pid) == Some(user))
}

/// Those of them that live: a dead one may stay for long if its parent does not reap it.
pub(crate) fn living_processes_of(user: u32) -> impl Iterator<Item = i32> {
    processes_of(user).filter(|pid| stat_of(*pid).is_some_and(|stat| !stat.has_ended()))
}

fn user_of(pid: i32) -> Option<u32> {
    Some(fs::metadata(format!("/proc/{pid}")).ok()?.uid())
}

/// Threads that this user has on the whole machine.
pub(crate) fn threads_of_user(user: u32) -> u64 {
    processes_of(user).map(|pid| numbered(&format!("/proc/{pid}/task")).count() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_a_number_in_each_namespace_from_the_outermost() {
        assert_eq!(numbers_in("Name:\tx\nNSpid:\t4711\t12\t1\nNSpgid:\t1\n"), Some(vec![4711, 12, 1]));
        assert_eq!(numbers_in("Name:\tx\n"), None);
    }

    #[test]
    fn a_process_that_died_keeps_its_time_and_so_does_its_namesake() {
        let mut tree = ProcessTree::default();
        tree.meet(7, Duration::from_millis(30));
        tree.meet(8, Duration::from_millis(5));
        tree.meet(7, Duration::from_millis(10));
        assert_eq!(tree.cpu, Duration::from_millis(45));
        tree.meet(7, Duration::from_millis(12));
        assert_eq!(tree.cpu, Duration::from_millis(47));
    }
}
