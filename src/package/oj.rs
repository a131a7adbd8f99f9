//! Reads folders of online-judge-tools: `test/` with `NAME.in` and `NAME.out`, and no other settings. Start
//! at [`read`].

use std::path::Path;

use crate::mistake::Mistake;
use crate::model::Case;
use crate::package::format::OJ_FOLDER;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// Endings of answers; the first is used when one is written.
const ANSWERS: [&str; 2] = ["out", "ans"];

/// The cases of a folder of online-judge-tools.
pub(super) struct OjCases {
    /// Sorted by name.
    pub(super) cases: Vec<Case>,
    /// Cases without an answer.
    pub(super) missing_answers: Vec<Mistake>,
}

/// Finds the cases.
pub(super) fn read(tree: &PackageTree, notes: &mut ReadingNotes) -> OjCases {
    let mut found = OjCases { cases: Vec::new(), missing_answers: Vec::new() };
    for (name, input) in tree.below(OJ_FOLDER) {
        let Some((base, ending)) = name.rsplit_once('.') else { continue };
        let beside = |ending: &&str| tree.file(&format!("{base}.{ending}"));
        match ending {
            "in" => {
                let answer = ANSWERS.iter().find_map(beside);
                if answer.is_none() {
                    let mistake = Mistake::of(input, "the case has no answer beside it");
                    let remedy = "write it into a file of the same name with `.out`";
                    found.missing_answers.push(mistake.with_remedy(remedy));
                }
                found.cases.push(Case {
                    name: base[OJ_FOLDER.len() + 1..].to_owned(),
                    input: input.to_owned(),
                    answer: answer.map_or_else(|| input.with_extension(ANSWERS[0]), Path::to_owned),
                });
            }
            _ if ANSWERS.contains(&ending) && tree.lacks(&format!("{base}.in")) => {
                let mistake = Mistake::of(input, "the answer has no case (`.in`) beside it");
                notes.mistakes.push(mistake.with_remedy("write the case, or delete the answer"));
            }
            _ => {}
        }
    }
    found
}
