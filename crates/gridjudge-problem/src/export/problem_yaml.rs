//! Writes `problem.yaml`, and the files that DOMjudge reads beside it.

use std::fmt::Display;
use std::time::Duration;

use crate::export::ExportTarget::{DomJudge, Kattis2025, KattisLegacy};
use crate::export::export_files::{list, yaml_line};
use crate::export::material::ExportMaterial;
use crate::model::{Feedback, PointValue};
use crate::package::domjudge::TIME_LIMIT_FILE;
use crate::package::kattis::metadata::LICENSES;
use crate::package::{DOMJUDGE_INI, TimeRule};
use crate::text::JoinedTexts;

/// What an export for DOMjudge loses where the time limit is measured.
pub(super) const NO_TIME_LIMIT: &str =
    "the package gives no time limit: DOMjudge uses 10 s";

/// Adds the files that describe the problem, whose statements are in these languages.
/// `obstacle` says why its groups have no points in the export, if they have none, and
/// `largest_bytes` is the size of the largest submission.
pub(super) fn add_problem_yaml(
    material: &ExportMaterial,
    arguments: &[String],
    languages: &[String],
    largest_bytes: u64,
    obstacle: Option<&String>,
) {
    let has_points = obstacle.is_none();
    // Without one, it is measured from the times of submissions.
    let is_measured = material.is_package && material.package.is_measured();
    let time = (!is_measured).then_some(material.problem.limits.cpu);
    let limits = limit_lines(material, time, largest_bytes);
    // The ICPC's version of the format has no points.
    let version = if has_points && material.target.uses_legacy_layout() {
        "legacy"
    } else {
        material.target.version()
    };
    let mut text = format!("problem_format_version: {version}\n");
    let name = &material.problem.name;
    if material.target.uses_legacy_layout() || languages.is_empty() {
        text += &yaml_line("name", name)
    } else {
        text += "name:\n";
        for language in languages {
            text += &yaml_line(&format!("  {language}"), name);
        }
    }
    text += &format!("uuid: {}\n", uuid(material));
    text += &origin(material);
    text += &judging_lines(material, has_points);
    if has_points && material.target == KattisLegacy {
        // Contestants may see their points for each group.
        text += "grading:\n  show_test_data_groups: true\n";
        if material.problem.scoring.wants_fewest {
            text += "  objective: min\n";
        }
    }
    if material.target.uses_legacy_layout() && !arguments.is_empty() {
        text += &yaml_line("validator_flags", &arguments.join(" "));
    }
    text += &format!("limits:\n{limits}");
    if let Some(why) = obstacle.filter(|_| !material.problem.scoring.is_empty()) {
        material.note_loss(lost_points(material, why));
    }
    material.put("problem.yaml", text);
    let seconds = time.map(seconds);
    if let Some(seconds) = &seconds
        && material.target.uses_legacy_layout()
    {
        material.put(TIME_LIMIT_FILE, format!("{seconds}\n"));
    }
    if material.target == DomJudge {
        material.put(DOMJUDGE_INI, domjudge_ini(name, seconds));
    }
}

/// The content of the one file that DOMjudge requires of a package: the title, and the
/// time limit in seconds, if there is one.
pub(super) fn domjudge_ini(name: &str, seconds: Option<impl Display>) -> String {
    let name = name.replace(['"', '\n'], " ");
    let time = seconds.map(|seconds| format!("timelimit = {seconds}\n"));
    format!("name = \"{name}\"\n{}", time.unwrap_or_default())
}

fn judging_lines(material: &ExportMaterial, has_points: bool) -> String {
    let task = &material.problem.task;
    let is_interactive = task.is_interactive();
    let is_multi_pass = task.program().is_some_and(|program| program.passes > 1);
    if !material.target.uses_legacy_layout() {
        // Arguments are in the settings of groups, see `output_validator`.
        let types = [
            (has_points, "scoring"),
            (is_interactive, "interactive"),
            (is_multi_pass, "multi-pass"),
        ];
        let types = types.iter().filter(|row| row.0).map(|row| row.1);
        return match &*types.joined(", ") {
            "" => "type: pass-fail\n".to_owned(),
            types => format!("type: [{types}]\n"),
        };
    }
    let validation = match (is_interactive, is_multi_pass) {
        (true, _) => "custom interactive",
        (false, true) => "custom multi-pass",
        _ if material.has(material.target.validator_folder()) => "custom",
        (false, false) => "default",
    };
    let mut lines = format!("validation: {validation}\n");
    lines += match (has_points, is_interactive && is_multi_pass) {
        // DOMjudge does not understand a `validation` with both words, but reads
        // `type`.
        (true, true) => "type: scoring interactive multi-pass\n",
        (false, true) => "type: interactive multi-pass\n",
        (true, false) => "type: scoring\n",
        (false, false) => "",
    };
    lines
}

/// The note that names the points of groups which the target cannot give, and why.
fn lost_points(material: &ExportMaterial, why: &str) -> String {
    let problem = &material.problem;
    let cases = material.cases.iter().map(|case| case.name.as_str());
    let groups = problem.scoring.innermost(cases);
    let points = groups
        .iter()
        .filter(|group| group.case.accepted > PointValue::ZERO)
        .map(|group| format!("{} {}", group.name, group.case.accepted))
        .joined(", ");
    let said = format!(
        "points are left out ({points}), since {why}: the package is judged right or wrong"
    );
    let writes_points = problem
        .program()
        .is_some_and(|program| program.protocol.rules().feedback == Feedback::Files)
        && groups
            .iter()
            .any(|group| group.case.checker.allows_points());
    let fails = if writes_points {
        ", and an output validator that gives points fails"
    } else {
        ""
    };
    format!(
        "{said}, a submission with a part of the points is wrong, also in `accepted/`{fails}"
    )
}

/// The lines with the problem's authors, source, licence and keywords.
fn origin(material: &ExportMaterial) -> String {
    let credits = &material.package.credits;
    let mut lines = String::new();
    if !credits.authors.is_empty() {
        lines += &if material.target.uses_legacy_layout() {
            yaml_line("author", &credits.authors.join(", "))
        } else {
            format!("credits:\n  authors: {}\n", list(&credits.authors))
        };
    }
    if let Some(source) = &material.problem.source {
        lines += &match (material.target.uses_legacy_layout(), &credits.source_url) {
            (true, Some(url)) => {
                yaml_line("source", source) + &yaml_line("source_url", url)
            }
            (false, Some(url)) => {
                "source:\n".to_owned()
                    + &yaml_line("  - name", source)
                    + &yaml_line("    url", url)
            }
            (_, None) => yaml_line("source", source),
        };
    }
    let license = credits
        .license
        .as_deref()
        .filter(|license| LICENSES.contains(license));
    if license.is_none() {
        material.note_loss(
            "nothing says under which licence the problem is: `license: unknown`",
        );
    }
    lines += &format!("license: {}\n", license.unwrap_or("unknown"));
    if let Some(owner) = &credits.rights_owner {
        lines += &yaml_line("rights_owner", owner);
    }
    if !credits.keywords.is_empty() {
        lines += &if material.target.uses_legacy_layout() {
            yaml_line("keywords", &credits.keywords.join(" "))
        } else {
            format!("keywords: {}\n", list(&credits.keywords))
        };
    }
    lines
}

/// The UUID of the problem: the package's own, or one that is derived from the
/// problem's id and title, so that it stays the same.
fn uuid(material: &ExportMaterial) -> String {
    if let Some(uuid) = material.package.credits.uuid.as_ref().filter(|uuid| {
        uuid.len() == 36
            && uuid
                .bytes()
                .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    }) {
        return uuid.clone();
    }
    let seed = format!(
        "gridjudge export\n{}\n{}\n",
        material.problem.id, material.problem.name
    );
    let hash = blake3::hash(seed.as_bytes()).to_hex();
    // Version 8, whose bits may be chosen freely, and the variant of RFC 9562.
    format!(
        "{}-{}-8{}-a{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

// Converts limits to the units of the formats: whole MiB, and time as a multiple of the
// format's resolution. Notes where the result differs from the problem's limits.

const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;

/// The formats' default limit on the size of sources, in bytes.
const DEFAULT_CODE_BYTES: u64 = 128 * KIB;

/// The resolutions of time limits, in microseconds, the coarsest first.
const STEPS: [u64; 4] = [1_000_000, 100_000, 10_000, 1_000];

/// The lines of `limits`, indented.
fn limit_lines(
    material: &ExportMaterial,
    time: Option<Duration>,
    largest_bytes: u64,
) -> String {
    let mut lines = String::new();
    if let (Kattis2025, Some(time)) = (material.target, time) {
        // The coarsest resolution that it is a multiple of.
        let step = STEPS
            .into_iter()
            .find(|step| time.as_micros().is_multiple_of(u128::from(*step)));
        lines += &format!(
            "  time_limit: {}\n  time_resolution: {}\n",
            seconds(time),
            seconds(Duration::from_micros(step.unwrap_or(1)))
        );
    }
    lines += &rule_lines(material);
    let output = material.problem.limits.output_bytes;
    let limits = &material.package.limits;
    let code = if material.is_package {
        limits.code_bytes
    } else {
        DEFAULT_CODE_BYTES
    };
    let mut figures = vec![
        ("memory", memory_mib(material)),
        ("output", output.div_ceil(MIB)),
        ("code", code.max(largest_bytes).div_ceil(KIB)),
    ];
    if material.is_package {
        let memory = limits.compile_memory_bytes.div_ceil(MIB);
        figures.push(("compilation_time", whole_seconds(limits.compile_time)));
        figures.push(("compilation_memory", memory));
    }
    if let Some(checker) = material.problem.task.program() {
        let limits = &checker.limits;
        figures.extend([
            ("validation_time", whole_seconds(limits.cpu)),
            ("validation_memory", limits.memory_bytes.div_ceil(MIB)),
            ("validation_output", limits.output_bytes.div_ceil(MIB)),
        ]);
        if checker.passes > 1 {
            figures.push(("validation_passes", checker.passes.into()));
        }
    }
    for (key, figure) in figures {
        lines += &format!("  {key}: {figure}\n");
    }
    note_time(material, time);
    lines
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
fn rule_lines(material: &ExportMaterial) -> String {
    let rule = material.package.time_rule();
    let Some(rule) = rule.filter(|_| material.is_package) else {
        return String::new();
    };
    let TimeRule { factor, margin, .. } = rule;
    if material.target.uses_legacy_layout() {
        format!("  time_multiplier: {factor}\n  time_safety_margin: {margin}\n")
    } else {
        format!(
            "  time_multipliers:\n    ac_to_time_limit: {factor}\n    time_limit_to_tle: \
             {margin}\n"
        )
    }
}

/// One memory limit for all languages: the most that any submission that may be
/// accepted is allowed.
fn memory_mib(material: &ExportMaterial) -> u64 {
    let own = material.problem.limits.memory_bytes;
    let most = own + material.extra_memory_bytes;
    if most > own {
        material.note_loss(format!(
            "the format has one memory limit for all languages: it is {} MiB, that of the problem \
             ({} MiB) and what accepted submissions are allowed beyond it",
            most.div_ceil(MIB),
            own.div_ceil(MIB)
        ));
    } else if !own.is_multiple_of(MIB) {
        material.note_loss(format!(
            "the memory limit is rounded up to {} MiB",
            own.div_ceil(MIB)
        ));
    }
    most.div_ceil(MIB)
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// Notes where the exported time limit differs from the problem's, or is not the same
/// for all languages.
fn note_time(material: &ExportMaterial, time: Option<Duration>) {
    if let (KattisLegacy, Some(time)) = (material.target, time) {
        material.note_loss(format!(
            "the format computes time limits: {} s is in `.timelimit`, which DOMjudge and \
             gridjudge read, and problemtools and Kattis do not",
            seconds(time)
        ));
    }
    if time.is_none() && material.target == DomJudge {
        material.note_loss(NO_TIME_LIMIT);
    }
    let factors = material
        .time_factors
        .iter()
        .map(|(language, factor)| format!("{language} x {factor}"));
    let what = "the format has one time limit for all languages; left out";
    material.note_losses(what, &Vec::from_iter(factors));
    material.note_losses(
        "accepted here with more time than others, and perhaps too slow there",
        &material.perhaps_too_slow,
    );
}
