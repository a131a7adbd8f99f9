//! The one table that tells who is to blame of two programs that have talked to each other. Knows how each has ended; knows
//! nothing of how that was found out.

use crate::model::Findings;
use crate::model::Verdict;
use gridjudge_sandbox::Side;

/// What a submission has earned, with what the interactor found where that decides, or in words why the interactor is at fault.
///
/// `breach` is what the submission earned by its own conduct; `answer` is what the interactor says, or what it did but
/// answer. Of what went wrong, that counts which went wrong first:
///
/// 1. An interactor that does anything but answer is at fault, unless the submission had failed before: of a talk with
///    a submission that has crashed, much can come.
/// 2. An interactor that rejects and ends first has decided: what the submission does after that, nobody has asked for.
/// 3. A submission that broke a limit or ended badly has failed, whatever the interactor makes of it.
/// 4. Else the interactor decides.
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

    /// How an interactor ends, and the verdict if it was first and if the submission was.
    type Row = (fn() -> Result<Findings, String>, Option<Verdict>, [Result<Verdict, ()>; 2]);

    #[test]
    fn who_failed_first_is_to_blame() {
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
            for (first, expected) in [Side::Interactor, Side::Submission].into_iter().zip(expected) {
                let found = blame(first, breach, answer());
                let told = found.as_ref().map(|(verdict, _)| *verdict).map_err(|_| ());
                assert_eq!(told, expected, "{first:?} first, {breach:?}, {:?}", answer());
                // A finding goes with what it has decided only.
                let has_finding = found.is_ok_and(|(_, findings)| findings.is_some());
                assert_eq!(has_finding, expected.is_ok_and(|verdict| Some(verdict) != breach));
            }
        }
    }
}
