//! A package that was read: its contents, and what it needs that is not judged. Does
//! not know how it is read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::files::{self, UnfinishedFolder};
use crate::mistake::{Mistake, RemarkKind, Remarks};
use crate::model::{
    Case, CaseSupply, Constants, FileStreams, HEADER_ENDINGS, Scoring, SourceFile,
    Task, Verdict, ending,
};
use crate::package::{
    GeneratedCase, LineBreaks, PackageCredits, PackageFormat, PackageLimits,
    PackageProgram, PackageSubmission, PackageTree, PackageValidation,
    SkippedSubmission, TextCopies, TimeRule, is_among, last_part,
};
use crate::text::{counted, first_few, printable};

/// The time limit of a package without one, as in DOMjudge.
pub(super) const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Folders of programs that judge outputs or sources, or grade submissions. Folders
/// with a plural name hold several programs.
pub(super) const PROGRAM_FOLDERS: [&str; 4] = [
    "output_validators/",
    "output_validator/",
    "static_validator/",
    "graders/",
];

/// A problem package of another judge.
#[derive(Clone, Debug, Default)]
pub struct Package {
    /// Its format.
    pub format: PackageFormat,
    /// Whether the user asked to read it otherwise than its files alone suggest: as
    /// another format, or as another meaning of it.
    pub has_overridden_format: bool,
    /// The file that makes its folder a package.
    pub file: PathBuf,
    /// Its title, if it has one.
    pub name: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// Who wrote it, and under which licence.
    pub credits: PackageCredits,
    /// All its files except those that its format hides, by their names relative to its
    /// root.
    pub files: BTreeMap<String, PathBuf>,
    /// The original files of those texts of cases that programs get with other line
    /// breaks, by their copies.
    pub(crate) originals: BTreeMap<PathBuf, PathBuf>,
    /// The folder of these copies, and of what generators of cases make, which exists
    /// as long as this value.
    pub prepared: Option<Arc<UnfinishedFolder>>,
    /// What its judge does to the line breaks of the texts of cases.
    pub line_breaks: LineBreaks,
    /// Whether it is made for DOMjudge, or read as DOMjudge reads it.
    pub is_for_domjudge: bool,
    /// Whether its submissions are answers to cases rather than programs.
    pub submissions_are_answers: bool,
    /// The languages that submissions may be written in, by the format's codes; `None`
    /// for all.
    pub languages: Option<Vec<String>>,
    /// The limits on its submissions.
    pub limits: PackageLimits,
    /// How outputs are judged: compared with the answers, or by a program of the
    /// package.
    pub task: Task,
    /// The tasks of cases with flags of their own, by case name.
    pub case_tasks: BTreeMap<String, Task>,
    /// What submissions get on a case in addition to standard input, by case name.
    pub supplies: BTreeMap<String, CaseSupply>,
    /// The same for cases that only test validators, by case name.
    pub validation_supplies: BTreeMap<String, CaseSupply>,
    /// The files that its submissions read and write, if not standard input and output.
    pub file_streams: FileStreams,
    /// The points for its cases.
    pub scoring: Scoring,
    /// Its cases: samples first, then by name.
    pub cases: Vec<Case>,
    /// The names of cases that the statement shows, if no names of folders say so. Only
    /// of Polygon.
    pub samples: BTreeSet<String>,
    /// Cases without an input, which a generator of the package makes.
    pub missing_tests: Vec<MissingTest>,
    /// Cases of which a generator makes files, at the places where they are expected,
    /// whenever it is read. Only of DMOJ.
    pub generated: Vec<GeneratedCase>,
    /// Its submissions.
    pub submissions: Vec<PackageSubmission>,
    /// Its submissions that are not judged, with reasons.
    pub left_out: Vec<SkippedSubmission>,
    /// Files that are compiled into every submission, by the format's language codes.
    pub includes: BTreeMap<String, Vec<SourceFile>>,
    /// The programs and examples with which it checks itself.
    pub validation: PackageValidation,
    /// What is wrong or odd in it, what is ignored, and what is not judged.
    pub remarks: Remarks,
    /// The constants that are filled in in sources.
    pub constants: Constants,
    /// The types that it gives to its sources, by their paths. Only of Polygon.
    pub source_types: BTreeMap<PathBuf, String>,
}

/// A test that is not in the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTest {
    /// Its case, with the paths where its files belong.
    pub case: Case,
    /// The command that generates its input.
    pub command: GeneratorCommand,
}

/// One call of a generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratorCommand {
    /// The command as written in the package.
    pub text: String,
    /// The source of the generator.
    pub source: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The file to which it writes the input; `None` if it prints the input.
    pub output_file: Option<String>,
}

impl Package {
    /// A package with nothing but files, and with default limits and rules.
    pub(super) fn of_files(format: PackageFormat, tree: &PackageTree) -> Self {
        Self {
            format,
            file: tree.package_file.clone(),
            files: tree.all(),
            ..Self::default()
        }
    }

    /// Takes over the folder of copies of its texts, and the original files of those that
    /// differ from them.
    pub(super) fn keep_copies(&mut self, texts: TextCopies) {
        self.prepared = texts.folder;
        let copies = texts.ready.into_iter();
        let copies = copies.filter(|(file, ready)| file != ready);
        self.originals
            .extend(copies.map(|(file, ready)| (ready, file)));
    }

    /// Mistakes on which verdicts may depend.
    pub fn mistakes(&self) -> &[Mistake] {
        self.remarks.of_kind(RemarkKind::Mistake)
    }

    /// Mistakes on which no verdict depends.
    pub fn slips(&self) -> &[Mistake] {
        self.remarks.of_kind(RemarkKind::Slip)
    }

    /// Features it needs that are not judged. If empty, the package can be judged.
    pub fn unsupported(&self) -> &[Mistake] {
        self.remarks.of_kind(RemarkKind::Unsupported)
    }

    /// Cases without an answer.
    pub fn missing_answers(&self) -> &[Mistake] {
        self.remarks.of_kind(RemarkKind::MissingAnswer)
    }

    /// Deviations from its format that do not prevent judging.
    pub fn deviations(&self) -> Vec<&str> {
        self.remarks.messages(RemarkKind::Deviation)
    }

    /// What other judges read differently in it.
    pub fn disagreements(&self) -> Vec<&str> {
        self.remarks.messages(RemarkKind::Disagreement)
    }

    /// Things in it that are ignored.
    pub fn ignored(&self) -> Vec<&str> {
        self.remarks.messages(RemarkKind::Ignored)
    }

    /// All mistakes in its files, those of a file together, by line.
    pub fn all_mistakes(&self) -> Vec<Mistake> {
        let mut all = [self.mistakes(), self.slips()].concat();
        if self.slips().is_empty() {
            return all;
        }
        let mut ranks = HashMap::new();
        for mistake in &all {
            let next = ranks.len();
            ranks.entry(mistake.path.clone()).or_insert(next);
        }
        all.sort_by_key(|mistake| {
            (ranks[&mistake.path], mistake.line.unwrap_or(u64::MAX))
        });
        all
    }

    /// The cases on which a submission runs: all except those on which its source is
    /// judged.
    pub fn run_cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| {
            let task = self.case_tasks.get(&case.name);
            task.is_none_or(|task| task.static_validator().is_none())
        })
    }

    /// The submission that produces answers: among those of one file, the one that the
    /// package marks, else the first that must be accepted.
    pub fn model_solution(&self) -> Option<&PackageSubmission> {
        let alone = || self.submissions.iter().filter(|one| one.files.len() == 1);
        alone()
            .find(|one| one.is_model)
            .or_else(|| alone().find(|one| one.expected == Verdict::Accepted.into()))
    }

    /// The headers shared by all its programs, sorted by name. Only Polygon has a
    /// folder for them, `files/`.
    pub fn shared_headers(&self) -> Vec<PathBuf> {
        if self.format != PackageFormat::Polygon {
            return vec![];
        }
        // `testlib.h`, and those of graders.
        let headers = self.files.iter().filter(|(name, _)| {
            name.strip_prefix("files/").is_some_and(|name| {
                !name.contains('/') && HEADER_ENDINGS.contains(&ending(name))
            })
        });
        headers.map(|(_, path)| path.clone()).collect()
    }

    /// The name of one of its files, relative to its root.
    pub fn name_of(&self, path: &Path) -> Option<&str> {
        let root = self.file.parent()?;
        let name = path.strip_prefix(root).ok()?.to_str()?;
        let (name, _) = self.files.get_key_value(name)?;
        Some(name)
    }

    /// Returns the checker or grader that this file belongs to, if that is a folder of
    /// several files or of a script.
    pub fn program_around(&self, source: &Path) -> Option<PackageProgram> {
        let name = self.name_of(source)?;
        let folder = PROGRAM_FOLDERS
            .iter()
            .find(|folder| name.starts_with(**folder))?;
        // Folders for one program hold its files directly or in one subfolder; the
        // others have a subfolder for each program, unless they are one program
        // themselves: in packages for DOMjudge, if they hold files directly.
        let is_flat = self.is_for_domjudge
            && self.files.keys().any(|name| {
                name.strip_prefix(folder)
                    .is_some_and(|rest| !rest.contains('/'))
            });
        let inner = if is_flat {
            folder.len()
        } else if folder.ends_with("s/") {
            name[folder.len()..].find('/')? + folder.len() + 1
        } else {
            name.rfind('/')? + 1
        };
        let around = &name[..inner];
        let files: Vec<_> = self
            .files
            .iter()
            .filter(|(name, _)| name.starts_with(around))
            .map(|(name, path)| SourceFile::new(&name[around.len()..], path))
            .collect();
        if files.len() == 1 && !files.iter().any(PackageProgram::is_script) {
            return None;
        }
        Some(PackageProgram {
            name: around.trim_end_matches('/').to_owned(),
            files,
        })
    }

    /// The file in the package that a file of a case was made from, or is.
    pub fn original_of<'p>(&'p self, file: &'p Path) -> &'p Path {
        self.originals.get(file).map_or(file, PathBuf::as_path)
    }

    /// The files in the package that hold the inputs and the answers of its cases.
    pub(super) fn case_files(&self) -> impl Iterator<Item = &Path> {
        let files = self
            .cases
            .iter()
            .flat_map(|case| [&case.input, &case.answer]);
        files.map(|file| self.original_of(file))
    }

    /// What is wrong with its name, which is not in it but the name of its folder or
    /// archive, and which judges that take packages of Kattis use as an identifier;
    /// `None` if nothing is.
    pub fn odd_name(&self, name: &str) -> Option<String> {
        let is_odd = name.len() > 255
            || !name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if !is_odd || !self.format.is_of_kattis() {
            return None;
        }
        let name = printable(name);
        Some(format!(
            "the package is called `{name}`; the format takes lower-case letters and digits only"
        ))
    }

    /// The rule by which a time limit follows from the times of its submissions, if the
    /// format has one. To DOMjudge a limit is what the package says, or ten seconds.
    pub fn time_rule(&self) -> Option<TimeRule> {
        self.format.is_of_kattis().then_some(self.limits.rule)
    }

    /// Whether its time limit is measured from the times of its submissions. DOMjudge
    /// has a default limit instead.
    pub fn is_measured(&self) -> bool {
        self.limits.time.is_none()
            && !self.is_for_domjudge
            && !self.submissions_are_answers
            && self.time_rule().is_some()
    }

    /// How the files of a folder of cases were read, where that is not plain from their
    /// names.
    pub fn notes_on_cases(&self) -> impl Iterator<Item = &str> {
        let is_of_cases = self.format == PackageFormat::Oj;
        self.deviations().into_iter().filter(move |what| {
            is_of_cases && !self.remarks.says(RemarkKind::Ignored, what)
        })
    }

    /// Whether the default time limit applies: it gives none, and none is measured.
    pub fn has_default_time(&self) -> bool {
        self.limits.time.is_none()
            && !self.is_measured()
            && !self.submissions_are_answers
    }

    /// The time limit of the package; ten seconds if it gives none and none was
    /// measured yet.
    pub fn time_limit(&self) -> Duration {
        self.limits.time.unwrap_or(DEFAULT_TIME)
    }
}

// The names that the formats of Kattis allow for a package and for what is in it.
// 2025-09 takes other files for absent; older formats read them, and their tools call
// them errors. Looks into no file.

/// What the formats say of names of files and folders, for messages.
const ALLOWED: &str =
    "letters, digits, `_`, `.` and `-`, the first not `.` or `-`, at most 255 in all";

/// The most names that one remark gives as examples.
const MOST_NAMED: usize = 3;

/// Leaves out files and folders that 2025-09 takes for absent.
pub(super) fn leave_out_odd(tree: &mut PackageTree) {
    for name in tree.leave_out(is_odd) {
        let said = format!("`{name}`: the format takes no such names");
        // What may have been meant as a case or a submission is not judged.
        if name.starts_with("data/") || name.starts_with("submissions/") {
            tree.deviation(&*said);
        }
        tree.ignore(said);
    }
}

/// Notes what older formats forbid of names and links. An absolute link leads elsewhere
/// once the package is copied.
pub(super) fn note_violations(tree: &PackageTree) {
    let odd: BTreeSet<_> = tree
        .names()
        .filter(|name| is_odd(last_part(name)))
        .collect();
    let absolute = tree.absolute_links.iter().map(String::as_str);
    let allowed = format!("which the format does not allow: {ALLOWED}");
    let found = [
        listed(
            &Vec::from_iter(odd),
            &format!("has a name {allowed}"),
            &format!("have names {allowed}"),
        ),
        listed(
            &Vec::from_iter(absolute),
            "is an absolute link, and the format wants relative ones",
            "are absolute links, and the format wants relative ones",
        ),
    ];
    for violation in found.into_iter().flatten() {
        tree.say(RemarkKind::Violation, violation);
    }
}

/// A sentence about these names; `None` if there are none.
fn listed(names: &[&str], singular: &str, plural: &str) -> Option<String> {
    let what = if names.len() == 1 { singular } else { plural };
    let names = names.iter().map(|name| format!("`{}`", printable(name)));
    (names.len() > 0).then(|| format!("{} {what}", first_few(names, MOST_NAMED)))
}

/// Whether the formats do not allow a name.
pub(crate) fn is_odd(name: &str) -> bool {
    name.len() > 255 || name.starts_with(['.', '-']) || !name.chars().all(is_plain)
}

/// Whether the formats allow a character in names.
pub(crate) fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_.-".contains(letter)
}

// Recognises files of cases that stand for others, which a program must not get in
// their place: pointers of Git LFS, and compressed files. Start at [`lfs_pointers`].

/// How a pointer begins. Source: git-lfs, `docs/spec.md`.
const POINTER_START: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// How many bytes a pointer has: lines with the version, a digest in SHA-256, and a
/// size of 1 to 20 digits. Only such files are opened, because there may be very many
/// cases.
const POINTER_BYTES: RangeInclusive<u64> = 126..=145;

/// The endings of compressed files.
const COMPRESSED: &str = "gz bz2 xz zst lzma z 7z zip rar";

/// The mistake that some of the files of cases are pointers of Git LFS, as after
/// `git clone` on a machine without it.
pub(crate) fn lfs_pointers<'f>(
    files: impl Iterator<Item = &'f Path>,
) -> Option<Mistake> {
    let pointers = files.filter(|file| {
        let has_its_size = file
            .metadata()
            .is_ok_and(|found| POINTER_BYTES.contains(&found.len()));
        has_its_size
            && files::read_bounded(file, *POINTER_BYTES.end())
                .is_ok_and(|content| content.starts_with(POINTER_START))
    });
    first_of(
        pointers,
        "is a pointer of Git LFS, not the file itself",
        "fetch the files: `git lfs pull`, where the repository was cloned",
    )
}

/// The mistake that some of the files of cases are compressed.
pub(super) fn compressed<'f>(
    files: impl Iterator<Item = &'f Path>,
) -> Option<Mistake> {
    let compressed = files.filter(|file| {
        let ending = ending(*file).to_ascii_lowercase();
        is_among(&ending, COMPRESSED)
    });
    first_of(
        compressed,
        "is compressed, and programs cannot read it",
        "unpack the cases, as with `gunzip -r FOLDER`",
    )
}

/// A mistake in the first of the files, which counts the others.
fn first_of<'f>(
    mut files: impl Iterator<Item = &'f Path>,
    what: &str,
    remedy: &str,
) -> Option<Mistake> {
    let first = files.next()?;
    let message = match files.count() {
        0 => what.to_owned(),
        others => {
            let others = counted(others, "other file");
            format!("{what}; the same holds for {others} of cases")
        }
    };
    Some(Mistake::new(first, message, remedy))
}
