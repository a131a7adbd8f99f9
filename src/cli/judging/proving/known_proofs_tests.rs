//! When a case is proven again, with large cases of small grids and a proof that is
//! counted.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::Duration;

use gridjudge_grid::{
    CellSpacing, Format, GridCount, Layout, Replies, Shape, Symbols,
};
use gridjudge_sandbox::Limits;

use super::*;
use crate::model::{Accept, GridTask, Task};

/// A problem with a case, and a cache.
struct Proofs {
    folder: tempfile::TempDir,
    problem: Problem,
    case: Case,
}

impl Proofs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let case = Case {
            name: "secret/1".into(),
            input: path("in"),
            answer: path("ans"),
        };
        fs::write(&case.input, "1".repeat(LEAST_BYTES as usize)).unwrap();
        fs::write(&case.answer, "2").unwrap();
        Self {
            problem: problem(Accept::Unique),
            case,
            folder,
        }
    }

    fn cache(&self) -> std::path::PathBuf {
        self.folder.path().join("cache")
    }

    fn known(&self) -> KnownProofs<'static> {
        KnownProofs {
            place: None,
            cache: OnceLock::from(Cache::open(&self.cache(), 1 << 30, &[]).ok()),
        }
    }

    /// Whether a new judge checks the case.
    fn is_checked(&self) -> bool {
        self.is_checked_by(&self.known())
    }

    fn is_checked_by(&self, known: &KnownProofs<'_>) -> bool {
        self.checked(known, Vec::new)
    }

    /// Whether the case is checked, with this result.
    fn checked(
        &self,
        known: &KnownProofs<'_>,
        found: impl Fn() -> Vec<Mistake>,
    ) -> bool {
        let checks = Cell::new(0);
        known.of_problem(&self.problem).mistakes_or(&self.case, || {
            checks.set(checks.get() + 1);
            found()
        });
        checks.get() == 1
    }

    /// The one file with proofs.
    fn file(&self) -> std::path::PathBuf {
        let mut paths = fs::read_dir(self.cache())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        paths
            .find(|path| path.to_string_lossy().contains("/proofs-"))
            .unwrap()
    }
}

fn problem(accept: Accept) -> Problem {
    let layout = |count| Layout::bare(count, CellSpacing::Joined);
    Problem {
        id: "p".into(),
        name: "P".into(),
        source: None,
        task: Task::Grid(GridTask {
            format: Format {
                shapes: vec![Shape::new(4, 2, 2).unwrap()],
                symbols: Symbols::characters("1234", "*"),
                input: layout(GridCount::First { most: 10 }),
                output: layout(GridCount::AsInput),
                replies: Replies::default(),
            },
            accept,
        }),
        limits: Limits {
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(2),
            memory_bytes: 100,
            output_bytes: 1000,
            processes: 1,
            frequent_samples: false,
            address_space: None,
        },
        allowances: Default::default(),
        scoring: Default::default(),
        case_tasks: Default::default(),
        supplies: Default::default(),
        file_streams: Default::default(),
    }
}

#[test]
fn a_case_in_order_is_checked_once_and_again_when_a_file_or_the_spec_changes() {
    let mut proofs = Proofs::new();
    assert!(proofs.is_checked());
    assert!(!proofs.is_checked());
    // Limits and names are not part of what is proven.
    proofs.problem.name = "Q".into();
    proofs.problem.limits.memory_bytes += 1;
    proofs.case.name = "secret/2".into();
    assert!(!proofs.is_checked());
    for path in [proofs.case.input.clone(), proofs.case.answer.clone()] {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace(['1', '2'], "3")).unwrap();
        assert!(proofs.is_checked(), "{}", path.display());
        assert!(!proofs.is_checked());
    }
    proofs.problem = problem(Accept::Any);
    assert!(proofs.is_checked());
    let Task::Grid(task) = &mut proofs.problem.task else {
        panic!("a task of grids")
    };
    task.format.symbols = Symbols::characters("1234", "*.");
    assert!(proofs.is_checked());
    assert!(!proofs.is_checked());
}

#[test]
fn mistakes_are_not_remembered() {
    let proofs = Proofs::new();
    for _ in 0..2 {
        let mistake = || vec![Mistake::about_file(Path::new("in"), "is wrong")];
        assert!(proofs.checked(&proofs.known(), mistake));
        let known = proofs.known();
        let solved = known.of_problem(&proofs.problem).found_or(
            "solved",
            &proofs.case,
            || Err(mistake()),
        );
        assert!(solved.is_err());
    }
}

#[test]
fn a_case_that_changes_while_it_is_checked_is_checked_again() {
    let proofs = Proofs::new();
    let rewrites = || {
        let text = fs::read(&proofs.case.input).unwrap();
        fs::remove_file(&proofs.case.input).unwrap();
        fs::write(&proofs.case.input, text).unwrap();
        vec![]
    };
    assert!(proofs.checked(&proofs.known(), rewrites));
    assert!(proofs.is_checked());
    assert!(!proofs.is_checked());
}

#[test]
fn a_truncated_or_changed_proof_does_not_count() {
    let proofs = Proofs::new();
    proofs.is_checked();
    let whole = fs::read(proofs.file()).unwrap();
    for length in [0, 1, whole.len() / 2, whole.len() - 1] {
        fs::write(proofs.file(), &whole[..length]).unwrap();
        assert!(proofs.is_checked(), "{length} bytes");
    }
    for at in 1..whole.len() - 1 {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(proofs.file(), bytes).unwrap();
        assert!(proofs.is_checked(), "byte {at}");
    }
}

#[test]
fn two_judges_at_once_prove_a_case_each_and_the_next_does_not() {
    let proofs = Proofs::new();
    let judges = [proofs.known(), proofs.known()];
    let [one, other] = [&judges[0], &judges[1]];
    let both = proofs.checked(one, || {
        assert!(proofs.is_checked_by(other));
        vec![]
    });
    assert!(both);
    assert!(!proofs.is_checked());
    judges.into_iter().for_each(KnownProofs::close);
    assert!(!proofs.is_checked());
}

#[test]
fn solved_grids_are_counted_from_memory_and_apart_from_cases_in_order() {
    let proofs = Proofs::new();
    fs::write(&proofs.case.input, "small").unwrap();
    let known = proofs.known();
    let grids = |number| {
        known
            .of_problem(&proofs.problem)
            .found_or("solved", &proofs.case, || Ok::<_, ()>(number))
    };
    // A small case is not worth remembering that it is in order.
    assert!(proofs.is_checked() && proofs.is_checked());
    assert_eq!(grids(7).ok(), Some(7));
    assert_eq!(grids(8).ok(), Some(7));
    assert!(proofs.is_checked());
}

#[test]
fn without_a_cache_and_without_an_answer_all_is_checked_again() {
    let proofs = Proofs::new();
    proofs.is_checked();
    assert!(proofs.is_checked_by(&KnownProofs::default()));
    fs::remove_file(&proofs.case.answer).unwrap();
    assert!(proofs.is_checked() && proofs.is_checked());
}
