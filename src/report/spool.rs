//! Records in a file without a name, in the order in which they came, until they are
//! written by another order: those of many teams or students would fill the memory.
//! Knows nothing of them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The file, which there is from the first record on.
#[derive(Default)]
pub(super) struct Spool {
    file: Option<File>,
    length: u64,
}

impl Spool {
    /// Adds a record. Returns its place, which begins where that of the last one ends.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, record: &impl Serialize) -> io::Result<Range<u64>> {
        let mut text = serde_json::to_vec(record)?;
        text.push(b'\n');
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        let start = self.length;
        file.write_all_at(&text, start)?;
        self.length += text.len() as u64;
        Ok(start..self.length)
    }

    /// The records at a place, which may be that of several.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn read<T: DeserializeOwned>(
        &self,
        place: Range<u64>,
    ) -> io::Result<impl Iterator<Item = io::Result<T>>> {
        let mut file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(place.start))?;
        let lines = BufReader::new(file.take(place.end - place.start)).split(b'\n');
        Ok(lines.map(|line| Ok(serde_json::from_slice(&line?)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_by_their_places_one_by_one_or_several_at_once() {
        let mut spool = Spool::default();
        let [one, two, three] =
            ["one", "two\nlines", "three"].map(|text| spool.add(&text).unwrap());
        let read = |place| {
            let records = spool.read::<String>(place).unwrap();
            records.map(Result::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(read(three.clone()), ["three"]);
        assert_eq!(read(one.start..two.end), ["one", "two\nlines"]);
        assert_eq!(two.end, three.start);
    }
}
