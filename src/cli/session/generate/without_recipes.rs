//! Says that there are no recipes to make cases from, and what to write.

use crate::spec::JudgeFolder;
use crate::text::counted;

/// The sentence about problems none of which has a recipe.
pub(super) fn sentence(folder: &JudgeFolder, ids: &[String]) -> String {
    let [id] = ids else {
        return format!(
            "{}: none has `[[generate]]` recipes to make cases from",
            counted(ids.len(), "problem")
        );
    };
    if folder
        .problem(id)
        .is_ok_and(|problem| problem.task.as_grid().is_none())
    {
        return format!(
            "{id} has no recipes, which make grids: write its cases by hand, or by a program of your own"
        );
    }
    let spec = folder.shown_spec_path(id);
    format!(
        "{id} has no `[[generate]]` recipes to make cases from: write one into {}, as `group = \"secret\"`, \
         `name = \"easy\"`, `kind = \"minimal\"`, `seed = 1`",
        spec.display()
    )
}
