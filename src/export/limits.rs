//! Converts limits to the units of the formats: whole MiB, and time as a multiple of the format's
//! resolution. Notes where the result differs from the problem's limits.

use std::fmt::Write;
use std::time::Duration;

use crate::export::material::ExportMaterial;
use crate::export::submission_files::ExportedSubmissions;
use crate::export::target::ExportTarget;
use crate::package::TimeRule;
use gridjudge_sandbox::Limits;

const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;

/// The formats' default limit on the size of sources, in KiB.
const USUAL_CODE_KIB: u64 = 128;

/// The resolutions of time limits, the coarsest first.
const STEPS: [(Duration, &str); 4] = [
    (Duration::from_secs(1), "1.0"),
    (Duration::from_millis(100), "0.1"),
    (Duration::from_millis(10), "0.01"),
    (Duration::from_millis(1), "0.001"),
];

/// Limits as written in a package.
pub(super) struct ExportLimits {
    /// The lines of `limits`, indented.
    pub(super) lines: String,
    /// The time limit in seconds. `None` if it is measured from the times of submissions.
    pub(super) seconds: Option<String>,
}

pub(super) fn of(
    material: &ExportMaterial,
    target: ExportTarget,
    submissions: &ExportedSubmissions,
    notes: &mut Vec<String>,
) -> ExportLimits {
    let time = material
        .package
        .as_ref()
        .map_or(Some(material.problem.limits.cpu), |package| {
            let is_given = !package.is_measured();
            is_given.then(|| package.time_limit())
        });
    let mut lines = String::new();
    if target == ExportTarget::Kattis2025 {
        lines += &time_lines(time);
    }
    lines += &rule_lines(material, target);
    let output = material.problem.limits.output_bytes;
    let code = code_kib(material, submissions);
    let figures = [
        ("memory", memory_mib(material, notes)),
        ("output", output.div_ceil(MIB)),
        ("code", code),
    ];
    add_figures(&mut lines, &figures);
    add_figures(&mut lines, &compile_figures(material));
    if let Some(checker) = material.problem.task.program() {
        add_figures(&mut lines, &checker_figures(&checker.limits));
        let passes = [("validation_passes", u64::from(checker.passes))];
        add_figures(&mut lines, if checker.passes > 1 { &passes } else { &[] });
    }
    note_time(material, target, time, notes);
    ExportLimits {
        lines,
        seconds: time.map(seconds),
    }
}

fn add_figures(lines: &mut String, figures: &[(&str, u64)]) {
    for (key, figure) in figures {
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "  {key}: {figure}");
    }
}

/// The lines with the time limit and the coarsest resolution that it is a multiple of.
fn time_lines(time: Option<Duration>) -> String {
    let Some(time) = time else {
        return String::new();
    };
    let step = STEPS
        .iter()
        .find(|(step, _)| time.as_micros().is_multiple_of(step.as_micros()))
        .map_or("0.000001", |(_, text)| text);
    format!(
        "  time_limit: {}\n  time_resolution: {step}\n",
        seconds(time)
    )
}

fn seconds(time: Duration) -> String {
    let text = format!("{:.6}", time.as_secs_f64());
    let text = text.trim_end_matches('0');
    if text.ends_with('.') {
        format!("{text}0")
    } else {
        text.to_owned()
    }
}

/// The lines with the factors that derive a time limit from the times of submissions.
fn rule_lines(material: &ExportMaterial, target: ExportTarget) -> String {
    let Some(rule) = material
        .package
        .as_ref()
        .and_then(|package| package.time_rule())
    else {
        return String::new();
    };
    let (factor, margin) = match rule {
        TimeRule::Legacy {
            multiplier,
            safety_margin,
        } => (multiplier, safety_margin),
        TimeRule::Kattis2025 {
            ac_to_time_limit,
            time_limit_to_tle,
            ..
        } => (ac_to_time_limit, time_limit_to_tle),
    };
    if target.uses_legacy_layout() {
        format!("  time_multiplier: {factor}\n  time_safety_margin: {margin}\n")
    } else {
        format!(
            "  time_multipliers:\n    ac_to_time_limit: {factor}\n    time_limit_to_tle: {margin}\n"
        )
    }
}

/// One memory limit for all languages: the most that any submission that may be accepted is
/// allowed.
fn memory_mib(material: &ExportMaterial, notes: &mut Vec<String>) -> u64 {
    let own = material.problem.limits.memory_bytes;
    let most = own + material.extra_memory_bytes;
    if most > own {
        notes.push(format!(
            "the format has one memory limit for all languages: it is {} MiB, that of the problem ({} MiB) and what accepted \
             submissions are allowed beyond it",
            most.div_ceil(MIB),
            own.div_ceil(MIB)
        ));
    } else if !own.is_multiple_of(MIB) {
        notes.push(format!(
            "the memory limit is rounded up to {} MiB",
            own.div_ceil(MIB)
        ));
    }
    most.div_ceil(MIB)
}

fn code_kib(material: &ExportMaterial, submissions: &ExportedSubmissions) -> u64 {
    let own = material
        .package
        .as_ref()
        .map_or(0, |package| package.limits.code_bytes.div_ceil(KIB));
    own.max(submissions.largest_bytes.div_ceil(KIB))
        .max(if own == 0 { USUAL_CODE_KIB } else { 0 })
}

fn compile_figures(material: &ExportMaterial) -> Vec<(&'static str, u64)> {
    let Some(package) = &material.package else {
        return Vec::new();
    };
    let limits = &package.limits;
    vec![
        ("compilation_time", whole_seconds(limits.compile_time)),
        (
            "compilation_memory",
            limits.compile_memory_bytes.div_ceil(MIB),
        ),
    ]
}

fn checker_figures(limits: &Limits) -> [(&'static str, u64); 3] {
    [
        ("validation_time", whole_seconds(limits.cpu)),
        ("validation_memory", limits.memory_bytes.div_ceil(MIB)),
        ("validation_output", limits.output_bytes.div_ceil(MIB)),
    ]
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// Notes where the exported time limit differs from the problem's, or is not the same for all
/// languages.
fn note_time(
    material: &ExportMaterial,
    target: ExportTarget,
    time: Option<Duration>,
    notes: &mut Vec<String>,
) {
    if let (ExportTarget::KattisLegacy, Some(time)) = (target, time) {
        notes.push(format!(
            "the format computes time limits: {} s is in `.timelimit`, which DOMjudge and gridjudge read, and problemtools and \
             Kattis do not",
            seconds(time)
        ));
    }
    if time.is_none() && target == ExportTarget::DomJudge {
        notes.push("the package gives no time limit: DOMjudge uses 10 s".to_owned());
    }
    if !material.time_factors.is_empty() {
        let factors = material
            .time_factors
            .iter()
            .map(|(language, factor)| format!("{language} x {factor}"));
        notes.push(format!(
            "the format has one time limit for all languages; left out: {}",
            factors.collect::<Vec<_>>().join(", ")
        ));
    }
    if !material.perhaps_too_slow.is_empty() {
        notes.push(format!(
            "accepted here with more time than others, and perhaps too slow there: {}",
            material.perhaps_too_slow.join(", ")
        ));
    }
}
