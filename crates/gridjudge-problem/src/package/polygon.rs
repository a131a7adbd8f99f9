//! Reads packages of Polygon: `problem.xml`, and the files that it names. Tests that
//! are not in the package are found with the commands of their generators, which are
//! not run here. Start at [`read_polygon`].

pub(super) mod missing_inputs;
mod points;
mod resources;
mod unread_parts;
pub(super) mod xml;

use std::path::{Path, PathBuf};

use resources::PolygonResources;
use xml::{FULL_PACKAGE, TestPattern, XmlElement, source_of};

use crate::mistake;
use crate::mistake::{Mistake, ellipsized, quoted};
use crate::model::{
    Case, CheckerProtocol, CheckerTask, FileStreams, JudgingProgramKind, SourceFile,
    Task, TextTask, file_name,
};
use crate::package::{
    ExampleOutput, LineBreaks, Package, PackageFormat, PackageLimits, PackageProgram,
    PackageTree, PackageValidation, TextCopies,
};

/// The remedy for a missing answer.
const WRITE_ANSWERS: &str =
    "have `gridjudge answers` write it, or download the full package";

/// The remedy for a missing answer of an interactive problem, which no solution can
/// write.
const WRITE_BY_HAND: &str = "download the full package, or write there what the interactor wants to read; it may be empty";

/// Reads a package by its `problem.xml`. Returns `None` if that cannot be understood at
/// all, which is noted.
pub(super) fn read_polygon(tree: &PackageTree) -> Option<Package> {
    let text = tree.ok_or_note(mistake::read_text(&tree.package_file))?;
    let document = tree.ok_or_note(xml::parse_xml(tree, &text))?;
    let problem = XmlElement::root(&document);
    let judging = tree.ok_or_note(judging(&problem))?;
    need_one_run(&problem, &judging);
    unread_parts::note_unread_parts(&problem, &judging);
    let mut package = Package {
        name: name(&problem),
        line_breaks: LineBreaks::WithoutCarriageReturns,
        source_types: xml::source_types(&problem),
        ..Package::of_files(PackageFormat::Polygon, tree)
    };
    package.read_tests(&problem, &judging);
    let resources = PolygonResources::read(&problem);
    package.task = task(&problem, &package.limits, &resources);
    package.includes = resources.includes;
    package.read_validation(&problem);
    note_missing_answers(&package, tree);
    prepare_files(&mut package, tree);
    package.file_streams = file_streams(&judging, package.task.is_interactive());
    package.read_solutions(&problem);
    Some(package)
}

fn note_missing_answers(package: &Package, tree: &PackageTree) {
    let remedy = if package.task.is_interactive() {
        WRITE_BY_HAND
    } else {
        WRITE_ANSWERS
    };
    for case in &package.cases {
        let name = tree.relative(&case.answer).to_str();
        if name.and_then(|name| tree.file(name)).is_none() {
            tree.missing_answer(Mistake::new(
                &case.input,
                "the test has no answer next to it",
                remedy,
            ));
        }
    }
}

/// Replaces the files of all tests by those that programs get. Polygon runs on Windows,
/// and its packages have the line breaks of Windows.
fn prepare_files(package: &mut Package, tree: &PackageTree) {
    let mut texts = TextCopies::new(package.line_breaks);
    let validation = &mut package.validation;
    let of_cases = package
        .cases
        .iter_mut()
        .chain(&mut validation.valid_inputs)
        .chain(&mut validation.invalid_inputs)
        .flat_map(|case| [&mut case.input, &mut case.answer]);
    let of_outputs = validation.other_outputs.iter_mut().flat_map(|test| {
        let Case { input, answer, .. } = &mut test.case;
        [input, answer, &mut test.output]
    });
    for file in of_cases.chain(of_outputs) {
        // A missing answer is noted already.
        if file.exists()
            && let Some(ready) = tree.ok_or_note(texts.ready(file))
        {
            *file = ready;
        }
    }
    package.keep_copies(texts);
}

fn judging<'d>(problem: &XmlElement<'d>) -> Result<XmlElement<'d>, Mistake> {
    let name = problem.name();
    let found = problem.child("judging").filter(|_| name == "problem");
    found.ok_or_else(|| {
        if name == "fps" {
            return problem.mistake(
                "is of a package of HUSTOJ (FPS), which is not read",
                "put its cases into files `NAME.in` and `NAME.out` of a folder",
            );
        }
        problem.mistake(
            format!("is not a problem of Polygon: `<{name}>` holds no `<judging>`"),
            FULL_PACKAGE,
        )
    })
}

/// Returns its title, the English one if there is one.
fn name(problem: &XmlElement<'_>) -> Option<String> {
    let names: Vec<_> = problem.children("names/name").collect();
    let english = names
        .iter()
        .find(|name| name.attribute("language") == Some("english"));
    Some(english.or(names.first())?.attribute("value")?.to_owned())
}

/// Returns the files that programs read and write in place of standard input and
/// output. Programs with an interactor use the standard streams anyway.
fn file_streams(judging: &XmlElement<'_>, is_interactive: bool) -> FileStreams {
    let named = |attribute: &str, standard: &str| {
        let file = judging
            .attribute(attribute)
            .filter(|file| *file != standard)?;
        if is_interactive {
            judging.tree.ignore(format!(
                "`{attribute}=\"{}\"`: programs talk to the interactor",
                ellipsized(file, 40)
            ));
            return None;
        }
        if file.contains(['/', '\\', '\0'])
            || [".", ".."].contains(&file)
            || file.len() > 255
        {
            let remedy = "write a name without folders, for example `input.txt`, or nothing for the standard stream";
            judging.refuse(
                format!(
                    "`{attribute}` is {}, which is not a valid file name",
                    quoted(file)
                ),
                remedy,
            );
        }
        Some(file.to_owned())
    };
    let streams = FileStreams {
        input: named("input-file", "stdin"),
        output: named("output-file", "stdout"),
    };
    if streams.input.is_some() && streams.input == streams.output {
        judging.refuse(
            "programs are to read and to write the same file",
            "give `output-file` another name",
        );
    }
    streams
}

/// Notes problems whose programs run twice on a test, the second time on what the
/// checker or the interactor made of the first run: these are not judged. Packages say
/// so in three ways, older ones only by a tag.
///
/// No source by Polygon that we know describes this, and other descriptions differ:
/// according to a comment at codeforces.net/blog/entry/137361, the checker gets the
/// test as its input at the end, but by the rules of another judge it gets the result
/// of the first run.
fn need_one_run(problem: &XmlElement<'_>, judging: &XmlElement<'_>) {
    let count = judging.attribute("run-count");
    let tag = problem
        .children("tags/tag")
        .filter(|_| count.is_none())
        .find(|tag| tag.attribute("value") == Some(RUN_TWICE));
    let runs = problem.child("assets/interactor/runs");
    let later =
        runs.filter(|runs| runs.children("run").any(|run| run.text() != Some("1")));
    let by_count = count.filter(|count| *count != "1").map(|count| {
        let said = format!("run-count=\"{}\"", ellipsized(count, 20));
        (*judging, said)
    });
    let found = by_count
        .or(tag.map(|tag| (tag, format!("<tag value=\"{RUN_TWICE}\">"))))
        .or(later.map(|runs| (runs, "<runs>".to_owned())));
    if let Some((place, said)) = found {
        place.need(&format!("several runs on each test (`{said}`)"));
    }
}

/// The tag of problems whose programs run twice.
const RUN_TWICE: &str = "run-twice";

/// Returns the task: a checker judges what programs print, or what the interactor has
/// written that they interact with.
fn task(
    problem: &XmlElement<'_>,
    limits: &PackageLimits,
    resources: &PolygonResources,
) -> Task {
    let task = |kind, source: PathBuf, files: &[SourceFile]| CheckerTask {
        files: files.to_vec(),
        ..CheckerTask::new(
            kind,
            source,
            CheckerProtocol::Testlib,
            limits.checker.clone(),
        )
    };
    let Some(checker) = problem.child("assets/checker") else {
        problem.refuse(
            "the package names no checker (`<checker>` in `<assets>`)",
            FULL_PACKAGE,
        );
        return UNJUDGED;
    };
    let checker = program(&checker, "a checker");
    let interactor = problem
        .child("assets/interactor")
        .map(|one| program(&one, "an interactor"));
    let Some(checker) = checker.filter(|_| interactor != Some(None)) else {
        return UNJUDGED;
    };
    let judging = |kind| task(kind, checker, &resources.of_checker);
    let kind = JudgingProgramKind::Interactor;
    Task::Checker(match interactor.flatten() {
        None => judging(JudgingProgramKind::Checker),
        Some(interactor) => CheckerTask {
            final_checker: Some(Box::new(judging(JudgingProgramKind::FinalChecker))),
            ..task(kind, interactor, &resources.of_interactor)
        },
    })
}

/// The task of a package that cannot be judged, which is never used.
const UNJUDGED: Task = Task::Text(TextTask::Exact);

/// Returns the source of a program that uses testlib; notes one that cannot be run.
fn program(element: &XmlElement<'_>, what: &str) -> Option<PathBuf> {
    if let Some(kind) = element.attribute("type")
        && kind != "testlib"
    {
        element.need(&format!("{what} of type {}", quoted(kind)));
        return None;
    }
    element.source().map(Path::to_owned)
}

// Reads how a package checks itself: the validators of its inputs, and the tests of its
// validators and of its checker. Start at [`Package::read_validation`].

impl Package {
    /// Reads the validators, and what must be true of them and of the checker, if that
    /// sees what submissions write, and not what an interactor writes.
    fn read_validation(&mut self, problem: &XmlElement<'_>) {
        let headers = self.shared_headers();
        let judges_outputs = !self.task.is_interactive();
        let found = &mut self.validation;
        found.protocol = CheckerProtocol::Testlib;
        let validators: Vec<_> =
            problem.children("assets/validators/validator").collect();
        for validator in &validators {
            match (source_of(validator), self.missing_tests.is_empty()) {
                (Ok(source), _) => {
                    // With the headers that it includes.
                    let others = headers.iter().filter(|header| *header != source);
                    let files = std::iter::once(source)
                        .chain(others.map(PathBuf::as_path))
                        .map(SourceFile::at)
                        .collect();
                    found.input_validators.push(PackageProgram {
                        name: file_name(source).into_owned(),
                        files,
                    });
                }
                (Err(Some(Mistake { message, .. })), true) => {
                    found.not_run.push(("of the package".to_owned(), message));
                }
                // Inputs that `gridjudge answers` makes must be proved.
                (Err(mistake), _) => {
                    problem.tree.mistakes(mistake);
                }
            }
        }
        for validator in &validators {
            add_inputs(found, validator);
        }
        if judges_outputs && let Some(checker) = problem.child("assets/checker") {
            found.other_outputs = outputs(&checker);
        }
    }
}

/// A test of a program of the package.
struct ProgramTest {
    /// The name of its first file.
    name: String,
    /// Its files, in the order of the patterns that name them.
    files: Vec<PathBuf>,
    /// What must come of it: `valid`, `wrong-answer`, ...
    verdict: String,
}

/// The tests of a program whose files are all there, by the patterns in the elements of
/// these names. Packages without tests of programs are in use.
fn program_tests(
    program: &XmlElement<'_>,
    patterns: &[&'static str],
) -> Vec<ProgramTest> {
    let tree = program.tree;
    // Without any test, there is no pattern.
    let set = program.child("testset");
    let Some(set) = set.filter(|set| set.child("tests/test").is_some()) else {
        return vec![];
    };
    let mut read = vec![];
    for name in patterns {
        match TestPattern::from_set(&set, name) {
            Ok(pattern) => read.push(pattern),
            Err(mistake) => {
                tree.ignore(format!("tests of a program: {}", mistake.message))
            }
        }
    }
    if read.len() < patterns.len() {
        return vec![];
    }
    let tests = (1..).zip(set.children("tests/test"));
    let tests = tests.filter_map(|(number, test)| {
        let names: Vec<_> = read.iter().map(|pattern| pattern.name(number)).collect();
        let files = names.iter().map(|name| Some(tree.file(name)?.to_owned()));
        // Descriptions of the format write `wrong-answer`, and packages `WRONG_ANSWER`.
        let verdict = test.attribute("verdict").unwrap_or_default();
        Some(ProgramTest {
            files: files.collect::<Option<_>>()?,
            name: names.into_iter().next()?,
            verdict: verdict.to_ascii_lowercase().replace('_', "-"),
        })
    });
    tests.collect()
}

/// Adds the tests of a validator.
fn add_inputs(found: &mut PackageValidation, validator: &XmlElement<'_>) {
    for test in program_tests(validator, &["input-path-pattern"]) {
        let case = Case {
            name: test.name,
            input: test.files[0].clone(),
            answer: test.files[0].clone(),
        };
        match test.verdict.as_str() {
            "valid" => {
                found.valid_inputs.push(case);
            }
            "invalid" => {
                found.invalid_inputs.push(case);
            }
            other => {
                validator.tree.ignore(format!(
                    "{}, a test of a validator with the verdict {}",
                    case.name,
                    quoted(other)
                ));
            }
        }
    }
}

/// The tests of a checker.
fn outputs(checker: &XmlElement<'_>) -> Vec<ExampleOutput> {
    let patterns = [
        "input-path-pattern",
        "output-path-pattern",
        "answer-path-pattern",
    ];
    let mut found = vec![];
    for test in program_tests(checker, &patterns) {
        let is_right = match test.verdict.as_str() {
            "ok" => true,
            "wrong-answer" | "presentation-error" => false,
            other => {
                checker.tree.ignore(format!(
                    "{}, a test of the checker with the verdict {}",
                    test.name,
                    quoted(other)
                ));
                continue;
            }
        };
        if let Ok([input, output, answer]) = <[_; 3]>::try_from(test.files) {
            found.push(ExampleOutput {
                case: Case {
                    name: test.name,
                    input,
                    answer,
                },
                output,
                is_right,
            });
        }
    }
    found
}

#[cfg(test)]
pub(super) mod tests;
