//! Where the body of a JUnit report waits for its head, whose counts are known at the end only. Knows bytes; nothing of
//! XML.

use std::io;
use std::io::BufWriter;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;

use tempfile::SpooledTempFile;

/// Bytes of a body that are held in memory before it goes to a file.
const HELD: usize = 1 << 20;

/// Bytes that are written to the file at once: elements come in many small pieces.
const CHUNK: usize = 32 << 10;

/// What waits to be written: in memory while it is small, else in a file.
pub(super) type Spool = BufWriter<SpooledTempFile>;

/// An empty one.
pub(super) fn spool() -> Spool {
    BufWriter::with_capacity(CHUNK, SpooledTempFile::new(HELD))
}

/// Copies all that was written to a spool.
pub(super) fn unroll(spool: Spool, target: &mut impl Write) -> io::Result<()> {
    let mut spooled = spool.into_inner()?;
    spooled.seek(SeekFrom::Start(0))?;
    io::copy(&mut spooled, target).map(|_| ())
}
