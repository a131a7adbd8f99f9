//! Checks the answer to one grid: what the input asks for, what the output gives, and
//! how they differ. Sees one window of the output at a time, and does not know where it
//! comes from.

use gridjudge_grid::format::parse_error::{ParseError, ParseErrorKind};
use gridjudge_grid::format::{
    GridBlock, ReplyKind, StrayLine, StrayPlace, TextOffset, UNREAD, write,
};
use gridjudge_grid::{BLANK, Format, Value, format};

use crate::check::{
    CheckError, ExpectedAnswer, InputGrid, Location, ShapeContext, Window, diff,
    framing, resync, wrong_height,
};
use crate::model::{Accept, Finding, FindingKind, FindingRule, GridPicture};
use crate::text::counted;

/// The result of judging the answer to one grid.
pub(crate) struct JudgedAnswer {
    /// Everything wrong with it; empty if it is right.
    pub(crate) findings: Vec<Finding>,
    /// A diff of expected and found text, if the first finding is about the exact text.
    pub(crate) diff: Option<String>,
    /// Whether it is a grid, and not a text or a list.
    pub(crate) is_grid: bool,
    /// A picture of the grid, if something is wrong with its answer.
    pub(crate) picture: Option<GridPicture>,
}

/// One grid of the input, and everything needed to judge the answer to it.
pub(crate) struct GridChecker<'a> {
    pub(crate) format: &'a Format,
    pub(crate) accept: Accept,
    /// The grid being judged.
    pub(crate) current: InputGrid,
    /// The next one, if there is one, which shows where the answer to the current one
    /// ends.
    pub(crate) next: Option<InputGrid>,
    /// The stored answers, if they are needed.
    pub(crate) answer: Option<Window<'a>>,
    /// Whether the solver may be used where there is no stored answer. If not, only
    /// whether the answers are sound is asked.
    pub(crate) may_solve: bool,
    /// The cells that the fast path reads into.
    pub(crate) found: Vec<Value>,
    /// The cells of the answer to the previous grid, if that is a right grid, or one
    /// repeated.
    pub(crate) earlier: Vec<Value>,
    /// The number of a grid in whose place the answer to another was repeated, and of
    /// that one.
    pub(crate) repeated: Option<(u64, u64)>,
    /// The answer to this grid, stored or from the solver. `None` if any solution is
    /// accepted, or if it is not stored and the solver may not be used.
    pub(crate) truth: Option<ExpectedAnswer>,
    /// The number of the grid whose answer was found in place of the previous grid's.
    pub(crate) swapped: Option<u64>,
}

impl GridChecker<'_> {
    /// The context for the current grid.
    pub(crate) fn context(&self) -> &ShapeContext {
        &self.current.context
    }

    /// The only solution that is accepted, or an example where any is.
    fn solution(&self) -> Option<&[Value]> {
        self.truth.as_ref()?.solution()
    }

    /// The text that is expected in place of a grid, if one is.
    pub(super) fn expected_reply(&self) -> Option<ReplyKind> {
        self.truth.as_ref()?.reply()
    }

    /// Whether these cells are the answer to the current grid.
    pub(crate) fn is_right(&self, found: &[Value]) -> bool {
        self.current.is_solution(found)
            && self.truth.as_ref().is_none_or(|truth| {
                truth
                    .solution()
                    .is_some_and(|right| self.accept == Accept::Any || found == right)
            })
    }

    /// Judges the answer to the current grid, however broken it is. It begins with the
    /// next text of the output, which is not blank.
    pub(crate) fn judge(
        &mut self,
        output: &mut Window,
    ) -> Result<JudgedAnswer, CheckError> {
        let one_of_many = self.current.number > 1 || self.next.is_some();
        let start = self.current.location(one_of_many, output.origin());
        let view = output.view()?;
        let window = view.text;
        let location = start.at(view.origin);
        if let Some(place) = framing::stands_first(&self.context().reader, window) {
            return Ok(self.separated(location, place));
        }
        if self.expects_list() {
            return self.judge_list(start, output);
        }
        let spaced_otherwise = self.spaced_otherwise(window);
        // Whether it is certain where the grid ends.
        let mut is_certain = spaced_otherwise.is_some();
        let mut block = spaced_otherwise.unwrap_or_else(|| {
            let mut block = self.context().reader.tolerant(location.grid, window);
            resync::respace(&self.current, window, &mut block);
            block
        });

        let mut findings = vec![];
        if let Some(found) = self.among_strays(window, &block) {
            block = found;
            is_certain = true;
            findings.push(finding_at(location, &block.strays));
        }
        // Whatever else is wrong with the block, a grid without a solution must be
        // reported.
        let has_words = block.reply.is_some() || self.format.replies.may_clash();
        if has_words && self.truth.is_none() && self.may_solve {
            self.truth = Some(self.current.expected_answer(self.accept)?);
        }
        findings.extend(self.findings_about(location, &block));
        let after_text = self.grid_after_text(window, &block);
        let mut end = after_text.unwrap_or(block.end);
        if after_text.is_some() && findings.iter().all(Finding::is_presentation) {
            findings.extend(self.text_and_grid(location, &block));
        }
        let is_second = self.swapped.take() == Some(location.grid);
        if is_certain || after_text.is_some() || findings.is_empty() {
            // The next grid follows.
        } else if is_second {
            findings = vec![self.misplaced(location, &block, location.grid - 1)];
        } else if let Some(restart) = self.restart(window, &block) {
            let is_closed =
                restart.rows > 0 && self.is_closed(&window[block.end.bytes..]);
            if restart.rows == 0 && resync::is_second(&self.current, window) {
                findings = vec![self.misplaced(location, &block, location.grid + 1)];
                self.swapped = Some(location.grid + 1);
            } else if !is_closed {
                if !says_more(&block, &restart) {
                    findings = vec![self.cut_short(location, &block, &restart)];
                }
                end = restart.place;
            }
        } else if let Some((first, again)) = self.again(location, &block, &findings) {
            findings = vec![again];
            self.repeated = Some((location.grid, first));
        }
        let judged = self.checked(location, &block, &window[..end.bytes], findings);
        output.advance_lines(end)?;
        self.remember(&block, &judged);
        Ok(judged)
    }

    /// The missing answer to the current grid, where a separator is at this place.
    fn separated(&self, location: Location, place: TextOffset) -> JudgedAnswer {
        let finding = location.finding(
            FindingRule::Grids,
            place,
            "its answer is missing: a separator is in its place",
        );
        JudgedAnswer {
            findings: vec![finding],
            diff: None,
            is_grid: false,
            picture: Some(self.picture_of(None)),
        }
    }

    /// Keeps the cells of a right answer, or of one repeated, until the next one.
    fn remember(&mut self, block: &GridBlock, judged: &JudgedAnswer) {
        let number = self.current.number;
        let is_again = self.repeated.is_some_and(|(grid, _)| grid == number);
        self.found.clear();
        if judged.is_grid && (judged.findings.is_empty() || is_again) {
            self.found.extend(&block.cells);
        }
    }

    /// A block with its findings, and how they are shown. `text` is the part of the
    /// output that it takes.
    fn checked(
        &self,
        location: Location,
        block: &GridBlock,
        text: &[u8],
        mut findings: Vec<Finding>,
    ) -> JudgedAnswer {
        if findings.is_empty() && self.format.output.is_strict() {
            findings.extend(self.white_space(location, block, text));
        }
        // Where cells cannot be read, only the solution shows what was expected.
        let is_known = block.reply.is_some()
            || !block.cells.contains(&UNREAD)
            || self.solution().is_some();
        let diff = findings
            .first()
            .filter(|first| {
                is_known
                    && (first.kind == FindingKind::Presentation
                        || first.rule == Some(FindingRule::Banner))
            })
            .map(|_| diff::text_diff(&self.canonical(block), text, false));
        let shown = Some(&block.cells).filter(|_| block.reply.is_none());
        let picture = (!findings.is_empty()).then(|| self.picture_of(shown));
        JudgedAnswer {
            findings,
            diff,
            is_grid: block.reply.is_none(),
            picture,
        }
    }

    /// The right answer at the start of a window, or a text in place of one, if only
    /// its white space is wrong and that matters.
    fn spaced_otherwise(&self, window: &[u8]) -> Option<GridBlock> {
        if !self.format.output.is_strict() {
            return None;
        }
        resync::answer_but_for_spaces(
            &self.current,
            &self.context().reader,
            self.current.number,
            window,
            self.solution(),
        )
        .filter(|block| block.reply.is_some() || self.is_right(&block.cells))
    }

    /// A picture of the current grid: its clues, the cells that were found, if any, and
    /// the expected cells if they are known.
    pub(crate) fn picture_of(&self, found: Option<&Vec<Value>>) -> GridPicture {
        let found = found.map(Vec::as_slice);
        self.current.picture(found, self.solution())
    }

    /// Finds where the next grid starts, if this one has too few or too many rows.
    /// Where there are banners, they show that themselves.
    fn restart(
        &self,
        window: &[u8],
        block: &GridBlock,
    ) -> Option<resync::ResyncPoint> {
        let layout = &self.format.output;
        let next = self.next.as_ref().filter(|_| {
            layout.banner.is_none() && layout.lead.is_none() && block.reply.is_none()
        })?;
        resync::find(next, window, self.context().reader.height())
    }

    /// Whether a separator comes next, so that there is no doubt where the next grid
    /// begins.
    pub(super) fn is_closed(&self, rest: &[u8]) -> bool {
        format::written_lines(rest)
            .next()
            .is_some_and(|line| self.context().reader.is_separator_like(line.text))
    }

    /// The finding that the answer to grid `other` was found here, in exchange for the
    /// answer to the current one.
    fn misplaced(
        &self,
        location: Location,
        block: &GridBlock,
        other: u64,
    ) -> Finding {
        let message =
            format!("the answer to grid {other} is here: the two are swapped");
        location.finding(FindingRule::Order, block.start, message)
    }

    /// The finding that a grid follows a right text.
    fn text_and_grid(
        &self,
        location: Location,
        block: &GridBlock,
    ) -> Option<Finding> {
        let text = self.current.reply_line(block.reply?);
        let message = format!("`{text}` and a grid, expected one of them");
        Some(location.finding(FindingRule::Rows, block.start, message))
    }

    /// The finding that the answer to the previous grid is here again, if it breaks the
    /// clues of the current one, and the number of the grid that it belongs to.
    fn again(
        &self,
        location: Location,
        block: &GridBlock,
        findings: &[Finding],
    ) -> Option<(u64, Finding)> {
        let breaks_clues = findings
            .iter()
            .any(|finding| finding.rule == Some(FindingRule::Clue));
        let expects_text = self.expected_reply().is_some();
        if !breaks_clues || expects_text || block.cells != self.earlier {
            return None;
        }
        let before = location.grid - 1;
        let first = match self.repeated {
            Some((grid, first)) if grid == before => first,
            _ => before,
        };
        let message = format!("the answer to grid {first} again");
        let finding = location.finding(FindingRule::Order, block.start, message);
        Some((first, finding))
    }

    fn cut_short(
        &self,
        location: Location,
        block: &GridBlock,
        restart: &resync::ResyncPoint,
    ) -> Finding {
        if restart.rows == 0 {
            return location.finding(
                FindingRule::Grids,
                block.start,
                format!(
                    "its answer is missing: the answer to grid {} is here",
                    location.grid + 1
                ),
            );
        }
        let expected = self.context().reader.height();
        let message = wrong_height(&self.format.output, restart.rows, expected);
        location.finding(FindingRule::Rows, restart.place.end_of_line(), message)
    }

    /// Lists what is wrong with a grid in its text, against its clues and the rules, and
    /// against its answer, ordered by line.
    fn findings_about(&self, location: Location, block: &GridBlock) -> Vec<Finding> {
        let expects_text = self.expected_reply().is_some();
        let mut errors = block.errors.clone();
        // Where a text is right, nothing of a grid is missing.
        if expects_text {
            errors.retain(|error| {
                !matches!(
                    error.kind,
                    ParseErrorKind::MissingLead { .. }
                        | ParseErrorKind::RowCount { found: 0, .. }
                        | ParseErrorKind::LineCount { found: 0, .. }
                )
            });
        }
        let is_strange = errors.iter().any(|error| {
            matches!(
                error.kind,
                ParseErrorKind::UnknownText { .. } | ParseErrorKind::WrongLead { .. }
            )
        });
        let mut findings = judged(location, &self.current, block, &errors);
        match block.reply {
            Some(reply) => findings.extend(self.wrong_claim(location, block, reply)),
            None if expects_text && is_strange => {}
            None if !expects_text && block.cells.contains(&UNREAD) => {}
            None => {
                let is_valid = findings.iter().all(Finding::is_presentation);
                let claim = self.not_the_answer(location, block, is_valid);
                findings.splice(0..0, claim);
            }
        }
        findings.sort_by_key(|finding| finding.line);
        findings
    }

    /// The finding about a wrong text in place of a grid, with a proof. `None` if the
    /// text is right or the answer is unknown.
    fn wrong_claim(
        &self,
        location: Location,
        block: &GridBlock,
        reply: ReplyKind,
    ) -> Option<Finding> {
        let truth = self.truth.as_ref();
        let truth = truth.filter(|truth| truth.reply() != Some(reply))?;
        let text = self.current.reply_line(reply);
        let why = self.current.refutation(reply, truth, false);
        let message = format!("`{text}`, but {why}");
        Some(location.finding(FindingRule::Claim, block.start, message))
    }

    /// The finding about a readable grid that is not the answer. `None` if it is, or
    /// may be.
    fn not_the_answer(
        &self,
        location: Location,
        block: &GridBlock,
        is_valid: bool,
    ) -> Option<Finding> {
        if let Some(solution) = self.solution() {
            let first_counts = self.accept == Accept::First;
            return location
                .other_completion(block, solution, first_counts)
                .filter(|_| is_valid && self.accept != Accept::Any);
        }
        let reply = self.expected_reply()?;
        let why = self.why_text(location, block, is_valid)?;
        let (rule, message) = match self.format.replies.text(reply) {
            Some(text) => {
                let text = self.current.line_of(text);
                (FindingRule::Claim, format!("{why}; expected `{text}`"))
            }
            None => {
                let fault = if reply == ReplyKind::Several {
                    "has more than one solution"
                } else {
                    "should have a solution"
                };
                let message = format!("{why} (the case {fault}; tell its setter)");
                (FindingRule::Solution, message)
            }
        };
        let place = if block.start.bytes < block.end.bytes {
            block.start
        } else {
            block.end.end_of_line()
        };
        Some(location.finding(rule, place, message))
    }

    /// Why a text is right where this is given. `None` if that is not known, or if the
    /// block is wrong for other reasons.
    fn why_text(
        &self,
        location: Location,
        block: &GridBlock,
        is_valid: bool,
    ) -> Option<String> {
        let grid = &self.current;
        let truth = self.truth.as_ref()?;
        let is_complete = !block.cells.contains(&UNREAD);
        let lead = self.format.output.lead.as_ref().filter(|_| {
            block.errors.iter().all(|error| {
                !matches!(error.kind, ParseErrorKind::MissingLead { .. })
            })
        });
        Some(match truth.reply()? {
            ReplyKind::Several if is_complete && !is_valid => return None,
            ReplyKind::Several if is_complete => {
                match grid.solutions_besides(&block.cells, 2).first() {
                    Some(other) => {
                        let cells = location.wording.difference(&block.cells, other);
                        format!("a valid completion, but not the only one: {cells}")
                    }
                    None => "a valid completion, but not the only one".to_owned(),
                }
            }
            _ if let Some(lead) = lead => {
                let why = grid.refutation(ReplyKind::One, truth, false);
                format!("`{}`, but {why}", grid.line_of(lead))
            }
            ReplyKind::Invalid => {
                let clash = grid.clash_of_clues();
                format!("there is no solution: {clash} in its clues")
            }
            _ => grid.refutation(ReplyKind::One, truth, false),
        })
    }

    /// Compares a right grid with its canonical text, byte by byte.
    fn white_space(
        &self,
        location: Location,
        block: &GridBlock,
        text: &[u8],
    ) -> Option<Finding> {
        let canonical = self.canonical(block);
        let is_last = self.next.is_none() && !self.format.output.is_closed();
        let rows = block.reply.is_none().then(|| block.places[0].bytes);
        let layout = &self.format.output;
        let differs = diff::differs(layout, &canonical, text, rows, is_last)?;
        Some(location.presentation(text, differs))
    }

    /// The text that should be here, with the cells of the block. If some of those
    /// cannot be read, it has the cells of the known solution.
    fn canonical(&self, block: &GridBlock) -> String {
        let grid = self.current.number;
        let layout = &self.format.output;
        let shape = &self.context().shape;
        if let Some(reply) = block.reply {
            return write::text(layout, grid, &self.current.reply_line(reply));
        }
        let is_unread = block.cells.contains(&UNREAD);
        let known = self.solution().filter(|_| is_unread);
        let cells = known.unwrap_or(&block.cells);
        write::grid(shape, &self.format.symbols, layout, grid, cells)
    }
}

/// Lists what is wrong with a grid in its text, which has these errors, and against its
/// clues and the rules, ordered by line.
pub(crate) fn judged(
    location: Location,
    InputGrid { context, clues, .. }: &InputGrid,
    block: &GridBlock,
    errors: &[ParseError],
) -> Vec<Finding> {
    let (blanks, others): (Vec<_>, Vec<_>) = errors
        .iter()
        .partition(|error| matches!(error.kind, ParseErrorKind::Blank(_)));
    let mut findings: Vec<_> = others
        .into_iter()
        .map(|error| location.parse_error(error))
        .collect();
    if let [first, others @ ..] = &blanks[..] {
        findings.push(location.blanks(first, others.len()));
    }
    if block.cells.contains(&UNREAD) {
        return findings;
    }
    let cells = block.cells.iter().zip(clues).enumerate();
    findings.extend(
        cells
            .filter(|(_, (found, clue))| {
                **clue != BLANK && **found != BLANK && found != clue
            })
            .map(|(cell, (_, clue))| location.changed_clue(block, cell, *clue)),
    );
    let clashes = context.rules.clashing_pairs(&block.cells);
    findings.extend(clashes.iter().map(|clash| location.clash(block, clash)));
    let breaches = context.rules.breaches(&block.cells);
    findings.extend(breaches.iter().map(|breach| location.breach(block, breach)));
    findings.sort_by_key(|finding| finding.line);
    findings
}

/// Whether a grid with too few or too many rows has an error that explains more than the
/// number of rows: an unknown text, or too many cells in a row.
fn says_more(block: &GridBlock, restart: &resync::ResyncPoint) -> bool {
    block.errors.iter().any(|error| {
        let is_in_its_rows = error.row.is_some_and(|row| row <= restart.rows);
        match error.kind {
            ParseErrorKind::UnknownText { .. } => true,
            ParseErrorKind::CellCount { found, expected } => {
                is_in_its_rows && found > expected
            }
            ParseErrorKind::TooManyCells { .. } => is_in_its_rows,
            _ => false,
        }
    })
}

// Words the finding about lines that belong to no grid.

/// The finding about lines that belong to no grid.
pub(crate) fn finding_at(location: Location, strays: &[StrayLine]) -> Finding {
    let [first, others @ ..] = strays else {
        return location.finding(FindingRule::Rows, TextOffset::START, "");
    };
    let more = match others
        .iter()
        .filter(|other| other.before == first.before)
        .count()
    {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more line")),
    };
    let place = match &first.before {
        StrayPlace::Words(words) => format!("before `{words}`, which was expected"),
        StrayPlace::Row(0) => "before the grid, expected its first row".to_owned(),
        StrayPlace::Row(row) => format!("between row {row} and row {}", row + 1),
    };
    location.finding(
        FindingRule::Rows,
        first.place,
        format!("`{}`{more} {place}", first.text),
    )
}
