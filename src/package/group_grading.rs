//! Holds the settings of a group about points, in either format.

mod kattis_2025;
mod legacy;

use crate::keys::KeyTable;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) use kattis_2025::{Aggregation2025, Grading2025};
pub(super) use legacy::{GraderFlags, LegacyGrading};

/// The settings of a group about points.
#[derive(Clone, Debug)]
pub(crate) struct GroupGrading {
    /// The file.
    pub(super) file: PathBuf,
    pub(super) legacy: LegacyGrading,
    pub(super) later: Grading2025,
}

/// The settings of groups about points, by their folders below `data`.
pub(crate) type GradingByFolder = BTreeMap<String, GroupGrading>;

impl GroupGrading {
    /// Reads the keys of a `testdata.yaml`.
    pub(crate) fn read_legacy(map: &KeyTable<'_>, file: PathBuf) -> Self {
        Self {
            file,
            legacy: LegacyGrading::read(map),
            later: Grading2025::default(),
        }
    }

    /// Reads the keys of a `test_group.yaml`.
    pub(crate) fn read_2025(map: &KeyTable<'_>, file: PathBuf) -> Self {
        Self {
            file,
            legacy: LegacyGrading::default(),
            later: Grading2025::read(map),
        }
    }
}
