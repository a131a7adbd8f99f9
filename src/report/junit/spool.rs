//! Stores the body of a JUnit report until its head can be written, because the counts in it are
//! known last. Knows bytes, but not XML.

use std::io;
use std::io::{BufWriter, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// Bytes of a body that are kept in memory before it goes to a file.
const HELD: usize = 1 << 20;

/// Bytes written to the file at once, because elements come in many small pieces.
const CHUNK: usize = 32 << 10;

/// Bytes that wait to be written: in memory while they are few, else in a file.
pub(super) type Spool = BufWriter<SpooledTempFile>;

/// Creates an empty spool.
pub(super) fn spool() -> Spool {
    BufWriter::with_capacity(CHUNK, SpooledTempFile::new(HELD))
}

/// Copies the content of a spool to `target`.
pub(super) fn unroll(spool: Spool, target: &mut impl Write) -> io::Result<()> {
    let mut spooled = spool.into_inner()?;
    spooled.seek(SeekFrom::Start(0))?;
    io::copy(&mut spooled, target).map(|_| ())
}
