//! Writes the page of `doctor PACKAGE`: what is understood of a package of another
//! judge, how its outputs are judged, what is ignored, and what is not judged. Start at
//! [`write_package_page`].

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::mem;
use std::path::Path;

use indexmap::IndexMap;

use crate::cli::packages::package_tools::lacking;
use crate::cli::{
    CheckMark, InputValidators, TextPage, package_notes, planned_checker,
};
use crate::compile::Toolchain;
use crate::mistake::Mistake;
use crate::model::{
    CaseSupply, CheckerPointsRule, CheckerTask, ErrorMeasure, FileStreams,
    JudgingProgramKind, ScoreAggregation, ScoreGroup, ScoredLineRules, Task,
    TextTask, TokenRules, micros,
};
use crate::package::{Package, PackageFormat, PackageProgram, RemarkKind};
use crate::spec::ProblemFolder;
use crate::text::{JoinedTexts, counted, path_text, round_size, round_time};

/// The width of the column of names.
const WIDTH: usize = 12;

/// The remarks of which each prevents judging by some command, and what they say of a
/// package.
const PREVENTING: [(RemarkKind, &str); 4] = [
    (RemarkKind::Mistake, "has mistakes"),
    (RemarkKind::Unsupported, "cannot be judged yet"),
    (RemarkKind::MissingTests, "tests are missing"),
    (RemarkKind::MissingAnswer, "answers are missing"),
];

/// The mistakes in the programs that judge, as far as their files show them, and what
/// these programs need and is not there.
fn unclear_programs(found: &ProblemFolder) -> Vec<Mistake> {
    let mut mistakes = vec![];
    if let Ok(problem) = found.problem() {
        let planned =
            planned_checker::planned_programs(found, &problem, &mut mistakes);
        let finder = Toolchain::of_this_process();
        let programs = planned.all_in_order();
        for lacking in programs.flat_map(|program| lacking(&program.tool, &finder)) {
            mistakes.push(found.shown(lacking));
        }
    }
    mistakes
}

/// Writes the page of a package, including submissions that are not judged, missing
/// tests, and the input validators that are not usable, or that every judge passes
/// over. Returns whether all commands that judge can judge it.
pub(crate) fn write_package_page(
    page: &mut TextPage,
    found: &ProblemFolder,
    package: &Package,
    validators: InputValidators,
) -> bool {
    let unclear = unclear_programs(found);
    let obstacle = if !unclear.is_empty() {
        Some("cannot be judged")
    } else if !validators.unusable.is_empty() {
        Some("its inputs cannot all be validated")
    } else {
        None
    };
    let (mark, state) = state(package, obstacle);
    let format = package.format;
    let reading = if package.is_for_domjudge && format != PackageFormat::DomJudge {
        ", read as by DOMjudge"
    } else {
        ""
    };
    page.verdict(
        mark,
        &format!("{} is a {format}{reading}, and {state}.", found.id),
    );
    let shown = |named: Vec<(String, Mistake)>| {
        named.into_iter().map(|(_, mistake)| found.shown(mistake))
    };
    list_unclear(page, "Programs that cannot be made", unclear);
    let unusable = shown(validators.unusable);
    list_unclear(page, "Input validators that cannot be made", unusable);
    let passed_over = shown(validators.passed_over);
    list_unclear(page, "Files next to input validators", passed_over);
    list_unclear(page, "Tests that are not there", found.missing_tests());
    list_under(page, "Not judged yet", package.unsupported());
    list_understood(page, found, package);
    for note in package.notes_on_cases() {
        page.more(2, note);
    }
    let left_out = found.left_out().into_iter();
    list_under(
        page,
        "Submissions that are not judged",
        left_out.map(|one| format!("{}: {}", one.name, one.reason)),
    );
    list_missing_answers(page, package);
    list_under(page, "Ignored", package.ignored());
    let heading = "What other judges read differently";
    list_under(page, heading, package.disagreements());
    matches!(mark, CheckMark::Yes)
}

/// A heading and a line for each of these, if there are any.
fn list_under(
    page: &mut TextPage,
    heading: &str,
    lines: impl IntoIterator<Item = impl Display>,
) {
    for (place, line) in lines.into_iter().enumerate() {
        if place == 0 {
            page.heading(heading);
        }
        page.more(2, &line.to_string());
    }
}

/// What differs for submissions in each language from problems of ours.
fn compiling(found: &ProblemFolder) -> Option<String> {
    let mut texts = vec![];
    for language in found.config.languages() {
        let adapted = language
            .extensions
            .first()
            .and_then(|ending| found.language_of(Path::new(&format!("a.{ending}"))));
        let Some(adapted) = adapted else { continue };
        let mut words = vec![];
        if adapted.standards != language.standards {
            words.push(format!("as {}", adapted.standards.join(" or ")));
        }
        if adapted.options != language.options {
            words.push(format!("with {}", adapted.options.join(" ")));
        }
        if adapted.run != language.run {
            words.push(format!("by {}", adapted.run[0]));
        }
        if !words.is_empty() {
            texts.push(format!("{} {}", language.name, words.join(" ")));
        }
    }
    (!texts.is_empty()).then(|| texts.join("; "))
}

fn list_missing_answers(page: &mut TextPage, package: &Package) {
    let missing = package.missing_answers().iter();
    let lines = missing.map(|missing| match package.format {
        // DMOJ names answers in a file, in which the name may be wrong.
        PackageFormat::Dmoj => missing.to_string(),
        _ => path_text(&missing.path),
    });
    list_under(page, "Cases without an answer", lines);
}

fn list_unclear(
    page: &mut TextPage,
    heading: &str,
    unclear: impl IntoIterator<Item = Mistake>,
) {
    for (place, mistake) in unclear.into_iter().enumerate() {
        if place == 0 {
            page.heading(heading);
        }
        page.more(2, &mistake.to_string());
        if let Some(remedy) = &mistake.remedy {
            page.remedy(2, remedy);
        }
    }
}

/// Whether a package can be judged and, if not, the main reason, in words. `obstacle` is
/// what prevents that although the package is right.
fn state(
    package: &Package,
    obstacle: Option<&'static str>,
) -> (CheckMark, &'static str) {
    let has_slips = package.remarks.has(RemarkKind::Slip);
    let mut preventing = PREVENTING
        .into_iter()
        .filter(|(kind, _)| package.remarks.has(*kind))
        .map(|(_, state)| state);
    match preventing.next().or(obstacle) {
        Some(_) if has_slips => (CheckMark::No, "has mistakes"),
        Some(state) => (CheckMark::No, state),
        None if has_slips => {
            (CheckMark::Yes, "can be judged in spite of its mistakes")
        }
        None => (CheckMark::Yes, "can be judged"),
    }
}

/// A row for everything that is understood of a package.
fn list_understood(page: &mut TextPage, found: &ProblemFolder, package: &Package) {
    let limits = &package.limits;
    let memory = match limits.memory_bytes {
        0 => UNKNOWN.to_owned(),
        memory => round_size(memory),
    };
    // A mistake left unread which program judges, as every Polygon package has one, or
    // what judges is not supported.
    let is_unread = package.task.program().is_none()
        && (package.format == PackageFormat::Polygon
            || package.remarks.has(RemarkKind::Unsupported));
    let comparing = if is_unread {
        UNKNOWN.to_owned()
    } else {
        comparing(package)
    };
    let submissions = package
        .submissions
        .iter()
        .map(|one| format!("{} ({})", one.name, one.expected));
    let are_answers = package.submissions_are_answers;
    let handed_in = "answers to its cases, and no programs".to_owned();
    let rows = [
        (
            "name",
            Some(package.name.clone().unwrap_or("none".to_owned())),
        ),
        ("file", Some(path_text(found.shown_path(found.file())))),
        ("comparing", Some(comparing)),
        ("sources", judging_sources(package)),
        ("given", given(package)),
        ("files", file_streams(package)),
        ("handed in", are_answers.then_some(handed_in)),
        ("time limit", (!are_answers).then(|| time_limit(package))),
        (
            "memory",
            Some(format!(
                "{memory}, output {}",
                round_size(limits.output_bytes)
            )),
        ),
        ("cases", Some(cases(package))),
        ("points", points(package)),
        ("submissions", Some(submissions.joined(", "))),
        ("compiling", compiling(found).filter(|_| !are_answers)),
    ];
    page.heading("Understood");
    for (name, text) in rows {
        if let Some(text) = text {
            page.row(name, WIDTH, &text);
        }
    }
}

/// These texts in a row; `None` if there are none.
fn in_a_row(texts: impl Iterator<Item = String>) -> Option<String> {
    let row = texts.joined(", ");
    (!row.is_empty()).then_some(row)
}

/// The number of cases, in all and by group.
fn cases(package: &Package) -> String {
    let mut by_group: IndexMap<&str, u64> = IndexMap::new();
    for case in &package.cases {
        if let Some((group, _)) = case
            .name
            .rsplit_once('/')
            .filter(|(group, _)| !group.is_empty())
        {
            *by_group.entry(group).or_default() += 1;
        }
    }
    let by_group = by_group
        .iter()
        .map(|(group, cases)| format!("{group} {cases}"))
        .joined(", ");
    let cases = counted(package.cases.len(), "case");
    if by_group.is_empty() {
        cases
    } else {
        format!("{cases}: {by_group}")
    }
}

/// What stands in place of something that a mistake left unread.
const UNKNOWN: &str = "unknown";

/// The points of the innermost groups and of single cases; `None` without points.
fn points(package: &Package) -> Option<String> {
    let groups = package
        .scoring
        .innermost(package.cases.iter().map(|case| case.name.as_str()));
    let own = package
        .scoring
        .worths
        .iter()
        .map(|(case, worth)| format!("{case}: {}", worth.accepted));
    in_a_row(groups.into_iter().map(points_of_group).chain(own))
}

fn points_of_group(group: &ScoreGroup) -> String {
    let name = if group.name.is_empty() {
        "all cases"
    } else {
        &group.name
    };
    let each = if group.aggregation == ScoreAggregation::Min {
        ""
    } else {
        " each"
    };
    if group.grader_arguments.is_some() {
        return format!("{name}: the grader says how many");
    }
    match group.case.checker {
        CheckerPointsRule::Points
        | CheckerPointsRule::Unbounded
        | CheckerPointsRule::Instead => {
            format!("{name}: the validator says how many")
        }
        _ => format!("{name}: {}{each}", group.case.accepted),
    }
}

/// The program that judges sources, and on how many cases; `None` if there is none.
fn judging_sources(package: &Package) -> Option<String> {
    let mut tasks = package
        .case_tasks
        .values()
        .filter_map(Task::static_validator);
    let validator = CheckerTask {
        arguments: vec![],
        ..tasks.next()?.clone()
    };
    let cases = counted(1 + tasks.count() as u64, "case");
    Some(format!(
        "{} on {cases}",
        by_checker(&validator, &package.file)
    ))
}

/// The arguments and files that submissions are given; `None` if there are none.
fn given(package: &Package) -> Option<String> {
    let on = |what: &str, has: fn(&CaseSupply) -> bool| {
        let cases = package
            .supplies
            .values()
            .filter(|supply| has(supply))
            .count() as u64;
        (cases > 0).then(|| format!("{what} on {}", counted(cases, "case")))
    };
    let supplied = [
        on("arguments", |supply| !supply.arguments.is_empty()),
        on("files", |supply| !supply.files.is_empty()),
    ];
    in_a_row(supplied.into_iter().flatten())
}

/// The files used instead of standard input and output; `None` if there are none.
fn file_streams(package: &Package) -> Option<String> {
    let FileStreams { input, output } = &package.file_streams;
    let input = input
        .as_ref()
        .map(|name| format!("input is in the file {name}"));
    let output = output
        .as_ref()
        .map(|name| format!("output is left in the file {name}"));
    in_a_row(input.into_iter().chain(output))
}

fn time_limit(package: &Package) -> String {
    let time = match package.limits.time {
        Some(time) => {
            let time = round_time(micros(time));
            format!("{time}, as the package says")
        }
        None if package.is_measured() => {
            "none is given, so it is measured when submissions are judged".to_owned()
        }
        None if package.format == PackageFormat::Polygon => {
            return UNKNOWN.to_owned();
        }
        None => return package_notes::text_of_default_limit(package),
    };
    let Some(rule) = package.time_rule() else {
        return time;
    };
    format!(
        "{time} (rule of the format: slowest accepted {}; slow ones beyond the limit x {})",
        rule.calculation(),
        rule.margin
    )
}

// Says in words how the outputs of a package are judged, for its page. Start at
// [`comparing`].

/// How the outputs of a package are judged, and on how many cases otherwise.
fn comparing(package: &Package) -> String {
    let of = |task: &Task| match task {
        Task::Text(task) => text_comparing(task),
        Task::Checker(checker) => by_checker(checker, &package.file),
        Task::Grid(_) => String::new(),
    };
    let mut others: BTreeMap<String, u64> = BTreeMap::new();
    for task in package
        .case_tasks
        .values()
        .filter(|task| task.static_validator().is_none())
    {
        let may_differ_in_flags_only = match (task, &package.task) {
            (Task::Checker(one), Task::Checker(other)) => one.source == other.source,
            (Task::Text(one), Task::Text(other)) => {
                mem::discriminant(one) == mem::discriminant(other)
            }
            _ => false,
        };
        let way = if may_differ_in_flags_only {
            "with other flags".to_owned()
        } else {
            of(task)
        };
        *others.entry(way).or_default() += 1;
    }
    let others = others
        .into_iter()
        .map(|(way, cases)| format!("; on {} {way}", counted(cases, "case")));
    of(&package.task) + &others.collect::<String>()
}

fn text_comparing(task: &TextTask) -> String {
    use TextTask::*;

    let words = match task {
        Exact => "byte by byte",
        CrlfInsensitive => {
            "byte by byte; a line may end with a carriage return and a line feed"
        }
        Lines => "line by line, without white space at their ends",
        StrippedLines => {
            "line by line, without white space at their ends; each line counts"
        }
        StrippedFilledLines => {
            "line by line, without white space at their ends; each line counts that is not empty"
        }
        Unordered(piece) => {
            return format!("{}s in any order", piece.name());
        }
        ScoredLines(ScoredLineRules::Equal) => {
            "line by line, each for the same part of the points, without white space around them"
        }
        ScoredLines(ScoredLineRules::Weighted { .. }) => {
            "line by line, each for its part of the points"
        }
        Tokens(rules) => return by_tokens(rules),
        TokenLines => "line by line, token by token",
        NumberLines(rules) => {
            let most = rules.tolerance;
            let part = format!("{most} of the answer");
            let allowed = match rules.measure {
                ErrorMeasure::Absolute => most.to_string(),
                ErrorMeasure::Relative => part,
                ErrorMeasure::Either => format!("{most}, or by {part}"),
            };
            return format!(
                "line by line, token by token, numbers may be off by {allowed}"
            );
        }
    };
    words.to_owned()
}

fn by_tokens(rules: &TokenRules) -> String {
    let said = |is_so: bool, words: &str| is_so.then(|| words.to_owned());
    [
        said(true, "token by token"),
        said(rules.case_sensitive, "upper and lower case differ"),
        said(rules.space_change_sensitive, "white space counts"),
        rules
            .absolute_tolerance
            .map(|most| format!("numbers may be off by {most}")),
        rules
            .relative_tolerance
            .map(|most| format!("numbers may be off by {most} of the answer")),
    ]
    .into_iter()
    .flatten()
    .joined(", ")
}

/// The program that judges, with those that judge after it.
fn by_checker(checker: &CheckerTask, spec: &Path) -> String {
    let named = |checker: &CheckerTask| {
        let source = checker
            .source
            .strip_prefix(spec.parent().unwrap_or(spec))
            .unwrap_or(&checker.source);
        PackageProgram::named_path(source).display().to_string()
    };
    let by = if checker.kind == JudgingProgramKind::Interactor {
        "by an interaction with the program"
    } else {
        "by the program"
    };
    let mut text = format!("{by} {}", named(checker));
    let mut before = checker;
    while let Some(next) = &before.final_checker {
        let what = if before.kind == JudgingProgramKind::Interactor {
            ", and what that has written"
        } else {
            ", and as well"
        };
        let _ = write!(text, "{what} by the program {}", named(next));
        before = next;
    }
    if checker.passes > 1 {
        let _ = write!(text, ", in up to {} passes", checker.passes);
    }
    if !checker.arguments.is_empty() {
        let _ = write!(text, ", with {}", checker.arguments.join(" "));
    }
    text
}
