//! Reads the separator, the line between two grids of an input or two answers, and the
//! other lines that a spec writes out.

use gridjudge_grid::{
    BadTemplate, Banner, BannerPlace, BraceError, Separator, Template,
    without_placeholders,
};

use crate::keys::KeyTable;
use crate::mistake::ellipsized;

const PLACES: [(&str, bool); 2] = [("between", false), ("after", true)];

/// Reads the keys of separators.
pub(super) fn read_separator(table: &KeyTable) -> Option<Separator> {
    let found = table.text("separator");
    let closes = table.choice("separator_line", &PLACES);
    let remedy = "add `separator`, or delete it";
    table.refuse_without("separator", &["separator_line"], remedy);
    let line = checked_line(table, "separator", &found?)?;
    Some(Separator {
        line,
        closes: closes.unwrap_or_default(),
    })
}

/// The longest line, in bytes. A banner is read together with its grid, through a
/// window of bounded size.
const LONGEST_LINE: usize = 1000;

/// The largest number that the first banner may have.
const LARGEST_FIRST: u64 = 1_000_000;

/// The values of `banner_line`, of which the last has a meaning in outputs only.
const BANNER_PLACES: [(&str, BannerPlace); 3] = [
    ("own", BannerPlace::Own),
    ("same", BannerPlace::Same),
    ("texts", BannerPlace::BeforeWords),
];

/// Reads the keys of banners.
pub(super) fn banner(table: &KeyTable, is_input: bool) -> Option<Banner> {
    let found = table.text("banner");
    let places = BANNER_PLACES.len() - usize::from(is_input);
    let place = table.choice("banner_line", &BANNER_PLACES[..places]);
    let first = table.whole("banner_from", 0, LARGEST_FIRST);
    let remedy = "add `banner`, or delete it";
    table.refuse_without("banner", &["banner_line", "banner_from"], remedy);
    let template = template(table, "banner", "n", &found?)?;
    if first.is_some() && template.digits.is_none() {
        table.refuse_value(
            "banner_from",
            "`banner_from` has no meaning: `banner` does not hold `{n}`",
            "write `{n}` where the number belongs, or delete it",
        );
    }
    let place = place.unwrap_or(BannerPlace::Own);
    let banner = Banner {
        template,
        first: first.unwrap_or(1),
        place,
    };
    if banner.runs_into_what_follows() {
        let remedy =
            "end `banner` in a space, or in another character that separates the two";
        table.refuse_value(
            "banner",
            "`banner` runs into what comes after it on its line",
            remedy,
        );
    }
    Some(banner)
}

/// Reads a text that must be one line and may contain the number of the case.
pub(super) fn case_line(
    table: &KeyTable,
    key: &str,
    found: &str,
) -> Option<Template> {
    has_bare_ends(table, key, found).then_some(())?;
    let template = template(table, key, "n", found)?;
    if template.is_bare() {
        let remedy = "write a word into it that no row and no number can hold, for \
                      example `Case {n}: no`";
        table.refuse_value(key, format!("`{key}` is nothing but a number"), remedy);
        return None;
    }
    Some(template)
}

/// Reads a text that must be one line, without placeholders.
pub(super) fn checked_line(
    table: &KeyTable,
    key: &str,
    found: &str,
) -> Option<String> {
    (has_bare_ends(table, key, found) && is_one_line(table, key, found))
        .then_some(())?;
    let literal = without_placeholders(found);
    literal
        .map_err(|why| {
            table.refuse_value(key, format!("`{key}` {why}"), braces(key, &why))
        })
        .ok()
}

/// Checks the name of a problem. Any characters are allowed, but it must not be empty
/// or too long.
pub(super) fn title(table: &KeyTable, found: String) -> Option<String> {
    let bytes = found.len();
    let is_empty = found.trim().is_empty();
    if is_empty {
        table.refuse_value(
            "name",
            "`name` is empty",
            "write a title, for example `name = \"Sudoku\"`",
        );
    } else if bytes > LONGEST_LINE {
        table.refuse_value(
            "name",
            format!("`name` has {bytes} bytes; at most {LONGEST_LINE} are allowed"),
            "write a shorter one",
        );
    }
    (!is_empty && bytes <= LONGEST_LINE).then_some(found)
}

/// Reads a template of one line, in which `{name}` stands for a number.
pub(super) fn template(
    table: &KeyTable,
    key: &str,
    name: &'static str,
    found: &str,
) -> Option<Template> {
    is_one_line(table, key, found).then_some(())?;
    let why = match Template::parse(found, name) {
        Ok(template) => return Some(template),
        Err(why) => why,
    };
    let remedy = match &why {
        BadTemplate::Braces(why) => braces(key, why),
        BadTemplate::Twice(_) => {
            "the number appears in a line once; write the rest in words".to_owned()
        }
        BadTemplate::NotALine | BadTemplate::Width(_) => {
            format!(
                "write `{{{name}}}` for a number, or `{{{name}:02}}` for one of two \
                 digits at least"
            )
        }
    };
    table.refuse_value(key, format!("`{key}` {why}"), remedy);
    None
}

/// Whether a text has no space at its ends. Notes a mistake if it has.
fn has_bare_ends(table: &KeyTable, key: &str, text: &str) -> bool {
    let is_bare = text.trim() == text || text.trim().is_empty();
    if !is_bare {
        table.refuse_value(
            key,
            format!("`{key}` begins or ends with a space"),
            "delete the space: at the ends of a line it has no effect",
        );
    }
    is_bare
}

/// Whether a text is one line that is visible and not too long. Notes a mistake if not.
fn is_one_line(table: &KeyTable, key: &str, text: &str) -> bool {
    let bytes = text.len();
    let strange = text
        .chars()
        .find(|letter| letter.is_control() && *letter != '\t');
    let (message, remedy) = match strange {
        _ if bytes > LONGEST_LINE => (
            format!("`{key}` has {bytes} bytes; at most {LONGEST_LINE} are allowed"),
            "write a shorter one",
        ),
        Some('\n' | '\r') => (
            format!("`{key}` holds more than one line"),
            "write one line, without its end",
        ),
        Some(letter) => (
            format!("`{key}` holds {letter:?}"),
            "use characters that can be seen",
        ),
        None if text.trim().is_empty() => {
            (format!("`{key}` is empty"), "delete it, or write the line")
        }
        None => return true,
    };
    table.refuse_value(key, message, remedy);
    false
}

/// The remedy for braces without a meaning.
fn braces(key: &str, why: &BraceError) -> String {
    let filled_in = match key {
        "until" | "comment" | "separator" => "nothing is filled in here",
        "count" => "only `{count}`, the number of solutions, is filled in here",
        _ => "only `{n}`, the number of the case, is filled in here",
    };
    match why {
        BraceError::Alone(brace) => {
            format!("write `{brace}{brace}` for one `{brace}`; {filled_in}")
        }
        BraceError::Unknown(found) => {
            let found = ellipsized(found, 40);
            format!(
                "{filled_in}; write `{{{{{found}}}}}` if the braces themselves are \
                 meant"
            )
        }
    }
}
