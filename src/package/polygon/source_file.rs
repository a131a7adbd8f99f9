//! Finds the files that elements of `problem.xml` name and the headers of programs, and words the
//! remedy for missing ones.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, quoted};
use crate::model::HEADER_ENDINGS;
use crate::package::tree::PackageTree;
use crate::package::xml::XmlElement;

/// The remedy for a package that lacks something: some downloads leave files out.
pub(super) const FULL_PACKAGE: &str = "download the full package, or export it again";

/// Returns the file that the `<source>` of an element names.
///
/// # Errors
/// Returns a mistake if there is no such file; none if it was refused, which is known.
pub(super) fn source_of<'t>(
    element: &XmlElement<'_>,
    tree: &'t PackageTree,
) -> Result<&'t Path, Option<Mistake>> {
    let path = element
        .child("source")
        .and_then(|source| source.attribute("path"));
    let Some(path) = path else {
        let message = format!("`<{}>` names no source", element.name());
        return Err(Some(element.mistake(message).with_remedy(FULL_PACKAGE)));
    };
    tree.file(path).ok_or_else(|| {
        let message = format!(
            "{} of `<{}>` is not in the package",
            quoted(path),
            element.name()
        );
        tree.lacks(path)
            .then(|| element.mistake(message).with_remedy(FULL_PACKAGE))
    })
}

/// Returns the types of all sources below an element, by their paths.
pub(super) fn source_types(
    element: &XmlElement<'_>,
    tree: &PackageTree,
) -> BTreeMap<PathBuf, String> {
    let mut types = BTreeMap::new();
    let mut elements = vec![*element];
    while let Some(element) = elements.pop() {
        let named = element.attribute("path").and_then(|path| tree.file(path));
        if let Some((path, kind)) = named
            .zip(element.attribute("type"))
            .filter(|_| element.name() == "source")
        {
            types.insert(path.to_owned(), kind.to_owned());
        }
        elements.extend(element.elements());
    }
    types
}

/// Returns the headers directly in `files/`: `testlib.h`, and those of graders.
pub(super) fn headers(files: &BTreeMap<String, PathBuf>) -> Vec<PathBuf> {
    files
        .iter()
        .filter(|(name, _)| is_header(name))
        .map(|(_, path)| path.clone())
        .collect()
}

fn is_header(name: &str) -> bool {
    name.strip_prefix("files/")
        .filter(|name| !name.contains('/'))
        .and_then(|name| name.rsplit_once('.'))
        .is_some_and(|(_, ending)| HEADER_ENDINGS.contains(&ending))
}
