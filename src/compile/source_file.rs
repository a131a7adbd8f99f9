//! The file of a submission: copied to where it is made, under a name that every compiler takes, and kept out of what its
//! author reads.

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

/// Bytes of the largest submission, be it source or executable. Without a bound a sparse file, which takes no room
/// where it lies, would fill the disk that the judge copies it to.
pub const LARGEST_SUBMISSION: u64 = 256 << 20;

/// Bytes of a source that are looked into.
const MOST_READ: usize = 1 << 20;

/// What a compiler or a program wrote, without the name of the folder that it was made in: that name means nothing to
/// its author and is another one each time.
pub fn without_folder(folder: &Path, written: &[u8]) -> String {
    String::from_utf8_lossy(written).replace(&format!("{}/", text(folder)), "")
}

/// Copies a file with its permission to be executed, readable by all; whether it was not too large for that. What was a file
/// when it was named may be a pipe by now, whose opening must not be waited for.
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

/// The name under which the only source of a program is made: the one that its language wants, unless the source holds what lets
/// it keep its own.
pub(super) fn name_of_only(path: &Path, language: Option<&Language>) -> String {
    let own = file_name(path);
    let Some(wanted) = language.and_then(|language| language.source.clone()) else { return own };
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

/// Copies a file of a program to a name below a folder, with its constants filled in; whether it was not too large for that.
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

/// The files beside a source that it may include: headers, and modules of its own language, in the order of their names.
/// Neither links, which may lead to what is not the problem's, nor hidden files, which nobody looks at.
///
/// # Errors
/// If the folder cannot be read.
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
        // Its type is that of the entry itself, and not of what it leads to.
        if !is_hidden && entry.file_type()?.is_file() && is_included(&entry.path()) {
            included.push(entry.path());
        }
    }
    included.sort();
    Ok(included)
}

/// The name of a submission where it is made: its own, without signs that some compilers read a meaning into. `rustc`
/// makes a crate's name of it, and `go` takes what follows an `@` for a version.
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
