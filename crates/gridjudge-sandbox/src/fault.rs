//! The failures of the judge itself, which are never a verdict.

use std::any::Any;
use std::error::Error;
use std::iter;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Something that the judge could not do. It says nothing about the submission, leads
/// to exit code 3, and is shown with a remedy where one is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{doing}: {cause}")]
pub struct Fault {
    /// What was being done, for example `reading cases/a/secret/1.in`.
    pub doing: String,
    /// Why it failed, for example `permission denied`.
    pub cause: String,
    /// What the reader can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// Whether a run was lost with its launcher, and was not repeated because it may
    /// have left files. See [`again_if_lost`].
    #[serde(skip)]
    pub lost_run: bool,
}

/// How often work is begun if launchers die in it.
pub(crate) const MOST_ATTEMPTS: usize = 3;

/// Does work that starts judging programs again from its beginning if it has lost a
/// run, three times at most. The work must not depend on anything that an earlier
/// attempt may have changed: each attempt needs folders of its own.
///
/// # Errors
/// Returns the [`Fault`] of the last attempt.
pub fn again_if_lost<T>(
    mut work: impl FnMut() -> Result<T, Fault>,
) -> Result<T, Fault> {
    for _ in 1..MOST_ATTEMPTS {
        match work() {
            Err(fault) if fault.lost_run => {}
            result => return result,
        }
    }
    work()
}

impl Fault {
    /// A fault met while `doing`, with the text of this cause and of its own sources.
    pub fn new(doing: impl Into<String>, cause: impl Error) -> Self {
        let mut text = cause.to_string();
        for deeper in iter::successors(cause.source(), |&error| error.source()) {
            let deeper_text = deeper.to_string();
            // Many libraries repeat the cause in their own text.
            if !text.contains(&deeper_text) {
                text = format!("{text}: {deeper_text}");
            }
        }
        Self::because(doing, text)
    }

    /// A fault whose cause is our own text, not an error value.
    pub fn because(doing: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            doing: doing.into(),
            cause: cause.into(),
            remedy: None,
            lost_run: false,
        }
    }

    /// Converts an error to the fault that it is while doing this.
    pub fn during<E: Error>(doing: &str) -> impl Fn(E) -> Self + Copy {
        move |error| Self::new(doing, error)
    }

    /// Converts an error to the fault that it is while doing this to a file.
    pub fn at<E: Error>(doing: &str, path: &Path) -> impl Fn(E) -> Self + Copy {
        move |error| Self::new(format!("{doing} {}", path.display()), error)
    }

    /// A fault for a panic met while `doing`, with the panic's message.
    pub fn of_panic(doing: impl Into<String>, panic: &(dyn Any + Send)) -> Self {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        Self::because(
            doing,
            format!("a bug of gridjudge: {}", text.unwrap_or("it panicked")),
        )
        .with_remedy("report it, with the files that it was judging")
    }

    /// The same fault with advice.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self {
            remedy: Some(remedy.into()),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_loses_a_run_is_done_again_from_its_beginning_three_times_at_most() {
        let attempts = |lost: usize, fault: Fault| {
            let mut begun = 0;
            let result = again_if_lost(|| {
                begun += 1;
                if begun > lost {
                    Ok(())
                } else {
                    Err(fault.clone())
                }
            });
            (begun, result.is_ok())
        };
        let lost = || Fault {
            lost_run: true,
            ..Fault::because("running", "its launcher ended")
        };
        assert_eq!(attempts(0, lost()), (1, true));
        assert_eq!(attempts(2, lost()), (3, true));
        assert_eq!(attempts(3, lost()), (3, false));
        assert_eq!(
            attempts(1, Fault::because("running", "no disk")),
            (1, false)
        );
    }
}
