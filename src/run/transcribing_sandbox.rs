//! A sandbox that passes interactions to a display while they go on. Knows the case of each, but
//! not how it is shown.

use std::time::Duration;

use gridjudge_sandbox::{
    Fault, Interaction, InteractionListener, InteractionRequest, Launch, Limits, Run, Sandbox, Side,
};

use crate::model::{InteractionDisplay, PlannedCase};
use crate::trial::TranscriptRecorder;

/// A sandbox for one case. Shows interactions that have a listener; the others run as usual.
pub(super) struct TranscribingSandbox<'a> {
    pub(super) sandbox: &'a dyn Sandbox,
    pub(super) case: PlannedCase,
    pub(super) display: &'a dyn InteractionDisplay,
}

impl Sandbox for TranscribingSandbox<'_> {
    fn run(&self, launch: &Launch, limits: &Limits) -> Result<Run, Fault> {
        self.sandbox.run(launch, limits)
    }

    fn interact(&self, request: InteractionRequest<'_>) -> Result<Interaction, Fault> {
        let Some(listener) = request.listener else {
            return self.sandbox.interact(request);
        };
        let talk = ShownTalk {
            sandbox: self,
            listener,
            said: TranscriptRecorder::default(),
        };
        let found = self.sandbox.interact(InteractionRequest {
            listener: Some(&talk),
            ..request
        });
        self.display.end(self.case, &talk.said.into_transcript());
        found
    }
}

/// Passes an interaction to the display in addition to its own listener.
struct ShownTalk<'a> {
    sandbox: &'a TranscribingSandbox<'a>,
    listener: &'a dyn InteractionListener,
    said: TranscriptRecorder,
}

impl InteractionListener for ShownTalk<'_> {
    fn begin(&self) {
        self.listener.begin();
        self.said.begin();
        self.sandbox.display.begin(self.sandbox.case);
    }

    fn receive(&self, by: Side, at: Duration, bytes: &[u8]) {
        self.listener.receive(by, at, bytes);
        let TranscribingSandbox { case, display, .. } = self.sandbox;
        self.said
            .hear_and_show(by, at, bytes, &|line| display.say(*case, line));
    }
}
