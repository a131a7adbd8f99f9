//! Finds out which levels of the sandbox work on this machine, by trying each.

use std::time::Duration;

use crate::cli::session::startup::SandboxHandle;
use crate::model;
use gridjudge_sandbox::{
    Fault, Guarantees, Input, IsolationLevel, Launch, LevelChoice, Limits, Role, Sandbox,
    ScratchFiles,
};

/// A level, and either its guarantees on this machine or the reason why it does not work.
pub(crate) type LevelTrial = (IsolationLevel, Result<Guarantees, Fault>);

/// Tries every level, the best first. Levels below the best working one are tried, too.
pub(crate) fn try_all() -> Vec<LevelTrial> {
    IsolationLevel::ALL
        .map(|level| (level, try_level(level)))
        .into()
}

/// The level that judging would use: the best working one that `choice` allows.
pub(crate) fn in_force(
    choice: LevelChoice,
    tried: &[LevelTrial],
) -> Option<(IsolationLevel, Guarantees)> {
    tried
        .iter()
        .filter(|(level, _)| choice == LevelChoice::Best || choice == LevelChoice::Only(*level))
        .find_map(|(level, result)| result.as_ref().ok().map(|guarantees| (*level, *guarantees)))
}

/// Starts the sandbox at one level and runs a program in it that does nothing: on some machines, a
/// sandbox starts but a run fails.
fn try_level(level: IsolationLevel) -> Result<Guarantees, Fault> {
    const LIMITS: Limits = Limits {
        cpu: Duration::from_secs(10),
        wall: Duration::from_secs(60),
        memory_bytes: 256 << 20,
        output_bytes: 1 << 20,
        processes: 16,
        frequent_samples: false,
        address_space: None,
    };
    let sandbox = SandboxHandle::start(1, LevelChoice::Only(level))?;
    let launch = Launch {
        command: ["/bin/sh", "-c", ":"].map(str::to_owned).into(),
        environment: Vec::new(),
        input: Input::Empty,
        readable: Vec::new(),
        role: Role::Submission,
        scratch: ScratchFiles::default(),
    };
    let run = sandbox.run(&launch, &LIMITS)?;
    match model::verdict_of_breach(&run, &LIMITS) {
        None => Ok(sandbox.guarantees()),
        Some(_) => Err(Fault::because(
            "running a program that does nothing",
            format!("it ended with {}", run.exit),
        )),
    }
}
