//! The help of the whole command line: its commands, by the people who need them.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// Who needs which commands, in the order in which they are usually needed.
const ROLES: [(&str, &[&str]); 5] = [
    (
        "Contest staff and teachers",
        &["grade", "standings", "report"],
    ),
    (
        "Problem setters",
        &[
            "init", "new", "list", "verify", "answers", "generate", "strength", "export",
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

/// The command line, whose help shows commands by role, each with the first sentence of its own help.
pub(super) fn by_role(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (role, names) in ROLES {
        help += &format!("{header}{role}:{header:#}\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            help += &format!("  {literal}{name:<11}{literal:#}  {about}\n");
        }
        help.push('\n');
    }
    help += "`gridjudge help COMMAND` describes a command, and ends with an example.\n\n";
    help += &format!("{header}Options:{header:#}\n{{options}}{{after-help}}");
    command.help_template(help)
}

/// The error about an unknown option, with the commands that know it, if there are some.
pub(super) fn with_owners(mut error: clap::Error, whole: &Command) -> clap::Error {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let option = option.split_once('=').map_or(&**option, |(name, _)| name);
    let owners = whole.get_subcommands().filter(|command| {
        let mut arguments = command.get_arguments();
        arguments.any(|argument| is_option(argument, option))
    });
    let owners: Vec<_> = owners
        .map(|command| format!("`{}`", command.get_name()))
        .collect();
    let tip = match &owners[..] {
        [] => return error,
        [only] => format!("`{option}` belongs to {only}"),
        [first @ .., last] => format!("`{option}` belongs to {} and {last}", first.join(", ")),
    };
    let tips = ContextValue::StyledStrs(vec![tip.into()]);
    if error.kind() == ErrorKind::UnknownArgument {
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

/// Whether an argument is the option of this name, as `--html` or `-p`.
fn is_option(argument: &Arg, name: &str) -> bool {
    match name.strip_prefix("--") {
        Some(long) => argument.get_long() == Some(long),
        None => argument
            .get_short()
            .is_some_and(|short| *name == format!("-{short}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_has_a_role_and_every_role_only_known_commands() {
        let command = Cli::command();
        let mut known: Vec<_> = command.get_subcommands().map(Command::get_name).collect();
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
