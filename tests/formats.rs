//! Formats as they are found in the wild: each folder of `tests/formats` holds a spec, an input and its one answer. One
//! description drives reading, writing, proving and checking, so all four are tested with the same files.

mod wild;

use gridjudge::check;
use gridjudge::proof;
use gridjudge_grid::WhiteSpace;
use wild::Wild;
use wild::wild;

/// The result for an output, compared with the stored answer.
fn by_answer(wild: &Wild, output: &str) -> String {
    verdict(wild, output, Some(wild.answer.as_bytes()))
}

/// The verdict on an output, whether all or some grids are right, and the first finding. Uses the solver if no answer is
/// given.
fn verdict(wild: &Wild, output: &str, answer: Option<&[u8]>) -> String {
    let Wild { name, problem, input, .. } = wild;
    let findings = check::output(&problem.task, input.as_bytes(), output.as_bytes(), answer);
    let findings = findings.unwrap_or_else(|error| panic!("{name}: {error}"));
    let said = findings.listed.first().map_or(String::new(), |finding| finding.message.clone());
    let tally = if findings.parts_right == findings.grids { "all" } else { "some" };
    format!("{} {tally} {said}", findings.verdict())
}

#[test]
fn the_solver_writes_the_expected_answer() {
    for Wild { name, problem, input, answer } in wild() {
        let mut written = Vec::new();
        let proven = proof::solve(&problem, input.as_bytes(), &mut written);
        proven.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!(String::from_utf8(written).unwrap(), answer, "{name}");
    }
}

#[test]
fn the_input_has_no_mistakes() {
    for Wild { name, problem, input, .. } in wild() {
        let mistakes = check::mistakes_of_input(&problem.task, input.as_bytes()).unwrap();
        assert_eq!(mistakes, [], "{name}");
    }
}

#[test]
fn the_answer_is_accepted_by_comparison_with_itself_and_by_the_solver() {
    for wild in wild() {
        for answer in [Some(wild.answer.as_bytes()), None] {
            assert_eq!(verdict(&wild, &wild.answer, answer), "AC all ", "{}", wild.name);
        }
        let sound = check::soundness(&wild.problem.task, wild.input.as_bytes(), wild.answer.as_bytes());
        assert_eq!(sound.unwrap().listed, [], "{}", wild.name);
    }
}

#[test]
fn wrong_white_space_is_no_wrong_answer() {
    for wild in wild() {
        let changed = format!("\n{}", wild.answer.replace('\n', " \n\n"));
        let is_strict = wild.problem.task.as_grid().unwrap().format.output.white_space == WhiteSpace::Strict;
        let verdict = by_answer(&wild, &changed);
        let code = verdict.split(' ').next().unwrap();
        assert_eq!(code, if is_strict { "PE" } else { "AC" }, "{}: {verdict}", wild.name);
    }
}

#[test]
fn a_truncated_output_is_a_wrong_answer() {
    for wild in wild() {
        // Cut at every byte near the start and the end, and at every 13th between.
        let length = wild.answer.trim_end().len();
        for end in (0..length).filter(|end| end % 13 == 0 || *end < 40 || end + 40 > length) {
            let verdict = by_answer(&wild, &wild.answer[..end]);
            assert!(verdict.starts_with("WA"), "{} at {end}: {verdict}", wild.name);
        }
    }
}
