//! Removes excess padding from a text: endless white space, decoration and comments,
//! and the rest of lines longer than any right line. [`Padding`] removes it from a
//! piece of text and reports where, so that a window of bounded size holds a grid
//! however much padding surrounds its cells. Knows bytes and layouts; reads no file.

use crate::format::TextOffset;
use crate::{Format, GridCount, Layout};

/// The least bytes of fill kept of each run; those in the texts of a format are added
/// to it. Far more than any canonical form has, so that strict white space still
/// notices the excess.
const LEAST_RUN: usize = 64;

/// The least bytes kept of each line: enough to count a thousand cells.
const LEAST_LINE: usize = 4096;

/// The least value of [`Padding::reach`].
const LEAST_REACH: usize = 64 * 1024;

/// Newlines that are kept even in a run of fill that is full: one that ends a line, and
/// one for an empty line.
const NEWLINES: usize = 2;

/// The digits of the longest number in a banner, a count or an order.
const DIGITS: usize = 20;

/// Decides which bytes may be left out of the texts of one layout.
#[derive(Clone, Debug)]
pub struct Padding {
    /// The bytes that are fill: white space and ignored characters.
    fills: [bool; 256],
    comment: Option<Vec<u8>>,
    longest_run: usize,
    /// The bytes of the longest line that may be right. Of a longer line, one byte more
    /// than this is kept.
    pub(super) longest_line: usize,
    reach: usize,
}

/// A place at which bytes were left out.
#[derive(Debug)]
pub struct PaddingGap {
    /// Bytes kept before it.
    pub at: usize,
    /// What was left out.
    pub size: TextOffset,
}

/// The state of squeezing a text, which begins at the start of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct SqueezeProgress {
    /// Bytes of fill kept since the last byte of content.
    run: usize,
    /// Newlines among them.
    newlines: usize,
    /// Bytes kept of the current line.
    line: usize,
    /// Whether the line has more than white space so far.
    has_content: bool,
    /// Whether the comment on the line is left out; `None` if the line is not a
    /// comment.
    comment: Option<bool>,
}

impl Padding {
    /// The padding of one layout of a format: its inputs or its outputs.
    pub fn for_layout(format: &Format, layout: &Layout) -> Self {
        let ignored = layout.ignored.as_bytes();
        let fills: [bool; 256] = std::array::from_fn(|byte| {
            // A byte is below 256.
            let byte = byte as u8;
            byte.is_ascii_whitespace() || ignored.contains(&byte)
        });
        let texts = texts(format);
        let longest_run = LEAST_RUN
            + texts
                .iter()
                .flat_map(|text| text.bytes())
                .filter(|&byte| fills[usize::from(byte)])
                .count();
        let words =
            texts.iter().map(|text| text.len() + DIGITS).sum::<usize>() + 2 * DIGITS;
        let shape = format.shape();
        let (height, width) = layout.lines_and_width(shape);
        // A cell has at most two bytes, or three with walls; a map adds at most as much
        // again. Each cell, line and text may have a run of fill around it.
        let run = longest_run + NEWLINES;
        let line = (width + 4) * run + 3 * width + words;
        let grid =
            (shape.cells() + 2 * height + 16) * run + 2 * shape.cells() + 2 * words;
        let maps = usize::from(layout.region_map.is_some());
        Self {
            fills,
            comment: layout
                .comment
                .as_ref()
                .map(|comment| comment.as_bytes().to_vec()),
            longest_run,
            longest_line: line.max(LEAST_LINE),
            reach: ((1 + maps) * grid).max(LEAST_REACH),
        }
    }

    /// The bytes that suffice for any right grid and everything around it, once the
    /// padding is left out.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Moves the bytes to keep to the start of a text, and calls `leave_out` for each
    /// other byte with the number of bytes kept before it. Returns how many bytes were
    /// read and how many of them are kept. Bytes at the end that may begin a comment
    /// are not read, unless the text `ends` there.
    pub fn squeeze(
        &self,
        progress: &mut SqueezeProgress,
        text: &mut [u8],
        ends: bool,
        mut leave_out: impl FnMut(usize, u8),
    ) -> (usize, usize) {
        let mut kept = 0;
        for place in 0..text.len() {
            let byte = text[place];
            if !progress.has_content && !byte.is_ascii_whitespace() {
                let line = &text[place..];
                let sign = self.comment.as_ref();
                let is_too_short = sign.is_some_and(|sign| {
                    line.len() < sign.len() && sign.starts_with(line)
                });
                if is_too_short && !ends {
                    return (place, kept);
                }
                progress.has_content = true;
                // If not even the comment sign fits into the run of fill, the comment
                // is left out.
                progress.comment = sign
                    .filter(|sign| line.starts_with(sign))
                    .map(|sign| progress.run + sign.len() > self.longest_run);
            }
            if self.keeps(progress, byte) {
                text[kept] = byte;
                kept += 1;
            } else {
                leave_out(kept, byte);
            }
        }
        (text.len(), kept)
    }

    /// Whether a byte is kept. Updates the progress.
    fn keeps(&self, progress: &mut SqueezeProgress, byte: u8) -> bool {
        if byte == b'\n' {
            let keeps =
                progress.run < self.longest_run || progress.newlines < NEWLINES;
            let run = progress.run + usize::from(keeps);
            let newlines = progress.newlines + usize::from(keeps);
            *progress = SqueezeProgress {
                run,
                newlines,
                ..SqueezeProgress::default()
            };
            return keeps;
        }
        let fills = progress.comment.is_some() || self.fills[usize::from(byte)];
        let keeps = progress.line <= self.longest_line
            && (!fills
                || progress.run < self.longest_run && progress.comment != Some(true));
        if keeps {
            progress.line += 1;
            progress.run = if fills { progress.run + 1 } else { 0 };
            progress.newlines = if fills { progress.newlines } else { 0 };
        }
        keeps
    }
}

/// The texts in a format that do not depend on the grid.
fn texts(format: &Format) -> Vec<String> {
    let until = match &format.input.count {
        GridCount::Until { line, .. } => Some(line.clone()),
        _ => None,
    };
    let layouts = [&format.input, &format.output];
    let banners = layouts
        .into_iter()
        .flat_map(|layout| &layout.banner)
        .map(|banner| banner.template.line(1));
    let replies = &format.replies;
    let count = replies.count.as_ref().map(|count| count.template.line(1));
    let words = replies
        .texts()
        .map(|(_, text)| text)
        .chain(&format.output.lead)
        .map(|text| text.line(1));
    banners
        .chain(words)
        .chain(until)
        .chain(count)
        .chain(
            layouts
                .into_iter()
                .flat_map(|layout| &layout.separator)
                .map(|separator| separator.line.clone()),
        )
        .collect()
}

#[cfg(test)]
mod tests;
