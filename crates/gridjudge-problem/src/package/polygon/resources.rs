//! Reads the resources of a Polygon package (`<files>` of `problem.xml`): graders and
//! libraries that are compiled with every solution, and files that checkers and
//! interactors find where they work. Start at [`PolygonResources::read`].
//!
//! Polygon's own description names no more than the attributes; the meanings follow an
//! independent description of `problem.xml`, section "Files".

use std::collections::BTreeMap;

use crate::files::InnerName;
use crate::mistake::quoted;
use crate::model::{
    Expected, HEADER_ENDINGS, SourceFile, Verdict, ending, file_name,
};
use crate::package::polygon::XmlElement;
use crate::package::polygon::xml::FULL_PACKAGE;
use crate::package::{
    Package, PackageSubmission, SkippedSubmission, first_part, last_part,
};
use crate::text::path_text;

/// The languages that solutions may be in: the code of Kattis' formats, the beginning
/// of Polygon's types, and the endings of sources.
const LANGUAGES: &str = "\
c c c
cpp cpp cpp cc cxx
csharp csharp cs
go go go
haskell haskell hs
java java java
javascript js js
kotlin kotlin kt
ocaml ocaml ml
pascal pas pas dpr pp
perl perl pl pm
php php php
python3 python py
ruby ruby rb
rust rust rs";

/// The languages whose sources include headers.
const INCLUDING: [&str; 2] = ["c", "cpp"];

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;

/// The resources of a package.
#[derive(Default)]
pub(super) struct PolygonResources {
    /// The files that are compiled with every solution, by the code of its language.
    pub(super) includes: BTreeMap<String, Vec<SourceFile>>,
    /// The files that the checker finds where it works.
    pub(super) of_checker: Vec<SourceFile>,
    /// The files that the interactor finds where it works.
    pub(super) of_interactor: Vec<SourceFile>,
}

/// Names of files that every call of a program that judges has.
const RESERVED: [&str; 2] = ["output", "report"];

impl PolygonResources {
    /// Reads the resources. Notes those that are needed and not supported.
    pub(super) fn read(problem: &XmlElement<'_>) -> Self {
        let mut found = Self::default();
        for file in problem.children("files/resources/file") {
            let stages = names_in(&file, "stages/stage");
            let assets = names_in(&file, "assets/asset");
            // Without stages it is listed only because it is there; headers are found
            // in their folder.
            let uses: Vec<_> = stages
                .iter()
                .flat_map(|stage| assets.iter().map(move |asset| (*stage, *asset)))
                .collect();
            if uses.is_empty() {
                continue;
            }
            let Some(source) = resource(&file) else {
                continue;
            };
            for used in &uses {
                found.add(&file, &source, *used);
            }
        }
        found
    }

    /// Adds a resource for one of its uses: the stage, and what it is used with.
    fn add(
        &mut self,
        file: &XmlElement<'_>,
        source: &SourceFile,
        used: (&str, &str),
    ) {
        let name = quoted(&source.name);
        let need = |what: String| file.need(&what);
        match used {
            ("compile", "solution") => {
                if !self.include(file, source) {
                    need(format!("{name} with sources of another language"));
                }
            }
            ("run", "solution") => {
                need(format!("the file {name} beside running solutions"))
            }
            ("run", "checker" | "interactor")
                if RESERVED.contains(&first_part(&source.name)) =>
            {
                need(format!("a file called {name} beside a program that judges"));
            }
            ("run", "checker") => {
                self.of_checker.push(source.clone());
            }
            ("run", "interactor") => {
                self.of_interactor.push(source.clone());
            }
            ("compile", asset @ ("checker" | "interactor"))
                if !is_found_beside(file, &source.name) =>
            {
                need(format!("the {asset} to be compiled with {name}"));
            }
            ("compile", "checker" | "interactor" | "validator") => {}
            (stage, asset) => {
                file.tree.ignore(format!(
                    "the resource {name} for {} at the stage {}",
                    quoted(asset),
                    quoted(stage)
                ));
            }
        }
    }

    /// Adds a file to the languages that it is for: sources to their own, headers to
    /// those that include them, and other files to all. Returns whether it is for any.
    fn include(&mut self, file: &XmlElement<'_>, source: &SourceFile) -> bool {
        let ending = ending(&source.name);
        let rows = || {
            LANGUAGES
                .lines()
                .map(|row| row.split(' ').collect::<Vec<_>>())
        };
        let is_source = rows().any(|row| row[2..].contains(&ending));
        let mut is_included = false;
        for row in rows() {
            let code = row[0];
            let fits = if is_source {
                row[2..].contains(&ending)
            } else {
                INCLUDING.contains(&code)
                    || !HEADER_ENDINGS.contains(&ending)
                    || ending == "inc"
            };
            if fits && is_for(file, row[1]) {
                self.includes
                    .entry(code.to_owned())
                    .or_default()
                    .push(source.clone());
                is_included = true;
            }
        }
        is_included
    }
}

/// The names of the elements at a path.
fn names_in<'d>(file: &XmlElement<'d>, path: &'static str) -> Vec<&'d str> {
    file.children(path)
        .filter_map(|item| item.attribute("name"))
        .collect()
}

/// The file of a resource, under the name that programs know it by. Notes a mistake if
/// there is none, or if the name leads elsewhere.
fn resource(file: &XmlElement<'_>) -> Option<SourceFile> {
    let tree = file.tree;
    let path = file.attribute("path").unwrap_or_default();
    let Some(found) = tree.file(path) else {
        if tree.lacks(path) {
            file.refuse(
                format!("{} of `<file>` is not in the package", quoted(path)),
                FULL_PACKAGE,
            );
        }
        return None;
    };
    let name = file.attribute("location").unwrap_or(last_part(path));
    let is_inside = InnerName::parse(name).is_some() && name.len() <= LONGEST_NAME;
    if !is_inside || name.contains('\\') {
        file.refuse(
            format!(
                "`location` is {}, which is not a valid file name",
                quoted(name)
            ),
            "write a name as `lib/grid.h`, without hidden folders",
        );
        return None;
    }
    Some(SourceFile::new(name, found))
}

/// Whether programs find a resource because it is a header, or a module in Python,
/// directly in `files/`.
fn is_found_beside(file: &XmlElement<'_>, name: &str) -> bool {
    let is_there = file
        .attribute("path")
        .and_then(|path| path.strip_prefix("files/"))
        == Some(name);
    is_there && (HEADER_ENDINGS.contains(&ending(name)) || ending(name) == "py")
}

/// Whether a resource is for solutions of this kind of types. Masks such as `cpp.*`
/// count by their first word.
fn is_for(file: &XmlElement<'_>, kind: &str) -> bool {
    let masks = file
        .attribute("for-types")
        .or(file.attribute("for-type"))
        .unwrap_or("*");
    let mut masks = masks
        .split([';', ':', ',', ' '])
        .filter(|mask| !mask.is_empty());
    masks.any(|mask| {
        let word = mask
            .split(|letter: char| !letter.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        mask == "*" || word == kind && !is_type_of_python_2(mask)
    })
}

// Reads the solutions of a Polygon package, and the verdicts that their tags promise.
// Start at [`Package::read_solutions`].

/// The folder that most solutions are in.
const FOLDER: &str = "solutions/";

/// The tag of the model solution.
const MAIN: &str = "main";

/// The verdicts that each tag promises. A program that is too slow may be idle too
/// long, and one that is refused memory may end with an error.
const TAGS: [(&str, &[Verdict]); 11] = {
    use Verdict::*;
    [
        (MAIN, &[Accepted]),
        ("accepted", &[Accepted]),
        ("wrong-answer", &[WrongAnswer]),
        ("presentation-error", &[PresentationError]),
        ("time-limit-exceeded", &[TimeLimit, IdleLimit]),
        (
            "time-limit-exceeded-or-accepted",
            &[TimeLimit, IdleLimit, Accepted],
        ),
        ("memory-limit-exceeded", &[MemoryLimit, RuntimeError]),
        (
            "time-limit-exceeded-or-memory-limit-exceeded",
            &[TimeLimit, IdleLimit, MemoryLimit, RuntimeError],
        ),
        ("runtime-error", &[RuntimeError]),
        ("failed", &[RuntimeError]),
        (
            "rejected",
            &[
                WrongAnswer,
                PresentationError,
                TimeLimit,
                IdleLimit,
                MemoryLimit,
                OutputLimit,
                RuntimeError,
                CompileError,
            ],
        ),
    ]
};

impl Package {
    /// Finds the solutions.
    pub(super) fn read_solutions(&mut self, problem: &XmlElement<'_>) {
        let tree = problem.tree;
        for solution in problem.children("assets/solutions/solution") {
            let Some(source) = solution.source() else {
                continue;
            };
            let name = path_text(tree.relative(source));
            let name = name.strip_prefix(FOLDER).unwrap_or(&name).to_owned();
            let tag = solution.attribute("tag").unwrap_or_default();
            // Python 2 has the ending of Python 3.
            let kind = solution
                .child("source")
                .and_then(|source| source.attribute("type"));
            let reason = match TAGS.iter().find(|row| row.0 == tag) {
                _ if kind.is_some_and(is_type_of_python_2) => {
                    "it is in Python 2, which is not a language of this judge"
                        .to_owned()
                }
                Some((_, verdicts)) => {
                    self.submissions.push(PackageSubmission {
                        files: vec![SourceFile::at(source)],
                        name,
                        expected: Expected::one_of(verdicts.iter().copied()),
                        is_model: tag == MAIN,
                        ..PackageSubmission::default()
                    });
                    continue;
                }
                None => format!(
                    "its tag {} says nothing of what is expected of it",
                    quoted(tag)
                ),
            };
            self.left_out.push(SkippedSubmission { name, reason });
        }
        let sources = self.submissions.iter().flat_map(|one| &one.files);
        let mut paths: Vec<_> = sources.map(|file| &file.path).collect();
        paths.sort();
        if let Some(assets) = problem.child("assets")
            && let Some(twice) = paths.windows(2).find(|pair| pair[0] == pair[1])
        {
            assets.refuse(
                format!(
                    "two solutions are the file {}",
                    quoted(&file_name(twice[0]))
                ),
                "delete one of the two, or its tag",
            );
        }
    }
}

/// Whether Polygon's name of a type is that of Python 2, in any implementation, or a
/// mask for it.
fn is_type_of_python_2(kind: &str) -> bool {
    kind == "python.2"
        || kind.starts_with("python.2.")
        || kind.starts_with("python.pypy2")
}

#[cfg(test)]
mod tests {
    use crate::model::{SourceFile, Task};
    use crate::package::Package;
    use crate::package::polygon::tests::{FILES, SPEC, package, shown};

    /// The `problem.xml` with these resources.
    fn spec(resources: &str) -> String {
        SPEC.replace(
            "<assets>",
            &format!("<files><resources>{resources}</resources></files><assets>"),
        )
    }

    /// A resource with these attributes, stage and asset.
    fn file(attributes: &str, stage: &str, asset: &str) -> String {
        format!(
            "<file {attributes}><stages><stage name=\"{stage}\"/></stages><assets><asset \
             name=\"{asset}\"/></assets></file>"
        )
    }

    const MORE: [(&str, &str); 6] = [
        ("files/grader.cpp", ""),
        ("files/Grader.java", ""),
        ("files/grid.h", ""),
        ("files/words.txt", ""),
        ("files/mod.py", ""),
        ("files/testlib.h", ""),
    ];

    fn names(files: &[SourceFile]) -> String {
        files
            .iter()
            .map(|file| file.name.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn graders_and_headers_are_compiled_with_the_solutions_of_their_languages() {
        let resources = [
            "<file path=\"files/olymp.sty\"/><file path=\"files/testlib.h\" type=\"h.g++\"/>"
                .to_owned(),
            file(
                "path=\"files/grader.cpp\" for-types=\"cpp.*\"",
                "compile",
                "solution",
            ),
            file(
                "path=\"files/Grader.java\" for-types=\"java*;kotlin.*\"",
                "compile",
                "solution",
            ),
            file(
                "path=\"files/grid.h\" for-type=\"cpp.*\" location=\"lib/grid.h\"",
                "compile",
                "solution",
            ),
            file("path=\"files/mod.py\"", "compile", "solution"),
            file(
                "path=\"files/words.txt\" for-types=\"*\"",
                "compile",
                "solution",
            ),
            file("path=\"files/testlib.h\"", "compile", "checker"),
        ];
        let folder =
            package(&spec(&resources.concat()), &[&FILES[..], &MORE].concat());
        let package = Package::read(folder.path()).unwrap();
        assert_eq!(package.unsupported(), []);
        let of = |code: &str| names(&package.includes[code]);
        assert_eq!(of("cpp"), "grader.cpp lib/grid.h words.txt");
        assert_eq!(
            (of("java"), of("python3")),
            ("Grader.java words.txt".into(), "mod.py words.txt".into())
        );
        assert_eq!(
            (of("c"), of("kotlin")),
            ("words.txt".into(), "words.txt".into())
        );
    }

    #[test]
    fn files_of_a_running_checker_belong_to_it() {
        let resources =
            file("path=\"files/words.txt\" type=\"text\"", "run", "checker");
        let folder = package(&spec(&resources), &[&FILES[..], &MORE].concat());
        let Task::Checker(checker) = Package::read(folder.path()).unwrap().task
        else {
            panic!("no checker")
        };
        assert_eq!(names(&checker.files), "words.txt");
    }

    #[test]
    fn resources_that_are_not_supported_or_not_there_are_reported_with_their_line() {
        let read = |resource: &str| {
            let folder = package(&spec(resource), &[&FILES[..], &MORE].concat());
            match Package::read(folder.path()) {
                Ok(package) => shown(folder.path(), package.unsupported()),
                Err(mistakes) => shown(folder.path(), &mistakes.0),
            }
        };
        for (attributes, stage, asset, message) in [
            (
                "path=\"files/words.txt\"",
                "run",
                "solution",
                "the package needs the file `words.txt` beside running solutions",
            ),
            (
                "path=\"files/grader.cpp\"",
                "compile",
                "checker",
                "the package needs the checker to be compiled with `grader.cpp`",
            ),
            (
                "path=\"files/none.cpp\"",
                "compile",
                "solution",
                "`files/none.cpp` of `<file>` is not in the package",
            ),
            (
                "path=\"../../etc/passwd\"",
                "run",
                "checker",
                "`../../etc/passwd` of `<file>` is not in the package",
            ),
            (
                "path=\"files/grid.h\" location=\"../grid.h\"",
                "compile",
                "solution",
                "`location` is `../grid.h`, which is not a valid file name",
            ),
        ] {
            let found = read(&file(attributes, stage, asset));
            let found = found
                .iter()
                .map(|one| one.replace(", which gridjudge does not judge yet", ""));
            assert_eq!(
                found.collect::<Vec<_>>(),
                [format!("problem.xml:18: {message}")]
            );
        }
    }
}
