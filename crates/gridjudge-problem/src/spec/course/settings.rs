//! Reads `course.toml`, what the names in a course cannot express. The names of students
//! and problems in it are only compared with others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::glob::{Backslash, Glob};
use crate::keys::KeyTable;
use crate::mistake::{Mistakes, misspelt, quoted};
use crate::model::{
    CountedAttempt, CourseRules, HomeworkProblem, LateRule, Moment, StudentDetails,
};
use crate::spec::contest::settings::{LONGEST_TEXT, require_problem, short_text};
use crate::spec::{JudgeFolder, composed};
use crate::text::counted;

/// The optional file with the settings of a course.
pub const SETTINGS: &str = "course.toml";

/// The most points of a problem.
const MOST_POINTS: u64 = 1_000_000;

/// The longest time that something may be late, ten years.
const LONGEST: Duration = Duration::from_secs(10 * 366 * 86_400);

/// A name without what people vary in those of files: case, `_`, spaces, and how
/// accents are coded.
fn squeezed(name: &str) -> String {
    composed(name).to_lowercase().replace(['_', ' '], "")
}

/// The settings in `course.toml`.
#[derive(Default)]
pub(super) struct CourseSettings {
    pub(super) name: Option<String>,
    /// The ids of its problems, in the order of the file.
    pub(super) problems: Vec<String>,
    /// Names of files, each with the problem that they are for.
    pub(super) files: Vec<(Glob, String)>,
    pub(super) rules: CourseRules,
}

impl CourseSettings {
    /// Reads the file. `students` are the names of all students.
    ///
    /// # Errors
    /// Reports every mistake in it.
    pub(super) fn load<'a>(
        path: &Path,
        folder: &JudgeFolder,
        students: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Self, Mistakes> {
        const COUNTS: [(&str, CountedAttempt); 2] = [
            ("best", CountedAttempt::Best),
            ("last", CountedAttempt::Last),
        ];
        let table = KeyTable::read_file(path)?;
        let mut settings = Self {
            name: short_text(&table, "name", LONGEST_TEXT),
            rules: CourseRules {
                count: table.choice("count", &COUNTS).unwrap_or_default(),
                due: moment(&table, "due"),
                late: table.table("late").and_then(|table| late(&table)),
                student: students_in(&table, students),
                ..CourseRules::default()
            },
            ..Self::default()
        };
        settings.read_problems(&table, folder);
        let is_due = settings.has_due() || table.has("due");
        if settings.rules.late.is_some() && !is_due {
            table.refuse_key(
                "late",
                "nothing can be late, since nothing is due",
                "say when, for example `due = \"2026-11-28 23:59 +01:00\"`",
            );
        }
        table.finish(settings)
    }

    /// The problems whose `files` a name matches.
    pub(super) fn problems_of_file(&self, name: &str) -> Vec<&str> {
        let mut problems: Vec<_> = self
            .files
            .iter()
            .filter(|(glob, _)| glob.matches(name) || glob.matches(&squeezed(name)))
            .map(|(_, id)| id.as_str())
            .collect();
        problems.dedup();
        problems
    }

    /// Whether the times of files matter.
    pub(super) fn needs_times(&self) -> bool {
        self.rules.count == CountedAttempt::Last || self.has_due()
    }

    fn has_due(&self) -> bool {
        let CourseRules {
            due,
            problem,
            student,
            ..
        } = &self.rules;
        due.is_some()
            || problem.values().any(|problem| problem.due.is_some())
            || student.values().any(|student| student.due.is_some())
    }

    /// Reads the tables `[problem.ID]`.
    fn read_problems(&mut self, table: &KeyTable, folder: &JudgeFolder) {
        for (id, table) in table.table("problem").iter().flat_map(KeyTable::tables) {
            require_problem(&table, table.header, id, folder);
            let details = HomeworkProblem {
                due: moment(&table, "due"),
                points: table.whole("points", 1, MOST_POINTS),
            };
            for pattern in table.placed_list("files").unwrap_or_default() {
                let glob = |text: &str| Glob::new(text, Backslash::Escape);
                let squeezed = squeezed(&pattern.value);
                match glob(&squeezed).or_else(|_| glob(&pattern.value)) {
                    Ok(glob) => self.files.push((glob, id.to_owned())),
                    Err(error) => table.note_mistake(
                        pattern.place,
                        format!("{} is no pattern: {error}", quoted(&pattern.value)),
                        "write names of files, for example `files = [\"task1*\", \
                         \"first.*\"]`",
                    ),
                }
            }
            table.refuse_the_rest();
            self.problems.push(id.to_owned());
            if details != HomeworkProblem::default() {
                self.rules.problem.insert(Arc::from(id), details);
            }
        }
    }
}

fn late(table: &KeyTable) -> Option<LateRule> {
    let percent = table
        .require("percent", "`percent = 10`")
        .whole("percent", 0, 100);
    let each_s = seconds(table, "each");
    let grace_s = seconds(table, "grace").unwrap_or_default();
    let until_s = seconds(table, "until");
    table.refuse_the_rest();
    Some(LateRule {
        percent: percent?,
        each_s: each_s.unwrap_or(86_400),
        grace_s,
        until_s,
    })
}

/// A moment with its zone. Without one it would be another moment on another machine.
fn moment(table: &KeyTable, key: &'static str) -> Option<Moment> {
    let remedy = format!(
        "write a day of the calendar, a time up to 23:59, and the zone, for example \
         `{key} = \"2026-11-28 23:59 +01:00\"`"
    );
    table.understood(key, "date, time and zone", remedy, Moment::parse)
}

/// A number of days, begun ones as whole ones.
fn in_days(number: f64) -> String {
    counted(number.ceil(), "day")
}

/// A length of time in seconds, as `"1 day"`.
fn seconds(table: &KeyTable, key: &'static str) -> Option<u64> {
    table.measure(key, "length of time", "1 day", in_days, |text| {
        let length = humantime::parse_duration(text).ok();
        length
            .map(|length| length.as_secs())
            .filter(|seconds| (1..=LONGEST.as_secs()).contains(seconds))
            .ok_or_else(|| {
                "is not a length of time such as `1 day` or `15 min`".to_owned()
            })
    })
}

/// The tables `[student.NAME]`.
fn students_in<'a>(
    table: &KeyTable,
    students: impl Iterator<Item = &'a str> + Clone,
) -> BTreeMap<Arc<str>, StudentDetails> {
    let mut found = BTreeMap::new();
    let table = table.table("student");
    let tables: Vec<_> = table.iter().flat_map(KeyTable::tables).collect();
    let listed: BTreeSet<_> = tables.iter().map(|(name, _)| composed(name)).collect();
    let unlisted = students.clone().filter(|known| !listed.contains(*known));
    for (student, table) in tables {
        let student = composed(student);
        // Anybody else is a student who has handed in nothing.
        let is_known = students.clone().any(|known| known == student);
        let same_name: Vec<_> = students
            .clone()
            .filter(|known| known.starts_with(&format!("{student} (")))
            .map(|known| format!("`{known}`"))
            .collect();
        if !is_known && same_name.len() > 1 {
            table.note_mistake(
                table.header,
                format!(
                    "{} students are called {}",
                    same_name.len(),
                    quoted(&student)
                ),
                format!("write which one: {}", same_name.join(", ")),
            );
        } else if !is_known && let Some(meant) = misspelt(&student, unlisted.clone())
        {
            table.note_mistake(
                table.header,
                format!("there is no student {}", quoted(&student)),
                format!("did you mean `{meant}`?"),
            );
        }
        let details = StudentDetails {
            name: short_text(&table, "name", LONGEST_TEXT),
            id: short_text(&table, "id", LONGEST_TEXT),
            group: short_text(&table, "group", LONGEST_TEXT),
            due: moment(&table, "due"),
            ..StudentDetails::default()
        };
        table.refuse_the_rest();
        found.insert(Arc::from(student), details);
    }
    found
}
