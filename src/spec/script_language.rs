//! Programs of packages that are made by a script of their own, `build`, and started by one, `run`, as if that were a language. Knows no
//! package.

use crate::model::Language;
use crate::spec::language::COMPILING;

/// The language of such programs: with a `build` to be run first, which may make the other, or without.
pub(super) fn script_language(has_build: bool) -> Language {
    let word = |word: &str| vec![word.to_owned()];
    Language {
        id: "script".to_owned(),
        name: "a script of its own".to_owned(),
        extensions: Vec::new(),
        source: None,
        own_name: None,
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
