//! Reads the generator that makes inputs and answers of cases: its standard output is the input,
//! its standard error the answer. Runs nothing. Start at [`read`].
//!
//! Source: `TestCase._run_generator` of the judge.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::keys::{KeyTable, KeyValue};
use crate::model::ProgramExtras;
use crate::package::dmoj::programs;
use crate::package::{CheckerLimits, PackageTree, ReadingNotes};

/// The default limits of a generator.
const USUAL: CheckerLimits = CheckerLimits {
    time: Duration::from_secs(20),
    memory_bytes: 512 << 20,
    output_bytes: 256 << 20,
};

/// The largest figure that is accepted.
const MOST_KIB: u64 = 1 << 34;

/// A program that makes inputs and answers.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseGenerator {
    /// Its source.
    pub source: PathBuf,
    /// Its further sources and headers, and the flags of its compiler.
    pub build: ProgramExtras,
    /// The arguments for cases that give none.
    pub arguments: Vec<String>,
    /// The limits of a run.
    pub limits: CheckerLimits,
}

/// A case of which a generator makes the input, the answer or both.
#[derive(Clone, Debug)]
pub struct GeneratedCase {
    /// The name of the case.
    pub name: String,
    /// Its generator.
    pub generator: Arc<CaseGenerator>,
    /// The arguments of the generator.
    pub arguments: Vec<String>,
    /// Its standard input, if it has one.
    pub stdin: Option<PathBuf>,
    /// The place for its standard output, if that is the input.
    pub input: Option<PathBuf>,
    /// The place for its standard error, if that is the answer.
    pub answer: Option<PathBuf>,
    /// Whether the line breaks of the answer are left unchanged.
    pub is_binary: bool,
}

/// Returns the generator that a map names; `None` if there is none, or it is not supported, which
/// is noted.
pub(super) fn read(
    map: &KeyTable,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> Option<CaseGenerator> {
    if !matches!(map.any("generator")?, KeyValue::Table(_)) {
        let files = map.words("generator")?;
        let made = programs::sources(map, &files, "generator", tree, notes);
        return made.map(|(source, build)| CaseGenerator {
            source,
            build,
            arguments: Vec::new(),
            limits: USUAL,
        });
    }
    let own = map.table("generator")?;
    own.pass_over(["compiler_time_limit", "language"]);
    let memory = own.whole("memory_limit", 1, MOST_KIB);
    let limits = CheckerLimits {
        time: programs::seconds(&own, "time_limit").unwrap_or(USUAL.time),
        memory_bytes: memory.map_or(USUAL.memory_bytes, |found| found.value << 10),
        ..USUAL
    };
    let arguments = own.python_texts("args").map(|found| found.value);
    let files = own.words("source");
    let made = files.and_then(|files| programs::sources(&own, &files, "generator", tree, notes));
    own.refuse_the_rest();
    let (source, build) = made?;
    Some(CaseGenerator {
        source,
        build,
        arguments: arguments.unwrap_or_default(),
        limits,
    })
}
