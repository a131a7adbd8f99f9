//! Computes the peak of a run's memory from a control group's peaks between samples.
//! Knows figures; knows nothing of how they are read. Start at
//! [`MemoryPeak::note_reading`].
//!
//! A group also counts memory that is not the run's: its output, which is in memory,
//! and disk files that it was the first to read. When this memory came is known only
//! from samples. So from the group's peak between two samples, the larger of the
//! excluded amounts at the two samples is subtracted, which is never too little.
//! Excluded memory that came before, or goes afterwards, hides nothing. How much came
//! in between is known: the run may have used, and freed, that much more.

/// The peak so far.
#[derive(Default)]
pub(crate) struct MemoryPeak {
    pub(crate) bytes: u64,
    /// What the peak may have been, if all excluded memory that came between two
    /// samples came after the peak.
    possible_bytes: u64,
    /// The output before the group was last sampled, and after that.
    last_output_before: u64,
    last_output: u64,
    /// The cached disk files at the last sample.
    last_cache: u64,
}

/// The memory of the group.
pub(crate) struct MemoryReading {
    /// The peak since the last sample.
    pub(crate) most_bytes: u64,
    /// The memory at this sample.
    pub(crate) now_bytes: u64,
}

impl MemoryPeak {
    /// Records a sample, with the output before and after it was taken, and returns the
    /// run's peak since the last sample. Finding out the amount of cached disk files
    /// takes long, so `cache_bytes` is called only where it matters.
    pub(crate) fn note_reading(
        &mut self,
        had: &MemoryReading,
        [output_before, output_bytes]: [u64; 2],
        cache_bytes: impl FnOnce() -> u64,
    ) -> u64 {
        let most = had
            .most_bytes
            .saturating_sub(output_bytes.max(self.last_output));
        let possible = had
            .most_bytes
            .saturating_sub(output_bytes.min(self.last_output_before));
        let now = had.now_bytes.saturating_sub(output_bytes);
        self.last_output_before = output_before;
        self.last_output = output_bytes;
        if most.max(now) <= self.bytes && possible <= self.possible_bytes {
            // There cannot be more cached files than memory in all.
            self.last_cache = self.last_cache.min(now);
            return now;
        }
        let cache = cache_bytes();
        let found = most
            .saturating_sub(cache.max(self.last_cache))
            .max(now.saturating_sub(cache));
        let possible = possible
            .saturating_sub(cache.min(self.last_cache))
            .max(found);
        self.possible_bytes = self.possible_bytes.max(possible);
        self.last_cache = cache;
        self.bytes = self.bytes.max(found);
        found
    }

    /// By how much the peak may have been larger, hidden by output and files that came
    /// between the same two samples.
    pub(crate) fn hidden_bytes(&self) -> u64 {
        self.possible_bytes - self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each sample: the peak since the last one, the memory now, output, and disk
    /// files.
    fn peak(looks: &[(u64, u64, u64, u64)]) -> u64 {
        let mut peak = MemoryPeak::default();
        for &(most_bytes, now_bytes, output, cache) in looks {
            peak.note_reading(
                &MemoryReading {
                    most_bytes,
                    now_bytes,
                },
                [output; 2],
                || cache,
            );
        }
        peak.bytes
    }

    #[test]
    fn the_peak_is_the_most_without_output_and_files() {
        assert_eq!(peak(&[(40, 40, 0, 0)]), 40);
        assert_eq!(peak(&[(40, 40, 15, 5)]), 20);
        assert_eq!(peak(&[]), 0);
    }

    #[test]
    fn output_and_files_that_come_later_hide_nothing() {
        // 120 used and freed; then as much output.
        assert_eq!(
            peak(&[(120, 120, 0, 0), (120, 0, 0, 0), (120, 120, 120, 0)]),
            120
        );
        // 110 used and freed; then a large file.
        assert_eq!(
            peak(&[
                (60, 60, 0, 0),
                (110, 110, 0, 0),
                (110, 1, 0, 0),
                (90, 90, 0, 90)
            ]),
            110
        );
    }

    #[test]
    fn the_peak_between_two_samples_counts_less_the_larger_excluded_amount() {
        assert_eq!(peak(&[(5, 5, 0, 0), (80, 5, 0, 0)]), 80);
        assert_eq!(peak(&[(5, 5, 0, 0), (80, 35, 30, 0)]), 50);
    }

    #[test]
    fn output_and_files_that_go_again_are_not_the_runs_memory() {
        assert_eq!(peak(&[(50, 50, 20, 25), (60, 10, 0, 5)]), 15);
    }

    #[test]
    fn files_that_have_gone_unseen_hide_nothing_that_comes_later() {
        assert_eq!(
            peak(&[
                (100, 100, 0, 0),
                (150, 150, 0, 60),
                (100, 5, 0, 0),
                (170, 5, 0, 0)
            ]),
            165
        );
    }

    #[test]
    fn output_and_files_that_come_between_two_samples_may_hide_that_much() {
        let hidden = |looks: &[(u64, u64, u64, u64)]| {
            let mut peak = MemoryPeak::default();
            for &(most_bytes, now_bytes, output, cache) in looks {
                peak.note_reading(
                    &MemoryReading {
                        most_bytes,
                        now_bytes,
                    },
                    [output; 2],
                    || cache,
                );
            }
            (peak.bytes, peak.hidden_bytes())
        };
        assert_eq!(hidden(&[(40, 40, 0, 0), (45, 30, 0, 0)]), (45, 0));
        // 100 used and freed, and 70 written, of which 10 in the last case before an
        // earlier sample.
        assert_eq!(hidden(&[(100, 60, 60, 0)]), (40, 60));
        assert_eq!(hidden(&[(100, 5, 0, 0), (75, 75, 70, 0)]), (100, 0));
        assert_eq!(
            hidden(&[(90, 90, 0, 0), (100, 10, 10, 0), (75, 75, 70, 0)]),
            (90, 10)
        );
        // The same with files, whatever came into memory before.
        assert_eq!(hidden(&[(100, 80, 0, 80)]), (20, 80));
        assert_eq!(hidden(&[(80, 80, 0, 80), (120, 90, 0, 90)]), (30, 50));
        assert_eq!(hidden(&[(70, 70, 30, 40), (160, 90, 40, 50)]), (70, 20));
    }

    #[test]
    fn output_that_comes_during_a_sample_may_hide_memory_used_before_the_next() {
        let mut peak = MemoryPeak::default();
        peak.note_reading(
            &MemoryReading {
                most_bytes: 5,
                now_bytes: 5,
            },
            [0, 50],
            || 0,
        );
        peak.note_reading(
            &MemoryReading {
                most_bytes: 100,
                now_bytes: 60,
            },
            [50, 50],
            || 0,
        );
        assert_eq!((peak.bytes, peak.hidden_bytes()), (50, 50));
    }

    #[test]
    fn files_are_counted_only_where_the_peak_may_have_grown() {
        let mut peak = MemoryPeak::default();
        peak.note_reading(
            &MemoryReading {
                most_bytes: 50,
                now_bytes: 50,
            },
            [10; 2],
            || 0,
        );
        let found = peak.note_reading(
            &MemoryReading {
                most_bytes: 50,
                now_bytes: 45,
            },
            [10; 2],
            || panic!("called without need"),
        );
        assert_eq!((found, peak.bytes), (35, 40));
    }
}
