//! What a check of a problem has found: a sentence, the file that it is about, and how
//! both are shown on the screen and in the log.

use std::collections::HashSet;
use std::io;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use crate::cli::{CommandOutcome, TextPage, screen};
use crate::mistake::Mistake;
use crate::model::{Event, MistakeRecord, MistakeSeverity, ProblemCheck};
use crate::report::Sink;
use crate::run;
use crate::spec::JudgeFolder;
use crate::text::path_text;

/// Something that a check has found.
#[derive(Clone, Debug)]
pub(crate) struct CheckFinding {
    pub(crate) check: ProblemCheck,
    /// The finding and its file.
    pub(crate) mistake: Mistake,
    /// The sentence on the screen.
    pub(crate) shown: String,
}

impl CheckFinding {
    /// A mistake in a file, which is shown with its path.
    pub(crate) fn from_mistake(check: ProblemCheck, mistake: Mistake) -> Self {
        Self {
            check,
            shown: mistake.to_string(),
            mistake,
        }
    }

    /// A sentence about a file, which need not name it.
    pub(crate) fn about(check: ProblemCheck, file: &Path, text: String) -> Self {
        Self {
            check,
            mistake: Mistake::about_file(file, text.clone()),
            shown: text,
        }
    }

    /// A sentence about a file that is shown by this name.
    pub(crate) fn in_file(
        check: ProblemCheck,
        file: &Path,
        name: &str,
        text: String,
    ) -> Self {
        Self {
            check,
            shown: format!("{name}: {text}"),
            mistake: Mistake::about_file(file, text),
        }
    }

    /// The same for the log.
    pub(crate) fn record(
        &self,
        problem: &str,
        severity: MistakeSeverity,
        folder: &JudgeFolder,
    ) -> MistakeRecord {
        let Mistake {
            path,
            line,
            message,
            remedy,
            ..
        } = &self.mistake;
        // Without a `judge.toml`, packages are named by paths relative to the current
        // folder.
        let shown = folder
            .find(problem)
            .map_or_else(|_| path.clone(), |found| found.shown_path(path));
        let file = run::relative_to(&folder.config.root, &shown);
        MistakeRecord {
            problem: problem.into(),
            check: self.check,
            severity,
            file: path_text(file),
            line: *line,
            message: message.clone(),
            remedy: remedy.clone(),
        }
    }
}

// The findings of package checks, as a list of mistakes, errors, warnings, ignored
// parts and passed checks. Knows no particular check.

/// The most mistakes that are shown; the rest is counted.
const MOST_MISTAKES: usize = 50;

/// The most lines of each kind that are shown; the rest is counted.
const MOST_SHOWN: usize = 20;

/// The width of the column of kinds.
const WIDTH: usize = 7;

/// The findings of the checks of a package.
#[derive(Debug, Default)]
pub(crate) struct CheckList {
    mistakes: Vec<CheckFinding>,
    /// The mistakes in that list, each of which is in it once.
    known: HashSet<Mistake>,
    errors: Vec<CheckFinding>,
    warnings: Vec<CheckFinding>,
    ignored: Vec<String>,
    good: Vec<String>,
}

impl CheckList {
    /// Adds a mistake in a file. Its path is shown relative to `root` if it is inside.
    pub(crate) fn mistake(&mut self, found: &CheckFinding, root: &Path) {
        if !self.known.insert(found.mistake.clone()) {
            return;
        }
        let path = &found.mistake.path;
        let below = path
            .strip_prefix(root)
            .ok()
            .filter(|below| !below.as_os_str().is_empty());
        let shown = Mistake {
            path: below.unwrap_or(path).to_owned(),
            ..found.mistake.clone()
        };
        self.mistakes.push(CheckFinding {
            shown: shown.to_string(),
            ..found.clone()
        });
    }

    /// Adds something that the format forbids, or a claim of the package that is not
    /// true.
    pub(crate) fn error(&mut self, found: CheckFinding) {
        self.errors.push(found);
    }

    /// Adds something that is allowed but hardly intended.
    pub(crate) fn warning(&mut self, found: CheckFinding) {
        self.warnings.push(found);
    }

    /// Adds a part of the package that nothing here reads.
    pub(crate) fn ignored(&mut self, text: String) {
        self.ignored.push(text);
    }

    /// Adds a check that passed.
    pub(crate) fn good(&mut self, text: String) {
        self.good.push(text);
    }

    /// The outcome of a command that only makes this list.
    pub(crate) fn outcome(&self) -> CommandOutcome {
        if self.mistakes.is_empty() {
            CommandOutcome::Surprising.when(!self.errors.is_empty())
        } else {
            CommandOutcome::Mistaken
        }
    }

    /// Everything that is not as it should be in a problem, in the order of the list,
    /// for the log.
    pub(crate) fn records(
        &self,
        problem: &str,
        folder: &JudgeFolder,
    ) -> impl Iterator<Item = MistakeRecord> {
        self.mistakes
            .iter()
            .chain(&self.errors)
            .map(move |found| found.record(problem, MistakeSeverity::Error, folder))
            .chain(self.warnings.iter().map(move |found| {
                found.record(problem, MistakeSeverity::Warning, folder)
            }))
    }

    /// The list as text; `None` if there is nothing to show. A short list has only
    /// mistakes and errors.
    pub(crate) fn page(&self, heading: &str, is_short: bool) -> Option<String> {
        let shown = |found: &[CheckFinding]| -> Vec<_> {
            found.iter().map(|found| found.shown.clone()).collect()
        };
        let all = [
            ("error", &shown(&self.errors)),
            ("warning", &shown(&self.warnings)),
            ("ignored", &self.ignored),
            ("ok", &self.good),
        ];
        let kinds = if is_short { &all[..1] } else { &all[..] };
        if self.mistakes.is_empty() && kinds.iter().all(|(_, texts)| texts.is_empty())
        {
            return None;
        }
        let mut page = TextPage::default();
        page.heading(heading);
        let mistakes = &self.mistakes[..self.mistakes.len().min(MOST_MISTAKES)];
        for (number, found) in mistakes.iter().enumerate() {
            page.row("error", WIDTH, &found.shown);
            let remedy = &found.mistake.remedy;
            // The same advice for consecutive mistakes is given once, after the last of
            // them.
            let is_repeated = mistakes
                .get(number + 1)
                .is_some_and(|next| next.mistake.remedy == *remedy);
            if let Some(remedy) = remedy
                && !is_repeated
            {
                page.remedy(4 + WIDTH, remedy);
            }
        }
        if let more @ 1.. = self.mistakes.len() - mistakes.len() {
            page.row("error", WIDTH, &format!("and {more} more"));
        }
        for (kind, texts) in kinds {
            for text in texts.iter().take(MOST_SHOWN) {
                page.row(kind, WIDTH, text);
            }
            if let more @ 1.. = texts.len().saturating_sub(MOST_SHOWN) {
                page.row(kind, WIDTH, &format!("and {more} more"));
            }
        }
        Some(page.finish().trim_end().to_owned())
    }

    /// Shows the list between these texts, in short with `--quiet`, if there is
    /// anything to show.
    pub(crate) fn show(
        &self,
        heading: &str,
        above: &str,
        below: &str,
    ) -> io::Result<()> {
        match self.page(heading, screen::is_quiet()) {
            Some(page) => {
                writeln!(screen::results(), "{above}{}{below}", page.trim_start())
            }
            None => Ok(()),
        }
    }
}

// Shows the mistakes in problems that a log has, a page for each problem, in the form
// in which `verify` shows them.

/// Collects the mistakes of a problem, and shows them when they are over.
#[derive(Default)]
pub(crate) struct MistakePages {
    current: Option<(Arc<str>, CheckList)>,
}

impl Sink for MistakePages {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let record = match event {
            Event::MistakeFound(record) => Some(record),
            _ => None,
        };
        let ended = self.current.take_if(|(problem, _)| {
            record.is_none_or(|record| record.problem != *problem)
        });
        if let Some((problem, list)) = ended {
            list.show(&format!("The problem {problem}"), "", "\n")?;
        }
        let Some(record) = record else {
            return Ok(());
        };
        let mistake = Mistake {
            line: record.line,
            remedy: record.remedy.clone(),
            ..Mistake::about_file(&record.file, record.message.clone())
        };
        let found = CheckFinding::from_mistake(record.check, mistake);
        let (_, list) = self.current.get_or_insert_with(|| {
            (Arc::clone(&record.problem), CheckList::default())
        });
        if record.is_error() {
            list.mistake(&found, Path::new(""))
        } else {
            list.warning(found)
        }
        Ok(())
    }
}

#[cfg(test)]
mod check_list_tests {
    use super::*;
    use crate::mistake::Mistake;
    use crate::model::ProblemCheck;

    fn found(text: &str) -> CheckFinding {
        CheckFinding::about(
            ProblemCheck::Format,
            Path::new("p/problem.yaml"),
            text.to_owned(),
        )
    }

    #[test]
    fn errors_come_first_and_a_short_list_has_nothing_else() {
        let mut list = CheckList::default();
        list.good("inputs".to_owned());
        list.ignored("a key".to_owned());
        assert_eq!(list.page("The package p", true), None);
        assert_eq!(list.outcome(), CommandOutcome::AsExpected);
        list.warning(found("odd"));
        for number in 0..22 {
            list.error(found(&format!("wrong {number}")));
        }
        let page =
            anstream::adapter::strip_str(&list.page("The package p", false).unwrap())
                .to_string();
        let lines: Vec<_> = page.lines().collect();
        assert_eq!(lines[..3], ["", "The package p", "  error    wrong 0"]);
        let rest = [
            "  error    and 2 more",
            "  warning  odd",
            "  ignored  a key",
            "  ok       inputs",
        ];
        assert_eq!(lines[22..], rest);
        assert_eq!(list.outcome(), CommandOutcome::Surprising);
        assert!(!list.page("The package p", true).unwrap().contains("odd"));
    }

    #[test]
    fn mistakes_come_before_everything_else_with_what_to_do() {
        let mut list = CheckList::default();
        list.error(found("wrong"));
        for line in [1, 2, 2] {
            let mistake = Mistake::about_file("p/a.yaml", "is odd")
                .on_line(line)
                .with_remedy("even it");
            list.mistake(
                &CheckFinding::from_mistake(ProblemCheck::Files, mistake),
                Path::new("p"),
            );
        }
        let page =
            anstream::adapter::strip_str(&list.page("The package p", true).unwrap())
                .to_string();
        let lines: Vec<_> = page.lines().skip(2).collect();
        let expected = [
            "  error    a.yaml:1: is odd",
            "  error    a.yaml:2: is odd",
            "           remedy: even it",
            "  error    wrong",
        ];
        assert_eq!(lines, expected);
        assert_eq!(list.outcome(), CommandOutcome::Mistaken);
    }
}
