//! The findings of package checks, as a list of errors, warnings and passed checks. Knows no particular
//! check.

use crate::cli::text_page::TextPage;

/// The most lines of each kind that are shown; the rest is counted.
const MOST_SHOWN: usize = 20;

/// The width of the column of kinds.
const WIDTH: usize = 7;

/// The findings of the checks of a package.
#[derive(Debug, Default)]
pub(crate) struct CheckList {
    errors: Vec<String>,
    warnings: Vec<String>,
    good: Vec<String>,
}

impl CheckList {
    /// Adds something that the format forbids, or a claim of the package that is not true.
    pub(crate) fn error(&mut self, text: String) {
        self.errors.push(text);
    }

    /// Adds something that is allowed but hardly intended.
    pub(crate) fn warning(&mut self, text: String) {
        self.warnings.push(text);
    }

    /// Adds a check that passed.
    pub(crate) fn good(&mut self, text: String) {
        self.good.push(text);
    }

    pub(crate) fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The list as text; `None` if there is nothing to show. A short list has only the errors.
    pub(crate) fn page(&self, heading: &str, is_short: bool) -> Option<String> {
        let all = [("error", &self.errors), ("warning", &self.warnings), ("ok", &self.good)];
        let kinds = if is_short { &all[..1] } else { &all[..] };
        if kinds.iter().all(|(_, texts)| texts.is_empty()) {
            return None;
        }
        let mut page = TextPage::default();
        page.heading(heading);
        for (kind, texts) in kinds {
            texts.iter().take(MOST_SHOWN).for_each(|text| page.row(kind, WIDTH, text));
            if let Some(more) = texts.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
                page.row(kind, WIDTH, &format!("and {more} more"));
            }
        }
        Some(page.finish().trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_first_and_a_short_list_has_nothing_else() {
        let mut list = CheckList::default();
        list.good("inputs".to_owned());
        assert_eq!(list.page("The package p", true), None);
        assert!(!list.is_wrong());
        list.warning("odd".to_owned());
        (0..22).for_each(|number| list.error(format!("wrong {number}")));
        let page = anstream::adapter::strip_str(&list.page("The package p", false).unwrap()).to_string();
        let lines: Vec<_> = page.lines().collect();
        assert_eq!(lines[..3], ["", "The package p", "  error    wrong 0"]);
        assert_eq!(lines[22..], ["  error    and 2 more", "  warning  odd", "  ok       inputs"]);
        assert!(list.is_wrong() && !list.page("The package p", true).unwrap().contains("odd"));
    }
}
