//! `gridjudge strength`: shows which wrong and slow solvers the cases of a problem
//! kill.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use anstyle::Style;
use clap::Args;
use gridjudge_sandbox::Fault;

use crate::authoring::strength::{self, CaseCover, KillReason, Mutant};
use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, KnownProofs, ProblemCases,
    ProblemNames, StatusLine, ThreadCount, planning, screen,
};
use crate::model::Case;
use crate::report::Narrowing;
use crate::spec::{MOST_CASE, Mistake, Mistakes};
use crate::text::{JoinedTexts, counted, printable};
use crate::{authoring, files, report};

#[derive(Args)]
pub(crate) struct StrengthArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    threads: ThreadCount,
}

pub(crate) fn run(arguments: &StrengthArgs, common: &GlobalOptions) -> CommandResult {
    let folder = common.folder()?;
    let ids = arguments.problems.ids(&folder);
    let status = StatusLine::start("reading the cases");
    let mut subjects =
        planning::subjects(&folder, &ids, &KnownProofs::default(), &status)?;
    // Without names, problems that cannot be examined are skipped; a named one is an
    // error below.
    if arguments.problems.named().is_empty() {
        subjects.retain(|subject| {
            subject
                .problem
                .task
                .as_grid()
                .is_some_and(|task| !task.brings_maps())
        });
    }
    authoring::generate::start_threads(arguments.threads.number())
        .map_err(Fault::during("starting threads"))?;
    let mut survivors = 0;
    for (number, subject) in subjects.iter().enumerate() {
        let task = authoring::grids_of_one_map(&subject.problem, "strength")?;
        let strength =
            strength::MutationTest::for_task(task, subject.problem.limits.cpu);
        let examined = StrengthReport::examine(subject, &strength, &status)?;
        status.suspend(|| {
            if number > 0 && !screen::is_quiet() {
                screen::result("")?;
            }
            examined.print()
        })?;
        survivors += examined.survivors().count();
    }
    Ok(CommandOutcome::Surprising.when(survivors > 0))
}

fn read(path: &Path) -> Result<Vec<u8>, Mistake> {
    files::read_bounded(path, MOST_CASE)
        .map_err(|refused| Mistake::refused(path, &refused))
}

/// How a table that is wider than the terminal is narrowed, in this order. The first
/// step is only for `--verbose`, which has one column more. The names of mutants stay
/// whole as long as possible.
const NARROWINGS: [Narrowing; 5] = [
    Narrowing::Cut(4, 20),
    Narrowing::Cut(3, 20),
    Narrowing::Squeeze(2, 14),
    Narrowing::Drop(2),
    Narrowing::Squeeze(0, 14),
];

const HEADER: [&str; 5] = ["mutant", "killed by", "first case", "because", "fault"];

/// A problem's cases and mutants, and which cases kill which mutants.
struct StrengthReport<'a> {
    subject: &'a ProblemCases,
    mutants: Vec<&'static Mutant>,
    /// For each case, the reason why each mutant is killed, or `None`.
    kill_reasons: Vec<Vec<KillReason>>,
}

impl<'a> StrengthReport<'a> {
    /// Examines the mutants of a problem on each of its cases.
    fn examine(
        subject: &'a ProblemCases,
        strength: &strength::MutationTest<'_>,
        status: &StatusLine,
    ) -> Result<Self, Mistakes> {
        let id = &subject.problem.id;
        let all = subject.cases.len();
        let mutants: Vec<_> = strength.mutants().collect();
        let mut kill_reasons = vec![];
        for (case, place) in subject.cases.iter().zip(1..) {
            let done = AtomicUsize::new(0);
            let show_progress = || {
                let done = done.fetch_add(1, Ordering::Relaxed);
                let mutants = mutants.len();
                status.say(format_args!(
                    "{id}: case {place} of {all}, {done} of {mutants} mutants examined"
                ));
            };
            show_progress();
            let input = read(&case.input)?;
            let answer = read(&case.answer)?;
            let examined = strength.examine(&input, &answer, &show_progress);
            kill_reasons.push(examined.map_err(|error| {
                Mistake::about_file(&case.input, error.to_string())
            })?);
        }
        Ok(Self {
            subject,
            mutants,
            kill_reasons,
        })
    }

    fn print(&self) -> Result<(), Fault> {
        if screen::is_quiet() {
            for place in self.survivors() {
                let mutant = self.mutants[place];
                screen::sentence(format_args!(
                    "{}: {} survives: it {}",
                    self.subject.problem.id, mutant.name, mutant.fault
                ))?;
            }
            return Ok(());
        }
        screen::result(self.table(screen::is_verbose()).trim_end())?;
        let kills: Vec<Vec<bool>> = self
            .kill_reasons
            .iter()
            .map(|kill_reasons| kill_reasons.iter().map(Option::is_some).collect())
            .collect();
        let cover = strength::cover(&kills);
        screen::result("")?;
        self.print_cases(&cover)?;
        screen::sentence(self.summary(&cover))
    }

    /// The indices of the mutants that no case kills.
    fn survivors(&self) -> impl Iterator<Item = usize> {
        (0..self.mutants.len()).filter(|&place| self.killers(place).next().is_none())
    }

    /// The cases that kill a mutant, each with what the checker said.
    fn killers(&self, mutant: usize) -> impl Iterator<Item = (&Case, &str)> {
        self.subject
            .cases
            .iter()
            .zip(&self.kill_reasons)
            .filter_map(move |(case, kill_reasons)| {
                Some((case, kill_reasons[mutant].as_deref()?))
            })
    }

    /// A row for each mutant: first the survivors, then the killed ones, both in the
    /// order of the table of mutants.
    fn table(&self, with_faults: bool) -> String {
        let columns = if with_faults { 5 } else { 4 };
        let mut places: Vec<_> = (0..self.mutants.len()).collect();
        places.sort_by_key(|place| self.killers(*place).next().is_some());
        let steps = &NARROWINGS[usize::from(!with_faults)..];
        let fit = (screen::width(), steps);
        report::text_table(
            &HEADER[..columns],
            &[1],
            places
                .into_iter()
                .map(|place| (self.row(place)[..columns].to_vec(), Style::new())),
            fit,
        )
    }

    fn row(&self, place: usize) -> [String; 5] {
        let Mutant { name, fault, .. } = self.mutants[place];
        let count = format!(
            "{}/{}",
            self.killers(place).count(),
            self.kill_reasons.len()
        );
        let (case, said) = match self.killers(place).next() {
            Some((case, said)) => (case.name.clone(), said.to_owned()),
            None => (
                "survives".to_owned(),
                format!("no case detects that it {fault}"),
            ),
        };
        [(*name).to_owned(), count, case, said, (*fault).to_owned()]
    }

    /// Prints the cases that suffice, each with the mutants that no other case kills, and
    /// then those that kill no mutant beyond.
    fn print_cases(&self, cover: &CaseCover) -> Result<(), Fault> {
        screen::result(if cover.is_least {
            "the fewest cases that do the same:"
        } else {
            "cases that do the same:"
        })?;
        for &case in &cover.cases {
            let alone = (0..self.mutants.len())
                .filter(|&mutant| {
                    self.kill_reasons[case][mutant].is_some()
                        && self.killers(mutant).count() == 1
                })
                .map(|mutant| self.mutants[mutant].name)
                .joined(", ");
            let name = printable(&self.subject.cases[case].name);
            if alone.is_empty() {
                screen::sentence(format_args!("  {name}"))?
            } else {
                screen::sentence(format_args!(
                    "  {name}, the only one to kill {alone}"
                ))?
            }
        }
        let others: Vec<_> = (0..self.kill_reasons.len())
            .filter(|case| !cover.cases.contains(case))
            .collect();
        if !others.is_empty() {
            screen::result("cases that kill nothing beyond:")?;
        }
        for case in others {
            let killed =
                counted(self.kill_reasons[case].iter().flatten().count(), "mutant");
            screen::sentence(format_args!(
                "  {}, kills {killed}",
                printable(&self.subject.cases[case].name)
            ))?;
        }
        Ok(())
    }

    fn summary(&self, cover: &CaseCover) -> String {
        let survivors = self.survivors().count();
        let mutants = self.mutants.len();
        let killed = mutants - survivors;
        let unfit = strength::mutants().count() - mutants;
        let survive = if survivors == 1 {
            "survives"
        } else {
            "survive"
        };
        let cases = counted(self.kill_reasons.len(), "case");
        let enough = cover.cases.len();
        let id = &self.subject.problem.id;
        let mutants = counted(mutants, "mutant");
        format!(
            "{id}: {mutants}, {killed} killed by {cases} ({enough} would do), {survivors} \
             {survive}; {unfit} do not fit"
        )
    }
}
