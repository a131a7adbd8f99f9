//! Checks of languages, with tools in a scripted sandbox.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use gridjudge_sandbox::{Exit, Launch, Role, Run, ScriptedSandbox};

use super::*;
use crate::compile::Compiler;
use crate::compile::tests::{language, write_program};

/// A language with a known-good source, whose compiler is the shell.
fn with_known_good() -> Language {
    Language {
        known_good: Some("right".to_owned()),
        ..language("sh")
    }
}

/// Checks that language, with these runs of its compiler and of the program.
fn check_language(
    tool: impl Fn(&Launch) -> Run + Send + Sync,
    program: fn() -> Run,
) -> Option<UnusableLanguage> {
    let place = tempfile::tempdir().unwrap();
    let sandbox = sandbox_of(tool, program);
    Compiler::new(place.path().to_owned())
        .with(None, &sandbox)
        .check_language(&with_known_good())
        .unwrap()
}

/// A sandbox with these runs of the compiler and of the program.
fn sandbox_of(
    tool: impl Fn(&Launch) -> Run + Send + Sync,
    program: fn() -> Run,
) -> ScriptedSandbox<impl Fn(&Launch, &Limits) -> Result<Run, Fault> + Sync> {
    ScriptedSandbox::new(move |launch: &Launch, _: &Limits| {
        Ok(match &launch.role {
            Role::Tool { folder } => {
                assert_eq!(
                    fs::read_to_string(folder.join("Main.x")).unwrap(),
                    "right"
                );
                write_program(&folder.join("program"));
                tool(launch)
            }
            _ => program(),
        })
    })
}

fn cause(unusable: Option<UnusableLanguage>) -> String {
    let unusable = unusable.expect("something is wrong");
    assert!(
        unusable.remedy.contains("[languages.x] in judge.toml"),
        "{}",
        unusable.remedy
    );
    unusable.cause
}

#[test]
fn a_language_works_if_its_known_good_source_compiles_and_prints_ok() {
    assert_eq!(
        check_language(
            |_| ScriptedSandbox::clean(""),
            || ScriptedSandbox::clean("ok\n")
        ),
        None
    );
}

#[test]
fn a_failure_of_the_known_good_program_is_reported_in_the_tools_own_words() {
    let refused = check_language(
        |_| Run {
            exit: Exit::Code(1),
            ..ScriptedSandbox::clean("info: starting\nerror: no home\nmore\n")
        },
        || ScriptedSandbox::clean("ok"),
    );
    let compiling = "a right program does not compile here: the compiler ended with exit code 1: error: no home";
    assert_eq!(cause(refused), compiling);
    let dies = || Run {
        exit: Exit::Code(127),
        stderr_tail: b"cannot open shared object file\n".to_vec(),
        ..ScriptedSandbox::clean("")
    };
    let running = "a right program does not run here: ";
    let ended = "it ended with exit code 127: cannot open shared object file";
    assert_eq!(
        cause(check_language(|_| ScriptedSandbox::clean(""), dies)),
        format!("{running}{ended}")
    );
    let babbles = check_language(
        |_| ScriptedSandbox::clean(""),
        || ScriptedSandbox::clean("welcome\nok\n"),
    );
    assert_eq!(
        cause(babbles),
        format!("{running}it does not print `ok` but `welcome\nok`")
    );
}

#[test]
fn a_language_is_checked_once_and_a_fault_is_no_result() {
    let place = tempfile::tempdir().unwrap();
    let compiler = Compiler::new(place.path().to_owned());
    let language = with_known_good();
    let broken = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        Err(Fault::because("running", "the disk is full"))
    });
    let judge_fails = compiler.with(None, &broken).check_language(&language);
    assert!(judge_fails.is_err());
    let runs = AtomicUsize::new(0);
    let sandbox = ScriptedSandbox::new(|_: &Launch, _: &Limits| {
        runs.fetch_add(1, Ordering::Relaxed);
        Ok(Run {
            exit: Exit::Code(1),
            ..ScriptedSandbox::clean("")
        })
    });
    let compiler = compiler.with(None, &sandbox);
    let first = compiler.check_language(&language).unwrap();
    assert!(first.is_some());
    assert_eq!(compiler.check_language(&language).unwrap(), first);
    assert_eq!(runs.load(Ordering::Relaxed), 1);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn a_language_that_was_checked_before_or_has_no_known_good_source_is_not_checked() {
    let place = tempfile::tempdir().unwrap();
    let compiler = Compiler::new(place.path().to_owned());
    let untouched =
        ScriptedSandbox::new(|_: &Launch, _: &Limits| panic!("it is tried"));
    assert_eq!(
        compiler
            .with(None, &untouched)
            .check_language(&language("sh"))
            .unwrap(),
        None
    );
    let cache = Cache::open(&place.path().join("cache"), 1 << 20, &[]).unwrap();
    let key = |language: &Language| {
        let compiler = compiler.with(Some(&cache), &untouched);
        compiler.key_of_fact("works", language).map(|(_, key)| key)
    };
    assert_eq!(key(&language("sh")), None);
    assert!(key(&with_known_good()).is_some());
    let works = sandbox_of(
        |_| ScriptedSandbox::clean(""),
        || ScriptedSandbox::clean("ok\n"),
    );
    // The next judge finds in the cache that it works, and remembers it.
    let next = Compiler::new(place.path().to_owned());
    for (compiler, cache, sandbox) in [
        (&compiler, Some(&cache), &works as &dyn Sandbox),
        (&next, Some(&cache), &untouched),
        (&next, None, &untouched),
    ] {
        assert_eq!(
            compiler
                .with(cache, sandbox)
                .check_language(&with_known_good())
                .unwrap(),
            None
        );
    }
}
