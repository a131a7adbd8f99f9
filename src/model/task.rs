//! What a problem asks for, and how an output is judged. A task is matched in `spec`, `check` and `proof` only; whatever
//! works with one kind of task, as the makers of cases do, takes that kind.

use serde::Deserialize;
use serde::Serialize;

use crate::model::CheckerKind;
use crate::model::CheckerTask;
use crate::model::TextTask;
use gridjudge_grid::Format;
use gridjudge_grid::format::PuzzleKind;
use gridjudge_sandbox::Limits;

/// What a problem asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "there is one of it for each problem")]
pub enum Task {
    /// Grids to be completed.
    Grid(GridTask),
    /// A text, which is compared with the stored answer.
    Text(TextTask),
    /// Whatever a program of the problem takes for right, of an output or of a talk with the submission.
    Checker(CheckerTask),
}

/// Grids to be completed, or their solutions to be counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridTask {
    /// How inputs and outputs are written.
    pub format: Format,
    /// Which answers count.
    pub accept: Accept,
}

/// Which answers to a grid count as right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Accept {
    /// The only solution; the problem guarantees that there is exactly one.
    Unique,
    /// Any solution.
    Any,
    /// The first solution, if the cells are read row by row and compared by the order of the symbols.
    First,
    /// All solutions, in that order.
    All {
        /// The most that a grid may have, or that are shown.
        most: u64,
    },
    /// The number of solutions, and the first of them, if there is one.
    FirstCounted {
        /// The most that a grid may have, or that are counted.
        most: u64,
    },
    /// The number of solutions, and any one of them, if there is one.
    AnyCounted {
        /// The most that a grid may have, or that are counted.
        most: u64,
    },
    /// The number of solutions.
    Count {
        /// The most that a grid may have, or that are counted.
        most: u64,
    },
    /// A word that says what the grid is: valid, solvable, and so on.
    Word,
}

impl Accept {
    /// The most solutions that are listed or counted, where they are.
    pub fn most(self) -> Option<u64> {
        match self {
            Self::All { most }
            | Self::FirstCounted { most }
            | Self::AnyCounted { most }
            | Self::Count { most } => Some(most),
            Self::Unique | Self::Any | Self::First | Self::Word => None,
        }
    }

    /// Whether any solution is as good as another.
    pub fn is_any(self) -> bool {
        matches!(self, Self::Any | Self::AnyCounted { .. })
    }

    /// Whether an answer tells the number of all solutions and shows one of them.
    pub fn shows_one_of_many(self) -> bool {
        matches!(self, Self::FirstCounted { .. } | Self::AnyCounted { .. })
    }

    /// Whether an answer is a list of solutions, or tells their number.
    pub fn is_list(self) -> bool {
        self.most().is_some()
    }
}

impl GridTask {
    /// Whether each grid of an input brings a map of its own.
    pub fn brings_maps(&self) -> bool {
        self.format.input.region_map.is_some()
    }

    /// Whether a grid may have more than one solution: the problem says what is to be answered then.
    pub fn may_have_several(&self) -> bool {
        let replies = &self.format.replies;
        match self.accept {
            Accept::Unique => replies.several.is_some(),
            Accept::Word => replies.line_for(PuzzleKind::Several).is_some(),
            _ => true,
        }
    }
}

impl Task {
    /// The task if it is about grids, for what can work with nothing else.
    pub fn as_grid(&self) -> Option<&GridTask> {
        match self {
            Self::Grid(grid) => Some(grid),
            Self::Text(_) | Self::Checker(_) => None,
        }
    }

    /// Whether the submission talks to a program of the problem while it runs, so that there is no output to be judged by itself.
    pub fn is_interactive(&self) -> bool {
        matches!(self, Self::Checker(CheckerTask { kind: CheckerKind::Interactor, .. }))
    }

    /// The program that looks at the source of a submission, where that is judged and not a run.
    pub fn static_validator(&self) -> Option<&CheckerTask> {
        match self {
            Self::Checker(task) if task.kind == CheckerKind::StaticValidator => Some(task),
            Self::Grid(_) | Self::Text(_) | Self::Checker(_) => None,
        }
    }

    /// All that a verdict depends on beside the case and the program, as bytes to be hashed. Results are stored under
    /// this hash, so the bytes for grids must stay what they have been: format, accept and limits as one JSON list.
    ///
    /// # Errors
    /// If something in it cannot be written as JSON.
    pub fn cache_key(&self, limits: &Limits) -> serde_json::Result<Vec<u8>> {
        match self {
            Self::Grid(GridTask { format, accept }) => serde_json::to_vec(&(format, accept, limits)),
            Self::Text(text) => serde_json::to_vec(&("text", text, limits)),
            Self::Checker(CheckerTask {
                kind,
                protocol,
                arguments,
                limits: own,
                passes,
                final_checker: Some(last),
                ..
            }) => {
                let last = (&last.protocol, &last.arguments, &last.limits);
                serde_json::to_vec(&(
                    kind.name(),
                    protocol,
                    arguments,
                    own,
                    limits,
                    passes,
                    "final checker",
                    last,
                ))
            }
            // What the checker is made of belongs to the case of the program; see `run`.
            Self::Checker(CheckerTask { kind, protocol, arguments, limits: own, passes: 1, .. }) => {
                serde_json::to_vec(&(kind.name(), protocol, arguments, own, limits))
            }
            Self::Checker(CheckerTask { kind, protocol, arguments, limits: own, passes, .. }) => {
                serde_json::to_vec(&(kind.name(), protocol, arguments, own, limits, passes))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gridjudge_grid::Replies;
    use gridjudge_grid::Template;

    use super::*;
    use crate::model::CheckerProtocol;

    #[test]
    fn what_comes_after_an_interactor_is_part_of_the_key_and_a_task_without_it_has_the_key_that_it_had() {
        let second = Duration::from_secs(1);
        let limits = Limits {
            cpu: second,
            wall: second,
            memory_bytes: 1,
            output_bytes: 2,
            processes: 3,
            close_looks: false,
        };
        let task = |kind, limits: &Limits, final_checker| CheckerTask {
            kind,
            source: "x.cpp".into(),
            protocol: CheckerProtocol::Testlib,
            arguments: vec![],
            limits: limits.clone(),
            passes: 1,
            final_checker,
        };
        let key = |final_checker: Option<CheckerTask>| {
            let task = task(CheckerKind::Interactor, &limits, final_checker.map(Box::new));
            String::from_utf8(Task::Checker(task).cache_key(&limits).unwrap()).unwrap()
        };
        let last = |limits: &Limits| key(Some(task(CheckerKind::FinalChecker, limits, None)));
        let more = Limits { output_bytes: 4, ..limits.clone() };
        assert!(key(None) != last(&limits) && last(&limits) != last(&more));
        let own = serde_json::to_string(&limits).unwrap();
        assert_eq!(key(None), format!("[\"interactor\",\"testlib\",[],{own},{own}]"));
    }

    /// Results are stored under a hash of these bytes.
    #[test]
    fn lines_that_name_no_case_are_stored_as_they_have_been() {
        let replies = Replies { none: Some("NO".into()), invalid: Some("{n}".into()), ..Replies::default() };
        let stored = serde_json::to_string(&replies).unwrap();
        assert_eq!(stored, r#"{"none":"NO","several":null,"count":null,"apart":false,"invalid":"{n}"}"#);
        let numbered = Replies { none: Some(Template::parse("{n}: no", "n").unwrap()), ..replies };
        for replies in [serde_json::from_str(&stored).unwrap(), numbered] {
            let stored = serde_json::to_string(&replies).unwrap();
            assert_eq!(serde_json::from_str::<Replies>(&stored).unwrap(), replies);
        }
    }
}
