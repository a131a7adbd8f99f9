//! The files of a submission besides the one that names it. Plain data: planning finds them, and
//! the compiler combines them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::Constants;

/// Files that are compiled into one program together with the submission's own file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdditionalSources {
    /// The other files. A file with the same name as the submission's own replaces it.
    pub files: Vec<SourceFile>,
    /// The file in which the program starts, if that is not the submission's own.
    pub start: Option<String>,
    /// Constants that are filled into all files where they contain `{{name}}`.
    pub constants: Constants,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its name in the folder where the program is built, as `lib/queue.h`.
    pub name: String,
    /// Where it is on disk.
    pub path: PathBuf,
}

impl SourceFile {
    /// Whether this file and another one cannot be in the same folder under their names: the names
    /// are the same, or one is that of a folder which the other needs.
    pub fn collides_with(&self, other: &Self) -> bool {
        let is_above = |folder: &str, name: &str| {
            name.strip_prefix(folder)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_above(&self.name, &other.name) || is_above(&other.name, &self.name)
    }
}

impl AdditionalSources {
    /// Whether there is only the submission's own file, unchanged.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_collide_if_one_has_the_name_of_the_other_or_of_its_folder() {
        let file = |name: &str| SourceFile {
            name: name.to_owned(),
            path: PathBuf::new(),
        };
        for (one, other, collide) in [
            ("a", "a", true),
            ("a", "a/b", true),
            ("a/b/c", "a/b", true),
            ("a", "ab", false),
            ("a/b", "a/c", false),
            ("b", "a/b", false),
        ] {
            assert_eq!(
                file(one).collides_with(&file(other)),
                collide,
                "{one} {other}"
            );
            assert_eq!(
                file(other).collides_with(&file(one)),
                collide,
                "{other} {one}"
            );
        }
    }
}
