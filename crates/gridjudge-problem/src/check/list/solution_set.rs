//! Tracks the solutions of one grid: which are expected, which have been given, what an
//! output claims about them, and what is wrong with that. Does not know where texts
//! come from.

use std::collections::BTreeSet;

use gridjudge_grid::format::{GridBlock, ReplyKind, TextOffset};
use gridjudge_grid::{Template, Value};

use crate::check::grid::grid_checker::judged;
use crate::check::list::{ItemKind, ListCase, OutputItem};
use crate::check::{ExpectedAnswer, Location, StreamOrigin};
use crate::model::{Accept, Finding, FindingRule};
use crate::text::{JoinedTexts, plural};

impl ListCase<'_> {
    /// Whether nothing has been given yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.first.is_none()
    }

    /// Whether these cells are one of the solutions; `None` if the solutions are not
    /// known.
    pub(super) fn is_expected(&self, cells: &[Value]) -> Option<bool> {
        self.all().map(|_| self.place_of(cells).is_some())
    }

    /// Whether one of the solutions begins with these cells; `None` if the solutions
    /// are not known.
    pub(super) fn is_a_beginning(&self, cells: &[Value]) -> Option<bool> {
        let all = self.all()?;
        let place = all.partition_point(|known| &known[..] < cells);
        Some(all.get(place).is_some_and(|known| known.starts_with(cells)))
    }

    /// Whether this solution is expected and has not been given; if the solutions are
    /// not known, whether it is in order.
    pub(super) fn wants(&self, cells: &[Value]) -> bool {
        if self.truth.is_none() {
            return self.last.as_slice() < cells;
        }
        self.place_of(cells)
            .is_some_and(|place| self.positions[place].is_none())
    }

    /// Whether further solutions are expected, or the solutions are not known.
    pub(super) fn wants_more(&self) -> bool {
        self.truth.is_none() || self.solutions < self.positions.len() as u64
    }

    /// The first solution that is expected and has not been given, if the solutions are
    /// known.
    pub(super) fn due(&self) -> Option<&[Value]> {
        let place = self.positions.iter().position(Option::is_none)?;
        self.listed()?.get(place).map(Vec::as_slice)
    }

    /// Whether all that is expected has been given.
    pub(super) fn is_all_given(&self) -> bool {
        self.is_settled
            || self.truth.is_some()
                && self.due().is_none()
                && self.is_counted == self.items.count.is_some()
    }

    /// Records an item, and returns what is wrong with it.
    pub(super) fn record(
        &mut self,
        location: Location,
        item: &OutputItem,
    ) -> Vec<Finding> {
        self.first.get_or_insert(location.origin.place(item.start));
        let wrong = match &item.kind {
            ItemKind::Strange(found) => {
                self.is_settled = true;
                Some(self.strange_line(found))
            }
            ItemKind::Text(reply) => {
                self.is_settled = true;
                self.wrong_claim(*reply)
                    .map(|message| (FindingRule::Claim, message))
            }
            ItemKind::Count(number) => {
                self.is_counted = true;
                self.wrong_number(*number)
                    .map(|message| (FindingRule::Count, message))
            }
            ItemKind::Solution(block) => {
                self.solutions += 1;
                let location = Location {
                    solution: Some(self.solutions),
                    ..location
                };
                let mut wrong = judged(location, self.grid, block, &block.errors);
                // A solution with wrong white space is not right, but it has been
                // given.
                if wrong
                    .iter()
                    .all(|finding| finding.rule == Some(FindingRule::Spacing))
                {
                    wrong.extend(self.arrival(location, block));
                }
                return wrong;
            }
        };
        let finding = match (wrong, &item.error) {
            (Some((rule, message)), _) => {
                Some(location.finding(rule, item.start, message))
            }
            (None, Some(error)) => Some(location.parse_error(error)),
            (None, None) => None,
        };
        finding.into_iter().collect()
    }

    /// Reports what is missing at the end of the case.
    pub(super) fn missing(&self, location: Location) -> Vec<Finding> {
        let finding =
            |rule, message| location.finding(rule, TextOffset::START, message);
        if self.is_settled {
            return vec![];
        }
        let mut findings = vec![];
        if let Some(text) = self.text_expected() {
            let message = self.missing_text(text);
            let first = self.first.map(StreamOrigin::at);
            let location = location.at(first.unwrap_or(location.origin));
            findings.push(location.finding(
                FindingRule::Claim,
                TextOffset::START,
                message,
            ));
        } else if !self.is_counted
            && let Some(count) = self.items.count
        {
            let number = self.truth.and_then(ExpectedAnswer::number);
            let line = number.map_or_else(
                || "with the number of solutions".to_owned(),
                |number| format!("`{}`", count.line(number)),
            );
            let message = format!("the line {line} is missing");
            findings.push(finding(FindingRule::Count, message));
        }
        if let Some(message) = self.missing_solutions() {
            findings.push(finding(FindingRule::Missing, message));
        }
        findings
    }

    /// Says which of the listed solutions have not been given.
    fn missing_solutions(&self) -> Option<String> {
        let all = self.listed()?;
        let first = self.positions.iter().position(Option::is_none)?;
        let others = self
            .positions
            .iter()
            .filter(|position| position.is_none())
            .count() as u64
            - 1;
        let row = self.grid.telling_row(all, first);
        let more = match others {
            0 => String::new(),
            others => {
                format!(", and {others} more {} too", plural(others, "solution"))
            }
        };
        let number = first + 1;
        let total = all.len();
        if !self.items.shows_one {
            return Some(format!(
                "solution {number} of {total} is missing (its {row}){more}"
            ));
        }
        // A broken solution in its place has been reported already.
        if self.solutions > 0 {
            return None;
        }
        Some(if self.accept.is_any() {
            "one of the solutions must follow, and none does".to_owned()
        } else {
            format!("the first solution is missing (its {row})")
        })
    }

    /// Records a valid solution, and returns what is wrong with giving it here: that it
    /// is unexpected, repeated or out of order.
    fn arrival(&mut self, location: Location, block: &GridBlock) -> Option<Finding> {
        let finding =
            |rule, message: &str| Some(location.finding(rule, block.start, message));
        if let Some(shown) = self.truth.and_then(ExpectedAnswer::listed)
            && self.items.shows_one
        {
            let is_any = self.accept.is_any();
            let wrong = match shown.first().filter(|_| self.positions[0].is_none()) {
                None if is_any => finding(
                    FindingRule::Solution,
                    "one solution too many: only one is shown",
                ),
                None => finding(
                    FindingRule::Solution,
                    "one solution too many: only the first is shown",
                ),
                Some(_) if is_any => None,
                Some(first) => location.other_completion(block, first, true),
            };
            self.positions.fill(Some(self.solutions));
            return wrong;
        }
        if self.all().is_none() {
            self.last.clone_from(&block.cells);
            return None;
        }
        let Some(place) = self.place_of(&block.cells) else {
            let message =
                "a valid completion that the stored answer lacks; tell its setter";
            return finding(FindingRule::Solution, message);
        };
        if let Some(earlier) = self.positions[place] {
            return finding(
                FindingRule::Repeated,
                &format!("the same as solution {earlier}"),
            );
        }
        self.positions[place] = Some(self.solutions);
        match self.latest.filter(|latest| *latest > place) {
            Some(latest)
                if !std::mem::replace(&mut self.is_disorder_reported, true) =>
            {
                let before = self.positions[latest].unwrap_or(0);
                finding(
                    FindingRule::Order,
                    &format!(
                        "belongs before solution {before}: compare the cells row by row"
                    ),
                )
            }
            Some(_) => None,
            None => {
                self.latest = Some(place);
                None
            }
        }
    }

    fn place_of(&self, cells: &[Value]) -> Option<usize> {
        let all = self.all()?;
        all.binary_search_by(|known| known.as_slice().cmp(cells))
            .ok()
    }

    /// The solutions in order, if all of them must be listed and are known.
    fn all(&self) -> Option<&[Vec<Value>]> {
        self.listed().filter(|_| self.items.lists_all())
    }

    fn listed(&self) -> Option<&[Vec<Value>]> {
        self.truth?.listed()
    }
}

// Checks what an output claims about the solutions of a grid against the right answer:
// their number, or a text in place of them.

impl ListCase<'_> {
    /// What is wrong with a number of solutions.
    fn wrong_number(&self, number: Option<u64>) -> Option<String> {
        // Where a text is expected instead, that is reported at the end of the case.
        let expected = self.truth?.number()?;
        let found = number.map_or("too large for any grid".to_owned(), |number| {
            number.to_string()
        });
        (number != Some(expected)).then(|| {
            format!("the number of solutions is {found}, expected {expected}")
        })
    }

    /// What is wrong with a text in place of the solutions, and why.
    fn wrong_claim(&self, reply: ReplyKind) -> Option<String> {
        let words = self.format().replies.text(reply)?;
        let text = self.grid.line_of(words);
        let expected = self.text_expected();
        if expected == Some(words) {
            return None;
        }
        if self.accept != Accept::Word {
            let why = self.grid.refutation(reply, self.truth?, true);
            return Some(format!("`{text}`, but {why}"));
        }
        let why = self.grid.proof(Some(words), expected?);
        let why = why.map(|why| format!(" but {why};")).unwrap_or_default();
        let expected = self.grid.line_of(expected?);
        Some(format!("`{text}`,{why} expected `{expected}`"))
    }

    /// Why this text is expected, for an output that has none.
    fn missing_text(&self, words: &Template) -> String {
        let text = self.grid.line_of(words);
        let why = match self.truth.and_then(ExpectedAnswer::reply) {
            _ if self.accept == Accept::Word => {
                let why = self.grid.proof(None, words);
                Some(why.map_or("the word is missing".to_owned(), |why| {
                    format!("the word is missing: {why}")
                }))
            }
            Some(ReplyKind::Invalid) => self.grid.clash(),
            Some(ReplyKind::None) => {
                let why = self.grid.contradiction();
                Some(format!("there is no solution: {why}"))
            }
            _ => Some(
                "there are more solutions than may be shown or counted".to_owned(),
            ),
        };
        why.map_or_else(
            || format!("expected `{text}`"),
            |why| format!("{why}; expected `{text}`"),
        )
    }

    /// What is wrong with a line in place of a grid that is neither a number nor a word
    /// of the problem.
    fn strange_line(&self, found: &str) -> (FindingRule, String) {
        if let Some(count) = self.items.count {
            let expected = count.line(12);
            return (
                FindingRule::Count,
                format!(
                    "expected the number of solutions, for example `{expected}`, \
                     found `{found}`"
                ),
            );
        }
        let line_of = |words| self.grid.line_of(words);
        let message = match self.text_expected().map(line_of) {
            Some(expected) => format!("the word is `{found}`, expected `{expected}`"),
            None => {
                let texts = self.format().replies.texts();
                let words: BTreeSet<_> =
                    texts.map(|(_, text)| line_of(text)).collect();
                format!(
                    "the word is `{found}`, expected one of `{}`",
                    words.into_iter().joined("`, `")
                )
            }
        };
        (FindingRule::Claim, message)
    }

    /// The text that should stand in place of a number or of solutions.
    fn text_expected(&self) -> Option<&Template> {
        let reply = self.truth?.reply()?;
        self.format().replies.text(reply)
    }
}
