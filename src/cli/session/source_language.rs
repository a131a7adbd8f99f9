//! The mistake for a source in no known language.

use std::path::Path;

use crate::mistake::Mistake;
use crate::spec::Config;

/// The mistake for a file that is neither in a known language nor executable.
pub(super) fn unknown_language(config: &Config, path: &Path) -> Mistake {
    let known: Vec<_> =
        config.languages().flat_map(|language| &language.extensions).map(|ext| format!(".{ext}")).collect();
    Mistake::of(path, "is of no known language and is not executable").with_remedy(format!(
        "known endings: {}; add one in judge.toml, or make it executable with `chmod +x`",
        known.join(" ")
    ))
}
