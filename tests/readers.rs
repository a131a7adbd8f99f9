//! Reads a few hundred mutated files with every reader of files that strangers write,
//! always the same ones. `cargo bench --bench readers` reads any number.

#[expect(
    dead_code,
    reason = "the names of the formats are for the test of each"
)]
mod format_examples;
#[expect(
    dead_code,
    reason = "what an input takes is for the bench: no test depends on the clock"
)]
mod fuzzed;

use fuzzed::{all_readers, try_input};

/// How many inputs each reader gets beside its seeds.
const INPUTS: u64 = 25;

#[test]
fn no_reader_panics_or_holds_more_than_a_multiple_of_what_it_reads() {
    let mut wrong = vec![];
    for reader in all_readers() {
        let inputs = reader.seeds.len() as u64 + INPUTS;
        wrong.extend(
            (0..inputs).filter_map(|number| try_input(&reader, number).err()),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
