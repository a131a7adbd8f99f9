//! What `verify` reads and proves before it runs anything takes four times as much for
//! four times as many cases, mistakes or keys. Counted are the bytes that are
//! allocated, which a list that is searched, copied or printed for each entry of
//! another makes sixteen times as many.

#[path = "fuzzed/allocations.rs"]
mod allocations;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use allocations::allocated_by;
use gridjudge::package::Package;
use gridjudge::proof;
use gridjudge::spec::{AnswerRequirement, JudgeFolder, Mistakes};

/// The smaller number of cases, mistakes or keys.
const FEW: usize = 40;

/// How many times as much four times as many may take: what is not per entry may grow
/// by its logarithm, and lists that grow are allocated up to twice as large.
const MOST_TIMES: usize = 6;

/// A folder that has many of something, and what is done with it.
struct Growing {
    name: &'static str,
    make: fn(&Path, usize),
    act: fn(&Path),
}

const ALL: [Growing; 13] = [
    Growing {
        name: "cases",
        make: |at, many| kattis(at, "", many, Some("1\n"), Some("1\n")),
        act: read_package,
    },
    Growing {
        name: "without answers",
        make: |at, many| kattis(at, "", many, Some("1\n"), None),
        act: read_package,
    },
    Growing {
        name: "without inputs",
        make: |at, many| kattis(at, "", many, None, Some("1\n")),
        act: read_package,
    },
    Growing {
        name: "unknown keys",
        make: |at, many| kattis(at, &keys(many), 1, Some(""), Some("")),
        act: read_package,
    },
    Growing {
        name: "repeated keys",
        make: |at, many| kattis(at, &"a: 1\n".repeat(many), 1, Some(""), Some("")),
        act: read_package,
    },
    Growing {
        name: "groups",
        make: groups,
        act: read_package,
    },
    Growing {
        name: "tests of DMOJ",
        make: |at, many| dmoj(at, &"- {in: a, out: a}\n".repeat(many)),
        act: read_package,
    },
    Growing {
        name: "mistakes of DMOJ",
        make: |at, many| dmoj(at, &"- {in: a, out: b, c: 1}\n".repeat(many)),
        act: read_package,
    },
    Growing {
        name: "dependencies of DMOJ",
        make: dependencies,
        act: read_package,
    },
    Growing {
        name: "our cases",
        make: |at, many| ours(at, many, "1\n1.34\n3412\n2143\n4321\n"),
        act: prove,
    },
    Growing {
        name: "our bad inputs",
        make: |at, many| ours(at, many, "1\nx.34\n3412\n2143\n4321\n"),
        act: prove,
    },
    Growing {
        name: "our bad answers",
        make: |at, many| ours(at, many, "1\n4321\n....\n....\n....\n"),
        act: prove,
    },
    Growing {
        name: "our unknown keys",
        make: unknown_keys,
        act: prove,
    },
];

#[test]
fn four_times_as_much_takes_four_times_as_many_bytes() {
    for Growing { name, make, act } in ALL {
        let allocated = |many: usize| {
            let folder = tempfile::tempdir().unwrap();
            make(folder.path(), many);
            allocated_by(|| act(folder.path()))
        };
        let few = allocated(FEW);
        let many = allocated(4 * FEW);
        assert!(many <= few * MOST_TIMES, "{name}: {few} and {many} bytes");
    }
}

fn put(at: &Path, name: &str, text: &str) {
    let path = at.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn keys(many: usize) -> String {
    (0..many).fold(String::new(), |mut text, number| {
        writeln!(text, "key{number}: 1").unwrap();
        text
    })
}

fn kattis(
    at: &Path,
    yaml: &str,
    many: usize,
    input: Option<&str>,
    answer: Option<&str>,
) {
    put(at, "problem.yaml", &format!("name: X\n{yaml}"));
    for number in 0..many {
        for (ending, text) in [("in", input), ("ans", answer)] {
            if let Some(text) = &text {
                put(at, &format!("data/secret/{number}.{ending}"), text)
            }
        }
    }
}

fn groups(at: &Path, many: usize) {
    kattis(at, "", 1, Some("1\n"), Some("1\n"));
    for number in 0..many {
        put(at, &format!("data/secret/g{number}/1.in"), "1\n");
        put(at, &format!("data/secret/g{number}/1.ans"), "1\n");
        put(
            at,
            &format!("data/secret/g{number}/testdata.yaml"),
            "unknown: 1\n",
        );
    }
}

fn dmoj(at: &Path, tests: &str) {
    put(at, "init.yml", &format!("test_cases:\n{tests}"));
    put(at, "a", "1\n");
}

fn dependencies(at: &Path, many: usize) {
    let all = (1..=many)
        .map(|number| number.to_string())
        .collect::<Vec<_>>()
        .join(", ");
    let batch = "- {points: 1, batched: [{in: a, out: a}]";
    dmoj(
        at,
        &format!(
            "{}{batch}, dependencies: [{all}]}}\n",
            format!("{batch}}}\n").repeat(many)
        ),
    );
}

fn ours(at: &Path, many: usize, input: &str) {
    put(at, "judge.toml", "");
    put(at, "problems/p/problem.toml", SPEC);
    for number in 0..many {
        put(at, &format!("cases/p/secret/{number}.in"), input);
        put(
            at,
            &format!("cases/p/secret/{number}.ans"),
            "1234\n3412\n2143\n4321\n",
        );
    }
}

fn unknown_keys(at: &Path, many: usize) {
    ours(at, 1, "");
    put(
        at,
        "problems/p/problem.toml",
        &(SPEC.to_owned() + &keys(many).replace(':', " =")),
    );
}

const SPEC: &str = "name = \"Mini\"\n\n[grid]\norder = 4\nboxes = \"2x2\"\nsymbols = \"1234\"\nblanks = \".\"\n\n[input]\n\
                    cases = \"count\"\nmost = 5\ncells = \"joined\"\n\n[answer]\naccept = \"unique\"\n\n[limits]\n\
                    time = \"1s\"\nmemory = \"64MiB\"\n";

/// Reads a package, and prints the mistakes in it.
fn read_package(at: &Path) {
    if let Err(mistakes) = Package::read(at) {
        drop(mistakes.to_string());
    }
}

/// Reads a problem and proves its cases, and prints the mistakes in them.
fn prove(at: &Path) {
    drop(
        mistakes_of(at)
            .unwrap_or_else(|mistakes| mistakes)
            .to_string(),
    );
}

fn mistakes_of(at: &Path) -> Result<Mistakes, Mistakes> {
    let folder = JudgeFolder::open(at)?;
    let problem = folder.find("p")?.problem()?;
    let cases = folder.find("p")?.cases(AnswerRequirement::Required)?;
    Ok(Mistakes(
        cases
            .iter()
            .flat_map(|case| proof::mistakes_of(&problem, case, true))
            .collect(),
    ))
}
