//! Compiling and linking submissions, with real compilers in the real sandbox: how C
//! and C++ are linked, and that malicious sources end in `CE` with the reason, at a
//! bounded cost.

use std::process::Command;

use serde_json::Value;

use crate::judge::share::Turn;
use crate::judge::{Judge, RIGHT, needs_cc};

/// A valid `main`, to be put after other text.
const MAIN: &str = "int main(void) { return 0; }\n";

/// The result of one submission, as the log records it.
#[derive(Debug)]
struct Graded {
    verdict: String,
    reason: String,
    /// The compiler's messages, or standard error.
    messages: String,
}

/// Judges one submission and asserts that the exit code follows from its verdict: there
/// is no fault. No build is kept: a compiler would first have to prove that the machine
/// is not to blame for each refusal.
fn graded(judge: &Judge, name: &str) -> Graded {
    let ran = judge.run(&["grade", "-p", "mini", name, "--log", "log", "--no-cache"]);
    let events: Vec<Value> = judge
        .read("log")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let text = |event: &str, key: &str| {
        let found = events.iter().find(|found| found["event"] == event);
        found
            .and_then(|found| found[key].as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let verdict = text("submission_finished", "verdict");
    assert_eq!(ran.code, Some(i32::from(verdict != "AC")), "{ran:?}");
    let reason = text("submission_finished", "reason");
    Graded {
        verdict,
        reason,
        messages: text("trial_finished", "stderr"),
    }
}

/// Asserts that a source is a compile error, that its reason contains `reason`, and the
/// compiler's messages `expected`.
#[track_caller]
fn is_refused(
    judge: &Judge,
    name: &str,
    source: impl AsRef<[u8]>,
    reason: &str,
    expected: &str,
) {
    needs_cc();
    judge.put(name, source);
    let graded = graded(judge, name);
    assert_eq!(graded.verdict, "CE", "{graded:?}");
    assert!(
        graded.reason.contains(reason) && graded.messages.contains(expected),
        "{graded:?}"
    );
}

/// A judge's folder with a limit for the compilers of C and C++.
fn with_limit(limit: &str) -> Judge {
    let judge = Judge::new();
    judge.put(
        "judge.toml",
        format!("[languages.c]\n{limit}\n[languages.cpp]\n{limit}\n"),
    );
    judge
}

/// `levels` macros, each ten times the one before it; the first is `seed`, and `M` is
/// the last.
fn macros(levels: u32, seed: &str) -> String {
    (0..levels)
        .map(|number| match number {
            0 => format!("#define M0 {seed}\n"),
            _ => format!(
                "#define M{number}{}\n",
                format!(" M{}", number - 1).repeat(10)
            ),
        })
        .collect::<String>()
        + &format!("#define M M{}\n", levels - 1)
}

#[test]
fn a_compiler_that_wants_too_much_memory_is_stopped() {
    let judge = with_limit("compile_memory = \"128MiB\"");
    let reason = "compiling: memory limit exceeded";
    is_refused(
        &judge,
        "zero.c",
        format!("#include \"/dev/zero\"\n{MAIN}"),
        reason,
        "",
    );
    is_refused(
        &judge,
        "random.c",
        format!("#include \"/dev/random\"\n{MAIN}"),
        reason,
        "",
    );
    let bomb = macros(10, "1 +") + "int main(void) { return M 0; }\n";
    is_refused(&judge, "macros.c", bomb, reason, "");
}

#[test]
fn a_right_program_that_does_not_fit_on_the_disk_is_a_fault() {
    needs_cc();
    let judge = Judge::new();
    judge.put("mini.c", include_str!("../judge/mini.c"));
    for level in ["full", "user", "basic"] {
        let Some(ran) = judge.on_a_disk_of("400k", "grade -p mini mini.c", level)
        else {
            continue;
        };
        assert_eq!(ran.code, Some(3), "{level}: {ran:?}");
        assert!(
            (ran.stdout + &ran.stderr).contains("the disk is full"),
            "{level}"
        );
    }
}

#[test]
fn a_source_that_makes_the_compiler_claim_a_full_disk_is_a_compile_error_if_there_is_room()
 {
    needs_cc();
    let judge = Judge::new();
    judge.put("liar.c", "#error No space left on device\n");
    for level in ["full", "user", "basic"] {
        let Some(ran) = judge.on_a_disk_of("200m", "grade -p mini liar.c", level)
        else {
            continue;
        };
        assert_eq!(ran.code, Some(1), "{level}: {ran:?}");
        assert!(
            ran.stdout.contains("mini liar.c: CE (compile error)"),
            "{level}: {ran:?}"
        );
    }
}

#[test]
fn a_compiler_that_takes_too_long_is_stopped() {
    let judge = with_limit("compile_time = \"500ms\"");
    let reason = "compiling: time limit exceeded";
    // Each level includes the next twice, down to the compiler's own limit of depth.
    is_refused(
        &judge,
        "twice.c",
        "#include \"twice.c\"\n".repeat(2) + MAIN,
        reason,
        "twice.c",
    );
    let repeats = format!(
        "{}.set x, 1\\n{}",
        ".rept 1000\\n".repeat(4),
        ".endr\\n".repeat(4)
    );
    is_refused(
        &judge,
        "assembler.c",
        format!("asm(\"{repeats}\");\n{MAIN}"),
        reason,
        "",
    );
}

#[test]
fn a_compiler_that_prints_too_much_is_stopped_and_its_first_messages_are_kept() {
    let line = "x".repeat(100_000);
    let repeats =
        format!("{}say\\n{}", ".rept 100\\n".repeat(2), ".endr\\n".repeat(2));
    let source = format!(
        "asm(\".macro say\\n.print \\\"{line}\\\"\\n.endm\\n{repeats}\");\n{MAIN}"
    );
    is_refused(
        &Judge::new(),
        "flood.c",
        source,
        "compiling: output limit exceeded",
        &"x".repeat(60_000),
    );
}

#[test]
fn endless_huge_and_binary_sources_are_refused_by_the_compiler_itself() {
    let judge = Judge::new();
    let reason = "the compiler ended with exit code";
    let endless = "template <int n> struct A { static const int v = A<n + 1>::v; };\nint main() { return A<0>::v; }\n";
    is_refused(&judge, "endless.cpp", endless, reason, "depth");
    is_refused(
        &judge,
        "itself.c",
        format!("#include \"itself.c\"\n{MAIN}"),
        reason,
        "itself.c",
    );
    is_refused(
        &judge,
        "large.c",
        format!("char large[4ul << 30] = {{1}};\n{MAIN}"),
        reason,
        "",
    );
    is_refused(
        &judge,
        "filled.c",
        format!("asm(\".skip 0x100000000000\");\n{MAIN}"),
        reason,
        "",
    );
    is_refused(&judge, "binary.c", b"\xff\xfe\x00\n", reason, "binary.c:1");
}

#[test]
fn a_source_cannot_include_files_of_the_judge() {
    let judge = Judge::new();
    // Without Landlock a source can; the judge says so at its start.
    judge
        .script("mini.sh", RIGHT)
        .run(&["grade", "mini.sh", "--log", "log"]);
    if judge.read("log").contains("has no Landlock") {
        return;
    }
    let reason = "the compiler ended with exit code 1";
    for (number, name) in [
        "judge.toml",
        "problems/mini/problem.toml",
        "cases/mini/sample/001-one.ans",
    ]
    .into_iter()
    .enumerate()
    {
        let path = judge.path(name);
        let text = format!("#include \"{}\"\n{MAIN}", path.display());
        is_refused(
            &judge,
            &format!("text{number}.c"),
            text,
            reason,
            "fatal error",
        );
        let bytes = format!("asm(\".incbin \\\"{}\\\"\");\n{MAIN}", path.display());
        is_refused(&judge, &format!("bytes{number}.c"), bytes, reason, name);
    }
}

#[test]
fn a_source_cannot_include_what_the_kernel_reports_about_the_machine() {
    needs_cc();
    for (turn, level) in Turn::of_each(&["full", "user", "basic"]) {
        let judge = Judge::new();
        let first = judge.script("mini.sh", RIGHT).run(&[
            "grade",
            "mini.sh",
            "--sandbox",
            level,
            "--log",
            "log",
        ]);
        // Without Landlock a source can at level `basic`; the judge says so at its
        // start.
        if first.code == Some(3) || judge.read("log").contains("has no Landlock") {
            println!("level {level} is not available here");
            continue;
        }
        for path in turn.share([
            "/proc/version",
            "/proc/slabinfo",
            "/proc/keys",
            "/proc/kpagecount",
            "/proc/1/cmdline",
            "/sys/kernel/uevent_seqnum",
        ]) {
            judge.put("mini.c", format!("#include \"{path}\"\n{MAIN}"));
            let grade = ["grade", "mini.c", "--sandbox", level, "--no-cache"];
            let ran = judge.run(&[&grade[..], &["--log", "log"]].concat());
            let log = judge.read("log");
            assert!(
                log.contains(&format!("fatal error: {path}: ")),
                "{level} {path}: {ran:?}"
            );
        }
    }
}

#[test]
fn an_array_too_large_for_any_machine_is_a_runtime_error() {
    needs_cc();
    let judge = Judge::new();
    judge.put(
        "array.c",
        "static char a[1ul << 47];\nint main(int n, char **v) { return a[n] = *v[0]; }\n",
    );
    let graded = graded(&judge, "array.c");
    assert_eq!(graded.verdict, "RE", "{graded:?}");
}

#[test]
fn a_program_is_linked_statically_if_static_libraries_are_installed() {
    needs_cc();
    let judge = Judge::new();
    judge.put("empty.c", MAIN);
    let probe = Command::new("cc")
        .args(["-static", "-o", "probe", "empty.c"])
        .current_dir(judge.path(""))
        .output();
    // AT_BASE is the address of the dynamic loader; 0 without one.
    let source = "#include <stdlib.h>\n#include <sys/auxv.h>\n#include <stdio.h>\n\
                  int main(void) { fprintf(stderr, getauxval(AT_BASE) ? \"loaded\" : \"static\"); exit(1); }\n";
    for name in ["linked.c", "linked.cpp"] {
        judge.put(name, source);
        let expected = if probe.as_ref().unwrap().status.success() {
            "static"
        } else {
            "loaded"
        };
        assert_eq!(graded(&judge, name).messages, expected, "{name}");
    }
}

#[test]
fn a_program_that_needs_shared_libraries_is_linked_with_them() {
    needs_cc();
    let judge = Judge::new();
    let source = "#include <netdb.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/auxv.h>\n\
                  int main(void) {\n\
                  struct addrinfo *found; getaddrinfo(\"127.0.0.1\", 0, 0, &found);\n\
                  fprintf(stderr, getauxval(AT_BASE) ? \"loaded\" : \"static\"); exit(1); }\n";
    judge.put("names.c", source);
    assert_eq!(graded(&judge, "names.c").messages, "loaded");
}

#[test]
fn an_undefined_symbol_is_a_compile_error_and_is_reported_once() {
    needs_cc();
    let judge = Judge::new();
    judge.put(
        "half.c",
        "int other(void);\nint main(void) { return other(); }\n",
    );
    let graded = graded(&judge, "half.c");
    assert_eq!(graded.verdict, "CE");
    assert!(
        graded
            .reason
            .starts_with("the compiler ended with exit code 1: half.c:"),
        "{graded:?}"
    );
    assert!(
        graded.reason.ends_with(": undefined reference to `other'"),
        "{graded:?}"
    );
    assert_eq!(graded.messages.matches("other").count(), 1, "{graded:?}");
}

#[test]
fn threads_streams_and_locales_of_cpp_work() {
    needs_cc();
    let judge = Judge::new();
    judge.put("mini.cpp", include_str!("../judge/threads.cpp"));
    let graded = graded(&judge, "mini.cpp");
    assert_eq!(graded.verdict, "AC", "{graded:?}");
}

#[test]
fn a_compiled_program_finds_its_streams_among_the_devices() {
    needs_cc();
    let judge = Judge::new();
    judge.put(
        "mini.c",
        "#include <stdio.h>\nint main(void) { int n = 0; freopen(\"/dev/stdout\", \"w\", stdout);\n\
         fscanf(fopen(\"/dev/stdin\", \"r\"), \"%d\", &n);\n\
         while (n--) puts(\"1234\\n3412\\n2143\\n4321\"); }\n",
    );
    for level in ["auto", "user", "basic"] {
        let ran = judge.run(&["grade", "-p", "mini", "mini.c", "--sandbox", level]);
        assert_eq!(ran.code, Some(0), "{level}: {ran:?}");
    }
}

#[test]
fn a_source_may_have_the_name_of_a_placeholder() {
    needs_cc();
    let judge = Judge::new();
    let source = "#include <stdio.h>\nint main(void) { int n = 0; scanf(\"%d\", &n);\n\
                  while (n--) puts(\"1234\\n3412\\n2143\\n4321\"); }\n";
    for name in [
        "{program}.c",
        "{folder}{source}.c",
        "program.c",
        "{memory_mib}",
        "program",
    ] {
        if name.ends_with(".c") {
            judge.put(name, source)
        } else {
            judge.script(name, RIGHT)
        };
        let graded = graded(&judge, name);
        assert_eq!(graded.verdict, "AC", "{name}: {graded:?}");
    }
}

#[test]
fn no_line_about_a_source_with_a_long_word_is_long() {
    needs_cc();
    let judge = Judge::new();
    let word = "a".repeat(60_000);
    judge.put("liar.c", format!("int main(void) {{ return {word}; }}\n"));
    let ran = judge.run(&["grade", "-p", "mini", "liar.c"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let longest = ran.stdout.lines().map(str::len).max();
    assert!(longest < Some(2000), "{longest:?}");
}
