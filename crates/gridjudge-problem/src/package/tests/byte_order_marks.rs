//! Tests of files that begin with a byte order mark.

use super::*;

#[test]
fn a_byte_order_mark_is_a_part_of_a_time_limit_but_not_of_an_ini_file() {
    let message = "begins with a byte order mark, which DOMjudge takes for a part of the first word";
    assert_eq!(
        refused(&with("", &[(".timelimit", "\u{feff}2\n")])),
        [format!(".timelimit:1: {message}")]
    );
    let marked = with("", &[("domjudge-problem.ini", "\u{feff}timelimit = 2\n")]);
    assert_eq!(read(&marked).limits.time, Some(Duration::from_secs(2)));
}

#[test]
fn yaml_with_a_byte_order_mark_is_read_and_remarked_upon() {
    let marked = format!("\u{feff}{NEW}");
    let package = read(&with(
        &marked,
        &[
            ("data/secret/2.yaml", "\u{feff}hint: think\n"),
            ("data/secret/.x.yaml", ""),
        ],
    ));
    let marked: Vec<_> = package
        .deviations()
        .into_iter()
        .filter(|text| text.contains("byte order mark"))
        .collect();
    let end = "begins with a byte order mark, which some judges take for a part of its first key: \
               save the file as UTF-8 without a byte order mark (BOM)";
    assert_eq!(
        marked,
        [
            &format!("`data/secret/2.yaml` {end}"),
            &format!("`problem.yaml` {end}")
        ]
    );
    assert_eq!(package.name.as_deref(), Some("New"));
}

#[test]
fn utf_16_is_named() {
    let folder = with("", &[]);
    fs::write(folder.path().join("pkg/problem.yaml"), b"\xff\xfen\0").unwrap();
    assert_eq!(
        refused(&folder),
        ["problem.yaml:1: is UTF-16 text, by the byte order mark at its start"]
    );
}
