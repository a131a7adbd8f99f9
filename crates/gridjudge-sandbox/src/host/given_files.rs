//! Packs the files of a run's scratch folder for its launcher: one file in memory with all of them,
//! one after the other. Knows files; knows nothing of how a launcher divides them again.

use std::fs::File;
use std::io;
use std::io::{Seek, Write};

use crate::host::memory_file;
use crate::protocol::GivenEntry;
use crate::{Fault, GivenFile, Input};

/// The files that are given to a run, in one bundle, and the name and size of each.
pub(super) struct GivenFiles {
    pub(super) bundle: File,
    pub(super) entries: Vec<GivenEntry>,
}

impl GivenFiles {
    /// Copies files into a bundle; `None` if there are no files.
    ///
    /// # Errors
    /// Returns a [`Fault`] if one cannot be read, or the machine is out of memory or descriptors.
    pub(super) fn of(files: &[GivenFile]) -> Result<Option<Self>, Fault> {
        if files.is_empty() {
            return Ok(None);
        }
        let mut entries = Vec::with_capacity(files.len());
        // Names the file that was being copied when an error occurred.
        let mut doing = "making copies of the files of a run".to_owned();
        match memory_file::sealed(c"files", |bundle| {
            let mut end = 0;
            for file in files {
                doing = format!("making a copy of `{}` for a run", file.name);
                append(&file.content, bundle)?;
                let start = std::mem::replace(&mut end, bundle.stream_position()?);
                entries.push(GivenEntry {
                    name: file.name.clone(),
                    bytes: end - start,
                });
            }
            Ok(())
        }) {
            Ok(bundle) => Ok(Some(Self { bundle, entries })),
            Err(error) => Err(Fault::new(doing, error)),
        }
    }
}

fn append(content: &Input, bundle: &mut File) -> io::Result<()> {
    match content {
        Input::Empty => Ok(()),
        Input::CopyOf(path) => memory_file::copy(path, bundle),
        Input::Bytes(bytes) => bundle.write_all(bytes),
    }
}
