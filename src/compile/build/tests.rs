//! When a compiler that blames the disk is believed, with a scripted compiler and a
//! simulated disk.

use std::fs;
use std::path::PathBuf;

use gridjudge_sandbox::{Exit, ScriptedSandbox};

use super::*;
use crate::compile::tests::{language, write_program};

/// The result of compiling a source on a disk in this state, and all sources that were
/// compiled. Every source except `right` makes the compiler fail and blame the disk.
fn compile(
    source: &str,
    known_good: Option<&str>,
    disk: fn(&Path, &str, u64) -> Option<Blame>,
) -> (Result<Option<String>, String>, Vec<String>) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("made");
    fs::create_dir(&folder).unwrap();
    let path = folder.join("Main.x");
    fs::write(&path, source).unwrap();
    let language = Language {
        known_good: known_good.map(str::to_owned),
        ..language("sh")
    };
    let words = PlaceholderValues {
        source: &path,
        start_class: None,
        others: &[],
        piece: 0,
        folder: &folder,
        memory_bytes: 64 << 20,
        standard: None,
        language: &language,
    };
    let seen = std::sync::Mutex::new(vec![]);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        let source = fs::read_to_string(&launch.command[2]).unwrap();
        seen.lock().unwrap().push(source.clone());
        Ok(match source.as_str() {
            "right" => {
                write_program(&PathBuf::from(&launch.command[3]));
                ScriptedSandbox::clean("")
            }
            "removed" => {
                fs::remove_dir_all(Path::new(&launch.command[2]).parent().unwrap())
                    .unwrap();
                Run {
                    exit: Exit::Code(1),
                    ..ScriptedSandbox::clean("error: file not found")
                }
            }
            _ => Run {
                exit: Exit::Code(1),
                ..ScriptedSandbox::clean("#error No space left on device")
            },
        })
    });
    let toolchain = Toolchain::of_this_process();
    let attempt = Build::new(&toolchain, &words, &sandbox);
    let made = Build { disk, ..attempt }.compile();
    let left = fs::read_dir(place.path()).unwrap().count();
    assert_eq!(
        left,
        usize::from(source != "removed"),
        "the known-good attempt is removed"
    );
    (
        match made.map_err(|failed| failed.failure) {
            Ok(()) => Ok(None),
            Err(PrepareFailure::Refused(refusal)) => {
                Ok(Some(refusal.reason.to_string()))
            }
            Err(PrepareFailure::Unavailable(unusable)) => {
                panic!("{}", unusable.cause)
            }
            Err(PrepareFailure::Faulted(fault)) => Err(fault.to_string()),
        },
        seen.into_inner().unwrap(),
    )
}

fn doubtful(_: &Path, _: &str, _: u64) -> Option<Blame> {
    Some(Blame::Doubtful("the disk is full".to_owned()))
}

fn sure(_: &Path, _: &str, _: u64) -> Option<Blame> {
    Some(Blame::Sure("the disk is full".to_owned()))
}

#[test]
fn a_source_that_makes_its_compiler_blame_the_disk_is_refused_if_the_known_good_one_compiles()
 {
    let (made, seen) = compile("hostile", Some("right"), doubtful);
    assert_eq!(
        made,
        Ok(Some("the compiler ended with exit code 1".to_owned()))
    );
    assert_eq!(seen, ["hostile", "right"]);
}

#[test]
fn a_disk_is_blamed_if_the_known_good_source_does_not_compile_either_or_the_disk_is_full()
 {
    for (known_good, disk, tried) in [
        (
            Some("wrong by now"),
            doubtful as fn(&Path, &str, u64) -> Option<Blame>,
            vec!["source", "wrong by now"],
        ),
        (None, doubtful, vec!["source"]),
        (Some("right"), sure, vec!["source"]),
    ] {
        let (made, seen) = compile("source", known_good, disk);
        assert!(
            made.as_ref()
                .is_err_and(|fault| fault.contains("the disk is full")),
            "{made:?}"
        );
        assert_eq!(seen, tried);
    }
}

#[test]
fn a_folder_that_is_removed_while_a_compiler_works_in_it_is_a_fault() {
    let (made, _) = compile("removed", None, |_, _, _| None);
    assert!(
        made.as_ref()
            .is_err_and(|fault| fault.contains("was removed while it was compiled")),
        "{made:?}"
    );
}
