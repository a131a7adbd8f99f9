//! Parses the file name of a contest submission: the problem, the minute and the
//! attempt, as `sudoku@95#2.cpp`.

use std::path::Path;

use crate::mistake::{Mistake, misspelt, suggestion};
use crate::spec::contest::ContestReader;
use crate::text::are_digits;

/// The latest minute allowed, a bit more than a year.
pub(super) const LATEST: u64 = 600_000;

/// The parts of a file name.
pub(super) struct FileName {
    pub(super) problem: String,
    pub(super) minute: Option<u64>,
    /// The number of the attempt; 0 if the name has none.
    pub(super) number: u64,
}

impl ContestReader<'_> {
    /// Parses the name of a file. If the contest lists its problems, only those are
    /// accepted. A name of no problem stands for the only one that is asked for, if it
    /// is one.
    ///
    /// # Errors
    /// A mistake at the path of the file.
    pub(super) fn parse_name(
        &self,
        name: &str,
        path: &Path,
    ) -> Result<FileName, Mistake> {
        let stem = Path::new(name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let language_of = |name: &str| self.folder.config.language_of(Path::new(name));
        if language_of(name).is_none() && language_of(&stem).is_some() {
            return Mistake::refuse(
                path,
                "is of no known language",
                format!("rename it to `{stem}`"),
            );
        }
        // The id of a problem may contain `@` or `#`.
        let is_id = self.folder.ids().any(|id| id == stem);
        let (rest, number) = match stem.rsplit_once('#').filter(|_| !is_id) {
            Some((rest, number)) => (rest, attempt_number(number, path)?),
            None => (&*stem, 0),
        };
        let (rest, minute) = match rest.rsplit_once('@').filter(|_| !is_id) {
            Some((rest, minute)) => (rest, Some(minute_of(minute, path)?)),
            None => (rest, None),
        };
        Ok(FileName {
            problem: self.problem(rest, path)?,
            minute,
            number,
        })
    }

    fn problem(&self, id: &str, path: &Path) -> Result<String, Mistake> {
        let listed = self.settings.problems.as_ref();
        let known: Vec<_> = self
            .folder
            .ids()
            .filter(|id| {
                listed.is_none_or(|listed| listed.iter().any(|known| known == id))
            })
            .collect();
        if known.contains(&id) {
            return Ok(id.to_owned());
        }
        let is_there = self.folder.ids().any(|known| known == id);
        if let [only] = self.only
            && !is_there
            && misspelt(id, known.iter().copied()).is_none_or(|meant| meant == only)
        {
            return Ok(only.clone());
        }
        let message = if is_there {
            format!("is for problem `{id}`, which is not in this contest")
        } else {
            format!("unknown problem `{id}`")
        };
        let remedy = suggestion(
            id,
            known,
            "a submission is named after its problem; known: ",
        );
        Mistake::refuse(path, message, remedy)
    }
}

fn minute_of(text: &str, path: &Path) -> Result<u64, Mistake> {
    contest_minute(text).ok_or_else(|| {
        let remedy =
            "write the minutes since the start, for example `@95`, or hours and minutes, for example `@1:35`";
        Mistake::new(
            path,
            format!("`@{text}` is not a valid contest time"),
            remedy,
        )
    })
}

/// Parses `95`, or `1:35` for an hour and 35 minutes.
pub fn contest_minute(text: &str) -> Option<u64> {
    let minute = match text.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => {
            let hours = digits(hours).and_then(|hours| hours.checked_mul(60));
            hours
                .zip(digits(minutes).filter(|minutes| *minutes < 60))
                .map(|(hours, minutes)| hours + minutes)
        }
        Some(_) => None,
        None => digits(text),
    };
    minute.filter(|minute| *minute <= LATEST)
}

fn attempt_number(text: &str, path: &Path) -> Result<u64, Mistake> {
    digits(text).filter(|number| *number > 0).ok_or_else(|| {
        Mistake::new(
            path,
            format!("`#{text}` is not a valid attempt number"),
            "number the attempts at a problem as `#1`, `#2`",
        )
    })
}

fn digits(text: &str) -> Option<u64> {
    let is_number = text.len() <= 9 && are_digits(text);
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_minutes_or_hours_and_minutes() {
        for (text, minute) in [
            ("0", Some(0)),
            ("95", Some(95)),
            ("007", Some(7)),
            ("1:35", Some(95)),
            ("0:05", Some(5)),
            ("10000:00", Some(600_000)),
            ("600001", None),
            ("1:60", None),
            ("1:5", None),
            ("1:035", None),
            (":35", None),
            ("1:", None),
            ("1:02:03", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("", None),
            ("99999999999999999999", None),
            ("99999999999999999999:00", None),
        ] {
            assert_eq!(minute_of(text, Path::new("")).ok(), minute, "{text}");
        }
    }

    #[test]
    fn attempts_are_numbered_from_one() {
        for (text, number) in [
            ("1", Some(1)),
            ("12", Some(12)),
            ("0", None),
            ("", None),
            ("x", None),
            ("+2", None),
        ] {
            assert_eq!(attempt_number(text, Path::new("")).ok(), number, "{text}");
        }
    }
}
