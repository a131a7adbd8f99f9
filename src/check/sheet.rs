//! The grid in hand: what the input asks of it, what the output gives, and what is wrong between the two. Sees
//! one window of the output at a time; where that comes from is not its affair.

use crate::check::diff;
use crate::check::explain::Site;
use crate::check::resync;
use crate::grid::BLANK;
use crate::grid::Format;
use crate::grid::Rules;
use crate::grid::Value;
use crate::grid::WhiteSpace;
use crate::grid::flaw::Flaw;
use crate::grid::flaw::FlawKind;
use crate::grid::flaw::plural;
use crate::grid::text::Block;
use crate::grid::text::Reader;
use crate::grid::text::UNREAD;
use crate::grid::write;
use crate::model::Finding;
use crate::model::Kind;
use crate::model::Rule;

/// One grid of the input, and all that is needed to judge what is given for it.
pub(crate) struct Sheet<'a> {
    pub(crate) format: &'a Format,
    pub(crate) reader: Reader,
    rules: Rules,
    /// Grids in the input.
    total: u64,
    /// Whether `promised` holds the one right answer.
    has_answer: bool,
    /// The clues of this grid, row-major, 0 for blank.
    pub(crate) current: Vec<Value>,
    /// The clues of the grid after it; all blank behind the last.
    pub(crate) next: Vec<Value>,
    /// The answer to this grid.
    pub(crate) promised: Vec<Value>,
}

/// What a window of output was found to begin with.
pub(crate) struct Passage {
    /// What is wrong with the grid; nothing if it is right.
    pub(crate) findings: Vec<Finding>,
    /// Bytes that belong to it.
    pub(crate) bytes: usize,
    /// Lines that belong to it.
    pub(crate) lines: u64,
    /// Expected and found text, where the exact text is what is wrong first.
    pub(crate) diff: Option<String>,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(format: &'a Format, total: u64, has_answer: bool) -> Self {
        let blank = vec![BLANK; format.shape.cells()];
        Self {
            format,
            reader: Reader::of_outputs(format.shape, &format.symbols, &format.output),
            rules: Rules::new(format.shape),
            total,
            has_answer,
            current: blank.clone(),
            next: blank.clone(),
            promised: blank,
        }
    }

    /// Whether these cells are the answer to the current grid.
    pub(crate) fn is_right(&self, found: &[Value]) -> bool {
        keeps_clues(found, &self.current)
            && self.rules.are_kept_by(found)
            && (!self.has_answer || found == self.promised)
    }

    /// Reads the current grid from a window, whatever stands there. `desert` says that more white space than a
    /// window holds stood before it.
    pub(crate) fn read(&self, site: Site<'_>, window: &[u8], desert: bool) -> Passage {
        let block = self.reader.tolerant(site.grid, window);
        let mut findings = self.judge(site, &block);
        let (mut bytes, mut lines) = (block.bytes, block.lines);
        if !findings.is_empty()
            && let Some(restart) = self.restart(window)
        {
            if !says_more(&block, &restart) {
                findings = vec![self.cut_short(site, &restart)];
            }
            (bytes, lines) = (restart.bytes, restart.lines);
        }
        let text = &window[..bytes];
        if findings.is_empty() && self.format.output.white_space == WhiteSpace::Strict {
            findings.extend(self.white_space(site, &block, text, desert));
        }
        let diff = findings
            .first()
            .filter(|first| first.kind == Kind::Presentation || first.rule == Some(Rule::Banner))
            .map(|_| self.diff(site.grid, &block, text));
        Passage { findings, bytes, lines, diff }
    }

    /// Where the next grid starts, if this one is not as long as it should be. A banner would say so itself.
    fn restart(&self, window: &[u8]) -> Option<resync::Restart> {
        match self.format.output.banner {
            Some(_) => None,
            None => resync::find(&self.reader, window, self.format.shape.order(), &self.next),
        }
    }

    fn cut_short(&self, site: Site<'_>, restart: &resync::Restart) -> Finding {
        let rows = plural(restart.rows as u64, "row");
        let message = format!("the grid has {} {rows}, expected {}", restart.rows, self.format.shape.order());
        site.finding(Rule::Rows, restart.lines.saturating_sub(1), restart.bytes, &message)
    }

    /// What is wrong with a grid, in its text first, then against its clues and the rules.
    fn judge(&self, site: Site<'_>, block: &Block) -> Vec<Finding> {
        let (blanks, others): (Vec<_>, Vec<_>) = block.flaws.iter().partition(|flaw| is_blank(flaw));
        let mut findings: Vec<_> = others.into_iter().map(|flaw| site.flaw(flaw)).collect();
        if let [first, others @ ..] = &blanks[..] {
            findings.push(site.blanks(first, others.len()));
        }
        if block.cells.contains(&UNREAD) {
            return findings;
        }
        let cells = || block.cells.iter().copied().enumerate();
        let clues = cells().zip(&self.current);
        let changed = clues.filter(|((_, found), clue)| **clue != BLANK && *found != BLANK && found != *clue);
        findings.extend(changed.map(|((cell, _), clue)| site.changed_clue(block, cell, *clue)));
        findings.extend(self.rules.clashes(&block.cells).map(|clash| site.clash(block, &clash)));
        if self.has_answer && findings.iter().all(|finding| finding.kind == Kind::Presentation) {
            let other = cells().zip(&self.promised).find(|((_, found), promised)| found != *promised);
            findings.extend(other.map(|((cell, _), promised)| site.other_solution(block, cell, *promised)));
        }
        findings
    }

    /// Whether a grid that is right is written as it must be, byte by byte.
    fn white_space(&self, site: Site<'_>, block: &Block, text: &[u8], desert: bool) -> Option<Finding> {
        let canonical = self.canonical(site.grid, &block.cells);
        // The very last newline of an output is nobody's concern.
        let is_end = site.grid == self.total && !text.ends_with(b"\n");
        let expected = if is_end { canonical.trim_end_matches('\n') } else { &canonical };
        if text == expected.as_bytes() && !desert {
            return None;
        }
        let same =
            text.iter().zip(expected.as_bytes()).take_while(|(found, expected)| found == expected).count();
        let line = text[..same].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let finding =
            site.finding(Rule::Spacing, line, same, "right but for white space, which must be exact here");
        Some(Finding { kind: Kind::Presentation, ..finding })
    }

    fn diff(&self, grid: u64, block: &Block, text: &[u8]) -> String {
        let cells = if block.cells.contains(&UNREAD) { &self.promised } else { &block.cells };
        diff::of(&self.canonical(grid, cells), text)
    }

    fn canonical(&self, grid: u64, cells: &[Value]) -> String {
        write::grid(self.format.shape, &self.format.symbols, &self.format.output, grid, cells)
    }
}

/// Whether the text of a grid that ends early or late has something wrong with it that says more than its length: cells
/// that are no symbols, or too many in a row.
fn says_more(block: &Block, restart: &resync::Restart) -> bool {
    let within = block.flaws.iter().filter(|flaw| flaw.row.is_some_and(|row| row <= restart.rows));
    within.into_iter().any(|flaw| match flaw.kind {
        FlawKind::CellCount { found, expected } => found > expected,
        _ => false,
    })
}

fn is_blank(flaw: &Flaw) -> bool {
    matches!(flaw.kind, FlawKind::Blank(_))
}

/// Whether every clue still stands.
fn keeps_clues(found: &[Value], clues: &[Value]) -> bool {
    // Without a branch a cell, so that the compiler can compare many at once.
    found
        .iter()
        .zip(clues)
        .fold(0, |changed, (found, clue)| changed | if *clue == BLANK { 0 } else { found ^ clue })
        == 0
}
