//! Compares the published schemas of `problem.toml`, `judge.toml`, `contest.toml` and
//! `course.toml` with what the code reads: they
//! have the same keys, and valid files match them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gridjudge::spec::{ContestEntries, JudgeFolder};
use serde_json::Value;
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema(name: &str) -> Value {
    let path = root().join("docs").join(format!("{name}.schema.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The violations of a schema by a file.
fn violations(schema: &Value, text: &str) -> Vec<String> {
    let value: Value = toml::from_str(text).unwrap();
    let validator = jsonschema::validator_for(schema).unwrap();
    validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

fn specs() -> Vec<PathBuf> {
    let problems = fs::read_dir(root().join("problems")).unwrap();
    problems
        .map(|problem| problem.unwrap().path().join("problem.toml"))
        .collect()
}

/// The mistakes that the code reports in a judge's folder with these two files, one per
/// line.
fn mistakes(judge: &str, problem: &str) -> String {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("problems/p")).unwrap();
    fs::write(folder.path().join("judge.toml"), judge).unwrap();
    fs::write(folder.path().join("problems/p/problem.toml"), problem).unwrap();
    for name in ["check.cpp", "interact.cpp"] {
        fs::write(folder.path().join("problems/p").join(name), "").unwrap();
    }
    let read = JudgeFolder::open(folder.path())
        .and_then(|folder| folder.find("p")?.problem());
    let mistakes = read.err().map(|mistakes| mistakes.0).unwrap_or_default();
    mistakes
        .iter()
        .map(|mistake| {
            format!(
                "{mistake} => {}\n",
                mistake.remedy.clone().unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn the_schemas_are_valid_schemas() {
    for name in ["problem", "judge", "contest"] {
        assert!(jsonschema::meta::is_valid(&schema(name)), "{name}");
    }
}

#[test]
fn every_shipped_problem_matches_the_schema() {
    let schema = schema("problem");
    for path in specs() {
        let found = violations(&schema, &fs::read_to_string(&path).unwrap());
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
    }
    let judge = fs::read_to_string(root().join("judge.toml")).unwrap();
    assert_eq!(violations(&self::schema("judge"), &judge), [] as [&str; 0]);
}

/// The message about an unknown key lists all known keys of its table.
#[test]
fn the_code_reads_exactly_the_keys_of_the_schema() {
    const UNKNOWN_KEY: &str = "qqqqqqqqqqqqqqqq";
    let problem =
        "name = \"P\"\n[grid]\n[input]\n[output]\n[answer]\n[limits]\n[limits.c]\n";
    let of_text = "name = \"P\"\n[task]\n";
    let judge = "[limits]\n[languages.x]\n";
    for (name, text, tables) in [
        ("problem", of_text, &["task"][..]),
        (
            "problem",
            problem,
            &["grid", "input", "output", "answer", "limits"][..],
        ),
        ("judge", judge, &["limits", "languages.x"][..]),
    ] {
        let schema = schema(name);
        for table in tables {
            let header = format!("[{table}]\n");
            let text = text.replace(&header, &format!("{header}{UNKNOWN_KEY} = 1\n"));
            let messages = if name == "problem" {
                mistakes("", &text)
            } else {
                mistakes(&text, problem)
            };
            let line = messages
                .lines()
                .find(|line| line.contains(UNKNOWN_KEY))
                .unwrap_or_else(|| panic!("{messages}"));
            let (_, known) = line
                .split_once("known here: ")
                .unwrap_or_else(|| panic!("{line}"));
            let mut known: Vec<_> = known.split(", ").collect();
            known.sort_unstable();
            let described = match *table {
                "languages.x" => &schema["$defs"]["language"],
                table => &schema["properties"][table],
            };
            let mut keys: Vec<_> = described["properties"]
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            keys.sort_unstable();
            assert_eq!(known, keys, "[{table}] of {name}.toml");
        }
    }
}

/// The mistakes that the code reports in the settings of a contest or a course, one per
/// line. There is a team or student `alpha`.
fn mistakes_in(file: &str, text: &str) -> String {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("finals/alpha")).unwrap();
    fs::write(folder.path().join("judge.toml"), "").unwrap();
    let spec =
        fs::read_to_string(root().join("problems/poj-2676/problem.toml")).unwrap();
    fs::create_dir_all(folder.path().join("problems/p")).unwrap();
    fs::write(folder.path().join("problems/p/problem.toml"), spec).unwrap();
    fs::write(folder.path().join("finals").join(file), text).unwrap();
    let judge = JudgeFolder::open(folder.path()).unwrap();
    let read = ContestEntries::read(&judge, &folder.path().join("finals"), &[]);
    let mistakes = read.err().map(|mistakes| mistakes.0).unwrap_or_default();
    mistakes
        .iter()
        .map(|mistake| {
            format!(
                "{mistake} => {}\n",
                mistake.remedy.clone().unwrap_or_default()
            )
        })
        .collect()
}

/// Asserts that settings are right, or wrong, by the schema and for the code.
fn assert_agreement(schema: &Value, file: &str, is_right: bool, text: &str) {
    let found = violations(schema, text);
    assert_eq!(found.is_empty(), is_right, "the schema: {text}: {found:?}");
    let found = mistakes_in(file, text);
    assert_eq!(found.is_empty(), is_right, "the code: {text}: {found}");
}

/// Asserts that the code reads exactly the described keys of a table.
fn assert_same_keys(file: &str, table: &str, described: &Value) {
    let found = mistakes_in(file, &format!("{table}\nqqqqqqqqqqqqqqqq = 1\n"));
    let (_, known) = found
        .split_once("known here: ")
        .unwrap_or_else(|| panic!("{found}"));
    let known: BTreeSet<_> = known.lines().next().unwrap().split(", ").collect();
    let keys = described["properties"].as_object().unwrap().keys();
    assert_eq!(known, keys.map(String::as_str).collect(), "{table}");
}

#[test]
fn schema_and_code_agree_on_the_settings_of_a_contest() {
    let schema = schema("contest");
    for (is_right, text) in [
        (true, ""),
        (
            true,
            "name = \"Finals\"\nproblems = [\"p\"]\nby = \"points\"\npenalty = 0",
        ),
        (
            true,
            "start = \"2026-11-28 10:00\"\nlength = 300\nfreeze = \"4:00\"",
        ),
        (
            true,
            "start = \"2026-11-28T10:00:00+01:00\"\nlength = \"300\"",
        ),
        (
            true,
            "[team.alpha]\nname = \"A\"\norganisation = \"O\"\ngroup = \"g\"\nsite = \"s\"",
        ),
        (true, "[team.alpha]\nstatus = \"out of competition\""),
        (true, "[problem.p]\nlabel = \"A\"\ncolor = \"#ff8800\""),
        (true, "[problem.p]\ncolor = \"red\""),
        (false, "qqqqqqqqqqqqqqqq = 1"),
        (false, "[team.alpha]\nqqqqqqqqqqqqqqqq = 1"),
        (false, "[problem.p]\nqqqqqqqqqqqqqqqq = 1"),
        (false, "by = \"marks\""),
        (false, "penalty = -1"),
        (false, "penalty = 100001"),
        (false, "start = \"10:00\""),
        (false, "length = 0"),
        (false, "length = 300.5"),
        (false, "length = \"5:0\""),
        (false, "freeze = \"four\""),
        (false, "[team.alpha]\nstatus = \"guest\""),
        (false, "[team.alpha]\nname = \"\""),
        (false, "[problem.p]\nlabel = \"LETTERS\""),
        (false, "[problem.p]\ncolor = \"url(x)\""),
        (false, "[problem.p]\ncolor = \"#f80\""),
    ] {
        assert_agreement(&schema, "contest.toml", is_right, text);
    }
    // What no schema knows.
    for (text, message) in [
        (
            "[team.\"../alpha\"]",
            "finals/contest.toml:1: there is no team `../alpha`",
        ),
        (
            "[problem.q]",
            "finals/contest.toml:1: there is no problem `q`",
        ),
        (
            "length = 60\nfreeze = 61",
            "finals/contest.toml:2: the freeze in minute 61 is after",
        ),
    ] {
        let found = mistakes_in("contest.toml", text);
        assert!(found.contains(message), "{found}");
    }
    for (table, described) in [
        ("", &schema),
        ("[team.alpha]", &schema["$defs"]["team"]),
        ("[problem.p]", &schema["$defs"]["problem"]),
    ] {
        assert_same_keys("contest.toml", table, described);
    }
}

#[test]
fn schema_and_code_agree_on_the_settings_of_a_course() {
    let schema = schema("course");
    for (is_right, text) in [
        (true, ""),
        (
            true,
            "name = \"Algorithms\"\ncount = \"last\"\ndue = \"2026-11-28 23:59 +01:00\"",
        ),
        (
            true,
            "due = \"2026-11-28 23:59Z\"\n[late]\npercent = 10\neach = \"1 day\"\ngrace = \"15 min\"\nuntil = \"3 days\"",
        ),
        (
            true,
            "[problem.p]\ndue = \"2026-11-28T23:59:00Z\"\npoints = 20\nfiles = [\"task1*\"]",
        ),
        (
            true,
            "[student.alpha]\nname = \"A\"\nid = \"7\"\ngroup = \"g\"\ndue = \"2026-11-28 23:59Z\"",
        ),
        (false, "qqqqqqqqqqqqqqqq = 1"),
        (false, "[late]\npercent = 10\nqqqqqqqqqqqqqqqq = 1"),
        (false, "[problem.p]\nqqqqqqqqqqqqqqqq = 1"),
        (false, "[student.alpha]\nqqqqqqqqqqqqqqqq = 1"),
        (false, "count = \"first\""),
        (false, "due = \"2026-11-28 23:59\""),
        (false, "due = \"tomorrow\""),
        (false, "[late]\neach = \"1 day\""),
        (false, "[late]\npercent = 101"),
        (false, "[late]\npercent = 10\neach = \"a day\""),
        (false, "[problem.p]\npoints = 0"),
        (false, "[problem.p]\nfiles = \"task1*\""),
        (false, "[student.alpha]\nname = \"\""),
    ] {
        assert_agreement(&schema, "course.toml", is_right, text);
    }
    // What no schema knows.
    for (text, message) in [
        (
            "[student.alfa]",
            "finals/course.toml:1: there is no student `alfa` => did you mean `alpha`?",
        ),
        (
            "[problem.q]",
            "finals/course.toml:1: there is no problem `q`",
        ),
        (
            "due = \"2026-02-30 23:59Z\"",
            "finals/course.toml:1: `due` is `2026-02-30 23:59Z`, which is no date, time and zone",
        ),
        (
            "[problem.p]\nfiles = [\"a[\"]",
            "finals/course.toml:2: `a[` is no pattern: a `[` without its `]`",
        ),
        (
            "[late]\npercent = 1\neach = \"0s\"",
            "finals/course.toml:3: `each = \"0s\"` is not a length of time",
        ),
    ] {
        let found = mistakes_in("course.toml", text);
        assert!(found.contains(message), "{found}");
    }
    for (table, described) in [
        ("", &schema),
        ("[late]", &schema["properties"]["late"]),
        (
            "[problem.p]",
            &schema["properties"]["problem"]["additionalProperties"],
        ),
        (
            "[student.alpha]",
            &schema["properties"]["student"]["additionalProperties"],
        ),
    ] {
        assert_same_keys("course.toml", table, described);
    }
}

/// The keys of a recipe depend on its kind.
#[test]
fn the_code_reads_exactly_the_keys_of_the_schema_for_each_kind_of_recipe() {
    let schema = schema("problem");
    let recipe = &schema["$defs"]["recipe"];
    let good =
        fs::read_to_string(root().join("problems/poj-2676/problem.toml")).unwrap();
    let good = good.split("[[generate]]").next().unwrap();
    for rule in recipe["allOf"].as_array().unwrap() {
        let kind = rule["if"]["properties"]["kind"]["const"].as_str().unwrap();
        let message = mistakes(
            "",
            &format!(
                "{good}\n[[generate]]\nkind = \"{kind}\"\nqqqqqqqqqqqqqqqq = 1\n"
            ),
        );
        let line = message
            .lines()
            .find(|line| line.contains("qqqq"))
            .unwrap_or_else(|| panic!("{message}"));
        let (_, known) = line
            .split_once("known here: ")
            .unwrap_or_else(|| panic!("{line}"));
        let known: BTreeSet<_> = known.split(", ").collect();
        let keys = recipe["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str);
        let is_refused =
            |key: &&str| rule["then"]["properties"][*key] == Value::Bool(false);
        assert_eq!(
            known,
            keys.filter(|key| !is_refused(key)).collect(),
            "{kind}"
        );
    }
}

#[test]
fn the_code_refuses_what_the_schema_refuses_in_a_text_problem() {
    let good =
        fs::read_to_string(root().join("problems/ride-speeds/problem.toml")).unwrap();
    let schema = schema("problem");
    assert_eq!(mistakes("", &good), "");
    for (from, to) in [
        ("kind = \"tokens\"", ""),
        ("kind = \"tokens\"", "kind = \"words\""),
        ("kind = \"tokens\"", "kind = \"lines\""),
        ("float_tolerance = 1e-6", "float_tolerance = -1"),
        ("float_tolerance = 1e-6", "float_tolerance = \"1e-6\""),
        (
            "float_tolerance = 1e-6",
            "float_tolerance = 1\nfloat_relative_tolerance = 1",
        ),
        ("float_tolerance = 1e-6", "case_sensitive = 1"),
        ("solution = \"accepted", "solution = \"\"#"),
        ("[limits]", "[grid]\n[limits]"),
        ("[limits]", "[answer]\n[limits]"),
        ("[limits]", "[[generate]]\n[limits]"),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        assert!(
            !violations(&schema, &bad).is_empty(),
            "the schema accepts `{to}`"
        );
        assert_ne!(mistakes("", &bad), "", "the code accepts `{to}`");
    }
}

#[test]
fn schema_and_code_agree_on_the_programs_that_a_problem_may_name() {
    const PROGRAM: &str = "kind = \"program\"";
    const INTERACTIVE: &str = "kind = \"interactive\"";
    const CHECKER: &str = "checker = \"check.cpp\"";
    const INTERACTOR: &str = "interactor = \"interact.cpp\"";
    let schema = schema("problem");
    for (is_right, kind, keys) in [
        (true, PROGRAM, &[CHECKER][..]),
        (true, PROGRAM, &[CHECKER, "protocol = \"oj\""]),
        (false, PROGRAM, &[]),
        (false, PROGRAM, &[CHECKER, INTERACTOR]),
        (true, INTERACTIVE, &[INTERACTOR]),
        (true, INTERACTIVE, &[INTERACTOR, "protocol = \"testlib\""]),
        (
            true,
            INTERACTIVE,
            &[INTERACTOR, CHECKER, "protocol = \"testlib\""],
        ),
        (false, INTERACTIVE, &[INTERACTOR, CHECKER]),
        (
            false,
            INTERACTIVE,
            &[INTERACTOR, CHECKER, "protocol = \"kattis\""],
        ),
        (false, INTERACTIVE, &[INTERACTOR, "protocol = \"oj\""]),
        (false, INTERACTIVE, &[CHECKER, "protocol = \"testlib\""]),
        (false, "kind = \"tokens\"", &[CHECKER]),
        (false, "kind = \"tokens\"", &["protocol = \"testlib\""]),
    ] {
        let keys = keys.join("\n");
        let text = format!(
            "name = \"P\"\n[task]\n{kind}\n{keys}\n[limits]\ntime = \"1s\"\nmemory = \"64MiB\"\n"
        );
        assert_eq!(
            violations(&schema, &text).is_empty(),
            is_right,
            "the schema: {text}"
        );
        assert_eq!(
            mistakes("", &text).is_empty(),
            is_right,
            "the code: {text}{}",
            mistakes("", &text)
        );
    }
}

#[test]
fn the_code_refuses_what_the_schema_refuses() {
    let good =
        fs::read_to_string(root().join("problems/poj-2676/problem.toml")).unwrap();
    let schema = schema("problem");
    assert_eq!(mistakes("", &good), "");
    for (from, to) in [
        ("cases = \"count\"", "cases = \"one\""),
        ("most = 100", "until = \"end\""),
        ("boxes = \"3x3\"", ""),
        ("boxes = \"3x3\"", "boxes = \"three\""),
        ("order = 9", "order = 26"),
        ("order = 9", "order = []"),
        ("accept = \"any\"", "accept = \"any\"\nseveral = \"x\""),
        ("accept = \"any\"", "accept = \"all\""),
        ("accept = \"any\"", "accept = \"count\"\nmost = 9"),
        ("accept = \"any\"", "accept = \"first\"\nmost = 9"),
        (
            "accept = \"any\"",
            "accept = \"first\"\ncount = \"{count}\"",
        ),
        (
            "accept = \"any\"",
            "accept = \"first\"\nmost = 9\ncount = \"{count} x\"\none = \"x\"",
        ),
        ("time = \"2s\"", "time = \"2\""),
        ("[output]", "[output]\norder_as = \"box\""),
        ("[output]", "[output]\nseparator_line = \"after\""),
        ("[limits]", "[limits]\nprocesses = 0"),
        ("[limits]", "[points]\nsecret = -1\n[limits]"),
        ("[limits]", "[points]\nsecret = \"all\"\n[limits]"),
        ("[limits]", "[points]\n[limits]"),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        assert!(
            !violations(&schema, &bad).is_empty(),
            "the schema accepts `{to}`"
        );
        assert_ne!(mistakes("", &bad), "", "the code accepts `{to}`");
    }
}
