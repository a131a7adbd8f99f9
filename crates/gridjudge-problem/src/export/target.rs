//! The formats that problems are exported to, and the names that differ between them.

/// A format of another judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportTarget {
    /// Kattis' format before it had versions.
    KattisLegacy,
    /// Kattis' format of September 2025.
    Kattis2025,
    /// DOMjudge's: the older format of Kattis, with additions.
    DomJudge,
}

impl ExportTarget {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::KattisLegacy, Self::Kattis2025, Self::DomJudge];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KattisLegacy => "kattis-legacy",
            Self::Kattis2025 => "kattis-2025-09",
            Self::DomJudge => "domjudge",
        }
    }

    /// Another name of it on the command line: that of the same format where packages are read.
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::KattisLegacy => Some("legacy"),
            Self::Kattis2025 => Some("2025-09"),
            Self::DomJudge => None,
        }
    }

    /// Whether it has the files and folders of Kattis' older format.
    pub fn uses_legacy_layout(self) -> bool {
        match self {
            Self::KattisLegacy | Self::DomJudge => true,
            Self::Kattis2025 => false,
        }
    }

    /// The version in `problem.yaml`.
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::KattisLegacy => "legacy",
            Self::Kattis2025 => "2025-09",
            // DOMjudge reads the ICPC's version of the format, which has no points.
            Self::DomJudge => "legacy-icpc",
        }
    }

    /// The folder of statements.
    pub(super) fn statement_folder(self) -> &'static str {
        if self.uses_legacy_layout() {
            "problem_statement"
        } else {
            "statement"
        }
    }

    /// The folder of the program that judges outputs.
    pub(super) fn validator_folder(self) -> &'static str {
        if self.uses_legacy_layout() {
            "output_validators/check"
        } else {
            "output_validator"
        }
    }

    /// The file with the settings of a group.
    pub(super) fn group_file(self) -> &'static str {
        if self.uses_legacy_layout() {
            "testdata.yaml"
        } else {
            "test_group.yaml"
        }
    }
}
