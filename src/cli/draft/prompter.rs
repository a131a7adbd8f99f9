//! Asks the questions of a draft one by one at a terminal.

use std::io::{BufRead, Write};

use crate::cli::screen;
use gridjudge_sandbox::Fault;

/// Asks questions on standard error, and reads the replies.
pub(super) struct Prompter<R> {
    /// Whether questions are asked at all; otherwise the usual values are used.
    pub(super) ask: bool,
    pub(super) input: R,
}

impl<R: BufRead> Prompter<R> {
    /// The option if given, otherwise the reply to the question, otherwise the usual value.
    pub(super) fn text(
        &mut self,
        option: &Option<String>,
        question: &str,
        usual: &str,
    ) -> Result<String, Fault> {
        match option {
            Some(given) => Ok(given.clone()),
            None if !self.ask => Ok(usual.to_owned()),
            None => self.reply(question, usual),
        }
    }

    pub(super) fn number(&mut self, question: &str, usual: u8) -> Result<u8, Fault> {
        while self.ask {
            if let Ok(number) = self.reply(question, &usual.to_string())?.parse() {
                return Ok(number);
            }
            screen::notice("it must be a whole number, as in `9`");
        }
        Ok(usual)
    }

    pub(super) fn reply(&mut self, question: &str, usual: &str) -> Result<String, Fault> {
        let doing = || format!("asking for {question}");
        let mut terminal = anstream::stderr();
        write!(terminal, "{question} [{usual}]: ").map_err(|error| Fault::new(doing(), error))?;
        let mut line = String::new();
        let bytes = self
            .input
            .read_line(&mut line)
            .map_err(|error| Fault::new(doing(), error))?;
        match line.trim() {
            _ if bytes == 0 => {
                Err(Fault::because(doing(), "there is no answer").with_remedy("say `--yes`"))
            }
            "" => Ok(usual.to_owned()),
            reply => Ok(reply.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_reply_means_the_usual_and_no_reply_is_a_fault() {
        let mut prompter = Prompter {
            ask: true,
            input: &b"\nspaced\n"[..],
        };
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "joined");
        assert_eq!(prompter.text(&None, "q", "joined").unwrap(), "spaced");
        assert!(prompter.text(&None, "q", "joined").is_err());
        assert_eq!(
            prompter.text(&Some("x".into()), "q", "joined").unwrap(),
            "x"
        );
    }
}
