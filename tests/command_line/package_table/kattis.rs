//! Packages of Kattis' formats and of DOMjudge.

use super::tried::{
    BROKEN, CRASH, Class, FLOOD, HALVES, HUNGRY, ONES, RIGHT, SLOW, Shipping, Tried, UNFLUSHED,
    WRONG,
};

/// Takes any multiple of the answer.
const MULTIPLES: &str = "import sys\nanswer = int(open(sys.argv[2]).read())\ntry: found = int(sys.stdin.read())\n\
    except ValueError: sys.exit(43)\nsys.exit(42 if found > 0 and found % answer == 0 else 43)\n";

/// Has its number guessed, ten times at most.
const GUESSING: &str = "import sys\nhidden = int(open(sys.argv[1]).read())\nfor _ in range(10):\n  try: guess = int(input())\n  \
    except (EOFError, ValueError): sys.exit(43)\n  if guess == hidden:\n    print('correct', flush=True)\n    sys.exit(42)\n  \
    print('higher' if guess < hidden else 'lower', flush=True)\nsys.exit(43)\n";

/// Wants half of a number, and then half of that, down to one.
const PASSES: &str = "import sys\nnumber = int(open(sys.argv[1]).read())\n\
    if sys.stdin.read().strip() != str(number // 2): sys.exit(43)\n\
    if number > 2: open(sys.argv[3] + 'nextpass.in', 'w').write(f'{number // 2}\\n')\nsys.exit(42)\n";

/// The same by talking.
const TALKING_PASSES: &str = "import sys\nnumber = int(open(sys.argv[1]).read())\nprint(number, flush=True)\n\
    if sys.stdin.readline().strip() != str(number // 2): sys.exit(43)\n\
    if number > 2: open(sys.argv[3] + 'nextpass.in', 'w').write(f'{number // 2}\\n')\nsys.exit(42)\n";

const HALF: &str = "print(int(input()) // 2)\n";
const HALF_OF_FEW: &str = "n = int(input())\nprint(n // 2 if n < 4 else 7)\n";

/// Half of the points for one too many.
const PARTS: &str = "import sys\nright, found = int(open(sys.argv[2]).read()), int(sys.stdin.read())\n\
    if found not in (right, right + 1): sys.exit(43)\n\
    open(sys.argv[3] + 'SCORE', 'w').write(WHOLE if found == right else HALF)\nsys.exit(42)\n";

/// What a program is right about that knows small numbers only.
const SMALL: &str = "n = int(input())\nprint(2 * n if n < 3 else 0)\n";

/// The worth of a group is that of its worst case.
const GRADER: &str = "import sys\nworst = 'AC 60'\nfor line in sys.stdin:\n  if worst[:2] == 'AC' != line[:2]: worst = line.split()[0] + ' 0'\nprint(worst)\n";

/// A package with cases, but without a word on how it is judged and without submissions.
struct Package {
    tried: Tried,
    is_new: bool,
}

/// The inputs of the cases of most packages: a sample, and a secret one, on which every class
/// shows.
const NUMBERS: [u32; 2] = [1, 3];

impl Package {
    /// `old` and `new` are lines of `problem.yaml` in either spelling.
    fn new(format: &'static str, kind: &'static str, old: &str, new: &str) -> Self {
        let is_new = format == "2025-09";
        let limits = "limits: {time_limit: 0.2, time_resolution: 0.1, memory: 64}\n";
        let yaml = match format {
            "2025-09" => {
                format!("problem_format_version: 2025-09\nname: Twice\nuuid: 3b5f\n{limits}{new}")
            }
            "legacy" => format!("name: Twice\nlimits: {{time_limit: 0.2, memory: 64}}\n{old}"),
            "legacy-icpc" => format!(
                "problem_format_version: legacy-icpc\nname: Twice\nlimits: {{time_limit: 0.2, memory: 64}}\n{old}"
            ),
            _ => format!("name: Twice\nlimits: {{memory: 64}}\n{old}"),
        };
        let files = Vec::new();
        let submissions = Vec::new();
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
            package.file("domjudge-problem.ini", "timelimit = 0.2\n");
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
        self.file(&format!("{folder}/check.py"), source)
    }

    /// Flags of the default validator.
    fn flags(&mut self, flags: &str) -> &mut Self {
        if self.is_new {
            let flags = format!("output_validator_args: [{}]\n", flags.replace(' ', ", "));
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
        self.tried
            .submissions
            .push((format!("submissions/{place}"), source.to_owned(), class));
        self
    }

    /// Submissions that fail in every way that the folders of the format know.
    fn failing(&mut self) -> &mut Self {
        self.submission("run_time_error/crash.py", CRASH, Class::Crashing);
        // Kattis refuses the allocation; DOMjudge, and Kattis in interactive problems, stop the
        // program.
        let is_refused =
            self.tried.format != "domjudge" && !self.tried.kind.starts_with("interactive");
        let hungry = if is_refused {
            Class::Crashing
        } else {
            Class::Hungry
        };
        self.submission("run_time_error/hungry.py", HUNGRY, hungry);
        self.submission("time_limit_exceeded/slow.py", SLOW, Class::Slow);
        match self.tried.format {
            "2025-09" => {
                self.submission("wrong_answer/flood.py", FLOOD, Class::Flooding);
                self.submission("rejected/crash.py", CRASH, Class::Crashing)
            }
            "domjudge" => {
                self.submission("output_limit/flood.py", FLOOD, Class::Flooding);
                self.submission("compiler_error/broken.c", BROKEN, Class::NotCompiling);
                let tagged =
                    format!("# @EXPECTED_RESULTS@: RUN_TIME_ERROR, TIME_LIMIT_EXCEEDED\n{CRASH}");
                self.submission("mixed/tagged.py", &tagged, Class::Crashing)
            }
            _ => self,
        }
    }

    fn judged(&mut self, right: &str, wrong: &str) -> Tried {
        self.submission("accepted/right.py", right, Class::Accepted);
        self.submission("wrong_answer/wrong.py", wrong, Class::Wrong);
        self.failing().tried.clone()
    }
}

fn tokens(format: &'static str) -> Tried {
    let c = "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", 2 * n); }\n";
    let mut package = Package::new(format, "tokens", "", "");
    package
        .twice()
        .submission("accepted/right.c", c, Class::Accepted);
    if package.is_new {
        package.submission("brute_force/slow.py", SLOW, Class::Slow);
    }
    package.judged(RIGHT, WRONG)
}

/// Without a loop, which only the program that judges sources sees.
fn static_validator(format: &'static str) -> Tried {
    let check = "import sys\nsys.exit(43 if 'while' in open(sys.argv[2]).read() else 42)\n";
    let looping = "while True:\n  print(2 * int(input()))\n  break\n";
    Package::new(format, "sources", "", "")
        .twice()
        .file("static_validator/check.py", check)
        .file(
            "data/secret/test_group.yaml",
            "static_validation_score: pass-fail\n",
        )
        .submission("accepted/right.py", RIGHT, Class::Accepted)
        .submission("wrong_answer/looping.py", looping, Class::Wrong)
        .submission("wrong_answer/wrong.py", WRONG, Class::Wrong)
        .submission("run_time_error/crash.py", CRASH, Class::Crashing)
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
    let spaced = "print('', 2 * int(input()))\n";
    Package::new(format, "exact texts", "", "")
        .twice()
        .flags(flags)
        .judged(RIGHT, spaced)
}

fn floats(format: &'static str) -> Tried {
    let third = |error: &str| format!("print(int(input()) / 3 + {error})\n");
    Package::new(format, "floats", "", "")
        .cases(|number| format!("{:.9}", f64::from(number) / 3.0))
        .flags("float_tolerance 1e-6")
        .judged(&third("1e-8"), &third("1e-3"))
}

fn checker(format: &'static str) -> Tried {
    Package::new(format, "checker", "validation: custom\n", "")
        .twice()
        .validator(MULTIPLES)
        .judged("print(6 * int(input()))\n", "print(2 * int(input()) + 1)\n")
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
    .submission("accepted/right.py", HALVES, Class::Accepted)
    .submission("wrong_answer/wrong.py", ONES, Class::Wrong)
    .submission(
        "run_time_error/crash.py",
        "raise SystemExit(3)\n",
        Class::Crashing,
    )
    .submission("time_limit_exceeded/slow.py", SLOW, Class::Slow)
    .submission("time_limit_exceeded/unflushed.py", UNFLUSHED, Class::Silent)
    .tried
    .clone()
}

/// The numbers of these cases, which take one pass, two and three.
fn of_passes(format: &'static str, kind: &'static str, old: &str, new: &str) -> Package {
    let mut package = Package::new(format, kind, old, new);
    let yaml = &mut package.tried.files[0].1;
    *yaml = yaml.replace("memory: 64", "memory: 64, validation_passes: 4");
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
    .validator(TALKING_PASSES)
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
            "mixed/small.py:\n  permitted: [AC, WA]\n  score: 40\n",
        );
        package.submission("mixed/small.py", SMALL, Class::Wrong);
    } else {
        package.file(
            "data/testdata.yaml",
            "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
        );
        package.file(
            "data/sample/testdata.yaml",
            "accept_score: 0\ngrader_flags: first_error\n",
        );
        let secret = "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n";
        package.file("data/secret/testdata.yaml", secret);
        package.submission("partially_accepted/small.py", SMALL, Class::Accepted);
    }
    package.judged(RIGHT, "print(1)\n")
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
        "2025-09" => ("score_multiplier.txt", "'1'", "'0.5'"),
        _ => ("score.txt", "'10'", "'5'"),
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
    package.submission("accepted/right.py", RIGHT, Class::Accepted);
    package.submission("wrong_answer/wrong.py", "print(1)\n", Class::Wrong);
    package.submission("run_time_error/crash.py", CRASH, Class::Crashing);
    package.submission("time_limit_exceeded/slow.py", SLOW, Class::Slow);
    package.validator(&check).tried.clone()
}

fn grader(format: &'static str) -> Tried {
    let mut package = Package::new(format, "points by a grader", "type: scoring\n", "");
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
    let few = "import sys\nanswer = int(open(sys.argv[2]).read())\nsys.exit(42 if int(sys.stdin.read()) < 9 * answer else 43)\n";
    let mut package = Package::new(format, "several checkers", "validation: custom\n", "");
    package
        .validator(MULTIPLES)
        .file("output_validators/few/few.py", few);
    package.submission(
        "wrong_answer/odd.py",
        "print(2 * int(input()) + 1)\n",
        Class::Wrong,
    );
    package
        .twice()
        .judged("print(6 * int(input()))\n", "print(200 * int(input()))\n")
}

fn arguments(format: &'static str) -> Tried {
    let mut package = Package::new(format, "arguments", "", "");
    package.file("data/secret/test_group.yaml", "args: [twice, '2']\n");
    package
        .file("data/sample/1.yaml", "args: [twice, '1']\n")
        .file("data/secret/3.yaml", "args: [twice, '3']\n");
    let with = |source: &str| format!("import sys\n{}", source.replace("input()", "sys.argv[2]"));
    package.twice().judged(&with(RIGHT), &with(WRONG))
}

fn files(format: &'static str) -> Tried {
    let mut package = Package::new(format, "files", "", "");
    for (section, number) in [("sample", 1), ("secret", 3)] {
        package.file(
            &format!("data/{section}/{number}.files/in/number"),
            &format!("{number}\n"),
        );
    }
    let with = |source: &str| source.replace("input()", "open('in/number').read()");
    package.twice().judged(&with(RIGHT), &with(WRONG))
}

fn included(format: &'static str) -> Tried {
    let main = |call: &str| format!("from given import twice\nprint({call})\n");
    Package::new(format, "included files", "", "")
        .twice()
        .file(
            "include/python/given.py",
            "def twice(number): return 2 * number\n",
        )
        .judged(&main("twice(int(input()))"), &main("twice(1)"))
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
    let factor = |name: &str| format!("print({{{{{name}}}}} * int(input()))\n");
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
    let mut package = Package::new(format, "answers handed in", "", "type: submit-answer\n");
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
