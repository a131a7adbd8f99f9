//! Reads the tests of a Polygon package and the limits that are given with them, and
//! finds those that it leaves out because a generator makes them, as standard packages
//! do, and the generators; runs nothing. Start at [`Package::read_tests`].
//!
//! Source: `doall` in packages, and the scripts that it calls: `gen-input-via-stdout`,
//! and `gen-input-via-files` for one command that writes many tests into files
//! (`from-file`).

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::path::Path;
use std::time::Duration;

use crate::files::InnerName;
use crate::mistake::{Mistake, RemarkKind, quoted};
use crate::model::Case;
use crate::package::polygon::xml::{FULL_PACKAGE, source_of};
use crate::package::polygon::{TestPattern, XmlElement, points};
use crate::package::{
    CaseArguments, GeneratorCommand, MissingTest, Package, last_part,
};
use crate::text::counted;

/// A test whose input is not there, and its element, if it has one.
type UnseenTest<'d> = (Case, Option<XmlElement<'d>>);

/// Finds the generators of these tests, out of `count` in a set, and notes that the
/// tests are missing. A test without a generator is a mistake.
fn missing_tests(
    unseen: Vec<UnseenTest<'_>>,
    count: u64,
    (problem, set): (&XmlElement<'_>, &XmlElement<'_>),
) -> Vec<MissingTest> {
    let tree = set.tree;
    let (made, lost): (Vec<_>, Vec<_>) = unseen.into_iter().partition(|(_, test)| {
        test.as_ref()
            .is_some_and(|test| test.attribute("cmd").is_some())
    });
    tree.mistakes(
        missed(&lost, count, set).map(|missed| missed.with_remedy(FULL_PACKAGE)),
    );
    tree.add_remarks(RemarkKind::MissingTests, missed(&made, count, set));
    // The programs of the package, by the names of their files with and without ending.
    let mut sources = BTreeMap::new();
    for one in problem.children("files/executables/executable") {
        let source = one.child("source");
        if let Some(path) = source.and_then(|source| source.attribute("path")) {
            let name = last_part(path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            // Of two with the same name, the first is used.
            sources.entry(name).or_insert(one);
            sources.entry(stem).or_insert(one);
        }
    }
    let mut generators = Generators {
        sources,
        reported: BTreeSet::new(),
    };
    made.into_iter()
        .filter_map(|(case, test)| {
            let test = test?;
            let command = tree.ok_or_note(generators.command(&test, &case))?;
            Some(MissingTest { case, command })
        })
        .collect()
}

/// Returns the mistake that tests are not in the package, with the command for the
/// first of them.
fn missed(
    unseen: &[UnseenTest<'_>],
    count: u64,
    set: &XmlElement<'_>,
) -> Option<Mistake> {
    let (case, test) = unseen.first()?;
    let command = test.and_then(|test| test.attribute("cmd"));
    let made = command.map_or_else(String::new, |command| {
        format!(", which {} makes", quoted(command))
    });
    let verb = if unseen.len() == 1 { "is" } else { "are" };
    let line = test.unwrap_or(*set).line();
    Some(
        Mistake::about_file(
            &set.tree.package_file,
            format!(
                "{} of {} {verb} not in the package, the first is `{}`{made}",
                unseen.len(),
                counted(count, "test"),
                case.name
            ),
        )
        .on_line(line),
    )
}

/// The generators that commands may call.
struct Generators<'d> {
    /// Their elements, by the names that commands use for them.
    sources: BTreeMap<&'d str, XmlElement<'d>>,
    /// The names of generators whose absence was reported already.
    reported: BTreeSet<String>,
}

impl Generators<'_> {
    /// Returns the command of a test.
    ///
    /// # Errors
    /// Returns what is wrong with it, or `None` if that was reported already: the absence
    /// of a generator is reported once.
    fn command(
        &mut self,
        test: &XmlElement<'_>,
        case: &Case,
    ) -> Result<GeneratorCommand, Option<Mistake>> {
        let text = test.attribute("cmd").unwrap_or_default();
        let (program, arguments) =
            command_words(text).map_err(|[wrong, remedy]| {
                test.mistake(
                    format!(
                        "the command {} of `{}` {wrong}",
                        quoted(text),
                        case.name
                    ),
                    remedy,
                )
            })?;
        let output_file = test.attribute("from-file").map(str::to_owned);
        // It must not lead elsewhere.
        if let Some(file) = &output_file
            && (InnerName::parse(file).is_none() || file.contains('/'))
        {
            return Err(Some(test.mistake(
                format!(
                    "`from-file` of `{}` must be the name of a file, found {}",
                    case.name,
                    quoted(file)
                ),
                "write it without folders",
            )));
        }
        let found = match self.sources.get(&*program) {
            Some(executable) => source_of(executable).map(Path::to_owned),
            None => Err(Some(test.mistake(
                format!(
                    "`{}` is made by {}, of which `<executables>` names no source",
                    case.name,
                    quoted(&program)
                ),
                FULL_PACKAGE,
            ))),
        };
        let source = found
            .map_err(|mistake| mistake.filter(|_| self.reported.insert(program)))?;
        Ok(GeneratorCommand {
            text: text.to_owned(),
            source,
            arguments,
            output_file,
        })
    }
}

// Splits the command that generates a test of a Polygon package, as in `cmd` of a
// `<test>`: `gen 10 "a b"`. Knows no other file and runs nothing.
//
// Quotes join a word and are removed, and nothing else is special: no shell ever sees a
// command. Packages have commands like `gen '-mode' '1'`, whose generators, which use
// testlib, would not understand quoted words.

/// Splits a command at its blanks, into its generator and the arguments.
///
/// # Errors
/// Returns the first reason why it is not the command of a single test, worded to follow
/// it, and the remedy.
fn command_words(text: &str) -> Result<(String, Vec<String>), [&'static str; 2]> {
    let mut words = vec![];
    let mut word = None::<String>;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => {
                quote = None;
            }
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter.is_whitespace() => {
                words.extend(mem::take(&mut word));
            }
            None if letter == '>' && word.is_none() => {
                return Err([
                    "redirects what it prints, as scripts of tests do and single tests do not",
                    "leave `>` and what follows out; a file that the generator writes is named \
                     by `from-file`",
                ]);
            }
            None if ['"', '\''].contains(&letter) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(["has a quote that is not closed", "close it"]);
    }
    let mut words = words.into_iter().chain(word);
    let generator = words
        .next()
        .ok_or(["names no generator", "write `cmd=\"NAME ARGUMENTS\"`"])?;
    Ok((generator, words.collect()))
}

// Reads the tests of a Polygon package, and the limits that are given with them. Start
// at [`Package::read_tests`].

/// The test set that is judged; others are for contests with two rounds.
const JUDGED: &str = "tests";

/// The largest figures that are accepted; anything above is surely a typing error.
const MOST_TESTS: u64 = 100_000;
const MOST_MILLISECONDS: u64 = 100_000_000;
const MOST_BYTES: u64 = 1 << 44;

/// The memory limit if the package's own cannot be read; such a package is not judged.
const NO_FIGURE: u64 = 0;

impl Package {
    /// Reads the test set that is judged: its tests, named by their files, and limits.
    pub(super) fn read_tests(
        &mut self,
        problem: &XmlElement<'_>,
        judging: &XmlElement<'_>,
    ) {
        self.limits.memory_bytes = NO_FIGURE;
        let tree = judging.tree;
        let sets: Vec<_> = judging.children("testset").collect();
        let judged = sets
            .iter()
            .find(|set| set.attribute("name") == Some(JUDGED))
            .or(sets.first());
        let Some(set) = judged else {
            return judging.refuse("`<judging>` has no `<testset>`", FULL_PACKAGE);
        };
        let names = sets.iter().filter_map(|set| set.attribute("name"));
        for other in names.filter(|name| Some(*name) != set.attribute("name")) {
            tree.ignore(format!("the tests of `{other}`: only one set judges"));
        }
        let time = set.number_of("time-limit", MOST_MILLISECONDS, "milliseconds");
        self.limits.time = time.map(Duration::from_millis);
        let memory = set.number_of("memory-limit", MOST_BYTES, "bytes");
        self.limits.memory_bytes = memory.unwrap_or(NO_FIGURE);
        let count = set.number_of("test-count", MOST_TESTS, "a number of tests");
        let pattern = |name| TestPattern::from_set(set, name);
        let files = tree.ok_or_note(
            pattern("input-path-pattern")
                .and_then(|input| Ok((input, pattern("answer-path-pattern")?))),
        );
        let Some((count, (input, answer))) = count.zip(files) else {
            return;
        };
        let all: Vec<_> = (1..=count)
            .map(|number| Case {
                name: input.name(number),
                input: tree.root.join(input.name(number)),
                answer: tree.root.join(answer.name(number)),
            })
            .collect();
        self.scoring = points::polygon_scoring(judging, set, &all);
        let unseen = self.add_tests(set, all);
        self.missing_tests = missing_tests(unseen, count, (problem, set));
    }

    /// Adds tests, with what their elements say. Returns those without an input, with
    /// their elements.
    fn add_tests<'d>(
        &mut self,
        set: &XmlElement<'d>,
        all: Vec<Case>,
    ) -> Vec<UnseenTest<'d>> {
        let testset = set.attribute("name").unwrap_or_default();
        let mut tests = set.children("tests/test");
        let mut unseen = vec![];
        for case in all {
            let test = tests.next();
            let attribute = |name| test.and_then(|test| test.attribute(name));
            if attribute("sample") == Some("true") {
                self.samples.insert(case.name.clone());
            }
            // Polygon's own scripts give the names of the set and of the group.
            let group = attribute("group").unwrap_or_default();
            let words = ["--testset", testset, "--group", group].map(str::to_owned);
            let arguments = CaseArguments::All(words.to_vec());
            self.validation
                .arguments
                .insert(case.name.clone(), arguments);
            if set.tree.lacks(&case.name) {
                unseen.push((case, test));
            } else {
                self.cases.push(case);
            }
        }
        unseen
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod generator_command_tests {
    use super::*;

    #[test]
    fn blanks_separate_words_and_quotes_join_them() {
        for (text, words) in [
            ("gen", &["gen"][..]),
            ("  gen\t1  -n=5 ", &["gen", "1", "-n=5"]),
            ("gen '-mode' '1' \"a b\"", &["gen", "-mode", "1", "a b"]),
            (
                "gen --word=\"a  'b'\"c '' \"\"",
                &["gen", "--word=a  'b'c", "", ""],
            ),
            (
                r"gen \ $HOME `id` ; | & < * {1..3} a>b '>'",
                &[
                    "gen", r"\", "$HOME", "`id`", ";", "|", "&", "<", "*", "{1..3}",
                    "a>b", ">",
                ],
            ),
        ] {
            let (generator, arguments) = command_words(text).unwrap();
            assert_eq!([&[generator][..], &arguments].concat(), words, "{text}");
        }
    }

    #[test]
    fn commands_that_cannot_generate_a_single_test_are_refused() {
        let redirected = "redirects what it prints, as scripts of tests do and single tests do not";
        for (text, wrong) in [
            ("", "names no generator"),
            (" ", "names no generator"),
            ("gen \"1", "has a quote that is not closed"),
            ("gen it's", "has a quote that is not closed"),
            ("gen 1 > 5", redirected),
            ("gen 1 >{1-5}", redirected),
        ] {
            assert_eq!(command_words(text).unwrap_err()[0], wrong, "{text}");
        }
    }
}
