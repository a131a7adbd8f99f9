//! Placeholders in the lines that a spec writes out: `{n}` stands for something, `{{` and `}}` for braces. Knows nothing of
//! what stands for what.

/// Why a text cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BraceError {
    /// A brace that opens or closes nothing.
    #[error("holds a single `{0}`")]
    Alone(char),
    /// A placeholder where none has a meaning.
    #[error("holds `{{{0}}}`, which stands for nothing here")]
    Unknown(String),
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TemplatePart<'t> {
    /// As it stands.
    Plain(&'t str),
    /// What stands between two braces.
    Placeholder(&'t str),
}

/// A text in which nothing stands for anything else but two braces for one.
///
/// # Errors
/// [`BraceError`] at the first placeholder, or the first brace that stands alone.
pub fn without_placeholders(text: &str) -> Result<String, BraceError> {
    let plain = |piece| match piece {
        TemplatePart::Plain(text) => Ok(text),
        TemplatePart::Placeholder(name) => Err(BraceError::Unknown(name.to_owned())),
    };
    pieces(text)?.into_iter().map(plain).collect()
}

/// The parts of a text, in order.
///
/// # Errors
/// [`BraceError::Alone`] at the first brace that opens or closes nothing.
pub(super) fn pieces(text: &str) -> Result<Vec<TemplatePart<'_>>, BraceError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        pieces.push(TemplatePart::Plain(before));
        let (brace, inner) = behind.split_at(1);
        rest = if inner.starts_with(brace) {
            pieces.push(TemplatePart::Plain(brace));
            &inner[1..]
        } else {
            let end = inner.find(['{', '}']).filter(|end| brace == "{" && inner[*end..].starts_with('}'));
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
    fn two_braces_stand_for_one_and_one_for_nothing() {
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
