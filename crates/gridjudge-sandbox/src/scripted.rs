//! A sandbox that runs nothing and answers from a script, for the tests of code that
//! uses a sandbox.

use crate::{
    Fault, Interaction, InteractionRequest, Launch, Limits, Run, Sandbox, Side,
};

/// A [`Sandbox`] whose runs are produced by a function.
///
/// ```
/// # use std::time::Duration;
/// # use gridjudge_sandbox::{Input, Launch, Limits, Role, ScratchFiles};
/// use gridjudge_sandbox::{Sandbox, ScriptedSandbox};
///
/// let sandbox = ScriptedSandbox::new(|_, _| Ok(ScriptedSandbox::clean("42\n")));
/// # let launch = Launch { command: vec!["/x".into()], environment: vec![], input: Input::Empty,
/// #     readable: vec![], role: Role::Submission, scratch: ScratchFiles::default() };
/// # let second = Duration::from_secs(1);
/// # let limits = Limits { cpu: second, wall: second, memory_bytes: 1, output_bytes: 3, processes: 1, frequent_samples: false, address_space: None };
/// let run = sandbox.run(&launch, &limits).unwrap();
/// assert_eq!(std::io::read_to_string(run.stdout).unwrap(), "42\n");
/// ```
pub struct ScriptedSandbox<F> {
    script: F,
    interactions: Option<Box<InteractionScript>>,
}

/// The function that produces interactions.
type InteractionScript =
    dyn Fn(InteractionRequest<'_>) -> Result<Interaction, Fault> + Send + Sync;

impl<F> ScriptedSandbox<F>
where
    F: Fn(&Launch, &Limits) -> Result<Run, Fault> + Send + Sync,
{
    /// Creates a sandbox that answers every launch by calling `script`, possibly from
    /// many threads at once.
    pub fn new(script: F) -> Self {
        Self {
            script,
            interactions: None,
        }
    }

    /// The same sandbox, with interactions produced by another function. Without one,
    /// both runs are produced like any other, and the submission's ends first.
    #[must_use]
    pub fn with_interactions(
        self,
        script: impl Fn(InteractionRequest<'_>) -> Result<Interaction, Fault>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            interactions: Some(Box::new(script)),
            ..self
        }
    }
}

impl ScriptedSandbox<()> {
    /// A run that printed this, used nothing, and exited with code 0.
    pub fn clean(stdout: impl Into<Vec<u8>>) -> Run {
        let stdout = stdout.into();
        let bytes = stdout.len() as u64;
        Run::of_output(std::io::Cursor::new(stdout), bytes)
    }
}

impl<F> Sandbox for ScriptedSandbox<F>
where
    F: Fn(&Launch, &Limits) -> Result<Run, Fault> + Send + Sync,
{
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        (self.script)(launch, limits)
    }

    fn interact(
        &self,
        request: InteractionRequest<'_>,
    ) -> Result<Interaction, Fault> {
        if let Some(script) = &self.interactions {
            return script(request);
        }
        let one = request.submission;
        let other = request.interactor;
        let submission = self.run(one.launch, one.limits)?;
        let interactor = self.run(other.launch, other.limits)?;
        Ok(Interaction {
            submission,
            interactor,
            first: Side::Submission,
            stall: None,
            written: 0,
        })
    }
}
