//! Creates and fills the folder of a failing input. Never overwrites anything.

use std::fs;
use std::io;
use std::io::ErrorKind;
use std::path::Path;
use std::path::PathBuf;

use crate::cli::output;
use crate::spec::Mistake;
use gridjudge_sandbox::Fault;

/// The folder that a failing case is written to.
pub(super) struct FailureFolder {
    folder: PathBuf,
    name: String,
    /// Whether the user named the folder. Otherwise a number may be appended to its name.
    is_given: bool,
}

impl FailureFolder {
    /// A folder that the user named, for a case of this name.
    ///
    /// # Errors
    /// If there is something in it.
    pub(super) fn given(folder: &Path, name: String) -> Result<Self, Mistake> {
        output::refuse_stdout(folder)?;
        let is_free = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        if !is_free {
            let mistake = Mistake::of(folder, "is there, and nothing is overwritten");
            return Err(mistake.with_remedy("name a folder that is empty or is not there yet"));
        }
        Ok(Self { folder: folder.to_owned(), name, is_given: true })
    }

    /// A folder with the case's name, in `parent`.
    pub(super) fn usual(parent: &Path, name: String) -> Self {
        Self { folder: parent.join(&name), name, is_given: false }
    }

    /// Writes a case and the page about it, which `page` makes from the path of the input. Returns the
    /// folder. If a folder of the same name has the same input, from another run with the same seed, it is
    /// left alone and returned.
    ///
    /// # Errors
    /// A [`Fault`] if the files cannot be written.
    pub(super) fn fill(
        &self,
        input: &[u8],
        answer: &[u8],
        page: impl Fn(&Path) -> String,
    ) -> Result<PathBuf, Fault> {
        let failed = |error| Fault::new(format!("writing to {}", self.folder.display()), error);
        for number in 1.. {
            let folder = self.numbered(number);
            let input_file = folder.join(format!("{}.in", self.name));
            match claim(&folder) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::AlreadyExists && !self.is_given => {
                    if fs::read(&input_file).is_ok_and(|found| found == input) {
                        return Ok(folder);
                    }
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
            write(&folder.join(format!("{}.ans", self.name)), answer).map_err(failed)?;
            write(&folder.join(format!("{}.md", self.name)), page(&input_file).as_bytes()).map_err(failed)?;
            write(&input_file, input).map_err(failed)?;
            return Ok(folder);
        }
        unreachable!("there are more numbers than folders")
    }

    fn numbered(&self, number: u32) -> PathBuf {
        match number {
            1 => self.folder.clone(),
            _ => self.folder.with_file_name(format!("{}-{number}", self.name)),
        }
    }
}

/// Creates a folder that does not exist yet.
fn claim(folder: &Path) -> io::Result<()> {
    if let Some(parent) = folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(folder)
}

/// Writes a file that does not exist yet.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    io::Write::write_all(&mut file, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_different_case_of_the_same_name_gets_a_number_and_an_equal_one_is_reused() {
        let folder = tempfile::tempdir().unwrap();
        let place = FailureFolder::usual(folder.path(), "a-7".into());
        let fill = |input: &str| place.fill(input.as_bytes(), b"answer", |_| "page".into()).unwrap();
        assert_eq!(fill("one"), folder.path().join("a-7"));
        assert_eq!(fill("two"), folder.path().join("a-7-2"));
        assert_eq!(fill("one"), folder.path().join("a-7"));
        assert_eq!(fill("two"), folder.path().join("a-7-2"));
        assert_eq!(fs::read(folder.path().join("a-7-2/a-7.in")).unwrap(), b"two");
    }

    #[test]
    fn a_folder_with_something_in_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(FailureFolder::given(folder.path(), "a".into()).is_ok());
        assert!(FailureFolder::given(&folder.path().join("new"), "a".into()).is_ok());
        fs::write(folder.path().join("mine"), "").unwrap();
        assert!(FailureFolder::given(folder.path(), "a".into()).is_err());
        assert!(FailureFolder::given(&folder.path().join("mine"), "a".into()).is_err());
    }
}
