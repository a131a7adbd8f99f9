//! The commands: their names and examples, and who needs which. A file for each command
//! has its arguments, and what it does; small ones share a file. Commands do not call
//! each other. Start at [`Cli::parse_arguments`].

mod answers;
mod baseline;
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
    Grade(Box<grade::GradeArgs>),
    /// Prove problems: cases, answers, and verdicts of the examples.
    Verify(Box<verify::VerifyArgs>),
    /// List problems: cases, groups, limits, example submissions.
    List(list::ListArgs),
    /// Write a problem as a package for another judge.
    ///
    /// Lists what the format cannot express.
    Export(export::ExportArgs),
    /// Make reports from a log, at any later time.
    Report(report::ReportArgs),
    /// Write missing answers, or prove the stored ones.
    ///
    /// The reference solver finds them, or the model solution of a problem that is not
    /// about grids.
    Answers(answers::AnswersArgs),
    /// Make cases from recipes, or compare the stored ones with them.
    Generate(generate::GenerateArgs),
    /// Save verdicts, times and memory, to compare with later.
    Baseline(baseline::BaselineArgs),
    /// Show what has changed since a baseline, beyond noise.
    Compare(baseline::CompareArgs),
    /// Judge an existing output.
    Check(check::CheckArgs),
    /// Rank the teams of a contest from its log.
    Standings(report::StandingsArgs),
    /// Show which solvers with one fault each survive a problem's cases.
    ///
    /// Such a solver is called a mutant. A program with the fault of a surviving mutant
    /// would be accepted.
    Strength(strength::StrengthArgs),
    /// Look for a small random input on which a program fails.
    Stress(stress::request::StressArgs),
    /// Solve plain 9x9 grids as fast as the machine can.
    Solve(solve::SolveArgs),
    /// Show which shard would judge what, and for how long.
    ///
    /// A shard is the part that one of several machines judges. `plan` judges nothing.
    Plan(merge::PlanArgs),
    /// Merge the logs of shards, and prove that none is missing.
    Merge(Box<merge::MergeArgs>),
    /// Show what isolation this machine offers, and how noisy it is.
    ///
    /// Names a remedy for each defect. For a package, shows what is understood of it.
    Doctor(doctor::DoctorArgs),
    /// Show or clear the cache of results.
    Cache(doctor::CacheArgs),
    /// Create a folder of problems, with a working example.
    Init(init::InitArgs),
    /// Create a problem: a commented spec, a statement, a sample case.
    New(Box<new::NewArgs>),
    /// Print the JSON Schema of a file, for editors and other programs.
    Schema(reference::SchemaArgs),
    /// Print the script with which a shell completes command lines.
    Completions(completions::CompletionsArgs),
    /// Print a page of the manual, or write all of them into a folder.
    Man(reference::ManArgs),
}

/// An example of each command, in the order of the commands.
const EXAMPLES: [&str; 23] = [
    "grade examples/finals --log finals.jsonl",
    "verify first-4x4 --suggest-limits",
    "list --json",
    "export first-4x4 --to domjudge first.zip",
    "report finals.jsonl --html report.html",
    "answers first-4x4 --check",
    "generate --check",
    "baseline monday.jsonl -o baseline.txt",
    "compare baseline.txt friday.jsonl",
    "check -p first-4x4 cases/first-4x4/sample/1.in out.txt",
    "standings finals.jsonl --freeze 4:00",
    "strength first-4x4",
    "stress problems/first-4x4/submissions/wrong/rows_only.py --time 10s",
    "solve --unique puzzles.txt >solutions.txt",
    "plan --shards 4",
    "merge logs --html report.html",
    "doctor",
    "cache show",
    "init judge --ci github",
    "new evens --task tokens",
    "schema problem >problem.schema.json",
    "completions zsh >_gridjudge",
    "man grade | man -l -",
];

impl Cli {
    /// The commands, each of which ends its long help with its example.
    fn with_examples() -> Command {
        EXAMPLES
            .into_iter()
            .fold(Self::command(), |whole, example| {
                let name = example.split(' ').next().unwrap_or(example);
                whole.mut_subcommand(name, |command| {
                    command
                        .after_long_help(format!("Example:\n  gridjudge {example}"))
                })
            })
    }

    /// The command line of this process.
    pub(super) fn parse_arguments() -> Result<Self, clap::Error> {
        by_role(Self::with_examples())
            .try_get_matches()
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
            Plan(plan) => merge::show_plan(plan, common),
            Merge(merge) => merge::run(merge),
            Doctor(doctor) => doctor::run(doctor, common),
            Cache(cache) => doctor::show_cache(cache, common),
            Init(init) => init::run(init, common),
            New(new) => new::run(new, common),
            Schema(schema) => reference::print_schema(schema),
            Completions(completions) => {
                // Only then, options that every command accepts are those of each.
                let mut whole = Cli::with_examples();
                whole.build();
                completions::run(completions, whole)
            }
            Man(man) => reference::print_manual(man, Cli::with_examples()),
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
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
    else {
        return error;
    };
    let option = option.split_once('=').map_or(&**option, |(name, _)| name);
    let owners: Vec<_> = whole
        .get_subcommands()
        .filter(|command| {
            command
                .get_arguments()
                .any(|argument| is_option(argument, option))
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
        let mut all = Cli::with_examples().disable_help_subcommand(true);
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
        let mut all = by_role(Cli::with_examples());
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
