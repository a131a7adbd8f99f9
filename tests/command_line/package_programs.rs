//! Validators of packages that consist of several files: several sources, or scripts
//! called `build` and `run` that build and start them.

use crate::judge::{Judge, needs_cc};

const NEW: &str = "problem_format_version: 2025-09\nname: Even\nuuid: 3b5f\nlimits: {time_limit: 10}\n";
const LEGACY: &str = "name: Even\nvalidation: custom\nlimits: {time_limit: 10}\n";

/// An output validator that accepts even numbers, with a function of another file.
const MAIN: &str = "#include \"even.h\"\n#include <stdio.h>\nint main(void) { int n; return scanf(\"%d\", &n) == 1 && even(n) ? 42 : 43; }\n";
const EVEN: &str = "#include \"../even.h\"\nint even(int n) { return n % 2 == 0; }\n";

/// An output validator that accepts even numbers, as a script.
const RUN: &str = "#!/bin/sh\nread n\ncase $n in *[02468]) exit 42;; esac\nexit 43\n";

/// A package that asks for an even number, with a right submission and a wrong one.
fn package(yaml: &str) -> Judge {
    let judge = Judge::new();
    judge.put("pkg/problem.yaml", yaml);
    judge.put(
        "pkg/submissions/accepted/right.sh",
        "read n\necho $((2 * n))\n",
    );
    judge.put("pkg/submissions/wrong_answer/odd.sh", "echo 7\n");
    for name in ["sample/1", "secret/2"] {
        judge
            .put(format!("pkg/data/{name}.in"), "3\n")
            .put(format!("pkg/data/{name}.ans"), "");
    }
    judge
}

/// The folder of the output validator in both formats.
const PLACES: [(&str, &str); 2] = [
    (LEGACY, "pkg/output_validators/v"),
    (NEW, "pkg/output_validator"),
];

/// Checks that both submissions are as expected.
fn verified(judge: &Judge) {
    judge.forget();
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(" 2 as expected"), "{}", ran.stdout);
}

#[test]
fn an_output_validator_of_several_sources_is_built_from_all_of_them() {
    needs_cc();
    for (yaml, place) in PLACES {
        let judge = package(yaml);
        judge
            .put(format!("{place}/main.c"), MAIN)
            .put(format!("{place}/even.h"), "int even(int);\n");
        judge
            .put(format!("{place}/lib/even.c"), EVEN)
            .put(format!("{place}/README.md"), "Even?\n");
        verified(&judge);
        // A change in any of the files invalidates cached results.
        let ran = judge.run(&["verify", "./pkg"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        judge.edit(&format!("{place}/lib/even.c"), "== 0", "!= 0");
        assert_eq!(judge.run(&["verify", "./pkg"]).code, Some(1));
    }
}

#[test]
fn modules_of_an_output_validator_in_python_may_be_in_subfolders() {
    let judge = package(NEW);
    judge.put(
        "pkg/output_validator/__main__.py",
        "from lib.even import even\nimport sys\nsys.exit(42 if even(int(input())) else 43)\n",
    );
    judge.put(
        "pkg/output_validator/lib/even.py",
        "def even(n): return n % 2 == 0\n",
    );
    judge.put("pkg/output_validator/__init__.py", "");
    verified(&judge);
}

#[test]
fn an_executable_called_run_is_run_as_it_is() {
    for (yaml, place) in PLACES {
        let judge = package(yaml);
        judge.script(format!("{place}/run"), RUN);
        verified(&judge);
    }
}

#[test]
fn a_script_called_build_creates_the_program() {
    needs_cc();
    for (yaml, place) in PLACES {
        let judge = package(yaml);
        judge
            .put(format!("{place}/main.c"), MAIN)
            .put(format!("{place}/even.h"), "int even(int);\n");
        judge.put(format!("{place}/lib/even.c"), EVEN);
        judge.script(
            format!("{place}/build"),
            "#!/bin/sh\nset -e\ncc -o run main.c lib/even.c\n",
        );
        verified(&judge);
    }
}

/// A linker cannot make its output executable at the level `basic`, so gridjudge does.
#[test]
fn a_script_called_run_calls_the_program_that_build_has_compiled_at_every_level() {
    needs_cc();
    let judge = package(NEW);
    judge
        .put("pkg/output_validator/main.c", MAIN)
        .put("pkg/output_validator/even.h", "int even(int);\n");
    judge.put("pkg/output_validator/lib/even.c", EVEN);
    judge.script(
        "pkg/output_validator/build",
        "#!/bin/sh\nmkdir made\ncp lib/say.txt made/say\ncc -o made/check main.c lib/even.c\n",
    );
    judge.put(
        "pkg/output_validator/lib/say.txt",
        "#!/bin/sh\necho said >&2\n",
    );
    judge.script(
        "pkg/output_validator/run",
        "#!/bin/sh\nset -e\n\"${0%/*}/made/say\"\nexec \"${0%/*}/made/check\" \"$@\"\n",
    );
    for level in ["full", "user", "basic"] {
        let ran = judge.run(&["verify", "./pkg", "--no-cache", "--sandbox", level]);
        if ran.code == Some(3) && ran.stderr.contains("setting up level") {
            eprintln!("{level} is not available here: {}", ran.stderr);
            continue;
        }
        assert_eq!(ran.code, Some(0), "{level}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_build_that_fails_or_creates_no_program_is_a_fault() {
    let judge = package(LEGACY);
    let faulted = |expected: &str| {
        let ran = judge.run(&["verify", "./pkg", "--no-cache"]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains(expected) || ran.stderr.contains(expected),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    };
    judge.script(
        "pkg/output_validators/v/build",
        "#!/bin/sh\necho 'error: no such thing' >&2\nexit 1\n",
    );
    faulted("compiling the checker ./pkg/output_validators/v/build: ");
    faulted("error: no such thing");
    // The lines after the first error are reported too.
    let message = "echo 'c++: error: no such file' >&2\necho 'make: [all] failed' >&2\nexit 2\n";
    judge.script(
        "pkg/output_validators/v/build",
        &format!("#!/bin/sh\necho building\n{message}"),
    );
    faulted("c++: error: no such file / make: [all] failed");
    judge.script("pkg/output_validators/v/build", "#!/bin/sh\n");
    faulted("the compiler made no program");
    // `build` runs in the sandbox like a compiler: it cannot change anything outside of
    // its folder.
    judge.script(
        "pkg/output_validators/v/build",
        "#!/bin/sh\ntouch /etc/gridjudge-was-here && cp /bin/true run\n",
    );
    faulted("compiling the checker");
    judge.script("pkg/output_validators/v/run", "#!/bin/sh\nexit 1\n");
    judge.remove("pkg/output_validators/v/build");
    faulted("exit code 1");
}

#[test]
fn a_validator_with_an_unclear_program_is_refused_with_the_reason() {
    let refused = |files: &[(&str, &str)], expected: &str| {
        let judge = package(LEGACY);
        for (name, text) in files {
            judge.put(format!("pkg/output_validators/v/{name}"), text);
        }
        let ran = judge.run(&["grade", "-p", "./pkg"]);
        assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    };
    refused(
        &[("a.cpp", MAIN), ("b.py", "")],
        "output_validators/v: its program cannot be made: its files are of several languages",
    );
    refused(
        &[("a.py", ""), ("b.py", "")],
        "it is unclear which of its 2 files it starts in",
    );
}

#[test]
fn scripts_without_permission_to_be_executed_are_made_executable_in_a_copy() {
    // Archives made on Windows hold no permissions.
    let judge = package(LEGACY);
    judge.put("pkg/output_validators/v/run", RUN);
    verified(&judge);
    judge.put("pkg/output_validators/v/build", "#!/bin/sh\ncp body run\n");
    judge
        .remove("pkg/output_validators/v/run")
        .put("pkg/output_validators/v/body", RUN);
    verified(&judge);
    let found = judge
        .path("pkg/output_validators/v/build")
        .metadata()
        .unwrap();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111,
        0
    );
}

#[test]
fn a_build_without_a_first_line_for_its_interpreter_is_run_by_the_shell() {
    let judge = package(LEGACY);
    judge
        .put("pkg/output_validators/v/build", "cp body run\n")
        .put("pkg/output_validators/v/body", RUN);
    verified(&judge);
}

#[test]
fn an_input_validator_may_have_a_build_or_run_script() {
    let judge = package(NEW);
    judge.script("pkg/output_validator/run", RUN);
    judge.script(
        "pkg/input_validators/odd/run",
        "#!/bin/sh\nread n\n[ \"$n\" = 3 ] && exit 42\nexit 43\n",
    );
    judge.script(
        "pkg/input_validators/made/build",
        "#!/bin/sh\nprintf '#!/bin/sh\\nexit 42\\n' > run\nchmod +x run\n",
    );
    let ran = judge.run(&["verify", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("2 inputs valid, by 2 input validators"),
        "{}",
        ran.stdout
    );
    judge.put("pkg/data/secret/2.in", "5\n");
    let ran = judge.run(&["verify", "./pkg"]);
    assert!(
        ran.stdout
            .contains("data/secret/2.in: the input validator odd refuses it"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_export_contains_all_files_of_an_output_validator() {
    needs_cc();
    let judge = package(LEGACY);
    let place = "pkg/output_validators/v";
    judge
        .put(format!("{place}/main.c"), MAIN)
        .put(format!("{place}/even.h"), "int even(int);\n");
    judge.put(format!("{place}/lib/even.c"), EVEN);
    judge.script(
        format!("{place}/build"),
        "#!/bin/sh\ncc -o run main.c lib/even.c\n",
    );
    let ran = judge.run(&["export", "./pkg", "--to", "kattis-2025-09", "new"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = judge.run(&["verify", "./new"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(" 2 as expected"), "{}", ran.stdout);
}

#[test]
fn a_program_with_a_script_is_called_by_its_folder() {
    let build = "#!/bin/sh\nprintf '#!/bin/sh\\nexit 42\\n' >run\nchmod +x run\n";
    for (place, ini) in [("output_validators/v", false), ("output_validators", true)]
    {
        let judge = package(LEGACY);
        judge.script(format!("pkg/{place}/build"), build);
        if ini {
            judge.put("pkg/domjudge-problem.ini", "");
        }
        let page = judge.run(&["doctor", "./pkg"]).stdout;
        assert!(
            page.contains(&format!("by the program {place}\n")),
            "{page}"
        );
    }
}

/// An output validator that accepts numbers for which an expression of Bash is true,
/// and writes a message.
fn accepting(condition: &str) -> String {
    format!(
        "read n\necho 'not {condition}' >$3/judgemessage.txt\n(({condition})) && exit 42\nexit 43\n"
    )
}

#[test]
fn every_output_validator_must_accept_an_output_and_the_first_rejection_is_reported()
{
    let judge = package(LEGACY);
    judge.put("pkg/output_validators/b.sh", accepting("n % 2 == 0"));
    judge.put("pkg/output_validators/a/check.sh", accepting("n > 2"));
    judge
        .put("pkg/output_validators/c.sh", accepting("n < 100"))
        .put("pkg/output_validators/README.md", "Three.\n");
    judge.put("pkg/submissions/wrong_answer/small.sh", "echo 1\n");
    judge.put("pkg/submissions/wrong_answer/large.sh", "echo 1000\n");
    let ran = judge.run(&["verify", "./pkg", "--no-cache"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains(" 4 as expected"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    let output = judge.run(&["doctor", "./pkg"]).stdout;
    assert!(
        output.contains(
            "by the program output_validators/a/check.sh, and as well by the program"
        ),
        "{output}"
    );
    for (number, expected) in [
        (1, "not n > 2"),
        (7, "not n % 2 == 0"),
        (1000, "not n < 100"),
    ] {
        judge.put("mine.sh", format!("echo {number}\n"));
        let ran = judge.run(&["grade", "-p", "./pkg", "mine.sh"]);
        assert!(
            ran.stderr.contains(expected) || ran.stdout.contains(expected),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
    // A change in any of the validators invalidates cached results.
    judge.put("mine.sh", "echo 200\n");
    assert_eq!(
        judge.run(&["grade", "-p", "./pkg", "mine.sh"]).code,
        Some(1)
    );
    judge.put("pkg/output_validators/c.sh", accepting("n < 999"));
    assert_eq!(
        judge.run(&["grade", "-p", "./pkg", "mine.sh"]).code,
        Some(0)
    );
}

#[test]
fn validators_after_a_rejection_do_not_run_and_one_that_fails_is_a_fault() {
    let judge = package(LEGACY);
    judge.put("pkg/output_validators/a.sh", accepting("n % 2 == 0"));
    judge.put("pkg/output_validators/b.sh", "exit 1\n");
    for (number, code, expected) in
        [(7, 1, "not n % 2 == 0"), (4, 3, "output_validators/b.sh")]
    {
        judge.put("mine.sh", format!("echo {number}\n"));
        let ran = judge.run(&["grade", "-p", "./pkg", "mine.sh"]);
        assert!(
            ran.code == Some(code) && ran.stdout.contains(expected),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn several_output_validators_are_exported_to_kattis_legacy_only() {
    let judge = package(LEGACY);
    judge
        .put("pkg/output_validators/a.sh", accepting("n % 2 == 0"))
        .put("pkg/output_validators/b.sh", accepting("n > 2"));
    let ran = judge.run(&["export", "./pkg", "--to", "kattis-legacy", "old"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = judge.run(&["verify", "./old"]);
    assert!(
        ran.code == Some(0) && ran.stdout.contains(" 2 as expected"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    for target in ["kattis-2025-09", "domjudge"] {
        let ran = judge.run(&["export", "./pkg", "--to", target, "new"]);
        let expected = format!(
            "is one of several programs that check outputs, and {target} has room for one"
        );
        assert!(
            ran.code == Some(2) && ran.stderr.contains(&expected),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }
}

/// DOMjudge makes one program of all files that share a folder; other judges read each
/// as a program.
#[test]
fn files_directly_in_the_folder_of_validators_are_one_program_to_domjudge() {
    needs_cc();
    let built = [
        ("build", "#!/bin/sh\ncc -o run main.c even.c\n"),
        ("main.c", MAIN),
        ("even.h", "int even(int);\n"),
        ("even.c", "int even(int n) { return n % 2 == 0; }\n"),
    ];
    for files in [&built[..], &built[1..]] {
        let judge = package(LEGACY);
        judge.put("pkg/domjudge-problem.ini", "timelimit = 10\n");
        for (name, text) in files {
            judge.put(format!("pkg/output_validators/{name}"), text);
        }
        verified(&judge);
    }
    let judge = package(LEGACY);
    judge
        .put("pkg/output_validators/run", RUN)
        .put("pkg/output_validators/helper.py", "");
    judge.put("pkg/domjudge-problem.ini", "");
    verified(&judge);
    judge.remove("pkg/domjudge-problem.ini");
    assert_eq!(
        judge.run(&["verify", "./pkg", "--format", "domjudge"]).code,
        Some(0)
    );
    assert_ne!(judge.run(&["verify", "./pkg"]).code, Some(0));
}

#[test]
fn a_program_may_be_a_link_to_what_its_build_makes() {
    let judge = package(LEGACY);
    judge.put(
        "pkg/output_validators/v/build",
        "#!/bin/sh\ncp source checker\n",
    );
    judge.put("pkg/output_validators/v/source", RUN);
    std::os::unix::fs::symlink("checker", judge.path("pkg/output_validators/v/run"))
        .unwrap();
    verified(&judge);
    // A link that leads nowhere is refused where nothing makes its target, or where it
    // may lead elsewhere.
    judge.remove("pkg/output_validators/v/build");
    assert_eq!(judge.run(&["verify", "./pkg"]).code, Some(2));
}
