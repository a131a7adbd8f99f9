//! Runs that the tests block inside the sandbox, so that each observed order is guaranteed.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use super::*;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::ScratchFiles;
use gridjudge_sandbox::ScriptedSandbox;

const SECOND: Duration = Duration::from_secs(1);

const LIMITS: Limits = Limits {
    cpu: SECOND,
    wall: SECOND,
    memory_bytes: 1,
    output_bytes: 1,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

/// A record of what happened, in order.
#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl Diary {
    fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    fn read(self) -> Vec<String> {
        self.0.into_inner().unwrap()
    }
}

fn launch(name: &str) -> Launch {
    let command = vec![name.to_owned()];
    Launch {
        command,
        environment: vec![],
        input: Input::Empty,
        readable: vec![],
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    }
}

fn run(sandbox: &dyn Sandbox, name: &str) {
    sandbox.run(&launch(name), &LIMITS).unwrap();
}

/// Waits until a condition holds; if it never does, the test hangs.
fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        thread::yield_now();
    }
}

#[test]
fn ordinary_runs_overlap() {
    let all_inside = Barrier::new(3);
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        // No run ends before all have started.
        all_inside.wait();
        Ok(ScriptedSandbox::clean(""))
    });
    let shared = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| run(&shared, "ordinary"));
        }
    });
    assert_eq!(shared.lock().inside, 0);
}

#[test]
fn an_exclusive_run_waits_for_runs_in_progress_and_goes_before_later_ones() {
    let (diary, leave, is_outside) = (Diary::default(), Barrier::new(2), Barrier::new(2));
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let name = &launch.command[0];
        diary.note(&format!("{name} begins"));
        if name == "early" {
            leave.wait();
        }
        diary.note(&format!("{name} ends"));
        Ok(ScriptedSandbox::clean(""))
    });
    let shared = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        scope.spawn(|| run(&shared, "early"));
        wait_until(|| shared.lock().inside == 1);
        scope.spawn(|| run(&Exclusive(&shared), "alone"));
        wait_until(|| shared.lock().alone == 1);
        scope.spawn(|| {
            is_outside.wait();
            run(&shared, "late");
        });
        is_outside.wait();
        (0..1000).for_each(|_| thread::yield_now());
        leave.wait();
    });
    let order = ["early begins", "early ends", "alone begins", "alone ends", "late begins", "late ends"];
    assert_eq!(diary.read(), order);
}

#[test]
fn no_run_starts_during_an_exclusive_one() {
    let (diary, others) = (Diary::default(), Barrier::new(3));
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        if launch.command[0] == "first" {
            others.wait();
            // Blocked runs have enough time to start if they were allowed to.
            (0..1000).for_each(|_| thread::yield_now());
        }
        diary.note(&launch.command[0]);
        Ok(ScriptedSandbox::clean(""))
    });
    let shared = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        scope.spawn(|| run(&Exclusive(&shared), "first"));
        wait_until(|| shared.lock().inside == 1);
        scope.spawn(|| {
            others.wait();
            run(&shared, "other");
        });
        scope.spawn(|| {
            others.wait();
            run(&Exclusive(&shared), "other");
        });
    });
    assert_eq!(diary.read(), ["first", "other", "other"]);
}

#[test]
fn a_run_that_fails_or_panics_releases_its_permit() {
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| match launch.command[0].as_str() {
        "fails" => Err(Fault::because("running", "planted")),
        name => panic!("{name}"),
    });
    let shared = ExclusiveSandbox::new(&sandbox);
    for sandbox in [&shared as &dyn Sandbox, &Exclusive(&shared)] {
        assert!(sandbox.run(&launch("fails"), &LIMITS).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| run(sandbox, "panics"))).is_err());
        let runs = shared.lock();
        assert_eq!((runs.inside, runs.alone), (0, 0));
    }
}
