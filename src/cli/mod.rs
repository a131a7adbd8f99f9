//! The commands, one file each. Knows everything below and is known by nothing; the only place, beside the launcher,
//! that touches standard output, standard error and exit codes.

mod answers;
mod audience;
mod baseline;
mod bounded;
mod cache;
mod caching;
mod check;
mod chosen;
mod compare;
mod completions;
mod contest;
mod court;
mod doctor;
mod file;
mod generate;
mod grade;
mod holding;
mod init;
mod known;
mod languages;
mod levels;
mod list;
mod logs;
mod man;
mod nearby;
mod new;
mod opening;
mod output;
mod page;
mod report;
mod reports;
mod repository;
mod schema;
mod screen;
mod selection;
mod session;
mod signals;
mod solve;
mod standings;
mod status;
mod strength;
mod stress;
mod suggest;
mod verify;
mod watching;

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
use crate::spec::Folder;
use crate::spec::Mistakes;
use gridjudge_sandbox::Fault;

/// Judge programs for grid problems, and say exactly which cell is wrong.
#[derive(Debug, Parser)]
#[command(name = "gridjudge", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 everything as expected; 1 some submission is not; 2 wrong usage, configuration, \
                          spec or case; 3 the judge itself failed; 130 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge submissions; without any, every problem's example submissions.
    Grade(grade::Grade),
    /// Prove problems: cases in format, answers right, examples as their folders promise.
    Verify(verify::Verify),
    /// List the problems that are here: cases, groups, limits, example submissions.
    List(list::List),
    /// Make reports from a log, at any later time.
    Report(report::Report),
    /// Write missing answers with the reference solver, or prove the stored ones.
    Answers(answers::Answers),
    /// Make cases from the recipes of problems, or compare the stored ones with them.
    Generate(generate::Generate),
    /// Keep what programs earn and take in a file, to compare with later.
    Baseline(baseline::Save),
    /// Tell what has changed since: verdicts, and times and memory beyond noise.
    Compare(compare::Compare),
    /// Judge an output without running anything.
    Check(check::Check),
    /// Rank the teams of a contest, from its log.
    Standings(standings::Standings),
    /// Hold solvers with one thing wrong each against a problem's cases, and tell which survive.
    Strength(strength::Strength),
    /// Run a program on random inputs until one fails, and shrink that to the smallest that does.
    Stress(stress::Stress),
    /// Solve plain 9x9 grids as fast as the machine can.
    Solve(solve::Solve),
    /// Tell what isolation this machine gives, what makes its timing noisy, and what to do about both.
    Doctor(doctor::Doctor),
    /// Tell where the cache of trials is and what is in it, or clear it.
    Cache(cache::CacheCommand),
    /// Begin a folder of problems, with one that works.
    Init(init::Init),
    /// Begin a problem: a commented spec, a statement, a sample case.
    New(Box<new::New>),
    /// Print the JSON Schema of a file, for editors and other programs.
    Schema(schema::Schema),
    /// Print what a shell needs to complete commands and options.
    Completions(completions::Completions),
    /// Print a page of the manual, or write all of them into a folder.
    Man(man::Manual),
}

/// Where help lists what all commands take.
const EVERYWHERE: &str = "Of every command";

#[derive(Debug, Args)]
struct Common {
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
    color: Color,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    AsExpected,
    Surprising,
    Failed,
    Interrupted,
}

/// Why a command did not run to its end.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error(transparent)]
    Mistakes(#[from] Mistakes),
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Common {
    /// Opens the judge's folder.
    fn folder(&self) -> Result<Folder, Mistakes> {
        Folder::open(&self.root()?)
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
        Command::Grade(grade) => grade::run(grade, &common),
        Command::Verify(verify) => verify::run(verify, &common),
        Command::List(list) => list::run(list, &common),
        Command::Report(report) => report::run(report, &common),
        Command::Answers(answers) => answers::run(answers, &common),
        Command::Generate(generate) => generate::run(generate, &common),
        Command::Baseline(save) => baseline::run(save, &common),
        Command::Compare(compare) => compare::run(compare, &common),
        Command::Check(check) => check::run(check, &common),
        Command::Standings(standings) => standings::run(standings, &common),
        Command::Strength(strength) => strength::run(strength, &common),
        Command::Stress(stress) => stress::run(stress, &common),
        Command::Solve(solve) => solve::run(solve, &common),
        Command::Doctor(doctor) => doctor::run(doctor, &common),
        Command::Cache(cache) => cache::run(cache, &common),
        Command::Init(init) => init::run(init, &common),
        Command::New(new) => new::run(new, &common),
        Command::Schema(schema) => schema::run(schema),
        Command::Completions(completions) => completions::run(completions),
        Command::Man(manual) => man::run(manual),
    };
    ExitCode::from(match ending {
        Ok(Ending::AsExpected) => 0,
        Ok(Ending::Surprising) => 1,
        Ok(Ending::Failed) => 3,
        Ok(Ending::Interrupted) => 130,
        Err(Stop::Mistakes(mistakes)) => {
            screen::mistakes(&mistakes);
            2
        }
        Err(Stop::Fault(fault)) => {
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
