//! What is to be known of packages of other judges before their results are read: submissions that are not judged, a time limit
//! that the package does not give.

use crate::cli::args::GlobalOptions;
use crate::cli::screen;
use crate::package::LeftOutSubmission;
use crate::package::Package;
use crate::spec::JudgeFolder;
use crate::text::counted;
use crate::text::round_time;

/// Submissions that are named in a note; the rest is counted.
const MOST_NAMED: usize = 3;

/// Shows the notes of these problems, as far as they are packages, unless no one wants to see any.
pub(crate) fn tell<'a>(folder: &JudgeFolder, ids: impl IntoIterator<Item = &'a str>, common: &GlobalOptions) {
    if common.quiet {
        return;
    }
    for id in ids {
        let Some(Ok(package)) = folder.package(id) else { continue };
        notes(id, &package, &folder.left_out(id)).into_iter().for_each(screen::notice);
    }
}

/// The notes of a package.
pub(crate) fn notes(id: &str, package: &Package, left_out: &[LeftOutSubmission]) -> Vec<String> {
    let mut notes = Vec::new();
    if package.limits.time.is_none() {
        notes.push(format!("{id}: {}", without_time_limit(package)));
    }
    if !left_out.is_empty() {
        let named = left_out.iter().take(MOST_NAMED).map(|one| format!("{} ({})", one.name, one.reason));
        let more = left_out.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let verb = if left_out.len() == 1 { "is" } else { "are" };
        notes.push(format!(
            "{id}: {} {verb} not judged: {}{more}",
            counted(left_out.len() as u64, "submission"),
            named.collect::<Vec<_>>().join(", ")
        ));
    }
    notes
}

/// That a package gives no time limit, and what follows from that.
pub(crate) fn without_time_limit(package: &Package) -> String {
    let usual = round_time(u64::try_from(package.time_limit().as_micros()).unwrap_or(u64::MAX));
    format!(
        "the package gives no time limit, so {usual} hold, as in DOMjudge; `limits: {{time_limit: ..}}` sets one"
    )
}
