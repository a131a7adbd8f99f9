//! Toolchains in the places where people install them: simulated ones, whose tools are
//! scripts that refuse to work without their home folder, and those of this machine. A
//! right program is accepted at every level, and a tool that does not work is never a
//! verdict. The toolchains take turns at the levels; with `GRIDJUDGE_EXHAUSTIVE=1` each
//! is tested at each.

mod packaged;
mod real;

use std::sync::OnceLock;

use crate::judge::share::Turn;
use crate::judge::{Judge, RIGHT};
use serde_json::Value;

const LEVELS: [&str; 3] = ["full", "user", "basic"];

/// A simulated compiler and runtime. It compiles or runs a script that consists of the
/// texts after `sh: ` in a source, or prints `ok` if there are none. Asked for its
/// home, it names the parent of its own `bin` folder. A Java runtime that is asked
/// without `-XX:-UsePerfData` does not answer, because performance data would be left
/// in `/tmp`.
const TOOL: &str = r#"#!/bin/sh
case "$*" in
    -c\ * | -p\ * | --print\ * | env\ * | "-XX:-UsePerfData -XshowSettings:properties -version")
        echo "home = $(dirname "$(dirname "$0")")"
        exit ;;
esac
for word do
    case "$before" in
        -o) program=$word ;;
        -d) program=$word/Main.class ;;
        -cp) source=$word/Main.class ;;
    esac
    before=$word
done
source=${source:-$before}
if [ -z "$program" ]; then
    [ "${source##*.}" = class ] || { sed -n 's/.*sh: //p' "$source" >"$TMPDIR/run"; source=$TMPDIR/run; }
    [ -s "$source" ] || exec echo ok
    exec sh "$source"
fi
{ echo '#!/bin/sh'; grep -q 'sh: ' "$source" || echo 'echo ok'; sed -n 's/.*sh: //p' "$source"; } >"$program"
# At level basic only the judge can change modes; it makes the program executable.
chmod 755 "$program" || true
"#;

/// A shim that executes a tool in the home that a variable names or, without the
/// variable, in a folder of the home folder.
fn shim_script(variable: &str, folder: &str, tool: &str) -> String {
    format!(
        "#!/bin/sh\nhome=${{{variable}:-$HOME/{folder}}}\nif [ ! -x \"$home/{tool}\" ]; then\n\
         echo \"error: could not create home directory: '$home'\" >&2; exit 1; fi\nexec \"$home/{tool}\" \"$@\"\n"
    )
}

/// A way to install a language.
struct Layout {
    name: &'static str,
    /// The file of a submission.
    source: &'static str,
    /// The folder in the `PATH`.
    bin: &'static str,
    /// The paths of the tools.
    tools: &'static [&'static str],
    /// The shim in the `PATH`, if the tools are not in it: its path, and the variable,
    /// folder and tool for [`shim_script`].
    shim: Option<(&'static str, [&'static str; 3])>,
    /// The variable that is set, and its folder.
    variable: Option<(&'static str, &'static str)>,
}

const RUSTUP: [&str; 3] = ["RUSTUP_HOME", ".rustup", "toolchains/one/bin/rustc"];
const PYENV: [&str; 3] = ["PYENV_ROOT", ".pyenv", "versions/3/bin/python3"];

const LAYOUTS: [Layout; 7] = [
    Layout {
        name: "rustup in the home folder",
        source: "mini.rs",
        bin: "home/.cargo/bin",
        tools: &["home/.rustup/toolchains/one/bin/rustc"],
        shim: Some(("home/.cargo/bin/rustc", RUSTUP)),
        variable: None,
    },
    Layout {
        name: "rustup elsewhere",
        source: "mini.rs",
        bin: "opt/cargo/bin",
        tools: &["opt/rustup/toolchains/one/bin/rustc"],
        shim: Some(("opt/cargo/bin/rustc", RUSTUP)),
        variable: Some(("RUSTUP_HOME", "opt/rustup")),
    },
    Layout {
        name: "pyenv in the home folder",
        source: "mini.py",
        bin: "home/.pyenv/shims",
        tools: &["home/.pyenv/versions/3/bin/python3"],
        shim: Some(("home/.pyenv/shims/python3", PYENV)),
        variable: None,
    },
    Layout {
        name: "pyenv elsewhere",
        source: "mini.py",
        bin: "opt/pyenv/shims",
        tools: &["opt/pyenv/versions/3/bin/python3"],
        shim: Some(("opt/pyenv/shims/python3", PYENV)),
        variable: Some(("PYENV_ROOT", "opt/pyenv")),
    },
    Layout {
        name: "nvm",
        source: "mini.js",
        bin: "home/.nvm/versions/node/v1/bin",
        tools: &["home/.nvm/versions/node/v1/bin/node"],
        shim: None,
        variable: None,
    },
    Layout {
        name: "sdkman",
        source: "Main.java",
        bin: "home/.sdkman/candidates/java/current/bin",
        tools: &[
            "home/.sdkman/candidates/java/21/bin/java",
            "home/.sdkman/candidates/java/21/bin/javac",
        ],
        shim: None,
        variable: None,
    },
    Layout {
        name: "go in a folder of its own",
        source: "mini.go",
        bin: "local/go/bin",
        tools: &["local/go/bin/go"],
        shim: None,
        variable: None,
    },
];

/// The result of grading a submission.
#[derive(Debug)]
struct GradeResult {
    code: Option<i32>,
    /// The verdict, if the submission was judged.
    verdict: Option<String>,
    /// The reason, if it was skipped.
    skipped: Option<String>,
}

impl Layout {
    /// A judge's folder with this installation and a right submission.
    fn installed(&self) -> Judge {
        let judge = Judge::new();
        for tool in self.tools {
            judge.script(tool, TOOL);
        }
        if let Some((path, [variable, folder, tool])) = self.shim {
            judge.script(path, &shim_script(variable, folder, tool));
        }
        if self.bin.contains("/current/") {
            judge.link("home/.sdkman/candidates/java/current", "21");
        }
        let right = RIGHT.lines().skip(1).map(|line| format!("// sh: {line}\n"));
        judge.put(self.source, right.collect::<String>());
        judge
    }

    fn grade(&self, judge: &Judge, level: &str) -> GradeResult {
        let mut command = judge.command(&[
            "grade",
            "-p",
            "mini",
            self.source,
            "--sandbox",
            level,
            "--log",
            "log",
        ]);
        let path = format!("{}:/usr/bin:/bin", judge.path(self.bin).display());
        command.env("PATH", path).env("HOME", judge.path("home"));
        for name in ["RUSTUP_HOME", "CARGO_HOME", "PYENV_ROOT"] {
            command.env_remove(name);
        }
        if let Some((name, folder)) = self.variable {
            command.env(name, judge.path(folder));
        }
        let ran = judge.ran(command.output().unwrap());
        let events: Vec<Value> = judge
            .read("log")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let text = |event: &str, key: &str| {
            let found = events.iter().find(|found| found["event"] == event);
            found
                .and_then(|found| found[key].as_str())
                .map(str::to_owned)
        };
        let verdict = text("submission_finished", "verdict");
        let skipped = text("submission_skipped", "cause");
        GradeResult {
            code: ran.code,
            verdict,
            skipped,
        }
    }
}

/// The levels that are available on this machine, each with its turn.
fn levels() -> impl Iterator<Item = (Turn, &'static str)> {
    static AVAILABLE: OnceLock<Vec<&str>> = OnceLock::new();
    let is_available = |level: &&str| {
        let judge = Judge::new();
        let ran = judge.script("mini.sh", RIGHT).run(&[
            "grade",
            "mini.sh",
            "--sandbox",
            level,
        ]);
        if ran.code == Some(3) {
            println!("level {level} is not available here: {}", ran.stderr);
        }
        ran.code != Some(3)
    };
    let available =
        AVAILABLE.get_or_init(|| LEVELS.into_iter().filter(is_available).collect());
    Turn::of_each(available).map(|(turn, level)| (turn, *level))
}

#[test]
fn a_right_program_is_right_wherever_its_language_is_installed() {
    for (turn, level) in levels() {
        for layout in turn.share(&LAYOUTS) {
            let result = layout.grade(&layout.installed(), level);
            assert_eq!(
                result.verdict.as_deref(),
                Some("AC"),
                "{} at {level}: {result:?}",
                layout.name
            );
        }
    }
}

#[test]
fn a_tool_that_does_not_find_its_home_is_a_skip_with_a_reason() {
    let with_variable = LAYOUTS.iter().filter(|layout| layout.variable.is_some());
    for (turn, level) in levels() {
        for layout in turn.share(with_variable.clone()) {
            let layout = Layout {
                variable: None,
                ..*layout
            };
            let result = layout.grade(&layout.installed(), level);
            assert_eq!(
                (result.code, &result.verdict),
                (Some(3), &None),
                "{} at {level}: {result:?}",
                layout.name
            );
            let cause = result.skipped.unwrap_or_default();
            assert!(cause.starts_with("a right program does not "), "{cause}");
            assert!(
                cause.contains("error: could not create home directory: "),
                "{cause}"
            );
        }
    }
}

#[test]
fn examples_in_a_language_that_does_not_work_are_skipped_and_counted() {
    let judge = Judge::new();
    judge.script("bin/node", "#!/bin/sh\necho hello\n");
    judge.put("problems/mini/submissions/accepted/one.js", "");
    judge.put("problems/mini/submissions/wrong/two.js", "");
    let right = "problems/mini/submissions/accepted/right.sh";
    judge.script(right, RIGHT);
    let grade = || {
        let mut command = judge.command(&["grade"]);
        let bin = judge.path("bin");
        command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        judge.ran(command.output().unwrap())
    };
    let ran = grade();
    assert!(
        ran.stdout
            .ends_with("\n3 submissions, 2 trials: 1 as expected, 2 skipped\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    judge.remove(right);
    // A machine on which nothing works lets nothing pass.
    assert_eq!(grade().code, Some(3));
}

#[test]
fn the_doctor_reports_which_languages_do_not_work_and_why() {
    let judge = Judge::new().with_few_languages(&["javascript", "python", "rust"]);
    judge.script(
        "bin/rustc",
        "#!/bin/sh\necho 'error: no such target' >&2\nexit 1\n",
    );
    judge
        .script("bin/node", "#!/bin/sh\necho hello\n")
        .script("bin/python3", "#!/bin/sh\necho ok\n");
    let mut command = judge.command(&["doctor"]);
    command.env(
        "PATH",
        format!("{}:/usr/bin:/bin", judge.path("bin").display()),
    );
    let ran = judge.ran(command.output().unwrap());
    let words = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let rustc = judge.path("bin/rustc");
    for expected in [
        format!("no Rust {}: a right program does not compile here: ", rustc.display()),
        "the compiler ended with exit code 1: error: no such target remedy: see that its tools work"
            .to_owned(),
        "a right program does not run here: it does not print `ok` but `hello`".to_owned(),
        format!("yes Python {}", judge.path("bin/python3").display()),
    ] {
        assert!(words.contains(&expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn the_test_of_a_language_is_cached_until_a_tool_changes() {
    let judge = Judge::with_empty_cache();
    let shell = "#!/bin/sh\nexec sh \"$@\"\n";
    judge.script("made/bin/shell", shell);
    judge.put(
        "judge.toml",
        "[languages.shell]\nextensions = [\"shell\"]\nrun = [\"shell\", \"{source}\"]\nknown_good = \"echo ok\"\n",
    );
    let works = |name: &str| {
        judge.put(name, RIGHT);
        let mut command =
            judge.command(&["grade", "-p", "mini", name, "--log", "log"]);
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", judge.path("made/bin").display()),
        );
        let ran = judge.ran(command.output().unwrap());
        let files = std::fs::read_dir(judge.path("cache"))
            .unwrap()
            .map(Result::unwrap);
        // The folder also contains the file of notes that were shown.
        let trials = files
            .filter(|file| file.file_name().to_string_lossy().starts_with("trials-"));
        (ran.code, trials.count())
    };
    assert_eq!(works("one.shell"), (Some(0), 2));
    assert_eq!(works("two.shell"), (Some(0), 3));
    // One more file for the program, and one for the language.
    judge.script("made/bin/shell", &format!("{shell}# newer\n"));
    assert_eq!(works("three.shell"), (Some(0), 5));
    judge.script(
        "made/bin/shell",
        "#!/bin/sh\necho 'sh: broken' >&2\nexit 3\n",
    );
    assert_eq!(works("three.shell"), (Some(3), 5));
}
