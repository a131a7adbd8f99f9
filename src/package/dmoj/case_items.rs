//! Reads the list of cases and batches in `test_cases`. Knows files only by name. Start at
//! [`read`].

use std::collections::BTreeSet;

use crate::keys::{FilePlace, KeyTable, KeyValue, listed_number};
use crate::mistake::quoted;
use crate::model::PointValue;
use crate::package::dmoj::case_names::NamedItem;
use crate::package::dmoj::case_scope;
use crate::package::dmoj::case_scope::{CaseScope, NamedFile, ScopeReader};
use crate::package::dmoj::checkers::listed_points;
use crate::package::reading::ReadingNotes;

/// A case, or a batch of cases that give their points together.
pub(super) struct DmojItem {
    pub(super) points: PointValue,
    pub(super) cases: Vec<CaseScope>,
    /// Whether it is a batch, even of one case.
    pub(super) is_batch: bool,
    /// The batches that must be accepted before it counts, by their numbers from 1.
    pub(super) dependencies: Vec<usize>,
}

impl DmojItem {
    /// A single case.
    pub(super) fn of_case(case: CaseScope) -> Self {
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
    map: &KeyTable<'_>,
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
    entry: &KeyTable<'_>,
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
            notes.need(
                map.document,
                place,
                "other points for a case than for its batch",
            );
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
pub(super) fn points(settings: &KeyTable<'_>) -> Option<Vec<PointValue>> {
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
    root: &KeyTable<'_>,
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
fn dependencies(entry: &KeyTable<'_>, number: usize) -> Vec<usize> {
    let Some(found) = entry.list("dependencies") else {
        return Vec::new();
    };
    let mut numbers = BTreeSet::new();
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
