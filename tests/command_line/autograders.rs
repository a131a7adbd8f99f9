//! Reports for autograders on the command line, and the autograders in
//! `examples/autograders/`, each in a root like that of its system. As root the scripts
//! run in a root of their own, where they find the folders that their system has;
//! otherwise variables say where the folders are. Both are in a plain container,
//! without user namespaces.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::judge::processes::copy_program;
use crate::judge::{HALF_RIGHT, Judge, RIGHT, Ran, needs_cc};

/// A program for the problem of the examples that is right.
const PROGRAM: &str =
    include_str!("../../src/cli/commands/init/sample/backtracking.c");

/// What Classroom 50 says of a run.
const CLASSROOM: [(&str, &str); 7] = [
    ("CLASSROOM", "cs"),
    ("ASSIGNMENT", "grids"),
    ("ASSIGNMENT_TYPE", "individual"),
    ("OWNER", "alice"),
    ("SUBMISSION_TAG", "submit/1"),
    ("COMMIT_URL", "https://c"),
    ("RELEASE_URL", "https://r"),
];

/// Makes a root from the folders of this machine that programs need, and runs a command
/// there.
const ENTER: &str = r#"
root=$1
shift
mkdir -p "$root/usr" "$root/etc" "$root/proc" "$root/dev" "$root/tmp"
chmod 1777 "$root/tmp"
mount --bind /usr "$root/usr"
mount --bind /etc "$root/etc"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
for name in bin lib lib64 sbin; do [ -L "/$name" ] && ln -sfn "usr/$name" "$root/$name"; done
for name in bin lib lib64 sbin; do
    [ -L "/$name" ] || [ ! -d "/$name" ] || { mkdir -p "$root/$name"; mount --bind "/$name" "$root/$name"; }
done
exec chroot "$root" "$@"
"#;

/// The root of a system, with a program that makes a container and gridjudge.
struct SystemRoot {
    judge: Judge,
}

impl SystemRoot {
    fn new() -> Self {
        needs_cc();
        let root = Self {
            judge: Judge::new(),
        };
        fs::create_dir_all(root.path("/opt/bin")).unwrap();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/container.c");
        let compiled = Command::new("cc")
            .arg("-o")
            .args([&*root.path("/opt/bin/container"), source.as_ref()])
            .status();
        assert!(compiled.unwrap().success());
        root
    }

    /// With gridjudge installed.
    fn with_gridjudge() -> Self {
        let root = Self::new();
        let installed = root.path("/opt/bin/gridjudge");
        copy_program(env!("CARGO_BIN_EXE_gridjudge").as_ref(), &installed);
        root
    }

    fn is_changed() -> bool {
        rustix::process::geteuid().is_root()
    }

    /// Where a file of the system is on this machine.
    fn path(&self, name: &str) -> PathBuf {
        self.judge.path("root").join(name.trim_start_matches('/'))
    }

    /// The name of a file of the system, as its scripts see it.
    fn seen(&self, name: &str) -> String {
        if Self::is_changed() {
            name.to_owned()
        } else {
            self.path(name).display().to_string()
        }
    }

    /// Copies a folder of the examples to a folder of the system.
    fn add_example(&self, example: &str, to: &str) -> &Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/autograders");
        let to = self.path(to);
        fs::create_dir_all(&to).unwrap();
        let source = from.join(example).join(".");
        let copied = Command::new("cp").arg("-R").args([source, to]).status();
        assert!(copied.unwrap().success());
        self
    }

    fn put(&self, name: &str, text: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Runs a command in a folder of the system. The variables are names of its files.
    fn run(&self, folder: &str, command: &str, files: &[(&str, &str)]) -> Ran {
        let mut script = format!("cd '{}' && ", self.seen(folder));
        for (name, file) in files {
            script += &format!("export {name}='{}' && ", self.seen(file));
        }
        script += command;
        let mut command = if Self::is_changed() {
            let mut command = self.judge.command_of("unshare", &[]);
            let enter = [
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-euc",
                ENTER,
                "sh",
            ];
            command.args(enter).arg(self.path("/"));
            command
        } else {
            self.judge.command_of("env", &[])
        };
        command
            .args([&*self.seen("/opt/bin/container"), "sh", "-c", &script])
            .env(
                "PATH",
                format!("{}:/usr/bin:/bin:/usr/sbin:/sbin", self.seen("/opt/bin")),
            )
            .env("HOME", self.seen("/tmp"))
            .env("TMPDIR", self.seen("/tmp"))
            .env("GRIDJUDGE_CACHE", self.seen("/tmp/cache"))
            .envs(CLASSROOM);
        fs::create_dir_all(self.path("/tmp")).unwrap();
        self.judge.ran(command.output().unwrap())
    }

    fn json(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name));
        serde_json::from_str(&text.unwrap_or_else(|error| panic!("{name}: {error}")))
            .unwrap()
    }
}

#[test]
fn the_autograder_for_gradescope_installs_gridjudge_and_judges_in_its_folders() {
    let root = SystemRoot::new();
    root.add_example("gradescope", "/autograder/source");
    copy_program(
        env!("CARGO_BIN_EXE_gridjudge").as_ref(),
        &root.path("/autograder/source/gridjudge"),
    );
    copy_program(
        &root.path("/autograder/source/run_autograder"),
        &root.path("/autograder/run_autograder"),
    );
    let folders = [
        ("SOURCE", "/autograder/source"),
        ("SUBMISSION", "/autograder/submission"),
        ("RESULTS", "/autograder/results"),
        ("BIN", "/opt/bin"),
    ];
    let setup = root.run("/autograder/source", "PACKAGES= ./setup.sh", &folders);
    assert_eq!(setup.code, Some(0), "{}", setup.stderr);

    // A rival for the only processor leaves half of it.
    let judged = |name: &str, text: &str| {
        let _ = fs::remove_dir_all(root.path("/autograder/submission"));
        root.put(&format!("/autograder/submission/{name}"), text);
        let rival = "(while :; do :; done) & rival=$!; ./run_autograder; code=$?; kill $rival; exit $code";
        let pinned = format!("taskset -c 0 sh -c '{rival}'");
        let ran = root.run("/autograder", &pinned, &folders);
        assert_eq!(ran.code, Some(0), "{} {}", ran.stdout, ran.stderr);
        root.json("/autograder/results/results.json")
    };
    let right = judged("my program.c", PROGRAM);
    assert_eq!(right["score"], 100, "{right}");
    let tests = right["tests"].as_array().unwrap();
    let seen: Vec<_> = tests
        .iter()
        .map(|test| (&test["name"], &test["max_score"], &test["visibility"]))
        .collect();
    assert_eq!(
        seen,
        [
            (&json!("sample"), &json!(40), &json!("visible")),
            (&json!("secret"), &json!(60), &json!("after_published"))
        ]
    );
    let refused = judged("a.c", "int main( {");
    assert_eq!(refused["score"], 0);
    assert!(
        refused["output"]
            .as_str()
            .unwrap()
            .contains("CE (compile error)")
    );
    let unknown = judged("essay.txt", "I could not do it.");
    let output = unknown["output"].as_str().unwrap();
    assert!(
        output.contains("essay.txt: cannot be judged: is of no known language"),
        "{output}"
    );
    let nested = judged("hw 1/src/my program.c", PROGRAM);
    assert_eq!(nested["score"], 100, "{nested}");
    let packed = judged("hw.zip", "PK");
    let output = packed["output"].as_str().unwrap();
    let said = "hw.zip: cannot be judged: is an archive, and no program; hand in programs whose names end in .";
    assert!(
        output.contains(said) && !output.contains("gridjudge"),
        "{output}"
    );
    let empty = judged(".empty", "");
    let output = empty["output"].as_str().unwrap();
    let said = "program: cannot be judged: is missing; hand in programs";
    assert!(output.contains(said), "{output}");
}

#[test]
fn the_autograder_for_prairielearn_judges_what_is_in_its_folder() {
    let root = SystemRoot::with_gridjudge();
    root.add_example("prairielearn/tests", "/grade/tests")
        .put("/grade/student/program.c", PROGRAM);
    let info = include_str!("../../examples/autograders/prairielearn/info.json");
    let info: Value = serde_json::from_str(info).unwrap();
    let entry = &info["externalGradingOptions"]["entrypoint"];
    let entry = root.seen(entry.as_str().unwrap());
    let ran = root.run("/", &entry, &[("GRADE", "/grade")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let results = root.json("/grade/results/results.json");
    assert_eq!(
        (&results["gradable"], &results["score"]),
        (&json!(true), &json!(1.0))
    );
    fs::remove_file(root.path("/grade/student/program.c")).unwrap();
    root.run("/", &entry, &[("GRADE", "/grade")]);
    assert_eq!(root.json("/grade/results/results.json")["gradable"], false);
}

#[test]
fn the_autograder_for_classroom_50_writes_its_result_into_the_checkout() {
    let root = SystemRoot::with_gridjudge();
    root.add_example("classroom50", "/bundle")
        .put("/checkout/program.c", PROGRAM);
    let autograder = root.seen("/bundle/autograder.py");
    let command = format!("/usr/bin/env python3 '{autograder}'");
    let ran = root.run("/checkout", &command, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let result = root.json("/checkout/result.json");
    assert_eq!(
        (&result["score"], &result["max-score"], &result["owner"]),
        (&json!(100), &json!(100), &json!("alice"))
    );
    fs::remove_file(root.path("/checkout/program.c")).unwrap();
    let ran = root.run("/checkout", &command, &[]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

#[test]
fn the_autograder_for_autolab_prints_the_points_last() {
    let root = SystemRoot::with_gridjudge();
    root.add_example("autolab", "/lab");
    let made = root.run("/lab", "make", &[]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    root.put("/job/handin.c", PROGRAM);
    for (from, to) in [
        ("autograde.tar", "autograde.tar"),
        ("autograde-Makefile", "Makefile"),
    ] {
        fs::copy(
            root.path(&format!("/lab/{from}")),
            root.path(&format!("/job/{to}")),
        )
        .unwrap();
    }
    let ran = root.run("/job", "make", &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let last = ran.stdout.lines().last().unwrap();
    assert_eq!(last, r#"{"scores":{"grid-4x4":100}}"#, "{}", ran.stdout);
}

#[test]
fn the_autograder_for_vpl_makes_a_program_that_prints_the_grade() {
    let root = SystemRoot::with_gridjudge();
    root.add_example("vpl", "/home/task")
        .put("/home/task/program.c", PROGRAM)
        .put("/home/task/vpl_environment.sh", "VPL_GRADEMAX=20\n");
    let execute = |script: &str| {
        let command = format!("./{script} && ./vpl_execution");
        let ran = root.run("/home/task", &command, &[]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let said = execute("vpl_evaluate.sh");
    assert!(said.ends_with("Grade :=>> 20\n"), "{said}");
    assert!(said.contains("secret: passed 60/60"), "{said}");
    let said = execute("vpl_run.sh");
    assert!(
        said.contains("sample: passed") && !said.contains("secret"),
        "{said}"
    );
}

#[test]
fn all_autograders_have_the_same_problem_and_choose_programs_alike() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/autograders");
    let judges = [
        "gradescope",
        "classroom50",
        "prairielearn/tests",
        "autolab/src",
        "vpl",
    ];
    let files = |folder: &str| {
        let judge = examples.join(folder).join("judge");
        let files = walkdir::WalkDir::new(&judge).sort_by_file_name();
        let files = files.into_iter().map(Result::unwrap);
        files
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let name = entry.path().strip_prefix(&judge).unwrap().to_owned();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect::<Vec<_>>()
    };
    for folder in judges {
        assert!(files(folder) == files("gradescope"), "{folder}");
        let programs = fs::read(examples.join(folder).join("programs.sh"));
        let expected = fs::read(examples.join("gradescope/programs.sh")).unwrap();
        assert!(
            folder == "classroom50" || programs.unwrap() == expected,
            "{folder}"
        );
    }
}

#[test]
fn a_report_of_a_log_is_that_of_the_judging_and_replaces_only_its_like() {
    let judge = Judge::new();
    judge
        .script("right.sh", RIGHT)
        .script("half.sh", HALF_RIGHT);
    let formats = ["gradescope", "prairielearn", "autolab", "vpl"];
    let mut arguments =
        vec!["grade", "half.sh", "right.sh", "-p", "mini", "--log", "log"];
    let options = formats.map(|format| format!("--{format}={format}.out"));
    arguments.extend(options.iter().map(String::as_str));
    assert_eq!(judge.run(&arguments).code, Some(1));
    for format in formats {
        let option = format!("--{format}");
        let again = judge.run(&["report", "log", &option, "-"]);
        assert_eq!(again.stdout, judge.read(&format!("{format}.out")));
        let file = format!("{format}.out");
        assert_eq!(judge.run(&["report", "log", &option, &file]).code, Some(0));
        let other = judge.run(&["report", "log", &option, "right.sh"]);
        assert_eq!(other.code, Some(2));
        assert!(
            other
                .stderr
                .contains("and the new report would overwrite it"),
            "{}",
            other.stderr
        );
        assert_eq!(judge.read("right.sh"), RIGHT);
    }
    assert!(judge.read("vpl.out").ends_with("Grade :=>> 100\n"));
}

#[test]
fn what_a_system_does_not_say_of_the_run_is_an_error_before_judging() {
    let judge = Judge::new();
    judge.script("right.sh", RIGHT);
    let arguments = ["grade", "right.sh", "-p", "mini", "--classroom50", "out"];
    let mut command = judge.command(&arguments);
    for (name, _) in CLASSROOM {
        command.env_remove(name);
    }
    let ran = command
        .env_remove("USERNAME")
        .env("OWNER", "alice")
        .output();
    let ran = judge.ran(ran.unwrap());
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    assert!(
        ran.stderr.contains(
            "needs environment variables that are not set: CLASSROOM, ASSIGNMENT, ASSIGNMENT_TYPE, SUBMISSION_TAG, COMMIT_URL, RELEASE_URL, REVIEW_URL"
        ),
        "{}",
        ran.stderr
    );
    assert!(!judge.path("out").exists());
    let arguments = ["grade", "right.sh", "-p", "mini", "--vpl", "-"];
    let ran = judge
        .command(&arguments)
        .env("VPL_GRADEMAX", "much")
        .output();
    let ran = judge.ran(ran.unwrap());
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("VPL_GRADEMAX is no number: `much`"));
}

#[test]
fn a_submission_that_cannot_be_planned_has_a_report_that_says_so() {
    let judge = Judge::new();
    judge.put("essay.txt", "I could not do it.");
    let ran = judge.run(&["grade", "essay.txt", "-p", "mini", "--prairielearn", "-"]);
    assert_eq!(ran.code, Some(2));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["gradable"], false);
    let said = report["format_errors"][0].as_str().unwrap();
    assert!(said.contains("essay.txt: cannot be judged: is of no known language"));
    judge.script("right.sh", RIGHT);
    let grade = ["grade", "right.sh", "-p", "mini", "--prairielearn", "-"];
    // Where nothing can be run at all.
    let ran = judge.command(&grade).env("TMPDIR", "/nowhere").output();
    let ran = judge.ran(ran.unwrap());
    assert_eq!(ran.code, Some(3));
    assert!(
        ran.stdout.contains("right.sh: cannot be judged: "),
        "{ran:?}"
    );
    judge.put("problems/mini/problem.toml", "SECRET = 1\n");
    let ran = judge.run(&grade);
    assert!(!ran.stdout.contains("SECRET"), "{}", ran.stdout);
    assert!(ran.stdout.contains("a mistake in the problem"));
}
