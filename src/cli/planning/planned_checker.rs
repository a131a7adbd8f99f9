//! Finds the sources and languages of programs that are no submissions, such as a
//! problem's checker. Compiles nothing.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gridjudge_sandbox::Limits;

use crate::cli::input_file;
use crate::cli::planning::plan_entry::known_language;
use crate::compile;
use crate::mistake::Mistake;
use crate::model::{
    AdditionalSources, CheckerTask, JudgingProgramKind, Problem, SourceFile,
    Submission, ToolSource,
};
use crate::run::{JudgingProgram, JudgingPrograms};
use crate::spec::ProblemFolder;

/// Finds all judging programs of a problem. Mistakes in them are added to `mistakes`.
pub(crate) fn planned_programs(
    found: &ProblemFolder,
    problem: &Problem,
    mistakes: &mut Vec<Mistake>,
) -> JudgingPrograms {
    let mut or_none = |planned: Option<Result<_, Mistake>>| match planned? {
        Ok(program) => Some(Arc::new(program)),
        Err(mistake) => {
            mistakes.push(mistake);
            None
        }
    };
    let checker = |task| planned_checker(found, task);
    let grader = problem.scoring.grader.as_ref().map(|grader| {
        Ok(JudgingProgram {
            kind: JudgingProgramKind::Grader,
            tool: ToolSource {
                memory_bytes: grader.limits.memory_bytes,
                ..program_source(found, &grader.source)?
            },
            final_checker: None,
        })
    });
    JudgingPrograms {
        checker: or_none(problem.program().map(checker)),
        grader: or_none(grader),
        static_validator: or_none(problem.static_validator().map(checker)),
    }
}

/// The sources of a checker of a problem, and of the checkers that run after it.
///
/// # Errors
/// If one of them cannot be read, or is in no known language and not executable.
pub(crate) fn planned_checker(
    found: &ProblemFolder,
    task: &CheckerTask,
) -> Result<JudgingProgram, Mistake> {
    let mut tool = program_source(found, &task.source)?;
    tool.memory_bytes = task.limits.memory_bytes;
    let beside = task.files.iter().chain(&task.build.files);
    tool.additional_sources.files.extend(beside.cloned());
    tool.language = tool
        .language
        .map(|language| Arc::new(language.with_flags(&task.build.flags)));
    let last = task
        .final_checker
        .as_ref()
        .map(|last| planned_checker(found, last).map(Box::new))
        .transpose()?;
    Ok(JudgingProgram {
        kind: task.kind,
        tool,
        final_checker: last,
    })
}

/// The sources of a program of a problem: in a package possibly all files in its
/// folder, otherwise the file and the headers beside it.
fn program_source(found: &ProblemFolder, path: &Path) -> Result<ToolSource, Mistake> {
    let package = found.readable_package();
    let around = package
        .as_ref()
        .and_then(|package| package.program_around(path));
    match around.and_then(|program| found.program_of(&program)) {
        Some(Ok(tool)) => Ok(tool),
        Some(Err(reason)) => {
            let parent = path.parent().unwrap_or(path);
            let message = format!("its program cannot be made: {reason}");
            Mistake::refuse(found.shown_path(parent), message, PROGRAM_REMEDY)
        }
        None => {
            let mut tool =
                tool_source(found, path).map_err(|mistake| found.shown(mistake))?;
            tool.additional_sources.constants = package
                .map(|package| package.constants.clone())
                .unwrap_or_default();
            Ok(tool)
        }
    }
}

/// The hint for a program of several files that is not recognised.
const PROGRAM_REMEDY: &str = "put sources of one language there, with a `__main__.py` among \
                              several in Python, or an executable `run`, with a `build` that \
                              makes it if it must be made";

/// The sources of a program of a problem: this source or executable, the files that it
/// includes, and the headers that its package shares.
///
/// # Errors
/// If the file cannot be read, or is in no known language and not executable.
pub(crate) fn tool_source(
    found: &ProblemFolder,
    path: &Path,
) -> Result<ToolSource, Mistake> {
    let unreadable =
        |error: io::Error| input_file::unreadable(path, &error, Path::is_file);
    path.metadata().map_err(unreadable)?;
    let language = known_language(found, path)?;
    let mut included = compile::included_by(path).map_err(unreadable)?;
    // A header beside the source takes precedence over one of the same name from
    // elsewhere.
    let mut shared = found
        .readable_package()
        .map(|package| package.shared_headers())
        .unwrap_or_default();
    shared.retain(|header| {
        included
            .iter()
            .all(|beside| beside.file_name() != header.file_name())
    });
    included.extend(shared);
    let files = included.into_iter().map(|path| SourceFile::at(&path));
    Ok(ToolSource {
        source: Submission::at(path.to_owned()),
        language,
        additional_sources: AdditionalSources {
            files: files.collect(),
            ..AdditionalSources::default()
        },
        memory_bytes: MEMORY_BYTES,
    })
}

// The limits of programs that write inputs, and of programs that check inputs if their
// package gives no limits.

const CPU: Duration = Duration::from_secs(60);
const MEMORY_BYTES: u64 = 2 << 30;

/// The limits of one run.
pub(crate) fn limits() -> Limits {
    Limits {
        cpu: CPU,
        wall: Limits::wall_for(CPU),
        memory_bytes: MEMORY_BYTES,
        output_bytes: 256 << 20,
        processes: 64,
        frequent_samples: false,
        address_space: None,
    }
}
