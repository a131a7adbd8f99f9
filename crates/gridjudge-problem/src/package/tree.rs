//! Lists the files of a package, by their names relative to its root. Leaves out hidden
//! files, as all formats do. Links may lead only to places within the package, anything
//! that is neither file nor folder is refused, and the number of entries is bounded.
//! Collects what readers find in the files: mistakes, what is ignored, what is needed.
//! Knows no format.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Display, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::files;
use crate::glob::folders_around;
use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{BYTE_ORDER_MARK, Mistake, RemarkKind, Remarks, WITHOUT_MARK};
use crate::model::SourceFile;
use crate::text::{path_text, printable};

/// The most links to folders in a package.
const MOST_LINKED: usize = 1_000;

/// The largest file, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// The script that makes a program in its folder.
const BUILD: &str = "build";

/// The folder that macOS adds to archives.
pub(crate) const MAC_FOLDER: &str = "__MACOSX";

/// The files of a package, and what is found while they are read.
#[derive(Debug, Default)]
pub(crate) struct PackageTree {
    pub(crate) root: PathBuf,
    /// How many files and folders it may have.
    pub(crate) most_files: usize,
    /// The file that makes its folder a package, which sentences are about.
    pub(crate) package_file: PathBuf,
    /// What is found so far.
    pub(crate) remarks: RefCell<Remarks>,
    /// Whether some of its files were refused, so that others may seem to lack
    /// something.
    pub(crate) lacks_files: bool,
    files: BTreeMap<String, PathBuf>,
    folders: BTreeSet<String>,
    /// Entries that are left out because of what they are; a mistake says so.
    pub(crate) refused: BTreeSet<String>,
    /// Links within the package that name their target from the root of the file
    /// system.
    pub(crate) absolute_links: BTreeSet<String>,
}

impl PackageTree {
    /// Lists everything below a folder, which may be this many files and folders.
    /// Returns the mistakes found there, sorted by path.
    pub(crate) fn scan(root: &Path, most_files: usize) -> (Self, Vec<Mistake>) {
        let mut tree = Self {
            root: root.to_owned(),
            most_files,
            ..Self::default()
        };
        let mut mistakes = vec![];
        let Ok(real_root) = root.canonicalize() else {
            let mistake =
                Mistake::new(root, "there is no such folder", "correct the name");
            return (tree, vec![mistake]);
        };
        let mut linked = 0;
        let mut entries = WalkDir::new(root)
            .min_depth(1)
            .follow_links(true)
            .sort_by_file_name()
            .into_iter();
        let mut looked = 0;
        while let Some(entry) = entries.next() {
            looked += 1;
            if looked > most_files {
                return (Self::default(), vec![too_many_files(root, most_files)]);
            }
            if linked > MOST_LINKED {
                return (Self::default(), vec![too_many_links(root)]);
            }
            let found = match entry {
                Ok(entry) => {
                    let is_link = entry.path_is_symlink();
                    linked += usize::from(is_link && entry.file_type().is_dir());
                    let is_hidden = is_hidden_name(entry.file_name());
                    let is_left_out =
                        is_hidden || is_link && leads_out(&entry, &real_root);
                    if is_left_out && entry.file_type().is_dir() {
                        entries.skip_current_dir();
                    }
                    if is_hidden {
                        None
                    } else if is_left_out {
                        Some(link_leading_out(entry.path()))
                    } else {
                        tree.add(&entry)
                    }
                }
                Err(error) if error.path().is_some_and(is_made_later) => {
                    tree.add_link(error.path().unwrap_or(root));
                    None
                }
                Err(error) => unreadable(root, &error),
            };
            if let Some(mistake) = found {
                let name = path_text(tree.relative(&mistake.path));
                tree.refused.insert(name);
                mistakes.push(mistake);
            }
        }
        (tree, mistakes)
    }

    /// Adds a link to a file that is yet to be made.
    fn add_link(&mut self, path: &Path) {
        if let Some(name) = self.name_of(path) {
            self.files.insert(name.to_owned(), path.to_owned());
        }
    }

    /// The name of an entry relative to the root, if it is text without control
    /// characters.
    fn name_of<'p>(&self, path: &'p Path) -> Option<&'p str> {
        self.relative(path)
            .to_str()
            .filter(|name| !name.chars().any(char::is_control))
    }

    /// A path relative to the root.
    pub(crate) fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// A path as it is shown: relative to the root.
    pub(crate) fn shown<'p>(&self, path: &'p Path) -> Display<'p> {
        self.relative(path).display()
    }

    /// Forgets that an entry is left out, as if it did not exist.
    pub(crate) fn forget(&mut self, name: &Path) {
        self.refused.remove(&*name.to_string_lossy());
    }

    /// Adds a file or folder. Returns what is wrong with it, if anything is.
    fn add(&mut self, entry: &DirEntry) -> Option<Mistake> {
        let path = entry.path();
        let Some(name) = self.name_of(path) else {
            return Some(Mistake::new(
                path,
                "has a name that is not text, or has line breaks or control characters in it",
                "rename it",
            ));
        };
        let kind = entry.file_type();
        if kind.is_dir() {
            self.folders.insert(name.to_owned());
        } else if !kind.is_file() {
            return Some(Mistake::new(
                path,
                "is neither a file nor a folder",
                "delete it, or move it out of the package",
            ));
        } else if entry.metadata().is_ok_and(|found| found.len() > MOST_BYTES) {
            return Some(Mistake::new(
                path,
                "has more than 1 GiB",
                "make it smaller, or move it out of the package",
            ));
        } else {
            self.files.insert(name.to_owned(), path.to_owned());
        }
        if entry.path_is_symlink()
            && fs::read_link(path).is_ok_and(|target| target.is_absolute())
        {
            self.absolute_links.insert(name.to_owned());
        }
        None
    }

    /// The path of the file with this name.
    pub(crate) fn file(&self, name: &str) -> Option<&Path> {
        self.files.get(name).map(PathBuf::as_path)
    }

    /// Whether there is no such file. One that was refused is not lacking: its mistake
    /// is known.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        self.file(name).is_none()
            && !folders_around(name)
                .chain([name])
                .any(|name| self.refused.contains(name))
    }

    /// The names of all files and folders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().chain(&self.folders).map(String::as_str)
    }

    /// The names of all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// All files, by name.
    pub(crate) fn all(&self) -> BTreeMap<String, PathBuf> {
        self.files.clone()
    }

    /// Whether there is a folder of this name.
    pub(crate) fn has_folder(&self, name: &str) -> bool {
        self.folders.contains(name)
    }

    /// All files below a folder, by their names relative to the root.
    pub(crate) fn below(
        &self,
        folder: &str,
    ) -> impl Iterator<Item = (&str, &Path)> + use<'_> {
        let start = format!("{folder}/");
        let files = self
            .files
            .range(start.clone()..)
            .take_while(move |(name, _)| name.starts_with(&start));
        files.map(|(name, path)| (name.as_str(), path.as_path()))
    }

    /// The files of a program: the file of this name, or those in the folder, by their
    /// names in it.
    pub(crate) fn sources(&self, program: &str) -> Vec<SourceFile> {
        match self.file(program) {
            Some(path) => vec![SourceFile::at(path)],
            None => self
                .below(program)
                .map(|(name, path)| SourceFile::new(&name[program.len() + 1..], path))
                .collect(),
        }
    }

    /// The files and folders directly in a folder, sorted.
    pub(crate) fn children(&self, folder: &str) -> Vec<&str> {
        let start = format!("{folder}/");
        let files = self.below(folder).map(|(name, _)| name);
        let folders = self.folders.range(start.clone()..).map(String::as_str);
        let mut found: Vec<_> = files
            .chain(folders.take_while(|name| name.starts_with(&start)))
            .filter(|name| !name[start.len()..].contains('/'))
            .collect();
        found.sort_unstable();
        found
    }

    /// Removes files and folders that a format treats as absent. Returns the names of
    /// the removed files.
    pub(crate) fn leave_out(
        &mut self,
        is_absent: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let is_absent = |name: &String| name.split('/').any(&is_absent);
        let absent: Vec<_> = self
            .files
            .keys()
            .filter(|name| is_absent(name))
            .cloned()
            .collect();
        self.files.retain(|name, _| !is_absent(name));
        self.folders.retain(|name| !is_absent(name));
        absent
    }
}

/// The first part of a name relative to a folder: the file, or the folder that it is in.
pub(crate) fn first_part(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// The last part of a name relative to a folder: the file without its folders.
pub(crate) fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether a word is one of several that blanks separate.
pub(crate) fn is_among(word: &str, words: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// The words of a text that blanks separate.
pub(crate) fn blank_separated(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn too_many_files(root: &Path, most: usize) -> Mistake {
    Mistake::new(
        root,
        format!("more than {most} files and folders are in the package"),
        format!("name the folder of one package, {}", files::OR_MORE_FILES),
    )
}

fn link_leading_out(path: &Path) -> Mistake {
    Mistake::new(
        path,
        "is a link that leads out of the package",
        "put the file itself in its place, as `cp -rL` does in a copy of the package",
    )
}

fn too_many_links(root: &Path) -> Mistake {
    let remedy =
        "name the folder of one package, or delete links from folder to folder";
    Mistake::new(
        root,
        format!("more than {MOST_LINKED} links in the package lead to folders"),
        remedy,
    )
}

/// Whether a path is a link that leads nowhere, beside a script that may make what it
/// leads to, in the same folder or below it.
fn is_made_later(path: &Path) -> bool {
    let Ok(target) = fs::read_link(path) else {
        return false;
    };
    let stays_below = target
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    stays_below && !path.exists() && path.with_file_name(BUILD).is_file()
}

/// Whether an entry is of the system and not of a person.
pub(crate) fn is_hidden_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == MAC_FOLDER
}

fn leads_out(entry: &DirEntry, real_root: &Path) -> bool {
    entry.path().canonicalize().is_ok_and(|real| {
        !real.starts_with(real_root) || files::is_version_control(real_root, &real)
    })
}

/// The mistake for an entry that cannot be read; `None` for a hidden one.
fn unreadable(root: &Path, error: &walkdir::Error) -> Option<Mistake> {
    let path = error.path().unwrap_or(root);
    if path.file_name().is_some_and(is_hidden_name) {
        return None;
    }
    let (message, remedy) = match error.loop_ancestor() {
        Some(above) => (
            format!(
                "the link leads in a circle, back to {}",
                printable(&above.to_string_lossy())
            ),
            "delete the link",
        ),
        None if path.is_symlink() => (
            "is a link that leads nowhere".to_owned(),
            "delete the link, or put the file itself in its place",
        ),
        None => (
            format!(
                "cannot be read: {}",
                error
                    .io_error()
                    .map_or_else(|| error.to_string(), ToString::to_string)
            ),
            "make it readable (`chmod +rx`), or move it away",
        ),
    };
    Some(Mistake::new(path, message, remedy))
}

// Collects remarks while a package is read: mistakes, features that it needs and that
// are not judged, and things that are ignored.

/// The remedy for a package that needs something that is not judged.
const REMEDY: &str = "judge it with the judge that it was made for; docs/packages.md lists what is judged here";

impl PackageTree {
    /// Notes an unsupported feature that a place in a YAML file asks for.
    pub(crate) fn need(&self, map: &KeyTable, at: FilePlace, what: &str) {
        let need = map.document.mistake(at, sentence(what), REMEDY);
        self.add_remarks(RemarkKind::Unsupported, [need]);
    }

    /// Notes an unsupported feature that a file or folder asks for, or a line of it.
    pub(crate) fn need_at(&self, path: &Path, line: Option<u64>, what: &str) {
        let need = Mistake::new(path, sentence(what), REMEDY);
        self.add_remarks(RemarkKind::Unsupported, [Mistake { line, ..need }]);
    }

    /// Notes something that is ignored.
    pub(crate) fn ignore(&self, what: impl Into<String>) {
        self.say(RemarkKind::Ignored, what);
    }

    /// Notes a deviation from the format that does not prevent judging.
    pub(crate) fn deviation(&self, what: impl Into<String>) {
        self.say(RemarkKind::Deviation, what);
    }

    /// Notes both of something that may be meant to be judged.
    pub(crate) fn pass_over(&self, what: &str) {
        self.deviation(what);
        self.ignore(what);
    }

    /// Notes a sentence, without a full stop; repetitions are dropped.
    pub(crate) fn say(&self, kind: RemarkKind, what: impl Into<String>) {
        self.add_remarks(kind, [Mistake::about_file(&self.package_file, what)]);
    }

    /// Notes that a text which is not YAML begins with a byte order mark: judges take
    /// it for a part of the first word. Returns the text without it.
    pub(crate) fn without_mark<'t>(&self, path: &Path, text: &'t str) -> &'t str {
        let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) else {
            return text;
        };
        let message = "begins with a byte order mark, which DOMjudge takes for a part of the first word";
        self.mistake(Mistake::new(path, message, WITHOUT_MARK).on_line(1));
        rest
    }

    /// Returns the value that was read, or notes the mistake, unless the reader has
    /// noted it already.
    pub(crate) fn ok_or_note<T>(
        &self,
        read: Result<T, impl Into<Option<Mistake>>>,
    ) -> Option<T> {
        read.map_err(|mistake| self.mistakes(mistake.into())).ok()
    }

    /// Closes a file and notes what was found in it.
    pub(crate) fn close(&self, file: &KeyTable) {
        let found = file.document.take_remarks();
        self.remarks.borrow_mut().append(found);
    }

    /// Notes a mistake on which verdicts may depend.
    pub(crate) fn mistake(&self, mistake: Mistake) {
        self.mistakes([mistake]);
    }

    /// Notes what is wrong with a file or folder, on which verdicts may depend.
    pub(crate) fn refuse(
        &self,
        path: impl Into<PathBuf>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.mistake(Mistake::new(path, message, remedy));
    }

    /// Notes mistakes on which verdicts may depend.
    pub(crate) fn mistakes(&self, found: impl IntoIterator<Item = Mistake>) {
        self.add_remarks(RemarkKind::Mistake, found);
    }

    /// Whether there is a mistake on which verdicts may depend.
    pub(crate) fn is_mistaken(&self) -> bool {
        self.remarks.borrow().has(RemarkKind::Mistake)
    }

    /// Notes a mistake that no verdict depends on.
    pub(crate) fn slip(&self, mistake: Mistake) {
        self.add_remarks(RemarkKind::Slip, [mistake]);
    }

    /// Notes that a case has no answer.
    pub(crate) fn missing_answer(&self, mistake: Mistake) {
        self.add_remarks(RemarkKind::MissingAnswer, [mistake]);
    }

    /// Notes remarks of a kind.
    pub(crate) fn add_remarks(
        &self,
        kind: RemarkKind,
        found: impl IntoIterator<Item = Mistake>,
    ) {
        self.remarks.borrow_mut().add(kind, found);
    }
}

fn sentence(what: &str) -> String {
    format!("the package needs {what}, which gridjudge does not judge yet")
}
