//! `gridjudge plan`: shows which shard judges what, and how long it probably takes.
//! Judges nothing.

use anstyle::Style;
use clap::Args;

use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, KnownProofs, PlanDivision,
    SubmissionChoice, TimesOption, screen,
};
use crate::report::text_table;
use crate::run::Plan;
use crate::text::{counted, printable, time};

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

pub(crate) fn run(args: &PlanArgs, common: &GlobalOptions) -> CommandResult {
    let folder = args.chosen.folder(common)?;
    let mut plan = args.chosen.plan(&folder, &KnownProofs::default())?;
    args.chosen.keep(&mut plan, &folder)?;
    let shards = args.shards as usize;
    let division = args.times.divide(&plan, String::new(), shards)?;
    let header = ["shard", "submissions", "cases", "expected"];
    let columns = if division.costs.is_some() { 4 } else { 3 };
    let rows = (0..shards).map(|shard| {
        let [submissions, cases, micros] = sums(&plan, &division, shard);
        let cells = [
            format!("{}/{shards}", shard + 1),
            submissions.to_string(),
            cases.to_string(),
            time(micros),
        ];
        (cells[..columns].to_vec(), Style::new())
    });
    let room = screen::width();
    screen::result(
        text_table(&header[..columns], &[1, 2, 3], rows, (room, &[])).trim_end(),
    )?;
    if screen::is_verbose() {
        for (entry, shard) in plan.entries.iter().zip(&division.shards) {
            let name = format!("{} {}", entry.problem.id, entry.submission.name);
            let name = printable(&name);
            screen::result(format_args!("{}/{shards}  {name}", shard + 1))?;
        }
    }
    if division.costs.is_some() {
        screen::sentence(summary(&plan, &division, shards))?;
    } else {
        screen::notice_unless_quiet(
            "divided in turn: `--times LOG` divides by the times of an earlier judging",
        );
    }
    Ok(CommandOutcome::AsExpected)
}

/// The submissions of a shard, their cases, and their cost in microseconds.
fn sums(plan: &Plan, division: &PlanDivision, shard: usize) -> [u64; 3] {
    let mut sums = [0; 3];
    for (place, _) in division
        .shards
        .iter()
        .enumerate()
        .filter(|(_, of)| **of == shard)
    {
        sums[0] += 1;
        sums[1] += plan.entries[place].cases.len() as u64;
        sums[2] += division.costs.as_ref().map_or(0, |costs| costs[place]);
    }
    sums
}

/// How even the shards are.
fn summary(plan: &Plan, division: &PlanDivision, shards: usize) -> String {
    let costs: Vec<_> = (0..shards)
        .map(|shard| sums(plan, division, shard)[2])
        .collect();
    let sum: u64 = costs.iter().sum();
    let longest = costs.into_iter().max().unwrap_or(0);
    let of = shards as u64;
    // In hundredths.
    let ratio = (longest * of * 100).checked_div(sum).unwrap_or(100);
    format!(
        "{} in {}: {} in all, the longest shard {}, {}.{:02} times the mean",
        counted(plan.entries.len(), "submission"),
        counted(of, "shard"),
        time(sum),
        time(longest),
        ratio / 100,
        ratio % 100
    )
}
