//! Reads the generator that makes inputs and answers of cases: its standard output is the input,
//! its standard error the answer. Runs nothing. Start at [`read`].
//!
//! Source: `TestCase._run_generator` of the judge.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::keys::{FoundValue, KeyTable, KeyValue};
use crate::mistake::quoted;
use crate::model::{HEADER_ENDINGS, SourceFile};
use crate::package::limits::CheckerLimits;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// The default limits of a generator.
const USUAL: CheckerLimits = CheckerLimits {
    time: Duration::from_secs(20),
    memory_bytes: 512 << 20,
    output_bytes: 256 << 20,
};

/// The largest figures that are accepted.
const MOST_SECONDS: u64 = 3600;
const MOST_KIB: u64 = 1 << 34;

/// A program that makes inputs and answers.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseGenerator {
    /// Its source.
    pub source: PathBuf,
    /// Its further sources and headers.
    pub files: Vec<SourceFile>,
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
    map: &KeyTable<'_>,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> Option<CaseGenerator> {
    if !matches!(map.any("generator")?, KeyValue::Table(_)) {
        let files = map.words("generator")?;
        return sources(map, &files, tree, notes).map(|(source, files)| CaseGenerator {
            source,
            files,
            arguments: Vec::new(),
            limits: USUAL,
        });
    }
    let own = map.table("generator")?;
    own.pass_over(["compiler_time_limit", "language"]);
    if let Some(place) = own.mark_read("flags") {
        notes.need(own.document, place, "`flags` for its generator");
    }
    let time = own.whole("time_limit", 1, MOST_SECONDS);
    let memory = own.whole("memory_limit", 1, MOST_KIB);
    let limits = CheckerLimits {
        time: time.map_or(USUAL.time, |found| Duration::from_secs(found.value)),
        memory_bytes: memory.map_or(USUAL.memory_bytes, |found| found.value << 10),
        ..USUAL
    };
    let arguments = own.list("args").map(|found| found.value);
    let files = own.words("source");
    own.refuse_the_rest();
    let (source, files) = sources(&own, &files?, tree, notes)?;
    Some(CaseGenerator {
        source,
        files,
        arguments: arguments.unwrap_or_default(),
        limits,
    })
}

/// Returns the only source among the named files, and the headers.
fn sources(
    map: &KeyTable<'_>,
    names: &FoundValue<Vec<String>>,
    tree: &PackageTree,
    notes: &mut ReadingNotes,
) -> Option<(PathBuf, Vec<SourceFile>)> {
    let mut headers = Vec::new();
    let mut sources = Vec::new();
    for name in &names.value {
        let Some(path) = tree.file(name) else {
            if tree.lacks(name) {
                let message = format!("the generator {} is not in the package", quoted(name));
                map.note(names.place, message, "put it there, or correct the name");
            }
            return None;
        };
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| HEADER_ENDINGS.contains(&ending)) {
            headers.push(SourceFile {
                name: name.rsplit('/').next().unwrap_or(name).to_owned(),
                path: path.to_owned(),
            });
        } else {
            sources.push(path.to_owned());
        }
    }
    if sources.len() != 1 {
        notes.need(map.document, names.place, "a generator of several sources");
    }
    Some((sources.pop()?, headers))
}
