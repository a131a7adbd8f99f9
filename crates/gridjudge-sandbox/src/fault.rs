//! The failures of the judge itself, which are never a verdict.

use std::any::Any;
use std::error::Error;

use serde::Deserialize;
use serde::Serialize;

/// Something that the judge could not do. It says nothing about the submission, leads to exit code 3, and is
/// shown with a remedy where one is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{doing}: {cause}")]
pub struct Fault {
    /// What was being done, for example `reading cases/a/secret/1.in`.
    pub doing: String,
    /// Why it failed, for example `permission denied`.
    pub cause: String,
    /// What the reader can do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remedy: Option<String>,
}

impl Fault {
    /// A fault met while `doing`, with the text of this cause and of its own sources.
    pub fn new(doing: impl Into<String>, cause: impl Error) -> Self {
        let mut text = cause.to_string();
        let mut next = cause.source();
        while let Some(deeper) = next {
            let deeper_text = deeper.to_string();
            // Many libraries repeat the cause in their own text.
            if !text.contains(&deeper_text) {
                text = format!("{text}: {deeper_text}");
            }
            next = deeper.source();
        }
        Self { doing: doing.into(), cause: text, remedy: None }
    }

    /// A fault whose cause is our own text, not an error value.
    pub fn because(doing: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { doing: doing.into(), cause: cause.into(), remedy: None }
    }

    /// A fault for a panic met while `doing`, with the panic's message.
    pub fn of_panic(doing: impl Into<String>, panic: &(dyn Any + Send)) -> Self {
        let text =
            panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Self::because(doing, format!("a bug of gridjudge: {}", text.unwrap_or("it panicked")))
            .with_remedy("report it, with the files that it was judging")
    }

    /// The same fault with advice.
    #[must_use]
    pub fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }
}
