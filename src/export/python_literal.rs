//! Values as Python writes them, for the programs that are made of specs.

/// A text.
pub(super) fn text(text: &str) -> String {
    // Python reads the escapes of YAML's double quotes alike.
    super::yaml_text::quoted(text)
}

/// Text as bytes: what a program compares with what it has read.
pub(super) fn bytes(text: &str) -> String {
    let escaped: String = text.bytes().map(|byte| byte.escape_ascii().to_string()).collect();
    // Single quotes are escaped as well, which Python takes.
    format!("b\"{escaped}\"")
}

/// A list of values that are written already.
pub(super) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(", "))
}
