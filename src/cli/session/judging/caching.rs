//! Opens the cache of a run: decides whether and where there is one, and what its trials depend on.
//! A cache that cannot be used is only a note, since judging works without it.

use std::env;
use std::path::PathBuf;

use gridjudge_sandbox::{Fault, Guarantees, LinuxSandbox, machine};

use crate::cache;
use crate::cache::Cache;
use crate::files::home_folder;

/// The folder of this user's cache, if the environment determines one.
pub(crate) fn place() -> Option<PathBuf> {
    cache::default_dir(|name| env::var_os(name), home_folder())
}

/// Whether this notice was not yet shown to this user on this machine. Records it in the cache
/// folder, if there is one.
pub(crate) fn is_new_notice(text: &str) -> bool {
    // Many machines may share a home folder.
    let of_machine = format!("{text}\n{}", machine::summary());
    place().is_none_or(|path| cache::is_new_notice(&path, &of_machine))
}

/// Opens the cache for runs in this sandbox, with at most `most_bytes` bytes.
///
/// # Errors
/// The reason why there is no cache, in a sentence.
pub(crate) fn open(sandbox: &LinuxSandbox, most_bytes: u64) -> Result<Cache, String> {
    let guarantees = sandbox.guarantees();
    if !keeps_submissions_out(&guarantees) {
        return Err(
            "the cache is not used: without Landlock a submission could write verdicts into it"
                .into(),
        );
    }
    let Some(path) = place() else {
        return Err(
            "the cache is not used: neither GRIDJUDGE_CACHE nor a home folder tells where it is"
                .into(),
        );
    };
    let surroundings = [
        format!("level {} {guarantees:?}", sandbox.level()),
        // Many machines may share a home folder, and times differ between them.
        format!("processor {}", machine::processor_model()),
        gridjudge_sandbox::low_limits().join("; "),
    ];
    Cache::open(&path, most_bytes, &surroundings).map_err(|fault| note(&fault))
}

/// Whether no submission can write to folders of the judge's user: they are not in its root, or
/// Landlock forbids it.
pub(crate) fn keeps_submissions_out(guarantees: &Guarantees) -> bool {
    guarantees.namespaces || guarantees.landlock > 0
}

fn note(fault: &Fault) -> String {
    let hint = fault
        .remedy
        .as_ref()
        .map_or_else(String::new, |remedy| format!("; {remedy}"));
    format!("the cache is not used: {fault}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_used_only_if_no_submission_can_write_to_it() {
        let none = Guarantees {
            namespaces: false,
            groups: false,
            exact_peaks: false,
            own_user: false,
            landlock: 0,
            atomic_kill: false,
        };
        assert!(!keeps_submissions_out(&none));
        assert!(!keeps_submissions_out(&Guarantees {
            own_user: true,
            groups: true,
            ..none
        }));
        assert!(keeps_submissions_out(&Guarantees {
            landlock: 1,
            ..none
        }));
        assert!(keeps_submissions_out(&Guarantees {
            namespaces: true,
            ..none
        }));
    }
}
