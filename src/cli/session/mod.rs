//! Judging, as several commands need it: selects submissions and cases, starts the sandbox, and
//! sends the events to sinks. Start at [`crate::cli::session::judging::judge`].

pub(crate) mod judging;
pub(crate) mod outputs;
pub(crate) mod packages;
pub(crate) mod planning;
pub(crate) mod shards;
pub(crate) mod time_limits;

use outputs::baseline_check::BaselineCheck;
use packages::check_list::CheckFinding;
use packages::package_checks::CheckList;
use packages::program_needs;
use planning::PlanDraft;
use shards::ShardOptions;
use time_limits::TimedPlan;
use time_limits::time_rules::{CheckedTimes, TimeRules};
