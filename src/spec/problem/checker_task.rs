//! The keys of `[task]` for a problem whose outputs a program judges. Looks whether the file is there; reads nothing of it.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::mistake::quoted;
use crate::model::CheckerProtocol;
use crate::model::CheckerTask;
use crate::spec::limits::PartialLimits;
use crate::spec::table::SpannedValue;
use crate::spec::table::TomlTable;
use gridjudge_sandbox::Limits;

/// The keys beside `kind` that have a meaning for programs only.
pub(super) const KEYS: [&str; 4] = ["checker", "protocol", "arguments", "limits"];

const PROTOCOLS: [(&str, CheckerProtocol); 3] = {
    let [kattis, testlib, oj] = CheckerProtocol::ALL;
    [(kattis.name(), kattis), (testlib.name(), testlib), (oj.name(), oj)]
};

/// What a checker may use unless its problem says otherwise: the defaults of the Kattis problem package format.
pub(crate) const USUAL_CHECKER_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory_bytes: 2048 << 20,
    output_bytes: 8 << 20,
    processes: 64,
};

/// Reads the keys; `folder` is the problem's. `None` if the checker is not there, which has been noted.
pub(super) fn read(table: &TomlTable<'_>, folder: &Path) -> Option<CheckerTask> {
    let checker = table.required("checker", "`checker = \"check.cpp\"`", TomlTable::string);
    let protocol = table.choice("protocol", &PROTOCOLS).map_or(CheckerProtocol::Kattis, |found| found.value);
    let arguments = table.placed_list("arguments").map(|found| found.value).unwrap_or_default();
    let limits = table.table("limits").map(|table| PartialLimits::read(&table)).unwrap_or_default();
    let source = source(table, folder, &checker?)?;
    Some(CheckerTask { source, protocol, arguments, limits: limits.or(&USUAL_CHECKER_LIMITS) })
}

/// The file of the checker, in the folder of the problem.
fn source(table: &TomlTable<'_>, folder: &Path, named: &SpannedValue<String>) -> Option<PathBuf> {
    let name = &named.value;
    let is_inside = !name.is_empty() && name.split('/').all(|part| !["", ".", ".."].contains(&part));
    let path = folder.join(name);
    let (message, remedy) = match path.metadata() {
        _ if !is_inside => ("is no path below the folder of the problem".to_owned(), "put it there"),
        Ok(found) if found.is_file() => return Some(path),
        Ok(_) => ("is not a regular file".to_owned(), "name the file of its source"),
        Err(error) => (format!("cannot be read: {error}"), "put it beside problem.toml"),
    };
    let remedy = format!("{remedy}, and name it as `checker = \"check.cpp\"`");
    table.note(&named.span, format!("the checker {} {message}", quoted(name)), remedy);
    None
}
