//! Lists the submissions that could not be judged on this machine, once, with a line to copy that
//! installs what is missing.

use crate::sorted::{SortedMap, SortedSet};

use crate::model::Event;
use crate::text::{JoinedTexts, counted, printable};

/// Counts skipped submissions by what was missing.
#[derive(Default)]
pub(super) struct SkippedList {
    causes: SortedMap<(String, String), SkippedCause>,
    packages: SortedSet<String>,
}

#[derive(Default)]
struct SkippedCause {
    count: u64,
    /// What to do about it, if no package brings what is missing.
    remedy: Option<String>,
}

impl SkippedList {
    /// Adds a submission if it was skipped.
    pub(super) fn take(&mut self, event: &Event) {
        let Event::SubmissionSkipped {
            language,
            cause,
            remedy,
            package,
            ..
        } = event
        else {
            return;
        };
        let entry = self
            .causes
            .entry((language.clone(), cause.clone()))
            .or_default();
        entry.count += 1;
        match package {
            Some(package) => {
                let words = package.split_whitespace().map(str::to_owned);
                self.packages.extend(words);
            }
            None => entry.remedy = Some(remedy.clone()),
        }
    }

    /// The list, with an empty line after it; empty if nothing was skipped.
    pub(super) fn text(&self) -> String {
        if self.causes.is_empty() {
            return String::new();
        }
        let mut text = "skipped:\n".to_owned();
        for ((language, cause), SkippedCause { count, remedy }) in &self.causes {
            let submissions = counted(*count, "submission");
            let what = format!("{submissions} in {language}: {cause}");
            text += &format!("  {}\n", printable(&what));
            if let Some(remedy) = remedy {
                text += &format!("    hint: {}\n", printable(remedy));
            }
        }
        if !self.packages.is_empty() {
            let packages = self.packages.iter().map(|word| printable(word)).joined(" ");
            text += &format!("install what is missing, on Debian: `apt-get install {packages}`\n");
        }
        text + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skipped(language: &str, cause: &str, package: Option<&str>) -> Event {
        Event::SubmissionSkipped {
            problem: "p".into(),
            submission: "a".into(),
            language: language.to_owned(),
            cause: cause.to_owned(),
            remedy: "see that it works".to_owned(),
            package: package.map(str::to_owned),
            entrant: None,
        }
    }

    #[test]
    fn each_cause_is_named_once_and_all_packages_are_a_line_to_copy() {
        let mut list = SkippedList::default();
        assert_eq!(list.text(), "");
        for event in [
            skipped("Rust", "`rustc` is not installed", Some("rustc")),
            skipped(
                "Java",
                "`javac` is not installed",
                Some("default-jdk-headless"),
            ),
            skipped("Rust", "`rustc` is not installed", Some("rustc")),
            skipped(
                "Kotlin",
                "`kotlinc` is not installed",
                Some("kotlin default-jdk-headless"),
            ),
            skipped("Go", "a right program does not compile here\u{1b}", None),
        ] {
            list.take(&event);
        }
        assert_eq!(
            list.text(),
            "\
skipped:
  1 submission in Go: a right program does not compile here\\u{1b}
    hint: see that it works
  1 submission in Java: `javac` is not installed
  1 submission in Kotlin: `kotlinc` is not installed
  2 submissions in Rust: `rustc` is not installed
install what is missing, on Debian: `apt-get install default-jdk-headless kotlin rustc`

"
        );
    }
}
