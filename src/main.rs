//! The command line of gridjudge.

use std::process::ExitCode;

use gridjudge::cli;

fn main() -> ExitCode {
    // Before anything else, because the launcher process must stay small.
    gridjudge_sandbox::become_launcher_if_asked().unwrap_or_else(cli::run)
}
