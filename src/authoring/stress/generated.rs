//! Inputs for problems that are not of grids: a generator writes each one, the
//! problem's input validators must accept it, and a right program writes the answer.
//! All of these are the author's programs, so their failures are faults, which name the
//! command and the input. Start at [`GeneratedHarness`].

use std::fs::{File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io, iter};

use gridjudge_sandbox::{Fault, Limits, Sandbox};
use tempfile::TempDir;

use crate::authoring;
use crate::authoring::stress::{FuzzHarness, FuzzTarget, FuzzTargets};
use crate::checker::{self, GeneratorCall, InputOpinion};
use crate::model::{Case, CheckerProgram, CheckerProtocol, SourceFile, Trial};
use crate::text::{JoinedTexts, path_text};
use crate::trial;

/// The programs that make inputs, and those that check inputs and outputs.
pub struct InputPrograms {
    /// The generator and its name; `None` if the user brings the input.
    pub generator: Option<(CheckerProgram, String)>,
    /// The arguments of the generator.
    pub arguments: GeneratorArguments,
    /// The validators that must accept each input.
    pub validators: Vec<InputValidatorProgram>,
    /// The limits of one run of the generator or a validator.
    pub limits: Limits,
    /// The program that judges outputs, or that submissions interact with; `None` if
    /// the problem has none.
    pub checker: Option<Arc<CheckerProgram>>,
}

/// An input validator of a package.
pub struct InputValidatorProgram {
    /// Its name.
    pub name: String,
    /// The program.
    pub program: CheckerProgram,
    /// The protocol that it speaks.
    pub protocol: CheckerProtocol,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The files that it works among.
    pub files: Vec<SourceFile>,
}

/// An input on disk, and the right answer. Both files are deleted with the value.
pub struct GeneratedInput {
    /// The files. The name is the command that wrote the input, or the name of the file
    /// that the user brought.
    pub case: Case,
    _folder: TempDir,
}

/// Makes inputs with programs, and runs submissions on them.
pub struct GeneratedHarness<'a> {
    /// The programs that make and check inputs.
    pub programs: &'a InputPrograms,
    /// The program that writes the right answers; `None` for interactive problems,
    /// which have no answers.
    pub solution: Option<FuzzTarget<'a>>,
    /// The programs that are tested.
    pub targets: FuzzTargets<'a>,
    /// The sandbox in which all programs run.
    pub sandbox: &'a dyn Sandbox,
    /// The folder for the files of inputs.
    pub scratch: &'a Path,
}

impl FuzzHarness for GeneratedHarness<'_> {
    type Input = GeneratedInput;

    fn input(&self, number: u64) -> Result<Option<GeneratedInput>, Fault> {
        let Some((generator, name)) = &self.programs.generator else {
            return Ok(None);
        };
        let arguments = self.programs.arguments.of_input(number);
        let command = iter::once(name)
            .chain(&arguments)
            .map(String::as_str)
            .joined(" ");
        let call = GeneratorCall {
            program: generator,
            arguments: &arguments,
            stdin: None,
            stderr_as: None,
            limits: &self.programs.limits,
            doing: format!("generating an input by `{command}`"),
        };
        self.proven(&command, |input| call.write_to(input, self.sandbox))
            .map(Some)
    }

    fn targets(&self) -> FuzzTargets<'_> {
        self.targets
    }

    fn trial(
        &self,
        FuzzTarget { entry, program }: FuzzTarget<'_>,
        GeneratedInput { case, .. }: &GeneratedInput,
    ) -> Result<Trial, Fault> {
        let job = entry.job(case, program, self.programs.checker.clone());
        trial::judge_job(&job, self.sandbox)
            .map_err(|fault| without_files(fault, case))
    }
}

impl GeneratedHarness<'_> {
    /// Stores and validates an input that the user brought, and writes its answer.
    ///
    /// # Errors
    /// Returns a [`Fault`] if a validator refuses the input, or the solution writes no
    /// answer.
    pub fn brought(&self, name: &str, bytes: &[u8]) -> Result<GeneratedInput, Fault> {
        self.proven(name, |input| {
            fs::write(input, bytes).map_err(Fault::during("copying the input"))
        })
    }

    /// Writes an input with `write`, validates it, and writes its answer.
    fn proven(
        &self,
        name: &str,
        write: impl FnOnce(&Path) -> Result<(), Fault>,
    ) -> Result<GeneratedInput, Fault> {
        let failed = Fault::during("making a random input");
        let folder = tempfile::Builder::new()
            .prefix("input-")
            .tempdir_in(self.scratch)
            .map_err(failed)?;
        // A checker may run as another user.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))
            .map_err(failed)?;
        let case = Case {
            name: name.to_owned(),
            input: folder.path().join("in"),
            answer: folder.path().join("ans"),
        };
        write(&case.input)?;
        self.validate(&case)?;
        self.answer(&case)?;
        Ok(GeneratedInput {
            case,
            _folder: folder,
        })
    }

    fn validate(&self, case: &Case) -> Result<(), Fault> {
        let InputPrograms {
            validators, limits, ..
        } = self.programs;
        for InputValidatorProgram {
            name,
            program,
            protocol,
            arguments,
            files,
        } in validators
        {
            let opinion = checker::validate_input(
                program,
                arguments,
                *protocol,
                limits,
                &case.input,
                files,
                self.sandbox,
            )?;
            let cause = match opinion {
                InputOpinion::Valid => continue,
                InputOpinion::Refused(said) => format!("it refuses it: {said}"),
                InputOpinion::Failed(cause) => cause,
            };
            let doing = format!(
                "asking the input validator {name} about the input of `{}`",
                case.name
            );
            let remedy = "correct what writes the input, or the validator";
            return Err(Fault::because(doing, cause).with_remedy(remedy));
        }
        Ok(())
    }

    /// Writes the answer of the solution, or an empty file if there is no solution.
    fn answer(&self, case: &Case) -> Result<(), Fault> {
        let file = File::create_new(&case.answer)
            .map_err(Fault::during("making the answer to a random input"))?;
        let Some(FuzzTarget { entry, program }) = self.solution else {
            return Ok(());
        };
        let file = io::BufWriter::new(file);
        let refused =
            authoring::write_answer(entry, program, case, self.sandbox, file)?;
        let Some(why) = refused else {
            return Ok(());
        };
        let name = &entry.submission.name;
        let doing = format!(
            "running the solution {name} on the input of `{}`",
            case.name
        );
        let remedy = "correct it, name another with `--solution`, or have smaller \
                      inputs written";
        Err(Fault::because(doing, why).with_remedy(remedy))
    }
}

/// Replaces the files of `case` in the remedy of a fault by placeholders, because they
/// are deleted before a user reads it.
fn without_files(fault: Fault, case: &Case) -> Fault {
    let Some(remedy) = &fault.remedy else {
        return fault;
    };
    let text = remedy
        .replace(&path_text(&case.input), "INPUT")
        .replace(&path_text(&case.answer), "ANSWER");
    if text == *remedy {
        fault
    } else {
        fault.with_remedy(format!("{text}; INPUT is what `{}` writes", case.name))
    }
}

// The arguments of a generator for each input: words in which `{seed}` is replaced by a
// number that differs for each input, and `{size}` by one that grows.

/// How many inputs have the same size.
const INPUTS_OF_A_SIZE: u64 = 10;

/// The names of the placeholders, without their braces.
pub const PLACEHOLDERS: [&str; 2] = ["seed", "size"];

/// Words with placeholders.
#[derive(Clone, Debug, Default)]
pub struct GeneratorArguments {
    words: Vec<String>,
    seed: u64,
}

impl GeneratorArguments {
    /// Splits a text into words at white space. If none contains `{seed}`, the seed is
    /// appended as a word, because otherwise all inputs would be the same.
    ///
    /// # Errors
    /// Returns the name of an unknown placeholder.
    pub fn read(text: &str, seed: u64) -> Result<Self, String> {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        if !text.contains("{seed}") {
            words.push("{seed}".to_owned());
        }
        let mut named = text
            .split('{')
            .skip(1)
            .filter_map(|rest| rest.split_once('}'));
        match named.find(|(name, _)| !PLACEHOLDERS.contains(name)) {
            Some((unknown, _)) => Err(unknown.to_owned()),
            None => Ok(Self { words, seed }),
        }
    }

    /// The arguments for an input. Its seed is the first seed plus its number. The size
    /// is 1 for the first ten inputs, 2 for the next ten, and so on, so that the first
    /// failing input is small.
    pub fn of_input(&self, number: u64) -> Vec<String> {
        let seed = self.seed.wrapping_add(number).to_string();
        let size = (1 + number / INPUTS_OF_A_SIZE).to_string();
        self.words
            .iter()
            .map(|word| word.replace("{seed}", &seed).replace("{size}", &size))
            .collect()
    }
}

#[cfg(test)]
mod generator_arguments_tests {
    use super::*;

    #[test]
    fn seeds_differ_and_sizes_grow() {
        let arguments =
            GeneratorArguments::read(" n={size}  x --seed={seed} ", 40).unwrap();
        assert_eq!(arguments.of_input(0), ["n=1", "x", "--seed=40"]);
        assert_eq!(arguments.of_input(9), ["n=1", "x", "--seed=49"]);
        assert_eq!(arguments.of_input(10), ["n=2", "x", "--seed=50"]);
        assert_eq!(GeneratorArguments::read("", 7).unwrap().of_input(1), ["8"]);
        assert_eq!(
            GeneratorArguments::read("10 {size}", 7)
                .unwrap()
                .of_input(1),
            ["10", "1", "8"]
        );
    }

    #[test]
    fn an_unknown_placeholder_is_named() {
        assert_eq!(GeneratorArguments::read("{sed}", 1).unwrap_err(), "sed");
        assert_eq!(GeneratorArguments::read("{seed} {}", 1).unwrap_err(), "");
        assert!(GeneratorArguments::read("{ seed", 1).is_ok());
    }
}
