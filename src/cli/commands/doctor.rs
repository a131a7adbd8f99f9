//! `gridjudge doctor` and `gridjudge cache`: show which isolation and which languages
//! this machine offers and lacks, how calmly it measures time, and what to do about all
//! that; and what is in the cache, or clear it.

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Args, Subcommand};
use gridjudge_sandbox::machine::NoiseSource;
use gridjudge_sandbox::{Fault, Guarantees, IsolationLevel, LevelChoice, machine};

use crate::cache;
use crate::cli::packages::package_page;
use crate::cli::packages::package_tools::{install_remedy, tool_text};
use crate::cli::{
    CancelToken, CheckMark, CommandOutcome, CommandResult, GlobalOptions,
    JudgeSession, LevelTrial, PackageChoice, SandboxChoice, SandboxStartup,
    StatusLine, TextPage, ToolMaker, in_parallel, is_path, package_tools, screen,
    startup,
};
use crate::compile::{LanguageTool, Toolchain};
use crate::model::{Language, UnusableLanguage};
use crate::report::mebibytes;
use crate::spec::{Config, FILE_NAME, Mistake, Mistakes};
use crate::text::{JoinedTexts, counted, round_time};

#[derive(Args)]
pub(crate) struct DoctorArgs {
    /// Show instead what is understood of this package of another judge: its folder or
    /// archive, or the id of a problem that is one
    package: Option<String>,
    /// Same as the positional argument
    #[arg(short, long, value_name = "PACKAGE", conflicts_with = "package")]
    problem: Option<String>,
    #[command(flatten)]
    format: PackageChoice,
    /// Level that must be available here; `auto` for any
    #[arg(long, value_name = "LEVEL", default_value = "auto")]
    sandbox: SandboxChoice,
}

pub(crate) fn run(doctor: &DoctorArgs, common: &GlobalOptions) -> CommandResult {
    if let Some(named) = doctor.package.as_ref().or(doctor.problem.as_ref()) {
        return package(named, doctor, common);
    }
    doctor.format.of_named(0)?;
    let is_built_in = common.directory.is_none() && !Config::is_found(Path::new(""));
    let (config, source) = if is_built_in {
        (Config::without_file()?, "as built in".to_owned())
    } else {
        let root = common.root()?;
        let file = root.join(FILE_NAME);
        (Config::load(&root)?, format!("as in {}", file.display()))
    };
    let choice = doctor.sandbox.choice();
    // This is measured before the judge runs anything, which would count as other work
    // on the machine.
    let noise = machine::noise_sources();
    // Levels below the best working one are tried, too.
    let tried = IsolationLevel::ALL.map(|level| (level, startup::try_level(level)));
    let in_force = startup::in_force(choice, &tried);
    let mut page = TextPage::default();
    let (mark, text) = match (in_force, choice) {
        (Some((level, _)), _) => (
            CheckMark::Yes,
            format!("Judging works here, at level {level}."),
        ),
        (None, LevelChoice::Only(level)) => (
            CheckMark::No,
            format!("Level {level} is not available here."),
        ),
        (None, LevelChoice::Best) => (
            CheckMark::No,
            "Judging does not work here: no level is available.".to_owned(),
        ),
    };
    page.verdict(mark, &text);
    if !screen::is_quiet() {
        sandbox(&mut page, &tried, in_force);
        facts(&mut page, &tried);
        noise_sources(&mut page, &noise);
        add_languages(
            &mut page,
            &source,
            &config,
            in_force.map(|(level, _)| level),
        );
    }
    screen::result(page.finish().trim_end())?;
    Ok(CommandOutcome::Failed.when(in_force.is_none()))
}

/// Shows what is understood of a package.
fn package(
    named: &String,
    doctor: &DoctorArgs,
    common: &GlobalOptions,
) -> CommandResult {
    // A folder may also be named without a slash.
    let is_id = common
        .folder()
        .is_ok_and(|folder| folder.ids().any(|id| id == named));
    let named = if is_id || is_path(named) {
        named.clone()
    } else {
        format!("{named}/")
    };
    let folder = common
        .folder_with([&named], &doctor.format)?
        .reading_past_mistakes();
    let found = folder.find(&named)?;
    let Some(package) = found.package().transpose()? else {
        return Mistake::refuse(
            found.file(),
            "is not a package of another judge",
            "`gridjudge verify` looks into problems of this one",
        );
    };
    // As `verify` finds them: those that are programs are compiled.
    let mut validators = package_tools::input_rules(&package);
    if !package.validation.input_validators.is_empty() {
        let startup = SandboxStartup::begin(Some(1), doctor.sandbox.choice());
        let session =
            JudgeSession::open(startup, &found.config, &CancelToken::default())?;
        let _status = StatusLine::start("compiling the input validators");
        let maker = ToolMaker {
            found,
            package: &package,
            session: &session,
        };
        maker.add_input_programs(&mut validators)?;
    }
    let mut page = TextPage::default();
    let is_judged =
        package_page::write_package_page(&mut page, found, &package, validators);
    screen::result(page.finish().trim_end())?;
    let outcome = CommandOutcome::Surprising.when(!is_judged);
    Ok(Mistakes::or(package.all_mistakes(), outcome)?)
}

fn sandbox(
    page: &mut TextPage,
    tried: &[LevelTrial],
    in_force: Option<(IsolationLevel, Guarantees)>,
) {
    const WIDTH: usize = 5;
    page.heading("Levels of the sandbox");
    for (level, result) in tried {
        let is_in_force = in_force.is_some_and(|(chosen, _)| chosen == *level);
        let (mark, text) = match result {
            Ok(_) if is_in_force => (CheckMark::Yes, "in force".to_owned()),
            Ok(_) => (
                CheckMark::Yes,
                format!("available with `--sandbox {level}`"),
            ),
            Err(fault) => (CheckMark::No, fault.to_string()),
        };
        page.marked(mark, level.name(), WIDTH, &text);
        if let Err(fault) = result
            && let Some(remedy) = &fault.remedy
        {
            page.remedy(9 + WIDTH, remedy);
        }
    }
    if let Some((level, guarantees)) = in_force {
        let notes = [guarantees.notes(), gridjudge_sandbox::low_limits()].concat();
        page.heading(&format!("What level {level} does not protect against here"));
        for note in &notes {
            page.row("-", 1, note);
        }
        let here = if notes.is_empty() {
            "nothing beyond what"
        } else {
            "and what"
        };
        page.row(
            "-",
            1,
            &format!("{here} docs/sandbox.md lists for this level on every machine"),
        );
    }
}

fn facts(page: &mut TextPage, tried: &[LevelTrial]) {
    const WIDTH: usize = 16;
    page.heading("This machine");
    for fact in machine::facts() {
        page.row(fact.name, WIDTH, &fact.value);
    }
    // The Landlock version is known only of a sandbox that has started.
    let landlock = tried
        .iter()
        .find_map(|(_, result)| result.as_ref().ok())
        .map(|found| found.landlock);
    match landlock {
        Some(0) => page.row("Landlock", WIDTH, "none"),
        Some(version) => page.row("Landlock", WIDTH, &format!("version {version}")),
        None => {}
    }
}

fn noise_sources(page: &mut TextPage, noise_sources: &[NoiseSource]) {
    if noise_sources.is_empty() {
        page.heading("Noise in timing: nothing found");
        return;
    }
    page.heading(&format!(
        "Noise in timing: {}",
        counted(noise_sources.len(), "source")
    ));
    for (noise, number) in noise_sources.iter().zip(1..) {
        page.row(&format!("{number}"), 2, &noise.seen);
        page.more(6, &format!("effect: {}", noise.effect));
        page.remedy(6, &noise.remedy);
    }
}

// Shows which languages this machine has, and whether they work. Each is tried with a
// correct program, at the level in force.

/// The results of trying languages, by language id: the reason why a language cannot be
/// used, or `None` if it works. Languages that were not tried are missing.
type LanguageTrials = BTreeMap<String, Result<Option<UnusableLanguage>, Fault>>;

/// Adds a section about languages to a page: where their tools are, which are missing,
/// and whether they work. Without a level, no language is tried.
fn add_languages(
    page: &mut TextPage,
    source: &str,
    config: &Config,
    level: Option<IsolationLevel>,
) {
    let finder = Toolchain::of_this_process();
    let languages: Vec<_> = config
        .languages()
        .map(|language| (language, finder.tools(language)))
        .collect();
    let width = languages
        .iter()
        .map(|(language, _)| language.name.chars().count())
        .max()
        .unwrap_or(0);
    let found: Vec<_> = languages
        .iter()
        .filter(|(_, tools)| tools.iter().all(LanguageTool::is_found))
        .map(|found| found.0)
        .collect();
    let trials = level.map_or_else(LanguageTrials::new, |level| {
        let _status = StatusLine::start("trying out languages");
        try_languages(&found, level, config).unwrap_or_else(|fault| {
            found
                .iter()
                .map(|language| (language.id.clone(), Err(fault.clone())))
                .collect()
        })
    });
    page.heading(&format!("Languages, {source}"));
    for (language, tools) in languages {
        let text = if tools.is_empty() {
            "needs nothing".to_owned()
        } else {
            tools.iter().map(tool_text).joined("; ")
        };
        let (unusable, advice) = match trials.get(&language.id) {
            Some(Ok(Some(unusable))) => {
                (Some(unusable.cause.clone()), Some(unusable.remedy.clone()))
            }
            Some(Err(fault)) => (Some(fault.to_string()), fault.remedy.clone()),
            _ => (None, install_remedy(language, &tools)),
        };
        let mark = if unusable.is_none() && advice.is_none() {
            CheckMark::Yes
        } else {
            CheckMark::No
        };
        let texts = [text].into_iter().chain(unusable);
        page.marked(mark, &language.name, width, &texts.joined(": "));
        if let Some(advice) = &advice {
            page.remedy(9 + width, advice);
        }
    }
}

/// Tries languages in parallel. Results in the cache are used instead of trying again.
fn try_languages(
    languages: &[&Language],
    level: IsolationLevel,
    config: &Config,
) -> Result<LanguageTrials, Fault> {
    let cancel = CancelToken::default();
    let startup = SandboxStartup::begin(Some(0), LevelChoice::Only(level));
    let session = JudgeSession::open_silently(startup, config, &cancel)?;
    let trials = in_parallel(languages, session.jobs(), &cancel, &|language| {
        Ok((
            language.id.clone(),
            session.compiler().check_language(language),
        ))
    })?;
    session.close_silently();
    Ok(trials.into_iter().collect())
}

// Shows what is in the cache, or clears it.

#[derive(Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    action: Option<CacheAction>,
}

#[derive(Subcommand)]
enum CacheAction {
    /// Show where the cache is and what is in it (the default).
    Show,
    /// Remove everything from it: trials, compiled programs, proofs.
    Clear,
}

pub(crate) fn show_cache(
    command: &CacheArgs,
    common: &GlobalOptions,
) -> CommandResult {
    let path = startup::cache_place().ok_or_else(|| {
        Fault::because("looking for the cache", "nothing tells where it is")
            .with_remedy("set GRIDJUDGE_CACHE to a folder of your own")
    })?;
    if let Some(CacheAction::Clear) = command.action {
        let (programs, bytes) = cache::clear_cache(&path)?;
        let programs = counted(programs, "program");
        screen::result(format!(
            "removed the trials of {programs}, {}",
            mebibytes(bytes)
        ))?;
        return Ok(CommandOutcome::AsExpected);
    }
    // Of the nearest `judge.toml`, if there is one.
    let config = common.root().and_then(|root| Config::load(&root));
    let most_bytes =
        config.map_or(Config::DEFAULT_CACHE_BYTES, |config| config.cache_bytes);
    let stats = cache::stats(&path)?.unwrap_or_default();
    screen::result(path.display())?;
    screen::result(format!(
        "{} of {}, {} of at most {}",
        counted(stats.trials, "trial"),
        counted(stats.programs, "program"),
        mebibytes(stats.bytes),
        mebibytes(most_bytes),
    ))?;
    let builds = counted(stats.builds, "compiled or checked program");
    screen::result(format!(
        "{builds}, {} of these",
        mebibytes(stats.build_bytes)
    ))?;
    for limit in cache::kept_limits(&path)? {
        let long = round_time(limit.limit_us);
        screen::result(format!(
            "time limit of {}: {long}, measured on {}",
            limit.package, limit.measured
        ))?;
    }
    if stats.damaged > 0 {
        screen::notice(format!(
            "{}, which are ignored",
            counted(stats.damaged, "damaged line")
        ));
    }
    Ok(CommandOutcome::AsExpected)
}
