//! Writes annotations for GitHub Actions: a workflow command for each mistake in a
//! problem and for each surprising submission. GitHub shows at most ten errors and ten
//! warnings of a step, so the tenth may summarise the rest.
//!
//! Logs contain paths relative to the folder of `judge.toml`, which may be elsewhere in
//! the repository; services that show a report beside the files need them from the
//! root, as [`Repository`] gives them.

use std::path::{Component, Path, PathBuf};

use crate::model::{Event, SubmissionSummary, Tally};
use crate::report::{
    FirstItems, MistakeList, SubmissionTracker, SuiteReport, explain,
};
use crate::text::{JoinedTexts, one_line, path_text, printable, shortened};

/// The most annotations of one kind that GitHub shows of a step.
const MOST: usize = 10;

/// The most characters of an annotation.
const MOST_TEXT: usize = 4_000;

/// Workflow commands, which are known when the suite is over.
#[derive(Default)]
pub struct Github {
    repository: Repository,
    tracker: SubmissionTracker,
    found: MistakeList<String>,
    surprises: FirstItems<String>,
    /// The first cause of a skipped submission.
    skipped: FirstItems<String>,
}

impl Github {
    /// Annotations, which a step of a workflow must print. They name files relative to
    /// the root of this repository.
    pub fn new(repository: Repository) -> Self {
        Self {
            repository,
            ..Self::default()
        }
    }

    /// Adds what went wrong with a submission.
    fn finished(&mut self, summary: &SubmissionSummary) {
        let state = self.tracker.end(summary);
        if summary.is_unjudged() {
            self.skipped.add(1, || summary.reason.clone());
        }
        if !summary.is_surprising() {
            return;
        }
        self.surprises.add(MOST, || {
            let expected = summary.expected.clone().unwrap_or_default();
            let fault = state.first_fault.as_ref();
            let decisive =
                state.rejected.decisive(summary).filter(|_| fault.is_none());
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
            let path = match &*state.start.path {
                "" => String::new(),
                path => self.repository.seen(path),
            };
            let line = decisive.and_then(explain::compiler_line);
            let title = format!("{} {}: {title}", summary.problem, summary.submission);
            command("error", &path, line, &title, &message)
        });
    }
}

impl SuiteReport for Github {
    fn follow(&mut self, event: &Event) {
        use Event::*;

        self.tracker.follow(event);
        match event {
            TrialFinished(record) => {
                self.tracker.take_trial(record);
            }
            SubmissionSkipped(skip) => {
                self.skipped
                    .add(1, || format!("{}: {}", skip.cause, skip.remedy));
            }
            MistakeFound(record) => {
                self.found.like(record).add(MOST, || {
                    let check = record.check.to_string().replace('_', " ");
                    command(
                        if record.is_error() {
                            "error"
                        } else {
                            "warning"
                        },
                        &self.repository.seen(&record.file),
                        record.line,
                        &format!("{}: {check}", record.problem),
                        &explain::details_of_mistake(record),
                    )
                });
            }
            SubmissionFinished(summary) => self.finished(summary),
            _ => {}
        }
    }

    fn text(&mut self, tally: &Tally, is_interrupted: bool) -> String {
        let kinds = [
            (&self.found.mistakes, "mistakes in problems"),
            (&self.surprises, "submissions not as expected"),
        ];
        let mut all = together("error", &kinds, MOST - usize::from(is_interrupted));
        if is_interrupted {
            let message = "the judging was interrupted: this report is incomplete";
            all.push(command("error", "", None, "gridjudge: incomplete", message));
        }
        let skipped = self.skipped.kept.first().map(|cause| {
            let skipped = self.skipped.in_all;
            let message =
                format!("submissions without a verdict: {skipped}; {cause}");
            command("warning", "", None, "gridjudge: skipped", &message)
        });
        let flaky = (tally.flaky > 0).then(|| {
            let flaky = tally.flaky;
            let message = format!(
                "cases with different verdicts at different attempts: {flaky}"
            );
            command("warning", "", None, "gridjudge: flaky", &message)
        });
        let of_judging: Vec<_> = skipped.into_iter().chain(flaky).collect();
        let warnings = [(&self.found.warnings, "warnings about problems")];
        all.extend(together("warning", &warnings, MOST - of_judging.len()));
        all.extend(of_judging);
        all.concat()
    }
}

/// Annotations for what is worse than in an earlier run: a line for each change.
pub fn annotations_of_changes(changes: impl Iterator<Item = String>) -> String {
    let mut worse = FirstItems::default();
    for change in changes {
        worse.add(MOST, || {
            command("error", "", None, "gridjudge: worse than before", &change)
        });
    }
    together("error", &[(&worse, "changes for the worse")], MOST).concat()
}

/// All annotations of some kinds in order, or else as many as leave room for one that
/// counts the others.
fn together(
    level: &str,
    kinds: &[(&FirstItems<String>, &str)],
    most: usize,
) -> Vec<String> {
    let in_all: usize = kinds.iter().map(|(found, _)| found.in_all).sum();
    let mut room = if in_all > most { most - 1 } else { most };
    let mut all = vec![];
    let mut more = vec![];
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
        let more = more.join("; ");
        all.push(command(level, "", None, "gridjudge: and more", &more));
    }
    all
}

/// The line of an annotation, which belongs to a file if there is a path.
fn command(
    level: &str,
    path: &str,
    line: Option<u64>,
    title: &str,
    message: &str,
) -> String {
    let mut properties = vec![];
    if !path.is_empty() {
        properties.push(format!("file={}", property(path)));
    }
    if let Some(line) = line {
        properties.push(format!("line={line}"));
    }
    properties.push(format!("title={}", property(title)));
    // Made printable line by line, so that only our own line ends remain.
    let message = shortened(message.trim_end(), MOST_TEXT);
    format!(
        "::{level} {}::{}\n",
        properties.join(","),
        data(&message.lines().map(printable).joined("\n"))
    )
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
