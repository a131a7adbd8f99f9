//! Files in the scratch folder of a run: those that it is given, and the one that its output is taken from. Shell scripts are the
//! submissions, hostile ones among them.

use std::io::Read;

use gridjudge_sandbox::Exit;
use gridjudge_sandbox::GivenFile;
use gridjudge_sandbox::Input;
use gridjudge_sandbox::InteractionRequest;
use gridjudge_sandbox::Launch;
use gridjudge_sandbox::Limits;
use gridjudge_sandbox::MissingOutput;
use gridjudge_sandbox::Party;
use gridjudge_sandbox::Role;
use gridjudge_sandbox::Sandbox;
use gridjudge_sandbox::ScratchFiles;

use crate::stage::MIB;
use crate::stage::Stage;
use crate::stage::at_every_level;
use crate::stage::limits;
use crate::stage::nothing;

/// A script that finds these files and leaves its output in a file, if one is named.
fn sh(script: &str, given: &[(&str, &[u8])], output: Option<&str>) -> Launch {
    let file = |(name, bytes): &(&str, &[u8])| GivenFile {
        name: (*name).to_owned(),
        content: Input::Bytes(bytes.to_vec()),
    };
    let given = given.iter().map(file).collect();
    let scratch = ScratchFiles { given, output: output.map(str::to_owned) };
    Launch { command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(), scratch, ..nothing() }
}

/// The output of a script that leaves it in `out`, and why there is none.
fn left(stage: &Stage, script: &str) -> (String, Option<MissingOutput>) {
    let mut run = stage.run_within(&sh(script, &[("in", b"given\n")], Some("out")), &limits());
    assert_eq!(run.exit, Exit::Code(0), "{script}: {run:?}");
    let mut output = String::new();
    run.stdout.read_to_string(&mut output).unwrap();
    (output, run.missing_output)
}

#[test]
fn a_run_finds_copies_of_its_files_which_the_next_one_finds_unchanged() {
    at_every_level(1, |stage| {
        let source = stage.put_plain("source", b"one\n");
        let many = vec![b'x'; 3 << 20];
        let mut launch = sh(
            "cat a.txt deep/er/b; wc -c < deep/many; ls; echo changed > a.txt; rm -r deep; cat a.txt",
            &[("a.txt", b""), ("deep/er/b", b"two\n"), ("deep/many", &many), ("empty", b"")],
            None,
        );
        launch.scratch.given[0].content = Input::CopyOf(source.clone().into());
        for _ in 0..3 {
            let output = stage.output_within(&launch, &limits());
            assert_eq!(output, "one\ntwo\n3145728\na.txt\ndeep\nempty\nchanged\n");
        }
        assert_eq!(std::fs::read(source).unwrap(), b"one\n");
        assert_eq!(stage.output_within(&sh("ls", &[], None), &limits()), "");
    });
}

#[test]
fn what_a_run_is_given_is_not_its_memory() {
    at_every_level(1, |stage| {
        let many = vec![b'x'; 40 << 20];
        let small = Limits { memory_bytes: 32 * MIB, ..limits() };
        let output = stage.output_within(&sh("wc -c < many", &[("many", &many)], None), &small);
        assert_eq!(output, "41943040\n");
    });
}

#[test]
fn output_may_be_taken_from_a_file_and_then_nothing_else_is() {
    at_every_level(1, |stage| {
        assert_eq!(left(&stage, "cat in > out; echo printed"), ("given\n".to_owned(), None));
        assert_eq!(left(&stage, ": > out"), (String::new(), None));
        let long = left(&stage, "head -c 3000000 /dev/zero | tr '\\0' y > out").0;
        assert!(long.len() == 3_000_000 && long.bytes().all(|byte| byte == b'y'));
        // What it left running has no say any more.
        let slow = "echo early > out; (sleep 1; echo late > out) > /dev/null 2>&1 &";
        assert_eq!(left(&stage, slow).0, "early\n");
        assert_eq!(left(&stage, "echo printed"), (String::new(), Some(MissingOutput::Absent)));
    });
}

#[test]
fn what_is_no_file_of_the_runs_own_is_not_taken_for_its_output() {
    at_every_level(1, |stage| {
        for script in [
            "ln -s /etc/passwd out",
            "ln -s in out",
            "ln -s /proc/self/mem out",
            "ln -s out out",
            "ln in out",
            "mkdir out; echo x > out/out",
            "mkfifo out",
        ] {
            assert_eq!(left(&stage, script), (String::new(), Some(MissingOutput::NotAFile)), "{script}");
        }
        // Its own folder may be in any state; the next run has a fresh one. Not everywhere may it change the rights there.
        for script in [
            "echo x > out; chmod 0 out; true",
            "echo x > out; chmod 0 .; true",
            "rm in; mkdir -p a/b; chmod 0 a; echo x > out",
        ] {
            let (output, missing) = left(&stage, script);
            assert!(
                output == "x\n" || output.is_empty() && missing.is_some(),
                "{script}: {output} {missing:?}"
            );
            assert_eq!(left(&stage, "cat in > out"), ("given\n".to_owned(), None), "{script}");
        }
    });
}

#[test]
fn a_file_of_output_has_the_limit_of_output() {
    at_every_level(1, |stage| {
        let limits = Limits { output_bytes: 1000, ..limits() };
        for (bytes, counted) in [(1000, 1000), (1001, 1001), (2000, 1001)] {
            let launch = sh(&format!("head -c {bytes} /dev/zero > out"), &[], Some("out"));
            let run = stage.run_within(&launch, &limits);
            assert_eq!((run.stdout_bytes, run.missing_output), (counted, None), "{bytes}: {run:?}");
        }
    });
}

#[test]
fn who_talks_to_another_finds_its_files_too() {
    at_every_level(1, |stage| {
        let submission = sh("cat a; read said; echo \"$said\"", &[("a", b"word\n")], None);
        let script = "read word; echo got $word; read again; [ \"$again\" = 'got word' ] && exit 42";
        let interactor =
            Launch { role: Role::Checker { folder: stage.folder("work").into() }, ..sh(script, &[], None) };
        let limits = limits();
        let party = |launch| Party { launch, limits: &limits };
        let (submission, interactor) = (party(&submission), party(&interactor));
        let request = InteractionRequest { submission, interactor, accepting_code: 42, listener: None };
        let interaction = stage.sandbox.interact(request).unwrap();
        assert_eq!(
            (interaction.interactor.exit, interaction.submission.exit),
            (Exit::Code(42), Exit::Code(0))
        );
    });
}

#[test]
fn names_that_lead_out_and_files_that_are_not_there_are_faults() {
    at_every_level(1, |stage| {
        let fault = stage.fault(&sh(":", &[("../a", b"")], None));
        assert!(fault.to_string().contains("leads out of its folder"), "{fault}");
        let mut launch = sh(":", &[("a", b"")], None);
        launch.scratch.given[0].content = Input::CopyOf("/nowhere/at/all".into());
        let fault = stage.fault(&launch);
        assert!(fault.to_string().contains("making a copy of `a`"), "{fault}");
        assert_eq!(stage.output_within(&sh("echo fine", &[], None), &limits()), "fine\n");
    });
}
