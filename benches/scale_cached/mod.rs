//! Rows of the bench on what the cache saves: submissions of which everything is
//! cached, one new trial in a large cache, a problem with groups of which everything is
//! cached, large cases that were proven before, submissions and checkers that were
//! compiled before, and languages that are known to work.

use std::fmt::Write;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench;

const PYTHON: &str = "print('1234\\n3412\\n2143\\n4321')\n";

const C: &str = "#include <stdio.h>\nint main(void) { puts(\"1234\\n3412\\n2143\\n4321\"); return 0; }\n";

const CPP: &str = "#include <iostream>\nint main() { std::cout << \"1234\\n3412\\n2143\\n4321\\n\"; }\n";

/// Accepts everything.
const CHECKER: &str = "#include <bits/stdc++.h>\nint main() { return std::regex_match(\"a\", std::regex(\"a\")) ? 42 : 43; }\n";

/// Prints all rows.
pub(crate) fn print_rows() {
    print_cached_submissions();
    print_new_trial();
    print_groups();
    print_proven();
    print_compiled();
    print_checker();
    print_languages();
}

/// Wall and CPU time of one judge that uses the cache in the judge's folder.
fn judged(root: &Path, arguments: &[&str]) -> (Duration, Duration) {
    let cpu = bench::cpu_ticks();
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_gridjudge"))
        .current_dir(root)
        .env("GRIDJUDGE_CACHE", root.join("cache"))
        .args(["grade", "-q"])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the judge");
    assert!(
        status.code().is_some_and(|code| code < 2),
        "everything is judged"
    );
    (
        start.elapsed(),
        Duration::from_millis(10 * (bench::cpu_ticks() - cpu)),
    )
}

fn print(name: &str, (wall, cpu): (Duration, Duration)) {
    println!("{name}: {wall:.2?}, CPU {cpu:.2?}");
}

/// Writes submissions to `all/`, each with a name and text by its number. Returns the
/// arguments that name them.
fn put_submissions(
    root: &Path,
    count: usize,
    source: fn(usize) -> (String, String),
) -> Vec<String> {
    fs::create_dir(root.join("all")).expect("a folder");
    let names = (0..count).map(|number| {
        let (name, text) = source(number);
        fs::write(root.join(&name), text).expect("a source");
        name
    });
    ["-p", "mini"]
        .map(str::to_owned)
        .into_iter()
        .chain(names)
        .collect()
}

/// Submissions in Python, each with a text of its own.
fn print_cached_submissions() {
    for count in [250, 1000] {
        let root = bench::mini_judge(1, "1s");
        let arguments = put_submissions(root.path(), count, |number| {
            (format!("all/{number}.py"), format!("# {number}\n{PYTHON}"))
        });
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        judged(root.path(), &arguments);
        print(
            &format!("{count} cached Python submissions"),
            judged(root.path(), &arguments),
        );
    }
}

/// One trial that is not cached, in caches of many programs.
fn print_new_trial() {
    for count in [1000, 100_000] {
        let root = bench::mini_judge(1, "1s");
        let cache = root.path().join("cache");
        fs::create_dir(&cache).expect("a folder");
        fs::set_permissions(&cache, PermissionsExt::from_mode(0o700))
            .expect("a private folder");
        fs::write(root.path().join("judge.toml"), "cache = \"2GiB\"\n")
            .expect("a configuration");
        for number in 0..count {
            fs::write(cache.join(format!("trials-{number:064x}")), [b'x'; 300])
                .expect("a file");
        }
        // The first judge lists the folder.
        for round in ["listed", "not listed"] {
            fs::write(root.path().join("new.py"), format!("# {round}\n{PYTHON}"))
                .expect("a source");
            let measured = judged(root.path(), &["-p", "mini", "new.py"]);
            print(
                &format!("one new trial with {count} programs cached, {round}"),
                measured,
            );
        }
    }
}

/// The examples of a problem with groups, in a copy of its folder.
fn print_groups() {
    let root = bench::mini_judge(1, "1s");
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = "luogu-b4279";
    for folder in ["problems", "cases"] {
        let copied = Command::new("cp")
            .arg("-r")
            .arg(own.join(folder).join(name))
            .arg(root.path().join(folder))
            .status()
            .expect("cp");
        assert!(copied.success(), "a copy of the problem");
    }
    print(
        "a problem with groups, first",
        judged(root.path(), &["-p", name]),
    );
    print(
        "a problem with groups, all from the cache",
        judged(root.path(), &["-p", name]),
    );
}

/// Cases of many grids, of 12.5 and 50 MB with their answers.
fn print_proven() {
    for count in [312_500_usize, 1_250_000] {
        let root = bench::mini_judge(0, "1s");
        let spec = root.path().join("problems/mini/problem.toml");
        let text = fs::read_to_string(&spec).expect("a spec");
        let many = format!("cases = \"count\"\nmost = {count}");
        fs::write(&spec, text.replace("cases = \"one\"", &many)).expect("a spec");
        let mut input = format!("{count}\n");
        let mut answer = String::new();
        for _ in 0..count {
            let _ = writeln!(input, "....\n3412\n2143\n4321");
            let _ = writeln!(answer, "1234\n3412\n2143\n4321");
        }
        let bytes = input.len() + answer.len();
        fs::write(root.path().join("cases/mini/secret/1.in"), input).expect("a case");
        fs::write(root.path().join("cases/mini/secret/1.ans"), answer)
            .expect("an answer");
        fs::write(root.path().join("wrong.py"), "print(1)\n").expect("a source");
        let megabytes = bytes / 1_000_000;
        for round in ["first", "from the cache"] {
            let measured = judged(root.path(), &["-p", "mini", "wrong.py"]);
            print(&format!("{megabytes} MB of grids, {round}"), measured);
        }
    }
}

/// Submissions in C, each with a text of its own, and then with another case.
fn print_compiled() {
    for count in [50, 200] {
        let root = bench::mini_judge(1, "1s");
        let arguments = put_submissions(root.path(), count, |number| {
            (format!("all/{number}.c"), format!("// {number}\n{C}"))
        });
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        print(
            &format!("{count} C submissions, first"),
            judged(root.path(), &arguments),
        );
        fs::write(
            root.path().join("cases/mini/secret/000.in"),
            "1...\n3412\n2143\n4321\n",
        )
        .expect("a case");
        print(
            &format!("{count} C submissions, on a changed case"),
            judged(root.path(), &arguments),
        );
    }
}

/// A submission of a package whose checker takes long to compile.
fn print_checker() {
    let root = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    put(
        "sum/problem.yaml",
        "problem_format_version: 2023-07-draft\nname: Sum\nuuid: 1\nlimits:\n  time_limit: 1\n",
    );
    put("sum/data/secret/1.in", "1\n");
    put("sum/data/secret/1.ans", "1\n");
    put("sum/output_validator/check.cpp", CHECKER);
    for round in ["first", "checker compiled before", "all compiled before"] {
        if round != "all compiled before" {
            put("one.py", &format!("# {round}\nprint(1)\n"));
        }
        put("sum/data/secret/1.in", &format!("{round}\n"));
        print(
            &format!("one submission with a checker, {round}"),
            judged(root.path(), &["-p", "./sum", "one.py"]),
        );
    }
}

/// A submission without the cache, in a language that is tried and then known to work.
fn print_languages() {
    for (name, text) in [("one.c", C), ("one.cpp", CPP)] {
        let root = bench::mini_judge(1, "1s");
        fs::write(root.path().join(name), text).expect("a source");
        for round in ["first", "language known"] {
            let measured = judged(root.path(), &["-p", "mini", "--no-cache", name]);
            print(&format!("{name} with `--no-cache`, {round}"), measured);
        }
    }
}
