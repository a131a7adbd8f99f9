//! Why a language does not work on this machine. Plain data.

/// Why a language does not work here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableLanguage {
    /// What happened to a correct program, with the tool's own message.
    pub cause: String,
    /// How to fix it.
    pub remedy: String,
}
