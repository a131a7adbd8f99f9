//! The commands: their names and examples, and who needs which. A file for each command
//! has its arguments, and what it does; small ones share a file. Commands do not call
//! each other. Start at [`Cli::parse_arguments`].

mod answers;
mod baseline;
mod cache;
mod check;
mod completions;
mod doctor;
mod export;
pub(super) mod generate;
mod grade;
mod init;
mod list;
mod merge;
mod new;
mod plan;
mod reference;
mod report;
mod solve;
mod strength;
mod stress;
mod verify;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::args::is_option;
use crate::cli::{CommandResult, GlobalOptions};

/// Judge programs on contest problems, and say exactly why an output is wrong.
#[derive(Parser)]
#[command(
    name = "gridjudge",
    version,
    arg_required_else_help = true,
    max_term_width = 80
)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: GlobalOptions,
    #[command(subcommand)]
    command: CommandArgs,
}

const EXIT_CODES: &str = "Exit codes: 0 everything as expected; 1 some submission is not; 2 wrong \
                          usage, configuration, spec or case; 3 the judge itself failed, or a \
                          program that you named could not be judged here; 130 interrupted.";

#[derive(Subcommand)]
enum CommandArgs {
    /// Judge submissions; without any, all example submissions.
    ///
    /// A trial is a submission on one case. Its verdict is `AC` if it is accepted, and `SK`
    /// if it was skipped, because it cannot be judged here or no longer counts.
    /// docs/verdicts.md describes all verdicts.
    #[command(
        after_long_help = "Example:\n  gridjudge grade examples/finals --log finals.jsonl"
    )]
    Grade(Box<grade::GradeArgs>),
    /// Prove problems: cases, answers, and verdicts of the examples.
    #[command(
        after_long_help = "Example:\n  gridjudge verify first-4x4 --suggest-limits"
    )]
    Verify(Box<verify::VerifyArgs>),
    /// List problems: cases, groups, limits, example submissions.
    #[command(after_long_help = "Example:\n  gridjudge list --json")]
    List(list::ListArgs),
    /// Write a problem as a package for another judge.
    ///
    /// Lists what the format cannot express.
    #[command(
        after_long_help = "Example:\n  gridjudge export first-4x4 --to domjudge first.zip"
    )]
    Export(export::ExportArgs),
    /// Make reports from a log, at any later time.
    #[command(
        after_long_help = "Example:\n  gridjudge report finals.jsonl --html report.html"
    )]
    Report(report::ReportArgs),
    /// Write missing answers, or prove the stored ones.
    ///
    /// The reference solver finds them, or the model solution of a problem that is not
    /// about grids.
    #[command(after_long_help = "Example:\n  gridjudge answers first-4x4 --check")]
    Answers(answers::AnswersArgs),
    /// Make cases from recipes, or compare the stored ones with them.
    #[command(after_long_help = "Example:\n  gridjudge generate --check")]
    Generate(generate::GenerateArgs),
    /// Save verdicts, times and memory, to compare with later.
    #[command(
        after_long_help = "Example:\n  gridjudge baseline monday.jsonl -o baseline.txt"
    )]
    Baseline(baseline::BaselineArgs),
    /// Show what has changed since a baseline, beyond noise.
    #[command(
        after_long_help = "Example:\n  gridjudge compare baseline.txt friday.jsonl"
    )]
    Compare(baseline::CompareArgs),
    /// Judge an existing output.
    #[command(
        after_long_help = "Example:\n  gridjudge check -p first-4x4 cases/first-4x4/sample/1.in out.txt"
    )]
    Check(check::CheckArgs),
    /// Rank the teams of a contest from its log.
    #[command(
        after_long_help = "Example:\n  gridjudge standings finals.jsonl --freeze 4:00"
    )]
    Standings(report::StandingsArgs),
    /// Show which solvers with one fault each survive a problem's cases.
    ///
    /// Such a solver is called a mutant. A program with the fault of a surviving mutant
    /// would be accepted.
    #[command(after_long_help = "Example:\n  gridjudge strength first-4x4")]
    Strength(strength::StrengthArgs),
    /// Look for a small random input on which a program fails.
    #[command(
        after_long_help = "Example:\n  gridjudge stress problems/first-4x4/submissions/wrong/rows_only.py --time 10s"
    )]
    Stress(stress::request::StressArgs),
    /// Solve plain 9x9 grids as fast as the machine can.
    #[command(
        after_long_help = "Example:\n  gridjudge solve --unique puzzles.txt >solutions.txt"
    )]
    Solve(solve::SolveArgs),
    /// Show which shard would judge what, and for how long.
    ///
    /// A shard is the part that one of several machines judges. `plan` judges nothing.
    #[command(after_long_help = "Example:\n  gridjudge plan --shards 4")]
    Plan(plan::PlanArgs),
    /// Merge the logs of shards, and prove that none is missing.
    #[command(after_long_help = "Example:\n  gridjudge merge logs --html report.html")]
    Merge(Box<merge::MergeArgs>),
    /// Show what isolation this machine offers, and how noisy it is.
    ///
    /// Names a remedy for each defect. For a package, shows what is understood of it.
    #[command(after_long_help = "Example:\n  gridjudge doctor")]
    Doctor(doctor::DoctorArgs),
    /// Show or clear the cache of results.
    #[command(after_long_help = "Example:\n  gridjudge cache show")]
    Cache(cache::CacheArgs),
    /// Create a folder of problems, with a working example.
    #[command(after_long_help = "Example:\n  gridjudge init judge --ci github")]
    Init(init::InitArgs),
    /// Create a problem: a commented spec, a statement, a sample case.
    #[command(after_long_help = "Example:\n  gridjudge new evens --task tokens")]
    New(Box<new::NewArgs>),
    /// Print the JSON Schema of a file, for editors and other programs.
    #[command(
        after_long_help = "Example:\n  gridjudge schema problem >problem.schema.json"
    )]
    Schema(reference::SchemaArgs),
    /// Print the script with which a shell completes command lines.
    #[command(after_long_help = "Example:\n  gridjudge completions zsh >_gridjudge")]
    Completions(completions::CompletionsArgs),
    /// Print a page of the manual, or write all of them into a folder.
    #[command(after_long_help = "Example:\n  gridjudge man grade | man -l -")]
    Man(reference::ManArgs),
}

impl Cli {
    /// The command line of this process.
    pub(super) fn parse_arguments() -> Result<Self, clap::Error> {
        let matches = by_role(Self::command()).try_get_matches();
        matches
            .and_then(|found| Self::from_arg_matches(&found))
            .map_err(|error| with_owners(error, &Self::command()))
    }

    /// Runs the command.
    pub(super) fn run(&self) -> CommandResult {
        use CommandArgs::*;
        let common = &self.common;
        match &self.command {
            Grade(grade) => grade::run(grade, common),
            Verify(verify) => verify::run(verify, common),
            List(list) => list::run(list, common),
            Export(export) => export::run(export, common),
            Report(report) => report::make_reports(report),
            Answers(answers) => answers::run(answers, common),
            Generate(generate) => generate::run(generate, common),
            Baseline(save) => baseline::save(save),
            Compare(compare) => baseline::show_changes(compare),
            Check(check) => check::run(check, common),
            Standings(standings) => report::rank_teams(standings),
            Strength(strength) => strength::run(strength, common),
            Stress(stress) => stress::run(stress, common),
            Solve(solve) => solve::run(solve),
            Plan(plan) => plan::run(plan, common),
            Merge(merge) => merge::run(merge),
            Doctor(doctor) => doctor::run(doctor, common),
            Cache(cache) => cache::run(cache, common),
            Init(init) => init::run(init, common),
            New(new) => new::run(new, common),
            Schema(schema) => reference::print_schema(schema),
            Completions(completions) => {
                // Only then, options that every command accepts are those of each.
                let mut whole = Cli::command();
                whole.build();
                completions::run(completions, whole)
            }
            Man(man) => reference::print_manual(man, Cli::command()),
        }
    }
}

/// Who needs which commands, in the order in which they are usually needed.
const ROLES: [(&str, &[&str]); 5] = [
    (
        "Contest staff and teachers",
        &["grade", "standings", "report"],
    ),
    (
        "Problem setters",
        &[
            "init", "new", "list", "verify", "answers", "generate", "strength",
            "export",
        ],
    ),
    ("Authors of solvers", &["grade", "stress", "check", "solve"]),
    (
        "Continuous integration, several machines",
        &["init", "baseline", "compare", "plan", "merge"],
    ),
    (
        "The program and its machine",
        &["doctor", "cache", "schema", "completions", "man"],
    ),
];

/// The command line, whose help shows commands by role, each with the first sentence of
/// its own help.
fn by_role(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (role, names) in ROLES {
        help += &format!("{header}{role}:{header:#}\n");
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map(ToString::to_string)
                .unwrap_or_default();
            help += &format!("  {literal}{name:<11}{literal:#}  {about}\n");
        }
        help.push('\n');
    }
    help +=
        "`gridjudge help COMMAND` describes a command, and ends with an example.\n\n";
    help += &format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(help)
}

/// The error about an unknown option, with the commands that know it, if there are
/// some.
fn with_owners(mut error: clap::Error, whole: &Command) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = option.split_once('=').map_or(&**option, |(name, _)| name);
    let owners: Vec<_> = whole
        .get_subcommands()
        .filter(|command| {
            let mut arguments = command.get_arguments();
            arguments.any(|argument| is_option(argument, option))
        })
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    let tip = match &owners[..] {
        [] => return error,
        [only] => format!("`{option}` belongs to {only}"),
        [first @ .., last] => {
            format!("`{option}` belongs to {} and {last}", first.join(", "))
        }
    };
    let tips = ContextValue::StyledStrs(vec![tip.into()]);
    if error.kind() == ErrorKind::UnknownArgument {
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_role_and_every_role_only_known_commands() {
        let command = Cli::command();
        let mut known: Vec<_> =
            command.get_subcommands().map(Command::get_name).collect();
        let mut named: Vec<_> = ROLES
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        known.sort_unstable();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named, known);
    }

    #[test]
    fn the_help_of_a_command_ends_with_an_example_that_the_command_line_accepts() {
        let mut all = Cli::command().disable_help_subcommand(true);
        all.build();
        for command in all.get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            let (_, example) = help.split_once("\nExample:\n  ").expect(&name);
            let words = example.trim_end().split(' ');
            // The rest is for the shell.
            let words: Vec<_> = words
                .take_while(|word| !word.starts_with(['>', '|']))
                .collect();
            assert_eq!(words[..2], ["gridjudge", &name]);
            let parsed = Cli::command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{example}: {parsed:?}");
        }
    }

    #[test]
    fn help_fits_80_columns() {
        let mut all = by_role(Cli::command());
        all.build();
        let mut pages = vec![all.render_help().to_string()];
        for command in all.get_subcommands_mut() {
            pages.push(command.render_help().to_string());
            pages.push(command.render_long_help().to_string());
        }
        for line in pages.iter().flat_map(|page| page.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
