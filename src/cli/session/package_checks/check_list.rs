//! What checks have found, as a list: what is wrong, what is odd, what is well. Knows no check.

use crate::cli::text_page::TextPage;

/// Lines of each kind that are shown; the rest is counted.
const MOST_SHOWN: usize = 20;

/// The width of the column of kinds.
const WIDTH: usize = 7;

/// What checks have found.
#[derive(Debug, Default)]
pub(super) struct CheckList {
    errors: Vec<String>,
    warnings: Vec<String>,
    good: Vec<String>,
}

impl CheckList {
    /// Adds what the format forbids, or the package says of itself and is not so.
    pub(super) fn error(&mut self, text: String) {
        self.errors.push(text);
    }

    /// Adds what is allowed and hardly meant.
    pub(super) fn warning(&mut self, text: String) {
        self.warnings.push(text);
    }

    /// Adds what was checked and is well.
    pub(super) fn good(&mut self, text: String) {
        self.good.push(text);
    }

    pub(super) fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The list as it is shown; nothing if there is nothing to show. A short one has only what is
    /// wrong.
    pub(super) fn page(&self, id: &str, is_short: bool) -> Option<String> {
        let all = [("error", &self.errors), ("warning", &self.warnings), ("ok", &self.good)];
        let kinds = if is_short { &all[..1] } else { &all[..] };
        if kinds.iter().all(|(_, texts)| texts.is_empty()) {
            return None;
        }
        let mut page = TextPage::default();
        page.heading(&format!("The package {id}"));
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
    fn surprises_come_first_and_nothing_else_in_a_short_list() {
        let mut list = CheckList::default();
        list.good("inputs".to_owned());
        assert_eq!(list.page("p", true), None);
        assert!(!list.is_wrong());
        list.warning("odd".to_owned());
        (0..22).for_each(|number| list.error(format!("wrong {number}")));
        let page = anstream::adapter::strip_str(&list.page("p", false).unwrap()).to_string();
        let lines: Vec<_> = page.lines().collect();
        assert_eq!(lines[..3], ["", "The package p", "  error    wrong 0"]);
        assert_eq!(lines[22..], ["  error    and 2 more", "  warning  odd", "  ok       inputs"]);
        assert!(list.is_wrong() && !list.page("p", true).unwrap().contains("odd"));
    }
}
