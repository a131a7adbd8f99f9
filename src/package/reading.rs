//! What was found while a package was read, beside what it says: what is wrong, what it needs that is not judged, and what is
//! ignored. Knows no format.

use std::path::Path;

use crate::mistake::Mistake;
use crate::package::yaml::YamlDocument;
use crate::package::yaml::YamlPlace;

/// What to do about a package that needs more than is judged.
const REMEDY: &str =
    "judge it with the judge that it was made for; docs/packages.md lists what is judged here";

/// What was found while a package was read.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadingNotes {
    /// What is wrong.
    pub(super) mistakes: Vec<Mistake>,
    /// What the package needs and is not judged.
    pub(super) unsupported: Vec<Mistake>,
    /// What is there and counts for nothing here, a sentence each.
    pub(super) ignored: Vec<String>,
}

impl ReadingNotes {
    /// Notes that a package needs something, because a place of a file says so.
    pub(super) fn need(&mut self, document: &YamlDocument, at: YamlPlace, what: &str) {
        self.unsupported.push(document.mistake(at, sentence(what), REMEDY));
    }

    /// Notes that a package needs something, because a file or folder is there.
    pub(super) fn need_of(&mut self, path: &Path, what: &str) {
        self.unsupported.push(Mistake::of(path, sentence(what)).with_remedy(REMEDY));
    }

    /// Notes that a package needs something, because a line of a file says so.
    pub(super) fn need_on_line(&mut self, path: &Path, line: u64, what: &str) {
        self.unsupported.push(Mistake::of(path, sentence(what)).on_line(line).with_remedy(REMEDY));
    }

    /// Notes what is ignored, once.
    pub(super) fn ignore(&mut self, what: impl Into<String>) {
        let what = what.into();
        if !self.ignored.contains(&what) {
            self.ignored.push(what);
        }
    }

    /// Takes what reading gave, and notes what was wrong.
    pub(super) fn take<T>(&mut self, read: Result<T, Mistake>) -> Option<T> {
        read.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    /// The same of what may have told already what is wrong.
    pub(super) fn take_untold<T>(&mut self, read: Result<T, Option<Mistake>>) -> Option<T> {
        read.map_err(|mistake| self.mistakes.extend(mistake)).ok()
    }

    /// Closes a file: notes what was wrong in it.
    pub(super) fn close(&mut self, document: YamlDocument) {
        self.mistakes.extend(document.into_mistakes());
    }
}

fn sentence(what: &str) -> String {
    format!("the package needs {what}, which gridjudge does not judge yet")
}
