//! The language, command by command, and how hostile programs end.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::checktestdata::evaluation::CtdBounds;

/// The result of checking an input: `ok`, or why not. The bounds are much lower than
/// those of a judge.
fn check(program: &str, input: &str) -> String {
    check_unless(program, input, &AtomicBool::new(false))
}

fn check_unless(program: &str, input: &str, is_cancelled: &AtomicBool) -> String {
    check_with(CtdSpaces::Exact, program, input, is_cancelled)
}

fn check_with(
    spaces: CtdSpaces,
    program: &str,
    input: &str,
    is_cancelled: &AtomicBool,
) -> String {
    let program = CtdProgram::parse(program.as_bytes())
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let bounds = CtdBounds {
        steps: 500_000,
        bytes: 2_000_000,
        is_cancelled,
    };
    let checked = program.check_within(input.as_bytes(), spaces, &bounds);
    checked.map_or_else(|failure| failure.to_string(), |()| "ok".to_owned())
}

fn accepts(program: &str, inputs: &[&str]) {
    for input in inputs {
        assert_eq!(check(program, input), "ok", "{program} on {input:?}")
    }
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
        &[
            "", "\n", "-4\n", "1001\n", "007\n", "-0\n", "-\n", "+1\n", "7", "7 \n",
            " 7\n", "7\n\n", "x\n",
        ],
    );
    accepts("INT(0, 10^30) EOF", &["1000000000000000000000000000000"]);
    refuses(
        "INT(0, 10^30)",
        &["1000000000000000000000000000001", &"9".repeat(500)],
    );
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
    assert_eq!(
        check(program, "1 2\n3"),
        "line 2, character 1: the input goes on here (line 4 of the rules)"
    );
}

#[test]
fn floats_may_be_restricted_to_a_notation() {
    accepts(
        "FLOAT(0, 1)",
        &[
            "0", "1.0", "0.5", "5e-1", "1E0", "-0", "-0.0", "1e+0", "1E-10",
        ],
    );
    refuses(
        "FLOAT(0, 1)",
        &[
            "1.01", ".5", "1.", "-0.1", "", "nan", "1e", "+1", "00", "01", "007e-2",
            "1e-05",
        ],
    );
    refuses("FLOAT(0, 1)", &["1e00", "1e+", "1.e0", "--1", "0x1"]);
    accepts("FLOAT(-1, 1, x, FIXED)", &["-0.25"]);
    refuses("FLOAT(-1, 1, x, FIXED)", &["1e-2"]);
    accepts("FLOAT(-1, 1, x, SCIENTIFIC)", &["1e-2", "2.5E-1"]);
    refuses("FLOAT(-1, 1, x, SCIENTIFIC)", &["0.5"]);
    refuses("FLOAT(0, 99, x, FIXED)", &["1e1"]);
    // A number read by `FLOAT` is not an integer.
    accepts("FLOAT(0, 9, x) ASSERT(x / 2 == 2.5)", &["5"]);
}

#[test]
fn floats_may_have_a_number_of_decimals() {
    accepts(
        "FLOATP(0, 10, 0, 2)",
        &["5", "5.2", "5.23", "1.5e0", "1.25E-1"],
    );
    refuses(
        "FLOATP(0, 10, 0, 2)",
        &["5.230", "5e0", "12.5e-1", "0.5e0", "10.1"],
    );
    refuses("FLOATP(0, 10, 2, 2)", &["5", "5.1", "5.123"]);
    accepts("FLOATP(0, 10, 1+0, 3, x, FIXED) ASSERT(x > 5)", &["5.5"]);
    refuses("FLOATP(0, 10, 1, 3, x, FIXED)", &["5.5e0"]);
    refuses("FLOATP(0, 10, 1, 3, x, SCIENTIFIC)", &["5.5"]);
    accepts("FLOATP(-1, 1, 0, 0)", &["-1", "0", "-0"]);
    for (program, why) in [
        (
            "FLOATP(0, 9, 4, 3)",
            "there are no numbers of decimals from 4 to 3",
        ),
        ("FLOATP(0, 9, -1, 3)", "-1 is not a number of decimals"),
        (
            "FLOATP(0, 9, 1.0, 3)",
            "a number of decimals is not an integer",
        ),
    ] {
        assert_eq!(
            check(program, "1.000"),
            format!("line 1 of the rules: {why}")
        );
    }
}

#[test]
fn numbers_have_any_size_and_are_exact() {
    accepts(
        "INT(10^73, 10^74, a) SPACE INT(0, 10^74, b) ASSERT(a + b == 10^74 && a * b > 10^73)",
        &[&format!("{} 1", "9".repeat(74))],
    );
    refuses("INT(0, 10^30)", &[&format!("-{}", "9".repeat(40))]);
    for test in [
        "9223372036854775807 + 1 - 1 == 9223372036854775807",
        "(-9223372036854775807 - 1) * -1 == 9223372036854775808",
        "-9223372036854775808 / -1 == 9223372036854775808 && -9223372036854775808 % -1 == 0",
        "10^100 % 7 == 4 && 10^100 / 10^99 == 10",
        "0.1 + 0.2 == 0.3 && 1 / 2. == 0.5 && 1e1000 > 10^999 && 1 / 3.0 * 3 == 1",
        "1.000000000000000000000000000000000000000001 > 1 && 2.5^2 == 6.25",
        // As in C; a number that cannot be octal is none of the integers.
        "010 == 8 && 08 == 8.0 && 10 == 1.e1",
    ] {
        accepts(&format!("ASSERT({test})"), &[""]);
    }
    // The whole range, however it is written.
    accepts(
        "FLOAT(0.1, 1e100000, x) SPACE FLOAT(-1, x)",
        &["0.1 1e-1", "9.9e99999 -1"],
    );
    refuses(
        "FLOAT(0.1, 1e100000)",
        &[
            "0.09999999999999999999999999999",
            "1.1e100000",
            "1e999999999999999999999",
        ],
    );
    assert_eq!(
        check("INT(1, 2.0)", "1"),
        "line 1 of the rules: the upper bound of `INT` is not an integer"
    );
}

#[test]
fn more_white_space_is_accepted_where_the_package_says_so() {
    let not_cancelled = AtomicBool::new(false);
    let check = |input| {
        check_with(
            CtdSpaces::More,
            "INT(1, 9) SPACE INT(1, 9) NEWLINE INT(1, 9) NEWLINE",
            input,
            &not_cancelled,
        )
    };
    for input in ["1 2\n3\n", " 1  2\n3\n", "1\t2 \r\n  3\n ", "1 2\n3 \n"] {
        assert_eq!(check(input), "ok", "{input:?}");
    }
    for input in ["12\n3\n", "1 2\n\n3\n", "1\n2\n3\n", "1 2\n3"] {
        assert_ne!(check(input), "ok", "{input:?}");
    }
}

#[test]
fn comments_begin_anywhere_outside_of_strings() {
    accepts(
        "INT(0,9,n) # how many\nNEWLINE#none\n # REP\nSTRING( # a\n\"a#b\") #",
        &["1\na#b"],
    );
}

#[test]
fn texts_and_patterns_must_match_what_comes_next() {
    accepts("STRING(\"a\\\"b\\n\\x\\101\")", &["a\"b\n\\xA"]);
    refuses("STRING(\"ab\")", &["a", "ac", ""]);
    accepts(
        "REGEX(\"[a-z]+\", word) SPACE STRING(word) NEWLINE",
        &["abc abc\n"],
    );
    refuses(
        "REGEX(\"[a-z]+\", word) SPACE STRING(word) NEWLINE",
        &["abc abd\n", "1 1\n"],
    );
    accepts("REGEX(\"[^\n]*\") NEWLINE", &["anything at all\n"]);
    accepts("REGEX(\".*\")", &["a line\nand another\n"]);
    accepts("REGEX(\"[0-9]{2}|x\")", &["12", "x"]);
    // The longest match counts, of any length.
    accepts("REGEX(\"a|ab\") NEWLINE", &["ab\n"]);
    accepts(
        "REGEX(\"[a-z]+\", x) NEWLINE ASSERT(STRLEN(x) >= 5000)",
        &[&format!("{}\n", "a".repeat(5000))],
    );
    assert_eq!(
        check("REGEX(\"(a)\\\\1\")", "aa"),
        "line 1 of the rules: the regular expression is wrong: `\\1` means nothing in an extended regular \
         expression; digits, for example, are `[0-9]`"
    );
}

#[test]
fn loops_count_and_have_a_separator_between_repetitions() {
    let program = "INT(1, 5, n) NEWLINE REPI(i, n, SPACE) INT(0, 9, a[i]) END NEWLINE ASSERT(UNIQUE(a) && i == n)";
    accepts(program, &["3\n1 2 3\n", "1\n7\n"]);
    refuses(
        program,
        &["3\n1 2\n", "3\n1 2 3 4\n", "3\n1 2 3 \n", "3\n1 2 1\n"],
    );
    accepts("WHILE(!ISEOF) INT(0, 9) NEWLINE END", &["", "1\n2\n"]);
    accepts(
        "WHILEI(i, !MATCH(\"\\n\"), SPACE) INT(0, 9) END NEWLINE ASSERT(i == 2)",
        &["1 2\n"],
    );
    accepts(
        "REP(2) REP(2, STRING(\"-\")) STRING(\"x\") END NEWLINE END",
        &["x-x\nx-x\n"],
    );
    accepts("REP(0) SPACE END", &[""]);
    accepts(
        "INT(0,1,x) IF(x == 1) SPACE ELSE NEWLINE END",
        &["1 ", "0\n"],
    );
    // `EOF` does not end the program.
    accepts("REP(3) EOF END", &[""]);
    refuses("EOF ASSERT(1 == 2)", &[""]);
    // The counter is 0 before the number of repetitions is known.
    accepts(
        "SET(i = 3) REPI(i, i + 1) STRING(\"a\") END ASSERT(i == 1)",
        &["a"],
    );
    accepts("REPI(i, 0) END ASSERT(i == 0)", &[""]);
    assert_eq!(
        check("REP(-1) END", ""),
        "line 1 of the rules: -1 is not a number of repetitions"
    );
    assert_eq!(
        check("REP(1.0) END", ""),
        "line 1 of the rules: the number of repetitions is not an integer"
    );
}

#[test]
fn expressions_have_their_precedence_and_their_types() {
    for test in [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1",
        "7 / 2.0 == 3.5",
        "2^3^2 == 64 && -2^2 == -4 && 2^(1+1) == 4 && 2^--2^2 == 16",
        "(0-1)^(10^19) == 1 && (0-1)^(10^19+1) == -1 && 0^0 == 1 && 0^(10^19) == 0",
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
        ("1.0 / 0 == 1", "a division by 0"),
        ("1.5 % 1 == 1", "`%` takes integers only"),
        ("10^10000000 == 1", "a power has more than 300,000 digits"),
        ("2^-1 == 1", "an exponent is negative or too large"),
        ("2^1.0 == 1", "an exponent is not an integer"),
    ] {
        assert_eq!(
            check(&format!("ASSERT({broken})"), ""),
            format!("line 1 of the rules: {why}")
        );
    }
}

#[test]
fn variables_have_indices_and_can_be_unset() {
    accepts(
        "SET(a[1,2] = 5) SET(x = a[1,1+1] + 1) ASSERT(x == 6 && INARRAY(5, a) && !INARRAY(6, a))",
        &[""],
    );
    accepts(
        "SET(a = 1, b[a] = a + 1) ASSERT(b[1] == 2) UNSET(a, c)",
        &[""],
    );
    accepts(
        "SET(a[10^30] = 1) SET(a[10^30] = 2) ASSERT(a[10^30] == 2 && INARRAY(2.0, a[7]))",
        &[""],
    );
    refuses("SET(a = 1) SET(a = 2) ASSERT(INARRAY(1, a))", &[""]);
    refuses("SET(a[1] = 5) UNSET(a) ASSERT(a[1] == 5)", &[""]);
    refuses("ASSERT(INARRAY(1, a))", &[""]);
    let points = "REPI(i, 2) INT(0,9,x[i]) SPACE INT(0,9,y[i]) NEWLINE END ASSERT(UNIQUE(x, y))";
    accepts(points, &["1 2\n1 3\n"]);
    refuses(points, &["1 2\n1 2\n"]);
    refuses("SET(x[1] = 1) SET(y[2] = 1) ASSERT(UNIQUE(x, y))", &[""]);
    refuses(
        "REPI(i, 2) FLOAT(-1,1,x[i]) NEWLINE END ASSERT(UNIQUE(x))",
        &["-0.0\n0.0\n"],
    );
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
    assert_eq!(
        check("SET(x = STRLEN(7))", ""),
        "line 1 of the rules: `STRLEN` takes a string"
    );
}

#[test]
fn a_program_that_is_cancelled_ends_long_before_its_bounds() {
    let program = CtdProgram::parse(b"WHILE(1 == 1) END").unwrap();
    let cancelled = AtomicBool::new(true);
    assert_eq!(
        program.check(b"", CtdSpaces::Exact, &cancelled),
        Err(CtdFailure::Cancelled)
    );
    // So few steps are over before the first look at whether the check is cancelled.
    assert_eq!(check_unless("INT(1, 2)", "1", &cancelled), "ok");
}

#[test]
fn syntax_errors_are_reported_with_their_line() {
    let wrong = |program: &str| {
        CtdProgram::parse(program.as_bytes())
            .unwrap_err()
            .to_string()
    };
    for (program, expected) in [
        (
            "INT(1, 2",
            "line 1: expected `)`, found the end of the file",
        ),
        (
            "NEWLINE\nFOO",
            "line 2: `FOO` is not a word of the language",
        ),
        (
            "REP(2)\nSPACE\n",
            "line 2: expected `END`, found the end of the file",
        ),
        (
            "END",
            "line 1: expected a command outside of any block, found `END`",
        ),
        ("STRING(\"a", "line 1: a string has no end"),
        (
            "STRING(\"\\777\")",
            "line 1: an octal escape is beyond `\\377`",
        ),
        ("ASSERT(1)", "line 1: expected a comparison, found `)`"),
        ("SET(1 = 2)", "line 1: expected a variable, found a number"),
        (
            "FLOAT(1, 2, x, y)",
            "line 1: expected `FIXED` or `SCIENTIFIC`, found `y`",
        ),
        (
            "INT(1, 2); # three",
            "line 1: `;` is not a word of the language",
        ),
        ("FLOATP(1, 2, 3)", "line 1: expected `,`, found `)`"),
        (
            "ASSERT(STRLEN((x)) == 1)",
            "line 1: expected a value, found `(`",
        ),
        ("SET(a = 1,)", "line 1: expected a variable, found `)`"),
    ] {
        assert_eq!(wrong(program), expected, "{program}");
    }
}

#[test]
fn hostile_programs_end() {
    let broken = |program: &str, why: &str| {
        let message = check(program, "");
        assert!(
            message.starts_with("line 1 of the rules: ") && message.contains(why),
            "{message}"
        );
    };
    broken("WHILE(1 == 1) END", "steps");
    let short = "x".repeat(1000);
    let many = format!("REPI(i, 10^18) SET(a[i] = \"{short}\") END");
    broken(&many, "memory");
    let long = "x".repeat(1 << 20);
    broken(&format!("SET(x = \"{long}\") WHILE(x == x) END"), "steps");
    broken(&format!("SET(x[{}0] = 1)", "0, ".repeat(1000)), "indices");
    broken("REGEX(\"([^a]{500}){60000}\")", "too large");
    let message = check("REP(20000000) REGEX(\"(.*z)?\") END", &"a".repeat(1 << 13));
    assert!(message.contains("steps"), "{message}");
    broken("SET(x = 2) REP(1000) SET(x = x * x) END", "steps");
    broken("SET(x = 2.5) REP(1000000) SET(x = x * x) END", "exponent");
    broken(
        "SET(x = 10^100000) WHILE(x == x) SET(a[x] = x) UNSET(a) END",
        "steps",
    );
    broken(
        "REPI(i, 1000) SET(a[i] = i) END WHILE(UNIQUE(a)) END",
        "steps",
    );
    broken(
        "REPI(i, 1000) SET(a[i] = i) END WHILE(INARRAY(5, a)) SET(b[5] = i) UNSET(b) END",
        "steps",
    );
    let deep = |open: &str, close: &str| {
        format!(
            "ASSERT({}1{} == 1)",
            open.repeat(100_000),
            close.repeat(100_000)
        )
    };
    for program in [
        deep("(", ")"),
        deep("-", ""),
        format!("ASSERT({}1 == 1)", "!".repeat(100_000)),
        "REP(1) ".repeat(100_000),
    ] {
        let message = CtdProgram::parse(program.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("are nested more than 100 deep"),
            "{message}"
        );
    }
    // A long chain is not deeply nested.
    accepts(
        &format!("ASSERT({}1 == 200001)", "1 + ".repeat(200_000)),
        &[""],
    );
    accepts(
        &format!("ASSERT({}1 == 1)", "1 == 1 && ".repeat(100_000)),
        &[""],
    );
}

/// Whether a program ends within so many steps.
fn ends_within(program: &str, steps: u64) -> bool {
    let is_cancelled = AtomicBool::new(false);
    let bounds = CtdBounds {
        steps,
        bytes: 200_000_000,
        is_cancelled: &is_cancelled,
    };
    let program = CtdProgram::parse(program.as_bytes()).unwrap();
    match program.check_within(b"", CtdSpaces::Exact, &bounds) {
        Ok(()) => true,
        Err(failure) => {
            assert!(failure.to_string().contains("more steps"), "{failure}");
            false
        }
    }
}

/// The least number of steps within which a program ends.
fn steps_of_check(program: &str) -> u64 {
    let mut too_few = 0;
    let mut enough = 1_000_000;
    while enough - too_few > 1 {
        let middle = u64::midpoint(too_few, enough);
        if ends_within(program, middle) {
            enough = middle
        } else {
            too_few = middle
        }
    }
    enough
}

#[test]
fn values_far_apart_cost_the_depth_of_their_variable_and_neighbours_do_not() {
    let read = |index: &str| {
        format!(
            "REPI(i, 5000) SET(a[i] = i) END REPI(i, 5000) SET(b = a[{index}]) END"
        )
    };
    let calculates =
        "REPI(i, 5000) SET(b = i) END REPI(i, 5000) SET(b = (i * 2999) % 5000) END";
    let plain = "REPI(i, 5000) SET(b = i) END REPI(i, 5000) SET(b = i) END";
    let calculated = steps_of_check(calculates) - steps_of_check(plain);
    // A tree of 5000 values is 13 deep.
    let far = steps_of_check(&read("(i * 2999) % 5000")) - calculated;
    let near = steps_of_check(&read("i"));
    assert!(
        (12 * 5000..14 * 5000).contains(&(far - near)),
        "{far} {near}"
    );
    let values = "REPI(i, 5000) SET(a[i] = i) END";
    let unique = steps_of_check(&format!("{values} ASSERT(UNIQUE(a))"))
        - steps_of_check(values);
    assert!((13 * 5000..15 * 5000).contains(&unique), "{unique}");
}

#[test]
fn the_steps_of_a_check_grow_with_the_bytes_of_its_input_and_nothing_else() {
    let is_cancelled = AtomicBool::new(false);
    for (bytes, turns) in [(0, 100_000), (1_000, 100_000), (100_000, 800_000)] {
        let input = "x".repeat(bytes);
        let bounds = CtdBounds {
            steps: 100_000,
            bytes: 1_000_000,
            is_cancelled: &is_cancelled,
        };
        let ends = |turns: u64| {
            let program = CtdProgram::parse(
                format!("REP({turns}) END REGEX(\".*\")").as_bytes(),
            )
            .unwrap();
            program
                .check_within(input.as_bytes(), CtdSpaces::Exact, &bounds)
                .is_ok()
        };
        assert!(
            ends(turns / 2) && !ends(turns + 8 * bytes as u64),
            "{bytes}"
        );
    }
}
