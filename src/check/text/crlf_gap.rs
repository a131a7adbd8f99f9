//! Compares the white space between two tokens where a carriage return before a line feed does not
//! count, as in online-judge-tools. Knows bytes only.

/// A summary of such white space, however long it is.
#[derive(Default)]
pub(super) struct CrlfGap {
    /// The hash of all bytes that count, without a carriage return at the end.
    counted: blake3::Hasher,
    ends_with_return: bool,
}

impl CrlfGap {
    /// Adds the next piece.
    pub(super) fn read(&mut self, text: &[u8]) {
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            if self.ends_with_return && line != b"\n" {
                self.counted.update(b"\r");
            }
            self.ends_with_return = line.ends_with(b"\r");
            match line {
                [content @ .., b'\r', b'\n'] => self.counted.update(content).update(b"\n"),
                [content @ .., b'\r'] => self.counted.update(content),
                content => self.counted.update(content),
            };
        }
    }

    /// Whether two gaps are alike.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.ends_with_return == other.ends_with_return
            && self.counted.finalize() == other.counted.finalize()
    }
}

/// Whether two pieces of white space are alike.
pub(super) fn are_alike(found: &[u8], expected: &[u8]) -> bool {
    counted(found).eq(counted(expected))
}

fn counted(text: &[u8]) -> impl Iterator<Item = u8> {
    let followed = text.iter().zip(text.iter().skip(1).map(Some).chain([None]));
    followed
        .filter(|(byte, next)| (**byte, next.copied()) != (b'\r', Some(b'\n')))
        .map(|(byte, _)| *byte)
}
