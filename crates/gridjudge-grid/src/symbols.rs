//! Defines the values of cells and the texts that are written for them. Data only.

use serde::{Deserialize, Serialize};

/// The largest order supported: a cell's candidates must fit 32 bits, and a grid must
/// stay readable.
pub const LARGEST_ORDER: u8 = 25;

/// Value of a cell: 0 for blank, else a symbol's place in [`Symbols`] from 1.
pub type Value = u8;

/// The value of a blank cell.
pub const BLANK: Value = 0;

/// In a [`GridBlock`](crate::format::GridBlock): a cell that could not be read.
pub const UNREAD: Value = u8::MAX;

/// The texts of a grid's cells: characters, or decimal numbers. A grid of a smaller
/// order uses only the first symbols.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// The text of value `v` is at index `v - 1`.
    texts: Vec<String>,
    /// Characters that stand for a blank; the first of them is used for writing.
    blanks: String,
}

impl Symbols {
    /// Symbols of one ASCII character each.
    ///
    /// # Panics
    /// If `blanks` is empty.
    pub fn characters(symbols: &str, blanks: &str) -> Self {
        Self::new(symbols.chars().map(String::from).collect(), blanks)
    }

    /// The numbers from 1 to [`LARGEST_ORDER`].
    ///
    /// # Panics
    /// If `blanks` is empty.
    pub fn numbers(blanks: &str) -> Self {
        Self::new(
            (1..=LARGEST_ORDER)
                .map(|number| number.to_string())
                .collect(),
            blanks,
        )
    }

    fn new(texts: Vec<String>, blanks: &str) -> Self {
        assert!(!blanks.is_empty(), "a grid needs a blank");
        Self {
            texts,
            blanks: blanks.to_owned(),
        }
    }

    /// The number of symbols.
    pub fn count(&self) -> usize {
        self.texts.len()
    }

    /// Whether every symbol is a single character.
    pub fn are_characters(&self) -> bool {
        self.texts.iter().all(|text| text.len() == 1)
    }

    /// The symbols, in the order of their values.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Characters that stand for a blank.
    pub fn blanks(&self) -> &str {
        &self.blanks
    }

    /// The text that is written for a value.
    ///
    /// # Panics
    /// If there is no symbol for the value.
    pub fn symbol(&self, value: Value) -> &str {
        match value {
            BLANK => &self.blanks[..1],
            value => &self.texts[usize::from(value) - 1],
        }
    }

    /// The values of all one-byte texts in a grid of this order, indexed by the byte;
    /// [`UNREAD`] for bytes without a value.
    pub(crate) fn values_of_bytes(&self, order: usize) -> [Value; 256] {
        let mut values = [UNREAD; 256];
        for blank in self.blanks.bytes() {
            values[usize::from(blank)] = BLANK;
        }
        // To agree with `value`: if a byte has several meanings, blank wins, else the
        // first symbol.
        for (symbol, value) in self.texts.iter().take(order).zip(1..) {
            if let [byte] = symbol.as_bytes()
                && values[usize::from(*byte)] == UNREAD
            {
                values[usize::from(*byte)] = value;
            }
        }
        values
    }

    /// The value of the text of a cell in a grid of this order; `None` if the text is
    /// not a symbol or blank.
    pub fn value(&self, text: &[u8], order: usize) -> Option<Value> {
        if matches!(text, [byte] if self.blanks.as_bytes().contains(byte)) {
            return Some(BLANK);
        }
        let mut symbols = self.texts.iter().take(order);
        let place = symbols.position(|symbol| symbol.as_bytes() == text)?;
        u8::try_from(place + 1).ok()
    }
}

/// The grid with new names for its symbols: `names[v - 1]` for value `v`.
pub fn renamed(cells: &[Value], names: &[Value]) -> Vec<Value> {
    cells
        .iter()
        .map(|&value| match value {
            BLANK => BLANK,
            value => names[usize::from(value) - 1],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_bytes_agrees_with_reading_each_byte() {
        let twice = Symbols::characters("12x1-", "-.");
        for (symbols, order) in [
            (twice, 4),
            (Symbols::characters("ABCD", "."), 2),
            (Symbols::numbers("0"), 25),
        ] {
            let table = symbols.values_of_bytes(order);
            for byte in 0..=u8::MAX {
                let read = symbols.value(&[byte], order).unwrap_or(Value::MAX);
                assert_eq!(table[usize::from(byte)], read, "{byte}");
            }
        }
    }

    #[test]
    fn every_value_is_read_as_it_is_written() {
        for (symbols, order) in [
            (Symbols::characters("ABCD", ".*"), 4),
            (Symbols::numbers("0"), 25),
        ] {
            for value in 0..=order as Value {
                assert_eq!(
                    symbols.value(symbols.symbol(value).as_bytes(), order),
                    Some(value)
                );
            }
        }
        let symbols = Symbols::numbers("0-");
        assert_eq!(
            (symbols.value(b"-", 9), symbols.value(b"9", 9)),
            (Some(BLANK), Some(9))
        );
        for text in ["10", "09", "", "x", "26"] {
            assert_eq!(symbols.value(text.as_bytes(), 9), None, "{text}");
        }
    }
}
