//! Makes and parses names that say which judge something belongs to, so that what a dead judge left
//! can be distinguished from what a living one uses. Knows processes; knows nothing of what is
//! named. Start at [`JudgeProcess::of`].

use crate::machine::process_tree;

/// The prefix of all our names.
const MARK: &str = "gridjudge-";

/// A judge, by its process id and the time when the process started, because process ids are
/// reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JudgeProcess {
    process: u32,
    start: u64,
}

impl JudgeProcess {
    /// This process.
    pub(crate) fn this() -> Self {
        let process = std::process::id();
        Self {
            process,
            start: process_tree::start_of(process).unwrap_or(0),
        }
    }

    /// The judge that a name contains; `None` if the name is not ours.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(MARK)?.splitn(3, '-');
        let process = parts.next()?.parse().ok()?;
        let start = parts.next()?.parse().ok()?;
        Some(Self { process, start })
    }

    /// The prefix of the names of everything that belongs to it.
    pub(crate) fn prefix(self) -> String {
        format!("{MARK}{}-{}-", self.process, self.start)
    }

    /// Whether the process is gone, as far as this process can see others.
    pub(crate) fn is_dead(self) -> bool {
        process_tree::start_of(self.process) != Some(self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_contains_its_judge_and_other_names_contain_none() {
        let this = JudgeProcess::this();
        assert_eq!(
            JudgeProcess::of(&format!("{}x7", this.prefix())),
            Some(this)
        );
        assert!(!this.is_dead());
        assert!(
            JudgeProcess {
                start: this.start + 1,
                ..this
            }
            .is_dead()
        );
        for name in [
            "gridjudge-neighbours",
            "gridjudge-12",
            "gridjudge-a-b-c",
            "other-12-34-x",
        ] {
            assert_eq!(JudgeProcess::of(name), None, "{name}");
        }
    }
}
