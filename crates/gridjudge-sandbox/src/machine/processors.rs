//! Reads what the processors are, and how busy. Knows the files about processors;
//! leaves advice to `noise.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::Access;

/// Describes the machine: its processor, how many of them, its kernel. Unknown parts
/// are left out.
pub fn processor_summary() -> String {
    let files = KernelFiles::of_this_machine();
    let count = match processors() {
        1 => "1 processor".to_owned(),
        count => format!("{count} processors"),
    };
    let kernel = files
        .text("/proc/sys/kernel/osrelease")
        .map(|release| format!("Linux {release}"));
    [files.model(), Some(count), kernel]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The name of this machine in its network; empty if it has none.
pub fn host_name() -> String {
    let files = KernelFiles::of_this_machine();
    files.text("/proc/sys/kernel/hostname").unwrap_or_default()
}

/// The number of processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The number of physical cores, if the machine reports it.
pub fn physical_cores() -> Option<usize> {
    cores_in(&KernelFiles::of_this_machine())
}

/// The model name of the processors; the architecture if the machine does not report
/// one.
pub fn processor_model() -> String {
    let named = KernelFiles::of_this_machine().model();
    named.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The number of physical cores, which are groups of processors that are siblings of
/// each other.
pub(super) fn cores_in(files: &KernelFiles) -> Option<usize> {
    let groups = files.of_each_processor("topology/thread_siblings_list");
    (!groups.is_empty()).then_some(groups.len())
}

/// The model name of the processor, if `/proc/cpuinfo` contains one.
fn model(cpuinfo: &str) -> Option<String> {
    let (_, name) = cpuinfo
        .lines()
        .find(|line| line.starts_with("model name"))?
        .split_once(':')?;
    Some(name.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|name| !name.is_empty())
}

/// Whether `/proc/cpuinfo` is that of a guest, which x86 shows by a flag.
pub(super) fn is_guest(cpuinfo: &str) -> bool {
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|line| {
        line.split_ascii_whitespace()
            .any(|flag| flag == "hypervisor")
    })
}

/// The share of all time since the start that the host has taken, from 0 to 1. Read
/// from the first line of `/proc/stat`:
/// `cpu user nice system idle iowait irq softirq steal ..`; later fields are already
/// counted in `user`.
pub(super) fn stolen(stat: &str) -> Option<f64> {
    const STEAL: usize = 7;
    let fields = stat
        .lines()
        .next()?
        .strip_prefix("cpu ")?
        .split_ascii_whitespace()
        .take(STEAL + 1)
        .map(|field| field.parse().ok())
        .collect::<Option<Vec<f64>>>()?;
    let total: f64 = fields.iter().sum();
    let steal = fields.get(STEAL)?;
    (total > 0.0).then_some(steal / total)
}

/// The average number of processes that ran or wanted to over the last minute: the
/// first figure of `/proc/loadavg`.
pub(super) fn load_average(loadavg: &str) -> Option<f64> {
    loadavg.split_ascii_whitespace().next()?.parse().ok()
}

/// The percentage of the last ten seconds in which some thread waited:
/// `some avg10=1.50 ..` of `/proc/pressure/cpu`.
pub(super) fn pressure(text: &str) -> Option<f64> {
    text.lines()
        .find_map(|line| line.strip_prefix("some "))?
        .split_ascii_whitespace()
        .find_map(|field| field.strip_prefix("avg10="))?
        .parse()
        .ok()
}

/// How long some process of the machine has waited for a disk or for swapped memory
/// since the machine was started; `None` if the kernel does not say.
pub(crate) fn disk_waits() -> Option<Duration> {
    let of = |what: &str| {
        stalled(&fs::read_to_string(format!("/proc/pressure/{what}")).ok()?)
    };
    Some(of("io")? + of("memory")?)
}

/// How long some process was stalled, by a file of `/proc/pressure`, in microseconds
/// there. Source: Documentation/accounting/psi.rst.
fn stalled(text: &str) -> Option<Duration> {
    let some = text.lines().next()?.strip_prefix("some ")?;
    let total = some.rsplit_once("total=")?.1;
    total.parse().ok().map(Duration::from_micros)
}

// Reads the files in which a kernel describes the machine. Knows their root folder;
// knows nothing of what they mean.

/// Kernel files below a root folder, which tests replace. A file that cannot be read
/// counts as missing, because kernels differ.
pub(crate) struct KernelFiles {
    root: PathBuf,
}

impl KernelFiles {
    pub(crate) fn of_this_machine() -> Self {
        Self { root: "/".into() }
    }

    /// The text of a file, without surrounding white space.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        read_trimmed(&self.at(path))
    }

    /// The model name of the processor, if the machine reports one.
    fn model(&self) -> Option<String> {
        model(&self.text("/proc/cpuinfo")?)
    }

    /// The number that a file contains.
    pub(super) fn number(&self, path: &str) -> Option<u64> {
        self.text(path)?.parse().ok()
    }

    pub(super) fn exists(&self, path: &str) -> bool {
        self.at(path).exists()
    }

    /// Whether this process may make entries in a folder.
    pub(super) fn may_change(&self, folder: &str) -> bool {
        rustix::fs::access(self.at(folder), Access::WRITE_OK | Access::EXEC_OK)
            .is_ok()
    }

    /// The different texts of a file that each processor has, such as
    /// `topology/thread_siblings_list`.
    pub(super) fn of_each_processor(&self, name: &str) -> BTreeSet<String> {
        let Ok(entries) = fs::read_dir(self.at("/sys/devices/system/cpu")) else {
            return BTreeSet::new();
        };
        entries
            .flatten()
            .filter_map(|entry| read_trimmed(&entry.path().join(name)))
            .collect()
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }
}

fn read_trimmed(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

#[cfg(test)]
pub(super) mod tests;
