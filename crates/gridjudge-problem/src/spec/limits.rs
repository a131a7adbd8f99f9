//! Reads `[limits]`, both of a problem and of the judge's configuration.

use crate::sorted::SortedMap;
use std::path::Path;
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::keys::{KeyDocument, KeyTable};
use crate::mistake;
use crate::mistake::{Mistake, nearest};
use crate::model::{Case, Scoring};

/// The limits if neither the problem nor the judge's configuration sets them.
pub(crate) const USUAL: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 256 << 20,
    output_bytes: 64 << 20,
    processes: 64,
    frequent_samples: false,
    address_space: None,
};

/// The limits that a spec sets. `None` stands for a limit that it leaves to the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartialLimits {
    cpu: Option<Duration>,
    wall: Option<Duration>,
    memory_bytes: Option<u64>,
    output_bytes: Option<u64>,
    processes: Option<u32>,
}

impl PartialLimits {
    /// Reads a table of limits. Refuses the keys that nothing has read by then.
    pub(crate) fn read(table: &KeyTable) -> Self {
        let processes = table.whole("processes", 1, 100_000);
        let limits = Self {
            cpu: table.duration("time"),
            wall: table.duration("wall"),
            memory_bytes: table.bytes("memory"),
            output_bytes: table.bytes("output"),
            processes: processes.and_then(|found| u32::try_from(found.value).ok()),
        };
        table.refuse_the_rest();
        limits
    }

    /// Fills the unset limits from `others`. An unset wall limit is derived from the time limit if
    /// that is set.
    pub(crate) fn or(&self, others: &Limits) -> Limits {
        let cpu = self.cpu.unwrap_or(others.cpu);
        let inherited = if self.cpu.is_none() {
            others.wall
        } else {
            Limits::wall_for(cpu)
        };
        Limits {
            cpu,
            wall: self.wall.unwrap_or(inherited),
            memory_bytes: self.memory_bytes.unwrap_or(others.memory_bytes),
            output_bytes: self.output_bytes.unwrap_or(others.output_bytes),
            processes: self.processes.unwrap_or(others.processes),
            frequent_samples: false,
            address_space: None,
        }
    }
}

// Reads `[points]` of a problem: the points of its groups of cases.

/// The most points of a group. Sums over many groups stay far below any overflow.
const MOST: u64 = 1_000_000;

/// Reads the table.
pub(crate) fn read(table: &KeyTable) -> Scoring {
    let points = table.wholes_by_key(MOST);
    if table.names().is_empty() {
        let remedy = "say what a group of cases is worth, as `secret = 100`";
        table.note(table.header(), "[points] names no group", remedy);
    }
    let points: SortedMap<_, _> = points
        .into_iter()
        .map(|(group, points)| (group.to_owned(), points.value))
        .collect();
    Scoring::of_whole_groups(points)
}

/// Reports the groups that have points in a spec but no cases: these points could never be reached.
pub(super) fn groups_without_cases(spec: &Path, scoring: &Scoring, cases: &[Case]) -> Vec<Mistake> {
    let groups: Vec<_> = cases
        .iter()
        .map(Case::group)
        .filter(|group| !group.is_empty())
        .collect();
    let named = scoring
        .groups
        .iter()
        .map(|group| group.name.as_str())
        .filter(|group| !group.is_empty());
    let missing: Vec<_> = named.filter(|group| !groups.contains(group)).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    // The lines are needed only here, so the file is read again. If it no longer exists, the
    // mistakes have no line.
    let text = mistake::read(spec).unwrap_or_default();
    let document = KeyDocument::of_toml(spec, &text);
    let table = KeyTable::root(&document).table("points");
    let mistakes = missing.into_iter().map(|group| {
        let message = format!("[points] names group `{group}`, which has no cases");
        let remedy = nearest(group, groups.iter().copied()).map_or_else(
            || format!("put them into a folder `{group}`"),
            |meant| format!("did you mean `{meant}`?"),
        );
        let placed = table
            .as_ref()
            .and_then(|table| Some(table.mistake(table.place(group)?, &message, &remedy)));
        placed.unwrap_or_else(|| Mistake::of(spec, &message).with_remedy(&remedy))
    });
    mistakes.collect()
}

/// As [`groups_without_cases`], for a spec of which no problem can be made because of other
/// mistakes.
pub fn groups_without_cases_in(spec: &Path, cases: &[Case]) -> Vec<Mistake> {
    let text = mistake::read(spec).unwrap_or_default();
    let document = KeyDocument::of_toml(spec, &text);
    let scoring = KeyTable::root(&document)
        .table("points")
        .map(|table| read(&table));
    groups_without_cases(spec, &scoring.unwrap_or_default(), cases)
}

#[cfg(test)]
mod points_tests {
    use super::*;

    /// The points of a table, and its mistakes.
    fn read_text(text: &str) -> (Scoring, Vec<String>) {
        let document = KeyDocument::of_toml(Path::new("p.toml"), text);
        let points = KeyTable::root(&document)
            .table("points")
            .map(|table| read(&table))
            .unwrap_or_default();
        let mistakes = document.take_mistakes();
        (points, mistakes.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_group_has_its_points() {
        let (scoring, mistakes) =
            read_text("[points]\nsample = 0\nsecret = 60\n\"at the end\" = 1_000_000\n");
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
            let points =
                Scoring::of_whole_groups(groups.iter().map(|group| ((*group).to_owned(), 1)));
            let mistakes = groups_without_cases(&spec, &points, &cases);
            mistakes
                .iter()
                .map(|mistake| {
                    let line = mistake.line.unwrap();
                    let message = &mistake.message;
                    format!("{line}: {message}; {}", mistake.remedy.as_deref().unwrap())
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
