//! `gridjudge plan` and `gridjudge merge`: show which shard judges what, and how long it
//! probably takes; and put the logs of shards together, after it has proven that they
//! are the whole plan.

use std::path::PathBuf;

use anstyle::Style;
use clap::Args;

use crate::cli::{
    BaselineOptions, CommandOutcome, CommandResult, GlobalOptions, KnownProofs,
    MistakePages, ReportOptions, ReportTarget, ShardLogs, SinkSet, StandingsOptions,
    SubmissionChoice, TimesOption, contest, judging, log_file, screen, shard_logs,
};
use crate::model::{Event, ProblemCheck, SuiteStart, Tally};
use crate::report::text_table;
use crate::shard::MachineDifferences;
use crate::text::{counted, printable, time};

use Event::*;

#[derive(Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    chosen: SubmissionChoice,
    /// The number of shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    shards: u32,
    #[command(flatten)]
    times: TimesOption,
}

pub(crate) fn show_plan(args: &PlanArgs, common: &GlobalOptions) -> CommandResult {
    let folder = args.chosen.folder(common)?;
    let mut plan = args.chosen.plan(&folder, &KnownProofs::default())?;
    args.chosen.keep(&mut plan, &folder)?;
    let shards = args.shards as usize;
    let division = args.times.divide(&plan, String::new(), shards)?;
    let header = ["shard", "submissions", "cases", "expected"];
    let columns = if division.costs.is_some() { 4 } else { 3 };
    // The submissions of each shard, their cases, and their cost in microseconds.
    let mut sums = vec![[0; 3]; shards];
    for (place, shard) in division.shards.iter().enumerate() {
        let sums = &mut sums[*shard];
        sums[0] += 1;
        sums[1] += plan.entries[place].cases.len() as u64;
        sums[2] += division.costs.as_ref().map_or(0, |costs| costs[place]);
    }
    let rows = sums
        .iter()
        .zip(1..)
        .map(|([submissions, cases, micros], shard)| {
            let cells = [
                format!("{shard}/{shards}"),
                submissions.to_string(),
                cases.to_string(),
                time(*micros),
            ];
            (cells[..columns].to_vec(), Style::new())
        });
    let room = screen::width();
    let table = text_table(&header[..columns], &[1, 2, 3], rows, (room, &[]));
    screen::result(table.trim_end())?;
    if screen::is_verbose() {
        for (entry, shard) in plan.entries.iter().zip(&division.shards) {
            let name = format!("{} {}", entry.problem.id, entry.submission.name);
            let name = printable(&name);
            screen::result(format_args!("{}/{shards}  {name}", shard + 1))?;
        }
    }
    if division.costs.is_some() {
        screen::sentence(evenness(plan.entries.len(), &sums))?;
    } else {
        screen::notice_unless_quiet(
            "divided in turn: `--times LOG` divides by the times of an earlier judging",
        );
    }
    Ok(CommandOutcome::AsExpected)
}

/// How even the shards are.
fn evenness(submissions: usize, sums: &[[u64; 3]]) -> String {
    let costs = sums.iter().map(|[.., micros]| *micros);
    let sum: u64 = costs.clone().sum();
    let longest = costs.max().unwrap_or(0);
    let of = sums.len() as u64;
    // In hundredths.
    let ratio = (longest * of * 100).checked_div(sum).unwrap_or(100);
    format!(
        "{} in {}: {} in all, the longest shard {}, {}.{:02} times the mean",
        counted(submissions, "submission"),
        counted(of, "shard"),
        time(sum),
        time(longest),
        ratio / 100,
        ratio % 100
    )
}

/// The most submissions near to a limit that are shown; the rest is counted.
const MOST_SHOWN: usize = 20;

/// Reports are made of all shards together, as of one `grade`. The exit code is that of
/// `grade`; it is 2 if the logs are of different plans or damaged, and 3 if shards are
/// missing or contradict each other.
#[derive(Args)]
pub(crate) struct MergeArgs {
    /// Logs of shards, or folders with them
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Write the merged log to FILE; `-` for standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Make reports even if shards are missing; each says that it is incomplete
    #[arg(long)]
    partial: bool,
    /// If the results of two runs of a shard differ, use the run whose file name ends in
    /// these digits, which no other does
    #[arg(long, value_name = "RUN")]
    take: Vec<String>,
    /// Write the submissions with times near to a limit to FILE, as a log, to judge
    /// them on one machine with `grade --again FILE --no-cache`
    #[arg(long, value_name = "FILE")]
    again: Option<PathBuf>,
    #[command(flatten)]
    baseline: BaselineOptions,
    #[command(flatten)]
    reports: ReportOptions,
    #[command(flatten)]
    standings: StandingsOptions,
}

pub(crate) fn run(merge: &MergeArgs) -> CommandResult {
    let files = merge.standings.files();
    let targets: Vec<_> = ReportTarget::log(&merge.log)
        .chain(merge.reports.targets())
        .collect();
    let again: Vec<_> = ReportTarget::log(&merge.again).collect();
    let logs = ShardLogs::read(&merge.logs)?;
    merge.reports.check(
        &[&targets[..], &again].concat(),
        &[files.paths(), logs.paths()].concat(),
    )?;
    let selection = logs.select(&merge.take)?;
    let differences = MachineDifferences::between(&selection.runs());
    logs.show_what_lacks(&selection)?;
    let is_whole = selection.is_whole();
    let notes = [&selection.notes[..], &differences.notes].concat();
    notes.iter().for_each(screen::notice_unless_quiet);
    if !is_whole && !merge.partial {
        return Ok(CommandOutcome::Failed);
    }
    screen::take_stdout(
        targets.iter().any(ReportTarget::is_stdout) || files.take_stdout(),
    );
    let contest = logs.contest();
    let mut baseline = merge.baseline.open()?;
    let mut sinks = SinkSet::of_reports(&targets);
    sinks.add("standard output", MistakePages::default());
    sinks.add_results(&merge.reports);
    sinks.extend(contest::sinks(
        merge.standings.ranking,
        files,
        contest,
        false,
    )?);
    let mut near = NearLimits {
        differences: &differences,
        sinks: SinkSet::of_earlier("the reports are written"),
        tally: Tally::default(),
        names: vec![],
    };
    near.sinks.add_all(&again);
    let mut total = MergedTotal::default();
    shard_logs::merge_shards(&selection, notes, &mut |event, place| {
        if let Some(baseline) = &mut baseline {
            baseline.take_event(&event);
        }
        near.take_event(&event, place);
        total.take_event(&event);
        sinks.send(&event);
    })?;
    near.show(merge.again.is_some());
    let has_failed =
        sinks.failed || near.sinks.failed || total.is_incomplete || !is_whole;
    let outcome = judging::outcome_of(&total.tally, has_failed, contest.is_some());
    let outcome = outcome.max(total.verified);
    log_file::combined_outcome(outcome, baseline, merge.reports.github)
}

/// What the exit code depends on in the events of all shards.
#[derive(Default)]
struct MergedTotal {
    tally: Tally,
    /// Whether shards, or verdicts of submissions, are missing.
    is_incomplete: bool,
    verified: CommandOutcome,
}

impl MergedTotal {
    fn take_event(&mut self, event: &Event) {
        match event {
            SuiteFinished(last) => self.tally = *last,
            // A shard is missing, or a log was cut after it was read first.
            SuiteInterrupted(last) => {
                self.tally = *last;
                self.is_incomplete = true;
            }
            SubmissionFinished(summary) => {
                self.is_incomplete |= summary.is_unjudged();
            }
            // As `grade` ends if it cannot judge an attempt.
            SubmissionSkipped(skip) => self.is_incomplete |= skip.entrant.is_some(),
            // As `verify` ends because of it.
            MistakeFound(record) if record.is_error() => {
                let outcome = match record.check {
                    ProblemCheck::Files => CommandOutcome::Mistaken,
                    _ => CommandOutcome::Surprising,
                };
                self.verified = self.verified.max(outcome);
            }
            _ => {}
        }
    }
}

/// The submissions with times near to a limit: their names, and a log of them if one is
/// wanted.
struct NearLimits<'a> {
    differences: &'a MachineDifferences,
    sinks: SinkSet,
    tally: Tally,
    names: Vec<String>,
}

impl NearLimits<'_> {
    /// Takes an event of the submission at a place of the plan.
    fn take_event(&mut self, event: &Event, place: usize) {
        match event {
            SuiteStarted(start) => {
                self.sinks.send(&SuiteStarted(Box::new(SuiteStart {
                    submissions: self.differences.near_limits.len(),
                    part: true,
                    ..(**start).clone()
                })));
            }
            SuiteFinished(_) | SuiteInterrupted(_) => {
                self.sinks.send(&SuiteFinished(self.tally));
            }
            MistakeFound(_) => {}
            event if self.differences.near_limits.contains(&place) => {
                event.count_in(&mut self.tally);
                if let SubmissionFinished(summary) = event
                    && self.names.len() < MOST_SHOWN
                {
                    self.names
                        .push(format!("{} {}", summary.problem, summary.submission));
                }
                self.sinks.send(event);
            }
            _ => {}
        }
    }

    /// Warns of verdicts that another machine might not give.
    fn show(&self, is_written: bool) {
        let MachineDifferences {
            speeds: Some(speeds),
            near_limits,
            ..
        } = self.differences
        else {
            return;
        };
        if near_limits.is_empty() || screen::is_quiet() {
            return;
        }
        let hint = if is_written {
            ""
        } else {
            " (`--again FILE` writes them, to be judged on one machine with `--no-cache`)"
        };
        screen::notice_of_each(
            format!(
                "{speeds}; so near to a limit that another machine may decide otherwise: {}{hint}",
                counted(near_limits.len(), "submission")
            ),
            self.names.iter().cloned(),
            near_limits.len(),
        );
    }
}
