//! Describes a plan by digests of everything on which its results depend, in a way that
//! is the same on every machine: contents, names and commands count; folders, tools and
//! processors do not. Start at [`record`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::cache::{CacheKey, KeyHasher};
use crate::compile::{self, ProgramSource};
use crate::mistake::Mistake;
use crate::model::{
    AdditionalSources, Contest, CustomGrader, ENTRY_DIGITS, PlanPart, PlanRecord,
    Problem, Scoring, Task,
};
use crate::run::{self, Plan, PlanEntry};

/// Describes a plan, and what decides its results besides: the options that change
/// them, as they are written; the digest of the file by whose times the submissions are
/// divided, if there is one; and the number of shards.
///
/// # Errors
/// If a source, or an input or answer, cannot be read.
pub fn record(
    plan: &Plan,
    options: &str,
    times: Option<&str>,
    shards: usize,
) -> Result<PlanRecord, Mistake> {
    let mut parts = vec![
        part("the version of gridjudge", env!("CARGO_PKG_VERSION")),
        part("the number of shards", shards.to_string()),
        part("the options", options),
        part("the file of `--times`", times.unwrap_or("none")),
    ];
    if let Some(contest) = &plan.contest {
        let Contest {
            name,
            teams,
            problems,
            rules,
            ..
        } = contest;
        let named = digest_of(&format!("{name:?} {teams:?} {problems:?}"));
        let rules = digest_of(&format!("{rules:?}"));
        parts.push(part("the teams and problems of the contest", named));
        parts.push(part("the rules of the contest", rules));
    }
    let mut languages = BTreeMap::new();
    let mut described = BTreeSet::new();
    for entry in &plan.entries {
        let programs = entry.programs.all_in_order();
        let theirs = programs.filter_map(|program| program.tool.language.as_ref());
        for language in entry.language.iter().chain(theirs) {
            languages.entry(&language.id).or_insert(language);
        }
        if described.insert((&entry.problem.id, entry.cases.as_ptr())) {
            parts.extend(parts_of_problem(entry)?);
        }
    }
    for language in languages.values() {
        let text = format!("{language:?}");
        let name = format!("the commands or limits of {}", language.name);
        parts.push(part(name, digest_of(&text)));
    }
    let mut all = KeyHasher::for_purpose("plan");
    for PlanPart { name, value } in &parts {
        all.add(name);
        all.add(value);
    }
    let mut entries = String::new();
    for entry in &plan.entries {
        let key = entry_key(entry)?.to_string();
        all.add(&key);
        entries.push_str(&key[..ENTRY_DIGITS]);
    }
    Ok(PlanRecord {
        digest: all.finish().to_string(),
        parts,
        submissions: plan.entries.len(),
        entries,
    })
}

fn part(name: impl Into<String>, value: impl Into<String>) -> PlanPart {
    PlanPart {
        name: name.into(),
        value: value.into(),
    }
}

/// The digest of something that is written out in full.
fn digest_of(text: &str) -> String {
    short(KeyHasher::for_purpose("part of a plan").with(text).finish())
}

/// Half of a key: enough for a part that is only compared with its like.
fn short(key: CacheKey) -> String {
    key.to_string()[..32].to_owned()
}

/// The parts about the problem of a submission: its rules, its programs, its cases.
fn parts_of_problem(entry: &PlanEntry) -> Result<[PlanPart; 3], Mistake> {
    let problem = &entry.problem;
    let mut programs = KeyHasher::for_purpose("programs");
    for program in entry.programs.all_in_order() {
        programs.add(program.kind.name());
        add_program(&mut programs, program.program_source())?;
    }
    let mut cases = KeyHasher::for_purpose("cases");
    for case in entry.cases.iter() {
        cases.add(&case.name);
        let key = run::case_key(case, problem).map_err(|error| {
            let path = [&case.input, &case.answer]
                .into_iter()
                .find(|path| File::open(path).is_err());
            Mistake::unreadable(path.unwrap_or(&case.input), error)
        })?;
        cases.add(key.key.to_string());
    }
    let id = &problem.id;
    Ok([
        part(
            format!("the rules or limits of {id}"),
            digest_of(&rules(problem)),
        ),
        part(
            format!("the checker or another program of {id}"),
            short(programs.finish()),
        ),
        part(format!("the cases of {id}"), short(cases.finish())),
    ])
}

/// Everything in a problem that is neither a case nor a program, in words.
fn rules(problem: &Problem) -> String {
    let key = |task: &Task| {
        let bytes = task.cache_key(&problem.limits).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let of_cases: Vec<_> = problem
        .case_tasks
        .iter()
        .map(|(case, task)| (case, key(task)))
        .collect();
    // Where the grader is does not count; its contents are among the programs.
    let grader = problem.scoring.grader.as_ref().map(|grader| CustomGrader {
        source: PathBuf::new(),
        limits: grader.limits.clone(),
    });
    let scoring = Scoring {
        grader,
        ..problem.scoring.clone()
    };
    format!(
        "{} {:?} {:?} {:?} {:?} {of_cases:?}",
        key(&problem.task),
        problem.limits,
        problem.allowances,
        scoring,
        problem.file_streams,
    )
}

/// The key of a submission: what it is, whose, and what is expected of it.
fn entry_key(entry: &PlanEntry) -> Result<CacheKey, Mistake> {
    let mut hasher = KeyHasher::for_purpose("submission of a plan");
    hasher.add(&entry.problem.id);
    hasher.add(&entry.submission.name);
    hasher.add(format!("{:?}", entry.entrant));
    hasher.add(format!("{:?}", entry.submission.expected));
    hasher.add(format!("{:?}", entry.expectations));
    hasher.add(format!("{:?}", entry.limits()));
    let refusal = entry.refusal.as_ref().map(|refusal| &refusal.reason);
    let language_refusal = entry
        .language_refusal
        .as_ref()
        .map(|refusal| &refusal.cause);
    hasher.add(format!("{refusal:?} {language_refusal:?}"));
    let names: Vec<_> = entry.cases.iter().map(|case| &case.name).collect();
    hasher.add(format!("{names:?}"));
    add_program(&mut hasher, entry.program_source())?;
    Ok(hasher.finish())
}

/// Adds what a program is made from: its files and their names, its language by name.
fn add_program(
    hasher: &mut KeyHasher,
    program: ProgramSource<'_>,
) -> Result<(), Mistake> {
    let AdditionalSources {
        files,
        start,
        constants,
    } = program.additional_sources;
    let language = program.language.map(|language| &language.id);
    hasher.add(format!("{language:?} {start:?} {constants:?}"));
    if program.is_too_large() {
        hasher.add("too large");
        return Ok(());
    }
    match &program.source.real {
        Some(real) => {
            compile::open_source(program.source)
                .map_err(io::Error::from)
                .and_then(|source| hasher.add_opened(source))
                .map_err(|error| Mistake::unreadable(real, error))?;
        }
        None => add_contents(hasher, &program.source.path)?,
    }
    for file in files {
        hasher.add(&file.name);
        add_contents(hasher, &file.path)?;
    }
    Ok(())
}

/// Adds a file, or all files of a folder with their names.
fn add_contents(hasher: &mut KeyHasher, path: &Path) -> Result<(), Mistake> {
    let add_file = |hasher: &mut KeyHasher, file: &Path| {
        hasher
            .add_file(file)
            .map(drop)
            .map_err(|error| Mistake::unreadable(file, error))
    };
    if !path.is_dir() {
        return add_file(hasher, path);
    }
    for found in WalkDir::new(path).sort_by_file_name() {
        let found = found.map_err(|error| Mistake::unreadable(path, error))?;
        if found.file_type().is_file() {
            let name = found.path().strip_prefix(path).unwrap_or(found.path());
            hasher.add(name.as_os_str().as_encoded_bytes());
            add_file(hasher, found.path())?;
        }
    }
    Ok(())
}
