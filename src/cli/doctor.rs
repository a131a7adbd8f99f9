//! `gridjudge doctor`: what isolation this machine gives, what it does not, how calmly it measures time, and what to do
//! about it.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::languages;
use crate::cli::levels;
use crate::cli::levels::Tried;
use crate::cli::page::Mark;
use crate::cli::page::Page;
use crate::cli::screen;
use crate::cli::session::Wanted;
use crate::spec::Config;
use crate::spec::FILE_NAME;
use crate::spec::Mistakes;
use gridjudge_grid::flaw::plural;
use gridjudge_sandbox::Choice;
use gridjudge_sandbox::Guarantees;
use gridjudge_sandbox::Level;
use gridjudge_sandbox::machine;
use gridjudge_sandbox::machine::Fact;
use gridjudge_sandbox::machine::Noise;

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// The level that is to be had here; without it, any will do
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: Wanted,
}

pub(crate) fn run(doctor: &Doctor, common: &Common) -> Result<Ending, Stop> {
    let (config, source) = config(common)?;
    let choice = doctor.sandbox.choice();
    // Before anything of ours runs, which would be seen as other work.
    let noise = machine::noises();
    let tried = levels::try_all();
    let in_force = levels::in_force(choice, &tried);
    let mut page = Page::default();
    verdict(&mut page, choice, in_force);
    if !common.quiet {
        sandbox(&mut page, &tried, in_force);
        facts(&mut page, machine::facts(), &tried);
        noises(&mut page, &noise);
        languages::tell(&mut page, &source, &config, common, in_force.map(|(level, _)| level));
    }
    screen::result(page.finish().trim_end())?;
    Ok(if in_force.is_some() { Ending::AsExpected } else { Ending::Failed })
}

/// What the nearest `judge.toml` says, if there is one, and a name for where that comes from.
fn config(common: &Common) -> Result<(Config, String), Mistakes> {
    let root = match &common.directory {
        Some(directory) => Some(directory.clone()),
        None => Config::find(&PathBuf::new()).ok(),
    };
    match root {
        Some(root) => Ok((Config::load(&root)?, format!("as in {}", root.join(FILE_NAME).display()))),
        None => Ok((Config::usual(Path::new("")), "as built in".to_owned())),
    }
}

fn verdict(page: &mut Page, choice: Choice, in_force: Option<(Level, Guarantees)>) {
    match (in_force, choice) {
        (Some((level, _)), _) => page.verdict(Mark::Yes, &format!("Judging works here, at level {level}.")),
        (None, Choice::Only(level)) => page.verdict(Mark::No, &format!("Level {level} cannot be had here.")),
        (None, Choice::Best) => page.verdict(Mark::No, "Judging does not work here: no level can be had."),
    }
}

fn sandbox(page: &mut Page, tried: &[Tried], in_force: Option<(Level, Guarantees)>) {
    const WIDTH: usize = 5;
    page.heading("Levels of the sandbox");
    for (level, result) in tried {
        match result {
            Ok(_) if in_force.is_some_and(|(chosen, _)| chosen == *level) => {
                page.marked(Mark::Yes, level.name(), WIDTH, "in force");
            }
            Ok(_) => {
                let how = format!("to be had with `--sandbox {level}`");
                page.marked(Mark::Yes, level.name(), WIDTH, &how);
            }
            Err(fault) => {
                page.marked(Mark::No, level.name(), WIDTH, &fault.to_string());
                fault.remedy.iter().for_each(|remedy| page.remedy(9 + WIDTH, remedy));
            }
        }
    }
    if let Some((level, guarantees)) = in_force {
        let notes = [guarantees.notes(), gridjudge_sandbox::low_limits()].concat();
        page.heading(&format!("What level {level} does not see or defend"));
        notes.iter().for_each(|note| page.row("-", 1, note));
        let here = if notes.is_empty() { "nothing beyond what" } else { "and what" };
        page.row("-", 1, &format!("{here} docs/sandbox.md lists for this level on every machine"));
    }
}

fn facts(page: &mut Page, facts: Vec<Fact>, tried: &[Tried]) {
    const WIDTH: usize = 16;
    page.heading("This machine");
    for fact in facts {
        page.row(fact.name, WIDTH, &fact.value);
    }
    // Only a sandbox that has started knows.
    let landlock = tried.iter().find_map(|(_, result)| result.as_ref().ok()).map(|found| found.landlock);
    match landlock {
        Some(0) => page.row("Landlock", WIDTH, "none"),
        Some(version) => page.row("Landlock", WIDTH, &format!("version {version}")),
        None => {}
    }
}

fn noises(page: &mut Page, noises: &[Noise]) {
    if noises.is_empty() {
        page.heading("Noise in timing: nothing found");
        return;
    }
    let count = noises.len();
    page.heading(&format!("Noise in timing: {count} {}", plural(count as u64, "source")));
    for (noise, number) in noises.iter().zip(1..) {
        page.row(&format!("{number}"), 2, &noise.seen);
        page.more(6, &format!("effect: {}", noise.effect));
        page.remedy(6, &noise.remedy);
    }
}
