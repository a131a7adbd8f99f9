//! The findings of package checks, as a list of mistakes, errors, warnings, ignored parts and
//! passed checks. Knows no particular check.

use std::collections::HashSet;
use std::path::Path;

use crate::cli::session::check_finding::CheckFinding;
use crate::cli::text_page::TextPage;
use crate::mistake::Mistake;
use crate::model::MistakeSeverity;

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
    /// Adds a mistake in a file. Its path is shown relative to `root`.
    pub(crate) fn mistake(&mut self, found: &CheckFinding, root: &Path) {
        let seen = found.seen_from(root);
        if self.known.insert(seen.mistake.clone()) {
            self.mistakes.push(seen);
        }
    }

    /// Adds something that the format forbids, or a claim of the package that is not true.
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

    pub(crate) fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether there are mistakes in files.
    pub(crate) fn is_mistaken(&self) -> bool {
        !self.mistakes.is_empty()
    }

    /// Everything that is not as it should be, in the order of the list.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (MistakeSeverity, &CheckFinding)> {
        let errors = self
            .mistakes
            .iter()
            .chain(&self.errors)
            .map(|found| (MistakeSeverity::Error, found));
        errors.chain(
            self.warnings
                .iter()
                .map(|found| (MistakeSeverity::Warning, found)),
        )
    }

    /// The list as text; `None` if there is nothing to show. A short list has only mistakes and
    /// errors.
    pub(crate) fn page(&self, heading: &str, is_short: bool) -> Option<String> {
        let shown =
            |found: &[CheckFinding]| found.iter().map(|found| found.shown.clone()).collect();
        let errors: Vec<_> = shown(&self.errors);
        let warnings: Vec<_> = shown(&self.warnings);
        let all = [
            ("error", &errors),
            ("warning", &warnings),
            ("ignored", &self.ignored),
            ("ok", &self.good),
        ];
        let kinds = if is_short { &all[..1] } else { &all[..] };
        if self.mistakes.is_empty() && kinds.iter().all(|(_, texts)| texts.is_empty()) {
            return None;
        }
        let mut page = TextPage::default();
        page.heading(heading);
        self.write_mistakes(&mut page);
        for (kind, texts) in kinds {
            texts
                .iter()
                .take(MOST_SHOWN)
                .for_each(|text| page.row(kind, WIDTH, text));
            if let Some(more) = texts.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
                page.row(kind, WIDTH, &format!("and {more} more"));
            }
        }
        Some(page.finish().trim_end().to_owned())
    }

    fn write_mistakes(&self, page: &mut TextPage) {
        let shown = &self.mistakes[..self.mistakes.len().min(MOST_MISTAKES)];
        for (number, found) in shown.iter().enumerate() {
            page.row("error", WIDTH, &found.shown);
            let remedy = &found.mistake.remedy;
            // The same advice for consecutive mistakes is given once, after the last of them.
            let is_repeated = shown
                .get(number + 1)
                .is_some_and(|next| next.mistake.remedy == *remedy);
            remedy
                .iter()
                .filter(|_| !is_repeated)
                .for_each(|remedy| page.remedy(4 + WIDTH, remedy));
        }
        if shown.len() < self.mistakes.len() {
            page.row(
                "error",
                WIDTH,
                &format!("and {} more", self.mistakes.len() - shown.len()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
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
        assert!(!list.is_wrong());
        list.warning(found("odd"));
        (0..22).for_each(|number| list.error(found(&format!("wrong {number}"))));
        let page =
            anstream::adapter::strip_str(&list.page("The package p", false).unwrap()).to_string();
        let lines: Vec<_> = page.lines().collect();
        assert_eq!(lines[..3], ["", "The package p", "  error    wrong 0"]);
        let rest = [
            "  error    and 2 more",
            "  warning  odd",
            "  ignored  a key",
            "  ok       inputs",
        ];
        assert_eq!(lines[22..], rest);
        assert!(list.is_wrong() && !list.page("The package p", true).unwrap().contains("odd"));
    }

    #[test]
    fn mistakes_come_before_everything_else_with_what_to_do() {
        let mut list = CheckList::default();
        list.error(found("wrong"));
        for line in [1, 2, 2] {
            let mistake = Mistake::of("p/a.yaml", "is odd")
                .on_line(line)
                .with_remedy("even it");
            list.mistake(
                &CheckFinding::of(ProblemCheck::Files, mistake),
                Path::new("p"),
            );
        }
        let page =
            anstream::adapter::strip_str(&list.page("The package p", true).unwrap()).to_string();
        let lines: Vec<_> = page.lines().skip(2).collect();
        let expected = [
            "  error    a.yaml:1: is odd",
            "  error    a.yaml:2: is odd",
            "           remedy: even it",
            "  error    wrong",
        ];
        assert_eq!(lines, expected);
        assert!(list.is_mistaken());
    }
}
