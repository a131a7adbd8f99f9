//! Tests of archives, most of them hostile and built byte by byte.

use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::*;
use crate::files::DEFAULT_MOST_FILES;

/// An entry as it is written, even if it is invalid.
#[derive(Clone)]
struct RawEntry {
    name: Vec<u8>,
    /// The name in the header before the content.
    local_name: Vec<u8>,
    mode: u32,
    flags: u16,
    method: u16,
    packed: Vec<u8>,
    crc: u32,
    size: u32,
    /// The offset of the entry in the list, if it differs from the real one.
    offset: Option<u32>,
}

fn entry(name: &[u8], mode: u32, content: &[u8]) -> RawEntry {
    RawEntry {
        name: name.to_vec(),
        local_name: name.to_vec(),
        mode,
        flags: 0,
        method: 0,
        packed: content.to_vec(),
        crc: rawzip::crc32(content),
        size: content.len() as u32,
        offset: None,
    }
}

fn file(name: &str, content: &str) -> RawEntry {
    entry(name.as_bytes(), 0o100_644, content.as_bytes())
}

fn link(name: &str, target: &str) -> RawEntry {
    entry(name.as_bytes(), 0o120_777, target.as_bytes())
}

fn deflated(name: &str, content: &[u8]) -> RawEntry {
    let mut encoder = DeflateEncoder::new(vec![], Compression::best());
    encoder.write_all(content).unwrap();
    RawEntry {
        method: 8,
        packed: encoder.finish().unwrap(),
        ..entry(name.as_bytes(), 0o100_644, content)
    }
}

/// Builds an archive of these entries.
fn packed(entries: &[RawEntry]) -> Vec<u8> {
    let mut archive = vec![];
    let mut list = vec![];
    let put16 = |bytes: &mut Vec<u8>, value: u16| bytes.extend(value.to_le_bytes());
    let put32 = |bytes: &mut Vec<u8>, value: u32| bytes.extend(value.to_le_bytes());
    for entry in entries {
        let offset = entry.offset.unwrap_or(archive.len() as u32);
        let of_both = |bytes: &mut Vec<u8>, name: &[u8]| {
            for value in &[20, entry.flags, entry.method, 0, 33] {
                put16(bytes, *value);
            }
            for value in &[entry.crc, entry.packed.len() as u32, entry.size] {
                put32(bytes, *value);
            }
            for value in &[name.len() as u16, 0] {
                put16(bytes, *value);
            }
        };
        put32(&mut archive, 0x0403_4b50);
        of_both(&mut archive, &entry.local_name);
        archive.extend(&entry.local_name);
        archive.extend(&entry.packed);
        put32(&mut list, 0x0201_4b50);
        // "Made by Unix", so that the mode is used.
        put16(&mut list, 0x0314);
        of_both(&mut list, &entry.name);
        for value in &[0, 0, 0] {
            put16(&mut list, *value);
        }
        put32(&mut list, entry.mode << 16);
        put32(&mut list, offset);
        list.extend(&entry.name);
    }
    let start = archive.len() as u32;
    archive.extend(&list);
    put32(&mut archive, 0x0605_4b50);
    let count = entries.len() as u16;
    for value in &[0, 0, count, count] {
        put16(&mut archive, *value);
    }
    for value in &[list.len() as u32, start] {
        put32(&mut archive, *value);
    }
    put16(&mut archive, 0);
    archive
}

/// Unpacks these bytes. Returns the names that were written, or the mistakes.
fn unpacked(bytes: &[u8]) -> Result<Vec<String>, Vec<String>> {
    unpacked_up_to(DEFAULT_MOST_FILES, bytes)
}

/// The same, with another bound on the number of files and folders.
fn unpacked_up_to(
    most_files: usize,
    bytes: &[u8],
) -> Result<Vec<String>, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let (path, into) = (folder.path().join("a.zip"), folder.path().join("into"));
    fs::write(&path, bytes).unwrap();
    fs::create_dir(&into).unwrap();
    let names = || {
        walkdir::WalkDir::new(&into)
            .min_depth(1)
            .sort_by_file_name()
            .into_iter()
            .flatten()
            .map(|entry| {
                entry
                    .path()
                    .strip_prefix(&into)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect::<Vec<_>>()
    };
    let beside = || fs::read_dir(folder.path()).unwrap().count();
    let result = unpack(&path, &into, most_files);
    assert_eq!(beside(), 2, "something was written beside the folder");
    result
        .map(|()| names())
        .map_err(|found| found.0.into_iter().map(|mistake| mistake.message).collect())
}

/// Returns the only mistake of an archive with a sound file and these entries.
#[track_caller]
fn refusal(entries: &[RawEntry]) -> String {
    let mut found =
        unpacked(&packed(&[&[file("p/problem.yaml", "")], entries].concat()))
            .unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_sound_archive_is_unpacked_with_its_links() {
    let entries = [
        entry(b"p/", 0o040_755, b""),
        file("p/problem.yaml", "name: A\n"),
        deflated("p/data/secret/1.in", &b"1 2 3\n".repeat(1000)),
        link("p/data/secret/2.in", "1.in"),
        link("p/data/more", "secret"),
        entry(b"p/run", 0o104_755, b"#!/bin/sh\n"),
        entry("p/\u{e9}.md".as_bytes(), 0, b""),
    ];
    let names = unpacked(&packed(&entries)).unwrap();
    let expected = [
        "p",
        "p/data",
        "p/data/more",
        "p/data/secret",
        "p/data/secret/1.in",
        "p/data/secret/2.in",
    ];
    assert_eq!(names[..6], expected);
    assert_eq!(names[6..], ["p/problem.yaml", "p/run", "p/\u{e9}.md"]);
    assert_eq!(unpacked(&packed(&[])).unwrap(), [] as [&str; 0]);
}

#[test]
fn entries_with_bad_names_are_refused_and_nothing_is_written() {
    for (name, why) in [
        (&b"../evil"[..], "leads out of the archive by `..`"),
        (b"p/../../evil", "leads out of the archive by `..`"),
        (b"p/..", "leads out of the archive by `..`"),
        (b"/etc/evil", "has an absolute name"),
        (b"//evil", "has an absolute name"),
        (b"C:/evil", "has an absolute name"),
        (b"c:evil", "has an absolute name"),
        (b"p\\..\\evil", "has a backslash in its name"),
        (
            b"p/a\0b",
            "has a line break or a control character in its name",
        ),
        (
            b"p/a\nb",
            "has a line break or a control character in its name",
        ),
        (
            b"p/\x1b[31m",
            "has a line break or a control character in its name",
        ),
        (b"", "has an empty name"),
        (b"p//x", "has an empty part or `.` in its name"),
        (b"./x", "has an empty part or `.` in its name"),
        (b"p/./x", "has an empty part or `.` in its name"),
    ] {
        let message = refusal(&[entry(name, 0o100_644, b"x")]);
        assert!(message.ends_with(why), "{message}");
    }
    let long = format!("p/{}", "n".repeat(256));
    assert!(refusal(&[file(&long, "")]).ends_with("has a name that is too long"));
    let deep = "d/".repeat(2100) + "x";
    assert!(refusal(&[file(&deep, "")]).ends_with("has a name that is too long"));
}

#[test]
fn names_that_are_not_utf_8_are_read_by_code_page_437_unless_the_entry_says_that_they_are()
 {
    let umlaut = entry(b"p/Gr\x94\xe1e.txt", 0o100_644, b"x");
    assert_eq!(
        unpacked(&packed(std::slice::from_ref(&umlaut))).unwrap(),
        ["p", "p/Gr\u{f6}\u{df}e.txt"]
    );
    let twin = refusal(&[umlaut.clone(), file("p/GR\u{d6}SSE.txt", "")]);
    assert!(
        twin.ends_with(
            "differs from `p/Gr\u{f6}\u{df}e.txt` in upper and lower case only"
        ),
        "{twin}"
    );
    let message = refusal(&[RawEntry {
        flags: 1 << 11,
        ..umlaut
    }]);
    assert!(
        message.ends_with("has a name that is not UTF-8"),
        "{message}"
    );
}

#[test]
fn colliding_names_are_refused() {
    assert!(refusal(&[file("p/problem.yaml", "x")]).ends_with("appears twice"));
    let twin = refusal(&[file("p/Problem.YAML", "x")]);
    assert!(
        twin.ends_with("differs from `p/problem.yaml` in upper and lower case only"),
        "{twin}"
    );
    for (one, other) in [
        ("\u{c4}.in", "\u{e4}.in"),
        ("Stra\u{df}e", "STRASSE"),
        ("\u{3c3}", "\u{3c2}"),
        ("K", "\u{212a}"),
    ] {
        let entries = [
            file(&format!("p/{one}"), ""),
            file(&format!("p/{other}"), ""),
        ];
        let expected = format!("differs from `p/{one}` in upper and lower case only");
        assert!(refusal(&entries).ends_with(&expected), "{one} {other}");
    }
    assert!(
        refusal(&[file("p/problem.yaml/x", "")]).ends_with("lies in what is a file")
    );
    assert!(
        refusal(&[file("p/PROBLEM.yaml/x", "")]).ends_with("lies in what is a file")
    );
    let below = [link("p/out", "."), file("p/out/x", "")];
    assert!(refusal(&below).ends_with("lies below a link"));
    assert!(
        refusal(&[entry(b"p/problem.yaml/", 0o040_755, b"")])
            .ends_with("appears twice")
    );
}

#[test]
fn folders_whose_names_differ_only_in_case_are_refused_once() {
    let twins = [
        file("p/data/secret/1.in", ""),
        file("p/Data/secret/2.in", ""),
        file("p/Data/Secret/1.in", ""),
        file("p/data/secret/3.in", ""),
    ];
    let expected = "the entry `p/Data/secret/2.in` lies in `p/Data`, which differs from `p/data` in upper and lower case only";
    assert_eq!(refusal(&twins[..2]), expected);
    let all = unpacked(&packed(&twins)).unwrap_err();
    let inner = "the entry `p/Data/Secret/1.in` lies in `p/Data/Secret`, which differs from `p/data/secret` in upper and lower case only";
    assert_eq!(all, [expected, inner]);
    let entries = [
        entry(b"p/data/", 0o040_755, b""),
        entry(b"p/DATA/", 0o040_755, b""),
    ];
    assert!(
        refusal(&entries)
            .ends_with("`p/DATA` differs from `p/data` in upper and lower case only")
    );
    let sound = [
        file("p/data/1.in", ""),
        entry(b"p/data/", 0o040_755, b""),
        file("p/data/2.in", ""),
    ];
    unpacked(&packed(&sound)).unwrap();
}

#[test]
fn links_must_lead_to_entries_of_the_archive() {
    for (target, why) in [
        ("/etc/passwd", "is a link that leads out of the archive"),
        (
            "../../etc/passwd",
            "is a link that leads out of the archive",
        ),
        ("..\\..\\x", "is a link that leads out of the archive"),
        ("", "is a link that leads out of the archive"),
        ("nowhere", "is a link that leads nowhere"),
        ("l", "is a link that leads in a circle"),
        (".", "is a link that leads in a circle"),
        ("..", "is a link that leads in a circle"),
    ] {
        let message = refusal(&[link("p/l", target)]);
        assert!(message.ends_with(why), "{target}: {message}");
    }
    let circle = unpacked(&packed(&[
        file("p/x", ""),
        link("p/a", "b"),
        link("p/b", "a"),
    ]))
    .unwrap_err();
    assert_eq!(circle.len(), 2, "{circle:?}");
    let through = [file("p/d/x", ""), link("p/e", "d"), link("p/f", "e/x")];
    assert!(refusal(&through).ends_with("is a link that leads through another link"));
    // The text of the target stays in the archive, but the kernel would go up from
    // where `e` leads.
    let up = [
        file("p/z/k", ""),
        file("p/a/b/k", ""),
        link("p/a/b/e", "../../z"),
        link("p/l", "a/b/e/../../p/z/k"),
    ];
    assert!(refusal(&up).ends_with("is a link that leads through another link"));
    assert!(
        refusal(&[link("p/l", &"x".repeat(5000))])
            .contains("a link has 4096 bytes at most")
    );
}

#[test]
fn entries_that_are_neither_files_nor_folders_are_refused() {
    for mode in [0o010_644, 0o020_644, 0o060_644, 0o140_644] {
        let message = refusal(&[entry(b"p/x", mode, b"")]);
        assert!(
            message.ends_with("is neither a file nor a folder"),
            "{mode:o}: {message}"
        );
    }
}

#[test]
fn encrypted_damaged_and_contradictory_entries_are_refused() {
    let with = |change: fn(&mut RawEntry)| {
        let mut entry = deflated("p/x", b"xxxxxxxxxx");
        change(&mut entry);
        refusal(&[entry])
    };
    assert!(with(|entry| entry.flags = 1).ends_with("is encrypted"));
    assert!(
        with(|entry| entry.method = 12)
            .ends_with("is compressed in a way that is not read")
    );
    assert!(with(|entry| entry.crc ^= 1).contains("is damaged: "));
    assert!(with(|entry| entry.size += 1).contains("is damaged: "));
    assert!(with(|entry| entry.size -= 1).contains("is damaged: "));
    assert!(with(|entry| entry.packed = vec![0xff; 9]).contains("is damaged: "));
    let renamed = with(|entry| entry.local_name = b"p/y".to_vec());
    assert!(
        renamed.ends_with("has one name in the list and another in its own header"),
        "{renamed}"
    );
    let nowhere = with(|entry| entry.offset = Some(1_000_000));
    assert!(nowhere.contains("cannot be found: "), "{nowhere}");
    assert!(
        unpacked(b"no archive at all").unwrap_err()[0]
            .starts_with("is not a readable archive: ")
    );
    let whole = packed(&[file("p/problem.yaml", "name: A\n")]);
    assert!(
        unpacked(&whole[..whole.len() - 1]).is_err()
            && unpacked(&whole[8..]).is_err()
    );
}

#[test]
fn entries_that_share_their_bytes_are_refused() {
    let first = deflated("p/a", &[0; 10_000]);
    // A second entry in the list for the same header and content.
    let again = RawEntry {
        offset: Some(0),
        ..first.clone()
    };
    let found = unpacked(&packed(&[first, again])).unwrap_err();
    assert!(
        found
            .iter()
            .any(|message| message.ends_with("shares bytes with another")),
        "{found:?}"
    );
}

#[test]
fn archives_that_inflate_too_much_are_refused_while_inflating() {
    let trap = deflated("p/trap", &vec![0; 32 << 20]);
    assert!(trap.packed.len() < 64 << 10);
    assert!(
        refusal(&[trap]).ends_with("is compressed so much that it must be a trap")
    );
    // The claimed size does not matter: it may be small.
    let liar = RawEntry {
        size: 10,
        ..deflated("p/liar", &vec![0; 32 << 20])
    };
    assert!(unpacked(&packed(&[liar])).is_err());
    // Many small files add up to a trap as well.
    let many: Vec<_> = (0..40)
        .map(|number| deflated(&format!("p/{number}"), &vec![0; 1 << 20]))
        .collect();
    assert!(refusal(&many).ends_with("is compressed so much that it must be a trap"));
    let well: Vec<_> = (0..8)
        .map(|number| deflated(&format!("p/{number}"), &vec![0; 1 << 20]))
        .collect();
    assert_eq!(unpacked(&packed(&well)).unwrap().len(), 9);
}

#[test]
fn every_refused_entry_is_named() {
    let entries = [
        file("../a", ""),
        file("b\\c", ""),
        link("d", "/"),
        entry(b"e", 0o010_644, b""),
    ];
    let found = unpacked(&packed(&entries)).unwrap_err();
    assert_eq!(
        found,
        [
            "the entry `../a` leads out of the archive by `..`",
            "the entry `b\\c` has a backslash in its name",
            "the entry `e` is neither a file nor a folder",
        ]
    );
}

#[test]
fn a_read_error_of_the_machine_is_not_blamed_on_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.zip");
    fs::write(&path, packed(&[file("a", "b")])).unwrap();
    // Every read of a file that is opened for writing only fails.
    let unreadable = OpenOptions::new().write(true).open(&path).unwrap();
    let result = unpack_within(
        &path,
        Ok(unreadable),
        folder.path(),
        UnpackBounds {
            bytes: 1 << 20,
            files: 10,
        },
    );
    assert!(
        matches!(&result, Err(ReadFailure::Unreadable(mistakes)) if mistakes.0[0].message.starts_with("cannot be read: ")),
        "{result:?}"
    );
}

#[test]
fn folders_that_are_only_named_count_as_files_do() {
    let three: Vec<_> = (0..3)
        .map(|number| file(&format!("{}x", format!("{number}/").repeat(4)), ""))
        .collect();
    assert_eq!(unpacked_up_to(15, &packed(&three)).unwrap().len(), 15);
    assert_eq!(
        unpacked_up_to(14, &packed(&three)).unwrap_err(),
        ["has more than 14 files and folders"]
    );
    // Nothing is counted twice: these share their folders.
    let shared: Vec<_> = (0..9)
        .map(|number| file(&format!("a/b/c/{number}"), ""))
        .collect();
    assert_eq!(unpacked_up_to(12, &packed(&shared)).unwrap().len(), 12);
}

#[test]
fn of_very_many_refused_entries_some_are_listed_and_the_rest_is_not_read() {
    for bad in [
        file("", ""),
        file("../x", ""),
        RawEntry {
            local_name: b"y".to_vec(),
            ..file("x", "")
        },
    ] {
        let said = unpacked(&packed(&vec![bad; 60_000])).unwrap_err();
        assert_eq!(
            (said.len(), said[50].as_str()),
            (51, "has more entries, which were not checked")
        );
    }
    let twice = unpacked(&packed(&vec![file("x", ""); 60_000])).unwrap_err();
    assert_eq!(twice.len(), 50, "{twice:?}");
}
