//! Makes the plan entry of a submission: its sources or answers, language and cases, or
//! the reason why it is refused. A refusal only affects the submission itself, unless
//! it is one of the problem's own: those must be right.

use std::path::Path;
use std::sync::Arc;

use gridjudge_sandbox::Fault;

use crate::compile::{PrepareFailure, SubmissionRefusal};
use crate::files::{self, FileError};
use crate::mistake::{ellipsized, nearest};
use crate::model::{
    AdditionalSources, Case, CaseExpectations, Entrant, Language, Problem,
    Submission, SubmittedAnswers, UnusableLanguage,
};
use crate::run::{JudgingPrograms, PlanEntry, PlannedAnswers, ReadyAnswers};
use crate::spec::{
    self, Config, Mistake, Mistakes, ProblemFolder, ReadFailure, UnpackedAnswers,
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
        let problem = &self.problem;
        let programs = &self.programs;
        problem.task.program().is_some() && programs.checker.is_none()
            || problem.scoring.grader.is_some() && programs.grader.is_none()
            || problem.static_validator().is_some()
                && programs.static_validator.is_none()
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
    let ProblemCases {
        found,
        problem,
        cases,
        programs,
    } = subject.clone();
    let path = submission.path.clone();
    let is_own = submission.expected.is_some();
    let mut entry = PlanEntry {
        problem,
        cases,
        shown_path: found.shown_path(&path),
        submission,
        additional_sources: AdditionalSources::default(),
        language: None,
        language_refusal: None,
        answers: None,
        refusal: None,
        expectations,
        entrant,
        programs,
    };
    let mistakes = if found.submissions_are_answers() {
        let (answers, mistakes) = match answers(&found, &path, &entry) {
            Ok(answers) => (answers, None),
            Err(ReadFailure::Unreadable(mistakes)) => return Err(mistakes),
            Err(ReadFailure::Refused(mistakes)) => {
                let none: PlannedAnswers =
                    Arc::new(|| Ok(ReadyAnswers::new(SubmittedAnswers::new(), ())));
                (none, Some(mistakes))
            }
        };
        entry.answers = Some(answers);
        mistakes
    } else {
        let language = known_language(&found, &path)?;
        entry.additional_sources = found.further_sources(&path, language.as_deref());
        entry.language = language;
        refuse_language(&found, &mut entry);
        if entry.refusal.is_some() {
            return Ok(entry);
        }
        too_large(&found, &entry, &path).map(Mistakes::from)
    };
    match mistakes {
        Some(mistakes) if is_own => Err(mistakes),
        mistakes => {
            entry.refusal = mistakes.map(|mistakes| refusal(&path, &mistakes));
            Ok(entry)
        }
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
) -> Result<PlannedAnswers, ReadFailure> {
    let is_packed = spec::is_packed(path);
    let read = if is_packed && entry.entrant.is_some() {
        None
    } else {
        Some(found.submitted_answers(path, &entry.cases)?)
    };
    let read = read.filter(|_| !is_packed);
    let path = path.to_owned();
    let real = entry.submission.real.clone();
    let cases = Arc::clone(&entry.cases);
    let refused = |path: &Path, mistakes: &Mistakes| {
        PrepareFailure::Refused(refusal(path, mistakes))
    };
    Ok(Arc::new(move || {
        if let Some(read) = &read {
            // A file with an answer may have become a link since it was found, or had
            // when it was read.
            let mut named =
                cases.iter().filter_map(|case| read.answers.get(&case.name));
            if let Some(real) = &real
                && (named.any(|file| !file.starts_with(real))
                    || matches!(files::open_real(real), Err(FileError::Link)))
            {
                let mistakes = Mistake::refused(&path, &FileError::Link).into();
                return Err(refused(&path, &mistakes));
            }
            return Ok(ReadyAnswers::new(read.answers.clone(), ()));
        }
        match spec::unpack_answers(&path, real.as_deref(), &cases) {
            Ok(UnpackedAnswers { answers, folder }) => {
                Ok(ReadyAnswers::new(answers, folder))
            }
            Err(ReadFailure::Refused(mistakes)) => Err(refused(&path, &mistakes)),
            Err(ReadFailure::Unreadable(mistakes)) => {
                let remedies =
                    mistakes.0.iter().map(|mistake| mistake.remedy.clone());
                Err(PrepareFailure::Faulted(Fault {
                    remedy: remedies.flatten().next(),
                    ..Fault::because("reading the answers", mistakes.to_string())
                }))
            }
        }
    }))
}

/// Adds the refusal of a submission whose language the problem does not accept, or of
/// an executable if the problem judges sources. A contest entry is refused, since its
/// author knew the rules; any other submission is skipped.
fn refuse_language(found: &ProblemFolder, entry: &mut PlanEntry) {
    let refusal = match entry.language.as_deref() {
        Some(language) => found.language_refusal(language),
        None => entry.judges_source().then(|| UnusableLanguage {
            cause: "the package judges sources, and this is an executable".to_owned(),
            remedy: "name its source".to_owned(),
            package: None,
        }),
    };
    match refusal {
        Some(UnusableLanguage { cause, remedy, .. }) if entry.entrant.is_some() => {
            entry.refusal = Some(SubmissionRefusal {
                output: format!("{cause}\nhint: {remedy}\n").into(),
                reason: cause.into(),
            });
        }
        refusal => entry.language_refusal = refusal,
    }
}

/// The mistake if a source is longer than the problem allows. Executables have no
/// limit: they are many times as large as their sources.
fn too_large(
    found: &ProblemFolder,
    entry: &PlanEntry,
    path: &Path,
) -> Option<Mistake> {
    entry.language.as_ref()?;
    let bytes = path.metadata().ok()?.len();
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
fn refusal(path: &Path, mistakes: &Mistakes) -> SubmissionRefusal {
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
    let mut reason = each.first().map(shown).unwrap_or_default();
    if each.len() > 1 {
        reason += &format!(", and {} more", each.len() - 1);
    }
    let mut output = String::new();
    for mistake in each.iter().take(MOST_LISTED) {
        output += &format!("{}\n", shown(mistake));
        if let Some(remedy) = &mistake.remedy {
            output += &format!("hint: {remedy}\n");
        }
    }
    if each.len() > MOST_LISTED {
        output += &format!("and {} more\n", each.len() - MOST_LISTED);
    }
    SubmissionRefusal {
        reason: reason.into(),
        output: output.into(),
    }
}

// The mistake for a source in no known language.

/// The language of a program; `None` for an executable in none.
///
/// # Errors
/// If it is neither in a known language nor executable.
pub(crate) fn known_language(
    found: &ProblemFolder,
    path: &Path,
) -> Result<Option<Arc<Language>>, Mistake> {
    let language = found.language_of(path);
    if language.is_some() || files::is_executable(path) {
        return Ok(language);
    }
    let config = &found.config;
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
    let message = "is of no known language and is not executable";
    Mistake::refuse(path, message, remedy)
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
        if !mistakes.iter().any(|mistake| mistake.path == path) {
            mistakes.extend(known_language(found, &path).err());
        }
    }
    Mistakes(mistakes)
}
