//! Reads the tests of a Polygon package, and the limits that are given with them. Start at
//! [`PolygonTests::read`].

use crate::sorted::{SortedMap, SortedSet};
use std::time::Duration;

use crate::mistake::Mistake;
use crate::model::{Case, Scoring};
use crate::package::polygon::missing_inputs::missing_tests;
use crate::package::polygon::source_file::FULL_PACKAGE;
use crate::package::polygon::{TestPattern, UnseenTest, XmlElement, points};
use crate::package::{MissingTest, PackageTree, ReadingNotes};

/// The test set that is judged; others are for contests with two rounds.
const JUDGED: &str = "tests";

/// The largest figures that are accepted; anything above is surely a typing error.
const MOST_TESTS: u64 = 100_000;
const MOST_MILLISECONDS: u64 = 100_000_000;
const MOST_BYTES: u64 = 1 << 44;

/// The memory limit if the package's own cannot be read; such a package is not judged.
const NO_FIGURE: u64 = 0;

/// The tests of a package, and its limits.
#[derive(Debug, Default)]
pub(super) struct PolygonTests {
    /// The tests with an input, in order, named by their files.
    pub(super) cases: Vec<Case>,
    /// The tests without an input.
    pub(super) missing: Vec<MissingTest>,
    /// The names of the tests that the statement shows.
    pub(super) samples: SortedSet<String>,
    /// The arguments of validators on each test, by its name.
    pub(super) validator_arguments: SortedMap<String, Vec<String>>,
    /// The points of the tests.
    pub(super) scoring: Scoring,
    /// The time limit.
    pub(super) time: Option<Duration>,
    /// The memory limit, in bytes.
    pub(super) memory_bytes: u64,
}

/// The patterns for the input and the answer of a test.
struct TestFiles<'d> {
    input: TestPattern<'d>,
    answer: TestPattern<'d>,
}

impl PolygonTests {
    /// Reads the test set that is judged.
    pub(super) fn read(
        problem: &XmlElement<'_>,
        judging: &XmlElement<'_>,
        tree: &PackageTree,
        notes: &mut ReadingNotes,
    ) -> Self {
        let sets: Vec<_> = judging.children("testset").collect();
        let judged = sets
            .iter()
            .find(|set| set.attribute("name") == Some(JUDGED))
            .or(sets.first());
        let Some(set) = judged else {
            let mistake = judging.mistake("`<judging>` has no `<testset>`");
            notes.mistake(mistake.with_remedy(FULL_PACKAGE));
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
            let all: Vec<_> = (1..=count).map(|number| files.case(number, tree)).collect();
            found.scoring = points::scoring(judging, set, &all, notes);
            let tests = set
                .child("tests")
                .into_iter()
                .flat_map(|tests| tests.children("test"));
            let shown = all
                .iter()
                .zip(tests)
                .filter(|(_, test)| test.attribute("sample") == Some("true"));
            found.samples = shown.map(|(case, _)| case.name.clone()).collect();
            found.validator_arguments = validator_arguments(set, &all);
            let unseen = found.find(set, all, tree);
            found.missing = missing_tests(unseen, count, (problem, set), tree, notes);
        }
        found
    }

    /// Sorts tests by whether their input is there. Returns those without one, with their elements.
    fn find<'d>(
        &mut self,
        set: &XmlElement<'d>,
        all: Vec<Case>,
        tree: &PackageTree,
    ) -> Vec<UnseenTest<'d>> {
        let mut tests = set
            .child("tests")
            .into_iter()
            .flat_map(|tests| tests.children("test"));
        let mut unseen = Vec::new();
        for case in all {
            let test = tests.next();
            if tree.lacks(&case.name) {
                unseen.push((case, test));
                continue;
            }
            self.cases.push(case);
        }
        unseen
    }
}

/// The arguments that Polygon's own scripts give to validators: the names of the set and of the
/// group.
fn validator_arguments(set: &XmlElement<'_>, all: &[Case]) -> SortedMap<String, Vec<String>> {
    let mut tests = set
        .child("tests")
        .into_iter()
        .flat_map(|tests| tests.children("test"));
    let testset = set.attribute("name").unwrap_or_default();
    all.iter()
        .map(|case| {
            let group = tests.next().and_then(|test| test.attribute("group"));
            (
                case.name.clone(),
                ["--testset", testset, "--group", group.unwrap_or_default()]
                    .map(str::to_owned)
                    .to_vec(),
            )
        })
        .collect()
}

impl<'d> TestFiles<'d> {
    fn of(set: &XmlElement<'d>) -> Result<Self, Mistake> {
        let input = "input-path-pattern";
        let answer = "answer-path-pattern";
        Ok(Self {
            input: TestPattern::of(set, input)?,
            answer: TestPattern::of(set, answer)?,
        })
    }

    /// Returns the case of a test, whether or not its files exist.
    fn case(&self, number: u64, tree: &PackageTree) -> Case {
        let name = self.input.name(number);
        Case {
            input: tree.root.join(&name),
            name,
            answer: tree.root.join(self.answer.name(number)),
        }
    }
}
