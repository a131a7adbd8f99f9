//! The sandbox against real processes, at every level that this machine gives: what programs of `acts.c` do, and what the
//! sandbox makes of it. Run it as root and as an ordinary user, since they get other levels.

mod conduct;
mod endings;
mod limits;
mod memory;
mod reach;
mod scratch_files;
mod stage;
mod talking;
mod tools;
mod waiting;
