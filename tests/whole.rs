//! Tests of the whole judge, as a program and as a library, in one test binary: what the
//! one leaves of the processors while it waits, the other uses.

mod command_line;
mod format_examples;
mod in_process;
mod judge;
