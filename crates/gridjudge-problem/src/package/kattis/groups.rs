//! Reads the settings of groups and single cases: flags of validators, which are parsed
//! here, and keys about points, in `testdata.yaml` of the older formats, and in
//! `test_group.yaml` and the `.yaml` of a case in 2025-09. Start at
//! [`GroupSettings::read`].

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::keys::{KeyTable, decimal};
use crate::mistake::{quoted, suggestion};
use crate::model::{TokenRules, Tolerance};
use crate::package::kattis::static_cases::program_arguments;
use crate::package::kattis::{Grading2025, LegacyGrading, StaticCases};
use crate::package::{
    CaseArguments, GROUP_FILE, LEGACY_GROUP_FILE, PackageMetadata, PackageTree,
    VALIDATION_SECTIONS, blank_separated, first_part, validation,
};

/// The settings of groups and cases, by their folders and names relative to `data`.
#[derive(Default)]
pub(crate) struct GroupSettings {
    /// Whether they are those of the older formats.
    is_legacy: bool,
    flags: BTreeMap<String, FlagSetting>,
    /// The arguments of input validators.
    pub(crate) input_arguments: BTreeMap<String, CaseArguments>,
    /// The arguments that submissions are run with.
    pub(super) arguments: BTreeMap<String, Vec<String>>,
    /// The settings of groups about points in the older formats, by folder.
    pub(crate) grading: BTreeMap<String, LegacyGrading>,
    /// Those in 2025-09.
    pub(crate) later_grading: BTreeMap<String, Grading2025>,
    /// The cases, asked for by groups, on which sources are judged.
    pub(crate) static_cases: StaticCases,
}

pub(super) struct FlagSetting {
    pub(super) file: PathBuf,
    pub(super) words: Vec<String>,
}

impl GroupSettings {
    /// Reads every file of settings in `data`.
    pub(crate) fn read(tree: &PackageTree, metadata: &PackageMetadata) -> Self {
        let is_legacy = metadata.format_of_groups.has_legacy_layout();
        let mut settings = Self {
            is_legacy,
            ..Self::default()
        };
        for (name, path) in tree.below("data") {
            let below = name.strip_prefix("data/").unwrap_or(name);
            let (folder, file) = below.rsplit_once('/').unwrap_or(("", below));
            let section = first_part(folder);
            let is_judged = ["", "sample", "secret"].contains(&section);
            let counts =
                is_judged || !is_legacy && VALIDATION_SECTIONS.contains(&section);
            let of = match file {
                LEGACY_GROUP_FILE => Some(folder),
                _ if is_legacy => None,
                GROUP_FILE => Some(folder),
                _ => below.strip_suffix(".yaml").filter(|_| !folder.is_empty()),
            };
            let Some(of) = of.filter(|_| !below.contains(".files/")) else {
                continue;
            };
            let read = metadata.settings(path);
            if !counts {
                // Cases of drafts that only test validators have such arguments, too.
                if let Ok(table) = read {
                    settings.read_input_arguments(&table, of);
                }
                continue;
            }
            if file == LEGACY_GROUP_FILE && !is_legacy {
                // It has other keys.
                let remedy = "bring it to `test_group.yaml` with the keys of `2025-09`, for example \
                              with `bt upgrade` of BAPCtools";
                let message = "`testdata.yaml` is of older formats, and of drafts";
                tree.refuse(path, message, remedy);
                continue;
            }
            let Some(table) = tree.ok_or_note(read) else {
                continue;
            };
            settings.read_file(&table, of);
            tree.close(&table);
        }
        settings
    }

    /// Reads the arguments of input validators. Those of another kind say nothing.
    fn read_input_arguments(&mut self, map: &KeyTable, of: &str) {
        let found = if self.is_legacy {
            let flags = map.node("input_validator_flags");
            let flags = flags.and_then(|node| node.text());
            flags.map(|flags| CaseArguments::All(blank_separated(flags)))
        } else {
            map.node("input_validator_args").and_then(|node| {
                let Some(entries) = node.table() else {
                    return node.texts().map(CaseArguments::All);
                };
                let each = entries
                    .iter()
                    .map(|(key, entry)| Some((key.clone(), entry.value.texts()?)));
                each.collect::<Option<_>>().map(CaseArguments::Each)
            })
        };
        if let Some(found) = found {
            self.input_arguments.insert(of.to_owned(), found);
        }
    }

    /// Reads the file of a group or a case.
    fn read_file(&mut self, map: &KeyTable, of: &str) {
        let flags = if self.is_legacy {
            map.document.ignores_quotes.set(true);
            self.grading.insert(of.to_owned(), LegacyGrading::read(map));
            let flags = map.text("output_validator_flags");
            flags.map(|flags| blank_separated(&flags))
        } else {
            if map.document.path.ends_with(GROUP_FILE) {
                let grading = Grading2025::read(map);
                // Cases that only test validators give no points.
                if !validation::is_validation_only(of) {
                    self.later_grading.insert(of.to_owned(), grading);
                }
                self.static_cases.read(map, of);
            } else {
                map.pass_over(["hint", "description"]);
            }
            if let Some(words) = program_arguments(map, "args") {
                self.arguments.insert(of.to_owned(), words);
            }
            map.flag("full_feedback");
            map.pass_over(["input_visualizer_args", "output_visualizer_args"]);
            map.list("output_validator_args")
        };
        if let Some(words) = flags {
            let file = map.document.path.clone();
            self.flags
                .insert(of.to_owned(), FlagSetting { file, words });
        }
        self.read_input_arguments(map, of);
        map.refuse_the_rest();
    }

    /// The flags that a case sets, or else the nearest group around it.
    pub(super) fn around(&self, case: &str) -> Option<&FlagSetting> {
        validation::from_nearest(case, &self.flags)
    }
}

// Parses the flags of the default validator of the Kattis problem package format, as
// `case_sensitive float_tolerance 1e-6`. Works on words and reads no file.

/// Flags without a value, and flags that a number follows. Specs of ours have them as
/// keys.
pub(crate) const SWITCHES: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
pub(crate) const TOLERANCES: [&str; 3] = [
    "float_tolerance",
    "float_absolute_tolerance",
    "float_relative_tolerance",
];

/// A flag that the default validator does not have, or that is used wrongly.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TokenFlagMistake {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// Parses the flags of the default validator, one word each. Without flags, returns the
/// default rules.
///
/// # Errors
/// Returns the first mistake: a flag that is unknown, given twice, or without its
/// number; a tolerance that is not a number, or negative; or `float_tolerance` beside
/// another tolerance.
pub fn token_flags(
    words: &[impl AsRef<str>],
) -> Result<TokenRules, TokenFlagMistake> {
    let wrong = |message: String, remedy: &str| TokenFlagMistake {
        message,
        remedy: remedy.to_owned(),
    };
    let mut rules = TokenRules::default();
    let mut given: Vec<&str> = vec![];
    let mut words = words.iter().map(AsRef::as_ref);
    while let Some(flag) = words.next() {
        if given.contains(&flag) {
            let message = format!("the flag {} appears twice", quoted(flag));
            return Err(wrong(message, "delete one of the two"));
        }
        match flag {
            "case_sensitive" => {
                rules.case_sensitive = true;
            }
            "space_change_sensitive" => {
                rules.space_change_sensitive = true;
            }
            _ if TOLERANCES.contains(&flag) => {
                let example = format!("write it as `{flag} 1e-6`");
                let value = words.next().ok_or_else(|| {
                    let message = format!("the flag `{flag}` has no number after it");
                    wrong(message, &example)
                })?;
                let tolerance = decimal(value).and_then(Tolerance::new);
                let tolerance = tolerance.ok_or_else(|| {
                    wrong(
                        format!("{} is not a valid value of `{flag}`", quoted(value)),
                        &format!("{example}; it must be finite and not negative"),
                    )
                })?;
                set_tolerance(&mut rules, flag, Some(tolerance));
            }
            _ => {
                let known = SWITCHES.into_iter().chain(TOLERANCES);
                return Err(wrong(
                    format!("the default validator has no flag {}", quoted(flag)),
                    &suggestion(flag, known, "known: "),
                ));
            }
        }
        given.push(flag);
    }
    // `float_tolerance` sets both others.
    let mut others = given.iter().filter(|flag| TOLERANCES[1..].contains(flag));
    if given.contains(&TOLERANCES[0])
        && let Some(other) = others.next()
    {
        let message = format!("`float_tolerance` cannot be combined with `{other}`");
        return Err(wrong(message, REMEDY_OF_BOTH));
    }
    Ok(rules)
}

/// Sets the tolerances that a flag stands for.
pub(crate) fn set_tolerance(
    rules: &mut TokenRules,
    flag: &str,
    tolerance: Option<Tolerance>,
) {
    if flag != "float_relative_tolerance" {
        rules.absolute_tolerance = tolerance;
    }
    if flag != "float_absolute_tolerance" {
        rules.relative_tolerance = tolerance;
    }
}

/// What to do about `float_tolerance` beside another tolerance.
pub(crate) const REMEDY_OF_BOTH: &str =
    "it stands for both others: write those two, or it alone";

#[cfg(test)]
mod token_flags_tests {
    use super::*;

    fn read(flags: &str) -> Result<TokenRules, TokenFlagMistake> {
        token_flags(&flags.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn flags_become_rules() {
        assert_eq!(read(""), Ok(TokenRules::default()));
        let tolerance = Tolerance::new(1e-6);
        let rules = TokenRules {
            case_sensitive: true,
            space_change_sensitive: true,
            ..TokenRules::default()
        };
        let both = TokenRules {
            absolute_tolerance: tolerance,
            relative_tolerance: tolerance,
            ..rules
        };
        assert_eq!(
            read("float_tolerance 1e-6 case_sensitive space_change_sensitive"),
            Ok(both)
        );
        let flags = "float_absolute_tolerance .5 float_relative_tolerance +1E-6";
        let absolute_tolerance = Tolerance::new(0.5);
        let relative_tolerance = tolerance;
        let rules = TokenRules {
            absolute_tolerance,
            relative_tolerance,
            ..TokenRules::default()
        };
        assert_eq!(read(flags), Ok(rules));
        assert!(
            ["0", "5.", "1e5"]
                .iter()
                .all(|number| read(&format!("float_tolerance {number}")).is_ok())
        );
    }

    #[test]
    fn a_wrong_flag_is_reported_with_a_remedy() {
        for (flags, message, remedy) in [
            (
                "float_tol 1",
                "the default validator has no flag `float_tol`",
                "did you mean `float_tolerance`?",
            ),
            (
                "float_tolerance",
                "the flag `float_tolerance` has no number after it",
                "write it as `float_tolerance 1e-6`",
            ),
            (
                "case_sensitive case_sensitive",
                "the flag `case_sensitive` appears twice",
                "delete one of the two",
            ),
            (
                "float_tolerance 1 float_tolerance 2",
                "the flag `float_tolerance` appears twice",
                "delete one of the two",
            ),
            (
                "float_tolerance 1 float_relative_tolerance 1",
                "`float_tolerance` cannot be combined with `float_relative_tolerance`",
                REMEDY_OF_BOTH,
            ),
        ] {
            let mistake = read(flags).unwrap_err();
            assert_eq!(
                (mistake.message.as_str(), mistake.remedy.as_str()),
                (message, remedy)
            );
        }
        assert!(
            read("frobnicate")
                .unwrap_err()
                .remedy
                .starts_with("known: case_sensitive, ")
        );
        for number in [
            "-1",
            "inf",
            "nan",
            "0x1",
            "1e",
            "case_sensitive",
            "1e999",
            "",
            ".",
        ] {
            let mistake = token_flags(&["float_tolerance", number]).unwrap_err();
            assert_eq!(
                mistake.message,
                format!("`{number}` is not a valid value of `float_tolerance`")
            );
        }
    }
}
