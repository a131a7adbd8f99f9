//! Finds the files of cases: beside `init.yml`, or in the archive that it names, which is unpacked. DMOJ
//! gives programs texts in which a line feed ends every line. For other files, a copy of that form is made,
//! and the file itself stays as it is. Knows no points.

use std::collections::BTreeMap;
use std::fs;
use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::BufWriter;
use std::io::Read;
use std::io::Seek;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use crate::files;
use crate::mistake::Mistake;
use crate::package::archive;
use crate::package::reading::ReadingNotes;
use crate::package::tree::PackageTree;

/// Creates an empty folder that lives as long as the package.
pub(crate) type PackageRoom<'a> = &'a dyn Fn() -> io::Result<PathBuf>;

/// The files of cases.
pub(super) struct CaseFiles<'a> {
    tree: &'a PackageTree,
    room: PackageRoom<'a>,
    /// The folder that `room` created, once it is needed.
    folder: Option<PathBuf>,
    /// The unpacked files of the archive.
    data: Option<PackageTree>,
    /// Whether there is an archive that could not be unpacked, which is noted.
    pub(super) lacks_archive: bool,
    /// Files in the form that programs get, by the original files.
    ready: BTreeMap<PathBuf, PathBuf>,
}

impl<'a> CaseFiles<'a> {
    pub(super) fn new(tree: &'a PackageTree, room: PackageRoom<'a>) -> Self {
        Self { tree, room, folder: None, data: None, lacks_archive: false, ready: BTreeMap::new() }
    }

    /// Unpacks an archive of the package. Notes mistakes in it, with paths of entries below that of the
    /// archive.
    pub(super) fn unpack(&mut self, path: &Path, notes: &mut ReadingNotes) {
        let folder = match self.folder("data") {
            Ok(folder) => folder,
            Err(error) => return notes.mistakes.push(no_room(path, &error)),
        };
        if let Err(mistakes) = archive::unpack(path, &folder) {
            return notes.mistakes.extend(mistakes.0);
        }
        let (data, mistakes) = PackageTree::of(&folder);
        let relocate = |mistake: Mistake| match mistake.path.strip_prefix(&folder) {
            Ok(name) => Mistake { path: path.join(name), ..mistake },
            Err(_) => mistake,
        };
        notes.mistakes.extend(mistakes.into_iter().map(relocate));
        self.data = Some(data);
        self.lacks_archive = false;
    }

    /// Returns the path of a named file. One beside `init.yml` takes precedence over one in the archive.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let in_archive = || self.data.as_ref().and_then(|data| data.file(name));
        self.tree.file(name).or_else(in_archive).map(Path::to_owned)
    }

    /// The names of all files in the archive, if one was unpacked.
    pub(super) fn in_archive(&self) -> Option<Vec<String>> {
        self.data.as_ref().map(|data| data.all().into_keys().collect())
    }

    /// Returns a file in the form that programs get; an empty file if there is none.
    pub(super) fn ready(&mut self, file: Option<&Path>, is_binary: bool) -> Result<PathBuf, Mistake> {
        let Some(file) = file else {
            return self
                .copy(Path::new(""), |_| Ok(()))
                .map_err(|error| no_room(Path::new("init.yml"), &error));
        };
        if let Some(ready) = self.ready.get(file).filter(|_| !is_binary) {
            return Ok(ready.clone());
        }
        let opened = files::open(file).map_err(|refused| Mistake::refused(file, &refused))?;
        let unread = |error: io::Error| Mistake::of(file, format!("cannot be read: {error}"));
        if is_binary || is_normal(&opened).map_err(unread)? {
            self.ready.extend((!is_binary).then(|| (file.to_owned(), file.to_owned())));
            return Ok(file.to_owned());
        }
        self.copy(file, |to| normalise(&opened, to)).map_err(|error| no_room(file, &error))
    }

    /// Returns the path of the copy of a file, which is written once.
    fn copy(
        &mut self,
        file: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<PathBuf> {
        if let Some(ready) = self.ready.get(file) {
            return Ok(ready.clone());
        }
        let ending = file.extension().unwrap_or_default();
        let path = self.folder("copies")?.join(self.ready.len().to_string()).with_extension(ending);
        let mut to = BufWriter::new(File::create_new(&path)?);
        write(&mut to)?;
        to.flush()?;
        self.ready.insert(file.to_owned(), path.clone());
        Ok(path)
    }

    /// Creates a folder in the room.
    fn folder(&mut self, name: &str) -> io::Result<PathBuf> {
        let room = match &self.folder {
            Some(folder) => folder.clone(),
            None => self.folder.insert((self.room)()?).clone(),
        };
        let folder = room.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

fn no_room(path: &Path, error: &io::Error) -> Mistake {
    let message = format!("its files of cases cannot be made ready: {error}");
    Mistake::of(path, message).with_remedy("make room for temporary files, or set TMPDIR to another disk")
}

/// Whether a line feed, and nothing else, ends every line.
fn is_normal(mut file: &File) -> io::Result<bool> {
    let (mut buffer, mut last) = (vec![0; 1 << 16], b'\n');
    let found = loop {
        let bytes = file.read(&mut buffer)?;
        let Some(end) = buffer[..bytes].last() else { break last == b'\n' };
        if memchr::memchr(b'\r', &buffer[..bytes]).is_some() {
            break false;
        }
        last = *end;
    };
    file.rewind()?;
    Ok(found)
}

/// Copies a text with a line feed at the end of every line.
fn normalise(from: &File, to: &mut dyn Write) -> io::Result<()> {
    let mut last = b'\n';
    for byte in BufReader::new(from).bytes() {
        let byte = byte?;
        match (last, byte) {
            (b'\r', b'\n') => {}
            (_, b'\r') => to.write_all(b"\n")?,
            _ => to.write_all(&[byte])?,
        }
        last = byte;
    }
    if last != b'\n' && last != b'\r' { to.write_all(b"\n") } else { Ok(()) }
}
