//! The name of a program's own source in the build folder. Where neither the compiler nor the
//! program depends on it, all submissions have the same, so that equal sources are one program,
//! however their files are called. Messages name the submission's own file.

use std::fs;
use std::path::Path;

use memchr::memmem;

use crate::compile::program_source::ProgramSource;
use crate::compile::source_file::{
    file_name, is_source, name_among_others, name_of_only, own_name,
};

/// The languages in which a program sees the name of its source in messages, and in macros such as
/// `__FILE__`, but nowhere else. In others it names classes (Java, Kotlin) or units (Ada), and
/// programs that are interpreted find it among their arguments, and may import themselves.
const WITHOUT_NAMES: [&str; 9] = [
    "c", "cpp", "csharp", "fortran", "go", "haskell", "ocaml", "pascal", "rust",
];

/// The name that all sources have, without its ending.
const COMMON_STEM: &str = "submission";

/// Words before the name of a file whose contents become part of the program.
const INCLUDING_WORDS: [&[u8]; 3] = [b"include", b"embed", b"incbin"];

/// The largest source that is searched for its own name.
const LARGEST_SEARCHED: u64 = 1 << 20;

impl ProgramSource<'_> {
    /// The name of its own source in the build folder.
    pub(super) fn name_in_folder(&self) -> String {
        let path = &self.source.path;
        let has_others = self.language.is_some_and(|language| {
            self.additional_sources
                .files
                .iter()
                .any(|file| is_source(&file.name, language))
        });
        match self.common_name() {
            Some((common, own)) if !may_depend_on_name(path, &own) => common,
            // Other sources refer to it by its own name.
            _ if has_others => name_among_others(path, self.language),
            _ => name_of_only(path, self.language),
        }
    }

    /// A text about the program, such as its compiler's messages or its own, in which its source
    /// has the name of the submission's file.
    pub fn with_own_name(&self, text: &str) -> String {
        let Some((common, own)) = self.common_name() else {
            return text.to_owned();
        };
        if !text.contains(&common) || may_depend_on_name(&self.source.path, &own) {
            return text.to_owned();
        }
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(&common) {
            let (before, from) = rest.split_at(start);
            let after = &from[common.len()..];
            let is_part = before.ends_with(is_of_name) || after.starts_with(is_of_name);
            named.push_str(before);
            named.push_str(if is_part { &common } else { &own });
            rest = after;
        }
        named + rest
    }

    /// The name that sources of its kind have in common, if they do, and its own.
    fn common_name(&self) -> Option<(String, String)> {
        let language = self.language?;
        let has_common = self.is_submission
            && !self.keeps_name
            && self.additional_sources.is_empty()
            && language.keeps_builds
            && language.source.is_none()
            && WITHOUT_NAMES.contains(&language.id.as_str());
        let own = own_name(&self.source.path, language);
        let (_, ending) = own.rsplit_once('.').filter(|_| has_common)?;
        let common = format!("{COMMON_STEM}.{ending}");
        Some((common, own))
    }
}

/// Whether a source may include itself: it contains the name of its file, or the common one, or
/// includes a file whose name does not stand there as it is.
fn may_depend_on_name(path: &Path, own: &str) -> bool {
    let is_small = path
        .metadata()
        .is_ok_and(|found| found.is_file() && found.len() <= LARGEST_SEARCHED);
    // What cannot be read is not compiled either.
    let Some(source) = is_small.then(|| fs::read(path).ok()).flatten() else {
        return true;
    };
    let real = path.file_name().unwrap_or_default().as_encoded_bytes();
    let plain = file_name(path);
    let names = [real, plain.as_bytes(), own.as_bytes()];
    names
        .into_iter()
        .any(|name| memmem::find(&source, name).is_some())
        || includes_unnamed(&source, own)
}

/// Whether a source includes a file by other means than a name in quotes or angle brackets, such as
/// a macro or an unquoted name, or by this name without its ending, which some compilers add.
fn includes_unnamed(source: &[u8], own: &str) -> bool {
    let own = own.to_ascii_lowercase();
    let stem = own.rsplit_once('.').map_or(&*own, |(stem, _)| stem);
    let lower = source.to_ascii_lowercase();
    if memmem::find(&lower, COMMON_STEM.as_bytes()).is_some()
        || memmem::find(&lower, b"{$i ").is_some()
    {
        return true;
    }
    INCLUDING_WORDS.into_iter().any(|word| {
        memmem::find_iter(&lower, word).any(|start| {
            let rest = lower[start + word.len()..].trim_ascii_start();
            let named = rest.strip_prefix(b"!(").unwrap_or(rest).trim_ascii_start();
            match named.split_first() {
                Some((b'<', _)) => false,
                Some((b'"' | b'\'', name)) => name.starts_with(stem.as_bytes()),
                _ => true,
            }
        })
    })
}

/// Whether a letter next to a name belongs to another name.
fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '+')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::tests::{alone, language};
    use crate::model::{AdditionalSources, Language, SourceFile, Submission};

    fn cpp() -> Language {
        let extensions = ["cpp", "cc"].map(str::to_owned).to_vec();
        Language {
            id: "cpp".into(),
            extensions,
            source: None,
            ..language("c++")
        }
    }

    fn submission(folder: &tempfile::TempDir, name: &str, text: &str) -> Submission {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        Submission {
            name: name.into(),
            path,
            expected: None,
        }
    }

    #[test]
    fn sources_of_one_file_have_the_same_name_unless_they_contain_their_own() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text, expected) in [
            ("a.cpp", "int main;", "submission.cpp"),
            ("A b.CPP", "int main;", "submission.cpp"),
            ("b.cc", "int main;", "submission.cc"),
            ("c.cpp", "#include \"c.cpp\"", "c.cpp"),
            ("A c.cpp", "#include \"A c.cpp\"", "A_c.cpp"),
            ("-und.cpp", "#include \"und.cpp\"", "und.cpp"),
            (
                "d.cpp",
                "#define SELF \"d\" \".cpp\"\n#include SELF",
                "d.cpp",
            ),
            ("e.cpp", "#include \"submission.cpp\"", "e.cpp"),
            ("f.cpp", "{$I f}", "f.cpp"),
            ("g.cpp", "{$include 'g'}", "g.cpp"),
            (
                "h.cpp",
                "{$I+} #include <vector>\n#include \"lib.h\"",
                "submission.cpp",
            ),
        ] {
            let submission = submission(&folder, name, text);
            assert_eq!(
                alone(&submission, &cpp()).name_in_folder(),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn a_source_keeps_its_name_if_something_else_may_depend_on_it() {
        let folder = tempfile::tempdir().unwrap();
        let submission = submission(&folder, "a.cpp", "int main;");
        let cpp = cpp();
        let usual = alone(&submission, &cpp);
        let header = SourceFile {
            name: "x.h".into(),
            path: submission.path.clone(),
        };
        let additional = AdditionalSources {
            files: vec![header],
            ..AdditionalSources::default()
        };
        let python = Language {
            id: "python".into(),
            ..cpp.clone()
        };
        let changed = Language {
            keeps_builds: false,
            ..cpp.clone()
        };
        for program in [
            ProgramSource {
                is_submission: false,
                ..usual
            },
            ProgramSource {
                keeps_name: true,
                ..usual
            },
            ProgramSource {
                additional_sources: &additional,
                ..usual
            },
            ProgramSource {
                language: Some(&python),
                ..usual
            },
            ProgramSource {
                language: Some(&changed),
                ..usual
            },
        ] {
            assert_eq!(program.name_in_folder(), "a.cpp", "{program:?}");
            assert_eq!(
                program.with_own_name("submission.cpp:1"),
                "submission.cpp:1"
            );
        }
        assert_eq!(usual.name_in_folder(), "submission.cpp");
    }

    #[test]
    fn messages_name_the_file_of_the_submission() {
        let folder = tempfile::tempdir().unwrap();
        let submission = submission(&folder, "A b.cpp", "int main;");
        let cpp = cpp();
        let program = alone(&submission, &cpp);
        for (text, named) in [
            (
                "submission.cpp:3: error\nIn submission.cpp",
                "A_b.cpp:3: error\nIn A_b.cpp",
            ),
            ("./submission.cpp", "./A_b.cpp"),
            (
                "resubmission.cpp submission.cpps",
                "resubmission.cpp submission.cpps",
            ),
            ("", ""),
        ] {
            assert_eq!(program.with_own_name(text), named);
        }
    }
}
