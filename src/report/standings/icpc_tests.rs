//! Compares rankings with a second computation that shares nothing with the first: it
//! lets each contest happen minute by minute, as the rules of the ICPC tell it, and
//! then counts for each team how many others are better.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{
    Contest, ContestRules, Entrant, Event, SubmissionSummary, TeamDetails,
    TeamStatus, Verdict,
};
use crate::report::standings::{ContestResults, RankingChoice, StandingsTable};

/// Numbers that look random and are the same on every machine (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn sometimes<T>(&mut self, value: T) -> Option<T> {
        (self.below(2) == 0).then_some(value)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Accepted,
    Rejected,
    DoesNotCompile,
    NotJudged,
}

/// A contest. Teams and problems are numbers.
struct Made {
    statuses: Vec<TeamStatus>,
    groups: Vec<Option<usize>>,
    problems: usize,
    /// Team, problem, minute, outcome; in no order of time.
    attempts: Vec<(usize, usize, u64, Outcome)>,
    length: Option<u64>,
    freeze: Option<u64>,
    as_of: Option<u64>,
    penalty: u64,
}

impl Made {
    fn new(numbers: &mut Numbers) -> Self {
        let teams = 1 + numbers.below(9);
        let problems = 1 + numbers.below(5);
        // Few minutes, so that many attempts and teams are equal.
        let last = 5 + numbers.below(40);
        let attempts = (0..numbers.below(12 * teams))
            .map(|_| {
                let outcome = match numbers.below(10) {
                    0..4 => Outcome::Accepted,
                    4..8 => Outcome::Rejected,
                    8 => Outcome::DoesNotCompile,
                    _ => Outcome::NotJudged,
                };
                (
                    numbers.below(teams),
                    numbers.below(problems),
                    numbers.below(last) as u64,
                    outcome,
                )
            })
            .collect();
        let statuses = (0..teams)
            .map(|_| match numbers.below(8) {
                0 => TeamStatus::OutOfCompetition,
                1 => TeamStatus::Disqualified,
                _ => TeamStatus::Ranked,
            })
            .collect();
        let groups = (0..teams)
            .map(|_| numbers.below(3))
            .map(|group| group.checked_sub(1))
            .collect();
        let mut minute = || 1 + numbers.below(last) as u64;
        let (length, freeze, as_of) = (minute(), minute(), minute());
        Self {
            statuses,
            groups,
            problems,
            attempts,
            length: numbers.sometimes(length),
            freeze: numbers.sometimes(freeze),
            as_of: numbers.sometimes(as_of),
            penalty: [0, 1, 7, 20][numbers.below(4)],
        }
    }

    /// The standings, as they are computed.
    fn standings(&self) -> StandingsTable {
        let team = |place: usize| Arc::<str>::from(format!("t{place}"));
        let teams = 0..self.statuses.len();
        let details = teams.clone().map(|place| {
            let details = TeamDetails {
                group: self.groups[place].map(|group| format!("g{group}")),
                status: self.statuses[place],
                ..TeamDetails::default()
            };
            (team(place), details)
        });
        let rules = ContestRules {
            penalty: Some(self.penalty),
            length: self.length,
            freeze: self.freeze,
            team: details.collect(),
            ..ContestRules::default()
        };
        let contest = Contest {
            name: String::new(),
            teams: teams.map(team).collect(),
            problems: (0..self.problems)
                .map(|place| format!("p{place}").into())
                .collect(),
            page: None,
            rules: Box::new(rules),
        };
        let mut results = ContestResults::default();
        results.opening.contest = Some(contest);
        for (by, problem, minute, outcome) in &self.attempts {
            results.take_event(&Event::SubmissionFinished(Box::new(
                SubmissionSummary {
                    problem: format!("p{problem}").into(),
                    verdict: match outcome {
                        Outcome::Accepted => Some(Verdict::Accepted),
                        Outcome::Rejected => Some(Verdict::WrongAnswer),
                        Outcome::DoesNotCompile => Some(Verdict::CompileError),
                        Outcome::NotJudged => None,
                    },
                    entrant: Some(Entrant {
                        team: team(*by),
                        minute: Some(*minute),
                        submitted: None,
                    }),
                    ..SubmissionSummary::default()
                },
            )));
        }
        let choice = RankingChoice {
            as_of: self.as_of,
            ..RankingChoice::default()
        };
        StandingsTable::from_results(&results, choice.rules(&results.rules()))
    }

    /// What each team has achieved when the clock is stopped.
    fn played(&self) -> Vec<Achieved> {
        let mut teams = vec![Achieved::default(); self.statuses.len()];
        let end = [self.length, self.as_of].into_iter().flatten().min();
        for minute in 0..end.unwrap_or(1000) {
            for (team, problem, at, outcome) in &self.attempts {
                if *at != minute {
                    continue;
                }
                let team = &mut teams[*team];
                if team.solved_at.contains_key(problem) {
                    continue;
                }
                if self.freeze.is_some_and(|freeze| minute >= freeze) {
                    *team.hidden.entry(*problem).or_default() += 1;
                    continue;
                }
                match outcome {
                    Outcome::Accepted => {
                        let wrong =
                            team.wrong.get(problem).copied().unwrap_or_default();
                        team.solved_at.insert(*problem, minute);
                        team.time += minute + wrong * self.penalty;
                        team.last = minute;
                    }
                    Outcome::Rejected => {
                        *team.wrong.entry(*problem).or_default() += 1
                    }
                    Outcome::DoesNotCompile | Outcome::NotJudged => {}
                }
            }
        }
        teams
    }

    /// The rank of a team among those that `takes_part` accepts.
    fn rank(
        &self,
        teams: &[Achieved],
        own: usize,
        takes_part: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        if self.statuses[own] != TeamStatus::Ranked {
            return None;
        }
        let better = (0..teams.len()).filter(|other| {
            takes_part(*other)
                && self.statuses[*other] == TeamStatus::Ranked
                && teams[*other].beats(&teams[own])
        });
        Some(better.count() + 1)
    }
}

#[derive(Clone, Default)]
struct Achieved {
    solved_at: BTreeMap<usize, u64>,
    wrong: BTreeMap<usize, u64>,
    hidden: BTreeMap<usize, u64>,
    time: u64,
    last: u64,
}

impl Achieved {
    /// Teams are ranked by the most problems solved, then by the least total time, then
    /// by the earliest time of the last accepted run.
    fn beats(&self, other: &Self) -> bool {
        let (own, theirs) = (self.solved_at.len(), other.solved_at.len());
        if own != theirs {
            return own > theirs;
        }
        if self.time != other.time {
            return self.time < other.time;
        }
        self.last < other.last
    }
}

#[test]
fn five_hundred_random_contests_are_ranked_as_a_clock_and_a_count_of_better_teams_say()
 {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for round in 0..500 {
        let made = Made::new(&mut numbers);
        let standings = made.standings();
        let teams = made.played();
        assert_eq!(standings.rows.len(), teams.len());
        let place_of = |name: &str| name[1..].parse::<usize>().unwrap();
        for row in &standings.rows {
            let place = place_of(&row.team);
            let team = &teams[place];
            assert_eq!(
                (row.rank, row.solved, row.penalty),
                (
                    made.rank(&teams, place, |_| true),
                    team.solved_at.len(),
                    team.time
                ),
                "contest {round}, team {place}"
            );
            for (problem, cell) in row.cells.iter().enumerate() {
                let count = |of: &BTreeMap<usize, u64>| {
                    of.get(&problem).copied().unwrap_or(0)
                };
                assert_eq!(
                    (cell.minute, cell.rejected, cell.hidden),
                    (
                        team.solved_at.get(&problem).copied(),
                        count(&team.wrong),
                        count(&team.hidden)
                    ),
                    "contest {round}, team {place}, problem {problem}"
                );
            }
        }
        for group in &standings.groups {
            for (rank, row) in &group.ranks {
                let place = place_of(&standings.rows[*row].team);
                let own = made.groups[place];
                assert_eq!(group.name, format!("g{}", own.unwrap()));
                let expected =
                    made.rank(&teams, place, |other| made.groups[other] == own);
                assert_eq!(
                    *rank, expected,
                    "contest {round}, team {place} in its group"
                );
            }
        }
        let listed: usize =
            standings.groups.iter().map(|group| group.ranks.len()).sum();
        assert_eq!(listed, made.groups.iter().flatten().count());
    }
}
