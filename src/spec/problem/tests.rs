//! Good and bad problem specs.

use std::time::Duration;

use super::*;
use crate::grid::Count;
use crate::spec::limits::USUAL;

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
    match parse(Path::new("problem.toml"), text, "p", &USUAL, &["cpp", "python"]) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.0.iter().map(ToString::to_string).collect(),
    }
}

fn changed(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from), "{from}");
    mistakes(&GOOD.replace(from, to))
}

#[test]
fn a_good_spec_says_all_it_says() {
    let problem = parse(Path::new("problem.toml"), GOOD, "p", &USUAL, &["cpp", "python"]).unwrap().0;
    assert_eq!((problem.id.as_str(), problem.name.as_str()), ("p", "Sudoku"));
    assert_eq!(problem.format.shape().order(), 4);
    assert_eq!(problem.format.input.count, Count::First { most: 100 });
    assert_eq!(problem.format.output.banner.unwrap().line(2), "Case #2:");
    assert_eq!(problem.limits.wall, Duration::from_secs(4));
    assert_eq!(problem.limits.output_bytes, 64 << 20);
}

#[test]
fn a_typo_in_a_key_or_a_word_is_met_with_what_was_meant() {
    let found = parse(
        Path::new("problem.toml"),
        &GOOD.replace("order =", "ordre ="),
        "p",
        &USUAL,
        &["cpp", "python"],
    )
    .unwrap_err();
    let told: Vec<_> = found.0.iter().map(|mistake| (mistake.to_string(), mistake.remedy.clone())).collect();
    assert_eq!(
        told,
        [
            ("problem.toml:3: [grid] has no `order`".to_owned(), None),
            (
                "problem.toml:4: unknown key `ordre` in [grid]".to_owned(),
                Some("did you mean `order`?".to_owned())
            ),
        ]
    );
    assert_eq!(changed("\"unique\"", "\"uniq\""), ["problem.toml:21: unknown accept `uniq`"]);
}

#[test]
fn wrong_types_and_impossible_values_are_named() {
    assert_eq!(
        changed("order = 4", "order = \"4\""),
        ["problem.toml:4: `order` must be a whole number or a list of them, found a string"]
    );
    assert_eq!(changed("order = 4", "order = 26"), ["problem.toml:4: `order = 26` must be 1 to 25"]);
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
        ["problem.toml:6: `*` stands twice among symbols and blanks"]
    );
    assert_eq!(changed("\"2s\"", "\"0s\""), ["problem.toml:24: `time = \"0s\"` must be greater than zero"]);
    assert_eq!(
        changed("\"2s\"", "2"),
        ["problem.toml:24: `time` must be a time in quotes, as \"1s\", found an integer"]
    );
}

#[test]
fn keys_that_contradict_each_other_are_named() {
    assert_eq!(
        changed("cases = \"count\"", "cases = \"one\""),
        ["problem.toml:11: `most` has no meaning with `cases = \"one\"`"]
    );
    assert_eq!(changed("most = 100\n", ""), ["problem.toml:9: [input] has no `most`"]);
    assert_eq!(
        changed("\"Case #{n}:\"", "\"\""),
        ["problem.toml:17: `banner` must be one line that is not empty"]
    );
    assert_eq!(
        changed("Case #{n}:", &"#".repeat(1001)),
        ["problem.toml:17: `banner` has 1001 bytes, 1000 at most are allowed"]
    );
}

#[test]
fn all_mistakes_of_a_file_are_listed_at_once() {
    let text =
        GOOD.replace("order = 4", "order = 40").replace("\"joined\"", "\"glued\"").replace("\"64MiB\"", "64");
    assert_eq!(
        mistakes(&text),
        [
            "problem.toml:4: `order = 40` must be 1 to 25",
            "problem.toml:12: unknown cells `glued`",
            "problem.toml:16: unknown cells `glued`",
            "problem.toml:25: `memory` must be a size in quotes, as \"64MiB\", found an integer",
        ]
    );
}

#[test]
fn broken_syntax_is_a_mistake_with_a_line() {
    let found = changed("order = 4", "order = = 4");
    assert_eq!(found, ["problem.toml:4: extra `=`, expected nothing"]);
    assert!(!mistakes("").is_empty());
}
