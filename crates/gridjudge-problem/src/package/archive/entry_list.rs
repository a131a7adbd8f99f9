//! Lists the entries of an archive with their names, kinds and places, and reports all
//! refused ones at once, also those whose names collide. Reads no content.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rawzip::{
    CompressionMethod, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord,
};

use crate::files;
use crate::mistake::{Mistake, Mistakes, quoted};
use crate::package::folders_around;

use NameClash::{Twice, Twin};

/// The most mistakes that are listed.
const MOST_LISTED: usize = 50;

/// Kinds of files, as in the Unix mode of an entry.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
const FILE: u32 = 0o100_000;

/// An entry that passed the checks of its name and kind.
pub(super) struct ArchiveEntry {
    pub(super) name: String,
    pub(super) kind: EntryKind,
    pub(super) is_deflated: bool,
    pub(super) is_executable: bool,
    pub(super) place: ZipArchiveEntryWayfinder,
}

/// Returns all entries of an archive, which may be this many.
///
/// # Errors
/// Returns every entry that is refused.
pub(super) fn read_entry_list(
    path: &Path,
    archive: &ZipArchive<WatchedFile>,
    most_files: usize,
) -> Result<Vec<ArchiveEntry>, Mistakes> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let mut records = archive.entries(&mut buffer);
    let mut entries = vec![];
    let mut mistakes = vec![];
    let mut bodies = vec![];
    loop {
        let record = records.next_entry().map_err(|error| {
            Mistake::new(
                path,
                format!("its list of entries is broken: {error}"),
                "pack it again",
            )
        })?;
        let Some(record) = record else {
            break;
        };
        if mistakes.len() >= MOST_LISTED {
            mistakes.push(Mistake::about_file(
                path,
                "has more entries, which were not checked",
            ));
            break;
        }
        if entries.len() >= most_files {
            mistakes.push(too_many(path, most_files, "entries"));
            break;
        }
        match entry(&record)
            .and_then(|entry| Ok((body(archive, &entry, &record)?, entry)))
        {
            Ok((range, entry)) => {
                bodies.push((range, entry.name.clone()));
                entries.push(entry);
            }
            Err(why) => {
                mistakes.push(refused(path, &name_of(&record), &why));
            }
        }
    }
    let claimed = archive.entries_hint();
    if mistakes.is_empty() && claimed != entries.len() as u64 {
        let message = format!(
            "says that it has {claimed} entries, and has {}",
            entries.len()
        );
        mistakes.push(Mistake::new(path, message, "pack it again"));
    }
    mistakes.extend(twins(path, &entries, most_files));
    mistakes.extend(overlaps(path, bodies));
    Mistakes::or(mistakes, entries)
}

fn too_many(path: &Path, most: usize, what: &str) -> Mistake {
    Mistake::new(
        path,
        format!("has more than {most} {what}"),
        format!("pack fewer files, {}", files::OR_MORE_FILES),
    )
}

/// The mistake for a refused entry.
pub(super) fn refused(path: &Path, name: &str, why: &str) -> Mistake {
    Mistake::new(
        path,
        format!("the entry {} {why}", quoted(name)),
        "pack the folder of the package again, with its own files only",
    )
}

/// Returns the name of an entry. Without the flag for UTF-8 it is in code page 437 by the
/// specification of zip; many programs write UTF-8 all the same.
fn name_of<'r>(record: &'r ZipFileHeaderRecord<'_>) -> Cow<'r, str> {
    let bytes = record.file_path().as_bytes();
    match std::str::from_utf8(bytes) {
        Ok(name) => name.into(),
        Err(_) if record.flags().is_utf8() => String::from_utf8_lossy(bytes),
        Err(_) => bytes
            .iter()
            .map(|byte| match byte {
                0..128 => char::from(*byte),
                _ => CODE_PAGE_437
                    .chars()
                    .nth(usize::from(*byte) - 128)
                    .unwrap_or('?'),
            })
            .collect(),
    }
}

fn entry(record: &ZipFileHeaderRecord<'_>) -> Result<ArchiveEntry, String> {
    let name = name_of(record);
    let name = checked(&name)?;
    if record.flags().is_encrypted() || record.flags().has_strong_encryption() {
        return Err("is encrypted".to_owned());
    }
    let method = record.compression_method();
    if ![CompressionMethod::STORE, CompressionMethod::DEFLATE].contains(&method) {
        return Err("is compressed in a way that is not read".to_owned());
    }
    let mode = record.mode().value();
    let kind = match mode & KIND {
        _ if record.is_dir() => EntryKind::Folder,
        FOLDER => EntryKind::Folder,
        LINK => EntryKind::Link,
        FILE | 0 => EntryKind::File,
        _ => {
            return Err("is neither a file nor a folder".to_owned());
        }
    };
    Ok(ArchiveEntry {
        name: name.to_owned(),
        kind,
        is_deflated: method == CompressionMethod::DEFLATE,
        is_executable: mode & 0o111 != 0,
        place: record.wayfinder(),
    })
}

/// Returns the range of bytes of an entry in the archive. Refuses an entry whose own
/// header has another name than the list.
fn body(
    archive: &ZipArchive<WatchedFile>,
    entry: &ArchiveEntry,
    record: &ZipFileHeaderRecord<'_>,
) -> Result<(u64, u64), String> {
    let broken = |error: rawzip::Error| format!("cannot be found: {error}");
    let found = archive.get_entry(entry.place).map_err(broken)?;
    let mut buffer = vec![0; 1 << 16];
    let header = found.local_header(&mut buffer).map_err(broken)?;
    if header.file_path().as_bytes() != record.file_path().as_bytes() {
        return Err(
            "has one name in the list and another in its own header".to_owned()
        );
    }
    let (_, end) = found.compressed_data_range();
    Ok((record.local_header_offset(), end))
}

/// Refuses names that occur twice or differ only in case, also as folders, and entries
/// below a file or a link. Refuses more files and folders than allowed, for an archive
/// of few entries may name any number of folders.
fn twins(path: &Path, entries: &[ArchiveEntry], most_files: usize) -> Vec<Mistake> {
    let mut mistakes = vec![];
    let mut tree = NameTree::new();
    let mut nodes = vec![];
    for entry in entries {
        let (node, clash) = tree.add(&entry.name, entry.kind);
        if let Some(clash) = clash {
            mistakes.push(refused(path, &entry.name, &words_of(&clash, &entry.name)));
        }
        nodes.push(node);
        if tree.nodes.len() - 1 > most_files {
            return vec![too_many(path, most_files, "files and folders")];
        }
    }
    for (entry, node) in entries.iter().zip(nodes) {
        // The nearest entry above it that is no folder.
        let above = |node: &usize| (*node != ROOT).then(|| tree.nodes[*node].parent);
        let kind = std::iter::successors(above(&node), above)
            .filter_map(|node| tree.nodes[node].kind)
            .find(|kind| *kind != EntryKind::Folder);
        let why = match kind {
            Some(EntryKind::File) => "lies in what is a file",
            Some(EntryKind::Link) => "lies below a link",
            Some(EntryKind::Folder) | None => continue,
        };
        mistakes.push(refused(path, &entry.name, why));
    }
    mistakes.truncate(MOST_LISTED);
    mistakes
}

fn words_of(clash: &NameClash<'_>, name: &str) -> String {
    match clash {
        Twice => "appears twice".to_owned(),
        Twin { written, other } if *written == name => {
            format!(
                "differs from {} in upper and lower case only",
                quoted(other)
            )
        }
        Twin { written, other } => format!(
            "lies in {}, which differs from {} in upper and lower case only",
            quoted(written),
            quoted(other)
        ),
    }
}

/// Refuses entries that share bytes of the archive, by which a small archive could
/// inflate to any size.
fn overlaps(path: &Path, mut bodies: Vec<((u64, u64), String)>) -> Vec<Mistake> {
    bodies.sort();
    bodies
        .windows(2)
        .filter(|pair| pair[0].0.1 > pair[1].0.0)
        .take(MOST_LISTED)
        .map(|pair| refused(path, &pair[1].1, "shares bytes with another"))
        .collect()
}

// Decodes and checks the names of entries and the targets of links. Knows no archive.

/// The longest part of a name between slashes, in bytes.
const LONGEST_NAME: usize = 255;
/// The longest name, in bytes. The kernel accepts 4096, which include the folder that
/// is unpacked into.
const LONGEST_PATH: usize = 3072;

/// The characters of the bytes from 128 on in code page 437.
const CODE_PAGE_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡\
     «»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Returns the name of an entry, without the slash at the end of a folder.
///
/// # Errors
/// Returns the reason why it is refused, to be printed after the name.
fn checked(name: &str) -> Result<&str, &'static str> {
    let name = name.strip_suffix('/').unwrap_or(name);
    let mut parts = name.split('/');
    Err(if name.contains(char::REPLACEMENT_CHARACTER) {
        "has a name that is not UTF-8"
    } else if name.is_empty() {
        "has an empty name"
    } else if name.chars().any(char::is_control) {
        "has a line break or a control character in its name"
    } else if name.contains('\\') {
        "has a backslash in its name"
    } else if name.starts_with('/') || has_drive(name) {
        "has an absolute name"
    } else if parts.clone().any(|part| part == "..") {
        "leads out of the archive by `..`"
    } else if parts.clone().any(|part| part.is_empty() || part == ".") {
        "has an empty part or `.` in its name"
    } else if name.len() > LONGEST_PATH || parts.any(|part| part.len() > LONGEST_NAME)
    {
        "has a name that is too long"
    } else {
        return Ok(name);
    })
}

/// Whether a name begins with a drive, as `C:`.
fn has_drive(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

/// Returns the place that a link leads to, relative to the root.
///
/// # Errors
/// Returns the reason why it is refused: it leads out of the archive, or through a
/// folder that `is_link`, after which `..` would lead elsewhere than the text suggests.
pub(super) fn resolved(
    link: &str,
    target: &str,
    is_link: impl Fn(&str) -> bool,
) -> Result<String, &'static str> {
    const OUT: &str = "is a link that leads out of the archive";
    if target.is_empty()
        || target.starts_with('/')
        || target.contains(['\\', '\0'])
        || has_drive(target)
    {
        return Err(OUT);
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            _ if is_link(&parts.join("/")) => {
                return Err("is a link that leads through another link");
            }
            ".." => {
                parts.pop().ok_or(OUT)?;
            }
            part => {
                parts.push(part);
            }
        }
    }
    Ok(parts.join("/"))
}

// Remembers whether the machine failed to read the file of an archive, which the ZIP
// reader would report as damage.

/// A file that remembers the first system error when it is read.
pub(super) struct WatchedFile {
    pub(super) file: File,
    /// Why it could not be read, if so.
    pub(super) error: OnceCell<io::Error>,
}

impl ReaderAt for WatchedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.file.read_at(buffer, offset).inspect_err(|error| {
            // An impossible offset comes from the archive, not from the machine.
            let is_of_machine = error.kind() != ErrorKind::InvalidInput;
            if is_of_machine && let Some(code) = error.raw_os_error() {
                let _ = self.error.set(io::Error::from_raw_os_error(code));
            }
        })
    }
}

// Arranges names as a tree in which upper and lower case do not count, as on many file
// systems, and finds the names that collide there. Start at [`NameTree::add`].

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Folder,
    Link,
}

/// The node above all names.
const ROOT: usize = 0;

/// Files and folders by their names, and the folders that are only named by what lies
/// in them.
struct NameTree<'e> {
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
enum NameClash<'e> {
    /// The same name was added before.
    Twice,
    /// The name, or that of a folder around it, differs from another one only in upper
    /// and lower case.
    Twin { written: &'e str, other: &'e str },
}

impl<'e> NameTree<'e> {
    fn new() -> Self {
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

    /// Adds a name. Returns its node, and the collision with an earlier name; each pair
    /// of folders is returned once.
    fn add(
        &mut self,
        name: &'e str,
        kind: EntryKind,
    ) -> (usize, Option<NameClash<'e>>) {
        let mut at = ROOT;
        let mut start = 0;
        let mut clash = None;
        let mut is_in_twin = false;
        for written in folders_around(name).chain([name]) {
            let part = &written[start..];
            let is_last = written.len() == name.len();
            start = written.len() + 1;
            let parent = at;
            let fresh = self.nodes.len();
            // So that upper and lower case are the same, in all scripts: `ß` and `SS`
            // too.
            let folded: String = part
                .chars()
                .flat_map(char::to_uppercase)
                .flat_map(char::to_lowercase)
                .collect();
            at = *self.children.entry((parent, folded)).or_insert(fresh);
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
            let may_clash =
                is_last || matches!(node.kind, None | Some(EntryKind::Folder));
            if !node.name.ends_with(part) && may_clash && !node.has_twin {
                node.has_twin = true;
                clash = clash.or(Some(Twin {
                    written,
                    other: node.name,
                }));
            }
            is_in_twin |= node.has_twin;
            if is_last && node.kind.replace(kind).is_some() && !is_in_twin {
                clash = Some(Twice);
            }
        }
        (at, clash)
    }
}

/// Returns the first two names that differ only in upper and lower case, or that lie in
/// such folders.
pub(crate) fn case_twins<'n>(
    names: impl Iterator<Item = &'n str>,
) -> Option<(&'n str, &'n str)> {
    let mut tree = NameTree::new();
    names
        .into_iter()
        .find_map(|name| match tree.add(name, EntryKind::File).1 {
            Some(Twin { written, other }) => Some((other, written)),
            Some(Twice) | None => None,
        })
}
