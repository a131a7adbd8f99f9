//! Computes marks from what was graded, by the rules of the course. Pure; knows no
//! format.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;

use crate::model::{
    CountedAttempt, CourseRules, Moment, PointValue, StudentDetails, Verdict,
};
use crate::report::marks::{Attempt, CourseResults};
use crate::text::{JoinedTexts, counted};

/// The marks of all students.
pub struct MarkTable<'a> {
    /// The name of the course.
    pub(super) name: &'a str,
    pub(super) problems: Vec<MarkColumn>,
    /// By name.
    pub(super) rows: Vec<StudentRow<'a>>,
    pub(super) rules: CourseRules,
    /// Whether some attempts have times that matter.
    pub(super) has_times: bool,
    /// Whether more may come, so that no total is known.
    pub(super) is_partial: bool,
}

/// A problem, as all students have it.
pub(super) struct MarkColumn {
    pub(super) problem: Arc<str>,
    /// The names of its groups of cases.
    pub(super) groups: Vec<String>,
    /// What it is worth; `None` if nobody has tried it.
    of: Option<PointValue>,
}

/// The marks of a student.
pub(super) struct StudentRow<'a> {
    pub(super) student: Arc<str>,
    pub(super) details: StudentDetails,
    /// One for each problem, in the order of the columns.
    pub(super) marks: Vec<ProblemMark<'a>>,
    /// The sum; `None` if one of them is not known.
    pub(super) total: Option<PointValue>,
}

/// What a student has in a problem.
pub(super) struct ProblemMark<'a> {
    /// The mark that counts of what was judged; `None` if nothing was.
    pub(super) mark: Option<Mark<'a>>,
    /// Why something else may count, which was not judged.
    pub(super) unjudged: Option<String>,
}

/// The mark for an attempt of a student at a problem.
pub(super) struct Mark<'a> {
    /// The attempt that counts.
    pub(super) attempt: &'a Attempt,
    /// The number of attempts.
    pub(super) attempts: usize,
    /// When it was due.
    pub(super) due: Option<Moment>,
    pub(super) seconds_late: u64,
    /// Whether it is dated after judging began, which is no time at which it was handed
    /// in.
    pub(super) is_from_future: bool,
    /// The points before it loses any because it is late, or the most that they can be.
    pub(super) earned: PointValue,
    /// `None` if it is not known, because the judge has failed.
    pub(super) points: Option<PointValue>,
    /// The points, or the most that they can be.
    most: PointValue,
    /// What the problem is worth.
    pub(super) of: PointValue,
}

impl<'a> MarkTable<'a> {
    /// The marks for these results.
    pub fn from_results(results: &'a CourseResults) -> Self {
        let rules = results.rules();
        let contest = results.contest.as_ref();
        let attempts = || results.attempts.values().flatten();
        let listed = contest.map_or(&[][..], |contest| &contest.problems);
        let tried: BTreeSet<_> = attempts().map(|attempt| &attempt.problem).collect();
        let problems: IndexSet<_> = listed.iter().chain(tried).collect();
        let problems: Vec<_> = problems
            .into_iter()
            .map(|problem| MarkColumn::from_attempts(problem, attempts(), &rules))
            .collect();
        let students: BTreeSet<_> = contest
            .map_or(&[][..], |contest| &contest.teams)
            .iter()
            .chain(results.attempts.keys())
            .collect();
        let mut rows: Vec<_> = students
            .into_iter()
            .map(|student| {
                StudentRow::from_results(student, results, &problems, &rules)
            })
            .collect();
        rows.sort_by_key(|row| row.name().to_lowercase());
        Self {
            name: contest.map_or("all submissions", |contest| &contest.name),
            rows,
            problems,
            has_times: attempts().any(|attempt| attempt.submitted.is_some()),
            rules,
            is_partial: results.is_partial,
        }
    }

    /// What all problems together are worth, as far as it is known.
    pub(super) fn most(&self) -> PointValue {
        self.problems.iter().filter_map(|column| column.of).sum()
    }

    /// What is done with late work, in words.
    pub(super) fn late_rule(&self) -> Option<String> {
        let late = self.rules.late?;
        let late_attempt = match late.grace_s {
            0 => "a late attempt".to_owned(),
            grace => format!("an attempt that is more than {} late", length(grace)),
        };
        let end = late.until_s.map_or_else(String::new, |until| {
            format!(", and all of them after {}", length(until))
        });
        let each = length(late.each_s);
        Some(format!(
            "{late_attempt} loses {} % of its points for every {} begun{end}",
            late.percent,
            each.strip_prefix("1 ").unwrap_or(&each),
        ))
    }

    /// Which of several attempts counts, in words.
    pub(super) fn count_rule(&self) -> &'static str {
        let ends = self.rules.late.is_some_and(|late| late.until_s.is_some());
        match self.rules.count {
            CountedAttempt::Best => "of several attempts, the best counts",
            CountedAttempt::Last if ends => {
                "of several attempts, the last counts that is not too late"
            }
            CountedAttempt::Last => "of several attempts, the last counts",
        }
    }

    /// Students, late work and the mean, in a sentence.
    pub(super) fn summary(&self) -> String {
        let totals: Vec<_> = self.rows.iter().filter_map(|row| row.total).collect();
        let idle = self.rows.iter().filter(|row| row.is_idle()).count();
        let late = self
            .rows
            .iter()
            .filter(|row| row.seconds_late() > 0)
            .count();
        let mean = PointValue::mean(&totals).get();
        let mut words = vec![counted(self.rows.len(), "student")];
        if !totals.is_empty() {
            words.push(format!(
                "{mean:.1} of {} on average",
                self.most().in_words()
            ));
        }
        if late > 0 {
            words.push(format!("{late} late"));
        }
        let unknown = self.rows.len() - totals.len();
        if self.is_partial {
            words.push("no totals, since not everything was judged".to_owned());
        } else {
            if idle > 0 {
                words.push(format!("{idle} without an attempt"));
            }
            if unknown > 0 {
                words.push(format!("{unknown} not judged"));
            }
        }
        words.join(", ")
    }
}

/// A length of time in words, as `1 day 2 h`.
pub(super) fn length(seconds: u64) -> String {
    // Seconds matter to nobody, but no lateness is none.
    let minutes = seconds.div_ceil(60);
    let [days, hours, minutes] = [minutes / 1440, minutes / 60 % 24, minutes % 60];
    [
        (days, counted(days, "day")),
        (hours, format!("{hours} h")),
        (minutes, format!("{minutes} min")),
    ]
    .into_iter()
    .filter(|(number, _)| *number > 0)
    .map(|(_, part)| part)
    .joined(" ")
}

impl MarkColumn {
    fn from_attempts<'a>(
        problem: &Arc<str>,
        attempts: impl Iterator<Item = &'a Attempt>,
        rules: &CourseRules,
    ) -> Self {
        let mut groups = IndexSet::new();
        let mut of = given_points(problem, rules);
        for attempt in attempts.filter(|attempt| attempt.problem == *problem) {
            of = of.max(Some(worth(attempt, rules)));
            // Other groups than these have no points of their own.
            let parts = attempt.parts.iter().filter(|part| part.has_points());
            groups.extend(parts.map(|part| &part.name));
        }
        Self {
            problem: Arc::clone(problem),
            groups: groups.into_iter().cloned().collect(),
            of,
        }
    }
}

/// What the course says that a problem is worth.
fn given_points(problem: &Arc<str>, rules: &CourseRules) -> Option<PointValue> {
    let points = rules.problem.get(problem)?.points;
    points.map(PointValue::from)
}

/// What the problem of an attempt is worth in the course.
fn worth(attempt: &Attempt, rules: &CourseRules) -> PointValue {
    given_points(&attempt.problem, rules).unwrap_or(attempt.worth.of)
}

impl<'a> StudentRow<'a> {
    fn from_results(
        student: &Arc<str>,
        results: &'a CourseResults,
        problems: &[MarkColumn],
        rules: &CourseRules,
    ) -> Self {
        let attempts = results.attempts.get(student).map_or(&[][..], |found| found);
        let details = rules.student.get(student).cloned().unwrap_or_default();
        let marks: Vec<_> = problems
            .iter()
            .map(|column| {
                let of_problem: Vec<_> = attempts
                    .iter()
                    .filter(|attempt| attempt.problem == column.problem)
                    .map(|attempt| {
                        Mark::from_attempt(student, attempt, results.started, rules)
                    })
                    .collect();
                let mark = counting(of_problem, rules);
                let is_best = mark.as_ref().is_some_and(|mark| {
                    rules.count == CountedAttempt::Best
                        && mark.points == Some(mark.of)
                });
                let unjudged = details.why_unjudged(&column.problem);
                let unjudged = unjudged.filter(|_| !is_best);
                let partial =
                    results.is_partial.then_some("the judging is incomplete");
                ProblemMark {
                    mark,
                    unjudged: unjudged.or(partial).map(str::to_owned),
                }
            })
            .collect();
        Self {
            student: Arc::clone(student),
            total: marks.iter().map(ProblemMark::points).sum(),
            details,
            marks,
        }
    }

    /// The name to show.
    pub(super) fn name(&self) -> &str {
        self.details.name.as_deref().unwrap_or(&self.student)
    }

    /// The marks that count of what was judged.
    pub(super) fn judged(&self) -> impl Iterator<Item = &Mark<'a>> {
        self.marks.iter().filter_map(|found| found.mark.as_ref())
    }

    /// Whether there are several attempts at a problem.
    pub(super) fn has_several(&self) -> bool {
        self.judged().any(|mark| mark.attempts > 1)
    }

    /// Whether nothing was handed in.
    fn is_idle(&self) -> bool {
        self.marks
            .iter()
            .all(|found| found.mark.is_none() && found.unjudged.is_none())
    }

    /// How late the latest attempt is that counts.
    pub(super) fn seconds_late(&self) -> u64 {
        let late = self.judged().map(|mark| mark.seconds_late);
        late.max().unwrap_or_default()
    }
}

impl ProblemMark<'_> {
    /// The points; `None` if they are not known.
    pub(super) fn points(&self) -> Option<PointValue> {
        match (&self.unjudged, &self.mark) {
            (Some(_), _) => None,
            (None, Some(mark)) => mark.points,
            (None, None) => Some(PointValue::ZERO),
        }
    }

    /// The verdict in a word, or `nothing` in place of it if nothing was handed in.
    pub(super) fn verdict_or(&self, nothing: &'static str) -> &'static str {
        match (&self.mark, &self.unjudged) {
            (Some(mark), _) => {
                mark.attempt.verdict.map_or("not judged", Verdict::code)
            }
            (None, Some(_)) => "not judged",
            (None, None) => nothing,
        }
    }

    /// The points as they are shown.
    pub(super) fn shown(&self) -> String {
        match (&self.unjudged, &self.mark) {
            (None, None) => ".".to_owned(),
            _ => known(self.points()),
        }
    }
}

/// Points as they are shown, or a sign that they are not known.
pub(super) fn known(points: Option<PointValue>) -> String {
    points.map_or_else(|| "?".to_owned(), |points| points.to_string())
}

/// The mark that counts, of those for the attempts at a problem in their order. An
/// attempt that could not be judged might be the best: so it counts, as unknown, unless
/// another is worth as much. One that is too late counts if there is no other.
fn counting<'a>(marks: Vec<Mark<'a>>, rules: &CourseRules) -> Option<Mark<'a>> {
    let attempts = marks.len();
    let marks = marks.into_iter();
    // Of equals, this is the last.
    let mark = match rules.count {
        CountedAttempt::Last => marks.max_by_key(|mark| {
            let late = rules.late;
            !late.is_some_and(|late| late.is_too_late(mark.seconds_late))
        }),
        CountedAttempt::Best => marks.max_by_key(|mark| {
            (mark.most, mark.points.is_some(), Reverse(mark.seconds_late))
        }),
    }?;
    Some(Mark { attempts, ..mark })
}

impl<'a> Mark<'a> {
    fn from_attempt(
        student: &str,
        attempt: &'a Attempt,
        started: Option<Moment>,
        rules: &CourseRules,
    ) -> Self {
        let due = rules.due(student, &attempt.problem);
        let seconds_late = rules.seconds_late(attempt.submitted, due);
        let of = worth(attempt, rules);
        let is_known = attempt.worth.is_final;
        let earned = if is_known {
            of.part(attempt.worth.earned, attempt.worth.of)
        } else {
            of
        };
        let most = match rules.late {
            Some(late) => late.left_of(earned, seconds_late),
            None => earned,
        };
        Self {
            attempt,
            attempts: 1,
            due,
            seconds_late,
            is_from_future: attempt
                .submitted
                .zip(started)
                .is_some_and(|(submitted, started)| submitted > started),
            earned,
            points: is_known.then_some(most),
            most,
            of,
        }
    }
}
