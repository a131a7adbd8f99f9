//! Formats of existing online judges: each folder of `tests/formats` holds a spec, an
//! input and its one answer. One description drives reading, writing, proving and
//! checking, so all four are tested with the same files.

use crate::format_examples::{FormatExample, format_examples};
use gridjudge::{check, proof};
use gridjudge_grid::WhiteSpace;

/// The result for an output, compared with the stored answer.
fn by_answer(format_examples: &FormatExample, output: &str) -> String {
    verdict(
        format_examples,
        output,
        Some(format_examples.answer.as_bytes()),
    )
}

/// The verdict on an output, whether all or some grids are right, and the first
/// finding. Uses the solver if no answer is given.
fn verdict(
    format_examples: &FormatExample,
    output: &str,
    answer: Option<&[u8]>,
) -> String {
    let FormatExample {
        name,
        problem,
        input,
        ..
    } = format_examples;
    let findings =
        check::output(&problem.task, input.as_bytes(), output.as_bytes(), answer);
    let findings = findings.unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = findings
        .listed
        .first()
        .map_or(String::new(), |finding| finding.message.clone());
    let tally = if findings.parts_right == findings.grids {
        "all"
    } else {
        "some"
    };
    format!("{} {tally} {text}", findings.verdict())
}

#[test]
fn the_solver_writes_the_expected_answer() {
    for FormatExample {
        name,
        problem,
        input,
        answer,
    } in format_examples()
    {
        let mut written = vec![];
        let proven = proof::solve(&problem, input.as_bytes(), &mut written);
        proven.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!(String::from_utf8(written).unwrap(), answer, "{name}");
    }
}

#[test]
fn the_input_has_no_mistakes() {
    for FormatExample {
        name,
        problem,
        input,
        ..
    } in format_examples()
    {
        let mistakes =
            check::mistakes_of_input(&problem.task, input.as_bytes()).unwrap();
        assert_eq!(mistakes, [], "{name}");
    }
}

#[test]
fn the_answer_is_accepted_by_comparison_with_itself_and_by_the_solver() {
    for format_examples in format_examples() {
        for answer in [Some(format_examples.answer.as_bytes()), None] {
            assert_eq!(
                verdict(&format_examples, &format_examples.answer, answer),
                "AC all ",
                "{}",
                format_examples.name
            );
        }
        let sound = check::soundness(
            &format_examples.problem.task,
            format_examples.input.as_bytes(),
            format_examples.answer.as_bytes(),
        );
        assert_eq!(sound.unwrap().listed, [], "{}", format_examples.name);
    }
}

#[test]
fn wrong_white_space_is_not_a_wrong_answer() {
    for format_examples in format_examples() {
        let changed = format!("\n{}", format_examples.answer.replace('\n', " \n\n"));
        let is_strict = format_examples
            .problem
            .task
            .as_grid()
            .unwrap()
            .format
            .output
            .white_space
            == WhiteSpace::Strict;
        let verdict = by_answer(&format_examples, &changed);
        let code = verdict.split(' ').next().unwrap();
        assert_eq!(
            code,
            if is_strict { "PE" } else { "AC" },
            "{}: {verdict}",
            format_examples.name
        );
    }
}

#[test]
fn a_truncated_output_is_a_wrong_answer() {
    for format_examples in format_examples() {
        // Cut at every byte near the start and the end, and at every 13th between.
        let length = format_examples.answer.trim_end().len();
        for end in
            (0..length).filter(|end| end % 13 == 0 || *end < 40 || end + 40 > length)
        {
            let verdict = by_answer(&format_examples, &format_examples.answer[..end]);
            assert!(
                verdict.starts_with("WA"),
                "{} at {end}: {verdict}",
                format_examples.name
            );
        }
    }
}

/// A right output in a strict format with other white space, or none, within some of
/// its lines.
#[test]
fn white_space_within_lines_is_a_presentation_error_where_it_must_be_exact() {
    let all = format_examples();
    let verdict_of = |name: &str, change: &dyn Fn(&str) -> String| {
        let example = all.iter().find(|example| example.name == name).unwrap();
        let output = change(&example.answer);
        assert_ne!(output, example.answer, "{name}");
        let verdicts = [by_answer(example, &output), verdict(example, &output, None)];
        assert_eq!(verdicts[0], verdicts[1], "{name}");
        verdicts[0].clone()
    };
    for (from, to) in [
        ("Case 1: 4", "Case1: 4"),
        ("Case 2: 1", "Case2: 1"),
        ("Case 2: 1", "Case 2:1"),
        ("Case 2: 1", "Case  2 : 1"),
        ("Case 3: 0 in all", "Case3:0inall"),
        ("Case 3: 0 in all", " Case 3: 0 in all"),
    ] {
        let said =
            verdict_of("banner-beside-count", &|answer| answer.replace(from, to));
        assert!(said.starts_with("PE"), "{to}: {said}");
    }
    let without_spaces = |text: &str| text.replace(' ', "");
    let said = verdict_of("large-numbers", &without_spaces);
    assert_eq!(
        said,
        "PE some grid 1: row 1 has no spaces between its cells, expected one"
    );
    for (from, to) in [
        ("1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5 6 7 8 9 1011 12"),
        ("1 2 3 4 5 6 7 8 9 10 11 12", "12 3 4 5 6 7 8 9 10 11 12"),
        ("1 2 3 4 5 6 7 8 9 10 11 12", "1 2 3 4 5 6 7 8 9 1 0 11 12"),
    ] {
        let said =
            verdict_of("large-numbers", &|answer| answer.replacen(from, to, 1));
        assert!(said.starts_with("PE"), "{to}: {said}");
    }
    let said = verdict_of("large-numbers", &|answer| {
        without_spaces(&answer.replacen("1 2 3", "2 1 3", 1))
    });
    assert!(said.starts_with("WA"), "{said}");
}
