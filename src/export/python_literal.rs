//! Writes values as Python literals, for the programs that are generated from specs.

/// A string literal.
pub(super) fn text(text: &str) -> String {
    // Python has the same escapes as YAML's double quotes.
    super::yaml_text::quoted(text)
}

/// A bytes literal of a text. The programs compare it with the bytes that they read.
pub(super) fn bytes(text: &str) -> String {
    let escaped: String = text
        .bytes()
        .map(|byte| byte.escape_ascii().to_string())
        .collect();
    // Single quotes are escaped too, which Python accepts.
    format!("b\"{escaped}\"")
}

/// A list of literals.
pub(super) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(", "))
}
