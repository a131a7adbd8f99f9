//! Recognises how a text is encoded by its first bytes, if it is not plain UTF-8.

/// An encoding that programs do not expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnexpectedEncoding {
    /// Two bytes for most characters.
    Utf16,
    /// Four bytes for each character.
    Utf32,
    /// UTF-8 with a byte order mark at its start.
    ByteOrderMark,
}

/// The byte order mark of UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The fewest bytes by which text of two bytes a character is recognised without a mark.
const FEWEST: usize = 4;

impl UnexpectedEncoding {
    /// Recognises the encoding of a text by its start; `None` if programs can read it.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        match start {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some(Self::Utf32),
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(Self::Utf16),
            start if start.starts_with(BYTE_ORDER_MARK) => Some(Self::ByteOrderMark),
            start => has_every_other_byte_zero(start).then_some(Self::Utf16),
        }
    }
}

/// Whether lines end with a carriage return alone, as far as the start of a text shows.
pub(crate) fn has_lone_returns(start: &[u8]) -> bool {
    // A line feed may follow the last byte.
    let before_last = start.split_last().map_or(start, |(_, before)| before);
    before_last.contains(&b'\r') && !start.contains(&b'\n')
}

/// Whether a text has a NUL before or after each byte, as ASCII in UTF-16 does.
fn has_every_other_byte_zero(start: &[u8]) -> bool {
    let is_ascii_in = |zero: usize| {
        start.len() >= FEWEST
            && start
                .chunks_exact(2)
                .all(|unit| unit[zero] == 0 && (1..0x80).contains(&unit[1 - zero]))
    };
    is_ascii_in(0) || is_ascii_in(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_recognised_by_its_mark_or_its_zeros() {
        for (start, encoding) in [
            (
                &b"\xff\xfe4\x002\x00\n\x00"[..],
                Some(UnexpectedEncoding::Utf16),
            ),
            (b"\xfe\xff\x004\x002\x00\n", Some(UnexpectedEncoding::Utf16)),
            (b"4\x00\n\x00", Some(UnexpectedEncoding::Utf16)),
            (b"\x004\x00\n", Some(UnexpectedEncoding::Utf16)),
            (b"\xff\xfe\0\x004\0\0\0", Some(UnexpectedEncoding::Utf32)),
            (b"\xef\xbb\xbf42\n", Some(UnexpectedEncoding::ByteOrderMark)),
            (b"42\n", None),
            (b"4\x00", None),
            (b"", None),
            (b"\x00\x00\x00\x00", None),
            ("caf\u{e9}\n".as_bytes(), None),
        ] {
            assert_eq!(UnexpectedEncoding::of(start), encoding, "{start:?}");
        }
    }

    #[test]
    fn carriage_returns_are_alone_where_no_line_feed_is_in_sight() {
        for start in [&b"12\r34"[..], b"\r\r", b"12\r34\r"] {
            assert!(has_lone_returns(start), "{start:?}");
        }
        for start in [
            &b""[..],
            b"12\r",
            b"12\r\n34\r\n",
            b"12\n3\r4",
            b"\r12\n",
            b"12",
        ] {
            assert!(!has_lone_returns(start), "{start:?}");
        }
    }
}
