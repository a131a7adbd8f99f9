//! The keys of `[task]` for a problem that a program of its own judges, as a checker or as an interactor. Looks whether the file is there; reads nothing of it.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::mistake::quoted;
use crate::model::CheckerKind;
use crate::model::CheckerProtocol;
use crate::model::CheckerTask;
use crate::spec::limits::PartialLimits;
use crate::spec::table::SpannedValue;
use crate::spec::table::TomlTable;
use gridjudge_sandbox::Limits;

/// The keys beside `kind` that have a meaning for programs of either kind only...
pub(super) const SHARED_KEYS: [&str; 3] = ["protocol", "arguments", "limits"];

/// ...and those that name the program of each. Both name one where a checker comes after an interactor.
pub(super) const OWN_KEYS: [&str; 2] = [CheckerKind::Checker.name(), CheckerKind::Interactor.name()];

const PROTOCOLS: [(&str, CheckerProtocol); 4] = {
    let [kattis, testlib, dmoj, oj] = CheckerProtocol::ALL;
    [(kattis.name(), kattis), (testlib.name(), testlib), (dmoj.name(), dmoj), (oj.name(), oj)]
};

/// Those of them that know interactors.
const OF_INTERACTORS: usize = 3;

/// What a checker may use unless its problem says otherwise: the defaults of the Kattis problem package format.
pub(crate) const USUAL_CHECKER_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory_bytes: 2048 << 20,
    output_bytes: 8 << 20,
    processes: 64,
    close_looks: false,
};

/// Reads the keys; `folder` is the problem's. `None` if the program is not there, which has been noted.
pub(super) fn read(table: &TomlTable<'_>, folder: &Path, kind: CheckerKind) -> Option<CheckerTask> {
    let program = table.required(kind.name(), &example(kind), TomlTable::string);
    let protocols = match kind {
        CheckerKind::Checker
        | CheckerKind::FinalChecker
        | CheckerKind::Grader
        | CheckerKind::StaticValidator => &PROTOCOLS[..],
        CheckerKind::Interactor => &PROTOCOLS[..OF_INTERACTORS],
    };
    let named = table.choice("protocol", protocols).map(|found| found.value);
    let protocol = named.unwrap_or(CheckerProtocol::Kattis);
    // What is none has been noted, and another may have been meant.
    let is_known = named.is_some() || !table.has("protocol");
    let arguments = table.placed_list("arguments").map(|found| found.value).unwrap_or_default();
    let limits = table.table("limits").map(|table| PartialLimits::read(&table)).unwrap_or_default();
    let limits = limits.or(&USUAL_CHECKER_LIMITS);
    let last = (kind == CheckerKind::Interactor && is_known)
        .then(|| final_checker(table, folder, protocol, &limits))
        .flatten();
    let source = source(table, folder, kind, &program?)?;
    let final_checker = last.map(Box::new);
    Some(CheckerTask { kind, source, protocol, arguments, limits, passes: 1, final_checker })
}

/// The checker that comes after an interactor, which speaks as that does and has the same limits. Only interactors of testlib write
/// what another program could judge.
fn final_checker(
    table: &TomlTable<'_>,
    folder: &Path,
    protocol: CheckerProtocol,
    limits: &Limits,
) -> Option<CheckerTask> {
    let kind = CheckerKind::FinalChecker;
    let named = table.string(kind.name())?;
    if protocol != CheckerProtocol::Testlib {
        let message = "a checker after the interactor needs `protocol = \"testlib\"`";
        let remedy = "write that if both speak it, or delete `checker`: other interactors have the last word";
        table.note(&named.span, message, remedy);
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
        final_checker: None,
    })
}

/// How a problem names its program.
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

/// The file of the program, in the folder of the problem.
fn source(
    table: &TomlTable<'_>,
    folder: &Path,
    kind: CheckerKind,
    named: &SpannedValue<String>,
) -> Option<PathBuf> {
    let name = &named.value;
    let is_inside = !name.is_empty() && name.split('/').all(|part| !["", ".", ".."].contains(&part));
    let path = folder.join(name);
    let (message, remedy) = match path.metadata() {
        _ if !is_inside => ("is no path below the folder of the problem".to_owned(), "put it there"),
        Ok(found) if found.is_file() => return Some(path),
        Ok(_) => ("is not a regular file".to_owned(), "name the file of its source"),
        Err(error) => (format!("cannot be read: {error}"), "put it beside problem.toml"),
    };
    let remedy = format!("{remedy}, and name it as {}", example(kind));
    table.note(&named.span, format!("the {} {} {message}", kind.name(), quoted(name)), remedy);
    None
}
