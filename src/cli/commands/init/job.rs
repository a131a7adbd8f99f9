//! A job for a CI service: its text and its file. The file is at the root of the repository, where
//! the service looks for it, and not in the judge's folder.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::cli::repository::{real, root_around};
use crate::cli::screen;
use crate::spec::Mistake;

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum CiService {
    /// A workflow of GitHub Actions
    Github,
    /// A job of GitLab CI/CD
    Gitlab,
}

/// A job for a judge's folder.
pub(super) struct CiJob {
    service: CiService,
    /// The file of the job.
    pub(super) path: PathBuf,
    pub(super) text: String,
    /// Whether the folder is in a repository.
    is_in_repository: bool,
}

impl CiJob {
    /// The job of a service for a folder, which need not exist yet.
    ///
    /// # Errors
    /// If the folder's name cannot be written in the job.
    pub(super) fn of(service: CiService, folder: &Path) -> Result<Self, Mistake> {
        let whole = real(folder);
        let repository = root_around(&whole);
        let seen = repository
            .and_then(|root| whole.strip_prefix(root).ok())
            .unwrap_or(Path::new(""));
        let inside = &*seen.to_string_lossy();
        // Quotes and line ends have a meaning in YAML and in a shell.
        if inside
            .chars()
            .any(|letter| letter.is_control() || "'\"\\${}".contains(letter))
        {
            let mistake = Mistake::of(folder, "its name cannot be written in a job");
            return Err(mistake.with_remedy("give the folder a name of plain letters"));
        }
        // If the folder is itself the root, its path is used as the user wrote it.
        let root = repository.filter(|_| !inside.is_empty()).unwrap_or(folder);
        let path = root.join(service.path());
        let text = service.text(inside);
        Ok(Self {
            service,
            path,
            text,
            is_in_repository: repository.is_some(),
        })
    }

    /// A mistake if the file exists already.
    pub(super) fn mistake_if_there(&self) -> Option<Mistake> {
        let remedy =
            "move it away, or copy the job into it by hand: docs/ci.md of gridjudge shows it";
        let is_there = self.path.symlink_metadata().is_ok();
        is_there.then(|| Mistake::of(&self.path, "is there already").with_remedy(remedy))
    }

    /// Prints a note if the folder is in no repository: the service would not find the job.
    pub(super) fn warn(&self) {
        if !self.is_in_repository {
            let service = self.service.name();
            let path = self.service.path();
            screen::notice(format!(
                "no repository is around it: {service} looks for {path} at the root of one"
            ));
        }
    }

    /// The next step for the user: edit the job. `shown` is the path to print.
    pub(super) fn edit_step(&self, shown: &Path) -> String {
        format!("edit {:<49} say where to get gridjudge", shown.display())
    }
}

impl CiService {
    fn name(self) -> &'static str {
        match self {
            Self::Github => "GitHub",
            Self::Gitlab => "GitLab",
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Github => ".github/workflows/judge.yml",
            Self::Gitlab => ".gitlab-ci.yml",
        }
    }

    /// The job for the folder `inside` the repository; for its root if empty.
    fn text(self, inside: &str) -> String {
        let template = match self {
            Self::Github => include_str!("ci/github.yml"),
            Self::Gitlab => include_str!("ci/gitlab.yml"),
        };
        if inside.is_empty() {
            return template
                .replace("{defaults}", "")
                .replace("{enter}", "")
                .replace("{inside}", "");
        }
        let defaults = format!("defaults:\n  run:\n    working-directory: \"{inside}\"\n");
        let enter = format!("    - \"cd '{inside}'\"\n");
        let text = template
            .replace("{defaults}", &defaults)
            .replace("{enter}", &enter);
        text.replace("{inside}", &format!("{inside}/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_belongs_to_the_root_of_the_repository_around_a_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let outer = temporary.path().canonicalize().unwrap();
        std::fs::create_dir_all(outer.join("repository/.git")).unwrap();
        let folder = outer.join("repository/contest/2026");
        let job = CiJob::of(CiService::Github, &folder).unwrap();
        assert_eq!(
            job.path,
            outer.join("repository/.github/workflows/judge.yml")
        );
        assert!(
            job.text
                .contains("\n    working-directory: \"contest/2026\"\njobs:\n"),
            "{}",
            job.text
        );
        assert!(
            job.text
                .ends_with("\n            contest/2026/grade.jsonl\n"),
            "{}",
            job.text
        );
        let job = CiJob::of(CiService::Gitlab, &folder).unwrap();
        assert_eq!(job.path, outer.join("repository/.gitlab-ci.yml"));
        assert!(
            job.text
                .contains("\n  script:\n    - \"cd 'contest/2026'\"\n    - gridjudge doctor\n")
        );
        assert!(
            job.text.ends_with("        - contest/2026/junit.xml\n"),
            "{}",
            job.text
        );
    }

    #[test]
    fn the_job_of_a_folder_that_is_a_repository_or_in_none_is_in_that_folder() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().canonicalize().unwrap().join("contest");
        let job = CiJob::of(CiService::Github, &folder).unwrap();
        assert_eq!(
            (job.path, job.is_in_repository),
            (folder.join(".github/workflows/judge.yml"), false)
        );
        std::fs::create_dir_all(folder.join(".git")).unwrap();
        let job = CiJob::of(CiService::Gitlab, &folder).unwrap();
        assert_eq!(
            (job.path, job.is_in_repository),
            (folder.join(".gitlab-ci.yml"), true)
        );
        assert!(
            !job.text.contains('{') && !job.text.contains("cd "),
            "{}",
            job.text
        );
    }

    #[test]
    fn a_folder_name_with_special_characters_of_yaml_or_the_shell_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        std::fs::create_dir(temporary.path().join(".git")).unwrap();
        for name in ["it's", "a\nb", "$(reboot)", "a\"b"] {
            assert!(
                CiJob::of(CiService::Gitlab, &temporary.path().join(name)).is_err(),
                "{name}"
            );
        }
    }
}
