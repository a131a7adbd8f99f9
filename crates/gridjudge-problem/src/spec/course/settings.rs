//! Reads `course.toml`: what the names in a course's folder cannot express. The names of students
//! and problems in it are only compared with others.

use crate::sorted::SortedMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::glob::{Backslash, Glob};
use crate::keys::{KeyDocument, KeyTable, ValueKind};
use crate::mistake::{Mistakes, misspelt, quoted, read, suggestion};
use crate::model::{
    CountedAttempt, CourseRules, HomeworkProblem, LateRule, Moment, StudentDetails,
};
use crate::spec::contest::settings::{LONGEST_TEXT, short_text};
use crate::spec::{JudgeFolder, composed};

/// The most points of a problem.
const MOST_POINTS: u64 = 1_000_000;

/// The longest time that something may be late, ten years.
const LONGEST: Duration = Duration::from_secs(10 * 366 * 86_400);

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
        let text = read(path)?;
        let document = KeyDocument::of_toml(path, &text);
        let table = KeyTable::root(&document);
        let mut settings = Self {
            name: short_text(&table, "name", LONGEST_TEXT),
            rules: CourseRules {
                count: table
                    .choice("count", &COUNTS)
                    .map(|found| found.value)
                    .unwrap_or_default(),
                due: moment(&table, "due"),
                late: table.table("late").and_then(|table| late(&table)),
                student: students_in(&table, students),
                ..CourseRules::default()
            },
            ..Self::default()
        };
        settings.read_problems(&table, folder);
        if settings.rules.late.is_some()
            && !settings.has_due()
            && let Some(at) = table.place("late")
        {
            table.note(
                at,
                "nothing can be late, since nothing is due",
                "say when, as `due = \"2026-11-28 23:59 +01:00\"`",
            );
        }
        table.refuse_the_rest();
        Mistakes::or(document.take_mistakes(), settings)
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
            if folder.ids().all(|known| known != id) {
                let remedy = suggestion(id, folder.ids(), "known: ");
                let message = format!("there is no problem {}", quoted(id));
                table.note(table.header(), message, remedy);
            }
            let details = HomeworkProblem {
                due: moment(&table, "due"),
                points: table
                    .whole("points", 1, MOST_POINTS)
                    .map(|found| found.value),
            };
            for pattern in table.placed_list("files").unwrap_or_default() {
                match Glob::new(&pattern.value, Backslash::Escape) {
                    Ok(glob) => self.files.push((glob, id.to_owned())),
                    Err(error) => table.note(
                        pattern.place,
                        format!("{} is no pattern: {error}", quoted(&pattern.value)),
                        "write names of files, as `files = [\"task1*\", \"first.*\"]`",
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
    let percent = table.required("percent", "`percent = 10`", |table, key| {
        table.whole(key, 0, 100)
    });
    let each_s = seconds(table, "each");
    let grace_s = seconds(table, "grace").unwrap_or_default();
    let until_s = seconds(table, "until");
    table.refuse_the_rest();
    Some(LateRule {
        percent: percent?.value,
        each_s: each_s.unwrap_or(86_400),
        grace_s,
        until_s,
    })
}

/// A moment with its zone. Without one it would be another moment on another machine.
fn moment(table: &KeyTable, key: &'static str) -> Option<Moment> {
    let found = table.text(key)?;
    let moment = Moment::from_str(&found.value).ok();
    if moment.is_none() {
        table.note(
            found.place,
            format!(
                "`{key}` is {}, which is no date, time and zone",
                quoted(&found.value)
            ),
            format!("write the zone too, as `{key} = \"2026-11-28 23:59 +01:00\"`"),
        );
    }
    moment
}

/// A length of time in seconds, as `"1 day"`.
fn seconds(table: &KeyTable, key: &'static str) -> Option<u64> {
    let kind = ValueKind::new("a length of time in quotes, as \"1 day\"", "\"1 day\"");
    table.measure(key, kind, |text| {
        let length = humantime::parse_duration(text).ok();
        let length = length.filter(|length| (1..=LONGEST.as_secs()).contains(&length.as_secs()));
        length
            .map(|length| length.as_secs())
            .ok_or_else(|| "is not a length of time, as `1 day` or `15 min`".to_owned())
    })
}

/// The tables `[student.NAME]`.
fn students_in<'a>(
    table: &KeyTable,
    students: impl Iterator<Item = &'a str> + Clone,
) -> SortedMap<Arc<str>, StudentDetails> {
    let mut found = SortedMap::new();
    for (student, table) in table.table("student").iter().flat_map(KeyTable::tables) {
        let student = composed(student);
        // Anybody else is a student who has handed in nothing.
        let is_known = students.clone().any(|known| known == student);
        if !is_known && let Some(meant) = misspelt(&student, students.clone()) {
            let message = format!("there is no student {}", quoted(&student));
            table.note(table.header(), message, format!("did you mean `{meant}`?"));
        }
        let details = StudentDetails {
            name: short_text(&table, "name", LONGEST_TEXT),
            id: short_text(&table, "id", LONGEST_TEXT),
            group: short_text(&table, "group", LONGEST_TEXT),
            due: moment(&table, "due"),
            unjudged: None,
        };
        table.refuse_the_rest();
        found.insert(Arc::from(student), details);
    }
    found
}
