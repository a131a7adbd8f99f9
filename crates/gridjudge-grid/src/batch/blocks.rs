//! Splits a text into blocks of whole lines, however the bytes arrive.

use std::io;
use std::io::{ErrorKind, Read};

/// The most bytes of a block: about 1,500 puzzles, which keep the lanes of the solver busy.
pub(super) const BLOCK: usize = 1 << 17;

/// Reads blocks of whole lines. The last one may lack its line break.
pub(super) struct BlockReader<R> {
    input: R,
    /// The start of a line that did not fit into the last block.
    rest: Vec<u8>,
    is_at_end: bool,
    /// Whether the current line is longer than a block; the bytes up to its end are then left out.
    is_overlong: bool,
}

impl<R: Read> BlockReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            rest: Vec::new(),
            is_at_end: false,
            is_overlong: false,
        }
    }

    /// The next block; `None` at the end. A line longer than a block is cut off.
    ///
    /// # Errors
    /// Returns the error of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut block = Vec::with_capacity(BLOCK);
        block.append(&mut self.rest);
        while !self.is_at_end {
            let from = block.len();
            self.fill(&mut block)?;
            self.skip_overlong(&mut block, from);
            if let Some(end) = block.iter().rposition(|&byte| byte == b'\n') {
                self.rest.extend_from_slice(&block[end + 1..]);
                block.truncate(end + 1);
                return Ok(Some(block));
            }
            if block.len() == BLOCK {
                self.is_overlong = true;
                return Ok(Some(block));
            }
        }
        Ok((!block.is_empty()).then_some(block))
    }

    /// Reads until the block is full or the input ends. Stops after a read that completes a line,
    /// so that single lines that are typed or piped are answered at once.
    fn fill(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        let from = block.len();
        block.resize(BLOCK, 0);
        let mut end = from;
        while end < BLOCK {
            match self.input.read(&mut block[end..]) {
                Ok(0) => {
                    self.is_at_end = true;
                    break;
                }
                Ok(count) => {
                    end += count;
                    if block[end - count..end].contains(&b'\n') {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        block.truncate(end);
        Ok(())
    }

    /// Removes the bytes that still belong to a line that was cut off.
    fn skip_overlong(&mut self, block: &mut Vec<u8>, from: usize) {
        if self.is_overlong {
            let end = block[from..].iter().position(|&byte| byte == b'\n');
            // The line break is removed too, since the part before the cut already counts as a
            // line.
            block.drain(from..end.map_or(block.len(), |end| from + end + 1));
            self.is_overlong = end.is_none();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns its bytes a few at a time.
    struct TrickleReader<'a>(&'a [u8], usize);

    impl Read for TrickleReader<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn blocks(text: &[u8], drop: usize) -> Vec<Vec<u8>> {
        let mut blocks = BlockReader::new(TrickleReader(text, drop));
        std::iter::from_fn(|| blocks.next().unwrap()).collect()
    }

    #[test]
    fn blocks_hold_whole_lines_however_the_bytes_arrive() {
        let text = "12\n\n345\r\n6\n7".repeat(30);
        for drop in [1, 2, 7, 1000] {
            let blocks = blocks(text.as_bytes(), drop);
            assert_eq!(blocks.concat(), text.as_bytes());
            assert!(
                blocks[..blocks.len() - 1]
                    .iter()
                    .all(|block| block.ends_with(b"\n"))
            );
        }
        assert!(blocks(b"", 1).is_empty());
    }

    #[test]
    fn a_line_longer_than_a_block_is_cut_off_and_the_next_is_whole() {
        let text = [
            "1".repeat(3 * BLOCK),
            "23".to_owned(),
            "4".repeat(BLOCK),
            "5".to_owned(),
        ]
        .join("\n");
        for drop in [1000, BLOCK, 4 * BLOCK] {
            let blocks = blocks(text.as_bytes(), drop);
            let lines: Vec<_> = blocks
                .iter()
                .flat_map(|block| block.split_inclusive(|&byte| byte == b'\n'))
                .collect();
            let lengths: Vec<_> = lines.iter().map(|line| line.len()).collect();
            assert_eq!(lengths, [BLOCK, 3, BLOCK, 1], "{drop}");
        }
    }
}
