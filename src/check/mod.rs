//! Reading an output and saying what it is worth. Knows grids and formats, nothing of time, memory or
//! processes. Start at [`output`].

mod diff;
mod explain;
mod grids;
mod input;
mod resync;
mod sheet;
mod strays;
mod window;

pub use grids::CannotCheck;
pub use grids::output;
pub use input::Clues;
pub use input::Mistake;
pub use input::Unreadable;
pub use input::mistakes_of_input;
