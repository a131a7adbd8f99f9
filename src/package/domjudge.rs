//! Reads what DOMjudge has beside `problem.yaml`: `domjudge-problem.ini` and `.timelimit`. Start at [`add`].

use std::path::Path;

use crate::files;
use crate::mistake;
use crate::mistake::Mistake;
use crate::mistake::quoted;
use crate::package::format::DOMJUDGE_INI;
use crate::package::format::PackageFormat;
use crate::package::limits::duration;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// The file that holds a time limit and nothing else. It is hidden, so that other tools ignore it.
const TIME_LIMIT_FILE: &str = ".timelimit";

/// The largest `.timelimit` that is read, in bytes.
const MOST_BYTES: u64 = 1 << 10;

/// Keys about the use of the problem in a contest, which do not concern judging.
const OF_CONTESTS: [&str; 7] =
    ["externalid", "allow_submit", "allow_judge", "points", "color", "short-name", "probid"];

/// Adds what these files say to the metadata, unless the user wants another format than DOMjudge's. A time
/// limit in `problem.yaml` takes precedence over one in the ini file; that in `.timelimit` must agree with
/// them.
pub(super) fn add(
    metadata: &mut PackageMetadata,
    tree: &PackageTree,
    wanted: Option<PackageFormat>,
    notes: &mut ReadingNotes,
) {
    let is_wanted = may_be_meant(wanted);
    for name in [DOMJUDGE_INI, TIME_LIMIT_FILE].into_iter().filter(|_| !is_wanted) {
        if tree.root.join(name).symlink_metadata().is_ok() {
            metadata.has_overridden_format = true;
            notes.ignore(format!("`{name}`, since the package is read as `{}`", metadata.format.name()));
        }
    }
    if !is_wanted {
        return;
    }
    metadata.is_for_domjudge |= is_meant(tree, wanted);
    if let Some(path) = tree.file(DOMJUDGE_INI)
        && let Some(text) = notes.take(mistake::read(path))
    {
        let text = notes.without_mark(path, &text);
        for (line, number) in text.lines().zip(1..) {
            add_line(metadata, path, line.trim(), number, notes);
        }
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
    wanted == Some(PackageFormat::DomJudge) || may_be_meant(wanted) && tree.file(DOMJUDGE_INI).is_some()
}

/// Adds the setting on a line of the ini file.
fn add_line(metadata: &mut PackageMetadata, path: &Path, line: &str, number: u64, notes: &mut ReadingNotes) {
    if line.is_empty() || line.starts_with([';', '#', '[']) {
        return;
    }
    let Some((key, value)) = line.split_once('=').map(|(key, value)| (key.trim(), value_of(value.trim())))
    else {
        let mistake = Mistake::of(path, format!("{} is not `key = value`", quoted(line)));
        notes.mistakes.push(mistake.on_line(number).with_remedy("write it so, or delete it"));
        return;
    };
    match key {
        // DOMjudge takes an empty value as none.
        _ if value.is_empty() => {}
        "name" => metadata.name = metadata.name.take().or(Some(value.to_owned())),
        "timelimit" => match value.parse().ok().and_then(duration) {
            Some(time) => metadata.limits.time = metadata.limits.time.or(Some(time)),
            None => {
                let mistake =
                    Mistake::of(path, format!("`timelimit` must be seconds, found {}", quoted(value)));
                notes.mistakes.push(mistake.on_line(number).with_remedy("write it as `timelimit = 1.5`"));
            }
        },
        "special_run" => notes.need_on_line(path, number, "a run program of its own (`special_run`)"),
        "special_compare" => {
            notes.need_on_line(path, number, "a program that checks outputs (`special_compare`)");
        }
        "special_compare_args" => {
            metadata.validator_flags.extend(value.split_whitespace().map(str::to_owned));
        }
        key if OF_CONTESTS.contains(&key) => {}
        key => notes.ignore(format!("the key {} in `{DOMJUDGE_INI}`", quoted(key))),
    }
}

fn add_time_limit(metadata: &mut PackageMetadata, path: &Path, notes: &mut ReadingNotes) {
    if path.exists() && !files::is_beneath(path.parent().unwrap_or(path), path) {
        let mistake = Mistake::of(path, "is a link that leads out of the package");
        notes.mistakes.push(mistake.with_remedy("put the file itself in its place"));
        return;
    }
    let bytes = match files::read(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(refused) => {
            notes.mistakes.push(Mistake::refused(path, &refused));
            return;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = notes.without_mark(path, &text);
    let Some(time) = text.trim().parse().ok().and_then(duration) else {
        let message = format!("must hold seconds and nothing else, found {}", quoted(text.trim()));
        notes.mistakes.push(Mistake::of(path, message).on_line(1).with_remedy("write a number, as `1.5`"));
        return;
    };
    let given = *metadata.limits.time.get_or_insert(time);
    if given != time {
        let message = format!("says {} s, but the package {} s", time.as_secs_f64(), given.as_secs_f64());
        notes
            .mistakes
            .push(Mistake::of(path, message).on_line(1).with_remedy("make them the same, or delete one"));
    }
}

/// A value without the quotes around it, or without the comment after it, as PHP's `parse_ini_string` reads it.
fn value_of(text: &str) -> &str {
    let inner =
        |quote| text.strip_prefix(quote).and_then(|rest| rest.split_once(quote)).map(|(inner, _)| inner);
    let plain = || text.split_once(';').map_or(text, |(value, _)| value.trim_end());
    inner('"').or_else(|| inner('\'')).unwrap_or_else(plain)
}
