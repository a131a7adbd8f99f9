//! Makes the plan entry of a submission: its sources or answers, language and cases, or
//! the reason why it is refused. A refusal only affects the submission itself, unless
//! it is one of the problem's own: those must be right.

use std::fmt::Write;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::files;
use crate::files::FileError;
use crate::mistake::{ellipsized, nearest};
use crate::model::{
    AdditionalSources, Case, CaseExpectations, Entrant, Problem, Submission,
    SubmittedAnswers, UnusableLanguage,
};
use crate::run::{
    AnswersFailure, JudgingPrograms, PlanEntry, PlannedAnswers, PlannedRefusal,
    ReadyAnswers,
};
use crate::spec;
use crate::spec::{
    AnswersError, Config, Mistake, Mistakes, ProblemFolder, UnpackedAnswers,
};
use crate::text::JoinedTexts;

/// A problem, its checked cases, and its programs that judge.
#[derive(Clone)]
pub(crate) struct ProblemCases {
    pub(crate) found: Arc<ProblemFolder>,
    pub(crate) problem: Arc<Problem>,
    pub(crate) cases: Arc<[Case]>,
    pub(crate) programs: JudgingPrograms,
}

impl ProblemCases {
    /// Whether the problem needs a program to judge that is missing here, because of a
    /// mistake.
    pub(crate) fn lacks_program(&self) -> bool {
        let Problem { task, scoring, .. } = &*self.problem;
        let programs = &self.programs;
        task.program().is_some() && programs.checker.is_none()
            || scoring.grader.is_some() && programs.grader.is_none()
            || self.problem.static_validator().is_some()
                && programs.static_validator.is_none()
    }

    /// An entry for a submission to the problem, before its files are examined.
    fn entry(
        &self,
        submission: Submission,
        expectations: CaseExpectations,
        entrant: Option<Entrant>,
    ) -> PlanEntry {
        let Self {
            found,
            problem,
            cases,
            programs,
        } = self.clone();
        PlanEntry {
            problem,
            cases,
            shown_path: found.shown_path(&submission.path),
            submission,
            additional_sources: AdditionalSources::default(),
            language: None,
            language_refusal: None,
            answers: None,
            refusal: None,
            expectations,
            entrant,
            programs,
        }
    }
}

/// The plan entry of a submission: everything to judge it, or the reason why it is
/// refused.
///
/// # Errors
/// If the file is in no known language and not executable, or answers cannot be read.
/// For a submission with an expected verdict, which is one of the problem's own, also
/// every reason to refuse another submission.
pub(crate) fn entry(
    subject: &ProblemCases,
    submission: Submission,
    expectations: CaseExpectations,
    entrant: Option<Entrant>,
) -> Result<PlanEntry, Mistakes> {
    let found = &subject.found;
    let path = submission.path.clone();
    let is_own = submission.expected.is_some();
    let entry = subject.entry(submission, expectations, entrant);
    let refused = |entry: PlanEntry, mistakes: Mistakes| {
        if is_own {
            Err(mistakes)
        } else {
            Ok(PlanEntry {
                refusal: Some(refusal(&path, &mistakes)),
                ..entry
            })
        }
    };
    if found.submissions_are_answers() {
        return match answers(found, &path, &entry) {
            Ok(answers) => Ok(PlanEntry {
                answers: Some(answers),
                ..entry
            }),
            Err(AnswersError::Unreadable(mistakes)) => Err(mistakes),
            Err(AnswersError::Refused(mistakes)) => refused(
                PlanEntry {
                    answers: Some(PlannedAnswers::default()),
                    ..entry
                },
                mistakes,
            ),
        };
    }
    let language = found.language_of(&path);
    let metadata = path.metadata();
    if language.is_none() && !metadata.as_ref().is_ok_and(is_executable) {
        return Err(unknown_language(&found.config, &path).into());
    }
    let additional_sources = found.further_sources(&path, language.as_deref());
    let entry = PlanEntry {
        additional_sources,
        language,
        ..entry
    };
    let language_refusal = language_refusal(found, &entry);
    let entry = with_language_refusal(entry, language_refusal);
    if entry.refusal.is_some() {
        return Ok(entry);
    }
    match too_large(found, &entry, &path, metadata.ok().as_ref()) {
        Some(mistake) => refused(entry, mistake.into()),
        None => Ok(entry),
    }
}

/// The answers of a submission. An archive is unpacked only when it is judged. Outside
/// of contests, it is also read here, so that mistakes in it are reported at once. In a
/// contest, they cost the author the attempt when it is judged, while a failure of the
/// machine is a fault.
fn answers(
    found: &ProblemFolder,
    path: &Path,
    entry: &PlanEntry,
) -> Result<PlannedAnswers, AnswersError> {
    let is_packed = spec::is_packed(path);
    if !is_packed || entry.entrant.is_none() {
        let found = found.submitted_answers(path, &entry.cases)?;
        if !is_packed {
            let place = path.to_owned();
            let real = entry.submission.real.clone();
            let cases = Arc::clone(&entry.cases);
            return Ok(PlannedAnswers::new(move || {
                if let Some(real) = &real
                    && has_become_link(real, &found.answers, &cases)
                {
                    let mistakes = Mistake::refused(&place, &FileError::Link).into();
                    return Err(AnswersFailure::Refused(refusal(&place, &mistakes)));
                }
                Ok(ReadyAnswers::new(found.answers.clone(), ()))
            }));
        }
    }
    let path = path.to_owned();
    let real = entry.submission.real.clone();
    let cases = Arc::clone(&entry.cases);
    Ok(PlannedAnswers::new(move || {
        match spec::unpack_answers(&path, real.as_deref(), &cases) {
            Ok(UnpackedAnswers { answers, folder }) => {
                Ok(ReadyAnswers::new(answers, folder))
            }
            Err(AnswersError::Refused(mistakes)) => {
                Err(AnswersFailure::Refused(refusal(&path, &mistakes)))
            }
            Err(AnswersError::Unreadable(mistakes)) => {
                Err(AnswersFailure::Faulted(unreadable(&mistakes)))
            }
        }
    }))
}

/// Whether a file with an answer has become a link since it was found, or had when it
/// was read.
fn has_become_link(real: &Path, answers: &SubmittedAnswers, cases: &[Case]) -> bool {
    let mut read = cases.iter().filter_map(|case| answers.to(&case.name));
    read.any(|file| file != real)
        || matches!(files::open_real(real), Err(FileError::Link))
}

/// The fault for answers that cannot be read.
fn unreadable(mistakes: &Mistakes) -> Fault {
    let fault = Fault::because("reading the answers", mistakes.to_string());
    match mistakes
        .0
        .iter()
        .find_map(|mistake| mistake.remedy.as_deref())
    {
        Some(remedy) => fault.with_remedy(remedy),
        None => fault,
    }
}

/// Adds a refusal because of the language to an entry. A contest entry is refused,
/// since its author knew the rules; any other submission is skipped.
fn with_language_refusal(
    entry: PlanEntry,
    refusal: Option<UnusableLanguage>,
) -> PlanEntry {
    match refusal {
        Some(UnusableLanguage { cause, remedy, .. }) if entry.entrant.is_some() => {
            let output = format!("{cause}\nhint: {remedy}\n").into();
            PlanEntry {
                refusal: Some(PlannedRefusal {
                    reason: cause.into(),
                    output,
                }),
                ..entry
            }
        }
        language_refusal => PlanEntry {
            language_refusal,
            ..entry
        },
    }
}

/// The refusal of a submission whose language the problem does not accept, or of an
/// executable if the problem judges sources.
fn language_refusal(
    found: &ProblemFolder,
    entry: &PlanEntry,
) -> Option<UnusableLanguage> {
    match entry.language.as_deref() {
        Some(language) => found.language_refusal(language),
        None => entry.judges_source().then(|| UnusableLanguage {
            cause: "the package judges sources, and this is an executable".to_owned(),
            remedy: "name its source".to_owned(),
            package: None,
        }),
    }
}

/// The mistake if a source is longer than the problem allows. Executables have no
/// limit: they are many times as large as their sources.
fn too_large(
    found: &ProblemFolder,
    entry: &PlanEntry,
    path: &Path,
    metadata: Option<&Metadata>,
) -> Option<Mistake> {
    let bytes = metadata
        .filter(|_| entry.language.is_some())
        .map_or(0, Metadata::len);
    let most = found.most_source_bytes().filter(|most| bytes > *most)?;
    let message =
        format!("has {bytes} bytes, and the problem allows {most} for a source");
    Some(Mistake::new(path, message, "make it smaller"))
}

/// The most mistakes of a submission that are listed, and the most letters of one.
const MOST_LISTED: usize = 100;
const LONGEST_MESSAGE: usize = 300;

/// The refusal of a submission with mistakes: the first one as the reason, and all of
/// them with remedies as the output.
fn refusal(path: &Path, mistakes: &Mistakes) -> PlannedRefusal {
    let shown = |mistake: &Mistake| {
        let message = match mistake.path.strip_prefix(path) {
            Ok(below) if below.as_os_str().is_empty() => mistake.message.clone(),
            below => format!(
                "{}: {}",
                below.unwrap_or(&mistake.path).display(),
                mistake.message
            ),
        };
        ellipsized(&message, LONGEST_MESSAGE)
    };
    let Mistakes(each) = mistakes;
    let first = each.first().map(shown).unwrap_or_default();
    let more = if each.len() > 1 {
        format!(", and {} more", each.len() - 1)
    } else {
        String::new()
    };
    let mut output = String::new();
    for mistake in each.iter().take(MOST_LISTED) {
        let hint = mistake
            .remedy
            .as_ref()
            .map(|remedy| format!("hint: {remedy}\n"))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(output, "{}\n{hint}", shown(mistake));
    }
    if each.len() > MOST_LISTED {
        let _ = writeln!(output, "and {} more", each.len() - MOST_LISTED);
    }
    PlannedRefusal {
        reason: format!("{first}{more}").into(),
        output: output.into(),
    }
}

// The mistake for a source in no known language.

/// The mistake for a file that is neither in a known language nor executable.
pub(crate) fn unknown_language(config: &Config, path: &Path) -> Mistake {
    let known: Vec<_> = config
        .languages()
        .flat_map(|language| &language.extensions)
        .collect();
    let remedy = meant_name(config, path, &known).map_or_else(
        || {
            let known = known.iter().map(|ending| format!(".{ending}")).joined(" ");
            format!(
                "known endings: {known}; add one in judge.toml, or make it executable with `chmod \
                 +x`"
            )
        },
        |meant| format!("rename it to `{meant}`"),
    );
    Mistake::new(
        path,
        "is of no known language and is not executable",
        remedy,
    )
}

/// The name that a file was probably meant to have: without a further ending after that
/// of its language, or with an ending that is spelt right.
fn meant_name(config: &Config, path: &Path, known: &[&String]) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    if config.language_of(Path::new(stem)).is_some() {
        return Some(stem.to_owned());
    }
    let ending = path.extension()?.to_str()?.to_lowercase();
    // Any two short endings are alike.
    let candidates = known.iter().map(|known| known.as_str()).filter(|known| {
        known.len() > 2 && (known.len() == ending.len() || known.starts_with(&ending))
    });
    let meant = nearest(&ending, candidates).filter(|_| ending.len() > 2)?;
    Some(format!("{stem}.{meant}"))
}

fn is_executable(found: &Metadata) -> bool {
    found.permissions().mode() & 0o111 != 0
}

/// The mistakes of a problem's examples, and those of its other files that are in no
/// known language. No plan entry is made of examples with mistakes, so nothing else
/// would report these files.
pub(crate) fn with_unknown_languages(
    found: &ProblemFolder,
    Mistakes(mut mistakes): Mistakes,
) -> Mistakes {
    if found.is_package() {
        return Mistakes(mistakes);
    }
    let (files, _) =
        spec::submission_files(&found.place.join("submissions"), &found.config);
    for path in files {
        let is_known = found.language_of(&path).is_some();
        let is_told = mistakes.iter().any(|mistake| mistake.path == path);
        if !is_known && !is_told && !path.metadata().as_ref().is_ok_and(is_executable) {
            mistakes.push(unknown_language(&found.config, &path));
        }
    }
    Mistakes(mistakes)
}
