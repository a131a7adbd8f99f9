//! What languages need, and where this machine has it. Looks for programs as [`Compiler`](super::Compiler) does and
//! starts none.

use std::path::PathBuf;

use crate::compile::toolchain::Toolchain;
use crate::model::Language;

/// Looks for compilers and runtimes.
pub struct ToolFinder {
    toolchain: Toolchain,
}

/// A program that a language needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageTool {
    /// As the table of languages has it.
    pub name: String,
    /// Whether this machine has it.
    pub found: ToolLocation,
}

/// Where a program is, if anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolLocation {
    /// Here, for the judge and for submissions.
    At(PathBuf),
    /// Here, but the user that submissions run as cannot start it.
    Closed(PathBuf),
    /// Nowhere.
    Nowhere,
}

impl ToolFinder {
    /// With the judge's own `PATH`.
    pub fn of_this_process() -> Self {
        Self { toolchain: Toolchain::of_this_process() }
    }

    /// What a language needs: its compiler, which runs as the judge's user, and its runtime, which runs as the user of
    /// submissions. What compiling makes is not looked for.
    pub fn tools(&self, language: &Language) -> Vec<LanguageTool> {
        let find_compiler = |name: &str| self.toolchain.find_compiler(language, name);
        let compiler = language.compile.first().map(|name| self.tool(name, find_compiler));
        let find_runtime = |name: &str| self.toolchain.find_for_submissions(name);
        let runtime = language.run.first().map(|name| self.tool(name, find_runtime));
        let named = compiler.into_iter().chain(runtime);
        named.filter(|tool| !tool.name.starts_with('{')).collect()
    }

    fn tool(&self, name: &str, find: impl Fn(&str) -> Option<PathBuf>) -> LanguageTool {
        let found = match (find(name), self.toolchain.find(name)) {
            (Some(path), _) => ToolLocation::At(path),
            (None, Some(path)) => ToolLocation::Closed(path),
            (None, None) => ToolLocation::Nowhere,
        };
        LanguageTool { name: name.to_owned(), found }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::compile::tests::language;

    /// Where a compiler and a runtime of one name are, for a judge that is root and has this folder in its `PATH`.
    fn found(folder: impl Into<PathBuf>, name: &str) -> Vec<ToolLocation> {
        let survey = ToolFinder { toolchain: Toolchain::fake(vec![folder.into()]) };
        let language = Language { run: vec![name.to_owned()], ..language(name) };
        survey.tools(&language).into_iter().map(|tool| tool.found).collect()
    }

    #[test]
    fn a_runtime_must_be_open_to_all_and_a_compiler_need_not() {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
        let path = place.path().join("tool");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(found(place.path(), "tool"), [ToolLocation::At(path.clone()), ToolLocation::Closed(path)]);
        assert_eq!(
            found("/bin", "sh"),
            [ToolLocation::At("/bin/sh".into()), ToolLocation::At("/bin/sh".into())]
        );
        assert_eq!(found("/bin", "no-such-program"), [ToolLocation::Nowhere, ToolLocation::Nowhere]);
    }

    /// Submissions cannot start the first runtime in the `PATH`, so the compiler beside it is of no use either.
    #[test]
    fn a_compiler_is_told_where_it_is_taken_from() {
        let place = tempfile::tempdir().unwrap();
        fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
        for name in ["sh", "ls"] {
            fs::copy("/bin/ls", place.path().join(name)).unwrap();
        }
        let path = vec![place.path().to_owned(), "/bin".into()];
        let survey = ToolFinder { toolchain: Toolchain::fake(path) };
        let language = Language { run: vec!["sh".to_owned()], ..language("ls") };
        let found: Vec<_> = survey.tools(&language).into_iter().map(|tool| tool.found).collect();
        assert_eq!(found, [ToolLocation::At("/bin/ls".into()), ToolLocation::At("/bin/sh".into())]);
    }

    #[test]
    fn what_compiling_makes_is_not_looked_for() {
        let tools = ToolFinder::of_this_process().tools(&language("no-such-compiler"));
        assert_eq!(
            tools,
            [LanguageTool { name: "no-such-compiler".to_owned(), found: ToolLocation::Nowhere }]
        );
    }
}
