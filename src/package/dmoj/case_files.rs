//! Finds the files of cases: beside `init.yml`, or in the archive that it names, which is unpacked.
//! Knows no points.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::mistake::Mistake;
use crate::package::archive;
use crate::package::reading::ReadingNotes;
use crate::package::text_copies::{LineBreaks, PackageRoom, TextCopies, no_room};
use crate::package::tree::PackageTree;

/// The files of cases.
pub(super) struct CaseFiles<'a> {
    tree: &'a PackageTree,
    texts: TextCopies<'a>,
    /// The unpacked files of the archive.
    data: Option<PackageTree>,
    /// Whether there is an archive that could not be unpacked, which is noted.
    pub(super) lacks_archive: bool,
}

impl<'a> CaseFiles<'a> {
    pub(super) fn new(tree: &'a PackageTree, room: PackageRoom<'a>) -> Self {
        let texts = TextCopies::new(LineBreaks::LineFeedsOnly, room);
        Self {
            tree,
            texts,
            data: None,
            lacks_archive: false,
        }
    }

    /// Unpacks an archive of the package. Notes mistakes in it, with paths of entries below that of
    /// the archive.
    pub(super) fn unpack(&mut self, path: &Path, notes: &mut ReadingNotes) {
        let folder = match self.texts.folder("data") {
            Ok(folder) => folder,
            Err(error) => return notes.mistakes.push(no_room(path, &error)),
        };
        if let Err(mistakes) = archive::unpack(path, &folder, self.tree.most_files) {
            return notes.mistakes.extend(mistakes.0);
        }
        let (data, mistakes) = PackageTree::of(&folder, self.tree.most_files);
        notes.mistakes.extend(mistakes.into_iter().map(|mistake| {
            match mistake.path.strip_prefix(&folder) {
                Ok(name) => Mistake {
                    path: path.join(name),
                    ..mistake
                },
                Err(_) => mistake,
            }
        }));
        self.data = Some(data);
        self.lacks_archive = false;
    }

    /// Returns the path of a named file. One beside `init.yml` takes precedence over one in the
    /// archive.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        self.tree
            .file(name)
            .or_else(|| self.data.as_ref().and_then(|data| data.file(name)))
            .map(Path::to_owned)
    }

    /// The names of all files in the archive, if one was unpacked.
    pub(super) fn in_archive(&self) -> Option<Vec<String>> {
        self.data
            .as_ref()
            .map(|data| data.all().into_keys().collect())
    }

    /// Returns a file in the form that programs get; an empty file if there is none.
    pub(super) fn ready(
        &mut self,
        file: Option<&Path>,
        is_binary: bool,
    ) -> Result<PathBuf, Mistake> {
        match file {
            None => self
                .texts
                .empty()
                .map_err(|error| no_room(Path::new("init.yml"), &error)),
            Some(file) if is_binary => Ok(file.to_owned()),
            Some(file) => self.texts.ready(file),
        }
    }

    /// The original files of copies, by the copies.
    pub(super) fn originals(self) -> BTreeMap<PathBuf, PathBuf> {
        self.texts.originals()
    }
}
