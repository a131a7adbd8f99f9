//! Tests of folders whose cases are pairs of files under any names, and of what lies
//! beside them.

use super::*;
use crate::mistake::Mistakes;

fn names(package: &Package) -> Vec<&str> {
    package
        .cases
        .iter()
        .map(|case| case.name.as_str())
        .collect()
}

#[test]
fn pairs_of_files_are_cases_where_no_other_format_is() {
    let files = [
        ("in/01.txt", "1"),
        ("out/01.txt", "2"),
        ("in/b.txt", "1"),
        ("out/b.txt", "2"),
        ("readme.txt", ""),
    ];
    let package = read(&folder(&files));
    assert_eq!(
        (package.format, names(&package)),
        (PackageFormat::Oj, vec!["01", "b"])
    );
    assert!(package.cases[0].answer.ends_with("out/01.txt"));
    let notes: Vec<_> = package.notes_on_cases().collect();
    assert_eq!(
        notes,
        ["the cases are 2 pairs of files, such as `in/01.txt` and `out/01.txt`"]
    );
    assert_eq!(package.ignored(), ["readme.txt: it belongs to no pair"]);
    // Also in the only folder of an archive, and under `test`.
    for start in ["only", "test"] {
        let files = files.map(|(name, text)| (format!("{start}/{name}"), text));
        let files: Vec<_> = files
            .iter()
            .map(|(name, text)| (name.as_str(), *text))
            .collect();
        assert_eq!(names(&read(&folder(&files))), ["01", "b"], "{start}");
    }
}

#[test]
fn endings_in_capitals_count_beside_others() {
    let files = [("1.in", ""), ("1.out", ""), ("2.IN", ""), ("2.OUT", "")];
    assert_eq!(names(&read(&folder(&files))), ["1", "2"]);
}

#[test]
fn an_input_without_an_answer_is_a_case_that_lacks_it() {
    let files = folder(&[("in/1.txt", ""), ("out/1.txt", ""), ("in/2.txt", "")]);
    let package = read(&files);
    let missing: Vec<_> = package
        .missing_answers()
        .iter()
        .map(|mistake| shown(&files, mistake))
        .collect();
    assert_eq!(missing, ["in/2.txt: the case has no answer next to it"]);
}

#[test]
fn ambiguous_answers_are_mistakes() {
    let files = folder(&[("in/1.txt", ""), ("input/1.txt", ""), ("out/1.txt", "")]);
    assert_eq!(
        refused(&files),
        ["out/1.txt: may be the answer of `in/1.txt` or of `input/1.txt`"]
    );
    let files = folder(&[("in/1.txt", ""), ("out/1.txt", "1"), ("ans/1.txt", "2")]);
    assert_eq!(refused(&files).len(), 1);
}

#[test]
fn compressed_files_are_no_cases() {
    let said = "is compressed, and programs cannot read it";
    let files = folder(&[("tc/1.in.gz", ""), ("tc/1.out.gz", "")]);
    let others = "the same holds for 1 other file of cases";
    assert_eq!(refused(&files), [format!("tc/1.in.gz: {said}; {others}")]);
    let files = folder(&[("x/1.ZIP", ""), ("y/1", "")]);
    let found = read_by("x/*.ZIP,y/*", &files).unwrap().all_mistakes();
    assert_eq!(shown(&files, &found[0]), format!("x/1.ZIP: {said}"));
}

#[test]
fn a_folder_of_problems_is_no_folder_of_cases() {
    let files = [
        ("a/problem.yaml", ""),
        ("a/data/secret/1.in", ""),
        ("a/data/secret/1.ans", ""),
        ("b/x", ""),
    ];
    assert_eq!(refused(&folder(&files)).len(), 1);
}

#[test]
fn settings_of_other_judges_are_named() {
    let package = read(&folder(&[
        ("1.in", ""),
        ("1.out", ""),
        ("config.yml", "time: 1s\n"),
    ]));
    let notes: Vec<_> = package.notes_on_cases().collect();
    assert!(
        notes[0]
            .starts_with("config.yml: settings as of Hydro and Luogu are not read"),
        "{notes:?}"
    );
    let hydro = "pid: P1000\nowner: 1\ntitle: Double\ntag: [easy]\n";
    let files = folder(&[
        ("problem.yaml", hydro),
        ("testdata/1.in", ""),
        ("testdata/1.out", ""),
    ]);
    assert_eq!(
        refused(&files),
        ["problem.yaml: is of a package of Hydro, which is not read"]
    );
    let fps = "<?xml version=\"1.0\"?>\n<fps version=\"1.2\"><item/></fps>\n";
    let found = refused(&folder(&[("problem.xml", fps)]));
    assert!(
        found[0].contains("is of a package of HUSTOJ (FPS), which is not read"),
        "{found:?}"
    );
}

/// Reads the package of these files with cases by patterns.
fn read_by(patterns: &str, files: &TempDir) -> Result<Package, Mistakes> {
    let wanted = WantedPackage::Cases(Box::new(patterns.parse().unwrap()));
    Package::read_as(&wanted, &files.path().join("pkg"), 100)
}

#[test]
fn patterns_name_the_cases_of_any_folder_also_of_a_package() {
    let files = [
        ("problem.yaml", "name: [\n"),
        ("gen/1", "1"),
        ("sol/1", "2"),
        ("gen/2", "1"),
        ("sol/3", ""),
        ("1.in", ""),
        ("1.out", ""),
    ];
    let files = folder(&files);
    let package = read_by("gen/*,sol/*", &files).unwrap();
    assert_eq!(
        (package.format, names(&package), package.mistakes().len()),
        (PackageFormat::Oj, vec!["1", "2"], 0)
    );
    assert!(
        package
            .cases
            .iter()
            .all(|case| case.answer.starts_with(files.path().join("pkg/sol")))
    );
    let notes: Vec<_> = package.notes_on_cases().collect();
    assert_eq!(
        notes,
        ["the cases are 1 pair of files, such as `gen/1` and `sol/1`"]
    );
    assert_eq!(
        package.ignored(),
        [
            "sol/3: no input (`gen/3`) belongs to it",
            "1.in: it matches no pattern",
            "1.out: it matches no pattern",
            "problem.yaml: it matches no pattern"
        ]
    );
    let missing: Vec<_> = package
        .missing_answers()
        .iter()
        .map(|mistake| mistake.remedy.clone())
        .collect();
    assert_eq!(
        missing,
        [Some("write it into sol/2, or delete the case".to_owned())]
    );
}

#[test]
fn patterns_that_match_nothing_or_are_ambiguous_are_mistakes() {
    let files = folder(&[("in/1-2-3", ""), ("out/1-2-3", "")]);
    let Mistakes(found) = read_by("i/*,out/*", &files).unwrap_err();
    assert_eq!(
        found[0].message,
        "holds no case: no file in it matches `i/*`"
    );
    let found = read_by("in/*-*,out/*-*", &files).unwrap();
    let messages: Vec<_> = found
        .mistakes()
        .iter()
        .map(|mistake| shown(&files, mistake))
        .collect();
    assert_eq!(
        messages,
        [
            "in/1-2-3: can be read in several ways by `in/*-*`",
            "out/1-2-3: can be read in several ways by `out/*-*`"
        ]
    );
}
