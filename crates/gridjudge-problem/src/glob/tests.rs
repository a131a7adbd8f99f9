//! Compares pattern matching with exhaustive search, and checks the errors for invalid
//! patterns.

use proptest::prelude::*;

use super::*;

/// One element of a folder or file name in a pattern.
#[derive(Clone, Debug)]
enum Piece {
    Letter(char),
    One,
    Any,
    Between(char, char),
    Either(Vec<Piece>, Vec<Piece>),
}

/// The part of a pattern between two `/`: `None` for `**`, else a name.
type PatternPart = Option<Vec<Piece>>;

fn text_of(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Letter(letter) => format!("\\{letter}"),
            Piece::One => "?".to_owned(),
            Piece::Any => "*".to_owned(),
            Piece::Between(least, most) => format!("[{least}-{most}]"),
            Piece::Either(left, right) => {
                format!("{{{},{}}}", text_of(left), text_of(right))
            }
        })
        .collect()
}

/// Whether the pieces match a name without `/`, by trying all ways.
fn fits_name(pieces: &[Piece], name: &[char]) -> bool {
    let Some((piece, later)) = pieces.split_first() else {
        return name.is_empty();
    };
    let has = |wanted: &dyn Fn(char) -> bool| {
        name.split_first()
            .is_some_and(|(letter, rest)| wanted(*letter) && fits_name(later, rest))
    };
    match piece {
        Piece::Letter(wanted) => has(&|letter| letter == *wanted),
        Piece::One => has(&|_| true),
        Piece::Between(least, most) => {
            has(&|letter| (*least..=*most).contains(&letter))
        }
        Piece::Any => (0..=name.len()).any(|taken| fits_name(later, &name[taken..])),
        Piece::Either(left, right) => [left, right]
            .into_iter()
            .any(|either| fits_name(&[either, later].concat(), name)),
    }
}

fn fits_path(parts: &[PatternPart], path: &[Vec<char>]) -> bool {
    match parts.split_first() {
        None => path.is_empty(),
        Some((Some(name), later)) => {
            path.split_first().is_some_and(|(first, rest)| {
                fits_name(name, first) && fits_path(later, rest)
            })
        }
        // At the end, `**` needs something in the folder.
        Some((None, [])) => !path.is_empty(),
        Some((None, later)) => {
            (0..path.len()).any(|taken| fits_path(later, &path[taken..]))
        }
    }
}

fn some_pieces() -> impl Strategy<Value = Vec<Piece>> {
    let letter = prop::sample::select(vec!['a', 'b', 'c', '-', '*', '\u{e9}']);
    let one = prop_oneof![
        4 => letter.prop_map(Piece::Letter),
        1 => Just(Piece::One),
        2 => Just(Piece::Any),
        1 => Just(Piece::Between('a', 'b')),
    ];
    // Empty alternatives match nothing, and two adjacent stars are another operator:
    // neither is generated.
    let apart = |pieces: &Vec<Piece>| {
        pieces
            .windows(2)
            .all(|two| !matches!(two, [Piece::Any, Piece::Any | Piece::Either(..)]))
    };
    let flat = prop::collection::vec(one.clone(), 1..4)
        .prop_filter("stars side by side", apart);
    let either =
        (flat.clone(), flat).prop_map(|(left, right)| Piece::Either(left, right));
    prop::collection::vec(prop_oneof![5 => one, 1 => either], 1..5)
        .prop_filter("stars side by side", apart)
}

proptest! {
    #[test]
    fn a_pattern_matches_what_exhaustive_search_matches(
        parts in prop::collection::vec(prop::option::weighted(0.8, some_pieces()), 1..4),
        path in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!['a', 'b', 'c', '-', '*', '\u{e9}']), 1..4), 1..4),
    ) {
        let part = |part: &PatternPart| part.as_deref().map_or_else(|| "**".to_owned(), text_of);
        let text = parts.iter().map(part).collect::<Vec<_>>().join("/");
        let name = path.iter().map(String::from_iter).collect::<Vec<_>>().join("/");
        let found = Glob::new(&text, Backslash::Escape).unwrap().matches(&name);
        prop_assert_eq!(found, fits_path(&parts, &path), "{} {}", text, name);
    }
}

#[test]
fn pattern_operators_mean_what_they_mean_in_shells() {
    for (pattern, good, bad) in [
        ("a.b+(c)|d^$#", "a.b+(c)|d^$#", "axb+(c)|d^$#"),
        ("?", "\u{4e2d}", "/"),
        ("[]a-]b", "-b", "bb"),
        ("[!a-c]", "d", "b"),
        ("[^&&b]", "a", "&"),
        ("{a,b{c,d}}", "bd", "ad"),
        ("a{,b}", "ab", "a"),
        ("a{}", "a", "a{}"),
        ("a,b", "a,b", "a"),
        ("a**b", "a-b", "a/b"),
        ("{a/**,b}", "a/b/c", "b/c"),
        ("a/**/b", "a/b", "ab"),
        ("a/**", "a/b\nc", "a"),
        ("**/c", "a/b/c", "a/bc"),
        (r"\*\{", "*{", "a{"),
    ] {
        let glob = Glob::new(pattern, Backslash::Escape).unwrap();
        assert!(glob.matches(good), "{pattern} {good}");
        assert!(!glob.matches(bad), "{pattern} {bad}");
    }
    assert!(Glob::new(r"\*", Backslash::Letter).unwrap().matches(r"\a"));
}

#[test]
fn an_invalid_pattern_is_refused_with_the_reason() {
    for (pattern, expected) in [
        ("a[b", "a `[` without its `]`"),
        ("[]", "a `[` without its `]`"),
        ("[a-", "a `[` without its `]`"),
        ("{a,b", "a `{` without its `}`"),
        ("a}", "a `}` without its `{`"),
        ("a\\", "nothing after the last `\\`"),
        ("[c-a]", "`c-a` ends before it begins"),
        (
            &"{".repeat(100_000),
            "too long, or more than 20 braces in one another",
        ),
        (
            &"a".repeat(100_000),
            "too long, or more than 20 braces in one another",
        ),
    ] {
        assert_eq!(
            Glob::new(pattern, Backslash::Escape)
                .unwrap_err()
                .to_string(),
            expected
        );
    }
}
