//! Recognises the folder of a course; reads `course.toml`, what the names in it cannot
//! express; and undoes the names that learning systems give to homework. The names of students and problems
//! are only compared with others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use regex_lite::Regex;

use crate::glob::{Backslash, Glob};
use crate::keys::{KeyTable, ValueKind};
use crate::mistake::{Mistakes, misspelt, quoted};
use crate::model::{
    CountedAttempt, CourseRules, HomeworkProblem, LateRule, Moment, StudentDetails,
};
use crate::spec::contest::settings::{LONGEST_TEXT, require_problem, short_text};
use crate::spec::handed_in::{has_minute, names_in};
use crate::spec::{JudgeFolder, composed};

/// The most points of a problem.
const MOST_POINTS: u64 = 1_000_000;

/// The longest time that something may be late, ten years.
const LONGEST: Duration = Duration::from_secs(10 * 366 * 86_400);

/// Whether the names in a folder are those of a course and not of a contest: most have
/// no minute, and it is judged on a single problem, or a learning system has made most
/// names.
pub(crate) fn has_names_of_course(
    folder: &JudgeFolder,
    root: &Path,
    only: &[String],
) -> bool {
    let names = names_in(root);
    let inner = |name: &String| names_in(&root.join(name));
    let files: Vec<_> = names.iter().flat_map(inner).collect();
    let timed = files.iter().filter(|name| has_minute(name)).count();
    if 2 * timed > files.len() {
        return false;
    }
    // The names of students are right in the course, or in the folder of a problem.
    let (problems, others): (Vec<_>, Vec<_>) = names
        .iter()
        .partition(|name| folder.ids().any(|id| id == **name));
    let of_problems = problems.into_iter().flat_map(inner);
    let students: Vec<_> = others.into_iter().cloned().chain(of_problems).collect();
    let exported = students.iter().filter(|name| {
        ExportedName::of_folder(name).is_some()
            || ExportedName::of_file(name).is_some()
    });
    let exported = exported.count();
    matches!(only, [_]) || exported > 0 && 2 * exported >= students.len()
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
                match Glob::new(&pattern.value, Backslash::Escape) {
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
        "write the zone too, for example `{key} = \"2026-11-28 23:59 +01:00\"`"
    );
    table.understood(key, "date, time and zone", remedy, Moment::parse)
}

/// A length of time in seconds, as `"1 day"`.
fn seconds(table: &KeyTable, key: &'static str) -> Option<u64> {
    let kind = ValueKind::new(
        "a length of time in quotes, for example \"1 day\"",
        "\"1 day\"",
    );
    table.measure(key, kind, |text| {
        let length = humantime::parse_duration(text).ok();
        let length = length
            .filter(|length| (1..=LONGEST.as_secs()).contains(&length.as_secs()));
        length.map(|length| length.as_secs()).ok_or_else(|| {
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
        if !is_known && let Some(meant) = misspelt(&student, unlisted.clone()) {
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
            unjudged: None,
        };
        table.refuse_the_rest();
        found.insert(Arc::from(student), details);
    }
    found
}

// Undoes the names that learning systems give to exported homework: Moodle's
// `Anna Ek_12345_assignsubmission_file_`, and Canvas's `ekanna_12345_67890_evens-1.py`.
// Knows names only. Sources: Moodle, `mod/assign/locallib.php`; Canvas,
// `content_zipper.rb`.

/// `NAME_NUMBER_assignsubmission_file_`, and after it the name of the file if Moodle was
/// asked for files without folders. An older Moodle leaves out the last `_` of a folder.
/// In place of `file`, there may be another kind of submission, such as `onlinetext`.
const MOODLE: &str = r"(?xs)^
    (?P<student> .+? )
    _ (?P<id> [0-9]{1,20} )
    _assignsubmission_ [^_]*
    (?: _ (?P<file> .* ) )?
$";

/// `NAME_NUMBER_NUMBER_FILE`, or `NAME_LATE_NUMBER_NUMBER_FILE`. The name is in lower
/// case and has no `_`.
const CANVAS: &str = r"(?xs)^
    (?P<student> [^_]+ )
    _ (?P<late> LATE_ )?
    (?P<id> [0-9]{1,20} )
    _ [0-9]{1,20}
    _ (?P<file> .+ )
$";

/// The parts of an exported name.
pub(super) struct ExportedName<'a> {
    /// The system, as in "names of Moodle".
    pub(super) system: &'static str,
    /// The student's name.
    pub(super) student: &'a str,
    /// The student's number in that system.
    pub(super) id: &'a str,
    /// The name of the file as it was handed in; empty for a folder.
    pub(super) file: &'a str,
    /// Whether the system calls it late.
    pub(super) is_late: bool,
}

impl<'a> ExportedName<'a> {
    /// The parts of the name of a folder.
    pub(super) fn of_folder(name: &'a str) -> Option<Self> {
        Self::of_moodle(name).filter(|parts| parts.file.is_empty())
    }

    /// The parts of the name of a file.
    pub(super) fn of_file(name: &'a str) -> Option<Self> {
        static NAMES: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(CANVAS).expect("the pattern is valid"));
        let of_moodle = Self::of_moodle(name).filter(|parts| !parts.file.is_empty());
        of_moodle.or_else(|| Self::matched("Canvas", &NAMES, name))
    }

    fn of_moodle(name: &'a str) -> Option<Self> {
        static NAMES: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(MOODLE).expect("the pattern is valid"));
        Self::matched("Moodle", &NAMES, name)
    }

    fn matched(system: &'static str, names: &Regex, name: &'a str) -> Option<Self> {
        let found = names.captures(name)?;
        let part = |part| found.name(part).map_or("", |part| part.as_str());
        Some(Self {
            system,
            student: part("student"),
            id: part("id"),
            file: part("file"),
            is_late: found.name("late").is_some(),
        })
    }
}

#[cfg(test)]
mod exported_name_tests {
    use super::*;

    #[test]
    fn the_names_of_moodle_and_canvas_are_undone_and_others_are_not() {
        let of_file = |name| {
            ExportedName::of_file(name).map(|parts| {
                let ExportedName {
                    student,
                    id,
                    file,
                    is_late,
                    ..
                } = parts;
                (student, id, file, is_late)
            })
        };
        for (name, expected) in [
            (
                "Anna Ek_12345_assignsubmission_file_evens.py",
                Some(("Anna Ek", "12345", "evens.py", false)),
            ),
            (
                "Ek_Åberg, Anna_12345_assignsubmission_file_my_evens.py",
                Some(("Ek_Åberg, Anna", "12345", "my_evens.py", false)),
            ),
            ("Anna_assignsubmission_file_evens.py", None),
            (
                "ekanna_12345_67890_evens.py",
                Some(("ekanna", "12345", "evens.py", false)),
            ),
            (
                "ekanna_LATE_12345_67890_my_evens-1.py",
                Some(("ekanna", "12345", "my_evens-1.py", true)),
            ),
            ("ekanna_12345_evens.py", None),
            ("my_evens_2.py", None),
            ("_1_2_evens.py", None),
            ("a_1_2_", None),
        ] {
            assert_eq!(of_file(name), expected, "{name}");
        }
        let of_folder = |name| {
            ExportedName::of_folder(name).map(|parts| (parts.student, parts.id))
        };
        for (name, expected) in [
            (
                "Anna Ek_12345_assignsubmission_file_",
                Some(("Anna Ek", "12345")),
            ),
            (
                "Anna Ek_12345_assignsubmission_file",
                Some(("Anna Ek", "12345")),
            ),
            (
                "Anna Ek_12345_assignsubmission_onlinetext",
                Some(("Anna Ek", "12345")),
            ),
            ("Anna Ek_12345", None),
            ("Anna Ek", None),
        ] {
            assert_eq!(of_folder(name), expected, "{name}");
        }
    }
}
