//! Tests of what DOMjudge has beside `problem.yaml`.

use super::*;
use crate::model::Expected;

#[test]
fn files_without_the_other_half_of_a_case_are_left_out_as_in_domjudge() {
    let files = [
        ("data/secret/3.in", ""),
        ("data/secret/4.ans", ""),
        ("domjudge-problem.ini", ""),
    ];
    let package = read(&with("", &files));
    let names = package.cases.iter().map(|case| &*case.name);
    assert_eq!(Vec::from_iter(names), ["sample/1", "secret/2"]);
    let left_out = "DOMjudge leaves it out, and so does gridjudge";
    let said = [
        format!("`data/secret/3.in` has no `.ans` next to it: {left_out}"),
        format!("`data/secret/4.ans` has no `.in` next to it: {left_out}"),
    ];
    let deviations = package.deviations();
    assert!(said.iter().all(|said| deviations.contains(&said.as_str())));
    assert_eq!(package.ignored(), said);
    // Where answers are needed, they can still be written.
    let package = read(&with("", &files[..1]));
    assert_eq!(package.missing_answers().len(), 1);
}

#[test]
fn values_of_the_ini_file_are_read_as_php_reads_them() {
    for (text, name, seconds) in [
        (
            "timelimit = 2 ; two seconds\nname = Twice ; the title\n",
            "Twice",
            2.0,
        ),
        (
            "timelimit='1.5';x\nname = \"A; \" ; the title\n",
            "A; ",
            1.5,
        ),
        (
            "timelimit = 3\nname = A\nspecial_compare =\nspecial_run = ; none\nspecial_compare_args = \"\"\n",
            "A",
            3.0,
        ),
    ] {
        let package = read(&with("", &[("domjudge-problem.ini", text)]));
        let time = package.limits.time.map(|time| time.as_secs_f64());
        assert_eq!(
            (package.name.as_deref(), time),
            (Some(name), Some(seconds)),
            "{text}"
        );
        assert_eq!(package.unsupported(), [], "{text}");
    }
}

#[test]
fn a_program_of_the_package_takes_the_place_of_the_one_that_the_ini_file_names() {
    let program = ("output_validators/mine/run", "#!/bin/sh\n");
    let compare = ("domjudge-problem.ini", "special_compare='mine'\n");
    let run = ("domjudge-problem.ini", "special_run='mine'\n");
    for (yaml, ini, needed) in [
        ("validation: custom\n", compare, 0),
        ("validation: custom\n", run, 1),
        ("validation: custom interactive\n", compare, 0),
        ("validation: custom interactive\n", run, 0),
        ("", compare, 1),
    ] {
        let needs = needs(&with(yaml, &[program, ini]));
        assert_eq!(needs.len(), needed, "{yaml}{}: {needs:?}", ini.1);
    }
}

#[test]
fn beside_an_ini_file_a_package_without_a_time_limit_gets_the_default_of_domjudge() {
    let package = read(&with("", &[("domjudge-problem.ini", "name = A\n")]));
    assert_eq!(
        (package.is_measured(), package.has_default_time()),
        (false, true)
    );
    assert_eq!(package.time_limit(), Duration::from_secs(10));
    assert!(read(&with("", &[])).is_measured());
}

#[test]
fn of_a_key_that_the_ini_file_has_twice_the_last_counts() {
    for text in [
        "timelimit = 3\ntimelimit = 4\n",
        "[old]\ntimelimit = 3\n[new]\ntimelimit = 4\n",
    ] {
        let package = read(&with("", &[("domjudge-problem.ini", text)]));
        assert_eq!(package.limits.time, Some(Duration::from_secs(4)));
        assert!(
            package
                .deviations()
                .iter()
                .any(|text| text.contains("the key `timelimit` is on line"))
        );
    }
}

#[test]
fn an_ini_file_that_php_refuses_counts_for_nothing_and_is_a_mistake() {
    let folder = with(
        "",
        &[(
            "domjudge-problem.ini",
            "timelimit = 3\nname = Sums (easy)\n",
        )],
    );
    let reason = "a value with a word for true, false or nothing in it, or with one of `&|^~()!=`, needs quotes";
    assert_eq!(
        refused(&folder),
        [format!(
            "domjudge-problem.ini:2: DOMjudge reads nothing of this file, since PHP refuses it: {reason}"
        )]
    );
}

#[test]
fn language_and_start_of_a_submission_are_read_from_its_entry_in_submissions_json() {
    let json = "{\"submissions/accepted/both/\": {\"entry_point\": \"Start\", \"langid\": \"java\", \"team\": \"x\"},\
                \"submissions/accepted/a.py\": {\"langid\": \"py3\", \"entry_point\": null}}";
    let java = [
        ("submissions/accepted/both/Start.java", "class Start {}\n"),
        ("submissions/accepted/both/Other.java", "class Other {}\n"),
        ("submissions.json", json),
    ];
    let said = |package: &Package| -> Vec<(String, Option<String>, Option<String>)> {
        package
            .submissions
            .iter()
            .map(|one| {
                (
                    one.name.clone(),
                    one.language.clone(),
                    one.entrypoint.clone(),
                )
            })
            .collect()
    };
    let text = |text: &str| Some(text.to_owned());
    let package = read(&with(
        "",
        &[&java[..], &[("domjudge-problem.ini", "timelimit = 1\n")]].concat(),
    ));
    let expected = [
        ("accepted/a.py".to_owned(), text("python3"), None),
        ("accepted/both".to_owned(), text("java"), text("Start.java")),
    ];
    assert_eq!(said(&package), expected);
    // Only DOMjudge has this file, so it suffices.
    assert_eq!(said(&read(&with("", &java))), expected);
}

#[test]
fn a_package_with_what_only_domjudge_reads_is_for_domjudge() {
    let points = ("submissions/partial/a.py", "# @expected_score@: 10\n");
    let results = ("submissions/mixed/a.py", "# @EXPECTED_RESULTS@: CORRECT\n");
    for (file, is_meant) in [
        (("submissions.json", "{}"), true),
        (points, true),
        (("domjudge-problem.ini", ""), true),
        // Other judges read these, too.
        ((".timelimit", "1\n"), false),
        (results, false),
    ] {
        let found = read(&with("type: scoring\n", &[file]));
        assert_eq!(found.is_for_domjudge, is_meant, "{}", file.0);
    }
    let folder = with("", &[points]);
    let wanted = WantedPackage::Format(PackageFormat::Legacy);
    let path = folder.path().join("pkg");
    let found = Package::read_as(&wanted, &path, 100).unwrap();
    assert!(!found.is_for_domjudge);
}

#[test]
fn points_that_a_source_expects_are_no_tag_any_more_in_another_format() {
    let text = "# @Expected_Score@: 5\n# @EXPECTED_RESULTS@: CORRECT\n";
    let folder = with(
        "",
        &[("submissions/a/a.py", text), ("submissions/a/b.py", "")],
    );
    let place = folder.path().join("pkg/submissions/a");
    let other = "#  Expected_Score : 5\n# @EXPECTED_RESULTS@: CORRECT\n";
    assert_eq!(
        domjudge::without_points(&place.join("a.py")).unwrap(),
        other.as_bytes()
    );
    assert_eq!(domjudge::without_points(&place.join("b.py")), None);
}

#[test]
fn a_verdict_may_stand_after_the_tag_for_points() {
    let read_tags = |text: &str| {
        let source = ("submissions/mixed/a.py", text);
        let folder = with("type: scoring\n", &[source]);
        let package = Package::read(&folder.path().join("pkg"));
        package
            .map(|package| package.submissions[1].expected.to_string())
            .map_err(|found| found.0[0].message.clone())
    };
    let score = "# @EXPECTED_SCORE@: ";
    let results = "# @EXPECTED_RESULTS@: ";
    for (text, expected) in [
        (format!("{score}WRONG-ANSWER, CORRECT\n"), Ok("WA or AC")),
        (
            format!("{score}5\n{results}WRONG-ANSWER\n"),
            Ok("WA, and 5 points"),
        ),
        (
            format!("{score}FOO\n"),
            Err("`FOO` is not a number of points"),
        ),
        (
            format!("{results}CORRECT\n{score}CORRECT\n"),
            Err("the verdict is on line 1 already, after `@EXPECTED_RESULTS@:`"),
        ),
    ] {
        let found = read_tags(&text);
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_submissions_json_says_otherwise_refuses_no_package_and_no_submission() {
    let other = "{\"submissions/accepted/a.py\": {\"langid\": \"custom\", \"entry_point\": \"team.Missing\"}}";
    for text in [
        "[]",
        "{\"submissions/accepted/a.py\": null}",
        "{\"submissions/accepted/a.py\": {\"langid\": 3}}",
        other,
        "{",
    ] {
        let package = read(&with(
            "",
            &[
                ("submissions.json", text),
                ("domjudge-problem.ini", "timelimit = 1\n"),
            ],
        ));
        let judged = package
            .submissions
            .iter()
            .find(|one| one.name == "accepted/a.py")
            .unwrap();
        assert_eq!(
            (&judged.language, &judged.entrypoint),
            (&None, &None),
            "{text}"
        );
        assert_eq!(
            package
                .ignored()
                .iter()
                .any(|what| what.contains("submissions.json")),
            text == "{",
            "{text}"
        );
    }
}

#[test]
fn points_that_predate_groups_hold_for_every_group() {
    let grading = "grading: {on_reject: grade, accept_score: 5, reject_score: 1, range: 0 10, objective: max}\n";
    let group = ("data/secret/testdata.yaml", "accept_score: 3\nrange: 0 3\n");
    let package = read(&with(&format!("type: scoring\n{grading}"), &[group]));
    for group in &package.scoring.groups {
        let CaseWorth {
            accepted, rejected, ..
        } = group.case;
        let found = (
            accepted,
            rejected,
            group.least,
            group.most,
            group.stops_at_rejection,
        );
        assert_eq!(
            found,
            (5.into(), 1.into(), Some(0.into()), Some(10.into()), false),
            "{}",
            group.name
        );
    }
    assert!(read(&with(grading, &[])).scoring.is_empty());
    assert_eq!(
        refused(&with(
            "type: scoring\ngrading:\n  on_reject: break\n  objective: least\n",
            &[]
        )),
        [
            "problem.yaml:3: unknown on_reject `break`",
            "problem.yaml:4: unknown objective `least`",
        ]
    );
}

#[test]
fn a_score_may_be_best_when_it_is_least() {
    let best = ("submissions/partially_accepted/best.py", "");
    let package = read(&with("type: scoring\ngrading: {objective: min}\n", &[best]));
    assert!(package.scoring.wants_fewest);
    assert_eq!(package.submissions[1].expected, Expected::default());
    assert!(
        !read(&with("grading: {objective: min}\n", &[]))
            .scoring
            .wants_fewest
    );
}

#[test]
fn a_tag_with_an_unknown_word_is_refused_with_the_words_of_domjudge() {
    let source = ("submissions/mixed/w.py", "# @EXPECTED_RESULTS@: FOO\n");
    let found = Package::read(&with("", &[source]).path().join("pkg")).unwrap_err();
    let remedy = "use CORRECT, WRONG-ANSWER, NO-OUTPUT, TIMELIMIT, RUN-ERROR, COMPILER-ERROR, OUTPUT-LIMIT, MEMORY-LIMIT";
    assert_eq!(found.0[0].remedy.as_deref(), Some(remedy));
}

#[test]
fn a_submission_in_an_unknown_folder_is_not_taken_for_its_opposite() {
    let rejected = ("submissions/rejected/x.py", "");
    let package = read(&with("", &[rejected, ("submissions/acepted/x.py", "")]));
    let reasons: Vec<_> = package
        .left_out
        .iter()
        .map(|one| one.reason.as_str())
        .collect();
    let unknown = "nothing says what is expected of it";
    assert_eq!(
        reasons,
        [
            &*format!("{unknown}; did you mean the folder `accepted`?"),
            unknown
        ]
    );
}

#[test]
fn only_a_package_for_domjudge_has_numbers_compared_as_there() {
    let rules =
        |flags: &str, wanted: Option<PackageFormat>, files: &[(&str, &str)]| {
            let folder = with(&format!("validator_flags: {flags}\n"), files);
            let wanted = wanted.map_or(WantedPackage::Any, WantedPackage::Format);
            let path = folder.path().join("pkg");
            let package = Package::read_as(&wanted, &path, 100).unwrap();
            match package.task {
                Task::Text(TextTask::Tokens(rules)) => rules.for_domjudge,
                other => panic!("{other:?}"),
            }
        };
    let near = "float_absolute_tolerance 1e-6";
    let ini = [("domjudge-problem.ini", "timelimit = 1\n")];
    assert!(rules(near, None, &ini));
    assert!(rules(near, Some(PackageFormat::DomJudge), &[]));
    assert!(!rules(near, Some(PackageFormat::Legacy), &ini));
    assert!(!rules(near, None, &[]));
    assert!(!rules("case_sensitive", None, &ini));
}

#[test]
fn a_statement_at_the_root_is_one_to_domjudge() {
    let none = "there is no statement such as `problem_statement/problem.en.tex`";
    let pdf = ("problem.pdf", "");
    for (files, is_missing) in [
        (vec![pdf], true),
        (vec![("domjudge-problem.ini", "")], true),
        (vec![pdf, ("domjudge-problem.ini", "")], false),
    ] {
        let package = read(&with("", &files));
        assert_eq!(
            package.deviations().contains(&none),
            is_missing,
            "{files:?}"
        );
    }
}
