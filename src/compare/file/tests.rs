//! Baseline files: written, read back, and damaged.

use super::*;
use crate::compare::tests::{calibrated, of, record};

fn sample() -> Baseline {
    of([
        calibrated(
            record(
                "b c",
                "secret/2",
                &[("AC", 12_345), ("AC", 12_355), ("AC", 11_000)],
            ),
            101_300,
        ),
        record("a", "secret/1", &[("AC", 900), ("WA", 800), ("AC", 700)]),
        record("a", "sample/1", &[("AC", 7)]),
    ])
}

#[track_caller]
fn rejects(text: &str, expected: &[&str]) {
    let Mistakes(mistakes) = parse_baseline(Path::new("f"), text).unwrap_err();
    assert_eq!(
        mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn a_file_has_a_line_for_each_case_in_order_with_short_numbers() {
    let expected = "\
gridjudge baseline 1
# problem\tsubmission\tcase\tverdict\tcpu_us\tits median lies in\tmemory_kib\tleast..most\tattempts\tcpu_us of each, by run of the judge
machine\ta machine, Linux 1
p\ta\tsample/1\tAC\t7\t7..7\t1000\t1000..1000\t1\t7
p\ta\tsecret/1\tWA:1,AC:2\t800\t800..800\t1000\t1000..1000\t3\t800
p\tb c\tsecret/2\tAC\t12300\t11000..12400\t1000\t1000..1000\t3\t12300 12400 11000 @101000
";
    assert_eq!(to_text(&sample()), expected);
}

#[test]
fn a_written_file_reads_back_in_any_order_of_lines_and_with_any_line_ends() {
    let mut joined = sample();
    joined.join(sample());
    for baseline in [sample(), joined, Baseline::default()] {
        let text = to_text(&baseline);
        assert_eq!(
            parse_baseline(Path::new("f"), &text).unwrap(),
            baseline,
            "{text}"
        );
        let mut lines: Vec<_> = text.lines().collect();
        lines[1..].reverse();
        assert_eq!(
            parse_baseline(Path::new("f"), &(lines.join("\r\n") + "\r\n")).unwrap(),
            baseline
        );
    }
}

#[test]
fn names_keep_every_character_and_write_only_visible_ones() {
    for name in [
        "a\tb",
        "a\\tb",
        "a\nb\r",
        "\\",
        "a\\\\b",
        "\u{1b}[31m",
        "\\u{1b}",
        "\u{202e}\0\u{feff}\u{e0041}",
        "größe 数",
    ] {
        assert_eq!(unescaped(&escaped(name)), name);
        assert!(escaped(name).chars().all(is_printable), "{}", escaped(name));
    }
    assert_eq!(escaped("\u{1b}größe"), r"\u{1b}größe");
    assert_eq!(unescaped(r"\u{110000}\u{\u}\u"), "u{110000}u{u}u");
}

#[test]
fn all_mistakes_of_a_file_are_reported_at_once() {
    let good = "p\ta\t1\tAC\t7\t7..7\t9\t9..9\t1\t7";
    let text = [
        "gridjudge baseline 1",
        good,
        "<<<<<<< HEAD",
        "p\ta\t2\tAC\t7",
        "=======",
        "p\ta\t2\tXX\t7\t7..7\t9\t9..9\t1\t7",
        ">>>>>>> other",
        good,
        "p\ta\t3\tAC\t7\t7\t9\t9..9\t1\t7",
        "p\ta\t4\tAC\t7\t7..7\t9\t9..9\t1\t7 x",
        "p\ta\t5\tAC:x\t7\t7..7\t9\t9..9\t1\t7",
        "p\ta\t6\tWA:18446744073709551615,AC:1\t7\t7..7\t9\t9..9\t1\t7",
        "p\ta\t7\tAC\t7\t7..7\t9\t9..9\t1\t10000000000001",
    ];
    let conflict = "a conflict that git left and nobody has resolved";
    rejects(
        &text.join("\n"),
        &[
            &format!("f:3: {conflict}"),
            "f:4: expected 10 columns between tabs, found 5",
            &format!("f:5: {conflict}"),
            "f:6: `XX` is not a verdict of a case",
            &format!("f:7: {conflict}"),
            "f:8: a on 1 is on line 2 already",
            "f:9: `7` is not a range such as `10..12`",
            "f:10: `x` is not a whole number",
            "f:11: `x` is not a whole number",
            "f:12: `18446744073709551615` is too large a number",
            "f:13: `10000000000001` is too large a number",
            "f:13: is cut: its last line has no end",
        ],
    );
}

#[test]
fn a_line_that_was_cut_or_changed_by_hand_is_rejected() {
    let disagree = "f:2: its figures do not agree with each other";
    for (line, message) in [
        ("p\ta\t1\tAC\t8\t7..7\t9\t9..9\t1\t7", disagree),
        ("p\ta\t1\tAC\t7\t7..7\t9\t9..9\t3\t7 7 2", disagree),
        ("p\ta\t1\tAC\t7\t7..7\t9\t9..9\t10\t", disagree),
        ("p\ta\t1\tWA:3,AC:4\t7\t7..7\t9\t9..9\t9\t7 7 7", disagree),
        (
            "p\ta\t1\tAC\t7\t7..7\t9\t9..9\t1\t7 7",
            "f:2: it has more times than attempts",
        ),
        (
            "p\ta\t1\tAC\t7\t7..7\t9\t9..9\t1\t7 | @5",
            "f:2: `@5` is a calibration of a run without times",
        ),
        (
            "p\ta\t1\tSK\t0\t0..0\t0\t0..0\t1\t",
            "f:2: `SK` is not a verdict of a case",
        ),
        (
            "p\ta\t1\tWA:3,WA:4,AC:2\t7\t7..7\t9\t9..9\t9\t7 7 7",
            "f:2: `WA:3,WA:4,AC:2` does not say how often each verdict was earned",
        ),
    ] {
        rejects(&format!("gridjudge baseline 1\n{line}\n"), &[message]);
    }
}

#[test]
fn no_problem_name_is_taken_for_another_kind_of_line() {
    for name in [
        "machine",
        "#1",
        "=======",
        "<<<<<<< HEAD",
        "gridjudge baseline 1",
    ] {
        let line =
            format!("{}\ta\t1\tAC\t7\t7..7\t9\t9..9\t1\t7", escaped_first(name));
        let found = parse_baseline(
            Path::new("f"),
            &format!("gridjudge baseline 1\n{line}\n"),
        )
        .unwrap();
        assert_eq!(found.submissions().collect::<Vec<_>>(), [(name, "a")]);
        assert_eq!(
            parse_baseline(Path::new("f"), &to_text(&found)).unwrap(),
            found
        );
    }
}

#[test]
fn a_foreign_file_or_one_of_a_newer_version_is_rejected() {
    for (text, message) in [
        (
            "",
            "f:1: is not a baseline: its first line is not `gridjudge baseline 1`",
        ),
        (
            "int main",
            "f:1: is not a baseline: its first line is not `gridjudge baseline 1`",
        ),
        (
            "gridjudge baseline 2",
            "f:1: is a baseline of version 2; this gridjudge reads 1",
        ),
        (
            "gridjudge baseline x",
            "f:1: `x` is not a version of a baseline",
        ),
    ] {
        rejects(text, &[message]);
    }
}

#[test]
fn of_very_many_bad_lines_the_first_are_listed_and_the_others_counted() {
    let text = "gridjudge baseline 1\n".to_owned()
        + &"x\n".repeat(100_000)
        + &"y".repeat(1 << 20)
        + "\t\n";
    let Mistakes(mistakes) = parse_baseline(Path::new("f"), &text).unwrap_err();
    assert_eq!(mistakes.len(), MOST_LISTED + 1);
    assert_eq!(mistakes[0].line, Some(2));
    assert_eq!(
        mistakes[MOST_LISTED].message,
        "holds 99981 more bad lines, which are not listed"
    );
    let columns = [
        "p",
        "s",
        "c",
        &"A".repeat(1 << 20),
        "1",
        "1..1",
        "1",
        "1..1",
        "1",
        "1",
    ];
    let text = format!("gridjudge baseline 1\n{}\n", columns.join("\t"));
    let Mistakes(mistakes) = parse_baseline(Path::new("f"), &text).unwrap_err();
    assert!(
        mistakes[0].message.len() < 500,
        "{}",
        mistakes[0].message.len()
    );
}
