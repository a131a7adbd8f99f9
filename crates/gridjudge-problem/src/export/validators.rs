//! Adds the programs that check inputs: those of a package; for other problems, one
//! that is generated from the grid spec, or one that checks characters only. Also adds
//! a package's attachments, and notes what is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::export::material::ExportMaterial;
use crate::export::{ExportTarget, case_arguments, grid_programs, output_validator};
use crate::mistake::{Mistake, Mistakes};
use crate::package::{CaseArguments, Package, VALIDATION_SECTIONS, last_part};

/// The program that checks the characters of inputs only.
const PLAIN_TEXT: &str = include_str!("programs/text_input.py");

/// The folder of the program that judges sources.
const STATIC_VALIDATOR: &str = "static_validator";

/// The folders of packages that this module or another one exports.
const EXPORTED: [&str; 10] = [
    "attachments",
    "data",
    "include",
    "input_format_validators",
    "input_validators",
    "output_validator",
    "output_validators",
    "problem_statement",
    "statement",
    "submissions",
];

/// Adds programs that check inputs, and attachments.
///
/// # Errors
/// Reports features that verdicts may depend on and that the format cannot express.
pub(super) fn add_input_validators(
    material: &ExportMaterial,
) -> Result<(), Mistakes> {
    refuse_constants(material)?;
    add_own(material);
    add_wrapped(material);
    if !material.has("input_validators") {
        add_generated(material);
    }
    if let Err(why) = add_arguments(material) {
        material
            .note_loss(format!("arguments of input validators are left out: {why}"));
    }
    add_attachments(material);
    note_left_out(material);
    Ok(())
}

/// Adds the programs of a package.
fn add_own(material: &ExportMaterial) {
    let mut own: Vec<_> = ["input_validators", "input_format_validators"]
        .into_iter()
        .flat_map(|folder| material.files_below(folder))
        .collect();
    // DOMjudge builds one program from all files, and imports nothing unless they are
    // all in one folder.
    let folder = own.first().map(|(name, _)| {
        name.rsplit_once('/')
            .map_or(String::new(), |(top, _)| format!("{top}/"))
    });
    if let (ExportTarget::DomJudge, Some(folder)) = (material.target, folder) {
        let left_out: Vec<_> = own
            .extract_if(.., |(name, _)| !name.starts_with(&folder))
            .map(|(name, _)| format!("input_validators/{name}"))
            .collect();
        material
            .note_losses("DOMjudge takes one input validator: left out", &left_out);
    }
    for (name, path) in own {
        material.copy(format!("input_validators/{name}"), path);
    }
}

/// Adds the validators of a Polygon package, with programs around them that turn their
/// answers into 42 and 43.
fn add_wrapped(material: &ExportMaterial) {
    let validation = &material.package.validation;
    let rules = validation.protocol.rules();
    if rules.is_of_packages {
        return;
    }
    for program in &validation.input_validators {
        let name = &program.name;
        if material.target == ExportTarget::DomJudge
            && material.has("input_validators")
        {
            material.note_loss(format!(
                "DOMjudge takes one input validator: left out: {name}"
            ));
            continue;
        }
        let folder = case_arguments::fit_name(
            name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        );
        let note = if output_validator::add_validator(
            program,
            &format!("input_validators/{folder}"),
            material,
        ) {
            format!(
                "the input validator {name} speaks `{}`: a program around it turns its answers \
                 into 42 and 43",
                rules.name
            )
        } else {
            format!(
                "the input validator {name} is left out: only C++ and Python can be put into the \
                 format's protocol"
            )
        };
        material.note_loss(note);
    }
}

/// Adds attachments. For DOMjudge, only the first of several with the same file name.
fn add_attachments(material: &ExportMaterial) {
    let mut known = BTreeSet::new();
    for (name, path) in material.files_below("attachments") {
        let is_new = known.insert(last_part(name));
        if is_new || material.target != ExportTarget::DomJudge {
            material.copy(format!("attachments/{name}"), path);
        } else {
            material.note_loss(format!(
                "attachment {name} is left out: DOMjudge keeps names without their folders, and \
                 has one of that name"
            ));
        }
    }
}

/// Refuses `constants` for the older formats, which do not fill them in: no source that
/// uses them would compile.
fn refuse_constants(material: &ExportMaterial) -> Result<(), Mistakes> {
    let constants = material.package.constants.names();
    let names: Vec<_> = constants.map(|name| format!("`{name}`")).collect();
    if names.is_empty() || !material.target.uses_legacy_layout() {
        return Ok(());
    }
    Mistake::refuse(
        &material.file,
        format!(
            "{} knows no `constants`, and here are {}",
            material.target.name(),
            names.join(", ")
        ),
        "write the values into the sources, and delete `constants`",
    )
}

/// Adds a generated program, or the one that checks characters only.
fn add_generated(material: &ExportMaterial) {
    let of_grids = material.problem.task.as_grid().and_then(|task| {
        let inputs = material
            .cases
            .iter()
            .filter_map(|case| fs::read(&case.input).ok());
        grid_programs::input_validator(task, inputs)
    });
    if let Some(program) = of_grids {
        material.put("input_validators/validate.py", program);
        return;
    }
    if material.cases.iter().all(|case| {
        fs::read(&case.input).is_ok_and(|bytes| {
            let is_text = bytes
                .iter()
                .all(|byte| *byte == b'\n' || (32..127).contains(byte));
            is_text
                && bytes.ends_with(b"\n")
                && !bytes.windows(2).any(|pair| pair == b" \n")
        })
    }) {
        material.put("input_validators/plain_text.py", PLAIN_TEXT);
        material.note_loss(
            "the problem brings no program that checks inputs: `input_validators/plain_text.py` \
             looks at characters only",
        );
    } else {
        material.note_loss(
            "there is no program that checks inputs, which problemtools and BAPCtools want",
        );
    }
    if material.problem.task.as_grid().is_some() {
        material.note_loss("no program that checks inputs could be made of the spec");
    }
}

/// Adds the arguments of input validators.
///
/// # Errors
/// Says in words what of them the format cannot express. None are written then.
fn add_arguments(material: &ExportMaterial) -> Result<(), String> {
    let all: BTreeMap<_, _> = material
        .case_names
        .iter()
        .zip(&material.cases)
        .map(|(name, case)| {
            (name.as_str(), arguments_on(&material.package, &case.name))
        })
        .collect();
    case_arguments::add_arguments(&all, "input_validator", material)
}

/// The arguments that the input validators of a package get on a case.
fn arguments_on(package: &Package, case: &str) -> CaseArguments {
    let rules = package.validation.protocol.rules();
    let mut each = BTreeMap::new();
    for program in &package.validation.input_validators {
        let words = package.validation.arguments(&program.name, case);
        let mut given = words.to_vec();
        // The formats cannot give an empty argument, and testlib takes no option for one
        // whose value is empty.
        if rules.ignores_empty_options && words.len().is_multiple_of(2) {
            let pairs = words.chunks(2).filter(|pair| !pair[1].is_empty());
            given = pairs.flatten().cloned().collect();
        }
        each.insert(program.name.clone(), given);
    }
    let words = each.values().next().cloned().unwrap_or_default();
    if each.values().all(|other| *other == words) {
        CaseArguments::All(words)
    } else {
        CaseArguments::Each(each)
    }
}

/// Notes the parts of a package that are not exported.
fn note_left_out(material: &ExportMaterial) {
    let package = &material.package;
    let folders: BTreeSet<_> = package
        .files
        .keys()
        .filter_map(|name| Some(name.split_once('/')?.0))
        .collect();
    let of_kattis = package.format.has_kattis_layout();
    // `convert` has noted that these cases and their program are left
    // out.
    let has_static_cases = package
        .case_tasks
        .values()
        .any(|task| task.static_validator().is_some());
    let mut left_out: Vec<_> = folders
        .into_iter()
        .filter(|folder| {
            let is_noted = has_static_cases && *folder == STATIC_VALIDATOR;
            !of_kattis || !is_noted && !EXPORTED.contains(folder)
        })
        .map(|name| format!("{name}/"))
        .collect();
    let for_validators = VALIDATION_SECTIONS.map(|name| format!("data/{name}/"));
    left_out.extend(
        for_validators.into_iter().filter(|folder| {
            package.files.keys().any(|name| name.starts_with(folder))
        }),
    );
    if of_kattis {
        material.note_losses("left out", &left_out);
    } else if !left_out.is_empty() {
        let what = "cases, programs that judge or check, submissions and statements are carried, \
                    and nothing else of";
        material.note_loss(format!("{what} {}", left_out.join(", ")));
    }
    if material.target.uses_legacy_layout()
        && package.includes.contains_key("default")
    {
        material.note_loss(
            "`include/default/` is carried, though the older formats do not know it",
        );
    }
}
