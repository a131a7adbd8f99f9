//! One submission while it is being judged: made ready once by whoever needs it first, shared by all workers, cleared
//! away when its last case is told.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use crate::compile;
use crate::compile::Made;
use crate::model::Fault;
use crate::model::Job;
use crate::model::Program;
use crate::model::Trial;
use crate::sandbox::Sandbox;
use crate::suite::narrator::Outcome;
use crate::trial;

/// What a submission was made into, or why not.
type Product = Arc<Result<Made, Fault>>;

/// One submission under way.
#[derive(Default)]
pub(crate) struct Stage {
    product: Mutex<Option<Product>>,
    settled: AtomicBool,
}

impl Stage {
    /// Makes the submission ready unless it is. Whoever comes second waits for the first.
    pub(crate) fn make_ready(&self, make: impl FnOnce() -> Result<Made, Fault>) -> Product {
        let mut product = self.product.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(product.get_or_insert_with(|| Arc::new(make())))
    }

    /// Judges one case, unless the submission is settled.
    pub(crate) fn judge(
        &self,
        make: impl FnOnce() -> Result<Made, Fault>,
        job: impl FnOnce(&Program) -> Job,
        sandbox: &dyn Sandbox,
    ) -> Outcome {
        if self.settled.load(Ordering::Relaxed) {
            return Outcome::NotRun;
        }
        match &*self.make_ready(make) {
            Ok(Made::Ready { program, folder }) => match trial::hold(&job(program), sandbox) {
                Ok(trial) => {
                    let stderr_tail = compile::without_folder(folder.path(), &trial.stderr_tail).into_bytes();
                    Outcome::Judged(Box::new(Trial { stderr_tail, ..trial }))
                }
                Err(fault) => Outcome::Faulted(fault),
            },
            Ok(Made::Refused { reason, output }) => {
                Outcome::Refused { reason: reason.as_str().into(), output: output.as_str().into() }
            }
            Ok(Made::Unavailable { cause, remedy }) => {
                Outcome::Unavailable { cause: cause.as_str().into(), remedy: remedy.as_str().into() }
            }
            Err(fault) => Outcome::Faulted(fault.clone()),
        }
    }

    /// Says that the cases to come need not be run.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }

    /// Removes the program and its folder, as soon as no worker uses them.
    pub(crate) fn clear(&self) {
        self.settle();
        self.product.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
