//! The language of package programs that are built by their own script `build` and started by their script
//! `run`. Knows no package.

use crate::model::Language;
use crate::spec::language::COMPILING;

/// The language of a program with a `run` script. `has_build`: a `build` script runs first and may create
/// `run`.
pub(super) fn script_language(has_build: bool) -> Language {
    let word = |word: &str| vec![word.to_owned()];
    Language {
        id: "script".to_owned(),
        name: "a script of its own".to_owned(),
        extensions: Vec::new(),
        source: None,
        java_classes: false,
        together: false,
        main: Vec::new(),
        compile: if has_build { word("{folder}/build") } else { Vec::new() },
        link: Vec::new(),
        run: word("{folder}/run"),
        package: None,
        compile_limits: COMPILING,
        time_factor: 1,
        extra_memory_bytes: 0,
        toolchain: Vec::new(),
        home: Vec::new(),
        known_good: None,
        compile_environment: Vec::new(),
        environment: Vec::new(),
    }
}
