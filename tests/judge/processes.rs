//! Looks at the processes of the machine, and copies programs for them. Tests look
//! often, so nothing here reads more of `/proc` than it must.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All processes of the machine.
pub(crate) fn all() -> impl Iterator<Item = u32> {
    numbered("/proc".into())
}

/// The children of a process, dead ones that were not reaped included. Empty once it is
/// gone.
pub(crate) fn children(process: u32) -> Vec<u32> {
    let mut children = vec![];
    for thread in numbered(format!("/proc/{process}/task").into()) {
        let path = format!("/proc/{process}/task/{thread}/children");
        match fs::read_to_string(path) {
            Ok(list) => children
                .extend(list.split_whitespace().map(|id| id.parse::<u32>().unwrap())),
            // The thread has ended, or the kernel was built without
            // CONFIG_PROC_CHILDREN.
            Err(_) => {
                children.extend(all().filter(|id| parent(*id) == Some(process)))
            }
        }
    }
    children.sort_unstable();
    children.dedup();
    children
}

/// All processes below one.
pub(crate) fn descendants(ancestor: u32) -> Vec<u32> {
    let mut found = children(ancestor);
    let mut next = 0;
    while let Some(&process) = found.get(next) {
        found.extend(children(process));
        next += 1;
    }
    found
}

/// The parent of a process; `None` once it is gone.
pub(crate) fn parent(process: u32) -> Option<u32> {
    let fields = fields_after_name(process)?;
    fields.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Whether a process has ended, even if it has not been reaped.
pub(crate) fn is_dead(process: u32) -> bool {
    fields_after_name(process).is_none_or(|fields| fields.starts_with(['Z', 'X']))
}

/// The fields of `/proc/PID/stat` from the state on.
fn fields_after_name(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    Some(stat.rsplit_once(") ")?.1.to_owned())
}

/// Whether a process is process 1 of a namespace inside this one.
pub(crate) fn is_init(process: u32) -> bool {
    let status =
        fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let ids = status
        .lines()
        .find_map(|line| line.strip_prefix("NSpid:"))
        .unwrap_or_default();
    let ids: Vec<_> = ids.split_ascii_whitespace().collect();
    ids.len() > 1 && ids.last() == Some(&"1")
}

/// The command line of a process; empty if it is dead.
pub(crate) fn command_line(process: u32) -> String {
    let bytes = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn numbered(folder: PathBuf) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Copies a program by another process. A file that this process wrote could still be
/// open for writing in a process that another test is starting, and could then not be
/// executed.
pub(crate) fn copy_program(from: &Path, to: &Path) {
    let mut command = Command::new("cp");
    assert!(command.arg(from).arg(to).status().unwrap().success());
}
