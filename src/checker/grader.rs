//! Asks the grader of a package for the result of a group of cases. It is given one
//! line for each case or group in it on standard input, and must print one such line
//! and end with exit code 0. Anything else is a fault.
//!
//! Source: the Kattis problem package format, legacy, "Graders".

use gridjudge_sandbox::{Fault, Input, Run, Sandbox, again_if_lost};

use crate::checker::{CallFolder, last_words};
use crate::model::{
    self, CheckerProgram, CustomGrader, GradedResult, PointValue, ResultCode,
    ScoreGroup, Verdict,
};
use crate::text::JoinedTexts;

/// The most bytes of a grader's output that are accepted.
const MOST_PRINTED: u64 = 4 * 1024;

/// One call of a grader.
pub struct GraderCall<'a> {
    /// The grader.
    pub grader: &'a CustomGrader,
    /// The program that it was compiled to.
    pub program: &'a CheckerProgram,
    /// The group, with the arguments for it.
    pub group: &'a ScoreGroup,
}

impl GraderCall<'_> {
    /// Asks the grader to combine these results into that of the group.
    ///
    /// # Errors
    /// Returns a [`Fault`] if the grader gives no valid answer, or if the judge itself
    /// failed.
    pub fn ask(
        &self,
        results: &[GradedResult],
        sandbox: &dyn Sandbox,
    ) -> Result<GradedResult, Fault> {
        let failed = |error| Fault::new(self.doing(), error);
        let lines: String = results
            .iter()
            .map(|one| format!("{} {}\n", one.code.name(), one.points))
            .collect();
        let mut run = again_if_lost(|| {
            let folder = CallFolder::claim(&self.program.scratch).map_err(failed)?;
            let input = Input::Bytes(lines.clone().into_bytes());
            let launch =
                folder.launch(&self.program.program, self.arguments(), input);
            sandbox.run(&launch, &self.grader.limits)
        })?;
        let printed = run.printed(MOST_PRINTED + 1).map_err(failed)?;
        self.answer_of(&run, &printed).map_err(|cause| {
            let shown = lines.lines().joined(", ");
            let remedy = format!(
                "fix it; to repeat it, give it these lines on standard input: {}",
                if shown.is_empty() { "none" } else { &shown }
            );
            Fault::because(self.doing(), cause).with_remedy(remedy)
        })
    }

    fn arguments(&self) -> &[String] {
        self.group.grader_arguments.as_deref().unwrap_or_default()
    }

    fn doing(&self) -> String {
        let group = match self.group.name.as_str() {
            "" => "all cases",
            name => name,
        };
        let arguments = self.arguments().iter().map(|word| format!(" {word}"));
        let arguments = arguments.collect::<String>();
        format!(
            "grading {group} by {}{arguments}",
            self.grader.source.display()
        )
    }

    /// The answer of a finished run, or in words why it is none.
    fn answer_of(&self, run: &Run, printed: &[u8]) -> Result<GradedResult, String> {
        if let Some(verdict) = model::verdict_of_breach(run, &self.grader.limits) {
            let said = last_words(&[], &run.stderr_tail);
            return Err(match verdict {
                Verdict::RuntimeError => format!("it ended with {}{said}", run.exit),
                limit => format!(
                    "it broke its own limit ({}, `validation_*`){said}",
                    limit.code()
                ),
            });
        }
        parsed(&String::from_utf8_lossy(printed))
    }
}

/// Parses the one line that a grader prints.
fn parsed(printed: &str) -> Result<GradedResult, String> {
    let words: Vec<_> = printed.split_whitespace().take(3).collect();
    let found = match words[..] {
        [code, points] if printed.trim().lines().count() == 1 => {
            // A grader may say this of its own accord; it is never told so.
            let code = if code == "MLE" {
                ResultCode::RuntimeError.name()
            } else {
                code
            };
            let code = ResultCode::ALL
                .into_iter()
                .find(|known| known.name() == code);
            code.zip(points.parse().ok().and_then(PointValue::new))
        }
        _ => None,
    };
    found
        .map(|(code, points)| GradedResult { code, points })
        .ok_or_else(|| {
            let start: String = printed.trim().chars().take(60).collect();
            let shown = if start.is_empty() {
                "nothing".to_owned()
            } else {
                format!("`{}`", start.escape_debug())
            };
            format!(
                "it printed {shown}, where a code and points are due, for example `AC 40`"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_line_of_a_code_and_points_is_an_answer() {
        for (printed, code, points) in [
            ("AC 40\n", ResultCode::Accepted, "40"),
            (" WA\t0.5", ResultCode::WrongAnswer, "0.5"),
        ] {
            let found = parsed(printed).unwrap();
            assert_eq!(
                (found.code, found.points.to_string().as_str()),
                (code, points)
            );
        }
        for other in [
            "",
            "AC",
            "40",
            "ac 40",
            "JE 0",
            "AC nan",
            "AC 1 2",
            "AC 1\nAC 2\n",
            "AC\n1\n",
        ] {
            assert!(parsed(other).is_err(), "{other:?}");
        }
    }
}
