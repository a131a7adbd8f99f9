//! Tests of reading YAML files and of what is refused in them.

use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use super::*;

/// Returns the mistakes in a text whose known keys `read` reads.
fn mistakes(text: &str, read: impl FnOnce(&YamlMap<'_>)) -> Vec<String> {
    let document = YamlDocument::parse(Path::new("p.yaml"), text.to_owned());
    let map = YamlMap::root(&document);
    read(&map);
    map.refuse_the_rest();
    drop(map);
    document.into_mistakes().iter().map(ToString::to_string).collect()
}

/// Returns the only mistake of a text that is refused as a whole.
fn refusal(text: &str) -> String {
    let mut found = mistakes(text, |_| ());
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_scalar_is_read_as_the_type_that_its_key_asks_for() {
    let none = mistakes("a: yes\nb: yes\nc: 1e-1\nd: 010\ne: 'x'\nf: [no, 1]\ng: Off\n", |map| {
        assert!(map.flag("a").unwrap().value);
        assert_eq!(map.text("b").unwrap().value, "yes");
        assert_eq!(map.number("c", 0.0).unwrap().value, 0.1);
        assert_eq!(map.text("d").unwrap().value, "010");
        assert_eq!(map.texts("e").unwrap().value, ["x"]);
        assert_eq!(map.list("f").unwrap().value, ["no", "1"]);
        assert!(!map.flag("g").unwrap().value);
    });
    assert_eq!(none, [] as [&str; 0]);
}

#[test]
fn a_key_without_a_value_counts_as_missing() {
    let none = mistakes("# a comment\na:\nb: ~\nc: null\n", |map| {
        assert!(map.text("a").is_none() && map.flag("b").is_none() && map.map("c").is_none());
    });
    assert_eq!(none, [] as [&str; 0]);
    assert_eq!(mistakes("", |_| ()), [] as [&str; 0]);
}

#[test]
fn every_mistake_of_a_file_is_listed_with_its_line() {
    let text = "name: [a, b]\nlimits:\n  memory: -1\n  outptu: 3\nflag: 'yes'\nnames: A\n";
    let found = mistakes(text, |map| {
        map.text("name");
        map.flag("flag");
        if let Some(limits) = map.map("limits") {
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
            "p.yaml:4: unknown key `outptu` in `limits`",
            "p.yaml:5: `flag` must be `true` or `false`, found `yes`",
            "p.yaml:6: unknown key `names`",
        ]
    );
}

#[test]
fn an_alias_repeats_a_complete_earlier_value() {
    let none = mistakes("a: &x [p, q]\nb: *x\n", |map| {
        map.list("a");
        assert_eq!(map.list("b").unwrap().value, ["p", "q"]);
    });
    assert_eq!(none, [] as [&str; 0]);
}

#[test]
fn anything_but_a_plain_map_is_refused_with_its_line() {
    assert_eq!(refusal("a: 1\nb: 2\na: 3\n"), "p.yaml:3: the key `a` appears here and on line 1");
    assert_eq!(refusal("a: 1\n---\nb: 2\n"), "p.yaml:2: a second document begins");
    assert_eq!(refusal("a: !!binary x\n"), "p.yaml:1: a tag is not allowed here");
    assert_eq!(refusal("x: &x {a: 1}\ny:\n  <<: *x\n"), "p.yaml:3: `<<` is not read");
    assert_eq!(refusal("[a, b]: 1\n"), "p.yaml:1: the key is not text");
    assert_eq!(refusal("- a\n- b\n"), "p.yaml:1: the file must be a map, found a list");
    assert_eq!(refusal("a: &x [*x]\n"), "p.yaml:1: the alias repeats a value that it is part of");
    assert_eq!(refusal("a:\n\tb: 2\n"), "p.yaml:2: is not YAML: the line is indented with a tab");
    let tab = "is not YAML: the line is indented with a tab";
    assert_eq!(refusal("a:\n  b: 2\n\n \tc: 3\n"), format!("p.yaml:4: {tab}"));
    assert!(refusal("a: [1, 2\n").contains("is not YAML: "));
    assert!(refusal("a: *nobody\n").starts_with("p.yaml:1: is not YAML: "));
}

#[test]
fn expanding_or_deeply_nested_texts_are_refused_quickly() {
    let start = Instant::now();
    let levels: String =
        (1..30).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1)).collect();
    assert!(refusal(&format!("a0: &a0 [x, x]\n{levels}")).contains("comes to more than 100000 values"));
    let deep = "more than 100 lists and maps are nested";
    // The parser looks ahead, and has a limit of its own.
    for opening in ["[", "{a: "] {
        let refused = refusal(&format!("a: {}\n", opening.repeat(100_000)));
        assert!(refused.contains(deep) || refused.contains("is not YAML: "), "{refused}");
        assert!(refusal(&format!("a: {}\n", opening.repeat(101))).contains(deep));
    }
    assert!(refusal(&format!("a: {}\n", "- ".repeat(50_000))).contains("p.yaml:1: "));
    assert!(
        refusal(&format!("a: [{}]\n", "x,".repeat(200_000))).contains("comes to more than 100000 values")
    );
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
