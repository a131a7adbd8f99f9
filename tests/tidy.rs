//! The architecture as a test: which module may use which, and which code is restricted
//! to some modules. The table below is the crate map that `docs/architecture.md` shows.
//! If code cannot follow it, the code is in the wrong module.

#[path = "tidy/functions.rs"]
mod functions;
#[path = "tidy/graph.rs"]
mod graph;
#[path = "tidy/measures.rs"]
mod measures;
#[path = "tidy/sources.rs"]
mod sources;

use std::fs;
use std::path::Path;

use syn::{Ident, Item};

use graph::Graph;
use measures::Measures;
use sources::{Source, sources};

/// Each module and the modules it may use. A module may use only modules above it.
/// `grid` and `sandbox` are crates.
const MODULES: [(&str, &[&str]); 24] = [
    ("grid", &[]),
    ("sandbox", &[]),
    ("text", &[]),
    ("files", &[]),
    ("glob", &[]),
    ("checktestdata", &[]),
    ("mistake", &["files"]),
    ("keys", &["mistake"]),
    ("model", &["grid", "text"]),
    (
        "package",
        &["files", "glob", "keys", "mistake", "model", "text"],
    ),
    (
        "spec",
        &[
            "grid", "files", "glob", "keys", "mistake", "model", "package", "text",
        ],
    ),
    // An export depends on the spec of a problem, and not on how outputs are judged.
    (
        "export",
        &[
            "grid", "files", "mistake", "model", "package", "spec", "text",
        ],
    ),
    ("report", &["model", "text"]),
    // Mistakes in its files are reported like those in specs. It uses the deterministic
    // random numbers of `grid`.
    (
        "compare",
        &["grid", "model", "files", "spec", "report", "text"],
    ),
    ("check", &["grid", "model", "text"]),
    ("proof", &["grid", "text", "model", "spec", "check"]),
    ("cache", &["model", "text"]),
    // The cache remembers digests of compilers.
    ("compile", &["cache", "files", "model", "text", "sandbox"]),
    ("checker", &["model", "text", "sandbox"]),
    ("trial", &["files", "model", "sandbox", "check", "checker"]),
    ("run", &["model", "sandbox", "compile", "trial", "cache"]),
    (
        "shard",
        &["mistake", "model", "text", "cache", "compile", "run"],
    ),
    // It uses only the limits and the jobs of `run`, so that the limits are the same as
    // in grading.
    (
        "authoring",
        &[
            "grid", "text", "model", "spec", "sandbox", "check", "proof", "checker",
            "trial", "run",
        ],
    ),
    (
        "cli",
        &[
            "grid",
            "sandbox",
            "text",
            "files",
            "glob",
            "checktestdata",
            "mistake",
            "model",
            "package",
            "spec",
            "export",
            "report",
            "compare",
            "check",
            "proof",
            "compile",
            "checker",
            "trial",
            "cache",
            "run",
            "shard",
            "authoring",
        ],
    ),
];

/// Plain data of the sandbox, which every module may use.
const SANDBOX_DATA: [&str; 12] = [
    "AddressSpace",
    "Exit",
    "Fault",
    "GivenFile",
    "Input",
    "Launch",
    "Limits",
    "MissingOutput",
    "Role",
    "Run",
    "ScratchFiles",
    "Usage",
];

/// The number of functions with more lines than [`functions::MAX_LINES`]. Reduce it
/// when possible, never raise it.
const MAX_LONG_FUNCTIONS: usize = 8;

/// Tokens of all shipped code, the measure of its size.
const MAX_TOKENS: usize = 783_359;
/// Reduce it when possible, never raise it.
const MAX_TOKENS_IN_100_LINES: usize = 799;
const MAX_SMALL_FILES: usize = 11;
const MAX_TUPLE_LETS: usize = 0;
const MAX_BOOL_MATCHES: usize = 0;
const MAX_CLOSURES_USED_ONCE: usize = 0;

/// The greatest percentage of type names that may be defined in more than one file.
const MAX_PERCENT_REPEATED_NAMES: usize = 5;

/// Code that may occur only in some modules, and the reason.
const RESTRICTIONS: [(&str, &[&str], &str); 17] = [
    // System calls, and the SIMD module of the solver.
    (
        "unsafe ",
        &["sandbox/sys/", "grid/solve/nine/simd/"],
        "unsafe code is restricted",
    ),
    (
        "unsafe_code",
        &["sandbox/sys/", "grid/solve/nine/simd/"],
        "unsafe code is restricted",
    ),
    (
        "std::process::Command",
        &["sandbox/"],
        "only the sandbox starts processes",
    ),
    (
        "rustix::param",
        &[],
        "before Linux 6.4 it panics in a launcher of an ordinary user",
    ),
    (
        "env::home_dir",
        &[],
        "it asks name services, which a static binary cannot; see `files::home_folder`",
    ),
    (
        "process::exit",
        &["cli/"],
        "only the command line ends the process",
    ),
    (
        "println!",
        &["cli/"],
        "only the command line writes to the screen",
    ),
    (
        "eprint",
        &["cli/"],
        "only the command line writes to the screen",
    ),
    (
        "io::stdout",
        &["cli/"],
        "only the command line writes to the screen",
    ),
    (
        "io::stderr",
        &["cli/"],
        "only the command line writes to the screen",
    ),
    (
        "Instant::now",
        &["sandbox/"],
        "only the sandbox reads the clock",
    ),
    (
        "SystemTime",
        &["cli/judging/judge_session.rs"],
        "a log says when it was made; nothing depends on the date",
    ),
    // No process is measured while cases are generated or proven, or their strength is
    // computed.
    (
        "rayon",
        &[
            "run/",
            "authoring/generate/",
            "authoring/strength/",
            "proof/mod.rs",
        ],
        "no parallel work inside a job",
    ),
    ("#[ignore", &[], "an ignored test tests nothing"),
    (
        "Task::Grid(",
        TASK_PLACES,
        "take the task by a method of `Task`",
    ),
    (
        "Task::Text(",
        TASK_PLACES,
        "take the task by a method of `Task`",
    ),
    (
        "Task::Checker(",
        TASK_PLACES,
        "take the task by a method of `Task`",
    ),
];

/// The only places that match on the tasks of problems or make them: elsewhere a new
/// task would be overlooked.
const TASK_PLACES: &[&str] = &[
    "authoring/mod.rs",
    "check/",
    "cli/commands/verify.rs",
    "cli/packages/mod.rs",
    "cli/packages/package_page.rs",
    "export/case_arguments.rs",
    "export/output_validator.rs",
    "model/problem/task.rs",
    "package/",
    "proof/",
    "spec/",
];

/// Modules of the standard library that `grid` and `model` must not use: they do no I/O
/// and read no clock.
const IMPURE: [&str; 5] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::thread",
    "std::process",
];

/// File names that are too vague.
const VAGUE_NAMES: [&str; 6] =
    ["util", "utils", "helper", "helpers", "manager", "common"];

/// The greatest number of lines of a file. Split longer ones.
const MAX_FILE_LINES: usize = 600;

/// The word after each occurrence of `start` in a line.
fn words_after<'a>(line: &'a str, start: &str) -> Vec<&'a str> {
    let words = line.split(start).skip(1);
    words
        .map(|rest| {
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .next()
                .unwrap()
        })
        .collect()
}

/// The modules that a line of a file uses.
fn modules_used_in<'a>(source: &Source, line: &'a str) -> Vec<&'a str> {
    // The other crates count as one module each.
    let is_crate = ["grid", "sandbox"].contains(&source.top());
    let mut used = if is_crate {
        vec![]
    } else {
        words_after(line, "crate::")
    };
    if line.contains("gridjudge_grid::") {
        used.push("grid");
    }
    if words_after(line, "gridjudge_sandbox::")
        .iter()
        .any(|word| !SANDBOX_DATA.contains(word))
    {
        used.push("sandbox");
    }
    if is_crate && line.contains("gridjudge::") {
        used.push("gridjudge");
    }
    used
}

#[track_caller]
fn assert_none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

#[test]
fn every_module_uses_only_modules_above_it() {
    let mut violations = vec![];
    for source in sources() {
        let Some((module, allowed)) =
            MODULES.iter().find(|(module, _)| *module == source.top())
        else {
            continue;
        };
        for line in source.code() {
            for used in modules_used_in(source, line)
                .into_iter()
                .filter(|used| used != module && !allowed.contains(used))
            {
                violations.push(format!(
                    "{}: `{module}` must not use `{used}`: {}",
                    source.path,
                    line.trim()
                ));
            }
        }
    }
    assert_none(violations);
}

#[test]
fn every_module_is_in_the_table_of_modules() {
    let placed = |module: &str| {
        ["lib", "main"].contains(&module) || MODULES.iter().any(|row| row.0 == module)
    };
    assert_none(
        sources()
            .iter()
            .filter(|source| !placed(source.top()))
            .map(|source| source.path.clone())
            .collect(),
    );
    for (place, (module, allowed)) in MODULES.iter().enumerate() {
        let above: Vec<_> = MODULES[..place].iter().map(|row| row.0).collect();
        assert!(allowed.iter().all(|name| above.contains(name)), "{module}");
    }
}

#[test]
fn restricted_code_occurs_only_where_it_is_allowed() {
    let mut violations = vec![];
    for source in sources() {
        for (what, places, why) in RESTRICTIONS {
            if places.iter().any(|place| source.path.starts_with(place)) {
                continue;
            }
            let lines = source.code().into_iter().filter(|line| line.contains(what));
            violations.extend(
                lines.map(|line| format!("{}: {why}: {}", source.path, line.trim())),
            );
        }
    }
    assert_none(violations);
}

#[test]
fn the_two_sides_of_the_sandbox_do_not_use_each_other() {
    let mut violations = vec![];
    for source in sources() {
        for (side, other) in [
            ("sandbox/host", "crate::launcher"),
            ("sandbox/launcher", "crate::host"),
        ] {
            let lines = source
                .code()
                .into_iter()
                .filter(|line| line.contains(other));
            let lines = lines.filter(|_| source.path.starts_with(side));
            violations.extend(
                lines.map(|line| format!("{}: {}", source.path, line.trim())),
            );
        }
    }
    assert_none(violations);
}

#[test]
fn grid_and_model_do_no_io() {
    let mut violations = vec![];
    let is_pure = |source: &&Source| {
        // `batch` uses threads, but its callers open what it reads and writes.
        ["grid", "model"].contains(&source.top())
            && !source.path.starts_with("grid/batch/")
    };
    for source in sources().iter().filter(is_pure) {
        for what in IMPURE {
            let lines = source.code().into_iter().filter(|line| line.contains(what));
            violations.extend(
                lines.map(|line| format!("{}: {}", source.path, line.trim())),
            );
        }
    }
    assert_none(violations);
}

#[test]
fn no_code_names_a_problem() {
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let ids: Vec<_> = fs::read_dir(problems)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned())
        .collect();
    assert!(ids.len() >= 4);
    let mut violations = vec![];
    for source in sources() {
        let lines = source
            .code()
            .into_iter()
            .filter(|line| ids.iter().any(|id| line.contains(id.as_str())));
        violations
            .extend(lines.map(|line| format!("{}: {}", source.path, line.trim())));
    }
    assert_none(violations);
}

#[test]
fn every_file_has_a_description_and_is_short() {
    let mut violations = vec![];
    for source in sources() {
        // A crate may include its README as its description.
        if !source.text.starts_with("//! ")
            && !source.text.starts_with("#![doc = include_str!")
        {
            violations.push(format!(
                "{}: does not begin with a description",
                source.path
            ));
        }
        let lines = source.shipped().lines().count();
        if lines > MAX_FILE_LINES {
            violations.push(format!("{}: {lines} lines", source.path));
        }
        if source
            .path
            .split(['/', '.', '_'])
            .any(|word| VAGUE_NAMES.contains(&word))
        {
            violations.push(format!("{}: the name is too vague", source.path));
        }
    }
    assert_none(violations);
}

/// What follows the first test module is not measured, nor looked at by the other tests
/// here.
#[test]
fn tests_are_the_end_of_each_file() {
    let is_tests = |item: &Item| {
        let Item::Mod(module) = item else {
            return false;
        };
        let mut conditions = module
            .attrs
            .iter()
            .filter(|note| note.path().is_ident("cfg"));
        conditions.any(|condition| {
            condition.parse_args::<Ident>().is_ok_and(|on| on == "test")
        })
    };
    let mut violations = vec![];
    for source in sources() {
        let file = syn::parse_file(&source.text).unwrap();
        let mut end = file.items.iter().skip_while(|item| !is_tests(item));
        if !end.all(is_tests) {
            violations.push(format!("{}: code follows tests", source.path));
        }
    }
    assert_none(violations);
}

#[test]
fn no_two_files_depend_on_each_other_directly_or_indirectly() {
    let graph = Graph::of(sources());
    let loops = graph.loops();
    assert_none(
        loops
            .iter()
            .map(|group| {
                group
                    .iter()
                    .map(|module| {
                        let used: Vec<_> = graph
                            .within(module, group)
                            .iter()
                            .map(|used| used.join("::"))
                            .collect();
                        format!("    {} uses {}", module.join("::"), used.join(", "))
                    })
                    .collect::<Vec<_>>()
                    .join("\n")
            })
            .collect(),
    );
}

#[test]
fn no_more_functions_are_long() {
    let long: Vec<_> = sources().iter().flat_map(functions::long).collect();
    assert!(
        long.len() <= MAX_LONG_FUNCTIONS,
        "{}, at most {MAX_LONG_FUNCTIONS}:\n{}",
        long.len(),
        long.join("\n")
    );
}

#[test]
fn nearly_every_type_name_is_defined_in_one_file() {
    let (repeated, all) =
        functions::repeated_names(sources(), functions::type_defined_in);
    assert!(
        repeated.len() * 100 <= all * MAX_PERCENT_REPEATED_NAMES,
        "{} of {all}:\n{}",
        repeated.len(),
        repeated.join("\n")
    );
}

#[test]
fn functions_have_names_that_grep_finds() {
    // Each command has its `run`.
    let shipped = sources()
        .iter()
        .filter(|source| !source.is_test() && !source.path.contains("cli/commands/"));
    let offered = functions::function_offered_in;
    assert_none(functions::repeated_names(shipped.clone(), offered).0);
    assert_none(shipped.flat_map(functions::vague).collect());
}

#[test]
fn the_map_in_the_documentation_is_this_table() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).unwrap();
    for (module, used) in MODULES {
        let used = if used.is_empty() {
            "nothing".to_owned()
        } else {
            format!("`{}`", used.join("` `"))
        };
        let used = if module == "cli" {
            "everything".to_owned()
        } else {
            used
        };
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{module}` |")));
        assert!(
            row.is_some_and(|row| row.ends_with(&format!("| {used} |"))),
            "{module}: {used}: {row:?}"
        );
    }
}

/// Figures of the code that may only fall. Lower a limit whenever the code allows it,
/// never raise one.
#[test]
fn the_code_becomes_no_denser() {
    let measures = Measures::of_sources(sources());
    println!("{}", measures.table());
    let places = |found: &[String]| format!(":\n    {}", found.join("\n    "));
    let density = measures.tokens * 100 / measures.code_lines;
    let limits = [
        ("tokens", measures.tokens, MAX_TOKENS, String::new()),
        (
            "tokens in 100 code lines",
            density,
            MAX_TOKENS_IN_100_LINES,
            String::new(),
        ),
        (
            "small files",
            measures.small_files.len(),
            MAX_SMALL_FILES,
            places(&measures.small_files),
        ),
        (
            "tuple lets",
            measures.tuple_lets.len(),
            MAX_TUPLE_LETS,
            places(&measures.tuple_lets),
        ),
        (
            "matches on a bool",
            measures.bool_matches.len(),
            MAX_BOOL_MATCHES,
            places(&measures.bool_matches),
        ),
        (
            "closures bound to a name and used once",
            measures.closures_used_once.len(),
            MAX_CLOSURES_USED_ONCE,
            places(&measures.closures_used_once),
        ),
    ];
    let broken = limits.iter().filter(|(_, found, limit, _)| found > limit);
    assert_none(
        broken
            .map(|(what, found, limit, places)| {
                format!("{what}: {found}, at most {limit}{places}")
            })
            .collect(),
    );
}
