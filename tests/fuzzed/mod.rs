//! Feeds mutated files to every reader of files that strangers write, and asks that
//! none panics, and that none needs more memory or time than a stated multiple of the
//! size of its input. An input depends on the name of its reader and its number alone,
//! so each can be made again. Start at [`try_input`].

mod allocations;
mod folder_readers;
mod mutation;
mod packages;
mod readers;
mod seeds;

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

pub(crate) use readers::all_readers;

/// The most bytes that a reader may hold at once, for an empty input: what it needs to
/// start, and the fixed bounds within which it reads.
const MOST_FIXED_BYTES: usize = 8 << 20;

/// The most bytes that a reader may hold at once for each byte of its input.
const MOST_BYTES_PER_BYTE: usize = 400;

/// Reads an input, whatever it holds.
pub(crate) type ReadBytes = dyn Fn(&[u8]);

/// A reader of files that strangers write.
pub(crate) struct Reader {
    pub(crate) name: &'static str,
    /// Whole files that it reads without a mistake, or nearly.
    pub(crate) seeds: Vec<Vec<u8>>,
    /// Reads a file. Mistakes in it are no matter.
    pub(crate) read: Box<ReadBytes>,
}

/// What reading an input took.
pub(crate) struct ReadingCost {
    pub(crate) input_bytes: usize,
    /// The most that was allocated at once.
    pub(crate) peak_bytes: usize,
    pub(crate) time: Duration,
}

/// Reads the input of this number.
///
/// # Errors
/// Returns what is wrong with the reader: it panics, or holds too much.
pub(crate) fn try_input(reader: &Reader, number: u64) -> Result<ReadingCost, String> {
    let input = input_of(reader, number);
    let start = Instant::now();
    let (read, peak_bytes) = allocations::peak_of(|| {
        std::panic::catch_unwind(AssertUnwindSafe(|| (reader.read)(&input)))
    });
    let time = start.elapsed();
    let of = format!("input {number} of {}, {} bytes", reader.name, input.len());
    if read.is_err() {
        return Err(format!("{of}: the reader panics"));
    }
    if peak_bytes > MOST_FIXED_BYTES + MOST_BYTES_PER_BYTE * input.len() {
        return Err(format!("{of}: the reader holds {peak_bytes} bytes at once"));
    }
    Ok(ReadingCost {
        input_bytes: input.len(),
        peak_bytes,
        time,
    })
}

/// The input of this number. The first ones are the seeds themselves.
pub(crate) fn input_of(reader: &Reader, number: u64) -> Vec<u8> {
    let seed = usize::try_from(number)
        .ok()
        .and_then(|number| reader.seeds.get(number));
    seed.cloned()
        .unwrap_or_else(|| mutation::mutated(&reader.seeds, reader.name, number))
}
