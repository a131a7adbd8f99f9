//! What makes a program what it is, beside the bytes of its source: how it is made and started, and by which tools of this
//! machine. Whoever finds the same again need not make it again. Looks at files, and starts nothing but a tool that is asked
//! where it is.

use std::fs::File;
use std::fs::Metadata;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use crate::compile::Compiler;
use crate::compile::file_name;
use crate::compile::toolchain::Toolchain;
use crate::model::Language;
use crate::model::Submission;

/// What is written whenever something is installed that compilers, run-times and programs load: the list of shared
/// libraries, and the records of those who install.
const RECORDS: [&str; 6] = [
    "/etc/ld.so.cache",
    "/var/lib/dpkg/status",
    "/var/lib/rpm",
    "/usr/lib/sysimage/rpm",
    "/var/lib/pacman/local",
    "/lib/apk/db/installed",
];

/// Where people put the same by hand.
const BY_HAND: [&str; 2] = ["/usr/local/include", "/usr/local/lib"];

/// How deep a folder is looked at, and how many entries at most: `~/.rustup` and its like tell which of several compilers
/// a command is there, by a file that is not the command. Of a folder with more nobody can say that it is the same.
const DEPTH: usize = 2;
const MOST_ENTRIES: usize = 5000;

/// Bytes of the first line of a script.
const FIRST_LINE: u64 = 256;

impl Compiler {
    /// All that, as a text to be compared or hashed; none if something is missing, so that there can be no program.
    pub fn fingerprint(
        &self,
        submission: &Submission,
        language: Option<&Language>,
        memory_bytes: u64,
    ) -> Option<String> {
        let facts = self.machine.get_or_init(|| facts_of_machine(&self.toolchain)).clone()?;
        let mut trace = FingerprintBuilder { toolchain: &self.toolchain, facts };
        trace.facts.push(format!("memory {memory_bytes}"));
        match language {
            Some(language) => trace.add_language(submission, language)?,
            None => trace.add_executable(&submission.path)?,
        }
        Some(trace.facts.join("\n"))
    }
}

/// What all programs of this machine depend on.
fn facts_of_machine(toolchain: &Toolchain) -> Option<Vec<String>> {
    let mut trace = FingerprintBuilder { toolchain, facts: Vec::new() };
    RECORDS.iter().for_each(|path| trace.add_file(Path::new(path)));
    BY_HAND.iter().try_for_each(|path| trace.add_tree(Path::new(path)))?;
    Some(trace.facts)
}

struct FingerprintBuilder<'a> {
    toolchain: &'a Toolchain,
    facts: Vec<String>,
}

impl FingerprintBuilder<'_> {
    fn add_language(&mut self, submission: &Submission, language: &Language) -> Option<()> {
        // Compilers and programs see the name, in messages and as `argv[0]`.
        let name = language.source.clone().unwrap_or_else(|| file_name(&submission.path));
        self.facts.push(format!("source {name}"));
        self.facts.push(serde_json::to_string(language).ok()?);
        if !language.compile.is_empty() {
            self.facts.push(format!("{:?}", self.toolchain.environment(language)));
        }
        for command in language.link.iter().chain([&language.compile]) {
            let Some(name) = command.first() else { continue };
            let found = self.toolchain.find_compiler(language, name)?;
            self.add_tool(language, found, command);
        }
        let runtime = language.run.first()?;
        if runtime.starts_with('/') {
            self.add_file(Path::new(runtime));
        } else if !runtime.starts_with('{') {
            let found = self.toolchain.find_for_submissions(runtime)?;
            self.add_tool(language, found, &language.run);
        }
        let commands = language.link.iter().chain([&language.compile, &language.run]);
        commands.flatten().filter_map(|word| path_in(word)).try_for_each(|path| self.add_tree(path))?;
        self.toolchain.expanded(&language.toolchain).iter().try_for_each(|folder| self.add_tree(folder))
    }

    /// A tool, and the one that it stands for: which that is, a script may find out from files that nobody knows of.
    fn add_tool(&mut self, language: &Language, found: PathBuf, command: &[String]) {
        self.add_file(&found);
        let tool = self.toolchain.resolve(language, found, command);
        self.add_file(&tool);
    }

    /// A file that is started as it is; of a script the interpreter as well.
    fn add_executable(&mut self, path: &Path) -> Option<()> {
        let mode = path.metadata().ok()?.permissions().mode() & 0o111;
        self.facts.push(format!("executable {} {mode:o}", file_name(path)));
        let mut start = Vec::new();
        File::open(path).ok()?.take(FIRST_LINE).read_to_end(&mut start).ok()?;
        let line = start.split(|byte| *byte == b'\n').next()?.strip_prefix(b"#!");
        let line = String::from_utf8_lossy(line.unwrap_or_default()).into_owned();
        // As in `#!/usr/bin/env python3`. A word that is no program is in the bytes of the script anyway.
        for word in line.split_ascii_whitespace() {
            let found = match word.starts_with('/') {
                true => Some(PathBuf::from(word)),
                false => self.toolchain.find_for_submissions(word),
            };
            found.iter().for_each(|found| self.add_file(found));
        }
        Some(())
    }

    /// Adds a file, or a folder and what lies in it; none if that is too much to look at.
    fn add_tree(&mut self, root: &Path) -> Option<()> {
        let entries = walkdir::WalkDir::new(root).max_depth(DEPTH).sort_by_file_name().into_iter();
        for (number, entry) in entries.flatten().enumerate() {
            if number >= MOST_ENTRIES {
                return None;
            }
            self.add_file(entry.path());
        }
        Some(())
    }

    /// Adds where a file really is, which one it is, its size, and when it was changed last: a time that, unlike that of
    /// its contents, neither `touch` nor an unpacked archive sets back.
    fn add_file(&mut self, path: &Path) {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let facts = |found: Metadata| (found.ino(), found.size(), found.ctime(), found.ctime_nsec());
        let found = real.metadata().map(facts).ok();
        self.facts.push(format!("{} {} {found:?}", path.display(), real.display()));
    }
}

/// The path in a word of a command, as in `/opt/run.py`, `-I/opt/include` and `--module-path=/opt/lib`.
fn path_in(word: &str) -> Option<&Path> {
    word.find('/').map(|start| Path::new(&word[start..])).filter(|path| path.parent().is_some())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::fs::Permissions;
    use std::sync::Mutex;
    use std::sync::OnceLock;

    use super::*;

    /// A folder with tools, and the trace of a submission that they would make or run.
    struct Tools {
        folder: tempfile::TempDir,
    }

    impl Tools {
        fn new() -> Self {
            let tools = Self { folder: tempfile::tempdir().unwrap() };
            fs::set_permissions(tools.folder.path(), Permissions::from_mode(0o755)).unwrap();
            ["maker", "linker", "runner"].iter().for_each(|name| tools.write(name, "#!/bin/sh\n"));
            tools.write("s.x", "text");
            tools
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.folder.path().join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
        }

        fn language(&self) -> Language {
            let limits = gridjudge_sandbox::Limits {
                cpu: std::time::Duration::from_secs(1),
                wall: std::time::Duration::from_secs(1),
                memory_bytes: 1,
                output_bytes: 1,
                processes: 1,
            };
            let installation = self.folder.path().join("installation");
            fs::create_dir_all(&installation).unwrap();
            let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
            Language {
                id: "x".into(),
                name: "X".into(),
                extensions: words("x"),
                source: None,
                compile: words("maker {source}"),
                link: vec![words("linker {program}")],
                run: words("runner {program}"),
                package: None,
                compile_limits: limits,
                time_factor: 1,
                extra_memory_bytes: 0,
                toolchain: vec![installation.to_string_lossy().into_owned()],
                home: vec![],
                known_good: None,
                compile_environment: Vec::new(),
                environment: Vec::new(),
            }
        }

        fn trace_of(&self, name: &str, language: Option<&Language>, memory_bytes: u64) -> Option<String> {
            let toolchain = Toolchain::fake(vec![self.folder.path().to_owned()]);
            let folder = self.folder.path().to_owned();
            let machine = OnceLock::from(Some(Vec::new()));
            let compiler = Compiler { folder, toolchain, machine, tried: Mutex::default() };
            let path = self.folder.path().join(name);
            compiler.fingerprint(
                &Submission { name: name.into(), path, expected: None },
                language,
                memory_bytes,
            )
        }
    }

    #[test]
    fn another_tool_command_name_or_environment_is_another_program() {
        let tools = Tools::new();
        let language = tools.language();
        let first = tools.trace_of("s.x", Some(&language), 1);
        assert!(first.is_some());
        assert_eq!(tools.trace_of("s.x", Some(&language), 1), first);
        let words = vec!["runner".to_owned(), "-O".to_owned()];
        for other in [
            Language { run: words.clone(), ..language.clone() },
            Language { compile: words.clone(), ..language.clone() },
            Language { link: vec![words], ..language.clone() },
            Language { environment: vec![("A".into(), "b".into())], ..language.clone() },
            Language { compile_environment: vec![("A".into(), "b".into())], ..language.clone() },
        ] {
            assert_ne!(tools.trace_of("s.x", Some(&other), 1), first, "{other:?}");
        }
        assert_ne!(tools.trace_of("t.x", Some(&language), 1), first);
        assert_ne!(tools.trace_of("s.x", Some(&language), 2), first);
        for changed in ["maker", "linker", "runner", "installation/version"] {
            let before = tools.trace_of("s.x", Some(&language), 1);
            tools.write(changed, "#!/bin/sh\n# newer\n");
            assert_ne!(tools.trace_of("s.x", Some(&language), 1), before, "{changed}");
        }
    }

    #[test]
    fn every_path_in_a_command_is_part_of_the_program() {
        let tools = Tools::new();
        let inside = |name: &str| tools.folder.path().join(name).to_string_lossy().into_owned();
        for word in [inside("run.x"), format!("-I{}", inside("include")), format!("--path={}", inside("lib"))]
        {
            let run = ["runner", &word, "{program}"].map(str::to_owned).to_vec();
            let language = Language { run, ..tools.language() };
            let before = tools.trace_of("s.x", Some(&language), 1);
            let path = path_in(&word).unwrap();
            match word.ends_with(".x") {
                true => tools.write("run.x", "print"),
                false => fs::create_dir_all(path.join("a/b")).unwrap(),
            }
            assert_ne!(tools.trace_of("s.x", Some(&language), 1), before, "{word}");
        }
    }

    #[test]
    fn a_file_of_the_same_size_and_time_is_another_one_all_the_same() {
        let tools = Tools::new();
        let header = tools.folder.path().join("installation/solver.h");
        let language = tools.language();
        let written = |text: &str| {
            fs::write(&header, text).unwrap();
            let file = File::options().write(true).open(&header).unwrap();
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
            tools.trace_of("s.x", Some(&language), 1)
        };
        let before = written("#define N 1");
        assert!(before.is_some());
        assert_ne!(written("#define N 2"), before);
    }

    #[test]
    fn what_is_too_large_to_look_at_has_no_trace() {
        let tools = Tools::new();
        let language = tools.language();
        let folder = tools.folder.path().join("installation");
        for number in 0..MOST_ENTRIES - 1 {
            fs::write(folder.join(number.to_string()), "").unwrap();
        }
        assert!(tools.trace_of("s.x", Some(&language), 1).is_some());
        fs::write(folder.join("z"), "").unwrap();
        assert!(tools.trace_of("s.x", Some(&language), 1).is_none());
    }

    #[test]
    fn without_its_tools_there_is_no_program() {
        for missing in ["maker", "linker", "runner"] {
            let tools = Tools::new();
            fs::remove_file(tools.folder.path().join(missing)).unwrap();
            assert_eq!(tools.trace_of("s.x", Some(&tools.language()), 1), None, "{missing}");
        }
    }

    #[test]
    fn a_script_is_its_interpreter_too() {
        let tools = Tools::new();
        tools.write("script", "#!/usr/bin/env -S runner\n");
        let first = tools.trace_of("script", None, 1);
        assert!(first.is_some());
        tools.write("runner", "another one");
        assert_ne!(tools.trace_of("script", None, 1), first);
        assert_eq!(tools.trace_of("none", None, 1), None);
    }
}
