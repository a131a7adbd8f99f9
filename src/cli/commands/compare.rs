//! `gridjudge compare`: shows what has changed since a baseline or an earlier log.

use std::path::{Path, PathBuf};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::cli::{CommandResult, ComparePolicy, log_file, output, report_options};
use crate::compare::markdown;
use crate::spec::Mistakes;

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// Baseline or log to compare with; `-` for standard input
    #[arg(value_name = "BASELINE")]
    was: PathBuf,
    /// Log or baseline that is compared with it
    #[arg(value_name = "LOG")]
    now: PathBuf,
    #[command(flatten)]
    terms: ComparePolicy,
    /// Write the comparison to FILE as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the comparison to FILE as Markdown, for a pull request
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

pub(crate) fn run(compare: &CompareArgs) -> CommandResult {
    let json = compare.json.as_deref();
    let in_markdown = compare.markdown.as_deref();
    let named: Vec<_> = [
        (json, r#"{"submissions":"#),
        (in_markdown, "**gridjudge**:"),
    ]
    .map(|(path, start)| Some((path?, start)))
    .into_iter()
    .flatten()
    .collect();
    let paths: Vec<_> = named.iter().map(|(path, _)| *path).collect();
    report_options::check_apart(&paths)?;
    for (path, start) in named {
        let message = "is not a comparison, and the new comparison would overwrite it";
        output::refuse_unlike(path, start, message)?;
    }
    let read = [&compare.was, &compare.now].map(|path| log_file::read_baseline(path));
    let was_and_now = Mistakes::of_all(read)?;
    let terms = &compare.terms;
    let found = terms.compare(&was_and_now[0], &was_and_now[1], &compare.was)?;
    let ending = terms.show(&found)?;
    if let Some(path) = json {
        let text =
            serde_json::to_string(&found).map_err(Fault::during("writing JSON"))?;
        write(path, &(text + "\n"))?;
    }
    if let Some(path) = in_markdown {
        write(path, &markdown(&found, |change| terms.is_failure(change)))?;
    }
    Ok(ending)
}

fn write(path: &Path, text: &str) -> Result<(), Fault> {
    output::write_file(path, text).map_err(Fault::at("writing", path))
}
