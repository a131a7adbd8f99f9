//! Reading an output and saying what it is worth. Knows grids and formats, nothing of time, memory or
//! processes. Start at [`output`].

mod context;
mod diff;
mod expected_answer;
mod framing;
mod grid_checker;
mod grid_loop;
mod input_grids;
mod input_mistake;
mod input_mistakes;
mod items;
mod list_case;
mod list_loop;
mod location;
mod outcome;
mod picture;
mod resync;
mod solution_set;
mod stored_answers;
mod stray_bytes;
mod window;

pub use expected_answer::ExpectedAnswer;
pub use expected_answer::difference;
pub use expected_answer::expected_answer;
pub use input_grids::InputGrids;
pub use input_mistake::InputError;
pub use input_mistake::InputMistake;
pub use input_mistakes::mistakes_of_input;
pub use outcome::CheckError;
pub use outcome::output;
pub use outcome::soundness;

use outcome::check_trailing_output;
use outcome::missing_from;
