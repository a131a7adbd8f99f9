//! What is to be judged, in order: submissions with their problems and cases, and the jobs they come to. Runs nothing.

use std::path::Path;
use std::sync::Arc;

use crate::model::Case;
use crate::model::CasePromises;
use crate::model::CheckerKind;
use crate::model::CheckerProgram;
use crate::model::Contest;
use crate::model::Entrant;
use crate::model::FurtherSources;
use crate::model::Job;
use crate::model::Language;
use crate::model::LanguageRefusal;
use crate::model::Problem;
use crate::model::Program;
use crate::model::Submission;
use crate::model::SubmittedSources;
use crate::model::Trial;
use crate::run::planned_answers::PlannedAnswers;
use crate::run::planned_refusal::PlannedRefusal;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Limits;

/// One submission and all it will be judged on.
#[derive(Clone, Debug)]
pub struct PlanEntry {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The submission.
    pub submission: Submission,
    /// What it is made of beside its own file.
    pub further: FurtherSources,
    /// Its language; none for an executable.
    pub language: Option<Arc<Language>>,
    /// That the problem takes none in this language, if so.
    pub language_refusal: Option<LanguageRefusal>,
    /// What it answers, where it is answers and no program.
    pub answers: Option<PlannedAnswers>,
    /// Why nobody judges it, if it is refused before it is made.
    pub refusal: Option<PlannedRefusal>,
    /// The cases, in order.
    pub cases: Arc<[Case]>,
    /// What it promises for some of them.
    pub promises: CasePromises,
    /// Who handed it in, in a contest.
    pub entrant: Option<Entrant>,
    /// The checker program of the problem, where a program judges outputs; shared by all entries of the problem.
    pub checker: Option<Arc<PlannedChecker>>,
    /// The program that says what groups come to, where one does; shared likewise.
    pub grader: Option<Arc<PlannedChecker>>,
    /// The program that looks at sources, where one does; shared likewise.
    pub static_validator: Option<Arc<PlannedChecker>>,
}

/// The checker program of a problem, before anybody has compiled it.
#[derive(Clone, Debug)]
pub struct PlannedChecker {
    /// When it runs.
    pub kind: CheckerKind,
    /// Its source, or an executable.
    pub source: Submission,
    /// Its language; none for an executable.
    pub language: Option<Arc<Language>>,
    /// What it is made of beside that.
    pub further: FurtherSources,
    /// The most memory that a run of it may use, for languages whose runtime must be told.
    pub memory_bytes: u64,
    /// The one that comes after it, where it is an interactor that has not the last word.
    pub final_checker: Option<Box<Self>>,
}

/// All submissions, in order.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Submissions in the order of the report.
    pub entries: Vec<PlanEntry>,
    /// The contest that they belong to, if there is one.
    pub contest: Option<Contest>,
    /// Whether cases were left out by choice, so that what is missing is not gone.
    pub is_part: bool,
}

impl Plan {
    /// Trials that it comes to, if every case is judged.
    pub fn trials(&self) -> usize {
        self.entries.iter().map(|entry| entry.cases.len()).sum()
    }

    /// Puts some cases of each submission before its others; beside that, their order stays.
    pub fn put_first(&mut self, is_first: impl Fn(&PlanEntry, &Case) -> bool) {
        for entry in &mut self.entries {
            let (first, rest): (Vec<_>, Vec<_>) = entry.cases.iter().partition(|case| is_first(entry, case));
            // Most have nothing to put first, and go on sharing their cases.
            if !first.is_empty() {
                entry.cases = first.into_iter().chain(rest).cloned().collect();
            }
        }
    }
}

impl PlanEntry {
    /// Whether its source is judged on any of its cases, in place of a run.
    pub fn judges_source(&self) -> bool {
        self.cases.iter().any(|case| self.problem.is_static(&case.name))
    }

    /// What reports call its language.
    pub fn language_name(&self) -> &str {
        let without = if self.answers.is_some() { "answers" } else { "executable" };
        self.language.as_ref().map_or(without, |language| &language.name)
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

    /// Whether a trial is to be held again, alone. Of one that was, all is known that can be.
    pub(super) fn is_doubtful(&self, trial: &Trial) -> bool {
        !trial.rerun && trial.is_doubtful(&self.limits())
    }

    /// Its source as a program looks at it, where it was made into a program in a folder.
    pub(super) fn sources(&self, program: &Program, folder: &Path) -> SubmittedSources {
        let language = self.language.as_ref().map_or("", |language| language.package_code());
        let (language, entry_point) = (language.to_owned(), program.entry_point.clone());
        SubmittedSources { language, entry_point, folder: folder.to_owned() }
    }

    /// The job of a case, with the programs that submission and checker were made into.
    pub fn job(&self, case: &Case, program: &Program, checker: Option<Arc<CheckerProgram>>) -> Job {
        Job {
            problem: Arc::clone(&self.problem),
            submission: self.submission.name.as_str().into(),
            case: case.clone(),
            launch: program.on_case(&self.problem, &case.name, Input::CopyOf(case.input.clone())),
            limits: self.limits(),
            checker,
            keeps_transcript: false,
        }
    }
}
