//! The architecture as a test: which module may use which, and what may stand where. The table below is the crate map that
//! `docs/architecture.md` shows; if a line of code has to go against it, the code is in the wrong place.

#[path = "tidy/functions.rs"]
mod functions;
#[path = "tidy/graph.rs"]
mod graph;
#[path = "tidy/sources.rs"]
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use graph::Graph;
use sources::Source;
use sources::sources;

/// Each module and the modules it may use. A module may use only what stands above it. `grid` and `sandbox` are crates.
const LADDER: [(&str, &[&str]); 22] = [
    ("grid", &[]),
    ("sandbox", &[]),
    ("text", &[]),
    ("files", &[]),
    ("glob", &[]),
    ("checktestdata", &[]),
    ("mistake", &["files"]),
    ("model", &["grid", "text"]),
    ("package", &["files", "glob", "mistake", "model", "text"]),
    ("spec", &["grid", "files", "glob", "mistake", "model", "package", "text"]),
    // What a problem comes to in a format of another judge is made of what its spec says, and of nothing that is judged.
    ("export", &["grid", "files", "mistake", "model", "package", "spec"]),
    ("report", &["model", "text"]),
    // The mistakes of its files are told as those of specs are; of `grid` it has the random numbers, which repeat themselves.
    ("compare", &["grid", "model", "files", "spec", "report", "text"]),
    ("check", &["grid", "model", "text"]),
    ("proof", &["grid", "text", "model", "spec", "check"]),
    ("compile", &["model", "text", "sandbox"]),
    ("checker", &["model", "sandbox"]),
    ("trial", &["model", "sandbox", "check", "checker"]),
    ("cache", &["model", "text"]),
    ("run", &["model", "sandbox", "compile", "trial", "cache"]),
    // Of `run` only what a run may use and what its job is, so that nothing is judged by other limits than in grading.
    ("authoring", &["grid", "text", "model", "spec", "sandbox", "check", "proof", "checker", "trial", "run"]),
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
            "authoring",
        ],
    ),
];

/// Plain data of the sandbox, which every module may use.
const SANDBOX_DATA: [&str; 11] = [
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

/// Functions of more lines than [`functions::LONG`]. None is to come to these, and the fewer the better.
const LONG_FUNCTIONS: usize = 19;

/// Of a hundred names of types, how many may be defined in more than one file.
const PERCENT_OF_NAMES_TWICE: usize = 5;

/// What may stand only in some modules, and why.
const FENCES: [(&str, &[&str], &str); 13] = [
    // System calls, and the fenced SIMD module of the solver.
    ("unsafe ", &["sandbox/sys/", "grid/solve/nine/simd/"], "unsafe code is fenced"),
    ("unsafe_code", &["sandbox/sys/", "grid/solve/nine/simd/"], "unsafe code is fenced"),
    ("std::process::Command", &["sandbox/"], "only the sandbox starts processes"),
    ("rustix::param", &[], "before Linux 6.4 it panics in a launcher of an ordinary user"),
    ("process::exit", &["cli/"], "only the command line ends the process"),
    ("println!", &["cli/"], "only the command line writes to the screen"),
    ("eprint", &["cli/"], "only the command line writes to the screen"),
    ("io::stdout", &["cli/"], "only the command line writes to the screen"),
    ("io::stderr", &["cli/"], "only the command line writes to the screen"),
    ("Instant::now", &["sandbox/"], "only the sandbox reads the clock"),
    (
        "SystemTime",
        &["cli/session/judge_session.rs"],
        "a log says when it was made; nothing depends on the date",
    ),
    // While cases are proven or made, or their strength is measured, no process runs whose time could be disturbed.
    (
        "rayon",
        &["run/", "authoring/generate/", "authoring/strength/", "proof/parallel.rs"],
        "no parallel work inside a job",
    ),
    ("#[ignore", &[], "a test that is not run is none"),
];

/// What `grid` and `model` must not touch: they do no I/O and read no clock.
const IMPURE: [&str; 5] = ["std::fs", "std::env", "std::net", "std::thread", "std::process"];

/// Names that say nothing.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "manager", "common"];

/// Lines of a file. A longer one holds two things.
const LONGEST_FILE: usize = 300;

/// The word that each of several paths in a line begins with behind `start`.
fn words_behind<'a>(line: &'a str, start: &str) -> Vec<&'a str> {
    let words = line.split(start).skip(1);
    words
        .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap())
        .collect()
}

/// The modules that a line of a file uses.
fn used_in<'a>(source: &Source, line: &'a str) -> Vec<&'a str> {
    // The other crates are a module each, whatever they are made of.
    let is_crate = ["grid", "sandbox"].contains(&source.top());
    let mut used = if is_crate { Vec::new() } else { words_behind(line, "crate::") };
    if line.contains("gridjudge_grid::") {
        used.push("grid");
    }
    if words_behind(line, "gridjudge_sandbox::").iter().any(|word| !SANDBOX_DATA.contains(word)) {
        used.push("sandbox");
    }
    if is_crate && line.contains("gridjudge::") {
        used.push("gridjudge");
    }
    used
}

#[track_caller]
fn none(offences: Vec<String>) {
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let mut offences = Vec::new();
    for source in sources() {
        let Some((module, allowed)) = LADDER.iter().find(|(module, _)| *module == source.top()) else {
            continue;
        };
        for line in source.code() {
            for used in
                used_in(&source, line).into_iter().filter(|used| used != module && !allowed.contains(used))
            {
                offences.push(format!("{}: `{module}` must not use `{used}`: {}", source.path, line.trim()));
            }
        }
    }
    none(offences);
}

#[test]
fn every_module_has_its_place_on_the_ladder() {
    let placed = |module: &str| ["lib", "main"].contains(&module) || LADDER.iter().any(|row| row.0 == module);
    none(sources().iter().filter(|source| !placed(source.top())).map(|source| source.path.clone()).collect());
    for (place, (module, allowed)) in LADDER.iter().enumerate() {
        let above: Vec<_> = LADDER[..place].iter().map(|row| row.0).collect();
        assert!(allowed.iter().all(|name| above.contains(name)), "{module}");
    }
}

#[test]
fn what_is_fenced_stays_inside_its_fence() {
    let mut offences = Vec::new();
    for source in sources() {
        for (what, places, why) in FENCES {
            if places.iter().any(|place| source.path.starts_with(place)) {
                continue;
            }
            let lines = source.code().into_iter().filter(|line| line.contains(what));
            offences.extend(lines.map(|line| format!("{}: {why}: {}", source.path, line.trim())));
        }
    }
    none(offences);
}

#[test]
fn grid_and_model_do_no_io() {
    let mut offences = Vec::new();
    let is_pure = |source: &&Source| {
        // `batch` keeps all processors busy; what it reads and writes it is given.
        ["grid", "model"].contains(&source.top()) && !source.path.starts_with("grid/batch/")
    };
    for source in sources().iter().filter(is_pure) {
        for what in IMPURE {
            let lines = source.code().into_iter().filter(|line| line.contains(what));
            offences.extend(lines.map(|line| format!("{}: {}", source.path, line.trim())));
        }
    }
    none(offences);
}

#[test]
fn no_code_names_a_problem() {
    let problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let ids: Vec<_> = fs::read_dir(problems)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned())
        .collect();
    assert!(ids.len() >= 4);
    let mut offences = Vec::new();
    for source in sources() {
        let lines = source.code().into_iter().filter(|line| ids.iter().any(|id| line.contains(id.as_str())));
        offences.extend(lines.map(|line| format!("{}: {}", source.path, line.trim())));
    }
    none(offences);
}

#[test]
fn every_file_says_what_it_is_and_stays_short() {
    let mut offences = Vec::new();
    for source in sources() {
        // A crate may open with what its README says.
        if !source.text.starts_with("//! ") && !source.text.starts_with("#![doc = include_str!") {
            offences.push(format!("{}: does not open with what it is", source.path));
        }
        let lines = source.shipped().lines().count();
        if lines > LONGEST_FILE {
            offences.push(format!("{}: {lines} lines", source.path));
        }
        if source.path.split(['/', '.', '_']).any(|word| EMPTY_NAMES.contains(&word)) {
            offences.push(format!("{}: the name says nothing", source.path));
        }
    }
    none(offences);
}

#[test]
fn no_two_files_use_each_other_by_whatever_way() {
    let graph = Graph::of(&sources());
    let loops = graph.loops();
    let told = |group: &Vec<Vec<String>>| {
        let arrow = |module: &Vec<String>| {
            let used: Vec<_> = graph.within(module, group).iter().map(|used| used.join("::")).collect();
            format!("    {} uses {}", module.join("::"), used.join(", "))
        };
        group.iter().map(arrow).collect::<Vec<_>>().join("\n")
    };
    none(loops.iter().map(told).collect());
}

#[test]
fn no_function_grows_long() {
    let long: Vec<_> = sources().iter().flat_map(functions::long).collect();
    assert!(long.len() <= LONG_FUNCTIONS, "{}, at most {LONG_FUNCTIONS}:\n{}", long.len(), long.join("\n"));
}

#[test]
fn nearly_every_type_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources() {
        for line in source.code() {
            if let Some(name) = functions::type_defined_in(line) {
                places.entry(name.to_owned()).or_default().push(source.path.clone());
            }
        }
    }
    let twice: Vec<_> = places.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(
        twice.len() * 100 <= places.len() * PERCENT_OF_NAMES_TWICE,
        "{} of {}: {twice:#?}",
        twice.len(),
        places.len()
    );
}

#[test]
fn the_map_in_the_docs_is_this_one() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(page).unwrap();
    for (module, used) in LADDER {
        let used = if used.is_empty() { "nothing".to_owned() } else { format!("`{}`", used.join("` `")) };
        let used = if module == "cli" { "everything".to_owned() } else { used };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{module}` |")));
        assert!(row.is_some_and(|row| row.ends_with(&format!("| {used} |"))), "{module}: {used}: {row:?}");
    }
}
