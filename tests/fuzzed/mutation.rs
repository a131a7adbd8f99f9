//! Makes inputs from seeds by a few changes each, as a hostile writer would: bytes,
//! words and numbers replaced, parts left out, repeated, nested or taken from another
//! seed. Knows no format.

use gridjudge::authoring::generate::fingerprint;
use gridjudge_grid::make::SeededRng;

/// The most bytes of an input.
const LONGEST: usize = 1 << 15;

/// The most changes of an input.
const MOST_CHANGES: usize = 6;

/// Texts that some format gives a meaning to, or that are hard to read.
const WORDS: [&str; 64] = [
    "\0",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    "        ",
    "\u{feff}",
    "\u{202e}",
    "\u{2028}",
    "é",
    "𝟗",
    "\u{fffd}",
    "\"",
    "'",
    "`",
    "\\",
    "\\u0000",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&amp;",
    "&#x0;",
    "&a;",
    "[[",
    "]]",
    "---\n",
    "...",
    ": ",
    "- ",
    "? ",
    "&a ",
    "*a",
    "<<: *a",
    "!!str ",
    "|\n",
    ">-\n",
    "#",
    ";",
    ",",
    "=",
    "../",
    "/",
    "~",
    "**",
    "{a,b}",
    "[!a-z]",
    "null",
    "true",
    "inf",
    "nan",
];

/// Numbers at the limits of types, and in odd notations.
const NUMBERS: [&str; 28] = [
    "0",
    "-0",
    "1",
    "-1",
    "9",
    "00",
    "007",
    "127",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e9",
    "1e400",
    "-1e-400",
    "0.1",
    "0x7f",
    "1_000",
    ".5",
];

/// Makes the input of this number for the reader of this name.
pub(super) fn mutated(seeds: &[Vec<u8>], name: &str, number: u64) -> Vec<u8> {
    let of_name = u64::from_str_radix(&fingerprint(name.as_bytes()), 16)
        .expect("a fingerprint is hexadecimal");
    let mut rng = SeededRng::new(of_name, &[number]);
    let mut input = pick(&mut rng, seeds).clone();
    for _ in 0..=rng.below(MOST_CHANGES) {
        change(&mut rng, &mut input, seeds);
        input.truncate(LONGEST);
    }
    input
}

fn pick<'a, T>(rng: &mut SeededRng, things: &'a [T]) -> &'a T {
    &things[rng.below(things.len())]
}

/// A part of a text: a few bytes, or whole lines.
fn part(rng: &mut SeededRng, text: &[u8]) -> std::ops::Range<usize> {
    let start = rng.below(text.len() + 1);
    if rng.below(2) == 0 {
        let most = *pick(rng, &[4, 16, 64, 1024]);
        let length = rng.below(most + 1);
        return start..text.len().min(start + length);
    }
    let start = text[..start]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |end| end + 1);
    let mut end = start;
    for _ in 0..=rng.below(3) {
        end = text[end..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(text.len(), |line| end + line + 1);
    }
    start..end
}

fn change(rng: &mut SeededRng, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = part(rng, input);
    match rng.below(12) {
        0 => drop(input.drain(at)),
        1 => input.truncate(at.start),
        2 => {
            if let Some(byte) = input.get_mut(at.start) {
                *byte = u8::try_from(rng.below(256)).expect("below 256");
            }
        }
        3 => {
            if let Some(byte) = input.get_mut(at.start) {
                *byte ^= 1 << rng.below(8);
            }
        }
        4 | 5 => {
            let word = pick(rng, &WORDS).as_bytes();
            let times = [1, 1, 1, 2, 3, 300][rng.below(6)];
            drop(input.splice(at.start..at.start, word.repeat(times)));
        }
        6 => drop(input.splice(at, pick(rng, &WORDS).bytes())),
        7 | 8 => replace_number(rng, input, at.start),
        9 => {
            let again = input[at.clone()].repeat([1, 2, 10, 400][rng.below(4)]);
            drop(input.splice(at.end..at.end, again));
        }
        10 => {
            let other = pick(rng, seeds);
            let taken = other[part(rng, other)].to_vec();
            drop(input.splice(at, taken));
        }
        _ => {
            let moved: Vec<u8> = input.drain(at).collect();
            let to = rng.below(input.len() + 1);
            drop(input.splice(to..to, moved));
        }
    }
}

/// Replaces the first number after a place.
fn replace_number(rng: &mut SeededRng, input: &mut Vec<u8>, from: usize) {
    let Some(start) = input[from..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = from + start;
    let length = input[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    drop(input.splice(start..start + length, pick(rng, &NUMBERS).bytes()));
}
