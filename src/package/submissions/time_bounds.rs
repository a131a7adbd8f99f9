//! Reads `use_for_time_limit` of a rule in `submissions.yaml`: whether the times of submissions
//! bound the time limit. To bound it from below is to be permitted anything but to be too slow;
//! from above, to be required to be.

use crate::keys::KeyTable;
use crate::package::submissions::case_rule::{CaseRule, ours};

const KEY: &str = "use_for_time_limit";

impl CaseRule {
    /// Adds what the rule says of the time limit: that its cases do not count, or a further rule on
    /// them.
    pub(super) fn with_time_bounds(self, table: &KeyTable<'_>, further: &mut Vec<Self>) -> Self {
        if let Some(counts) = table.flag_or_text(KEY) {
            match counts.value.as_str() {
                "true" => {}
                "false" => {
                    return Self {
                        is_untimed: true,
                        ..self
                    };
                }
                "lower" => further.push(Self {
                    permitted: Some(ours(&["AC", "WA", "RTE"])),
                    required: None,
                    score: None,
                    message: None,
                    ..self.clone()
                }),
                "upper" => further.push(Self {
                    permitted: None,
                    required: Some(ours(&["TLE"])),
                    score: None,
                    message: None,
                    ..self.clone()
                }),
                other => {
                    let message = format!("`{KEY}` cannot be {}", crate::mistake::quoted(other));
                    table.note(
                        counts.place,
                        message,
                        "use `false`, `true`, `lower` or `upper`",
                    );
                }
            }
        }
        self
    }
}
