//! Reads `[limits]`, both of a problem and of the judge's configuration, and durations
//! and sizes as people write them: `1.5s`, `250ms`, `64MiB`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::keys::{self, KeyTable, ValueKind};
use crate::mistake::{self, Mistake, ellipsized, quoted, suggestion_or};
use crate::model::{Case, Scoring};

/// The limits if neither the problem nor the judge's configuration sets them.
pub(crate) const DEFAULT: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 256 << 20,
    output_bytes: 64 << 20,
    processes: 64,
    frequent_samples: false,
    address_space: None,
};

/// Reads a table of limits; those that it does not set are the usual ones, except that
/// an unset wall limit is derived from the time limit if that is set. Refuses the keys
/// that nothing has read by then.
pub(crate) fn read_limits(table: &KeyTable, default: &Limits) -> Limits {
    let processes = table.whole("processes", 1, 100_000);
    let cpu = table.duration("time");
    let limits = Limits {
        cpu: cpu.unwrap_or(default.cpu),
        wall: table
            .duration("wall")
            .unwrap_or_else(|| cpu.map_or(default.wall, Limits::wall_for)),
        memory_bytes: table.bytes("memory").unwrap_or(default.memory_bytes),
        output_bytes: table.bytes("output").unwrap_or(default.output_bytes),
        processes: processes.map_or(default.processes, |processes| processes as u32),
        ..default.clone()
    };
    table.refuse_the_rest();
    limits
}

// Reads `[points]` of a problem: the points of its groups of cases.

/// The most points of a group. Sums over many groups stay far below any overflow.
const MOST: u64 = 1_000_000;

/// Reads the table.
pub(crate) fn read_scoring(table: &KeyTable) -> Scoring {
    let points = table.wholes_by_key(MOST);
    if table.names().is_empty() {
        table.refuse_table(
            "[points] names no group",
            "say what a group of cases is worth, for example `secret = 100`",
        );
    }
    let points: BTreeMap<_, _> = points
        .into_iter()
        .map(|(group, points)| (group.to_owned(), points))
        .collect();
    Scoring::of_whole_groups(points)
}

/// Reports the groups that have points in a spec but no cases: these points could never
/// be reached.
///
/// The spec is read again, for the lines of the groups and since no problem may have
/// been made of it because of other mistakes.
pub(super) fn groups_without_cases(spec: &Path, cases: &[Case]) -> Vec<Mistake> {
    let text = mistake::read_text(spec).unwrap_or_default();
    let Some(table) = KeyTable::of_text(spec, &text).table("points") else {
        return vec![];
    };
    let groups: Vec<_> = cases
        .iter()
        .map(Case::group)
        .filter(|group| !group.is_empty())
        .collect();
    let points: BTreeMap<_, _> = table.wholes_by_key(MOST).into_iter().collect();
    points
        .into_keys()
        .filter(|group| !group.is_empty() && !groups.contains(group))
        .map(|group| {
            let remedy = suggestion_or(group, groups.iter().copied(), || {
                format!("put them into a folder `{group}`")
            });
            table.document.mistake(
                table.place(group).unwrap_or_default(),
                format!("[points] names group `{group}`, which has no cases"),
                remedy,
            )
        })
        .collect()
}

// Reads durations and sizes as people write them: `1.5s`, `250ms`, `64MiB`.

/// Units of time, in nanoseconds.
const TIMES: [(&str, u64); 4] = [
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("m", 60_000_000_000),
];

/// Units of memory, in bytes.
const SIZES: [(&str, u64); 7] = [
    ("B", 1),
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
];

impl KeyTable {
    /// What `read` understands of a text. A text that it does not understand, which is
    /// then "no `what`", is noted with this remedy.
    pub(super) fn understood<T>(
        &self,
        key: &'static str,
        what: &str,
        remedy: impl Into<String>,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(key)?;
        let value = read(&text);
        if value.is_none() {
            let message = format!("`{key}` is {}, which is no {what}", quoted(&text));
            self.refuse_value(key, message, remedy);
        }
        value
    }

    /// A duration greater than zero, as `"1s"`.
    pub(super) fn duration(&self, key: &'static str) -> Option<Duration> {
        self.measure(key, "time", "1s", time_with_unit, parse_duration)
    }

    /// A number of bytes greater than zero, as `"64MiB"`.
    pub(super) fn bytes(&self, key: &'static str) -> Option<u64> {
        self.measure(key, "size", "64MiB", size_with_unit, bytes)
    }

    /// A number of bytes, as `"256MiB"`, or `"0B"`.
    pub(super) fn bytes_or_none(&self, key: &'static str) -> Option<u64> {
        self.measure(key, "size", "256MiB", size_with_unit, bytes_or_none)
    }

    /// A text that `read` converts, such as `usual`, which is a `noun`. An example for
    /// it has the number that is written, made a measure by `with_unit`.
    pub(super) fn measure<T>(
        &self,
        key: &'static str,
        noun: &str,
        usual: &str,
        with_unit: impl Fn(f64) -> String,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let written = self.document.text(self.value_place(key)).replace('_', "");
        let (number, _) = split_number(written.trim_start_matches(['"', '\'']));
        let number = keys::decimal(number).filter(|number| *number > 0.0);
        let example = number.map_or_else(|| usual.to_owned(), with_unit);
        let example = format!("\"{example}\"");
        let what = format!("a {noun} in quotes, for example \"{usual}\"");
        let kind = ValueKind::new(&what, &example);
        let text = self.value(key, kind, |node| node.text())?;
        let value = read(text).map_err(|why| {
            self.refuse_value(
                key,
                format!("`{key} = \"{}\"` {why}", ellipsized(text, 40)),
                format!("write a number and a unit, for example `{key} = {example}`"),
            );
        });
        value.ok()
    }
}

/// A time without a unit, with the unit that it probably has: seconds below 100.
fn time_with_unit(number: f64) -> String {
    let unit = if number < 100.0 { "s" } else { "ms" };
    format!("{number}{unit}")
}

/// A size without a unit, with the unit that it probably has: MiB or KiB up to 16 GiB.
fn size_with_unit(number: f64) -> String {
    let unit = match number {
        ..=16_384.0 => "MiB",
        ..=16_777_216.0 => "KiB",
        _ => "B",
    };
    format!("{number}{unit}")
}

/// Parses a duration greater than zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    positive(measure(text, &TIMES, "a time such as `1s` or `250ms`")?)
        .map(Duration::from_nanos)
}

/// Parses a number of bytes greater than zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
fn bytes(text: &str) -> Result<u64, String> {
    positive(bytes_or_none(text)?)
}

/// Parses a number of bytes, which may be zero.
///
/// # Errors
/// Returns what is wrong, worded to follow the quoted value.
fn bytes_or_none(text: &str) -> Result<u64, String> {
    measure(text, &SIZES, "a size such as `64MiB` or `512KiB`")
}

fn positive(value: u64) -> Result<u64, String> {
    if value == 0 {
        Err("must be greater than zero".to_owned())
    } else {
        Ok(value)
    }
}

fn measure(text: &str, units: &[(&str, u64)], wanted: &str) -> Result<u64, String> {
    let (number, unit) = split_number(text);
    units
        .iter()
        .find(|known| known.0 == unit.trim())
        .and_then(|known| decimal(number, known.1))
        .ok_or_else(|| format!("is not {wanted}"))
}

/// The digits and the point with which a text begins, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let rest = text
        .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    text.split_at(text.len() - rest.len())
}

/// A decimal number times a factor, rounded down. Uses integer arithmetic, since a
/// limit must be the same on every machine.
fn decimal(number: &str, factor: u64) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let whole: u64 = whole.parse().ok()?;
    let scale = 10u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part: u64 = part.parse().ok()?;
    let fraction = u128::from(part) * u128::from(factor) / u128::from(scale);
    whole
        .checked_mul(factor)?
        .checked_add(u64::try_from(fraction).ok()?)
}

#[cfg(test)]
mod hint_tests {
    use super::*;

    #[test]
    fn a_hint_has_the_number_that_was_written_and_the_unit_that_it_probably_has() {
        for (written, hint) in [
            ("time = 2", "write it as `time = \"2s\"`"),
            ("time = 1.5", "write it as `time = \"1.5s\"`"),
            ("time = 1_500", "write it as `time = \"1500ms\"`"),
            ("time = true", "write it as `time = \"1s\"`"),
            (
                "time = \"3 seconds\"",
                "write a number and a unit, for example `time = \"3s\"`",
            ),
            (
                "time = 'soon'",
                "write a number and a unit, for example `time = \"1s\"`",
            ),
            ("memory = 512", "write it as `memory = \"512MiB\"`"),
            ("memory = 262144", "write it as `memory = \"262144KiB\"`"),
            (
                "memory = 268435456",
                "write it as `memory = \"268435456B\"`",
            ),
            ("memory = 0", "write it as `memory = \"64MiB\"`"),
        ] {
            let table = KeyTable::of_text(Path::new("p.toml"), written);
            read_limits(&table, &DEFAULT);
            let mistakes = table.document.take_mistakes();
            assert_eq!(mistakes.len(), 1, "{written}");
            assert_eq!(mistakes[0].remedy.as_deref(), Some(hint), "{written}");
        }
    }
}

#[cfg(test)]
mod points_tests {
    use super::*;

    /// The points of a table, and its mistakes.
    fn read_text(text: &str) -> (Scoring, Vec<String>) {
        let root = KeyTable::of_text(Path::new("p.toml"), text);
        let points = root
            .table("points")
            .map(|table| read_scoring(&table))
            .unwrap_or_default();
        let mistakes = root.document.take_mistakes();
        (points, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_group_has_its_points() {
        let (scoring, mistakes) = read_text(
            "[points]\nsample = 0\nsecret = 60\n\"at the end\" = 1_000_000\n",
        );
        assert_eq!(mistakes, [] as [&str; 0]);
        let read: Vec<_> = scoring
            .groups
            .iter()
            .map(|group| (group.name.as_str(), group.case.accepted.get()))
            .collect();
        assert_eq!(
            read,
            [
                ("", 0.0),
                ("at the end", 1_000_000.0),
                ("sample", 0.0),
                ("secret", 60.0)
            ]
        );
    }

    #[test]
    fn every_mistake_is_listed_with_its_line() {
        let (scoring, mistakes) = read_text(
            "[points]\na = -1\nb = 1_000_001\nc = 0.5\nd = \"60\"\ne = { points = 60 }\nf = 1\n",
        );
        assert_eq!(scoring.groups.len(), 2);
        assert_eq!(
            mistakes,
            [
                "p.toml:2: `a` in [points] must be a whole number from 0 to 1000000, found `-1`",
                "p.toml:3: `b` in [points] must be a whole number from 0 to 1000000, found \
                 `1_000_001`",
                "p.toml:4: `c` in [points] must be a whole number from 0 to 1000000, found `0.5`",
                "p.toml:5: `d` in [points] must be a whole number from 0 to 1000000, found a text",
                "p.toml:6: `e` in [points] must be a whole number from 0 to 1000000, found a table",
            ]
        );
        assert_eq!(
            read_text("[points]\n").1,
            ["p.toml:1: [points] names no group"]
        );
    }

    #[test]
    fn a_group_without_cases_is_a_mistake() {
        let case = |name: &str| Case {
            name: name.into(),
            input: "in".into(),
            answer: "ans".into(),
        };
        let cases = [case("sample/1"), case("secret/a/1"), case("alone")];
        let folder = tempfile::tempdir().unwrap();
        let spec = folder.path().join("p.toml");
        let of = |groups: &[&str]| {
            let lines = groups
                .iter()
                .map(|group| format!("{group} = 1\n"))
                .collect::<String>();
            std::fs::write(&spec, format!("[points]\n{lines}")).unwrap();
            groups_without_cases(&spec, &cases)
                .iter()
                .map(|mistake| {
                    let line = mistake.line.unwrap();
                    let message = &mistake.message;
                    format!(
                        "{line}: {message}; {}",
                        mistake.remedy.as_deref().unwrap()
                    )
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(of(&["sample", "secret"]), [] as [&str; 0]);
        assert_eq!(
            of(&["alone", "secret", "secrets"]),
            [
                "2: [points] names group `alone`, which has no cases; put them into a folder \
                 `alone`",
                "4: [points] names group `secrets`, which has no cases; did you mean `secret`?",
            ]
        );
    }
}

#[cfg(test)]
mod measure_tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_exactly() {
        assert_eq!(parse_duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(parse_duration("1.25s"), Ok(Duration::from_millis(1250)));
        assert_eq!(parse_duration("250 ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("9m"), Ok(Duration::from_secs(540)));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("1.5KiB"), Ok(1536));
        assert_eq!(bytes("125MB"), Ok(125_000_000));
    }

    #[test]
    fn invalid_times_and_sizes_are_refused() {
        for text in [
            "",
            "s",
            "1",
            "1 x",
            "-1s",
            "1..5s",
            "1.s",
            ".5s",
            "99999999999s",
            "1h 3s",
        ] {
            assert_eq!(
                parse_duration(text),
                Err("is not a time such as `1s` or `250ms`".into()),
                "{text}"
            );
        }
        assert_eq!(
            parse_duration("0s"),
            Err("must be greater than zero".into())
        );
        assert_eq!(bytes("0.0001KiB"), Err("must be greater than zero".into()));
        assert_eq!(bytes_or_none("0B"), Ok(0));
        assert_eq!(
            bytes("64mib"),
            Err("is not a size such as `64MiB` or `512KiB`".into())
        );
    }
}
