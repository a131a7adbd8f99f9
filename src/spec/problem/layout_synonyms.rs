//! Words that other judges use for the keys of `[input]` and `[output]`.

/// Each word, with the keys that may be meant.
pub(super) const SYNONYMS: [(&str, &[&str]); 18] = [
    ("header", &["banner", "order_line"]),
    ("heading", &["banner", "order_line"]),
    ("title", &["banner"]),
    ("label", &["banner"]),
    ("prefix", &["banner"]),
    ("size", &["order_line"]),
    ("sentinel", &["until"]),
    ("terminator", &["until"]),
    ("end", &["until"]),
    ("eof", &["cases"]),
    ("count", &["cases"]),
    ("tests", &["cases"]),
    ("divider", &["separator"]),
    ("delimiter", &["separator", "cells", "blank_lines"]),
    ("spacing", &["cells", "white_space"]),
    ("strict", &["white_space"]),
    ("skip", &["ignore", "comment"]),
    ("trailing_space", &["line_end"]),
];
