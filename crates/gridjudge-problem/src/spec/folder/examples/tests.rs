//! Expected verdicts of submissions in folders that each test creates.

use std::fs;

use super::*;

/// A temporary folder of submissions.
struct Examples(tempfile::TempDir);

impl Examples {
    /// Creates a folder with files of these names and texts.
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    /// The examples, or all mistakes with the path of the folder removed.
    fn read(&self) -> Result<Vec<ExampleSubmission>, String> {
        let mut files = vec![];
        for entry in walkdir::WalkDir::new(self.0.path()).sort_by_file_name() {
            let entry = entry.unwrap();
            if entry.file_type().is_file() && entry.file_name() != FILE_NAME {
                files.push(entry.into_path());
            }
        }
        let root = format!("{}/", self.0.path().display());
        examples(self.0.path(), &files)
            .map_err(|mistakes| report(&mistakes).replace(&root, ""))
    }

    fn expectations(&self) -> Result<Vec<String>, String> {
        self.read().map(|examples| {
            examples
                .iter()
                .map(|example| {
                    let Submission { name, expected, .. } = &example.submission;
                    format!("{name} {}", expected.as_ref().unwrap())
                })
                .collect()
        })
    }
}

fn report(Mistakes(mistakes): &Mistakes) -> String {
    mistakes
        .iter()
        .map(|mistake| match &mistake.remedy {
            Some(remedy) => format!("{mistake} ({remedy})"),
            None => mistake.to_string(),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

fn cases(names: &[&str]) -> Vec<Case> {
    names
        .iter()
        .map(|name| Case {
            name: (*name).into(),
            input: PathBuf::new(),
            answer: PathBuf::new(),
        })
        .collect()
}

#[test]
fn verdicts_come_from_the_folder_the_source_or_the_file_and_the_file_overrides_the_others()
 {
    let examples = Examples::of(&[
        ("accepted/a.c", "int main() {}"),
        ("mixed/b.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER, TLE"),
        ("mixed/c.c", "/* @EXPECTED_RESULTS@: RUN_TIME_ERROR */"),
        ("rejected/d.c", "// @EXPECTED_RESULTS@: MLE\n"),
        ("rejected/e.c", ""),
        ("odd/f.c", ""),
        (
            "wrong/g.c",
            "// @EXPECTED_RESULTS@: nothing that counts, for the file has the last word",
        ),
        (
            "submissions.toml",
            "[\"*/g.c\"]\nexpected = \"TLE\"\n[\"{odd,wrong}/?.c\"]\nexpected = [\"RE\", \"AC\"]\n",
        ),
    ]);
    assert_eq!(
        examples.expectations().unwrap(),
        [
            "accepted/a.c AC",
            "mixed/b.py WA or TLE",
            "mixed/c.c RE",
            "odd/f.c RE or AC",
            "rejected/d.c MLE",
            "rejected/e.c WA or PE or TLE or ILE or MLE or OLE or RE",
            "wrong/g.c RE or AC",
        ]
    );
}

#[test]
fn verdicts_in_a_source_narrow_those_of_its_folder_and_never_widen_them() {
    let examples = Examples::of(&[
        ("rejected/a.c", "// @EXPECTED_RESULTS@: TIMELIMIT"),
        ("slow/b.c", "// @EXPECTED_RESULTS@: TIMELIMIT"),
        (
            "time_limit_exceeded/c.c",
            "// @EXPECTED_RESULTS@: TIMELIMIT, WRONG-ANSWER",
        ),
    ]);
    let promised = [
        "rejected/a.c TLE or ILE or OLE",
        "slow/b.c TLE",
        "time_limit_exceeded/c.c TLE",
    ];
    assert_eq!(examples.expectations().unwrap(), promised);
}

#[test]
fn all_missing_and_contradictory_expectations_are_reported_at_once() {
    let examples = Examples::of(&[
        ("accepted/a.c", "\n// @EXPECTED_RESULTS@: WA"),
        ("acepted/b.c", ""),
        ("c.c", "// @EXPECTED_RESULTS@: WRONG"),
        (
            "mixed/d.c",
            "// @EXPECTED_RESULTS@: AC\n// @EXPECTED_RESULTS@: AC\n",
        ),
    ]);
    let report = examples.expectations().unwrap_err();
    for expected in [
        "accepted/a.c:2: its source expects WA, but its folder AC (move it into `mixed/`, or delete the line)",
        "acepted/b.c: the folder `acepted` expects no verdict (did you mean `accepted`?)",
        "c.c:1: `WRONG` is not a verdict (use CORRECT, WRONG-ANSWER, NO-OUTPUT, TIMELIMIT, RUN-ERROR, \
         COMPILER-ERROR, OUTPUT-LIMIT, MEMORY-LIMIT)",
        "mixed/d.c:2: `@EXPECTED_RESULTS@:` appears here and on line 1 (delete one of the two)",
    ] {
        assert!(report.contains(expected), "{report}");
    }
}

#[test]
fn every_mistake_of_the_file_is_reported_at_once() {
    let examples = Examples::of(&[
        ("wrong/a.c", ""),
        (
            "submissions.toml",
            "[\"wrong/a.c\"]\nexpected = [\"WA\", \"WAA\"]\n\n[\"wrong/[\"]\nexpected = \"WA\"\n\n\
             [\"wrong/b.c\"]\nexpect = \"WA\"\n\n[\"wrong/*.c\"]\nexpected = 7\n[\"wrong/*.c\".cases]\nsample = []\n",
        ),
    ]);
    let report = examples.expectations().unwrap_err();
    for expected in [
        "submissions.toml:2: `WAA` is not a verdict (use AC, WA, PE, TLE, ILE, MLE, OLE, RE, CE)",
        "submissions.toml:4: `wrong/[` is not a valid pattern: ",
        "submissions.toml:8: unknown key `expect` in [wrong/b.c] (did you mean `expected`?)",
        "submissions.toml:11: `expected` in [wrong/*.c] must be a text or a list of texts, found `7` (put it in quotes: `expected = \"7\"`)",
        "submissions.toml:13: the list is empty (use AC, WA, PE, TLE, ILE, MLE, OLE, RE, CE)",
    ] {
        assert!(report.contains(expected), "{report}");
    }
}

#[test]
fn a_pattern_that_matches_no_submission_or_no_case_is_a_mistake() {
    let file = "[\"wrong/b.c\"]\nexpected = \"WA\"\n";
    let examples = Examples::of(&[("wrong/a.c", ""), ("submissions.toml", file)]);
    let reported = examples.expectations().unwrap_err();
    assert_eq!(
        reported,
        "submissions.toml:1: no submission is named like `wrong/b.c` (did you mean `wrong/a.c`?)"
    );
    let file = "[\"wrong/*\".cases]\nsample = \"AC\"\n\"secret/9*\" = \"WA\"\n";
    let examples = Examples::of(&[("wrong/a.c", ""), ("submissions.toml", file)])
        .read()
        .unwrap();
    let mistakes = examples[0]
        .expectations_for(&cases(&["sample/1", "secret/1"]).into())
        .unwrap_err();
    assert!(report(&mistakes).ends_with("submissions.toml:3: no case is named like `secret/9*` (name a case or a group, for example `secret`, or delete it)"), "{mistakes}");
}

#[test]
fn the_last_of_several_patterns_that_match_a_case_counts() {
    let file = "[\"wrong/*\".cases]\n\"**\" = \"AC\"\nsecret = [\"WA\", \"TLE\"]\n\"secret/2\" = \"RE\"\n";
    let examples = Examples::of(&[("wrong/a.c", ""), ("submissions.toml", file)])
        .read()
        .unwrap();
    let names = ["sample/1", "secret/1", "secret/2"];
    let expectations = examples[0].expectations_for(&cases(&names).into()).unwrap();
    let expected =
        names.map(|name| expectations.allowed.get(name).unwrap().to_string());
    assert_eq!(expected, ["AC", "WA or TLE", "RE"]);
}
