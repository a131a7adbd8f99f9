//! Tests the comparison of texts with the vectors of
//! `tests/data/default_validator_vectors.json`: small pairs of answer and output for
//! the default validator of the Kattis problem package format, each with the verdicts
//! of problemtools, DOMjudge and BAPCtools, and under `rule` the verdict that the
//! format itself demands. Each letter stands for the byte of the same number.

use std::fs;
use std::path::Path;

use gridjudge::model::{Task, TextTask, Verdict};
use gridjudge::{check, spec};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/default_validator_vectors.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The bytes that the letters of a text stand for.
fn bytes(text: &Value) -> Vec<u8> {
    text.as_str()
        .unwrap()
        .chars()
        .map(|letter| u8::try_from(u32::from(letter)).unwrap())
        .collect()
}

/// Our verdict on a vector; `JE` if its flags are invalid.
fn our_verdict(flags: &str, answer: &[u8], output: &[u8]) -> String {
    let words: Vec<_> = flags.split_whitespace().collect();
    match spec::token_flags(&words) {
        Err(_) => "JE".to_owned(),
        Ok(rules) => {
            let task = Task::Text(TextTask::Tokens(rules));
            let findings =
                check::output(&task, &b""[..], output, Some(answer)).unwrap();
            assert_eq!(
                findings.listed.is_empty(),
                findings.verdict() == Verdict::Accepted
            );
            findings.verdict().to_string()
        }
    }
}

#[test]
fn every_vector_of_the_default_validator_gets_the_verdict_of_its_rule() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 78);
    let differing = vectors.iter().filter_map(|vector| {
        let flags = vector["flags"].as_str().unwrap();
        let verdict =
            our_verdict(flags, &bytes(&vector["ans"]), &bytes(&vector["out"]));
        let rule = vector["rule"].as_str().unwrap();
        (verdict != rule)
            .then(|| format!("{}: {verdict}, expected {rule}", vector["name"]))
    });
    assert_eq!(differing.collect::<Vec<_>>(), [""; 0]);
}
