//! Conveniences of the command line: scripts for shells, a manual, a first project, a
//! choice of cases, suggestions for mistyped names, and colours that can be turned off.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::judge::{HALF_RIGHT, Judge, RIGHT};

/// Every command, as the help lists them.
fn commands(judge: &Judge) -> BTreeSet<String> {
    let help = judge.run(&["--help"]).stdout;
    let (listed, _) = help.split_once("\nOptions:\n").unwrap();
    let lines = listed.lines().filter_map(|line| line.strip_prefix("  "));
    lines
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

/// Runs a program with a text on its standard input. Returns whether it succeeded and
/// its standard error; `None` if it is not installed.
fn fed(program: &str, arguments: &[&str], input: &str) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    Some((
        output.status.success(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    ))
}

#[test]
fn completions_name_every_command_and_are_valid_scripts_of_their_shell() {
    let judge = Judge::new();
    let commands = commands(&judge);
    assert!(commands.len() > 10, "{commands:?}");
    for (shell, check) in [
        ("bash", Some("-n")),
        ("zsh", Some("-n")),
        ("fish", Some("--no-execute")),
        ("elvish", Some("-compileonly")),
        ("powershell", None),
    ] {
        let ran = judge.run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(
            commands
                .iter()
                .all(|name| ran.stdout.contains(name.as_str())),
            "{shell}"
        );
        assert!(ran.stdout.contains("first-failure"), "{shell}");
        let output =
            check.and_then(|flag| fed(shell, &[flag, "/dev/stdin"], &ran.stdout));
        assert!(
            output.is_none_or(|(is_good, errors)| is_good && errors.is_empty()),
            "{shell}"
        );
    }
}

#[test]
fn the_problem_may_be_named_with_p_and_the_number_of_runs_with_j_in_the_same_words_everywhere()
 {
    let judge = Judge::new();
    assert_eq!(
        judge.run(&["list", "-p", "mini"]).stdout,
        judge.run(&["list", "mini"]).stdout
    );
    judge.refuses(
        &["doctor", "-p", "mini"],
        "error: problems/mini/problem.toml: is not a package of another judge\n\
         hint: `gridjudge verify` looks into problems of this one",
    );
    for (commands, help) in [
        (
            &["grade", "verify", "answers", "stress"][..],
            "Number of runs at once; 0 for one on each core [default: one on each physical core]",
        ),
        (
            &["generate", "strength", "solve"],
            "Number of threads; 0 for one on each core [default: 0]",
        ),
    ] {
        for command in commands {
            let page = judge.run(&[command, "-h"]).stdout;
            let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(page.contains(help), "{command}: {page}");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_every_command_without_a_mistake_in_it() {
    let judge = Judge::new();
    let commands = commands(&judge);
    let ran = judge.run(&["man", "-o", "pages"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.lines().count(), commands.len() + 1);
    let whole = judge.read("pages/gridjudge.1");
    assert!(whole.contains("Exit codes"), "{whole}");
    for name in &commands {
        assert!(whole.contains(&format!("gridjudge\\-{name}(1)")), "{name}");
        let page = judge.read(&format!("pages/gridjudge-{name}.1"));
        assert_eq!(judge.run(&["man", name]).stdout, page);
        assert!(
            page.contains(".SH NAME") && page.contains(".SH OPTIONS"),
            "{page}"
        );
        if let Some((is_good, warnings)) = fed("groff", &["-man", "-ww", "-z"], &page)
        {
            assert!(is_good && warnings.is_empty(), "{name}: {warnings}");
        }
    }
    assert_eq!(judge.run(&["man"]).stdout, whole);
    for (option, place) in [("--output", "again"), ("--out", "older")] {
        assert_eq!(judge.run(&["man", option, place]).code, Some(0));
        assert_eq!(judge.read(&format!("{place}/gridjudge.1")), whole);
    }
    let grade = judge.read("pages/gridjudge-grade.1");
    for option in ["watch", "case", "group", "sandbox", "log", "all"] {
        assert!(grade.contains(&format!("\\-\\-{option}")), "{option}");
    }
    judge.refuses(
        &["man", "grde"],
        "error: grde: is not a command of gridjudge\nhint: did you mean `grade`?",
    );
}

#[test]
fn a_project_of_init_can_be_graded_and_verified_and_is_not_overwritten() {
    let judge = Judge::new();
    judge.remove("judge.toml");
    for folder in ["problems", "cases"] {
        std::fs::remove_dir_all(judge.path(folder)).unwrap();
    }
    judge.put("proj/.gitignore", "mine\n");
    let ran = judge.run(&["init", "proj", "--ci", "github"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(judge.read("proj/.gitignore"), "mine\n");
    for expected in ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("wrote "))
    {
        assert!(judge.path(expected).is_file(), "{expected}");
    }
    assert!(
        ran.stdout
            .contains("\nNext:\n  cd proj\n  gridjudge grade "),
        "{}",
        ran.stdout
    );
    for command in ["grade", "verify"] {
        let ran = judge.run(&["-C", "proj", command]);
        assert_eq!(ran.code, Some(0), "{command}: {}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.contains(" WA ") && !ran.stdout.contains(" not\n"),
            "{}",
            ran.stdout
        );
    }
    let already = "is there already\nhint: this is a judge's folder: begin a problem in it with `gridjudge new ID`";
    judge.refuses(
        &["init", "proj"],
        &format!("error: proj/judge.toml: {already}"),
    );
    judge.refuses(
        &["-C", "proj", "init"],
        &format!("error: proj/judge.toml: {already}"),
    );
}

#[test]
fn init_touches_nothing_if_one_of_its_files_exists() {
    let judge = Judge::new();
    for place in [
        ".gitlab-ci.yml",
        "problems/first-4x4/statement.md",
        "cases/first-4x4/mine.in",
    ] {
        let path = format!("{}/{place}", place.len());
        judge.put(&path, "mine");
        let remedy = if place.starts_with('.') {
            JOB_REMEDY
        } else {
            "choose another folder, or move it away"
        };
        let named = path.strip_suffix("/mine.in").unwrap_or(&path);
        judge.refuses(
            &["init", &place.len().to_string(), "--ci=gitlab"],
            &format!("error: {named}: is there already\nhint: {remedy}"),
        );
    }
}

/// The hint if the file of a job exists already.
const JOB_REMEDY: &str =
    "move it away, or copy the job into it by hand: docs/ci.md of gridjudge shows it";

#[test]
fn the_job_of_a_folder_inside_a_repository_is_written_to_the_root_of_the_repository()
{
    let judge = Judge::new();
    judge.remove("judge.toml").put(".git/HEAD", "");
    let ran = judge.run(&["init", "contests/2026", "--ci", "github"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(!judge.path("contests/2026/.github").exists());
    let job = judge.read(".github/workflows/judge.yml");
    assert!(
        job.contains("\n    working-directory: \"contests/2026\"\n"),
        "{job}"
    );
    assert!(judge.path("contests/2026/problems/first-4x4").is_dir());
    // The same if the folder exists already and is named with `-C`.
    std::fs::remove_file(judge.path(".github/workflows/judge.yml")).unwrap();
    assert_eq!(
        judge
            .run(&["-C", "contests/2026", "init", "--ci", "github"])
            .code,
        Some(0)
    );
    assert_eq!(judge.read(".github/workflows/judge.yml"), job);
    let ran = judge.run(&["-C", "contests/2026", "init", "--ci", "github"]);
    assert!(
        ran.code == Some(2) && ran.stderr.ends_with(&format!("hint: {JOB_REMEDY}\n")),
        "{ran:?}"
    );
}

#[test]
fn a_job_is_added_to_an_existing_folder() {
    let judge = Judge::new();
    let before = judge.read("judge.toml");
    let ran = judge.run(&["init", "--ci=gitlab"]);
    assert!(
        ran.code == Some(0) && ran.stdout.starts_with("wrote .gitlab-ci.yml\n"),
        "{ran:?}"
    );
    assert!(!judge.path("problems/first-4x4").exists());
    assert_eq!(judge.read("judge.toml"), before);
    let already =
        format!("error: .gitlab-ci.yml: is there already\nhint: {JOB_REMEDY}");
    judge.refuses(&["init", "--ci=gitlab"], &already);
    judge.refuses(
        &["init", "judge.toml"],
        "error: judge.toml: is not a folder\nhint: name an empty folder, or one that does not exist yet",
    );
}

#[test]
fn chosen_cases_are_judged_and_no_others() {
    let judge = Judge::new();
    judge.script("mini.sh", HALF_RIGHT);
    judge.script("problems/mini/submissions/wrong/half.sh", HALF_RIGHT);
    for (choice, code, expected) in [
        (vec![], 1, "1 submission, 2 trials: 0 accepted, 1 not\n"),
        (
            vec!["--case", "001*"],
            0,
            "1 submission, 1 trial: 1 accepted\n",
        ),
        (
            vec!["--group", "sample"],
            0,
            "1 submission, 1 trial: 1 accepted\n",
        ),
        (
            vec!["--case", "*o*", "--group", "secret"],
            1,
            "1 submission, 1 trial: 0 accepted, 1 not\n",
        ),
        (
            vec!["--case", "001*", "--case", "secret/*"],
            1,
            "1 submission, 2 trials: 0 accepted, 1 not\n",
        ),
    ] {
        let ran = judge.run(
            &[
                vec!["grade", "mini.sh", "--all", "--no-cache"],
                choice.clone(),
            ]
            .concat(),
        );
        assert_eq!(ran.code, Some(code), "{choice:?}: {}", ran.stdout);
        assert!(ran.stdout.ends_with(expected), "{choice:?}: {}", ran.stdout);
    }
    // An example in `wrong` may be right on all chosen cases: it need not be wrong on
    // each case.
    assert_eq!(
        judge.run(&["grade", "-q", "--group", "sample"]).code,
        Some(0)
    );
    assert_eq!(
        judge.run(&["grade", "-q", "--group", "secret"]).code,
        Some(0)
    );
}

#[test]
fn a_choice_that_matches_no_case_is_a_mistake_with_the_nearest_name() {
    let judge = Judge::new();
    judge.script("mini.sh", RIGHT);
    for (choice, message) in [
        (
            vec!["--case", "01-one"],
            "no case is named `01-one`\nhint: did you mean `sample/001-one`?",
        ),
        (
            vec!["--case", "secret/002-twoo"],
            "no case is named `secret/002-twoo`\nhint: did you mean `secret/002-two`?",
        ),
        (
            vec!["--case", "x*"],
            "no case is named `x*`\nhint: name it as `sample/001-one`, or by a part of that with `*` and `?`",
        ),
        (
            vec!["--group", "samples"],
            "there is no group `samples`\nhint: did you mean `sample`?",
        ),
        (
            vec!["--group", "zz"],
            "there is no group `zz`\nhint: known: sample, secret",
        ),
        (
            vec!["--group", "sample", "--case", "002*"],
            "no case is of a group and of a name that were chosen",
        ),
    ] {
        let arguments = [vec!["grade", "mini.sh"], choice].concat();
        judge.refuses(&arguments, &format!("error: cases: {message}"));
    }
}

#[test]
fn the_hint_for_a_missing_file_is_the_nearest_name() {
    let judge = Judge::new();
    judge
        .script("mini.sh", RIGHT)
        .script("problems/mini/submissions/accepted/backtracking.sh", RIGHT);
    let missing = "cannot be read: No such file or directory (os error 2)";
    for (arguments, message) in [
        (
            vec!["grade", "mni.sh"],
            format!("mni.sh: {missing}\nhint: did you mean `mini.sh`?"),
        ),
        (
            vec!["grade", "backtraking.sh"],
            format!(
                "backtraking.sh: {missing}\nhint: did you mean `problems/mini/submissions/accepted/backtracking.sh`?"
            ),
        ),
        (
            vec![
                "check",
                "-p",
                "mini",
                "cases/mini/sample/01-one.in",
                "mini.sh",
            ],
            format!(
                "cases/mini/sample/01-one.in: {missing}\nhint: did you mean `cases/mini/sample/001-one.in`?"
            ),
        ),
    ] {
        judge.refuses(&arguments, &format!("error: {message}"));
    }
}

#[test]
fn every_path_that_must_exist_has_the_nearest_one_as_its_hint() {
    let judge = Judge::new();
    judge.script("programs/right.sh", RIGHT);
    let of_files = [
        "grade PATH",
        "grade -p mini programs/right.sh --failed PATH",
        "grade -p mini programs/right.sh --again PATH",
        "grade -p mini programs/right.sh --baseline PATH",
        "plan --shards 2 PATH",
        "plan --shards 2 -p mini programs/right.sh --times PATH",
        "stress -p mini PATH",
        "stress -p mini programs/right.sh --against PATH",
        "stress -p mini programs/right.sh --input PATH",
        "check -p mini PATH programs/right.sh",
        "solve PATH",
        "report PATH",
        "merge PATH",
        "compare PATH PATH",
        "standings PATH",
        "baseline PATH",
        "answers mini --solution PATH",
    ];
    let of_folders = [
        "grade PATH",
        "grade -p ./PATH",
        "verify ./PATH",
        "list ./PATH",
        "generate ./PATH",
        "doctor ./PATH",
        "export ./PATH new --to domjudge",
        "merge PATH",
        "-C PATH list",
    ];
    let named = [
        (&of_files[..], "prorgams/rihgt.sh", "programs/right.sh"),
        (&of_folders[..], "prolbems/mnii", "problems/mini"),
    ];
    for (commands, path, meant) in named {
        for command in commands {
            let command = command.replace("PATH", path);
            let arguments: Vec<_> = command.split(' ').collect();
            let ran = judge.run(&arguments);
            let start = if command.contains("./") { "./" } else { "" };
            let hint = format!("hint: did you mean `{start}{meant}`?\n");
            assert_eq!(ran.code, Some(2), "{command}");
            assert!(ran.stderr.ends_with(&hint), "{command}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_name_in_a_hint_cannot_change_the_terminal() {
    let judge = Judge::new();
    judge.put("notes\u{1b}[31m.sh", "");
    let ran = judge.run(&["grade", "-p", "mini", "notes.sh"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("did you mean `notes") && !ran.stderr.contains('\u{1b}'),
        "{:?}",
        ran.stderr
    );
}

#[test]
fn the_message_for_a_mistyped_word_of_the_command_line_has_the_right_word() {
    let judge = Judge::new();
    for (arguments, meant) in [
        (vec!["grad"], "grade"),
        (vec!["grade", "--sandbx", "full"], "--sandbox"),
        (vec!["grade", "--sandbox", "ful"], "full"),
        (vec!["schema", "problm"], "problem"),
        (vec!["completions", "bsh"], "bash"),
        (vec!["init", "--ci", "githb"], "github"),
        (vec!["verify", "--wach"], "--watch"),
    ] {
        let ran = judge.run(&arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), ""),
            "{arguments:?}"
        );
        assert!(
            ran.stderr.contains(&format!("'{meant}'")),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

#[test]
fn no_command_colours_a_pipe_unless_asked_and_colours_replace_no_words() {
    let judge = Judge::new();
    judge.script("problems/mini/submissions/wrong/right.sh", RIGHT);
    let case = [
        "cases/mini/sample/001-one.in",
        "cases/mini/sample/001-one.ans",
    ];
    let plain = |text: &str| {
        let mut pieces = text.split('\x1b');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |all, piece| {
            all + piece.split_once('m').map_or("", |(_, rest)| rest)
        })
    };
    for arguments in [
        vec!["verify", "-q"],
        vec!["grade", "none.c"],
        vec!["check", "-p", "mini", case[0], case[1]],
        vec!["answers"],
        vec!["generate"],
        vec!["doctor", "-q"],
        vec!["schema", "log"],
        vec!["man"],
        vec!["completions", "bash"],
    ] {
        let without = judge.run(&arguments);
        let output = format!("{}{}", without.stdout, without.stderr);
        assert!(!output.contains('\x1b'), "{arguments:?}: {output}");
        let asked =
            judge.run(&[arguments.clone(), vec!["--color", "always"]].concat());
        let mut command =
            judge.command(&[arguments.clone(), vec!["--color", "never"]].concat());
        let never = judge.ran(command.env("CLICOLOR_FORCE", "1").output().unwrap());
        assert!(
            !never.stdout.contains('\x1b') && !never.stderr.contains('\x1b'),
            "{arguments:?}"
        );
        // Times of runs differ, so only the number of lines without a time is compared.
        let words = |text: &str| {
            plain(text)
                .lines()
                .filter(|line| !line.contains(" ms "))
                .count()
        };
        assert_eq!(
            words(&asked.stderr),
            words(&without.stderr),
            "{arguments:?}"
        );
    }
    let coloured = judge.run(&["grade", "--color", "always"]).stdout;
    assert!(
        coloured.contains('\x1b') && plain(&coloured).contains("no: WA"),
        "{coloured}"
    );
    let mut command = judge.command(&["grade"]);
    let plain_again = judge.ran(
        command
            .env("NO_COLOR", "1")
            .env("CLICOLOR_FORCE", "0")
            .output()
            .unwrap(),
    );
    assert!(!plain_again.stdout.contains('\x1b'));
}
