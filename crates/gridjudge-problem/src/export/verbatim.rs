//! Exports a package whose own format is the target, or nearly: copies it file by file,
//! so that files unknown to us are not lost.

use std::collections::BTreeMap;
use std::path::Path;

use crate::export::ExportTarget::{DomJudge, Kattis2025, KattisLegacy};
use crate::export::material::ExportMaterial;
use crate::export::problem_yaml::{NO_TIME_LIMIT, domjudge_ini};
use crate::export::submission_files::{add_or_note, unknown_code};
use crate::files;
use crate::mistake::{Mistake, Mistakes};
use crate::model::{
    ExpectedScore, GroupAcceptance, PointValue, ScoreAggregation, ScoreGroup,
};
use crate::package::{DOMJUDGE_INI, PackageFormat, domjudge, groups_with_cases};

/// Whether a package of this format can be exported to the target unchanged.
fn is_in_format_of(material: &ExportMaterial, format: PackageFormat) -> bool {
    let is_kattis_legacy =
        matches!(format, PackageFormat::Legacy | PackageFormat::LegacyIcpc);
    // DOMjudge has no graders, and only one program that checks outputs.
    let has_several = material
        .problem
        .task
        .program()
        .is_some_and(|program| program.final_checker.is_some());
    let scoring = &material.problem.scoring;
    // DOMjudge reads the same settings of points otherwise than Kattis, so their copy
    // would mean something else.
    let has_other_points = !scoring.is_empty() && !scoring.decides_verdict;
    match material.target {
        Kattis2025 => format == PackageFormat::Kattis2025,
        KattisLegacy => is_kattis_legacy && !has_other_points,
        DomJudge if has_several || scoring.grader.is_some() => false,
        DomJudge => is_kattis_legacy || format == PackageFormat::DomJudge,
    }
}

/// Adds the files of a package that is in the target's format already. `false` if it is
/// not.
///
/// # Errors
/// Reports settings of groups whose points cannot be rewritten for DOMjudge.
pub(super) fn add_files(material: &ExportMaterial) -> Result<bool, Mistakes> {
    let package = &material.package;
    let is_same = is_in_format_of(material, package.format);
    // If the package was read differently from what its files suggest (as another
    // format, or another meaning of it), another judge would not read a copy as we do.
    // DOMjudge reads every package in its own format.
    let is_recognisable = !package.has_overridden_format
        || material.target == DomJudge && package.format == PackageFormat::DomJudge;
    if !material.is_package || !is_same || !is_recognisable {
        return Ok(false);
    }
    for (name, path) in &package.files {
        material.copy(name, path);
    }
    let hidden = material.folder().join(domjudge::TIME_LIMIT_FILE);
    // A hidden file is not among those that the package was read from, so nobody has
    // looked where it leads.
    if hidden.is_file() && files::is_beneath(material.folder(), &hidden) {
        material.copy(domjudge::TIME_LIMIT_FILE, &hidden);
    }
    if material.target != DomJudge {
        return Ok(true);
    }
    if !material.has(DOMJUDGE_INI) {
        let seconds = package.limits.time.map(|time| time.as_secs_f64());
        material.put(DOMJUDGE_INI, domjudge_ini(&material.problem.name, seconds));
        if package.is_measured() {
            material.note_loss(NO_TIME_LIMIT);
        }
    }
    let scoring = &material.problem.scoring;
    if scoring.decides_verdict && !scoring.is_empty() {
        rewrite(material)?;
        move_accepted_in_part(material);
    }
    // In the folders that say the verdict, DOMjudge ignores codes.
    for submission in &package.submissions {
        if !submission.is_in_official_folder()
            && let Some(said) = unknown_code(submission)
        {
            material.note_loss(format!("{said} in {}", submission.name));
        }
    }
    Ok(true)
}

/// Moves the submissions that are accepted in part, which DOMjudge does not know, to
/// where any verdict may be expected of them.
fn move_accepted_in_part(material: &ExportMaterial) {
    let submissions = material.package.submissions.iter();
    for submission in
        submissions.filter(|one| one.expected.score() == Some(ExpectedScore::Partial))
    {
        let name = &submission.name;
        let own = Path::new("submissions").join(name);
        let mut files = material.files.borrow_mut();
        files.retain(|file, _| !Path::new(file).starts_with(&own));
        drop(files);
        add_or_note(material, submission);
        material.note_loss(format!(
            "submission {name} goes to `mixed`, where any verdict is expected: domjudge has no \
             folder for what is accepted in part"
        ));
    }
}

// Rewrites the points of a package in the older format for DOMjudge, which reads the
// same keys otherwise: there, `accept_score` is for all cases of a group together,
// groups inherit nothing, and few flags exist. Start at [`rewrite`].
//
// Source: DOMjudge's import of packages.

/// The keys of a group about points. Its other keys are kept.
const KEYS: [&str; 6] = [
    "on_reject",
    "grading",
    "grader_flags",
    "range",
    "accept_score",
    "reject_score",
];

/// The largest settings file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Replaces the lines about points in the settings of all groups, and notes what they
/// cannot express.
///
/// # Errors
/// Reports a settings file that cannot be read, or whose keys are not on lines of their
/// own.
fn rewrite(material: &ExportMaterial) -> Result<(), Mistakes> {
    let mut mistakes = vec![];
    let mut left_out: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (group, own) in groups_with_cases(&material.problem.scoring, &material.cases)
    {
        let count = own.len();
        let folder = format!("data/{}", group.name)
            .trim_end_matches('/')
            .to_owned();
        let worth = worth(group, count);
        // Whether a submission that solves some cases of it gets some of its points.
        let is_shared_out = count > 1 && group.aggregation != ScoreAggregation::Min;
        if let Some(points) =
            worth.filter(|points| is_shared_out && *points > PointValue::ZERO)
        {
            material.note_loss(format!(
                "`{folder}` is worth {} as a whole, where here each of its {count} cases has points \
                 of its own: domjudge gives a group all its points or none",
                points.in_words()
            ));
        }
        let accepts = match group.acceptance {
            GroupAcceptance::All => None,
            GroupAcceptance::Any => Some("`accept_if_any_accepted`"),
            GroupAcceptance::Always => Some("`always_accept`"),
        };
        let gives = (count > 0 && group.case.rejected != PointValue::ZERO)
            .then_some("`reject_score`");
        for word in accepts.into_iter().chain(gives) {
            left_out
                .entry(word)
                .or_default()
                .push(format!("`{folder}`"));
        }
        let name = format!("{folder}/{}", DomJudge.group_file());
        match other_lines(material, &name) {
            Ok(rest) => material.put(name, lines(group, worth) + &rest),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    Mistakes::refuse(mistakes)?;
    for (word, folders) in left_out {
        material.note_loss(format!(
            "{word} is left out of {}: domjudge does not know it, so verdicts or points may differ",
            folders.join(", ")
        ));
    }
    Ok(())
}

/// The points of a group if all its cases are accepted. `None` if these are not
/// certain, or those of its inner groups.
fn worth(group: &ScoreGroup, count: usize) -> Option<PointValue> {
    let worth = group.case;
    if count == 0 || worth.checker.is_unbounded() {
        return None;
    }
    Some(match group.aggregation {
        ScoreAggregation::Sum => std::iter::repeat_n(worth.accepted, count).sum(),
        _ => worth.accepted,
    })
}

/// The lines about the points of a group.
fn lines(group: &ScoreGroup, worth: Option<PointValue>) -> String {
    let on_reject = if group.stops_at_rejection {
        "break"
    } else {
        "continue"
    };
    let sample = if group.ignores_first {
        " ignore_sample"
    } else {
        ""
    };
    let flags = match group.aggregation {
        ScoreAggregation::Sum => "sum",
        ScoreAggregation::Min => "min",
        ScoreAggregation::Max => "max",
        ScoreAggregation::Average => "avg",
    };
    let range = group
        .least
        .zip(group.most)
        .map(|(least, most)| format!("range: {least} {most}\n"));
    let score = worth.map(|points| format!("accept_score: {points}\n"));
    let rest = range.into_iter().chain(score).collect::<String>();
    format!("on_reject: {on_reject}\ngrader_flags: {flags}{sample}\n{rest}")
}

/// The lines of a settings file that are not about points; none if there is no such
/// file.
fn other_lines(material: &ExportMaterial, name: &str) -> Result<String, Mistake> {
    let Some(path) = material.package.files.get(name) else {
        return Ok(String::new());
    };
    let bytes = files::read_bounded(path, MOST_BYTES)
        .map_err(|refused| Mistake::refused(path, &refused))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut is_kept = true;
    let mut rest = String::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.starts_with('{') {
            return Mistake::refuse(
                path,
                "has its keys in braces, and those about points must change for domjudge",
                "write each key on a line of its own",
            );
        }
        // Indented lines belong to the key above them.
        if !line.starts_with([' ', '\t']) {
            let key = line
                .split_once(':')
                .map_or("", |(key, _)| key.trim().trim_matches(['"', '\'']));
            is_kept = !KEYS.contains(&key) && !["---", "..."].contains(&line.trim());
        }
        if is_kept && !line.trim().is_empty() {
            rest += &format!("{line}\n");
        }
    }
    Ok(rest)
}
