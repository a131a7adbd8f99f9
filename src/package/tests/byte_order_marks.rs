//! Tests of files that begin with a byte order mark.

use super::*;

#[test]
fn the_files_of_domjudge_must_not_begin_with_a_byte_order_mark() {
    let message = "begins with a byte order mark, which DOMjudge takes for a part of the first word";
    for (name, text) in [("domjudge-problem.ini", "\u{feff}timelimit = 2\n"), (".timelimit", "\u{feff}2\n")] {
        assert_eq!(refused(&with("", &[(name, text)])), [format!("{name}:1: {message}")]);
    }
}

#[test]
fn yaml_with_a_byte_order_mark_is_read_and_remarked_upon() {
    let marked = format!("\u{feff}{NEW}");
    let package =
        read(&with(&marked, &[("data/secret/2.yaml", "\u{feff}hint: think\n"), ("data/secret/.x.yaml", "")]));
    let marked: Vec<_> = package.remarks.iter().filter(|text| text.contains("byte order mark")).collect();
    let end = "begins with a byte order mark, which some judges take for a part of its first key: \
               save the file as UTF-8 without a byte order mark (BOM)";
    assert_eq!(marked, [&format!("`data/secret/2.yaml` {end}"), &format!("`problem.yaml` {end}")]);
    assert_eq!(package.name.as_deref(), Some("New"));
}

#[test]
fn utf_16_is_named() {
    let folder = with("", &[]);
    fs::write(folder.path().join("pkg/problem.yaml"), b"\xff\xfen\0").unwrap();
    assert_eq!(refused(&folder), ["problem.yaml:1: is UTF-16 text, by the byte order mark at its start"]);
}
