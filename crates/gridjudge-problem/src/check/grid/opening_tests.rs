//! Banners, words and comments around grids: the findings for wrong ones, and that no
//! later grid is lost by them.

use std::io;

use gridjudge_grid::{
    Banner, BannerPlace, BlankLines, CellSpacing, CountLine, GridCount, Layout,
    Replies, Shape, Symbols, Template,
};

use super::*;

const INPUT: &str =
    "1432\n....\n4123\n3214\n123.\n...4\n....\n....\n....\n2341\n4123\n3214\n";
const ONE: &str = "1432\n2341\n4123\n3214\n";

fn format(banner: Option<(&str, BannerPlace)>, lead: Option<&str>) -> Format {
    let layout = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Joined);
    let banner = banner.map(|(text, place)| Banner {
        place,
        ..Banner::own(Template::parse(text, "n").unwrap())
    });
    Format {
        shapes: vec![Shape::new(4, 2, 2).unwrap()],
        symbols: Symbols::characters("1234", "."),
        output: Layout {
            count: GridCount::AsInput,
            banner,
            lead: lead.map(Into::into),
            ..layout.clone()
        },
        input: layout,
        replies: Replies {
            none: Some("NO".into()),
            ..Replies::default()
        },
    }
}

#[track_caller]
fn finds(format: &Format, accept: Accept, out: &str, expected: &[&str]) {
    let findings = grid_output(
        format,
        accept,
        INPUT.as_bytes(),
        out.as_bytes(),
        None::<io::Empty>,
    )
    .unwrap();
    let messages: Vec<_> = findings
        .listed
        .iter()
        .map(|found| format!("{}: {}", found.line.unwrap(), found.message))
        .collect();
    assert_eq!(messages, expected);
    assert_eq!(findings.grids, 3);
}

#[test]
fn a_misspelt_banner_is_reported_and_still_opens_its_grid() {
    let mut format = format(Some(("Case #{n}:", BannerPlace::Own)), None);
    format.output.blank_lines = BlankLines::After;
    let banner = |line, number, found: &str| {
        format!(
            "{line}: grid {number}: the banner is `{found}`, expected `Case #{number}:`"
        )
    };
    for letters in ["Case #", "CASE ", "Grid no. "] {
        let out = format!("{letters}1\n{ONE}\n{letters}2\nNO\n\n{letters}3\n{ONE}\n");
        let places = [(1, 1), (7, 2), (10, 3)];
        let messages = places.map(|(line, number)| {
            banner(line, number, &format!("{letters}{number}"))
        });
        finds(
            &format,
            Accept::Any,
            &out,
            &messages.each_ref().map(String::as_str),
        );
    }
}

#[test]
fn a_text_on_the_line_of_a_banner_that_should_stand_alone_is_reported() {
    let format = format(Some(("Case {n}:", BannerPlace::Own)), None);
    let out = format!("Case 1:\n{ONE}Case 2: NO\nCase 3:\n{ONE}");
    let messages = ["6: grid 2: the banner `Case 2:` must be on a line of its own"];
    finds(&format, Accept::Any, &out, &messages);
    let out = format!("Case 1: {ONE}Case 2:\nNO\nCase 3:\n{ONE}");
    finds(
        &format,
        Accept::Any,
        &out,
        &["1: grid 1: the banner `Case 1:` must be on a line of its own"],
    );
}

#[test]
fn a_banner_before_texts_stands_on_their_line_and_before_grids_on_its_own() {
    let texts = format(Some(("Case {n}: ", BannerPlace::BeforeWords)), None);
    let right = format!("Case 1:\n{ONE}Case 2: NO\nCase 3:\n{ONE}");
    finds(&texts, Accept::Any, &right, &[]);
    let alone =
        "the banner `Case 2:` stands alone, expected what follows on its line";
    let apart = right.replace(": NO", ":\nNO");
    finds(
        &texts,
        Accept::Any,
        &apart,
        &[&format!("6: grid 2: {alone}")],
    );
    for (from, to, message) in [
        (
            "Case 2: NO",
            "Case 2 NO",
            "6: grid 2: the banner is `Case 2`, expected `Case 2:`",
        ),
        (
            "Case 2: NO",
            "Case 7: NO",
            "6: grid 2: the banner is `Case 7:`, expected `Case 2:`",
        ),
        (
            "Case 2: NO",
            "NO",
            "6: grid 2: the banner `Case 2:` is missing",
        ),
        (
            "Case 2: NO",
            "Case 2: No",
            "6: grid 2: `No` is neither a row nor `NO`",
        ),
    ] {
        finds(&texts, Accept::Any, &right.replace(from, to), &[message]);
    }
    let same = format(Some(("Case {n}: ", BannerPlace::Same)), None);
    finds(&same, Accept::Any, &right.replace(":\n", ": "), &[]);
}

#[test]
fn a_line_before_each_solution_may_be_missing_or_wrong() {
    let format = format(None, Some("YES"));
    let right = format!("YES\n{ONE}NO\nYES\n{ONE}");
    finds(&format, Accept::First, &right, &[]);
    let without = right.replacen("YES\n", "", 1);
    finds(
        &format,
        Accept::First,
        &without,
        &["1: grid 1: the line `YES` is missing"],
    );
    let other = right.replacen("YES\n", "Yes\n", 1);
    finds(
        &format,
        Accept::First,
        &other,
        &["1: grid 1: the line is `Yes`, expected `YES` or `NO`"],
    );
}

#[test]
fn where_there_is_no_solution_the_line_for_one_is_wrong_and_not_missing() {
    let format = format(Some(("Case {n}:", BannerPlace::Own)), Some("YES"));
    let none = "there is no solution: its clues leave no symbol for row 1, column 4; expected `NO`";
    for (said, messages) in [
        ("YES\n", vec![format!("8: grid 2: `YES`, but {none}")]),
        ("", vec![format!("7: grid 2: {none}")]),
        (
            "1234\n3412\n2143\n4321\n",
            vec![
                format!("8: grid 2: {none}"),
                "9: grid 2: row 2, column 4 is 2, but its clue is 4".to_owned(),
            ],
        ),
    ] {
        let out = format!("Case 1:\nYES\n{ONE}Case 2:\n{said}Case 3:\nYES\n{ONE}");
        let messages: Vec<_> = messages.iter().map(String::as_str).collect();
        finds(&format, Accept::First, &out, &messages);
    }
}

#[test]
fn a_text_that_names_another_case_is_reported_as_such() {
    let numbered = |text| Some(Template::parse(text, "n").unwrap());
    let mut format = format(None, None);
    format.replies.none = numbered("Case {n:02}: none");
    format.output.lead = numbered("Case {n:02} is");
    let right = format!("Case 01 is\n{ONE}Case 02: none\nCase 03 is\n{ONE}");
    finds(&format, Accept::First, &right, &[]);
    let differs = "the number of the case differs";
    for (from, to, message) in [
        (
            "02: none",
            "03: none",
            format!("6: grid 2: the line is `Case 03: none`, expected `Case 02: none`: {differs}"),
        ),
        (
            "02: none",
            "2: none",
            format!("6: grid 2: the line is `Case 2: none`, expected `Case 02: none`: {differs}"),
        ),
        (
            "02: none",
            "02:none",
            "6: grid 2: the line is `Case 02:none`, expected `Case 02: none`: the white space differs".into(),
        ),
        ("03 is", "01 is", format!("7: grid 3: the line is `Case 01 is`, expected `Case 03 is`: {differs}")),
        (
            "Case 03 is",
            "It was",
            "7: grid 3: the line is `It was`, expected `Case 03 is` or `Case 03: none`".into(),
        ),
        ("Case 02: none\n", ONE, "6: grid 2: there is no solution: its clues leave no symbol for row 1, column 4; expected `Case 02: none`".into()),
    ] {
        let found = grid_output(
            &format,
            Accept::First,
            INPUT.as_bytes(),
            right.replace(from, to).as_bytes(),
            None::<io::Empty>,
        );
        let first = found.unwrap().listed.swap_remove(0);
        assert_eq!(format!("{}: {}", first.line.unwrap(), first.message), message, "{to}");
    }
}

#[test]
fn a_missing_number_of_solutions_is_reported_for_its_own_grid() {
    let mut format = format(None, None);
    let template = Template::parse("{count} in all", "count").unwrap();
    format.replies.count = Some(CountLine {
        template,
        follows_solutions: false,
        has_blank_line: false,
    });
    let accept = Accept::All { most: 9 };
    finds(
        &format,
        accept,
        &format!("1 in all\n{ONE}NO\n1 in all\n{ONE}"),
        &[],
    );
    let messages = [
        "5: grid 1: the line `1 in all` is missing",
        "10: grid 3: the line `1 in all` is missing",
    ];
    finds(&format, accept, &format!("{ONE}NO\n{ONE}"), &messages);
}

#[test]
fn comments_are_passed_wherever_they_stand_and_however_many_there_are() {
    let mut format = format(None, None);
    format.input.comment = Some("#".into());
    format.input.count = GridCount::First { most: 9 };
    let long = format!("# {}\n", "1234 ".repeat(30_000));
    let many = "  # 4\n\n".repeat(30_000);
    let puzzles = INPUT.replace("2341\n", "#\n2341\n");
    for input in [
        format!("{many}3\n{many}{puzzles}{long}"),
        format!("{long}3\n{long}{puzzles}{many}\n"),
    ] {
        let mistakes = crate::check::input::input_mistakes::all_input_mistakes(
            &format,
            input.as_bytes(),
        )
        .unwrap();
        assert_eq!(mistakes, []);
        let out = format!("{ONE}NO\n{ONE}");
        let answer = None::<io::Empty>;
        let found = grid_output(
            &format,
            Accept::Any,
            input.as_bytes(),
            out.as_bytes(),
            answer,
        )
        .unwrap();
        assert_eq!((found.listed.len(), found.parts_right), (0, 3));
    }
}

/// The messages about an output where each banner shares the line of a number of
/// solutions.
fn of_numbers(
    banner: &str,
    place: BannerPlace,
    count: &str,
    accept: Accept,
    out: &str,
    answer: &str,
) -> Vec<String> {
    let template = Template::parse(count, "count").unwrap();
    let plain = format(Some((banner, place)), None);
    let count = Some(CountLine {
        template,
        follows_solutions: false,
        has_blank_line: false,
    });
    let format = Format {
        replies: Replies {
            count,
            ..Replies::default()
        },
        ..plain
    };
    let [solved, stored] = [None, Some(answer.as_bytes())].map(|answer| {
        let findings =
            grid_output(&format, accept, INPUT.as_bytes(), out.as_bytes(), answer)
                .unwrap();
        findings
            .listed
            .iter()
            .map(|found| found.message.clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(solved, stored, "{out}");
    solved
}

#[test]
fn a_banner_that_runs_into_what_follows_is_reported() {
    let spacing = |found: &str, expected: &str| {
        format!(
            "grid 1: the line is `{found}`, expected `{expected}`: the white space differs"
        )
    };
    for banner in ["#{n} ", "Case {n} ", "Answer "] {
        let case = |number: u64| banner.replace("{n}", &number.to_string());
        let right = format!("{}1\n{}0\n{}1\n", case(1), case(2), case(3));
        let messages = |out: &str| {
            of_numbers(
                banner,
                BannerPlace::Same,
                "{count}",
                Accept::Count { most: 9 },
                out,
                &right,
            )
        };
        assert_eq!(messages(&right), [""; 0]);
        let torn = right.replacen(&case(1), case(1).trim(), 1);
        let line = format!("{}1", case(1));
        assert_eq!(
            messages(&torn),
            [spacing(
                line.replace(' ', "").replace("Case", "Case ").as_str(),
                &line
            )]
        );
    }
    let format = format(Some(("Case {n} ", BannerPlace::Same)), None);
    let right = format!("Case 1 {ONE}Case 2 NO\nCase 3 {ONE}");
    finds(&format, Accept::Any, &right, &[]);
    for (from, to) in [("Case 1 1432", "Case 11432"), ("Case 2 NO", "Case 2NO")] {
        let found = grid_output(
            &format,
            Accept::Any,
            INPUT.as_bytes(),
            right.replace(from, to).as_bytes(),
            None::<io::Empty>,
        );
        let message =
            format!("the line is `{to}`, expected `{from}`: the white space differs");
        let found = found.unwrap();
        assert!(
            found.listed.len() == 1 && found.listed[0].message.ends_with(&message),
            "{:?}",
            found.listed
        );
    }
}

#[test]
fn a_banner_may_be_a_mere_number_beside_an_answer_that_is_one() {
    let count = Accept::Count { most: 9 };
    let right = "1 1\n2 0\n3 1\n";
    let shared = |out: &str| {
        of_numbers("{n} ", BannerPlace::Same, "{count}", count, out, right)
    };
    assert_eq!(shared(right), [""; 0]);
    assert_eq!(
        shared("1 2\n2 0\n3 1\n"),
        ["grid 1: the number of solutions is 2, expected 1"]
    );
    assert_eq!(shared("1 1\n2\n3 1\n"), ["grid 2: the line `0` is missing"]);
    let apart =
        "grid 2: the banner `2` stands alone, expected what follows on its line";
    assert_eq!(shared("1 1\n2\n0\n3 1\n"), [apart]);
    let right = "1\n1 in all\n2\n0 in all\n3\n1 in all\n";
    let alone = |out: &str| {
        of_numbers("{n}", BannerPlace::Own, "{count} in all", count, out, right)
    };
    assert_eq!(alone(right), [""; 0]);
    let together = "grid 1: the banner `1` must be on a line of its own";
    assert_eq!(alone(&right.replacen("1\n1", "1 1", 1)), [together]);
    let right = format!("1 1 in all\n{ONE}2 0 in all\n3 1 in all\n{ONE}");
    let first = |out: &str| {
        of_numbers(
            "{n} ",
            BannerPlace::Same,
            "{count} in all",
            Accept::FirstCounted { most: 9 },
            out,
            &right,
        )
    };
    assert_eq!(first(&right), [""; 0]);
    assert_eq!(
        first(&right.replacen("1 1 in", "1 2 in", 1)),
        ["grid 1: the number of solutions is 2, expected 1"]
    );
}

#[test]
fn a_number_after_a_banner_is_no_row_where_the_output_has_no_grids() {
    let spaced = Layout::bare(GridCount::UntilEnd { most: 9 }, CellSpacing::Spaced);
    let plain = format(Some(("{n} ", BannerPlace::Same)), None);
    let template = Template::parse("{count}", "count").unwrap();
    let count = Some(CountLine {
        template,
        follows_solutions: false,
        has_blank_line: false,
    });
    let format = Format {
        shapes: vec![Shape::latin(2).unwrap()],
        output: Layout {
            cells: CellSpacing::Spaced,
            ..plain.output.clone()
        },
        input: spaced,
        replies: Replies {
            count,
            ..Replies::default()
        },
        ..plain
    };
    let input = &b". .\n. .\n1 .\n. .\n"[..];
    let found = grid_output(
        &format,
        Accept::Count { most: 9 },
        input,
        &b"1 2\n2 1\n"[..],
        None::<io::Empty>,
    )
    .unwrap();
    assert!(found.listed.is_empty(), "{:?}", found.listed);
}

#[test]
fn a_word_after_a_banner_that_is_a_number_may_be_a_number() {
    let plain = format(Some(("{n} ", BannerPlace::Same)), None);
    let replies = Replies {
        none: Some("0".into()),
        one: Some("1".into()),
        ..Replies::default()
    };
    let format = Format { replies, ..plain };
    finds(&format, Accept::Word, "1 1\n2 0\n3 1\n", &[]);
    let found = grid_output(
        &format,
        Accept::Word,
        INPUT.as_bytes(),
        &b"1 1\n2 1\n3 1\n"[..],
        None::<io::Empty>,
    )
    .unwrap();
    assert_eq!((found.listed.len(), found.listed[0].grid), (1, Some(2)));
}
