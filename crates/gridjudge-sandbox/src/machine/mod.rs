//! Reads what this machine tells about itself: what decides how well programs can be kept apart, and what makes timing
//! noisy. Starts no process, changes nothing, and knows nothing of judging. Each parse is a function of text, so that
//! tests need no second machine. Start at [`facts`] and [`noise_sources`].

mod cgroup;
mod facts;
pub(crate) mod judge_process;
mod kernel_files;
mod noise;
pub(crate) mod proc_stat;
pub(crate) mod process_tree;
mod processors;

use kernel_files::KernelFiles;

/// Something that a machine says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFact {
    /// What it is about, as `kernel`.
    pub name: &'static str,
    /// What was read, in a few words.
    pub value: String,
}

/// A source of noise in timing, or of figures that mislead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseSource {
    /// What was seen.
    pub seen: String,
    /// What it does to figures and verdicts.
    pub effect: &'static str,
    /// What to do about it; a command, where one helps.
    pub remedy: String,
}

/// What decides about isolation, in the order of a report. What this machine does not tell is left out.
pub fn facts() -> Vec<MachineFact> {
    facts::read(&KernelFiles::of_this_machine())
}

/// The sources of noise that are seen now, the worst first.
pub fn noise_sources() -> Vec<NoiseSource> {
    noise::seen(&KernelFiles::of_this_machine())
}

/// The machine in words: its processor, how many of them, its kernel. What it does not tell is left out.
pub fn summary() -> String {
    let files = KernelFiles::of_this_machine();
    let model = files.text("/proc/cpuinfo").and_then(|cpuinfo| processors::model(&cpuinfo));
    let count = match processors() {
        1 => "1 processor".to_owned(),
        count => format!("{count} processors"),
    };
    let kernel = files.text("/proc/sys/kernel/osrelease").map(|release| format!("Linux {release}"));
    [model, Some(count), kernel].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Processors that this process may use.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Physical cores, if the machine tells.
pub fn physical_cores() -> Option<usize> {
    processors::physical_cores(&KernelFiles::of_this_machine())
}

/// What the maker of the processors calls them; the architecture, where the machine does not tell.
pub fn processor_model() -> String {
    let named =
        KernelFiles::of_this_machine().text("/proc/cpuinfo").and_then(|cpuinfo| processors::model(&cpuinfo));
    named.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
