//! Files in memory that nothing names. Knows files; knows nothing of runs. Start at [`sealed`].

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::MemfdFlags;
use rustix::fs::SealFlags;
use rustix::io::Errno;

/// Up to here a file is copied by hand: asking the kernel, which refuses one way after the other, takes longer.
pub(super) const SMALL_BYTES: u64 = 64 << 10;

/// An empty file in memory. It cannot be executed where the kernel knows how to refuse that (Linux 6.3).
pub(super) fn memory_file(name: &CStr) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    match rustix::fs::memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL) {
        Err(Errno::INVAL) => Ok(rustix::fs::memfd_create(name, flags)?),
        result => Ok(result?),
    }
}

/// A file in memory that `fill` has filled and nobody can change, positioned at its start. It may be opened for writing:
/// the seals refuse that to every process.
pub(super) fn sealed(name: &CStr, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<File> {
    let mut file = File::from(memory_file(name)?);
    fill(&mut file)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    file.rewind()?;
    Ok(file)
}

/// Copies a file into another; a large one in the kernel, a piece at a time.
pub(super) fn copy(path: &Path, to: &mut File) -> io::Result<()> {
    let mut source = File::open(path)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if found.len() > SMALL_BYTES {
        return io::copy(&mut source, to).map(drop);
    }
    // Its length is known: reading to the end would take one more call that returns nothing.
    let mut bytes = vec![0; found.len() as usize];
    let mut got = 0;
    while got < bytes.len() {
        match source.read(&mut bytes[got..])? {
            0 => break,
            more => got += more,
        }
    }
    to.write_all(&bytes[..got])
}
