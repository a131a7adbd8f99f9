//! Undoes the names that learning systems give to exported homework: Moodle's
//! `Anna Ek_12345_assignsubmission_file_`, and Canvas's `ekanna_12345_67890_evens-1.py`. Knows names
//! only. Sources: Moodle, `mod/assign/locallib.php`; Canvas, `content_zipper.rb`.

/// The mark of a folder or file that Moodle exports.
const MOODLE: &str = "_assignsubmission_";

/// The mark of a late file that Canvas exports.
const LATE: &str = "LATE";

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
        let of_moodle = Self::of_moodle(name).filter(|parts| !parts.file.is_empty());
        of_moodle.or_else(|| Self::of_canvas(name))
    }

    /// `NAME_NUMBER_assignsubmission_file_`, and after it the name of the file if Moodle was asked for
    /// files without folders. An older Moodle leaves out the last `_` of a folder.
    fn of_moodle(name: &'a str) -> Option<Self> {
        let (owner, rest) = name.split_once(MOODLE)?;
        let (student, id) = owner.rsplit_once('_')?;
        // The kind of the submission: `file`, or `onlinetext`.
        let (_, file) = rest.split_once('_').unwrap_or((rest, ""));
        (is_number(id) && !student.is_empty()).then_some(Self {
            system: "Moodle",
            student,
            id,
            file,
            is_late: false,
        })
    }

    /// `NAME_NUMBER_NUMBER_FILE`, or `NAME_LATE_NUMBER_NUMBER_FILE`. The name is in lower case and
    /// has no `_`.
    fn of_canvas(name: &'a str) -> Option<Self> {
        let (student, rest) = name.split_once('_')?;
        let of_late = rest
            .strip_prefix(LATE)
            .and_then(|rest| rest.strip_prefix('_'));
        let (id, rest) = of_late.unwrap_or(rest).split_once('_')?;
        let (submission, file) = rest.split_once('_')?;
        let is_one = [id, submission].into_iter().all(is_number) && !student.is_empty();
        (is_one && !file.is_empty()).then_some(Self {
            system: "Canvas",
            student,
            id,
            file,
            is_late: of_late.is_some(),
        })
    }
}

fn is_number(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
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
        let of_folder = |name| ExportedName::of_folder(name).map(|parts| (parts.student, parts.id));
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
