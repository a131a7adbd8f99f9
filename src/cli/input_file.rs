//! Opens files that the user named, and explains why one cannot be read.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Take};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::mistake::{misspelt, path_remedy};
use crate::model::file_name;
use crate::spec::{JudgeFolder, MOST_CASE, Mistake};

/// Opens a file for reading.
///
/// # Errors
/// If it is a folder, or cannot be read. If it does not exist, the hint proposes a file
/// of a similar name.
pub(crate) fn open_input(path: &Path) -> Result<File, Mistake> {
    let file =
        File::open(path).map_err(|error| unreadable(path, &error, Path::is_file))?;
    if file.metadata().is_ok_and(|found| found.is_dir()) {
        return Mistake::refuse(path, "is a folder", "name a file in it");
    }
    Ok(file)
}

/// The mistake for a file or folder that the user named and that cannot be read. If it
/// does not exist, the hint proposes the nearest path that `fits`.
pub(crate) fn unreadable(
    path: &Path,
    error: &io::Error,
    fits: fn(&Path) -> bool,
) -> Mistake {
    let meant = (error.kind() == ErrorKind::NotFound)
        .then(|| path_remedy(path, fits))
        .flatten();
    Mistake {
        remedy: meant,
        ..Mistake::unreadable(path, error)
    }
}

/// The mistake for a file that cannot be read, made from the error.
pub(crate) fn unread<E: Display>(path: &Path) -> impl Fn(E) -> Mistake + Copy {
    move |error| Mistake::unreadable(path, error)
}

// Finds the file that the user probably meant by a name that does not exist.

/// The hint for a missing file or folder, if there is one of a similar name in its
/// place or among the example submissions.
pub(crate) fn remedy(path: &Path, folder: &JudgeFolder) -> Option<String> {
    if let Some(remedy) = path_remedy(path, Path::exists) {
        return Some(remedy);
    }
    // To look into an archive, it would have to be unpacked.
    let paths: Vec<_> = folder
        .problems()
        .filter(|problem| problem.archive().is_none())
        .flat_map(|problem| problem.examples().unwrap_or_default())
        .map(|example| example.submission.path)
        .collect();
    let names: Vec<_> = paths.iter().map(|path| file_name(path)).collect();
    let meant = misspelt(&file_name(path), names.iter().map(AsRef::as_ref))?;
    let place = names.iter().position(|name| *name == meant)?;
    Some(format!("did you mean `{}`?", paths[place].display()))
}

// Reads inputs and outputs that may be endless, such as devices and pipes, up to the
// size limit of a case file. Start at [`open_bounded`].

/// Opens a file, pipe or terminal, unless its metadata shows that it is endless or too
/// large.
///
/// # Errors
/// As [`open_input`]; also if `path` is a device, or a file that is too large.
pub(crate) fn open_bounded(path: &Path) -> Result<File, Mistake> {
    let file = open_input(path)?;
    let found = file.metadata().map_err(unread(path))?;
    let kind = found.file_type();
    if kind.is_file() && found.len() > MOST_CASE {
        return Err(too_large(path));
    }
    // A terminal and `/dev/null` have an end.
    let is_nothing = Path::new("/dev/null")
        .metadata()
        .is_ok_and(|nothing| nothing.rdev() == found.rdev());
    if kind.is_block_device()
        || (kind.is_char_device() && !is_nothing && !file.is_terminal())
    {
        return Mistake::refuse(
            path,
            "is a device, where a file should be",
            "name a file, or a pipe",
        );
    }
    Ok(file)
}

/// Reads a file as a whole.
///
/// # Errors
/// As [`open_input`]; also if more than [`MOST_CASE`] bytes come.
pub(crate) fn read_input(path: &Path) -> Result<Vec<u8>, Mistake> {
    let mut text = vec![];
    match Bounded::new(open_bounded(path)?).read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(too_large(path)),
        Err(error) => Err(Mistake::unreadable(path, error)),
    }
}

/// The mistake for a text that is too large or endless.
pub(crate) fn too_large(path: &Path) -> Mistake {
    Mistake::new(
        path,
        format!("has more than {MOST_CASE} bytes (1 GiB)"),
        "cut it into several cases",
    )
}

/// Reads at most [`MOST_CASE`] bytes of a source; if there are more, fails with
/// [`ErrorKind::FileTooLarge`].
pub(crate) struct Bounded<R>(Take<R>);

impl<R: Read> Bounded<R> {
    pub(crate) fn new(source: R) -> Self {
        Self::with_bound(source, MOST_CASE)
    }

    fn with_bound(source: R, most: u64) -> Self {
        // The source may end exactly at the bound.
        Self(source.take(most + 1))
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.read(buffer)?;
        if self.0.limit() == 0 {
            Err(ErrorKind::FileTooLarge.into())
        } else {
            Ok(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_refused_and_a_missing_file_has_a_hint_if_a_similar_name_exists() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("before.jsonl"), "").unwrap();
        let remedy = |name: &str| {
            open_input(&folder.path().join(name))
                .err()
                .and_then(|mistake| mistake.remedy)
        };
        let meant = format!(
            "did you mean `{}`?",
            folder.path().join("before.jsonl").display()
        );
        assert_eq!(remedy("befor.jsonl"), Some(meant));
        assert_eq!(remedy("nothing like it"), None);
        assert_eq!(remedy(""), Some("name a file in it".to_owned()));
        assert!(open_input(&folder.path().join("before.jsonl")).is_ok());
    }
}

#[cfg(test)]
mod bounded_tests {
    use super::*;

    fn read(source: impl Read, most: u64) -> Result<String, ErrorKind> {
        let mut text = String::new();
        let read = Bounded::with_bound(source, most).read_to_string(&mut text);
        read.map(|_| text).map_err(|error| error.kind())
    }

    #[test]
    fn sources_are_read_up_to_the_bound_and_longer_ones_are_an_error() {
        assert_eq!(read(&b"123"[..], 4), Ok("123".to_owned()));
        assert_eq!(read(&b"1234"[..], 4), Ok("1234".to_owned()));
        assert_eq!(read(&b"12345"[..], 4), Err(ErrorKind::FileTooLarge));
        assert_eq!(
            read(io::repeat(b'1'), 1 << 20),
            Err(ErrorKind::FileTooLarge)
        );
    }

    #[test]
    fn a_device_that_never_ends_and_a_file_that_is_too_large_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let hole = folder.path().join("hole");
        File::create(&hole).unwrap().set_len(MOST_CASE + 1).unwrap();
        let why =
            |path: &Path| open_bounded(path).err().map(|mistake| mistake.message);
        assert_eq!(
            why(&hole),
            Some("has more than 1073741824 bytes (1 GiB)".to_owned())
        );
        for device in ["/dev/zero", "/dev/urandom", "/dev/full"] {
            assert_eq!(
                why(Path::new(device)),
                Some("is a device, where a file should be".to_owned())
            );
        }
        assert_eq!(why(Path::new("/dev/null")), None);
    }
}
