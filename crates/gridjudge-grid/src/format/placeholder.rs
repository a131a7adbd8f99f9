//! Splits the lines of a spec into plain text and placeholders: `{n}` is a placeholder, `{{` and
//! `}}` are braces. Does not know the meaning of placeholders.

/// Why a text with braces is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BraceError {
    /// A brace without a partner.
    #[error("holds a single `{0}`")]
    Alone(char),
    /// A placeholder that has no meaning in this text.
    #[error("holds `{{{0}}}`, which stands for nothing here")]
    Unknown(String),
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TemplatePart<'t> {
    /// Plain text.
    Plain(&'t str),
    /// The text between two braces.
    Placeholder(&'t str),
}

/// Unescapes a text that must not contain placeholders: doubled braces become single ones.
///
/// # Errors
/// Returns [`BraceError`] for the first placeholder or single brace. Single braces are found first.
pub fn without_placeholders(text: &str) -> Result<String, BraceError> {
    pieces(text)?
        .into_iter()
        .map(|piece| match piece {
            TemplatePart::Plain(text) => Ok(text),
            TemplatePart::Placeholder(name) => Err(BraceError::Unknown(name.to_owned())),
        })
        .collect()
}

/// The parts of a text, in order.
///
/// # Errors
/// Returns [`BraceError::Alone`] for the first brace without a partner.
pub(super) fn pieces(text: &str) -> Result<Vec<TemplatePart<'_>>, BraceError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from_brace) = rest.split_at(at);
        pieces.push(TemplatePart::Plain(before));
        let (brace, inner) = from_brace.split_at(1);
        rest = if inner.starts_with(brace) {
            pieces.push(TemplatePart::Plain(brace));
            &inner[1..]
        } else {
            let end = inner
                .find(['{', '}'])
                .filter(|end| brace == "{" && inner[*end..].starts_with('}'));
            let end = end.ok_or(BraceError::Alone(if brace == "{" { '{' } else { '}' }))?;
            pieces.push(TemplatePart::Placeholder(&inner[..end]));
            &inner[end + 1..]
        };
    }
    pieces.push(TemplatePart::Plain(rest));
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubled_braces_become_single_ones_and_single_ones_are_refused() {
        for (text, plain) in [
            ("no way", Ok("no way")),
            ("{{n}}", Ok("{n}")),
            ("}}{{", Ok("}{")),
            ("{n}", Err("holds `{n}`, which stands for nothing here")),
            ("{}", Err("holds `{}`, which stands for nothing here")),
            ("{{{n}}}", Err("holds `{n}`, which stands for nothing here")),
            (":-{", Err("holds a single `{`")),
            ("{a{b}", Err("holds a single `{`")),
            ("a}", Err("holds a single `}`")),
        ] {
            let found = without_placeholders(text).map_err(|why| why.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), plain, "{text}");
        }
    }
}
