//! Reads what DOMjudge has beside `problem.yaml`: `domjudge-problem.ini` and `.timelimit`. Start at
//! [`add`].

pub(crate) mod domjudge_details;
pub(crate) mod expected_results;
pub(super) mod ini;

use crate::sorted::SortedMap;
use std::path::Path;

use crate::keys::decimal;
use crate::mistake::{KeySyntax, Mistake, meant_key, quoted};
use crate::package::domjudge::ini::{IniSetting, IniValue};
use crate::package::limits::duration;
use crate::package::{DOMJUDGE_INI, PackageFormat, PackageMetadata, PackageTree, ReadingNotes};
use crate::{files, mistake};

/// The file that holds a time limit and nothing else. It is hidden, so that other tools ignore it.
const TIME_LIMIT_FILE: &str = ".timelimit";

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

/// The remedy for a time limit that cannot be read.
const TIME_LIMIT_REMEDY: &str = "write it as `timelimit = 1.5`";

/// Adds what these files say to the metadata, unless the user wants another format than DOMjudge's.
/// A time limit in `problem.yaml` takes precedence over one in the ini file; that in `.timelimit`
/// must agree with them.
pub(super) fn add(
    metadata: &mut PackageMetadata,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
    notes: &mut ReadingNotes,
) {
    let is_wanted = may_be_meant(wanted);
    for name in [DOMJUDGE_INI, TIME_LIMIT_FILE]
        .into_iter()
        .filter(|_| !is_wanted)
    {
        if tree.root.join(name).symlink_metadata().is_ok() {
            metadata.has_overridden_format = true;
            notes.ignore(format!(
                "`{name}`, since the package is read as `{}`",
                metadata.format.name()
            ));
        }
    }
    if !is_wanted {
        return;
    }
    metadata.is_for_domjudge |= is_meant(tree, wanted);
    if let Some(path) = tree.file(DOMJUDGE_INI)
        && let Some(text) = notes.take(mistake::read(path))
    {
        add_settings(metadata, path, &text, notes);
    }
    let path = tree.root.join(TIME_LIMIT_FILE);
    if path.symlink_metadata().is_ok() {
        add_time_limit(metadata, &path, notes);
    }
}

fn may_be_meant(wanted: Option<PackageFormat>) -> bool {
    wanted.is_none_or(|wanted| wanted == PackageFormat::DomJudge)
}

/// Whether a package is to be read as DOMjudge reads it, if the user wants this format, if any.
pub(super) fn is_meant(tree: &PackageTree, wanted: Option<PackageFormat>) -> bool {
    wanted == Some(PackageFormat::DomJudge)
        || may_be_meant(wanted) && tree.file(DOMJUDGE_INI).is_some()
}

/// Adds the settings of the ini file.
fn add_settings(metadata: &mut PackageMetadata, path: &Path, text: &str, notes: &mut ReadingNotes) {
    let settings = match ini::parse(text) {
        Ok(settings) => settings,
        Err(error) => {
            let message = format!(
                "DOMjudge reads nothing of this file, since PHP refuses it: {}",
                error.message
            );
            let mistake = Mistake::of(path, message).on_line(error.line);
            notes.slip(mistake.with_remedy("put the value in double quotes, or delete the line"));
            return;
        }
    };
    let mut last = SortedMap::new();
    for setting in settings {
        let line = setting.line;
        if let Some(IniSetting {
            key, line: before, ..
        }) = last.insert(setting.key.clone(), setting)
        {
            let key = quoted(&key);
            let what = format!(
                "{DOMJUDGE_INI}:{line}: the key {key} is on line {before} already, and the one \
                 here counts"
            );
            notes.deviation(what);
        }
    }
    let mut settings: Vec<_> = last.into_values().collect();
    settings.sort_by_key(|setting| setting.line);
    settings
        .into_iter()
        .for_each(|setting| add_setting(metadata, path, setting, notes));
}

fn add_setting(
    metadata: &mut PackageMetadata,
    path: &Path,
    setting: IniSetting,
    notes: &mut ReadingNotes,
) {
    let IniSetting { key, value, line } = setting;
    let value = match value {
        // DOMjudge takes an empty value as none.
        IniValue::Text(value) if value.is_empty() => return,
        IniValue::Text(value) => value,
        _ if key != "timelimit" => return,
        _ => {
            let message = "`timelimit` is a list, or depends on the server";
            notes.mistake(
                Mistake::of(path, message)
                    .on_line(line)
                    .with_remedy(TIME_LIMIT_REMEDY),
            );
            return;
        }
    };
    match key.as_str() {
        "name" => metadata.name = metadata.name.take().or(Some(value)),
        "timelimit" => match decimal(value.trim_ascii()).and_then(duration) {
            Some(time) => metadata.limits.time = metadata.limits.time.or(Some(time)),
            None => {
                let message = format!("`timelimit` must be seconds, found {}", quoted(&value));
                notes.mistake(
                    Mistake::of(path, message)
                        .on_line(line)
                        .with_remedy(TIME_LIMIT_REMEDY),
                );
            }
        },
        "special_run" => notes.need_on_line(path, line, "a run program of its own (`special_run`)"),
        "special_compare" => {
            notes.need_on_line(
                path,
                line,
                "a program that checks outputs (`special_compare`)",
            );
        }
        "special_compare_args" => {
            metadata
                .validator_flags
                .extend(value.split_whitespace().map(str::to_owned));
        }
        key if OF_CONTESTS.contains(&key) => {}
        key => match meant_key(key, &OF_PROBLEMS, KeySyntax::Ini) {
            Some(remedy) => {
                let mistake =
                    Mistake::of(path, format!("unknown key {}", quoted(key))).on_line(line);
                notes.slip(mistake.with_remedy(remedy));
            }
            None => notes.ignore(format!("the key {} in `{DOMJUDGE_INI}`", quoted(key))),
        },
    }
}

fn add_time_limit(metadata: &mut PackageMetadata, path: &Path, notes: &mut ReadingNotes) {
    if path.exists() && !files::is_beneath(path.parent().unwrap_or(path), path) {
        let mistake = Mistake::of(path, "is a link that leads out of the package");
        notes.mistake(mistake.with_remedy("put the file itself in its place"));
        return;
    }
    let bytes = match files::read(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(refused) => {
            notes.mistake(Mistake::refused(path, &refused));
            return;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = notes.without_mark(path, &text);
    let Some(time) = decimal(text.trim()).and_then(duration) else {
        let message = format!(
            "must hold seconds and nothing else, found {}",
            quoted(text.trim())
        );
        notes.mistake(
            Mistake::of(path, message)
                .on_line(1)
                .with_remedy("write a number, as `1.5`"),
        );
        return;
    };
    let given = *metadata.limits.time.get_or_insert(time);
    if given != time {
        let message = format!(
            "says {} s, but the package {} s",
            time.as_secs_f64(),
            given.as_secs_f64()
        );
        notes.mistake(
            Mistake::of(path, message)
                .on_line(1)
                .with_remedy("make them the same, or delete one"),
        );
    }
}
