//! Problems whose output is a text, on the command line: `answers` with a model
//! solution, `verify`, `check`, `grade`, and the commands that work only with grids.

use crate::judge::Judge;

/// A complete spec of a text problem.
const SPEC: &str =
    "name = \"Half\"\n\n[task]\nkind = \"tokens\"\nfloat_tolerance = 1e-6\n";

/// A model solution that halves an odd number.
const RIGHT: &str = "#!/bin/sh\nread -r number\necho \"$((number / 2)).500000000\"\n";

const MISSING: &str = "cases/half/sample/1.ans";

/// A judge's folder with a problem that has this spec and one case without an answer.
fn judge(spec: &str) -> Judge {
    let judge = Judge::new();
    judge
        .put("problems/half/problem.toml", spec)
        .put("cases/half/sample/1.in", "5\n");
    judge.script("problems/half/submissions/accepted/halves.sh", RIGHT);
    judge
}

fn with_solution(name: &str) -> String {
    format!("{SPEC}solution = \"{name}\"\n")
}

#[test]
fn missing_answers_are_written_by_the_model_solution() {
    let judge = judge(&with_solution("accepted/halves.sh"));
    let ran = judge.run(&["answers", "half"]);
    let expected = format!("wrote {MISSING}\n1 case: 0 answers proven, 1 written\n");
    assert_eq!(
        (ran.stdout, ran.stderr.as_str(), ran.code),
        (expected, "", Some(0))
    );
    assert_eq!(judge.read(MISSING), "2.500000000\n");
    let again = judge.run(&["answers", "half"]);
    assert_eq!(
        again.stdout,
        "1 case: 0 answers proven, 0 written, 1 kept as they are\n"
    );
    let proven = judge.run(&["answers", "--check", "half"]);
    assert_eq!(proven.stdout, "1 case: 1 answer proven, 0 written\n");
    let ran = judge.run(&["grade", "problems/half/submissions/accepted/halves.sh"]);
    assert!(
        ran.stdout
            .ends_with("\n1 submission, 1 trial: 1 as expected\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_stored_answer_that_the_model_solution_contradicts_is_a_mistake() {
    let judge = judge(&with_solution("accepted/halves.sh"));
    judge.put(MISSING, "2.6\n");
    judge.refuses(
        &["answers", "--check", "half"],
        "error: cases/half/sample/1.ans: `accepted/halves.sh` answers otherwise: line 1, token 1: found 2.500000000, expected \
         2.6: off by 0.1, allowed 1e-6 (absolute), and by 0.038, allowed 1e-6 (relative)\n\
         hint: correct one of the two, or delete the answer and have it written again",
    );
}

#[test]
fn a_model_solution_that_fails_on_a_case_writes_nothing() {
    let judge = judge(&with_solution("accepted/halves.sh"));
    judge.put("cases/half/sample/2.in", "x\n");
    judge.script(
        "problems/half/submissions/accepted/halves.sh",
        "#!/bin/sh\nread -r number\necho \"$number\"\ntest \"$number\" = 5\n",
    );
    judge.refuses(
        &["answers", "half"],
        "error: problems/half/submissions/accepted/halves.sh: the model solution has no answer to sample/2: RE (runtime \
         error)\nhint: correct it, or the case; no answer of this problem has been written",
    );
    assert!(!judge.path(MISSING).exists());
}

#[test]
fn without_a_model_solution_a_missing_answer_is_a_mistake() {
    let solution = "error: cases/half/sample/1.ans: no reference solver knows the answers of this problem\n\
                    hint: write the answer by hand, or name a submission that is right, for example `solution = \"accepted/NAME\"` in \
                    [task]";
    judge(SPEC).refuses(&["answers", "half"], solution);
    judge(&with_solution("accepted/halve.sh")).refuses(
        &["answers", "half"],
        "error: problems/half/problem.toml: `solution = \"accepted/halve.sh\"` is none of the submissions of this problem\n\
         hint: did you mean `accepted/halves.sh`?",
    );
}

#[test]
fn verify_checks_stored_answers_against_the_model_solution() {
    let judge = judge(SPEC);
    judge.put(MISSING, "2.5\n");
    let ran = judge.run(&["verify", "half"]);
    let first = "half: 1 case, with an input and an answer that can be compared\n";
    assert!(
        ran.stdout.starts_with(first),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn an_output_cannot_be_checked_without_its_answer() {
    let judge = judge(SPEC);
    judge.put("out", "2.5\n");
    judge.refuses(
        &["check", "-p", "half", "cases/half/sample/1.in", "out"],
        "error: cases/half/sample/1.in: an output of this problem cannot be judged without the stored answer\n\
         hint: name the file of the stored answer as well",
    );
}

#[test]
fn check_finds_the_stored_answer_of_a_case_of_the_problem() {
    let judge = judge(SPEC);
    judge.put("out", "2.5\n").put(MISSING, "2.5\n");
    let check = |input: &str| judge.run(&["check", "-p", "half", input, "out"]).code;
    assert_eq!(check("cases/half/sample/1.in"), Some(0));
    judge.put(MISSING, "3.5\n");
    assert_eq!(check("cases/half/sample/1.in"), Some(1));
    // Another file of the same name has no stored answer.
    judge.put("1.in", judge.read("cases/half/sample/1.in"));
    assert_eq!(check("1.in"), Some(2));
}

#[test]
fn commands_that_work_only_with_grids_refuse_text_problems() {
    let judge = judge(SPEC);
    judge.put(MISSING, "2.5\n");
    judge.refuses(
        &["strength", "half"],
        "error: half: `gridjudge strength` needs a problem of grids, and this one asks for a text\n\
         hint: write its cases by hand, or by a program of your own",
    );
    let made = judge.run(&["generate", "half"]);
    assert_eq!(
        made.stdout,
        "half has no recipes, which make grids: write its cases by hand, or by a program of your own\n"
    );
    // It is skipped if no problem is named.
    assert_ne!(judge.run(&["strength"]).code, Some(2));
}
