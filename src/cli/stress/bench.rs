//! Makes the programs ready, has inputs run and shrunk, and tells what came of it.

use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crate::check::Unreadable;
use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::screen;
use crate::cli::status::Status;
use crate::cli::stress::Order;
use crate::cli::stress::Stress;
use crate::cli::stress::counted::Counted;
use crate::cli::stress::words::looking;
use crate::cli::stress::words::remarks;
use crate::cli::stress::words::shrinking;
use crate::compile;
use crate::compile::Made;
use crate::compile::Unfit;
use crate::compile::Workshop;
use crate::model::Program;
use crate::proof;
use crate::proof::Refusal;
use crate::report::printable;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::stress::Allowance;
use crate::stress::Bag;
use crate::stress::Contestant;
use crate::stress::Draft;
use crate::stress::Failure;
use crate::stress::Grid;
use crate::stress::Hunt;
use crate::stress::Note;
use crate::stress::Rig;
use crate::stress::Shrinker;
use crate::stress::Shrunk;
use crate::stress::Source;
use crate::suite::Entry;
use gridjudge_grid::flaw::plural;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Linux;

/// Lines of an input, or of what a program wrote, that are shown.
const MOST_LINES: usize = 60;

/// One call of the command.
pub(super) struct Bench<'a> {
    pub(super) stress: &'a Stress,
    pub(super) common: &'a Common,
    pub(super) order: &'a Order,
    pub(super) sandbox: &'a Linux,
    pub(super) interrupted: &'a AtomicBool,
    pub(super) jobs: usize,
}

/// A program that can be run, as long as its folder lives.
struct Ready {
    program: Program,
    folder: compile::Folder,
}

/// Why there is none.
enum Unready {
    Refused { reason: String, output: String },
    Failed(Fault),
}

impl Bench<'_> {
    pub(super) fn run(&self) -> Result<Ending, Stop> {
        match self.judge() {
            // What fails while the judge is told to stop may well fail for that reason.
            Err(Stop::Fault(_)) if self.interrupted.load(Ordering::Relaxed) => Ok(Ending::Interrupted),
            Ok(_) if self.interrupted.load(Ordering::Relaxed) => Ok(Ending::Interrupted),
            ending => ending,
        }
    }

    fn judge(&self) -> Result<Ending, Stop> {
        let Order { entry, against, seed, .. } = self.order;
        let workshop = Workshop::new(self.sandbox.programs());
        let status = Status::start(self.common, &format!("compiling {}", entry.submission.name));
        let ready = match self.make(&workshop, entry) {
            Ok(ready) => ready,
            Err(Unready::Refused { reason, output }) => {
                drop(status);
                screen::result(format_args!("CE (compile error): {}", printable(&reason)))?;
                show("    | ", &output)?;
                return Ok(Ending::Surprising);
            }
            Err(Unready::Failed(fault)) => return Err(fault.into()),
        };
        let other = match against.as_ref().map(|entry| self.make(&workshop, entry)).transpose() {
            Ok(other) => other,
            Err(Unready::Refused { reason, .. }) => {
                let path = self.stress.against.as_deref().unwrap_or(Path::new(""));
                return Err(Mistakes::from(Mistake::of(path, format!("does not compile: {reason}"))).into());
            }
            Err(Unready::Failed(fault)) => return Err(fault.into()),
        };
        drop(status);
        let against = against.as_ref().zip(other.as_ref());
        let counted = Counted::new(self.sandbox);
        let rig = Rig {
            submission: Contestant { entry, program: &ready.program },
            against: against.map(|(entry, ready)| Contestant { entry, program: &ready.program }),
            sandbox: &counted,
        };
        let Order { recipes, stored, .. } = self.order;
        let source = Source::new(&entry.problem, recipes, *seed).with_stored(stored);
        self.look(&source, &rig, &ready, &counted)
    }

    fn make(&self, workshop: &Workshop, entry: &Entry) -> Result<Ready, Unready> {
        let memory = entry.problem.limits.memory_bytes;
        let language = entry.language.as_deref();
        let made = workshop.make(&entry.submission, language, memory, self.sandbox);
        let unavailable = |cause: String, remedy: String| {
            let doing = format!("preparing {}", entry.submission.path.display());
            Unready::Failed(Fault::because(doing, cause).with_remedy(remedy))
        };
        let made = made.map_err(Unready::Failed)?;
        // What compiles shows that its compiler works; of a runtime only its failures would tell.
        let is_shown = matches!(made, Made::Ready { .. })
            && language.is_none_or(|language| !language.compile.is_empty());
        let unfit = language.filter(|_| !is_shown).map(|language| workshop.try_out(language, self.sandbox));
        match (unfit.transpose().map_err(Unready::Failed)?.flatten(), made) {
            (Some(Unfit { cause, remedy }), _) | (None, Made::Unavailable { cause, remedy }) => {
                Err(unavailable(cause, remedy))
            }
            (None, Made::Ready { program, folder }) => Ok(Ready { program, folder }),
            (None, Made::Refused { reason, output }) => Err(Unready::Refused { reason, output }),
        }
    }

    fn look(
        &self,
        source: &Source<'_>,
        rig: &Rig<'_>,
        ready: &Ready,
        counted: &Counted<'_>,
    ) -> Result<Ending, Stop> {
        let (failure, bag) = {
            let _status = self.status(counted, looking);
            match &self.order.brought {
                Some(input) => (self.hold_brought(source, rig, input)?, None),
                None => {
                    let bag = self.hunt(source, rig)?;
                    (bag.failure.clone(), Some(bag))
                }
            }
        };
        let Some(failure) = failure else {
            if !self.common.quiet {
                self.tell_nothing(bag.as_ref())?;
            }
            return Ok(Ending::AsExpected);
        };
        let found = failure.draft.grids.clone();
        let shrunk = if self.stress.no_shrink {
            Shrunk { failure, runs: 0, is_done: true, is_steady: true }
        } else {
            let _status = self.status(counted, shrinking);
            let Stress { shrink_runs, shrink_time, .. } = *self.stress;
            let allowance = Allowance { runs: shrink_runs, time: Some(shrink_time) };
            Shrinker::new(source, rig, self.interrupted, allowance, failure).shrink()?
        };
        self.tell(&shrunk, &found, ready)?;
        Ok(Ending::Surprising)
    }

    /// Says how many runs were made since now.
    fn status(&self, counted: &Counted<'_>, words: fn(u64, &Stress) -> String) -> Status {
        let (runs, stress) = (counted.runs(), self.stress.clone());
        let before = runs.load(Ordering::Relaxed);
        Status::watching(self.common, move |_| words(runs.load(Ordering::Relaxed) - before, &stress))
    }

    fn hunt(&self, source: &Source<'_>, rig: &Rig<'_>) -> Result<Bag, Fault> {
        let Stress { time, runs, .. } = *self.stress;
        let interrupted = self.interrupted;
        Hunt { source, rig, jobs: self.jobs, inputs: runs, time: Some(time), interrupted }.go()
    }

    /// Runs the input that somebody brought.
    fn hold_brought(
        &self,
        source: &Source<'_>,
        rig: &Rig<'_>,
        input: &[u8],
    ) -> Result<Option<Failure>, Stop> {
        let problem = source.problem();
        let path = self.stress.case.as_deref().unwrap_or(Path::new(""));
        let mut answer = Vec::new();
        proof::solve(problem, input, &mut answer).map_err(|refusal| mistake(path, &refusal))?;
        let grids = Draft::grids_of(problem, input).map_err(|error| mistake(path, &error.into()))?;
        let draft = Draft { grids, input: input.to_vec(), answer };
        let first = rig.hold(&draft)?;
        let outcome = rig.hold_again(&draft, first)?;
        Ok(outcome.symptom().is_failure().then_some(Failure { number: None, draft, outcome }))
    }

    fn tell_nothing(&self, bag: Option<&Bag>) -> Result<(), Fault> {
        let what = if self.order.against.is_some() { "difference" } else { "failure" };
        let Some(Bag { inputs, alike, .. }) = bag else {
            return screen::result(format_args!("no {what} on this input"));
        };
        let seed = self.order.seed;
        screen::result(format_args!("no {what} in {inputs} {} of seed {seed}", plural(*inputs, "input")))?;
        if *alike > 0 {
            screen::result(format_args!("on {alike} of them both programs fail alike"))?;
        }
        Ok(())
    }

    fn tell(&self, shrunk: &Shrunk, found: &[Grid], ready: &Ready) -> Result<(), Stop> {
        let Order { entry, against, seed, place, brought, .. } = self.order;
        let Shrunk { failure, runs, .. } = shrunk;
        let limits = entry.limits();
        let origin = match (failure.number, &self.stress.case) {
            (Some(number), _) => format!("input {} of seed {seed}", number + 1),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => String::new(),
        };
        let origin = printable(&origin);
        let remarks = remarks(shrunk, self.interrupted.load(Ordering::Relaxed));
        let search = self.search(failure.number);
        let name = printable(&entry.submission.name);
        let other = against.as_ref().map(|other| printable(&other.submission.name));
        let note = |command: &str| -> (String, String, String) {
            let note = Note {
                problem: &entry.problem.id,
                submission: &name,
                against: other.as_deref(),
                origin: &origin,
                found,
                failure,
                runs: *runs,
                remarks: &remarks,
                limits: &limits,
                command,
                search: &search,
            };
            (printable(&note.finding()), note.shrinking(), lines_printable(&note.text()))
        };
        let (finding, shrinking, _) = note("");
        screen::result(format_args!("{origin}: {finding}"))?;
        screen::result(shrinking)?;
        remarks.iter().try_for_each(screen::result)?;
        screen::result("")?;
        show("    ", &String::from_utf8_lossy(&failure.draft.input))?;
        let stderr = compile::without_folder(ready.folder.path(), &failure.outcome.trial.stderr_tail);
        if !stderr.trim().is_empty() {
            screen::result("\nstandard error:")?;
            show("    | ", &stderr)?;
        }
        if brought.is_some() && self.stress.no_shrink {
            return Ok(());
        }
        let draft = &failure.draft;
        let folder = place.fill(&draft.input, &draft.answer, |case| note(&self.repeat(case)).2)?;
        Ok(screen::result(format_args!("\nwritten to {}", printable(&folder.to_string_lossy())))?)
    }
}

/// Shows a text, each line of it behind a margin. What a program wrote needs one that is not blank: GitHub takes a line for a
/// command that begins with two colons, whatever blanks stand before them.
fn show(margin: &str, text: &str) -> Result<(), Fault> {
    let lines: Vec<_> = text.lines().collect();
    for line in lines.iter().take(MOST_LINES) {
        screen::result(format_args!("{margin}{}", printable(line)))?;
    }
    match lines.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => screen::result(format_args!("{margin}... (lines more: {more})")),
    }
}

/// A page without anything that steers a terminal: of what it quotes from the output nobody knows what it is.
fn lines_printable(page: &str) -> String {
    page.lines().map(|line| printable(line) + "\n").collect()
}

/// The mistake of an input that is not the problem's.
fn mistake(path: &Path, refusal: &Refusal) -> Mistakes {
    match refusal {
        Refusal::Input(Unreadable::Text(mistake)) => {
            let placed = Mistake::of(path, &mistake.message).on_line(mistake.line);
            Mistake { remedy: mistake.remedy.map(str::to_owned), ..placed }.into()
        }
        _ => Mistake::of(PathBuf::from(path), refusal.to_string()).into(),
    }
}
