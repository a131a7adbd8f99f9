//! What is to be judged, in order: submissions with their problems and cases, and the jobs they come to. Runs nothing.

use std::sync::Arc;

use crate::model::Case;
use crate::model::Input;
use crate::model::Job;
use crate::model::Language;
use crate::model::Launch;
use crate::model::Limits;
use crate::model::Problem;
use crate::model::Program;
use crate::model::Role;
use crate::model::Submission;

/// One submission and all it will be judged on.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The submission.
    pub submission: Submission,
    /// Its language; none for an executable.
    pub language: Option<Arc<Language>>,
    /// The cases, in order.
    pub cases: Arc<[Case]>,
}

/// All submissions, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Submissions in the order of the report.
    pub entries: Vec<Entry>,
}

impl Plan {
    /// Trials that it comes to, if every case is judged.
    pub fn trials(&self) -> usize {
        self.entries.iter().map(|entry| entry.cases.len()).sum()
    }
}

impl Entry {
    /// What reports call its language.
    pub fn language_name(&self) -> &str {
        self.language.as_ref().map_or("executable", |language| &language.name)
    }

    /// What each of its runs may use: the problem's limits with its language's allowance.
    pub fn limits(&self) -> Limits {
        let usual = &self.problem.limits;
        let Some(language) = &self.language else { return usual.clone() };
        let extra = usual.wall.saturating_sub(usual.cpu);
        let own = self.problem.allowances.get(&language.id).copied().unwrap_or_default();
        let cpu = usual.cpu * own.time_factor.unwrap_or(language.time_factor);
        let extra_memory = own.extra_memory_bytes.unwrap_or(language.extra_memory_bytes);
        Limits {
            cpu,
            wall: Limits::wall_for(cpu).max(cpu + extra),
            memory_bytes: usual.memory_bytes.saturating_add(extra_memory),
            ..usual.clone()
        }
    }

    /// The job of a case, with the program that the submission was made into.
    pub fn job(&self, case: &Case, program: &Program) -> Job {
        Job {
            problem: Arc::clone(&self.problem),
            submission: self.submission.name.as_str().into(),
            case: case.clone(),
            launch: Launch {
                command: program.command.clone(),
                environment: program.environment.clone(),
                input: Input::CopyOf(case.input.clone()),
                readable: program.readable.clone(),
                role: Role::Submission,
            },
            limits: self.limits(),
        }
    }
}
