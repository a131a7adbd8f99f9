//! Adapts languages to the judges of package formats: the versions and options with
//! which those compile. Start at [`as_in_format`].

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::model::Language;
use crate::package::PackageFormat;
use crate::spec::config::language::{BUILT_IN, set, unnamed_language};

const TABLE: &str = include_str!("../formats.toml");

/// What a format says of a language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormatSettings {
    standards: Option<Vec<String>>,
    options: Option<Vec<String>>,
    check: Option<Vec<String>>,
    run: Option<Vec<String>>,
    /// The versions that words in the types of sources mean.
    #[serde(default)]
    types: BTreeMap<String, Vec<String>>,
}

/// The settings of all formats, by the name of a format's table, and then by language.
static SETTINGS: LazyLock<BTreeMap<String, BTreeMap<String, FormatSettings>>> =
    LazyLock::new(|| toml::from_str(TABLE).expect("the table is valid"));

/// Polygon's compilers for 32 bits, which compute in the registers of the x87: results
/// are longer than their types until they are stored, so that a solution with `float`
/// may be right there alone.
const X87_TYPES: [&str; 5] =
    ["c.gcc", "cpp.g++", "cpp.g++11", "cpp.g++14", "cpp.g++17"];

/// The option by which compilers for 64 bits do the same, where the machine can.
const X87: Option<&str> = if cfg!(target_arch = "x86_64") {
    Some("-mfpmath=387")
} else {
    None
};

/// The type of the programs of a package that judge, where it gives no other one.
pub(super) const PROGRAM_TYPE: &str = "program";

/// A language as the judge of a format compiles and runs it. The type of the source may
/// select a version. What `judge.toml` has changed stays.
pub(crate) fn as_in_format(
    language: &Language,
    format: PackageFormat,
    source_type: Option<&str>,
) -> Language {
    let of_format = SETTINGS.get(table_of(format));
    let Some(settings) = of_format.and_then(|languages| languages.get(&language.id))
    else {
        return language.clone();
    };
    // The language before `judge.toml` changed it.
    let Some(built_in) = BUILT_IN.get(&language.id) else {
        return language.clone();
    };
    let mut adapted = language.clone();
    let types = settings.types.iter();
    let of_type = source_type
        .and_then(|kind| types.rev().find(|(word, _)| kind.contains(*word)));
    let standards = of_type
        .map(|(_, standards)| standards)
        .or(settings.standards.as_ref());
    if language.standards == built_in.standards {
        set(&mut adapted.standards, standards.cloned());
    }
    if language.options == built_in.options {
        set(&mut adapted.options, settings.options.clone());
        if format == PackageFormat::Polygon
            && source_type.is_some_and(|kind| X87_TYPES.contains(&kind))
        {
            adapted.options.extend(X87.map(str::to_owned));
        }
    }
    if language.run == built_in.run && language.check == built_in.check {
        set(&mut adapted.check, settings.check.clone());
        set(&mut adapted.run, settings.run.clone());
    }
    adapted
}

/// The name of a format's table. A folder of cases has none.
fn table_of(format: PackageFormat) -> &'static str {
    if format.is_of_kattis() {
        "kattis"
    } else {
        format.name()
    }
}

// The language of package programs that are built by their own script `build` and
// started by their script `run`. Knows no package.

/// The language of a program with a `run` script. A script `build`, if there is one,
/// runs first and may create `run`.
pub(crate) fn script_language(build: Option<&Path>) -> Language {
    let word = |word: &str| word.to_owned();
    // Kernels start no script without a first line that names its interpreter; shells
    // read it themselves.
    let shell = build
        .filter(|build| !names_interpreter(build))
        .map(|_| word("sh"));
    Language {
        name: "a script of its own".to_owned(),
        compile: build.map_or_else(Vec::new, |_| {
            shell.into_iter().chain([word("{folder}/build")]).collect()
        }),
        run: vec![word("{folder}/run")],
        opens_home: false,
        keeps_builds: false,
        ..unnamed_language("script")
    }
}

/// Whether a file begins as a script or a program that a kernel can start. True of one
/// that cannot be read: its start fails with the reason.
pub(super) fn names_interpreter(file: &Path) -> bool {
    let mut start = vec![];
    let read = File::open(file).and_then(|file| file.take(4).read_to_end(&mut start));
    read.is_err() || start.starts_with(b"#!") || start == b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_formats_has_only_known_formats_and_languages() {
        for (format, languages) in &*SETTINGS {
            assert!(
                PackageFormat::ALL
                    .iter()
                    .any(|known| table_of(*known) == format),
                "{format}"
            );
            for language in languages.keys() {
                assert!(BUILT_IN.contains_key(language), "{language}");
            }
        }
    }

    #[test]
    fn a_format_or_the_type_of_a_source_selects_the_standard_unless_the_user_does() {
        let cpp = &BUILT_IN["cpp"];
        let own = Language {
            standards: vec!["c++14".to_owned()],
            ..cpp.clone()
        };
        let of_32_bits = ["-DONLINE_JUDGE"]
            .into_iter()
            .chain(X87)
            .collect::<Vec<_>>()
            .join(" ");
        for (language, format, kind, standard, options) in [
            (cpp, PackageFormat::Oj, None, "gnu++20", ""),
            (cpp, PackageFormat::Kattis2025, None, "gnu++23", ""),
            (cpp, PackageFormat::Legacy, None, "gnu++23", ""),
            (cpp, PackageFormat::DomJudge, None, "gnu++17", ""),
            (
                cpp,
                PackageFormat::DomJudge,
                Some(PROGRAM_TYPE),
                "gnu++20",
                "",
            ),
            (
                cpp,
                PackageFormat::Legacy,
                Some(PROGRAM_TYPE),
                "gnu++23",
                "",
            ),
            (cpp, PackageFormat::Dmoj, None, "gnu++23", "-DONLINE_JUDGE"),
            (
                cpp,
                PackageFormat::Dmoj,
                Some(PROGRAM_TYPE),
                "c++20",
                "-DONLINE_JUDGE",
            ),
            (
                cpp,
                PackageFormat::Polygon,
                None,
                "gnu++20",
                "-DONLINE_JUDGE",
            ),
            (
                cpp,
                PackageFormat::Polygon,
                Some("cpp.ms2017"),
                "gnu++20",
                "-DONLINE_JUDGE",
            ),
            (
                cpp,
                PackageFormat::Polygon,
                Some("cpp.g++11"),
                "gnu++11",
                &of_32_bits,
            ),
            (
                cpp,
                PackageFormat::Polygon,
                Some("cpp.msys2-mingw64-9-g++17"),
                "gnu++17",
                "-DONLINE_JUDGE",
            ),
            (
                cpp,
                PackageFormat::Polygon,
                Some("cpp.gcc14-64-msys2-g++23"),
                "gnu++23",
                "-DONLINE_JUDGE",
            ),
            (
                cpp,
                PackageFormat::Polygon,
                Some("cpp.clang++20-diagnostics"),
                "gnu++20",
                "-DONLINE_JUDGE",
            ),
            (&own, PackageFormat::Kattis2025, None, "c++14", ""),
            (
                &own,
                PackageFormat::Polygon,
                Some("cpp.g++17"),
                "c++14",
                &of_32_bits,
            ),
        ] {
            let adapted = as_in_format(language, format, kind);
            let found = (adapted.standards[0].as_str(), adapted.options.join(" "));
            assert_eq!(found, (standard, options.to_owned()), "{format:?} {kind:?}");
        }
    }

    #[test]
    fn what_a_format_says_nothing_of_stays() {
        let python = &BUILT_IN["python"];
        assert_eq!(
            as_in_format(python, PackageFormat::Kattis2025, None),
            *python
        );
        let ocaml = &BUILT_IN["ocaml"];
        assert_eq!(as_in_format(ocaml, PackageFormat::Kattis2025, None), *ocaml);
    }

    #[test]
    fn a_shell_script_is_run_by_the_shell_of_the_format() {
        let sh = &BUILT_IN["sh"];
        for (format, shell) in [
            (PackageFormat::Kattis2025, "bash"),
            (PackageFormat::Dmoj, "bash"),
            (PackageFormat::DomJudge, "sh"),
            (PackageFormat::Polygon, "sh"),
        ] {
            let adapted = as_in_format(sh, format, None);
            assert_eq!(
                [&adapted.run[0], &adapted.check[0]],
                [shell, shell],
                "{format:?}"
            );
        }
    }
}
