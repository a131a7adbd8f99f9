//! `gridjudge verify`: proves problems, or proposes time limits for them.

use std::time::Duration;

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::time_limits::{CaseTime, TimeSurvey, with_time_limit};
use crate::cli::{
    CancelToken, CommandError, CommandOutcome, CommandResult, FailureHistory,
    GlobalOptions, JudgeSession, KnownProofs, LimitMeasurement, PackageChecks,
    PackageChoice, ProblemNames, ProvenProblems, RunOptions, SandboxStartup,
    SessionRequest, WatchRequest, judging, package_notes, screen, watch,
};
use crate::model::{Expected, MistakeSeverity, Problem, Task, Verdict, micros};
use crate::report::{JudgingPurpose, LimitMargin, SlowestCase, time};
use crate::run::{JudgingOptions, Plan, PlanEntry};
use crate::spec::{JudgeFolder, Mistakes, ProblemFolder};
use crate::text::{printable, round_time};

#[derive(Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    problems: ProblemNames,
    #[command(flatten)]
    format: PackageChoice,
    /// Prove again whenever a problem changes, starting with what failed last; Ctrl-C
    /// ends this
    #[arg(long, conflicts_with = "github")]
    watch: bool,
    /// Time the examples and show which time limits leave room: at least twice the
    /// slowest accepted one, and at most two thirds of the fastest one that must be too
    /// slow
    #[arg(long, conflicts_with_all = ["watch", "repeat", "log", "all"])]
    suggest_limits: bool,
    #[command(flatten)]
    judging: RunOptions,
}

pub(crate) fn run(verify: &VerifyArgs, common: &GlobalOptions) -> CommandResult {
    let named = WatchRequest {
        problems: verify.problems.named(),
        format: verify.format.clone(),
        ..WatchRequest::default()
    };
    watch::run_watch(common, verify.watch.then_some(&named), |cancel, history| {
        once(verify, common, cancel, history)
    })
}

fn once(
    verify: &VerifyArgs,
    common: &GlobalOptions,
    cancel: &CancelToken,
    history: &FailureHistory,
) -> CommandResult {
    let mut folder = common.folder_with(&verify.problems.named(), &verify.format)?;
    // To suggest limits, everything must be in order.
    if !verify.suggest_limits {
        folder = folder.reading_past_mistakes();
    }
    verify.judging.check(&[])?;
    let startup = verify.judging.start_sandbox(folder.config.jobs);
    let proofs = verify.judging.known_proofs(&startup, &folder);
    let mut proven = verify.proven(&folder, &proofs)?;
    proofs.close();
    history.put_first(&mut proven.plan);
    let plan = &proven.plan;
    let checks = PackageChecks::for_proven(&proven);
    let notes = verify.notes(&folder, &proven, checks.have_packages());
    if plan.entries.is_empty()
        && checks.is_empty()
        && verify.judging.targets().is_empty()
    {
        notes.iter().for_each(screen::notice);
        return Ok(CommandOutcome::AsExpected);
    }
    screen::result_unless_quiet("")?;
    let untimed = LimitMeasurement::for_plan(&folder, plan)?;
    if verify.suggest_limits {
        return suggest_limits(&folder, plan, startup, cancel);
    }
    screen::take_stdout(verify.judging.takes_stdout());
    let (outcome, _) = judging::judge(SessionRequest {
        plan,
        untimed,
        checks,
        startup,
        options: &verify.judging,
        folder: &folder,
        cancel,
        notes,
        sinks: vec![history.sink()],
    })?;
    Ok(outcome)
}

impl VerifyArgs {
    /// Reads and proves the problems. If any of them is refused, the reports say why.
    fn proven(
        &self,
        folder: &JudgeFolder,
        proofs: &KnownProofs<'_>,
    ) -> Result<ProvenProblems, CommandError> {
        let mut proven =
            ProvenProblems::prove(folder, &self.problems.ids(folder), proofs)?;
        let refused = std::mem::take(&mut proven.refused);
        if !refused.is_empty() {
            let records = refused
                .iter()
                .map(|(id, found)| found.record(id, MistakeSeverity::Error, folder))
                .collect();
            self.judging.report_refusal(records);
        }
        let refused = refused.into_iter().map(|(_, found)| found.mistake);
        Ok(Mistakes::or(refused, proven)?)
    }

    /// Notes on the packages among the problems, and one if there is nothing to judge.
    fn notes(
        &self,
        folder: &JudgeFolder,
        proven: &ProvenProblems,
        have_packages: bool,
    ) -> Vec<String> {
        let ids = self.problems.ids(folder);
        let named = folder.known(&ids).into_iter();
        let judged = package_notes::problems_of(folder, &proven.plan).into_iter();
        let mut notes: Vec<_> = named
            .filter_map(package_notes::note_on_left_out)
            .chain(judged.filter_map(package_notes::note_on_default_limit))
            .chain(proven.notes.clone())
            .collect();
        if proven.plan.entries.is_empty() && !have_packages {
            let have_programs = proven
                .subjects
                .iter()
                .any(|(subject, _)| matches!(subject.problem.task, Task::Checker(_)));
            let programs = if have_programs {
                ", and no checker or interactor is tried"
            } else {
                ""
            };
            notes.push(format!(
                "no example submissions, so no verdicts are proven{programs}"
            ));
        }
        if self.problems.named().is_empty() {
            notes.extend(package_notes::of_unrecognised(folder));
        }
        notes
    }
}

// `gridjudge verify --suggest-limits`: proposes time limits that leave room. Judges the
// examples with raised limits: first those that must be accepted, then those that must
// be too slow, with a limit well beyond the proposal.

/// The raised limit of examples that must be accepted: this multiple of their limit,
/// but at most [`LONGEST`].
const FACTOR: u32 = 10;

/// The longest raised limit, unless the problem's own limit is longer.
const LONGEST: Duration = Duration::from_secs(60);

/// Times the examples of a plan and shows which limits leave room.
fn suggest_limits(
    folder: &JudgeFolder,
    plan: &Plan,
    startup: SandboxStartup,
    cancel: &CancelToken,
) -> CommandResult {
    let session = JudgeSession::open(startup, &folder.config, cancel)?;
    let mut survey = TimeSurvey::default();
    let accepted = with_cpu_limits(
        plan,
        |expected| *expected == Verdict::Accepted.into(),
        |problem| {
            (problem.limits.cpu * FACTOR)
                .min(LONGEST)
                .max(problem.limits.cpu)
        },
    );
    let mut options = JudgingOptions {
        recalls: false,
        ..JudgingOptions::default()
    };
    survey.measure(&session, accepted.clone(), JudgingPurpose::Margins, options)?;
    let slow = with_cpu_limits(plan, Expected::is_too_slow, |problem| {
        let proposal = margin(&survey, problem, &accepted, &[])
            .least()
            .map_or(Duration::ZERO, Duration::from_micros);
        (problem.limits.cpu.max(proposal) * 3)
            .min(LONGEST)
            .max(problem.limits.cpu)
    });
    if !session.cancel.is_cancelled() {
        options.stop_at_first = true;
        survey.measure(&session, slow.clone(), JudgingPurpose::Margins, options)?;
    }
    if session.cancel.is_cancelled() {
        return Ok(CommandOutcome::Interrupted);
    }
    let mut problems: Vec<_> =
        plan.entries.iter().map(|entry| &entry.problem).collect();
    problems.dedup_by(|one, other| one.id == other.id);
    let mut has_failed = false;
    for problem in problems {
        let found = folder.find(&problem.id)?;
        if found.submissions_are_answers() {
            screen::sentence(format_args!(
                "{}: submissions are answers, which no time limit binds",
                problem.id
            ))?;
            continue;
        }
        let margin = margin(&survey, problem, &accepted, &slow);
        show(problem, found, &margin)?;
        has_failed |= !margin.failed.is_empty();
    }
    Ok(CommandOutcome::Surprising.when(has_failed))
}

/// The deciding times of a problem's examples: of those that must be accepted, and of
/// those that must be too slow.
fn margin(
    survey: &TimeSurvey,
    problem: &Problem,
    accepted: &[PlanEntry],
    slow: &[PlanEntry],
) -> LimitMargin {
    let longest = |entries: &[PlanEntry], counts: fn(&CaseTime) -> bool| {
        entries
            .iter()
            .filter(|entry| entry.problem.id == problem.id)
            .filter_map(|entry| {
                survey.times_of_entry(entry)?.longest_for(
                    &entry.submission.name,
                    micros(entry.problem.limits.cpu),
                    counts,
                )
            })
            .collect::<Vec<_>>()
    };
    let slowest = longest(accepted, |time| time.verdict == Verdict::Accepted);
    let fastest = longest(slow, |_| true);
    LimitMargin {
        slowest: slowest.into_iter().max_by_key(|case| case.cpu_us),
        fastest: fastest.into_iter().min_by_key(|case| case.cpu_us),
        failed: longest(accepted, |time| time.verdict != Verdict::Accepted),
    }
}

/// The submissions whose expectation `is_wanted`, with other CPU time limits.
fn with_cpu_limits(
    plan: &Plan,
    is_wanted: impl Fn(&Expected) -> bool,
    cpu: impl Fn(&Problem) -> Duration,
) -> Vec<PlanEntry> {
    plan.entries
        .iter()
        .filter(|entry| entry.submission.expected.as_ref().is_some_and(&is_wanted))
        .map(|entry| PlanEntry {
            problem: with_time_limit(&entry.problem, cpu(&entry.problem)),
            ..entry.clone()
        })
        .collect()
}

/// Shows which time limits leave room, and the one that the rule of a package's format
/// derives from the same times.
fn show(
    problem: &Problem,
    found: &ProblemFolder,
    margin: &LimitMargin,
) -> Result<(), Fault> {
    let limit = micros(problem.limits.cpu);
    screen::sentence(format!("{}: {} now", problem.id, time(limit)))?;
    screen::sentence(format!(
        "  slowest accepted     {}",
        timing(margin.slowest.as_ref())
    ))?;
    screen::sentence(format!(
        "  fastest too slow     {}",
        timing(margin.fastest.as_ref())
    ))?;
    for failed in &margin.failed {
        screen::sentence(format!("  not accepted         {}", timing(Some(failed))))?;
    }
    let advice = match (margin.proposal(), margin.least(), margin.most()) {
        _ if !margin.failed.is_empty() => {
            "no proposal: an example is not accepted that must be".to_owned()
        }
        (_, None, _) => "no proposal: no example must be accepted".to_owned(),
        (None, Some(least), Some(most)) => format!(
            "no limit leaves room: it would have to be {} at least and {} at most; make the slow \
             examples slower, the accepted ones faster, or the cases harder",
            time(least),
            time(most)
        ),
        (Some(proposal), ..) if margin.holds(limit) => {
            format!("holds; the shortest with room is {}", time(proposal))
        }
        (Some(proposal), ..) => {
            format!("does not leave room; {} would", time(proposal))
        }
        (None, Some(_), None) => unreachable!("nothing bounds the proposal"),
    };
    screen::sentence(format!("  time limit           {advice}"))?;
    let rule = found
        .readable_package()
        .and_then(|package| package.time_rule());
    let Some((rule, slowest)) = rule.zip(margin.slowest.as_ref()) else {
        return Ok(());
    };
    let limit = rule.limit_for(Duration::from_micros(slowest.cpu_us));
    let needed = micros(rule.slow_from(limit));
    let held = match &margin.fastest {
        Some(fastest) if !(fastest.cpu_us >= needed || fastest.stopped) => {
            format!(
                ", but then slow ones must take {} at least",
                round_time(needed)
            )
        }
        _ => String::new(),
    };
    screen::sentence(format!(
        "  rule of the format   {}{held}",
        round_time(micros(limit))
    ))
}

fn timing(slowest: Option<&SlowestCase>) -> String {
    let Some(SlowestCase {
        submission,
        case,
        cpu_us,
        stopped,
    }) = slowest
    else {
        return "no example".to_owned();
    };
    let more = if *stopped { "more than " } else { "" };
    printable(&format!("{more}{}, {submission} on {case}", time(*cpu_us)))
}
