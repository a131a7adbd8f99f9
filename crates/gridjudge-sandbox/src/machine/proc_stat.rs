//! Parses a line of `/proc/PID/stat`, which describes a process or a thread. Knows the
//! kernel's text; knows nothing of process trees.
//!
//! Source of all field numbers: proc_pid_stat(5).

use std::time::Duration;

use crate::machine::read_proc;
use crate::sys;

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

    pub(super) fn parse(line: &str) -> Option<Self> {
        line.rsplit_once(')')
            .map(|(_, fields)| Self(fields.to_owned()))
    }

    /// A field by its number in the manual, where the first after the name is 3.
    fn field(&self, number: usize) -> Option<&str> {
        self.0.split_ascii_whitespace().nth(number - 3)
    }

    fn state(&self) -> &str {
        self.field(3).unwrap_or_default()
    }

    pub(super) fn parent(&self) -> Option<i32> {
        self.field(4)?.parse().ok()
    }

    /// When it started, in ticks of the machine's clock.
    pub(super) fn start(&self) -> Option<u64> {
        self.field(22)?.parse().ok()
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
        let flags = self
            .field(9)
            .and_then(|flags| flags.parse::<u64>().ok())
            .unwrap_or(0);
        self.has_ended() || flags & ENDING != 0
    }

    /// Whether it exists and is asleep or stopped.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.state(), "S" | "T" | "t")
    }

    /// Whether it has put itself behind `other` in the competition for processors.
    pub(crate) fn has_lower_priority_than(&self, other: &Self) -> bool {
        let nice =
            |stat: &Self| stat.field(19).and_then(|nice| nice.parse::<i32>().ok());
        let policy = self.field(41).unwrap_or(FAIR[0]);
        nice(self) > nice(other)
            || !(FAIR.contains(&policy) || self.field(41) == other.field(41))
    }

    /// Whether it has waited for no child, and so no child's figures are added to its
    /// own.
    pub(crate) fn has_waited_for_none(&self) -> bool {
        self.field(11)
            .is_some_and(|faults_of_children| faults_of_children == "0")
    }

    /// CPU time of the children that it has waited for, including those that they have
    /// waited for, rounded down.
    pub(super) fn cpu_of_children(&self) -> Duration {
        let ticks = |number| {
            self.field(number)
                .and_then(|ticks| ticks.parse::<u64>().ok())
                .unwrap_or(0)
        };
        sys::tick()
            .saturating_mul(u32::try_from(ticks(16) + ticks(17)).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
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
