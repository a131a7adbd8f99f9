//! Compiling submissions, with a scripted compiler.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use gridjudge_sandbox::{Exit, Launch, Limits, Role, Run, ScriptedSandbox, Usage};

use super::*;
use crate::compile::source_file::source_file_name;
use crate::compile::toolchain::Toolchain;
use crate::model::{
    AdditionalSources, Language, SourceFile, Submission, UnusableLanguage,
};
use crate::text::path_text;

const LIMITS: Limits = Limits {
    cpu: Duration::from_secs(1),
    wall: Duration::from_secs(2),
    memory_bytes: 1 << 20,
    output_bytes: 1 << 20,
    processes: 1,
    frequent_samples: false,
    address_space: None,
};

pub(super) fn language(compiler: &str) -> Language {
    Language {
        id: "x".into(),
        name: "X".into(),
        extensions: vec!["x".into()],
        source: Some("Main.x".into()),
        standards: vec![],
        options: vec![],
        check: vec![],
        compile: vec![
            compiler.into(),
            "-m{memory_mib}".into(),
            "{source}".into(),
            "{program}".into(),
        ],
        link: vec![],
        run: vec!["{program}".into()],
        package: Some("x-compiler".into()),
        compile_limits: LIMITS,
        time_factor: 2,
        extra_memory_bytes: 7,
        address_space: None,
        toolchain: vec![],
        java_classes: false,
        together: false,
        main: vec![],
        home: vec![],
        opens_home: true,
        keeps_builds: true,
        known_good: None,
        compile_environment: vec![("CACHE".into(), "{folder}/cache".into())],
        environment: vec![],
    }
}

type Made = Result<BuiltProgram, PrepareFailure>;

/// Compiles a submission with a scripted compiler, which is given its launch.
fn make(compiler: &str, script: impl Fn(&Launch) -> Run + Send + Sync) -> Made {
    make_in(&language(compiler), |launch, _| script(launch))
}

/// Like [`make`], in a language whose program is linked by `sh best`, or else by
/// `sh usual`. The script is given the first argument of each command: `-m64` for the
/// compiler, `best` or `default` for the linker.
fn link(script: impl Fn(&str, &Launch, &Limits) -> Run + Send + Sync) -> Made {
    let command =
        |name: &str| vec!["sh".to_owned(), name.to_owned(), "{program}".to_owned()];
    let language = Language {
        link: vec![command("best"), command("usual")],
        ..language("sh")
    };
    make_in(&language, |launch, limits| {
        script(&launch.command[1], launch, limits)
    })
}

fn make_in(
    language: &Language,
    script: impl Fn(&Launch, &Limits) -> Run + Send + Sync,
) -> Made {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("solution.x");
    fs::write(&path, "source").unwrap();
    let submission = Submission {
        name: "solution.x".into(),
        path,
        real: None,
        expected: None,
    };
    let sandbox = ScriptedSandbox::new(|launch: &Launch, limits: &Limits| {
        Ok(script(launch, limits))
    });
    Compiler::new(place.path().to_owned())
        .with(None, &sandbox)
        .compile(alone(&submission, language))
}

impl Compiler {
    /// This compiler with the cache, if there is one, and the sandbox.
    pub(in crate::compile) fn with<'a>(
        &'a self,
        cache: Option<&'a Cache>,
        sandbox: &'a dyn Sandbox,
    ) -> CachedCompiler<'a> {
        CachedCompiler {
            compiler: self,
            cache,
            sandbox,
        }
    }
}

/// A submission of one file.
pub(super) fn alone<'a>(
    source: &'a Submission,
    language: &'a Language,
) -> ProgramSource<'a> {
    static NONE: LazyLock<AdditionalSources> =
        LazyLock::new(AdditionalSources::default);
    ProgramSource {
        source,
        additional_sources: &NONE,
        language: Some(language),
        memory_bytes: 64 << 20,
        is_submission: true,
        keeps_name: false,
    }
}

/// Why a submission was refused, and the compiler's output.
fn refusal(made: Made) -> (String, String) {
    match made {
        Err(PrepareFailure::Refused(refusal)) => {
            (refusal.reason.to_string(), refusal.output.to_string())
        }
        _ => panic!("not refused"),
    }
}

/// A run that prints this and ends with exit code 1.
pub(super) fn fails(said: &str) -> Run {
    Run {
        exit: Exit::Code(1),
        ..ScriptedSandbox::clean(said)
    }
}

pub(super) fn write_program(path: &Path) {
    fs::write(path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

pub(super) fn folder_of(launch: &Launch) -> PathBuf {
    match &launch.role {
        Role::Tool { folder } => folder.clone(),
        _ => panic!("a compiler is a tool"),
    }
}

#[test]
fn a_compiled_submission_runs_its_program() {
    let made = make("sh", |launch| {
        let folder = folder_of(launch);
        assert_eq!(launch.command[1], "-m64");
        assert_eq!(fs::read_to_string(folder.join("Main.x")).unwrap(), "source");
        assert!(
            launch
                .environment
                .contains(&("CACHE".into(), format!("{}/cache", folder.display())))
        );
        write_program(&folder.join("program"));
        ScriptedSandbox::clean("")
    });
    let BuiltProgram { program, folder } = made.unwrap();
    assert_eq!(program.command, [path_text(folder.path().join("program"))]);
}

#[test]
fn the_first_link_command_that_works_counts() {
    for (works, tried) in [
        ("best", vec!["-m64", "best"]),
        ("usual", vec!["-m64", "best", "usual"]),
    ] {
        let seen = Mutex::new(vec![]);
        let made = link(|name, launch, _| {
            seen.lock().unwrap().push(name.to_owned());
            if name == works {
                write_program(Path::new(&launch.command[2]));
            }
            if [works, "-m64"].contains(&name) {
                ScriptedSandbox::clean("")
            } else {
                fails("")
            }
        });
        assert!(made.is_ok());
        assert_eq!(seen.into_inner().unwrap(), tried);
    }
}

#[test]
fn if_no_link_command_works_the_last_one_is_reported() {
    let made = link(|name, _, _| {
        if name == "-m64" {
            ScriptedSandbox::clean("")
        } else {
            fails(name)
        }
    });
    assert_eq!(
        refusal(made),
        ("the compiler ended with exit code 1".into(), "usual".into())
    );
    let made = link(|_, _, _| ScriptedSandbox::clean(""));
    assert_eq!(refusal(made).0, "the compiler made no program");
}

#[test]
fn a_source_that_does_not_compile_is_not_linked() {
    let made = link(|name, _, _| fails(name));
    assert_eq!(refusal(made).1, "-m64");
}

#[test]
fn after_a_link_command_breaks_a_limit_no_other_is_tried() {
    let made = link(|name, _, limits| {
        assert_ne!(name, "usual");
        let mut run = fails("");
        run.usage.peak_memory_bytes = if name == "best" {
            limits.memory_bytes + 1
        } else {
            0
        };
        Run {
            exit: Exit::Code(i32::from(name == "best")),
            ..run
        }
    });
    assert_eq!(refusal(made).0, "compiling: memory limit exceeded (1 MiB)");
}

#[test]
fn the_time_limits_apply_to_all_commands_together() {
    let given = Mutex::new(vec![]);
    let made = link(|name, _, limits| {
        given
            .lock()
            .unwrap()
            .push((limits.cpu.as_millis(), limits.wall.as_millis()));
        let mut run = if name == "-m64" {
            ScriptedSandbox::clean("")
        } else {
            fails("")
        };
        run.usage.cpu = Duration::from_millis(400);
        run.usage.wall = Duration::from_millis(600);
        run.usage.starved = Duration::from_millis(100);
        run
    });
    assert_eq!(
        given.into_inner().unwrap(),
        [(1000, 2000), (600, 1500), (200, 1000)]
    );
    assert_eq!(
        refusal(made).0,
        "compiling: time limit exceeded (1 s of CPU time)"
    );
}

#[test]
fn the_compilers_output_does_not_contain_the_build_folder() {
    let made = make("sh", |launch| {
        fails(&format!(
            "{}/Main.x:1: error\n",
            folder_of(launch).display()
        ))
    });
    assert_eq!(
        refusal(made),
        (
            "the compiler ended with exit code 1".into(),
            "Main.x:1: error\n".into()
        )
    );
}

#[test]
fn a_compiler_that_breaks_a_limit_or_makes_nothing_refuses_the_submission() {
    let slow = make("sh", |_| {
        let mut run = ScriptedSandbox::clean("");
        run.usage.cpu = Duration::from_secs(9);
        run
    });
    assert_eq!(
        refusal(slow).0,
        "compiling: time limit exceeded (1 s of CPU time)"
    );
    assert_eq!(
        refusal(make("sh", |_| ScriptedSandbox::clean(""))).0,
        "the compiler made no program"
    );
}

#[test]
fn an_internal_failure_of_a_compiler_is_reported_with_its_limits() {
    let used = |run: Run| {
        let usage = Usage {
            cpu: Duration::from_millis(345),
            peak_memory_bytes: 700 << 10,
            ..run.usage
        };
        Run { usage, ..run }
    };
    let within = "within its limits (it used 345.0 ms of 1 s and 0.7 MiB of 1 MiB)";
    let killed = make("sh", |_| {
        used(Run {
            exit: Exit::Signal(9),
            ..ScriptedSandbox::clean("")
        })
    });
    assert_eq!(
        refusal(killed).0,
        format!("the compiler ended with SIGKILL, {within}")
    );
    for said in [
        "x.c: internal compiler error: Killed",
        "c++: fatal error: Killed signal terminated program cc1plus",
    ] {
        let failed = make("sh", |_| used(fails(said)));
        assert_eq!(
            refusal(failed).0,
            format!(
                "the compiler ended with exit code 1, an error of its own, {within}"
            )
        );
    }
}

#[test]
fn a_file_larger_than_a_compiler_may_write_is_reported_with_the_limit() {
    let failed = make("sh", |_| {
        fails(
            "cc: internal compiler error: File size limit exceeded signal terminated program as",
        )
    });
    let reason =
        "the compiler ended with exit code 1, for it wrote a file of more than 1 MiB";
    assert_eq!(refusal(failed).0, reason);
}

#[test]
fn a_compiler_that_makes_something_else_than_a_program_refuses_the_submission() {
    let refused = |make_it: fn(&Path)| {
        let made = make("sh", |launch| {
            make_it(&folder_of(launch).join("program"));
            ScriptedSandbox::clean("")
        });
        refusal(made).0
    };
    let reason = "what the compiler made cannot be started";
    assert_eq!(
        refused(|path| fs::write(path, "a library").unwrap()),
        reason
    );
    assert_eq!(
        refused(|path| std::os::unix::fs::symlink("/bin/sh", path).unwrap()),
        reason
    );
    assert_eq!(refused(|path| fs::create_dir(path).unwrap()), reason);
}

#[test]
fn a_missing_compiler_is_named_with_its_package() {
    let Err(PrepareFailure::Unavailable(unusable)) =
        make("no-such-compiler", |_| ScriptedSandbox::clean(""))
    else {
        panic!("not unavailable")
    };
    let expected = UnusableLanguage {
        cause: "`no-such-compiler` is not installed".to_owned(),
        remedy: "install it, on Debian with `apt-get install x-compiler`".to_owned(),
        package: Some("x-compiler".to_owned()),
    };
    assert_eq!(unusable, expected);
}

#[test]
fn a_runtime_that_only_the_judge_can_start_is_reported_with_its_path() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
    let runtime = place.path().join("starter");
    write_program(&runtime);
    let toolchain = Toolchain::fake(vec![place.path().to_owned()]);
    let compiler = Compiler {
        toolchain,
        ..Compiler::new(place.path().to_owned())
    };
    let language = Language {
        compile: vec![],
        run: vec!["starter".into()],
        ..language("sh")
    };
    let path = place.path().join("solution.x");
    fs::write(&path, "source").unwrap();
    let submission = Submission {
        name: "solution.x".into(),
        path,
        real: None,
        expected: None,
    };
    let untouched =
        ScriptedSandbox::new(|_: &Launch, _: &Limits| panic!("nothing runs"));
    let made = compiler
        .with(None, &untouched)
        .compile(alone(&submission, &language));
    let Err(PrepareFailure::Unavailable(unusable)) = made else {
        panic!("not unavailable")
    };
    assert_eq!(
        unusable.cause,
        format!(
            "the user that submissions run as cannot start {}",
            runtime.display()
        )
    );
}

#[test]
fn a_submission_is_compiled_under_a_name_without_meaning_to_a_compiler() {
    for (path, name) in [
        ("a/poj-2676.cpp", "poj-2676.cpp"),
        ("a/sudoku@1:35#2.rs", "sudoku_1_35_2.rs"),
        ("a/v1.2.go", "v1_2.go"),
        ("a/last cell's.c++", "last_cell_s.c++"),
        ("a/\u{e9}\n$(x)", "____x_"),
        ("a/Makefile", "Makefile"),
        ("a/.c", ".c"),
        ("", "submission"),
    ] {
        assert_eq!(source_file_name(Path::new(path)), name, "{path}");
    }
}

#[test]
fn a_program_in_java_starts_in_the_class_with_main_and_its_file_is_named_by_the_public_one()
 {
    let java = Language {
        java_classes: true,
        run: vec![
            "sh".into(),
            "-cp".into(),
            "{folder}".into(),
            "{name}".into(),
        ],
        ..language("sh")
    };
    for (text, file, class) in [
        (
            "package a.b; public class Sum { public static void main(String[] a) {} }",
            "Sum.x",
            "a.b.Sum",
        ),
        (
            "class Sum { static public void main(String[] a) {} }",
            "Sum.x",
            "Sum",
        ),
        (
            "public class Sum {} class T { public static void main(String[] a) {} }",
            "Sum.x",
            "T",
        ),
        ("class Sum {}", "Main.x", "Main"),
        ("", "Main.x", "Main"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("my sum.x");
        fs::write(&path, text).unwrap();
        let submission = Submission {
            name: "my sum.x".into(),
            path,
            real: None,
            expected: None,
        };
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            assert!(
                launch.command[2].ends_with(&format!("/{file}")),
                "{:?}",
                launch.command
            );
            fs::write(folder_of(launch).join("made.class"), "").unwrap();
            Ok(ScriptedSandbox::clean(""))
        });
        let made = Compiler::new(place.path().to_owned())
            .with(None, &sandbox)
            .compile(alone(&submission, &java));
        let program = made.unwrap().program;
        assert_eq!(
            (
                program.command.last().unwrap().as_str(),
                program.entry_point.as_str()
            ),
            (class, class)
        );
    }
}

/// A language that is checked instead of compiled, by `sh -n`.
fn checked() -> Language {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    Language {
        source: None,
        compile: vec![],
        check: words("sh -n {source}"),
        run: words("sh {source}"),
        ..language("sh")
    }
}

#[test]
fn a_source_that_is_not_compiled_is_checked_and_refused_with_what_its_interpreter_says()
 {
    let seen = Mutex::new(vec![]);
    let made = make_in(&checked(), |launch, _| {
        seen.lock().unwrap().push(launch.command[1..].join(" "));
        let folder = folder_of(launch);
        fails(&format!(
            "{}/solution.x:3: error: unexpected end\n",
            folder.display()
        ))
    });
    let (reason, output) = refusal(made);
    assert_eq!(reason, "it cannot be parsed");
    assert_eq!(output, "solution.x:3: error: unexpected end\n");
    assert!(seen.lock().unwrap()[0].ends_with("/solution.x"), "{seen:?}");
    let made = make_in(&checked(), |_, _| ScriptedSandbox::clean(""));
    let program = made.unwrap().program;
    assert!(
        program.command[1].ends_with("/solution.x"),
        "{:?}",
        program.command
    );
}

#[test]
fn all_sources_of_a_submission_are_checked_and_only_the_first_of_another_program() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    for name in ["main.x", "helper.x", "words.txt"] {
        fs::write(path(name), "").unwrap();
    }
    let file = |name: &str| SourceFile {
        name: name.to_owned(),
        path: path(name),
    };
    let files = vec![file("helper.x"), file("words.txt")];
    let additional_sources = AdditionalSources {
        files,
        ..AdditionalSources::default()
    };
    let submission = Submission {
        name: "main.x".into(),
        path: path("main.x"),
        real: None,
        expected: None,
    };
    for (is_submission, expected) in
        [(true, vec!["helper.x", "main.x"]), (false, vec!["main.x"])]
    {
        let seen = Mutex::new(vec![]);
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            let name = Path::new(&launch.command[2])
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned();
            seen.lock().unwrap().push(name);
            Ok(ScriptedSandbox::clean(""))
        });
        let language = checked();
        let alone = alone(&submission, &language);
        let program = ProgramSource {
            additional_sources: &additional_sources,
            is_submission,
            ..alone
        };
        Compiler::new(place.path().to_owned())
            .with(None, &sandbox)
            .compile(program)
            .unwrap();
        assert_eq!(seen.into_inner().unwrap(), expected);
    }
}

/// Compiles two sources with a compiler that knows only some versions, and returns the
/// versions that it was asked for.
fn standards_tried(sources: &[&str], known: &'static str) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let language = Language {
        standards: words("new middle old"),
        options: words("-O -g"),
        compile: words("sh -std={standard} {options} {source} {program}"),
        known_good: Some("right".to_owned()),
        ..language("sh")
    };
    let seen = Mutex::new(vec![]);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        assert_eq!(launch.command[2..4], words("-O -g"));
        let standard = launch.command[1].strip_prefix("-std=").unwrap().to_owned();
        let source = fs::read_to_string(&launch.command[4]).unwrap();
        seen.lock().unwrap().push(format!("{source} {standard}"));
        if !known.contains(&standard) || source == "wrong" {
            return Ok(fails("error"));
        }
        write_program(Path::new(&launch.command[5]));
        Ok(ScriptedSandbox::clean(""))
    });
    let compiler = Compiler::new(place.path().to_owned());
    for source in sources {
        let path = place.path().join("solution.x");
        fs::write(&path, source).unwrap();
        let submission = Submission {
            name: "solution.x".into(),
            path,
            real: None,
            expected: None,
        };
        let made = compiler
            .with(None, &sandbox)
            .compile(alone(&submission, &language));
        assert_eq!(made.is_ok(), *source == "right" && !known.is_empty());
    }
    seen.into_inner().unwrap()
}

#[test]
fn the_newest_version_that_the_compiler_knows_is_found_once_and_only_if_something_does_not_compile()
 {
    assert_eq!(
        standards_tried(&["right", "right"], "new middle old"),
        ["right new", "right new"]
    );
    let found = ["wrong new", "right new", "wrong new"];
    assert_eq!(
        standards_tried(&["wrong", "wrong"], "new middle old"),
        found
    );
    let found = [
        "right new",
        "right new",
        "right middle",
        "right middle",
        "right middle",
        "wrong middle",
    ];
    assert_eq!(
        standards_tried(&["right", "right", "wrong"], "middle old"),
        found
    );
    let none = ["right new", "right new", "right middle", "right old"];
    assert_eq!(standards_tried(&["right"], ""), none);
}

#[test]
fn words_with_the_version_of_a_language_that_has_none_are_left_out() {
    let language = Language {
        compile: ["sh", "-std={standard}", "{options}", "{program}"]
            .map(str::to_owned)
            .to_vec(),
        ..language("sh")
    };
    let made = make_in(&language, |launch, _| {
        assert_eq!(launch.command.len(), 2);
        write_program(Path::new(&launch.command[1]));
        ScriptedSandbox::clean("")
    });
    assert!(made.is_ok());
}

#[test]
fn a_name_that_a_compiler_takes_for_something_else_is_changed() {
    for (path, ending, name) in [
        ("-x.rs", "rs", "x.rs"),
        ("a_test.go", "go", "a_test_.go"),
        ("_a.go", "go", "a.go"),
        (".a.go", "go", "a.go"),
        ("_.go", "go", "submission.go"),
        ("Str.ml", "ml", "Str_.ml"),
        ("unix.ml", "ml", "unix_.ml"),
        ("a_test.py", "py", "a_test.py"),
        ("str.py", "py", "str.py"),
    ] {
        let language = Language {
            source: None,
            extensions: vec![ending.to_owned()],
            ..language("sh")
        };
        assert_eq!(
            alone(&Submission::at(path.into()), &language).name_in_folder(),
            name,
            "{path}"
        );
    }
}
