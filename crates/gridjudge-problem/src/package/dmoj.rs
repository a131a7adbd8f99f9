//! Reads problems of DMOJ: `init.yml`, and the files that it names, beside it or in an
//! archive. Python code, which the format allows in many places, is not run. Start at
//! [`read_dmoj`].

mod case_files;
mod case_items;
pub(super) mod programs;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read};
use std::iter;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use case_files::{CaseFiles, CasePattern};
use case_items::{CaseScope, DmojItem, DmojPoints, NamedFile};
use programs::{CaseGenerator, GeneratedCase};

use crate::files;
use crate::files::InnerName;
use crate::keys::KeyTable;
use crate::mistake::{Mistake, RemarkKind, quoted};
use crate::model::{Case, Task};
use crate::package::contents::DEFAULT_TIME;
use crate::package::{
    LineBreaks, Package, PackageFormat, PackageLimits, PackageTree,
};
use crate::text::counted;

/// The default output limit of a submission, in bytes, and the largest that is
/// accepted.
const DEFAULT_OUTPUT: u64 = 24 << 20;
const MOST_OUTPUT: u64 = 1 << 30;

/// Reads an `init.yml`, and prepares its files if they need it. Returns `None` if it is
/// not YAML, which is noted, or if files were refused.
pub(super) fn read_dmoj(tree: &PackageTree) -> Option<Package> {
    let root = tree.ok_or_note(KeyTable::read_file(&tree.package_file))?;
    if !root.document.is_readable {
        tree.close(&root);
        return None;
    }
    let interactor = programs::interactor(&root, DEFAULT_TIME, tree);
    let mut scope = CaseScope::top(&root).within(&root, tree);
    if let Some(interactor) = interactor {
        scope.task = Rc::new(Task::Checker(interactor));
    }
    if root.flag("unbuffered") == Some(true) && scope.is_interactive {
        tree.need(
            &root,
            root.value_place("unbuffered"),
            "submissions that need not flush what they say (`unbuffered`)",
        );
    }
    // With 0, DMOJ stops a submission at its first byte. Its interactors set no such
    // limit at all.
    let output = root
        .whole("output_limit_length", 0, MOST_OUTPUT)
        .filter(|_| !scope.is_interactive)
        .unwrap_or(DEFAULT_OUTPUT);
    let mut files = CaseFiles::new(tree);
    unpack(&root, tree, &mut files);
    let items = items(&root, &scope, &files);
    case_items::close(&root, tree);
    tree.close(&root);
    if tree.lacks_files {
        return None;
    }
    let limits = PackageLimits {
        output_bytes: output,
        ..PackageLimits::default()
    };
    let read = DmojReader {
        files,
        found: Package {
            limits,
            task: (*scope.task).clone(),
            line_breaks: LineBreaks::LineFeedsOnly,
            ..Package::of_files(PackageFormat::Dmoj, tree)
        },
    };
    Some(read.package(items))
}

/// Unpacks the archive that `init.yml` names.
fn unpack(root: &KeyTable, tree: &PackageTree, files: &mut CaseFiles<'_>) {
    files.lacks_archive = root.mark_read("archive").is_some();
    let Some(name) = root.text("archive") else {
        return;
    };
    if let Some(path) = tree.file(&name) {
        files.unpack(path);
    } else if tree.lacks(&name) {
        root.refuse_value(
            "archive",
            format!("the archive {} is not in the package", quoted(&name)),
            "put it next to `init.yml`, or correct the name",
        );
    }
}

/// Returns the cases and batches in order, pretests first.
fn items(root: &KeyTable, scope: &CaseScope, files: &CaseFiles<'_>) -> Vec<DmojItem> {
    let tree = files.tree;
    let pretests =
        case_items::read_case_items(root, "pretest_test_cases", scope, tree);
    let listed = root.node("test_cases").and_then(|cases| cases.list());
    let items = if listed.is_some() {
        case_items::read_case_items(root, "test_cases", scope, tree)
    } else {
        by_names(root, scope, files)
    };
    let has_batch = pretests.iter().any(|item| item.is_batch);
    let depends = |item: &DmojItem| !item.dependencies.is_empty();
    let needs_order =
        pretests.iter().any(depends) || has_batch && items.iter().any(depends);
    if needs_order && let Some(place) = root.place("pretest_test_cases") {
        let what = "`dependencies` where pretests have batches, too";
        tree.need(root, place, what);
    }
    pretests
        .into_iter()
        .map(DmojItem::into_pretest)
        .chain(items)
        .collect()
}

/// Returns the cases that the names of files in the archive describe.
fn by_names(
    root: &KeyTable,
    scope: &CaseScope,
    files: &CaseFiles<'_>,
) -> Vec<DmojItem> {
    let settings = root.table_or_empty("test_cases");
    let patterns = (
        case_pattern(&settings, "input_format", false),
        case_pattern(&settings, "output_format", true),
    );
    let points = case_items::points(&settings);
    case_items::close(&settings, files.tree);
    if root.mark_read("archive").is_none() {
        let message = "there are neither `test_cases` nor an `archive` whose files are the cases";
        root.refuse_table(
            message,
            "write `archive: data.zip`, or list the cases in `test_cases`",
        );
        return vec![];
    }
    let (Some(input), Some(answer)) = patterns else {
        return vec![];
    };
    let at = root.mark_read("test_cases").unwrap_or(root.header);
    let line = root.document.line(at);
    let around = CaseScope {
        input: None,
        answer: None,
        ..scope.clone()
    };
    let names: Vec<_> = files.data.files().collect();
    let found = case_files::items(&names, [&input, &answer], &around, line);
    let mut items = match found {
        Ok(items) => items,
        Err(wrong) => {
            for message in wrong {
                root.note_mistake(at, message, "list the cases in `test_cases`")
            }
            return vec![];
        }
    };
    if let Some(points) = points {
        case_items::give_points(&mut items, points, root, at);
    }
    items
}

/// The pattern of inputs or of answers, or the usual one; notes one that is refused.
fn case_pattern(
    settings: &KeyTable,
    key: &'static str,
    is_answer: bool,
) -> Option<CasePattern> {
    let Some(text) = settings.text(key) else {
        return CasePattern::default_for(is_answer);
    };
    let pattern = CasePattern::new(&text).map_err(|why| {
        settings.refuse_value(
            key,
            format!("`{key}` {why}"),
            "write it in few letters, without looking ahead or back, or list the cases",
        );
    });
    pattern.ok()
}

/// Builds the package from the items that were read.
struct DmojReader<'a> {
    files: CaseFiles<'a>,
    found: Package,
}

impl DmojReader<'_> {
    fn package(mut self, items: Vec<DmojItem>) -> Package {
        let tree = self.files.tree;
        let mut taken = BTreeSet::new();
        let mut batches = [0, 0];
        let mut number = 0;
        let mut points = DmojPoints::new();
        for item in items {
            let mut folder = if item.is_pretest { "pretest/" } else { "" }.to_owned();
            if item.is_batch {
                let number = &mut batches[usize::from(item.is_pretest)];
                *number += 1;
                folder += &format!("batch{number}/");
            }
            let most = item.points();
            let group = points.add(&item, folder.trim_end_matches('/'));
            for case in &item.cases {
                number += 1;
                let name = name(&folder, case, number, &mut taken);
                points.add_case(&name, case, most, group);
                self.add(name, case);
            }
        }
        if number == 0
            && !tree.remarks.borrow().has(RemarkKind::Unsupported)
            && !tree.is_mistaken()
        {
            tree.refuse(
                &tree.package_file,
                "the problem has no cases",
                "name them in `test_cases`",
            );
        }
        // A problem has one program that judges, whichever of its cases need it.
        let sources: BTreeSet<_> = iter::once(&self.found.task)
            .chain(self.found.case_tasks.values())
            .filter_map(Task::program)
            .map(|program| &program.source)
            .collect();
        if sources.len() > 1 {
            tree.need_at(&tree.package_file, None, "several programs that judge");
        }
        self.found.scoring = points.scoring;
        // Messages name `init.yml` for files that a generator makes.
        let made = self.found.generated.iter();
        self.found.originals = made
            .flat_map(|made| made.input.iter().chain(&made.answer))
            .map(|place| (place.clone(), tree.package_file.clone()))
            .collect();
        self.found.keep_copies(self.files.texts);
        self.found
    }

    fn add(&mut self, name: String, case: &CaseScope) {
        // They may be in an archive that is not there.
        if self.files.lacks_archive
            && case
                .input
                .iter()
                .chain(&case.answer)
                .any(|name| self.files.find(&name.name).is_none())
        {
            return;
        }
        let tree = self.files.tree;
        let Some(made) = tree.ok_or_note(self.made(&name, case)) else {
            return;
        };
        let (input_place, answer_place) = made
            .as_ref()
            .map(|made| (made.input.clone(), made.answer.clone()))
            .unwrap_or_default();
        self.found.generated.extend(made);
        if case.answer.is_none()
            && answer_place.is_none()
            && case.task.program().is_none()
        {
            let message = format!(
                "the case {name} names no `out`, so only an empty output is right"
            );
            tree.deviation(message);
        }
        let input = self
            .named(case.input.as_ref())
            .and_then(|path| self.files.ready(path.as_deref(), case.is_binary));
        let input = tree.ok_or_note(input);
        let answer = self.answer(case);
        let Some((input, answer)) =
            input_place.or(input).zip(answer_place.or(answer))
        else {
            return;
        };
        if let Some(wrong) = other_number_of_lines(&case.task, &answer) {
            let mistake = Mistake::new(
                &tree.package_file,
                format!("the case {name}: {wrong}"),
                "write a number for each line of the answer",
            );
            let line = case.answer.as_ref().map(|name| name.line);
            tree.mistake(Mistake { line, ..mistake });
        }
        if *case.task != self.found.task {
            self.found
                .case_tasks
                .insert(name.clone(), (*case.task).clone());
        }
        self.found.cases.push(Case {
            name,
            input,
            answer,
        });
    }

    /// Returns the answer of a case as it is compared, or where a missing one will be
    /// written to.
    fn answer(&mut self, case: &CaseScope) -> Option<PathBuf> {
        let tree = self.files.tree;
        let missing = match self.named(case.answer.as_ref()) {
            Ok(path) => {
                let ready = self.files.ready(path.as_deref(), case.is_binary);
                return tree.ok_or_note(ready);
            }
            Err(missing) => missing,
        };
        let name = case.answer.as_ref()?;
        let file = &tree.package_file;
        let folder = &tree.root;
        // Never outside of the package.
        let place = InnerName::parse(&name.name)
            .map(|inner| inner.below(folder))
            .filter(|place| files::is_beneath(folder, place));
        if place.is_some() {
            tree.missing_answer(missing);
        } else {
            let message = format!(
                "{} is not the name of a file in the package",
                quoted(&name.name)
            );
            let remedy = "write a name as `1.out`, without hidden folders, and put the file there";
            tree.mistake(Mistake::new(file, message, remedy).on_line(name.line));
        }
        place
    }

    /// Returns what the generator of a case makes, if it has one and something is not
    /// named.
    fn made(
        &mut self,
        name: &str,
        case: &CaseScope,
    ) -> Result<Option<GeneratedCase>, Mistake> {
        let Some(generator) = &case.generator else {
            return Ok(None);
        };
        let is_called = !case.arguments.is_empty() || case.stdin.is_some();
        if is_called && let Some(input) = &case.input {
            return Err(Mistake::new(
                &self.files.tree.package_file,
                format!("the case {name} names an input and calls a generator"),
                "leave out `in`, or what the generator is given",
            )
            .on_line(input.line));
        }
        let number = self.found.generated.len();
        let mut place = |named: &Option<NamedFile>, ending: &str| match named {
            Some(_) => Ok(None),
            None => self
                .files
                .place_to_make(&format!("{number}.{ending}"))
                .map(Some),
        };
        let input = place(&case.input, "in")?;
        let answer = place(&case.answer, "out")?;
        if input.is_none() && answer.is_none() {
            return Ok(None);
        }
        let arguments = if case.arguments.is_empty() {
            &generator.arguments
        } else {
            &case.arguments
        };
        let stdin = case.stdin.as_ref();
        Ok(Some(GeneratedCase {
            name: name.to_owned(),
            generator: Arc::clone(generator),
            arguments: arguments.clone(),
            // A name that is nowhere is no input, as there.
            stdin: stdin.and_then(|stdin| self.files.find(&stdin.name)),
            input,
            answer,
            is_binary: case.is_binary,
        }))
    }

    /// Returns the path of a named file; `None` if there is no name.
    fn named(&self, name: Option<&NamedFile>) -> Result<Option<PathBuf>, Mistake> {
        let Some(name) = name else {
            return Ok(None);
        };
        self.files.find(&name.name).map(Some).ok_or_else(|| {
            Mistake::new(
                &self.files.tree.package_file,
                format!(
                    "{} is neither next to it nor in its archive",
                    quoted(&name.name)
                ),
                "put it there, or correct the name",
            )
            .on_line(name.line)
        })
    }
}

/// Says that an answer has another number of lines than the checker `linematches` has
/// points for, if so.
fn other_number_of_lines(task: &Task, answer: &Path) -> Option<String> {
    let points = task.points_of_lines()?;
    let text = BufReader::new(File::open(answer).ok()?);
    let mut is_in_line = false;
    let mut lines = 0;
    for byte in text.bytes() {
        let was_in_line =
            std::mem::replace(&mut is_in_line, !matches!(byte.ok()?, b'\r' | b'\n'));
        lines += usize::from(is_in_line && !was_in_line);
    }
    if lines == points.len() {
        return None;
    }
    let numbers = counted(points.len(), "number");
    let lines = counted(lines, "line");
    Some(format!(
        "`point_distribution` has {numbers}, and the answer {lines}, not counting empty ones"
    ))
}

/// Returns a unique name for a case: that of its file without the ending, in the folder
/// of its batch, which is empty or ends in a slash.
fn name(
    folder: &str,
    case: &CaseScope,
    number: usize,
    taken: &mut BTreeSet<String>,
) -> String {
    let file = case
        .input
        .as_ref()
        .or(case.answer.as_ref())
        .map_or("", |name| name.name.as_str());
    let mut name = match file.rsplit_once('.') {
        _ if file.is_empty() => format!("{folder}{number}"),
        Some((stem, ending)) if !stem.is_empty() && !ending.contains('/') => {
            format!("{folder}{stem}")
        }
        _ => format!("{folder}{file}"),
    };
    if taken.contains(&name) {
        name = format!("{name}~{number}");
    }
    while !taken.insert(name.clone()) {
        name.push('~');
    }
    name
}

#[cfg(test)]
mod tests;
