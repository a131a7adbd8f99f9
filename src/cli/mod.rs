//! The command line: defines the commands, runs them and returns their exit codes. Uses all
//! modules, and none uses it. Only this module, the launcher and the terminal reports write to
//! standard output and standard error. Start at [`run`].

mod args;
mod autograder_run;
mod cancel;
mod commands;
mod draft;
mod exit;
mod help;
mod input_file;
mod log_file;
mod output;
mod report_options;
mod repository;
mod screen;
mod session;
mod signals;
mod status_line;
mod text_page;
mod watch;

use std::io;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use gridjudge_sandbox::Fault;

// What files of several folders share: they import it from here.
use args::{GlobalOptions, PackageChoice, ProblemNames, is_path};
use cancel::{CancelGuard, CancelToken, WeakCancelToken};
use commands::generate;
use draft::questions;
use draft::questions::{ProblemOptions, RefusedDraft};
use draft::text_problem::TaskChoice;
use exit::{CommandError, CommandOutcome, CommandResult};
use input_file::Bounded;
use log_file::{LogEvents, LogFile};
use output::{FileIdentity, FileSink, OutputFile, OutputPlace, WriteMode, beginning};
use report_options::{ReportFormat, ReportOptions, ReportTarget};
use session::judging::in_parallel::in_parallel;
use session::judging::judge_session::{JudgeSession, PrepareError, PreparedProgram};
use session::judging::proven_problems::ProvenProblems;
use session::judging::proving::KnownProofs;
use session::judging::startup::{LevelTrial, RunCount, SandboxHandle, SandboxStartup, ThreadCount};
use session::judging::{RunOptions, SandboxChoice, SessionRequest, caching, languages, proving};
use session::outputs::baseline_check::{BaselineOptions, ComparePolicy};
use session::outputs::{FailureHint, NamedSink, SinkSet, baseline_check};
use session::packages::check_list::MistakePages;
use session::packages::generated_cases::SandboxedCaseMaker;
use session::packages::package_checks::PackageChecks;
use session::packages::package_tools::{InputValidators, MadeTool, ToolMaker, ToolProblem, usable};
use session::packages::{package_notes, package_tools};
use session::planning::contest::{PageOptions, RankingOptions, StandingsFiles, StandingsOptions};
use session::planning::plan_entry::ProblemCases;
use session::planning::planned_checker::{ToolSource, tool_source};
use session::planning::submission_choice::SubmissionChoice;
use session::planning::{contest, planned_checker};
use session::shards::shard_logs::ShardLogs;
use session::shards::{PlanDivision, TimesOption};
use session::time_limits::LimitMeasurement;
use session::{judging, planning};
use signals::CriticalSection;
use status_line::StatusLine;
use text_page::{CheckMark, TextPage};
use watch::{FailureHistory, WatchRequest};

/// Judge programs on contest problems, and say exactly why an output is wrong.
#[derive(Parser)]
#[command(
    name = "gridjudge",
    version,
    arg_required_else_help = true,
    max_term_width = 80
)]
#[command(after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    common: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 everything as expected; 1 some submission is not; 2 wrong \
                          usage, configuration, spec or case; 3 the judge itself failed, or a \
                          program that you named could not be judged here; 130 interrupted.";

/// The end of the help of a command.
macro_rules! example {
    ($line:literal) => {
        concat!("Example:\n  ", $line)
    };
}

#[derive(Subcommand)]
enum Command {
    /// Judge submissions; without any, all example submissions.
    ///
    /// A trial is a submission on one case. Its verdict is `AC` if it is accepted, `SK` if it was
    /// skipped: it cannot be judged here, or no longer counts. docs/verdicts.md has all of them.
    #[command(after_long_help = example!("gridjudge grade examples/finals --log finals.jsonl"))]
    Grade(Box<commands::grade::GradeArgs>),
    /// Prove problems: cases, answers, and verdicts of the examples.
    #[command(after_long_help = example!("gridjudge verify first-4x4 --suggest-limits"))]
    Verify(Box<commands::verify::VerifyArgs>),
    /// List problems: cases, groups, limits, example submissions.
    #[command(after_long_help = example!("gridjudge list --json"))]
    List(commands::list::ListArgs),
    /// Write a problem as a package of another judge.
    ///
    /// Notes what its format cannot express.
    #[command(after_long_help = example!("gridjudge export first-4x4 --to domjudge first.zip"))]
    Export(commands::export::ExportArgs),
    /// Make reports from a log, at any later time.
    #[command(after_long_help = example!("gridjudge report finals.jsonl --html report.html"))]
    Report(commands::report::ReportArgs),
    /// Write missing answers, or prove the stored ones.
    ///
    /// The reference solver finds them, or the model solution of a problem that is not about grids.
    #[command(after_long_help = example!("gridjudge answers first-4x4 --check"))]
    Answers(commands::answers::AnswersArgs),
    /// Make cases from recipes, or compare the stored ones with them.
    #[command(after_long_help = example!("gridjudge generate --check"))]
    Generate(commands::generate::GenerateArgs),
    /// Save verdicts, times and memory, to compare with later.
    #[command(after_long_help = example!("gridjudge baseline monday.jsonl -o baseline.txt"))]
    Baseline(commands::baseline::BaselineArgs),
    /// Show what has changed since a baseline, beyond noise.
    #[command(after_long_help = example!("gridjudge compare baseline.txt friday.jsonl"))]
    Compare(commands::compare::CompareArgs),
    /// Judge an existing output.
    #[command(after_long_help = example!("gridjudge check -p first-4x4 cases/first-4x4/sample/1.in out.txt"))]
    Check(commands::check::CheckArgs),
    /// Rank the teams of a contest, from its log.
    #[command(after_long_help = example!("gridjudge standings finals.jsonl --freeze 4:00"))]
    Standings(commands::standings::StandingsArgs),
    /// Show which solvers with one fault each survive a problem's cases.
    ///
    /// Such a solver is a mutant. A program with the fault of one that survives would be accepted.
    #[command(after_long_help = example!("gridjudge strength first-4x4"))]
    Strength(commands::strength::StrengthArgs),
    /// Look for a small random input on which a program fails.
    #[command(after_long_help = example!("gridjudge stress problems/first-4x4/submissions/wrong/rows_only.py --time 10s"))]
    Stress(commands::stress::StressArgs),
    /// Solve plain 9x9 grids as fast as the machine can.
    #[command(after_long_help = example!("gridjudge solve --unique puzzles.txt >solutions.txt"))]
    Solve(commands::solve::SolveArgs),
    /// Show which shard would judge what, and for how long.
    ///
    /// A shard is what one of several machines judges. Nothing is judged now.
    #[command(after_long_help = example!("gridjudge plan --shards 4"))]
    Plan(commands::plan::PlanArgs),
    /// Put the logs of shards together, and prove that none is missing.
    #[command(after_long_help = example!("gridjudge merge logs --html report.html"))]
    Merge(Box<commands::merge::MergeArgs>),
    /// Show what isolation this machine gives, and how noisy it is.
    ///
    /// Says what to do about both.
    #[command(after_long_help = example!("gridjudge doctor"))]
    Doctor(commands::doctor::DoctorArgs),
    /// Show or clear the cache of results.
    #[command(after_long_help = example!("gridjudge cache show"))]
    Cache(commands::cache::CacheArgs),
    /// Create a folder of problems, with a working example.
    #[command(after_long_help = example!("gridjudge init judge --ci github"))]
    Init(commands::init::InitArgs),
    /// Create a problem: a commented spec, a statement, a sample case.
    #[command(after_long_help = example!("gridjudge new evens --task tokens"))]
    New(Box<commands::new::NewArgs>),
    /// Print the JSON Schema of a file, for editors and other programs.
    #[command(after_long_help = example!("gridjudge schema problem >problem.schema.json"))]
    Schema(commands::schema::SchemaArgs),
    /// Print the script by which a shell completes command lines.
    #[command(after_long_help = example!("gridjudge completions zsh >_gridjudge"))]
    Completions(commands::completions::CompletionsArgs),
    /// Print a page of the manual, or write all of them into a folder.
    #[command(after_long_help = example!("gridjudge man grade | man -l -"))]
    Man(commands::man::ManArgs),
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    // Signals are handled before anything is created that an interruption would leave behind.
    if let Err(fault) = signals::listen() {
        screen::fault(&fault);
        return ExitCode::from(3);
    }
    let matches = help::by_role(Cli::command()).try_get_matches();
    let cli = match matches.and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) => {
            let error = help::with_owners(error, &Cli::command());
            return ExitCode::from(print_help_or_mistake(&error));
        }
    };
    let common = &cli.common;
    screen::configure(common.quiet, common.verbose, common.color);
    let root = common.root();
    root.iter().for_each(|root| repository::set_judge(root));
    output::stay_in(&root.unwrap_or_default());
    let outcome = run_command(&cli.command, common);
    // A fault after a signal is its consequence: runs were ended.
    let is_consequence = signals::has_come() && matches!(outcome, Err(CommandError::Fault(_)));
    outcome
        .as_ref()
        .err()
        .filter(|_| !is_consequence)
        .iter()
        .for_each(|error| screen::command_error(error));
    if signals::came_in_time() {
        signals::say_interrupted();
        return ExitCode::from(exit::INTERRUPTED);
    }
    ExitCode::from(outcome.map_or_else(|error| error.exit_code(), CommandOutcome::exit_code))
}

fn run_command(command: &Command, common: &GlobalOptions) -> CommandResult {
    match command {
        Command::Grade(grade) => commands::grade::run(grade, common),
        Command::Verify(verify) => commands::verify::run(verify, common),
        Command::List(list) => commands::list::run(list, common),
        Command::Export(export) => commands::export::run(export, common),
        Command::Report(report) => commands::report::run(report),
        Command::Answers(answers) => commands::answers::run(answers, common),
        Command::Generate(generate) => commands::generate::run(generate, common),
        Command::Baseline(save) => commands::baseline::run(save),
        Command::Compare(compare) => commands::compare::run(compare),
        Command::Check(check) => commands::check::run(check, common),
        Command::Standings(standings) => commands::standings::run(standings),
        Command::Strength(strength) => commands::strength::run(strength, common),
        Command::Stress(stress) => commands::stress::run(stress, common),
        Command::Solve(solve) => commands::solve::run(solve),
        Command::Plan(plan) => commands::plan::run(plan, common),
        Command::Merge(merge) => commands::merge::run(merge),
        Command::Doctor(doctor) => commands::doctor::run(doctor, common),
        Command::Cache(cache) => commands::cache::run(cache, common),
        Command::Init(init) => commands::init::run(init, common),
        Command::New(new) => commands::new::run(new, common),
        Command::Schema(schema) => commands::schema::run(schema),
        Command::Completions(completions) => {
            // Only then, options that every command accepts are those of each.
            let mut whole = Cli::command();
            whole.build();
            commands::completions::run(completions, whole)
        }
        Command::Man(man) => commands::man::run(man, Cli::command()),
    }
}

/// Prints the help or the mistake in the command line. Returns the exit code.
fn print_help_or_mistake(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        // The help could not be printed. A closed pipe is no error. If a mistake cannot be written
        // to standard error, nothing can be reported at all.
        Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
            screen::fault(&Fault::new("writing to standard output", failed));
            3
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}
