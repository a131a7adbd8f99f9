//! `gridjudge init`: creates a folder of problems, with one working problem to grade
//! and to copy. Overwrites nothing: if one of its files exists already, none is
//! written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, slice};

use clap::{Args, ValueEnum};
use gridjudge_sandbox::Fault;

use crate::cli::draft::first_spec;
use crate::cli::repository::{real, root_around};
use crate::cli::{
    CommandError, CommandOutcome, CommandResult, GlobalOptions, generate, output,
    screen, signals,
};
use crate::compile::{LanguageTool, Toolchain};
use crate::files::{self, UnfinishedFile};
use crate::spec::{Config, FILE_NAME, JudgeFolder, Mistake, Mistakes, SPEC};
use crate::text::JoinedTexts;

use CiService::*;

#[derive(Args)]
pub(crate) struct InitArgs {
    /// The folder; created if it does not exist [default: this one]
    #[arg(value_name = "DIR", conflicts_with = "directory")]
    folder: Option<PathBuf>,
    /// Also write a job for this service that proves and judges everything at each
    /// change; in an existing judge's folder, write only the job
    #[arg(long, value_name = "SERVICE")]
    ci: Option<CiService>,
    /// Judge on N machines, and merge their results in another job
    #[arg(
        long,
        value_name = "N",
        requires = "ci",
        value_parser = clap::value_parser!(u8).range(2..)
    )]
    shards: Option<u8>,
}

/// The id of the first problem, and its title.
const ID: &str = "first-4x4";
const TITLE: &str = "A grid of 4x4";

const JUDGE: &str = "# Everything here has a default: an empty file will do. docs/spec.md of gridjudge has every key.\n\n\
                     problems = \"problems\"\ncases = \"cases\"\n";

const IGNORED: &str = "# Files that gridjudge writes on request.\n*.jsonl\nstress/\njunit.xml\nprograms.xml\nverify.xml\n.gridjudge/\n";

/// Example submissions: their paths below `submissions`, the languages that they need,
/// and their texts.
const EXAMPLES: [(&str, Option<&str>, &str); 6] = [
    (
        "accepted/backtracking.c",
        Some("c"),
        include_str!("init/sample/backtracking.c"),
    ),
    (
        "accepted/backtracking.cpp",
        Some("cpp"),
        include_str!("init/sample/backtracking.cpp"),
    ),
    (
        "accepted/backtracking.py",
        Some("python"),
        include_str!("init/sample/backtracking.py"),
    ),
    (
        "wrong/always_the_same.sh",
        None,
        include_str!("init/sample/always_the_same.sh"),
    ),
    (
        "wrong/rows_only.c",
        Some("c"),
        include_str!("init/sample/rows_only.c"),
    ),
    (
        "wrong/rows_only.py",
        Some("python"),
        include_str!("init/sample/rows_only.py"),
    ),
];

/// The language whose examples are written if this machine has no language.
const LAST_RESORT: &str = "python";

/// A file to be written. A script is executable.
#[derive(Clone)]
struct NewFile {
    path: PathBuf,
    text: Vec<u8>,
}

impl NewFile {
    /// Whether the file exists as it would be written.
    fn is_there(&self) -> bool {
        let found = files::read_bounded(&self.path, self.text.len() as u64);
        found.is_ok_and(|found| found == self.text)
    }
}

pub(crate) fn run(init: &InitArgs, common: &GlobalOptions) -> CommandResult {
    let root = init
        .folder
        .as_ref()
        .or(common.directory.as_ref())
        .cloned()
        .unwrap_or_default();
    if let Ok(found) = root.metadata()
        && !found.is_dir()
    {
        return Mistake::refuse(
            &root,
            "is not a folder",
            "name an empty folder, or one that does not exist yet",
        );
    }
    let job = init
        .ci
        .map(|service| {
            CiJob::for_folder(
                service,
                init.shards,
                &root,
                &problem_of_programs(&root),
            )
        })
        .transpose()?;
    if let Some(job) = &job
        && root.join(FILE_NAME).exists()
    {
        Mistakes::refuse(job.mistake_if_there())?;
        write(slice::from_ref(&job.file))?;
        if !screen::is_quiet() {
            let step = job.edit_step(&job.file.path);
            screen::result(format_args!("\nNext:\n  {step}"))?;
            job.warn();
        }
        return Ok(CommandOutcome::AsExpected);
    }
    let mut new_files = new_files(&root, job.as_ref())?;
    // An existing `.gitignore` belongs to the user and is not changed.
    new_files.retain(|page| {
        !page.path.ends_with(".gitignore") || page.path.symlink_metadata().is_err()
    });
    refuse_what_is_there(&root, &new_files, job.as_ref())?;
    // A signal waits meanwhile, so that there is everything or nothing.
    let _whole = signals::enter_critical_section();
    write(&new_files)?;
    if !screen::is_quiet() {
        screen::result(next_steps(&root, job.as_ref()))?;
        job.iter().for_each(CiJob::warn);
    }
    Ok(CommandOutcome::AsExpected)
}

fn new_files(root: &Path, job: Option<&CiJob>) -> Result<Vec<NewFile>, CommandError> {
    let page = |path: &str, text: &str| NewFile {
        path: root.join(path),
        text: text.into(),
    };
    let below = |path: &str| format!("problems/{ID}/{path}");
    let spec = first_spec(ID, TITLE)? + include_str!("init/sample/recipes.toml");
    let mut new_files = vec![
        page(FILE_NAME, JUDGE),
        page(".gitignore", IGNORED),
        page(&below("problem.toml"), &spec),
        page(
            &below("statement.md"),
            include_str!("init/sample/statement.md"),
        ),
    ];
    let languages = languages_here(root);
    for (path, language, text) in EXAMPLES {
        if language.is_none_or(|id| languages.contains(&id)) {
            let path = below(&format!("submissions/{path}"));
            new_files.push(page(&path, text));
        }
    }
    new_files.extend(job.map(|job| job.file.clone()));
    // The cases that the recipes of the problem make.
    let folder = JudgeFolder::imagined(root);
    let drafted = folder.draft(ID, &spec)?;
    let place = folder.config.problems.join(ID).join(SPEC);
    let cases = folder.config.case_folder(ID);
    let made = generate::files_of_draft(&drafted, &place)?.into_iter();
    new_files.extend(made.map(|(name, text)| NewFile {
        path: cases.join(name),
        text,
    }));
    Ok(new_files)
}

/// The problem that programs of any name in a judge's folder are for: its only one, if
/// it has not several. Its id, which is empty otherwise, or if it cannot be written in
/// a job.
fn problem_of_programs(root: &Path) -> String {
    if !root.join(FILE_NAME).exists() {
        return ID.to_owned();
    }
    let ids: Vec<_> = JudgeFolder::open_or_empty(root)
        .iter()
        .flat_map(JudgeFolder::ids)
        .map(str::to_owned)
        .collect();
    match &ids[..] {
        [id] if is_plain(id) => id.clone(),
        _ => String::new(),
    }
}

/// Whether a name means itself in YAML and in a shell, also between quotes.
fn is_plain(name: &str) -> bool {
    !name
        .chars()
        .any(|letter| letter.is_control() || "'\"\\${}`".contains(letter))
}

/// The ids of the languages of examples whose compilers and runtimes this machine has.
/// If there is none, [`LAST_RESORT`]: when its examples are judged, the judge says what
/// to install.
fn languages_here(root: &Path) -> Vec<&'static str> {
    let config = Config::default_in(root);
    let finder = Toolchain::of_this_process();
    let mut here: Vec<_> = EXAMPLES
        .iter()
        .filter_map(|(_, language, _)| *language)
        .filter(|id| {
            config.languages().any(|language| {
                language.id == *id
                    && finder.tools(language).iter().all(LanguageTool::is_found)
            })
        })
        .collect();
    if here.is_empty() {
        here.push(LAST_RESORT);
    }
    here
}

/// Refuses to overwrite any file: an existing one may be the user's work.
fn refuse_what_is_there(
    root: &Path,
    new_files: &[NewFile],
    job: Option<&CiJob>,
) -> Result<(), Mistakes> {
    let remedy =
        "this is a judge's folder: begin a problem in it with `gridjudge new ID`";
    if let Some(mistake) = mistake_if_there(&root.join(FILE_NAME), remedy) {
        return Err(mistake.into());
    }
    let cases = root.join("cases").join(ID);
    // A run that was killed has left some of them, each whole, and `judge.toml` comes
    // last.
    let others = new_files
        .iter()
        .filter(|page| !page.is_there())
        .map(|page| &page.path);
    for place in others.clone().chain([&cases]) {
        output::refuse_leading_out(place)?;
    }
    // It may also have left one that has no name yet.
    new_files
        .iter()
        .filter_map(|page| page.path.parent())
        .filter(|folder| output::refuse_leading_out(folder).is_ok())
        .for_each(files::remove_abandoned);
    // Files of these cases as they would be written are from a killed run, too.
    let has_other_cases = walkdir::WalkDir::new(&cases)
        .into_iter()
        .flatten()
        .filter(|entry| !entry.file_type().is_dir())
        .any(|entry| {
            let mut pages = new_files.iter();
            !pages.any(|page| page.path == entry.path() && page.is_there())
        });
    let mistakes = others
        .chain(has_other_cases.then_some(&cases))
        .filter(|place| job.is_none_or(|job| job.file.path != **place))
        .filter_map(|place| {
            mistake_if_there(place, "choose another folder, or move it away")
        });
    let job = job.filter(|job| !job.file.is_there());
    Mistakes::refuse(mistakes.chain(job.and_then(CiJob::mistake_if_there)))
}

fn mistake_if_there(place: &Path, remedy: &str) -> Option<Mistake> {
    let is_there = place.symlink_metadata().is_ok();
    is_there.then(|| Mistake::new(place, "is there already", remedy))
}

/// Writes files; last of all `judge.toml`, with which the folder is complete.
fn write(new_files: &[NewFile]) -> Result<(), Fault> {
    let (last, first): (Vec<_>, Vec<_>) = new_files
        .iter()
        .partition(|page| page.path.ends_with(FILE_NAME));
    for page in first.into_iter().chain(last) {
        create(page).map_err(Fault::at("writing", &page.path))?;
        screen::wrote(&page.path)?;
    }
    Ok(())
}

fn create(page: &NewFile) -> io::Result<()> {
    if page.is_there() {
        return Ok(());
    }
    page.path.parent().map_or(Ok(()), fs::create_dir_all)?;
    let is_script = page.path.extension().is_some_and(|ending| ending == "sh");
    let mode = if is_script { 0o777 } else { 0o666 };
    let mut file = UnfinishedFile::beside(&page.path, mode)?;
    file.file().write_all(&page.text)?;
    file.create(&page.path)
}

fn next_steps(root: &Path, job: Option<&CiJob>) -> String {
    let mut text = "\nNext:".to_owned();
    let mut step = |command: &str, why: &str| {
        text += format!("\n  {command:<54} {why}").trim_end()
    };
    if !root.as_os_str().is_empty() {
        step(&format!("cd {}", root.display()), "");
    }
    step("gridjudge grade", "judge its examples: all as expected");
    step(
        &format!("gridjudge grade --watch -p {ID} mine.py"),
        "judge yours, again at every change",
    );
    step("gridjudge new ID", "begin a problem of your own");
    if let Some(job) = job {
        // The path is relative to the folder that the first step changes to, if the job
        // is in it.
        let path = &job.file.path;
        let shown = path.strip_prefix(root).unwrap_or(path);
        text += &format!("\n  {}", job.edit_step(shown));
    }
    text
}

// A job for a CI service: its text and its file. The file is at the root of the
// repository, where the service looks for it, and not in the judge's folder.

#[derive(Clone, Copy, ValueEnum)]
enum CiService {
    /// A workflow of GitHub Actions
    Github,
    /// A job of GitLab CI/CD
    Gitlab,
}

/// A job for a judge's folder.
struct CiJob {
    service: CiService,
    file: NewFile,
    /// Whether the folder is in a repository.
    is_in_repository: bool,
}

impl CiJob {
    /// The job of a service for a folder, which need not exist yet. `problem` is the
    /// problem that programs in it are for, if it has only one.
    ///
    /// # Errors
    /// If the folder's name cannot be written in the job.
    fn for_folder(
        service: CiService,
        shards: Option<u8>,
        folder: &Path,
        problem: &str,
    ) -> Result<Self, Mistake> {
        let whole = real(folder);
        let repository = root_around(&whole);
        let seen = repository
            .and_then(|root| whole.strip_prefix(root).ok())
            .unwrap_or(Path::new(""));
        let inside = &*seen.to_string_lossy();
        if !is_plain(inside) {
            return Mistake::refuse(
                folder,
                "its name cannot be written in a job",
                "give the folder a name of plain letters",
            );
        }
        // If the folder is itself the root, its path is used as the user wrote it.
        let root = repository.filter(|_| !inside.is_empty()).unwrap_or(folder);
        Ok(Self {
            service,
            file: NewFile {
                path: root.join(service.path()),
                text: service.text(shards, inside, problem).into(),
            },
            is_in_repository: repository.is_some(),
        })
    }

    /// A mistake if the file exists already.
    fn mistake_if_there(&self) -> Option<Mistake> {
        let remedy = "move it away, or copy the job into it by hand: docs/ci.md of gridjudge shows it";
        mistake_if_there(&self.file.path, remedy)
    }

    /// Prints a note if the folder is in no repository: the service would not find the
    /// job.
    fn warn(&self) {
        if !self.is_in_repository {
            let service = self.service.name();
            let path = self.service.path();
            screen::notice(format!(
                "no repository is around it: {service} looks for {path} at the root of one"
            ));
        }
    }

    /// The next step for the user: edit the job. `shown` is the path to print.
    fn edit_step(&self, shown: &Path) -> String {
        format!("edit {:<49} say where to get gridjudge", shown.display())
    }
}

impl CiService {
    fn name(self) -> &'static str {
        match self {
            Github => "GitHub",
            Gitlab => "GitLab",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Github => ".github/workflows/judge.yml",
            Gitlab => ".gitlab-ci.yml",
        }
    }

    /// The job for the folder `inside` the repository; for its root if empty. With
    /// several shards, there is a job for each, and one that merges them.
    fn text(self, shards: Option<u8>, inside: &str, problem: &str) -> String {
        let template = match (self, shards) {
            (Github, None) => include_str!("init/ci/github.yml").to_owned(),
            (Gitlab, None) => include_str!("init/ci/gitlab.yml").to_owned(),
            (Github, Some(shards)) => {
                let each = (1..=shards).map(|shard| shard.to_string()).joined(", ");
                include_str!("init/ci/github_shards.yml").replace("{shards}", &each)
            }
            (Gitlab, Some(shards)) => include_str!("init/ci/gitlab_shards.yml")
                .replace("{shards}", &shards.to_string()),
        };
        // Steps of GitHub are run by an ordinary user, those of GitLab by root of a
        // container.
        let (root, reports) = match self {
            Github => ("sudo ", "--github "),
            Gitlab => ("", ""),
        };
        let install = include_str!("init/ci/install.sh").replace("{root}", root);
        let programs =
            include_str!("init/ci/programs.sh").replace("{reports}", reports);
        let template = with_script(&template, "{install}", &install);
        let template = with_script(&template, "{programs}", &programs)
            .replace("{version}", env!("CARGO_PKG_VERSION"))
            .replace("{problem}", problem);
        let [defaults, enter, inside] = if inside.is_empty() {
            Default::default()
        } else {
            [
                format!("defaults:\n  run:\n    working-directory: \"{inside}\"\n"),
                format!("    - \"cd '{inside}'\"\n"),
                format!("{inside}/"),
            ]
        };
        template
            .replace("{defaults}", &defaults)
            .replace("{enter}", &enter)
            .replace("{inside}", &inside)
    }
}

/// Puts a script in the place of each line that holds this word and nothing else, as
/// far to the right as that was.
fn with_script(template: &str, word: &str, script: &str) -> String {
    template
        .lines()
        .map(|line| {
            let Some(indent) = line.strip_suffix(word) else {
                return format!("{line}\n");
            };
            script
                .lines()
                .map(|line| format!("{indent}{line}\n"))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod job_tests {
    use super::*;

    fn text(job: &CiJob) -> &str {
        str::from_utf8(&job.file.text).unwrap()
    }

    #[test]
    fn a_job_belongs_to_the_root_of_the_repository_around_a_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let outer = temporary.path().canonicalize().unwrap();
        std::fs::create_dir_all(outer.join("repository/.git")).unwrap();
        let folder = outer.join("repository/contest/2026");
        let job = CiJob::for_folder(CiService::Github, None, &folder, "").unwrap();
        assert_eq!(
            job.file.path,
            outer.join("repository/.github/workflows/judge.yml")
        );
        assert!(
            text(&job).contains("\n    working-directory: \"contest/2026\"\njobs:\n"),
            "{}",
            text(&job)
        );
        assert!(
            text(&job).ends_with("\n            contest/2026/programs.jsonl\n"),
            "{}",
            text(&job)
        );
        let job = CiJob::for_folder(CiService::Gitlab, None, &folder, "").unwrap();
        assert_eq!(job.file.path, outer.join("repository/.gitlab-ci.yml"));
        assert!(text(&job).contains(
            "\n  script:\n    - \"cd 'contest/2026'\"\n    - gridjudge doctor\n"
        ));
        assert!(
            text(&job).ends_with("        - contest/2026/programs.xml\n"),
            "{}",
            text(&job)
        );
    }

    #[test]
    fn the_job_of_a_folder_that_is_a_repository_or_in_none_is_in_that_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap().join("contest");
        let job = CiJob::for_folder(CiService::Github, None, &folder, "").unwrap();
        assert_eq!(
            (job.file.path.clone(), job.is_in_repository),
            (folder.join(".github/workflows/judge.yml"), false)
        );
        std::fs::create_dir_all(folder.join(".git")).unwrap();
        let job = CiJob::for_folder(CiService::Gitlab, None, &folder, "").unwrap();
        assert_eq!(
            (job.file.path.clone(), job.is_in_repository),
            (folder.join(".gitlab-ci.yml"), true)
        );
        assert!(
            !text(&job).contains("{inside}") && !text(&job).contains("cd '"),
            "{}",
            text(&job)
        );
    }

    #[test]
    fn a_folder_name_with_special_characters_of_yaml_or_the_shell_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        std::fs::create_dir(temporary.path().join(".git")).unwrap();
        for name in ["it's", "a\nb", "$(reboot)", "a\"b"] {
            assert!(
                CiJob::for_folder(
                    CiService::Gitlab,
                    None,
                    &temporary.path().join(name),
                    ""
                )
                .is_err(),
                "{name}"
            );
        }
    }
}
