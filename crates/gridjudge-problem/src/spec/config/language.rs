//! The table of languages, the built-in ones with the additions and changes of
//! `judge.toml`, and the checks of its values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{ellipsized, nearest, quoted};
use crate::model::Language;
use crate::spec::config::UserConfig;
use crate::spec::limits;

const TABLE: &str = include_str!("../languages.toml");

/// The default limits for compiling.
const COMPILING: Limits = Limits {
    cpu: Duration::from_secs(30),
    wall: Duration::from_secs(60),
    memory_bytes: 2 << 30,
    output_bytes: 256 << 20,
    processes: 256,
    ..limits::DEFAULT
};

const RUN: &str = "name the command, for example `run = [\"{program}\"]`";

const LINK: &str = "`link` is a list of commands for what `compile` has made, for \
                    example `[[\"cc\", \"-o\", \"{program}\", \"{program}.o\"]]`";

/// The word of a command that stands for the options.
const OPTIONS: &str = "{options}";

/// The keys that change what a compiler makes, or what that depends on.
const KEYS_OF_BUILDS: [&str; 12] = [
    "check",
    "compile",
    "compile_env",
    "env",
    "home",
    "java_classes",
    "link",
    "main",
    "options",
    "run",
    "source",
    "toolchain",
];

/// Languages by their keys.
pub(crate) type Languages = BTreeMap<String, Language>;

/// The languages that need no configuration.
pub(crate) static BUILT_IN: LazyLock<Languages> = LazyLock::new(|| {
    // A test checks that the built-in table has no mistakes.
    KeyTable::of_text(Path::new("languages.toml"), TABLE)
        .tables()
        .into_iter()
        .map(|(id, table)| (id.to_owned(), language(&table, id, None)))
        .collect()
});

/// Merges `[languages.*]` into a table of languages: adds new ones, and changes keys of
/// known ones. A file ending that one of them claims is removed from all languages that
/// set no `extensions` there.
///
/// With a `user`, the table is that of a `judge.toml`, which may be a stranger's:
/// then what only the judge's user may decide is a mistake.
pub(crate) fn merge(
    languages: &mut Languages,
    table: &KeyTable,
    user: Option<&UserConfig>,
) {
    let mut claiming = BTreeSet::new();
    for (id, table) in table.tables() {
        let known = languages.get(id);
        let keeps_builds = known.is_some_and(|known| known.keeps_builds)
            && !KEYS_OF_BUILDS.iter().any(|key| table.has(key));
        let mut language = language(&table, id, known);
        language.keeps_builds = keeps_builds;
        if let Some(user) = user {
            refuse_what_only_users_decide(&table, id, &language, user);
            language.opens_home = user.knows_tools(&language);
        }
        if table.has("extensions") {
            claiming.insert(id.to_owned());
        }
        languages.insert(id.to_owned(), language);
    }
    let claimed: BTreeSet<_> = claiming
        .iter()
        .flat_map(|id| &languages[id].extensions)
        .cloned()
        .collect();
    for (id, language) in languages.iter_mut() {
        if !claiming.contains(id) {
            language
                .extensions
                .retain(|ending| !claimed.contains(ending));
        }
    }
}

/// A language of which nothing is said.
pub(crate) fn unnamed_language(id: &str) -> Language {
    Language {
        id: id.to_owned(),
        name: id.to_owned(),
        compile_limits: COMPILING,
        time_factor: 1,
        opens_home: true,
        keeps_builds: true,
        ..Language::default()
    }
}

/// Reads one language. What the table does not say, or says wrongly, which is noted, is
/// as in `known`.
fn language(table: &KeyTable, id: &str, known: Option<&Language>) -> Language {
    let mut language = known.cloned().unwrap_or_else(|| unnamed_language(id));
    language.opens_home = true;
    language.keeps_builds = true;
    set(&mut language.name, table.text("name"));
    if known.is_none() {
        table.require("extensions", "`extensions = [\"pas\"]`");
    }
    let extensions = words(table, "extensions", are_extensions);
    set(&mut language.extensions, extensions);
    if let Some(name) = table.text("source") {
        language.source = source(table, name);
    }
    set(&mut language.java_classes, table.flag("java_classes"));
    set(&mut language.together, table.flag("together"));
    set(&mut language.main, table.list("main"));
    read_commands(table, id, known.is_some(), &mut language);
    set(&mut language.package, table.text("package").map(Some));
    let factor = table.whole("time_factor", 1, 1000);
    set(
        &mut language.time_factor,
        factor.map(|factor| factor as u32),
    );
    set(
        &mut language.extra_memory_bytes,
        table.bytes("extra_memory"),
    );
    let toolchain = words(table, "toolchain", is_command);
    set(&mut language.toolchain, toolchain);
    set(&mut language.home, words(table, "home", is_command));
    if let Some(found) = table.text("known_good") {
        language.known_good = Some(found).filter(|source| !source.is_empty());
    }
    set(
        &mut language.compile_environment,
        variables(table, "compile_env"),
    );
    set(&mut language.environment, variables(table, "env"));
    let limits = &mut language.compile_limits;
    set(&mut limits.cpu, table.duration("compile_time"));
    limits.wall = Limits::wall_for(limits.cpu);
    set(&mut limits.memory_bytes, table.bytes("compile_memory"));
    table.refuse_the_rest();
    language
}

/// Replaces a value by what was found, if anything was.
pub(crate) fn set<T>(value: &mut T, found: Option<T>) {
    if let Some(found) = found {
        *value = found;
    }
}

/// Reads the commands, and what is filled in in them.
fn read_commands(
    table: &KeyTable,
    id: &str,
    is_known: bool,
    language: &mut Language,
) {
    let known_program = language.run.first().cloned();
    set(&mut language.standards, words(table, "standards", are_good));
    set(&mut language.options, words(table, "options", are_good));
    let compile = words(table, "compile", is_command);
    if table.has("compile") {
        language.compile = compile.unwrap_or_default();
    }
    read_link(table, language);
    if !is_known {
        table.require("run", "`run = [\"{program}\"]`");
    }
    let run = words(table, "run", is_command);
    if run.as_ref().is_some_and(Vec::is_empty) {
        table.refuse_key(
            "run",
            format!("`run` of [languages.{}] is empty", ellipsized(id, 40)),
            RUN,
        );
    }
    set(&mut language.run, run);
    // Another interpreter need not understand the arguments of the known one.
    if language.run.first() != known_program.as_ref() {
        language.check.clear();
    }
    set(&mut language.check, words(table, "check", is_command));
    let commands = [&language.compile, &language.check, &language.run];
    if table.has("options")
        && !language.options.is_empty()
        && !commands
            .iter()
            .any(|words| words.contains(&OPTIONS.to_owned()))
    {
        table.refuse_value(
            "options",
            format!("`options` has no effect: no command of {} has `{OPTIONS}`", language.name),
            "write `{options}` as a word of `compile`, or of `run` if the language is not compiled",
        );
    }
}

/// Reads the link commands. The usual ones are inherited only together with `compile`,
/// since they link its products.
fn read_link(table: &KeyTable, language: &mut Language) {
    let Some(found) = table.lists("link") else {
        if table.has("compile") {
            language.link.clear();
        }
        return;
    };
    if found.iter().any(Vec::is_empty) {
        table.refuse_value("link", "a command of `link` is empty", LINK);
    } else if language.compile.is_empty() && !found.is_empty() {
        table.refuse_value("link", "there is a `link` and no `compile`", LINK);
    } else if found
        .iter()
        .all(|command| is_command(table, "link", command))
    {
        language.link = found;
    }
}

/// Reads a command or another list of words, if the key is there and they are good.
fn words(
    table: &KeyTable,
    key: &'static str,
    are_good: fn(&KeyTable, &str, &[String]) -> bool,
) -> Option<Vec<String>> {
    table.list(key).filter(|found| are_good(table, key, found))
}

/// Reads the variables of an environment.
fn variables(table: &KeyTable, key: &'static str) -> Option<Vec<(String, String)>> {
    let inner = table.table(key)?;
    let found = inner
        .texts_by_key()
        .into_iter()
        .filter(|(name, text)| environment(&inner, key, name, text))
        .map(|(name, text)| (name.to_owned(), text));
    Some(found.collect())
}

// What a language of a `judge.toml` may not decide, because that file may be a
// stranger's: which command runs outside the sandbox, and which files of the judge's
// user compilers and programs may read. Knows no language.

impl UserConfig {
    /// Whether a `judge.toml` may have compilers and programs read what it names as
    /// `toolchain`: what a language of the user or of the built-in table names too, or
    /// a folder that every program may read or that the user allows.
    fn allows_toolchain(&self, named: &str) -> bool {
        self.allowed_languages()
            .flat_map(|language| &language.toolchain)
            .any(|allowed| allowed == named)
            || self
                .expanded(named)
                .is_some_and(|folder| self.allows_reading(&folder))
    }

    /// Whether all tools of a language are among those of the user or the built-in
    /// table, or files of the submission.
    fn knows_tools(&self, language: &Language) -> bool {
        tools(language).all(|tool| {
            tool.starts_with('{')
                || self
                    .allowed_languages()
                    .flat_map(tools)
                    .any(|allowed| allowed == tool)
        })
    }

    /// The languages of the user and of the built-in table, whose toolchains and tools
    /// are allowed.
    fn allowed_languages(&self) -> impl Iterator<Item = &Language> {
        self.languages.values().chain(BUILT_IN.values())
    }
}

fn tools(language: &Language) -> impl Iterator<Item = &String> {
    let commands = language
        .link
        .iter()
        .chain([&language.compile, &language.run]);
    commands.filter_map(|command| command.first())
}

/// Notes every key of this table that only the judge's user may set, with where to set
/// it.
fn refuse_what_only_users_decide(
    table: &KeyTable,
    id: &str,
    language: &Language,
    user: &UserConfig,
) {
    let id = ellipsized(id, 40);
    if table.has("home") && !language.home.is_empty() {
        let message = format!(
            "`home` of [languages.{id}] is a command that would run outside the sandbox"
        );
        let remedy = format!(
            "delete it, or set it as your own user, in [languages.{id}] of {user}"
        );
        table.refuse_key("home", message, remedy);
    }
    for folder in language.toolchain.iter().filter(|_| table.has("toolchain")) {
        if !user.allows_toolchain(folder) {
            refuse_folder(table, folder, user);
        }
    }
    let link = language.link.iter().map(|command| ("link", command));
    let commands = [("compile", &language.compile), ("run", &language.run)];
    for (key, command) in commands.into_iter().chain(link) {
        if let Some(program) = command.first()
            && table.has(key)
        {
            check_program(table, key, program, user);
        }
    }
    let names = language.package.as_deref().filter(|names| {
        // People copy them into a shell.
        let are_names = !names.trim().is_empty()
            && !names.starts_with('-')
            && !names.contains(" -")
            && names.chars().all(|letter| {
                letter.is_ascii_alphanumeric() || " +-.:_@/".contains(letter)
            });
        !are_names
    });
    if let Some(names) = names {
        let remedy = "write the names of packages, with spaces between them, for \
                      example `gcc libc6-dev`";
        table.refuse_key(
            "package",
            format!("`package = \"{}\"` names no package", ellipsized(names, 40)),
            remedy,
        );
    }
}

fn refuse_folder(table: &KeyTable, folder: &str, user: &UserConfig) {
    let (what, remedy) = if user.holds_home(folder) {
        let remedy = "name the folder of the toolchain itself";
        ("holds your home", remedy.to_owned())
    } else {
        let remedy = format!(
            "delete it, or allow it as your own user in {user}: `folders = \
             [{folder:?}]`"
        );
        ("every program would get to read", remedy)
    };
    let message = format!("`toolchain` names {}, which {what}", quoted(folder));
    table.refuse_key("toolchain", message, remedy);
}

/// Checks the program of a command: a name for the `PATH`, a placeholder, or a program
/// of the system.
fn check_program(table: &KeyTable, key: &str, program: &str, user: &UserConfig) {
    let is_path = program.contains('/') && !program.starts_with('{');
    if !is_path || program.starts_with('/') && user.allows_reading(Path::new(program))
    {
        return;
    }
    let remedy = format!(
        "write its name alone and put its folder into the PATH, or allow its folder \
         as your own user in {user}, for example `folders = [\"/opt/tool\"]`"
    );
    table.refuse_key(
        key,
        format!(
            "`{key}` starts {}, which is not a program of the system",
            quoted(program)
        ),
        remedy,
    );
}

// Checks the values of a language's keys: file endings, the name of a source, commands,
// environments. Knows no language.

/// The placeholders that are filled in.
const PLACEHOLDERS: [&str; 8] = [
    "source",
    "file",
    "program",
    "folder",
    "memory_mib",
    "name",
    "standard",
    "options",
];

/// The longest name of a file, in bytes. File systems allow 255.
const LONGEST_NAME: usize = 200;

/// Checks the endings of a language's files.
fn are_extensions(table: &KeyTable, key: &str, endings: &[String]) -> bool {
    if endings.is_empty() {
        table.refuse_value(
            key,
            format!("`{key}` is empty"),
            "name the ending of its sources, for example `extensions = [\"pas\"]`",
        );
        return false;
    }
    let is_plain = |letter: char| {
        !letter.is_whitespace() && !letter.is_control() && !"/.".contains(letter)
    };
    let wrong = endings
        .iter()
        .find(|ending| ending.is_empty() || !ending.chars().all(is_plain));
    if let Some(ending) = wrong {
        let plain = ending
            .rsplit('.')
            .next()
            .filter(|plain| !plain.is_empty() && plain.chars().all(is_plain));
        let remedy = match plain {
            Some(plain) => format!("write what comes after the last dot: `{plain}`"),
            None => {
                "write what comes after the last dot of a name, for example `pas`"
                    .to_owned()
            }
        };
        table.refuse_value(
            key,
            format!("{} is not a valid file extension", quoted(ending)),
            remedy,
        );
    }
    wrong.is_none()
}

/// Checks the name that a source is copied to. It must not lead to another folder.
fn source(table: &KeyTable, name: String) -> Option<String> {
    let is_plain = !name.contains('/')
        && !name.chars().any(char::is_control)
        && name.len() <= LONGEST_NAME;
    let is_good = is_plain
        && !name.trim().is_empty()
        && !name.starts_with('-')
        && ![".", "..", "program"].contains(&name.as_str());
    if !is_good {
        let remedy = "write the name of a file without a folder, for example `source \
                      = \"Main.java\"`";
        table.refuse_value(
            "source",
            format!(
                "`source = \"{}\"` is not a valid source name",
                ellipsized(&name, 40)
            ),
            remedy,
        );
    }
    is_good.then_some(name)
}

/// Checks the words of a command, of which the first is a program. No words at all are
/// accepted: callers refuse them where a command is required.
fn is_command(table: &KeyTable, key: &str, words: &[String]) -> bool {
    if words
        .first()
        .is_some_and(|program| program.trim().is_empty())
    {
        table.refuse_value(
            key,
            format!("a command of `{key}` begins with an empty word"),
            "begin it with the name of a program, for example `[\"cc\", \"{source}\"]`",
        );
        return false;
    }
    are_good(table, key, words)
}

/// Checks words of a command.
fn are_good(table: &KeyTable, key: &str, words: &[String]) -> bool {
    let at = table.value_place(key);
    words.iter().all(|word| is_good(table, key, word, at))
}

/// Checks one variable of an environment.
fn environment(table: &KeyTable, key: &str, name: &str, value: &str) -> bool {
    if name.is_empty() || name.contains(['=', '\0']) {
        table.refuse_value(
            name,
            format!("{} is not a valid variable name", quoted(name)),
            "write a name without `=`, for example `LANG = \"C\"`",
        );
        return false;
    }
    is_good(table, key, value, table.value_place(name))
}

/// Whether a word can be passed to a program and has no unknown placeholder.
fn is_good(table: &KeyTable, key: &str, word: &str, at: FilePlace) -> bool {
    if word.contains('\0') {
        table.note_mistake(
            at,
            format!("a word of `{key}` holds a NUL byte"),
            "delete it: no program can be given one",
        );
        return false;
    }
    let Some(unknown) = unknown_placeholder(word) else {
        return true;
    };
    let remedy = match nearest(unknown, PLACEHOLDERS) {
        Some(meant) => format!("did you mean `{{{meant}}}`?"),
        None => format!(
            "filled in are `{{{}}}`; put a command that needs its own braces into a \
             script",
            PLACEHOLDERS.join("}`, `{")
        ),
    };
    table.note_mistake(
        at,
        format!("`{{{unknown}}}` in `{key}` stands for nothing"),
        remedy,
    );
    false
}

/// The first lower-case word in braces that is no placeholder. After a `$`, braces
/// belong to the shell.
fn unknown_placeholder(word: &str) -> Option<&str> {
    let mut starts = word
        .match_indices('{')
        .filter(|(at, _)| !word[..*at].ends_with('$'));
    starts.find_map(|(at, _)| {
        let name = &word[at + 1..at + 1 + word[at + 1..].find('}')?];
        let is_name = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        (is_name && !PLACEHOLDERS.contains(&name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_has_no_mistakes() {
        let root = KeyTable::of_text(Path::new("languages.toml"), TABLE);
        for (id, table) in root.tables() {
            language(&table, id, None);
        }
        assert_eq!(root.document.take_mistakes(), []);
        let languages = &*BUILT_IN;
        for id in ["c", "cpp", "rust", "python", "javascript", "java", "go"] {
            assert!(languages.contains_key(id), "{id}");
        }
    }

    #[test]
    fn a_key_of_a_known_language_can_be_changed_alone() {
        let table =
            KeyTable::of_text(Path::new("judge.toml"), "[cpp]\ntime_factor = 3\n");
        let mut languages = BUILT_IN.clone();
        let before = languages["cpp"].clone();
        merge(&mut languages, &table, None);
        assert_eq!(table.document.take_mistakes(), []);
        assert_eq!(
            languages["cpp"],
            Language {
                time_factor: 3,
                ..before
            }
        );
    }

    #[test]
    fn builds_are_kept_only_of_known_languages_with_our_commands() {
        let keeps_builds = |text: &str| {
            let table = KeyTable::of_text(Path::new("judge.toml"), text);
            let mut languages = BUILT_IN.clone();
            merge(&mut languages, &table, None);
            languages
                .remove("c")
                .or(languages.remove("new"))
                .unwrap()
                .keeps_builds
        };
        assert!(
            keeps_builds("")
                && keeps_builds(
                    "[c]\ntime_factor = 3\nextensions = [\"c\", \"h\"]\n"
                )
        );
        let texts = [
            "compile = [\"tcc\"]",
            "options = [\"-g\"]",
            "compile_env = { CPATH = \"/x\" }",
            "link = []",
        ];
        for text in texts {
            assert!(!keeps_builds(&format!("[c]\n{text}\n")), "{text}");
        }
    }

    #[test]
    fn a_new_compile_command_does_not_inherit_the_old_link_commands() {
        let link_of_c = |text| {
            let table = KeyTable::of_text(Path::new("judge.toml"), text);
            let mut languages = BUILT_IN.clone();
            merge(&mut languages, &table, None);
            assert_eq!(table.document.take_mistakes(), []);
            languages.remove("c").unwrap().link
        };
        assert_eq!(link_of_c("[c]\ntime_factor = 3\n").len(), 2);
        assert_eq!(
            link_of_c(
                "[c]\ncompile = [\"tcc\", \"-o\", \"{program}\", \"{source}\"]\n"
            ),
            [[""; 0]; 0]
        );
        assert_eq!(link_of_c("[c]\nlink = [[\"ld\"]]\n"), [["ld"]]);
        assert_eq!(
            link_of_c("[c]\nlink = [[\"ld\"]]\ncompile = [\"tcc\"]\n"),
            [["ld"]]
        );
    }

    #[test]
    fn options_that_no_command_takes_are_a_mistake() {
        let mistakes_of = |text: &str| {
            let table = KeyTable::of_text(Path::new("judge.toml"), text);
            merge(&mut BUILT_IN.clone(), &table, None);
            table.document.take_mistakes()
        };
        for known in ["rust", "go", "haskell", "ada", "cpp", "java"] {
            assert_eq!(mistakes_of(&format!("[{known}]\noptions = [\"-g\"]\n")), []);
        }
        let mistakes = mistakes_of("[python]\noptions = [\"-O\"]\n");
        assert_eq!(
            mistakes.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "judge.toml:2: `options` has no effect: no command of Python has `{options}`"
            ]
        );
        let own = "[ocaml]\ncompile = [\"ocamlc\", \"{file}\"]\n";
        assert_eq!(mistakes_of(own), []);
    }

    #[test]
    fn another_interpreter_does_not_inherit_the_check() {
        let check_of = |text: &str| {
            let text = format!("[python]\n{text}\n");
            let table = KeyTable::of_text(Path::new("judge.toml"), &text);
            let mut languages = BUILT_IN.clone();
            merge(&mut languages, &table, None);
            assert_eq!(table.document.take_mistakes(), []);
            languages.remove("python").unwrap().check
        };
        assert_eq!(check_of("time_factor = 2")[0], "python3");
        assert_eq!(
            check_of("run = [\"python3\", \"-O\", \"{source}\"]")[0],
            "python3"
        );
        assert_eq!(check_of("run = [\"pypy3\", \"{source}\"]"), [""; 0]);
        assert_eq!(check_of("check = []"), [""; 0]);
        assert_eq!(
            check_of("check = [\"pypy3\"]\nrun = [\"pypy3\"]"),
            ["pypy3"]
        );
    }

    #[test]
    fn an_ending_moves_from_a_known_language_to_the_one_that_claims_it() {
        let text = "[kt]\nextensions = [\"kt\", \"py\"]\nrun = \
                    [\"kotlin\"]\n[python]\ntime_factor = 2\n[ruby]\nextensions = [\"rb\", \
                    \"kt\"]\n";
        let table = KeyTable::of_text(Path::new("judge.toml"), text);
        let mut languages = BUILT_IN.clone();
        merge(&mut languages, &table, None);
        assert_eq!(table.document.take_mistakes(), []);
        let endings = |id: &str| languages[id].extensions.join(" ");
        assert_eq!(
            ["kt", "kotlin", "python", "ruby"].map(endings),
            ["kt py", "", "py3", "rb kt"]
        );
    }

    #[test]
    fn a_language_must_say_how_it_runs_and_what_is_linked() {
        let mistakes = |text| {
            let table = KeyTable::of_text(Path::new("judge.toml"), text);
            merge(&mut BUILT_IN.clone(), &table, None);
            table
                .document
                .take_mistakes()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        for (text, mistake) in [
            ("[d]\nextensions = [\"d\"]\n", "1: [d] has no `run`"),
            ("[cpp]\nrun = []\n", "2: `run` of [languages.cpp] is empty"),
            (
                "[cpp]\nrun = [\"\"]\n",
                "2: a command of `run` begins with an empty word",
            ),
            (
                "[cpp]\nrun = [\"{program}\", \"\\u0000\"]\n",
                "2: a word of `run` holds a NUL byte",
            ),
            (
                "[cpp]\ncompile = [\"cc\", \"{src}\"]\n",
                "2: `{src}` in `compile` stands for nothing",
            ),
            (
                "[cpp]\nenv = { \"A=B\" = \"x\" }\n",
                "2: `A=B` is not a valid variable name",
            ),
            ("[cpp]\nextensions = []\n", "2: `extensions` is empty"),
            (
                "[cpp]\nextensions = [\".q\"]\n",
                "2: `.q` is not a valid file extension",
            ),
            (
                "[cpp]\nextensions = [\"a\\u0000\"]\n",
                "2: `a\0` is not a valid file extension",
            ),
            (
                "[cpp]\nsource = \"\"\n",
                "2: `source = \"\"` is not a valid source name",
            ),
            (
                "[cpp]\nsource = \"../../evil\"\n",
                "2: `source = \"../../evil\"` is not a valid source name",
            ),
            (
                "[cpp]\nsource = \"/etc/evil\"\n",
                "2: `source = \"/etc/evil\"` is not a valid source name",
            ),
            (
                "[cpp]\nsource = \"..\"\n",
                "2: `source = \"..\"` is not a valid source name",
            ),
            (
                "[cpp]\nsource = \"program\"\n",
                "2: `source = \"program\"` is not a valid source name",
            ),
            ("[cpp]\nlink = [[]]\n", "2: a command of `link` is empty"),
            (
                "[cpp]\nlink = [\"ld\"]\n",
                "2: `link` in [cpp] must be a list of lists of texts",
            ),
            (
                "[python]\nlink = [[\"ld\"]]\n",
                "2: there is a `link` and no `compile`",
            ),
        ] {
            assert_eq!(mistakes(text), [format!("judge.toml:{mistake}")]);
        }
    }
}

#[cfg(test)]
mod words_tests {
    use super::*;

    #[test]
    fn a_lower_case_word_in_braces_must_be_a_known_placeholder() {
        for (word, unknown) in [
            ("{source}", None),
            ("-o{program}:{folder}", None),
            ("{sorce}", Some("sorce")),
            ("{source} {files}", Some("files")),
            ("${home}/{source}", None),
            ("{ print $1 }", None),
            ("{}", None),
            ("{X}", None),
            ("a{b", None),
        ] {
            assert_eq!(unknown_placeholder(word), unknown, "{word}");
        }
    }
}
