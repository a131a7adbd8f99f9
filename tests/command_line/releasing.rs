//! The workflow that publishes a version: a shell runs each of its commands unchanged,
//! in a folder whose `.ci/dist/build` writes small files. `.ci/run` runs the real one.

use std::fs;
use std::process::Output;

use crate::command_line::ci::{own_file, runs};
use crate::judge::Judge;

/// Writes what is published of one machine, whose name it takes from the environment.
const BUILD: &str = "#!/bin/sh
set -e
mkdir -p \"$1\"
cd \"$1\"
printf '#!/bin/sh\\necho \"$*\" >>\"$ASKED\"\\n' >\"gridjudge-$MACHINE-linux\"
chmod +x \"gridjudge-$MACHINE-linux\"
echo \"$MACHINE\" >\"gridjudge_0.1.0_$MACHINE.deb\"
sha256sum gridjudge* >SHA256SUMS
";

/// A checkout as the runners have it.
struct Checkout {
    judge: Judge,
}

impl Checkout {
    fn new() -> Self {
        let judge = Judge::with_empty_cache();
        let changes = "# Changelog\n\n## 0.2.0\n\nNext.\n\n## 0.1.0\n\nThis.\n\n## 0.0.1\n\nLast.\n";
        judge.put("CHANGELOG.md", changes);
        let package = "echo path+file:///checkout#gridjudge@0.1.0";
        judge
            .script(".ci/dist/build", BUILD)
            .script("bin/cargo", &format!("#!/bin/sh\n{package}\n"))
            .script("bin/uname", "#!/bin/sh\necho $MACHINE\n")
            .script("bin/gh", "#!/bin/sh\necho gh \"$*\" >>\"$ASKED\"\n");
        Self { judge }
    }

    /// Runs a command on a machine, for the tag of this name.
    fn shell(&self, command: &str, machine: &str, tag: &str) -> Output {
        let default = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{default}", self.judge.path("bin").display());
        let options = ["--noprofile", "--norc", "-eo", "pipefail", "-c", command];
        self.judge
            .command_of("bash", &options)
            .env("PATH", path)
            .env("ASKED", self.judge.path("asked"))
            .env("RUNNER_TEMP", "/temporary")
            .env("GITHUB_REF_NAME", tag)
            .env("MACHINE", machine)
            .output()
            .unwrap()
    }

    #[track_caller]
    fn run_all(&self, commands: &[String], machine: &str) {
        for command in commands {
            let output = self.shell(command, machine, "v0.1.0");
            assert!(output.status.success(), "{command}\n{output:?}");
        }
    }
}

#[test]
fn the_release_has_the_files_of_all_machines_with_their_checksums() {
    let workflow = own_file(".github/workflows/release.yml");
    let (build, publish) = workflow.split_once("\n  publish:\n").unwrap();
    let checkout = Checkout::new();
    for machine in ["x86_64", "aarch64"] {
        checkout.run_all(&runs(build), machine);
        let kept = checkout.judge.path(format!("built/{machine}"));
        fs::create_dir_all(kept.parent().unwrap()).unwrap();
        fs::rename(checkout.judge.path("dist"), kept).unwrap();
    }
    checkout.run_all(&runs(publish), "x86_64");
    let sums = checkout.judge.read("dist/SHA256SUMS");
    let names: Vec<_> = sums
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    let published = [
        "gridjudge-aarch64-linux",
        "gridjudge-x86_64-linux",
        "gridjudge_0.1.0_aarch64.deb",
        "gridjudge_0.1.0_x86_64.deb",
    ];
    assert_eq!(names, published);
    let of_one =
        "doctor\ninit /temporary/project\ngrade -C /temporary/project --all\n";
    let files = published.map(|name| format!("dist/{name}")).join(" ");
    let asked = checkout.judge.read("asked");
    assert_eq!(
        asked,
        format!(
            "{of_one}{of_one}gh release create v0.1.0 dist/SHA256SUMS {files} --verify-tag \
             --title gridjudge 0.1.0 --notes-file notes.md\n"
        )
    );
    assert_eq!(checkout.judge.read("notes.md"), "## 0.1.0\n\nThis.\n\n");
}

#[test]
fn nothing_is_built_for_a_tag_that_is_not_the_version() {
    let commands = runs(&own_file(".github/workflows/release.yml"));
    let checkout = Checkout::new();
    let output = checkout.shell(&commands[0], "x86_64", "v0.2.0");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
