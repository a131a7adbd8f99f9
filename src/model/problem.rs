//! A problem and its cases, as the files on disk say: plain data, already proven sound.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use crate::model::CaseSupply;
use crate::model::CheckerTask;
use crate::model::Expected;
use crate::model::FileStreams;
use crate::model::Scoring;
use crate::model::Task;
use gridjudge_sandbox::Limits;

/// One problem: what it asks for, and what a run may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The name of its folder, unique among all problems.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it asks for, and how an output is judged.
    pub task: Task,
    /// The same for cases that have rules or arguments of their own, by their names.
    pub case_tasks: BTreeMap<String, Task>,
    /// What submissions are given on cases beside standard input, by the names of those that give something.
    pub supplies: BTreeMap<String, CaseSupply>,
    /// Where they read and write, if not from standard input and to standard output.
    pub file_streams: FileStreams,
    /// What a run may use, before a language's own allowance.
    pub limits: Limits,
    /// What this problem grants to languages in place of their own allowance, by their keys.
    pub allowances: BTreeMap<String, LanguageAllowance>,
    /// What its groups of cases are worth.
    pub scoring: Scoring,
}

impl Problem {
    /// How an output for a case is judged.
    pub fn task_on(&self, case: &str) -> &Task {
        self.case_tasks.get(case).unwrap_or(&self.task)
    }

    /// Whether the source of a submission is judged on this case, and not a run: then there is neither input nor answer.
    pub fn is_static(&self, case: &str) -> bool {
        self.task_on(case).static_validator().is_some()
    }

    /// The program that looks at sources, if there is one, with what it is called with on one of its cases.
    pub fn static_validator(&self) -> Option<&CheckerTask> {
        self.case_tasks.values().find_map(Task::static_validator)
    }
}

/// What a problem grants to programs of one language. What it leaves out, the language's own allowance says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageAllowance {
    /// The time limit is multiplied by this.
    pub time_factor: Option<u32>,
    /// The memory limit is raised by this, in bytes.
    pub extra_memory_bytes: Option<u64>,
}

/// One input and its expected answer. Where sources are judged, both are the file that asks for it.
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
    /// The group that it belongs to, as `secret`; empty for a case in no group.
    pub fn group(&self) -> &str {
        self.name.split_once('/').map_or("", |(group, _)| group)
    }
}

/// One program, before anybody has compiled it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// What reports call it, as `wrong/last_cell.cpp`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The verdict expected of it, for an example submission.
    pub expected: Option<Expected>,
}

/// Endings of files that sources include, and that are no sources themselves.
pub const HEADER_ENDINGS: [&str; 5] = ["h", "hh", "hpp", "hxx", "inc"];

/// That a problem takes no submissions in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageRefusal {
    /// Why.
    pub cause: String,
    /// What to do.
    pub remedy: String,
}

/// How programs of one language are made and started. The words of a command may hold `{source}`,
/// `{name}`, `{program}`, `{folder}` and `{memory_mib}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// Its key in the table of languages, as `cpp`.
    pub id: String,
    /// Its name, as `C++`.
    pub name: String,
    /// Endings of its source files, without the dot.
    pub extensions: Vec<String>,
    /// The name its compiler wants the source to have, where it wants one.
    pub source: Option<String>,
    /// What a source holds that keeps its own name all the same; `{name}` in it stands for the name without the ending.
    pub own_name: Option<String>,
    /// Whether all sources of a program are given to the compiler. Else it is given one, and finds the others.
    pub together: bool,
    /// Names of the source among several in which a program starts, the best first.
    pub main: Vec<String>,
    /// The compiler's command; empty where there is nothing to compile.
    pub compile: Vec<String>,
    /// Commands that make the program of what `compile` has made, the best first: the first that works counts. Empty
    /// where `compile` makes the program itself.
    pub link: Vec<Vec<String>>,
    /// The command that runs the program.
    pub run: Vec<String>,
    /// The package of Debian that brings it.
    pub package: Option<String>,
    /// What compiling may use.
    pub compile_limits: Limits,
    /// Time limits are multiplied by this.
    pub time_factor: u32,
    /// Memory limits are raised by this, in bytes: what the runtime needs for itself.
    pub extra_memory_bytes: u64,
    /// Folders that compiler and runtime read beyond the system's, where they exist; `~` stands for the home folder, and
    /// `$NAME` for what this variable of the judge's environment names, which its compiler finds there as well.
    pub toolchain: Vec<String>,
    /// The command that names the folder of the installation, where what stands in the `PATH` may only lead to it; empty
    /// where it is the tool itself.
    pub home: Vec<String>,
    /// A source that is right, and prints `ok`.
    pub known_good: Option<String>,
    /// Environment of the compiler, beside the usual.
    pub compile_environment: Vec<(String, String)>,
    /// Environment of the program, beside the usual.
    pub environment: Vec<(String, String)>,
}

/// Languages that the formats of packages call otherwise than their key here.
const OTHER_CODES: [(&str, &str); 1] = [("python", "python3")];

impl Language {
    /// What the formats of packages call it: mostly as here.
    pub fn package_code(&self) -> &str {
        OTHER_CODES.iter().find(|row| row.0 == self.id).map_or(&self.id, |row| row.1)
    }
}
