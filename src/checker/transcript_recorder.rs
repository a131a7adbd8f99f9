//! Records the transcript of an interaction, within bounds: the start of each of its
//! first and last lines. Does not interpret them. Start at [`TranscriptRecorder`].

use std::collections::VecDeque;
use std::time::Duration;

use gridjudge_sandbox::{InteractionListener, Side};
use parking_lot::Mutex;

use crate::model::{Speaker, Transcript, TranscriptLine, micros};

/// How many lines are recorded of the beginning, and as many of the end.
const MOST_LINES: usize = 200;

/// The most bytes that are recorded of a line.
const MOST_BYTES: usize = 200;

/// Records the transcript of the interaction that it listens to.
#[derive(Default)]
pub struct TranscriptRecorder(Mutex<Recording>);

#[derive(Default)]
struct Recording {
    first: Vec<TranscriptLine>,
    last: VecDeque<TranscriptLine>,
    left_out: u64,
    open: Option<OpenLine>,
}

/// A line that is not complete yet.
struct OpenLine {
    at: Duration,
    by: Speaker,
    start: Vec<u8>,
    left_out: u64,
}

impl TranscriptRecorder {
    /// Returns the transcript.
    pub fn into_transcript(self) -> Transcript {
        let mut heard = self.0.into_inner();
        heard.close_line(true, &|_| {});
        Transcript {
            lines: heard.first,
            left_out: heard.left_out,
            last_lines: heard.last.into(),
        }
    }

    /// Records these bytes, and calls `show` with each line that they complete, if it
    /// is one of the first lines.
    pub fn hear_and_show(
        &self,
        by: Side,
        at: Duration,
        bytes: &[u8],
        show: &dyn Fn(&TranscriptLine),
    ) {
        let by = match by {
            Side::Submission => Speaker::Submission,
            Side::Interactor => Speaker::Interactor,
        };
        let mut heard = self.0.lock();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            heard.add(by, at, piece, show);
        }
    }
}

impl InteractionListener for TranscriptRecorder {
    fn begin(&self) {
        *self.0.lock() = Recording::default();
    }

    fn receive(&self, by: Side, at: Duration, bytes: &[u8]) {
        self.hear_and_show(by, at, bytes, &|_| {});
    }
}

impl Recording {
    /// Adds a piece of one line, which may include its end.
    fn add(
        &mut self,
        by: Speaker,
        at: Duration,
        piece: &[u8],
        show: &dyn Fn(&TranscriptLine),
    ) {
        if self.open.as_ref().is_some_and(|open| open.by != by) {
            self.close_line(true, show);
        }
        let (text, is_whole) = piece
            .strip_suffix(b"\n")
            .map_or((piece, false), |text| (text, true));
        let open = self.open.get_or_insert_with(|| OpenLine {
            at,
            by,
            start: vec![],
            left_out: 0,
        });
        let kept = text.len().min(MOST_BYTES - open.start.len());
        open.start.extend(&text[..kept]);
        open.left_out += (text.len() - kept) as u64;
        if is_whole {
            self.close_line(false, show);
        }
    }

    fn close_line(&mut self, unfinished: bool, show: &dyn Fn(&TranscriptLine)) {
        let Some(OpenLine {
            at,
            by,
            start,
            left_out: left_out_bytes,
        }) = self.open.take()
        else {
            return;
        };
        let text = String::from_utf8_lossy(&start);
        let line = TranscriptLine {
            at_us: micros(at),
            by,
            text: text.strip_suffix('\r').unwrap_or(&text).to_owned(),
            left_out_bytes,
            unfinished,
        };
        if self.first.len() < MOST_LINES {
            show(&line);
            self.first.push(line);
            return;
        }
        if self.last.len() == MOST_LINES {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(words: &[(Side, &str)]) -> Transcript {
        let recorder = TranscriptRecorder::default();
        recorder.receive(
            Side::Submission,
            Duration::ZERO,
            b"of an attempt that does not count",
        );
        recorder.begin();
        for ((by, bytes), number) in words.iter().zip(1..) {
            recorder.receive(*by, Duration::from_micros(number), bytes.as_bytes());
        }
        recorder.into_transcript()
    }

    /// Each line as its time, `>` or `<`, and its text, with `~` after an unfinished
    /// one.
    fn shown(lines: &[TranscriptLine]) -> Vec<String> {
        let sign = |by| if by == Speaker::Submission { '>' } else { '<' };
        let end = |line: &TranscriptLine| if line.unfinished { "~" } else { "" };
        lines
            .iter()
            .map(|line| {
                format!("{}{}{}{}", line.at_us, sign(line.by), line.text, end(line))
            })
            .collect()
    }

    #[test]
    fn bytes_are_joined_and_split_into_lines_of_one_speaker() {
        use Side::{Interactor, Submission};
        let talk = heard(&[
            (Submission, "1\n2\r\n3"),
            (Submission, "4\n"),
            (Interactor, "no"),
            (Submission, "\n"),
            (Interactor, "\n"),
            (Interactor, "b"),
            (Interactor, "ye"),
        ]);
        assert_eq!(
            shown(&talk.lines),
            ["1>1", "1>2", "1>34", "3<no~", "4>", "5<", "6<bye~"]
        );
        assert_eq!((talk.left_out, talk.last_lines), (0, vec![]));
    }

    #[test]
    fn a_long_transcript_keeps_its_beginning_and_end_and_a_long_line_its_start() {
        let many: String = (0..1000).map(|number| format!("{number}\n")).collect();
        let talk = heard(&[
            (Side::Submission, &many),
            (Side::Interactor, &"x".repeat(1_000_000)),
        ]);
        assert_eq!(talk.lines.len(), MOST_LINES);
        assert_eq!(talk.last_lines.len(), MOST_LINES);
        assert_eq!(talk.left_out, 1001 - 2 * MOST_LINES as u64);
        assert_eq!(
            (&*talk.lines[199].text, &*talk.last_lines[0].text),
            ("199", "801")
        );
        let long = talk.last_lines.last().unwrap();
        assert_eq!(
            (long.text.len(), long.left_out_bytes),
            (MOST_BYTES, 1_000_000 - MOST_BYTES as u64)
        );
    }
}
