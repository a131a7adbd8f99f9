//! The language of package programs that are built by their own script `build` and started by their
//! script `run`. Knows no package.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::model::Language;
use crate::spec::language::COMPILING;

/// The language of a program with a `run` script. A script `build`, if there is one, runs first and
/// may create `run`.
pub(super) fn script_language(build: Option<&Path>) -> Language {
    let word = |word: &str| word.to_owned();
    // Kernels start no script without a first line that names its interpreter; shells read it
    // themselves.
    let shell = build
        .filter(|build| !names_interpreter(build))
        .map(|_| word("sh"));
    Language {
        id: "script".to_owned(),
        name: "a script of its own".to_owned(),
        extensions: Vec::new(),
        source: None,
        java_classes: false,
        together: false,
        main: Vec::new(),
        standards: Vec::new(),
        options: Vec::new(),
        check: Vec::new(),
        compile: build.map_or_else(Vec::new, |_| {
            shell.into_iter().chain([word("{folder}/build")]).collect()
        }),
        link: Vec::new(),
        run: vec![word("{folder}/run")],
        package: None,
        compile_limits: COMPILING,
        time_factor: 1,
        extra_memory_bytes: 0,
        address_space: None,
        toolchain: Vec::new(),
        home: Vec::new(),
        opens_home: false,
        keeps_builds: false,
        known_good: None,
        compile_environment: Vec::new(),
        environment: Vec::new(),
    }
}

/// Whether a file begins as a script or a program that a kernel can start. True of one that cannot
/// be read: its start fails with the reason.
fn names_interpreter(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(4).read_to_end(&mut start));
    read.is_err() || start.starts_with(b"#!") || start == b"\x7fELF"
}
