//! The style and security policy shared by all HTML pages. Each page adds its own to both.

/// The common style sheet. Pages are light or dark as the reader's system is.
pub(crate) const STYLE: &str = include_str!("page.css");

/// The part of the head before the title. It forbids a browser to load, run or send anything;
/// pictures are part of the page. The closing
/// slashes make it valid in XML as well.
pub(crate) const META: &str = r#"
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta name="referrer" content="no-referrer"/>
"#;
