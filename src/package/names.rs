//! The names that the formats of Kattis allow for a package and for what is in it. 2025-09 takes
//! other files for absent; older formats read them, and their tools call them errors. Looks into no
//! file.

use std::collections::BTreeSet;

use crate::package::format::PackageFormat;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;
use crate::text::printable;

/// What the formats say of names of files and folders, for messages.
const ALLOWED: &str =
    "letters, digits, `_`, `.` and `-`, of which the first is no `.` or `-`, at most 255";

/// The most names that one remark gives as examples.
const MOST_NAMED: usize = 3;

/// Leaves out files and folders that 2025-09 takes for absent.
pub(super) fn leave_out_odd(tree: &mut PackageTree, notes: &mut ReadingNotes) {
    for name in tree.leave_out(is_odd) {
        let said = format!("`{name}`: the format takes no such names");
        // What may have been meant as a case or a submission is not judged.
        if name.starts_with("data/") || name.starts_with("submissions/") {
            notes.remark(&*said);
        }
        notes.ignore(said);
    }
}

/// What older formats forbid of names and links, a sentence each without a full stop. An absolute
/// link leads elsewhere once the package is copied.
pub(super) fn violations(tree: &PackageTree) -> Vec<String> {
    let odd: BTreeSet<_> = tree
        .names()
        .filter(|name| name.rsplit('/').next().is_some_and(is_odd))
        .collect();
    let absolute: Vec<_> = tree.absolute_links().collect();
    let allowed = format!("which the format does not allow: {ALLOWED}");
    let found = [
        listed(
            &Vec::from_iter(odd),
            &format!("has a name {allowed}"),
            &format!("have names {allowed}"),
        ),
        listed(
            &absolute,
            "is an absolute link, and the format wants relative ones",
            "are absolute links, and the format wants relative ones",
        ),
    ];
    found.into_iter().flatten().collect()
}

/// A sentence about these names; `None` if there are none.
fn listed(names: &[&str], singular: &str, plural: &str) -> Option<String> {
    let first = names
        .iter()
        .take(MOST_NAMED)
        .map(|name| format!("`{}`", printable(name)))
        .collect::<Vec<_>>()
        .join(", ");
    match names.len() {
        0 => None,
        1 => Some(format!("{first} {singular}")),
        count if count > MOST_NAMED => {
            let others = count - MOST_NAMED;
            Some(format!("{first} and {others} more {plural}"))
        }
        _ => Some(format!("{first} {plural}")),
    }
}

fn is_odd(name: &str) -> bool {
    name.len() > 255
        || name.starts_with(['.', '-'])
        || !name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// What is wrong with the name of a package, which judges that take packages of Kattis use as an
/// identifier; `None` if nothing is.
pub(super) fn odd_package_name(format: PackageFormat, name: &str) -> Option<String> {
    let is_identifier = format.has_kattis_layout() && format != PackageFormat::DomJudge;
    let is_odd = name.len() > 255
        || !name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (is_identifier && is_odd).then(|| {
        format!(
            "the package is called `{}`; the format takes lower-case letters and digits only",
            printable(name)
        )
    })
}
