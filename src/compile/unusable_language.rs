//! What is told of a language that does not work on this machine.

/// Why a language does not work here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableLanguage {
    /// What happened to a right program, with the tool's own message.
    pub cause: String,
    /// What to do about it.
    pub remedy: String,
}
