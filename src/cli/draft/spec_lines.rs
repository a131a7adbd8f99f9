//! Builds the text of a spec line by line, each with a comment.

use std::fmt::Write;

/// The text of a spec under construction.
pub(super) struct SpecLines(String);

impl SpecLines {
    /// What every spec begins with.
    pub(super) fn begin(id: &str, title: Option<&str>, source: Option<&str>) -> Self {
        let mut lines = Self(format!(
            "# Every key is explained in docs/spec.md. `gridjudge verify {id}` proves what this file says.\n"
        ));
        lines.add(set("name", title.unwrap_or(id)), "its title");
        lines.add(maybe("source", source, "a contest"), "where it comes from");
        lines
    }

    /// The whole text, with the limits at its end.
    pub(super) fn end(mut self, time: &str, memory: &str) -> String {
        self.add("\n[limits]".to_owned(), "");
        self.add(set("time", time), "CPU time");
        self.add(set("memory", memory), "");
        self.0
    }

    pub(super) fn add(&mut self, line: String, comment: &str) {
        let _ = match comment {
            "" => writeln!(self.0, "{line}"),
            comment => writeln!(self.0, "{line:<28} # {comment}"),
        };
    }
}

/// A line that sets a key.
pub(super) fn set(key: &str, value: &str) -> String {
    format!("{key} = {}", toml::Value::from(value))
}

/// A line that sets a key to `value`; without one, a commented-out line with an example.
pub(super) fn maybe(key: &str, value: Option<&str>, example: &str) -> String {
    value.map_or_else(
        || format!("# {}", set(key, example)),
        |value| set(key, value),
    )
}
