//! Adds the submissions, in folders named after their expected verdicts. Sources are
//! exported unchanged, except for a line appended for DOMjudge if it has no folder for
//! the expected verdicts.

use std::collections::BTreeSet;

use crate::export::ExportTarget;
use crate::export::case_arguments::is_name;
use crate::export::export_files::quoted_in_yaml;
use crate::export::material::ExportMaterial;
use crate::model::{Expected, ExpectedScore, Verdict, ending};
use crate::package::{PackageSubmission, SCRIPTS, domjudge, is_among, last_part};
use crate::text::JoinedTexts;

use Verdict::{
    Accepted, CompileError, IdleLimit, MemoryLimit, OutputLimit, PresentationError,
    RuntimeError, TimeLimit, WrongAnswer,
};

/// Adds the submissions, and notes those that cannot be exported. Returns the size of
/// the largest one in bytes.
pub(super) fn add_submissions(material: &ExportMaterial) -> u64 {
    let sizes = material.package.submissions.iter();
    let largest_bytes = sizes.map(|one| add_or_note(material, one)).max();
    note_expectations(material);
    for one in &material.package.left_out {
        note_left_out(material, &one.name, &one.reason);
    }
    note_compile_errors(material);
    add_includes(material);
    largest_bytes.unwrap_or_default()
}

/// Adds a submission and returns its size in bytes, or notes that it is left out.
pub(super) fn add_or_note(
    material: &ExportMaterial,
    submission: &PackageSubmission,
) -> u64 {
    add(material, submission)
        .inspect_err(|reason| note_left_out(material, &submission.name, reason))
        .unwrap_or_default()
}

fn note_left_out(material: &ExportMaterial, name: &str, reason: &str) {
    material.note_loss(format!("submission {name} is left out: {reason}"));
}

/// Notes the expectations of submissions that are not about their verdicts as a whole.
fn note_expectations(material: &ExportMaterial) {
    let for_cases = [
        &material.expectations_for_cases[..],
        &material.names_of_submissions(|one| one.expectations.are_for_some_cases()),
    ]
    .concat();
    material.note_losses(
        "the verdicts that these expect for single cases are left out",
        &for_cases,
    );
    // That a rejected program gets no points is said by its folder, in every format.
    let scored = material.names_of_submissions(|one| {
        let score = one.expected.score();
        score.is_some_and(|score| score != ExpectedScore::Rejected)
    });
    material.note_losses("the points that these expect are left out", &scored);
}

/// Notes the submissions of which any rejection is expected, if the format has none for
/// a program that does not compile.
fn note_compile_errors(material: &ExportMaterial) {
    if material.target != ExportTarget::DomJudge {
        let names = material.names_of_submissions(|one| {
            one.expected.allows(CompileError)
                && one.expected.verdicts() != [CompileError]
        });
        let target = material.target.name();
        let what = format!(
            "here these may also fail to compile, which {target} cannot express"
        );
        material.note_losses(what, &names);
    }
}

/// Adds the files that are compiled with every submission.
fn add_includes(material: &ExportMaterial) {
    let includes = &material.package.includes;
    if includes.is_empty() {
        return;
    }
    if material.target == ExportTarget::DomJudge {
        material.note_loss(
            "`include/` is carried, though DOMjudge compiles submissions without it",
        );
    }
    for (language, included) in includes {
        material.copy_files(&format!("include/{language}"), included);
    }
}

/// Adds a submission, and returns its size in bytes, or why it is left out.
fn add(
    material: &ExportMaterial,
    submission: &PackageSubmission,
) -> Result<u64, String> {
    let comments = || submission.files.iter().map(|file| comment_in(&file.name));
    if !comments().any(|comment| comment.is_some()) {
        return Err("the format has no such language".to_owned());
    }
    if let Some(odd) = submission
        .files
        .iter()
        .map(|file| &file.name)
        .find(|name| !name.split('/').all(is_name))
    {
        return Err(format!("the formats take no such names as `{odd}`"));
    }
    // Whether the judges of the format end a program that only sleeps.
    let sleepers_end = material.problem.task.is_interactive()
        || material.target != ExportTarget::KattisLegacy;
    if !sleepers_end && submission.expected.verdicts() == [IdleLimit] {
        return Err(
            "problemtools would wait for ever for a program that only sleeps"
                .to_owned(),
        );
    }
    let place = SubmissionPlace::choose(&submission.expected, material.target)?;
    if !place.tag.is_empty() {
        if comments().any(|comment| comment == Some("")) {
            return Err(format!(
                "`{}` cannot be written into its language",
                domjudge::WORD
            ));
        }
        if let Some(reason) = unknown_code(submission) {
            return Err(reason);
        }
    }
    let name = name_in(material, place.folder, submission);
    add_files(material, &name, submission, &place);
    let files = submission.files.iter();
    Ok(files
        .map(|file| file.path.metadata().map_or(0, |found| found.len()))
        .sum())
}

/// Says that DOMjudge does not know a code that a submission expects, if there is one.
pub(super) fn unknown_code(submission: &PackageSubmission) -> Option<String> {
    let files = &submission.files;
    let word = files
        .iter()
        .find_map(|file| domjudge::own_code(&file.path))?;
    let tag = domjudge::WORD;
    Some(format!(
        "DOMjudge does not know `{word}`, which is after `{tag}`"
    ))
}

/// The name of a submission, relative to `submissions`: its own in the new folder,
/// unless that is taken.
fn name_in(
    material: &ExportMaterial,
    folder: &str,
    submission: &PackageSubmission,
) -> String {
    let name = submission.name.as_str();
    let (from, own) = name.split_once('/').unwrap_or(("", name));
    let own = own.replace('/', "-");
    let stem = own.rsplit_once('.').map_or(own.as_str(), |(stem, _)| stem);
    // A folder of another name lets the file keep its name, which the language may
    // require.
    let others = (2..).map(|number| format!("{from}-{stem}-{number}"));
    let name = [own.clone(), format!("{from}-{stem}")]
        .into_iter()
        .chain(others)
        .find(|name| !material.has(&format!("submissions/{folder}/{name}")));
    format!("{folder}/{}", name.unwrap_or(own))
}

/// Adds the files of a submission under this name, and a rule for it to
/// `submissions.yaml` if there is anything to say.
fn add_files(
    material: &ExportMaterial,
    name: &str,
    submission: &PackageSubmission,
    place: &SubmissionPlace,
) {
    let is_file = match &submission.files[..] {
        [only] => name.ends_with(&format!("/{}", only.name)),
        _ => false,
    };
    // The expected verdicts are appended to the first source whose language has comments,
    // unless a source has such a line already.
    let mut needs_tag = !place.tag.is_empty()
        && !submission
            .files
            .iter()
            .any(|file| matches!(domjudge::of_source(&file.path), Ok(Some(_))));
    for file in &submission.files {
        let to = if is_file {
            format!("submissions/{name}")
        } else {
            format!("submissions/{name}/{}", file.name)
        };
        let mut tag = String::new();
        if let Some(comment) = comment_in(&file.name).filter(|_| needs_tag) {
            let words = place.tag.join(", ");
            tag = format!("\n{comment} {} {words}\n", domjudge::WORD);
            needs_tag = false;
        }
        // What only DOMjudge reads would make the package one for DOMjudge.
        match domjudge::without_points(&file.path) {
            Some(text) if material.target == ExportTarget::KattisLegacy => {
                material.put(to, text)
            }
            _ => material.copy_with(to, &file.path, tag),
        }
    }
    if material.target.uses_legacy_layout() {
        return;
    }
    let mut keys = vec![];
    for (key, verdicts) in [
        ("permitted", &place.permitted),
        ("required", &place.required),
    ] {
        if !verdicts.is_empty() {
            keys.push(format!("{key}: [{}]", verdicts.join(", ")));
        }
    }
    if let Some(entrypoint) = &submission.entrypoint {
        keys.push(format!("entrypoint: {}", quoted_in_yaml(entrypoint)));
    }
    if submission.is_model {
        keys.push("model_solution: true".to_owned());
    }
    if !keys.is_empty() {
        let rule = format!("{}: {{{}}}\n", quoted_in_yaml(name), keys.join(", "));
        material.append("submissions/submissions.yaml", &rule);
    }
}

// The languages of the formats, by the endings of sources, with their comment signs,
// and those that DOMjudge judges without being told to.

/// The signs that begin a line comment, each with the endings of its languages that all
/// three formats know; the last languages have none. Source: the appendix on languages
/// of the Kattis problem package format.
const COMMENTS: [(&str, &str); 9] = [
    (
        "//",
        "c c++ C cc cpp cs cxx d dart fs go hx java js kt m odin pas php rs scala swift ts zig",
    ),
    // `pl` is Prolog to Kattis and Perl to DOMjudge. Only exports to DOMjudge write
    // comments into sources, so Perl's sign is used.
    ("#", "bash cr ex jl nim pl pm py rb sh"),
    ("--", "ada adb hs lua"),
    ("%", "erl"),
    ("!", "f90"),
    (";", "lisp rkt"),
    ("'", "bas vb"),
    ("*>", "cob"),
    ("", "ml"),
];

/// The sign that begins a line comment in the language of a source; empty if the
/// language has none. `None` if the formats do not know the language.
fn comment_in(name: &str) -> Option<&'static str> {
    COMMENTS
        .iter()
        .find(|row| is_among(ending(name), row.1))
        .map(|row| row.0)
}

/// Endings of the languages that DOMjudge judges unless they are turned off: C, C++,
/// Java and Python 3. Others must be turned on or added there. Source: DOMjudge's
/// `LanguageFixture`.
const ON_IN_DOMJUDGE: [&str; 8] =
    ["c", "c++", "cc", "cpp", "cxx", "java", "py", "py3"];

/// Endings of programs that DOMjudge compiles itself; others need a script. Source:
/// DOMjudge's judgedaemon.
const COMPILED_BY_DOMJUDGE: [&str; 6] = ["C", "c", "cc", "cpp", "java", "py"];

/// Notes the submissions that DOMjudge skips as it is installed, and an output
/// validator that it cannot build.
pub(super) fn note_for_domjudge(material: &ExportMaterial) {
    let mut skipped = BTreeSet::new();
    let mut validator = vec![];
    let files = material.files.borrow();
    for name in files.keys() {
        if let Some(program) = name.strip_prefix("submissions/")
            && comment_in(name)
                .is_some_and(|_| !ON_IN_DOMJUDGE.contains(&ending(name)))
        {
            skipped.insert(program.split('/').take(2).joined("/"));
        }
        if name.starts_with("output_validators/") {
            validator.push(name.as_str());
        }
    }
    let what = "DOMjudge judges C, C++, Java and Python, and other languages only if they are \
                turned on or added there; until then it skips";
    material.note_losses(what, &Vec::from_iter(skipped));
    if !validator.is_empty()
        && !validator.iter().any(|name| {
            SCRIPTS.contains(&last_part(name))
                || COMPILED_BY_DOMJUDGE.contains(&ending(name))
        })
    {
        material.note_loss(format!(
            "DOMjudge cannot build {}: it takes C, C++, Java, Python, or a script `build` or `run`",
            validator.join(", ")
        ));
    }
}

// Decides how an export expresses the expected verdicts of a submission: by a folder
// that all judges of a format know, or by other means.

/// The place of a submission in an export, and what tells its expected verdicts if the
/// folder does not.
#[derive(Default)]
struct SubmissionPlace {
    folder: &'static str,
    /// The words for `@EXPECTED_RESULTS@` in the source.
    tag: Vec<&'static str>,
    /// The permitted and the required verdicts of a rule in `submissions.yaml`.
    permitted: Vec<&'static str>,
    required: Vec<&'static str>,
}

/// The verdicts that Kattis' formats distinguish, the folder of each, which all formats
/// have, and the verdicts that it stands for. DOMjudge distinguishes too much memory from
/// a crash; both together are the runtime error of the other formats.
const KNOWN: [(&str, &str, &[Verdict]); 4] = [
    ("AC", "accepted", &[Accepted]),
    (
        "WA",
        "wrong_answer",
        &[WrongAnswer, PresentationError, OutputLimit],
    ),
    ("TLE", "time_limit_exceeded", &[TimeLimit, IdleLimit]),
    ("RTE", "run_time_error", &[RuntimeError, MemoryLimit]),
];

/// The folders that only 2025-09 has, for one of several verdicts.
const OF_SEVERAL: [(&str, &[&str]); 2] = [
    ("rejected", &["WA", "TLE", "RTE"]),
    ("brute_force", &["TLE", "RTE"]),
];

/// The folder of submissions whose expected verdicts are given elsewhere.
const MIXED: &str = "mixed";

impl SubmissionPlace {
    /// The place of a submission with these expected verdicts.
    ///
    /// # Errors
    /// Returns why the format cannot express them.
    fn choose(expected: &Expected, target: ExportTarget) -> Result<Self, String> {
        let verdicts = &without_implied(expected.verdicts());
        if verdicts.is_empty() {
            return Err("no verdict is expected of it, but points".to_owned());
        }
        if target == ExportTarget::DomJudge {
            return Ok(Self::of_domjudge(verdicts));
        }
        // Beside any rejection, it may be left out with a note. Otherwise another
        // promise would remain.
        let others = verdicts
            .iter()
            .filter(|verdict| **verdict != CompileError)
            .count();
        if verdicts.contains(&CompileError) && others < 2 {
            return Err(
                "the format knows no submissions that do not compile".to_owned()
            );
        }
        // Depending on the judge, a program that prints without end is wrong, too slow
        // or cut off.
        if *verdicts == [OutputLimit] {
            return if target.uses_legacy_layout() {
                Err("the format cannot express too much output".to_owned())
            } else {
                Ok(Self::in_folder("rejected"))
            };
        }
        let letters = letters_of(verdicts);
        let folder = match letters[..] {
            [only] => KNOWN.iter().find(|row| row.0 == only).map(|row| row.1),
            _ if target.uses_legacy_layout() => None,
            _ => OF_SEVERAL
                .iter()
                .find(|row| row.1 == letters)
                .map(|row| row.0),
        };
        match folder {
            Some(folder) => Ok(Self::in_folder(folder)),
            None if target.uses_legacy_layout() => Err(format!(
                "the format has no folder for `{}`",
                letters.join(" or ")
            )),
            None if letters.contains(&"AC") => Ok(Self {
                permitted: letters,
                ..Self::in_folder(MIXED)
            }),
            // Some cases may be accepted, but at least one must have one of these
            // verdicts.
            None => Ok(Self {
                permitted: [&["AC"], &letters[..]].concat(),
                required: letters,
                ..Self::in_folder(MIXED)
            }),
        }
    }

    /// The place of a submission whose folder stands for the expected verdicts.
    fn in_folder(folder: &'static str) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    fn of_domjudge(verdicts: &[Verdict]) -> Self {
        let folder = match verdicts {
            [OutputLimit] => Some("output_limit"),
            [CompileError] => Some("compiler_error"),
            [MemoryLimit] => None,
            _ => KNOWN
                .iter()
                .find(|row| verdicts.iter().all(|verdict| row.2.contains(verdict)))
                .map(|row| row.1),
        };
        if let Some(folder) = folder {
            return Self::in_folder(folder);
        }
        let mut words: Vec<_> = Verdict::all()
            .filter(|verdict| verdicts.contains(verdict))
            .filter_map(word_of)
            .collect();
        // DOMjudge tells no output at all from a wrong one. On a machine that does not
        // measure a program's memory, using too much is a crash.
        if words.contains(&"WRONG-ANSWER") {
            words.push("NO-OUTPUT");
        }
        if words.contains(&"MEMORY-LIMIT") && !words.contains(&"RUN-ERROR") {
            words.push("RUN-ERROR");
        }
        words.dedup();
        Self {
            tag: words,
            ..Self::in_folder(MIXED)
        }
    }
}

/// The verdicts without too much output where a program may be too slow: the judges of
/// these formats say that of one that prints without end, so the promise of the latter
/// contains that of the former.
fn without_implied(verdicts: &[Verdict]) -> Vec<Verdict> {
    let is_slow = verdicts.contains(&TimeLimit) && !verdicts.contains(&WrongAnswer);
    verdicts
        .iter()
        .filter(|verdict| !is_slow || **verdict != OutputLimit)
        .copied()
        .collect()
}

/// The verdicts as Kattis' formats distinguish them, in the order of [`KNOWN`].
fn letters_of(verdicts: &[Verdict]) -> Vec<&'static str> {
    KNOWN
        .iter()
        .filter(|row| row.2.iter().any(|verdict| verdicts.contains(verdict)))
        .map(|row| row.0)
        .collect()
}

/// DOMjudge's word for a verdict, if it has one.
fn word_of(verdict: Verdict) -> Option<&'static str> {
    let verdict = match verdict {
        PresentationError => WrongAnswer,
        IdleLimit => TimeLimit,
        other => other,
    };
    let row = domjudge::WORDS.iter().find(|row| row.1[0] == verdict);
    row.map(|row| row.0)
}
