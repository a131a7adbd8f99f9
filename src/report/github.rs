//! Writes annotations for GitHub Actions: a workflow command for each mistake in a
//! problem and for each surprising submission. GitHub shows at most ten errors and ten
//! warnings of a step, so the tenth may summarise the rest.
//!
//! Logs contain paths relative to the folder of `judge.toml`, which may be elsewhere in
//! the repository; services that show a report beside the files need them from the
//! root, as [`Repository`] gives them.

use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use crate::model::{Event, MistakeRecord, SubmissionSummary, Tally};
use crate::report::{
    FirstItems, MistakeList, Sink, SubmissionState, SubmissionTracker, explain,
};
use crate::text::{JoinedTexts, one_line, path_text, printable, shortened};

/// The most annotations of one kind that GitHub shows of a step.
const MOST: usize = 10;

/// The most characters of an annotation.
const MOST_TEXT: usize = 4_000;

/// Writes events as workflow commands when the suite is over.
pub struct Github<W> {
    target: W,
    repository: Repository,
    tracker: SubmissionTracker,
    found: MistakeList<GithubAnnotation>,
    surprises: FirstItems<GithubAnnotation>,
    /// The first cause of a skipped submission.
    skipped: FirstItems<String>,
}

/// The content of an annotation.
#[derive(Clone, Default)]
struct GithubAnnotation {
    path: String,
    line: Option<u64>,
    title: String,
    message: String,
}

impl<W: Write> Github<W> {
    /// Annotations written to `target`, which a step of a workflow must print. They
    /// name files relative to the root of this repository.
    pub fn new(target: W, repository: Repository) -> Self {
        Self {
            target,
            repository,
            tracker: SubmissionTracker::default(),
            found: MistakeList::default(),
            surprises: FirstItems::default(),
            skipped: FirstItems::default(),
        }
    }

    fn finished(&mut self, summary: &SubmissionSummary) {
        let state = self.tracker.end().unwrap_or_default();
        if !summary.is_as_expected() {
            let repository = &self.repository;
            self.surprises.add(MOST, || {
                GithubAnnotation::of_surprise(summary, &state, repository)
            });
        }
    }

    fn mistake(&mut self, record: &MistakeRecord) {
        self.found.like(record).add(MOST, || GithubAnnotation {
            path: self.repository.seen(&record.file),
            line: record.line,
            title: format!(
                "{}: {}",
                record.problem,
                record.check.to_string().replace('_', " ")
            ),
            message: explain::details_of_mistake(record),
        });
    }

    fn write(&mut self, tally: &Tally, is_complete: bool) -> io::Result<()> {
        let kinds = [
            (&self.found.mistakes, "mistakes in problems"),
            (&self.surprises, "submissions not as expected"),
        ];
        together(kinds, MOST - usize::from(!is_complete))
            .iter()
            .try_for_each(|note| note.write(&mut self.target, "error"))?;
        if !is_complete {
            let message =
                "the judging was interrupted: this report is incomplete".to_owned();
            GithubAnnotation::of_all("gridjudge: incomplete", message)
                .write(&mut self.target, "error")?;
        }
        let skipped = self.skipped.kept.first().map(|cause| {
            let message = format!(
                "submissions that cannot be judged here: {}; {cause}",
                self.skipped.in_all
            );
            GithubAnnotation::of_all("gridjudge: skipped", message)
        });
        let flaky = (tally.flaky > 0).then(|| {
            let message = format!(
                "cases with different verdicts at different attempts: {}",
                tally.flaky
            );
            GithubAnnotation::of_all("gridjudge: flaky", message)
        });
        let of_judging: Vec<_> = skipped.into_iter().chain(flaky).collect();
        let warnings = [(&self.found.warnings, "warnings about problems")];
        together(warnings, MOST - of_judging.len())
            .iter()
            .chain(&of_judging)
            .try_for_each(|note| note.write(&mut self.target, "warning"))?;
        self.target.flush()
    }
}

/// All annotations of some kinds in order, or else as many as leave room for one that
/// counts the others.
fn together<const KINDS: usize>(
    kinds: [(&FirstItems<GithubAnnotation>, &str); KINDS],
    most: usize,
) -> Vec<GithubAnnotation> {
    let in_all: usize = kinds.iter().map(|(found, _)| found.in_all).sum();
    let mut room = if in_all > most { most - 1 } else { most };
    let mut all = Vec::new();
    let mut more = Vec::new();
    for (found, what) in kinds {
        let shown = found.kept.len().min(room);
        room -= shown;
        let left_out = found.in_all - shown;
        if left_out > 0 {
            more.push(format!("{what}, besides those above: {left_out}"));
        }
        all.extend_from_slice(&found.kept[..shown]);
    }
    if !more.is_empty() {
        all.push(GithubAnnotation::of_all(
            "gridjudge: and more",
            more.join("; "),
        ));
    }
    all
}

impl<W: Write> Sink for Github<W> {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.tracker.follow(event);
        match event {
            Event::TrialFinished(record) => {
                self.tracker.take_trial(record);
            }
            Event::SubmissionSkipped(skip) => {
                self.skipped
                    .add(1, || format!("{}: {}", skip.cause, skip.remedy));
            }
            Event::MistakeFound(record) => self.mistake(record),
            Event::SubmissionFinished(summary) => self.finished(summary),
            Event::SuiteFinished(tally) => self.write(tally, true)?,
            Event::SuiteInterrupted(tally) => self.write(tally, false)?,
            Event::SuiteStarted(_)
            | Event::SubmissionStarted(_)
            | Event::TrialFaulted(_) => {}
        }
        Ok(())
    }
}

impl GithubAnnotation {
    /// What went wrong with a submission.
    fn of_surprise(
        summary: &SubmissionSummary,
        state: &SubmissionState,
        repository: &Repository,
    ) -> Self {
        let expected = summary.expected.clone().unwrap_or_default();
        let fault = state.first_fault.as_ref();
        let decisive = state.rejected.decisive(summary).filter(|_| fault.is_none());
        let unmet = summary.unmet_in_words();
        let (title, message) = match (fault, decisive) {
            (Some((case, fault)), _) => {
                (format!("the judge failed on {case}"), fault.clone())
            }
            (None, Some(record)) => {
                let verdict = record.verdict;
                let meaning = verdict.meaning();
                let why = state.why(record);
                let details = shortened(&explain::details_of_trial(record), 2_000);
                let message = format!(
                    "{verdict} ({meaning}), expected {expected}{unmet}\n{why}\n{details}"
                );
                (format!("{verdict}{}", explain::on_case(record)), message)
            }
            (None, None) => {
                let earned = summary.earned();
                (
                    format!("{earned}, not {expected}"),
                    format!("expected {expected}, earned {earned}{unmet}"),
                )
            }
        };
        Self {
            path: match &*state.start.path {
                "" => String::new(),
                path => repository.seen(path),
            },
            line: decisive.and_then(explain::compiler_line),
            title: format!("{} {}: {title}", summary.problem, summary.submission),
            message,
        }
    }

    /// An annotation that belongs to no file.
    fn of_all(title: &str, message: String) -> Self {
        Self {
            title: title.to_owned(),
            message,
            ..Self::default()
        }
    }

    fn write(&self, target: &mut impl Write, level: &str) -> io::Result<()> {
        let mut properties = Vec::new();
        if !self.path.is_empty() {
            properties.push(format!("file={}", property(&self.path)));
        }
        if let Some(line) = self.line {
            properties.push(format!("line={line}"));
        }
        properties.push(format!("title={}", property(&self.title)));
        // Made printable line by line, so that only our own line ends remain.
        let message = shortened(self.message.trim_end(), MOST_TEXT);
        writeln!(
            target,
            "::{level} {}::{}",
            properties.join(","),
            data(&message.lines().map(printable).joined("\n"))
        )
    }
}

/// Text as the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Text as a property of a workflow command.
fn property(text: &str) -> String {
    data(&one_line(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

/// A repository, and the place of the judge's folder in it. By default they are the
/// same folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
    judge: PathBuf,
}

impl Repository {
    /// The repository at `root`, which contains the judge's folder; both are absolute
    /// and without links. `None` if the folder is not inside.
    pub fn around(judge: &Path, root: &Path) -> Option<Self> {
        let judge = judge.strip_prefix(root).ok()?.to_owned();
        Some(Self {
            root: root.to_owned(),
            judge,
        })
    }

    /// A path of a log, relative to the root; unchanged if it leads out of the
    /// repository.
    pub(crate) fn seen(&self, path: &str) -> String {
        self.inside(path).unwrap_or_else(|| path.to_owned())
    }

    fn inside(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        if path.is_absolute() {
            let is_known = self.root.is_absolute();
            return path
                .strip_prefix(&self.root)
                .ok()
                .filter(|_| is_known)
                .map(path_text);
        }
        let mut seen = PathBuf::new();
        for part in self.judge.join(path).components() {
            match part {
                Component::ParentDir => seen.pop().then_some(())?,
                Component::CurDir => {}
                other => seen.push(other),
            }
        }
        Some(path_text(&seen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(judge: &str, paths: &[&str]) -> Vec<String> {
        let repository =
            Repository::around(Path::new(judge), Path::new("/repository")).unwrap();
        paths.iter().map(|path| repository.seen(path)).collect()
    }

    #[test]
    fn paths_are_relative_to_the_root_of_the_repository() {
        let paths = ["problems/a.c", "../b.c", "./c.c", "/repository/d.c", ""];
        assert_eq!(
            seen("/repository/contest", &paths),
            [
                "contest/problems/a.c",
                "b.c",
                "contest/c.c",
                "d.c",
                "contest"
            ]
        );
        assert_eq!(seen("/repository", &paths[..1]), ["problems/a.c"]);
    }

    #[test]
    fn paths_outside_the_repository_are_unchanged() {
        let paths = ["../../a.c", "/elsewhere/b.c", "/repository-of-others/c.c"];
        assert_eq!(seen("/repository/contest", &paths), paths);
        assert_eq!(
            Repository::around(Path::new("/elsewhere"), Path::new("/repository")),
            None
        );
        assert_eq!(Repository::default().seen("/a/b.c"), "/a/b.c");
    }
}
