//! Tests of what is read in YAML files, and of what is refused in them.

use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use super::*;

/// What is wrong with a text of which `read` takes what it knows.
fn mistakes(text: &str, read: impl FnOnce(&YamlMap<'_>)) -> Vec<String> {
    let document = YamlDocument::parse(Path::new("p.yaml"), text.to_owned());
    let map = YamlMap::root(&document);
    read(&map);
    map.refuse_the_rest();
    drop(map);
    document.into_mistakes().iter().map(ToString::to_string).collect()
}

/// The only mistake of a text that is refused as a whole.
fn refusal(text: &str) -> String {
    let mut found = mistakes(text, |_| ());
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_scalar_is_what_its_key_asks_for() {
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
fn nothing_behind_a_key_is_as_good_as_no_key() {
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
fn an_alias_repeats_what_ended_before_it() {
    let none = mistakes("a: &x [p, q]\nb: *x\n", |map| {
        map.list("a");
        assert_eq!(map.list("b").unwrap().value, ["p", "q"]);
    });
    assert_eq!(none, [] as [&str; 0]);
}

#[test]
fn what_is_no_plain_map_is_refused_with_its_line() {
    assert_eq!(refusal("a: 1\nb: 2\na: 3\n"), "p.yaml:3: the key `a` stands here and on line 1");
    assert_eq!(refusal("a: 1\n---\nb: 2\n"), "p.yaml:2: a second document begins");
    assert_eq!(refusal("a: !!binary x\n"), "p.yaml:1: a tag stands here");
    assert_eq!(refusal("x: &x {a: 1}\ny:\n  <<: *x\n"), "p.yaml:3: `<<` is not read");
    assert_eq!(refusal("[a, b]: 1\n"), "p.yaml:1: the key is no text");
    assert_eq!(refusal("- a\n- b\n"), "p.yaml:1: the file must be a map, found a list");
    assert_eq!(refusal("a: &x [*x]\n"), "p.yaml:1: the alias stands for what it stands in");
    assert_eq!(
        refusal("a:\n\tb: 2\n"),
        "p.yaml:2: is no YAML: a tab stands among the blanks that the line begins with"
    );
    let tab = "is no YAML: a tab stands among the blanks that the line begins with";
    assert_eq!(refusal("a:\n  b: 2\n\n \tc: 3\n"), format!("p.yaml:4: {tab}"));
    assert!(refusal("a: [1, 2\n").contains("is no YAML: "));
    assert!(refusal("a: *nobody\n").starts_with("p.yaml:1: is no YAML: "));
}

#[test]
fn texts_that_grow_or_go_deep_are_refused_at_once() {
    let start = Instant::now();
    let levels: String =
        (1..30).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1)).collect();
    assert!(refusal(&format!("a0: &a0 [x, x]\n{levels}")).contains("comes to more than 100000 values"));
    let deep = "more than 100 lists and maps stand inside each other";
    // The parser looks ahead, and has a bound of its own.
    for opening in ["[", "{a: "] {
        let refused = refusal(&format!("a: {}\n", opening.repeat(100_000)));
        assert!(refused.contains(deep) || refused.contains("is no YAML: "), "{refused}");
        assert!(refusal(&format!("a: {}\n", opening.repeat(101))).contains(deep));
    }
    assert!(refusal(&format!("a: {}\n", "- ".repeat(50_000))).contains("p.yaml:1: "));
    assert!(
        refusal(&format!("a: [{}]\n", "x,".repeat(200_000))).contains("comes to more than 100000 values")
    );
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
