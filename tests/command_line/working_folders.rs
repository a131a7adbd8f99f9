//! The working folders of the programs of a package, tested with the real program:
//! input validators work among their own files and those of the case, and output
//! validators of 2025-09 among the files of the submission.

use std::path::Path;

use crate::judge::{Judge, Ran, needs_cc};

const NEW: &str = "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\nlimits: {time_limit: 5}\n";
const LEGACY: &str = "name: Twice\nvalidation: custom\nlimits: {time_limit: 5}\n";

const RIGHT: &str = "print(2 * int(input()))\n";

/// A package that asks for twice a number, with these additional files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Judge {
    let judge = Judge::new();
    judge
        .put("pkg/problem.yaml", yaml)
        .put("pkg/submissions/accepted/right.py", RIGHT);
    for (name, number) in [("sample/1", 1), ("secret/2", 2)] {
        judge.put(format!("pkg/data/{name}.in"), format!("{number}\n"));
        judge.put(format!("pkg/data/{name}.ans"), format!("{}\n", 2 * number));
    }
    for (name, text) in files {
        judge.put(format!("pkg/{name}"), text);
    }
    judge
}

/// A package with the submission `right.py` and an output validator in Python that
/// begins with these lines.
fn judged_by(yaml: &str, lines: &str) -> Judge {
    let place = if yaml == LEGACY {
        "output_validators/v/check.py"
    } else {
        "output_validator/check.py"
    };
    let check = format!(
        "import os, sys\nfeedback = sys.argv[3]\n{lines}\n\
        right = sys.stdin.read().strip() == open(sys.argv[2]).read().strip()\nsys.exit(42 if right else 43)\n"
    );
    package(yaml, &[(place, &check)])
}

#[track_caller]
fn ran(judge: &Judge, arguments: &[&str], code: i32) -> Ran {
    let ran = judge.run(arguments);
    assert_eq!(ran.code, Some(code), "{}{}", ran.stdout, ran.stderr);
    ran
}

#[track_caller]
fn verified(judge: &Judge) -> String {
    judge.forget();
    ran(judge, &["verify", "./pkg"], 0).stdout
}

#[test]
fn an_input_validator_finds_its_own_files_in_its_working_folder() {
    let check = "import os, sys\nassert sorted(os.listdir('.')) == ['check.py', 'data', 'words.txt'], os.listdir('.')\n\
        words = open('words.txt').read().split() + open('data/more.txt').read().split()\n\
        open('words.txt', 'w').write('spoilt')\nsys.exit(42 if input() in words else 43)\n";
    for yaml in [NEW, "name: Twice\nlimits: {time_limit: 5}\n"] {
        let judge = package(yaml, &[("input_validators/v/check.py", check)]);
        judge
            .put("pkg/input_validators/v/words.txt", "1\n")
            .put("pkg/input_validators/v/data/more.txt", "2\n");
        let told = verified(&judge);
        assert!(
            told.contains("2 inputs valid, by 1 input validator"),
            "{told}"
        );
    }
}

#[test]
fn an_input_validator_of_one_file_works_beside_that_file_and_the_files_of_the_case() {
    let check = "import os, sys\nnames = sorted(os.listdir('.'))\nn = input()\n\
        sys.exit(42 if names == (['a.txt', 'check.py'] if n == '2' else ['check.py']) else 43)\n";
    let judge = package(
        NEW,
        &[
            ("input_validators/check.py", check),
            ("data/secret/2.files/a.txt", "a\n"),
        ],
    );
    judge.put("pkg/submissions/accepted/right.py", RIGHT);
    assert!(verified(&judge).contains("2 inputs valid"));
}

#[test]
fn the_files_of_a_compiled_input_validator_have_constants_filled_in_and_its_program_is_not_among_them()
 {
    needs_cc();
    let check = "#include <dirent.h>\n#include <stdio.h>\n#include <string.h>\nint main(void) {\n  \
        FILE *file = fopen(\"most.txt\", \"r\");\n  int most, n, files = 0;\n  \
        if (!file || fscanf(file, \"%d\", &most) != 1 || scanf(\"%d\", &n) != 1) return 1;\n  \
        DIR *here = opendir(\".\");\n  for (struct dirent *one; (one = readdir(here));) files += one->d_name[0] != '.';\n  \
        return files == 2 && n <= most ? 42 : 43;\n}\n";
    let yaml = format!("{NEW}constants: {{most: 2}}\n");
    let judge = package(&yaml, &[("input_validators/v/check.c", check)]);
    judge.put("pkg/input_validators/v/most.txt", "{{most}}\n");
    assert!(verified(&judge).contains("2 inputs valid"));
}

#[test]
fn what_a_build_script_makes_is_in_the_working_folder_of_the_input_validator() {
    let judge = package(NEW, &[("input_validators/v/words.txt", "1\n2\n")]);
    let build = "#!/bin/sh\nsort words.txt > sorted.txt\nprintf '#!/bin/sh\\nexec grep -qx \"$1\" sorted.txt\\n' > find\n\
        chmod +x find\n";
    judge.script("pkg/input_validators/v/build", build);
    judge.script(
        "pkg/input_validators/v/run",
        "#!/bin/sh\nread n\n./find \"$n\" && exit 42\nexit 43\n",
    );
    assert!(verified(&judge).contains("2 inputs valid"));
}

#[test]
fn a_file_of_a_case_with_the_name_of_a_file_of_an_input_validator_is_a_mistake() {
    let judge = package(
        NEW,
        &[
            ("input_validators/v/check.py", "import sys\nsys.exit(42)\n"),
            ("input_validators/v/words.txt", ""),
            ("input_validators/v/lib/a.txt", ""),
            ("data/secret/2.files/words.txt", ""),
            ("data/secret/2.files/lib", ""),
            ("data/secret/2.files/check.py/inner.txt", ""),
            ("data/invalid_input/3.in", ""),
            ("data/invalid_input/3.files/words.txt", ""),
        ],
    );
    let refused = ran(&judge, &["doctor", "./pkg"], 2).stderr;
    for (file, own) in [
        ("secret/2.files/check.py/inner.txt", "check.py"),
        ("secret/2.files/lib", "lib/a.txt"),
        ("secret/2.files/words.txt", "words.txt"),
        ("invalid_input/3.files/words.txt", "words.txt"),
    ] {
        let told =
            format!("data/{file}: collides with `{own}` of the input validator `v`");
        assert!(refused.contains(&told), "{told}: {refused}");
    }
    assert!(refused.contains("hint: rename one of the two"), "{refused}");
    // No verdict depends on it, and the validator gets the file of the case.
    let told = ran(&judge, &["verify", "./pkg"], 2);
    assert!(
        told.stdout.contains("1 as expected"),
        "{}{}",
        told.stdout,
        told.stderr
    );
}

#[test]
fn an_output_validator_works_among_the_files_of_the_submission_and_may_write_only_to_its_feedback_folder()
 {
    let lines = "assert open('right.py').read().startswith('print'), 'the source'\n\
        assert sorted(os.listdir('.')) == ['given.py', 'right.py'], os.listdir('.')\n\
        assert not [name for name in os.listdir(feedback) if name[0] != '.'], 'feedback'\n\
        for name in 'made', 'right.py':\n    try: open(name, 'w')\n    except OSError: continue\n    sys.exit(1)\n\
        open(feedback + 'judgemessage.txt', 'w').write('twice')";
    let judge = judged_by(NEW, lines);
    judge.put("pkg/include/python3/given.py", "");
    assert!(verified(&judge).contains("1 as expected"));
}

#[test]
fn the_compiled_program_of_the_submission_is_in_the_working_folder_of_the_output_validator()
 {
    needs_cc();
    let lines = "names = os.listdir('.')\nassert 'right.c' in names and len(names) > 1, names";
    let judge = judged_by(NEW, lines);
    judge.remove("pkg/submissions/accepted/right.py");
    let source = "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\", 2 * n); }\n";
    judge.put("pkg/submissions/accepted/right.c", source);
    verified(&judge);
}

#[test]
fn an_output_validator_of_an_older_format_works_in_its_feedback_folder() {
    let lines = "assert os.path.realpath('.') == os.path.realpath(feedback)\nopen('judgemessage.txt', 'w')";
    verified(&judged_by(LEGACY, lines));
}

#[test]
fn an_interactor_and_a_validator_of_several_passes_work_among_the_files_of_the_submission()
 {
    let interactor = "import os, sys\nassert os.listdir('.') == ['right.py'], os.listdir('.')\nprint(4, flush=True)\n\
        sys.exit(42 if input() == '8' else 43)\n";
    let yaml = format!("{NEW}type: interactive\n");
    verified(&package(
        &yaml,
        &[("output_validator/check.py", interactor)],
    ));
    let passes = "import os, sys\nassert os.listdir('.') == ['right.py'], os.listdir('.')\n\
        if int(input()) < 8: open(sys.argv[3] + 'nextpass.in', 'w').write('4')\nsys.exit(42)\n";
    let yaml = format!("{NEW}type: multi-pass\n");
    verified(&package(&yaml, &[("output_validator/check.py", passes)]));
    let both = "import os, sys\nassert os.listdir('.') == ['right.py'], os.listdir('.')\nprint(4, flush=True)\ninput()\n\
        done = sys.argv[3] + 'done'\nif not os.path.exists(done):\n    open(done, 'w')\n    \
        open(sys.argv[3] + 'nextpass.in', 'w').write('4')\nsys.exit(42)\n";
    let yaml = format!("{NEW}type: [interactive, multi-pass]\n");
    verified(&package(&yaml, &[("output_validator/check.py", both)]));
}

/// A submission may bring files with the names of the validator's modules and of its
/// feedback.
#[test]
fn no_file_of_a_submission_takes_the_place_of_a_module_or_of_feedback_of_the_output_validator()
 {
    let lines = "import json, helper\nassert helper.OWN\nimport random";
    let judge = judged_by(NEW, lines);
    judge.put(
        "pkg/output_validator/__main__.py",
        judge.read("pkg/output_validator/check.py"),
    );
    judge
        .remove("pkg/output_validator/check.py")
        .put("pkg/output_validator/helper.py", "OWN = True\n");
    let place = "pkg/submissions/wrong_answer/hostile";
    judge.put(format!("{place}/main.py"), "print(7)\n");
    let module = "import os\nos._exit(42)\n";
    for name in [
        "json",
        "helper",
        "random",
        "sitecustomize",
        "usercustomize",
        "encodings/__init__",
        "__main__",
    ] {
        judge.put(format!("{place}/{name}.py"), module);
    }
    judge.edit(&format!("{place}/__main__.py"), module, "print(7)\n");
    for python in [
        "python3.9",
        "python3.10",
        "python3.11",
        "python3.12",
        "python3.13",
        "python3.14",
    ] {
        judge.put(
            format!("{place}/lib/{python}/site-packages/own.pth"),
            "import os; os._exit(42)\n",
        );
    }
    for name in [
        "judgemessage.txt",
        "teammessage.txt",
        "score.txt",
        "nextpass.in",
        "pyvenv.cfg",
    ] {
        judge.put(format!("{place}/{name}"), "from the submission\n");
    }
    ran(&judge, &["verify", "./pkg", "--log", "log.jsonl"], 0);
    assert!(!judge.read("log.jsonl").contains("from the submission"));
}

/// PHP looks for included files in its working folder first, unless it is told
/// otherwise.
#[test]
fn no_file_of_a_submission_is_included_by_an_output_validator_in_php() {
    if !Path::new("/usr/bin/php").exists() {
        return;
    }
    let judge = package(
        NEW,
        &[("output_validator/lib.php", "<?php const WRONG = 43;\n")],
    );
    judge.put(
        "pkg/output_validator/main.php",
        "<?php\ninclude 'lib.php';\nexit(trim(fgets(STDIN)) == '7' ? WRONG : 42);\n",
    );
    let place = "pkg/submissions/wrong_answer/hostile";
    judge
        .put(format!("{place}/main.php"), "<?php echo 7;\n")
        .put(format!("{place}/lib.php"), "<?php exit(42);\n");
    assert!(verified(&judge).contains("2 as expected"));
}

#[test]
fn without_a_submission_the_working_folder_of_the_output_validator_is_empty() {
    let lines = "assert os.listdir('.') == [], os.listdir('.')\n\
        try: open('made', 'w')\nexcept OSError: pass\nelse: sys.exit(1)";
    let judge = judged_by(NEW, lines);
    judge.remove("pkg/submissions/accepted/right.py");
    for (section, output) in [("valid_output", "6\n"), ("invalid_output", "7\n")] {
        judge
            .put(format!("pkg/data/{section}/3.in"), "3\n")
            .put(format!("pkg/data/{section}/3.ans"), "6\n");
        judge.put(format!("pkg/data/{section}/3.out"), output);
    }
    let told = judge.run(&["verify", "./pkg"]).stdout;
    assert!(
        told.contains("outputs judged as the package says"),
        "{told}"
    );
    judge.put("output", "4\n");
    ran(
        &judge,
        &["check", "-p", "./pkg", "pkg/data/secret/2.in", "output"],
        0,
    );
    judge.put("pkg/problem.yaml", format!("{NEW}type: submit-answer\n"));
    judge
        .put("mine/sample/1.out", "2\n")
        .put("mine/secret/2.out", "4\n");
    ran(&judge, &["grade", "-p", "./pkg", "mine"], 0);
}

#[test]
fn a_fault_of_an_output_validator_that_writes_to_its_working_folder_says_where_it_may_write()
 {
    let judge = judged_by(NEW, "open('debug.txt', 'w')");
    ran(&judge, &["verify", "./pkg", "--log", "log.jsonl"], 3);
    let log = judge.read("log.jsonl");
    let remedy = "in a folder with the files of the submission, where it must not write; FEEDBACK/ is for that";
    assert!(log.contains("debug.txt") && log.contains(remedy), "{log}");
}

#[test]
fn a_renamed_submission_is_judged_again_by_a_validator_that_sees_its_name() {
    let judge = judged_by(NEW, "if 'other.py' in os.listdir('.'): sys.exit(43)");
    judge.put("right.py", RIGHT).put("other.py", RIGHT);
    ran(&judge, &["grade", "-p", "./pkg", "right.py"], 0);
    ran(&judge, &["grade", "-p", "./pkg", "other.py"], 1);
    ran(&judge, &["grade", "-p", "./pkg", "right.py"], 0);
}
