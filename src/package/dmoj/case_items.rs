//! The list of cases and batches that `test_cases` is. Knows no file but by its name. Start at [`read`].

use crate::mistake::quoted;
use crate::model::PointValue;
use crate::package::dmoj::case_scope;
use crate::package::dmoj::case_scope::CaseScope;
use crate::package::dmoj::case_scope::ScopeReader;
use crate::package::reading::ReadingNotes;
use crate::package::yaml::YamlMap;
use crate::package::yaml::YamlPlace;

/// What is judged as one: a case, or cases that are worth their points together.
pub(super) struct DmojItem {
    pub(super) points: PointValue,
    pub(super) cases: Vec<CaseScope>,
    /// Whether it is a batch.
    pub(super) is_batch: bool,
    /// Batches that must be right before it counts, by their numbers from 1.
    pub(super) dependencies: Vec<usize>,
}

impl DmojItem {
    /// A case by itself.
    pub(super) fn of_case(case: CaseScope) -> Self {
        Self { points: case.points, cases: vec![case], is_batch: false, dependencies: Vec::new() }
    }

    /// The same as a pretest, without which nothing counts that comes later.
    pub(super) fn without_points(self) -> Self {
        Self { points: PointValue::ZERO, ..self }
    }
}

/// The cases and batches in the list of a key.
pub(super) fn read(
    map: &YamlMap<'_>,
    key: &'static str,
    around: &CaseScope,
    reader: &ScopeReader<'_>,
    notes: &mut ReadingNotes,
) -> Vec<DmojItem> {
    let mut items = Vec::new();
    let mut batches = 0;
    for (place, entry) in map.maps_in(key).unwrap_or_default() {
        let scope = around.within(&entry, reader, notes);
        let item = match entry.place("batched") {
            None => DmojItem::of_case(scope),
            Some(_) => {
                batches += 1;
                batch(&entry, place, &scope, batches, reader, notes)
            }
        };
        case_scope::close(&entry, notes);
        items.push(item);
    }
    items
}

fn batch(
    entry: &YamlMap<'_>,
    place: YamlPlace,
    scope: &CaseScope,
    number: usize,
    reader: &ScopeReader<'_>,
    notes: &mut ReadingNotes,
) -> DmojItem {
    let mut cases = Vec::new();
    let maps = entry.maps_in("batched").unwrap_or_default();
    for (at, map) in &maps {
        let case = scope.within(map, reader, notes);
        if let Some(inner) = map.place("batched") {
            map.note(inner, "a batch stands in a batch", "write it as a batch of its own");
        }
        if case.points != scope.points {
            let place = map.place("points").unwrap_or(*at);
            notes.need(map.document, place, "other points for a case than for its batch");
        }
        case_scope::close(map, notes);
        cases.push(case);
    }
    if maps.is_empty() {
        entry.note(place, "the batch has no cases", "write its cases below `batched`");
    }
    DmojItem { points: scope.points, cases, is_batch: true, dependencies: dependencies(entry, number) }
}

/// The batches that one depends on: each must stand before it.
fn dependencies(entry: &YamlMap<'_>, number: usize) -> Vec<usize> {
    let Some(found) = entry.list("dependencies") else { return Vec::new() };
    let mut numbers = Vec::new();
    for text in &found.value {
        match text.parse().ok().filter(|other| (1..number).contains(other)) {
            Some(other) if numbers.contains(&other) => {}
            Some(other) => numbers.push(other),
            None => {
                let message = format!(
                    "`dependencies` of batch {number} names {}, which is no batch before it",
                    quoted(text)
                );
                entry.note(found.place, message, "write numbers of batches before it, the first is 1");
            }
        }
    }
    numbers
}
