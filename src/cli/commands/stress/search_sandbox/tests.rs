//! A scripted sandbox whose runs take exactly as long as their limits allow.

use std::sync::atomic::AtomicBool;
use std::thread;

use gridjudge_sandbox::{Input, Role, ScratchFiles, ScriptedSandbox, Usage};

use super::*;

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(600),
    wall: Duration::from_secs(600),
    memory_bytes: 1 << 30,
    output_bytes: 1 << 20,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

fn launch() -> Launch {
    Launch {
        command: vec!["sleep".to_owned()],
        environment: vec![],
        input: Input::Empty,
        readable: vec![],
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    }
}

fn sleeping(limits: &Limits) -> Run {
    let usage = Usage {
        wall: limits.wall,
        ..Usage::default()
    };
    Run {
        usage,
        ..ScriptedSandbox::clean("")
    }
}

#[test]
fn a_run_gets_the_time_that_is_left_and_is_a_fault_if_that_ends_it() {
    let scripted = ScriptedSandbox::new(|_, limits| {
        assert!(limits.wall <= Duration::from_secs(60));
        Ok(sleeping(limits))
    });
    let search = SearchSandbox::new(&scripted, 1);
    search.begin(Duration::from_secs(60));
    let fault = search.run(&launch(), &LIMITS).unwrap_err();
    assert!(
        fault.to_string().contains("the time of the search is up"),
        "{fault}"
    );
    // A limit of its own that ends it earlier is its own affair.
    let own = Limits {
        wall: Duration::from_secs(1),
        ..LIMITS
    };
    assert_eq!(search.run(&launch(), &own).unwrap().usage.wall, own.wall);
    search.begin(Duration::ZERO);
    assert!(search.run(&launch(), &own).is_err());
    assert_eq!(search.runs.load(Ordering::Relaxed), 3);
}

#[test]
fn without_a_search_every_run_has_its_own_limits() {
    let scripted = ScriptedSandbox::new(|_, limits| Ok(sleeping(limits)));
    let run = SearchSandbox::new(&scripted, 1)
        .run(&launch(), &LIMITS)
        .unwrap();
    assert_eq!(run.usage.wall, LIMITS.wall);
}

#[test]
fn no_more_runs_begin_at_once_than_there_are_slots() {
    let is_running = AtomicBool::new(false);
    let scripted = ScriptedSandbox::new(|_, _| {
        assert!(!is_running.swap(true, Ordering::SeqCst), "two at once");
        thread::yield_now();
        is_running.store(false, Ordering::SeqCst);
        Ok(ScriptedSandbox::clean(""))
    });
    let search = SearchSandbox::new(&scripted, 1);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| search.run(&launch(), &LIMITS).unwrap());
        }
    });
}
