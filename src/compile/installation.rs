//! Finds where a tool is really installed. A program in the `PATH` is often a shim, which finds the
//! tool and starts it by variables and files that do not exist inside the sandbox. The tool itself
//! knows where it is installed, so it is run once to ask. Start at [`Installations::resolve_shim`].

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Folders in which distributions install programs. These programs need no search.
const OF_PACKAGES: [&str; 11] = [
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/bin",
    "/lib",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// The answers of tools about their installation.
#[derive(Default)]
pub(crate) struct Installations {
    /// The folder of an installation by the command that asked for it; `None` if there was no
    /// useful answer.
    answers: Mutex<BTreeMap<Vec<String>, Option<PathBuf>>>,
}

impl Installations {
    /// The tool that the shim `found` stands for: the one of the same name in the `bin` of the
    /// folder that the command `question` prints. The first word of `question` is the name of a
    /// tool in the same folder as `found`. Returns `None` if there is no such tool.
    ///
    /// The question is asked outside the sandbox: neither it nor the folder of `found` may come
    /// from anybody but the judge's user.
    pub(crate) fn resolve_shim(
        &self,
        found: &Path,
        question: &[String],
        environment: &[(String, OsString)],
    ) -> Option<PathBuf> {
        let (first, arguments) = question.split_first()?;
        if is_of_a_package(found) {
            return None;
        }
        let asked = found.parent()?.join(first);
        let key = [&[asked.to_string_lossy().into_owned()], arguments].concat();
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let home = answers.entry(key).or_insert_with(|| {
            let answer = gridjudge_sandbox::ask(&asked, arguments, environment)?;
            folders(&answer)
                .find(|folder| folder.join("bin").join(first).is_file())
                .map(Path::to_owned)
        });
        let tool = home.as_ref()?.join("bin").join(found.file_name()?);
        tool.is_file().then_some(tool)
    }
}

/// The folders in an answer: in each line the text from its first `/` on, as in `java.home =
/// /opt/jdk`.
fn folders(answer: &str) -> impl Iterator<Item = &Path> {
    let from_slash = answer
        .lines()
        .filter_map(|line| line.find('/').map(|at| Path::new(line[at..].trim_end())));
    from_slash.filter(|path| path.parent().is_some())
}

/// Whether a program is where distributions install it, and no script, which may be a shim.
fn is_of_a_package(program: &Path) -> bool {
    let real = program
        .canonicalize()
        .unwrap_or_else(|_| program.to_owned());
    let mut start = [0; 2];
    let is_script = File::open(&real)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok()
        && start == *b"#!";
    !is_script && OF_PACKAGES.iter().any(|folder| real.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn script(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
    }

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_shim_is_asked_once_where_its_tool_is() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for tool in ["run", "make"] {
            script(&at("real/bin").join(tool), "#!/bin/sh\n");
        }
        let answer = format!(
            "#!/bin/sh\necho >>{}\necho x = /tmp\necho home = $1{}\n",
            at("asked").display(),
            at("real").display()
        );
        script(&at("shims/run"), &answer);
        script(&at("shims/make"), "#!/bin/sh\nexit 1\n");
        script(&at("shims/other"), "#!/bin/sh\nexit 1\n");
        let installations = Installations::default();
        let environment = [("PATH".to_owned(), OsString::from("/usr/bin:/bin"))];
        let resolved = |name: &str, question: &str| {
            installations.resolve_shim(&at(name), &words(question), &environment)
        };
        assert_eq!(resolved("shims/run", "run "), Some(at("real/bin/run")));
        assert_eq!(resolved("shims/make", "run "), Some(at("real/bin/make")));
        // The installation has no such tool.
        assert_eq!(resolved("shims/other", "run "), None);
        assert_eq!(fs::read_to_string(at("asked")).unwrap().lines().count(), 1);
        // A question whose answer names no existing folder, a tool that does not answer, and no
        // question.
        assert_eq!(resolved("shims/run", "run /no/such/folder"), None);
        assert_eq!(resolved("shims/make", "make"), None);
        assert_eq!(installations.resolve_shim(&at("shims/run"), &[], &[]), None);
    }

    #[test]
    fn a_program_of_a_distribution_is_no_shim_unless_it_is_a_script() {
        assert!(is_of_a_package(Path::new("/bin/ls")));
        let place = tempfile::tempdir().unwrap();
        script(&place.path().join("tool"), "#!/bin/sh\n");
        assert!(!is_of_a_package(&place.path().join("tool")));
        assert!(!is_of_a_package(Path::new("/opt/tool/bin/tool")));
    }
}
