//! Tests of `constants`, and of where in a package they are filled in.

use super::*;
use crate::model::Constants;

#[test]
fn constants_are_texts_and_numbers_by_their_names() {
    let package = read(&with(
        &format!("{NEW}constants:\n  max_n: 1e5\n  word: \"yes\"\n"),
        &[],
    ));
    let constants = |values: &[(&str, &str)]| {
        values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect::<Constants>()
    };
    assert_eq!(
        package.constants,
        constants(&[("max_n", "1e5"), ("word", "yes")])
    );
    let forms =
        format!("{NEW}constants:\n  five: {{value: 5, roman: V}}\n  six: 6\n");
    let values = [("five", "5"), ("five.roman", "V"), ("six", "6")];
    assert_eq!(read(&with(&forms, &[])).constants, constants(&values));
    let list = refused(&with(&format!("{NEW}constants:\n- 1\n"), &[]));
    assert!(
        list[0].ends_with(
            "`constants` must be a map of texts and numbers, found a list"
        ),
        "{list:?}"
    );
    let brace = refused(&with(
        &format!("{NEW}constants:\n  \"a}}\": 1\n  \"\": 2\n"),
        &[],
    ));
    assert!(
        brace[0]
            .ends_with("`a}` can be no constant: its name is empty or holds a brace"),
        "{brace:?}"
    );
    assert_eq!(brace.len(), 2);
}

#[test]
fn constants_are_filled_in_in_settings_of_groups() {
    let yaml = format!(
        "{NEW}constants: {{near: 1e-3, long: {}}}\n",
        "x".repeat(2000)
    );
    let group = "output_validator_args: [float_tolerance, {{near}}]\n";
    let package = read(&with(&yaml, &[("data/secret/test_group.yaml", group)]));
    let Task::Text(TextTask::Tokens(rules)) = &package.case_tasks["secret/2"] else {
        panic!("no tokens")
    };
    assert_eq!(rules.absolute_tolerance.map(f64::from), Some(1e-3));
    let bomb = "# {{long}}\n".repeat(1000);
    let refused = refused(&with(&yaml, &[("data/secret/test_group.yaml", &bomb)]));
    assert!(
        refused[0].ends_with(
            "has more than 1 MiB with the package's `constants` filled in"
        ),
        "{refused:?}"
    );
}

#[test]
fn a_name_in_settings_of_groups_that_is_no_constant_is_a_mistake() {
    let yaml = format!("{NEW}constants: {{MAX_XL: 1, other: 2}}\n");
    let group = "args: [\"{{MAXXL}}\", \"{{other}}\", \"{ {}}\"]\n";
    let read = Package::read(
        with(&yaml, &[("data/secret/test_group.yaml", group)])
            .path()
            .join("pkg")
            .as_path(),
    );
    let mistakes = read.unwrap_err().0;
    assert_eq!(mistakes.len(), 1);
    assert_eq!(mistakes[0].message, "`MAXXL` is no constant of the package");
    assert_eq!(mistakes[0].line, Some(1));
    assert_eq!(
        mistakes[0].remedy.as_deref(),
        Some("did you mean `MAX_XL`?")
    );
}
