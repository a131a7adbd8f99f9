//! Patterns for the names of cases and submissions, as `secret/01?-*`. Knows names only.

use crate::glob::{Backslash, Glob};

/// A pattern: `*` and `?` match anything except `/`, `**` also matches `/`, `{a,b}` matches `a` or
/// `b`, `[a-c]` one of several characters. The name of a group matches everything in it.
#[derive(Clone, Debug)]
pub struct NamePattern {
    text: String,
    glob: Glob,
}

impl NamePattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Returns what is wrong with it, worded to follow the quoted pattern in a message.
    pub fn new(text: &str) -> Result<Self, String> {
        let glob = Glob::new(text, Backslash::Escape)
            .map_err(|error| format!("is not a valid pattern: {error}"))?;
        Ok(Self {
            text: text.to_owned(),
            glob,
        })
    }

    /// Whether a name, or a folder that contains it, matches.
    pub fn matches(&self, name: &str) -> bool {
        let folders = name.match_indices('/').map(|(end, _)| &name[..end]);
        self.glob.matches(name) || folders.into_iter().any(|folder| self.glob.matches(folder))
    }

    /// The pattern as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_names_and_the_folders_that_contain_them() {
        for (pattern, name, fits) in [
            ("secret/017-minimal", "secret/017-minimal", true),
            ("secret/01?-*", "secret/017-minimal", true),
            ("secret/01?-*", "secret/027-minimal", false),
            ("secret", "secret/017-minimal", true),
            ("secret", "secrets/017-minimal", false),
            ("*", "secret/017-minimal", true),
            ("*-minimal", "secret/017-minimal", false),
            ("**/*-minimal", "secret/017-minimal", true),
            ("{sample,secret}/0*", "secret/017-minimal", true),
            ("secret/0[0-1]*", "secret/027-minimal", false),
        ] {
            assert_eq!(
                NamePattern::new(pattern).unwrap().matches(name),
                fits,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn an_invalid_pattern_is_refused_with_the_reason() {
        assert!(
            NamePattern::new("secret/[01")
                .unwrap_err()
                .starts_with("is not a valid pattern: ")
        );
        assert!(NamePattern::new("secret/{a,b").is_err());
    }
}
