//! Checks whether a log is complete, by the numbers of its events and the tally in the last one.
//! Knows events, but not files.

use crate::model::{Event, Tally};

/// The state of the check.
#[derive(Debug, Default)]
pub(crate) struct LogAudit {
    tally: Tally,
    /// The number of the last event in its place; `None` for logs from before events were numbered.
    last: Option<u64>,
    /// Lines since then that could not be read, each of which may have been an event.
    unread: u64,
    /// Whether anything is missing or was left out, so that no count can be right.
    is_damaged: bool,
}

/// How the number of an event follows those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SequenceFit {
    /// It is the next one.
    Next,
    /// Others are missing before it.
    Gap(String),
    /// It is in the wrong place.
    Misplaced(String),
}

impl LogAudit {
    /// Begins with the number of the first event.
    pub(crate) fn begin(number: Option<u64>) -> Self {
        Self {
            last: number,
            ..Self::default()
        }
    }

    /// Notes a line that cannot be read.
    pub(crate) fn note_unreadable(&mut self) {
        self.unread += 1;
        self.is_damaged = true;
    }

    /// The tally of all events so far.
    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether something is missing or was left out.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Checks the number of the next event, and records it unless the event is misplaced.
    pub(crate) fn follow(&mut self, number: Option<u64>) -> SequenceFit {
        let fit = match (self.last, number) {
            (None, None) => SequenceFit::Next,
            (None, Some(number)) => {
                self.last = Some(number);
                SequenceFit::Gap(format!(
                    "has the number {number}, and the events before it have none"
                ))
            }
            (Some(_), None) => {
                SequenceFit::Misplaced("has no number, as the events before it have".to_owned())
            }
            (Some(last), Some(number)) if number <= last => SequenceFit::Misplaced(format!(
                "event {number} comes after event {last}: it is there twice, or in the wrong place"
            )),
            (Some(last), Some(number)) => {
                let missing = number - last - 1;
                self.last = Some(number);
                match std::mem::take(&mut self.unread) {
                    unread if unread >= missing => SequenceFit::Next,
                    _ if missing == 1 => {
                        SequenceFit::Gap(format!("event {} is missing before it", last + 1))
                    }
                    _ => SequenceFit::Gap(format!(
                        "events {} to {} are missing before it",
                        last + 1,
                        number - 1
                    )),
                }
            }
        };
        self.is_damaged |= fit != SequenceFit::Next;
        fit
    }

    /// Counts an event.
    pub(crate) fn add(&mut self, event: &Event) {
        event.count_in(&mut self.tally);
    }

    /// The first difference between the tally of the last event and the events before it. `None`
    /// for a damaged log, whose defect has already been reported.
    pub(crate) fn tally_mismatch(&mut self, last: &Tally) -> Option<String> {
        if self.is_damaged {
            return None;
        }
        let rows = |tally: &Tally| {
            [
                ("trials", tally.trials),
                ("failures of the judge", tally.faults),
                ("submissions that were skipped", tally.skipped),
                ("submissions as expected", tally.as_expected),
                ("submissions that surprise", tally.surprising),
                ("flaky trials", tally.flaky),
                ("trials from the cache", tally.cached),
            ]
        };
        let mut pairs = rows(last).into_iter().zip(rows(&self.tally));
        let ((what, said), (_, found)) = pairs.find(|(said, found)| said != found)?;
        self.is_damaged = true;
        Some(format!(
            "counts {what}: {said}, but the events before it make {found}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(numbers: &[Option<u64>]) -> Vec<SequenceFit> {
        let mut audit = LogAudit::begin(numbers[0]);
        numbers[1..]
            .iter()
            .map(|number| audit.follow(*number))
            .collect()
    }

    fn gap(text: &str) -> SequenceFit {
        SequenceFit::Gap(text.to_owned())
    }

    #[test]
    fn numbers_reveal_missing_doubled_and_moved_events() {
        assert_eq!(
            fits(&[Some(1), Some(2), Some(3)]),
            [SequenceFit::Next, SequenceFit::Next]
        );
        assert_eq!(
            fits(&[None, None, None]),
            [SequenceFit::Next, SequenceFit::Next],
            "an old log"
        );
        let late = gap("has the number 2, and the events before it have none");
        assert_eq!(
            fits(&[None, Some(2), Some(3)]),
            [late.clone(), SequenceFit::Next]
        );
        assert_eq!(
            fits(&[None, Some(2), Some(4)]),
            [late, gap("event 3 is missing before it")]
        );
        assert_eq!(
            fits(&[Some(1), Some(3), Some(4)]),
            [gap("event 2 is missing before it"), SequenceFit::Next]
        );
        assert_eq!(
            fits(&[Some(1), Some(9)]),
            [gap("events 2 to 8 are missing before it")]
        );
        let twice = "event 2 comes after event 2: it is there twice, or in the wrong place";
        let misplaced = |text: &str| SequenceFit::Misplaced(text.to_owned());
        assert_eq!(
            fits(&[Some(1), Some(2), Some(2), Some(3)]),
            [SequenceFit::Next, misplaced(twice), SequenceFit::Next]
        );
        assert_eq!(
            fits(&[Some(1), None]),
            [misplaced("has no number, as the events before it have")]
        );
        assert_eq!(fits(&[Some(1), Some(u64::MAX), Some(0)]).len(), 2);
    }

    #[test]
    fn an_unreadable_line_accounts_for_a_missing_event() {
        let mut audit = LogAudit::begin(Some(1));
        audit.note_unreadable();
        assert_eq!(audit.follow(Some(3)), SequenceFit::Next);
        assert_eq!(audit.follow(Some(5)), gap("event 4 is missing before it"));
        assert!(audit.is_damaged());
    }

    #[test]
    fn a_wrong_tally_is_reported_once_and_not_after_another_defect() {
        let mut audit = LogAudit::begin(None);
        let last = Tally {
            trials: 3,
            ..Tally::default()
        };
        let said = "counts trials: 3, but the events before it make 0".to_owned();
        assert_eq!(audit.tally_mismatch(&last), Some(said));
        assert_eq!(audit.tally_mismatch(&last), None);
        assert_eq!(LogAudit::default().tally_mismatch(&Tally::default()), None);
    }
}
