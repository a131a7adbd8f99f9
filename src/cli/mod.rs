//! The command line: parses it, runs its command and returns the exit code. Uses all
//! modules, and none uses it. Only this module, the launcher and the terminal reports
//! write to standard output and standard error. Start at [`run`].

mod args;
mod commands;
mod draft;
mod input_file;
mod judging;
mod log_file;
mod output;
mod packages;
mod planning;
mod report_options;
mod repository;
mod screen;
mod shards;
mod signals;
mod sinks;
mod status_line;
mod text_page;
mod time_limits;
mod watch;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use gridjudge_sandbox::Fault;

// What files of several folders share: they import it from here.
use args::{GlobalOptions, PackageChoice, ProblemNames, is_path};
use commands::{Cli, generate};
use draft::TaskChoice;
use draft::questions::{self, ProblemOptions, RefusedDraft};
use input_file::Bounded;
use judging::judge_session::{JudgeSession, MadeTool, PreparedProgram};
use judging::proven_problems::ProvenProblems;
use judging::proving::KnownProofs;
use judging::startup::{
    LevelTrial, RunCount, SandboxHandle, SandboxStartup, ThreadCount, in_parallel,
};
use judging::{RunOptions, SandboxChoice, SessionRequest, proving, startup};
use log_file::{BaselineCheck, BaselineOptions, ComparePolicy, LogFile};
use output::{FileIdentity, NamedSink, OutputFile, WriteMode, beginning};
use packages::PackageChecks;
use packages::check_list::{CheckFinding, CheckList, MistakePages};
use packages::package_tools::{InputValidators, ToolMaker, make_generated_cases};
use packages::{package_notes, package_tools};
use planning::contest::{
    PageOptions, RankingOptions, StandingsFiles, StandingsOptions,
};
use planning::plan_entry::ProblemCases;
use planning::planned_checker::tool_source;
use planning::submission_choice::SubmissionChoice;
use planning::{PlanDraft, contest, planned_checker};
use report_options::{ReportOptions, ReportTarget};
use screen::{CommandError, CommandOutcome, CommandResult};
use shards::shard_logs::{self, ShardLogs};
use shards::{ShardOptions, TimesOption};
use signals::{CancelGuard, CancelToken, CriticalSection};
use sinks::SinkSet;
use status_line::StatusLine;
use text_page::{CheckMark, TextPage};
use time_limits::LimitMeasurement;
use time_limits::time_rules::{CheckedTimes, TimeRules};
use watch::FailureHistory;
use watch::watch_set::WatchRequest;

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    // Signals are handled before anything is created that an interruption would leave
    // behind.
    if let Err(fault) = signals::listen() {
        screen::fault(&fault);
        return ExitCode::from(3);
    }
    let cli = match Cli::parse_arguments() {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(print_help_or_mistake(&error)),
    };
    let common = &cli.common;
    screen::configure(common.quiet, common.verbose, common.color);
    output::stay_in(common.root().ok().as_deref());
    let outcome = cli.run();
    // A fault after a signal is its consequence: runs were ended.
    let is_consequence =
        signals::has_come() && matches!(outcome, Err(CommandError::Fault(_)));
    if let Err(error) = &outcome
        && !is_consequence
    {
        screen::command_error(error);
    }
    if signals::came_in_time() {
        signals::say_interrupted();
        return ExitCode::from(screen::INTERRUPTED);
    }
    ExitCode::from(
        outcome.map_or_else(|error| error.exit_code(), CommandOutcome::exit_code),
    )
}

/// Prints the help or the mistake in the command line. Returns the exit code.
fn print_help_or_mistake(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        // The help could not be printed. A closed pipe is no error. If a mistake cannot
        // be written to standard error, nothing can be reported at all.
        Err(failed)
            if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe =>
        {
            screen::fault(&Fault::new("writing to standard output", failed));
            3
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}
