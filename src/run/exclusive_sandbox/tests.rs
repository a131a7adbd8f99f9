//! Runs that are held up in the sandbox by hand, so that each order is one that had to come about.

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

const LIMITS: Limits =
    Limits { cpu: SECOND, wall: SECOND, memory_bytes: 1, output_bytes: 1, processes: 1, close_looks: false };

/// What happened, in order.
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

/// Waits for what must come to be; a test that hangs has failed.
fn wait_until(holds: impl Fn() -> bool) {
    while !holds() {
        thread::yield_now();
    }
}

#[test]
fn ordinary_runs_go_on_beside_each_other() {
    let all_inside = Barrier::new(3);
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        // None gets out before all are in.
        all_inside.wait();
        Ok(ScriptedSandbox::clean(""))
    });
    let floor = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| run(&floor, "ordinary"));
        }
    });
    assert_eq!(floor.lock().inside, 0);
}

#[test]
fn who_wants_to_be_alone_waits_for_those_inside_and_goes_before_those_who_come_later() {
    let (diary, leave, stands_outside) = (Diary::default(), Barrier::new(2), Barrier::new(2));
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let name = &launch.command[0];
        diary.note(&format!("{name} begins"));
        if name == "early" {
            leave.wait();
        }
        diary.note(&format!("{name} ends"));
        Ok(ScriptedSandbox::clean(""))
    });
    let floor = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        scope.spawn(|| run(&floor, "early"));
        wait_until(|| floor.lock().inside == 1);
        scope.spawn(|| run(&Exclusive(&floor), "alone"));
        wait_until(|| floor.lock().alone == 1);
        scope.spawn(|| {
            stands_outside.wait();
            run(&floor, "late");
        });
        stands_outside.wait();
        (0..1000).for_each(|_| thread::yield_now());
        leave.wait();
    });
    let order = ["early begins", "early ends", "alone begins", "alone ends", "late begins", "late ends"];
    assert_eq!(diary.read(), order);
}

#[test]
fn nobody_comes_in_while_one_is_alone() {
    let (diary, others) = (Diary::default(), Barrier::new(3));
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        if launch.command[0] == "first" {
            others.wait();
            // Blocked runs have all the time that they need to start, if they could.
            (0..1000).for_each(|_| thread::yield_now());
        }
        diary.note(&launch.command[0]);
        Ok(ScriptedSandbox::clean(""))
    });
    let floor = ExclusiveSandbox::new(&sandbox);
    thread::scope(|scope| {
        scope.spawn(|| run(&Exclusive(&floor), "first"));
        wait_until(|| floor.lock().inside == 1);
        scope.spawn(|| {
            others.wait();
            run(&floor, "other");
        });
        scope.spawn(|| {
            others.wait();
            run(&Exclusive(&floor), "other");
        });
    });
    assert_eq!(diary.read(), ["first", "other", "other"]);
}

#[test]
fn a_run_that_fails_or_panics_leaves_the_floor() {
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| match launch.command[0].as_str() {
        "fails" => Err(Fault::because("running", "planted")),
        name => panic!("{name}"),
    });
    let floor = ExclusiveSandbox::new(&sandbox);
    for sandbox in [&floor as &dyn Sandbox, &Exclusive(&floor)] {
        assert!(sandbox.run(&launch("fails"), &LIMITS).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| run(sandbox, "panics"))).is_err());
        let runs = floor.lock();
        assert_eq!((runs.inside, runs.alone), (0, 0));
    }
}
