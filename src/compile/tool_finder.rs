//! Lists the programs that languages need, and where they are on this machine. Searches
//! as [`Compiler`](super::Compiler) does, and starts nothing.

use std::path::PathBuf;

use crate::compile::Toolchain;
use crate::model::Language;

/// A program that a language needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageTool {
    /// Its name in the table of languages.
    pub name: String,
    /// Where it is on this machine.
    pub found: ToolLocation,
}

impl LanguageTool {
    /// Whether it is there and usable.
    pub fn is_found(&self) -> bool {
        matches!(self.found, ToolLocation::At(_))
    }
}

/// The location of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolLocation {
    /// At this path, and usable.
    At(PathBuf),
    /// At this path, but the user that submissions run as cannot start it.
    Closed(PathBuf),
    /// It is not installed.
    Nowhere,
}

impl Toolchain {
    /// The programs that a language needs: its compiler, which runs as the judge's
    /// user, and its runtime, which runs as the user of submissions. A compiled program
    /// is not listed.
    pub fn tools(&self, language: &Language) -> Vec<LanguageTool> {
        let compiler = language.compile.first();
        let compiler =
            compiler.map(|name| (name, self.find_compiler(language, name)));
        let runtime = language.run.first();
        let runtime = runtime.map(|name| (name, self.find_for_submissions(name)));
        compiler
            .into_iter()
            .chain(runtime)
            .filter(|(name, _)| !name.starts_with('{'))
            .map(|(name, usable)| LanguageTool {
                name: name.clone(),
                found: match (usable, self.find(name)) {
                    (Some(path), _) => ToolLocation::At(path),
                    (None, Some(path)) => ToolLocation::Closed(path),
                    (None, None) => ToolLocation::Nowhere,
                },
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::compile::tests::language;

    /// The locations of a compiler and a runtime with the same name, for a judge that
    /// is root and has this folder in its `PATH`.
    fn found(folder: impl Into<PathBuf>, name: &str) -> Vec<ToolLocation> {
        let finder = Toolchain::fake(vec![folder.into()]);
        let language = Language {
            run: vec![name.to_owned()],
            ..language(name)
        };
        finder
            .tools(&language)
            .into_iter()
            .map(|tool| tool.found)
            .collect()
    }

    #[test]
    fn a_runtime_must_be_open_to_all_and_a_compiler_need_not() {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
        let path = place.path().join("tool");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            found(place.path(), "tool"),
            [ToolLocation::At(path.clone()), ToolLocation::Closed(path)]
        );
        assert_eq!(
            found("/bin", "sh"),
            [
                ToolLocation::At("/bin/sh".into()),
                ToolLocation::At("/bin/sh".into())
            ]
        );
        assert_eq!(
            found("/bin", "no-such-program"),
            [ToolLocation::Nowhere, ToolLocation::Nowhere]
        );
    }

    /// Submissions cannot start the first runtime in the `PATH`, so the compiler next
    /// to it must not be used either.
    #[test]
    fn a_compiler_is_reported_where_it_is_taken_from() {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
        for name in ["sh", "ls"] {
            fs::copy("/bin/ls", place.path().join(name)).unwrap();
        }
        let path = vec![place.path().to_owned(), "/bin".into()];
        let finder = Toolchain::fake(path);
        let language = Language {
            run: vec!["sh".to_owned()],
            ..language("ls")
        };
        let found: Vec<_> = finder
            .tools(&language)
            .into_iter()
            .map(|tool| tool.found)
            .collect();
        assert_eq!(
            found,
            [
                ToolLocation::At("/bin/ls".into()),
                ToolLocation::At("/bin/sh".into())
            ]
        );
    }

    #[test]
    fn a_compiled_program_is_not_listed_as_a_tool() {
        let tools = Toolchain::of_this_process().tools(&language("no-such-compiler"));
        assert_eq!(
            tools,
            [LanguageTool {
                name: "no-such-compiler".to_owned(),
                found: ToolLocation::Nowhere
            }]
        );
    }
}
