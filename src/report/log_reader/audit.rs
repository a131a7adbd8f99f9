//! Whether a log is whole: events have numbers, and the last one says what all came to. Knows events; nothing of files.

use crate::model::Event;
use crate::model::Tally;

/// What the events of a log have come to so far.
#[derive(Debug, Default)]
pub(crate) struct LogAudit {
    tally: Tally,
    /// The number of the last event that is in its place; none in logs of before there were numbers.
    last: Option<u64>,
    /// Lines since then that could not be read, each of which was perhaps an event.
    unread: u64,
    /// Whether something is missing or left out, so that no count can be right.
    is_damaged: bool,
}

/// How an event fits behind those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SequenceFit {
    /// It is the next one.
    Next,
    /// Others are missing before it.
    Gap(String),
    /// It does not belong here.
    Misplaced(String),
}

impl LogAudit {
    /// Begins with the number of the first event.
    pub(crate) fn begin(number: Option<u64>) -> Self {
        Self { last: number, ..Self::default() }
    }

    /// Notes a line that cannot be read.
    pub(crate) fn miss(&mut self) {
        self.unread += 1;
        self.is_damaged = true;
    }

    /// What all events so far came to.
    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }

    /// Whether something is missing or was left out.
    pub(crate) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// How an event of this number fits. It is in its place from now on, unless it is misplaced.
    pub(crate) fn follow(&mut self, number: Option<u64>) -> SequenceFit {
        let fit = match (self.last, number) {
            (None, None) => SequenceFit::Next,
            (None, Some(number)) => {
                self.last = Some(number);
                SequenceFit::Gap(format!("has the number {number}, and the events before it have none"))
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
                    _ if missing == 1 => SequenceFit::Gap(format!("event {} is missing before it", last + 1)),
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

    /// Adds an event.
    pub(crate) fn add(&mut self, event: &Event) {
        event.count_in(&mut self.tally);
    }

    /// In what the tally of the last event differs from the events before it. Of a log that lacks some for a reason that is
    /// told already, nothing.
    pub(crate) fn objection(&mut self, last: &Tally) -> Option<String> {
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
        Some(format!("counts {what}: {said}, but the events before it make {found}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(numbers: &[Option<u64>]) -> Vec<SequenceFit> {
        let mut account = LogAudit::begin(numbers[0]);
        numbers[1..].iter().map(|number| account.follow(*number)).collect()
    }

    fn gap(text: &str) -> SequenceFit {
        SequenceFit::Gap(text.to_owned())
    }

    #[test]
    fn numbers_show_what_is_missing_twice_there_or_moved() {
        assert_eq!(fits(&[Some(1), Some(2), Some(3)]), [SequenceFit::Next, SequenceFit::Next]);
        assert_eq!(fits(&[None, None, None]), [SequenceFit::Next, SequenceFit::Next], "an old log");
        let late = gap("has the number 2, and the events before it have none");
        assert_eq!(fits(&[None, Some(2), Some(3)]), [late.clone(), SequenceFit::Next]);
        assert_eq!(fits(&[None, Some(2), Some(4)]), [late, gap("event 3 is missing before it")]);
        assert_eq!(
            fits(&[Some(1), Some(3), Some(4)]),
            [gap("event 2 is missing before it"), SequenceFit::Next]
        );
        assert_eq!(fits(&[Some(1), Some(9)]), [gap("events 2 to 8 are missing before it")]);
        let twice = "event 2 comes after event 2: it is there twice, or in the wrong place";
        let misplaced = |text: &str| SequenceFit::Misplaced(text.to_owned());
        assert_eq!(
            fits(&[Some(1), Some(2), Some(2), Some(3)]),
            [SequenceFit::Next, misplaced(twice), SequenceFit::Next]
        );
        assert_eq!(fits(&[Some(1), None]), [misplaced("has no number, as the events before it have")]);
        assert_eq!(fits(&[Some(1), Some(u64::MAX), Some(0)]).len(), 2);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_the_event_that_is_missing() {
        let mut account = LogAudit::begin(Some(1));
        account.miss();
        assert_eq!(account.follow(Some(3)), SequenceFit::Next);
        assert_eq!(account.follow(Some(5)), gap("event 4 is missing before it"));
        assert!(account.is_damaged());
    }

    #[test]
    fn a_tally_that_counts_what_is_not_there_is_told_once_and_not_where_the_reason_is_known() {
        let mut account = LogAudit::begin(None);
        let last = Tally { trials: 3, ..Tally::default() };
        let said = "counts trials: 3, but the events before it make 0".to_owned();
        assert_eq!(account.objection(&last), Some(said));
        assert_eq!(account.objection(&last), None);
        assert_eq!(LogAudit::default().objection(&Tally::default()), None);
    }
}
