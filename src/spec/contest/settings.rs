//! Reads `contest.toml`: settings of a contest that the names in its folder cannot express.

use std::path::Path;

use crate::keys::{KeyDocument, KeyTable};
use crate::mistake::{Mistakes, nearest, quoted, read};
use crate::spec::folder::JudgeFolder;

/// The settings in `contest.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ContestSettings {
    pub(super) name: Option<String>,
    /// The ids of its problems, in order.
    pub(super) problems: Option<Vec<String>>,
}

impl ContestSettings {
    /// Reads the file.
    ///
    /// # Errors
    /// Reports every mistake in it.
    pub(super) fn load(path: &Path, folder: &JudgeFolder) -> Result<Self, Mistakes> {
        let text = read(path)?;
        let document = KeyDocument::of_toml(path, &text);
        let table = KeyTable::root(&document);
        let name = table.text("name").map(|found| found.value);
        let problems = table.list("problems");
        for (place, id) in problems
            .iter()
            .flat_map(|found| found.value.iter().enumerate())
        {
            let at = problems
                .as_ref()
                .map(|found| found.place)
                .unwrap_or_default();
            if folder.ids().all(|known| known != id) {
                let remedy = match nearest(id, folder.ids()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known: {}", folder.ids().collect::<Vec<_>>().join(", ")),
                };
                table.note(at, format!("there is no problem {}", quoted(id)), remedy);
            } else if problems
                .iter()
                .any(|found| found.value[..place].contains(id))
            {
                table.note(
                    at,
                    format!("problem {} is listed twice", quoted(id)),
                    "delete one of the two",
                );
            }
        }
        table.refuse_the_rest();
        let settings = Self {
            name,
            problems: problems.map(|found| found.value),
        };
        Mistakes::or(document.into_mistakes(), settings)
    }
}
