//! A page of Markdown with its tables, within a limit, and foreign text in it.

use crate::text::one_line;

/// The most bytes of a page: GitHub accepts 1 MiB, and other reports may share it.
const MOST_BYTES: usize = 900 << 10;

/// The most rows of a table.
const MOST_ROWS: usize = 2_000;

/// The rows of a table, up to a limit, and their total number.
#[derive(Default)]
pub(super) struct MarkdownRows {
    pub(super) kept: Vec<String>,
    pub(super) in_all: usize,
}

/// A page while it is built.
#[derive(Default)]
pub(super) struct MarkdownPage {
    pub(super) text: String,
}

impl MarkdownRows {
    pub(super) fn add(&mut self, row: impl FnOnce() -> String) {
        self.in_all += 1;
        if self.kept.len() < MOST_ROWS {
            self.kept.push(row());
        }
    }
}

impl MarkdownPage {
    /// Adds a text if there is room for it. Returns whether it was added.
    pub(super) fn push(&mut self, text: &str) -> bool {
        let fits = self.text.len() + text.len() <= MOST_BYTES;
        if fits {
            self.push_always(text);
        }
        fits
    }

    pub(super) fn push_always(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a table with this head, if there are rows. It takes at most a part of the page.
    pub(super) fn table(&mut self, head: &str, rows: &MarkdownRows, part: usize) {
        if rows.kept.is_empty() {
            return;
        }
        self.push_always(head);
        let room = MOST_BYTES / part;
        let start = self.text.len();
        let fitting = rows.kept.iter().take_while(|row| {
            let fits = self.text.len() - start < room;
            if fits {
                self.text.push_str(row);
            }
            fits
        });
        let shown = fitting.count();
        self.push_always("\n");
        if shown < rows.in_all {
            self.push_always(&format!("Rows left out: {}.\n\n", rows.in_all - shown));
        }
    }
}

/// A code span for a table cell, whose bars must be escaped because tables are split at them first.
pub(super) fn cell(text: &str) -> String {
    span(text).replace('|', "\\|")
}

/// Foreign text as a code span that it cannot break out of.
pub(super) fn span(text: &str) -> String {
    let text = one_line(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    let needs_space = text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let space = if needs_space { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Lines as a code block that they cannot break out of.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}
