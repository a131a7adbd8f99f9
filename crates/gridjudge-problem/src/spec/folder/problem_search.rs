//! Finds the problems below the judge's folder of problems, and what looks like a
//! problem there but is none. Looks only at names of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::mistake::Mistake;
use crate::package::{self, NO_PACKAGE, WantedPackage};
use crate::spec::folder::{ProblemFolder, SPEC, files_below};
use crate::spec::{Config, is_clutter};

use WantedPackage::Any;

/// Endings of archives that are not read, in lower case. The two that are read count if
/// written otherwise.
const OTHER_ARCHIVES: [&str; 10] = [
    "zip", "kpp", "7z", "rar", "tar", "gz", "tgz", "bz2", "xz", "zst",
];

/// The problems below a folder.
#[derive(Debug, Default)]
pub(crate) struct FoundProblems {
    /// By id.
    pub(crate) problems: BTreeMap<String, Arc<ProblemFolder>>,
    /// Several problems with the same id, and files that cannot be read.
    pub(crate) mistakes: Vec<Mistake>,
    /// Files and folders that look like problems and are none, with the reason. No
    /// mistakes, since other problems can be judged.
    pub(crate) unrecognised: Vec<Mistake>,
}

impl FoundProblems {
    /// Finds all problems below the judge's folder of problems: folders with a spec or
    /// a package file, and, directly in it, archives and folders of cases.
    pub(crate) fn below(config: &Arc<Config>) -> Self {
        Self::within(&config.problems, config)
    }

    /// Finds only the problems with these ids, if each has a folder of its name
    /// directly in the folder of problems, and nothing else there has its name. `None`
    /// if all problems must be looked through.
    pub(crate) fn of_ids(config: &Arc<Config>, ids: &[&str]) -> Option<Self> {
        // The names in this table are checked against all problems.
        if !config.case_folders.is_empty() {
            return None;
        }
        let mut all = Self::default();
        for id in ids {
            let folder = config.problems.join(id);
            let is_plain =
                !id.starts_with('.') && !id.contains('/') && !is_clutter(id);
            let has_twin = package::ENDINGS
                .iter()
                .any(|end| config.problems.join(format!("{id}.{end}")).exists());
            if !is_plain || has_twin || !folder.is_dir() {
                return None;
            }
            let found = Self::within(&folder, config);
            let is_it = found
                .problems
                .get(*id)
                .is_some_and(|problem| problem.place == folder);
            if !is_it || found.problems.len() > 1 || !found.mistakes.is_empty() {
                return None;
            }
            all.problems.extend(found.problems);
        }
        Some(all)
    }

    /// Finds all problems in the judge's folder of problems or in one in it.
    fn within(folder: &Path, config: &Arc<Config>) -> Self {
        let (files, mistakes) = files_below(folder, config);
        let root = config.problems.as_path();
        let mut found = Self {
            mistakes,
            ..Self::default()
        };
        let specs = problem_files(&files);
        let mut places: BTreeSet<PathBuf> = BTreeSet::new();
        for file in &specs {
            places.insert(file.parent().unwrap_or(root).to_owned());
            found.add(ProblemFolder::of_file(file, Any, config));
        }
        // Only now, since other formats have folders of cases in them, and archives.
        let of_cases: Vec<_> = config.folders_of_cases().collect();
        let is_case =
            |file: &Path| of_cases.iter().any(|folder| file.starts_with(folder));
        let entries = files.iter().filter_map(|file| entry_around(root, file));
        let entries: BTreeSet<_> = entries.collect();
        for entry in entries.into_iter().filter(|entry| !is_case(entry)) {
            // What is in a folder follows it in the order of paths.
            let next = places.range(entry.clone()..).next();
            let has_inner = next.is_some_and(|place| place.starts_with(&entry));
            if has_inner || is_inside(&entry, &places) {
                continue;
            }
            let problem = if entry.is_dir() {
                package::has_answered_cases(&entry)
                    .then(|| ProblemFolder::of_package(&entry, Any, config))
                    .flatten()
            } else {
                package::is_archive(&entry)
                    .then(|| ProblemFolder::of_archive(&entry, Any, config))
            };
            if let Some(problem) = problem {
                found.add(problem);
                places.insert(entry);
            }
        }
        found.mistakes.retain(|mistake| {
            let mut problems = found.problems.values();
            !problems.any(|problem| is_its_own(problem, mistake))
        });
        let free = files
            .iter()
            .filter(|file| !is_inside(file, &places) && !is_case(file));
        found.unrecognised = unrecognised(root, free);
        found
    }

    /// Makes it a mistake if there is no problem, and so is then everything that looks
    /// like one.
    pub(crate) fn require_any(&mut self, config: &Config) {
        if self.problems.is_empty() && self.mistakes.is_empty() {
            let message = format!(
                "there is no problem here (no `{SPEC}` in any folder, and no package)"
            );
            self.mistakes.push(Mistake::new(
                &config.problems,
                message,
                "begin one with `gridjudge new ID`",
            ));
            self.mistakes.append(&mut self.unrecognised);
        }
    }

    fn add(&mut self, problem: ProblemFolder) {
        let id = problem.id.clone();
        let place = problem.place.clone();
        if let Some(other) = self.problems.insert(id.clone(), Arc::new(problem)) {
            self.mistakes.push(Mistake::new(
                place,
                format!("problem `{id}` is also in {}", other.place.display()),
                "rename one of the two",
            ));
        }
    }
}

/// Whether a mistake concerns one problem only: the reader of a package judges all its
/// files, and a link that leads nowhere matters only where it is needed.
fn is_its_own(problem: &ProblemFolder, mistake: &Mistake) -> bool {
    let is_inside =
        mistake.path != problem.place && mistake.path.starts_with(&problem.place);
    is_inside
        && (problem.is_package()
            || (mistake.path.is_symlink() && !mistake.path.exists()))
}

/// The entry of a folder that a file is, or is in.
fn entry_around(root: &Path, file: &Path) -> Option<PathBuf> {
    let below = file.strip_prefix(root).ok()?;
    Some(root.join(below.components().next()?))
}

/// Whether a path is that of a problem, or in one.
fn is_inside(path: &Path, places: &BTreeSet<PathBuf>) -> bool {
    path.ancestors().any(|above| places.contains(above))
}

/// What looks like a problem among files that belong to none: one mistake for each
/// entry of the folder.
fn unrecognised<'a>(
    root: &Path,
    files: impl Iterator<Item = &'a PathBuf>,
) -> Vec<Mistake> {
    let mut found: BTreeMap<PathBuf, Mistake> = BTreeMap::new();
    let mut plain: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
    for file in files {
        let Some(entry) = entry_around(root, file) else {
            continue;
        };
        if found.contains_key(&entry) {
            continue;
        }
        match mistaken(file, &entry) {
            Some(mistake) => _ = found.insert(entry, mistake),
            None => {
                let below = file.strip_prefix(&entry).ok().and_then(Path::to_str);
                plain.entry(entry.clone()).or_default().extend(below);
            }
        }
    }
    plain.retain(|entry, _| !found.contains_key(entry));
    // Such cases make a folder a problem only if the user names it.
    for (entry, files) in plain {
        let Some([input, answer]) = package::first_pair(files) else {
            continue;
        };
        let message = format!(
            "is not a problem: `{input}` and `{answer}` may be a case, but no cases \
             are named `NAME.in`"
        );
        let remedy =
            "if they are cases, `-p` with the path of the folder judges these";
        let mistake = Mistake::new(&entry, message, remedy);
        found.insert(entry, mistake);
    }
    found.into_values().collect()
}

/// Why a file looks as if its entry of the folder were a problem, which it is not;
/// `None` if it does not.
fn mistaken(file: &Path, entry: &Path) -> Option<Mistake> {
    let because = |place: &Path, why: &str, remedy: &str| {
        Some(Mistake::new(
            place,
            format!("is not a problem: {why}"),
            remedy,
        ))
    };
    if file == entry {
        let ending = file
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let is_other = OTHER_ARCHIVES.contains(&ending.as_str());
        let why = "only archives are read whose names end with `.zip` or `.kpp`";
        return is_other
            .then(|| because(file, why, "unpack it, or pack it as one of them"))
            .flatten();
    }
    if package::is_archive(file) {
        return because(
            file,
            "an archive is one only directly in the folder of problems",
            "move it there",
        );
    }
    let folder = file.parent().unwrap_or(entry);
    if let Some((name, judges)) = package::foreign_problem(folder)
        && file.ends_with(name)
    {
        return because(
            entry,
            &format!("`{name}` is of {judges}, whose problems are not read"),
            "if it has cases, `-p` with the path of the folder judges these",
        );
    }
    let below = file.strip_prefix(entry).unwrap_or(file);
    let stem = file.file_stem();
    let is_named_as_spec =
        stem.is_some_and(|stem| stem.eq_ignore_ascii_case("problem"));
    if !package::is_input(file) && !is_named_as_spec {
        return None;
    }
    if package::has_package_file(entry) {
        let why = format!(
            "{} is in it, and no case has an answer (`NAME.out` or `NAME.ans`)",
            below.display()
        );
        return because(entry, &why, "write the answers next to the cases");
    }
    because(
        entry,
        &format!(
            "{} is in it, but it has no `{SPEC}`, and {NO_PACKAGE}",
            below.display()
        ),
        "docs/packages.md lists what makes a folder a problem",
    )
}

/// The files that make their folders problems, one for each folder. Our spec takes
/// precedence over package files. A file inside a package makes no further problem.
fn problem_files(files: &[PathBuf]) -> Vec<&Path> {
    let mut of_packages: Vec<_> = files
        .iter()
        .filter(|file| package::is_package_file(file))
        .collect();
    // Outer folders come before inner ones.
    of_packages.sort_by_key(|file| file.components().count());
    let mut packages: BTreeMap<&Path, &Path> = BTreeMap::new();
    for file in of_packages {
        let Some(folder) = file.parent() else {
            continue;
        };
        let is_inside = folder
            .ancestors()
            .skip(1)
            .any(|above| packages.contains_key(above));
        if !is_inside && !folder.join(SPEC).is_file() {
            packages.insert(folder, file);
        }
    }
    files
        .iter()
        .map(PathBuf::as_path)
        .filter(|file| {
            file.ends_with(SPEC)
                && !file
                    .ancestors()
                    .skip(2)
                    .any(|above| packages.contains_key(above))
        })
        .chain(packages.values().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A judge's folder with these files, and its configuration.
    fn judge(files: &[&str]) -> (tempfile::TempDir, Arc<Config>) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join("problems").join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let config = Arc::new(Config::default_in(folder.path()));
        (folder, config)
    }

    #[test]
    fn problems_with_folders_of_their_own_are_found_without_the_others() {
        let (_folder, config) =
            judge(&["a/problem.toml", "b/problem.yaml", "c/problem.toml"]);
        let found = FoundProblems::of_ids(&config, &["a", "b"]).unwrap();
        assert_eq!(found.problems.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(found.problems["b"].place, config.problems.join("b"));
        let all = FoundProblems::below(&config).problems;
        assert!(
            found
                .problems
                .iter()
                .all(|(id, one)| one.file() == all[id].file())
        );
    }

    #[test]
    fn all_problems_are_looked_through_if_an_id_may_mean_another_or_none() {
        let files = [
            "a/problem.toml",
            "2024/c/problem.toml",
            "d/problem.toml",
            "d/e/problem.toml",
            "f/problem.toml",
            "f.zip",
            "g/1",
        ];
        let (folder, mut config) = judge(&files);
        std::os::unix::fs::symlink("nowhere", folder.path().join("problems/g/link"))
            .unwrap();
        for id in [
            "c", "2024", "d", "e", "f", "g", "nowhere", ".", "..", "", "2024/c",
        ] {
            assert!(FoundProblems::of_ids(&config, &["a", id]).is_none(), "{id}");
        }
        assert!(FoundProblems::of_ids(&config, &["a"]).is_some());
        Arc::make_mut(&mut config)
            .case_folders
            .insert("x".to_owned(), "a".into());
        assert!(FoundProblems::of_ids(&config, &["a"]).is_none());
    }
}
