//! `[task]`: a problem whose output is a text, how that is compared with the answer, and who knows the answers.

use crate::model::TextTask;
use crate::model::TokenRules;
use crate::model::Tolerance;
use crate::spec::mistake::quoted;
use crate::spec::table::TomlTable;
use crate::spec::token_flags::REMEDY_OF_BOTH;
use crate::spec::token_flags::set_tolerance;

/// The table.
pub(super) const KEY: &str = "task";

/// Tables of problems of grids, and what is said of one beside `[task]`.
const TABLES_OF_GRIDS: [(&str, &str); 5] = [
    ("grid", "delete it, or delete [task]: a problem without that asks for grids"),
    ("input", "delete it: what an input looks like is not known where grids are not asked for"),
    ("output", "delete it, and say in [task] what counts, as `space_change_sensitive = true`"),
    ("answer", "delete it: the answer is what stands in the `.ans` of a case"),
    ("generate", "delete it, and write the cases by hand or by a program of your own"),
];

/// The keys that have a meaning for tokens only.
const SWITCHES: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
const TOLERANCES: [&str; 3] = ["float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"];

#[derive(Clone, Copy, PartialEq)]
enum TextKind {
    Tokens,
    Lines,
    Exact,
}

const KINDS: [(&str, TextKind); 3] =
    [("tokens", TextKind::Tokens), ("lines", TextKind::Lines), ("exact", TextKind::Exact)];

/// What others call these things.
const SYNONYMS: [(&str, &[&str]); 8] = [
    ("type", &["kind"]),
    ("tolerance", &["float_tolerance"]),
    ("epsilon", &["float_tolerance"]),
    ("eps", &["float_tolerance"]),
    ("absolute_tolerance", &["float_absolute_tolerance"]),
    ("relative_tolerance", &["float_relative_tolerance"]),
    ("ignore_case", &["case_sensitive"]),
    ("model_solution", &["solution"]),
];

/// What `[task]` says.
pub(super) struct TextTaskSpec {
    /// `None` if a mistake leaves it open; that has been noted.
    pub(super) task: Option<TextTask>,
    /// The submission that writes missing answers, by its path below `submissions`.
    pub(super) solution: Option<String>,
}

/// Reads the table, and refuses those of grids beside it. `None` if there is no such table.
pub(super) fn read(root: &TomlTable<'_>) -> Option<TextTaskSpec> {
    let table = root.table(KEY)?;
    for (key, remedy) in TABLES_OF_GRIDS {
        root.pass_over(key);
        if let Some(place) = root.place(key) {
            let first_line = place.start..place.start + key.len();
            root.note(&first_line, format!("`{key}` has no meaning beside [task]"), remedy);
        }
    }
    let kind = table.required("kind", "`kind = \"tokens\"`", |table, key| table.choice(key, &KINDS));
    let kind = kind.map(|found| found.value);
    let rules = token_rules(&table);
    let solution = solution(&table);
    table.refuse_the_rest_or_name(&SYNONYMS);
    if let Some(kind) = kind.filter(|kind| *kind != TextKind::Tokens) {
        refuse_keys_of_tokens(&table, kind);
    }
    let task = kind.map(|kind| match kind {
        TextKind::Tokens => TextTask::Tokens(rules),
        TextKind::Lines => TextTask::Lines,
        TextKind::Exact => TextTask::Exact,
    });
    Some(TextTaskSpec { task, solution })
}

fn token_rules(table: &TomlTable<'_>) -> TokenRules {
    let [case_sensitive, space_change_sensitive] =
        SWITCHES.map(|key| table.flag(key).is_some_and(|found| found.value));
    let mut rules = TokenRules { case_sensitive, space_change_sensitive, ..TokenRules::default() };
    for key in TOLERANCES {
        let Some(found) = table.float(key) else { continue };
        let tolerance = Tolerance::new(found.value);
        if tolerance.is_none() {
            let remedy = format!("write a number that is finite and not negative, as `{key} = 1e-6`");
            table.note(&found.span, format!("`{key}` must not be {}", found.value), remedy);
        }
        set_tolerance(&mut rules, key, tolerance);
    }
    let other = TOLERANCES[1..].iter().find_map(|key| Some((key, table.place(key)?)));
    if let Some((key, place)) = other.filter(|_| table.has(TOLERANCES[0])) {
        table.note(&place, format!("`{key}` stands beside `float_tolerance`"), REMEDY_OF_BOTH);
    }
    rules
}

/// A path below `submissions`, which cannot lead out of it.
fn solution(table: &TomlTable<'_>) -> Option<String> {
    let found = table.string("solution")?;
    let is_inside =
        !found.value.is_empty() && found.value.split('/').all(|part| !["", ".", ".."].contains(&part));
    if !is_inside {
        let message = format!("{} cannot be the path of a submission", quoted(&found.value));
        let remedy = "write it as seen from the folder `submissions`, as `solution = \"accepted/fast.cpp\"`";
        table.note(&found.span, message, remedy);
    }
    is_inside.then_some(found.value)
}

fn refuse_keys_of_tokens(table: &TomlTable<'_>, kind: TextKind) {
    let word = KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(word, _)| word);
    for key in SWITCHES.into_iter().chain(TOLERANCES) {
        if let Some(place) = table.place(key) {
            let message = format!("`{key}` has no meaning with `kind = \"{word}\"`");
            table.note(&place, message, "delete it, or write `kind = \"tokens\"`");
        }
    }
}
