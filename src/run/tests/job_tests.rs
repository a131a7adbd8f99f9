//! Jobs as they would be sent to a worker on another machine.

use super::*;
use crate::model::{Job, Program};

#[test]
fn a_job_and_its_program_are_unchanged_by_serialisation() {
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
