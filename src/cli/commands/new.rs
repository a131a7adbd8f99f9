//! `gridjudge new`: creates the folder of a new problem. On a terminal, asks for
//! everything that no flag says; elsewhere uses the defaults. Writes nothing unless the
//! resulting spec has no mistake.

use std::path::Path;
use std::{fs, io};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::draft::{DraftFiles, NewProblem};
use crate::cli::{
    CommandError, CommandOutcome, CommandResult, GlobalOptions, ProblemOptions,
    RefusedDraft, TaskChoice, draft, generate, output, questions, screen, signals,
};
use crate::files::UnfinishedFolder;
use crate::spec::{JudgeFolder, Mistake, Mistakes, SPEC};

#[derive(Args)]
pub(crate) struct NewArgs {
    /// The id of the problem, which is the name of its folder
    id: String,
    /// What submissions write [default: grid]
    #[arg(long, value_name = "KIND")]
    task: Option<TaskChoice>,
    #[command(flatten)]
    options: ProblemOptions,
    /// Ask nothing; use the defaults for what is not given
    #[arg(short, long)]
    yes: bool,
}

pub(crate) fn run(new: &NewArgs, common: &GlobalOptions) -> CommandResult {
    let folder = JudgeFolder::open_or_empty(&common.root()?)?;
    let place = folder.config.problems.join(&new.id);
    refuse_what_is_there(&folder, &new.id, &place)?;
    let asks = !new.yes && questions::can_be_asked();
    let cases = folder.config.case_folder(&new.id);
    // Whoever says something about grids need not be asked.
    let is_open = new.options.flags_about_grids().is_empty();
    let task = draft::chosen_task(new.task, asks && is_open, io::stdin().lock())?;
    let files = match task {
        TaskChoice::Grid => grid_files(new, &folder, &place, asks)?,
        task => text_files(new, &folder, task)?,
    };
    // A process that was killed before the problem got its name has left exactly these.
    if cases.symlink_metadata().is_ok() && !holds_exactly(&cases, &files.cases) {
        return Err(is_there(&cases).into());
    }
    write(&place, &cases, &files)?;
    let by_hand = (task != TaskChoice::Grid).then_some(&*cases);
    screen::result(format_args!(
        "\n{}",
        draft::next_steps(&new.id, &place, by_hand)
    ))?;
    Ok(CommandOutcome::AsExpected)
}

/// The files of a problem about something else, with its sample case.
fn text_files(
    new: &NewArgs,
    folder: &JudgeFolder,
    task: TaskChoice,
) -> Result<NewProblem, Mistakes> {
    let about_grids = new.options.flags_about_grids().into_iter().map(|flag| {
        let message = format!("has no meaning with `--task {}`", task.word());
        let remedy = "it is about grids: leave it out, or choose `--task grid`";
        Mistake::new(flag, message, remedy)
    });
    Mistakes::refuse(about_grids)?;
    let given = new.options.settings();
    // A checker must exist when a spec names it. What flags say is tried with a task
    // that needs none.
    let spec = draft::text_spec(&new.id, TaskChoice::Tokens, &given);
    let draft = RefusedDraft {
        id: &new.id,
        spec: &spec,
        given: &given,
        asked: false,
    };
    let drafted = folder
        .draft(&new.id, &spec)
        .map_err(|mistakes| draft.placed(mistakes))?;
    let spec = draft::text_spec(&new.id, task, &given);
    Ok(draft::text_files(&drafted.problem.name, spec, task))
}

/// The files of a problem about grids, with its sample case. Asks the questions again
/// until there is no mistake in its spec.
fn grid_files(
    new: &NewArgs,
    folder: &JudgeFolder,
    place: &Path,
    asks: bool,
) -> Result<NewProblem, CommandError> {
    let mut given = new.options.settings();
    let mut answers = questions::answered(&given, None, asks, io::stdin().lock())?;
    loop {
        let spec = draft::grid_spec(&new.id, &answers);
        let draft = RefusedDraft {
            id: &new.id,
            spec: &spec,
            given: &given,
            asked: asks,
        };
        let mistakes = match folder.draft(&new.id, &spec) {
            Ok(drafted) => {
                return Ok(NewProblem {
                    cases: generate::files_of_draft(&drafted, &place.join(SPEC))?,
                    problem: draft::grid_files(&drafted.problem, spec),
                });
            }
            Err(mistakes) => draft.placed(mistakes),
        };
        if !asks {
            return Err(mistakes.into());
        }
        screen::mistakes(&mistakes);
        screen::notice("nothing is written yet; here are the questions again");
        let before = answers;
        given = questions::without_answers(&given);
        answers =
            questions::answered(&given, Some(&before), asks, io::stdin().lock())?;
        // No question is about the mistake, so asking again would not end.
        if answers == before {
            return Err(mistakes.into());
        }
    }
}

/// Refuses to overwrite a problem or a folder: they may be the user's work.
fn refuse_what_is_there(
    folder: &JudgeFolder,
    id: &str,
    place: &Path,
) -> Result<(), Mistakes> {
    if id.starts_with(['.', '-'])
        || id.is_empty()
        || !id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    {
        return Mistake::refuse(
            place,
            format!("`{id}` cannot be the id of a problem"),
            "use letters, digits, `-`, `_` and `.`, as in `hard-9x9`",
        );
    }
    let cases = folder.config.case_folder(id);
    if folder.ids().any(|known| known == id) {
        return Mistake::refuse(
            place,
            format!("there is a problem `{id}` already"),
            "choose another id, or delete its folder",
        );
    }
    output::refuse_leading_out(place)?;
    output::refuse_leading_out(&cases)?;
    if place.symlink_metadata().is_ok() {
        Err(is_there(place).into())
    } else {
        Ok(())
    }
}

fn is_there(place: &Path) -> Mistake {
    Mistake::new(
        place,
        "is there already",
        "choose another id, or move it away",
    )
}

/// Whether a path is a folder, and no link, that has exactly these files, and no links.
fn holds_exactly(folder: &Path, files: &DraftFiles) -> bool {
    let others = walkdir::WalkDir::new(folder).into_iter().filter(|entry| {
        !entry.as_ref().is_ok_and(|entry| entry.file_type().is_dir())
    });
    !folder.is_symlink()
        && files.iter().all(|(name, bytes)| {
            let path = folder.join(name);
            let found = path.symlink_metadata();
            found.is_ok_and(|found| {
                found.is_file() && found.len() == bytes.len() as u64
            }) && fs::read(path).is_ok_and(|read| read == *bytes)
        })
        && others.take(files.len() + 1).count() == files.len()
}

/// Writes the files of a problem. Its folders get their names when all files are in
/// them, and a signal waits meanwhile, so that there is everything or nothing. Cases
/// that are there already are left alone.
fn write(problem: &Path, cases: &Path, files: &NewProblem) -> Result<(), Fault> {
    let mut unfinished = vec![];
    let mut written = vec![];
    for (folder, files) in [(cases, &files.cases), (problem, &files.problem)] {
        if files.is_empty() || folder.exists() {
            continue;
        }
        let failed = Fault::at("writing", folder);
        folder
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .map_err(failed)?;
        let filled = UnfinishedFolder::filled(folder, files).map_err(failed)?;
        unfinished.push((filled, folder));
        let paths = files.iter().map(|(name, _)| folder.join(name));
        written.splice(0..0, paths);
    }
    let whole = signals::enter_critical_section();
    for (filled, folder) in unfinished {
        filled
            .rename(folder, None)
            .map_err(Fault::at("writing", folder))?;
    }
    drop(whole);
    for path in written {
        screen::result(format_args!("wrote {}", path.display()))?;
    }
    Ok(())
}
