//! Compares outputs that are texts with the stored answer: by the rules of the default
//! validator of the Kattis problem package format, in our own two stricter ways, or as
//! the checkers of DMOJ and online-judge-tools do. Both texts are read as streams, in
//! little memory however long a line or a token is, except where the order does not
//! count, or each line has points. Knows nothing of grids. Start at [`text_output`].

mod comparison;
mod gap;
mod long_double;
mod numeral;
mod rules;
mod stream;
mod unordered;
mod wording;

use std::io::Read;

use crate::check::CheckError;
use crate::model::{Findings, TextTask};

use comparison::TextComparison;
use gap::GapSummary;
use numeral::{LongNumeral, parse_number};
use rules::{ComparisonRules, GapRule, NumberTolerance};
use stream::{
    BUFFER, TextPlace, filled_lines, gap_length, is_space, same_bytes, token_length,
    token_starts,
};
use unordered::WholeTexts;
use wording::{LineContent, ShownToken};

/// Compares an output with the stored answer.
///
/// # Errors
/// Returns [`CheckError`] if one of the two cannot be read.
pub(super) fn text_output(
    task: &TextTask,
    mut output: impl Read,
    mut answer: impl Read,
) -> Result<Findings, CheckError> {
    let output: &mut dyn Read = &mut output;
    let answer: &mut dyn Read = &mut answer;
    match task {
        TextTask::Unordered(piece) => {
            let finding = WholeTexts::read(output, answer)?.difference(*piece);
            Ok(finding.map_or_else(Findings::default, Findings::from))
        }
        TextTask::ScoredLines(rules) => {
            WholeTexts::read(output, answer)?.scored(rules)
        }
        task => {
            TextComparison::new(ComparisonRules::for_task(task), output, answer).run()
        }
    }
}

#[cfg(test)]
mod tests;
