//! Copies the files of a submission to the folder in which it is compiled, under names
//! that every compiler accepts, and removes that folder's path from messages.

use std::fs::{self, File};
use std::io::{self, Read};
use std::iter;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::{make_folders_above, set_mode};
use memchr::memmem;

use crate::compile::ProgramSource;
use crate::files::{self, FileError};
use crate::model::{
    Constants, HEADER_ENDINGS, JavaSource, Language, Submission, ending,
};
use crate::text::path_text;

/// The largest size of a submission in bytes, whether source or executable. Without a
/// bound, a sparse file, which occupies no disk space, would fill the disk that the
/// judge copies it to.
pub const LARGEST_SUBMISSION: u64 = 256 << 20;

/// The most bytes of a source that are searched.
const MOST_READ: u64 = 1 << 20;

/// The build folder as compilers see it that write its path into a program.
const CURRENT_FOLDER: &str = "/proc/self/cwd/";

/// Removes the path of the build folder from the output of a compiler or program: it
/// means nothing to the author, and differs each time.
pub fn without_folder(folder: &Path, written: &str) -> String {
    written
        .replace(&format!("{}/", path_text(folder)), "")
        .replace(CURRENT_FOLDER, "")
}

/// Opens the source of a program where it may be read.
///
/// # Errors
/// If it is no file, cannot be read, or has become a link.
pub fn open_source(source: &Submission) -> Result<File, FileError> {
    match &source.real {
        Some(real) => files::open_real(real),
        None => files::open_file(&source.path),
    }
}

/// Reads at most `most` bytes, from the start of a file.
///
/// # Errors
/// Fails if they cannot be read.
pub(super) fn read_start(file: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut start = vec![];
    file.take(most).read_to_end(&mut start)?;
    Ok(start)
}

/// The name of a source that its language does not prescribe.
fn own_name(path: &Path, language: &Language) -> String {
    without_other_meaning(with_ending(source_file_name(path), language))
}

/// The name that the classes of a source in Java give to its file, if they do.
fn name_of_class(source: &Submission, language: &Language) -> Option<String> {
    let own = source_file_name(&source.path);
    let source = java_source(open_source(source), language)?;
    let stem = source.file_stem(&stem_of(&own))?;
    Some(format!("{stem}.{}", language.extensions.first()?))
}

/// The class that a program in Java starts in, if its source has one.
pub(super) fn start_class(source: &Path, language: &Language) -> Option<String> {
    java_source(files::open_file(source), language)?
        .start_class(&stem_of(&source.to_string_lossy()))
}

fn stem_of(name: &str) -> String {
    path_text(Path::new(name).file_stem().unwrap_or_default())
}

/// The declarations of a source, if its language is Java.
fn java_source(
    source: Result<File, FileError>,
    language: &Language,
) -> Option<JavaSource> {
    if !language.java_classes {
        return None;
    }
    let start = read_start(source.ok()?, MOST_READ).ok()?;
    Some(JavaSource::read(&String::from_utf8_lossy(&start)))
}

/// A name with an ending of the language, which a package may name for a file with any
/// ending. Compilers know endings in lower case only.
fn with_ending(own: String, language: &Language) -> String {
    let lower = own
        .rsplit_once('.')
        .map(|(stem, ending)| format!("{stem}.{}", ending.to_lowercase()));
    match (lower, language.extensions.first()) {
        _ if is_source(&own, language) => own,
        (Some(lower), _) if is_source(&lower, language) => lower,
        (_, Some(first)) => format!("{own}.{first}"),
        (_, None) => own,
    }
}

/// A name without what compilers take for more than a part of it: `go` ignores files by
/// their first letter and tests, `rustc` takes names for those of crates, and
/// `ocamlopt` knows a module of this name in a library.
fn without_other_meaning(name: String) -> String {
    let plain = name.trim_start_matches(['_', '-']);
    let start = if plain.starts_with('.') {
        "submission"
    } else {
        ""
    };
    let (stem, ending) = plain.rsplit_once('.').unwrap_or((plain, ""));
    let is_module =
        ending == "ml" && matches!(stem.to_lowercase().as_str(), "str" | "unix");
    if is_module || ending == "go" && stem.ends_with("_test") {
        format!("{stem}_.{ending}")
    } else {
        format!("{start}{plain}")
    }
}

/// Whether a file of this name is a source of a language.
pub(super) fn is_source(name: &str, language: &Language) -> bool {
    language
        .extensions
        .iter()
        .any(|known| known == ending(name))
}

/// Copies a file of a program to a name below a folder, with its constants filled in
/// and its permission to be executed, so that all users can read it. Returns `false` if
/// it is too large. `is_real` says that its path had no links when it was found.
pub(super) fn copy_below(
    from: &Path,
    is_real: bool,
    folder: &Path,
    name: &str,
    constants: &Constants,
) -> Result<bool, FileError> {
    let to = folder.join(name);
    make_folders_above(&to, folder)?;
    if !is_real && from.is_symlink() && !from.exists() {
        // What it leads to is yet to be made beside it.
        symlink(fs::read_link(from)?, &to)?;
        return Ok(true);
    }
    let source = if is_real {
        files::open_real(from)
    } else {
        files::open_file(from)
    }?;
    let found = source.metadata()?;
    if found.len() > LARGEST_SUBMISSION {
        return Ok(false);
    }
    let is_executable = found.mode() & 0o111 != 0;
    let mut copied = File::create_new(&to)?;
    let bytes = io::copy(&mut source.take(LARGEST_SUBMISSION + 1), &mut copied)?;
    set_mode(&to, if is_executable { 0o755 } else { 0o644 })?;
    if bytes > LARGEST_SUBMISSION {
        return Ok(false);
    }
    if !constants.is_empty() {
        let Some(text) = constants.filled_in(&fs::read(&to)?, LARGEST_SUBMISSION)
        else {
            return Ok(false);
        };
        fs::write(&to, text)?;
    }
    Ok(true)
}

/// The files next to a source that it may include, in the order of their names:
/// headers, and for a Python source its modules. Leaves out links, which may lead to
/// files that do not belong to the problem, and hidden files.
///
/// # Errors
/// Fails if the folder cannot be read.
pub fn included_by(source: &Path) -> io::Result<Vec<PathBuf>> {
    let folder = files::folder_of(source);
    let mut included = vec![];
    for entry in folder.read_dir()? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let path = entry.path();
        let may_be_included = HEADER_ENDINGS.contains(&ending(&path))
            || ending(&path) == "py" && ending(source) == "py";
        // This is the type of the entry itself; links are not followed.
        if !is_hidden
            && entry.file_type()?.is_file()
            && path != source
            && may_be_included
        {
            included.push(path);
        }
    }
    included.sort();
    Ok(included)
}

/// The name of a submission in its build folder: its own, without characters that have
/// a meaning for some compilers. `rustc` derives the name of a crate from it, and `go`
/// reads the text after an `@` as a version.
pub(super) fn source_file_name(path: &Path) -> String {
    let name = path
        .file_name()
        .map_or_else(|| "submission".into(), |name| name.to_string_lossy());
    let plain = |text: &str| {
        text.replace(
            |letter: char| !letter.is_ascii_alphanumeric() && !"_-+".contains(letter),
            "_",
        )
    };
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{}.{}", plain(stem), plain(ending)),
        None => plain(&name),
    }
}

// The name of a program's own source in the build folder. Where neither the compiler
// nor the program depends on it, all submissions have the same, so that equal sources
// are one program, however their files are called. Messages name the submission's own
// file.

/// The languages in which a program sees the name of its source in messages, and in
/// macros such as `__FILE__`, but nowhere else. In others it names classes (Java,
/// Kotlin) or units (Ada), and programs that are interpreted find it among their
/// arguments, and may import themselves.
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
    /// Its files, its own source first.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let others = self.additional_sources.files.iter();
        iter::once(self.source.place()).chain(others.map(|file| &file.path))
    }

    /// Whether one of its files is larger than [`LARGEST_SUBMISSION`], so that none is
    /// read.
    pub(crate) fn is_too_large(&self) -> bool {
        self.files().any(|path| {
            path.metadata()
                .is_ok_and(|found| found.len() > LARGEST_SUBMISSION)
        })
    }

    /// The name of its own source in the build folder.
    pub(super) fn name_in_folder(&self) -> String {
        let source = self.source;
        if let Some((common, own)) = self.common_name()
            && !may_depend_on_name(source, &own)
        {
            return common;
        }
        let name = source_file_name(&source.path);
        let Some(language) = self.language else {
            return name;
        };
        if let Some(required) = name_of_class(source, language) {
            return required;
        }
        let mut others = self.additional_sources.files.iter();
        // Other sources refer to it by its own name.
        if others.any(|file| is_source(&file.name, language)) {
            return name;
        }
        let required = language.source.clone();
        required.unwrap_or_else(|| own_name(&source.path, language))
    }

    /// A text about the program, such as its compiler's messages or its own, in which
    /// its source has the name of the submission's file.
    pub fn with_own_name(&self, text: &str) -> String {
        let Some((common, own)) = self.common_name() else {
            return text.to_owned();
        };
        if !text.contains(&common) || may_depend_on_name(self.source, &own) {
            return text.to_owned();
        }
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(&common) {
            let (before, from) = rest.split_at(start);
            let after = &from[common.len()..];
            let is_part =
                before.ends_with(is_of_name) || after.starts_with(is_of_name);
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

/// Whether a source may include itself: it contains the name of its file, or the common
/// one, or includes a file whose name does not stand there as it is.
fn may_depend_on_name(source: &Submission, own: &str) -> bool {
    let path = &source.path;
    let text = open_source(source)
        .and_then(|source| Ok(read_start(source, LARGEST_SEARCHED + 1)?));
    // What cannot be read is not compiled either.
    let Ok(text) = text else { return true };
    if text.len() as u64 > LARGEST_SEARCHED {
        return true;
    }
    let real = path.file_name().unwrap_or_default().as_encoded_bytes();
    let plain = source_file_name(path);
    let names = [real, plain.as_bytes(), own.as_bytes()];
    names
        .into_iter()
        .any(|name| memmem::find(&text, name).is_some())
        || includes_unnamed(&text, own)
}

/// Whether a source includes a file by other means than a name in quotes or angle
/// brackets, such as a macro or an unquoted name, or by this name without its ending,
/// which some compilers add.
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
mod source_name_tests {
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
            real: None,
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
        let default = alone(&submission, &cpp);
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
                ..default
            },
            ProgramSource {
                keeps_name: true,
                ..default
            },
            ProgramSource {
                additional_sources: &additional,
                ..default
            },
            ProgramSource {
                language: Some(&python),
                ..default
            },
            ProgramSource {
                language: Some(&changed),
                ..default
            },
        ] {
            assert_eq!(program.name_in_folder(), "a.cpp", "{program:?}");
            assert_eq!(
                program.with_own_name("submission.cpp:1"),
                "submission.cpp:1"
            );
        }
        assert_eq!(default.name_in_folder(), "submission.cpp");
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
