//! Standings: ranks, ties, penalties, points, and hostile names.

use std::sync::Arc;

use super::*;
use crate::model::{
    Contest, ContestRules, Entrant, GroupScore, PointValue, ProblemDetails, Score,
    SubmissionSkip, SubmissionSummary, SuiteStart, Tally, TeamDetails, TeamStatus,
    Verdict,
};
use crate::report::{ReportWriter, Sink};

const ICPC: StandingsRules = StandingsRules {
    by: RankingMode::Icpc,
    penalty: 20,
    length: None,
    freeze: None,
    as_of: None,
};
const POINTS: StandingsRules = StandingsRules {
    by: RankingMode::Points,
    ..ICPC
};

/// Parses `alpha p AC @95 60/100 ! case:3`: a team, a problem, a verdict, and
/// optionally the minute, the points, a fault, and the worst case. `60/fewest` are
/// points of which fewer are better.
fn attempt(text: &str) -> Event {
    let words: Vec<_> = text.split(' ').collect();
    let number = |text: &str| text.parse::<u64>().unwrap();
    let minute = words
        .iter()
        .find_map(|word| word.strip_prefix('@'))
        .map(number);
    let score =
        words
            .iter()
            .find_map(|word| word.split_once('/'))
            .map(|(earned, of)| {
                let fewest_is_best = of == "fewest";
                let earned = number(earned).into();
                let of = (!fewest_is_best).then(|| number(of).into());
                let groups = vec![GroupScore {
                    name: "secret".into(),
                    earned,
                    of,
                }];
                Score {
                    earned,
                    of,
                    fewest_is_best,
                    accepted: of.is_none_or(|of| earned >= of),
                    groups,
                    out_of_range: vec![],
                }
            });
    let entrant = Some(Entrant {
        submitted: None,
        team: words[0].into(),
        minute,
    });
    let problem = Arc::from(words[1]);
    if words[2] == "SKIPPED" {
        return Event::SubmissionSkipped(Box::new(SubmissionSkip {
            problem,
            submission: text.into(),
            language: "C".into(),
            cause: "no cc".into(),
            remedy: "get it".into(),
            package: None,
            entrant,
        }));
    }
    Event::SubmissionFinished(Box::new(SubmissionSummary {
        problem,
        submission: text.into(),
        language: "C".into(),
        verdict: words[2].parse::<Verdict>().ok(),
        cases: 1,
        faults: usize::from(words.contains(&"!")),
        slowest_cpu_us: 1,
        peak_memory_bytes: 1,
        worst_case: words
            .iter()
            .find_map(|word| word.strip_prefix("case:"))
            .map(Into::into),
        score,
        entrant,
        ..SubmissionSummary::default()
    }))
}

fn started(name: &str, teams: &[&str], problems: &[&str]) -> Event {
    let list = |names: &[&str]| names.iter().map(|name| Arc::from(*name)).collect();
    Event::SuiteStarted(Box::new(SuiteStart {
        contest: Some(Contest {
            name: name.into(),
            teams: list(teams),
            problems: list(problems),
            page: None,
            rules: Box::default(),
        }),
        ..SuiteStart::default()
    }))
}

fn standings(rules: StandingsRules, attempts: &[&str]) -> StandingsTable {
    let mut results = ContestResults::default();
    for text in attempts {
        results.take_event(&attempt(text));
    }
    StandingsTable::from_results(&results, rules)
}

/// `rank team solved penalty` of every row, in order.
fn ranks(rules: StandingsRules, attempts: &[&str]) -> Vec<String> {
    standings(rules, attempts)
        .rows
        .iter()
        .map(|row| match rules.by {
            RankingMode::Icpc => {
                let rank = row.rank_in_words(row.rank);
                format!("{rank} {} {} {}", row.team, row.solved, row.penalty)
            }
            RankingMode::Points => {
                format!("{} {} {}", row.rank.unwrap(), row.team, row.points)
            }
        })
        .collect()
}

/// The lines of a text, without colours and the empty line before it.
fn lines(standings: &StandingsTable) -> Vec<String> {
    anstream::adapter::strip_str(&standings_text(standings, None))
        .to_string()
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn more_problems_beat_less_time_and_rejected_attempts_cost_only_on_solved_problems() {
    assert_eq!(
        ranks(
            ICPC,
            &[
                "quick p AC @1",
                "quick q WA @2",
                "quick q TLE @3",
                "slow p WA @5",
                "slow p RE @6",
                "slow p AC @100",
                "slow q AC @200",
                "none p WA @1",
            ]
        ),
        ["1 slow 2 340", "2 quick 1 1", "3 none 0 0"]
    );
}

#[test]
fn compile_errors_and_attempts_after_the_first_accepted_one_cost_nothing() {
    let attempts = [
        "a p CE @1",
        "a p WA @2",
        "a p CE @3",
        "a p AC @10",
        "a p WA @11",
        "a p AC @12",
    ];
    assert_eq!(ranks(ICPC, &attempts), ["1 a 1 30"]);
    assert_eq!(
        ranks(StandingsRules { penalty: 0, ..ICPC }, &attempts),
        ["1 a 1 10"]
    );
    assert_eq!(
        ranks(StandingsRules { penalty: 7, ..ICPC }, &attempts),
        ["1 a 1 17"]
    );
}

#[test]
fn attempts_count_in_the_order_of_time_and_not_of_the_log() {
    assert_eq!(
        ranks(ICPC, &["a p AC @10", "a p WA @5", "a p WA @11"]),
        ["1 a 1 30"]
    );
    // In the same minute: in the order of the log.
    assert_eq!(ranks(ICPC, &["a p WA @10", "a p AC @10"]), ["1 a 1 30"]);
    assert_eq!(ranks(ICPC, &["a p AC @10", "a p WA @10"]), ["1 a 1 10"]);
}

#[test]
fn teams_with_the_same_penalty_are_ranked_by_their_last_problem_or_share_a_rank() {
    assert_eq!(
        ranks(
            ICPC,
            &[
                "late p AC @10",
                "late q AC @50",
                "early p AC @20",
                "early q AC @40",
                "same p AC @40",
                "same q AC @20",
                "behind p AC @99",
                "zero p WA @1",
                "also p CE @1",
            ]
        ),
        [
            "1 early 2 60",
            "1 same 2 60",
            "3 late 2 60",
            "4 behind 1 99",
            "5 also 0 0",
            "5 zero 0 0"
        ]
    );
}

#[test]
fn without_times_only_attempts_count_and_no_team_is_first() {
    let attempts = ["a p WA", "a p AC", "b p AC", "c p AC"];
    assert_eq!(ranks(ICPC, &attempts), ["1 b 1 0", "1 c 1 0", "3 a 1 20"]);
    let standings = standings(ICPC, &attempts);
    assert!(
        !standings.has_minutes
            && standings.rows.iter().all(|row| !row.cells[0].is_first)
    );
    // If one time is missing, none is used.
    assert_eq!(
        ranks(ICPC, &["a p AC @90", "b p AC"]),
        ["1 a 1 0", "1 b 1 0"]
    );
}

/// The teams marked as first at problem `p`.
fn firsts(attempts: &[&str]) -> Vec<String> {
    standings(ICPC, attempts)
        .rows
        .iter()
        .filter(|row| row.cells[0].is_first)
        .map(|row| row.team.to_string())
        .collect()
}

#[test]
fn the_first_solver_is_marked_unless_an_attempt_that_was_not_judged_may_have_been_earlier()
 {
    assert_eq!(
        firsts(&["a p AC @9", "b p WA @1", "b p AC @8", "c p AC @10"]),
        ["b"]
    );
    assert_eq!(firsts(&["a p AC @9", "b p AC @9"]), ["a", "b"]);
    assert_eq!(firsts(&["a p AC @9", "b p WA @1 !"]), [] as [&str; 0]);
    assert_eq!(firsts(&["a p AC @9", "b p SKIPPED @10"]), ["a"]);
    assert_eq!(firsts(&["a p WA @9"]), [] as [&str; 0]);
}

#[test]
fn a_fault_of_the_judge_counts_neither_for_nor_against() {
    let faulty = [
        "a p ? @1 !",
        "a p WA @2 !",
        "a p SKIPPED @3",
        "a p AC @10",
        "b p ? @5 !",
    ];
    assert_eq!(ranks(ICPC, &faulty), ["1 a 1 10", "2 b 0 0"]);
    let standings = standings(ICPC, &faulty);
    assert_eq!(
        (
            standings.rows[0].cells[0].unjudged,
            standings.rows[1].cells[0].unjudged
        ),
        (3, 1)
    );
    assert!(standings.is_incomplete());
    assert_eq!(standings.columns[0].tried, 2);
}

#[test]
fn by_points_the_best_attempt_of_each_problem_counts_whenever_it_came() {
    assert_eq!(
        ranks(
            POINTS,
            &[
                "a p WA @1 60/100",
                "a p WA @2 30/100",
                "a q AC @9 50/50",
                "b p AC @5 100/100",
                "b q WA @6 10/50",
                "c p WA @1 40/100",
                "d p ? @1 70/100 !",
            ]
        ),
        ["1 a 110", "1 b 110", "3 c 40", "4 d 0"]
    );
}

#[test]
fn by_points_a_problem_without_points_is_worth_a_hundred() {
    let attempts = ["a p AC", "a q WA 30/40", "b p WA", "b q AC 40/40"];
    assert_eq!(ranks(POINTS, &attempts), ["1 a 130", "2 b 40"]);
    let of: Vec<_> = standings(POINTS, &attempts)
        .columns
        .iter()
        .map(|column| column.of)
        .collect();
    assert_eq!(of, [100, 40].map(|points| Some(PointValue::from(points))));
}

#[test]
fn where_fewer_points_are_better_the_accepted_attempt_with_the_fewest_counts() {
    let attempts = [
        "a tour AC @1 60/fewest",
        "a tour AC @2 40/fewest",
        "a tour WA @3 0/fewest",
        "b tour AC @4 50/fewest",
        "c tour WA @5 0/fewest",
        "d tour ? @6 10/fewest !",
    ];
    assert_eq!(
        ranks(POINTS, &attempts),
        ["1 a 0", "2 b 0", "3 c 0", "3 d 0"]
    );
    let standings = standings(POINTS, &attempts);
    let points: Vec<_> = standings
        .rows
        .iter()
        .map(|row| row.cells[0].points)
        .collect();
    assert_eq!(points, [Some(40.into()), Some(50.into()), None, None]);
    assert_eq!(
        (standings.columns[0].of, standings.columns[0].solved),
        (None, 2)
    );
}

#[test]
fn a_refused_attempt_is_shown_where_fewer_points_are_better_too() {
    let standings = standings(POINTS, &["a tour CE 0/fewest"]);
    let text = standings_text(&standings, None);
    assert!(text.lines().any(|line| line.ends_with(" CE")), "{text}");
    let page = standings_html(&standings);
    assert!(page.contains(">CE<"), "{page}");
}

#[test]
fn points_of_which_fewer_are_better_decide_only_between_teams_with_equal_other_points()
 {
    let attempts = [
        "a p AC 40/40",
        "a tour AC 9/fewest",
        "b p AC 40/40",
        "b tour AC 3/fewest",
        "b way AC 5/fewest",
        "c p WA 30/40",
        "c tour AC 1/fewest",
        "c way AC 1/fewest",
        "d p AC 40/40",
        "d tour AC 2/fewest",
        "d way AC 5/fewest",
    ];
    assert_eq!(
        ranks(POINTS, &attempts),
        ["1 d 40", "2 b 40", "3 a 40", "4 c 30"]
    );
    let shown = standings_text(&standings(POINTS, &attempts), None);
    assert!(
        shown.contains("   1  d         40  7 in 2  40     2    5\n"),
        "{shown}"
    );
    assert!(
        shown.contains("fewest: points in problems in which fewer are better"),
        "{shown}"
    );
    let table = standings_csv(&standings(POINTS, &attempts));
    assert!(
        table.starts_with(
            "rank,team,solved,penalty,last_solved,points,solved_with_fewest,fewest,p.result"
        ),
        "{table}"
    );
    assert!(table.contains("\r\n3,a,2,0,,40,1,9,"), "{table}");
    assert!(
        standings_html(&standings(POINTS, &attempts))
            .contains("<td class=\"n\">7 in 2</td>")
    );
    // By solved problems, points do not count.
    assert_eq!(
        ranks(ICPC, &["a tour AC 9/fewest", "b tour AC 3/fewest"]),
        ["1 a 1 0", "1 b 1 0"]
    );
}

#[test]
fn teams_without_submissions_and_problems_without_attempts_are_listed() {
    let mut results = ContestResults::default();
    results.take_event(&started("Finals", &["idle", "busy"], &["q", "p"]));
    results.take_event(&attempt("busy p AC @7"));
    results.take_event(&attempt("stray r WA @7"));
    assert!(results.is_contest());
    let standings = StandingsTable::from_results(&results, ICPC);
    let ranks: Vec<_> = standings
        .rows
        .iter()
        .map(|row| (row.rank.unwrap(), &*row.team))
        .collect();
    assert_eq!(ranks, [(1, "busy"), (2, "idle"), (2, "stray")]);
    let columns: Vec<_> = standings
        .columns
        .iter()
        .map(|column| &*column.problem)
        .collect();
    assert_eq!(
        (standings.name.as_str(), columns),
        ("Finals", vec!["q", "p", "r"])
    );
}

#[test]
fn a_log_without_a_contest_has_no_standings() {
    let mut results = ContestResults::default();
    results.take_event(&Event::SuiteFinished(Tally::default()));
    assert!(!results.is_contest());
    let standings = StandingsTable::from_results(&results, ICPC);
    assert_eq!((standings.rows.len(), standings.columns.len()), (0, 0));
}

#[test]
fn the_text_shows_the_attempts_of_each_team_at_each_problem() {
    let attempts = [
        "alpha p WA @5",
        "alpha p AC @95",
        "alpha q AC @20",
        "beta p AC @95",
        "beta q WA @1",
        "beta q RE @2",
        "gamma q CE @3",
        "gamma p ? @99 !",
    ];
    assert_eq!(
        lines(&standings(ICPC, &attempts)),
        [
            "standings",
            "ranked by problems solved, then by time, with 20 minutes for a rejected attempt",
            "rank  team   solved  penalty       p      q",
            "   1  alpha       2      135  +1 95*  + 20*",
            "   2  beta        1       95   + 95*     -2",
            "   3  gamma       0        0       ?     CE",
            "+2 95 solved in minute 95 after 2 rejected attempts; -2 rejected twice",
            "* solved before all others",
            "? could not be judged here, and counts neither for nor against",
        ]
    );
    let attempts = ["alpha p WA 60/100", "alpha q ? 9/9 !", "beta p AC 100/100"];
    assert_eq!(
        lines(&standings(POINTS, &attempts)),
        [
            "standings",
            "ranked by points",
            "rank  team   points    p  q",
            "   1  beta      100  100  .",
            "   2  alpha      60   60  ?",
            "? could not be judged here, and counts neither for nor against",
        ]
    );
}

#[test]
fn tens_of_problems_are_headed_by_letters() {
    let attempts: Vec<_> = (0..30)
        .map(|number| format!("alpha problem-{number:02} AC @{number}"))
        .collect();
    let attempts: Vec<_> = attempts.iter().map(String::as_str).collect();
    let lines = lines(&standings(ICPC, &attempts));
    assert!(
        lines[2].starts_with("rank  team   solved  penalty     A     B"),
        "{}",
        lines[2]
    );
    assert!(
        lines[2].ends_with("     Z     AA     AB     AC     AD"),
        "{}",
        lines[2]
    );
    let legend =
        "A problem-00, B problem-01, C problem-02, D problem-03, E problem-04";
    assert_eq!(lines[4], legend);
    assert!(lines.iter().all(|line| line.chars().count() < 260));
}

#[test]
fn standings_in_every_form_say_if_the_contest_was_interrupted() {
    let mut written = vec![];
    let forms: [StandingsFormat; 2] =
        [|standings| standings_text(standings, None), standings_html];
    for form in forms {
        written.clear();
        let mut standings = ReportWriter::new(
            &mut written,
            Standings::new(form, RankingChoice::default()),
        );
        standings.take_event(&started("c", &["a"], &["p"])).unwrap();
        standings.take_event(&attempt("a p AC @1")).unwrap();
        standings
            .take_event(&Event::SuiteInterrupted(Tally::default()))
            .unwrap();
        assert!(String::from_utf8_lossy(&written).contains("interrupted"));
    }
}

#[test]
fn hostile_names_are_harmless_in_every_form() {
    let name = "<script>alert(1)</script>\u{1b}[2J\u{202e}\",\n=1+1";
    let mut results = ContestResults::default();
    results.take_event(&started(name, &[name, "=HYPERLINK(\"x\")"], &["<b>", "p"]));
    let standings = StandingsTable::from_results(&results, ICPC);
    let page = standings_html(&standings);
    assert!(
        !page.contains("<script")
            && !page.contains("<b>\u{3c}")
            && !page.contains('\u{1b}'),
        "{page}"
    );
    assert!(
        !page.contains('\u{202e}')
            && page.contains("&lt;script&gt;")
            && page.contains("&lt;b&gt;"),
        "{page}"
    );
    let shown = standings_text(&standings, None);
    assert!(
        !shown.contains("\u{1b}[2J") && !shown.contains('\u{202e}'),
        "{shown}"
    );
    let table = standings_csv(&standings);
    assert!(
        table.contains(
            "\"<script>alert(1)</script>\\u{1b}[2J\\u{202e}\"\",\\n'=1+1\""
        ),
        "{table}"
    );
    assert!(table.contains("\"'=HYPERLINK(\"\"x\"\")\""), "{table}");
}

#[test]
fn the_page_needs_no_other_file() {
    let page = standings_html(&standings(
        ICPC,
        &["alpha p WA @5", "alpha p AC @95", "beta p ? @1 !"],
    ));
    for foreign in [
        "<script", "http:", "https:", "url(", "@import", " src=", " href=",
    ] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(
        page.contains("prefers-color-scheme: dark") && page.contains("@media print")
    );
}

#[test]
fn a_page_for_a_wall_reloads_after_it_has_scrolled_and_says_how_old_its_results_are()
{
    let mut results = ContestResults::default();
    let mut event = started("c", &["a"], &["p"]);
    if let Event::SuiteStarted(start) = &mut event {
        start.started = "2026-11-21T20:30:00Z".into();
    }
    results.take_event(&event);
    let mut standings = StandingsTable::from_results(&results, ICPC);
    let short = wall(&standings);
    assert!(short.contains("As of 2026-11-21, 20:30 UTC."), "{short}");
    assert!(short.contains("<meta http-equiv=\"refresh\" content=\"30\">"));
    let row = standings.rows[0].clone();
    standings.rows.extend(std::iter::repeat_n(row, 99));
    let long = wall(&standings);
    assert!(long.contains("<meta http-equiv=\"refresh\" content=\"100\">"));
    assert!(long.contains("--cycle:100s") && !long.contains("<script"));
    let page = standings_html(&standings);
    assert!(
        page.contains("Judged 2026-11-21, 20:30 UTC.") && !page.contains("refresh")
    );
}

#[test]
fn the_more_problems_the_wider_a_screen_must_be_to_show_them_beside_each_other() {
    let least = |problems: usize| {
        let attempts: Vec<_> = (0..problems)
            .map(|number| format!("a p{number} AC @1"))
            .collect();
        let attempts: Vec<_> = attempts.iter().map(String::as_str).collect();
        let page = standings_html(&standings(ICPC, &attempts));
        let rest = page.split("screen and (max-width: ").nth(1).unwrap();
        rest.split("px").next().unwrap().parse::<usize>().unwrap()
    };
    assert!((390..768).contains(&least(3)), "{}", least(3));
    assert!((768..1280).contains(&least(12)), "{}", least(12));
    assert!(least(26) > 1280, "{}", least(26));
}

#[test]
fn the_csv_table_has_a_row_for_each_team_and_four_columns_for_each_problem() {
    let standings = standings(
        ICPC,
        &["alpha p WA @5 0/60", "alpha p AC @95 60/60", "beta q CE @2"],
    );
    assert_eq!(
        standings_csv(&standings),
        "rank,team,solved,penalty,last_solved,points,p.result,p.rejected,p.minute,p.points,\
         q.result,q.rejected,q.minute,q.points\r\n\
         1,alpha,1,115,95,60,first,1,95,60,,,,\r\n\
         2,beta,0,0,,0,,,,,refused,0,,0\r\n"
    );
}

/// The lines of the standings on a terminal of `room` columns.
fn lines_in(room: usize, standings: &StandingsTable) -> Vec<String> {
    let lines: Vec<_> =
        anstream::adapter::strip_str(&standings_text(standings, Some(room)))
            .to_string()
            .lines()
            .skip_while(|line| !line.starts_with("rank "))
            .map(str::to_owned)
            .collect();
    assert!(
        lines.iter().all(|line| line.len() <= room),
        "{room}: {lines:#?}"
    );
    lines
}

#[test]
fn on_a_narrow_terminal_names_are_shortened_then_minutes_and_then_problems_left_out()
{
    let standings = standings(
        ICPC,
        &[
            "the-best-team-of-all-universities first-one AC @95",
            "the-best-team-of-all-universities second-one WA @96",
            "the-best-team-of-all-universities second-one AC @97",
            "the-best-team-of-all-universities third-one WA @98",
        ],
    );
    assert_eq!(lines_in(90, &standings), lines(&standings)[2..]);
    let shown = |room: usize| lines_in(room, &standings)[..3].join("\n");
    for (room, expected) in [
        (
            80,
            "rank  team                     solved  penalty  first-one  second-one  third-one\n   \
             1  the-best-team-of-all...       2      212      + 95*      +1 97*         -1\n\
             +2 95 solved in minute 95 after 2 rejected attempts; -2 rejected twice",
        ),
        (
            60,
            "rank  team                solved  penalty      A       B   C\n   \
             1  the-best-team-o...       2      212  + 95*  +1 97*  -1\n\
             A first-one, B second-one, C third-one",
        ),
        (
            48,
            "rank  team          solved  penalty   A    B   C\n   \
             1  the-best-...       2      212  +*  +1*  -1\n\
             A first-one, B second-one, C third-one",
        ),
        (
            43,
            "rank  team          solved  penalty   A\n   \
             1  the-best-...       2      212  +*\n\
             A first-one",
        ),
    ] {
        assert_eq!(shown(room), expected);
    }
    let whole = |room| lines_in(room, &standings).join(" ");
    assert!(
        whole(48).contains(" +2 solved after 2 rejected attempts; "),
        "{}",
        whole(48)
    );
    assert!(
        whole(46).contains(" the last problem is not shown: "),
        "{}",
        whole(46)
    );
    assert!(
        whole(43).contains(" the last 2 problems are not shown: "),
        "{}",
        whole(43)
    );
}

#[test]
fn a_case_that_all_teams_fail_is_said_below_the_table_unless_one_has_solved_the_problem()
 {
    let said = |attempts: &[&str]| {
        lines(&standings(ICPC, attempts))
            .into_iter()
            .filter(|line| line.contains("was failed by all"))
            .collect::<Vec<_>>()
    };
    let rejected = [
        "a p WA case:s-2",
        "a p WA case:s-1",
        "b p TLE case:s-2",
        "c p CE",
        "a q WA case:s-1",
    ];
    let line = "p: s-2 was failed by all 2 teams that tried it: see whether the case and its answer are right";
    assert_eq!(said(&rejected), [line]);
    let shown = standings(ICPC, &rejected);
    assert!(
        standings_html(&shown).contains(line),
        "{}",
        standings_html(&shown)
    );
    assert!(!wall(&shown).contains(line), "{}", wall(&shown));
    let table = standings_csv(&shown);
    let mut rows = table.lines();
    assert!(
        rows.next()
            .is_some_and(|header| header.ends_with(",failed_by_all_teams")),
        "{table}"
    );
    assert!(rows.all(|row| row.ends_with(",p: s-2")), "{table}");
    assert_eq!(said(&[&rejected[..], &["c p AC"]].concat()), [""; 0]);
    assert_eq!(
        said(&[&rejected[..], &["c p RE case:s-3"]].concat()),
        [""; 0]
    );
}

#[test]
fn a_page_stays_below_five_megabytes_with_the_first_teams_and_counts_the_rest() {
    let mut standings =
        standings(ICPC, &["alpha p AC @5", "alpha q WA @9", "beta p WA @7"]);
    let whole = standings_html(&standings);
    assert!(!whole.contains("not listed"));
    let row = standings.rows[1].clone();
    standings.rows.extend(std::iter::repeat_n(row, 100_000));
    let page = standings_html(&standings);
    assert!(
        (4_400_000..5_000_000).contains(&page.len()),
        "{}",
        page.len()
    );
    let listed = page
        .matches("<th class=\"team\" scope=\"row\"><bdi>")
        .count();
    assert!(
        page.contains(&format!("The last {} teams not listed", 100_002 - listed)),
        "{listed}"
    );
    assert!(page.contains("alpha"));
}

/// A contest of the teams `a` to `d` with these rules, in which `b` is out of
/// competition and `d` disqualified.
fn ruled(rules: ContestRules, choice: RankingChoice) -> StandingsTable {
    let details = |name: &str, status| {
        let details = TeamDetails {
            name: Some(format!("Team {}", name.to_uppercase())),
            organisation: Some("Somewhere".into()),
            group: Some(if name < "c" { "new" } else { "old" }.into()),
            site: Some("<b>here".into()),
            status,
        };
        (Arc::from(name), details)
    };
    let problem = ProblemDetails {
        label: Some("X".into()),
        color: Some("#ff8800".into()),
    };
    let mut results = ContestResults::default();
    results.take_event(&started("c", &["a", "b", "c", "d"], &["p", "q"]));
    *results.opening.contest.as_mut().unwrap().rules = ContestRules {
        team: [
            details("a", TeamStatus::Ranked),
            details("b", TeamStatus::OutOfCompetition),
            details("c", TeamStatus::Ranked),
            details("d", TeamStatus::Disqualified),
        ]
        .into(),
        problem: [("p".into(), problem)].into(),
        ..rules
    };
    for text in [
        "a p WA @10",
        "a p AC @30",
        "b p AC @5",
        "c p AC @40",
        "c q WA @239",
        "c q AC @240",
        "d p AC @1",
        "d q AC @2",
        "a q AC @300",
    ] {
        results.take_event(&attempt(text));
    }
    StandingsTable::from_results(&results, choice.rules(&results.rules()))
}

#[test]
fn the_head_names_all_rules_and_teams_without_a_rank_take_none_from_others() {
    let rules = ContestRules {
        start: Some("2026-11-28 10:00".into()),
        length: Some(300),
        freeze: Some(240),
        penalty: Some(10),
        ..ContestRules::default()
    };
    let frozen = ruled(rules.clone(), RankingChoice::default());
    assert_eq!(
        lines(&frozen)[..13],
        [
            "standings of c",
            "ranked by problems solved, then by time, with 10 minutes for a rejected attempt",
            "frozen since minute 240",
            "300 minutes from 2026-11-28 10:00",
            "1 attempt after the end not counted",
            "1 team out of competition",
            "1 team disqualified",
            "rank  team                solved  penalty       X      q",
            "   -  Team B (Somewhere)       1        5     + 5      .",
            "   1  Team A (Somewhere)       1       40  +1 30*      .",
            "   2  Team C (Somewhere)       1       40    + 40  -1 ?1",
            "  dq  Team D (Somewhere)       2        3     + 1    + 2",
            "X p",
        ]
    );
    let unfrozen = ruled(
        rules,
        RankingChoice {
            unfreeze: true,
            penalty: Some(20),
            ..RankingChoice::default()
        },
    );
    let shown = lines(&unfrozen).join("\n");
    assert!(
        shown.contains("   1  Team C (Somewhere)       2      300"),
        "{shown}"
    );
    assert!(shown.contains("group new\nrank  team"), "{shown}");
    assert!(shown.contains("site <b>here\n"), "{shown}");
}

#[test]
fn standings_as_of_a_minute_know_nothing_of_it_and_of_later_ones() {
    let as_of = |minute| {
        let choice = RankingChoice {
            as_of: Some(minute),
            ..RankingChoice::default()
        };
        let table = ruled(ContestRules::default(), choice);
        table
            .rows
            .iter()
            .map(|row| (row.rank, row.solved))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        as_of(30),
        [(None, 1), (Some(1), 0), (Some(1), 0), (None, 2)]
    );
    assert_eq!(
        as_of(31),
        [(None, 1), (Some(1), 1), (Some(2), 0), (None, 2)]
    );
}

#[test]
fn what_a_log_says_of_teams_and_problems_cannot_alter_a_page() {
    let mut table = ruled(ContestRules::default(), RankingChoice::default());
    let page = standings_html(&table);
    assert!(
        page.contains("<span class=\"balloon\" style=\"background:#ff8800\">"),
        "{page}"
    );
    assert!(
        page.contains("&lt;b&gt;here") && !page.contains("<b>here"),
        "{page}"
    );
    let table_of_values = standings_csv(&table);
    assert!(
        table_of_values.contains(
            ",name,organisation,group,group_rank,site,site_rank,status\r\n"
        ),
        "{table_of_values}"
    );
    assert!(
        table_of_values.contains(",Team A,Somewhere,new,1,<b>here,2,ranked\r\n"),
        "{table_of_values}"
    );
    table.columns[0].details.color = Some("red;position:fixed".into());
    assert!(!standings_html(&table).contains("position:fixed"));
}
