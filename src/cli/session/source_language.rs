//! The mistake for a source in no known language.

use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::mistake::{Mistake, Mistakes, nearest};
use crate::spec;
use crate::spec::{Config, JudgeFolder};

/// The mistake for a file that is neither in a known language nor executable.
pub(super) fn unknown_language(config: &Config, path: &Path) -> Mistake {
    let known: Vec<_> = config
        .languages()
        .flat_map(|language| &language.extensions)
        .collect();
    let remedy = meant_name(config, path, &known).map_or_else(
        || {
            let known: Vec<_> = known.iter().map(|ending| format!(".{ending}")).collect();
            format!(
                "known endings: {}; add one in judge.toml, or make it executable with `chmod +x`",
                known.join(" ")
            )
        },
        |meant| format!("rename it to `{meant}`"),
    );
    Mistake::of(path, "is of no known language and is not executable").with_remedy(remedy)
}

/// The name that a file was probably meant to have: without a further ending after that of its
/// language, or with an ending that is spelt right.
fn meant_name(config: &Config, path: &Path, known: &[&String]) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    if config.language_of(Path::new(stem)).is_some() {
        return Some(stem.to_owned());
    }
    let ending = path.extension()?.to_str()?;
    let ending = ending.to_lowercase();
    // Any two short endings are alike.
    let candidates = known.iter().map(|known| known.as_str()).filter(|known| {
        known.len() > 2 && (known.len() == ending.len() || known.starts_with(&ending))
    });
    let meant = nearest(&ending, candidates).filter(|_| ending.len() > 2)?;
    Some(format!("{stem}.{meant}"))
}

pub(super) fn is_executable(found: &Metadata) -> bool {
    found.permissions().mode() & 0o111 != 0
}

/// The mistakes of a problem's examples, and those of its other files that are in no known
/// language. No plan entry is made of examples with mistakes, so nothing else would report these
/// files.
pub(super) fn with_unknown_languages(
    folder: &JudgeFolder,
    id: &str,
    Mistakes(mut mistakes): Mistakes,
) -> Mistakes {
    let own = folder.spec_of(id).filter(|_| folder.package(id).is_none());
    let files = own
        .map(|spec| spec::submission_files(&spec.with_file_name("submissions"), &folder.config).0);
    for path in files.unwrap_or_default() {
        let is_known = folder.language_of(id, &path).is_some();
        let is_told = mistakes.iter().any(|mistake| mistake.path == path);
        if !is_known && !is_told && !path.metadata().as_ref().is_ok_and(is_executable) {
            mistakes.push(unknown_language(&folder.config, &path));
        }
    }
    Mistakes(mistakes)
}
