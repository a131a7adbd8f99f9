//! The margins of a time limit: accepted examples should need at most half of it, and
//! examples that are too slow at least one and a half times as much. The two factors
//! are those of Kattis' problem package format 2025-09.

use std::sync::Arc;

/// The deciding times of one problem's examples.
pub struct LimitMargin {
    /// The slowest example that must be accepted.
    pub slowest: Option<SlowestCase>,
    /// The fastest example that must be too slow.
    pub fastest: Option<SlowestCase>,
    /// A case of each example that must be accepted and is not.
    pub failed: Vec<SlowestCase>,
}

/// The slowest case of one submission.
pub struct SlowestCase {
    /// The submission.
    pub submission: Arc<str>,
    /// The case on which it took this long.
    pub case: String,
    /// CPU time in microseconds, divided by what its language is granted.
    pub cpu_us: u64,
    /// Whether it was stopped at the limit, so that it would have taken longer.
    pub stopped: bool,
}

impl LimitMargin {
    /// The shortest limit that is long enough for the accepted examples, in
    /// microseconds.
    pub fn least(&self) -> Option<u64> {
        self.slowest.as_ref().map(|slowest| slowest.cpu_us * 2)
    }

    /// The longest limit that the slow examples still exceed clearly, in microseconds;
    /// `None` without such an example.
    pub fn most(&self) -> Option<u64> {
        self.fastest.as_ref().map(|fastest| fastest.cpu_us * 2 / 3)
    }

    /// The shortest round limit between the two bounds, in microseconds; `None` if
    /// there is no such limit, or no example must be accepted.
    pub fn proposal(&self) -> Option<u64> {
        // Rounded up to a time that a problem setter would choose: a multiple of 0.1 s up
        // to one second, of 0.5 s up to ten, and of 1 s beyond.
        let least = self.least()?;
        let step = match least {
            0..=1_000_000 => 100_000,
            1_000_001..=10_000_000 => 500_000,
            _ => 1_000_000,
        };
        let most = self.most().unwrap_or(u64::MAX);
        // Less round ones where there is little room.
        [step, step / 10, step / 100]
            .map(|step| least.div_ceil(step).max(1) * step)
            .into_iter()
            .find(|proposal| *proposal <= most)
    }

    /// Whether a limit keeps both margins, as far as there are examples.
    pub fn holds(&self, limit_us: u64) -> bool {
        self.least().is_none_or(|least| least <= limit_us)
            && self.most().is_none_or(|most| limit_us <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margin(slowest_us: u64, fastest_us: u64) -> LimitMargin {
        let of = |cpu_us| {
            Some(cpu_us)
                .filter(|cpu_us| *cpu_us > 0)
                .map(|cpu_us| SlowestCase {
                    submission: "s".into(),
                    case: "c".into(),
                    cpu_us,
                    stopped: false,
                })
        };
        LimitMargin {
            slowest: of(slowest_us),
            fastest: of(fastest_us),
            failed: vec![],
        }
    }

    #[test]
    fn the_proposal_is_the_shortest_round_time_with_a_margin_on_both_sides() {
        for (slowest_us, fastest_us, proposal) in [
            (1, 0, Some(100_000)),
            (50_000, 0, Some(100_000)),
            (50_001, 0, Some(200_000)),
            (500_000, 0, Some(1_000_000)),
            (500_001, 0, Some(1_500_000)),
            (5_000_001, 0, Some(11_000_000)),
            // The slow example must take at least one and a half times the limit.
            (500_000, 1_499_999, None),
            (55_050, 274_350, Some(120_000)),
            (500_000, 1_503_000, Some(1_000_000)),
            (61_000, 184_000, Some(122_000)),
            (500_000, 1_500_000, Some(1_000_000)),
            (0, 1_500_000, None),
        ] {
            assert_eq!(
                margin(slowest_us, fastest_us).proposal(),
                proposal,
                "{slowest_us} {fastest_us}"
            );
        }
    }

    #[test]
    fn a_limit_holds_if_it_keeps_the_margins_to_the_examples_there_are() {
        assert!(margin(500_000, 1_500_000).holds(1_000_000));
        assert!(!margin(500_001, 1_500_000).holds(1_000_000));
        assert!(!margin(500_000, 1_499_999).holds(1_000_000));
        assert!(margin(0, 0).holds(1));
    }
}
