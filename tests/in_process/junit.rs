//! Checks JUnit reports against the schema that Jenkins' xUnit plugin uses
//! (`junit-10.xsd`), and how each report shows a submission that does not compile.

use gridjudge::report::{
    Github, Html, Junit, LogReader, ReportWriter, Repository, Sarif, Sink, Tap,
};
use roxmltree::{Document, Node};

/// The rules of the schema for an element: its name, the attributes that it must have,
/// those that it may have, and the elements that it may contain. Those may be repeated
/// in any order, except in an element of [`IN_ORDER`].
struct Element {
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
}

const fn element(
    name: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    children: &'static [&'static str],
) -> Element {
    Element {
        name,
        required,
        optional,
        children,
    }
}

const OUTCOME: &[&str] = &["type", "message"];
const RERUN: &[&str] = &["stackTrace", "system-out", "system-err"];

const SCHEMA: [Element; 15] = [
    element(
        "testsuites",
        &[],
        &["name", "time", "tests", "failures", "errors"],
        &["testsuite"],
    ),
    element(
        "testsuite",
        &["name", "tests", "failures", "errors"],
        &[
            "group",
            "time",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
            "file",
            "log",
            "url",
        ],
        &[
            "testsuite",
            "properties",
            "testcase",
            "system-out",
            "system-err",
        ],
    ),
    element(
        "testcase",
        &["name"],
        &["time", "classname", "group"],
        &[
            "skipped",
            "error",
            "failure",
            "rerunFailure",
            "rerunError",
            "flakyFailure",
            "flakyError",
            "system-out",
            "system-err",
        ],
    ),
    element("failure", &[], OUTCOME, &[]),
    element("error", &[], OUTCOME, &[]),
    element("skipped", &[], OUTCOME, &[]),
    element("rerunFailure", &["type"], &["message"], RERUN),
    element("rerunError", &["type"], &["message"], RERUN),
    element("flakyFailure", &["type"], &["message"], RERUN),
    element("flakyError", &["type"], &["message"], RERUN),
    element("properties", &[], &[], &["property"]),
    element("property", &["name", "value"], &[], &[]),
    element("stackTrace", &[], &[], &[]),
    element("system-out", &[], &[], &[]),
    element("system-err", &[], &[], &[]),
];

/// Elements whose children may occur only once each, in the order of [`SCHEMA`].
const IN_ORDER: [&str; 4] =
    ["rerunFailure", "rerunError", "flakyFailure", "flakyError"];

/// Elements that may contain text, with or without child elements.
const WITH_TEXT: [&str; 10] = [
    "failure",
    "error",
    "skipped",
    "rerunFailure",
    "rerunError",
    "flakyFailure",
    "flakyError",
    "stackTrace",
    "system-out",
    "system-err",
];

/// Violations of the schema by an element and its descendants.
fn violations(node: Node<'_, '_>) -> Vec<String> {
    let name = node.tag_name().name();
    let Some(rule) = SCHEMA.iter().find(|rule| rule.name == name) else {
        return vec![format!("no element is called `{name}`")];
    };
    let children: Vec<_> = node.children().filter(Node::is_element).collect();
    let within = children.iter().flat_map(|child| violations(*child));
    [
        attribute_violations(node, rule),
        content_violations(node, rule),
    ]
    .into_iter()
    .flatten()
    .chain(within)
    .collect()
}

fn attribute_violations(node: Node<'_, '_>, rule: &Element) -> Vec<String> {
    let name = rule.name;
    let missing = rule
        .required
        .iter()
        .filter(|key| node.attribute(**key).is_none());
    let mut found: Vec<_> = missing
        .map(|key| format!("`{name}` has no `{key}`"))
        .collect();
    for attribute in node.attributes() {
        let key = attribute.name();
        if !rule.required.contains(&key) && !rule.optional.contains(&key) {
            found.push(format!("`{name}` may not have `{key}`"));
        }
        // The time of a test case may be any text.
        if key == "time" && name != "testcase" && !is_time(attribute.value()) {
            found.push(format!("`{}` is no time", attribute.value()));
        }
    }
    found
}

/// Whether a text consists of digits with at most one point. The schema also allows
/// commas between thousands, which we do not write.
fn is_time(text: &str) -> bool {
    text.split('.').count() <= 2
        && text
            .split('.')
            .all(|part| part.chars().all(|letter| letter.is_ascii_digit()))
}

fn content_violations(node: Node<'_, '_>, rule: &Element) -> Vec<String> {
    let name = rule.name;
    let mut found = vec![];
    if !WITH_TEXT.contains(&name)
        && node.children().any(|child| {
            child.is_text() && !child.text().unwrap_or_default().trim().is_empty()
        })
    {
        found.push(format!("`{name}` holds text"));
    }
    let held: Vec<_> = node
        .children()
        .filter(Node::is_element)
        .map(|child| child.tag_name().name())
        .collect();
    let place = |held: &str| rule.children.iter().position(|child| *child == held);
    let stray = held.iter().filter(|held| place(held).is_none());
    found.extend(stray.map(|held| format!("`{name}` may not hold `{held}`")));
    if IN_ORDER.contains(&name)
        && !held.is_sorted_by(|one, next| place(one) < place(next))
    {
        found.push(format!("`{name}` holds {held:?}, twice or out of order"));
    }
    found
}

const LIMITS: &str = r#"{"cpu_us":1000000,"wall_us":2000000,"memory_bytes":1000000,"output_bytes":100000,"processes":9}"#;

/// The messages of a C compiler about a source with a warning before its error.
const COMPILER_MESSAGES: &str = "x.c: In function 'main':\nx.c:2:9: warning: unused variable 'a'\nx.c:4:14: error: expected ';'\n";

fn started(submission: &str, expected: &str) -> String {
    format!(
        r#"{{"event":"submission_started","problem":"p","submission":"{submission}","path":"p/{submission}","language":"C",{expected}"limits":{LIMITS}}}"#
    )
}

fn trial(submission: &str, case: &str, verdict: &str, more: &str) -> String {
    format!(
        r#"{{"event":"trial_finished","problem":"p","submission":"{submission}","case":"{case}","verdict":"{verdict}"{more}}}"#
    )
}

fn finished(submission: &str, verdict: &str, more: &str) -> String {
    format!(
        r#"{{"event":"submission_finished","problem":"p","submission":"{submission}","language":"C","verdict":{verdict},"passed":0,"cases":2,"faults":0,"slowest_cpu_us":1,"peak_memory_bytes":1{more}}}"#
    )
}

/// An incomplete log with everything that a report can show.
fn log() -> String {
    let run = r#","cpu_us":1234567,"wall_us":2,"peak_memory_bytes":4096"#;
    let attempt = |verdict: &str| {
        format!(
            r#"{{"verdict":"{verdict}","cpu_us":7,"wall_us":7,"peak_memory_bytes":7}}"#
        )
    };
    let attempts = [attempt("AC"), attempt("WA"), attempt("RE")].join(",");
    let flaky = format!(r#"{run},"attempts":[{attempts}]"#);
    let stderr_field = format!(
        r#","stderr":{}"#,
        serde_json::to_string(COMPILER_MESSAGES).unwrap()
    );
    let lines = [
        r#"{"event":"suite_started","log_version":2,"gridjudge":"0","sandbox":"full","notes":[],"started":"2026-11-21T20:24:06Z","jobs":1,"submissions":5,"trials":9}"#.to_owned(),
        r#"{"event":"mistake_found","problem":"p","check":"files","severity":"error","file":"p/problem.yaml","line":5,"message":"is odd","remedy":"even it"}"#.to_owned(),
        r#"{"event":"mistake_found","problem":"p","check":"cases","severity":"warning","file":"p/1.in","message":"is empty"}"#.to_owned(),
        r#"{"event":"mistake_found","problem":"q","check":"proof","severity":"error","file":"q/1.in","message":"has two solutions"}"#.to_owned(),
        started("a.c", ""),
        trial("a.c", "sample/1", "AC", run),
        trial("a.c", "sample/2", "WA", &flaky),
        finished("a.c", r#""WA""#, ""),
        started("wrong.c", r#""expected":"WA","#),
        trial("wrong.c", "sample/1", "WA", &flaky),
        trial("wrong.c", "sample/2", "SK", ""),
        finished("wrong.c", r#""WA""#, r#","expected":"WA""#),
        started("x.c", ""),
        trial("x.c", "sample/1", "CE", &stderr_field),
        trial("x.c", "sample/2", "SK", ""),
        finished("x.c", r#""CE""#, ""),
        r#"{"event":"submission_skipped","problem":"p","submission":"y.q","language":"Q","cause":"no q","remedy":"install it"}"#.to_owned(),
        started("f.c", ""),
        r#"{"event":"trial_faulted","problem":"p","submission":"f.c","case":"sample/1","doing":"starting it","cause":"no","remedy":"mend it"}"#.to_owned(),
        trial("f.c", "sample/2", "SK", ""),
    ];
    lines.join("\n") + "\n"
}

fn written<'a, S: Sink>(
    target: &'a mut Vec<u8>,
    sink: impl FnOnce(&'a mut Vec<u8>) -> S,
) {
    let mut sink = sink(target);
    let log = log();
    for event in LogReader::open(log.as_bytes()).unwrap() {
        sink.take_event(&event.unwrap()).unwrap();
    }
}

macro_rules! report {
    ($sink:expr) => {{
        let mut target = vec![];
        written(&mut target, $sink);
        String::from_utf8(target).unwrap()
    }};
}

#[test]
fn a_report_of_everything_fits_the_schema_of_jenkins() {
    let xml = report!(|target| Junit::new(target, Repository::default()));
    let page = Document::parse(&xml).unwrap();
    assert_eq!(violations(page.root_element()), [] as [&str; 0], "{xml}");
    for element in [
        "failure",
        "error",
        "skipped",
        "rerunFailure",
        "flakyFailure",
        "system-out",
    ] {
        assert!(
            page.descendants().any(|node| node.has_tag_name(element)),
            "there is no {element} in it"
        );
    }
    assert!(
        xml.contains(r#"<skipped message="the judge failed on an earlier case"/>"#)
    );
    let beside = |node: Node<'_, '_>, tag: &str| {
        node.children().any(|child| child.has_tag_name(tag))
    };
    for case in page
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
    {
        assert!(
            !(beside(case, "failure") && beside(case, "flakyFailure")),
            "a case that failed is not flaky"
        );
    }
}

/// The outcome that GitLab shows for a case: the first of these elements that it
/// contains, or success. GitLab identifies a case by class and name and shows only one
/// of several with the same. Source: `lib/gitlab/ci/parsers/test/junit.rb` and
/// `lib/gitlab/ci/reports/test_case.rb` in GitLab.
fn outcome_at_gitlab(case: Node<'_, '_>) -> &'static str {
    ["failure", "error", "skipped"]
        .into_iter()
        .find(|outcome| case.children().any(|child| child.has_tag_name(*outcome)))
        .unwrap_or("success")
}

#[test]
fn gitlab_shows_every_mistake_and_trial_once_with_its_outcome() {
    let xml = report!(|target| Junit::new(target, Repository::default()));
    let page = Document::parse(&xml).unwrap();
    let cases = page
        .descendants()
        .filter(|node| node.has_tag_name("testcase"));
    let shown: Vec<_> = cases
        .map(|case| {
            // GitLab finds cases in suites, at any depth, below one root.
            assert!(
                case.parent()
                    .is_some_and(|suite| suite.has_tag_name("testsuite"))
            );
            let name = |key: &str| case.attribute(key).unwrap();
            format!(
                "{} {}: {}",
                name("classname"),
                name("name"),
                outcome_at_gitlab(case)
            )
        })
        .collect();
    let expected = [
        "p.problem p/problem.yaml:5: is odd: failure",
        "p.problem p/1.in: is empty: success",
        "q.problem q/1.in: has two solutions: failure",
        "p.a.c sample/1: success",
        "p.a.c sample/2: failure",
        "p.wrong.c sample/1: success",
        "p.wrong.c sample/2: skipped",
        "p.wrong.c earns WA: success",
        "p.x.c compilation: failure",
        "p.x.c sample/2: skipped",
        "p.y.q made ready: skipped",
        "p.f.c sample/1: error",
        "p.f.c sample/2: skipped",
        "gridjudge.judging complete: error",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn the_schema_check_finds_violations() {
    for (xml, objection) in [
        (
            "<testsuites skipped='1'/>",
            "`testsuites` may not have `skipped`",
        ),
        (
            "<testsuite name='a' tests='1' failures='0'/>",
            "`testsuite` has no `errors`",
        ),
        (
            "<testcase name='a'><properties/></testcase>",
            "`testcase` may not hold `properties`",
        ),
        (
            "<testcase name='a' file='b'/>",
            "`testcase` may not have `file`",
        ),
        (
            "<testcase name='a'>text</testcase>",
            "`testcase` holds text",
        ),
        ("<testsuites time='1e9'/>", "`1e9` is no time"),
        ("<testsuites time='1.2.3'/>", "`1.2.3` is no time"),
        (
            "<property name='a' value='b'>text</property>",
            "`property` holds text",
        ),
        (
            "<flakyError type='a'><system-out/><stackTrace/></flakyError>",
            "`flakyError` holds [\"system-out\", \"stackTrace\"], twice or out of order",
        ),
        ("<stray/>", "no element is called `stray`"),
    ] {
        assert_eq!(
            violations(Document::parse(xml).unwrap().root_element()),
            [objection]
        );
    }
}

#[test]
fn a_compile_error_is_reported_with_the_first_error_and_its_line_and_without_a_case()
{
    let headline = "line 4: error: expected ';'";
    let xml = report!(|target| Junit::new(target, Repository::default()));
    let page = Document::parse(&xml).unwrap();
    let names: Vec<_> = page
        .descendants()
        .filter(|node| {
            node.has_tag_name("testcase")
                && node.attribute("classname") == Some("p.x.c")
        })
        .map(|case| {
            let child = case.first_element_child().unwrap();
            (
                case.attribute("name").unwrap(),
                child.tag_name().name(),
                child.attribute("message").unwrap(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("compilation", "failure", headline),
            ("sample/2", "skipped", "it does not compile")
        ]
    );
    let sarif: serde_json::Value =
        serde_json::from_str(&report!(|target| ReportWriter::new(
            target,
            Sarif::default()
        )))
        .unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let refused = results
        .iter()
        .find(|result| result["ruleId"] == "CE")
        .unwrap();
    assert_eq!(refused["message"]["text"], format!("p x.c: CE: {headline}"));
    assert_eq!(
        refused["locations"][0]["physicalLocation"]["region"]["startLine"],
        4
    );
    let tap = report!(|target| ReportWriter::new(target, Tap::default()));
    let point = format!(
        "- p x.c compilation\n  ---\n  message: {}",
        serde_json::to_string(headline).unwrap()
    );
    assert!(tap.contains(&point), "{tap}");
    assert!(
        tap.contains("- p x.c sample/2 # SKIP it does not compile\n"),
        "{tap}"
    );
    let github = report!(|target| ReportWriter::new(target, Github::default()));
    let line = "::error file=p/x.c,line=4,title=p x.c%3A CE::CE (compile error), expected AC%0Aline 4: error: expected ';'";
    assert!(github.contains(line), "{github}");
    let html = report!(|target| ReportWriter::new(target, Html::default()));
    assert!(
        html.contains("<li>line 4: error: expected ';'</li>"),
        "{html}"
    );
}
