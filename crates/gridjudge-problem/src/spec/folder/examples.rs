//! Reads the expected verdicts of example submissions: from their folders, from
//! `@EXPECTED_RESULTS@` in their sources, and from `submissions.toml` beside the
//! folders. Searches sources for that word only.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::glob::{Backslash, Glob};
use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{Mistake, Mistakes, nearest, quoted, suggestion_or};
use crate::model::{
    AllowedVerdicts, Case, CaseExpectations, CaseNames, Expected, Submission, Verdict,
};
use crate::package::domjudge::{WORD, known_verdicts, of_source, verdicts_of};
use crate::spec::Config;
use crate::spec::folder::files_below;
use crate::text::path_text;

/// The file with expectations that folders cannot express.
pub(crate) const FILE_NAME: &str = "submissions.toml";

/// An example submission and its expected verdicts.
#[derive(Debug)]
pub struct ExampleSubmission {
    /// The submission, with its expected verdict over all cases.
    pub submission: Submission,
    /// The expected verdicts for single cases, by patterns.
    expectations: Vec<CaseExpectation>,
    /// The expected verdicts of a package's submission, already resolved to cases.
    known: CaseExpectations,
}

/// The expected verdicts for the cases whose names match a pattern.
#[derive(Clone, Debug)]
struct CaseExpectation {
    pattern: NamePattern,
    expected: Expected,
    /// The mistake to report if the pattern matches no case.
    unused: Mistake,
}

/// A table of `submissions.toml`: the expectations for submissions whose names match a
/// pattern.
struct ExpectationRule {
    pattern: NamePattern,
    expected: Option<Expected>,
    expectations: Vec<CaseExpectation>,
    /// The mistake to report if the pattern matches no submission.
    unused: Mistake,
}

impl ExampleSubmission {
    /// Creates a submission whose expected verdicts are already resolved to cases.
    pub fn with_expectations(
        submission: Submission,
        known: CaseExpectations,
    ) -> Self {
        Self {
            submission,
            expectations: vec![],
            known,
        }
    }

    /// The expected verdicts for these cases. If several patterns match a case, the
    /// last one counts.
    ///
    /// # Errors
    /// Reports patterns that match no case.
    pub fn expectations_for(
        &self,
        cases: &Arc<[Case]>,
    ) -> Result<CaseExpectations, Mistakes> {
        if self.expectations.is_empty() {
            return Ok(self.known.clone());
        }
        let rules = self.expectations.iter();
        let unused = rules
            .clone()
            .filter(|rule| !cases.iter().any(|case| rule.pattern.matches(&case.name)))
            .map(|rule| rule.unused.clone());
        let of_cases = cases.iter().map(|case| {
            let mut fitting = rules.clone().rev();
            let last = fitting.find(|rule| rule.pattern.matches(&case.name))?;
            Some(last.expected.clone())
        });
        let expectations = CaseExpectations {
            allowed: AllowedVerdicts::new(&CaseNames::from_cases(cases), of_cases),
            ..CaseExpectations::default()
        };
        Mistakes::or(unused, expectations)
    }
}

/// The files below a folder of example submissions that are submissions, sorted; also
/// the mistakes found there.
pub fn submission_files(
    folder: &Path,
    config: &Config,
) -> (Vec<PathBuf>, Vec<Mistake>) {
    let (mut files, mistakes) = files_below(folder, config);
    files.retain(|path| {
        path.extension().is_none_or(|extension| extension != "md")
            && *path != folder.join(FILE_NAME)
    });
    (files, mistakes)
}

/// Reads the expected verdicts of a folder's submissions. Their names are paths
/// relative to the folder.
///
/// # Errors
/// Reports every submission whose expected verdict is missing or contradictory, and
/// every mistake in `submissions.toml`.
pub(crate) fn examples(
    folder: &Path,
    files: &[impl AsRef<Path>],
) -> Result<Vec<ExampleSubmission>, Mistakes> {
    let mut mistakes = vec![];
    let rules = rules(&folder.join(FILE_NAME)).unwrap_or_else(|Mistakes(found)| {
        mistakes.extend(found);
        vec![]
    });
    let mut examples = vec![];
    for path in files.iter().map(AsRef::as_ref) {
        let name = path_text(path.strip_prefix(folder).unwrap_or(path));
        let fitting = || rules.iter().filter(|rule| rule.pattern.matches(&name));
        let said = fitting()
            .filter_map(|rule| rule.expected.clone())
            .next_back();
        let expected = match said {
            Some(expected) => Ok(expected),
            None => of_file(path, &name),
        };
        match expected {
            Ok(expected) => examples.push(ExampleSubmission {
                expectations: fitting()
                    .flat_map(|rule| rule.expectations.clone())
                    .collect(),
                submission: Submission {
                    name,
                    path: path.to_owned(),
                    real: None,
                    expected: Some(expected),
                },
                known: CaseExpectations::default(),
            }),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    // After a mistake, the list of examples is incomplete, and a pattern may only seem
    // unused.
    if mistakes.is_empty() {
        mistakes = unused(rules, &examples);
    }
    Mistakes::or(mistakes, examples)
}

/// The mistakes of rules whose patterns match no submission.
fn unused(
    rules: Vec<ExpectationRule>,
    examples: &[ExampleSubmission],
) -> Vec<Mistake> {
    let names = || {
        examples
            .iter()
            .map(|example| example.submission.name.as_str())
    };
    rules
        .into_iter()
        .filter(|rule| !names().any(|name| rule.pattern.matches(name)))
        .map(|rule| match nearest(rule.pattern.text(), names()) {
            Some(meant) => {
                rule.unused.with_remedy(format!("did you mean `{meant}`?"))
            }
            None => rule.unused,
        })
        .collect()
}

/// The expected verdicts of a submission by its folder and by the word in its source.
fn of_file(path: &Path, name: &str) -> Result<Expected, Mistake> {
    let folder = name.split_once('/').map(|(folder, _)| folder);
    let of_folder = folder.and_then(Expected::of_folder);
    match (of_folder, of_source(path)?) {
        (None, None) => {
            let known: Vec<_> = Verdict::folders().collect();
            let listed = known.join(", ");
            let others =
                format!("or write `{WORD} WA` into it, or name it in `{FILE_NAME}`");
            let Some(folder) = folder else {
                return Mistake::refuse(
                    path,
                    "the submission lies in no folder that expects a verdict",
                    format!("move it into one of {listed}, {others}"),
                );
            };
            let remedy = suggestion_or(folder, known, || {
                format!("use one of {listed}, {others}")
            });
            let message = format!("the folder `{folder}` expects no verdict");
            Mistake::refuse(path, message, remedy)
        }
        (Some(expected), None) | (None, Some((_, expected))) => Ok(expected),
        // The verdicts that both allow: DOMjudge's single word for "too slow" covers
        // TLE and ILE, but a folder of ours may not.
        (Some(one), Some((line, other))) => {
            one.narrowed_by(&other).ok_or_else(|| {
                Mistake::new(
                    path,
                    format!("its source expects {other}, but its folder {one}"),
                    "move it into `mixed/`, or delete the line",
                )
                .on_line(line)
            })
        }
    }
}

/// The rules of `submissions.toml`, in its order. Empty if the file does not exist.
fn rules(path: &Path) -> Result<Vec<ExpectationRule>, Mistakes> {
    if path.symlink_metadata().is_err() {
        return Ok(vec![]);
    }
    let table = KeyTable::read_file(path)?;
    let rules = table
        .tables()
        .iter()
        .filter_map(|(pattern, table)| rule(pattern, table))
        .collect();
    Mistakes::or(table.document.take_mistakes(), rules)
}

fn rule(pattern: &str, table: &KeyTable) -> Option<ExpectationRule> {
    let expected = table
        .words("expected")
        .and_then(|words| expected_of(table, table.value_place("expected"), &words));
    let expectations = table.table("cases").map(|cases| {
        cases
            .words_by_key()
            .into_iter()
            .filter_map(|(pattern, words)| {
                let place = cases.place(pattern).unwrap_or_default();
                let expected = expected_of(&cases, place, &words);
                let pattern = parse_pattern(&cases, pattern, place)?;
                let unused = cases.document.mistake(
                    place,
                    format!("no case is named like {}", quoted(pattern.text())),
                    "name a case or a group, for example `secret`, or delete it",
                );
                Some(CaseExpectation {
                    pattern,
                    expected: expected?,
                    unused,
                })
            })
            .collect()
    });
    table.refuse_the_rest();
    if expected.is_none() && expectations.is_none() && !table.has("expected") {
        table.refuse_table(
            format!("{} expects nothing", quoted(pattern)),
            "give it `expected` or `cases`",
        );
    }
    let unused = table.document.mistake(
        table.header,
        format!("no submission is named like {}", quoted(pattern)),
        "name one as seen from here, for example `wrong/a.c`, or delete it",
    );
    Some(ExpectationRule {
        pattern: parse_pattern(table, pattern, table.header)?,
        expected,
        expectations: expectations.unwrap_or_default(),
        unused,
    })
}

fn parse_pattern(
    table: &KeyTable,
    pattern: &str,
    place: FilePlace,
) -> Option<NamePattern> {
    let parsed = NamePattern::new(pattern);
    let remedy =
        "write a name, with `*` for what may differ, for example `wrong/*.c`";
    parsed
        .map_err(|why| {
            table.note_mistake(place, format!("{} {why}", quoted(pattern)), remedy)
        })
        .ok()
}

/// Parses words that name verdicts. Notes every word that names none.
fn expected_of(
    table: &KeyTable,
    at: FilePlace,
    words: &[String],
) -> Option<Expected> {
    let mut verdicts = vec![];
    let mut is_known = !words.is_empty();
    if !is_known {
        table.note_mistake(at, "the list is empty", known_verdicts());
    }
    for word in words {
        match verdicts_of(word) {
            Some(known) => verdicts.extend(known),
            None => {
                is_known = false;
                table.note_mistake(
                    at,
                    format!("{} is not a verdict", quoted(word)),
                    known_verdicts(),
                );
            }
        }
    }
    is_known.then(|| Expected::one_of(verdicts))
}

// Patterns for the names of cases and submissions, as `secret/01?-*`. Knows names only.

/// A pattern: `*` and `?` match anything except `/`, `**` also matches `/`, `{a,b}`
/// matches `a` or `b`, `[a-c]` one of several characters. The name of a group matches
/// everything in it.
#[derive(Clone, Debug)]
pub struct NamePattern {
    text: String,
    glob: Glob,
}

impl NamePattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Returns what is wrong with it, worded to follow the quoted pattern in a message.
    pub fn new(text: &str) -> Result<Self, String> {
        let glob = Glob::new(text, Backslash::Escape)
            .map_err(|error| format!("is not a valid pattern: {error}"))?;
        Ok(Self {
            text: text.to_owned(),
            glob,
        })
    }

    /// Whether a name, or a folder that contains it, matches.
    pub fn matches(&self, name: &str) -> bool {
        self.glob.matches_around(name)
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod pattern_tests {
    use super::*;

    #[test]
    fn a_pattern_matches_names_and_the_folders_that_contain_them() {
        for (pattern, name, fits) in [
            ("secret/017-minimal", "secret/017-minimal", true),
            ("secret/01?-*", "secret/017-minimal", true),
            ("secret/01?-*", "secret/027-minimal", false),
            ("secret", "secret/017-minimal", true),
            ("secret", "secrets/017-minimal", false),
            ("*", "secret/017-minimal", true),
            ("*-minimal", "secret/017-minimal", false),
            ("**/*-minimal", "secret/017-minimal", true),
            ("{sample,secret}/0*", "secret/017-minimal", true),
            ("secret/0[0-1]*", "secret/027-minimal", false),
        ] {
            assert_eq!(
                NamePattern::new(pattern).unwrap().matches(name),
                fits,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn an_invalid_pattern_is_refused_with_the_reason() {
        assert!(
            NamePattern::new("secret/[01")
                .unwrap_err()
                .starts_with("is not a valid pattern: ")
        );
        assert!(NamePattern::new("secret/{a,b").is_err());
    }
}
