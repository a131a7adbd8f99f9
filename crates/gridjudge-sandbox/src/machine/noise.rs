//! Finds sources of noisy timing or misleading figures on a machine, one function per
//! source: what was seen, its effect, and the command that fixes it. Knows the files of
//! [`KernelFiles`]; changes nothing.

use crate::machine::cgroup::CgroupHierarchy;
use crate::machine::processors::KernelFiles;
use crate::machine::{cgroup, processors};

/// A source of noisy timing or misleading figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoiseSource {
    /// What was seen.
    pub seen: String,
    /// Its effect on figures and verdicts.
    pub effect: &'static str,
    /// What to do about it; a command where there is one.
    pub remedy: String,
}

/// All sources, the worst first.
const SOURCES: [fn(&KernelFiles) -> Option<NoiseSource>; 12] = [
    other_load,
    debug_build,
    governor,
    boost,
    swap,
    strict_memory,
    quota,
    guest,
    huge_pages,
    shared_cores,
    crash_handler,
    random_addresses,
];

/// The sources of noise that are seen now, the worst first.
pub fn noise_sources() -> Vec<NoiseSource> {
    seen(&KernelFiles::of_this_machine())
}

fn seen(files: &KernelFiles) -> Vec<NoiseSource> {
    SOURCES.iter().filter_map(|source| source(files)).collect()
}

fn other_load(files: &KernelFiles) -> Option<NoiseSource> {
    // Below this, other work hardly ever affects runs.
    const WAITING_PERCENT: f64 = 10.0;
    let processors = processors::processors();
    let load = processors::load_average(&files.text("/proc/loadavg")?)?;
    let waiting = files
        .text("/proc/pressure/cpu")
        .and_then(|text| processors::pressure(&text));
    let is_busy = load >= 0.5 * processors as f64
        || waiting.is_some_and(|percent| percent >= WAITING_PERCENT);
    let waited = waiting.map_or_else(String::new, |percent| {
        format!("; in {percent:.0} % of the last ten seconds some thread waited for a processor")
    });
    is_busy.then(|| NoiseSource {
        seen: format!(
            "other programs are at work: a load of {load} on {processors} processors over the \
             last minute{waited}"
        ),
        effect: "they share caches and memory bandwidth with the runs, so a program that uses much \
                 memory takes ten to twenty per cent more CPU time; waiting for a processor is not \
                 counted",
        remedy: "find them with `top`, and judge when they are done".to_owned(),
    })
}

fn debug_build(_: &KernelFiles) -> Option<NoiseSource> {
    cfg!(debug_assertions).then(|| NoiseSource {
        seen: "this gridjudge is a debug build".to_owned(),
        effect: "checking is much slower, and takes processors and caches from runs",
        remedy: "`cargo build --release`".to_owned(),
    })
}

fn governor(files: &KernelFiles) -> Option<NoiseSource> {
    let governors = files.of_each_processor("cpufreq/scaling_governor");
    let slowing: Vec<_> = governors
        .iter()
        .filter(|name| *name != "performance")
        .map(String::as_str)
        .collect();
    (!slowing.is_empty()).then(|| NoiseSource {
        seen: format!(
            "processors change their speed by the governor `{}`",
            slowing.join("` and `")
        ),
        effect: "a short run is over before its processor has sped up, and counts more time than \
                 the same work in a long one",
        remedy: "`echo performance | sudo tee \
                 /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor`"
            .to_owned(),
    })
}

fn boost(files: &KernelFiles) -> Option<NoiseSource> {
    const SWITCHES: [(&str, u64, u64); 2] = [
        ("/sys/devices/system/cpu/intel_pstate/no_turbo", 0, 1),
        ("/sys/devices/system/cpu/cpufreq/boost", 1, 0),
    ];
    let (path, _, off) = SWITCHES
        .iter()
        .find(|(path, on, _)| files.number(path) == Some(*on))?;
    Some(NoiseSource {
        seen: "processors may boost their clock (turbo)".to_owned(),
        effect: "a program is faster alone on a cool processor than beside others",
        remedy: format!("`echo {off} | sudo tee {path}`"),
    })
}

fn swap(files: &KernelFiles) -> Option<NoiseSource> {
    let swaps = files.text("/proc/swaps")?;
    // The first column below the header.
    let areas: Vec<_> = swaps
        .lines()
        .skip(1)
        .filter_map(|line| line.split_ascii_whitespace().next())
        .collect();
    let swappiness = files.number("/proc/sys/vm/swappiness");
    let eagerness = swappiness
        .map_or_else(String::new, |value| format!(" (vm.swappiness = {value})"));
    (!areas.is_empty()).then(|| NoiseSource {
        seen: format!(
            "memory may be swapped out to {}{eagerness}",
            areas.join(", ")
        ),
        effect: "what is swapped out does not count as a run's memory, and bringing it back costs \
                 time",
        remedy: "`sudo swapoff -a`".to_owned(),
    })
}

fn quota(files: &KernelFiles) -> Option<NoiseSource> {
    let quota = cgroup::quota(files, &CgroupHierarchy::all(files))?;
    Some(NoiseSource {
        seen: format!(
            "a control group limits this process and all that it starts to {quota:.2} processors"
        ),
        effect: "a process that has used up its quota is stopped until the next period, which \
                 looks like idling",
        remedy: "raise or lift the quota, for example `--cpus` of `docker run` or `CPUQuota` of systemd; \
                 until then keep `-j` below it"
            .to_owned(),
    })
}

fn guest(files: &KernelFiles) -> Option<NoiseSource> {
    let is_guest =
        processors::is_guest(&files.text("/proc/cpuinfo").unwrap_or_default());
    let stolen = files
        .text("/proc/stat")
        .and_then(|stat| processors::stolen(&stat))
        .unwrap_or(0.0);
    let taken = match stolen {
        0.0 => String::new(),
        _ => format!(
            "; the host took {:.2} % of the time since its start",
            stolen * 100.0
        ),
    };
    (is_guest || stolen > 0.0).then(|| NoiseSource {
        seen: format!("this is a virtual machine{taken}"),
        effect: "other machines on the host, which cannot be seen from here, take caches and time, \
                 and page faults cost several times as much",
        remedy: "none from inside: let limits be at least twice what the slowest right program \
                 needs, or ask for dedicated processors"
            .to_owned(),
    })
}

fn huge_pages(files: &KernelFiles) -> Option<NoiseSource> {
    const SWITCH: &str = "/sys/kernel/mm/transparent_hugepage/enabled";
    (chosen(&files.text(SWITCH)?)? == "always").then(|| NoiseSource {
        seen: "transparent huge pages are `always` on".to_owned(),
        effect: "one byte may count as 2 MiB of memory, and a run may wait while memory is moved \
                 to make a huge page",
        remedy: format!("`echo madvise | sudo tee {SWITCH}`"),
    })
}

/// The selected word of a file such as `always [madvise] never`.
fn chosen(text: &str) -> Option<&str> {
    text.split_ascii_whitespace()
        .find_map(|word| word.strip_prefix('[')?.strip_suffix(']'))
}

fn shared_cores(files: &KernelFiles) -> Option<NoiseSource> {
    (files.number("/sys/devices/system/cpu/smt/active")? == 1).then(|| NoiseSource {
        seen: "two processors share each core (SMT)".to_owned(),
        effect: "two runs on one core slow each other down",
        remedy: "leave `-j` at its default, one run for each physical core, or `echo off | sudo \
                 tee /sys/devices/system/cpu/smt/control`"
            .to_owned(),
    })
}

fn crash_handler(files: &KernelFiles) -> Option<NoiseSource> {
    let handler = files
        .text("/proc/sys/kernel/core_pattern")?
        .strip_prefix('|')?
        .split_ascii_whitespace()
        .next()?
        .to_owned();
    Some(NoiseSource {
        seen: format!("the kernel hands every program that crashes to {handler}"),
        effect: "each submission that crashes starts it, and it works beside the runs that follow",
        remedy: "`sudo sysctl kernel.core_pattern=core`".to_owned(),
    })
}

fn random_addresses(files: &KernelFiles) -> Option<NoiseSource> {
    let level = files.number("/proc/sys/kernel/randomize_va_space")?;
    let personality = files.text("/proc/self/personality").unwrap_or_default();
    (level > 0 && !has_fixed_addresses(&personality)).then(|| NoiseSource {
        seen: "programs are loaded at random addresses".to_owned(),
        effect: "the same program meets its caches differently from run to run; a small effect, \
                 and the usual state",
        remedy: "let the judge call personality(2), which the filter of most containers forbids"
            .to_owned(),
    })
}

/// Whether a personality, in hexadecimal, has `ADDR_NO_RANDOMIZE` (personality(2)).
fn has_fixed_addresses(personality: &str) -> bool {
    u32::from_str_radix(personality, 16).is_ok_and(|bits| bits & 0x004_0000 != 0)
}

fn strict_memory(files: &KernelFiles) -> Option<NoiseSource> {
    const STRICT: u64 = 2;
    (files.number("/proc/sys/vm/overcommit_memory")? == STRICT).then(|| NoiseSource {
        seen: "the kernel promises no more memory than it has (vm.overcommit_memory = 2)"
            .to_owned(),
        effect: "programs that reserve much and use little, as all of Java and Go do, may fail to \
                 start",
        remedy: "`sudo sysctl vm.overcommit_memory=0`".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::processors::tests::fake_machine;

    /// Asserts that these files alone show a source, and that with the last of them
    /// changed to `quiet` they do not.
    #[track_caller]
    fn shows(
        source: fn(&KernelFiles) -> Option<NoiseSource>,
        texts: &[(&str, &str)],
        quiet: &str,
        remedy: &str,
    ) {
        let noise = source(&fake_machine(texts).1).expect("the source is seen");
        assert!(noise.remedy.contains(remedy), "{}", noise.remedy);
        let mut changed = texts.to_vec();
        changed.last_mut().unwrap().1 = quiet;
        assert_eq!(source(&fake_machine(&changed).1), None);
        assert_eq!(source(&fake_machine(&[]).1), None);
    }

    #[test]
    fn each_source_is_seen_where_it_is_and_only_there() {
        const CPU: &str = "/sys/devices/system/cpu";
        let governor_file = format!("{CPU}/cpu1/cpufreq/scaling_governor");
        shows(
            governor,
            &[(&governor_file, "powersave\n")],
            "performance\n",
            "echo performance | sudo tee",
        );
        let turbo = format!("{CPU}/intel_pstate/no_turbo");
        shows(
            boost,
            &[(&turbo, "0")],
            "1",
            &format!("echo 1 | sudo tee {turbo}"),
        );
        let amd = format!("{CPU}/cpufreq/boost");
        shows(
            boost,
            &[(&amd, "1\n")],
            "0\n",
            &format!("echo 0 | sudo tee {amd}"),
        );
        let header = "Filename\tType\tSize\tUsed\tPriority\n";
        shows(
            swap,
            &[(
                "/proc/swaps",
                &format!("{header}/dev/sda2 partition 9 0 -2"),
            )],
            header,
            "swapoff",
        );
        let pages = "/sys/kernel/mm/transparent_hugepage/enabled";
        shows(
            huge_pages,
            &[(pages, "[always] madvise never\n")],
            "always [madvise] never\n",
            "echo madvise",
        );
        shows(
            shared_cores,
            &[(&format!("{CPU}/smt/active"), "1\n")],
            "0\n",
            "`-j`",
        );
        shows(
            guest,
            &[("/proc/cpuinfo", "flags : fpu hypervisor\n")],
            "flags : fpu\n",
            "twice",
        );
        shows(
            guest,
            &[("/proc/stat", "cpu  9 0 0 0 0 0 0 1 0 0\n")],
            "cpu  9 0 0 0 0 0 0 0 0 0\n",
            "twice",
        );
        let handler = "|/usr/share/apport/apport -p%p";
        shows(
            crash_handler,
            &[("/proc/sys/kernel/core_pattern", handler)],
            "core",
            "core_pattern=core",
        );
        shows(
            strict_memory,
            &[("/proc/sys/vm/overcommit_memory", "2")],
            "0",
            "overcommit_memory=0",
        );
    }

    #[test]
    fn a_load_is_seen_if_it_is_half_the_processors_or_threads_wait() {
        const QUIET: (&str, &str) = ("/proc/loadavg", "0.00 0.00 0.00 1/99 7");
        shows(
            other_load,
            &[("/proc/loadavg", "99999.5 0 0 1/99 7")],
            QUIET.1,
            "`top`",
        );
        let waiting = "some avg10=12.50 avg60=0.00 avg300=0.00 total=1";
        shows(
            other_load,
            &[QUIET, ("/proc/pressure/cpu", waiting)],
            &waiting.replace("12", "2"),
            "`top`",
        );
    }

    #[test]
    fn random_addresses_are_seen_unless_this_process_has_switched_them_off() {
        const ON: (&str, &str) = ("/proc/sys/kernel/randomize_va_space", "2");
        shows(random_addresses, &[ON], "0", "personality(2)");
        shows(
            random_addresses,
            &[ON, ("/proc/self/personality", "00000000")],
            "00040000",
            "personality(2)",
        );
    }

    #[test]
    fn a_quota_is_seen_with_its_figure() {
        let (_folder, files) = fake_machine(&[
            (
                "/proc/self/mountinfo",
                "1 1 0:1 / /cg rw - cgroup2 cgroup2 rw",
            ),
            ("/proc/self/cgroup", "0::/\n"),
            ("/cg/cpu.max", "150000 100000\n"),
        ]);
        assert!(quota(&files).unwrap().seen.contains("to 1.50 processors"));
    }

    #[test]
    fn a_machine_without_kernel_files_has_no_noise_except_a_debug_build() {
        let found = seen(&fake_machine(&[]).1);
        assert_eq!(found.len(), usize::from(cfg!(debug_assertions)));
    }
}
