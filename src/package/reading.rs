//! Collects findings while a package is read: mistakes, features that it needs and that are not
//! judged, and things that are ignored. Knows no format.

use std::collections::HashSet;
use std::path::Path;

use crate::keys::{FilePlace, KeyDocument};
use crate::mistake::{BYTE_ORDER_MARK, Mistake, WITHOUT_MARK};

/// The remedy for a package that needs something that is not judged.
const REMEDY: &str =
    "judge it with the judge that it was made for; docs/packages.md lists what is judged here";

/// The findings about a package, beside its contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadingNotes {
    /// Mistakes in the package.
    pub(crate) mistakes: Vec<Mistake>,
    /// Mistakes that the judges of the format pass over, as gridjudge does: no verdict depends on
    /// them.
    pub(crate) slips: Vec<Mistake>,
    /// Whether some files of the package were refused, so that others may seem to lack something.
    pub(crate) lacks_files: bool,
    /// Features that the package needs and that are not judged.
    pub(crate) unsupported: Vec<Mistake>,
    /// Things that are there but ignored, a phrase each.
    pub(crate) ignored: DistinctTexts,
    /// Deviations from the format that do not prevent judging, a sentence each without a full stop.
    pub(crate) remarks: DistinctTexts,
}

/// Texts in the order in which they were added, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct DistinctTexts {
    texts: Vec<String>,
    known: HashSet<String>,
}

impl DistinctTexts {
    fn add(&mut self, text: String) {
        if self.known.insert(text.clone()) {
            self.texts.push(text);
        }
    }

    /// Returns the texts, and forgets them.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(self).texts
    }
}

impl ReadingNotes {
    /// Notes an unsupported feature that a place in a YAML file asks for.
    pub(crate) fn need(&mut self, document: &KeyDocument, at: FilePlace, what: &str) {
        self.unsupported
            .push(document.mistake(at, sentence(what), REMEDY));
    }

    /// Notes an unsupported feature that the presence of a file or folder asks for.
    pub(crate) fn need_of(&mut self, path: &Path, what: &str) {
        self.unsupported
            .push(Mistake::of(path, sentence(what)).with_remedy(REMEDY));
    }

    /// Notes an unsupported feature that a line of a file asks for.
    pub(crate) fn need_on_line(&mut self, path: &Path, line: u64, what: &str) {
        self.unsupported.push(
            Mistake::of(path, sentence(what))
                .on_line(line)
                .with_remedy(REMEDY),
        );
    }

    /// Notes something that is ignored; repetitions are dropped.
    pub(crate) fn ignore(&mut self, what: impl Into<String>) {
        self.ignored.add(what.into());
    }

    /// Notes a deviation that does not prevent judging; repetitions are dropped.
    pub(crate) fn remark(&mut self, what: impl Into<String>) {
        self.remarks.add(what.into());
    }

    /// Notes that a text which is not YAML begins with a byte order mark: judges take it for a part
    /// of the first word. Returns the text without it.
    pub(crate) fn without_mark<'t>(&mut self, path: &Path, text: &'t str) -> &'t str {
        let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) else {
            return text;
        };
        let message =
            "begins with a byte order mark, which DOMjudge takes for a part of the first word";
        self.mistakes.push(
            Mistake::of(path, message)
                .on_line(1)
                .with_remedy(WITHOUT_MARK),
        );
        rest
    }

    /// Returns the value that was read, or notes the mistake.
    pub(crate) fn take<T>(&mut self, read: Result<T, Mistake>) -> Option<T> {
        read.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    /// Like [`Self::take`], for readers that may have noted their mistake already.
    pub(crate) fn take_unless_noted<T>(&mut self, read: Result<T, Option<Mistake>>) -> Option<T> {
        read.map_err(|mistake| self.mistakes.extend(mistake)).ok()
    }

    /// Closes a file and notes what was found in it.
    pub(crate) fn close(&mut self, document: KeyDocument) {
        let found = document.into_findings();
        self.mistakes.extend(found.mistakes);
        self.slips.extend(found.slips);
        found
            .remarks
            .into_iter()
            .for_each(|remark| self.remark(remark));
    }

    /// Notes a mistake that no verdict depends on.
    pub(crate) fn slip(&mut self, mistake: Mistake) {
        self.slips.push(mistake);
    }
}

fn sentence(what: &str) -> String {
    format!("the package needs {what}, which gridjudge does not judge yet")
}
