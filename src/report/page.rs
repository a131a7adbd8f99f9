//! What all pages have in common: how they look, and what they forbid a browser. Each adds its own to both.

/// Light or dark as the reader's system is.
pub(crate) const STYLE: &str = include_str!("page.css");

/// What stands in a head before the title: nothing is loaded, nothing is run, nothing is sent. With the slashes a page can be
/// XML as well.
pub(crate) const META: &str = r#"
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="referrer" content="no-referrer"/>
"#;
