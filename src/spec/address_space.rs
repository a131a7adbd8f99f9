//! Knows how much address space the judges of package formats give to programs, beyond the memory
//! limit. A program that asks for more gets none, as there, whether it would have touched it or
//! not.
//!
//! DOMjudge has no such limit, and for Codeforces, which judges what Polygon prepares, none is
//! documented.

use crate::model::SpareAddresses;
use crate::package::{Package, PackageFormat};

/// Languages that problemtools gives any amount. Source: `should_skip_memory_rlimit` in its
/// `run/source.py`; the last two are ours: these runtimes reserve some hundred MiB, and do not
/// start with less.
const UNLIMITED_IN_KATTIS: [&str; 5] = ["java", "kotlin", "lisp", "go", "javascript"];

/// Languages that DMOJ gives any amount. Source: DMOJ, `executors/java_executor.py`.
const UNLIMITED_IN_DMOJ: [&str; 2] = ["java", "kotlin"];

/// What DMOJ gives to programs in most languages, in MiB. Source: DMOJ,
/// `executors/base_executor.py`.
const USUAL_IN_DMOJ: [u64; 2] = [64, 0];

/// What DMOJ gives to programs in the others: MiB of all addresses, and of data. Source:
/// `address_grace` and `data_grace` in its executors.
const IN_DMOJ: [(&str, [u64; 2]); 7] = [
    ("csharp", [256, 64]),
    ("go", [768, 96]),
    ("javascript", [1024, 0]),
    ("lisp", [512, 512]),
    ("lua", [128, 0]),
    ("ocaml", [256, 0]),
    ("python", [128, 2]),
];

/// How much more than its memory limit a submission in a language may reserve; `None`: any amount.
pub(super) fn beyond_memory(package: &Package, language: &str) -> Option<SpareAddresses> {
    // With DOMjudge's own file beside them, the other formats are judged by DOMjudge, too.
    let format = if package.is_for_domjudge {
        PackageFormat::DomJudge
    } else {
        package.format
    };
    beyond_memory_in(format, package.task.is_interactive(), language)
}

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
        // The program that connects a submission and its interactor limits time only. Source:
        // problemtools, `judge/execute.py`.
        PackageFormat::Legacy | PackageFormat::LegacyIcpc | PackageFormat::Kattis2025 => {
            (!is_interactive && !UNLIMITED_IN_KATTIS.contains(&language)).then(|| spare([0, 0]))
        }
        PackageFormat::Dmoj => {
            let own = IN_DMOJ.iter().find(|(id, _)| *id == language);
            let mib = own.map_or(USUAL_IN_DMOJ, |(_, mib)| *mib);
            (!UNLIMITED_IN_DMOJ.contains(&language)).then(|| spare(mib))
        }
        PackageFormat::DomJudge | PackageFormat::Polygon | PackageFormat::Oj => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::language;

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
        let known = language::built_in();
        let named = IN_DMOJ
            .iter()
            .map(|(id, _)| id)
            .chain(&UNLIMITED_IN_DMOJ)
            .chain(&UNLIMITED_IN_KATTIS);
        named.for_each(|id| assert!(known.contains_key(*id), "{id}"));
    }
}
