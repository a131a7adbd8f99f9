//! Derives the points of cases in a package of Kattis' formats, and its score groups, from the
//! settings of its groups of cases. Start at [`scoring`].

mod kattis_2025;
mod legacy;

use crate::mistake::Mistake;
use crate::model::{Case, Scoring};
use crate::package::kattis::GroupGrading;
use crate::package::kattis::scoring::legacy::LegacyPoints;
use crate::package::{GroupSettings, PackageMetadata, PackageTree, ReadingNotes};

/// Returns the points of a package's cases; empty if it gives no points and no groups decide its
/// verdict.
pub(crate) fn scoring(
    metadata: &PackageMetadata,
    tree: &PackageTree,
    settings: &GroupSettings,
    cases: &[Case],
    notes: &mut ReadingNotes,
) -> Scoring {
    let grading = &settings.grading;
    let older = LegacyPoints {
        metadata,
        tree,
        grading,
        cases,
    };
    let is_legacy = metadata.format_of_groups.has_legacy_layout();
    if metadata.is_scoring {
        return if is_legacy {
            older.scoring(notes)
        } else {
            kattis_2025::scoring(&tree.root, settings, cases, notes)
        };
    }
    let misplaced = grading
        .iter()
        .filter(|(_, grading)| grading.later.is_about_points());
    notes.mistakes(misplaced.map(|(folder, grading)| out_of_place(folder, grading)));
    legacy::note_without_points(older, notes);
    if is_legacy {
        older.verdict_groups(notes)
    } else {
        Scoring::default()
    }
}

/// The mistake that a group has points in a problem without them.
fn out_of_place(folder: &str, grading: &GroupGrading) -> Mistake {
    let message = format!("`{folder}` is worth points, and the problem gives none");
    let remedy = "write `type: scoring` into `problem.yaml`, or delete `max_score`, \
                  `score_aggregation` and `require_pass`";
    Mistake::of(&grading.file, message).with_remedy(remedy)
}

#[cfg(test)]
mod tests;
