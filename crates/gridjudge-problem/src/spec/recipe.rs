//! Parses the `[[generate]]` tables into [`Recipe`]s, and the collections of puzzles
//! that they name. The keys are listed in `docs/generate.md`.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use gridjudge_grid::batch::{PuzzleError, PuzzleText};
use gridjudge_grid::make::{GridKind, Rating, Symmetry};
use gridjudge_grid::naive::NaiveSearch;
use gridjudge_grid::{Shape, Value, batch};

use crate::files;
use crate::keys::KeyTable;
use crate::mistake::{Mistake, ellipsized, quoted, suggestion};
use crate::model::{GridTask, Recipe, RecipeKind};
use crate::spec::problem::task::own_file;
use crate::text::{JoinedTexts, printable};

use GridKind::{
    Clues, Complete, Invalid, Minimal, Rated, Seventeen, Several, Slow, Symmetric,
    Unsolvable,
};

/// The key of the list of recipes.
pub(super) const KEY: &str = "generate";

/// The group of a recipe's cases, if it names none.
const GROUP: &str = "generated";

/// The most cases of one recipe, and the most grids of one case. For more, write
/// several recipes.
const MOST_CASES: u64 = 10_000;
const MOST_GRIDS: u64 = 1_000_000;

/// The most nodes that a recipe may ask a search to visit: more than a day of work.
const MOST_NODES: u64 = 10_000_000_000_000;

/// The most solutions that a recipe may ask for. They are counted while a grid is
/// generated.
const MOST_SOLUTIONS: u64 = 1_000_000;

/// The kinds, each with the keys that belong to it.
const KINDS: [(&str, &[&str]); 11] = [
    ("complete", &[]),
    ("clues", &["clues"]),
    ("minimal", &[]),
    ("symmetric", &["symmetry"]),
    ("seventeen", &[]),
    ("rated", &["rating"]),
    ("slow", &["search", "nodes"]),
    ("several", &["solutions", "most_solutions"]),
    ("unsolvable", &[]),
    ("invalid", &[]),
    ("collection", &["file"]),
];

/// Reads the recipes. If the spec has no valid grid task, only the keys that do not
/// depend on one are checked.
pub(super) fn read_recipes(
    root: &KeyTable,
    task: Option<&GridTask>,
    folder: &Path,
) -> Vec<Recipe> {
    let mut recipes = vec![];
    // The line of the first recipe for each case.
    let mut lines: HashMap<String, u64> = HashMap::new();
    for table in root.list_of_tables(KEY) {
        let Some(recipe) = recipe(&table, task, folder) else {
            continue;
        };
        let cases = (1..=recipe.count).map(|number| recipe.case(number));
        let others = cases.clone().filter_map(|case| lines.get(&case));
        if let Some(line) = others.min() {
            table.refuse_table(
                format!("the recipe on line {line} makes cases of the same name"),
                "give one of them another name or group",
            );
        }
        for case in cases {
            lines.entry(case).or_insert(recipe.line);
        }
        recipes.push(recipe);
    }
    recipes
}

fn recipe(
    table: &KeyTable,
    task: Option<&GridTask>,
    folder: &Path,
) -> Option<Recipe> {
    let group = table.text("group").map(|group| path(table, "group", group));
    let name = table
        .require("name", "`name = \"001-minimal\"`")
        .text("name")
        .and_then(|name| path(table, "name", name));
    let count = table.whole("count", 1, MOST_CASES).unwrap_or(1);
    let seed = table
        .require("seed", "`seed = 1`")
        .whole("seed", 0, i64::MAX as u64);
    let grids = grids(table, task);
    let order = order(table, task);
    let kind = table
        .require("kind", "`kind = \"minimal\"`")
        .text("kind")
        .and_then(|word| kind(table, &word, task, order?, folder));
    // Whether these have a meaning depends on the kind, which may be unknown. A key that
    // is not there is not said to be known here.
    let own_keys = KINDS.iter().flat_map(|(_, keys)| *keys).copied();
    table.pass_over(own_keys.filter(|key| table.has(key)));
    // Without an order, the keys of the kind have not been read.
    if order.is_some() {
        table.refuse_the_rest();
    }
    Some(Recipe {
        group: group.unwrap_or(Some(GROUP.to_owned()))?,
        name: name?,
        count,
        grids: grids?,
        order: order?,
        kind: kind?,
        seed: seed?,
        line: table.line(),
    })
}

/// Checks a group or a name: it becomes part of a file's path, so only portable
/// characters are allowed.
fn path(table: &KeyTable, key: &str, name: String) -> Option<String> {
    let is_good = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|letter| {
                letter.is_ascii_alphanumeric() || "-_.".contains(letter)
            })
    };
    let is_path = if key == "group" {
        name.split('/').all(is_good)
    } else {
        is_good(&name)
    };
    if !is_path {
        table.refuse_value(
            key,
            format!(
                "`{key} = \"{}\"` is not a valid file name",
                ellipsized(&name, 40)
            ),
            "use letters, digits, `-`, `_` and `.`, and no `.` at the start",
        );
    }
    is_path.then_some(name)
}

/// Reads the number of grids in a case: a number, or `"most"`.
fn grids(table: &KeyTable, task: Option<&GridTask>) -> Option<u64> {
    let most = task.map(|task| task.format.input.count.most());
    if table.is_text("grids") {
        table.choice("grids", &[("most", ())])?;
        let most = most?;
        if most > MOST_GRIDS {
            let message = format!(
                "`grids = \"most\"` means {most} here, and at most {MOST_GRIDS} are \
                 possible"
            );
            table.refuse_value("grids", message, "write a number");
        }
        return Some(most.min(MOST_GRIDS));
    }
    let Some(found) = table.whole("grids", 1, MOST_GRIDS) else {
        return (!table.has("grids")).then_some(1);
    };
    if let Some(most) = most
        && found > most
    {
        table.refuse_value(
            "grids",
            format!("`grids = {found}` are more than an input may hold, {most}"),
            "write a smaller number, or \"most\"",
        );
    }
    Some(found)
}

/// Reads the order of the grids; by default, the largest order of the problem.
fn order(table: &KeyTable, task: Option<&GridTask>) -> Option<usize> {
    let found = table.whole("order", 1, u64::from(gridjudge_grid::LARGEST_ORDER));
    let task = task?;
    let Some(found) = found else {
        return Some(task.format.shape().order());
    };
    let order = found as usize;
    if task.format.shape_of_order(order).is_none() {
        let shapes = task.format.shapes.iter();
        let orders = shapes.map(|shape| shape.order().to_string()).joined(", ");
        table.refuse_value(
            "order",
            format!("the problem has no grids of order {order}"),
            format!("its orders: {orders}"),
        );
        return None;
    }
    Some(order)
}

fn kind(
    table: &KeyTable,
    word: &str,
    task: Option<&GridTask>,
    order: usize,
    folder: &Path,
) -> Option<RecipeKind> {
    let Some((_, own_keys)) = KINDS.iter().find(|(known, _)| *known == word) else {
        let known = KINDS.iter().map(|(known, _)| *known);
        let remedy = suggestion(word, known, "use one of ");
        table.refuse_value("kind", format!("unknown kind {}", quoted(word)), remedy);
        return None;
    };
    for key in KINDS
        .iter()
        .flat_map(|(_, keys)| *keys)
        .filter(|key| !own_keys.contains(key))
    {
        table.refuse_key(
            key,
            format!("`{key}` has no meaning with `kind = \"{word}\"`"),
            format!("delete `{key}`"),
        );
    }
    if word == "collection" {
        let file = puzzle_file(table, folder);
        return fits(table, word, task?, order)
            .then_some(RecipeKind::Collection(file?));
    }
    let kind = match word {
        "complete" => Complete,
        "clues" => Clues(table.require("clues", "`clues = 30`").whole(
            "clues",
            0,
            (order * order) as u64,
        )? as usize),
        "minimal" => Minimal,
        "symmetric" => Symmetric(
            table
                .require("symmetry", "`symmetry = \"half-turn\"`")
                .choice("symmetry", &Symmetry::ALL)?,
        ),
        "seventeen" => Seventeen,
        "rated" => rated(table)?,
        "slow" => slow(table)?,
        "several" => several(table, task?)?,
        "invalid" => Invalid,
        _ => Unsolvable,
    };
    fits(table, word, task?, order).then_some(RecipeKind::Made(kind))
}

/// The path of the file of puzzles, in the folder of the problem.
fn puzzle_file(table: &KeyTable, folder: &Path) -> Option<PathBuf> {
    let name = table
        .require("file", "`file = \"puzzles.txt\"`")
        .text("file")?;
    own_file(&name, folder, "name the file of the puzzles")
        .map_err(|(message, remedy)| {
            let message = format!("the file of puzzles {} {message}", quoted(&name));
            table.refuse_value("file", message, remedy);
        })
        .ok()
}

fn rated(table: &KeyTable) -> Option<GridKind> {
    let ratings = Rating::ALL.map(|rating| (rating.name(), rating));
    let rating = table
        .require("rating", "`rating = \"easy\"`")
        .choice("rating", &ratings)?;
    Some(Rated(rating))
}

fn slow(table: &KeyTable) -> Option<GridKind> {
    let searches = NaiveSearch::ALL.map(|search| (search.name(), search));
    let search = table
        .require("search", "`search = \"rows\"`")
        .choice("search", &searches);
    let nodes = table
        .require("nodes", "`nodes = 1000000`")
        .whole("nodes", 1, MOST_NODES);
    Some(Slow {
        search: search?,
        nodes: nodes?,
    })
}

fn several(table: &KeyTable, task: &GridTask) -> Option<GridKind> {
    let allowed = task
        .accept
        .most()
        .filter(|_| task.format.replies.several.is_none())
        .unwrap_or(1000);
    let least = table.whole("solutions", 2, MOST_SOLUTIONS).unwrap_or(2);
    let most = table
        .whole("most_solutions", 2, MOST_SOLUTIONS)
        .unwrap_or(allowed.max(least));
    if most < least {
        table.refuse_value(
            "most_solutions",
            format!("`most_solutions` is {most}, less than {least} `solutions`"),
            "raise it, or lower `solutions`",
        );
        return None;
    }
    Some(Several {
        least: least as usize,
        most: most as usize,
    })
}

/// Whether the problem allows grids of the kind of this name. Notes a mistake if not.
fn fits(table: &KeyTable, word: &str, task: &GridTask, order: usize) -> bool {
    let replies = &task.format.replies;
    let shape = task.format.shape_of_order(order);
    let unanswered = "say in [answer] how to answer them, or delete the recipe";
    let (why, remedy) = match word {
        // The puzzles of 81 cells are such grids.
        "collection" | "seventeen" | "slow"
            if !shape.is_some_and(Shape::is_plain_nine) =>
        {
            (
                "is for grids of order 9 with boxes of 3x3 and no other regions",
                "choose another kind",
            )
        }
        "several" if !task.may_have_several() => (
            "makes grids with several solutions, and the problem promises one",
            unanswered,
        ),
        "unsolvable" if !replies.may_lack_solutions() => (
            "makes grids without a solution, and the problem promises one",
            unanswered,
        ),
        "invalid" if !replies.may_clash() => (
            "makes grids of which two clues clash, and the problem promises that none \
             do",
            unanswered,
        ),
        _ => return true,
    };
    table.refuse_value("kind", format!("`kind = \"{word}\"` {why}"), remedy);
    false
}

// Reads a collection of puzzles that a recipe draws from, in any layout that
// `gridjudge solve` reads.

/// The most puzzles of a file: as many as an input of the largest recipe has grids.
const MOST_PUZZLES: usize = 1_000_000;

/// The most bytes of a line of the list; a longer one is not read as a puzzle.
const LONGEST_LINE: u64 = 1 << 17;

/// What can be done about a file without puzzles.
const LAYOUTS: &str = "write one puzzle a line, or nine rows of nine cells, or a CSV \
                       file with a column of puzzles; docs/solve.md lists what is read";

/// The different puzzles of a file in its order, each with its 81 values, 0 for blank.
///
/// # Errors
/// One mistake if the file cannot be read, holds no puzzles or too many, or one of them
/// cannot be read.
pub fn puzzles_of_file(path: &Path) -> Result<Vec<Vec<Value>>, Mistake> {
    let unreadable = |error: std::io::Error| Mistake::refused(path, &error.into());
    let file =
        files::open_file(path).map_err(|error| Mistake::refused(path, &error))?;
    let list = match PuzzleText::new(file, false).map_err(unreadable)? {
        PuzzleText::List(list) => list,
        PuzzleText::NoPuzzles(line) => return Err(no_puzzles(path, &line)),
    };
    let mut list = BufReader::new(list);
    let mut puzzles = vec![];
    let mut known = HashSet::new();
    let mut line = vec![];
    for number in 1.. {
        line.clear();
        if list
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(unreadable)?
            == 0
        {
            break;
        }
        match batch::puzzle_of(line.trim_ascii_end()) {
            None => {}
            Some(Ok(_)) if puzzles.len() == MOST_PUZZLES => {
                return Mistake::refuse(
                    path,
                    format!("holds more than {MOST_PUZZLES} puzzles"),
                    "divide the file",
                );
            }
            Some(Ok(puzzle)) if known.insert(puzzle) => puzzles.push(puzzle.to_vec()),
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                let error = PuzzleError::Unreadable(error);
                return Err(Mistake::new(path, error.to_string(), error.remedy())
                    .on_line(number));
            }
        }
    }
    if puzzles.is_empty() {
        return Mistake::refuse(path, "holds no puzzles", LAYOUTS);
    }
    Ok(puzzles)
}

/// The mistake in a file of puzzles that begins with another line.
pub fn no_puzzles(name: impl AsRef<Path>, first_line: &str) -> Mistake {
    Mistake::new(
        name.as_ref(),
        format!(
            "holds no puzzles; its first line is `{}`",
            printable(first_line)
        ),
        LAYOUTS,
    )
}

/// What can be done about lines that are no puzzles.
pub fn puzzle_layouts() -> &'static str {
    LAYOUTS
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod puzzle_file_tests {
    use std::fs;

    use super::*;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(content: &[u8]) -> Result<Vec<Vec<Value>>, Mistake> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles");
        fs::write(&path, content).unwrap();
        puzzles_of_file(&path).map_err(|mistake| Mistake {
            path: "puzzles".into(),
            ..mistake
        })
    }

    fn rows(puzzle: &str, between: &str) -> String {
        let rows: Vec<_> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
        rows.join(between) + "\n"
    }

    #[test]
    fn every_layout_that_is_solved_gives_the_same_puzzles() {
        let other: String = PUZZLE.chars().rev().collect();
        let expected: Vec<_> = [PUZZLE, &other]
            .map(|puzzle| {
                batch::puzzle_of(puzzle.as_bytes())
                    .unwrap()
                    .unwrap()
                    .to_vec()
            })
            .into();
        let list = format!("{PUZZLE}\n{other}\n");
        let dots = |puzzle: &str| -> String {
            (0..9)
                .map(|row| {
                    let boxes: Vec<_> = (0..3)
                        .map(|at| &puzzle[9 * row + 3 * at..9 * row + 3 * at + 3])
                        .collect();
                    boxes.join("|")
                        + if row == 2 || row == 5 {
                            "\n-----------\n"
                        } else {
                            "\n"
                        }
                })
                .collect()
        };
        let csv = |end: &str| {
            format!(
                "quizzes,solutions{end}\"{PUZZLE}\",\"1\"{end}\"{other}\",\"2\"{end}"
            )
        };
        let utf16: Vec<_> = "\u{feff}"
            .chars()
            .chain(list.chars())
            .flat_map(|letter| (letter as u16).to_le_bytes())
            .collect();
        for text in [
            list.clone().into_bytes(),
            list.replace('\n', "\r\n").into_bytes(),
            format!(
                "[Puzzle]\n{}[Puzzle]\n{}",
                rows(PUZZLE, "\n"),
                rows(&other, "\n")
            )
            .into_bytes(),
            format!(
                "# first\n{}\n# second\n{}",
                rows(PUZZLE, "\n"),
                rows(&other, "\n")
            )
            .into_bytes(),
            format!("{}\n{}", dots(PUZZLE), dots(&other)).into_bytes(),
            csv("\n").into_bytes(),
            csv("\r\n").into_bytes(),
            utf16,
        ] {
            assert_eq!(
                read(&text).as_ref(),
                Ok(&expected),
                "{}",
                text.escape_ascii()
            );
        }
    }

    #[test]
    fn a_puzzle_that_a_file_has_twice_counts_once() {
        let blanks = PUZZLE.replace('.', "0");
        let text = format!("{PUZZLE}\n{}\n{blanks}\n{PUZZLE}\n", ".".repeat(81));
        let puzzles = read(text.as_bytes()).unwrap();
        assert_eq!(puzzles.len(), 2);
        assert_eq!((puzzles[0][0], puzzles[1][0]), (5, 0));
    }

    #[test]
    fn a_file_that_is_no_collection_is_one_mistake() {
        let prose = "It was a dark night.\n".repeat(1000);
        for (content, said) in [
            (
                prose.as_str(),
                "puzzles: holds no puzzles; its first line is `It was a dark night.`",
            ),
            ("", "puzzles: holds no puzzles"),
            (
                &"\0".repeat(300_000),
                "puzzles: holds no puzzles; its first line is `\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}\\u{0}`",
            ),
            ("# nothing\n", "puzzles: holds no puzzles"),
            (
                &format!("{PUZZLE}\n{}\n", &PUZZLE[1..]),
                "puzzles:2: expected 81 cells, found 80",
            ),
        ] {
            let mistake = read(content.as_bytes()).unwrap_err();
            assert_eq!(mistake.to_string(), said);
            assert!(mistake.remedy.is_some());
        }
    }
}
