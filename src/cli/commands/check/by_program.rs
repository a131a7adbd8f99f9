//! `gridjudge check` for problems with a checker program: compiles the checker and runs it on one
//! output. Does not know how the findings are shown.

use std::io;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use gridjudge_sandbox::{Fault, again_if_lost};

use crate::checker;
use crate::cli::commands::check::{CaseTexts, CheckArgs};
use crate::cli::session::planning::planned_checker::planned_checker_of;
use crate::cli::{CancelToken, CommandError, JudgeSession, SandboxStartup, StatusLine, input_file};
use crate::model::{Case, CheckerTask, Findings, Problem};
use crate::spec::{Mistake, ProblemFolder};

/// An output to be judged by a checker program.
pub(super) struct CheckerRequest<'a> {
    pub(super) arguments: &'a CheckArgs,
    pub(super) found: &'a ProblemFolder,
    pub(super) problem: &'a Problem,
    pub(super) task: &'a CheckerTask,
    pub(super) texts: &'a CaseTexts,
}

impl CheckerRequest<'_> {
    /// Compiles the checker and runs it on the output.
    pub(super) fn ask(
        &self,
        output: &mut dyn Read,
        cancel: &CancelToken,
    ) -> Result<Findings, CommandError> {
        let case = self.case()?;
        let planned = planned_checker_of(self.found, self.task)?;
        let startup = SandboxStartup::begin(Some(1), self.arguments.sandbox.choice());
        let session = JudgeSession::open(startup, &self.found.config, cancel)?;
        let _running = session.close_on_cancel();
        let status = StatusLine::start("compiling the checker");
        let (program, _folders) = session.checker_program(&planned)?;
        drop(status);
        let scoring = &self.problem.scoring;
        let worth = match &self.texts.own {
            Some(own) => scoring.worth_of(&own.name),
            // The input is in no group, so it may get the points of any; those of the last group
            // are used.
            None => scoring.groups.last().map(|group| group.case),
        };
        let unreadable = Fault::during("reading the output");
        // The output may be a pipe, and the checker may have to be run again.
        let mut copy = tempfile::tempfile().map_err(unreadable)?;
        io::copy(output, &mut copy).map_err(unreadable)?;
        Ok(again_if_lost(|| {
            copy.rewind().map_err(unreadable)?;
            checker::check(
                self.task,
                &program,
                &case,
                worth,
                None,
                &mut copy,
                session.sandbox(),
            )
        })?)
    }

    /// The case, with the files that the checker is given.
    fn case(&self) -> Result<Case, Mistake> {
        let input = named(&self.texts.input)?;
        let own = self.texts.own.as_ref();
        let answer = match (&self.texts.answer, own) {
            (Some(answer), _) => named(answer)?,
            (None, Some(own)) => own.answer.clone(),
            (None, None) => {
                let mistake = Mistake::of(
                    &self.arguments.input,
                    "the checker needs the answer to it as well",
                );
                return Err(mistake.with_remedy("give the answer file after the output file"));
            }
        };
        let name = own.map_or_else(
            || self.arguments.input.to_string_lossy().into_owned(),
            |own| own.name.clone(),
        );
        Ok(Case {
            name,
            input,
            answer,
        })
    }
}

/// The absolute path of a file. The checker opens it itself.
fn named(path: &Path) -> Result<PathBuf, Mistake> {
    let unreadable = |error: io::Error| input_file::unreadable(path, &error, Path::is_file);
    let is_plain = path.metadata().map_err(unreadable)?.is_file();
    if !is_plain {
        let mistake = Mistake::of(
            path,
            "is not a regular file, and the checker opens it by its name",
        );
        return Err(mistake.with_remedy("copy it to one"));
    }
    path.canonicalize().map_err(unreadable)
}
