//! Submitted answers, which are prepared when they are judged.

use super::*;
use crate::model::SubmittedAnswers;

/// How many sets of answers exist now, existed at most at the same time, and have been
/// prepared.
#[derive(Default)]
struct AnswerCounts {
    now: usize,
    most: usize,
    made: usize,
}

struct CountedAnswers(Arc<(Mutex<AnswerCounts>, Condvar)>);

impl Drop for CountedAnswers {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().now -= 1;
    }
}

#[test]
fn answers_exist_only_while_they_are_judged_however_far_the_workers_run_ahead() {
    let fixture = SuiteFixture::with_cases(1);
    let names: Vec<_> = (0..40).map(|number| number.to_string()).collect();
    let mut plan =
        fixture.plan(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let counts: Arc<(Mutex<AnswerCounts>, Condvar)> = Arc::default();
    for (number, entry) in plan.entries.iter_mut().enumerate() {
        let counts = Arc::clone(&counts);
        let by_case = [("secret/0".to_owned(), fixture.cases[0].answer.clone())];
        entry.answers = Some(Arc::new(move || {
            let (locked, moved) = &*counts;
            let mut counted = locked.lock().unwrap();
            // Nothing is reported before the first submission, which waits for all
            // others.
            while number == 0 && counted.made < 39 {
                counted = moved.wait(counted).unwrap();
            }
            counted.now += 1;
            counted.made += 1;
            counted.most = counted.most.max(counted.now);
            moved.notify_all();
            drop(counted);
            let answers = SubmittedAnswers::from(by_case.clone());
            Ok(ReadyAnswers::new(
                answers,
                CountedAnswers(Arc::clone(&counts)),
            ))
        }));
    }
    let events = fixture.judge(
        &plan,
        2,
        true,
        &ScriptedSandbox::new(|_, _| unreachable!("nothing runs")),
    );
    let accepted = events
        .iter()
        .filter(|event| matches!(event, Event::TrialFinished(record) if record.verdict == Verdict::Accepted));
    let counted = counts.0.lock().unwrap();
    assert_eq!((accepted.count(), counted.made, counted.now), (40, 40, 0));
    assert!(counted.most <= 2, "{}", counted.most);
}
