//! Finds the programs of a package that judge outputs or check inputs, and the means by
//! which it checks itself: inputs that they must refuse, and outputs that must be
//! judged right or wrong. Runs none of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::files;
use crate::mistake::Mistake;
use crate::model::{Case, CheckerProtocol, HEADER_ENDINGS, SourceFile, Task, ending};
use crate::package::{
    CASE_FILES, PackageFormat, PackageMetadata, PackageTree, first_part,
    folders_around, is_among, last_part,
};

/// Folders of programs that check inputs; the second name is that of the oldest
/// packages.
const FOLDERS: [&str; 2] = ["input_validators", "input_format_validators"];

/// Endings of files with rules for inputs: the one that is supported here, and all.
const KNOWN_RULES: &str = "ctd";
const RULES: [&str; 2] = [KNOWN_RULES, "viva"];

/// Folders of `data` in 2025-09 whose cases test validators and do not judge
/// submissions.
pub(crate) const VALIDATION_SECTIONS: [&str; 3] =
    ["invalid_input", "invalid_output", "valid_output"];

/// Whether a folder below `data`, or a case, only tests validators.
pub(super) fn is_validation_only(name: &str) -> bool {
    VALIDATION_SECTIONS.contains(&first_part(name))
}

/// The programs and examples with which a package checks itself.
#[derive(Clone, Debug, Default)]
pub struct PackageValidation {
    /// Programs that check inputs.
    pub input_validators: Vec<PackageProgram>,
    /// The protocol that these programs speak.
    pub protocol: CheckerProtocol,
    /// Checktestdata files that inputs must conform to.
    pub input_rules: Vec<SourceFile>,
    /// Names of input rules that are not run here, each with the reason.
    pub not_run: Vec<(String, String)>,
    /// Inputs that must be valid, though no submission runs on them.
    pub valid_inputs: Vec<Case>,
    /// Inputs that at least one input validator must refuse.
    pub invalid_inputs: Vec<Case>,
    /// Outputs that must be judged right, or wrong, for inputs that must be valid.
    pub outputs: Vec<ExampleOutput>,
    /// The same for inputs that are not validated for them: the outputs that a
    /// statement shows for samples, and the tests of a checker.
    pub other_outputs: Vec<ExampleOutput>,
    /// The tasks of these outputs that differ from the usual one, by case name.
    pub tasks: BTreeMap<String, Task>,
    /// The arguments of input validators, by the cases and groups that set them.
    pub(super) arguments: BTreeMap<String, CaseArguments>,
}

/// The arguments that programs of one kind get on a case or in a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CaseArguments {
    /// For all of them.
    All(Vec<String>),
    /// For each, by name.
    Each(BTreeMap<String, Vec<String>>),
}

/// A program of a package that is not a submission.
#[derive(Clone, Debug)]
pub struct PackageProgram {
    /// The name of its file or folder.
    pub name: String,
    /// Its files, by their names in its folder.
    pub files: Vec<SourceFile>,
}

impl PackageProgram {
    /// Whether a file is a script that builds or runs its program.
    pub fn is_script(file: &SourceFile) -> bool {
        SCRIPTS.contains(&file.name.as_str())
    }

    /// The path by which to name the program that starts in a file: that of its folder,
    /// if the file is a script that represents it.
    pub fn named_path(start: &Path) -> &Path {
        let is_script = SCRIPTS.iter().any(|script| start.ends_with(script));
        start.parent().filter(|_| is_script).unwrap_or(start)
    }
}

/// An output for a case, and whether it is right.
#[derive(Clone, Debug)]
pub struct ExampleOutput {
    /// The case.
    pub case: Case,
    /// The output.
    pub output: PathBuf,
    /// Whether it is right.
    pub is_right: bool,
}

impl PackageValidation {
    /// Finds them in a package.
    pub(super) fn read(tree: &PackageTree, metadata: &PackageMetadata) -> Self {
        let mut found = Self::default();
        for program in FOLDERS.iter().flat_map(|folder| tree.children(folder)) {
            found.add_program(tree, program);
        }
        if metadata.format == PackageFormat::Kattis2025 {
            found.invalid_inputs = cases_in(tree, "invalid_input");
            // The outputs of samples that statements show: `.out`, or the answer if a
            // program judges outputs and nothing else is shown. Those of talks and of
            // several passes are no outputs of a run.
            let has_outputs = !metadata.is_interactive && !metadata.is_multi_pass;
            for case in cases_in(tree, "sample") {
                let beside =
                    |ending| tree.file(&format!("data/{}.{ending}", case.name));
                let is_shown = !metadata.checkers.is_empty()
                    && beside("ans.statement").is_none();
                let output =
                    beside("out").or_else(|| beside("ans").filter(|_| is_shown));
                if has_outputs && let Some(output) = output {
                    found.other_outputs.push(ExampleOutput {
                        output: output.to_owned(),
                        case,
                        is_right: true,
                    });
                }
            }
            for (section, is_right) in
                [("invalid_output", false), ("valid_output", true)]
            {
                for case in cases_in(tree, section) {
                    found.add_output(tree, case, is_right);
                }
            }
        }
        found
    }

    /// The cases that only test validators.
    pub(super) fn cases(&self) -> Vec<Case> {
        let outputs = self.outputs.iter().map(|output| &output.case);
        self.invalid_inputs.iter().chain(outputs).cloned().collect()
    }

    /// The arguments of an input validator on a case: those that the case sets, or else
    /// the nearest group around it that sets any.
    pub fn arguments(&self, validator: &str, case: &str) -> &[String] {
        match from_nearest(case, &self.arguments) {
            Some(CaseArguments::All(words)) => words,
            Some(CaseArguments::Each(words)) => {
                words.get(validator).map_or(&[], Vec::as_slice)
            }
            None => &[],
        }
    }

    fn add_program(&mut self, tree: &PackageTree, program: &str) {
        let name = last_part(program).to_owned();
        let files = tree.sources(program);
        let is_rules = |file: &SourceFile| RULES.contains(&ending(&file.name));
        if !files.iter().any(is_rules) || files.iter().any(PackageProgram::is_script)
        {
            if !files.is_empty() && !name.to_ascii_lowercase().starts_with("readme") {
                self.input_validators.push(PackageProgram { name, files });
            }
            return;
        }
        for mut file in files.into_iter().filter(is_rules) {
            if tree.has_folder(program) {
                file.name = format!("{name}/{}", file.name);
            }
            if ending(&file.name) == KNOWN_RULES {
                self.input_rules.push(file);
            } else {
                let reason =
                    "its rules are not read here; write a `.ctd` or a program";
                self.not_run.push((file.name, reason.to_owned()));
            }
        }
    }

    fn add_output(&mut self, tree: &PackageTree, case: Case, is_right: bool) {
        let beside = |ending| tree.file(&format!("data/{}.{ending}", case.name));
        let missing = if beside("ans").is_none() {
            "answer (`.ans`)"
        } else if let Some(output) = beside("out") {
            return self.outputs.push(ExampleOutput {
                case,
                output: output.to_owned(),
                is_right,
            });
        } else {
            "output (`.out`)"
        };
        tree.slip(Mistake::new(
            &case.input,
            format!("the case has no {missing} next to it"),
            "write it, or delete the case",
        ));
    }
}

/// Returns the cases in a folder of `data`, sorted by name.
fn cases_in(tree: &PackageTree, section: &str) -> Vec<Case> {
    tree.below(&format!("data/{section}"))
        .filter_map(|(name, path)| {
            let name = name["data/".len()..].strip_suffix(".in")?.to_owned();
            // A file that a case gives to submissions is not a case.
            if name.contains(&format!("{CASE_FILES}/")) {
                return None;
            }
            Some(Case {
                name,
                input: path.to_owned(),
                answer: path.with_extension("ans"),
            })
        })
        .collect()
}

/// Returns the setting of a case, or else of the nearest group around it.
pub(super) fn from_nearest<'a, T>(
    case: &str,
    settings: &'a BTreeMap<String, T>,
) -> Option<&'a T> {
    std::iter::once(case)
        .chain(folders_around(case).rev())
        .chain([""])
        .find_map(|name| settings.get(name))
}

// Finds the programs of a package that judge outputs or grade groups, by the names of
// files. Reads none of them.

/// Endings of files that lie beside sources and are not sources.
const BESIDE: [&str; 2] = ["md", "txt"];

/// Endings of sources in a language of the formats, and in some that are similar.
const SOURCES: &str = "a68 ada adb apl bas bash c c++ cc cl cob cpp cr cs csx cxx d dart e erl ex exs f f77 \
                       f90 f95 for fs go hs hx java jl js kt lisp lua m mjs ml mod nim odin \
                       pas php pl pm prolog py py2 py3 rb rkt rs scala sh sim st swift ts vb zig";

/// The folder of the program that grades groups.
const GRADERS: &str = "graders";

/// Returns the only program in `graders`; notes a mistake if there is none, or several.
pub(crate) fn grader(tree: &PackageTree) -> Option<PathBuf> {
    let (message, remedy) = match tree.children(GRADERS)[..] {
        [program] => return program_in(program, tree),
        [] => (
            "the grader (`grading: custom`) is not there",
            "put its source into that folder, or write `grading: default`",
        ),
        _ => (
            "holds several graders, and the format has room for one",
            "delete those that are not meant",
        ),
    };
    tree.refuse(tree.root.join(GRADERS), message, remedy);
    None
}

/// Scripts that build and run a program; they represent all files beside them, `build`
/// before `run`.
pub(crate) const SCRIPTS: [&str; 2] = ["build", "run"];

/// Returns the programs that check outputs, sorted by name, from a folder that holds a
/// file or a folder for each. Notes those that cannot be run.
pub(crate) fn among(folder: &str, tree: &PackageTree) -> Vec<PathBuf> {
    let found = tree.children(folder).into_iter();
    let found = found.filter(|name| tree.file(name).is_none_or(is_source));
    let (mut programs, others): (Vec<_>, Vec<_>) =
        found.partition(|name| tree.file(name).is_none_or(may_run));
    if programs.is_empty() {
        programs = others;
    } else {
        for other in others {
            tree.ignore(format!("`{other}`, which is no program of any language"));
        }
    }
    if programs.is_empty() {
        let message =
            "the program that checks outputs (`validation: custom`) is not there";
        let remedy = format!(
            "put its source into `{folder}/NAME/`, or write `validation: default`"
        );
        tree.refuse(tree.root.join(folder), message, remedy);
    }
    programs
        .into_iter()
        .filter_map(|program| program_in(program, tree))
        .collect()
}

/// Whether judges may take a file among programs for one: they pass over a template, or
/// a `Makefile`.
///
/// Source: problemtools, `get_program`.
fn may_run(path: &Path) -> bool {
    let ending = ending(path).to_ascii_lowercase();
    files::is_executable(path) || is_among(&ending, SOURCES)
}

/// Whether a file among sources may be a source itself.
fn is_source(path: &Path) -> bool {
    let ending = ending(path);
    !HEADER_ENDINGS.contains(&ending) && !BESIDE.contains(&ending)
}

/// Returns the program of this name: a file, or the one that represents the program in
/// a folder; how several files belong together is decided where the program is built.
/// Notes a mistake if the folder has no source.
pub(crate) fn program_in(folder: &str, tree: &PackageTree) -> Option<PathBuf> {
    if let Some(path) = tree.file(folder) {
        return Some(path.to_owned());
    }
    let mut files = tree.sources(folder);
    files.retain(|file| !file.name.contains('/'));
    let named = SCRIPTS
        .iter()
        .chain(&["__main__.py"])
        .find_map(|wanted| files.iter().find(|file| file.name == *wanted));
    let found = named.or_else(|| files.iter().find(|file| is_source(&file.path)));
    if found.is_none() {
        tree.refuse(
            tree.root.join(folder),
            "the program that belongs here is not there",
            "put its source into that folder, or delete the folder",
        );
    }
    Some(found?.path.clone())
}
