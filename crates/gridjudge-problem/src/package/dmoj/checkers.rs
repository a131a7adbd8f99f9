//! Maps `checker` and `interactive` to ways of judging. Only those are supported that
//! give the same result on every output as in DMOJ. Sources: docs.dmoj.ca, "Custom
//! checkers" and "Custom graders", and the judge's behaviour. Start at [`task`] and
//! [`interactor`].

use std::time::Duration;

use crate::keys::{KeyTable, KeyValue, listed_number};
use crate::mistake::quoted;
use crate::model::{
    CallArgument, CheckerProtocol, CheckerTask, ErrorMeasure, JudgingProgramKind,
    NumberLineRules, PointValue, ScoredLineRules, Task, TextTask, Tolerance,
    UnorderedPiece,
};
use crate::package::dmoj::programs;
use crate::package::{CheckerLimits, PackageTree};

/// The default checker.
pub(super) const STANDARD: TextTask = TextTask::TokenLines;

/// The default limits of a program that judges.
const DEFAULT: CheckerLimits = CheckerLimits {
    time: Duration::from_secs(20),
    memory_bytes: 512 << 20,
    output_bytes: 8 << 20,
};

/// The default time of an interactor beyond the time limit of the problem.
const DEFAULT_PREPROCESSING: Duration = Duration::from_secs(2);

/// The argument by which a checker gives points in per cent of those of the case.
const PERCENTAGE: &str = "treat_checker_points_as_percentage";

/// The most digits of a tolerance.
const MOST_DIGITS: u64 = 300;

/// Returns the task for the key `checker` of a map; `None` if there is no such key, or
/// it is not supported, which is noted.
pub(super) fn task(map: &KeyTable, tree: &PackageTree) -> Option<Task> {
    if !matches!(map.any("checker")?, KeyValue::Table(_)) {
        let name = map.text("checker")?;
        return of_name(&name, (map, "checker"), None, tree);
    }
    let checker = map.table("checker")?;
    let name = checker.text("name");
    let arguments = checker.table("args");
    checker.refuse_the_rest();
    let Some(name) = name else {
        map.note_mistake(
            map.mark_read("checker")?,
            "`checker` has no `name`",
            "write `{name: floats, args: {precision: 6}}`",
        );
        return None;
    };
    of_name(&name, (&checker, "name"), arguments.as_ref(), tree)
}

/// Whether the checker of a map gives points in per cent of those of the case; `None`
/// if there is no checker.
pub(super) fn gives_percentages(map: &KeyTable) -> Option<bool> {
    if !matches!(map.any("checker")?, KeyValue::Table(_)) {
        return Some(false);
    }
    let arguments = map
        .table("checker")
        .and_then(|checker| checker.table("args"));
    let given = arguments.and_then(|arguments| arguments.flag(PERCENTAGE));
    Some(given.unwrap_or_default())
}

fn of_name(
    name: &str,
    (map, key): (&KeyTable, &str),
    arguments: Option<&KeyTable>,
    tree: &PackageTree,
) -> Option<Task> {
    if name == "bridged" {
        if arguments.is_none() {
            map.refuse_value(
                key,
                "`bridged` names no program",
                "write `args: {files: check.cpp}` below it",
            );
        }
        let limits = programs::program_limits(arguments?, "time_limit", DEFAULT);
        return program(arguments?, JudgingProgramKind::Checker, limits, tree)
            .map(Task::Checker);
    }
    let nothing = map.without_keys();
    let arguments = arguments.unwrap_or(&nothing);
    let text = text_task(name, arguments);
    match text {
        Some(_) => arguments.refuse_the_rest(),
        None => tree.need(
            map,
            map.value_place(key),
            &if name.contains('.') {
                format!("a checker in Python ({})", quoted(name))
            } else {
                format!("the checker {}", quoted(name))
            },
        ),
    }
    text.map(Task::Text)
}

/// Returns the comparison that a checker makes which is a part of DMOJ; `None` if there
/// is no such checker.
fn text_task(name: &str, arguments: &KeyTable) -> Option<TextTask> {
    match name {
        "standard" => Some(STANDARD),
        "identical" => {
            arguments.pass_over(["pe_allowed"]);
            Some(TextTask::Exact)
        }
        "rstripped" => Some(match arguments.flag("filter_new_line") {
            Some(true) => TextTask::StrippedFilledLines,
            _ => TextTask::StrippedLines,
        }),
        "floats" => Some(floats(None, arguments)),
        "floatsabs" => Some(floats(Some(ErrorMeasure::Absolute), arguments)),
        "floatsrel" => Some(floats(Some(ErrorMeasure::Relative), arguments)),
        "sorted" => Some(TextTask::Unordered(sorted(arguments))),
        "unordered" => Some(TextTask::Unordered(UnorderedPiece::Tokens)),
        "easy" => Some(TextTask::Unordered(UnorderedPiece::Bytes)),
        "linecount" => {
            arguments.pass_over(["feedback"]);
            Some(TextTask::ScoredLines(ScoredLineRules::Equal))
        }
        "linematches" => Some(TextTask::ScoredLines(line_matches(arguments))),
        _ => None,
    }
}

/// Returns a checker of numbers; settings that are not given have the judge's defaults.
fn floats(measure: Option<ErrorMeasure>, arguments: &KeyTable) -> TextTask {
    let precision = arguments.whole("precision", 0, MOST_DIGITS).unwrap_or(6);
    let modes = [
        ("default", ErrorMeasure::Either),
        ("absolute", ErrorMeasure::Absolute),
        ("relative", ErrorMeasure::Relative),
    ];
    let measure = measure.or_else(|| arguments.choice("error_mode", &modes));
    // Like Python's `10 ** -precision`.
    TextTask::NumberLines(NumberLineRules {
        tolerance: Tolerance::new(10f64.powf(-(precision as f64))).unwrap_or_default(),
        measure: measure.unwrap_or(ErrorMeasure::Either),
    })
}

/// Returns the points of lines; what is not given has the judge's defaults.
fn line_matches(arguments: &KeyTable) -> ScoredLineRules {
    let needs_all_lines = arguments.flag("filler_lines_required");
    let points = points_of_lines(arguments);
    ScoredLineRules::Weighted {
        points: points.unwrap_or_else(|| vec![1.into()]),
        needs_all_lines: needs_all_lines.unwrap_or(true),
    }
}

/// Returns the list `point_distribution`. Notes numbers that are no points, and a sum
/// of nothing.
fn points_of_lines(arguments: &KeyTable) -> Option<Vec<PointValue>> {
    const REMEDY: &str = "write a list of numbers, one for each line of the answer";
    let points = listed_points(arguments, "point_distribution", REMEDY)?;
    let all: PointValue = points.iter().flatten().copied().sum();
    if all == PointValue::ZERO {
        arguments.refuse_value(
            "point_distribution",
            "`point_distribution` gives no points at all",
            REMEDY,
        );
        return None;
    }
    points.into_iter().collect()
}

/// Returns a list of points, with `None` for what is no number or less than nothing,
/// which is noted.
pub(super) fn listed_points(
    map: &KeyTable,
    key: &'static str,
    remedy: &str,
) -> Option<Vec<Option<PointValue>>> {
    let found = map.list(key)?;
    let points = found.iter().map(|text| {
        let points = listed_number(text)
            .and_then(PointValue::new)
            .filter(|points| *points >= PointValue::ZERO);
        if points.is_none() {
            let text = quoted(text);
            map.refuse_value(
                key,
                format!("`{key}` holds {text}, which is not a number of points"),
                remedy,
            );
        }
        points
    });
    Some(points.collect())
}

/// Returns what `sorted` sorts.
fn sorted(arguments: &KeyTable) -> UnorderedPiece {
    let pieces = [
        ("lines", UnorderedPiece::Lines),
        ("whitespace", UnorderedPiece::Tokens),
    ];
    let named = arguments.choice("split_on", &pieces);
    named.unwrap_or(UnorderedPiece::Lines)
}

/// Returns the program that `interactive` at the root names, for a problem with this
/// time limit; `None` if there is none, or it is not supported, which is noted.
pub(super) fn interactor(
    root: &KeyTable,
    time_limit: Duration,
    tree: &PackageTree,
) -> Option<CheckerTask> {
    let own = root.table("interactive")?;
    let beyond = CheckerLimits {
        time: DEFAULT_PREPROCESSING,
        ..DEFAULT
    };
    let limits = programs::program_limits(&own, "preprocessing_time", beyond);
    let limits = CheckerLimits {
        time: time_limit + limits.time,
        ..limits
    };
    own.pass_over(["unbuffered"]);
    program(&own, JudgingProgramKind::Interactor, limits, tree)
}

/// Reads the keys that both kinds of programs have.
fn program(
    map: &KeyTable,
    kind: JudgingProgramKind,
    limits: CheckerLimits,
    tree: &PackageTree,
) -> Option<CheckerTask> {
    map.pass_over(["lang", "feedback", "cached", "compiler_time_limit"]);
    match kind {
        JudgingProgramKind::Interactor => {
            if map.flag(PERCENTAGE) == Some(true) {
                tree.need(
                    map,
                    map.value_place(PERCENTAGE),
                    &format!("points in per cent (`{PERCENTAGE}`)"),
                );
            }
        }
        // See `gives_percentages`.
        _ => {
            map.pass_over([PERCENTAGE]);
        }
    }
    if !map.has("files") {
        map.note_mistake(
            map.header,
            format!("the {} names no source", kind.name()),
            "write `files: check.cpp`",
        );
    }
    let what = kind.name();
    let made = programs::sources(map, "files", what, tree);
    let named_type = protocol(map, kind, tree);
    let own_call = programs::program_arguments(map, tree);
    map.refuse_the_rest();
    let (source, build) = made?;
    let (protocol, default_call) = named_type?;
    let call = own_call.or(default_call).map(|mut words| {
        if kind == JudgingProgramKind::Interactor {
            // The file that it would write for a checker is nowhere there.
            for word in &mut words {
                *word = word.replace("{output_file}", "/dev/null");
            }
        }
        words
    });
    Some(CheckerTask {
        call,
        build,
        ..CheckerTask::new(kind, source, protocol, limits.of_a_run())
    })
}

/// The protocol that the type of a program stands for, and its arguments if they are
/// others.
fn protocol(
    map: &KeyTable,
    kind: JudgingProgramKind,
    tree: &PackageTree,
) -> Option<(CheckerProtocol, Option<Vec<String>>)> {
    let Some(named) = map.text("type") else {
        return Some((CheckerProtocol::Dmoj, None));
    };
    match named.as_str() {
        "default" => Some((CheckerProtocol::Dmoj, None)),
        "testlib" => Some((CheckerProtocol::Testlib, None)),
        "coci" => {
            let words =
                CheckerProtocol::Dmoj
                    .rules()
                    .arguments(kind)?
                    .iter()
                    .map(|argument| match argument {
                        CallArgument::Input => "{input_file}".to_owned(),
                        CallArgument::Output => "{output_file}".to_owned(),
                        _ => "{answer_file}".to_owned(),
                    });
            Some((CheckerProtocol::Testlib, Some(words.collect())))
        }
        other => {
            tree.need(
                map,
                map.value_place("type"),
                &format!("{} of type {}", kind.name(), quoted(other)),
            );
            None
        }
    }
}
