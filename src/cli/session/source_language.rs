//! The mistake for a source in no known language.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::mistake::Mistake;
use crate::mistake::Mistakes;
use crate::spec;
use crate::spec::Config;
use crate::spec::JudgeFolder;

/// The mistake for a file that is neither in a known language nor executable.
pub(super) fn unknown_language(config: &Config, path: &Path) -> Mistake {
    let known: Vec<_> =
        config.languages().flat_map(|language| &language.extensions).map(|ext| format!(".{ext}")).collect();
    Mistake::of(path, "is of no known language and is not executable").with_remedy(format!(
        "known endings: {}; add one in judge.toml, or make it executable with `chmod +x`",
        known.join(" ")
    ))
}

pub(super) fn is_executable(found: &Metadata) -> bool {
    found.permissions().mode() & 0o111 != 0
}

/// The mistakes of a problem's examples, and those of its other files that are in no known language. No plan
/// entry is made of examples with mistakes, so nothing else would report these files.
pub(super) fn with_unknown_languages(
    folder: &JudgeFolder,
    id: &str,
    Mistakes(mut mistakes): Mistakes,
) -> Mistakes {
    let own = folder.spec_of(id).filter(|_| folder.package(id).is_none());
    let files = own.map(|spec| spec::submission_files(&spec.with_file_name("submissions"), &folder.config).0);
    for path in files.unwrap_or_default() {
        let is_known = folder.language_of(id, &path).is_some();
        let is_told = mistakes.iter().any(|mistake| mistake.path == path);
        if !is_known && !is_told && !path.metadata().as_ref().is_ok_and(is_executable) {
            mistakes.push(unknown_language(&folder.config, &path));
        }
    }
    Mistakes(mistakes)
}
