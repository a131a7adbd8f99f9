//! Whether languages work, with tools that are scripts in a made-up sandbox.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use super::*;
use crate::compile::tests::language;
use crate::compile::tests::write_program;
use gridjudge_sandbox::Exit;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Scripted;

/// A language with a right program, whose compiler is the shell.
fn with_known_good() -> Language {
    Language { known_good: Some("right".to_owned()), ..language("sh") }
}

/// Tries out that language, where tools and programs come to this.
fn try_out(tool: impl Fn(&Launch) -> Run + Send + Sync, program: fn() -> Run) -> Option<Unfit> {
    let place = tempfile::tempdir().unwrap();
    let sandbox = Scripted::new(move |launch: &Launch, _: &Limits| {
        Ok(match &launch.role {
            Role::Tool { folder } => {
                assert_eq!(fs::read_to_string(folder.join("Main.x")).unwrap(), "right");
                write_program(&folder.join("program"));
                tool(launch)
            }
            Role::Submission => program(),
        })
    });
    Workshop::new(place.path().to_owned()).try_out(&with_known_good(), &sandbox).unwrap()
}

fn cause(unfit: Option<Unfit>) -> String {
    let unfit = unfit.expect("something is wrong");
    assert!(unfit.remedy.contains("[languages.x] in judge.toml"), "{}", unfit.remedy);
    unfit.cause
}

#[test]
fn a_language_works_if_a_right_program_is_made_and_prints_ok() {
    assert_eq!(try_out(|_| Scripted::clean(""), || Scripted::clean("ok\n")), None);
}

#[test]
fn what_keeps_a_right_program_from_running_is_told_in_the_tools_own_words() {
    let refused = try_out(
        |_| Run { exit: Exit::Code(1), ..Scripted::clean("info: starting\nerror: no home\nmore\n") },
        || Scripted::clean("ok"),
    );
    let compiling =
        "a right program does not compile here: the compiler ended with exit code 1: error: no home";
    assert_eq!(cause(refused), compiling);
    let dies = || Run {
        exit: Exit::Code(127),
        stderr_tail: b"cannot open shared object file\n".to_vec(),
        ..Scripted::clean("")
    };
    let running = "a right program does not run here: ";
    let ended = "it ended with exit code 127: cannot open shared object file";
    assert_eq!(cause(try_out(|_| Scripted::clean(""), dies)), format!("{running}{ended}"));
    let babbles = try_out(|_| Scripted::clean(""), || Scripted::clean("welcome\nok\n"));
    assert_eq!(cause(babbles), format!("{running}it does not print `ok` but `welcome\nok`"));
}

#[test]
fn a_language_is_tried_once_and_a_fault_tells_nothing() {
    let place = tempfile::tempdir().unwrap();
    let workshop = Workshop::new(place.path().to_owned());
    let language = with_known_good();
    let broken = Scripted::new(|_: &Launch, _: &Limits| Err(Fault::because("running", "the disk is full")));
    assert!(workshop.try_out(&language, &broken).is_err());
    let runs = AtomicUsize::new(0);
    let sandbox = Scripted::new(|_: &Launch, _: &Limits| {
        runs.fetch_add(1, Ordering::Relaxed);
        Ok(Run { exit: Exit::Code(1), ..Scripted::clean("") })
    });
    let first = workshop.try_out(&language, &sandbox).unwrap();
    assert!(first.is_some());
    assert_eq!(workshop.try_out(&language, &sandbox).unwrap(), first);
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn what_was_found_out_before_or_has_no_known_source_is_not_tried() {
    let place = tempfile::tempdir().unwrap();
    let workshop = Workshop::new(place.path().to_owned());
    let untouched = Scripted::new(|_: &Launch, _: &Limits| panic!("it is tried"));
    assert_eq!(workshop.try_out(&language("sh"), &untouched).unwrap(), None);
    assert_eq!(workshop.trace_of_known_good(&language("sh")), None);
    assert!(workshop.trace_of_known_good(&with_known_good()).is_some());
    workshop.trust(&with_known_good());
    assert_eq!(workshop.try_out(&with_known_good(), &untouched).unwrap(), None);
}
