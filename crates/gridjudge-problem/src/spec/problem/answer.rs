//! Reads `[answer]`: which answers are accepted, and which texts replace a solution.

use gridjudge_grid::format::{PuzzleKind, ReplyKind};
use gridjudge_grid::{CountLine, Replies, Template};

use crate::keys::{KeyTable, word_of};
use crate::mistake::quoted;
use crate::model::Accept;
use crate::spec::problem::separator::{case_line, template};
use crate::text::JoinedTexts;

use AcceptMode::{All, Any, Count, First, Unique, Word};

/// The most solutions of one grid that may be listed. They are in memory while an
/// output is checked.
const MOST_LISTED: u64 = 10_000;

/// The most solutions of one grid that may be counted.
const MOST_COUNTED: u64 = 1_000_000;

/// A way to accept, before its bound is known.
#[derive(Clone, Copy, PartialEq)]
enum AcceptMode {
    Unique,
    Any,
    First,
    All,
    Count,
    Word,
}

const WAYS: [(&str, AcceptMode); 6] = [
    ("unique", Unique),
    ("any", Any),
    ("first", First),
    ("all", All),
    ("count", Count),
    ("word", Word),
];

const COUNT_LINE: [(&str, bool); 2] = [("before", false), ("after", true)];
const APART: [(&str, bool); 2] = [("none", false), ("blank", true)];

/// The contents of `[answer]`.
pub(super) struct AnswerSpec {
    pub(super) table: KeyTable,
    /// `None` after a mistake, which has been noted.
    pub(super) accept: Option<Accept>,
    pub(super) replies: Replies,
    /// The line before a solution.
    pub(super) lead: Option<Template>,
    way: Option<AcceptMode>,
}

impl AnswerSpec {
    /// The name of the accept mode, if its outputs have no grids, but numbers of
    /// solutions or words.
    pub(super) fn without_grids(&self) -> Option<&'static str> {
        match self.way? {
            Count => Some("count"),
            Word => Some("word"),
            Unique | Any | First | All => None,
        }
    }
}

/// The accept modes that may count solutions, and those that list solutions beside
/// their number.
const COUNTED: [AcceptMode; 4] = [All, Count, Any, First];
const LISTED: [AcceptMode; 3] = [All, Any, First];

/// Keys of `[answer]`, with the accept modes that use them.
const MEANINGS: [(&str, &[AcceptMode]); 11] = [
    ("one", &[Unique, Any, First, Word]),
    ("several", &[Unique, Word]),
    ("valid", &[Word]),
    ("complete", &[Word]),
    ("solvable", &[Word]),
    ("more", &COUNTED),
    ("most", &COUNTED),
    ("count", &COUNTED),
    ("count_line", &LISTED),
    ("count_apart", &LISTED),
    ("between", &[All]),
];

/// Words that other judges use for keys of `[answer]`, with the keys that may be meant.
const SYNONYMS: [(&str, &str); 15] = [
    ("header", "one count"),
    ("yes", "one solvable valid"),
    ("solved", "one complete"),
    ("possible", "one solvable"),
    ("clash", "invalid"),
    ("contradiction", "invalid"),
    ("unique", "one"),
    ("no", "none invalid"),
    ("impossible", "none"),
    ("unsolvable", "none"),
    ("many", "several more"),
    ("ambiguous", "several"),
    ("limit", "most"),
    ("number", "count"),
    ("separator", "between"),
];

pub(super) fn read_answer(own: KeyTable) -> AnswerSpec {
    let table = &own;
    let way = table
        .require("accept", "`accept = \"unique\"`")
        .choice("accept", &WAYS);
    let text = |key| {
        table
            .text(key)
            .and_then(|text| case_line(table, key, &text))
    };
    let one = text("one");
    let (one, lead) = if way == Some(Word) {
        (one, None)
    } else {
        (None, one)
    };
    let words = [
        "none", "several", "more", "invalid", "valid", "complete", "solvable",
    ];
    let [none, several, more, invalid, valid, complete, solvable] = words.map(text);
    let largest = if way == Some(All) {
        MOST_LISTED
    } else {
        MOST_COUNTED
    };
    let most = table.whole("most", 1, largest);
    let count = read_count_line(table);
    let blank_line_between_solutions =
        table.choice("between", &APART).unwrap_or_default();
    table.refuse_the_rest_or_name(&SYNONYMS);
    if let Some(way) = way {
        refuse_keys_of_other_modes(table, way);
    }
    refuse_without_count(table, way);
    let accept = way.and_then(|way| accept(way, most, table.has("count")));
    let replies = Replies {
        none,
        several: several.or(more),
        count,
        blank_line_between_solutions,
        invalid,
        valid,
        complete,
        solvable,
        one,
    };
    if way == Some(Word) {
        agree(&replies, table);
    }
    AnswerSpec {
        table: own,
        accept,
        replies,
        lead,
        way,
    }
}

fn read_count_line(table: &KeyTable) -> Option<CountLine> {
    let count = table.text("count");
    let follows_solutions = table.choice("count_line", &COUNT_LINE);
    let has_blank_line = table.flag("count_apart");
    let template = template(table, "count", "count", &count?)?;
    if template.digits.is_none() {
        table.refuse_value(
            "count",
            "`count` does not hold `{count}`",
            "write `{count}` where the number belongs",
        );
    }
    Some(CountLine {
        template,
        follows_solutions: follows_solutions.unwrap_or_default(),
        has_blank_line: has_blank_line.unwrap_or_default(),
    })
}

/// Notes the keys that describe the line of a count if there is no `count`.
fn refuse_without_count(table: &KeyTable, way: Option<AcceptMode>) {
    let needs_count: &[&str] = match way {
        Some(First | Any) => &["count_line", "count_apart", "most", "more"],
        _ => &["count_line", "count_apart"],
    };
    let remedy = "add `count = \"{count}\"`, or delete it";
    table.refuse_without("count", needs_count, remedy);
}

fn accept(way: AcceptMode, most: Option<u64>, has_count: bool) -> Option<Accept> {
    Some(match way {
        Unique => Accept::Unique,
        Any if has_count => Accept::AnyCounted { most: most? },
        Any => Accept::Any,
        First if has_count => Accept::FirstCounted { most: most? },
        First => Accept::First,
        All => Accept::All { most: most? },
        Count => Accept::Count { most: most? },
        Word => Accept::Word,
    })
}

/// Notes the keys that do not belong to an accept mode, and the missing ones that it
/// needs.
fn refuse_keys_of_other_modes(table: &KeyTable, way: AcceptMode) {
    let word = word_of(&WAYS, way);
    for (key, ways) in MEANINGS.iter().filter(|(_, ways)| !ways.contains(&way)) {
        let words = WAYS
            .iter()
            .filter(|(_, way)| ways.contains(way))
            .map(|(word, _)| format!("\"{word}\""));
        table.refuse_key(
            key,
            format!("`{key}` has no meaning with `accept = \"{word}\"`"),
            format!("delete it, or write `accept = {}`", words.joined("` or `")),
        );
    }
    let is_counted = matches!(way, First | Any) && table.has("count");
    if is_counted {
        let remedy = "delete one of the two: the number of solutions is before the \
                      solution, or after it";
        table.refuse_key("one", "`one` has no meaning with `count`", remedy);
    }
    let needed = [
        (
            "most",
            way == Count || is_counted,
            "say how many solutions are counted at most, for example `most = 1000`",
        ),
        (
            "most",
            way == All,
            "say how many solutions a grid may have, for example `most = 100`",
        ),
        (
            "count",
            way == Count,
            "say how the number is written, for example `count = \"{count}\"`",
        ),
    ];
    for (key, is_needed, remedy) in needed {
        if is_needed && !table.has(key) {
            table.refuse_table(format!("[answer] has no `{key}`"), remedy);
        }
    }
}

// Checks the words of `accept = "word"`: each must be the answer to some grid, and at
// least two must differ.

/// Notes words that are never an answer, and words that are all the same.
fn agree(replies: &Replies, table: &KeyTable) {
    for (kind, _) in replies.texts() {
        if let Some(rivals) = rivals(replies, kind) {
            let rivals = rivals.iter().map(|kind| format!("`{}`", kind.key()));
            table.refuse_key(
                kind.key(),
                format!(
                    "`{}` is never used: {} cover every such grid",
                    kind.key(),
                    rivals.joined(" and ")
                ),
                "delete it, or one of the others",
            );
        }
    }
    let mut lines = replies.texts().map(|(_, text)| text);
    match (lines.next(), lines.next()) {
        (Some(first), Some(second)) => {
            if second == first && lines.all(|line| line == first) {
                table.refuse_table(
                    format!("all words are {}", quoted(&first.spelling("n"))),
                    "write different words for different kinds of grids",
                );
            }
        }
        _ => {
            let remedy = "give at least two words, for example `valid = \"YES\"` and \
                          `invalid = \"NO\"`, or `solvable` and `none`";
            table.refuse_table(
                "`accept = \"word\"` does not have two words to choose from",
                remedy,
            );
        }
    }
}

/// The words that replace a word for every grid that it applies to. `None` if it is the
/// answer to some grid.
fn rivals(replies: &Replies, kind: ReplyKind) -> Option<Vec<ReplyKind>> {
    let said: Vec<_> = PuzzleKind::ALL
        .into_iter()
        .filter(|puzzle| puzzle.replies().contains(&kind))
        .filter_map(|puzzle| replies.word_for(puzzle))
        .collect();
    let rivals = ReplyKind::ALL
        .into_iter()
        .filter(|other| said.contains(other))
        .collect();
    (!said.contains(&kind)).then_some(rivals)
}
