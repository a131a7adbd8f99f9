//! Copies the files of a submission to the folder in which it is compiled, under names that every compiler
//! accepts, and removes that folder's path from messages.

use std::fs;
use std::fs::File;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::OFlags;

use crate::model::Constants;
use crate::model::HEADER_ENDINGS;
use crate::model::Language;

/// The largest size of a submission in bytes, whether source or executable. Without a bound, a sparse file,
/// which occupies no disk space, would fill the disk that the judge copies it to.
pub const LARGEST_SUBMISSION: u64 = 256 << 20;

/// The most bytes of a source that are searched.
const MOST_READ: usize = 1 << 20;

/// Removes the path of the build folder from the output of a compiler or program: it means nothing to the
/// author, and differs each time.
pub fn without_folder(folder: &Path, written: &[u8]) -> String {
    String::from_utf8_lossy(written).replace(&format!("{}/", text(folder)), "")
}

/// Copies a file, with its permission to be executed, so that all users can read it. Returns `false` if it is
/// too large. The path may lead to a pipe by now, so opening it must not block.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<bool> {
    let source = File::options().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(from)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if found.len() > LARGEST_SUBMISSION {
        return Ok(false);
    }
    let executable = found.permissions().mode() & 0o111 != 0;
    let mut copied = File::create_new(to)?;
    let bytes = io::copy(&mut source.take(LARGEST_SUBMISSION + 1), &mut copied)?;
    copied.set_permissions(Permissions::from_mode(if executable { 0o755 } else { 0o644 }))?;
    Ok(bytes <= LARGEST_SUBMISSION)
}

/// The name under which a program's only source is compiled: the one that its language requires, unless the
/// source contains the text that allows it to keep its own name.
pub(super) fn name_of_only(path: &Path, language: Option<&Language>) -> String {
    let own = file_name(path);
    let Some(wanted) = language.and_then(|language| language.source.clone()) else {
        return with_ending(own, language);
    };
    let Some(pattern) = language.and_then(|language| language.own_name.as_deref()) else { return wanted };
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text[..text.len().min(MOST_READ)]);
    let holds = |name: &str| {
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let words = pattern.replace("{name}", &stem);
        let is_end = |at: usize| !text[at..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
        text.match_indices(&words).any(|(at, _)| is_end(at + words.len()))
    };
    if holds(&own) && !holds(&wanted) { own } else { wanted }
}

/// A name with an ending of the language, which a package may name for a file with any ending.
fn with_ending(own: String, language: Option<&Language>) -> String {
    let endings = language.map_or(&[][..], |language| &language.extensions);
    let has = |ending: &String| own.strip_suffix(ending.as_str()).is_some_and(|stem| stem.ends_with('.'));
    match endings.first() {
        Some(first) if !endings.iter().any(has) => format!("{own}.{first}"),
        _ => own,
    }
}

/// Copies a file of a program to a name below a folder, with its constants filled in. Returns `false` if it
/// is too large.
pub(super) fn copy_below(from: &Path, folder: &Path, name: &str, constants: &Constants) -> io::Result<bool> {
    let to = folder.join(name);
    for above in Path::new(name).ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        let above = folder.join(above);
        fs::create_dir_all(&above)?;
        fs::set_permissions(above, Permissions::from_mode(0o755))?;
    }
    if !copy(from, &to)? {
        return Ok(false);
    }
    if !constants.is_empty() {
        let Some(text) = constants.filled_in(&fs::read(&to)?, LARGEST_SUBMISSION) else { return Ok(false) };
        fs::write(&to, text)?;
    }
    Ok(true)
}

/// The files next to a source that it may include, in the order of their names: headers, and for a Python
/// source its modules. Leaves out links, which may lead to files that do not belong to the problem, and
/// hidden files.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn included_by(source: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = source.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_included = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        path != source
            && (HEADER_ENDINGS.contains(&ending)
                || (ending == "py" && source.extension() == path.extension()))
    };
    let mut included = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // This is the type of the entry itself; links are not followed.
        if !is_hidden && entry.file_type()?.is_file() && is_included(&entry.path()) {
            included.push(entry.path());
        }
    }
    included.sort();
    Ok(included)
}

/// The name of a submission in its build folder: its own, without characters that have a meaning for some
/// compilers. `rustc` derives the name of a crate from it, and `go` reads the text after an `@` as a version.
pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| "submission".into(), |name| name.to_string_lossy());
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+');
    let plain = |text: &str| text.replace(|letter| !is_plain(letter), "_");
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{}.{}", plain(stem), plain(ending)),
        None => plain(&name),
    }
}

/// A path in a command.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
