//! Reads the keys of `[task]` for a problem with its own checker or interactor. Checks that the
//! program's file exists, but does not read it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::files::InnerName;
use crate::keys::{FoundValue, KeyTable};
use crate::mistake::quoted;
use crate::model::{CheckerKind, CheckerProtocol, CheckerTask};
use crate::spec::limits::PartialLimits;
use gridjudge_sandbox::Limits;

/// The keys, beside `kind`, that only problems with a checker or an interactor use.
pub(super) const SHARED_KEYS: [&str; 3] = ["protocol", "arguments", "limits"];

/// The keys that name the checker and the interactor. A problem has both if a checker comes after
/// its interactor.
pub(super) const OWN_KEYS: [&str; 2] =
    [CheckerKind::Checker.name(), CheckerKind::Interactor.name()];

const PROTOCOLS: [(&str, CheckerProtocol); 4] = {
    let [kattis, testlib, dmoj, oj] = CheckerProtocol::ALL;
    [
        (kattis.name(), kattis),
        (testlib.name(), testlib),
        (dmoj.name(), dmoj),
        (oj.name(), oj),
    ]
};

/// The number of leading [`PROTOCOLS`] that support interactors.
const OF_INTERACTORS: usize = 3;

/// The default limits of a checker: those of the Kattis problem package format.
pub(crate) const USUAL_CHECKER_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory_bytes: 2048 << 20,
    output_bytes: 8 << 20,
    processes: 64,
    frequent_samples: false,
    address_space: None,
};

/// Reads the keys. `folder` is the problem's. `None` if the program does not exist, which has been
/// noted.
pub(super) fn read(table: &KeyTable<'_>, folder: &Path, kind: CheckerKind) -> Option<CheckerTask> {
    let program = table.required(kind.name(), &example(kind), KeyTable::text);
    let protocols = match kind {
        CheckerKind::Checker
        | CheckerKind::FinalChecker
        | CheckerKind::Grader
        | CheckerKind::StaticValidator => &PROTOCOLS[..],
        CheckerKind::Interactor => &PROTOCOLS[..OF_INTERACTORS],
    };
    let named = table.choice("protocol", protocols).map(|found| found.value);
    let protocol = named.unwrap_or(CheckerProtocol::Kattis);
    // An unknown protocol has been noted. Its default must not cause a second mistake about the
    // final checker.
    let is_known = named.is_some() || !table.has("protocol");
    let arguments = table
        .list("arguments")
        .map(|found| found.value)
        .unwrap_or_default();
    let limits = table
        .table("limits")
        .map(|table| PartialLimits::read(&table))
        .unwrap_or_default();
    let limits = limits.or(&USUAL_CHECKER_LIMITS);
    let last = (kind == CheckerKind::Interactor && is_known)
        .then(|| final_checker(table, folder, protocol, &limits))
        .flatten();
    let source = source(table, folder, kind, &program?)?;
    let final_checker = last.map(Box::new);
    Some(CheckerTask {
        kind,
        source,
        protocol,
        arguments,
        limits,
        passes: 1,
        sees_submission: false,
        final_checker,
        files: Vec::new(),
    })
}

/// Reads the checker that comes after an interactor. It has the interactor's protocol and limits.
/// Only interactors of testlib write an output that another program can judge.
fn final_checker(
    table: &KeyTable<'_>,
    folder: &Path,
    protocol: CheckerProtocol,
    limits: &Limits,
) -> Option<CheckerTask> {
    let kind = CheckerKind::FinalChecker;
    let named = table.text(kind.name())?;
    if protocol != CheckerProtocol::Testlib {
        let message = "a checker after the interactor needs `protocol = \"testlib\"`";
        let remedy = "write that if both speak it, or delete `checker`: other interactors have the last word";
        table.note(named.place, message, remedy);
        return None;
    }
    let source = source(table, folder, kind, &named)?;
    let limits = limits.clone();
    Some(CheckerTask {
        kind,
        source,
        protocol,
        arguments: Vec::new(),
        limits,
        passes: 1,
        sees_submission: false,
        final_checker: None,
        files: Vec::new(),
    })
}

/// An example of the key that names the program, for messages.
fn example(kind: CheckerKind) -> String {
    match kind {
        CheckerKind::Checker
        | CheckerKind::FinalChecker
        | CheckerKind::Grader
        | CheckerKind::StaticValidator => "`checker = \"check.cpp\"`",
        CheckerKind::Interactor => "`interactor = \"interact.cpp\"`",
    }
    .to_owned()
}

/// The path of the program's source, in the folder of the problem.
fn source(
    table: &KeyTable<'_>,
    folder: &Path,
    kind: CheckerKind,
    named: &FoundValue<String>,
) -> Option<PathBuf> {
    let name = &named.value;
    let path = InnerName::of(name).map(|name| name.below(folder));
    let (message, remedy) = match path.as_ref().map(|path| path.metadata()) {
        None => (
            "is not below the folder of the problem".to_owned(),
            "put it there",
        ),
        Some(Ok(found)) if found.is_file() => return path,
        Some(Ok(_)) => (
            "is not a regular file".to_owned(),
            "name the file of its source",
        ),
        Some(Err(error)) => (
            format!("cannot be read: {error}"),
            "put it beside problem.toml",
        ),
    };
    let remedy = format!("{remedy}, and name it as {}", example(kind));
    table.note(
        named.place,
        format!("the {} {} {message}", kind.name(), quoted(name)),
        remedy,
    );
    None
}
