//! Pages of large suites: how many bytes they have, what they list, and what they count
//! instead.

use gridjudge::model::{Event, Tally, TrialRecord, Verdict};
use roxmltree::Node;

use super::suites::{begun, clash, ended, picture, record, started, trial};
use super::{all, assert_sound, of_class, page, parsed};

/// A suite of this many submissions with forty cases each. Every second submission
/// fails half of them.
fn many(submissions: usize) -> Vec<Event> {
    let mut events = vec![started(submissions)];
    for number in 0..submissions {
        let name = format!("team-{number}/solution.cpp");
        events.push(begun("poj-2676", &name, None));
        for case in 0..40 {
            let case_name = format!("secret/{case:03}-minimal-with-four-clues");
            let verdict = if number % 2 == 1 && case >= 20 {
                Verdict::WrongAnswer
            } else {
                Verdict::Accepted
            };
            let base = record("poj-2676", &name, &case_name, verdict);
            events.push(trial(if verdict == Verdict::Accepted {
                base
            } else {
                TrialRecord {
                    finding: Some(clash("row 2 has two 2s, at columns 2 and 4")),
                    picture: Some(picture()),
                    stderr: "oh\n".repeat(20),
                    ..base
                }
            }));
        }
        events.push(ended(
            "poj-2676",
            &name,
            if number % 2 == 1 {
                Verdict::WrongAnswer
            } else {
                Verdict::Accepted
            },
            None,
        ));
    }
    events.push(Event::SuiteFinished(Tally {
        as_expected: submissions / 2,
        surprising: submissions / 2,
        trials: 40 * submissions,
        ..Tally::default()
    }));
    events
}

#[test]
fn ten_thousand_runs_fit_into_two_megabytes() {
    let page = page(&many(250));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let document = parsed(&page);
    let rows = |table: Node<'_, '_>| {
        table
            .descendants()
            .filter(|node| node.has_tag_name("tr"))
            .count()
            - 1
    };
    assert_eq!(
        of_class(document.root(), "cases")
            .into_iter()
            .map(rows)
            .sum::<usize>(),
        10_000
    );
    assert!(
        page.contains("17 more such cases are only in the table"),
        "it says what is left out"
    );
    assert_sound(&page);
}

/// A suite of this many submissions with one case, of which every tenth is not as
/// expected.
fn short_ones(submissions: usize) -> Vec<Event> {
    let mut events = vec![started(submissions)];
    for number in 0..submissions {
        let name = format!("team-{number}/solution.cpp");
        let verdict = if number % 10 == 9 {
            Verdict::WrongAnswer
        } else {
            Verdict::Accepted
        };
        let expected = Some(Verdict::Accepted);
        events.push(begun("poj-2676", &name, expected));
        events.push(trial(record("poj-2676", &name, "secret/1", verdict)));
        events.push(ended("poj-2676", &name, verdict, expected));
    }
    events.push(Event::SuiteFinished(Tally {
        trials: submissions,
        ..Tally::default()
    }));
    events
}

#[test]
fn a_page_without_room_for_all_submissions_lists_those_that_are_not_as_expected_and_counts_the_rest()
 {
    let page = page(&short_ones(3_000));
    assert!(
        (2_500_000..5_000_000).contains(&page.len()),
        "{} bytes",
        page.len()
    );
    let document = parsed(&page);
    let tables = of_class(document.root(), "matrix");
    let rows: Vec<_> = all(&document, "tr")
        .into_iter()
        .filter(|row| {
            row.parent_element()
                .is_some_and(|body| body.parent_element() == Some(tables[0]))
        })
        .collect();
    let links = rows
        .iter()
        .filter(|row| row.descendants().any(|node| node.has_tag_name("a")))
        .count();
    assert_eq!(
        rows.iter()
            .filter(|row| row.attribute("class") == Some("no"))
            .count(),
        300
    );
    let left_out = 3_000 - links;
    assert!(
        page.contains(&format!("{left_out} submissions not listed")),
        "{links} listed"
    );
    assert!(page.contains(&format!(": {left_out} as expected or not judged.")));
    assert_sound(&page);
}

#[test]
fn a_submission_with_very_many_cases_lists_those_that_fail_and_counts_the_rest() {
    let name = "accepted/a.cpp";
    let expected = Some(Verdict::Accepted);
    let mut events = vec![started(1), begun("poj-2676", name, expected)];
    for case in 0..20_000 {
        let verdict = if case >= 19_000 {
            Verdict::WrongAnswer
        } else {
            Verdict::Accepted
        };
        events.push(trial(record(
            "poj-2676",
            name,
            &format!("secret/{case:05}"),
            verdict,
        )));
    }
    events.push(ended("poj-2676", name, Verdict::WrongAnswer, expected));
    events.push(Event::SuiteFinished(Tally {
        surprising: 1,
        trials: 20_000,
        ..Tally::default()
    }));
    let page = page(&events);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let listed = page.matches(">secret/").count() - 3;
    assert!(
        page.contains(&format!("{} more cases not listed here", 20_000 - listed)),
        "{listed} listed"
    );
    assert!(
        [19_000, 19_500, 19_999]
            .iter()
            .all(|case| page.contains(&format!("secret/{case}")))
    );
    assert_sound(&page);
}
