//! `gridjudge compare`: what has changed since.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use crate::baseline::markdown;
use crate::cli::Common;
use crate::cli::Ending;
use crate::cli::Stop;
use crate::cli::holding::Terms;
use crate::cli::known;
use crate::cli::output;
use crate::cli::reports;
use crate::spec::Mistakes;
use gridjudge_sandbox::Fault;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// What it was: a baseline, or a log; `-` for standard input
    #[arg(value_name = "BASELINE")]
    was: PathBuf,
    /// What it is: a log, or a baseline
    #[arg(value_name = "LOG")]
    now: PathBuf,
    #[command(flatten)]
    terms: Terms,
    /// Write the comparison to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the comparison to FILE as Markdown, for a pull request
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

pub(crate) fn run(compare: &Compare, common: &Common) -> Result<Ending, Stop> {
    let (json, in_markdown) = (compare.json.as_deref(), compare.markdown.as_deref());
    reports::check_apart(&[json, in_markdown].into_iter().flatten().collect::<Vec<_>>())?;
    json.map_or(Ok(()), |path| known::replaces_its_like(path, r#"{"submissions":"#, "comparison"))?;
    in_markdown.map_or(Ok(()), |path| known::replaces_its_like(path, "**gridjudge**:", "comparison"))?;
    let (was, now) = (known::read(&compare.was), known::read(&compare.now));
    let (was, now) = match (was, now) {
        (Err(Mistakes(mut first)), Err(Mistakes(second))) => {
            first.extend(second);
            return Err(Mistakes(first).into());
        }
        (was, now) => (was?, now?),
    };
    let terms = &compare.terms;
    let found = terms.compare(&was, &now, &compare.was)?;
    let ending = terms.tell(&found, common, false)?;
    if let Some(path) = json {
        let text = serde_json::to_string(&found).map_err(|error| Fault::new("writing JSON", error))?;
        write(path, &(text + "\n"))?;
    }
    if let Some(path) = in_markdown {
        write(path, &markdown(&found, |change| terms.strike(change)))?;
    }
    Ok(ending)
}

fn write(path: &Path, text: &str) -> Result<(), Fault> {
    output::write(path, text).map_err(|error| Fault::new(format!("writing {}", path.display()), error))
}
