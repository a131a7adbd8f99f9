//! Checks the inputs of a package with its own input validators: every case must be
//! valid to all of them, and every invalid example must be refused by at least one.

use gridjudge_sandbox::Fault;

use crate::checker::{InputOpinion, validate_input};
use crate::checktestdata::{CtdFailure, CtdProgram, CtdSpaces};
use crate::cli::packages::package_tools::InputValidator;
use crate::cli::{
    CheckFinding, CheckList, ProblemCases, StatusLine, ToolMaker, in_parallel,
    package_tools,
};
use crate::files;
use crate::mistake::Mistake;
use crate::model::{Case, CaseSupply, ProblemCheck};
use crate::text::counted;

use InputOpinion::{Failed, Refused, Valid};

/// The most bytes of an input that is checked against rules.
const MOST_INPUT: u64 = 256 << 20;

/// Runs the input validators of a package on its inputs: those of the cases and of
/// example outputs must be valid, and those that must be invalid refused.
pub(super) fn check_inputs(
    subject: &ProblemCases,
    maker: &ToolMaker<'_>,
    status: &StatusLine,
    list: &mut CheckList,
) -> Result<(), Fault> {
    let package = maker.package;
    let validation = &package.validation;
    for (name, reason) in &validation.not_run {
        let text = format!("the input validator {name} is not run: {reason}");
        list.warning(CheckFinding::about(
            ProblemCheck::InputValidators,
            &package.file,
            text,
        ));
    }
    let mut found = package_tools::input_rules(package);
    maker.add_input_programs(&mut found)?;
    for (name, mistake) in found.unusable {
        list.error(about_validator(&name, mistake));
    }
    for (name, mistake) in found.passed_over {
        list.warning(about_validator(&name, mistake));
    }
    let validators = found.usable;
    if validators.is_empty() {
        return Ok(());
    }
    status.say(format_args!(
        "validating the inputs of {}",
        subject.problem.id
    ));
    let by = counted(validators.len(), "input validator");
    let checks = InputValidation { maker, validators };
    let outputs = validation.outputs.iter().map(|output| &output.case);
    let others = validation.valid_inputs.iter().chain(outputs);
    let valid: Vec<_> = package.run_cases().chain(others).cloned().collect();
    if checks.all_are(true, &valid, list)? {
        list.good(format!("{} valid, by {by}", counted(valid.len(), "input")));
    }
    let invalid = &validation.invalid_inputs;
    if checks.all_are(false, invalid, list)? {
        let inputs = counted(invalid.len(), "input");
        list.good(format!("{inputs} refused that must be"));
    }
    Ok(())
}

/// The compiled input validators of a package.
struct InputValidation<'a> {
    maker: &'a ToolMaker<'a>,
    validators: Vec<(String, InputValidator)>,
}

impl InputValidation<'_> {
    /// Runs all validators on these inputs, and lists what is wrong. Returns whether
    /// there are any inputs, and all of them are valid or all invalid, as they must be.
    fn all_are(
        &self,
        must_be_valid: bool,
        cases: &[Case],
        list: &mut CheckList,
    ) -> Result<bool, Fault> {
        let ToolMaker {
            package, session, ..
        } = self.maker;
        let opinions =
            in_parallel(cases, session.jobs(), &session.cancel, &|case| {
                self.opinions(case)
            })?;
        let mut are_right = !cases.is_empty();
        for (case, opinions) in cases.iter().zip(opinions) {
            // A crash of a validator is no refusal.
            let is_refused =
                opinions.iter().any(|opinion| matches!(opinion, Refused(_)));
            if is_refused && !must_be_valid {
                continue;
            }
            let mut wrong: Vec<_> = self
                .validators
                .iter()
                .zip(opinions)
                .filter_map(|((name, _), opinion)| match opinion {
                    Valid => None,
                    Refused(said) => {
                        Some(format!("the input validator {name} refuses it: {said}"))
                    }
                    Failed(cause) => {
                        Some(format!("the input validator {name} failed: {cause}"))
                    }
                })
                .collect();
            if wrong.is_empty() && !must_be_valid {
                let text = "must be invalid, and every input validator accepts it";
                wrong.push(text.to_owned());
            }
            are_right &= wrong.is_empty();
            let input = package.original_of(&case.input);
            let name = package.name_of(input).unwrap_or(&case.name);
            for text in wrong {
                let check = ProblemCheck::InputValidators;
                list.error(CheckFinding::in_file(check, input, name, text));
            }
        }
        Ok(are_right)
    }

    /// The opinions of the validators on an input, in their order.
    fn opinions(&self, case: &Case) -> Result<Vec<InputOpinion>, Fault> {
        let ToolMaker {
            package, session, ..
        } = self.maker;
        let none = CaseSupply::default();
        let supply = [&package.supplies, &package.validation_supplies]
            .into_iter()
            .find_map(|supplies| supplies.get(&case.name))
            .unwrap_or(&none);
        self.validators
            .iter()
            .map(|(name, validator)| {
                let own_arguments = package.validation.arguments(name, &case.name);
                let tool = match validator {
                    InputValidator::Program(tool) => tool,
                    InputValidator::Rules(rules) => {
                        return self.by_rules(rules, own_arguments, case);
                    }
                };
                // The arguments of the case, which submissions get, come last.
                let arguments = [own_arguments, &supply.arguments].concat();
                // A package in which they collide is wrong; its validators see the files of
                // the case.
                let beside: Vec<_> = tool
                    .files
                    .iter()
                    .filter(|own| {
                        !supply.files.iter().any(|file| file.collides_with(own))
                    })
                    .chain(&supply.files)
                    .cloned()
                    .collect();
                validate_input(
                    &tool.program,
                    &arguments,
                    package.validation.protocol,
                    &package.limits.checker,
                    &case.input,
                    &beside,
                    session.sandbox(),
                )
            })
            .collect()
    }

    /// Checks an input against rules. Of the arguments, only the option that allows
    /// more white space counts.
    fn by_rules(
        &self,
        rules: &CtdProgram,
        arguments: &[String],
        case: &Case,
    ) -> Result<InputOpinion, Fault> {
        let allows_more = arguments
            .iter()
            .any(|argument| argument == "-w" || argument == "--whitespace-ok");
        let spaces = if allows_more {
            CtdSpaces::More
        } else {
            CtdSpaces::Exact
        };
        let input = match files::read_bounded(&case.input, MOST_INPUT) {
            Ok(input) => input,
            Err(error) => return Ok(Failed(error.to_string())),
        };
        match rules.check(&input, spaces, self.maker.session.cancel.flag()) {
            Ok(()) => Ok(Valid),
            Err(failure @ CtdFailure::Refused { .. }) => {
                Ok(Refused(failure.to_string()))
            }
            Err(failure @ CtdFailure::Broken { .. }) => {
                Ok(Failed(failure.to_string()))
            }
            Err(failure @ CtdFailure::Cancelled) => Err(Fault::new(
                format!("validating {}", case.input.display()),
                failure,
            )),
        }
    }
}

fn about_validator(name: &str, mistake: Mistake) -> CheckFinding {
    let message = format!("the input validator {name} {}", mistake.message);
    CheckFinding {
        check: ProblemCheck::InputValidators,
        shown: message.clone(),
        mistake: Mistake { message, ..mistake },
    }
}
