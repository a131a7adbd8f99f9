//! `gridjudge completions`: prints scripts with which a shell completes commands,
//! options and their values. For names of problems, cases and groups, those of bash,
//! zsh and fish call this command again, with the words of the command line. Nothing is
//! run or written for that.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Arg, Args, Command};
use clap_complete::Shell;

use crate::cli::args::is_option;
use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, PackageChoice, screen,
};
use crate::spec::AnswerRequirement;

use NameKind::*;

/// The most names that are proposed.
const MOST_NAMES: usize = 2_000;

/// The beginning of the function that completes, in bash and zsh.
const FUNCTION: &str = "_gridjudge() {\n";

/// Proposes names in bash. A program of that name in the current folder is not called,
/// as `$1` would be.
const OF_BASH: &str = r#"    local name
    COMPREPLY=()
    while IFS= read -r name; do
        COMPREPLY+=("$name")
    done < <(command gridjudge completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
    if (( ${#COMPREPLY[@]} )); then
        return 0
    fi
"#;

const OF_ZSH: &str = r#"    local -a names
    names=(${(f)"$(command gridjudge completions zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)"})
    if (( $#names )); then
        compset -P '--[a-z]##='
        compadd -a names
        return
    fi
"#;

const OF_FISH: &str = r"
function __fish_gridjudge_names
    command gridjudge completions fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null </dev/null
end
complete -c gridjudge -a '(__fish_gridjudge_names)'
";

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
    /// The words of a command line up to the one to complete, whose names to print in
    /// place of the script
    #[arg(last = true, hide = true)]
    words: Vec<String>,
}

/// Prints the completion script of a command line, or the names that its last word may
/// become.
pub(crate) fn run(completions: &CompletionsArgs, command: Command) -> CommandResult {
    if completions.words.is_empty() {
        screen::document(script(completions.shell, command).as_bytes())?;
    } else if let Some(wanted) = WantedNames::of_words(&command, &completions.words) {
        for name in wanted.names().iter().take(MOST_NAMES) {
            screen::result(name)?;
        }
    }
    Ok(CommandOutcome::AsExpected)
}

fn script(shell: Shell, mut command: Command) -> String {
    let mut script = vec![];
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        // Bash quotes names of files only where it finds them itself.
        Shell::Bash => script
            .replacen(FUNCTION, &[FUNCTION, OF_BASH].concat(), 1)
            .replace(r#"($(compgen -f "${cur}"))"#, "()"),
        Shell::Zsh => script.replacen(FUNCTION, &[FUNCTION, OF_ZSH].concat(), 1),
        Shell::Fish => {
            script.lines().map(with_names_of_fish).collect::<String>() + OF_FISH
        }
        _ => script.into_owned(),
    }
}

/// A line of the script of fish; that of an option whose values are names proposes
/// these.
fn with_names_of_fish(line: &str) -> String {
    let has = |option: &str| line.ends_with(" -r") && line.contains(option);
    let proposal = if has(" -l case ") || has(" -l group ") {
        " -f -a '(__fish_gridjudge_names)'"
    } else if has(" -l problem ") {
        // It may also be the path of a package.
        " -a '(__fish_gridjudge_names)'"
    } else {
        ""
    };
    [line, proposal, "\n"].concat()
}

/// The kinds of names that are proposed.
#[derive(PartialEq)]
enum NameKind {
    Problem,
    Case,
    Group,
}

impl NameKind {
    fn of_argument(argument: &Arg) -> Option<Self> {
        match argument.get_long() {
            Some("problem") => Some(Problem),
            Some("case") => Some(Case),
            Some("group") => Some(Group),
            Some(_) => None,
            None => {
                let names = argument.get_value_names()?;
                (names == ["PROBLEM"]).then_some(Problem)
            }
        }
    }
}

/// The names that may stand at the end of an unfinished command line.
struct WantedNames {
    kind: NameKind,
    /// What is written of the name.
    beginning: String,
    /// The problems that are named before it.
    problems: Vec<String>,
    directory: Option<PathBuf>,
}

impl WantedNames {
    /// The names that the last of these words may become; `None` if it is no name.
    fn of_words(command: &Command, words: &[String]) -> Option<Self> {
        let (last, before) = words.split_last()?;
        let mut command = command;
        let mut option: Option<&Arg> = None;
        let mut positionals = 0;
        let mut wanted = Self {
            kind: Problem,
            beginning: last.clone(),
            problems: vec![],
            directory: None,
        };
        // Bash makes three words of `--problem=evens`.
        for word in before.iter().filter(|word| *word != "=") {
            if let Some(argument) = option.take() {
                wanted.note_argument(argument, word);
            } else if word.starts_with('-') {
                let (name, value) = split_at_value(word);
                let argument = with_name(command, name);
                match (argument, value) {
                    (Some(argument), Some(value)) => {
                        wanted.note_argument(argument, value)
                    }
                    (found, _) => option = found,
                }
            } else if let Some(found) = command.find_subcommand(word) {
                command = found;
            } else {
                positionals += 1;
            }
        }
        let argument = match option {
            Some(argument) => argument,
            None if last.starts_with('-') => {
                let (name, value) = split_at_value(last);
                value?.clone_into(&mut wanted.beginning);
                with_name(command, name)?
            }
            None => command
                .get_positionals()
                .nth(positionals)
                .or_else(|| command.get_positionals().last())?,
        };
        if wanted.beginning == "=" {
            wanted.beginning.clear();
        }
        wanted.kind = NameKind::of_argument(argument)?;
        Some(wanted)
    }

    /// Takes note of an option and its value.
    fn note_argument(&mut self, argument: &Arg, value: &str) {
        if argument.get_short() == Some('C') {
            self.directory = Some(value.into());
        } else if NameKind::of_argument(argument) == Some(Problem) {
            self.problems.push(value.to_owned());
        }
    }

    /// The names. A folder or problem that cannot be read has none.
    fn names(&self) -> BTreeSet<String> {
        let common = GlobalOptions {
            directory: self.directory.clone(),
            ..GlobalOptions::default()
        };
        let named: &[String] = match self.kind {
            Problem => &[],
            Case | Group => &self.problems,
        };
        let Ok(folder) = common.folder_with(named, &PackageChoice::default()) else {
            return BTreeSet::new();
        };
        let folder = folder.with_case_maker(None);
        let mut names = BTreeSet::new();
        for problem in folder.problems() {
            if self.kind == Problem {
                names.insert(problem.id.clone());
            } else if named.is_empty()
                || named.iter().any(|name| folder.id_of(name) == problem.id)
            {
                let cases = problem
                    .cases(AnswerRequirement::Optional)
                    .unwrap_or_default();
                names.extend(cases.into_iter().map(|case| match self.kind {
                    Group => case.group().to_owned(),
                    _ => case.name,
                }));
            }
        }
        names.retain(|name| name.starts_with(&self.beginning) && is_plain(name));
        names
    }
}

/// The name of an option, and its value if both are one word.
fn split_at_value(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((name, value)) if word.starts_with("--") => (name, Some(value)),
        _ => (word, None),
    }
}

/// The option of a command with this name that takes a value.
fn with_name<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|argument| {
        is_option(argument, name) && argument.get_action().takes_values()
    })
}

/// Whether a shell takes a name as it is: bash inserts it into the command line without
/// quotes, and folders of strangers may have files with the name of a command.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_./+@,%".contains(letter))
}
