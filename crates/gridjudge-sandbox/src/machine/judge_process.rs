//! Names that tell which judge something belongs to, so that what a dead one left can be told from what a living one
//! uses. Knows processes; knows nothing of what is named. Start at [`JudgeProcess::of`].

use crate::machine::process_tree;

/// What all our names begin with.
const MARK: &str = "gridjudge-";

/// A judge, by its process and when that started: process numbers are given anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JudgeProcess {
    process: u32,
    start: u64,
}

impl JudgeProcess {
    /// This process.
    pub(crate) fn this() -> Self {
        let process = std::process::id();
        Self { process, start: process_tree::start_of(process).unwrap_or(0) }
    }

    /// The judge that something is named after.
    pub(crate) fn of(name: &str) -> Option<Self> {
        let mut parts = name.strip_prefix(MARK)?.splitn(3, '-');
        let (process, start) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Self { process, start })
    }

    /// What the names of its things begin with.
    pub(crate) fn prefix(self) -> String {
        format!("{MARK}{}-{}-", self.process, self.start)
    }

    /// Whether it is gone, as far as this process can see others.
    pub(crate) fn is_dead(self) -> bool {
        process_tree::start_of(self.process) != Some(self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_owner_and_no_other_name_does() {
        let this = JudgeProcess::this();
        assert_eq!(JudgeProcess::of(&format!("{}x7", this.prefix())), Some(this));
        assert!(!this.is_dead());
        assert!(JudgeProcess { start: this.start + 1, ..this }.is_dead());
        for name in ["gridjudge-neighbours", "gridjudge-12", "gridjudge-a-b-c", "other-12-34-x"] {
            assert_eq!(JudgeProcess::of(name), None, "{name}");
        }
    }
}
