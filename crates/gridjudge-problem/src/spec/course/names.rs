//! What the names in a course's folder mean: whether it is a course, which folder holds
//! the homework for a problem, and whose a folder or a file is. Knows names and kinds
//! only.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex_lite::Regex;

use crate::files;
use crate::mistake::Mistake;
use crate::spec::course::settings::SETTINGS;
use crate::spec::handed_in::{has_minute, names_in, plain};
use crate::spec::{JudgeFolder, composed, is_archive_name, name_of};
use crate::text::{counted, path_text, shell_word};

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
        .partition(|name| problem_of_folder(folder, &root.join(name)).is_some());
    let of_problems = problems.into_iter().flat_map(inner);
    let students: Vec<_> = others.into_iter().cloned().chain(of_problems).collect();
    let exported = students.iter().filter(|name| {
        ExportedName::of_folder(name).is_some()
            || ExportedName::of_file(name).is_some()
    });
    let exported = exported.count();
    matches!(only, [_]) || exported > 0 && 2 * exported >= students.len()
}

/// The problem that a name begins with, as people vary names; of several, the one with
/// the longest name.
pub(super) fn problem_named<'a>(
    name: &str,
    ids: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let name = plain(name.trim());
    ids.filter(|id| {
        name.strip_prefix(&plain(id))
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
    .max_by_key(|id| id.len())
}

/// The problem whose homework a folder holds. More may follow its name only if students
/// are in it beyond doubt: a student may be called `max-2`.
pub(super) fn problem_of_folder<'a>(
    folder: &'a JudgeFolder,
    path: &Path,
) -> Option<&'a str> {
    let name = path.file_name()?.to_str()?;
    let id = problem_named(name, folder.ids())?;
    (plain(name.trim()) == plain(id) || holds_students(path)).then_some(id)
}

/// Whether Moodle has made the names of several students in a folder. Students may name
/// their files as Canvas does.
fn holds_students(path: &Path) -> bool {
    let names = names_in(path);
    let students = names
        .iter()
        .filter_map(|name| Some(ExportedName::of_moodle(name)?.student));
    students.collect::<BTreeSet<_>>().len() > 1
}

/// A mistake if a folder belongs to a course and is none: that of a student, or of a
/// problem. What its `course.toml` says would be ignored.
pub(crate) fn of_student(root: &Path) -> Option<Mistake> {
    let real = files::without_links(root);
    let mut around = real.ancestors().skip(1).take(2);
    let is_exported = ExportedName::of_folder(&name_of(root)).is_some();
    let course = around
        .find(|folder| folder.join(SETTINGS).is_file())
        .or_else(|| real.parent().filter(|_| is_exported))?;
    let remedy = format!(
        "judge the whole course: `gridjudge grade {}`; if this is another, put a \
         `{SETTINGS}` into it, which may be empty",
        shell_word(&path_text(course))
    );
    Some(Mistake::new(
        root,
        "is a folder in a course, and no course",
        remedy,
    ))
}

/// Whether a file beside the students' folders is somebody's work, and no note: a
/// program, with its source or without, or an archive.
pub(super) fn is_work(folder: &JudgeFolder, path: &Path) -> bool {
    let is_program = match path.extension() {
        Some(ending) => ending == "exe",
        None => files::is_executable(path),
    };
    is_program || is_archive_name(path) || folder.config.language_of(path).is_some()
}

/// Why what is at a path is nobody's homework as it is. `others` are the paths of what
/// is.
pub(super) fn refusal_of<'a>(
    path: &Path,
    name: &str,
    others: impl Iterator<Item = &'a Path>,
) -> Option<Mistake> {
    let (message, remedy) = if path.is_symlink() {
        let remedy = "put the folder or the file itself in its place";
        ("is a link".to_owned(), remedy)
    } else if let Some(twin) = twin_of(name, path, others) {
        let message = format!(
            "is named as `{}`, only its accents are coded otherwise",
            twin.display()
        );
        (message, "put what is in both into one of them")
    } else if holds_students(path) {
        let message = "holds the homework of several students".to_owned();
        (
            message,
            "name it after the problem that the homework is for",
        )
    } else {
        return None;
    };
    Some(Mistake::new(path, message, remedy))
}

/// What lies beside a path by the same name, with accents in another code.
fn twin_of<'a>(
    name: &str,
    path: &Path,
    mut others: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    if name.is_ascii() {
        return None;
    }
    others.find(|other| {
        let other_name = other.file_name().and_then(OsStr::to_str);
        other.parent() == path.parent()
            && other_name.is_some_and(|other| composed(other) == composed(name))
    })
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

/// What was undone, for whoever judges to see.
#[derive(Default)]
pub(super) struct UndoneNames {
    /// For each system the first of its names, the student in it, and their number.
    by_system: BTreeMap<&'static str, (String, String, usize)>,
    /// The files that a system calls late.
    late: Vec<PathBuf>,
}

impl UndoneNames {
    pub(super) fn add(&mut self, parts: &ExportedName<'_>, path: &Path, name: &str) {
        self.by_system
            .entry(parts.system)
            .or_insert_with(|| (name.to_owned(), parts.student.to_owned(), 0))
            .2 += 1;
        if parts.is_late {
            self.late.push(path.to_owned());
        }
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let shortened = self.by_system.iter().map(
            |(system, (name, student, number))| {
                format!(
                    "names of {system} are shortened: {number}, such as `{name}` to \
                         `{student}`"
                )
            },
        );
        let late = self.late.first().map(|first| {
            format!(
                "Canvas calls {} late, such as `{}`; here, the times of files decide",
                counted(self.late.len(), "file"),
                first.display()
            )
        });
        shortened.chain(late).collect()
    }
}

#[cfg(test)]
mod exported_name_tests {
    use super::*;

    #[test]
    fn the_longest_problem_that_a_name_begins_with_is_meant() {
        let ids = ["bank", "bank-2", "table"];
        for (name, expected) in [
            ("Bank", Some("bank")),
            (" BANK (week 3)", Some("bank")),
            ("bank_2 final", Some("bank-2")),
            ("bank2", None),
            ("a bank", None),
        ] {
            assert_eq!(problem_named(name, ids.into_iter()), expected, "{name}");
        }
    }

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
