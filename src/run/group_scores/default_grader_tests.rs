//! Random trees of groups, against a model of problemtools and its default grader that
//! shares no code with the judge.
//!
//! Sources: problemtools, `judge/submission_judge.py` and `support/default_grader`.

use super::*;
use crate::model::ScoreGroup;

/// A small generator of random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.roll(words.len() as u64) as usize]
    }
}

/// A group of the model: its flags, and what is in it, in order.
struct ModelGroup {
    name: String,
    flags: Vec<&'static str>,
    breaks: bool,
    accept: f64,
    reject: f64,
    items: Vec<ModelItem>,
}

enum ModelItem {
    Group(ModelGroup),
    /// A case, with the verdict that it gets if it is judged.
    Case(String, &'static str),
}

const FLAGS: [&str; 9] = [
    "worst_error",
    "no_errors",
    "first_error",
    "always_accept",
    "accept_if_any_accepted",
    "sum",
    "avg",
    "min",
    "max",
];

impl ModelGroup {
    fn random(name: String, depth: u64, dice: &mut Dice) -> Self {
        let mut flags: Vec<_> =
            (0..dice.roll(4)).map(|_| dice.pick(&FLAGS)).collect();
        let mut group = Self {
            breaks: dice.roll(2) == 0,
            accept: [1.0, 0.0, 10.0, 33.3, -2.5][dice.roll(5) as usize],
            reject: [0.0, 0.0, 0.0, 2.0, -1.0][dice.roll(5) as usize],
            flags: vec![],
            items: vec![],
            name,
        };
        for number in 0..1 + dice.roll(3) {
            let inner = if group.name.is_empty() {
                format!("{number}")
            } else {
                format!("{}/{number}", group.name)
            };
            group.items.push(if depth > 0 && dice.roll(2) == 0 {
                ModelItem::Group(Self::random(inner, depth - 1, dice))
            } else {
                ModelItem::Case(
                    inner,
                    dice.pick(&["AC", "AC", "AC", "WA", "OLE", "TLE", "RTE"]),
                )
            });
        }
        if group.items.len() <= 2 && dice.roll(3) == 0 {
            flags.push("ignore_sample");
        }
        Self { flags, ..group }
    }

    /// The result that problemtools gives the group.
    fn judged(&self) -> (&'static str, f64) {
        let mut verdicts = vec![];
        let mut scores = vec![];
        for item in &self.items {
            let (verdict, score) = match item {
                ModelItem::Group(group) => group.judged(),
                ModelItem::Case(_, "AC") => ("AC", self.accept),
                ModelItem::Case(_, verdict) => (*verdict, self.reject),
            };
            verdicts.push(verdict);
            scores.push(score);
            if verdict != "AC" && self.breaks {
                break;
            }
        }
        default_grader(&self.flags, verdicts, scores)
    }

    /// The same group, and those in it, for the judge.
    fn add_to(
        &self,
        scoring: &mut Scoring,
        parent: Option<usize>,
        cases: &mut Vec<(String, &'static str)>,
    ) {
        let last = |words: &[&'static str]| {
            self.flags
                .iter()
                .rev()
                .find(|flag| words.contains(flag))
                .copied()
        };
        let has = |flag| self.flags.contains(&flag);
        let mode = last(&FLAGS[..4]);
        let points = |points| PointValue::new(points).unwrap();
        let place = scoring.add(ScoreGroup {
            name: self.name.clone(),
            parent,
            aggregation: match last(&FLAGS[5..]) {
                Some("avg") => ScoreAggregation::Average,
                Some("min") => ScoreAggregation::Min,
                Some("max") => ScoreAggregation::Max,
                _ => ScoreAggregation::Sum,
            },
            acceptance: match mode {
                Some("always_accept") => GroupAcceptance::Always,
                _ if has("accept_if_any_accepted") => GroupAcceptance::Any,
                _ => GroupAcceptance::All,
            },
            ignores_first: has("ignore_sample"),
            stops_at_rejection: self.breaks,
            tells_worst: !matches!(mode, Some("first_error" | "always_accept")),
            case: CaseWorth {
                accepted: points(self.accept),
                rejected: points(self.reject),
                checker: CheckerPointsRule::Nothing,
            },
            ..ScoreGroup::of_all_cases()
        });
        for item in &self.items {
            match item {
                ModelItem::Group(group) => group.add_to(scoring, Some(place), cases),
                ModelItem::Case(name, verdict) => cases.push((name.clone(), verdict)),
            }
        }
    }
}

/// What the default grader prints.
fn default_grader(
    flags: &[&str],
    mut verdicts: Vec<&'static str>,
    mut scores: Vec<f64>,
) -> (&'static str, f64) {
    let mut mode = "worst_error";
    let mut aggregation = "sum";
    let mut any = false;
    let mut ignores = false;
    for flag in flags {
        match *flag {
            "sum" | "avg" | "min" | "max" => aggregation = flag,
            "accept_if_any_accepted" => any = true,
            "ignore_sample" => ignores = true,
            _ => mode = flag,
        }
    }
    if ignores {
        verdicts = verdicts.split_off(verdicts.len() - 1);
        scores = scores.split_off(scores.len() - 1);
    }
    let worst = ["RTE", "TLE", "OLE", "WA", "AC"];
    let verdict = match mode {
        _ if any && verdicts.contains(&"AC") => "AC",
        "always_accept" => "AC",
        "first_error" => verdicts
            .iter()
            .find(|verdict| **verdict != "AC")
            .copied()
            .unwrap_or("AC"),
        _ => worst
            .into_iter()
            .find(|wanted| verdicts.contains(wanted))
            .unwrap_or("AC"),
    };
    let sum: f64 = scores.iter().sum();
    let score = match aggregation {
        "sum" => sum,
        "avg" => sum / scores.len() as f64,
        "min" => scores.iter().copied().fold(f64::INFINITY, f64::min),
        _ => scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    };
    (verdict, format!("{score:.6}").parse().unwrap())
}

/// Judges cases with these results as a suite does: a case that cannot change the
/// result is not run.
fn result_of(
    scoring: &Scoring,
    cases: &[(String, &'static str)],
) -> (&'static str, f64) {
    let plain: Vec<_> = cases
        .iter()
        .map(|(name, _)| Case {
            name: name.clone(),
            input: "in".into(),
            answer: "ans".into(),
        })
        .collect();
    let mut groups = GroupScores::for_cases(scoring, &plain);
    for (case, (_, verdict)) in cases.iter().enumerate() {
        if groups.is_settled(case) {
            groups.lose(case);
            continue;
        }
        let rejection = match *verdict {
            "AC" => {
                groups.accept(case, None).unwrap();
                continue;
            }
            "WA" => Verdict::WrongAnswer,
            "TLE" => Verdict::TimeLimit,
            "OLE" => Verdict::OutputLimit,
            _ => Verdict::RuntimeError,
        };
        groups.reject(case, rejection, None);
        groups.lose(case);
    }
    let code = groups.verdict().unwrap().code;
    (code.name(), groups.outcome(0).points.get())
}

#[test]
fn two_thousand_random_trees_of_groups_are_graded_as_by_the_default_grader() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for tree in 0..2000 {
        let root = ModelGroup::random(String::new(), 3, &mut dice);
        let mut scoring = Scoring {
            decides_verdict: true,
            ..Scoring::default()
        };
        let mut cases = vec![];
        root.add_to(&mut scoring, None, &mut cases);
        let found = result_of(&scoring, &cases);
        let wanted = root.judged();
        assert!(
            found.0 == wanted.0 && (found.1 - wanted.1).abs() < 5e-7,
            "tree {tree}: {found:?}, wanted {wanted:?}: {cases:?} {:?}",
            scoring.groups
        );
    }
}
