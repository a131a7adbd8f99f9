//! Which languages this machine has, and whether they work: each is tried with a right program, at the level in force.

use std::collections::BTreeMap;
use std::io;
use std::io::IsTerminal;
use std::thread;
use std::time::Duration;

use indicatif::ProgressBar;

use crate::cache::Cache;
use crate::cli::Common;
use crate::cli::caching;
use crate::cli::opening::Opened;
use crate::cli::page::Mark;
use crate::cli::page::Page;
use crate::compile::Found;
use crate::compile::Survey;
use crate::compile::Tool;
use crate::compile::Unfit;
use crate::compile::Workshop;
use crate::model::Language;
use crate::spec::Config;
use crate::suite;
use gridjudge_sandbox::Choice;
use gridjudge_sandbox::Fault;
use gridjudge_sandbox::Level;
use gridjudge_sandbox::machine;

/// What came of trying languages, by their keys; not in it is what there was nothing to try with.
type Tried = BTreeMap<String, Result<Option<Unfit>, Fault>>;

/// Tells of each language where its tools are, which are missing, and whether it works. Where there is no level, nothing
/// can be tried.
pub(crate) fn tell(page: &mut Page, source: &str, config: &Config, common: &Common, level: Option<Level>) {
    let survey = Survey::of_this_process();
    let languages: Vec<_> = config.languages().map(|language| (language, survey.tools(language))).collect();
    let width = languages.iter().map(|(language, _)| language.name.chars().count()).max().unwrap_or(0);
    let found: Vec<_> = languages.iter().filter(|(_, tools)| are_found(tools)).map(|found| found.0).collect();
    let tried = level.map(|level| {
        let spinner = (io::stderr().is_terminal() && !common.quiet).then(ProgressBar::new_spinner);
        spinner.iter().for_each(|spinner| {
            spinner.set_message("trying out languages");
            spinner.enable_steady_tick(Duration::from_millis(100));
        });
        let tried = try_all(&found, level, config.cache_bytes);
        spinner.iter().for_each(ProgressBar::finish_and_clear);
        tried
    });
    let tried = tried.unwrap_or_default();
    page.heading(&format!("Languages, {source}"));
    for (language, tools) in languages {
        let texts: Vec<_> = tools.iter().map(text).collect();
        let text = if texts.is_empty() { "needs nothing".to_owned() } else { texts.join("; ") };
        let (unfit, advice) = match tried.get(&language.id) {
            Some(Ok(Some(unfit))) => (Some(unfit.cause.clone()), Some(unfit.remedy.clone())),
            Some(Err(fault)) => (Some(fault.to_string()), fault.remedy.clone()),
            _ => (None, remedy(language, &tools)),
        };
        let mark = if are_found(&tools) && unfit.is_none() { Mark::Yes } else { Mark::No };
        let texts: Vec<_> = [text].into_iter().chain(unfit).collect();
        page.marked(mark, &language.name, width, &texts.join(": "));
        advice.iter().for_each(|advice| page.remedy(9 + width, advice));
    }
}

fn are_found(tools: &[Tool]) -> bool {
    tools.iter().all(|tool| matches!(tool.found, Found::At(_)))
}

/// Tries languages side by side. What is known from earlier judging is not tried again.
fn try_all(languages: &[&Language], level: Level, cache_bytes: u64) -> Tried {
    let jobs = machine::processors();
    let sandbox = match Opened::start(jobs, Choice::Only(level)) {
        Ok(sandbox) => sandbox,
        Err(fault) => {
            let failed = |language: &&Language| (language.id.clone(), Err(fault.clone()));
            return languages.iter().map(failed).collect();
        }
    };
    let workshop = Workshop::new(sandbox.programs());
    let cache = (cache_bytes > 0).then(|| caching::open(&sandbox, cache_bytes).ok()).flatten();
    let try_out = |language: &Language| suite::why_unfit(language, &workshop, cache.as_ref(), &*sandbox);
    let tried = thread::scope(|scope| {
        let threads = languages.iter().map(|language| (language, scope.spawn(|| try_out(language))));
        let threads: Vec<_> = threads.collect();
        let tried = threads.into_iter().map(|(language, thread)| {
            let found = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (language.id.clone(), found)
        });
        tried.collect()
    });
    let _ = cache.map(Cache::close);
    tried
}

fn text(tool: &Tool) -> String {
    match &tool.found {
        Found::At(path) => format!("{}", path.display()),
        Found::Closed(path) => {
            format!("{}, which the user that submissions run as cannot start", path.display())
        }
        Found::Nowhere => format!("`{}` is not installed", tool.name),
    }
}

fn remedy(language: &Language, tools: &[Tool]) -> Option<String> {
    let is_missing = tools.iter().any(|tool| tool.found == Found::Nowhere);
    let is_closed = tools.iter().any(|tool| matches!(tool.found, Found::Closed(_)));
    let package = language.package.as_ref();
    match (is_missing || is_closed, package) {
        (true, Some(package)) => Some(format!("on Debian, apt-get install {package}")),
        (true, None) if is_missing => Some("install it, or name where it is in judge.toml".to_owned()),
        (true, None) => Some("install it where every user may start it, as in /usr/local".to_owned()),
        (false, _) => None,
    }
}
