//! The jobs of docs/ci.md, `action.yml` and `gridjudge init --ci`: a shell runs each of
//! their commands unchanged, in a project that `gridjudge init` created. Only packages
//! are not installed, and of a release there is a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::judge::{HALF_RIGHT, Judge, needs_cc};

pub(super) fn own_file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The YAML blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```yaml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines below the line `key:`, without their indentation.
fn below(yaml: &str, key: &str) -> Vec<String> {
    let mut lines = yaml
        .lines()
        .skip_while(|line| line.trim() != format!("{key}:"));
    let Some(head) = lines.next() else {
        return vec![];
    };
    let inner = lines
        .take_while(|line| line.trim().is_empty() || indent(line) > indent(head));
    inner.map(|line| line.trim().to_owned()).collect()
}

/// The commands of a workflow or an action, in order: `run: LINE`, and `run: |` with
/// lines below.
pub(super) fn runs(yaml: &str) -> Vec<String> {
    let lines: Vec<_> = yaml.lines().collect();
    let mut runs = vec![];
    for (number, line) in lines.iter().enumerate() {
        match line
            .trim_start()
            .trim_start_matches("- ")
            .strip_prefix("run: ")
        {
            Some("|") => {
                let inner = lines[number + 1..]
                    .iter()
                    .take_while(|inner| indent(inner) > indent(line));
                runs.push(inner.copied().collect::<Vec<_>>().join("\n"));
            }
            Some(command) => runs.push(command.to_owned()),
            None => {}
        }
    }
    runs
}

/// The commands of a GitLab job: `- LINE`, and `- |` with lines below.
fn scripts(yaml: &str) -> Vec<String> {
    let lines = ["before_script", "script"]
        .into_iter()
        .flat_map(|key| below(yaml, key));
    let mut commands: Vec<String> = vec![];
    for line in lines.filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("- ") {
            Some("|") => commands.push(String::new()),
            Some(command) => commands.push(command.to_owned()),
            None => *commands.last_mut().unwrap() += &format!("{line}\n"),
        }
    }
    commands
}

/// What takes files from a release, whose address is that of a folder.
const CURL: &str = "#!/bin/sh
for argument; do
    case $argument in file://*) cp \"${argument#file://}\" . ;; esac
done
";

/// A new project of `init`, with a shell that finds the judge, and an `install` and a
/// `cargo` that only record their arguments.
struct Project {
    judge: Judge,
}

impl Project {
    fn new(arguments: &[&str]) -> Self {
        let judge = Judge::new().with_few_languages(&[]);
        let ran = judge.run(&[&["init", "project"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        for name in ["cargo", "install"] {
            let text = format!("#!/bin/sh\necho \"{name} $*\" >> \"$ASKED\"\n");
            judge.script(format!("bin/{name}"), &text);
        }
        judge.script("bin/curl", CURL);
        for machine in ["x86_64", "aarch64"] {
            judge.put(format!("release/gridjudge-{machine}-linux"), machine);
        }
        let sums = "cd \"$0\" && sha256sum gridjudge* > SHA256SUMS";
        let summed = judge
            .command_of("sh", &["-c", sums])
            .arg(judge.path("release"))
            .status();
        assert!(summed.unwrap().success());
        judge.script(
            "bin/git",
            "#!/bin/sh\nprintf %s \"$TRACKED\"\nexit \"${GIT_CODE:-0}\"\n",
        );
        judge
            .script("bin/apt-get", "#!/bin/sh\nexit 0\n")
            .script("bin/sudo", "#!/bin/sh\nexec \"$@\"\n");
        Self { judge }
    }

    /// Runs a command as a CI runner does.
    fn shell(&self, command: &str, values: &BTreeMap<String, String>) -> Output {
        let judge = Path::new(env!("CARGO_BIN_EXE_gridjudge"))
            .parent()
            .unwrap()
            .to_owned();
        let default = std::env::var_os("PATH").unwrap_or_default();
        let path = [self.judge.path("bin"), judge]
            .into_iter()
            .chain(std::env::split_paths(&default));
        let mut shell = Command::new("bash");
        shell.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", command]);
        shell
            .env("PATH", std::env::join_paths(path).unwrap())
            .env("ASKED", self.judge.path("asked"));
        shell
            .env("GITHUB_STEP_SUMMARY", self.judge.path("summary"))
            .env("TMPDIR", self.judge.path("tmp"));
        shell
            .env("GRIDJUDGE_CACHE", self.judge.path("cache"))
            .env("XDG_CONFIG_HOME", self.judge.path("config"));
        shell
            .env(
                "GRIDJUDGE",
                format!("file://{}", self.judge.path("release").display()),
            )
            .env("PROBLEM", "first-4x4")
            .env("GITHUB_ACTION_PATH", "the-action");
        shell
            .envs(values)
            .current_dir(self.judge.path("project"))
            .output()
            .unwrap()
    }

    /// Runs commands that must all succeed.
    #[track_caller]
    fn runs(&self, commands: &[String], values: &BTreeMap<String, String>) {
        for command in commands {
            let output = self.shell(command, values);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let code = output.status.code();
            assert_eq!(
                code,
                Some(0),
                "{command}\n{}{}",
                text(&output.stdout),
                text(&output.stderr)
            );
        }
    }

    /// Asserts that the program of this machine was installed from the release.
    #[track_caller]
    fn assert_installed(&self) {
        let asked = self.judge.read("asked");
        let machine = std::env::consts::ARCH;
        assert_eq!(
            asked,
            format!("install gridjudge-{machine}-linux /usr/local/bin/gridjudge\n")
        );
    }

    fn path(&self, name: &str) -> PathBuf {
        self.judge.path("project").join(name)
    }
}

#[test]
fn the_page_shows_what_init_writes() {
    let page = own_file("docs/ci.md");
    let blocks = blocks(&page);
    for (arguments, file) in [
        (&["--ci", "github"][..], ".github/workflows/judge.yml"),
        (&["--ci", "gitlab"], ".gitlab-ci.yml"),
        (
            &["--ci", "github", "--shards", "4"],
            ".github/workflows/judge.yml",
        ),
        (&["--ci", "gitlab", "--shards", "4"], ".gitlab-ci.yml"),
    ] {
        let project = Project::new(arguments);
        let written = fs::read_to_string(project.path(file)).unwrap();
        assert!(
            blocks.contains(&written.as_str()),
            "docs/ci.md does not show the {file} of `init`"
        );
    }
}

#[test]
fn the_workflow_has_few_permissions_and_a_timeout_and_always_keeps_its_reports() {
    let project = Project::new(&["--ci", "github"]);
    let written =
        fs::read_to_string(project.path(".github/workflows/judge.yml")).unwrap();
    for part in [
        "permissions:\n  contents: read\n",
        "timeout-minutes:",
        "actions/cache@",
        "if: always()\n",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn every_command_of_the_workflow_succeeds_on_a_new_project() {
    let page = own_file("docs/ci.md");
    let workflow = blocks(&page)[0];
    let commands = runs(workflow);
    assert_eq!(commands.len(), 6, "{commands:?}");
    let project = Project::new(&[]);
    project.runs(&commands, &BTreeMap::new());
    project.assert_installed();
    assert!(project.judge.read("summary").contains("first-4x4"));
    let (_, upload) = workflow.split_once("- name: Keep the reports\n").unwrap();
    assert!(
        upload.trim_start().starts_with("if: always()\n"),
        "{upload}"
    );
    for kept in ["verify.xml", "verify.jsonl", "junit.xml", "grade.jsonl"] {
        assert!(
            upload.lines().any(|line| line.trim() == kept)
                && project.path(kept).is_file(),
            "{kept}"
        );
    }
}

#[test]
fn every_command_of_the_gitlab_job_succeeds_on_a_new_project() {
    let page = own_file("docs/ci.md");
    let job = blocks(&page)[2];
    let commands = scripts(job);
    assert_eq!(commands.len(), 7, "{commands:?}");
    let project = Project::new(&[]);
    project.runs(&commands, &BTreeMap::new());
    project.assert_installed();
    let kept = [below(job, "artifacts"), below(job, "junit")].concat();
    for file in ["verify.xml", "verify.jsonl", "junit.xml", "grade.jsonl"] {
        assert!(
            kept.contains(&format!("- {file}")) && project.path(file).is_file(),
            "{file}"
        );
    }
}

#[test]
fn the_gitlab_job_ends_if_git_tracks_its_cache_or_cannot_say() {
    let page = own_file("docs/ci.md");
    let commands = scripts(blocks(&page)[2]);
    let guard = commands
        .iter()
        .find(|command| command.contains("ls-files"))
        .unwrap();
    let project = Project::new(&[]);
    for (tracked, code, expected) in [
        ("", "0", Some(0)),
        (".gridjudge/bin/gridjudge", "0", Some(1)),
        ("", "128", Some(128)),
    ] {
        let values = [("TRACKED", tracked), ("GIT_CODE", code)];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let output = project.shell(guard, &BTreeMap::from(values));
        assert_eq!(
            output.status.code(),
            expected,
            "{tracked:?}, {code}: {output:?}"
        );
    }
}

#[test]
fn a_program_that_is_not_the_one_of_its_checksum_is_not_installed() {
    let page = own_file("docs/ci.md");
    let project = Project::new(&[]);
    let program = format!("release/gridjudge-{}-linux", std::env::consts::ARCH);
    project.judge.put(program, "another");
    for commands in [runs(blocks(&page)[0]), scripts(blocks(&page)[2])] {
        let install = commands
            .iter()
            .find(|command| command.contains("curl -"))
            .unwrap();
        let output = project.shell(install, &BTreeMap::new());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(!project.judge.path("asked").exists());
    }
}

/// A wrong program for the problem of a new project.
const WRONG_C: &str = "#include <stdio.h>\nint main(void) { puts(\"1\"); }\n";

#[test]
fn programs_next_to_judge_toml_are_judged_for_the_problem_of_the_job_or_of_their_names()
 {
    needs_cc();
    let page = own_file("docs/ci.md");
    let project = Project::new(&[]);
    project.judge.put("project/solver.c", WRONG_C);
    for workflow in blocks(&page) {
        let commands = [runs(workflow), scripts(workflow)].concat();
        let Some(judge) = commands
            .iter()
            .find(|command| command.contains("programs.xml"))
        else {
            continue;
        };
        let ran = |problem: &str| {
            let problem = [("PROBLEM".to_owned(), problem.to_owned())];
            let output = project.shell(judge, &BTreeMap::from(problem));
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            (output.status.code(), said)
        };
        assert_eq!(ran("first-4x4").0, Some(1));
        let report = fs::read_to_string(project.path("programs.xml")).unwrap();
        assert!(report.contains("solver.c"), "{report}");
        let (code, said) = ran("");
        assert_eq!(code, Some(0), "{said}");
        assert!(
            said.ends_with("named after a problem: solver.c\n"),
            "{said}"
        );
        project.judge.put("project/first-4x4.c", WRONG_C);
        assert_eq!(ran("").0, Some(1));
        fs::remove_file(project.path("first-4x4.c")).unwrap();
    }
}

#[test]
fn the_job_of_a_folder_names_its_problem_only_if_there_is_one() {
    let project = Project::new(&[]);
    let line = |file: &str| {
        let ran = project.judge.run(&["init", "project", "--ci", file]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let written = match file {
            "github" => ".github/workflows/judge.yml",
            _ => ".gitlab-ci.yml",
        };
        let text = fs::read_to_string(project.path(written)).unwrap();
        let line = text.lines().find(|line| line.contains("PROBLEM:"));
        line.unwrap().trim().to_owned()
    };
    assert_eq!(line("github"), "PROBLEM: \"first-4x4\"");
    let second = project.path("problems/second");
    fs::create_dir(&second).unwrap();
    fs::copy(
        project.path("problems/first-4x4/problem.toml"),
        second.join("problem.toml"),
    )
    .unwrap();
    assert_eq!(line("gitlab"), "PROBLEM: \"\"");
}

/// The blocks of the page for shards: GitHub's and GitLab's.
fn blocks_of_shards(page: &str) -> Vec<&str> {
    let of_shards = blocks(page)
        .into_iter()
        .filter(|block| block.contains("gridjudge merge"));
    of_shards.collect()
}

#[test]
fn the_jobs_of_the_sharded_workflow_judge_everything_and_merge_it() {
    let page = own_file("docs/ci.md");
    let workflow = blocks_of_shards(&page)[0];
    let (shard, merge) = workflow.split_once("\n  merge:\n").unwrap();
    let project = Project::new(&[]);
    for number in 1..=4 {
        let commands: Vec<_> = runs(shard)
            .iter()
            .map(|command| {
                command.replace("${{ matrix.shard }}", &number.to_string())
            })
            .map(|command| command.replace("${{ strategy.job-total }}", "4"))
            .collect();
        assert_eq!(commands.len(), 4, "{commands:?}");
        // `doctor` is the same in every job.
        let skipped = if number == 1 { 0 } else { 3 };
        project.runs(&commands[skipped..], &BTreeMap::new());
    }
    project.runs(&runs(merge), &BTreeMap::new());
    assert!(project.judge.read("summary").contains("first-4x4"));
    for kept in ["junit.xml", "grade.jsonl"] {
        assert!(
            merge.lines().any(|line| line.trim() == kept)
                && project.path(kept).is_file(),
            "{kept}"
        );
    }
    assert!(shard.contains("fail-fast: false") && merge.contains("if: always()"));
}

#[test]
fn the_jobs_of_gitlab_in_parallel_judge_everything_and_the_last_one_names_what_is_missing()
 {
    let page = own_file("docs/ci.md");
    let pipeline = blocks_of_shards(&page)[1];
    let (before, merge) = pipeline.split_once("\nmerge:\n").unwrap();
    let (_, shard) = before.split_once("\nshard:\n").unwrap();
    let project = Project::new(&[]);
    let variables = |number: u8| {
        let pairs = [
            ("CI_NODE_INDEX", number.to_string()),
            ("CI_NODE_TOTAL", "4".to_owned()),
        ];
        BTreeMap::from(pairs.map(|(name, value)| (name.to_owned(), value)))
    };
    let judge = scripts(shard).pop().unwrap();
    for number in [1, 2, 4] {
        project.runs(std::slice::from_ref(&judge), &variables(number));
    }
    let commands = scripts(merge);
    let output = project.shell(&commands[0], &BTreeMap::new());
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains(
            "hint: judge it: gridjudge verify -q --all --shard 3/4 --log-dir out\n"
        ),
        "{said}"
    );
    project.runs(&[judge], &variables(3));
    project.runs(&commands, &BTreeMap::new());
    assert!(
        project.path("junit.xml").is_file() && project.path("grade.jsonl").is_file()
    );
}

/// The environment of the action's commands for these inputs; every other input has its
/// default.
fn values(action: &str, given: &[(&str, &str)]) -> BTreeMap<String, String> {
    let inputs = below(action, "inputs");
    let default = |input: &str| {
        let mut lines = inputs
            .iter()
            .skip_while(|line| **line != format!("{input}:"));
        let line =
            lines.find_map(|line| line.strip_prefix("default: ").map(str::to_owned));
        line.unwrap_or_else(|| panic!("no default of {input}"))
            .trim_matches('"')
            .to_owned()
    };
    let value = |input: &str| {
        let found = given.iter().find(|(name, _)| *name == input);
        found.map_or_else(|| default(input), |(_, value)| (*value).to_owned())
    };
    let of_inputs = action.lines().filter_map(|line| {
        let (name, input) = line.trim().split_once(": ${{ inputs.")?;
        let is_variable = name.chars().all(char::is_uppercase);
        is_variable.then_some((name.to_owned(), value(input.strip_suffix(" }}")?)))
    });
    of_inputs.collect()
}

#[test]
fn the_action_judges_what_its_inputs_say() {
    let action = own_file("action.yml");
    let commands = runs(&action);
    let project = Project::new(&[]);
    project.runs(&commands, &values(&action, &[]));
    project.assert_installed();
    assert!(
        project.path("junit.xml").is_file() && project.path("grade.jsonl").is_file()
    );
    // The example of the page.
    project.runs(
        &commands,
        &values(&action, &[("arguments", "--all\n--group=sample\n")]),
    );
    project.judge.script("project/half done.sh", HALF_RIGHT);
    let inputs = [
        ("problem", "first-4x4"),
        ("submissions", "half done.sh\n"),
        ("junit", "other.xml"),
    ];
    let output = project.shell(&commands[2], &values(&action, &inputs));
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(project.path("other.xml").is_file());
    // The text of an input is never run as a command.
    let inputs = [
        ("problem", "$(touch hacked)"),
        ("submissions", "`touch hacked`; touch hacked"),
    ];
    assert_eq!(
        project
            .shell(&commands[2], &values(&action, &inputs))
            .status
            .code(),
        Some(2)
    );
    assert!(!project.path("hacked").exists());
}

#[test]
fn the_action_installs_a_release_with_the_right_checksum_and_builds_where_there_is_none()
 {
    let action = own_file("action.yml");
    let install = &runs(&action)[0];
    let project = Project::new(&[]);
    let release = |address: &str| values(&action, &[("release", address)]);
    project.judge.script("bin/curl", "#!/bin/sh\nexit 22\n");
    project.runs(
        std::slice::from_ref(install),
        &release("https://example.org"),
    );
    let mut nowhere = release("");
    nowhere.insert("GRIDJUDGE".to_owned(), String::new());
    project.runs(std::slice::from_ref(install), &nowhere);
    let built = "cargo install --locked --path the-action\n";
    assert_eq!(project.judge.read("asked"), built.repeat(2));
    project.judge.script("bin/curl", CURL);
    let machine = std::env::consts::ARCH;
    let program = format!("release/gridjudge-{machine}-linux");
    project.judge.put(program, "something else");
    let output = project.shell(install, &release(""));
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(project.judge.read("asked"), built.repeat(2));
}

#[test]
fn the_page_names_every_input_of_the_action() {
    let action = own_file("action.yml");
    let page = own_file("docs/ci.md");
    let inputs = below(&action, "inputs");
    let names = inputs.iter().filter_map(|line| line.strip_suffix(':'));
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 7, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("| `{name}` | ")), "{name}");
    }
}

#[test]
fn the_reports_of_a_failed_verify_are_kept() {
    let page = own_file("docs/ci.md");
    let prove = runs(blocks(&page)[0])
        .into_iter()
        .find(|command| command.contains(" verify "))
        .unwrap();
    let project = Project::new(&[]);
    project.judge.script(
        "project/problems/first-4x4/submissions/accepted/half.sh",
        HALF_RIGHT,
    );
    let output = project.shell(&prove, &BTreeMap::new());
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        fs::read_to_string(project.path("verify.xml"))
            .unwrap()
            .contains("half.sh")
    );
}
