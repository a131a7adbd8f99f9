//! Reads `contest.toml`: what the names in a contest's folder cannot express. The names
//! of teams and problems in it are only compared with others, and that of the page
//! leads out of no folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex_lite::Regex;

use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{Mistakes, quoted, suggestion};
use crate::model::{
    COLOUR_NAMES, ContestRules, ProblemDetails, RankingMode, TeamDetails, TeamStatus,
    is_colour,
};
use crate::spec::{JudgeFolder, composed};
use crate::text::are_digits;

/// The most characters of a problem's label.
const LONGEST_LABEL: usize = 6;

/// The most characters of any other text.
pub(crate) const LONGEST_TEXT: usize = 200;

/// The latest minute allowed, a bit more than a year.
const LATEST: u64 = 600_000;

/// The highest penalty.
const MOST_PENALTY: u64 = 100_000;

/// The settings in `contest.toml`.
#[derive(Debug, Default)]
pub(super) struct ContestSettings {
    pub(super) name: Option<String>,
    /// The ids of its problems, in order.
    pub(super) problems: Option<Vec<String>>,
    pub(super) rules: ContestRules,
    /// The name, in the contest's folder, of the page that its standings are written
    /// to.
    pub(super) page: Option<String>,
}

impl ContestSettings {
    /// Reads the file. `teams` are the names of the folders of teams.
    ///
    /// # Errors
    /// Reports every mistake in it.
    pub(super) fn load(
        path: &Path,
        folder: &JudgeFolder,
        teams: &[String],
    ) -> Result<Self, Mistakes> {
        let table = KeyTable::read_file(path)?;
        let remedy = "write the name of a file in the contest's folder, for example \
                      `page = \"standings.html\"`";
        let settings = Self {
            name: table.text("name"),
            problems: problems(&table, folder),
            rules: rules(&table, folder, teams),
            page: table.understood("page", "name of a page here", remedy, |name| {
                // It leads to no other folder.
                let is_name = name.ends_with(".html")
                    && !name.starts_with('.')
                    && !name.contains(['/', '\0']);
                is_name.then(|| name.to_owned())
            }),
        };
        table.finish(settings)
    }
}

fn problems(table: &KeyTable, folder: &JudgeFolder) -> Option<Vec<String>> {
    let listed = table.placed_list("problems")?;
    for (place, found) in listed.iter().enumerate() {
        let id = &found.value;
        let is_known = require_problem(table, found.place, id, folder);
        if is_known && listed[..place].iter().any(|other| other.value == *id) {
            table.note_mistake(
                found.place,
                format!("problem {} is listed twice", quoted(id)),
                "delete one of the two",
            );
        }
    }
    Some(listed.into_iter().map(|found| found.value).collect())
}

/// Whether there is a problem of this id. Notes a mistake if not.
pub(crate) fn require_problem(
    table: &KeyTable,
    at: FilePlace,
    id: &str,
    folder: &JudgeFolder,
) -> bool {
    let is_known = folder.ids().any(|known| known == id);
    if !is_known {
        table.note_mistake(
            at,
            format!("there is no problem {}", quoted(id)),
            suggestion(id, folder.ids(), "known: "),
        );
    }
    is_known
}

fn rules(table: &KeyTable, folder: &JudgeFolder, teams: &[String]) -> ContestRules {
    const MODES: [(&str, RankingMode); 2] =
        [("icpc", RankingMode::Icpc), ("points", RankingMode::Points)];
    let length = minutes(table, "length");
    let freeze = minutes(table, "freeze");
    if let (Some(length), Some(freeze)) = (length, freeze)
        && freeze > length
    {
        table.refuse_key(
            "freeze",
            format!(
                "the freeze in minute {freeze} is after the end in minute {length}"
            ),
            "write the minute from which on results are hidden, for example `freeze = \
             240`",
        );
    }
    let remedy = "write the date and the time, for example `start = \"2026-11-28 \
                  10:00\"`; a time zone may follow";
    ContestRules {
        by: table.choice("by", &MODES),
        penalty: table.whole("penalty", 0, MOST_PENALTY),
        // It is only shown.
        start: table.understood("start", "time", remedy, |text| {
            let is_time = TIME.is_match(text) && text.len() <= LONGEST_TIME;
            is_time.then(|| text.to_owned())
        }),
        length,
        freeze,
        team: teams_in(table, teams),
        problem: problems_in(table, folder),
        course: None,
    }
}

/// Minutes, as a number or as hours and minutes.
fn minutes(table: &KeyTable, key: &'static str) -> Option<u64> {
    if !table.is_text(key) {
        return table.whole(key, 1, LATEST);
    }
    let remedy = format!(
        "write minutes, for example `{key} = 300`, or hours and minutes, for example \
         `{key} = \"5:00\"`"
    );
    table.understood(key, "time", remedy, |text| {
        contest_minute(text).filter(|minutes| *minutes > 0)
    })
}

/// Parses `95`, or `1:35` for an hour and 35 minutes.
pub fn contest_minute(text: &str) -> Option<u64> {
    let minute = match text.split_once(':') {
        Some((hours, minutes)) if minutes.len() == 2 => {
            let minutes = digits(minutes).filter(|minutes| *minutes < 60)?;
            60 * digits(hours)? + minutes
        }
        Some(_) => return None,
        None => digits(text)?,
    };
    (minute <= LATEST).then_some(minute)
}

/// A number as it stands in the name of a file.
pub(super) fn digits(text: &str) -> Option<u64> {
    let is_number = text.len() <= 9 && are_digits(text);
    text.parse().ok().filter(|_| is_number)
}

/// A text that begins with `2026-11-28 10:00`.
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"(?x)^
        [0-9]{4}
        - (?: 0[1-9] | 1[0-2] )
        - (?: 0[1-9] | [12][0-9] | 3[01] )
        [\ T]
        (?: [01][0-9] | 2[0-3] )
        : [0-5][0-9]";
    Regex::new(text).expect("the pattern is valid")
});

/// The longest time, in bytes: a few characters may follow its minute.
const LONGEST_TIME: usize = 40;

/// The tables `[team.NAME]`.
fn teams_in(table: &KeyTable, teams: &[String]) -> BTreeMap<Arc<str>, TeamDetails> {
    const STATUSES: [(&str, TeamStatus); 3] = [
        ("ranked", TeamStatus::Ranked),
        ("out of competition", TeamStatus::OutOfCompetition),
        ("disqualified", TeamStatus::Disqualified),
    ];
    let folders: BTreeMap<_, _> =
        teams.iter().map(|team| (composed(team), team)).collect();
    let mut found = BTreeMap::new();
    for (team, table) in table.table("team").iter().flat_map(KeyTable::tables) {
        let folder = folders.get(&composed(team));
        if folder.is_none() {
            let known = teams.iter().map(String::as_str);
            let remedy =
                suggestion(team, known, "a team is named as its folder; known: ");
            table.note_mistake(
                table.header,
                format!("there is no team {}", quoted(team)),
                remedy,
            );
        }
        let details = TeamDetails {
            name: short_text(&table, "name", LONGEST_TEXT),
            organisation: short_text(&table, "organisation", LONGEST_TEXT),
            group: short_text(&table, "group", LONGEST_TEXT),
            site: short_text(&table, "site", LONGEST_TEXT),
            status: table.choice("status", &STATUSES).unwrap_or_default(),
        };
        table.refuse_the_rest();
        found.insert(
            Arc::from(folder.map_or(team, |folder| folder.as_str())),
            details,
        );
    }
    found
}

/// The tables `[problem.ID]`.
fn problems_in(
    table: &KeyTable,
    folder: &JudgeFolder,
) -> BTreeMap<Arc<str>, ProblemDetails> {
    let mut found: BTreeMap<Arc<str>, ProblemDetails> = BTreeMap::new();
    for (id, table) in table.table("problem").iter().flat_map(KeyTable::tables) {
        require_problem(&table, table.header, id, folder);
        let label = short_text(&table, "label", LONGEST_LABEL);
        if let Some(label) = &label
            && let Some((other, _)) = found
                .iter()
                .find(|(_, other)| other.label.as_ref() == Some(label))
        {
            table.refuse_key(
                "label",
                format!("{} is the label of `{other}` too", quoted(label)),
                "give each problem a label of its own",
            );
        }
        let color = colour(&table);
        table.refuse_the_rest();
        found.insert(Arc::from(id), ProblemDetails { label, color });
    }
    found
}

fn colour(table: &KeyTable) -> Option<String> {
    let found = table.text("color")?;
    if is_colour(&found) {
        return Some(found);
    }
    let message = format!("unknown color {}", quoted(&found));
    let remedy =
        format!("write it as `color = \"#ff8800\"`, or use one of {COLOUR_NAMES}");
    table.refuse_value("color", message, remedy);
    None
}

/// A text in one line of at most `most` characters, and at least one.
pub(crate) fn short_text(
    table: &KeyTable,
    key: &'static str,
    most: usize,
) -> Option<String> {
    let found = table.text(key)?;
    let length = found.chars().count();
    let is_line = !found.trim().is_empty() && !found.contains(char::is_control);
    if is_line && length <= most {
        return Some(found);
    }
    let what = if length > most {
        format!("{length} characters long")
    } else {
        "empty, or more than one line".to_owned()
    };
    table.refuse_value(
        key,
        format!("`{key}` is {what}"),
        format!("write one line of 1 to {most} characters"),
    );
    None
}
