//! The toolchains of this machine, installed as people have them: in the home folder,
//! elsewhere, and in the folders of system packages. The languages take turns at the
//! home folder and elsewhere. A missing tool is skipped with a note.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::Value;

use super::levels;
use crate::judge::Judge;
use crate::judge::processes::copy_program;
use crate::judge::right_programs::RIGHT_PROGRAMS;
use crate::judge::share::Turn;

/// The folders in which packages install programs.
const PACKAGE_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The ids of the languages of [`RIGHT_PROGRAMS`].
const OF_RIGHT_PROGRAMS: [&str; 6] =
    ["cpp", "go", "java", "javascript", "python", "rust"];

/// An installed language.
struct Installed {
    language: &'static str,
    /// The folder in the `PATH`, inside the judge's folder.
    bin: &'static str,
    /// A variable that is set, and the folder that it names.
    variable: Option<(&'static str, &'static str)>,
}

/// Installs a language in a judge's folder, or returns what this machine lacks.
type Install = fn(&Judge) -> Result<Installed, String>;

/// A way to install toolchains in a judge's folder.
struct Layout {
    name: &'static str,
    toolchains: &'static [Install],
}

const AT_HOME: Layout = Layout {
    name: "in the home folder",
    toolchains: &[
        |judge| {
            rustup(judge, "home/.rustup", "home/.cargo/bin")?;
            Ok(Installed {
                language: "Rust",
                bin: "home/.cargo/bin",
                variable: None,
            })
        },
        |judge| {
            pyenv(judge, "home/.pyenv")?;
            Ok(Installed {
                language: "Python",
                bin: "home/.pyenv/shims",
                variable: None,
            })
        },
        |judge| {
            node(judge, "home/.nvm/versions/node/v1/bin/node")?;
            Ok(Installed {
                language: "JavaScript",
                bin: "home/.nvm/versions/node/v1/bin",
                variable: None,
            })
        },
        |judge| {
            jdk(judge, "home/.sdkman/candidates/java/1-here")?;
            judge.link("home/.sdkman/candidates/java/current", "1-here");
            Ok(Installed {
                language: "Java",
                bin: "home/.sdkman/candidates/java/current/bin",
                variable: None,
            })
        },
        |judge| {
            go(judge, "home/sdk/go1")?;
            Ok(Installed {
                language: "Go",
                bin: "home/sdk/go1/bin",
                variable: None,
            })
        },
    ],
};

const ELSEWHERE: Layout = Layout {
    name: "elsewhere",
    toolchains: &[
        |judge| {
            rustup(judge, "opt/rustup", "opt/cargo/bin")?;
            let variable = Some(("RUSTUP_HOME", "opt/rustup"));
            Ok(Installed {
                language: "Rust",
                bin: "opt/cargo/bin",
                variable,
            })
        },
        |judge| {
            pyenv(judge, "opt/pyenv")?;
            let variable = Some(("PYENV_ROOT", "opt/pyenv"));
            Ok(Installed {
                language: "Python",
                bin: "opt/pyenv/shims",
                variable,
            })
        },
        |judge| {
            node(judge, "opt/node/bin/node")?;
            link_tools(judge, "../node/bin", &["node"]);
            Ok(Installed {
                language: "JavaScript",
                bin: "opt/bin",
                variable: None,
            })
        },
        |judge| {
            jdk(judge, "opt/jdk")?;
            link_tools(judge, "../jdk/bin", &["java", "javac"]);
            Ok(Installed {
                language: "Java",
                bin: "opt/bin",
                variable: None,
            })
        },
        |judge| {
            go(judge, "local/go")?;
            Ok(Installed {
                language: "Go",
                bin: "local/go/bin",
                variable: None,
            })
        },
    ],
};

/// The trimmed output of a tool of this machine.
fn answer(tool: impl AsRef<Path>, question: &[&str]) -> Result<String, String> {
    let tool = tool.as_ref();
    let output = Command::new(tool).args(question).current_dir("/").output();
    match output {
        Ok(output) if output.status.success() => {
            // Java prints its properties, like its version, on standard error.
            let text = [output.stdout, output.stderr].concat();
            Ok(String::from_utf8_lossy(&text).trim().to_owned())
        }
        _ => Err(format!("`{}` does not work here", tool.display())),
    }
}

/// Installs rustup with a toolchain of its own, as `rustup toolchain link` does.
fn rustup(judge: &Judge, home: &str, bin: &str) -> Result<(), String> {
    let rustup = answer("sh", &["-c", "readlink -f \"$(command -v rustup)\""])?;
    let sysroot = answer("rustc", &["--print", "sysroot"])?;
    for part in ["bin", "lib"] {
        hard_link_or_symlink(
            &Path::new(&sysroot).join(part),
            &judge.path(home).join("toolchains/here").join(part),
        );
    }
    judge.put(
        Path::new(home).join("settings.toml"),
        "version = \"12\"\ndefault_toolchain = \"here\"\n",
    );
    hard_link_or_symlink(Path::new(&rustup), &judge.path(bin).join("rustup"));
    judge.link(&format!("{bin}/rustc"), "rustup");
    Ok(())
}

/// Installs pyenv with its own shims and with the system's Python as its version. A
/// Python that pyenv has built would look for its libraries where it was built.
fn pyenv(judge: &Judge, root: &str) -> Result<(), String> {
    let real = PathBuf::from(answer("pyenv", &["root"])?);
    let print_paths = "import os, sys; print(os.path.realpath(sys.executable)); print(os.path.dirname(os.__file__))";
    let answer = answer("/usr/bin/python3", &["-c", print_paths])?;
    let (python, library) = answer.split_once('\n').ok_or(answer.clone())?;
    let version = judge.path(root).join("versions/here");
    fs::create_dir_all(version.join("bin")).unwrap();
    copy_program(python.as_ref(), &version.join("bin/python3"));
    fs::create_dir_all(version.join("lib")).unwrap();
    symlink(
        library,
        version
            .join("lib")
            .join(Path::new(library).file_name().unwrap()),
    )
    .unwrap();
    judge.put(Path::new(root).join("version"), "here\n");
    let mut rehash = Command::new(real.join("bin/pyenv"));
    let output = rehash
        .arg("rehash")
        .env("PYENV_ROOT", judge.path(root))
        .output()
        .unwrap();
    assert!(
        judge.path(root).join("shims/python3").exists(),
        "{output:?}"
    );
    Ok(())
}

fn node(judge: &Judge, place: &str) -> Result<(), String> {
    hard_link_or_symlink(
        Path::new(&answer("node", &["-p", "process.execPath"])?),
        &judge.path(place),
    );
    Ok(())
}

fn jdk(judge: &Judge, place: &str) -> Result<(), String> {
    answer("javac", &["-J-XX:-UsePerfData", "-version"])?;
    let properties = answer(
        "java",
        &["-XX:-UsePerfData", "-XshowSettings:properties", "-version"],
    )?;
    let home = properties
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "));
    let home = Path::new(home.ok_or("`java` does not say where it is")?);
    if !home.join("bin/javac").exists() {
        return Err("there is no `javac` beside `java`".to_owned());
    }
    hard_link_or_symlink(home, &judge.path(place));
    Ok(())
}

fn go(judge: &Judge, place: &str) -> Result<(), String> {
    hard_link_or_symlink(
        Path::new(&answer("go", &["env", "GOROOT"])?),
        &judge.path(place),
    );
    Ok(())
}

/// Makes links to tools in the folder `opt/bin`.
fn link_tools(judge: &Judge, folder: &str, tools: &[&str]) {
    fs::create_dir_all(judge.path("opt/bin")).unwrap();
    for tool in tools {
        judge.link(&format!("opt/bin/{tool}"), &format!("{folder}/{tool}"));
    }
}

/// Adds a file or folder to a judge's folder by hard links, which need no space, or by
/// a symbolic link where hard links are not allowed: to files of other users and on
/// other disks. Hard links change the ctime of a file, so cached results that depend on
/// the tool become invalid.
fn hard_link_or_symlink(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    if hard_links(from, from, to).is_err() {
        let _ = fs::remove_dir_all(to);
        symlink(from, to).unwrap();
    }
}

/// Does the same with hard links only. Symbolic links that lead out of `root` keep
/// their targets.
fn hard_links(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let kind = from.symlink_metadata()?.file_type();
    if kind.is_symlink() {
        let Ok(end) = from.canonicalize() else {
            return Ok(());
        };
        let inside = end.starts_with(root.canonicalize()?);
        return symlink(if inside { fs::read_link(from)? } else { end }, to);
    }
    if !kind.is_dir() {
        return fs::hard_link(from, to);
    }
    fs::create_dir(to)?;
    from.read_dir()?.try_for_each(|entry| {
        let entry = entry?;
        hard_links(root, &entry.path(), &to.join(entry.file_name()))
    })
}

impl Layout {
    /// A judge's folder with right programs, and the languages that are installed
    /// there: those whose rows are due.
    fn installed(&self, is_due: impl Fn(usize) -> bool) -> (Judge, Vec<Installed>) {
        let judge = with_right_programs();
        fs::create_dir(judge.path("home")).unwrap();
        let mut installed = vec![];
        for (row, toolchain) in self.toolchains.iter().enumerate() {
            if !is_due(row) {
                continue;
            }
            match toolchain(&judge) {
                Ok(language) => installed.push(language),
                Err(missing) => println!("skipped {}: {missing}", self.name),
            }
        }
        (judge, installed)
    }
}

fn with_right_programs() -> Judge {
    let judge = Judge::new().with_few_languages(&OF_RIGHT_PROGRAMS);
    judge.edit("problems/mini/problem.toml", "64MiB", "256MiB");
    for (_, file, source) in RIGHT_PROGRAMS {
        judge.put(file, source);
    }
    judge
}

/// A command that runs the judge with only these languages in its environment.
fn command(judge: &Judge, installed: &[Installed], arguments: &[&str]) -> Command {
    let mut command = judge.command(arguments);
    let bins = installed
        .iter()
        .map(|language| judge.path(language.bin).to_str().unwrap().to_owned());
    let path: Vec<_> = bins.chain([PACKAGE_PATH.to_owned()]).collect();
    command
        .env_clear()
        .env("PATH", path.join(":"))
        .env("HOME", judge.path("home"));
    command
        .env("TMPDIR", judge.path("tmp"))
        .env("GRIDJUDGE_CACHE", judge.path("cache"))
        .env("XDG_CONFIG_HOME", judge.path("config"));
    command.envs(
        installed
            .iter()
            .filter_map(|found| found.variable)
            .map(|(name, at)| (name, judge.path(at))),
    );
    // The values that the container image of Rust sets.
    if let Some(cargo) = installed
        .iter()
        .find_map(|found| found.bin.strip_suffix("opt/cargo/bin"))
    {
        command.env("CARGO_HOME", judge.path(cargo).join("opt/cargo"));
    }
    command
}

/// The verdicts of the right programs in those of these languages whose turn it is at a
/// level, or the reasons why they are skipped.
fn results_of(
    judge: &Judge,
    installed: &[Installed],
    languages: &[&str],
    (turn, level): (Turn, &str),
) -> BTreeMap<String, String> {
    let languages: Vec<_> = turn.share(languages.iter().copied()).collect();
    if languages.is_empty() {
        return BTreeMap::new();
    }
    let chosen = RIGHT_PROGRAMS
        .iter()
        .filter(|(language, ..)| languages.contains(language));
    let mut arguments = vec![
        "grade",
        "-p",
        "mini",
        "-j",
        "2",
        "--sandbox",
        level,
        "--log",
        "log",
    ];
    arguments.extend(chosen.map(|(_, file, _)| *file));
    let ran = judge.ran(command(judge, installed, &arguments).output().unwrap());
    let log = judge.read("log");
    judge.remove("log");
    let events = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |event: &Value, key: &str| event[key].as_str().map(str::to_owned);
    let results = events.filter_map(|event| {
        let result = match event["event"].as_str().unwrap() {
            "submission_finished" => {
                text(&event, "verdict").unwrap_or_else(|| format!("{ran:?}"))
            }
            "submission_skipped" => format!("skipped: {}", text(&event, "cause")?),
            _ => return None,
        };
        Some((text(&event, "language")?, result))
    });
    results.collect()
}

#[test]
fn the_toolchains_of_this_machine_work_wherever_they_are_installed() {
    for (turn, layout) in Turn::of_each(&[AT_HOME, ELSEWHERE]) {
        let (judge, installed) = layout.installed(|row| turn.has(row));
        let languages: Vec<_> =
            installed.iter().map(|found| found.language).collect();
        let ids: Vec<_> = languages.iter().map(|name| name.to_lowercase()).collect();
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        let judge = judge.with_few_languages(&ids);
        for (turn, level) in levels() {
            let results = results_of(&judge, &installed, &languages, (turn, level));
            for language in turn.share(&languages) {
                let result = results.get(*language).map(String::as_str);
                println!("{language} {} at {level}: {result:?}", layout.name);
                assert_eq!(
                    result,
                    Some("AC"),
                    "{language} {} at {level}",
                    layout.name
                );
            }
        }
        let ran =
            judge.ran(command(&judge, &installed, &["doctor"]).output().unwrap());
        let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for Installed { language, bin, .. } in &installed {
            let expected = format!("yes {language} {}/", judge.path(bin).display());
            assert!(words.contains(&expected), "{expected}: {}", ran.stdout);
        }
    }
}

#[test]
fn the_toolchains_of_packages_work() {
    let tools = [
        ("C", "cc"),
        ("C++", "c++"),
        ("Rust", "rustc"),
        ("Python", "python3"),
        ("JavaScript", "node"),
        ("Java", "javac"),
        ("Go", "go"),
    ];
    let (found, missing): (Vec<_>, Vec<_>) =
        tools.into_iter().partition(|(_, tool)| {
            PACKAGE_PATH
                .split(':')
                .any(|folder| Path::new(folder).join(tool).exists())
        });
    for (language, _) in &missing {
        println!("skipped: no package of this machine contains {language}")
    }
    let languages: Vec<_> = found.into_iter().map(|(language, _)| language).collect();
    let judge = with_right_programs();
    for (turn, level) in levels() {
        for (language, result) in results_of(&judge, &[], &languages, (turn, level)) {
            println!("{language} of a package at {level}: {result}");
            assert_eq!(result, "AC", "{language} at {level}");
        }
    }
}

/// As on many developers' machines, `cc` in the first folder of the `PATH` is a link to
/// `ccache`, which writes to the home folder unless it is disabled.
#[test]
fn a_compiler_cache_in_front_of_a_compiler_is_bypassed() {
    const CACHE: &str = "#!/bin/sh\n[ -n \"$CCACHE_DISABLE\" ] && exec \"/usr/bin/$(basename \"$0\")\" \"$@\"\n\
        echo 'ccache: error: Failed to create directory' >&2\nexit 1\n";
    let judge = with_right_programs().with_few_languages(&["cpp", "rust"]);
    judge
        .script("bin/ccache", CACHE)
        .put("lib/ccache/README", "");
    for name in ["cc", "c++"] {
        judge.link(&format!("lib/ccache/{name}"), "../../bin/ccache");
    }
    let installed = [Installed {
        language: "C",
        bin: "lib/ccache",
        variable: None,
    }];
    // Rust uses `cc` in the `PATH` as its linker.
    let has_rust = Path::new("/usr/bin/rustc").exists();
    let languages = if has_rust {
        &["C", "C++", "Rust"][..]
    } else {
        &["C", "C++"]
    };
    for (turn, level) in levels() {
        for (language, result) in
            results_of(&judge, &installed, languages, (turn, level))
        {
            assert_eq!(result, "AC", "{language} at {level}");
        }
    }
    let ran = judge.ran(command(&judge, &installed, &["doctor"]).output().unwrap());
    assert!(!ran.stdout.contains("lib/ccache"), "{}", ran.stdout);
}

/// Like `/root`, which other users cannot enter. The sandbox makes compilers in such a
/// home available; of runtimes, the next one in the `PATH` is used.
#[test]
fn a_runtime_in_a_home_that_submissions_cannot_enter_is_skipped_or_replaced() {
    let runtimes = ["Python", "JavaScript", "Java"];
    // The others of the list are compilers.
    let (judge, installed) = AT_HOME.installed(|row| (1..=3).contains(&row));
    assert!(
        installed
            .iter()
            .all(|found| runtimes.contains(&found.language))
    );
    fs::set_permissions(judge.path("home"), fs::Permissions::from_mode(0o700))
        .unwrap();
    for (turn, level) in levels() {
        for (language, result) in
            results_of(&judge, &installed, &runtimes, (turn, level))
        {
            println!("{language} in a closed home at {level}: {result}");
            assert!(
                result == "AC" || result.starts_with("skipped: "),
                "{language} at {level}: {result}"
            );
        }
    }
}
