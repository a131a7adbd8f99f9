//! What is kept of builds, and when nothing is.

use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicUsize, Ordering};

use gridjudge_sandbox::{Launch, Limits, Run, ScriptedSandbox};

use super::*;
use crate::compile::tests::{alone, fails, folder_of, language, write_program};
use crate::compile::{Compiler, PrepareFailure, ProgramSource};
use crate::model::{AdditionalSources, Language, SourceFile, Submission};

/// A submission, and a cache that several judges use one after the other.
struct Fixture {
    place: tempfile::TempDir,
    submission: Submission,
}

/// What came of compiling, and how often a compiler ran.
#[derive(Debug, PartialEq)]
struct Made {
    /// The text of the program, or the output of the compiler.
    result: Result<String, String>,
    runs: usize,
}

impl Fixture {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("solution.x");
        fs::write(&path, "source").unwrap();
        Self {
            submission: Submission {
                name: "solution.x".into(),
                path,
                real: None,
                expected: None,
            },
            place,
        }
    }

    fn cache(&self) -> Cache {
        Cache::open(&self.place.path().join("cache"), 1 << 20, &[]).unwrap()
    }

    fn make(&self, script: impl Fn(&Launch) -> Run + Send + Sync) -> Made {
        self.make_as(alone(&self.submission, &language("sh")), script)
    }

    /// Compiles with a new judge.
    fn make_as(
        &self,
        program: ProgramSource<'_>,
        script: impl Fn(&Launch) -> Run + Send + Sync,
    ) -> Made {
        let builds = self.place.path().join("builds");
        fs::create_dir_all(&builds).unwrap();
        let runs = AtomicUsize::new(0);
        let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
            runs.fetch_add(1, Ordering::Relaxed);
            Ok(script(launch))
        });
        let cache = self.cache();
        let made = Compiler::new(builds.clone())
            .with(Some(&cache), &sandbox)
            .compile(program);
        assert_eq!(cache.close(), [""; 0]);
        let result = match made {
            Ok(built) => Ok(text_below(built.folder.path())),
            Err(PrepareFailure::Refused(refusal)) => Err(refusal.output.to_string()),
            Err(failure) => panic!("{failure:?}"),
        };
        assert_eq!(fs::read_dir(builds).unwrap().count(), 0);
        Made {
            result,
            runs: runs.into_inner(),
        }
    }
}

/// All entries below a folder, with modes and contents.
fn text_below(folder: &Path) -> String {
    let mut text = String::new();
    for found in WalkDir::new(folder).min_depth(1).sort_by_file_name() {
        let found = found.unwrap();
        let mode = found.metadata().unwrap().mode() & 0o777;
        let contents = match found.file_type() {
            // As an ordinary user, the owner may be unable to read it.
            kind if kind.is_file() => {
                fs::read_to_string(found.path()).unwrap_or_default()
            }
            kind if kind.is_symlink() => {
                fs::read_link(found.path()).unwrap().display().to_string()
            }
            _ => String::new(),
        };
        let path = found.path().strip_prefix(folder).unwrap().display();
        text += &format!("{path} {mode:o} {contents}\n");
    }
    text
}

/// Makes a program, a folder with a file, and a link.
fn makes_all(launch: &Launch) -> Run {
    let folder = folder_of(launch);
    write_program(&folder.join("program"));
    fs::create_dir(folder.join("inner")).unwrap();
    fs::write(folder.join("inner/data"), "\0\n{}").unwrap();
    symlink("inner/data", folder.join("link")).unwrap();
    ScriptedSandbox::clean("")
}

fn makes_program(launch: &Launch) -> Run {
    write_program(&folder_of(launch).join("program"));
    ScriptedSandbox::clean("")
}

#[test]
fn a_program_is_compiled_once_and_unpacked_with_all_files_of_its_folder() {
    let fixture = Fixture::new();
    let first = fixture.make(makes_all);
    assert_eq!(first.runs, 1);
    assert!(first.result.as_ref().unwrap().contains("link"), "{first:?}");
    assert_eq!(
        fixture.make(|_| panic!("it is compiled again")),
        Made { runs: 0, ..first }
    );
}

#[test]
fn a_change_of_source_header_name_of_a_header_flag_or_permission_compiles_again() {
    let fixture = Fixture::new();
    let header = fixture.place.path().join("common.h");
    let sources = |name: &str| AdditionalSources {
        files: vec![SourceFile {
            name: name.into(),
            path: header.clone(),
        }],
        ..AdditionalSources::default()
    };
    let flags = |flag: &str| Language {
        options: vec![flag.into()],
        ..language("sh")
    };
    let plain = flags("-O1");
    let flagged = flags("-O2");
    let default = sources("common.h");
    let renamed = sources("other.h");
    let runs = |language: &Language, additional: &AdditionalSources| {
        let program = alone(&fixture.submission, language);
        fixture
            .make_as(
                ProgramSource {
                    additional_sources: additional,
                    ..program
                },
                makes_program,
            )
            .runs
    };
    fs::write(&header, "1").unwrap();
    assert_eq!([runs(&plain, &default), runs(&plain, &default)], [1, 0]);
    fs::write(&header, "2").unwrap();
    assert_eq!([runs(&plain, &default), runs(&plain, &default)], [1, 0]);
    assert_eq!(
        [
            runs(&plain, &renamed),
            runs(&flagged, &default),
            runs(&plain, &default)
        ],
        [1, 1, 0]
    );
    fs::write(&fixture.submission.path, "another").unwrap();
    assert_eq!([runs(&plain, &default), runs(&plain, &default)], [1, 0]);
    set_mode(&fixture.submission.path, 0o755).unwrap();
    assert_eq!([runs(&plain, &default), runs(&plain, &default)], [1, 0]);
}

#[test]
fn a_program_that_depends_on_its_folder_or_whose_files_are_not_the_same_to_all_users_is_compiled_again()
 {
    let write = |launch: &Launch, mode: u32| {
        let path = folder_of(launch).join("data");
        fs::write(&path, "").unwrap();
        set_mode(path, mode).unwrap();
    };
    type Maker<'a> = &'a (dyn Fn(&Launch, &str) + Sync);
    let makers: [Maker<'_>; 5] = [
        &|launch, name| {
            fs::write(folder_of(launch).join("config"), format!("in {name}")).unwrap()
        },
        &|launch, name| {
            symlink(format!("../{name}/program"), folder_of(launch).join("link"))
                .unwrap()
        },
        &|launch, _| write(launch, 0o600),
        &|launch, _| write(launch, 0o044),
        &|launch, _| {
            fs::hard_link(
                folder_of(launch).join("Main.x"),
                folder_of(launch).join("twin"),
            )
            .unwrap()
        },
    ];
    for (number, maker) in makers.iter().enumerate() {
        let fixture = Fixture::new();
        for _ in 0..2 {
            let made = fixture.make(|launch| {
                maker(
                    launch,
                    folder_of(launch).file_name().unwrap().to_str().unwrap(),
                );
                makes_program(launch)
            });
            assert_eq!(made.runs, 1, "{number}");
        }
    }
}

#[test]
fn a_refusal_is_kept_if_only_the_source_can_be_to_blame() {
    let again = |said: &'static str| {
        let fixture = Fixture::new();
        [(); 2].map(|()| {
            let made = fixture.make(|_| fails(said));
            assert_eq!(made.result, Err(said.to_owned()));
            made.runs
        })
    };
    assert_eq!(again("Main.x:3: error: `x` is not declared"), [1, 0]);
    assert_eq!(again("Main.x:3: error: unterminated string"), [1, 0]);
    assert_eq!(again("error: something is wrong"), [1, 1]);
    assert_eq!(
        again("Main.x: cannot fork: Resource temporarily unavailable"),
        [1, 1]
    );
    assert_eq!(again("Main.x:3: internal compiler error"), [1, 1]);
    assert_eq!(again("Main.x: virtual memory exhausted"), [1, 1]);
}

#[test]
fn a_refusal_is_not_kept_while_a_right_source_does_not_compile_either() {
    let fixture = Fixture::new();
    let language = Language {
        known_good: Some("right".into()),
        ..language("sh")
    };
    let make = |compiles: bool| {
        let made = fixture.make_as(alone(&fixture.submission, &language), |launch| {
            let source = fs::read_to_string(&launch.command[2]).unwrap();
            if compiles && source == "right" {
                makes_program(launch)
            } else {
                fails("Main.x: error")
            }
        });
        assert_eq!(made.result, Err("Main.x: error".to_owned()));
        made.runs
    };
    assert_eq!(
        [make(false), make(false), make(true), make(true)],
        [2, 2, 2, 0]
    );
}

#[test]
fn nothing_is_kept_of_a_language_with_commands_of_its_own() {
    let fixture = Fixture::new();
    let language = Language {
        keeps_builds: false,
        ..language("sh")
    };
    for _ in 0..2 {
        assert_eq!(
            fixture
                .make_as(alone(&fixture.submission, &language), makes_program)
                .runs,
            1
        );
    }
}

#[test]
fn a_folder_without_write_permission_is_unpacked_with_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let entry = |path: &str, mode, kind| Entry {
        path: path.into(),
        mode,
        kind,
    };
    let entries = [
        entry("a", 0o555, EntryKind::Folder),
        entry("a/b", 0o555, EntryKind::Folder),
        entry("a/b/c", 0o444, EntryKind::File { bytes: 1 }),
    ];
    unpack(&entries, b"x", folder.path()).unwrap();
    assert_eq!(text_below(folder.path()), "a 555 \na/b 555 \na/b/c 444 x\n");
    gridjudge_sandbox::remove_tree(&folder.path().join("a")).unwrap();
}

/// As where the folder of temporary files is so deep that the whole path of a file is
/// too long.
#[test]
fn what_cannot_be_unpacked_is_compiled_again() {
    let fixture = Fixture::new();
    let cache = fixture.cache();
    let language = language("sh");
    let program = alone(&fixture.submission, &language);
    let compiler = Compiler::new(fixture.place.path().to_owned());
    let place =
        KeptBuild::new(&cache, compiler.program_key(program, &cache).unwrap().key);
    let twice = || Entry {
        path: "a".into(),
        mode: 0o755,
        kind: EntryKind::Folder,
    };
    let kept = serde_json::to_string(&Kept::Made {
        entries: vec![twice(), twice()],
    })
    .unwrap();
    cache.store_build(&place.key, format!("{kept}\n").as_bytes());
    let made = fixture.make(makes_program);
    assert_eq!(made.runs, 1);
    assert!(!made.result.unwrap().contains("a 755"));
}

#[test]
fn what_breaks_a_limit_of_the_compiler_is_compiled_again() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        let made = fixture.make(|_| {
            let mut run = fails("Main.x");
            run.usage.cpu = std::time::Duration::from_secs(1000);
            run
        });
        assert!(made.result.is_err() && made.runs == 1, "{made:?}");
    }
}

#[test]
fn nothing_is_kept_of_a_source_that_changed_while_it_was_compiled() {
    let fixture = Fixture::new();
    let made = fixture.make(|launch| {
        fs::write(&fixture.submission.path, "changed").unwrap();
        makes_program(launch)
    });
    assert_eq!(made.runs, 1);
    assert_eq!(
        [
            fixture.make(makes_program).runs,
            fixture.make(makes_program).runs
        ],
        [1, 0]
    );
}

#[test]
fn nothing_is_kept_of_a_program_whose_toolchain_changed_while_it_was_compiled() {
    let fixture = Fixture::new();
    let tools = fixture.place.path().join("tools");
    fs::create_dir(&tools).unwrap();
    fs::write(tools.join("header"), "1").unwrap();
    let toolchain = vec![tools.to_str().unwrap().to_owned()];
    let language = Language {
        toolchain,
        ..language("sh")
    };
    let program = alone(&fixture.submission, &language);
    let made = fixture.make_as(program, |launch| {
        fs::write(tools.join("header"), "2").unwrap();
        makes_program(launch)
    });
    fs::write(tools.join("header"), "1").unwrap();
    assert_eq!(
        [made.runs, fixture.make_as(program, makes_program).runs],
        [1, 1]
    );
    assert_eq!(fixture.make_as(program, makes_program).runs, 0);
}

#[test]
fn a_judge_that_compiles_anew_neither_uses_nor_keeps_builds() {
    let fixture = Fixture::new();
    let runs = AtomicUsize::new(0);
    let sandbox = ScriptedSandbox::new(|launch: &Launch, _: &Limits| {
        runs.fetch_add(1, Ordering::Relaxed);
        Ok(makes_program(launch))
    });
    let mut compiler = Compiler::new(fixture.place.path().to_owned());
    compiler.keeps_builds = false;
    for _ in 0..2 {
        let cache = fixture.cache();
        let language = language("sh");
        compiler
            .with(Some(&cache), &sandbox)
            .compile(alone(&fixture.submission, &language))
            .unwrap();
    }
    assert_eq!(runs.into_inner(), 2);
    assert_eq!(fixture.make(makes_program).runs, 1);
}

#[test]
fn contents_that_are_not_whole_or_name_files_elsewhere_are_not_unpacked() {
    let is_right = |path: &str, bytes: usize, files: &str| {
        let entries = vec![Entry {
            path: path.into(),
            mode: 0o644,
            kind: EntryKind::File { bytes },
        }];
        let kept = serde_json::to_string(&Kept::Made { entries }).unwrap();
        parse(format!("{kept}\n{files}").as_bytes()).is_some()
    };
    assert!(is_right("a/b", 1, "x"));
    for (path, bytes, files) in [
        ("../b", 1, "x"),
        ("/c", 1, "x"),
        ("d", 2, "x"),
        ("e", 1, "xx"),
    ] {
        assert!(!is_right(path, bytes, files), "{path} {bytes}");
    }
    assert!(parse(b"{").is_none() && parse(b"{}\n").is_none());
}

#[test]
fn what_a_known_compiler_keeps_for_itself_is_no_part_of_the_program() {
    let fixture = Fixture::new();
    let environment = vec![("CACHE".to_owned(), "{folder}/.cache".to_owned())];
    let language = Language {
        compile_environment: environment,
        ..language("sh")
    };
    let make = || {
        fixture.make_as(alone(&fixture.submission, &language), |launch| {
            fs::create_dir_all(folder_of(launch).join(".cache/a")).unwrap();
            fs::write(
                folder_of(launch).join(".cache/a/b"),
                folder_of(launch).to_str().unwrap(),
            )
            .unwrap();
            makes_program(launch)
        })
    };
    let first = make();
    assert!(
        !first.result.as_ref().unwrap().contains(".cache"),
        "{first:?}"
    );
    assert_eq!([first.runs, make().runs], [1, 0]);
}
