//! Compares the stored cases of a problem with what its recipes make. Writes no file.

use crate::cli::args::GlobalOptions;
use crate::cli::screen;
use crate::cli::session::generate::{CaseFolder, stored};
use gridjudge_sandbox::Fault;

impl CaseFolder {
    /// Shows the stored files that are not what the recipes make. Returns how many.
    pub(super) fn differences(&self, common: &GlobalOptions) -> Result<u64, Fault> {
        let mut lines = Vec::new();
        for made in &self.made {
            for (path, bytes) in [
                (self.input(&made.name), &made.input),
                (self.answer(&made.name), &made.answer),
            ] {
                match stored(&path)? {
                    Some(found) if found == *bytes => {}
                    Some(found) => lines.push(format!(
                        "{} differs{}",
                        path.display(),
                        first_difference(&found, bytes)
                    )),
                    None => lines.push(format!("{} is missing", path.display())),
                }
            }
        }
        for name in &self.stale {
            let path = self.input(name);
            if path.exists() {
                lines.push(format!("{} is made by no recipe any more", path.display()));
            }
        }
        for line in &lines {
            screen::sentence(line)?;
        }
        if !lines.is_empty() && !common.quiet {
            screen::notice("`gridjudge generate` writes them anew");
        }
        Ok(lines.len() as u64)
    }
}

/// The first line in which two files differ, in words.
fn first_difference(found: &[u8], made: &[u8]) -> String {
    let same = found
        .iter()
        .zip(made)
        .take_while(|(one, other)| one == other)
        .count();
    let line = made[..same].iter().filter(|&&byte| byte == b'\n').count() + 1;
    format!(" from line {line} on")
}
