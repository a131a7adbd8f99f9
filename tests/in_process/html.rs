//! The HTML report, parsed as XML and, if there is a browser, laid out by it. Tests
//! compare the structure, never pixels.

mod large;
mod suites;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::in_process::browser::{browser, noted};
use data_encoding::BASE64;
use gridjudge::model::{
    CheckerImage, Event, GridPicture, MistakeSeverity, Tally, TrialRecord, Verdict,
};
use gridjudge::report::{Html, ReportWriter, Sink};
use roxmltree::{Document, Node};
use suites::{begun, clash, ended, mistake, picture, record, started, suite, trial};

/// A text with everything that could harm a page.
const HOSTILE: &str = "</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\"'`${1}\u{1b}[31m\u{0}\
                       \u{202e}gnp.exe\u{2066}\u{200b}\u{fffe}]]><!--";

fn page(events: &[Event]) -> String {
    let mut written = vec![];
    let mut html = ReportWriter::new(&mut written, Html::default());
    for event in events {
        html.take_event(event).unwrap();
    }
    String::from_utf8(written).unwrap()
}

/// Parses a page as XML, and fails if it is not well-formed.
fn parsed(page: &str) -> Document<'_> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    Document::parse_with_options(page, options)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn all<'a>(document: &'a Document<'_>, name: &'a str) -> Vec<Node<'a, 'a>> {
    document
        .descendants()
        .filter(|node| node.has_tag_name(name))
        .collect()
}

fn of_class<'a>(node: Node<'a, 'a>, class: &'a str) -> Vec<Node<'a, 'a>> {
    node.descendants()
        .filter(|node| {
            node.attribute("class")
                .is_some_and(|classes| classes.split(' ').any(|one| one == class))
        })
        .collect()
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter(Node::is_text)
        .filter_map(|node| node.text())
        .collect()
}

/// Asserts what must hold for every page: links lead somewhere, nothing is loaded,
/// headings and tables are accessible.
fn assert_sound(page: &str) {
    let document = parsed(page);
    let elements: Vec<_> = document.descendants().filter(Node::is_element).collect();
    let ids: Vec<_> = elements
        .iter()
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(
        ids.len(),
        ids.iter().collect::<BTreeSet<_>>().len(),
        "an id twice"
    );
    for node in &elements {
        let name = node.tag_name().name();
        assert!(
            ![
                "script", "iframe", "object", "embed", "link", "base", "form"
            ]
            .contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            let key = attribute.name();
            let value = attribute.value();
            assert!(
                !key.starts_with("on")
                    && !["srcset", "data", "action"].contains(&key),
                "{key}"
            );
            if key == "src" {
                assert!(
                    name == "img" && value.starts_with("data:image/"),
                    "{name} loads {value}"
                );
            }
            if key == "href" {
                assert!(
                    value.strip_prefix('#').is_some_and(|id| ids.contains(&id)),
                    "{value} leads nowhere"
                );
            }
        }
    }
    let css = text(all(&document, "style")[0]);
    assert!(
        !css.contains("url(") && !css.contains("@import"),
        "the style loads something"
    );
    let levels = elements
        .iter()
        .map(|node| node.tag_name().name())
        .filter(|name| name.len() == 2 && name.starts_with('h') && *name != "hr");
    let levels: Vec<u8> = levels.map(|name| name.as_bytes()[1] - b'0').collect();
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1);
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "a level of headings is left out: {levels:?}"
    );
    for table in all(&document, "table") {
        assert!(
            table.children().any(|node| node.has_tag_name("caption")),
            "a table without a caption"
        );
        let headers = table.descendants().filter(|node| node.has_tag_name("th"));
        assert!(
            headers
                .into_iter()
                .all(|node| node.attribute("scope").is_some()),
            "a header of nothing"
        );
    }
    let policy = elements
        .iter()
        .find(|node| node.attribute("http-equiv") == Some("Content-Security-Policy"));
    assert!(
        policy.unwrap().attribute("content").unwrap().starts_with(
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
        )
    );
    assert_eq!(document.root_element().attribute("lang"), Some("en"));
    assert!(!text(all(&document, "title")[0]).is_empty());
}

#[test]
fn a_page_shows_what_was_judged_where_and_with_what_result() {
    let page = page(&suite("wrong/last_cell.c"));
    assert_sound(&page);
    let document = parsed(&page);
    assert_eq!(text(all(&document, "h1")[0]), "3 problems");
    assert_eq!(
        text(all(&document, "title")[0]),
        "gridjudge: 3 problems: 1 mistake in a problem. 1 of 3 not as expected"
    );
    let header = text(all(&document, "header")[0]);
    for expected in [
        "3 submissions, 6 trials (2 of them from the cache), 1 submission skipped, 1 flaky trial, 1 failure of the judge itself",
        "a machine",
        "2026-11-21, 20:30 UTC",
        "level full, 2 runs at once",
        "memory is sampled",
    ] {
        assert!(header.contains(expected), "{expected} is not in {header}");
    }
}

#[test]
fn the_matrix_has_a_row_for_each_submission_and_unexpected_results_come_first() {
    let page = page(&suite("wrong/last_cell.c"));
    let document = parsed(&page);
    let matrix = of_class(document.root(), "matrix")[0];
    let rows = matrix.descendants().filter(|node| node.has_tag_name("tr"));
    let names: Vec<_> = rows
        .map(|row| text(row.first_element_child().unwrap()))
        .collect();
    let expected = [
        "Submission",
        "Not as expected",
        "wrong/last_cell.cwrong/last_cell.c",
        "p",
        "accepted/fine.c",
        "wrong/last_cell.c",
        "q",
        "compile/bad.c",
    ];
    assert_eq!(names, expected);
    let header = matrix
        .descendants()
        .find(|node| node.has_tag_name("tr"))
        .unwrap();
    let columns: Vec<_> = header.children().map(text).collect();
    assert_eq!(
        columns[..8],
        [
            "Submission",
            "Expected",
            "Earned",
            "AC",
            "WA",
            "TLE",
            "CE",
            "SK"
        ]
    );
    let unexpected = of_class(matrix, "no")[0];
    let cells: Vec<_> = unexpected.children().map(text).collect();
    assert_eq!(cells[1..8], ["AC", "WA", "", "2", "1", "", "2"]);
}

#[test]
fn the_matrix_names_teams_and_minutes_in_a_contest_and_students_in_a_course() {
    let heads = |is_course: bool| {
        let rules = if is_course {
            r#","rules":{"course":{}}"#
        } else {
            ""
        };
        let minute = if is_course { "" } else { r#","minute":7"# };
        let lines = [
            format!(
                r#"{{"event":"suite_started","log_version":2,"gridjudge":"0.1.0","sandbox":"full","notes":[],"jobs":1,"submissions":1,"trials":1,"contest":{{"name":"Week 3","teams":["ek"],"problems":["p"]{rules}}}}}"#
            ),
            format!(
                r#"{{"event":"submission_started","problem":"p","submission":"ek/p.c","language":"C","limits":{{"cpu_us":1,"wall_us":1,"memory_bytes":1,"output_bytes":1,"processes":1}},"team":"ek"{minute}}}"#
            ),
            r#"{"event":"submission_finished","problem":"p","submission":"ek/p.c","language":"C","verdict":"AC","passed":1,"cases":1,"faults":0,"slowest_cpu_us":1,"peak_memory_bytes":1}"#
                .to_owned(),
            r#"{"event":"suite_finished","as_expected":1,"surprising":0,"skipped":0,"faults":0,"trials":1}"#
                .to_owned(),
        ];
        let events = lines.map(|line| Event::of_line(line.as_bytes()).unwrap().0);
        let page = page(&events);
        let document = parsed(&page);
        let heads = of_class(document.root(), "matrix")[0]
            .descendants()
            .filter(|node| node.attribute("scope") == Some("col"))
            .map(text);
        heads.take(4).collect::<Vec<_>>()
    };
    assert_eq!(heads(false), ["Team", "Problem", "Minute", "Earned"]);
    assert_eq!(heads(true), ["Student", "Problem", "Earned", "CPU time"]);
}

#[test]
fn a_submission_has_a_row_for_each_case_with_bars_against_its_limits() {
    let page = page(&suite("wrong/last_cell.c"));
    let document = parsed(&page);
    let tables = of_class(document.root(), "cases");
    let rows = |table: Node<'_, '_>| -> Vec<Vec<String>> {
        let rows = table
            .descendants()
            .filter(|node| node.has_tag_name("tr"))
            .skip(1);
        rows.map(|row| row.children().filter(Node::is_element).map(text).collect())
            .collect()
    };
    assert_eq!(rows(tables[0]).len(), 2);
    assert_eq!(
        rows(tables[0])[0],
        ["sample/1", "AC", "250.0 ms", "16.0 MiB", "2.4 ms"]
    );
    let unexpected = rows(tables[1]);
    assert_eq!(
        unexpected.len(),
        5,
        "cases that were not judged share a row"
    );
    assert_eq!(unexpected[1][2], "1.500 s, over");
    assert_eq!(unexpected[3][1], "WAflaky: AC WA ");
    assert_eq!(
        unexpected[4][0],
        "wrong/last_cell.c to wrong/last_cell.c2 cases"
    );
    let bars: Vec<_> = of_class(document.root(), "cases")[1]
        .descendants()
        .filter(|node| node.has_tag_name("td"))
        .filter_map(|node| node.attribute("class"))
        .collect();
    assert_eq!(bars[..4], ["u25", "u25", "over", "u25"]);
}

#[test]
fn a_grid_is_drawn_with_a_mark_for_each_cell() {
    let page = page(&suite("wrong/last_cell.c"));
    let document = parsed(&page);
    let grid = of_class(document.root(), "grid")[0];
    let mut cells = vec![String::new(); 16];
    for class in ["g", "k", "w"] {
        for text in of_class(grid, class) {
            let places = |name: &str| -> Vec<usize> {
                let list = text.attribute(name).unwrap().split(' ');
                list.map(|number| number.parse::<usize>().unwrap() / 20)
                    .collect()
            };
            for ((column, row), letter) in places("x")
                .into_iter()
                .zip(places("y"))
                .zip(self::text(text).chars())
            {
                write!(cells[4 * row + column], "{class}{letter}").unwrap();
            }
        }
    }
    // Row by row: `g` for given cells, `k` for right ones of the program, `w` for wrong
    // ones.
    let expected = [
        "g1", "k2", "k3", "g4", "k3", "w2", "k1", "k2", "g2", "k1", "w\u{b7}", "k3",
        "k4", "k3", "k2", "w3",
    ];
    assert_eq!(cells, expected);
    assert_eq!(
        text(of_class(grid, "e")[0]),
        "441",
        "the right symbols of the wrong cells"
    );
    let path = |class| of_class(grid, class)[0].attribute("d").unwrap().to_owned();
    assert_eq!(
        path("flag").matches('M').count(),
        3,
        "a flag in each wrong cell, beside its colour"
    );
    let rings: BTreeSet<_> = of_class(grid, "ring")
        .iter()
        .map(|ring| (ring.attribute("cx"), ring.attribute("cy")))
        .collect();
    assert_eq!(
        rings,
        BTreeSet::from([(Some("30"), Some("30")), (Some("70"), Some("30"))]),
        "both cells of the clash"
    );
    assert_eq!(
        path("house"),
        "M0 20v20M0 20h80M0 40h80M80 20v20",
        "row 2 is outlined"
    );
    assert_eq!(path("tie"), "M30 30L70 30");
    assert_eq!(path("cross"), "M0 0L80 80M80 0L0 80", "both diagonals");
    assert_eq!(
        path("thick"),
        "M0 0h80M0 0v80M0 40h80M40 0v80M0 80h80M80 0v80",
        "boxes of 2 by 2"
    );
}

#[test]
fn a_jigsaw_is_drawn_along_its_regions_and_symbols_of_two_digits_are_not_split() {
    let jigsaw = GridPicture {
        regions: "1 1 1 2 1 3 2 2 3 3 2 4 3 4 4 4".into(),
        ..picture()
    };
    let numbers = (1..=256)
        .map(|cell| ((cell - 1) % 16 + 1).to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let wide = GridPicture {
        order: 16,
        regions: String::new(),
        clues: numbers.clone(),
        found: numbers,
        expected: String::new(),
        ..picture()
    };
    let drawn = |picture: GridPicture| {
        let wrong = TrialRecord {
            finding: Some(clash("x")),
            picture: Some(picture),
            ..record("p", "s", "c", Verdict::WrongAnswer)
        };
        page(&[
            started(1),
            begun("p", "s", None),
            trial(wrong),
            ended("p", "s", Verdict::WrongAnswer, None),
            Event::SuiteFinished(Tally::default()),
        ])
    };
    let page = drawn(jigsaw);
    let document = parsed(&page);
    let borders = of_class(document.root(), "thick")[0]
        .attribute("d")
        .unwrap()
        .to_owned();
    assert_eq!(
        borders,
        "M0 0h80M0 0v80M20 20h40M20 20v20M20 60v20M0 40h20M60 40h20M40 20v40M20 60h40M60 0v20M60 40v20M0 80h80M80 0v80"
    );
    let page = drawn(wide);
    let document = parsed(&page);
    let given = of_class(of_class(document.root(), "grid")[0], "g");
    assert_eq!(given.len(), 1 + 7 * 16, "single digits share an element");
    assert!(
        given
            .iter()
            .any(|node| text(*node) == "16" && node.attribute("x") == Some("310"))
    );
}

#[test]
fn names_and_outputs_of_submissions_cannot_harm_the_page() {
    let page = page(&suite(HOSTILE));
    assert_sound(&page);
    assert!(page.len() < 200_000, "{} bytes", page.len());
    let is_harmless = |letter: char| !matches!(letter, '\u{0}'..='\u{9}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(
        page.chars().all(is_harmless),
        "a control character came through"
    );
    let document = parsed(&page);
    assert!(
        text(document.root_element()).contains("<script>alert(1)</script>"),
        "it is shown, as text"
    );
}

#[test]
fn a_picture_that_contradicts_itself_is_reported_and_not_drawn() {
    let wrong = TrialRecord {
        picture: Some(GridPicture {
            order: usize::MAX,
            ..picture()
        }),
        ..record("p", "s", "c", Verdict::WrongAnswer)
    };
    let page = page(&[
        started(1),
        begun("p", "s", None),
        trial(wrong),
        ended("p", "s", Verdict::WrongAnswer, None),
        Event::SuiteFinished(Tally::default()),
    ]);
    assert_sound(&page);
    assert!(page.contains("so it is not drawn") && !page.contains("<svg"));
}

#[test]
fn pictures_of_a_checker_are_shown_if_they_are_harmless_and_otherwise_named() {
    // The smallest PNG: one pixel.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle r=\"9\"/></svg>";
    let script = svg.replace("<circle r=\"9\"/>", "<script>alert(1)</script>");
    let image = |name: &str, data: Option<&str>| CheckerImage {
        name: name.into(),
        bytes: 70,
        data: data.map(str::to_owned),
    };
    let wrong = TrialRecord {
        checker_images: vec![
            image("judgeimage.gif", Some(png)),
            image("judgeimage.svg", Some(&BASE64.encode(svg.as_bytes()))),
            image("teamimage.svg", Some(&BASE64.encode(script.as_bytes()))),
            image("\u{202e}\"/><script>.png", Some("\"/><script>")),
        ],
        ..record("p", "s", "c", Verdict::WrongAnswer)
    };
    let more = TrialRecord {
        checker_images: vec![image("teamimage.png", None)],
        ..wrong.clone()
    };
    let page = page(&[
        started(2),
        begun("p", "s", None),
        trial(wrong),
        trial(more),
        ended("p", "s", Verdict::WrongAnswer, None),
        Event::SuiteFinished(Tally::default()),
    ]);
    assert_sound(&page);
    let document = parsed(&page);
    let sources: Vec<_> = all(&document, "img")
        .iter()
        .filter_map(|node| node.attribute("src"))
        .collect();
    let [first, second] = sources[..] else {
        panic!("{sources:?}")
    };
    assert_eq!(
        first,
        format!("data:image/png;base64,{png}"),
        "the type is that of the contents"
    );
    assert!(
        second.starts_with("data:image/svg+xml;charset=utf-8;base64,"),
        "{second}"
    );
    let said = text(all(&document, "main")[0]);
    for told in [
        "Drawn by the checker: judgeimage.gif",
        "teamimage.svg of 70 bytes is not shown: it is an SVG of more than a few shapes and texts",
        "is not shown: the log has no valid base64 for it",
        "teamimage.png of 70 bytes is not shown: there is no room for it",
    ] {
        assert!(said.contains(told), "{told} is not in {said}");
    }
}

#[test]
fn pictures_of_checkers_take_no_room_of_findings() {
    let large = TrialRecord {
        checker_images: vec![CheckerImage {
            name: "judgeimage.png".into(),
            bytes: 300_000,
            data: Some("AAAA".repeat(100_000)),
        }],
        ..record("p", "s", "c", Verdict::WrongAnswer)
    };
    let trials = std::iter::repeat_n(trial(large), 3);
    let ends = [
        ended("p", "s", Verdict::WrongAnswer, None),
        Event::SuiteFinished(Tally::default()),
    ];
    let events: Vec<_> = [started(1), begun("p", "s", None)]
        .into_iter()
        .chain(trials)
        .chain(ends)
        .collect();
    let page = page(&events);
    let text = text(all(&parsed(&page), "main")[0]);
    assert_eq!(
        text.matches("is not shown: there is no room for it")
            .count(),
        2,
        "{text}"
    );
    assert!(!text.contains("Left out here"), "{text}");
}

#[test]
fn the_page_of_an_interrupted_suite_lists_what_is_missing() {
    let mut events = suite("wrong/last_cell.c");
    events.truncate(9);
    events.push(Event::SuiteInterrupted(Tally {
        as_expected: 1,
        trials: 4,
        ..Tally::default()
    }));
    let page = page(&events);
    assert_sound(&page);
    let document = parsed(&page);
    let notice = text(of_class(document.root(), "notice")[0]);
    assert!(
        notice.starts_with("Incomplete.")
            && notice.contains("of 5 submissions, 1 was finished"),
        "{notice}"
    );
    assert!(page.contains("unfinished"));
}

#[test]
fn mistakes_in_problems_come_before_the_submissions_and_are_not_counted_among_them() {
    let mistakes = (0..203)
        .map(|number| mistake("p", &number.to_string(), MistakeSeverity::Error));
    let tally = Tally {
        as_expected: 1,
        trials: 1,
        ..Tally::default()
    };
    let mut events = vec![started(1)];
    events.extend(mistakes);
    events.push(mistake("p", "1", MistakeSeverity::Warning));
    events.push(begun("p", "accepted/a.c", Some(Verdict::Accepted)));
    events.push(trial(record(
        "p",
        "accepted/a.c",
        "sample/1",
        Verdict::Accepted,
    )));
    events.push(ended(
        "p",
        "accepted/a.c",
        Verdict::Accepted,
        Some(Verdict::Accepted),
    ));
    events.push(Event::SuiteFinished(tally));
    let page = page(&events);
    assert_sound(&page);
    let document = parsed(&page);
    let headings: Vec<_> = all(&document, "h2").into_iter().map(text).collect();
    assert_eq!(
        headings,
        [
            "Mistakes in problems",
            "Warnings about problems",
            "Verdicts",
            "Submissions"
        ]
    );
    let lead = text(of_class(document.root_element(), "lead")[0]);
    assert_eq!(
        lead,
        "203 mistakes in problems. All as expected: 1 submission, 1 trial."
    );
    let rows = of_class(document.root_element(), "mistakes")
        .into_iter()
        .flat_map(|table| {
            table
                .descendants()
                .filter(|node| node.has_tag_name("tr"))
                .map(text)
                .collect::<Vec<_>>()
        });
    let rows: Vec<_> = rows.collect();
    assert_eq!(
        rows[1],
        "pdata/0.in:30 is refusedremedy: correct 0input validators"
    );
    assert!(
        rows.len() == 1 + 200 + 2 && page.contains("3 more are only in the log."),
        "{}",
        rows.len()
    );
}

#[test]
fn a_suite_without_submissions_has_a_page() {
    let page = page(&[started(0), Event::SuiteFinished(Tally::default())]);
    assert_sound(&page);
    assert!(page.contains("Nothing was judged"));
}

/// The contrast ratio of two colours by WCAG 2, from 1 to 21.
fn contrast(one: &str, other: &str) -> f64 {
    let luminance = |colour: &str| {
        let channel = |at: usize| {
            let value =
                f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap())
                    / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    };
    let one = luminance(one);
    let other = luminance(other);
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_text_has_enough_contrast_in_light_and_dark_mode() {
    let page = page(&suite("s"));
    let document = parsed(&page);
    let css = text(all(&document, "style")[0]);
    let schemes: Vec<_> = css
        .split("--paper:")
        .skip(1)
        .filter(|scheme| scheme.contains("--ink"))
        .collect();
    assert_eq!(schemes.len(), 2, "light and dark");
    for scheme in schemes {
        let scheme = format!("--paper:{}", scheme.split('}').next().unwrap());
        let colour = |name: &str| {
            let value = scheme
                .split(&format!("--{name}: "))
                .nth(1)
                .unwrap_or_else(|| panic!("no {name} in {scheme}"));
            value[..7].to_owned()
        };
        // WCAG level AA demands 4.5 for text and 3 for shapes.
        for (front, back, least) in [
            ("ink", "paper", 4.5),
            ("ink", "shade", 4.5),
            ("ink", "tint", 4.5),
            ("soft", "paper", 4.5),
            ("soft", "shade", 4.5),
            ("soft", "tint", 4.5),
            ("accent", "paper", 4.5),
            ("accent", "tint", 4.5),
            ("accent", "shade", 4.5),
            ("on-accent", "accent", 4.5),
            ("bar", "paper", 3.0),
            ("bar", "tint", 2.9),
            ("accent", "line", 3.0),
        ] {
            let found = contrast(&colour(front), &colour(back));
            assert!(found >= least, "{front} on {back}: {found:.2} in {scheme}");
        }
    }
}

/// Shows the page in a frame at several widths, with all details unfolded, and writes
/// measurements of the layout. The page itself runs no script; that of the frame
/// measures.
const FRAME: &str = r#"<!DOCTYPE html><meta charset="utf-8"><body><script>
const frame = document.createElement("iframe");
frame.style = "border:0;height:900px";
frame.onload = () => {
  const page = frame.contentDocument, root = page.documentElement;
  page.querySelectorAll("details").forEach(details => details.open = true);
  const notes = [360, 390, 768, 1000, 1280].map(width => {
    frame.style.width = width + "px";
    const wide = [...page.querySelectorAll("body *")].filter(node =>
      !node.closest("thead, svg") && node.getBoundingClientRect().right > width + 1);
    return { width, inside: root.clientWidth, scroll: root.scrollWidth,
      rows: page.querySelectorAll(".cases tbody tr").length, grids: page.querySelectorAll("svg.grid").length,
      drawn: Math.round(page.querySelector("svg.grid").getBoundingClientRect().width),
      name: Math.round(page.querySelector(".matrix a").getBoundingClientRect().width),
      scripts: page.querySelectorAll("script, img").length, wide: wide.slice(0, 3).map(node => node.outerHTML.slice(0, 80)) };
  });
  document.body.textContent = "noted " + JSON.stringify(notes);
};
frame.src = "page.html";
document.body.append(frame);
</script></body>"#;

#[test]
fn a_browser_lays_out_the_page_without_overflow_on_a_phone_and_on_a_desktop() {
    let Some(browser) = browser("the HTML report") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("plain", "wrong/last_cell.c"),
        ("hostile", HOSTILE),
        ("long", &"x".repeat(3000)),
    ] {
        std::fs::write(folder.path().join("page.html"), page(&suite(text))).unwrap();
        std::fs::write(folder.path().join("frame.html"), FRAME).unwrap();
        let notes = noted(&browser, folder.path(), "frame.html");
        assert_eq!(notes.len(), 5);
        for note in notes {
            let number = |name: &str| note[name].as_u64().unwrap();
            assert!(
                number("scroll") <= number("inside"),
                "wider than the screen: {name}: {note}"
            );
            assert_eq!(
                note["wide"].as_array().unwrap().len(),
                0,
                "beyond the edge: {name}: {note}"
            );
            assert_eq!(
                (number("rows"), number("grids"), number("scripts")),
                (8, 1, 0),
                "{name}: {note}"
            );
            assert!(
                (155..=165).contains(&number("drawn")) && number("name") >= 60,
                "squeezed: {name}: {note}"
            );
        }
    }
}
