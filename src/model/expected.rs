//! The verdicts expected of a submission. Knows verdicts and the folders that stand for them; whether the expectation
//! is met, others ask.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use crate::model::Verdict;

/// One of these verdicts, and no other. In a log it is one code, or a list of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "OneOrMany", into = "OneOrMany")]
pub struct Expected(Vec<Verdict>);

/// Folders of other judges' packages that stand for one of several verdicts.
const FOLDERS: [(&str, &[Verdict]); 2] = [
    (
        "rejected",
        &[
            Verdict::WrongAnswer,
            Verdict::PresentationError,
            Verdict::TimeLimit,
            Verdict::IdleLimit,
            Verdict::MemoryLimit,
            Verdict::OutputLimit,
            Verdict::RuntimeError,
        ],
    ),
    ("brute_force", &[Verdict::TimeLimit, Verdict::IdleLimit, Verdict::MemoryLimit, Verdict::RuntimeError]),
];

impl Expected {
    /// One of several, in this order, each once.
    pub fn one_of(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut each = Vec::new();
        verdicts.into_iter().for_each(|verdict| {
            if !each.contains(&verdict) {
                each.push(verdict);
            }
        });
        Self(each)
    }

    /// The verdicts that a folder of example submissions stands for, if its name is known.
    pub fn of_folder(name: &str) -> Option<Self> {
        let several = FOLDERS.iter().find(|row| row.0 == name).map(|row| Self::one_of(row.1.iter().copied()));
        several.or_else(|| Verdict::expected_by_folder(name).map(Self::from))
    }

    /// The verdicts that both allow; none if they contradict each other.
    pub fn narrowed_by(&self, other: &Self) -> Option<Self> {
        let both: Vec<_> = self.0.iter().copied().filter(|verdict| other.allows(*verdict)).collect();
        (!both.is_empty()).then(|| Self::one_of(both))
    }

    /// Whether it is that of a program that is too slow, and no other.
    pub fn is_too_slow(&self) -> bool {
        self.allows(Verdict::TimeLimit)
            && self.0.iter().all(|verdict| matches!(verdict, Verdict::TimeLimit | Verdict::IdleLimit))
    }

    /// Whether a verdict is among the expected ones.
    pub fn allows(&self, verdict: Verdict) -> bool {
        self.0.contains(&verdict)
    }

    /// The verdicts that do.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.0
    }
}

impl From<Verdict> for Expected {
    fn from(verdict: Verdict) -> Self {
        Self(vec![verdict])
    }
}

/// `WA`, or `WA or TLE`.
impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.0.iter().map(|verdict| verdict.code()).collect::<Vec<_>>().join(" or "))
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(Verdict),
    Several(Vec<Verdict>),
}

impl From<OneOrMany> for Expected {
    fn from(verdicts: OneOrMany) -> Self {
        match verdicts {
            OneOrMany::One(verdict) => Self::from(verdict),
            OneOrMany::Several(verdicts) => Self::one_of(verdicts),
        }
    }
}

impl From<Expected> for OneOrMany {
    fn from(Expected(verdicts): Expected) -> Self {
        match verdicts[..] {
            [verdict] => Self::One(verdict),
            _ => Self::Several(verdicts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_verdict_is_a_code_in_a_log_and_several_are_a_list() {
        let json = |expected: &Expected| serde_json::to_string(expected).unwrap();
        let one = Expected::from(Verdict::WrongAnswer);
        let two = Expected::one_of([Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::WrongAnswer]);
        assert_eq!((json(&one).as_str(), json(&two).as_str()), (r#""WA""#, r#"["WA","TLE"]"#));
        assert_eq!(serde_json::from_str::<Expected>(&json(&one)).unwrap(), one);
        assert_eq!(serde_json::from_str::<Expected>(&json(&two)).unwrap(), two);
        assert_eq!((one.to_string(), two.to_string()), ("WA".to_owned(), "WA or TLE".to_owned()));
    }

    #[test]
    fn a_folder_promises_one_verdict_or_one_of_several() {
        let of = |folder| Expected::of_folder(folder).map(|expected| expected.to_string());
        assert_eq!(of("wrong").as_deref(), Some("WA"));
        assert_eq!(of("brute_force").as_deref(), Some("TLE or ILE or MLE or RE"));
        assert!(!Expected::of_folder("rejected").unwrap().allows(Verdict::Accepted));
        assert_eq!(of("mixed"), None);
    }
}
