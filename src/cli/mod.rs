//! The commands, one file each. Knows everything below and is known by nothing; the only place, beside the launcher,
//! that touches standard output, standard error and exit codes.

mod baseline_file;
mod bounded;
mod commands;
mod file;
mod log_file;
mod nearby;
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
use std::io::ErrorKind;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;

use crate::spec::Config;
use crate::spec::JudgeFolder;
use crate::spec::Mistakes;
use gridjudge_sandbox::Fault;

/// Judge programs for grid problems, and say exactly which cell is wrong.
#[derive(Debug, Parser)]
#[command(name = "gridjudge", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    common: GlobalOptions,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 everything as expected; 1 some submission is not; 2 wrong usage, configuration, \
                          spec or case; 3 the judge itself failed; 130 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge submissions; without any, every problem's example submissions.
    Grade(commands::grade::GradeArgs),
    /// Prove problems: cases in format, answers right, examples as their folders expect.
    Verify(commands::verify::VerifyArgs),
    /// List the problems that are here: cases, groups, limits, example submissions.
    List(commands::list::ListArgs),
    /// Make reports from a log, at any later time.
    Report(commands::report::ReportArgs),
    /// Write missing answers with the reference solver, or prove the stored ones.
    Answers(commands::answers::AnswersArgs),
    /// Make cases from the recipes of problems, or compare the stored ones with them.
    Generate(commands::generate::GenerateArgs),
    /// Keep what programs earn and take in a file, to compare with later.
    Baseline(commands::baseline::BaselineArgs),
    /// Show what has changed since: verdicts, and times and memory beyond noise.
    Compare(commands::compare::CompareArgs),
    /// Judge an output without running anything.
    Check(commands::check::CheckArgs),
    /// Rank the teams of a contest, from its log.
    Standings(commands::standings::StandingsArgs),
    /// Hold solvers with one thing wrong each against a problem's cases, and tell which survive.
    Strength(commands::strength::StrengthArgs),
    /// Run a program on random inputs until one fails, and shrink that to the smallest that does.
    Stress(commands::stress::StressArgs),
    /// Solve plain 9x9 grids as fast as the machine can.
    Solve(commands::solve::SolveArgs),
    /// Show what isolation this machine gives, what makes its timing noisy, and what to do about both.
    Doctor(commands::doctor::DoctorArgs),
    /// Tell where the cache of trials is and what is in it, or clear it.
    Cache(commands::cache::CacheArgs),
    /// Begin a folder of problems, with one that works.
    Init(commands::init::InitArgs),
    /// Begin a problem: a commented spec, a statement, a sample case.
    New(Box<commands::new::NewArgs>),
    /// Print the JSON Schema of a file, for editors and other programs.
    Schema(commands::schema::SchemaArgs),
    /// Print what a shell needs to complete commands and options.
    Completions(commands::completions::CompletionsArgs),
    /// Print a page of the manual, or write all of them into a folder.
    Man(commands::man::ManArgs),
}

/// Where help lists what all commands take.
const EVERYWHERE: &str = "Global options";

#[derive(Debug, Args)]
struct GlobalOptions {
    /// Folder of `judge.toml` [default: the nearest one upwards]
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = EVERYWHERE)]
    directory: Option<PathBuf>,
    /// Only what is not as expected
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = EVERYWHERE)]
    quiet: bool,
    /// Every finding of every submission that is not accepted
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    verbose: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, help_heading = EVERYWHERE)]
    color: ColorWhen,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColorWhen {
    Auto,
    Always,
    Never,
}

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandOutcome {
    AsExpected,
    Surprising,
    Failed,
    Interrupted,
}

/// Why a command did not run to its end.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl GlobalOptions {
    /// Opens the judge's folder.
    fn folder(&self) -> Result<JudgeFolder, Mistakes> {
        JudgeFolder::open(&self.root()?)
    }

    /// Where `judge.toml` is.
    fn root(&self) -> Result<PathBuf, Mistakes> {
        self.directory.clone().map_or_else(|| Config::find(&PathBuf::new()), Ok)
    }
}

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    // Before anything is made that would stay.
    if let Err(fault) = signals::listen() {
        screen::fault(&fault);
        return ExitCode::from(3);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return ExitCode::from(shown(&error));
        }
    };
    let Cli { common, command } = cli;
    screen::choose_colour(common.color);
    let ending = match &command {
        Command::Grade(grade) => commands::grade::run(grade, &common),
        Command::Verify(verify) => commands::verify::run(verify, &common),
        Command::List(list) => commands::list::run(list, &common),
        Command::Report(report) => commands::report::run(report, &common),
        Command::Answers(answers) => commands::answers::run(answers, &common),
        Command::Generate(generate) => commands::generate::run(generate, &common),
        Command::Baseline(save) => commands::baseline::run(save, &common),
        Command::Compare(compare) => commands::compare::run(compare, &common),
        Command::Check(check) => commands::check::run(check, &common),
        Command::Standings(standings) => commands::standings::run(standings, &common),
        Command::Strength(strength) => commands::strength::run(strength, &common),
        Command::Stress(stress) => commands::stress::run(stress, &common),
        Command::Solve(solve) => commands::solve::run(solve, &common),
        Command::Doctor(doctor) => commands::doctor::run(doctor, &common),
        Command::Cache(cache) => commands::cache::run(cache, &common),
        Command::Init(init) => commands::init::run(init, &common),
        Command::New(new) => commands::new::run(new, &common),
        Command::Schema(schema) => commands::schema::run(schema),
        Command::Completions(completions) => commands::completions::run(completions),
        Command::Man(manual) => commands::man::run(manual),
    };
    ExitCode::from(match ending {
        Ok(CommandOutcome::AsExpected) => 0,
        Ok(CommandOutcome::Surprising) => 1,
        Ok(CommandOutcome::Failed) => 3,
        Ok(CommandOutcome::Interrupted) => 130,
        Err(CommandError::Mistakes(mistakes)) => {
            screen::mistakes(&mistakes);
            2
        }
        Err(CommandError::Fault(fault)) => {
            screen::fault(&fault);
            3
        }
    })
}

/// Prints what the command line came to that is no command, be it help or what is wrong with it; the exit code.
fn shown(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        // Help was asked for. A closed pipe is no error, and where standard error takes nothing nothing can be said.
        Err(failed) if !error.use_stderr() && failed.kind() != ErrorKind::BrokenPipe => {
            screen::fault(&Fault::new("writing to standard output", failed));
            3
        }
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}
