//! Finds parts of a Polygon package that nothing reads and that may have been meant to
//! count: elements of `problem.xml` and attributes under unknown names, and tests
//! beyond the number of tests. Start at [`note_unread_parts`].

use std::collections::BTreeSet;

use crate::mistake::{misspelt, nearest, quoted};
use crate::package::polygon::{TestPattern, XmlElement};
use crate::text::counted;

/// The most unknown attributes that are noted.
const MOST_ATTRIBUTES: usize = 100;

/// The attributes of an element that Polygon writes, and the elements in it. If none are
/// named, nothing in it counts.
type KnownElement = (&'static str, &'static str);

const PROBLEM: KnownElement = (
    "revision short-name url",
    "names statements tutorials judging files assets properties stresses tags documents materials",
);

/// All others that have attributes or elements, each with its attributes and, after `|`,
/// the elements in it. One that means something else in another element has the name of
/// that before its own.
const ELEMENTS: &str = "\
names: | name
name: language value |
judging: cpu-name cpu-speed input-file output-file run-count treat-points-from-checker-as-percent | testset
testset: name | time-limit memory-limit test-count input-path-pattern output-path-pattern answer-path-pattern tests groups
tests: | test
test: cmd description from-file group input method output points sample verdict |
groups: | group
group: feedback-policy name points points-policy | dependencies
dependencies: | dependency
dependency: group |
files: | resources attachments executables
resources: | file
file: for-type for-types location path type | stages assets
stages: | stage
stage: name |
file/assets: | asset
asset: name |
executables: | executable
executable: | source binary
source: path type |
binary: path type |
assets: | checker interactor validators extra-validators solutions
checker: name type | source binary copy testset
copy: path type |
interactor: | source binary runs testset
runs: | run
validators: | validator
extra-validators: | validator
validator: | source binary testset
solutions: | solution
solution: tag | source binary extra-tags
extra-tags: | extra-tag
extra-tag: group tag testset |
tags: | tag
tag: value |
";

/// Notes unknown elements and tests that are not judged.
pub(super) fn note_unread_parts(problem: &XmlElement<'_>, judging: &XmlElement<'_>) {
    note_unknown(problem, PROBLEM, &mut BTreeSet::new());
    for set in judging.children("testset") {
        let listed = set.children("tests/test").count() as u64;
        if let Some(count) = stated_count(&set)
            && listed > 0
            && count != listed
        {
            let message =
                format!("`<test-count>` is {count}, and `<tests>` lists {listed}");
            set.tree.deviation(on_line_of(&set, &message));
        }
    }
    note_further_tests(judging);
}

/// Notes the attributes and elements of this one, at any depth, that are not among the
/// known. An element that is misspelt is a mistake: an `<interactr>` that was skipped
/// would leave a problem without its interactor. `noted` holds the attributes that have
/// been noted, each with its element.
fn note_unknown<'d>(
    element: &XmlElement<'d>,
    (attributes, children): KnownElement,
    noted: &mut BTreeSet<(&'d str, &'d str)>,
) {
    let attributes: Vec<_> = attributes.split_whitespace().collect();
    for name in element
        .attribute_names()
        .filter(|name| !attributes.contains(name))
    {
        if noted.len() >= MOST_ATTRIBUTES || !noted.insert((element.name(), name)) {
            continue;
        }
        let within = element.name();
        let message = format!("{} is not an attribute of `<{within}>`", quoted(name));
        // One that resembles a known one is a slip, since the element may mean something
        // else without it.
        if let Some(meant) = nearest(name, attributes.iter().copied()) {
            let remedy = format!(
                "did you mean `{meant}`? Correct the name, or delete the attribute"
            );
            element.tree.slip(element.mistake(message, remedy));
        } else {
            element.tree.ignore(on_line_of(element, &message));
        }
    }
    if children.is_empty() {
        return;
    }
    let children: Vec<_> = children.split_whitespace().collect();
    for child in element.elements() {
        if children.contains(&child.name()) {
            let own = format!("{}/{}", element.name(), child.name());
            let known = ELEMENTS.lines().find_map(|row| {
                let (name, known) = row.split_once(':')?;
                let is_it = name == own || name == child.name();
                known.split_once('|').filter(|_| is_it)
            });
            note_unknown(&child, known.unwrap_or_default(), noted);
            continue;
        }
        let message = format!(
            "{} is not an element of `<{}>`",
            quoted(child.name()),
            element.name()
        );
        match misspelt(child.name(), children.iter().copied()) {
            Some(meant) => {
                let remedy = format!(
                    "did you mean `<{meant}>`? Correct the name, or delete the element"
                );
                child.refuse(message, remedy);
            }
            None => {
                element.tree.ignore(on_line_of(&child, &message));
            }
        }
    }
}

fn on_line_of(element: &XmlElement<'_>, message: &str) -> String {
    format!("line {} of problem.xml: {message}", element.line())
}

/// How many tests a set says it has.
fn stated_count(set: &XmlElement<'_>) -> Option<u64> {
    set.text_of("test-count")?.parse().ok()
}

/// Notes files that are named like tests of a set, with numbers beyond the last test of
/// all sets so named.
fn note_further_tests(judging: &XmlElement<'_>) {
    let tree = judging.tree;
    let sets: Vec<_> = judging
        .children("testset")
        .filter_map(|set| {
            let pattern = TestPattern::from_set(&set, "input-path-pattern").ok()?;
            Some((pattern, stated_count(&set)?))
        })
        .collect();
    let further: Vec<_> = tree
        .files()
        .filter(|name| {
            // Named like tests of some sets, none of which has so many.
            let mut numbers = sets
                .iter()
                .filter_map(|(pattern, count)| {
                    Some((pattern.number_in(name)?, *count))
                })
                .peekable();
            numbers.peek().is_some() && numbers.all(|(number, count)| number > count)
        })
        .collect();
    let said = match further[..] {
        [] => {
            return;
        }
        [one] => {
            format!(
                "`{one}` is beyond the number of tests in `<test-count>`, and is not judged"
            )
        }
        [first, ref others @ ..] => format!(
            "`{first}` and {} are beyond the number of tests in `<test-count>`, and are not judged",
            counted(others.len(), "more file")
        ),
    };
    tree.pass_over(&said);
}

#[cfg(test)]
mod tests {
    use crate::package::polygon::tests::{FILES, SPEC, package, refused};
    use crate::package::{Package, WantedPackage};

    #[test]
    fn an_element_with_nearly_a_known_name_is_a_mistake_where_skipping_it_would_change_verdicts()
     {
        let interactor =
            "<interactr><source path=\"files/talk.cpp\"/></interactr><validators>";
        let said = refused(&SPEC.replace("<validators>", interactor));
        assert_eq!(
            said,
            ["problem.xml:23: `interactr` is not an element of `<assets>`"]
        );
        let said = refused(&SPEC.replace("test-count>", "test-counts>"));
        assert!(
            said.contains(
                &"problem.xml:5: `test-counts` is not an element of `<testset>`"
                    .to_owned()
            ),
            "{said:?}"
        );
    }

    #[test]
    fn a_misspelt_element_is_a_mistake_at_any_depth() {
        let group = |inner: &str| {
            format!("</tests><groups><group name=\"a\">{inner}</group></groups>")
        };
        for (from, to, name, parent) in [
            ("<tests>", "<tests><tst/>".to_owned(), "tst", "tests"),
            (
                "<validator/>",
                "<validatr/>".to_owned(),
                "validatr",
                "validators",
            ),
            (
                "<solutions>",
                "<solutions><soluton tag=\"main\"/>".to_owned(),
                "soluton",
                "solutions",
            ),
            ("</tests>", group("<dependncies/>"), "dependncies", "group"),
            (
                "</tests>",
                group("<dependencies><dependecy/></dependencies>"),
                "dependecy",
                "dependencies",
            ),
        ] {
            let said = refused(&SPEC.replacen(from, &to, 1));
            let expected = format!("`{name}` is not an element of `<{parent}>`");
            assert!(
                said.iter().any(|said| said.ends_with(&expected)),
                "{expected}: {said:?}"
            );
        }
    }

    #[test]
    fn other_unknown_elements_and_tests_beyond_the_last_are_named() {
        let spec = SPEC
            .replace("<assets>", "<assets><zebra/>")
            .replace("</problem>", "<owner/></problem>");
        let further = [
            ("tests/03", "1\n"),
            ("tests/03.a", "1\n"),
            ("tests/100", ""),
            ("tests/4", ""),
        ];
        let folder = package(&spec, &[&FILES[..], &further].concat());
        let read = Package::read(folder.path()).unwrap();
        let beyond = "`tests/03` and 1 more file are beyond the number of tests in \
                      `<test-count>`, and are not judged";
        assert_eq!(read.deviations(), [beyond]);
        for expected in [
            "`owner` is not an element of `<problem>`",
            "`zebra` is not an element of `<assets>`",
            beyond,
        ] {
            assert!(
                read.ignored().iter().any(|said| said.contains(expected)),
                "{:?}",
                read.ignored()
            );
        }
    }

    #[test]
    fn an_attribute_with_nearly_a_known_name_is_noted_and_the_package_is_judged() {
        let groups = "</tests><groups><group name=\"a\" points-polcy=\"complete-group\"/><group \
                      name=\"b\" points-polcy=\"each-test\" colour=\"red\"/></groups>";
        let spec = SPEC
            .replacen("</tests>", groups, 1)
            .replace("<solution tag=\"main\"", "<solution tga=\"x\" tag=\"main\"");
        let folder = package(&spec, &FILES);
        let read = Package::read_as(&WantedPackage::Any, folder.path(), 100).unwrap();
        assert_eq!(read.mistakes(), []);
        let slips: Vec<_> = read
            .slips()
            .iter()
            .map(|slip| (slip.line, slip.message.as_str()))
            .collect();
        assert_eq!(
            slips,
            [
                (Some(15), "`points-polcy` is not an attribute of `<group>`"),
                (Some(25), "`tga` is not an attribute of `<solution>`"),
            ]
        );
        let ignored =
            "line 15 of problem.xml: `colour` is not an attribute of `<group>`";
        assert!(read.ignored().contains(&ignored), "{:?}", read.ignored());
    }
}
