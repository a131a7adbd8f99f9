//! Shows which languages this machine has, and whether they work. Each is tried with a correct
//! program, at the level in force.

use crate::sorted::SortedMap;
use std::thread;

use gridjudge_sandbox::{Fault, IsolationLevel, LevelChoice, machine};

use crate::cache::Cache;
use crate::cli::{CheckMark, SandboxHandle, StatusLine, TextPage, caching};
use crate::compile::{Compiler, LanguageTool, ToolFinder, ToolLocation};
use crate::model::{Language, UnusableLanguage};
use crate::run;
use crate::spec::Config;
use crate::text::JoinedTexts;

/// The results of trying languages, by language id. Languages that were not tried are missing.
type LanguageTrials = SortedMap<String, LanguageTrial>;

/// The reason why a language cannot be used, or `None` if it works.
type LanguageTrial = Result<Option<UnusableLanguage>, Fault>;

/// Adds a section about languages to a page: where their tools are, which are missing, and whether
/// they work. Without a level, no language is tried.
pub(crate) fn add_section(
    page: &mut TextPage,
    source: &str,
    config: &Config,
    level: Option<IsolationLevel>,
) {
    let finder = ToolFinder::of_this_process();
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
        .filter(|(_, tools)| are_found(tools))
        .map(|found| found.0)
        .collect();
    let trials = level.map(|level| {
        let _status = StatusLine::start("trying out languages");
        try_all(&found, level, config.cache_bytes)
    });
    let trials = trials.unwrap_or_default();
    page.heading(&format!("Languages, {source}"));
    for (language, tools) in languages {
        add_language(page, language, &tools, trials.get(&language.id), width);
    }
}

fn add_language(
    page: &mut TextPage,
    language: &Language,
    tools: &[LanguageTool],
    trial: Option<&LanguageTrial>,
    width: usize,
) {
    let texts: Vec<_> = tools.iter().map(text).collect();
    let text = if texts.is_empty() {
        "needs nothing".to_owned()
    } else {
        texts.join("; ")
    };
    let (unusable, advice) = match trial {
        Some(Ok(Some(unusable))) => (Some(unusable.cause.clone()), Some(unusable.remedy.clone())),
        Some(Err(fault)) => (Some(fault.to_string()), fault.remedy.clone()),
        _ => (None, remedy(language, tools)),
    };
    let mark = if are_found(tools) && unusable.is_none() {
        CheckMark::Yes
    } else {
        CheckMark::No
    };
    let texts = [text].into_iter().chain(unusable);
    page.marked(mark, &language.name, width, &texts.joined(": "));
    advice
        .iter()
        .for_each(|advice| page.remedy(9 + width, advice));
}

fn are_found(tools: &[LanguageTool]) -> bool {
    tools
        .iter()
        .all(|tool| matches!(tool.found, ToolLocation::At(_)))
}

/// Tries languages in parallel. Results in the cache are used instead of trying again.
fn try_all(languages: &[&Language], level: IsolationLevel, cache_bytes: u64) -> LanguageTrials {
    let jobs = machine::processors();
    let sandbox = match SandboxHandle::start(jobs, LevelChoice::Only(level)) {
        Ok(sandbox) => sandbox,
        Err(fault) => {
            return languages
                .iter()
                .map(|language| (language.id.clone(), Err(fault.clone())))
                .collect();
        }
    };
    let compiler = Compiler::new(sandbox.programs());
    let cache = (cache_bytes > 0)
        .then(|| caching::open(&sandbox, cache_bytes).ok())
        .flatten();
    let tried = thread::scope(|scope| {
        let threads = languages.iter().map(|language| {
            (
                language,
                scope.spawn(|| {
                    run::unusable_language(language, &compiler, cache.as_ref(), &*sandbox)
                }),
            )
        });
        let threads: Vec<_> = threads.collect();
        let tried = threads.into_iter().map(|(language, thread)| {
            let found = thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (language.id.clone(), found)
        });
        tried.collect()
    });
    let _ = cache.map(Cache::close);
    tried
}

pub(crate) fn text(tool: &LanguageTool) -> String {
    match &tool.found {
        ToolLocation::At(path) => format!("{}", path.display()),
        ToolLocation::Closed(path) => {
            format!(
                "{}, which the user that submissions run as cannot start",
                path.display()
            )
        }
        ToolLocation::Nowhere => format!("`{}` is not installed", tool.name),
    }
}

pub(crate) fn remedy(language: &Language, tools: &[LanguageTool]) -> Option<String> {
    let is_missing = tools.iter().any(|tool| tool.found == ToolLocation::Nowhere);
    let is_closed = tools
        .iter()
        .any(|tool| matches!(tool.found, ToolLocation::Closed(_)));
    let package = language.package.as_ref();
    match (is_missing || is_closed, package) {
        (true, Some(package)) => Some(format!("on Debian, apt-get install {package}")),
        (true, None) if is_missing => {
            Some("install it, or name where it is in judge.toml".to_owned())
        }
        (true, None) => {
            Some("install it where every user may start it, as in /usr/local".to_owned())
        }
        (false, _) => None,
    }
}
