//! What shells propose for the last word of a command line.

use std::path::Path;
use std::process::Command;

use crate::judge::{Judge, ONE, SPEC};

/// The words that bash proposes for the last of these, a word a line. The first is the
/// command.
fn proposed(judge: &Judge, words: &[&str]) -> String {
    let script = judge.run(&["completions", "bash"]).stdout;
    let last = words.len() - 1;
    let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    let ask = format!(
        "{script}\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n_gridjudge '{}' '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        quoted.join(" "),
        words[0],
        words[last],
        words[last - 1],
    );
    ran(judge, "bash", &["--norc", "-c", &ask]).unwrap()
}

/// The standard output of a shell that finds the program; `None` if the shell is not
/// installed.
fn ran(judge: &Judge, shell: &str, arguments: &[&str]) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_gridjudge"));
    let mut places = vec![program.parent().unwrap().to_owned()];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let mut command: Command = judge.command_of(shell, arguments);
    command.env("PATH", std::env::join_paths(places).unwrap());
    let output = command.output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors, "", "{shell}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A judge's folder with the problems `maxi` and `mini`.
fn two_problems() -> Judge {
    let judge = Judge::new();
    judge
        .put("problems/maxi/problem.toml", SPEC)
        .put("cases/maxi/huge/009-nine.in", ONE);
    judge
}

#[test]
fn bash_completes_commands_options_and_their_values() {
    let judge = Judge::new();
    for (words, expected) in [
        (vec!["gridjudge", "gra"], "grade\n"),
        (vec!["gridjudge", "grade", "--wat"], "--watch\n"),
        (vec!["gridjudge", "grade", "--sandbox", "ba"], "basic\n"),
        (
            vec!["gridjudge", "grade", "--format", "legacy-"],
            "legacy-icpc\n",
        ),
        (vec!["gridjudge", "schema", "pro"], "problem\n"),
        (vec!["gridjudge", "--color", "al"], "always\n"),
    ] {
        assert_eq!(proposed(&judge, &words), expected, "{words:?}");
    }
}

#[test]
fn bash_and_fish_propose_names_of_problems_cases_and_groups() {
    let judge = two_problems();
    let one = "sample/001-one";
    for (line, expected) in [
        ("gridjudge grade -p m", "maxi mini"),
        ("gridjudge grade -p maxi -p mi", "mini"),
        ("gridjudge verify mi", "mini"),
        ("gridjudge verify maxi mi", "mini"),
        ("gridjudge export ma", "maxi"),
        ("gridjudge check --problem ma", "maxi"),
        ("gridjudge stress one.c -p ma", "maxi"),
        (
            "gridjudge grade -p mini --case s",
            &format!("{one} secret/002-two"),
        ),
        ("gridjudge grade -p mini --case sample/", one),
        ("gridjudge plan --problem mini --group se", "secret"),
        ("gridjudge plan --group h", "huge"),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let expected = expected.replace(' ', "\n") + "\n";
        assert_eq!(proposed(&judge, &words), expected, "{line}");
        let script = judge.run(&["completions", "fish"]).stdout;
        let ask = format!("{script}\ncomplete -C '{line}'");
        if let Some(found) = ran(&judge, "fish", &["--no-config", "-c", &ask]) {
            // A description follows a tab, and fish looks for files too.
            let names = found.lines().map(|line| line.split('\t').next().unwrap());
            let found: Vec<_> = names.filter(|name| !name.ends_with('/')).collect();
            assert_eq!(found.join("\n") + "\n", expected, "{line}");
        }
    }
}

#[test]
fn an_option_and_its_value_may_be_one_word_and_the_folder_may_be_named() {
    let judge = two_problems();
    let elsewhere = judge.path("cases");
    for (line, expected) in [
        ("grade --problem=mi", "mini\n"),
        ("grade --problem=mini --group=", "sample\nsecret\n"),
        // As bash cuts it.
        ("grade --problem = mini --group = se", "secret\n"),
        ("grade --problem =", "maxi\nmini\n"),
        ("-C .. --color never list mi", "mini\n"),
        ("grade -p", ""),
        ("grade --sandbox=b", ""),
        ("grade mi", ""),
        ("check -p mini mi", ""),
        ("nothing mi", ""),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let mut command =
            judge.command(&[&["completions", "bash", "--"], &words[..]].concat());
        let ran = judge.ran(command.current_dir(&elsewhere).output().unwrap());
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            (expected, ""),
            "{line}"
        );
    }
}

#[test]
fn zsh_proposes_names() {
    let judge = two_problems();
    let script = judge.run(&["completions", "zsh"]).stdout;
    for (line, expected) in [
        ("gridjudge grade --problem=mi", "--[a-z]##= mini"),
        ("gridjudge verify m", "--[a-z]##= maxi mini"),
    ] {
        // What zsh itself defines only while it completes.
        let ask = format!(
            "compdef() {{ : }}\ncompset() {{ print -rn -- $2 }}\ncompadd() {{ print -r -- '' $names }}\n\
             {script}\nwords=({line})\nCURRENT=$#words\n_gridjudge"
        );
        if let Some(found) = ran(&judge, "zsh", &["-f", "-c", &ask]) {
            assert_eq!(found.trim_end(), expected, "{line}");
        }
    }
}

#[test]
fn names_that_a_shell_would_not_take_as_they_are_are_not_proposed() {
    let judge = two_problems();
    for name in [
        "$(touch here)",
        "a b",
        "`x`",
        "m;n",
        "-p",
        "m\u{1b}[31m",
        "m*",
        "m\nn",
    ] {
        judge.put(format!("problems/{name}/problem.toml"), SPEC);
        judge.put(format!("cases/mini/{name}/1.in"), ONE);
    }
    let before = judge.files();
    let asked =
        |words: &[&str]| judge.run(&[&["completions", "bash", "--"], words].concat());
    assert_eq!(asked(&["list", ""]).stdout, "maxi\nmini\n");
    assert_eq!(
        asked(&["grade", "-p", "mini", "--group", ""]).stdout,
        "sample\nsecret\n"
    );
    assert!(judge.files() == before);
}

#[test]
fn nothing_is_said_of_a_folder_that_cannot_be_read() {
    let judge = Judge::new();
    judge.put("judge.toml", "nonsense = 1");
    for words in [&["list", ""][..], &["grade", "-C", "none", "-p", ""]] {
        let ran = judge.run(&[&["completions", "zsh", "--"], words].concat());
        let said = (ran.code, ran.stdout.as_str(), ran.stderr.as_str());
        assert_eq!(said, (Some(0), "", ""), "{words:?}");
    }
}
