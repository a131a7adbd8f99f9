//! What a worker on another machine would be sent.

use super::*;
use crate::model::Job;
use crate::model::Program;

#[test]
fn a_job_and_the_program_in_it_are_the_same_after_they_were_sent() {
    let fixture = SuiteFixture::with_cases(1);
    let plan = fixture.plan(&["a"]);
    let program = Program {
        command: vec!["run".into(), "two words".into()],
        environment: vec![("PATH".into(), "/bin".into())],
        readable: vec!["lib".into()],
        entry_point: "a.cpp".into(),
    };
    let sent = serde_json::to_string(&program).unwrap();
    assert_eq!(serde_json::from_str::<Program>(&sent).unwrap(), program);

    let job = plan.entries[0].job(&fixture.cases[0], &program, None);
    let sent = serde_json::to_string(&job).unwrap();
    assert_eq!(serde_json::from_str::<Job>(&sent).unwrap(), job);
}
