//! Reads the build id of a program: a hash of its contents, which the linker has stored in it. The
//! whole file need not be read, which matters at each start. Source: the ELF-64 object file format,
//! and the note `NT_GNU_BUILD_ID`.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The type of a program header that describes notes.
const NOTES: u32 = 4;
/// The type of the note with the build id.
const BUILD_ID: u32 = 3;
/// The most bytes of notes, and the most program headers, that are read.
const MOST_BYTES: u64 = 1 << 16;
const MOST_HEADERS: u16 = 256;

/// The build id of a program, in hexadecimal digits; `None` if it has none that can be read.
pub(super) fn build_id(program: &Path) -> Option<String> {
    let file = File::open(program).ok()?;
    let mut header = [0; 64];
    file.read_exact_at(&mut header, 0).ok()?;
    // Magic number, 64 bits, least significant byte first.
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = number(&header, 32, 8)?;
    let size = number(&header, 54, 2)?;
    let count = number(&header, 56, 2)?.min(u64::from(MOST_HEADERS));
    (0..count).find_map(|index| {
        let mut entry = [0; 56];
        file.read_exact_at(&mut entry, table.checked_add(index * size)?)
            .ok()?;
        let is_notes = number(&entry, 0, 4)? == u64::from(NOTES);
        if is_notes {
            id_in(&read(&file, number(&entry, 8, 8)?, number(&entry, 32, 8)?).ok()?)
        } else {
            None
        }
    })
}

/// The build id among notes: each has the lengths of its name and contents, its type, and both,
/// padded to four bytes.
fn id_in(notes: &[u8]) -> Option<String> {
    let mut rest = notes;
    loop {
        let name = usize::try_from(number(rest, 0, 4)?).ok()?;
        let length = usize::try_from(number(rest, 4, 4)?).ok()?;
        let kind = number(rest, 8, 4)?;
        let start = 12_usize.checked_add(name.next_multiple_of(4))?;
        let contents = rest.get(start..start.checked_add(length)?)?;
        if kind == u64::from(BUILD_ID) && rest.get(12..16)? == b"GNU\0" && !contents.is_empty() {
            return Some(contents.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        rest = rest.get(start.checked_add(length.next_multiple_of(4))?..)?;
    }
}

/// The number of this many bytes at this place, least significant byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + length)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)),
    )
}

fn read(file: &File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length.min(MOST_BYTES)).unwrap_or(0)];
    file.read_exact_at(&mut bytes, at)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn note(name: &[u8], kind: u32, contents: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for number in [name.len() as u32, contents.len() as u32, kind] {
            note.extend(number.to_le_bytes());
        }
        for part in [name, contents] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_build_id_is_found_among_other_notes() {
        let id = note(b"GNU\0", 3, b"\x01\xab\x00");
        let other = note(b"odd", 3, b"12345");
        assert_eq!(
            id_in(&[other.clone(), id.clone()].concat()),
            Some("01ab00".into())
        );
        assert_eq!(id_in(&other), None);
        assert_eq!(id_in(&id[..id.len() - 4]), None);
        assert_eq!(id_in(&[0xff; 40]), None);
        assert_eq!(id_in(&[]), None);
    }

    #[test]
    fn a_copy_of_a_program_has_its_build_id() {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        fs::copy("/proc/self/exe", &copy).unwrap();
        let own = build_id(Path::new("/proc/self/exe"));
        assert!(own.is_some());
        assert_eq!(build_id(&copy), own);
    }

    #[test]
    fn a_file_that_is_no_program_has_no_build_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for bytes in [
            &b""[..],
            b"#!/bin/sh\n",
            &[b"\x7fELF\x02\x01".as_slice(), &[0xff; 200]].concat(),
        ] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(build_id(&path), None);
        }
    }
}
