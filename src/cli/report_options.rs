//! The reports that a command line requests, their files, and what learning systems say
//! in environment variables. A file is overwritten only by a report of the same kind:
//! `--junit` without its file would otherwise overwrite the submission that follows it.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{ArgGroup, Args};

use crate::cli::{
    FileIdentity, NamedSink, OutputFile, WriteMode, beginning, output, repository,
    screen,
};
use crate::report::marks::{FeedbackPages, MARKDOWN_START, Marks};
use crate::report::{
    AUTOLAB_START, Autograder, AutograderFormat, CLASSROOM50_SCHEMA, ClassroomRun,
    Csv, GRADESCOPE_MARK, HTML_START, Html, Junit, LOG_START, Log, Markdown,
    PRAIRIELEARN_START, PageWriter, ReportWriter, Sarif, Sink, SuiteReport, Tap,
    TeamPages, VPL_START, VplGrades, marks, without_mark,
};
use crate::spec::{Mistake, Mistakes};
use crate::text::path_text;

/// Bytes at the start of a file by which its kind is recognised.
const START: usize = 1024;

/// The group of the reports from which `--reveal` keeps nothing secret.
const SECRETIVE: &str = "secretive";

/// The heading in help above these options. It would also apply to options that follow
/// them in a command and have no heading of their own, so commands list these last.
const HEADING: &str = "Reports";

#[derive(Args)]
#[command(next_help_heading = HEADING)]
#[command(group = ArgGroup::new(SECRETIVE).multiple(true))]
pub(crate) struct ReportOptions {
    /// A page to read, with the wrong grids drawn; `-` for standard output, as for all
    /// of these
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// JUnit XML, for Jenkins, GitLab and others
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// SARIF, for code scanning
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// TAP, version 13
    #[arg(long, value_name = "FILE")]
    tap: Option<PathBuf>,
    /// Markdown, for a pull request or a summary
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Comma-separated values, a row for each trial
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Annotations for GitHub Actions on standard output, and the summary of the step
    #[arg(long)]
    pub(crate) github: bool,
    /// A page for each team of a contest in the folder DIR, without what is secret, and
    /// an index
    #[arg(long, value_name = "DIR", group = SECRETIVE)]
    team_pages: Option<PathBuf>,
    /// The marks of a course: a row for each student, as comma-separated values
    #[arg(long, value_name = "FILE")]
    marks: Option<PathBuf>,
    /// A page for each student in the folder DIR, as Markdown and HTML, without what is
    /// secret
    #[arg(long, value_name = "DIR", group = SECRETIVE)]
    pub(crate) feedback: Option<PathBuf>,
    /// The results of one student, for an autograder of Gradescope
    #[arg(long, value_name = "FILE", group = SECRETIVE)]
    gradescope: Option<PathBuf>,
    /// The same for Classroom 50
    #[arg(long, value_name = "FILE", group = SECRETIVE)]
    classroom50: Option<PathBuf>,
    /// The same for PrairieLearn
    #[arg(long, value_name = "FILE", group = SECRETIVE)]
    prairielearn: Option<PathBuf>,
    /// The same for Autolab
    #[arg(long, value_name = "FILE", group = SECRETIVE)]
    autolab: Option<PathBuf>,
    /// The same for the Virtual Programming Lab of Moodle
    #[arg(long, value_name = "FILE", group = SECRETIVE)]
    vpl: Option<PathBuf>,
    /// Also show teams and students the inputs, answers and findings of secret cases
    #[arg(long, requires = SECRETIVE)]
    reveal: bool,
    /// List the N slowest cases at the end
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub(crate) slowest: Option<u16>,
}

/// A kind of report that goes to a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum ReportFormat {
    Log,
    Html,
    Junit,
    Sarif,
    Tap,
    Markdown,
    Csv,
    Marks,
    // From here on, they are for autograders.
    Gradescope,
    Classroom50,
    PrairieLearn,
    Autolab,
    Vpl,
}

/// A report and where it goes.
#[derive(Clone)]
pub(crate) struct ReportTarget {
    format: ReportFormat,
    path: PathBuf,
    /// Whether it shows what is secret, if it is for an autograder.
    reveals: bool,
}

impl ReportOptions {
    /// The requested reports that go to a file.
    pub(crate) fn targets(&self) -> impl Iterator<Item = ReportTarget> {
        use ReportFormat::*;

        let each = [
            (Html, &self.html),
            (Junit, &self.junit),
            (Sarif, &self.sarif),
            (Tap, &self.tap),
            (Markdown, &self.markdown),
            (Csv, &self.csv),
            (Marks, &self.marks),
            (Gradescope, &self.gradescope),
            (Classroom50, &self.classroom50),
            (PrairieLearn, &self.prairielearn),
            (Autolab, &self.autolab),
            (Vpl, &self.vpl),
        ];
        each.into_iter().filter_map(move |(format, path)| {
            Some(ReportTarget {
                format,
                path: path.clone()?,
                reveals: self.reveal,
            })
        })
    }

    /// Where a report goes that says what somebody has got in all, if one is requested.
    pub(crate) fn whole_result(&self) -> Option<PathBuf> {
        let autograder = self.autograder_targets().map(|target| target.path).next();
        self.team_pages.clone().or(autograder)
    }

    /// The requested reports for autograders.
    pub(crate) fn autograder_targets(&self) -> impl Iterator<Item = ReportTarget> {
        self.targets()
            .filter(|target| target.format >= ReportFormat::Gradescope)
    }

    /// The first file or folder for marks, which need all attempts.
    pub(crate) fn marks(&self) -> Option<&Path> {
        self.marks.as_deref().or(self.feedback.as_deref())
    }

    /// Checks that these reports can be written beside other files without harm.
    ///
    /// # Errors
    /// As [`ReportTarget::check`].
    pub(crate) fn check(
        &self,
        targets: &[ReportTarget],
        others: &[&Path],
    ) -> Result<(), Mistakes> {
        let summary = step_summary().filter(|_| self.github);
        let mut others = others.to_vec();
        others.extend(summary.as_deref());
        // Annotations go to standard output.
        others.extend(self.github.then_some(Path::new(output::STDOUT)));
        for folder in [&self.team_pages, &self.feedback].into_iter().flatten() {
            output::refuse_as_folder(folder)?;
            if folder.symlink_metadata().is_ok() && !folder.is_dir() {
                return Mistake::refuse(
                    folder,
                    "is not a folder",
                    "name the folder that the pages go to",
                );
            }
        }
        if self.classroom50.is_some() {
            classroom_run()?;
        }
        if self.vpl.is_some() {
            vpl_grades()?;
        }
        ReportTarget::check(targets, &others)
    }

    /// The sinks of pages for teams and students, as far as they are requested, and
    /// their names in error messages.
    pub(crate) fn page_folders(&self) -> Vec<NamedSink> {
        let mut sinks: Vec<NamedSink> = vec![];
        if let Some(folder) = &self.team_pages {
            let pages = TeamPages::new(page_writer(folder), self.reveal);
            sinks.push((path_text(folder), Box::new(pages)));
        }
        if let Some(folder) = &self.feedback {
            let pages = FeedbackPages::new(page_writer(folder), self.reveal);
            sinks.push((path_text(folder), Box::new(pages)));
        }
        sinks
    }
}

/// Writes pages into a folder, which is created if it is missing. A file there that
/// holds something else is left alone.
fn page_writer(folder: &Path) -> PageWriter {
    let mut pages = WrittenPages {
        folder: folder.to_owned(),
        names: BTreeSet::new(),
    };
    Box::new(move |name, page| {
        fs::create_dir_all(&pages.folder)?;
        let path = pages.folder.join(name);
        pages.names.insert(name.to_owned());
        let start = beginning(&path, START);
        let is_page = ReportFormat::Html.is_start(&start)
            || start.starts_with(MARKDOWN_START.as_bytes());
        if !start.is_empty() && !is_page {
            let message = format!(
                "{} is not a page of gridjudge, and the new one would overwrite it",
                path.display()
            );
            return Err(io::Error::other(message));
        }
        output::write_file(&path, page)
    })
}

/// The most pages of an earlier run that are named.
const MOST_NAMED: usize = 20;

/// The pages that were written into a folder. In the end it says which are left there
/// of an earlier run, perhaps of somebody who has left since.
struct WrittenPages {
    folder: PathBuf,
    names: BTreeSet<String>,
}

impl Drop for WrittenPages {
    fn drop(&mut self) {
        let others: BTreeSet<_> = self
            .folder
            .read_dir()
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| path_text(entry.file_name()))
            .filter(|name| name.ends_with(".html") && !self.names.contains(name))
            .collect();
        if !self.names.is_empty() && !others.is_empty() {
            let folder = self.folder.display();
            let text = format!(
                "{folder} has pages of an earlier run, perhaps of somebody who has left:"
            );
            let all = others.len();
            screen::notice_of_each(text, others.into_iter().take(MOST_NAMED), all);
        }
    }
}

impl ReportFormat {
    /// What it is called, as in "is not a log"; what its files begin with; and a mark
    /// near their beginning, which is empty where that is enough.
    fn marks(self) -> [&'static str; 3] {
        use ReportFormat::*;

        match self {
            Log => ["a log", LOG_START, ""],
            Html => ["an HTML report of gridjudge", HTML_START, ""],
            Junit => ["a JUnit report", "<", "<testsuite"],
            Sarif => ["a SARIF report", "{", "sarif"],
            Tap => ["a TAP report", "TAP version", ""],
            Markdown => ["a Markdown report of gridjudge", "## gridjudge: ", ""],
            Csv => [
                "a CSV report of gridjudge",
                "problem,submission,language,case,verdict,",
                "",
            ],
            Marks => ["a table of marks of gridjudge", marks::CSV_START, ""],
            Gradescope => {
                ["a report of gridjudge for Gradescope", "{", GRADESCOPE_MARK]
            }
            Classroom50 => ["a report for Classroom 50", "{", CLASSROOM50_SCHEMA],
            PrairieLearn => [
                "a report of gridjudge for PrairieLearn",
                PRAIRIELEARN_START,
                "",
            ],
            Autolab => ["a report of gridjudge for Autolab", AUTOLAB_START, ""],
            Vpl => ["a report for VPL", VPL_START, ""],
        }
    }

    /// Whether a file that starts with these bytes is a report of this kind.
    fn is_start(self, start: &[u8]) -> bool {
        let start = if self == Self::Log {
            without_mark(start)
        } else {
            start
        };
        let [_, first, mark] = self.marks();
        start.starts_with(first.as_bytes())
            && String::from_utf8_lossy(start).contains(mark)
    }

    /// A sink of this kind.
    fn sink(self, target: Box<dyn Write>, reveals: bool) -> Box<dyn Sink> {
        let autograder = match self {
            Self::Log => return Box::new(Log::new(target)),
            Self::Html => return written(target, Html::default()),
            Self::Junit => {
                return Box::new(Junit::new(target, repository::of_judge()));
            }
            Self::Sarif => {
                return written(target, Sarif::new(repository::of_judge()));
            }
            Self::Tap => return written(target, Tap::default()),
            Self::Markdown => return written(target, Markdown::default()),
            Self::Csv => return written(target, Csv::default()),
            Self::Marks => {
                return written(target, Marks::new(marks::marks_csv));
            }
            // What the systems say of the run has been checked before.
            Self::Gradescope => AutograderFormat::Gradescope,
            Self::Classroom50 => {
                let run = classroom_run().unwrap_or_default();
                AutograderFormat::Classroom50(Box::new(run))
            }
            Self::PrairieLearn => AutograderFormat::PrairieLearn,
            Self::Autolab => AutograderFormat::Autolab,
            Self::Vpl => AutograderFormat::Vpl(vpl_grades().unwrap_or_default()),
        };
        written(target, Autograder::new(autograder, reveals))
    }
}

fn written(
    target: Box<dyn Write>,
    report: impl SuiteReport + 'static,
) -> Box<dyn Sink> {
    Box::new(ReportWriter::new(target, report))
}

impl ReportTarget {
    /// The log, if one is requested.
    pub(crate) fn log(path: &Option<PathBuf>) -> impl Iterator<Item = Self> {
        path.clone().into_iter().map(|path| Self {
            format: ReportFormat::Log,
            path,
            reveals: false,
        })
    }

    /// Checks that all of these can be written without harm, beside other files that
    /// are read or written.
    ///
    /// # Errors
    /// A mistake for each file that is named twice, and for each that holds something
    /// else.
    fn check(targets: &[Self], others: &[&Path]) -> Result<(), Mistakes> {
        let mut places = BTreeSet::new();
        let mut mistakes: Vec<_> = others
            .iter()
            .filter_map(|other| mistake_if_taken(&mut places, other))
            .collect();
        for target in targets {
            mistakes.extend(
                mistake_if_taken(&mut places, &target.path)
                    .or_else(|| target.mistake_if_overwriting()),
            );
        }
        Mistakes::refuse(mistakes)
    }

    /// The mistake if writing the report would overwrite something else.
    fn mistake_if_overwriting(&self) -> Option<Mistake> {
        if let Err(mistake) = output::refuse_leading_out(&self.path) {
            return Some(mistake);
        }
        // An older report of the same kind, or an empty or missing file.
        let start = beginning(&self.path, START);
        if start.is_empty() || self.format.is_start(&start) {
            return None;
        }
        let [noun, ..] = self.format.marks();
        let what = if self.format == ReportFormat::Log {
            "log"
        } else {
            "report"
        };
        Some(Mistake::new(
            &self.path,
            format!("is not {noun}, and the new {what} would overwrite it"),
            format!("name another file for the {what}, or delete this one"),
        ))
    }

    pub(crate) fn is_stdout(&self) -> bool {
        output::is_stdout(&self.path)
    }

    /// The name of the target in error messages.
    pub(crate) fn name(&self) -> String {
        if self.is_stdout() {
            "standard output".to_owned()
        } else {
            path_text(&self.path)
        }
    }

    /// Starts writing the report. Paths in it are relative to the repository, in
    /// formats that need this.
    pub(crate) fn open(&self) -> io::Result<Box<dyn Sink>> {
        // A log can be read while it grows, and is useful even if the judge is killed;
        // a report is not.
        let appearance = match self.format {
            ReportFormat::Log => WriteMode::AsWritten,
            _ => WriteMode::AtTheEnd,
        };
        let output = OutputFile::create(&self.path, appearance)?;
        Ok(self.format.sink(Box::new(output), self.reveals))
    }
}

/// Checks that no two of these paths are the same file.
///
/// # Errors
/// A mistake for each file that is named again.
pub(crate) fn check_apart(paths: &[&Path]) -> Result<(), Mistakes> {
    ReportTarget::check(&[], paths)
}

/// The file from which GitHub's runner reads the summary of a step; `None` outside of
/// GitHub Actions.
pub(crate) fn step_summary() -> Option<PathBuf> {
    env::var_os("GITHUB_STEP_SUMMARY")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

/// Opens that file to add a section to it.
pub(crate) fn open_step_summary(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(path)
}

/// The mistake if the file was named before; otherwise records it.
fn mistake_if_taken(
    places: &mut BTreeSet<FileIdentity>,
    path: &Path,
) -> Option<Mistake> {
    // A device has no identity: any number of reports may go to one.
    let is_twice =
        FileIdentity::read_at(path).is_some_and(|place| !places.insert(place));
    is_twice.then(|| {
        Mistake::new(
            path,
            "appears twice",
            "name each file once; `--github` writes to `-`",
        )
    })
}

// What learning systems say of a run of their autograder in environment variables.
// Knows no report, only what each needs.

/// What Classroom 50 says of the run.
///
/// # Errors
/// A mistake that names all variables that are missing.
fn classroom_run() -> Result<ClassroomRun, Mistake> {
    let mut missing = vec![];
    let mut value = |names: &[&'static str]| {
        names
            .iter()
            .find_map(|name| variable(name))
            .unwrap_or_else(|| {
                missing.push(names[0]);
                String::new()
            })
    };
    let run = ClassroomRun {
        classroom: value(&["CLASSROOM"]),
        assignment: value(&["ASSIGNMENT"]),
        assignment_type: value(&["ASSIGNMENT_TYPE"]),
        owner: value(&["OWNER", "USERNAME"]),
        submission: value(&["SUBMISSION_TAG"]),
        commit: value(&["COMMIT_URL"]),
        release: value(&["RELEASE_URL"]),
        // As their own template has it.
        review: value(&["REVIEW_URL", "COMMIT_URL"]),
    };
    if missing.is_empty() {
        return Ok(run);
    }
    let missing = missing.join(", ");
    let message = format!("needs environment variables that are not set: {missing}");
    Mistake::refuse(
        "--classroom50",
        message,
        "run it from an `autograder.py` of Classroom 50, which has them, or set them",
    )
}

/// The least and the best grade of a task in VPL, or 0 and 100.
///
/// # Errors
/// A mistake for each variable that holds no number.
fn vpl_grades() -> Result<VplGrades, Mistakes> {
    let default = VplGrades::default();
    let grades = [
        ("VPL_GRADEMIN", default.least),
        ("VPL_GRADEMAX", default.best),
    ];
    let grades = Mistakes::of_all(grades.map(|(name, default)| {
        let Some(text) = variable(name) else {
            return Ok(default);
        };
        // Moodle may write it as its language does.
        text.replace(',', ".")
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| {
                let message =
                    format!("the environment variable {name} is no number: `{text}`");
                Mistake::about_file("--vpl", message).into()
            })
    }))?;
    Ok(VplGrades {
        least: grades[0],
        best: grades[1],
    })
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    let value = path_text(env::var_os(name)?);
    (!value.is_empty()).then_some(value)
}
