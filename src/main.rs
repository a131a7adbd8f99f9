//! The command line of gridjudge.

use std::process::ExitCode;

use gridjudge::cli;

fn main() -> ExitCode {
    // A launcher is to stay small, so this comes before anything else.
    if std::env::args_os().nth(1).is_some_and(|first| first == gridjudge_sandbox::LAUNCHER_ARGUMENT) {
        return gridjudge_sandbox::serve_launcher();
    }
    cli::run()
}
