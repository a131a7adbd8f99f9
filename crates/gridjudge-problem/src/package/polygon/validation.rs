//! Reads how a Polygon package checks itself: the validators of its inputs, and the
//! tests of its validators and of its checker. Runs none of it. Start at
//! [`Package::read_validation`].

use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, quoted};
use crate::model::{Case, CheckerProtocol, SourceFile, file_name};
use crate::package::polygon::xml::source_of;
use crate::package::polygon::{TestPattern, XmlElement};
use crate::package::{ExampleOutput, Package, PackageProgram, PackageValidation};

impl Package {
    /// Reads the validators, and what must be true of them and of the checker, if that
    /// sees what submissions write, and not what an interactor writes.
    pub(super) fn read_validation(&mut self, problem: &XmlElement<'_>) {
        let headers = self.shared_headers();
        let judges_outputs = !self.task.is_interactive();
        let found = &mut self.validation;
        found.protocol = CheckerProtocol::Testlib;
        let validators: Vec<_> =
            problem.children("assets/validators/validator").collect();
        for validator in &validators {
            match (source_of(validator), self.missing_tests.is_empty()) {
                (Ok(source), _) => {
                    found.input_validators.push(program(source, &headers));
                }
                (Err(Some(Mistake { message, .. })), true) => {
                    found.not_run.push(("of the package".to_owned(), message));
                }
                // Inputs that `gridjudge answers` makes must be proved.
                (Err(mistake), _) => problem.tree.mistakes(mistake),
            }
        }
        for validator in &validators {
            add_inputs(found, validator);
        }
        if let Some(checker) =
            problem.child("assets/checker").filter(|_| judges_outputs)
        {
            found.other_outputs = outputs(&checker);
        }
    }
}

/// A validator, with the headers that it includes.
fn program(source: &Path, headers: &[PathBuf]) -> PackageProgram {
    let others = headers.iter().filter(|header| *header != source);
    let files = std::iter::once(source)
        .chain(others.map(PathBuf::as_path))
        .map(SourceFile::at)
        .collect();
    PackageProgram {
        name: file_name(source).into_owned(),
        files,
    }
}

/// The tests of a program of the package: the pattern of the element with this name
/// gives the file of each. Without any, there is no pattern.
struct ProgramTests<'d> {
    set: XmlElement<'d>,
    /// The number of each test, and what must come of it: `valid`, `wrong-answer`, ...
    verdicts: Vec<(u64, String)>,
}

impl<'d> ProgramTests<'d> {
    fn parse(program: &XmlElement<'d>) -> Option<Self> {
        let set = program.child("testset")?;
        let tests = set.children("tests/test");
        // Descriptions of the format write `wrong-answer`, and packages `WRONG_ANSWER`.
        Some(Self {
            set,
            verdicts: (1..)
                .zip(tests.map(|test| {
                    test.attribute("verdict")
                        .unwrap_or_default()
                        .to_ascii_lowercase()
                        .replace('_', "-")
                }))
                .collect(),
        })
        .filter(|found| !found.verdicts.is_empty())
    }

    fn pattern(&self, name: &'static str) -> Option<TestPattern<'d>> {
        TestPattern::from_set(&self.set, name)
            .map_err(|mistake| {
                let said = format!("tests of a program: {}", mistake.message);
                self.set.tree.ignore(said);
            })
            .ok()
    }
}

/// Adds the tests of a validator.
fn add_inputs(found: &mut PackageValidation, validator: &XmlElement<'_>) {
    let tree = validator.tree;
    let Some(tests) = ProgramTests::parse(validator) else {
        return;
    };
    let Some(pattern) = tests.pattern("input-path-pattern") else {
        return;
    };
    for (number, verdict) in &tests.verdicts {
        let name = pattern.name(*number);
        // Packages without tests of programs are in use.
        let Some(input) = tree.file(&name).map(Path::to_owned) else {
            continue;
        };
        let case = Case {
            name,
            answer: input.clone(),
            input,
        };
        match verdict.as_str() {
            "valid" => found.valid_inputs.push(case),
            "invalid" => found.invalid_inputs.push(case),
            other => tree.ignore(format!(
                "{}, a test of a validator with the verdict {}",
                case.name,
                quoted(other)
            )),
        }
    }
}

/// The tests of a checker.
fn outputs(checker: &XmlElement<'_>) -> Vec<ExampleOutput> {
    let tree = checker.tree;
    let Some(tests) = ProgramTests::parse(checker) else {
        return Vec::new();
    };
    let patterns = [
        "input-path-pattern",
        "output-path-pattern",
        "answer-path-pattern",
    ]
    .map(|name| tests.pattern(name));
    let [Some(input), Some(output), Some(answer)] = patterns else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (number, verdict) in &tests.verdicts {
        let names = [&input, &output, &answer].map(|pattern| pattern.name(*number));
        let [Some(input), Some(output), Some(answer)] =
            names.each_ref().map(|name| tree.file(name))
        else {
            continue;
        };
        let [name, ..] = names;
        let is_right = match verdict.as_str() {
            "ok" => true,
            "wrong-answer" | "presentation-error" => false,
            other => {
                tree.ignore(format!(
                    "{name}, a test of the checker with the verdict {}",
                    quoted(other)
                ));
                continue;
            }
        };
        let case = Case {
            name,
            input: input.to_owned(),
            answer: answer.to_owned(),
        };
        found.push(ExampleOutput {
            case,
            output: output.to_owned(),
            is_right,
        });
    }
    found
}
