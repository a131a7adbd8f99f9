//! Makes files in memory that have no name. Knows files; knows nothing of runs. Start at
//! [`sealed`].

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::io::{Read, Seek, Write};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::io::Errno;

/// Files up to this size are copied by hand: `io::copy` tries several system calls that the kernel
/// refuses, which takes longer.
pub(super) const SMALL_BYTES: u64 = 64 << 10;

/// Makes an empty file in memory. It cannot be executed where the kernel can refuse that (Linux
/// 6.3).
pub(super) fn memory_file(name: &CStr) -> io::Result<OwnedFd> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    match rustix::fs::memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL) {
        Err(Errno::INVAL) => Ok(rustix::fs::memfd_create(name, flags)?),
        result => Ok(result?),
    }
}

/// Makes a file in memory with the content that `fill` writes, sealed against any change and
/// positioned at its start. That it can be opened for writing is harmless: the seals refuse every
/// write.
pub(super) fn sealed(
    name: &CStr,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = File::from(memory_file(name)?);
    fill(&mut file)?;
    let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, seals)?;
    file.rewind()?;
    Ok(file)
}

/// Copies a file into another; a large one by `io::copy`, which copies within the kernel, a piece
/// at a time.
pub(super) fn copy(path: &Path, to: &mut File) -> io::Result<()> {
    let mut source = File::open(path)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    if found.len() > SMALL_BYTES {
        return io::copy(&mut source, to).map(drop);
    }
    // The length is known, so the last call that returns nothing is saved.
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
