//! Copies the files of a submission to the folder in which it is compiled, under names that every
//! compiler accepts, and removes that folder's path from messages.

use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::OFlags;

use crate::model::{Constants, HEADER_ENDINGS, JavaSource, Language};

/// The largest size of a submission in bytes, whether source or executable. Without a bound, a
/// sparse file, which occupies no disk space, would fill the disk that the judge copies it to.
pub const LARGEST_SUBMISSION: u64 = 256 << 20;

/// The most bytes of a source that are searched.
const MOST_READ: u64 = 1 << 20;

/// The build folder as compilers see it that write its path into a program.
const CURRENT_FOLDER: &str = "/proc/self/cwd/";

/// Removes the path of the build folder from the output of a compiler or program: it means nothing
/// to the author, and differs each time.
pub fn without_folder(folder: &Path, written: &[u8]) -> String {
    String::from_utf8_lossy(written)
        .replace(&format!("{}/", text(folder)), "")
        .replace(CURRENT_FOLDER, "")
}

/// Copies a file, with its permission to be executed, so that all users can read it. Returns
/// `false` if it is too large. The path may lead to a pipe by now, so opening it must not block.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<bool> {
    let source = File::options()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(from)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    if found.len() > LARGEST_SUBMISSION {
        return Ok(false);
    }
    let executable = found.permissions().mode() & 0o111 != 0;
    let mut copied = File::create_new(to)?;
    let bytes = io::copy(&mut source.take(LARGEST_SUBMISSION + 1), &mut copied)?;
    copied.set_permissions(Permissions::from_mode(if executable {
        0o755
    } else {
        0o644
    }))?;
    Ok(bytes <= LARGEST_SUBMISSION)
}

/// The name under which a program's only source is compiled: the one that its language requires.
pub(super) fn name_of_only(path: &Path, language: Option<&Language>) -> String {
    let Some(language) = language else {
        return file_name(path);
    };
    name_of_class(path, language)
        .or_else(|| language.source.clone())
        .unwrap_or_else(|| own_name(path, language))
}

/// The name of a source that its language does not prescribe.
pub(super) fn own_name(path: &Path, language: &Language) -> String {
    without_other_meaning(with_ending(file_name(path), language))
}

/// The name of a source among others: its own, unless a class in it requires another.
pub(super) fn name_among_others(path: &Path, language: Option<&Language>) -> String {
    language
        .and_then(|language| name_of_class(path, language))
        .unwrap_or_else(|| file_name(path))
}

/// The name that the classes of a source in Java give to its file, if they do.
fn name_of_class(path: &Path, language: &Language) -> Option<String> {
    let source = java_source(path, language)?;
    let own = file_name(path);
    let stem = source.file_stem(&stem_of(&own))?;
    Some(format!("{stem}.{}", language.extensions.first()?))
}

/// The class that a program in Java starts in, if its source has one.
pub(super) fn start_class(source: &Path, language: &Language) -> Option<String> {
    java_source(source, language)?.start_class(&stem_of(&source.to_string_lossy()))
}

fn stem_of(name: &str) -> String {
    Path::new(name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The declarations of a source, if its language is Java.
fn java_source(path: &Path, language: &Language) -> Option<JavaSource> {
    if !language.java_classes {
        return None;
    }
    let mut start = Vec::new();
    File::open(path)
        .ok()?
        .take(MOST_READ)
        .read_to_end(&mut start)
        .ok()?;
    Some(JavaSource::read(&String::from_utf8_lossy(&start)))
}

/// A name with an ending of the language, which a package may name for a file with any ending.
/// Compilers know endings in lower case only.
fn with_ending(own: String, language: &Language) -> String {
    let has = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| language.extensions.iter().any(|known| known == ending))
    };
    let lower = own
        .rsplit_once('.')
        .map(|(stem, ending)| format!("{stem}.{}", ending.to_lowercase()));
    match (lower, language.extensions.first()) {
        _ if has(&own) => own,
        (Some(lower), _) if has(&lower) => lower,
        (_, Some(first)) => format!("{own}.{first}"),
        (_, None) => own,
    }
}

/// A name without what compilers take for more than a part of it: `go` ignores files by their first
/// letter and tests, `rustc` takes names for those of crates, and `ocamlopt` knows a module of this
/// name in a library.
fn without_other_meaning(name: String) -> String {
    let plain = name.trim_start_matches(['_', '-']);
    let start = if plain.starts_with('.') {
        "submission"
    } else {
        ""
    };
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let is_module = ending == "ml" && matches!(stem.to_lowercase().as_str(), "str" | "unix");
    if is_module || ending == "go" && stem.ends_with("_test") {
        format!("{stem}_.{ending}")
    } else {
        format!("{start}{plain}")
    }
}

/// Whether a file of this name is a source of a language.
pub(super) fn is_source(name: &str, language: &Language) -> bool {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| language.extensions.iter().any(|known| known == ending))
}

/// Copies a file of a program to a name below a folder, with its constants filled in. Returns
/// `false` if it is too large.
pub(super) fn copy_below(
    from: &Path,
    folder: &Path,
    name: &str,
    constants: &Constants,
) -> io::Result<bool> {
    let to = folder.join(name);
    for above in Path::new(name)
        .ancestors()
        .skip(1)
        .filter(|above| !above.as_os_str().is_empty())
    {
        let above = folder.join(above);
        fs::create_dir_all(&above)?;
        fs::set_permissions(above, Permissions::from_mode(0o755))?;
    }
    if from.is_symlink() && !from.exists() {
        // What it leads to is yet to be made beside it.
        symlink(fs::read_link(from)?, &to)?;
        return Ok(true);
    }
    if !copy(from, &to)? {
        return Ok(false);
    }
    if !constants.is_empty() {
        let Some(text) = constants.filled_in(&fs::read(&to)?, LARGEST_SUBMISSION) else {
            return Ok(false);
        };
        fs::write(&to, text)?;
    }
    Ok(true)
}

/// The files next to a source that it may include, in the order of their names: headers, and for a
/// Python source its modules. Leaves out links, which may lead to files that do not belong to the
/// problem, and hidden files.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn included_by(source: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = source
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut included = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // This is the type of the entry itself; links are not followed.
        if !is_hidden && entry.file_type()?.is_file() && may_include(source, &entry.path()) {
            included.push(entry.path());
        }
    }
    included.sort();
    Ok(included)
}

fn may_include(source: &Path, path: &Path) -> bool {
    let ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default();
    path != source
        && (HEADER_ENDINGS.contains(&ending)
            || (ending == "py" && source.extension() == path.extension()))
}

/// The name of a submission in its build folder: its own, without characters that have a meaning
/// for some compilers. `rustc` derives the name of a crate from it, and `go` reads the text after
/// an `@` as a version.
pub(super) fn file_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map_or_else(|| "submission".into(), |name| name.to_string_lossy());
    let plain = |text: &str| {
        text.replace(
            |letter: char| !letter.is_ascii_alphanumeric() && !"_-+".contains(letter),
            "_",
        )
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{}.{}", plain(stem), plain(ending)),
        None => plain(&name),
    }
}

/// A path in a command.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
