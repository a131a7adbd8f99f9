//! Arranges names as a tree in which upper and lower case do not count, as on many file systems,
//! and finds the names that collide there. Start at [`NameTree::add`].

use std::collections::HashMap;

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Folder,
    Link,
}

/// The node above all names.
const ROOT: usize = 0;

/// Files and folders by their names, and the folders that are only named by what lies in them.
pub(super) struct NameTree<'e> {
    nodes: Vec<NameNode<'e>>,
    /// By the node above and the folded part of the name.
    children: HashMap<(usize, String), usize>,
}

struct NameNode<'e> {
    parent: usize,
    /// The whole name, as it was first written.
    name: &'e str,
    /// `None` for a folder without an entry of its own.
    kind: Option<EntryKind>,
    /// Whether it was written in two ways.
    has_twin: bool,
}

/// The reason why a name cannot be added.
pub(super) enum NameClash<'e> {
    /// The same name was added before.
    Twice,
    /// The name, or that of a folder around it, differs from another one only in upper and lower
    /// case.
    Twin { written: &'e str, other: &'e str },
}

impl<'e> NameTree<'e> {
    pub(super) fn new() -> Self {
        let root = NameNode {
            parent: ROOT,
            name: "",
            kind: Some(EntryKind::Folder),
            has_twin: false,
        };
        Self {
            nodes: vec![root],
            children: HashMap::new(),
        }
    }

    /// How many names of files and folders there are.
    pub(super) fn names(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Adds a name. Returns its node, and the collision with an earlier name; each pair of folders
    /// is returned once.
    pub(super) fn add(&mut self, name: &'e str, kind: EntryKind) -> (usize, Option<NameClash<'e>>) {
        let mut at = ROOT;
        let mut start = 0;
        let mut clash = None;
        let mut is_in_twin = false;
        for end in name
            .match_indices('/')
            .map(|(end, _)| end)
            .chain([name.len()])
        {
            let part = &name[start..end];
            let written = &name[..end];
            let is_last = end == name.len();
            start = end + 1;
            let parent = at;
            let fresh = self.nodes.len();
            at = *self.children.entry((parent, folded(part))).or_insert(fresh);
            if at == fresh {
                self.nodes.push(NameNode {
                    parent,
                    name: written,
                    kind: is_last.then_some(kind),
                    has_twin: false,
                });
                continue;
            }
            let node = &mut self.nodes[at];
            // What lies in a file or below a link is refused for that.
            let may_clash = is_last || matches!(node.kind, None | Some(EntryKind::Folder));
            if !node.name.ends_with(part) && may_clash && !node.has_twin {
                node.has_twin = true;
                clash = clash.or(Some(NameClash::Twin {
                    written,
                    other: node.name,
                }));
            }
            is_in_twin |= node.has_twin;
            if is_last && node.kind.replace(kind).is_some() && !is_in_twin {
                clash = Some(NameClash::Twice);
            }
        }
        (at, clash)
    }

    /// The kind of the nearest entry above a node that is no folder.
    pub(super) fn kind_above(&self, node: usize) -> Option<EntryKind> {
        let above = |node: &usize| (*node != ROOT).then(|| self.nodes[*node].parent);
        std::iter::successors(above(&node), above)
            .filter_map(|node| self.nodes[node].kind)
            .find(|kind| *kind != EntryKind::Folder)
    }
}

/// Returns the first two names that differ only in upper and lower case, or that lie in such
/// folders.
pub(crate) fn case_twins<'n>(names: impl Iterator<Item = &'n str>) -> Option<(&'n str, &'n str)> {
    let mut tree = NameTree::new();
    names
        .into_iter()
        .find_map(|name| match tree.add(name, EntryKind::File).1 {
            Some(NameClash::Twin { written, other }) => Some((other, written)),
            Some(NameClash::Twice) | None => None,
        })
}

/// A name in the form in which upper and lower case are the same, in all scripts: `ß` and `SS` too.
fn folded(part: &str) -> String {
    part.chars()
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}
