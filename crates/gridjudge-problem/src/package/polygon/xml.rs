//! Reads the elements of `problem.xml`, each with its place, and finds the files that
//! they name. Refuses entities that the file defines, so that no text grows as it is
//! read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use crate::files::InnerName;
use crate::mistake::{Mistake, quoted};
use crate::package::{MAC_FOLDER, PackageTree};
use crate::text::newlines;

/// The most elements, attributes and texts in one file.
const MOST_NODES: u32 = 1_000_000;

/// The most attributes of an element. The parser compares each with all others, so very
/// many would take minutes.
const MOST_ATTRIBUTES: usize = 1000;

/// A parsed file.
pub(crate) struct XmlFile<'t> {
    /// The package that it describes.
    tree: &'t PackageTree,
    document: Document<'t>,
    /// Where each line ends. The parser would count the lines before each element anew.
    line_ends: Vec<usize>,
}

/// Parses the text of the file that makes a package, as XML.
///
/// # Errors
/// Returns the first syntax error, or an element with too many attributes.
pub(crate) fn parse_xml<'t>(
    tree: &'t PackageTree,
    text: &'t str,
) -> Result<XmlFile<'t>, Mistake> {
    let broken = |message: String, line: u64| {
        let remedy = "download the package again";
        Mistake::new(&tree.package_file, message, remedy).on_line(line)
    };
    if let Some(start) = start_of_large_tag(text) {
        let message =
            format!("holds an element with more than {MOST_ATTRIBUTES} attributes");
        let line = newlines(&text.as_bytes()[..start]) + 1;
        return Err(broken(message, line));
    }
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        broken(format!("is not XML: {error}"), error.pos().row.into())
    })?;
    Ok(XmlFile {
        tree,
        document,
        line_ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
    })
}

/// Where the first tag with too many attributes starts.
fn start_of_large_tag(text: &str) -> Option<usize> {
    let mut place = 0;
    while let Some(found) = text[place..].find('<') {
        let start = place + found;
        let tag = &text[start..];
        let special = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        let length = match special
            .into_iter()
            .find(|(begin, _)| tag.starts_with(begin))
        {
            Some((_, end)) => tag.find(end)? + end.len(),
            None => {
                let (length, attributes) = measured(tag);
                if attributes > MOST_ATTRIBUTES {
                    return Some(start);
                }
                length
            }
        };
        place = start + length;
    }
    None
}

/// The length in bytes of the tag that a text begins with, and the number of its
/// attributes.
fn measured(tag: &str) -> (usize, usize) {
    let mut quote = None;
    let mut attributes = 0;
    for (place, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), byte) if byte == open => {
                quote = None;
            }
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => {
                attributes += 1;
            }
            (None, b'>') => return (place + 1, attributes),
            _ => {}
        }
    }
    (tag.len(), attributes)
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(crate) struct XmlElement<'d> {
    /// The package that it describes.
    pub(crate) tree: &'d PackageTree,
    file: &'d XmlFile<'d>,
    node: Node<'d, 'd>,
}

impl<'d> XmlElement<'d> {
    /// The root element.
    pub(crate) fn root(file: &'d XmlFile<'d>) -> Self {
        Self {
            tree: file.tree,
            file,
            node: file.document.root_element(),
        }
    }

    pub(crate) fn name(&self) -> &'d str {
        self.node.tag_name().name()
    }

    /// The elements at a path, as `tests/test`: all of the last name, in the first of
    /// each name before it.
    pub(crate) fn children(
        &self,
        path: &'static str,
    ) -> impl Iterator<Item = Self> + use<'d> {
        let (around, name) = if let Some((around, name)) = path.rsplit_once('/') {
            (self.child(around), name)
        } else {
            (Some(*self), path)
        };
        around
            .into_iter()
            .flat_map(|around| around.elements())
            .filter(move |element| element.name() == name)
    }

    /// All child elements.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Self> + use<'d> {
        let around = *self;
        self.node
            .children()
            .filter(Node::is_element)
            .map(move |node| Self { node, ..around })
    }

    /// The first element at a path.
    pub(crate) fn child(&self, path: &'static str) -> Option<Self> {
        self.children(path).next()
    }

    /// An attribute; `None` if it is missing or blank.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'d str> {
        self.node
            .attribute(name)
            .map(str::trim)
            .filter(|value| !value.is_empty())
    }

    /// The names of its attributes.
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &'d str> + use<'d> {
        self.node.attributes().map(|attribute| attribute.name())
    }

    /// The text of the first child element with this name.
    pub(crate) fn text_of(&self, name: &'static str) -> Option<&'d str> {
        self.child(name)?.text()
    }

    /// Its own text.
    pub(crate) fn text(&self) -> Option<&'d str> {
        self.node.text().map(str::trim)
    }

    /// Reads a number from 1 to `most` from the first child element with this name.
    /// Notes a mistake if there is none.
    pub(crate) fn number_of(
        &self,
        name: &'static str,
        most: u64,
        unit: &str,
    ) -> Option<u64> {
        let remedy = format!("write `<{name}>` with {unit} in it, {most} at most");
        let Some(text) = self.text_of(name) else {
            self.refuse(format!("`<{}>` lacks `<{name}>`", self.name()), remedy);
            return None;
        };
        let number = text
            .parse()
            .ok()
            .filter(|number| (1..=most).contains(number));
        if number.is_none() {
            let place = self.child(name).unwrap_or(*self);
            place.refuse(
                format!("`<{name}>` must be {unit}, found {}", quoted(text)),
                remedy,
            );
        }
        number
    }

    /// The file that its `<source>` names; notes a mistake if there is none.
    pub(super) fn source(&self) -> Option<&'d Path> {
        self.tree.ok_or_note(source_of(self))
    }

    /// Notes a mistake at its place.
    pub(crate) fn refuse(
        &self,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.tree.mistake(self.mistake(message, remedy));
    }

    /// Notes that it asks for an unsupported feature.
    pub(crate) fn need(&self, what: &str) {
        let tree = self.tree;
        tree.need_at(&tree.package_file, Some(self.line()), what);
    }

    /// A mistake at its place.
    pub(crate) fn mistake(
        &self,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Mistake {
        Mistake::new(&self.tree.package_file, message, remedy).on_line(self.line())
    }

    /// The line where it begins, from 1.
    pub(crate) fn line(&self) -> u64 {
        let start = self.node.range().start;
        self.file.line_ends.partition_point(|end| *end < start) as u64 + 1
    }
}

// Finds the files that elements of `problem.xml` name, and words the remedy for missing
// ones.

/// The remedy for a package that lacks something: some downloads leave files out.
pub(super) const FULL_PACKAGE: &str = "download the full package, or export it again";

/// Returns the file that the `<source>` of an element names.
///
/// # Errors
/// Returns a mistake if there is no such file; none if it was refused, which is known.
pub(super) fn source_of<'d>(
    element: &XmlElement<'d>,
) -> Result<&'d Path, Option<Mistake>> {
    let tree = element.tree;
    let path = element
        .child("source")
        .and_then(|source| source.attribute("path"));
    let name = element.name();
    let message = match path {
        None => format!("`<{name}>` names no source"),
        Some(path) => {
            if let Some(file) = tree.file(path) {
                return Ok(file);
            }
            if !tree.lacks(path) {
                return Err(None);
            }
            format!("{} of `<{name}>` is not in the package", quoted(path))
        }
    };
    Err(Some(element.mistake(message, FULL_PACKAGE)))
}

/// Returns the types of all sources below an element, by their paths.
pub(super) fn source_types(element: &XmlElement<'_>) -> BTreeMap<PathBuf, String> {
    let tree = element.tree;
    let mut types = BTreeMap::new();
    let mut elements = vec![*element];
    while let Some(element) = elements.pop() {
        let named = element.attribute("path").and_then(|path| tree.file(path));
        if element.name() == "source"
            && let Some((path, kind)) = named.zip(element.attribute("type"))
        {
            types.insert(path.to_owned(), kind.to_owned());
        }
        elements.extend(element.elements());
    }
    types
}

// The patterns by which `problem.xml` names the files of tests: a path with the number
// of the test in it. Looks for no file.

/// A name with the number of a test in it, as C's `printf` writes it: `tests/%02d.a`.
pub(super) struct TestPattern<'d> {
    before: &'d str,
    /// The least number of digits.
    digits: usize,
    after: &'d str,
}

impl<'d> TestPattern<'d> {
    /// Reads the pattern that a child of an element holds.
    ///
    /// # Errors
    /// If there is none, or it could name a file outside of the package or in a hidden
    /// place.
    pub(super) fn from_set(
        set: &XmlElement<'d>,
        name: &'static str,
    ) -> Result<Self, Mistake> {
        let text = set.text_of(name);
        text.and_then(TestPattern::parse).ok_or_else(|| {
            let found = text.map_or("nothing".to_owned(), quoted);
            let message = format!(
                "`<{name}>` must be a name with `%d` or `%02d` in it, found {found}"
            );
            set.mistake(message, format!("write `<{name}>tests/%02d</{name}>`"))
        })
    }

    fn parse(text: &'d str) -> Option<Self> {
        let (before, behind) = text.split_once('%')?;
        let (digits, after) = behind.split_once('d')?;
        // Missing files may be written later: never outside of the package, and never
        // in hidden places.
        let is_inside = InnerName::parse(text).is_some()
            && text.split('/').all(|part| part != MAC_FOLDER);
        let digits = match digits.as_bytes() {
            [] => 0,
            [b'0', digit @ b'0'..=b'9'] => usize::from(digit - b'0'),
            _ => return None,
        };
        if !is_inside || after.contains('%') {
            return None;
        }
        Some(Self {
            before,
            digits,
            after,
        })
    }

    /// The number of the test whose file has this name; `None` if it is no test's.
    pub(super) fn number_in(&self, name: &str) -> Option<u64> {
        let number = name
            .strip_prefix(self.before)?
            .strip_suffix(self.after)?
            .parse()
            .ok()?;
        (number > 0 && self.name(number) == name).then_some(number)
    }

    /// The name of the file of a test.
    pub(super) fn name(&self, number: u64) -> String {
        format!(
            "{}{number:0width$}{}",
            self.before,
            self.after,
            width = self.digits
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_on_the_line_that_it_begins_on() {
        let text = "<?xml version='1.0'?>\n<p>\r\n<a\n/><b/>\n\n<c/></p>\n";
        let tree = PackageTree::default();
        let file = parse_xml(&tree, text).unwrap();
        let root = XmlElement::root(&file);
        let lines: Vec<_> = root
            .elements()
            .map(|element| (element.name(), element.line()))
            .collect();
        assert_eq!(
            (root.line(), lines),
            (2, vec![("a", 3), ("b", 4), ("c", 6)])
        );
    }

    #[test]
    fn an_element_with_very_many_attributes_is_refused_with_its_line() {
        let attributes = |many: usize| {
            (0..many)
                .map(|number| format!(" a{number}='>='"))
                .collect::<String>()
        };
        let refused = |text: &str| {
            parse_xml(&PackageTree::default(), text)
                .err()
                .map(|mistake| (mistake.line, mistake.message))
        };
        let text = |many| {
            format!(
                "<?xml version='1.0'?>\n<!-- don't -->\n<p{}><![CDATA[<a ']]></p>\n",
                attributes(many)
            )
        };
        assert_eq!(refused(&text(1000)), None);
        let said = "holds an element with more than 1000 attributes".to_owned();
        assert_eq!(refused(&text(1001)), Some((Some(3), said)));
        assert!(refused(&format!("<p{}", attributes(200_000))).is_some());
    }
}

#[cfg(test)]
mod test_pattern_tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_name_with_one_number_in_it() {
        let name = |text, number| {
            TestPattern::parse(text).map(|pattern| pattern.name(number))
        };
        assert_eq!(name("tests/%02d", 7).as_deref(), Some("tests/07"));
        assert_eq!(name("tests/%02d.a", 123).as_deref(), Some("tests/123.a"));
        assert_eq!(name("t/%d.in", 7).as_deref(), Some("t/7.in"));
        let number =
            |name| TestPattern::parse("tests/%02d.a").unwrap().number_in(name);
        assert_eq!(number("tests/07.a"), Some(7));
        for other in [
            "tests/7.a",
            "tests/07",
            "tests/00.a",
            "tests/+7.a",
            "tests/x7.a",
            "07.a",
        ] {
            assert_eq!(number(other), None, "{other}");
        }
        for wrong in [
            "tests/01",
            "tests/%s",
            "tests/%2d",
            "%d/%d",
            "tests/%0d%",
            "%0999999999d",
            "%-1d",
            "../%d",
            "/tests/%d",
            "a//%d",
            "./%d",
            ".hidden/%d",
            "a/.%d",
            "a\u{1b}/%d",
        ] {
            assert_eq!(name(wrong, 1), None, "{wrong}");
        }
    }
}
