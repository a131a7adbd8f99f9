//! `gridjudge generate`: writes the cases that recipes make into the case folders of
//! problems, or compares the stored cases with them. Replaces and deletes only files
//! that the manifest records as generated and that were not changed by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::iter::zip;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use gridjudge_sandbox::Fault;

use crate::authoring::generate::{
    ENDINGS, FILE_NAME, GeneratedCase, Manifest, ManifestEntry, fingerprint,
    generated_cases, start_threads,
};
use crate::cli::draft::DraftFiles;
use crate::cli::{
    CommandError, CommandOutcome, CommandResult, GlobalOptions, PackageChoice,
    ProblemNames, StatusLine, ThreadCount, output, screen,
};
use crate::files::{self, FileError, InnerName};
use crate::spec::{JudgeFolder, MOST_CASE, Mistake, Mistakes, ProblemSpec};
use crate::text::{counted, printable};

#[derive(Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    problems: ProblemNames,
    /// Write nothing; show which stored cases differ from what the recipes make
    #[arg(long, conflicts_with = "prune")]
    check: bool,
    /// Delete generated cases that no recipe makes any more
    #[arg(long)]
    prune: bool,
    #[command(flatten)]
    threads: ThreadCount,
}

/// The case folder of one problem, and the cases that its recipes make.
struct CaseFolder {
    folder: PathBuf,
    made: Vec<GeneratedCase>,
    /// The entries of these cases in the manifest.
    known: BTreeMap<String, ManifestEntry>,
    /// The entries of the manifest that no recipe makes.
    stale: BTreeMap<String, ManifestEntry>,
}

/// Files to write, with their contents.
type DueFiles<'m> = Vec<(PathBuf, &'m [u8])>;

/// Writes the cases that recipes make, or compares the stored ones with them.
pub(crate) fn run(request: &GenerateArgs, common: &GlobalOptions) -> CommandResult {
    let folder =
        &common.folder_with(&request.problems.named(), &PackageChoice::default())?;
    let ids = request.problems.ids(folder);
    start_workers(&request.threads)?;
    let mut cases = 0;
    // Files that differ, or cases that are written.
    let mut changes = 0;
    let mut has_recipes = false;
    let mut mistakes = vec![];
    let status = StatusLine::start("reading recipes");
    for id in &ids {
        let stored = match CaseFolder::prepare(folder, id, &status) {
            Ok(stored) => stored,
            // The recipes of the other problems do not depend on it.
            Err(CommandError::Mistakes(found)) => {
                mistakes.extend(found.0);
                continue;
            }
            Err(fault) => return Err(fault),
        };
        cases += stored.made.len();
        has_recipes |= !stored.made.is_empty() || !stored.stale.is_empty();
        changes += status.suspend(|| {
            if request.check {
                Ok(stored.differences()?)
            } else {
                stored.fill(request)
            }
        })?;
    }
    drop(status);
    Mistakes::refuse(mistakes)?;
    if !has_recipes {
        screen::sentence_unless_quiet(sentence(folder, &ids)?)?;
        return Ok(CommandOutcome::AsExpected);
    }
    let what = match changes {
        _ if request.check => format!("{changes} differing"),
        0 => "all were there already, nothing written".to_owned(),
        written => format!("{written} written"),
    };
    let cases = counted(cases, "case");
    screen::sentence_unless_quiet(format_args!("{cases} of recipes: {what}"))?;
    Ok(CommandOutcome::Surprising.when(request.check && changes > 0))
}

fn start_workers(threads: &ThreadCount) -> Result<(), Fault> {
    start_threads(threads.number()).map_err(Fault::during("starting the workers"))
}

/// Makes the cases of a problem that is not there yet, and writes nothing. Returns the
/// names of their files below the problem's case folder, and their contents.
///
/// # Errors
/// If a recipe fails, which is a mistake in the spec at `path`.
pub(crate) fn files_of_draft(
    drafted: &ProblemSpec,
    path: &Path,
) -> Result<DraftFiles, CommandError> {
    start_workers(&ThreadCount::default())?;
    let status = StatusLine::start("making the sample case");
    let made =
        generated_cases(&drafted.problem, &drafted.recipes, path, &|_, _, _| {})?;
    drop(status);
    let manifest = Manifest::of_cases(&made);
    let mut files = vec![];
    for case in made {
        files.extend(
            zip(ENDINGS, case.files)
                .map(|(ending, bytes)| (format!("{}.{ending}", case.name), bytes))
                .rev(),
        );
    }
    if !files.is_empty() {
        files.push((FILE_NAME.to_owned(), manifest.text().into_bytes()));
    }
    Ok(files)
}

impl CaseFolder {
    fn prepare(
        folder: &JudgeFolder,
        id: &str,
        status: &StatusLine,
    ) -> Result<Self, CommandError> {
        let found = folder.find(id)?;
        let spec = found.spec()?;
        let cases = folder.config.case_folder(id);
        let mut refused = found.refused_below_cases();
        refused.extend(output::refuse_leading_out(&cases).err());
        Mistakes::refuse(refused)?;
        let made = generated_cases(
            &spec.problem,
            &spec.recipes,
            found.file(),
            &|recipe, made, all| {
                status.say(format_args!(
                    "{id}: recipe {recipe}, {made} of {} made",
                    counted(all, "grid")
                ));
            },
        )?;
        let manifest_path = cases.join(FILE_NAME);
        let text = stored(&manifest_path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let manifest = Manifest::read(&text);
        refuse_names_that_lead_out(&manifest, &text, &manifest_path)?;
        let made_names: BTreeSet<_> =
            made.iter().map(|made| made.name.as_str()).collect();
        let (known, stale) = manifest
            .entries
            .into_iter()
            .partition(|(name, _)| made_names.contains(name.as_str()));
        Ok(Self {
            folder: cases,
            known,
            stale,
            made,
        })
    }

    /// Writes cases that are missing or out of date. Refuses, before writing anything,
    /// if a file was created or changed by hand.
    fn fill(&self, request: &GenerateArgs) -> Result<usize, CommandError> {
        let mut due = vec![];
        let mut mistakes = vec![];
        for made in &self.made {
            match self.due(made)? {
                Some(files) if files.is_empty() => {}
                Some(files) => due.push((made, files)),
                None => mistakes.push(Mistake::new(
                    self.input(&made.name),
                    "a recipe makes a case of this name, and this one was made or changed by hand",
                    "give the recipe another name, or delete the case to have it made again",
                )),
            }
        }
        Mistakes::refuse(mistakes)?;
        for (made, files) in &due {
            for (path, bytes) in files {
                write(path, bytes)?;
            }
            screen::wrote(&self.input(&made.name))?;
        }
        let kept = self.remove_stale_cases(request.prune)?;
        let mut manifest = Manifest::of_cases(&self.made);
        manifest.entries.extend(kept);
        // The manifest is written last, or deleted if it is empty. Files of an
        // interrupted run are recognised by the next one, since their contents are the
        // same.
        let path = self.folder.join(FILE_NAME);
        let text =
            (!manifest.entries.is_empty()).then(|| manifest.text().into_bytes());
        match text {
            text if text == stored(&path)? => {}
            Some(text) => write(&path, &text)?,
            None => fs::remove_file(&path).map_err(Fault::at("deleting", &path))?,
        }
        Ok(due.len())
    }

    /// The files of a case that must be written; `None` if one of them was not
    /// generated or was changed by hand. The answer comes first: a case without its
    /// answer is a mistake to every other command.
    fn due<'m>(
        &self,
        made: &'m GeneratedCase,
    ) -> Result<Option<DueFiles<'m>>, Fault> {
        let entry = self.known.get(&made.name);
        let mut due = vec![];
        for (place, bytes) in made.files.iter().enumerate().rev() {
            let path = self.path(&made.name, ENDINGS[place]);
            let known = entry.map(|entry| &entry.fingerprints[place]);
            match stored(&path)? {
                Some(found) if found == *bytes => {}
                Some(found) if known != Some(&fingerprint(&found)) => {
                    return Ok(None);
                }
                _ => due.push((path, bytes.as_slice())),
            }
        }
        Ok(Some(due))
    }

    /// With `prune`, deletes stale cases that were not changed by hand. Otherwise names
    /// them and returns their entries, which stay in the manifest.
    fn remove_stale_cases(
        &self,
        prune: bool,
    ) -> Result<Vec<(String, ManifestEntry)>, CommandError> {
        let mut kept = vec![];
        for (name, entry) in &self.stale {
            let mut ours = vec![];
            for (ending, known) in zip(ENDINGS, &entry.fingerprints) {
                let path = self.path(name, ending);
                if stored(&path)?.is_some_and(|found| fingerprint(&found) == *known) {
                    ours.push(path);
                }
            }
            if ours.is_empty() {
                continue;
            }
            let input = self.input(name);
            let input = input.display();
            if prune {
                for path in &ours {
                    fs::remove_file(path).map_err(Fault::at("deleting", path))?;
                }
                screen::result_unless_quiet(format_args!("deleted {input}"))?;
            } else {
                screen::sentence(format_args!(
                    "{input} is made by no recipe any more; `--prune` deletes it"
                ))?;
                kept.push((name.clone(), entry.clone()));
            }
        }
        Ok(kept)
    }

    /// Shows the stored files that are not what the recipes make. Returns how many.
    fn differences(&self) -> Result<usize, Fault> {
        let mut lines = vec![];
        for made in &self.made {
            for (ending, bytes) in zip(ENDINGS, &made.files) {
                let path = self.path(&made.name, ending);
                match stored(&path)? {
                    Some(found) if found == *bytes => {}
                    Some(found) => lines.push(format!(
                        "{} differs from line {} on",
                        path.display(),
                        first_different_line(&found, bytes)
                    )),
                    None => lines.push(format!("{} is missing", path.display())),
                }
            }
        }
        for name in self.stale.keys() {
            let path = self.input(name);
            if path.exists() {
                lines.push(format!(
                    "{} is made by no recipe any more",
                    path.display()
                ));
            }
        }
        for line in &lines {
            screen::sentence(line)?;
        }
        if !lines.is_empty() && !screen::is_quiet() {
            screen::notice("`gridjudge generate` writes them again");
        }
        Ok(lines.len())
    }

    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{name}.{ending}"))
    }

    fn input(&self, name: &str) -> PathBuf {
        self.path(name, ENDINGS[0])
    }
}

/// Refuses a manifest with a name that leads out of the folder: files of these names
/// are read and deleted.
fn refuse_names_that_lead_out(
    manifest: &Manifest,
    text: &str,
    path: &Path,
) -> Result<(), Mistakes> {
    let lead_out = manifest
        .entries
        .keys()
        .filter(|name| InnerName::parse(name).is_none());
    let mistakes = lead_out.map(|name| {
        let message = format!(
            "`{}` is not the name of a case in this folder",
            printable(name)
        );
        let line = text
            .lines()
            .position(|line| line.starts_with(&format!("| {name} |")));
        let remedy = "delete the line: `gridjudge generate` never wrote it";
        Mistake {
            line: line.map(|line| line as u64 + 1),
            ..Mistake::new(path, message, remedy)
        }
    });
    Mistakes::refuse(mistakes)
}

/// The bytes of a file, or `None` if it does not exist.
fn stored(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    match files::read_bounded(path, MOST_CASE) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FileError::Unreadable(error)) if error.kind() == ErrorKind::NotFound => {
            Ok(None)
        }
        Err(refused) => Err(Fault::at("reading", path)(io::Error::other(refused))),
    }
}

/// Writes a file, and creates its folder if necessary.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let failed = Fault::at("writing", path);
    let folder = files::folder_of(path);
    fs::create_dir_all(folder).map_err(failed)?;
    output::write_file(path, bytes).map_err(failed)
}

/// The number of the first line in which two files differ.
fn first_different_line(found: &[u8], made: &[u8]) -> usize {
    let same = zip(found, made)
        .take_while(|(one, other)| one == other)
        .count();
    made[..same].iter().filter(|byte| **byte == b'\n').count() + 1
}

// Says that there are no recipes to make cases from, and what to write.

/// The sentence about problems none of which has a recipe.
fn sentence(folder: &JudgeFolder, ids: &[String]) -> Result<String, Mistakes> {
    let [id] = ids else {
        return Ok(format!(
            "{}: none has `[[generate]]` recipes to make cases from",
            counted(ids.len(), "problem")
        ));
    };
    let found = folder.find(id)?;
    if found.problem()?.task.as_grid().is_none() {
        return Ok(format!(
            "{id} has no recipes, which make grids: write its cases by hand, or by a program of \
             your own"
        ));
    }
    Ok(format!(
        "{id} has no `[[generate]]` recipes to make cases from: write one into {}, for example `group = \
         \"secret\"`, `name = \"easy\"`, `kind = \"minimal\"`, `seed = 1`",
        found.file().display()
    ))
}
