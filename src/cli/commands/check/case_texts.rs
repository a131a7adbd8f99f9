//! The input and the answer that an output is judged with. They are the same as for a program that
//! is judged: a case of the problem, or files with the line breaks that the judge of a package
//! gives them.

use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tempfile::NamedTempFile;

use crate::cli::{Bounded, PackageChoice, SandboxChoice, input_file};
use crate::model::{Case, Problem};
use crate::package::{LineBreaks, Package};
use crate::spec::{AnswerRequirement, Mistake, ProblemFolder};

/// The files that an output is judged with.
pub(super) struct CaseTexts {
    /// The problem's case that has this input, if its flags, points or stored answer may matter.
    pub(super) own: Option<Case>,
    pub(super) input: PathBuf,
    /// The answer that the user names.
    pub(super) answer: Option<PathBuf>,
    /// Copies with other line breaks.
    _copies: Vec<NamedTempFile>,
}

impl CaseTexts {
    pub(super) fn find(
        found: &ProblemFolder,
        problem: &Problem,
        arguments: &CheckArgs,
    ) -> Result<Self, Mistake> {
        let package = found.readable_package();
        let own = own_case(found, problem, package.as_ref(), arguments);
        let mut copies = Vec::new();
        let mut judged = |path: &Path, of_case: Option<&PathBuf>| {
            let Some(package) = &package else {
                return Ok(path.to_owned());
            };
            match of_case.filter(|file| is_same(package.original_of(file), path)) {
                Some(file) => Ok(file.clone()),
                None => with_line_breaks(path, package.line_breaks, &mut copies),
            }
        };
        let input = judged(&arguments.input, own.as_ref().map(|own| &own.input))?;
        let answer = arguments.answer.as_deref();
        let answer = answer
            .map(|path| judged(path, own.as_ref().map(|own| &own.answer)))
            .transpose()?;
        Ok(Self {
            own,
            input,
            answer,
            _copies: copies,
        })
    }
}

/// The problem's case that has this input.
fn own_case(
    found: &ProblemFolder,
    problem: &Problem,
    package: Option<&Arc<Package>>,
    arguments: &CheckArgs,
) -> Option<Case> {
    // Listing the cases of a problem may mean thousands of files.
    if problem.case_tasks.is_empty() && problem.task.as_grid().is_some() {
        return None;
    }
    let cases = found.cases(AnswerRequirement::Optional).ok()?;
    // A case on which sources are judged has no input.
    let mut cases = cases
        .into_iter()
        .filter(|case| !problem.is_static(&case.name));
    cases.find(|case| {
        let input = package.map_or(&*case.input, |package| package.original_of(&case.input));
        is_same(input, &arguments.input)
    })
}

fn is_same(one: &Path, other: &Path) -> bool {
    let both = one.canonicalize().ok().zip(other.canonicalize().ok());
    both.is_some_and(|(one, other)| one == other)
}

/// A copy of a file that is in no case, with other line breaks; the file itself if its judge leaves
/// them.
fn with_line_breaks(
    path: &Path,
    line_breaks: LineBreaks,
    copies: &mut Vec<NamedTempFile>,
) -> Result<PathBuf, Mistake> {
    if line_breaks == LineBreaks::AsTheyAre || path == Path::new("-") {
        return Ok(path.to_owned());
    }
    let unread = |error: io::Error| Mistake::of(path, format!("cannot be copied: {error}"));
    let mut copy = NamedTempFile::new().map_err(unread)?;
    line_breaks
        .give(Bounded::new(input_file::open_bounded(path)?), &mut copy)
        .map_err(unread)?;
    copy.flush().map_err(unread)?;
    let place = copy.path().to_owned();
    copies.push(copy);
    Ok(place)
}

// The arguments of `gridjudge check`.

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The problem
    #[arg(short, long)]
    pub(super) problem: String,
    #[command(flatten)]
    pub(super) format: PackageChoice,
    /// The input
    pub(super) input: PathBuf,
    /// The output to be judged; `-` for standard input
    pub(super) output: PathBuf,
    /// The expected answer; without it, any valid completion of grids passes
    pub(super) answer: Option<PathBuf>,
    /// How strictly the checker program of a problem is isolated from the machine
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    pub(super) sandbox: SandboxChoice,
}
