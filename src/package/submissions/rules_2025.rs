//! What is expected of submissions in 2025-09: by folder, and by the patterns of `submissions.yaml`. The format speaks of sets of
//! verdicts over all cases; what follows from them for the verdict on the whole submission is what counts here.

use std::cell::Cell;

use globset::GlobBuilder;
use globset::GlobMatcher;

use crate::mistake::Mistake;
use crate::mistake::quoted;
use crate::model::Expected;
use crate::model::ExpectedScore;
use crate::model::PointValue;
use crate::model::Verdict;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::package::yaml::YamlDocument;
use crate::package::yaml::YamlFound;
use crate::package::yaml::YamlMap;

/// A verdict of the format, and ours that it stands for.
const VERDICTS: [(&str, &[Verdict]); 4] = [
    ("AC", &[Verdict::Accepted]),
    ("WA", &[Verdict::WrongAnswer, Verdict::OutputLimit]),
    ("TLE", &[Verdict::TimeLimit, Verdict::IdleLimit]),
    ("RTE", &[Verdict::RuntimeError, Verdict::MemoryLimit]),
];

/// A folder with the verdicts that are permitted on each case, and of which one is required on some case.
const FOLDERS: [(&str, &[&str], &[&str]); 6] = [
    ("accepted", &["AC"], &[]),
    ("rejected", &["AC", "WA", "TLE", "RTE"], &["RTE", "TLE", "WA"]),
    ("wrong_answer", &["AC", "WA"], &["WA"]),
    ("time_limit_exceeded", &["AC", "TLE"], &["TLE"]),
    ("run_time_error", &["AC", "RTE"], &["RTE"]),
    ("brute_force", &["AC", "RTE", "TLE"], &["RTE", "TLE"]),
];

/// What `submissions.yaml` says.
#[derive(Default)]
pub(super) struct SubmissionRules {
    rules: Vec<SubmissionRule>,
}

struct SubmissionRule {
    pattern: GlobMatcher,
    permitted: Option<Vec<String>>,
    required: Option<Vec<String>>,
    entrypoint: Option<String>,
    score: Option<ExpectedScore>,
    is_model: Option<bool>,
    /// What is to be said if it fits no submission.
    idle: Mistake,
    is_used: Cell<bool>,
}

impl SubmissionRules {
    /// Reads the file, if there is one.
    pub(super) fn read(tree: &PackageTree, notes: &mut ReadingNotes) -> Self {
        let Some(path) = tree.file("submissions/submissions.yaml") else { return Self::default() };
        let Some(document) = notes.take(YamlDocument::read(path)) else { return Self::default() };
        let tables = YamlMap::root(&document).maps();
        let rules =
            tables.iter().filter_map(|(pattern, table)| rule(&document, pattern, table, notes)).collect();
        drop(tables);
        notes.close(document);
        Self { rules }
    }

    /// What is expected of a submission. Later rules go before earlier ones, key by key, and all before its folder.
    pub(super) fn expected(&self, name: &str, folder: &str) -> Option<Expected> {
        let usual = FOLDERS.iter().find(|row| row.0 == folder);
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let mut permitted = usual.map(|row| words(row.1));
        let mut required = usual.map(|row| words(row.2));
        for rule in self.rules.iter().filter(|rule| rule.fits(name)) {
            rule.is_used.set(true);
            permitted = rule.permitted.clone().or(permitted);
            required = rule.required.clone().or(required);
        }
        if permitted.is_none() && required.is_none() {
            return None;
        }
        let permitted = permitted.unwrap_or_else(|| words(&["AC", "WA", "TLE", "RTE"]));
        let required = required.unwrap_or_default();
        // Where something other than AC must come up, the first such verdict is that of the submission.
        let is_rejected = !required.is_empty() && !required.iter().any(|word| word == "AC");
        let counts = permitted.iter().filter(|word| !is_rejected || *word != "AC");
        let expected = Expected::one_of(counts.flat_map(|word| ours(word).unwrap_or_default()).copied());
        Some(match self.last_of(name, |rule| rule.score) {
            Some(score) => expected.with_score(score),
            None => expected,
        })
    }

    /// What the last rule says that fits a submission and says anything of it.
    fn last_of<T>(&self, name: &str, said: impl Fn(&SubmissionRule) -> Option<T>) -> Option<T> {
        self.rules.iter().rev().filter(|rule| rule.fits(name)).find_map(said)
    }

    /// That points are expected of a submission, and the problem gives none.
    pub(super) fn score_without_points(&self, name: &str) -> Mistake {
        let rule = self.rules.iter().rev().find(|rule| rule.fits(name) && rule.score.is_some());
        let place = rule.map(|rule| (rule.idle.path.clone(), rule.idle.line)).unwrap_or_default();
        let message = format!("`score` is expected of `{name}`, and the problem gives no points");
        let mistake = Mistake { line: place.1, ..Mistake::of(place.0, message) };
        mistake.with_remedy("write `type: scoring` into `problem.yaml`, or delete `score`")
    }

    /// The file in which a submission starts, where one is named.
    pub(super) fn entrypoint(&self, name: &str) -> Option<String> {
        self.last_of(name, |rule| rule.entrypoint.clone())
    }

    /// Whether a submission is named as the one that knows the answers.
    pub(super) fn is_model(&self, name: &str) -> bool {
        self.last_of(name, |rule| rule.is_model).unwrap_or(false)
    }

    /// Notes the rules that fit no submission.
    pub(super) fn refuse_unused(&self, notes: &mut ReadingNotes) {
        let unused = self.rules.iter().filter(|rule| !rule.is_used.get()).map(|rule| rule.idle.clone());
        // Of a package with other mistakes, not all submissions are known.
        if notes.mistakes.is_empty() {
            notes.mistakes.extend(unused);
        }
    }
}

impl SubmissionRule {
    /// Whether it is for a submission, or for the folder that it lies in.
    fn fits(&self, name: &str) -> bool {
        let folder = name.split('/').next().unwrap_or(name);
        self.pattern.is_match(name) || self.pattern.is_match(folder)
    }
}

fn rule(
    document: &YamlDocument,
    pattern: &YamlFound<String>,
    table: &YamlMap<'_>,
    notes: &mut ReadingNotes,
) -> Option<SubmissionRule> {
    let permitted = verdicts(table, "permitted");
    let required = verdicts(table, "required");
    let entrypoint = table.text("entrypoint").map(|found| found.value);
    let is_model = table.flag("model_solution").map(|found| found.value);
    let score = score(table);
    let read = ["language", "authors", "message", "use_for_time_limit"];
    table.pass_over(&read);
    if table.place("message").is_some() {
        notes.ignore("`message` in `submissions.yaml`: what validators say is not looked into");
    }
    pass_over_cases(table, notes);
    let glob = GlobBuilder::new(&pattern.value).literal_separator(true).backslash_escape(false).build();
    let is_plain = !pattern.value.contains(['[', ']', '?']) && !pattern.value.contains("**");
    let Some(glob) = glob.ok().filter(|_| is_plain) else {
        let message = format!("{} is no pattern of the format", quoted(&pattern.value));
        table.note(pattern.place, message, "use `*` for anything but `/`, and `{a,b}` for either");
        return None;
    };
    let message = format!("no submission is named like {}", quoted(&pattern.value));
    let idle = document.mistake(pattern.place, message, "name one as seen from `submissions`, or delete it");
    Some(SubmissionRule {
        pattern: glob.compile_matcher(),
        permitted,
        required,
        entrypoint,
        score,
        is_model,
        idle,
        is_used: Cell::new(false),
    })
}

/// Passes over what is expected on single cases and groups; what else is left is no key.
fn pass_over_cases(table: &YamlMap<'_>, notes: &mut ReadingNotes) {
    let of_cases = table.keys().into_iter().any(|key| key.starts_with("sample") || key.starts_with("secret"));
    match of_cases {
        true => notes.ignore("expectations for single cases and groups in `submissions.yaml`"),
        false => table.refuse_the_rest(),
    }
}

/// The points of a rule: so many, or between two numbers.
fn score(table: &YamlMap<'_>) -> Option<ExpectedScore> {
    let found = table.texts("score")?;
    let numbers = found.value.iter().map(|text| text.parse().ok().and_then(PointValue::new));
    match numbers.collect::<Option<Vec<_>>>().as_deref() {
        Some([points]) => Some(ExpectedScore::Between(*points, *points)),
        Some([least, most]) if least <= most => Some(ExpectedScore::Between(*least, *most)),
        _ => {
            let message = "`score` must be a number, or a list of the least and the most points";
            table.note(found.place, message, "write it as `score: 40`, or `score: [40, 60]`");
            None
        }
    }
}

/// The verdicts of a key, every word that is none noted.
fn verdicts(table: &YamlMap<'_>, key: &'static str) -> Option<Vec<String>> {
    let found = table.list(key)?;
    for word in found.value.iter().filter(|word| ours(word).is_none()) {
        let message = format!("{} in `{key}` is no verdict of the format", quoted(word));
        table.note(found.place, message, "use AC, WA, TLE, RTE");
    }
    if found.value.is_empty() {
        table.note(found.place, format!("`{key}` is empty"), "name a verdict, or delete it");
    }
    Some(found.value)
}

fn ours(word: &str) -> Option<&'static [Verdict]> {
    VERDICTS.iter().find(|row| row.0 == word).map(|row| row.1)
}
