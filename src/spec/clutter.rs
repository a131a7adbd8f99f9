//! Recognises files and folders that systems and editors leave beside the files of people: nobody
//! handed them in.

/// Files and folders that file managers, archivers and network drives create, in lower case.
const OF_SYSTEMS: [&str; 10] = [
    "__macosx",
    "thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "icon\r",
    "system volume information",
    "$recycle.bin",
    "lost+found",
    "@eadir",
    "__pycache__",
];

/// Endings of copies that editors keep, in lower case.
const OF_EDITORS: [&str; 7] = ["~", ".bak", ".swp", ".swo", ".orig", ".rej", ".tmp"];

/// Whether a system or an editor created the file or folder of this name. Hidden ones are not
/// meant.
pub(super) fn is_clutter(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_copy = OF_EDITORS.iter().any(|ending| name.ends_with(ending));
    let is_lock =
        name.starts_with('#') && name.ends_with('#') && name.len() > 1 || name.starts_with("~$");
    OF_SYSTEMS.contains(&name.as_str()) || is_copy || is_lock
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_systems_and_editors_leave_is_recognised() {
        for name in [
            "__MACOSX",
            "Thumbs.db",
            "a.c~",
            "a.cpp.BAK",
            "#a.c#",
            "~$report.docx",
            "Desktop.ini",
        ] {
            assert!(is_clutter(name), "{name}");
        }
        for name in ["a.c", "#1.c", "back.py", "thumbs.py", "a~b.c", "bak", "#"] {
            assert!(!is_clutter(name), "{name}");
        }
    }
}
