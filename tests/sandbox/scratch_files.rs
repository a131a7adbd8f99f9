//! Files in the scratch folder of a run: those that it is given, and the one that its
//! output is read from. The submissions are shell scripts, some of them hostile.

use std::io::Read;

use gridjudge_sandbox::{
    Exit, GivenFile, Input, InteractionRequest, Launch, Limits, MissingOutput, Party,
    Role, Sandbox, ScratchFiles,
};

use crate::fixture::{Fixture, MIB, at_every_level, empty_launch, limits};

/// A script with these files in its folder, and the file that its output is read from,
/// if any.
fn script_launch(
    script: &str,
    given: &[(&str, &[u8])],
    output: Option<&str>,
) -> Launch {
    let given = given
        .iter()
        .map(|(name, bytes)| GivenFile {
            name: (*name).to_owned(),
            content: Input::Bytes(bytes.to_vec()),
        })
        .collect();
    let scratch = ScratchFiles {
        given,
        output: output.map(str::to_owned),
    };
    Launch {
        command: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
        scratch,
        ..empty_launch()
    }
}

/// The output of a script that writes it to the file `out`, and the reason if there is
/// none.
fn output_in_file(
    fixture: &Fixture,
    script: &str,
) -> (String, Option<MissingOutput>) {
    let mut run = fixture.run_within(
        &script_launch(script, &[("in", b"given\n")], Some("out")),
        &limits(),
    );
    assert_eq!(run.exit, Exit::Code(0), "{script}: {run:?}");
    let mut output = String::new();
    run.stdout.read_to_string(&mut output).unwrap();
    (output, run.missing_output)
}

#[test]
fn each_run_gets_fresh_copies_of_its_files() {
    at_every_level(1, |fixture| {
        let source = fixture.put_plain("source", b"one\n");
        let many = vec![b'x'; 3 << 20];
        let mut launch = script_launch(
            "cat a.txt deep/er/b; wc -c < deep/many; ls; echo changed > a.txt; rm -r deep; cat a.txt",
            &[
                ("a.txt", b""),
                ("deep/er/b", b"two\n"),
                ("deep/many", &many),
                ("empty", b""),
            ],
            None,
        );
        launch.scratch.given[0].content = Input::CopyOf(source.clone().into());
        for _ in 0..3 {
            let output = fixture.output_within(&launch, &limits());
            assert_eq!(output, "one\ntwo\n3145728\na.txt\ndeep\nempty\nchanged\n");
        }
        assert_eq!(std::fs::read(source).unwrap(), b"one\n");
        assert_eq!(
            fixture.output_within(&script_launch("ls", &[], None), &limits()),
            ""
        );
    });
}

#[test]
fn given_files_do_not_count_as_memory() {
    at_every_level(1, |fixture| {
        let many = vec![b'x'; 40 << 20];
        let small = Limits {
            memory_bytes: 32 * MIB,
            ..limits()
        };
        let output = fixture.output_within(
            &script_launch("wc -c < many", &[("many", &many)], None),
            &small,
        );
        assert_eq!(output, "41943040\n");
    });
}

#[test]
fn output_may_be_read_from_a_file_instead_of_standard_output() {
    at_every_level(1, |fixture| {
        assert_eq!(
            output_in_file(&fixture, "cat in > out; echo printed"),
            ("given\n".to_owned(), None)
        );
        assert_eq!(output_in_file(&fixture, ": > out"), (String::new(), None));
        let long =
            output_in_file(&fixture, "head -c 3000000 /dev/zero | tr '\\0' y > out")
                .0;
        assert!(long.len() == 3_000_000 && long.bytes().all(|byte| byte == b'y'));
        // A process that it left running cannot change the output any more.
        let slow = "echo early > out; (sleep 1; echo late > out) > /dev/null 2>&1 &";
        assert_eq!(output_in_file(&fixture, slow).0, "early\n");
        assert_eq!(
            output_in_file(&fixture, "echo printed"),
            (String::new(), Some(MissingOutput::Absent))
        );
    });
}

#[test]
fn only_a_regular_file_of_the_run_itself_is_read_as_its_output() {
    at_every_level(1, |fixture| {
        for script in [
            "ln -s /etc/passwd out",
            "ln -s in out",
            "ln -s /proc/self/mem out",
            "ln -s out out",
            "ln in out",
            "mkdir out; echo x > out/out",
            "mkfifo out",
        ] {
            assert_eq!(
                output_in_file(&fixture, script),
                (String::new(), Some(MissingOutput::NotAFile)),
                "{script}"
            );
        }
        // The folder may be left in any state; the next run gets a fresh one. Some
        // levels do not let it change permissions.
        for script in [
            "echo x > out; chmod 0 out; true",
            "echo x > out; chmod 0 .; true",
            "rm in; mkdir -p a/b; chmod 0 a; echo x > out",
        ] {
            let (output, missing) = output_in_file(&fixture, script);
            assert!(
                output == "x\n" || output.is_empty() && missing.is_some(),
                "{script}: {output} {missing:?}"
            );
            assert_eq!(
                output_in_file(&fixture, "cat in > out"),
                ("given\n".to_owned(), None),
                "{script}"
            );
        }
    });
}

#[test]
fn the_output_limit_applies_to_an_output_file() {
    at_every_level(1, |fixture| {
        let limits = Limits {
            output_bytes: 1000,
            ..limits()
        };
        for (bytes, counted) in [(1000, 1000), (1001, 1001), (2000, 1001)] {
            let launch = script_launch(
                &format!("head -c {bytes} /dev/zero > out"),
                &[],
                Some("out"),
            );
            let run = fixture.run_within(&launch, &limits);
            assert_eq!(
                (run.stdout_bytes, run.missing_output),
                (counted, None),
                "{bytes}: {run:?}"
            );
        }
    });
}

#[test]
fn a_submission_that_interacts_gets_its_files_too() {
    at_every_level(1, |fixture| {
        let submission = script_launch(
            "cat a; read said; echo \"$said\"",
            &[("a", b"word\n")],
            None,
        );
        let script = "read word; echo got $word; read again; [ \"$again\" = 'got word' ] && exit 42";
        let interactor = Launch {
            role: Role::Checker {
                folder: fixture.folder("work").into(),
            },
            ..script_launch(script, &[], None)
        };
        let limits = limits();
        let party = |launch| Party {
            launch,
            limits: &limits,
        };
        let submission = party(&submission);
        let interactor = party(&interactor);
        let request = InteractionRequest {
            submission,
            interactor,
            lets_finish: &|_, _| true,
            listener: None,
            stop: None,
        };
        let interaction = fixture.sandbox.interact(request).unwrap();
        assert_eq!(
            (interaction.interactor.exit, interaction.submission.exit),
            (Exit::Code(42), Exit::Code(0))
        );
    });
}

#[test]
fn paths_that_leave_the_folder_and_missing_files_are_faults() {
    at_every_level(1, |fixture| {
        let fault = fixture.fault(&script_launch(":", &[("../a", b"")], None));
        assert!(
            fault.to_string().contains("leads out of its folder"),
            "{fault}"
        );
        let mut launch = script_launch(":", &[("a", b"")], None);
        launch.scratch.given[0].content = Input::CopyOf("/nowhere/at/all".into());
        let fault = fixture.fault(&launch);
        assert!(
            fault.to_string().contains("making a copy of `a`"),
            "{fault}"
        );
        assert_eq!(
            fixture.output_within(&script_launch("echo fine", &[], None), &limits()),
            "fine\n"
        );
    });
}
