//! What becomes of submissions, with a compiler that is a script.

use std::time::Duration;

use super::*;
use crate::model::Exit;
use crate::sandbox::Scripted;

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 1 << 20,
    output_bytes: 1 << 20,
    processes: 1,
};

pub(super) fn language(compiler: &str) -> Language {
    Language {
        id: "x".into(),
        name: "X".into(),
        extensions: vec!["x".into()],
        source: Some("Main.x".into()),
        compile: vec![compiler.into(), "-m{memory_mib}".into(), "{source}".into(), "{program}".into()],
        run: vec!["{program}".into()],
        package: Some("x-compiler".into()),
        compile_limits: LIMITS,
        time_factor: 2,
        extra_memory_bytes: 7,
        toolchain: vec![],
        compile_environment: vec![("CACHE".into(), "{folder}/cache".into())],
        environment: vec![],
    }
}

/// Makes a submission with a compiler whose run is made up, which is given the launch to look at.
fn make(compiler: &str, script: impl Fn(&Launch) -> Run + Send + Sync) -> Made {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("solution.x");
    fs::write(&path, "source").unwrap();
    let submission = Submission { name: "solution.x".into(), path, expected: None };
    let sandbox = Scripted::new(|launch: &Launch, _: &Limits| Ok(script(launch)));
    Workshop::new(place.path().to_owned())
        .make(&submission, Some(&language(compiler)), 64 << 20, &sandbox)
        .unwrap()
}

fn folder_of(launch: &Launch) -> PathBuf {
    match &launch.role {
        Role::Tool { folder } => folder.clone(),
        Role::Submission => panic!("a compiler is a tool"),
    }
}

#[test]
fn a_compiled_submission_runs_its_program() {
    let made = make("sh", |launch| {
        let folder = folder_of(launch);
        assert_eq!(launch.command[1], "-m64");
        assert_eq!(fs::read_to_string(folder.join("Main.x")).unwrap(), "source");
        assert!(launch.environment.contains(&("CACHE".into(), format!("{}/cache", folder.display()))));
        fs::write(folder.join(PROGRAM), "").unwrap();
        Scripted::clean("")
    });
    let Made::Ready { program, folder } = made else { panic!("not ready") };
    assert_eq!(program.command, [text(&folder.path().join(PROGRAM))]);
}

#[test]
fn what_the_compiler_says_is_kept_without_the_folders_name() {
    let made = make("sh", |launch| {
        let said = format!("{}/Main.x:1: error\n", folder_of(launch).display());
        Run { exit: Exit::Code(1), ..Scripted::clean(said) }
    });
    let Made::Refused { reason, output } = made else { panic!("not refused") };
    assert_eq!(
        (reason.as_str(), output.as_str()),
        ("the compiler ended with exit code 1", "Main.x:1: error\n")
    );
}

#[test]
fn a_compiler_that_breaks_a_limit_or_makes_nothing_refuses() {
    let reason = |made| match made {
        Made::Refused { reason, .. } => reason,
        _ => panic!("not refused"),
    };
    let slow = make("sh", |_| {
        let mut run = Scripted::clean("");
        run.usage.cpu = Duration::from_secs(9);
        run
    });
    assert_eq!(reason(slow), "compiling: time limit exceeded");
    assert_eq!(reason(make("sh", |_| Scripted::clean(""))), "the compiler made no program");
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let made = make("no-such-compiler", |_| Scripted::clean(""));
    let Made::Unavailable { cause, remedy } = made else { panic!("not unavailable") };
    assert_eq!(cause, "`no-such-compiler` is not installed");
    assert_eq!(remedy, "install it, on Debian with `apt-get install x-compiler`");
}
