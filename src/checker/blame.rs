//! Decides which of two interacting programs is to blame. Knows how each has ended, but not how
//! that was observed.

use crate::model::{Findings, Verdict};
use gridjudge_sandbox::Side;

/// Returns the verdict of a submission, with the interactor's findings if they decide it, or in
/// words why the interactor is at fault.
///
/// `breach` is the verdict that follows from the submission's run alone; `answer` is the
/// interactor's answer, or why it gave none. Whichever failed first is to blame:
///
/// 1. An interactor that gives no valid answer is at fault, unless the submission had failed
///    before: after a submission has crashed, even a correct interactor may fail.
/// 2. An interactor that rejects and ends first has decided: what the submission does after that
///    does not matter.
/// 3. A submission that broke a limit or crashed has failed, whatever the interactor answers.
/// 4. Otherwise the interactor decides.
pub(super) fn blame(
    first: Side,
    breach: Option<Verdict>,
    answer: Result<Findings, String>,
) -> Result<(Verdict, Option<Findings>), String> {
    let findings = match (answer, first, breach) {
        (Err(_), Side::Submission, Some(verdict)) => return Ok((verdict, None)),
        (Err(cause), ..) => return Err(cause),
        (Ok(findings), ..) => findings,
    };
    let has_decided = first == Side::Interactor && findings.verdict() != Verdict::Accepted;
    match breach.filter(|_| !has_decided) {
        Some(verdict) => Ok((verdict, None)),
        None => Ok((findings.verdict(), Some(findings))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::answer;
    use crate::model::FindingKind;

    fn accepts() -> Result<Findings, String> {
        Ok(Findings::default())
    }

    fn rejects() -> Result<Findings, String> {
        let mut findings = Findings::default();
        findings.note(answer::finding(FindingKind::Wrong, "no".to_owned()));
        Ok(findings)
    }

    fn fails() -> Result<Findings, String> {
        Err("it crashed".to_owned())
    }

    /// The interactor's answer, the submission's breach, and the verdict if the interactor or the
    /// submission ended first.
    type Row = (
        fn() -> Result<Findings, String>,
        Option<Verdict>,
        [Result<Verdict, ()>; 2],
    );

    #[test]
    fn the_program_that_failed_first_is_to_blame() {
        use Verdict::*;
        let mut rows: Vec<Row> = vec![
            (accepts, None, [Ok(Accepted); 2]),
            (rejects, None, [Ok(WrongAnswer); 2]),
            (fails, None, [Err(()); 2]),
        ];
        for breach in [OutputLimit, MemoryLimit, TimeLimit, IdleLimit, RuntimeError] {
            rows.push((accepts, Some(breach), [Ok(breach); 2]));
            rows.push((rejects, Some(breach), [Ok(WrongAnswer), Ok(breach)]));
            rows.push((fails, Some(breach), [Err(()), Ok(breach)]));
        }
        for (answer, breach, expected) in rows {
            for (first, expected) in [Side::Interactor, Side::Submission]
                .into_iter()
                .zip(expected)
            {
                let found = blame(first, breach, answer());
                let verdict = found.as_ref().map(|(verdict, _)| *verdict).map_err(|_| ());
                assert_eq!(
                    verdict,
                    expected,
                    "{first:?} first, {breach:?}, {:?}",
                    answer()
                );
                // Findings are returned only if they decided the verdict.
                let has_finding = found.is_ok_and(|(_, findings)| findings.is_some());
                assert_eq!(
                    has_finding,
                    expected.is_ok_and(|verdict| Some(verdict) != breach)
                );
            }
        }
    }
}
