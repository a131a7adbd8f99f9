//! The language, command by command, and how hostile programs end.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::checktestdata::bounds::CtdBounds;

/// The result of checking an input: `ok`, or why not. The bounds are much lower than those of a judge.
fn check(program: &str, input: &str) -> String {
    check_unless(program, input, &AtomicBool::new(false))
}

fn check_unless(program: &str, input: &str, is_cancelled: &AtomicBool) -> String {
    let program = CtdProgram::parse(program.as_bytes()).unwrap_or_else(|error| panic!("{program}: {error}"));
    let bounds = CtdBounds { steps: 500_000, values: 50_000, is_cancelled };
    let checked = program.check_within(input.as_bytes(), &bounds);
    checked.map_or_else(|failure| failure.to_string(), |()| "ok".to_owned())
}

fn accepts(program: &str, inputs: &[&str]) {
    inputs.iter().for_each(|input| assert_eq!(check(program, input), "ok", "{program} on {input:?}"));
}

fn refuses(program: &str, inputs: &[&str]) {
    for input in inputs {
        assert!(
            check(program, input).starts_with("line "),
            "{program} on {input:?}: {}",
            check(program, input)
        );
    }
}

#[test]
fn integers_are_written_plainly_and_lie_within_their_bounds() {
    let program = "INT(-3, 10^3) NEWLINE";
    accepts(program, &["0\n", "-3\n", "1000\n", "7\n"]);
    refuses(
        program,
        &["", "\n", "-4\n", "1001\n", "007\n", "-0\n", "-\n", "+1\n", "7", "7 \n", " 7\n", "7\n\n", "x\n"],
    );
    accepts("INT(0, 10^30) EOF", &["1000000000000000000000000000000"]);
    refuses("INT(0, 10^30)", &["1000000000000000000000000000001", &"9".repeat(500)]);
}

#[test]
fn a_refusal_names_the_place_in_the_input_and_in_the_rules() {
    let program = "# two numbers\nINT(1, 9) SPACE\nINT(1, 9)\nNEWLINE\n";
    assert_eq!(
        check(program, "1 12\n"),
        "line 1, character 3: 12 does not lie between 1 and 9 (line 3 of the rules)"
    );
    assert_eq!(
        check(program, "1\t2\n"),
        "line 1, character 2: expected a space, found `\\t` (line 2 of the rules)"
    );
    assert_eq!(check(program, "1 2\n3"), "line 2, character 1: the input goes on here (line 4 of the rules)");
}

#[test]
fn floats_may_be_restricted_to_a_notation() {
    accepts("FLOAT(0, 1)", &["0", "1.0", "0.5", "5e-1", "007e-2", "1E0"]);
    refuses("FLOAT(0, 1)", &["1.01", ".5", "1.", "-0.1", "", "nan", "1e"]);
    accepts("FLOAT(-1, 1, x, FIXED)", &["-0.25"]);
    refuses("FLOAT(-1, 1, x, FIXED)", &["1e-2"]);
    accepts("FLOAT(-1, 1, x, SCIENTIFIC)", &["1e-2", "2.5E-1"]);
    refuses("FLOAT(-1, 1, x, SCIENTIFIC)", &["0.5"]);
    // A number read by `FLOAT` is not an integer.
    accepts("FLOAT(0, 9, x) ASSERT(x / 2 == 2.5)", &["5"]);
}

#[test]
fn texts_and_patterns_must_match_what_comes_next() {
    accepts("STRING(\"a\\\"b\\n\\x\\101\")", &["a\"b\n\\xA"]);
    refuses("STRING(\"ab\")", &["a", "ac", ""]);
    accepts("REGEX(\"[a-z]+\", word) SPACE STRING(word) NEWLINE", &["abc abc\n"]);
    refuses("REGEX(\"[a-z]+\", word) SPACE STRING(word) NEWLINE", &["abc abd\n", "1 1\n"]);
    accepts("REGEX(\".*\") NEWLINE", &["anything at all\n"]);
    accepts("REGEX(\"[0-9]{2}|x\")", &["12", "x"]);
    assert_eq!(
        check("REGEX(\"(a)\\\\1\")", "aa"),
        "line 1 of the rules: a regular expression that this judge does not know"
    );
}

#[test]
fn loops_count_and_have_a_separator_between_repetitions() {
    let program =
        "INT(1, 5, n) NEWLINE REPI(i, n, SPACE) INT(0, 9, a[i]) END NEWLINE ASSERT(UNIQUE(a) && i == n)";
    accepts(program, &["3\n1 2 3\n", "1\n7\n"]);
    refuses(program, &["3\n1 2\n", "3\n1 2 3 4\n", "3\n1 2 3 \n", "3\n1 2 1\n"]);
    accepts("WHILE(!ISEOF) INT(0, 9) NEWLINE END", &["", "1\n2\n"]);
    accepts("WHILEI(i, !MATCH(\"\\n\"), SPACE) INT(0, 9) END NEWLINE ASSERT(i == 2)", &["1 2\n"]);
    accepts("REP(2) REP(2, STRING(\"-\")) STRING(\"x\") END NEWLINE END", &["x-x\nx-x\n"]);
    accepts("REP(0) SPACE END", &[""]);
    accepts("INT(0,1,x) IF(x == 1) SPACE ELSE NEWLINE END", &["1 ", "0\n"]);
    // `EOF` ends the program.
    accepts("REP(3) EOF END", &[""]);
}

#[test]
fn expressions_have_their_precedence_and_their_types() {
    for test in [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1",
        "7 / 2.0 == 3.5",
        "2^3^2 == 64 && -2^2 == -4 && 2^(1+1) == 4",
        "(0-1)^(10^20) == 1 && (0-1)^(10^20+1) == -1 && 0^0 == 1 && 0^(10^20) == 0",
        "10 - 3 - 2 == 5",
        "\"a\" < \"b\" && \"a\" != \"ab\"",
        "1 == 1.0 && 1e2 == 100 && 1 != 2",
        // `&&` and `||` have the same precedence, from the left.
        "1 == 1 || 1 == 1 && 1 == 2 || 1 == 1",
        "(1 == 2 || (2) == 2) && !(1 == 2)",
        "!1 == 2 && 2 == 1",
    ] {
        assert_eq!(check(&format!("ASSERT({test})"), ""), "ok", "{test}");
    }
    assert_eq!(
        check("ASSERT(1 == 1 || 1 == 1 && 1 == 2)", ""),
        "line 1, character 1: the assertion does not hold (line 1 of the rules)"
    );
    for (broken, why) in [
        ("1 / 0 == 1", "a division by 0"),
        ("\"a\" + 1 == 1", "`+` takes no strings"),
        ("\"a\" == 1", "a string is compared with a number"),
        ("10^39 == 1", "an integer of more than 38 digits, which this judge does not calculate with"),
        ("2^-1 == 1", "an exponent is negative"),
    ] {
        assert_eq!(check(&format!("ASSERT({broken})"), ""), format!("line 1 of the rules: {why}"));
    }
}

#[test]
fn variables_have_indices_and_can_be_unset() {
    accepts("SET(a[1,2] = 5) SET(x = a[1,1+1] + 1) ASSERT(x == 6 && INARRAY(5, a) && !INARRAY(6, a))", &[""]);
    refuses("SET(a[1] = 5) UNSET(a) ASSERT(a[1] == 5)", &[""]);
    refuses("ASSERT(INARRAY(1, a))", &[""]);
    let points = "REPI(i, 2) INT(0,9,x[i]) SPACE INT(0,9,y[i]) NEWLINE END ASSERT(UNIQUE(x, y))";
    accepts(points, &["1 2\n1 3\n"]);
    refuses(points, &["1 2\n1 2\n"]);
    refuses("SET(x[1] = 1) SET(y[2] = 1) ASSERT(UNIQUE(x, y))", &[""]);
    refuses("REPI(i, 2) FLOAT(-1,1,x[i]) NEWLINE END ASSERT(UNIQUE(x))", &["-0.0\n0.0\n"]);
    refuses("SET(x[1] = 1) SET(x[2] = 1.0) ASSERT(UNIQUE(x))", &[""]);
}

#[test]
fn strings_have_a_length() {
    let program = "REGEX(\"[a-z]*\", word) ASSERT(STRLEN(word) >= 2 && 3 * STRLEN(\"ab\") - 1 == 5) NEWLINE";
    accepts(program, &["ab\n", "abcdefgh\n"]);
    refuses(program, &["a\n", "\n"]);
    accepts(
        "SET(n = STRLEN(\"\")) REP(STRLEN(\"xyz\") + n, SPACE) INT(0, STRLEN(\"123456\")) END",
        &["0 6 1"],
    );
    assert_eq!(check("SET(x = STRLEN(7))", ""), "line 1 of the rules: `STRLEN` takes a string");
}

#[test]
fn a_program_that_is_cancelled_ends_long_before_its_bounds() {
    let program = CtdProgram::parse(b"WHILE(1 == 1) END").unwrap();
    let cancelled = AtomicBool::new(true);
    assert_eq!(program.check(b"", &cancelled), Err(CtdFailure::Cancelled));
    // So few steps are over before the first look at whether the check is cancelled.
    assert_eq!(check_unless("INT(1, 2)", "1", &cancelled), "ok");
}

#[test]
fn syntax_errors_are_reported_with_their_line() {
    let wrong = |program: &str| CtdProgram::parse(program.as_bytes()).unwrap_err().to_string();
    for (program, expected) in [
        ("INT(1, 2", "line 1: expected `)`, found the end of the file"),
        ("NEWLINE\nFOO", "line 2: `FOO` is not a word of the language"),
        ("REP(2)\nSPACE\n", "line 2: expected `END`, found the end of the file"),
        ("END", "line 1: expected a command outside of any block, found `END`"),
        ("STRING(\"a", "line 1: a string has no end"),
        ("STRING(\"\\777\")", "line 1: an octal escape is beyond `\\377`"),
        ("ASSERT(1)", "line 1: expected a comparison, found `)`"),
        ("SET(1 = 2)", "line 1: expected a variable, found a number"),
        ("FLOAT(1, 2, x, y)", "line 1: expected `FIXED` or `SCIENTIFIC`, found `y`"),
        ("INT(1, 2) # three", "line 1: `#` is not a word of the language"),
    ] {
        assert_eq!(wrong(program), expected, "{program}");
    }
}

#[test]
fn hostile_programs_end() {
    let broken = |program: &str, why: &str| {
        let message = check(program, "");
        assert!(message.starts_with("line 1 of the rules: ") && message.contains(why), "{message}");
    };
    broken("WHILE(1 == 1) END", "steps");
    broken("REPI(i, 10^30) SET(a[i] = i) END", "room");
    let long = "x".repeat(1 << 20);
    broken(&format!("SET(x = \"{long}\") WHILE(x == x) END"), "steps");
    broken(&format!("SET(x[{}0] = 1)", "0, ".repeat(1000)), "indices");
    broken("REPI(i, 200) IF(MATCH(\"a\")) END END REGEX(\"([^a]{500}){600}\")", "does not know");
    let message = check("REP(20000000) REGEX(\"(.*z)?\") END", &"a".repeat(1 << 13));
    assert!(message.contains("steps"), "{message}");
    let message = check("REGEX(\"a*\")", &"a".repeat(1 << 20));
    assert!(message.contains("more than 4096 bytes"), "{message}");
    broken("SET(x = 2) REP(1000) SET(x = x * x) END", "38 digits");
    let deep =
        |open: &str, close: &str| format!("ASSERT({}1{} == 1)", open.repeat(100_000), close.repeat(100_000));
    for program in [
        deep("(", ")"),
        deep("-", ""),
        format!("ASSERT({}1 == 1)", "!".repeat(100_000)),
        "REP(1) ".repeat(100_000),
    ] {
        let message = CtdProgram::parse(program.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("are nested more than 100 deep"), "{message}");
    }
    // A long chain is not deeply nested.
    accepts(&format!("ASSERT({}1 == 200001)", "1 + ".repeat(200_000)), &[""]);
    accepts(&format!("ASSERT({}1 == 1)", "1 == 1 && ".repeat(100_000)), &[""]);
}
