//! Packages whose program judges the source of a submission and not a run of it (`static_validator/` of 2025-09), by the real program.

mod judge;

use judge::Judge;
use judge::needs_cc;
use serde_json::Value;

const YAML: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 5}\n";
const SCORING: &str =
    "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 5}\ntype: scoring\n";

/// Refuses sources that hold one of its arguments; with `=parts`, gives half of the points for a `lambda`.
const CHECK: &str = r#"import os, sys
language, start, feedback, *words = sys.argv[1:]
files = [os.path.join(place, name) for place, _, names in os.walk(".") for name in names]
texts = [open(name).read() for name in files if name.endswith((".py", ".c", ".h"))]
found = [word for word in words if any(word in text for text in texts)]
if found:
    open(feedback + "judgemessage.txt", "w").write(f"{language} in {start} has `{found[0]}`\n")
    sys.exit(43)
if "=parts" in words and any("lambda" in text for text in texts):
    open(feedback + "score_multiplier.txt", "w").write("0.5")
sys.exit(42)
"#;

const RIGHT: &str = "print(2 * int(input()))\n";
const LOOPING: &str = "while True:\n  print(2 * int(input()))\n  break\n";

const NO_LOOPS: &str = "static_validation_score: pass-fail\nstatic_validator_args: [while, for]\n";

/// A package of a sample, `secret/a/1` and `secret/a/2`, and these files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge.put("pkg/problem.yaml", yaml);
    for (name, number) in [("sample/1", 1), ("secret/a/1", 2), ("secret/a/2", 3)] {
        judge.put(format!("pkg/data/{name}.in"), format!("{number}\n"));
        judge.put(format!("pkg/data/{name}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// The same without loops in `secret/a`, by this program, with a submission of either kind.
fn without_loops(validator: (&str, &str)) -> Judge {
    let of_a = ("data/secret/a/test_group.yaml", NO_LOOPS);
    let submissions = [
        ("submissions/accepted/right.py", RIGHT),
        ("submissions/wrong_answer/looping.py", LOOPING),
        (
            "submissions/accepted/right.c",
            "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\", 2 * n); }\n",
        ),
    ];
    package(YAML, &[&[of_a, validator][..], &submissions].concat())
}

fn events(judge: &Judge, kind: &str) -> Vec<Value> {
    let log = judge.read("log.jsonl");
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["event"] == kind).collect()
}

/// The verdict on each case of each submission, and the exit code; the same at any number of jobs.
#[track_caller]
fn judged(judge: &Judge, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let [one, four] = ["-j1", "-j4"].map(|jobs| {
        let ran = judge.run(&[arguments, &["-q", "--no-cache", "--log", "log.jsonl", jobs]].concat());
        assert_eq!(ran.stderr, "");
        let text = |trial: &Value, key: &str| trial[key].as_str().unwrap().to_owned();
        let told = events(judge, "trial_finished").into_iter();
        let told = told.map(|trial| ["submission", "case", "verdict"].map(|key| text(&trial, key)).join(" "));
        (ran.code, told.collect::<Vec<_>>())
    });
    assert_eq!(one, four);
    one
}

/// What each submission is worth.
fn points(judge: &Judge) -> Vec<String> {
    let ran = judge.run(&["grade", "-p", "./pkg", "-q", "--no-cache", "--log", "log.jsonl"]);
    assert_ne!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let told = |finished: &Value| {
        let name = finished["submission"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        format!("{name} {}/{}", finished["score"]["earned"], finished["score"]["of"])
    };
    events(judge, "submission_finished").iter().map(told).collect()
}

#[test]
fn the_source_is_judged_before_the_other_cases_of_its_group_and_spares_them_if_it_is_wrong() {
    needs_cc();
    let judge = without_loops(("static_validator/check.py", CHECK));
    let (code, told) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{told:?}");
    let right = |name: &str| {
        ["sample/1", "secret/a/static_validation", "secret/a/1", "secret/a/2"]
            .map(|case| format!("{name} {case} AC"))
    };
    assert_eq!(told[..4], right("accepted/right.c"));
    assert_eq!(told[4..8], right("accepted/right.py"));
    let (code, told) = judged(&judge, &["grade", "-p", "./pkg", "pkg/submissions/wrong_answer/looping.py"]);
    assert_eq!(code, Some(0));
    let of = |verdicts: [&str; 4]| {
        let cases = ["sample/1", "secret/a/static_validation", "secret/a/1", "secret/a/2"];
        cases
            .iter()
            .zip(verdicts)
            .map(|(case, verdict)| format!("wrong_answer/looping.py {case} {verdict}"))
            .collect::<Vec<_>>()
    };
    // In this folder every case counts, so all are judged.
    assert_eq!(told, of(["AC", "WA", "AC", "AC"]));
    judge.put("looping.py", LOOPING);
    let (code, told) = judged(&judge, &["grade", "-p", "./pkg", "looping.py"]);
    assert_eq!(code, Some(1));
    let verdicts: Vec<_> = told.iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(verdicts, ["AC", "WA", "SK", "SK"]);
}

#[test]
fn nothing_of_the_submission_ran_so_there_is_nothing_to_measure() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put("looping.py", LOOPING);
    judged(&judge, &["grade", "-p", "./pkg", "looping.py"]);
    let trials = events(&judge, "trial_finished");
    assert!(trials[0]["cpu_us"].is_number());
    let trial = &trials[1];
    for key in ["cpu_us", "wall_us", "peak_memory_bytes", "exit", "stderr"] {
        assert!(trial[key].is_null(), "{trial}");
    }
    assert_eq!(trial["finding"]["message"], "static validator: python3 in looping.py has `while`");
}

#[test]
fn a_static_validator_is_made_of_what_its_folder_holds() {
    needs_cc();
    let main = "#include \"words.h\"\n#include <fstream>\n#include <iterator>\n#include <string>\n\
        int main(int count, char **words) {\n  std::ifstream file(words[2]);\n  \
        std::string text{std::istreambuf_iterator<char>(file), {}};\n  \
        for (int place = 4; place < count; ++place) if (has(text, words[place])) return 43;\n  return 42;\n}\n";
    let judge = without_loops(("static_validator/main.cpp", main));
    judge.put(
        "pkg/static_validator/words.h",
        "#include <string>\nbool has(const std::string &, const char *);\n",
    );
    let words = "#include \"../words.h\"\nbool has(const std::string &text, const char *word) {\n  \
        return text.find(word) != std::string::npos;\n}\n";
    judge.put("pkg/static_validator/lib/words.cpp", words);
    let (code, told) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{told:?}");
    judge.remove("pkg/static_validator/main.cpp");
    judge.script("pkg/static_validator/run", "#!/bin/sh\ngrep -q while \"$2\" && exit 43\nexit 42\n");
    let (code, told) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{told:?}");
}

#[test]
fn all_files_of_a_submission_and_those_that_the_package_includes_are_looked_at() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put(
        "pkg/submissions/wrong_answer/two/__main__.py",
        "from lib.twice import twice\nprint(twice(int(input())))\n",
    );
    judge.put(
        "pkg/submissions/wrong_answer/two/lib/twice.py",
        "def twice(n):\n  for _ in [0]: return 2 * n\n",
    );
    judge.put(
        "pkg/submissions/accepted/two/__main__.py",
        "from lib.twice import twice\nprint(twice(int(input())))\n",
    );
    judge.put("pkg/submissions/accepted/two/lib/twice.py", "def twice(n): return 2 * n\n");
    let (code, told) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{told:?}");
    let log = judge.read("log.jsonl");
    assert!(log.contains("static validator: python3 in __main__.py has `for`"), "{log}");
    judge.put("pkg/include/python3/given.py", "for _ in []: pass\n");
    let (code, _) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(1));
}

#[test]
fn it_works_among_these_files_and_cannot_change_them() {
    let change = "import os, sys\nassert sorted(os.listdir('.')) == ['right.py'], os.listdir('.')\n\
        try: open('right.py', 'a').write('crash')\nexcept OSError: pass\nsys.exit(42)\n";
    let judge = package(
        YAML,
        &[
            ("data/secret/a/test_group.yaml", NO_LOOPS),
            ("static_validator/check.py", change),
            ("submissions/accepted/right.py", RIGHT),
        ],
    );
    let (code, told) = judged(&judge, &["verify", "./pkg"]);
    assert_eq!(code, Some(0), "{told:?}");
}

#[test]
fn what_does_not_compile_is_told_and_not_looked_at() {
    needs_cc();
    let judge = without_loops(("static_validator/check.py", "raise SystemExit(1)\n"));
    judge.put("broken.c", "int main( {\n");
    let (code, told) = judged(&judge, &["grade", "-p", "./pkg", "broken.c"]);
    assert_eq!((code, told[0].rsplit(' ').next()), (Some(1), Some("CE")));
}

#[test]
fn an_executable_has_no_source_and_is_not_judged() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.script("mine", "#!/bin/sh\nread n\necho $((2 * n))\n");
    let ran = judge.run(&["grade", "-p", "./pkg", "mine"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("the package judges sources, and this is an executable"), "{told}");
    // Where its source is not asked for, it is judged.
    let (code, told) = judged(&judge, &["grade", "-p", "./pkg", "mine", "--case", "sample/*"]);
    assert_eq!((code, &told[..]), (Some(0), &["mine sample/1 AC".to_owned()][..]));
}

#[test]
fn whatever_a_static_validator_does_but_answer_is_a_fault() {
    let whole = "open(sys.argv[3] + 'score.txt', 'w').write('1')";
    for (source, cause) in [
        (
            "raise ValueError('no parser')\n".to_owned(),
            "it ended with exit code 1, and a static validator ends with 42 or 43",
        ),
        (
            "raise SystemExit(0)\n".to_owned(),
            "it ended with exit code 0, and a static validator ends with 42 or 43",
        ),
        ("while True: pass\n".to_owned(), "it broke its own time limit"),
        (format!("import sys\n{whole}\nsys.exit(42)\n"), "which a problem without points has no use for"),
        (
            "import sys\nopen(sys.argv[3] + 'nextpass.in', 'w')\nsys.exit(42)\n".to_owned(),
            "it wrote `nextpass.in`",
        ),
    ] {
        let yaml = YAML.replace("time_limit: 5", "time_limit: 5, validation_time: 1");
        let judge = package(
            &yaml,
            &[
                ("data/secret/a/test_group.yaml", NO_LOOPS),
                ("static_validator/check.py", &source),
                ("submissions/accepted/right.py", RIGHT),
            ],
        );
        let ran = judge.run(&["verify", "./pkg", "-q", "--no-cache", "--log", "log.jsonl"]);
        assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
        let faults = events(&judge, "trial_faulted");
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0]["case"], "secret/a/static_validation");
        let told = faults[0]["cause"].as_str().unwrap();
        assert!(told.contains(cause), "{told}");
        let doing = faults[0]["doing"].as_str().unwrap();
        assert!(doing.starts_with("running the static validator "), "{doing}");
        let remedy = faults[0]["remedy"].as_str().unwrap();
        assert!(
            remedy.contains("check.py LANGUAGE ENTRY_POINT FEEDBACK/ while for`, in a folder with"),
            "{remedy}"
        );
    }
}

#[test]
fn one_that_does_not_compile_is_a_fault_of_its_case_alone() {
    needs_cc();
    let judge = without_loops(("static_validator/check.c", "int main( {\n"));
    let ran = judge.run(&["verify", "./pkg", "-q", "--no-cache", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let faults = events(&judge, "trial_faulted");
    assert!(faults.iter().all(|fault| fault["case"] == "secret/a/static_validation"), "{faults:?}");
    assert!(faults[0]["doing"].as_str().unwrap().starts_with("compiling the static validator"));
}

#[test]
fn the_source_earns_points_in_groups_that_give_them_for_parts() {
    let of_a = |aggregation: &str, score: &str| {
        let text = format!(
            "max_score: 100\nscore_aggregation: {aggregation}\nstatic_validation_score: {score}\nstatic_validator_args: [while, =parts]\n"
        );
        package(
            SCORING,
            &[
                ("data/secret/a/test_group.yaml", &text),
                ("static_validator/check.py", CHECK),
                ("submissions/accepted/1.py", RIGHT),
                ("submissions/accepted/2.py", "f = lambda n: 2 * n\nprint(f(int(input())))\n"),
                ("submissions/rejected/3.py", LOOPING),
                ("submissions/rejected/4.py", "n = int(input())\nprint(2 * n if n < 3 else 0)\n"),
            ],
        )
    };
    assert_eq!(points(&of_a("sum", "40")), ["1.py 100/100", "2.py 80/100", "3.py 60/100", "4.py 70/100"]);
    assert_eq!(points(&of_a("min", "100")), ["1.py 100/100", "2.py 50/100", "3.py 0/100", "4.py 0/100"]);
}

#[test]
fn all_or_nothing_is_so_by_the_source_too_and_points_for_it_are_a_fault() {
    let files = |check: &str| {
        package(
            SCORING,
            &[
                ("data/secret/a/test_group.yaml", &format!("max_score: 100\n{NO_LOOPS}")),
                ("static_validator/check.py", check),
                ("submissions/accepted/1.py", RIGHT),
                ("submissions/rejected/2.py", LOOPING),
            ],
        )
    };
    assert_eq!(points(&files(CHECK)), ["1.py 100/100", "2.py 0/100"]);
    let judge = files("import sys\nopen(sys.argv[3] + 'score.txt', 'w').write('1')\nsys.exit(42)\n");
    let ran = judge.run(&["verify", "./pkg", "-q", "--no-cache", "--log", "log.jsonl"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    let fault = &events(&judge, "trial_faulted")[0];
    assert_eq!(fault["cause"], "it gives points, and cases of this group have none to give");
}

#[test]
fn a_group_may_require_that_the_source_of_an_earlier_one_is_right() {
    let style = ("data/secret/style/test_group.yaml", format!("max_score: 0\n{NO_LOOPS}"));
    let judge = package(
        SCORING,
        &[
            ("data/secret/a/test_group.yaml", "max_score: 0\n"),
            (style.0, &style.1),
            ("data/secret/z/test_group.yaml", "max_score: 100\nrequire_pass: secret/style\n"),
            ("data/secret/z/1.in", "4\n"),
            ("data/secret/z/1.ans", "8\n"),
            ("static_validator/check.py", CHECK),
            ("submissions/accepted/1.py", RIGHT),
            ("submissions/rejected/2.py", LOOPING),
        ],
    );
    assert_eq!(points(&judge), ["1.py 100/100", "2.py 0/100"]);
}

#[test]
fn what_is_known_of_a_source_is_not_asked_again_until_source_program_or_arguments_change() {
    let judge = package(
        YAML,
        &[
            (
                "data/secret/test_group.yaml",
                "static_validation_score: pass-fail\nstatic_validator_args: [print]\n",
            ),
            ("data/secret/a/test_group.yaml", NO_LOOPS),
            ("static_validator/check.py", CHECK),
            ("submissions/rejected/right.py", RIGHT),
        ],
    );
    let known = || {
        let ran = judge.run(&["verify", "./pkg", "-q", "--all", "--log", "log.jsonl"]);
        let told = events(&judge, "trial_finished").into_iter();
        let of_source = told.filter(|trial| trial["case"].as_str().unwrap().ends_with("static_validation"));
        let told = of_source
            .map(|trial| format!("{} {}", trial["verdict"].as_str().unwrap(), trial["cached"] == true));
        (ran.code, told.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(known(), (Some(0), "WA false, AC false".to_owned()));
    assert_eq!(known(), (Some(0), "WA true, AC true".to_owned()));
    judge.put(
        "pkg/data/secret/test_group.yaml",
        "static_validation_score: pass-fail\nstatic_validator_args: [goto]\n",
    );
    assert_eq!(known(), (Some(1), "AC false, AC false".to_owned()));
    judge.put("pkg/static_validator/check.py", "raise SystemExit(43)\n");
    assert_eq!(known(), (Some(0), "WA false, WA false".to_owned()));
    judge.put("pkg/submissions/rejected/right.py", "print(2 * int(input())) \n");
    assert_eq!(known(), (Some(0), "WA false, WA false".to_owned()));
    assert_eq!(known(), (Some(0), "WA true, WA true".to_owned()));
}

#[test]
fn cases_that_are_alike_but_for_their_flags_are_not_taken_for_each_other() {
    let judge = package(YAML, &[("submissions/rejected/right.py", "print('NO')\n")]);
    for (case, flags) in [("b/1", "[]"), ("c/1", "[case_sensitive]")] {
        judge
            .put(format!("pkg/data/secret/{case}.in"), "7\n")
            .put(format!("pkg/data/secret/{case}.ans"), "no\n");
        judge.put(format!("pkg/data/secret/{case}.yaml"), format!("output_validator_args: {flags}\n"));
    }
    for _ in 0..2 {
        judge.run(&["verify", "./pkg", "-q", "--all", "-j1", "--log", "log.jsonl"]);
        let told = events(&judge, "trial_finished");
        let verdicts: Vec<_> = told[3..].iter().map(|trial| trial["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["AC", "WA"]);
    }
}

#[test]
fn rules_for_cases_and_patterns_on_the_command_line_mean_it_by_its_name() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put(
        "pkg/submissions/submissions.yaml",
        "wrong_answer/looping.py:\n  secret/a/static_validation: {permitted: [WA]}\n",
    );
    assert_eq!(judged(&judge, &["verify", "./pkg"]).0, Some(0));
    judge.put(
        "pkg/submissions/submissions.yaml",
        "wrong_answer/looping.py:\n  secret/a/static_validation: {permitted: [AC]}\n",
    );
    assert_eq!(judged(&judge, &["verify", "./pkg"]).0, Some(1));
    judge.put("looping.py", LOOPING);
    let (code, told) = judged(&judge, &["grade", "-p", "./pkg", "looping.py", "--case", "*static*"]);
    assert_eq!((code, told), (Some(1), vec!["looping.py secret/a/static_validation WA".to_owned()]));
}

#[test]
fn the_package_is_told_and_checked_with_what_it_has_of_inputs() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put("pkg/input_validators/v.py", "import sys\nint(input())\nsys.exit(42)\n");
    let ran = judge.run(&["doctor", "./pkg"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("sources       by the program static_validator/check.py on 1 case\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("comparing     token by token\n"), "{}", ran.stdout);
    let ran = judge.run(&["verify", "./pkg", "--no-cache"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("pkg: 3 cases, each with an input and an answer that can be compared\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("ok       3 inputs valid, by 1 input validator"), "{}", ran.stdout);
    assert_eq!(judge.run(&["answers", "./pkg", "--check"]).code, Some(0));
}

#[test]
fn an_export_to_a_format_that_judges_no_sources_tells_what_is_lost() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put("pkg/statement/problem.en.tex", "Twice\n");
    // Of what `run` gives back, notes are left out.
    let exported = |target: &str, place: &str| {
        let output = judge.command(&["export", "./pkg", "--to", target, place]).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!exported("kattis-2025-09", "new").contains("static_validator"));
    assert!(judge.path("new/static_validator/check.py").exists());
    let told = exported("kattis-legacy", "old");
    let lost = "static_validator/check.py is left out, and what it alone rejects is accepted: kattis-legacy judges no sources";
    assert!(told.contains(lost), "{told}");
    assert_eq!(told.matches("static_validator").count(), 1, "{told}");
    assert!(!judge.path("old/data/secret/a/static_validation.in").exists());
    let text = format!("max_score: 100\n{NO_LOOPS}");
    judge.put("pkg/problem.yaml", SCORING).put("pkg/data/secret/a/test_group.yaml", text);
    let ran = judge.run(&["export", "./pkg", "--to", "kattis-legacy", "points"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("affects the points of sources, and kattis-legacy has no place for it"),
        "{}",
        ran.stderr
    );
}

#[test]
fn in_a_contest_it_judges_as_any_other_case() {
    let judge = without_loops(("static_validator/check.py", CHECK));
    judge.put("problems/README", "");
    std::fs::rename(judge.path("pkg"), judge.path("problems/pkg")).unwrap();
    judge.put("contest/red/pkg.py", RIGHT).put("contest/blue/pkg.py", LOOPING);
    judge.run(&["grade", "contest", "-q", "--no-cache", "--log", "log.jsonl"]);
    let finished = events(&judge, "submission_finished");
    let mut told: Vec<_> = finished
        .iter()
        .map(|event| {
            format!("{} {}", event["submission"].as_str().unwrap(), event["verdict"].as_str().unwrap())
        })
        .collect();
    told.sort();
    assert_eq!(told, ["blue/pkg.py WA", "red/pkg.py AC"]);
}
