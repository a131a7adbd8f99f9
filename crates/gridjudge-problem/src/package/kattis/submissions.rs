//! Finds the submissions of a package and what is expected of them: by the folder of
//! each, by `submissions.yaml`, or by `@EXPECTED_RESULTS@` in the source. Start at
//! [`read_submissions`].

mod case_rule;
mod rules_2025;

use crate::mistake::{Mistake, RemarkKind, nearest};
use crate::model::{
    Case, CaseExpectations, CaseNames, Expected, ExpectedScore, SourceFile, Verdict,
};
use crate::package::domjudge;
use crate::package::kattis::submissions::rules_2025::SubmissionRules;
use crate::package::{
    PackageMetadata, PackageTree, SubmissionDetails, TOO_SLOW, first_part, last_part,
};

/// Folders that mean the same to all judges, with precedence over tags in the source.
const OFFICIAL: [(&str, &[Verdict]); 4] = [
    ("accepted", &[Verdict::Accepted]),
    ("wrong_answer", &[Verdict::WrongAnswer]),
    ("time_limit_exceeded", &TOO_SLOW),
    (
        "run_time_error",
        &[Verdict::RuntimeError, Verdict::MemoryLimit],
    ),
];

/// The folder of submissions that get a part of the points.
const PARTIAL: &str = "partially_accepted";

/// Files in `submissions` that are not submissions.
const BESIDE: [&str; 2] = ["submissions.yaml", "submissions.json"];

/// A submission of a package.
#[derive(Clone, Debug, Default)]
pub struct PackageSubmission {
    /// Its name, relative to `submissions`.
    pub name: String,
    /// Its files, by their names in its folder.
    pub files: Vec<SourceFile>,
    /// The code of its language, if the package names one.
    pub language: Option<String>,
    /// The file among several in which it starts, if the package names one.
    pub entrypoint: Option<String>,
    /// Its expected verdict and score.
    pub expected: Expected,
    /// Expectations for single cases and for sets of cases.
    pub expectations: CaseExpectations,
    /// Whether the package marks it as the model solution.
    pub is_model: bool,
}

impl PackageSubmission {
    /// Whether it is in a folder that means the same to all judges, so that no tag in
    /// it counts.
    pub(crate) fn is_in_official_folder(&self) -> bool {
        OFFICIAL.iter().any(|row| first_part(&self.name) == row.0)
    }
}

/// A submission of a package that is not judged.
#[derive(Clone, Debug)]
pub struct SkippedSubmission {
    /// Its name, relative to `submissions`.
    pub name: String,
    /// The reason.
    pub reason: String,
}

/// Reads the submissions of a package.
struct SubmissionReader<'a> {
    tree: &'a PackageTree,
    metadata: &'a PackageMetadata,
    /// None in the older formats.
    rules: SubmissionRules,
    details: SubmissionDetails,
    case_names: CaseNames,
}

/// Finds the submissions of a package, and those that are left out.
pub(crate) fn read_submissions(
    tree: &PackageTree,
    metadata: &PackageMetadata,
    cases: &[Case],
) -> (Vec<PackageSubmission>, Vec<SkippedSubmission>) {
    let rules = if metadata.format_of_groups.has_legacy_layout() {
        SubmissionRules::default()
    } else {
        SubmissionRules::read(tree, cases)
    };
    let reader = SubmissionReader {
        tree,
        metadata,
        rules,
        details: SubmissionDetails::read(tree, metadata),
        case_names: CaseNames::from_cases(&cases.into()),
    };
    let mut found = vec![];
    let mut left_out = vec![];
    let programs = programs(tree);
    for short in &programs {
        let files = reader.files(&format!("submissions/{short}"));
        let reason = match files.map(|files| reader.judged(short, files)) {
            Ok(Ok(Some(submission))) => {
                found.push(submission);
                continue;
            }
            Ok(Err(mistake)) => {
                tree.slip(mistake);
                continue;
            }
            Ok(Ok(None)) => {
                let folder = first_part(short);
                let meant = if folder.contains("memory") {
                    Some("run_time_error")
                } else {
                    // These are no slips of `accepted` and `time_limit_exceeded`.
                    nearest(folder, OFFICIAL.map(|row| row.0)).filter(|_| {
                        folder != "rejected" && !folder.contains("output")
                    })
                };
                let meant = meant
                    .map(|meant| format!("; did you mean the folder `{meant}`?"))
                    .unwrap_or_default();
                format!("nothing says what is expected of it{meant}")
            }
            Err(reason) => reason,
        };
        left_out.push(SkippedSubmission {
            name: (*short).to_owned(),
            reason,
        });
    }
    reader.rules.refuse_unused(&programs, tree);
    (found, left_out)
}

/// Returns the names of the programs in the folders of `submissions`, relative to it:
/// files, and folders of files.
fn programs(tree: &PackageTree) -> Vec<&str> {
    let mut found = vec![];
    for name in tree.children("submissions") {
        if tree.has_folder(name) {
            let programs = tree.children(name).into_iter();
            found.extend(programs.map(|program| &program["submissions/".len()..]));
        } else if !BESIDE.contains(&last_part(name)) {
            tree.ignore(format!("`{name}`: it lies in no folder of `submissions`"));
        }
    }
    found
}

impl SubmissionReader<'_> {
    /// Builds the submission of these files; `None` if nothing says what is expected of
    /// it.
    fn judged(
        &self,
        name: &str,
        files: Vec<SourceFile>,
    ) -> Result<Option<PackageSubmission>, Mistake> {
        let Some((mut expected, expectations)) = self.expected(name, &files)? else {
            return Ok(None);
        };
        // Where fewer points are better, the best score is no part of the most points.
        if expected.score() == Some(ExpectedScore::Partial)
            && self.metadata.grading.wants_fewest
        {
            expected = Expected::default();
        }
        let language = self.details.language(name);
        let entrypoint = self.details.entry_point(name, &files);
        let rules = || self.rules.matching(name).rev();
        Ok(Some(PackageSubmission {
            name: name.to_owned(),
            files,
            language: language.or(rules().find_map(|rule| rule.language.clone())),
            entrypoint: entrypoint
                .or(rules().find_map(|rule| rule.entrypoint.clone())),
            expected,
            expectations,
            is_model: rules().find_map(|rule| rule.is_model) == Some(true),
        }))
    }

    /// Returns the files of a program, by their names in its folder.
    ///
    /// # Errors
    /// Returns the reason why it is not judged: it has no files, too large ones, or one
    /// with the name of a compiler's product.
    fn files(&self, name: &str) -> Result<Vec<SourceFile>, String> {
        let files = self.tree.sources(name);
        if files.is_empty() {
            return Err("its folder is empty".to_owned());
        }
        let bytes: u64 = files
            .iter()
            .map(|file| file.path.metadata().map_or(0, |found| found.len()))
            .sum();
        // The size limit of answers is checked later, for each answer.
        if self.metadata.submissions_are_answers {
            return Ok(files);
        }
        if bytes > self.metadata.limits.code_bytes {
            return Err(format!(
                "it has {bytes} bytes, and {} are allowed",
                self.metadata.limits.code_bytes
            ));
        }
        let product = files.iter().find(|SourceFile { name, .. }| {
            name.starts_with("program")
                && (name.ends_with(".o") || !name.contains('.'))
        });
        match product {
            Some(file) if files.len() > 1 => Err(format!(
                "its file `{}` has the name of what compilers make",
                file.name
            )),
            _ => Ok(files),
        }
    }

    /// Returns what is expected of a submission; `None` if nothing says so.
    fn expected(
        &self,
        name: &str,
        files: &[SourceFile],
    ) -> Result<Option<(Expected, CaseExpectations)>, Mistake> {
        if !self.metadata.format_of_groups.has_legacy_layout() {
            let expected = self.rules.expected(name, &self.case_names);
            if !self.metadata.is_scoring
                && let Some(mistake) = self.rules.score_without_points(name)
            {
                return Err(mistake);
            }
            return expected;
        }
        let mut sources = files.iter().filter(|_| self.metadata.is_scoring);
        // The first source that has the tag counts.
        let points = sources
            .find_map(|file| domjudge::score_of_source(&file.path).transpose())
            .transpose()?;
        let mut expected = self.by_folder(name, files)?;
        if let Some(points) = points {
            let by_folder =
                expected.unwrap_or_else(|| Expected::one_of(any_verdict()));
            let score = ExpectedScore::Between(points, points);
            expected = Some(by_folder.with_score(score));
        }
        Ok(expected.map(|expected| (expected, CaseExpectations::default())))
    }

    /// Returns what is expected of a submission by its folder, or by its sources if the
    /// folder says nothing.
    fn by_folder(
        &self,
        name: &str,
        files: &[SourceFile],
    ) -> Result<Option<Expected>, Mistake> {
        let folder = first_part(name);
        let said = of_sources(files);
        if let Some((_, verdicts)) = OFFICIAL.iter().find(|row| row.0 == folder) {
            if !matches!(said, Ok(None)) {
                self.tree.ignore(format!(
                    "`{}` in `submissions/{name}`, since its folder says it",
                    domjudge::WORD
                ));
            }
            let expected = Expected::one_of(verdicts.iter().copied());
            if let Ok(Some(said)) = &said
                && !said
                    .verdicts()
                    .iter()
                    .all(|verdict| expected.allows(*verdict))
            {
                self.tree.deviation(format!(
                    "`submissions/{name}` says {said} after `{}`, and its folder, which \
                     counts, {expected}",
                    domjudge::WORD
                ));
            }
            // A rejected program may still solve a whole group and get its points.
            let is_rejected = self.metadata.is_scoring && folder != "accepted";
            return Ok(Some(if is_rejected {
                expected.with_score(ExpectedScore::Rejected)
            } else {
                expected
            }));
        }
        if self.metadata.is_scoring && folder == PARTIAL {
            let expected = Expected::one_of(any_verdict());
            return Ok(Some(expected.with_score(ExpectedScore::Partial)));
        }
        let said = said?;
        let named = domjudge::verdicts_of(folder).filter(|_| said.is_none());
        if let Some(verdicts) = &named
            && !self.metadata.is_for_domjudge
        {
            let usual = OFFICIAL.iter().find(|row| row.1.starts_with(verdicts));
            let usual = usual.map_or_else(String::new, |(usual, _)| {
                format!("; there it is `{usual}`")
            });
            self.tree.say(
                RemarkKind::Disagreement,
                format!(
                    "`submissions/{folder}/`: problemtools knows no such folder{usual}"
                ),
            );
        }
        Ok(said.or(named.map(Expected::one_of)))
    }
}

/// The verdicts that a program that compiles can get.
fn any_verdict() -> impl Iterator<Item = Verdict> {
    Verdict::all().filter(|verdict| {
        !matches!(verdict, Verdict::CompileError | Verdict::Skipped)
    })
}

/// Returns the expected verdicts in the sources of a submission; at most one source may
/// have the tag.
fn of_sources(files: &[SourceFile]) -> Result<Option<Expected>, Mistake> {
    let mut said = None;
    for file in files {
        let Some((line, expected)) = domjudge::of_source(&file.path)? else {
            continue;
        };
        if said.replace(expected).is_some() {
            return Err(Mistake::new(
                &file.path,
                format!(
                    "`{}` appears here and in another file of the submission",
                    domjudge::WORD
                ),
                "delete one of the two",
            )
            .on_line(line));
        }
    }
    Ok(said)
}
