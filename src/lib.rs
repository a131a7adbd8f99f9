//! An online-judge grader: judges programs on contest problems and explains why an
//! output is wrong, grids in detail. This is the library behind the command
//! `gridjudge`; the README shows the command.
//!
//! # Data flow
//!
//! Data flows one way: spec, case, job, run, finding, verdict, event, report. Grids,
//! the sandbox and problems are crates of their own, [`gridjudge_grid`],
//! [`gridjudge_sandbox`] and [`gridjudge_problem`], whose modules are passed on here.
//! `docs/architecture.md` has the map, a picture and the invariants, which
//! `tests/tidy.rs` checks.
//!
//! | module | turns |
//! |---|---|
//! | [`spec`] | `judge.toml`, `problem.toml` and folders into problems, cases and submissions |
//! | [`package`] | problem packages of other judges into [`Package`](package::Package)s |
//! | [`export`] | a problem into a package for another judge |
//! | [`compile`] | a submission into a [`Program`](model::Program) |
//! | [`trial`] | a job into a [`Trial`](model::Trial): runs it, looks for breached limits, else [`check`]s its output |
//! | [`checker`] | an output or an interaction, and the problem's program that judges it, into findings |
//! | [`checktestdata`] | rules in the language of that name and an input into the mistakes in it |
//! | [`cache`] | the key of a job into its stored trial |
//! | [`run`] | a [`Plan`](run::Plan) into [events](model::Event), in the order of the plan |
//! | [`shard`] | a plan into shards for several machines, and their logs into one |
//! | [`report`], [`compare`] | events into reports for people and programs, and into a list of what has changed |
//! | [`proof`], [`authoring`] | a case into a proof of its answer; recipes into cases, cases into a measure of their strength |
//! | [`cli`] | the command line into calls of all this, and the outcome into an exit code |
//!
//! The central function is [`trial::judge_job`], a screen long. To follow a wrong
//! answer, read [`check::output`]; to follow a process, [`gridjudge_sandbox`]; to see
//! how submissions are judged in parallel and still reported in order, [`run`].
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
//! let problem = folder.find("uestc-1222")?.problem()?;
//! let input = "1\n\n****\n2341\n4123\n3214\n";
//! let output = "Case #1:\n1432\n2341\n4123\n3241\n";
//!
//! let answer = None::<&[u8]>;
//! let findings = check::output(&problem.task, input.as_bytes(), output.as_bytes(), answer)?;
//! assert_eq!(findings.listed[0].message, "row 4, column 3 is 4, but its clue is 1");
//! # Ok(())
//! # }
//! ```

pub mod authoring;
pub mod cache;
pub mod checker;
pub mod cli;
pub mod compare;
pub mod compile;
pub mod report;
pub mod run;
pub mod shard;
pub mod trial;

pub use gridjudge_problem::{
    check, checktestdata, export, files, model, package, proof, spec,
};
pub(crate) use gridjudge_problem::{mistake, text};
