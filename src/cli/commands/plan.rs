//! `gridjudge plan`: shows which shard judges what, and how long it probably takes.
//! Judges nothing.

use anstyle::Style;
use clap::Args;

use crate::cli::{
    CommandOutcome, CommandResult, GlobalOptions, KnownProofs, SubmissionChoice,
    TimesOption, screen,
};
use crate::report::text_table;
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
        screen::sentence(summary(plan.entries.len(), &sums))?;
    } else {
        screen::notice_unless_quiet(
            "divided in turn: `--times LOG` divides by the times of an earlier judging",
        );
    }
    Ok(CommandOutcome::AsExpected)
}

/// How even the shards are.
fn summary(submissions: usize, sums: &[[u64; 3]]) -> String {
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
