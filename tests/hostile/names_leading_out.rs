//! No name that is read from a file leads out of the folder that it belongs to: every
//! command is fed such names in every file that holds names, and reads, writes and
//! deletes nothing elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::judge::{self, Judge, SPEC};

/// What no output and no file may contain.
const SECRET: &str = "the secret of somebody else";

/// Names that lead from the folder of a problem to the file `victim/secret`: upwards,
/// and through a hidden link.
const NAMES: [&str; 2] = ["../../../victim/secret", ".hidden/secret"];

/// Every command that reads names from the files of a problem, and writes files.
const COMMANDS: [&[&str]; 6] = [
    &["generate", "--prune"],
    &["answers"],
    &["verify", "--html", "r.html"],
    &["grade", "--log", "r.jsonl"],
    &["export", "p", "--to", "legacy", "out"],
    &["export", "p", "--to", "2025-09", "out.zip"],
];

const TASK: &str = "name = \"P\"\n[limits]\ntime = \"1s\"\n[task]\n";

/// The fingerprint of `SECRET`, as `generated.md` has it.
fn fingerprint() -> String {
    let hash = SECRET
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
    format!("{hash:016x}")
}

/// Files of a problem with a name put into them, by their names in the judge's folder.
type HostileFiles = fn(&str) -> Vec<(&'static str, String)>;

const LAYOUTS: [(&str, HostileFiles); 12] = [
    ("generated.md", |name| {
        let print = fingerprint();
        vec![
            ("problems/p/problem.toml", SPEC.to_owned()),
            (
                "cases/p/generated.md",
                format!("| {name} | 1 | 2 | 3 | 4 | 5 | {print} | {print} |\n"),
            ),
        ]
    }),
    ("recipe", |name| {
        let recipe = "grids = 1\nkind = \"minimal\"\nseed = 1\n";
        vec![(
            "problems/p/problem.toml",
            format!(
                "{SPEC}\n[[generate]]\ngroup = \"{name}\"\nname = \"a\"\n{recipe}[[generate]]\nname = \"{name}\"\n{recipe}"
            ),
        )]
    }),
    ("checker", |name| {
        vec![(
            "problems/p/problem.toml",
            format!("{TASK}kind = \"program\"\nchecker = \"{name}\"\n"),
        )]
    }),
    ("interactor", |name| {
        vec![(
            "problems/p/problem.toml",
            format!("{TASK}kind = \"interactive\"\ninteractor = \"{name}\"\n"),
        )]
    }),
    ("solution", |name| {
        vec![(
            "problems/p/problem.toml",
            format!("{TASK}kind = \"lines\"\nsolution = \"{name}\"\n"),
        )]
    }),
    ("submissions.toml", |name| {
        vec![
            (
                "problems/p/problem.toml",
                format!("{TASK}kind = \"lines\"\n"),
            ),
            (
                "problems/p/submissions/submissions.toml",
                format!("[\"{name}\"]\nexpected = \"AC\"\n"),
            ),
        ]
    }),
    ("init.yml", |name| {
        let cases =
            format!("test_cases:\n- {{in: 1.in, out: \"{name}.out\", points: 1}}\n");
        vec![("problems/p/init.yml", cases)]
    }),
    ("init.yml, all keys", |name| {
        let checker = format!(
            "checker: {{name: bridged, args: {{files: \"{name}\", type: testlib, lang: CPP17}}}}\n"
        );
        let cases = format!(
            "test_cases:\n- {{in: \"{name}\", out: \"{name}\", points: 1}}\n"
        );
        vec![(
            "problems/p/init.yml",
            format!("archive: \"{name}\"\n{checker}{cases}"),
        )]
    }),
    ("problem.xml", |name| {
        let judging = format!(
            "<judging><testset name=\"tests\"><time-limit>1000</time-limit><memory-limit>268435456</memory-limit>\
             <test-count>1</test-count><input-path-pattern>{name}%d</input-path-pattern>\
             <answer-path-pattern>{name}%d.a</answer-path-pattern><tests><test method=\"generated\" cmd=\"g\" \
             from-file=\"{name}\"/></tests></testset></judging>"
        );
        let resource = format!(
            "<files><resources><file path=\"files/a.h\" location=\"{name}\"><stages><stage name=\"compile\"/></stages>\
             <assets><asset name=\"solution\"/></assets></file></resources><executables><executable>\
             <source path=\"{name}\" type=\"cpp.g++17\"/></executable></executables></files>"
        );
        let assets = format!(
            "<assets><checker><source path=\"{name}\" type=\"cpp.g++17\"/></checker><solutions>\
             <solution tag=\"main\"><source path=\"{name}\" type=\"cpp.g++17\"/></solution></solutions></assets>"
        );
        vec![
            (
                "problems/p/problem.xml",
                format!("<problem>{judging}{resource}{assets}</problem>"),
            ),
            ("problems/p/files/a.h", String::new()),
        ]
    }),
    ("submissions.yaml", |name| {
        vec![
            (
                "problems/p/problem.yaml",
                "problem_format_version: 2025-09\nname: P\n".to_owned(),
            ),
            ("problems/p/data/secret/1.in", "1\n".to_owned()),
            ("problems/p/data/secret/1.ans", "1\n".to_owned()),
            (
                "problems/p/submissions/submissions.yaml",
                format!(
                    "\"{name}\": {{permitted: [AC], entrypoint: \"{name}\", model_solution: true}}\n"
                ),
            ),
        ]
    }),
    (".timelimit", |_| {
        vec![
            (
                "problems/p/problem.yaml",
                "problem_format_version: 2025-09\nname: P\n".to_owned(),
            ),
            ("problems/p/data/secret/1.in", "1\n".to_owned()),
            ("problems/p/data/secret/1.ans", "1\n".to_owned()),
        ]
    }),
    ("contest.toml", |name| {
        vec![
            (
                "problems/p/problem.toml",
                format!("{TASK}kind = \"lines\"\n"),
            ),
            ("contest/contest.toml", format!("problems = [\"{name}\"]\n")),
            ("contest/alpha/p.sh", "#!/bin/sh\n".to_owned()),
        ]
    }),
];

/// The files beside the judge's folder.
fn outside(judge: &Judge) -> BTreeMap<PathBuf, Vec<u8>> {
    judge.files_below("victim")
}

#[test]
fn no_command_follows_a_name_of_any_file_out() {
    for (layout, files) in LAYOUTS {
        for name in NAMES {
            let judge = Judge::new();
            for ending in ["", ".in", ".ans"] {
                judge.put(format!("victim/secret{ending}"), SECRET);
            }
            judge
                .put("here/judge.toml", "")
                .put("here/cases/p/sample/1.in", judge::ONE);
            judge
                .put("here/cases/p/sample/1.ans", judge::SOLVED)
                .put("here/problems/p/1.in", "1\n");
            for (path, text) in &files(name) {
                judge.put(format!("here/{path}"), text);
            }
            for folder in ["here/problems/p", "here/cases/p"] {
                judge.link(&format!("{folder}/.hidden"), "../../../victim");
            }
            judge.link("here/problems/p/.timelimit", "../../../victim/secret");
            let before = outside(&judge);
            for command in COMMANDS {
                let ran = judge.run(&[command, &["-C", "here"]].concat());
                let what = format!("{layout}: {name}: {command:?}: {ran:?}");
                assert!(ran.code.is_some_and(|code| code < 3), "{what}");
                assert!(!format!("{ran:?}").contains(SECRET), "{what}");
                assert!(outside(&judge) == before, "{what} touched a file elsewhere");
            }
            let copied = judge
                .files()
                .into_iter()
                .filter(|(path, _)| !path.starts_with(judge.path("victim")));
            let copied: Vec<_> = copied
                .filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains(SECRET))
                .map(|(path, _)| path)
                .collect();
            assert!(copied.is_empty(), "{layout}: {name}: {copied:?}");
        }
    }
}

#[test]
fn a_manifest_that_names_a_case_elsewhere_is_refused_by_its_line() {
    let judge = Judge::new();
    let print = fingerprint();
    let row = format!("| ../../victim | 1 | 2 | 3 | 4 | 5 | {print} | {print} |");
    judge.put(
        "cases/mini/generated.md",
        format!("# Generated cases\n\n{row}\n"),
    );
    let message = "error: cases/mini/generated.md:3: `../../victim` is not the name of a case in this folder\n\
                   hint: delete the line: `gridjudge generate` never wrote it";
    for arguments in [
        &["generate"][..],
        &["generate", "--prune"],
        &["generate", "--check"],
    ] {
        judge.refuses(arguments, message);
    }
}
