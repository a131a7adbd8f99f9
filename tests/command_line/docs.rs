//! Checks the documentation against the code: complete TOML files have no mistakes, the
//! sessions of `docs/verdicts.md` print what they show, and the tables of verdicts and
//! languages are right.

use std::fs;
use std::path::Path;
use std::process::Command;

use gridjudge::model::{Task, Verdict};
use gridjudge::spec::JudgeFolder;
use gridjudge_grid::BLANK;
use gridjudge_grid::solve::Solver;
use tempfile::TempDir;

/// Pages whose ```` ```toml ```` blocks are complete files. A page that does not exist
/// counts as empty.
const PAGES: [&str; 3] = ["docs/spec.md", "docs/generate.md", "README.md"];

/// The one problem that examples of `judge.toml` may name.
const ID: &str = "hard-9x9";

/// A fenced block.
struct Block {
    line: usize,
    /// The words after the fence.
    info: Vec<String>,
    text: String,
}

/// The text of a page; empty if there is no such page.
fn page(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_default()
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = vec![];
    let mut lines = page.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let body = lines
                .by_ref()
                .map(|(line, _)| line)
                .take_while(|line| *line != "```");
            let text = body.map(|line| format!("{line}\n")).collect();
            blocks.push(Block {
                line: number,
                info: info.split(' ').map(str::to_owned).collect(),
                text,
            });
        }
    }
    blocks
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A judge's folder of one problem.
fn folder(judge: &str, problem: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    write(&folder, "judge.toml", judge);
    write(&folder, &format!("problems/{ID}/problem.toml"), problem);
    folder
}

fn complete_files(page: &str) -> impl Iterator<Item = Block> {
    blocks(page)
        .into_iter()
        .filter(|block| block.info == ["toml"])
}

/// Whether a complete file is a `problem.toml` rather than a `judge.toml`.
fn is_problem(text: &str) -> bool {
    text.contains("[grid]") || text.contains("[task]")
}

fn spec() -> String {
    page("docs/spec.md")
}

#[test]
fn every_complete_toml_file_in_the_documentation_has_no_mistakes() {
    let good = complete_files(&spec())
        .find(|block| is_problem(&block.text))
        .unwrap()
        .text;
    for path in PAGES {
        for Block { line, text, .. } in complete_files(&page(path)) {
            let folder = if is_problem(&text) {
                folder("", &text)
            } else {
                folder(&text, &good)
            };
            let problem = JudgeFolder::open(folder.path())
                .and_then(|folder| folder.find(ID)?.problem());
            assert!(problem.is_ok(), "{path}:{line}: {}", problem.unwrap_err());
        }
    }
}

#[test]
fn every_grid_with_cages_or_inequalities_in_the_documentation_has_a_solution() {
    let mut tried = 0;
    for path in PAGES {
        for Block { line, text, .. } in
            complete_files(&page(path)).filter(|block| is_problem(&block.text))
        {
            let problem = JudgeFolder::open(folder("", &text).path())
                .unwrap()
                .find(ID)
                .unwrap()
                .problem()
                .unwrap();
            let Task::Grid(task) = &problem.task else {
                continue;
            };
            for shape in task
                .format
                .shapes
                .iter()
                .filter(|shape| shape.arithmetic().is_some())
            {
                let found =
                    Solver::new(shape)
                        .first(&vec![BLANK; shape.order() * shape.order()]);
                assert!(matches!(found, Ok(Some(_))), "{path}:{line}: {found:?}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 3, "{tried} grids");
}

#[test]
fn the_submissions_toml_of_the_documentation_gives_the_expected_verdicts_that_it_claims()
 {
    let page = spec();
    let good = complete_files(&page)
        .find(|block| is_problem(&block.text))
        .unwrap()
        .text;
    let folder = folder("", &good);
    let shown = blocks(&page)
        .into_iter()
        .find(|block| block.info == ["toml", "submissions.toml"])
        .unwrap();
    write(
        &folder,
        &format!("problems/{ID}/submissions/submissions.toml"),
        &shown.text,
    );
    for name in ["wrong/first_guess.py", "mixed/deep.c"] {
        write(&folder, &format!("problems/{ID}/submissions/{name}"), "");
    }
    let examples = JudgeFolder::open(folder.path())
        .unwrap()
        .find(ID)
        .unwrap()
        .examples()
        .unwrap();
    let expected_verdict = |place: usize| {
        examples[place]
            .submission
            .expected
            .as_ref()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        (expected_verdict(0), expected_verdict(1)),
        ("RE".to_owned(), "WA or TLE".to_owned())
    );
}

#[test]
fn every_session_in_the_documentation_prints_what_it_shows() {
    let folder = TempDir::new().unwrap();
    write(&folder, "judge.toml", "");
    let mut sessions = 0;
    for Block { line, info, text } in blocks(&page("docs/verdicts.md")) {
        match &info[..] {
            // A block with a second word is the file of that name.
            [_, name] => write(&folder, name, &text),
            [kind] if kind == "console" => {
                let (command, expected) = text.split_once('\n').unwrap();
                let mut words =
                    command.strip_prefix("$ gridjudge ").unwrap().split(' ');
                let output = Command::new(env!("CARGO_BIN_EXE_gridjudge"))
                    .args(words.by_ref())
                    .current_dir(&folder)
                    .env("GRIDJUDGE_CACHE", folder.path().join("cache"))
                    .output()
                    .unwrap();
                let printed = [output.stdout, output.stderr].concat();
                assert_eq!(
                    String::from_utf8(printed).unwrap(),
                    expected,
                    "docs/verdicts.md:{line}"
                );
                sessions += 1;
            }
            _ => {}
        }
    }
    assert!(sessions > 0);
}

#[test]
fn every_verdict_is_documented_with_its_meaning_and_its_folder() {
    let verdicts = page("docs/verdicts.md");
    let spec = spec();
    for verdict in Verdict::all() {
        let row = format!("| `{verdict}` | {} |", verdict.meaning());
        assert!(verdicts.contains(&row), "docs/verdicts.md lacks {row}");
    }
    let rows = spec.lines().filter(|line| line.starts_with("| `"));
    let mut documented_folders: Vec<&str> = vec![];
    for row in rows {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let folders = [cells[1], cells[2]].map(|cell| cell.trim_matches('`'));
        if let Some(verdict) =
            Verdict::expected_by_folder(folders[0]).filter(|_| cells.len() == 5)
        {
            assert!(
                cells[3].starts_with(&format!("`{verdict}` {}", verdict.meaning())),
                "{row}"
            );
            assert!(
                folders[1].is_empty()
                    || Verdict::expected_by_folder(folders[1]) == Some(verdict),
                "{row}"
            );
            documented_folders.push(folders[0]);
        }
    }
    assert_eq!(documented_folders, Verdict::folders().collect::<Vec<_>>());
}

#[test]
fn every_built_in_language_is_documented_correctly() {
    let spec = spec();
    let good = complete_files(&spec)
        .find(|block| is_problem(&block.text))
        .unwrap()
        .text;
    let folder = folder("", &good);
    let config = JudgeFolder::open(folder.path()).unwrap().config;
    for language in config.languages() {
        let start = format!("| `{}` | {} | ", language.id, language.name);
        let row = spec.lines().find(|line| line.starts_with(&start));
        let row = row.unwrap_or_else(|| panic!("docs/spec.md lacks {start}"));
        let command = if language.compile.is_empty() {
            &language.run
        } else {
            &language.compile
        };
        assert!(row.contains(&format!("`{}`", command.join(" "))), "{row}");
        for link in language.link.iter().map(|command| command.join(" ")) {
            assert!(
                spec.lines().any(|line| line == link),
                "docs/spec.md lacks `{link}`"
            );
        }
        assert!(
            row.contains(&format!("| x{} |", language.time_factor)),
            "{row}"
        );
        assert!(
            language
                .extensions
                .iter()
                .all(|ending| row.contains(&format!("`{ending}`"))),
            "{row}"
        );
        let extra = language.extra_memory_bytes >> 20;
        assert_eq!(row.contains(&format!("+ {extra} MiB")), extra > 0, "{row}");
    }
}

/// The names in backquotes in a text.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The contents of every Rust file below a folder of the repository.
fn sources_below(folder: &str) -> String {
    let files =
        walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
            .into_iter()
            .flatten();
    let sources = files
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "rs"));
    sources
        .map(|file| fs::read_to_string(file.path()).unwrap())
        .collect()
}

#[test]
fn every_test_that_the_table_of_attackers_names_exists() {
    let page = page("docs/sandbox.md");
    let (_, table) = page
        .split_once("| who | tries to | result | shown by |")
        .unwrap();
    let rows: Vec<_> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let sources = ["src", "crates", "tests"].map(sources_below).concat();
    for who in [
        "submission",
        "package",
        "checkout",
        "log",
        "archive",
        "cache folder",
        "neighbour on the machine",
    ] {
        assert!(
            rows.iter()
                .any(|row| row.starts_with(&format!("| {who} |"))),
            "{who}"
        );
    }
    for row in rows {
        let shown_by = row.trim_end_matches(" |").rsplit_once(" | ").unwrap().1;
        assert!(names_in(shown_by).count() > 0, "{row}");
        for name in names_in(shown_by) {
            let exists = if name.ends_with(".c") {
                Path::new(env!("CARGO_MANIFEST_DIR"))
                    .join("tests/hostile")
                    .join(name)
                    .exists()
            } else {
                sources.contains(&format!("#[test]\nfn {name}()"))
                    || sources.contains(&format!("    fn {name}()"))
            };
            assert!(exists, "docs/sandbox.md names `{name}`, which is no test");
        }
    }
}

#[test]
fn the_example_of_the_users_own_configuration_has_no_mistakes() {
    let folder = folder("", "");
    let example = blocks(&spec())
        .into_iter()
        .find(|block| block.info == ["toml", "config.toml"])
        .unwrap();
    write(&folder, "config/gridjudge/config.toml", &example.text);
    let output = Command::new(env!("CARGO_BIN_EXE_gridjudge"))
        .args(["doctor", "-q"])
        .current_dir(&folder)
        .env("XDG_CONFIG_HOME", folder.path().join("config"))
        .output()
        .unwrap();
    assert_ne!(
        output.status.code(),
        Some(2),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_readme_counts_the_problems_and_their_examples() {
    let folder = JudgeFolder::open(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let examples: usize = folder
        .problems()
        .map(|problem| problem.examples().unwrap().len())
        .sum();
    let figures = [
        format!("{} problems are included", folder.problems().count()),
        format!("{examples} example submissions"),
    ];
    let readme = page("README.md").replace('\n', " ");
    for figure in figures {
        assert!(readme.contains(&figure), "README.md does not say: {figure}");
    }
}
