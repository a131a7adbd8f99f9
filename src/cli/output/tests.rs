//! Writes files, links, devices and FIFOs in temporary folders, in both modes.

use std::fs;
use std::fs::Permissions;
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};

use super::*;

fn mode_of(path: &Path) -> u32 {
    path.metadata().unwrap().mode() & 0o7777
}

#[test]
fn a_regular_file_is_replaced_when_all_is_written_and_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    let mut before = File::open(&path).unwrap();
    let mut output = OutputFile::create(&path, WriteMode::AtTheEnd).unwrap();
    output.write_all(b"new").unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "old",
        "it is not finished"
    );
    output.flush().unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap().as_str(), mode_of(&path)),
        ("new", 0o640)
    );
    let mut text = String::new();
    before.read_to_string(&mut text).unwrap();
    assert_eq!(
        text, "old",
        "a reader that has it open still sees the old content"
    );
}

#[test]
fn an_unfinished_output_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut output =
        OutputFile::create(&folder.path().join("report"), WriteMode::AtTheEnd)
            .unwrap();
    output.write_all(b"half").unwrap();
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "not even while it is written"
    );
    drop(output);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_output_that_appears_as_written_replaces_the_old_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    fs::write(&path, "old, and long").unwrap();
    let mut output = OutputFile::create(&path, WriteMode::AsWritten).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
    writeln!(output, "one").unwrap();
    output.flush().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_link_stays_a_link_and_its_target_is_written_or_created() {
    for appearance in [WriteMode::AtTheEnd, WriteMode::AsWritten] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("below")).unwrap();
        symlink("below/second", path("first")).unwrap();
        symlink("../file", path("below/second")).unwrap();
        for text in ["made", "replaced"] {
            let mut output = OutputFile::create(&path("first"), appearance).unwrap();
            output.write_all(text.as_bytes()).unwrap();
            output.flush().unwrap();
            assert_eq!(fs::read_to_string(path("file")).unwrap(), text);
        }
        assert!(path("first").is_symlink() && path("below/second").is_symlink());
    }
}

#[test]
fn a_file_with_two_names_keeps_both_and_a_fifo_is_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("one"), "old").unwrap();
    fs::hard_link(path("one"), path("other")).unwrap();
    write_file(&path("one"), "new").unwrap();
    assert_eq!(fs::read_to_string(path("other")).unwrap(), "new");

    rustix::fs::mkfifoat(rustix::fs::CWD, path("fifo"), 0o600.into()).unwrap();
    let both = nonblocking();
    let mut reader = File::options()
        .read(true)
        .write(true)
        .custom_flags(both)
        .open(path("fifo"))
        .unwrap();
    write_file(&path("fifo"), "through").unwrap();
    let mut text = [0; 7];
    reader.read_exact(&mut text).unwrap();
    assert_eq!(&text, b"through");
    assert!(path("fifo").metadata().is_ok_and(|found| !found.is_file()));
}

fn nonblocking() -> i32 {
    rustix::fs::OFlags::NONBLOCK.bits().cast_signed()
}

#[test]
fn a_device_is_written_through() {
    let folder = tempfile::tempdir().unwrap();
    // It is written by a link, so that a bug could not replace this machine's null
    // device.
    symlink("/dev/null", folder.path().join("null")).unwrap();
    assert_eq!(
        OutputPlace::find(&folder.path().join("null")).unwrap(),
        OutputPlace::Other("/dev/null".into())
    );
    assert_eq!(
        OutputPlace::find(Path::new("/dev/null")).unwrap(),
        OutputPlace::Other("/dev/null".into())
    );
    write_file(&folder.path().join("null"), "gone").unwrap();
    assert_eq!(FileIdentity::read_at(&folder.path().join("null")), None);
}

#[test]
fn the_file_of_an_open_descriptor_is_written_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = File::create_new(folder.path().join("file")).unwrap();
    let link = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    write_file(Path::new(&link), "by its number").unwrap();
    file.write_all(b"B").unwrap();
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).unwrap(),
        "By its number"
    );
}

#[test]
fn all_names_of_a_file_have_one_identity_even_before_it_exists() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let is_one = |one: &str, other: &str| {
        FileIdentity::read_at(&path(one)) == FileIdentity::read_at(&path(other))
    };
    symlink("later", path("dangling")).unwrap();
    fs::write(path("one"), "").unwrap();
    fs::hard_link(path("one"), path("hard")).unwrap();
    symlink("hard", path("soft")).unwrap();
    assert!(
        is_one("later", "dangling") && is_one("one", "hard") && is_one("one", "soft")
    );
    assert!(
        is_one("later", "./later")
            && !is_one("later", "one")
            && !is_one("later", "another")
    );
    assert_eq!(
        FileIdentity::read_at(Path::new("-")),
        Some(FileIdentity::Stdout)
    );
}

#[test]
fn unwritable_outputs_are_an_error_and_leave_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink("around", path("around")).unwrap();
    let kind = |path: &Path| write_file(path, "text").unwrap_err().kind();
    assert_eq!(kind(folder.path()), io::ErrorKind::IsADirectory);
    assert_eq!(kind(&path("no/such/folder")), io::ErrorKind::NotFound);
    assert!(write_file(&path("around"), "text").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
