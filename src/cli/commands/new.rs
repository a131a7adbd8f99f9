//! `gridjudge new`: creates the folder of a new problem. On a terminal, asks for everything that no flag
//! says; elsewhere uses the defaults. Writes nothing unless the resulting spec has no mistake.

use std::fs;
use std::io;
use std::path::Path;

use clap::Args;

use crate::cli::args::GlobalOptions;
use crate::cli::draft::page;
use crate::cli::draft::questions;
use crate::cli::draft::questions::ProblemOptions;
use crate::cli::exit::CommandError;
use crate::cli::exit::CommandOutcome;
use crate::cli::screen;
use crate::cli::session::generate;
use crate::cli::session::generate::GenerateRequest;
use crate::model::Problem;
use crate::spec::JudgeFolder;
use crate::spec::Mistake;
use crate::spec::Mistakes;
use crate::spec::SPEC;
use gridjudge_sandbox::Fault;

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// Its id, which is the name of its folder
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    options: ProblemOptions,
    /// Ask nothing; use the defaults for what is not given
    #[arg(short, long)]
    yes: bool,
}

pub(crate) fn run(new: &NewArgs, common: &GlobalOptions) -> Result<CommandOutcome, CommandError> {
    let folder = JudgeFolder::open_to_begin(&common.root()?)?;
    let place = folder.config.problems.join(&new.id);
    refuse_what_is_there(&folder, &new.id, &place)?;
    let (spec, problem) = drafted(new, &folder)?;
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        let written = fs::create_dir_all(&place).and_then(|()| create(&path, text));
        written.map_err(|error| Fault::new(format!("writing {}", path.display()), error))?;
        screen::result(format_args!("wrote {}", path.display()))
    };
    write(SPEC, &spec)?;
    write("statement.md", &page::statement(&problem))?;
    generate::run(&common.folder()?, &GenerateRequest::missing_of(&new.id), common)?;
    screen::result(format_args!("\n{}", page::next_steps(&new.id, &place)))?;
    Ok(CommandOutcome::AsExpected)
}

/// A spec without mistakes, and the problem that it describes. Asks the questions again until there is no
/// mistake.
fn drafted(new: &NewArgs, folder: &JudgeFolder) -> Result<(String, Problem), CommandError> {
    let asks = !new.yes && questions::can_be_asked();
    let mut answers = questions::answered(&new.options, None, asks)?;
    loop {
        let spec = page::spec(&new.id, &answers);
        let mistakes = match folder.draft(&new.id, &spec) {
            Ok(problem) => return Ok((spec, problem)),
            Err(mistakes) => mistakes,
        };
        if !asks {
            return Err(mistakes.into());
        }
        screen::mistakes(&mistakes);
        screen::notice("nothing is written yet; here are the questions again");
        let before = answers;
        answers = questions::answered(&new.options.without_answers(), Some(&before), asks)?;
        // No question is about the mistake, so asking again would not end.
        if answers == before {
            return Err(mistakes.into());
        }
    }
}

/// Refuses to overwrite a problem, a folder or cases: they may be the user's work.
fn refuse_what_is_there(folder: &JudgeFolder, id: &str, place: &Path) -> Result<(), Mistakes> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if id.starts_with(['.', '-']) || id.is_empty() || !id.bytes().all(is_word) {
        let mistake = Mistake::of(place, format!("`{id}` cannot be the id of a problem"));
        return Err(mistake.with_remedy("use letters, digits, `-`, `_` and `.`, as in `hard-9x9`").into());
    }
    let cases = folder.config.case_folder(id);
    if folder.ids().any(|known| known == id) {
        let mistake = Mistake::of(place, format!("there is a problem `{id}` already"));
        return Err(mistake.with_remedy("choose another id, or delete its folder").into());
    }
    for there in [place, &cases] {
        if there.symlink_metadata().is_ok() {
            let mistake = Mistake::of(there, "is there already");
            return Err(mistake.with_remedy("choose another id, or move it away").into());
        }
    }
    Ok(())
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    io::Write::write_all(&mut fs::File::create_new(path)?, text.as_bytes())
}
