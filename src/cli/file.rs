//! Opens files that the user named, and explains why one cannot be read.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::cli::nearby;
use crate::spec::Mistake;

/// Opens a file for reading.
///
/// # Errors
/// If it is a folder, or cannot be read. If it does not exist, the hint proposes a file of a
/// similar name.
pub(crate) fn open(path: &Path) -> Result<File, Mistake> {
    let file = File::open(path).map_err(|error| {
        let mistake = Mistake::of(path, format!("cannot be read: {error}"));
        let meant = (error.kind() == io::ErrorKind::NotFound)
            .then(|| nearby::remedy(path, None))
            .flatten();
        meant.into_iter().fold(mistake, Mistake::with_remedy)
    })?;
    if file.metadata().is_ok_and(|found| found.is_dir()) {
        return Err(Mistake::of(path, "is a folder").with_remedy("name a file in it"));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_refused_and_a_missing_file_has_a_hint_if_a_similar_name_exists() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("before.jsonl"), "").unwrap();
        let remedy = |name: &str| {
            open(&folder.path().join(name))
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
        assert!(open(&folder.path().join("before.jsonl")).is_ok());
    }
}
