//! Lists the cases of a problem: of a package as it was read, of any other problem from
//! the files in its folder of cases. Looks at names and sizes only.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::mistake::{Mistake, Mistakes};
use crate::model::{Case, ending};
use crate::package::{self, ANSWER_OF_INTERACTOR, lfs_pointers, lone_answer};
use crate::spec::folder::{ProblemFolder, files_below};
use crate::text::path_text;

/// The most bytes of an input or an answer.
pub const MOST_CASE: u64 = 1 << 30;

/// Whether cases may lack their answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerRequirement {
    /// Every case must have its answer.
    Required,
    /// Answers may be missing.
    Optional,
}

impl ProblemFolder {
    /// The cases: samples first, then by name. If packages are read past mistakes,
    /// their cases without answers are left out.
    ///
    /// # Errors
    /// Reports inputs without an answer, if `answers` requires them; answers
    /// without an input; files that belong to no case; and a problem without cases.
    pub fn cases(&self, answers: AnswerRequirement) -> Result<Vec<Case>, Mistakes> {
        let Some(package) = self.package() else {
            return self.cases_in_folder(answers);
        };
        let package = package?;
        let are_required = answers == AnswerRequirement::Required;
        // Missing inputs are reported before answers, which are missing in any case,
        // and after mistakes, one of which may be that they cannot be made.
        if are_required && let Some(missing) = self.missing_tests() {
            return Err(if package.mistakes().is_empty() {
                missing.into()
            } else {
                Mistakes(package.all_mistakes())
            });
        }
        let missing = package.missing_answers();
        let mut cases = package.cases.clone();
        if self.reads_past_mistakes {
            cases.retain(|case| missing.is_empty() || case.answer.exists());
        } else if are_required && !missing.is_empty() {
            return Err(Mistakes(missing.to_vec()));
        }
        Ok(cases)
    }

    fn cases_in_folder(
        &self,
        answers: AnswerRequirement,
    ) -> Result<Vec<Case>, Mistakes> {
        let folder = self.config.case_folder(&self.id);
        let (files, mut mistakes) = self.files_of_cases();
        let unreadable = mistakes.len();
        let has = |path: &Path| {
            files
                .binary_search_by(|file| file.as_path().cmp(path))
                .is_ok()
        };
        mistakes.extend(lfs_pointers(files.iter().map(PathBuf::as_path)));
        let remedy_for_answer = OnceCell::new();
        let mut cases = vec![];
        for file in &files {
            mistakes.extend(too_large(file));
            match ending(file) {
                "in" => {
                    let answer = file.with_extension("ans");
                    if !has(&answer) && answers == AnswerRequirement::Required {
                        let remedy = remedy_for_answer
                            .get_or_init(|| self.remedy_for_answer());
                        mistakes.push(Mistake::new(
                            file,
                            "the case has no answer next to it",
                            remedy,
                        ));
                    }
                    let name = file.strip_prefix(&folder).unwrap_or(file);
                    cases.push(Case {
                        name: path_text(name.with_extension("")),
                        input: file.clone(),
                        answer,
                    });
                }
                "ans" if has(&file.with_extension("in")) => {}
                "ans" => mistakes.push(lone_answer(file)),
                "md" => {}
                _ => {
                    mistakes.push(Mistake::new(
                        file,
                        "is not a file of a case",
                        "cases are `.in` and `.ans`, notes are `.md`",
                    ));
                }
            }
        }
        let misnamed = misnamed_case(&folder, &mistakes[unreadable..]);
        mistakes.extend(misnamed);
        if cases.is_empty() && mistakes.is_empty() {
            let message = format!("problem `{}` has no cases", self.id);
            let remedy = "put the first one into `sample/001-first.in`";
            mistakes.push(Mistake::new(&folder, message, remedy));
        }
        cases.sort_by(|one, other| {
            case_order(&one.name).cmp(&case_order(&other.name))
        });
        Mistakes::or(mistakes, cases)
    }

    /// The remedy for cases without answers. No program can write one that an
    /// interactor reads. Reads the problem.
    fn remedy_for_answer(&self) -> String {
        let is_interactive = self
            .problem()
            .is_ok_and(|problem| problem.task.is_interactive());
        if is_interactive {
            ANSWER_OF_INTERACTOR.to_owned()
        } else {
            format!("write it with `gridjudge answers {}`", self.id)
        }
    }

    /// The mistakes in the folder of the cases that do not depend on the contents of
    /// its files, such as links that lead out of it. Call it before writing anything
    /// there.
    pub fn refused_below_cases(&self) -> Vec<Mistake> {
        self.files_of_cases().1
    }

    /// Lists the files below the folder of the cases. A missing folder counts as empty.
    fn files_of_cases(&self) -> (Vec<PathBuf>, Vec<Mistake>) {
        let folder = self.config.case_folder(&self.id);
        let is_there = folder.symlink_metadata().is_ok();
        if is_there {
            files_below(&folder, &self.config)
        } else {
            Default::default()
        }
    }
}

/// The mistake that two files among those with mistakes have the names of a case in
/// another layout.
fn misnamed_case(folder: &Path, mistakes: &[Mistake]) -> Option<Mistake> {
    let names = mistakes
        .iter()
        .filter_map(|mistake| mistake.path.strip_prefix(folder).ok()?.to_str());
    let [input, answer] = package::first_pair(names)?;
    let message = format!("`{input}` and `{answer}` may be a case");
    let remedy = "name all cases `NAME.in` and `NAME.ans`";
    Some(Mistake::new(folder, message, remedy))
}

/// A mistake if a file is too large for a case. Inputs are read into memory as a whole.
fn too_large(file: &Path) -> Option<Mistake> {
    let bytes = file.metadata().map_or(0, |found| found.len());
    let message = format!(
        "has {bytes} bytes, and a file of a case may have {MOST_CASE} (1 GiB)"
    );
    (bytes > MOST_CASE)
        .then(|| Mistake::new(file, message, "cut it into several cases"))
}

/// The sort key of a case: samples first, the rest by name.
fn case_order(name: &str) -> (bool, &str) {
    (!name.starts_with("sample/"), name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::folder::JudgeFolder;

    #[test]
    fn a_path_given_as_a_problem_id_is_not_searched_for_cases() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        std::fs::write(place("judge.toml"), "").unwrap();
        std::fs::create_dir_all(place("problems/mini")).unwrap();
        std::fs::write(place("problems/mini/problem.toml"), "").unwrap();
        std::fs::create_dir(place("elsewhere")).unwrap();
        std::fs::write(place("elsewhere/a.in"), "").unwrap();
        let folder = JudgeFolder::open(root.path()).unwrap();
        let path = place("elsewhere").to_string_lossy().into_owned();
        let mistakes = folder.find(&path).unwrap_err().0;
        let message = format!("there is no problem `{path}` in this folder");
        assert_eq!(mistakes[0].message, message);
    }

    #[test]
    fn files_that_are_a_case_by_other_names_are_told_how_to_be_named() {
        for [input, answer] in [
            ["4.in", "4.out"],
            ["4.in", "4.a"],
            ["input4.txt", "output4.txt"],
            ["in/4.txt", "out/4.txt"],
        ] {
            let root = tempfile::tempdir().unwrap();
            let put = |name: &str, text: &str| {
                let path = root.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            };
            put("judge.toml", "");
            put(
                "problems/a/problem.toml",
                "name = \"A\"\n[limits]\ntime = \"1s\"\n[task]\nkind = \"lines\"\n",
            );
            put("cases/a/sample/1.in", "");
            put("cases/a/sample/1.ans", "");
            put(&format!("cases/a/{input}"), "");
            put(&format!("cases/a/{answer}"), "");
            let folder = JudgeFolder::open(root.path()).unwrap();
            let cases = folder.find("a").unwrap().cases(AnswerRequirement::Required);
            let mistakes = cases.unwrap_err().0;
            assert_eq!(mistakes.len(), 3, "{mistakes:?}");
            assert_eq!(
                mistakes[2].message,
                format!("`{input}` and `{answer}` may be a case")
            );
        }
    }

    #[test]
    fn a_pointer_of_git_lfs_is_no_case() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        std::fs::write(place("judge.toml"), "").unwrap();
        std::fs::create_dir_all(place("problems/a")).unwrap();
        std::fs::create_dir_all(place("cases/a")).unwrap();
        let spec =
            "name = \"A\"\n[limits]\ntime = \"1s\"\n[task]\nkind = \"lines\"\n";
        std::fs::write(place("problems/a/problem.toml"), spec).unwrap();
        let pointer = "version https://git-lfs.github.com/spec/v1\n\
            oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 4\n";
        std::fs::write(place("cases/a/1.in"), pointer).unwrap();
        std::fs::write(place("cases/a/1.ans"), "1\n").unwrap();
        let folder = JudgeFolder::open(root.path()).unwrap();
        let cases = folder.find("a").unwrap().cases(AnswerRequirement::Required);
        let found = cases.unwrap_err().0;
        assert!(
            found[0].message.starts_with("is a pointer of Git LFS"),
            "{found:?}"
        );
    }

    #[test]
    fn no_program_is_said_to_write_what_an_interactor_reads() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("judge.toml", "");
        put("problems/a/talk.py", "");
        put("cases/a/sample/1.in", "");
        for (task, remedy) in [
            ("kind = \"lines\"", "write it with `gridjudge answers a`"),
            (
                "kind = \"interactive\"\ninteractor = \"talk.py\"",
                ANSWER_OF_INTERACTOR,
            ),
        ] {
            put(
                "problems/a/problem.toml",
                &format!("name = \"A\"\n[limits]\ntime = \"1s\"\n[task]\n{task}\n"),
            );
            let folder = JudgeFolder::open(root.path()).unwrap();
            let mistakes = folder
                .find("a")
                .unwrap()
                .cases(AnswerRequirement::Required)
                .unwrap_err()
                .0;
            assert_eq!(mistakes[0].remedy.as_deref(), Some(remedy), "{mistakes:?}");
        }
    }
}
