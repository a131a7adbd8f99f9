//! The rules of a ranking: those of the contest, or what was asked for in place of them.

use crate::model::{ContestRules, RankingMode};
use crate::text::counted;

/// Minutes that a rejected attempt costs unless something else is said.
const DEFAULT_PENALTY: u64 = 20;

/// The rules of a ranking. All times are minutes since the start of the contest; in minute `n`, `n`
/// of them are over, so what ends or begins at `n` excludes or includes all of that minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsRules {
    /// The ranking criterion.
    pub by: RankingMode,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    pub penalty: u64,
    /// From when on attempts do not count, because the contest is over.
    pub length: Option<u64>,
    /// From when on the results of attempts are not shown.
    pub freeze: Option<u64>,
    /// From when on attempts are left out, as if they had not been made yet.
    pub as_of: Option<u64>,
}

/// What is asked for in place of the rules of a contest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankingChoice {
    /// The ranking criterion.
    pub by: Option<RankingMode>,
    /// Minutes that a rejected attempt costs.
    pub penalty: Option<u64>,
    /// From when on results are not shown.
    pub freeze: Option<u64>,
    /// Whether all results are shown, whatever the rules say.
    pub unfreeze: bool,
    /// From when on attempts are left out.
    pub as_of: Option<u64>,
}

/// What becomes of an attempt because of its minute.
pub(super) enum AttemptTime {
    /// It counts.
    Counted,
    /// It was made during the freeze: it is shown, but not its result.
    Hidden,
    /// It was made after the end.
    Late,
    /// It had not been made yet.
    ToCome,
}

impl StandingsRules {
    /// The rules of the ICPC, without any time limit.
    pub const ICPC: Self = Self {
        by: RankingMode::Icpc,
        penalty: DEFAULT_PENALTY,
        length: None,
        freeze: None,
        as_of: None,
    };

    /// What becomes of an attempt in a minute.
    pub(super) fn time_of(&self, minute: u64) -> AttemptTime {
        let is_from = |start: Option<u64>| start.is_some_and(|start| minute >= start);
        if is_from(self.length) {
            AttemptTime::Late
        } else if is_from(self.as_of) {
            AttemptTime::ToCome
        } else if is_from(self.freeze) {
            AttemptTime::Hidden
        } else {
            AttemptTime::Counted
        }
    }

    /// The rules as phrases. Without the minutes of attempts, no time matters.
    pub(super) fn in_words(&self, has_minutes: bool) -> Vec<String> {
        let mut words = vec![match (self.by, has_minutes) {
            (RankingMode::Points, _) => "ranked by points".to_owned(),
            (RankingMode::Icpc, true) => format!(
                "ranked by problems solved, then by time, with {} for a rejected attempt",
                counted(self.penalty, "minute")
            ),
            (RankingMode::Icpc, false) => format!(
                "ranked by problems solved, then by rejected attempts, {} each",
                self.penalty
            ),
        }];
        let times = [self.length, self.freeze, self.as_of];
        if !has_minutes && times.iter().any(Option::is_some) {
            words.push("its times do not count, since attempts have no minutes".to_owned());
            return words;
        }
        words.extend(
            self.freeze
                .map(|minute| format!("frozen since minute {minute}")),
        );
        words.extend(
            self.as_of
                .map(|minute| format!("as they were after {}", counted(minute, "minute"))),
        );
        words
    }
}

impl RankingChoice {
    /// The rules of a contest, as far as nothing else is asked for.
    pub fn rules(&self, given: &ContestRules) -> StandingsRules {
        StandingsRules {
            by: self.by.or(given.by).unwrap_or(RankingMode::Icpc),
            penalty: self.penalty.or(given.penalty).unwrap_or(DEFAULT_PENALTY),
            length: given.length,
            freeze: self.freeze.or(given.freeze).filter(|_| !self.unfreeze),
            as_of: self.as_of,
        }
    }

    /// Makes the rules that are asked for those of the contest, so that its log has them. What is
    /// only a view of the standings is not recorded.
    pub fn record_in(&self, rules: &mut ContestRules) {
        rules.by = self.by.or(rules.by);
        rules.penalty = self.penalty.or(rules.penalty);
        rules.freeze = self.freeze.or(rules.freeze);
    }
}
