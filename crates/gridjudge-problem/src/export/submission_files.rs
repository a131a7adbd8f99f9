//! Adds the submissions, in folders named after their expected verdicts. Sources are
//! exported unchanged, except for a line appended for DOMjudge if it has no folder for
//! the expected verdicts.

use std::fmt::Write;

use crate::export::case_arguments::is_name;
use crate::export::export_files::quoted_in_yaml;
use crate::export::material::ExportMaterial;
use crate::export::verbatim::unknown_code;
use crate::export::{ExportTarget, SubmissionPlace};
use crate::model::{ExpectedScore, SourceFile, Verdict, ending};
use crate::package::domjudge;
use crate::package::{PackageSubmission, last_part};
use crate::sorted::SortedSet;
use crate::text::JoinedTexts;

/// Adds the submissions, and notes those that cannot be exported. Returns the size of
/// the largest one in bytes.
pub(super) fn add_submissions(material: &ExportMaterial) -> u64 {
    let sleepers_end = material.problem.task.is_interactive()
        || material.target != ExportTarget::KattisLegacy;
    let mut writer = SubmissionWriter {
        material,
        sleepers_end,
        rules: String::new(),
        largest_bytes: 0,
    };
    for submission in &material.submissions {
        if let Err(reason) = writer.add(submission) {
            material.note_loss(format!(
                "submission {} is left out: {reason}",
                submission.name
            ));
        }
    }
    let SubmissionWriter {
        rules,
        largest_bytes,
        ..
    } = writer;
    if !rules.is_empty() {
        material.put("submissions/submissions.yaml", rules);
    }
    note_expectations(material);
    for one in material
        .package
        .iter()
        .flat_map(|package| &package.left_out)
    {
        material.note_loss(format!(
            "submission {} is left out: {}",
            one.name, one.reason
        ));
    }
    note_compile_errors(material);
    add_includes(material);
    largest_bytes
}

/// Notes the expectations of submissions that are not about their verdicts as a whole.
fn note_expectations(material: &ExportMaterial) {
    let named = |is_meant: &dyn Fn(&PackageSubmission) -> bool| {
        material
            .submissions
            .iter()
            .filter(|one| is_meant(one))
            .map(|one| one.name.clone())
            .collect::<Vec<_>>()
    };
    let for_cases = [
        &material.expectations_for_cases[..],
        &named(&|one| one.expectations.are_for_some_cases()),
    ]
    .concat();
    material.note_losses(
        "the verdicts that these expect for single cases are left out",
        &for_cases,
    );
    // That a rejected program gets no points is said by its folder, in every format.
    let scored = named(&|one| {
        one.expected
            .score()
            .is_some_and(|score| score != ExpectedScore::Rejected)
    });
    material.note_losses("the points that these expect are left out", &scored);
}

/// Notes the submissions of which any rejection is expected, if the format has none for
/// a program that does not compile.
fn note_compile_errors(material: &ExportMaterial) {
    let names: Vec<_> = material
        .submissions
        .iter()
        .filter(|one| {
            one.expected.allows(Verdict::CompileError)
                && one.expected.verdicts() != [Verdict::CompileError]
        })
        .map(|one| one.name.as_str())
        .collect();
    if material.target != ExportTarget::DomJudge {
        let target = material.target.name();
        let what = format!(
            "here these may also fail to compile, which {target} cannot express"
        );
        material.note_losses(what, &names);
    }
}

/// Adds the files that are compiled with every submission.
fn add_includes(material: &ExportMaterial) {
    if material.target == ExportTarget::DomJudge
        && material
            .package
            .iter()
            .any(|package| !package.includes.is_empty())
    {
        material.note_loss(
            "`include/` is carried, though DOMjudge compiles submissions without it",
        );
    }
    for (language, included) in material
        .package
        .iter()
        .flat_map(|package| &package.includes)
    {
        for file in included {
            material.copy(format!("include/{language}/{}", file.name), &file.path)
        }
    }
}

struct SubmissionWriter<'a> {
    material: &'a ExportMaterial,
    /// Whether the judges of the format end a program that only sleeps.
    sleepers_end: bool,
    /// The lines of `submissions.yaml`.
    rules: String,
    /// The size of the largest submission in bytes.
    largest_bytes: u64,
}

impl SubmissionWriter<'_> {
    /// Adds a submission, or returns why it is left out.
    fn add(&mut self, submission: &PackageSubmission) -> Result<(), String> {
        let known = submission
            .files
            .iter()
            .any(|file| comment_in(&file.name).is_some());
        if !known {
            return Err("the format has no such language".to_owned());
        }
        if let Some(odd) = submission
            .files
            .iter()
            .find(|file| !file.name.split('/').all(is_name))
            .map(|file| &file.name)
        {
            return Err(format!("the formats take no such names as `{odd}`"));
        }
        if !self.sleepers_end && submission.expected.verdicts() == [Verdict::IdleLimit]
        {
            return Err(
                "problemtools would wait for ever for a program that only sleeps"
                    .to_owned(),
            );
        }
        let place =
            SubmissionPlace::choose(&submission.expected, self.material.target)?;
        let is_tagged = !place.tag.is_empty();
        if is_tagged
            && submission
                .files
                .iter()
                .any(|file| comment_in(&file.name) == Some(""))
        {
            return Err(format!(
                "`{}` cannot be written into its language",
                domjudge::WORD
            ));
        }
        if is_tagged && let Some(reason) = unknown_code(submission) {
            return Err(reason);
        }
        let name = self.name_in(place.folder, submission);
        self.add_files(&format!("submissions/{name}"), submission, &place);
        self.add_rule(&name, submission, &place);
        Ok(())
    }

    /// The name of a submission, relative to `submissions`: its own in the new folder,
    /// unless that is taken.
    fn name_in(&self, folder: &str, submission: &PackageSubmission) -> String {
        let (from, own) = submission
            .name
            .split_once('/')
            .unwrap_or(("", &submission.name));
        let own = own.replace('/', "-");
        let stem = own.rsplit_once('.').map_or(own.as_str(), |(stem, _)| stem);
        // A folder of another name lets the file keep its name, which the language may
        // require.
        let mut names = std::iter::once(own.clone())
            .chain(std::iter::once(format!("{from}-{stem}")))
            .chain((2..).map(|number| format!("{from}-{stem}-{number}")));
        let name = names
            .find(|name| !self.material.has(&format!("submissions/{folder}/{name}")))
            .unwrap_or(own);
        format!("{folder}/{name}")
    }

    fn add_files(
        &mut self,
        name: &str,
        submission: &PackageSubmission,
        place: &SubmissionPlace,
    ) {
        let is_file = matches!(&submission.files[..], [one] if name.ends_with(&format!("/{}", one.name)));
        let mut tag = tag_of(submission, place);
        for file in &submission.files {
            let to = if is_file {
                name.to_owned()
            } else {
                format!("{name}/{}", file.name)
            };
            match tag.take_if(|(tagged, _)| *tagged == file) {
                Some((_, tag)) => self.material.copy_with(to, &file.path, tag),
                None => self.material.copy(to, &file.path),
            }
        }
        let bytes = submission
            .files
            .iter()
            .map(|file| file.path.metadata().map_or(0, |found| found.len()));
        self.largest_bytes = self.largest_bytes.max(bytes.sum());
    }

    fn add_rule(
        &mut self,
        name: &str,
        submission: &PackageSubmission,
        place: &SubmissionPlace,
    ) {
        if self.material.target.uses_legacy_layout() {
            return;
        }
        let mut keys = Vec::new();
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
            // Writing to a string cannot fail.
            let _ = writeln!(
                self.rules,
                "{}: {{{}}}",
                quoted_in_yaml(name),
                keys.join(", ")
            );
        }
    }
}

/// The source to append the expected verdicts to, and the line to append. `None` if a
/// source of the submission has such a line already.
fn tag_of<'a>(
    submission: &'a PackageSubmission,
    place: &SubmissionPlace,
) -> Option<(&'a SourceFile, String)> {
    let is_there = submission
        .files
        .iter()
        .any(|file| matches!(domjudge::of_source(&file.path), Ok(Some(_))));
    if place.tag.is_empty() || is_there {
        return None;
    }
    let source = submission
        .files
        .iter()
        .find(|file| comment_in(&file.name).is_some())?;
    let comment = comment_in(&source.name)?;
    Some((
        source,
        format!("\n{comment} {} {}\n", domjudge::WORD, place.tag.join(", ")),
    ))
}

// The languages of the formats, by the endings of sources, with their comment signs,
// and those that DOMjudge judges without being told to.

/// The signs that begin a line comment, each with the endings of its languages that all
/// three formats know; the last languages have none. Source: the appendix on languages
/// of the Kattis problem package format.
const COMMENTS: [(&str, &[&str]); 9] = [
    (
        "//",
        &[
            "c", "c++", "C", "cc", "cpp", "cs", "cxx", "d", "dart", "fs", "go", "hx",
            "java", "js", "kt", "m", "odin", "pas", "php", "rs", "scala", "swift",
            "ts", "zig",
        ],
    ),
    // `pl` is Prolog to Kattis and Perl to DOMjudge. Only exports to DOMjudge write
    // comments into sources, so Perl's sign is used.
    (
        "#",
        &[
            "bash", "cr", "ex", "jl", "nim", "pl", "pm", "py", "rb", "sh",
        ],
    ),
    ("--", &["ada", "adb", "hs", "lua"]),
    ("%", &["erl"]),
    ("!", &["f90"]),
    (";", &["lisp", "rkt"]),
    ("'", &["bas", "vb"]),
    ("*>", &["cob"]),
    ("", &["ml"]),
];

/// The sign that begins a line comment in the language of a source; empty if the
/// language has none. `None` if the formats do not know the language.
fn comment_in(name: &str) -> Option<&'static str> {
    COMMENTS
        .iter()
        .find(|row| row.1.contains(&ending(name)))
        .map(|row| row.0)
}

/// Endings of the languages that DOMjudge judges unless they are turned off: C, C++,
/// Java and Python 3. Others must be turned on or added there. Source: DOMjudge's
/// `LanguageFixture`.
const ON_IN_DOMJUDGE: [&str; 8] = ["c", "c++", "cc", "cpp", "cxx", "java", "py", "py3"];

/// Endings of programs that DOMjudge compiles itself, and the names of the scripts by
/// which others are compiled or run. Source: DOMjudge's judgedaemon.
const COMPILED_BY_DOMJUDGE: [&str; 6] = ["C", "c", "cc", "cpp", "java", "py"];
const SCRIPTS: [&str; 2] = ["build", "run"];

/// Notes the submissions that DOMjudge skips as it is installed, and an output
/// validator that it cannot build.
pub(super) fn note_for_domjudge(material: &ExportMaterial) {
    let mut skipped = SortedSet::new();
    let mut validator = Vec::new();
    let files = material.files.borrow();
    for name in files.keys() {
        if let Some(program) = name.strip_prefix("submissions/")
            && comment_in(name).is_some_and(|_| !ON_IN_DOMJUDGE.contains(&ending(name)))
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
