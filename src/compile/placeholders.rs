//! What the placeholders of a command stand for. Knows no command.

use std::path::Path;

use crate::compile::source_file::text;

/// Name of the executable that a compiler is asked for.
const PROGRAM: &str = "program";

/// The values of the placeholders for one submission.
pub(crate) struct PlaceholderValues<'a> {
    pub(crate) source: &'a Path,
    pub(crate) folder: &'a Path,
    pub(crate) memory_bytes: u64,
}

impl PlaceholderValues<'_> {
    pub(crate) fn fill(&self, command: &[String]) -> Vec<String> {
        command.iter().map(|word| self.fill_one(word)).collect()
    }

    /// Fills in each placeholder once. What has been filled in is not looked at again: a source may be called
    /// `{program}.c`.
    pub(crate) fn fill_one(&self, word: &str) -> String {
        let values = [
            ("{source}", text(self.source)),
            ("{program}", self.program()),
            ("{folder}", text(self.folder)),
            ("{memory_mib}", (self.memory_bytes >> 20).max(1).to_string()),
        ];
        let (mut filled, mut rest) = (String::new(), word);
        while let Some(start) = rest.find('{') {
            let (before, from_brace) = rest.split_at(start);
            let named = values
                .iter()
                .find_map(|(name, value)| Some((from_brace.strip_prefix(name)?, value.as_str())));
            let (behind, value) = named.unwrap_or((&from_brace[1..], "{"));
            filled.extend([before, value]);
            rest = behind;
        }
        filled + rest
    }

    /// The executable that the compiler is asked for.
    pub(crate) fn program(&self) -> String {
        text(&self.folder.join(PROGRAM))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_like_a_placeholder_is_only_a_name() {
        let folder = Path::new("/made/{memory_mib}");
        let source = folder.join("{program}{folder}.x");
        let words = PlaceholderValues { source: &source, folder, memory_bytes: 64 << 20 };
        for (word, filled) in [
            ("{source}", "/made/{memory_mib}/{program}{folder}.x"),
            ("-d{folder}:{program}", "-d/made/{memory_mib}:/made/{memory_mib}/program"),
            ("-m{memory_mib}{other}{memory_mib", "-m64{other}{memory_mib"),
            ("{{program}.o", "{/made/{memory_mib}/program.o"),
        ] {
            assert_eq!(words.fill_one(word), filled);
        }
    }
}
