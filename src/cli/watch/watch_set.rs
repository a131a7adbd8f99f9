//! Finds the files on which verdicts depend and the folders to watch, and takes
//! snapshots of the files. The judge's own logs and reports are not among them,
//! wherever they are, and neither are notes. Knows nothing of how the kernel reports
//! events.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cli::{PackageChoice, is_path, planning};
use crate::files::nearest_folder;
use crate::model::HEADER_ENDINGS;
use crate::package::is_archive;
use crate::spec::{Config, FILE_NAME, JudgeFolder, SPEC};

/// What the user asked a command to judge.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchRequest {
    /// The named problems; if empty, those of the submissions, or all without
    /// submissions.
    pub(crate) problems: Vec<String>,
    /// How these problems are read.
    pub(crate) format: PackageChoice,
    /// Programs, or the folder of a contest; if empty, the examples.
    pub(crate) submissions: Vec<PathBuf>,
}

/// The files and folders on which verdicts depend.
#[derive(Default)]
pub(super) struct WatchSet {
    files: BTreeSet<PathBuf>,
    /// Folders of problems.
    problems: BTreeSet<PathBuf>,
    /// Whether the example submissions of these problems matter.
    with_examples: bool,
    cases: BTreeSet<PathBuf>,
    /// Folders of contests: every file in them may be a submission.
    contests: Vec<PathBuf>,
    /// Endings of source files and headers, as of a problem's checker.
    program_endings: BTreeSet<String>,
}

/// The file with the expected verdicts of example submissions.
const EXPECTATIONS: &str = "submissions.toml";

/// Endings of files that belong to packages of other judges: configuration, archives
/// and cases.
const PACKAGE_ENDINGS: [&str; 8] =
    ["yaml", "yml", "ini", "zip", "kpp", "in", "ans", "out"];
const POLYGON: &str = "problem.xml";

/// The ending of notes, on which no verdict depends.
const NOTE_ENDING: &str = "md";

/// The ending of folders with the files that a case of a package gives submissions.
const SUPPLY_ENDING: &str = "files";

/// Endings of case files. In Polygon's packages, inputs have no ending, and answers
/// have `a`.
const CASE_ENDINGS: [&str; 5] = ["in", "ans", "out", "a", ""];

/// The stamp of each file; `None` for one that is missing.
pub(super) type Snapshot = BTreeMap<PathBuf, Option<FileStamp>>;

/// The metadata of a file that shows when it was replaced or written to.
#[derive(PartialEq)]
pub(super) struct FileStamp {
    node: (u64, u64),
    mode: u32,
    /// Size, and time of the last write in seconds and nanoseconds; `None` for a
    /// folder, which is written to whenever an entry is added or removed.
    written: Option<(u64, i64, i64)>,
}

impl WatchSet {
    /// The files on which the verdicts depend, in a judge's folder if there is one that
    /// is to be read. If the folder has mistakes, all of its problems and cases.
    pub(super) fn for_request(root: Option<&Path>, named: &WatchRequest) -> Self {
        let config = root.map_or_else(Config::without_file, Config::load);
        let config = config
            .unwrap_or_else(|_| Config::default_in(root.unwrap_or(Path::new(""))));
        let program_endings = config
            .languages()
            .flat_map(|language| language.extensions.iter().map(String::as_str))
            .chain(HEADER_ENDINGS)
            .map(str::to_owned)
            .collect();
        let (contests, programs): (_, Vec<_>) = named
            .submissions
            .iter()
            .cloned()
            .partition(|path| path.is_dir());
        // One that is named by its path is watched whatever is wrong with it.
        let archives = named
            .problems
            .iter()
            .map(PathBuf::from)
            .filter(|path| is_archive(path));
        let mut found = folder_with(root, named)
            .and_then(|folder| places(&folder, named))
            .unwrap_or_else(|| all_places(&config));
        found.files.extend(
            archives
                .chain(programs)
                .chain([config.root.join(FILE_NAME)]),
        );
        Self {
            contests,
            with_examples: named.submissions.is_empty(),
            program_endings,
            ..found
        }
    }

    /// The folders to watch, and whether recursively. A missing folder is replaced by
    /// the nearest one above it.
    pub(super) fn folders(&self) -> BTreeMap<PathBuf, bool> {
        let mut folders = BTreeMap::new();
        // Contest folders are not watched recursively: a link in one may lead to the
        // root of the file system.
        let contests = self.contests.iter().flat_map(|contest| with_teams(contest));
        folders.extend(contests.map(|folder| (folder, false)));
        for tree in self.problems.iter().chain(&self.cases) {
            if tree.is_dir() {
                *folders.entry(tree.clone()).or_default() = true;
            } else {
                folders.entry(nearest_folder(tree).to_owned()).or_default();
            }
        }
        for file in &self.files {
            // A link can be replaced in its own folder, and its target be written to in
            // another.
            let real = file.canonicalize().ok();
            for file in [Some(file.clone()), real].into_iter().flatten() {
                folders.entry(nearest_folder(&file).to_owned()).or_default();
            }
        }
        folders
    }

    /// The current state of every file.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut snapshot: Snapshot =
            self.files.iter().cloned().map(stamped).collect();
        for problem in &self.problems {
            collect(
                problem,
                |path| {
                    let is_named =
                        |what| path.file_name().is_some_and(|name| name == what);
                    let below = path.strip_prefix(problem).unwrap_or(path);
                    let is_example = below
                        .components()
                        .any(|part| part.as_os_str() == "submissions");
                    let is_supply = below
                        .iter()
                        .any(|part| ending(Path::new(part)) == SUPPLY_ENDING);
                    let ending = ending(path);
                    is_named(SPEC)
                        || is_named(POLYGON)
                        || PACKAGE_ENDINGS.contains(&ending)
                        || is_supply
                        || !is_example && self.program_endings.contains(ending)
                        || is_example
                            && (is_named(EXPECTATIONS)
                                || self.with_examples && ending != NOTE_ENDING)
                },
                &mut snapshot,
            );
        }
        for cases in &self.cases {
            collect(
                cases,
                |path| CASE_ENDINGS.contains(&ending(path)),
                &mut snapshot,
            );
        }
        for folder in self.contests.iter().flat_map(|contest| with_teams(contest)) {
            snapshot.extend(entries(&folder).into_iter().map(stamped));
            snapshot.extend([stamped(folder)]);
        }
        snapshot
    }
}

/// The judge's folder with the packages that were named by their paths; `None` if it
/// has mistakes.
fn folder_with(root: Option<&Path>, named: &WatchRequest) -> Option<JudgeFolder> {
    let (paths, ids): (Vec<_>, Vec<_>) =
        named.problems.iter().partition(|name| is_path(name));
    let mut folder = match root {
        Some(root) if paths.is_empty() => JudgeFolder::open(root),
        Some(root) => JudgeFolder::open_or_empty(root),
        None => JudgeFolder::without_config(),
    }
    .ok()?;
    let wanted = named.format.wanted();
    paths
        .into_iter()
        .try_for_each(|path| folder.add_package(path, &wanted))
        .ok()?;
    ids.into_iter()
        .try_for_each(|id| folder.read_as(id, &wanted))
        .ok()?;
    Some(folder)
}

/// The folders of the named problems and of their cases, or their archives; `None` if a
/// problem cannot be found.
fn places(folder: &JudgeFolder, named: &WatchRequest) -> Option<WatchSet> {
    let mut ids = named.problems.clone();
    if ids.is_empty() {
        ids = named
            .submissions
            .iter()
            .map(|path| planning::problem_of(folder, path, None).ok())
            .collect::<Option<_>>()?;
    }
    if ids.is_empty() {
        // With all problems, one that is added later counts, too.
        return Some(all_places(&folder.config));
    }
    let mut found = WatchSet::default();
    for id in &ids {
        let problem = folder.find(id).ok()?;
        if let Some(archive) = problem.archive() {
            found.files.insert(archive.to_owned());
            continue;
        }
        found.problems.insert(problem.folder().to_owned());
        found.cases.insert(problem.case_folder());
    }
    Some(found)
}

fn all_places(config: &Config) -> WatchSet {
    let elsewhere = config.case_folders.keys().map(|id| config.case_folder(id));
    WatchSet {
        problems: [config.problems.clone()].into(),
        cases: elsewhere.chain([config.cases.clone()]).collect(),
        ..WatchSet::default()
    }
}

/// The ending of a file name; empty if it has none.
fn ending(path: &Path) -> &str {
    path.extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
}

/// A contest's folder and those of its teams that are really inside it, not links
/// elsewhere. If there is no contest folder, the nearest one above.
fn with_teams(contest: &Path) -> Vec<PathBuf> {
    let Ok(real) = contest.canonicalize() else {
        return vec![nearest_folder(contest).to_owned()];
    };
    entries(contest)
        .into_iter()
        .filter(|path| {
            path.is_dir()
                && path
                    .canonicalize()
                    .is_ok_and(|path| path.starts_with(&real))
        })
        .chain([contest.to_owned()])
        .collect()
}

/// The entries of a folder, except hidden ones.
fn entries(folder: &Path) -> Vec<PathBuf> {
    folder
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            !path
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        })
        .collect()
}

/// Adds the files below a folder that matter, and all folders, since new folders must
/// be watched, too.
fn collect(tree: &Path, matters: impl Fn(&Path) -> bool, snapshot: &mut Snapshot) {
    let of_interest = WalkDir::new(tree)
        .follow_links(true)
        .into_iter()
        .filter_entry(|entry| {
            !(entry.depth() > 0 && entry.file_name().as_encoded_bytes()[0] == b'.')
        })
        .flatten()
        .filter(|entry| entry.file_type().is_dir() || matters(entry.path()));
    snapshot.extend(of_interest.map(|entry| stamped(entry.into_path())));
}

/// A file with its stamp.
fn stamped(path: PathBuf) -> (PathBuf, Option<FileStamp>) {
    let stamp = path.metadata().ok().map(|found| {
        let written = (found.len(), found.mtime(), found.mtime_nsec());
        FileStamp {
            node: (found.dev(), found.ino()),
            mode: found.mode(),
            written: (!found.is_dir()).then_some(written),
        }
    });
    (path, stamp)
}

/// The files in which two snapshots differ.
pub(super) fn changed<'p>(
    before: &'p Snapshot,
    after: &'p Snapshot,
) -> Vec<&'p Path> {
    let new = after.keys().filter(|path| !before.contains_key(*path));
    let mut paths: Vec<_> = before
        .keys()
        .chain(new)
        .filter(|path| before.get(*path) != after.get(*path))
        .map(PathBuf::as_path)
        .collect();
    // Those that are still there come first.
    paths.sort_by_key(|path| {
        !before.contains_key(*path) || !after.contains_key(*path)
    });
    paths
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A judge's folder with a problem, a case and a submission of each kind.
    fn judge() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("judge.toml", ""),
            ("mine.c", ""),
            ("problems/p/problem.toml", "name = \"p\"\n"),
            ("problems/p/submissions/accepted/a.c", ""),
            ("problems/q/problem.toml", ""),
            ("cases/p/sample/1.in", ""),
            ("cases/p/sample/1.ans", ""),
            ("finals/team/p.c", ""),
            ("problems/packed.kpp", ""),
        ] {
            put(folder.path(), name, text);
        }
        folder
    }

    fn put(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Whether the snapshot changes when `act` is run.
    fn detects(named: &WatchRequest, act: impl FnOnce(&Path)) -> bool {
        let folder = judge();
        let submissions = named
            .submissions
            .iter()
            .map(|path| folder.path().join(path))
            .collect();
        let watch_set = WatchSet::for_request(
            Some(folder.path()),
            &WatchRequest {
                submissions,
                ..named.clone()
            },
        );
        let before = watch_set.snapshot();
        assert_eq!(changed(&before, &watch_set.snapshot()), Vec::<&Path>::new());
        act(folder.path());
        let after = watch_set.snapshot();
        let is_seen = before != after;
        assert_eq!(!changed(&before, &after).is_empty(), is_seen);
        is_seen
    }

    #[test]
    fn only_changes_of_files_that_judging_depends_on_are_detected() {
        let mine = WatchRequest {
            problems: vec!["p".to_owned()],
            submissions: vec!["mine.c".into()],
            ..WatchRequest::default()
        };
        let contest = WatchRequest {
            submissions: vec!["finals".into()],
            ..WatchRequest::default()
        };
        let packed = WatchRequest {
            problems: vec!["packed".to_owned()],
            submissions: vec!["mine.c".into()],
            ..WatchRequest::default()
        };
        let all = WatchRequest::default();
        for (named, name, seen) in [
            (&mine, "mine.c", true),
            (&mine, "judge.toml", true),
            (&mine, "problems/p/problem.toml", true),
            (&mine, "cases/p/sample/1.ans", true),
            (&mine, "cases/p/secret/2.in", true),
            (&mine, "problems/p/submissions/accepted/a.c", false),
            (&mine, "problems/p/check.cpp", true),
            (&mine, "problems/p/testlib.h", true),
            (&mine, "problems/p/problem.xml", true),
            (&mine, "cases/p/tests/01", true),
            (&mine, "problems/p/data/secret/1.files/deep/words.txt", true),
            (&mine, "problems/p/submissions/submissions.toml", true),
            (&mine, "problems/q/problem.toml", false),
            (&mine, "other.c", false),
            (&packed, "problems/packed.kpp", true),
            (&packed, "problems/p/problem.toml", false),
            (&all, "problems/packed.kpp", true),
            (&all, "problems/new.zip", true),
            (&contest, "finals/team/p.c", true),
            (&contest, "finals/team/q.c", true),
            (&contest, "finals/other/p.c", true),
            (&contest, "finals/contest.toml", true),
            (&contest, "cases/p/sample/1.ans", true),
            (&contest, "finals/team/.p.c.swp", false),
            (&contest, "mine.c", false),
            (&all, "problems/p/submissions/accepted/a.c", true),
            (&all, "problems/p/submissions/wrong/new.c", true),
            (&all, "problems/r/problem.toml", true),
            (&all, "problems/p/submissions/accepted/.a.c.swp", false),
            (&all, "mine.c", false),
            // Files that the judge writes, and files that it does not read.
            (&all, "log.jsonl", false),
            (&all, "problems/p/log.jsonl", false),
            (&all, "cases/p/sample/report.html", false),
            (&all, "problems/p/statement.md", false),
        ] {
            assert_eq!(
                detects(named, |root| put(root, name, "changed")),
                seen,
                "{name} {named:?}"
            );
        }
        let closed = |root: &Path| {
            fs::set_permissions(root.join("mine.c"), Permissions::from_mode(0o700))
                .unwrap()
        };
        assert!(detects(&mine, closed));
        assert!(detects(&mine, |root| fs::remove_file(root.join("mine.c")).unwrap()));
        assert!(detects(&mine, |root| fs::remove_dir_all(
            root.join("cases")
        )
        .unwrap()));
        assert!(detects(&all, |root| fs::create_dir(
            root.join("cases/p/secret")
        )
        .unwrap()));
    }

    #[test]
    fn only_a_judges_folder_that_is_to_be_read_says_which_files_matter() {
        let folder = judge();
        let languages = "[languages.odd]\nextensions = [\"odd\"]\nrun = [\"odd\"]\n";
        put(folder.path(), FILE_NAME, languages);
        let named = WatchRequest {
            problems: vec![folder.path().join("pkg").to_str().unwrap().to_owned()],
            ..WatchRequest::default()
        };
        for (root, is_known) in [(Some(folder.path()), true), (None, false)] {
            let watch_set = WatchSet::for_request(root, &named);
            assert_eq!(watch_set.program_endings.contains("odd"), is_known);
        }
    }

    #[test]
    fn links_out_of_a_contest_folder_are_not_followed() {
        let folder = judge();
        let contest = folder.path().join("cup");
        put(&contest, "alpha/p.c", "");
        std::os::unix::fs::symlink("/", contest.join("alpha/all")).unwrap();
        std::os::unix::fs::symlink("/", contest.join("all")).unwrap();
        std::os::unix::fs::symlink("alpha", contest.join("beta")).unwrap();
        let named = WatchRequest {
            problems: vec!["p".to_owned()],
            submissions: vec![contest.clone()],
            ..WatchRequest::default()
        };
        let watch_set = WatchSet::for_request(Some(folder.path()), &named);
        let watched: Vec<_> = watch_set
            .folders()
            .into_iter()
            .filter(|(path, _)| path.starts_with(&contest))
            .collect();
        let expected = [contest.clone(), contest.join("alpha"), contest.join("beta")]
            .map(|folder| (folder, false));
        assert_eq!(watched, expected);
        let seen = watch_set.snapshot();
        assert_eq!(
            seen.keys()
                .filter(|path| path.starts_with(&contest))
                .count(),
            8,
            "{:?}",
            seen.keys()
        );
    }

    #[test]
    fn a_missing_folder_is_watched_through_the_nearest_one_above_it() {
        let folder = judge();
        fs::remove_dir_all(folder.path().join("cases")).unwrap();
        let named = WatchRequest {
            submissions: vec![folder.path().join("mine.c")],
            problems: vec!["p".to_owned()],
            ..WatchRequest::default()
        };
        let folders = WatchSet::for_request(Some(folder.path()), &named).folders();
        let below: Vec<_> = folders
            .iter()
            .map(|(path, with_all)| {
                (
                    path.strip_prefix(folder.path())
                        .unwrap_or(path)
                        .to_str()
                        .unwrap(),
                    *with_all,
                )
            })
            .collect();
        assert_eq!(below, [("", false), ("problems/p", true)]);
    }
}
