//! The pages of standings, laid out by a browser if there is one: how much of a contest
//! of twelve problems and sixty teams is seen at once.

use std::sync::Arc;

use gridjudge::model::{
    Contest, Entrant, Event, SubmissionSummary, SuiteStart, Verdict,
};
use gridjudge::report::standings;
use gridjudge::report::standings::{ContestResults, RankingChoice, StandingsTable};

use crate::in_process::browser::{browser, noted};

/// The standings of a contest of `teams` teams, whose names have up to 30 letters, at
/// 12 problems. Two of three attempts solve the problem, after up to five others.
fn table(teams: usize) -> StandingsTable {
    let team =
        |place: usize| Arc::from(format!("University of the Teams no. {place:02}"));
    let problems: Vec<Arc<str>> = (0..12)
        .map(|place| format!("problem-no-{place}").into())
        .collect();
    let mut results = ContestResults::default();
    results.take_event(&Event::SuiteStarted(Box::new(SuiteStart {
        started: "2026-11-21T20:30:00Z".into(),
        contest: Some(Contest {
            name: "the finals of all universities".into(),
            teams: (0..teams).map(team).collect(),
            problems: problems.clone(),
            page: None,
            rules: Box::default(),
        }),
        ..SuiteStart::default()
    })));
    for place in 0..teams * 12 {
        let (team, problem) = (team(place / 12), &problems[place % 12]);
        let rejected = place * 7 % 6;
        for number in 0..=rejected {
            let is_last = number == rejected;
            let verdict = match (is_last, place % 3) {
                (false, _) => Verdict::WrongAnswer,
                (true, 0) => continue,
                (true, _) => Verdict::Accepted,
            };
            results.take_event(&Event::SubmissionFinished(Box::new(
                SubmissionSummary {
                    problem: Arc::clone(problem),
                    verdict: Some(verdict),
                    entrant: Some(Entrant {
                        submitted: None,
                        team: Arc::clone(&team),
                        minute: Some((100 + place * 37 % 190) as u64),
                    }),
                    ..SubmissionSummary::default()
                },
            )));
        }
    }
    let rules = RankingChoice::default().rules(&results.rules());
    StandingsTable::from_results(&results, rules)
}

/// Shows both pages in a frame of several sizes, and writes what is measured: the
/// farthest edges of the results, and what a name and a cell of the first row look
/// like.
const FRAME: &str = r#"<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><script>
const notes = [];
const views = [["page.html", 390, 844], ["page.html", 1280, 1080], ["page.html", 1920, 1080], ["wall.html", 1920, 1080]];
const next = () => {
  if (!views.length) { document.body.textContent = "noted " + JSON.stringify(notes); return; }
  const [file, width, height] = views.shift(), frame = document.createElement("iframe");
  frame.style = `border:0;width:${width}px;height:${height}px`;
  frame.onload = () => {
    const page = frame.contentDocument, root = page.documentElement;
    const edge = (what, side) => Math.round(Math.max(...[...page.querySelectorAll(what)].map(node => node.getBoundingClientRect()[side])));
    const cells = [...page.querySelectorAll("tbody tr:first-child td.p")];
    const solved = page.querySelector(".solved:not(b)"), empty = page.querySelector("td.p:empty");
    const colour = node => page.defaultView.getComputedStyle(node).backgroundColor;
    notes.push({ file, width, right: edge("body *:not(thead *, tfoot *)", "right"), bottom: edge("tfoot", "bottom"), cells: cells.length,
      lowest: Math.round(Math.max(...cells.map(cell => cell.getBoundingClientRect().bottom))),
      letters: parseFloat(page.defaultView.getComputedStyle(solved).fontSize), alike: colour(solved) == colour(empty) });
    frame.remove(); next();
  };
  frame.src = file; document.body.append(frame);
};
next();
</script></body>"#;

#[test]
fn a_screen_shows_twelve_problems_and_sixty_teams_and_a_phone_all_cells_of_a_team() {
    let Some(browser) = browser("the pages of standings") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let table = table(60);
    for (name, text) in [
        ("page.html", standings::standings_html(&table)),
        ("wall.html", standings::wall(&table)),
        ("frame.html", FRAME.to_owned()),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let notes = noted(&browser, folder.path(), "frame.html");
    assert_eq!(notes.len(), 4);
    for note in &notes {
        let number = |name: &str| note[name].as_f64().unwrap();
        assert!(number("right") <= number("width"), "cut off: {note}");
        assert_eq!(
            (&note["cells"], &note["alike"]),
            (&12.into(), &false.into()),
            "{note}"
        );
    }
    let [phone, _, screen, wall] = &notes[..] else {
        unreachable!()
    };
    assert!(phone["lowest"].as_u64() < Some(400), "{phone}");
    assert!(screen["bottom"].as_u64() <= Some(1080), "{screen}");
    assert!(screen["letters"].as_f64() >= Some(11.5), "{screen}");
    assert!(wall["letters"].as_f64() >= Some(20.0), "{wall}");
}
