//! Shards, for `grade`, `verify` and `plan`: the options, the part of a plan that one
//! shard judges, and the file for its log. Start at [`ShardOptions::cut`].

pub(crate) mod shard_logs;

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::{env, io, iter};

use clap::Args;
use gridjudge_sandbox::{Fault, calibrate, machine};

use crate::cache::KeyHasher;
use crate::cli::{CommandError, NamedSink, input_file, log_file, output};
use crate::model::{CaseSplit, Event, PlanRecord, ShardRecord};
use crate::report::{Log, Sink};
use crate::run::Plan;
use crate::shard::{self, ScheduledShard, ShardChoice};
use crate::spec::{Mistake, Mistakes};
use crate::text::path_text;

/// The heading in help above these options.
const HEADING: &str = "Shards";

/// How many times the machine's speed is measured; the fastest counts.
const CALIBRATIONS: usize = 20;

#[derive(Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct ShardOptions {
    /// Judge only the Kth of N parts of the plan, for several machines: `K/N`; `auto`
    /// for the part that the scheduler gives, `auto/N` if the scheduler does not give N.
    /// The exit code does not depend on the verdicts; that of `merge` does
    #[arg(
        long,
        value_name = "K/N",
        conflicts_with_all = ["watch", "baseline"],
        requires = "shard_log"
    )]
    shard: Option<ShardChoice>,
    #[command(flatten)]
    times: TimesOption,
    /// Divide the cases of each submission, in turn, instead of the submissions; for
    /// one solver on very many cases
    #[arg(long, requires = "shard", conflicts_with = "times")]
    split_cases: bool,
    /// Write the log of the shard into DIR, under a unique name
    #[arg(long, value_name = "DIR", requires = "shard", group = "shard_log")]
    log_dir: Option<PathBuf>,
}

/// By what submissions are divided.
#[derive(Args)]
#[command(next_help_heading = HEADING)]
pub(crate) struct TimesOption {
    /// Divide by the times in an older log or baseline, so that all shards take about
    /// as long
    #[arg(long, value_name = "FILE")]
    times: Option<PathBuf>,
}

impl ShardOptions {
    /// Whether only a shard is judged.
    pub(crate) fn are_given(&self) -> bool {
        self.shard.is_some()
    }

    /// The part of a plan that the shard judges; `None` if everything is judged.
    /// `options` are those that change results, as they are written, and whether
    /// judging of a submission stops at its first failure.
    ///
    /// # Errors
    /// If it is not known which shard is meant, or a file cannot be read.
    pub(crate) fn cut(
        &self,
        plan: &Plan,
        options: String,
        stops_at_first: bool,
    ) -> Result<Option<Plan>, CommandError> {
        let Some(choice) = self.shard else {
            let mistake = self.times.times.as_ref().map(|_| {
                Mistake::new("--times", "nothing is divided", "add `--shard K/N`")
            });
            return Ok(Mistakes::or(mistake, None)?);
        };
        let ScheduledShard {
            number,
            attempt,
            status_file,
        } = choice.resolve(|name| env::var(name).ok())?;
        let options = if self.split_cases {
            format!("{options} --split-cases")
        } else {
            options
        };
        let division = self.times.divide(plan, options, number.of)?;
        let (entries, ordinals) = if self.split_cases {
            shard::cut_cases(plan, number)?
        } else {
            shard::shard_of_plan(plan, &division.shards, number)
        };
        // 128 random bits as hexadecimal digits.
        let run = (0..2_u8)
            .map(|half| format!("{:016x}", RandomState::new().hash_one(half)))
            .collect();
        if let Some(path) = status_file {
            let path = Path::new(&path);
            File::create(path).map_err(Fault::at("creating", path))?;
        }
        let words = env::args_os().skip(1).map(path_text);
        let speeds = (0..CALIBRATIONS).map(|_| calibrate());
        let fastest = speeds.min().unwrap_or_default();
        let record = ShardRecord {
            index: number.index,
            of: number.of,
            run,
            attempt,
            host: machine::host_name(),
            calibration_ns: u64::try_from(fastest.as_nanos()).unwrap_or(u64::MAX),
            command: iter::once("gridjudge".to_owned()).chain(words).collect(),
            tools: vec![],
            ordinals,
            case_split: self.split_cases.then_some(CaseSplit { stops_at_first }),
            plan: division.record.into(),
        };
        Ok(Some(Plan {
            entries,
            shard: Some(Box::new(record)),
            ..plan.clone()
        }))
    }

    /// The sink that writes the log into its folder, if one is named, for a plan that
    /// was cut.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(crate) fn sinks(&self, plan: &Plan) -> Result<Vec<NamedSink>, CommandError> {
        let named = self.log_dir.as_deref();
        let Some((folder, shard)) = named.zip(plan.shard.as_deref()) else {
            return Ok(vec![]);
        };
        let file = ResultFile::create(folder, shard)?;
        Ok(vec![(path_text(file.path()), Box::new(file))])
    }
}

/// A plan and the shard of each of its submissions.
pub(crate) struct PlanDivision {
    record: PlanRecord,
    /// From 0, in the order of the plan.
    pub(crate) shards: Vec<usize>,
    /// The cost of each submission in microseconds, if it is known.
    pub(crate) costs: Option<Vec<u64>>,
}

impl TimesOption {
    /// Divides a plan.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn divide(
        &self,
        plan: &Plan,
        options: String,
        shards: usize,
    ) -> Result<PlanDivision, CommandError> {
        let mut times = None;
        let mut costs = None;
        if let Some(path) = &self.times {
            let mut hasher = KeyHasher::for_purpose("times");
            hasher.add_file(path).map_err(|error| {
                input_file::unreadable(path, &error, Path::is_file)
            })?;
            times = Some(hasher.finish().to_string());
            let entries = plan.entries.iter();
            let submissions =
                entries.map(|entry| (&*entry.problem.id, &*entry.submission.name));
            costs = Some(log_file::read_costs(path)?.costs_of(submissions));
        }
        let kinds: Vec<_> = plan
            .entries
            .iter()
            .map(|entry| (&entry.problem.id, entry.language_name()))
            .collect();
        Ok(PlanDivision {
            record: shard::record(plan, &options, times.as_deref(), shards)?,
            shards: shard::assign(&kinds, costs.as_deref(), shards),
            costs,
        })
    }
}

// The file with the log of a shard. Its name tells the plan, the shard and the run, so
// that two runs of a shard never meet on a shared disk; it ends in `.part` until
// everything was judged.

/// What is added to the name of a log that is not complete.
const PART: &str = ".part";

struct ResultFile {
    log: Log<File>,
    file: File,
    /// The path while it is not complete.
    part: PathBuf,
}

impl ResultFile {
    /// Creates the file of a run in a folder, which is created, too.
    ///
    /// # Errors
    /// If that is not possible.
    fn create(folder: &Path, shard: &ShardRecord) -> Result<Self, CommandError> {
        output::refuse_leading_out(folder)?;
        if folder.exists() && !folder.is_dir() {
            return Mistake::refuse(folder, "is not a folder", "name another");
        }
        let part = folder.join(format!(
            "{}-{}-of-{}-{}.jsonl{PART}",
            shard.plan.short_digest(),
            shard.index,
            shard.of,
            shard.short_run()
        ));
        let failed = Fault::at("creating", &part);
        fs::create_dir_all(folder).map_err(failed)?;
        let file = File::create_new(&part).map_err(failed)?;
        let log = Log::new(file.try_clone().map_err(failed)?);
        Ok(Self { log, file, part })
    }

    /// The path once it is complete.
    fn path(&self) -> PathBuf {
        self.part.with_extension("")
    }
}

impl Sink for ResultFile {
    fn take_event(&mut self, event: &Event) -> io::Result<()> {
        self.log.take_event(event)?;
        if matches!(event, Event::SuiteFinished(_)) {
            // The name promises the contents, also after a power failure.
            self.file.sync_all()?;
            fs::rename(&self.part, self.path())?;
        }
        Ok(())
    }
}
