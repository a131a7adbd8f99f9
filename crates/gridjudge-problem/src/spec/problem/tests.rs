//! Tests of valid and invalid problem specs.

use std::time::Duration;

use gridjudge_grid::GridCount;

use super::*;
use crate::model::GridTask;
use crate::spec::config::Config;

const GOOD: &str = r##"name = "Sudoku"

[grid]
order = 4
boxes = "2x2"
symbols = "1234"
blanks = "*"

[input]
cases = "count"
most = 100
cells = "joined"
blank_lines = "before"

[output]
cells = "joined"
banner = "Case #{n}:"
white_space = "strict"

[answer]
accept = "unique"

[limits]
time = "2s"
memory = "64MiB"
"##;

fn mistakes(text: &str) -> Vec<String> {
    match parse_problem(
        Path::new("problem.toml"),
        text,
        "p",
        &Config::default_in(Path::new("")),
    ) {
        Ok(_) => vec![],
        Err(mistakes) => mistakes.0.iter().map(ToString::to_string).collect(),
    }
}

fn changed(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from), "{from}");
    mistakes(&GOOD.replace(from, to))
}

#[test]
fn a_valid_spec_is_read_completely() {
    let problem = parse_problem(
        Path::new("problem.toml"),
        GOOD,
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap()
    .problem;
    assert_eq!(
        (problem.id.as_str(), problem.name.as_str()),
        ("p", "Sudoku")
    );
    let format = &problem.task.as_grid().unwrap().format;
    assert_eq!(format.shape().order(), 4);
    assert_eq!(format.input.count, GridCount::First { most: 100 });
    assert_eq!(format.output.banner.as_ref().unwrap().line(2), "Case #2:");
    assert_eq!(problem.limits.wall, Duration::from_secs(4));
    assert_eq!(problem.limits.output_bytes, 64 << 20);
}

#[test]
fn a_misspelt_key_or_word_is_reported_with_a_suggestion() {
    let found = parse_problem(
        Path::new("problem.toml"),
        &GOOD.replace("order =", "ordre ="),
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap_err();
    let reported: Vec<_> = found
        .0
        .iter()
        .map(|mistake| (mistake.to_string(), mistake.remedy.clone()))
        .collect();
    assert_eq!(
        reported,
        [
            (
                "problem.toml:3: [grid] has no `order`".to_owned(),
                Some("add it, for example `order = 9`".to_owned())
            ),
            (
                "problem.toml:4: unknown key `ordre` in [grid]".to_owned(),
                Some("did you mean `order`?".to_owned())
            ),
        ]
    );
    assert_eq!(
        changed("\"unique\"", "\"uniq\""),
        ["problem.toml:21: unknown accept `uniq`"]
    );
}

#[test]
fn wrong_types_and_impossible_values_are_reported() {
    assert_eq!(
        changed("order = 4", "order = \"4\""),
        [
            "problem.toml:4: `order` in [grid] must be a whole number from 1 to 25, found a text"
        ]
    );
    assert_eq!(
        changed("order = 4", "order = 26"),
        [
            "problem.toml:4: `order` in [grid] must be a whole number from 1 to 25, found `26`"
        ]
    );
    assert_eq!(
        changed("\"2x2\"", "\"3x2\""),
        ["problem.toml:5: boxes of 3x2 have 6 cells, a grid of order 4 needs 4"]
    );
    assert_eq!(
        changed("\"2x2\"", "\"two\""),
        ["problem.toml:5: `boxes = \"two\"` is not a number of rows and of columns"]
    );
    assert_eq!(
        changed("\"1234\"", "\"123\""),
        ["problem.toml:6: `symbols` has 3 characters, a grid of order 4 needs 4"]
    );
    assert_eq!(
        changed("\"1234\"", "\"123*\""),
        ["problem.toml:6: `*` appears twice among symbols and blanks"]
    );
    assert_eq!(
        changed("\"2s\"", "\"0s\""),
        ["problem.toml:24: `time = \"0s\"` must be greater than zero"]
    );
    assert_eq!(
        changed("\"2s\"", "2"),
        [
            "problem.toml:24: `time` in [limits] must be a time in quotes, for example \"1s\", found `2`"
        ]
    );
}

#[test]
fn keys_that_contradict_each_other_are_reported() {
    assert_eq!(
        changed("cases = \"count\"", "cases = \"one\""),
        ["problem.toml:11: `most` has no meaning with `cases = \"one\"`"]
    );
    assert_eq!(
        changed("most = 100\n", ""),
        ["problem.toml:9: [input] has no `most`"]
    );
    assert_eq!(
        changed("\"Case #{n}:\"", "\"\""),
        ["problem.toml:17: `banner` is empty"]
    );
    assert_eq!(
        changed("Case #{n}:", &"#".repeat(1001)),
        ["problem.toml:17: `banner` has 1001 bytes; at most 1000 are allowed"]
    );
}

#[test]
fn all_mistakes_of_a_file_are_listed_at_once() {
    let text = GOOD
        .replace("order = 4", "order = 40")
        .replace("\"joined\"", "\"glued\"")
        .replace("\"64MiB\"", "64");
    assert_eq!(
        mistakes(&text),
        [
            "problem.toml:4: `order` in [grid] must be a whole number from 1 to 25, found `40`",
            "problem.toml:12: unknown cells `glued`",
            "problem.toml:16: unknown cells `glued`",
            "problem.toml:25: `memory` in [limits] must be a size in quotes, for example \"64MiB\", found `64`",
        ]
    );
}

#[test]
fn an_unknown_placeholder_is_a_mistake() {
    let reported = |text: &str| {
        let found = parse_problem(
            Path::new("p"),
            text,
            "p",
            &Config::default_in(Path::new("")),
        )
        .unwrap_err();
        assert_eq!(found.0.len(), 1, "{found}");
        format!(
            "{}; {}",
            found.0[0].message,
            found.0[0].remedy.as_deref().unwrap()
        )
    };
    let lists = "accept = \"all\"\nmost = 9\ncount = \"{count} in all\"";
    for (from, to, message) in [
        (
            "Case #{n}:",
            "Case #{m}:",
            "`banner` holds `{m}`, which stands for nothing here; only `{n}`, the number of the case, is filled in here; write `{{m}}` if the braces themselves are meant",
        ),
        (
            "Case #{n}:",
            "Case #{n:",
            "`banner` holds a single `{`; write `{{` for one `{`; only `{n}`, the number of the case, is filled in here",
        ),
        (
            "\"unique\"",
            "\"unique\"\nseveral = \"Liczba rozwiazan: {count}\"",
            "`several` holds `{count}`, which stands for nothing here; only `{n}`, the number of the case, is filled in here; write `{{count}}` if the braces themselves are meant",
        ),
        (
            "\"unique\"",
            "\"unique\"\nnone = \"Case {case}\"",
            "`none` holds `{case}`, which stands for nothing here; only `{n}`, the number of the case, is filled in here; write `{{case}}` if the braces themselves are meant",
        ),
        (
            "\"unique\"",
            "\"unique\"\none = \"}\"",
            "`one` holds a single `}`; write `}}` for one `}`; only `{n}`, the number of the case, is filled in here",
        ),
        (
            "accept = \"unique\"",
            &format!("{}\nmore = \"over {{most}}\"", lists),
            "`more` holds `{most}`, which stands for nothing here; only `{n}`, the number of the case, is filled in here; write `{{most}}` if the braces themselves are meant",
        ),
        (
            "accept = \"unique\"",
            &lists.replace("count}", "n}"),
            "`count` holds `{n}`, which stands for nothing here; only `{count}`, the number of solutions, is filled in here; write `{{n}}` if the braces themselves are meant",
        ),
        (
            "cases = \"count\"\nmost = 100",
            "cases = \"until\"\nuntil = \"{end}\"",
            "`until` holds `{end}`, which stands for nothing here; nothing is filled in here; write `{{end}}` if the braces themselves are meant",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        assert_eq!(reported(&GOOD.replace(from, to)), message, "{to}");
    }
    let escaped = GOOD
        .replace("\"unique\"", "\"unique\"\nnone = \"{{n}}\"")
        .replace("Case #{n}", "{{Case}} {n}");
    let problem = parse_problem(
        Path::new("p"),
        &escaped,
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap()
    .problem;
    let GridTask { format, .. } = problem.task.as_grid().unwrap();
    assert_eq!(format.replies.none, Some("{n}".into()));
    assert_eq!(format.output.banner.as_ref().unwrap().line(3), "{Case} 3:");
}

#[test]
fn a_numbered_line_that_may_be_a_row_is_a_mistake() {
    let with_count = |count: &str, most: u64| {
        let answer = format!("accept = \"all\"\nmost = {most}\ncount = \"{count}\"");
        mistakes(&GOOD.replace("accept = \"unique\"", &answer))
    };
    let row = |key: &str, line: u64, example: &str| {
        [format!(
            "problem.toml:{line}: `{key}` may be a line of cells as well, for example `{example}`"
        )]
    };
    assert_eq!(with_count("{count}", 2000), row("count", 23, "1111"));
    assert_eq!(with_count("1{count:03}", 2000), row("count", 23, "1111"));
    assert_eq!(with_count("{count}", 1110), [""; 0]);
    assert_eq!(with_count("{count} in all", 10_000), [""; 0]);

    let with_banner = |banner: &str, most: u64| {
        mistakes(
            &GOOD
                .replace("Case #{n}:", banner)
                .replace("most = 100", &format!("most = {most}")),
        )
    };
    assert_eq!(with_banner("12{n}", 100), row("banner", 17, "1211"));
    assert_eq!(with_banner("12{n}", 10), [""; 0]);
    assert_eq!(with_banner("1234", 1), row("banner", 17, "1234"));
    assert_eq!(with_banner("{n}", 1110), [""; 0]);
    assert_eq!(with_banner("{n}", 5000), row("banner", 17, "1111"));
}

#[test]
fn the_end_may_look_like_a_row_if_each_grid_begins_with_its_order() {
    let ends = |order: &str, until: &str| {
        let text = GOOD
            .replace(
                "order = 4\nboxes = \"2x2\"",
                &format!("order = {order}\nboxes = \"square\""),
            )
            .replace("blanks = \"*\"", "blanks = \"0\"");
        let until =
            format!("cases = \"until\"\nuntil = \"{until}\"\norder_line = \"case\"");
        mistakes(&text.replace("cases = \"count\"\nmost = 100", &until))
    };
    assert_eq!(ends("[1, 4]", "0"), [""; 0]);
    assert_eq!(
        ends("[1, 4]", "4"),
        ["problem.toml:11: `until = \"4\"` is an order as well"]
    );
}

#[test]
fn huge_numbers_are_out_of_bounds_and_an_empty_name_is_refused() {
    let digits = format!("1{}", "0".repeat(30));
    let found = changed("order = 4", &format!("order = {digits}"));
    let message = "`order` in [grid] must be a whole number from 1 to 25, found";
    assert_eq!(found, [format!("problem.toml:4: {message} `{digits}`")]);
    let digits = format!("order = -1{}", "0".repeat(100));
    assert_eq!(
        changed("order = 4", &digits),
        [format!(
            "problem.toml:4: {message} `-1{}...`",
            "0".repeat(58)
        )]
    );
    assert_eq!(
        changed("\"Sudoku\"", "\"\""),
        ["problem.toml:1: `name` is empty"]
    );
}

#[test]
fn a_number_of_solutions_that_may_be_a_banner_is_refused_unless_it_shares_its_line() {
    let counted = |banner: &str, place: &str, count: &str| {
        let banner = format!("banner = \"{banner}\"\nbanner_line = \"{place}\"");
        let count = format!("accept = \"count\"\nmost = 9\ncount = \"{count}\"");
        let text = GOOD.replace("[output]\ncells = \"joined\"", "[output]");
        mistakes(
            &text
                .replace("banner = \"Case #{n}:\"", &banner)
                .replace("accept = \"unique\"", &count),
        )
    };
    let refused = "problem.toml:23: `count = \"{count}\"` is a banner as well";
    assert_eq!(counted("{n}", "own", "{count}"), [refused]);
    for (banner, place, count) in [
        ("{n} ", "same", "{count}"),
        ("{n} ", "texts", "{count}"),
        ("{n}", "own", "{count} in all"),
    ] {
        assert_eq!(
            counted(banner, place, count),
            [""; 0],
            "{banner} {place} {count}"
        );
    }
}

#[test]
fn a_word_that_is_a_number_is_a_banner_as_well_unless_it_shares_its_line() {
    let worded = |place: &str, one: &str| {
        let banner = format!("banner = \"{{n}} \"\nbanner_line = \"{place}\"");
        let words = format!(
            "accept = \"word\"\none = \"{one}\"\nnone = \"0\"\nseveral = \"2\""
        );
        let text = GOOD.replace("[output]\ncells = \"joined\"", "[output]");
        mistakes(
            &text
                .replace("banner = \"Case #{n}:\"", &banner)
                .replace("accept = \"unique\"", &words),
        )
    };
    assert_eq!(worded("same", "1"), [""; 0]);
    assert_eq!(worded("own", "1").len(), 3);
    assert_eq!(
        worded("same", "{n} YES"),
        ["problem.toml:22: `one = \"{n} YES\"` is a banner as well"]
    );
}

#[test]
fn many_mistakes_are_counted_and_long_lines_are_cut() {
    let keys = (0..20_000)
        .map(|key| format!("k{key} = 1, "))
        .collect::<String>();
    let on_one_line = GOOD.replace(
        "[limits]\n",
        &format!("[limits]\ncpp = {{ {keys} time_factor = 2 }}\n"),
    );
    let Mistakes(found) = parse_problem(
        Path::new("p"),
        &on_one_line,
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap_err();
    assert_eq!(
        found[49].message,
        "holds 19951 more mistakes, which are not listed"
    );
    let lines = (0..20_000)
        .map(|key| format!("k{key} = 1\n"))
        .collect::<String>();
    let Mistakes(found) = parse_problem(
        Path::new("p"),
        &(lines + GOOD),
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap_err();
    assert_eq!(found.len(), 50);
    assert_eq!(
        found[49].message,
        "holds 19951 more mistakes, which are not listed"
    );
    let long = format!(
        "{} = \"{}\"\n{GOOD}",
        "k".repeat(1 << 19),
        "v".repeat(1 << 19)
    );
    let Mistakes(found) = parse_problem(
        Path::new("p"),
        &long,
        "p",
        &Config::default_in(Path::new("")),
    )
    .unwrap_err();
    let reported = format!("{}{}", found[0], found[0].excerpt.as_ref().unwrap());
    assert!(reported.len() < 1000, "{}", reported.len());
}

#[test]
fn every_mistake_of_the_corpus_has_a_remedy() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/broken_specs");
    let mut count = 0;
    for path in folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let Mistakes(found) =
                parse_problem(&path, &text, "p", &Config::default_in(Path::new("")))
                    .unwrap_err();
            for mistake in found {
                assert!(
                    mistake.remedy.is_some_and(|remedy| !remedy.is_empty()),
                    "{}: {}",
                    path.display(),
                    mistake.message
                );
            }
            count += 1;
        }
    }
    assert!(count >= 50);
}

#[test]
fn broken_syntax_is_reported_with_its_line() {
    let found = changed("order = 4", "order = = 4");
    assert_eq!(found, ["problem.toml:4: one `=` too many"]);
    assert!(!mistakes("").is_empty());
}
