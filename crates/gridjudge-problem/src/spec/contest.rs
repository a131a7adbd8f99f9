//! Reads a contest's folder: `<team>/<problem>@<minute>.<ext>`, and perhaps a
//! `contest.toml`. Looks at the names and kinds of files only. The teams chose the
//! names, so none is trusted, and no link out of the folder is followed.

pub(super) mod settings;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files;
use crate::mistake::{Mistake, Mistakes, misspelt, suggestion};
use crate::model::{Contest, Entrant};
use crate::spec::handed_in::{
    has_minute, is_left_out, misnamed_settings, names_in, of_the_judge,
};
use crate::spec::{
    ContestAttempt, ContestEntries, EntryKind, FoundEntry, JudgeFolder, OtherEntries,
    course, is_archive_name, is_clutter, name_of, real_kind, refuse_foreign,
};

pub use settings::contest_minute;
use settings::{ContestSettings, digits};

/// The optional file with the settings of a contest.
const SETTINGS: &str = "contest.toml";

const OUT_OF_CONTEST: &str = "is a link that leads out of the contest";
const OUT_OF_TEAM: &str = "is a link that leads out of the team's folder";

impl ContestEntries {
    /// Reads a contest's folder, or the submissions to the problems `only`, if any are
    /// given. If it is one, a file that is named after no problem is for that one.
    ///
    /// # Errors
    /// Reports a folder that is not a contest, and every mistake in its settings.
    pub fn read(
        folder: &JudgeFolder,
        root: &Path,
        only: &[String],
    ) -> Result<Self, Mistakes> {
        for id in only {
            folder.find(id)?;
        }
        let mistake = of_the_judge(folder, root)
            .or_else(|| misnamed_settings(root, SETTINGS))
            .or_else(|| misnamed_settings(root, course::SETTINGS));
        if let Some(mistake) = mistake {
            return Err(mistake.into());
        }
        let is_contest = root.join(SETTINGS).is_file();
        let of_course = root.join(course::SETTINGS);
        if !is_contest
            && !of_course.is_file()
            && let Some(mistake) = course::of_student(root)
        {
            return Err(mistake.into());
        }
        if is_contest && of_course.is_file() {
            let message =
                format!("is beside a `{SETTINGS}`: is it a course, or a contest?");
            return Mistake::refuse(of_course, message, "delete one of the two");
        }
        if !is_contest
            && (of_course.symlink_metadata().is_ok()
                || course::has_names_of_course(folder, root, only))
        {
            return course::read_course(folder, root, only);
        }
        let settings = settings(folder, root)?;
        let mut reader = ContestReader {
            folder,
            root,
            only,
            settings,
            others: OtherEntries::default(),
        };

        let teams = reader.teams()?;
        let attempts = teams
            .iter()
            .flat_map(|team| reader.attempts(team))
            .collect();
        let mut entries = reader.finish(name_of(root), teams, attempts);
        let mut minutes = entries.attempts.iter().map(|found| found.entrant.minute);
        if only.len() > 1 && !is_contest && minutes.all(|minute| minute.is_none()) {
            entries.notes.push(
                "this is judged as a contest; a course of several problems needs a \
                 `course.toml`, which may be empty"
                    .to_owned(),
            );
        }
        Ok(entries)
    }

    /// Reads files that are named as those of a contest, `team/problem@minute.ext` at
    /// any depth: the folder of a file is its team. The settings are those of the
    /// folder that holds the teams, if all are in one. `None` if no file has a minute
    /// in its name, or one of those has no folder.
    ///
    /// # Errors
    /// Every mistake in the settings.
    pub fn of_files(
        folder: &JudgeFolder,
        paths: &[PathBuf],
        only: &[String],
    ) -> Result<Option<Self>, Mistakes> {
        let mut names = paths.iter().filter_map(|path| path.file_name()?.to_str());
        if !names.any(has_minute) {
            return Ok(None);
        }
        let teams = paths.iter().filter_map(|path| path.parent());
        let roots: BTreeSet<_> = teams
            .filter(|team| team.file_name().is_some())
            .map(files::folder_of)
            .collect();
        let mut with_settings =
            roots.iter().filter(|root| root.join(SETTINGS).is_file());
        let first = with_settings.next();
        let settings = match first {
            Some(root) if roots.len() == 1 => settings(folder, root)?,
            _ => ContestSettings::default(),
        };
        let mut reader = ContestReader {
            folder,
            root: Path::new(""),
            only,
            settings: ContestSettings {
                // It is of the whole contest.
                page: None,
                ..settings
            },
            others: OtherEntries::default(),
        };

        let Some(attempts) = reader.attempts_in(paths) else {
            return Ok(None);
        };
        let teams: BTreeSet<_> = attempts
            .iter()
            .map(|attempt| Arc::clone(&attempt.entrant.team))
            .collect();
        let mut entries =
            reader.finish(String::new(), teams.into_iter().collect(), attempts);
        if let Some(root) = first.filter(|_| roots.len() > 1) {
            let settings = root.join(SETTINGS);
            entries.notes.push(format!(
                "{} is not read, since the teams are not all in its folder",
                settings.display()
            ));
        }
        Ok(Some(entries))
    }
}

impl ContestReader<'_> {
    /// The submissions in files that are named one by one; `None` if one of them is in
    /// no folder of a team, or none has a minute.
    fn attempts_in(&mut self, paths: &[PathBuf]) -> Option<Vec<ContestAttempt>> {
        let mut attempts = vec![];
        for path in paths {
            let name = path.file_name()?.to_str()?;
            let team = path.parent()?.file_name()?.to_str()?;
            if is_clutter(name) || is_left_out(name) || name == SETTINGS {
                self.others.left_out.push(path.clone());
            } else if path.is_file() && self.folder.problem_around(path).is_none() {
                let found = FoundEntry {
                    name: name.to_owned(),
                    path: path.clone(),
                    kind: EntryKind::File,
                    real: path.canonicalize().ok()?,
                };
                attempts.extend(self.attempt(&team.into(), found));
            } else {
                return None;
            }
        }
        let mut minutes = attempts.iter().map(|attempt| attempt.entrant.minute);
        minutes.any(|minute| minute.is_some()).then_some(attempts)
    }
}

/// The state of reading a contest.
struct ContestReader<'a> {
    folder: &'a JudgeFolder,
    root: &'a Path,
    only: &'a [String],
    settings: ContestSettings,
    others: OtherEntries,
}

impl ContestReader<'_> {
    /// The contest with these teams and attempts, which are all.
    fn finish(
        mut self,
        default_name: String,
        teams: Vec<Arc<str>>,
        mut attempts: Vec<ContestAttempt>,
    ) -> ContestEntries {
        self.refuse_missing_minutes(&mut attempts);
        attempts.sort_by(|one, other| one.place().cmp(&other.place()));
        self.refuse_ties(&mut attempts);
        let used: BTreeSet<_> =
            attempts.iter().map(|attempt| &attempt.problem).collect();
        let ids: Vec<_> = match (self.only, &self.settings.problems) {
            ([], None) => used.into_iter().collect(),
            ([], Some(listed)) => listed.iter().collect(),
            (only, _) => only.iter().collect(),
        };
        let problems = ids.into_iter().map(|id| id.as_str().into()).collect();
        let contest = Contest {
            name: self.settings.name.unwrap_or(default_name),
            teams,
            problems,
            rules: Box::new(self.settings.rules),
            page: self.settings.page.map(|name| self.root.join(name)),
        };
        self.others.into_entries(contest, attempts, vec![])
    }

    /// The names of the teams, sorted. Files beside their folders are left out.
    fn teams(&mut self) -> Result<Vec<Arc<str>>, Mistakes> {
        let mut teams = vec![];
        let mut strays = vec![];
        let real = files::without_links(self.root);
        for found in self.others.entries(self.root, &real, true, OUT_OF_CONTEST) {
            let FoundEntry { name, path, .. } = found;
            match found.kind {
                EntryKind::Folder => teams.push(name.into()),
                EntryKind::File if name == SETTINGS => {}
                EntryKind::File if self.settings.page.as_ref() == Some(&name) => {}
                EntryKind::File => strays.push(path),
            }
        }
        if teams.is_empty() && self.others.refused.is_empty() {
            let what = if strays.is_empty() {
                "it is empty"
            } else {
                "there are only files in it"
            };
            let message =
                format!("is not a contest: {what}, and no folder of a team");
            let remedy = "a contest is `<team>/<problem>.<ext>`; to grade programs \
                          that belong to no team, name their files";
            return Mistake::refuse(self.root, message, remedy);
        }
        let remedy =
            "put it into the folder of the team that handed it in, or delete it";
        for path in strays {
            self.others.refuse(path, "is in no team's folder", remedy);
        }
        Ok(teams)
    }

    /// The submissions of a team.
    fn attempts(&mut self, team: &Arc<str>) -> Vec<ContestAttempt> {
        let folder = self.root.join(&**team);
        let mut attempts = vec![];
        // A team may link only to its own files; otherwise it could submit another
        // team's program.
        let real = files::without_links(&folder);
        for found in self.others.entries(&folder, &real, false, OUT_OF_TEAM) {
            if found.kind == EntryKind::Folder {
                let remedy = "put each submission, as one file, right into the team's folder; \
                              with a `course.toml`, which may be empty, folders are read as well";
                let message = "is a folder inside a team's folder";
                self.others.refuse(found.path, message, remedy);
                continue;
            }
            attempts.extend(self.attempt(team, found));
        }
        attempts
    }

    /// The submission of a team in a file, if it is one and for a chosen problem.
    fn attempt(
        &mut self,
        team: &Arc<str>,
        found: FoundEntry,
    ) -> Option<ContestAttempt> {
        let attempt = self
            .parse_name(team, found)
            .map_err(|refusal| self.others.refused.push(refusal))
            .ok()?;

        let ContestAttempt { problem, path, .. } = &attempt;
        if is_archive_name(path) && !self.folder.takes_answers(problem) {
            let remedy =
                "unpack it, and put each source right into the team's folder";
            self.others.refuse(path, "is an archive", remedy);
            return None;
        }
        let is_chosen = self.only.is_empty() || self.only.contains(&attempt.problem);
        is_chosen.then_some(attempt)
    }

    /// Leaves out attempts without a minute if most have one, or those with a minute if
    /// most have none: no ranking would be fair to both.
    fn refuse_missing_minutes(&mut self, attempts: &mut Vec<ContestAttempt>) {
        let is_timed = |attempt: &ContestAttempt| attempt.entrant.minute.is_some();
        let timed = attempts.iter().filter(|attempt| is_timed(attempt)).count();
        let keeps_timed = 2 * timed >= attempts.len();
        let others: Vec<_> = attempts
            .extract_if(.., |attempt| is_timed(attempt) != keeps_timed)
            .collect();
        let example = attempts
            .first()
            .map(|attempt| format!("`{}`", attempt.name))
            .unwrap_or_default();
        let message = if keeps_timed {
            format!("has no minute, but {example} has one")
        } else {
            format!("has a minute, but most have none, such as {example}")
        };
        let remedy = "write `@MINUTE` after the problem, as in `sudoku@95.c`, for all \
                      submissions or for none";
        for attempt in others {
            self.others.refuse(attempt.path, &message, remedy);
        }
    }

    /// Leaves out sorted attempts whose order is unknown. A rejection before an
    /// acceptance costs the team penalty minutes, so the order is not guessed.
    fn refuse_ties(&mut self, attempts: &mut Vec<ContestAttempt>) {
        // A `report.pdf` beside a program is no attempt. It is refused where languages
        // are found.
        let programs: Vec<_> = attempts
            .iter()
            .filter(|attempt| self.is_program(attempt))
            .collect();
        let mut tied = BTreeSet::new();
        for same in programs.chunk_by(|one, other| one.turn() == other.turn()) {
            for (place, attempt) in same.iter().enumerate() {
                // The one before it; for the first, the one after it.
                let Some(other) = same.get(place.checked_sub(1).unwrap_or(1)) else {
                    continue;
                };
                let message = format!("may be before or after `{}`", other.name);
                let remedy = "number the attempts of a minute in their order, as in \
                              `sudoku@95#1.c` and `sudoku@95#2.c`";
                self.others.refuse(&attempt.path, message, remedy);
                tied.insert(attempt.path.clone());
            }
        }
        attempts.retain(|attempt| !tied.contains(&attempt.path));
    }

    /// Whether a file can be judged, going by its kind: a source, an executable, or
    /// answers.
    fn is_program(&self, attempt: &ContestAttempt) -> bool {
        let ContestAttempt { problem, path, .. } = attempt;
        files::is_executable(path)
            || self.folder.config.language_of(path).is_some()
            || self.folder.takes_answers(problem)
    }
}

// Parses the file name of a submission: the problem, the minute and the attempt, as
// `sudoku@95#2.cpp`.

impl ContestReader<'_> {
    /// The submission of a team in a file, by its name. If the contest lists its
    /// problems, only those are accepted. A name of no problem stands for the only one
    /// that is asked for, if it is one.
    ///
    /// # Errors
    /// A mistake at the path of the file.
    fn parse_name(
        &self,
        team: &Arc<str>,
        FoundEntry {
            name, path, real, ..
        }: FoundEntry,
    ) -> Result<ContestAttempt, Mistake> {
        let stem = Path::new(&name)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let language_of =
            |name: &str| self.folder.config.language_of(Path::new(name));
        if language_of(&name).is_none() && language_of(&stem).is_some() {
            return Mistake::refuse(
                path,
                "is of no known language",
                format!("rename it to `{stem}`"),
            );
        }
        // The id of a problem may contain `@` or `#`.
        let is_id = self.folder.ids().any(|id| id == stem);
        let (rest, number) = match stem.rsplit_once('#').filter(|_| !is_id) {
            Some((rest, number)) => (rest, attempt_number(number, &path)?),
            None => (&*stem, 0),
        };
        let (rest, minute) = match rest.rsplit_once('@').filter(|_| !is_id) {
            Some((rest, minute)) => (rest, Some(minute_of(minute, &path)?)),
            None => (rest, None),
        };
        Ok(ContestAttempt {
            problem: self.problem(rest, &path)?,
            entrant: Entrant {
                team: Arc::clone(team),
                minute,
                submitted: None,
            },
            name: format!("{team}/{name}"),
            path,
            real,
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

/// Parses the time after the `@` in the name of a file.
fn minute_of(text: &str, path: &Path) -> Result<u64, Mistake> {
    contest_minute(text).ok_or_else(|| {
        let remedy =
            "write the minutes since the start, for example `@95`, or hours and \
             minutes, for example `@1:35`";
        Mistake::new(
            path,
            format!("`@{text}` is not a valid contest time"),
            remedy,
        )
    })
}

/// Parses the number after the `#` in the name of a file.
fn attempt_number(text: &str, path: &Path) -> Result<u64, Mistake> {
    digits(text).filter(|number| *number > 0).ok_or_else(|| {
        Mistake::new(
            path,
            format!("`#{text}` is not a valid attempt number"),
            "number the attempts at a problem as `#1`, `#2`",
        )
    })
}

/// The settings of a contest, if its folder has any.
fn settings(folder: &JudgeFolder, root: &Path) -> Result<ContestSettings, Mistakes> {
    let real_root = root
        .canonicalize()
        .map_err(|error| Mistake::unreadable(root, error))?;
    let path = root.join(SETTINGS);
    match real_kind(&path, &real_root, OUT_OF_CONTEST) {
        Ok((_, EntryKind::File)) => {
            refuse_foreign(&path)?;
            let mut teams = names_in(root);
            teams.retain(|name| root.join(name).is_dir());
            ContestSettings::load(&path, folder, &teams)
        }
        Err(mistake) if path.symlink_metadata().is_ok() => Err(mistake.into()),
        // A folder of that name is a team.
        Ok((_, EntryKind::Folder)) | Err(_) => Ok(ContestSettings::default()),
    }
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
