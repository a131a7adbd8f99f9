//! Reads the folder of a course: homework in any names, a folder for each student, and
//! perhaps a `course.toml`. Looks at the names, kinds and times of files only. What
//! learning systems did to the names is undone. The students chose the names, so none
//! is trusted, and no link out of a student's folder is followed.

mod names;
mod settings;
mod unjudged;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mistake::{Mistake, Mistakes, suggestion};
use crate::model::{Contest, ContestRules, Entrant, Moment, file_name};
use crate::spec::course::names::{
    ExportedName, UndoneNames, is_work, problem_named, problem_of_folder, refusal_of,
};
use crate::spec::course::settings::CourseSettings;
use crate::spec::course::unjudged::UnjudgedWork;
use crate::spec::handed_in::attempt_number;
use crate::spec::{
    ContestAttempt, ContestEntries, EntryKind, FoundEntry, JudgeFolder, OtherEntries,
    composed, is_archive_name, name_of, real_kind, refuse_foreign,
};
use crate::text::path_text;

pub(super) use names::{has_names_of_course, of_student};
pub use settings::SETTINGS;

/// The most folders inside each other in a student's folder.
const DEEPEST: usize = 10;

/// The most files of a student.
const MOST_FILES: usize = 10_000;

/// The most programs of a student.
const MOST_ATTEMPTS: usize = 100;

/// Files whose times lie this close together, in seconds, were hardly written by many
/// people.
const UNPACKED_WITHIN: u64 = 60;

/// From so many files on, their times say something together.
const MANY_FILES: usize = 4;

const OUT_OF_COURSE: &str = "is a link that leads out of the course";
const OUT_OF_STUDENT: &str = "is a link that leads out of the student's folder";

/// The state of reading a course.
struct CourseReader<'a> {
    folder: &'a JudgeFolder,
    root: &'a Path,
    /// The problems that are asked for; empty if all are.
    only: &'a [String],
    /// The problems that work may be for; empty if it may be for any.
    problems: Vec<String>,
    settings: CourseSettings,
    others: OtherEntries,
    places: Vec<HandedIn>,
    /// Other files beside the students' folders. Those that are named after a student
    /// are that student's.
    strays: Vec<HandedIn>,
    students: BTreeMap<Arc<str>, Student>,
    undone: UndoneNames,
}

/// What a student has handed in.
#[derive(Default)]
struct Student {
    /// The numbers in a learning system. Moodle gives another one for each assignment.
    ids: BTreeSet<String>,
    places: Vec<HandedIn>,
}

/// A folder or a file of a student.
struct HandedIn {
    student: Arc<str>,
    /// The student's number in a learning system.
    id: Option<String>,
    /// The entry, with the name of the file as it was handed in.
    found: FoundEntry,
    /// The problem that it is for, if its folder says so.
    problem: Option<String>,
    /// Why it is not read, if it is not.
    refusal: Option<Mistake>,
}

/// Reads a course's folder, or the homework for the problems `only`, if any are given.
///
/// # Errors
/// Reports a folder without homework, and every mistake in its settings.
pub(super) fn read_course(
    folder: &JudgeFolder,
    root: &Path,
    only: &[String],
) -> Result<ContestEntries, Mistakes> {
    let real = root
        .canonicalize()
        .map_err(|error| Mistake::unreadable(root, error))?;
    let mut reader = CourseReader {
        folder,
        root,
        only,
        problems: vec![],
        settings: CourseSettings::default(),
        others: OtherEntries::default(),
        places: vec![],
        strays: vec![],
        students: BTreeMap::new(),
        undone: UndoneNames::default(),
    };
    reader.add_all(root, &real, None);
    reader.tell_students_apart();
    let settings = root.join(SETTINGS);
    if settings.symlink_metadata().is_ok() {
        real_kind(&settings, &real, OUT_OF_COURSE)?;
        refuse_foreign(&settings)?;
        let students = reader.students.keys().map(|name| &**name);
        reader.settings = CourseSettings::load(&settings, folder, students)?;
    }
    let of_course = &reader.settings.problems;
    reader.problems = match only {
        [one] if !of_course.contains(one) => vec![one.clone()],
        _ if only.iter().all(|id| of_course.contains(id)) => of_course.clone(),
        _ => vec![],
    };
    if reader.students.is_empty() && reader.others.refused.is_empty() {
        return Mistake::refuse(
            root,
            "is not a course: no student's folder is in it",
            "a course is `<student>/<any name>.<ext>`",
        );
    }
    Ok(reader.finish())
}

impl CourseReader<'_> {
    /// Adds what is in the course, or in the folder of a problem: each folder is a
    /// student, except those that hold the homework for a problem, whose folders are
    /// students. A file is of the student after whom it is named. What must not be read
    /// is somebody's as well.
    fn add_all(&mut self, parent: &Path, bounds: &Path, problem: Option<&str>) {
        let before = self.others.refused.len();
        let entries = self.others.entries(parent, bounds, true, OUT_OF_COURSE);
        for refusal in self.others.refused.split_off(before) {
            let path = refusal.path.clone();
            if path == parent {
                self.others.refused.push(refusal);
                continue;
            }
            let found = FoundEntry {
                name: file_name(&path).into_owned(),
                kind: if path.is_dir() {
                    EntryKind::Folder
                } else {
                    EntryKind::File
                },
                real: path.clone(),
                path,
            };
            self.add(found, problem, Some(refusal));
        }
        let folder = self.folder;
        for found in entries {
            let is_top = problem.is_none();
            if is_top && found.name == SETTINGS {
                continue;
            }
            match problem_of_folder(folder, &found.path) {
                Some(inner) if is_top && found.kind == EntryKind::Folder => {
                    self.add_all(&found.path, &found.real, Some(inner));
                }
                _ => {
                    let others = self.places.iter().map(|place| &*place.found.path);
                    let refusal = refusal_of(&found.path, &found.name, others);
                    self.add(found, problem, refusal);
                }
            }
        }
    }

    /// Adds what a name right in the course, or in the folder of a problem, stands for,
    /// or why it is not read.
    fn add(
        &mut self,
        found: FoundEntry,
        problem: Option<&str>,
        refusal: Option<Mistake>,
    ) {
        let name = found.name.as_str();
        let exported = match found.kind {
            EntryKind::Folder => ExportedName::of_folder(name),
            EntryKind::File => ExportedName::of_file(name),
        };
        let (student, file) = match (&exported, found.kind) {
            (Some(parts), _) => (parts.student, parts.file),
            (None, EntryKind::Folder) => (name, ""),
            (None, EntryKind::File) => {
                let stem = Path::new(name).file_stem();
                (stem.and_then(OsStr::to_str).unwrap_or(name), name)
            }
        };
        if let Some(parts) = &exported {
            self.undone.add(parts, &found.path, name);
        }
        let is_stray = exported.is_none()
            && found.kind == EntryKind::File
            && !is_work(self.folder, &found.path);
        let places = if is_stray {
            &mut self.strays
        } else {
            &mut self.places
        };
        places.push(HandedIn {
            student: composed(student).into(),
            id: exported.as_ref().map(|parts| parts.id.to_owned()),
            problem: problem.map(str::to_owned),
            refusal,
            found: FoundEntry {
                name: file.to_owned(),
                ..found
            },
        });
    }

    /// Gives each student what is theirs. Two students of one name have two numbers in
    /// the same folder; one student may have a number for each problem.
    fn tell_students_apart(&mut self) {
        let mut numbers: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        for place in &self.places {
            let same = (place.problem.clone(), place.student.clone());
            numbers.entry(same).or_default().insert(place.id.clone());
        }
        for mut place in std::mem::take(&mut self.places) {
            let same = (place.problem.clone(), place.student.clone());
            if let Some(id) = &place.id
                && numbers[&same].len() > 1
            {
                place.student = format!("{} ({id})", place.student).into();
            }
            let name = Arc::clone(&place.student);
            let student = self.students.entry(name).or_default();
            student.ids.extend(place.id.clone());
            student.places.push(place);
        }
    }

    fn finish(mut self) -> ContestEntries {
        for place in std::mem::take(&mut self.strays) {
            let name = Arc::clone(&place.student);
            if self.students.contains_key(&name)
                || self.settings.rules.student.contains_key(&name)
            {
                self.students.entry(name).or_default().places.push(place);
            } else {
                self.others.left_out.push(place.found.path);
            }
        }
        let mut attempts = vec![];
        for (name, student) in std::mem::take(&mut self.students) {
            attempts.extend(self.attempts_of(&name, student));
        }
        let students = self.settings.rules.student.values();
        let unjudged = students.flat_map(|student| student.unjudged_for.keys());
        let used: BTreeSet<_> = attempts
            .iter()
            .map(|attempt| &*attempt.problem)
            .chain(unjudged.map(|problem| &**problem))
            .filter(|_| self.chosen().is_empty())
            .collect();
        let problems = { self.chosen().iter().map(String::as_str).chain(used) }
            .map(Arc::from)
            .collect();
        let notes = self.notes(&attempts);
        let mut rules = self.settings.rules;
        let teams = rules.student.keys().map(Arc::clone).collect();
        rules
            .student
            .retain(|_, details| *details != Default::default());
        let contest = Contest {
            name: self.settings.name.unwrap_or_else(|| name_of(self.root)),
            teams,
            problems,
            rules: Box::new(ContestRules {
                course: Some(rules),
                ..ContestRules::default()
            }),
            page: None,
        };
        self.others.into_entries(contest, attempts, notes)
    }

    /// The submissions of a student. What is not judged is noted among what is known of
    /// the student.
    fn attempts_of(
        &mut self,
        name: &Arc<str>,
        mut student: Student,
    ) -> Vec<ContestAttempt> {
        let mut attempts = vec![];
        let mut unjudged = UnjudgedWork::default();
        for place in &student.places {
            let others = std::mem::take(&mut self.others);
            self.attempts(place, &mut attempts);
            let others = std::mem::replace(&mut self.others, others);
            unjudged.add(&others, |path| self.problem_at(place, path));
            self.others.append(others);
        }
        if attempts.len() > MOST_ATTEMPTS {
            attempts.clear();
            let mut others = OtherEntries::default();
            others.refuse(
                &student.places[0].found.path,
                format!("has more than {MOST_ATTEMPTS} programs"),
                "keep only what is to be judged",
            );
            unjudged.add(&others, |_| None);
            self.others.append(others);
        }
        let students = &mut self.settings.rules.student;
        let details = students.entry(Arc::clone(name)).or_default();
        unjudged.record_in(details, &attempts);
        if student.ids.len() == 1 && details.id.is_none() {
            details.id = student.ids.pop_first();
        }
        attempts
    }

    /// The problem that what lies in a student's folder is for, if that is known.
    fn problem_at(&self, at: &HandedIn, path: &Path) -> Option<String> {
        let inner = match at.found.kind {
            EntryKind::File => Path::new(&at.found.name),
            EntryKind::Folder => path.strip_prefix(&at.found.path).unwrap_or(path),
        };
        self.problem_of(inner, at)
    }

    /// Adds the submissions of a student at a place.
    fn attempts(&mut self, at: &HandedIn, found: &mut Vec<ContestAttempt>) {
        if let Some(refusal) = &at.refusal {
            self.others.refused.push(refusal.clone());
            return;
        }
        if at.found.kind == EntryKind::File {
            found.extend(self.attempt(at.found.clone(), at));
            return;
        }
        let FoundEntry { path, real, .. } = &at.found;
        let mut folders = vec![PathBuf::new()];
        let mut visited = 0;
        let before = found.len();
        while let Some(inner) = folders.pop() {
            let entries =
                self.others
                    .entries(&path.join(&inner), real, false, OUT_OF_STUDENT);
            visited += entries.len();
            if visited > MOST_FILES || inner.iter().count() > DEEPEST {
                found.truncate(before);
                let message = format!(
                    "has more than {MOST_FILES} files, or folders in each other more \
                     than {DEEPEST} deep"
                );
                self.others
                    .refuse(path, message, "keep only what is to be judged");
                return;
            }
            if let Some(answers) = self.answers(&inner, &entries, at) {
                found.push(answers);
                continue;
            }
            for entry in entries {
                let inner = inner.join(&entry.name);
                match entry.kind {
                    // It is in here, too.
                    EntryKind::Folder if entry.path.is_symlink() => {}
                    EntryKind::Folder => folders.push(inner),
                    EntryKind::File => {
                        let name = path_text(inner);
                        let file = FoundEntry { name, ..entry };
                        found.extend(self.attempt(file, at));
                    }
                }
            }
        }
    }

    /// The submission of a student that is a folder with answers to several cases.
    fn answers(
        &mut self,
        inner: &Path,
        entries: &[FoundEntry],
        at: &HandedIn,
    ) -> Option<ContestAttempt> {
        let name = if inner.as_os_str().is_empty() {
            Path::new("answers")
        } else {
            inner
        };
        let problem = self.problem_of(name, at)?;
        let files = entries.iter().filter(|entry| entry.kind == EntryKind::File);
        let mut files = files.map(|file| Path::new(&file.name)).peekable();
        if entries.len() < 2
            || files.peek().is_none()
            || !self.folder.takes_answers(&problem)
            || files.any(|name| {
                is_archive_name(name)
                    || self.folder.config.language_of(name).is_some()
            })
        {
            return None;
        }
        let answers = FoundEntry {
            name: path_text(name),
            path: at.found.path.join(inner),
            kind: EntryKind::Folder,
            real: at.found.real.join(inner),
        };
        let mut answers = self.attempt(answers, at)?;
        let written = entries
            .iter()
            .filter_map(|entry| entry.real.metadata().ok());
        let last = written.map(|file| file.mtime()).max();
        let submitted = &mut answers.entrant.submitted;
        *submitted = submitted.and(last).and_then(Moment::of_seconds);
        Some(answers)
    }

    /// The submission of a student in a file, if it is one and for a chosen problem. Its
    /// name is its path in what the student has handed in.
    fn attempt(
        &mut self,
        found: FoundEntry,
        at: &HandedIn,
    ) -> Option<ContestAttempt> {
        let FoundEntry { path, real, .. } = found;
        let name = Path::new(&found.name);
        let file = name.file_name()?.to_str()?;
        let is_program = self.folder.config.language_of(name).is_some();
        let problem = self.problem_of(name, at);
        let chosen = self.chosen();
        if !chosen.is_empty()
            && problem.as_ref().is_some_and(|id| !chosen.contains(id))
        {
            return None;
        }
        let takes_answers = problem
            .as_ref()
            .is_some_and(|id| self.folder.takes_answers(id));
        if !is_program && !takes_answers {
            if is_archive_name(&path) {
                let remedy = format!("unpack it into a folder of `{}`", at.student);
                self.others.refuse(path, "is an archive", remedy);
            } else {
                self.others.left_out.push(path);
            }
            return None;
        }
        let Some(problem) = problem else {
            let refused = self.unclear_problem(file, path);
            self.others.refused.push(refused);
            return None;
        };
        // When it was last written, which is when it was handed in as far as is known.
        let written = path.metadata().ok().filter(|_| self.settings.needs_times());
        let submitted =
            written.and_then(|written| Moment::of_seconds(written.mtime()));
        Some(ContestAttempt {
            problem,
            entrant: Entrant {
                team: Arc::clone(&at.student),
                minute: None,
                submitted,
            },
            name: format!("{}/{}", at.student, found.name),
            number: attempt_number(name),
            path,
            real,
        })
    }

    /// The mistake if a program is for no known problem, or for several.
    fn unclear_problem(&self, file: &str, path: PathBuf) -> Mistake {
        if let [one, other, ..] = self.settings.problems_of_file(file)[..] {
            return Mistake::new(
                path,
                format!("matches the `files` of `{one}` and of `{other}`"),
                "let the `files` of only one problem in `course.toml` match it",
            );
        }
        let remedy = suggestion(
            file,
            self.known_problems(),
            "name it after its problem, or say `files` of a problem in `course.toml`; \
             known: ",
        );
        Mistake::new(path, "does not tell which problem it is for", remedy)
    }

    /// The problems that are judged; empty if all are.
    fn chosen(&self) -> &[String] {
        if self.only.is_empty() {
            &self.problems
        } else {
            self.only
        }
    }

    fn known_problems(&self) -> impl Iterator<Item = &str> {
        let of_course = self.problems.iter().map(String::as_str);
        let any = self.folder.ids().filter(|_| self.problems.is_empty());
        of_course.chain(any)
    }

    /// The problem that a file is for: the one whose homework is in its folder; the one
    /// whose `files` it matches; the only one; or the one that the file or a folder
    /// around it is named after, with the longest name.
    fn problem_of(&self, name: &Path, at: &HandedIn) -> Option<String> {
        if at.problem.is_some() {
            return at.problem.clone();
        }
        let file = name.file_name()?.to_str()?;
        let id = match (
            &self.settings.problems_of_file(file)[..],
            &self.problems[..],
        ) {
            ([id], _) => Some(*id),
            ([_, ..], _) => None,
            ([], [only]) => Some(only.as_str()),
            ([], _) => name.ancestors().find_map(|inner| {
                let stem = inner.file_stem()?.to_string_lossy();
                problem_named(&stem, self.known_problems())
            }),
        };
        id.map(str::to_owned)
    }

    /// What is said about how names and times were understood.
    fn notes(&self, attempts: &[ContestAttempt]) -> Vec<String> {
        let mut notes = self.undone.notes();
        let times: Vec<_> = attempts
            .iter()
            .filter_map(|attempt| attempt.entrant.submitted)
            .collect();
        if times.len() >= MANY_FILES
            && let (Some(first), Some(last)) =
                (times.iter().min(), times.iter().max())
            && last.seconds_since(*first) <= UNPACKED_WITHIN
        {
            notes.push(format!(
                "all files are from {first}, within a minute: if they were unpacked \
                 then, unpack them with their own times, or delete `due` from \
                 `{SETTINGS}`"
            ));
        }
        notes
    }
}
