//! Which generators and model solutions are run on which cases, and what came of it. Writes nothing that stays.

use crate::cli::args::GlobalOptions;
use crate::cli::cancel::CancelToken;
use crate::cli::commands::answers::made_inputs::InputMaker;
use crate::cli::commands::answers::made_inputs::MadeInput;
use crate::cli::commands::answers::model::ModelAnswer;
use crate::cli::commands::answers::model::ModelSolution;
use crate::cli::exit::CommandError;
use crate::cli::session::startup::SandboxStartup;
use crate::cli::signals;
use crate::cli::signals::CriticalSection;
use crate::cli::status_line::StatusLine;
use crate::compile::Compiler;
use crate::model::Case;
use crate::model::Problem;
use crate::proof;
use crate::proof::SolveError;
use crate::spec::JudgeFolder;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::text::counted;
use gridjudge_sandbox::LevelChoice;

/// What came of the problems that have model solutions.
#[derive(Default)]
pub(super) struct ModelAnswers {
    /// Inputs that were missing.
    pub(super) inputs: Vec<MadeInput>,
    /// Answers that were missing.
    pub(super) written: Vec<ModelAnswer>,
    /// How many stored ones are as good as the solution's.
    pub(super) proven: u64,
    /// From when on a signal waits until all is kept, or nothing.
    pub(super) waiting: Option<CriticalSection>,
}

/// A problem of which something is to be made or proven.
struct ModelWork<'a> {
    problem: &'a Problem,
    /// Cases whose input is there, and whose answer is wanted.
    cases: Vec<Case>,
    /// Cases whose input is not there; nothing is said of their answers.
    missing: Vec<Case>,
}

/// Makes what is missing: inputs by the generators of packages, and answers by model solutions, which are also asked where all are to
/// be proven.
pub(super) fn answers(
    folder: &JudgeFolder,
    work: &[(Problem, Vec<Case>)],
    proves_all: bool,
    jobs: Option<usize>,
    common: &GlobalOptions,
    cancel: &CancelToken,
) -> Result<ModelAnswers, CommandError> {
    let work = work.iter().map(|(problem, cases)| ModelWork::of(folder, problem, cases, proves_all));
    let work: Vec<_> = work.filter(|work| !work.cases.is_empty() || !work.missing.is_empty()).collect();
    let mistakes: Vec<_> = work.iter().filter_map(|work| work.refused(folder)).collect();
    if !mistakes.is_empty() {
        return Err(Mistakes(mistakes).into());
    }
    let mut made = ModelAnswers::default();
    if work.is_empty() {
        return Ok(made);
    }
    // Model solutions run alone, as submissions would whose time counts; only generators run beside each other.
    let has_inputs = work.iter().any(|work| !work.missing.is_empty());
    let startup = SandboxStartup::begin(if has_inputs { jobs } else { Some(1) }, LevelChoice::Best);
    let jobs = startup.jobs;
    let sandbox = startup.finish()?;
    let _running = sandbox.close_on_cancel(cancel);
    let status = StatusLine::start(common, "running model solutions");
    let compiler = Compiler::new(sandbox.programs());
    let maker = InputMaker { folder, sandbox: &sandbox, compiler: &compiler, jobs, cancel, status: &status };
    let mut mistakes = Vec::new();
    for work in work {
        mistakes.extend(made.add(work, &maker)?);
    }
    made.waiting = Some(signals::be_busy());
    if mistakes.is_empty() { Ok(made) } else { Err(Mistakes(mistakes).into()) }
}

impl ModelAnswers {
    /// Makes what is missing of a problem; what is wrong with the answers that it has.
    fn add(&mut self, work: ModelWork<'_>, maker: &InputMaker<'_>) -> Result<Vec<Mistake>, CommandError> {
        let ModelWork { problem, mut cases, missing } = work;
        let wants_answers = cases.iter().chain(&missing).any(|case| !case.answer.exists());
        // What does not compile is told before anything is made for it.
        let model = match wants_answers || !cases.is_empty() {
            true => ModelSolution::of(maker.folder, problem, maker.compiler, maker.sandbox)?,
            false => None,
        };
        if !missing.is_empty()
            && let Some(package) = maker.folder.package(&problem.id)
        {
            let inputs = maker.make(&*package?)?;
            let unanswered = inputs.iter().filter(|input| !input.case.answer.exists());
            cases.extend(unanswered.map(MadeInput::case_now));
            self.inputs.extend(inputs);
        }
        let mut mistakes = Vec::new();
        let Some(model) = model else { return Ok(unknown(&cases, maker.folder.takes_answers(&problem.id))) };
        for answer in model.answers(&cases, maker.sandbox, maker.status)? {
            if answer.case.answer.exists() {
                mistakes.extend(model.mistakes_of(&answer)?);
                self.proven += 1;
            } else {
                self.written.push(answer);
            }
        }
        Ok(mistakes)
    }
}

impl<'a> ModelWork<'a> {
    fn of(folder: &JudgeFolder, problem: &'a Problem, cases: &[Case], proves_all: bool) -> Self {
        let proves_all = proves_all && proof::can_compare_answers(problem);
        let is_wanted =
            |case: &&Case| !problem.is_static(&case.name) && (proves_all || !case.answer.exists());
        let package = folder.package(&problem.id).and_then(Result::ok);
        let missing = package.into_iter().flat_map(|package| package.missing_tests.tests.clone());
        Self {
            problem,
            cases: cases.iter().filter(is_wanted).cloned().collect(),
            missing: missing.map(|test| test.case).collect(),
        }
    }

    /// Why nothing can be written for the problem at all, whatever its programs would say.
    fn refused(&self, folder: &JudgeFolder) -> Option<Mistake> {
        if let Some(archive) = folder.archive_of(&self.problem.id) {
            let mistake = Mistake::of(archive, "is an archive, into which no answers are written");
            return Some(mistake.with_remedy("unpack it, and name its folder"));
        }
        let unanswered = self.cases.iter().chain(&self.missing).filter(|case| !case.answer.exists());
        let unanswered: Vec<_> = unanswered.collect();
        self.problem.task.is_interactive().then(|| of_talks(&unanswered)).flatten()
    }
}

/// The mistake of answers that are missing where submissions talk to an interactor: what one says in a talk is none, and without
/// the other side it says nothing.
fn of_talks(cases: &[&Case]) -> Option<Mistake> {
    let first = cases.first()?;
    let message = match cases.len() - 1 {
        0 => "is missing, and no submission writes it".to_owned(),
        others => {
            let verb = if others == 1 { "is" } else { "are" };
            let others = counted(others as u64, "other answer");
            format!("is missing, as {verb} {others}, and no submission writes them")
        }
    };
    let remedy = "write what the interactor wants to read there, or nothing; the full package of a problem of Polygon has it";
    let message = format!("{message}: they talk to the interactor of this problem");
    Some(Mistake::of(&first.answer, message).with_remedy(remedy))
}

/// The mistakes of answers that are missing, and that nobody knows.
fn unknown(cases: &[Case], takes_answers: bool) -> Vec<Mistake> {
    let missing = cases.iter().filter(|case| !case.answer.exists());
    let mistake = |case: &Case| match takes_answers {
        true => Mistake::of(&case.answer, "no program knows it: submissions to this problem are answers")
            .with_remedy("write it by hand"),
        false => proof::mistake_of_solve_error(case, &SolveError::NoSolver),
    };
    missing.map(mistake).collect()
}
