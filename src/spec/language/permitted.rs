//! What a language of a `judge.toml` may not decide, because that file may be a stranger's: which
//! command runs outside the sandbox, and which files of the judge's user compilers and programs may
//! read. Knows no language.

use std::path::Path;

use crate::keys::{FilePlace, KeyTable};
use crate::mistake::{quoted, shortened};
use crate::model::Language;
use crate::spec::permissions::Permissions;

/// Notes every key of this table that only the judge's user may set, with where to set it.
pub(super) fn refuse_what_only_users_decide(
    table: &KeyTable<'_>,
    id: &str,
    language: &Language,
    user: &Permissions,
) {
    let place = |key: &str| table.place(key).unwrap_or_default();
    let id = shortened(id, 40);
    if table.has("home") && !language.home.is_empty() {
        let message =
            format!("`home` of [languages.{id}] is a command that would run outside the sandbox");
        let remedy =
            format!("delete it, or set it as your own user, in [languages.{id}] of {user}");
        table.note(place("home"), message, remedy);
    }
    for folder in language.toolchain.iter().filter(|_| table.has("toolchain")) {
        if !user.allows_toolchain(folder) {
            refuse_folder(table, place("toolchain"), folder, user);
        }
    }
    let [compile, run] = [("compile", &language.compile), ("run", &language.run)];
    let link = language.link.iter().map(|command| ("link", command));
    for (key, command) in [compile, run]
        .into_iter()
        .chain(link)
        .filter(|(key, _)| table.has(key))
    {
        command
            .iter()
            .take(1)
            .for_each(|program| check_program(table, key, program, user));
    }
    if let Some(package) = language
        .package
        .as_deref()
        .filter(|package| !is_package_names(package))
    {
        let message = format!(
            "`package = \"{}\"` names no package",
            shortened(package, 40)
        );
        let remedy = "write the names of packages, with spaces between them, as `gcc libc6-dev`";
        table.note(place("package"), message, remedy);
    }
}

fn refuse_folder(table: &KeyTable<'_>, at: FilePlace, folder: &str, user: &Permissions) {
    if user.holds_home(folder) {
        let message = format!(
            "`toolchain` names {}, which holds your home",
            quoted(folder)
        );
        table.note(at, message, "name the folder of the toolchain itself");
        return;
    }
    let message = format!(
        "`toolchain` names {}, which every program would get to read",
        quoted(folder)
    );
    let remedy =
        format!("delete it, or allow it as your own user in {user}: `folders = [{folder:?}]`");
    table.note(at, message, remedy);
}

/// Checks the program of a command: a name for the `PATH`, a placeholder, or a program of the
/// system.
fn check_program(table: &KeyTable<'_>, key: &str, program: &str, user: &Permissions) {
    let is_path = program.contains('/') && !program.starts_with('{');
    if !is_path || program.starts_with('/') && user.allows_reading(Path::new(program)) {
        return;
    }
    let at = table.place(key).unwrap_or_default();
    let message = format!(
        "`{key}` starts {}, which is not a program of the system",
        quoted(program)
    );
    let remedy = format!(
        "write its name alone and put its folder into the PATH, or allow its folder as your own user in {user}, as \
         `folders = [\"/opt/tool\"]`"
    );
    table.note(at, message, remedy);
}

/// Whether a text consists of names of packages. People copy it into a shell.
fn is_package_names(text: &str) -> bool {
    !text.trim().is_empty()
        && !text.starts_with('-')
        && !text.contains(" -")
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || " +-.:_@/".contains(letter))
}
