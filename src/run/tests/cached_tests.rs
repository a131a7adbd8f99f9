//! Suites with a cache: what is run again, what is not, and that reports differ in one
//! field only.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;

use gridjudge_sandbox::{Exit, Role, Usage};

use super::*;
use crate::cache::KeyHasher;
use crate::model::{
    AdditionalSources, CheckerProtocol, CheckerTask, JudgingProgramKind, Language,
    Scoring, SourceFile, ToolSource, TrialRecord,
};
use crate::run::{PlanEntry, add_timed};

/// A suite fixture with a cache.
struct CachedFixture {
    suite: SuiteFixture,
    cache: tempfile::TempDir,
}

/// The events of a suite, the number of runs of submissions, and the number of runs of
/// compilers.
struct JudgedSuite {
    events: Vec<Event>,
    runs: usize,
    compiled: usize,
}

/// Returns the run for a launch.
type Script = fn(&Launch) -> Run;

#[derive(Clone, Copy)]
struct CachedRun {
    jobs: usize,
    stop_at_first: bool,
}

const ALONE: CachedRun = CachedRun {
    jobs: 1,
    stop_at_first: false,
};

impl CachedFixture {
    /// Each input ends with a different number of blank lines, so no two cases have the
    /// same key.
    fn with_cases(count: usize) -> Self {
        let suite = SuiteFixture::with_cases(count);
        for (number, case) in suite.cases.iter().enumerate() {
            fs::remove_file(&case.input).unwrap();
            fs::write(&case.input, format!("{INPUT}{}", "\n".repeat(number)))
                .unwrap();
        }
        Self {
            suite,
            cache: tempfile::tempdir().unwrap(),
        }
    }

    fn judge(&self, plan: &Plan, options: CachedRun, script: Script) -> JudgedSuite {
        self.judge_until(plan, options, script, usize::MAX)
    }

    /// Like [`judge`](Self::judge), but interrupts the suite after `most_runs` runs.
    fn judge_until(
        &self,
        plan: &Plan,
        options: CachedRun,
        script: Script,
        most_runs: usize,
    ) -> JudgedSuite {
        let runs = AtomicUsize::new(0);
        let compiled = AtomicUsize::new(0);
        let interrupted = AtomicBool::new(false);
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            if let Role::Tool { folder } = &launch.role {
                compiled.fetch_add(1, Ordering::Relaxed);
                let program = folder.join("program");
                fs::write(&program, "#!/bin/sh\n").unwrap();
                fs::set_permissions(program, Permissions::from_mode(0o755)).unwrap();
                return Ok(ScriptedSandbox::clean(""));
            }
            if runs.fetch_add(1, Ordering::Relaxed) + 1 >= most_runs {
                interrupted.store(true, Ordering::Relaxed);
            }
            Ok(script(launch))
        });
        let cache = Cache::open(self.cache.path(), 1 << 30, &[]).unwrap();
        let mut events = vec![];
        let CachedRun {
            jobs,
            stop_at_first,
        } = options;
        self.suite.emit_events_with(
            Some(&cache),
            plan,
            jobs,
            stop_at_first,
            &sandbox,
            &interrupted,
            &mut |event| {
                events.push(event);
            },
        );
        assert_eq!(cache.close(), [""; 0]);
        JudgedSuite {
            events,
            runs: runs.into_inner(),
            compiled: compiled.into_inner(),
        }
    }

    /// A plan for submissions that have to be compiled.
    fn plan_to_compile(&self, submissions: &[&str]) -> Plan {
        let mut plan = self.suite.plan(submissions);
        for entry in &mut plan.entries {
            entry.language = Some(Arc::new(language()));
        }
        plan
    }
}

impl JudgedSuite {
    fn records(&self) -> Vec<TrialRecord> {
        self.events
            .iter()
            .filter_map(|event| match event {
                Event::TrialFinished(record) => Some((**record).clone()),
                _ => None,
            })
            .collect()
    }

    /// For each trial, in order, whether it was cached.
    fn cached_flags(&self) -> Vec<bool> {
        self.records().iter().map(|record| record.cached).collect()
    }

    /// The events as they would be if nothing had been cached. Leaves out the first,
    /// which contains the number of workers.
    fn as_if_uncached(&self) -> Vec<Event> {
        self.events[1..]
            .iter()
            .map(|event| match event.clone() {
                Event::TrialFinished(record) => {
                    Event::TrialFinished(Box::new(TrialRecord {
                        cached: false,
                        ..*record
                    }))
                }
                Event::SuiteFinished(tally) => {
                    Event::SuiteFinished(Tally { cached: 0, ..tally })
                }
                event => event,
            })
            .collect()
    }
}

#[test]
fn a_case_that_is_worth_other_points_is_judged_anew() {
    let mut fixture = CachedFixture::with_cases(2);
    for (points, is_known) in [(10, false), (10, true), (20, false)] {
        let scoring = Scoring::of_whole_groups([("secret".to_owned(), points)]);
        fixture.suite.problem = Arc::new(Problem {
            scoring,
            ..problem()
        });
        let plan = fixture.suite.plan(&["a"]);
        let judged = fixture.judge(&plan, ALONE, |_| ScriptedSandbox::clean(RIGHT));
        assert_eq!(judged.cached_flags(), [is_known; 2], "{points}");
    }
}

fn language() -> Language {
    let second = Duration::from_secs(1);
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    Language {
        id: "x".into(),
        name: "X".into(),
        extensions: words("x"),
        source: None,
        standards: vec![],
        options: vec![],
        check: vec![],
        compile: words("sh {source}"),
        link: vec![],
        run: words("{program}"),
        package: None,
        compile_limits: Limits {
            cpu: second,
            wall: second,
            ..problem().limits
        },
        time_factor: 1,
        extra_memory_bytes: 0,
        address_space: None,
        toolchain: vec![],
        java_classes: false,
        together: false,
        main: vec![],
        home: vec![],
        opens_home: true,
        keeps_builds: true,
        known_good: None,
        compile_environment: vec![],
        environment: vec![],
    }
}

#[test]
fn the_key_of_measured_times_depends_on_sources_compilers_and_whole_cases() {
    let fixture = CachedFixture::with_cases(2);
    let cache = Cache::open(fixture.cache.path(), 1 << 30, &[]).unwrap();
    let compiler = Compiler::new(fixture.cache.path().join("programs"));
    let key = |plan: &Plan| {
        let mut hasher = KeyHasher::for_purpose("limit");
        add_timed(&mut hasher, &plan.entries, &compiler, &cache);
        hasher.finish()
    };
    let plan = fixture.plan_to_compile(&["a"]);
    let first = key(&plan);
    assert_eq!(key(&plan), first);
    let mut with_other_compiler = plan.clone();
    let other = Language {
        compile: vec!["bash".to_owned(), "{source}".to_owned()],
        ..language()
    };
    with_other_compiler.entries[0].language = Some(Arc::new(other));
    assert_ne!(key(&with_other_compiler), first);
    let PlanEntry {
        submission, cases, ..
    } = &plan.entries[0];
    for file in [&submission.path, &cases[1].input, &cases[1].answer] {
        let text = fs::read(file).unwrap();
        fs::write(file, "other\n").unwrap();
        assert_ne!(key(&plan), first, "{}", file.display());
        fs::write(file, text).unwrap();
        assert_eq!(key(&plan), first);
    }
}

/// Runs of six kinds in turn: one that is accepted, and one for each kind of failure,
/// with usage and standard error.
fn of_all_kinds(launch: &Launch) -> Run {
    let case = case_of(launch);
    let cpu = Duration::from_millis(case as u64);
    let usage = Usage {
        cpu,
        wall: 2 * cpu,
        starved: cpu,
        ..Usage::default()
    };
    let run = Run {
        usage,
        stderr_tail: b"a word\n".to_vec(),
        ..ScriptedSandbox::clean(RIGHT)
    };
    match case % 6 {
        0 => run,
        1 => Run {
            usage,
            ..ScriptedSandbox::clean(WRONG)
        },
        2 => Run {
            exit: Exit::Signal(11),
            ..run
        },
        3 => Run {
            stdout_bytes: 1001,
            ..run
        },
        // So far over the limit that it is not doubtful.
        4 => Run {
            usage: Usage {
                peak_memory_bytes: 1 << 40,
                ..usage
            },
            out_of_memory: true,
            ..run
        },
        _ => Run {
            usage: Usage {
                cpu: Duration::from_secs(9),
                ..usage
            },
            ..run
        },
    }
}

/// Right, except for case 3.
fn wrong_on_three(launch: &Launch) -> Run {
    ScriptedSandbox::clean(if case_of(launch) == 3 { WRONG } else { RIGHT })
}

fn must_not_run(_: &Launch) -> Run {
    panic!("all trials are cached")
}

#[test]
fn cached_trials_are_reported_as_if_they_had_been_run() {
    let fixture = CachedFixture::with_cases(30);
    let plan = fixture.suite.plan(&["a"]);
    let first = fixture.judge(&plan, ALONE, of_all_kinds);
    assert_eq!((first.runs, first.cached_flags()), (30, vec![false; 30]));
    for jobs in [1, 4] {
        let again = fixture.judge(&plan, CachedRun { jobs, ..ALONE }, must_not_run);
        assert_eq!(again.cached_flags(), [true; 30]);
        assert_eq!(again.as_if_uncached(), first.as_if_uncached());
        assert!(matches!(
            again.events.last(),
            Some(Event::SuiteFinished(Tally { cached: 30, .. }))
        ));
    }
}

#[test]
fn a_submission_is_compiled_once_and_its_program_kept_for_other_cases() {
    let fixture = CachedFixture::with_cases(5);
    let plan = fixture.plan_to_compile(&["a"]);
    for (jobs, compiled) in [(1, 1), (1, 0), (4, 0)] {
        assert_eq!(
            fixture
                .judge(&plan, CachedRun { jobs, ..ALONE }, wrong_on_three)
                .compiled,
            compiled
        );
    }
    // The same text under another name may be another program.
    let renamed =
        fixture.judge(&fixture.plan_to_compile(&["b"]), ALONE, wrong_on_three);
    assert_eq!((renamed.compiled, renamed.runs), (1, 5));
    fs::write(
        &fixture.suite.cases[2].input,
        format!("{INPUT}\n\n\n\n\n\n\n\n"),
    )
    .unwrap();
    let changed = fixture.judge(&plan, ALONE, wrong_on_three);
    assert_eq!(
        (changed.compiled, changed.cached_flags()),
        (0, vec![true, true, false, true, true])
    );
}

/// Equal sources under several names, in a language in which the name does not matter.
#[test]
fn equal_sources_are_compiled_and_run_once_and_the_first_is_reported_as_run_whatever_the_number_of_workers()
 {
    fn names_its_source(launch: &Launch) -> Run {
        let stderr_tail = b"submission.x:3: failed\n".to_vec();
        Run {
            exit: Exit::Code(1),
            stderr_tail,
            ..wrong_on_three(launch)
        }
    }
    for jobs in [1, 2, 4] {
        let fixture = CachedFixture::with_cases(6);
        let mut plan = fixture.plan_to_compile(&["a", "b", "c"]);
        let without_names = Arc::new(Language {
            id: "c".into(),
            ..language()
        });
        for entry in &mut plan.entries {
            entry.language = Some(Arc::clone(&without_names));
        }
        let judged =
            fixture.judge(&plan, CachedRun { jobs, ..ALONE }, names_its_source);
        assert_eq!((judged.runs, judged.compiled), (6, 1), "{jobs}");
        let expected = [[false; 6], [true; 6], [true; 6]].concat();
        assert_eq!(judged.cached_flags(), expected, "{jobs}");
        let said: Vec<_> = judged
            .records()
            .into_iter()
            .map(|record| record.stderr)
            .collect();
        for (name, said) in ["a", "b", "c"].into_iter().zip(said.chunks(6)) {
            assert_eq!(
                said,
                [const { "" }; 6].map(|_| format!("{name}.x:3: failed\n"))
            );
        }
    }
}

/// As when somebody updates a library of an interpreter that is in no package.
#[test]
fn a_trial_during_which_a_folder_of_the_toolchain_changed_is_not_stored() {
    static LIBRARY: Mutex<Option<PathBuf>> = Mutex::new(None);
    fn changes_library_on_one(launch: &Launch) -> Run {
        if case_of(launch) == 1 {
            fs::write(LIBRARY.lock().unwrap().as_ref().unwrap(), "changed").unwrap();
        }
        ScriptedSandbox::clean(RIGHT)
    }
    let fixture = CachedFixture::with_cases(3);
    let tools = tempfile::tempdir().unwrap();
    let library = tools.path().join("library");
    fs::write(&library, "first").unwrap();
    *LIBRARY.lock().unwrap() = Some(library.clone());
    let mut plan = fixture.plan_to_compile(&["a"]);
    let toolchain = vec![tools.path().to_str().unwrap().to_owned()];
    plan.entries[0].language = Some(Arc::new(Language {
        toolchain,
        ..language()
    }));
    assert_eq!(fixture.judge(&plan, ALONE, changes_library_on_one).runs, 3);
    fs::write(&library, "first").unwrap();
    let again = fixture.judge(&plan, ALONE, |_| ScriptedSandbox::clean(RIGHT));
    assert_eq!(again.cached_flags(), [true, false, false]);
}

#[test]
fn an_equal_source_is_run_where_the_result_of_the_first_is_not_cached() {
    static FAULTS: AtomicUsize = AtomicUsize::new(0);
    fn fails_once(launch: &Launch) -> Run {
        let is_first =
            case_of(launch) == 1 && FAULTS.fetch_add(1, Ordering::Relaxed) == 0;
        assert!(!is_first, "planted");
        ScriptedSandbox::clean(RIGHT)
    }
    let fixture = CachedFixture::with_cases(3);
    let mut plan = fixture.plan_to_compile(&["a", "b"]);
    let without_names = Arc::new(Language {
        id: "c".into(),
        ..language()
    });
    for entry in &mut plan.entries {
        entry.language = Some(Arc::clone(&without_names));
    }
    let judged = fixture.judge(&plan, CachedRun { jobs: 4, ..ALONE }, fails_once);
    assert_eq!(judged.cached_flags(), [false, false, true, false, true]);
}

#[test]
fn cases_after_the_one_that_settles_a_submission_need_not_be_cached() {
    for jobs in [1, 4] {
        let fixture = CachedFixture::with_cases(30);
        let plan = fixture.plan_to_compile(&["a"]);
        let first_failure = CachedRun {
            jobs: 1,
            stop_at_first: true,
        };
        let first = fixture.judge(&plan, first_failure, wrong_on_three);
        assert!(first.runs >= 4);
        let again = fixture.judge(
            &plan,
            CachedRun {
                jobs,
                ..first_failure
            },
            must_not_run,
        );
        assert_eq!((again.runs, again.compiled), (0, 0));
        assert_eq!(again.as_if_uncached(), first.as_if_uncached());
        let all = fixture.judge(&plan, CachedRun { jobs, ..ALONE }, wrong_on_three);
        assert_eq!((all.runs + first.runs, all.compiled), (30, 0));
    }
}

#[test]
fn cases_finished_before_an_interruption_are_not_run_again() {
    for jobs in [1, 4] {
        let fixture = CachedFixture::with_cases(100);
        let plan = fixture.suite.plan(&["a"]);
        let options = CachedRun { jobs, ..ALONE };
        let cut_off = fixture.judge_until(&plan, options, wrong_on_three, 40);
        assert!(
            cut_off.runs >= 40 && cut_off.runs < 40 + jobs,
            "{}",
            cut_off.runs
        );
        let rest = fixture.judge(&plan, options, wrong_on_three);
        assert_eq!(rest.runs + cut_off.runs, 100);
        assert_eq!(
            rest.cached_flags().iter().filter(|known| **known).count(),
            cut_off.runs
        );
    }
}

/// Case 0 is always judged again, because it waits.
#[test]
fn of_a_doubtful_trial_the_run_that_counts_is_cached() {
    fn idle_on_one(launch: &Launch) -> Run {
        let wall = Duration::from_secs(if case_of(launch) == 0 { 3 } else { 0 });
        Run {
            usage: Usage {
                wall,
                ..Usage::default()
            },
            ..ScriptedSandbox::clean(RIGHT)
        }
    }
    let fixture = CachedFixture::with_cases(3);
    let plan = fixture.suite.plan(&["a"]);
    let first = fixture.judge(&plan, ALONE, idle_on_one);
    assert_eq!((first.runs, first.records()[0].rerun), (4, true));
    let again = fixture.judge(&plan, ALONE, must_not_run);
    assert_eq!(
        (again.runs, again.as_if_uncached()),
        (0, first.as_if_uncached())
    );
}

/// The next time it may be fast enough.
#[test]
fn a_slightly_too_slow_trial_is_not_cached_and_a_much_too_slow_one_is() {
    fn too_slow(launch: &Launch) -> Run {
        let percent = [1, 110, 151][case_of(launch)];
        let usage = Usage {
            cpu: Duration::from_millis(10 * percent),
            ..Usage::default()
        };
        Run {
            usage,
            ..ScriptedSandbox::clean(RIGHT)
        }
    }
    let fixture = CachedFixture::with_cases(3);
    let plan = fixture.suite.plan(&["a"]);
    let first = fixture.judge(&plan, ALONE, too_slow);
    let again = fixture.judge(&plan, ALONE, too_slow);
    assert_eq!((first.runs, again.runs), (1 + 5 + 1, 5));
    assert_eq!(
        (again.cached_flags(), again.as_if_uncached()),
        ([true, false, true].into(), first.as_if_uncached())
    );
}

#[test]
fn faults_are_not_cached() {
    fn fails_on_one(launch: &Launch) -> Run {
        assert_ne!(case_of(launch), 1, "planted");
        ScriptedSandbox::clean(RIGHT)
    }
    let fixture = CachedFixture::with_cases(3);
    let plan = fixture.suite.plan(&["a"]);
    for runs in [3, 1, 1] {
        let judged = fixture.judge(&plan, ALONE, fails_on_one);
        let faults = judged
            .events
            .iter()
            .filter(|event| matches!(event, Event::TrialFaulted(_)));
        assert_eq!((judged.runs, faults.count()), (runs, 1));
    }
    assert_eq!(fixture.judge(&plan, ALONE, wrong_on_three).runs, 1);
}

#[test]
fn a_changed_answer_limit_rule_or_source_is_judged_anew() {
    let fixture = CachedFixture::with_cases(4);
    let plan = fixture.suite.plan(&["a"]);
    fixture.judge(&plan, ALONE, wrong_on_three);
    let with = |problem: Problem| {
        let mut plan = plan.clone();
        plan.entries[0].problem = Arc::new(problem);
        fixture.judge(&plan, ALONE, wrong_on_three).runs
    };
    assert_eq!(with(problem()), 0);
    assert_eq!(
        with(Problem {
            id: "q".into(),
            name: "Q".into(),
            ..problem()
        }),
        0
    );
    let limits = Limits {
        memory_bytes: 2,
        ..problem().limits
    };
    assert_eq!(
        with(Problem {
            limits,
            ..problem()
        }),
        4
    );
    let with_task = |change: &dyn Fn(&mut GridTask)| {
        let mut task = problem().task.as_grid().unwrap().clone();
        change(&mut task);
        with(Problem {
            task: Task::Grid(task),
            ..problem()
        })
    };
    assert_eq!(with_task(&|task| task.accept = Accept::Any), 4);
    assert_eq!(
        with_task(&|task| task.format.symbols = Symbols::characters("1234", "*.")),
        4
    );
    fs::write(&plan.entries[0].submission.path, "another").unwrap();
    assert_eq!(fixture.judge(&plan, ALONE, wrong_on_three).runs, 4);
    fs::write(
        fixture.suite.folder.path().join("ans"),
        format!("{RIGHT}\n"),
    )
    .unwrap();
    assert_eq!(fixture.judge(&plan, ALONE, wrong_on_three).runs, 4);
}

/// If a case or a submission changes while it is judged, it is not known which bytes a
/// run has read.
#[test]
fn a_case_that_changes_while_it_is_judged_is_not_cached() {
    fn rewrites_case_two(launch: &Launch) -> Run {
        let Input::CopyOf(path) = &launch.input else {
            panic!("a case has an input")
        };
        if case_of(launch) == 2 {
            let text = fs::read(path).unwrap();
            fs::remove_file(path).unwrap();
            fs::write(path, text).unwrap();
        }
        ScriptedSandbox::clean(RIGHT)
    }
    let fixture = CachedFixture::with_cases(4);
    let plan = fixture.suite.plan(&["a"]);
    for runs in [4, 1, 1] {
        assert_eq!(fixture.judge(&plan, ALONE, rewrites_case_two).runs, runs);
    }
}

/// A plan in which an executable, `check`, judges the outputs of these submissions; it
/// includes `part`.
fn plan_with_checker(fixture: &mut CachedFixture, submissions: &[&str]) -> Plan {
    let path = |name: &str| fixture.suite.folder.path().join(name);
    for name in ["check", "part"] {
        fs::write(path(name), "accepts").unwrap();
        fs::set_permissions(path(name), Permissions::from_mode(0o755)).unwrap();
    }
    let source = path("check");
    let task = CheckerTask::new(
        JudgingProgramKind::Checker,
        source.clone(),
        CheckerProtocol::Oj,
        problem().limits,
    );
    let part = SourceFile {
        name: "part".to_owned(),
        path: path("part"),
    };
    let checker = JudgingProgram {
        kind: JudgingProgramKind::Checker,
        tool: ToolSource {
            source: Submission {
                name: "check".to_owned(),
                path: source,
                real: None,
                expected: None,
            },
            language: None,
            additional_sources: AdditionalSources {
                files: vec![part],
                ..Default::default()
            },
            memory_bytes: 1,
        },
        final_checker: None,
    };
    fixture.suite.problem = Arc::new(Problem {
        task: Task::Checker(task),
        ..problem()
    });
    let mut plan = fixture.suite.plan(submissions);
    let checker = Some(Arc::new(checker));
    for entry in &mut plan.entries {
        entry.programs.checker.clone_from(&checker);
    }
    plan
}

/// What the compiled checker of [`plan_with_checker`] says; `None` for the run of a
/// submission.
fn checked(launch: &Launch) -> Option<Run> {
    matches!(launch.role, Role::Checker { .. }).then(|| {
        let code = i32::from(fs::read(&launch.command[0]).unwrap() != b"accepts");
        Run {
            exit: Exit::Code(code),
            ..ScriptedSandbox::clean("")
        }
    })
}

/// It is compiled once, so all submissions are judged by the version from before the
/// change.
#[test]
fn nothing_is_cached_for_a_checker_that_changes_while_others_are_judged_by_it() {
    fn edits_the_checker(launch: &Launch) -> Run {
        checked(launch).unwrap_or_else(|| {
            let Input::CopyOf(input) = &launch.input else {
                panic!("a case has an input")
            };
            if is_of(launch, "a") {
                fs::write(input.with_file_name("check"), "rejects").unwrap();
            }
            ScriptedSandbox::clean(RIGHT)
        })
    }
    let verdicts = |judged: &JudgedSuite| -> Vec<_> {
        judged
            .records()
            .iter()
            .map(|record| (record.verdict, record.cached))
            .collect()
    };
    let mut fixture = CachedFixture::with_cases(2);
    let plan = plan_with_checker(&mut fixture, &["a", "b", "c"]);
    let first = fixture.judge(&plan, ALONE, edits_the_checker);
    assert_eq!(verdicts(&first), [(Verdict::Accepted, false); 6]);
    let again = fixture.judge(&plan, ALONE, edits_the_checker);
    assert_eq!(verdicts(&again), [(Verdict::WrongAnswer, false); 6]);
}

/// A checker may start it, and what happens then depends on the permission.
#[test]
fn a_change_of_the_permission_to_execute_a_file_of_a_program_is_noticed() {
    let script = |launch: &Launch| {
        checked(launch).unwrap_or_else(|| ScriptedSandbox::clean(RIGHT))
    };
    let mut fixture = CachedFixture::with_cases(2);
    let plan = plan_with_checker(&mut fixture, &["a"]);
    let part = fixture.suite.folder.path().join("part");
    for (mode, is_known) in
        [(0o755, false), (0o755, true), (0o644, false), (0o755, true)]
    {
        fs::set_permissions(&part, Permissions::from_mode(mode)).unwrap();
        assert_eq!(
            fixture.judge(&plan, ALONE, script).cached_flags(),
            [is_known; 2],
            "{mode:o}"
        );
    }
}

/// Two submissions with the same text and name, or one that is given twice.
#[test]
fn the_same_program_twice_in_a_plan_is_reported_twice() {
    let fixture = CachedFixture::with_cases(3);
    let mut plan = fixture.suite.plan(&["a"]);
    plan.entries.push(plan.entries[0].clone());
    let judged = fixture.judge(&plan, ALONE, wrong_on_three);
    assert_eq!(judged.records().len(), 6);
    assert_eq!(
        fixture.judge(&plan, ALONE, must_not_run).cached_flags(),
        [true; 6]
    );
}

/// It is described once for all programs of its language, so later runs may be those of
/// another.
#[test]
fn nothing_is_cached_after_a_runtime_has_changed_while_it_was_in_use() {
    fn installs_the_runtime_anew(launch: &Launch) -> Run {
        let Input::CopyOf(input) = &launch.input else {
            panic!("a case has an input")
        };
        if case_of(launch) == 2 {
            let runtime = input.with_file_name("runtime");
            fs::remove_file(&runtime).unwrap();
            fs::write(runtime, "").unwrap();
        }
        ScriptedSandbox::clean(RIGHT)
    }
    let fixture = CachedFixture::with_cases(4);
    let runtime = fixture.suite.folder.path().join("runtime");
    fs::write(&runtime, "").unwrap();
    let run = vec![runtime.to_string_lossy().into_owned()];
    let interpreted = Arc::new(Language {
        compile: vec![],
        run,
        ..language()
    });
    let mut plan = fixture.suite.plan(&["a"]);
    plan.entries[0].language = Some(interpreted);
    for runs in [4, 2, 2] {
        assert_eq!(
            fixture.judge(&plan, ALONE, installs_the_runtime_anew).runs,
            runs
        );
    }
}

/// A case of the first group fails, so the second case of that group was never judged;
/// the other group was.
#[test]
fn with_groups_nothing_is_compiled_or_run_that_is_not_reported() {
    fn wrong_on_one(launch: &Launch) -> Run {
        ScriptedSandbox::clean(if case_of(launch) == 1 { WRONG } else { RIGHT })
    }
    for jobs in [1, 4] {
        let mut fixture = CachedFixture::with_cases(6);
        let groups = ["a", "a", "a", "b", "b", "b"];
        let named = fixture.suite.cases.iter().zip(groups).map(|(case, group)| {
            let name = case.name.replace("secret", group);
            Case {
                name,
                ..case.clone()
            }
        });
        fixture.suite.cases = named.collect();
        let scoring =
            Scoring::of_whole_groups([("a".to_owned(), 10), ("b".to_owned(), 30)]);
        fixture.suite.problem = Arc::new(Problem {
            scoring,
            ..problem()
        });
        let plan = fixture.plan_to_compile(&["s", "t"]);
        let first = fixture.judge(
            &plan,
            CachedRun {
                jobs: 1,
                stop_at_first: true,
            },
            wrong_on_one,
        );
        assert_eq!((first.runs, first.compiled), (10, 2));
        let again = fixture.judge(
            &plan,
            CachedRun {
                jobs,
                stop_at_first: true,
            },
            must_not_run,
        );
        assert_eq!((again.runs, again.compiled), (0, 0));
        assert_eq!(again.as_if_uncached(), first.as_if_uncached());
    }
}
