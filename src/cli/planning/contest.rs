//! Contests, for `grade` and `standings`: makes a plan of a contest's folder, and
//! reports of its standings.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use gridjudge_sandbox::Fault;

use crate::cli::planning::plan_entry;
use crate::cli::{
    KnownProofs, NamedSink, OutputFile, PlanDraft, WriteMode, beginning, output,
    screen,
};
use crate::model::{
    CaseExpectations, Contest, Event, RankingMode, Submission, file_name,
};
use crate::report::marks::Marks;
use crate::report::standings::{RankingChoice, Standings, StandingsFormat};
use crate::report::{ReportWriter, Sink, marks, standings};
use crate::run::Plan;
use crate::spec::{ContestEntries, JudgeFolder, Mistake, Mistakes, contest_minute};
use crate::text::{first_few, path_text, printable};

/// The most names of left-out files that are shown; the rest is counted.
const MOST_LEFT_OUT: usize = 10;

/// The most entries that cannot be judged that are shown; the rest is counted.
const MOST_REFUSED: usize = 50;

/// The heading in help above options that are only for contests: those of
/// [`RankingOptions`], and all that follow them in a command.
pub(crate) const HEADING: &str = "Contests";

/// How the teams of a contest are ranked.
#[derive(Clone, Copy, Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct RankingOptions {
    /// What the teams of a contest are ranked by
    /// [default: what `contest.toml` says, or `icpc`]
    #[arg(long, value_name = "WHAT")]
    by: Option<RankBy>,
    /// Minutes that a rejected attempt costs a team that solves the problem
    /// [default: what `contest.toml` says, or 20]
    #[arg(
        long,
        value_name = "MINUTES",
        value_parser = clap::value_parser!(u64).range(..=100_000)
    )]
    penalty: Option<u64>,
    /// Hide the results of attempts from this minute on, for example `240` or `4:00`
    #[arg(
        long,
        value_name = "MINUTE",
        value_parser = parsed_minute
    )]
    freeze: Option<u64>,
    /// Show all results, whatever `contest.toml` or the log says
    #[arg(long, conflicts_with = "freeze")]
    unfreeze: bool,
    /// Show the standings as they were after this many minutes
    #[arg(
        long,
        value_name = "MINUTE",
        value_parser = parsed_minute
    )]
    as_of: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum RankBy {
    /// Problems solved, then time and rejected attempts
    Icpc,
    /// The points of the best attempts
    Points,
}

impl RankingOptions {
    /// Makes these the rules of the contest of a plan, so that its log has them.
    pub(crate) fn record_in(self, plan: &mut Plan) {
        if let Some(contest) = &mut plan.contest {
            self.choice().record_in(&mut contest.rules);
        }
    }

    fn choice(self) -> RankingChoice {
        RankingChoice {
            by: self.by.map(|by| match by {
                RankBy::Icpc => RankingMode::Icpc,
                RankBy::Points => RankingMode::Points,
            }),
            penalty: self.penalty,
            freeze: self.freeze,
            unfreeze: self.unfreeze,
            as_of: self.as_of,
        }
    }
}

/// A minute on the command line.
fn parsed_minute(text: &str) -> Result<u64, String> {
    contest_minute(text).ok_or_else(|| {
        "write minutes since the start, for example `240`, or hours and minutes, for example `4:00`"
            .to_owned()
    })
}

/// How standings are made, and where they are written.
#[derive(Args)]
pub(crate) struct StandingsOptions {
    #[command(flatten)]
    pub(crate) ranking: RankingOptions,
    /// Write the standings of a contest to FILE, as a page
    #[arg(long, value_name = "FILE")]
    standings_html: Option<PathBuf>,
    /// Write the standings of a contest to FILE, as comma-separated values
    #[arg(long, value_name = "FILE")]
    standings_csv: Option<PathBuf>,
    #[command(flatten)]
    page: PageOptions,
}

/// What the page of standings is for.
#[derive(Clone, Copy, Args)]
pub(crate) struct PageOptions {
    /// Make the page of the standings for a screen on a wall: large, scrolling,
    /// reloading itself
    #[arg(long)]
    wall: bool,
}

impl StandingsOptions {
    pub(crate) fn files(&self) -> StandingsFiles<'_> {
        StandingsFiles {
            html: self.standings_html.as_deref(),
            default: None,
            csv: self.standings_csv.as_deref(),
            page: self.page,
        }
    }
}

/// The files that standings are written to, in addition to the screen.
#[derive(Clone, Copy)]
pub(crate) struct StandingsFiles<'a> {
    pub(crate) html: Option<&'a Path>,
    /// The page that the contest names, if the command line names none. Nothing stops
    /// if it cannot be written: whoever judges may have no permission to write in the
    /// contest's folder.
    pub(crate) default: Option<&'a Path>,
    pub(crate) csv: Option<&'a Path>,
    pub(crate) page: PageOptions,
}

impl<'a> StandingsFiles<'a> {
    /// These files, with the page that a contest names if there is none, unless only a
    /// part of the contest is judged: the page shows the whole.
    pub(crate) fn or_default(self, plan: &'a Plan) -> Self {
        let contest = plan.contest.as_ref().filter(|_| self.html.is_none());
        let default = contest.and_then(|contest| contest.page.as_deref());
        if let Some(path) = default
            && plan.is_part
        {
            say_left(path);
        }
        Self {
            default: default.filter(|_| !plan.is_part),
            ..self
        }
    }

    /// The paths of the files.
    pub(crate) fn paths(self) -> Vec<&'a Path> {
        [self.html, self.csv].into_iter().flatten().collect()
    }

    /// Says where the page of the standings is, if one was written to a file.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub(crate) fn say_page(self) -> Result<(), Fault> {
        let start = standings::HTML_START.as_bytes();
        let page = self.html.or(self.default);
        match page.filter(|path| beginning(path, start.len()) == start) {
            Some(page) => {
                screen::result(format_args!("page: {}", printable(&path_text(page))))
            }
            None => Ok(()),
        }
    }

    /// Whether one of the files is standard output.
    pub(crate) fn take_stdout(self) -> bool {
        self.paths().into_iter().any(output::is_stdout)
    }

    /// Checks that there are standings for the files.
    ///
    /// # Errors
    /// If there are none, and a file is named.
    fn check(
        self,
        contest: Option<&Contest>,
        is_shard: bool,
    ) -> Result<(), Mistakes> {
        let (why, remedy) = match contest {
            None => (
                "there are no standings without a contest",
                "grade the folder of a contest: `<team>/<problem>.<ext>`",
            ),
            Some(contest) if contest.rules.course.is_some() => (
                "there are no standings of a course",
                "write its marks: `--marks FILE` of `grade`, `merge` and `report`",
            ),
            Some(_) if is_shard => (
                "there are no standings of a shard",
                "write them with `gridjudge merge`",
            ),
            Some(_) => return Ok(()),
        };
        let paths = self.paths().into_iter().take(1);
        Mistakes::refuse(paths.map(|path| Mistake::new(path, why, remedy)))
    }
}

/// The sinks that write standings, or the marks of a course: to the screen, which is
/// standard error if standard output is taken, and to files. None for a shard, and
/// without a contest.
///
/// # Errors
/// If a file holds something else, or cannot be written, or if there are no standings
/// for it.
pub(crate) fn sinks(
    ranking: RankingOptions,
    files: StandingsFiles<'_>,
    contest: Option<&Contest>,
    is_shard: bool,
) -> Result<Vec<NamedSink>, Mistakes> {
    files.check(contest, is_shard)?;
    let Some(contest) = contest.filter(|_| !is_shard) else {
        return Ok(vec![]);
    };
    if files.page.wall && files.html.is_none() {
        let remedy =
            "name its file: `standings --html FILE`, or `--standings-html FILE`";
        return Mistake::refuse(
            "--wall",
            "there is no page to make for a wall",
            remedy,
        );
    }
    let choice = ranking.choice();
    let mut sinks =
        vec![("standard output".to_owned(), shown_table(contest, choice))];
    let page = if files.page.wall {
        standings::wall
    } else {
        standings::standings_html
    };
    if let Some(path) = files.html {
        sinks.push(file_sink(path, standings::HTML_START, page, choice)?);
    }
    if let Some(path) = files.csv {
        let form = standings::standings_csv;
        sinks.push(file_sink(path, standings::CSV_START, form, choice)?);
    }
    if let Some(path) = files.default {
        match file_sink(path, standings::HTML_START, page, choice) {
            Ok((name, page)) => {
                let page = Some(page);
                let path = path.to_owned();
                sinks.push((name, Box::new(ContestPage { page, path })));
            }
            Err(Mistakes(mistakes)) => screen::notice_of_each(
                "the contest's page is not written".to_owned(),
                mistakes.iter().map(ToString::to_string),
                mistakes.len(),
            ),
        }
    }
    Ok(sinks)
}

/// Writes the page that a contest names, unless judging breaks off.
struct ContestPage {
    /// `None` since it broke off.
    page: Option<Box<dyn Sink>>,
    path: PathBuf,
}

impl Sink for ContestPage {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        let breaks_off = match event {
            Event::SubmissionFinished(summary) => summary.is_unjudged(),
            Event::SuiteInterrupted(_) => true,
            _ => false,
        };
        if breaks_off && self.page.take().is_some() {
            say_left(&self.path);
        }
        match &mut self.page {
            Some(page) => page.take_event(event),
            None => Ok(()),
        }
    }
}

fn say_left(page: &Path) {
    screen::notice(format_args!(
        "{}: left as it is, because only a part of the contest is judged",
        page.display()
    ));
}

/// What is shown at the end: the standings of a contest, or the marks of a course.
fn shown_table(contest: &Contest, choice: RankingChoice) -> Box<dyn Sink> {
    let results = screen::results();
    if contest.rules.course.is_some() {
        let marks =
            Marks::new(|table| marks::marks_text(table, screen::width_of_results()));
        return Box::new(ReportWriter::new(results, marks));
    }
    let standings = Standings::new(
        |table| standings::standings_text(table, screen::width_of_results()),
        choice,
    );
    Box::new(ReportWriter::new(results, standings))
}

/// A sink that writes a new file, unless one exists that does not begin with `start`, as
/// older standings would.
fn file_sink(
    path: &Path,
    start: &str,
    form: StandingsFormat,
    choice: RankingChoice,
) -> Result<NamedSink, Mistakes> {
    let message = "holds no standings, and new ones would overwrite it";
    output::refuse_unlike(path, start, message)?;
    let output = OutputFile::create(path, WriteMode::AtTheEnd).map_err(|error| {
        Mistake::about_file(path, format!("cannot be written: {error}"))
    })?;
    let standings = Standings::new(form, choice);
    let writer = ReportWriter::new(output, standings);
    Ok((path_text(path), Box::new(writer)))
}

/// The plan of the attempts of a contest. What cannot be judged is left out, with a
/// note that says why; if `strict`, it is a mistake.
///
/// # Errors
/// Every mistake in the settings of the contest and in the problems, and what was left
/// out if nothing else is there.
pub(crate) fn plan(
    folder: &JudgeFolder,
    entries: ContestEntries,
    strict: bool,
    proofs: &KnownProofs<'_>,
) -> Result<Plan, Mistakes> {
    let ContestEntries {
        mut contest,
        attempts,
        notes,
        left_out,
        mut refused,
    } = entries;
    notes.into_iter().for_each(screen::notice_unless_quiet);
    let mut draft = PlanDraft::default();
    for attempt in attempts {
        let Some(subject) = draft.subject(folder, &attempt.problem, proofs) else {
            continue;
        };
        let submission = Submission {
            name: attempt.name,
            path: attempt.path,
            real: Some(attempt.real),
            expected: None,
        };
        let student = Arc::clone(&attempt.entrant.team);
        match plan_entry::entry(
            &subject,
            submission,
            CaseExpectations::default(),
            Some(attempt.entrant),
        ) {
            Ok(entry) => draft.entries.push(entry),
            Err(Mistakes(mistakes)) => {
                if let Some(course) = &mut contest.rules.course {
                    let details = course.student.entry(student).or_default();
                    let Mistake { path, message, .. } = &mistakes[0];
                    let why = format!("{}: {message}", file_name(path));
                    details.unjudged_for.insert(attempt.problem.into(), why);
                }
                refused.extend(mistakes);
            }
        }
    }
    if strict || draft.entries.is_empty() {
        draft.checked(Mistakes::refuse(std::mem::take(&mut refused)));
    }
    let plan = draft.finish()?;
    show_left_out(&left_out, &contest);
    show_refused(&refused);
    Ok(Plan {
        contest: Some(contest),
        ..plan
    })
}

/// Shows which entries cannot be judged, and why, if there are any.
fn show_refused(refused: &[Mistake]) {
    if refused.is_empty() {
        return;
    }
    let entries = if refused.len() == 1 {
        "entry"
    } else {
        "entries"
    };
    let text = format!(
        "{} {entries} cannot be judged; the rest is judged",
        refused.len()
    );
    let shown = refused.iter().take(MOST_REFUSED).map(|mistake| {
        let remedy = mistake
            .remedy
            .as_ref()
            .map_or(String::new(), |remedy| format!(" ({remedy})"));
        format!("{mistake}{remedy}")
    });
    screen::notice_of_each(text, shown, refused.len());
}

/// Shows which files were left out, if there are any.
fn show_left_out(left_out: &[PathBuf], contest: &Contest) {
    if left_out.is_empty() {
        return;
    }
    let what = if contest.rules.course.is_some() {
        "files in no known language"
    } else {
        "hidden files, notes and what systems and editors leave"
    };
    let first = first_few(left_out.iter().map(path_text), MOST_LEFT_OUT);
    screen::notice_unless_quiet(format_args!("{what} are not submissions: {first}"));
}
