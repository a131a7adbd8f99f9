//! Packages of Polygon. Their checkers and interactors follow the protocol of testlib
//! without using it.

use super::tried::{
    CRASH, Class, HALVES, HUNGRY, NUMBERS, ONES, RIGHT, SLOW, Shipping, Tried,
    UNFLUSHED, WRONG, in_c,
};

/// A checker that compares the output with the answer as a number.
const CHECKER: &str = r#"#include <stdio.h>
int main(int count, char **words) {
    FILE *output = fopen(words[2], "r"), *answer = fopen(words[3], "r");
    int found, right;
    if (count < 4 || fscanf(answer, "%d", &right) != 1) return 3;
    if (fscanf(output, "%d", &found) != 1) return 2;
    return found != right;
}
"#;

/// An interactor that lets the submission guess a number, at most ten times, and writes
/// the number of guesses.
const INTERACTOR: &str = r#"#include <stdio.h>
int main(int count, char **words) {
    FILE *input = fopen(words[1], "r"), *output = fopen(words[2], "w");
    int hidden, guess;
    if (count < 3 || fscanf(input, "%d", &hidden) != 1) return 3;
    for (int guesses = 1; guesses <= 10; guesses++) {
        if (scanf("%d", &guess) != 1) return 2;
        if (guess == hidden) {
            fprintf(output, "%d\n", guesses);
            fclose(output);
            puts("correct");
            return 0;
        }
        puts(guess < hidden ? "higher" : "lower");
        fflush(stdout);
    }
    return 1;
}
"#;

/// A checker that accepts at most six guesses.
const FEW_GUESSES: &str = r#"#include <stdio.h>
int main(int count, char **words) {
    FILE *output = fopen(words[2], "r");
    int guesses;
    if (count < 4 || fscanf(output, "%d", &guesses) != 1) return 3;
    return guesses > 6;
}
"#;

/// Solutions, each with its name, its tag and its class.
type Solutions = Vec<(&'static str, &'static str, String, Class)>;

fn solutions(right: &str, wrong: &str) -> Solutions {
    let one = |name, tag, source: &str, class| (name, tag, source.to_owned(), class);
    vec![
        one("right", "main", right, Class::Accepted),
        one("wrong", "wrong-answer", wrong, Class::Wrong),
        one("rejected", "rejected", wrong, Class::Wrong),
        one(
            "words",
            "presentation-error",
            in_c!("puts(\"none\");"),
            Class::WronglyFormatted,
        ),
        one("crash", "failed", CRASH, Class::Crashing),
        one("hungry", "memory-limit-exceeded", HUNGRY, Class::Hungry),
        one("slow", "time-limit-exceeded", SLOW, Class::Slow),
        one(
            "slow_or_right",
            "time-limit-exceeded-or-accepted",
            right,
            Class::Accepted,
        ),
    ]
}

fn talkers() -> Solutions {
    let one = |name, tag, source: &str, class| (name, tag, source.to_owned(), class);
    vec![
        one("right", "main", HALVES, Class::Accepted),
        one("wrong", "wrong-answer", ONES, Class::Wrong),
        one(
            "words",
            "presentation-error",
            in_c!("puts(\"none\");"),
            Class::WronglyFormatted,
        ),
        one("crash", "failed", CRASH, Class::Crashing),
        one("slow", "time-limit-exceeded", SLOW, Class::Slow),
        one("unflushed", "time-limit-exceeded", UNFLUSHED, Class::Silent),
    ]
}

/// A package with these attributes of its tests (`@` stands for the number of the
/// test), these lines after them, these assets, and these numbers as inputs, with their
/// answers.
fn package(
    kind: &'static str,
    test: &str,
    groups: &str,
    assets: &str,
    numbers: &[u32],
    solutions: Solutions,
) -> Tried {
    let tests = |_: &u32| format!("<test method=\"manual\" {test}/>");
    let tests: String = numbers.iter().map(tests).collect();
    let mut files = vec![];
    let mut submissions = vec![];
    let mut listed = String::new();
    for (name, tag, source, class) in solutions {
        let place = format!("solutions/{name}.c");
        listed += &format!(
            "<solution tag=\"{tag}\"><source path=\"{place}\" type=\"c.gcc\"/></solution>"
        );
        submissions.push((place, source, class));
    }
    let problem = format!(
        "<problem short-name=\"twice\"><names><name language=\"english\" value=\"Twice\"/></names>\n\
         <judging input-file=\"\" output-file=\"\" run-count=\"1\"><testset name=\"tests\">\n\
         <time-limit>50</time-limit><memory-limit>16777216</memory-limit><test-count>{}</test-count>\n\
         <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\n\
         <tests>{tests}</tests>{groups}</testset></judging>\n\
         <assets>{assets}<solutions>{listed}</solutions></assets></problem>\n",
        numbers.len()
    );
    files.push(("problem.xml".to_owned(), problem));
    for (place, number) in numbers.iter().enumerate() {
        files.push((format!("tests/{:02}", place + 1), format!("{number}\n")));
        files.push((
            format!("tests/{:02}.a", place + 1),
            format!("{}\n", 2 * number),
        ));
    }
    Tried {
        format: "polygon",
        kind,
        shipping: Shipping::Folder,
        files,
        submissions,
    }
}

const CHECKED: &str = "<checker type=\"testlib\"><source path=\"files/check.c\" type=\"c.gcc\"/></checker>";
const TALKS: &str =
    "<interactor><source path=\"files/talk.c\" type=\"c.gcc\"/></interactor>";

fn with(mut tried: Tried, name: &str, source: &str) -> Tried {
    tried.files.push((name.to_owned(), source.to_owned()));
    tried
}

/// Packages of every kind that the format knows.
pub(crate) fn packages() -> Vec<Tried> {
    let plain = || solutions(RIGHT, WRONG);
    let checked = |kind, test, groups, solutions| {
        with(
            package(kind, test, groups, CHECKED, &NUMBERS, solutions),
            "files/check.c",
            CHECKER,
        )
    };
    let right = in_c!(
        r#"fscanf(fopen("n.in", "r"), "%d", &n); fprintf(fopen("n.out", "w"), "%d", 2 * n);"#
    );
    let wrong = &right.replace("2 * n", "n < 3 ? 2 * n : 7");
    let mut files =
        checked("files in place of streams", "", "", solutions(right, wrong));
    let spec = &mut files.files[0].1;
    *spec = spec.replace(
        "input-file=\"\" output-file=\"\"",
        "input-file=\"n.in\" output-file=\"n.out\"",
    );
    let each = "<groups><group name=\"1\" points-policy=\"each-test\"/></groups>";
    let whole =
        "<groups><group name=\"1\" points-policy=\"complete-group\"/></groups>";
    let both = format!("{CHECKED}{TALKS}");
    let interactive = package(
        "testlib interactor and checker",
        "",
        "",
        &both,
        &[50, 25, 75],
        talkers(),
    );
    let interactive = with(interactive, "files/talk.c", INTERACTOR);
    let archive = Tried {
        shipping: Shipping::Archive,
        ..checked("testlib checker, as an archive", "", "", plain())
    };
    vec![
        checked("testlib checker", "", "", plain()),
        archive,
        checked("points by test", "group=\"1\" points=\"10\"", each, plain()),
        checked(
            "points by group",
            "group=\"1\" points=\"10\"",
            whole,
            plain(),
        ),
        files,
        with(interactive, "files/check.c", FEW_GUESSES),
    ]
}
