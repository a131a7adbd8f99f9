//! Tests of reading files and of what is refused in them.

use std::path::Path;
use std::time::{Duration, Instant};

use super::*;
use crate::mistake::{RemarkKind, Remarks};

/// Reads a text whose known keys `read` reads.
fn findings(text: &str, read: impl FnOnce(&KeyTable)) -> Remarks {
    let map = KeyTable::of_text(Path::new("p.yaml"), text.to_owned());
    read(&map);
    map.refuse_the_rest();
    map.document.take_remarks()
}

/// Returns the mistakes in a text, those first on which verdicts may depend.
fn mistakes(text: &str, read: impl FnOnce(&KeyTable)) -> Vec<String> {
    let found = findings(text, read);
    [RemarkKind::Mistake, RemarkKind::Slip]
        .map(|kind| found.of_kind(kind))
        .concat()
        .iter()
        .map(ToString::to_string)
        .collect()
}

/// Returns the only mistake of a text that is refused as a whole.
fn refusal(text: &str) -> String {
    let mut found = mistakes(text, |_| ());
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_scalar_is_read_as_the_type_that_its_key_asks_for() {
    let none = mistakes(
        "a: yes\nb: yes\nc: 1e-1\nd: 010\ne: 'x'\nf: [no, 1]\ng: Off\n",
        |map| {
            assert!(map.flag("a").unwrap());
            assert_eq!(map.text("b").unwrap(), "yes");
            assert_eq!(map.number_from("c", 0.0).unwrap(), 0.1);
            assert_eq!(map.text("d").unwrap(), "010");
            assert_eq!(map.words("e").unwrap(), ["x"]);
            assert_eq!(map.list("f").unwrap(), ["no", "1"]);
            assert!(!map.flag("g").unwrap());
        },
    );
    assert_eq!(none, [] as [&str; 0]);
}

#[test]
fn a_line_that_is_indented_unlike_those_around_it_is_not_said_to_need_quotes() {
    let remedy = |text: &str| {
        let found = findings(text, |_| ());
        found.of_kind(RemarkKind::Mistake)[0]
            .remedy
            .clone()
            .unwrap()
    };
    let indent = "indent it by as many spaces as the keys or items around it";
    for text in [
        "limits:\n  memory: 10\n   output: 5\n",
        "limits:\n  memory: 10\n output: 5\n",
        "name: A\n  source: B\n",
        "cases:\n  - a: 1\n    b: 2\n   c: 3\n",
    ] {
        assert_eq!(remedy(text), indent, "{text}");
    }
    let quotes = "correct it; a text with `: ` or ` #` in it needs quotes";
    for text in [
        "name: A: B\n",
        "limits:\n  name: A: B\n",
        "a: 1\n\n# x\nb: c: d\n",
    ] {
        assert_eq!(remedy(text), quotes, "{text}");
    }
}

#[test]
fn a_key_without_a_value_counts_as_missing() {
    let none = mistakes("# a comment\na:\nb: ~\nc: null\n", |map| {
        assert!(
            map.text("a").is_none()
                && map.flag("b").is_none()
                && map.table("c").is_none()
        );
    });
    assert_eq!(none, [] as [&str; 0]);
    assert_eq!(mistakes("", |_| ()), [] as [&str; 0]);
}

#[test]
fn every_mistake_of_a_file_is_listed_with_its_line() {
    let text =
        "name: [a, b]\nlimits:\n  memory: -1\n  outptu: 3\nflag: 'yes'\nnames: A\n";
    let found = mistakes(text, |map| {
        map.text("name");
        map.flag("flag");
        if let Some(limits) = map.table("limits") {
            limits.whole("memory", 1, 9);
            limits.whole("output", 1, 9);
            limits.refuse_the_rest();
        }
    });
    assert_eq!(
        found,
        [
            "p.yaml:1: `name` must be a text, found a list",
            "p.yaml:3: `memory` in `limits` must be a whole number from 1 to 9, found `-1`",
            "p.yaml:5: `flag` must be `true` or `false`, found a text",
            "p.yaml:4: unknown key `outptu` in `limits`",
            "p.yaml:6: unknown key `names`",
        ]
    );
}

#[test]
fn an_alias_repeats_a_complete_earlier_value() {
    let none = mistakes("a: &x [p, q]\nb: *x\n", |map| {
        map.list("a");
        assert_eq!(map.list("b").unwrap(), ["p", "q"]);
    });
    assert_eq!(none, [] as [&str; 0]);
}

#[test]
fn anything_but_a_plain_map_is_refused_with_its_line() {
    assert_eq!(
        refusal("a: 1\n---\nb: 2\n"),
        "p.yaml:2: a second document begins"
    );
    assert_eq!(
        refusal("a: !!binary x\n"),
        "p.yaml:1: a tag is not allowed here"
    );
    assert_eq!(refusal("y:\n  <<: x\n"), "p.yaml:2: `<<` must name a map");
    assert_eq!(refusal("[a, b]: 1\n"), "p.yaml:1: the key is not text");
    assert_eq!(
        refusal("- a\n- b\n"),
        "p.yaml:1: the file must be a map, found a list"
    );
    assert_eq!(
        refusal("a: &x [*x]\n"),
        "p.yaml:1: the alias repeats a value that it is part of"
    );
    assert_eq!(
        refusal("a:\n\tb: 2\n"),
        "p.yaml:2: is not YAML: the line is indented with a tab"
    );
    let tab = "is not YAML: the line is indented with a tab";
    assert_eq!(
        refusal("a:\n  b: 2\n\n \tc: 3\n"),
        format!("p.yaml:4: {tab}")
    );
    assert!(refusal("a: [1, 2\n").contains("is not YAML: "));
    assert!(refusal("a: *nobody\n").starts_with("p.yaml:1: is not YAML: "));
}

/// Returns the remarks on a text in which the number `a` is known, and the number.
fn number(text: &str) -> (f64, Vec<String>) {
    let mut number = f64::NAN;
    let found = findings(text, |map| {
        number = map.number_from("a", 0.0).unwrap_or(f64::NAN)
    });
    let deviations = found.of_kind(RemarkKind::Deviation).iter();
    let messages = deviations.map(|deviation| deviation.message.clone());
    (number, messages.collect())
}

#[test]
fn of_a_key_that_is_there_twice_the_last_counts_which_is_remarked() {
    let twice = "p.yaml:3: the key `a` is on line 1 already, and the one here counts";
    assert_eq!(
        number("a: 1\nb: 2\na: 3\n"),
        (
            3.0,
            vec![
                twice.into(),
                "p.yaml:2: unknown key `b`, which nothing reads".into()
            ]
        )
    );
}

#[test]
fn a_number_that_yaml_1_2_reads_otherwise_is_remarked() {
    assert_eq!(
        number("a: 010\n"),
        (
            8.0,
            vec!["p.yaml:1: `a` is 8, and 10 to readers of YAML 1.2".into()]
        )
    );
    assert_eq!(
        number("a: 1_0\n"),
        (
            10.0,
            vec!["p.yaml:1: `a` is 10, and a text to readers of YAML 1.2".into()]
        )
    );
    assert_eq!(number("a: 1:30\n").0, 90.0);
    assert_eq!(number("a: 0.5\n"), (0.5, vec![]));
    assert_eq!(number("a: !!int 3\n"), (3.0, vec![]));
}

#[test]
fn merged_maps_give_the_keys_that_are_not_there() {
    let text = "x: &x {a: 1, b: 1}\ny: &y {a: 2, c: 2}\nz: {<<: [*x, *y], b: 3}\nw: {<<: *x, <<: *y}\n";
    findings(text, |map| {
        let z = map.table("z").unwrap();
        let w = map.table("w").unwrap();
        let value = |map: &KeyTable, key| map.number_from(key, 0.0);
        assert_eq!(
            ["a", "b", "c"].map(|key| value(&z, key)),
            [Some(1.0), Some(3.0), Some(2.0)]
        );
        assert_eq!(
            ["a", "b", "c"].map(|key| value(&w, key)),
            [Some(2.0), Some(1.0), Some(2.0)]
        );
    });
}

#[test]
fn a_list_or_map_may_be_glued_to_its_key_in_brackets() {
    let none = mistakes("l: {a:[1], b:{c:[2]}}\n", |map| {
        let map = map.table("l").unwrap();
        assert_eq!(map.list("a").unwrap(), ["1"]);
        assert_eq!(map.table("b").unwrap().list("c").unwrap(), ["2"]);
    });
    assert_eq!(none, [] as [&str; 0]);
    let many = format!("l: [{}]\n", "{a:[1]},".repeat(20_000));
    let start = Instant::now();
    mistakes(&many, |map| _ = map.node("l"));
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn texts_that_aliases_repeat_are_bounded() {
    let text = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(500_000),
        "*a,".repeat(40_000)
    );
    assert_eq!(
        refusal(&text),
        "p.yaml:2: the file comes to more than 4 MiB, with what aliases repeat"
    );
    let text = format!(
        "a: &a {{{}: 1}}\nb: [{}]\n",
        "x".repeat(1000),
        "{<<: *a},".repeat(10_000)
    );
    assert_eq!(
        refusal(&text),
        "p.yaml:2: the file comes to more than 4 MiB, with what aliases repeat"
    );
}

#[test]
fn very_many_unknown_keys_cost_no_more_than_reading_them() {
    let text: String = (0..20_000)
        .map(|number| format!("time_limit_{number}: 1\n"))
        .collect();
    let start = Instant::now();
    KeyTable::of_text(Path::new("p.yaml"), text.clone());
    let reading = start.elapsed();
    let start = Instant::now();
    let found = findings(&text, |map| drop(map.text("time_limit_1000")));
    assert_eq!(found.of_kind(RemarkKind::Slip).len(), 50);
    assert!(
        start.elapsed() < 3 * reading,
        "{:?}, and {reading:?} to read",
        start.elapsed()
    );
}

#[test]
fn values_that_aliases_repeat_are_as_deep_as_if_they_were_written_out() {
    let nested = |name: &str, levels: usize, inner: &str| {
        format!(
            "{name}: &{name} {}{inner}{}\n",
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    let chain = |levels: usize| nested("a", levels, "x") + &nested("b", 49, "*a ");
    let is_read = |text| {
        KeyTable::of_text(Path::new("p.yaml"), text)
            .document
            .is_readable
    };
    assert!(is_read(chain(50)));
    // A sibling does not make a list deeper.
    assert!(is_read(chain(50) + &nested("c", 49, "*a , *a ")));
    assert!(refusal(&chain(51)).contains("more than 100 lists and maps are nested"));
}

#[test]
fn expanding_or_deeply_nested_texts_are_refused_quickly() {
    let start = Instant::now();
    let levels: String = (1..30)
        .map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1))
        .collect();
    assert!(
        refusal(&format!("a0: &a0 [x, x]\n{levels}"))
            .contains("comes to more than 100000 values")
    );
    let deep = "more than 100 lists and maps are nested";
    // The parser looks ahead, and has a limit of its own.
    for opening in ["[", "{a: "] {
        let refused = refusal(&format!("a: {}\n", opening.repeat(100_000)));
        assert!(
            refused.contains(deep) || refused.contains("is not YAML: "),
            "{refused}"
        );
        assert!(refusal(&format!("a: {}\n", opening.repeat(101))).contains(deep));
    }
    assert!(refusal(&format!("a: {}\n", "- ".repeat(50_000))).contains("p.yaml:1: "));
    assert!(
        refusal(&format!("a: [{}]\n", "x,".repeat(200_000)))
            .contains("comes to more than 100000 values")
    );
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

/// The mistakes of a TOML text whose known keys `read` reads, with their remedies.
fn toml_mistakes(text: &str, read: impl FnOnce(&KeyTable)) -> Vec<String> {
    let table = KeyTable::of_text(Path::new("p.toml"), text);
    read(&table);
    table.refuse_the_rest();
    table
        .document
        .take_mistakes()
        .into_iter()
        .map(|mistake| {
            format!(
                "{mistake} ({})",
                mistake.remedy.as_deref().unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn in_toml_a_scalar_is_of_one_type() {
    let text = "text = 'yes'\nflag = true\nwhole = 1\nnumber = 1e3\n";
    let none = toml_mistakes(text, |table| {
        assert_eq!(table.text("text").unwrap(), "yes");
        assert!(table.flag("flag").unwrap());
        assert_eq!(table.whole("whole", 0, 9).unwrap(), 1);
        assert_eq!(table.number("whole").unwrap(), 1.0);
        assert_eq!(table.number("number").unwrap(), 1000.0);
    });
    assert_eq!(none, [] as [&str; 0]);
    let found = toml_mistakes(
        "a = 'true'\nb = true\nc = 1.0\nd = '1'\ne = ['x', 1]\n",
        |table| {
            table.flag("a");
            table.text("b");
            table.whole("c", 0, 9);
            table.number("d");
            table.list("e");
        },
    );
    assert_eq!(
        found,
        [
            "p.toml:1: `a` must be `true` or `false`, found a text (leave the quotes out: `a = true`)",
            "p.toml:2: `b` must be a text, found `true` (put it in quotes: `b = \"true\"`)",
            "p.toml:3: `c` must be a whole number from 0 to 9, found `1.0` (write such a number, for example `c = 1`)",
            "p.toml:4: `d` must be a number, found a text (leave the quotes out: `d = 1`)",
            "p.toml:5: `e` must be a list of texts (write it as `e = [\"...\", \"...\"]`)",
        ]
    );
}

#[test]
fn an_unknown_key_is_a_mistake_in_toml_and_a_remark_in_yaml_unless_it_is_misspelt() {
    let read = |table: &KeyTable| drop(table.text("name"));
    assert_eq!(
        toml_mistakes("nmae = 'x'\nzzz = 1\n", read),
        [
            "p.toml:1: unknown key `nmae` (did you mean `name`?)",
            "p.toml:2: unknown key `zzz` (known here: name)",
        ]
    );
    let found = findings("nmae: x\nzzz: 1\n", read);
    assert_eq!(
        found.of_kind(RemarkKind::Slip)[0].to_string(),
        "p.yaml:1: unknown key `nmae`"
    );
    assert_eq!(
        found.messages(RemarkKind::Deviation),
        ["p.yaml:2: unknown key `zzz`, which nothing reads"]
    );
}

#[test]
fn the_first_mistakes_of_a_file_are_listed_in_its_order_and_the_others_counted() {
    let text: String = (0..20_000)
        .map(|number| format!("k{number} = 1\n"))
        .collect();
    let found = toml_mistakes(&text, |_| ());
    assert_eq!(found.len(), 50);
    assert!(
        found[48].starts_with("p.toml:49: unknown key `k48`"),
        "{}",
        found[48]
    );
    assert!(
        found[49].contains("holds 19951 more mistakes"),
        "{}",
        found[49]
    );
}

#[test]
fn a_place_in_yaml_is_that_of_the_file_itself() {
    for text in [
        "a: {b:[1], c:[\u{e9}, wrong]}\n",
        "# \u{e9}\r\na: {b:[1], c:[\u{e9}, wrong]}\r\n",
    ] {
        let map = KeyTable::of_text(Path::new("p.yaml"), text)
            .table("a")
            .unwrap();
        let items = map.placed_list("c").unwrap();
        let excerpt = map
            .document
            .mistake(items[1].place, "", "")
            .excerpt
            .unwrap();
        assert_eq!(
            excerpt.to_string(),
            "a: {b:[1], c:[\u{e9}, wrong]}\n                 ^^^^^"
        );
    }
}
