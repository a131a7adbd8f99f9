//! Packages of other judges as problems of this folder: with the judge's languages, and
//! its defaults for settings that packages do not have.

pub(crate) mod format_settings;
pub(crate) mod package_sources;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gridjudge_sandbox::Limits;

use crate::mistake::Mistakes;
use crate::model::{
    AdditionalSources, Language, LanguageAllowance, Problem, SpareAddresses,
    Submission, ToolSource, UnusableLanguage,
};
use crate::package::{
    Package, PackageFormat, PackageProgram, PackageSubmission, SkippedSubmission,
};
use crate::spec::{ExampleSubmission, ProblemFolder};

use format_settings::{PROGRAM_TYPE, as_in_format};

impl ProblemFolder {
    /// Converts its package to a problem.
    ///
    /// # Errors
    /// Reports the features that the package needs and this judge does not support.
    pub(super) fn problem_of(&self, package: &Package) -> Result<Problem, Mistakes> {
        let cpu = package.time_limit();
        let limits = Limits {
            cpu,
            wall: Limits::wall_for(cpu),
            memory_bytes: package.limits.memory_bytes,
            output_bytes: package.limits.output_bytes,
            ..self.config.limits.clone()
        };
        // The limits of a package are the same for all languages.
        let same = LanguageAllowance {
            time_factor: Some(1),
            extra_memory_bytes: Some(0),
        };
        let languages = self.config.languages();
        let problem = Problem {
            id: self.id.clone(),
            name: package.name.clone().unwrap_or_else(|| self.id.clone()),
            source: package.source.clone(),
            task: package.task.clone(),
            case_tasks: package.case_tasks.clone(),
            supplies: package.supplies.clone(),
            file_streams: package.file_streams.clone(),
            limits,
            allowances: languages
                .map(|language| (language.id.clone(), same))
                .collect(),
            scoring: package.scoring.clone(),
        };
        // What is not judged refuses the package, with everything else that is wrong.
        let refusal = if package.unsupported().is_empty() {
            vec![]
        } else {
            [
                &package.all_mistakes()[..],
                package.missing_answers(),
                package.unsupported(),
            ]
            .concat()
        };
        Mistakes::or(refusal, problem)
    }

    /// The submissions of its package that can be judged.
    pub(super) fn examples_of(&self, package: &Package) -> Vec<ExampleSubmission> {
        package
            .submissions
            .iter()
            .filter_map(|submission| {
                let own = Submission {
                    name: submission.name.clone(),
                    path: self.path_of(package, submission).ok()?,
                    real: None,
                    expected: Some(submission.expected.clone()),
                };
                Some(ExampleSubmission::with_expectations(
                    own,
                    submission.expectations.clone(),
                ))
            })
            .collect()
    }

    /// The submissions of a package that are not judged, each with the reason. Empty
    /// for a problem that is no package.
    pub fn left_out(&self) -> Vec<SkippedSubmission> {
        let Some(package) = self.readable_package() else {
            return vec![];
        };
        let unknown = package.submissions.iter().filter_map(|submission| {
            let reason = self.path_of(&package, submission).err()?;
            Some(SkippedSubmission {
                name: submission.name.clone(),
                reason,
            })
        });
        package.left_out.iter().cloned().chain(unknown).collect()
    }

    /// The file or folder that identifies a submission of its package.
    ///
    /// # Errors
    /// Returns why it is not judged, worded to follow its name.
    fn path_of(
        &self,
        package: &Package,
        submission: &PackageSubmission,
    ) -> Result<PathBuf, String> {
        let config = &self.config;
        if !package.submissions_are_answers {
            let found = package_sources::of_example(package, submission, config)?;
            return Ok(found.path);
        }
        let mut files = submission.files.iter();
        if files.all(|file| config.language_of(&file.path).is_some()) {
            Err(
                "it is a program, and submissions are answers (`type: submit-answer`)"
                    .to_owned(),
            )
        } else {
            Ok(package.place_of_answers(submission))
        }
    }

    /// The language of a submission: the one that its package names, or else by the
    /// file's ending. A package sets its own limits for compiling.
    pub fn language_of(&self, path: &Path) -> Option<Arc<Language>> {
        let Some(package) = self.readable_package() else {
            return self.config.language_of_own(path).cloned();
        };
        let named = package
            .submissions
            .iter()
            .filter(|one| one.files.iter().any(|file| file.path == path))
            .find_map(|one| one.language.as_deref());
        let language = named
            .and_then(|named| self.config.language_called(named))
            .or_else(|| self.config.language_of(path))?;
        Some(Arc::new(package.language_in(language, path)))
    }

    /// The further sources that a submission is compiled from, beside its own file. It
    /// may be from a package or not.
    pub fn further_sources(
        &self,
        path: &Path,
        language: Option<&Language>,
    ) -> AdditionalSources {
        let Some(package) = self.readable_package() else {
            return AdditionalSources::default();
        };
        package
            .submissions
            .iter()
            .filter_map(|one| {
                package_sources::of_example(&package, one, &self.config).ok()
            })
            .find(|sources| sources.path == path)
            .map(|sources| sources.additional_sources)
            .unwrap_or_else(|| package_sources::of_program(&package, path, language))
    }

    /// Why the problem accepts no submissions in a language. `None` if it accepts them.
    pub fn language_refusal(&self, language: &Language) -> Option<UnusableLanguage> {
        let package = self.readable_package()?;
        let permitted = package.languages.as_ref()?;
        let code = language.package_code();
        if permitted.iter().any(|known| known == code) {
            return None;
        }
        let name = &language.name;
        let known = permitted.join(", ");
        let cause = format!(
            "the package takes no submissions in {name}: its `languages` are {known}"
        );
        let remedy = format!(
            "write it in another language, or add `{code}` to `languages` in \
             `problem.yaml`"
        );
        Some(UnusableLanguage {
            cause,
            remedy,
            package: None,
        })
    }

    /// The files of a program of a package and its language, or the reason why it
    /// cannot be built here. `None` for a problem that is no package.
    pub fn program_of(
        &self,
        program: &PackageProgram,
    ) -> Option<Result<ToolSource, String>> {
        let package = self.readable_package()?;
        let found = package_sources::of_tool(&package, program, &self.config);
        Some(found.map(|tool| ToolSource {
            language: tool.language.map(|language| {
                Arc::new(package.language_in(&language, &tool.source.path))
            }),
            ..tool
        }))
    }
}

impl Package {
    /// A language as a source of the package, or a submission to it, is compiled and
    /// run: as the judge of its format does, within the package's limits for compiling.
    fn language_in(&self, language: &Language, source: &Path) -> Language {
        let cpu = self.limits.compile_time;
        let output_bytes = if self.format.has_kattis_layout() {
            MOST_COMPILED
        } else {
            language.compile_limits.output_bytes
        };
        let compile_limits = Limits {
            cpu,
            wall: Limits::wall_for(cpu),
            memory_bytes: self.limits.compile_memory_bytes,
            output_bytes,
            ..language.compile_limits.clone()
        };
        // With DOMjudge's own file beside them, the other formats are judged by
        // DOMjudge, too.
        let judge = if self.is_for_domjudge {
            PackageFormat::DomJudge
        } else {
            self.format
        };
        // Its own programs, other than submissions.
        let is_program = self
            .name_of(source)
            .is_some_and(|name| !name.starts_with("submissions/"));
        let named = self.source_types.get(source).map(String::as_str);
        let source_type = named.or(is_program.then_some(PROGRAM_TYPE));
        let is_interactive = self.task.is_interactive();
        Language {
            compile_limits,
            address_space: beyond_memory_in(judge, is_interactive, &language.id),
            ..as_in_format(language, judge, source_type)
        }
    }

    /// The path of an answer submission of the package.
    pub(super) fn place_of_answers(&self, submission: &PackageSubmission) -> PathBuf {
        self.file
            .parent()
            .unwrap_or(&self.file)
            .join("submissions")
            .join(&submission.name)
    }
}

/// The most bytes of a file that compilers write for packages of Kattis' formats, which
/// is more than this judge usually allows.
///
/// Source: DOMjudge, `script_filesize_limit` in `etc/db-config.yaml`. problemtools and
/// BAPCtools set no limit.
const MOST_COMPILED: u64 = 2_621_440 << 10;

// Knows how much address space the judges of package formats give to programs, beyond
// the memory limit. A program that asks for more gets none, as there, whether it would
// have touched it or not.
//
// DOMjudge has no such limit, and for Codeforces, which judges what Polygon prepares,
// none is documented.

/// Languages that problemtools gives any amount. Source: `should_skip_memory_rlimit` in
/// its `run/source.py`; the last two are ours: these runtimes reserve some hundred MiB,
/// and do not start with less.
const UNLIMITED_IN_KATTIS: [&str; 5] = ["java", "kotlin", "lisp", "go", "javascript"];

/// Languages that DMOJ gives any amount. Source: DMOJ, `executors/java_executor.py`.
const UNLIMITED_IN_DMOJ: [&str; 2] = ["java", "kotlin"];

/// What DMOJ gives to programs in most languages, in MiB. Source: DMOJ,
/// `executors/base_executor.py`.
const DEFAULT_IN_DMOJ: [u64; 2] = [64, 0];

/// What DMOJ gives to programs in the others: MiB of all addresses, and of data.
/// Source: `address_grace` and `data_grace` in its executors.
const IN_DMOJ: [(&str, [u64; 2]); 7] = [
    ("csharp", [256, 64]),
    ("go", [768, 96]),
    ("javascript", [1024, 0]),
    ("lisp", [512, 512]),
    ("lua", [128, 0]),
    ("ocaml", [256, 0]),
    ("python", [128, 2]),
];

/// How much more than its memory limit a submission in a language may reserve; `None`:
/// any amount.
fn beyond_memory_in(
    format: PackageFormat,
    is_interactive: bool,
    language: &str,
) -> Option<SpareAddresses> {
    let spare = |[total, data]: [u64; 2]| SpareAddresses {
        total_bytes: total << 20,
        data_bytes: data << 20,
    };
    match format {
        // The program that connects a submission and its interactor limits time only.
        // Source: problemtools, `judge/execute.py`.
        PackageFormat::Legacy
        | PackageFormat::LegacyIcpc
        | PackageFormat::Kattis2025 => (!is_interactive
            && !UNLIMITED_IN_KATTIS.contains(&language))
        .then(|| spare([0, 0])),
        PackageFormat::Dmoj => {
            let own = IN_DMOJ.iter().find(|(id, _)| *id == language);
            let mib = own.map_or(DEFAULT_IN_DMOJ, |(_, mib)| *mib);
            (!UNLIMITED_IN_DMOJ.contains(&language)).then(|| spare(mib))
        }
        PackageFormat::DomJudge | PackageFormat::Polygon | PackageFormat::Oj => None,
    }
}

#[cfg(test)]
mod address_space_tests {
    use super::*;
    use crate::spec::config::language;

    #[test]
    fn each_formats_judge_limits_the_address_space_of_some_languages() {
        let mib = |format, is_interactive, language: &str| {
            let spare = beyond_memory_in(format, is_interactive, language)?;
            Some((spare.total_bytes >> 20, spare.data_bytes >> 20))
        };
        for format in [
            PackageFormat::Legacy,
            PackageFormat::LegacyIcpc,
            PackageFormat::Kattis2025,
        ] {
            assert_eq!(mib(format, false, "cpp"), Some((0, 0)));
            assert_eq!(mib(format, false, "python"), Some((0, 0)));
            assert_eq!(mib(format, false, "java"), None);
            assert_eq!(mib(format, true, "cpp"), None);
        }
        assert_eq!(mib(PackageFormat::Dmoj, true, "c"), Some((64, 0)));
        assert_eq!(mib(PackageFormat::Dmoj, false, "go"), Some((768, 96)));
        assert_eq!(mib(PackageFormat::Dmoj, false, "java"), None);
        for format in [
            PackageFormat::DomJudge,
            PackageFormat::Polygon,
            PackageFormat::Oj,
        ] {
            assert_eq!(mib(format, false, "cpp"), None);
        }
    }

    #[test]
    fn the_named_languages_exist() {
        let known = &*language::BUILT_IN;
        let named = IN_DMOJ
            .iter()
            .map(|(id, _)| id)
            .chain(&UNLIMITED_IN_DMOJ)
            .chain(&UNLIMITED_IN_KATTIS);
        for id in named {
            assert!(known.contains_key(*id), "{id}");
        }
    }
}
