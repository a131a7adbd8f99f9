//! How grids are written down: symbols, cell layout, framing, banners. Data only; reading is in
//! [`text`](crate::grid::text), writing in [`write`](crate::grid::write).

use serde::Deserialize;
use serde::Serialize;

use crate::grid::Shape;

/// Value of a cell: 0 for blank, else a symbol's place in [`Symbols`] from 1.
pub type Value = u8;

/// The value of a blank cell.
pub const BLANK: Value = 0;

/// Everything that a problem says about the texts of its grids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The geometry that all its grids share.
    pub shape: Shape,
    /// What is written for each value.
    pub symbols: Symbols,
    /// How its inputs look.
    pub input: Layout,
    /// How its outputs must look.
    pub output: Layout,
}

/// The characters of a grid: one ASCII character a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// The symbol of value `v` at `v - 1`.
    pub symbols: String,
    /// Characters that stand for a blank; the first is the one we write.
    pub blanks: String,
}

impl Symbols {
    /// What is written for a value.
    ///
    /// # Panics
    /// If the value is not of this grid.
    pub fn symbol(&self, value: Value) -> char {
        let byte = match value {
            BLANK => self.blanks.as_bytes()[0],
            value => self.symbols.as_bytes()[usize::from(value) - 1],
        };
        char::from(byte)
    }
}

/// How a text of grids looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// How many grids there are, and how the text tells.
    pub count: Count,
    /// What stands between the cells of a row.
    pub cells: Cells,
    /// Where empty lines stand.
    pub blank_lines: BlankLines,
    /// A line before each grid.
    pub banner: Option<Banner>,
    /// Whether the exact white space matters.
    pub white_space: WhiteSpace,
}

/// How many grids a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Count {
    /// One grid.
    One,
    /// A number on the first line, then that many grids.
    First {
        /// The largest number allowed.
        most: u64,
    },
    /// As many as the input has: nothing in the text says so. For outputs.
    AsInput,
}

/// What stands between the cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cells {
    /// Nothing: `530070000`.
    Joined,
    /// One space: `5 3 0 0 7 0 0 0 0`.
    Spaced,
}

/// Where empty lines stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BlankLines {
    /// Nowhere.
    None,
    /// One before each grid, the first included.
    Before,
}

/// Whether the exact white space of an output matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WhiteSpace {
    /// Spaces at the ends of lines and empty lines do not count.
    Lenient,
    /// Every byte counts, save a missing newline at the very end.
    Strict,
}

/// A line that opens a grid, by template: `Case #{n}:` gives `Case #1:`, `Case #2:`, ...
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banner {
    /// What stands before the number.
    pub before: String,
    /// Whether there is a number.
    pub numbered: bool,
    /// What stands after the number.
    pub after: String,
}

impl Banner {
    /// The banner of a template, in which `{n}` stands for the number of the grid.
    pub fn from_template(template: &str) -> Self {
        let (before, numbered, after) = match template.split_once("{n}") {
            Some((before, after)) => (before, true, after),
            None => (template, false, ""),
        };
        Self { before: before.to_owned(), numbered, after: after.to_owned() }
    }

    /// The line that opens grid `number`, without its newline.
    pub fn line(&self, number: u64) -> String {
        match self.numbered {
            true => format!("{}{number}{}", self.before, self.after),
            false => self.before.clone(),
        }
    }

    /// Whether a line is a banner of this kind, be its number right or wrong, spaces at its ends apart.
    pub fn resembles(&self, line: &[u8]) -> bool {
        let (before, after) = match self.numbered {
            true => (self.before.trim_start(), self.after.trim_end()),
            false => (self.before.trim(), ""),
        };
        let line = line.trim_ascii();
        let number =
            line.strip_prefix(before.as_bytes()).and_then(|rest| rest.strip_suffix(after.as_bytes()));
        match number {
            Some(number) if self.numbered => !number.is_empty() && number.iter().all(u8::is_ascii_digit),
            Some(rest) => rest.is_empty(),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_banner_resembles_itself_with_any_number_and_nothing_else() {
        let banner = Banner::from_template("Case #{n}:");
        assert_eq!(banner.line(12), "Case #12:");
        for (line, expected) in [
            ("Case #0:", true),
            ("Case #12:", true),
            ("Case #:", false),
            ("case #1:", false),
            ("1234", false),
        ] {
            assert_eq!(banner.resembles(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn spaces_at_the_ends_of_a_banner_tell_nothing() {
        for template in [" Case {n} ", "Case {n}", " {n} ", " Case "] {
            let banner = Banner::from_template(template);
            assert!(banner.resembles(banner.line(7).as_bytes()), "{template}");
            assert!(banner.resembles(banner.line(7).trim().as_bytes()), "{template}");
        }
    }

    #[test]
    fn a_template_without_a_number_is_the_line_itself() {
        let banner = Banner::from_template("Solution");
        assert_eq!(banner.line(7), "Solution");
        assert!(banner.resembles(b"Solution") && !banner.resembles(b"Solution 7"));
    }
}
