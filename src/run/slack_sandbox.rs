//! A sandbox that stops submissions some time after their time limit. Knows neither what their
//! verdict is nor whether others run beside them.

use gridjudge_sandbox::{
    Fault, Interaction, InteractionRequest, Launch, Limits, Party, Role, Run, Sandbox,
};

/// A sandbox that extends the limits of submissions, which shows whether one needs slightly or much
/// more time than its limit. Those of tools and of the problem's own programs stay.
pub(super) struct SlackSandbox<'a> {
    pub(super) sandbox: &'a dyn Sandbox,
    /// Extends the limits.
    pub(super) slack: fn(&Limits) -> Limits,
}

impl Sandbox for SlackSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        if launch.role == Role::Submission {
            self.sandbox.run(launch, &(self.slack)(limits))
        } else {
            self.sandbox.run(launch, limits)
        }
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let limits = (self.slack)(request.submission.limits);
        let submission = Party {
            limits: &limits,
            ..request.submission
        };
        self.sandbox.interact(InteractionRequest {
            submission,
            ..request
        })
    }
}
