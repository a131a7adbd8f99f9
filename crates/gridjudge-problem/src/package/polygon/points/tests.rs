//! Tests of the points of Polygon packages.

use crate::model::CheckerPointsRule;
use crate::package::polygon::tests::{FILES, SPEC, needs, package, refused};
use crate::package::{Package, WantedPackage};

/// Returns the groups of a package with these lines about tests and groups:
/// `NAME points`, and the groups they require.
fn points(tests: &str, groups: &str) -> Vec<String> {
    let package =
        Package::read(package(&spec(tests, groups), &FILES).path()).unwrap();
    assert_eq!(package.unsupported(), []);
    package
        .scoring
        .groups
        .iter()
        .map(|group| {
            let requires = if group.requires.is_empty() {
                String::new()
            } else {
                format!(" after {:?}", group.requires)
            };
            format!("{} {}{requires}", group.name, group.case.accepted)
        })
        .collect()
}

#[test]
fn a_test_has_points_of_its_own_or_shares_those_of_its_group() {
    assert_eq!(
        points("<test points=\"2.5\"/><test points=\"7.5\"/>", ""),
        [" 0", "tests/01 2.5", "tests/02 7.5"]
    );
    let whole = "<group name=\"0\" points-policy=\"each-test\"/><group name=\"1\" points=\"100.0\" \
                 points-policy=\"complete-group\"><dependencies><dependency group=\"0\"/></dependencies></group>";
    assert_eq!(
        points(
            "<test group=\"0\" points=\"0.0\"/><test group=\"1\" points=\"100.0\"/>",
            whole
        ),
        [" 0", "group 0 0", "tests/01 0", "group 1 100 after [1]"]
    );
    assert_eq!(points("<test/><test/>", ""), [] as [&str; 0]);
}

#[test]
fn points_that_are_no_number_and_groups_that_come_later_are_reported() {
    let spec = |tests: &str, groups: &str| {
        SPEC.replace("<test method=\"manual\" sample=\"true\"/>", tests)
            .replace("</tests>", &format!("</tests>{groups}"))
    };
    assert_eq!(
        refused(&spec("<test points=\"many\"/>", "")),
        ["problem.xml:13: `points` must be a number, found `many`"]
    );
    let groups = "<groups><group name=\"1\"><dependencies><dependency group=\"2\"/></dependencies></group></groups>";
    assert_eq!(
        needs(&spec("<test points=\"1\" group=\"1\"/>", groups)),
        [
            "problem.xml:15: the package needs the group `2` before `1`, whose tests come later or are not there"
        ]
    );
}

/// The `problem.xml` of a package with these tests and groups.
fn spec(tests: &str, groups: &str) -> String {
    let default = "<test method=\"manual\" sample=\"true\"/>\n        <test cmd=\"gen 10 20\" method=\"generated\"/>";
    SPEC.replace(default, tests)
        .replace("</tests>", &format!("</tests><groups>{groups}</groups>"))
}

#[test]
fn the_points_of_a_whole_group_may_be_given_to_the_group_itself() {
    let whole = "<group name=\"1\" points=\"30.0\" points-policy=\"complete-group\"/>\
                 <group name=\"2\" points=\"70.0\" points-policy=\"complete-group\"/>";
    for zero in ["", " points=\"0.0\""] {
        let tests = format!("<test group=\"1\"{zero}/><test group=\"2\"{zero}/>");
        assert_eq!(points(&tests, whole), [" 0", "group 1 30", "group 2 70"]);
    }
    let tests =
        "<test group=\"1\" points=\"30.0\"/><test group=\"2\" points=\"60\"/>";
    assert_eq!(
        refused(&spec(tests, whole)),
        ["problem.xml:14: the group `2` has 70 points, and its tests have 60"]
    );
    let many = whole.replace("70.0", "many");
    assert_eq!(
        refused(&spec(&tests.replace("60", "0"), &many)),
        ["problem.xml:14: `points` must be a number, found `many`"]
    );
}

#[test]
fn checkers_may_give_percentages_of_the_points_of_a_test() {
    let tests = spec("<test points=\"60\"/><test points=\"40\"/>", "");
    for (attribute, rule) in [
        ("", CheckerPointsRule::AtMost),
        (
            "treat-points-from-checker-as-percent=\"true\" ",
            CheckerPointsRule::Percent,
        ),
        (
            "treat-points-from-checker-as-percent=\"false\" ",
            CheckerPointsRule::AtMost,
        ),
    ] {
        let spec = tests.replace("<judging ", &format!("<judging {attribute}"));
        let package = Package::read(package(&spec, &FILES).path()).unwrap();
        assert_eq!(package.scoring.groups[1].case.checker, rule, "{attribute}");
    }
}

#[test]
fn a_policy_that_polygon_does_not_have_is_noted_where_the_tests_give_the_points() {
    let groups = "<group name=\"0\" points-policy=\"complete-grup\"/>";
    let folder = package(
        &spec(
            "<test group=\"0\" points=\"1\"/><test group=\"0\" points=\"2\"/>",
            groups,
        ),
        &FILES,
    );
    let read = Package::read_as(&WantedPackage::Any, folder.path(), 100).unwrap();
    let said =
        "unknown `points-policy` `complete-grup`, so each test gives its own points";
    let slips: Vec<_> = read
        .slips()
        .iter()
        .map(|slip| slip.message.as_str())
        .collect();
    assert_eq!((slips, read.mistakes().len()), (vec![said], 0));
}
