//! Knows the files in which judges whose formats are not read describe problems. Looks only at
//! names. Start at [`foreign_judge`].

use std::path::Path;

/// The files by name, each with the judges that it is of, and whether its name alone shows that.
const FOREIGN_SETTINGS: [(&str, &str, bool); 14] = [
    ("config.yml", "Hydro and Luogu", false),
    ("config.yaml", "Hydro and Luogu", false),
    ("data.yml", "SYZOJ and LibreOJ", true),
    ("problem.conf", "UOJ", true),
    ("info.toml", "Library Checker", true),
    ("task.yaml", "CMS", true),
    ("problem.json", "BOCA and other judges", true),
    ("problem_zh.md", "Hydro", true),
    ("config.ini", "other judges", false),
    ("config.json", "other judges", false),
    ("tests.json", "other judges", false),
    ("settings.cfg", "Themis", false),
    ("settings.xml", "other judges", false),
    ("problem.properties", "PC^2 and other judges", true),
];

/// The judges that a file describes a problem for, by its name in any case.
pub(super) fn foreign_judge(name: &str) -> Option<&'static str> {
    let settings = FOREIGN_SETTINGS
        .iter()
        .find(|(file, ..)| name.eq_ignore_ascii_case(file));
    settings.map(|(_, judges, _)| *judges)
}

/// The file that shows that a folder is a problem of other judges, and these.
pub(crate) fn foreign_problem(folder: &Path) -> Option<(&'static str, &'static str)> {
    let mut shown = FOREIGN_SETTINGS
        .iter()
        .filter(|(.., is_certain)| *is_certain);
    shown
        .find(|(file, ..)| folder.join(file).is_file())
        .map(|(file, judges, _)| (*file, *judges))
}
