//! What changes the fingerprint of a program, and what does not, with tools that are
//! scripts.

use std::fs;
use std::fs::{File, Permissions};
use std::os::unix::fs::MetadataExt;

use super::*;
use crate::cache::CacheKey;
use crate::compile::machine_facts;

/// A folder with tools and a submission.
struct Tools {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Tools {
    fn new() -> Self {
        let tools = Self {
            folder: tempfile::tempdir().unwrap(),
            cache: tempfile::tempdir().unwrap(),
        };
        fs::set_permissions(tools.folder.path(), Permissions::from_mode(0o755))
            .unwrap();
        for name in &["maker", "linker", "runner"] {
            tools.write(name, "#!/bin/sh\n");
        }
        tools.write("s.x", "text");
        tools
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
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
            frequent_samples: false,
            address_space: None,
        };
        let installation = self.folder.path().join("installation");
        fs::create_dir_all(&installation).unwrap();
        let words =
            |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        Language {
            id: "x".into(),
            name: "X".into(),
            extensions: words("x"),
            source: None,
            standards: vec![],
            options: vec![],
            check: vec![],
            compile: words("maker {source}"),
            link: vec![words("linker {program}")],
            run: words("runner {program}"),
            package: None,
            compile_limits: limits,
            time_factor: 1,
            extra_memory_bytes: 0,
            address_space: None,
            toolchain: vec![installation.to_string_lossy().into_owned()],
            java_classes: false,
            together: false,
            main: vec![],
            home: vec![],
            opens_home: true,
            keeps_builds: true,
            known_good: None,
            compile_environment: vec![],
            environment: vec![],
        }
    }

    fn compiler(&self) -> Compiler {
        let toolchain = Toolchain::fake(vec![self.folder.path().to_owned()]);
        let folder = self.folder.path().to_owned();
        let machine = MachineFacts::default();
        Compiler {
            toolchain,
            machine,
            ..Compiler::new(folder)
        }
    }

    fn cache(&self) -> Cache {
        Cache::open(&self.cache.path().join("cache"), 1 << 20, &[]).unwrap()
    }

    fn submission(&self, name: &str) -> Submission {
        Submission {
            name: name.into(),
            path: self.folder.path().join(name),
            real: None,
            expected: None,
        }
    }

    /// The fingerprint that a new judge finds.
    fn fingerprint_of(
        &self,
        name: &str,
        language: Option<&Language>,
        memory_bytes: u64,
    ) -> Option<CacheKey> {
        let compiler = self.compiler();
        let found = compiler.fingerprint(
            &compiler.machine,
            &self.submission(name),
            language,
            memory_bytes,
            &self.cache(),
        );
        Some(found?.key)
    }
}

#[test]
fn another_tool_command_name_or_environment_changes_the_fingerprint() {
    let tools = Tools::new();
    let language = tools.language();
    let first = tools.fingerprint_of("s.x", Some(&language), 1);
    assert!(first.is_some());
    assert_eq!(tools.fingerprint_of("s.x", Some(&language), 1), first);
    let words = vec!["runner".to_owned(), "-O".to_owned()];
    for other in [
        Language {
            run: words.clone(),
            ..language.clone()
        },
        Language {
            compile: words.clone(),
            ..language.clone()
        },
        Language {
            link: vec![words],
            ..language.clone()
        },
        Language {
            environment: vec![("A".into(), "b".into())],
            ..language.clone()
        },
        Language {
            compile_environment: vec![("A".into(), "b".into())],
            ..language.clone()
        },
    ] {
        assert_ne!(
            tools.fingerprint_of("s.x", Some(&other), 1),
            first,
            "{other:?}"
        );
    }
    assert_ne!(tools.fingerprint_of("s.x", Some(&language), 2), first);
    for changed in ["maker", "linker", "runner", "installation/version"] {
        let before = tools.fingerprint_of("s.x", Some(&language), 1);
        tools.write(changed, "#!/bin/sh\n# newer\n");
        assert_ne!(
            tools.fingerprint_of("s.x", Some(&language), 1),
            before,
            "{changed}"
        );
    }
}

#[test]
fn every_path_in_a_command_is_part_of_the_fingerprint() {
    let tools = Tools::new();
    let inside = |name: &str| {
        tools
            .folder
            .path()
            .join(name)
            .to_string_lossy()
            .into_owned()
    };
    for word in [
        inside("run.x"),
        format!("-I{}", inside("include")),
        format!("--path={}", inside("lib")),
    ] {
        let command =
            |tool: &str| [tool, &word, "{program}"].map(str::to_owned).to_vec();
        let run = Language {
            run: command("runner"),
            ..tools.language()
        };
        let check = Language {
            check: command("runner"),
            ..tools.language()
        };
        let fingerprints = || {
            [&run, &check]
                .map(|language| tools.fingerprint_of("s.x", Some(language), 1))
        };
        let before = fingerprints();
        let path = path_in(&word).unwrap();
        if word.ends_with(".x") {
            tools.write("run.x", "print")
        } else {
            fs::create_dir_all(path.join("a/b")).unwrap()
        }
        let after = fingerprints();
        assert!(after[0] != before[0] && after[1] != before[1], "{word}");
    }
}

#[test]
fn a_changed_file_of_the_same_size_and_modification_time_changes_the_fingerprint() {
    let tools = Tools::new();
    let header = tools.folder.path().join("installation/solver.h");
    let language = tools.language();
    let written = |text: &str| {
        fs::write(&header, text).unwrap();
        let file = File::options().write(true).open(&header).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        tools.fingerprint_of("s.x", Some(&language), 1)
    };
    let before = written("#define N 1");
    assert!(before.is_some());
    assert_ne!(written("#define N 2"), before);
}

#[test]
fn a_folder_that_is_too_large_to_read_prevents_a_fingerprint() {
    let tools = Tools::new();
    let language = tools.language();
    let folder = tools.folder.path().join("installation");
    // Links to one file, because they are made and removed faster.
    fs::write(folder.join("0"), "").unwrap();
    for number in 1..machine_facts::MOST_ENTRIES - 1 {
        fs::hard_link(folder.join("0"), folder.join(number.to_string())).unwrap();
    }
    assert!(tools.fingerprint_of("s.x", Some(&language), 1).is_some());
    fs::write(folder.join("z"), "").unwrap();
    assert!(tools.fingerprint_of("s.x", Some(&language), 1).is_none());
}

#[test]
fn without_its_tools_a_program_has_no_fingerprint() {
    for missing in ["maker", "linker", "runner"] {
        let tools = Tools::new();
        fs::remove_file(tools.folder.path().join(missing)).unwrap();
        assert_eq!(
            tools.fingerprint_of("s.x", Some(&tools.language()), 1),
            None,
            "{missing}"
        );
    }
}

#[test]
fn the_fingerprint_of_a_script_includes_its_interpreter() {
    let tools = Tools::new();
    tools.write("script", "#!/usr/bin/env -S runner\n");
    let first = tools.fingerprint_of("script", None, 1);
    assert!(first.is_some());
    tools.write("runner", "another one");
    assert_ne!(tools.fingerprint_of("script", None, 1), first);
    assert_eq!(tools.fingerprint_of("none", None, 1), None);
}

#[test]
fn the_fingerprint_of_a_script_run_from_its_own_folder_includes_its_interpreter() {
    let tools = Tools::new();
    let language = Language {
        compile: vec![],
        link: vec![],
        run: vec!["{folder}/run".to_owned()],
        ..tools.language()
    };
    tools.write(
        "run",
        &format!("#!{}\n", tools.folder.path().join("runner").display()),
    );
    let first = tools.fingerprint_of("run", Some(&language), 1);
    assert!(first.is_some());
    assert_eq!(tools.fingerprint_of("run", Some(&language), 1), first);
    tools.write("runner", "another one");
    assert_ne!(tools.fingerprint_of("run", Some(&language), 1), first);
    assert_eq!(path_in("{folder}/run"), None);
}

/// Another machine with the same tools, or the same one after they were installed
/// again.
#[test]
fn files_with_the_same_contents_but_other_inodes_and_times_have_the_same_fingerprint()
{
    let tools = Tools::new();
    let language = tools.language();
    tools.write("installation/include/solver.h", "#define N 1");
    tools.write("installation/deep/er/names.h", "");
    let before = tools.fingerprint_of("s.x", Some(&language), 1);
    assert!(before.is_some());
    for name in [
        "maker",
        "linker",
        "runner",
        "installation/include/solver.h",
        "installation/deep/er/names.h",
    ] {
        let path = tools.folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let inode = path.metadata().unwrap().ino();
        fs::rename(&path, path.with_extension("old")).unwrap();
        tools.write(name, &text);
        fs::remove_file(path.with_extension("old")).unwrap();
        assert_ne!(path.metadata().unwrap().ino(), inode);
    }
    assert_eq!(tools.fingerprint_of("s.x", Some(&language), 1), before);
}

#[test]
fn of_a_folder_at_the_greatest_depth_the_names_in_it_count() {
    let tools = Tools::new();
    let language = tools.language();
    tools.write("installation/deep/er/one", "");
    let before = tools.fingerprint_of("s.x", Some(&language), 1);
    tools.write("installation/deep/er/two", "");
    let after = tools.fingerprint_of("s.x", Some(&language), 1);
    assert_ne!(after, before);
    tools.write("installation/deep/__pycache__/two.pyc", "");
    assert_eq!(tools.fingerprint_of("s.x", Some(&language), 1), after);
}

#[test]
fn the_installation_of_a_tool_without_a_package_is_part_of_the_fingerprint() {
    let tools = Tools::new();
    tools.write("python/bin/runner", "#!/bin/sh\n");
    tools.write("python/lib/python3/random.py", "1");
    let run = vec![
        tools
            .folder
            .path()
            .join("python/bin/runner")
            .to_string_lossy()
            .into_owned(),
    ];
    let language = Language {
        run,
        ..tools.language()
    };
    let before = tools.fingerprint_of("s.x", Some(&language), 1);
    assert!(before.is_some());
    tools.write("python/lib/python3/random.py", "2");
    assert_ne!(tools.fingerprint_of("s.x", Some(&language), 1), before);
}

/// So a thousand submissions cost no more than one.
#[test]
fn what_the_programs_of_a_language_have_in_common_is_found_out_once() {
    let tools = Tools::new();
    let compiler = tools.compiler();
    let cache = tools.cache();
    let language = tools.language();
    let fingerprint = |name: &str, language: &Language, memory_bytes: u64| {
        compiler.fingerprint(
            &compiler.machine,
            &tools.submission(name),
            Some(language),
            memory_bytes,
            &cache,
        )
    };
    let first = fingerprint("s.x", &language, 1).unwrap();
    for name in ["maker", "linker", "runner"] {
        fs::remove_file(tools.folder.path().join(name)).unwrap();
    }
    assert_eq!(fingerprint("s.x", &language, 1), Some(first.clone()));
    // What is of the program alone still counts.
    assert_ne!(fingerprint("s.x", &language, 2).unwrap().key, first.key);
    // Another variant of the language is another language.
    for other in [
        Language {
            standards: vec!["x20".into()],
            ..language.clone()
        },
        Language {
            options: vec!["-O".into()],
            ..language.clone()
        },
        Language {
            id: "y".into(),
            ..language.clone()
        },
    ] {
        assert_eq!(fingerprint("s.x", &other, 1), None, "{other:?}");
    }
}

/// Otherwise its results would be stored as those of the earlier tool.
#[test]
fn a_tool_that_is_replaced_while_it_is_in_use_is_noticed() {
    let tools = Tools::new();
    let compiler = tools.compiler();
    let cache = tools.cache();
    let is_current = |name: &str, language: &Language| {
        let submission = tools.submission(name);
        let found = compiler
            .fingerprint(&compiler.machine, &submission, Some(language), 1, &cache)
            .unwrap();
        found.is_current()
    };
    let language = tools.language();
    assert!(is_current("s.x", &language));
    tools.write("linker", "#!/bin/sh\n# newer\n");
    assert!(!is_current("s.x", &language));
    assert!(!is_current("t.x", &language));
    // Its digest is known from the first language.
    let other = Language {
        id: "y".into(),
        ..language
    };
    assert!(!is_current("s.x", &other));
}
