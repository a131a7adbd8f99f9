//! Texts, lines and tokens that are larger than the part of them held in memory.

use std::io;
use std::io::Read;

use super::*;

const MANY: u64 = 3 << 20;

fn run(byte: u8, bytes: u64) -> impl Read {
    io::repeat(byte).take(bytes)
}

fn messages_of(
    task: &TextTask,
    found: impl Read,
    expected: impl Read,
) -> Vec<String> {
    text_output(task, found, expected)
        .unwrap()
        .listed
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

/// A reader that gives a few bytes at a time.
struct Trickle<'a>(&'a [u8], usize);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let (now, later) = self.0.split_at(self.0.len().min(self.1).min(into.len()));
        into[..now.len()].copy_from_slice(now);
        self.0 = later;
        Ok(now.len())
    }
}

#[test]
fn a_token_of_any_length_is_compared_whole() {
    let none: [&str; 0] = [];
    assert_eq!(
        messages_of(&tokens(), run(b'x', MANY), run(b'X', MANY)),
        none
    );
    let more = messages_of(&tokens(), run(b'x', MANY + 1), run(b'X', MANY));
    assert_eq!(more.len(), 1);
    assert!(
        more[0].contains("... (3145689 bytes more), expected"),
        "{more:?}"
    );
    let last = messages_of(
        &tokens(),
        run(b'x', MANY).chain(&b"y z"[..]),
        run(b'x', MANY).chain(&b"x z"[..]),
    );
    assert!(
        last[0].ends_with("they differ at byte 3145728 of the token"),
        "{last:?}"
    );
    assert_eq!(last.len(), 1);
}

#[test]
fn a_number_of_any_length_is_a_number() {
    let none: [&str; 0] = [];
    let zeros = || (&b"1."[..]).chain(run(b'0', MANY));
    assert_eq!(
        messages_of(&near(Some(0.0), None), zeros(), &b"1"[..]),
        none
    );
    assert_eq!(
        messages_of(
            &near(Some(0.0), None),
            zeros().chain(&b" 2"[..]),
            &b"1 2"[..]
        ),
        none
    );
    let letter =
        messages_of(&near(Some(0.5), None), zeros().chain(&b"x"[..]), &b"1"[..]);
    assert!(
        letter[0].contains("which is not a number, expected 1"),
        "{letter:?}"
    );
    let large = messages_of(&near(Some(0.5), None), run(b'1', MANY), &b"1"[..]);
    assert!(
        large[0].contains("which is too large for a number"),
        "{large:?}"
    );
}

#[test]
fn white_space_of_any_length_is_compared_as_the_rule_says() {
    let none: [&str; 0] = [];
    let text = |byte, bytes| (&b"a"[..]).chain(run(byte, bytes)).chain(&b"b"[..]);
    assert_eq!(messages_of(&tokens(), text(b' ', MANY), &b"a b"[..]), none);
    assert_eq!(
        messages_of(&TextTask::Exact, text(b' ', MANY), text(b' ', MANY)),
        none
    );
    assert_eq!(
        messages_of(&TextTask::Lines, text(b'\n', MANY), text(b'\n', MANY)),
        none
    );
    let more = messages_of(&TextTask::Exact, text(b' ', MANY + 1), text(b' ', MANY));
    assert_eq!(
        more,
        [
            "line 1, after token 1: found 3145729 bytes of white space, expected 3145728 bytes of white space"
        ]
    );
    let [returns, feeds] =
        ["\r\n", "\n"].map(|end| format!("a{}b", end.repeat(100_000)));
    for (task, differences) in [(TextTask::CrlfInsensitive, 0), (TextTask::Exact, 1)]
    {
        assert_eq!(
            messages_of(&task, returns.as_bytes(), feeds.as_bytes()).len(),
            differences
        );
    }
    let end = messages_of(
        &TextTask::Lines,
        (&b"a"[..]).chain(run(b'\n', MANY)),
        &b"a"[..],
    );
    assert_eq!(end, none);
}

#[test]
fn a_difference_is_found_wherever_the_pieces_end() {
    let answer: String = (0..40_000)
        .map(|number| format!("{number} word\n"))
        .collect();
    for at in [
        0,
        1,
        65_530,
        65_535,
        65_536,
        65_537,
        131_072,
        answer.len() - 2,
    ] {
        let mut found = answer.clone().into_bytes();
        found[at] = if found[at] == b' ' || found[at] == b'\n' {
            b'_'
        } else {
            b'!'
        };
        let line = answer.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count() as u64
            + 1;
        let seen = text_output(&tokens(), &found[..], answer.as_bytes()).unwrap();
        assert_eq!(seen.listed[0].line, Some(line), "{at}");
    }
}

#[test]
fn it_does_not_matter_how_many_bytes_come_at_a_time() {
    let answer: String = (0..3000)
        .map(|number| format!("{number}.5 word\r\n"))
        .collect();
    let found = answer.replace("\r\n", "\n").replace(".5", ".50");
    for bytes in [1, 7, 4096] {
        let found = Trickle(found.as_bytes(), bytes);
        let expected = Trickle(answer.as_bytes(), bytes);
        let seen = text_output(&near(Some(0.0), None), found, expected).unwrap();
        assert_eq!(seen.verdict(), Verdict::Accepted);
    }
}
