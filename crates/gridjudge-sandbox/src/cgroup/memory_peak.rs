//! The peak of a run's memory, put together from what a control group had between one look and the next. Knows figures;
//! knows nothing of how they are read. Start at [`MemoryPeak::note`].
//!
//! A group counts what is not a run's memory, too: its output, which is in memory, and files of the disk that it was the
//! first to read. When these came is known as far as looks tell, so from the most that the group had between two looks goes
//! the larger of what there was at either: that is never too little. What came before, or goes afterwards, hides nothing.
//! How much came in between is known: so much more the run may have had, and given back.

/// The peak so far.
#[derive(Debug, Default)]
pub(crate) struct MemoryPeak {
    bytes: u64,
    /// What it may have been, if all that came between two looks came after the peak.
    possible_bytes: u64,
    /// What was found at the last look.
    last: ExcludedMemory,
}

/// What the group has that is not the run's memory.
#[derive(Clone, Copy, Debug, Default)]
struct ExcludedMemory {
    /// Before the group was looked at, and behind that.
    output_before: u64,
    output_bytes: u64,
    cache_bytes: u64,
}

/// What the group had.
pub(crate) struct MemoryReading {
    /// The most since the last look.
    pub(crate) most_bytes: u64,
    /// At this look.
    pub(crate) now_bytes: u64,
}

impl MemoryPeak {
    /// Takes note of a look, before and behind which there was so much output; the peak between the last look and this one. How much there
    /// is of files of the disk takes long to find out, and is asked only where it matters.
    pub(crate) fn note(
        &mut self,
        had: &MemoryReading,
        [output_before, output_bytes]: [u64; 2],
        cache_bytes: impl FnOnce() -> u64,
    ) -> u64 {
        let most = had.most_bytes.saturating_sub(output_bytes.max(self.last.output_bytes));
        let possible = had.most_bytes.saturating_sub(output_bytes.min(self.last.output_before));
        let now = had.now_bytes.saturating_sub(output_bytes);
        (self.last.output_before, self.last.output_bytes) = (output_before, output_bytes);
        if most.max(now) <= self.bytes && possible <= self.possible_bytes {
            // There is no more of files than there is of all.
            self.last.cache_bytes = self.last.cache_bytes.min(now);
            return now;
        }
        let cache = cache_bytes();
        let found = most.saturating_sub(cache.max(self.last.cache_bytes)).max(now.saturating_sub(cache));
        let possible = possible.saturating_sub(cache.min(self.last.cache_bytes)).max(found);
        self.possible_bytes = self.possible_bytes.max(possible);
        self.last.cache_bytes = cache;
        self.bytes = self.bytes.max(found);
        found
    }

    /// The most that was noted.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// By how much it may have been more, behind output and files that came between the same two looks.
    pub(crate) fn hidden_bytes(&self) -> u64 {
        self.possible_bytes - self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks: the most since the last and what there is now, output, and files of the disk.
    fn peak(looks: &[(u64, u64, u64, u64)]) -> u64 {
        let mut peak = MemoryPeak::default();
        for &(most_bytes, now_bytes, output, cache) in looks {
            peak.note(&MemoryReading { most_bytes, now_bytes }, [output; 2], || cache);
        }
        peak.bytes()
    }

    #[test]
    fn the_peak_is_the_most_without_output_and_files() {
        assert_eq!(peak(&[(40, 40, 0, 0)]), 40);
        assert_eq!(peak(&[(40, 40, 15, 5)]), 20);
        assert_eq!(peak(&[]), 0);
    }

    #[test]
    fn output_and_files_that_come_later_hide_nothing() {
        // 120 used and given back; then as much output.
        assert_eq!(peak(&[(120, 120, 0, 0), (120, 0, 0, 0), (120, 120, 120, 0)]), 120);
        // 110 used and given back; then a large file.
        assert_eq!(peak(&[(60, 60, 0, 0), (110, 110, 0, 0), (110, 1, 0, 0), (90, 90, 0, 90)]), 110);
    }

    #[test]
    fn what_was_used_between_two_looks_counts_beyond_what_else_there_was_at_either() {
        assert_eq!(peak(&[(5, 5, 0, 0), (80, 5, 0, 0)]), 80);
        assert_eq!(peak(&[(5, 5, 0, 0), (80, 35, 30, 0)]), 50);
    }

    #[test]
    fn output_and_files_that_go_again_are_nobodys_memory() {
        assert_eq!(peak(&[(50, 50, 20, 25), (60, 10, 0, 5)]), 15);
    }

    #[test]
    fn files_that_have_gone_unseen_hide_nothing_that_comes_later() {
        assert_eq!(peak(&[(100, 100, 0, 0), (150, 150, 0, 60), (100, 5, 0, 0), (170, 5, 0, 0)]), 165);
    }

    #[test]
    fn what_came_between_two_looks_may_hide_as_much() {
        let hidden = |looks: &[(u64, u64, u64, u64)]| {
            let mut peak = MemoryPeak::default();
            for &(most_bytes, now_bytes, output, cache) in looks {
                peak.note(&MemoryReading { most_bytes, now_bytes }, [output; 2], || cache);
            }
            (peak.bytes(), peak.hidden_bytes())
        };
        assert_eq!(hidden(&[(40, 40, 0, 0), (45, 30, 0, 0)]), (45, 0));
        // 100 used and given back, and 70 written, of which 10 behind a first look.
        assert_eq!(hidden(&[(100, 60, 60, 0)]), (40, 60));
        assert_eq!(hidden(&[(100, 5, 0, 0), (75, 75, 70, 0)]), (100, 0));
        assert_eq!(hidden(&[(90, 90, 0, 0), (100, 10, 10, 0), (75, 75, 70, 0)]), (90, 10));
        // The same with files, whatever came to memory before.
        assert_eq!(hidden(&[(100, 80, 0, 80)]), (20, 80));
        assert_eq!(hidden(&[(80, 80, 0, 80), (120, 90, 0, 90)]), (30, 50));
        assert_eq!(hidden(&[(70, 70, 30, 40), (160, 90, 40, 50)]), (70, 20));
    }

    #[test]
    fn output_that_came_while_the_group_was_looked_at_hides_what_comes_before_the_next_look() {
        let mut peak = MemoryPeak::default();
        peak.note(&MemoryReading { most_bytes: 5, now_bytes: 5 }, [0, 50], || 0);
        peak.note(&MemoryReading { most_bytes: 100, now_bytes: 60 }, [50, 50], || 0);
        assert_eq!((peak.bytes(), peak.hidden_bytes()), (50, 50));
    }

    #[test]
    fn files_are_looked_at_only_where_the_peak_may_have_grown() {
        let mut peak = MemoryPeak::default();
        peak.note(&MemoryReading { most_bytes: 50, now_bytes: 50 }, [10; 2], || 0);
        let found = peak
            .note(&MemoryReading { most_bytes: 50, now_bytes: 45 }, [10; 2], || panic!("asked for nothing"));
        assert_eq!((found, peak.bytes()), (35, 40));
    }
}
