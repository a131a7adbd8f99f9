//! Reads and writes the file of a baseline. It has a self-contained line for each case,
//! in order, so that changes to different lines can be merged. `docs/baselines.md`
//! describes the format.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::compare::{
    Baseline, CaseStats, GREATEST, SubmissionKey, TrialKey, TrialLine,
};
use crate::model::Verdict;
use crate::report::FirstItems;
use crate::spec::{Mistake, Mistakes};
use crate::text::{JoinedTexts, is_printable, shortened};

/// The version of the format, raised when a column changes its meaning.
const VERSION: u32 = 1;

/// The start of every file, before the version.
const START: &str = "gridjudge baseline ";

const HEADER: &str = "# problem\tsubmission\tcase\tverdict\tcpu_us\tits median lies \
                      in\tmemory_kib\tleast..most\tattempts\tcpu_us of each, by run of the judge";

const COLUMNS: usize = 10;

/// The most attempts at a case. Far more than anyone makes, but each costs time and
/// memory when flaky cases are compared.
const MOST_ATTEMPTS: usize = 1_000_000;

/// The most bad lines that are listed; the others are counted, since a file may consist
/// of them.
const MOST_LISTED: usize = 20;

/// The most characters of a message, which quotes the file.
const LONGEST_MESSAGE: usize = 400;

/// Precedes the calibration of a run, after its times.
const CALIBRATION: char = '@';

/// The marks that git leaves at conflicts.
const CONFLICTS: [&str; 4] = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];

fn is_conflict(line: &str) -> bool {
    CONFLICTS.iter().any(|mark| line.starts_with(mark))
}

/// Whether a file that starts like this is a baseline.
pub fn is_baseline(start: &[u8]) -> bool {
    start.starts_with(START.as_bytes())
}

/// The text of a baseline's file.
pub fn to_text(baseline: &Baseline) -> String {
    let mut text = format!("{START}{VERSION}\n{HEADER}\n");
    for machine in &baseline.machines {
        text += &format!("machine\t{}\n", escaped(machine));
    }
    for line in baseline.lines.iter() {
        text += &columns(&line).join("\t");
        text.push('\n');
    }
    text
}

fn columns(line: &TrialLine<'_>) -> [String; COLUMNS] {
    let figures = line.figures();
    let [low, time, high] = figures.middle();
    let [least, memory, most] = figures.memory_kib;
    let runs = figures.times_us.iter().zip(&figures.calibrations_ns).map(
        |(times, calibration)| {
            times
                .iter()
                .map(u64::to_string)
                .chain(
                    calibration
                        .map(|calibration| format!("{CALIBRATION}{calibration}")),
                )
                .joined(" ")
        },
    );
    [
        escaped_first(&line.owner.problem),
        escaped(&line.owner.submission),
        escaped(line.case),
        figures.earned(),
        time.to_string(),
        format!("{low}..{high}"),
        memory.to_string(),
        format!("{least}..{most}"),
        figures.attempts().to_string(),
        runs.joined(" | "),
    ]
}

/// Escapes a name at the start of a line, so that it stays in its column and is not
/// taken for another kind of line.
fn escaped_first(name: &str) -> String {
    if name.starts_with('#') || is_conflict(name) {
        format!(r"\{}", escaped(name))
    } else {
        escaped(name)
    }
}

/// Escapes a name so that it stays in its column, and so that a terminal which shows
/// the file shows nothing else.
fn escaped(name: &str) -> String {
    let mut shown = String::new();
    for letter in name.chars() {
        match letter {
            '\\' => shown.push_str(r"\\"),
            '\t' => shown.push_str(r"\t"),
            '\n' => shown.push_str(r"\n"),
            '\r' => shown.push_str(r"\r"),
            letter if is_printable(letter) => shown.push(letter),
            letter => shown.extend(letter.escape_unicode()),
        }
    }
    shown
}

fn unescaped(name: &str) -> String {
    let mut plain = String::new();
    let mut letters = name.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('u') => match code_point(letters.as_str()) {
                    Some((letter, rest)) => {
                        letters = rest.chars();
                        letter
                    }
                    None => 'u',
                },
                other => other.unwrap_or('\\'),
            },
            letter => letter,
        });
    }
    plain
}

/// The character whose code point in braces a text begins with, such as `{1b}`, and
/// what follows.
fn code_point(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = text.strip_prefix('{')?.split_once('}')?;
    let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((letter, rest))
}

/// Reads the text of a file.
///
/// # Errors
/// Returns all mistakes: lines that cannot be read, that repeat another one, or that a
/// merge has left.
pub fn parse_baseline(path: &Path, text: &str) -> Result<Baseline, Mistakes> {
    let mut reading = BaselineParser {
        path,
        found: Baseline::default(),
        lines: BTreeMap::new(),
        mistakes: FirstItems {
            kept: vec![],
            in_all: 0,
        },
    };
    let mut lines = text.lines().zip(1..);
    reading.start(lines.next().map_or("", |(first, _)| first))?;
    for (line, number) in lines {
        reading.take_line(line.trim_end_matches('\r'), number)
    }
    let unlisted = reading.mistakes.left_out();
    let mut mistakes = reading.mistakes.kept;
    if !text.ends_with('\n') {
        let cut = Mistake::about_file(path, "is cut: its last line has no end")
            .on_line(text.lines().count() as u64);
        mistakes
            .push(cut.with_remedy("make the file again with `gridjudge baseline`"));
    }
    if unlisted > 0 {
        let lines = if unlisted == 1 {
            "line, which is"
        } else {
            "lines, which are"
        };
        let message = format!("holds {unlisted} more bad {lines} not listed");
        mistakes.push(Mistake::new(path, message, "see to those above first"));
    }
    Mistakes::or(mistakes, reading.found)
}

/// The state while a file is read.
struct BaselineParser<'a> {
    path: &'a Path,
    found: Baseline,
    /// The line number of each submission on a case.
    lines: BTreeMap<TrialKey, u64>,
    mistakes: FirstItems<Mistake>,
}

impl BaselineParser<'_> {
    fn start(&self, first: &str) -> Result<(), Mistakes> {
        let mistake =
            |message: &str| Mistake::about_file(self.path, message).on_line(1);
        let Some(version) = first.strip_prefix(START).map(str::trim) else {
            let message =
                "is not a baseline: its first line is not `gridjudge baseline 1`";
            let remedy = "make one from a log with `gridjudge baseline LOG -o FILE`";
            return Err(mistake(message).with_remedy(remedy).into());
        };
        Err(match version.parse::<u32>() {
            Ok(VERSION) => return Ok(()),
            Ok(newer) if newer > VERSION => mistake(&format!(
                "is a baseline of version {newer}; this gridjudge reads {VERSION}"
            ))
            .with_remedy("use the gridjudge that wrote it, or a newer one"),
            _ => mistake(&format!("`{version}` is not a version of a baseline")),
        }
        .into())
    }

    fn take_line(&mut self, line: &str, number: u64) {
        let taken = match line {
            "" => Ok(()),
            _ if line.starts_with('#') => Ok(()),
            _ if is_conflict(line) => Err((
                "a conflict that git left and nobody has resolved".to_owned(),
                "take one side, or make the file again with `gridjudge baseline`",
            )),
            // A problem may be called `machine` as well.
            _ => match line.strip_prefix("machine\t") {
                Some(machine) if !machine.contains('\t') => {
                    self.found.machines.insert(unescaped(machine));
                    Ok(())
                }
                _ => self.take_case(line, number),
            },
        };
        if let Err((message, remedy)) = taken {
            self.mistakes.add(MOST_LISTED, || {
                let message = shortened(&message, LONGEST_MESSAGE);
                Mistake::about_file(self.path, message)
                    .on_line(number)
                    .with_remedy(remedy)
            });
        }
    }

    fn take_case(&mut self, line: &str, number: u64) -> Result<(), LineMistake> {
        let (key, figures) =
            parsed(line).map_err(|message| (message, NOT_BY_HAND))?;
        if let Some(first) = self.lines.insert(key.clone(), number) {
            let TrialKey { owner, case } = key;
            let submission = owner.submission;
            let message =
                format!("{submission} on {case} is on line {first} already");
            return Err((message, "keep one of them; a merge can leave both"));
        }
        self.found.lines.insert(key, figures);
        Ok(())
    }
}

/// What is wrong with a line, and what to do about it.
type LineMistake = (String, &'static str);

const NOT_BY_HAND: &str = "baselines are not written by hand: make the file again with `gridjudge \
                           baseline`, or remove the line";

fn parsed(line: &str) -> Result<(TrialKey, CaseStats), String> {
    let columns: Vec<_> = line.split('\t').collect();
    let &[
        problem,
        submission,
        case,
        earned,
        cpu,
        median,
        memory,
        range,
        attempts,
        times,
    ] = columns.as_slice()
    else {
        return Err(format!(
            "expected {COLUMNS} columns between tabs, found {}",
            columns.len()
        ));
    };
    let name = |text: &str| Arc::<str>::from(unescaped(text));
    let key = TrialKey {
        owner: SubmissionKey {
            problem: name(problem),
            submission: name(submission),
        },
        case: name(case),
    };
    let attempts = usize::try_from(whole(attempts)?)
        .ok()
        .filter(|number| *number <= MOST_ATTEMPTS)
        .ok_or_else(|| format!("`{attempts}` attempts are too many"))?;
    let (least, most) = pair(range)?;
    let runs = times.split('|').map(run).collect::<Result<Vec<_>, _>>()?;
    let (times_us, calibrations_ns) = runs
        .into_iter()
        .filter(|(times, _)| !times.is_empty())
        .unzip();
    let verdicts = earned_by(earned, attempts)?;
    let figures = CaseStats {
        verdicts,
        times_us,
        calibrations_ns,
        memory_kib: [least, whole(memory)?, most],
    };
    // These columns are for people and can be computed from the times. If they do not
    // agree, the line was cut or changed by hand.
    let (low, high) = pair(median)?;
    if figures.middle() != [low, whole(cpu)?, high] || figures.attempts() != attempts
    {
        return Err("its figures do not agree with each other".to_owned());
    }
    if figures.times_us.iter().map(Vec::len).sum::<usize>() > attempts {
        return Err("it has more times than attempts".to_owned());
    }
    Ok((key, figures))
}

/// The times of a run of the judge, and its calibration, if it has one.
fn run(text: &str) -> Result<(Vec<u64>, Option<u64>), String> {
    let (times, calibration) = match text.split_once(CALIBRATION) {
        Some((times, calibration)) => (times, Some(whole(calibration.trim())?)),
        None => (text, None),
    };
    let times: Vec<_> = times
        .split_whitespace()
        .map(whole)
        .collect::<Result<_, _>>()?;
    if times.is_empty() && calibration.is_some() {
        return Err(format!(
            "`{}` is a calibration of a run without times",
            text.trim()
        ));
    }
    Ok((times, calibration))
}

fn earned_by(earned: &str, attempts: usize) -> Result<Vec<(Verdict, usize)>, String> {
    let verdict = |code: &str| match code.parse() {
        Ok(verdict) if verdict != Verdict::Skipped => Ok(verdict),
        _ => Err(format!("`{code}` is not a verdict of a case")),
    };
    if !earned.contains(':') {
        return Ok(vec![(verdict(earned)?, attempts)]);
    }
    let mut verdicts: Vec<(Verdict, usize)> = vec![];
    for part in earned.split(',') {
        let (code, times) = part.split_once(':').unwrap_or((part, ""));
        let code = verdict(code)?;
        let times = usize::try_from(whole(times)?)
            .map_err(|_| format!("`{times}` is too large a number"))?;
        if times == 0 || verdicts.iter().any(|(known, _)| *known == code) {
            return Err(format!(
                "`{earned}` does not say how often each verdict was earned"
            ));
        }
        verdicts.push((code, times));
    }
    Ok(verdicts)
}

fn pair(text: &str) -> Result<(u64, u64), String> {
    let (low, high) = text
        .split_once("..")
        .ok_or_else(|| format!("`{text}` is not a range such as `10..12`"))?;
    Ok((whole(low)?, whole(high)?))
}

/// A whole number small enough that millions of them can be added up.
fn whole(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number <= GREATEST => Ok(number),
        Ok(_) => Err(format!("`{text}` is too large a number")),
        Err(_) => Err(format!("`{text}` is not a whole number")),
    }
}

#[cfg(test)]
mod tests;
