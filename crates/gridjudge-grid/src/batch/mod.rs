//! Files of plain 9x9 puzzles, one a line, solved by all cores at once. Memory does not grow with the file, and answers
//! come in its order. Knows no terminal and no file names. Start at [`stream`].

mod answers;
mod blocks;
mod line;
mod stream;

pub use answers::Answers;
pub use answers::Complaint;
pub use answers::Problem;
pub use answers::Task;
pub use line::Unreadable;
pub use line::puzzle_of;
pub use stream::stream;
