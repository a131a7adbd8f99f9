//! Shows the user what the sandbox lacks on this machine, and which limits of the shell that
//! started the judge are too low.

use crate::cli::args::GlobalOptions;
use crate::cli::screen;
use crate::cli::session::caching;
use gridjudge_sandbox::LinuxSandbox;

/// Shows the notes on a sandbox, and returns them for the log.
pub(crate) fn report(
    sandbox: &LinuxSandbox,
    has_cache: bool,
    common: &GlobalOptions,
) -> Vec<String> {
    let mut notes = notes_of(sandbox);
    show_once(&notes, has_cache, common);
    complain_of_low_limits(&mut notes, common);
    notes
}

/// What the sandbox lacks on this machine. If a better level was tried and is not available, the
/// first note says why.
fn notes_of(sandbox: &LinuxSandbox) -> Vec<String> {
    let mut notes = sandbox.guarantees().notes();
    if let Some((better, why)) = sandbox.declined().first() {
        let level = sandbox.level();
        notes.insert(
            0,
            format!(
                "the sandbox is at level {level}, for {better} is not available: {}",
                why.cause
            ),
        );
    }
    notes
}

/// Shows the notes, unless an earlier run did: they are the same in every run, and `doctor` and
/// every log have them. Without a cache, they are always shown, since there is no record of earlier
/// notes.
fn show_once(notes: &[String], has_cache: bool, common: &GlobalOptions) {
    let is_shown = !common.quiet
        && !notes.is_empty()
        && (common.verbose || (!has_cache || caching::is_new_notice(&notes.join("\n"))));
    notes.iter().filter(|_| is_shown).for_each(screen::notice);
}

/// Shows the limits of this shell that are too low, in each run: the next shell may have other
/// limits.
fn complain_of_low_limits(notes: &mut Vec<String>, common: &GlobalOptions) {
    for limit in gridjudge_sandbox::low_limits() {
        complain(limit, notes, common);
    }
}

/// Shows a problem that can be fixed, in each run, and adds it to the notes.
pub(crate) fn complain(why: String, notes: &mut Vec<String>, common: &GlobalOptions) {
    if !common.quiet {
        screen::notice(&why);
    }
    notes.push(why);
}
