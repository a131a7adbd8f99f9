//! Finds parts of a Polygon package that nothing reads and that may have been meant to count: elements of
//! `problem.xml` under unknown names, and tests beyond the number of tests. Start at [`note`].

use crate::mistake::nearest;
use crate::mistake::quoted;
use crate::package::polygon::test_pattern::TestPattern;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::xml::XmlElement;
use crate::text::counted;

/// The elements that Polygon writes at the places where a misspelt one would change what is judged.
const PROBLEM: [&str; 11] = [
    "names",
    "statements",
    "tutorials",
    "judging",
    "files",
    "assets",
    "properties",
    "stresses",
    "tags",
    "documents",
    "materials",
];
const JUDGING: [&str; 1] = ["testset"];
const TESTSET: [&str; 8] = [
    "time-limit",
    "memory-limit",
    "test-count",
    "input-path-pattern",
    "output-path-pattern",
    "answer-path-pattern",
    "tests",
    "groups",
];
const ASSETS: [&str; 5] = ["checker", "interactor", "validators", "extra-validators", "solutions"];

/// Notes unknown elements and tests that are not judged.
pub(super) fn note(
    problem: &XmlElement<'_>,
    judging: &XmlElement<'_>,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) {
    note_unknown(problem, &PROBLEM, notes);
    note_unknown(judging, &JUDGING, notes);
    judging.children("testset").for_each(|set| note_unknown(&set, &TESTSET, notes));
    problem.children("assets").for_each(|assets| note_unknown(&assets, &ASSETS, notes));
    note_further_tests(judging, tree, notes);
}

/// Notes the elements in this one that are not among the known. One whose name is nearly a known one is a mistake:
/// an `<interactr>` that was skipped would leave a problem without its interactor.
fn note_unknown(parent: &XmlElement<'_>, known: &[&str], notes: &mut ReadingNotes) {
    for element in parent.elements().filter(|element| !known.contains(&element.name())) {
        let message = format!("{} is not an element of `<{}>`", quoted(element.name()), parent.name());
        match nearest(element.name(), known.iter().copied()) {
            Some(meant) => {
                let remedy = format!("did you mean `<{meant}>`? Correct the name, or delete the element");
                notes.mistakes.push(element.mistake(message).with_remedy(remedy));
            }
            None => notes.ignore(format!("line {} of problem.xml: {message}", element.line())),
        }
    }
}

/// Notes files that are named like tests of a set, with numbers beyond the last test of all sets so named.
fn note_further_tests(judging: &XmlElement<'_>, tree: &PackageTree, notes: &mut ReadingNotes) {
    let counted_set =
        |set: XmlElement<'_>| set.text_of("test-count").and_then(|count| count.parse::<u64>().ok());
    let sets = judging.children("testset").filter_map(|set| {
        let pattern = TestPattern::of(&set, "input-path-pattern").ok()?;
        Some((pattern, counted_set(set)?))
    });
    let sets: Vec<_> = sets.collect();
    let number_in = |name: &str| sets.iter().filter_map(|(pattern, _)| pattern.number_in(name)).next();
    let is_counted = |name: &str| {
        sets.iter().any(|(pattern, count)| pattern.number_in(name).is_some_and(|number| number <= *count))
    };
    let further: Vec<_> =
        tree.files().filter(|name| number_in(name).is_some() && !is_counted(name)).collect();
    let said = match further[..] {
        [] => return,
        [one] => format!("`{one}` is beyond the number of tests in `<test-count>`, and is not judged"),
        [first, ref others @ ..] => format!(
            "`{first}` and {} are beyond the number of tests in `<test-count>`, and are not judged",
            counted(others.len() as u64, "more file")
        ),
    };
    notes.remark(&*said);
    notes.ignore(said);
}

#[cfg(test)]
mod tests {
    use crate::package::Package;
    use crate::package::polygon::tests::FILES;
    use crate::package::polygon::tests::SPEC;
    use crate::package::polygon::tests::package;
    use crate::package::polygon::tests::refused;

    #[test]
    fn an_element_with_nearly_a_known_name_is_a_mistake_where_skipping_it_would_change_verdicts() {
        let interactor = "<interactr><source path=\"files/talk.cpp\"/></interactr><validators>";
        let said = refused(&SPEC.replace("<validators>", interactor));
        assert_eq!(said, ["problem.xml:23: `interactr` is not an element of `<assets>`"]);
        let said = refused(&SPEC.replace("test-count>", "test-counts>"));
        assert!(
            said.contains(&"problem.xml:5: `test-counts` is not an element of `<testset>`".to_owned()),
            "{said:?}"
        );
    }

    #[test]
    fn other_unknown_elements_and_tests_beyond_the_last_are_named() {
        let spec = SPEC.replace("<assets>", "<assets><zebra/>").replace("</problem>", "<owner/></problem>");
        let further = [("tests/03", "1\n"), ("tests/03.a", "1\n"), ("tests/100", ""), ("tests/4", "")];
        let folder = package(&spec, &[&FILES[..], &further].concat());
        let read = Package::read(folder.path()).unwrap();
        let beyond =
            "`tests/03` and 1 more file are beyond the number of tests in `<test-count>`, and are not judged";
        assert_eq!(read.remarks, [beyond]);
        for expected in
            ["`owner` is not an element of `<problem>`", "`zebra` is not an element of `<assets>`", beyond]
        {
            assert!(read.ignored.iter().any(|said| said.contains(expected)), "{:?}", read.ignored);
        }
    }
}
