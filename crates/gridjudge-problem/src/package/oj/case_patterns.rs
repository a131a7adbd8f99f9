//! Two patterns by which the user names the cases in a folder, as `in/*.txt,out/*.txt`:
//! what a `*` stands for in the name of an input stands in the name of its answer as
//! well, and is the name of the case. Looks at names only. Start at
//! [`CasePatterns::pair`].

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use regex_lite::Regex;

use crate::files::InnerName;
use crate::package::oj::pairing::{PairedCase, PairedFiles};

/// The patterns of inputs and of their answers.
#[derive(Clone, Debug)]
pub struct CasePatterns {
    input: NamePattern,
    answer: NamePattern,
}

/// A pattern for names of files, relative to the folder. Each `*` stands for one or
/// more characters except `/`.
#[derive(Clone, Debug)]
struct NamePattern {
    text: String,
    /// Matches as much as possible with each `*` from the left, and as little: if a
    /// name can be read in several ways, these two differ.
    longest: Regex,
    shortest: Regex,
}

/// Why a text is not two patterns.
#[derive(Debug, thiserror::Error)]
pub enum CasePatternsError {
    /// Not two patterns.
    #[error(
        "expected the pattern of inputs, a comma and that of answers, for example `in/*.txt,out/*.txt`"
    )]
    NotTwo,
    /// A pattern that names one file.
    #[error("`{0}` has no `*`, which stands for the name of the case")]
    NoStar(String),
    /// A pattern with `**`.
    #[error(
        "`{0}` has a `**`; a `*` stands for a part of the name of one folder or file"
    )]
    StarsInARow(String),
    /// Patterns with different numbers of `*`.
    #[error(
        "`{input}` and `{answer}` do not have the same number of `*`, each of which stands for \
         the same text in both"
    )]
    OtherStars {
        /// The pattern of inputs.
        input: String,
        /// The pattern of answers.
        answer: String,
    },
    /// One pattern twice.
    #[error(
        "`{0}` is the pattern of inputs and of answers, so no file would be either"
    )]
    Same(String),
    /// A pattern for files elsewhere.
    #[error(
        "`{0}` does not name files below the folder, which are not in hidden places"
    )]
    Outside(String),
    /// A pattern that is too long.
    #[error("`{0}` is too long")]
    Large(String),
}

impl FromStr for CasePatterns {
    type Err = CasePatternsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (input, answer) =
            text.split_once(',').ok_or(CasePatternsError::NotTwo)?;
        if answer.contains(',') {
            return Err(CasePatternsError::NotTwo);
        }
        let input = NamePattern::new(input)?;
        let answer = NamePattern::new(answer)?;
        if input.text == answer.text {
            return Err(CasePatternsError::Same(input.text));
        }
        if input.stars() != answer.stars() {
            return Err(CasePatternsError::OtherStars {
                input: input.text,
                answer: answer.text,
            });
        }
        Ok(Self { input, answer })
    }
}

impl CasePatterns {
    /// The pattern of inputs.
    pub(crate) fn inputs(&self) -> &str {
        &self.input.text
    }

    /// How many folders and files a name that matches has, at most.
    pub(crate) fn depth(&self) -> usize {
        let depth = |pattern: &NamePattern| pattern.text.matches('/').count() + 1;
        depth(&self.input).max(depth(&self.answer))
    }

    /// Whether a name may be that of an input.
    pub(crate) fn matches_input(&self, name: &str) -> bool {
        self.input.parts(name).is_some()
    }

    /// Finds the cases among the files with these names.
    pub(crate) fn pair<'f>(
        &self,
        files: impl IntoIterator<Item = &'f str>,
    ) -> PairedFiles {
        let files: BTreeSet<&str> = files.into_iter().collect();
        let mut found = PairedFiles::default();
        for file in &files {
            let mut patterns = [&self.input, &self.answer].into_iter();
            if let Some(pattern) = patterns.find(|pattern| {
                pattern.parts(file) != parts_by(&pattern.shortest, file)
            }) {
                let said =
                    format!("can be read in several ways by `{}`", pattern.text);
                found.ambiguous.push(((*file).to_owned(), said));
                continue;
            }
            match (self.input.parts(file), self.answer.parts(file)) {
                (None, None) => {
                    found.others.push((*file).to_owned());
                }
                (Some(parts), None) => {
                    found.cases.push(self.case_of(file, &parts));
                }
                (None, Some(parts)) => {
                    let input = self.input.name_of(&parts);
                    if !files.contains(&*input) {
                        found.without_input.push(((*file).to_owned(), input));
                    }
                }
                (Some(parts), Some(parts_of_answer)) => {
                    let case = self.case_of(file, &parts);
                    let input = self.input.name_of(&parts_of_answer);
                    match (files.contains(&*case.answers[0]), files.contains(&*input))
                    {
                        (true, true) => {
                            let answer = &case.answers[0];
                            let said = format!(
                                "may be the answer of `{input}`, or the input of `{answer}`"
                            );
                            found.ambiguous.push(((*file).to_owned(), said));
                        }
                        (false, true) => {}
                        (_, false) => {
                            found.cases.push(case);
                        }
                    }
                }
            }
        }
        found.cases.sort();
        found
    }

    fn case_of(&self, input: &str, parts: &[&str]) -> PairedCase {
        PairedCase {
            name: parts.join("/"),
            input: input.to_owned(),
            answers: vec![self.answer.name_of(parts)],
        }
    }
}

impl NamePattern {
    fn new(text: &str) -> Result<Self, CasePatternsError> {
        let text = text.trim();
        let text = text.strip_prefix("./").unwrap_or(text).to_owned();
        if text.is_empty() {
            return Err(CasePatternsError::NotTwo);
        }
        if !text.contains('*') {
            return Err(CasePatternsError::NoStar(text));
        }
        if text.contains("**") {
            return Err(CasePatternsError::StarsInARow(text));
        }
        if InnerName::parse(&text).is_none() {
            return Err(CasePatternsError::Outside(text));
        }
        let matching = |star: &str| {
            let parts: Vec<String> =
                text.split('*').map(regex_lite::escape).collect();
            Regex::new(&format!("^{}$", parts.join(star)))
        };
        match (matching("([^/]+)"), matching("([^/]+?)")) {
            (Ok(longest), Ok(shortest)) => Ok(Self {
                text,
                longest,
                shortest,
            }),
            _ => Err(CasePatternsError::Large(text)),
        }
    }

    fn stars(&self) -> usize {
        self.text.matches('*').count()
    }

    /// What each `*` stands for in a name; `None` if it does not match.
    fn parts<'n>(&self, name: &'n str) -> Option<Vec<&'n str>> {
        parts_by(&self.longest, name)
    }

    /// The name in which each `*` stands for one of these parts.
    fn name_of(&self, parts: &[&str]) -> String {
        let mut parts = parts.iter();
        let mut pieces = self.text.split('*');
        let mut name = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            name += parts.next().copied().unwrap_or_default();
            name += piece;
        }
        name
    }
}

fn parts_by<'n>(regex: &Regex, name: &'n str) -> Option<Vec<&'n str>> {
    let found = regex.captures(name)?;
    let parts = found.iter().skip(1).flatten();
    Some(parts.map(|part| part.as_str()).collect())
}

// Knows the files in which judges whose formats are not read describe problems. Looks
// only at names. Start at [`foreign_judge`].

/// The files by name, each with the judges that it is of, and whether its name alone
/// shows that.
const FOREIGN_SETTINGS: [(&str, &str, bool); 14] = [
    ("config.yml", "Hydro and Luogu", false),
    ("config.yaml", "Hydro and Luogu", false),
    ("data.yml", "SYZOJ and LibreOJ", true),
    ("problem.conf", "UOJ", true),
    ("info.toml", "Library Checker", true),
    ("task.yaml", "CMS", true),
    ("problem.json", "BOCA and other judges", true),
    ("problem_zh.md", "Hydro", true),
    ("config.ini", "other judges", false),
    ("config.json", "other judges", false),
    ("tests.json", "other judges", false),
    ("settings.cfg", "Themis", false),
    ("settings.xml", "other judges", false),
    ("problem.properties", "PC^2 and other judges", true),
];

/// The judges that a file describes a problem for, by its name in any case.
pub(crate) fn foreign_judge(name: &str) -> Option<&'static str> {
    let settings = FOREIGN_SETTINGS
        .iter()
        .find(|(file, ..)| name.eq_ignore_ascii_case(file));
    settings.map(|(_, judges, _)| *judges)
}

/// The file that shows that a folder is a problem of other judges, and these.
pub(crate) fn foreign_problem(folder: &Path) -> Option<(&'static str, &'static str)> {
    let mut shown = FOREIGN_SETTINGS
        .iter()
        .filter(|(.., is_certain)| *is_certain);
    shown
        .find(|(file, ..)| folder.join(file).is_file())
        .map(|(file, judges, _)| (*file, *judges))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(patterns: &str, files: &[&str]) -> PairedFiles {
        patterns
            .parse::<CasePatterns>()
            .unwrap()
            .pair(files.iter().copied())
    }

    fn cases(patterns: &str, files: &[&str]) -> Vec<String> {
        pair(patterns, files)
            .cases
            .into_iter()
            .map(|case| format!("{}: {} {}", case.name, case.input, case.answers[0]))
            .collect()
    }

    #[test]
    fn what_a_star_stands_for_is_the_name_of_the_case() {
        for (patterns, files, expected) in [
            (
                "gen/*,sol/*",
                ["gen/2", "sol/2", "gen/1", "sol/1"],
                ["1: gen/1 sol/1", "2: gen/2 sol/2"],
            ),
            (
                "./in/*.txt, out/*.txt",
                ["in/a.txt", "out/a.txt", "in/b b.txt", "out/b b.txt"],
                ["a: in/a.txt out/a.txt", "b b: in/b b.txt out/b b.txt"],
            ),
            (
                "*/input.*,*/answer.*.txt",
                ["x/input.1", "x/answer.1.txt", "y/input.1", "y/answer.1.txt"],
                [
                    "x/1: x/input.1 x/answer.1.txt",
                    "y/1: y/input.1 y/answer.1.txt",
                ],
            ),
            (
                "tests/*,tests/*.a",
                ["tests/1", "tests/1.a", "tests/2", "tests/2.a"],
                ["1: tests/1 tests/1.a", "2: tests/2 tests/2.a"],
            ),
            (
                "t+(*),u[*",
                ["t+(1)", "u[1", "t+(2)", "u[2"],
                ["1: t+(1) u[1", "2: t+(2) u[2"],
            ),
        ] {
            assert_eq!(cases(patterns, &files), expected, "{patterns}");
        }
    }

    #[test]
    fn a_star_does_not_lead_into_folders_and_stands_for_something() {
        let found = pair(
            "in/*,out/*",
            &["in/a/b", "out/a/b", "in/.x/y", "in", "other/in/1"],
        );
        assert_eq!((found.cases.len(), found.others.len()), (0, 5));
        assert_eq!(pair("in*,out*", &["in", "out"]).others, ["in", "out"]);
    }

    #[test]
    fn every_input_without_an_answer_is_a_case_and_every_answer_without_an_input_is_named()
     {
        let found = pair(
            "in/*,out/*",
            &["in/1", "in/2", "in/3", "out/2", "out/4", "readme"],
        );
        assert_eq!(found.cases.len(), 3);
        assert_eq!(
            found.without_input,
            [("out/4".to_owned(), "in/4".to_owned())]
        );
        assert_eq!(found.others, ["readme"]);
    }

    #[test]
    fn what_can_be_read_in_several_ways_is_ambiguous() {
        let said = |patterns: &str, files: &[&str]| {
            pair(patterns, files)
                .ambiguous
                .into_iter()
                .map(|(file, why)| format!("{file} {why}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            said("*-*.in,*-*.out", &["a-b-c.in", "a-b.in", "a-b.out"]),
            ["a-b-c.in can be read in several ways by `*-*.in`"]
        );
        assert_eq!(
            said("*,*.a", &["1", "1.a", "1.a.a"]),
            ["1.a may be the answer of `1`, or the input of `1.a.a`"]
        );
        // Each could be the other's answer, and one its own.
        assert_eq!(
            said("a*,*a", &["aa"]),
            ["aa may be the answer of `aa`, or the input of `aa`"]
        );
    }

    #[test]
    fn patterns_that_name_no_cases_are_refused() {
        for (text, why) in [
            ("in/*.txt", "expected the pattern of inputs, a comma"),
            ("a*,b*,c*", "expected the pattern of inputs, a comma"),
            ("in/*,", "expected the pattern of inputs, a comma"),
            ("in/1.txt,out/*.txt", "`in/1.txt` has no `*`"),
            (
                "in/*/*,out/*",
                "`in/*/*` and `out/*` do not have the same number of `*`",
            ),
            ("in/**,out/*", "`in/**` has a `**`"),
            (
                "in/*,./in/*",
                "`in/*` is the pattern of inputs and of answers",
            ),
            ("../*,out/*", "`../*` does not name files below the folder"),
            (
                "/tmp/*,out/*",
                "`/tmp/*` does not name files below the folder",
            ),
            (
                "in/*,.git/*",
                "`.git/*` does not name files below the folder",
            ),
            (
                "in//*,out/*",
                "`in//*` does not name files below the folder",
            ),
        ] {
            let found = text.parse::<CasePatterns>().unwrap_err().to_string();
            assert!(found.starts_with(why), "{text}: {found}");
        }
    }
}
