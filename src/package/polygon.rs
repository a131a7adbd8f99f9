//! Packages of Polygon: `problem.xml`, and what it names. Tests that its generators would make, and are not in the package,
//! are missed, and not made here. Start at [`read`].

mod points;
mod solutions;
mod source_file;
mod testset;

use std::path::Path;

use crate::mistake;
use crate::mistake::Mistake;
use crate::mistake::quoted;
use crate::model::Case;
use crate::model::CheckerKind;
use crate::model::CheckerProtocol;
use crate::model::CheckerTask;
use crate::model::Scoring;
use crate::model::Task;
use crate::model::TextTask;
use crate::package::limits::PackageLimits;
use crate::package::reading::ReadingNotes;
use crate::package::submissions::PackageSubmissions;
use crate::package::tree::PackageTree;
use crate::package::xml;
use crate::package::xml::XmlElement;
use source_file::FULL_PACKAGE;
use source_file::source_of;
use testset::PolygonTests;

/// What a package says of its problem.
pub(super) struct PolygonProblem {
    /// Its title, if it has one.
    pub(super) name: Option<String>,
    pub(super) limits: PackageLimits,
    pub(super) task: Task,
    pub(super) scoring: Scoring,
    pub(super) cases: Vec<Case>,
    pub(super) missing_answers: Vec<Mistake>,
    pub(super) submissions: PackageSubmissions,
}

/// Reads a package by its `problem.xml`; none if that cannot be understood at all, which is noted.
pub(super) fn read(file: &Path, tree: &PackageTree, notes: &mut ReadingNotes) -> Option<PolygonProblem> {
    let text = notes.take(mistake::read(file))?;
    let document = notes.take(xml::parse(file, &text))?;
    let problem = XmlElement::root(file, &document);
    let judging = notes.take(judging(&problem))?;
    need_plain_runs(&judging, notes);
    let PolygonTests { cases, scoring, missing_answers, time, memory_bytes } =
        PolygonTests::read(&judging, tree, notes);
    let assets = problem.child("assets");
    let limits = PackageLimits { time, memory_bytes, ..PackageLimits::without_any() };
    let task = task(&problem, &limits, tree, notes);
    let submissions = assets.map(|assets| solutions::read(&assets, tree, notes)).unwrap_or_default();
    if assets.is_some_and(|assets| assets.child("validators").is_some()) {
        notes.ignore("`<validators>`: inputs are not looked into");
    }
    Some(PolygonProblem { name: name(&problem), limits, task, scoring, cases, missing_answers, submissions })
}

fn judging<'d>(problem: &XmlElement<'d>) -> Result<XmlElement<'d>, Mistake> {
    let found = problem.child("judging").filter(|_| problem.name() == "problem");
    found.ok_or_else(|| {
        let message = format!("is no problem of Polygon: `<{}>` holds no `<judging>`", problem.name());
        problem.mistake(message).with_remedy(FULL_PACKAGE)
    })
}

/// Its title: the English one before others.
fn name(problem: &XmlElement<'_>) -> Option<String> {
    let names: Vec<_> = problem.child("names")?.children("name").collect();
    let english = names.iter().find(|name| name.attribute("language") == Some("english"));
    Some(english.or(names.first())?.attribute("value")?.to_owned())
}

/// Programs that read and write files of their own, or that run several times, are not judged.
fn need_plain_runs(judging: &XmlElement<'_>, notes: &mut ReadingNotes) {
    for (attribute, what) in [("input-file", "read"), ("output-file", "write")] {
        if let Some(file) = judging.attribute(attribute).filter(|file| !["stdin", "stdout"].contains(file)) {
            notes.need_on_line(
                judging.path,
                judging.line(),
                &format!("programs that {what} the file {}", quoted(file)),
            );
        }
    }
    if let Some(count) = judging.attribute("run-count").filter(|count| *count != "1") {
        notes.need_on_line(
            judging.path,
            judging.line(),
            &format!("several runs on each test (`run-count=\"{count}\"`)"),
        );
    }
}

/// How outputs are judged: by a program of the package.
fn task(
    problem: &XmlElement<'_>,
    limits: &PackageLimits,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> Task {
    let assets = problem.child("assets");
    if let Some(interactor) = assets.and_then(|assets| assets.child("interactor")) {
        notes.need_on_line(interactor.path, interactor.line(), "an interactive run (`<interactor>`)");
    }
    let checker = assets.and_then(|assets| assets.child("checker"));
    let source = match checker {
        None => {
            let message = "the package names no checker (`<checker>` in `<assets>`)";
            notes.mistakes.push(problem.mistake(message).with_remedy(FULL_PACKAGE));
            None
        }
        Some(checker) => match checker.attribute("type").filter(|kind| *kind != "testlib") {
            None => notes.take(source_of(&checker, tree)),
            Some(kind) => {
                let what = format!("a checker of type {}", quoted(kind));
                notes.need_on_line(checker.path, checker.line(), &what);
                None
            }
        },
    };
    // Without a program the package is not judged, and nobody asks how.
    source.map_or_else(|| Task::Text(TextTask::Exact), |source| testlib_task(source, limits))
}

fn testlib_task(source: &Path, limits: &PackageLimits) -> Task {
    let limits = limits.checker.of_a_run();
    let (source, protocol) = (source.to_owned(), CheckerProtocol::Testlib);
    let kind = CheckerKind::Checker;
    Task::Checker(CheckerTask { kind, source, protocol, arguments: Vec::new(), limits, passes: 1 })
}

#[cfg(test)]
mod tests;
