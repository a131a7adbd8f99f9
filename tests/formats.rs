//! Formats as they are found in the wild: each folder of `tests/formats` holds a spec, an input and its one answer. One
//! description drives reading, writing, proving and checking, so all four are held to the same files.

mod wild;

use gridjudge::check;
use gridjudge::proof;
use gridjudge_grid::WhiteSpace;
use wild::Wild;
use wild::wild;

/// The verdict for an output, by the stored answer.
fn by_answer(wild: &Wild, output: &str) -> String {
    verdict(wild, output, Some(wild.answer.as_bytes()))
}

fn verdict(wild: &Wild, output: &str, answer: Option<&[u8]>) -> String {
    let Wild { name, problem, input, .. } = wild;
    let findings = check::output(&problem.task, input.as_bytes(), output.as_bytes(), answer);
    let findings = findings.unwrap_or_else(|error| panic!("{name}: {error}"));
    let said = findings.listed.first().map_or(String::new(), |finding| finding.message.clone());
    let tally = if findings.parts_right == findings.grids { "all" } else { "some" };
    format!("{} {tally} {said}", findings.verdict())
}

#[test]
fn the_answer_is_written_as_it_is_expected() {
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
fn the_answer_is_accepted_by_itself_and_by_the_solver() {
    for wild in wild() {
        for answer in [Some(wild.answer.as_bytes()), None] {
            assert_eq!(verdict(&wild, &wild.answer, answer), "AC all ", "{}", wild.name);
        }
        let sound = check::soundness(&wild.problem.task, wild.input.as_bytes(), wild.answer.as_bytes());
        assert_eq!(sound.unwrap().listed, [], "{}", wild.name);
    }
}

#[test]
fn white_space_that_is_not_as_it_should_be_is_no_wrong_answer() {
    for wild in wild() {
        let changed = format!("\n{}", wild.answer.replace('\n', " \n\n"));
        let is_strict = wild.problem.task.as_grid().unwrap().format.output.white_space == WhiteSpace::Strict;
        let verdict = by_answer(&wild, &changed);
        let code = verdict.split(' ').next().unwrap();
        assert_eq!(code, if is_strict { "PE" } else { "AC" }, "{}: {verdict}", wild.name);
    }
}

#[test]
fn an_output_cut_short_anywhere_is_never_accepted_nor_does_it_hang() {
    for wild in wild() {
        // At every byte near the start and the end, and now and then between.
        let length = wild.answer.trim_end().len();
        for end in (0..length).filter(|end| end % 13 == 0 || *end < 40 || end + 40 > length) {
            let verdict = by_answer(&wild, &wild.answer[..end]);
            assert!(verdict.starts_with("WA"), "{} at {end}: {verdict}", wild.name);
        }
    }
}
