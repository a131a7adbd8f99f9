//! gridjudge judges programs whose answers are grids, and says exactly which cell is wrong. This is the library behind
//! the command of the same name; the README shows the command.
//!
//! # The river
//!
//! Data flows one way: spec, case, job, run, finding, verdict, event, report. The modules stand in that order. A module
//! uses only modules above it, which `tests/tidy.rs` holds the code to.
//!
//! | module | turns | knows |
//! |---|---|---|
//! | [`grid`] | text into grids, grids into solutions | nothing |
//! | [`model`] | (the words: [`Problem`](model::Problem), [`Job`](model::Job), [`Run`](model::Run), [`Verdict`](model::Verdict), [`Event`](model::Event), ...) | `grid` |
//! | [`files`] | a path into the bytes of a file that somebody else wrote, within bounds | nothing |
//! | [`machine`] | what the kernel tells into facts about isolation, and sources of noise | nothing |
//! | [`spec`] | `judge.toml`, `problem.toml` and folders into problems, cases and submissions | `grid` `model` `files` |
//! | [`sandbox`] | a [`Launch`](model::Launch) into a [`Run`](model::Run) | `model` |
//! | [`report`] | events into what people and programs read | `model` |
//! | [`baseline`] | events into what is known of programs, and two of these into what has changed | `model` `spec` `report` |
//! | [`check`] | an output into [`Findings`](model::Findings) | `grid` `model` |
//! | [`proof`] | a case into a proof of it, or its answer | `grid` `model` `spec` `check` |
//! | [`generate`] | recipes into cases | `grid` `model` `spec` `proof` |
//! | [`strength`] | a problem's cases into the wrong and slow solvers that they catch | `grid` `model` `check` |
//! | [`compile`] | a submission into a [`Program`](model::Program) | `model` `sandbox` |
//! | [`trial`] | a job into a [`Trial`](model::Trial): run it, look for breaches, else check | `model` `sandbox` `check` |
//! | [`cache`] | the key of a job into the [`Trial`](model::Trial) that it came to before | `model` |
//! | [`suite`] | a [`Plan`](run::Plan) into events, in the order of the plan; doubtful trials are held again, alone | `model` `sandbox` `compile` `trial` `cache` |
//! | [`stress`] | a program into the smallest input found on which it fails | `grid` `model` `sandbox` `check` `proof` `trial` `suite` |
//! | [`solving`] | a file of 9x9 puzzles into their solutions, on all cores | `grid` |
//! | [`cli`] | the command line into all this, and the outcome into an exit code | everything |
//!
//! # Where to start
//!
//! The heart is [`trial::hold`], a screen long. To follow a wrong answer, read [`check::output`]; to follow a process,
//! [`sandbox`]; to see how many are judged at once and yet told in order, [`suite`].
//!
//! # An example
//!
//! Judging an output without running anything:
//!
//! ```
//! use gridjudge::check;
//! use gridjudge::spec::JudgeFolder;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = JudgeFolder::open(std::path::Path::new(env!("CARGO_MANIFEST_DIR")))?;
//! let problem = folder.problem("uestc-1222")?;
//! let input = "1\n\n****\n2341\n4123\n3214\n";
//! let output = "Case #1:\n1432\n2341\n4123\n3241\n";
//!
//! let answer = None::<&[u8]>;
//! let findings = check::output(&problem.format, problem.accept, input.as_bytes(), output.as_bytes(), answer)?;
//! assert_eq!(findings.listed[0].message, "row 4, column 3 is 4, but its clue is 1");
//! # Ok(())
//! # }
//! ```

pub mod authoring;
pub mod cache;
pub mod check;
pub mod cli;
pub mod compare;
pub mod compile;
pub mod files;
pub mod model;
pub mod proof;
pub mod report;
pub mod run;
pub mod spec;
pub(crate) mod text;
pub mod trial;
