//! Reads the list of cases and batches in `test_cases`. Knows files only by name. Start at
//! [`read`].

use crate::sorted::{SortedMap, SortedSet};

use crate::keys::{FilePlace, KeyTable, KeyValue, listed_number};
use crate::mistake::quoted;
use crate::model::{
    CaseWorth, CheckerPointsRule, PointValue, ScoreAggregation, ScoreGroup, Scoring,
};
use crate::package::ReadingNotes;
use crate::package::dmoj::case_scope::{CaseScope, NamedFile, ScopeReader};
use crate::package::dmoj::checkers::listed_points;
use crate::package::dmoj::{NamedItem, case_scope};

/// A case, or a batch of cases that give their points together.
pub(super) struct DmojItem {
    points: PointValue,
    pub(super) cases: Vec<CaseScope>,
    /// Whether it is a batch, even of one case.
    pub(super) is_batch: bool,
    /// The batches that must be accepted before it counts, by their numbers from 1.
    pub(super) dependencies: Vec<usize>,
}

impl DmojItem {
    /// A single case.
    fn of_case(case: CaseScope) -> Self {
        Self {
            points: case.points,
            cases: vec![case],
            is_batch: false,
            dependencies: Vec::new(),
        }
    }

    /// Turns it into a pretest: it has no points, and nothing after it counts if it fails.
    pub(super) fn without_points(self) -> Self {
        Self {
            points: PointValue::ZERO,
            ..self
        }
    }
}

/// Returns the cases and batches in the list of a key.
pub(super) fn read(
    map: &KeyTable,
    key: &'static str,
    around: &CaseScope,
    reader: &ScopeReader<'_>,
    notes: &mut ReadingNotes,
) -> Vec<DmojItem> {
    let mut items = Vec::new();
    let mut batches = 0;
    for entry in map.list_of_tables(key) {
        let scope = around.within(&entry, reader, notes);
        let item = match entry.mark_read("batched") {
            None => DmojItem::of_case(scope),
            Some(_) => {
                batches += 1;
                batch(&entry, &scope, batches, reader, notes)
            }
        };
        case_scope::close(&entry, notes);
        items.push(item);
    }
    items
}

fn batch(
    entry: &KeyTable,
    scope: &CaseScope,
    number: usize,
    reader: &ScopeReader<'_>,
    notes: &mut ReadingNotes,
) -> DmojItem {
    let mut cases = Vec::new();
    let maps = entry.list_of_tables("batched");
    for map in &maps {
        let case = scope.within(map, reader, notes);
        if let Some(inner) = map.mark_read("batched") {
            map.note(
                inner,
                "a batch is in a batch",
                "write it as a batch of its own",
            );
        }
        if case.points != scope.points {
            let place = map.mark_read("points").unwrap_or(map.header());
            notes.need(map, place, "other points for a case than for its batch");
        }
        case_scope::close(map, notes);
        cases.push(case);
    }
    if maps.is_empty() {
        entry.note(
            entry.header(),
            "the batch has no cases",
            "write its cases below `batched`",
        );
    }
    DmojItem {
        points: scope.points,
        cases,
        is_batch: true,
        dependencies: dependencies(entry, number),
    }
}

/// Returns the listed points of items found by the names of files, if they are listed.
pub(super) fn points(settings: &KeyTable) -> Option<Vec<PointValue>> {
    if !matches!(settings.any("case_points")?, KeyValue::List(_)) {
        let place = settings.mark_read("case_points")?;
        settings.note(
            place,
            "`case_points` must be a list of numbers",
            "write it as `[10, 20]`",
        );
        return None;
    }
    let found = settings.list("case_points")?;
    Some(
        found
            .value
            .iter()
            .map(|text| {
                let points = listed_points(text);
                if points.is_none() {
                    let message = format!(
                        "`case_points` holds {}, which is not a number of points",
                        quoted(text)
                    );
                    settings.note(
                        found.place,
                        message,
                        "write numbers, one for each case and each batch",
                    );
                }
                points.unwrap_or_default()
            })
            .collect(),
    )
}

/// Returns the items found by the names of files, with these points, or those that are inherited.
pub(super) fn of_names(
    root: &KeyTable,
    at: FilePlace,
    named: Vec<NamedItem>,
    points: Option<Vec<PointValue>>,
    around: &CaseScope,
) -> Vec<DmojItem> {
    let count = points.as_ref().map_or(named.len(), Vec::len);
    if count < named.len() {
        let message = format!(
            "`case_points` has {count} numbers, and there are {} cases and batches",
            named.len()
        );
        root.note(at, message, "write a number for each case and each batch");
    }
    let mut points = points.unwrap_or_default().into_iter();
    let line = root.document.line(at);
    named
        .into_iter()
        .map(|(cases, is_batch)| {
            let points = points.next().unwrap_or(around.points);
            let file = |name: Option<String>| Some(NamedFile { name: name?, line });
            let cases = cases
                .into_iter()
                .map(|case| CaseScope {
                    points,
                    input: file(case.input),
                    answer: file(case.answer),
                    ..around.clone()
                })
                .collect();
            DmojItem {
                points,
                cases,
                is_batch,
                dependencies: Vec::new(),
            }
        })
        .collect()
}

/// Returns the batches that a batch depends on. Each must come before it.
fn dependencies(entry: &KeyTable, number: usize) -> Vec<usize> {
    let Some(found) = entry.list("dependencies") else {
        return Vec::new();
    };
    let mut numbers = SortedSet::new();
    for text in &found.value {
        match whole_number(text).filter(|other| (1..number).contains(other)) {
            Some(other) => _ = numbers.insert(other),
            None => {
                let message = format!(
                    "`dependencies` of batch {number} names {}, which is not a batch before it",
                    quoted(text)
                );
                entry.note(
                    found.place,
                    message,
                    "write numbers of batches before it, the first is 1",
                );
            }
        }
    }
    numbers.into_iter().collect()
}

fn whole_number(text: &str) -> Option<usize> {
    let number = listed_number(text)
        .filter(|number| number.fract() == 0.0 && (0.0..1e9).contains(number))?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, and within bounds"
    )]
    Some(number as usize)
}

// Derives the points of cases and batches as the DMOJ site counts them: a case gives its points, a
// batch those of its worst case, and nothing counts after a failed case or batch of zero points.

/// Returns the points of items. Each is given with the names of its cases, and that of its group if
/// it is a batch.
pub(super) fn scoring(items: &[(DmojItem, Vec<String>, Option<String>)]) -> Scoring {
    let mut points = DmojPoints::default();
    points.scoring.add(ScoreGroup::of_all_cases());
    for (item, names, group) in items {
        let place = match group {
            Some(name) => points.batch(item, name),
            None => points.alone(item.points),
        };
        for (case, name) in item.cases.iter().zip(names) {
            if let Some(rule) = own_rule(case) {
                points
                    .scoring
                    .worths
                    .insert(name.clone(), worth(item.points, rule));
            }
        }
        points
            .scoring
            .members
            .extend(names.iter().map(|name| (name.clone(), place)));
    }
    points.scoring
}

#[derive(Default)]
struct DmojPoints {
    scoring: Scoring,
    /// The places of the groups of batches, by number.
    batches: Vec<usize>,
    /// The last group of zero points; nothing after it counts unless it is accepted.
    gate: Option<usize>,
    /// Whether the last item was a single case of zero points.
    is_in_gate: bool,
    /// The groups of single cases since the last gate, by their points.
    alone: SortedMap<String, usize>,
}

impl DmojPoints {
    fn batch(&mut self, item: &DmojItem, name: &str) -> usize {
        let requires = item
            .dependencies
            .iter()
            .filter_map(|number| self.batches.get(number - 1));
        let requires = requires.copied().chain(self.gate).collect();
        let group = group(name.to_owned(), item.points, requires);
        let place = self.scoring.add(ScoreGroup {
            aggregation: ScoreAggregation::Min,
            ..group
        });
        self.batches.push(place);
        self.is_in_gate = false;
        if item.points == PointValue::ZERO {
            self.open_gate(place);
        }
        place
    }

    /// Returns the group of a single case, which it shares with others of the same points.
    fn alone(&mut self, points: PointValue) -> usize {
        let is_gate = points == PointValue::ZERO;
        if let (true, true, Some(gate)) = (is_gate, self.is_in_gate, self.gate) {
            return gate;
        }
        self.is_in_gate = is_gate;
        if let Some(place) = self.alone.get(&points.to_string()) {
            return *place;
        }
        let name = format!("cases of {points} points");
        let group = group(name, points, self.gate.into_iter().collect());
        let place = self.scoring.add(ScoreGroup {
            stops_at_rejection: is_gate,
            is_gate,
            ..group
        });
        if is_gate {
            self.open_gate(place);
        } else {
            self.alone.insert(points.to_string(), place);
        }
        place
    }

    fn open_gate(&mut self, place: usize) {
        self.gate = Some(place);
        self.alone = SortedMap::new();
    }
}

/// The rule for the points of a case, if it is not the usual one.
fn own_rule(case: &CaseScope) -> Option<CheckerPointsRule> {
    if case.gives_percentages {
        return Some(CheckerPointsRule::Percent);
    }
    case.task
        .scores_failed_runs()
        .then_some(CheckerPointsRule::AtMostIfRejected)
}

fn worth(points: PointValue, checker: CheckerPointsRule) -> CaseWorth {
    CaseWorth {
        accepted: points,
        checker,
        ..CaseWorth::NOTHING
    }
}

fn group(name: String, points: PointValue, requires: Vec<usize>) -> ScoreGroup {
    ScoreGroup {
        case: worth(points, CheckerPointsRule::AtMost),
        requires,
        ..ScoreGroup::of_all_cases().inner(name, 0)
    }
}
