//! Problems of DMOJ and folders of online-judge-tools, which contain no submissions and
//! no time limit.

use super::tried::{
    CRASH, Class, FLOOD, HALVES, NUMBERS, ONES, RIGHT, Shipping, Tried, UNFLUSHED,
    WRONG, in_c,
};

/// A checker that accepts any multiple of the answer with exit code 0, and rejects
/// others with 1.
const MULTIPLES: &str = r#"#include <stdio.h>
int main(int count, char **words) {
    FILE *output = fopen(words[2], "r"), *answer = fopen(words[3], "r");
    int found, right;
    if (count < 4 || fscanf(answer, "%d", &right) != 1) return 3;
    if (fscanf(output, "%d", &found) != 1) return 1;
    return found <= 0 || found % right != 0;
}
"#;

/// An interactor that lets the submission guess a number, at most ten times.
const INTERACTOR: &str = r#"#include <stdio.h>
int main(int count, char **words) {
    FILE *input = fopen(words[1], "r");
    int hidden, guess;
    if (count < 3 || fscanf(input, "%d", &hidden) != 1) return 3;
    for (int guesses = 1; guesses <= 10; guesses++) {
        if (scanf("%d", &guess) != 1) return 1;
        puts(guess == hidden ? "correct" : guess < hidden ? "higher" : "lower");
        fflush(stdout);
        if (guess == hidden) return 0;
    }
    return 1;
}
"#;

/// A folder with cases of these inputs and answers, and these programs, which are named
/// after their classes.
fn folder(
    format: &'static str,
    kind: &'static str,
    files: &[(&str, &str)],
    cases: &[(String, String)],
    submissions: &[(&str, Class)],
) -> Tried {
    let mut all: Vec<_> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect();
    let place = if format == "oj" { "test/" } else { "" };
    for (number, (input, answer)) in cases.iter().enumerate() {
        all.push((format!("{place}{}.in", number + 1), input.clone()));
        all.push((format!("{place}{}.out", number + 1), answer.clone()));
    }
    let named = submissions
        .iter()
        .enumerate()
        .map(|(number, (source, class))| {
            (format!("program{number}.c"), (*source).to_owned(), *class)
        });
    Tried {
        format,
        kind,
        shipping: Shipping::Beside,
        files: all,
        submissions: named.collect(),
    }
}

fn twice() -> Vec<(String, String)> {
    NUMBERS
        .iter()
        .map(|number| (format!("{number}\n"), format!("{}\n", 2 * number)))
        .collect()
}

fn guesses() -> Vec<(String, String)> {
    [50, 2, 77]
        .iter()
        .map(|number| (format!("{number}\n"), String::new()))
        .collect()
}

fn listed(head: &str) -> String {
    let case = |number: usize| {
        format!("- {{in: {number}.in, out: {number}.out, points: 10}}\n")
    };
    format!(
        "{head}test_cases:\n{}",
        (1..=3).map(case).collect::<String>()
    )
}

/// A problem that compares texts, with a right and a wrong program besides those that
/// crash and flood.
fn compared(
    kind: &'static str,
    head: &str,
    right: &str,
    wrong: (&str, Class),
) -> Tried {
    let programs = [
        (right, Class::Accepted),
        wrong,
        (CRASH, Class::Crashing),
        (FLOOD, Class::Flooding),
    ];
    folder(
        "dmoj",
        kind,
        &[("init.yml", &listed(head))],
        &twice(),
        &programs,
    )
}

fn bridged(kind: &'static str, of: &str) -> Tried {
    let head = format!(
        "checker: {{name: bridged, args: {{files: check.c, lang: C, type: {of}}}}}\n"
    );
    let programs = [
        (
            in_c!(r#"scanf("%d", &n); printf("%d\n", 6 * n);"#),
            Class::Accepted,
        ),
        (WRONG, Class::Wrong),
        (CRASH, Class::Crashing),
    ];
    folder(
        "dmoj",
        kind,
        &[("init.yml", &listed(&head)), ("check.c", MULTIPLES)],
        &twice(),
        &programs,
    )
}

/// Problems of every kind.
pub(crate) fn packages() -> Vec<Tried> {
    let plain = [
        (RIGHT, Class::Accepted),
        (WRONG, Class::Wrong),
        (CRASH, Class::Crashing),
        (FLOOD, Class::Flooding),
    ];
    let spaced = in_c!(r#"scanf("%d", &n); printf("%d \n", 2 * n);"#);
    let near = in_c!(r#"scanf("%d", &n); printf("%.9f\n", 2 * n + 1e-9);"#);
    let talkers = [
        (HALVES, Class::Accepted),
        (ONES, Class::Wrong),
        (CRASH, Class::Crashing),
        (UNFLUSHED, Class::Silent),
    ];
    let batches = "test_cases:\n- points: 10\n  batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]\n\
                   - points: 20\n  batched: [{in: 3.in, out: 3.out}]\n";
    let interactive =
        listed("interactive: {files: talk.c, lang: C, type: testlib}\n");
    vec![
        compared("tokens", "", spaced, (WRONG, Class::Wrong)),
        compared(
            "identical",
            "checker: identical\n",
            RIGHT,
            (spaced, Class::WronglyFormatted),
        ),
        compared(
            "rstripped",
            "checker: rstripped\n",
            spaced,
            (WRONG, Class::Wrong),
        ),
        compared(
            "floats",
            "checker: {name: floats, args: {precision: 6}}\n",
            near,
            (WRONG, Class::Wrong),
        ),
        compared(
            "any order",
            "checker: unordered\n",
            spaced,
            (WRONG, Class::Wrong),
        ),
        bridged("testlib checker", "testlib"),
        bridged("bridged checker", "default"),
        folder(
            "dmoj",
            "interactive",
            &[("init.yml", &interactive), ("talk.c", INTERACTOR)],
            &guesses(),
            &talkers,
        ),
        folder(
            "dmoj",
            "batches",
            &[("init.yml", batches)],
            &twice(),
            &plain,
        ),
        folder("oj", "exact", &[], &twice(), &plain),
        folder(
            "oj",
            "white space",
            &[],
            &twice(),
            &[(RIGHT, Class::Accepted), (spaced, Class::Wrong)],
        ),
    ]
}
