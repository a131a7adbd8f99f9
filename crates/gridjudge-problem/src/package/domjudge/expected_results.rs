//! Reads DOMjudge's `@EXPECTED_RESULTS@` and `@EXPECTED_SCORE@` in sources, and translates the
//! verdict names of other judges. Searches sources for these tags only.

use std::io::Read;
use std::path::Path;

use crate::files;
use crate::mistake::{Mistake, quoted};
use crate::model::{Expected, PointValue, Verdict};
use crate::text::JoinedTexts;

/// The tag in a source that precedes expected verdicts.
pub(crate) const WORD: &str = "@EXPECTED_RESULTS@:";

/// The tag in a source that precedes expected points.
const SCORE_WORD: &str = "@EXPECTED_SCORE@:";

/// The part of a source that is searched for a tag, in bytes from its start.
const MOST_SOURCE: u64 = 1 << 20;

/// Returns the verdicts after the tag in a source, and its line.
///
/// # Errors
/// Returns a mistake if the source cannot be read, a word is not a verdict, or the tag occurs
/// twice.
pub(crate) fn of_source(path: &Path) -> Result<Option<(u64, Expected)>, Mistake> {
    let Some((line, words)) = tagged(path, WORD)? else {
        return Ok(None);
    };
    let mut verdicts = Vec::new();
    for word in words.split(',').map(str::trim) {
        let known = verdicts_of(word).ok_or_else(|| {
            Mistake::of(path, format!("{} is not a verdict", quoted(word)))
                .on_line(line)
                .with_remedy(known_words())
        })?;
        verdicts.extend(known);
    }
    Ok(Some((line, Expected::one_of(verdicts))))
}

/// The first of our own verdict codes after the tag in a source, which DOMjudge does not know, if
/// there is one.
pub(crate) fn own_code(path: &Path) -> Option<String> {
    let (_, words) = tagged(path, WORD).ok()??;
    words
        .split(',')
        .map(str::trim)
        .find(|word| !WORDS.iter().any(|row| row.0.eq_ignore_ascii_case(word)))
        .map(str::to_owned)
}

/// Returns the points after the tag in a source.
///
/// # Errors
/// Returns a mistake if the source cannot be read, the value is not a number, or the tag occurs
/// twice.
pub(crate) fn score_of_source(path: &Path) -> Result<Option<PointValue>, Mistake> {
    let Some((line, text)) = tagged(path, SCORE_WORD)? else {
        return Ok(None);
    };
    let points = text.parse().ok().and_then(PointValue::new).ok_or_else(|| {
        let mistake = Mistake::of(path, format!("{} is not a number of points", quoted(&text)));
        mistake
            .on_line(line)
            .with_remedy(format!("write it in decimals, as `{SCORE_WORD} 74.42`"))
    })?;
    Ok(Some(points))
}

/// Returns the line of a tag and the text after it, without characters that end a comment.
fn tagged(path: &Path, word: &str) -> Result<Option<(u64, String)>, Mistake> {
    let mut bytes = Vec::new();
    let source = files::open(path).and_then(|file| {
        file.take(MOST_SOURCE)
            .read_to_end(&mut bytes)
            .map_err(files::FileError::from)
    });
    source.map_err(|refused| Mistake::refused(path, &refused))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut found = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, after(line, word)?)));
    let Some((line, words)) = found.next() else {
        return Ok(None);
    };
    if let Some((again, _)) = found.next() {
        let message = format!("`{word}` appears here and on line {line}");
        return Err(Mistake::of(path, message)
            .on_line(again)
            .with_remedy("delete one of the two"));
    }
    let plain = words
        .trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric())
        .trim();
    Ok(Some((line, plain.to_owned())))
}

/// The text after a tag in a line. DOMjudge finds it in letters of any case.
fn after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let at = line.to_ascii_uppercase().find(word)?;
    Some(&line[at + word.len()..])
}

/// Our verdicts for a program that other judges call too slow. They let one that prints without end
/// go on until its time is up, where it is stopped at its output limit here.
pub(crate) const TOO_SLOW: [Verdict; 3] =
    [Verdict::TimeLimit, Verdict::IdleLimit, Verdict::OutputLimit];

/// The names that other judges give to verdicts. Sources: DOMjudge's `SubmissionService`, Kattis'
/// problem package format.
const WORDS: [(&str, &[Verdict]); 15] = [
    ("CORRECT", &[Verdict::Accepted]),
    ("ACCEPTED", &[Verdict::Accepted]),
    ("WRONG-ANSWER", &[Verdict::WrongAnswer]),
    ("WRONG_ANSWER", &[Verdict::WrongAnswer]),
    ("NO-OUTPUT", &[Verdict::WrongAnswer]),
    ("NO_OUTPUT", &[Verdict::WrongAnswer]),
    ("TIMELIMIT", &TOO_SLOW),
    ("TIME_LIMIT_EXCEEDED", &TOO_SLOW),
    ("RUN-ERROR", &[Verdict::RuntimeError]),
    ("RUN_TIME_ERROR", &[Verdict::RuntimeError]),
    ("COMPILER-ERROR", &[Verdict::CompileError]),
    ("COMPILER_ERROR", &[Verdict::CompileError]),
    ("OUTPUT-LIMIT", &[Verdict::OutputLimit]),
    ("OUTPUT_LIMIT", &[Verdict::OutputLimit]),
    ("MEMORY-LIMIT", &[Verdict::MemoryLimit]),
];

/// Returns the verdicts that a name of another judge, or one of our codes, stands for.
pub(crate) fn verdicts_of(word: &str) -> Option<Vec<Verdict>> {
    let word = word.to_ascii_uppercase();
    let others = WORDS
        .iter()
        .find(|row| row.0 == word)
        .map(|row| row.1.to_vec());
    others.or_else(|| {
        word.parse()
            .ok()
            .filter(|verdict| *verdict != Verdict::Skipped)
            .map(|verdict| vec![verdict])
    })
}

/// A remedy that lists the words after the tag that DOMjudge knows too.
fn known_words() -> String {
    let words = WORDS
        .iter()
        .map(|row| row.0)
        .filter(|word| !word.contains('_') && *word != "ACCEPTED");
    format!("use {}", words.joined(", "))
}

/// A remedy that lists the known verdicts.
pub(crate) fn known_verdicts() -> String {
    let codes = Verdict::all()
        .filter(|verdict| *verdict != Verdict::Skipped)
        .map(Verdict::code);
    format!("use {}", codes.joined(", "))
}
