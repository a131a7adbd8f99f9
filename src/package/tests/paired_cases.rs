//! Tests of folders whose cases are pairs of files under any names, and of what lies beside them.

use super::*;

fn names(package: &Package) -> Vec<&str> {
    package.cases.iter().map(|case| case.name.as_str()).collect()
}

#[test]
fn pairs_of_files_are_cases_where_no_other_format_is() {
    let files =
        [("in/01.txt", "1"), ("out/01.txt", "2"), ("in/b.txt", "1"), ("out/b.txt", "2"), ("readme.txt", "")];
    let package = read(&folder(&files));
    assert_eq!((package.format, names(&package)), (PackageFormat::Oj, vec!["01", "b"]));
    assert!(package.cases[0].answer.ends_with("out/01.txt"));
    let notes: Vec<_> = package.notes_on_cases().collect();
    assert_eq!(notes, ["the cases are 2 pairs of files, such as `in/01.txt` and `out/01.txt`"]);
    assert_eq!(package.ignored, ["readme.txt: it belongs to no pair"]);
    // Also in the only folder of an archive, and under `test`.
    for start in ["only", "test"] {
        let files = files.map(|(name, text)| (format!("{start}/{name}"), text));
        let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
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
    let missing: Vec<_> = package.missing_answers.iter().map(|mistake| shown(&files, mistake)).collect();
    assert_eq!(missing, ["in/2.txt: the case has no answer beside it"]);
}

#[test]
fn ambiguous_answers_are_mistakes() {
    let files = folder(&[("in/1.txt", ""), ("input/1.txt", ""), ("out/1.txt", "")]);
    assert_eq!(refused(&files), ["out/1.txt: may be the answer of `in/1.txt` or of `input/1.txt`"]);
    let files = folder(&[("in/1.txt", ""), ("out/1.txt", "1"), ("ans/1.txt", "2")]);
    assert_eq!(refused(&files).len(), 1);
}

#[test]
fn a_folder_of_problems_is_no_folder_of_cases() {
    let files =
        [("a/problem.yaml", ""), ("a/data/secret/1.in", ""), ("a/data/secret/1.ans", ""), ("b/x", "")];
    assert_eq!(refused(&folder(&files)).len(), 1);
}

#[test]
fn settings_of_other_judges_are_named() {
    let package = read(&folder(&[("1.in", ""), ("1.out", ""), ("config.yml", "time: 1s\n")]));
    let notes: Vec<_> = package.notes_on_cases().collect();
    assert!(notes[0].starts_with("config.yml: settings as of Hydro and Luogu are not read"), "{notes:?}");
    let hydro = "pid: P1000\nowner: 1\ntitle: Double\ntag: [easy]\n";
    let files = folder(&[("problem.yaml", hydro), ("testdata/1.in", ""), ("testdata/1.out", "")]);
    assert_eq!(refused(&files), ["problem.yaml: is of a package of Hydro, which is not read"]);
    let fps = "<?xml version=\"1.0\"?>\n<fps version=\"1.2\"><item/></fps>\n";
    let found = refused(&folder(&[("problem.xml", fps)]));
    assert!(found[0].contains("is of a package of HUSTOJ (FPS), which is not read"), "{found:?}");
}
