//! Reads the list of cases and batches in `test_cases`, and the keys that may be set at
//! the root, in a batch and in a case, and are inherited inwards. Knows files only by
//! name. Start at [`read_case_items`] and [`CaseScope::within`].

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::keys::{FilePlace, KeyTable, listed_whole};
use crate::mistake::quoted;
use crate::model::{
    CaseWorth, CheckerPointsRule, PointValue, ScoreAggregation, ScoreGroup, Scoring,
    Task,
};
use crate::package::PackageTree;
use crate::package::dmoj::programs::listed_points;
use crate::package::dmoj::{CaseGenerator, programs};
use crate::text::counted;

/// A case, or a batch of cases that give their points together.
#[derive(Default)]
pub(super) struct DmojItem {
    pub(super) cases: Vec<CaseScope>,
    /// Whether it is a batch, even of one case.
    pub(super) is_batch: bool,
    /// The batches that must be accepted before it counts, by their numbers from 1.
    pub(super) dependencies: Vec<usize>,
    pub(super) is_pretest: bool,
}

impl DmojItem {
    /// The most points of a case in it.
    pub(super) fn points(&self) -> PointValue {
        let points = self.cases.iter().map(|case| case.points);
        points.max().unwrap_or_default()
    }

    /// Turns it into a pretest: a single case has no points, and nothing after it counts
    /// if it fails. DMOJ takes them from a batch, too, but not from the cases in it,
    /// which are what it counts.
    ///
    /// Source: `Problem.cases` of its judge.
    pub(super) fn into_pretest(mut self) -> Self {
        self.is_pretest = true;
        if !self.is_batch {
            self.cases[0].points = PointValue::ZERO;
        }
        self
    }
}

/// Returns the cases and batches in the list of a key.
pub(super) fn read_case_items(
    map: &KeyTable,
    key: &'static str,
    around: &CaseScope,
    tree: &PackageTree,
) -> Vec<DmojItem> {
    let mut items = vec![];
    let mut batches = 0;
    for entry in map.list_of_tables(key) {
        let scope = around.within(&entry, tree);
        let item = match entry.mark_read("batched") {
            None => DmojItem {
                cases: vec![scope],
                ..DmojItem::default()
            },
            Some(_) => {
                batches += 1;
                batch(&entry, &scope, batches, tree)
            }
        };
        close(&entry, tree);
        items.push(item);
    }
    items
}

fn batch(
    entry: &KeyTable,
    scope: &CaseScope,
    number: usize,
    tree: &PackageTree,
) -> DmojItem {
    let mut cases = vec![];
    let maps = entry.list_of_tables("batched");
    for map in &maps {
        let case = scope.within(map, tree);
        if let Some(inner) = map.mark_read("batched") {
            map.note_mistake(
                inner,
                "a batch is in a batch",
                "write it as a batch of its own",
            );
        }
        close(map, tree);
        cases.push(case);
    }
    if maps.is_empty() {
        entry.refuse_table(
            "the batch has no cases",
            "write its cases below `batched`",
        );
    }
    let batch = DmojItem {
        cases,
        is_batch: true,
        dependencies: dependencies(entry, number),
        ..DmojItem::default()
    };
    let mut cases = batch.cases.iter();
    if batch.points() > PointValue::ZERO
        && cases.any(|case| case.points == PointValue::ZERO)
    {
        let what = "a case without points in a batch with points";
        tree.need(entry, entry.header, what);
    }
    batch
}

/// Returns the listed points of items found by the names of files, if they are listed.
pub(super) fn points(settings: &KeyTable) -> Option<Vec<PointValue>> {
    if settings.node("case_points")?.list().is_none() {
        let place = settings.mark_read("case_points")?;
        settings.note_mistake(
            place,
            "`case_points` must be a list of numbers",
            "write it as `[10, 20]`",
        );
        return None;
    }
    let remedy = "write numbers, one for each case and each batch";
    let found = listed_points(settings, "case_points", remedy)?.into_iter();
    Some(found.map(Option::unwrap_or_default).collect())
}

/// Gives the cases of items the points that are listed for these.
pub(super) fn give_points(
    items: &mut [DmojItem],
    points: Vec<PointValue>,
    root: &KeyTable,
    at: FilePlace,
) {
    if points.len() < items.len() {
        let numbers = counted(points.len(), "number");
        let items = items.len();
        root.note_mistake(
            at,
            format!(
                "`case_points` has {numbers}, and there are {items} cases and batches"
            ),
            "write a number for each case and each batch",
        );
    }
    for (item, points) in items.iter_mut().zip(points) {
        for case in &mut item.cases {
            case.points = points;
        }
    }
}

/// Returns the batches that a batch depends on. Each must come before it.
fn dependencies(entry: &KeyTable, number: usize) -> Vec<usize> {
    let mut numbers = BTreeSet::new();
    for text in &entry.list("dependencies").unwrap_or_default() {
        let other = listed_whole(text).and_then(|other| usize::try_from(other).ok());
        match other.filter(|other| (1..number).contains(other)) {
            Some(other) => {
                _ = numbers.insert(other);
            }
            None => {
                let message = format!(
                    "`dependencies` of batch {number} names {}, which is not a batch before it",
                    quoted(text)
                );
                entry.refuse_value(
                    "dependencies",
                    message,
                    "write numbers of batches before it, the first is 1",
                );
            }
        }
    }
    numbers.into_iter().collect()
}

// Derives the points of cases and batches as the DMOJ site counts them: a case gives
// its points, a batch those of its worst case, of the most that one is worth, and
// nothing counts after a failed case or batch of zero points.
//
// Source: DMOJ/online-judge, `JudgeHandler.on_grading_end`.

/// The points of the items so far.
#[derive(Default)]
pub(super) struct DmojPoints {
    pub(super) scoring: Scoring,
    /// The places of the groups of batches, by number.
    batches: Vec<usize>,
    /// The last group of zero points, and those before it that it may pass over;
    /// nothing after a failed one counts.
    gates: BTreeSet<usize>,
    /// Whether the last item was a single case of zero points.
    is_in_gate: bool,
    /// The groups of single cases since the last gate, by their points.
    alone: BTreeMap<PointValue, usize>,
}

impl DmojPoints {
    pub(super) fn new() -> Self {
        let mut points = Self::default();
        points.scoring.add(ScoreGroup::of_all_cases());
        points
    }

    /// Adds an item, which has this name if it is a batch. Returns the place of its
    /// group.
    pub(super) fn add(&mut self, item: &DmojItem, name: &str) -> usize {
        let points = item.points();
        if !item.is_batch {
            return self.alone(points);
        }
        let mut requires = self.gates.clone();
        let numbers = item.dependencies.iter();
        for place in numbers.filter_map(|number| self.batches.get(number - 1)) {
            requires.insert(*place);
            let required = &self.scoring.groups[*place];
            if required.passes_unjudged {
                requires.extend(&required.requires);
            }
        }
        let mut group = group(name.to_owned(), points, &requires);
        group.aggregation = ScoreAggregation::Min;
        group.most = Some(points);
        // A failed dependency closes this batch only.
        group.passes_unjudged = !item.dependencies.is_empty();
        let place = self.scoring.add(group);
        self.batches.push(place);
        self.is_in_gate = false;
        if points == PointValue::ZERO {
            self.open_gate(place);
        }
        place
    }

    /// Adds a case of an item of these points to the group of the item.
    pub(super) fn add_case(
        &mut self,
        name: &str,
        case: &CaseScope,
        points: PointValue,
        group: usize,
    ) {
        let rule = if case.gives_percentages {
            Some(CheckerPointsRule::Percent)
        } else if case.task.scores_failed_runs() {
            Some(CheckerPointsRule::AtMostIfRejected)
        } else {
            (case.points != points).then_some(CheckerPointsRule::AtMost)
        };
        let own = rule.map(|rule| (name.to_owned(), worth(case.points, rule)));
        self.scoring.worths.extend(own);
        self.scoring.members.insert(name.to_owned(), group);
    }

    /// Returns the group of a single case, which it shares with others of the same
    /// points.
    fn alone(&mut self, points: PointValue) -> usize {
        let is_gate = points == PointValue::ZERO;
        if is_gate
            && self.is_in_gate
            && let Some(gate) = self.gates.last()
        {
            return *gate;
        }
        self.is_in_gate = is_gate;
        if let Some(place) = self.alone.get(&points) {
            return *place;
        }
        let name = format!("cases of {}", points.in_words());
        let mut group = group(name, points, &self.gates);
        group.stops_at_rejection = is_gate;
        group.is_gate = is_gate;
        let place = self.scoring.add(group);
        if is_gate {
            self.open_gate(place);
        } else {
            self.alone.insert(points, place);
        }
        place
    }

    fn open_gate(&mut self, place: usize) {
        if !self.scoring.groups[place].passes_unjudged {
            self.gates.clear();
        }
        self.gates.insert(place);
        self.alone = BTreeMap::new();
    }
}

fn worth(points: PointValue, checker: CheckerPointsRule) -> CaseWorth {
    CaseWorth {
        accepted: points,
        checker,
        ..CaseWorth::default()
    }
}

fn group(name: String, points: PointValue, requires: &BTreeSet<usize>) -> ScoreGroup {
    ScoreGroup {
        case: worth(points, CheckerPointsRule::AtMost),
        requires: requires.iter().copied().collect(),
        ..ScoreGroup::of_all_cases().inner(name, 0)
    }
}

// Reads the keys that may be set at the root, in a batch and in a case, and are
// inherited inwards: points, files, the checker. Start at [`CaseScope::within`].

/// Keys that may change a verdict and are not supported, with words for what the
/// package needs.
const REFUSED: [(&str, &str); 4] = [
    ("custom_judge", "a grader in Python (`custom_judge`)"),
    (
        "signature_grader",
        "submissions without a main program (`signature_grader`)",
    ),
    ("symlinks", "files beside the submission (`symlinks`)"),
    (
        "io_redirects",
        "submissions that read or write files (`io_redirects`)",
    ),
];

/// Keys on which no verdict depends, or for which gridjudge has settings of its own.
const IGNORED: [&str; 5] = [
    "output_prefix_length",
    "wall_time_factor",
    "short_circuit",
    "hints",
    "meta",
];

/// Keys of the root that are not about cases.
const OF_ROOT: [&str; 6] = [
    "archive",
    "test_cases",
    "pretest_test_cases",
    "interactive",
    "unbuffered",
    "output_limit_length",
];

/// The name of a file, and the line that names it.
#[derive(Clone)]
pub(super) struct NamedFile {
    pub(super) name: String,
    pub(super) line: u64,
}

/// The settings of a case, or of all cases in a batch or problem.
#[derive(Clone, Default)]
pub(super) struct CaseScope {
    pub(super) points: PointValue,
    /// The name of the input, as written in the file.
    pub(super) input: Option<NamedFile>,
    /// The name of the answer.
    pub(super) answer: Option<NamedFile>,
    /// What makes the input and the answer, if they are not named.
    pub(super) generator: Option<Arc<CaseGenerator>>,
    /// The arguments of the generator, and the name of its standard input.
    pub(super) arguments: Vec<String>,
    pub(super) stdin: Option<NamedFile>,
    pub(super) task: Rc<Task>,
    /// Whether the checker gives points in per cent of those of the case.
    pub(super) gives_percentages: bool,
    /// Whether line breaks are left unchanged.
    pub(super) is_binary: bool,
    /// Whether a program interacts with submissions, so that no checker is used.
    pub(super) is_interactive: bool,
}

impl CaseScope {
    /// The default settings of a problem.
    pub(super) fn top(root: &KeyTable) -> Self {
        Self {
            points: 1.into(),
            task: Rc::new(Task::Text(programs::STANDARD)),
            is_interactive: root.mark_read("interactive").is_some(),
            ..Self::default()
        }
    }

    /// Reads the settings in a map, which inherit these.
    pub(super) fn within(&self, map: &KeyTable, tree: &PackageTree) -> Self {
        for (key, what) in REFUSED {
            if let Some(place) = map.mark_read(key) {
                tree.need(map, place, what);
            }
        }
        for key in IGNORED {
            if map.mark_read(key).is_some() {
                tree.ignore(format!("`{key}`: no verdict here depends on it"));
            }
        }
        let points = map.number_from("points", 0.0).and_then(PointValue::new);
        let around = self.clone();
        let checker = if around.is_interactive {
            if map.mark_read("checker").is_some() {
                tree.ignore("`checker`: the interactor has the last word");
            }
            None
        } else {
            programs::task(map, tree)
        };
        let (task, gives_percentages) = match checker {
            Some((task, gives_percentages)) => (Rc::new(task), gives_percentages),
            None => (around.task, around.gives_percentages),
        };
        Self {
            points: points.unwrap_or(around.points),
            input: file_of(map, "in").or(around.input),
            answer: file_of(map, "out").or(around.answer),
            generator: programs::read_program(map, tree)
                .map(Arc::new)
                .or(around.generator),
            arguments: map
                .python_texts("generator_args")
                .unwrap_or(around.arguments),
            stdin: file_of(map, "generator_in").or(around.stdin),
            task,
            gives_percentages,
            is_binary: map.flag("binary_data").unwrap_or(around.is_binary),
            is_interactive: around.is_interactive,
        }
    }
}

fn file_of(map: &KeyTable, key: &'static str) -> Option<NamedFile> {
    Some(NamedFile {
        name: map.text(key)?,
        line: map.document.line(map.value_place(key)),
    })
}

/// Notes each key that was not read: Python code is not supported, and other keys are
/// ignored, as in DMOJ.
pub(super) fn close(map: &KeyTable, tree: &PackageTree) {
    for (key, entry) in map.unread() {
        if key.ends_with('+') {
            tree.need(
                map,
                entry.place,
                &format!("values that Python code makes ({})", quoted(key)),
            );
        } else if OF_ROOT.contains(&key) {
            map.document.slip(
                entry.place,
                format!("{} is in a case or a batch", quoted(key)),
                "write it at the root of the file",
            );
        } else if !map.note_misspelt(key, entry.place) {
            tree.ignore(format!("{}: DMOJ knows no such key", quoted(key)));
        }
    }
}
