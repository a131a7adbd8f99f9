//! Packages of Kattis' formats and of DOMjudge.

use super::tried::{
    BROKEN, CRASH, Class, FLOOD, HALVES, HUNGRY, ONES, RIGHT, SLOW, Shipping, Tried,
    UNFLUSHED, WRONG, in_c,
};

/// Takes any multiple of the answer.
const MULTIPLES: &str = in_c!(
    r#"int found; fscanf(fopen(words[2], "r"), "%d", &n);
  return scanf("%d", &found) == 1 && found > 0 && found % n == 0 ? 42 : 43;"#
);

/// Has its number guessed, ten times at most.
const GUESSING: &str = in_c!(
    r#"int guess; fscanf(fopen(words[1], "r"), "%d", &n);
  for (int guesses = 1; guesses <= 10; guesses++) {
    if (scanf("%d", &guess) != 1) return 43;
    puts(guess == n ? "correct" : guess < n ? "higher" : "lower"); fflush(stdout);
    if (guess == n) return 42;
  }
  return 43;"#
);

/// Wants half of a number, and then half of that, down to one.
const PASSES: &str = "read n <$1\n# say\nread found && [ \"$found\" = $((n / 2)) ] || exit 43\n\
    [ $n -le 2 ] || echo $((n / 2)) >\"$3/nextpass.in\"\nexit 42\n";

const HALF: &str = "read n\necho $((n / 2))\n";
const HALF_OF_FEW: &str = "read n\n[ $n -lt 4 ] && echo $((n / 2)) || echo 7\n";

/// Half of the points for one too many.
const PARTS: &str = "read n <$2\nread found || exit 43\ncase $((found - n)) in\n\
    0) score=WHOLE ;;\n1) score=HALF ;;\n*) exit 43 ;;\nesac\necho $score >\"$3/SCORE\"\nexit 42\n";

/// How a script reads a number, and one that is right.
const READING: &str = "read n";
const DOUBLE: &str = "read n\necho $((2 * n))\n";

/// What a program is right about that knows small numbers only.
const SMALL: &str = "read n\n[ $n -lt 3 ] && echo $((2 * n)) || echo 0\n";

/// Six times a number, and one more than twice.
const SIX_TIMES: &str = "read n\necho $((6 * n))\n";
const ONE_MORE: &str = "read n\necho $((2 * n + 1))\n";

/// Always the same.
const ONE: &str = "echo 1\n";

/// The worth of a group is that of its worst case.
const GRADER: &str = "import sys\nworst = 'AC 60'\nfor line in sys.stdin:\n  if worst[:2] == 'AC' != line[:2]: worst = line.split()[0] + ' 0'\nprint(worst)\n";

/// The path of a source in C, or of the script that it is.
fn named(place: &str, source: &str) -> String {
    let is_in_c = source.contains("main(") || source.contains("#include");
    let ending = if is_in_c { "c" } else { "sh" };
    place.replace(".c", &format!(".{ending}"))
}

/// A package with cases, but without a word on how it is judged and without
/// submissions.
struct Package {
    tried: Tried,
    is_new: bool,
}

/// The inputs of the cases of most packages: a sample, and a secret one, on which every
/// class shows.
const NUMBERS: [u32; 2] = [1, 3];

impl Package {
    /// `old` and `new` are lines of `problem.yaml` in either spelling.
    fn new(format: &'static str, kind: &'static str, old: &str, new: &str) -> Self {
        let is_new = format == "2025-09";
        let limits = "limits: {time_limit: 0.05, time_resolution: 0.05, memory: 16, output: 1}\n";
        let yaml = match format {
            "2025-09" => {
                format!(
                    "problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\n{limits}{new}"
                )
            }
            "legacy" => {
                format!(
                    "name: Twice\nlimits: {{time_limit: 0.05, memory: 16, output: 1}}\n{old}"
                )
            }
            "legacy-icpc" => format!(
                "problem_format_version: legacy-icpc\nname: Twice\nlimits: {{time_limit: 0.05, memory: 16, output: 1}}\n{old}"
            ),
            _ => format!("name: Twice\nlimits: {{memory: 16, output: 1}}\n{old}"),
        };
        let files = vec![];
        let submissions = vec![];
        let tried = Tried {
            format,
            kind,
            shipping: Shipping::Folder,
            files,
            submissions,
        };
        let mut package = Self { tried, is_new };
        package.file("problem.yaml", &yaml);
        if format == "domjudge" {
            package.file("domjudge-problem.ini", "timelimit = 0.05\n");
        }
        package
    }

    fn file(&mut self, name: &str, text: &str) -> &mut Self {
        self.tried.files.push((name.to_owned(), text.to_owned()));
        self
    }

    fn case(&mut self, name: &str, input: &str, answer: &str) -> &mut Self {
        self.file(&format!("data/{name}.in"), &format!("{input}\n"));
        self.file(&format!("data/{name}.ans"), &format!("{answer}\n"))
    }

    /// A case for each number, with this answer.
    fn cases(&mut self, answer: impl Fn(u32) -> String) -> &mut Self {
        for (place, number) in NUMBERS.into_iter().enumerate() {
            let folder = if place == 0 { "sample" } else { "secret" };
            self.case(
                &format!("{folder}/{number}"),
                &number.to_string(),
                &answer(number),
            );
        }
        self
    }

    fn twice(&mut self) -> &mut Self {
        self.cases(|number| (2 * number).to_string())
    }

    fn validator(&mut self, source: &str) -> &mut Self {
        let folder = if self.is_new {
            "output_validator"
        } else {
            "output_validators"
        };
        self.file(&named(&format!("{folder}/check.c"), source), source)
    }

    /// Flags of the default validator.
    fn flags(&mut self, flags: &str) -> &mut Self {
        if self.is_new {
            let flags =
                format!("output_validator_args: [{}]\n", flags.replace(' ', ", "));
            self.file("data/sample/test_group.yaml", &flags);
            self.file("data/secret/test_group.yaml", &flags);
        } else {
            self.tried.files[0]
                .1
                .push_str(&format!("validator_flags: {flags}\n"));
        }
        self
    }

    fn submission(&mut self, place: &str, source: &str, class: Class) -> &mut Self {
        self.tried.submissions.push((
            format!("submissions/{place}"),
            source.to_owned(),
            class,
        ));
        self
    }

    /// Submissions that fail in every way that the folders of the format know.
    fn failing(&mut self) -> &mut Self {
        self.submission("run_time_error/crash.c", CRASH, Class::Crashing);
        // Kattis refuses the allocation; DOMjudge, and Kattis in interactive problems,
        // stop the program.
        let is_refused = self.tried.format != "domjudge"
            && !self.tried.kind.starts_with("interactive");
        let hungry = if is_refused {
            Class::Crashing
        } else {
            Class::Hungry
        };
        self.submission("run_time_error/hungry.c", HUNGRY, hungry);
        self.submission("time_limit_exceeded/slow.c", SLOW, Class::Slow);
        match self.tried.format {
            "2025-09" => {
                self.submission("wrong_answer/flood.c", FLOOD, Class::Flooding);
                self.submission("rejected/crash.c", CRASH, Class::Crashing)
            }
            "domjudge" => {
                self.submission("output_limit/flood.c", FLOOD, Class::Flooding);
                self.submission(
                    "compiler_error/broken.c",
                    BROKEN,
                    Class::NotCompiling,
                );
                let tagged = format!(
                    "// @EXPECTED_RESULTS@: RUN_TIME_ERROR, TIME_LIMIT_EXCEEDED\n{CRASH}"
                );
                self.submission("mixed/tagged.c", &tagged, Class::Crashing)
            }
            _ => self,
        }
    }

    fn judged(&mut self, right: &str, wrong: &str) -> Tried {
        let accepted = named("accepted/right.c", right);
        let rejected = named("wrong_answer/wrong.c", wrong);
        self.submission(&accepted, right, Class::Accepted);
        self.submission(&rejected, wrong, Class::Wrong);
        self.failing().tried.clone()
    }
}

fn tokens(format: &'static str) -> Tried {
    let python = "print(2 * int(input()))\n";
    let mut package = Package::new(format, "tokens", "", "");
    package
        .twice()
        .submission("accepted/right.py", python, Class::Accepted);
    if package.is_new {
        package.submission("brute_force/slow.c", SLOW, Class::Slow);
    }
    package.judged(RIGHT, WRONG)
}

/// Without a loop, which only the program that judges sources sees.
fn static_validator(format: &'static str) -> Tried {
    let check = in_c!(
        r#"char text[4096] = ""; fread(text, 1, 4095, fopen(words[2], "r")); return strstr(text, "while") ? 43 : 42;"#
    );
    let looping =
        in_c!(r#"while (n == 0) { scanf("%d", &n); printf("%d\n", 2 * n); }"#);
    Package::new(format, "sources", "", "")
        .twice()
        .file("static_validator/check.c", check)
        .file(
            "data/secret/test_group.yaml",
            "static_validation_score: pass-fail\n",
        )
        .submission("accepted/right.c", RIGHT, Class::Accepted)
        .submission("wrong_answer/looping.c", looping, Class::Wrong)
        .submission("wrong_answer/wrong.c", WRONG, Class::Wrong)
        .submission("run_time_error/crash.c", CRASH, Class::Crashing)
        .tried
        .clone()
}

fn archive(format: &'static str) -> Tried {
    Tried {
        kind: "tokens, as an archive",
        shipping: Shipping::Archive,
        ..tokens(format)
    }
}

fn exact(format: &'static str) -> Tried {
    let flags = "case_sensitive space_change_sensitive";
    let spaced = "read n\necho \" $((2 * n))\"\n";
    Package::new(format, "exact texts", "", "")
        .twice()
        .flags(flags)
        .judged(RIGHT, spaced)
}

fn floats(format: &'static str) -> Tried {
    let third = |error: &str| {
        in_c!(r#"scanf("%d", &n); printf("%.12f\n", n / 3.0 + ERROR);"#)
            .replace("ERROR", error)
    };
    Package::new(format, "floats", "", "")
        .cases(|number| format!("{:.9}", f64::from(number) / 3.0))
        .flags("float_tolerance 1e-6")
        .judged(&third("1e-8"), &third("1e-3"))
}

fn checker(format: &'static str) -> Tried {
    Package::new(format, "checker", "validation: custom\n", "")
        .twice()
        .validator(MULTIPLES)
        .judged(SIX_TIMES, ONE_MORE)
}

fn interactive(format: &'static str) -> Tried {
    Package::new(
        format,
        "interactive",
        "validation: custom interactive\n",
        "type: interactive\n",
    )
    .case("sample/1", "50", "")
    .case("secret/1", "2", "")
    .case("secret/2", "77", "")
    .validator(GUESSING)
    .submission("accepted/right.c", HALVES, Class::Accepted)
    .submission("wrong_answer/wrong.c", ONES, Class::Wrong)
    .submission("run_time_error/crash.c", CRASH, Class::Crashing)
    .submission("time_limit_exceeded/slow.c", SLOW, Class::Slow)
    .submission("time_limit_exceeded/unflushed.c", UNFLUSHED, Class::Silent)
    .tried
    .clone()
}

/// The numbers of these cases, which take one pass, two and three.
fn of_passes(
    format: &'static str,
    kind: &'static str,
    old: &str,
    new: &str,
) -> Package {
    let mut package = Package::new(format, kind, old, new);
    let yaml = &mut package.tried.files[0].1;
    *yaml = yaml.replace("memory: 16", "memory: 16, validation_passes: 4");
    package
        .case("sample/1", "2", "")
        .case("secret/1", "4", "")
        .case("secret/2", "8", "");
    package
}

fn passes(format: &'static str) -> Tried {
    of_passes(
        format,
        "several passes",
        "validation: custom multi-pass\n",
        "type: multi-pass\n",
    )
    .validator(PASSES)
    .judged(HALF, HALF_OF_FEW)
}

fn talking_passes(format: &'static str) -> Tried {
    let mut tried = of_passes(
        format,
        "interactive, several passes",
        "",
        "type: [interactive, multi-pass]\n",
    )
    .validator(&PASSES.replace("# say", "echo $n"))
    .judged(HALF, HALF_OF_FEW);
    // Whoever talks too much is wrong at once.
    tried
        .submissions
        .retain(|(place, _, _)| !place.contains("flood"));
    tried
}

fn points(format: &'static str) -> Tried {
    let scoring = "type: scoring\n";
    let mut package = Package::new(format, "points by group", scoring, scoring);
    package.case("sample/1", "1", "2");
    for (name, number) in [("a/1", 1), ("a/2", 2), ("b/1", 2), ("b/2", 3)] {
        package.case(
            &format!("secret/{name}"),
            &number.to_string(),
            &(2 * number).to_string(),
        );
    }
    for (group, points) in [("a", 40), ("b", 60)] {
        if format == "2025-09" {
            let text = format!("max_score: {points}\nscore_aggregation: min\n");
            package.file(&format!("data/secret/{group}/test_group.yaml"), &text);
        } else {
            let text = format!(
                "accept_score: {points}\nrange: 0 {points}\ngrader_flags: min\non_reject: break\n"
            );
            package.file(&format!("data/secret/{group}/testdata.yaml"), &text);
        }
    }
    if format == "2025-09" {
        package.file(
            "submissions/submissions.yaml",
            "mixed/small.sh:\n  permitted: [AC, WA]\n  score: 40\n",
        );
        package.submission("mixed/small.sh", SMALL, Class::Wrong);
    } else {
        package.file(
            "data/testdata.yaml",
            "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
        );
        package.file(
            "data/sample/testdata.yaml",
            "accept_score: 0\ngrader_flags: first_error\n",
        );
        let secret =
            "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n";
        package.file("data/secret/testdata.yaml", secret);
        package.submission("partially_accepted/small.sh", SMALL, Class::Accepted);
    }
    package.judged(RIGHT, ONE)
}

fn scores(format: &'static str) -> Tried {
    let mut package = Package::new(
        format,
        "points by checker",
        "type: scoring\nvalidation: custom score\n",
        "type: scoring\n",
    );
    package
        .case("sample/1", "1", "2")
        .case("secret/1", "2", "4")
        .case("secret/2", "3", "6");
    let (score, whole, half) = match format {
        "2025-09" => ("score_multiplier.txt", "1", "0.5"),
        _ => ("score.txt", "10", "5"),
    };
    if format == "2025-09" {
        package.file(
            "data/secret/test_group.yaml",
            "max_score: 20\nscore_aggregation: sum\n",
        );
    } else {
        package.file(
            "data/testdata.yaml",
            "range: 0 30\ngrader_flags: sum\non_reject: continue\n",
        );
    }
    let check = PARTS
        .replace("SCORE", score)
        .replace("WHOLE", whole)
        .replace("HALF", half);
    package.submission("accepted/right.c", RIGHT, Class::Accepted);
    package.submission("wrong_answer/wrong.sh", ONE, Class::Wrong);
    package.submission("run_time_error/crash.c", CRASH, Class::Crashing);
    package.submission("time_limit_exceeded/slow.c", SLOW, Class::Slow);
    package.validator(&check).tried.clone()
}

fn grader(format: &'static str) -> Tried {
    let mut package =
        Package::new(format, "points by a grader", "type: scoring\n", "");
    package.file(
        "data/testdata.yaml",
        "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
    );
    package.file(
        "data/sample/testdata.yaml",
        "accept_score: 0\ngrader_flags: first_error\n",
    );
    package.file(
        "data/secret/testdata.yaml",
        "grading: custom\non_reject: continue\nrange: 0 60\n",
    );
    package.file("graders/worst.py", GRADER);
    package.twice().judged(RIGHT, WRONG)
}

fn several_checkers(format: &'static str) -> Tried {
    let few =
        "read n <$2\nread found && [ $found -lt $((9 * n)) ] || exit 43\nexit 42\n";
    let mut package =
        Package::new(format, "several checkers", "validation: custom\n", "");
    package
        .validator(MULTIPLES)
        .file("output_validators/few/few.sh", few);
    package.submission("wrong_answer/odd.sh", ONE_MORE, Class::Wrong);
    let many = "read n\necho $((200 * n))\n";
    package.twice().judged(SIX_TIMES, many)
}

fn arguments(format: &'static str) -> Tried {
    let mut package = Package::new(format, "arguments", "", "");
    package.file("data/secret/test_group.yaml", "args: [twice, '2']\n");
    package
        .file("data/sample/1.yaml", "args: [twice, '1']\n")
        .file("data/secret/3.yaml", "args: [twice, '3']\n");
    let with = |source: &str| source.replace(READING, "n=$2");
    package.twice().judged(&with(DOUBLE), &with(SMALL))
}

fn files(format: &'static str) -> Tried {
    let mut package = Package::new(format, "files", "", "");
    for (section, number) in [("sample", 1), ("secret", 3)] {
        package.file(
            &format!("data/{section}/{number}.files/in/number"),
            &format!("{number}\n"),
        );
    }
    let with = |source: &str| source.replace(READING, "read n <in/number");
    package.twice().judged(&with(DOUBLE), &with(SMALL))
}

fn included(format: &'static str) -> Tried {
    let main = |call: &str| {
        format!("#include \"given.h\"\n{}", RIGHT.replace("2 * n", call))
    };
    Package::new(format, "included files", "", "")
        .twice()
        .file(
            "include/c/given.h",
            "static int twice(int number) { return 2 * number; }\n",
        )
        .judged(&main("twice(n)"), &main("twice(1)"))
}

fn several_files(format: &'static str) -> Tried {
    let mut package = Package::new(format, "submissions of several files", "", "");
    for (folder, factor, class) in [
        ("accepted", 2, Class::Accepted),
        ("wrong_answer", 3, Class::Wrong),
    ] {
        let part = format!("def times(number): return {factor} * number\n");
        package.file(&format!("submissions/{folder}/parts/part.py"), &part);
        let main = "from part import times\nprint(times(int(input())))\n";
        package.submission(&format!("{folder}/parts/__main__.py"), main, class);
    }
    package.twice().failing().tried.clone()
}

fn constants(format: &'static str) -> Tried {
    let factor = |name: &str| RIGHT.replace("2 * n", &format!("{{{{{name}}}}} * n"));
    Package::new(
        format,
        "constants",
        "",
        "constants: {factor: 2, other: 3}\n",
    )
    .twice()
    .judged(&factor("factor"), &factor("other"))
}

fn answers(format: &'static str) -> Tried {
    let mut package =
        Package::new(format, "answers handed in", "", "type: submit-answer\n");
    package.twice();
    for (folder, factor) in [("accepted", 2), ("wrong_answer", 3)] {
        for number in &NUMBERS[1..] {
            let name = format!("submissions/{folder}/parts/{number}.out");
            package.file(&name, &format!("{}\n", factor * number));
        }
    }
    package.submission("accepted/parts/1.out", "2\n", Class::Accepted);
    package.submission("wrong_answer/parts/1.out", "2\n", Class::Wrong);
    package.tried.clone()
}

/// Packages of a format, of every kind that it knows.
pub(crate) fn packages(format: &'static str) -> Vec<Tried> {
    let common = [tokens, archive, floats, checker, interactive];
    let more: &[fn(&'static str) -> Tried] = match format {
        "legacy" => &[
            exact,
            several_checkers,
            passes,
            points,
            scores,
            grader,
            included,
            several_files,
        ],
        "2025-09" => &[
            exact,
            passes,
            talking_passes,
            points,
            scores,
            arguments,
            files,
            included,
            several_files,
            constants,
            answers,
            static_validator,
        ],
        "domjudge" => &[exact, passes, several_files],
        _ => &[],
    };
    common.iter().chain(more).map(|made| made(format)).collect()
}
