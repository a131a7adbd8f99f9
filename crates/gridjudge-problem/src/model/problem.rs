//! A problem and its cases as read from disk: plain data, already validated.

pub(crate) mod additional_sources;
pub(crate) mod case_names;
pub(super) mod expected;
pub(super) mod judging_program;
pub(crate) mod point_value;
pub(super) mod scoring;
pub(crate) mod task;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gridjudge_grid::make::GridKind;
use gridjudge_sandbox::{AddressSpace, Fault, Limits};
use serde::{Deserialize, Serialize};

use crate::model::{
    AdditionalSources, CheckerTask, Expected, Scoring, SourceFile, Task, Verdict,
};
use crate::text::path_text;

/// One problem: its task, cases' rules, limits and scoring.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The name of its folder, unique among all problems.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Where it was published.
    pub source: Option<String>,
    /// Its task, which also says how an output is judged.
    pub task: Task,
    /// Tasks of cases with rules or arguments of their own, by case name.
    pub case_tasks: BTreeMap<String, Task>,
    /// Arguments and files for submissions besides standard input, by case name.
    pub supplies: BTreeMap<String, CaseSupply>,
    /// The files that replace standard input and output, if any.
    pub file_streams: FileStreams,
    /// The limits of a run, before a language's allowance is added.
    pub limits: Limits,
    /// Allowances that replace those of the languages, by language key.
    pub allowances: BTreeMap<String, LanguageAllowance>,
    /// The points of its cases and groups.
    pub scoring: Scoring,
}

impl Problem {
    /// The factor of the time limit for programs in a language, and by how many bytes
    /// the memory limit is raised.
    pub fn allowance_for(&self, language: &Language) -> (u32, u64) {
        let own = self
            .allowances
            .get(&language.id)
            .copied()
            .unwrap_or_default();
        (
            own.time_factor.unwrap_or(language.time_factor),
            own.extra_memory_bytes
                .unwrap_or(language.extra_memory_bytes),
        )
    }

    /// The task of a case, which says how an output for it is judged.
    pub fn task_on(&self, case: &str) -> &Task {
        self.case_tasks.get(case).unwrap_or(&self.task)
    }

    /// The program that judges the outputs of all cases, or of some; there is one at
    /// most.
    pub fn program(&self) -> Option<&CheckerTask> {
        std::iter::once(&self.task)
            .chain(self.case_tasks.values())
            .filter(|task| task.static_validator().is_none())
            .find_map(Task::program)
    }

    /// Whether this case judges the source of a submission instead of a run. It has
    /// neither input nor answer then.
    pub fn is_static(&self, case: &str) -> bool {
        self.task_on(case).static_validator().is_some()
    }

    /// The program that judges sources, if there is one, as it is called for one of its
    /// cases.
    pub fn static_validator(&self) -> Option<&CheckerTask> {
        self.case_tasks.values().find_map(Task::static_validator)
    }
}

/// The allowance of a problem for programs of one language. A missing field falls back
/// to the language's own allowance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageAllowance {
    /// The time limit is multiplied by this.
    pub time_factor: Option<u32>,
    /// The memory limit is raised by this, in bytes.
    pub extra_memory_bytes: Option<u64>,
}

/// One input and its expected answer. For a case that judges sources, both are the file
/// that declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Group and file name without its ending, as `secret/017-no-blank`.
    pub name: String,
    /// The input.
    pub input: PathBuf,
    /// The expected answer.
    pub answer: PathBuf,
}

impl Case {
    /// The group of the case, as `secret`; empty if it is in no group.
    pub fn group(&self) -> &str {
        group_of_case(&self.name)
    }
}

/// The group of the case of this name; empty if it is in no group.
pub fn group_of_case(name: &str) -> &str {
    name.split_once('/').map_or("", |(group, _)| group)
}

/// One program, not yet compiled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Submission {
    /// Its name in reports, as `wrong/last_cell.cpp`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Its place without links, if others could replace it by a link until it is read:
    /// then it is read only there.
    pub real: Option<PathBuf>,
    /// The verdict expected of it, for an example submission.
    pub expected: Option<Expected>,
}

/// What a program that is no submission is compiled from, such as a problem's checker.
#[derive(Clone, Debug)]
pub struct ToolSource {
    /// Its source, or an executable.
    pub source: Submission,
    /// Its language; `None` for an executable.
    pub language: Option<Arc<Language>>,
    /// The other files that it is compiled from.
    pub additional_sources: AdditionalSources,
    /// The most memory that a run of it may use, for languages whose runtime needs to
    /// know it.
    pub memory_bytes: u64,
}

impl Submission {
    /// A program that is named by its path, and of which nothing is expected.
    pub fn at(path: PathBuf) -> Self {
        Self {
            name: path_text(&path),
            path,
            real: None,
            expected: None,
        }
    }

    /// Whether nothing but to be accepted is expected of it.
    pub fn must_be_accepted(&self) -> bool {
        let expected = self.expected.as_ref();
        expected.is_some_and(|expected| expected.verdicts() == [Verdict::Accepted])
    }

    /// Where its file is read.
    pub fn place(&self) -> &PathBuf {
        self.real.as_ref().unwrap_or(&self.path)
    }
}

/// Endings of files that sources include, and that are not sources themselves.
pub const HEADER_ENDINGS: [&str; 5] = ["h", "hh", "hpp", "hxx", "inc"];

/// Why nothing is judged in a language: this machine lacks it, or the problem refuses
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableLanguage {
    /// The reason, with the message of a tool if there is one.
    pub cause: String,
    /// What to do.
    pub remedy: String,
    /// The packages of Debian that bring what is missing, in the words of a command
    /// line.
    pub package: Option<String>,
}

impl UnusableLanguage {
    /// Converts it into a fault, for callers that can do nothing without the language.
    pub fn into_fault(self, doing: impl Into<String>) -> Fault {
        Fault::because(doing, self.cause).with_remedy(self.remedy)
    }
}

/// How programs of one language are built and started. The words of a command may
/// contain `{source}`, `{file}`, `{name}`, `{program}`, `{folder}`, `{memory_mib}`,
/// `{standard}` and `{options}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// Its key in the table of languages, as `cpp`.
    pub id: String,
    /// Its name, as `C++`.
    pub name: String,
    /// Endings of its source files, without the dot.
    pub extensions: Vec<String>,
    /// The file name that the compiler requires for the source, if any.
    pub source: Option<String>,
    /// Whether it is Java: the classes of a source name its file and what is started,
    /// and `source` is only the name of a file without such a class.
    pub java_classes: bool,
    /// Whether the compiler is given all sources of a program. If not, it is given one
    /// and finds the others.
    pub together: bool,
    /// Names of the source in which a program of several starts, in order of
    /// preference.
    pub main: Vec<String>,
    /// The versions of the language to compile, the preferred one first: `{standard}`
    /// is the first that the compiler knows. Words with it are left out if there are
    /// none.
    pub standards: Vec<String>,
    /// The words that `{options}` stands for.
    pub options: Vec<String>,
    /// The command that checks one source without running it, for a language that is
    /// not compiled; empty if there is none.
    pub check: Vec<String>,
    /// The compiler's command; empty if the language is not compiled.
    pub compile: Vec<String>,
    /// Commands that build the program from the output of `compile`, in order of
    /// preference: the first that succeeds counts. Empty if `compile` builds the
    /// program itself.
    pub link: Vec<Vec<String>>,
    /// The command that runs the program.
    pub run: Vec<String>,
    /// The Debian package that installs it.
    pub package: Option<String>,
    /// The limits of a compiler run.
    pub compile_limits: Limits,
    /// Time limits are multiplied by this.
    pub time_factor: u32,
    /// Memory limits are raised by this, in bytes, for the needs of the runtime.
    pub extra_memory_bytes: u64,
    /// How much address space its programs get beyond the memory limit; `None`: any
    /// amount, as in problems of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_space: Option<SpareAddresses>,
    /// Folders that compiler and runtime may read besides the system's, if they exist.
    /// `~` stands for the home folder, and `$NAME` for the value of this variable of
    /// the judge's environment, which is passed to the compiler as well.
    pub toolchain: Vec<String>,
    /// The command that prints the folder of the installation, for tools in the `PATH`
    /// that may only be a launcher; empty if the tool in the `PATH` is the real one.
    pub home: Vec<String>,
    /// Whether a tool of it that is installed in the judge's home may read the folder
    /// of its installation: not if a `judge.toml` names a tool that neither gridjudge
    /// nor the judge's user does.
    pub opens_home: bool,
    /// Whether what its compiler makes may be kept: only with the commands that come
    /// with gridjudge, of which is known that programs depend neither on the folder
    /// that they are in nor on times and owners of files.
    pub keeps_builds: bool,
    /// A valid source that prints `ok`.
    pub known_good: Option<String>,
    /// Environment variables of the compiler, besides the usual ones.
    pub compile_environment: Vec<(String, String)>,
    /// Environment variables of the program, besides the usual ones.
    pub environment: Vec<(String, String)>,
}

impl Language {
    /// The language with these flags for its compiler before all others, if it has one.
    #[must_use]
    pub fn with_flags(&self, flags: &[String]) -> Self {
        let mut language = self.clone();
        if language.compile.is_empty() || flags.is_empty() {
            return language;
        }
        let flags = flags.iter().cloned();
        language.compile.splice(1..1, flags);
        language.keeps_builds = false;
        language
    }

    /// Its code in package formats; mostly the same as its key.
    pub fn package_code(&self) -> &str {
        match self.id.as_str() {
            "python" => "python3",
            "sh" => "bash",
            same => same,
        }
    }
}

/// How much memory a program may reserve beyond its memory limit, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpareAddresses {
    /// Everything that it maps, with files and reserved addresses.
    pub total_bytes: u64,
    /// Private memory that it may write to.
    pub data_bytes: u64,
}

impl SpareAddresses {
    /// The address space of a run with this memory limit.
    pub fn beyond(self, memory_bytes: u64) -> AddressSpace {
        AddressSpace {
            total_bytes: memory_bytes.saturating_add(self.total_bytes),
            data_bytes: memory_bytes.saturating_add(self.data_bytes),
        }
    }
}

// Extra input of a case besides standard input, and the files that replace standard
// input and output. Plain data.

/// The arguments and files that a submission gets on a case besides standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseSupply {
    /// Command line arguments, added after the program's own.
    pub arguments: Vec<String>,
    /// Files placed in its working folder, with their names there.
    pub files: Vec<SourceFile>,
}

/// Files in the working folder that replace standard input and output of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStreams {
    /// The file that contains the input. Standard input is empty then.
    pub input: Option<String>,
    /// The file that the submission writes its output to. Its standard output is
    /// ignored then.
    pub output: Option<String>,
}

impl CaseSupply {
    /// Whether there are no arguments and no files.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

// A recipe for generating cases, as given in `problem.toml`. Plain data.

/// The parameters of generated cases.
#[derive(Debug)]
pub struct Recipe {
    /// The group of its cases.
    pub group: String,
    /// The name of its case; if there are several, the part before their numbers.
    pub name: String,
    /// How many cases it generates.
    pub count: u64,
    /// How many grids are in each.
    pub grids: u64,
    /// The order of the grids.
    pub order: usize,
    /// Where the grids come from.
    pub kind: RecipeKind,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The line of `problem.toml` on which the recipe begins.
    pub line: u64,
}

/// Where the grids of a recipe come from.
#[derive(Debug, PartialEq, Eq)]
pub enum RecipeKind {
    /// They are made.
    Made(GridKind),
    /// They are drawn from this file of puzzles.
    Collection(PathBuf),
}

impl Recipe {
    /// The name of case `number`, from 1: group and file, as `secret/minimal-07`.
    pub fn case(&self, number: u64) -> String {
        let Self {
            group, name, count, ..
        } = self;
        let width = count.to_string().len();
        if *count == 1 {
            format!("{group}/{name}")
        } else {
            format!("{group}/{name}-{number:0width$}")
        }
    }
}

#[cfg(test)]
mod recipe_tests {
    use super::*;

    #[test]
    fn case_numbers_are_zero_padded_and_a_single_case_has_none() {
        let recipe = |count| Recipe {
            group: "g".into(),
            name: "n".into(),
            count,
            grids: 1,
            order: 9,
            kind: RecipeKind::Made(GridKind::Minimal),
            seed: 1,
            line: 1,
        };
        for (count, number, name) in [
            (1, 1, "g/n"),
            (9, 3, "g/n-3"),
            (10, 3, "g/n-03"),
            (100, 100, "g/n-100"),
        ] {
            assert_eq!(recipe(count).case(number), name);
        }
    }
}
