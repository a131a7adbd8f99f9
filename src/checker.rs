//! Runs the checker program of a problem in the sandbox, on an output or beside a submission as its
//! interactor, and reads its answer. A checker is a tool: anything it does except answer is a
//! fault, and never a verdict. Knows nothing of how a checker or a submission was compiled.

mod answer;
mod blame;
mod call;
mod call_folder;
mod call_names;
mod case_files;
mod conduct;
mod feedback_files;
mod final_check;
mod generator;
mod grader;
mod input_validator;
mod interaction;
mod last_words;
mod output_check;
mod passes;
mod points;
mod python_exception;
mod static_validation;
mod transcript_recorder;
mod working_folder;

pub use generator::{GeneratorCall, WantedInput};
pub use grader::GraderCall;
pub use input_validator::{InputOpinion, validate_input};
pub use interaction::{JudgedInteraction, interact};
pub use output_check::check;
pub use passes::judge_passes;
pub use static_validation::validate_sources;
pub use transcript_recorder::TranscriptRecorder;

#[cfg(test)]
mod tests;
