//! What people have handed in: the folders and files of a contest or a course, before
//! anybody knows whose they are. The people chose the names, so none is trusted, and no
//! link out of a folder is followed.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use crate::files;
use crate::mistake::Mistake;
use crate::model::{Contest, Entrant, file_name};
use crate::spec::config::user_config::foreign_owner;
use crate::spec::{JudgeFolder, is_clutter};
use crate::text::path_text;

/// The endings of archives, which must be unpacked.
const ARCHIVES: [&str; 7] = ["zip", "tar", "gz", "tgz", "7z", "rar", "xz"];

/// Hidden folders that version control, editors and systems create.
const TOOL_FOLDERS: [&str; 10] = [
    ".git",
    ".hg",
    ".idea",
    ".jj",
    ".svn",
    ".vs",
    ".vscode",
    ".fseventsd",
    ".spotlight-v100",
    ".trashes",
];

/// A name with its accents in one code, as Linux and Windows write them; macOS takes
/// them apart.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Whether the name of a file has a minute, as those in a contest.
pub(super) fn has_minute(name: &str) -> bool {
    let mut parts = name.split('@').skip(1);
    parts.any(|part| part.starts_with(|letter: char| letter.is_ascii_digit()))
}

/// The names in a folder; none if it cannot be read, which is reported elsewhere.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// The number that a learning system puts behind the name of a file that is handed in
/// again, as `evens-2.py`; 0 if there is none.
pub(super) fn attempt_number(name: &Path) -> u64 {
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    let number = stem.rsplit_once('-').map(|(_, number)| number.parse());
    number.and_then(Result::ok).unwrap_or_default()
}

/// A name as people vary it: in lower case, with `-` for what separates words.
pub(super) fn plain(name: &str) -> String {
    name.to_lowercase().replace(['_', ' ', '.'], "-")
}

/// All submissions of a contest or a course.
#[derive(Debug)]
pub struct ContestEntries {
    /// The contest.
    pub contest: Contest,
    /// The submissions, sorted by team, problem and time.
    pub attempts: Vec<ContestAttempt>,
    /// Sentences about how names were understood.
    pub notes: Vec<String>,
    /// The entries that nobody handed in: hidden files, notes, and what systems and
    /// editors leave.
    pub left_out: Vec<PathBuf>,
    /// The entries that cannot be judged, and why: files for no known problem or
    /// without a valid time, in no team's folder, or outside the contest; and attempts
    /// whose order is unknown.
    pub refused: Vec<Mistake>,
}

/// One submitted file.
#[derive(Debug)]
pub struct ContestAttempt {
    /// The id of its problem.
    pub problem: String,
    /// The team that submitted it, and when.
    pub entrant: Entrant,
    /// Its name in reports, as `alpha/sudoku@95.cpp`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The file by a path without links, by which alone it is read: whoever handed it
    /// in may still be able to replace it.
    pub real: PathBuf,
    /// Its number among the team's attempts in that minute; 0 if its name has none.
    pub(super) number: u64,
}

impl ContestAttempt {
    /// The sort key among all attempts.
    pub(super) fn place(&self) -> impl Ord {
        (self.turn(), &self.name)
    }

    /// The team, problem and time of the attempt. Two attempts with equal keys have no
    /// known order.
    pub(super) fn turn(&self) -> impl Ord {
        (
            &self.entrant.team,
            &self.problem,
            self.entrant.minute,
            self.entrant.submitted,
            self.number,
        )
    }
}

/// The kind of an entry of a folder, after links are followed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum EntryKind {
    File,
    Folder,
}

/// An entry of a folder.
#[derive(Clone)]
pub(super) struct FoundEntry {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) kind: EntryKind,
    /// Its path without links.
    pub(super) real: PathBuf,
}

/// What was found besides submissions.
#[derive(Debug, Default)]
pub(super) struct OtherEntries {
    pub(super) refused: Vec<Mistake>,
    pub(super) left_out: Vec<PathBuf>,
}

impl OtherEntries {
    /// The entries of a contest, with these beside its attempts.
    pub(super) fn into_entries(
        mut self,
        contest: Contest,
        mut attempts: Vec<ContestAttempt>,
        notes: Vec<String>,
    ) -> ContestEntries {
        attempts.sort_by(|one, other| one.place().cmp(&other.place()));
        self.refused.sort_by(|one, other| one.path.cmp(&other.path));
        ContestEntries {
            contest,
            attempts,
            notes,
            left_out: self.left_out,
            refused: self.refused,
        }
    }

    /// Adds what was found elsewhere.
    pub(super) fn append(&mut self, others: Self) {
        self.refused.extend(others.refused);
        self.left_out.extend(others.left_out);
    }

    /// Notes why something is not taken.
    pub(super) fn refuse(
        &mut self,
        path: impl Into<PathBuf>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.refused.push(Mistake::new(path, message, remedy));
    }

    /// A folder's entries, sorted, without those to leave out. No link may lead out of
    /// `bounds`. If its folders are those of people, they may have any name.
    pub(super) fn entries(
        &mut self,
        folder: &Path,
        bounds: &Path,
        are_people: bool,
        refusal: &str,
    ) -> Vec<FoundEntry> {
        let names = folder
            .read_dir()
            .and_then(|found| {
                found
                    .map(|entry| Ok(entry?.file_name()))
                    .collect::<io::Result<BTreeSet<_>>>()
            })
            .unwrap_or_else(|error| {
                self.refused.push(Mistake::unreadable(folder, error));
                BTreeSet::new()
            });
        let mut entries = vec![];
        for name in names {
            let path = folder.join(&name);
            let found = match name.to_str() {
                Some(name)
                    if is_clutter(name)
                        || is_left_out(name)
                            && !(are_people && is_of_people(&path, name)) =>
                {
                    self.left_out.push(path);
                    continue;
                }
                Some(_) => real_kind(&path, bounds, refusal),
                None => Mistake::refuse(
                    &path,
                    "has a name that is not UTF-8",
                    "rename it",
                ),
            };
            match found {
                Ok((real, kind)) => entries.push(FoundEntry {
                    name: path_text(name),
                    path,
                    kind,
                    real,
                }),
                Err(mistake) => self.refused.push(mistake),
            }
        }
        entries
    }
}

/// Whether a path can be the folder of a team or a student: all can, except those of
/// version control.
fn is_of_people(path: &Path, name: &str) -> bool {
    path.is_dir()
        && !TOOL_FOLDERS
            .iter()
            .any(|tool| name.eq_ignore_ascii_case(tool))
}

/// Refuses settings that somebody else may have written: a team could rank itself by
/// them.
///
/// # Errors
/// A mistake that says whom the file belongs to.
pub(super) fn refuse_foreign(settings: &Path) -> Result<(), Mistake> {
    let Some(foreign) = foreign_owner(settings) else {
        return Ok(());
    };
    Mistake::refuse(
        settings,
        format!("is not used: {foreign}"),
        "delete it, or make it yours with `chown` if you trust it",
    )
}

/// A mistake if the contest's folder overlaps with a problem or with the judge's
/// problems or cases.
pub(super) fn of_the_judge(folder: &JudgeFolder, root: &Path) -> Option<Mistake> {
    if let Some(problem) = folder.problem_around(root) {
        let id = &problem.id;
        let remedy = format!(
            "`gridjudge grade -p {id}` judges its examples; others are graded by \
             their names"
        );
        return Some(Mistake::new(
            root,
            format!("belongs to problem `{id}` and is not a contest"),
            remedy,
        ));
    }
    let real = root.canonicalize().ok()?;
    let own = [
        (&folder.config.problems, "problems"),
        (&folder.config.cases, "cases"),
    ];
    let (_, what) = own.into_iter().find(|(own, _)| {
        own.canonicalize()
            .is_ok_and(|own| own.starts_with(&real) || real.starts_with(own))
    })?;
    Some(Mistake::new(
        root,
        format!("holds the judge's {what} and is not a contest"),
        "name a folder of `<team>/<problem>.<ext>`",
    ))
}

/// A mistake if the settings are there under a name by which they would not be read, as
/// editors and systems vary it.
pub(super) fn misnamed_settings(root: &Path, settings: &str) -> Option<Mistake> {
    let names = names_in(root);
    let misnamed = names.iter().find(|name| {
        let name = name.to_lowercase();
        name.strip_suffix(".txt").unwrap_or(&name) == settings
    })?;
    let message = "would be ignored by this name";
    let remedy = format!("rename it to `{settings}`");
    (!root.join(settings).exists())
        .then(|| Mistake::new(root.join(misnamed), message, remedy))
}

/// The path without links of the entry at a path, and its kind. It must be a file or a
/// folder inside `bounds`.
pub(super) fn real_kind(
    path: &Path,
    bounds: &Path,
    refusal: &str,
) -> Result<(PathBuf, EntryKind), Mistake> {
    let unreadable = |error| Mistake::unreadable(path, error);
    let real = path.canonicalize().map_err(unreadable)?;
    if !real.starts_with(bounds) || files::is_version_control(bounds, &real) {
        return Mistake::refuse(path, refusal, "put the file itself in its place");
    }
    let found = real.metadata().map_err(unreadable)?;
    if found.is_dir() {
        Ok((real, EntryKind::Folder))
    } else if found.is_file() {
        Ok((real, EntryKind::File))
    } else {
        Mistake::refuse(
            path,
            "is neither a file nor a folder",
            "delete it, or move it away",
        )
    }
}

/// Whether a name is that of a hidden file or a note.
pub(super) fn is_left_out(name: &str) -> bool {
    let upper = name.to_uppercase();
    name.starts_with('.')
        || upper == "README"
        || upper.starts_with("README.")
        || upper.ends_with(".MD")
}

/// Whether a path is named as an archive of any format.
pub(crate) fn is_archive_name(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ARCHIVES.contains(&ending.to_lowercase().as_str()))
}

/// The default name of a contest: that of its folder.
pub(super) fn name_of(root: &Path) -> String {
    file_name(&files::without_links(root)).into_owned()
}
