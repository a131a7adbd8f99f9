//! One line of `/proc/PID/stat`, which tells of a process or a thread. Knows the kernel's text; knows nothing of trees.
//!
//! Source of all numbers of fields: proc_pid_stat(5).

use std::fs;
use std::time::Duration;

use crate::sys;

/// The schedulers that share processors fairly: normal, and batch. Source: sched(7).
const FAIR: [&str; 2] = ["0", "3"];

/// The flag of a thread that has begun to end, `PF_EXITING` of linux/sched.h.
const ENDING: u64 = 4;

/// What stands in the line behind the name, which is in parentheses and may hold some itself.
pub(crate) struct ProcStat(String);

impl ProcStat {
    /// Of a process, or of a thread by the path of its folder in `/proc`. None if it is gone.
    pub(crate) fn of(folder: &str) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("{folder}/stat")).ok()?)
    }

    pub(super) fn parse(line: &str) -> Option<Self> {
        line.rsplit_once(')').map(|(_, fields)| Self(fields.to_owned()))
    }

    /// A field by its number in the manual, where the first behind the name is 3.
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

    /// Whether it has ended, or has begun to: its files are closed later.
    pub(crate) fn is_ending(&self) -> bool {
        let flags = self.field(9).and_then(|flags| flags.parse::<u64>().ok()).unwrap_or(0);
        self.has_ended() || flags & ENDING != 0
    }

    /// Whether it is there and asleep, or stopped.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self.state(), "S" | "T" | "t")
    }

    /// Whether it stands behind another in the competition for processors, by a choice of its own.
    pub(crate) fn has_lower_priority_than(&self, other: &Self) -> bool {
        let nice = |stat: &Self| stat.field(19).and_then(|nice| nice.parse::<i32>().ok());
        let policy = self.field(41).unwrap_or(FAIR[0]);
        nice(self) > nice(other) || !(FAIR.contains(&policy) || self.field(41) == other.field(41))
    }

    /// CPU time of children that it has waited for, and of those that they have, rounded down.
    pub(super) fn cpu_of_children(&self) -> Duration {
        let ticks = |number| self.field(number).and_then(|ticks| ticks.parse::<u64>().ok()).unwrap_or(0);
        sys::tick().saturating_mul(u32::try_from(ticks(16) + ticks(17)).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(line: &str) -> ProcStat {
        ProcStat::parse(line).unwrap()
    }

    /// Of a thread with this state, nice value and scheduler.
    fn thread(state: &str, nice: i32, policy: u32) -> ProcStat {
        let zeros = |count| vec!["0"; count].join(" ");
        stat(&format!("7 (a b) {state} 1 {} {nice} {} {policy} 0", zeros(14), zeros(21)))
    }

    #[test]
    fn the_parent_stands_after_a_name_with_spaces_and_parentheses() {
        assert_eq!(stat("12 (a) R 3 (b c) S 77 12 12 0").parent(), Some(77));
        assert_eq!(stat("12 (cat) R 5 12").parent(), Some(5));
        assert!(ProcStat::parse("12").is_none());
        assert!(!stat("12 (a) R 3 (b c) S 77 12 12 0").is_running());
    }

    #[test]
    fn whoever_waits_for_a_disk_or_has_just_ended_is_not_idle() {
        let is_idle = |state: &str| stat(&format!("7 (a) {state} 3 7 7")).is_idle();
        assert!(is_idle("S") && is_idle("T") && is_idle("t"));
        assert!(!is_idle("R") && !is_idle("D") && !is_idle("Z") && !is_idle("X") && !stat("7 (a)").is_idle());
    }

    #[test]
    fn a_thread_is_ending_from_the_moment_that_its_flags_say_so() {
        assert!(stat("7 (a) S 1 7 7 0 -1 4194308 9").is_ending());
        assert!(!stat("7 (a) S 1 7 7 0 -1 4194304 9").is_ending());
        assert!(stat("7 (a) Z 1 7 7 0 -1 4194304 9").is_ending());
    }

    #[test]
    fn who_is_nicer_than_needed_or_wants_idle_time_only_stands_behind() {
        let launcher = thread("S", 0, 0);
        for (nice, policy, behind) in
            [(0, 0, false), (0, 3, false), (1, 0, true), (19, 3, true), (0, 5, true)]
        {
            assert_eq!(
                thread("R", nice, policy).has_lower_priority_than(&launcher),
                behind,
                "{nice} {policy}"
            );
        }
        // Where the judge itself has to run so, nobody has chosen it.
        assert!(!thread("R", 10, 5).has_lower_priority_than(&thread("S", 10, 5)));
    }

    #[test]
    fn children_have_used_the_sum_of_two_fields_of_ticks() {
        let fields = (3..=17).map(|number| if number < 16 { "9".to_owned() } else { number.to_string() });
        let line = format!("7 (a) {}", fields.collect::<Vec<_>>().join(" "));
        assert_eq!(stat(&line).cpu_of_children(), sys::tick() * 33);
        assert_eq!(stat("7 (a) R 1").cpu_of_children(), Duration::ZERO);
    }
}
