//! The readers of the files in a judge's folder, and of the folders of contests and
//! caches.

use std::fs;
use std::path::{Path, PathBuf};

use gridjudge::authoring::generate::Manifest;
use gridjudge::cache::{Cache, KeptLimit, KeyHasher, keep_limit, kept_limits};
use gridjudge::model::{Trial, Verdict};
use gridjudge::spec::{ContestEntries, JudgeFolder, NamePattern};
use gridjudge_sandbox::{Exit, Usage};

use crate::fuzzed::{Reader, seeds};

const CONTEST: &str = "name = \"Spring\"\nproblems = [\"p\"]\nby = \"icpc\"\npenalty = 7\n\
    start = \"2026-11-28 10:00\"\nlength = \"5:00\"\nfreeze = 240\n[team.t]\nname = \"T\"\nsite = \"s\"\n\
    status = \"disqualified\"\n[problem.p]\nlabel = \"A\"\ncolor = \"#ff8800\"\n";

const SUBMISSIONS: &str = "[\"a.py\"]\nexpect = \"AC\"\n[\"*.cpp\"]\nexpect = [\"WA\", \"TLE\"]\ncases = {\"secret/*\" = \"WA\"}\n";

const MANIFEST: &str = "| case | grids | clues | rating | guesses | promise | input | answer |\n\
|---|---|---|---|---|---|---|---|\n| secret/a-1 | 1 | 24 | hard | 3 | minimal | 0123456789abcdef | 0123456789abcdef |\n";

/// The readers of the files in a judge's folder.
pub(super) fn readers() -> Vec<Reader> {
    let of_text = |name, seeds, read: fn(&str)| Reader {
        name,
        seeds,
        read: Box::new(move |input: &[u8]| read(&String::from_utf8_lossy(input))),
    };
    vec![
        of_judge_file("judge.toml", "judge.toml", judge_tomls(), |folder| {
            drop(JudgeFolder::open(folder))
        }),
        of_judge_file(
            "problem.toml",
            "problems/p/problem.toml",
            problem_tomls(),
            |folder| {
                drop(
                    JudgeFolder::open(folder)
                        .and_then(|judge| judge.find("p")?.spec()),
                );
            },
        ),
        of_judge_file(
            "submissions.toml",
            "problems/p/submissions/submissions.toml",
            seeds::texts(&[SUBMISSIONS]),
            |folder| {
                drop(
                    JudgeFolder::open(folder)
                        .and_then(|judge| judge.find("p")?.examples()),
                )
            },
        ),
        of_judge_file(
            "contest.toml",
            "c/contest.toml",
            seeds::texts(&[CONTEST]),
            |folder| {
                let judge = JudgeFolder::open(folder).expect("a judge's folder");
                drop(ContestEntries::read(&judge, &folder.join("c"), &[]));
            },
        ),
        of_text("generated.md", seeds::texts(&[MANIFEST]), |text| {
            drop(Manifest::read(text).text())
        }),
        of_text(
            "patterns of names",
            seeds::texts(&["secret/01?-*", "**/{a,b}/[!a-c]", "{{a,b},{c,d}}*"]),
            |text| {
                if let Ok(pattern) = NamePattern::new(text) {
                    pattern.matches("secret/01a-b");
                    pattern.matches(&"a/".repeat(200));
                }
            },
        ),
        of_stored_trials(),
        of_kept_limits(),
    ]
}

fn judge_tomls() -> Vec<Vec<u8>> {
    let own =
        fs::read(seeds::repository().join("judge.toml")).expect("our own settings");
    let examples = seeds::examples("toml");
    let all = examples
        .into_iter()
        .filter(|text| String::from_utf8_lossy(text).contains("[languages"));
    all.chain([
        own,
        b"problems = \"problems\"\n[limits]\ntime = \"2s\"\nmemory = \"64MiB\"\n"
            .to_vec(),
    ])
    .collect()
}

fn problem_tomls() -> Vec<Vec<u8>> {
    let own = seeds::files("problems", "problem.toml", 1 << 14);
    let formats = seeds::files("tests/formats", "problem.toml", 1 << 14);
    [own, formats, seeds::examples("toml")].concat()
}

/// A reader of a judge's folder in which one file is mutated.
fn of_judge_file(
    name: &'static str,
    file: &'static str,
    seeds: Vec<Vec<u8>>,
    read: fn(&Path),
) -> Reader {
    let folder = tempfile::tempdir().expect("a folder");
    let spec = "name = \"P\"\n[task]\nkind = \"tokens\"\n";
    for (other, text) in [
        ("judge.toml", ""),
        ("problems/p/problem.toml", spec),
        ("problems/p/submissions/a.py", ""),
        ("problems/p/submissions/b.cpp", ""),
        ("c/team/p.py", ""),
    ] {
        put(folder.path(), other, text);
    }
    let read = move |input: &[u8]| {
        put(folder.path(), file, input);
        read(folder.path());
    };
    Reader {
        name,
        seeds,
        read: Box::new(read),
    }
}

fn put(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// The reader of the trials in a cache.
fn of_stored_trials() -> Reader {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("cache");
    let case = KeyHasher::for_purpose("case").finish();
    let cache = Cache::open(&place, 1 << 20, &[]).expect("a cache");
    let program = cache.program().finish();
    cache.program_cache(program).store(&case, &trial());
    let file = only_file(&place);
    let seeds = vec![fs::read(&file).expect("a stored trial")];
    let read = move |input: &[u8]| {
        let _ = &folder;
        fs::write(&file, input).expect("a file");
        drop(cache.program_cache(program).find(&case));
    };
    Reader {
        name: "a cached trial",
        seeds,
        read: Box::new(read),
    }
}

fn trial() -> Trial {
    Trial::new(Verdict::RuntimeError, Exit::Signal(11), Usage::default())
}

/// The reader of the time limits that were measured and kept.
fn of_kept_limits() -> Reader {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("cache");
    let limit = KeptLimit {
        package: "sum".into(),
        limit_us: 2_000_000,
        reason: "slow.py takes 1 s".into(),
        measured: "2026-11-27".into(),
    };
    keep_limit(&place, &KeyHasher::for_purpose("sum").finish(), limit);
    let file = only_file(&place);
    let seeds = vec![fs::read(&file).expect("a kept limit")];
    let read = move |input: &[u8]| {
        fs::write(&file, input).expect("a file");
        let limits = kept_limits(&place).expect("the cache");
        assert!(limits.len() <= 1);
        let _ = &folder;
    };
    Reader {
        name: "a kept time limit",
        seeds,
        read: Box::new(read),
    }
}

/// The only file with something in it below a folder.
fn only_file(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries
        .filter(|path| path.metadata().is_ok_and(|found| found.len() > 0))
        .collect();
    files.retain(|path| path.is_file() && !path.ends_with("CACHEDIR.TAG"));
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}
