//! Reads what DOMjudge has beside the files of Kattis: `domjudge-problem.ini` and
//! `.timelimit`, `submissions.json`, and what sources say of their verdicts. Start at
//! [`add_domjudge`].

pub(super) mod ini;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::keys::decimal;
use crate::mistake::{KeySyntax, Mistake, meant_key, quoted};
use crate::model::{Expected, PointValue, SourceFile, Verdict};
use crate::package::domjudge::ini::IniSetting;
use crate::package::limits::seconds_to_duration;
use crate::package::{
    DOMJUDGE_INI, PackageFormat, PackageMetadata, PackageTree, blank_separated,
};
use crate::text::JoinedTexts;
use crate::{files, mistake};

use Verdict::{
    Accepted, CompileError, IdleLimit, MemoryLimit, OutputLimit, RuntimeError,
    Skipped, TimeLimit, WrongAnswer,
};

/// The file that holds a time limit and nothing else. It is hidden, so that other tools
/// ignore it.
pub(crate) const TIME_LIMIT_FILE: &str = ".timelimit";

/// The statements that DOMjudge also takes at the root, the first of which counts.
pub(crate) const STATEMENTS_AT_ROOT: [&str; 3] =
    ["problem.pdf", "problem.html", "problem.txt"];

/// The largest `.timelimit` that is read, in bytes.
const MOST_BYTES: u64 = 1 << 10;

/// Keys about the use of the problem in a contest, which do not concern judging.
const OF_CONTESTS: [&str; 7] = [
    "externalid",
    "allow_submit",
    "allow_judge",
    "points",
    "color",
    "short-name",
    "probid",
];

/// Keys that concern judging.
const OF_PROBLEMS: [&str; 5] = [
    "name",
    "timelimit",
    "special_run",
    "special_compare",
    "special_compare_args",
];

/// Adds what these files say to the metadata, unless the user wants another format than
/// DOMjudge's. A time limit in `problem.yaml` takes precedence over one in the ini
/// file; that in `.timelimit` must agree with them.
pub(super) fn add_domjudge(
    metadata: &mut PackageMetadata,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
) {
    if wanted.is_some_and(|wanted| wanted != PackageFormat::DomJudge) {
        metadata.has_overridden_format |= is_meant(tree, None);
        for name in [DOMJUDGE_INI, FILE, TIME_LIMIT_FILE] {
            if tree.root.join(name).symlink_metadata().is_ok() {
                metadata.has_overridden_format = true;
                let format = metadata.format.name();
                tree.ignore(format!(
                    "`{name}`, since the package is read as `{format}`"
                ));
            }
        }
        return;
    }
    if let Some(path) = tree.file(DOMJUDGE_INI)
        && let Some(text) = tree.ok_or_note(mistake::read_text(path))
    {
        add_settings(metadata, path, &text, tree);
    }
    let path = tree.root.join(TIME_LIMIT_FILE);
    if path.symlink_metadata().is_ok() {
        add_time_limit(metadata, &path, tree);
    }
}

/// Whether a package is to be read as DOMjudge reads it: the user wants this format, or
/// no other, and it has what only DOMjudge reads.
pub(super) fn is_meant(tree: &PackageTree, wanted: Option<PackageFormat>) -> bool {
    wanted == Some(PackageFormat::DomJudge)
        || wanted.is_none()
            && ([DOMJUDGE_INI, FILE]
                .iter()
                .any(|name| tree.file(name).is_some())
                || tree
                    .below("submissions")
                    .any(|(_, path)| matches!(tagged(path, SCORE_WORD), Ok(Some(_)))))
}

/// Adds the settings of the ini file.
fn add_settings(
    metadata: &mut PackageMetadata,
    path: &Path,
    text: &str,
    tree: &PackageTree,
) {
    let settings = match ini::parse_ini(text) {
        Ok(settings) => settings,
        Err(error) => {
            let message = format!(
                "DOMjudge reads nothing of this file, since PHP refuses it: {}",
                error.message
            );
            let remedy = "put the value in double quotes, or delete the line";
            tree.slip(Mistake::new(path, message, remedy).on_line(error.line));
            return;
        }
    };
    let mut last = BTreeMap::new();
    for setting in settings {
        let line = setting.line;
        if let Some(before) = last.insert(setting.key.clone(), setting) {
            tree.deviation(format!(
                "{DOMJUDGE_INI}:{line}: the key {} is on line {} already, and the one here counts",
                quoted(&before.key),
                before.line
            ));
        }
    }
    let mut settings: Vec<_> = last.into_values().collect();
    settings.sort_by_key(|setting| setting.line);
    for setting in settings {
        add_setting(metadata, path, setting, tree);
    }
}

/// Whether a program of the package takes the place of the one that DOMjudge has under
/// the name in this key: one that interacts also judges. DOMjudge writes the key when it
/// exports a problem.
///
/// Source: DOMjudge, `ImportProblemService::searchAndAddValidator`.
fn is_replaced(key: &str, metadata: &PackageMetadata) -> bool {
    let is_there = !metadata.checkers.is_empty();
    is_there && (metadata.is_interactive || key == "special_compare")
}

fn add_setting(
    metadata: &mut PackageMetadata,
    path: &Path,
    setting: IniSetting,
    tree: &PackageTree,
) {
    let IniSetting { key, value, line } = setting;
    let refuse_time = |why: String| {
        let message = format!("`timelimit` {why}");
        let remedy = "write it as `timelimit = 1.5`";
        tree.mistake(Mistake::new(path, message, remedy).on_line(line));
    };
    // DOMjudge takes an empty value as none.
    let value = match value {
        Some(value) if value.is_empty() => return,
        Some(value) => value,
        None if key == "timelimit" => {
            return refuse_time("is a list, or depends on the server".to_owned());
        }
        None => return,
    };
    match key.as_str() {
        "name" => {
            metadata.name.get_or_insert(value);
        }
        "timelimit" => {
            match decimal(value.trim_ascii()).and_then(seconds_to_duration) {
                Some(time) => {
                    metadata.limits.time.get_or_insert(time);
                }
                None => {
                    refuse_time(format!("must be seconds, found {}", quoted(&value)))
                }
            }
        }
        "special_run" | "special_compare" if is_replaced(&key, metadata) => {}
        "special_run" => {
            tree.need_at(path, Some(line), "a run program of its own (`special_run`)")
        }
        "special_compare" => {
            let what = "a program that checks outputs (`special_compare`)";
            tree.need_at(path, Some(line), what);
        }
        "special_compare_args" => {
            metadata.validator_flags.extend(blank_separated(&value));
        }
        key if OF_CONTESTS.contains(&key) => {}
        key => match meant_key(key, &OF_PROBLEMS, KeySyntax::Ini) {
            Some(remedy) => {
                let message = format!("unknown key {}", quoted(key));
                tree.slip(Mistake::new(path, message, remedy).on_line(line));
            }
            None => {
                tree.ignore(format!("the key {} in `{DOMJUDGE_INI}`", quoted(key)));
            }
        },
    }
}

fn add_time_limit(metadata: &mut PackageMetadata, path: &Path, tree: &PackageTree) {
    if path.exists() && !files::is_beneath(&tree.root, path) {
        tree.refuse(
            path,
            "is a link that leads out of the package",
            "put the file itself in its place",
        );
        return;
    }
    let read = files::read_bounded(path, MOST_BYTES)
        .map_err(|refused| Mistake::refused(path, &refused));
    let Some(bytes) = tree.ok_or_note(read) else {
        return;
    };
    let mistake = |message: String, remedy: &str| {
        tree.mistake(Mistake::new(path, message, remedy).on_line(1));
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = tree.without_mark(path, &text);
    let Some(time) = decimal(text.trim()).and_then(seconds_to_duration) else {
        let found = quoted(text.trim());
        return mistake(
            format!("must hold seconds and nothing else, found {found}"),
            "write a number, for example `1.5`",
        );
    };
    let given = *metadata.limits.time.get_or_insert(time);
    if given != time {
        mistake(
            format!(
                "says {} s, but the package {} s",
                time.as_secs_f64(),
                given.as_secs_f64()
            ),
            "make them the same, or delete one",
        );
    }
}

// Reads DOMjudge's `submissions.json`: the language of a submission, and the file or
// class that it starts in. Start at [`SubmissionDetails::read`].

/// The name of the file, at the root of the package.
const FILE: &str = "submissions.json";

/// The largest file that is read, in bytes.
const MOST_DETAIL_BYTES: u64 = 1 << 20;

/// DOMjudge's ids of languages, and their codes in package formats.
const IDS: &str = "\
adb ada
bash bash
c c
cpp cpp
csharp csharp
f95 fortran
go go
hs haskell
java java
js javascript
kt kotlin
lua lua
ocaml ocaml
pas pascal
pl perl
py2 python2
py3 python3
rb ruby
rs rust
scala scala";

/// What the file says of submissions, by their names relative to `submissions`.
#[derive(Debug, Default)]
pub(crate) struct SubmissionDetails(BTreeMap<String, Value>);

impl SubmissionDetails {
    /// Reads the file of a package for DOMjudge, if there is one. Like there, whatever
    /// is not as expected says nothing.
    pub(crate) fn read(tree: &PackageTree, metadata: &PackageMetadata) -> Self {
        let Some(path) = tree.file(FILE).filter(|_| metadata.is_for_domjudge) else {
            return Self::default();
        };
        let bytes = files::read_bounded(path, MOST_DETAIL_BYTES).unwrap_or_default();
        let Ok(found) = serde_json::from_slice::<Value>(&bytes) else {
            tree.ignore(format!("`{FILE}`, which is not JSON of 1 MiB or less"));
            return Self::default();
        };
        let entries = found.as_object().into_iter().flatten();
        let named = entries.map(|(name, detail)| {
            let name = name.trim_start_matches("submissions/");
            (name.trim_end_matches('/').to_owned(), detail.clone())
        });
        Self(named.collect())
    }

    /// What the file says of a submission under a key. Its other keys are about the
    /// contest.
    fn text(&self, name: &str, key: &str) -> Option<&str> {
        let text = self.0.get(name)?.get(key)?.as_str()?;
        Some(text).filter(|text| !text.is_empty())
    }

    /// Which of its files a submission starts in, if the file names it or its class: as
    /// `Main`, `team.Main`, or `MainKt`.
    pub(crate) fn entry_point(
        &self,
        name: &str,
        files: &[SourceFile],
    ) -> Option<String> {
        let named = self.text(name, "entry_point")?;
        let class = named.rsplit('.').next().unwrap_or(named);
        files
            .iter()
            .find(|file| {
                let stem = Path::new(&file.name)
                    .file_stem()
                    .and_then(|stem| stem.to_str());
                file.name == named
                    || stem == Some(class)
                    || stem.is_some() && stem == class.strip_suffix("Kt")
            })
            .map(|file| file.name.clone())
    }

    /// The code of the language of a submission, if the file names one of DOMjudge's.
    /// Administrators add others, whose ids say nothing.
    pub(crate) fn language(&self, name: &str) -> Option<String> {
        let id = self.text(name, "langid")?;
        let mut rows = IDS.lines().filter_map(|row| row.split_once(' '));
        rows.find(|row| row.0 == id).map(|row| row.1.to_owned())
    }
}

// Reads DOMjudge's `@EXPECTED_RESULTS@` and `@EXPECTED_SCORE@` in sources, and
// translates the verdict names of other judges. Searches sources for these tags only.

/// The tag in a source that precedes expected verdicts.
pub(crate) const WORD: &str = "@EXPECTED_RESULTS@:";

/// The tag in a source that precedes expected points.
const SCORE_WORD: &str = "@EXPECTED_SCORE@:";

/// The part of a source that is searched for a tag, in bytes from its start.
const MOST_SOURCE: u64 = 1 << 20;

/// Returns the verdicts after the tag in a source, and its line.
///
/// # Errors
/// Returns a mistake if the source cannot be read, a word is not a verdict, or the tag
/// occurs twice.
pub(crate) fn of_source(path: &Path) -> Result<Option<(u64, Expected)>, Mistake> {
    let Some((line, words)) = verdict_words(path)? else {
        return Ok(None);
    };
    let mut verdicts = vec![];
    for word in words.split(',').map(str::trim) {
        let known = verdicts_of(word).ok_or_else(|| {
            // Those words that DOMjudge knows too.
            let words = WORDS
                .iter()
                .map(|row| row.0)
                .filter(|word| !word.contains('_') && *word != "ACCEPTED");
            let message = format!("{} is not a verdict", quoted(word));
            let remedy = format!("use {}", words.joined(", "));
            Mistake::new(path, message, remedy).on_line(line)
        })?;
        verdicts.extend(known);
    }
    Ok(Some((line, Expected::one_of(verdicts))))
}

/// The first of our own verdict codes after the tag in a source, which DOMjudge does
/// not know, if there is one.
pub(crate) fn own_code(path: &Path) -> Option<String> {
    let (_, words) = verdict_words(path).ok()??;
    words
        .split(',')
        .map(str::trim)
        .find(|word| !WORDS.iter().any(|row| row.0.eq_ignore_ascii_case(word)))
        .map(str::to_owned)
}

/// Returns the line of the tag in a source that precedes verdicts, and the words after
/// it. Either tag may.
///
/// Source: DOMjudge, `SubmissionService::parseExpectedAnnotation`.
fn verdict_words(path: &Path) -> Result<Option<(u64, String)>, Mistake> {
    let results = tagged(path, WORD)?;
    let other = tagged(path, SCORE_WORD)?.filter(|(_, text)| points(text).is_none());
    match (results, other) {
        (Some((before, _)), Some((line, _))) => Err(Mistake::new(
            path,
            format!("the verdict is on line {before} already, after `{WORD}`"),
            "delete one of the two",
        )
        .on_line(line)),
        (results, other) => Ok(results.or(other)),
    }
}

fn points(text: &str) -> Option<PointValue> {
    text.parse().ok().and_then(PointValue::new)
}

/// Returns the points after the tag in a source; `None` if verdicts are there.
///
/// # Errors
/// Returns a mistake if the source cannot be read, the value is neither a number nor a
/// list of verdicts, or the tag occurs twice.
pub(crate) fn score_of_source(path: &Path) -> Result<Option<PointValue>, Mistake> {
    let Some((line, text)) = tagged(path, SCORE_WORD)? else {
        return Ok(None);
    };
    let points = points(&text);
    let mut words = text.split(',').map(str::trim);
    if points.is_none() && !words.all(|word| verdicts_of(word).is_some()) {
        let message = format!("{} is not a number of points", quoted(&text));
        let remedy =
            format!("write it in decimals, for example `{SCORE_WORD} 74.42`");
        return Err(Mistake::new(path, message, remedy).on_line(line));
    }
    Ok(points)
}

/// Returns the content of a source that has the tag for points, without the tag's
/// signs.
pub(crate) fn without_points(path: &Path) -> Option<Vec<u8>> {
    tagged(path, SCORE_WORD).ok()??;
    let mut text = files::read_bounded(path, MOST_SOURCE).ok()?;
    let length = SCORE_WORD.len();
    for start in 0..=text.len().saturating_sub(length) {
        let found = &mut text[start..start + length];
        if found.eq_ignore_ascii_case(SCORE_WORD.as_bytes()) {
            [found[0], found[length - 2]] = [b' '; 2];
        }
    }
    Some(text)
}

/// Returns the line of a tag and the text after it, without characters that end a
/// comment.
fn tagged(path: &Path, word: &str) -> Result<Option<(u64, String)>, Mistake> {
    let mut bytes = vec![];
    let source = files::open_file(path).and_then(|file| {
        file.take(MOST_SOURCE)
            .read_to_end(&mut bytes)
            .map_err(files::FileError::from)
    });
    source.map_err(|refused| Mistake::refused(path, &refused))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut found = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, after(line, word)?)));
    let Some((line, words)) = found.next() else {
        return Ok(None);
    };
    if let Some((again, _)) = found.next() {
        return Err(Mistake::new(
            path,
            format!("`{word}` appears here and on line {line}"),
            "delete one of the two",
        )
        .on_line(again));
    }
    let plain = words
        .trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric())
        .trim();
    Ok(Some((line, plain.to_owned())))
}

/// The text after a tag in a line. DOMjudge finds it in letters of any case.
fn after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let at = line.to_ascii_uppercase().find(word)?;
    Some(&line[at + word.len()..])
}

/// Our verdicts for a program that other judges call too slow. They let one that prints
/// without end go on until its time is up, where it is stopped at its output limit
/// here.
pub(crate) const TOO_SLOW: [Verdict; 3] = [TimeLimit, IdleLimit, OutputLimit];

/// The names that other judges give to verdicts, of several first that which DOMjudge
/// gives itself. Sources: DOMjudge's `SubmissionService`, Kattis' problem package format.
pub(crate) const WORDS: [(&str, &[Verdict]); 15] = [
    ("CORRECT", &[Accepted]),
    ("ACCEPTED", &[Accepted]),
    ("WRONG-ANSWER", &[WrongAnswer]),
    ("WRONG_ANSWER", &[WrongAnswer]),
    ("NO-OUTPUT", &[WrongAnswer]),
    ("NO_OUTPUT", &[WrongAnswer]),
    ("TIMELIMIT", &TOO_SLOW),
    ("TIME_LIMIT_EXCEEDED", &TOO_SLOW),
    ("RUN-ERROR", &[RuntimeError]),
    ("RUN_TIME_ERROR", &[RuntimeError]),
    ("COMPILER-ERROR", &[CompileError]),
    ("COMPILER_ERROR", &[CompileError]),
    ("OUTPUT-LIMIT", &[OutputLimit]),
    ("OUTPUT_LIMIT", &[OutputLimit]),
    ("MEMORY-LIMIT", &[MemoryLimit]),
];

/// Returns the verdicts that a name of another judge, or one of our codes, stands for.
pub(crate) fn verdicts_of(word: &str) -> Option<Vec<Verdict>> {
    let word = word.to_ascii_uppercase();
    if let Some((_, verdicts)) = WORDS.iter().find(|row| row.0 == word) {
        return Some(verdicts.to_vec());
    }
    let own = word.parse().ok();
    own.filter(|verdict| *verdict != Skipped)
        .map(|verdict| vec![verdict])
}

/// A remedy that lists the known verdicts.
pub(crate) fn known_verdicts() -> String {
    let codes = Verdict::all()
        .filter(|verdict| *verdict != Skipped)
        .map(Verdict::code);
    format!("use {}", codes.joined(", "))
}
