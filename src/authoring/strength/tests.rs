//! Tests of mutants: what they print, which problems they fit, and that some input
//! kills each of them.

use std::collections::BTreeSet;
use std::time::Duration;

use gridjudge_grid::format::write;
use gridjudge_grid::solve::Solver;
use gridjudge_grid::{
    Arithmetic, BLANK, Banner, BlankLines, Cage, CageOperation, CellSpacing,
    CountLine, Format, GridCount, Inequality, Layout, OrderLine, OrderNumber,
    OrderPlace, Replies, Separator, Shape, Symbols, Template, Value, WhiteSpace,
};

use super::*;
use crate::check;
use crate::model::Accept;

/// CPU time that a program may use. It is short, so that slow mutants are too slow on
/// small grids.
const LIMIT: Duration = Duration::from_millis(10);

/// The number of random inputs that must kill every mutant.
const MOST_INPUTS: usize = 200;

/// A problem of 4x4 grids, each with one solution. The input begins with the number of
/// grids.
fn plain() -> GridTask {
    GridTask {
        format: Format {
            shapes: vec![Shape::new(4, 2, 2).unwrap()],
            symbols: Symbols::characters("1234", "."),
            input: Layout::bare(GridCount::First { most: 12 }, CellSpacing::Joined),
            output: Layout::bare(GridCount::AsInput, CellSpacing::Joined),
            replies: Replies::default(),
        },
        accept: Accept::Unique,
    }
}

fn banner(text: &str) -> Option<Banner> {
    Some(Banner::own(template(text, "n")?))
}

fn template(text: &str, name: &'static str) -> Option<Template> {
    Some(Template::parse(text, name).unwrap())
}

/// The problem [`plain`] with one change.
fn with(change: impl FnOnce(&mut GridTask)) -> GridTask {
    let mut task = plain();
    change(&mut task);
    task
}

fn counting(most: u64) -> impl FnOnce(&mut GridTask) {
    move |task| {
        task.accept = Accept::Count { most };
        let template = template("{count} ways", "count").unwrap();
        task.format.replies.count = Some(CountLine {
            template,
            follows_solutions: false,
            has_blank_line: false,
        });
    }
}

/// Problems of many kinds, all with small grids.
fn problems() -> Vec<(&'static str, GridTask)> {
    let number = |place| {
        Some(OrderLine {
            place,
            number: OrderNumber::Order,
        })
    };
    vec![
        ("plain", plain()),
        (
            "one grid",
            with(|task| task.format.input.count = GridCount::One),
        ),
        (
            "until the end",
            with(|task| task.format.input.count = GridCount::UntilEnd { most: 12 }),
        ),
        (
            "until a line",
            with(|task| {
                task.format.input.count = GridCount::Until {
                    line: "end".into(),
                    most: 12,
                }
            }),
        ),
        ("any", with(|task| task.accept = Accept::Any)),
        ("first", with(|task| task.accept = Accept::First)),
        (
            "two blanks",
            with(|task| task.format.symbols = Symbols::characters("1234", ".*")),
        ),
        (
            "strict with banners",
            with(|task| {
                task.format.output.banner = banner("Case #{n}:");
                task.format.output.blank_lines = BlankLines::After;
                task.format.output.white_space = WhiteSpace::Strict;
            }),
        ),
        (
            "separators",
            with(|task| {
                task.format.output.separator = Some(Separator {
                    line: "---".into(),
                    closes: false,
                })
            }),
        ),
        (
            "separators after each",
            with(|task| {
                task.format.output.separator = Some(Separator {
                    line: "---".into(),
                    closes: true,
                })
            }),
        ),
        (
            "padded banners",
            with(|task| task.format.output.banner = banner("Grid {n:02}")),
        ),
        (
            "none and several",
            with(|task| {
                task.format.replies.none = Some("NONE".into());
                task.format.replies.several = Some("SEVERAL".into());
            }),
        ),
        (
            "invalid and none",
            with(|task| {
                task.format.replies.invalid = Some("INVALID".into());
                task.format.replies.none = Some("NONE".into());
            }),
        ),
        (
            "words",
            with(|task| {
                task.accept = Accept::Word;
                task.format.replies = Replies {
                    none: Some("NONE".into()),
                    several: Some("SEVERAL".into()),
                    invalid: Some("INVALID".into()),
                    complete: Some("COMPLETE".into()),
                    one: Some("ONE".into()),
                    ..Replies::default()
                };
            }),
        ),
        (
            "valid or not",
            with(|task| {
                task.accept = Accept::Word;
                task.format.replies.valid = Some("VALID".into());
                task.format.replies.invalid = Some("INVALID".into());
            }),
        ),
        (
            "none",
            with(|task| task.format.replies.none = Some("NONE".into())),
        ),
        (
            "all",
            with(|task| {
                task.accept = Accept::All { most: 3 };
                task.format.replies.none = Some("NONE".into());
                task.format.replies.several = Some("SEVERAL".into());
            }),
        ),
        (
            "first and count",
            with(|task| {
                counting(300)(task);
                task.accept = Accept::FirstCounted { most: 300 };
            }),
        ),
        ("count", with(counting(300))),
        (
            "regions",
            with(|task| {
                task.format.shapes = vec![
                    Shape::jigsaw(4, &["ABBB", "AABC", "ADCC", "DDDC"]).unwrap(),
                ];
            }),
        ),
        (
            "diagonals",
            with(|task| {
                task.format.shapes = vec![Shape::square(4).unwrap().with_diagonals()]
            }),
        ),
        (
            "cages and inequalities",
            with(|task| {
                task.format.shapes =
                    vec![Shape::latin(4).unwrap().with_arithmetic(arithmetic())]
            }),
        ),
        (
            "cages of all operations",
            with(|task| {
                task.format.shapes =
                    vec![Shape::latin(4).unwrap().with_arithmetic(operations())]
            }),
        ),
        (
            "no boxes",
            with(|task| task.format.shapes = vec![Shape::latin(4).unwrap()]),
        ),
        (
            "orders",
            with(|task| {
                task.format.shapes =
                    vec![Shape::latin(3).unwrap(), Shape::latin(4).unwrap()];
                task.format.input.order_line = number(OrderPlace::Case);
            }),
        ),
        (
            "boxes that are no squares",
            with(|task| {
                task.format.shapes = vec![Shape::new(6, 2, 3).unwrap()];
                task.format.symbols = Symbols::characters("123456", ".");
            }),
        ),
    ]
}

/// Two cages, of which one lies across rows and columns, and an inequality.
fn arithmetic() -> Arithmetic {
    Arithmetic {
        cages: vec![
            cage(&[0, 5], CageOperation::Sum, 4),
            cage(&[2, 3, 7], CageOperation::Sum, 7),
        ],
        inequalities: vec![Inequality {
            less: 8,
            greater: 12,
        }],
    }
}

/// A cage for each operation.
fn operations() -> Arithmetic {
    let cages = vec![
        cage(&[7, 9], CageOperation::Sum, 5),
        cage(&[5, 11], CageOperation::Product, 6),
        cage(&[13, 14], CageOperation::Difference, 1),
        cage(&[0, 1], CageOperation::Quotient, 2),
    ];
    Arithmetic {
        cages,
        inequalities: vec![],
    }
}

fn cage(cells: &[usize], operation: CageOperation, target: u64) -> Cage {
    Cage {
        cells: cells.to_vec(),
        operation,
        target,
        may_repeat: false,
    }
}

/// Pseudo-random numbers that are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A random complete grid.
fn complete(shape: &Shape, solver: &Solver, rng: &mut Dice) -> Vec<Value> {
    loop {
        let mut cells = vec![BLANK; shape.cells()];
        for _ in 0..shape.order() {
            cells[rng.below(shape.cells())] = rng.below(shape.order()) as Value + 1;
        }
        if let Some(found) = solver.solutions(&cells, 1).unwrap().pop() {
            return found;
        }
    }
}

/// A random grid that a problem allows, with many, few, or as few clues as possible.
fn grid(
    task: &GridTask,
    shape: &Shape,
    solver: &Solver,
    rng: &mut Dice,
) -> Vec<Value> {
    let may_clash = task.format.replies.may_clash();
    let is_allowed = |cells: &[Value]| match check::expected_answer(
        solver,
        task.accept,
        &task.format,
        cells,
    )
    .unwrap()
    {
        check::ExpectedAnswer::Reply(said) => {
            task.format.replies.text(said).is_some()
        }
        _ => true,
    };
    let tries = [rng.below(shape.cells()), 4 * shape.cells()][rng.below(2)];
    let mut cells = complete(shape, solver, rng);
    for _ in 0..tries {
        let cell = rng.below(shape.cells());
        let clue = std::mem::take(&mut cells[cell]);
        if !is_allowed(&cells) {
            cells[cell] = clue;
        }
    }
    if may_clash && rng.below(2) == 0 {
        let cell = rng.below(shape.cells());
        let clue = std::mem::replace(
            &mut cells[cell],
            rng.below(shape.order()) as Value + 1,
        );
        if !is_allowed(&cells) {
            cells[cell] = clue;
        }
    }
    cells
}

/// An input of a problem, and its answer.
fn case(task: &GridTask, number: usize, rng: &mut Dice) -> (String, Vec<u8>) {
    let format = &task.format;
    let most = task.format.input.count.most() as usize;
    // A third of the inputs has one grid, and a third has as many as allowed.
    let count = if number.is_multiple_of(3) {
        1
    } else if number % 3 == 1 {
        most
    } else {
        1 + rng.below(most)
    };
    let mut grids = vec![];
    for _ in 0..count {
        let shape = &format.shapes[rng.below(format.shapes.len())];
        grids.push((shape, grid(task, shape, &Solver::new(shape), rng)));
    }
    if format.symbols.blanks().len() > 1 {
        let shown: Vec<_> = grids
            .iter()
            .map(|(shape, cells)| (*shape, &cells[..]))
            .collect();
        let text = write::input(format, &shown).replacen('.', "*", 3);
        return answered(task, text);
    }
    let shown: Vec<_> = grids
        .iter()
        .map(|(shape, cells)| (*shape, &cells[..]))
        .collect();
    answered(task, write::input(format, &shown))
}

fn answered(task: &GridTask, input: String) -> (String, Vec<u8>) {
    let boards: Vec<_> = task.format.shapes.iter().map(MutantContext::new).collect();
    let opened = CaseUnderTest::open(task, &boards, input.as_bytes(), b"").unwrap();
    let answer = writing::plainly(&task.format, &opened.answers);
    (input, answer.into_bytes())
}

/// The names of the mutants that survive an input.
fn survivors(task: &GridTask, input: &str) -> Vec<&'static str> {
    let (input, answer) = answered(task, input.to_owned());
    let strength = MutationTest::for_task(task, LIMIT);
    let kill_reasons = strength.examine(input.as_bytes(), &answer, &|| {}).unwrap();
    strength
        .mutants()
        .zip(kill_reasons)
        .filter(|(_, reason)| reason.is_none())
        .map(|(mutant, _)| mutant.name)
        .collect()
}

/// The output of a mutant for an input.
fn printed(task: &GridTask, name: &str, input: &str) -> String {
    printed_within(LIMIT, task, name, input)
}

fn printed_within(
    limit: Duration,
    task: &GridTask,
    name: &str,
    input: &str,
) -> String {
    let mutant = mutants().find(|mutant| mutant.name == name).unwrap();
    assert!(mutant.applies_to(task), "{name}");
    let boards: Vec<_> = task.format.shapes.iter().map(MutantContext::new).collect();
    let opened = CaseUnderTest::open(task, &boards, input.as_bytes(), b"").unwrap();
    match MutantRunner::new(mutant, task).output(&opened, limit) {
        Ok(output) => output,
        Err(OutputError::TooSlow(why)) => why,
        Err(OutputError::Unfit(unfit)) => unfit.to_string(),
    }
}

#[test]
fn mutants_have_unique_names_and_faults_and_each_fits_some_problem() {
    let names: BTreeSet<_> = mutants().map(|mutant| mutant.name).collect();
    let faults: BTreeSet<_> = mutants().map(|mutant| mutant.fault).collect();
    assert_eq!(
        (names.len(), faults.len()),
        (mutants().count(), mutants().count())
    );
    // `cover` represents sets of mutants by the bits of a `u128`.
    assert!(mutants().count() <= 128);
    let mut problems = problems();
    let large = |order, rows, columns| {
        with(|task| {
            task.format.shapes = vec![Shape::new(order, rows, columns).unwrap()];
            task.format.symbols = Symbols::numbers("0");
            task.format.output.cells = CellSpacing::Spaced;
            task.format.output.rows = gridjudge_grid::RowLayout::OneLine;
            task.accept = Accept::Any;
        })
    };
    problems.push(("order nine", large(9, 3, 3)));
    problems.push((
        "diagonals of order six",
        with(|task| {
            task.format.shapes = vec![Shape::new(6, 2, 3).unwrap().with_diagonals()];
            task.format.symbols = Symbols::characters("123456", ".");
        }),
    ));
    problems.push(("order sixteen", large(16, 4, 4)));
    problems.push((
        "magic squares",
        with(|task| {
            task.format.shapes = vec![Shape::magic(3, true).unwrap()];
            task.format.symbols = Symbols::characters("123456789", ".");
        }),
    ));
    problems.push((
        "regions with square boxes to mistake them for",
        with(|task| {
            task.format.shapes =
                vec![Shape::jigsaw(4, &["ABBB", "AABC", "ADCC", "DDDC"]).unwrap()];
            task.accept = Accept::All { most: 5 };
            task.format.output.white_space = WhiteSpace::Strict;
        }),
    ));
    for mutant in mutants() {
        assert!(
            problems.iter().any(|(_, task)| mutant.applies_to(task)),
            "{}",
            mutant.name
        );
    }
}

#[test]
fn many_mutants_fit_every_problem() {
    for (kind, task) in problems() {
        let fitting = mutants().filter(|mutant| mutant.applies_to(&task)).count();
        assert!(fitting >= 25, "{kind}: {fitting}");
    }
}

#[test]
fn every_mutant_that_fits_is_killed_by_some_input() {
    let mut unseen = vec![];
    for (kind, task) in problems() {
        let mut alive = MutationTest::for_task(&task, LIMIT);
        let mut rng = Dice(7);
        for number in 0..MOST_INPUTS {
            let (input, answer) = case(&task, number, &mut rng);
            let kill_reasons =
                alive.examine(input.as_bytes(), &answer, &|| {}).unwrap();
            let mut kill_reasons = kill_reasons.into_iter();
            alive.runners.retain(|_| kill_reasons.next() == Some(None));
            if alive.runners.is_empty() {
                break;
            }
        }
        let names = alive.mutants().map(|mutant| mutant.name);
        unseen.extend(names.map(|name| format!("{kind}: {name}")));
    }
    assert_eq!(unseen, [""; 0]);
}

#[test]
fn naked_singles_solve_every_grid_of_order_four_with_one_solution() {
    // Up to symmetry there are two complete grids, and a grid with more than six clues
    // has one to spare.
    for complete in ["1234341221434321", "1234341241232341"] {
        let cells: Vec<Value> = complete.bytes().map(|byte| byte - b'0').collect();
        let board = MutantContext::new(&Shape::square(4).unwrap());
        let mut unique = 0;
        for choice in (0u32..1 << 16).filter(|choice| choice.count_ones() <= 6) {
            let clues: Vec<_> = (0..16)
                .map(|cell| {
                    if choice >> cell & 1 == 1 {
                        cells[cell]
                    } else {
                        BLANK
                    }
                })
                .collect();
            if board.solver.solutions(&clues, 2).unwrap().len() > 1 {
                continue;
            }
            unique += 1;
            let mut state = board.search.start(&clues);
            assert!(board.search.conclude(&mut state, search::Singles::Naked));
            assert_eq!(state.values(), cells, "{clues:?}");
        }
        assert!(unique > 1000, "{unique}");
    }
}

#[test]
fn mutants_print_what_programs_with_their_faults_would_print() {
    let two = "2\n.234\n3412\n2143\n4321\n1234\n3412\n21.3\n4321\n";
    let right = "1234\n3412\n2143\n4321\n";
    let banner = with(|task| task.format.output.banner = banner("Case #{n}:"));
    let none = with(|task| task.format.replies.none = Some("NONE".into()));
    let all = with(|task| {
        counting(2)(task);
        task.accept = Accept::All { most: 2 };
        task.format.replies.none = Some("NONE".into());
        task.format.replies.several = Some("SEVERAL".into());
    });
    let unsolvable = ".234\n1...\n....\n....\n";
    let three = format!("3\n{right}{right}{right}");
    let between = format!("3\n{unsolvable}{right}{unsolvable}");
    for (task, mutant, input, expected) in [
        (&plain(), "only-first-grid", two, right.to_owned()),
        (&plain(), "last-grid-twice", two, right.repeat(3)),
        (
            &plain(),
            "tables-left-over",
            two,
            format!("{right}1234\n3412\n21.3\n4321\n"),
        ),
        (
            &plain(),
            "last-cell-given",
            two,
            format!(".{}1234\n3412\n21.3\n4321\n", &right[1..]),
        ),
        (
            &plain(),
            "no-last-symbol",
            "1\n1234\n3412\n21.3\n4321\n",
            "1234\n3412\n21.3\n4321\n".to_owned(),
        ),
        (
            &plain(),
            "transposed",
            "1\n.234\n3412\n2143\n4321\n",
            "1324\n2413\n3142\n4231\n".to_owned(),
        ),
        (
            &plain(),
            "complete-grid",
            "1\n1234\n3412\n2143\n4321\n",
            "....\n....\n....\n....\n".to_owned(),
        ),
        (
            &banner,
            "no-last-banner",
            two,
            format!("Case #1:\n{right}{right}"),
        ),
        (
            &banner,
            "banner-from-zero",
            two,
            format!("Case #0:\n{right}Case #1:\n{right}"),
        ),
        (
            &none,
            "never-none",
            "1\n1.34\n341.\n2143\n432.\n",
            right.to_owned(),
        ),
        (
            &none,
            "never-none",
            "1\n.234\n1...\n....\n....\n",
            ".234\n1...\n....\n....\n".to_owned(),
        ),
        (&none, "last-cell-given", two, "NONE\nNONE\n".to_owned()),
        (
            &all,
            "number-left-over",
            &three,
            format!("1 ways\n{right}2 ways\n{right}SEVERAL\n"),
        ),
        (
            &all,
            "number-left-over",
            &between,
            format!("NONE\n1 ways\n{right}1 ways\n"),
        ),
    ] {
        assert_eq!(printed(task, mutant, input), expected, "{mutant}");
    }
}

#[test]
fn mutants_that_are_right_on_a_case_survive_it() {
    // With one complete grid, only mutants that get every output or complete grids
    // wrong are killed.
    let alive = survivors(&plain(), "1\n1234\n3412\n2143\n4321\n");
    for name in [
        "misses-last-grid",
        "transposed",
        "other-cells",
        "complete-grid",
        "last-grid-twice",
    ] {
        assert!(!alive.contains(&name), "{name}");
    }
    for name in [
        "no-rows",
        "greedy",
        "first-cell-given",
        "tables-left-over",
        "slow-every-filling",
    ] {
        let fits = mutants()
            .any(|mutant| mutant.name == name && mutant.applies_to(&plain()));
        assert_eq!(alive.contains(&name), fits, "{name}");
    }
}

#[test]
fn slow_mutants_are_killed_by_their_steps_and_not_by_the_clock() {
    let empty = "1\n....\n....\n....\n....\n";
    let any = with(|task| task.accept = Accept::Any);
    assert_eq!(
        printed(&any, "slow-every-filling", empty),
        "takes more than 1 million steps, too many for 10ms"
    );
    let patient = Duration::from_secs(10);
    assert_eq!(
        printed_within(patient, &any, "slow-every-filling", empty),
        "1234\n3412\n2143\n4321\n"
    );
}

#[test]
fn an_input_in_the_wrong_format_is_an_error_and_kills_no_mutant() {
    let task = plain();
    let refused =
        MutationTest::for_task(&task, LIMIT).examine(b"1\n12x4\n", b"", &|| {});
    assert!(matches!(refused, Err(ExamineError::Input(_))));
}
