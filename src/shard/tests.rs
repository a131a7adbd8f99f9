//! Plans that are judged in shards, in a scripted sandbox, and merged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gridjudge_sandbox::{Launch, Limits, ScriptedSandbox};

use super::*;
use crate::compile::SubmissionRefusal;
use crate::model::{
    CaseSplit, Event, PlanPart, ShardRecord, SubmissionSkip, Verdict,
};
use crate::run::tests::{RIGHT, SuiteFixture, WRONG, case_of, is_of, report_lines};

/// Submissions with every kind of result.
const SUBMISSIONS: [&str; 9] = [
    "right", "wrong0", "wrong3", "slow1", "refused", "fault2", "right2", "wrong4",
    "late",
];

fn sandbox() -> ScriptedSandbox<
    impl Fn(&Launch, &Limits) -> Result<gridjudge_sandbox::Run, gridjudge_sandbox::Fault>
    + Sync,
> {
    ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let case = case_of(launch);
        if is_of(launch, "fault2") && case == 2 {
            return Err(gridjudge_sandbox::Fault::because("running it", "planted"));
        }
        let is_wrong = [("wrong0", 0), ("wrong3", 3), ("wrong4", 4)]
            .iter()
            .any(|(name, from)| is_of(launch, name) && case >= *from);
        let mut run = ScriptedSandbox::clean(if is_wrong { WRONG } else { RIGHT });
        run.usage.cpu = Duration::from_millis(10 * case as u64 + 1);
        if is_of(launch, "slow1") && case == 1 || is_of(launch, "late") && case == 4 {
            run.usage.cpu = Duration::from_secs(5);
        }
        Ok(run)
    })
}

struct Sharded {
    fixture: SuiteFixture,
    plan: Plan,
    stop_at_first: bool,
}

impl Sharded {
    fn new(stop_at_first: bool) -> Self {
        let fixture = SuiteFixture::with_cases(6);
        let mut plan = fixture.plan(&SUBMISSIONS);
        plan.entries[4].refusal = Some(SubmissionRefusal {
            reason: "too long".into(),
            output: "too long".into(),
        });
        Self {
            fixture,
            plan,
            stop_at_first,
        }
    }

    fn record(&self, shards: usize) -> crate::model::PlanRecord {
        record(&self.plan, "", None, shards).unwrap()
    }

    /// The events of a shard; `run` identifies them.
    fn shard(
        &self,
        number: ShardNumber,
        costs: Option<&[u64]>,
        run: &str,
    ) -> Vec<Event> {
        let kinds = vec![(); self.plan.entries.len()];
        let assigned = assign(&kinds, costs, number.of);
        self.part(
            number,
            shard_of_plan(&self.plan, &assigned, number),
            None,
            run,
        )
    }

    fn split(&self, number: ShardNumber) -> Vec<Event> {
        let split = CaseSplit {
            stops_at_first: self.stop_at_first,
        };
        let run = number.index.to_string();
        let cut = cut_cases(&self.plan, number).unwrap();
        self.part(number, cut, Some(split), &run)
    }

    fn part(
        &self,
        number: ShardNumber,
        (entries, ordinals): (Vec<PlanEntry>, Vec<usize>),
        case_split: Option<CaseSplit>,
        run: &str,
    ) -> Vec<Event> {
        let shard = ShardRecord {
            index: number.index,
            of: number.of,
            run: run.to_owned(),
            attempt: None,
            host: format!("host{run}"),
            calibration_ns: 1,
            command: vec![],
            tools: vec![],
            ordinals,
            case_split,
            plan: self.record(number.of).into(),
        };
        let plan = Plan {
            entries,
            shard: Some(Box::new(shard)),
            ..self.plan.clone()
        };
        self.fixture.judge(&plan, 2, self.stop_at_first, &sandbox())
    }

    fn all(&self, of: usize) -> Vec<Vec<Event>> {
        (1..=of)
            .map(|index| ShardNumber { index, of })
            .map(|number| self.shard(number, None, &number.index.to_string()))
            .collect()
    }

    /// The events of the whole plan, judged by one machine.
    fn whole(&self) -> Vec<Event> {
        self.fixture
            .judge(&self.plan, 2, self.stop_at_first, &sandbox())
    }
}

/// The runs of these logs, each of which is called by its place.
fn summaries(logs: &[Vec<Event>]) -> &'static [RunSummary] {
    let runs = logs.iter().enumerate().map(|(place, events)| {
        let log = PathBuf::from(place.to_string());
        let events = events.iter().cloned().map(Ok::<_, ()>);
        RunSummary::read(&log, events).unwrap().unwrap()
    });
    Vec::from_iter(runs).leak()
}

/// The places of runs in the list of all.
fn place_of(run: &RunSummary) -> usize {
    run.log.to_str().unwrap().parse().unwrap()
}

fn places_of(selection: &ShardSelection<'_>) -> Vec<Option<usize>> {
    let chosen = selection.chosen.iter();
    chosen.map(|run| run.map(place_of)).collect()
}

fn selection(
    logs: &[Vec<Event>],
    take: &[String],
) -> Result<ShardSelection<'static>, Mistake> {
    ShardSelection::from_runs(summaries(logs), take, &|place| {
        Ok(format!("submission {place}"))
    })
}

fn selected(logs: &[Vec<Event>]) -> ShardSelection<'static> {
    selection(logs, &[]).unwrap()
}

fn merged(logs: &[Vec<Event>]) -> Vec<Event> {
    let selection = selected(logs);
    let chosen = selection.runs().into_iter().map(|run| {
        let events = logs[place_of(run)].iter().cloned().map(Ok::<_, ()>);
        (run, events)
    });
    events_of(chosen.collect(), selection.is_whole())
}

fn events_of<I: Iterator<Item = Result<Event, ()>>>(
    runs: Vec<(&RunSummary, I)>,
    is_whole: bool,
) -> Vec<Event> {
    let mut events = vec![];
    merge_events(runs, is_whole, vec![], &mut |event, _| events.push(event)).unwrap();
    events
}

/// The events of a suite without what differs from machine to machine.
fn without_jobs(mut events: Vec<Event>) -> Vec<Event> {
    if let Event::SuiteStarted(start) = &mut events[0] {
        start.jobs = 0;
    }
    events
}

#[test]
fn merged_shards_are_the_whole_plan_for_any_number_of_shards_in_any_order() {
    for stop_at_first in [true, false] {
        let sharded = Sharded::new(stop_at_first);
        let whole = without_jobs(sharded.whole());
        for of in 1..=8 {
            let mut logs = sharded.all(of);
            assert_eq!(without_jobs(merged(&logs)), whole, "{of}");
            logs.reverse();
            assert_eq!(without_jobs(merged(&logs)), whole, "{of} reversed");
            let costs = [7, 1, 9, 3, 3, 5, 2, 8, 4];
            let logs: Vec<_> = (1..=of)
                .map(|index| ShardNumber { index, of })
                .map(|number| sharded.shard(number, Some(&costs), "by costs"))
                .collect();
            assert_eq!(without_jobs(merged(&logs)), whole, "{of} by costs");
        }
    }
}

#[test]
fn mistakes_that_only_the_trials_show_come_in_the_order_of_the_problems() {
    let mut logs = Sharded::new(true).all(2);
    for (place, log) in logs.iter_mut().enumerate() {
        for event in log.iter_mut() {
            if let Event::SubmissionStarted(start) = event
                && *start.submission != *"right"
            {
                start.problem = "later".into();
            }
        }
        // The first shard tells of the later problem.
        let problem = ["later", "p"][place];
        let late = serde_json::json!({"event": "mistake_found", "problem": problem,
            "severity": "error", "check": "time_limit", "file": "", "message": "slow"});
        log.insert(log.len() - 1, serde_json::from_value(late).unwrap());
    }
    let found = merged(&logs).into_iter().filter_map(|event| match event {
        Event::MistakeFound(record) => Some(record.problem.to_string()),
        _ => None,
    });
    assert_eq!(found.collect::<Vec<_>>(), ["p", "later"]);
}

#[test]
fn submissions_whose_cases_are_divided_have_the_results_of_one_machine() {
    for stop_at_first in [true, false] {
        let sharded = Sharded::new(stop_at_first);
        let whole = without_jobs(sharded.whole());
        for of in 1..=8 {
            let logs: Vec<_> = (1..=of)
                .map(|index| ShardNumber { index, of })
                .map(|number| sharded.split(number))
                .collect();
            assert_eq!(report_lines(&merged(&logs)), report_lines(&whole), "{of}");
            assert_eq!(without_jobs(merged(&logs)), whole, "{of}");
        }
    }
}

#[test]
fn a_shard_without_a_complete_log_is_missing_and_the_rest_counts_as_interrupted() {
    let mut logs = Sharded::new(true).all(3);
    let last = logs[1].len() - 1;
    logs[1].truncate(last);
    let missing = selected(&logs).missing;
    assert_eq!((missing.len(), missing[0].index), (1, 2));
    assert_eq!(missing[0].reason, "its run on host2 is incomplete");
    assert!(matches!(
        merged(&logs).last(),
        Some(Event::SuiteInterrupted(_))
    ));
    logs.remove(1);
    assert_eq!(selected(&logs).missing[0].reason, "there is no log of it");
    // Three submissions of nine are those of the missing shard.
    let finished = merged(&logs);
    let finished = finished
        .iter()
        .filter(|event| matches!(event, Event::SubmissionFinished(_)));
    assert_eq!(finished.count(), 6);
}

#[test]
fn a_run_that_is_there_twice_counts_once_and_an_incomplete_one_does_not_count() {
    let sharded = Sharded::new(true);
    let whole = without_jobs(sharded.whole());
    let mut logs = sharded.all(3);
    logs.push(logs[0].clone());
    let mut begun = sharded.shard(ShardNumber { index: 2, of: 3 }, None, "begun");
    begun.truncate(3);
    logs.push(begun);
    assert_eq!(
        selected(&logs).notes,
        [
            "shard 1: copies of the same run count once",
            "shard 2: left out besides the complete run: 1 incomplete one",
        ]
    );
    assert_eq!(without_jobs(merged(&logs)), whole);
}

#[test]
fn of_two_runs_with_equal_results_the_first_counts_whatever_their_figures_are() {
    let sharded = Sharded::new(true);
    let mut logs = sharded.all(3);
    let mut again = sharded.shard(ShardNumber { index: 1, of: 3 }, None, "0 again");
    for event in &mut again {
        if let Event::TrialFinished(record) = event {
            record.cpu_us = Some(12_345);
        }
    }
    logs.push(again);
    let selection = selected(&logs);
    assert!(selection.conflicts.is_empty() && selection.missing.is_empty());
    assert_eq!(places_of(&selection), [Some(3), Some(1), Some(2)]);
    assert_eq!(
        selection.notes,
        [
            "shard 1 was judged 2 times, with equal results, on host0 again and host1: run 0 again \
          counts, which began first"
        ]
    );
}

#[test]
fn two_runs_that_differ_decide_nothing_until_one_is_taken() {
    let sharded = Sharded::new(true);
    let mut logs = sharded.all(3);
    let mut other = sharded.shard(ShardNumber { index: 1, of: 3 }, None, "other");
    for event in &mut other {
        if let Event::SubmissionFinished(summary) = event
            && &*summary.submission == "slow1"
        {
            summary.verdict = Some(Verdict::Accepted);
        }
    }
    logs.push(other);
    let undecided = selected(&logs);
    assert!(undecided.chosen[0].is_none());
    assert_eq!(undecided.conflicts.len(), 1);
    let conflict = &undecided.conflicts[0];
    assert_eq!((conflict.index, &conflict.entries[..]), (1, &[1][..]));
    let taken = selection(&logs, &["oth".to_owned()]).unwrap();
    assert_eq!(places_of(&taken)[0], Some(3));
    assert!(taken.conflicts.is_empty());
    assert_eq!(
        taken.notes,
        ["shard 1: run other on hostother counts, by --take"]
    );
    for (wanted, message) in [
        ("nobody", "--take: 0 runs begin with `nobody`"),
        ("", "--take: 4 runs begin with ``"),
    ] {
        let refused = selection(&logs, &[wanted.to_owned()]).unwrap_err();
        assert_eq!(refused.to_string(), message);
    }
}

/// A fault is not a verdict, so a run without it does not contradict one with it.
#[test]
fn a_run_in_which_more_was_judged_counts_before_one_with_a_fault() {
    let sharded = Sharded::new(true);
    let mut logs = sharded.all(3);
    // Submission `fault2` is in the third shard.
    let mut other = sharded.shard(ShardNumber { index: 3, of: 3 }, None, "whole");
    for event in &mut other {
        if let Event::SubmissionFinished(summary) = event {
            summary.faults = 0;
        }
    }
    logs.push(other);
    let selection = selected(&logs);
    assert_eq!(places_of(&selection)[2], Some(3));
    assert!(selection.notes[0].ends_with("run whole counts, which judged the most"));
}

#[test]
fn more_shards_than_submissions_leave_empty_shards() {
    let sharded = Sharded::new(true);
    let logs = sharded.all(20);
    assert_eq!(logs[19].len(), 2);
    assert_eq!(without_jobs(merged(&logs)), without_jobs(sharded.whole()));
}

#[test]
fn a_machine_that_lacks_a_language_of_others_has_not_judged_its_shard() {
    let mut logs = Sharded::new(true).all(3);
    let skipped = Event::SubmissionSkipped(Box::new(SubmissionSkip {
        problem: "p".into(),
        submission: "right".into(),
        language: "executable".into(),
        cause: "`cc` is not installed".into(),
        remedy: "install it".into(),
        ..SubmissionSkip::default()
    }));
    let end = logs[0]
        .iter()
        .position(|event| matches!(event, Event::SubmissionFinished(_)))
        .unwrap();
    logs[0].splice(1..=end, [skipped]);
    let selection = selected(&logs);
    assert_eq!(selection.missing.len(), 1);
    assert_eq!(
        selection.missing[0].reason,
        "host1 could not judge executable, and others could: `cc` is not installed"
    );
    // If no machine has it, the submissions are skipped as by one machine.
    for log in &mut logs {
        for event in log {
            if let Event::SubmissionStarted(start) = event {
                start.language = "C".to_owned();
            }
        }
    }
    assert!(selected(&logs).missing.is_empty());
}

#[test]
fn machines_that_differ_are_named_with_what_differs() {
    let alike = Sharded::new(true).all(2);
    let of = |logs: &[Vec<Event>]| {
        let runs = summaries(logs).iter();
        MachineDifferences::between(&runs.collect::<Vec<_>>())
    };
    let found = of(&alike);
    assert_eq!(found.notes, ["judged on host1, host2"]);
    assert_eq!(found.speeds, None);
    // `slow1` takes five times its limit, and `late` too: near is neither.
    assert!(found.near_limits.is_empty(), "{:?}", found.near_limits);
    let tool = |version: &str| crate::model::ToolVersion {
        language: "C".into(),
        version: version.into(),
    };
    let logs = [
        with_record(alike[0].clone(), |shard| shard.tools = vec![tool("gcc 12")]),
        with_record(alike[1].clone(), |shard| {
            shard.tools = vec![tool("gcc 13")];
            shard.calibration_ns = 2;
        }),
    ];
    let found = of(&logs);
    assert_eq!(
        found.notes,
        [
            "judged on host1, host2",
            "the versions of C differ: `gcc 12` on host1; `gcc 13` on host2"
        ]
    );
    assert_eq!(
        found.speeds.as_deref(),
        Some("the speeds differ: host2 takes 200 % of the time of host1")
    );
    // Two shards of one machine have one speed.
    let one_host =
        logs.map(|log| with_record(log, |shard| shard.host = "host".into()));
    assert_eq!(of(&one_host).speeds, None);
    let mut near = alike.clone();
    for event in &mut near[1] {
        if let Event::TrialFinished(record) = event
            && &*record.submission == "wrong0"
        {
            record.cpu_us = Some(900_000);
        }
    }
    assert_eq!(of(&near).near_limits.into_iter().collect::<Vec<_>>(), [2]);
}

/// The first difference between two plans, as the refusal to merge their shards names
/// it.
fn difference(change: impl FnOnce(&mut Sharded)) -> String {
    let mut sharded = Sharded::new(true);
    let one = sharded.shard(ShardNumber { index: 1, of: 2 }, None, "1");
    change(&mut sharded);
    let other = sharded.shard(ShardNumber { index: 2, of: 2 }, None, "2");
    let refused = selection(&[one, other], &[]).unwrap_err().to_string();
    let start = "1: is a shard of another plan than 0: the first difference is in ";
    refused.strip_prefix(start).expect(&refused).to_owned()
}

#[test]
fn shards_of_plans_that_differ_by_a_byte_are_refused_with_the_first_difference() {
    let in_folder = |name: &'static str| {
        move |sharded: &mut Sharded| {
            // A hard link to another file must not be written through.
            let path = sharded.fixture.folder.path().join(name);
            let mut bytes = fs::read(&path).unwrap();
            bytes.push(b'\n');
            fs::remove_file(&path).unwrap();
            fs::write(&path, bytes).unwrap();
        }
    };
    assert_eq!(difference(in_folder("slow1")), "submission 4");
    assert_eq!(difference(in_folder("3.in")), "the cases of p");
    assert_eq!(difference(in_folder("ans")), "the cases of p");
    let of_problem = difference(|sharded| {
        for entry in &mut sharded.plan.entries {
            let mut problem = (*entry.problem).clone();
            problem.limits.cpu += Duration::from_millis(1);
            entry.problem = problem.into();
        }
    });
    assert_eq!(of_problem, "the rules or limits of p");
    let of_order = difference(|sharded| sharded.plan.entries.swap(6, 8));
    assert_eq!(of_order, "submission 7");
    let shorter = difference(|sharded| _ = sharded.plan.entries.pop());
    assert_eq!(shorter, "submission 9");
}

#[test]
fn the_settings_and_the_programs_of_a_problem_are_part_of_the_plan() {
    let sharded = Sharded::new(true);
    let digests: std::collections::BTreeSet<_> = [
        ("", None, 2),
        ("", None, 3),
        ("--all", None, 2),
        ("", Some("digest"), 2),
    ]
    .map(|(options, times, shards)| {
        record(&sharded.plan, options, times, shards)
            .unwrap()
            .digest
    })
    .into_iter()
    .collect();
    assert_eq!(digests.len(), 4);
}

/// Folders differ from machine to machine.
#[test]
fn where_the_files_are_is_no_part_of_the_plan() {
    let one = Sharded::new(true);
    let other = Sharded::new(true);
    assert_ne!(one.fixture.folder.path(), other.fixture.folder.path());
    assert_eq!(one.record(4), other.record(4));
}

/// The plan of a shard, to be changed.
fn plan_of(shard: &mut ShardRecord) -> &mut crate::model::PlanRecord {
    std::sync::Arc::make_mut(&mut shard.plan)
}

/// Changes the record of a shard in the first event of its log.
fn with_record(
    mut log: Vec<Event>,
    change: impl FnOnce(&mut ShardRecord),
) -> Vec<Event> {
    if let Event::SuiteStarted(start) = &mut log[0]
        && let Some(shard) = &mut start.shard
    {
        change(shard);
    }
    log
}

#[test]
fn logs_that_contradict_themselves_or_each_other_are_refused() {
    let logs = Sharded::new(true).all(2);
    let refused = |change: fn(&mut ShardRecord)| {
        let changed = with_record(logs[1].clone(), change);
        let refused = selection(&[logs[0].clone(), changed], &[]).unwrap_err();
        let remedy = "judge this shard again, and leave this file out";
        refused.path == Path::new("1") && refused.remedy.as_deref() == Some(remedy)
    };
    assert!(refused(|shard| shard.index = 0));
    assert!(refused(|shard| shard.index = 3));
    assert!(refused(|shard| shard.of = usize::MAX));
    assert!(refused(|shard| shard.of = 3));
    assert!(refused(|shard| {
        plan_of(shard).submissions = 100;
        plan_of(shard).entries = "0".repeat(800);
        shard.ordinals = vec![99];
    }));
    assert!(refused(|shard| shard.ordinals[0] = 1));
    assert!(refused(|shard| shard.ordinals.swap(0, 1)));
    assert!(refused(|shard| shard.ordinals.push(1000)));
    assert!(refused(|shard| plan_of(shard).submissions = usize::MAX));
    assert!(refused(|shard| plan_of(shard).entries.push('0')));
    assert!(refused(|shard| plan_of(shard).entries = "\u{e9}".repeat(36)));
    // A part that another plan lacks is named, whichever has it.
    let more = PlanPart {
        name: "something new".into(),
        value: "1".into(),
    };
    let changed = with_record(logs[1].clone(), |shard| {
        plan_of(shard).digest = "other".into();
        plan_of(shard).parts.push(more);
    });
    let refused = selection(&[logs[0].clone(), changed], &[]).unwrap_err();
    assert!(
        refused.message.ends_with("is in something new"),
        "{refused}"
    );
}

/// A log may be cut between the two times that it is read.
#[test]
fn a_log_that_ends_early_when_it_is_read_again_leaves_the_suite_interrupted() {
    let sharded = Sharded::new(true);
    let numbers = [1, 2].map(|index| ShardNumber { index, of: 2 });
    for logs in [
        Vec::from(numbers.map(|number| sharded.split(number))),
        sharded.all(2),
    ] {
        let runs = summaries(&logs);
        for length in [1, 4] {
            let cut = [
                &logs[0][..length],
                &[Event::SuiteInterrupted(Default::default())],
            ]
            .concat();
            let sources = runs.iter().zip([&cut, &logs[1]]);
            let sources =
                sources.map(|(run, log)| (run, log.iter().cloned().map(Ok::<_, ()>)));
            let events = events_of(sources.collect(), true);
            let ends = events.iter().filter(|event| event.is_ending());
            assert_eq!(ends.count(), 1);
            assert!(matches!(events.last(), Some(Event::SuiteInterrupted(_))));
        }
    }
}

/// A shard that is whole but for a submission is not complete, whatever its last event
/// says.
#[test]
fn a_log_that_lacks_a_submission_is_not_complete() {
    let mut logs = Sharded::new(true).all(2);
    let end = logs[1]
        .iter()
        .position(|event| matches!(event, Event::SubmissionFinished(_)))
        .unwrap();
    logs[1].drain(1..=end);
    assert_eq!(selected(&logs).missing[0].index, 2);
}
