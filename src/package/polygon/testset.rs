//! The tests of a package of Polygon, and the limits that stand with them. Start at [`PolygonTests::read`].

use std::time::Duration;

use crate::mistake::Mistake;
use crate::mistake::quoted;
use crate::model::Case;
use crate::model::Scoring;
use crate::package::polygon::points;
use crate::package::polygon::source_file::FULL_PACKAGE;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::xml::XmlElement;

/// The set that judges; others are for contests in two rounds.
const JUDGED: &str = "tests";

/// The most of each figure that is taken as meant: beyond it stand only typing errors.
const MOST_TESTS: u64 = 100_000;
const MOST_MILLISECONDS: u64 = 100_000_000;
const MOST_BYTES: u64 = 1 << 44;

/// Memory where the package's own figure cannot be read; such a package is refused.
const NO_FIGURE: u64 = 256 << 20;

/// The tests of a package, and its limits.
#[derive(Debug, Default)]
pub(super) struct PolygonTests {
    /// In their order, named by their files.
    pub(super) cases: Vec<Case>,
    /// What they are worth.
    pub(super) scoring: Scoring,
    /// Tests without an answer.
    pub(super) missing_answers: Vec<Mistake>,
    /// The time limit.
    pub(super) time: Option<Duration>,
    /// The memory limit, in bytes.
    pub(super) memory_bytes: u64,
}

/// Where the input and the answer of a test lie.
struct TestFiles<'d> {
    input: TestPattern<'d>,
    answer: TestPattern<'d>,
}

/// A name with the number of a test in it, as C's `printf` writes it: `tests/%02d.a`.
struct TestPattern<'d> {
    before: &'d str,
    /// The number has at least so many digits.
    digits: usize,
    after: &'d str,
}

impl PolygonTests {
    /// Reads the set of tests that judges.
    pub(super) fn read(judging: &XmlElement<'_>, tree: &PackageTree, notes: &mut ReadingNotes) -> Self {
        let sets: Vec<_> = judging.children("testset").collect();
        let judged = sets.iter().find(|set| set.attribute("name") == Some(JUDGED)).or(sets.first());
        let Some(set) = judged else {
            let mistake = judging.mistake("`<judging>` has no `<testset>`");
            notes.mistakes.push(mistake.with_remedy(FULL_PACKAGE));
            return Self::default();
        };
        let names = sets.iter().filter_map(|set| set.attribute("name"));
        for other in names.filter(|name| Some(*name) != set.attribute("name")) {
            notes.ignore(format!("the tests of `{other}`: only one set judges"));
        }
        let time = notes.take(set.number_of("time-limit", MOST_MILLISECONDS, "milliseconds"));
        let memory = notes.take(set.number_of("memory-limit", MOST_BYTES, "bytes"));
        let count = notes.take(set.number_of("test-count", MOST_TESTS, "a number of tests"));
        let files = notes.take(TestFiles::of(set));
        let mut found = Self {
            time: time.map(Duration::from_millis),
            memory_bytes: memory.unwrap_or(NO_FIGURE),
            ..Self::default()
        };
        if let (Some(count), Some(files)) = (count, files) {
            found.find(set, &files, count, tree, notes);
            found.scoring = points::scoring(set, &found.cases, notes);
        }
        found
    }

    /// Finds the files of all tests. What generators would have to make is missed.
    fn find(
        &mut self,
        set: &XmlElement<'_>,
        files: &TestFiles<'_>,
        count: u64,
        tree: &PackageTree,
        notes: &mut ReadingNotes,
    ) {
        let mut missing = Vec::new();
        for number in 1..=count {
            let name = files.input.name(number);
            let Some(input) = tree.file(&name) else {
                missing.push((number, name));
                continue;
            };
            let answer = tree.root.join(files.answer.name(number));
            if tree.file(&files.answer.name(number)).is_none() {
                let mistake = Mistake::of(input, "the test has no answer beside it");
                self.missing_answers.push(mistake.with_remedy(FULL_PACKAGE));
            }
            self.cases.push(Case { name: name.to_owned(), input: input.to_owned(), answer });
        }
        notes.mistakes.extend(missed(set, count, &missing));
    }
}

/// That tests are not in the package, with the command that makes the first of them.
fn missed(set: &XmlElement<'_>, count: u64, missing: &[(u64, String)]) -> Option<Mistake> {
    let (number, first) = missing.first()?;
    let mut tests = set.child("tests")?.children("test");
    let test = usize::try_from(*number - 1).ok().and_then(|index| tests.nth(index));
    let command = test.and_then(|test| test.attribute("cmd"));
    let made = command.map_or_else(String::new, |command| format!(", which {} makes", quoted(command)));
    let message =
        format!("{} of {count} tests are not in the package, the first is `{first}`{made}", missing.len());
    let remedy = "download the full package, or run its `doall.sh`: generators are not run here";
    Some(test.unwrap_or(*set).mistake(message).with_remedy(remedy))
}

impl<'d> TestFiles<'d> {
    fn of(set: &XmlElement<'d>) -> Result<Self, Mistake> {
        let pattern = |name| {
            let text = set.text_of(name);
            text.and_then(TestPattern::parse).ok_or_else(|| {
                let found = text.map_or_else(|| "nothing".to_owned(), quoted);
                let message = format!("`<{name}>` must be a name with `%d` or `%02d` in it, found {found}");
                set.mistake(message).with_remedy(format!("write `<{name}>tests/%02d</{name}>`"))
            })
        };
        Ok(Self { input: pattern("input-path-pattern")?, answer: pattern("answer-path-pattern")? })
    }
}

impl<'d> TestPattern<'d> {
    fn parse(text: &'d str) -> Option<Self> {
        let (before, behind) = text.split_once('%')?;
        let (digits, after) = behind.split_once('d')?;
        // What is missing may be written one day: never outside of the package.
        let is_inside = text.split('/').all(|part| !["", ".", ".."].contains(&part));
        let is_plain = digits.is_empty() || digits.starts_with('0') && digits.len() == 2;
        let digits = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        (is_inside && is_plain && !after.contains('%')).then_some(Self { before, digits, after })
    }

    fn name(&self, number: u64) -> String {
        format!("{}{number:0width$}{}", self.before, self.after, width = self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_with_one_number_in_it() {
        let name = |text, number| TestPattern::parse(text).map(|pattern| pattern.name(number));
        assert_eq!(name("tests/%02d", 7).as_deref(), Some("tests/07"));
        assert_eq!(name("tests/%02d.a", 123).as_deref(), Some("tests/123.a"));
        assert_eq!(name("t/%d.in", 7).as_deref(), Some("t/7.in"));
        for wrong in [
            "tests/01",
            "tests/%s",
            "tests/%2d",
            "%d/%d",
            "tests/%0d%",
            "%0999999999d",
            "%-1d",
            "../%d",
            "/tests/%d",
            "a//%d",
        ] {
            assert_eq!(name(wrong, 1), None, "{wrong}");
        }
    }
}
