//! Writes `problem.yaml`, and the files that DOMjudge reads beside it.

use crate::export::export_files::ExportFiles;
use crate::export::limits::ExportLimits;
use crate::export::material::ExportMaterial;
use crate::export::output_validator::ExportedJudging;
use crate::export::target::ExportTarget;
use crate::export::yaml_text::{list, quoted};
use crate::model::{CheckerProtocol, PointValue};

/// The licences that all formats have words for.
const LICENSES: [&str; 7] = [
    "unknown",
    "public domain",
    "cc0",
    "cc by",
    "cc by-sa",
    "educational",
    "permission",
];

/// The results of the other modules that `problem.yaml` needs.
pub(super) struct ProblemDescription<'a> {
    pub(super) judging: &'a ExportedJudging,
    /// The languages of the statements.
    pub(super) languages: &'a [String],
    pub(super) limits: &'a ExportLimits,
    /// Whether the groups have points in the export.
    pub(super) has_points: bool,
}

/// Adds the files that describe the problem.
pub(super) fn add(
    material: &ExportMaterial,
    target: ExportTarget,
    description: &ProblemDescription<'_>,
    files: &mut ExportFiles,
    notes: &mut Vec<String>,
) {
    let ProblemDescription {
        judging,
        languages,
        limits,
        has_points,
    } = description;
    // The ICPC's version of the format has no points.
    let version = if *has_points && target.uses_legacy_layout() {
        "legacy"
    } else {
        target.version()
    };
    let mut text = format!("problem_format_version: {version}\n");
    let name = &material.problem.name;
    if target.uses_legacy_layout() {
        text += &format!("name: {}\n", quoted(name))
    } else {
        text += &names(name, languages)
    }
    text += &format!("uuid: {}\n", uuid(material));
    text += &origin(material, target, notes);
    text += &judging_lines(target, judging, *has_points);
    if *has_points && target == ExportTarget::KattisLegacy {
        text += grading(material);
    }
    if target.uses_legacy_layout() && !judging.arguments.is_empty() {
        text += &format!(
            "validator_flags: {}\n",
            quoted(&judging.arguments.join(" "))
        );
    }
    text += &format!("limits:\n{}", limits.lines);
    if !material.problem.scoring.is_empty() && !has_points {
        notes.push(lost_points(material));
    }
    files.put("problem.yaml", text);
    if let (true, Some(seconds)) = (target.uses_legacy_layout(), &limits.seconds) {
        files.put(".timelimit", format!("{seconds}\n"));
    }
    if target == ExportTarget::DomJudge {
        let time = limits
            .seconds
            .as_ref()
            .map(|seconds| format!("timelimit = {seconds}\n"));
        let name = name.replace(['"', '\n'], " ");
        files.put(
            "domjudge-problem.ini",
            format!("name = \"{name}\"\n{}", time.unwrap_or_default()),
        );
    }
}

/// The title for each language of a statement, or one title if there is no statement.
fn names(name: &str, languages: &[String]) -> String {
    if languages.is_empty() {
        return format!("name: {}\n", quoted(name));
    }
    let titles = languages
        .iter()
        .map(|language| format!("  {language}: {}\n", quoted(name)));
    format!("name:\n{}", titles.collect::<String>())
}

fn judging_lines(target: ExportTarget, judging: &ExportedJudging, has_points: bool) -> String {
    if !target.uses_legacy_layout() {
        // Arguments are in the settings of groups, see `output_validator`.
        let types = [
            (has_points, "scoring"),
            (judging.is_interactive, "interactive"),
            (judging.is_multi_pass, "multi-pass"),
        ];
        let types: Vec<_> = types.iter().filter(|row| row.0).map(|row| row.1).collect();
        return format!(
            "type: {}\n",
            if types.is_empty() {
                "pass-fail".to_owned()
            } else {
                format!("[{}]", types.join(", "))
            }
        );
    }
    let validation = match (judging.is_interactive, judging.is_multi_pass) {
        (true, _) => "custom interactive",
        (false, true) => "custom multi-pass",
        (false, false) if judging.has_program => "custom",
        (false, false) => "default",
    };
    let mut lines = format!("validation: {validation}\n");
    lines += match (has_points, judging.is_interactive && judging.is_multi_pass) {
        // DOMjudge does not understand a `validation` with both words, but reads `type`.
        (true, true) => "type: scoring interactive multi-pass\n",
        (false, true) => "type: interactive multi-pass\n",
        (true, false) => "type: scoring\n",
        (false, false) => "",
    };
    lines
}

/// The note that names the points of groups which the target cannot give.
fn lost_points(material: &ExportMaterial) -> String {
    let cases = || material.cases.iter().map(|case| case.name.as_str());
    let worth = material
        .problem
        .scoring
        .innermost(cases())
        .into_iter()
        .filter(|group| group.case.accepted > PointValue::ZERO);
    let points = worth.map(|group| format!("{} {}", group.name, group.case.accepted));
    let points = points.collect::<Vec<_>>().join(", ");
    let said = format!("points are left out ({points}): the package is judged right or wrong");
    let writes_points = material
        .problem
        .program()
        .is_some_and(|program| program.protocol == CheckerProtocol::Kattis)
        && material
            .problem
            .scoring
            .innermost(cases())
            .iter()
            .any(|group| group.case.checker.allows_points());
    let fails = if writes_points {
        ", and an output validator that gives points fails"
    } else {
        ""
    };
    format!("{said}, a submission with a part of the points is wrong, also in `accepted/`{fails}")
}

/// The lines about points. Contestants may see their points for each group.
fn grading(material: &ExportMaterial) -> &'static str {
    if material.problem.scoring.wants_fewest {
        "grading:\n  show_test_data_groups: true\n  objective: min\n"
    } else {
        "grading:\n  show_test_data_groups: true\n"
    }
}

/// The lines with the problem's authors, source, licence and keywords.
fn origin(material: &ExportMaterial, target: ExportTarget, notes: &mut Vec<String>) -> String {
    let credits = &material.credits;
    let mut lines = String::new();
    if !credits.authors.is_empty() {
        lines += &if target.uses_legacy_layout() {
            format!("author: {}\n", quoted(&credits.authors.join(", ")))
        } else {
            format!("credits:\n  authors: {}\n", list(&credits.authors))
        };
    }
    if let Some(source) = &material.problem.source {
        lines += &match (target.uses_legacy_layout(), &credits.source_url) {
            (true, Some(url)) => {
                format!("source: {}\nsource_url: {}\n", quoted(source), quoted(url))
            }
            (false, Some(url)) => {
                format!(
                    "source:\n  - name: {}\n    url: {}\n",
                    quoted(source),
                    quoted(url)
                )
            }
            (_, None) => format!("source: {}\n", quoted(source)),
        };
    }
    let license = credits
        .license
        .as_deref()
        .filter(|license| LICENSES.contains(license));
    if license.is_none() {
        notes
            .push("nothing says under which licence the problem is: `license: unknown`".to_owned());
    }
    lines += &format!("license: {}\n", license.unwrap_or("unknown"));
    if let Some(owner) = &credits.rights_owner {
        lines += &format!("rights_owner: {}\n", quoted(owner));
    }
    if !credits.keywords.is_empty() {
        lines += &if target.uses_legacy_layout() {
            format!("keywords: {}\n", quoted(&credits.keywords.join(" ")))
        } else {
            format!("keywords: {}\n", list(&credits.keywords))
        };
    }
    lines
}

/// The UUID of the problem: the package's own, or one that is derived from the problem's id and
/// title, so that it stays the same.
fn uuid(material: &ExportMaterial) -> String {
    if let Some(uuid) = material.credits.uuid.as_ref().filter(|uuid| {
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
