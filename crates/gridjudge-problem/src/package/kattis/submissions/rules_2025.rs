//! Finds the rules for submissions in 2025-09: by folder, and by the patterns of
//! `submissions.yaml`. A rule names sets of verdicts for all cases or for some;
//! [`combined_rules`] combines them.

use crate::glob::Glob;
use crate::keys::KeyTable;
use crate::mistake::{Mistake, quoted};
use crate::model::{Case, CaseExpectations, CaseNames, Expected};
use crate::package::kattis::submissions::case_rule::{
    CaseRule, combined_rules, pattern,
};
use crate::package::{PackageTree, first_part};

/// Folders with the verdicts of which one is required on some case. On each case, these
/// and AC are permitted.
const FOLDERS: [(&str, &[&str]); 6] = [
    ("accepted", &[]),
    ("rejected", &["WA", "TLE", "RTE"]),
    ("wrong_answer", &["WA"]),
    ("time_limit_exceeded", &["TLE"]),
    ("run_time_error", &["RTE"]),
    ("brute_force", &["RTE", "TLE"]),
];

/// The rules of `submissions.yaml`.
#[derive(Default)]
pub(super) struct SubmissionRules {
    rules: Vec<SubmissionRule>,
}

/// A rule, and what it says of a submission.
pub(super) struct SubmissionRule {
    /// The pattern as written.
    text: String,
    pattern: Glob,
    /// Its expectations on all cases, those on some, and what it expects of cases by
    /// letting their times bound the time limit.
    rules: Vec<CaseRule>,
    /// The code of the language.
    pub(super) language: Option<String>,
    /// The file in which it starts.
    pub(super) entrypoint: Option<String>,
    pub(super) is_model: Option<bool>,
    /// The mistake if it matches no submission.
    unmatched: Mistake,
}

/// The most work for matching patterns with names, in characters of patterns times
/// characters of names: about a minute. The file is read before anything of a possibly
/// hostile package runs.
const MOST_LETTERS: usize = 10_000_000_000;

/// Whether matching would take too long: all rules may be matched with the names of all
/// submissions, and for each submission with those of all cases.
fn takes_too_long(
    rules: &[SubmissionRule],
    tree: &PackageTree,
    cases: &[Case],
) -> bool {
    let of_some: usize = rules
        .iter()
        .flat_map(|rule| &rule.rules)
        .filter(|rule| rule.unmatched.is_some())
        .map(|rule| rule.cases.len())
        .sum();
    let of_all: usize = rules.iter().map(|rule| rule.text.len()).sum();
    let of_cases: usize = cases.iter().map(|case| case.name.len()).sum();
    let files = || tree.below("submissions").map(|(name, _)| name.len());
    let held = of_some
        .saturating_mul(of_cases)
        .saturating_mul(files().count());
    held.saturating_add(of_all.saturating_mul(files().sum())) > MOST_LETTERS
}

impl SubmissionRules {
    /// Reads the file, if there is one.
    pub(super) fn read(tree: &PackageTree, cases: &[Case]) -> Self {
        let Some(path) = tree.file("submissions/submissions.yaml") else {
            return Self::default();
        };
        let Some(table) = tree.ok_or_note(KeyTable::read_file(path)) else {
            return Self::default();
        };
        let mut rules: Vec<_> = table
            .tables()
            .iter()
            .filter_map(|(pattern, table)| rule(pattern, table))
            .collect();
        tree.close(&table);
        if !tree.has_folder("output_validator") {
            let each = rules.iter_mut().flat_map(|rule| &mut rule.rules);
            // Each of them is taken, not only the first.
            if each.filter_map(|rule| rule.message.take()).count() > 0 {
                tree.deviation(
                    "`message` in `submissions.yaml`: the default validator leaves no message to \
                     look into",
                );
            }
        }
        if takes_too_long(&rules, tree, cases) {
            let message = "there are too many patterns here, or too long ones, for so many cases \
                           and submissions";
            tree.refuse(path, message, "write fewer, or shorter ones");
            return Self::default();
        }
        // A package need not have samples, so a rule for all submissions may name
        // `sample` or `secret` without effect. A case that was refused may be the one
        // that a rule is for.
        let has_refused = tree.refused.iter().any(|name| {
            ["data/sample", "data/secret"]
                .iter()
                .any(|section| name.starts_with(section))
        });
        let unmatched = rules.iter().flat_map(|rule| &rule.rules).filter(|rule| {
            !matches!(&*rule.cases, "sample" | "secret")
                && !cases.iter().any(|case| rule.is_for(&case.name))
                && !has_refused
        });
        for mistake in unmatched.filter_map(|rule| rule.unmatched.clone()) {
            tree.slip(mistake);
        }
        Self { rules }
    }

    /// Returns what is expected of a submission, if anything is: by its folder, unless
    /// a rule for exactly this folder overrides it, and by all matching rules.
    ///
    /// # Errors
    /// Returns a mistake if no program can satisfy all these rules.
    pub(super) fn expected(
        &self,
        name: &str,
        names: &CaseNames,
    ) -> Result<Option<(Expected, CaseExpectations)>, Mistake> {
        let folder = first_part(name);
        let mut default = FOLDERS
            .iter()
            .find(|row| row.0 == folder)
            .map(|row| CaseRule::default_of(row.1));
        let mut wanted = vec![];
        let mut place = None;
        for rule in self.matching(name) {
            place = Some(&rule.unmatched);
            let mut rules = rule.rules.iter().cloned();
            if rule.text == folder
                && let Some(by_folder) = default
            {
                default = rules.next().map(|of_all| of_all.or(by_folder));
            }
            wanted.extend(rules);
        }
        wanted.splice(0..0, default);
        if wanted.iter().all(CaseRule::is_empty) {
            return Ok(None);
        }
        combined_rules(&wanted, names).map(Some).map_err(|why| {
            let (path, line) = place
                .map(|place| (place.path.clone(), place.line))
                .unwrap_or_default();
            let message = format!("submission `{name}`: {why}");
            let remedy = "all rules that fit hold together, that of its folder too: change one, \
                          or move the submission";
            Mistake {
                line,
                ..Mistake::new(path, message, remedy)
            }
        })
    }

    /// Returns a mistake if points are expected of a submission. The caller uses it for
    /// problems without points.
    pub(super) fn score_without_points(&self, name: &str) -> Option<Mistake> {
        let mut rules = self.matching(name);
        let rule =
            rules.rfind(|rule| rule.rules.iter().any(|rule| rule.score.is_some()))?;
        let message = format!(
            "`score` is expected of `{name}`, and the problem gives no points"
        );
        let remedy = "write `type: scoring` into `problem.yaml`, or delete `score`";
        Some(Mistake {
            line: rule.unmatched.line,
            ..Mistake::new(&rule.unmatched.path, message, remedy)
        })
    }

    /// The rules that match a submission, or its folder. Of several that say the same
    /// of it, the last counts.
    pub(super) fn matching(
        &self,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = &SubmissionRule> {
        self.rules
            .iter()
            .filter(|rule| rule.pattern.matches_around(name))
    }

    /// Notes the rules that match none of the submissions.
    pub(super) fn refuse_unused(&self, names: &[&str], tree: &PackageTree) {
        for rule in &self.rules {
            if !names.iter().any(|name| rule.pattern.matches_around(name))
                && !tree.lacks_files
            {
                tree.slip(rule.unmatched.clone());
            }
        }
    }
}

fn rule(name: &str, table: &KeyTable) -> Option<SubmissionRule> {
    let mut of_times = vec![];
    let of_all = CaseRule::read(None, table, &mut of_times)?;
    let language = table.text("language");
    let entrypoint = table.text("entrypoint");
    let is_model = table.flag("model_solution");
    table.pass_over(["authors"]);
    let mut rules = vec![of_all];
    for (cases, inner) in table.tables_of_the_rest() {
        rules.extend(CaseRule::read(Some(cases), &inner, &mut of_times));
        inner.refuse_the_rest();
    }
    rules.append(&mut of_times);
    table.refuse_the_rest();
    let unmatched = table.document.mistake(
        table.header,
        format!("no submission is named like {}", quoted(name)),
        "name one as seen from `submissions`, or delete it",
    );
    Some(SubmissionRule {
        text: name.to_owned(),
        pattern: pattern(table, name)?,
        rules,
        language,
        entrypoint,
        is_model,
        unmatched,
    })
}
