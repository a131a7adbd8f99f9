//! The rules of a contest and of a course, and what is known of teams, students and
//! problems besides their names. They are in the log, so that every report of it ranks
//! by the same rules, and gives the same marks.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Moment, PointValue, is_default};

/// What the teams of a contest are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankingMode {
    /// Problems solved, and penalty.
    Icpc,
    /// The sum of points.
    Points,
}

/// The rules of a contest, as far as they are given. All times are minutes since its
/// start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContestRules {
    /// What teams are ranked by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<RankingMode>,
    /// Minutes that a rejected attempt at a problem costs once the problem is solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<u64>,
    /// When it started, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// When it ended: an attempt in this minute or later does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// From when on results are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freeze: Option<u64>,
    /// Teams, by their names in [`Contest::teams`](crate::model::Contest::teams).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub team: BTreeMap<Arc<str>, TeamDetails>,
    /// Problems, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub problem: BTreeMap<Arc<str>, ProblemDetails>,
    /// The rules of a course, if it is one: its teams are students, and there is no
    /// ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course: Option<CourseRules>,
}

/// What is known of a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TeamDetails {
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its university, school or company.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// Its group, such as a division or a year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Where it takes part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Whether it has a rank.
    #[serde(skip_serializing_if = "is_default")]
    pub status: TeamStatus,
}

/// Whether a team has a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeamStatus {
    /// It has one.
    #[default]
    Ranked,
    /// It is listed where it would be, without a rank.
    OutOfCompetition,
    /// It is listed last, without a rank.
    Disqualified,
}

/// What is known of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemDetails {
    /// The head of its column, such as a letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The colour of its balloon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// The colours that have names.
pub(crate) const COLOUR_NAMES: &str = "aqua, black, blue, brown, cyan, gold, gray, \
                                       green, lime, magenta, maroon, navy, orange, \
                                       pink, purple, red, silver, teal, white, yellow";

impl ProblemDetails {
    /// The colour, if it is one that a style sheet may name: the log may be anybody's.
    pub fn safe_color(&self) -> Option<&str> {
        self.color.as_deref().filter(|color| is_colour(color))
    }
}

/// Whether a text is a colour: a known name, or `#` and six hexadecimal digits.
pub(crate) fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    let is_number =
        digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number || COLOUR_NAMES.split(", ").any(|name| name == text)
}

// The rules of a course: when homework is due, what a late attempt loses, which attempt
// counts, and what is known of students besides their names. They are in the log, so
// that every report of it gives the same marks.

/// Which of several attempts at a problem counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountedAttempt {
    /// The one that is worth most, after what it loses because it is late.
    #[default]
    Best,
    /// The one that was handed in last.
    Last,
}

/// The rules of a course, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CourseRules {
    /// Which of several attempts counts.
    #[serde(skip_serializing_if = "is_default")]
    pub count: CountedAttempt,
    /// When homework is due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Moment>,
    /// What an attempt loses that is late. Without it, lateness is only shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRule>,
    /// Problems, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub problem: BTreeMap<Arc<str>, HomeworkProblem>,
    /// Students, by their names in [`Contest::teams`](crate::model::Contest::teams).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub student: BTreeMap<Arc<str>, StudentDetails>,
}

/// What a late attempt loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LateRule {
    /// Per cent of its points, for each period that has begun.
    pub percent: u64,
    /// The length of a period, in seconds.
    pub each_s: u64,
    /// How late an attempt may be without being called late, in seconds.
    #[serde(skip_serializing_if = "is_default", default)]
    pub grace_s: u64,
    /// How late an attempt may be that counts at all, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_s: Option<u64>,
}

/// A problem as homework.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeworkProblem {
    /// When it is due, in place of what is said for all problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Moment>,
    /// What it is worth in the course, whatever its own points are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
}

/// What is known of a student.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudentDetails {
    /// The name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number by which the school knows the student.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The class or group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// When the student's homework is due, whatever is said for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Moment>,
    /// What was handed in and cannot be judged, and why, if it may be for any problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<String>,
    /// The same for a problem that it is known to be for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub unjudged_for: BTreeMap<Arc<str>, String>,
}

impl StudentDetails {
    /// What was handed in for a problem, or may have been, and cannot be judged.
    pub fn why_unjudged(&self, problem: &str) -> Option<&str> {
        let of_problem = self.unjudged_for.get(problem);
        of_problem.or(self.unjudged.as_ref()).map(String::as_str)
    }
}

impl CourseRules {
    /// When a student's attempt at a problem is due.
    pub fn due(&self, student: &str, problem: &str) -> Option<Moment> {
        let of_student = self.student.get(student).and_then(|student| student.due);
        let of_problem = self.problem.get(problem).and_then(|problem| problem.due);
        of_student.or(of_problem).or(self.due)
    }

    /// By how many seconds an attempt is late; 0 if it is not, or if nothing is due.
    pub fn seconds_late(
        &self,
        submitted: Option<Moment>,
        due: Option<Moment>,
    ) -> u64 {
        let late = submitted
            .zip(due)
            .map_or(0, |(submitted, due)| submitted.seconds_since(due));
        let grace = self.late.map_or(0, |rule| rule.grace_s);
        if late > grace { late } else { 0 }
    }
}

impl LateRule {
    /// Whether an attempt that is late by this many seconds does not count.
    pub fn is_too_late(&self, seconds_late: u64) -> bool {
        self.until_s.is_some_and(|until| seconds_late > until)
    }

    /// What is left of the points of an attempt that is late by this many seconds.
    pub fn left_of(&self, points: PointValue, seconds_late: u64) -> PointValue {
        if self.is_too_late(seconds_late) {
            return PointValue::ZERO;
        }
        let lost = seconds_late
            .div_ceil(self.each_s.max(1))
            .saturating_mul(self.percent)
            .min(100);
        points.part((100 - lost).into(), 100.into())
    }
}

#[cfg(test)]
mod course_rules_tests {
    use super::*;

    const DAY: u64 = 86_400;

    fn moment(text: &str) -> Option<Moment> {
        Some(Moment::parse(text).unwrap())
    }

    #[test]
    fn what_is_due_for_a_student_replaces_what_is_due_for_a_problem_or_for_all() {
        let rules = CourseRules {
            due: moment("2026-11-01 12:00Z"),
            problem: BTreeMap::from([(
                "evens".into(),
                HomeworkProblem {
                    due: moment("2026-11-02 12:00Z"),
                    points: None,
                },
            )]),
            student: BTreeMap::from([(
                "anna".into(),
                StudentDetails {
                    due: moment("2026-11-03 12:00Z"),
                    ..StudentDetails::default()
                },
            )]),
            ..CourseRules::default()
        };
        let days = |student, problem| {
            let due = rules.due(student, problem);
            rules.seconds_late(moment("2026-11-05 12:00Z"), due) / DAY
        };
        assert_eq!(
            (
                days("ben", "odds"),
                days("ben", "evens"),
                days("anna", "evens")
            ),
            (4, 3, 2)
        );
        let in_time = moment("2026-11-01 12:00Z");
        assert_eq!(rules.seconds_late(in_time, rules.due), 0);
        assert_eq!(rules.seconds_late(None, rules.due), 0);
        let nothing_due = CourseRules::default();
        assert_eq!(nothing_due.due("ben", "odds"), None);
        assert_eq!(nothing_due.seconds_late(in_time, None), 0);
    }

    #[test]
    fn within_the_grace_nothing_is_late_and_after_it_all_of_it_is() {
        let rules = CourseRules {
            due: moment("2026-11-01 12:00Z"),
            late: Some(LateRule {
                percent: 10,
                each_s: DAY,
                grace_s: 600,
                until_s: None,
            }),
            ..CourseRules::default()
        };
        let late = |submitted| rules.seconds_late(moment(submitted), rules.due);
        assert_eq!(late("2026-11-01 12:10Z"), 0);
        assert_eq!(late("2026-11-01 12:10:01Z"), 601);
    }

    #[test]
    fn each_period_that_has_begun_costs_a_part_until_nothing_is_left() {
        let rule = LateRule {
            percent: 30,
            each_s: DAY,
            grace_s: 0,
            until_s: None,
        };
        let left = |rule: LateRule, late| rule.left_of(50.into(), late).to_string();
        for (late, expected) in [
            (0, "50"),
            (1, "35"),
            (DAY, "35"),
            (DAY + 1, "20"),
            (3 * DAY, "5"),
            (3 * DAY + 1, "0"),
            (u64::MAX, "0"),
        ] {
            assert_eq!(left(rule, late), expected, "{late}");
        }
        let ends = LateRule {
            until_s: Some(2 * DAY),
            ..rule
        };
        assert_eq!(
            (left(ends, 2 * DAY), left(ends, 2 * DAY + 1)),
            ("20".into(), "0".into())
        );
    }
}
