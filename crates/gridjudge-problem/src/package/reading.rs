//! Collects remarks while a package is read: mistakes, features that it needs and that
//! are not judged, and things that are ignored. Knows no format.

use std::path::{Path, PathBuf};

use crate::keys::{FilePlace, KeyDocument, KeyTable};
use crate::mistake::{BYTE_ORDER_MARK, Mistake, RemarkKind, WITHOUT_MARK};
use crate::package::PackageTree;

/// The remedy for a package that needs something that is not judged.
const REMEDY: &str = "judge it with the judge that it was made for; docs/packages.md lists what is judged here";

/// Notes what is found while a package is read.
impl PackageTree {
    /// Notes an unsupported feature that a place in a YAML file asks for.
    pub(crate) fn need(&self, map: &KeyTable, at: FilePlace, what: &str) {
        self.need_with(map.document.mistake(at, sentence(what), REMEDY));
    }

    /// Notes an unsupported feature that the presence of a file or folder asks for.
    pub(crate) fn need_of(&self, path: &Path, what: &str) {
        self.need_with(Mistake::about_file(path, sentence(what)));
    }

    /// Notes an unsupported feature that a line of a file asks for.
    pub(crate) fn need_on_line(&self, path: &Path, line: u64, what: &str) {
        self.need_with(Mistake::about_file(path, sentence(what)).on_line(line));
    }

    fn need_with(&self, need: Mistake) {
        self.add_remarks(RemarkKind::Unsupported, [need.with_remedy(REMEDY)]);
    }

    /// Notes something that is ignored.
    pub(crate) fn ignore(&self, what: impl Into<String>) {
        self.say(RemarkKind::Ignored, what);
    }

    /// Notes a deviation from the format that does not prevent judging.
    pub(crate) fn deviation(&self, what: impl Into<String>) {
        self.say(RemarkKind::Deviation, what);
    }

    /// Notes a sentence, without a full stop; repetitions are dropped.
    pub(crate) fn say(&self, kind: RemarkKind, what: impl Into<String>) {
        self.add_remarks(kind, [Mistake::about_file(&self.package_file, what)]);
    }

    /// Notes that a text which is not YAML begins with a byte order mark: judges take
    /// it for a part of the first word. Returns the text without it.
    pub(crate) fn without_mark<'t>(&self, path: &Path, text: &'t str) -> &'t str {
        let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) else {
            return text;
        };
        let message = "begins with a byte order mark, which DOMjudge takes for a part of the first word";
        self.mistake(Mistake::new(path, message, WITHOUT_MARK).on_line(1));
        rest
    }

    /// Returns the value that was read, or notes the mistake, unless the reader has
    /// noted it already.
    pub(crate) fn ok_or_note<T>(
        &self,
        read: Result<T, impl Into<Option<Mistake>>>,
    ) -> Option<T> {
        read.map_err(|mistake| self.mistakes(mistake.into())).ok()
    }

    /// Closes a file and notes what was found in it.
    pub(crate) fn close(&self, document: &KeyDocument) {
        self.remarks.borrow_mut().append(document.take_remarks());
    }

    /// Notes a mistake on which verdicts may depend.
    pub(crate) fn mistake(&self, mistake: Mistake) {
        self.mistakes([mistake]);
    }

    /// Notes what is wrong with a file or folder, on which verdicts may depend.
    pub(crate) fn refuse(
        &self,
        path: impl Into<PathBuf>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.mistake(Mistake::new(path, message, remedy));
    }

    /// Notes mistakes on which verdicts may depend.
    pub(crate) fn mistakes(&self, found: impl IntoIterator<Item = Mistake>) {
        self.add_remarks(RemarkKind::Mistake, found);
    }

    /// Whether there is a mistake on which verdicts may depend.
    pub(crate) fn is_mistaken(&self) -> bool {
        self.remarks.borrow().has(RemarkKind::Mistake)
    }

    /// Notes a mistake that no verdict depends on.
    pub(crate) fn slip(&self, mistake: Mistake) {
        self.add_remarks(RemarkKind::Slip, [mistake]);
    }

    /// Notes that a case has no answer.
    pub(crate) fn missing_answer(&self, mistake: Mistake) {
        self.add_remarks(RemarkKind::MissingAnswer, [mistake]);
    }

    /// Notes remarks of a kind.
    pub(crate) fn add_remarks(
        &self,
        kind: RemarkKind,
        found: impl IntoIterator<Item = Mistake>,
    ) {
        self.remarks.borrow_mut().add(kind, found);
    }
}

fn sentence(what: &str) -> String {
    format!("the package needs {what}, which gridjudge does not judge yet")
}
