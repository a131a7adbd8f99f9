//! The architecture as a test: which module may use which, and what may stand where. The table below is the
//! river of the crate documentation; if a line of code has to go against it, the code is in the wrong place.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Each module and the modules it may use. A module may use only what stands above it.
const LADDER: [(&str, &[&str]); 17] = [
    ("grid", &[]),
    ("sandbox", &[]),
    ("model", &["grid"]),
    ("files", &[]),
    ("spec", &["grid", "model", "files"]),
    ("report", &["model"]),
    // The mistakes of its files are told as those of specs are; of `grid` it has the dice, which repeat themselves.
    ("baseline", &["grid", "model", "files", "spec", "report"]),
    ("check", &["grid", "model"]),
    ("proof", &["grid", "model", "spec", "check"]),
    ("generate", &["grid", "model", "spec", "proof"]),
    ("strength", &["grid", "model", "check"]),
    ("compile", &["model", "sandbox"]),
    ("trial", &["model", "sandbox", "check"]),
    ("cache", &["model"]),
    ("suite", &["model", "sandbox", "compile", "trial", "cache"]),
    // Of `suite` only what a run may use and what its job is, so that nothing is judged by other limits than in grading.
    ("stress", &["grid", "model", "sandbox", "check", "proof", "trial", "suite"]),
    (
        "cli",
        &[
            "grid", "model", "files", "spec", "sandbox", "report", "baseline", "check", "proof", "generate",
            "strength", "compile", "trial", "cache", "suite", "stress",
        ],
    ),
];

/// The crates beside `src`, and the module that each counts as.
const CRATES: [(&str, &str); 2] = [("gridjudge_grid", "grid"), ("gridjudge_sandbox", "sandbox")];

/// Plain data of the sandbox, which every module may use.
const SANDBOX_DATA: [&str; 8] = ["Exit", "Fault", "Input", "Launch", "Limits", "Role", "Run", "Usage"];

/// What may stand only in some modules, and why.
const FENCES: [(&str, &[&str], &str); 14] = [
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
    ("SystemTime", &[], "nothing depends on the date"),
    ("Timestamp::now", &["cli/court.rs"], "a log says when it was made; nothing depends on that"),
    // While cases are proven or made, or their strength is measured, no process runs whose time could be disturbed.
    ("rayon", &["suite/", "generate/", "strength/", "proof/many.rs"], "no parallel work inside a job"),
    ("#[ignore", &[], "a test that is not run is none"),
];

/// What `grid` and `model` must not touch: they do no I/O and read no clock.
const IMPURE: [&str; 5] = ["std::fs", "std::env", "std::net", "std::thread", "std::process"];

/// Names that say nothing.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "manager", "common"];

/// Lines of a file. A longer one holds two things.
const LONGEST_FILE: usize = 300;

struct Source {
    /// As `cli/grade.rs`, and for the other crates as `sandbox/sys/start.rs`.
    path: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = below(&top.join("src"), "");
    for (_, module) in CRATES {
        sources.extend(below(&top.join(format!("crates/gridjudge-{module}/src")), &format!("{module}/")));
    }
    sources
}

/// The sources in a folder; their paths begin with this.
fn below(root: &Path, prefix: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(root, &mut found);
    let relative = |path: &PathBuf| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
    found
        .iter()
        .map(|path| Source {
            path: prefix.to_owned() + &relative(path),
            text: fs::read_to_string(path).unwrap(),
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => collect(&path, found),
            path if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

impl Source {
    fn module(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap()
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs")
    }

    /// The modules that a line uses.
    fn uses<'a>(&self, line: &'a str) -> Vec<&'a str> {
        // The other crates are a module each, whatever they are made of.
        let is_whole = CRATES.iter().any(|(_, module)| *module == self.module());
        let mut used = if is_whole { Vec::new() } else { words_behind(line, "crate::") };
        for (name, module) in CRATES {
            let words = words_behind(line, &format!("{name}::"));
            if words.iter().any(|word| module != "sandbox" || !SANDBOX_DATA.contains(word)) {
                used.push(module);
            }
        }
        if is_whole && line.contains("gridjudge::") {
            used.push("gridjudge");
        }
        used
    }

    /// The lines of code that ship: neither comments nor tests.
    fn code(&self) -> Vec<&str> {
        if self.is_test() {
            return Vec::new();
        }
        let shipped = self.text.split("\n#[cfg(test)]").next().unwrap();
        shipped.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
    }
}

/// The word that each of several paths in a line begins with behind `start`.
fn words_behind<'a>(line: &'a str, start: &str) -> Vec<&'a str> {
    let words = line.split(start).skip(1);
    words
        .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap())
        .collect()
}

#[track_caller]
fn none(offences: Vec<String>) {
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn every_module_uses_only_what_stands_above_it() {
    let mut offences = Vec::new();
    for source in sources() {
        let Some((module, allowed)) = LADDER.iter().find(|(module, _)| *module == source.module()) else {
            continue;
        };
        for line in source.code() {
            for used in source.uses(line).into_iter().filter(|used| used != module && !allowed.contains(used))
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
    none(
        sources()
            .iter()
            .filter(|source| !placed(source.module()))
            .map(|source| source.path.clone())
            .collect(),
    );
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
        ["grid", "model"].contains(&source.module()) && !source.path.starts_with("grid/batch/")
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
        if !source.text.starts_with("//! ") {
            offences.push(format!("{}: does not open with what it is", source.path));
        }
        let lines = source.text.split("\n#[cfg(test)]").next().unwrap().lines().count();
        if lines > LONGEST_FILE && !source.is_test() {
            offences.push(format!("{}: {lines} lines", source.path));
        }
        if source.path.split(['/', '.', '_']).any(|word| EMPTY_NAMES.contains(&word)) {
            offences.push(format!("{}: the name says nothing", source.path));
        }
    }
    none(offences);
}
