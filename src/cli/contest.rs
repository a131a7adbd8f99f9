//! What `grade` and `standings` share about contests: from a folder to a plan, and from rules to reports.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write;
use std::path::Path;

use clap::Args;
use clap::ValueEnum;

use crate::cli::audience::Listener;
use crate::cli::screen;
use crate::cli::selection;
use crate::cli::selection::Subject;
use crate::model::Submission;
use crate::report::standings;
use crate::report::standings::By;
use crate::report::standings::Form;
use crate::report::standings::Rules;
use crate::report::standings::Standings;
use crate::spec::Entries;
use crate::spec::Folder;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::suite::Plan;

/// Where help lists what is for contests only.
pub(crate) const HEADING: &str = "Contests";

/// How a contest is decided.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Ranking {
    /// What the teams of a contest are ranked by
    #[arg(long, value_name = "WHAT", default_value = "icpc", help_heading = HEADING)]
    by: Wanted,
    /// Minutes that a rejected attempt costs a team that solves the problem
    #[arg(long, value_name = "MINUTES", default_value = "20", value_parser = clap::value_parser!(u64).range(..=100_000), help_heading = HEADING)]
    penalty: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Wanted {
    /// Problems solved, then time and rejected attempts
    Icpc,
    /// The points of the best attempts
    Points,
}

impl Ranking {
    fn rules(self) -> Rules {
        let by = match self.by {
            Wanted::Icpc => By::Icpc,
            Wanted::Points => By::Points,
        };
        Rules { by, penalty: self.penalty }
    }
}

/// What stands for standard output.
const STDOUT: &str = "-";

/// Files that the standings go to, beside the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'a> {
    pub(crate) html: Option<&'a Path>,
    pub(crate) csv: Option<&'a Path>,
}

impl<'a> Files<'a> {
    /// Where they are to be.
    pub(crate) fn paths(self) -> Vec<&'a Path> {
        [self.html, self.csv].into_iter().flatten().collect()
    }

    /// Whether one of them goes to standard output.
    pub(crate) fn take_stdout(self) -> bool {
        self.paths().contains(&Path::new(STDOUT))
    }

    /// No listeners, where there is no contest.
    ///
    /// # Errors
    /// If there are to be standings all the same.
    pub(crate) fn refuse(self) -> Result<Vec<Listener>, Mistakes> {
        let refusal = |path: &Path| {
            Mistake::of(path, "there are no standings without a contest")
                .with_remedy("grade the folder of a contest: `<team>/<problem>.<ext>`")
        };
        self.html.or(self.csv).map_or(Ok(Vec::new()), |path| Err(refusal(path).into()))
    }
}

/// Those who write standings: to the screen, which is standard error if standard output is taken, and to files.
///
/// # Errors
/// A file that holds something else, or cannot be written.
pub(crate) fn listeners(
    stdout_is_taken: bool,
    ranking: Ranking,
    files: Files<'_>,
) -> Result<Vec<Listener>, Mistakes> {
    let rules = ranking.rules();
    let shown = Standings::new(screen::results(stdout_is_taken), standings::text, rules);
    let mut listeners: Vec<Listener> = vec![("standard output".to_owned(), Box::new(shown))];
    let wanted: [(_, Form, &str); 2] = [
        (files.html, standings::html, standings::HTML_START),
        (files.csv, standings::csv, standings::CSV_START),
    ];
    for (path, form, start) in wanted {
        if let Some(path) = path {
            let written = Standings::new(create(path, start)?, form, rules);
            listeners.push((path.to_string_lossy().into_owned(), Box::new(written)));
        }
    }
    Ok(listeners)
}

/// Creates a file, unless it would take the place of one that does not start as its older version would.
fn create(path: &Path, start: &str) -> Result<Box<dyn Write>, Mistakes> {
    if path == Path::new(STDOUT) {
        return Ok(Box::new(io::stdout()));
    }
    let mut found = Vec::new();
    if path.metadata().is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(path)
    {
        // What cannot be read will not be written either, and is then told.
        let _ = file.take(start.len() as u64).read_to_end(&mut found);
    }
    if !found.is_empty() && found != start.as_bytes() {
        let mistake = Mistake::of(path, "holds no standings, and new ones would overwrite it");
        return Err(mistake.with_remedy("name another file, or delete this one").into());
    }
    match File::create(path) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => Err(Mistake::of(path, format!("cannot be written: {error}")).into()),
    }
}

/// All that was handed in at a contest; at one problem only, if that is asked.
///
/// # Errors
/// Every mistake in the folder, and in the problems it leads to.
pub(crate) fn plan(folder: &Folder, root: &Path, only: Option<&str>) -> Result<Plan, Mistakes> {
    if let Some(id) = only.filter(|only| folder.ids().all(|id| id != *only)) {
        folder.problem(id)?;
    }
    let Entries { contest, attempts } = Entries::read(folder, root, only)?;
    let mut plan = Plan { contest: Some(contest), ..Plan::default() };
    let mut mistakes = Vec::new();
    let mut subjects: BTreeMap<String, Option<Subject>> = BTreeMap::new();
    for attempt in attempts {
        let id = &attempt.problem;
        let subject = subjects.entry(id.clone()).or_insert_with(|| {
            selection::subject(folder, id).map_err(|Mistakes(found)| mistakes.extend(found)).ok()
        });
        let Some(subject) = subject else { continue };
        let submission = Submission { name: attempt.name, path: attempt.path, expected: None };
        match selection::entry(folder, subject, submission, BTreeMap::new(), Some(attempt.entrant)) {
            Ok(entry) => plan.entries.push(entry),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    if mistakes.is_empty() { Ok(plan) } else { Err(Mistakes(mistakes)) }
}
