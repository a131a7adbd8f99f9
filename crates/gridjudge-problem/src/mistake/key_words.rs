//! Finds what an unknown key, name or path was probably meant to be: by the words that
//! other judges have for a key, or else by its letters. Reads no file, and the names in
//! folders within bounds. Start at [`meant_key`] and [`path_remedy`].

use std::path::{Component, Path, PathBuf};

use KeyPlace::{Beside, Key, TomlTable, YamlTable};

use crate::files;

/// How a file writes a key in a table.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum KeySyntax {
    Toml,
    Yaml,
    Ini,
}

/// Words for one thing, in small letters and without `_` and `-`, and where it is
/// written, the preferred place first.
struct KeyMeaning {
    words: &'static str,
    places: &'static [KeyPlace],
}

/// Where a thing is written.
enum KeyPlace {
    /// In this key.
    Key(&'static str),
    /// In this key, if the other one is known beside it.
    Beside(&'static str, &'static str),
    /// In a table of YAML, in this key.
    YamlTable(&'static str, &'static str),
    /// In a table of TOML, in this key.
    TomlTable(&'static str, &'static str),
}

/// What the keys of other judges mean. A word stands for its first meaning that has a
/// place.
const MEANINGS: [KeyMeaning; 18] = [
    KeyMeaning {
        words: "time timelimit timelimits tl timeout cputime cpulimit cputimelimit \
                maxtime timelimitms timelimitsec timelimitseconds",
        places: &[
            Key("time_limit"),
            Key("timelimit"),
            Beside("time", "memory"),
            YamlTable("limits", "time_limit"),
            TomlTable("limits", "time"),
        ],
    },
    KeyMeaning {
        words: "memory memorylimit memorylimits memlimit ml mem maxmemory memorymb \
                memorymib memorylimitmb memorylimitmib memlimitmb memorylimitkb",
        places: &[
            Key("memory"),
            YamlTable("limits", "memory"),
            TomlTable("limits", "memory"),
        ],
    },
    KeyMeaning {
        words: "outputlimit ol maxoutput outputsize outputlimitmb outputlimitkb",
        places: &[
            Key("output_limit_length"),
            Beside("output", "memory"),
            YamlTable("limits", "output"),
            TomlTable("limits", "output"),
        ],
    },
    KeyMeaning {
        words: "processlimit maxprocesses nproc pids pidslimit",
        places: &[Key("processes"), TomlTable("limits", "processes")],
    },
    KeyMeaning {
        words: "timemultiplier timefactor multiplier timescale",
        places: &[
            Key("time_factor"),
            Key("time_multiplier"),
            Key("time_multipliers"),
            YamlTable("limits", "time_multiplier"),
        ],
    },
    KeyMeaning {
        words: "checker check spj specialjudge specialcompare outputchecker \
                outputvalidator outputvalidators validator comparator checkertype",
        places: &[
            Key("checker"),
            Key("special_compare"),
            Key("validation"),
            TomlTable("task", "checker"),
        ],
    },
    KeyMeaning {
        words: "interactor interactive interaction isinteractive specialrun",
        places: &[
            Key("interactive"),
            Key("interactor"),
            Key("special_run"),
            Key("validation"),
            Beside("type", "limits"),
            TomlTable("task", "interactor"),
        ],
    },
    KeyMeaning {
        words: "validatorargs checkerargs checkerflags outputvalidatorargs \
                outputvalidatorflags comparatorargs",
        places: &[
            Key("validator_flags"),
            Key("output_validator_flags"),
            Key("output_validator_args"),
        ],
    },
    KeyMeaning {
        words: "title problemname problemtitle fullname displayname probname longname",
        places: &[Key("name")],
    },
    KeyMeaning {
        words: "author authors writer writers setter setters problemsetter \
                problemauthor",
        // The older formats have the first.
        places: &[
            Beside("author", "validator_flags"),
            Key("credits"),
            Key("author"),
        ],
    },
    KeyMeaning {
        words: "tests testcases testdata testcase cases subtasks",
        places: &[Key("test_cases"), Key("batched")],
    },
    KeyMeaning {
        words: "batch batches subtask",
        places: &[Key("batched")],
    },
    KeyMeaning {
        words: "score scores mark marks weight worth value point",
        places: &[Key("points"), Key("accept_score"), Key("max_score")],
    },
    KeyMeaning {
        words: "input infile inputfile stdin",
        places: &[Key("in")],
    },
    KeyMeaning {
        words: "output outfile outputfile answer answers ans expected stdout solution",
        places: &[Key("out")],
    },
    KeyMeaning {
        words: "zip zipfile archivefile",
        places: &[Key("archive")],
    },
    KeyMeaning {
        words: "formatversion problemformat problemformatversion version",
        places: &[Key("problem_format_version")],
    },
    KeyMeaning {
        words: "ext exts extension suffix suffixes fileextensions fileextension",
        places: &[Key("extensions")],
    },
];

/// Returns the remedy for an unknown key that was probably meant as one of the known
/// ones, `None` if no key resembles it. A word of another judge stands for what it
/// means there, and for nothing that merely looks alike.
pub(crate) fn meant_key(
    found: &str,
    known: &[&str],
    syntax: KeySyntax,
) -> Option<String> {
    let word: String = found
        .chars()
        .filter(|letter| !['_', '-', ' ', '.'].contains(letter))
        .take(LONGEST_WORD)
        .collect();
    let word = word.to_lowercase();
    let meanings = MEANINGS
        .iter()
        .filter(|meaning| meaning.words.split_whitespace().any(|one| one == word));
    let mut places = meanings.flat_map(|meaning| meaning.places).peekable();
    let has_meaning = places.peek().is_some();
    let meant = places.find_map(|place| place.shown(known, syntax));
    // A difference in capital letters or in `_` is a matter of letters.
    let same = known.iter().find(|key| key.replace('_', "") == word);
    let meant = match same {
        Some(same) => Some(format!("`{same}`")),
        None if has_meaning => meant,
        None => nearest(found, known.iter().copied()).map(|key| format!("`{key}`")),
    };
    meant.map(|meant| format!("did you mean {meant}?"))
}

impl KeyPlace {
    /// The place in backticks, if it exists among these known keys.
    fn shown(&self, known: &[&str], syntax: KeySyntax) -> Option<String> {
        let (outermost, fits, shown) = match self {
            Key(key) => (key, true, format!("`{key}`")),
            Beside(key, other) => (key, known.contains(other), format!("`{key}`")),
            YamlTable(table, key) => {
                let shown = format!("`{table}: {{{key}: ...}}`");
                (table, syntax == KeySyntax::Yaml, shown)
            }
            TomlTable(table, key) => {
                let shown = format!("`{key}` in `[{table}]`");
                (table, syntax == KeySyntax::Toml, shown)
            }
        };
        (fits && known.contains(outermost)).then_some(shown)
    }
}

/// The longest word, in characters, that is looked up.
const LONGEST_WORD: usize = 40;

// Finds the name that a misspelt one was meant to be, by its letters.

/// The longest name, in bytes, that is compared with others. The time to compare grows
/// with the product of both lengths.
const LONGEST_NAME: usize = 100;

/// Returns the name that `found` was probably meant to be, if one is similar enough.
pub fn nearest<'a>(
    found: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if found.len() > LONGEST_NAME {
        return None;
    }
    let scored = names.into_iter().map(|name| {
        (
            if found.len() >= 3 && (name.starts_with(found) || name.ends_with(found))
            {
                1.0
            } else {
                strsim::normalized_damerau_levenshtein(
                    &found.to_lowercase(),
                    &name.to_lowercase(),
                )
            },
            name,
        )
    });
    scored
        .filter(|(score, _)| *score >= 0.5)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, name)| name)
}

/// The remedy for an unknown name: the known one that was probably meant, or else all
/// of them, after `introduction`.
pub fn suggestion<'a>(
    found: &str,
    known: impl IntoIterator<Item = &'a str>,
    introduction: &str,
) -> String {
    let known: Vec<_> = known.into_iter().collect();
    suggestion_or(found, known.iter().copied(), || {
        format!("{introduction}{}", known.join(", "))
    })
}

/// The remedy for an unknown name: the known one that was probably meant, or else
/// `other`.
pub(crate) fn suggestion_or<'a>(
    found: &str,
    known: impl IntoIterator<Item = &'a str>,
    other: impl FnOnce() -> String,
) -> String {
    match nearest(found, known) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => other(),
    }
}

/// Returns the name that `found` was surely meant to be: at most two letters, and two of
/// five, were added, left out, replaced or swapped.
pub fn misspelt<'a>(
    found: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if found.len() > LONGEST_NAME {
        return None;
    }
    let found = found.to_lowercase();
    let far = |name: &str| strsim::damerau_levenshtein(&found, &name.to_lowercase());
    names
        .into_iter()
        .map(|name| (far(name), name))
        .filter(|(far, name)| *far <= 2 && 5 * far <= 2 * name.chars().count())
        .min_by_key(|(far, _)| *far)
        .map(|(_, name)| name)
}

// Finds the file or folder that a path was meant to name. Knows the names of existing
// files, a bounded number of each folder; reads no file. Start at [`path_remedy`].

/// How many entries of a folder are compared with a name, in the order of the folder.
const MOST_ENTRIES: usize = 10_000;

/// The hint for a path that does not exist: the one that was probably meant. Each wrong
/// name in it is replaced by the nearest one of the same folder. If only its first
/// folders have such names, the hint is about these. `fits` says what may be at the
/// path, such as [`Path::is_file`].
pub fn path_remedy(path: &Path, fits: fn(&Path) -> bool) -> Option<String> {
    let mut found = PathBuf::new();
    let mut meant = PathBuf::new();
    for component in path.components() {
        let next = found.join(component);
        let fits = if next == path { fits } else { Path::is_dir };
        let Some(meant_next) = meant_component(&meant, component, fits) else {
            break;
        };
        found = next;
        meant = meant_next;
    }
    let shown = meant.display();
    if meant == found {
        None
    } else if found == path {
        Some(format!("did you mean `{shown}`?"))
    } else {
        let missing = found.display();
        Some(format!(
            "there is no folder `{missing}`; did you mean `{shown}`?"
        ))
    }
}

/// The entry of a folder that is named by this component, or else has the nearest name.
fn meant_component(
    folder: &Path,
    component: Component,
    fits: fn(&Path) -> bool,
) -> Option<PathBuf> {
    let named = folder.join(component);
    if fits(&named) {
        return Some(named);
    }
    let Component::Normal(name) = component else {
        return None;
    };
    let entries = files::folder_of(&named).read_dir().ok()?;
    let mut names: Vec<_> = entries
        .take(MOST_ENTRIES)
        .flatten()
        .filter(|entry| fits(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    // Among equally near names, the choice must not depend on the order of the folder's
    // entries.
    names.sort_by(|one, other| other.cmp(one));
    let meant = nearest(name.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.join(meant))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts what is proposed for a word.
    fn proposes(syntax: KeySyntax, known: &[&str], found: &str, meant: &str) {
        let remedy = meant_key(found, known, syntax);
        assert_eq!(
            remedy,
            Some(format!("did you mean {meant}?")),
            "{found} among {known:?}"
        );
    }

    #[test]
    fn the_words_of_other_judges_win_over_similar_letters() {
        let of_limits = [
            "time_multiplier",
            "time_limit",
            "memory",
            "output",
            "validation_time",
        ];
        for word in [
            "time",
            "TL",
            "timelimit",
            "time-limit",
            "timeout",
            "cpu_time",
        ] {
            proposes(KeySyntax::Yaml, &of_limits, word, "`time_limit`");
        }
        for word in [
            "memory_limit",
            "memlimit",
            "ML",
            "MemoryLimit",
            "max_memory",
        ] {
            proposes(KeySyntax::Yaml, &of_limits, word, "`memory`");
        }
        let of_legacy = [
            "name",
            "type",
            "validation",
            "validator_flags",
            "limits",
            "author",
        ];
        proposes(
            KeySyntax::Yaml,
            &of_legacy,
            "timelimit",
            "`limits: {time_limit: ...}`",
        );
        proposes(
            KeySyntax::Yaml,
            &of_legacy,
            "memory",
            "`limits: {memory: ...}`",
        );
        proposes(KeySyntax::Yaml, &of_legacy, "checker", "`validation`");
        proposes(KeySyntax::Yaml, &of_legacy, "title", "`name`");
        let of_problem = ["name", "source", "task", "limits", "points"];
        proposes(
            KeySyntax::Toml,
            &of_problem,
            "time_limit",
            "`time` in `[limits]`",
        );
        proposes(
            KeySyntax::Toml,
            &of_problem,
            "checker",
            "`checker` in `[task]`",
        );
        proposes(
            KeySyntax::Ini,
            &["name", "timelimit"],
            "time_limit",
            "`timelimit`",
        );
    }

    #[test]
    fn a_word_that_means_something_else_is_not_taken_for_a_key_that_looks_alike() {
        assert_eq!(
            meant_key(
                "time_limit",
                &["output_limit_length", "wall_time_factor"],
                KeySyntax::Yaml
            ),
            None
        );
        proposes(KeySyntax::Yaml, &["name", "limits"], "nmae", "`name`");
        proposes(KeySyntax::Yaml, &["name", "limits"], "Name", "`name`");
    }
}

#[cfg(test)]
mod near_names_tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_similar_one_or_none() {
        let names = ["luogu-p1784", "poj-2676", "uestc-1222"];
        assert_eq!(nearest("poj2676", names), Some("poj-2676"));
        assert_eq!(nearest("POJ-2677", names), Some("poj-2676"));
        assert_eq!(nearest("1222", names), Some("uestc-1222"));
        assert_eq!(nearest("codeforces", names), None);
    }
}

#[cfg(test)]
mod near_paths_tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with these files; a name that ends with `/` is a folder's.
    fn folder_with(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if name.ends_with('/') {
                fs::create_dir_all(&path).unwrap();
            } else {
                fs::write(&path, "").unwrap();
            }
        }
        folder
    }

    /// The hint for a path in the folder, with paths relative to it.
    fn remedy_in(
        folder: &Path,
        path: &str,
        fits: fn(&Path) -> bool,
    ) -> Option<String> {
        let remedy = path_remedy(&folder.join(path), fits)?;
        Some(remedy.replace(&format!("{}/", folder.display()), ""))
    }

    #[test]
    fn each_wrong_name_of_a_path_is_replaced_if_all_of_it_then_exists() {
        let folder =
            folder_with(&["examples/finals/", "examples/solver.py", "notes"]);
        for (path, meant) in [
            ("exampels/finals", "examples/finals"),
            ("exampels/fianls", "examples/finals"),
            ("examples/fianls/", "examples/finals"),
            ("./exampels/slover.py", "examples/solver.py"),
            ("exampels/../noets", "examples/../notes"),
            ("examples/solver", "examples/solver.py"),
        ] {
            let remedy = remedy_in(folder.path(), path, Path::exists);
            assert_eq!(remedy, Some(format!("did you mean `{meant}`?")), "{path}");
        }
    }

    #[test]
    fn the_folders_that_were_meant_are_named_if_nothing_in_them_was() {
        let folder = folder_with(&["examples/finals/"]);
        for (path, said) in [
            (
                "exampels/wholly/other",
                "there is no folder `exampels`; did you mean `examples`?",
            ),
            (
                "exampels/finals/a.c",
                "there is no folder `exampels/finals`; did you mean `examples/finals`?",
            ),
        ] {
            let remedy = remedy_in(folder.path(), path, Path::is_file);
            assert_eq!(remedy.as_deref(), Some(said), "{path}");
        }
    }

    #[test]
    fn nothing_is_proposed_if_no_name_is_near() {
        let folder = folder_with(&["examples/finals/", "notes"]);
        for path in [
            "wholly_other",
            "wholly_other/finals",
            "examples/wholly_other",
            "notes/finals",
            "examples/finals",
        ] {
            let remedy = remedy_in(folder.path(), path, Path::exists);
            assert_eq!(remedy, None, "{path}");
        }
    }

    #[test]
    fn only_what_is_wanted_there_is_proposed_and_no_link_that_leads_nowhere() {
        let folder = folder_with(&["final/", "finals.c"]);
        symlink("nowhere", folder.path().join("fianl")).unwrap();
        let meant = |fits| remedy_in(folder.path(), "fianl", fits).unwrap();
        assert_eq!(meant(Path::is_file), "did you mean `finals.c`?");
        assert_eq!(meant(Path::is_dir), "did you mean `final`?");
        assert_eq!(meant(Path::exists), "did you mean `final`?");
    }
}
