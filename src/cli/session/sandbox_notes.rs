//! Tells the user what the sandbox lacks on this machine, and what is wrong with the shell that the judge was started from.

use crate::cli::args::GlobalOptions;
use crate::cli::screen;
use crate::cli::session::caching;
use gridjudge_sandbox::LinuxSandbox;

/// Shows what is to be known of a sandbox, and returns it, for the log.
pub(crate) fn tell(sandbox: &LinuxSandbox, has_cache: bool, common: &GlobalOptions) -> Vec<String> {
    let mut notes = notes_of(sandbox);
    tell_once(&notes, has_cache, common);
    complain_of_low_limits(&mut notes, common);
    notes
}

/// What the sandbox lacks on this machine. A level that was not chosen says why it is not a better one.
fn notes_of(sandbox: &LinuxSandbox) -> Vec<String> {
    let mut notes = sandbox.guarantees().notes();
    if let Some((better, why)) = sandbox.declined().first() {
        let level = sandbox.level();
        notes.insert(
            0,
            format!("the sandbox is at level {level}, for {better} is not available: {}", why.cause),
        );
    }
    notes
}

/// Shows them, unless an earlier run did: they are the same at every run, and `doctor` and every log have them. Without a
/// cache there is no record of what was shown.
fn tell_once(notes: &[String], has_cache: bool, common: &GlobalOptions) {
    let is_new_notice = || !has_cache || caching::is_new_notice(&notes.join("\n"));
    let is_told = !common.quiet && !notes.is_empty() && (common.verbose || is_new_notice());
    notes.iter().filter(|_| is_told).for_each(screen::notice);
}

/// Shows the limits of this shell that are too low, at each run: the next shell may have others.
fn complain_of_low_limits(notes: &mut Vec<String>, common: &GlobalOptions) {
    for limit in gridjudge_sandbox::low_limits() {
        complain(limit, notes, common);
    }
}

/// Shows something that is wrong and can be fixed, at each run, and notes it.
pub(crate) fn complain(why: String, notes: &mut Vec<String>, common: &GlobalOptions) {
    if !common.quiet {
        screen::notice(&why);
    }
    notes.push(why);
}
