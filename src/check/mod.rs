//! Reading an output and saying what it is worth. Knows grids and formats, nothing of time, memory or
//! processes. Start at [`output`].

mod board;
mod case;
mod diff;
mod explain;
mod framing;
mod grids;
mod input;
mod listing;
mod mistake;
mod outcome;
mod picture;
mod pieces;
mod resync;
mod roll;
mod sheet;
mod stored;
mod strays;
mod survey;
mod truth;
mod window;

pub use input::Clues;
pub use mistake::Mistake;
pub use mistake::Unreadable;
pub use outcome::CannotCheck;
pub use outcome::output;
pub use outcome::soundness;
pub use survey::mistakes_of_input;
pub use truth::Truth;
pub use truth::difference;
pub use truth::truth;

use outcome::look_behind_the_last;
use outcome::missing_from;
