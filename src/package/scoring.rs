//! What the cases of a package of Kattis' formats are worth: the keys of its groups about points, and the groups that follow from
//! them. Start at [`GroupGrading`], which a group's file says, and [`scoring`].

mod group_grading;
mod kattis_2025;
mod keys_2025;
mod legacy;
mod legacy_keys;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::model::Scoring;
use crate::package::groups::GroupSettings;
use crate::package::metadata::PackageMetadata;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
pub(crate) use group_grading::GradingByFolder;
pub(crate) use group_grading::GroupGrading;

/// What the cases of a package are worth; nothing if it gives no points.
pub(super) fn scoring(
    metadata: &PackageMetadata,
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> Scoring {
    let grading = &settings.grading;
    match metadata.is_scoring {
        false => {
            let told = grading.iter().filter(|(_, grading)| grading.later.is_about_points());
            notes.mistakes.extend(told.map(|(folder, grading)| out_of_place(folder, grading)));
            legacy::refuse_without_points(grading, notes);
            Scoring::default()
        }
        true if metadata.format_of_groups.is_legacy() => {
            legacy::scoring(metadata, tree, grading, cases, notes)
        }
        true => kattis_2025::scoring(&tree.root, settings, cases, notes),
    }
}

/// That a group is worth points in a problem that gives none.
fn out_of_place(folder: &str, grading: &GroupGrading) -> Mistake {
    let message = format!("`{folder}` is worth points, and the problem gives none");
    let remedy = "write `type: scoring` into `problem.yaml`, or delete `max_score`, `score_aggregation` and `require_pass`";
    Mistake::of(&grading.file, message).with_remedy(remedy)
}

#[cfg(test)]
mod tests;
