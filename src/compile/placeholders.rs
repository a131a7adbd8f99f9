//! Fills in the placeholders of a command. Knows no particular command.

use std::iter;
use std::path::{Path, PathBuf};

use crate::compile::text;

/// The placeholder for the class to start, or else the name of a source without its ending.
pub(crate) const NAME: &str = "{name}";

/// The placeholder for a source as it is called in the build folder, where compilers work. Many
/// compilers write the name of a source into the program, which then does not depend on where it
/// was compiled.
const FILE: &str = "{file}";

/// The placeholder for the version of the language.
const STANDARD: &str = "{standard}";

/// The placeholder for the language's options, a word of its own.
const OPTIONS: &str = "{options}";

/// The name of the executable that a compiler must write.
const PROGRAM: &str = "program";

/// The values of the placeholders for one submission.
pub(crate) struct PlaceholderValues<'a> {
    pub(crate) source: &'a Path,
    /// The class to start, if that is not named like the source.
    pub(crate) start_class: Option<&'a str>,
    /// The other sources for the compiler.
    pub(crate) others: &'a [PathBuf],
    /// The number of this source among the pieces to be linked; 0 without linking.
    pub(crate) piece: usize,
    pub(crate) folder: &'a Path,
    pub(crate) memory_bytes: u64,
    /// The version of the language; `None` if it has none.
    pub(crate) standard: Option<&'a str>,
    pub(crate) options: &'a [String],
}

impl PlaceholderValues<'_> {
    /// Fills in a command. A word that is just `{source}` or `{file}` is replaced by every source,
    /// and one that is just `{options}` by every option. Words with the version of a language that
    /// has none are left out.
    pub(crate) fn fill(&self, command: &[String]) -> Vec<String> {
        command
            .iter()
            .filter(|word| self.standard.is_some() || !word.contains(STANDARD))
            .flat_map(|word| self.fill_word(word))
            .collect()
    }

    fn fill_word(&self, word: &str) -> Vec<String> {
        match word {
            OPTIONS => self
                .options
                .iter()
                .map(|option| self.fill_one(option))
                .collect(),
            "{source}" => self.sources().map(text).collect(),
            FILE => self.sources().map(|source| self.file(source)).collect(),
            _ => vec![self.fill_one(word)],
        }
    }

    fn sources(&self) -> impl Iterator<Item = &Path> {
        iter::once(self.source).chain(self.others.iter().map(PathBuf::as_path))
    }

    /// The path of a source from the folder in which compilers work.
    fn file(&self, source: &Path) -> String {
        let file = text(source.strip_prefix(self.folder).unwrap_or(source));
        // Not taken for an option.
        if file.starts_with('-') {
            format!("./{file}")
        } else {
            file
        }
    }

    /// Whether a command depends on the version of the language.
    pub(crate) fn has_standard(command: &[String]) -> bool {
        command.iter().any(|word| word.contains(STANDARD))
    }

    /// The values for one source alone.
    pub(crate) fn alone<'b>(&'b self, source: &'b Path) -> PlaceholderValues<'b> {
        PlaceholderValues {
            source,
            others: &[],
            ..*self
        }
    }

    /// The values for each source on its own, to compile it into a piece of the program.
    pub(crate) fn pieces(&self) -> Vec<PlaceholderValues<'_>> {
        self.sources()
            .enumerate()
            .map(|(piece, source)| PlaceholderValues {
                source,
                others: &[],
                piece,
                ..*self
            })
            .collect()
    }

    /// Fills in a command that links pieces. A word for the result of a source, such as
    /// `{program}.o`, is replaced by all pieces.
    pub(crate) fn fill_link(&self, command: &[String]) -> Vec<String> {
        let pieces = self.pieces();
        let filled = command.iter().flat_map(|word| {
            let is_of_piece = word.starts_with("{program}.");
            let counts = pieces
                .iter()
                .take(if is_of_piece { pieces.len() } else { 1 });
            counts.map(|piece| piece.fill_one(word)).collect::<Vec<_>>()
        });
        filled.collect()
    }

    /// Fills in each placeholder once. Values are not filled in again: a source may be called
    /// `{program}.c`.
    pub(crate) fn fill_one(&self, word: &str) -> String {
        let values = [
            ("{source}", text(self.source)),
            (FILE, self.file(self.source)),
            (NAME, self.name()),
            ("{program}", self.program()),
            ("{folder}", text(self.folder)),
            ("{memory_mib}", (self.memory_bytes >> 20).max(1).to_string()),
            (STANDARD, self.standard.unwrap_or_default().to_owned()),
        ];
        let mut filled = String::new();
        let mut rest = word;
        while let Some(start) = rest.find('{') {
            let (before, from_brace) = rest.split_at(start);
            let named = values
                .iter()
                .find_map(|(name, value)| Some((from_brace.strip_prefix(name)?, value.as_str())));
            let (after, value) = named.unwrap_or((&from_brace[1..], "{"));
            filled.extend([before, value]);
            rest = after;
        }
        filled + rest
    }

    fn name(&self) -> String {
        self.start_class.map_or_else(
            || {
                self.source
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned()
            },
            str::to_owned,
        )
    }

    /// The path of the executable that the compiler must write.
    fn program(&self) -> String {
        let name = if self.piece == 0 {
            PROGRAM.to_owned()
        } else {
            format!("{PROGRAM}-{}", self.piece)
        };
        text(&self.folder.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_like_a_placeholder_is_only_a_name() {
        let folder = Path::new("/made/{memory_mib}");
        let source = folder.join("{program}{folder}.x");
        let words = PlaceholderValues {
            source: &source,
            start_class: None,
            others: &[],
            piece: 0,
            folder,
            memory_bytes: 64 << 20,
            standard: None,
            options: &[],
        };
        for (word, filled) in [
            ("{source}", "/made/{memory_mib}/{program}{folder}.x"),
            (
                "-d{folder}:{program}",
                "-d/made/{memory_mib}:/made/{memory_mib}/program",
            ),
            ("-m{memory_mib}{other}{memory_mib", "-m64{other}{memory_mib"),
            ("{{program}.o", "{/made/{memory_mib}/program.o"),
        ] {
            assert_eq!(words.fill_one(word), filled);
        }
    }

    #[test]
    fn several_sources_are_compiled_at_once_or_one_by_one_and_linked() {
        let source = Path::new("/m/a.c");
        let others = [PathBuf::from("/m/lib/b.c")];
        let folder = Path::new("/m");
        let words = PlaceholderValues {
            source,
            start_class: None,
            others: &others,
            piece: 0,
            folder,
            memory_bytes: 1,
            standard: None,
            options: &[],
        };
        let command = |words: &[&str]| {
            words
                .iter()
                .map(|&word| word.to_owned())
                .collect::<Vec<_>>()
        };
        let all = words.fill(&command(&[
            "cc",
            "{source}",
            "-o",
            "{program}",
            "{name}",
            "-x{source}",
        ]));
        assert_eq!(
            all.join(" "),
            "cc /m/a.c /m/lib/b.c -o /m/program a -x/m/a.c"
        );
        let compile = command(&["cc", "-c", "-o", "{program}.o", "{source}"]);
        let each: Vec<_> = words
            .pieces()
            .iter()
            .map(|piece| piece.fill(&compile).join(" "))
            .collect();
        assert_eq!(
            each,
            [
                "cc -c -o /m/program.o /m/a.c",
                "cc -c -o /m/program-1.o /m/lib/b.c"
            ]
        );
        let link = words.fill_link(&command(&["cc", "-o", "{program}", "{program}.o", "-lm"]));
        assert_eq!(
            link.join(" "),
            "cc -o /m/program /m/program.o /m/program-1.o -lm"
        );
    }
}
